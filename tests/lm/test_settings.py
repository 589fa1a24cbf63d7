"""Settings of a model: what they are made of, what is sent, and how they tell samples apart."""

import json
import shlex
from dataclasses import replace

import fake_server as fake
import pytest
from fake_server import FakeServer
from families import by_name
from hypothesis import given
from hypothesis import strategies as st
from tables import refused

import tot
from tot.jsonlines import FileTrouble
from tot.lm.base import LMError, request_key, user
from tot.lm.cassette import Cassette
from tot.lm.checking import check
from tot.lm.openai import OpenAI
from tot.lm.settings import Settings, arguments, described, profiles

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda more: (
        st.lists(more, max_size=2)
        | st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), more, min_size=1, max_size=2)
    ),
    max_leaves=4,
)
OPTIONS = st.dictionaries(st.from_regex(r"x[a-z_]{0,6}", fullmatch=True), VALUES, max_size=3)
REQUESTS = st.builds(
    user,
    st.text(max_size=5),
    temperature=st.none() | st.floats(0, 2),
    max_tokens=st.none() | st.integers(1, 500),
    stop=st.lists(st.text(min_size=1, max_size=3), max_size=2).map(tuple),
    top_p=st.none() | st.floats(0, 1),
)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with FakeServer(by_name()) as server:
        yield server


def make(server, model="openai", **options):
    return OpenAI(model, **({"base_url": server.url, "retries": 0} | options))


def flat(plain, before=""):
    for name, value in plain.items():
        if isinstance(value, dict) and value:
            yield from flat(value, f"{before}{name}.")
        else:
            yield before + name, described({name: value}).partition("=")[2]


def test_settings_of_several_models_are_told_by_role():
    held = {"judge": {"temperature": None}, "default": {"a": {"b": 1}, "think_tokens": 5}}
    assert described(held) == "judge: temperature=none; default: a.b=1, think_tokens=5"
    assert described({"judge": 3}) == "judge=3" and described({"style": {"a": 1}}) == "style.a=1"
    assert described({}) == ""


@given(OPTIONS, st.integers(0, 10**6))
def test_what_is_described_can_be_typed(options, think_tokens):
    settings = Settings(options, think_tokens)
    texts = [f"{name}={value}" for name, value in flat(settings.to_dict())]
    if all(text == text.strip() and not text.endswith("=") and "= " not in text for text in texts):
        assert Settings.of(**arguments(texts)) == settings


def test_a_dot_nests_in_the_name_of_an_option_and_not_inside_of_its_value():
    schema = {"properties": {"user.name": {"type": "string"}}, "required": ["user.name"]}
    held = {"guided_json": schema, "logit_bias": {"1.5": 3}, "a": {"b": {"c.d": 1, "": 2}, "e": 5}}
    texts = [f"guided_json={json.dumps(schema)}", 'logit_bias={"1.5": 3}', 'a.b={"c.d": 1, "": 2}', "a.e=5"]
    assert Settings.of(**arguments(texts)).options == held == Settings(held).options
    assert described({"logit_bias": {"1.5": 3}, "a": {"e": 5}}) == 'logit_bias={"1.5": 3}, a.e=5'
    for wrong in ({"a": 1, "a.b": 2}, {"a.b": 1, "a": 2}, {"a..b": 1}, {".".join("a" * 9999): 1}):
        with pytest.raises(ValueError, match="give each name once|JSON values"):
            Settings(wrong)


def test_options_are_read_as_json_or_as_text():
    texts = (
        "reasoning_effort=low chat_template_kwargs.enable_thinking=false seed_list=[1,2] x=1e3 y=none temperature=none"
    )
    texts += ' prompt_cache_key=mine tools=[{"$defs":{"Secret":{"a":1}},"properties":{"password":{"a":1}}}]'  # none
    texts = [*texts.split(), "top_p=None", "max_tokens=40", "stop=none", "think_tokens=4000"]
    settings = Settings.of(**arguments(texts))
    assert settings.options == {
        "reasoning_effort": "low",
        "chat_template_kwargs": {"enable_thinking": False},
        "seed_list": [1, 2],
        "prompt_cache_key": "mine",
        "tools": [{"$defs": {"Secret": {"a": 1}}, "properties": {"password": {"a": 1}}}],
        "x": 1000.0,
        "y": "none",
        "temperature": None,
        "top_p": None,
        "max_tokens": 40,
        "stop": None,
    }
    assert settings.think_tokens == 4000


