"""What servers, and what stands before them, really answer: one row for each kind, as bug reports tell it."""

import base64
import gc
import json
import time
from functools import partial
from threading import Barrier

import fake_server as fake
import pytest
from asking import fails, make
from fake_server import Answer
from growth import grows_in_step
from tables import bars

from tests.torture.growing import judged
from tot import Cassette
from tot.lm.base import LMError, Message, Request, Unanswered, Usage, user
from tot.lm.checking import check
from tot.lm.completion import read_completion
from tot.lm.openai import OpenAI

BLANKS, DEEP = " " * 20_000, "[" * 20_000
HOSTILE = ["parameter" + BLANKS, "invalid" + BLANKS, "n" + BLANKS, "parameter " * 3000, "<title" * 5000, DEEP, BLANKS]


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
    gc.collect()  # what other tests left may not be ended in the middle of a deep call
    nested = "[" * depth + "]" * depth
    for status, text in (
        (400, nested),
        (400, f'{{"error": {nested}}}'),
        (200, f'{{"error": {nested}}}'),
        (200, nested),
    ):
        server.behave = fake.always(Answer(text, status))
        fails(make(server, retries=0))
    server.models = [{"id": "x" * 100_000, "owned_by": json.loads(nested) if depth < 900 else nested}] * 30
    server.behave = fake.unknown_model()
    fails(make(server))
    make(server).describe()
    choice = f'{{"finish_reason": "error", "error": {nested}}}'
    server.behave = fake.always(Answer(f'{{"choices": [{choice}]}}'))
    fails(make(server, retries=0))


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


KEY = "sk-secret-0123456789AbCd_efgh"
_BYTES = KEY.encode()
DRESSED = {
    "as it is": KEY,
    "upper case": KEY.upper(),
    "backwards": KEY[::-1],
    "two lines": KEY[:9] + "\r\n    " + KEY[9:],
    "base64": base64.b64encode(_BYTES).decode(),
    "inside base64": base64.urlsafe_b64encode(b"Bearer " + _BYTES + b" is").decode(),
    "lines of base64": base64.encodebytes(b"Authorization: Bearer " + _BYTES + b" " * 40).decode(),
    "hexadecimal": _BYTES.hex(),
    "hexadecimal pairs": _BYTES.hex(":").upper(),
    "percent": "".join(f"%{byte:02X}" for byte in _BYTES),
    "entities": "".join(f"&#{byte};" for byte in _BYTES),
    "hexadecimal entities": "".join(f"&#x{byte:x};" for byte in _BYTES),
    "JSON in JSON": "".join(f"\\u{byte:04x}" for byte in _BYTES),
    "wide letters": "".join(chr(byte + 0xFEE0) for byte in _BYTES),
    "letters of mathematics": "".join(
        chr(byte - 0x61 + 0x1D41A) if chr(byte) in "secret" else chr(byte) for byte in _BYTES
    ),
    "nothing seen between": "\u200b\u2060".join(KEY),
    "other dashes": KEY.replace("-", "\u2011"),
}


