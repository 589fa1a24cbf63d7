"""The data behind the explorer: at every step it is the trace again."""

from pathlib import Path

import pytest
from traces import TRACES, beam, deep, greedy, hostile, ids, moments, planned, replay, rollouts, voted
from trees import root

import tot
from tot import run
from tot.show.escaping import block, clean, line
from treebook import show
from treebook.explorer.data import plain as plain_
from treebook.explorer.data import view

every_trace = pytest.mark.parametrize("name", TRACES)


# ------------------------------------------------------------------------------------------------ the steps


@every_trace
def test_the_sum_of_the_steps_is_the_picture_at_every_moment(name):
    trace = TRACES[name]()
    told = view(trace)
    order = list(show.picture(trace).items)
    moments_, replayed = list(moments(trace)), list(replay(told))
    assert len(moments_) == len(replayed) == len(told["steps"])
    for k, (upto, nodes) in enumerate(zip(moments_, replayed, strict=True)):
        seen = show.picture(trace, None if k == len(replayed) - 1 else upto).items
        if k:
            assert [order[i] for i in sorted(nodes)] == sorted(seen, key=order.index)
        for i, state in nodes.items():
            item = seen[order[i]]
            assert state["status"] == item.status and state["why"] == line(item.why)
            assert (state["value"], state["visits"], state["mean"]) == tuple(
                map(plain_, (item.value, item.visits, item.mean))
            )
            assert (state["g"], state["f"], state["cost"]) == tuple(map(plain_, (item.g, item.f, item.cost)))
            assert state["failed"] == line(item.failed)
            assert state["verdict"] == (item.verdict if k == len(replayed) - 1 else "")
            said = state["observation"]
            assert (None if said is None else told["texts"][said]) == (item.observation and block(item.observation))


@every_trace
def test_nodes_and_the_chosen_path_are_those_of_the_picture(name):
    trace = TRACES[name]()
    told, seen = view(trace), show.picture(trace)
    items = list(seen.items.values())
    assert name == "orphan" or ids(told) == [clean(item.id) for item in items]
    for node, item in zip(told["nodes"], items, strict=True):
        assert told["texts"][node["thought"]] == block(item.thought)
        assert items[node["parent"]].id == item.parent if item.parent is not None else node["parent"] == -1
        assert node.get("final", False) is item.final and ("answer" in node) is (item.answer is not None)
    best = told["best"][len(told["steps"]) - 1]
    ends = [i for i, item in enumerate(items) if item.end]
    assert best[:1] == ends
    path = set()
    at = best[0] if best else -1
    while at >= 0:
        path.add(at)
        at = told["nodes"][at]["parent"]
    assert path == {i for i, item in enumerate(items) if item.chosen}


def test_the_steps_of_a_beam_by_hand():
    told = view(beam())
    names = ids(told)
    short = [(step["kind"], [names[i] for i in step["nodes"]]) for step in told["steps"]]
    assert short == [
        ("start", ["0"]),
        ("asked", ["0"]),
        ("expanded", ["0.0", "0.1", "0.2"]),
        ("asked", ["0.0", "0.1", "0.2"]),
        ("evaluated", ["0.0", "0.1", "0.2"]),
        ("best", ["0.1", "0.0"]),
        ("asked", ["0.1", "0.0"]),
        ("expanded", ["0.1.0", "0.0.0", "0.0.1"]),
        ("asked", ["0.1.0", "0.0.0", "0.0.1"]),
        ("evaluated", ["0.1.0", "0.0.0", "0.0.1"]),
        ("best", ["0.1.0", "0.0.1"]),
        ("finished", ["0.1.0"]),
    ]
    assert told["steps"][5]["set"] == [
        ["status", "kept", 2, 1],
        ["open", True, 2, 1],
        ["open", False, 0],
        ["status", "dropped", 3],
    ]
    assert told["measures"] == ["value"]


# ------------------------------------------------------------------------------------------------ what was asked


@every_trace
def test_every_prompt_and_reply_is_found_and_stored_once(name):
    trace = TRACES[name]()
    told = view(trace)
    texts = told["texts"]
    assert len(set(texts)) == len(texts)
    events = [event for event in trace.events if event.get("kind") == "asked"]
    plain = [(event, request) for event in events for request in event["requests"]]
    order = list(show.picture(trace).items)
    assert len(plain) == len(told["requests"])
    for (event, request), asked in zip(plain, told["requests"], strict=True):
        about = [n["id"] for n in event["nodes"]] if request["about"] is None else [request["about"]]
        assert [order[i] for i in asked["nodes"]] == about
        assert [texts[text] for _, text in asked["messages"]] == [block(m["content"]) for m in request["messages"]]
        assert [texts[text] for text, _, _ in asked["replies"]] == [block(s["text"]) for s in request["samples"]]
        assert [tokens for _, _, tokens in asked["replies"]] == [s["tokens"] for s in request["samples"]]
        step = told["steps"][asked["step"]]
        assert step["kind"] == "asked" and step["role"] == asked["role"] == line(event["role"])


@every_trace
def test_the_steps_add_up_to_the_bill(name):
    trace = TRACES[name]()
    if usage := trace.result.get("usage"):
        steps = view(trace, prompts=False)["steps"]
        assert sum(step.get("requests", 0) for step in steps) == usage["calls"]
        assert sum(step.get("tokens", 0) for step in steps) == usage["prompt_tokens"] + usage["completion_tokens"]
        assert max((step.get("round", 0) for step in steps), default=0) == usage["rounds"]


