"""Monte Carlo tree search over plans, thoughts, or the moves of a game, with one function for each of its phases."""

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
ChooseOutput = Callable[[Node, Sequence[Node]], Node]  # (root, nodes just backed up, deepest first) -> output
Way = list[tuple[Node, dict[Node, float]]]  # each node that was passed, with the bounds of its children at that moment
# (node, children, C, rollouts in progress) -> the bound of each child: the rule by which selection compares them
Compare = Callable[[Node, Sequence[Node], float, Mapping[Node, int]], dict[Node, float]]


def upper_bounds(
    node: Node, children: Sequence[Node], exploration: float, waiting: Mapping[Node, int]
) -> dict[Node, float]:
    """The rule of UCT: each child's ``ucb1``."""
    return {child: ucb1(child, exploration, waiting) for child in children}


@dataclass
class Tree:
    """The state shared by the phases. ``depth``: maximal depth of a node below ``root``; ``exploration``: C of UCB1.

    ``compare``: the rule of selection, if it is another than UCB1.

    ``expanded``: nodes that have been expanded (each once at most). ``lost``: nodes pruned for want of a reward.
    ``waiting``: node -> number of rollouts in progress through it; they count as visits before their rewards are known.
    """

    root: Node
    depth: int
    exploration: float = SQRT2
    compare: Compare = upper_bounds
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
    worth: Callable[[float], float] = float,
    compare: Compare = upper_bounds,
) -> Search:
    """Monte Carlo tree search with UCB1: the four phases of *Planning with MCTS*, section 2.2.

    The first rollout to reach a node evaluates it. The next rollout that ends there expands it, once, into all children
    that ``generate`` returns, unless it is ``depth`` steps below ``root``. (The paper adds one node whenever a leaf is
    reached; taken literally, no node would get a second child.) A rollout that cannot expand its leaf backs up the
    known reward again, without a request. The first rollout evaluates the root, so ``rollouts`` also bounds the number
    of evaluated nodes. A time limit is set in the run's ``Budget``.

    ``exploration`` is C, for which the paper gives no value. ``leaves`` rollouts are run together and share their
    rounds: each counts as a visit when it is selected, so that the next one tends to select another leaf. The search
    ends at the first node whose own reward is at least ``enough``. ``zero_sum`` flips the sign of a reward at each step
    up, for two players who move in turn: a node's reward is that of the player who moved there. The paper does this
    for plans; our default does not. ``choose`` selects the output: ``most_visited`` (the default) or ``highest``.
    ``worth`` makes a reward of a node's value, where values are not rewards as they are. ``compare`` selects by another
    rule than UCB1.

    A node without a reward (None, or not a finite number, which is listed in ``unread``) is pruned, and nothing is
    backed up for it; the root is never pruned.

    Raises ValueError for parameters out of range, when the search starts.
    """
    _check(rollouts=rollouts, depth=depth, exploration=exploration, leaves=leaves, enough=enough)
    tree, choose = Tree(root, depth, exploration, compare), choose or most_visited
    best, done = None, 0
    while done < rollouts:
        ways: list[Way] = [[] for _ in range(min(leaves, rollouts - done))]
        batch = [select(tree, way) for way in ways]
        yield Selected(batch, ways)
        batch = yield from expand(tree, batch, generate)
        new = yield from simulate(tree, batch, evaluate)
        unread = yield from prune_unrewarded(tree, new)
        changed = back_up([leaf for leaf in batch if leaf.value is not None], root, zero_sum, worth)
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


def select(tree: Tree, way: Way | None = None) -> Node:
    """1. Selection: descend from the root to a leaf. The comparisons on the way are added to ``way``."""
    leaf = descend(tree, tree.root, way)
    tree.waiting[tree.root] += 1
    return leaf


