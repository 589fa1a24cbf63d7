"""The scripted LM: what tests and demonstrations rely on."""

import pytest

from tot.lm.base import LMError, Sample, Usage, user
from tot.lm.scripted import Scripted


def test_a_list_is_used_up_in_order_of_requests_and_samples():
    lm = Scripted(["a", "b", Sample("c", "length", 9)])
    one, two = lm([user("x", n=2), user("y")])
    assert one.texts == ("a", "b") and two.samples == (Sample("c", "length", 9),)
    assert [request.n for request in lm.requests] == [2, 1]


def test_one_stop_string_needs_no_list():
    assert user("x", stop="END") == user("x", stop=["END"]) == user("x", stop=("END",))
    assert user("x", stop="END").ended("The last END of all") == "The last "


def test_a_function_knows_the_request_and_the_index():
    lm = Scripted(lambda request, i: f"{request.messages[0].content} {i}")
    assert lm([user("x", n=2, first=3)])[0].texts == ("x 3", "x 4")


def test_words_are_tokens_and_the_bill_is_paid():
    [reply] = Scripted(["one two", "three"])([user("what is it", n=2)])
    assert reply.asked == reply.paid == Usage(1, 2, 3, 3)


def test_an_empty_queue_says_so_and_keeps_what_is_left():
    lm = Scripted(["a"])
    with pytest.raises(LMError, match="1 answers left and 2 are needed"):
        lm([user("x", n=2)])
    assert lm([user("x")])[0].texts == ("a",)


def test_on_reply_gets_each_request():
    seen = []
    lm = Scripted(["a", "b"], name="two")
    replies = lm([user("x"), user("y")], lambda request, reply: seen.append((request, reply)))
    assert seen == [(user("x"), replies[0]), (user("y"), replies[1])] and lm.name == "two" and lm.batched is False


def test_a_call_takes_the_delay_once(monkeypatch):
    slept = []
    monkeypatch.setattr("tot.lm.scripted.time.sleep", slept.append)
    Scripted(["a"] * 20, delay=0.1)([user(str(i)) for i in range(20)])
    assert slept == [0.1]