@pytest.mark.parametrize("form", DRESSED)
def test_the_key_reaches_no_file_and_no_screen(server, tmp_path, form):
    """Not in a text, a finish reason, thinking, the Server header, the list of models, an error."""
    dressed = DRESSED[form]
    half = dressed[len(dressed) // 2 - 6 : len(dressed) // 2 + 6]
    server.models = [{"id": "fake", "owned_by": dressed}]
    answer = fake.completion([f"It is {dressed}."])
    answer["choices"][0] |= {"finish_reason": dressed}
    answer["choices"][0]["message"]["reasoning"] = dressed
    server.behave = fake.always(Answer(answer))
    with Cassette(tmp_path / "c.jsonl", make(server, api_key=KEY)) as lm:
        [sample] = lm([user("hi")])[0].samples
    said = [sample.text, sample.finish, sample.thinking]
    for status in (200, 400, 404, 429, 500):
        server.behave = fake.always(fake.error(status, f"{dressed} {'x' * 150} {dressed} is wrong", code=dressed))
        said.append(fails(make(server, api_key=KEY, retries=0)))
    recorded = (tmp_path / "c.jsonl").read_text("utf-8").splitlines()
    for text in (*said, recorded[0], *recorded[2:]):
        assert "***" in text and half not in text and KEY[:12] not in text, text


def test_what_could_be_a_word_is_left_in_a_reply(server):
    """Servers on this machine are given keys such as "not-needed"."""
    server.behave = fake.answering("That is not-needed.")
    assert make(server, api_key="not-needed")([user("hi")])[0].texts == ("That is not-needed.",)


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


ONE_SAMPLE = (
    "best_of must be 1 when using greedy sampling. Got 3.|Multiple candidates is not enabled for this model"
    "|n_cmpl cannot be greater than the slots|candidateCount must be 1 but was 3|Only one candidate can be set"
)


def test_a_prompt_that_a_refusal_repeats_lowers_no_n(server):
    server.behave = fake.always(fake.error(400, "filtered: 'Answer the multiple choice question'"))
    assert "filtered" in fails(make(server), user("hi", n=3)) and len(server.requests) == 1


@pytest.mark.parametrize(
    ("words", "status"),
    [*((words, 400) for words in bars(ONE_SAMPLE)), ("Only one completion choice is allowed", 500)],
)
def test_one_sample_a_call_in_other_words(server, words, status):
    refuses = fake.always(fake.error(status, words))
    server.behave = fake.when(lambda body: body.get("n", 1) > 1, refuses, fake.answering())
    [reply] = make(server)([user("hi", n=3, temperature=0)])
    assert reply.texts == ("ok",) * 3 and [body.get("n", 1) for body in server.requests] == [3, 1, 1, 1]


@pytest.mark.parametrize(
    "words",
    [
        "ValidationException: seed: Extra inputs are not permitted",
        "extraneous key [seed] is not permitted",
        r'{"detail": [{"loc": ["body", \"seed\"], "msg": "Extra inputs"}]}',
        "per-request seed",
    ],
)
def test_a_seed_that_never_worked_is_left_out_where_the_words_have_it(server, words):
    server.behave = fake.when(lambda body: "seed" in body, fake.always(fake.error(400, words)), fake.answering())
    lm = make(server)
    assert lm([user("hi")])[0].texts == ("ok",) and len(server.requests) == 2
    assert lm([user("ho")])[0].texts == ("ok",) and len(server.requests) == 3


@pytest.mark.parametrize("words", ["n only support 1", "n 参数有误", "completions (n) must be 1", "keys: {'n': 5}"])
def test_an_n_that_never_worked_is_lowered_where_the_words_have_it(server, words):
    refuses = fake.always(fake.error(400, words))
    server.behave = fake.when(lambda body: body.get("n", 1) > 1, refuses, fake.answering())
    lm = make(server)
    lm([user("hi")])  # that one sample is given says nothing of several
    assert lm([user("hi", n=5)])[0].texts == ("ok",) * 5


def html(status, words):
    """nginx's, and most proxies'."""
    return Answer(f"<html>\n<head><TITLE>{words}</TITLE></head><body>...", status, {"Content-Type": "text/html"})


GONE = {
    "a key": fake.wrong_key(),
    "a key that expired": fake.always(fake.error(400, "API key expired. Renew it.")),
    "a portal": fake.always(html(200, "Sign in")),
    "a portal elsewhere": fake.always(Answer("", 302, {"Location": "http://portal.example/login"})),
    "a blocked address": fake.always(html(403, "Attention Required!")),
    "a country": fake.always(fake.error(403, "Country, region, or territory not supported")),
    "a model that cannot be loaded": fake.always(fake.error(400, "Failed to load model: insufficient resources.")),
    "a gateway's empty place": fake.always(Answer("404 page not found", 404)),
    "a model that is loaded no more": fake.always(fake.error(400, "No models loaded. Please load a model.")),
}


@pytest.mark.parametrize("refuses", GONE.values(), ids=GONE)
def test_what_ends_a_server_that_has_answered_is_no_failure_of_the_model(server, refuses):
    server.behave = fake.first(1, fake.answering(), refuses)
    lm = make(server, retries=1)
    lm([user("hi")])
    with pytest.raises(Unanswered):
        lm([user("ho")])


@pytest.mark.parametrize(
    "refuses",
    [
        fake.always(html(413, "Request Entity Too Large")),
        fake.always(fake.error(404, "No endpoints found that can handle the requested parameters.")),
        fake.always(fake.error(403, "Your request was rejected by our safety system")),
        fake.always(fake.error(400, "Failed to load image")),
        fake.always(fake.error(400, "Unrecognized request argument supplied: content_filter_policy")),
        fake.always(Answer({"error": {"message": "messages must not be empty", "code": "invalid_prompt"}}, 400)),
    ],
)
def test_what_a_server_has_against_one_request_is_a_failure(server, refuses):
    server.behave = fake.first(1, fake.answering(), refuses)
    lm = make(server, retries=1)
    lm([user("hi")])
    with pytest.raises(LMError) as failed:
        lm([user("ho")])
    assert not isinstance(failed.value, Unanswered)


@pytest.mark.parametrize("status", [500, 429])
def test_no_pause_is_longer_than_a_minute_however_many_tries_there_are(server, status, monkeypatch):
    server.behave, slept, now = fake.first(1, fake.answering(), fake.always(fake.error(status, "busy"))), [0.0], [0.0]
    lm = make(server, retries=20, backoff=0.5)
    lm([user("hi")])
    began = time.monotonic
    monkeypatch.setattr("tot.lm.openai.time.monotonic", lambda: began() + now[0])

    async def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(lm._transport, "sleep", sleep)
    fails(lm)
    assert 100 < sum(slept) < (200 if status == 500 else 22 * 75)


def test_a_server_that_says_so_is_not_asked_again(server):
    server.behave = fake.always(Answer({"error": {"message": "failed for good"}}, 424, {"x-should-retry": "false"}))
    assert "failed for good" in fails(make(server)) and len(server.requests) == 1


def test_a_total_that_is_all_a_server_tells_is_on_the_bill(server):
    server.behave = fake.always(Answer(fake.completion(["42"]) | {"usage": {"total_tokens": 5010}}))
    assert make(server)([user("hi")])[0].asked.completion_tokens == 5010


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
    with Cassette(tmp_path / "c.jsonl", lm) as recorded:
        recorded([SYSTEM])
    assert check(tmp_path / "c.jsonl") == [] and Cassette(tmp_path / "c.jsonl")([SYSTEM])[0].texts == ("ok",)
    with pytest.raises(ValueError, match="fold"):
        make(server, options={"system": None})


GEMINI = {
    "code": 429,
    "message": "You exceeded your current quota, please check your plan.",
    "details": [{"@type": "type.googleapis.com/google.rpc.Help"}, {"@type": "RetryInfo", "retryDelay": "120s"}],
}
OPENROUTER = {"message": "Provider returned error", "code": 429, "metadata": {"raw": "m is rate-limited upstream."}}
ROWS = {  # (what is answered, how often it is asked, what is said of it)
    "no credit": (fake.error(402, "Insufficient Balance"), 1, ["no credit", "add some", "Insufficient Balance"]),
    "no credit (Anthropic)": (fake.error(400, "Your credit balance is too low."), 1, ["no credit", "too low"]),
    **{
        f"no credit ({words[:30]})": (fake.error(status, words, **more), 1, ["no credit", words])
        for status, words, more in [
            (400, "Billing hard limit has been reached", {}),
            (400, "You have reached your specified API usage limits.", {}),
            (400, "Access denied, check your account is in good standing.", {"code": "Arrearage"}),
            (400, "ExceededBudget: User has exceeded their budget", {}),
            (401, "Insufficient balance. Manage your billing here.", {}),
            (403, "Your account is not active, organization exceeded current quota", {}),
            (403, "Your team has used all available credits", {}),
            (403, "Sorry, your account balance is insufficient", {}),
            (403, "Key limit exceeded (total limit)", {}),
            (403, "The free tier of the model has been exhausted.", {}),
            (412, "Account is suspended: monthly spending limit", {}),
        ]
    },
    **{
        f"no key for it ({words[:30]})": (fake.error(status, words), 1, [said, words])
        for status, words, said in [
            (403, "This key is limited to the model gpt-4o", "refuses access"),
            (403, "Usage limited in your region", "refuses access"),
            (400, "max usage limit for tools is 5", "refuses the request"),
            (400, "thinking budget tokens exceeded max_tokens", "refuses the request"),
        ]
    },
    "an error in numbers of its own": (Answer({"code": 50505, "message": "Model overloaded"}), 2, ["overloaded"]),
    "another API's success": (Answer({"code": 0, "message": "success"}), 1, ["not a chat completion"]),
    **{
        f"out of order ({status}, {words[:20]})": (fake.error(status, words), 2, ["failed twice", words])
        for status, words in [
            (400, "Function id 'x': DEGRADED function cannot be invoked"),
            (400, "The model has crashed without additional information."),
            (400, "Overloaded"),
            (409, "in the middle of another request"),
            (424, "Request failed during generation"),
            (498, "Flex tier capacity exceeded"),
        ]
    },
    "an error that is all": (Answer({"code": 502, "message": "Network connection lost."}), 2, ["failed twice (502)"]),
    "an error of whom it asks": (Answer({"error": {"message": "Provider returned error"}}), 2, ["answered twice"]),
    "nothing": (Answer("null"), 2, ["broke twice", "it says nothing"]),
    "Gemini's bad key": (fake.error(400, "API key not valid. Please pass a valid API key."), 1, ["OPENAI_API_KEY"]),
    "nothing charged": (fake.error(403, "Input was flagged. No credits were charged."), 1, ["this API key", "flagged"]),
    "a page at the address": (html(200, "Sign in"), 1, ["titled Sign in", "most end in /v1", "HTTP_PROXY"]),
    "a proxy's page": (html(403, "Blocked by Corp"), 1, ["perhaps a proxy (403)", "HTTP_PROXY", "Blocked by Corp"]),
    "a proxy's page in bad times": (html(503, "Try later"), 2, ["perhaps a proxy (503)", "Try later"]),
    "a proxy that wants a name": (Answer("Who?", 407), 1, ["NAME:PASSWORD", "(407)", "Who?"]),
    "TLS wanted, nginx": (html(400, "The plain HTTP request was sent to HTTPS port"), 1, ["wants TLS", "https://"]),
    "TLS wanted, Go": (Answer("Client sent an HTTP request to an HTTPS server.", 400), 1, ["wants TLS", "https://"]),
    "br": (Answer(b"\x0b\x02\x80{}\x03", headers={"Content-Encoding": "br"}), 1, ["an encoding", "(br)"]),
    "Gemini's wait": (Answer([{"error": GEMINI}], 429), 1, ["asks to wait 120 s", "check your plan."]),
    "a wait beyond reason": (fake.too_many("1e308")({}), 1, ["asks to wait more than a day"]),
    "an endless wait": (fake.too_many("inf")({}), 1, ["asks to wait more than a day"]),
    "the provider's own words": (Answer({"error": OPENROUTER}, 429), 2, ["too many", "rate-limited upstream"]),
    "FastAPI's words": (Answer({"detail": [{"loc": ["body"], "msg": "Field required"}]}, 422), 1, ["Field required"]),
    **{
        f"redirect {status}": (Answer("", status, {"Location": "http://u:pw@new.example/v1/chat/completions"}), 1, [
            f"elsewhere ({status})", "http://new.example/v1,", "base URL"
        ])
        for status in (301, 302, 303, 307, 308)
    },
}  # fmt: skip


def test_what_the_model_wrote_is_its_reply_where_a_server_calls_it_a_wrong_request(server):
    wrote = '{"name": "search", "arguments": {"query": "Oslo"}}'
    body = {"error": {"message": "Tool choice is none, but model called a tool", "failed_generation": wrote}}
    server.behave = fake.always(Answer(body, 400))
    lm = make(server)
    assert lm([user("hi")])[0].texts == (wrote,) and len(server.requests) == 1
    assert lm.describe()["settings"]["tokens_from"] == "usage"  # of its counting this says nothing


def test_what_one_call_finds_out_holds_for_those_beside_it(server):
    """Some servers take no fewer than 16 tokens, and the calls that they refuse are under way together."""
    together = Barrier(4)

    def behave(body):
        if body["max_tokens"] < 16:
            together.wait(10)
            return fake.error(400, "Invalid 'max_output_tokens': Expected a value >= 16, but got 12 instead.")
        return fake.answering()(body)

    server.behave = behave
    requests = [Request((Message("user", str(i)),), max_tokens=12) for i in range(4)]
    assert len(make(server)(requests)) == 4 and len(server.requests) == 8


def test_a_reply_that_is_told_of_as_an_error_is_a_sample(server):
    """What OpenAI and DashScope say where others send a reply without a text."""
    told = "Could not finish the message because max_tokens or model output limit was reached."
    request = Request((Message("user", "hi"),), n=3, max_tokens=50)
    server.behave = fake.always(fake.error(400, told))
    [reply] = make(server)([request])
    assert {one.finish for one in reply.samples} == {"thinking"} and reply.paid.completion_tokens == 150
    filtered = "<400> DataInspectionFailed: {} data may contain inappropriate content."
    server.behave = fake.always(fake.error(400, filtered.format("Output")))
    assert {one.finish for one in make(server)([request])[0].samples} == {"content_filter"}
    assert len(server.requests) == 2
    codes = ({"message": "Flagged.", "code": "invalid_prompt"}, {"message": "No.", "code": "content_filter"})
    for words in ({"message": filtered.format("Input")}, *codes):
        server.behave = fake.always(Answer({"error": words}, 400))  # one prompt of many ends no search
        assert make(server)([request])[0].samples[0].finish == "content_filter"


def test_what_broke_the_form_that_was_asked_for_is_asked_for_again(server):
    refused = Answer({"error": {"code": "json_validate_failed", "failed_generation": "{"}}, 400)
    server.behave = fake.when(lambda body: len(server.requests) < 2, fake.always(refused), fake.answering())
    asked = Request((Message("user", "hi"),), schema='{"type": "object"}')
    make(server)([asked])
    first, second = (body["seed"] for body in server.requests)
    server.behave = fake.always(refused)  # at last, what it wrote is its reply
    assert make(server, retries=1)([asked])[0].texts == ("{",)
    assert first != second, "the same seed would give the same"


@pytest.mark.parametrize("name", ROWS)
def test_the_servers_own_words_and_what_to_do(server, name):
    answer, asked, words = ROWS[name]
    server.behave = fake.always(answer)
    text = fails(make(server, retries=1))
    assert all(word in text for word in words) and "pw" not in text, text
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(404, "Not Found"),
        Answer({"detail": "Not Found"}, 404),
        Answer("404 page not found", 404),
        Answer({"error": "Unexpected endpoint or method. (POST /chat/completions)"}),
        Answer("<html>Ollama is running"),
    ],
)
def test_a_base_url_without_v1_is_told_where_the_api_may_be(server, answer):
    server.behave = fake.always(answer)
    bare = server.url.removesuffix("/v1")
    text = fails(make(server, base_url=bare))
    assert f"try {bare}/v1" in text and len(server.requests) == 1
    assert f"try {server.url}" not in fails(make(server))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_users_own_client_follows_no_redirect_either(server, status):
    import openai

    server.behave = fake.always(Answer("", status, {"Location": server.url + "/elsewhere"}))
    assert f"({status})" in fails(OpenAI("fake", client=openai.OpenAI(api_key="x", base_url=server.url)))
    assert server.paths == ["/v1/chat/completions"]


