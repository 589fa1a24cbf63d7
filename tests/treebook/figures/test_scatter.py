"""Gains on a map, and predictions beside outcomes."""

import pytest

from tot.stats import Interval
from treebook.figures.scatter import AHEAD, BEHIND, LEAST, gains, predicted

ROWS = [
    {"a": 0.2, "b": 0.6, "gain": Interval(0.3, 0.1, 0.5, 100)},
    {"a": 0.5, "b": 0.7, "gain": Interval(-0.2, -0.3, -0.1, 100)},
    {"a": 0.9, "b": 0.9, "gain": Interval(0.01, -0.1, 0.12, 100)},
]
BORDER = {"x": [0.2, 0.9], "y": [0.7, 2.0], "low": [0.6, 0.9], "high": [0.8, 3.0]}
AXES = {"x": "a", "y": "b", "xlabel": "", "ylabel": "", "names": ("tree", "chains"), "border": BORDER}


def test_sign_certainty_and_size_of_a_gain_are_seen():
    figure = gains(ROWS, marks={"another model": (0.4, 0.8)}, **AXES)
    [ax] = figure.axes
    drawn = {tuple(float(v) for v in (*line.get_xdata(), *line.get_ydata())): line for line in ax.lines}
    ahead, behind, open_ = (drawn[row["a"], row["b"]] for row in ROWS)
    assert ahead.get_markerfacecolor() == AHEAD and ahead.get_marker() == "o"
    assert behind.get_markerfacecolor() == BEHIND and behind.get_marker() == "s"
    assert open_.get_markerfacecolor() == "#ffffff" and open_.get_markersize() == LEAST
    assert ahead.get_markersize() > behind.get_markersize() > LEAST
    assert ax.get_ylim()[1] < 1.0 and any(text.get_text() == "another model" for text in ax.texts)
    assert {"border", "95%", "tree", "chains"} <= {text.get_text() for text in figure.legends[0].texts}
    tested = [row | {"p": p} for row, p in zip(ROWS, (0.05, 0.001, 0.2), strict=True)]
    fills = [line.get_markerfacecolor() for line in gains(tested, **AXES).axes[0].lines[1:]]
    assert sorted(fills) == sorted(["#ffffff", "#ffffff", BEHIND])


def test_predictions_and_their_diagonal():
    seen = [(0.2, 0.3, "a"), (0.5, 0.4, "a"), (0.1, 0.0, "b")]
    rows = [{"predicted": x, "seen": y, "kind": kind} for x, y, kind in seen]
    ax = predicted(rows, y="seen", xlabel="predicted").axes[0]
    diagonal, a, b = ax.lines
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata())
    assert [*zip(a.get_xdata(), a.get_ydata(), strict=True)] == [(0.2, 0.3), (0.5, 0.4)]
    assert [*zip(b.get_xdata(), b.get_ydata(), strict=True)] == [(0.1, 0.0)]
    assert a.get_marker() != b.get_marker() and [t.get_text() for t in ax.get_legend().texts] == ["a", "b"]
    with pytest.raises(ValueError):
        predicted([], y="seen", xlabel="")
