"""Mini Crosswords in the paper's style: the readers of long replies. The prompts are in ``crosswords.toml``."""

import re

from ..parse import LONG_REPLY, Read, bad
from ..reply import pattern
from ..state import State, Thought
from . import crosswords_style as own
from .crosswords_board import BLANK, EMPTY, SLOTS, word_at
from .crosswords_replies import proposals, rows_in
from .crosswords_state import board_of, remaining
from .style import style_of

# ---------------------------------------------------------------- reading rows and words


def read_long_rows(text: str) -> list[Read[Thought]]:
    """The five rows, cut to five letters or padded with blanks."""
    return [own.attempt(text, rows_in(text[-LONG_REPLY:]), cut=True)]


def read_long_chain(text: str) -> list[Read[Thought]]:
    """The rows below "Rows:"; if that line is missing, as in our own style."""
    found = pattern("board_heading").search(text[-LONG_REPLY:])
    return read_long_rows(text) if found else own.read_chain(text)


def read_free_words(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    """The words that a reply proposes. A word that already stands for its clue is left out: it says nothing new."""
    board, open_ = board_of(state), remaining(state)
    letters = {name: word_at(EMPTY if overwrite else board, slot) for slot, name in enumerate(SLOTS)}
    stands = {name: word_at(board, slot) for slot, name in enumerate(SLOTS) if slot not in open_}
    reads: list[Read[Thought]] = []
    nothing = True
    for said in proposals(text, state.x):
        nothing = nothing and not said.word
        if not said.name or said.word == stands.get(said.name) or BLANK * 2 in said.text.replace(" ", ""):
            continue
        five = re.fullmatch(r"[a-z]{5}", said.word)
        reads.append(own.word_of(state, said, letters[said.name]) if five else bad(own.NO_WORD, said.text))
    return reads or ([bad("no proposal in the reply", text)] if nothing else [])


PAPER = style_of(
    "crosswords",
    "paper",
    {"io": read_long_rows, "cot": read_long_chain, "words": read_free_words, "value": own.read_verdict},
    {"steps": len(SLOTS) - 1, "filled judged": True, "full board read": False},
)