def test_gemini_is_waited_for(server):
    soon = GEMINI | {"details": [{"retryDelay": "0.2s"}]}
    server.behave = fake.first(1, fake.always(Answer([{"error": soon}], 429)), fake.answering())
    began = time.monotonic()
    make(server)([user("hi")])
    assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize(
    ("charset", "named"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-8-sig", "utf-8"),
        ("utf-16", ""),
        ("utf-16", "utf-16"),
        ("latin-1", "ISO-8859-1"),
        ("cp1252", '"windows-1252"'),
        ("gb18030", "gb18030"),
        ("utf-8", "us-ascii"),
        ("utf-8", "idna"),
        ("utf-8", "utf-nonsense"),
    ],
)
def test_a_reply_is_decoded_as_its_header_says_and_a_mark_is_skipped(server, charset, named):
    body = json.dumps(fake.completion(["für 3 × 8"]), ensure_ascii=False).encode(charset)
    kind = f"application/json; charset={named}" if named else "application/json"
    server.behave = fake.always(Answer(body, headers={"Content-Type": kind}))
    assert make(server)([user("hi")])[0].texts == ("für 3 × 8",)


@pytest.mark.parametrize(
    "proxy", ["http://h:99999", "http://h:-1", "http://h:port", "h:99999", "http://[::1", "http://:1"]
)
def test_a_bad_port_of_a_proxy_is_one_sentence(monkeypatch, proxy):
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", proxy)
    began = time.monotonic()
    assert "HTTP_PROXY" in fails(OpenAI("fake", base_url="http://models.invalid/v1", api_key="x"))
    assert time.monotonic() - began < 60
