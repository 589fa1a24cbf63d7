"""Mini Crosswords in our own style: prompts, solved examples, and the readers of short replies."""

import re
from collections.abc import Mapping, Sequence

from ..parse import MAX_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from .crosswords_board import BLANK, SIZE, SLOTS, fits, show, word_at
from .crosswords_state import board_of, listed, puzzles, question, remaining, thought_of
from .style import Prompt, Style

# a proposer's confidence as a number: as in the authors' code, the paper gives none
CONFIDENCE = {"certain": 1.0, "high": 0.5, "medium": 0.2, "low": 0.1}
# an evaluator's verdict as a number: the paper says only that one "impossible" prunes
VERDICTS = {"sure": 1.0, "maybe": 0.5, "likely": 0.5, "impossible": 0.0}

RULES = "Solve the crossword: h1 to h5 are its five rows, v1 to v5 its five columns, each a word of five letters."
IO = f"{RULES} Reply with the five rows only."
COT = f'{RULES} Write the ten words, h1 to h5, then v1 to v5; then "Rows:" and the five rows.'
PROPOSE = (
    "Each clue has an answer of five letters; letters that are known are shown. List the answers that you know, at most"
    " five: the clue's name, the word, your confidence (certain, high, medium or low)."
)
VALUE = (
    "Can a word of five letters with these letters in these places answer the clue? Say in a few words, then end with"
    " sure, maybe or impossible."
)

# examples in the propose prompt: example puzzle, slots that are filled already, reply
PROPOSALS: tuple[tuple[int, tuple[int, ...], str], ...] = (
    (0, (), "v1. flame (certain)\nh2. label (high)\nv2. lager (high)\nh4. medic (high)\nv5. elect (medium)"),
    (1, (1, 3, 5), "v2. other (certain)\nh3. thank (high)\nv5. asked (medium)\nh5. dread (low)"),
)

# examples in the value prompt: example puzzle, slot, letters, reply
JUDGED: tuple[tuple[int, int, str, str], ...] = (
    (1, 1, "at__s", "atlas fits. sure"),
    (0, 5, "flz__", "flame does not fit, nothing begins with flz. impossible"),
    (4, 8, "_n_e_", "no word comes to mind, the letters look possible. maybe"),
    (3, 0, "s_a__", "staff fits. sure"),
    (2, 7, "_kqr_", "ivory does not fit, no word has kqr. impossible"),
    (2, 4, "t___d", "perhaps toyed. maybe"),
)


# ---------------------------------------------------------------- readers


def read_rows(text: str) -> list[Read[Thought]]:
    """The five lines that look most like rows."""
    return [attempt(text, _rows(text[:MAX_REPLY]))]


def read_chain(text: str) -> list[Read[Thought]]:
    """The rows below "Rows:"; if that line is missing, the words that the chain gives for h1 to h5."""
    _, mark, below = text[:MAX_REPLY].lower().rpartition("rows:")
    if mark:
        return [attempt(text, _rows(below))]
    across = r"^\W*h([1-5])\W{1,4}([a-z]{5})\b"
    words = dict(re.findall(across, text[:MAX_REPLY], re.IGNORECASE | re.MULTILINE))
    read = attempt(text, [words.get(str(row + 1), "").lower() for row in range(SIZE)])
    return [Read(read.value, "the chain has no rows", read.text)]


_LINE = re.compile(r"\W*(?:\d{1,2}[.)]\s*)?\W*([hv])\s?([1-5])\b(.*)", re.IGNORECASE)
_CONFIDENCE = re.compile(rf"\b({'|'.join(CONFIDENCE)})\b", re.IGNORECASE)


