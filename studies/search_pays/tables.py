"""The tables of the chapter "When does search pay?", made of the map's figures. An interval is [rate, low, high]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from studies.figures import holm
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE
from studies.search_pays.runs import FINAL
from treebook.studies.results import search_of

Row = dict[str, Any]
CHECKED, VOTE = "best of k, checked", "vote"


class Figures:
    """Looks rows up in the figures of ``report``."""

    def __init__(self, figures: Mapping[str, Any]) -> None:
        self.players: dict[str, Any] = figures["players"]
        self.cells: Sequence[Row] = figures["cells"]
        self.borders: dict[str, Any] = figures.get("borders", {})
        self.auc = {name: p["judging"]["axis"][0] for name, p in self.players.items()} | {COIN: 0.5, ORACLE: 1.0}

    def search(self, generator: str, judge: str, **how: Any) -> Row:
        """The row of one search; ``how`` differs from: one state kept, one reply, all of the program's help."""
        return search_of({"cells": self.cells}, generator, judge, **how)


def tables(figures: Mapping[str, Any]) -> dict[str, list[Row]]:
    f = Figures(figures)
    return {
        "decision": decision(f),
        "by generator": by_generator(f),
        "map, 1 reply": points(f, 1),
        "map, 3 replies": points(f, 3),
        "illegal steps": illegal(f),
        "all steps": listed(f),
        "costs": costs(f),
        "predictable": predictable(f),
        "breadth or replies": breadth_or_replies(f),
    }


def decision(f: Figures) -> list[Row]:
    """Three cases where a program checks: a search with three replies a state, and what its tokens buy in chains."""
    three = {"proposals": 3}
    return rows_of(
        f,
        {
            "chains are often right": (f.search(FINAL, FINAL, **three), CHECKED),
            "chains are hardly ever right": (f.search("24M", FINAL, **three), CHECKED),
            "a poor judge": (f.search(FINAL, "12M", **three), CHECKED),
        },
    )


def unchecked(f: Figures) -> list[Row]:
    """Two more cases, where nobody checks; of the results of ``alone``."""
    alone = {name: f.search(name, name, help=False, proposals=3) for name in ("32M", FINAL)}
    return rows_of(
        f,
        {
            "nobody checks, a good judge": (alone["32M"], VOTE),
            "nobody checks, an excellent judge": (alone[FINAL], VOTE),
        },
    )


def rows_of(f: Figures, cases: Mapping[str, tuple[Row, str]]) -> list[Row]:
    """A search of each case beside its rival."""
    return [
        {
            "case": case,
            "chains": row["chains for it"]["written"],
            "rival": rival,
            "rival's rate": row["rivals"][rival],
            "tree": row["rate"],
            "gain": row["gain"][rival]["written"],
            "generator": row["generator"],
            "judge": row["judge"],
            "one chain": f.players[row["generator"]]["one chain"][0],
            "AUC": f.auc[row["judge"]],
        }
        for case, (row, rival) in cases.items()
    ]


def by_generator(f: Figures) -> list[Row]:
    """Every generator with the finished model as judge, three replies a state."""
    rows = []
    for name, player in f.players.items():
        row = f.search(name, FINAL, proposals=3)
        shares = {"best of k": row["rivals"][CHECKED], "vote of k": row["rivals"][VOTE]}
        k = row["chains for it"]["written"]
        rows.append({"generator": name, "one chain": player["one chain"][0], "k": k, "tree": row["rate"], **shares})
    return rows


def points(f: Figures, replies: int) -> list[Row]:
    """Every pair of generator and judge: their places, and the tree's gain over checked chains. "p": by the exact test,
    and for all pairs together (Holm).
    """
    pairs = [
        c
        for c in f.cells
        if (c["breadth"], c["proposals"], c["help"]) == (1, replies, True)
        and not c["believed"]
        and c["generator"] in f.players
    ]
    return [
        {
            "generator": c["generator"],
            "judge": c["judge"],
            "one chain": f.players[c["generator"]]["one chain"][0],
            "reach": f.players[c["generator"]]["generating"]["axis"][0],
            "AUC": f.auc[c["judge"]],
            "tree": c["rate"],
            "gain": c["gain"][CHECKED]["written"],
            "p": round(p, 4),
        }
        for c, p in zip(pairs, holm([c["p"] for c in pairs]), strict=True)
    ]


