"""How a run for one problem ended, in lines of text: what ``tot solve`` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..lm.base import TOOL, Usage
from ..trace import Trace
from .text import text
from .words import block, clean, count, cut, line

if TYPE_CHECKING:
    from ..solution import Solution


def outcome(solution: Solution, note: str = "") -> str:
    """The tree, the answer or the plan, what went wrong on the way, and the bill. ``note``: what the task adds."""
    lines = [text(solution.trace, max_dropped=3), ""] if solution.trace.nodes() else []
    return "\n".join([*lines, *_planned(solution), *_answered(solution), *_ended(solution, note), *_bill(solution)])


def not_read(trace: Trace) -> str:
    """What no reader could use, by role: "4 of 12 replies (judge: no score in the reply)". "" if all were read."""
    replies, whys, role = Counter[str](), dict[str, Counter[str]](), ""
    for event in trace.events:
        if event["kind"] == "asked":
            role = event["role"]
            replies[role] += sum(len(request["samples"]) for request in event["requests"])
        for entry in event.get("unread", ()):
            whys.setdefault(role, Counter())[entry["why"]] += 1
    parts = []
    for role, found in whys.items():
        n, reasons = found.total(), [cut(line(why), 60) for why, _ in found.most_common(3)]
        whole = role != "generator" and n <= replies[role]  # of a proposal, each line is read
        much = count(n, "reply or line of one", "replies or lines of replies")  # as the lab says it
        much = f"{n} of {count(replies[role], 'reply', 'replies')}" if whole else much
        more = ", ..." if len(found) > len(reasons) else ""
        parts.append(f"{much} ({role}: {', '.join(reasons)}{more})")
    return ", ".join(parts)


def _planned(solution: Solution) -> Iterator[str]:
    """A plan for a person to look at, with what the judges said of it."""
    if solution.plan:
        yield from ("plan, not carried out:", block(solution.plan))
        best = solution.result.best[0]
        if best.note:
            yield "the judges say" + (":" if best.value is None else f", reward {best.value:.2g}:")
            yield from (f"    {words}" for words in block(best.note).splitlines())
        yield "to carry it out, write it to a file, as it is or changed: --method plan-and-solve --plan @FILE"


def _answered(solution: Solution) -> Iterator[str]:
    if solution.answer is not None:
        yield clean(f"answer: {solution.answer} ({solution.verdict})")
    elif not solution.plan:
        why = ""
        if solution.result.stopped == "done" and not solution.error:
            why = "what came out states no answer" if solution.answers else "the search ended without an output"
            if not solution.answers and set(solution.result.ledger.asked) == {"planner"}:
                why = "no plan could be read"
        yield f"answer: none ({why})" if why else "answer: none"


def _ended(solution: Solution, note: str) -> Iterator[str]:
    """Why it stopped, and what a person should know besides."""
    result = solution.result
    if result.stopped == "unfinished":
        yield f"unfinished: {solution.trace.events[-1].get('why', '')}; this is the best so far"
    elif result.stopped not in ("done", "until", "error"):
        yield f"stopped: the budget of {result.stopped} is used up"
    if bill := solution.trace.result.get("tools"):
        spent = f"{bill['calls']} calls, {bill['failed']} of them failed, {bill['total']:g} in all"
        yield f"tools: {spent}, {bill['path']:g} on the path above"
    if note:
        yield f"note: {note}"
    if unread := not_read(solution.trace):
        yield f"not read: {unread}"
    if refused := solution.refused:
        yield f"refused: {count(len(refused), 'sample')}; the model said: {line(refused[0])}"


def _bill(solution: Solution) -> Iterator[str]:
    ledger = solution.result.ledger
    roles = {role: usage for role, usage in ledger.asked.items() if role != TOOL}
    if len(roles) > 1:
        yield from (f"    {role}: {count(usage.calls, 'call')}, {_tokens(usage)}" for role, usage in roles.items())
    asked, paid = ledger.total, ledger.total_paid
    cost = f"cost: {count(asked.calls, 'call')} in {count(ledger.rounds, 'round')}, {_tokens(asked)}"
    if paid.tokens < asked.tokens:
        cost += f" (paid now: {paid.tokens} tokens; the rest is recorded)"
    yield cost


def _tokens(usage: Usage) -> str:
    dollars = f", ${usage.dollars:.4f}" if usage.dollars else ""
    return f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out{dollars}"
