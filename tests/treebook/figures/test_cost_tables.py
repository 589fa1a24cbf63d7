"""What each method reached and what it cost."""

from traces import solved

from tot.stats import wilson
from treebook.figures.cost_tables import cost_rows, cost_table


def test_cost_table() -> None:
    lines = [solved().to_dict(), solved("io", k=1).to_dict(), {**solved("io", k=1).to_dict(), "chosen": False}]
    rows = cost_rows([solved(), *lines[1:]])
    assert [row["method"] for row in rows] == ["tot-bfs", "io"] and [row["n"] for row in rows] == [1, 2]
    assert rows[1]["rate"] == wilson(1, 2) and "errors" not in rows[0]
    usage = lines[0]["usage"]
    assert (
        rows[0]["tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] and rows[0]["calls"] == usage["calls"]
    )
    made = cost_table(lines)
    assert made.columns == ("method", "n", "rate", "calls", "rounds", "tokens")
    assert made.cells[1][2] == "50% [9%, 91%]"
    assert [len(one) for one in str(made).splitlines()] == [len(str(made).splitlines()[0])] * 4
    failed = cost_table([{**lines[0], "stopped": "error"}, lines[0]])
    named = cost_table([{**lines[0], "stopped": "error"}], columns={"method": "way", "n": "n"})
    assert named.columns == ("way", "n", "errors")
    assert failed.columns[-1] == "errors" and failed.cells[0][-1] == "1" and failed.cells[0][2] == str(wilson(1, 2))
    assert cost_table([]).cells == ()
    assert [row["lm"] for row in cost_rows(lines, by=("method", "lm"))] == ["scripted", "scripted"]
