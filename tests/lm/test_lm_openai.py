"""The OpenAI LM against a server that does everything wrong on purpose: what it sends, what it says, what it costs."""

import asyncio
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from email.utils import formatdate
from urllib.parse import parse_qs

import asking
import fake_server as fake
import pytest
from asking import make
from fake_server import Answer, FakeServer
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import refused

from tot.lm import completion, errors, sdk, wire  # noqa: F401 - sdk loads for a second, which a deadline would count
from tot.lm.base import LMError, Message, OutOfTime, Usage, estimated, estimated_prompt, user
from tot.lm.cassette import Cassette
from tot.lm.openai import OpenAI
from tot.lm.tape import Tape
from tot.lm.transport import HTTPFailure

KEY = "sk-secret-0123456789"


@pytest.fixture(scope="module", autouse=True)
def package():
    """Imported before the first test, whose seconds are counted: that takes one or two."""
    import tot.lm.sdk  # noqa: F401


def threads():
    return {thread for thread in threading.enumerate() if thread.name == "tot-lm"}


def ended(these):
    """True once all of these threads have ended; waits a minute for it."""
    for thread in these:
        thread.join(60)
    return not any(thread.is_alive() for thread in these)


def fails(lm, *requests):
    """The sentence of a call that must fail, without the key."""
    text = asking.fails(lm, *requests)
    assert len(text) < 500 and KEY not in text
    return text


def late(lm, *requests):
    """The sentence of a call that must end at its deadline."""
    with pytest.raises(OutOfTime) as caught:
        lm(list(requests))
    assert "allow more" in str(caught.value) and "resumes" in str(caught.value)
    return str(caught.value)


def within(seconds):
    return {"deadline": time.monotonic() + seconds}


def always(answer):
    """A behaviour from an answer, an error (status, words, fields) or a payload."""
    if isinstance(answer, tuple):
        status, words, *more = answer
        answer = fake.error(status, words, **(more[0] if more else {}))
    return fake.always(answer if isinstance(answer, Answer) else Answer(answer))


