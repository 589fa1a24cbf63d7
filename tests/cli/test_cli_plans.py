"""Planning on the command line: a model for each role, recordings of each, and a plan that a person reviews."""

import io
import json
import sys
from pathlib import Path

import pytest
from fake_server import answering

from tot import METHODS
from tot.cli import ROLES

X = '"Ada has 3 apples and buys 4. How many has she?"'
THREE = "--planner-lm openai:small --judge-lm openai:strict --executor-lm openai:large"


def player(messages, i):
    text = messages[-1]["content"]
    if "Write a" in text:
        return f"Plan: 1. Add {len(text)} and {i}."
    return "Score: 0.7\nName the unit." if "Score: N" in text else "3 + 4 = 7. The answer is 7."


@pytest.fixture
def tot_(tot_):
    """Every line here has models of its own, all on the test's server."""
    return lambda line: tot_(f"{line} --base-url URL")


def models(server):
    return {body["model"] for body in server.requests}


def test_three_roles_three_models_and_no_other(tot_, server):
    status, out, err = tot_(f"solve gsm8k {X} --method mcts-plan {THREE} --rollouts 3 --json")
    got = json.loads(out)
    assert (status, err, got["answer"]) == (0, "", "7") and models(server) == {"small", "strict", "large"}
    assert got["lm"] == "planner=small, judge=strict, executor=large"
    assert set(got["usage"]["by_role"]) == {"planner", "judge", "executor"}
    asked = {body["model"]: body["messages"][-1]["content"] for body in server.requests}
    assert "Write a" in asked["small"] and "Score: N" in asked["strict"] and "Carry out" in asked["large"]


def test_each_role_is_recorded_and_replayed(tot_, server):
    tapes = "--planner-cassette p.jsonl --judge-cassette j.jsonl --executor-cassette e.jsonl"
    first = tot_(f"solve gsm8k {X} --method mcts-plan {THREE} {tapes} --rollouts 3 --json")
    server.close()
    again = tot_(f"solve gsm8k {X} --method mcts-plan {tapes} --rollouts 3 --json")
    assert first[0] == again[0] == 0 and first[1] == again[1]


def test_roles_with_one_model_share_its_cassette(tot_, server):
    both = "--planner-lm openai:m --planner-cassette a.jsonl --executor-lm openai:m --executor-cassette a.jsonl"
    assert tot_(f"solve gsm8k {X} --method plan-and-solve {both}")[0] == 0
    server.close()
    assert tot_(f"solve gsm8k {X} --method plan-and-solve --cassette a.jsonl")[0] == 0


def test_plan_only_shows_the_plan_and_asks_no_executor(tot_, server):
    roles = "--planner-lm openai:small --judge-lm openai:strict --executor-lm openai:large --plan-only --rollouts 2"
    status, out, err = tot_(f"solve gsm8k {X} --method mcts-plan {roles}")
    assert (status, err) == (0, "") and "large" not in models(server) and "answer:" not in out
    assert "plan, not carried out:\n1. Add " in out and "--method plan-and-solve --plan @FILE" in out
    said = "the judges say, reward 0.7:\n    logic 0.7: Name the unit\n    feasibility 0.7: Name the unit\n"
    assert said in out
    plan = json.loads(tot_(f"solve gsm8k {X} --method mcts-plan {roles} --json")[1])["plan"]
    server.requests.clear()
    line = f'solve gsm8k {X} --method plan-and-solve --executor-lm openai:large --lm openai:none --plan "{plan}"'
    status, out, _ = tot_(line)
    assert status == 0 and "answer: 7" in out and models(server) == {"large"}
    assert plan in server.requests[0]["messages"][-1]["content"]


def test_only_the_roles_that_are_asked_need_a_model(tot_, server):
    two = "--planner-lm openai:small --judge-lm openai:strict"
    assert tot_(f"solve gsm8k {X} --method mcts-plan {two} --plan-only --rollouts 2")[::2] == (0, "")
    plan = "--executor-lm openai:large --plan '1. Add.'"
    assert tot_(f"solve gsm8k {X} --method plan-and-solve {plan}")[::2] == (0, "")
    assert models(server) == {"small", "strict", "large"}
    server.requests.clear()
    status, out, _ = tot_(f"solve gsm8k {X} --method plan-and-solve --plan '1. Add.' --plan-only")
    assert status == 0 and "plan, not carried out:\n1. Add.\n" in out and not server.requests


@pytest.mark.parametrize("source", ["file", "standard input"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_plan_is_read_from_a_file_as_it_is(tot_, server, monkeypatch, source, end):
    """A shell would make "00" of "$100" in double quotes."""
    plan = "1. Take $100 off.\n2. Don't `round`."
    data = b"\xef\xbb\xbf" + (plan + "\n").replace("\n", end).encode()  # with the mark that editors on Windows write
    Path("plan.txt").write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))
    where = "@plan.txt" if source == "file" else "@-"
    assert tot_(f"solve gsm8k {X} --method plan-and-solve --lm openai:m --plan {where}")[0] == 0
    [body] = server.requests
    assert f"Plan:\n{plan}\n\nCarry out" in body["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("data", "says"), [(b"", "is empty"), (b" \n", "is empty"), (b"\xff\xfe1", "is not UTF-8 text")]
)
def test_a_file_without_a_plan_is_refused(tot_, server, monkeypatch, data, says):
    Path("plan.txt").write_bytes(data)
    for where, name in [("@plan.txt", "plan.txt"), ("@-", "standard input")]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status, _, err = tot_(f"solve gsm8k {X} --method plan-and-solve --lm openai:m --plan {where}")
        assert status == 2 and f"{name} {says}" in err and not server.requests


