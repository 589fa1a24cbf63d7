"""The pace of a slow server: what moves is waited for, what hangs is not, and what was given up is asked again."""

import asyncio
import json
import threading
import time

import fake_server as fake
import pytest
from asking import make
from fake_server import Answer

from tot.lm import sdk  # noqa: F401 - loads for a second, which the limits would count
from tot.lm.base import LMError, Unanswered, user
from tot.lm.pace import HANGS, Pace
from tot.lm.transport import HTTPFailure


def slots(most, seconds):
    """A server that computes ``most`` calls at once, each sample for so long. Who waits no longer is not noticed."""
    free = threading.Semaphore(most)

    def behave(body):
        with free:
            time.sleep(seconds * body.get("n", 1))
        return Answer(fake.completion(["ok"] * body.get("n", 1)))

    return behave


def at_once(lm, requests):
    """Each request in a thread of its own, as the runs of a sweep: what came of it."""
    found = {}

    def ask(request):
        try:
            found[request] = lm([request])[0].texts
        except LMError as error:
            found[request] = error

    threads = [threading.Thread(target=ask, args=[request]) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[request] for request in requests]


@pytest.mark.parametrize(("n", "calls"), [(1, 24), (5, 8)])
def test_a_queue_that_moves_is_waited_for_however_long_it_is(server, n, calls):
    server.behave = slots(2, 0.2)
    found = at_once(make(server, timeout=1.5), [user(str(i), n=n) for i in range(calls)])
    assert found == [("ok",) * n] * calls and len(server.requests) == calls, "nothing is sent twice"


@pytest.mark.parametrize("wait", [{"Retry-After-Ms": "150"}, {}])
def test_a_limit_of_calls_in_a_time_is_waited_for_as_long_as_others_are_answered(server, wait):
    """30 replies, 3 in each 0.15 s: none is paid twice, though a call has few tries in that time."""
    windows = {}

    def behave(body):
        with lock:
            now = int(time.monotonic() / 0.15)
            windows[now] = windows.get(now, 0) + 1
            return Answer(fake.completion(["ok"])) if windows[now] <= 3 else Answer({"error": "too many"}, 429, wait)

    server.behave, lock = behave, threading.Lock()
    lm = make(server, retries=2, backoff=0.02)
    assert at_once(lm, [user(str(i)) for i in range(30)]) == [("ok",)] * 30
    server.behave = fake.always(Answer({"error": "too many"}, 429, wait))
    with pytest.raises(Unanswered):
        lm([user("nobody is answered")])


def test_a_request_that_is_too_large_for_such_a_limit_is_not_asked_until_all_others_are_done(server):
    large = fake.always(fake.error(429, "Request too large on tokens per min (TPM): Limit 6000, Requested 7000"))
    server.behave = fake.when(lambda body: body["messages"][0]["content"] == "0", large, slots(1, 0.01))
    found = at_once(make(server, retries=1, backoff=0.01), [user(str(i)) for i in range(40)])
    assert isinstance(found[0], Unanswered) and found[1:] == [("ok",)] * 39
    assert sum(body["messages"][0]["content"] == "0" for body in server.requests) == 2


@pytest.mark.parametrize("busy", [False, True])
def test_each_piece_of_a_reply_is_a_sign_of_life_for_all_and_so_is_a_refusal(server, busy):
    def drops():
        for _ in range(8):
            yield b" "
            time.sleep(0.2)
        yield json.dumps(fake.completion(["ok"])).encode()

    def refuses(body):
        time.sleep(0.25)
        return fake.error(503, "busy")

    server.behave = fake.when(
        lambda body: body["messages"][0]["content"] == "signs",
        fake.first(6, refuses, fake.answering()) if busy else lambda body: Answer(parts=drops()),
        fake.answering(delay=1.5),
    )
    lm = make(server, timeout=0.7, retries=6)
    assert at_once(lm, [user("signs"), user("waits")]) == [("ok",)] * 2
    assert [body["messages"][0]["content"] for body in server.requests].count("waits") == 1


def test_what_was_given_up_is_asked_again_alone(server):
    """The first six calls get no answer."""
    at_a_time = []

    def behave(body):
        at_a_time.append(server.open)
        return fake.answering(delay=0.05)(body)

    server.behave = fake.first(6, server.hang, behave)
    lm = make(server, timeout=0.5, max_concurrency=6)
    assert at_once(lm, [user(str(i)) for i in range(6)]) == [("ok",)] * 6
    assert len(server.requests) == 12 and {n - 6 for n in at_a_time} == {1}, "beside the six that hang"


