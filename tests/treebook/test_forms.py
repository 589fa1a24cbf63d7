"""Structured answers: what is asked for, and what is made of replies that fit and of those that do not."""

import json
import pickle

import pytest
from jsonschema import Draft202012Validator

import tot
from tot import LMError, Scripted, State, solve, user
from tot.parse import Judgement
from tot.state import Thought
from tot.tasks import TASKS, task
from tot.tasks.game24 import Game24
from treebook import forms
from treebook.forms import structured

X = "4 9 10 13"
STEPS = ["13 - 9 = 4 (left: 4 4 10)", "4 + 9 = 13 (left: 10 13 13)"]


def answer(**data):
    return json.dumps(data)


def test_each_task_of_the_papers_has_forms_and_stands_in_the_module_under_its_name():
    for name in TASKS:
        assert tot.task(f"treebook.forms:{name}").name == f"{name}-json" and forms.forms_of(task(name))
    with pytest.raises(ValueError, match="treebook.forms has no 'chess'"):
        tot.task("treebook.forms:chess")


def test_it_can_be_pickled_and_stays_so_in_another_form():
    game, state = structured(task("game24")), State(X)
    asked = [pickle.loads(pickle.dumps(game)), structured(task("game24").in_paper_style()), game.in_paper_style()]
    assert type(asked[0]) is Game24 and asked[0].value(state) == game.value(state)
    assert asked[1].value(state) == asked[2].value(state) != game.value(state)
    alone = state.then(Thought("x", answer=None, final=True))
    assert (
        game.in_paper_style().unchecked().judge(alone) == 0.0 and game.in_paper_style().unchecked().value(state).schema
    )


def test_a_schema_takes_what_its_reader_reads():
    game, states = structured(task("game24")), [State("x").then(Thought(str(i))) for i in range(3)]
    voted = structured(task("gsm8k"))
    asked = [
        (game.propose(State(X), "one-shot"), answer(steps=STEPS), lambda t: len(game.read_proposals(State(X), t)) == 2),
        (game.value(State(X)), answer(tries="13 - 9 ...", verdict="sure"), lambda t: game.read_value(t).value == 20.0),
        (voted.ballot(states), answer(choice=3), lambda t: voted.read_ballot(t, 3).value == 2),
        (
            voted.assess(states[0], "logic"),
            answer(score=0.2, reason="a score of 1 would need units"),
            lambda t: voted.read_assessment(t).value == Judgement(0.2, "a score of 1 would need units"),
        ),
    ]
    for request, text, fits in asked:
        schema = json.loads(request.schema)
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(json.loads(text))
        assert fits(text), text
        assert schema["required"] == [*schema["properties"]] and not schema["additionalProperties"]
        assert all(name in request.messages[-1].content for name in schema["properties"])
        assert not Draft202012Validator(schema).is_valid({}) and not Draft202012Validator(schema).is_valid([])


def test_what_does_not_fit_is_unread():
    game, voted = structured(task("game24")), structured(task("writing"))
    wrong = ("", "[]", "{", '{"verdict": 7}', '{"verdict": "who knows"}', '{"tries": "sure"}', "[" * 10_000)
    for text in wrong:
        assert not game.read_value(text).ok, text
        [read] = game.read_proposals(State(X), text)
        assert not read.ok and read.value is None
    assert voted.read_ballot('{"choice": "1"}', 3).value == 0 and voted.read_ballot("1", 3).value == 0
    for choice in ("4", "0", "true", "1.0"):
        assert not voted.read_ballot(f'{{"choice": {choice}}}', 3).ok, choice
    assert not voted.read_ballot("null", 3).ok
    judge = structured(task("gsm8k")).read_assessment
    for text in ('{"score": 2, "reason": ""}', '{"score": NaN, "reason": ""}', '{"score": true}'):
        assert not judge(text).ok, text


def test_a_whole_search_in_json_is_the_search_in_plain_text():
    def plain(request, i):
        return "\n".join(STEPS) if request.messages[0].content.startswith("Combine") else "4 * 6 = 24. likely"

    def formed(request, i):
        assert request.schema
        lines = plain(request, i)
        return answer(steps=lines.split("\n")) if "steps" in request.schema else answer(tries="...", verdict="likely")

    one, other = Scripted(plain), Scripted(formed)
    in_text = solve("game24", X, "tot-bfs", lm=one)
    in_json = solve(structured(task("game24")), X, "tot-bfs", lm=other)
    assert in_json.answers == in_text.answers and in_json.result.unread == in_text.result.unread
    assert not any(request.schema for request in one.requests) and not in_json.error


def test_a_model_that_cannot_says_so(pocket):
    with pytest.raises(LMError, match="the pocket model gives no structured answers"):
        pocket([user("x", schema="{}")])
    assert "forms" in solve(structured(task("game24")), X, "tot-bfs", lm=pocket).error
