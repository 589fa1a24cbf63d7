"""A transport of one's own carries the calls, in one thread and without the ``openai`` package; a page's is one."""

import asyncio
import importlib
import json
import sys
import threading
import time
import types
import urllib.error
import urllib.request

import fake_server as fake
import pytest
from fake_server import FakeServer

from tot import Cassette
from tot.lm.base import LMError, OutOfTime, user
from tot.lm.openai import OpenAI
from tot.lm.transport import HTTPFailure


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """Neither the package nor a second thread."""
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "tot.lm.sdk", raising=False)


class Direct:
    """Answers with ``behave``, a behaviour of the fake server, without any server. ``waits``: what it slept."""

    name = "direct"

    def __init__(self, behave=None):
        self.behave, self.waits, self.bodies = behave or fake.answering(), [], []

    async def post(self, path, body, seconds):
        assert path == "/chat/completions" and seconds > 0
        self.bodies.append(body)
        answer = self.behave(body)
        if answer.cut:
            raise HTTPFailure("broken", "Cut")
        if answer.status >= 400:
            raise HTTPFailure("status", status=answer.status, body=answer.payload, headers=answer.headers)
        return json.dumps(answer.payload)

    async def get(self, path, seconds):
        return '{"data": [{"id": "fake", "owned_by": "tests"}]}', ""

    async def sleep(self, seconds):
        self.waits.append(seconds)
        time.sleep(min(seconds, 0.001))

    def run(self, work):
        return asyncio.run(work)


def test_a_transport_that_is_handed_in_carries_the_calls_and_stays():
    direct = Direct(fake.first(2, fake.dropping(), fake.answering()))
    lm = OpenAI("fake", base_url="http://127.0.0.1:9/v1", transport=direct, max_concurrency=2, backoff=0.001)
    seen = []
    for _ in range(2):  # in another event loop each time
        replies = lm([user(str(i), n=2) for i in range(9)], lambda part, reply: seen.append(reply.texts))
        assert [reply.texts for reply in replies] == [("ok", "ok")] * 9 == seen[-9:]
        lm.close()
    assert len(direct.bodies) == 20 and direct.waits and lm.describe()["settings"]["client"] == "direct"
    assert lm.describe()["server"] == "tests"


def test_waits_go_through_the_transport_and_end_at_the_deadline():
    direct = Direct(fake.too_many("0.02"))
    lm = OpenAI("fake", base_url="http://127.0.0.1:9/v1", transport=direct, retries=2)
    with pytest.raises(LMError, match="429"):
        lm([user("hi")])
    assert len(direct.bodies) == 3 and sum(direct.waits) > 0.02
    with pytest.raises(OutOfTime, match="asked again in 50 s"):
        direct.behave = fake.too_many("50")
        lm([user("hi", deadline=time.monotonic() + 5)])


class JsError(Exception):
    def __init__(self, name):
        self.name = name


class XMLHttpRequest:
    """The browser's, as far as a worker uses it without callbacks."""

    @staticmethod
    def new():
        return XMLHttpRequest()

    def open(self, method, url, later):
        assert not later
        self.asked = urllib.request.Request(url, method=method)

    def setRequestHeader(self, name, value):
        self.asked.add_header(name, value)

    def getResponseHeader(self, name):
        return self.headers.get(name)

    def send(self, data):
        self.asked.data = data.encode() if data else None
        try:
            with urllib.request.urlopen(self.asked, timeout=self.timeout / 1000) as answer:
                self.status, self.headers, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            self.status, self.headers, text = error.code, error.headers, error.read()
        except OSError as error:
            late = isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)
            raise JsError("TimeoutError" if late else "NetworkError") from None
        self.responseText, self.responseURL = text.decode(), self.asked.full_url


class URL:
    @staticmethod
    def new(url, *_):
        return types.SimpleNamespace(href=url, origin=url.partition("/v1")[0], pathname=url)


@pytest.fixture
def page(monkeypatch):
    """``live.network`` as in a page, whose models it carries."""
    js, pyodide, ffi = (types.ModuleType(name) for name in ("js", "pyodide", "pyodide.ffi"))
    js.XMLHttpRequest, js.URL = XMLHttpRequest, URL
    js.location = types.SimpleNamespace(origin="https://book.example", href="https://book.example/")
    ffi.JsException = JsError
    for module in (js, pyodide, ffi):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "live.network", raising=False)
    network = importlib.import_module("live.network")
    monkeypatch.delitem(sys.modules, "live.network")
    monkeypatch.setattr(OpenAI, "carrier", network.Http)
    start, mine = threading.Thread.start, threading.current_thread()

    def at_once(thread):  # as ``live.runner`` starts them; but the server's, which it starts itself
        if threading.current_thread() is not mine:
            return start(thread)
        thread._started.set()
        thread.run()

    monkeypatch.setattr(threading.Thread, "start", at_once)
    return network