def test_equal_requests_of_a_round_are_billed_once():
    def search():
        yield tot.Ask("evaluate", [root(), root()], [tot.user("the same"), tot.user("the same")])

    trace = run(search(), tot.Scripted(["ten words"])).trace
    [asked] = [step for step in view(trace)["steps"] if step["kind"] == "asked"]
    bill = trace.result["usage"]
    assert (asked["requests"], asked["tokens"]) == (1, bill["prompt_tokens"] + bill["completion_tokens"])
    assert bill["calls"] == 1


def test_what_was_made_of_a_reply():
    told = view(beam())
    names = ids(told)
    first, second = told["requests"][:2]
    assert [names[i] for i in first["made"]] == ["0.0", "0.1", "0.2"] and first["unread"] == [["no letter", "?"]]
    assert second["values"] == [[1, 3]] and "made" not in second
    assert [step["kind"] for step in told["steps"]].count("voted") == 0

    told = view(voted())
    ballots = [request for request in told["requests"] if len(request["nodes"]) > 1]
    kinds = [step["kind"] for step in told["steps"]]
    assert len(ballots) == kinds.count("voted") == 2
    for request in ballots:
        assert sorted(i for i, _ in request["values"]) == sorted(request["nodes"])

    told = view(planned())
    judged = [request for request in told["requests"] if request["role"] == "judge"]
    assert judged and all(
        {judge for judge, _, _ in request["scores"]} == {"logic", "feasibility"} for request in judged
    )


def test_what_was_read_is_told_of_each_request_also_where_two_states_of_a_round_are_equal():
    lm = tot.Cassette(Path(__file__).parents[3] / "notebooks" / "cassettes" / "06.jsonl")
    told = view(tot.solve("game24", "1 2 3 4", "tot-bfs", lm=lm, style="lean", breadth=5).trace)
    assert len(told["requests"]) > sum(step.get("requests", 0) for step in told["steps"])  # two are one call
    assert all(request.keys() & {"made", "values", "unread"} for request in told["requests"])


def test_prompts_may_be_left_out_and_texts_cut():
    told = view(beam(), prompts=False)
    kinds = [[step["kind"] for step in view(voted(), prompts=prompts)["steps"]] for prompts in (True, False)]
    assert kinds[0] == kinds[1] and "voted" in kinds[0]
    assert told["requests"] == [] and sum(step.get("requests", 0) for step in told["steps"]) > 0
    assert told["texts"] == ["r", "a", "b", "c", "F", "D", "e"], "thoughts, no prompts"
    cut = view(hostile(), limit=50)
    assert max(map(len, cut["texts"])) < 50 + 40 and any("more characters" in text for text in cut["texts"])


# ------------------------------------------------------------------------------------------------ the frontier


def frontiers(trace):
    """(kind of step, ids that are open after it) for every step."""
    told = view(trace)
    names = ids(told)
    for step, nodes in zip(told["steps"], replay(told), strict=True):
        yield step["kind"], {names[i] for i, state in nodes.items() if state["open"]}


def test_the_beam_is_the_last_incumbents():
    trace = beam()
    last = {"0"}
    for (kind, open_), upto in zip(frontiers(trace), moments(trace), strict=True):
        if kind == "best":
            last = {node["id"] for node in trace.events[upto - 1]["nodes"]}
        assert open_ == last
    assert view(trace)["frontier"] == {"title": "Beam, best first", "order": "value"}


@pytest.mark.parametrize("name", ["itot-astar", "itot-dstar"])
def test_the_open_list_is_what_was_opened_and_not_taken(name):
    trace = TRACES[name]()
    counts = [len(open_) for kind, open_ in frontiers(trace) if kind == "taken"]
    waiting, wanted = set(), []
    for event in trace.events:
        ids = {node["id"] for node in event["nodes"]} if event["kind"] in ("opened", "taken") else set()
        waiting = waiting | ids if event["kind"] == "opened" else waiting - ids
        wanted += [len(waiting)] if event["kind"] == "taken" else []
    assert counts == wanted and len(counts) > 2
    assert view(trace)["frontier"]["order"] == "f"


def test_the_open_list_of_best_first_search_by_hand():
    taken = [" ".join(sorted(open_)) for kind, open_ in frontiers(greedy()) if kind in ("taken", "evaluated")]
    assert taken == ["", "0.0 0.1 0.2", "0.0 0.2", "0.0 0.1.0 0.2", "0.0 0.2"]


def test_the_waiting_candidates_of_depth_first_search_by_hand():
    waiting = [" ".join(sorted(open_)) for kind, open_ in frontiers(deep()) if kind in ("expanded", "evaluated")]
    assert waiting[:4] == ["0.0 0.1 0.2", "0.1 0.2", "0.0.0 0.0.1 0.1 0.2", "0.0.1 0.1 0.2"]
    assert waiting[4] == "0.1 0.2" and waiting[-1] == "" and view(deep())["frontier"]["order"] == "depth"


def test_the_leaves_of_monte_carlo_search_are_those_selected():
    trace = rollouts()
    leaves = {"0"}
    for (kind, open_), upto in zip(frontiers(trace), moments(trace), strict=True):
        if kind == "selected":
            leaves = {node["id"] for node in trace.events[upto - 1]["nodes"]}
        assert open_ == leaves
