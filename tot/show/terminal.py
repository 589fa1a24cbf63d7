"""Plain text, for terminals and screen readers: a trace as a tree; how a run ended, as ``tot solve`` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..lm.base import TOOL, UNFINISHED, Usage
from ..parse import REFUSED
from ..trace import Trace
from .escaping import block, cells, clean, count, cut, line
from .limits import missing, over_the_budget, why_stopped
from .tree import Item, Picture, Traced, caption, fold, picture, refusing_damage

if TYPE_CHECKING:
    from ..solution import Solution

ORDINARY = ("stop", "length", "refusal", *UNFINISHED)  # how replies end; another word of a server's is shown
REASONS = 3  # why replies could not be read: the most frequent reasons are named


# -------------------------------------------------------------------- the tree


@refusing_damage
def text(trace: Traced, *, width: int = 100, max_dropped: int | None = None) -> str:
    """One line for each node: its thought, its numbers, what became of it; an arrow marks the chosen one.

    ``width``: in columns, at least 40; long thoughts are cut. ``max_dropped``: how many children of a node that were
    not kept are listed before the rest becomes "+12 not kept"; None lists all.
    """
    seen = picture(trace)
    width = max(width, 40)
    rows = _rows(seen, fold(seen, max_dropped, None), width)
    column = max(cells(left) for left, _ in rows)
    lines = [cut(one, width, cells) for one in caption(seen) if one]
    for left, right in rows:
        gap = max(min(column, width - 2 - cells(right)) - cells(left), 0) + 2
        lines.append(cut(f"{left}{' ' * gap}{right}".rstrip(), width, cells))
    return "\n".join(lines)


def _rows(seen: Picture, items: dict[str, Item], width: int) -> list[tuple[str, str]]:
    rows = []
    stack = [(seen.root, "", "")]  # id, its own prefix, the prefix of its children
    while stack:
        id, prefix, below = stack.pop()
        item = items[id]
        right = _facts(item, seen)
        if len(prefix) > width // 2:  # too deep to draw: the level as a number
            prefix = f"… level {item.depth}: "
        room = max(width - len(prefix) - cells(right) - 2, 10)
        rows.append((prefix + cut(line(item.thought) or "(empty)", room, cells), right))
        for child in reversed(item.children):
            last = child == item.children[-1]
            deep = below if len(below) > width else below + ("   " if last else "│  ")
            stack.append((child, below + ("└─ " if last else "├─ "), deep))
    return rows


def _facts(item: Item, seen: Picture) -> str:
    if item.status == "more":
        return ""
    facts = [item.measures, item.word if item.depth else "", item.verdict]
    if item.answer is not None and (item.final or item.end) and line(item.answer) not in line(item.thought):
        facts.insert(0, f"answer {cut(line(item.answer), 40, cells)}")
    if item.end:
        facts.append(f"← {seen.mark}")
    elif item.chosen and item.depth:
        facts.append("← path")
    return "  ".join(filter(None, facts))


# -------------------------------------------------------------------- how a run ended


def outcome(solution: Solution, note: str = "") -> str:
    """How a run ended: the tree, the plan or the answer, what went wrong, and the cost. ``note``: the task's own
    remark.
    """
    lines = [text(solution.trace, max_dropped=3), ""] if solution.trace.nodes() else []
    return "\n".join([*lines, *_planned(solution), *_answered(solution), *_ended(solution, note), *_bill(solution)])


def not_read(trace: Trace) -> str:
    """What could not be read, by role, with the first such text: "4 of 12 replies (judge: no score in the reply; the
    first was 'Good.')". "" if everything was read.
    """
    replies, whys, first, role = Counter[str](), dict[str, Counter[str]](), dict[str, str](), ""
    for event in trace.events:
        if event["kind"] == "asked":
            role = event["role"]
            replies[role] += sum(len(request["samples"]) for request in event["requests"])
        for entry in event.get("unread", ()):
            whys.setdefault(role, Counter())[entry["why"]] += 1
            if entry["why"] != REFUSED:  # that is quoted on a line of its own
                first.setdefault(role, cut(line(entry.get("text", "")), 60))
    parts = []
    for role, found in whys.items():
        n, reasons = found.total(), [cut(line(why), 60) for why, _ in found.most_common(REASONS)]
        whole = role != "generator" and n <= replies[role]  # in a proposal each line is read by itself
        much = count(n, "reply or line of one", "replies or lines of replies")  # as the lab says it
        much = f"{n} of {count(replies[role], 'reply', 'replies')}" if whole else much
        more = ", ..." if len(found) > len(reasons) else ""
        as_ = ", counted as 0" if role == "evaluator" else ""
        quoted = f"; the first was {first[role]!r}" if first.get(role) else ""
        parts.append(f"{much}{as_} ({role}: {', '.join(reasons)}{more}{quoted})")
    return ", ".join(parts)


def _planned(solution: Solution) -> Iterator[str]:
    """A plan that was not carried out, with what the judges said of it."""
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
            elif not solution.result.ledger.rounds:
                why = "nothing was asked: the task's steps, or a limit among the knobs, may be 0"
        yield f"answer: none ({why})" if why else "answer: none"


def _ended(solution: Solution, note: str) -> Iterator[str]:
    """Why it stopped, what its tools cost, what could not be read, what was refused."""
    result = solution.result
    if result.stopped == "unfinished":
        yield f"unfinished: {solution.trace.events[-1].get('why', '')}; this is the best so far"
    elif said := why_stopped(result):
        yield f"stopped: {said}"
    elif result.stopped == "stopped":
        yield "stopped by you"
    yield from over_the_budget(result)
    if bill := solution.trace.result.get("tools"):
        spent = f"{bill['calls']} calls, {bill['failed']} of them failed, {bill['total']:g} in all"
        yield f"tools: {spent}, {bill['path']:g} on the path above"
    if note:
        yield f"note: {note}"
    if unread := not_read(solution.trace):
        yield f"not read: {unread}"
    if share := missing(solution.trace):
        yield f"not a verdict: where the verdicts stand, the model would have said something else with {share}"
    if cut := result.cut:
        more = "--max-tokens N allows N tokens, or --think-tokens N more of them to think with"
        yield f"cut off: {count(cut, 'reply', 'replies')} at the limit of tokens; {more}"
    if thinking := result.still_thinking:
        halted = sum(sample["finish"] == "stopped thinking" for sample in solution.trace.samples())
        todo = "--lm-option stop=none mends it" if halted == thinking else "--think-tokens gives more"
        yield f"still thinking: {count(thinking, 'reply', 'replies')} ended before an answer; {todo}"
    if others := _ends(solution.trace):
        yield f"ended otherwise: {others}"
    if refused := solution.refused:
        yield f"refused: {count(len(refused), 'sample')}; the model said: {line(refused[0])}"


def _ends(trace: Trace) -> str:
    """The server's own words for how replies of models ended, where these say more than the usual ones."""
    asked = [event for event in trace.events if event["kind"] == "asked" and event["role"] != TOOL]
    ends = Counter(str(sample["finish"]) for sample in Trace(events=asked).samples())
    return ", ".join(
        f"{count(n, 'reply', 'replies')} with {line(end)[:40]}" for end, n in ends.items() if end not in ORDINARY
    )


