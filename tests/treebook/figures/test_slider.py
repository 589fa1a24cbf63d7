"""Pictures behind a slider: nodes stay where they are, labels say which moment it is."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from traces import boxes, sleuthed, solved

from tot.show import svg
from treebook.figures.slider import Frames, frames


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


def test_frames_have_one_labelled_slider_and_start_at_the_first() -> None:
    root = ElementTree.fromstring(frames(solved())._repr_html_())
    slider = [*root.iter("input")]
    assert (
        len(slider) == 1
        and slider[0].get("aria-label")
        and (slider[0].get("max"), slider[0].get("value")) == ("4", "0")
    )
    assert [button.get("aria-label") for button in root.iter("button")] == ["Previous", "Next"]
    boxes_ = [e for e in root.iter("div") if "tot-frame" in e.get("class", "").split()]
    assert [e.get("data-label") for e in boxes_ if e.get("hidden") is None] == ["start"]
    assert ["tot-printed" in e.get("class", "") for e in boxes_] == [False] * 4 + [True]


def test_frames_refuse_a_wrong_number_of_labels() -> None:
    with pytest.raises(ValueError, match="a label for each, not 2 and 1"):
        Frames(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="at least one frame"):
        Frames([], [])
    assert "<input" not in Frames(["<p/>"], ["only"])._repr_html_()


def test_propagation_is_a_step():
    made = frames(sleuthed(rounds=4), every=("taken", "propagated"))
    assert any(label.startswith("propagated 1") for label in made.labels)
