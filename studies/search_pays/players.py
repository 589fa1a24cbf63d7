"""The players of the map: checkpoints of one training of the pocket model, and programs that take one half's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from studies.trials import Program, Remembering
from tot.lm.base import LM, Request
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import Numbers, moves, solvable
from treebook.players import Pocket

ALL_STEPS, RANDOM_STEPS = "program: all legal steps", "program: random legal steps"
COIN, ORACLE = "random verdicts", "perfect judge (oracle)"
SHOWN = 8  # steps in a reply of random ones: as many as the prompt asks for at most
VERDICTS = ("sure", "likely", "impossible")


def about_numbers(name: str, say: Callable[[Numbers, Random], str]) -> Program:
    """A player that says something about the numbers left."""

    def texts(request: Request) -> list[str]:
        question = request.messages[-1].content.removeprefix("Numbers: ")
        return [say(numbers_of(question), Random(f"{name} {question} {i}")) for i in request.indices]

    return Program(name, lambda requests: list(map(texts, requests)))


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
    return {name: about_numbers(name, say) for name, say in said.items()}


def checkpoints(files: Mapping[str, Path | None]) -> dict[str, LM]:
    """A player for each file of weights (None: those of the package)."""
    return {name: Remembering(Pocket(weights=path, name=name)) for name, path in files.items()}
