"""Budget forcing of streams: what is subtracted, what is written into them, and what the study counted."""

import json

import pytest

from studies.figures import read
from studies.stream.forcing import CAPS, RESULTS, SHORT, WAITS, forced_stream, played
from tot import Problem, Scripted, run
from tot.lm.base import Sample
from tot.testing import check_search

X = "4 5 6 10"
FIRST = "6 - 4 = 2 (left: 2 5 10). impossible\n"
WAY = "10 - 4 = 6 (left: 5 6 6). sure\nNumbers: 5 6 6\n5 * 6 = 30 (left: 6 30). likely\nNumbers: 6 30\n"
END = "30 - 6 = 24 (left: 24)\n"
RIGHT, WRONG = "5 * (10 - 4) - 6", "5 * 6 - 4 - 10"


def told(*samples):
    """A model that says these one after the other, whatever it is asked: (text, finish, tokens)."""
    return Scripted(Sample(text, finish, tokens) for text, finish, tokens in samples)


def sent(lm):
    """What had begun in each request, and how many tokens it left."""
    return [(r.messages[2].content if len(r.messages) > 2 else "", r.max_tokens) for r in lm.requests]


def test_a_cap_of_ten_a_wait_after_six_leaves_four_and_then_an_answer_is_forced():
    lm = told((f"{FIRST}Answer: {WRONG}", "stop", 6), ("5 6 10\n6 + 5", "length", 4), (RIGHT, "stop", 3))
    result = run(forced_stream(X, cap=10, waits=1), lm)
    assert sent(lm) == [("", 10), (f"{FIRST}Numbers: ", 4), (f"{FIRST}Numbers: 5 6 10\nAnswer: ", SHORT)]
    assert result.answers == [RIGHT] and result.stopped == "done" and result.ledger.rounds == 3
    assert [node.state.answer for node in result.best[0].path] == [RIGHT, WRONG, None]


def test_without_waits_it_is_a_stream_and_a_cut_one_says_what_it_has():
    lm = told((f"{FIRST}{WAY}{END}Answer: {RIGHT}", "stop", 30))
    assert run(forced_stream(X, cap=30, waits=0), lm).answers == [RIGHT] and len(lm.requests) == 1
    lm = told((f"{FIRST}10 - 4 = 6 (le", "length", 20), ("nothing", "stop", 2))
    assert (
        run(forced_stream(X, cap=20, waits=3), lm).answers == []
    )  # it is cut: no more waits, and what was said is none
    assert sent(lm)[1] == (f"{FIRST}Answer: ", SHORT)


def test_it_keeps_the_rules_of_a_search_and_counts_the_last_answer():
    def say(request, i):
        begun = request.messages[2].content if len(request.messages) > 2 else ""
        if begun.count("Numbers: ") == 1:
            return f"{X}\n{WAY}{END}Answer: {RIGHT}"
        return f"{X if begun else FIRST.strip()}\nAnswer: {WRONG}"

    full = check_search(lambda: forced_stream(X, cap=200, waits=3), Scripted(say))
    assert full.ledger.rounds == 4
    for waits, right in ((0, 0), (1, 1), (2, 0)):  # it had been right, and was made to go on
        found = played(Scripted(say), [Problem(X, X)], cap=200, waits=waits)
        assert (found["right"], found["any"]) == ([right], [int(waits > 0)])


@pytest.mark.parametrize("kind", ["cut", "wait"])
def test_the_results_are_of_each_puzzle_and_add_up(kind):
    found = read(RESULTS)
    rows = found[kind]
    assert [*map(int, rows)] == [*(CAPS if kind == "cut" else WAITS)] and found["puzzles"] == 100
    for name, row in rows.items():
        assert {len(each) for each in row.values()} == {100}
        assert all(a <= b for a, b in zip(row["right"], row["any"], strict=True))
        most = int(name) if kind == "cut" else found["cap"]
        assert max(row["tokens"]) <= most + SHORT
    assert found["cut"][str(found["cap"])] == found["wait"]["0"] and json.dumps(found)
