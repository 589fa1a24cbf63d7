"""Evidence in what is written: sentences and tables of a page draw what they say, and code stays code."""

import re

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from tools.pages.evidence import draw

PAGE = """\
Title
=====

The tree solves 64% [54%, 73%] and leads by +10 [-2, +25], *p* = 0.29. In pairs: +40 [+10, +70], n=10, p = 0.06.

Code: ``7% [3, 14]``.

.. list-table::
   :header-rows: 1

   * - name
     - rate
     - x
     - gain
   * - tree
     - 64% [54, 73]
     - -2.5
     - never
   * - chain
     - 9% [3, 14], n=40
     - 3
     - -3 [-6, -1]
"""


@pytest.fixture(scope="module")
def page():
    class App:
        class builder:
            format = "html"

    tree = publish_doctree(PAGE)
    draw(App, tree, "page")
    return tree


def glyphs(node):
    html = " ".join(raw.astext() for raw in node.findall(nodes.raw))
    return re.findall(r'class="([^"]+)" style="--m:([\d.]+)%', html)


def test_a_sentence_has_the_glyph_behind_its_numbers_and_code_has_none(page):
    first, code = list(page.findall(nodes.paragraph))[:2]
    assert glyphs(first) == [
        ("tot-ev", "64.0"),
        ("tot-ev tot-open tot-gain", "55.0"),
        ("tot-ev tot-open tot-gain", "70.0"),  # its test has the last word
    ]
    assert "+10 [−2, +25]" in first.astext() and not glyphs(code)


def test_a_table_has_estimate_and_interval_in_columns_of_their_own(page):
    table = page.next_node(nodes.table)
    assert table.next_node(nodes.tgroup)["cols"] == 8 == len(list(table.findall(nodes.colspec)))
    head, tree, chain = table.findall(nodes.row)
    assert [entry.get("morecols", 0) for entry in head.children] == [0, 2, 0, 2]
    said = [[entry.astext() for entry in row.children if "tot-glyph" not in entry["classes"]] for row in (tree, chain)]
    assert said == [
        ["tree", "64%", "[54, 73]", "−2.5", "never"],
        ["chain", "9%", "[3, 14], n=40", "3", "−3", "[−6, −1]"],
    ]
    assert glyphs(table) == [("tot-ev", "64.0"), ("tot-ev", "9.0"), ("tot-ev tot-behind tot-gain", "35.0")]
