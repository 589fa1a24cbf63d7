"""G(p_theta, s, k): the thought generator (Tree of Thoughts, section 3, step 2).

A generator is built from two pure functions: ``prompt(state)`` makes the request, ``read(state, text)`` parses one
sampled text into thoughts. It asks about all nodes in one round and yields an "expanded" event.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .ask import Ask, Asking, Generate
from .events import Expanded
from .lm.base import Reply, Request, Sample
from .parse import Read, bad, no_answer, shorten
from .state import Node, State, Thought
from .ties import level, total

Prompt = Callable[[State], Request]  # what to ask about a state
ReadThoughts = Callable[[State, str], Iterable[Read[Thought]]]  # the thoughts in a reply
Local = Callable[[State], "list[Thought] | None"]  # thoughts that are known without asking a model; None: ask
Gather = Callable[[State, Sequence[Thought]], Iterable[Thought]]  # makes something else of a state's next thoughts


def generator(
    prompt: Prompt,
    read: ReadThoughts,
    *,
    k: int | None = 1,
    first: int = 0,
    local: Local | None = None,
    distinct: bool = True,
    gather: Gather | None = None,
    role: str = "generator",
) -> Generate:
    """A generator that draws k samples of ``prompt(state)`` (None: as it says), and reads the thoughts in each.

    - ``first``: the index of the first sample; shift it for an independent trial.
    - ``local``: ``local(state)`` may return thoughts without a model (None: ask the model).
    - ``distinct``: whether equal thoughts of one node become one child. If not, each becomes a child of its own, as
      needed where samples are counted (a majority vote, a success rate).
    - ``gather``: maps the thoughts for a state to those that become its children (see ``ranked``).
    - ``role``: who is asked.

    What ``read`` rejects is listed in the event's ``unread``, and so is a sample without an answer (the model refused,
    or was still thinking), which is not passed to it. Neither makes a child, unless ``read`` returns a thought along
    with the reason, or ``distinct`` is False: an attempt without an answer.
    """

    def request(state: State) -> Request:
        return prompt(state) if k is None else prompt(state).samples(first, k)

    def read_all(state: State, samples: Sequence[Sample]) -> Iterator[Read[Thought]]:
        for sample in samples:
            found = [bad(why, sample.text)] if (why := no_answer(sample)) else [*read(state, sample.text)]
            found = [unless_cut(sample, item) for item in found]
            if not distinct and found and all(item.value is None for item in found):  # a sample that failed counts
                found = [replace(found[0], value=Thought(shorten(sample.text), final=True)), *found[1:]]
            yield from found

    def children(state: State, thoughts: Sequence[Thought]) -> Iterable[Thought]:
        kept = gather(state, thoughts) if gather else thoughts
        return dict.fromkeys(kept) if distinct else kept

    return expansion(request, read_all, local=local, gather=children, role=role)


_CUT = "cut off in its %s, at %d tokens: give it more with max_tokens"


def unless_cut(sample: Sample, item: Read[Thought]) -> Read[Thought]:
    """What was read, without an answer, a step or a tool's argument at which the limit of tokens ended the sample: "It
    is 12" may have become 125. A yes or no stays, a step that a program has checked, and what a bracket closes; a
    letter that is all that is said.
    """
    if not sample.cut or item.value is None or item.value.answer in ("yes", "no"):
        return item
    text, said = sample.text.rstrip(" \n,"), item.text or _argument(item.value)
    number, digits = re.search(r"[\d.,]*\Z", text), re.sub(r"\D", "", said).strip("0")
    ends = text.endswith(said) or re.sub(r"\D", "", number[0] if number else "").strip("0") == digits != ""
    rest = text.rpartition(said)[2] if said else ""
    open_ = item.text and rest and not re.search(r"[.!?)\n]|,\s(?:since|because|as|which)\b", rest)  # "12 hours and"
    ends = bool(ends or open_)
    if not said or not ends or (item.value.data is not None and item.text and text.endswith(")")):
        return item
    if item.value.answer is None or not item.text:
        what = "step" if item.text else "action"
        certain = item.text and item.value.data is not None and getattr(item.value.data, "certain", True)
        return item if certain or text.endswith(")") else Read(None, _CUT % (what, sample.completion_tokens), said)
    if re.search(r"(?:\A\W*|\()[A-Z]\W*\Z", text):
        return item
    return Read(replace(item.value, answer=None), _CUT % ("answer", sample.completion_tokens), said)


def _argument(thought: Thought) -> str:
    """The last thing that a tool is called with, as a reply may end with it."""
    argument = getattr(thought.data, "argument", "")
    with suppress(ValueError):
        given = json.loads(argument)
        return str([*given.values()][-1]) if isinstance(given, dict) and given else argument
    return argument


def expansion(
    request: Prompt,
    read: Callable[[State, Sequence[Sample]], Iterable[Read[Thought]]],
    *,
    local: Local | None,
    gather: Gather,
    role: str,
) -> Generate:
    """What every generator does: it asks about the nodes of which ``local`` does not know the next thoughts, in one
    round, and grows what ``gather`` makes of the thoughts that ``read`` finds in the samples of a reply.
    """

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        known = {node: local(node.state) if local else None for node in nodes}
        asked = [node for node in nodes if known[node] is None]
        replies: list[Reply] = yield Ask(role, asked, [request(node.state) for node in asked])
        unread: list[dict[str, Any]] = []
        for node, reply in zip(asked, replies, strict=True):
            found = [*read(node.state, reply.samples)]
            known[node] = [item.value for item in found if item.value is not None]
            unread += [{"node": node.id, "why": item.why, "text": item.text} for item in found if not item.ok]
        children = [child for node in nodes for child in node.grow(gather(node.state, known[node] or ()))]
        yield Expanded(children, nodes, unread)
        return children

    return generate


def ranked(k: int) -> Gather:
    """A ``gather`` that merges the proposals of several samples and keeps the ``k`` best, best first (figure 6 (a)).

    Equal thoughts become one, whose ``prior`` is the sum of their confidences. A proposal without a confidence counts
    as 1, so that without confidences the number of samples decides. Ties keep the order of appearance.

    Raises ValueError for k < 1.
    """
    if k < 1:
        raise ValueError(f"k, the number of candidates, must be at least 1, not {k}")

    def gather(state: State, thoughts: Sequence[Thought]) -> list[Thought]:
        priors: dict[Thought, list[float]] = {}
        for thought in thoughts:
            prior = 1.0 if thought.prior is None else thought.prior
            priors.setdefault(replace(thought, prior=None), []).append(prior)
        best = sorted(priors, key=lambda thought: -level(total(priors[thought])))[:k]
        return [replace(thought, prior=round(total(priors[thought]), 6)) for thought in best]

    return gather


def best_that_fits(fits: Callable[[State, Thought], bool]) -> Gather:
    """A ``gather`` that keeps one thought: the best one for which ``fits(state, thought)``, the last if none does."""

    def gather(state: State, thoughts: Sequence[Thought]) -> list[Thought]:
        order = [*ranked(len(thoughts) or 1)(state, thoughts)]
        return [next((thought for thought in order if fits(state, thought)), order[-1])] if order else []

    return gather
