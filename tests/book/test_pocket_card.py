"""The pocket model's card says what its training and its studies left."""

import json
import re
import shutil

import pytest

from studies.pocket import card
from treebook.players.model import load


@pytest.mark.slow
def test_the_card_is_what_the_program_writes():
    page = card.PUBLISHED.card.read_text(encoding="utf-8")
    [commit] = re.findall(r"(?:trained|added) by commit `(\w+)`", page)  # a shallow clone has no history to ask
    assert card.card(card.PUBLISHED, commit) == page, "run: make pocket-card"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A folder as `make pocket` leaves it."""
    files, study = card.of_run(tmp_path), json.loads(card.PUBLISHED.study.read_text(encoding="utf-8"))
    for name in ("weights", "log", "early"):
        shutil.copy(getattr(card.PUBLISHED, name), getattr(files, name))
    study["weights"] = load(files.weights).sha256
    study["legal lines by numbers left"] = {"4": [0.9, 0.8, 1.0], "3": [0.8, 0.7, 0.9], "2": None}
    files.study.write_text(json.dumps(study), encoding="utf-8")
    monkeypatch.setattr(card, "overlap", lambda seed: "some")  # takes seconds
    return files


def test_a_run_gets_a_card_of_its_own_and_the_published_files_stay(run, monkeypatch):
    published = [path for path in vars(card.PUBLISHED).values() if path.exists()]
    before = [path.read_bytes() for path in published]
    monkeypatch.setattr("sys.argv", ["card", "--run", str(run.card.parent)])
    card.main()
    page = run.card.read_text(encoding="utf-8")
    assert load(run.weights).sha256[:16] in page and "```{image} loss.svg" in page and run.curve.exists()
    assert "| 3 | 80.0% [70.0, 90.0] | 13% |" in page and "second time" not in page
    assert [path.read_bytes() for path in published] == before


def test_a_study_of_other_weights_is_refused(run):
    shutil.copy(run.early, run.weights)
    with pytest.raises(ValueError, match="is not a study of"):
        card.card(run)


def test_publishing_copies_what_belongs_together(run, tmp_path, monkeypatch):
    (tmp_path / "to").mkdir()
    monkeypatch.setattr(card, "PUBLISHED", card.of_run(tmp_path / "to"))
    card.publish(run)
    copied = {path.name: path.read_bytes() for path in (tmp_path / "to").iterdir()}
    names = {"weights.safetensors", "log.jsonl", "early.safetensors", "game24.json"}
    assert copied == {name: (tmp_path / name).read_bytes() for name in names}


def test_a_resumed_log_counts_each_step_once():
    log = [{"step": 50, "loss": 2}, {"step": 100, "loss": 1}, {"step": 50, "loss": 2}, {"step": 100, "loss": 1}]
    assert [line["step"] for line in card.steps("\n".join(map(json.dumps, log)))] == [50, 100]


def test_a_second_training_is_held_against_the_published_intervals():
    study = {"n": 100, "rows": {"IO": {"rate": [0.5, 0.4, 0.6]}, "CoT": {"rate": [0.5, 0.4, 0.6]}}}
    study["solved"] = {"tot b=1": [1] * 6 + [0] * 94, "tot b=5": [1, 0] * 50}
    second = {"n": 100, "date": "2026-01-02", "legal lines": [0.9, 0.8, 1.0]}
    second["rows"] = {"IO": {"rate": [0.6, 0.5, 0.7]}, "CoT": {"rate": [0.61, 0.5, 0.7]}}
    second["solved"] = {"tot b=1": [0] * 100, "tot b=5": [1, 0] * 50}
    said = card.again(study, second)
    assert round(min(said["ps"]), 2) == 0.03 and said["inside"] == 1
    assert [(row[0], row[-1]) for row in said["rows"]] == [("IO", "yes"), ("CoT", "no")]
