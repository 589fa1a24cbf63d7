"""A plot as SVG text: small, the same twice, and in the page with both themes and legible text."""

import re
from xml.etree import ElementTree

import pytest

from tools.pages.figures import LEAST, dark_css, natural, part_of_page
from tot.stats import wilson
from treebook.figures import plots
from treebook.figures.plain_svg import plain_svg
from treebook.figures.plot_style import METHODS

pytest.importorskip("matplotlib")
ROWS = [
    {"method": m, "tokens": t, "rate": wilson(n, 40), "label": f"k={t // 100}"}
    for m, t, n in (("CoT", 100, 9), ("CoT", 300, 20), ("ToT b=5", 250, 31))
]


def drawn():
    return plain_svg(plots.success_by_cost(ROWS))


def test_the_same_numbers_give_the_same_text():
    one = drawn()
    assert one == drawn()
    root = ElementTree.fromstring(one)
    texts = {"".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")}
    assert {"CoT", "ToT b=5", "k=1", "tokens per problem"} <= texts  # letters are letters
    assert not re.search(r"\d\.\d{3,}", one) and len(one) < 20_000
    assert "DejaVu Sans'; " not in one and "<!--" not in one and "metadata" not in one
    ids = re.findall(r'\bid="([^"]+)"', one)
    assert ids == [f"p{i}" for i in range(1, len(ids) + 1)]
    assert {a or b for a, b in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', one)} <= {*ids}


def test_a_plot_becomes_a_part_of_the_page():
    markup, colours = part_of_page(drawn(), 'rises "steeply" & fast', "fig3")
    root = ElementTree.fromstring(markup)
    assert root.get("role") == "img" and root.get("aria-label") == 'rises "steeply" & fast'
    assert METHODS["cot"].colour[0] in colours and "#ffffff" in colours
    assert not re.search(r"(?:fill|stroke): #", markup)  # every colour is a variable
    css = dark_css(colours)
    assert f"--tot-{METHODS['cot'].colour[0][1:]}:{METHODS['cot'].colour[1]}" in css and css.startswith(
        "<style>@media screen"
    )
    assert set(re.findall(r'\bid="([^"]+?)-p\d+"', markup)) == {"fig3"}


def test_text_never_gets_smaller_than_a_page_allows():
    text = drawn()
    width, least = natural(text)
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", text)]
    scale = least / float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1])
    assert min(sizes) * scale == pytest.approx(LEAST) and least < width
    tiny = text.replace("font-size: 9px", "font-size: 5px")
    wide, need = natural(tiny)
    assert wide == need > width  # shown larger than it was drawn