def _bill(solution: Solution) -> Iterator[str]:
    ledger = solution.result.ledger
    roles = {role: usage for role, usage in ledger.asked.items() if role != TOOL}
    if len(roles) > 1:
        yield from (f"    {role}: {count(usage.calls, 'call')}, {_tokens(usage)}" for role, usage in roles.items())
    asked, paid = ledger.total, ledger.total_paid
    cost = f"cost: {count(asked.calls, 'call')} in {count(ledger.rounds, 'round')}, {_tokens(asked)}"
    if paid.calls > asked.calls or paid.tokens > asked.tokens:
        fewer = paid.calls > asked.calls and 0 < paid.samples == asked.samples
        why = ", since the server gave fewer samples a call" if fewer else ""
        cost += f" (paid: {count(paid.calls, 'call')}, {_tokens(paid)}{why})"
    elif paid.tokens < asked.tokens:
        cost += f" (paid now: {paid.tokens} tokens; the rest is recorded)"
    yield cost


def _tokens(usage: Usage) -> str:
    dollars = f", ${usage.dollars:.4f}" if usage.dollars else ""
    cached = f" ({usage.cached_tokens} from a cache)" if usage.cached_tokens else ""
    thinking = f" ({usage.thinking_tokens} of them thinking)" if usage.thinking_tokens else ""
    return f"{usage.prompt_tokens} tokens in{cached}, {usage.completion_tokens} out{thinking}{dollars}"
