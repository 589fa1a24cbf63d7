"""Every page of the book, whole, in a real browser: ``make test-live-pages``. Needs the folder of ``make live``."""

import contextlib
import io
import json
import os
from pathlib import Path

import pytest

import tot
from benchmarks.live_pages import CELLS, run_page, served, wait_for_end
from live.answers import Answers
from tests.pages.live.test_behaviour import type_into
from tools.live.site import ROOT
from tot.lm.cassette import Cassette

LIVE = Path(os.environ.get("TOT_LIVE", ROOT / "_build" / "live"))
ABSENT = ("matplotlib", "numpy", "ipywidgets", "a server or a connection")
# Cells that run and do not print what is stored, and why: (page, number of the code cell).
OTHERWISE = {
    ("10_tools_costs_failures", 12): "a time limit, which takes a second thread to strike",
}


@pytest.fixture(scope="module")
def server():
    if not (LIVE / "_static" / "live").is_dir():
        pytest.fail(f"no pages that run in {LIVE}: make live ARGS=--no-serve builds them")
    with served(LIVE) as server:
        yield server


def pages():
    return sorted(file.stem for file in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", pages())
def test_each_cell_prints_what_is_stored_or_says_why_not(server, chromium, name):
    context = chromium.new_context()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    cells = run_page(context.new_page(), f"{server.url}/notebooks/{name}.html")
    context.close()
    assert all(url.startswith((server.url, "blob:", "data:")) for url in asked)
    wrong = [
        (number, cell)
        for number, cell in enumerate(cells, 1)
        if cell["state"] != "same"
        and not (cell["state"] == "absent" and any(package in cell["said"] for package in ABSENT))
        and (name, number) not in OTHERWISE
    ]
    assert wrong == []


def test_a_knob_of_chapter_six_gives_what_python_gives_elsewhere(server, chromium, monkeypatch):
    book = json.loads((ROOT / "notebooks" / "06_tot_bfs_game24.ipynb").read_text("utf-8"))
    sources = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    number, code = next((at, code) for at, code in enumerate(sources, 1) if "breadth=5" in code)
    turned = code.replace("breadth=5", "breadth=7").replace("3 4 4 6", "1 5 7 11")
    turned = turned.replace("show.explorer(solution)", "")
    turned += "print(solution.to_dict())\nfor sample in solution.trace.samples():\n    print(sample['text'])"
    page = chromium.new_context().new_page()
    run_page(page, f"{server.url}/notebooks/06_tot_bfs_game24.html")
    type_into(page, number, turned, "Control+Enter")
    wait_for_end(page)
    here = page.locator("div.cell").nth(number - 1).locator(".tot-live-output").inner_text()

    monkeypatch.setattr(Cassette, "__call__", Cassette.__call__)  # put back at the end
    monkeypatch.setattr(Cassette, "batched", Cassette.batched)
    monkeypatch.chdir(ROOT / "notebooks")
    answers = Answers()
    answers.install()
    answers.choose('{"who": "pocket"}')
    with contextlib.redirect_stdout(io.StringIO()) as there:
        exec(turned, {"tot": tot, "game": tot.task("game24")})
    assert here.strip() == there.getvalue().strip()
    assert f"{answers.given} replies come from the pocket model" in page.evaluate(CELLS)[number - 1]["said"]
    page.context.close()
