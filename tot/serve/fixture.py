"""The pytest fixture ``tot_cassette``: a test's calls to a model are recorded once (--tot-record), then replayed."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .recordings import Recordings
    from .server import Server


@dataclass
class Recorded:
    """``url``: the base URL for the test's clients, also in OPENAI_BASE_URL. ``path``: the test's own cassette."""

    url: str
    path: Path
    recordings: Recordings


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --tot-record."""
    told = "tot_cassette: ask the server of OPENAI_BASE_URL with OPENAI_API_KEY for replies that are not recorded"
    parser.addoption("--tot-record", action="store_true", help=told)


@pytest.fixture
def tot_cassette(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    """A server at ``.url``, where OPENAI_BASE_URL points, too. It replays cassettes/MODULE/TEST.jsonl beside the test's
    file, counting from 0, with neither key nor network. A request that is not recorded fails the test.
    """
    from .recordings import Recordings
    from .server import Server
    from .tape import Replies

    name = request.node.nodeid.partition("::")[2]
    if (file := re.sub(r"[^\w.-]+", "_", name)[:100]) != name:
        file += f"-{sha256(name.encode()).hexdigest()[:6]}"
    path = request.path.parent / "cassettes" / request.path.stem / f"{file}.jsonl"
    records = bool(request.config.getoption("--tot-record"))
    replies = Replies(path, writes=records)
    behind = None
    if records:
        from .upstream import Behind, Upstream  # which takes a second

        real = Upstream("", api_key=os.environ.get("OPENAI_API_KEY"), timeout=600.0)  # before these are changed below
        behind = Behind(lambda key: real)
    recordings = Recordings(replies, behind, how="run pytest with --tot-record")
    with running(Server(recordings)) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield Recorded(url, path, recordings)
    replies.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fails a test with the message of its first miss, whatever the code under test made of it."""
    try:
        return (yield)
    finally:
        used = getattr(item, "funcargs", {}).get("tot_cassette")
        if isinstance(used, Recorded) and used.recordings.misses:
            pytest.fail(used.recordings.misses[0], pytrace=False)


@contextmanager
def running(server: Server) -> Iterator[str]:
    """A block during which the server runs in a thread of its own, at the base URL that it gets."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="tot-serve", daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(server.start(0), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
