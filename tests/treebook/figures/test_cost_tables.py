"""What each group of solutions cost."""

import pytest
from traces import solved

from treebook.figures.cost_tables import mean_costs


def test_mean_costs() -> None:
    tree, direct = solved(), solved("io", k=1)
    both, one = mean_costs({"both": [tree, direct], "io": iter([direct])})
    total = [run.result.ledger.total for run in (tree, direct)]
    assert both["calls"] == (total[0].calls + total[1].calls) / 2 and one["rounds"] == 1
    assert both["tokens read"] == round((total[0].prompt_tokens + total[1].prompt_tokens) / 2)
    assert one["tokens written"] == total[1].completion_tokens and next(iter(one)) == "method"
    with pytest.raises(ValueError, match="none"):
        mean_costs({"none": []})
