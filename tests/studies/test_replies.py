"""The readers of today on replies that were written and read by people first: tests/replies."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from studies import replies
from studies.figures import read

FOLDER = Path(__file__).parents[1] / "replies"
KINDS = sorted(file.stem for file in FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("name", replies.SETS)
def test_the_stored_figures_are_those_of_the_readers_of_today(name, monkeypatch):
    monkeypatch.chdir(FOLDER.parents[1])
    stored = read(replies.RESULTS)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", stored["date"])
    assert stored["sets"].get(name) == (replies.study(replies.SETS[name]) if name in stored["sets"] else None)


def test_the_manual_has_the_stored_figures(monkeypatch):
    monkeypatch.chdir(FOLDER.parents[1])
    page = Path("book/manual/replies.md").read_text("utf-8")
    assert page == replies.filled(page, read(replies.RESULTS))


def test_other_rules_on_numbers_are_told_by_hand():
    assert [replies.last_number(text) for text in ("4 + $1,250.", "none", "It is 5, or 7")] == [1250, None, 7]
    items = [{"kind": "number", "asked": {"bare": True}, "reply": f"The answer is {n}.", "right": "5"} for n in (5, 6)]
    found = replies.others(items, [("last", replies.last_number)])
    assert found["last"]["counts"] == found["ours"]["counts"] == {replies.RIGHT: 1, replies.WRONG: 1}


def test_the_other_half_is_sealed():
    assert len(KINDS) == 16
    digest = hashlib.sha256(gzip.decompress((FOLDER / "sealed.jsonl.gz").read_bytes())).hexdigest()
    assert re.findall(r"\b[0-9a-f]{64}\b", (FOLDER / "README.md").read_text("utf-8")) == [digest]


@pytest.mark.parametrize("kind", KINDS)
def test_the_open_half_is_well_formed(kind):
    items = [item for item in replies.items_of(FOLDER) if item["kind"] == kind]
    assert len(items) >= 30 and len({item["reply"] for item in items}) == len(items)
    assert 0 < sum(item["right"] in (None, []) for item in items) <= len(items) / 4
    for item in items:
        assert [*item] == ["kind", "asked", "reply", "right", "why"] and item["kind"] == kind
        assert isinstance(item["reply"], str) and 3 < len(item["why"].split()) < 20
        assert (replies.meant(item) is None) == (item["right"] in (None, []))


ONE = {"kind": "yes_no", "asked": {"bare": True}, "why": ""}
STEPS = {"kind": "step24", "asked": {"numbers": "4 9 10 13"}, "reply": "10 - 4 = 6\n13 - 9 = 4"}


@pytest.mark.parametrize(
    "item, outcome",
    [
        (ONE | {"reply": "Yes.", "right": "yes"}, replies.RIGHT),
        (ONE | {"reply": "<think>yes", "right": None}, replies.REFUSAL),
        (ONE | {"reply": "It rains.", "right": "yes"}, replies.REFUSED),
        (ONE | {"reply": "Yes.", "right": "no"}, replies.WRONG),
        (ONE | {"reply": "Yes.", "right": None}, replies.NOTHING),
        ({"kind": "passage", "asked": {"passages": 4}, "reply": "3", "right": 3}, replies.RIGHT),
        (STEPS | {"right": ["10 - 4 = 6", "13 - 9 = 4"]}, replies.RIGHT),
        (STEPS | {"right": ["10 - 4 = 6", "13 - 9 = 4", "4 + 9 = 13"]}, replies.REFUSED),
        (STEPS | {"right": ["10 - 4 = 6"]}, replies.WRONG),
    ],
)
def test_an_outcome_is_told_by_hand(item, outcome):
    assert replies.outcome(item, "own") == outcome
