"""A mini crossword without its clues: slots, boards, letter constraints, and how a board is scored.

A board is a text of 25 characters, row by row: small letters, and "_" where nothing is filled in. The ten slots are the
rows h1 to h5 and the columns v1 to v5, numbered 0 to 9. No language model is involved.
"""

import re

from .base import UNCHECKED, Score

SIZE = 5
SLOTS = (*(f"h{i}" for i in range(1, SIZE + 1)), *(f"v{i}" for i in range(1, SIZE + 1)))
BLANK = "_"
EMPTY = BLANK * SIZE * SIZE


def cells(slot: int) -> slice:
    """The places of a slot's letters on a board."""
    return slice(slot * SIZE, (slot + 1) * SIZE) if slot < SIZE else slice(slot - SIZE, None, SIZE)


def word_at(board: str, slot: int) -> str:
    """The letters of a slot: ``a_p__``."""
    return board[cells(slot)]


def put(board: str, slot: int, word: str) -> str:
    """The board with a word of five letters written into a slot, over whatever is there."""
    letters = list(board)
    letters[cells(slot)] = word
    return "".join(letters)


def fits(word: str, pattern: str) -> bool:
    """Does the word keep every letter that the pattern shows?"""
    return len(word) == len(pattern) and all(
        shown in (BLANK, letter) for letter, shown in zip(word, pattern, strict=True)
    )


def show(board: str) -> str:
    """The five rows in the form of an answer: ``APPLE R____ _____ _____ _____``."""
    return " ".join(word_at(board, row) for row in range(SIZE)).upper()


def read_board(text: str) -> str | None:
    """The board in an answer: five rows of five letters, with "_" for a missing letter. None for any other text."""
    rows = text[:200].split()
    if len(text) > 200 or len(rows) != SIZE or not all(re.fullmatch(r"[A-Za-z_]{5}", row) for row in rows):
        return None
    return "".join(rows).lower()


def score(gold: str | None, answer: str | None) -> Score:
    """The three measures of section 4.3: letters, words and games. ``gold`` and ``answer`` are as ``show`` writes them.

    ``parts``: "words", the share of the 10 words that are right; "letters", the share of the 25 letters. ``correct``
    means all of them. A blank is a wrong letter. Without ``gold`` an answer cannot be checked.
    """
    right = read_board(gold or "")
    if right is None:
        return Score(False, UNCHECKED)
    nothing = {"words": 0.0, "letters": 0.0}
    if answer is None:
        return Score(False, "no answer", nothing)
    board = read_board(answer)
    if board is None:
        return Score(False, "not a board: five rows of five letters", nothing)
    words = sum(word_at(board, slot) == word_at(right, slot) for slot in range(2 * SIZE))
    letters = sum(a == b for a, b in zip(board, right, strict=True))
    parts = {"words": words / (2 * SIZE), "letters": letters / SIZE**2}
    return Score(board == right, f"{words} of {2 * SIZE} words and {letters} of {SIZE**2} letters are right", parts)
