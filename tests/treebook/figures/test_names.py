"""What a thought is called: its words, its way where others have the same words, and never the same as another one."""

import pytest
from traces import TRACES, chain, node

from tot.trace import Trace
from treebook import show
from treebook.figures.names import label, names


def grown(*thoughts):
    """A trace with (id, thought) nodes."""
    born = [node(id, thought=thought) for id, thought in thoughts]
    return Trace({}, [{"kind": "expanded", "of": ["0"], "nodes": born}])


@pytest.mark.parametrize("name", TRACES)
def test_every_node_has_a_name_of_its_own(name):
    trace = TRACES[name]()
    called = names(trace)
    assert called.keys() == show.picture(trace).items.keys() and len(set(called.values())) == len(called)
    assert all(called.values()) and all(len(one) < 120 and "\n" not in one for one in called.values())


def test_equal_thoughts_are_told_apart_by_their_ways_and_then_by_numbers():
    trace = grown(
        ("0", "4 4 4 6"), ("0.0", "4 * 4 = 16"), ("0.1", "4 + 4 = 8"), ("0.0.0", "6 - 4 = 2"), ("0.1.0", "6 - 4 = 2"),
        ("0.1.1", "6 - 4 = 2"), ("0.1.2", "the problem"), ("0.0.1", "8 + 8"),
    )  # fmt: skip
    assert list(names(trace).values()) == [
        "the problem", "4 * 4 = 16", "4 + 4 = 8", "4 * 4 = 16 › 6 - 4 = 2", "4 + 4 = 8 › 6 - 4 = 2",
        "4 + 4 = 8 › 6 - 4 = 2 (2)", "4 + 4 = 8 › the problem", "8 + 8",
    ]  # fmt: skip


def test_a_long_way_has_its_ends_and_long_thoughts_their_beginnings():
    ids = ["0", "0.0", "0.0.0", "0.0.0.0", "0.0.0.0.0"]
    called = names(grown(*((id, "again") for id in ids)))
    assert called[ids[3]] == "again › again › again" and called[ids[4]] == "again › … › again"
    assert len(names(chain(1500))) == 1500
    assert label("x" * 100) == "x" * 59 + "…" and label("   ") == "(empty)"


def test_a_thought_that_ends_in_an_action_is_called_by_it():
    assert label("Thought: who?\nAction: Search[Adolphe Sax]") == "Search[Adolphe Sax]"
    assert label("Thought: who?\nAction: ") == "Thought: who? Action:"
