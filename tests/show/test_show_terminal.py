"""The tree as plain text, and what ``tot solve`` says of replies that could not be read.

The tests of the command line read the rest of what it prints.
"""

from xml.etree import ElementTree

import pytest
from traces import BAD, chain, hostile, large, solved, trip

from tot import Trace, doors
from tot.show import text
from tot.show.escaping import cells
from tot.show.terminal import not_read
from tot.views import drawn


def test_text_tree() -> None:
    plain = text(trip())
    assert plain.splitlines() == [
        "trip · plan a trip",
        "tot-dfs",
        "answer: museum · wrong",
        "plan a trip",
        "├─ thought 0.0       value 7.5  kept  ← path",
        "│  ├─ thought 0.0.0  answer museum  kept  wrong  ← chosen",
        "│  └─ thought 0.0.1  not valued",
        "├─ thought 0.1       value 4  pruned: no night train in November",
        "└─ thought 0.2       value 1  not kept",
    ]


@pytest.mark.parametrize("width", [40, 72, 100, 200])
def test_text_fits_the_terminal(width: int) -> None:
    for s in (solved().trace, chain(300), large(300)):
        too_wide = [one for one in text(s, width=width).splitlines() if cells(one) > width]
        assert not too_wide


def asked(role, *samples):
    return {"kind": "asked", "role": role, "nodes": [], "requests": [{"samples": [{}] * n} for n in samples]}


def read(*whys, text=""):
    return {"kind": "evaluated", "nodes": [], "unread": [{"node": "0", "why": why, "text": text} for why in whys]}


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([], ""),
        ([asked("judge", 2), read()], ""),
        ([asked("judge", 1, 2), read("dull"), asked("judge", 4), read("dull", "dull")], "3 of 7 replies (judge: dull)"),
        (
            [asked("planner", 4), read("again", "none", "again"), {"kind": "pruned", "nodes": []}, asked("judge", 1)]
            + [read("dull")],
            "3 of 4 replies (planner: again, none), 1 of 1 reply (judge: dull)",
        ),
        ([asked("generator", 9), read("no step")], "1 reply or line of one (generator: no step)"),
        ([asked("evaluator", 3), read("none")], "1 of 3 replies, counted as 0 (evaluator: none)"),
        ([asked("planner", 1), read("a", "b")], "2 replies or lines of replies (planner: a, b)"),
        ([asked("judge", 9), read("a", "b", "c", "c", "d")], "5 of 9 replies (judge: c, a, b, ...)"),
        ([asked("judge", 2), read("a", text="so\nso")], "1 of 2 replies (judge: a; the first was 'so so')"),
        ([asked("judge", 9), read("\x1b[2J\u202e" + "x" * 100)], "1 of 9 replies (judge: [2J" + "x" * 56 + "…)"),
    ],
)
def test_what_was_not_read_is_told_by_role(events, said):
    assert not_read(Trace(events=events)).replace("x", "") == said.replace("x", "")


def test_without_the_books_package_the_text_is_put_into_a_page(monkeypatch) -> None:
    monkeypatch.setattr(doors, "names", lambda group: [])
    page = drawn(hostile(), "html")
    told = ElementTree.fromstring(page.removeprefix('<meta charset="utf-8">'))
    assert not len(told) and told.text == text(hostile()) and not BAD.search(page.replace("\n", ""))
    with pytest.raises(ValueError, match="treebook"):
        drawn(hostile(), "svg")
