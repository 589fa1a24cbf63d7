"""Runs searches: answers their asks, keeps the ledger, enforces the budget, writes the trace.

Models are called only here, so a search itself has no side effects: it can be stepped through, replayed, put under a
budget, and tested without a model.
"""

import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from traceback import TracebackException

from .ask import Ask, Search
from .budget import Budget, Ledger, WorstCase
from .jsonlines import FileTrouble
from .lm.base import (
    LM,
    UNFINISHED,
    LMError,
    Miss,
    OnReply,
    OutOfTime,
    OverBudget,
    Reply,
    Request,
    Unanswered,
    Usage,
    counted,
)
from .lm.roles import LMs, Roles
from .state import Node
from .trace import PlainEvent, Recorder, Trace, tool_bill

Until = Callable[[list[Node]], bool]  # whether these best nodes are enough


@dataclass
class Result:
    """How a run ended: the nodes of its last ``Best`` event, why it stopped, the ledger, the trace.

    ``stopped`` is "done", "until", "unfinished" (one of the search's own limits), the name of the limit of the budget
    that ended it ("calls", "seconds" ...), or "error", with the message in ``error``. ``unread`` counts the model
    replies, or lines of replies, that could not be parsed. ``visited`` are all evaluated nodes, in order; they serve to
    compute oracle scores, never to choose a method's answer. ``unanswered``: the error is a server that did not answer.

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
    unanswered: bool = False

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

    A ``Run`` never calls a model and never waits; ``drive`` does. It has its models (``lms``: one, or a mapping from
    roles to models) from the beginning, because the budget needs their prices and the longest replies. Raises
    ValueError for a budget in dollars and a model of an unknown price.
    """

    def __init__(self, search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None) -> None:
        self.search, self.about = search, ""
        self.lms = Roles.of(lms)
        self.budget = budget or Budget()
        unpriced = [lm.name for lm in self.lms.models.values() if lm.unpriced]
        if unpriced and self.budget.limits.get("dollars", inf) < inf:
            how = "pass prices= to tot.OpenAI or a replay, set price (or unpriced = False) in a tot.LM, or limit tokens"
            raise ValueError(f"a budget in dollars needs a price for {unpriced[0]}: {how}")
        self.until = until
        self.recorder = Recorder()
        self.ledger = Ledger()
        self.best: list[Node] = []
        self.visited: list[Node] = []
        self.pending: Ask | None = None
        self.stopped = self.error = self.detail = ""
        self.needed = 0.0
        self.missed = self.unanswered = False  # a recording lacked a request; a server did not answer
        self.alone = False  # an error of its search's, task's or model's own code is of this run only
        self.unfinished = False
        if "seconds" in self.budget.limits:
            for lm in self.lms.models.values():
                lm.warm()
        self.started = time.monotonic()
        self.worst_case = WorstCase()
        self.tightest = ""  # the limit that leaves the fewest calls beyond one for each request
        self._arrived: list[Reply] = []  # in the round that is not over: threads append to it

    def feed(self, replies: Sequence[Reply] | None = None) -> Ask | None:
        """Send the replies to the pending ask (None at the start). Returns the next ask, None when the run is over."""
        sent: list[Reply] | None = None
        if (ask := self.pending) and replies is not None:
            self.ledger.rounds += 1
            self.ledger.charge(ask.role, replies)
            if self.budget.foresees:
                self.worst_case.learn(ask.role, ask.requests, replies, self.lms[ask.role])
            self.recorder.asked(ask, replies, self.ledger.rounds)
            sent = list(replies)
        self.pending, self._arrived = None, []
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
            try:
                most, call = self.worst_case.of(ask.role, distinct, self.lms[ask.role])
            except LMError as error:  # no model has this role
                self.stop("error", str(error))
                return False
        if limit := self.budget.exceeded(self._ledger_now(), most):
            self.needed = most.get(limit, 0.0) if most.get(limit) != inf else 0.0
            self.stop(limit)
            return False
        self.pending = self._limited(ask, *self.budget.spare(self.ledger, most, call))
        return True

    def _limited(self, ask: Ask, spare: float, tightest: str) -> Ask:
        """The ask with the deadline and with what calls each request may take: one, and its share of the ``spare``."""
        self.tightest = tightest
        if self.budget == Budget():
            return ask
        further = sum(request.n - 1 for request in dict.fromkeys(ask.requests))  # if each call gives one sample
        sent = []
        for request in ask.requests:
            # None, no limit: even a call for each sample would fit, or no request wants more than one
            share = None if spare >= further else 1 + int(spare * (request.n - 1) // further)
            sent.append(replace(request, calls=share, deadline=self.deadline))
        return replace(ask, requests=sent)

    @property
    def deadline(self) -> float | None:
        """The ``time.monotonic()`` at which the budget's seconds are used up, None if they are not limited."""
        seconds = self.budget.seconds
        return None if seconds is None or seconds == inf else self.started + seconds

    def late(self, by: float = 0.0) -> bool:
        """True if the deadline has passed, ``by`` so many seconds."""
        return self.deadline is not None and time.monotonic() >= self.deadline + by

    def arrived(self, request: Request, reply: Reply) -> None:
        """Count a reply of the round that is not over, or that nobody waits for. May be called from any thread."""
        if self.stopped and self.pending:
            self.ledger.lose(self.pending.role, reply.paid)
        else:
            self._arrived.append(reply)

    @property
    def flying(self) -> int:
        """Completion tokens that have arrived in the round that is not over, of a model in another thread."""
        return sum(reply.asked.completion_tokens for reply in self._arrived)

    def _ledger_now(self) -> Ledger:
        self.ledger.seconds = time.monotonic() - self.started
        return self.ledger

    def stop(self, why: str, error: str = "", paid: Usage | None = None) -> None:
        """End the run. ``why`` and ``error`` become ``Result.stopped`` and ``Result.error``. What has arrived of a
        round that is not over is on the bill, or what is known to be ``paid`` for it, if that is more.
        """
        paid = sum((reply.paid for reply in self._arrived), Usage()).larger(paid or Usage())
        if self.pending and paid != Usage():
            self.ledger.lose(self.pending.role, paid)
        self._arrived = []
        if error:
            from .lm.wire import without_keys  # which `import tot` need not load

            error = without_keys(error)  # a function's client may name the address that it asked, key and all
        self.stopped, self.error = why, error  # and pending stays: of whose role a late reply is, see `arrived`
        self._ledger_now()
        self.search.close()

    def fail(self, error: LMError) -> None:
        """End the run because a model could not answer, or not within the budget. What was found so far is kept."""
        self.missed, self.unanswered = isinstance(error, Miss), isinstance(error, Unanswered)
        if isinstance(error, OutOfTime) and self.ledger.asked:  # a server that refused has answered before
            self.unanswered = False
        if isinstance(error, OutOfTime | OverBudget) and not self.unanswered:
            self.detail = str(error)
            self.stop("seconds" if isinstance(error, OutOfTime) else self.tightest or "calls", paid=error.paid)
        else:
            self.stop("error", str(error), error.paid)

    def slipped(self, slip: BaseException) -> None:
        """End the run since a search's, task's or model's own code raised; the slip gets what was searched and paid."""
        if not hasattr(slip, "trace"):  # of the first of several runs
            slip.trace = self.result().trace  # type: ignore[attr-defined]
            kept = "is the trace of this error: sys.last_value.trace.save(FILE) keeps it."
            slip.add_note(f"What was searched{f' by {self.about}' if self.about else ''} {kept}")
        said = TracebackException.from_exception(slip)  # whose own ``__str__`` may raise
        place = f"{Path(said.stack[-1].filename).name}, line {said.stack[-1].lineno}"
        self.stop("error", self.error or f"{type(slip).__name__}: {said} ({place})")

    def result(self) -> Result:
        """How the run ended, or how far it has come."""
        trace = Trace(events=self.recorder.events)
        names = ("best", "stopped", "ledger", "error", "visited", "budget", "needed", "detail", "unanswered")
        result = Result(trace=trace, **{name: getattr(self, name) for name in names})
        trace.result = {"stopped": self.stopped, "answers": result.answers, "usage": self.ledger.to_dict()}
        if bill := tool_bill(trace):
            trace.result["tools"] = bill
        if self.error:
            trace.result["error"] = self.error
        return result


TOO_LATE = "the model had not answered by then: a reply that comes later is not used"
GRACE = 0.2  # seconds after a deadline; a model that keeps deadlines ends by itself, and says what it has paid
POLL = 0.2  # seconds; on Windows Ctrl-C cannot interrupt a wait without a timeout


class NoMore(Exception):
    """A model may be asked no further. No LMError: it ends all that runs, and fails no single problem."""


Waiting = Mapping[Run, Ask]  # what each run in progress has asked
Outcome = list[Reply] | BaseException  # what came of an ask
Desk = Callable[[Waiting], list[tuple[Run, Outcome]]]  # answers some of the asks; [] if there is nothing yet


def drive(runs: Iterable[Run], desk: Desk, *, at_once: int = 1) -> Generator[Run]:
    """The loop that advances runs, up to ``at_once`` at a time; a ``desk`` answers what they ask.

    Yields a run when it has started and after each of its rounds, and all that wait when the desk has nothing yet. Who
    iterates may then stop it (``Run.stop``). A run has ended when it has ``stopped``. An LMError ends its run; other
    errors, of a search or a model, are raised when all that has been started is over, but for those of a run ``alone``
    that are no NoMore. Runs that wait when the loop is left, as by Ctrl-C, are "cancelled": their models see that
    nobody waits (``LM.WANTED``).
    """
    todo, waiting, more = iter(runs), dict[Run, Ask](), True
    lost = dict[Run, BaseException]()  # by a bug or NoMore: what is paid for comes home before the first is raised

    def slipped(one: Run, error: BaseException) -> None:
        nonlocal more
        one.slipped(error)
        if not one.alone or isinstance(error, NoMore):
            lost[one] = error
            more = False

    def feed(one: Run, replies: Sequence[Reply] | None = None) -> Run:
        try:
            if ask := one.feed(replies):
                waiting[one] = ask
        except (Exception, SystemExit) as error:  # a task of one's own may leave the program
            slipped(one, error)
        return one

    try:
        while more or waiting:
            while more and len(waiting) < max(at_once, 1):
                if (one := next(todo, None)) is None:
                    more = False
                elif feed(one) not in lost:
                    yield one
            for one in [one for one in waiting if one.stopped]:
                del waiting[one]
            answered = desk(waiting) if waiting else []
            for one, outcome in answered:
                del waiting[one]
                if isinstance(outcome, LMError):
                    one.fail(outcome)
                elif isinstance(outcome, Exception) and not isinstance(outcome, FileTrouble):
                    slipped(one, outcome)
                elif isinstance(outcome, BaseException):  # nothing that comes could be kept
                    raise outcome
                else:
                    feed(one, outcome)
                if one not in lost:
                    yield one
            if not answered:
                yield from [*waiting]
    finally:
        for one in waiting:
            if not one.stopped:
                one.stop("cancelled")
    for error in lost.values():
        raise error


# ---------------------------------------------------------------- desks


def together(waiting: Waiting) -> list[tuple[Run, Outcome]]:
    """A desk in this thread: each model gets what all runs ask of it in one list, which it computes best."""
    pooled: dict[int, list[Run]] = {}  # by model
    outcomes = dict[Run, Outcome]()
    for one, ask in waiting.items():
        try:
            pooled.setdefault(id(one.lms[ask.role]), []).append(one)
        except LMError as error:  # no model has this role
            outcomes[one] = error
    for runs in pooled.values():
        lm = runs[0].lms[waiting[runs[0]].role]
        try:
            replies = _fetch(lm, (request for one in runs for request in waiting[one].requests))
            outcomes |= {one: in_order(waiting[one], replies) for one in runs}
        except LMError as error:
            once = isinstance(error, Unanswered | OutOfTime) or not (hasattr(lm, "tape") or error.paid == Usage())
            if runs[1:] and not once:  # the error may be about one prompt
                role, paid = waiting[runs[0]].role, runs[0].ledger.paid  # it goes on, and no budget counts it
                paid[role], error.paid = paid.get(role, Usage()) + error.paid, Usage()
                outcomes |= dict(chain(*(together({one: waiting[one]}) for one in runs)))
            else:  # what was paid belongs on one bill: others get a copy without
                outcomes |= {one: type(error).__new__(type(error), *error.args) for one in runs} | {runs[0]: error}
        except Exception as bug:
            outcomes |= dict.fromkeys(runs, bug)
    return [(one, outcomes[one]) for one in waiting]


class Apart:
    """A desk whose models are called in other threads, each run's as soon as it asks; it waits ``poll`` seconds at a
    time. It keeps deadlines: when one has passed, the run gets OutOfTime, even if the model does not know of it. Runs
    are told of replies when they arrive (``Run.arrived``).
    """

    poll = POLL

    def __init__(self) -> None:
        self._done: SimpleQueue[tuple[Run | None, Outcome]] = SimpleQueue()
        self._called: set[Run] = set()

    def __call__(self, waiting: Waiting) -> list[tuple[Run, Outcome]]:
        late = [one for one, ask in waiting.items() if one.late(GRACE) and not one.lms.computes(ask.role)]
        for one, ask in waiting.items():
            if one not in self._called and one not in late:
                self._called.add(one)
                # no pool: the interpreter would wait for its threads at exit, though after Ctrl-C a server still hangs
                within = copy_context().run  # a function as model may be searching with itself
                threading.Thread(target=within, args=(self._call, one, ask), name="tot-lm", daemon=True).start()
        try:
            who, outcome = self._done.get(timeout=0 if late else self.poll)  # what is there came in time
        except Empty:
            return [(one, OutOfTime(TOO_LATE)) for one in late]
        if who is None:
            return []
        self._called.discard(who)
        return [(who, outcome)] if who in waiting else []

    def _call(self, one: Run, ask: Ask) -> None:
        asker = weakref.ref(one)  # else what a server's loop remembers keeps the model, and its thread, for ever
        wanted = LM.WANTED.set(lambda: not getattr(asker(), "stopped", True))
        try:
            self._done.put((one, in_order(ask, _fetch(one.lms[ask.role], ask.requests, one.arrived))))
        except BaseException as error:
            self._done.put((one, error))
        finally:
            LM.WANTED.reset(wanted)  # a page of the book has no threads: there the caller's own was set

    def wake(self) -> None:
        """Say at once that there is nothing yet. May be called from any thread."""
        self._done.put((None, []))


def _fetch(lm: LM, requests: Iterable[Request], on_reply: OnReply | None = None) -> dict[Request, Reply]:
    """The replies. Equal requests are sent once: they have the same samples by definition.

    An LMError has what was paid, also if the model does not say so.
    """
    distinct, paid = list(dict.fromkeys(requests)), list[Usage]()

    def told(request: Request, reply: Reply) -> None:
        reply = counted(lm, request, reply)
        paid.append(reply.paid)
        if on_reply:
            on_reply(request, reply)

    try:
        return checked(lm, dict(zip(distinct, lm(distinct, told), strict=True)))
    except LMError as error:
        error.paid = error.paid.larger(sum(paid, Usage()))
        raise


def checked(lm: LM, replies: Mapping[Request, Reply]) -> dict[Request, Reply]:
    """The replies, with what a model of one's own did not count.

    Raises LMError, with what is paid, if it gave another number of samples, or did not tell how likely they were where
    a request wants to know it.
    """
    try:
        _refuse_unasked(lm, replies)
    except LMError as error:
        error.paid = sum((reply.paid for reply in replies.values()), Usage())
        raise
    return {request: counted(lm, request, reply) for request, reply in replies.items()}


def _refuse_unasked(lm: LM, replies: Mapping[Request, Reply]) -> None:
    for request, reply in replies.items():
        if len(reply.samples) != request.n:
            how = "its __call__ is to give each request n (tot.testing.check_lm tries it)"
            raise LMError(f"{lm.name} gave {len(reply.samples)} samples where {request.n} were asked for: {how}")
        if request.labels and not all(sample.weighed or sample.refused for sample in reply.samples):
            raise LMError(f"{lm.name} does not tell how likely a verdict was: leave out --verdicts logprobs")
        if request.logprobs and not all(s.logprob is not None or s.refused or s.unfinished for s in reply.samples):
            how = "choose the pocket model, a server that gives log-probabilities, or another method"
            raise LMError(f"{lm.name} does not tell how likely its replies were: {how}")


def in_order(ask: Ask, replies: Mapping[Request, Reply]) -> list[Reply]:
    """Replies in the order of the ask's requests; of equal requests only the first is charged."""
    bill: dict[Request, Reply | None] = {request: replies[request] for request in ask.requests}
    return [bill.pop(request, None) or Reply(replies[request].samples) for request in ask.requests]


# ---------------------------------------------------------------- one run, or many


def run(search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None) -> Result:
    """Run one search until it ends, its budget is used up, or ``until(best nodes)`` is true.

    ``lms`` is one model, or a mapping from roles to models (with "default" for the rest). If a model fails, nothing is
    raised: the result has ``stopped`` "error", the message in ``error``, and what was found so far.

    The model is called in this thread; but if the budget limits ``seconds``, or its replies are being recorded, in
    another one, which is no longer waited for when the time is over, or after Ctrl-C (a recording still keeps its
    reply, if that comes). A model that computes on this machine (``LM.batched``) is always waited for.
    """
    return run_one(Run(search, lms, budget=budget, until=until)).result()


def run_one(one: Run) -> Run:
    """Run a prepared ``Run`` to its end, and return it."""
    for _ in drive([one], _desk(one)):
        pass
    return one


def steps(
    search: Search, lms: LMs, *, budget: Budget | None = None, until: Until | None = None
) -> Generator[PlainEvent, None, Result]:
    """Like ``run``, yielding each event as plain data when it happens: ``for event in steps(search, lm): ...``."""
    one = Run(search, lms, budget=budget, until=until)
    shown = 0
    for _ in drive([one], _desk(one)):
        while shown < len(one.recorder.events):
            yield one.recorder.events[shown]
            shown += 1
    return one.result()


def _desk(one: Run) -> Desk:
    own = one.lms.models.values()  # tools, too: one that hangs is not waited for
    here = one.deadline is None and not any(getattr(lm, "live", None) for lm in own)
    return together if here or all(lm.batched for lm in own) else Apart()


def run_many(runs: Iterable[Run], *, at_once: int = 64, on_round: Callable[[], None] | None = None) -> Iterator[Run]:
    """Advance up to ``at_once`` runs concurrently; yield each as it ends, in order of completion.

    Search code runs in the caller's thread; only model calls run in others. Each search continues as soon as its own
    replies are in. If the models of the first run have ``batched = True`` (they compute on this machine), each model
    instead gets the pending requests of all searches in one list; a ``serial`` one, such as a function, has one search
    after the other. ``on_round`` is called after each answered round, and
    now and then while none is answered, for a progress bar.
    """
    todo = iter(runs)
    first = next(todo, None)
    if first is None:
        return
    desk = _desk(first) if first.lms.batched else Apart()
    at_once = 1 if first.lms.batched and first.lms.serial else at_once
    with closing(drive(chain([first], todo), desk, at_once=at_once)) as driven:
        for one in driven:
            if on_round:
                on_round()
            if one.stopped:
                yield one
