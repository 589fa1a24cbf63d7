"""Five searches on one tree: in which order each of them judges its nodes, and how many it needs to the answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tot.ask import Asking, Search
from tot.evaluate import value
from tot.generate import generator
from tot.lm.base import Request, user
from tot.lm.scripted import Scripted
from tot.parse import Read
from tot.runner import run
from tot.search.breadth_first import bfs
from tot.search.depth_first import dfs
from tot.search.informed import best_first, itot_astar
from tot.search.monte_carlo import mcts
from tot.show.escaping import count
from tot.state import Node, State, Thought

from ..drawing import SVG
from ..kit import Sketch, wide
from ..maps import side_by_side
from ..page import HTML

# What a judge says of each node, by the steps that lead to it. The branch that looks better at first has no answer.
TREE: Mapping[str, float] = {
    "": 0.5,
    "a": 0.8, "b": 0.6, "aa": 0.7, "ab": 0.65, "ba": 0.75, "bb": 0.3,
    "aaa": 0.3, "aab": 0.2, "aba": 0.25, "abb": 0.1, "baa": 0.4, "bab": 1.0, "bba": 0.2, "bbb": 0.1,
}  # fmt: skip
ANSWER, DEPTH = "bab", 3
WIDTH, ROW, RADIUS = 222.0, 54.0, 10.5  # of a panel, from level to level, of a node; in pixels
VALUE = 10.0  # size of a value beside its node, in pixels


def orders() -> HTML:
    """The same scripted tree for ToT-BFS (b = 2), ToT-DFS, best-first search, iToT-A* and MCTS.

    The number in a node says when it was judged, by the trace of the package's own search; a node without a number
    never was. The number beside it is what the judge says.
    """
    return side_by_side([_panel(name, judged) for name, judged in visits().items()])


def visits() -> dict[str, list[str]]:
    """Name of each search -> the nodes in the order in which it judged them; the root is ""."""
    generate = generator(lambda state: user(f"steps {_word(state)}"), _read)
    judge = value(lambda state: user(f"worth {_word(state)}"), lambda text: Read(float(text)), n=1)

    def act(nodes: Sequence[Node]) -> Asking[None]:
        yield from ()

    root = State("root")
    searches: dict[str, Search] = {
        "BFS, b = 2": bfs(Node(root), generate, judge, depth=DEPTH, breadth=2),
        "DFS, from 0.5 on": dfs(Node(root), generate, judge, depth=DEPTH, threshold=0.5, early_stop=True),
        "best-first": best_first(Node(root), generate, judge, depth=DEPTH, rounds=20),
        "A*, w = 5": itot_astar(
            Node(root), generate, act, judge, tool_cost=lambda _: 1, weight=5, depth=DEPTH, rounds=20
        ),
        "MCTS, C = 0.5": mcts(Node(root), generate, judge, depth=DEPTH, rollouts=40, exploration=0.5, enough=1.0),
    }
    return {name: list(_judged(search)) for name, search in searches.items()}


def _word(state: State) -> str:
    return state.last.text if state.last else ""


def _read(state: State, text: str) -> list[Read[Thought]]:
    return [Read(Thought(word, final=word == ANSWER, answer=word if word == ANSWER else None)) for word in text.split()]


def _judged(search: Search) -> Iterator[str]:
    def answer(request: Request, sample: int) -> str:
        kind, word = request.messages[0].content.split(" ")
        below = [key for key in TREE if key and key[:-1] == word]
        return " ".join(below) if kind == "steps" else str(TREE[word])

    trace = run(search, Scripted(answer)).trace
    words: dict[str, Any] = {id: node["thought"] if node["parent"] else "" for id, node in trace.nodes().items()}
    for event in trace.events:
        if event["kind"] == "evaluated":
            yield from (words[node["id"]] for node in event["nodes"])


def _panel(name: str, judged: Sequence[str]) -> SVG:
    sketch = Sketch(WIDTH, 78 + DEPTH * ROW)
    leaves = sorted(key for key in TREE if len(key) == DEPTH)
    unit = (WIDTH - 2 * RADIUS - 22) / (len(leaves) - 1)  # to the right there is a value beside the last column

    def at(word: str) -> tuple[float, float]:
        below = [i for i, leaf in enumerate(leaves) if leaf.startswith(word)]
        return RADIUS + 5 + unit * (below[0] + below[-1]) / 2, 48 + len(word) * ROW

    sketch.label(10, 22, name, bold=True)
    sketch.note(WIDTH - 10, 22, f"{len(judged)} judged", anchor="end")
    turn = {word: i for i, word in enumerate(judged, 1)}
    for word in filter(None, TREE):
        x, y = at(word)
        dash, thick = ("", 1.4) if word in turn else ("2 3", 1)
        sketch.arrow(at(word[:-1]), (x, y - RADIUS), head=False, dash=dash, thick=thick)
    for word, value_ in TREE.items():
        look = "new" if word not in turn else "correct" if word == ANSWER else "kept"
        sketch.dot(*at(word), RADIUS, str(turn.get(word, "")), look=look, size=11)
        _beside(sketch, *at(word), word, f"{value_:g}")
    when = count(turn[ANSWER], "node") if ANSWER in turn else "never"
    return sketch.svg(name, f"{name}: judges {', '.join(judged)}, in this order; the answer is {ANSWER}, after {when}.")


def _beside(sketch: Sketch, x: float, y: float, word: str, text: str) -> None:
    """What the judge says, where no line runs: below a leaf, else at the side. The first two nodes are named."""
    side, anchor = (-1, "end") if word == "a" else (1, "start")
    if len(word) == DEPTH:
        sketch.label(x, y + RADIUS + 12, text, "faint", size=VALUE, anchor="middle")
    else:
        y += 4 if len(word) == 2 else -2
        sketch.label(x + side * (RADIUS + 4), y, text, "faint", size=VALUE, anchor=anchor)
    if len(word) == 1:
        sketch.label(x + side * (RADIUS + 9 + wide(text, VALUE)), y, word, bold=True, anchor=anchor)
