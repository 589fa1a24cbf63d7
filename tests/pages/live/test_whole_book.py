"""Every page of the book, whole, in a real browser: ``make test-live-pages``. Needs the folder of ``make live``."""

import os
import string
from pathlib import Path

import pytest

from benchmarks.live_pages import press, run_page, served, wait_for_end
from tools.live.site import ROOT

LIVE = Path(os.environ.get("TOT_LIVE", ROOT / "_build" / "live"))
ABSENT = ("matplotlib", "numpy", "ipywidgets", "a server or a connection")


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
    ]
    assert wrong == []


PRINTABLE = "".join(filter(str.isprintable, string.printable))


def test_every_key_arrives_in_a_cell_and_in_the_fields_of_the_lab(server, tab):
    """With real keys, on real pages: these have keys of their own, such as "/" for the search."""
    tab.goto(f"{server.url}/notebooks/study_lats.html")
    press(tab)
    wait_for_end(tab)
    editor = tab.locator(".cm-content").first
    editor.evaluate("box => box.closest('details')?.setAttribute('open', '')")
    editor.click()
    tab.keyboard.press("Control+a")
    tab.keyboard.type(PRINTABLE)
    assert editor.inner_text() == PRINTABLE

    tab.goto(f"{server.url}/lab.html")
    tab.locator(".tot-lab-run").wait_for()
    tab.get_by_label("method", exact=True).select_option("tot-bfs")
    tab.locator(".tot-lab-form").evaluate(
        "form => form.querySelectorAll('details').forEach((each) => { each.open = true; })"
    )
    tab.get_by_text("a model of your own").click()
    fields = tab.locator(".tot-lab-form :is(textarea, input:is([type=text], [type=url], [type=password])):visible")
    assert fields.count() >= 6
    for field in fields.all():
        field.click()
        tab.keyboard.press("Control+a")
        tab.keyboard.type(PRINTABLE)
        assert field.input_value() == PRINTABLE
