"""Dials over a function that was computed beforehand."""

import json
import re
from html import unescape

import pytest

from treebook.figures.dials import Dials

DIALS = {"first": [("a", 0.1), ("b", 0.2), ("c", 0.3)], "second": [("low", 1), ("high", 3)]}


def shares(x, n):
    return {"plain": x, "times": x * n}


def table(html):
    return json.loads(unescape(re.search(r'data-table="([^"]*)"', html)[1]))


def test_the_page_holds_the_same_table_and_the_script_its_order():
    """What the script does: i = i * labels + value for each dial that the row hangs on, then its shares[i]."""
    dials = Dials(DIALS, shares, start={"second": "high"})
    found = table(dials._repr_html_())
    assert found["labels"] == [["a", "b", "c"], ["low", "high"]]
    assert [shares[2 * 2 + 1] for _, shares in found["rows"]] == [30, 90] == list(dials.at(2, 1).values())
    assert '<i style="width:30%"></i></s><b>30%</b>' in dials._repr_html_()  # the start: 0.1 x 3


def test_a_row_hangs_on_some_dials_and_few_values_are_buttons():
    rows = {"second": (["second"], lambda n: n / 4), "both": (["second", "first"], lambda n, x: n * x)}
    dials = Dials(DIALS | {"third": [(str(i), i) for i in range(9)]}, rows, start={"third": "8"})
    assert dials.rows["second"] == ([1], [25, 75]) and dials.rows["both"] == ([1, 0], [10, 20, 30, 30, 60, 90])
    assert dials.at(2, 1, 4) == {"second": 75, "both": 90}
    html = dials._repr_html_()
    assert html.count('type="radio"') == 5 and html.count('type="range"') == 1 and html.count(" checked") == 2


def test_as_text_the_bars_of_the_start():
    assert repr(Dials(DIALS, shares, start={"first": "b"})) == "first: b, second: low\n   20%  plain\n   20%  times"


def test_where_there_is_no_share_the_row_says_so():
    dials = Dials({"x": [("a", None), ("b", 0.5)]}, lambda x: {"row": x}, start={"x": "a"})
    html = dials._repr_html_()
    assert table(html)["rows"] == [[[0], [None, 50]]] and '<i style="width:0%"></i></s><b>n/a</b>' in html
    assert repr(dials) == "x: a\n   n/a  row"


def test_what_users_pass_is_escaped():
    html = Dials({'<b>"': [("<i>", 0.5)]}, lambda x: {"<script>": x}, name="<u>")._repr_html_()
    assert not re.search(r"<script>|<u>|<b>\"|<i>(?!</)", html)


@pytest.mark.parametrize(
    "wrong, why",
    [
        (lambda: Dials({}, shares), "at least one dial"),
        (lambda: Dials({"x": []}, shares), "at least one value"),
        (lambda: Dials(DIALS, shares, start={"first": "z"}), "cannot start at 'z'"),
        (lambda: Dials({"x": [("a", "a"), ("b", "b")]}, lambda x: {x: 0.5}), "same rows"),
        (
            lambda: Dials({"x": [(str(i), i) for i in range(200)]} | {"y": [(str(i), i) for i in range(200)]}, shares),
            "40,000",
        ),
    ],
)
def test_wrong_dials_are_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        wrong()
