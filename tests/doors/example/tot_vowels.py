"""One of each: a model, a task, a method, a command (and a flag of `tot run`), and a view."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from html import escape

import tot
from tot.methods import Recipe, knob
from tot.parse import Read
from tot.runner import run_one


def parrot(rest="", **options):
    """a model that always says the same: parrot:TEXT

    ``options`` are those of tot.lm.open, such as temperature, for which this model has no use.
    """
    return tot.Scripted(lambda request, index: rest or "hello", name="parrot")


class Vowels:
    """How many vowels does a word have?"""

    name, summary = "vowels", "count the vowels of a word"

    def splits(self):
        return {"fruit": "two fruits"}

    def problems(self, split):
        if split != "fruit":
            raise ValueError(f"vowels has no split {split!r}: write fruit")
        return [self.problem("fig"), self.problem("plum")]

    def problem(self, text):
        return tot.Problem(text, text, str(sum(letter in "aeiou" for letter in text)))

    def verify(self, problem, answer):
        return tot.Score(answer == problem.gold)

    def same(self, answer):
        return answer

    def io(self, state):
        return tot.user(f"How many vowels has {state.x}? Only the number.")

    def read_io(self, state, text):
        return [Read(tot.Thought(text, answer=text.strip(), final=True))]

    cot, read_cot = io, read_io


@dataclass(kw_only=True, eq=False, repr=False)
class Twice(Recipe):
    """The direct prompt, answered ``k`` times. Knobs are fields, so `tot solve` has a flag --k."""

    k: int = knob(2, "How many answers are sampled.", least=1)

    def search(self, task, x):
        generate = tot.generator(task.io, task.read_io, k=self.k, first=self.first, distinct=False)
        return tot.bfs(tot.Node(tot.State(x)), generate, tot.constant, depth=1, breadth=self.k)


TWICE = tot.Method("twice", "direct answers, the most frequent one wins", Twice)


class Here:
    """The smallest cluster: it runs one job after the other, in this process."""

    def answers(self, jobs, lms, budget, at_once):
        for key, job in jobs.items():
            yield key, job.finish(run_one(job.start(lms, budget))).to_dict()


def commands(commands):
    """Adds the command `tot vowels WORD`, and the flag `tot run --one-by-one`."""
    count = commands.add_parser("vowels", help="count the vowels of a word")
    count.add_argument("word")
    count.set_defaults(do=count_vowels)
    commands.choices["run"].add_argument(
        "--one-by-one", dest="cluster", action="store_const", const=lambda lms: nullcontext(Here()), help="no hurry"
    )


def count_vowels(options):
    """What `tot vowels` does; gives its exit status."""
    print(Vowels().problem(options.word).gold)
    return 0


def big(solution):
    """A view: only the answer, as a heading. Answers are untrusted text."""
    return f"<h1>{escape(str(solution.answer))}</h1>"
