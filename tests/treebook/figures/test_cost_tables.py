"""What each method reached and what it cost."""

import pytest
from traces import solved

from tot.stats import wilson
from treebook.figures.cost_tables import cost_table, mean_costs


def test_cost_table() -> None:
    lines = [solved().to_dict(), solved("io", k=1).to_dict(), {**solved("io", k=1).to_dict(), "chosen": False}]
    made, usage = cost_table([solved(), *lines[1:]]), lines[0]["usage"]
    assert made.columns == ("method", "n", "rate", "calls", "rounds", "tokens")
    assert [cells[:3] for cells in made.cells] == [("tot-bfs", "1", str(wilson(1, 1))), ("io", "2", "50% [9%, 91%]")]
    tokens = usage["prompt_tokens"] + usage["completion_tokens"]
    assert (made.cells[0][3], made.cells[0][5]) == (str(usage["calls"]), f"{tokens:,}")
    assert [len(one) for one in str(made).splitlines()] == [len(str(made).splitlines()[0])] * 4
    failed = cost_table([{**lines[0], "stopped": "error"}, lines[0]])
    assert failed.columns[-1] == "errors" and failed.cells[0][-1] == "1" and failed.cells[0][2] == str(wilson(1, 2))
    assert cost_table([]).cells == ()


def test_mean_costs() -> None:
    tree, direct = solved(), solved("io", k=1)
    both, one = mean_costs({"both": [tree, direct], "io": iter([direct])})
    total = [run.result.ledger.total for run in (tree, direct)]
    assert both["calls"] == (total[0].calls + total[1].calls) / 2 and one["rounds"] == 1
    assert both["tokens read"] == round((total[0].prompt_tokens + total[1].prompt_tokens) / 2)
    assert one["tokens written"] == total[1].completion_tokens and next(iter(one)) == "method"
    with pytest.raises(ValueError, match="none"):
        mean_costs({"none": []})