def read_words(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    """Each line of a proposal as a thought. ``prior`` is the confidence."""
    board, open_ = board_of(state), remaining(state)
    letters = {SLOTS[slot]: BLANK * SIZE if overwrite else word_at(board, slot) for slot in open_}
    lines = [line for line in text[:MAX_REPLY].splitlines() if line.strip() and not line.rstrip().endswith(":")]
    reads = []
    for line in lines:
        read = read_line(line, letters)
        if read.value:
            name, word, prior = read.value
            reads.append(Read(thought_of(state, SLOTS.index(name), word, prior), read.why, read.text))
        else:
            reads.append(bad(read.why, line))
    return reads or [bad("empty reply", text)]


def read_line(line: str, letters: Mapping[str, str]) -> Read[tuple[str, str, float]]:
    """ "h2. peril (high)" as name, word and confidence, or why not. ``letters``: by the names of the clues that remain.

    A word without a confidence counts as low, and as unread.
    """
    found = _LINE.fullmatch(line) if len(line) <= 120 else None
    if not found:
        return bad("not a proposal")
    *_, said = [None, *_CONFIDENCE.finditer(found[3])]
    before = found[3][: said.start()] if said else found[3]
    pieces = re.findall(r"[^\W\d_]+", before.strip(" (:").rpartition(":")[2])
    word = "".join(pieces).lower() if len(pieces) == 1 or all(len(piece) == 1 for piece in pieces) else ""
    name = found[1].lower() + found[2]
    if not re.fullmatch(r"[a-z]{5}", word):
        return bad("not one word of five letters a to z")
    if name not in letters:
        return bad(f"{name} is filled in already")
    if not fits(word, letters[name]):
        return bad(f"does not fit {letters[name]}")
    confidence = CONFIDENCE[said[1].lower()] if said else CONFIDENCE["low"]
    return Read((name, word, confidence), "" if said else "no confidence", shorten(line))


def _rows(text: str) -> list[str]:
    """The five lines of a reply that look most like rows: the word on each, or "" if it is not five letters."""
    lines = [line for line in text.splitlines() if line.strip() and not line.rstrip().endswith(":")]
    rows = [re.sub(r"[\s|,.*`'\"-]", "", re.sub(r"^\W*(?:h?\s?[1-5]\s?[.:)])", "", line[:120])) for line in lines]
    return five_rows([row.lower() if re.fullmatch(r"[A-Za-z_]{5}", row) else "" for row in rows])


def five_rows(lines: Sequence[str]) -> list[str]:
    """Of the lines of a reply, each as a row or "", the five in sequence with the most rows; of equals, the last."""
    starts = range(max(len(lines) - SIZE, 0), -1, -1)
    start = max(starts, key=lambda i: sum(map(bool, lines[i : i + SIZE])))
    return [*lines[start : start + SIZE], *[""] * SIZE][:SIZE]


def attempt(text: str, rows: Sequence[str]) -> Read[Thought]:
    """A whole board as an attempt. Rows that cannot be read are blank, and the reason says how many can."""
    said, good = shorten(text.strip(), MAX_REPLY), sum(map(bool, rows))
    if not good:
        return Read(Thought(said, final=True), "no row of five letters", shorten(text))
    answer = show("".join(row or BLANK * SIZE for row in rows))
    return Read(
        Thought(said, None, answer, final=True), "" if good == SIZE else f"{good} of {SIZE} rows", shorten(text)
    )


def read_verdict(text: str) -> Read[float]:
    """The verdict. A reply without one rules nothing out: it counts as maybe, and as unread."""
    word = last_word(text, VERDICTS)
    return Read(VERDICTS[word.value or "maybe"], word.why, word.text)


# ---------------------------------------------------------------- the style


def _before(example: int, slots: Sequence[int]) -> State:
    """The state of an example puzzle in which some slots are filled."""
    puzzle = EXAMPLES[example]
    state = State(puzzle.problem.x)
    for slot in slots:
        state = state.then(thought_of(state, slot, puzzle.words[slot]))
    return state


def judged(examples: Sequence[tuple[int, int, str, str]]) -> tuple[tuple[str, str], ...]:
    """The examples in a value prompt, as what is asked and what is replied."""
    return tuple((question(slot, EXAMPLES[i].clues[slot], letters), reply) for i, slot, letters, reply in examples)


def chains(shown: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The examples for IO as examples for CoT: before the rows come the ten words."""
    return tuple((x, f"{words}\nRows:\n{rows}") for (x, rows), words in zip(shown, _WORDS, strict=True))


EXAMPLES = puzzles("prompt")
_SHOWN = tuple((each.problem.x, "\n".join(each.words[:SIZE])) for each in EXAMPLES)
_WORDS = tuple("\n".join(f"{slot}. {word}" for slot, word in zip(SLOTS, each.words, strict=True)) for each in EXAMPLES)

OWN = Style(
    name="",
    about="Our own words, and the design of the paper's prompts: five examples for IO and CoT (CoT in the order h1"
    " to h5, v1 to v5), proposals with a confidence, and one question about each remaining clue: sure, maybe or"
    " impossible? They are shorter: at most five proposals, after two examples, for clues that are shown without the"
    " words that stand; verdicts of one line. On a full board the words that remain are read off by program, and in"
    " answers to IO and CoT a row that is not five letters long is blank.",
    prompts={
        "io": Prompt("{x}", IO, _SHOWN, max_tokens=40),
        "cot": Prompt("{x}", COT, chains(_SHOWN), max_tokens=130),
        "two-shot": Prompt(
            "{open}",
            PROPOSE,
            tuple((listed(at, remaining(at)), reply) for i, slots, reply in PROPOSALS for at in [_before(i, slots)]),
            max_tokens=60,
        ),
        "value": Prompt("{clue}", VALUE, judged(JUDGED), max_tokens=24),
    },
    readers={"io": read_rows, "cot": read_chain, "words": read_words, "value": read_verdict},
    limits={"steps": len(SLOTS), "filled judged": False, "full board read": True},
    variants=("two-shot",),
)
