"""Driving searches: rounds, budgets, bills, failures, many at once, and the trace."""

import _thread
import json
import os
import random
import threading
import time
from dataclasses import replace

import pytest
from tables import bars
from trees import asked, grow, judge, model, picture, root

from tot import (
    LM,
    Ask,
    Best,
    Budget,
    Cassette,
    Event,
    Ledger,
    LMError,
    Reply,
    Run,
    Sample,
    Scripted,
    State,
    Thought,
    Trace,
    Usage,
    bfs,
    constant,
    generator,
    run,
    run_many,
    steps,
    user,
    vote,
)
from tot.lm.roles import Roles
from tot.parse import Read
from tot.runner import Apart, drive, run_one, together
from tot.state import Node
from tot.tasks.ballots import choice

pytestmark = pytest.mark.filterwarnings("error")

TREE = {"r": "a b c", "rb": "d e", "rc": "d e", "rbd": "X y", "rcd": "Z"}
VALUES = {"ra": 1, "rb": 3, "rc": 2, "rbd": 5, "rbe": 0, "rcd": 5, "rce": 4, "rbdX": 7, "rbdy": 7, "rcdZ": 9}


def search(breadth=2, **more):
    return bfs(root(), grow(), judge(**more), depth=3, breadth=breadth)


def toy():
    return model(TREE, VALUES)


def ask(*texts, role="generator", **params):
    return Ask(role, [Node(State("x"))] * len(texts), [user(text, **params) for text in texts])


def test_a_round_is_an_ask_with_requests():
    def three_rounds():
        got = yield ask("a", "b")
        assert [r.texts for r in got] == [("a",), ("b",)]
        assert (yield ask()) == []  # nothing to ask is no round
        yield Event("note", [])
        got = yield ask("c")
        assert [r.texts for r in got] == [("c",)]

    result = run(three_rounds(), Scripted(lambda r, i: r.messages[0].content))
    assert result.ledger.rounds == 2 and result.stopped == "done" and result.best == []
    assert [(e["kind"], e.get("round")) for e in result.trace.events] == [("asked", 1), ("note", None), ("asked", 2)]


def test_the_bill_by_role():
    result = run(search(n=2), toy())
    generator_bill, evaluator_bill = result.ledger.asked["generator"], result.ledger.asked["evaluator"]
    # five nodes were expanded, into 3 + 2 + 2 + 2 + 1 letters; each prompt is two words
    assert generator_bill == Usage(5, 5, 10, 10) and evaluator_bill == Usage(10, 20, 20, 20)
    assert result.ledger.total == result.ledger.total_paid == Usage(15, 25, 30, 30)
    plain = result.ledger.to_dict()
    assert (plain["calls"], plain["rounds"], plain["nodes"], plain["samples"]) == (15, 6, 10, 25)
    assert plain["by_role"]["generator"]["completion_tokens"] == 10 and "seconds" not in plain
    assert json.loads(json.dumps(plain)) == plain and result.trace.result["usage"] == plain
    assert Ledger(asked={"one": Usage(dollars=1 / 3)}).to_dict()["dollars"] == 0.333333333333
    assert Ledger().total == Usage() and Usage(1, 2, 3, 4, 5.0) + Usage(1, 1, 1, 1, 1.0) == Usage(2, 3, 4, 5, 6.0)


def test_equal_requests_of_a_round_are_asked_once_and_billed_once():
    def twice():
        got = yield ask("a", "b", "a", n=2)
        assert got[0].samples == got[2].samples != got[1].samples
        assert got[0].asked.calls == got[1].asked.calls == 1 and got[2].asked == got[2].paid == Usage()

    lm = Scripted(lambda r, i: f"{r.messages[0].content} {i}")
    result = run(twice(), lm, budget=Budget(calls=2))
    assert asked(lm) == ["a", "b"] and result.ledger.total.calls == 2 and result.stopped == "done"
    assert [len(r["samples"]) for r in result.trace.events[0]["requests"]] == [2, 2, 2]
    assert [r["prompt_tokens"] for r in result.trace.events[0]["requests"]] == [1, 1, 0]


def test_a_replayed_call_is_asked_and_not_paid():
    def free(requests, on_reply=None):
        return [replace(reply, paid=Usage()) for reply in Scripted(lambda r, i: "x")(requests)]

    free.name, free.batched = "free", False
    result = run(iter_asks(3), free)
    assert result.ledger.total.calls == 3 and result.ledger.total_paid == Usage()


