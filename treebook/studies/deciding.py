"""What chapter 16 decides by: the border between trees and checked chains, and who was ahead where nobody checks."""

from collections.abc import Sequence
from itertools import pairwise
from math import log

from .results import Figures

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
                self.unchecked[cell["proposals"]].append(place | {"gain": cell["gain"]["vote"]["written"]})
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
        led = [round(row["AUC"], 2) for row in self.unchecked[replies] if row["gain"][1] > 0]
        if who == "nobody" and auc >= min(led):
            return "alone"
        if who != "nobody" and auc > high:
            return "search"
        if reach > self.usual(replies, chain):
            return "lists"
        return "vote" if who == "nobody" else "level" if auc >= low else "chains"


def _between(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The height at x of a line through points, over a logarithmic axis; beyond an end, the height there."""
    points = [*zip(xs, ys, strict=True)]
    (a, low), (b, high) = next((two for two in pairwise(points) if x <= two[1][0]), points[-2:])
    return low + min(max(log(x / a) / log(b / a), 0.0), 1.0) * (high - low)
