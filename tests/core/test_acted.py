"""A search that reports tools as having run gives its nodes what they saw; if it does not, it is told so at once."""

import pytest

from tot import Event, Node, Observation, Scripted, State, Thought, run

LM = Scripted(lambda request, i: "never asked")


def acting(*nodes):
    yield Event("acted", list(nodes))


@pytest.mark.parametrize("at_root", [True, False])
def test_a_node_that_acted_without_an_observation_is_named(at_root):
    root = Node(State("x"))
    seen, blind = root.grow([Thought("look", observation=Observation("a door", 1.0)), Thought("listen")])
    blind = root if at_root else blind
    with pytest.raises(ValueError, match=rf'reports node {blind.id} as "acted", but .* no observation: run its tool'):
        run(acting(seen, blind), LM)


def test_the_bill_counts_what_each_call_cost_and_adds_without_rounding_on_the_way():
    node = Node(State("x"))
    path = []
    for i in range(10):
        [node] = node.grow([Thought(f"look {i}", observation=Observation("a door", 0.1, "error" if i < 3 else ""))])
        path.append(node)

    def search():
        yield from acting(*path)
        yield Event("best", [path[-1]])

    assert run(search(), LM).trace.result["tools"] == {"calls": 10, "failed": 3, "total": 1.0, "path": 1.0}
