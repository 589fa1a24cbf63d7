"""The worded model's card says what its training and its measurement left."""

import pytest

from studies.words import card
from treebook.players.worded import FILES


def test_the_card_is_what_the_program_writes():
    assert card.card() == card.CARD.read_text(encoding="utf-8"), "run: make pocket-card"


def test_a_measurement_of_other_weights_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(card, "FILES", {"large": FILES["small"], "small": FILES["small"]})
    with pytest.raises(ValueError, match="run python -m studies.words.measure again"):
        card.card()


def test_publishing_copies_what_a_run_left(tmp_path, monkeypatch):
    run, to = tmp_path / "run", tmp_path / "to"
    (run / "again").mkdir(parents=True)
    to.mkdir()
    for name in card.LEFT:
        (run / name).write_text(name)
    monkeypatch.setattr(card, "LEFT", {name: to / name.replace("/", "_") for name in card.LEFT})
    card.publish(run)
    assert {path.read_text() for path in to.iterdir()} == set(card.LEFT)
