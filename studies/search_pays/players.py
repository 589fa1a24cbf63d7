"""The players of the map: checkpoints of one training of the pocket model, and programs that take one half's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tot.lm.base import LM, OnReply, Reply, Request, Sample, Usage
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import moves, solvable
from treebook.players import Pocket

ALL_STEPS, RANDOM_STEPS = "program: all legal steps", "program: random legal steps"
COIN, ORACLE = "random verdicts", "perfect judge (oracle)"
SHOWN = 8  # steps in a reply of random ones: as many as the prompt asks for at most
VERDICTS = ("sure", "likely", "impossible")


class Remembering(LM):
    """Asks ``lm`` for each sample once and remembers it: cells of the map ask the same questions again and again.

    Replies are billed as if asked (``Reply.asked``), like a replay.
    """

    batched = True

    def __init__(self, lm: LM) -> None:
        self.lm, self.name, self.weights = lm, lm.name, lm.weights
        self._known: dict[tuple[str, int], tuple[Sample, int]] = {}

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        keys = [request.key(self.name) for request in requests]
        new = {
            (key, index): request.samples(index, 1)
            for key, request in zip(keys, requests, strict=True)
            for index in range(request.first, request.first + request.n)
            if (key, index) not in self._known
        }
        for at, reply in zip(new, self.lm(list(new.values())), strict=True):
            self._known[at] = reply.samples[0], reply.asked.prompt_tokens
        return [self._reply(key, request) for key, request in zip(keys, requests, strict=True)]

    def _reply(self, key: str, request: Request) -> Reply:
        known = [self._known[key, index] for index in range(request.first, request.first + request.n)]
        samples = tuple(sample for sample, _ in known)
        tokens = sum(sample.completion_tokens for sample in samples)
        return Reply(samples, Usage(1, len(samples), known[0][1], tokens))


class Program(LM):
    """A player without a model: ``say(numbers, dice)`` is its reply about the numbers left. It costs no tokens."""

    batched = True

    def __init__(self, name: str, say: Callable[[tuple, Random], str]) -> None:  # type: ignore[type-arg]
        self.name, self._say = name, say

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        question = request.messages[-1].content.removeprefix("Numbers: ")
        indices = range(request.first, request.first + request.n)
        texts = [self._say(numbers_of(question), Random(f"{self.name} {question} {i}")) for i in indices]
        return Reply(tuple(Sample(text) for text in texts), Usage(1, request.n))


def programs() -> dict[str, LM]:
    """The four of them. The perfect judge asks a solver, so every row with it is an oracle's."""
    said: dict[str, Callable[..., str]] = {
        ALL_STEPS: lambda numbers, dice: "\n".join(map(str, moves(numbers))),
        RANDOM_STEPS: lambda numbers, dice: "\n".join(
            map(str, dice.sample(moves(numbers), min(SHOWN, len(moves(numbers)))))
        ),
        COIN: lambda numbers, dice: dice.choice(VERDICTS),
        ORACLE: lambda numbers, dice: "sure" if solvable(numbers) else "impossible",
    }
    return {name: Program(name, say) for name, say in said.items()}


def checkpoints(files: dict[str, Path | None]) -> dict[str, LM]:
    """A player for each file of weights (None: those of the package)."""
    return {name: Remembering(Pocket(weights=path, name=name)) for name, path in files.items()}
