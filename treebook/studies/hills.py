"""Trees whose nodes are words, for chapter 13 and its studies: hills, and ``tot.mcts`` without a language model."""

from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import tot
from tot.parse import Read

_PATHS = (path for depth in range(7) for path in product("abc", repeat=depth))
NODES: list[str] = sorted("".join(path) for path in _PATHS)  # of a hill: three children a node, six levels


@cache
def hill(node: str, seed: int) -> float:
    """What a node of the hill ``seed`` is worth: 0.5 at the root, and at most 0.1 more or less with each step."""
    return hill(node[:-1], seed) + Random(f"{seed} {node}").uniform(-0.1, 0.1) if node else 0.5


@cache
def noisy(node: str, seed: int) -> float:
    """What a judge says of it who errs by about 0.1, alike each time."""
    return hill(node, seed) + Random(f"judge {seed} {node}").gauss(0, 0.1)


def search(steps: Callable[[str], str], worth: Callable[[str], float], **knobs: Any) -> tot.Result:
    """``tot.mcts`` on a tree of words: ``steps`` are the letters that may follow a word, ``worth`` its reward.

    ``knobs``: those of ``tot.mcts``, such as ``depth`` and ``rollouts``. A scripted model answers from the tree.
    """

    def ask(kind: str) -> Callable[[tot.State], Any]:
        return lambda state: tot.user(f"{kind} {state.last.text if state.last else ''}")

    def answer(request: tot.Request, sample: int) -> str:
        kind, node = request.messages[0].content.split(" ")
        return str(worth(node)) if kind == "worth" else " ".join(node + step for step in steps(node))

    generate = tot.generator(ask("steps"), lambda state, text: [Read(tot.Thought(word)) for word in text.split()])
    judge = tot.value(ask("worth"), lambda text: Read(float(text)), n=1)
    return tot.run(tot.mcts(tot.Node(tot.State("root")), generate, judge, **knobs), tot.Scripted(answer))