def ended_in_error(why):
    """OpenRouter's: status 200, and half a text."""
    choice = {"message": {"content": "The ans"}, "finish_reason": "error", **({"error": why} if why else {})}
    return always({"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})


@pytest.mark.parametrize(
    ("one", "other"),
    [("/runs/a/final", "/runs/b/final"), ("~/x/model", "~/y/model"), ("C:\\a\\final", "C:\\b\\final")],
)
def test_folders_of_one_name_are_two_models(one, other):
    names = [make_name(path) for path in (one, other, one + "/")]
    assert names[0] == names[2] != names[1] and not any("/" in name or "\\" in name for name in names)
    assert make_name("/a/llama.gguf") == make_name("/b/llama.gguf") == "llama.gguf"


def make_name(model):
    return OpenAI(model, base_url="http://127.0.0.1:1/v1").name


def test_of_several_choices_one_that_failed_is_asked_again_alone():
    good = fake.answering("The answer is 4.")

    def behave(body):
        answer = good(body)
        if body.get("n", 1) == 3:
            answer.payload["choices"][1] |= {"finish_reason": "error", "message": None}
        return answer

    told = []
    with FakeServer(behave) as server:
        lm = OpenAI("fake", base_url=server.url)
        [reply] = lm([user("2 + 2?", n=3)], lambda request, some: told.append(len(some.samples)))
        assert [body.get("n", 1) for body in server.requests] == [3, 1] and told == [2, 1]
    assert [*reply.texts] == ["The answer is 4."] * 3 and reply.paid.calls == 2


def test_what_a_server_bills_for_answers_that_failed_is_on_the_bill(server):
    lm = make(server, retries=2)
    server.behave = fake.first(2, ended_in_error("busy"), fake.answering())
    [reply] = lm([user("hi")])
    assert reply.paid.calls == 3 and reply.paid.tokens == reply.asked.tokens + 2 * 7
    server.behave = ended_in_error("busy")
    with pytest.raises(LMError) as caught:
        lm([user("again")])
    assert caught.value.paid.calls == 3 and caught.value.paid.tokens == 3 * 7


def test_another_model_that_answers_in_between_is_told_of_once(server, caplog):
    names = iter(["one", "one", "two\x1b[31m", "two\x1b[31m"])
    server.behave = lambda body: Answer(fake.completion(["ok"]) | {"model": next(names)})
    lm = make(server)
    for i in range(4):
        lm([user(str(i))])
    assert [r.getMessage().split("/v1 ")[1] for r in caplog.records] == [
        "now answers with the model 'two\\x1b[31m', before with 'one': replies of both are mixed"
    ]
    assert lm.served.startswith("two") and lm.describe()["served"] == lm.served


TOLD = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
NO_TEXT = {"message": {"content": 7}}


@pytest.mark.parametrize(
    "bad",
    [
        {"choices": [NO_TEXT], "usage": TOLD},
        {"usage": TOLD},
        {"choices": [], "usage": {"total_tokens": 7}},
        '{"usage": {"prompt_tokens": 5, "completion_tokens": 2}, "choices": [{"mess',
        'data: {"usage": null}\n\ndata: {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}\n',
        {"error": {"message": "overloaded"}, "usage": TOLD},
        Answer({"error": {"message": "later"}, "usage": TOLD}, 503),
        Answer({"error": {"message": "no"}, "usage": TOLD}, 400),
    ],
)
def test_whatever_an_answer_of_no_use_says_that_it_cost_is_on_the_bill(server, bad):
    server.behave = always(bad)
    with pytest.raises(LMError) as caught:
        make(server, retries=1)([user("hi")])
    assert caught.value.paid.calls == len(server.requests) and caught.value.paid.tokens == 7 * len(server.requests)


def test_what_was_billed_in_vain_is_kept_when_the_next_try_is_another_call(server, tmp_path):
    vain = always({"choices": [], "usage": TOLD})
    server.behave = fake.first(1, vain, fake.first(1, fake.refusing_n(1, fake.answering()), fake.answering()))
    [reply] = make(server)([user("hi", n=2)])  # asked again as two calls
    assert reply.paid.calls == 3 and reply.paid.tokens == 2 * 7 + 7
    hang = threading.Event()
    server.behave = fake.first(1, vain, fake.first(1, lambda body: hang.wait(9) and Answer({}), fake.answering()))
    [reply] = make(server, timeout=0.3)([user("hi", max_tokens=50)])  # given up, and asked again later
    hang.set()
    assert reply.paid.calls == 3 and reply.paid.tokens == 2 * 7 + 5 + 50, "what one that was given up may cost"
    server.behave = fake.first(1, vain, fake.too_many("50"))
    with pytest.raises(OutOfTime) as caught:
        make(server)([user("hi", **within(20))])
    assert caught.value.paid.tokens == 7
    server.behave = fake.first(1, vain, fake.answering())
    no_room = OSError("no room")

    def told(part, reply):
        raise LMError("it cannot be kept") from no_room

    with pytest.raises(LMError) as caught:
        make(server)([user("hi")], told)
    assert caught.value.paid.calls == 2


# What is sent and what comes back


def test_a_request_is_sent_as_its_identity_and_nothing_more(server):
    lm = make(server)
    [reply] = lm([user("hi", temperature=0, max_tokens=7, stop=("\n",), top_p=0.5)])
    assert reply.texts == ("ok",) and reply.samples[0].finish == "stop"
    lm([user("hi", temperature=None)])
    body, bare = server.requests
    assert 0 <= body.pop("seed") < 2**31 and bare.pop("seed") != body
    assert body == bare | {"temperature": 0.0, "max_tokens": 7, "stop": ["\n"], "top_p": 0.5}
    assert bare == {"model": "fake", "messages": [{"role": "user", "content": "hi"}]}


def test_several_samples_in_one_call_and_both_bills(server):
    server.behave = fake.answering(lambda messages, i: "word " * (i + 1))
    prices = {"fake": {"input": 1.0, "output": 10.0}}
    [reply] = make(server, prices=prices)([user("hi", n=3)])
    assert len(server.requests) == 1 and server.requests[0]["n"] == 3
    assert reply.texts == ("word ", "word word ", "word word word ")
    counts = [sample.completion_tokens for sample in reply.samples]
    assert counts == sorted(counts) and sum(counts) == 9  # the server's total, shared by length
    assert reply.asked == reply.paid == Usage(1, 3, 5, 9, pytest.approx((5 * 1 + 9 * 10) / 1e6))


def test_without_native_n_every_sample_is_a_call_with_its_own_seed(server):
    [reply] = make(server, native_n=False)([user("hi", n=3, first=2)])
    assert len(server.requests) == 3 and all("n" not in body for body in server.requests)
    assert len({body["seed"] for body in server.requests}) == 3
    assert reply.asked == Usage(1, 3, 5, 6) and reply.paid == Usage(3, 3, 15, 6)


def test_seeds_repeat_and_differ_by_seed_request_and_index(server):
    def seeds(requests, **options):
        server.requests.clear()
        make(server, max_concurrency=1, **options)(requests)
        return [body["seed"] for body in server.requests]

    a = seeds([user("hi", n=2)], native_n=False)
    assert a == seeds([user("hi", n=2)], native_n=False)
    assert seeds([user("hi", first=1)]) == a[1:]  # the seed of sample 1, however it is asked for
    others = seeds([user("hi", first=2), user("ho"), user("hi", temperature=1)]) + seeds([user("hi")], seed=1)
    assert len({*a, *others}) == 6


@pytest.mark.parametrize("most, calls", [(1, 2 + 5), (2, 1 + 3), (4, 1 + 3)])
def test_a_refused_n_is_remembered_and_the_samples_are_asked_otherwise(server, most, calls):
    server.behave = fake.refusing_n(most, fake.answering())
    lm = make(server, max_concurrency=1)
    [reply] = lm([user("hi", n=5)])
    assert len(reply.samples) == 5 and len(server.requests) == calls
    assert reply.asked.calls == 1 and reply.paid.calls == len([b for b in server.requests if b.get("n", 1) <= most])
    server.requests.clear()
    lm([user("ho", n=5)])
    assert all(body.get("n", 1) <= most for body in server.requests)  # learnt: nothing is refused again
    assert sum(body.get("n", 1) for body in server.requests) == 5


@pytest.mark.parametrize("most, asked", [(1, [1] * 5), (2, [1, 2, 2]), (4, [1, 4])])
def test_missing_choices_are_fetched_with_other_seeds_and_so_many_are_not_asked_for_again(server, most, asked):
    server.behave = fake.giving_at_most(most, fake.answering())
    lm, seen = make(server), []
    [reply] = lm([user("hi", n=5, first=10)], lambda part, reply: seen.append((part.first, part.n, len(reply.samples))))
    calls = len(asked)
    assert len(reply.samples) == 5 and len(server.requests) == calls
    assert sorted(seen) == [(10 + i, min(most, 5 - i), min(most, 5 - i)) for i in range(0, 5, most)]
    assert len({body["seed"] for body in server.requests}) == calls
    assert reply.paid.calls == calls and reply.paid.prompt_tokens == 5 * calls and reply.asked.prompt_tokens == 5
    server.requests.clear()
    lm([user("ho", n=5)])
    assert sorted(body.get("n", 1) for body in server.requests) == asked


def test_one_choice_that_is_held_back_does_not_lower_how_many_are_asked_for(server):
    answers, fives = fake.answering(), iter([5, 4, 5])
    server.behave = lambda body: answers({**body, "n": next(fives)} if body.get("n") == 5 else body)
    lm = make(server)
    for word in ("a", "b", "c"):
        assert len(lm([user(word, n=5)])[0].samples) == 5
    assert [body.get("n", 1) for body in server.requests] == [5, 5, 1, 5]


def test_samples_keep_their_index_in_any_order_of_arrival(server):
    request = user("hi", n=4)
    seeds = [wire.provider_seed(0, request.samples(i, 1), "fake") for i in range(4)]
    gates = {seed: threading.Event() for seed in seeds}
    gates[seeds[3]].set()

    def behave(body):
        seed = body["seed"]
        assert gates[seed].wait(10)
        return Answer(fake.completion([str(seed)]))

    def open_the_one_before(part, reply):
        if part.first:
            gates[seeds[part.first - 1]].set()

    server.behave = behave
    [reply] = make(server, native_n=False)([request], open_the_one_before)
    assert reply.texts == tuple(str(seed) for seed in seeds)


def test_choices_are_put_in_the_order_of_their_index_and_those_too_many_dropped(server):
    answer = fake.completion(["a", "b", "c"])
    answer["choices"].reverse()
    server.behave = always(answer)
    [reply] = make(server)([user("hi", n=2)])
    assert reply.texts == ("a", "b") and reply.paid.samples == 2


# Parameters that a server refuses


NAMED = """
max_completion_tokens <- use max_completion_tokens | Please set `max_completion_tokens` for this model.
max_completion_tokens <- Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.
n <- n | n must be 1 | 'n' is not supported | unsupported parameter `n` | Only n = 1 is allowed | we do not support n
n <- Unrecognized request argument supplied: n | Invalid n: must be 1
seed <- Unrecognized request argument supplied: seed | seed is not supported
"""
NOT_NAMED = """
n <- The text repeats an n-gram too often. | Please try n other prompts. | Provider: {"message": "flagged.\\n\\nNo"}
seed <- Your seed phrase was flagged. | Your prompt was flagged by our usage policy.⏎⏎See the docs.
"""


@pytest.mark.parametrize(
    ("words", "name", "named"),
    [(*case, named) for named, table in ((True, NAMED), (False, NOT_NAMED)) for case in refused(table)],
)
def test_a_parameter_is_refused_where_the_words_are_about_it(words, name, named):
    """A word of the prompt's, or JSON in JSON, whose new lines are \\n, is about something else."""
    assert errors.names(HTTPFailure("status", status=400, body={"message": words}), name) == named


def test_max_tokens_is_renamed_where_the_server_asks_for_it(server):
    refuses = always((400, "use max_completion_tokens"))
    server.behave = fake.when(lambda b: "max_tokens" in b, refuses, fake.answering())
    lm = make(server)
    lm([user("hi", max_tokens=9)])
    lm([user("ho", max_tokens=9)])
    assert [b.get("max_completion_tokens") for b in server.requests] == [None, 9, 9]


@pytest.mark.parametrize(
    "refusal", [(400, "Unrecognized request argument supplied: seed"), (422, "no", {"param": "seed"})]
)
def test_a_refused_seed_is_dropped(server, refusal):
    server.behave = fake.when(lambda b: "seed" in b, always(refusal), fake.answering())
    lm = make(server)
    lm([user("hi")])
    lm([user("ho")])
    assert ["seed" in b for b in server.requests] == [True, False, False]


def test_an_empty_reply_of_which_no_token_is_counted_is_asked_for_again(server):
    """Gemini's: it counts the prompt, and has failed."""
    nothing = fake.completion([""], usage={"prompt_tokens": 7, "completion_tokens": 0, "total_tokens": 7})
    server.behave = fake.first(1, always(nothing), fake.answering())
    assert make(server)([user("hi")])[0].texts == ("ok",)
    server.behave = always(nothing)
    for retries in (0, 5):
        [reply] = make(server, retries=retries)([user("hi")])  # it is what the model has to say
        assert reply.texts == ("",) and reply.paid.calls == min(retries, 1) + 1 == reply.paid.prompt_tokens / 7


def test_a_400_about_something_else_disables_nothing(server):
    refuses = always((400, "Your seed phrase, an n-gram, was flagged."))
    server.behave = fake.when(lambda b: "flagged" in str(b["messages"]), refuses, fake.answering())
    lm = make(server)
    fails(lm, user("flagged", n=10))
    assert len(server.requests) == 1  # nothing was left out and tried again
    lm([user("hi", n=10)])
    assert [(b["n"], "seed" in b) for b in server.requests[1:]] == [(10, "seed" in server.requests[0])]


# Failures: how often it tries, and what it says


@pytest.mark.parametrize(
    "answer, words",
    [
        (fake.wrong_key(), ["refuses the API key", "OPENAI_API_KEY"]),
        ((403, "not in your region"), ["(403)", "not in your region"]),
        (fake.too_long(), ["does not fit the context of 'fake'", "lower max_tokens", "2048 tokens"]),
        (fake.unknown_model(), ["'fake'", "check the model's name"]),
        ((429, "no", {"code": "insufficient_quota"}), ["no credit left", "resumes where it stopped"]),
        (fake.too_many("3600"), ["asks to wait 3600 s (429)"]),
        ((400, "'temperature' does not support it", {"param": "temperature"}), ["refuses temperature=0.7"]),
        ((400, "stop sequences are not for you"), ["stop sequences are not for you"]),
        ((400, "n and other things are wrong"), ["n and other things"]),  # no n was sent
        *(((status, "no"), [f"({status})"]) for status in (418, 422)),
        (fake.html(), ["an HTML page", "/v1"]),
        ("[" * 100_000, ["not a chat completion"]),
        ([1], ["not a chat completion"]),
        ({"choices": [{"text": "old"}]}, ["not a chat completion"]),
        ('{"created": ' + "9" * 5000 + ', "choices": [{"message": {"content": "paid"}}]}', ["not a chat completion"]),
        ('{"choices": [{"message": {"content": "paid"}}],}', ["not a chat completion"]),
        (fake.event_stream(), ["an event stream", "turn streaming off"]),
        ({"error": {"message": "bad words"}}, ["answered once with an error", "bad words"]),
        ({"error": {"message": "no", "code": 401}}, ["refuses the API key"]),
    ],
)
def test_what_no_second_try_can_mend_fails_at_once(server, answer, words):
    server.behave = answer if callable(answer) else always(answer)
    text = fails(make(server))
    assert all(word in text for word in words), text
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer, calls", [(fake.html(), 0), ({"hello": 1}, 0), ({"choices": [{"text": "old"}]}, 1)])
def test_nobody_bills_a_page_at_a_wrong_address(server, answer, calls):
    server.behave = answer if callable(answer) else always(answer)
    with pytest.raises(LMError, match="/v1") as caught:
        make(server)([user("hi", max_tokens=99)])
    assert caught.value.paid.calls == calls


def test_a_model_that_is_unknown_or_refused(server):
    server.behave = fake.unknown_model()
    server.models = [{"id": "/home/somebody/models/qwen.gguf"}, {"id": "org/smol"}]
    text = fails(make(server))
    assert "choose one of qwen.gguf, org/smol" in text and "does not exist" in text
    words = "This model is only supported in v1/responses and not in v1/chat/completions."
    server.behave, server.models = always((404, words)), [{"id": "fake"}, {"id": "other"}]
    text = fails(make(server))
    assert words in text and "lists 'fake', but refuses it here (404)" in text and "choose one of" not in text


@pytest.mark.parametrize(
    "bad, forever, billed",
    [
        *((always((status, "later")), f"({status})", 0) for status in (500, 502, 503)),
        (fake.too_many("0.01"), "(429) after 2 tries", 0),
        (fake.dropping(), "broke twice", 3),
        (fake.truncated(), "broke twice", 3),
        (always('{"choices": [{"mess'), "broke twice", 3),
        (always('{"choices": [{"message": {"content": "the set {1}'), "broke twice", 3),
        (always('{"choices": [{"message": {"content": "ok"}}'), "broke twice", 3),
        (always(""), "broke twice", 3),
        (always({"error": {"message": "Provider is overloaded"}}), "answered twice with an error", 0),
        (always({"error": {"message": "no", "code": 502}}), "failed twice (502)", 0),
        (always({"error": {"message": "slow down", "code": 429}}), "(429) after 2 tries", 0),
        (always({"error": {"type": "server_error"}}), "answered twice with an error", 0),
        (always({"error": "try again"}), "answered twice with an error", 0),
        (always({"choices": []}), "it gives no choices", 0),
        (always({"choices": None, "usage": {"prompt_tokens": 5}}), "it gives no choices", 3),
        (always({"choices": [], "error": {"message": "upstream is down"}}), "upstream is down", 0),
        (ended_in_error({"message": "Provider returned error", "code": 502}), "Provider returned error", 3),
        (ended_in_error(None), "finish_reason error", 3),
    ],
)
def test_a_passing_failure_is_tried_again_until_it_works_or_has_failed_often(server, bad, forever, billed):
    server.behave = fake.first(3, bad, fake.answering())
    [reply] = make(server)([user("hi")])
    assert reply.texts == ("ok",) and len(server.requests) == 4
    assert reply.paid.calls == 1 + billed  # where the server says so, or nobody can know
    seeds = {body.pop("seed") for body in server.requests}
    assert len({json.dumps(body) for body in server.requests}) == 1
    # with one seed a model may fail for ever; what only came late, or broke off, is asked for with the same
    of_the_model = ("(500)", "it gives no choices", "Provider returned error", "finish_reason error")
    assert len(seeds) == (4 if forever in of_the_model else 1)
    server.behave = bad
    text = fails(make(server, retries=1))
    assert forever in text and "a recorded run resumes where it stopped" in text and "address" not in text
    assert len(server.requests) == 6


@pytest.mark.parametrize("status", [408, 504, 524])
def test_where_a_gateways_time_is_over_the_model_is_asked_once_more(server, status):
    """Each try may be a whole reply that somebody pays, and another one is no quicker."""
    server.behave = always((status, "later"))
    assert f"({status})" in fails(make(server, retries=5)) and len(server.requests) == 2


def test_a_try_that_broke_off_is_billed_with_the_prompt_that_the_next_one_tells(server):
    told = always({**fake.completion(["ok"]), "usage": {"prompt_tokens": 900, "completion_tokens": 1}})
    server.behave = fake.first(2, fake.dropping(), told)
    [reply] = make(server, prices={"fake": {"input": 1.0, "output": 2.0}})([user("1 2 3", max_tokens=5)])
    assert (reply.paid.calls, reply.paid.prompt_tokens, reply.asked.prompt_tokens) == (3, 2700, 900)
    assert reply.paid.dollars == pytest.approx((2700 * 1 + (1 + 5 + 5) * 2) / 1e6)


def test_a_try_that_was_given_up_is_billed_with_the_prompt_that_the_next_one_tells(server):
    told = always({**fake.completion(["ok"]), "usage": {"prompt_tokens": 900, "completion_tokens": 1}})
    server.behave = fake.first(1, server.hang, told)
    lm = make(server, timeout=0.3, prices={"fake": {"input": 1.0, "output": 2.0}})
    [reply] = lm([user("1 2 3", max_tokens=5)])
    assert (reply.paid.calls, reply.paid.prompt_tokens, reply.asked.prompt_tokens) == (2, 1800, 900)
    assert reply.paid.dollars == pytest.approx((1800 * 1 + (1 + 5) * 2) / 1e6)


def test_a_tab_that_nobody_escaped_is_read(server):
    server.behave = always('{"choices": [{"message": {"content": "an\tanswer"}}], "usage": {"prompt_tokens": 5}}')
    assert make(server)([user("hi")])[0].texts == ("an\tanswer",)


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_retry_after_is_read_in_both_forms(value):
    def after(**headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return errors.retry_after(HTTPFailure("status", status=429, headers=headers))

    assert after(Retry_After="7") == 7 and after(Retry_After="7", retry_after_ms="6500") == 6.5
    assert after(retry_after=formatdate(time.time() + 1000, usegmt=True)) == pytest.approx(1000, abs=60)
    assert [after(retry_after=nothing) for nothing in ("soon", "-3", "nan", "")] == [0] * 4 and after() == 0
    assert after(retry_after=value) >= 0 and after(retry_after_ms=value) >= 0


def test_a_long_wait_is_announced_once_for_all_that_wait(server, monkeypatch, caplog):
    monkeypatch.setattr("tot.lm.openai.SILENT", 0.1)
    waiting = threading.Barrier(10)

    def all_at_once(body):
        waiting.wait(60)
        return fake.too_many("0.5")(body)

    server.behave = fake.first(10, all_at_once, fake.answering())
    make(server, api_key=KEY)([user(str(i)) for i in range(10)])
    [record] = caplog.records
    assert record.name == "tot.lm" and record.levelname == "WARNING"
    assert "for the server at " + server.url + " (429)" in record.getMessage() and KEY not in caplog.text


@pytest.mark.skipif(os.name == "nt", reason="no SIGSTOP")
def test_what_came_while_the_process_was_stopped_is_read(server):
    """Ctrl-Z: not the server had been silent."""
    asked = threading.Event()

    def late(body):
        asked.set()
        time.sleep(1)
        return fake.answering("late")(body)

    server.behave = late
    code = f"import tot; print(tot.OpenAI('fake', base_url={server.url!r}, api_key='k', timeout=2)([tot.user('hi')]))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert asked.wait(30)
        program.send_signal(signal.SIGSTOP)
        time.sleep(4)
        program.send_signal(signal.SIGCONT)
        assert "late" in program.communicate(timeout=30)[0]
    assert len(server.requests) == 1


def test_a_server_that_is_down(server):
    server.close()
    text = fails(make(server, retries=100))  # never reached: two tries
    assert server.url in text and "make local-lm" in text


def test_a_server_that_goes_down_is_waited_for(server):
    lm = make(server, retries=200, backoff=0.02)
    lm([user("hi")])
    server.close()
    port, answers = int(server.url.split(":")[-1].split("/")[0]), []
    waiting = threading.Thread(target=lambda: answers.append(lm([user("hi")])), daemon=True)
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    with FakeServer(port=port):
        waiting.join(10)
    assert answers[0][0].texts == ("ok",)


@pytest.mark.parametrize("behave", [FakeServer.hang, lambda server, body: fake.dripping(0.02)(body)])
def test_a_server_that_hangs_is_asked_twice(server, behave):
    server.behave = lambda body: behave(server, body)
    text = fails(make(server, timeout=0.3, retries=9))
    assert "did not answer within 0.3 s (tried twice)" in text and len(server.requests) == 2
    assert "had not answered" in late(make(server), user("hi", **within(1.5)))
    assert len(server.requests) == 3


def test_a_name_server_that_hangs_is_waited_for_until_the_deadline_or_the_timeout(monkeypatch):
    free, began = threading.Event(), time.monotonic()
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **more: free.wait(60) and [])
    lm = OpenAI("fake", base_url="http://models.invalid/v1", api_key=KEY, timeout=0.3, backoff=0.001)
    try:
        assert "did not answer within 0.3 s (tried twice)" in fails(lm)
        assert "had not answered" in late(lm, user("hi", **within(0.2)))
    finally:
        free.set()
    assert time.monotonic() - began < 60


def test_an_answer_without_end_is_cut_off(server, monkeypatch):
    monkeypatch.setattr("tot.lm.sdk.LARGEST", 1 << 20)
    server.behave = fake.flooding()
    assert "sent more than 1 MiB" in fails(make(server)) and len(server.requests) == 1
    for said in ({"content": "s" * (5 << 20)}, {"content": "", "reasoning": "s" * (5 << 20)}):
        server.behave = always({"choices": [{"message": said}]})
        monkeypatch.setattr("tot.lm.sdk.LARGEST", 64 << 20)
        assert "4 million characters in one reply" in fails(make(server, api_key=KEY))


# Deadlines


def test_a_deadline_ends_the_tries(server):
    server.behave = always((503, "later"))
    text = late(make(server, retries=10_000), user("hi", **within(1.5)))
    assert server.url in text and 1 < len(server.requests) < 10_000


def test_a_wait_beyond_the_deadline_is_not_begun(server):
    server.behave = fake.too_many("50")
    text = late(make(server), user("hi", **within(40)))
    assert "asked again in 50 s (429)" in text and len(server.requests) == 1


def test_a_deadline_counts_while_others_have_their_turn(server):
    gate = threading.Event()
    server.behave = lambda body: gate.wait(60) and Answer(fake.completion(["ok"]))
    kept = []
    lm = make(server, max_concurrency=1)
    opener = threading.Timer(0.5, gate.set)  # the first is answered after the deadline of the second
    opener.start()
    late_one = user("late", **within(0.2))
    with pytest.raises(OutOfTime) as caught:
        lm([user("first"), late_one], lambda part, reply: kept.append(part.messages[0].content))
    assert kept == ["first"] and len(server.requests) == 1 and caught.value.paid.calls == 1


def test_a_call_that_is_given_up_at_its_deadline_is_on_the_bill_and_what_arrived_is_recorded(server, tmp_path):
    gate = threading.Event()
    hangs = lambda body: gate.wait(60) and Answer(fake.completion(["late"]))  # noqa: E731
    server.behave = fake.when(lambda body: "slow" in str(body), hangs, fake.answering())
    with Cassette(tmp_path / "c.jsonl", make(server)) as lm:
        lm([user("first")])  # what takes long the first time is done
        with pytest.raises(OutOfTime) as caught:
            lm([user("quick", **within(3.0)), user("slow", max_tokens=50, **within(3.0))])
    gate.set()
    assert caught.value.paid.calls == 2 and caught.value.paid.completion_tokens == 2 + 50
    assert Cassette(tmp_path / "c.jsonl")([user("quick")])[0].texts == ("ok",)


def test_after_the_deadline_nothing_is_sent_and_one_far_away_changes_nothing(server):
    lm = make(server)
    assert lm([user("hi", **within(1e6))])[0].texts == ("ok",)
    late(lm, user("ho", **within(-1)))
    assert len(server.requests) == 1


def test_a_failure_stops_the_other_requests_and_keeps_what_arrived(server):
    server.behave = fake.when(lambda b: b["messages"][0]["content"] == "3", always((400, "no")), fake.answering())
    kept = []
    with pytest.raises(LMError, match="refuses the request"):
        make(server, max_concurrency=1)([user(str(i)) for i in range(50)], lambda request, reply: kept.append(request))
    assert len(server.requests) < 10
    assert len(kept) == len(server.requests) - 1


@pytest.mark.parametrize(
    "error", [OSError("full"), TimeoutError("slow"), StopIteration("over"), KeyboardInterrupt("^C")]
)
def test_what_on_reply_raises_reaches_the_caller(server, error):
    def tell(request, reply):
        raise error

    lm = make(server)
    with pytest.raises((RuntimeError, type(error)), match=re.escape(str(error))):
        lm([user("hi")], tell)
    assert lm([user("hi")])[0].texts == ("ok",)


# Odd answers that are samples all the same


@pytest.mark.parametrize(
    "content, text",
    [
        (None, ""),
        ("", ""),
        ("a" * 1_000_000, "a" * 1_000_000),
        ("half \ud83d pair", "half ? pair"),
        ("3 × 8 = 24 ✓", "3 × 8 = 24 ✓"),
    ],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_whatever_a_model_says_is_a_sample(server, content, text, ascii_only):
    answer = json.dumps(fake.completion([content], usage=None), ensure_ascii=ascii_only)
    server.behave = always(answer.encode("utf-8", "replace"))
    [reply] = make(server)([user("4 − 1 ≥ 3")])
    assert reply.texts == (text,) and reply.samples[0].finish == "stop"
    assert len(server.requests) == (1 if text else 4)  # nothing at all may be a fault of what is behind the server
    assert server.requests[0]["messages"][0]["content"] == "4 − 1 ≥ 3"


def test_half_a_character_in_a_prompt_is_a_clear_error(server):
    assert "UTF-8" in fails(make(server), user("\ud83d"))


# Counting tokens


def test_logprobs_count_each_sample_exactly(server):
    answer = fake.completion(["aaaa", "b"])
    for choice, n in zip(answer["choices"], (7, 2), strict=True):
        choice["logprobs"] = {"content": [{"token": "x"}] * n}
    server.behave = always(answer)
    [reply] = make(server, tokens_from="logprobs")([user("hi", n=2)])
    assert [s.completion_tokens for s in reply.samples] == [7, 2] and reply.paid.completion_tokens == 9
    assert server.requests[0]["logprobs"] is True and server.requests[0]["top_logprobs"] == 1
    server.behave = always((400, "logprobs are not supported"))
    assert "tokens_from='usage'" in fails(make(server, tokens_from="logprobs"))


def test_llama_cpp_counts_only_its_first_sample():
    answer = fake.completion(["a" * 19, "a" * 39, ""], timings={}, usage={"completion_tokens": 5})
    assert completion.count_tokens(answer, answer["choices"], ["a" * 19, "a" * 39, ""]) == [5, 10, 0]
    assert completion.count_tokens(answer, answer["choices"][:1], ["a" * 19]) == [5]


@settings(max_examples=50)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=8), st.integers(0, 10_000))
def test_a_shared_count_adds_up(texts, total):
    answer = fake.completion(texts, usage={"completion_tokens": total})
    counts = completion.count_tokens(answer, answer["choices"], texts)
    assert (sum(counts) == total or not total) and min(counts) >= 0 and len(counts) == len(texts)


# Concurrency


@pytest.mark.parametrize("most", [1, 5])
def test_no_more_calls_at_once_than_allowed_for_all_threads_together(server, most):
    full = threading.Event()

    def behave(body):
        if server.peak == most:
            full.set()
        full.wait(10)  # nobody is answered before as many calls wait as may, or a moment later, for one too many
        time.sleep(0.05)
        return Answer(fake.completion(["ok"]))

    server.behave = behave
    lm = make(server, max_concurrency=most)
    callers = [threading.Thread(target=lm, args=([user(f"{t} {i}") for i in range(5)],)) for t in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert server.peak == most and len(server.requests) == 20


def test_on_reply_is_called_as_each_part_arrives(server):
    order = threading.Event()

    def behave(body):
        if body["messages"][0]["content"] == "slow":
            assert order.wait(10)  # answered only after the quick one was handed out
        return Answer(fake.completion(["ok"] * body.get("n", 1)))

    server.behave = behave
    seen = []

    def on_reply(request, reply):
        seen.append((request, reply))
        order.set()

    slow, quick = user("slow"), user("quick", n=2, first=4)
    make(server)([slow, quick], on_reply)
    assert [request for request, _ in seen] == [quick, slow]
    assert seen[0][1].asked.samples == 2


def test_the_seconds_of_a_reply_are_those_of_its_slowest_call_without_the_waiting(server):
    bad, slow = fake.too_many("1"), fake.answering(delay=0.2)
    server.behave = fake.first(1, bad, fake.when(lambda b: len(server.requests) == 2, slow, fake.answering()))
    begin = time.monotonic()
    [reply] = make(server, native_n=False, max_concurrency=1)([user("hi", n=2)])
    assert 0.2 <= reply.seconds <= time.monotonic() - begin - 1  # the second that it waited does not count


@pytest.mark.parametrize("how", ["closed", "forgotten"])
def test_no_thread_stays_behind(server, how):
    before = threads()
    lm = make(server)
    lm([user(str(i)) for i in range(20)], lambda part, reply: None)
    mine = threads() - before
    assert mine
    if how == "closed":
        lm.close()
    del lm
    assert ended(mine)


def test_it_works_where_an_event_loop_runs_already(server):
    """As in a notebook."""

    async def cell():
        return make(server)([user("hi")])

    assert asyncio.run(cell())[0].texts == ("ok",)


def test_on_reply_may_ask_the_same_model(server):
    """A cassette asks for its description when it records the first reply."""
    server.models, lm, seen = [{"id": "fake", "owned_by": "tests"}], make(server), []
    lm([user("hi")], lambda part, reply: seen.append((lm.describe()["server"], lm([user("ho")])[0].texts)))
    assert seen == [("tests", ("ok",))]
    assert lm([]) == [] and len(server.requests) == 2  # no requests, no calls


# Stopping


def in_thread(job):
    thread = threading.Thread(target=job)
    thread.start()
    return thread


def wait_for(server, count):
    until = time.monotonic() + 60
    while len(server.requests) < count and time.monotonic() < until:
        time.sleep(0.01)


def test_close_frees_a_caller_that_waits_and_a_later_call_works(server):
    server.behave = server.hang
    lm, said = make(server, max_concurrency=2), []
    caller = in_thread(lambda: said.append(fails(lm, *(user(str(i)) for i in range(10)))))
    wait_for(server, 2)
    lm.close()
    caller.join(60)
    assert "closed" in said[0] and len(server.requests) == 2
    server.behave = fake.answering()
    assert lm([user("hi")])[0].texts == ("ok",)  # the hanging calls are not in its way


def test_what_is_under_way_when_the_model_is_closed_still_reaches_on_reply(server):
    gate, kept = threading.Event(), []
    server.behave = lambda body: gate.wait(60) and Answer(fake.completion(["ok"]))
    before, lm = threads(), make(server, max_concurrency=2)

    def ask():
        with pytest.raises(LMError, match="closed"):
            lm([user(str(i)) for i in range(10)], lambda part, reply: kept.append(reply))

    caller = in_thread(ask)
    wait_for(server, 2)
    mine = threads() - before
    lm.cancel()
    caller.join(60)
    assert not caller.is_alive() and not kept
    gate.set()
    assert ended(mine) and len(kept) == len(server.requests) == 2


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
def test_after_ctrl_c_nothing_more_is_sent(server):
    gate = threading.Event()

    def behave(body):
        if len(server.requests) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        gate.wait(10)
        return Answer(fake.completion(["ok"]))

    server.behave = behave
    before, lm, kept = threads(), make(server, max_concurrency=2), []
    with pytest.raises(KeyboardInterrupt):
        lm([user(str(i)) for i in range(10)], lambda part, reply: kept.append(reply))
    mine = threads() - before
    gate.set()  # those in flight end
    lm.close()
    assert ended(mine) and len(kept) == len(server.requests) == 2


def test_close_ends_a_wait_between_tries(server):
    server.behave = fake.too_many("60")
    before, lm = threads(), make(server)
    caller = in_thread(lambda: fails(lm))
    wait_for(server, 1)
    mine = threads() - before
    lm.close()
    caller.join(30)
    assert not caller.is_alive()
    assert ended({thread for thread in mine if thread.is_alive()}) and len(server.requests) == 1


HANGING_NAMES = """
import socket, time
def hang(*args, **more):
    print("asked", flush=True)
    time.sleep(600)
socket.getaddrinfo = hang
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
@pytest.mark.parametrize("where", ["server", "names", "retry-after"])
def test_ctrl_c_ends_the_program_wherever_it_waits(server, where):
    server.behave = fake.too_many("50") if where == "retry-after" else server.hang
    url = "http://models.invalid/v1" if where == "names" else server.url
    script = f"""{HANGING_NAMES if where == "names" else ""}
from tot.lm.base import user
from tot.lm.openai import OpenAI
lm = OpenAI("fake", base_url={url!r}, api_key="none", max_concurrency=4)
try:
    lm([user(str(i)) for i in range(40)])
except KeyboardInterrupt:
    print("interrupted")
"""
    environment = os.environ | {"NO_PROXY": "*", "no_proxy": "*"}
    command = [sys.executable, "-c", script]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        if where == "names":
            assert program.stdout.readline() == "asked\n"
        else:
            wait_for(server, 4)
        time.sleep(0.2)  # the reply of a server that asks to wait has arrived
        program.send_signal(signal.SIGINT)
        out, said = program.communicate(timeout=20)  # less than any time that it would wait for
    finally:
        program.kill()
    assert program.returncode == 0 and out.splitlines()[-1] == "interrupted" and "Traceback" not in said
    assert len(server.requests) == (0 if where == "names" else 4)


# Keys, addresses, settings


def test_the_key_is_sent_and_never_shown(server):
    lm = make(server, api_key=KEY + "\n")
    lm([user("hi")])
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert not {"x-stainless-os", "x-stainless-arch", "x-stainless-runtime"} & {*server.headers[0]}
    assert KEY not in repr(lm) and KEY not in json.dumps(lm.describe())
    for status in (400, 401, 403, 404, 429, 500):
        for words in (f"the key {KEY} is bad", "no"):
            server.behave = always((status, words))
            with pytest.raises(LMError) as caught:
                make(server, api_key=KEY, retries=0)([user("hi")])
            assert KEY not in str(caught.value)
            assert (caught.value.__cause__ is None) == (words != "no")  # it would show the words in a traceback


def test_the_key_comes_from_the_environment_and_the_address_too(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    OpenAI("fake")([user("hi")])
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_no_key_is_an_error_only_when_it_is_asked(server):
    lm = OpenAI("fake", base_url="https://models.example/v1")  # a replay needs the name, and no key
    assert lm.name == "fake"
    text = fails(lm)
    assert "https://models.example/v1" in text and "OPENAI_API_KEY" in text and "--base-url" in text


@pytest.mark.parametrize("key", ["sk-…", "sk-a\nb", "sk-ключ"])
def test_a_broken_key_is_said_without_showing_it(server, key):
    text = fails(make(server, api_key=key))
    assert "copy it again" in text and key not in text and server.requests == []


@pytest.mark.parametrize("url", ["127.0.0.1:8101/v1", "localhost", "ftp://x/v1", "http://", "http://x:port/v1"])
def test_an_unreadable_address(url):
    with pytest.raises(LMError, match="http://127"):
        OpenAI("fake", base_url=url)


def test_a_name_and_a_query_in_the_address_are_kept_and_no_proxy_is_asked_for_this_machine(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    url = server.url.replace("127.0.0.1", "localhost")
    lm = make(server, base_url=url + "/?api-version=2026-01&x=%20")
    server.models = [{"id": "fake", "owned_by": "tests"}]
    assert lm([user("hi")])[0].texts == ("ok",) and lm.describe()["server"] == "tests"
    path, _, query = server.paths[0].partition("?")
    assert path == "/v1/chat/completions" and parse_qs(query) == {"api-version": ["2026-01"], "x": [" "]}


@pytest.fixture
def no_proxies(monkeypatch):
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_a_proxy_is_asked_for_other_machines_unless_the_environment_excepts_them(server, no_proxies, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1").replace("://", "://me:secret%21@"))
    lm = make(server, base_url="http://models.invalid/v1", api_key=KEY)
    assert lm([user("hi")])[0].texts == ("ok",)
    assert server.paths == ["http://models.invalid/v1/chat/completions"]
    assert server.headers[0]["proxy-authorization"] == "Basic " + base64.b64encode(b"me:secret!").decode()
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    monkeypatch.setenv("no_proxy", "models.invalid")
    text = fails(make(server, base_url="http://models.invalid/v1", api_key=KEY))
    assert "no server answers at http://models.invalid/v1" in text and len(server.requests) == 1


def test_tls_where_there_is_none(server):
    text = fails(make(server, base_url=server.url.replace("http", "https")))
    assert "no TLS at https://127" in text and "http://" in text


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to make a certificate with")
def test_a_certificate_is_checked_and_can_be_named_in_the_environment(tmp_path, monkeypatch):
    made = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=x"
    made += " -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(["openssl", *made.split()], cwd=tmp_path, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with FakeServer(tls=tls) as server:
        assert "is not trusted: set SSL_CERT_FILE" in fails(make(server))
        assert "https://" in fails(make(server, base_url=server.url.replace("https", "http"), retries=0))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert make(server)([user("hi")])[0].texts == ("ok",)


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("SSL_CERT_FILE", "/nowhere.pem", "check SSL_CERT_FILE"),
        ("http_proxy", "ftp://me:secret@x", "HTTP_PROXY"),
        ("http_proxy", "http://me:secret/x@h:1", "HTTP_PROXY"),
        ("all_proxy", "http://127.0.0.1:9", "no way through the proxy"),
        ("all_proxy", "127.0.0.1:9", "no way through the proxy"),
        ("all_proxy", "socks5://127.0.0.1:9", "no way through the proxy"),
    ],
)
def test_what_is_wrong_in_the_environment_is_one_sentence(no_proxies, monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    text = fails(OpenAI("fake", base_url="http://models.invalid/v1", api_key=KEY))
    assert words in text and "secret" not in text


@pytest.mark.parametrize("name, value", [("SSL_CERT_FILE", "/nowhere.pem"), ("all_proxy", "socks://x:1")])
def test_a_server_on_this_machine_needs_nothing_of_it(server, no_proxies, monkeypatch, caplog, name, value):
    monkeypatch.setenv(name, value)
    caplog.set_level("INFO")
    assert make(server, base_url=f"{server.url}?api-key=secret")([user("hi")])[0].texts == ("ok",)
    assert server.url in caplog.text and "secret" not in caplog.text


@pytest.mark.parametrize(
    "location, there",
    [
        ("https://user:pw@new.example/v2/chat/completions", "https://new.example/v2,"),
        ("/v2/chat/completions", "/v2,"),
        ("ftp://x", "check the address"),
        (None, ""),
    ],
)
def test_a_redirect_is_not_followed_and_the_new_address_is_named(server, location, there):
    headers = {"Location": location} if location else {}
    server.behave = always(Answer("moved", 308, headers))
    text = fails(make(server, api_key=KEY))
    assert "(308)" in text and there in text and "pw" not in text and len(server.requests) == 1


def test_a_program_may_end_without_closing_anything(server):
    """No warning about what was left open, not even in development mode; and no wait for a call that hangs."""
    server.behave = fake.when(lambda b: "hang" in str(b["messages"]), server.hang, fake.answering())
    script = f"""
import threading, time
from tot.lm.base import user
from tot.lm.openai import OpenAI
used, idle = OpenAI("fake", base_url={server.url!r}), OpenAI("fake", base_url={server.url!r})
used([user("hi")]), idle([user("hi")], lambda part, reply: None)
threading.Thread(target=used, args=([user("hang")],), daemon=True).start()
time.sleep(0.5)
"""
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("host", ["models.invalid", "a..b", "a" * 70 + ".invalid"])
def test_a_host_that_does_not_exist(monkeypatch, host):
    monkeypatch.setenv("no_proxy", "*")
    text = fails(OpenAI("fake", base_url=f"http://{host}/v1", api_key=KEY, backoff=0.001))
    assert f"no server answers at http://{host}/v1" in text


def test_the_package_is_imported_at_the_first_request_and_if_it_is_missing_the_error_says_what_to_install(server):
    script = f"""
import sys, tot.lm.openai
from tot.lm.base import LMError, user
lm = tot.lm.openai.OpenAI("m", base_url={server.url!r})
print({{"openai", "httpx2", "aiohttp"}} & {{*sys.modules}})
assert tot.OpenAI is tot.lm.openai.OpenAI
sys.modules["openai"] = None
try:
    lm([user("hi")])
except LMError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("set()\n") and 'pip install "thinking-in-trees[lm]"' in done.stdout


CLIENTS = ["OpenAI", "AsyncOpenAI", "AzureOpenAI", "AsyncAzureOpenAI"]


@pytest.fixture
def client_of(server):
    """Makes a client of the ``openai`` package for the server, of the class with that name."""
    import openai

    made = []

    def make(name, **more):
        azure = "Azure" in name
        address = {"azure_endpoint": server.url.removesuffix("/v1"), "api_version": "1"} if azure else {}
        made.append(getattr(openai, name)(api_key=KEY, **(address or {"base_url": server.url}), **more))
        return made[-1]

    yield make
    for client in made:
        if "Async" in type(client).__name__:
            asyncio.run(client.close())


@pytest.mark.parametrize("name", CLIENTS)
def test_a_given_client_is_used_and_left_open(server, client_of, name):
    client = client_of(name)
    with OpenAI("fake", client=client, retries=0) as lm:
        assert [reply.texts for reply in lm([user(str(i)) for i in range(5)])] == [("ok",)] * 5
    wanted = "/openai/deployments/fake/chat/completions?api-version=1" if "Azure" in name else "/v1/chat/completions"
    assert {*server.paths} == {wanted} and not client.is_closed()
    key = server.headers[0].get("api-key") or server.headers[0]["authorization"]
    assert key.removeprefix("Bearer ") == KEY
    server.behave = always((500, KEY))
    assert "(500)" in fails(lm)
    assert len(server.requests) == 6  # our retries, not the client's


@pytest.mark.parametrize("name", CLIENTS[:2])
def test_a_given_clients_failures_become_the_same_sentences(server, client_of, name):
    lm = OpenAI("fake", client=client_of(name, timeout=0.3), backoff=0.001)
    server.behave = fake.first(2, fake.too_many("0.01"), fake.answering())
    assert lm([user("hi", n=2)])[0].texts == ("ok", "ok") and len(server.requests) == 3
    server.behave = fake.refusing_n(1, fake.answering())
    assert len(lm([user("hi", n=2)])[0].samples) == 2
    for behave, words in (
        (always((429, "no", {"code": "insufficient_quota"})), "no credit left"),
        (fake.too_many("3600"), "asks to wait 3600 s"),
        (server.hang, "did not answer within the timeout of its client (tried twice)"),
        (fake.dropping(), "broke 6 times"),
        (fake.event_stream(), "an event stream"),
    ):
        server.behave = behave
        assert words in fails(lm)
    server.behave = server.hang
    late(OpenAI("fake", client=client_of(name)), user("hi", **within(0.3)))
    server.close()
    assert "no server answers" in fails(OpenAI("fake", client=client_of(name), backoff=0.001))


def test_describe_has_what_a_recording_needs_and_nothing_private(server):
    server.models = [{"id": "/home/somebody/models/qwen.gguf", "owned_by": "llamacpp"}]
    lm = OpenAI(
        "/home/somebody/models/qwen.gguf", base_url=server.url.replace("://", "://me:pass%21word@"), api_key=KEY, seed=7
    )
    lm([user("hi")])
    assert lm.name == "qwen.gguf" and server.requests[0]["model"] == "/home/somebody/models/qwen.gguf"
    assert server.headers[0]["authorization"] == "Basic " + base64.b64encode(b"me:pass!word").decode()
    described = lm.describe()
    assert described["model"] == "qwen.gguf" and described["server"] == "llamacpp"
    assert described["base_url_host"] == "loopback" and described["settings"]["seed"] == 7
    shown = json.dumps(described) + repr(lm)
    assert all(word not in shown for word in (KEY, "somebody", "pass"))
    server.models = [{"id": "a"}, {"id": "b"}]
    assert lm.describe() == described, "asked once: a reply that is there does not wait for it"
    assert make(server).describe()["server"] == "FakeServer"  # the header's
    server.models = None
    assert make(server).describe()["server"] == "unknown"


@pytest.mark.parametrize(
    "model, name",
    [("gpt-4o", "gpt-4o"), ("Qwen/Qwen2.5", "Qwen/Qwen2.5"), ("/a/b.gguf", "b.gguf"), (r"C:\a\b.gguf", "b.gguf")],
)
def test_a_models_name_is_never_a_local_path(model, name):
    assert OpenAI(model).name == name


MISSPELT = {"input": 10, "output": 30, "cached": 1}  # read in full, it made bills too dear


def test_prices_are_finite_numbers_of_dollars_from_a_table_or_a_file(server, tmp_path):
    file, deep = tmp_path / "prices.json", tmp_path / "deep.json"
    file.write_text('{"fake": {"input": 2, "output": 4}}', encoding="utf-8-sig")  # as some editors do
    deep.write_text("[" * 100_000)
    [reply] = make(server, prices=file)([user("hi")])
    assert reply.asked.dollars == pytest.approx((5 * 2 + 2 * 4) / 1e6)
    odd = {"input": float("nan"), "output": 1}, {"input": -1, "output": 1}
    for bad in ({}, {"input": 1}, 3, "x", [1], *odd, MISSPELT):
        with pytest.raises(LMError, match="no price for 'fake'.*dollars per million tokens"):
            OpenAI("fake", prices={"fake": bad} if bad else bad)
    for missing in (tmp_path / "none.json", deep):
        with pytest.raises(LMError, match="no price for 'fake'"):
            OpenAI("fake", prices=missing)


@pytest.mark.parametrize("options", [{"max_concurrency": 0}, {"retries": -1}, {"timeout": 0}, {"tokens_from": "air"}])
def test_settings_out_of_range(options):
    with pytest.raises(ValueError, match="max_concurrency >= 1"):
        OpenAI("fake", **options)


def test_loopback_addresses():
    for host in ("localhost", "127.0.0.1", "127.1.2.3", "::1", "api.localhost"):
        assert wire.is_loopback(host)
    for host in ("api.openai.com", "10.0.0.1", "localhost.example", ""):
        assert not wire.is_loopback(host)


# Secrets, and bills that cannot be


def test_the_secrets_of_a_url():
    url = "https://ann:pass%20word@host/v1/ak0123456789abcdefgh9/x?api-key=topsecret1"
    found = wire.secrets(url)
    assert {"ann:pass%20word", "pass word", "topsecret1", "ak0123456789abcdefgh9", "YW5uOnBhc3Mgd29yZA=="} <= {*found}
    assert wire.readable_url(url) == "https://host/v1/***/x"
    for plain in ("http://127.0.0.1:8101/v1", "https://host/openai/deployments/gpt-4o-mini-2024-07-18/x"):
        assert wire.readable_url(plain) == plain


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), -3, pytest.param(10**400, id="400 digits"), "many", None, [1]]
)
def test_a_bill_that_cannot_be_is_an_estimate(server, caplog, value):
    """It is said once, and it is what budgets count: one token for three bytes of a word, the one that ends
    a text, and four for a message."""
    server.behave = always(fake.completion(["a" * 30], usage={"prompt_tokens": value, "completion_tokens": value}))
    lm = make(server, prices={"fake": {"input": 1e6, "output": 1e6}})
    for reply in (*lm([user("b" * 60)]), *lm([user("b" * 60)])):
        assert reply.asked == reply.paid == Usage(1, 1, 25, 11, 36.0)
    assert ["does not count tokens" in record.getMessage() for record in caplog.records] == [True]
    assert lm.describe()["settings"]["tokens_from"] == "estimate"


def words_and_sums():
    """Recordings of the book whose server has a tokenizer of its own, and not one of words."""
    folder = pathlib.Path(__file__).parents[2] / "notebooks/cassettes"
    names = ("02", "03", "04", "06", "07", "08", "09", "10_shop", "12", "14", "15")
    return [folder / f"{name}.jsonl" for name in names]


@pytest.mark.parametrize("file", words_and_sums(), ids=lambda file: file.stem)
def test_an_estimate_is_not_below_the_bill_of_sums_and_sentences(file):
    tape = Tape(file)
    asked = dict(reversed(tape.samples))
    prompts = [[Message(*tape.messages[one]) for one in tape.requests[key][1]] for key in asked]
    assert sum(map(estimated_prompt, prompts)) >= sum(tape.samples[each].prompt_tokens for each in asked.items())
    samples = [one.sample for one in tape.samples.values()]
    assert sum(estimated(one.text) for one in samples) >= sum(one.completion_tokens for one in samples)
