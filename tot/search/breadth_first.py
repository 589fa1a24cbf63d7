"""Breadth-first Tree of Thoughts."""

from collections.abc import Sequence

from ..ask import Evaluate, Generate, Search
from ..events import Best
from ..state import Node
from ..ties import level


def best(nodes: Sequence[Node], breadth: int) -> list[Node]:
    """The ``breadth`` nodes of highest value. Ties keep the order of generation."""
    return sorted(nodes, key=lambda node: -level(node.value))[:breadth]


def bfs(
    root: Node, generate: Generate, evaluate: Evaluate, *, depth: int, breadth: int, threshold: float | None = None
) -> Search:
    """ToT-BFS: Algorithm 1 of Yao et al. 2023.

    ``depth`` is the paper's step limit T, ``breadth`` its b. The paper's size limit k is a parameter of the generator.
    The output is the last ``Best`` event: at most ``breadth`` states, highest value first.

    Differences: a finished state (an answer) stays in the beam and is not extended, so branches may have different
    lengths; with a ``threshold``, states of at most that value are dropped (the pruning that appendix B.3 suggests);
    and if no state is left, the last non-empty beam is the output.

    Raises ValueError for breadth < 1, when the search starts.
    """
    if breadth < 1:
        raise ValueError(f"breadth must be at least 1, not {breadth}")
    frontier = [root]  # S_0 = {x}
    for _ in range(depth):  # for t = 1..T
        finished = [s for s in frontier if s.terminal]
        unfinished = [s for s in frontier if not s.terminal]
        if not unfinished:
            return
        children = [*(yield from generate(unfinished))]  # S'_t = {[s, z] : s in S_t-1, z in G(p, s, k)}
        yield from evaluate(children)  # V_t = V(p, S'_t)
        alive = [s for s in [*finished, *children] if threshold is None or level(s.value) > level(threshold)]
        if not alive:
            return
        frontier = best(alive, breadth)  # S_t = argmax, |S| = b
        yield Best(frontier)
