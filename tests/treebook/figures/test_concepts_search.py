"""Drawings of searches: their orders and bounds are those of the package."""

import re
from xml.etree import ElementTree

import tot
from tot import Node, State, Thought
from tot.evaluate import value
from tot.generate import generator
from tot.parse import Read
from tot.search.breadth_first import bfs
from tot.search.depth_first import dfs
from tot.search.informed import best_first, itot_astar
from tot.search.monte_carlo import mcts, ucb1
from treebook.figures import concepts

# What the judge of the drawing says of each node, by the steps that lead to it, in the order of drawing.
TREE = {
    "": 0.5,
    "a": 0.8, "b": 0.6, "aa": 0.7, "ab": 0.65, "ba": 0.75, "bb": 0.3,
    "aaa": 0.3, "aab": 0.2, "aba": 0.25, "abb": 0.1, "baa": 0.4, "bab": 1.0, "bba": 0.2, "bbb": 0.1,
}  # fmt: skip
ANSWER, DEPTH = "bab", 3


def word(state):
    return state.last.text if state.last else ""


def answer(request, sample):
    kind, at = request.messages[0].content.split(" ")
    return " ".join(key for key in TREE if key and key[:-1] == at) if kind == "steps" else str(TREE[at])


def judged(search):
    """The nodes in the order in which a search judges them."""
    trace = tot.run(search, tot.Scripted(answer)).trace
    events = [event for event in trace.events if event["kind"] == "evaluated"]
    nodes = trace.nodes()
    ids = [node["id"] for event in events for node in event["nodes"]]
    return [nodes[id]["thought"] if nodes[id]["parent"] else "" for id in ids]


def test_each_panel_shows_the_order_of_the_packages_own_search():
    def read(state, text):
        return [Read(Thought(z, final=z == ANSWER, answer=z if z == ANSWER else None)) for z in text.split()]

    def act(nodes):
        yield from ()

    generate = generator(lambda state: tot.user(f"steps {word(state)}"), read)
    judge = value(lambda state: tot.user(f"worth {word(state)}"), lambda text: Read(float(text)), n=1)
    root, common = State("root"), {"depth": DEPTH}
    searches = {
        "BFS, b = 2": bfs(Node(root), generate, judge, breadth=2, **common),
        "DFS, from 0.5 on": dfs(Node(root), generate, judge, threshold=0.5, early_stop=True, **common),
        "best-first": best_first(Node(root), generate, judge, rounds=20, **common),
        "A*, w = 5": itot_astar(Node(root), generate, act, judge, tool_cost=lambda _: 1, weight=5, rounds=20, **common),
        "MCTS, C = 0.5": mcts(Node(root), generate, judge, rollouts=40, exploration=0.5, enough=1.0, **common),
    }
    panels = concepts.panels("orders").values()
    for panel, (name, search) in zip(panels, searches.items(), strict=True):
        order = judged(search)
        assert ElementTree.fromstring(panel).get("aria-label").startswith(f"{name}: judges {', '.join(order)}, in")
        numbers = [int(n) for n in re.findall(r'font-size="11"[^>]*>(\d+)</text>', panel)]
        assert numbers == [order.index(node) + 1 for node in TREE if node in order]
        assert [float(n) for n in re.findall(r'font-size="10"[^>]*>([\d.]+)</text>', panel)] == [*TREE.values()]
        assert f">{len(order)} judged<" in panel


def test_one_step_of_ucb1():
    levers = {"left": (5, 3), "middle": (4, 3), "right": (2, 1)}  # pulls, and how many of them paid
    parent = Node(State("root"))
    nodes = parent.grow(map(Thought, levers))
    for node, (visits, won) in zip(nodes, levers.values(), strict=True):
        node.visits, node.total = visits, won
    parent.visits, parent.total = 11, 7
    bounds = {node.state.last.text: ucb1(node, 2**0.5) for node in nodes}
    made = concepts.ucb_step()
    for name, (n, won) in levers.items():
        q, bound = won / n, bounds[name]
        assert f"{q:.2f} + {bound - q:.2f} = {bound:.2f}" in made and f"{name}: N {n}, Q {q:.2f}" in made.about
    assert f"goes to {max(bounds, key=bounds.get)}" in made.about
