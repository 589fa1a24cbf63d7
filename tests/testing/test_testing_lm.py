"""The kit for models passes our own and catches what is wrong."""

import time
from dataclasses import replace

import pytest
from fake_server import FakeServer, answering

from tot.lm.base import Reply, Usage, user
from tot.lm.cassette import Cassette
from tot.lm.openai import OpenAI
from tot.lm.scripted import Scripted
from tot.testing import Shuffled, check_lm

REQUESTS = [user("a", n=2), user("b", temperature=0), user("a", n=1, first=4, max_tokens=9)]


def words(request, i):
    return f"{request.messages[0].content} {request.max_tokens} {i}"


def test_scripted_shuffled_and_cassettes_conform(tmp_path):
    check_lm(Scripted(words), REQUESTS)
    check_lm(Shuffled(Scripted(words)), REQUESTS)
    with Cassette(tmp_path / "c.jsonl", Scripted(words)) as recorder:
        check_lm(recorder, REQUESTS)
    check_lm(Cassette(tmp_path / "c.jsonl"), REQUESTS)


def test_the_openai_model_conforms(monkeypatch):
    with FakeServer(answering(lambda messages, i: f"{messages[-1]['content']} {i}")) as server:
        check_lm(OpenAI("fake", base_url=server.url), REQUESTS, deterministic=False)


def broken(change):
    """A Scripted with its replies spoilt by ``change(requests, replies, on_reply)``."""

    class Broken(Scripted):
        def __call__(self, requests, on_reply=None):
            return change(requests, super().__call__(requests, None), on_reply)

    return Broken(words)


def told(requests, replies, on_reply):
    for request, reply in zip(requests, replies, strict=True):
        if on_reply:
            on_reply(request, reply)
    return replies


def altered(**changes):
    def change(requests, replies, on_reply):
        fields = {name: make(replies) for name, make in changes.items()} if replies else {}
        return told(requests, [replace(reply, **fields) for reply in replies], on_reply)

    return change


def forgetful(requests, replies, on_reply):
    return told(requests[:1], replies[:1], on_reply) and replies


def twice(requests, replies, on_reply):
    return told(requests, told(requests, replies, on_reply), on_reply)


@pytest.mark.parametrize(
    ("lm", "why"),
    [
        (broken(lambda q, r, on: told(q, r, on)[::-1]), "samples for|on_reply"),
        (broken(lambda q, r, on: told(q, r, on)[:-1]), "replies for 3 requests|empty list"),
        (broken(lambda q, r, on: tuple(told(q, r, on))), "empty list"),
        (broken(forgetful), "on_reply once for every sample"),
        (broken(twice), "on_reply once for every sample"),
        (broken(lambda q, r, on: told(q, [Reply(x.samples[:1]) for x in r], on)), "gave 1 samples"),
        (broken(altered(asked=lambda r: Usage(1, -1))), "negative number in asked"),
        (broken(altered(paid=lambda r: Usage(dollars=-0.1))), "negative number in paid"),
        (broken(altered(asked=lambda r: Usage(0, 1))), "asked is 1 call"),
        (broken(altered(seconds=lambda r: -1.0)), "negative time"),
        (broken(lambda q, r, on: q.reverse() or told(q[::-1], r, on) if q else []), "changed the list"),
        (Scripted(words, ""), "needs a name"),
        (Scripted([f"line {i}" for i in range(9999)]), "same samples"),
    ],
)
def test_broken_models_are_caught(lm, why):
    with pytest.raises(AssertionError, match=why):
        check_lm(lm, list(REQUESTS))


def test_a_model_that_knows_no_index_is_caught():
    class Relative(Scripted):
        def __call__(self, requests, on_reply=None):
            replies = super().__call__([r.samples(0, r.n) for r in requests])
            return told(requests, replies, on_reply)

    with pytest.raises(AssertionError, match="by index"):
        check_lm(Relative(words), REQUESTS)


def test_a_model_that_threads_confuse_is_caught():
    class Confused(Scripted):
        def __call__(self, requests, on_reply=None):
            self.now = requests
            time.sleep(0.002)
            return told(requests, super().__call__(self.now), on_reply)

    with pytest.raises(AssertionError, match="several threads"):
        check_lm(Confused(words), REQUESTS)
