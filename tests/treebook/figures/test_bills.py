"""What runs cost, by role and by tool: against ledgers and by hand."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import make_dfs, make_mcts, oracle
from traces import sleuthed, solved, thoughtful

from tot import Trace, run
from tot.trace import tool_bill
from treebook.figures.bills import Prices, ledger, ledger_rows, spent

names = st.builds("tree{}".format, st.integers(0, 10**6))


def total(rows, key):
    return sum(row[key] for row in rows)


def same_bill(rows, bill):
    return all(
        total(rows, key) == getattr(bill, key) for key in ("calls", "samples", "prompt_tokens", "completion_tokens")
    )


# ------------------------------------------------------------------------------------------------ round by round


@settings(max_examples=25)
@given(names, st.integers(1, 12))
def test_rounds_add_up_to_the_ledger(x, rollouts):
    for search in (make_dfs(x)(), make_mcts(x, rollouts=rollouts, depth=3)()):
        result = run(search, oracle())
        rows = spent(result)
        assert same_bill(rows, result.ledger.total)
        assert [row["round"] for row in rows] == list(range(1, result.ledger.rounds + 1))
        for role, bill in result.ledger.asked.items():
            assert same_bill([row for row in rows if row["role"] == role], bill)


def test_equal_requests_of_a_round_are_paid_once():
    solution = solved()
    events = [event for event in solution.trace.events if event["kind"] == "asked"]
    asked = sum(len(event["requests"]) for event in events)
    assert asked > solution.result.ledger.total.calls  # different steps leave the same numbers
    assert same_bill(spent(solution), solution.result.ledger.total)
    longest = max(sample["tokens"] for r in events[1]["requests"] for sample in r["samples"])
    assert spent(solution)[1]["longest"] == longest > 0


@pytest.fixture(scope="module")
def tools():
    return sleuthed(rounds=4)


def test_tools_are_told_apart(tools):
    rows, bill = spent(tools), tool_bill(tools.trace)
    searches = [row for row in rows if row["who"] == "tool: Search"]
    assert {row["role"] for row in searches} == {"tool"} and bill["failed"] > 0
    assert (total(searches, "calls"), total(searches, "failed"), total(searches, "tool_cost")) == (
        bill["calls"],
        bill["failed"],
        bill["total"],
    )
    lookup = Trace(events=json.loads(json.dumps(tools.trace.events).replace('\\"Search\\"', '\\"Lookup\\"')))
    assert {row["who"] for row in spent(lookup)} >= {"tool: Lookup"}
    broken = Trace(events=json.loads(json.dumps(tools.trace.events).replace('{\\"tool', "{tool")))
    assert "tool" in {row["who"] for row in spent(broken)}
    assert total(spent(broken), "tool_cost") == bill["total"]


def test_prices_are_by_role():
    bill = {"prompt_tokens": 2_000_000, "completion_tokens": 500_000}
    assert Prices(1.5, 4.0).of(bill) == 3.0 + 2.0 and Prices(9, 9).of({}) == 0
    solution = solved()
    apart = {"default": Prices(), "evaluator": Prices(0, 1e6)}
    evaluator = solution.result.ledger.asked["evaluator"].completion_tokens
    assert total(spent(solution, apart), "dollars") == pytest.approx(evaluator)
    assert "dollars" not in spent(solution)[0]
    with pytest.raises(ValueError, match="'generator'"):
        spent(solution, {"evaluator": Prices()})


# ------------------------------------------------------------------------------------------------ in all


def test_the_ledger_of_a_run():
    solution = solved()
    *parts, whole = ledger_rows(solution)
    assert [row["role"] for row in parts] == ["generator", "evaluator"] and whole["role"] == "all"
    assert same_bill([whole], solution.result.ledger.total)
    assert sum(row["share"] for row in parts) == pytest.approx(whole["share"]) == pytest.approx(1)
    assert ledger_rows(solution) == ledger_rows(solution.trace) == ledger_rows(solution.result)
    written = Prices(0, 1.0)
    paid = {row["role"]: row["share"] for row in ledger_rows(solution, prices=written)}
    tokens = {role: bill.completion_tokens for role, bill in solution.result.ledger.asked.items()}
    assert paid["evaluator"] == pytest.approx(tokens["evaluator"] / sum(tokens.values()))
    assert ledger(solution).columns == ("role", "calls", "samples", "tokens read", "tokens written", "of all tokens")
    assert ledger(solution, prices=written).columns[-2:] == ("dollars", "of all dollars")
    assert ledger_rows(Trace()) == [] and ledger(Trace()).cells == ()


def test_the_ledger_of_an_experiment(tools):
    by_run = ledger_rows([solved("io", k=2), solved("io", k=4).trace, solved()])
    assert [(row["method"], row["role"]) for row in by_run] == [
        ("io", "generator"),
        *(("tot-bfs", role) for role in ("generator", "evaluator", "all")),
    ]
    assert by_run[0]["samples"] == 3 and by_run[0]["calls"] == 1
    apart = ledger_rows({"two": [solved("io", k=2)], "four": [solved("io", k=4)]})
    assert [(row["run"], row["samples"]) for row in apart] == [("two", 2), ("four", 4)]
    assert ledger_rows({"none": []}) == []
    named = {row["role"]: row for row in ledger_rows([tools])}
    assert named["tool: Search"]["tool_cost"] == tool_bill(tools.trace)["total"]
    assert named["tool: Search"]["failed"] == tool_bill(tools.trace)["failed"] > 0


def test_a_failed_problem_is_billed_and_counted():
    run = solved("io", k=2).trace
    runs = [run, Trace(run.head, run.events, {**run.result, "stopped": "error"})]
    [row], [first] = ledger_rows(runs), ledger_rows(runs[:1])
    assert row == {**first, "errors": 1}
    assert "errors" in ledger(runs).columns and "errors" not in ledger(runs[:1]).columns


def test_without_prices_dollars_are_what_was_charged():
    line = solved().to_dict()
    line["usage"]["by_role"]["evaluator"]["dollars"] = 0.03
    line["usage"]["by_role"]["generator"]["dollars"] = 0.01
    trace = Trace(events=solved().trace.events, result={"usage": line["usage"]})
    assert [row["dollars"] for row in ledger_rows(trace)] == pytest.approx([0.01, 0.03, 0.04])
    assert [row["share"] for row in ledger_rows(trace)] == pytest.approx([0.25, 0.75, 1])
    unpriced = Trace(events=solved().trace.events, result=solved().trace.result)  # prices came after the first results
    assert [row["dollars"] for row in ledger_rows([unpriced, trace])] == pytest.approx([0.01, 0.03, 0.04])


# ------------------------------------------------------------------------------------------------ thinking and caches


def test_thinking_and_cached_tokens_have_columns_where_there_are_any():
    trace = thoughtful()
    [row] = spent(trace)
    assert (row["completion_tokens"], row["thinking_tokens"]) == (20, 12) and "cached_tokens" not in row
    assert "of them thinking" in str(ledger(trace)) and "cache" not in str(ledger(trace))
    trace.events[0]["requests"][0]["cached_tokens"] = 7
    [row] = spent(trace)
    assert row["cached_tokens"] == 7 and "read from a cache" in str(ledger(trace))
    assert not {"thinking_tokens", "cached_tokens"} & spent(solved())[0].keys()
