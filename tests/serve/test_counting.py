"""Whatever happens to calls, each sample is told once, and none is skipped."""

from asyncio import CancelledError
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tot.lm.base import LMError
from tot.serve.asked import FINAL, Refused
from tot.serve.counting import Session

STEPS = st.lists(st.tuples(st.sampled_from(["begin", "end", "fail", "again"]), st.integers(1, 3), st.integers(0, 9)))


@given(STEPS)
def test_every_number_is_told_once(steps):
    session, told = Session(), []
    pending = []  # (the block, its numbers, how often it was tried)

    def begin(n, retry=0):
        block = session.turn("key", n, retry)
        pending.append((block, block.__enter__(), retry))

    for what, n, which in steps:
        if what == "begin" or not pending:
            begin(n)
            continue
        block, numbers, retry = pending[which % len(pending)]
        if what == "again":  # the client asks again before the server sees that it left: of equal ones the oldest
            alike = (each for each in pending if (len(each[1]), each[2]) == (len(numbers), retry))
            block, numbers, retry = next(alike)
            begin(len(numbers), retry + 1)
        pending = [each for each in pending if each[0] is not block]
        if what == "end":
            told += numbers
            block.__exit__(None, None, None)
        else:
            with suppress(ValueError):
                block.__exit__(ValueError, ValueError(), None)
        held = [number for _, mine, _ in pending for number in mine]
        assert len({*held, *told}) == len(held) + len(told)
    for block, numbers, _ in pending:
        told += numbers
        block.__exit__(None, None, None)
    with session.turn("key", 1) as [last], session.turn("other", 2) as others:
        assert sorted([*told, last])[: last + 1] == [*range(last + 1)] and others == [0, 1]


@pytest.mark.parametrize(
    "error, tried_again",
    [
        (Refused(503), True),
        (Refused(FINAL, headers={"x-should-retry": "true"}), True),
        (CancelledError(), True),
        (Refused(FINAL), False),
        (Refused(400), False),
        (LMError(), False),
    ],
)
def test_a_try_after_one_that_failed_takes_nobody_elses_number(error, tried_again):
    """Of what clients do not ask again, the next retry is of another call: that one's number goes with it."""
    session = Session()
    with suppress(Refused, CancelledError, LMError), session.turn("key", 1) as numbers:
        raise error
    with session.turn("key", 1) as first:
        [came_back] = first
        with session.turn("key", 1, retry=1) as [again]:
            assert [came_back] == numbers and (again != came_back) == tried_again == bool(first)
