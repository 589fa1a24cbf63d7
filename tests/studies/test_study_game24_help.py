"""The ablation of the program's help: what it counts, by hand, and that each row takes away what it says."""

import pytest

from studies import game24_help as study
from tot import Sample, Scripted
from tot.runner import run_one
from tot.tasks.base import Problem

X = "4 9 10 13"
RIGHT, WRONG = "(13 - 9) * (10 - 4)", "13 + 9 + 10 + 4"
PLAYER = {
    f"Numbers: {X}": "13 - 9 = 4 (left: 4 4 10)\n13 - 9 = 5 (left: 4 5 10)",
    "Numbers: 4 4 10": "10 - 4 = 6 (left: 4 6)",
    "Numbers: 4 6": "4 * 6 = 24 (left: 24)",
    "Numbers: 4 5 10": "10 + 4 = 14 (left: 5 14)",
    "Numbers: 5 14": "14 + 5 = 19 (left: 19)",
}


def player(request, i):
    """Proposes one legal line of steps and one with a mistake; refuses single numbers; sure of every answer."""
    question = request.messages[-1].content
    if question.isdigit():
        return Sample("I never learnt that.", "refusal")
    if "Answer:" in question or question.startswith(("4 ", "5 ")):
        return "sure"
    return PLAYER.get(question, f"Answer: {RIGHT if '13 - 9 = 4' in question else WRONG}")


@pytest.fixture(scope="module")
def runs():
    found = {}
    for name, some in study.jobs([Problem(X, X)], breadth=2).items():
        lm = Scripted(player)
        found[name] = [job.finish(run_one(job.start(lm))) for job in some]
    return found


def test_each_row_takes_away_what_it_says(runs):
    figures = study.figures(runs)
    assert list(figures["rows"]) == list(study.KINDS)
    assert all(row["solved"] == [1] for row in figures["rows"].values())
    refused = {name: some[0].result.unread for name, some in runs.items()}
    judged_by_program = (study.FULL, "the model writes the answer", "illegal steps are believed")
    assert all(refused[name] < refused[study.NONE] for name in judged_by_program)
    texts = {name: {n.state.last.text for n in study.nodes_of(s[0])[1:]} for name, s in runs.items()}
    assert len(study.nodes_of(runs[study.NARROW][0])) < len(study.nodes_of(runs[study.NONE][0]))
    texts.pop(study.NARROW)
    believing = {name for name, lines in texts.items() if "13 - 9 = 5 (left: 4 5 10)" in lines}
    assert believing == {"illegal steps are believed", "neither: checked=False", study.NONE}


def test_what_is_counted_by_hand(runs):
    figures = study.figures(runs)
    assert figures["single numbers"] == {"24": {"n": 1, "valued": 0}, "another": {"n": 1, "valued": 0}}
    by_model = figures["answers judged"]["written by the model"]
    assert [by_model[kind]["n"] for kind in ("right", "wrong")] == [1, 1]
    assert by_model["wrong"]["some sure"][0] == 1.0, "it is sure of every answer"
    assert figures["reached"] == figures["one state kept"] == [1]
