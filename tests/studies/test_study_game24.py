"""The study's own measurements: at which step, and why, a chain or a tree lost 24. By hand, on scripted players."""

import pytest

from studies import game24 as study
from tot import Scripted, solve

X = "4 9 10 13"
GOOD = "13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\nAnswer: "


@pytest.mark.parametrize(
    ("chain", "step"),
    [
        (GOOD + "4 * (10 - (13 - 9))", 0),
        (GOOD + "4 * 6", 4),  # the steps are right, the answer is not
        (GOOD.replace("10 - 4 = 6 (left: 4 6)", "4 * 4 = 16 (left: 10 16)"), 2),  # 24 is out of reach
        (GOOD.replace("4 * 6 = 24 (left: 24)", "4 + 6 = 10 (left: 10)"), 3),
        (GOOD.replace("13 - 9 = 4 (left: 4 4 10)", "13 - 9 = 5 (left: 4 5 10)"), 1),  # wrong arithmetic
        ("", 1),
    ],
)
def test_the_step_at_which_a_chain_fails(chain, step):
    assert study.chain_fails_at(X, chain) == step


def player(steps, verdict):
    def answer(request, i):
        question = request.messages[-1].content
        return steps.get(question, verdict if question[0] != "N" else "nothing")

    return Scripted(answer)


FIRST, SECOND, THIRD = f"Numbers: {X}", "Numbers: 4 4 10", "Numbers: 4 6"
STEPS = {FIRST: "13 - 9 = 4\n9 * 13 = 117", SECOND: "10 - 4 = 6", THIRD: "4 * 6 = 24"}


@pytest.mark.parametrize(
    ("changes", "verdicts", "outcome"),
    [
        ({}, {}, (0, "")),
        ({FIRST: "9 * 13 = 117"}, {}, (1, "not proposed")),
        ({FIRST: "9 * 13 = 117\n13 - 9 = 5"}, {}, (1, "slip")),
        ({SECOND: "4 + 4 = 8"}, {}, (2, "not proposed")),
        ({}, {"4 4 10": "impossible", "4 10 117": "sure"}, (1, "judged impossible")),
        ({}, {"4 4 10": "likely", "4 10 117": "sure"}, (1, "not kept")),
        ({THIRD: "4 + 6 = 10"}, {}, (3, "not proposed")),
    ],
)
def test_the_step_and_the_cause_of_a_lost_search(changes, verdicts, outcome):
    lm = player({"4 10 117": "impossible", **STEPS, **changes, **verdicts}, "sure")
    assert study.tree_fails_at(solve("game24", X, "tot-bfs", lm=lm, breadth=1)) == outcome


def test_legal_lines_by_numbers_left_and_a_reply_of_only_slips_counts():
    lm = player({**STEPS, FIRST: "13 - 9 = 4\n13 - 9 = 5", SECOND: "4 + 4 = 9"}, "sure")
    solutions = [solve("game24", X, "tot-bfs", lm=lm, breadth=1)]
    assert [study.legality(solutions, [size]) for size in (4, 3)] == [[0.5] * 3, [0.0] * 3]
    assert study.legality(solutions, [2]) is None
