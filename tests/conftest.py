"""What many tests share.

Property tests draw the same examples in every run, so that a red one can be repeated; TOT_FUZZ draws new ones. Tests of
the command line have a server, and ``tot_``, which runs a line. Tests in a
browser have ``chromium``, which skips without one; tests of JavaScript alone have ``node``.
"""

import os
import re
import shlex
from functools import partial
from pathlib import Path

import pytest
from browser import chromium  # noqa: F401 - a fixture
from fake_server import FakeServer, answering
from hypothesis import settings
from node import node  # noqa: F401 - a fixture

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("fuzz" if os.environ.get("TOT_FUZZ") else "same")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """The files that look at the built book stay together, like the tests of a file: the book is then built once."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    looks = re.compile(r"^def \w+\((?:.*\W)?html\W", re.M)  # the fixture of tests/book/conftest.py
    files = Path(__file__).with_name("book").glob("test_*.py")
    at_the_book = {file.name for file in files if looks.search(file.read_text(encoding="utf-8"))}

    class BookTogether(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "the built book" if "/book/" in file and Path(file).name in at_the_book else file

    return BookTogether(config, log)


@pytest.fixture(scope="session")
def pocket():
    """The pocket model, where the book's package is installed."""
    return pytest.importorskip("treebook.players").Pocket()


def pytest_collection_modifyitems(items):
    """Tests of the core that borrow something of the book's package are left out where there is none."""
    try:
        import treebook  # noqa: F401
    except ImportError:
        for item in items:
            if item.get_closest_marker("treebook"):
                item.add_marker(pytest.mark.skip(reason="treebook is not installed"))


@pytest.fixture
def server(request, monkeypatch, tmp_path):
    """A server that answers as the test module's ``player`` does; the test runs in an empty folder, without keys."""
    import tot.lm.openai

    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOT_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tot.lm.openai, "OpenAI", partial(tot.lm.openai.OpenAI, backoff=0.001))
    with FakeServer(answering(request.module.player), models=[{"id": "fake", "owned_by": "tests"}]) as server:
        yield server


@pytest.fixture
def tot_(server, capsys):
    """Run a command line (LIVE stands for the model's flags, URL for the server's); gives (status, stdout, stderr)."""
    from tot.cli import main

    def call(line):
        flags = {"LIVE": "--lm openai:fake --base-url URL", "URL": server.url}
        for word, meaning in flags.items():
            line = line.replace(word, meaning)
        status = main(shlex.split(line))
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return status, printed.out, printed.err

    return call
