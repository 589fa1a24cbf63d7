"""Searches that the model's own probabilities guide: the study on two puzzles, the stored file against itself."""

import json
from statistics import fmean

import pytest

from studies import likely as study
from studies.search_pays.play import GAME
from studies.verdicts import least_to_show
from treebook.players import Pocket

SHORT = "Levin, 10 expansions"


@pytest.fixture(scope="module")
def stored():
    return json.loads(study.RESULTS.read_text(encoding="utf-8"))


def test_a_study_that_was_stopped_goes_on(tmp_path, monkeypatch):
    problems, out = GAME.problems("hard")[:2], tmp_path / "likely.json"
    monkeypatch.setattr(study, "METHODS", {name: study.METHODS[name] for name in (study.TREE, SHORT)})
    monkeypatch.setattr(study, "compared", lambda played: sorted(played))  # the stored file's is looked at below
    whole = study.study(Pocket(), problems, 2, out)
    again = json.loads(out.read_text(encoding="utf-8"))
    again["trials"] = {study.TREE: again["trials"][study.TREE][:1]}
    out.write_text(json.dumps(again), encoding="utf-8")
    assert study.study(Pocket(), problems, 2, out) == whole
    with pytest.raises(ValueError, match="is about other weights or puzzles"):
        study.study(Pocket(), problems[:1], 2, out)


def test_the_first_puzzles_are_played_as_they_were(stored):
    """All methods draw samples of a puzzle by its place, so that a part of the study is a part of the file."""
    problems = GAME.problems("hard")[:3]
    for name in ("likely beam, b=5", SHORT):
        figures, old = study.play(Pocket(), name, 0, problems), stored["trials"][name][0]
        assert [figures[each] for each in ("solved", "checked")] == [old[each][:3] for each in ("solved", "checked")]


@pytest.mark.slow
def test_all_stored_figures_are_those_of_the_stored_trials(stored):
    assert study.compared(stored["trials"]) == stored["compared"]


def test_the_stored_rates_are_those_of_the_stored_trials(stored):
    trials, found = stored["trials"], stored["compared"]
    assert study.row(trials[study.LEVIN], "solved", trials[study.TREE]) == found["solved"][study.LEVIN]
    for count in ("solved", "checked"):
        rates = {name: fmean(int(c) for trial in played for c in trial[count]) for name, played in trials.items()}
        assert {name: row["rate"][0] for name, row in found[count].items()} == pytest.approx(rates)
    assert least_to_show(stored["trials"][study.TREE]) == stored["shows"]
    assert set(stored["trials"]) == set(study.METHODS) and stored["n"] == 100
    for trials in stored["trials"].values():
        assert all(len(trial[each]) == stored["n"] for trial in trials for each in trial)


def test_no_right_answer_took_more_expansions_than_its_bound(stored):
    assert stored["compared"]["bounds"] and all(not one["broken"] for one in stored["compared"]["bounds"].values())
    for name, trials in stored["trials"].items():
        limit = study.METHODS[name][1].get("expansions")
        assert limit is None or all(made <= limit for trial in trials for made in trial["expansions"])
