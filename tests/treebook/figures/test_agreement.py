"""Predictions beside outcomes."""

import pytest

from treebook.figures.agreements import agreement

ROWS = [
    {"predicted": 0.2, "seen": 0.3, "kind": "a"},
    {"predicted": 0.5, "seen": 0.4, "kind": "a"},
    {"predicted": 0.1, "seen": 0.0, "kind": "b"},
]


def test_points_and_diagonal():
    ax = agreement(ROWS).axes[0]
    diagonal, a, b = ax.lines
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata())
    assert list(zip(a.get_xdata(), a.get_ydata(), strict=True)) == [(0.2, 0.3), (0.5, 0.4)]
    assert list(zip(b.get_xdata(), b.get_ydata(), strict=True)) == [(0.1, 0.0)]
    assert a.get_marker() != b.get_marker() and [t.get_text() for t in ax.get_legend().texts] == ["a", "b"]


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        agreement([])