REFUSED = """
write, for example, reasoning_effort=low <- reasoning_effort
the option a is given twice <- a=1 a=2
give each name once <- a=1 a.b=2 | a.b=1 a=2
cannot read the option <- a..b=1 | .=1
the option profile is empty <- profile=
would be recorded and shown <- "Authorization=Bearer x" | azure_ad_token=x | api_key=1 | litellm_params.api_key=sk-1
would be recorded and shown <- aws_secret_access_key=x | x-api-key=1 | 'fallbacks=[{"api_key":"sk-1"}]'
would be recorded and shown <- 'tools=[{"headers":{"Authorization":"Bearer x"}}]' | authentication.key=x | key=x
would be recorded and shown <- provider_key=x | openrouter-key=x | jwt=eyJ | proxy=http://me:word@host:8080/
would be recorded and shown <- subscription_key=x | 'tools=[{"server_url":"https://h/s?token=x"}]' | 'api_keys=["x"]'
servers do not know extra_body: set what is in it <- extra_body.top_k=1
temperature needs a number of at least 0 <- temperature=hot | temperature=-1 | temperature=NaN | temperature=Infinity
top_p needs a number from 0 to 1 <- top_p=2
max_tokens needs a whole number of at least 1 <- max_tokens=0 | max_tokens=1.5
cut at the task's stop strings <- 'stop=["a"]'
think_tokens needs a whole number <- think_tokens=many | think_tokens=-1
choose one of reasoning <- profile=dreaming
cannot be set <- model=x | n=4 | max_completion_tokens=4 | stream=true
"""


@pytest.mark.parametrize(("texts", "words"), refused(REFUSED))
def test_what_cannot_be_is_refused_with_a_word(texts, words):
    with pytest.raises(ValueError, match=words):
        Settings.of(**arguments(shlex.split(texts)))


def test_a_profile_is_a_beginning_and_what_is_said_beside_it_counts():
    plain = {"temperature": None, "top_p": None, "stop": None, "think_tokens": profiles()["reasoning"]["think_tokens"]}
    assert Settings.of(profile="reasoning").to_dict() == plain
    settings = Settings.of(profile="reasoning", temperature=1, think_tokens=5, options={"reasoning_effort": "low"})
    assert settings.options["temperature"] == 1 and settings.think_tokens == 5
    assert settings.options["reasoning_effort"] == "low" and "stop" in settings.options
    off = Settings.of(profile="no-thinking", options={"chat_template_kwargs.enable_thinking": True})
    assert off.options == {"chat_template_kwargs": {"enable_thinking": True}}


def test_every_profile_can_be_used():
    assert all(Settings.of(profile=name) and profile["for"] for name, profile in profiles().items())


@given(REQUESTS)
def test_without_settings_a_request_is_what_it_was(request_):
    assert Settings().applied(request_) is request_ and "think_tokens" not in request_.params
    params = {
        k: v for k, v in (("temperature", request_.temperature), ("max_tokens", request_.max_tokens)) if v is not None
    }
    params |= ({"stop": list(request_.stop)} if request_.stop else {}) | (
        {} if request_.top_p is None else {"top_p": request_.top_p}
    )
    assert request_.key("m") == request_key("m", [["user", request_.messages[0].content]], params)


@given(REQUESTS, OPTIONS, st.integers(1, 10**6))
def test_settings_are_part_of_a_samples_identity(request_, options, think_tokens):
    settings = Settings({**options, "temperature": None}, think_tokens)
    asked = settings.applied(request_)
    assert asked.temperature is None and asked.think_tokens == think_tokens and asked.stop == request_.stop
    kept = {name: value for name, value in request_.params.items() if name != "temperature"}
    kept |= {"options": Settings(options).options} if options else {}
    assert asked.params == kept | {"think_tokens": think_tokens}
    assert asked.key("m") != request_.key("m") and settings.applied(asked) == asked
    assert asked.limit == (None if request_.max_tokens is None else request_.max_tokens + think_tokens)
    assert hash(asked) == hash(settings.applied(request_))


