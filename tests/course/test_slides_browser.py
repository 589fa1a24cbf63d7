"""Decks in a real browser: nothing overflows, nothing is too small, nothing is asked of another place; and cells run.

One deck here; all of them with ``make slides-look``.
"""

import os
from pathlib import Path

import nbformat
import pytest
from browser import chromium  # noqa: F401  a fixture
from deck_faults import faults

pytest.importorskip("sphinx_revealjs", reason="the slides need the extra `course`: pip install -e '.[course]'")

from course.slides.build import build
from course.slides.outline import outlines

EVERY = bool(os.environ.get("TOT_ALL_DECKS"))


def decks(one):
    return pytest.mark.parametrize("path", outlines("" if EVERY else one), ids=lambda path: path.stem)


pytestmark = pytest.mark.slow


@pytest.fixture
def deck(path, tmp_path):
    return build(path, tmp_path)


@pytest.fixture
def open_page(chromium):  # noqa: F811
    """Opens an address at the size of the stage; asserts at the end that nothing else was asked for."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    asked, own, errors = [], [], []

    def visit(address):
        own.append(address)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        return page

    yield visit
    context.close()
    assert [url for url in asked if url.split("#")[0] not in own and not url.startswith("data:")] == []
    assert not errors


@decks("06")
def test_no_slide_overflows_and_all_can_be_read_in_the_back_row(deck, open_page):
    for theme in ("light", "dark"):
        page = open_page(f"{deck.as_uri()}?theme={theme}")
        assert faults(page) == []


@decks("01")
def test_slides_are_printed_with_their_notes_by_a_browser_that_blocks_new_windows(deck, chromium):  # noqa: F811
    page = chromium.new_page()
    page.add_init_script("window.open = () => null")  # what its blocker gives, which playwright turns off
    for _ in range(2):
        page.goto(f"{deck.as_uri()}?print-pdf&notes")
        page.wait_for_function("Reveal.isReady() && document.querySelectorAll('.pdf-page').length", timeout=20_000)
        assert page.locator(".pdf-page").count() == page.locator(".speaker-notes-pdf").count() > 10
    page.close()


@decks("01")  # the quickest
def test_cells_run_live_and_put_out_what_the_deck_shows(deck):
    from nbclient import NotebookClient

    notebook = nbformat.read(deck.with_suffix(".ipynb"), 4)
    shown = [[dict(output) for output in cell.get("outputs", [])] for cell in notebook.cells]
    folder = Path(__file__).resolve().parent.parent.parent / "_build" / "slides"  # where `make slides` puts it
    folder.mkdir(parents=True, exist_ok=True)
    resources = {"metadata": {"path": str(folder)}}
    options = {"coalesce_streams": True, "store_widget_state": True, "resources": resources}  # as tools/refresh.py
    NotebookClient(notebook, timeout=120, kernel_name="python3", **options).execute()
    for before, cell in zip(shown, notebook.cells, strict=True):
        after = cell.get("outputs", [])
        live = "nbval-ignore-output" in cell.metadata.get("tags", [])
        assert live or not before or list(map(plain, before)) == list(map(plain, after)), cell.source


def plain(output):
    """What an output shows, without the number of its run."""
    data = output.get("data", {})
    return output.get("text") or data.get("text/html") or data.get("image/svg+xml") or data.get("text/plain")
