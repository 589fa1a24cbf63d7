"""Runs side by side: against their ledgers, by hand, and as drawn."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import make_mcts, oracle
from traces import BAD, HOSTILE, player, sleuthed, solved

from tot import Budget, Scripted, Trace, run, solve
from tot.trace import tool_bill
from treebook.figures.bills import Prices
from treebook.figures.lanes import compare, read_lanes

names = st.builds("tree{}".format, st.integers(0, 10**6))


def test_milestones_by_hand():
    """One kept state a step: three rounds of proposals, two of verdicts; the last numbers are judged by program."""
    solution = solved(breadth=1)
    [lane] = read_lanes([solution], "rounds")
    assert lane.parts == [(role, 1.0) for role in ("generator", "evaluator", "generator", "evaluator", "generator")]
    assert [moment.at for moment in lane.moments] == [2, 4, 5]
    assert [moment.chosen for moment in lane.moments] == [False, False, True]
    assert lane.moments[-1].text == solution.answer and lane.verdict == "right" and lane.total == 5
    [lane] = read_lanes([solution], "calls")
    assert lane.total == lane.reached.at == solution.result.ledger.total.calls and lane.moments[0].at < lane.total


@settings(max_examples=25)
@given(names, st.integers(2, 30))
def test_a_budget_shows_the_same_beginning(x, calls):
    search = make_mcts(x, rollouts=20, depth=3)
    whole, cut = run(search(), oracle()), run(search(), oracle(), budget=Budget(calls=calls))
    [full], [short] = read_lanes([whole], "calls"), read_lanes([cut], "calls")
    assert short.parts == full.parts[: len(short.parts)] and short.total <= calls
    assert short.total == cut.ledger.total.calls and full.total == whole.ledger.total.calls
    assert full.reached is not None and full.reached.at <= full.total
    assert [m.at for m in full.moments] == sorted(m.at for m in full.moments)


@pytest.mark.parametrize("axis", ["tokens", "prompt_tokens", "completion_tokens", "calls", "rounds", "dollars"])
def test_every_axis_ends_at_the_ledger(axis):
    runs = [solved(), solved("io", k=3)]
    prices = Prices(1.0, 3.0)
    for lane, solution in zip(read_lanes(runs, axis, prices), runs, strict=True):
        bill = solution.result.ledger.total
        wanted = {"rounds": solution.result.ledger.rounds, "tokens": bill.tokens, "calls": bill.calls}
        wanted |= {"prompt_tokens": bill.prompt_tokens, "completion_tokens": bill.completion_tokens}
        wanted["dollars"] = (bill.prompt_tokens + 3 * bill.completion_tokens) / 1e6
        assert lane.total == pytest.approx(wanted[axis])


def test_tools_have_an_axis():
    tools = sleuthed(rounds=4)
    [lane] = read_lanes([tools], "tool_cost")
    assert lane.total == tool_bill(tools.trace)["total"] and lane.reached.at <= lane.total
    assert ">evaluator<" not in compare([tools], "tool_cost") and ">evaluator<" in compare([tools])


def test_names_tell_runs_apart():
    runs = [solved(breadth=1), solved(breadth=5), solved("io", k=1), solved("io", k=1)]
    assert [lane.name for lane in read_lanes(runs)] == ["tot-bfs breadth=1", "tot-bfs breadth=5", "io", "io (2)"]
    assert [lane.name for lane in read_lanes({"a": runs[0], "b": runs[2]})] == ["a", "b"]


def test_how_a_run_ended_is_said():
    stopped = solve("game24", "4 9 10 13", lm=Scripted(player), budget=Budget(calls=3))
    failed = solve("game24", "4 9 10 13", lm=Scripted(["13 - 9 = 4"]))
    lanes = read_lanes([stopped, failed, solved("io", k=1)])
    assert [lane.stopped for lane in lanes] == ["calls", "error", "done"]
    assert [bool(lane.answer) for lane in lanes] == [False, False, True] and lanes[2].verdict == "right"
    drawn = compare([stopped, failed, solved("io", k=1)])
    assert "no answer" in drawn and "stopped: calls" in drawn and "stopped: error" in drawn and "right: " in drawn
    unchecked = solved("io", k=1)
    del unchecked.trace.result["correct"]
    assert read_lanes([unchecked])[0].verdict == ""


def test_two_problems_and_wrong_axes_are_refused():
    other = solve("game24", "1 1 4 6", "io", lm=Scripted(player), k=1)
    with pytest.raises(ValueError, match="2 problems"):
        compare([solved(), other])
    with pytest.raises(ValueError, match="no axis 'time'"):
        compare([solved()], "time")
    with pytest.raises(ValueError, match="prices"):
        compare([solved()], "dollars")


def test_the_picture_is_to_scale_and_legible():
    runs = [solved(), solved("io", k=3), solved(breadth=1)]
    drawn = compare(runs)
    ElementTree.fromstring(drawn)
    assert drawn == compare(runs) and drawn.about.count("right") >= 1 and 'role="img"' in drawn
    rects = re.findall(r'<rect class="tot-part-(\d)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"', drawn)
    ends = [float(x) for x in re.findall(r'class="tot-end" d="M([\d.]+) ', drawn)]
    spent_ = [lane.total for lane in read_lanes(runs)]
    left = min(float(x) for _, x, _, _ in rects)
    assert [(end - left) / (ends[0] - left) for end in ends] == pytest.approx([s / spent_[0] for s in spent_], abs=1e-3)
    heights = {kind: {float(height) for one, _, _, height in rects if one == kind} for kind in "01"}
    assert max(heights["0"]) / max(heights["1"]) > 1.5  # shade and height both tell the role, also in the legend
    hits = [float(x) for x in re.findall(r'class="tot-full" d="M([\d.]+) ', drawn)]
    reached = [lane.reached.at for lane in read_lanes(runs)]
    wanted = [left + at / spent_[0] * (ends[0] - left) - 5 for at in reached]
    assert hits[: len(runs)] == pytest.approx(wanted, abs=0.11)
    for nothing in (compare([]), compare([Trace()])):
        ElementTree.fromstring(nothing)


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_texts_stay_text(bad):
    def stranger(request, index):
        return f"Answer: {bad}" if index else bad

    solution = solve("game24", "4 9 10 13", "io", lm=Scripted(stranger), k=2)
    solution.trace.head["lm"] = bad
    for drawn in (compare({bad: solution}), compare([solution], "rounds")):
        ElementTree.fromstring(drawn)
        assert not BAD.search(drawn) and "<script" not in drawn and "<img" not in drawn and len(drawn) < 60_000