def iter_asks(n, **params):
    for i in range(n):
        yield ask(f"q{i}", **params)
        node = Node(State("x").then(Thought(str(i), answer=str(i))))
        yield Event("evaluated", [node, node])
        yield Best([node])


LIMITS = [
    *[Budget(calls=n) for n in range(17)],
    *[Budget(tokens=n) for n in range(0, 65, 7)],
    *[Budget(nodes=n) for n in range(12)],
    *[Budget(dollars=d) for d in (0, 0.01, 0.02, 1)],
    Budget(seconds=0),
]


def priced():
    lm = toy()

    def answer(requests, on_reply=None):
        replies = lm(requests)
        return [
            replace(r, asked=replace(r.asked, dollars=0.003), paid=replace(r.asked, dollars=0.003)) for r in replies
        ]

    answer.name, answer.batched, answer.unpriced = "priced", False, False  # its bill is on the replies alone
    return answer


@pytest.mark.parametrize("budget", LIMITS, ids=str)
def test_a_budgeted_run_is_a_prefix_and_says_what_ran_out(budget):
    full, part = run(search(), priced()), run(search(), priced(), budget=budget)
    events = part.trace.events
    assert events == full.trace.events[: len(events)]
    [(name, limit)] = budget.limits.items()
    if part.stopped == "done":
        assert len(events) == len(full.trace.events)
        return
    assert part.stopped == name and part.trace.result["stopped"] == name
    rest = full.trace.events[len(events) :]
    assert rest[0]["kind"] == "asked"  # it stopped before a round
    total = part.ledger.total
    used = {"calls": total.calls, "tokens": total.tokens, "dollars": total.dollars, "nodes": part.ledger.nodes}
    if name == "calls":  # never exceeded, and the next round would have done it
        assert total.calls <= limit < total.calls + len(rest[0]["requests"])
    elif name != "seconds":
        assert used[name] >= limit
    if part.ledger.rounds >= 2:
        assert part.best and part.answers == [n.state.answer for n in part.best if n.state.answer]


def test_each_limit_stops_somewhere_in_the_middle():
    stops = {str(b): run(search(), priced(), budget=b).ledger.rounds for b in LIMITS}
    assert {0, 1, 2, 3, 4, 5, 6} == {stops[str(Budget(calls=n))] for n in range(17)}
    assert [stops[str(Budget(nodes=n))] for n in (0, 1, 3, 4, 7, 8, 10)] == [0, 2, 2, 4, 4, 6, 6]
    assert stops[str(Budget(dollars=0.01))] == 2 and stops[str(Budget(seconds=0))] == 0


def test_seconds_are_wall_time():
    result = run(iter_asks(50), Scripted(lambda r, i: "x", delay=0.05), budget=Budget(seconds=0.5))
    assert result.stopped == "seconds" and 1 <= result.ledger.rounds <= 10 and 0.5 <= result.ledger.seconds
    assert result.best


def test_a_budget_as_text():
    assert Budget.parse("calls=200, seconds=60") == Budget(calls=200, seconds=60)
    assert Budget.parse("") == Budget() and Budget.parse("dollars=0.5,tokens=1e6,nodes=0") == Budget(
        None, 1e6, 0.5, None, 0
    )
    for text in bars("calls|calls=|calls=x|calls=-1|calls=nan|cals=5|=5|5|calls=5=6|calls=5;tokens=6|calls=1e999"):
        with pytest.raises(
            ValueError, match=r"cannot read .* write, for example, calls=200,seconds=60 \(calls, tokens, d"
        ):
            Budget.parse(text)
    for text in (",", "soft", " , soft"):
        with pytest.raises(ValueError, match="limits nothing: write, for example"):
            Budget.parse(text)


def test_until_ends_the_run_at_the_first_best_that_pleases():
    seen = []
    result = run(search(), toy(), until=lambda best: seen.append([n.id for n in best]) or best[0].value >= 5)
    assert result.stopped == "until" and seen == [["0.1", "0.2"], ["0.1.0", "0.2.0"]] and result.ledger.rounds == 4
    assert picture(result.trace) == picture(run(search(), toy()).trace)[:10]


