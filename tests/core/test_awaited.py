"""``asolve`` and ``asteps``: what they give and record is what ``solve`` and ``steps`` do; leaving ends the calls."""

import asyncio
import gc
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from fake_server import FakeServer, answering
from trees import grow, judge, model, root

import tot
from tot import Budget, Cassette, LMError, OpenAI, Scripted, bfs, steps

TREE = {"r": "a b c", "rb": "d e", "rc": "d e", "rbd": "X y", "rcd": "Z"}
VALUES = {"ra": 1, "rb": 3, "rc": 2, "rbd": 5, "rbe": 0, "rcd": 5, "rce": 4, "rbdX": 7, "rbdy": 7, "rcdZ": 9}
ROOT = Path(__file__).parents[2]


def search():
    return bfs(root(), grow(), judge(), depth=3, breadth=2)


def toy():
    return model(TREE, VALUES)


def stepped(lm):
    stepping = steps(search(), lm)
    events = []
    while True:
        try:
            events.append(next(stepping))
        except StopIteration as over:
            return events, over.value.ledger.to_dict() | {"seconds": 0}


async def astepped(lm):
    stepping = tot.asteps(search(), lm)
    events = [event async for event in stepping]
    return events, stepping.result().ledger.to_dict() | {"seconds": 0}


def test_events_bill_and_recording_are_those_of_steps(tmp_path):
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    with Cassette(a, toy()) as one, Cassette(b, toy()) as other:
        assert stepped(one) == asyncio.run(astepped(other))
    untimed = [
        [json.loads(line) | {"latency_ms": 0, "sum": ""} for line in each.read_text().splitlines()] for each in (a, b)
    ]
    assert untimed[0] == untimed[1] and len(untimed[0]) > 10


@pytest.mark.parametrize("batched", [False, True])
def test_solutions_are_those_of_solve_many_at_once(batched):
    def lm():
        made = Scripted(lambda request, index: f"{index + 1} is it", name="m")
        made.batched = batched
        return made

    def line(solution):
        return json.loads(json.dumps(solution.to_dict() | {"usage": 0})), solution.trace.events

    async def all_of_them():
        with pytest.raises(ValueError, match="no task"):
            await tot.asolve("no task", "x", lm=lm())
        return await asyncio.gather(*(tot.asolve("gsm8k", f"{i} + 1?", "cot-sc", lm=lm(), k=3) for i in range(5)))

    for i, solution in enumerate(asyncio.run(all_of_them())):
        assert line(solution) == line(tot.solve("gsm8k", f"{i} + 1?", "cot-sc", lm=lm(), k=3))


def test_a_recording_that_lacks_a_request_is_repeated_with_the_live_model(tmp_path):
    path = tmp_path / "c.jsonl"
    with Cassette(path, Scripted(lambda r, i: "7", name="m")) as lm:
        tot.solve("gsm8k", "3 + 4?", "io", lm=lm)
    live = Scripted(lambda r, i: "8", name="live")
    solution = asyncio.run(tot.asolve("gsm8k", "4 + 4?", "io", lm=Cassette(path), live=live))
    assert solution.answer == "8" and solution.lm == "live"


def test_what_another_model_was_paid_before_a_recording_lacked_a_request_is_on_the_bill(tmp_path):
    with Cassette(tmp_path / "c.jsonl", Scripted(lambda r, i: "2 * 3 = 6 (left: 4 4 6)", name="m")) as lm:
        tot.solve("game24", "2 3 4 4", "tot-bfs", lm=lm, budget=Budget(calls=1))
    live = Scripted(lambda r, i: "no", name="live")
    with FakeServer(answering("likely")) as server:
        lms = {"default": Cassette(tmp_path / "c.jsonl"), "evaluator": OpenAI("fake", base_url=server.url, api_key="x")}
        for solve in (tot.solve, lambda *given, **more: asyncio.run(tot.asolve(*given, **more))):
            server.requests.clear()
            ledger = solve("game24", "2 3 4 4", "tot-bfs", lm=lms, live=live, budget=Budget(calls=90)).result.ledger
            assert 0 < len(server.requests) == ledger.paid["evaluator"].calls < ledger.charged.calls


def test_a_fault_is_an_error_of_its_search_alone_and_a_bug_is_raised():
    def failing(error):
        def lm(requests, on_reply=None):
            raise error

        lm.name = "failing"
        return lm

    async def both():
        bad, good = await asyncio.gather(
            tot.asolve("gsm8k", "1 + 1?", "io", lm=failing(LMError("out of order"))),
            tot.asolve("gsm8k", "1 + 1?", "io", lm=Scripted(lambda r, i: "2")),
        )
        assert (bad.error, good.answer) == ("out of order", "2")
        with pytest.raises(ZeroDivisionError):
            await tot.asolve("gsm8k", "1 + 1?", "io", lm=failing(ZeroDivisionError()))

    asyncio.run(both())


