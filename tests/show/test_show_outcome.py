"""What ``tot solve`` says of replies that no reader could use. The command line tests the rest of its text."""

import pytest

from tot import Trace
from tot.show.outcome import not_read


def asked(role, *samples):
    return {"kind": "asked", "role": role, "nodes": [], "requests": [{"samples": [{}] * n} for n in samples]}


def read(*whys):
    return {"kind": "evaluated", "nodes": [], "unread": [{"node": "0", "why": why, "text": "?"} for why in whys]}


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
        ([asked("planner", 1), read("a", "b")], "2 replies or lines of replies (planner: a, b)"),
        ([asked("judge", 9), read("a", "b", "c", "c", "d")], "5 of 9 replies (judge: c, a, b, ...)"),
        ([asked("judge", 9), read("\x1b[2J\u202e" + "x" * 100)], "1 of 9 replies (judge: [2J" + "x" * 56 + "…)"),
    ],
)
def test_what_was_not_read_is_told_by_role(events, said):
    assert not_read(Trace(events=events)).replace("x", "") == said.replace("x", "")
