"""Siblings graded in one call: the families are as promised, and the figures follow from the lines of the results."""

import json
from fractions import Fraction
from itertools import permutations
from operator import add, mul, sub
from pathlib import Path

import pytest

from studies import siblings
from tot import Scripted
from tot.tasks.game24 import shown_left

RESULTS = Path("studies/results/siblings.json")


def makes_24(numbers):
    """By trying all ways, without the package's rules."""
    if len(numbers) == 1:
        return numbers[0] == 24
    for a, b, *rest in permutations(numbers):
        results = [add(a, b), sub(a, b), mul(a, b), *([a / b] if b else [])]
        if any(makes_24([c, *rest]) for c in results):
            return True
    return False


def test_families_have_living_and_dead_siblings_and_no_state_twice():
    found = siblings.families(8)
    for i, family in enumerate(found):
        texts = [shown_left(state) for state in family]
        assert len(set(texts)) == len(texts) == 6 and {len(text.split()) for text in texts} == {3 - i % 2}
        living = sum(makes_24([*map(Fraction, text.split())]) for text in texts)
        assert 1 <= living <= 3 and len({state.x for state in family}) == 1
    assert [len(siblings.families(n)) for n in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize("reply, agrees", [("1. sure\n2. impossible\n3. likely\n6. hm", 3 / 6), ("sure", 0)])
def test_what_is_unread_agrees_with_nothing(reply, agrees):
    def says(request, i):
        return reply if request.messages[-1].content.startswith("1. ") else "sure"

    family = siblings.families(1)[0]
    line = siblings.graded(family, Scripted(says))
    line["solvable"] = [1, 0, 1, 1, 1, 1]
    assert sum(siblings.agree(line, "in one call")) / 6 == agrees
    assert sum(siblings.agree(line, "one by one")) == 5


def test_the_results_are_those_of_the_lines_and_the_oracle_is_right():
    told = json.loads(RESULTS.read_text(encoding="utf-8"))
    lines = told["lines"]
    again = json.loads(json.dumps(siblings.figures(lines)))
    assert {name: told[name] for name in again} == again
    assert [line["left"] for line in lines] == [
        [shown_left(state) for state in family] for family in siblings.families(len(lines))
    ]
    for line in lines:
        assert line["solvable"] == [int(makes_24([*map(Fraction, text.split())])) for text in line["left"]]
    assert told["model"] and told["dates"] and len(told["weights_sha256"]) == 64
    one, together = told["one by one"], told["in one call"]
    assert 4.5 < one["read a state"] / together["read a state"] < 5.5, "study_game24: a fifth of the tokens"
    _, low, high = told["in one call minus one by one, by family"]["difference"]
    assert low < 0 < high and max(one["agreement"][0], together["agreement"][0]) < 1 - told["solvable"] / told["states"]
