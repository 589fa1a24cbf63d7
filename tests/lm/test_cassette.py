"""Cassettes: identity of a sample, exact replay, recording that survives kills, full disks and foreign files."""

import errno
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from growth import grows_in_step

from tot import LM, Budget, Cassette, LMError, Message, Request, Sample, Scripted, Usage, user
from tot.jsonlines import Appender, FileTrouble, read_lines
from tot.lm.base import request_key
from tot.lm.cassette import _bill
from tot.lm.checking import check
from tot.lm.tape import Recorded, Tape, line_sum

pytestmark = pytest.mark.filterwarnings("error")


def talk(request, i):
    """A model that says something else for each request and index."""
    return f"{request.messages[-1].content} {request.temperature} {i}"


def live(name="m", **more):
    return Scripted(talk, name=name, **more)


class Counting(Scripted):
    """Remembers how many samples it was asked for."""

    @property
    def samples(self):
        return sum(request.n for request in self.requests)


def record(path, requests, lm=None, **more):
    with Cassette(path, lm or live(), **more) as cassette:
        return cassette(requests)


def lines(path):
    return [line for _, line in read_lines(path)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "c.jsonl"


# ---------------------------------------------------------------- identity


def test_a_recording_of_a_recording_bills_what_was_paid(tmp_path):
    with Cassette(tmp_path / "inner.jsonl", Scripted(["4", "5"])) as inner:
        assert inner([user("x", n=2)])[0].paid.calls == 1
        with Cassette(tmp_path / "outer.jsonl", inner) as outer:
            for lm in (inner, Cassette(None, inner), outer):
                [reply] = lm([user("x", n=2)])
                assert reply.texts == ("4", "5") and reply.asked.samples == 2 and not reply.paid.calls


def test_identity_is_what_the_provider_sees():
    base = user("a", temperature=1, max_tokens=5, stop=("x",), top_p=1)
    assert base.key("m") == user("a", temperature=1.0, max_tokens=5, stop=("x",), top_p=1.0).key("m")
    assert base.key("m") == replace(base, n=7).key("m") == replace(base, first=3).key("m")
    others = [
        replace(base, messages=(Message("system", "a"),)),
        replace(base, messages=(Message("user", "a "),)),
        replace(base, messages=(*base.messages, *base.messages)),
        replace(base, temperature=0.7),
        replace(base, temperature=None),
        replace(base, max_tokens=None),
        replace(base, stop=()),
        replace(base, stop=("y",)),
        replace(base, top_p=None),
    ]
    assert len({r.key("m") for r in (base, *others)} | {base.key("n")}) == len(others) + 2
    assert user("a", temperature=None).params == {} and user("a").params == {"temperature": 0.7}
    assert re.fullmatch("[0-9a-f]{16}", base.key("m"))


def test_the_key_of_a_known_request_never_changes():
    """Every recording in the world depends on it."""
    assert user("Hello", temperature=1, max_tokens=5).key("m") == "bf0a881b9fdc0a90"
    assert user("\ud800é\n", temperature=None).key("m/2") == "950dbd831a48dbec"


@pytest.mark.parametrize("bad", [{"n": 0}, {"n": -1}, {"first": -1}])
def test_a_request_for_no_samples_is_refused(bad):
    with pytest.raises(ValueError, match="n >= 1 and first >= 0"):
        user("a", **bad)


# ---------------------------------------------------------------- record and replay


def test_replay_equals_record_in_any_order_and_under_any_concurrency(path):
    requests = [user(f"q{i % 10}", n=1 + i % 4, first=i % 3, temperature=i % 2) for i in range(60)]
    recorded = dict(zip(requests, record(path, requests), strict=True))
    replaying = Cassette(path)
    assert replaying.name == "m"
    for request in random.Random(1).sample(requests, len(requests)):
        [reply] = replaying([request])
        assert reply.samples == recorded[request].samples and reply.asked == recorded[request].asked
        assert reply.paid == Usage()
    assert [r.samples for r in replaying(requests)] == [recorded[r].samples for r in requests]
    wrong = []

    def reader(seed):
        for request in random.Random(seed).sample(requests, len(requests)):
            if replaying([request])[0].samples != recorded[request].samples:
                wrong.append(request)

    threads = [threading.Thread(target=reader, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_five_after_three_fetches_two(path):
    lm = Counting(talk, name="m")
    record(path, [user("a", n=3)], lm)
    with Cassette(path, lm) as cassette:
        [reply] = cassette([user("a", n=5)])
    assert lm.requests == [user("a", n=3), user("a", n=2, first=3)]
    assert reply.texts == tuple(f"a 0.7 {i}" for i in range(5))
    assert reply.asked == Usage(1, 5, 1, 15) and reply.paid == Usage(1, 2, 1, 6)
    assert Cassette(path)([user("a", n=5)])[0] == replace(reply, paid=Usage())


def test_gaps_are_fetched_as_runs_and_equal_requests_once(path):
    lm = Counting(talk, name="m")
    with Cassette(path, lm) as cassette:
        cassette([user("a", first=2), user("a", first=4)])
        one, two = cassette([user("a", n=7), user("a", n=7)])
    assert lm.requests[2:] == [user("a", n=2), user("a", first=3), user("a", n=2, first=5)]
    assert one.samples == two.samples and one.asked == two.asked
    assert one.paid.samples == 5 and two.paid == Usage()  # the first pays


@pytest.mark.parametrize("values", [(1, 1.0), (1.0, 1)])
def test_1_and_1_0_in_an_option_are_one_request(path, values):
    first, second = (user("a", options=json.dumps({"top_k": value, "b": [{"c": value}]})) for value in values)
    record(path, [first])
    assert Cassette(path)([second])[0].texts == Cassette(path)([first])[0].texts
    assert user("a", options='{"b": 1.5, "c": true, "d": 1e300}').params["options"] == {"b": 1.5, "c": True, "d": 1e300}


@pytest.mark.parametrize("values", [(1.0,), (1, 1.0), (1.0, 1)])
def test_1_0_in_an_option_as_an_older_version_recorded_it_is_found(path, values):
    asked = [user("a", options=json.dumps({"top_k": value})) for value in values]
    record(path, [user("a", options='{"top_k": 1}')])
    *head, sample = lines(path)
    for value in values:
        params = {**sample["params"], "options": {"top_k": value}}
        key = request_key(sample["model"], [["user", "a"]], params)
        head.append({**sample, "key": key, "params": params, "text": f"of {value}"})
        head[-1]["sum"] = line_sum(head[-1])
    path.write_text("".join(json.dumps(line) + "\n" for line in head))
    assert check(path) == []
    told = {Cassette(path)([one])[0].texts for one in asked}
    assert told == {(f"of {min(values, key=lambda value: type(value) is float)}",)}


def test_replay_is_silent_about_a_recorded_price_of_nothing_and_exact_about_one(path):
    lm = live()
    lm.price = (2.0, 10.0)  # dollars per million tokens
    with Cassette(path, lm) as cassette:
        [reply] = cassette([user("a b c", n=2)])
    dollars = (3 * 2.0 + 2 * 5 * 10.0) / 1e6
    assert reply.asked == reply.paid and reply.asked.dollars == pytest.approx(dollars)
    assert Cassette(path)([user("a b c", n=2)])[0].asked == reply.asked
    assert lines(path)[0]["dollars_per_million_tokens"] == {"input": 2.0, "output": 10.0}
    record(path, [user("d")])  # a session without a price: it is the same model
    assert Cassette(path)([user("d")])[0].asked.dollars == pytest.approx((2.0 + 3 * 10.0) / 1e6)


def test_a_budget_in_dollars_stops_a_recording(path):
    from tot import Node, State, bfs, constant, generator, run
    from tot.lm import open as open_lm
    from tot.parse import Read
    from tot.state import Thought

    def chain():
        read = lambda state, text: [Read(Thought(text))]  # noqa: E731
        generate = generator(lambda s: user(f"{s.x} {len(s.thoughts)}"), read)
        return bfs(Node(State("x")), generate, constant, depth=50, breadth=1)

    lm = live()
    lm.price = (0.0, 1e6)  # a dollar for each token
    with Cassette(path, lm) as cassette:
        result = run(chain(), cassette, budget=Budget(dollars=10))
    assert result.stopped == "dollars" and result.ledger.total.dollars == result.ledger.total_paid.dollars == 12
    again = run(chain(), Cassette(path), budget=Budget(dollars=10))
    assert again.stopped == "dollars" and again.trace.to_json() == result.trace.to_json()
    with Cassette(other := path.with_name("b.jsonl"), live(), settings={"base_url_host": "loopback"}) as cassette:
        run(chain(), cassette)
    table = {cassette.name: {"input": 0, "output": 1e6}}
    assert run(chain(), open_lm(cassette=other, prices=table), budget=Budget(dollars=10)).stopped == "dollars"
    with pytest.raises(ValueError, match="a budget in dollars needs a price"):
        run(chain(), Cassette(other), budget=Budget(dollars=10))


def test_a_replay_needs_the_price_of_a_servers_model_that_a_table_lacks(path):
    """Live it is refused as well; a total without it would be too low."""
    table = {"another": {"input": 1, "output": 2}}
    with Cassette(path, live(), settings={"base_url_host": "loopback"}) as cassette:
        cassette([user("a")])
    with pytest.raises(LMError, match=f"no price for '{cassette.name}'"):
        Cassette(path, prices=table)
    free, priced, dear = path.with_name("free.jsonl"), path.with_name("priced.jsonl"), live()
    dear.price = (1.0, 2.0)
    for file, lm, about in ((free, live(), {}), (priced, dear, {"base_url_host": "loopback"})):
        with Cassette(file, lm, settings=about) as cassette:
            cassette([user("a")])
        assert Cassette(file, prices=table)([user("a")])[0].texts


def test_several_models_live_in_one_cassette(path):
    record(path, [user("a")], live("m"))
    record(path, [user("a")], Scripted(lambda r, i: "other", name="n"))
    with pytest.raises(FileTrouble, match=r"holds 2 models \(m, n\): pass one as model="):
        Cassette(path)
    assert Cassette(path, model="m")([user("a")])[0].texts == ("a 0.7 0",)
    assert Cassette(path, model="n")([user("a")])[0].texts == ("other",)
    assert check(path) == []


def test_empty_and_cut_off_replies_are_recorded(path):
    answers = [Sample("", "stop", 1), Sample("cut", "length", 9), Sample("", "content_filter", 1)]
    record(path, [user("a", n=3)], Scripted(answers, name="m"))
    assert Cassette(path)([user("a", n=3)])[0].samples == tuple(answers)


TEXTS = {
    "half a pair": "\ud800",
    "backslash": "\\\udfff",
    "two halves": "\ud83d\ude00",
    "controls": "\0\x1b[31m\u2028\x85\r\n\"'\\",
    "plain": "é 😀 ＝",
    "megabyte": "x" * 1_000_000,
    "newlines": "\n" * 1_000_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_survives(path, text):
    request = Request((Message("user", text),))
    [recorded] = record(path, [request], Scripted([text], name="m"))
    assert Cassette(path)([request])[0].samples == recorded.samples
    if text != "\ud83d\ude00":  # two halves of one character become that character, in the recording too
        assert recorded.texts == (text,) and check(path) == []


def test_the_file_is_readable_and_holds_each_message_once(path):
    requests = [Request((Message("system", "shared"), Message("user", u)), n=2, max_tokens=9) for u in ("one", "two")]
    record(path, requests, weights="ab" * 32, settings={"server": "here", "model": "another", "schema": "v2"})
    session, *rest = lines(path)
    assert session == {
        "type": "session",
        "schema": 1,
        "id": "s1",
        "model": "m",
        "weights_sha256": "ab" * 32,
        "date": session["date"],
        "server": "here",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", session["date"])
    assert [line["content"] for line in rest if line["type"] == "message"] == ["shared", "one", "two"]
    samples = [line for line in rest if line["type"] == "sample"]
    assert [(line["index"], line["text"], line["call"], line["session"]) for line in samples] == [
        (0, "one 0.7 0", "c1", "s1"),
        (1, "one 0.7 1", "c1", "s1"),
        (0, "two 0.7 0", "c2", "s1"),
        (1, "two 0.7 1", "c2", "s1"),
    ]
    assert samples[0]["key"] == requests[0].key("m") and samples[0]["params"] == {"temperature": 0.7, "max_tokens": 9}
    assert {"finish", "prompt_tokens", "completion_tokens", "latency_ms", "model", "messages"} <= samples[0].keys()


def test_a_session_is_described_by_the_model_and_only_when_something_is_recorded(path):
    lm = live()
    lm.describe = lambda: {"server": "llama", "model": "impostor", "schema": 9}
    record(path, [user("a")], lm)
    before = path.read_bytes()
    record(path, [user("a")], lm)
    assert path.read_bytes() == before
    assert lines(path)[0]["server"] == "llama" and lines(path)[0]["model"] == "m" and lines(path)[0]["schema"] == 1
    record(path, [user("b")], lm)
    assert [line["id"] for line in lines(path) if line["type"] == "session"] == ["s1", "s2"]


def test_a_recording_goes_on_where_the_lines_of_an_earlier_session_were_taken_out(path):
    for prompt in ("a", "b"):
        record(path, [user(prompt)], live())
    left = [line for line in lines(path) if "s1" not in (line.get("id"), line.get("session"))]
    path.write_text("".join(json.dumps(line) + "\n" for line in left))
    assert record(path, [user("c")], live()) and check(path) == []
    assert [line["id"] for line in lines(path) if line["type"] == "session"] == ["s2", "s1"]


def test_nothing_that_was_paid_waits_for_what_a_server_says_of_itself(path):
    order = []
    lm = Scripted(lambda r, i: order.append("paid") or "a", "m")
    lm.describe = lambda: {} if "paid" in order else order.append("asked about itself") or {}
    record(path, [user("a"), user("b")], lm)
    assert order == ["asked about itself", "paid", "paid"]


def test_no_key_no_header_and_no_address_in_the_file(path, monkeypatch):
    from tot.lm.openai import OpenAI

    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-key")
    lm = OpenAI("gpt", base_url="http://someone:password@127.0.0.1:9/v1?token=abc")
    monkeypatch.setattr(OpenAI, "__call__", lambda self, requests, on_reply: live()(requests, on_reply))
    record(path, [user("a")], lm)
    text = path.read_text()
    kept = ["sk-", "secret", "password", "someone", "token=", "uthorization", "Bearer", "://", "127.0.0.1", ":9"]
    for secret in kept:
        assert secret not in text, secret


# ---------------------------------------------------------------- replay only reads


OPENED = []  # (path, mode, flags) while a test listens
LISTEN = threading.Event()
sys.addaudithook(lambda event, args: OPENED.append(args) if event == "open" and LISTEN.is_set() else None)


def test_replay_opens_for_reading_only_and_works_on_a_read_only_disk(path):
    record(path, [user("a", n=2)])
    before, stat = path.read_bytes(), path.stat()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    OPENED.clear()
    LISTEN.set()
    try:
        cassette = Cassette(path)
        cassette([user("a", n=2)])
        with pytest.raises(LMError):
            cassette([user("b")])
        assert check(path) == []
    finally:
        LISTEN.clear()
        path.parent.chmod(0o755)
    assert any(str(name) == str(path) for name, _, _ in OPENED)
    assert not [args for args in OPENED if args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)]
    assert path.read_bytes() == before and path.stat().st_mtime_ns == stat.st_mtime_ns
    assert os.listdir(path.parent) == [path.name]


def test_a_recording_can_be_replayed_while_it_is_made(path):
    with Cassette(path, live()) as recording:
        recording([user("a")])
        assert Cassette(path)([user("a")])[0].texts == ("a 0.7 0",)


def test_a_miss_names_the_nearest_request_the_first_difference_and_the_command(path):
    two = [user("far away"), Request((Message("system", "be brief"), Message("user", "line one\nline two")))]
    record(path, two)
    cassette = Cassette(path, how="run `make record CHAPTER=06`")
    with pytest.raises(LMError) as caught:
        cassette([user("far away"), Request((Message("system", "be brief"), Message("user", "line one\nline 2")), n=2)])
    assert str(caught.value) == (
        "sample 0 of a request is not in c.jsonl: the nearest recorded request has 'user: line two' where this one has"
        " 'user: line 2'. To record it, run `make record CHAPTER=06`"
    )
    for request, words in (
        (user("far away", n=3), "sample 1 of .* recorded, but not with this sample index"),
        (user("far away", temperature=0.8), """has 'params: {"temperature": 0.7}' where this one has 'params: {"""),
        (user("far away\nand more"), r"has '\(end\)' where this one has 'user: and more'"),
        (Request(two[1].messages[:1]), r"has 'user: line one' where this one has '\(end\)'"),
    ):
        with pytest.raises(LMError, match=words):
            cassette([request])
    with pytest.raises(LMError, match="has 'model: m' where this one has 'model: n'"):
        Cassette(path, model="n")([user("far away")])
    with pytest.raises(LMError) as caught:
        cassette([user("x" * 1_000_000)])
    assert len(str(caught.value)) < 600


def test_a_request_that_is_recorded_is_nearer_than_another_of_the_same_words(path):
    record(path, [user("away far"), user("far away")])
    with pytest.raises(LMError, match="recorded, but not with this sample index"):
        Cassette(path)([user("far away", n=3)])


def test_a_miss_takes_as_long_as_the_cassette_is_large(tmp_path):
    def miss(prompts):
        record(
            path := tmp_path / f"{prompts}.jsonl",
            [user("\n".join(f"{i} {j}" for j in range(20))) for i in range(prompts)],
        )
        cassette, request = Cassette(path), user("\n".join(f"7 {j}" for j in range(19)))

        def ask():
            with pytest.raises(LMError, match="nearest"):
                cassette([request])

        return ask

    grows_in_step(miss(500), miss(2000))


# ---------------------------------------------------------------- recording under trouble


def test_samples_are_written_as_they_arrive_and_stay_when_the_model_fails(path):
    seen = []

    def half(requests, on_reply):
        for request in requests[:2]:
            on_reply(request, live()([request])[0])
            seen.append(path.read_bytes().count(b'"type": "sample"'))
        raise LMError("rate limited for ever: wait")

    half.name, half.batched = "m", False
    with Cassette(path, half) as cassette, pytest.raises(LMError, match="rate limited"):
        cassette([user("a"), user("b"), user("c")])
    assert seen == [1, 2]
    lm = Counting(talk, name="m")
    record(path, [user("a"), user("b"), user("c")], lm)
    assert lm.requests == [user("c")]  # an exhausted retry was not recorded, what had arrived was


def test_a_reply_that_comes_after_its_caller_left_and_asked_again_spoils_nothing(path):
    class Left(Scripted):
        late = None

        def __call__(self, requests, on_reply=None):
            if self.late is None:
                [self.late] = [lambda: on_reply(requests[0], super(Left, self).__call__(requests)[0])]
                raise LMError("interrupted")
            replies = super().__call__(requests, on_reply)
            self.late()
            return replies

    with Cassette(path, Left(["first", "second"])) as cassette:
        with pytest.raises(LMError, match="interrupted"):
            cassette([user("a")])
        assert cassette([user("a")])[0].texts == ("first",)
    assert check(path) == [] and Cassette(path)([user("a")])[0].texts == ("first",)


@pytest.mark.parametrize("odd", [Sample("a", completion_tokens=0.5), Sample(None), Sample("a", logprob=0.01)])
def test_a_sample_that_no_recording_may_hold_is_refused_and_spoils_nothing(path, odd):
    class Careless(Scripted):
        def __call__(self, requests, on_reply=None):
            [reply] = super().__call__(requests)
            if requests[0].messages[0].content == "odd" and len(self.requests) == 2:
                reply = replace(reply, samples=(odd,))
            on_reply(requests[0], reply)
            return [reply]

    with Cassette(path, Careless(talk)) as cassette:
        cassette([user("fine")])
        with pytest.raises(LMError, match="cannot be recorded"):
            cassette([user("odd")])
        cassette([user("odd")])
    assert check(path) == [] and len(Cassette(path).tape.samples) == 2


def test_a_function_is_recorded_sample_by_sample(path):
    answers = iter(["one", "two", OSError("429")])

    def ask(prompt):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with Cassette(path, ask) as cassette, pytest.raises(LMError, match="429") as failed:
        cassette([user("a", n=4)])
    assert len(Cassette(path).tape.samples) == failed.value.paid.calls == 2


def test_what_was_recorded_before_there_was_a_price_costs_what_it_would_now(path):
    with Cassette(path, live()) as cassette:
        cassette([user("a")])
    dear = live()
    dear.price, dear.unpriced = (1e6, 1e6), False
    with Cassette(path, dear) as cassette:
        old, new = cassette([user("a")])[0], cassette([user("b")])[0]
    assert old.asked.dollars == new.asked.dollars > 0 and old.paid.dollars == 0
    dear.price = (3e6, 3e6)
    for again in (Cassette(path), Cassette(path, dear)):  # a budget stops where it did
        with again:
            assert again([user("a")])[0].asked.dollars == old.asked.dollars


def test_what_the_model_never_said_is_not_recorded(path):
    with Cassette(path, Scripted([], name="m")) as cassette, pytest.raises(LMError, match="answers left"):
        cassette([user("a")])
    assert path.read_bytes() == b""
    with pytest.raises(FileTrouble, match="holds no recording: to make one, "):
        Cassette(path)
    assert check(path) == [f"{path} holds no samples"]


def test_a_model_that_forgets_on_reply_is_not_asked_for_ever(path):
    def forgetful(requests, on_reply=None):
        return live()(requests[:1])

    forgetful.name = "m"
    with Cassette(path, forgetful) as cassette:
        [reply] = cassette([user("a")])
        with pytest.raises(LMError, match="m did not pass sample 0 of a request to"):
            cassette([user("b"), user("c")])
    assert Cassette(path)([user("a")])[0].samples == reply.samples  # what it returns is kept all the same
    assert Cassette(path)([user("b")])


def test_ctrl_c_while_a_round_is_looked_through_leaves_nothing_that_the_next_call_waits_for(tmp_path, monkeypatch):
    with Cassette(tmp_path / "c.jsonl", Scripted(["a", "b"])) as lm:

        def parts(*given):
            raise KeyboardInterrupt

        with monkeypatch.context() as interrupted, pytest.raises(KeyboardInterrupt):
            interrupted.setattr("tot.lm.cassette._parts", parts)
            lm([user("x")])
        assert not lm._fetching and lm([user("x")])[0].texts == ("a",)


@pytest.mark.parametrize("place", [2, 3, 4])
def test_ctrl_c_as_a_model_is_asked_leaves_nobody_unwanted(tmp_path, place):
    seen = []

    def trace(frame, event, _):
        if frame.f_code.co_name == "fetch" and frame.f_code.co_filename.endswith("cassette.py"):
            seen.append(event) if event == "line" else None
            if len(seen) == place:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace
        return None

    wanted = LM.WANTED.get()
    with Cassette(tmp_path / "c.jsonl", Scripted(["a"])) as lm:
        with pytest.raises(KeyboardInterrupt):
            try:
                sys.settrace(trace)
                lm([user("x")])
            finally:
                sys.settrace(None)
        assert LM.WANTED.get() is wanted and not lm._fetching


def test_what_is_computed_in_this_program_is_asked_in_the_thread_of_its_caller(path):
    """Where its database, its signals and its thread-locals are; and it may tell all and return nothing."""
    seen = set[str]()

    def mine(requests, on_reply=None):
        seen.add(threading.current_thread().name)
        live()(requests, on_reply)

    mine.name = "m"
    with Cassette(path, mine) as cassette:
        assert len(cassette([user("a", n=2)])[0].samples) == 2
    assert seen == {"MainThread"}


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
@pytest.mark.parametrize("own", [{"source": "5e12" * 2}, {"price": (1.0, 1.0)}])
def test_ctrl_c_in_a_direct_call_keeps_what_is_paid(path, own):
    def slow(requests, on_reply=None):
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        threading.Event().wait(0.6)  # as a server
        return live()(requests, on_reply)

    slow.__dict__.update({"name": "m"} | own)
    told = pytest.warns(UserWarning, match="calls in flight are waited for")
    with pytest.raises(KeyboardInterrupt), told, Cassette(path, slow) as cassette:
        cassette([user("a", n=2)])
    assert len(Tape(path).samples) == 2


def test_a_program_that_ends_without_closing_its_recording_waits_for_calls_in_flight(path):
    code = (
        "import sys, threading, time\nfrom tot import Cassette, Scripted, user\n"
        "lm = Cassette(sys.argv[1], Scripted(lambda request, i: time.sleep(0.8) or 'late', name='m'))\n"
        "threading.Thread(target=lm, args=([user('a')],), daemon=True).start()\ntime.sleep(0.2)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60)
    assert "calls in flight are waited for" in ended.stderr and len(Tape(path).samples) == 1


def test_a_recording_that_is_being_closed_asks_nothing_more(path):
    asked, begun = [], threading.Event()

    def slow(requests, on_reply=None):
        asked.append(1)
        begun.set()
        threading.Event().wait(0.3)
        return live()(requests, on_reply)

    def many(cassette):
        with suppress(FileTrouble):
            for text in "abcdef":
                cassette([user(text)])

    slow.name = "m"
    with pytest.warns(UserWarning, match="nothing more is asked"), Cassette(path, slow) as cassette:
        (thread := threading.Thread(target=many, args=[cassette])).start()
        begun.wait()
    thread.join()
    assert len(asked) == len(Tape(path).samples) == 1


def test_a_program_that_ends_without_closing_its_recording_saves_what_was_taken_away(path):
    code = (
        "import sys\nfrom tot import Cassette, Scripted, user\n"
        "lm = Cassette(sys.argv[1], Scripted(lambda request, i: 'kept', name='m'))\n"
        "lm([user('a')])\nlm.path.unlink()"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, timeout=60)
    assert len(Tape(next(path.parent.glob("*.saved*"))).samples) == 1


RECORDER = """
import sys, time
from tot import Cassette, Scripted, user
def say(request, i):
    if request.messages[0].content == "q30":
        print("ready", flush=True)
        time.sleep(600)
    return f"{request.messages[0].content} {i}" + "x" * 2000
with Cassette(sys.argv[1], Scripted(say, name="m")) as cassette:
    for i in range(100):
        cassette([user(f"q{i}", n=2)])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_a_killed_recording_loses_only_what_is_in_flight_and_resumes(path):
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", RECORDER, path], stdout=subprocess.PIPE, cwd=root) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            with pytest.raises(FileTrouble, match="is being written by another run: wait for it, or choose another"):
                Cassette(path, live())  # locked out, also from here
        finally:
            process.kill()
    replaying = Cassette(path)
    for i in range(30):
        assert [t.rstrip("x") for t in replaying([user(f"q{i}", n=2)])[0].texts] == [f"q{i} 0", f"q{i} 1"]
    with pytest.raises(LMError, match="is not in c.jsonl"):
        replaying([user("q30")])
    lm = Counting(talk, name="m")
    record(path, [user(f"q{i}", n=2) for i in range(40)], lm)
    assert lm.requests == [user(f"q{i}", n=2) for i in range(30, 40)]
    assert check(path) == []


def test_a_torn_last_line_is_ignored_by_replay_and_cut_by_the_next_write(path):
    record(path, [user("a"), user("b")])
    whole = path.read_bytes()
    kept = whole[: whole.rstrip(b"\n").rfind(b"\n") + 1]
    for cut in (len(kept) + 1, len(kept) + 20, len(whole) - 2):
        path.write_bytes(whole[:cut])
        assert Cassette(path)([user("a")])[0].texts == ("a 0.7 0",)
        with pytest.raises(LMError):
            Cassette(path)([user("b")])
        Cassette(path, live()).close()
        assert path.read_bytes() == whole[:cut]  # opening changes nothing
        record(path, [user("b")])
        assert path.read_bytes().startswith(kept) and check(path) == []
        assert Cassette(path)([user("b")])[0].texts == ("b 0.7 0",)


def test_a_last_line_that_lacks_only_its_newline_is_whole(path):
    record(path, [user("a")])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert Cassette(path)([user("a")])[0].texts == ("a 0.7 0",)
    record(path, [user("a"), user("b")])
    assert path.read_bytes().startswith(whole) and len(Tape(path).samples) == 2 and check(path) == []


def test_an_editor_may_put_a_mark_at_the_front(path):
    record(path, [user("a")])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    record(path, [user("b")])
    assert Cassette(path)([user("a"), user("b")]) and check(path) == []


def test_what_a_power_cut_leaves_at_the_end_is_cut_off(path):
    record(path, [user("a")])
    path.write_bytes(path.read_bytes() + bytes(300))
    record(path, [user("b")])
    assert Cassette(path)([user("a"), user("b")]) and check(path) == [] and b"\0" not in path.read_bytes()


def test_a_cut_anywhere_never_breaks_the_file(path):
    record(path, [user("a", n=2), user("b")], weights="w")
    whole = path.read_bytes()
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        record(path, [user("a", n=2), user("b")], weights="w")
        assert Cassette(path)([user("a", n=2), user("b")])[0].texts == ("a 0.7 0", "a 0.7 1")


def test_a_second_writer_is_locked_out_until_the_first_closes(path):
    with Cassette(path, live()) as first:
        first([user("a")])
        with pytest.raises(FileTrouble, match="is being written by another run"):
            Cassette(path, live())
    record(path, [user("b")])
    assert len(Tape(path).samples) == 2


def test_other_weights_are_refused(path):
    record(path, [user("a")], weights="aa")
    for weights in ("bb", ""):
        with pytest.raises(
            FileTrouble, match=r"was recorded with other weights of m \(aa, now (bb|unknown)\): record in"
        ):
            Cassette(path, live(), weights=weights)
    record(path, [user("b")], weights="aa")  # the refused ones hold no lock
    record(path, [user("b")], live("n"), weights="bb")  # another model is another matter
    assert Cassette(path, model="n").name == "n"


class Gate(Counting):
    """Waits for ``open`` before it answers; says when it has been entered."""

    def __init__(self, *args, fail=False, **more):
        super().__init__(*args, **more)
        self.entered, self.open, self.fail = threading.Event(), threading.Event(), fail

    def __call__(self, requests, on_reply=None):
        if not self.entered.is_set():
            self.entered.set()
            assert self.open.wait(60)
            if self.fail:
                raise LMError("no luck")
        return super().__call__(requests, on_reply)


def in_thread(cassette, requests, outcomes):
    def work():
        try:
            outcomes.append(cassette(requests))
        except Exception as error:
            outcomes.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_two_threads_that_want_the_same_sample_fetch_it_once_and_pay_once(path):
    lm, outcomes, fetches = Gate(talk, name="m"), [], []
    with Cassette(path, lm) as cassette:
        fetch = cassette._fetch
        cassette._fetch = lambda *args: fetches.append(args) or fetch(*args)
        one = in_thread(cassette, [user("a", n=2)], outcomes)
        assert lm.entered.wait(60)
        two = in_thread(cassette, [user("b"), user("a", n=3)], outcomes)
        two.join(0.3)
        assert two.is_alive()
        lm.open.set()
        one.join(60)
        two.join(60)
    assert lm.samples == 4 and len(fetches) == 2  # a0 a1 b0 a2; the second waits, it does not try again and again
    a, b = sorted(outcomes, key=len)
    assert b[1].texts[:2] == a[0].texts
    assert (a[0].paid.samples, b[0].paid.samples, b[1].paid.samples) == (2, 1, 1)
    assert check(path) == []


def test_parts_of_one_request_pay_for_themselves(path):
    """Two trials of one prompt in one round: the same key, other samples."""
    with Cassette(path, Scripted(talk, name="m")) as cassette:
        trials = cassette([user("a", n=2), user("a", n=3, first=2), user("a", n=4, first=3)])
    assert [reply.paid.samples for reply in trials] == [2, 3, 2] and [reply.paid.calls for reply in trials] == [1, 1, 1]


def test_a_failing_model_in_one_thread_does_not_hang_another(path):
    lm, outcomes = Gate(talk, name="m", fail=True), []
    with Cassette(path, lm) as cassette:
        one = in_thread(cassette, [user("a")], outcomes)
        assert lm.entered.wait(60)
        two = in_thread(cassette, [user("a")], outcomes)
        two.join(0.2)
        lm.open.set()
        one.join(60)
        two.join(60)
    assert not one.is_alive() and not two.is_alive()
    assert sorted(type(o).__name__ for o in outcomes) == ["LMError", "list"]
    [[reply]] = [o for o in outcomes if isinstance(o, list)]
    assert reply.texts == ("a 0.7 0",)


def test_what_a_failed_call_cost_stands_beside_what_was_paid_before_it(path):
    """One thread asks in two goes: the sample that another one was fetching did not come."""
    entered, gate, outcomes = threading.Event(), threading.Event(), []

    def says(request, i):
        if request.messages[0].content == "a":
            entered.set()
            assert gate.wait(60)
            failed = LMError("no luck")
            failed.paid = Usage(1, 1, 30, 4)
            raise failed
        return "two words"

    with Cassette(path, Scripted(says, name="m")) as cassette:
        one = in_thread(cassette, [user("a")], [])
        assert entered.wait(60)
        two = in_thread(cassette, [user("b"), user("a")], outcomes)
        two.join(0.2)
        gate.set()
        one.join(60)
        two.join(60)
    assert Cassette(path)([user("b")])[0].texts == ("two words",)
    assert outcomes[0].paid.calls == 2 and outcomes[0].paid.prompt_tokens == 31


def test_many_threads_record_one_sound_file(path):
    lm = Counting(talk, name="m")
    with Cassette(path, lm) as cassette:
        outcomes = []
        wanted = [[user(f"q{(i + j) % 12}", n=1 + (i * j) % 3) for j in range(6)] for i in range(12)]
        threads = [in_thread(cassette, requests, outcomes) for requests in wanted]
        for thread in threads:
            thread.join(60)
    assert all(isinstance(outcome, list) for outcome in outcomes) and len(outcomes) == 12
    tape = Tape(path)
    assert lm.samples == len(tape.samples) == path.read_bytes().count(b'"type": "sample"') and check(path) == []


class FullDisk:
    """A file on a disk with room for ``room`` more bytes."""

    def __init__(self, file, room, truncates=True):
        self.file, self.room, self.truncates = file, room, truncates

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken, self.room = min(self.room, len(data)), max(0, self.room - len(data))
        return self.file.write(data[:taken])

    def truncate(self, size):
        if not self.truncates:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self.file.truncate(size)

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.parametrize("truncates", [True, False])
@pytest.mark.parametrize("room", [0, 40])
def test_a_full_disk_loses_nothing_that_was_there(path, room, truncates, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(path.parent))
    record(path, [user("a")])
    before = path.read_bytes()
    told = pytest.warns(UserWarning, match="3 lines that .* lacks: kept in") if truncates or not room else nullcontext()
    with told, Cassette(path, live()) as cassette:
        cassette._writer._file = FullDisk(cassette._writer._file, room, truncates)
        with pytest.raises(
            FileTrouble, match="cannot write .*(No space|full).*; free some space and run the same comm"
        ):
            cassette([user("a"), user("b")])
    if truncates:
        assert path.read_bytes() == before
    assert Cassette(path)([user("a")])[0].texts == ("a 0.7 0",)
    record(path, [user("b")])
    assert check(path) == [] and len(Tape(path).samples) == 2


@pytest.mark.parametrize("frees", [True, False])
def test_after_a_write_that_failed_nothing_is_paid_until_what_is_owed_is_written(path, frees):
    lm = Counting(talk, name="m")
    with Cassette(path, lm) as cassette:
        file = cassette._writer._file
        cassette._writer._file = FullDisk(file, 40)  # a quota: the disk itself has room
        for asked in "abb":
            with pytest.raises(FileTrouble, match="free some space"):
                cassette([user(asked)])
        with pytest.raises(FileTrouble):  # of a call that was in flight
            cassette.record(user("c"), live()([user("c")])[0])
        assert lm.requests == [user("a")] and not path.read_bytes()
        cassette._writer._file = file
        if frees:
            assert [each.texts for each in cassette([user("a"), user("b")])] == [("a 0.7 0",), ("b 0.7 0",)]
    assert check(path) == [] and len(Tape(path).samples) == 2 + frees and len(lm.requests) == 1 + frees


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from tot import Cassette, Scripted, user
from tot.jsonlines import FileTrouble
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    with Cassette(sys.argv[1], Scripted(lambda r, i: "x" * 500, name="m")) as cassette:
        for i in range(20):
            cassette([user(f"q{i}")])
except FileTrouble as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit here")
def test_a_disk_that_really_takes_no_more(path):
    root = Path(__file__).parents[2]
    room = {**os.environ, "TMPDIR": str(path.parent)}
    done = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, cwd=root, env=room)
    assert re.search("cannot write .*; free some space and run the same command again", done.stdout), done.stderr
    assert path.stat().st_size <= 3000 and path.read_bytes().endswith(b"\n") and check(path) == []
    assert Cassette(path)([user("q0")])[0].texts == ("x" * 500,)
    elsewhere = Path(re.search("lines? that .* lacks: kept in (.*): append that", done.stderr)[1])
    written = len(Cassette(path).tape.samples)
    path.write_bytes(path.read_bytes() + elsewhere.read_bytes())
    assert check(path) == [] and len(Cassette(path).tape.samples) == written + 1


def test_a_place_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileTrouble, match=r"cannot write .*; choose another file"):
        Cassette(tmp_path / "file" / "c.jsonl", live())
    with pytest.raises(FileTrouble, match="is not a file: choose another one"):
        Cassette(tmp_path, live())
    with pytest.raises(FileTrouble, match="is not a file: choose another one"):
        Cassette(tmp_path)
    if os.path.exists("/dev/full"):
        with pytest.raises(FileTrouble, match="is not a file: choose another one"):
            Cassette("/dev/full", live())

    def denied(self, mode="r", **more):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(FileTrouble, match=r"cannot write .*: Permission denied; choose another file"):
        Cassette(tmp_path / "c.jsonl", live())
    assert os.listdir(tmp_path) == ["file"]


def test_a_missing_cassette_says_how_to_record_it(path):
    with pytest.raises(FileTrouble, match="there is no cassette .*: to record one, run `make record`"):
        Cassette(path, how="run `make record`")
    assert check(path) == [f"there is no file {path}"]


# ---------------------------------------------------------------- files that are not sound


def sample(**changes):
    line = {"type": "sample", "key": "k", "model": "m", "messages": [], "params": {}, "index": 0, "text": "a"}
    line |= {"finish": "stop", "prompt_tokens": 1, "completion_tokens": 1, "session": "s1"} | changes
    return json.dumps(line) + "\n"


GOOD = '{"type": "session", "schema": 1, "id": "s1", "model": "m"}\n'
FOREIGN = {
    "other lines": (b'{"a": 1}\n{"a": 2}\n', "line 1 is not a cassette line .*no 'type'.*is this file a cassette"),
    "other type": (b'{"type": "event"}\n', "line 1 is not a cassette line .*unknown type 'event'"),
    "a list": (b"[1, 2]\n", "line 1 is not a JSON object: the file is damaged there; restore it or delete that line"),
    "text": (b"dear diary\ntoday\n", "line 1 is not a JSON object"),
    "a PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "line 1 is not a JSON object|is not a JSON Lines file"),
    "binary": (bytes(range(256)), "not"),
    "UTF-16": (GOOD.encode("utf-16"), "not"),
    "a document": (b'{\n  "a": 1\n}\n', "line 1 is not a JSON object"),
    "nesting": (b"[" * 100_000 + b"\n", "line 1 is not a JSON object"),
    "corrupt": (GOOD.encode() + b'{"type": "sess\xff\n' + GOOD.encode(), "line 2 is not a JSON object"),
    "the future": (GOOD.replace("1", "2", 1).encode(), r"line 1 .*\(schema 2, this version reads 1\)"),
    "no message": (
        (GOOD + '{"type": "sample", "key": "k", "model": "m", "messages": ["x"], "params": {}}\n').encode(),
        "line 2 .*message x is not in the file before it",
    ),
    "no session": (
        b'{"type": "sample", "key": "k", "model": "m", "messages": [], "params": {}, "session": "s1"}\n',
        "line 1 .*session s1 is not in the file before it",
    ),
    "no text": ((GOOD + sample(text=None)).encode(), "line 2 .*text and finish must be strings, index and tokens"),
    "no index": ((GOOD + sample(index=-1)).encode(), "line 2 .*whole numbers from 0"),
    "no tokens": ((GOOD + sample(completion_tokens=-4)).encode(), "line 2 .*whole numbers from 0"),
    "twice": ((GOOD + sample() + sample(text="b")).encode(), "line 3 .*there twice, with different texts"),
    "twice, cut": ((GOOD + sample() + sample(finish="length")).encode(), "line 3 .*there twice, with different"),
    "no number of a model": (GOOD.replace('"m"', "7").encode(), "line 1 .*the model must be a string"),
    "no price": (
        GOOD.replace("}", ', "dollars_per_million_tokens": {"input": NaN, "output": 1}}').encode(),
        "line 1 .*a price must be a number of dollars",
    ),
    "odd settings": (
        GOOD.replace("}", ', "model_settings": {"temperature": "hot"}}').encode(),
        "line 1 .*temperature needs a number",
    ),
    "no newline": (b"dear diary", "holds no recording|is not a JSON Lines file|holds no samples"),
    "one line of JSON": (b'{"precious": "settings"}', "line 1 is not a cassette line .*no 'type'"),
    "binary tail": (GOOD.encode() + b"\0\1\2\3", "its end is damaged"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_that_is_no_sound_cassette_is_refused_and_left_as_it_is(path, name):
    content, message = FOREIGN[name]
    path.write_bytes(content)
    if name != "binary tail":  # only a writer minds
        with pytest.raises(FileTrouble, match=message):
            Cassette(path)
        assert len(check(path)) == 1 and str(path) in check(path)[0]
    with pytest.raises(FileTrouble, match=message):
        record(path, [user("a")])
    assert path.read_bytes() == content
    with pytest.raises(FileTrouble, match=message):  # and no lock is left behind
        record(path, [user("a")])


def test_check_finds_edits(path):
    record(path, [user("the prompt", n=3), user("another")])
    assert check(path) == []
    path.write_text(path.read_text().replace('the prompt"}', 'the prompts"}'))
    assert check(path) == [f"request {user('the prompt').key('m')}: its key does not fit its content (was it edited?)"]


def test_check_names_failures_of_a_server_that_were_recorded_as_samples(path):
    """As an older version recorded them; what is left without them is sound, and only they are asked again."""
    record(path, [user("a", n=4)])
    session, message, *samples = map(json.loads, path.read_text().splitlines())
    ends = ({"finish": "error"}, {"text": "", "finish": "STOP"}, {"text": "", "finish": "length"})
    for line, odd in zip(samples, ends, strict=False):
        line |= {"prompt_tokens": 0, "completion_tokens": 0} | odd
        line["sum"] = line_sum(line)
    for host, bad in (({}, 0), ({"base_url_host": "x"}, 2)):  # a tool may fail, a model of one's own say nothing
        path.write_text("".join(json.dumps(line) + "\n" for line in (session | host, message, *samples)))
        found = check(path)
        assert len(found) == bad
        assert all("delete that line, and record it again" in each for each in found)
    assert "line 3: sample 0 " in found[0]
    path.write_text("".join(json.dumps(line) + "\n" for line in (session, message, *samples[2:])))
    assert check(path) == []
    lm = Counting(talk, name="m")
    assert len(record(path, [user("a", n=4)], lm)[0].samples) == 4 and lm.samples == 2


# ---------------------------------------------------------------- the file underneath


def test_the_appender_writes_whole_lines_and_takes_a_partial_one_back(tmp_path):
    path = tmp_path / "new" / "folder" / "lines.jsonl"
    with Appender(path) as file:
        file.write({"a": 1}, {"b": "é\ud800"})
        file.write({"c": 3})
    assert lines(path) == [{"a": 1}, {"b": "é\ud800"}, {"c": 3}]
    assert path.read_text().splitlines()[0] == '{"a": 1}' and json.loads(path.read_text().splitlines()[2]) == {"c": 3}
    path.write_bytes(path.read_bytes() + b'{"d": 4')
    assert len(lines(path)) == 3
    with Appender(path) as file:
        file.write({"e": 5})
        file.write({"f": 6})
    assert [list(line) for line in lines(path)] == [["a"], ["b"], ["c"], ["e"], ["f"]]


def test_a_cassette_without_a_line_says_so(path):
    path.touch()
    with pytest.raises(LMError, match="the cassette is empty"):
        Cassette(path, model="m")([user("a")])


def test_cached_input_without_a_price_of_its_own_costs_what_input_costs():
    recorded = [Recorded(Sample("a", "stop", 10), 100, 40, price) for price in ((1.0, 2.0), (1.0, 2.0, 0.5))]
    assert [_bill([one], (0.0, 0.0)).dollars * 1e6 for one in recorded] == pytest.approx([120, 100])


def test_two_recordings_that_were_joined_are_refused(path, tmp_path):
    record(path, [user("a")])
    other = tmp_path / "other.jsonl"
    record(other, [user("a")], Scripted(talk, name="another"))
    path.write_bytes(path.read_bytes() + other.read_bytes())
    with pytest.raises(FileTrouble, match="there twice: were two files joined"):
        Cassette(path)
    assert check(path)


def test_what_is_paid_by_then_has_the_last_of_a_disk(path, monkeypatch):
    def full(request, i):
        monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=99_000))
        return "said"

    with Cassette(path, Scripted(full, "m")) as recorder:
        assert recorder([user("a")])[0].texts == ("said",)
    assert Cassette(path)([user("a")])[0].texts == ("said",)


def test_nothing_is_asked_while_the_disk_is_full(path, monkeypatch):
    lm = Counting(talk, name="m")
    with Cassette(path, lm) as recorder:
        recorder([user("a")])
        monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=0))
        with pytest.raises(FileTrouble, match="disk is full"):
            recorder([user("b")])
        assert lm.requests == [user("a")]
        assert recorder([user("a")])[0].texts == ("a 0.7 0",)  # what is there needs no disk
