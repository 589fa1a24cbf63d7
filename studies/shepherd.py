"""A judge that rollouts train, without a solver (Math-Shepherd, Wang et al. 2024), for states of the Game of 24.

    python -m studies.shepherd [--out FOLDER] [--results FILE] [--puzzles 320]

A state is worth how often the pocket model reaches 24 from it, of ``TRIES`` ways that it samples step by step: the free
check of a finished way is all that is known. A head on the pocket model learns that: it reads the model's own likeliest
verdict, and is a logistic regression on what the network has at its last two words. Labels are written as they are
made, so that the same command goes on. Heads that learned from a part of the labels are weaker judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from studies.figures import Figures, read, write
from studies.options import options
from studies.teach.searching import training_puzzles
from studies.trials import GAME
from tot.ask import Asking, Search
from tot.jsonlines import Appender, read_lines
from tot.lm.base import LM, OnReply, Reply, Request, Sample, Usage
from tot.methods.resampled import Particles
from tot.runner import Run, run_many
from tot.state import Node, State
from tot.tasks.base import Problem
from tot.tasks.game24 import left, numbers_of
from tot.tasks.game24_rules import solvable
from treebook.players import Pocket
from treebook.players.model import forward
from treebook.players.tokens import encode

RESULTS = Path(__file__).resolve().parent / "results" / "shepherd.json"
TRIES, WAYS = 16, 2  # from each state; from each puzzle, whose states are labelled
ALL = 320  # puzzles
PARTS = (16, 8, 4, 2, 1)  # heads learn from this part of the labels
RIDGE = 1.0  # the weight of the squared size of a head
Array = NDArray[np.float64]
Label = tuple[str, int]  # the numbers left, and how many of the tries reached 24


def to_the_end(state: State, ways: int, policy: Particles) -> Asking[list[dict[Node, int]]]:
    """So many ways from a state, sampled step by step: the states of each step, with how many of the ways are there."""
    cloud = {Node(state): ways}
    steps = [cloud]
    while unfinished := {s: n for s, n in cloud.items() if not s.terminal}:
        cloud = yield from policy.draw(GAME, unfinished)
        steps.append(cloud)
    return steps


def labels(x: str, found: list[Label]) -> Search:
    """Labels the states of some ways from the puzzle ``x``, those with three and two numbers left, each once."""
    ways = yield from to_the_end(State(x), WAYS, Particles())
    states = {left(s.state): s.state for step in ways for s in step if 1 < len(left(s.state)) < 4}
    for numbers, state in states.items():
        tried = yield from to_the_end(state, TRIES, Particles(first=WAYS))
        right = sum(n for step in tried for s, n in step.items() if GAME.check(x, s.state.answer).correct)
        found.append((" ".join(map(str, numbers)), right))


def labelled(lm: LM, problems: Sequence[Problem], file: Path) -> Iterator[list[Label]]:
    """The labels of each problem, from the file where they are there, else made and written to it. Raises SystemExit if
    a file that is there is of another model, and FileTrouble.
    """
    with Appender(file) as out:  # lock first, then read
        lines = [line for _, line in read_lines(file)]
        if any(line["weights"] != lm.weights for line in lines):
            raise SystemExit(f"{file} is of other weights: name another folder or remove it")
        known = {line["x"]: line["labels"] for line in lines}
        todo: dict[Run, tuple[str, list[Label]]] = {}
        for problem in problems:
            if problem.x not in known:
                found: list[Label] = []
                todo[Run(labels(problem.x, found), lm)] = (problem.x, found)
        for run in run_many(todo):
            if run.error:
                raise SystemExit(run.error)
            x, known[todo[run][0]] = todo[run]
            out.write({"x": x, "labels": known[x], "weights": lm.weights})
    yield from (known[problem.x] for problem in problems)


def seen(pocket: Pocket, numbers: Sequence[str]) -> tuple[Array, list[int]]:
    """What the network has at the last two words of its likeliest verdict on each of these [n, 2 V + 1], as the scores
    of the word that would come next; and how many tokens the verdicts have.
    """
    requests = [replace(asked(each), temperature=0.0).samples(0, 1) for each in numbers]
    said = [reply.samples[0] for reply in pocket(requests)]
    rows = []
    for request, verdict in zip(requests, said, strict=True):
        scores = forward(pocket.model, [*pocket.template(request), *encode(verdict.text)])[-2:].astype(np.float64)
        rows.append(np.append(scores / np.linalg.norm(scores, axis=1, keepdims=True), 1.0))
    return np.array(rows), [verdict.completion_tokens for verdict in said]


def asked(numbers: str) -> Request:
    """The task's question for a verdict on these numbers."""
    return GAME.style.prompts["value"].request(left=numbers)


