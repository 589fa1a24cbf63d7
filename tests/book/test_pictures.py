"""No picture of a page shows text of less than 10 pixels, on a laptop or a phone; a wide one scrolls in its own box."""

import pytest

from tools.pages.figures import LEAST

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
@pytest.mark.parametrize("width", [1280, 390], ids=["laptop", "phone"])
def test_text_in_pictures_is_large_enough_to_read(html, chromium, width):
    page = chromium.new_page(viewport={"width": width, "height": 844})
    small = {}
    for file in sorted(html.glob("notebooks/*.html")) + sorted(html.glob("book/*.html")):
        page.goto(file.as_uri())
        small[file.name] = page.evaluate(SMALL_TEXT % (LEAST - 0.05))
    assert len(small) > 30 and not {name: found for name, found in small.items() if found}