def test_the_loop_goes_on_while_a_model_is_slow_and_a_deadline_holds():
    gate, ticks = threading.Event(), []

    def slow(request, index):
        gate.wait(60)
        return "2"

    async def watched():
        asked = asyncio.create_task(tot.asolve("gsm8k", "1 + 1?", "io", lm=Scripted(slow)))
        late = await tot.asolve("gsm8k", "1 + 1?", "io", lm=Scripted(slow), budget=Budget(seconds=0.05))
        assert late.result.stopped == "seconds" and not asked.done()
        for i in range(5):
            await asyncio.sleep(0.005)
            ticks.append(i)
        gate.set()
        return await asked

    assert asyncio.run(watched()).answer == "2" and len(ticks) == 5


def test_cancelling_ends_the_calls_of_that_search_alone_and_keeps_what_arrived(tmp_path):
    """Of a method that asks 4 times, two at a time, the first two replies arrive; another search shares the model."""
    path, hang = tmp_path / "c.jsonl", threading.Event()

    def behave(body):
        if "slow" in body["messages"][-1]["content"] and len(server.requests) > 2:
            hang.wait(60)
        return good(body)

    good = answering("The answer is 4.")
    server = FakeServer(behave, models=[{"id": "fake", "owned_by": "tests"}])

    async def cancelled():
        with server, Cassette(path, OpenAI("fake", base_url=server.url, native_n=False, max_concurrency=2)) as lm:
            task = asyncio.create_task(tot.asolve("gsm8k", "slow: 2 + 2?", "cot-sc", lm=lm, k=4))
            while len(server.requests) < 4:
                await asyncio.sleep(0.01)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            waited = time.monotonic() - began  # for no server: that hangs for a minute
            hang.set()
            other = await tot.asolve("gsm8k", "2 + 2?", "io", lm=lm)
            sent = len(server.requests)
            again = await tot.asolve("gsm8k", "slow: 2 + 2?", "cot-sc", lm=lm, k=4)
            return other, again, sent, len(server.requests), waited

    other, again, sent, at_last, waited = asyncio.run(cancelled())
    assert (other.answer, again.answer) == ("4", "4") and waited < 30
    assert sent == 5 and at_last - sent < 4  # four and the other's; the two that had arrived are not asked again


@pytest.mark.parametrize("when", ["beside", "afterwards"])
def test_what_a_cancelled_search_has_under_way_is_not_paid_again_by_who_asks_the_same(tmp_path, when):
    hang, good = threading.Event(), answering("The answer is 4.")
    server = FakeServer(lambda body: hang.wait(60) and good(body), models=[{"id": "fake", "owned_by": "tests"}])

    async def twins():
        with server, Cassette(tmp_path / "c.jsonl", OpenAI("fake", base_url=server.url)) as lm:

            def asked():
                return asyncio.create_task(tot.asolve("gsm8k", "2 + 2?", "io", lm=lm))

            one, other = asked(), asked() if when == "beside" else None
            while not server.requests:
                await asyncio.sleep(0.01)
            one.cancel()
            await asyncio.sleep(0.5)  # until the model has seen it
            other = other or asked()
            await asyncio.sleep(0.2)
            hang.set()
            return await other

    twin = asyncio.run(twins())
    assert twin.answer == "4" and len(server.requests) == 1 and not twin.result.ledger.total_paid.calls


@pytest.mark.parametrize("seconds", [None, 60])
def test_a_model_that_was_opened_for_one_search_goes_with_it(seconds):
    """Its thread and its connection, too: a server that opens one for each client ran out of files."""

    def threads():
        return sum(thread.name == "tot-lm" for thread in threading.enumerate())

    def solve(url):
        lm = OpenAI("fake", base_url=url)
        if seconds:
            return tot.solve("gsm8k", "2 + 2?", "io", lm=lm, budget=Budget(seconds=seconds))
        return asyncio.run(tot.asolve("gsm8k", "2 + 2?", "io", lm=lm))

    before, until = threads(), time.monotonic() + 30
    with FakeServer(answering("The answer is 4.")) as server:
        assert [solve(server.url).answer for _ in range(3)] == ["4"] * 3
        while threads() > before and time.monotonic() < until:
            gc.collect()
            time.sleep(0.05)
    assert threads() <= before


def test_leaving_the_loop_cancels_the_search_and_its_result_says_how_far_it_came():
    lm = toy()

    async def left():
        stepping = tot.asteps(search(), lm)
        async for event in stepping:
            if event["kind"] == "best":
                break
        for _ in range(5):
            await asyncio.sleep(0)
        return stepping.result()

    result = asyncio.run(left())
    assert result.stopped == "cancelled" and result.best and result.ledger.rounds == 2


def test_the_manuals_example_prints_what_the_page_says(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "book" / "manual" / "awaited.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(code, {})
    assert f"```text\n{capsys.readouterr().out}```" in page


def test_nothing_of_asyncio_is_loaded_before_it_is_named():
    code = "import sys, tot; assert not {'tot.awaited', 'asyncio'} & {*sys.modules}; tot.asolve, tot.asteps"
    subprocess.run([sys.executable, "-c", code], check=True)
