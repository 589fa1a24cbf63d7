"""The OpenAI LM against a real llama.cpp server: the behaviour that tests/fake_server.py only imitates."""

import json

import pytest

from tot.lm.base import LMError, user
from tot.lm.openai import OpenAI


@pytest.fixture
def lm(local_lm):
    with OpenAI(local_lm.model, base_url=local_lm.base_url, tokens_from="logprobs") as lm:
        yield lm


def test_three_samples_with_exact_counts(lm):
    seen = []
    request = user("Name an animal.", temperature=1.0, max_tokens=8, n=3)
    [reply] = lm([request], lambda part, reply: seen.append(part.n))
    assert len(reply.samples) == 3 and seen == [3] and reply.paid == reply.asked  # one call
    assert reply.asked.prompt_tokens > 3
    for sample in reply.samples:
        assert sample.finish in ("stop", "length") and 1 <= sample.completion_tokens <= 8
        assert (sample.completion_tokens == 8) or sample.finish == "stop"
    assert reply.asked.completion_tokens == sum(sample.completion_tokens for sample in reply.samples)


def test_a_cut_off_sample_says_length(lm):
    [reply] = lm([user("Count from one to one hundred.", temperature=0, max_tokens=4)])
    assert [(sample.finish, sample.completion_tokens) for sample in reply.samples] == [("length", 4)]


def test_more_samples_than_the_server_has_slots(lm):
    [reply] = lm([user("Name an animal.", max_tokens=4, n=40)])  # llama.cpp refuses n above its number of slots
    assert len(reply.samples) == 40 and reply.paid.calls > 1 and reply.asked.calls == 1
    assert lm._most_n < 40


def test_four_at_once_come_back_in_order(local_lm):
    lm = OpenAI(local_lm.model, base_url=local_lm.base_url, max_concurrency=4)
    requests = [user("Hello" + " again" * i, max_tokens=4) for i in range(0, 80, 10)]
    replies = lm(requests)
    prompts = [reply.asked.prompt_tokens for reply in replies]
    assert prompts == sorted(set(prompts))  # longer and longer
    assert all(1 <= reply.asked.completion_tokens <= 4 for reply in replies)


def test_a_prompt_beyond_the_context(lm):
    with pytest.raises(LMError, match="does not fit the context of .*: shorten the prompt"):
        lm([user("word " * 40_000, max_tokens=4)])


def test_an_address_without_the_api(local_lm):
    lm = OpenAI(local_lm.model, base_url=local_lm.base_url + "/nothing")
    with pytest.raises(LMError, match=r"no OpenAI-compatible API.*\(404\).*check the model's name"):
        lm([user("hi", max_tokens=1)])


def test_describe(lm, local_lm):
    described = lm.describe()
    assert described["server"] == "llamacpp" and described["base_url_host"] == "loopback"
    assert described["model"] == lm.name and "/" not in lm.name


def test_one_reply_tells_how_likely_its_words_were_and_a_schema_is_kept(local_lm):
    colour = {"type": "string", "enum": ["red", "blue"]}
    schema = json.dumps({"type": "object", "properties": {"colour": colour}, "required": ["colour"]})
    asked = user("Is the sky red or blue?", temperature=0, max_tokens=20, labels=("red", "blue"), schema=schema)
    with OpenAI(local_lm.model, base_url=local_lm.base_url) as lm:
        [sample] = lm([asked])[0].samples
    assert json.loads(sample.text)["colour"] in ("red", "blue")
    assert sum(sample.chances) == pytest.approx(1, abs=1e-5) and 0 <= sample.missing < 1