def test_a_failing_model_keeps_what_was_found():
    good = toy()

    def fails(requests, on_reply=None):
        if any("rbd" in r.messages[0].content for r in requests):
            raise LMError("the server is gone: start it and run again")
        return good(requests)

    fails.name, fails.batched = "fails", False
    result = run(search(), fails)
    assert (result.stopped, result.error) == ("error", "the server is gone: start it and run again")
    assert [n.id for n in result.best] == ["0.1", "0.2"] and result.ledger.rounds == 3
    assert result.trace.events == run(search(), toy()).trace.events[:7]
    assert result.trace.result["error"] == result.error and "error" not in run(search(), toy()).trace.result


@pytest.mark.parametrize("budget", [None, Budget(seconds=60)])
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_was_paid_before_a_model_failed_is_on_the_bill_though_the_model_does_not_say_so(budget, wrapped):
    def breaks(request, i):
        if request.messages[-1].content == "third":
            raise LMError("broken")
        return "ok"

    class OneByOne(Scripted):
        def __call__(self, requests, on_reply=None):
            return [reply for request in requests for reply in super(OneByOne, self).__call__([request], on_reply)]

    def search():
        yield Ask("default", [], [user(words) for words in ("first", "second", "third")])

    lm = OneByOne(breaks)
    result = run(search(), Cassette(None, lm) if wrapped else lm, budget=budget)
    assert (result.stopped, result.ledger.total_paid.calls) == ("error", 2)


@pytest.mark.parametrize("batched", [False, True])
def test_an_error_that_is_no_model_error_is_not_hidden_and_has_what_was_searched(batched):
    def broken(requests, on_reply=None):
        if "judge" in requests[0].messages[0].content:
            raise ZeroDivisionError
        return toy()(requests)

    broken.name, broken.batched = "broken", batched
    with pytest.raises(ZeroDivisionError) as told:
        run(search(), broken)
    assert told.value.trace.events and len(told.value.__notes__) == 1
    models = Roles.of(broken)
    with pytest.raises(ZeroDivisionError) as told:
        list(run_many([Run(search(), models), Run(search(), models)]))
    assert told.value.trace.events and len(told.value.__notes__) == 1


def test_the_search_is_closed_when_the_run_ends_early():
    closed = []

    def careful():
        try:
            yield from iter_asks(5)
        finally:
            closed.append(True)

    searches = [careful() for _ in range(3)]  # kept: not closed by the end of their lives
    run(searches[0], Scripted(lambda r, i: "x"), budget=Budget(calls=2))
    run(searches[1], Scripted(lambda r, i: "x"), until=bool)
    run(searches[2], Scripted([]))
    assert closed == [True] * 3


def test_roles_go_to_their_models():
    small, large = model(TREE, {}), model({}, VALUES)
    result = run(search(), {"generator": small, "evaluator": large})
    assert {t.split()[0] for t in asked(small)} == {"grow"} and {t.split()[0] for t in asked(large)} == {"judge"}
    assert result.trace.events == run(search(), toy()).trace.events
    both = toy()
    run(search(), {"default": both, "evaluator": large})
    assert {t.split()[0] for t in asked(both)} == {"grow"}
    both = Roles.of({"generator": small, "default": large})
    assert both.name == "default=toy, generator=toy" and Roles.of(small).name == "toy"
    assert Roles.of({"default": small})["anyone"] is small


def test_a_missing_role_is_a_sentence_and_no_traceback():
    result = run(search(), {"generator": toy()})
    assert result.stopped == "error" and result.ledger.rounds == 1
    assert result.error == (
        "no model for the role 'evaluator': pass one under that name or under 'default' (have: generator)"
    )
    for batched in (False, True):
        lm = toy()
        lm.batched = batched
        [one] = run_many([Run(search(), {"generator": lm})])
        assert one.stopped == "error" and "evaluator" in one.error


def test_unread_replies_are_counted():
    result = run(bfs(root(), grow(), judge(n=2), depth=1, breadth=1), model({"r": "a ? b ?"}, {"ra": ["1", "?"]}))
    assert result.unread == 3


def test_steps_are_the_events_of_the_trace():
    stepping, events = steps(search(), toy()), []
    try:
        while True:
            events.append(next(stepping))
    except StopIteration as stop:
        result = stop.value
    full = run(search(), toy())
    assert events == result.trace.events == full.trace.events and result.stopped == "done"
    assert result.trace.to_json() == full.trace.to_json()


