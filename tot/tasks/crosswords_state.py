"""Mini Crosswords without a model: the bundled puzzles, and what a state shows of its clues and its board."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ..state import State, Thought
from .base import Problem
from .bundled import text_of
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, put, show, word_at

KNOWN = 2  # letters that must be known before a clue is judged: as in the authors' code, the paper does not say


@dataclass(frozen=True)
class Puzzle:
    """Ten clues and their words, in the order h1 to h5, v1 to v5."""

    id: str
    clues: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def problem(self) -> Problem:
        """The puzzle as a problem: the clues as ``x``, the board as ``gold``."""
        return Problem(self.id, list_clues(self.clues), show("".join(self.words[:SIZE])))


class Entry(NamedTuple):
    """A thought's ``data``: a word, and the slot (0 to 9) that it fills."""

    slot: int
    word: str


@cache
def puzzles(kind: str) -> tuple[Puzzle, ...]:
    """The bundled puzzles: the 20 of the kind "mini" are to be solved, the 5 of the kind "prompt" are examples."""
    found = []
    for block in re.sub(r"(?m)^#.*\n", "", text_of("crosswords_puzzles.txt")).strip().split("\n\n"):
        id, *lines = block.strip().split("\n")
        _, words, clues = zip(*(line.split(" ", 2) for line in lines), strict=True)
        found.append(Puzzle(id, clues, words))
    return tuple(puzzle for puzzle in found if puzzle.id.startswith(f"{kind}-"))


def list_clues(clues: Iterable[str]) -> str:
    """A problem's ``x``: ten lines, "h1. ..." to "v5. ..."."""
    return "\n".join(f"{slot}. {clue}" for slot, clue in zip(SLOTS, clues, strict=True))


def clues_of(x: str) -> list[str]:
    """The ten clues in a problem's ``x``, without their names."""
    return [line.partition(". ")[2] for line in x.split("\n")]


def board_of(state: State) -> str:
    """The board after a state's thoughts; a later word is written over an earlier one."""
    board = EMPTY
    for thought in state.thoughts:
        if isinstance(thought.data, Entry):
            board = put(board, *thought.data)
    return board


def remaining(state: State) -> list[int]:
    """The slots that still need a word: those that have none, or whose word was overwritten since."""
    board = board_of(state)
    own = {thought.data.slot: thought.data.word for thought in state.thoughts if isinstance(thought.data, Entry)}
    return [slot for slot in range(len(SLOTS)) if own.get(slot) != word_at(board, slot)]


def overwritten(state: State) -> list[int]:
    """The slots of which a letter was changed since their own word was last written. It follows the authors' code: a
    clue without a word counts, too, once letters change that others have put in its slot.
    """
    board, changed = EMPTY, set[int]()
    for thought in state.thoughts:
        if isinstance(thought.data, Entry):
            after = put(board, *thought.data)
            changed |= {slot for slot in range(len(SLOTS)) if not fits(word_at(after, slot), word_at(board, slot))}
            changed.discard(thought.data.slot)
            board = after
    return sorted(changed)


def thought_of(state: State, slot: int, word: str, prior: float | None = None) -> Thought:
    """The thought that fills a slot; its answer is the board after it, and it is final if no clue remains."""
    text = f"{SLOTS[slot]}. {word}"
    after = state.then(Thought(text, Entry(slot, word)))
    return Thought(text, Entry(slot, word), show(board_of(after)), final=not remaining(after), prior=prior)


def listed(state: State, slots: Iterable[int]) -> str:
    """Those clues, a line for each, with the letters that are on the board: "h2. Great danger: ``p_r__``"."""
    board, clues = board_of(state), clues_of(state.x)
    return "\n".join(f"{SLOTS[slot]}. {clues[slot]}: {word_at(board, slot)}" for slot in slots)


def grouped(state: State) -> str:
    """All clues, as those that are open, filled, and overwritten."""
    open_, changed = remaining(state), overwritten(state)
    groups = {
        "Open clues": [slot for slot in open_ if slot not in changed],
        "Filled clues": [slot for slot in range(len(SLOTS)) if slot not in open_],
        "Clues whose letters were changed": [slot for slot in open_ if slot in changed],
    }
    return "\n\n".join(f"{title}:\n{listed(state, slots)}" for title, slots in groups.items() if slots)


def asked(state: State, slots: Iterable[int]) -> list[str]:
    """What the evaluator is asked about each of those clues of which at least ``KNOWN`` letters are known."""
    board, clues = board_of(state), clues_of(state.x)
    known = [slot for slot in slots if SIZE - word_at(board, slot).count(BLANK) >= KNOWN]
    return [question(SLOTS[slot], clues[slot], word_at(board, slot)) for slot in known]


def question(name: str, clue: str, letters: str) -> str:
    """One clue for the evaluator. The letters are spaced, so that a model that reads pieces of words sees each one."""
    return f"{name}. {clue}: {' '.join(letters)}"
