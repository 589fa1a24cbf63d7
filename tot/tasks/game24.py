"""Game of 24 (Tree of Thoughts, section 4.1): the task. Its prompts are in ``game24.toml``, the readers of replies in
``game24_replies`` and ``game24_believed`` (chosen in ``game24_style``), the rules in ``game24_rules``.

A thought is one equation; after three equations comes the answer.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Self

from ..lm.base import Message, Request
from ..parse import LONG_REPLY, Read, bad, shorten
from ..state import State, Thought
from .base import FreeCheck, Problem, Refinable, Score, Searchable
from .bundled import lines_of, told_in
from .datasets import Dataset, pairs_of
from .game24_believed import Believed, legal_steps, read_believed
from .game24_replies import answer_in, read_line
from .game24_rules import TARGET, Numbers, Step, expression, show_numbers, solvable, strip_answer, verify
from .game24_style import OWN, PAPER, VERDICTS
from .style import Sources, Styled

RULES: str = told_in("game24")["words"]["rules"]
# input, three equations, answer: the solved examples in the prompts for IO and CoT
EXAMPLES = tuple((e["x"], tuple(e["steps"].split("\n")), e["answer"]) for e in told_in("game24")["examples"]["solved"])


def numbers_of(x: str) -> Numbers:
    """ "4 9 10 13" -> exact fractions, sorted."""
    return tuple(sorted(map(Fraction, x.split())))


def left(state: State) -> Numbers:
    """The numbers that are left to use in a state."""
    for thought in reversed(state.thoughts):
        if isinstance(thought.data, Step | Believed):
            return thought.data.left
    return numbers_of(state.x)


def shown_left(state: State) -> str:
    """The same numbers as prompts show them: exact ones sorted, believed ones as the model wrote them."""
    for thought in reversed(state.thoughts):
        if isinstance(thought.data, Believed):
            return thought.data.shown
    return show_numbers(left(state))


def steps_of(state: State) -> list[Step | Believed]:
    """The equations in a state, in order; ``Believed`` ones where no program checks them."""
    return [t.data for t in state.thoughts if isinstance(t.data, Step | Believed) and not t.final]


def _bundled() -> list[Problem]:
    return [Problem(line, line) for line in lines_of("game24_puzzles.txt")]


def _ranked(text: str) -> Iterator[tuple[str, None]]:
    import csv

    try:
        for row in csv.DictReader(text.splitlines()):
            yield Game24().problem(row["Puzzles"] or "").x, None
    except csv.Error as error:
        raise ValueError(str(error)) from error


# the authors' list; the last two names are theirs
RANKED = Dataset("the authors' ranked list", ("game24_4nums.csv", "24.csv", "24/24.csv"), _ranked)


def _authors() -> list[Problem]:
    return [Problem(x, x) for x, _ in pairs_of(RANKED)]


class Game24(Styled, Refinable, Searchable, FreeCheck):
    """The task. ``steps`` is 4: three equations and the answer.

    A program helps the model here: illegal steps are refused, and one number left is judged without asking. The paper
    has no such help: see ``unchecked``, and ``in_paper_style`` for its prompts. A task is told apart by its ``style``,
    and by ``checked``: whether there is that help.
    """

    name = "game24"
    summary = "Game of 24: make 24 from four numbers with + - * / (Tree of Thoughts, section 4.1)"
    steps = 4
    style = OWN
    paper = PAPER
    sources: ClassVar[Sources] = {
        "all": ("all 1,362 solvable puzzles over 1..13, easiest first", _bundled),
        "easy": ("ranks 1 to 100 of `all`", lambda: _bundled()[:100]),
        "starter": (
            "40 puzzles: every tenth of ranks 1 to 400 of `all`, for weak models",
            lambda: _bundled()[9:400:10],
        ),
        "hard": (
            "ranks 901 to 1000 of `all`, as the paper takes ranks 901 to 1000 of its list",
            lambda: _bundled()[900:1000],
        ),
        "authors": (
            f"the authors' list in its own order, read from {' or '.join(RANKED.files)} in TOT_DATA_DIR",
            _authors,
        ),
        "authors-hard": (
            "ranks 901 to 1000 of the authors' list: the paper's own test set",
            lambda: _authors()[900:1000],
        ),
    }
    checked = True
    worst = VERDICTS["impossible"]
    verdicts: Mapping[str, float] = {word: VERDICTS[word] for word in ("sure", "likely", "impossible")}

    # ---------------------------------------------------------------- problems

    def problem(self, text: str) -> Problem:
        """Four numbers, separated by spaces, commas or semicolons. Raises ValueError unless all are 1 to 99."""
        words = re.split(r"[\s,;]+", text.strip()[:200])
        if len(words) != 4 or not all(re.fullmatch(r"\d{1,2}", w, re.ASCII) and int(w) > 0 for w in words):
            raise ValueError(
                f'a Game of 24 puzzle is four whole numbers from 1 to 99, such as "4 9 10 13", not {text[:60]!r}'
            )
        x = " ".join(str(int(w)) for w in words)
        return Problem(x, x)

    def check(self, x: str, answer: str | None) -> Score:
        return verify([int(n) for n in x.split()], answer)

    def verify(self, problem: Problem, answer: str | None) -> Score:
        return self.check(problem.x, answer)

    def note(self, problem: Problem) -> str:
        """That the problem has no solution; "" if it has one."""
        if solvable(numbers_of(problem.x)):
            return ""
        return f"{problem.x} has no solution: an exhaustive check finds no way to make 24"

    def unchecked(self) -> Self:
        """Steps are believed, and the model judges single numbers and answers, as in the paper.

        What a line says is left is what the next prompt shows; rounded and illegal steps live on.
        """
        made = copy(self)
        made.checked = False
        return made

    def same(self, answer: str) -> str:
        """The answer without spaces: answers are the same only if they have the same characters."""
        return re.sub(r"\s+", "", strip_answer(answer))

    # ---------------------------------------------------------------- IO, CoT, refine

    def fields(self, state: State) -> dict[str, str]:
        steps = "\n".join(map(str, steps_of(state)))
        with suppress(ValueError):  # not four numbers: whoever asks for a whole answer may ask about anything
            return {"x": state.x, "left": shown_left(state), "steps": steps, "answer": f"{state.answer}"}
        return {"x": state.x}

    def refine(self, state: State) -> Request:
        """The direct prompt, then every earlier attempt, each answered with: not correct, reflect and refine."""
        direct = self.io(state)
        messages = list(direct.messages)
        for attempt in state.thoughts:
            messages += [Message("assistant", attempt.text), Message("user", AGAIN)]
        return replace(direct, messages=tuple(messages))

    def _answer(self, state: State, text: str, *, final: bool, bare: bool = True) -> Read[Thought]:
        """The answer in a reply, or at its end in the paper's style.

        Without one, the attempt still counts: a thought that states no answer, and the reason.
        """
        text = text[-self.style.limits["end"] :].strip()  # all of it where the limit is 0
        numbers = [int(n) for n in state.x.split() if n.isdecimal()]
        answer = answer_in(text[-LONG_REPLY:], numbers, bare=bare)
        thought = Thought(shorten(text, LONG_REPLY), None, answer, final)
        return Read(thought, text=answer) if answer else Read(thought, "no expression in the reply", shorten(text))

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [self._answer(state, text, final=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        read = self._answer(state, text, final=True, bare=False)
        named = read.ok or re.search(r"answer|\\boxed", text, re.IGNORECASE)
        return [read if named else replace(read, why="the chain has no answer line")]

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """The new answer; where only an earlier one can be read, perhaps what the last paragraph has behind it."""
        tried = [None, *(self.same(each.answer or "") for each in state.thoughts)]
        for part in (text, re.split(r"\n\s*\n", text.strip())[-1]):
            read = self._answer(state, part, final=False)
            answer = (read.value and read.value.answer) or ""
            if sorted(re.findall(r"\d+", answer)) == sorted(state.x.split()) and self.same(answer) not in tried:
                return [read]
        return [self._answer(state, text, final=False)]

    # ---------------------------------------------------------------- tree search

    def propose(self, state: State, style: str) -> Request:
        """The prompt for next steps; with one number left, for the answer as one expression (as the paper asks for it).

        ``style``: one of ``styles``; the default for any other.
        """
        if len(left(state)) == 1:
            return self.ask("answer", state)
        return self.ask(style if style in self.styles else self.styles[0], state)

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        """Each line of a proposal as a thought; the answer once only one number is left."""
        if len(left(state)) == 1:
            return [self._answer(state, text, final=True)]
        lines = self.style.readers["lines"](text[:LONG_REPLY])
        return [self.read_line(state, line) for line in lines] or [bad("empty reply", text)]

    def read_line(self, state: State, line: str) -> Read[Thought]:
        """One line of a proposal, checked exactly, or else believed."""
        there = shown_left(state)
        if self.checked:
            return read_line(line, there, left(state))
        step = read_believed(line, there)
        return Read(Thought(step.value.text, step.value), text=line) if step.value else bad(step.why, line)

    def compose(self, state: State) -> list[Thought] | None:
        """The answer, once only one number is left and if the steps really make one; else the reason why not. Before
        one number is left, None. Whether it is 24 that believed steps make is left to the judge.
        """
        if len(left(state)) != 1:
            return None
        numbers, steps = numbers_of(state.x), steps_of(state)
        legal, why = legal_steps(steps, numbers)
        if why:
            return [Thought(f"no answer: step {len(legal) + 1} breaks the rules ({why})", final=True)]
        answer = expression(numbers, legal)
        return [Thought(f"Answer: {answer}", steps[-1], answer, final=True)]

    def value(self, state: State) -> Request:
        """The question whether the numbers left can make 24; for an answer that a model wrote, whether it is right."""
        if state.terminal:
            return self.ask("judge", state)
        return self.ask("value", state)

    def read_value(self, text: str) -> Read[float]:
        read: Read[float] = self.style.readers["value"](text)
        return read

    def judge(self, state: State) -> float | None:
        """The verdict where no model is needed: on one number left, and on an attempt without an answer. None: ask.

        Without a program's help it is 0 for a state at the last step without an answer, as in the authors' code, and
        everything else, one number left and every answer, is for the model.
        """
        if not self.checked:
            ended = state.terminal or len(state.thoughts) >= self.steps
            return 0.0 if ended and state.answer is None else None
        if state.terminal and state.answer is None:
            return VERDICTS["impossible"]
        if (state.terminal and state.last and state.last.data is None) or len(left(state)) > 1:
            return None
        return VERDICTS["sure" if left(state)[0] == TARGET else "impossible"]


AGAIN = "That is not correct. Reflect on your mistakes and reply with a refined answer, the expression only."
