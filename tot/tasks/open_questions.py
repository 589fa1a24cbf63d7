"""Open questions, answered with tools of one's own, by MCP. The prompts are in ``open_questions.toml``."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar

from ..lm.base import LM, Request
from ..parse import LONG_REPLY, Read, bad
from ..state import State, Thought
from ..tools import FINISH, Action, Costs
from ..tools.actions import MAX_ARGUMENT
from ..tools.described import Tool, read_call, request_of, tools_in
from ..tools.mcp import LIST, Servers
from . import hotpotqa
from .answers import SHORT, Format
from .base import Problem, Score
from .bundled import questions_of
from .open_answers import currency, read_open, right_open, same_open, undressed, unit_of, without_unit
from .style import Sources, style_of


class OpenQuestions(hotpotqa.Acting):
    """The task. ``tools``: a ``tot.tools.mcp.Servers``, or a recording of one; what may be called is in ``known``.
    ``writes``: the names of tools that may be called though they do not say that they only read.
    """

    name = "questions"
    summary = "open questions, answered with tools of your own (MCP servers: --mcp)"
    usual = "react"
    form = Format(SHORT.ask, read_open, same_open, right=right_open)
    style, paper = (
        style_of("open_questions", kind, base.readers, base.limits, base)
        for kind, base in (("own", hotpotqa.OWN), ("paper", hotpotqa.PAPER))
    )
    sources: ClassVar[Sources] = {
        "shop": ("24 questions on the shop of the manual's page on MCP, written for it", lambda: questions_of("shop")),
    }

    def __init__(self, tools: LM | None = None, writes: Sequence[str] = ()) -> None:
        self.tools, self.writes = tools or Servers(()), writes
        self._known: dict[str, Tool] = {}

    @property
    def known(self) -> dict[str, Tool]:
        """The tools by their names in prompts. Raises ValueError if there are none, or others than in the recording."""
        if not self._known:
            listed, live = self.tools([LIST])[0].texts[0], getattr(self.tools, "live", None)
            known = tools_in(listed, self.writes)
            now = tools_in(live([LIST])[0].texts[0], self.writes) if live else known
            if changed := [name for name in {**now, **known} if now.get(name) != known.get(name)]:
                raise ValueError(f"tools have changed since the recording ({', '.join(changed)}): record in a new file")
            self._known = known
        return self._known

    def calls(self, costs: str, failures: str) -> tuple[Callable[[State], Request | None], Callable[[State], float]]:
        """The calls, each at the price in ``costs``, or 1. Raises ValueError for failures on purpose."""
        if failures:
            raise ValueError("the tools of a server fail by themselves: leave out failures")
        return lambda state: request_of(state, self.known), Costs.parse(f"1,{costs}", self.known)

    def fields(self, state: State) -> dict[str, str]:
        tools = "\n".join(f"  {tool.shown(name)}" for name, tool in self._known.items())
        return {**super().fields(state), "tools": tools}

    def verify(self, problem: Problem, answer: str | None) -> Score:
        """As ``Acting`` does; behind a number that is right may stand a unit that the question has, but its currency
        may not be another than the right answer's.
        """
        score = super().verify(problem, answer)
        if len({currency(str(text)) for text in (answer, problem.gold)} - {""}) > 1:
            return replace(score, correct=False, why=f"another currency: not {problem.gold}")
        if score.correct or not answer or problem.gold is None:
            return score
        gold, counted = str(problem.gold), re.search(r"\bhow\b", problem.x, re.IGNORECASE)
        plain = without_unit(gold, problem.x) if counted else gold  # and no film, "12 Monkeys"
        number = without_unit(answer, problem.x)
        units = {unit_of(answer, number), unit_of(gold, plain)} - {""}
        other = len(units) > 1 or currency(answer) or "%" in answer  # than apples
        things = number != answer and not (currency(number) or "%" in number)  # 25 pupils are no 25%
        other = other if plain != gold else things and (currency(gold) or "%" in gold)
        if not right_open(plain, plain) or other:
            return score
        again = super().verify(replace(problem, gold=plain), number)
        return again if again.correct else score

    def read_act(self, state: State, text: str) -> list[Read[Thought]]:
        """As ``read_call``; but no sign of an answer is cut that may be its own: a word in its place is read."""
        every = (found for found in _FINISHED.finditer(text[:LONG_REPLY]) if not _KNOWN.match(found[1]))
        for found in islice(every, 9):
            answer = undressed("".join(c if c.isprintable() else " " for c in found[1]))
            [read] = self._call(f"{text[: found.start(1)]}{_PLACE}{text[found.end(1) :]}")
            if read.value and read.value.answer == _PLACE:
                if not re.search(r"\w", answer) or len(answer) > MAX_ARGUMENT:
                    return [bad("no answer that can be read", text)]
                said = read.value.text.replace(f"[{_PLACE}]", f"[{answer}]")
                return [Read(replace(read.value, text=said, data=Action(FINISH, answer), answer=answer))]
        return self._call(text)

    def _call(self, text: str) -> list[Read[Thought]]:
        return read_call(text, self._known, self.style.limits["thought"])


_PLACE = "xyzzy"
_FINISHED = re.compile(r"(?im)\bfinish\s?\[\n?((?:(?!finish\s?\[)[^\n])*?)\n?\](?=[^\w\n\]]*$)")
_KNOWN = re.compile(  # JSON, and what leads to an answer, are known to ``read_action``
    r"""\s*(?:\{\s*["'“]|["'“]?(?:the )?(?:final )?answer["'”]?\s?(?:[=:]|is\b|\Z)|.*(?:\\boxed|</?answer>))""",
    re.IGNORECASE,
)
