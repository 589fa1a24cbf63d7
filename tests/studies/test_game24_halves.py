"""The nine searches of chapter 6: what their programs do is known by hand; the stored rows agree with each other."""

import json

import pytest

from studies import game24_halves as study
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, programs
from tot.tasks.game24 import Game24


@pytest.fixture(scope="module")
def stored():
    return json.loads(study.RESULTS.read_text(encoding="utf-8"))


def test_a_perfect_judge_over_all_steps_solves_every_puzzle_and_the_blind_ones_fail_at_a_step():
    players, puzzles = programs(), Game24().problems("hard")[:3]
    perfect = study.cell(ALL_STEPS, ORACLE, 1, 1, players, puzzles)
    assert perfect["solved"] == "111" and perfect["lost at"] == {} and perfect["tokens written"] == 0
    blind = study.cell(RANDOM_STEPS, COIN, 1, 1, players, puzzles)
    assert blind["solved"].count("0") == sum(blind["lost at"].values())


def test_the_stored_file_has_every_half_with_every_other(stored):
    cells = {(c["steps"], c["verdicts"], c["breadth"], c["replies"]): c for c in stored["cells"]}
    assert {(s, v, b, 1) for s in study.STEPS for v in study.VERDICTS for b in study.BREADTHS} <= set(cells)
    for cell in stored["cells"]:
        solved = cell["solved"].count("1")
        assert len(cell["solved"]) == stored["n"] and cell["rate"][0] == solved / stored["n"]
        assert sum(cell["lost at"].values()) == stored["n"] - solved


def test_rows_that_another_study_has_too_are_the_same_searches(stored):
    pays = json.loads((study.RESULTS.parent / "search_pays.json").read_text(encoding="utf-8"))
    keys = ("generator", "judge", "breadth", "proposals")
    plain = [c for c in pays["cells"] if c["help"] and not c["believed"]]
    theirs = {tuple(study.MODEL if c[k] == "final" else c[k] for k in keys): c["solved"] for c in plain}
    mine = {(c["steps"], c["verdicts"], c["breadth"], c["replies"]): c["solved"] for c in stored["cells"]}
    both = set(mine) & set(theirs)
    assert len(both) >= 14
    assert {key: mine[key] for key in both} == {key: theirs[key] for key in both}


def test_the_recorded_model_is_measured_from_its_cassette(stored):
    again = study.recorded()
    assert again == stored["recorded model"]
    assert all(low <= rate <= high for rate, low, high in again["AUC"].values())