def nobody(f: Figures) -> list[Row]:
    """One model in both roles, without any help, against a vote of its chains."""
    rows = []
    for name, b, p in ((FINAL, 1, 1), (FINAL, 1, 3), (FINAL, 5, 1), ("32M", 1, 3), ("24M", 1, 3)):
        row = f.search(name, name, help=False, breadth=b, proposals=p)
        found = {"player": name, "kept": b, "replies": p, "tree": row["rate"], "k": row["chains for it"]["written"]}
        rows.append({**found, "vote of k": row["rivals"][VOTE], "tree's gain": row["gain"][VOTE]["written"]})
    return rows


def illegal(f: Figures) -> list[Row]:
    """Illegal steps refused or believed; three replies, the finished model judges."""
    rows = []
    for name in list(f.players)[1:]:
        refused, believed = (f.search(name, FINAL, proposals=3, believed=b) for b in (False, True))
        gain = believed["gain"][CHECKED]["written"]
        found = {"generator": name, "refused": refused["rate"], "believed": believed["rate"]}
        rows.append({**found, "gain on chains, believed": gain})
    return rows


def listed(f: Figures) -> list[Row]:
    """A program lists all legal steps, or the finished model proposes three times."""
    rows = []
    for judge in f.players:
        row: Row = {"judge": judge, "AUC": round(f.auc[judge], 2)}
        for label, found in (
            ("all steps", f.search(ALL_STEPS, judge)),
            ("3 replies", f.search(FINAL, judge, proposals=3)),
        ):
            row |= {label: found["rate"], f"tokens, {label}": found["tokens"]["written"]}
        rows.append(row)
    return rows


def costs(f: Figures) -> list[Row]:
    """The border (three replies, against checked chains) where cost is counted in three ways."""
    rows = []
    for cost in ("written", "cached", "whole"):
        border, row = f.borders[f"one chain, 3, {CHECKED}, {cost}"], {"cost": cost}
        for at in (16, 24, 32):
            share = f"{border['generator'][at]:.1%}"
            row[f"one chain {share}"] = [border[key][at] for key in ("AUC", "low", "high")]
        one = f.search(FINAL, FINAL, proposals=3)
        rows.append({**row, "k, finished model": one["chains for it"][cost]})
    return rows


def predictable(f: Figures) -> list[Row]:
    """Every search of checkpoints with a program's help, with what ``treebook.studies.odds`` needs to predict it."""
    rows = []
    for c in f.cells:
        usual = c["help"] and not c["believed"] and c["generator"] in f.players
        kind = {
            1: ("different legal steps in a reply", "axis"),
            3: ("different legal steps in three", "axis, 3 replies"),
        }
        if usual and c["proposals"] in kind:
            steps, axis = kind[c["proposals"]]
            found = f.players[c["generator"]]["generating"]
            row = {"generator": c["generator"], "judge": c["judge"], "kept": c["breadth"], "replies": c["proposals"]}
            row |= {"candidates": max(1, round(fmean(found[size][steps] for size in "432")))}
            row |= {"reach": found[axis][0], "AUC": f.auc[c["judge"]]}
            rows.append({**row, "tree": c["rate"], "solved": c["solved"]})
    return rows


def breadth_or_replies(f: Figures) -> list[Row]:
    """One model in both roles: five states with a reply each, or one state with three."""
    rows = []
    for name in f.players:
        row: Row = {"player": name}
        for label, how in (("5 states", {"breadth": 5}), ("3 replies", {"proposals": 3})):
            found = f.search(name, name, **how)
            row |= {label: found["rate"], f"tokens, {label}": found["tokens"]["written"]}
            row |= {f"solved, {label}": found["solved"]}
        rows.append(row)
    return rows
