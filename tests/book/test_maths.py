"""Formulas are drawn while the book is built: what they look like is checked by eye, what they are made of here."""

import re
import xml.etree.ElementTree as ET

import pytest

from tools.pages.maths import Formulas, NotDrawn, mathml


def test_a_formula_shares_its_letters_with_the_page_and_says_its_tex():
    formulas = Formulas()
    svg = formulas.draw(r"x < \frac{x}{y}", inline=True)
    element = ET.fromstring(svg)
    assert element.get("aria-label") == r"x < \frac{x}{y}" and element.get("role") == "img"
    assert re.search(r"vertical-align:-0\.\d+em", element.get("style"))
    sprite = ET.fromstring(formulas.sprite(svg))
    letters = {symbol.get("id") for symbol in sprite}
    assert {use.get("href")[1:] for use in element.iter("use")} == letters and len(letters) == 3  # x, <, y
    assert "currentColor" not in svg  # the style sheet fills it with the colour of the text
    assert formulas.sprite("<p>no formula</p>") == ""


@pytest.mark.parametrize("tex", [r"\foo x", r"\frac{1}", r"x_{", r"\left( x", r"\text{a} \baz"])
def test_what_cannot_be_drawn_is_refused(tex):
    with pytest.raises(NotDrawn):
        Formulas().draw(tex, inline=True)


def texts(tex, inline=True):
    return [(e.tag.rpartition("}")[2], e.text, e.get("lspace")) for e in mathml(tex, inline).iter() if e.text]


def test_spaces_are_those_of_tex():
    assert ("mo", "∼", None) in texts(r"y \sim p")  # a relation, and no name
    assert ("mo", "⋯", "thinmathspace") in texts(r"1 + \dots + n")
    assert ("mo", "…", "thinmathspace") in texts(r"1, \dots, n")
    assert ("mo", "−", "0") in texts("H = - x")
    assert ("mo", "−", None) in texts("1 - x") and ("mo", "−", None) in texts("(a) - x")
    assert ("mn", "𝟙", None) in texts(r"\mathbb{1}")
    assert ("mo", ",", "0") in texts("a, b")


def test_every_letter_of_every_page_is_there_and_no_page_loads_a_program_for_them(html):
    formulas = 0
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        symbols = re.findall(r'<symbol id="(tex-[0-9a-f]{8})"', text)
        assert set(re.findall(r'href="#(tex-[0-9a-f]{8})"', text)) == set(symbols), page.name
        assert len(symbols) == len(set(symbols)), page.name
        assert "mathjax" not in re.sub(r'class="[^"]*"', "", text).lower(), page.name
        assert r"\(" not in re.sub(r"<(pre|code|script|textarea).*?</\1>", "", text, flags=re.S), page.name
        formulas += text.count('class="tot-formula"')
    assert formulas > 400