def test_what_is_sent(server):
    server.behave = fake.answering()
    options = {"reasoning_effort": "low", "chat_template_kwargs.enable_thinking": False, "top_p": None, "stop": None}
    lm = make(server, temperature=None, options=options, think_tokens=4000)
    lm([user("hi", temperature=0.7, top_p=0.5, max_tokens=40, stop=("\n",))])
    [body] = server.requests
    nested = {"reasoning_effort": "low", "chat_template_kwargs": {"enable_thinking": False}}
    asked = {"model": "openai", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 4040}
    assert body.pop("seed") and body == asked | nested
    assert lm.settings == nested | {"top_p": None, "stop": None, "temperature": None, "think_tokens": 4000}


@pytest.mark.parametrize(
    ("own", "asked", "sent"),
    [
        ({"think_tokens": 4000}, {}, None),
        ({"options": {"max_tokens": 9}}, {"max_tokens": 40}, 9),
        ({"options": {"max_tokens": None}, "think_tokens": 7}, {"max_tokens": 40}, None),
        ({"profile": "reasoning"}, {"max_tokens": 100}, 8100),
    ],
)
def test_the_limit_that_is_sent(server, own, asked, sent):
    server.behave = fake.answering()
    make(server, **own)([user("hi", **asked)])
    names = ("max_completion_tokens", "max_tokens") if "profile" in own else ("max_tokens", "max_completion_tokens")
    assert [server.requests[0].get(name) for name in names] == [sent, None]


@pytest.mark.parametrize("options", [{"stop": None}, {}])
def test_stop_strings_that_are_not_sent_or_not_heeded_are_applied_here(server, options):
    server.behave = fake.answering("one\ntwo STOP three")
    lm = make(server, options=options)
    texts = [lm([user("hi", stop=stop)])[0].texts[0] for stop in ((), ("STOP",), ("STOP", "\n"), ("four",))]
    assert texts == ["one\ntwo STOP three", "one\ntwo ", "one", "one\ntwo STOP three"]
    assert any("stop" in body for body in server.requests) == (not options)
    server.behave = fake.answering("\n\none\ntwo")  # as vLLM hands on what stands behind the thinking
    assert lm([user("hi", stop=("\n",))])[0].texts[0].split() == ["one"]


@pytest.mark.parametrize("options", [{"stop": None}, {}])
def test_a_refusal_stays_one_whatever_stands_in_it(server, options):
    body = fake.completion([""])
    body["choices"][0]["message"] = {"content": None, "refusal": "I cannot help.\n\nAsk another question."}
    server.behave = fake.always(fake.Answer(body))
    sample = make(server, options=options)([user("hi", stop=("\n",))])[0].samples[0]
    assert sample.refused and sample.text == "I cannot help.\n\nAsk another question."


def test_a_text_that_ran_to_the_limit_after_its_stop_string_was_not_cut_off(server):
    body = fake.completion(["7\nand more"])
    body["choices"][0]["finish_reason"] = "length"
    server.behave = fake.always(fake.Answer(body))
    sample = make(server, options={"stop": None})([user("hi", stop=("\n",))])[0].samples[0]
    assert (sample.text, sample.finish) == ("7", "stop")


def test_the_other_name_of_the_limit_is_tried_and_no_third(server):
    refuses = fake.always(fake.error(400, "Unrecognized request argument supplied: max_completion_tokens"))
    server.behave = fake.when(lambda body: "max_completion_tokens" in body, refuses, fake.answering())
    assert make(server, profile="reasoning")([user(f"{i}", max_tokens=9) for i in range(4)])[3].texts == ("ok",)
    assert server.requests[-1]["max_tokens"] == 8009
    server.behave = refuses
    with pytest.raises(LMError, match="refuses the request .400.: change what it names"):  # neither name is taken
        make(server)([user("hi", max_tokens=9)])


@pytest.mark.parametrize("words", ["Invalid 'max_output_tokens': expected a value >= 16", "max_tokens: at least 16"])
def test_a_least_limit_is_asked_for(server, words):
    refuses = fake.always(fake.error(400, words))
    server.behave = fake.when(lambda body: body["max_tokens"] < 16, refuses, fake.answering())
    lm = make(server)
    assert [lm([user("hi", max_tokens=most)])[0].texts[0] for most in (12, 10, 90)] == ["ok"] * 3
    assert [body["max_tokens"] for body in server.requests] == [12, 16, 16, 90]


