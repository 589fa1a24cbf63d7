"""Recording two models at once: the small one's samples in one cassette, the large one's in another."""

import sys

import pytest
from fake_server import Answer, always, answering, completion

from studies import record
from studies.plans import PLANS
from tot import Cassette, Scripted, solve, user
from tot.jsonlines import FileTrouble


def player(messages, i):
    text = messages[-1]["content"]
    return "Score: 0.5\nFine." if "Score: N" in text else f"1. Step {len(text)} {i}.\nThe answer is {i}."


@pytest.fixture
def record_(server, monkeypatch, tmp_path):
    server.behave = answering(player)

    def call(line):
        small = "--small-model small --small-base-url URL --small-cassette SMALL" if "small" not in line else ""
        words = f"x --model large --base-url URL --cassette LARGE {small} {line}"
        for name, value in (("URL", server.url), ("SMALL", tmp_path / "s.jsonl"), ("LARGE", tmp_path / "l.jsonl")):
            words = words.replace(name, str(value))
        monkeypatch.setattr(sys, "argv", words.split())
        return record.main(), tmp_path / "l.jsonl", tmp_path / "s.jsonl"

    return call


def test_each_model_is_recorded_in_its_own_cassette(record_, server):
    plans = [i for i, plan in enumerate(PLANS["15"]) if plan.method == "plan-and-solve"][:2]
    status, large, small = record_(f"--chapter 15 --only {plans[0]},{plans[1]} --together")
    assert status == 0 and {body["model"] for body in server.requests} == {"large", "small"}
    asked = {(body["model"], "Carry out" in body["messages"][-1]["content"]) for body in server.requests}
    assert asked == {("large", True), ("large", False), ("small", True), ("small", False)}
    server.close()
    tapes = {"large": Cassette(large), "small": Cassette(small)}
    assert {name: tape.name for name, tape in tapes.items()} == {"large": "large", "small": "small"}
    for i in plans:
        plan = PLANS["15"][i]
        for job in plan.jobs():
            lms = {"default": tapes["large"], **dict.fromkeys(plan.small, tapes["small"])}
            assert solve(job.task, job.problem, plan.method, lm=lms, **plan.params).answer == "0"


def test_without_an_address_of_its_own_the_small_model_is_where_the_large_one_is(record_, server):
    plan = next(i for i, plan in enumerate(PLANS["15"]) if plan.method == "plan-and-solve")
    status, *_ = record_(f"--chapter 15 --only {plan} --small-model small --small-cassette SMALL")
    assert status == 0 and {body["model"] for body in server.requests} == {"large", "small"}


def test_a_plan_of_which_all_replies_end_in_thinking_is_told(record_, server, capsys):
    choice = {"message": {"content": "", "reasoning_content": "Hm."}, "finish_reason": "length"}
    server.behave = always(Answer({**completion(["x"]), "choices": [choice]}))
    record_("--chapter 15 --only 0")
    assert "still thinking" in capsys.readouterr().err


def test_a_run_that_records_nothing_puts_the_old_recording_back(server, monkeypatch, tmp_path):
    monkeypatch.setattr(record, "FOLDER", tmp_path)
    path = tmp_path / "06.jsonl"
    with Cassette(path, Scripted("4", name="old")) as writing:
        writing([user("2 + 2")])
    whole = path.read_bytes()
    words = f"x --chapter 06 --only 0 --model new --base-url {server.url}"
    monkeypatch.setattr(sys, "argv", words.split())
    server.behave = always(Answer({"error": "no such model"}, status=404))
    assert record.main() == 1 and [one.read_bytes() for one in tmp_path.iterdir()] == [whole] and path.exists()
    server.behave = answering(lambda messages, i: "(1 + 2) * 8 * 1 = 24")
    record.main()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["06.jsonl", "06.old.jsonl"]


def test_a_recording_that_another_run_makes_is_not_moved_away(tmp_path):
    path = tmp_path / "03.jsonl"
    with Cassette(path, Scripted(lambda request, i: "4")) as writing:
        writing([user("2 + 2")])
        with pytest.raises(FileTrouble, match="is being written by another run"):
            record.make_room(path, Scripted("4", name="other"))
        writing([user("3 + 1")])
    record.make_room(path, Scripted("4", name="other"))
    [aside] = tmp_path.iterdir()
    assert aside != path and len(Cassette(aside).tape.samples) == 2


def test_a_recording_with_other_options_is_moved_away_for_a_chapter_replays_one(tmp_path):
    path, plain, cool = tmp_path / "03.jsonl", Scripted("4", name="m"), Scripted("5", name="m")
    cool.settings = {"temperature": 0.1}
    for lm, names in ((plain, ["03.jsonl"]), (plain, ["03.jsonl"]), (cool, ["03.jsonl", "03.m.jsonl"])):
        record.make_room(path, lm)
        with Cassette(path, lm) as writing:
            writing([user("2 + 2")])
        assert sorted(one.name for one in tmp_path.iterdir()) == names
    assert Cassette(path).settings == cool.settings
    for lm in (plain, cool, plain):  # and comes back
        record.make_room(path, lm)
        assert Cassette(path).settings == lm.settings and len([*tmp_path.iterdir()]) == 2
    whole = path.read_bytes()
    (tmp_path / "03.a.jsonl").write_bytes(whole.partition(b"\n")[0] + b"\n")
    path.rename(tmp_path / "03.b.jsonl")  # by a run that failed before its first reply
    record.make_room(path, plain)
    assert path.read_bytes() == whole, "and the whole one, not a part"
