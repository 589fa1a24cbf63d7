"""Mini Crosswords in the paper's style: the readers of long replies. The prompts are in ``crosswords.toml``."""

import re

from ..parse import LONG_REPLY, Read, bad, last_word
from ..reply import pattern
from ..state import State, Thought
from . import crosswords_style as own
from .crosswords_board import BLANK, EMPTY, SLOTS, word_at
from .crosswords_replies import proposals, rows_in
from .crosswords_state import board_of, remaining
from .crosswords_style import VERDICTS
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


# ---------------------------------------------------------------- reading verdicts

_HEDGED = re.compile(r"(?:\bnot|n['’]t)\s(?:\w{1,12}\s)?(?:sure|impossible|likely)\b")


def read_last_verdict(text: str) -> Read[float]:
    """The verdict on the last line; if there is none, the last in the text. "Not sure" and the like are maybe."""
    said = _HEDGED.sub("maybe", text[-LONG_REPLY:].lower())
    last = next((line for line in reversed(said.splitlines()) if re.search(r"[a-z]", line)), "")
    alone = re.sub(r"[^a-z]+", " ", last).split()
    word = Read(alone[-1], text=alone[-1]) if alone and alone[-1] in VERDICTS else last_word(said, VERDICTS)
    return Read(VERDICTS[word.value or "maybe"], word.why, word.text)


PAPER = style_of(
    "crosswords",
    "paper",
    {"io": read_long_rows, "cot": read_long_chain, "words": read_free_words, "value": read_last_verdict},
    {"steps": len(SLOTS) - 1, "filled judged": True, "full board read": False},
)
