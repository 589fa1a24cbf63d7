"""ToT-DFS against trees worked out by hand, brute force, and what must hold for every tree."""

from itertools import islice
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import children_of, oracle, prompts, worth
from trees import asked, grow, judge, model, picture, root

from tot import Budget, Scripted, State, Thought, constant, dfs, generator, ranked, run, solve, user, value
from tot.parse import Read
from tot.state import Node
from tot.testing import check_search

#          r
#    a 3      b 2      c 5        children in the proposer's order, with their values
#  d 0  e 4   f 4      g 1
#       h 0   i 9 j 9
TREE = {"r": "a b c", "ra": "d e", "rae": "h", "rb": "f", "rbf": "i j", "rc": "g"}
VALUES = {"ra": 3, "rb": 2, "rc": 5, "rad": 0, "rae": 4, "raeh": 0, "rbf": 4, "rbfi": 9, "rbfj": 9, "rcg": 1}


def search(tree=TREE, values=VALUES, *, evaluate=None, budget=None, **knobs):
    lm = model(tree, values)
    knobs = {"depth": 3, "threshold": 0, **knobs}
    return run(dfs(root(), grow(), evaluate or judge(), **knobs), lm, budget=budget), lm


def test_the_whole_search_by_hand():
    result, lm = search()
    assert picture(result.trace) == [
        "asked 0",
        "expanded 0.0 0.1 0.2",
        "asked 0.0",
        "evaluated 0.0=3",
        "best 0.0=3",
        "kept 0.0=3",
        "asked 0.0=3",
        "expanded 0.0.0 0.0.1",
        "asked 0.0.0",
        "evaluated 0.0.0=0",
        "pruned 0.0.0=0",
        "asked 0.0.1",
        "evaluated 0.0.1=4",
        "best 0.0.1=4",
        "kept 0.0.1=4",
        "asked 0.0.1=4",
        "expanded 0.0.1.0",
        "asked 0.0.1.0",
        "evaluated 0.0.1.0=0",
        "pruned 0.0.1.0=0",  # deeper than all before, but not entered
        "asked 0.1",
        "evaluated 0.1=2",
        "kept 0.1=2",
        "asked 0.1=2",
        "expanded 0.1.0",
        "asked 0.1.0",
        "evaluated 0.1.0=4",
        "kept 0.1.0=4",
        "asked 0.1.0=4",
        "expanded 0.1.0.0 0.1.0.1",
        "asked 0.1.0.0",
        "evaluated 0.1.0.0=9",
        "best 0.1.0.0=9",  # the first state of maximal depth
        "kept 0.1.0.0=9",
        "asked 0.1.0.1",
        "evaluated 0.1.0.1=9",
        "kept 0.1.0.1=9",
        "asked 0.2",
        "evaluated 0.2=5",
        "kept 0.2=5",
        "asked 0.2=5",
        "expanded 0.2.0",
        "asked 0.2.0",
        "evaluated 0.2.0=1",
        "kept 0.2.0=1",
        "asked 0.2.0=1",
        "expanded",  # a dead end: nothing can be proposed
    ]
    assert (result.stopped, [n.id for n in result.best], result.ledger.nodes) == ("done", ["0.1.0.0"], 10)
    assert result.ledger.rounds == result.ledger.total.calls == len(lm.requests) == 17
    evaluated = [p.split()[1].partition("=")[0] for p in picture(result.trace) if p.startswith("evaluated")]
    assert [n.id for n in result.visited] == evaluated


@pytest.mark.parametrize(
    ("knobs", "output", "visited"),
    [
        ({"output_pruned": True}, "raeh", 10),  # the first of depth 3 was pruned
        ({"threshold": 2}, "rae", 7),  # rb is worth no more than 2: its subtree is never seen
        ({"threshold": 2, "output_pruned": True}, "raeh", 7),
        ({"threshold": -inf}, "raeh", 10),
        ({"threshold": 9}, None, 3),
        ({"depth": 1}, "ra", 3),
        ({"depth": 2}, "rae", 7),
        ({"depth": 0}, None, 0),
        ({"early_stop": True}, "rbfi", 7),
        ({"early_stop": True, "depth": 2}, "rae", 3),
        ({"early_stop": True, "threshold": -inf}, "raeh", 4),
    ],
)
def test_the_knobs(knobs, output, visited):
    result, _ = search(**knobs)
    assert ["r" + "".join(t.text for t in n.state.thoughts) for n in result.best] == ([output] if output else [])
    assert result.ledger.nodes == len(result.visited) == visited and result.stopped == "done"


