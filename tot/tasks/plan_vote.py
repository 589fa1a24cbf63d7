"""Shared by the tasks that are solved in the steps plan, vote, solution, vote: reading a plan, and the votes.

In the paper's style one prompt asks for both parts, as the paper's CoT prompt: the plan is sampled from it up to the
label of the second part, and the second part from the same prompt with the plan below it. Ballots compare the choices
at length, the second one with their plans (section 4.2, appendix B.1).
"""

import re
from collections.abc import Sequence
from functools import cache

from ..lm.base import Request
from ..parse import LONG_REPLY, MAX_REPLY, Read, bad, shorten
from ..reply import data_in, ended, pattern, put_right, taken_back, unmarked
from ..state import State, Thought
from .ballots import choice
from .style import Styled, as_parts

Labels = tuple[str, ...]  # of the thoughts on a path: ("Plan", "Passage"), ("Strategy", "Answer")


def labelled(text: str) -> Read[Thought]:
    """A plan that is kept as it is, but for its label, cut to 1,000 characters."""
    plan = re.sub(r"^[\s*#]*plan[\s*]*:[\s*]*", "", unmarked(text[:MAX_REPLY]).strip(), flags=re.IGNORECASE)
    return Read(Thought(shorten(plan, 1000))) if re.search(r"\w", plan) else bad("no plan in the reply", text)


def read_plan(text: str, label: str = "plan", most: int = 1000) -> Read[Thought]:
    """A plan without what stands around it, cut to ``most`` characters: see ``plan_in``."""
    whole = most > MAX_REPLY
    plan = plan_in(text[:LONG_REPLY], whole, lead=whole or label == "plan")
    if plan.value is None:
        return bad(plan.why.replace("no plan in", f"no {label} in"), text)
    return Read(Thought(shorten(plan.value, most)))


def choices(states: Sequence[State], parts: Labels) -> str:
    """The numbered choices of a vote prompt (section 4.2): newest thoughts alone, or with ``parts`` all thoughts."""
    texts = [as_parts(state, parts) if parts else state.last.text if state.last else "" for state in states]
    return "\n\n".join(f"Choice {i}:\n{text}" for i, text in enumerate(texts, 1))


class Voted(Styled):
    """What is alike in tasks of two ``steps``, a plan and what follows it, each of which a vote chooses."""

    steps = 2

    def step(self, state: State) -> Request:
        """The prompt for a plan; below a plan, for what follows it."""
        return self.ask("step, later" if state.last else "step", state)

    def ballot(self, states: Sequence[State]) -> Request:
        prompt = "ballot" if len(states[0].thoughts) == 1 else "ballot, later"
        return self.ask(prompt, states[0], choices=choices(states, self.style.parts))

    def read_ballot(self, text: str, options: int) -> Read[int]:
        return choice(text, options)


# ---------------------------------------------------------------- reading a plan

