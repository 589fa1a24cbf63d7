"""The pytest fixture ``tot_cassette``: a test's calls to a model are recorded once (--tot-record), then replayed."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from tot.jsonlines import FileTrouble
from tot.lm.base import LMError
from tot.serve.recordings import Recordings


class Recorded(NamedTuple):
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
    from tot.serve.server import Server

    name = request.node.nodeid.partition("::")[2]
    if (file := re.sub(r"[^\w.-]+", "_", name)[:100]) != name:
        file += f"-{sha256(name.encode()).hexdigest()[:6]}"
    path, behind = request.path.parent / "cassettes" / request.path.stem / f"{file}.jsonl", None
    try:
        if request.config.getoption("--tot-record"):
            from tot.serve.upstream import Behind  # which takes a second

            behind = Behind(timeout=600.0)  # as long as clients wait; before the environment is changed
        recordings = Recordings(path, behind, how="run pytest with --tot-record")
    except (LMError, FileTrouble) as error:
        pytest.fail(str(error), pytrace=False)

    def refused(message: str) -> None:
        recordings.used = True
        recordings.missed = recordings.missed or f"a request cannot be recorded: {message}"

    with closing(recordings), Server(recordings, refused=refused).running() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        direct = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
        for name in ("NO_PROXY", "no_proxy") if direct != "*" else ():
            monkeypatch.setenv(name, ",".join(filter(None, ("127.0.0.1", direct))))
        yield Recorded(url, path, recordings)
        if not recordings.used:
            elsewhere = "a client that a module makes when it is imported asks elsewhere: make it in the test"
            request.node.warn(pytest.PytestWarning(f"nothing was asked of tot_cassette: {elsewhere}"))
        if recordings.missed:  # by another fixture's end, or where the test's own fixtures ask for this one by name
            pytest.fail(recordings.missed, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fails a test with the message of its first miss, whatever the code under test made of it."""
    try:
        return (yield)
    finally:
        used = getattr(item, "funcargs", {}).get("tot_cassette")
        stopped = isinstance(sys.exception(), KeyboardInterrupt | pytest.exit.Exception)  # the run ends
        if isinstance(used, Recorded) and (missed := used.recordings.missed) and not stopped:
            used.recordings.missed = ""
            pytest.fail(missed, pytrace=False)
