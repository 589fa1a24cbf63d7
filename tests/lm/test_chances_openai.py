"""Labels, logprobs and schemas over the wire: what is sent, what comes back, and what a server that cannot says."""

import json
import math

import fake_server as fake
import pytest
from asking import fails, make
from fake_server import Answer

from tot import Cassette, user
from tot.lm.base import LMError
from tot.lm.openai import MUTE
from tot.runner import checked

ASKED = user("4 4 10", temperature=0, max_tokens=20, labels=("sure", "likely", "impossible"))


def told(text, *tokens):
    """A completion with log probabilities: each token certain, but those given as a distribution."""
    content = []
    for token in tokens:
        said, top = (token, {token: 1.0}) if isinstance(token, str) else token
        listed = [{"token": t, "logprob": math.log(p), "bytes": list(t.encode())} for t, p in top.items()]
        content.append({"token": said, "logprob": math.log(top[said]), "top_logprobs": listed})
    body = fake.completion([text])
    body["choices"][0]["logprobs"] = {"content": content, "refusal": None}
    return body


def test_one_request_brings_the_chances(server):
    verdict = (" sure", {" sure": 0.5, " imp": 0.3, " maybe": 0.2})
    server.behave = fake.always(Answer(told("10 - 4 = 6. sure", "10 - 4 = 6", ".", verdict)))
    [reply] = make(server)([ASKED])
    [body] = server.requests
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20) and "labels" not in body
    [sample] = reply.samples
    assert sample.chances == pytest.approx((0.625, 0.0, 0.375)) and sample.missing == pytest.approx(0.2)
    assert sample.completion_tokens == 7  # as the server counts them, whatever it lists


def test_what_comes_after_a_stop_string_has_no_say(server):
    """Models that think are not sent stop strings, and write on: the text is cut here, and so are its tokens."""
    sure, never = ("sure", {"sure": 0.75, "likely": 0.25}), ("sure", {"sure": 1.0})
    server.behave = fake.always(Answer(told("sure\nInput: 1 1\nsure", sure, "\n", "Input: 1 1\n", never)))
    asked = user("4 4 10", temperature=0, max_tokens=20, stop=("\n",), labels=("sure", "likely", "impossible"))
    [reply] = make(server, options={"stop": None})([asked])
    assert reply.texts == ("sure",) and reply.samples[0].chances == (0.75, 0.25, 0.0)


LINE = user("4 4 10", max_tokens=20, stop=("\n",), logprobs=True)
WANTED = {
    "labels": (ASKED, "leave out --verdicts logprobs", "its verdict"),
    "logprobs": (LINE, "choose another model, or another method", "its reply"),
}


@pytest.mark.parametrize("asked", [ASKED, LINE])
def test_what_was_told_is_recorded_with_the_reply(server, tmp_path, asked):
    server.behave = fake.always(Answer(told("sure", ("sure", {"sure": 0.75, "impossible": 0.25}))))
    with Cassette(tmp_path / "c.jsonl", make(server)) as cassette:
        live = cassette([asked])
    assert Cassette(tmp_path / "c.jsonl")([asked])[0].samples == live[0].samples
    sample = live[0].samples[0]
    assert (sample.chances, sample.logprob) == (
        ((0.75, 0.0, 0.25), None) if asked is ASKED else ((), round(math.log(0.75), 6))
    )


NOTHING = [None, {}, {"content": None}, {"content": []}]
ALONE = [{"token": "sure", "logprob": -0.1, "top_logprobs": []}], [{"token": "sure", "logprob": 0}]  # no others


@pytest.mark.parametrize(
    ("kind", "logprobs"),
    [*((kind, each) for kind in WANTED for each in NOTHING), *(("labels", {"content": each}) for each in ALONE)],
)
def test_a_server_that_lists_nothing_is_refused_and_nothing_is_recorded(server, tmp_path, kind, logprobs):
    """Ollama before 0.12 and many others take the option and say nothing."""
    body = fake.completion(["sure"])
    body["choices"][0]["logprobs"] = logprobs
    server.behave = fake.always(Answer(body))
    asked, instead, _ = WANTED[kind]
    with Cassette(tmp_path / "c.jsonl", make(server)) as cassette:
        assert fails(cassette, asked) == f"the server does not tell how likely its tokens were: {instead}"
    assert not (tmp_path / "c.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", WANTED)
def test_a_server_that_rejects_the_option_and_a_model_that_thinks(server, kind):
    asked, instead, what = WANTED[kind]
    for refusal in (
        fake.error(400, "You are not allowed to request logprobs", param="logprobs"),
        fake.error(400, "Unsupported parameter: 'top_logprobs'"),
    ):
        server.behave = fake.always(refusal)
        assert fails(make(server), asked).startswith(f"'fake' gives no log probabilities: {instead.split(',')[0]}")
    body = told("4 + 4", "4 + 4")
    body["choices"][0]["message"]["reasoning_content"] = "Hm."
    server.behave = fake.always(Answer(body))
    thinks = f"a model that thinks does not tell how likely {what} was: {instead}"
    assert fails(make(server), asked) == thinks


