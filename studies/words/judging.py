"""What the judges learn from: plans that the unfinished model writes for training problems, and how they come out when
it carries them out itself. No held-out problem is among them.

python -m studies.words.judging [--out FOLDER] [--problems 4000] ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

from studies.words.plans import read_plan, steps
from studies.words.world import Story, tell, training
from tot.jsonlines import Appender, read_lines
from tot.lm.base import LM
from tot.state import State, Thought
from tot.tasks.zero_shot import GSM8K

FROM = 0.6  # share of the first round after which there are judgements
PROBLEMS, AGAIN_PROBLEMS = 2_500, 12_000  # tried out for the first round, and for the second
PLANS, EXECUTIONS = 4, 2  # of each problem, of each plan
HOT = 1.0  # temperature of the plans: wrong ones are wanted, too
AT_ONCE = 200  # problems


@dataclass(frozen=True)
class Tried:
    """A plan, and what its executions came to: (reply, was the answer right?)."""

    plan: str
    solutions: list[tuple[str, bool]]

    @property
    def steps(self) -> list[str]:
        return read_plan(self.plan)

    @property
    def right(self) -> int:
        return sum(ok for _, ok in self.solutions)

    @property
    def rate(self) -> float:
        return self.right / len(self.solutions)


@dataclass(frozen=True)
class Judged:
    """A training problem, the steps of its right plan, and the model's own plans for it."""

    question: str
    steps: list[str]
    tried: list[Tried]


def try_out(lm: LM, stories: list[Story]) -> Iterator[Judged]:
    """Each problem with different plans by ``lm``, each carried out by it EXECUTIONS times."""
    task = GSM8K()
    asked = [replace(task.plan(State(s.question), ""), n=PLANS, temperature=HOT) for s in stories]
    written = [list(dict.fromkeys(sample.text for sample in reply.samples)) for reply in lm(asked)]
    plans = [(i, text) for i, texts in enumerate(written) for text in texts if task.read_plan(State(""), text)[0].ok]
    states = [State(stories[i].question).then(Thought(text)) for i, text in plans]
    replies = lm([replace(task.execute(state), n=EXECUTIONS) for state in states])
    found: dict[int, list[Tried]] = {}
    for (i, text), state, reply in zip(plans, states, replies, strict=True):
        answers = [task.read_executed(state, sample.text)[0].value for sample in reply.samples]
        ok = [a is not None and a.answer is not None and a.answer == str(stories[i].answer) for a in answers]
        found.setdefault(i, []).append(Tried(text, [(s.text, o) for s, o in zip(reply.samples, ok, strict=True)]))
    for i, tried in found.items():
        yield Judged(stories[i].question, steps(stories[i].amount), tried)


def training_stories(seed: int, n: int) -> list[Story]:
    """Problems that may be trained on, the same for equal seeds."""
    rng, found = Random(f"judged {seed}"), list[Story]()
    while len(found) < n:
        if training(story := tell(rng)):
            found.append(story)
    return found


def judge(lm: LM, file: Path, seed: int, n: int) -> list[Judged]:
    """``n`` problems tried out; what ``file`` has of them is not asked again."""
    stories = training_stories(seed, n)
    with Appender(file) as out:  # lock first, then read
        done = read_judged(file)
        known = {one.question for one in done}
        left = [s for s in stories if s.question not in known]
        for at in range(0, len(left), AT_ONCE):
            some = list(try_out(lm, left[at : at + AT_ONCE]))
            out.write(*map(asdict, some))
            done += some
            print(f"{len(done)} of {n} problems tried out", flush=True)
    return done


def read_judged(file: Path) -> list[Judged]:
    """What ``judge`` wrote; a last line that was cut off is left out."""
    found = []
    for _, data in read_lines(file):
        tried = [Tried(t["plan"], [(text, ok) for text, ok in t["solutions"]]) for t in data["tried"]]
        found.append(Judged(data["question"], data["steps"], tried))
    return found