def test_steps_ask_no_earlier_than_they_are_taken():
    lm = toy()
    stepping = steps(search(), lm)
    assert lm.requests == []
    assert next(stepping)["kind"] == "asked" and len(lm.requests) == 1
    assert next(stepping)["kind"] == "expanded" and len(lm.requests) == 1
    stepping.close()


def test_a_run_by_hand():
    one, lm = Run(search(), {}), toy()
    question = one.feed()
    while question:
        assert one.pending is question
        question = one.feed(lm(question.requests))
    assert one.stopped == "done" and one.result().trace.to_json() == run(search(), toy()).trace.to_json()


def jittery(seed=0, **more):
    """Answers like the toy, each call after a random moment, so that replies arrive in another order every time."""
    lm, rng = toy(), random.Random(seed)

    def answer(requests, on_reply=None):
        time.sleep(rng.random() / 200)
        return lm(requests)

    answer.name, answer.batched, answer.requests = "toy", False, lm.requests
    for name, value in more.items():
        setattr(answer, name, value)
    return answer


def plain(one):
    result = one.result()
    return result.trace.to_json(), result.ledger.asked, result.stopped, [n.id for n in result.best]


def many(lm):
    models, budgets = Roles.of(lm), [None, Budget(calls=4), Budget(nodes=3), Budget(calls=0), None]
    return [Run(search(breadth=1 + i % 3), models, budget=budgets[i % 5]) for i in range(20)]


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("at_once", [1, 3, 64])
def test_many_at_once_are_what_they_are_alone(batched, at_once):
    alone = {i: plain(run_one(one)) for i, one in enumerate(many(toy()))}
    runs, rounds = many(jittery(batched=batched)), []
    place = {id(one): i for i, one in enumerate(runs)}
    ended = run_many(runs, at_once=at_once, on_round=lambda: rounds.append(1))
    got = {place[id(one)]: plain(one) for one in ended}
    assert got == alone and len(rounds) >= sum(one.ledger.rounds for one in runs)


def test_a_batched_model_gets_the_questions_of_all_searches_in_one_list():
    sizes = []
    lm = toy()

    def batch(requests, on_reply=None):
        sizes.append(len(requests))
        assert len(set(requests)) == len(requests)  # equal questions once
        return lm(requests)

    batch.name, batch.batched = "toy", True
    models = Roles.of(batch)
    runs = list(run_many([Run(bfs(root(x), grow(), constant, depth=1, breadth=1), models) for x in "abca"]))
    assert sizes == [3] and len(runs) == 4 and [one.ledger.rounds for one in runs] == [1] * 4
    assert [one.ledger.total.calls for one in runs] == [1] * 4  # each search is billed as if it were alone


def test_a_search_goes_on_as_soon_as_its_own_replies_are_in():
    gate = threading.Event()

    def slow_for_one(requests, on_reply=None):
        if "slow" in requests[0].messages[0].content:
            assert gate.wait(60)
        return Scripted(lambda r, i: "x")(requests)

    slow_for_one.name, slow_for_one.batched = "m", False

    def chain(name, n):
        for i in range(n):
            yield ask(f"{name} {i}")

    order = []
    for one in run_many([Run(chain("slow", 1), slow_for_one), Run(chain("quick", 5), slow_for_one)]):
        order.append(one.ledger.rounds)
        gate.set()
    assert order == [5, 1]


def test_runs_are_started_only_when_there_is_room():
    started = []

    def lazily():
        for i in range(6):
            started.append(i)
            yield Run(iter_asks(1), count)

    def count(requests, on_reply=None):
        most.append(len(started))
        return Scripted(lambda r, i: "x")(requests)

    most = []
    count.name = "m"
    for batched in (False, True):
        count.batched = batched
        started.clear()
        most.clear()
        assert len(list(run_many(lazily(), at_once=2))) == 6
        assert most[0] <= 2 and len(started) == 6


def test_a_failure_in_one_search_leaves_the_others_alone():
    lm = toy()

    def picky(requests, on_reply=None):
        if any(r.messages[0].content == "grow bad" for r in requests):
            raise LMError("no")
        return lm(requests)

    picky.name, picky.batched = "toy", False
    searches = [bfs(root(x), grow(), judge(), depth=3, breadth=2) for x in ("r", "bad", "r")]
    runs = list(run_many([Run(each, picky) for each in searches]))
    assert sorted(one.stopped for one in runs) == ["done", "done", "error"]