@pytest.mark.parametrize(
    ("asked", "entry"),
    [
        *((ASKED, entry) for entry in ({"token": 7}, {"top_logprobs": [{"token": "sure"}]}, {"top_logprobs": [None]})),
        *((LINE, {"logprob": value}) for value in (None, "low", float("nan"))),
        (LINE, {"token": 7}),
    ],
)
def test_log_probabilities_of_another_form_are_one_sentence(server, asked, entry):
    body = told("sure", "sure")
    body["choices"][0]["logprobs"]["content"][0] |= entry
    server.behave = fake.always(Answer(body))
    assert "something that is not a chat completion" in fails(make(server), asked)


@pytest.mark.parametrize("asked", [ASKED, LINE])
@pytest.mark.parametrize("logprobs", [None, {"content": [], "refusal": None}])
@pytest.mark.parametrize("message", [{"content": ""}, {"content": None, "refusal": "I am not sure that I may."}])
def test_an_empty_reply_and_a_refusal_say_no_label_and_are_paid_once(server, tmp_path, asked, logprobs, message):
    body = told("", ("", {"": 1.0}))
    body["choices"][0] |= {"message": message, "logprobs": logprobs}
    server.behave = fake.always(Answer(body))
    with Cassette(tmp_path / "c.jsonl", make(server)) as cassette:
        [[reply], [again]] = cassette([asked]), cassette([asked])
    assert checked(cassette, {asked: reply}) == {asked: reply}
    assert reply.samples == again.samples and reply.paid.calls == len(server.requests) == 1
    assert reply.samples[0].chances == () and reply.samples[0].missing == bool(asked.labels)


def test_after_some_replies_without_probabilities_no_other_is_paid(server):
    server.behave = fake.always(Answer(fake.completion(["sure"])))
    lm = make(server)
    for i in range(12):
        assert "how likely" in fails(lm, ASKED.samples(i, 1))
    assert len(server.requests) == MUTE


def test_a_reply_that_lacks_probabilities_is_on_the_bill(server):
    server.behave = fake.always(Answer(fake.completion(["sure"])))
    with pytest.raises(LMError) as caught:
        make(server)([ASKED])
    assert (caught.value.paid.calls, caught.value.paid.prompt_tokens, caught.value.paid.completion_tokens) == (1, 5, 2)


def test_a_schema_is_sent_as_response_format(server):
    schema = json.dumps({"type": "object", "properties": {"choice": {"enum": [1, 2]}}})
    make(server)([user("Which?", schema=schema)])
    [body] = server.requests
    form = body["response_format"]
    assert (
        form["type"] == "json_schema" and form["json_schema"]["schema"] == json.loads(schema) and "schema" not in body
    )
    assert form["json_schema"]["strict"] is True and form["json_schema"]["name"]


def test_a_server_without_schemas_says_so_in_one_sentence(server):
    server.behave = fake.always(fake.error(400, "'response_format' of type 'json_schema' is not supported"))
    sentence = fails(make(server), user("Which?", schema="{}"))
    assert sentence.startswith("'fake' gives no structured answers: take the task without its forms (the server says")


def test_one_request_brings_the_logprob_of_each_text(server):
    half, tenth = (" + 4", {" + 4": 0.5, " - 4": 0.5}), ("4", {"4": 0.1, "10": 0.9})
    first, second = told("4 + 4", tenth, half), told("4 - 4", tenth, (" - 4", {" - 4": 0.25}))
    first["choices"].append(second["choices"][0] | {"index": 1})
    server.behave = fake.always(Answer(first))
    [reply] = make(server)([LINE.samples(0, 2)])
    [body] = server.requests
    assert (body["logprobs"], body["top_logprobs"], body["n"]) == (True, 1, 2)
    assert [s.text for s in reply.samples] == ["4 + 4", "4 - 4"]
    assert [s.logprob for s in reply.samples] == pytest.approx([math.log(0.05), math.log(0.025)], abs=1e-6)


def test_the_logprob_is_of_the_text_without_what_was_cut_off(server):
    """A server that knows no stop strings writes on, and begins with a space that is no part of the text."""
    line, rare = (("4", {"4": 0.5}), (" + 4", {" + 4": 0.5})), ("never", {"never": 0.001})
    server.behave = fake.always(Answer(told("4 + 4\nnever", *line, "\n", rare)))
    [reply] = make(server, options={"stop": None})([LINE])
    assert reply.texts == ("4 + 4",) and reply.samples[0].logprob == pytest.approx(math.log(0.25), abs=1e-6)
    server.behave = fake.always(Answer(told("4 + 4", *line)))
    assert make(server)([LINE])[0].samples[0].logprob == reply.samples[0].logprob
