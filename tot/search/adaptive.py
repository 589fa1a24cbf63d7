"""Adaptive branching: at each node a draw decides between a new child and an old one (AB-MCTS-A)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from ..ask import Asking, Evaluate, Generate, Search
from ..events import BackedUp, Best, Selected
from ..state import Node
from ..ties import level
from .monte_carlo import ChooseOutput, Tree, back_up, most_visited, prune_unrewarded


@dataclass
class Gaussian:
    """Normal rewards, mean and variance unknown: normal-inverse-chi-squared. The fields begin as the paper's prior."""

    mean: float = 0.0
    kappa: float = 1.0
    nu: float = 1.0
    variance: float = 0.1

    def add(self, reward: float) -> None:
        """Learn one more reward."""
        off = reward - self.mean
        spread = self.nu * self.variance + off * off * self.kappa / (self.kappa + 1)
        self.kappa, self.nu = self.kappa + 1, self.nu + 1
        self.mean, self.variance = self.mean + off / self.kappa, spread / self.nu

    def draw(self, luck: Random) -> float:
        """A mean, as likely to be drawn as it is to be the true one."""
        chi2 = max(luck.gammavariate(self.nu / 2, 2), 1e-300)
        return level(luck.normalvariate(self.mean, sqrt(self.nu * self.variance / chi2 / self.kappa)))


@dataclass
class Beta:
    """Rewards from 0 to 1 as parts of a success, from Jeffreys' prior."""

    a: float = 0.5
    b: float = 0.5

    def add(self, reward: float) -> None:
        """Learn one more reward."""
        self.a, self.b = self.a + reward, self.b + 1 - reward

    def draw(self, luck: Random) -> float:
        """A mean, as likely to be drawn as it is to be the true one."""
        return level(luck.betavariate(self.a, self.b))


Posterior = Gaussian | Beta  # what is known of the mean of some rewards
Pick = tuple[Node, str]  # a node that gets a new child, and the model that writes it


class Growth:
    """The state of the search. ``new``, ``old`` and ``whole`` are each node's posteriors: of its new children, of what
    came further below, and of the node and all below it. ``models`` are those of all that a model wrote.

    ``maker``: judged node -> its model. ``fresh``: children that wait to be judged. ``spent``: where a model's last
    reply brought nothing new. ``closed``: nodes below which nothing is left to judge.
    """

    def __init__(self, tree: Tree, models: Sequence[str], posterior: Callable[[], Posterior], luck: Random) -> None:
        self.tree, self.luck = tree, luck
        self.models = {model: posterior() for model in models}
        self.new, self.old, self.whole = (defaultdict[Node, Posterior](posterior) for _ in range(3))
        self.maker: dict[Node, str] = {}
        self.fresh = defaultdict[Pick, list[Node]](list)
        self.spent, self.closed = set[Pick](), set[Node]()

    def able(self, node: Node) -> list[str]:
        """The models that may have a new child of ``node``."""
        return [model for model in self.models if self.fresh[node, model] or (node, model) not in self.spent]

    def enterable(self, node: Node) -> list[Node]:
        """The old children of ``node`` below which something is left to judge."""
        return [child for child in node.children if child in self.maker and child not in self.closed]

    def select(self) -> Pick:
        """Descend from the root to the node that gets a new child, and choose the model that writes it."""
        node, luck = self.tree.root, self.luck
        while old := self.enterable(node):
            if self.able(node) and self.new[node].draw(luck) >= self.old[node].draw(luck):
                break
            node = max(old, key=lambda child: self.whole[child].draw(luck))
        able = self.able(node)
        return node, able[0] if len(able) == 1 else max(able, key=lambda model: self.models[model].draw(luck))

    def grow(self, picks: Sequence[Pick], generators: Mapping[str, Generate]) -> Asking[list[Node]]:
        """The new children that were picked, fewer where replies did not bring so many: one round for each model."""
        for model, generate in generators.items():
            wanted = Counter(node for node, m in picks if m == model)
            asked = [node for node, n in wanted.items() for _ in range(n - len(self.fresh[node, model]))]
            if asked:
                for child in (yield from generate(asked)):
                    self.fresh[child.parent or child, model].append(child)
                self.spent.update((node, model) for node in asked if not self.fresh[node, model])
        taken = [(waiting.pop(0), pick[1]) for pick in picks if (waiting := self.fresh[pick])]
        self.maker.update(taken)
        return [child for child, _ in taken]

    def learn(self, child: Node, reward: float) -> None:
        """A child's first reward is its own, its model's, and its parent's as a new child; further up it is old."""
        node = child.parent or child
        for posterior in (self.whole[child], self.models[self.maker[child]], self.new[node]):
            posterior.add(reward)
        while node is not self.tree.root and node.parent:
            self.whole[node].add(reward)
            node = node.parent
            self.old[node].add(reward)

    def close(self, node: Node) -> None:
        """Close ``node`` if nothing is left below it, and then the same above it."""
        ends = node.terminal or node in self.tree.lost or node.depth - self.tree.root.depth >= self.tree.depth
        if ends or not (self.able(node) or self.enterable(node)):
            self.closed.add(node)
            if node is not self.tree.root and node.parent:
                self.close(node.parent)


def ab_mcts(
    root: Node,
    generators: Mapping[str, Generate],
    evaluate: Evaluate,
    *,
    rollouts: int,
    depth: int,
    luck: Random,
    posterior: Callable[[], Posterior] = Gaussian,
    leaves: int = 1,
    choose: ChooseOutput = lambda root, changed: most_visited(root),
    worth: Callable[[float], float] = float,
) -> Search:
    """AB-MCTS-A of Inoue et al. 2025: how wide the tree becomes at a node is learned from rewards, from 0 to 1.

    A rollout draws, at the root, a mean for new children and one for old ones. If the first is not smaller, a new child
    is judged here; else a mean is drawn for each old child, and the same is asked at the child of the largest one.
    ``generators`` are the models by name: each grows what is new in one more reply about a node, as often as it is
    named. Which of several writes the child, a draw decides from all that they wrote. What a reply brings waits until
    it is picked. ``leaves`` rollouts are drawn from one state and share their rounds. ``depth``, ``choose`` and
    ``worth`` as in ``mcts``; the root is not judged. The search ends when nothing is left to judge.

    Differences: nodes may be steps, and an answer that ends its way is not entered; a model whose reply brought nothing
    new is not asked about that node again.
    """
    growth, best = Growth(Tree(root, depth), [*generators], posterior, luck), None
    for done in range(0, rollouts, leaves):
        picks = [growth.select() for _ in range(min(leaves, rollouts - done))]
        yield Selected([node for node, _ in picks])
        new = yield from growth.grow(picks, generators)
        if new:
            yield from evaluate(new)
        unread = yield from prune_unrewarded(growth.tree, new)
        judged = [child for child in new if child.value is not None]
        for child in judged:
            growth.learn(child, worth(child.value or 0.0))
        changed = back_up(judged, root, worth=worth)
        yield BackedUp(changed, unread)
        for node in (*new, *dict(picks)):
            growth.close(node)
        if (output := choose(root, changed)) is not best:
            best = output
            yield Best([best])
        if root in growth.closed:
            return