def test_a_complete_answer_ends_its_branch_wherever_it_is():
    result, lm = search({"r": "A b", "rb": "c", "rbc": "D"}, {"rA": 1, "rb": 1, "rbc": 1, "rbcD": 1}, depth=9)
    assert result.answers == ["rbcD"] and "grow rA" not in asked(lm)
    result, lm = search({"r": "A b"}, {"rA": 1, "rb": 1}, depth=9, early_stop=True)
    assert result.answers == ["rA"] and asked(lm) == ["grow r", "judge rA"]


def test_a_whole_answer_that_is_kept_comes_before_a_deeper_state_that_is_none():
    result, _ = search({"r": "b A", "rb": "c", "rbc": "d"}, {"rb": 1, "rbc": 1, "rbcd": 1, "rA": 1}, depth=9)
    assert result.answers == ["rA"]
    result, _ = search({"r": "B A"}, {"rB": 0, "rA": 1}, depth=9, output_pruned=True)
    assert result.answers == ["rA"]  # the first of its depth is a pruned one


def test_a_pruned_node_says_why():
    result, _ = search(threshold=2)
    whys = {e["nodes"][0]["id"]: e["why"] for e in result.trace.events if e["kind"] == "pruned"}
    assert whys["0.0.0"] == "value 0 is at most 2" and whys["0.1"] == "value 2 is at most 2"


@pytest.mark.parametrize("steps", range(12))
def test_steps_are_visited_nodes(steps):
    """A limit of steps is an exact prefix of the whole search, and what a budget of nodes does."""
    full, _ = search()
    part, lm = search(steps=steps)
    budgeted, _ = search(budget=Budget(nodes=steps))
    events = part.trace.events
    assert events == full.trace.events[: len(events)] == budgeted.trace.events[: len(events)]
    assert part.ledger.nodes == min(steps, 10) and part.stopped == "done"
    assert [n.id for n in part.best] == [n.id for n in budgeted.best]
    if steps == 0:
        assert asked(lm) == []  # nothing is proposed that cannot be visited
    elif steps < 10:
        assert asked(lm)[-1].startswith("judge")


def test_it_conforms():
    full = check_search(lambda: dfs(root(), grow(), judge(), depth=3, threshold=0), model(TREE, VALUES))
    assert full.ledger.nodes == 10
    check_search(lambda: dfs(root(), grow(), judge(), depth=3, threshold=0, steps=4), model(TREE, VALUES))


def test_a_search_may_be_deeper_than_python_calls():
    deep = 1500  # a call for each level ends at Python's limit of 1,000
    lm = model({"r" + "a" * i: "a" for i in range(deep)}, {})
    result = run(dfs(root(), grow(), constant, depth=deep), lm)
    assert result.best[0].depth == deep and not result.error


def reachable(x, threshold, depth, path=""):
    """Brute force: every path that a search with pruning visits, in order, with whether it was entered."""
    if len(path) < depth:
        for child in children_of(x, path):
            alive = worth(x, child) > threshold
            yield child, alive
            if alive:
                yield from reachable(x, threshold, depth, child)


def visited(result):
    return [node.state.last.text for node in result.visited]


TREES = st.builds("tree{}".format, st.integers(0, 10**6))


@given(TREES, st.floats(0, 1), st.integers(0, 4), st.integers(0, 40), st.booleans())
def test_against_brute_force(x, threshold, depth, steps, output_pruned):
    knobs = {"depth": depth, "threshold": threshold, "steps": steps, "output_pruned": output_pruned}
    result = run(dfs(Node(State(x)), *prompts(x), **knobs), oracle())
    expected = list(islice(reachable(x, threshold, depth), steps))
    assert visited(result) == [path for path, _ in expected]
    outputs = [path for path, alive in expected if alive or output_pruned]
    assert [n.state.last.text for n in result.best] == (
        [max(outputs, key=len)] if outputs else []
    )  # the first of equals
    assert {n["id"] for e in result.trace.events if e["kind"] == "pruned" for n in e["nodes"]} == {
        n.id for n, (_, alive) in zip(result.visited, expected, strict=True) if not alive
    }
    kept = [n["id"] for e in result.trace.events if e["kind"] == "kept" for n in e["nodes"]]
    assert kept == [n.id for n, (_, alive) in zip(result.visited, expected, strict=True) if alive]


