"""The map of when search pays: its players, counts and surfaces, against brute force and planted truths."""

import json
from itertools import combinations
from math import isclose
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tot
from studies import shepherd
from studies.search_pays import __main__ as search_pays
from studies.search_pays import alone, measure
from studies.search_pays.alone import PLAYERS as OWN
from studies.search_pays.packing import SHIPPED, unpack
from studies.search_pays.play import Cell, common, play, reading
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, programs
from studies.search_pays.report import placed
from studies.search_pays.rivals import Pool
from studies.search_pays.runs import FINAL, UNFINISHED
from studies.search_pays.surface import border, features, fit, predict
from studies.search_pays.tables import Figures as Map
from studies.search_pays.tables import tables, unchecked
from studies.trials import GAME, Remembering
from tot.stats import paired, pass_at_k, sign_flips
from tot.tasks.game24 import left
from tot.tasks.game24_rules import moves, solvable
from treebook.players import Pocket
from treebook.studies.results import search_of

RESULTS = Path("studies/results/search_pays.json")
PUZZLES = GAME.problems("hard")[:6]


def test_what_chapter_16_counts_of_them():
    """The best of k follows from the right chains; what is read as well changes the sign of no search's lead."""
    study = json.loads(RESULTS.read_text(encoding="utf-8"))
    player = study["players"]["final"]
    for k, found in player["best of k"].items():
        assert fmean(pass_at_k(100, c, int(k)) for c in player["right of 100"]) == pytest.approx(found[0], abs=1e-4)
    for breadth, proposals in ((1, 1), (5, 1), (1, 3), (1, 5)):
        cell = search_of(study, "final", "final", breadth=breadth, proposals=proposals)
        gains = cell["gain"]["best of k, checked"].values()
        assert len({(low > 0) - (high < 0) for _, low, high in gains}) == 1


def test_the_programs_say_what_they_are_called():
    players = programs()
    state = tot.State("4 9 10 13")
    propose, value = GAME.propose(state, "one-shot"), GAME.value(state)
    every = {read.value.text for read in GAME.read_proposals(state, players[ALL_STEPS]([propose])[0].texts[0])}
    assert every == {str(step) for step in moves(left(state))}
    random = [read.value.text for read in GAME.read_proposals(state, players[RANDOM_STEPS]([propose])[0].texts[0])]
    assert len(random) == len(set(random)) == 8 and set(random) < every
    assert players[ORACLE]([value])[0].texts == ("sure",)
    assert players[ORACLE]([GAME.value(tot.State("1 1 1 1"))])[0].texts == ("impossible",)
    said = players[COIN]([value.samples(0, 300)])[0].texts
    assert all(70 < said.count(word) < 130 for word in ("sure", "likely", "impossible"))


def test_reading_counts_each_sample_and_what_is_new():
    run = tot.solve(GAME, PUZZLES[0], "tot-bfs", lm=programs()[RANDOM_STEPS], breadth=1, values=2)
    prompts, whole = [], 0
    for event in run.trace.events:
        for request in event.get("requests", ()) if event["kind"] == "asked" else ():
            prompts.append("".join(m["role"] + m["content"] for m in request["messages"]))
            whole += len(prompts[-1]) * len(request["samples"])
    new = sum(len(p) - max((common(p, q) for q in prompts[:i]), default=0) for i, p in enumerate(prompts))
    assert reading(run) == (whole, new) and 0 < new < whole


def line(answers, right):
    n = len(answers)
    return {"answers": answers, "right": right, "written": [40] * n, "new": [230] * n, "read": [0] * n}


def test_a_pool_of_chains_is_worth_what_all_subsets_say():
    answers, right = [[0, 1, 1, 2, 0, 0], [3, 3, 3, 3, 3, 5]], [[0], [5]]
    pool = Pool(line(answers, right), rate=2.3)
    for k in (1, 2, 4):
        for i, said in enumerate(answers):
            subsets = list(combinations(said, k))
            assert isclose(pool.best(k)[i], fmean(any(a in right[i] for a in s) for s in subsets))
    assert pool.vote(6) == [1.0, 0.0] and pool.one() == [0.5, 1 / 6]
    assert abs(pool.vote(1)[0] - 0.5) < 0.25
    assert pool.rival == pytest.approx((2 / 3 + 1) / 2)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_auc_counts_pairs(living, dead):
    pairs = fmean((a > b) + (a == b) / 2 for a in living for b in dead)
    assert isclose(measure.auc(living, dead), pairs)


