"""Toy trees, of which brute force knows everything: the tree is a function of a path."""

from hashlib import sha256

from tot.evaluate import value
from tot.generate import generator
from tot.lm.base import user
from tot.lm.scripted import Scripted
from tot.parse import Read, bad
from tot.search import dfs, mcts
from tot.state import Node, State, Thought


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
