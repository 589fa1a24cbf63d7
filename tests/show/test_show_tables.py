"""Tables: of results, with problems that failed; of tool calls, open lists and visits; escaped in every form."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from traces import BAD, HOSTILE, solved

from tot import show
from tot.experiments import summarise
from tot.show import results_table, table


def test_the_table_of_results_shows_what_is_not_0() -> None:
    [row] = summarise([solved("io", k=2).to_dict()])
    made = results_table([row])
    assert " ".join(made.columns) == "method lm n correct mean first any calls rounds nodes tokens"
    assert made.cells[0][:4] == ("io", "scripted", "1", str(row.correct)) and made.cells[0][5:7] == ("100%", "100%")
    assert made.right == (False, False, *[True] * 9)
    assert results_table([replace(row, mean=None)]).columns == tuple(name for name in made.columns if name != "mean")
    every = replace(row, dollars=0.5, path=1.0, spent=2.5, unread=1, errors=2, stopped=3)
    assert results_table([row, every]).columns[-6:] == ("dollars", "path", "spent", "unread", "errors", "stopped")
    assert results_table([row, every]).cells[1][-6:] == ("0.5", "1", "2.5", "1", "2", "3")
    assert results_table([replace(row, tokens=123.4)]).cells[0][-1] == "123"
    assert "task" in results_table([row, replace(row, task="x")]).columns and results_table([]).cells == ()


def test_tables_are_escaped_in_every_form() -> None:
    for bad in HOSTILE:
        made = table([{"name": bad, "n": 3, "ok": True, "none": None}], caption=bad)
        ElementTree.fromstring(made._repr_html_())
        assert not BAD.search(made._repr_html_() + str(made).replace("\n", "") + made.markdown().replace("\n", ""))
        assert "<script" not in made._repr_html_() and "<" not in made.markdown()
        header, _, row = made.markdown().split("\n")[:3]
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(re.findall(r"\|", header)) == 5
    assert table([{"a": 1, "b": "x"}], {"b": "B"}).columns == ("B",)
    assert str(table([{"a": 12000, "b": None}])) == "     a  b\n------  -\n12,000  –"


ROWS = [{"method": "io", "n": 1}, {"method": "tot", "n": 2}]


@pytest.mark.parametrize("highlight", [1, -1, lambda row: row["n"] == 2])
def test_a_highlighted_row_is_marked_by_more_than_colour(highlight):
    shown = table(ROWS, highlight=highlight)
    assert shown.lit == (1,)
    assert [line.endswith("◂") for line in str(shown).splitlines()] == [False, False, False, True]
    assert "| **tot** | **2** |" in shown.markdown() and "| io | 1 |" in shown.markdown()
    html = shown._repr_html_()
    assert '<tr class="tot-lit"><td>tot</td>' in html and html.count('class="tot-lit"') == 1
    assert "font-weight:650" in html


def test_without_a_highlighted_row_nothing_is_different():
    assert table(ROWS) == table(ROWS, highlight=lambda row: False) and "tot-lit" not in table(ROWS)._repr_html_()


def test_a_row_that_is_not_there_cannot_be_highlighted():
    with pytest.raises(IndexError):
        table(ROWS, highlight=2)


def test_words_between_backticks_are_code_and_still_escaped():
    html = table([{"what": "rank 3 of `all <b>`, not one `"}])._repr_html_()
    assert "<td>rank 3 of <code>all &lt;b&gt;</code>, not one `</td>" in html


def test_only_a_long_text_may_take_several_lines():
    page = show.table([{"short": "x" * 40, "long": "word " * 9, "n": 1}])._repr_html_()
    assert re.findall(r'<td class="tot-long">(\w+)', page) == ["word"] and ".tot-long{white-space:normal" in page
