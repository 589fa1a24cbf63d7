"""The tree of a trace as data: what became of each node, at every moment."""

import planners
import pytest
from traces import filled, node, sleuthed, solved, trip

import tot
from tot.show import picture, text
from tot.trace import Trace


def test_a_beam_keeps_some_and_drops_the_rest() -> None:
    s = solved(breadth=2)
    seen = picture(s)
    kept = {snapshot["id"] for event in s.trace.events if event["kind"] == "best" for snapshot in event["nodes"]}
    assert {item.id for item in seen.items.values() if item.status == "kept"} == kept
    dropped = {item.id for item in seen.items.values() if item.status == "dropped"}
    assert dropped and dropped.isdisjoint(kept)
    assert len(dropped) + len(kept) + 1 == len(seen.items) == len(s.trace.nodes())


def test_the_chosen_path_leads_to_the_answer() -> None:
    s = solved()
    path = picture(s).path()
    assert path[0].id == "0" and len(path) == 5
    assert (path[-1].answer, path[-1].end, path[-1].verdict) == (s.answer, True, "correct")
    assert [b.parent for b in path[1:]] == [a.id for a in path[:-1]]


def test_the_method_may_choose_another_than_the_first_of_the_best() -> None:
    trace = trip()
    trace.events[-1]["nodes"] = [{"id": "0.2"}, {"id": "0.0.0"}]
    trace.result["scores"] = [{"correct": True}, {"correct": False}]
    assert [item.id for item in picture(trace).path()] == ["0", "0.0", "0.0.0"]
    del trace.result["answer"]
    seen = picture(trace)
    assert [item.id for item in seen.path()] == ["0", "0.2"] and seen.mark == "best"
    assert seen.items["0.2"].verdict == "", "no answer, no verdict"


def test_states_of_a_small_search() -> None:
    seen = picture(trip())
    assert {id: item.status for id, item in seen.items.items()} == {
        "0": "root", "0.0": "kept", "0.1": "pruned", "0.2": "dropped", "0.0.0": "kept", "0.0.1": "new",
    }  # fmt: skip
    assert seen.items["0.1"].word == "pruned: no night train in November"
    assert seen.items["0.0.0"].verdict == "wrong"


def test_an_earlier_moment_knows_nothing_of_later_ones() -> None:
    trace = trip()
    assert [item.id for item in picture(trace, 0).walk()] == ["0"]
    early = picture(trace, 2)
    assert {item.status for item in early.items.values() if item.depth} == {"valued"}
    assert not early.path() and early.mark == "best so far"
    for upto in range(len(trace.events)):
        again = picture(Trace(trace.head, trace.events[:upto])).items
        assert {k: v.status for k, v in picture(trace, upto).items.items()} == {k: v.status for k, v in again.items()}


def test_a_node_that_is_expanded_after_all_was_kept() -> None:
    trace = trip()
    trace.events.append({"kind": "expanded", "of": ["0.2"], "nodes": [node("0.2.0")]})
    assert picture(trace).items["0.2"].status == "kept"


@pytest.mark.treebook
def test_a_node_of_whose_children_none_could_be_read_was_kept():
    """With the next best nodes, or when the search is over: it was among the best, and it was expanded."""
    trace = solved(breadth=2).trace
    *_, last = (i for i, event in enumerate(trace.events) if event["kind"] == "expanded")
    expanded, ended = trace.events[last], trace.events[: last + 2]
    barren = expanded["of"][0]
    expanded["nodes"] = [one for one in expanded["nodes"] if one["parent"] != barren]
    ended[-1]["nodes"] = expanded["nodes"]
    for events in (ended, [*ended, {"kind": "best", "nodes": expanded["nodes"][:2]}]):
        seen = picture(Trace(trace.head, events))
        assert not seen.items[barren].children and seen.items[barren].word == "kept"


@pytest.mark.treebook
def test_a_depth_first_search_keeps_what_it_did_not_prune() -> None:
    """Also the leaves that are not the deepest: a dead end, or the last one that it could visit."""
    for steps in range(1, 30):
        s = filled(steps)
        kinds = {k: {n["id"] for e in s.trace.events if e["kind"] == k for n in e["nodes"]} for k in ("kept", "pruned")}
        found = {id: item.status for id, item in picture(s).items.items() if item.depth}
        assert {id for id, status in found.items() if status == "kept"} == kinds["kept"]
        assert {id for id, status in found.items() if status == "pruned"} == kinds["pruned"]
        assert set(found.values()) <= {"kept", "pruned", "new"}
    assert kinds["kept"] and kinds["pruned"] and "not kept" not in text(s)


def test_monte_carlo_search_keeps_what_it_visited() -> None:
    """A plan tree: visits, means and the judges' words; no plan is called dropped because another is better."""
    lm = planners.team(planners.LUCKY, planners.LUCK)
    solution = tot.solve("gsm8k", planners.X, "mcts-plan", lm=lm, rollouts=6, revisions=2)
    status = {item.thought: item.status for item in picture(solution).items.values()}
    assert {status[plan] for plan in "ABCDFG"} == {"kept"} and status["E"] == "new"
    shown = text(solution)
    assert "value 0.6, mean 0.5667 of 3 visits  kept" in shown and "not kept" not in shown and "← chosen" in shown


@pytest.mark.treebook
def test_what_a_pruned_clue_was_is_named() -> None:
    s = filled()
    pruned = [item for item in picture(s).items.values() if item.status == "pruned"]
    for item in pruned:
        [name, _, clue] = item.why.split(":")[0].partition(". ")
        assert f"{name}. {clue}" in s.trace.head["problem"]
        assert f"pruned: {item.why[:9]}" in text(s, width=200)


def test_what_is_open_is_undecided_until_it_is_taken():
    trace = sleuthed(rounds=4).trace
    first = next(i for i, event in enumerate(trace.events) if event["kind"] == "best")
    items = picture(trace, first + 1).items
    assert [items[id].status for id in ("0.0", "0.1", "0.2")] == ["kept", "valued", "valued"]
    items = picture(trace).items
    assert items["0.0"].status == "kept" and items["0.1"].status == "valued" and items["0.1"].look == "failed"