@pytest.mark.parametrize("silent", [True, False])
def test_under_a_least_limit_what_is_given_up_is_billed_at_what_it_was_allowed(server, silent):
    told = fake.always(fake.error(400, "Could not finish the message because max_tokens was reached."))
    refuses = fake.always(fake.error(400, "max_tokens: at least 16"))
    server.behave = fake.when(lambda body: body["max_tokens"] < 16, refuses, server.hang if silent else told)
    lm = make(server, timeout=0.2, retries=0)
    if silent:
        with pytest.raises(LMError) as caught:
            lm([user("hi", max_tokens=2)])
        assert caught.value.paid.completion_tokens == 16
    else:
        assert lm([user("hi", n=2, max_tokens=2)])[0].paid.completion_tokens == 32


OUT = {
    "temperature": ["--temperature none", "temperature=None", "--lm-profile reasoning"],
    "stop": ["--lm-option stop=none", 'options={"stop": None}', "on this side", "--lm-profile reasoning"],
    "logprobs": ["tokens_from='usage'"],
}


@pytest.mark.parametrize(
    ("model", "request_", "options", "words"),
    [
        ("openai", user("hi", temperature=0.7), {}, ["refuses temperature=0.7", *OUT["temperature"]]),
        ("openai", user("hi", temperature=1, stop=("\n",)), {}, ["refuses stop", *OUT["stop"]]),
        ("anthropic", user("hi", temperature=0), {}, [*OUT["temperature"], "may only be set to 1"]),
        ("deepseek", user("hi"), {"tokens_from": "logprobs"}, ["no log probabilities", *OUT["logprobs"]]),
    ],
)
def test_a_refusal_names_the_flag_the_argument_and_the_profile(server, model, request_, options, words):
    with pytest.raises(LMError) as caught:
        make(server, model, **options)([request_])
    text = str(caught.value)
    assert all(word in text for word in words) and "\n" not in text and "the server says" in text, text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "Unrecognized request argument supplied: reasoning_effort",
            "refuses reasoning_effort=low: leave that option out, .*--lm-option reasoning_eff",
        ),
        ("Your text about temperature was flagged. Stop it.", "refuses the request"),  # which names no parameter
    ],
)
def test_an_option_that_a_server_refuses_is_named(server, said, words):
    server.behave = fake.always(fake.error(400, said))
    with pytest.raises(LMError, match=words):
        make(server, options={"reasoning_effort": "low"})([user("hi", temperature=0, stop=("a",))])


def test_a_stop_string_that_ends_the_thinking_is_told(server):
    [reply] = make(server, "vllm")([user("hi", max_tokens=500, stop=("1 + 1",))])
    assert reply.samples[0].finish == "stopped thinking"
    [reply] = make(server, "vllm", profile="thinking")([user("hi", max_tokens=500, stop=("1 + 1",))])
    assert reply.samples[0].finish == "stop" and reply.samples[0].text


def test_a_recorded_reply_that_a_stop_string_ended_is_asked_again_where_none_are_sent(server, tmp_path):
    path, request = tmp_path / "c.jsonl", user("hi", max_tokens=500, stop=("1 + 1",))
    with Cassette(path, make(server, "vllm")) as lm:
        assert lm([request])[0].samples[0].finish == "stopped thinking"
    with Cassette(path, make(server, "vllm", options={"stop": None})) as lm:
        [mended] = lm([request])
    assert mended.samples[0].finish == "stop" and mended.samples[0].text
    assert ["stop" in body for body in server.requests] == [True, False]
    for asked, finish in ((Settings(), "stopped thinking"), (Settings({"stop": None}), "stop")):
        assert Cassette(path, asked_with=asked)([request])[0].samples[0].finish == finish
    assert check(path) == []


