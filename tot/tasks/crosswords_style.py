"""Mini Crosswords in our own style: the readers of short replies. The prompts are in ``crosswords.toml``.

The design is that of the paper's prompts: five examples for IO and CoT (CoT in the order h1 to h5, v1 to v5), proposals
with a confidence, and one question about each remaining clue: sure, maybe or impossible? They are shorter: at most five
proposals, after two examples, for clues that are shown without the words that stand; verdicts of one line. On a full
board the words that remain are read off by program; a row that is not five letters long is blank.
"""

import re
from collections.abc import Mapping, Sequence

from ..parse import MAX_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, show, word_at
from .crosswords_state import board_of, remaining, thought_of
from .style import style_of

# a proposer's confidence as a number: as in the authors' code, the paper gives none
CONFIDENCE = {"certain": 1.0, "high": 0.5, "medium": 0.2, "low": 0.1}
# an evaluator's verdict as a number: the paper says only that one "impossible" prunes
VERDICTS = {"sure": 1.0, "maybe": 0.5, "likely": 0.5, "impossible": 0.0}


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


OWN = style_of(
    "crosswords",
    "own",
    {"io": read_rows, "cot": read_chain, "words": read_words, "value": read_verdict},
    {"steps": len(SLOTS), "filled judged": False, "full board read": True},
)
