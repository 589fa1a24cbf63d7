"""Does a search keep the rules: ask, never call; be a function of the replies; leave nodes alone once closed?"""

import random
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..ask import Ask, Search
from ..budget import Budget
from ..lm.base import LM, OnReply, Reply, Request
from ..lm.cassette import Cassette
from ..lm.roles import LMs
from ..runner import Result, Run, run, run_many, steps
from ..state import Node
from .need import Need

need = Need("the search")


class Shuffled(LM):
    """A model whose answers come late and out of order: each call waits a short random time. Nothing else changes."""

    def __init__(self, lm: LM, *, seed: int = 0) -> None:
        self.lm = lm
        self.name = lm.name
        self.batched = False
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        with self._lock:
            pause = self._random.uniform(0, 0.003)
            order = self._random.sample(range(len(requests)), len(requests))
        time.sleep(pause)
        replies = self.lm([requests[i] for i in order], on_reply)
        there = dict(zip(order, replies, strict=True))
        return [there[i] for i in range(len(requests))]


def check_search(make_search: Callable[[], Search], lm: LM, *, copies: int = 4, budgets: int = 200) -> Result:
    """Does a search keep the rules? ``make_search()`` builds a fresh one; ``lm`` gives samples by their index.

    Checked: it repeats itself; stepping it shows the same events; a run with any budget of calls is an exact prefix of
    the full one, and spends no more than the budget; a recording replays to the same trace, in whatever order replies
    arrive; several at once (``copies``) do what one does alone; and once closed it leaves its nodes alone. At most
    ``budgets`` budgets are tried. Returns the full run's result, for further checks. Raises AssertionError for the
    first rule that it breaks.
    """
    full = run(make_search(), lm)
    need(full.stopped == "done", f"the search should end by itself, not by {full.stopped} {full.error}".rstrip())
    again = _plain(full) == _plain(run(make_search(), lm))
    need(again, "the search does not repeat itself: it must be a function of the replies")
    need(list(steps(make_search(), lm)) == full.trace.events, "stepping the search shows other events than running it")
    _check_prefixes(make_search, lm, full, budgets)
    _check_replay(make_search, lm, full, copies)
    _check_many(make_search, lm, full, copies, "several searches at once")
    _check_close(make_search, lm)
    return full


def _plain(result: Result) -> str:
    """A whole run as text."""
    return replace(result.trace, head={}).to_json()


def _check_prefixes(make_search: Callable[[], Search], lm: LM, full: Result, most: int) -> None:
    calls = full.ledger.total.calls
    every = range(0, calls + 1, max(1, -(-calls // most)))
    longest = -1
    for limit in (*every, calls):
        part = run(make_search(), lm, budget=Budget(calls=limit))
        events, used = part.trace.events, part.ledger.total.calls
        need(used <= limit, f"with a budget of {limit} calls the search made {used}")
        prefix = events == full.trace.events[: len(events)]
        need(prefix, f"with a budget of {limit} calls the events are no prefix of the full run's")
        need(len(events) >= longest, f"a budget of {limit} calls gives fewer events than a smaller one")
        complete = len(events) == len(full.trace.events) and limit >= calls
        need(part.stopped == ("done" if complete else "calls"), f"a budget of {limit} calls ended by {part.stopped}")
        longest = len(events)


def _check_replay(make_search: Callable[[], Search], lm: LM, full: Result, copies: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cassette.jsonl"
        with Cassette(path, lm) as recorder:
            recorded = run(make_search(), recorder)
        need(_plain(recorded) == _plain(full), "the search differs when its model is being recorded")
        if not full.ledger.total.calls:
            return  # nothing was asked, so there is nothing to replay
        replayed = run(make_search(), Cassette(path))
        need(_plain(replayed) == _plain(recorded), f"replay differs from record {replayed.error}".rstrip())
        for seed in range(3):
            shuffled = Shuffled(Cassette(path), seed=seed)
            _check_many(make_search, shuffled, full, copies, "a replay that arrives out of order")


def _check_many(make_search: Callable[[], Search], lms: LMs, full: Result, copies: int, what: str) -> None:
    for one in run_many([Run(make_search(), lms) for _ in range(copies)]):
        alike = _plain(one.result()) == _plain(full)
        need(alike, f"{what}: the run differs from one that runs alone {one.error}".rstrip())


def _check_close(make_search: Callable[[], Search], lm: LM) -> None:
    """Close the search at each of its questions in turn; it must not touch its nodes after that."""
    at = 0
    while True:
        one = Run(make_search(), lm)
        ask: Ask | None = one.feed()
        for _ in range(at):
            ask = ask and one.feed(lm(ask.requests))
        if ask is None:
            return
        tree = _tree(ask.nodes)
        one.stop("closed")
        need(_tree(ask.nodes) == tree, f"the search changed its nodes when it was closed at question {at + 1}")
        at += 1


def _tree(nodes: Sequence[Node]) -> list[tuple[Any, ...]]:
    """Everything that can change about all nodes of the trees that ``nodes`` are in."""
    todo = list({id(root): root for node in nodes for root in [list(node.path)[-1]]}.values())
    seen = []
    for node in todo:
        seen.append((node.id, node.state, node.value, node.visits, node.total, node.g, node.f, node.note))
        todo += node.children
    return seen
