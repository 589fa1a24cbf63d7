"""An OpenAI-compatible server in this process, whose behaviour is a function: for tests and benchmarks.

    with FakeServer(answering(lambda messages, i: "42", delay=0.05)) as server:
        lm = OpenAI("fake", base_url=server.url)

A behaviour takes the JSON body of a request and returns an ``Answer``. It is called in the request's own thread, and
may sleep. Needs nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from typing import Any

Body = dict[str, Any]
Messages = Sequence[Mapping[str, str]]


@dataclass
class Answer:
    """An HTTP answer. A dict is sent as JSON, text and bytes as they are. ``cut`` closes the connection instead.

    ``parts``: sent one after another instead of the payload, without a Content-Length of their own.
    """

    payload: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    parts: Iterable[bytes] | None = None


Behaviour = Callable[[Body], Answer]


def completion(texts: Sequence[str | None], prompt_tokens: int = 5, **more: Any) -> Body:
    """A chat completion with these texts; one token for each word, and one that ends each text."""
    choices = [
        {"index": i, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for i, text in enumerate(texts)
    ]
    tokens = sum(len((text or "").split()) + 1 for text in texts)
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": tokens, "total_tokens": prompt_tokens + tokens}
    return {"id": "fake", "object": "chat.completion", "model": "fake", "choices": choices, "usage": usage} | more


def answering(text: Callable[[Messages, int], str] | str = "ok", *, delay: float = 0.0) -> Behaviour:
    """A good server: choice i of n says ``text(messages, i)``, after ``delay`` seconds."""

    def behave(body: Body) -> Answer:
        if delay:
            time.sleep(delay)
        said = [text if isinstance(text, str) else text(body["messages"], i) for i in range(body.get("n", 1))]
        return Answer(completion(said))

    return behave


def error(status: int, message: str, **more: Any) -> Answer:
    """An error as OpenAI writes it; ``more`` is for code, param and type."""
    return Answer({"error": {"message": message} | more}, status)


def always(answer: Answer) -> Behaviour:
    return lambda body: answer


def first(times: int, bad: Behaviour, then: Behaviour) -> Behaviour:
    """``bad`` for the first requests, then ``then``."""
    lock, seen = threading.Lock(), 0

    def behave(body: Body) -> Answer:
        nonlocal seen
        with lock:
            seen += 1
            mine = seen
        return (bad if mine <= times else then)(body)

    return behave


def when(condition: Callable[[Body], bool], bad: Behaviour, then: Behaviour) -> Behaviour:
    """``bad`` for the requests with this condition, ``then`` for the others."""
    return lambda body: (bad if condition(body) else then)(body)


def too_many(retry_after: str | None = None) -> Behaviour:
    headers = {"Retry-After": retry_after} if retry_after else {}
    return always(Answer({"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, 429, headers))


def wrong_key() -> Behaviour:
    return always(error(401, "Incorrect API key provided.", code="invalid_api_key"))


def unknown_model() -> Behaviour:
    return always(error(404, "The model `fake` does not exist", code="model_not_found"))


def too_long() -> Behaviour:
    """llama.cpp's words."""
    words = "request (6030 tokens) exceeds the available context size (2048 tokens), try increasing it"
    return always(error(400, words, type="exceed_context_size_error"))


def refusing_n(most: int, then: Behaviour) -> Behaviour:
    """llama.cpp's words for more samples than it has slots."""
    words = f"Field 'n': Value must be between 1 <= value <= {most}"
    return when(lambda body: body.get("n", 1) > most, always(error(400, words)), then)


def giving_at_most(most: int, then: Behaviour) -> Behaviour:
    """Ollama and others: no error, fewer choices."""
    return lambda body: then(body | {"n": min(body.get("n", 1), most)})


def dropping() -> Behaviour:
    """The connection is closed without an answer."""
    return always(Answer(cut=True))


def html() -> Behaviour:
    return always(Answer("<html><body>Welcome</body></html>", headers={"Content-Type": "text/html"}))


