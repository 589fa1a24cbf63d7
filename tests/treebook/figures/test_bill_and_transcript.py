"""The bill in one scale, and dialogues: drawn is what the ledger says; model text is escaped, mistakes are marked."""

import re
from xml.etree import ElementTree

import pytest
from traces import BAD, HOSTILE

import tot
from treebook.figures.bill import FULL, Bill
from treebook.show import bill, ledger, transcript


@pytest.fixture(scope="module")
def run():
    lm = tot.Scripted(lambda request, sample: "(1 + 2 + 3) * 4 = 24")
    return tot.solve("game24", "1 2 3 4", "io", lm=lm)


def test_a_bar_is_as_long_as_the_ledger_says(run):
    shown = bill({"io": run})
    total = run.result.ledger.total
    drawn = [float(x) for x in re.findall(r'<i style="width:([\d.]+)%', shown._repr_html_())]
    tokens = total.prompt_tokens, total.completion_tokens
    assert drawn == [pytest.approx(100 * x / FULL, abs=0.06) for x in tokens] and sum(tokens) > 0
    assert f'<u style="width:{5 * run.result.ledger.rounds}px' in shown._repr_html_()
    assert str(ledger(run)) in repr(shown) and ledger(run)._repr_html_() in shown._repr_html_()


def test_runs_of_one_method_under_two_names_are_two_rows(run):
    twice = tot.solve("game24", "1 2 3 4", "io", lm=tot.Scripted(lambda request, sample: "(1 + 2 + 3) * 4 = 24"), k=2)
    shown = repr(bill({"once": run, "<b>twice</b>": [twice, twice]}))
    assert str(ledger({"once": [run], "<b>twice</b>": [twice]})) in shown and "once" in shown


def test_beside_a_longer_bar_all_are_drawn_at_its_scale():
    html = Bill({"long": (3 * FULL, FULL, 1), "short": (0.1 * FULL, 0.3 * FULL, 1)})._repr_html_()
    assert re.findall(r'<i style="width:([\d.]+)%', html) == ["75.0", "25.0", "2.5", "7.5"]
    assert "25% of the usual scale" in html


def test_a_bill_of_nothing_is_refused():
    for nothing in ({}, {"io": []}):
        with pytest.raises(ValueError, match="at least one run"):
            bill(nothing)


def test_a_dialogue_is_escaped_and_marks_the_mistake():
    shown = transcript([("asked", "1 3 < 4?"), ("model", "1 + 3 <b>= 5</b>, so 24")], wrong=["<b>= 5</b>"])
    html = shown._repr_html_()
    assert "<mark>&lt;b&gt;= 5&lt;/b&gt;</mark>" in html and "<p>1 3 &lt; 4?</p>" in html
    assert "asked: 1 3 < 4?" in repr(shown) and "wrong: <b>= 5</b>" in repr(shown)
    with pytest.raises(ValueError, match="no turn says"):
        transcript([("model", "yes")], wrong=["no"])
    for bad in HOSTILE:
        html = transcript([(bad, bad)])._repr_html_()
        ElementTree.fromstring(html)
        assert not BAD.search(html) and "<script" not in html


def test_what_is_cut_says_so():
    html = transcript([("model", "a" * 50 + "b" * 50)], most=20)._repr_html_()
    assert re.search(r'<p>a{10} <small title="cut here">\[…\]</small> b{10}</p>', html)
