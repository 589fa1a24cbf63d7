"""The board of strategies: who is chosen for a budget, and what a row says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from studies import board
from studies.board import BOARD, BUDGETS, STOPS, Cell, chosen, figures, pilots, played
from tot.stats import mcnemar

KIND = "24", "free"
FIRST, SECOND, THIRD = (Cell("pilot", *KIND, "best-of", i) for i in range(3))


def line(solved, tokens):
    return {"solved": solved, "tokens": tokens, "rounds": [1] * len(solved)}


def test_every_strategy_plays_where_its_needs_are_met_and_none_by_gold():
    methods = {method for kind in BOARD.values() for method, _ in kind.values()}
    assert {"tot-mcts", "puct", "restarts", "dvts", "particles", "rebase", "judged-best-of", "tournament"} <= methods
    free = {name for (_, check), kind in BOARD.items() if check != "free" for name in kind}
    assert not free & {"best-of", "restarts"}  # they need the free check
    assert not any("gold" in knobs.values() for kind in BOARD.values() for _, some in kind.values() for knobs in some)


def test_the_pilot_and_the_board_share_no_problem():
    for world in BUDGETS.keys() - {"words"}:  # one list, cut in two
        pilot, all_ = ({p.x for p in board.problems(world, stage)} for stage in ("pilot", "board"))
        assert pilot and all_ and not pilot & all_


def test_a_search_that_can_be_stopped_is_piloted_at_every_budget():
    cells = list(pilots())
    assert len(cells) == len(set(cells))
    for cell in cells:
        assert cell.budget in (BUDGETS[cell.world] if cell.method in STOPS else (0,))


def test_the_pilot_chooses_who_solves_most_within_the_budget_and_of_equals_the_cheapest():
    small, middle, _ = BUDGETS["24"]
    lines = {
        FIRST: line([1, 1, 0], [small] * 3),
        SECOND: line([1, 1, 0], [small - 10] * 3),
        THIRD: line([1, 1, 1], [middle] * 3),
    }
    found = {budget: cell for (*_, budget, _), cell in chosen(lines).items()}
    assert found[small] == replace(SECOND, stage="board") and found[middle] == replace(THIRD, stage="board")
    lines = {FIRST: line([1], [small * board.ROOM + 1])}
    assert (*KIND, small, "best-of") not in chosen(lines)


def test_a_row_has_its_interval_and_is_held_against_the_plain_strategy():
    plain, other = Cell("board", *KIND, "best-of", 3), Cell("board", *KIND, "restarts", 0, 300)
    picked = {(*KIND, 300, "best-of"): plain, (*KIND, 300, "restarts"): other}
    lines = {plain: line([1, 0, 0, 0, 0, 0, 0, 0], [9] * 8), other: line([0, 1, 1, 1, 1, 1, 1, 1], [5] * 8)}
    [first, second] = figures(picked, lines)
    assert first["solved"][0] == 1 / 8 and "Holm" not in first
    assert second["minus plain"]["alone"] == [7, 1] and second["Holm"] == second["minus plain"]["p"] == mcnemar(7, 1)
    assert second["tokens"][0] == 5 and second["seconds"] == {"0.05": 0.05, "2.0": 2.0}


@pytest.mark.parametrize(("strategy", "check"), [("restarts", "free"), ("tot-bfs", "judge"), ("cot-sc", "nobody")])
def test_a_cell_is_played_within_its_budget_and_samples_are_shared(strategy, check):
    cell = Cell("pilot", "24", check, strategy, 0, 300 if strategy in STOPS else 0)
    one, again = played(cell, 2), played(cell, 2)
    assert one == again and len(one["solved"]) == 2 and all(one["tokens"]) and set(one["solved"]) <= {0, 1}
    if cell.budget:
        assert all(tokens < 3000 for tokens in one["tokens"])


def test_the_results_say_what_chapter_20_says():
    root = Path(__file__).parents[2]
    rows = json.loads((root / board.RESULTS).read_text(encoding="utf-8"))["rows"]
    found = {(r["world"], r["check"], r["budget"], r["strategy"]): r for r in rows}
    share = {key: f"{100 * r['solved'][0]:.0f}%" for key, r in found.items()}
    text = (root / "notebooks/20_every_strategy_on_one_board.py").read_text(encoding="utf-8")
    summary = text.partition("# ## Summary")[2].partition("# ## Exercises")[0]
    weak = "24, weak", "free"
    ahead = {"particles", "rebase", "puct", "tot-bfs", "dvts"}
    for budget in BUDGETS["24"]:
        strong = {s: r["solved"][0] for (w, c, b, s), r in found.items() if (w, c, b) == (*KIND, budget)}
        assert max(strong, key=strong.__getitem__) == "best-of"
        told = {s for (w, c, b, s), r in found.items() if (w, c, b) == (*weak, budget) and r.get("Holm", 1) < 0.05}
        up = {s for s in told if found[*weak, budget, s]["minus plain"]["difference"][0] > 0}
        assert up == {300: set(), 1000: ahead, 3000: ahead | {"restarts"}}[budget]
    assert {share[*weak, 3000, s] for s in ahead} <= {"70%", "71%", "76%", "77%"} and "70 to 77%" in summary
    said = [share[*weak, 3000, "best-of"], *(share["24", "judge", 3000, s] for s in ("puct", "tot-bfs"))]
    said += [share["24", "judge", 3000, "judged-best-of"], share["24", "nobody", 1000, "cot-sc"]]
    said += [share["24", "nobody", 300, "cot-sc --weights model"]]
    assert all(one in summary for one in said), said
    assert found["24", "nobody", 300, "cot-sc --weights model"]["knobs"]["k"] == 4
    assert found["24", "nobody", 1000, "cot-sc"]["knobs"]["k"] == 15
    weak_rounds = {s: round(found[*weak, 3000, s]["rounds"]) for s in ("tot-bfs", "rebase", "puct")}
    assert weak_rounds == {"tot-bfs": 5, "rebase": 5, "puct": 13} and "thirteen of `puct` 26" in text
    rounds = [r["rounds"] for key, r in found.items() if key[1] == "free" and key[3] != "best-of"]
    assert (round(min(rounds)), round(max(rounds))) == (5, 21) and "5 to 21" in summary
