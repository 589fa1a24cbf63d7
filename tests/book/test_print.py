"""Chapters printed to PDF: every word of the code and of what it printed is on the paper. Skipped without a browser."""

from io import BytesIO
from pathlib import Path

import pytest
from on_paper import CUT, bare, printed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CHAPTERS = ("06_tot_bfs_game24", "07_votes_creative_writing", "12_itot_study", "13_mcts_from_scratch")
PAPER = 680  # CSS pixels between the margins of A4
FOLDED = """() => [...document.querySelectorAll(".bd-article details:is(.tot-fold, .tot-mark, :not([class]))")].filter(
  e => [...e.children].some(c => c.tagName != "SUMMARY" && !c.checkVisibility({contentVisibilityAuto: true}))
).map(e => e.textContent.trim().slice(0, 60))"""


@pytest.fixture(params=CHAPTERS)
def page(request, html, chromium):
    tab = chromium.new_page(viewport={"width": PAPER, "height": 1000})
    tab.goto((html / "notebooks" / f"{request.param}.html").as_uri())
    yield request.param, tab
    tab.close()


def test_every_line_is_on_the_paper(page):
    pypdf = pytest.importorskip("pypdf")
    name, tab = page
    file = tab.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "15mm"))
    text = bare("".join(sheet.extract_text() for sheet in pypdf.PdfReader(BytesIO(file)).pages))
    lines = list(printed(ROOT / "notebooks" / f"{name}.ipynb"))
    assert len(lines) > 100 and [line for line in lines if bare(line[1]) not in text] == []


def test_the_first_page_is_full_and_has_a_number(html, chromium):
    pypdf = pytest.importorskip("pypdf")
    tab = chromium.new_page(viewport={"width": PAPER, "height": 1000})
    for chapter in ("01_reading_and_replaying", "06_tot_bfs_game24"):
        tab.goto((html / "notebooks" / f"{chapter}.html").as_uri())
        sheets = [sheet.extract_text() for sheet in pypdf.PdfReader(BytesIO(tab.pdf(format="A4"))).pages]
        assert len(bare(sheets[0])) > 700 and [sheet.split()[0] for sheet in sheets[:3]] == ["1", "2", "3"]
    tab.close()


def test_bars_and_pressed_buttons_are_printed(html, chromium):
    tab = chromium.new_page()
    tab.goto((html / "notebooks" / "20_every_strategy_on_one_board.html").as_uri())
    tab.emulate_media(media="print")
    looks = "s => [...document.querySelectorAll(s)].map(e => getComputedStyle(e).printColorAdjust)"
    for drawn in (".tot-dials i", ".tot-dials :checked + span", ".tot-ev"):
        assert {*tab.evaluate(looks, drawn)} == {"exact"}
    tab.close()


def test_answers_and_code_that_steps_back_stand_on_the_last_pages(page):
    """While it is printed, and no longer."""
    _, tab = page
    order = "() => [...document.querySelectorAll('.bd-article *')].map(e => e.tagName)"
    asked, before = tab.locator(".tot-predicted").count(), tab.evaluate(order)
    answers = (
        "() => [...document.querySelectorAll('.tot-answer, .tot-discussed')].map(e => !!e.closest('.tot-answers'))"
    )
    code = "() => [...document.querySelectorAll('.tot-code, .tot-imports')].map(e => !!e.closest('.tot-codes'))"
    theme = "() => document.documentElement.dataset.theme"
    tab.evaluate("document.documentElement.dataset.theme = 'dark'; dispatchEvent(new Event('beforeprint'))")
    assert tab.evaluate(theme) == "light", "paper is"
    assert tab.locator(".tot-answers > section").count() == asked
    for where in (answers, code):
        assert len(tab.evaluate(where)) > 5 and all(tab.evaluate(where))
    numbers = "s => [...document.querySelectorAll(s)].map(e => e.textContent)"
    listed = tab.evaluate(numbers, ".tot-codes > .tot-code-number")
    assert listed == sorted({*tab.evaluate(numbers, ".tot-code-number")}, key=lambda said: int(said.split()[1]))
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.evaluate(order) == before and tab.evaluate(theme) == "dark"


def test_nothing_is_cut_at_the_side_and_nothing_is_folded(page):
    """The text of a PDF also has what a box cuts off, so the boxes themselves are measured."""
    _, tab = page
    assert tab.evaluate(FOLDED) != [], "on the screen there are folds"
    tab.emulate_media(media="print")
    assert tab.evaluate(CUT) == [] and tab.evaluate(FOLDED) == []
