"""Where the tree gains over sampling at equal cost: one surface fitted to all cells, and its border.

Axes: ``reach``, how often a generator's reply offers a step that keeps 24 in reach, as log-odds; ``AUC``, how well the
judge tells living from dead states. The success of the tree is fitted as a logistic function of reach, AUC and their
product, over all pairs of generator and judge, among them random verdicts (AUC 0.5) and the perfect judge (AUC 1). So
is that of the rival at the same cost. The border is where the two surfaces cross.

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
STEPS = 30  # of Newton's method
RIDGE = 1e-3  # on the coefficients, so that cells in which nobody ever wins do not drive them to infinity
AUCS = np.linspace(0.5, 1.0, 101)


def log_odds(rate: Array) -> Array:
    rate = np.clip(rate, 0.01, 0.99)
    return np.log(rate / (1 - rate))


def features(reach: Array, auc: Array) -> Array:
    """[cells, 4]: 1, the generator, the judge, their product."""
    x, y = log_odds(reach), 2 * auc - 1
    return np.stack([np.ones_like(x), x, y, x * y], axis=-1)


def fit(x: Array, rates: Array, n: int) -> Array:
    """Coefficients of a logistic regression on shares of n, by Newton's method with a small ridge."""
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        slope = n * x.T @ (rates - p) - RIDGE * n * w
        curve = (x * (n * p * (1 - p))[:, None]).T @ x + RIDGE * n * np.eye(len(w))
        w = w + np.clip(np.linalg.solve(curve, slope), -3, 3)
    return w


def predict(w: Array, reach: Array, auc: Array) -> Array:
    return 1 / (1 + np.exp(-features(reach, auc) @ w))


@dataclass
class Cells:
    """Cells of one kind: ``reach`` and ``auc`` [cells]; ``tree`` and ``rival`` [cells, puzzles], success 0 to 1."""

    reach: Array
    auc: Array
    tree: Array
    rival: Array

    def surfaces(self, drawn: NDArray[np.int64] | None = None) -> tuple[Array, Array]:
        """Coefficients for the tree and for the rival, on all puzzles or on those drawn."""
        at: Any = slice(None) if drawn is None else drawn
        x, n = features(self.reach, self.auc), self.tree.shape[1]
        return fit(x, self.tree[:, at].mean(axis=1), n), fit(x, self.rival[:, at].mean(axis=1), n)

    def drawn(self, times: int, seed: int = 0) -> list[tuple[Array, Array]]:
        """Both surfaces for puzzles that were drawn anew, ``times`` times."""
        dice, n = np.random.default_rng(seed), self.tree.shape[1]
        return [self.surfaces(dice.integers(n, size=n)) for _ in range(times)]


def border(pair: tuple[Array, Array], reaches: Sequence[float]) -> list[float]:
    """For each reach: the AUC from which on the tree is ahead; 0.5 if it always is, above 1 if it never is."""
    found = []
    for reach in reaches:
        at = np.full_like(AUCS, reach)
        ahead = predict(pair[0], at, AUCS) - predict(pair[1], at, AUCS) > 0
        behind = np.nonzero(~ahead)[0]
        last = int(behind[-1]) + 1 if len(behind) else 0
        found.append(float(AUCS[last]) if last < len(AUCS) else 1.005)
    return found


def bordered(cells: Cells, reaches: Sequence[float], times: int = 500) -> dict[str, Any]:
    """The border with its 95 % band, what the fit misses, and the gain on a grid for a picture."""
    whole = cells.surfaces()
    again = np.array([border(pair, reaches) for pair in cells.drawn(times)])
    misses = [predict(whole[0], cells.reach, cells.auc) - cells.tree.mean(axis=1)]
    misses += [predict(whole[1], cells.reach, cells.auc) - cells.rival.mean(axis=1)]
    return {
        "reach": [round(r, 3) for r in reaches],
        "AUC": [round(a, 3) for a in border(whole, reaches)],
        "low": [round(a, 3) for a in np.quantile(again, 0.025, axis=0).tolist()],
        "high": [round(a, 3) for a in np.quantile(again, 0.975, axis=0).tolist()],
        "never": [round(a, 3) for a in (again > 1).mean(axis=0).tolist()],
        "tree": [round(c, 4) for c in whole[0].tolist()],
        "rival": [round(c, 4) for c in whole[1].tolist()],
        "mean miss": [round(float(np.abs(m).mean()), 4) for m in misses],
        "largest miss": [round(float(np.abs(m).max()), 4) for m in misses],
        "resamples": times,
    }
