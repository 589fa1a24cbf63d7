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


def test_publishing_copies_what_a_whole_run_left_and_nothing_of_another(tmp_path, monkeypatch):
    run, to, published = tmp_path / "run", tmp_path / "to", card.LEFT
    (run / "again").mkdir(parents=True)
    to.mkdir()
    for name, file in published.items():
        (run / name).write_bytes(file.read_bytes())
    monkeypatch.setattr(card, "LEFT", {name: to / name.replace("/", "_") for name in published})
    measured = (run / "measured.json").read_text("utf-8")
    (run / "measured.json").write_text(measured.replace(card.load(FILES["small"]).sha256, "x"), "utf-8")
    with pytest.raises(ValueError, match="is not of .*early"):
        card.publish(run)
    (run / "measured.json").write_text(measured, "utf-8")
    (run / "again/log.jsonl").rename(tmp_path / "log")
    with pytest.raises(FileNotFoundError, match="log"):
        card.publish(run)
    assert not list(to.iterdir())
    (tmp_path / "log").rename(run / "again/log.jsonl")
    card.publish(run)
    assert {path.name for path in to.iterdir()} == {name.replace("/", "_") for name in published}
