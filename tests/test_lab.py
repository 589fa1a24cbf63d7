"""The lab: knobs search again, mistakes are told, and the static page shows what was recorded."""

from pathlib import Path

import pytest

from tot import Cassette, LMError, Scripted, user
from tot.lab import AtTemperature, Lab
from tot.lm.pocket import Pocket

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
