"""Figures of the map, from the lines of its cells: what the chapters read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import numpy as np

from studies.figures import each, gap, share
from studies.search_pays.others import gpt4, recorded_model
from studies.search_pays.play import CHAINS, Cell
from studies.search_pays.players import COIN, ORACLE
from studies.search_pays.rivals import COSTS, Pool, as_one, characters_per_token, tokens
from studies.search_pays.runs import FINAL
from studies.search_pays.surface import Cells, bordered, error
from studies.search_pays.tables import tables
from tot.stats import pass_at_k, sign_flips

CASSETTE = Path("notebooks/cassettes/06.jsonl")  # whose model's tokens the characters of prompts are counted in
KS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100)
CHECKED = "best of k, checked"
RIVALS: dict[str, Callable[[Pool, int], list[float]]] = {CHECKED: Pool.best, "vote": Pool.vote}
AXES = ("reach", "one chain")  # what a generator is placed by
Line = dict[str, Any]


def figures(lines: Sequence[Line], names: Sequence[str], puzzles: int) -> Line:
    """All of it. ``names``: the players, from the weakest to the strongest."""
    rate = characters_per_token(CASSETTE)
    pools = {line["chains"]: Pool(line, rate) for line in lines if "chains" in line}
    united = {line["chains"]: Pool(as_one(line), rate) for line in lines if line.get("chains") in names[-3:]}
    measured = {line["player"]: line for line in lines if "player" in line}
    played = billed([{**line, "cell": asdict(Cell(**line["cell"]))} for line in lines if "cell" in line])
    found: Line = {
        "n": puzzles,
        "split": "hard",
        "date": time.strftime("%Y-%m-%d"),
        "characters per token": round(rate, 3),
        "players": {name: player(measured[name], pools[name]) for name in names},
        "cells": [cell(line, pools, rate) for line in played],
        "votes, right answers as one": {
            name: {str(k): each(pool.vote(k)) for k in KS} for name, pool in united.items()
        },
    }
    return concluded(found)


def concluded(found: Line) -> Line:
    """``found`` with all that follows from its players and cells: borders, the places of other models, tables."""
    found["borders"] = {
        f"{axis}, {replies}, {CHECKED}, {cost}": bordered(cells(found, axis, replies, cost))
        for axis, replies, cost in kinds()
    }
    big = gpt4()
    big["AUC on the players' states"] = placed(big["AUC"], found["players"])
    found["others"] = {"GPT-4 (the authors' log)": big, "the recorded 1.5B": recorded_model()}
    return found | {"tables": tables(found)}


def billed(played: Sequence[Line]) -> list[Line]:
    """Verdicts of programs cost no tokens. So that their rows are at no advantage, a search of a checkpoint that a
    program judges is billed like the same search with the finished model as judge.
    """
    keys = ("generator", "breadth", "proposals", "help", "believed")
    judged = {tuple(line["cell"][k] for k in keys): line for line in played if line["cell"]["judge"] == FINAL}
    found = []
    for line in played:
        like = judged.get(tuple(line["cell"][k] for k in keys))
        if line["cell"]["judge"] in (COIN, ORACLE) and like:
            line = line | {part: like[part] for part in ("written", "new", "read")}
        found.append(line)
    return found


def player(line: Line, pool: Pool) -> Line:
    """How good it is at each half, and what its chains are worth."""
    return {
        "weights": {line["player"]: line["weights"][line["player"]]},
        "generating": line["generating"],
        "judging": line["judging"],
        "own states": line["own states"],
        **worth(pool),
    }


def worth(pool: Pool) -> Line:
    """Of a generator's chains: one, the best of k and the vote of k; how much its puzzles differ."""
    counts = pool.right
    return {
        "one chain": each(c / pool.n for c in counts),
        "best of k": {str(k): each(pool.best(k)) for k in KS},
        "vote of k": {str(k): each(pool.vote(k)) for k in KS},
        "right of 100": counts,
        "tokens of a chain": round(pool.written, 1),
        "spread": round(spread(counts, pool.n), 3),
        "most frequent wrong answer": round(pool.rival, 3),
    }


def spread(counts: Sequence[int], k: int) -> float:
    """The correlation of two chains on one problem: 0 if all problems are alike. From the variance between them."""
    mean = fmean(counts) / k
    if not 0 < mean < 1:
        return 0.0
    between = pvariance([c / k for c in counts]) / (mean * (1 - mean))
    return max(0.0, (between - 1 / k) / (1 - 1 / k))


def cell(line: Line, pools: Mapping[str, Pool], rate: float) -> Line:
    """Success, cost, and the gain over each rival at equal cost (the generator's own chains)."""
    solved, spent = line["solved"], tokens(line, rate)
    found: Line = {**line["cell"], "rate": share(solved)}
    found |= {"solved": "".join(map(str, solved)), "tokens": {c: round(t) for c, t in spent.items()}}
    pool = pools.get(line["cell"]["generator"])
    if pool:
        chains = {cost: pool.affordable(cost, spent[cost]) for cost in COSTS}
        found["chains for it"] = chains
        found["rivals"] = {  # what the chains solve that the tokens written would buy
            rival: each(picked(pool, chains["written"])) for rival, picked in RIVALS.items()
        }
        found["gain"] = {
            rival: {cost: gap(solved, picked(pool, chains[cost])) for cost in COSTS} for rival, picked in RIVALS.items()
        }
        gaps = [round(a - b, 2) for a, b in zip(solved, pool.best(chains["written"]), strict=True)]
        found["p"] = round(sign_flips(gaps), 6)  # of the gain over checked chains; the test counts different sums
    return found


def kinds() -> list[tuple[str, int, str]]:
    """(axis, propose replies, cost) of the borders: both axes by tokens written, one by all costs."""
    found = [(axis, replies, "written") for axis in AXES for replies in (1, 3)]
    return found + [("one chain", replies, cost) for replies in (1, 3) for cost in COSTS[1:]]


def cells(found: Line, axis: str, replies: int, cost: str) -> Cells:
    """The cells of one surface: b = 1, with the program's help, every generator with every judge."""
    players, fixed = found["players"], {COIN: [0.5] * 3, ORACLE: [1.0] * 3}
    along, auc, tree, other = [], [], [], []
    for one in found["cells"]:
        usual = (one["breadth"], one["proposals"], one["help"], one["believed"]) == (1, replies, True, False)
        if usual and one["generator"] in players:  # a program has no chains
            generator, judge = players[one["generator"]], one["judge"]
            along.append(generator["generating"]["axis"] if axis == "reach" else generator["one chain"])
            auc.append(fixed.get(judge) or players[judge]["judging"]["axis"])
            tree.append([int(solved) for solved in one["solved"]])
            other.append([pass_at_k(CHAINS, right, one["chains for it"][cost]) for right in generator["right of 100"]])
    places = np.array([along, auc])[:, :, 0]
    errors = np.array([[error(place) for place in axis] for axis in (along, auc)])
    return Cells(*places, np.array(tree, dtype=float), np.array(other), errors)


def placed(own: float, players: Mapping[str, Line]) -> float:
    """The AUC on the states that all players judge, of a judge whose AUC on its own proposals is ``own``: as it is for
    players, between whom it lies.
    """
    known = sorted((p["own states"]["AUC"][0], p["judging"]["axis"][0]) for p in players.values())
    return round(float(np.interp(own, *zip(*known, strict=True))), 4)
