"""Runs side by side: against their ledgers, by hand, and as drawn."""

import pytest
from matplotlib.colors import to_hex
from traces import HOSTILE, player, solved

from tot import Budget, Scripted, Trace, solve
from treebook.figures.lanes import compare, read_lanes
from treebook.figures.looks import CHOSEN, PARTS
from treebook.figures.plain_svg import plain_svg


def test_milestones_by_hand():
    """One kept state a step: three rounds of proposals, two of verdicts; the last numbers are judged by program."""
    solution = solved(breadth=1)
    [lane] = read_lanes({"one": solution})
    assert [role for role, _ in lane.parts] == ["generator", "evaluator", "generator", "evaluator", "generator"]
    so_far = [sum(tokens for _, tokens in lane.parts[:n]) for n in (2, 4, 5)]
    assert [each.at for each in lane.milestones] == so_far and lane.verdict == "right"
    assert [each.chosen for each in lane.milestones] == [False, False, True]


def test_every_lane_ends_at_the_ledger():
    runs = {"tree": solved(), "io": solved("io", k=3)}
    for lane, solution in zip(read_lanes(runs), runs.values(), strict=True):
        assert lane.total == solution.result.ledger.total.tokens


def test_how_a_run_ended_is_said():
    stopped = solve("game24", "4 9 10 13", lm=Scripted(player), budget=Budget(calls=3))
    failed = solve("game24", "4 9 10 13", lm=Scripted(["13 - 9 = 4"]))
    runs = {"stopped": stopped, "failed": failed, "done": solved("io", k=1)}
    lanes = read_lanes(runs)
    assert [lane.stopped for lane in lanes] == ["calls", "error", "done"]
    assert [bool(lane.answer) for lane in lanes] == [False, False, True] and lanes[2].verdict == "right"
    said = [text.get_text() for text in compare(runs).axes[0].texts]
    assert all(lane.name in said and lane.outcome in said for lane in lanes)
    assert "no answer" in lanes[0].outcome and "stopped: error" in lanes[1].outcome and "right: " in lanes[2].outcome
    del runs["done"].trace.result["correct"]
    assert read_lanes(runs)[2].verdict == ""


def test_two_problems_are_refused():
    other = solve("game24", "1 1 4 6", "io", lm=Scripted(player), k=1)
    with pytest.raises(ValueError, match="2 problems"):
        compare({"one": solved(), "other": other})


def test_the_picture_is_to_scale_and_legible():
    runs = {"b=5": solved(), "io": solved("io", k=3), "b=1": solved(breadth=1)}
    [ax] = compare(runs).axes
    for low, lane in enumerate(read_lanes(runs), 1):
        bars = [bar for bar in ax.patches if bar.get_y() == low]
        x = 0
        for bar, (role, tokens) in zip(bars, lane.parts, strict=True):
            assert (bar.get_x(), bar.get_width()) == (x, tokens)
            i = ("generator", "evaluator").index(role)
            assert to_hex(bar.get_facecolor()) == PARTS[i][0]
            x += tokens
        heights = {role: bar.get_height() for bar, (role, _) in zip(bars, lane.parts, strict=True)}
        assert heights["generator"] / heights.get("evaluator", heights["generator"] / 2) > 1.5, "not by shade alone"
        marks = [one for one in ax.lines if one.get_marker() == "v" and [*one.get_ydata()] == [low - 0.4]]
        full = [mark.get_xdata()[0] for mark in marks if mark.get_markerfacecolor() == CHOSEN[0]]
        assert len(marks) == len(lane.milestones) and full == [one.at for one in lane.milestones if one.chosen]
    for nothing in (compare({}), compare({"empty": Trace()})):
        assert plain_svg(nothing)


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_texts_stay_text(bad):
    def stranger(request, index):
        return f"Answer: {bad}" if index else bad

    solution = solve("game24", "4 9 10 13", "io", lm=Scripted(stranger), k=2)
    drawn = plain_svg(compare({bad: solution}))
    assert "<script" not in drawn and "<img" not in drawn and len(drawn) < 60_000
