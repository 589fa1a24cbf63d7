"""The second look on fresh puzzles: its figures follow from its outcomes, and its outcomes come out again."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from studies import fresh as study
from studies.figures import share
from studies.held_out import fresh
from studies.search_pays.play import Cell, play
from tot.stats import pass_at_k
from treebook.studies.results import search_of


@pytest.fixture(scope="module")
def stored():
    return json.loads(Path(study.RESULTS).read_text(encoding="utf-8"))


def test_all_was_played_by_what_is_shipped(stored):
    assert stored["weights"] == study.weights() and stored["n"] == len(fresh()) == 100
    played = {Cell(**{k: c[k] for k in Cell.__dataclass_fields__}) for c in stored["cells"]}
    assert played == {job for job in study.jobs().values() if isinstance(job, Cell)}
    assert set(stored["players"]) == set(study.PLAYERS) and set(stored["taught"]) == set(study.TAUGHT)


def test_rates_and_leads_are_those_of_the_outcomes(stored):
    for cell in stored["cells"]:
        solved = [int(x) for x in cell["solved"]]
        assert len(solved) == 100 and cell["rate"] == share(solved)
        if "gain" in cell:
            right, k = stored["players"][cell["generator"]]["right of 100"], cell["chains for it"]["written"]
            lead = fmean(solved) - fmean(pass_at_k(100, n, k) for n in right)
            assert cell["gain"]["best of k, checked"]["written"][0] == pytest.approx(lead, abs=1e-4)
    for player in stored["players"].values():
        assert player["one chain"][0] == pytest.approx(sum(player["right of 100"]) / 1e4, abs=1e-4)
    tree = search_of(stored, "final", "final", proposals=3)
    assert "".join(map(str, stored["pocket"]["trees"]["b = 1, three replies"]["solved"])) == tree["solved"]
    for player in stored["taught"].values():
        assert player["CoT"]["rate"][0] == pytest.approx(sum(player["CoT"]["right"]) / 4000, abs=1e-4)
        assert player["narrow ToT"]["rate"] == share(player["narrow ToT"]["solved"])
    assert len(stored["measured"]["stream"]["depth-first"]["right"]) == 100


def test_the_first_puzzles_come_out_again(stored):
    for cell in (Cell("final", "final"), Cell("24M", "final", proposals=3)):
        again = play(cell, study.players(), fresh()[:3])["solved"]
        found = search_of(stored, cell.generator, cell.judge, proposals=cell.proposals)["solved"]
        assert sum(a != int(b) for a, b in zip(again, found, strict=False)) <= 1  # a processor may round


def test_the_chapters_sentences_about_both_hundreds(stored):
    """Chapter 6: every verdict is the same, but five kept lead without help. Chapter 16: every box holds."""
    pays, own = (
        json.loads(Path(f"studies/results/{name}.json").read_text("utf-8")) for name in ("search_pays", "alone")
    )
    both = {True: (pays, stored), False: (own["hard"], own["fresh"])}

    def told(generator, judge, rival, **how):
        gains = [search_of(study, generator, judge, **how)["gain"][rival]["written"] for study in both[how["help"]]]
        return tuple((low > 0) - (high < 0) for _, low, high in gains)

    contests = [
        ({"breadth": b, "proposals": p, "help": help_}, rival)
        for b, p in study.SHAPED
        for help_, rival in ((True, "vote"), (True, "best of k, checked"), (False, "vote"))
    ]
    found = [(how, told("final", "final", rival, **how)) for how, rival in contests]
    changed = [(how, signs) for how, signs in found if len(set(signs)) > 1]
    assert changed == [({"breadth": 5, "proposals": 1, "help": False}, (0, 1))]
    for how, rival in contests:  # "counting prompts changes none of the nine comparisons"
        gains = search_of(both[how["help"]][0], "final", "final", **how)["gain"][rival].values()
        assert len({(low > 0) - (high < 0) for _, low, high in gains}) == 1
    leads = {"chains are often right": 0, "chains are hardly ever right": 1, "a poor judge": -1}
    for row in [*pays["tables"]["decision"], *own["tables"]["decision"]]:
        how = {"proposals": 3, "help": not row["case"].startswith("nobody")}
        lead = leads.get(row["case"], 1)  # where nobody checks both judges lead
        assert told(row["generator"], row["judge"], row["rival"], **how) == (lead, lead)
    for how, *rates in (("narrow ToT", 0.27, 0.59), ("best of the chains", 0.19, 0.78)):  # chapter 18
        assert [stored["taught"][who][how]["rate"][0] for who in ("novice", "pupil")] == rates
