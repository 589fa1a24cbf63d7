"""The question tasks of Planning with MCTS: bundled problems, all planning methods, public files."""

import pytest
from tables import bars

from tot import Scripted, solve, task

NAMES = bars("addsub|multiarith|svamp|singleeq|commonsenseqa|last_letters|object_tracking|count_letters")


@pytest.mark.parametrize("name", NAMES)
def test_the_bundled_problems_are_known_and_their_answers_right(name):
    each = task(name)
    problems = each.problems("book")
    assert len({p.x for p in problems}) == len(problems) >= 40
    for problem in problems:
        assert each.problem(problem.x) == problem and each.verify(problem, problem.gold).correct


@pytest.mark.parametrize("name", NAMES)
def test_the_right_answer_is_found_by_every_planning_method(name):
    each = task(name)
    problem = each.problems("book")[3]

    def says(request, i):
        text = request.messages[0].content
        if "Write a" in text:
            return f"Plan: step {i}, {len(text)}"
        if "best choice" in text:
            return "The best choice is 1"
        return "Score: 0.5\nFine." if "Score: N" in text else f"By the plan. The answer is {problem.gold}."

    for method in ("zero-shot-cot", "plan-and-solve", "judged-plans", "mcts-plan", "tot-vote"):
        solution = solve(each, problem, method, lm=Scripted(says))
        assert solution.correct == (method != "tot-vote" or solution.answer is not None)
        assert solution.answer and each.same(solution.answer) == each.same(problem.gold)


@pytest.mark.parametrize("between", ["\n", " ", "\n\n"])
@pytest.mark.parametrize("remark", ["Needs one step more.", "Should subtract 22 first.", "Could be 2 steps.", "Fine."])
def test_a_score_stands_whatever_its_remark_begins_with(between, remark):
    assert task("gsm8k").read_assessment(f"Score: 0.3{between}{remark}").value.score == 0.3
