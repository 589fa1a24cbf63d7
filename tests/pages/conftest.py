"""Pages that run: the runtime that ``make live`` fetched, and a page of this folder's own that needs no built book."""

import html
import json
import shutil
from pathlib import Path

import pytest

from benchmarks.live_pages import served
from tools.live.packages import are_there
from tools.live.site import PLACE, ROOT, add_button, add_runtime

CACHE = ROOT / "_build" / "live-cache"


@pytest.fixture(scope="session")
def runtime(tmp_path_factory):
    """A folder with the runtime in its place; skipped where nobody has fetched it: tests do not use the network."""
    if not are_there(CACHE):
        pytest.skip("no pages that run: the runtime was not fetched; make live-runtime does")
    folder = tmp_path_factory.mktemp("live")
    add_runtime(folder / PLACE, CACHE)
    return folder


def small_page(cells):
    """A page as the book builds it, as far as scripts look at it. Cells: (code, what it printed, its tags ...)."""
    boxes = "".join(
        f'<div class="cell docutils container"><div class="cell_input docutils container"><div><pre>{html.escape(code)}'
        f'</pre></div></div><div class="cell_output docutils container"><pre>{html.escape(printed)}</pre></div></div>'
        for code, printed, *_ in cells
    )
    page = (
        '<html><head></head><body style="--tot-live-top: 0"><p class="tot-facts-line"></p>'
        f'<article class="bd-article">{boxes}</article></body></html>'
    )
    outputs = [[{"output_type": "stream", "name": "stdout", "text": out}] if out else [] for _, out, *_ in cells]
    book = {
        "cells": [
            {"cell_type": "code", "metadata": {"tags": tags}, "source": code, "outputs": output, "execution_count": n}
            for n, ((code, _, *tags), output) in enumerate(zip(cells, outputs, strict=True), 1)
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    return add_button(page, "../"), json.dumps(book)


def with_pages(folder, server):
    """``server.write(name, cells)`` puts a page into the folder that is served, and gives its address."""
    (folder / "notebooks").mkdir()

    def write(name, cells):
        page, book = small_page(cells)
        Path(folder, "notebooks", f"{name}.html").write_text(page, "utf-8")
        Path(folder, "notebooks", f"{name}.ipynb").write_text(book, "utf-8")
        return f"{server.url}/notebooks/{name}.html"

    server.write = write
    return server


@pytest.fixture(scope="session")
def site(runtime):
    """The served folder, with all that a page needs to run."""
    with served(runtime) as server:
        yield with_pages(runtime, server)


@pytest.fixture(scope="session")
def parts(tmp_path_factory):
    """A served folder with the browser's half as it stands in ``live/``: no package of npm, so nothing runs there."""
    folder = tmp_path_factory.mktemp("parts")
    shutil.copytree(ROOT / "live", folder / PLACE)
    with served(folder) as server:
        server.folder = folder
        yield with_pages(folder, server)


@pytest.fixture
def tab(chromium):
    """A page of the browser with nothing kept. ``asked``: each address that it or its workers asked for."""
    context = chromium.new_context(accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(120_000)  # a hang, not a slow machine
    page.asked, page.trouble = [], []
    context.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    yield page
    context.close()
