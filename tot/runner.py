"""Runs searches: answers their asks, keeps the ledger, enforces the budget, writes the trace.

Models are called only here, so a search itself has no side effects: it can be stepped through, replayed, put under a
budget, and tested without a model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from queue import Empty, SimpleQueue

from .ask import Ask, Search
from .budget import Budget, Ledger
from .lm.base import LM, UNFINISHED, LMError, Miss, OutOfTime, OverBudget, Reply, Request, Usage
from .lm.roles import LMs, Roles
from .lm.threads import Threads
from .state import Node
from .trace import PlainEvent, Recorder, Trace, tool_bill
from .worst_case import WorstCase

Until = Callable[[list[Node]], bool]  # whether these best nodes are enough


@dataclass
class Result:
    """How a run ended: the nodes of its last ``Best`` event, why it stopped, the ledger, the trace.

    ``stopped`` is "done", "until", "unfinished" (one of the search's own limits), the name of the limit of the budget
    that ended it ("calls", "seconds" ...), or "error", with the message in ``error``. ``unread`` counts the model
    replies, or lines of replies, that could not be parsed. ``visited`` are all evaluated nodes, in order; they serve to
    compute oracle scores, never to choose a method's answer.

    ``needed`` is how much of that limit the next round could have taken, 0 if it is not known; ``detail`` the model's
    words if it found out in the middle of a round that the budget does not suffice.
    """

    best: list[Node]
    stopped: str
    ledger: Ledger
    trace: Trace
    error: str = ""
    visited: list[Node] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)
    needed: float = 0.0
    detail: str = ""

    @property
    def over(self) -> dict[str, float]:
        """By how much the run exceeded limits of its budget: see ``Budget.over``."""
        return self.budget.over(self.ledger)

    @property
    def answers(self) -> list[str]:
        """Answers of the best nodes, in order; nodes without an answer are left out."""
        return [n.state.answer for n in self.best if n.state.answer is not None]

    @property
    def unread(self) -> int:
        """How many model replies no parser could read."""
        return sum(len(event.get("unread", ())) for event in self.trace.events)

    @property
    def cut(self) -> int:
        """How many samples were cut off at their limit of tokens (finish "length")."""
        return sum(sample["finish"] == "length" for sample in self.trace.samples())

    @property
    def still_thinking(self) -> int:
        """How many samples ended while the model was still thinking, so that there is no answer to read."""
        return sum(sample["finish"] in UNFINISHED for sample in self.trace.samples())


class Run:
    """One search in progress: pass replies to ``feed`` and get the next ask, until it returns None.

    A ``Run`` never calls a model and never waits; ``run``, ``steps`` and ``run_many`` do. They set ``lms``, of which
    the budget needs the prices and the longest replies.
    """

    def __init__(self, search: Search, *, budget: Budget | None = None, until: Until | None = None) -> None:
        self.search, self.budget, self.until = search, budget or Budget(), until
        self.recorder, self.ledger, self.best, self.visited = Recorder(), Ledger(), list[Node](), list[Node]()
        self.stopped, self.error, self.detail, self.needed = "", "", "", 0.0
        self.missed, self.unfinished, self.lms = False, False, Roles({})
        self.started, self.worst_case, self.tightest = time.monotonic(), WorstCase(), ""
        self.pending: Ask | None = None

    def feed(self, replies: Sequence[Reply] | None = None) -> Ask | None:
        """Send the replies to the pending ask (None at the start). Returns the next ask, None when the run is over."""
        sent: list[Reply] | None = None
        if self.pending and replies is not None:
            self.ledger.rounds += 1
            self.ledger.charge(self.pending.role, replies)
            if self.budget.foresees:
                self.worst_case.learn(self.pending.role, self.pending.requests, replies)
            self.recorder.asked(self.pending, replies, self.ledger.rounds)
            sent = list(replies)
        self.pending = None
        while not self.stopped:
            try:
                item = self.search.send(sent)
            except StopIteration:
                self.stop("unfinished" if self.unfinished else "done")
                break
            sent = None
            if isinstance(item, Ask):
                if not item.requests:  # an empty ask is not a round
                    sent = []
                elif self._affordable(item):
                    return self.pending
            else:
                self.recorder.event(item)
                if item.kind == "evaluated":
                    self.visited += item.nodes
                    self.ledger.nodes = len(self.visited)
                elif item.kind == "best":
                    self.best = list(item.nodes)
                    if self.until and self.until(self.best):
                        self.stop("until")
                elif item.kind == "unfinished":
                    self.unfinished = True
                elif item.kind == "selected" and self.late():  # a rollout may need no round, where limits are checked
                    self.stop("seconds")
        return None

    def _affordable(self, ask: Ask) -> bool:
        """Make this the pending ask, with what the budget leaves for it; or end the run if the budget has no room."""
        distinct = list(dict.fromkeys(ask.requests))
        most, call = {"calls": float(len(distinct))}, {"calls": 1.0}
        if self.budget.foresees:
            most, call = self.worst_case.of(ask.role, distinct, self.lms.get(ask.role) or LM())
        if limit := self.budget.exceeded(self._ledger_now(), most):
            self.needed = most.get(limit, 0.0) if most.get(limit) != inf else 0.0
            self.stop(limit)
            return False
        spare, self.tightest = self.budget.spare(self.ledger, most, call)
        further = sum(request.n - 1 for request in distinct)  # calls, if the model gives one sample in each
        calls = {r: None if spare >= further else 1 + int(spare * (r.n - 1) // further) for r in distinct}
        sent = [replace(r, calls=calls[r], deadline=self.deadline) for r in ask.requests]
        self.pending = replace(ask, requests=sent) if self.budget != Budget() else ask
        return True

    @property
    def deadline(self) -> float | None:
        """The ``time.monotonic()`` at which the budget's seconds are used up, None if they are not limited."""
        seconds = self.budget.seconds
        return None if seconds is None or seconds == inf else self.started + seconds

    def late(self, by: float = 0.0) -> bool:
        """True if the deadline has passed, ``by`` so many seconds."""
        return self.deadline is not None and time.monotonic() >= self.deadline + by

    def _ledger_now(self) -> Ledger:
        self.ledger.seconds = time.monotonic() - self.started
        return self.ledger

    def stop(self, why: str, error: str = "") -> None:
        """End the run. ``why`` and ``error`` become ``Result.stopped`` and ``Result.error``."""
        self.stopped, self.error = why, error
        self._ledger_now()
        self.search.close()

    def fail(self, error: LMError) -> None:
        """End the run because a model could not answer, or not within the budget. What was found so far is kept."""
        self.missed = isinstance(error, Miss)
        if self.pending and error.paid != Usage():
            self.ledger.lose(self.pending.role, error.paid)
        if isinstance(error, OutOfTime | OverBudget):
            self.detail = str(error)
            self.stop("seconds" if isinstance(error, OutOfTime) else self.tightest or "calls")
        else:
            self.stop("error", str(error))

    def result(self) -> Result:
        """How the run ended, or how far it has come."""
        trace = Trace(events=self.recorder.events)
        result = Result(self.best, self.stopped, self.ledger, trace, self.error, self.visited)
        result.budget, result.needed, result.detail = self.budget, self.needed, self.detail
        trace.result = {"stopped": self.stopped, "answers": result.answers, "usage": self.ledger.to_dict()}
        if bill := tool_bill(trace):
            trace.result["tools"] = bill
        if self.error:
            trace.result["error"] = self.error
        return result


GRACE = 0.2  # seconds after a deadline; a model that keeps deadlines ends by itself, and says what it has paid
POLL = 0.2  # seconds; on Windows Ctrl-C cannot interrupt a wait without a timeout


def answer(ask: Ask, lms: LMs) -> list[Reply]:
    """The replies to one ask. Equal requests are sent once: they have the same samples by definition."""
    return _in_order(ask, _fetch(Roles.of(lms)[ask.role], ask.requests))


def _fetch(lm: LM, requests: Iterable[Request]) -> dict[Request, Reply]:
    distinct = list(dict.fromkeys(requests))
    replies = dict(zip(distinct, lm(distinct), strict=True))
    for request, reply in replies.items():
        if request.labels and not all(sample.weighed or sample.refused for sample in reply.samples):
            raise LMError(f"{lm.name} does not tell how likely a verdict was: leave out --verdicts logprobs")
        if request.logprobs and not all(s.logprob is not None or s.refused or s.unfinished for s in reply.samples):
            how = "choose the pocket model, a server that gives log-probabilities, or another method"
            raise LMError(f"{lm.name} does not tell how likely its replies were: {how}")
    return replies


def _in_order(ask: Ask, replies: Mapping[Request, Reply]) -> list[Reply]:
    """Replies in the order of the ask's requests; of equal requests only the first is charged."""
    bill: dict[Request, Reply | None] = {request: replies[request] for request in ask.requests}
    return [bill.pop(request, None) or Reply(replies[request].samples) for request in ask.requests]


def run(search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None) -> Result:
    """Run one search until it ends, its budget is used up, or ``until(best nodes)`` is true.

    ``lms`` is one model, or a mapping from roles to models (with "default" for the rest). If a model fails, nothing is
    raised: the result has ``stopped`` "error", the message in ``error``, and what was found so far.

    The model is called in this thread; but if the budget limits ``seconds``, in another one, which is no longer waited
    for when the time is over (a recording still keeps its reply, if that comes). A model that computes on this machine
    (``LM.batched``) is always waited for.
    """
    return run_one(Run(search, budget=budget, until=until), lms).result()


def run_one(one: Run, lms: LMs) -> Run:
    """Run a prepared ``Run`` to its end, and return it."""
    for _ in _events(one, Roles.of(lms)):
        pass
    return one


def steps(
    search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None
) -> Generator[PlainEvent, None, Result]:
    """Like ``run``, yielding each event as plain data when it happens: ``for event in steps(search, lm): ...``."""
    one = Run(search, budget=budget, until=until)
    yield from _events(one, Roles.of(lms))
    return one.result()


def _events(one: Run, lms: Roles) -> Iterator[PlainEvent]:
    one.lms, threads = lms, Threads(1)
    shown, ask = 0, one.feed()
    while True:
        while shown < len(one.recorder.events):
            yield one.recorder.events[shown]
            shown += 1
        if ask is None:
            return
        try:
            replies = _in_time(one, ask, lms, threads)
        except LMError as error:
            one.fail(error)
            return
        ask = one.feed(replies)


def _in_time(one: Run, ask: Ask, lms: Roles, threads: Threads) -> list[Reply]:
    """The replies. Raises OutOfTime at the run's deadline, even if the model does not know of it."""
    if one.deadline is None or lms.batched:
        return answer(ask, lms)
    done: SimpleQueue[_Answered] = SimpleQueue()
    threads.submit([partial(_call, done, one, ask, lms)])
    while True:
        try:
            outcome = done.get(timeout=POLL)[1]
        except Empty:
            if one.late(GRACE):
                raise out_of_time() from None
            continue
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def out_of_time() -> OutOfTime:
    """The error of a run whose model has not answered by its deadline."""
    return OutOfTime("the model had not answered by then: a reply that comes later is not used")


_Answered = tuple[Run, "list[Reply] | BaseException"]


def _call(done: SimpleQueue[_Answered], one: Run, ask: Ask, lms: Roles) -> None:
    try:
        done.put((one, answer(ask, lms)))
    except BaseException as error:
        done.put((one, error))


def run_many(
    searches: Iterable[Run], lms: LMs, *, at_once: int = 64, on_round: Callable[[], None] | None = None
) -> Iterator[Run]:
    """Advance up to ``at_once`` runs concurrently; yield each as it ends, in order of completion.

    Search code runs in the caller's thread; only model calls run in others. Each search continues as soon as its own
    replies are in. If all models have ``batched = True`` (they compute on this machine), each instead gets the pending
    requests of all searches in one list. ``on_round`` is called after each answered round, for a progress bar.
    """
    roles = Roles.of(lms)
    drive = _lockstep if roles.batched else _as_completed
    ended = False
    try:
        yield from drive(iter(searches), roles, at_once, on_round or (lambda: None))
        ended = True
    finally:
        if not ended:  # Ctrl-C, or the caller stopped iterating: calls in flight must not start further ones
            roles.cancel()


def _as_completed(todo: Iterator[Run], lms: Roles, at_once: int, on_round: Callable[[], None]) -> Iterator[Run]:
    threads = Threads(at_once)  # daemon threads: after Ctrl-C the interpreter exits without waiting for calls in flight
    done: SimpleQueue[_Answered] = SimpleQueue()
    flying: dict[Run, None] = {}

    def go(one: Run, ask: Ask | None) -> bool:
        if ask:
            flying[one] = None
            threads.submit([partial(_call, done, one, ask, lms)])
        return ask is not None

    while True:
        while len(flying) < at_once and (one := next(todo, None)) is not None:
            one.lms = lms
            if not go(one, one.feed()):
                yield one
        if not flying:
            return
        for one in [one for one in flying if one.late(GRACE)]:
            flying.pop(one)
            threads.size += 1  # the model still holds a thread
            one.fail(out_of_time())
            yield one
        try:
            one, outcome = done.get(timeout=POLL)
        except Empty:
            continue
        if one not in flying:  # its time was over
            threads.size -= 1
            continue
        flying.pop(one)
        if isinstance(outcome, LMError):
            one.fail(outcome)
            ask = None
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            ask = one.feed(outcome)
        on_round()
        if not go(one, ask):
            yield one


def _lockstep(todo: Iterator[Run], lms: Roles, at_once: int, on_round: Callable[[], None]) -> Iterator[Run]:
    live: list[tuple[Run, Ask]] = []
    while True:
        while len(live) < at_once and (one := next(todo, None)) is not None:
            one.lms = lms
            ask = one.feed()
            if ask:
                live.append((one, ask))
            else:
                yield one
        if not live:
            return
        answered: dict[str, dict[Request, Reply] | LMError] = {}
        for role in dict.fromkeys(ask.role for _, ask in live):
            try:
                everything = (request for _, ask in live if ask.role == role for request in ask.requests)
                answered[role] = _fetch(lms[role], everything)
            except LMError as error:
                answered[role] = error
        still = []
        for one, ask in live:
            replies = answered[ask.role]
            if isinstance(replies, LMError):
                one.fail(replies)
                next_ask = None
            else:
                next_ask = one.feed(_in_order(ask, replies))
            on_round()
            if next_ask:
                still.append((one, next_ask))
            else:
                yield one
        live = still
