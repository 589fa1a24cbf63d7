"""Where the tree gains over sampling at equal cost: one surface fitted to all cells, and its border.

Axes: how good the generator is (a rate, as log-odds), and the judge's AUC. The success of the tree is fitted as a
logistic function of both, with squares and product, over all pairs of generator and judge, among them random verdicts
(AUC 0.5) and the perfect judge (AUC 1). So is that of the rival at the same cost. The border is where the two surfaces
cross.

Paired: puzzles are drawn anew, the same ones for all cells and for both surfaces, and both are fitted again. The
players' own measures are held fixed.
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
    from 0 to 1.
    """

    generator: Array
    auc: Array
    tree: Array
    rival: Array

    def surfaces(self, drawn: NDArray[np.int64] | None = None) -> tuple[Array, Array]:
        """Coefficients for the tree and for the rival, on all puzzles or on those drawn."""
        at: Any = slice(None) if drawn is None else drawn
        x, n = features(self.generator, self.auc), self.tree.shape[1]
        return fit(x, self.tree[:, at].mean(axis=1), n), fit(x, self.rival[:, at].mean(axis=1), n)

    def drawn(self, times: int, seed: int = 0) -> list[tuple[Array, Array]]:
        """Both surfaces for puzzles that were drawn anew, ``times`` times."""
        dice, n = np.random.default_rng(seed), self.tree.shape[1]
        return [self.surfaces(dice.integers(n, size=n)) for _ in range(times)]


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
    whole = cells.surfaces()
    again = np.array([border(pair, generators) for pair in cells.drawn(times)])
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
