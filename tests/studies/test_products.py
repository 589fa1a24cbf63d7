"""Where products live: the splits, what chains are worth one by one, the value from which a tree pays, the results."""

import json
import re
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from studies import products
from studies.figures import holm
from studies.held_out import board
from studies.products import KS, LEAST, MOST, WORDS, offers, power, turn
from studies.search_pays.rivals import Pool
from studies.words.problems import held_out_problems

ROOT = Path(__file__).parents[2]
FOUND = json.loads((ROOT / "studies" / "results" / "products.json").read_text(encoding="utf-8"))


def pool_of(answers):
    """Chains whose right answer is number 0."""
    line = {
        "answers": answers,
        "right": [[0]] * len(answers),
        "written": [100] * len(answers),
        "new": [0] * len(answers),
    }
    return Pool(line, 1.0)


@pytest.mark.slow
def test_no_problem_is_sealed_or_was_played_before():
    assert not {p.x for p in products.problems("final")} & {p.x for p in board()}
    words = products.problems(WORDS)
    assert len({p.x for p in words}) == len(words) > 500
    assert not {p.x for p in words} & {story.question for story in held_out_problems()}


def test_chains_one_by_one_cost_what_a_simulation_says(monkeypatch):
    monkeypatch.setattr(products, "KS", (1, 3, 6))
    pool, dice = pool_of([[0, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1], [1] * 6]), Random(0)
    found, read = offers(pool, [0.0] * 3, checked=True), 100 / 6
    for k, (solved, cost) in found.items():
        for i, right in enumerate((1, 3, 0)):
            drawn, hit = [], []
            for _ in range(4000):
                order = dice.sample([True] * right + [False] * (6 - right), k)
                drawn.append(order.index(True) + 1 if True in order else k)
                hit.append(True in order)
            assert cost[i] / read == pytest.approx(fmean(drawn), abs=0.1) and solved[i] == pytest.approx(
                fmean(hit), abs=0.03
            )
    assert [cost for _, cost in offers(pool, [0.0] * 3, checked=False).values()] == [
        pytest.approx([read * k] * 3) for k in (1, 3, 6)
    ]


def test_the_results_follow_from_what_stands_in_them():
    cells = FOUND["cells"]
    assert FOUND["power"] == power() and all(LEAST <= cell["n"] <= MOST for cell in cells)
    assert [cell["Holm"] for cell in cells] == pytest.approx(holm([c["tree minus"][c["rival"]]["p"] for c in cells]))
    for cell in cells:
        assert cell["rival"] == ("vote of k" if cell["player"] == WORDS else "best of k")
        for rival, test in cell["tree minus"].items():
            assert test["difference"][0] == pytest.approx(cell["tree"][0] - cell[rival][0], abs=2e-4)
        kind, tree = ("vote of" if cell["player"] == WORDS else "best of"), cell["bill of the tree"]["tokens"]
        rivals = {k: ([cell[kind][str(k)]], [cell["bills of chains"][str(k)]]) for k in KS}
        again, [told, low, high] = turn(([cell["tree"][0]], [tree]), rivals), cell["turn"]["tokens"]
        assert told is None if again == float("inf") else told == pytest.approx(again, rel=0.03, abs=60)
        assert (low or 1e99) <= (told or 1e99) <= (high or 1e99)
    for name in {cell["player"] for cell in cells}:
        rates = [cell["one chain"][0] for cell in cells if cell["player"] == name]
        assert rates == sorted(rates) and rates[-1] > 0.6


def test_what_chapter_16_says_of_them():
    text = (ROOT / "notebooks" / "16_what_does_it_cost.py").read_text(encoding="utf-8").replace("\n# ", " ")
    games, sums = ([cell for cell in FOUND["cells"] if cell["player"] == name] for name in ("final", WORDS))
    assert all(cell["turn"]["tokens"][0] is None and cell["tree"][0] <= cell["best of k"][0] for cell in games)
    clear = [cell["Holm"] < 0.05 for cell in sums]
    leads = [cell["tree minus"]["vote of k"]["difference"][0] for cell in sums]
    assert clear == [True, True, False, False, False, True] and min(leads[:2]) > 0 > leads[-1]
    for cell in sums[:2]:
        turns = [round(tokens / cell["tokens of a chain"]) for tokens in cell["turn"]["tokens"]]
        assert re.search(r"\b{}( chains)? \[{}, {}\]".format(*turns), text)
        assert 0.004 < cell["turn"]["tokens"][0] * 2e-6 < 0.0065  # dollars: about half a cent
