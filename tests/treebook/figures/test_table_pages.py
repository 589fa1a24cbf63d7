"""Tables in a notebook: escaped in every form, with rows that are marked."""

import re
from xml.etree import ElementTree

import pytest
from traces import BAD, HOSTILE

from treebook.show import table


def test_tables_are_escaped_in_every_form() -> None:
    for bad in HOSTILE:
        made = table([{"name": bad, "n": 3, "ok": True, "none": None}], caption=bad)
        ElementTree.fromstring(made._repr_html_())
        assert not BAD.search(made._repr_html_() + str(made).replace("\n", "") + made.markdown().replace("\n", ""))
        assert "<script" not in made._repr_html_() and "<" not in made.markdown()
        header, _, row = made.markdown().split("\n")[:3]
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(re.findall(r"\|", header)) == 5


LIVE = (
    "[me](https://example.org)", "![me](javascript:alert(1))", "$\\sqrt{2}$", "$$x$$", "{eval-rst}`x`", "*x*",
    "<b>x</b>", "[x][y]",
    "``[me](x)", "```[me](x)`", "\\[me](x)", "\\`[me](x)`", "`a\\|b`", "a\\|b", "`x`[me](x)`", "\\", "`[me](x)",
    "{{ x }}",
)  # fmt: skip


@pytest.mark.parametrize("name", LIVE)
def test_the_name_of_a_model_is_words_in_markdown(name):
    """As MyST reads it, which has formulas and roles; code between backticks stays code."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.myst_role import myst_role_plugin

    reader = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin).use(myst_role_plugin)
    shown = reader.parse(table([{"lm": name, "n": 3}], caption=name).markdown())
    inline = [token for token in shown if token.type == "inline"]
    assert len(inline) == 5, "two heads, two cells, the caption"
    for token in (inline[2], inline[4]):
        assert {part.type for part in token.children} <= {"text", "text_special", "code_inline"}, token.content
        assert "".join(part.content for part in token.children).replace("`", "") == name.replace("`", "")


ROWS = [{"method": "io", "n": 1}, {"method": "tot", "n": 2}]


@pytest.mark.parametrize("highlight", [1, -1, lambda row: row["n"] == 2])
def test_a_highlighted_row_is_marked_by_more_than_colour(highlight):
    shown = table(ROWS, highlight=highlight)
    assert shown.lit == (1,)
    assert [line.endswith("◂") for line in repr(shown).splitlines()] == [False, False, False, True]
    assert "| --- | ---: |\n| io | 1 |\n| **tot** | **2** |" in shown.markdown()
    html = shown._repr_html_()
    assert '<tr class="tot-lit"><td>tot</td>' in html and html.count('class="tot-lit"') == 1


def test_without_a_highlighted_row_nothing_is_different():
    none = table(ROWS, highlight=lambda row: False)
    assert table(ROWS) == none and 'class="tot-lit"' not in none._repr_html_()


def test_a_row_that_is_not_there_cannot_be_highlighted():
    with pytest.raises(IndexError):
        table(ROWS, highlight=2)


def test_words_between_backticks_are_code_and_still_escaped():
    html = table([{"what": "rank 3 of `all <b>`, not one `"}])._repr_html_()
    assert "<td>rank 3 of <code>all &lt;b&gt;</code>, not one `</td>" in html


def test_only_a_long_text_may_take_several_lines():
    page = table([{"short": "x" * 40, "long": "word " * 9, "n": 1}])._repr_html_()
    assert re.findall(r'<td class="tot-long">(\w+)', page) == ["word"] and ".tot-long{white-space:normal" in page