def test_a_recording_of_an_older_version_without_stop_strings_replays(server, tmp_path):
    """Its keys did not tell that they were not sent; its session line does."""
    path, requests = tmp_path / "c.jsonl", [user("hi", stop=("\n",)), user("you", stop=("\n",))]
    server.behave = fake.answering("one\ntwo")
    with Cassette(path, make(server, options={"stop": None, "top_k": 5})) as lm:
        _ = [lm([request]) for request in requests]  # in this order
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line, request in zip([line for line in lines if line["type"] == "sample"], requests, strict=True):
        del line["params"]["options"]["stop"], line["sum"]
        line["key"] = replace(request, options='{"top_k": 5}').key(lm.name)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [reply.texts for reply in Cassette(path)(requests)] == [("one",), ("one",)]
    assert check(path) == []
    lines[-1]["key"] = "0" * 16
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert len(check(path)) == 1


def test_a_recording_holds_thinking_bills_and_settings_and_replays_them(server, tmp_path):
    path = tmp_path / "c.jsonl"
    request = user("Solve it. " * 40, n=2, max_tokens=60, temperature=0.7)
    prices = {"vllm": {"input": 2, "output": 10, "cached_input": 1}}
    with Cassette(path, make(server, "vllm", profile="thinking", prices=prices)) as recorder:
        [first] = recorder([request])
    sent = len(server.requests)
    with Cassette(path) as replay:
        [again] = replay([request])
    assert again.samples == first.samples and again.asked == first.asked and again.samples[0].thinking
    bill = again.asked
    fresh, cost = bill.prompt_tokens - bill.cached_tokens, bill.cached_tokens + 10 * bill.completion_tokens
    assert bill.cached_tokens and bill.dollars == pytest.approx((2 * fresh + cost) / 1e6)
    assert len(server.requests) == sent
    assert replay.settings == {"stop": None, "think_tokens": 8000}
    session, *_, sample = map(json.loads, path.read_text().splitlines())
    assert session["model_settings"] == {"stop": None, "think_tokens": 8000}
    assert session["dollars_per_million_tokens"] == {"input": 2, "output": 10, "cached_input": 1}
    assert sample["params"] == {"temperature": 0.7, "max_tokens": 60, "think_tokens": 8000}
    assert check(path) == []


def test_without_settings_and_thinking_a_recording_is_as_it_was(server, tmp_path):
    server.behave = fake.answering()
    path = tmp_path / "c.jsonl"
    with Cassette(path, make(server)) as recorder:
        recorder([user("hi", max_tokens=60)])
    session, _, sample = map(json.loads, path.read_text().splitlines())
    assert "model_settings" not in session
    assert not {"thinking", "thinking_tokens", "cached_tokens"} & sample.keys()
    assert sample["params"] == {"temperature": 0.7, "max_tokens": 60}
    with pytest.raises(FileTrouble, match="not with temperature=0: leave out the settings, or record"):
        Cassette(path, asked_with=Settings({"temperature": 0}))


def test_a_replay_chooses_among_recorded_settings(server, tmp_path):
    path = tmp_path / "c.jsonl"
    server.behave = fake.answering()
    request = user("hi")
    low, high = {"reasoning_effort": "low"}, {"reasoning_effort": "high"}
    for options in (low, high):
        with Cassette(path, make(server, options=options)) as recorder:
            recorder([request])
    with pytest.raises(
        FileTrouble, match=r"reasoning_effort=low; reasoning_effort=high; not with none: choose with --lm"
    ):
        Cassette(path)
    with Cassette(path, asked_with=Settings(high)) as replay:
        assert replay([request])[0].texts == ("ok",) and replay.settings == high
    with pytest.raises(FileTrouble, match="not with reasoning_effort=medium"):
        Cassette(path, asked_with=Settings({"reasoning_effort": "medium"}))
    with Cassette(path, make(server)) as recorder:
        recorder([request])
    with Cassette(path) as replay:  # none is among them now
        assert replay.settings == {} and replay([request])[0].texts == ("ok",)
    opened = tot.lm.open("", cassette=path, options=low)
    assert opened.settings == low and opened([request])


@pytest.mark.treebook
def test_the_pocket_model_takes_a_temperature_and_nothing_else():
    cold = tot.lm.open("pocket", temperature=0)
    request = user("x", n=2)
    assert cold.settings == {"temperature": 0} and cold.applied(request).temperature == 0
    with pytest.raises(ValueError, match="the pocket model has no reasoning_effort=low"):
        tot.lm.open("pocket", options={"reasoning_effort": "low"})
