"""Depth-first Tree of Thoughts."""

from math import inf

from ..ask import Asking, Evaluate, Generate, Search
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

    ``depth`` is the paper's step limit T, ``threshold`` its v_th (-inf prunes nothing). ``generate`` gives the sorted
    candidates, at most the paper's k. A child is judged when its turn comes, so no verdict is asked for that the search
    does not use.

    ``steps``: how many nodes may be visited (section 4.3: 100). A visit is one child that was evaluated, pruned or not,
    as the ledger counts them. ``Budget(nodes=...)`` is checked before each round, so visits that ask nothing may
    overshoot it; ``steps`` is exact.

    The output, the last ``Best`` event, is the first state of maximal depth (section 4.3). Which states count, the
    paper leaves open: Algorithm 2 records those that it enters, and it does not enter what it prunes; the authors' log
    of their crosswords lists every visited state, pruned or not (``output_pruned``). Other differences: where Algorithm
    2 has V(p, {s'})(s) we read (s'); and ``early_stop`` ends the search at the first complete state that is not pruned
    (appendix B.3), at depth T or terminal.
    """
    deepest, left = root, steps

    def visit(s: Node) -> Asking[None]:  # DFS(s, t), where t is the depth of s
        nonlocal deepest, left
        if s.terminal or s.depth == depth:  # if t > T
            left = 0 if early_stop else left
            return
        candidates = (yield from generate([s])) if left > 0 else []
        for child in candidates:  # for s' in G(p, s, k), sorted
            if left <= 0:
                return
            yield from evaluate([child])
            left -= 1
            alive = level(child.value) > level(threshold)  # if V(p, {s'})(s') > v_th
            if child.depth > deepest.depth and (alive or output_pruned):
                deepest = child
                yield Best([deepest])
            if alive:
                yield Kept(child)
                yield from visit(child)  # DFS(s', t + 1)
            else:
                child.note = child.note or f"value {child.value or 0.0:g} is at most {threshold:g}"
                yield Pruned(child)

    yield from visit(root)
