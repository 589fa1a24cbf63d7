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
from ..reply import data_in, ended, one_of, put_right, taken_back
from ..state import State, Thought
from .ballots import choice
from .style import Styled, as_parts

Labels = tuple[str, ...]  # of the thoughts on a path: ("Plan", "Passage"), ("Strategy", "Answer")


def labelled(text: str) -> Read[Thought]:
    """A plan that is kept as it is, but for its label, cut to 1,000 characters."""
    plan = re.sub(r"^[\s*#]*plan[\s*]*:[\s*]*", "", text[:MAX_REPLY].strip(), flags=re.IGNORECASE)
    return Read(Thought(shorten(plan, 1000))) if re.search(r"\w", plan) else bad("no plan in the reply", text)


def read_plan(text: str, label: str = "plan", most: int = 1000) -> Read[Thought]:
    """A plan without what stands around it, cut to ``most`` characters: see ``plan_in``."""
    whole = most > MAX_REPLY
    plan = plan_in(text[: max(most, MAX_REPLY)], whole, lead=whole or label == "plan")
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

_STEP = (  # how an item of a list begins
    r"[ \t>*_]{0,6}(?:\(?\d{1,2}[.)\]、]|[-*•–+]\s|\(?[ivx]{1,4}[.)]\s|\(?[a-z][.)]\s"
    r"|(?:step|schritt|étape|paso|шаг)\s?\d|第.{1,2}步|ステップ)"
)
_LIST = re.compile(rf"^{_STEP}", re.IGNORECASE | re.MULTILINE)
_RULE = re.compile(r"\s*(?:[-*_=]{3,}\s*)?(?:\n|\Z)")  # an empty line, or a line across the page
_PARAGRAPH = re.compile(r"\n[ \t]*\n(?![ \t\d])")
_ANSWER = re.compile(r"(?:so )?(?:the )?answer is [^.\n]{1,40}\.?|\W*\d[\d.,]*\W*", re.IGNORECASE)
_FENCED = re.compile(r"\s*```\w{0,12}\n(.*?)\n?```\s*\Z", re.DOTALL)
_TAGGED = re.compile(r"<(plan|strategy|answer)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


@cache
def _before(lead: bool, several: bool) -> tuple[re.Pattern[str], ...]:
    """What may stand before a plan: its label, a greeting, a heading, thanks."""
    label = rf"[\s#*_>]*(?:[^\W\d]{{1,12}}[ ]){{0,3}}{one_of('plans')}(?:[ ]?\d{{1,2}})?[*_ ]{{0,4}}[:：][*_]*[ \t]*"
    alone = rf"[\s#*_>]*(?:[^\W\d]{{1,12}}[ ]){{0,3}}{one_of('plans')}[*_# ]{{0,4}}\n"
    greeting = rf"\W{{0,3}}{one_of('greetings')}\s?[!.。！](?:\s|(?<=[。！]))"
    thanks = rf"\W{{0,3}}{one_of('thanks')}[^\n]{{0,300}}\n\s*(?={_STEP}|{label})"
    more, most = (r"|\b(?:steps|instructions|approach)\b", 200) if lead else ("", 40)
    about = rf"(?<![a-zà-ÿа-я])(?:{one_of('plans', 'greetings', 'here')}{more})(?![a-zà-ÿа-я])"
    cjk = rf"|[^\n]{{0,60}}{one_of('plans', 'here')}[^\n]{{0,40}}。[ ]*(?=\s*\n{_STEP})"
    line = rf"|[^\n]{{0,120}}[:：][ *_]*(?=\s*\n{_STEP})|[^\n]{{0,120}}!\s*(?=\n)|[^\n]{{1,160}}\n[ \t]*(?=\n{_STEP})"
    line = line if lead else ""
    heading = r"[\s>]*#[^\n]*#{7}" if several else rf"[\s>]*#[^\n]*|\*\*[^*\n]{{1,80}}\*\*[:：]?[ ]*(?=\n\s*{_STEP})"
    opening = (  # "Here is a better plan:", "### Plan for the apples", "We can follow these steps:"
        rf"(?!\s*[-*•]\s|\W{{0,8}}(?:\d|step\s?\d))"
        rf"(?:{heading}|[^\n]{{0,{most}}}{about}[^\n]{{0,{most}}}[:：][ *_]*{cjk}{line})\n"
    )
    return tuple(re.compile(each, re.IGNORECASE) for each in (_RULE.pattern, label, alone, greeting, thanks, opening))


@cache
def _label() -> re.Pattern[str]:
    return re.compile(
        rf"(?m)^[ \t#*_>]{{0,8}}(?:[^\W\d]{{1,12}}[ ]){{0,3}}{one_of('plans')}[*_ ]{{0,4}}[:：]", re.IGNORECASE
    )


_RESTATED = re.compile(r"\W*(?:question|problem|frage|pregunta|вопрос|问题|問題)\W{0,3}[:：]", re.IGNORECASE)


@cache
def _said(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?m)^[\s>*_#-]{{0,8}}{one_of(*names)}", re.IGNORECASE)


@cache
def _better() -> re.Pattern[str]:
    better = "improved|revised|better|new|final|updated|verbesserter|neuer|mejorado|новый|改进后的?|新しい"
    label = rf"(?:{better})[ ]?{one_of('plans')}|{one_of('plans')}[ ](?:amélioré|révisé|mejorado|revisado)"
    return re.compile(
        rf"(?m)^[\s>*_#]{{0,8}}(?:(?:my|the)[ ])?(?:{label})(?:[*_ ]{{0,4}}[:：]|[*_#]{{1,4}}[ ]*$)", re.IGNORECASE
    )


def plan_in(text: str, whole: bool = False, lead: bool = True) -> Read[str]:
    """A plan as a model writes it, without what comes before it (a greeting, a heading, the word "Plan:", the plan that
    it is to replace; with ``lead`` also a sentence) and behind it (an offer, how it is carried out; with ``whole`` also
    an answer, why it is good).

    The rest is kept as it is, prose, lists and markup alike. A refusal is no plan, nor is a thought that was cut off.
    """
    plan = ended(text).strip()
    again = _label().search(put_right(plan)) if taken_back(plan) or _RESTATED.match(plan) else None
    plan = put_right(plan)[again.start() :] if again else plan
    for inner in (_TAGGED.search(plan), _FENCED.match(plan)):
        plan = inner[inner.lastindex or 0].strip() if inner else plan
    data = data_in(plan) if plan.startswith("{") else None
    steps = next((value for value in data.values() if value), "") if isinstance(data, dict) else ""
    plan = "\n".join(map(str, steps)) if isinstance(steps, list) else str(steps) or plan
    better = [*_better().finditer(plan)]  # in our own style only behind another label, as recordings have it otherwise
    if better and (whole or re.match(r"\W*\w{1,12}\s\w{1,12}\W*[:：]", plan)):
        plan = plan[better[-1].start() :] if re.search(r"\w", plan[better[-1].end() :]) else plan
    at, several = 0, len(re.findall(r"(?m)^#", plan)) > 1
    for _ in range(8):  # greeting, line, heading, label: in whatever order
        tried = (one.match(plan, at) for one in _before(lead, several))
        opening = next((found for found in tried if found and found.end() > at), None)
        if not opening:
            break
        at = opening.end()
    fenced = _FENCED.match(plan, at)
    plan = (fenced[1] if fenced else plan[at:]).strip()
    if (behind := _said("behind", *["comments"] * whole).search(plan, 1)) and re.search(r"\w", plan[: behind.start()]):
        plan = plan[: behind.start()]
    if items := [*_LIST.finditer(plan)]:
        last = _PARAGRAPH.search(plan, items[-1].end())
        if last and (whole or not _said("comments").match(plan, last.end())):
            plan = plan[: last.start()]
    lines = plan.strip().splitlines()
    while lines and re.fullmatch(r"\s*(?:[-*_=]{3,}\s*)?", lines[-1]):
        lines.pop()
    plan = "\n".join(lines).strip()
    first, _, rest = plan.partition("\n")
    if len(first) > 12 and f"\n{rest}".count(f"\n{first}") > 1 and items:  # it says the same list over and over
        plan = plan[: plan.index(f"\n{first}", 1)]
    if not re.search(r"\w", plan) or re.fullmatch(one_of("plans"), plan, re.IGNORECASE):
        return bad("no plan in the reply")
    if not items:
        if _said("refusals").match(plan) or _fine().search(plan) or _ANSWER.fullmatch(plan):
            return bad("the reply says that there is no plan")
        unfinished = _said("thoughts").match(plan) and plan[-1].isalnum()
        if unfinished or _said("thanks").match(plan) or re.search(r"[?？]\W{0,20}\Z", plan[-40:]):
            return bad("no plan, but a thought or a question")
    return Read(plan)


@cache
def _fine() -> re.Pattern[str]:
    return re.compile(one_of("fine"), re.IGNORECASE)


# ---------------------------------------------------------------- reading long replies


@cache
def label(part: str) -> re.Pattern[str]:
    """A line that begins with the label of a part ("Passage: ...", "Refined passage:"), or is it ("## Passage")."""
    name = rf"(?:(?:the|my|new|final|refined|revised|improved|better)[ ]){{0,2}}{part}"
    return re.compile(
        rf"^[\s>*_#]{{0,8}}{name}[ *_]{{0,4}}:[ *_]{{0,4}}|^[ >]{{0,4}}(?:#{{1,6}}[ ]|\*\*|__){name}[ *_]{{0,4}}$",
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
