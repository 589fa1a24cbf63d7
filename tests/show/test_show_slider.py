"""Pictures behind a slider: nodes stay where they are, labels say which moment it is."""

from itertools import pairwise
from xml.etree import ElementTree

import planners
import pytest
from traces import boxes, sleuthed, solved

from tot import Trace, solve
from tot.show import Frames, frames, phases, svg


def test_frames_grow_in_place() -> None:
    s = solved(breadth=2)
    made = frames(s)
    assert made.labels == ["start", *(f"best {i} (2 thoughts)" for i in (1, 2, 3, 4))]
    places = [set(boxes(frame)) for frame in made.frames]
    for before, after in pairwise(places):
        assert before < after, "a node moved, or nothing happened"
    assert made.frames[-1] == svg(s)
    first = next(i for i, event in enumerate(s.trace.events, 1) if event["kind"] == "best")
    assert made.frames[1] == svg(s, upto=first)


def test_frames_have_one_labelled_slider_and_show_the_last_without_script() -> None:
    root = ElementTree.fromstring(frames(solved())._repr_html_())
    slider = [*root.iter("input")]
    assert len(slider) == 1 and slider[0].get("aria-label") and slider[0].get("max") == "4" == slider[0].get("value")
    shown = [e for e in root.iter("div") if "tot-frame" in e.get("class", "").split() and e.get("hidden") is None]
    assert [e.get("data-label") for e in shown] == ["best 4 (5 thoughts)"]


def test_frames_refuse_a_wrong_number_of_labels() -> None:
    with pytest.raises(ValueError, match="a label for each, not 2 and 1"):
        Frames(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="at least one frame"):
        Frames([], [])
    assert "<input" not in Frames(["<p/>"], ["only"])._repr_html_()


def test_propagation_is_a_step():
    made = frames(sleuthed(rounds=4), every=("taken", "propagated"))
    assert any(label.startswith("propagated 1") for label in made.labels)


def test_the_four_phases_of_each_rollout():
    run = solve("gsm8k", planners.X, "mcts-plan", lm=planners.team(), rollouts=4, revisions=2)
    found = phases(run, 3)
    assert isinstance(found, Frames) and found.labels == [
        "rollout 1, selection: 0.0",
        "rollout 1, simulation: 0.0",
        "rollout 1, backpropagation: 0.0",
        "rollout 2, selection: 0.0",
        "rollout 2, expansion: 0.0.0, 0.0.1",
        "rollout 2, simulation: 0.0.0",
        "rollout 2, backpropagation: 0.0.0, 0.0",
        "rollout 3, selection: 0.0.1",
        "rollout 3, simulation: 0.0.1",
        "rollout 3, backpropagation: 0.0.1, 0.0",
    ]
    assert phases(run).labels[-1].startswith("rollout 4") and len(set(found.frames)) == len(found.frames)
    for trace in (Trace(), solve("gsm8k", planners.X, "plan-and-solve", lm=planners.team())):
        with pytest.raises(ValueError, match="no Monte Carlo search"):
            phases(trace)
