"""Mini Crosswords in our own style: prompts, solved examples, and the readers of short replies.

The design is that of the paper's prompts: five examples for IO and CoT (CoT in the order h1 to h5, v1 to v5), proposals
with a confidence, and one question about each remaining clue: sure, maybe or impossible? They are shorter: at most five
proposals, after two examples, for clues that are shown without the words that stand; verdicts of one line. On a full
board the words that remain are read off by program; a row that is not five letters long is blank.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from ..parse import MAX_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, show, word_at
from .crosswords_state import board_of, list_clues, listed, puzzles, question, remaining, thought_of
from .style import Prompt, Shown, Style

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

# examples in the propose prompt: example puzzle with the slots that are filled already, reply
PROPOSALS = (
    ("prompt-1", "v1. flame (certain)\nh2. label (high)\nv2. lager (high)\nh4. medic (high)\nv5. elect (medium)"),
    ("prompt-2 h2 h4 v1", "v2. other (certain)\nh3. thank (high)\nv5. asked (medium)\nh5. dread (low)"),
)

# examples in the value prompt: example puzzle with slot and letters, reply
JUDGED = (
    ("prompt-2 h2 at__s", "atlas fits. sure"),
    ("prompt-1 v1 flz__", "flame does not fit, nothing begins with flz. impossible"),
    ("prompt-5 v4 _n_e_", "no word comes to mind, the letters look possible. maybe"),
    ("prompt-4 h1 s_a__", "staff fits. sure"),
    ("prompt-3 v3 _kqr_", "ivory does not fit, no word has kqr. impossible"),
    ("prompt-3 h5 t___d", "perhaps toyed. maybe"),
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


NUMBERED = re.compile(r"^\W*(?:h?\s?[1-5]\s?[.:)])")  # the beginning of a row: "h1.", "1)"
_LINE = re.compile(r"\W*(?:\d{1,2}[.)]\s*)?\W*([hv])\s?([1-5])\b(.*)", re.IGNORECASE)
_CONFIDENCE = re.compile(rf"\b({'|'.join(CONFIDENCE)})\b", re.IGNORECASE)


def read_words(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    """Each line of a proposal as a thought. ``prior`` is the confidence."""
    board = EMPTY if overwrite else board_of(state)
    letters = {SLOTS[slot]: word_at(board, slot) for slot in remaining(state)}
    return [read_line(state, line, letters) for line in lines_of(text[:MAX_REPLY])] or [bad("empty reply", text)]


def read_line(state: State, line: str, letters: Mapping[str, str]) -> Read[Thought]:
    """ "h2. peril (high)" as a thought. ``letters``: what a word must keep, by the names of the clues that it may fill.

    A word without a confidence counts as low, and as unread.
    """
    found = _LINE.fullmatch(line) if len(line) <= 120 else None
    if not found:
        return bad("not a proposal", line)
    *_, said = [None, *_CONFIDENCE.finditer(found[3])]
    before = found[3][: said.start()] if said else found[3]
    pieces = re.findall(r"[^\W\d_]+", before.strip(" (:").rpartition(":")[2])
    word = "".join(pieces).lower() if len(pieces) == 1 or all(len(piece) == 1 for piece in pieces) else ""
    name = found[1].lower() + found[2]
    if not re.fullmatch(r"[a-z]{5}", word):
        return bad("not one word of five letters a to z", line)
    if name not in letters:
        return bad(f"{name} is filled in already", line)
    if not fits(word, letters[name]):
        return bad(f"does not fit {letters[name]}", line)
    thought = thought_of(state, SLOTS.index(name), word, CONFIDENCE[said[1].lower() if said else "low"])
    return Read(thought, "" if said else "no confidence", shorten(line))


def lines_of(text: str) -> list[str]:
    """The lines that may say something: not empty ones, nor headings."""
    return [line for line in text.splitlines() if line.strip() and not line.rstrip().endswith(":")]


def _rows(text: str) -> list[str]:
    """The five lines of a reply that look most like rows: the word on each, or "" if it is not five letters."""
    rows = [re.sub(r"[\s|,.*`'\"-]", "", NUMBERED.sub("", line[:120])) for line in lines_of(text)]
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


EXAMPLES = {puzzle.id: puzzle for puzzle in puzzles("prompt")}


def _open_clues(example: str) -> str:
    """The clues that an example in the propose prompt asks for."""
    id, *filled = example.split()
    state = State(EXAMPLES[id].problem.x)
    for name in filled:
        slot = SLOTS.index(name)
        state = state.then(thought_of(state, slot, EXAMPLES[id].words[slot]))
    return listed(state, remaining(state))


def _judged(example: str) -> str:
    """The question of an example in the value prompt."""
    id, name, letters = example.split()
    return question(name, EXAMPLES[id].clues[SLOTS.index(name)], letters)


def examples(judged: Shown, row: Callable[[str], str]) -> dict[str, Shown]:
    """The solved examples of the prompts: puzzles for IO and CoT, each ``row`` as it writes a word, and verdicts."""
    rows = [(each, "\n".join(map(row, each.words[:SIZE]))) for each in EXAMPLES.values()]
    return {
        "io": tuple((each.problem.x, below) for each, below in rows),
        "cot": tuple((each.problem.x, f"{list_clues(each.words)}\nRows:\n{below}") for each, below in rows),
        "value": tuple((_judged(example), reply) for example, reply in judged),
    }


_SHOWN = examples(JUDGED, str)
_LISTED = tuple((_open_clues(example), reply) for example, reply in PROPOSALS)

OWN = Style(
    prompts={
        "io": Prompt("{x}", IO, _SHOWN["io"], max_tokens=40),
        "cot": Prompt("{x}", COT, _SHOWN["cot"], max_tokens=130),
        "two-shot": Prompt("{open}", PROPOSE, _LISTED, max_tokens=60),
        "value": Prompt("{clue}", VALUE, _SHOWN["value"], max_tokens=24),
    },
    readers={"io": read_rows, "cot": read_chain, "words": read_words, "value": read_verdict},
    limits={"steps": len(SLOTS), "filled judged": False, "full board read": True},
    variants=("two-shot",),
)