def descend(tree: Tree, node: Node, way: Way | None = None) -> Node:
    """Descend from ``node`` to a leaf, always to the child of highest bound; ties in order (UCB1: unvisited first).

    The nodes passed below ``node``, and the leaf, count as visited from now on (``tree.waiting``). ``way`` gets each
    node that was passed, with the bounds that were compared there: those of all children but the lost ones.
    """
    path: list[Node] = []
    c, waiting, lost = tree.exploration, tree.waiting, tree.lost
    while node.children:
        bounds = tree.compare(node, [child for child in node.children if child not in lost], c, waiting)
        if not bounds:
            break
        if way is not None:
            way.append((node, bounds))
        path.append(node := max(bounds, key=lambda child: level(bounds[child])))
    waiting.update(path)
    return node


def expand(tree: Tree, leaves: Sequence[Node], generate: Generate) -> Asking[list[Node]]:
    """2. Expansion: generate children for leaves that were already evaluated and not yet expanded.

    Returns the distinct leaves at which the rollouts continue: a new child, or the same leaf.
    """
    seen = [leaf for leaf in dict.fromkeys(leaves) if leaf.value is not None or leaf in tree.lost]
    ripe = [leaf for leaf in seen if leaf not in tree.expanded and not leaf.terminal]
    ripe = [leaf for leaf in ripe if leaf.depth - tree.root.depth < tree.depth]
    if ripe:
        tree.expanded.update(ripe)
        yield from generate(ripe)
    return list(dict.fromkeys([descend(tree, leaf) for leaf in leaves]))


def simulate(tree: Tree, leaves: Sequence[Node], evaluate: Evaluate) -> Asking[list[Node]]:
    """3. Simulation, here by evaluation without a playout: evaluate the leaves that have no value, and return them."""
    new = [leaf for leaf in leaves if leaf.value is None and leaf not in tree.lost]
    if new:
        yield from evaluate(new)
    return new


def back_up(
    leaves: Sequence[Node], root: Node, zero_sum: bool = False, worth: Callable[[float], float] = float
) -> list[Node]:
    """4. Backpropagation: add each leaf's reward to all nodes from the leaf up to ``root``.

    Returns the changed nodes, deepest first. ``zero_sum`` flips the sign of the reward at each step up.
    """
    changed: dict[Node, int] = {}
    for leaf in leaves:
        reward = worth(leaf.value or 0.0)
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

    ``waiting``: node -> number of rollouts in progress through it, which count in N but not yet in Q.
    """
    waiting = waiting or {}
    visits = node.visits + waiting.get(node, 0)
    if not visits or node.parent is None:
        return inf
    mean = node.total / node.visits if node.visits else 0.0
    return mean + exploration * sqrt(log(node.parent.visits + waiting.get(node.parent, 0)) / visits)


def most_visited(root: Node, changed: Sequence[Node] = (), *, least: int = 1) -> Node:
    """The node reached from ``root`` by going to the most visited child while that child has ``least`` visits or more.

    (The most visited node of the tree would always be the root.) In a game, the first step is the move to make.
    """
    node = root
    while node.children and (child := max(node.children, key=lambda n: n.visits)).visits >= max(least, 1):
        node = child
    return node


def highest(key: Callable[[Node], float | None]) -> ChooseOutput:
    """A rule that chooses the node with the highest ``key`` in the whole tree, the first of equals; None: not eligible.

    ``key`` may depend only on the node's own value, visits and mean. Build a new rule for each search: it caches the
    best node of each subtree, which changes only along the paths that are backed up.
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
    """Raises ValueError for parameters of ``mcts`` out of range. The conditions are negated so that NaN fails too."""
    if not (rollouts >= 1 and leaves >= 1):
        raise ValueError(f"rollouts and leaves must be at least 1, not {rollouts} and {leaves}")
    if not depth >= 0:
        raise ValueError(f"depth, the largest depth of a node below the root, must be at least 0, not {depth}")
    if not 0 <= exploration < inf:
        raise ValueError(f"exploration, the C of UCB1, must be a finite number of at least 0, not {exploration}")
    if isnan(enough):
        raise ValueError("enough, the reward that ends the search, must be a number, not nan")


def prune_unrewarded(tree: Tree, new: Sequence[Node]) -> Asking[list[dict[str, Any]]]:
    """Prune the nodes that got no reward. Returns an ``unread`` entry for each reward that is not a finite number."""
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