def test_a_server_that_hangs_is_given_up_for_all_that_wait(server):
    server.behave = server.hang
    found = at_once(make(server, timeout=0.4, max_concurrency=4), [user(str(i)) for i in range(20)])
    assert all(isinstance(each, Unanswered) and "did not answer within 0.4 s" in str(each) for each in found)
    assert len(server.requests) == 4 + HANGS - 1, "four, then one alone, and another"
    server.behave = fake.answering()
    assert at_once(make(server, timeout=60), [user(str(i)) for i in range(20)]) == [("ok",)] * 20


def test_a_server_that_sends_blanks_and_no_reply_hangs(server):
    server.behave = fake.dripping(0.02)
    began = time.monotonic()
    found = at_once(make(server, timeout=0.1, max_concurrency=4), [user(str(i)) for i in range(40)])
    assert all(isinstance(each, Unanswered) for each in found) and time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(503, "", Unanswered), (429, "", Unanswered), (429, "insufficient_quota", Unanswered), (400, "", LMError)],
)
def test_a_refusal_is_an_answer_and_trouble_of_the_server_is_none(server, status, code, kind):
    server.behave = fake.always(fake.error(status, "no", code=code))
    with pytest.raises(LMError) as caught:
        make(server, retries=1)([user("hi")])
    assert type(caught.value) is kind


def test_without_retries_nothing_is_asked_again(server):
    server.behave = server.hang
    with pytest.raises(Unanswered, match="tried once"):
        make(server, timeout=0.3, retries=0)([user("hi")])
    assert len(server.requests) == 1


class Calls:
    """Calls that go out at a ``pace`` when they may and come back when the test says so. ``out``: those in flight."""

    def __init__(self, pace):
        self.pace, self.out, self.failed, self.tasks = pace, {}, [], []

    async def begin(self, *names, late=False):
        for name in names:
            self.tasks.append(asyncio.ensure_future(self.one(name, late)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def one(self, name, late):
        back = asyncio.get_running_loop().create_future()
        try:
            async with self.pace.turn(late=late):
                self.out[name] = back
                await back
                del self.out[name]
        except HTTPFailure:
            self.failed.append(name)

    async def end(self, *names, answered=True):
        for name in names:
            if answered:
                self.pace.answered()
            self.out[name].set_result(None)
            for _ in range(4):
                await asyncio.sleep(0)


def paced(story):
    return lambda: asyncio.run(story(Calls(Pace(8))))


@paced
async def test_half_as_many_go_out_and_more_again_while_the_server_keeps_up(calls):
    await calls.begin(*range(40))
    assert [*calls.out] == [*range(8)], "in the order in which they came"
    calls.pace.heard()
    for _ in range(3):  # of the eight that are in flight, three are given up: that is one event
        calls.pace.gave_up(time.monotonic() - 60, 60)
    await calls.end(0, 1, 2, answered=False)
    flying = [len(calls.out)]
    while calls.out:
        await calls.end(min(calls.out))
        flying.append(len(calls.out))
    assert flying[:6] == [5, 4, 4, 4, 4, 5] and max(flying) == 8


@paced
async def test_while_a_server_is_silent_one_call_goes_out_and_what_was_given_up_first(calls):
    await calls.begin(*range(3))
    calls.pace.gave_up(time.monotonic(), 0)
    await calls.begin("again", late=True)
    await calls.begin("new", "newer")
    await calls.end(0, 1, 2, answered=False)
    assert [*calls.out] == ["again"]
    await calls.end("again")
    assert [*calls.out] == ["new", "newer"], "half of three, and one more for the reply"
    await calls.begin("later", late=True)
    await calls.begin("newest")
    assert "later" not in calls.out, "not beside others"
    await calls.end("new", "newer")
    assert [*calls.out] == ["newest"], "nor before"
    await calls.end("newest")
    assert [*calls.out] == ["later"]


@paced
async def test_who_waits_no_longer_takes_nobodys_turn(calls):
    await calls.begin(*range(8))
    waiting = asyncio.ensure_future(calls.one("gone", False))
    await calls.begin("next")
    waiting.cancel()
    await calls.end(0)
    assert "next" in calls.out and "gone" not in calls.out and len(calls.out) == 8
