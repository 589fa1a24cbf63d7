"""One step of UCB1: three children, what each has earned, what not knowing it adds, and which is taken."""

from collections.abc import Mapping
from math import sqrt

from tot.search.monte_carlo import ucb1
from tot.show.escaping import cut
from tot.state import Node, State, Thought
from tot.ties import level, total

from ..drawing import SVG
from ..kit import NOTE, Sketch

WIDTH, LEFT, ROW = 690.0, 150.0, 58.0  # of the drawing, of the names, of a child; in pixels


def ucb_step(children: Mapping[str, tuple[int, float]], exploration: float = sqrt(2)) -> SVG:
    """Children as bars, mean and bonus one after the other, with their numbers; the longest is taken.

    ``children``: name -> (visits, mean reward). The bounds are those of ``tot.search.monte_carlo.ucb1``.
    Each has at least one visit, and a mean of at least 0.
    """
    parent = Node(State("root"))
    nodes = parent.grow(Thought(name) for name in children)
    for node, (visits, mean) in zip(nodes, children.values(), strict=True):
        node.visits, node.total = visits, visits * mean
    parent.visits = sum(visits for visits, _ in children.values())
    parent.total = total(node.total for node in nodes)
    bounds = {name: ucb1(node, exploration) for name, node in zip(children, nodes, strict=True)}
    best = max(bounds, key=lambda name: level(bounds[name]))

    sketch = Sketch(WIDTH, 62 + ROW * len(children))
    unit = (WIDTH - LEFT - 130) / max(bounds.values())
    sketch.label(14, 25, f"{parent.visits} visits so far", bold=True)
    sketch.label(LEFT, 25, "mean reward Q", size=NOTE)
    sketch.bar(LEFT - 18, 15, 12, 12, "bar")
    sketch.bar(LEFT + 112, 15, 12, 12, "bonus")
    sketch.label(LEFT + 130, 25, f"bonus for few visits: {exploration:.2f} · √(ln {parent.visits} / N)", size=NOTE)
    for i, (name, (visits, mean)) in enumerate(children.items()):
        y, taken = 44 + i * ROW, name == best
        if taken:
            sketch.box(8, y, WIDTH - 16, ROW - 8, look="chosen", round=6)
        sketch.label(20, y + 22, cut(name, 9), bold=True)
        sketch.label(20, y + 39, f"N {visits} · Q {mean:.2f}", size=NOTE)
        sketch.bar(LEFT, y + 10, unit * mean, 16)
        sketch.bar(LEFT + unit * mean, y + 10, unit * (bounds[name] - mean), 16, "bonus")
        sum_ = f"{mean:.2f} + {bounds[name] - mean:.2f} = {bounds[name]:.2f}"
        sketch.label(LEFT, y + 41, sum_, size=NOTE, bold=taken)
        if taken:
            sketch.label(LEFT + unit * bounds[name] + 10, y + 23, "goes here", "chosen", bold=True)
    words = "; ".join(f"{name}: N {n}, Q {q:.2f}, bound {bounds[name]:.2f}" for name, (n, q) in children.items())
    return sketch.svg("One step of UCB1", f"{words}. The next rollout goes to {best}, which has the highest bound.")
