"""What servers, and what stands before them, really answer: one row for each kind, as bug reports tell it."""

import json
from functools import partial

import fake_server as fake
import pytest
from fake_server import Answer, FakeServer
from growth import grows_in_step

from tot.lm import errors
from tot.lm.base import LMError, Message, Request, Usage, user
from tot.lm.completion import read_completion
from tot.lm.openai import OpenAI
from tot.lm.transport import HTTPFailure


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with FakeServer() as server:
        yield server


def make(server, **options):
    return OpenAI("fake", **({"base_url": server.url, "retries": 3, "backoff": 0.001} | options))


def fails(lm, *requests):
    with pytest.raises(LMError) as caught:
        lm(requests or [user("hi")])
    text = str(caught.value)
    assert "\n" not in text and len(text) < 700
    return text


# ---------------------------------------------------------------- nothing can stall the process


BLANKS, DEEP = " " * 20_000, "[" * 20_000
HOSTILE = ["parameter" + BLANKS, "invalid" + BLANKS, "n" + BLANKS, "parameter " * 3000, "<title" * 5000, DEEP, BLANKS]


def judged(text):
    """Everything that is asked of an error, and its sentence."""
    for body in (text, {"error": {"message": text, "details": [{"retryDelay": text}]}}, [[{"detail": [text]}]]):
        for status in (400, 429, 500):
            error = HTTPFailure.answered(status, json.dumps(body), {"retry-after": text, "retry-after-ms": text})
            for name in ("n", "seed", "best_of", "max_completion_tokens"):
                errors.names(error, name)
            request = {"messages": [{"role": "system", "content": "x"}], "temperature": 1}
            errors.sentence(error, url="http://x/v1", model="m", body=request, tries=2, timeout=1)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_an_error_is_read_in_linear_time(text):
    grows_in_step(partial(judged, text[: len(text) // 4]), partial(judged, text))


@pytest.mark.parametrize("more", [{}, {"usage": {"completion_tokens": 7, "prompt_tokens": 7}}])
def test_choices_are_counted_once_and_those_far_too_many_not_looked_at(server, more):
    def completion(choices):
        return json.dumps({"choices": [{"message": {"content": ""}}] * choices, **more})

    read = partial(read_completion, most=1 << 30)
    grows_in_step(partial(read, completion(2000)), partial(read, completion(8000)))
    assert len(read_completion(completion(8000), most=8).samples) == 8
    server.behave = fake.always(Answer(completion(100_000)))
    [reply] = make(server, retries=0)([user("hi", n=2)])
    assert reply.texts == ("", "") and len(server.requests) == 1


@pytest.mark.parametrize("depth", [500, 900, 5000, 50_000])
def test_an_answer_that_nests_deep_is_one_sentence(server, depth):
    nested = "[" * depth + "]" * depth
    for status, text in (
        (400, nested),
        (400, f'{{"error": {nested}}}'),
        (200, f'{{"error": {nested}}}'),
        (200, nested),
    ):
        server.behave = fake.always(Answer(text, status))
        fails(make(server, retries=0))
    choice = f'{{"finish_reason": "error", "error": {nested}}}'
    server.behave = fake.always(Answer(f'{{"choices": [{choice}]}}'))
    fails(make(server, retries=0))


# ---------------------------------------------------------------- the bill


def test_what_the_server_counts_is_what_is_paid_however_many_choices_came(server):
    texts = ["a" * 9] * 5
    server.behave = fake.always(Answer(fake.completion(texts, usage={"prompt_tokens": 7, "completion_tokens": "50"})))
    [reply] = make(server, prices={"fake": {"input": 0, "output": 1e6}})([user("hi", n=2)])
    assert reply.asked == Usage(1, 2, 7, 20, 20.0) and reply.paid == Usage(1, 2, 7, 50, 50.0)
    many = fake.completion(["a"] * 1000, usage={"prompt_tokens": 7, "completion_tokens": 5})
    server.behave = fake.always(Answer(many))
    [reply] = make(server)([user("hi")])
    assert reply.paid.completion_tokens == 5


def test_probabilities_that_nobody_asked_for_are_no_bill(server):
    answer = fake.completion(["ok"], usage={"prompt_tokens": 7, "completion_tokens": 5})
    answer["choices"][0]["logprobs"] = {"content": [{"token": "x"}] * 20_000}
    server.behave = fake.always(Answer(answer))
    [reply] = make(server)([user("hi")])
    assert reply.paid == Usage(1, 1, 7, 5)


# ---------------------------------------------------------------- upstream failures


NOTHING = fake.completion([""], usage=None)


def test_a_choice_that_failed_is_asked_again_and_the_others_stay(server):
    half = fake.completion(["one", "tw"])
    half["choices"][1]["finish_reason"] = "error"
    server.behave = fake.first(1, fake.always(Answer(half)), fake.answering())
    [reply] = make(server)([user("hi", n=2)])
    assert reply.texts == ("one", "ok") and [body.get("n", 1) for body in server.requests] == [2, 1]
    make(server)([user("ho", n=2)])
    assert server.requests[-1]["n"] == 2  # it can give two


def test_an_empty_reply_that_nobody_counted_is_a_failure_of_a_server_that_counts(server):
    server.behave = fake.first(2, fake.always(Answer(NOTHING)), fake.answering())
    lm = make(server)
    assert lm([user("hi")])[0].texts == ("ok",) and len(server.requests) == 3
    server.behave = fake.always(Answer(NOTHING))
    assert "an empty text" in fails(lm) and len(server.requests) == 7


def test_of_a_server_that_never_counts_it_is_a_sample_after_its_tries(server):
    server.behave = fake.always(Answer(NOTHING))
    [reply] = make(server)([user("hi")])
    assert reply.texts == ("",) and len(server.requests) == 4 and reply.paid.calls == 1


# ---------------------------------------------------------------- what a server refuses


def test_best_of_means_one_sample_a_call(server):
    refuses = fake.always(fake.error(400, "best_of must be 1 when using greedy sampling. Got 3."))
    server.behave = fake.when(lambda body: body.get("n", 1) > 1, refuses, fake.answering())
    [reply] = make(server)([user("hi", n=3, temperature=0)])
    assert reply.texts == ("ok",) * 3 and [body.get("n", 1) for body in server.requests] == [3, 1, 1, 1]


SYSTEM = Request((Message("system", "Be brief."), Message("user", "2 + 2?"), Message("assistant", "4")))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (422, "this model does not support system messages"),
    ],
)
def test_a_system_message_that_is_refused_names_the_setting_that_folds_it(server, tmp_path, status, words):
    refuses = fake.always(fake.error(status, words))
    server.behave = fake.when(lambda body: body["messages"][0]["role"] == "system", refuses, fake.answering())
    text = fails(make(server), SYSTEM)
    assert "--lm-option system=fold" in text and words in text and len(server.requests) == 1
    lm = make(server, options={"system": "fold"})
    assert lm([SYSTEM])[0].texts == ("ok",)
    folded = [{"role": "user", "content": "Be brief.\n\n2 + 2?"}, {"role": "assistant", "content": "4"}]
    assert server.requests[-1]["messages"] == folded and "system" not in server.requests[-1]
