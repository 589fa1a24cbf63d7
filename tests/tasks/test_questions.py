"""The question tasks of Planning with MCTS: bundled problems, all planning methods, public files."""

import re
from collections import Counter
from itertools import groupby

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
        return "Score: 0.5\nFine." if "Score: N" in text else f"By the plan. The answer is {problem.gold}."

    for method in ("zero-shot-cot", "plan-and-solve", "judged-plans", "mcts-plan", "tot-vote"):
        solution = solve(each, problem, method, lm=Scripted(lambda r, i: says(r, i) + " The best choice is 1"))
        assert solution.correct == (method != "tot-vote" or solution.answer is not None)
        assert solution.answer and each.same(solution.answer) == each.same(problem.gold)


def test_the_commonsense_questions_are_balanced_and_distinct():
    problems = task("commonsenseqa").problems("book")
    golds = [p.gold for p in problems]
    assert len(problems) == 40 and Counter(golds) == dict.fromkeys("ABCDE", 8)
    assert max(len(list(run)) for _, run in groupby(golds)) == 1
    for problem in problems:
        question, listed = problem.x.split("\nChoices: ")
        options = re.split(r" ?\([A-E]\) ", listed)[1:]
        assert question[-1] == "?" and len(options) == len(set(options)) == 5 and all(options)
    lengths = [len(options_of(p)[p.gold]) / max(map(len, options_of(p).values())) for p in problems]
    assert sum(length == 1 for length in lengths) <= 16  # the right choice is not given away by being the longest


def options_of(problem):
    return dict(re.findall(r"\(([A-E])\) (.+?)(?= \([A-E]\) |$)", problem.x))
