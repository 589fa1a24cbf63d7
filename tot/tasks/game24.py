"""Game of 24 (Tree of Thoughts, section 4.1): prompts, readers and problems. The rules are in ``game24_rules``.

A thought is one equation; after three equations comes the answer. The prompts are our own words; they share the design
of the paper's: five examples for IO and CoT, one example with four numbers for every propose step (three examples as a
variant for weak models, appendix B.2), and a value prompt whose last word is sure, likely or impossible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from ..lm.base import Message, Request
from ..parse import MAX_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from .base import Checkable, Commenting, PaperStyled, Problem, Refinable, Score
from .bundled import lines_of
from .datasets import data_file
from .forms import Form, string, verdict
from .game24_believed import Believed
from .game24_rules import TARGET, Numbers, Step, expression, read_step, show_numbers, solvable, strip_answer, verify

# the numbers are those of the authors' code; the paper gives none
VERDICTS = {"sure": 20.0, "likely": 1.0, "maybe": 1.0, "impossible": 0.001}

# input, three equations, answer; none is in the splits `hard` and `starter`
EXAMPLES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("2 4 6 8", ("6 * 8 = 48 (left: 2 4 48)", "4 - 2 = 2 (left: 2 48)", "48 / 2 = 24 (left: 24)"), "6 * 8 / (4 - 2)"),
    ("1 5 6 12", ("6 - 5 = 1 (left: 1 1 12)", "1 + 1 = 2 (left: 2 12)", "2 * 12 = 24 (left: 24)"), "(6 - 5 + 1) * 12"),
    ("3 4 7 11", ("11 - 7 = 4 (left: 3 4 4)", "4 + 4 = 8 (left: 3 8)", "3 * 8 = 24 (left: 24)"), "3 * (4 + (11 - 7))"),
    ("2 5 7 10", ("2 + 5 = 7 (left: 7 7 10)", "7 + 7 = 14 (left: 10 14)", "10 + 14 = 24 (left: 24)"), "2 + 5 + 7 + 10"),
    ("3 8 9 9", ("9 / 9 = 1 (left: 1 3 8)", "3 * 8 = 24 (left: 1 24)", "1 * 24 = 24 (left: 24)"), "9 / 9 * (3 * 8)"),
)

PROPOSALS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "3 5 9 12",
        (
            "3 + 5 = 8 (left: 8 9 12)",
            "12 - 9 = 3 (left: 3 3 5)",
            "3 * 9 = 27 (left: 5 12 27)",
            "12 / 3 = 4 (left: 4 5 9)",
            "9 - 5 = 4 (left: 3 4 12)",
            "12 + 9 = 21 (left: 3 5 21)",
            "5 - 3 = 2 (left: 2 9 12)",
            "12 - 5 = 7 (left: 3 7 9)",
        ),
    ),
    (
        "2 6 7",
        (
            "2 * 6 = 12 (left: 7 12)",
            "7 - 2 = 5 (left: 5 6)",
            "6 / 2 = 3 (left: 3 7)",
            "6 + 7 = 13 (left: 2 13)",
            "7 - 6 = 1 (left: 1 2)",
        ),
    ),
    ("4 6", ("4 * 6 = 24 (left: 24)", "4 + 6 = 10 (left: 10)", "6 - 4 = 2 (left: 2)")),
)

VALUES: tuple[tuple[str, str], ...] = (
    ("10 14", "10 + 14 = 24. sure"),
    ("11 12", "11 + 12 = 23, 12 - 11 = 1, 11 * 12 = 132. impossible"),
    ("4 4 10", "4 * 4 = 16, 16 + 10 = 26; (10 - 4) * 4 = 24. sure"),
    ("1 3 3", "at most (1 + 3) * 3 = 12, too small. impossible"),
    ("10 10 11", "10 + 10 + 11 = 31, (11 - 10) * 10 = 10. impossible"),
    ("5 7 8", "5 + 7 + 8 = 20, (8 - 5) * 7 = 21, close to 24. likely"),
)

JUDGED: tuple[tuple[str, str], ...] = (
    ("Numbers: 4 4 6 8\nAnswer: (4 + 8) * (6 - 4)", "12 * 2 = 24, each number once. sure"),
    ("Numbers: 2 9 10 12\nAnswer: 2 * 12 * (11 - 10)", "11 is not one of the numbers. impossible"),
    ("Numbers: 1 4 5 8\nAnswer: 8 * (5 - 4 + 1)", "8 * 2 = 16, not 24. impossible"),
)

_VERDICT_WORDS = "sure, likely or impossible"
RULES = "Use each number exactly once, with + - * / and brackets, to make 24."


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


class Game24(Refinable, Checkable, PaperStyled, Commenting):
    """The task. ``steps`` is 4: three equations and the answer.

    A program helps the model here: illegal steps are refused, and one number left is judged without asking. The paper
    has no such help: see ``unchecked``, and ``in_paper_style`` for its prompts.
    """

    name = "game24"
    summary = "make 24 from four numbers with + - * / (Tree of Thoughts, section 4.1)"
    steps = 4
    styles: tuple[str, ...] = ("one-shot", "three-shot", "lean")
    worst = VERDICTS["impossible"]
    verdicts: Mapping[str, float] = {word: VERDICTS[word] for word in ("sure", "likely", "impossible")}

    # ---------------------------------------------------------------- problems

    def splits(self) -> dict[str, str]:
        return {
            "all": "all 1,362 solvable puzzles over 1..13, easiest first",
            "easy": "ranks 1 to 100 of `all`",
            "starter": "40 puzzles: every tenth of ranks 1 to 400 of `all`, for weak models",
            "hard": "ranks 901 to 1000 of `all`, as the paper takes ranks 901 to 1000 of its list",
            "authors": f"the authors' list in its own order, read from {' or '.join(FILES)} in TOT_DATA_DIR",
            "authors-hard": "ranks 901 to 1000 of the authors' list: the paper's own test set",
        }

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split. Raises ValueError for an unknown one, or a file that is missing or malformed."""
        loaders: dict[str, Callable[[], list[Problem]]] = {
            "all": _bundled,
            "easy": lambda: _bundled()[:100],
            "starter": lambda: _bundled()[9:400:10],
            "hard": lambda: _bundled()[900:1000],
            "authors": _authors,
            "authors-hard": lambda: _authors()[900:1000],
        }
        if split not in loaders:
            raise ValueError(f"game24 has no split {split!r}: choose one of {', '.join(loaders)}")
        return loaders[split]()

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

    def unchecked(self) -> Checkable:
        """Steps are believed, and the model judges single numbers and answers, as in the paper."""
        from .game24_unchecked import Unchecked

        return Unchecked()

    def in_paper_style(self) -> Checkable:
        """Prompts and readers for replies of any length."""
        from .game24_paper import PaperGame24

        return PaperGame24()

    def same(self, answer: str) -> str:
        """The answer without spaces: answers are the same only if they have the same characters."""
        return re.sub(r"\s+", "", strip_answer(answer))

    # ---------------------------------------------------------------- IO, CoT, refine

    def io(self, state: State) -> Request:
        shown = [(f"Numbers: {x}", f"Answer: {answer}") for x, _, answer in EXAMPLES]
        return chat(f"{RULES} Reply with one line: the answer.", shown, f"Numbers: {state.x}", max_tokens=40)

    def cot(self, state: State) -> Request:
        shown = [(f"Numbers: {x}", f"{_lines(steps)}\nAnswer: {answer}") for x, steps, answer in EXAMPLES]
        return chat(f"{RULES} Write three steps, then the answer.", shown, f"Numbers: {state.x}", max_tokens=110)

    def refine(self, state: State) -> Request:
        """The direct prompt, then every earlier attempt, each answered with: not correct, reflect and refine."""
        messages = list(self.io(state).messages)
        for attempt in state.thoughts:
            messages += [
                Message("assistant", attempt.text),
                Message(
                    "user",
                    "That is not correct. Reflect on your mistakes and reply with a refined answer,"
                    " the expression only.",
                ),
            ]
        return Request(tuple(messages), max_tokens=40)

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [_answer(text, final=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        if not re.search(r"answer|\\boxed", text[:MAX_REPLY], re.IGNORECASE):
            thought = Thought(shorten(text.strip(), MAX_REPLY), final=True)
            return [Read(thought, "the chain has no answer line", shorten(text))]
        return [_answer(text, final=True)]

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        return [_answer(text, final=False)]

    # ---------------------------------------------------------------- tree search

    def propose(self, state: State, style: str) -> Request:
        """The prompt for next steps; with one number left, for the answer as one expression (as the paper asks for it).

        Styles: "one-shot" is the paper's and "three-shot" its variant for weak models; in both the model writes down
        the numbers left. "lean" (ours) has three examples without them: the program keeps count, for half the tokens.
        """
        numbers = left(state)
        if len(numbers) == 1:
            shown = [(f"Numbers: {x}\n{_lines(steps)}", f"Answer: {answer}") for x, steps, answer in EXAMPLES]
            done = _lines([str(step) for step in steps_of(state)])
            system = f"{RULES} Write the three steps as one expression."
            return chat(system, shown, f"Numbers: {state.x}\n{done}", max_tokens=40)
        shown = [(f"Numbers: {x}", _lines(steps)) for x, steps in PROPOSALS[: 1 if style == "one-shot" else 3]]
        system = (
            "Combine two of the numbers with + - * or / and say which numbers are left."
            " List up to eight possible next steps."
        )
        if style == "lean":
            shown = [(x, re.sub(r" \(left.*", "", steps)) for x, steps in shown]
            system = "Combine two of the numbers with + - * or /. List up to eight possible next steps."
        return chat(system, shown, f"Numbers: {shown_left(state)}", max_tokens=90 if style == "lean" else 180)

    def read_proposals(self, state: State, text: str) -> list[Read[Thought]]:
        """Each line of a proposal as a thought, checked exactly; the answer once only one number is left."""
        if len(left(state)) == 1:
            return [_answer(text, final=True)]
        return [self.read_line(state, line) for line in self.lines(text)] or [bad("empty reply", text)]

    def lines(self, text: str) -> list[str]:
        """The lines of a reply that may be steps: not empty ones, nor headings."""
        return [line for line in text[:MAX_REPLY].splitlines() if line.strip() and not line.rstrip().endswith(":")]

    def read_line(self, state: State, line: str) -> Read[Thought]:
        """One line of a proposal."""
        step = read_step(line, left(state))
        return Read(Thought(str(step.value), step.value), text=line) if step.value else bad(step.why, line)

    def compose(self, state: State) -> list[Thought] | None:
        """The answer, written down by program, once only one number is left; before that, None."""
        if len(left(state)) != 1:
            return None
        steps = [step for step in steps_of(state) if isinstance(step, Step)]
        answer = expression(numbers_of(state.x), steps)
        return [Thought(f"Answer: {answer}", steps[-1], answer, final=True)]

    def value(self, state: State) -> Request:
        """The question whether the numbers left can make 24; for an answer that a model wrote, whether it is right."""
        if state.terminal:
            system = f"{RULES} Judge in one line whether the answer does: end with sure or impossible."
            return chat(system, JUDGED, f"Numbers: {state.x}\nAnswer: {state.answer}", max_tokens=48)
        system = f"Can the numbers make 24 with + - * /, each used once? Try in one line: end with {_VERDICT_WORDS}."
        return chat(system, VALUES, shown_left(state), max_tokens=48)

    def read_value(self, text: str) -> Read[float]:
        word = last_word(text, VERDICTS)
        return Read(VERDICTS[word.value], text=word.text) if word.value else bad(word.why, text)

    def forms(self) -> Mapping[str, Form]:
        """Forms for next steps (or the answer, where one number is left) and for values."""

        def members(state: State, *_: str) -> dict[str, dict[str, Any]]:
            if len(left(state)) == 1:
                return {"answer": {"type": "string"}}
            return {"steps": {"type": "array", "items": {"type": "string"}, "maxItems": 8}}

        def read(data: dict[str, Any], state: State) -> list[Read[Thought]]:
            lines = [string(data, "answer")] if len(left(state)) == 1 else [str(line) for line in data["steps"]]
            return self.read_proposals(state, "\n".join(" ".join(line.split()) for line in lines))

        return {"propose": Form(members, read), "value": verdict(self.verdicts, self.read_value)}

    def judge(self, state: State) -> float | None:
        """The verdict where no model is needed: on one number left, and on an attempt without an answer. None: ask."""
        if state.terminal and state.answer is None:
            return VERDICTS["impossible"]
        if (state.terminal and state.last and state.last.data is None) or len(left(state)) > 1:
            return None
        return VERDICTS["sure" if left(state)[0] == TARGET else "impossible"]


def _lines(steps: Iterable[str]) -> str:
    return "\n".join(steps)


def chat(system: str, shown: Iterable[tuple[str, str]], asked: str, *, max_tokens: int) -> Request:
    """A few-shot prompt as a conversation: small models follow the format of examples better in this form."""
    turns = [Message(role, text) for pair in shown for role, text in zip(("user", "assistant"), pair, strict=True)]
    return Request((Message("system", system), *turns, Message("user", asked)), max_tokens=max_tokens)


def _answer(text: str, *, final: bool) -> Read[Thought]:
    """The expression after the last "Answer:" or in a last "\\boxed", otherwise the first line that looks like one.

    Without one, the attempt still counts: a thought that states no answer, and the reason.
    """
    read, text = text.strip()[:MAX_REPLY], shorten(text.strip(), MAX_REPLY)
    marked = _MARKED.findall(read)
    named = [said for mark, said in marked if mark or _like_expression(said)]  # not "... the answer."
    found = named or [said for _, said in marked] or _BOXED.findall(read)
    line = found[-1] if found else next(filter(_like_expression, read.splitlines()), "")
    answer = strip_answer(line)
    if not re.search(r"\d", answer):
        return Read(Thought(text, final=final), "no expression in the reply", shorten(text))
    return Read(Thought(text, None, answer, final), text=line)


_MARKED = re.compile(r"answer(?=(\s+is\b|[*`$\s]*:)?)(?:\s+is\b)?[\s:*`$]*([^\s:*`$].*)", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed ?\{((?:[^{}]|\{[^{}]{0,40}\}){1,200})\}")


def _like_expression(line: str) -> bool:
    """Is there an operator between two digits? (Two patterns: a single one takes cubic time on a hostile line.)"""
    inner = re.search(r"\d.*\d", line)
    return bool(inner and re.search(r"[-+*/×÷−]", inner.group()))


def _bundled() -> list[Problem]:
    return [Problem(line, line) for line in lines_of("game24_puzzles.txt")]


FILES = ("game24_4nums.csv", "24.csv", "24/24.csv")  # names of the authors' list; the last two are theirs


def _authors() -> list[Problem]:
    import csv

    path = data_file("the authors' ranked list", FILES)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} cannot be read as a table ({error}): download the authors' list again") from error
    if not rows or "Puzzles" not in rows[0]:
        raise ValueError(f"{path.name} has no column 'Puzzles': it should be the ranked list of the paper's authors")
    problems = []
    for i, row in enumerate(rows, 1):
        try:
            problems.append(Game24().problem(row["Puzzles"] or ""))
        except ValueError as error:
            raise ValueError(f"{path.name}, puzzle {i}: {error}; download the authors' list again") from error
    return problems
