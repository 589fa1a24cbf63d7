"""Pages keep a style sheet and a marked script once; what only looks alike is left alone."""

import re

from tools.pages.weight import once
from tot.trace import Trace
from treebook import show

TREE = Trace({"problem": "r"}, [{"kind": "expanded", "of": [], "nodes": [{"id": "0", "thought": "r"}]}])


def test_two_explorers_share_style_and_script_and_keep_their_data():
    one, other = str(show.explorer(TREE)), str(show.explorer(TREE, step="end"))
    page = once(f"<p>a</p>{one}<p>b</p>{other}")
    assert page.count("<script data-tot-once") == 1 and page.index("<script data-tot-once") < page.index("<p>b</p>")
    assert page.count('<script type="application/json">') == 2
    assert page.count("<style data-tot-once") == page.count("<style>") == 1  # its own, and the drawn tree's
    shared = sum(len(found[0]) for found in re.finditer("<style.*?</style>|<script data-tot.*?</script>", one, re.S))
    assert len(page) < 2 * len(one) - 0.9 * shared


def test_other_scripts_and_other_styles_stay():
    page = "<script>go()</script><style>a{}</style><style>b{}</style><script>go()</script><style>a{}</style>"
    assert once(page) == "<script>go()</script><style>a{}</style><style>b{}</style><script>go()</script>"
    data = '<script type="application/json">{"a": 1}</script>'
    assert once(data * 2) == data * 2
