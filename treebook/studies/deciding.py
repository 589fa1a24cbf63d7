"""What chapter 16 decides by: the border between trees and checked chains, the players, and who was ahead of whom."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

from tot.stats import Interval

from ..figures.centrefold import Case
from .results import Figures, interval, rows, search_of

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
AXIS = {1: "axis", 3: "axis, 3 replies"}  # replies a state -> the key of a player's reach


class Decisions:
    """Read from ``search_pays`` and ``alone``. ``borders``, by replies a state: lists under "x" (how often one chain is
    right), "y" (the judge's AUC; 2: not even a perfect one), "low" and "high". ``unchecked``, by replies: a row for
    each player that kept one state and was checked by nobody, with its gain on a vote.
    """

    def __init__(self, study: Figures, alone: Figures) -> None:
        self.borders = {}
        for replies in AXIS:
            found = study["borders"][f"one chain, {replies}, best of k, checked, written"]
            heights = [y if y <= 1 else 2 for y in found["AUC"]]
            self.borders[replies] = {"x": found["generator"], "y": heights} | found
        self.unchecked: dict[int, list[Figures]] = {replies: [] for replies in AXIS}
        for cell in alone["hard"]["cells"]:
            if cell["breadth"] == 1:
                p = study["players"][cell["generator"]]
                place = {"one chain": p["one chain"][0], "AUC": p["judging"]["axis"][0]}
                gain = interval(cell["gain"]["vote"]["written"], alone["n"])
                self.unchecked[cell["proposals"]].append(place | {"gain": gain})
        self.players = study["players"].values()

    def at(self, replies: int, chain: float) -> tuple[float, float, float]:
        """The border for chains that are right so often: AUC, and the ends of its band."""
        border = self.borders[replies]
        y, low, high = (_between(chain, border["x"], border[key]) for key in ("y", "low", "high"))
        return y, low, high

    def usual(self, replies: int, chain: float) -> float:
        """The reach that players of the map whose chains are right so often have at most (the end of its interval)."""
        points = [(p["one chain"][0], p["generating"][AXIS[replies]][2]) for p in self.players]
        return _between(chain, *zip(*points, strict=True))

    def decide(self, chain: float, who: str, replies: int, reach: float, auc: float) -> str:
        """Which case holds. With a program that checks: "search" above the border's band, "level" within, "chains"
        below; with nobody: "alone" if a tree with no better a judge led, else "vote". Except for "search" and "alone"
        it is "lists" where the reach is better than usual for such chains.
        """
        _, low, high = self.at(replies, chain)
        led = [round(row["AUC"], 2) for row in self.unchecked[replies] if row["gain"].low > 0]
        if who == "nobody" and auc >= min(led):
            return "alone"
        if who != "nobody" and auc > high:
            return "search"
        if reach > self.usual(replies, chain):
            return "lists"
        return "vote" if who == "nobody" else "level" if auc >= low else "chains"


def called(player: str) -> str:
    """The name of a player of ``search_pays`` in the text."""
    return "finished" if player == "final" else player


def own(study: Figures) -> Iterator[Figures]:
    """The players of ``search_pays``, each in both parts, as ``guests`` has them; with the "lead" of their tree."""
    for row in rows(study, "map, 3 replies"):
        if row["judge"] == (name := row["generator"]):
            cell = search_of(study, name, name, proposals=3)
            chains = interval(cell["rivals"]["best of k, checked"], study["n"])
            rates = {"tree": row["tree"], f"best of {cell['chains for it']['written']} chains": chains}
            reach = study["players"][name]["generating"][AXIS[3]][0]
            lead = "no lead shows" if row["p"] >= 0.05 else "ahead" if row["gain"].rate > 0 else "behind"
            yield row | {"name": called(name), "reach": reach, "replies": 3, "rates": rates, "lead": lead}


def guests(study: Figures, real: Figures) -> Iterator[Figures]:
    """GPT-4 and the recorded model of ``heart``: where they are on the map, their "reach" with their "replies" a state,
    and the "rates" of their tree and their chains, that of a checked end first.
    """
    gpt4, m, both = next(iter(study["others"].values())), real["measured"][-1], real["sets"]["both"]
    n, names = gpt4["n"], {"tree": "tree", "best of 100 chains": "rival's rate"}
    rates = {name: interval(gpt4[key], n) for name, key in names.items()}
    place = {"one chain": gpt4["one chain"], "AUC": gpt4["AUC on the players' states"], "reach": gpt4["reach"]}
    yield place | {"name": "GPT-4", "replies": 1, "rates": rates}
    place, k = {key: m[key][0] for key in ("one chain", "AUC", "reach")}, both["k"]
    names = {"tree": "tree, end checked", f"best of {k} chains": "best of k chains, end checked"}
    names |= {"tree, end unchecked": "tree", f"vote of {k} chains": "vote of k chains"}
    rates = {name: interval(both["rates"][key], m["n"]) for name, key in names.items()}
    yield place | {"name": "Qwen 1.5B", "replies": 3, "rates": rates}


def measured(decided: Iterable[Figures]) -> dict[str, Interval]:
    """The rates of rows of a table "decision": of each one's tree and its rival."""
    found = {}
    for row in decided:
        judge = "" if row["judge"] == row["generator"] else f", judged by {called(row['judge'])}"
        kind = "vote" if row["rival"] == "vote" else "best"
        found[f"tree, {called(row['generator'])}{judge}"] = row["tree"]
        found[f"{kind} of {row['chains']} chains"] = row["rival's rate"]
    return found


def told(who: str, rates: Mapping[str, Interval], **about: Any) -> Case:
    """What the panel says of a case or a player: the words of ``deciding.toml``, filled in with what is known of it."""
    words = WORDS.get(who, WORDS["player"])
    where, rule, why = (words[key].format(**about) for key in ("where", "rule", "why"))
    return Case(where, rule, why, rates, "", tuple(words["link"]))


def _between(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The height at x of a line through points, over a logarithmic axis; beyond an end, the height there."""
    points = [*zip(xs, ys, strict=True)]
    (a, low), (b, high) = next((two for two in pairwise(points) if x <= two[1][0]), points[-2:])
    return low + min(max(log(x / a) / log(b / a), 0.0), 1.0) * (high - low)