def test_perfect_and_blind_players_measure_as_such():
    states, players = measure.pool(GAME.problems("hard")[:12]), programs()
    perfect, coin = measure.judging(players[ORACLE], states), measure.judging(players[COIN], states)
    assert perfect["axis"] == [1.0, 1.0, 1.0] and perfect["3"]["false impossible"][0] == 0
    assert coin["axis"][1] < 0.5 < coin["axis"][2]
    listing = measure.generating(players[ALL_STEPS], states)
    assert listing["axis"][0] == listing["axis, 3 replies"][0] == 1.0 and listing["4"]["legal lines"][0] == 1.0
    lucky = fmean(fmean(solvable(s.left) for s in moves(left(x))) for _, x in states[4][True])
    assert listing["4"]["a line keeps 24 in reach"][0] == pytest.approx(lucky, abs=1e-4)


def test_the_fit_finds_a_planted_surface_and_its_border():
    truth = np.array([0.5, 1.2, 1.0, 0.5, -0.2, 0.1])
    reach, auc = (grid.ravel() for grid in np.meshgrid(np.linspace(0.2, 0.95, 6), np.linspace(0.5, 1, 8)))
    rates = predict(truth, reach, auc)
    found = fit(features(reach, auc), rates, 5000)
    assert np.abs(predict(found, reach, auc) - rates).max() < 0.01
    flat = np.zeros(6)  # a rival that always solves half: ahead where the truth is above one half
    [at] = border((truth, flat), [0.6])
    assert predict(truth, np.array([0.6]), np.array([at + 0.01]))[0] > 0.5
    assert predict(truth, np.array([0.6]), np.array([at - 0.02]))[0] < 0.5
    higher = np.array([1.0, 0, 0, 0, 0, 0])
    assert border((-higher, flat), [0.5]) == [1.005] and border((higher, flat), [0.5]) == [0.5]


@pytest.fixture(scope="module")
def stored():
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def test_the_shipped_models_are_the_ones_that_played(stored, tmp_path):
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 6e6
    for name in UNFINISHED:
        lm = Pocket(weights=unpack(SHIPPED / f"after_{name}.npz", tmp_path / "w.safetensors"))
        assert stored["players"][name]["weights"][name] == lm.weights[:12]
    assert stored["players"][FINAL]["weights"][FINAL] == Pocket().weights[:12]


def test_a_stored_cell_is_played_again(stored, tmp_path):
    """The first puzzles of three cells, live: the stored outcomes come out again."""
    weak = Remembering(Pocket(weights=unpack(SHIPPED / "after_24M.npz", tmp_path / "w.safetensors"), name="24M"))
    players = {**programs(), "24M": weak, FINAL: Remembering(Pocket(name=FINAL))}
    for cell in (Cell(FINAL, FINAL), Cell("24M", FINAL), Cell(FINAL, "24M")):
        [found] = [c for c in stored["cells"] if Cell(**{k: c[k] for k in Cell.__dataclass_fields__}) == cell]
        again = play(cell, players, PUZZLES[:4])["solved"]
        assert sum(a != int(b) for a, b in zip(again, found["solved"], strict=False)) <= 1  # a processor may round


def test_the_counts_of_the_maps_are_exact_tests_together(stored):
    """Recomputed from outcomes and chains: 48 pairs a map, Holm's p below 0.05."""
    for replies, counts in ((3, (17, 10)), (1, (2, 14))):
        rows = stored["tables"][f"map, {replies} repl{'y' if replies == 1 else 'ies'}"]
        clear = [row["gain"][0] > 0 for row in rows if row["p"] < 0.05]
        assert (sum(clear), len(clear) - sum(clear)) == counts and len(rows) == 48
    pairs = [c for c in stored["cells"] if "p" in c and c["generator"] == c["judge"] == "24M"]
    for c in pairs[:3]:
        right, k = stored["players"]["24M"]["right of 100"], c["chains for it"]["written"]
        gaps = [int(s) - pass_at_k(100, n, k) for s, n in zip(c["solved"], right, strict=True)]
        assert c["p"] == pytest.approx(sign_flips(round(x, 2) for x in gaps), abs=1e-6)


def test_gpt4_lies_below_the_band_on_the_axis_of_the_players(stored):
    gpt4 = stored["others"]["GPT-4 (the authors' log)"]
    place = gpt4["AUC on the players' states"]
    assert place == placed(gpt4["AUC"], stored["players"]) and 0.82 < place < 0.84 < gpt4["AUC"]
    border = stored["borders"]["one chain, 1, best of k, checked, written"]
    at = min(range(len(border["low"])), key=lambda i: abs(border["generator"][i] - gpt4["one chain"]))
    assert place < border["low"][at]


