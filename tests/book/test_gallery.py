"""The gallery, as it is stored: a real trace of every search, and words about nodes and steps that it has."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tot.methods import METHODS

PAGES = sorted((Path(__file__).parents[2] / "notebooks").glob("gallery*.ipynb"))
# What makes no tree of steps: one answer, answers side by side, or one after the other. (The chain of CoT is shown.)
NO_TREE = {
    "io", "io-refine", "io-refine-checked", "best-of", "judged-best-of", "tournament", "few-shot", "cot", "cot-sc",
    "zero-shot-cot", "plan-and-solve", "judged-plans", "tot-vote-refine", "retrieve-read",
}  # fmt: skip


def shown(page):
    """The outputs of a page, as text, in order."""
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    data = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    return ["".join(one.get("text/html") or one.get("text/markdown", "")) for one in data]


def exhibits(page):
    """(data of the explorer, text below it)"""
    outputs = shown(page)
    for view, words in pairwise(outputs):
        if found := re.search(r'<script type="application/json">(.*?)</script>', view, re.S):
            yield json.loads(found[1]), words


def test_every_search_has_an_exhibit():
    methods = {data["caption"][1].split(" · ")[0] for page in PAGES for data, _ in exhibits(page)}
    assert METHODS.keys() - NO_TREE == methods - NO_TREE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_to_notice_is_there(page):
    seen = list(exhibits(page))
    assert len(seen) > 1
    for data, words in seen:
        assert words.startswith("**What to notice**") and 2 <= words.count("\n- ") <= 4
        assert not re.search(r"`0(\.\d+)+`", words), "a thought is called by its words"
        last = len(data["steps"]) - 2
        assert all(int(step) <= last for step in re.findall(r"step (\d+)", words))
        assert data["start"].get("step", last) <= last
        assert not data["notice"], "nothing is cut: every prompt and reply is there"