def test_no_search_at_all():
    assert list(run_many([])) == []
    [one] = run_many([Run(iter_asks(0), toy())])
    assert one.stopped == "done" and one.ledger.rounds == 0


@pytest.mark.parametrize("way", ["left", "interrupted"])
def test_who_leaves_early_is_waited_for_no_more_and_others_with_the_same_model_are(way):
    gate, seen = threading.Event(), {}

    def slow(requests, on_reply=None):
        name = requests[0].messages[0].content
        if name != "quick":
            on_reply(requests[0], Reply((), paid=Usage(calls=1)))
            if way == "interrupted" and name == "left":
                _thread.interrupt_main()
            assert gate.wait(30)
            seen[name] = LM.WANTED.get()()
        return Scripted(lambda r, i: "x")(requests)

    def one(name):
        return Run((each for each in [ask(name)]), slow, budget=Budget(seconds=600))

    slow.name, slow.batched = "slow", False
    stays, left = one("stays"), one("left")
    beside = threading.Thread(target=run_one, args=[stays])
    beside.start()
    if way == "left":
        next(run_many([left, one("quick")]))
    else:
        with pytest.raises(KeyboardInterrupt):
            run_one(left)
    gate.set()
    beside.join(30)
    until = time.monotonic() + 30
    while len(seen) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert seen == {"left": False, "stays": True} and stays.stopped == "done"
    assert left.stopped == "cancelled" and left.ledger.total_paid.calls == 1  # what has arrived


def test_where_threads_are_done_at_once_the_caller_still_waits_for_what_it_asks_next(monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.run)  # as in a page of the book
    assert len([*run_many([Run(iter_asks(1), jittery())])]) == 1
    assert LM.WANTED.get()()


def test_what_a_list_cost_that_failed_is_on_one_bill():
    class Odd(LMError):
        def __init__(self, why, paid):
            super().__init__(why)
            self.paid = paid

    def fails(requests, on_reply=None):
        raise Odd("no", Usage(calls=7))

    fails.name, fails.batched = "fails", True
    models = Roles.of(fails)
    runs = [*run_many([Run(iter_asks(1), models) for _ in range(3)])]
    assert [(one.stopped, one.error) for one in runs] == [("error", "no")] * 3
    assert sum(one.ledger.total_paid.calls for one in runs) == 7


def test_who_iterates_may_stop_a_run_and_the_others_go_on():
    for desk in (together, Apart()):
        runs = many(toy())[::5]
        for one in drive(runs, desk, at_once=3):
            if one is runs[1] and one.ledger.rounds == 2:
                one.stop("stopped")
        assert runs[1].stopped == "stopped" and runs[1].ledger.rounds == 2 and runs[1].best
        assert [plain(one) for one in runs if one is not runs[1]] == [
            plain(run_one(one)) for i, one in enumerate(many(toy())[::5]) if i != 1
        ]


def test_a_run_knows_its_models_before_it_asks_so_a_budget_of_dollars_holds_by_hand():
    lm = toy()
    lm.price = (1e6, 1e6)
    assert Run(iter_asks(1, max_tokens=100), lm, budget=Budget(dollars=5)).feed() is None
    one = Run(search(), {"evaluator": lm}, budget=Budget(dollars=5))
    assert one.feed() is None and "no model for the role 'generator'" in one.error


def test_a_trace_introduces_each_node_once_with_its_parents_first():
    result = run(search(), toy())
    known = set()
    for event in result.trace.events:
        for node in event["nodes"]:
            if "thought" in node:
                assert node["id"] not in known and (node["parent"] is None or node["parent"] in known)
            known.add(node["id"])
            assert node["id"] in known
    nodes = result.trace.nodes()
    assert nodes["0"] == {"id": "0", "parent": None, "thought": "r"}
    assert nodes["0.2.0.0"] == {
        "id": "0.2.0.0",
        "parent": "0.2.0",
        "thought": "Z",
        "answer": "rcdZ",
        "final": True,
        "value": 9.0,
    }
    assert len(nodes) == 11 and json.loads(result.trace.to_json())["schema"] == 1


