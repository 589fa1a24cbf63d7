"""Every page of the book, whole, in a real browser: ``make test-live-pages``. Needs the folder of ``make live``."""

import os
from pathlib import Path

import pytest

from benchmarks.live_pages import run_page, served
from tools.live.site import ROOT

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
