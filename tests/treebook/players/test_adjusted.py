"""Any model can be asked with settings on top of its own."""

from tot import Cassette, Scripted, user
from tot.lm.settings import Settings
from tot.testing import check_lm
from treebook.players.adjusted import Adjusted


def test_any_model_can_be_adjusted():
    lm = Scripted(lambda request, i: f"{request.temperature} {request.options}")
    warm = Adjusted(lm, Settings({"temperature": 1.5, "top_k": 3}))
    asked = [user("x"), user("y", temperature=0.0)]
    told, said = [], ('1.5 {"top_k": 3}',)
    replies = warm(asked, lambda request, reply: told.append((request, reply.texts)))
    assert [reply.texts for reply in replies] == [said, said]
    assert told == [(request, said) for request in asked], "the caller is told of its own requests"
    check_lm(warm, asked)


def test_an_adjusted_model_is_recorded_under_its_settings(tmp_path):
    lm = Scripted(lambda request, i: f"{request.temperature}")
    path = tmp_path / "c.jsonl"
    with Cassette(path, Adjusted(lm, Settings({"temperature": 1.5}))) as recorder:
        both = recorder([user("x"), user("x", temperature=0.1), user("y", n=3)])
    assert [reply.texts for reply in both] == [("1.5",), ("1.5",), ("1.5",) * 3]
    assert len(lm.requests) == 2, "equal requests, as the model gets them, are asked once"
    with Cassette(path) as replay:
        assert [reply.texts for reply in replay([user("x"), user("x", temperature=0.1)])] == [("1.5",)] * 2
