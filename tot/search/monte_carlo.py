"""Monte Carlo tree search: over plans, thoughts, or the moves of a game. Its four phases are four functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, isnan, log, sqrt
from typing import Any

from ..ask import Asking, Evaluate, Generate, Search
from ..events import BackedUp, Best, Pruned, Selected
from ..state import Node
from ..ties import level

SQRT2 = sqrt(2)
ChooseOutput = Callable[[Node, Sequence[Node]], Node]  # the root, and the nodes just backed up, deepest first


@dataclass
class Tree:
    """What the phases share. ``depth``: how many thoughts a node may lie below ``root``; ``exploration``: C of UCB1.

    ``expanded``: nodes that have had their one expansion. ``lost``: nodes without a reward. ``waiting``: how many
    rollouts are under way through a node: visits that count already, with rewards that are not known yet.
    """

    root: Node
    depth: int
    exploration: float = SQRT2
    expanded: set[Node] = field(default_factory=set)
    lost: set[Node] = field(default_factory=set)
    waiting: Counter[Node] = field(default_factory=Counter)


def mcts(
    root: Node,
    generate: Generate,
    evaluate: Evaluate,
    *,
    rollouts: int,
    depth: int,
    exploration: float = SQRT2,
    leaves: int = 1,
    zero_sum: bool = False,
    enough: float = inf,
    choose: ChooseOutput | None = None,
) -> Search:
    """Monte Carlo tree search with UCB1: *Planning with MCTS*, section 2.2, with its four phases.

    A node is judged by the first rollout that reaches it. The next one to end there expands it: once, into as many
    children as ``generate`` makes, and not below ``depth`` steps from ``root``. (The paper adds one node whenever a
    leaf is reached; taken literally, no node would get a second child.) Where nothing can be added, a rollout backs up
    the reward that is there and asks for nothing. The first rollout judges the root, so ``rollouts`` is also the
    largest number of nodes that are judged. The deadline is the run's ``Budget``.

    ``exploration`` is C, which the paper does not give. ``leaves`` rollouts share their rounds: each counts as a visit
    as soon as it is under way, so that the next one looks elsewhere. ``enough``: the search ends with the first node
    whose own reward reaches it. ``zero_sum`` changes the sign of a reward at each step up, for two players in turn: a
    node's reward is that of the player who moved there. The paper did so with plans; by default we average. ``choose``
    says which node is the output: ``most_visited`` (the default) or ``highest``.

    A node that gets no reward (None, or no finite number, which counts as ``unread``) is pruned, and nothing is backed
    up for it; only the root may go without.

    Raises ValueError for knobs out of range, when the search starts.
    """
    _check(rollouts=rollouts, depth=depth, exploration=exploration, leaves=leaves, enough=enough)
    tree, choose = Tree(root, depth, exploration), choose or most_visited
    best, done = None, 0
    while done < rollouts:
        batch = [select(tree) for _ in range(min(leaves, rollouts - done))]
        yield Selected(batch)
        batch = yield from expand(tree, batch, generate)
        new = yield from simulate(tree, batch, evaluate)
        unread = yield from _prune_the_lost(tree, new)
        changed = back_up([leaf for leaf in batch if leaf.value is not None], root, zero_sum)
        yield BackedUp(changed, unread)
        tree.waiting.clear()
        done += len(batch)
        good = [node for node in new if node.value is not None and level(node.value) >= level(enough)]
        output = good[0] if good else choose(root, changed)
        if output is not best:
            best = output
            yield Best([best])
        if good:
            return


def select(tree: Tree) -> Node:
    """1. Selection: from the root down to a leaf."""
    leaf = descend(tree, tree.root)
    tree.waiting[tree.root] += 1
    return leaf


def descend(tree: Tree, node: Node) -> Node:
    """Down from ``node`` to a leaf by the highest UCB1, unvisited children first; ties keep their order.

    The nodes below ``node`` on this way count as visited from now on (``tree.waiting``).
    """
    way: list[Node] = []
    while node.children:
        child = max(node.children, key=lambda n: -inf if n in tree.lost else level(_ucb1(tree, n)))
        if child in tree.lost:
            break
        way.append(node := child)
    tree.waiting.update(way)
    return node


def expand(tree: Tree, leaves: Sequence[Node], generate: Generate) -> Asking[list[Node]]:
    """2. Expansion: leaves that were judged before get children, once. Returns where the rollouts go on: each at one
    of the children, or at its leaf.
    """
    seen = [leaf for leaf in dict.fromkeys(leaves) if leaf.value is not None or leaf in tree.lost]
    ripe = [leaf for leaf in seen if leaf not in tree.expanded and not leaf.terminal]
    ripe = [leaf for leaf in ripe if leaf.depth - tree.root.depth < tree.depth]
    if ripe:
        tree.expanded.update(ripe)
        yield from generate(ripe)
    return list(dict.fromkeys([descend(tree, leaf) for leaf in leaves]))


def simulate(tree: Tree, leaves: Sequence[Node], evaluate: Evaluate) -> Asking[list[Node]]:
    """3. Simulation: no playout; judges say what the leaves are worth that were not judged before. Returns these."""
    new = [leaf for leaf in leaves if leaf.value is None and leaf not in tree.lost]
    if new:
        yield from evaluate(new)
    return new


def back_up(leaves: Sequence[Node], root: Node, zero_sum: bool = False) -> list[Node]:
    """4. Backpropagation: each leaf's reward is added to all nodes from it up to ``root``. Returns them, deepest first.

    ``zero_sum`` changes the sign at each step up.
    """
    changed: dict[Node, int] = {}
    for leaf in leaves:
        reward = leaf.value or 0.0
        for node in leaf.path:
            node.visits += 1
            node.total += reward
            changed[node] = node.depth
            if node is root:
                break
            reward = -reward if zero_sum else reward
    return sorted(changed, key=lambda node: -changed[node])


def ucb1(node: Node, exploration: float = SQRT2, waiting: Mapping[Node, int] | None = None) -> float:
    """UCB1(node) = Q(node) + C sqrt(ln N(parent) / N(node)): equation 3. Infinite for an unvisited node.

    ``waiting``: how many rollouts are under way through a node. They count in N; their rewards are not known yet.
    """
    waiting = waiting or {}
    visits = node.visits + waiting.get(node, 0)
    if not visits or node.parent is None:
        return inf
    mean = node.total / node.visits if node.visits else 0.0
    return mean + exploration * sqrt(log(node.parent.visits + waiting.get(node.parent, 0)) / visits)


def _ucb1(tree: Tree, node: Node) -> float:
    return ucb1(node, tree.exploration, tree.waiting)


def most_visited(root: Node, changed: Sequence[Node] = (), *, least: int = 1) -> Node:
    """From the root to its most visited child, to that one's, and so on, while it has at least ``least`` visits.

    Step by step, because no node has more visits than its parent. In a game, the first step is the move to make.
    """
    node = root
    while node.children and (child := max(node.children, key=lambda n: n.visits)).visits >= max(least, 1):
        node = child
    return node


def highest(key: Callable[[Node], float | None]) -> ChooseOutput:
    """The node with the highest ``key`` in the whole tree, of equals the first. None: not eligible.

    ``key`` looks at the node's own value, visits and mean only. Make one for each search: it remembers the best of each
    subtree, because that can change only on the paths that are backed up.
    """
    top: dict[Node, Node] = {}

    def rank(node: Node) -> float:
        worth = key(node)
        return -inf if worth is None else level(worth)

    def choose(root: Node, changed: Sequence[Node]) -> Node:
        for node in changed:
            top[node] = max([node, *(top[child] for child in node.children if child in top)], key=rank)
        return top.get(root, root)

    return choose


def _check(*, rollouts: float, depth: float, exploration: float, leaves: float, enough: float) -> None:
    """Raises ValueError for knobs of ``mcts`` out of range. Said the right way round, so that NaN fails, too."""
    if not (rollouts >= 1 and leaves >= 1):
        raise ValueError(f"rollouts and leaves are at least 1, not {rollouts} and {leaves}")
    if not depth >= 0:
        raise ValueError(f"depth, the steps that a node may be below the root, is at least 0, not {depth}")
    if not 0 <= exploration < inf:
        raise ValueError(f"exploration, the C of UCB1, is a number from 0 up, not {exploration}")
    if isnan(enough):
        raise ValueError("enough, the reward that ends the search, is a number, not nan")


def _prune_the_lost(tree: Tree, new: Sequence[Node]) -> Asking[list[dict[str, Any]]]:
    """Prune the nodes that got no reward. Returns those whose reward is no number, as ``unread`` entries."""
    unread: list[dict[str, Any]] = []
    for node in new:
        if node.value is not None and isfinite(node.value):
            continue
        if node.value is not None:
            unread.append({"node": node.id, "why": f"the reward is {node.value}", "text": ""})
        node.value, node.note = None, node.note or "no reward"
        tree.lost.add(node)
        if node is not tree.root:
            yield Pruned(node)
    return unread
