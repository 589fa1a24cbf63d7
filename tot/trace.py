"""The event log of one run: plain, versioned data, from which all views are drawn.

A trace is ``{"schema": 1, "head": {...}, "events": [...], "result": {...}}``: ``head`` says what was run, ``result``
how it ended. Every event has a ``kind`` and snapshots of its nodes, taken when the event happened. The kinds:

=========== ============================================================================================================
kind        what it says
=========== ============================================================================================================
asked       one round of model calls: ``role``, ``round``, ``requests`` (messages, params, first, samples; a sample has
            its ``thinking`` and ``thinking_tokens``, ``chances`` and ``missing``, ``logprob`` where there are any)
expanded    new children; ``unread`` lists what the parser rejected, and why
evaluated   new values; ``unread`` as above; judges add their ``scores``: node, judge, score and why; verdicts that were
            read as probabilities add ``missing``: node, and how likely the model was to say something else
best        the best nodes so far, best first
kept        a depth-first search evaluated a node and did not prune it
pruned      the search will not go below a node, and why
introduced  ancestors that appeared in no earlier event, just before the first event that needs them
selected    a Monte Carlo search selected leaves, one for each rollout of the round; ``ways``: how, by UCB1 (or PUCT)
backed_up   it added their rewards to the nodes on their paths; ``unread`` lists rewards that were not finite numbers
acted       tools have run: each node's ``observation``, its ``cost``, and ``failed`` (why) if the call failed
opened      an informed search put nodes on its open list or updated their costs: ``g``, ``value`` and ``f``
taken       an informed search took the best node off its open list
propagated  tool failures changed the costs of other nodes: ``failed`` lists where, ``charged`` maps node to amount
reflected   a model explained what went wrong on a path: the ``lesson``, None if it could not be parsed (``unread``)
unfinished  a search ended at one of its own limits, and why; the nodes are the best so far
=========== ============================================================================================================

A node's first snapshot has its ``parent``, ``thought``, and (if set) ``answer``, ``final``, ``prior``; later ones have
only what can change (``value``, ``note``, ``visits``, ``mean``, ``g``, ``f``). A tool's observation is stored once.
Events hold no clock times, so that the events of a run with a budget are an exact prefix of the full run's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .ask import Ask
from .events import Event
from .jsonlines import dumps
from .lm.base import Reply
from .state import Node
from .ties import total

SCHEMA = 1
PlainEvent = dict[str, Any]  # an event as plain data


@dataclass
class Trace:
    """The events of one run as plain data. ``Recorder`` builds one; ``load`` reads a saved one.

    ``head`` (task, problem, method ...) is filled in by ``tot.solve``; ``result`` (answers, stopped, usage ...) by
    ``tot.run`` and ``tot.solve``.
    """

    head: dict[str, Any] = field(default_factory=dict)
    events: list[PlainEvent] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """One JSON document with keys in a fixed order, so that equal runs give equal text."""
        document = {"schema": SCHEMA, "head": self.head, "events": self.events, "result": self.result}
        return dumps(document, indent=1)

    def save(self, path: str | Path) -> None:
        """Write ``to_json`` to a file in UTF-8; ``load`` reads it back. What was there goes when all is written."""
        # UTF-8 cannot encode a lone surrogate, which a model may produce: it is written as JSON's \uXXXX
        data, place = (self.to_json() + "\n").encode("utf-8", "backslashreplace"), Path(path)
        if place.exists() and not place.is_file():  # /dev/null is not to become a file
            place.write_bytes(data)
            return
        place = place.resolve()  # where a link leads
        beside = place.with_name(f"{place.name[:200]}.{os.getpid()}.part")  # another process may save the same
        try:
            beside.write_bytes(data)
            os.replace(beside, place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a saved trace. Raises ValueError if the file is not a trace, OSError if it cannot be read."""
        try:
            document = json.loads(Path(path).read_bytes())  # in UTF-8 or UTF-16, with or without a mark
            if (schema := document["schema"]) == SCHEMA:
                events = [{**e, "kind": e["kind"], "nodes": list(e["nodes"])} for e in document["events"]]
                if not all(isinstance(node["id"], str) for event in events for node in event["nodes"]):
                    raise TypeError("a node without an id")
                return cls(dict(document["head"]), events, dict(document["result"]))
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is not a trace: save one with `tot solve ... --trace FILE`") from error
        raise ValueError(f"{path} has trace schema {schema}, this version reads {SCHEMA}: save the trace again")

    def nodes(self) -> dict[str, dict[str, Any]]:
        """The final state of every node: id -> merged snapshots, in order of appearance."""
        return merge_nodes(self.events)

    def samples(self) -> Iterator[dict[str, Any]]:
        """All samples (text, finish, tokens), in order; once each, though equal requests of a round share theirs."""
        for event in self.events:
            if event["kind"] == "asked":
                same = ("messages", "params", "first", "samples")  # only the first of equal requests is charged
                distinct = {json.dumps([one[name] for name in same]): one["samples"] for one in event["requests"]}
                yield from (sample for samples in distinct.values() for sample in samples)

    @property
    def best(self) -> list[str]:
        """Ids of the nodes of the last "best" event, best first."""
        for event in reversed(self.events):
            if event["kind"] == "best":
                return [node["id"] for node in event["nodes"]]
        return []


