"""What the tests themselves know of speed: growth is told apart, and so is what never ends."""

import ast
import re
from functools import partial
from pathlib import Path

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


CLOCKS = {"process_time", "perf_counter", "monotonic", "time", "thread_time"}


def seconds_in(source):
    """The lines of ``source`` that assert that less than a minute passed by some clock."""
    for stated in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)):
        for compared in (node for node in ast.walk(stated) if isinstance(node, ast.Compare)):
            clocks = [n for n in ast.walk(compared) if isinstance(n, ast.Attribute) and n.attr in CLOCKS]
            constants = [n.value for n in compared.comparators if isinstance(n, ast.Constant)]
            limits = [value for value in constants if isinstance(value, int | float) and value < 60]
            upwards = any(isinstance(op, ast.Lt | ast.LtE) for op in compared.ops)
            if upwards and limits and any(ast.unparse(n).startswith("time.") for n in clocks):
                yield stated.lineno


def test_no_test_promises_seconds():
    assert list(seconds_in("assert 1 < 2\nassert time.monotonic() - t < 2 and x\nassert time.time() - t < 60")) == [2]
    tests = list(Path(__file__).parents[1].rglob("test_*.py"))
    found = sorted(f"{file.name}:{line}" for file in tests for line in seconds_in(file.read_text(encoding="utf-8")))
    assert len(tests) > 100 and not found, "another machine is slower: see tests/helpers/growth.py"
