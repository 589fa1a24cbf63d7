"""Pages that run, in a real Chromium: how many cells print what is stored, how long a page takes to start, and sizes.

``python -m benchmarks.live_pages`` takes the folder that ``make live`` built, runs every page and writes
``live_pages.json`` beside this file; some minutes. Starting a page is given as a ratio to starting the bare Python of
the browser (Pyodide without this package) in the same run. ``make test-live-pages`` runs the same pages as tests.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("live_pages.json")
MINUTES = 15 * 60_000  # in milliseconds: a page that hangs, not a slow machine
CELLS = """() => [...document.querySelectorAll(".bd-article div.cell")].map(cell => ({
  state: cell.dataset.totLive, said: cell.querySelector(".tot-live-status")?.textContent ?? "",
  error: cell.querySelector(".tot-live-error p")?.textContent ?? ""}))"""
BEGUN = """() => /Running|ran|raised|ended|Stopped|not start|cannot run/.test(
  document.querySelector(".tot-live-tools [role=status]")?.textContent
  ?? document.querySelector(".tot-live-offer span").textContent)"""
BARE = """address => new Promise((done, failed) => {
  const code = `import {loadPyodide} from "${address}pyodide/pyodide.mjs"; const began = performance.now();
    const python = await loadPyodide({indexURL: "${address}pyodide/"}); python.runPython("import json");
    postMessage(performance.now() - began)`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})), {type: "module"});
  worker.onmessage = event => { worker.terminate(); done(event.data); };
  worker.onerror = event => failed(event.message);
})"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Keeps what was asked for and how many bytes went out: ``server.sent`` has (path, status, bytes)."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        self.server.sent.append((self.path, int(code)))  # type: ignore[attr-defined]


@contextmanager
def served(folder: Path) -> Iterator[Any]:
    """The folder on a free port, as ``python -m http.server`` serves it. ``.sent``: (path, status) of each request."""
    handler = functools.partial(Handler, directory=str(folder))
    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.sent, server.url = [], f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def press(page: Any) -> None:
    page.locator(".tot-live-offer button").click()


def wait_for_python(page: Any) -> None:
    page.wait_for_function(BEGUN, timeout=MINUTES)


def wait_for_end(page: Any) -> str:
    """What the page says when its cells have run."""
    wait_for_python(page)
    page.wait_for_function("() => document.querySelectorAll('.tot-live-tools button')[1].disabled", timeout=MINUTES)
    return str(page.inner_text(".tot-live-tools [role=status]"))


def run_page(page: Any, url: str) -> list[dict[str, str]]:
    """Opens a page, presses the button, and waits. What became of each code cell: state, words, error."""
    page.goto(url)
    press(page)
    wait_for_end(page)
    return list(page.evaluate(CELLS))


def measure(folder: Path, browser: Any, only: str = "") -> dict[str, Any]:
    pages: dict[str, Any] = {}
    with served(folder) as server:
        for file in sorted((folder / "notebooks").glob(f"{only}*.html")):
            tab = browser.new_context().new_page()
            began = time.perf_counter()
            cells = run_page(tab, f"{server.url}/notebooks/{file.name}")
            states = Counter(cell["state"] for cell in cells)
            others = [
                f"{number}: {cell['error'] or cell['said'].split(';')[0]}"
                for number, cell in enumerate(cells, 1)
                if cell["state"] != "same"
            ]
            pages[file.stem] = {"cells": len(cells), "as_stored": states["same"], "others": others}
            print(f"{file.stem}: {states['same']} of {len(cells)}, {time.perf_counter() - began:.0f} s", flush=True)
            for other in others:
                print(f"    {other}", flush=True)
            tab.context.close()
        starts = {} if only else start_times(browser, server.url)
        memory = {} if only else memory_of_runs(browser, server.url)
    return {
        "date": date.today().isoformat(),
        "browser": f"Chromium {browser.version}",
        "cells": sum(page["cells"] for page in pages.values()),
        "as_stored": sum(page["as_stored"] for page in pages.values()),
        "megabytes": megabytes(folder / "_static" / "live"),
        "start": starts,
        "memory": memory,
        "pages": pages,
    }


