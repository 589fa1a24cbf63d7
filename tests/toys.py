"""Toy trees, of which brute force knows everything: the tree is a function of a path. And a toy search.

``mcts`` in small: proof that the shape of design (searches ask, ``run`` calls) carries more than the package has.
"""

from hashlib import sha256
from math import inf, log, sqrt

from tot.ask import Best, Event, user
from tot.evaluate import value
from tot.generate import generator
from tot.lm.scripted import Scripted
from tot.parse import Read, bad
from tot.search import dfs
from tot.state import Node, State, Thought

SQRT2 = sqrt(2)


def mcts(root, generate, evaluate, *, rollouts, depth, exploration=SQRT2, leaves=1):
    """Monte Carlo tree search with UCB1 and average backup; ``leaves`` rollouts share a round."""
    expanded = set()

    def ucb1(node):
        if not node.visits:
            return inf
        return node.mean + exploration * sqrt(log(node.parent.visits) / node.visits)

    def descend(node):
        while node.children:
            node = max(node.children, key=ucb1)
        return node

    while root.visits < rollouts:
        batch = []
        for _ in range(min(leaves, rollouts - root.visits)):  # selection; visits count at once, so that leaves differ
            batch.append(descend(root))
            for node in batch[-1].path:
                node.visits += 1
        ripe = [n for n in dict.fromkeys(batch) if n.depth < depth and n not in expanded]
        expanded.update(ripe)
        yield from generate(ripe)  # expansion: once for each node
        for i, node in enumerate(batch):
            batch[i] = descend(node)
            for new in list(batch[i].path)[: batch[i].depth - node.depth]:
                new.visits += 1
        yield from evaluate([n for n in dict.fromkeys(batch) if n.value is None])  # simulation: the judge's reward
        for leaf in batch:  # backpropagation
            for node in leaf.path:
                node.total += leaf.value
        yield Event("backed_up", list(dict.fromkeys(n for leaf in batch for n in leaf.path)), {})
        path = [root]
        while path[-1].children:
            path.append(max(path[-1].children, key=lambda n: n.visits))
        yield Best([path[-1]])


# -------------------------------------------------------------------- the trees: a function of (name, path)


def dice(*what):
    """A number in [0, 1) that depends on nothing but ``what``."""
    return int.from_bytes(sha256(repr(what).encode()).digest()[:4], "big") / 2**32


def children_of(x, path, depth=4):
    """Names of the children: none to three, the same for all sizes of a search."""
    return [f"{path}{i}" for i in range(int(dice(x, path) * 4) if path else 3)] if len(path) < depth else []


def worth(x, path):
    return round(dice("worth", x, path), 3)


def path_of(state):
    return state.last.text if state.last else ""


def prompts(x):
    """generate and evaluate for the tree ``x``; build them anew for each search."""
    grow = generator(lambda s: user(f"grow {s.x} {path_of(s)}"), lambda s, text: map(read_child, text.split()))
    judge = value(lambda s: user(f"judge {s.x} {path_of(s)}"), read_worth, n=1)
    return grow, judge


def read_child(word):
    return Read(Thought(word, final=len(word) == 9)) if word.isdigit() else bad("no child", word)


def read_worth(text):
    try:
        return Read(float(text))
    except ValueError:
        return bad("no number", text)


def oracle(children=children_of, worth=worth):
    """The language model of toy trees: it knows the children of a path, and what a path is worth."""

    def answer(request, i):
        verb, x, path = (request.messages[0].content + " ").split(" ")[:3]
        return str(worth(x, path)) if verb == "judge" else " ".join(children(x, path)) or "leaf"

    return Scripted(answer, "toy")


def make_dfs(x, depth=4, threshold=0.3):
    return lambda: dfs(Node(State(x)), *prompts(x), depth=depth, threshold=threshold)


def make_mcts(x, root=None, **settings):
    return lambda: mcts(root or Node(State(x)), *prompts(x), **settings)
