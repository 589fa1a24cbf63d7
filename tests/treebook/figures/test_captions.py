"""What a page says beside the explorer: its step numbers are the explorer's, and a model's words are no markup."""

import pytest
from traces import beam

import tot
from treebook.explorer.data import view
from treebook.figures.captions import called, contents, notice, quote, steps, when


def test_steps_are_those_of_the_explorer():
    trace = beam()
    told, shown = steps(trace), view(trace)["steps"]
    assert [kind for kind, _ in told] == [step["kind"] for step in shown]
    assert told[0] == ("start", ["0"]) and told[-1][0] == "finished"
    assert ("best", ["0.1", "0.0"]) in told  # b 5, a 3: the best first, by the numbers of the explorer's nodes


def test_the_first_step_of_a_kind_is_found_or_said_to_be_missing():
    trace = beam()
    first = when(trace, "expanded")
    assert steps(trace)[first][0] == "expanded" and first < when(trace, "expanded", "0.0.0")
    assert "0.0.0" in steps(trace)[when(trace, "expanded", "0.0.0")][1]
    for kind, id in (("pruned", None), ("expanded", "0.9")):
        with pytest.raises(ValueError, match=rf"no step '{kind}'.*the search has: start, asked"):
            when(trace, kind, id)


def test_a_models_words_are_code_whatever_they_hold():
    assert quote("a `b`\n<script>  *c*") == "`a 'b' <script> *c*`"
    assert quote("x" * 20, 5) == "`xxxx…`" and quote("x" * 5, 5) == "`xxxxx`"
    assert called(beam(), "0.0.0", "0.1") == "`D` and `b`"
    assert notice("one", "two").data == "**What to notice**\n\n- one\n- two"


def test_contents_names_the_models_once_and_counts_both_sides_of_a_bill(tmp_path):
    task, problem = tot.task("gsm8k"), tot.task("gsm8k").problems("book")[0]
    with tot.Cassette(tmp_path / "x.jsonl", tot.Scripted(["The answer is 4."], "tiny")) as lm:
        run = tot.solve(task, problem, "zero-shot-cot", lm=lm, k=1)
        table = contents([("a chain", lm, run), ("the same", lm, run)])
    bill = run.result.ledger.total
    assert table.caption.count("recorded 2") == 1
    assert [row[:2] for row in table.cells] == [("zero-shot-cot", "a chain"), ("zero-shot-cot", "the same")]
    assert table.cells[0][2] == f"{bill.prompt_tokens + bill.completion_tokens:,}" and bill.completion_tokens
