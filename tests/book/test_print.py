"""Chapters printed to PDF: every word of the code and of what it printed is on the paper. Skipped without a browser."""

import re
import unicodedata
from io import BytesIO
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CHAPTERS = ("06_tot_bfs_game24", "07_votes_creative_writing", "12_itot_study", "13_mcts_from_scratch")
PAPER = 680  # CSS pixels between the margins of A4
# What stands out at the right of the text, or is wider than its box and cut by it.
CUT = """() => [...document.querySelectorAll(".bd-article :is(pre, table, p, figure, summary)")].filter(e => {
  const box = e.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth)
}).map(e => e.tagName + ": " + e.textContent.trim().slice(0, 60))"""
FOLDED = """() => [...document.querySelectorAll(".bd-article :is(details.tot-fold, details:not([class]))")].filter(
  e => [...e.children].some(c => c.tagName != "SUMMARY" && !c.checkVisibility({contentVisibilityAuto: true}))
).map(e => e.textContent.trim().slice(0, 60))"""


def bare(text):
    """Without white space: lines wrap on paper. Ligatures are taken apart."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", re.sub(r"\x1b\[[\d;]*m", "", text)))


def printed(path):
    """(cell, line) of all code of a chapter that its page shows, and of all text that it printed."""
    for number, cell in enumerate(nbformat.read(path, 4).cells):
        tags = cell.metadata.get("tags", [])
        if cell.cell_type != "code":
            continue
        texts = [] if "remove-input" in tags else [cell.source]
        for output in [] if "remove-output" in tags else cell.outputs:
            data = output.get("data", {})
            only_text = not {"text/html", "image/png", "image/svg+xml", "text/markdown"} & data.keys()
            texts.append(output.get("text", data.get("text/plain", "") if only_text else ""))
        yield from ((number, line) for text in texts for line in text.splitlines() if line.strip())


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


def test_nothing_is_cut_at_the_side_and_nothing_is_folded(page):
    """The text of a PDF also has what a box cuts off, so the boxes themselves are measured."""
    _, tab = page
    assert tab.evaluate(FOLDED) != [], "on the screen there are folds"
    tab.emulate_media(media="print")
    assert tab.evaluate(CUT) == [] and tab.evaluate(FOLDED) == []
