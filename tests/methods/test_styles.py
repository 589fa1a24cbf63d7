"""The paper's style: prompts of another task object, other defaults; and the least room for a reply."""

import json

import pytest
from tiny_task import Tiny

from tot import METHODS, Ask, Node, Sample, Scripted, State, Thought, run, solve
from tot.experiments import read_results, summarise
from tot.experiments.results import aggregate, identity
from tot.lm.base import user
from tot.methods.base import PAPER


class Short(Tiny):
    """Asks for a short reply, and in the paper's style at length."""

    def io(self, state):
        return user(f"short: {state.x}", max_tokens=5)

    def in_paper_style(self):
        return Long()


class Long(Tiny):
    def io(self, state):
        return user(f"at length: {state.x}")


def test_the_style_asks_the_other_prompts_and_counts_as_a_knob():
    lm = Scripted(lambda request, i: "4")
    usual, paper = (solve(Short(), "abcd", "cot-sc", lm=lm, k=2, style=style) for style in ("", PAPER))
    assert [r.messages[0].content for r in lm.requests] == ["short: abcd", "at length: abcd"]
    assert usual.correct and paper.correct and paper.params["style"] == "paper"
    assert identity(usual.to_dict()) != identity(paper.to_dict())
    with pytest.raises(ValueError, match="cot on tiny has no style 'paper': leave it out"):
        solve(Tiny(), "abcd", "cot", lm=lm, style=PAPER)
    with pytest.raises(ValueError, match="cot on tiny has no style 'epic': choose one of paper"):
        solve(Short(), "abcd", "cot", lm=lm, style="epic")


def test_the_style_changes_the_defaults_of_other_knobs_and_no_choice_of_the_user():
    bfs = METHODS["tot-bfs"]
    assert bfs.settled({})["compose"] is True and bfs.settled({"style": PAPER})["compose"] is False
    assert bfs.settled({"style": PAPER, "compose": True})["compose"] is True
    assert bfs.settled({"style": "lean"}) == {**bfs.defaults, "style": "lean"}


def test_a_reply_that_is_cut_off_is_counted_and_the_knob_lifts_the_limit():
    def short_of_room(request, i):
        return Sample("4", "length" if request.max_tokens == 5 else "stop", 1)

    lm = Scripted(short_of_room)
    cut, whole = (solve(Short(), "abcd", "io", lm=lm, k=3, max_tokens=n) for n in (0, 60))
    assert [r.max_tokens for r in lm.requests] == [5, 60]
    assert (cut.result.cut, whole.result.cut) == (3, 0) and cut.to_dict()["cut"] == 3
    unlimited = solve(Short(), "abcd", "io", lm=lm, style=PAPER, max_tokens=60)
    assert lm.requests[-1].max_tokens is None and not unlimited.result.cut, "no limit stays no limit"
    more = solve(Short(), "abcd", "io", lm=lm, max_tokens=3)
    assert lm.requests[-1].max_tokens == 5 and more.result.cut == 1, "it never lowers a limit"
    row = aggregate("io", [cut.to_dict(), {**whole.to_dict(), "problem": "other"}])
    assert (row.n, row.cut) == (2, 3)


def test_a_line_from_before_a_knob_is_about_its_default(tmp_path):
    line = solve("game24", "4 9 10 13", "io", lm=Scripted(lambda r, i: "Answer: 1"), k=2).to_dict()
    old = {**line, "params": {"k": 2, "first": 0}}
    old.pop("cut")
    assert identity(old) == identity(line) != identity({**line, "params": {**line["params"], "max_tokens": 9}})
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps(old) + "\n" + json.dumps({**line, "problem": "1 1 1 1"}) + "\n")
    [row] = summarise(read_results(path))
    assert (row.label, row.n, row.cut) == ("io", 2, 0)


def test_a_label_names_the_style_and_not_what_it_implies():
    line = solve("game24", "4 9 10 13", "tot-bfs", lm=Scripted(lambda r, i: "?"), breadth=1).to_dict()
    settled = METHODS["tot-bfs"].settled
    lines = [
        {**line, "params": settled(params)}
        for params in ({"breadth": 1}, {"breadth": 1, "style": PAPER}, {"breadth": 1, "style": PAPER, "compose": True})
    ]
    labels = {row.label for row in summarise(lines)}
    assert labels == {"tot-bfs", "tot-bfs style=paper", "tot-bfs compose=True style=paper"}


def test_a_sample_that_two_equal_requests_share_is_counted_once():
    root = Node(State("x"))

    def search():
        nodes = root.grow([Thought("a"), Thought("b")])
        yield Ask("generator", nodes, [user("the same", max_tokens=1, n=2)] * 2)

    result = run(search(), Scripted(lambda request, i: Sample(f"{i}", "length", 1)))
    assert result.cut == 2 and [sample["text"] for sample in result.trace.samples()] == ["0", "1"]
