"""Runs side by side: against their ledgers, by hand, and as drawn."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import strategies as st
from traces import BAD, HOSTILE, player, solved

from tot import Budget, Scripted, Trace, solve
from treebook.figures.bills import Prices
from treebook.figures.lanes import compare, read_lanes

names = st.builds("tree{}".format, st.integers(0, 10**6))


def test_milestones_by_hand():
    """One kept state a step: three rounds of proposals, two of verdicts; the last numbers are judged by program."""
    solution = solved(breadth=1)
    [lane] = read_lanes({"one": solution}, "rounds")
    assert lane.parts == [(role, 1.0) for role in ("generator", "evaluator", "generator", "evaluator", "generator")]
    assert [each.at for each in lane.milestones] == [2, 4, 5]
    assert [each.chosen for each in lane.milestones] == [False, False, True]
    assert lane.milestones[-1].text == solution.answer and lane.verdict == "right" and lane.total == 5
    [lane] = read_lanes({"one": solution})
    assert lane.total == lane.reached.at and lane.milestones[0].at < lane.total


@pytest.mark.parametrize("axis", ["tokens", "rounds", "dollars"])
def test_every_axis_ends_at_the_ledger(axis):
    runs = {"tree": solved(), "io": solved("io", k=3)}
    for lane, solution in zip(read_lanes(runs, axis, Prices(1.0, 3.0)), runs.values(), strict=True):
        bill = solution.result.ledger.total
        wanted = {"rounds": solution.result.ledger.rounds, "tokens": bill.tokens}
        wanted["dollars"] = (bill.prompt_tokens + 3 * bill.completion_tokens) / 1e6
        assert lane.total == pytest.approx(wanted[axis])


def test_how_a_run_ended_is_said():
    stopped = solve("game24", "4 9 10 13", lm=Scripted(player), budget=Budget(calls=3))
    failed = solve("game24", "4 9 10 13", lm=Scripted(["13 - 9 = 4"]))
    runs = {"stopped": stopped, "failed": failed, "done": solved("io", k=1)}
    lanes = read_lanes(runs)
    assert [lane.stopped for lane in lanes] == ["calls", "error", "done"]
    assert [bool(lane.answer) for lane in lanes] == [False, False, True] and lanes[2].verdict == "right"
    drawn = compare(runs)
    assert "no answer" in drawn and "stopped: calls" in drawn and "stopped: error" in drawn and "right: " in drawn
    del runs["done"].trace.result["correct"]
    assert read_lanes(runs)[2].verdict == ""


def test_two_problems_and_wrong_axes_are_refused():
    other = solve("game24", "1 1 4 6", "io", lm=Scripted(player), k=1)
    with pytest.raises(ValueError, match="2 problems"):
        compare({"one": solved(), "other": other})
    with pytest.raises(ValueError, match="no axis 'time'"):
        compare({"one": solved()}, "time")
    with pytest.raises(ValueError, match="prices"):
        compare({"one": solved()}, "dollars")


def test_the_picture_is_to_scale_and_legible():
    runs = {"b=5": solved(), "io": solved("io", k=3), "b=1": solved(breadth=1)}
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
    for nothing in (compare({}), compare({"empty": Trace()})):
        ElementTree.fromstring(nothing)


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_texts_stay_text(bad):
    def stranger(request, index):
        return f"Answer: {bad}" if index else bad

    solution = solve("game24", "4 9 10 13", "io", lm=Scripted(stranger), k=2)
    solution.trace.head["lm"] = bad
    for drawn in (compare({bad: solution}), compare({"one": solution}, "rounds")):
        ElementTree.fromstring(drawn)
        assert not BAD.search(drawn) and "<script" not in drawn and "<img" not in drawn and len(drawn) < 60_000
