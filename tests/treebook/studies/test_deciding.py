"""What chapter 16 tells a reader to do agrees with what was measured."""

from pathlib import Path
from statistics import fmean

import pytest

from treebook.studies import odds
from treebook.studies.deciding import WORDS, Decisions, guests, measured, own, told
from treebook.studies.results import area, load, rows

RESULTS = Path(__file__).parents[3] / "studies" / "results"
STUDY, ALONE, REAL = (load(RESULTS / f"{name}.json") for name in ("search_pays", "alone", "heart"))
NOW = Decisions(STUDY, ALONE)


def test_the_border_is_that_of_the_study():
    for replies in (1, 3):
        found = STUDY["borders"][f"one chain, {replies}, best of k, checked, written"]
        for i in (0, 10, 20, 32):
            y, low, high = NOW.at(replies, found["generator"][i])
            assert (low, high) == pytest.approx((found["low"][i], found["high"][i]))
            assert y == pytest.approx(found["AUC"][i] if found["AUC"][i] <= 1 else 2)
    ends = NOW.borders[3]["x"][0], NOW.borders[3]["x"][-1]
    assert NOW.at(3, ends[0] / 9) == NOW.at(3, ends[0]) and NOW.at(3, 9 * ends[1]) == NOW.at(3, ends[1])


@pytest.mark.parametrize("table, replies", [("map, 1 reply", 1), ("map, 3 replies", 3)])
def test_no_pair_is_told_what_its_own_result_contradicts(table, replies):
    """Where the tree clearly lost nobody is told to search, and where it clearly gained nobody to leave it."""
    said = {}
    for row in STUDY["tables"][table]:
        where = row["one chain"], "program", replies, row["reach"], row["AUC"]
        if row["p"] < 0.05:
            said.setdefault(row["gain"][0] > 0, set()).add(NOW.decide(*where))
    assert "search" not in said[False] and "chains" not in said[True] and "search" in said[True]


def test_the_real_players_that_the_map_is_wrong_about_are_told_to_play_both():
    for p in guests(STUDY, REAL):
        for who in ("program", "nobody")[: 2 if p["replies"] == 3 else 1]:
            assert NOW.decide(p["one chain"], who, p["replies"], p["reach"], p["AUC"]) == "lists"
        tree, chains, *_ = p["rates"].values()
        assert tree.low > chains.rate and tree.n == chains.n
        assert "" not in told(p["name"], **p).link and "ahead" in told(p["name"], **p).rule
    gpt4 = next(guests(STUDY, REAL))
    assert area(*NOW.at(1, gpt4["one chain"])) == "0.94 [0.86, never]"


def test_the_panel_has_words_for_all_that_is_decided_and_the_plainest_for_other_players():
    cases = [*WORDS][:6]
    assert {NOW.decide(x, w, n, reach, y) for x in (0.0002, 0.2) for y in (0.5, 0.8, 1.0) for n in (1, 3)
            for w in ("program", "nobody") for reach in (0.3, 0.99)} == {*cases}  # fmt: skip
    assert "24M" in told("24M", {}, name="24M", reach=0.8, lead="behind").where and WORDS["player"]["link"] == ["", ""]


def test_the_calculator_misses_by_what_chapter_16_says():
    far = {1: [], 3: []}
    for row in STUDY["tables"]["predictable"]:
        if row["kept"] == 1:
            guess = odds.tree(3, row["candidates"], row["reach"], row["AUC"], spread=0.15)
            far[row["replies"]].append(abs(guess - fmean(map(int, row["solved"][1::2]))))
    assert {n: round(100 * fmean(misses)) for n, misses in far.items()} == {1: 4, 3: 9}


def test_each_player_and_each_case_has_the_rates_of_the_study():
    found = {p["name"]: p for p in own(STUDY)}
    assert [*found] == ["8M", "12M", "16M", "24M", "32M", "finished"] and found["24M"]["lead"] == "ahead"
    often, *_ = STUDY["tables"]["decision"]
    tree, chains = found["finished"]["rates"].values()
    assert (tree.rate, round(chains.rate, 4)) == (often["tree"][0], often["rival's rate"][0])
    told = measured(rows(ALONE, "decision"))
    assert [*told] == ["tree, 32M", "vote of 64 chains", "tree, finished", "vote of 58 chains"]


def test_where_nobody_checks_the_tree_is_advised_to_those_whose_trees_led():
    for cell in ALONE["hard"]["cells"]:
        if cell["breadth"] == 1:
            p = STUDY["players"][cell["generator"]]
            place = p["one chain"][0], "nobody", cell["proposals"], 0.0, round(p["judging"]["axis"][0], 2)
            assert NOW.decide(*place) == ("alone" if cell["gain"]["vote"]["written"][1] > 0 else "vote")