def truncated() -> Behaviour:
    """The connection breaks in the middle of an answer."""
    return lambda body: Answer(parts=[b'{"choices": [{"mess'], headers={"Content-Length": "500"})


def event_stream() -> Behaviour:
    """A server or proxy that streams, whatever it was asked."""
    words = 'data: {"choices": [{"delta": {"content": "ok"}}]}\n\ndata: [DONE]\n\n'
    return always(Answer(words, headers={"Content-Type": "text/event-stream"}))


def flooding() -> Behaviour:
    """An answer without end."""
    return lambda body: Answer(parts=repeat(b" " * (1 << 16)))


def dripping(seconds: float) -> Behaviour:
    """An answer that arrives byte by byte, with so many seconds between two."""

    def drops() -> Iterable[bytes]:
        while True:
            yield b" "
            time.sleep(seconds)

    return lambda body: Answer(parts=drops(), headers={"Content-Length": "1000000"})


class FakeServer:
    """Serves a behaviour at ``url`` ("http://127.0.0.1:PORT/v1") until the ``with`` block ends.

    ``requests``: the JSON body of every POST so far; ``headers`` and ``paths``: theirs. ``peak``: most requests in
    progress at once. ``models``: what GET /models lists (None: 404). ``tls``: for https. ``behave`` can be replaced at
    any time. ``origins``: which pages a browser may let ask it (CORS), "*" for all; by default none.
    """

    def __init__(
        self,
        behave: Behaviour | None = None,
        *,
        models: list[Body] | None = None,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        origins: str = "",
    ) -> None:
        self.origins = origins
        self.behave = behave or answering()
        self.models = models
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.peak = self.open = 0
        self.ending = threading.Event()
        self._lock = threading.Lock()
        self._http = _HTTPServer(("127.0.0.1", port), self)
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening, break all connections, end what hangs."""
        self.ending.set()
        self._http.shutdown()
        self._http.server_close()
        for connection in list(self._http.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def hang(self, body: Body) -> Answer:
        """A behaviour: no answer, until the server closes."""
        self.ending.wait()
        return Answer(cut=True)

    def answer(self, body: Body, headers: dict[str, str], path: str) -> Answer:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            self.paths.append(path)
            self.open += 1
            self.peak = max(self.peak, self.open)
        try:
            return self.behave(body)
        finally:
            with self._lock:
                self.open -= 1


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # hanging requests are meant
    request_queue_size = 512  # connections that may arrive at the same moment

    def __init__(self, address: tuple[str, int], fake: FakeServer) -> None:
        self.fake = fake
        self.connections: set[Any] = set()  # sockets
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that went away is no news


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keep-alive
    disable_nagle_algorithm = True
    server_version, sys_version = "FakeServer", ""
    wbufsize = 1 << 16  # one segment for headers and payload
    server: _HTTPServer

    def do_OPTIONS(self) -> None:
        self.send(Answer("", 204 if self.server.fake.origins else 403))

    def do_GET(self) -> None:
        fake = self.server.fake
        listed = self.path.partition("?")[0].endswith("/models") and fake.models is not None
        self.send(Answer({"object": "list", "data": fake.models}) if listed else error(404, "Not Found"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.send(self.server.fake.answer(body, headers, self.path))

    def send(self, answer: Answer) -> None:
        if answer.cut:
            self.close_connection = True
            return
        payload = answer.payload
        if not isinstance(payload, bytes):
            payload = (payload if isinstance(payload, str) else json.dumps(payload)).encode()
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json"} | answer.headers
        if origins := self.server.fake.origins:
            allowed = {"Origin": origins, "Headers": "authorization, content-type", "Methods": "GET, POST"}
            headers |= {f"Access-Control-Allow-{name}": value for name, value in allowed.items()}
        for name, value in headers.items():
            self.send_header(name, value)
        if answer.parts is None:
            self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        for part in [payload] if answer.parts is None else answer.parts:
            self.wfile.write(part)
            self.wfile.flush()
        if answer.parts is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass
