"""book/field.md and its picture say the same, of works that are in the bibliography."""

import re
from dataclasses import replace
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[2]
TOOL = run_path(str(ROOT / "tools" / "field.py"))
PAGE = TOOL["PAGE"].read_text(encoding="utf-8")
TEXT = PAGE.replace(TOOL["image"](), "")
BIBLIOGRAPHY = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
BESIDE = {"anthony2017thinking"}  # named beside another work, without a row of its own


def sections():
    """Heading -> the keys that its text cites, in order, each once."""
    parts = re.split(r"(?m)^## (.+)$", TEXT)[1:]
    found = {}
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        keys = dict.fromkeys(re.findall(r"\{cite\}`(\w+)`", text))
        found[title] = [key for key in keys if key not in BESIDE]
    return found


def test_the_picture_is_drawn_from_the_map():
    assert TOOL["PICTURE"].read_text(encoding="utf-8") == TOOL["draw"]() + "\n", "run: python tools/field.py"
    assert PAGE.count(TOOL["image"]()) == 1, "run: python tools/field.py"


def test_the_text_has_the_works_of_the_map_in_its_order():
    assert sections() == {title: [work.key for work in works] for title, works in TOOL["MAP"].items()}


def test_every_work_is_in_the_bibliography_with_its_year():
    for works in TOOL["MAP"].values():
        for work in works:
            entry = re.search(rf"(?ms)^@\w+\{{{work.key},$.*?^\}}$", BIBLIOGRAPHY)
            assert entry and f"year = {{{work.year}}}" in entry[0], work.key


def test_a_work_adds_to_some_part_and_a_part_is_here_or_has_a_place():
    letters = {part[0] for part in TOOL["PARTS"]}
    assert len(letters) == len(TOOL["PARTS"])
    for works in TOOL["MAP"].values():
        for work in works:
            assert work.here + work.place and set(work.here + work.place) <= letters, work
            assert len(set(work.here + work.place)) == len(work.here + work.place), work


def test_another_mark_draws_another_picture():
    works = TOOL["MAP"]["Thoughts that act"]
    before, words = TOOL["draw"](), TOOL["about"]()
    TOOL["MAP"]["Thoughts that act"] = (replace(works[0], here="", place="g"), *works[1:])
    try:
        assert TOOL["draw"]() != before and TOOL["about"]() != words
    finally:
        TOOL["MAP"]["Thoughts that act"] = works


def test_it_keeps_to_two_pages():
    assert 900 <= len(TEXT.split()) <= 1300
