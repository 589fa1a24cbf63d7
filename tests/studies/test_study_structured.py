"""Unread replies with and without forms: the study on scripted models, and the manual beside the stored file."""

import json
from pathlib import Path

from studies import structured as study
from tot import Scripted
from tot.lm.base import Sample

ROOT = Path(__file__).parents[2]


def test_a_model_that_keeps_to_the_form_is_read_and_one_that_chats_is_not():
    def says(request, i):
        if request.labels:
            return Sample("sure", chances=(1.0, 0.0, 0.0), missing=0.25)
        members = json.loads(request.schema)["properties"] if request.schema else {}
        kinds = {"string": "impossible", "integer": 1, "number": 0.5, "array": ["1 + 1 = 2"]}
        data = {name: kinds[each["type"]] for name, each in members.items()}
        return json.dumps(data) if data else f"1. Well, {i}, let me see"

    found = study.study(Scripted(says), 4)
    unread = {kind: (row["plain"]["unread"], row["structured"]["unread"]) for kind, row in found["replies"].items()}
    assert {kind: n for kind, n in unread.items() if kind != "next steps"} == dict.fromkeys(
        ("verdicts", "ballots", "scores"), (4, 0)
    )
    assert unread["next steps"] == (4, 4)  # in form, but no legal step
    assert found["missing mass"] == {"n": 4, "mean": 0.25, "no verdict": 0, "mean where there is one": 0.25}


def test_the_manual_has_the_stored_figures():
    found = json.loads((ROOT / study.RESULTS).read_text(encoding="utf-8"))
    page = (ROOT / "book/manual/verdicts.md").read_text(encoding="utf-8")
    assert study.as_table(found) in page and found["date"] in page
    assert f"on {found['missing mass']['no verdict']} of {found['missing mass']['n']} states" in page
