"""Figures of the map, from the lines of its cells: what the chapters read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import numpy as np

from studies.figures import each, gap, share
from studies.search_pays.others import gpt4, recorded_model
from studies.search_pays.play import Cell
from studies.search_pays.players import COIN, ORACLE
from studies.search_pays.rivals import COSTS, Pool, characters_per_token, tokens
from studies.search_pays.runs import FINAL
from studies.search_pays.surface import Cells, bordered
from studies.search_pays.tables import tables

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
    measured = {line["player"]: line for line in lines if "player" in line}
    played = billed([{**line, "cell": asdict(Cell(**line["cell"]))} for line in lines if "cell" in line])
    found: Line = {
        "n": puzzles,
        "split": "hard",
        "date": time.strftime("%Y-%m-%d"),
        "characters per token": round(rate, 3),
        "players": {name: player(measured[name], pools[name]) for name in names},
        "cells": [cell(line, pools, rate) for line in played],
        "borders": {", ".join(kind): bordered(cells(played, pools, measured, rate, *kind)) for kind in kinds()},
        "others": {"GPT-4 (the authors' log)": gpt4(), "the recorded 1.5B": recorded_model()},
    }
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
    counts = pool.right
    return {
        "weights": {line["player"]: line["weights"][line["player"]]},
        "generating": line["generating"],
        "judging": line["judging"],
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
    return found


def kinds() -> list[tuple[str, str, str, str]]:
    """(axis, propose replies, rival, cost) of the borders: every rival by tokens written, the check by all costs."""
    found = [(axis, replies, rival, "written") for axis in AXES for replies in ("1", "3") for rival in RIVALS]
    return found + [("one chain", replies, CHECKED, cost) for replies in ("1", "3") for cost in COSTS[1:]]


def cells(
    played: Iterable[Line],
    pools: Mapping[str, Pool],
    measured: Mapping[str, Line],
    rate: float,
    axis: str,
    replies: str,
    rival: str,
    cost: str,
) -> Cells:
    """The cells of one surface: b = 1, with the program's help, every generator with every judge."""
    along, auc, tree, other = [], [], [], []
    fixed = {COIN: 0.5, ORACLE: 1.0}
    for line in played:
        what = line["cell"]
        if what["breadth"] != 1 or str(what["proposals"]) != replies or not what["help"] or what["believed"]:
            continue
        if what["generator"] not in pools:
            continue  # a program, which has no chains
        pool = pools[what["generator"]]
        reach = measured[what["generator"]]["generating"]["axis"][0]
        along.append(reach if axis == "reach" else fmean(pool.one()))
        judge = what["judge"]
        auc.append(fixed[judge] if judge in fixed else measured[judge]["judging"]["axis"][0])
        tree.append(line["solved"])
        other.append(RIVALS[rival](pool, pool.affordable(cost, tokens(line, rate)[cost])))
    return Cells(np.array(along), np.array(auc), np.array(tree, dtype=float), np.array(other))
