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