def test_proposals_of_several_samples_are_one_ranked_list():
    """Figure 6 (a): confidences add up over samples; ties keep the order of appearance; the first k stay."""

    def read(state, text):
        for word in text.split():
            name, _, confidence = word.partition(":")
            yield Read(Thought(name, prior=float(confidence) if confidence else None))

    def children(k, *texts):
        lm = Scripted(lambda request, i: texts[i])
        made = generator(lambda s: user("x"), read, k=len(texts), gather=ranked(k))
        top = root()
        run(dfs(top, made, constant, depth=1), lm)
        return [(n.state.last.text, n.state.last.prior) for n in top.children]

    texts = "a:0.1 b:0.2", "b:0.2 c:0.5", "b:0.1 d:0.5"
    assert children(9, *texts) == [("b", 0.5), ("c", 0.5), ("d", 0.5), ("a", 0.1)]
    assert children(2, *texts) == [("b", 0.5), ("c", 0.5)]
    assert children(9, "a b", "b") == [("b", 2.0), ("a", 1.0)]  # without confidences, samples are counted
    assert children(9, "a:0.1 a:0.2") == [("a", 0.3)] and children(9, "a:0.6666666666") == [("a", 0.666667)]
    assert children(9, "") == []
    with pytest.raises(ValueError, match="at least 1, not 0"):
        ranked(0)


def parts(**more):
    """V asks about each letter of the newest thought."""
    return value(
        lambda s: [user(f"judge {letter}", temperature=0) for letter in s.last.text],
        lambda text: Read(float(text)) if text != "?" else Read(1.0, "no number", text),
        **{"n": 1, "worst": 0.0, **more},
    )


def test_a_state_is_worth_its_weakest_part_and_the_parts_that_rule_it_out_are_named():
    verdicts = {"a": "2", "b": "1", "x": "0", "y": "0", "q": "?"}
    lm = Scripted(lambda request, i: verdicts[request.messages[0].content[-1]])
    nodes = root().grow([Thought("ab"), Thought("axby"), Thought("b"), Thought("q"), Thought("")])
    result = run(parts()(nodes), lm)
    assert [n.value for n in nodes] == [1.0, 0.0, 1.0, 1.0, 0.0]
    assert [n.note for n in nodes] == ["", "judge x; judge y", "", "", ""]
    assert asked(lm) == [f"judge {c}" for c in "abxyq"] and result.ledger.rounds == 1  # each part once
    [event] = [e for e in result.trace.events if e["kind"] == "asked"]
    assert [r["about"] for r in event["requests"]] == ["0.0", "0.0", "0.1", "0.1", "0.3"]
    assert [n["id"] for n in event["nodes"]] == ["0.0", "0.1", "0.3"]
    assert result.unread == 1


def test_a_part_is_ruled_out_when_all_its_verdicts_say_so():
    lm = Scripted(lambda request, i: "0" if request.messages[0].content == "judge x" or i == 0 else "1")
    [node] = root().grow([Thought("xy")])
    run(parts(n=3)([node]), lm)
    assert (node.value, node.note) == (0.0, "judge x")
    [node] = root().grow([Thought("y")])
    run(parts(n=3)([node]), lm)
    assert (node.value, node.note) == (2.0, "")
    [node] = root().grow([Thought("zt")])  # verdicts are summed, and so is the worst of them, up to rounding
    run(
        parts(n=3, worst=0.1)([node]),
        Scripted(lambda request, i: "0.1" if "z" in request.messages[0].content else "0.2"),
    )
    assert node.value == pytest.approx(0.3) and node.note == "judge z"


def test_depth_first_on_game24():
    """The method takes any searchable task: here with verdicts of a player that knows one way."""
    from one_way_to_24 import RIGHT, X, tree_player

    solution = solve("game24", X, "tot-dfs", lm=Scripted(tree_player), values=3)
    assert solution.chosen and solution.answer.replace(" ", "") == RIGHT.replace(" ", "")
    assert [n.depth for n in solution.result.best] == [4] and solution.result.stopped == "done"
