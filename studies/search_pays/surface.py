"""Where the tree gains over sampling at equal cost: one surface fitted to all cells, and its border.

Axes: how good the generator is (a rate, as log-odds), and the judge's AUC. The success of the tree is fitted as a
logistic function of both, with squares and product, over all pairs of generator and judge, among them random verdicts
(AUC 0.5) and the perfect judge (AUC 1). So is that of the rival at the same cost. The border is where the two surfaces
cross.

The band has three errors: puzzles are drawn anew, the same ones for all cells and for both surfaces; so are the places
of the players on both axes, within the error of their measures; and so are the cells, since a surface of six numbers
misses some by more than luck and another choice of players would have given another one. Then both are fitted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS, LONGEST = 40, 3.0  # of Newton's method: how many, and how long at most
RIDGE = 1e-3  # on the coefficients, so that cells in which nobody ever wins do not drive them to infinity
PLACES = 33  # of the border
RATES = (1e-4, 1 - 1e-4)  # what lies outside has no finite log-odds worth drawing
AUCS = np.linspace(0.5, 1.0, 101)


def features(generator: Array, auc: Array) -> Array:
    """[cells, 6]: 1, generator, judge, their product, their squares; ``generator`` is a rate, taken as log-odds."""
    rate = np.clip(generator, *RATES)
    x, y = np.log(rate / (1 - rate)) / 3, 4 * auc - 3  # both within about -3 to 1, for the ridge's sake
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)


def fit(x: Array, rates: Array, n: int) -> Array:
    """Coefficients of a logistic regression on shares of n, by Newton's method with a small ridge."""
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        slope = n * x.T @ (rates - p) - RIDGE * n * w
        curve = (x * (n * p * (1 - p))[:, None]).T @ x + RIDGE * n * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w = w + step * min(1.0, LONGEST / float(np.abs(step).max() + 1e-12))
    return w


def predict(w: Array, generator: Array, auc: Array) -> Array:
    return 1 / (1 + np.exp(-features(generator, auc) @ w))


@dataclass
class Cells:
    """Cells of one kind: ``generator`` (a rate) and ``auc`` [cells]; ``tree`` and ``rival`` [cells, puzzles], success
    from 0 to 1. ``errors``: the standard errors of both axes [2, cells], in log-odds.
    """

    generator: Array
    auc: Array
    tree: Array
    rival: Array
    errors: Array | None = None

    def surfaces(self, dice: np.random.Generator | None = None) -> tuple[Array, Array]:
        """Coefficients for the tree and for the rival; with ``dice``, puzzles, places and cells are drawn anew."""
        axes = np.stack([self.generator, self.auc])
        cells, puzzles = (np.arange(n) for n in self.tree.shape)
        if dice is not None:
            cells, puzzles = (dice.integers(n, size=n) for n in self.tree.shape)
            if self.errors is not None:
                axes = np.stack([_moved(*one, dice) for one in zip(axes, self.errors, strict=True)])
        x, n = features(*axes[:, cells]), len(puzzles)
        tree, rival = (fit(x, y[cells][:, puzzles].mean(axis=1), n) for y in (self.tree, self.rival))
        return tree, rival


def error(place: Sequence[float]) -> float:
    """The standard error in log-odds of a rate with its 95 % interval, as (rate, low, high)."""
    low, high = np.clip(place[1:], *RATES)
    return float(np.log(high / (1 - high)) - np.log(low / (1 - low))) / (2 * 1.96)


def _moved(axis: Array, errors: Array, dice: np.random.Generator) -> Array:
    """Where the players could as well have been measured: one draw for each place on the axis."""
    places, at = np.unique(axis, return_inverse=True)
    inside = np.clip(axis, 1e-9, 1 - 1e-9)
    odds = np.log(inside / (1 - inside)) + errors * dice.standard_normal(len(places))[at]
    return 1 / (1 + np.exp(-odds))


def border(pair: tuple[Array, Array], generators: Sequence[float]) -> list[float]:
    """For each generator: the AUC from which on the tree is ahead; 0.5 if it always is, above 1 if it never is."""
    found = []
    for rate in generators:
        at = np.full_like(AUCS, rate)
        ahead = predict(pair[0], at, AUCS) - predict(pair[1], at, AUCS) > 0
        behind = np.nonzero(~ahead)[0]
        last = int(behind[-1]) + 1 if len(behind) else 0
        found.append(float(AUCS[last]) if last < len(AUCS) else 1.005)
    return found


def bordered(cells: Cells, times: int = 400) -> dict[str, Any]:
    """The border between the weakest and the strongest generator, with its 95 % band, and what the fits miss."""
    ends = np.clip([cells.generator.min(), cells.generator.max()], *RATES)
    low, high = np.log(ends / (1 - ends)).tolist()
    generators = (1 / (1 + np.exp(-np.linspace(low, high, PLACES)))).tolist()
    whole, dice = cells.surfaces(), np.random.default_rng(0)
    again = np.array([border(cells.surfaces(dice), generators) for _ in range(times)])
    misses = [predict(whole[0], cells.generator, cells.auc) - cells.tree.mean(axis=1)]
    misses += [predict(whole[1], cells.generator, cells.auc) - cells.rival.mean(axis=1)]
    return {
        "generator": [round(rate, 5) for rate in generators],
        "AUC": [round(a, 3) for a in border(whole, generators)],
        "low": [round(a, 3) for a in np.quantile(again, 0.025, axis=0).tolist()],
        "high": [round(a, 3) for a in np.quantile(again, 0.975, axis=0).tolist()],
        "mean miss": [round(float(np.abs(m).mean()), 4) for m in misses],
        "largest miss": [round(float(np.abs(m).max()), 4) for m in misses],
        "cells": len(cells.auc),
        "resamples": times,
    }
