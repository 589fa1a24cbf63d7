"""The calculator in a real browser: turn a dial, and the bars are those of the table. Skipped without a browser."""

from itertools import product

import pytest

from treebook import show

pytestmark = pytest.mark.slow


def test_each_combination_shows_its_own_bars(chromium, tmp_path):
    dials = show.Dials(
        {"first": [("a", 0.1), ("b", 0.2), ("c", 0.3)], "second": [("low", 1), ("high", 3)]},
        lambda x, n: {"plain": x, "times": x * n},
        start={"first": "b"},
    )
    page = tmp_path / "dials.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{dials._repr_html_()}", encoding="utf-8")
    tab, trouble = chromium.new_page(), []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(page.as_uri())
    for places in product(range(3), range(2)):
        for dial, place in enumerate(places):
            tab.locator("input").nth(dial).evaluate(
                "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }", place
            )
        shown = [int(text.removesuffix("%")) for text in tab.locator(".tot-bar b").all_inner_texts()]
        assert shown == list(dials.at(*places).values())
        said = tab.locator("output").all_inner_texts()
        assert said == ["abc"[places[0]], ("low", "high")[places[1]]]
    assert trouble == []
