"""The simulated study of table 3: its measurements by hand and against the search, and the file that it wrote."""

import json

import pytest

from studies import crosswords_simulated as study
from tot import solve

PUZZLES = study.TASK.problems("book")
BASE = study.Cell("ToT", "reference", 0.0)


def played(cell=BASE, seed=1, puzzle=4):
    method, knobs = study.METHODS[cell.method]
    return solve(study.TASK, PUZZLES[puzzle], method, lm=study.solver(cell, seed), **knobs)


def test_output_rules_against_the_search():
    """The first rule is what the method returns; "after n steps" is what a shorter search returns."""
    solution = played()
    found = study.measure(PUZZLES[4], solution)
    assert found["rules"]["first deepest"] == study.triple(solution.score)
    assert found["rules"]["best state"] == study.triple(solution.oracle)
    assert found["visited"] == len(solution.result.visited) == sum(found["pruned"]) + sum(found["entered"])
    for steps in (5, 20, 50):
        shorter = solve(study.TASK, PUZZLES[4], "tot-dfs", lm=study.solver(BASE, 1), steps=steps)
        assert found["after"][str(steps)] == study.triple(shorter.score)
    kept = {event["nodes"][0]["id"] for event in solution.trace.events if event["kind"] == "kept"}
    entered = max((node for node in solution.result.visited if node.id in kept), key=lambda node: node.depth)
    score = study.TASK.verify(PUZZLES[4], entered.state.answer)
    assert found["rules"]["first deepest, not pruned"] == study.triple(score)


def line(puzzle, seed, words, game=0.0, rule="first deepest"):
    return {"puzzle": puzzle, "seed": seed, "rules": {rule: [0.5, words, game], "best state": [0.5, words, game]}}


def test_figures_by_hand():
    a = [line("p", 0, 0.5), line("p", 1, 0.7), line("q", 0, 1.0, 1.0)]
    b = [line("q", 0, 0.8), line("p", 0, 0.3, 1.0), line("p", 1, 0.3)]
    found = study.aggregate(a)["rules"]["first deepest"]
    assert found["letters"] == [0.5, 0.5, 0.5] and found["words"][0] == 0.8  # puzzles weigh the same
    assert found["games"][0] == 0.5 and 0 <= found["games"][1] < found["games"][2] <= 1
    difference = study.against(a, b)
    assert difference["words"][0] == pytest.approx((0.3 + 0.2) / 2)
    assert [difference[f"games reached by {who}"] for who in ("the first alone", "the second alone", "both")] == [
        1,
        1,
        0,
    ]
    same = study.against(a, a)
    assert same["words"] == same["games"] == [0, 0, 0]
    other = [one | {"rules": one["rules"] | {"last": [0.5, 0.1, 0.0]}} for one in a]
    assert study.gap(other, other, study.FIRST, "last")["words"][0] == pytest.approx((0.5 + 0.9) / 2)
    low = study.share({"p": [0.0], "q": [0.0]})
    assert low[0] == low[1] == 0 and low[2] > 0.5  # two puzzles that were lost are no proof


@pytest.mark.slow
def test_the_file_is_what_the_study_writes():
    """The whole study takes minutes; here a few of its cells are computed again."""
    figures = json.loads(study.RESULTS.read_text(encoding="utf-8"))
    assert figures["SIMULATED"] and figures["reference"] == study.REFERENCE and figures["puzzles"] == len(PUZZLES)
    assert {dial: list(map(float, points)) for dial, points in figures["dials"].items()} == {
        dial: list(settings) for dial, settings in study.DIALS.items()
    }
    for name, written in (("- backtrack", figures["table"]["- backtrack"]), (study.FITS, figures[study.FITS])):
        cell = study.Cell(name, "reference", 0.0)
        lines = [study.play(cell, seed, problem) for seed in range(figures["seeds"]) for problem in PUZZLES]
        again = json.loads(json.dumps(study.aggregate(sorted(lines, key=lambda x: (x["puzzle"], x["seed"])))))
        assert written == again
    cell = study.Cell("IO", "know", 0.4)
    lines = [study.play(cell, seed, problem) for seed in range(figures["seeds"]) for problem in PUZZLES]
    written = figures["dials"]["know"]["0.4"]["IO"]["first deepest"]
    assert written == study.triples(lines, lambda line: line["rules"]["mean of samples"])
