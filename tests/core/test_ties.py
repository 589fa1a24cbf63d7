"""No decision hangs on the last bit of a float: sums moved by an ulp give the same trees."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tot import METHODS, Scripted, run, task, ties
from tot.search import monte_carlo
from tot.ties import DIGITS, level, mean, total


def test_a_total_does_not_depend_on_the_order():
    numbers = [0.1] * 10 + [1e16, 1.0, -1e16, 0.001, 20.0]
    rng = random.Random(0)
    assert {total(rng.sample(numbers, len(numbers))) for _ in range(50)} == {math.fsum(numbers)}
    assert total([0.1, 0.2, 0.3]) == 0.6 and mean([0.1, 0.2, 0.3]) == pytest.approx(0.2)
    with pytest.raises(ZeroDivisionError):
        mean([])


@given(st.floats(-1e5, 1e5), st.integers(-20, 20))
def test_numbers_that_differ_by_rounding_are_level(number, ulps):
    short = round(number, DIGITS - 1)  # far from the edge between two levels
    moved = short
    for _ in range(abs(ulps)):
        moved = math.nextafter(moved, math.inf if ulps > 0 else -math.inf)
    assert level(moved) == level(short)


def test_levels_keep_the_order_of_what_is_apart():
    assert level(0.3) < level(0.3 + 10**-DIGITS) and level(None) == 0.0
    assert level(-math.inf) == -math.inf and level(math.inf) == math.inf
    assert level(math.nan) == -math.inf, "an evaluator's nan decides nothing"


VERDICTS = ("sure", "likely", "impossible")


def player(request, i):
    """A seeded player of every role: proposals for the Game of 24, verdicts, plans, scores, steps with tools."""
    rng = random.Random(f"{request.messages} {i}")
    text = " ".join(m.content for m in request.messages)
    asked = request.messages[-1].content
    if "List up to eight" in text:
        numbers = asked.removeprefix("Numbers: ").split()
        a, b = rng.sample(numbers, 2) if len(numbers) > 1 else (numbers[0], "1")
        other = rng.sample(numbers, min(2, len(numbers)))
        return f"{a} + {b} = {_sum(a, b)}\n{other[0]} * {other[-1]} = {_product(other[0], other[-1])}"
    if "end with sure" in text:
        return f"try: {rng.choice(VERDICTS)}"
    if "Thought" in text or "Action" in text:
        what = rng.choice(["Search[Ada]", "Search[Dinant]", "Lookup[born]", "Finish[Dinant]", "Finish[Ada]"])
        return f"Thought: let me see {rng.randrange(9)}.\nAction: {what}"
    return f"{rng.choice(['0.3', '0.6', '0.7', '0.1', '0.2'])} because of {rng.randrange(9)}"


def _sum(a, b):
    from fractions import Fraction

    return Fraction(a) + Fraction(b)


def _product(a, b):
    from fractions import Fraction

    return Fraction(a) * Fraction(b)


def planner(request, i):
    rng = random.Random(f"{request.messages} {i}")
    words = " ".join(m.content for m in request.messages).lower()
    if "score" in words or "rate" in words or "0 to 1" in words:
        return f"Score: {rng.choice(['0.1', '0.2', '0.3', '0.6', '0.7'])}. Because."
    return f"1. Add {rng.randrange(50)}.\n2. Answer.\nAnswer: {rng.randrange(9)}"


CASES = {
    "tot-bfs": ("game24", "4 9 10 13", player, {"breadth": 3, "proposals": 3}),
    "tot-dfs": ("game24", "4 9 10 13", player, {"proposals": 3, "steps": 15}),
    "mcts-plan": ("gsm8k", "Ada has 3 apples and buys 4. How many?", planner, {"rollouts": 8, "values": 3}),
    "judged-plans": ("gsm8k", "Ada has 3 apples and buys 4. How many?", planner, {"plans": 5, "values": 3}),
    "react-best-first": ("hotpotqa", "Where was Sax born?", player, {"rounds": 5, "values": 3}),
    "itot-astar": ("hotpotqa", "Where was Sax born?", player, {"rounds": 5, "values": 3}),
    "itot-dstar": ("hotpotqa", "Where was Sax born?", player, {"rounds": 5, "values": 3, "failures": "0.3"}),
    "lats": ("hotpotqa", "Where was Sax born?", player, {"rollouts": 4, "values": 3}),
}


def tree(name):
    on, x, lm, knobs = CASES[name]
    the_task = task(on)
    models = {"default": Scripted(lm)} | ({"tool": the_task.tools} if on == "hotpotqa" else {})
    done = run(METHODS[name].search(the_task, the_task.problem(x).x, **knobs), models)
    assert not done.error
    kinds = [(e["kind"], [n["id"] for n in e["nodes"]]) for e in done.trace.events]
    return kinds, [node.id for node in done.best], done.answers


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_sums_that_are_off_by_an_ulp_give_the_same_tree(name, monkeypatch):
    straight = tree(name)
    assert len(straight[0]) > 5
    for seed in range(5):
        rng = random.Random(seed)

        def off(number, rng=rng):
            return math.nextafter(number, rng.choice((-math.inf, math.inf))) if math.isfinite(number) else number

        with monkeypatch.context() as patch:
            patch.setattr(ties, "fsum", lambda numbers, off=off: off(math.fsum(numbers)))
            patch.setattr(monte_carlo, "log", lambda x, off=off: off(math.log(x)))
            patch.setattr(monte_carlo, "sqrt", lambda x, off=off: off(math.sqrt(x)))
            assert tree(name) == straight