def test_a_budget_leaves_the_best_plan_so_far(tot_, server):
    status, out, _ = tot_(f"solve gsm8k {X} --method mcts-plan --lm openai:m --budget calls=4")
    assert status == 1 and "plan, not carried out:\n1. Add " in out and "the budget of calls is used up" in out


def test_no_plan_is_status_1(tot_, server):
    server.behave = answering(lambda messages, i: "")
    status, out, _ = tot_(f"solve gsm8k {X} --method mcts-plan --lm openai:m --plan-only")
    assert status == 1 and "answer: none (no plan could be read)\n" in out
    assert "not read: 1 of 1 reply (planner: no plan in the reply)\n" in out


def test_plans_that_repeat_are_counted_and_each_role_has_its_bill(tot_, server):
    server.behave = answering(
        lambda messages, i: "1. Add." if "Write a" in messages[-1]["content"] else player(messages, i)
    )
    _, out, _ = tot_(f"solve gsm8k {X} --method mcts-plan {THREE} --rollouts 3")
    assert "not read: 3 of 4 replies (planner: the same plan again; the first was " in out
    bill = [line.split(",")[0] for line in out.splitlines() if line.startswith("    ") and " tokens in, " in line]
    assert bill == ["    planner: 2 calls", "    judge: 2 calls", "    executor: 1 call"]
    assert out.splitlines()[-1].startswith("cost: 5 calls in 4 rounds, ")


@pytest.mark.treebook
@pytest.mark.parametrize("method", ["plan-and-solve", "io"])
def test_a_model_that_refuses_is_counted(tot_, method):
    status, out, _ = tot_(f"solve gsm8k {X} --method {method} --lm pocket")
    assert (
        status == 1 and "answer: none (" in out and ": the model refuses)\nrefused: 1 sample; the model said: " in out
    )
    assert "Carry out" not in out


def test_nothing_is_scored_where_nothing_is_carried_out(tot_, server):
    line = "run svamp --method plan-and-solve,mcts-plan --problems book[:2] --lm openai:m --out r.jsonl --plan-only"
    status, out, err = tot_(line)
    assert (status, out) == (2, "") and "--plan-only gives no answers to score: use it with `tot solve`" in err
    assert not server.requests and not Path("r.jsonl").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "--method mcts-plan --planner-lm openai:a",
            "the role of executor and judge: add --executor-lm openai:MODEL and --judge-lm openai:MODEL, or --lm",
        ),
        (
            "--method mcts-plan --planner-lm openai:a --judge-lm openai:b",
            "no model for the role of executor: add --exe",
        ),
        ("--method mcts-plan --planner-lm openai:a --plan-only", "no model for the role of judge: add --judge-lm open"),
        ("--method tot-vote --evaluator-lm openai:a", "no model for the role of generator: add --lm openai:MODEL for"),
        ("--method mcts-plan --plan-only", "no model for gsm8k (alone the pocket model plays game24): add --lm"),
        ("--method plan-and-solve --lm openai:a --plan ''", "the plan is empty: write one, or leave it out"),
        ("--method plan-and-solve --lm openai:a --plan @none.txt", "cannot read none.txt: No such file"),
        ("--method plan-and-solve --lm openai:a --judge-lm openai:b", "the role judge is not used here: the roles are"),
        ("--method ab-mcts --lm openai:a --second-lm openai:b", "a second model: add --models 2"),
        ("--method mcts-plan --lm openai:a --cassette a.jsonl --judge-lm openai:b", "add --judge-cassette FILE"),
        ("--method mcts-plan --lm openai:a --judge-lm b", "--judge-lm: cannot read 'b'"),
    ],
)
def test_wrong_use(tot_, server, line, says):
    status, out, err = tot_(f"solve gsm8k {X} {line}")
    assert (status, out) == (2, "") and says in err and err.count("\n") == 1 and not server.requests


def test_the_methods_are_compared_in_one_table(tot_, server):
    methods = "zero-shot-cot,plan-and-solve,judged-plans,mcts-plan"
    line = f"run svamp --method {methods} --problems book[:2] {THREE} --out r.jsonl --rollouts 2 --plans 2"
    status, out, err = tot_(line)
    assert (status, err) == (0, "") and all(name in out for name in methods.split(","))
    lines = Path("r.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(one)["lm"] for one in lines} == {"planner=small, judge=strict, executor=large"}


def test_every_role_has_a_flag():
    assert {role for each in METHODS.values() for role in each.roles} - {"generator"} <= set(ROLES)
