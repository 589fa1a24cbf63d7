"""Visits over rollouts: rows read from a trace, against the nodes of the search, and their plot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import make_mcts, oracle
from trees import grow, judge, model, root

from tot import mcts, run
from tot.show import visit_rows
from tot.state import Node, State
from tot.trace import Trace

TREE = {"r": "a b", "ra": "c d"}
VALUES = {"r": 0.5, "ra": 0.6, "rb": 0.4, "rac": 0.9, "rad": 0.2}


def small(rollouts=5, **knobs):
    search = mcts(root(), grow(), judge(), rollouts=rollouts, depth=2, **knobs)
    return run(search, model(TREE, VALUES))


def test_rows_by_hand():
    """Rollouts go to r, a, b, ac (2.08 against 1.88), b (1.93 against 2.07)."""
    rows = visit_rows(small())
    assert [(row["rollouts"], row["thought"], row["visits"], row["share"]) for row in rows] == [
        *((2, "a", 1, 1.0), (2, "b", 0, 0.0)),
        *((3, "a", 1, 1 / 2), (3, "b", 1, 1 / 2)),
        *((4, "a", 2, 2 / 3), (4, "b", 1, 1 / 3)),
        *((5, "a", 2, 1 / 2), (5, "b", 2, 1 / 2)),
    ]
    assert [row["mean"] for row in rows[:2]] == [0.6, None]
    assert rows[-2]["mean"] == pytest.approx(0.75) and rows[-1]["node"] == "0.1"
    below = visit_rows(small(8), of="0.0")
    assert {row["thought"] for row in below} == {"c", "d"} and below[0]["rollouts"] == 2


@given(st.builds("tree{}".format, st.integers(0, 10**6)), st.integers(2, 40), st.integers(1, 5))
def test_the_last_rows_are_the_tree(x, rollouts, leaves):
    top = Node(State(x))
    result = run(make_mcts(x, top, rollouts=rollouts, leaves=leaves, depth=3)(), oracle())
    rows = visit_rows(result)
    last = {row["node"]: row for row in rows if row["rollouts"] == rollouts}
    assert {id: (row["visits"], row["mean"]) for id, row in last.items()} == {
        child.id: (child.visits, child.mean) for child in top.children
    }
    for n in {row["rollouts"] for row in rows}:
        now = [row for row in rows if row["rollouts"] == n]
        assert sum(row["visits"] for row in now) == n - 1 and sum(row["share"] for row in now) == pytest.approx(1)


@pytest.mark.parametrize("trace", [Trace(), Trace(events=[{"kind": "best", "nodes": [{"id": "0"}]}])])
def test_another_trace_is_refused(trace):
    with pytest.raises(ValueError, match="no Monte Carlo search"):
        visit_rows(trace)
    with pytest.raises(ValueError, match=r"'0\.7'"):
        visit_rows(small(), of="0.7")


def test_the_plot_has_a_line_for_each_child():
    pytest.importorskip("matplotlib")
    from tot.show import plots

    rows = visit_rows(small(20))
    left, right = plots.visits(rows, log=True).axes
    assert left.get_xscale() == right.get_xscale() == "log"
    for ax, key in ((left, "share"), (right, "mean")):
        for line, name in zip(ax.lines, "ab", strict=True):
            drawn = list(zip(line.get_xdata(), line.get_ydata(), strict=True))
            mine = [(row["rollouts"], row[key]) for row in rows if row["thought"] == name]
            assert drawn == [(x, y) for x, y in mine if y is not None]
    styles = [(line.get_color(), line.get_linestyle()) for line in left.lines]
    assert styles[0][0] != styles[1][0] and styles[0][1] != styles[1][1]
    assert plots.visits([]).axes
