"""The board of a mini crossword, against a grid of rows; and how a board is scored."""

from hypothesis import given
from hypothesis import strategies as st

import tot
from tot.tasks.base import UNCHECKED
from tot.tasks.crosswords_board import EMPTY, SLOTS, fits, put, read_board, score, show, word_at

LETTERS = st.sampled_from("abz_")
BOARDS = st.text(LETTERS, min_size=25, max_size=25)


@given(BOARDS, st.integers(0, 9), st.text(LETTERS, min_size=5, max_size=5))
def test_the_board_against_a_grid_of_rows(board, slot, word):
    grid = [list(board[5 * i : 5 * i + 5]) for i in range(5)]
    name, i = SLOTS[slot][0], int(SLOTS[slot][1]) - 1
    assert word_at(board, slot) == "".join(grid[i] if name == "h" else [row[i] for row in grid])
    for j, letter in enumerate(word):
        if name == "h":
            grid[i][j] = letter
        else:
            grid[j][i] = letter
    after = put(board, slot, word)
    assert after == "".join(map("".join, grid)) and word_at(after, slot) == word
    assert read_board(show(board)) == board
    assert fits(word, word_at(board, slot)) == all(
        b in ("_", w) for w, b in zip(word, word_at(board, slot), strict=True)
    )


def test_scores():
    """Half a board: the letters of two rows, and one word down that is right by its letters alone."""
    gold = "ARENA PERIL PLACE LASER EXERT"
    assert score(gold, gold) == tot.Score(
        True, "10 of 10 words and 25 of 25 letters are right", {"words": 1.0, "letters": 1.0}
    )
    assert score(gold, gold.lower()).correct and score(gold, gold.replace(" ", "\n")).correct
    half = score(gold, "ARENA PXXXX PXXXX LXXXX EXERT")
    assert (half.correct, half.parts) == (False, {"words": 0.3, "letters": 13 / 25})
    assert half.why == "3 of 10 words and 13 of 25 letters are right"
    assert score(gold, show(EMPTY)).parts == {"words": 0.0, "letters": 0.0}
    assert score(gold, None).why == "no answer"
    for text in ("", "ARENA", gold + " EXTRA", gold[:-1], "ÄRENA" + gold[5:], "x" * 10**6, "ARENA " * 10**5):
        assert score(gold, text).why == "not a board: five rows of five letters"
        assert score(gold, text).parts == {"words": 0.0, "letters": 0.0}
    assert score(None, gold) == tot.Score(False, UNCHECKED)


@given(BOARDS)
def test_scores_against_counting(board):
    gold = "abzab" * 5
    found = score(show(gold), show(board))
    rows = [board[i : i + 5] for i in range(0, 25, 5)]
    right = ["abzab"] * 5, ["aaaaa", "bbbbb", "zzzzz", "aaaaa", "bbbbb"]
    words = sum(
        a == b for a, b in zip([*rows, *map("".join, zip(*rows, strict=True))], [*right[0], *right[1]], strict=True)
    )
    letters = sum(a == b for a, b in zip(board, gold, strict=True))
    assert found.parts == {"words": words / 10, "letters": letters / 25} and found.correct == (board == gold)