def test_stored_tables_are_made_of_the_stored_figures(stored):
    assert tables(stored) == stored["tables"]


def test_a_trial_of_few_puzzles_or_other_weights_is_no_part_of_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(alone, "jobs", lambda: [("hard", "rule", "24M", "chains")])
    monkeypatch.setattr(alone, "play_one", lambda job, weights, puzzles: {"job": list(job)})
    monkeypatch.setattr(alone, "players", lambda weights: {"24M": weights.name})
    lines = tmp_path / "lines.jsonl"
    for _ in range(2):
        assert alone.played(tmp_path / "a", lines, 0, 5)
    with pytest.raises(SystemExit, match="other n"):
        alone.played(tmp_path / "a", lines, 0)
    with pytest.raises(SystemExit, match="other weights"):
        alone.played(tmp_path / "b", lines, 0, 5)


@pytest.mark.parametrize("study, makes", [(search_pays, "played"), (shepherd, "labelled")])
def test_a_trial_does_not_write_over_the_books_figures(study, makes, tmp_path, monkeypatch):
    book, other, made = tmp_path / "book.json", tmp_path / "other.json", []
    monkeypatch.setattr(study, "RESULTS", book)
    monkeypatch.setattr(study, makes, lambda *given: [[]])
    monkeypatch.setattr(study, "figures", lambda *given: made.append(given) or {"made": 1})
    for more in (["--puzzles", "4"], ["--puzzles", "4", "--out" if study is search_pays else "--results", str(other)]):
        monkeypatch.setattr("sys.argv", ["study", *more])
        study.main()
    assert other.exists() and not book.exists() and len(made) == 1


def test_who_judges_the_end_decides_where_nobody_checks(stored):
    """The headlines of chapters 6 and 16: trees without help, whose last number nobody, a program, the model judges."""
    own = json.loads(Path("studies/results/alone.json").read_text(encoding="utf-8"))

    def found(rows, help=False, player=FINAL):
        wanted = {"generator": player, "judge": player, "help": help, "believed": False}
        picked = [row for row in rows if wanted.items() <= row.items()]
        by = {(row["breadth"], row["proposals"]): row for row in picked}
        return [by[shape] for shape in ((1, 1), (1, 3), (5, 1))]

    def solved(rows, **how):
        return [list(map(int, row["solved"])) for row in found(rows, **how)]

    hard = own["hard"]
    assert list(map(sum, solved(stored["cells"]))) == [34, 60, 15]
    assert list(map(sum, solved(hard["rule"]))) == [52, 84, 30]
    assert list(map(sum, solved(hard["cells"]))) == [55, 88, 41]
    helped = zip(solved(stored["cells"], help=True), solved(hard["cells"]), strict=True)
    assert [paired(*pair).p < 0.001 for pair in helped] == [False, False, True]
    for row in found(hard["cells"]):  # the lead over the vote, and its interval
        assert row["gain"]["vote"]["written"][0] == pytest.approx(row["rate"][0] - row["rivals"]["vote"][0], abs=2e-4)
    ahead = {name: [c["gain"]["vote"]["written"][1] > 0 for c in found(hard["cells"], player=name)] for name in OWN}
    assert ahead == {FINAL: [True, True, False], "32M": [False, True, False], "24M": [False, True, False]}
    assert own["hard"]["players"][FINAL]["right of 100"] == stored["players"][FINAL]["right of 100"]  # the same chains
    assert unchecked(Map(own["hard"])) == own["tables"]["decision"]
    # the paid check of chapter 16: how many checked chains solve what this tree solves, and what one check may cost
    deep, player = found(hard["cells"])[1], stored["players"][FINAL]
    rates = [0.0, *(fmean(pass_at_k(100, c, k) for c in player["right of 100"]) for k in range(1, 101))]

    def paid(rate):
        k = next(k for k, solved in enumerate(rates) if solved >= rate)
        drawn = sum(1 - solved for solved in rates[:k])  # one by one, until the first is right
        return [(round(n), round(deep["tokens"]["written"] / n / player["tokens of a chain"] - 1)) for n in (drawn, k)]

    rate, low, high = deep["rate"]
    assert [paid(rate), paid(low)] == [[(15, 3), (56, 0)], [(10, 5), (26, 1)]] and rates[-1] < high
