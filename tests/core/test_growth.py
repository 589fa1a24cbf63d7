"""What the tests themselves know of speed: growth is told apart, and so is what never ends."""

import re
from functools import partial

import growth
import pytest
from growth import ends, grows_in_step


def pairs(n):
    return sum(a < b for a in range(n) for b in range(n))


@pytest.mark.parametrize(
    ("work", "size"), [(lambda n: sorted(range(n, 0, -1)), 40_000), (lambda n: sum(range(n)), 50_000), (abs, 1)]
)
def test_what_grows_in_step_passes(work, size):
    grows_in_step(partial(work, size), partial(work, 4 * size))


def test_what_grows_as_the_square_is_found():
    with pytest.raises(AssertionError, match="4 times as much took .* times as long, and 12 are too many"):
        grows_in_step(partial(pairs, 100), partial(pairs, 800))  # 64 times the work: no noise hides that


def test_what_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(growth, "MINUTE", 0.05)
    with pytest.raises(TimeoutError, match="does this ever end"), ends():
        while True:
            pass
    with pytest.raises(TimeoutError), ends():
        re.fullmatch("(a|a)*", "a" * 60 + "b")
