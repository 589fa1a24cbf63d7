"""Formulas are drawn while the book is built: what they look like is checked by eye, what they are made of here."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from conftest import ROOT

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


def test_an_unknown_command_fails_the_build_with_its_place(tmp_path):
    conf = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nextensions = ['myst_parser', 'tools.pages.maths']\n"
    (tmp_path / "conf.py").write_text(conf + "myst_enable_extensions = ['dollarmath']\n")
    (tmp_path / "index.md").write_text("# Title\n\nA good one, $x^2$.\n\nA bad one, $\\qwerty{x}$.\n")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(tmp_path), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "index.md:5: " in done.stderr.replace("\\", "/") and r"\qwerty" in done.stderr