_FENCED = re.compile(r"\s*```\w{0,12}\n(.*?)\n?```\s*\Z", re.DOTALL)
_TAGGED = re.compile(r"<(plan|strategy|answer|response)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


def plan_in(text: str, whole: bool = False, lead: bool = True) -> Read[str]:
    """A plan as a model writes it, without what comes before it (a greeting, a heading, the word "Plan:", the plan that
    it is to replace; with ``lead`` also a sentence) and behind it (an offer, how it is carried out; with ``whole`` also
    an answer, why it is good).

    The rest is kept as it is, prose, lists and markup alike. A refusal is no plan, nor is a thought that was cut off.
    """
    plan = ended(text).strip()
    again = pattern("plan_label").search(put_right(plan))
    if again and (taken_back(plan) or pattern("plan_restated").match(plan)):
        plan = put_right(plan)[again.start() :]
    for inner in (_TAGGED.search(plan), _FENCED.match(plan)):
        plan = inner[inner.lastindex or 0].strip() if inner else plan
    data = data_in(plan) if plan.startswith("{") else None
    steps = next((value for value in data.values() if value), "") if isinstance(data, dict) else ""
    plan = "\n".join(map(str, steps)) if isinstance(steps, list) else str(steps) or plan
    better = [*pattern("plan_better").finditer(plan)]
    # in our own style only behind another label, as recordings have it otherwise
    if better and (whole or re.match(r"\W*\w{1,12}\s\w{1,12}\W*[:：]", plan)) and plan[better[-1].end() :].strip():
        plan = plan[better[-1].start() :]
    opening = "plan_opening" if lead else "plan_opening_short"
    openings = ["plan_before", opening, *["plan_heading"] * (len(re.findall(r"(?m)^#", plan)) < 2)]
    for _ in range(8):
        begin = next((found for name in openings if (found := pattern(name).match(plan)) and found[0]), None)
        if not begin:
            break
        plan = plan[begin.end() :]
    fenced = _FENCED.match(plan)
    plan = (fenced[1] if fenced else plan).strip()
    plan = plan[: _end(plan, "plan_behind_whole" if whole else "plan_behind")]
    if items := [*pattern("plan_items").finditer(plan)]:
        last = re.compile(r"\n[ \t]*\n(?![ \t\d])").search(plan, items[-1].end())
        if last and (whole or not pattern("plan_comment").match(plan, last.end())):
            plan = plan[: last.start()]
    first = plan.partition("\n")[0]
    if items and len(first) > 12 and f"\n{plan}".count(f"\n{first}") > 2:  # it says the same list over and over
        plan = plan[: plan.index(f"\n{first}", 1)]
    lines = plan.strip().splitlines()
    while lines and re.fullmatch(r"\s*(?:[-*_=]{3,}\s*)?", lines[-1]):
        lines.pop()
    plan = "\n".join(lines).strip()
    if not re.search(r"\w", plan) or pattern("plans").fullmatch(plan):
        return bad("no plan in the reply")
    if not items and pattern("plan_refused").match(plan):
        return bad("the reply says that there is no plan")
    if not items and pattern("plan_thought").match(plan):
        return bad("no plan, but a thought or a question")
    return Read(plan)


_BULLET = re.compile(r"\s*[-*•–+]\s")
_BULLETS = re.compile(rf"{_BULLET.pattern}[^\n]*\n{_BULLET.pattern}")


def _end(plan: str, behind: str) -> int:
    """Where what stands ``behind`` a plan begins: not between two items of its list ("1. ... Note: ... 2. ...")."""
    items = ((one.start(), re.search(r"\d+", one[0], re.ASCII)) for one in pattern("plan_items").finditer(plan))
    numbered = [(at, int(number[0])) for at, number in items if number]
    for one in pattern(behind).finditer(plan, 1):
        last = max((n for n in numbered if n[0] < one.start()), default=(0, 0))[1]
        first = min((n for n in numbered if n[0] >= one.start()), default=(0, 0))[1]
        goes_on = (last and first == last + 1) or (_BULLETS.match(plan, one.start()) and _BULLET.match(plan))
        if re.search(r"\w", plan[: one.start()]) and not goes_on:
            return one.start()
    return len(plan)


# ---------------------------------------------------------------- reading long replies


PASSAGES = "(?:改进后的|修改后的|最终)?(?:文章|正文|短文|故事)"


@cache
def label(part: str) -> re.Pattern[str]:
    """A line that begins with the label of a part ("Passage: ...", "Refined passage:"), or is it ("## Passage")."""
    chinese = {"Plan": "计划|大纲|提纲", "Passage": PASSAGES}.get(part, part)
    name = rf"(?:(?:(?:the|my|new|final|refined|revised|improved|better)[ ]){{0,2}}{part}|{chinese})"
    return re.compile(
        rf"^[\s>*_#]{{0,8}}{name}[ *_]{{0,4}}[:：][ *_]{{0,4}}|^[ >]{{0,4}}(?:#{{1,6}}[ ]|\*\*|__){name}[ *_]{{0,4}}$",
        re.IGNORECASE | re.MULTILINE,
    )


def read_long_plan(text: str, parts: Labels) -> Read[Thought]:
    """The first part of a reply, whole: below its label if it has one, above the label of the second part."""
    said = label(parts[1]).split(text[:LONG_REPLY], maxsplit=1)[0]
    plan = label(parts[0]).split(said, maxsplit=1)[-1].strip()
    return Read(Thought(plan)) if re.search(r"\w", plan) else bad(f"no {parts[0].lower()} in the reply", text)


def second_part(text: str, parts: Labels) -> str:
    """The second part of a reply, whole: below its label, if the reply begins with it or repeats the first part."""
    text = text[:LONG_REPLY].strip()
    found = label(parts[1]).search(text)
    if found and (not re.search(r"\w", text[: found.start()]) or label(parts[0]).search(text[: found.start()])):
        return text[found.end() :].strip()
    return text
