"""Depth-first Tree of Thoughts."""

from collections.abc import Iterator
from math import inf

from ..ask import Evaluate, Generate, Search
from ..events import Best, Kept, Pruned
from ..state import Node
from ..ties import level


def dfs(
    root: Node,
    generate: Generate,
    evaluate: Evaluate,
    *,
    depth: int,
    threshold: float = -inf,
    steps: float = inf,
    output_pruned: bool = False,
    early_stop: bool = False,
) -> Search:
    """ToT-DFS: Algorithm 2 of Yao et al. 2023.

    ``depth`` is the paper's step limit T, ``threshold`` its v_th (-inf prunes nothing). ``generate`` returns the
    candidates in order, at most the paper's k. Each child is evaluated just before it would be visited, so only
    verdicts that the search uses are requested.

    ``steps`` limits the number of visited nodes (section 4.3: 100). Every evaluated child counts, pruned or not, as in
    the ledger. ``steps`` is exact, whereas ``Budget(nodes=...)`` is checked before each round, so visits without a
    model call may exceed it.

    The output, the last ``Best`` event, is the first state of maximal depth (section 4.3), of those with an answer that
    are not pruned where there is any: crosswords end at one depth, other solutions may be shorter than a dead end. The
    paper does not say whether pruned states count: Algorithm 2 records the states that it enters, which excludes
    pruned ones, but the authors' crosswords logs list every visited state; ``output_pruned`` includes them. Other
    differences: we read V(p, {s'})(s) in Algorithm 2 as V(p, {s'})(s'); and ``early_stop`` (appendix B.3) ends the
    search at the first state that is not pruned and is terminal or at depth T.
    """
    output, left = (False, root.depth), steps  # whether it is an answer; the depth
    path: list[Iterator[Node]] = []  # for each state on the way down, its candidates that are still to be visited
    s: Node | None = root
    while s is not None:  # DFS(s, t), where t is the depth of s
        if s.terminal or s.depth == depth:  # if t > T
            left = 0 if early_stop else left
        elif left > 0:
            path.append(iter((yield from generate([s]))))  # G(p, s, k), sorted
        s = None
        while s is None and path and left > 0:
            child = next(path[-1], None)  # for s' in G(p, s, k)
            if child is None:
                path.pop()
                continue
            yield from evaluate([child])
            left -= 1
            alive = level(child.value) > level(threshold)  # if V(p, {s'})(s') > v_th
            found = (alive and child.terminal and child.state.answer is not None, child.depth)
            if found > output and (alive or output_pruned):
                output = found
                yield Best([child])
            if alive:
                yield Kept(child)
                s = child  # DFS(s', t + 1)
            else:
                child.note = child.note or f"value {child.value or 0.0:g} is at most {threshold:g}"
                yield Pruned(child)
