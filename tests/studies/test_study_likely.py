"""Searches that the model's own probabilities guide: the study on two puzzles, the stored file against itself."""

import json
from statistics import fmean

import pytest

from studies import likely as study
from studies.repeated import least_to_show, repeated, row
from studies.trials import GAME
from treebook.players import Pocket

SHORT = "Levin, 10 expansions"


@pytest.fixture(scope="module")
def stored():
    return json.loads(study.RESULTS.read_text(encoding="utf-8"))


def test_the_first_puzzles_are_played_as_they_were(stored, tmp_path):
    """All methods draw samples of a puzzle by its place, so that a part of the study is a part of the file."""
    some = {name: study.METHODS[name] for name in ("likely beam, b=5", SHORT)}
    played = repeated(Pocket(), some, GAME.problems("hard")[:3], 1, tmp_path / "lines.jsonl", study.more)
    for name, [figures] in played.items():
        old = stored["trials"][name][0]
        assert set(figures) == set(old)
        assert [figures[each] for each in ("solved", "checked")] == [old[each][:3] for each in ("solved", "checked")]


def test_the_stored_rates_are_those_of_the_stored_trials(stored):
    trials, found = stored["trials"], stored["compared"]
    assert row(trials["CoT"], trials[study.TREE]) == found["solved"]["CoT"]
    for count in ("solved", "checked"):
        rates = {name: fmean(int(c) for trial in played for c in trial[count]) for name, played in trials.items()}
        assert {name: row["rate"][0] for name, row in found[count].items()} == pytest.approx(rates)
    told = {"Levin, 100 expansions": (0.64, 1978), "ToT, b=5": (0.61, 2635), "40 chains": (0.88, 1776)}  # chapter 19
    for name, (rate, tokens) in told.items():
        spent = fmean(n for trial in trials[name] for n in trial["tokens written"])
        assert (round(found["checked"][name]["rate"][0], 2), round(spent)) == (rate, tokens)
    assert least_to_show(stored["trials"][study.TREE]) == stored["shows"]
    assert set(stored["trials"]) == set(study.METHODS) and stored["n"] == 100
    for trials in stored["trials"].values():
        assert all(len(trial[each]) == stored["n"] for trial in trials for each in trial)


def test_no_right_answer_took_more_expansions_than_its_bound(stored):
    for name, trials in stored["trials"].items():
        limit = study.METHODS[name][1].get("expansions")
        for trial in trials if limit else ():
            plays = list(zip(trial["expansions"], trial["bound"], trial["solved"], strict=True))
            assert all(made <= limit for made, _, _ in plays)
            assert all(made <= bound * (1 + 1e-6) + 0.05 for made, bound, solved in plays if solved == "1")
