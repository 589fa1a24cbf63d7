"""Trees that begin again: independent samples, one root, and an end as soon as an answer passes the check."""

import pytest
from word_steps import Letters

import tot
from tot import Budget, Scripted
from tot.lm.base import as_lm


class Luck:
    """Proposes one letter for each sample: the right next one from sample ``right`` on, else the last of them."""

    def __init__(self, right):
        self.right, self.asked = right, []

    def __call__(self, request, i):
        x, so_far, asked = request.messages[-1].content.split("\n\n")
        done = [] if "nothing" in so_far else so_far.removeprefix("So far:\n").split("\n")
        self.asked.append(("judge" if "sure" in asked else "propose", i))
        if "sure" in asked:
            return "likely"
        left = sorted({*x.split()} - {*done})
        return left[0] if i >= self.right else left[-1]


@pytest.mark.parametrize(("values", "right", "trees"), [(1, 0, 1), (1, 2, 3), (3, 2, 2), (3, 7, 4)])
def test_it_ends_with_the_first_tree_whose_answer_passes(values, right, trees):
    luck = Luck(right)
    solution = tot.solve(Letters(), "c a b", "restarts", lm=Scripted(luck), values=values)
    assert solution.correct and solution.result.stopped == "until"
    children = [n for n in solution.trace.nodes().values() if n["parent"] == "0"]
    assert len(children) == trees and len(solution.trace.nodes()) == 1 + 3 * trees
    own = max(values, 1)  # tree t has samples t * own ..., and never one of another's
    assert {i for kind, i in luck.asked if kind == "propose"} == {t * own for t in range(trees)}
    assert {i for kind, i in luck.asked if kind == "judge"} == set(range(trees * values))


def test_each_tree_is_the_narrow_search_with_other_samples():
    luck = Luck(99)
    whole = tot.solve(Letters(), "c a b", "restarts", lm=Scripted(luck), trees=3, first=5)
    apart = [
        tot.solve(Letters(), "c a b", "tot-bfs", lm=Scripted(Luck(99)), breadth=1, first=5 + 3 * t) for t in range(3)
    ]
    calls = [each.result.ledger.total.calls for each in apart]
    assert whole.result.ledger.total.calls == sum(calls) and whole.result.stopped == "done" and not whole.correct
    assert min(i for _, i in luck.asked) == 5 and whole.answer == apart[-1].answer


def test_a_budget_ends_it_and_a_task_without_a_free_check_is_refused():
    small = tot.solve(Letters(), "c a b", "restarts", lm=Scripted(Luck(99)), budget=Budget(calls=8))
    assert small.result.stopped == "calls" and small.result.ledger.total.calls <= 8
    for task in ("crosswords", "gsm8k"):
        with pytest.raises(ValueError, match=f"{task} does not provide what restarts needs"):
            tot.solve(
                task, tot.task(task).problems(next(iter(tot.task(task).splits())))[0], "restarts", lm=Scripted([])
            )


@pytest.mark.treebook
def test_beginning_again_solves_what_one_narrow_tree_does_not():
    game, pocket = tot.task("game24"), as_lm("pocket")
    narrow = tot.solve(game, "1 2 6 13", "tot-bfs", lm=pocket, breadth=1)
    assert not narrow.correct and tot.solve(game, "1 2 6 13", "restarts", lm=pocket).correct