@pytest.fixture
def server():
    with FakeServer(models=[{"id": "fake", "owned_by": "tests"}]) as server:
        yield server


def in_a_cell(job):
    """Cells run in the page's event loop, which waits meanwhile."""

    async def cell():
        return job()

    return asyncio.run(cell())


@pytest.mark.treebook
def test_a_page_asks_one_at_a_time_tries_again_and_records(server, page, tmp_path):
    server.behave = fake.first(2, fake.too_many("0.01"), fake.answering())
    lm = OpenAI("fake", base_url=server.url, api_key="sk-page", max_concurrency=2, native_n=False)
    with Cassette(tmp_path / "c.jsonl", lm) as cassette:
        replies = in_a_cell(lambda: cassette([user(str(i), n=2) for i in range(5)]))
    assert [reply.texts for reply in replies] == [("ok", "ok")] * 5
    assert len(server.requests) == 12 and server.peak == 1 and server.headers[0]["authorization"] == "Bearer sk-page"
    assert [reply.samples for reply in Cassette(tmp_path / "c.jsonl")([user("3", n=2)])] == [replies[3].samples]
    assert '"server": "tests"' in (tmp_path / "c.jsonl").read_text(encoding="utf-8")


@pytest.mark.treebook
def test_a_pages_failures_become_the_same_sentences(server, page):
    lm = OpenAI("fake", base_url=server.url, timeout=0.3, backoff=0.001)

    def fails(**more):
        with pytest.raises(LMError) as caught:
            in_a_cell(lambda: lm([user("hi", **more)]))
        return str(caught.value)

    for behave, words in (
        (fake.wrong_key(), "refuses the API key"),
        (fake.html(), "an HTML page"),
        (fake.too_many("3600"), "asks to wait 3600 s"),
        (server.hang, "did not answer within 0.3 s (tried twice)"),
    ):
        server.behave = behave
        assert words in fails()
    server.behave = fake.too_many("50")
    assert "asked again in 50 s" in fails(deadline=time.monotonic() + 5)
    server.close()
    assert "broke 6 times" in fails()
    lm = OpenAI("fake", base_url=server.url)
    said = fails()
    assert "OLLAMA_ORIGINS=https://book.example" in said and "press Try it" in said


@pytest.mark.treebook
def test_an_answer_to_a_page_that_breaks_off_is_asked_again_and_counted(server, page):
    server.behave = fake.first(1, fake.answering(), fake.first(1, fake.dropping(), fake.answering()))
    lm = OpenAI("fake", base_url=server.url, backoff=0.001)
    replies = in_a_cell(lambda: lm([user("1"), user("2")]))
    assert [reply.texts for reply in replies] == [("ok",)] * 2 and len(server.requests) == 3
    assert sum(reply.paid.calls for reply in replies) == 3


@pytest.mark.treebook
def test_a_page_waits_no_longer_than_the_deadline(server, page):
    server.behave, began = server.hang, time.monotonic()
    with pytest.raises(OutOfTime) as caught:
        in_a_cell(lambda: OpenAI("fake", base_url=server.url, timeout=60)([user("hi", deadline=began + 0.2)]))
    assert time.monotonic() - began < 10 and len(server.requests) == caught.value.paid.calls == 1


@pytest.mark.treebook
def test_what_on_reply_raises_in_a_page_reaches_the_cell(server, page):
    def full(part, reply):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        in_a_cell(lambda: OpenAI("fake", base_url=server.url)([user("hi")], full))


@pytest.mark.treebook
def test_a_page_pauses_as_long_as_it_is_told(page):
    began = time.monotonic()
    page.pause(0.05)
    assert time.monotonic() - began >= 0.05


@pytest.mark.treebook
def test_what_a_page_hears_from_where_it_was_redirected_is_no_reply_but_on_the_bill(server, page, monkeypatch):
    there, send = "http://elsewhere.example/v1/chat/completions", XMLHttpRequest.send

    def followed(self, data):
        send(self, data)
        self.responseURL = there

    monkeypatch.setattr(XMLHttpRequest, "send", followed)
    with pytest.raises(LMError, match="if you trust http://elsewhere.example/v1") as caught:
        in_a_cell(lambda: OpenAI("fake", base_url=server.url, api_key="k")([user("hi")]))
    assert len(server.requests) == 1 and caught.value.paid.calls == 1 and caught.value.paid.completion_tokens > 0