def start_times(browser: Any, url: str, times: int = 5) -> dict[str, float]:
    """From the button to the first cell, on a first visit and later ones; ratios to a bare Pyodide, in turn with it."""
    rows: dict[str, list[float]] = {"first": [], "later": [], "bare_first": [], "bare_later": []}
    for _ in range(times):
        for kind in ("ours", "bare"):
            context = browser.new_context()
            for visit in ("first", "later"):
                tab = context.new_page()
                if kind == "bare":
                    tab.goto(f"{url}/book/glossary.html")
                    rows[f"bare_{visit}"].append(tab.evaluate(BARE, f"{url}/_static/live/") / 1000)
                else:
                    tab.goto(f"{url}/notebooks/study_lats.html")
                    began = time.perf_counter()
                    press(tab)
                    wait_for_python(tab)
                    rows[visit].append(time.perf_counter() - began)
                tab.close()
            context.close()
    middle = {name: statistics.median(values) for name, values in rows.items()}
    return {
        "first_visit_to_bare_pyodide": round(middle["first"] / middle["bare_first"], 2),
        "later_visit_to_bare_pyodide": round(middle["later"] / middle["bare_later"], 2),
        "first_visit_seconds_that_day": round(middle["first"], 1),
        "later_visit_seconds_that_day": round(middle["later"], 1),
    }


PYTHONS_MEMORY = "import pyodide_js\nprint(pyodide_js._module.HEAP8.length)"


def memory_of_runs(browser: Any, url: str, runs: int = 10) -> dict[str, float]:
    """Megabytes of a page's Python and of the page itself, after all its cells ran once and after ten times."""
    tab = browser.new_context().new_page()
    tab.goto(f"{url}/notebooks/study_lats.html")
    session = tab.context.new_cdp_session(tab)
    found: dict[str, float] = {}
    for run in range(1, runs + 1):
        if run == 1:
            press(tab)
            wait_for_end(tab)
            last = tab.locator(".cm-content").last
            last.evaluate("box => box.closest('details')?.setAttribute('open', '')")
            last.click()
            tab.keyboard.press("Control+End")
            tab.keyboard.insert_text(f"\n{PYTHONS_MEMORY}")
        tab.get_by_role("button", name="Run all").click()
        wait_for_end(tab)
        if run in (1, runs):
            session.send("HeapProfiler.collectGarbage")
            page = session.send("Runtime.getHeapUsage")["usedSize"]
            python = tab.locator(".tot-live-output").last.inner_text().split()[-1]
            found |= {f"python_after_{run}": round(int(python) / 1e6, 1), f"page_after_{run}": round(page / 1e6, 1)}
    tab.context.close()
    return found


def megabytes(place: Path) -> dict[str, float]:
    files = [file for file in place.rglob("*") if file.is_file()]
    sizes = {file.relative_to(place).as_posix(): file.stat().st_size / 1e6 for file in files}
    large = {name: round(size, 2) for name, size in sorted(sizes.items()) if size > 0.1}
    return large | {"all": round(sum(sizes.values()), 2)}


def main() -> int:
    import shutil

    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("_build/live"))
    parser.add_argument("--only", default="", help="pages whose names start so; then nothing is written")
    options = parser.parse_args()
    if not (options.folder / "_static" / "live").is_dir():
        print("There are no pages that run: make live ARGS=--no-serve builds them.", file=sys.stderr)
        return 1
    with sync_playwright() as driver:
        args = ["--no-sandbox", "--disable-gpu"]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        found = measure(options.folder, browser, options.only)
    print(f"{found['as_stored']} of {found['cells']} cells as stored;", found["start"])
    if not options.only:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
