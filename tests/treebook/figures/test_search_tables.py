"""Tables of what happened in a trace: tool calls and visits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import make_mcts, oracle
from traces import sleuthed, small

from tot import Trace, run
from tot.state import Node, State
from treebook import show
from treebook.figures.search_tables import visit_rows


@pytest.fixture(scope="module")
def trace():
    return sleuthed(rounds=4).trace


# ------------------------------------------------------------------------------------------------ results


def test_the_table_of_tool_calls(trace):
    shown = str(show.tool_calls(trace))
    lines = shown.splitlines()
    assert lines[0].split() == ["round", "action", "after", "observation", "cost", "failed"]
    assert re.search(r"2 +Search\[Adolphe Sax\] +the problem +Adolphe Sax was", lines[2])
    assert re.search(r"2 +Search\[Sax\] +the problem +Could not find Sax\..* 1 +not found$", lines[3])
    bill = trace.result["tools"]
    assert len(lines) == 2 + bill["calls"] + 1 and lines[-1].startswith(f"{bill['total']:g} in all, 1 on the path")
    assert "no rows" not in str(show.tool_calls(Trace())) and "<th" in show.tool_calls(trace)._repr_html_()


# ------------------------------------------------------------------------------------------------ visits


def test_rows_by_hand():
    rows = visit_rows(small())
    assert [(row["rollouts"], row["thought"], row["visits"], row["share"]) for row in rows] == [
        *((2, "a", 1, 1.0), (2, "b", 0, 0.0)),
        *((3, "a", 1, 1 / 2), (3, "b", 1, 1 / 2)),
        *((4, "a", 2, 2 / 3), (4, "b", 1, 1 / 3)),
        *((5, "a", 2, 1 / 2), (5, "b", 2, 1 / 2)),
    ]
    assert [row["mean"] for row in rows[:2]] == [0.6, None]
    assert rows[-2]["mean"] == pytest.approx(0.75) and rows[-1]["node"] == "0.1"


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
