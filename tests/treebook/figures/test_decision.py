"""The decision picture."""

import re

import pytest

from tot.stats import Interval
from treebook.figures.decision import Branch, Decision

RATES = {"tree": Interval(0.61, 0.51, 0.70, 100), "vote <5>": Interval(0.2, 0.1, 0.35, 100)}


def test_cards_have_rule_rates_and_spans():
    html = Decision(
        "Who checks?", [Branch("nobody", "vote"), Branch("a program", "sample", "cheap", RATES)]
    )._repr_html_()
    assert html.count("<section>") == 2 and html.index("nobody") < html.index("a program")
    assert re.findall(r'<i style="width:(\d+)%"', html) == ["61", "20"]
    assert re.findall(r"left:(\d+)%;width:(\d+)%", html) == [("51", "19"), ("10", "25")]
    assert "vote &lt;5&gt;" in html


def test_as_text():
    shown = repr(Decision("Who?", [Branch("a program", "sample", "cheap", RATES, "pocket, n = 100")]))
    assert shown.splitlines()[:2] == ["Who?", "  a program: sample"] and "61% [51%, 70%]" in shown


def test_what_is_passed_is_escaped():
    html = Decision("<b>?", [Branch("<b>a", "<b>r", "<b>w", {"<b>n": RATES["tree"]}, "<b>s")])._repr_html_()
    assert html.count("&lt;b&gt;") == 6


def test_no_branches_no_picture():
    with pytest.raises(ValueError, match="at least one"):
        Decision("Who?", [])
