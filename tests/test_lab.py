"""The lab: knobs search again, mistakes are told, and the static page shows what was recorded."""

from pathlib import Path

import pytest

from tot import Cassette, LMError, Scripted, show, solve, user
from tot.lab import AtTemperature, Lab, Stepper
from tot.lm.pocket import Pocket
from tot.tasks.crosswords_simulated import SimulatedSolver

CASSETTE = Path(__file__).parent.parent / "notebooks" / "cassettes" / "06_pocket.jsonl"
SETTINGS = [{"breadth": 1}, {"breadth": 5, "proposals": 2}]


@pytest.fixture
def lab():
    return Lab(recorded=Cassette(CASSETTE), live=Pocket(), problem="2 3 7 10", settings=SETTINGS)


def test_the_static_page_has_a_picture_for_each_setting(lab):
    shown = lab.frames()
    assert len(shown.frames) == 2 and all("<svg" in frame for frame in shown.frames)
    assert shown.labels[0].startswith("breadth 1: not solved") and "proposals 2: solved: " in shown.labels[1]


def test_a_setting_that_was_not_recorded_says_so():
    with pytest.raises(LMError, match="not in 06_pocket.jsonl"):
        Lab(recorded=Cassette(CASSETTE), live=Pocket(), problem="2 3 7 10", settings=[{"proposals": 6}]).frames()


def test_each_knob_searches_again(lab):
    *knobs, outcome, tree = lab.widget().children
    knob = {k.description.split()[0]: k for k in knobs}
    assert "not solved" in outcome.value and "<svg" in tree.value
    before = tree.value
    knob["propose"].value = 3
    assert tree.value != before and "solved" in outcome.value
    for name, value in {"prune": True, "breadth": 1, "verdicts": 1, "other": 10, "temperature": 1.4}.items():
        before = outcome.value, tree.value
        knob[name].value = value
        assert (outcome.value, tree.value) != before, name
    knob["puzzle"].value = "4 9 <b>10</b>"
    assert "four whole numbers" in outcome.value and "<b>10" not in outcome.value and tree.value == ""
    knob["puzzle"].value = "4 9 10 13"
    assert "<svg" in tree.value


def test_where_widgets_live_the_panel_is_shown_and_else_the_frames(lab):
    bundle = lab._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "tot-frames" in bundle["text/html"]
    assert bundle["text/plain"] == "<Lab: 2 3 7 10, pocket>"


def test_the_temperature_knob_changes_every_request():
    lm = Scripted(lambda request, i: f"{request.temperature}")
    warm = AtTemperature(lm, 1.5)
    assert warm([user("x"), user("y", temperature=0.0)])[1].texts == ("1.5",) and warm.name == lm.name


def test_a_stepper_shows_the_frame_that_its_slider_names():
    boards = show.boards(solve("crosswords", "mini-02", lm=SimulatedSolver(), steps=6))
    bar, picture = Stepper(boards).widget().children
    play, slider, label = bar.children
    assert (slider.min, slider.max, play.max) == (0, 5, 5) and "step 1 of 6" in label.value
    for step in (3, 0, 5):
        slider.value = step
        assert boards.frames[step] in picture.value and f"step {step + 1} of 6" in label.value and play.value == step
    play.value = 2  # playing moves the slider
    assert slider.value == 2 and boards.frames[2] in picture.value


def test_a_stepper_in_a_page_is_its_frames():
    frames = show.Frames(["<b>one</b>", "<b>two</b>"], ["a <i>", "b"])
    bundle = Stepper(frames)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and bundle["text/html"] == frames._repr_html_()
    assert bundle["text/plain"] == "<Stepper: <Frames: 2 frames, 'a <i>' to 'b'>>"
    label = Stepper(frames).widget().children[0].children[2]
    assert label.value == "<b>a &lt;i&gt;</b>"
