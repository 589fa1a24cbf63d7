"""The studies that ask a live model: what they plan to record, and the figures that they publish."""

import json
import sys

import fake_server as fake
import pytest

from studies import benchmark_samples
from studies.plans import PLANS, Plan
from studies.record import record
from tot import Cassette, Scripted
from tot.stats import wilson


def player(messages, i):
    """Right for the first question, wrong for the second, no answer to the third."""
    text = messages[-1]["content"]
    return "The answer is 7." if "apples" in text or "pears" in text else "I do not know."


@pytest.mark.parametrize("plan", [plan for plans in PLANS.values() for plan in plans], ids=str)
def test_each_plan_names_what_exists_and_asks_something(plan):
    jobs = plan.jobs()
    assert jobs and all(job.start({}).feed() for job in jobs[:1])


def test_a_tasks_own_tools_answer_while_a_model_is_recorded(tmp_path):
    replies = ["Action: Search[Adolphe Sax]", "Action: Finish[Dinant]"]
    plan = Plan("react", "easy", (0, 1, 1), {"depth": 2}, "hotpotqa")
    with Cassette(tmp_path / "x.jsonl", Scripted(replies, "m")) as cassette:
        [solution] = record([plan], cassette)
        assert (solution.problem, solution.any) == ("e01", True) and len(cassette.tape.samples) == 2
        assert record([], cassette) == []


@pytest.fixture
def samples(server, monkeypatch, tmp_path):
    """Three questions in the official form; gives a function that runs the study and returns (status, figures)."""
    data = tmp_path / "data"
    data.mkdir()
    asked = [("How many apples?", "7"), ("How many pears?", "8"), ("How many plums?", "9")]
    lines = [json.dumps({"question": question, "answer": f"So.\n#### {answer}"}) for question, answer in asked]
    (data / "gsm8k_test.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("TOT_DATA_DIR", str(data))
    out = tmp_path / "figures.json"

    def call(*more, keep=tmp_path / "keep"):
        argv = ["x", "--keep", str(keep), "--model", "fake", "--base-url", server.url, "--tasks", "gsm8k", *more]
        monkeypatch.setattr(sys, "argv", [*argv, "--out", str(out)])
        status = benchmark_samples.main()
        return status, json.loads(out.read_text("utf-8")) if out.exists() else {}

    return call


def test_figures_are_counted_and_hold_no_question(samples):
    status, found = samples("--methods", "io")
    figures, interval = found["gsm8k"]["io"], wilson(1, 3)
    assert status == 0 and (figures["n"], figures["correct"], figures["unread"], figures["errors"]) == (3, 1, 1, 0)
    assert figures["interval"] == [round(interval.low, 4), round(interval.high, 4)]
    assert not any(word in json.dumps(found) for word in ("apples", "pears", "plums", "know"))


def test_no_figures_without_the_answers_that_a_server_did_not_give(samples, server, capsys):
    answers = server.behave
    server.behave = fake.when(lambda body: "plums" in str(body), fake.always(fake.error(503, "overloaded")), answers)
    status, found = samples("--methods", "io")
    assert status == 1 and "gsm8k" not in found and "io: 1 of 3 not answered" in capsys.readouterr().err
    server.behave = fake.always(fake.error(402, "Insufficient Balance"))
    status, found = samples("--methods", "cot,io")
    assert status == 1 and "gsm8k" not in found
    server.behave = answers
    assert samples("--methods", "io")[1]["gsm8k"]["io"]["n"] == 3


def test_figures_that_came_meanwhile_are_kept_and_two_editions_have_none(samples, server, tmp_path, capsys):
    first, answers = tmp_path / "figures.json", server.behave

    def meanwhile(body):
        first.write_text('{"strategyqa": {"io": {"n": 40}}}')
        return answers(body)

    server.behave = meanwhile
    status, found = samples("--methods", "io", "--lm-option", "top_p=0.9")
    assert status == 0 and found["strategyqa"] == {"io": {"n": 40}} and found["gsm8k"]["io"]["n"] == 3
    assert found["gsm8k"]["io"]["model"] == "fake (top_p=0.9)"
    results = next((tmp_path / "keep").glob("*results.jsonl"))
    old, *rest = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    results.write_text("".join(json.dumps(line) + "\n" for line in [{**old, "edition": "of before"}, *rest]), "utf-8")
    status, again = samples("--methods", "io", "--lm-option", "top_p=0.9")
    assert status == 1 and "two editions" in capsys.readouterr().err and again["gsm8k"] == found["gsm8k"]


def test_a_second_run_asks_nothing_and_keeps_the_other_methods(samples, server):
    samples("--methods", "io")
    before = len(server.requests)
    assert samples("--methods", "io")[1]["gsm8k"]["io"]["n"] == 3 and len(server.requests) == before
    assert samples("--methods", "cot", "--n", "2")[1]["gsm8k"].keys() == {"io", "cot"}
