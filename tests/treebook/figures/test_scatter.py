"""Predictions beside outcomes."""

import pytest

from treebook.figures.scatter import predicted


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