def test_a_node_is_seen_as_it_was_at_the_time():
    node = root()

    def changes():
        node.value = 1.0
        yield Event("evaluated", [node])
        node.value, node.note, node.visits, node.total = 2.0, "why", 4, 2.0
        yield Event("pruned", [node])
        [child] = node.grow([Thought("c", prior=0.25)])
        [leaf] = child.grow([Thought("l")])
        yield Event("expanded", [leaf])  # its parent was never told of

    events = run(changes(), Scripted([])).trace.events
    assert events[0]["nodes"] == [{"id": "0", "parent": None, "thought": "r", "value": 1.0}]
    assert events[1]["nodes"] == [{"id": "0", "value": 2.0, "note": "why", "visits": 4, "mean": 0.5}]
    assert events[2] == {
        "kind": "introduced",
        "nodes": [{"id": "0.0", "parent": "0", "thought": "c", "prior": 0.25}],
    }
    assert events[3] == {"kind": "expanded", "nodes": [{"id": "0.0.0", "parent": "0.0", "thought": "l"}]}


def test_a_vote_is_about_no_single_node():
    evaluate = vote(lambda states: user("vote"), choice, n=2)
    result = run(bfs(root(), grow(), evaluate, depth=1, breadth=1), Scripted(["a b", "choice 2", "choice 2"]))
    [_, _, ballot, *_] = result.trace.events
    assert ballot["requests"][0]["about"] is None and [n["id"] for n in ballot["nodes"]] == ["0.0", "0.1"]
    assert [n.id for n in result.best] == ["0.1"]
    assert result.trace.events[0]["requests"][0]["about"] == "0"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_trace_goes_into_a_pipe_or_a_device_and_to_where_a_link_leads(tmp_path):
    trace, pipe, link = run(iter_asks(1), toy()).trace, tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    trace.save(pipe)
    assert os.read(reader, 10**6).decode() == trace.to_json() + "\n" and pipe.is_fifo()
    os.close(reader)
    link.symlink_to(tmp_path / "real.json")
    trace.save(link)
    assert link.is_symlink() and Trace.load(tmp_path / "real.json") == trace


def test_a_trace_is_saved_and_loaded(tmp_path):
    def strange(state, text):
        return [Read(Thought("half \ud800 a pair, \u2028 é\r\n\0", answer="\udfff", final=True))]

    result = run(
        bfs(root(), generator(lambda s: user("x"), strange), constant, depth=1, breadth=1), Scripted(["y\ud800"])
    )
    for trace in (result.trace, run(search(), toy()).trace, Trace()):
        trace.head = {"task": "toy"}
        trace.save(tmp_path / "t.json")
        again = Trace.load(tmp_path / "t.json")
        assert (again.head, again.events, again.result) == (trace.head, trace.events, trace.result)
        assert again.to_json() == trace.to_json() and again.best == trace.best and again.nodes() == trace.nodes()
    assert b"\r\n" not in (tmp_path / "t.json").read_bytes()
    for marked in ("utf-8-sig", "utf-16"):  # as editors and Windows' shells write it
        (tmp_path / "m.json").write_bytes((tmp_path / "t.json").read_text("utf-8").encode(marked))
        assert Trace.load(tmp_path / "m.json").to_json() == again.to_json()


@pytest.mark.parametrize(
    "content",
    [
        *[b"", b"{}", b"[]", b"5", b"null", b"dear diary", b"\x89PNG\r\n\x1a\n", b'{"schema": 1}', b"[" * 100_000],
        b'{"type": "session", "schema": 1}\n{"type": "message"}\n',
        *[
            b'{"schema": 1, "head": {}, "events": %s, "result": {}}' % e
            for e in (b"5", b"[5]", b"[{}]", b'[{"kind": "a"}]')
        ],
        b'{"schema": 1, "head": 5, "events": [], "result": {}}',
    ],
    ids=range(15),
)
def test_what_is_not_a_trace(tmp_path, content):
    (tmp_path / "t.json").write_bytes(content)
    with pytest.raises(ValueError, match="t.json is not a trace: save one with"):
        Trace.load(tmp_path / "t.json")


@pytest.mark.parametrize(
    "content", ['{"schema": 2, "things": 7}', '{"schema": 2, "head": {}, "events": [], "result": {}}']
)
def test_a_trace_from_the_future(tmp_path, content):
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(ValueError, match="has trace schema 2, this version reads 1: save the trace again"):
        Trace.load(tmp_path / "t.json")


def test_a_cut_off_reply_is_marked_in_the_trace():
    result = run(iter_asks(1), Scripted([Sample("x", "length", 7)]))
    assert result.trace.events[0]["requests"][0]["samples"] == [{"text": "x", "finish": "length", "tokens": 7}]
    assert Reply(()).texts == ()
