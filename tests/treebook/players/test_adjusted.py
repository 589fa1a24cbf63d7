"""Any model can be asked with settings on top of its own."""


import pytest

from tot import LM, Cassette, Reply, Sample, Scripted, task, user
from tot.experiments import grid, run_experiment
from tot.lm.base import as_lm
from tot.lm.openai import OpenAI
from tot.lm.settings import Settings
from tot.testing import check_lm
from treebook.players.adjusted import Adjusted

ONE = task("game24").problems("easy")[:1]


def test_any_model_can_be_adjusted():
    lm = Scripted(lambda request, i: f"{request.temperature} {request.options}")
    warm = Adjusted(lm, Settings({"temperature": 1.5, "top_k": 3}))
    asked = [user("x"), user("y", temperature=0.0)]
    told, said = [], ('1.5 {"top_k": 3}',)
    replies = warm(asked, lambda request, reply: told.append((request, reply.texts)))
    assert [reply.texts for reply in replies] == [said, said]
    assert told == [(request, said) for request in asked], "the caller is told of its own requests"
    check_lm(warm, asked)


def test_what_is_known_of_the_model_is_known_of_the_adjusted_one():
    lm = Scripted(["a"])
    lm.serial, lm.source, lm.unpriced, lm.price = True, "12ab", True, (1.0, 2.0)
    warm = Adjusted(lm, Settings({"temperature": 1.5}))
    lm.served = "another"  # as a server's replies say
    names = ("serial", "source", "unpriced", "price", "name", "served")
    assert [getattr(warm, name) for name in names] == [True, "12ab", True, (1.0, 2.0), "scripted", "another"]


def test_a_function_that_is_another_now_is_told_of_behind_settings_too(tmp_path):
    def run(model):
        lm = Adjusted(as_lm(model), Settings({"temperature": 1.5}))
        run_experiment(grid(task("game24"), ["io"], ONE), lm, out=tmp_path / "r.jsonl")

    def model(prompt):
        return "Answer: 1 + 1"

    run(model)

    def model(prompt):
        return "Answer: 1 + 2"

    with pytest.warns(UserWarning, match="function as model has changed since 1 results"):
        run(model)


def test_an_adjusted_model_is_recorded_under_its_settings(tmp_path):
    lm = Scripted(lambda request, i: f"{request.temperature}")
    path = tmp_path / "c.jsonl"
    with Cassette(path, Adjusted(lm, Settings({"temperature": 1.5}))) as recorder:
        both = recorder([user("x"), user("x", temperature=0.1), user("y", n=3)])
    assert [reply.texts for reply in both] == [("1.5",), ("1.5",), ("1.5",) * 3]
    assert len(lm.requests) == 2, "equal requests, as the model gets them, are asked once"
    with Cassette(path) as replay:
        assert [reply.texts for reply in replay([user("x"), user("x", temperature=0.1)])] == [("1.5",)] * 2


class Own(LM):
    """It only names what it was made with."""

    name = "own"

    def __init__(self, **settings):
        self.settings = settings

    def __call__(self, requests, on_reply=None):
        replies = [Reply((Sample(f"{self.settings} {request.temperature}"),) * request.n) for request in requests]
        for request, reply in zip(requests, replies, strict=True):
            on_reply and on_reply(request, reply)
        return replies


def test_a_setting_that_the_model_sets_itself_is_refused_if_it_is_another(tmp_path):
    lm = OpenAI("m", base_url="http://127.0.0.1:1/v1", temperature=0.2, think_tokens=10)
    for top in (Settings({"temperature": 0.9}), Settings({}, 2000)):
        with pytest.raises(ValueError, match="m sets .* itself"):
            Adjusted(lm, top)
    same = Adjusted(lm, Settings({"temperature": 0.2, "top_k": 5}))
    assert same.settings == {"temperature": 0.2, "think_tokens": 10, "top_k": 5}
    with Cassette(tmp_path / "c.jsonl", Adjusted(Own(), Settings({"temperature": 0.2}))) as recorder:
        recorder([user("x")])
    with Cassette(tmp_path / "c.jsonl") as replay:
        assert Adjusted(replay, Settings({"temperature": 0.2}))([user("x")])[0].texts == ("{} 0.2",)
        with pytest.raises(ValueError, match="own sets temperature itself"):
            Adjusted(replay, Settings({"temperature": 1.0}))


def test_settings_that_a_model_only_names_tell_its_samples_apart_behind_others_too(tmp_path):
    for bits in (4, 8):
        with Cassette(tmp_path / "c.jsonl", Adjusted(Own(bits=bits), Settings({"temperature": 1.0}))) as lm:
            assert lm([user("x")])[0].texts == (f"{ {'bits': bits} } 1.0",)
            assert lm.settings == {"bits": bits, "temperature": 1.0}
