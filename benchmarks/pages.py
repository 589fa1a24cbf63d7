"""The book's pages: bytes of a first load, and how long one takes in Chromium beside a plain page, from a server here.

A first load is the page and all that it asks for before anybody does anything: styles, scripts, pictures. Bytes are
those of the files, uncompressed. Each timed load has a new browser context, so that nothing comes from a cache. The
plain page writes paragraphs.
"""

from __future__ import annotations

import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from .report import Row, at_most, seconds
from .server import Served

ROOT = Path(__file__).parent.parent
PAGES = {
    "first page": "book/index",
    "chapter with maths": "notebooks/11_best_first_itot_astar",
    "page of explorers": "notebooks/gallery",
    "reference": "book/reference/tasks",
}
ADDRESS = re.compile(r"url\([\"']?(?!data:)([^\"')]+)")  # in a style sheet
LOADS = 7
PLAIN = "plain"
PARAGRAPHS, TIMES = 1000, 20
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SKIPPED = "no Chromium here that playwright can start, or no playwright"


class _Asks(HTMLParser):
    """The addresses that a page asks for as it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if tag in ("img", "script", "iframe", "source") and at.get("src"):
            self.found.add(str(at["src"]))
        if tag == "link" and at.get("rel") in ("stylesheet", "icon", "preload") and at.get("href"):
            self.found.add(str(at["href"]))


def first_load(page: Path) -> int:
    """Bytes of a page and of the files that it and its style sheets ask for."""
    asks = _Asks()
    asks.feed(page.read_text(encoding="utf-8"))
    files = {page} | {_file(page, address) for address in asks.found if not address.startswith("data:")}
    for sheet in [f for f in files if f.suffix == ".css"]:
        files |= {_file(sheet, address) for address in ADDRESS.findall(sheet.read_text(encoding="utf-8"))}
    return sum(file.stat().st_size for file in files)


def _file(page: Path, address: str) -> Path:
    return (page.parent / re.sub(r"[?#].*", "", address)).resolve()


def measure(server: Served) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "html")
        build = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-d", f"{folder}/doctrees", "-c", "book", "."]
        subprocess.run([*build, str(built)], cwd=ROOT, check=True)
        pages = [page for page in built.rglob("*.html") if "_static" not in page.parts]
        for name, page in PAGES.items():
            yield at_most(f"{name}: first load", first_load(built / f"{page}.html") / 1000, 1000, "kB")
        heaviest = max(pages, key=first_load)
        note = heaviest.relative_to(built).as_posix()
        yield at_most("heaviest page: first load", first_load(heaviest) / 1000, 1000, "kB", note)
        yield from timed(built)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser (playwright's), or None where there is none."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        yield None
        return
    found = os.environ.get("TOT_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=found, args=["--disable-gpu"])
        except Error:
            yield None
            return
        yield browser
        browser.close()


def timed(built: Path) -> Iterator[Row]:
    with chromium() as browser, serving(built) as address:
        if not browser:
            yield Row("pages: loaded / a plain page", None, "at most 3", note=SKIPPED)
            return
        built.joinpath(f"{PLAIN}.html").write_text(plain_page(), encoding="utf-8")
        took: dict[str, list[float]] = {page: [] for page in (*PAGES.values(), PLAIN)}
        for _ in range(LOADS + 1):  # in turn; the first time also starts what the browser starts once
            for page, times in took.items():
                context = browser.new_context()
                tab = context.new_page()
                tab.goto(f"{address}/{page}.html", wait_until="load")
                times.append(tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
                context.close()
    usual = {page: min(times[1:]) for page, times in took.items()}
    for name, page in PAGES.items():
        figure = f"{seconds(usual[page])}; a plain page {seconds(usual[PLAIN])}"
        note = f"the fastest of {LOADS} loads without a cache"
        yield at_most(f"{name}: loaded / a plain page", usual[page] / usual[PLAIN], 3, note=note, figure=figure)


def plain_page() -> str:
    """No style sheet, no picture: a script that writes paragraphs and has the browser lay them out, again and again."""
    write = f"p.innerHTML = '<p>A paragraph of as many words as it takes.</p>'.repeat({PARAGRAPHS}); p.offsetHeight"
    script = (
        f"<script>const p = document.querySelector('div'); for (let i = 0; i < {TIMES}; i++) {{ {write} }}</script>"
    )
    return f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>plain</title><div></div>{script}</html>'


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A folder on a free port of this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
