"""Picking by a judge: the mean over all choices, what a chain tells of its way, and what the page says of it."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest

from studies.picking import FEW, MANY, NOISES, RESULTS, SAMPLES, SOLVERS, TRAINED, Told, picked, way
from studies.search_pays.players import about_numbers
from studies.trials import play
from tot import Problem, Scripted

X = "1 2 3 5"
HONEST = "2 + 1 = 3 (left: 3 3 5)\n3 + 5 = 8 (left: 3 8)\n3 * 8 = 24 (left: 24)\nAnswer: (2 + 1) * (3 + 5)"


def test_the_best_of_n_is_the_mean_over_all_choices_and_equal_scores_share():
    scores, worth = [0.1, 0.7, 0.7, 0.4, 0.9, 0.7], [1, 0, 1, 1, 0, 1]
    for n in range(1, 7):
        each = []
        for some in combinations(range(6), n):
            top = max(scores[i] for i in some)
            each.append(fmean(worth[i] for i in some if scores[i] == top))
        assert picked(scores, worth, n) == pytest.approx(fmean(each))


@pytest.mark.parametrize(
    ("chain", "told"),
    [
        (HONEST, ["3 3 5", "3 8"]),
        (HONEST.replace("2 + 1 = 3 (left: 3 3 5)", "2 + 1 = 4 (left: 4 6 1)"), ["4 6 1", "3 8"]),  # believed
        (HONEST.replace("(left: 24)", "(left: 25)"), None),
        ("2 + 1 = 3 (left: 3 3 5)\nAnswer: 24", None),
    ],
)
def test_a_chain_is_believed_step_by_step(chain, told):
    assert way(X, chain) == told


def test_dvts_keeps_what_the_judge_likes_though_a_step_was_false_and_the_verifier_is_not_fooled():
    """Every step is false. The judge finds "4 6" good and believes it."""
    steps = {X: "1 + 2 = 4 (left: 4 3 5)", "4 3 5": "3 + 5 = 6 (left: 4 6)", "4 6": "4 * 6 = 24 (left: 24)"}
    walker = Scripted(lambda request, i: steps[request.messages[-1].content.removeprefix("Numbers: ")])
    asked = []
    judge = about_numbers("judge", lambda numbers, dice: asked.append(numbers) or "sure")
    lms = {"generator": walker, "evaluator": judge}
    [run] = play([Problem(X, X)], "dvts", lms, task=Told(), subtrees=1, samples=2, values=1)
    assert run.result.best[0].value == 20 and not run.first
    assert {len(numbers) for numbers in asked} == {2, 3} and (Fraction(4), Fraction(6)) in asked


def test_the_results_say_what_chapter_20_says_of_picking():
    root = Path(__file__).parents[2]
    found = json.loads((root / RESULTS).read_text(encoding="utf-8"))
    assert len(found["rows"]) == found["tests"] == len(TRAINED) + 2 * len(SOLVERS) + 3 + len(NOISES)
    rows = {(row["picking"], row["judge"]): row for row in found["rows"]}
    solved = {
        key: dict(zip(row["n"], [share for share, *_ in row["solved"]], strict=True)) for key, row in rows.items()
    }
    least = found["one chain"][0]
    for (picking, judge), shares in solved.items():
        gap, p = rows[picking, judge]["gap"]["difference"][0], rows[picking, judge]["Holm"]
        hurts = judge.startswith("verifier, heavy") or judge == "verifier, normal noise of 2"
        assert (gap < 0) is hurts and p < 0.05
        assert gap == pytest.approx(shares[MANY] - shares[FEW], abs=0.01)
        if picking == "dvts":  # more helps, whoever judges
            assert min(shares) == SAMPLES and list(shares.values()) == sorted(shares.values())
        elif judge in TRAINED[1:]:
            assert list(shares.values()) == sorted(shares.values())
        if judge.startswith("verifier, heavy"):
            assert shares[MANY] < least < max(shares.values())
    weakest = solved["best of n", TRAINED[0]]
    assert max(weakest, key=weakest.__getitem__) == 32
    alike = ["16M", "verifier, normal noise of 1", "verifier, heavy noise of 0.5"]
    assert all(0.7 < rows["best of n", judge]["AUC"][0] < 0.77 for judge in alike)
    text = (root / "notebooks/20_every_strategy_on_one_board.py").read_text(encoding="utf-8")
    section = text.partition("# ## When picking harder hurts")[2].partition("# ## Tokens are not time")[0]
    said = [solved["best of n", judge][MANY] for judge in alike]
    said += [weakest[32], weakest[MANY], rows["best of n", "8M"]["believed"][-1], least, solved["dvts", "8M"][MANY]]
    assert all(f"{100 * share:.0f}%" in section for share in said), said
