"""Siblings graded in one call: one prompt lists the states below a parent, and the reply has a verdict for each."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..ask import Ask, Asking, Evaluate
from ..evaluate import Judged
from ..events import Evaluated
from ..lm.base import Message, Reply, Request, Sample
from ..parse import Read, bad, no_answer, read_judged
from ..state import Node, State
from ..ties import total


def graded_together(
    prompt: Callable[[State], Request],
    read: Callable[[str], Read[float]],
    *,
    n: int = 3,
    first: int = 0,
    local: Judged | None = None,
    role: str = "evaluator",
) -> Evaluate:
    """V(p, S)(s) as in ``tot.evaluate.value``, with the same ``prompt`` and ``read``, but siblings share a request.

    Each of its ``n`` samples gives a verdict on each sibling. One that is missing, or cannot be read, adds nothing and
    is listed in ``unread``. For the other parameters see ``value``.
    """

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        families: dict[object, dict[Request, list[Node]]] = {}  # siblings that are asked about in the same words
        for node in nodes:
            sure = local(node.state) if local else None
            node.value = None if sure is None else n * sure
            if sure is None:
                one = prompt(node.state)
                families.setdefault((node.parent, one.messages[:-1]), {}).setdefault(one, []).append(node)
        requests = [listed([*family]).samples(first, n) for family in families.values()]
        groups = [[node for same in family.values() for node in same] for family in families.values()]
        asked = [node for group in groups for node in group]
        places = iter(range(len(asked)))
        replies: list[Reply] = yield Ask(role, asked, requests, [[next(places) for _ in group] for group in groups])
        unread = []
        for family, reply in zip(families.values(), replies, strict=True):
            heard = [read_listed(sample, len(family), read) for sample in reply.samples]
            for same, verdicts in zip(family.values(), zip(*heard, strict=True), strict=True):
                for node in same:
                    node.value = total(verdict.value or 0.0 for verdict in verdicts)
                    unread += [{"node": node.id, "why": v.why, "text": v.text} for v in verdicts if not v.ok]
        yield Evaluated(nodes, unread)

    return evaluate


def listed(requests: Sequence[Request]) -> Request:
    """One request for several that differ in their last message only: these are numbered, and the solved examples
    before them become one example, numbered in the same way. One request stays as it is.
    """
    one, *more = requests
    if not more:
        return one
    shown = [message for message in one.messages[:-1] if message.role != "system"]
    examples = [
        Message(role, _numbered(message.content for message in shown if message.role == role))
        for role in dict.fromkeys(message.role for message in shown)
    ]
    asked = Message("user", _numbered(request.messages[-1].content for request in requests))
    system = [message for message in one.messages[:-1] if message.role == "system"]
    room = one.max_tokens and one.max_tokens * len(requests)
    return replace(one, messages=(*system, *examples, asked), max_tokens=room)


def _numbered(texts: Iterable[str]) -> str:
    return "\n".join(f"{i}. {text.strip()}" for i, text in enumerate(texts, 1))


def read_listed(sample: Sample, of: int, read: Callable[[str], Read[float]]) -> list[Read[float]]:
    """What ``read`` finds behind each number of a reply to ``of`` questions, behind the last in its first paragraph if
    that ends in its verdict; unread where a number is not there, or is there again with another verdict.
    """
    if why := no_answer(sample):
        return [bad(why, sample.text)] * of
    if of == 1:
        return [read_judged(sample, read)]
    _, *parts = re.split(r"(?mi)(?:^[ *_#(-]{0,6}|\bstate )(\d{1,3})[.):](?!\d)", sample.text)
    *_, first = ["", *(part.partition("\n\n")[0] for part in parts[-1:])]
    if (own := read(first)).ok and own.text and first.rstrip(" .!*_").endswith(own.text):
        parts[-1] = first  # what follows is said of all
    found: dict[int, list[Read[float]]] = {}
    for number, said in zip(parts[::2], parts[1::2], strict=True):
        after = str(int(number) + 1)  # all on one line: whose is the last verdict?
        goes_on = after not in parts[::2] and int(after) <= of and re.search(rf"\s{after}[.)]\s", said)
        heard = read_judged(replace(sample, text=said), read) if said is parts[-1] else read(said)
        found.setdefault(int(number), []).append(bad("several states", said) if goes_on else heard)
    every = [found.get(number, []) for number in range(1, of + 1)]
    alike = [len({one.value for one in reads}) == 1 for reads in every]
    return [
        reads[0] if same else bad("not one verdict with its number", sample.text)
        for reads, same in zip(every, alike, strict=True)
    ]
