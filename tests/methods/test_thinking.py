"""Every method of the book with a model that only thinks: nothing of it is read."""

import pytest
from families import MUSING
from gpt4_like import play

from tot import METHODS, Scripted, solve, task
from tot.lm.base import Sample
from tot.parse import no_answer
from tot.tasks import TASKS

SMALL = {"k": 3, "breadth": 2, "nodes": 12, "rollouts": 3, "steps": 3, "samples": 2, "expansions": 4}


def speaker():
    """The scripted player of every prompt: what it says depends on the prompt and the index only."""
    return Scripted(lambda request, i: play([{"role": m.role, "content": m.content} for m in request.messages], i, 0))


def a_task_for(method):
    return next(task(name) for name in TASKS if not method.missing(task(name)) and task(name).splits())


def solved(method, lm, name=""):
    one = task(name) if name else a_task_for(METHODS[method])
    knobs = {name: value for name, value in SMALL.items() if name in METHODS[method].defaults}
    return solve(one, next(iter(one.problems(next(iter(one.splits()))))), method, lm=lm, **knobs)


@pytest.mark.parametrize("method", METHODS)
def test_a_model_that_only_thinks_is_never_parsed(method):
    """Nothing of the thinking becomes a thought, a value or an answer, though it is full of them."""
    only = Scripted(lambda request, i: Sample("", "thinking", 40, MUSING, 40))
    run = solved(method, only)
    assert not run.error and run.answer is None and not any(answer for answer in run.answers)
    texts = [node["thought"] for node in run.trace.nodes().values()]
    assert not any(MUSING[:20] in text or "left: 2 3" in text for text in texts)
    assert run.result.still_thinking and run.result.cut == 0
    assert run.to_dict()["still_thinking"] == run.result.still_thinking
    whys = {entry["why"] for event in run.trace.events for entry in event.get("unread", ())}
    assert "still thinking at 40 tokens: give it more with think_tokens" in whys


def test_a_sample_without_an_answer_says_why():
    assert no_answer(Sample("7")) == "" and no_answer(Sample("7", "length")) == ""
    assert "the model refuses" in no_answer(Sample("no", "refusal"))
    assert "at 9 tokens" in no_answer(Sample("", "thinking", 9))
    assert "stop string" in no_answer(Sample("", "stopped thinking", 9))


def test_thinking_is_counted_apart_in_the_bill_of_a_run():
    counted = solved("io", Scripted(lambda request, i: Sample("Answer: 1 + 2", "stop", 50, "hm", 40)))
    usage = counted.to_dict()["usage"]
    assert (usage["completion_tokens"], usage["thinking_tokens"]) == (150, 120)
    assert usage["by_role"]["generator"]["thinking_tokens"] == 120 and "cached_tokens" not in usage
    assert [s["thinking_tokens"] for s in counted.trace.samples()] == [40] * 3
    plain = solved("io", speaker()).to_dict()
    assert "thinking_tokens" not in plain["usage"] and "settings" not in plain and "still_thinking" not in plain
