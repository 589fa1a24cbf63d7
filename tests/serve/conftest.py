"""A fake server behind, and ``tot serve`` before it: in this process, so that nothing has to start."""

import json
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from itertools import count

import pytest
from fake_server import Answer, FakeServer, completion

from tot.serve.recordings import Recordings
from tot.serve.server import Server
from tot.serve.upstream import Behind


def counting():
    """A server whose replies are all different: "reply 0", "reply 1" ..."""
    numbers = count()
    return lambda body: Answer(completion([f"reply {next(numbers)}" for _ in range(body.get("n", 1))]))


@pytest.fixture
def behind(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with FakeServer(counting(), models=[{"id": "fake", "owned_by": "tests"}]) as server:
        yield server


@pytest.fixture
def serve(behind, tmp_path):
    """``with serve(record=True) as ask``: a server with the cassette ``tmp_path / "c.jsonl"``."""

    @contextmanager
    def serve(*, record=False, budget="", prices=None, **how):
        server = {"base_url": behind.url, "api_key": "sk-server-key-123"}
        behind_it = Behind(budget=budget, prices=prices, **server) if record else None
        model = "fake" if record else ""
        recordings = Recordings(tmp_path / "c.jsonl", behind_it, model=model, how="RECORD")
        with closing(recordings), Server(recordings, **how).running() as url:
            ask = Asking(url, tmp_path / "c.jsonl")
            ask.recordings = recordings
            yield ask

    return serve


@pytest.fixture
def asking():
    return Asking


class Asking:
    """A client of the plainest kind: ``ask("hello")`` gives the completion, or (status, error) where there is none."""

    def __init__(self, url, file=None):
        self.url, self.file, self.headers = url, file, {}

    @property
    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def models(self):
        return [model["id"] for model in self.post("/models", None)["data"]]

    def __call__(self, text="hello", *, session="", timeout=20, headers=(), **more):
        body = {"model": "m", "messages": [{"role": "user", "content": text}]} | more
        return self.post(
            "/chat/completions", json.dumps(body).encode(), session=session, timeout=timeout, headers=headers
        )

    def text(self, *asked, **more):
        return self(*asked, **more)["choices"][0]["message"]["content"]

    def post(self, path, data, *, session="", timeout=20, headers=()):
        path = f"/s/{session}/v1{path}" if session else path if path == "/reset" else f"/v1{path}"
        url = self.url.removesuffix("/v1") + path
        request = urllib.request.Request(url, data, {"Content-Type": "application/json", **dict(headers)})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            self.headers = error.headers
            return error.code, json.loads(error.read())["error"]
        return text if text.startswith("data:") else json.loads(text)
