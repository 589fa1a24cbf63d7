"""Mini Crosswords in our own style: the readers of short replies. The prompts are in ``crosswords.toml``.

The design is that of the paper's prompts: five examples for IO and CoT (CoT in the order h1 to h5, v1 to v5), proposals
with a confidence, and one question about each remaining clue: sure, maybe or impossible? They are shorter: at most five
proposals, after two examples, for clues that are shown without the words that stand; verdicts of one line. On a full
board the words that remain are read off by program; a row that is not five letters long is blank.
"""

import re
from collections.abc import Mapping, Sequence

from ..parse import LONG_REPLY, MAX_REPLY, Read, bad, shorten
from ..state import State, Thought
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, show, word_at
from .crosswords_replies import Said, proposals, rows_in
from .crosswords_state import board_of, remaining, thought_of
from .style import style_of
from .verdicts import verdict

# a proposer's confidence as a number: as in the authors' code, the paper gives none
CONFIDENCE = {"certain": 1.0, "high": 0.5, "medium": 0.2, "low": 0.1}
# an evaluator's verdict as a number: the paper says only that one "impossible" prunes
VERDICTS = {"sure": 1.0, "maybe": 0.5, "likely": 0.5, "impossible": 0.0}
NO_WORD = "not one word of five letters a to z"

# ---------------------------------------------------------------- readers


def read_rows(text: str) -> list[Read[Thought]]:
    """The five rows; one that is not five letters long is blank."""
    return [attempt(text, rows_in(text[-LONG_REPLY:]))]


def read_chain(text: str) -> list[Read[Thought]]:
    """The rows below the last "Rows:"; if that line is missing, those that the chain gives in another form."""
    _, *below = re.split("rows:", text[-LONG_REPLY:], flags=re.IGNORECASE)
    boards = [rows_in(part) for part in below[::-1][:20]]
    if boards:  # of several the last that is complete: "Check of the rows: all are words."
        return [attempt(text, next((rows for rows in boards if all(len(row) == SIZE for row in rows)), boards[0]))]
    return [Read(attempt(text, rows_in(text[-LONG_REPLY:])).value, "the chain has no rows", shorten(text))]


def read_words(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    """The words of a proposal as thoughts. ``prior`` is the confidence: low, and unread, where the reply gives none."""
    board = EMPTY if overwrite else board_of(state)
    letters = {SLOTS[slot]: word_at(board, slot) for slot in remaining(state)}
    reads = [_word(state, said, letters) for said in proposals(text, state.x)]
    return reads or [bad("empty reply", text)]


def _word(state: State, said: Said, letters: Mapping[str, str]) -> Read[Thought]:
    """``letters``: what a word must keep, by the names of the clues that it may fill."""
    if not said.name:
        return bad("not a proposal", said.text)
    if not re.fullmatch(r"[a-z]{5}", said.word):
        return bad(NO_WORD, said.text)
    if said.name not in letters:
        return bad(f"{said.name} is filled in already", said.text)
    return word_of(state, said, letters[said.name])


def word_of(state: State, said: Said, letters: str) -> Read[Thought]:
    """A word as a thought, if it keeps the ``letters``."""
    if not fits(said.word, letters):
        return bad(f"does not fit {letters}", said.text)
    thought = thought_of(state, SLOTS.index(said.name), said.word, CONFIDENCE[said.level or "low"])
    return Read(thought, "" if said.level else "no confidence", shorten(said.text))


def attempt(text: str, rows: Sequence[str], *, cut: bool = False) -> Read[Thought]:
    """A whole board as an attempt. Rows that are not five letters long are blank, or with ``cut`` cut or padded with
    blanks; the reason says how many.
    """
    said, odd = shorten(text.strip(), MAX_REPLY), sum(len(row) not in (0, SIZE) for row in rows)
    kept = [row[:SIZE].ljust(SIZE, BLANK) if len(row) == SIZE or (row and cut) else "" for row in rows]
    if not (good := sum(map(bool, kept))):
        return Read(Thought(said, final=True), "no row of five letters", shorten(text))
    answer = show("".join(row or BLANK * SIZE for row in kept))
    why = "" if good == SIZE else f"{good} of {SIZE} rows"
    why = why or (f"{odd} rows cut or padded to five letters" if odd else "")
    return Read(Thought(said, None, answer, final=True), why, shorten(text))


def read_verdict(text: str) -> Read[float]:
    """The verdict. A reply without one rules nothing out: it counts as maybe, and as unread."""
    read = verdict(text, VERDICTS)
    return read if read.ok else Read(VERDICTS["maybe"], read.why, read.text)


OWN = style_of(
    "crosswords",
    "own",
    {"io": read_rows, "cot": read_chain, "words": read_words, "value": read_verdict},
    {"steps": len(SLOTS), "filled judged": False, "full board read": True},
)
