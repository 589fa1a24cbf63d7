"""The problems that a user names."""

import pytest

from tot.tasks import task
from tot.tasks.selection import pick


def test_slices_are_those_of_python():
    game = task("game24")
    hard = game.problems("hard")
    for text, wanted in [
        ("hard", hard), ("hard[:20]", hard[:20]), ("hard[::34]", hard[::34]), ("hard[-3:]", hard[-3:]),
        ("hard[5]", [hard[5]]), ("hard[-1]", [hard[-1]]), ("hard[90:200]", hard[90:]), (" hard [ 1 : 3 ] ", hard[1:3]),
        ("hard[::-50]", hard[::-50]), ("4 9 10 13", [game.problem("4 9 10 13")]),
    ]:  # fmt: skip
        assert pick(game, text) == wanted, text
    for text in ("hard[100]", "hard[-101]", "hard[]", "hard[1:2:3:4]", "hard[1", "hard]"):
        with pytest.raises(ValueError):
            pick(game, text)