def learned(features: Array, right: Sequence[int]) -> Array:
    """The head [D + 1]: most likely to give the labels, with ridge; by Newton's method, the same on every machine up to
    rounding.
    """
    head, share = np.zeros(features.shape[1]), np.array(right) / TRIES
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(features @ head, -30, 30)))
        slope = features.T @ (TRIES * (share - p)) - RIDGE * head
        curve = (features.T * (TRIES * p * (1 - p))) @ features + RIDGE * np.eye(len(head))
        head = head + (step := np.linalg.solve(curve, slope))
        if np.abs(step).max() < 1e-9:
            break
    return head


def chances(features: Array, head: Array) -> list[float]:
    """How likely the head finds it that 24 is reached."""
    return [round(float(p), 6) for p in 1 / (1 + np.exp(-np.clip(features @ head, -30, 30)))]


class Judge(LM):
    """The pocket model with a head, for the role of the evaluator. It says "sure" as often as it thinks that the pocket
    model would reach 24, else "impossible"; asked for ``labels``, it tells the chances. A verdict costs what the pocket
    model wrote, once, and a token each time.
    """

    batched = True

    def __init__(self, pocket: Pocket, head: Array, name: str = "shepherd") -> None:
        self.pocket, self.head, self.name = pocket, head, name

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        features, written = seen(self.pocket, [request.messages[-1].content for request in requests])
        replies = []
        for request, p, tokens in zip(requests, chances(features, self.head), written, strict=True):
            samples = tuple(self._sample(request, request.messages[-1].content, i, p) for i in request.indices)
            prompt = len(self.pocket.template(request))
            replies.append(Reply(samples, *[Usage(1, len(samples), prompt, tokens + len(samples))] * 2))
            if on_reply:
                on_reply(request, replies[-1])
        return replies

    def _sample(self, request: Request, numbers: str, i: int, p: float) -> Sample:
        if request.labels:
            each = tuple({"sure": p, "impossible": 1 - p}.get(label, 0.0) for label in request.labels)
            return Sample("sure" if p >= 0.5 else "impossible", completion_tokens=1, chances=each)
        u = int(sha256(f"{numbers} {i}".encode()).hexdigest()[:8], 16) / 2**32
        return Sample("sure" if u < p else "impossible", completion_tokens=1)


def trained(pocket: Pocket, labels: int | None = None) -> Judge:
    """The judge of the results file that learned from so many labels; by default from most."""
    heads = read(RESULTS)["learned"]
    return Judge(pocket, np.array(heads[str(labels or max(map(int, heads)))]))


def judged(chances: Sequence[float], truths: Sequence[bool]) -> float:
    """How often a state that can reach 24 is judged higher than one that cannot; half a time where they are equal."""
    yes, no = ([c for c, truth in zip(chances, truths, strict=True) if truth is want] for want in (True, False))
    return round(sum((a > b) + (a == b) / 2 for a in yes for b in no) / (len(yes) * len(no)), 4)


def figures(pocket: Pocket, learn: Sequence[Label], test: Sequence[Label]) -> Figures:
    """The solver says how good the judges are on the states of other puzzles; none of them learned from it."""
    held = dict(test)
    learn = [label for label in learn if label[0] not in held]
    features, new = (seen(pocket, numbers)[0] for numbers in ([numbers for numbers, _ in learn], [*held]))
    truths = [solvable(numbers_of(numbers)) for numbers in held]
    found: Figures = {"date": str(date.today()), "weights": pocket.weights[:12], "tries": TRIES, "states": len(held)}
    found |= {"solvable": sum(truths), "labels": judged([n / TRIES for n in held.values()], truths)}
    found |= {"heads": {}, "learned": {}}
    for part in PARTS:
        head = learned(features[::part], [right for _, right in learn[::part]])
        name = str(len(learn[::part]))
        found["heads"][name] = judged(chances(new, head), truths)
        found["learned"][name] = [round(float(weight), 5) for weight in head]
    verdicts = [reply.texts for reply in pocket([asked(numbers).samples(0, 3) for numbers in held])]
    sums = [sum(GAME.read_value(text).value or 0.0 for text in texts) for texts in verdicts]
    return found | {"asked": judged(sums, truths)}


def main() -> None:
    few = (ALL, "fewer: a trial, which does not write over the book's figures")
    a = options(__doc__, out=Path("_build/shepherd"), results=RESULTS, puzzles=few)
    every, pocket, test = training_puzzles(), Pocket(), a.puzzles // 4
    problems = [*every[::3][: a.puzzles], *every[1::12][:test]]
    found = [*labelled(pocket, problems, a.out / "labels.jsonl")]
    learn, held = ([label for some in part for label in some] for part in (found[:-test], found[-test:]))
    if a.puzzles == ALL or a.results != RESULTS:
        write(figures(pocket, learn, held), a.results)


if __name__ == "__main__":
    main()
