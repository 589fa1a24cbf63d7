"""Three samples against one distribution: the judges on a few states, and the stored file against itself."""

import json
from pathlib import Path

import pytest

from studies import verdicts as study
from studies.repeated import least_to_show
from studies.search_pays.measure import pool
from studies.trials import GAME
from treebook.players import Pocket


@pytest.fixture(scope="module")
def stored():
    return json.loads(study.RESULTS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def heard():
    states = pool(GAME.problems("hard")[:2])
    places = [place for size in (3, 2) for alive in (True, False) for place in states[size][alive]]
    return {name: judge(Pocket(), places) for name, judge in study.JUDGES.items()}


def test_the_likeliest_reply_is_the_same_whether_its_probabilities_are_told_or_not(heard):
    words, chances = heard[study.GREEDY], heard[study.CHANCES]
    assert [one[1] for one in chances] == [one[0] for one in words] and [c[2] for c in chances] == [w[2] for w in words]
    assert any(abs(c[0] - w[0]) > 1e-4 for c, w in zip(chances, words, strict=True))


def test_the_stored_rates_are_those_of_the_stored_trials(stored):
    assert study.compared(stored["trials"]) == {**stored["searches"]}
    assert set(stored["trials"]) == set(study.SEARCHES) == set(stored["searches"])
    trials = next(iter(stored["trials"].values()))
    assert least_to_show(trials) == stored["shows"]
    assert all(len(trial["solved"]) == stored["n"] for trials in stored["trials"].values() for trial in trials)
    assert stored["searches"][next(iter(study.SEARCHES))]["gap"] == [0.0, 0.0, 0.0]


def test_the_manual_has_the_stored_figures(stored):
    page = " ".join((Path(__file__).parents[2] / "book/manual/verdicts.md").read_text(encoding="utf-8").split())
    for name in ("three samples, b=5", "probabilities, b=5"):
        row = stored["searches"][name]
        rate, low, high = (f"{100 * x:.0f}" for x in row["rate"])
        assert f"{rate}% [{low}, {high}] and write {row['tokens written']:,}" in page
    assert stored["date"] in page
