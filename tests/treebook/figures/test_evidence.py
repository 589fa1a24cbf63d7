"""Evidence: what is drawn is what is said, in a cell, a line and a sentence; and the test decides, not the interval."""

import re
from xml.etree import ElementTree

import pytest
from traces import BAD, HOSTILE

from tot.stats import Interval, paired
from treebook.figures.evidence import Evidence, evidence_of, minus, read
from treebook.show import results, table
from treebook.studies.results import Compared

RATE = Interval(0.64, 0.54, 0.73, 100)
GAIN = "+10% [-2%, +25%]"


def places(html):
    """(dot, left end, right end) of each glyph, as shares of its width."""
    found = re.findall(r"--m:([\d.]+)%;--l:([\d.]+)%;--w:([\d.]+)%", html)
    return [(float(m), float(low), float(low) + float(w)) for m, low, w in found]


def test_a_cell_draws_the_numbers_it_says():
    html = table([{"rate": RATE}, {"rate": None}, {"rate": Interval(1, 0.9, 1, 30)}])._repr_html_()
    assert places(html) == [(64, 54, 73), (100, 90, 100)]
    assert '<td class="tot-right">64%</td>' in html and '<td class="tot-ends">[54%, 73%]</td>'.replace("%", "") in html
    assert html.count('colspan="3"') == 2, "the head, and the cell that is no evidence"


def test_differences_have_one_zero_and_one_scale_in_a_column():
    html = table([{"gain": GAIN}, {"gain": "-30% [-42%, -25%]"}])._repr_html_()
    assert places(html) == [(60, 48, 75), (20, 8, 25)]  # from -50 to +50
    assert re.findall(r"tot-ev (\S+) tot-gain", html) == ["tot-open", "tot-behind"] and "−30%" in html


@pytest.mark.parametrize(
    ("p", "verdict"), [("0.29", "tot-open"), ("<0.001", "tot-ahead"), ("below 0.001", "tot-ahead")]
)
def test_the_test_decides_where_a_table_has_one(p, verdict):
    html = table([{"gain": "+40% [+10%, +70%]", "p": p}, {"gain": GAIN, "p": p}])._repr_html_()
    assert re.findall(r"tot-ev (\S+) tot-gain", html) == [verdict] * 2


def test_what_is_written_is_read_and_nothing_else():
    assert read("64% [54, 73]") == Evidence(64, 54, 73, "%")
    assert read("+1,200 [-2, +2,500]") == Evidence(1200, -2, 2500, "%", gain=True)
    assert read("0.83 [0.80, 0.86]") == Evidence(0.83, 0.8, 0.86) and read("2% [0, 13], k=5")
    for text in ("64%", "a[1, 2]", "64% [54]", "x 64% [54, 73]", "64% [54, 73] [1, 2]", "never", ""):
        assert read(text) is None


def test_words_after_it_give_the_verdict():
    from treebook.figures.evidence import WRITTEN

    def verdict(text):
        found = WRITTEN.search(text)
        return evidence_of(found, text[found.end() :]).verdict

    assert verdict("model +40 [+10, +70], n=10: cannot tell") == "cannot tell"
    assert verdict("-22 [-33, -11], n=100: the other way round") == "behind"
    assert verdict("+10 [-2, +25], p = 0.04") == "ahead" and verdict("+10 [-2, +25]") == "cannot tell"
    assert verdict("64% [54, 73]: agrees") == ""


def test_a_p_is_that_of_the_column_before_it_and_a_bound_below_0_is_below_0():
    lead, more = "+21% [+8%, +33%]", "+4,969 [+2,662, +7,333]"

    def drawn(row):
        return re.findall('aria-label="([^"]*)"', table([row])._repr_html_())

    assert drawn({"won": "4", "lost": "1", "p": "0.38", "tokens more": more}) == ["ahead"]
    assert drawn({"lead": lead, "p": "0.062", "alpha": "-0.20 [-0.31, -0.08]"}) == ["cannot tell", "behind"]
    assert drawn({"spent": "-2.2 [-4.5, -0.0]"}) == ["behind"]
    assert drawn({"spent": "+0.0 [+0.0, +0.1]"}) == ["cannot tell"]


def test_minus_signs_are_real_and_names_keep_their_hyphens():
    assert minus("-3 to -0.5, [-2, +4]") == "−3 to −0.5, [−2, +4]"
    for name in ("GPT-4", "tot-bfs", "2026-11-26", "b-1", "(a)-1"):
        assert minus(name) == name


def test_decimals_stand_below_each_other():
    html = table([{"x": 0.25}, {"x": -3.5}, {"x": 12}])._repr_html_()
    assert re.findall(r'tot-right">([^<]*)<', html)[1:] == ["0.25", "−3.5\u2007", "12\u2008\u2007\u2007"]


def test_result_lines_say_and_draw_the_same():
    test = paired([1] * 18 + [0] * 22, [0] * 10 + [1] * 8 + [0] * 22)
    shown = results({"a against b": test, "tree": RATE, "c": Compared(Interval(-0.2, -0.4, -0.1, 9), 0.2)})
    html = shown._repr_html_()
    d = test.difference
    # differences share a scale, from -50 to +50
    assert places(html)[0] == pytest.approx([50 + 100 * x for x in (d.rate, d.low, d.high)], abs=0.11)
    assert places(html)[1:] == [(64, 54, 73), (30, 10, 40)]
    verdicts = re.findall(r"<em>(.*?)</em>", html)
    assert verdicts == ["ahead", "", "cannot tell"], "p decides: the last interval is all below 0"
    for words in ("+25%", "45% against 20%", "10 to 0", "n = 40", "p = 0.002"):
        assert words in html and words in repr(shown)
    assert "64% [54, 73]" in repr(shown) and "c: -20% [-40, -10]\n  n = 9, p = 0.2: cannot tell" in repr(shown)
    with pytest.raises(ValueError, match="at least one"):
        results({})


def test_names_are_escaped():
    for bad in HOSTILE:
        html = results({bad: RATE})._repr_html_()
        ElementTree.fromstring(html)
        assert not BAD.search(html) and "<script" not in html