def merge_nodes(events: Sequence[PlainEvent]) -> dict[str, dict[str, Any]]:
    """id -> everything known about the node after ``events`` (pass a prefix of a trace for an earlier moment)."""
    nodes: dict[str, dict[str, Any]] = {}
    for event in events:
        for snapshot in event["nodes"]:
            nodes.setdefault(snapshot["id"], {}).update(snapshot)
    return nodes


def tool_bill(trace: Trace) -> dict[str, Any]:
    """What a run's tools cost: number of ``calls``, how many ``failed``, ``total`` cost, cost along the best ``path``.

    Costs are V_T of the calls that were made, in the unit of the method's ``costs``. Charges for failures are not
    included; they only raise ``g``. Returns {} if no tool ran.
    """
    nodes = trace.nodes()
    ran = [nodes[node["id"]] for event in trace.events if event["kind"] == "acted" for node in event["nodes"]]
    if not ran:
        return {}
    path, at = list[float](), next(iter(trace.best), None)
    while at is not None:
        path.append(nodes[at].get("cost", 0.0))
        at = nodes[at]["parent"]
    failed = sum("failed" in node for node in ran)
    return {"calls": len(ran), "failed": failed, "total": total(node["cost"] for node in ran), "path": total(path)}


class Recorder:
    """Converts events to plain data; remembers which nodes and observations it has already stored."""

    def __init__(self) -> None:
        self.events: list[PlainEvent] = []
        self._seen: set[str] = set()
        self._valued: set[str] = set()
        self._observed: set[str] = set()

    def event(self, event: Event) -> PlainEvent:
        """Record an event. Raises ValueError for a node that is reported as acted without an observation."""
        if event.kind == "acted":
            for node in event.nodes:
                if node.state.last is None or node.state.last.observation is None:
                    raise ValueError(
                        f'the search reports node {node.id} as "acted", but its newest thought has no observation: run'
                        " its tool with `tot.tools.actor`, or set `node.state = node.state.observed(Observation(...))`"
                        " before the event"
                    )
        return self._append({"kind": event.kind, **event.data, "nodes": self._snapshots(event.nodes)})

    def asked(self, ask: Ask, replies: Sequence[Reply], round_number: int) -> PlainEvent:
        """Record one answered round as an event of kind "asked"."""
        about = ask.about if ask.about is not None else list(range(len(ask.requests)))
        requests = []
        for request, reply, i in zip(ask.requests, replies, about, strict=True):
            several = [ask.nodes[j].id for j in i] if isinstance(i, list) else None
            requests.append(
                {
                    "about": ask.nodes[i].id if isinstance(i, int) else several,
                    "messages": [{"role": m.role, "content": m.content} for m in request.messages],
                    "params": request.params,
                    "first": request.first,
                    "samples": [
                        {"text": one.text, "finish": one.finish, "tokens": one.completion_tokens} | one.rare
                        for one in reply.samples
                    ],
                    "prompt_tokens": reply.asked.prompt_tokens,
                }
            )
            if reply.asked.cached_tokens:
                requests[-1]["cached_tokens"] = reply.asked.cached_tokens
        plain = {"kind": "asked", "role": ask.role, "round": round_number, "requests": requests}
        return self._append({**plain, "nodes": self._snapshots(ask.nodes)})

    def _append(self, plain: PlainEvent) -> PlainEvent:
        self.events.append(plain)
        return plain

    def _snapshots(self, nodes: Sequence[Node]) -> list[dict[str, Any]]:
        # A node's ancestors are stored before it, so that it can be placed in the tree from any prefix of the trace.
        new = [node for node in nodes if node.id not in self._seen]
        unseen = [a for node in new for a in reversed(list(node.path)) if a.id not in self._seen and a not in nodes]
        if unseen:
            self._append({"kind": "introduced", "nodes": [self._snapshot(node) for node in dict.fromkeys(unseen)]})
        return [self._snapshot(node) for node in nodes]

    def _snapshot(self, node: Node) -> dict[str, Any]:
        plain: dict[str, Any] = {"id": node.id}
        if node.id not in self._seen:
            self._seen.add(node.id)
            plain["parent"] = node.parent.id if node.parent else None
            thought = node.state.last
            plain["thought"] = thought.text if thought else node.state.x
            if thought:
                rare = {"answer": thought.answer, "final": thought.final or None, "prior": thought.prior}
                plain |= {name: value for name, value in rare.items() if value is not None}
        if node.value is not None or node.id in self._valued:  # None where a value was taken back
            plain["value"] = node.value
            self._valued.add(node.id)
        if node.note:
            plain["note"] = node.note
        if node.visits:
            plain |= {"visits": node.visits, "mean": node.mean}
        plain |= {name: number for name, number in (("g", node.g), ("f", node.f)) if number is not None}
        seen = node.state.last.observation if node.state.last else None
        if seen and node.id not in self._observed:
            self._observed.add(node.id)
            plain |= {"observation": seen.text, "cost": seen.cost} | ({"failed": seen.failed} if seen.failed else {})
        return plain
