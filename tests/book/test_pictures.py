"""Pictures have the book's widths and text of 10 pixels at least, on a phone 11; a wide one scrolls in its box."""

import re

import pytest

from tools.pages.figures import DRAWING, LEAST, placed
from treebook.figures.drawing import framed, written
from treebook.figures.looks import PANEL, TEXT_WIDTH, WIDE

WIDTHS = {PANEL, TEXT_WIDTH, WIDE}


def test_plots_are_as_wide_as_two_panels_the_text_or_the_text_and_its_margin(html):
    plots = {
        file.name: {
            float(width) for width in re.findall(r'<svg class="tot-plot"[^>]*?max-width:([\d.]+)px', file.read_text())
        }
        for file in html.glob("notebooks/*.html")
    }
    assert (
        sum(map(len, plots.values())) > 20 and {n: odd for n, found in plots.items() if (odd := found - WIDTHS)} == {}
    )


def test_a_wide_drawing_has_a_wide_box_whatever_is_written_in_it():
    for said in ("4 each", "$4 each"):
        drawn = framed([written(9, 9, said)], (1200, 90), least=0, title="t", about="a", css="")
        assert re.match('<div class="tot-scroll[^"]* wide"', DRAWING.sub(placed, drawn._repr_html_()))


SMALL_TEXT = """() => {
  document.querySelectorAll('details').forEach(folded => { folded.open = true })
  const found = []
  for (const text of document.querySelectorAll('article :is(svg.tot-svg, svg.tot-plot) text')) {
    const matrix = text.getScreenCTM()
    if (!matrix || !text.getBoundingClientRect().width) continue
    const shown = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b)
    if (shown < %s) found.push([text.textContent, shown.toFixed(1)])
  }
  return found
}"""


@pytest.mark.slow
@pytest.mark.parametrize("width, least", [(1280, 10.0), (390, LEAST)], ids=["laptop", "phone"])
def test_text_in_pictures_is_large_enough_to_read(html, chromium, width, least):
    page = chromium.new_page(viewport={"width": width, "height": 844})
    small = {}
    for file in sorted(html.glob("notebooks/*.html")) + sorted(html.glob("book/*.html")):
        page.goto(file.as_uri())
        small[file.name] = page.evaluate(SMALL_TEXT % (least - 0.05))
    assert len(small) > 30 and not {name: found for name, found in small.items() if found}
