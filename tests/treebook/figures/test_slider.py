"""Pictures behind a slider: one is shown at a time, beside its label."""

from xml.etree import ElementTree

import pytest

from treebook.figures.slider import Frames


def test_frames_have_one_labelled_slider_and_start_at_the_first() -> None:
    root = ElementTree.fromstring(Frames(["<p/>"] * 5, ["start", *"abcd"])._repr_html_())
    [slider] = root.iter("input")
    assert slider.get("aria-label") and (slider.get("max"), slider.get("value")) == ("4", "0")
    assert [button.get("aria-label") for button in root.iter("button")] == ["Previous", "Next"]
    boxes = [e for e in root.iter("div") if "tot-frame" in e.get("class", "").split()]
    assert [e.get("data-label") for e in boxes if e.get("hidden") is None] == ["start"]
    assert ["tot-printed" in e.get("class", "") for e in boxes] == [False] * 4 + [True]


def test_frames_refuse_a_wrong_number_of_labels() -> None:
    for frames, labels in ((["a", "b"], ["a"]), ([], [])):
        with pytest.raises(ValueError, match="at least one frame and a label for each"):
            Frames(frames, labels)
    assert "<input" not in Frames(["<p/>"], ["only"])._repr_html_()
