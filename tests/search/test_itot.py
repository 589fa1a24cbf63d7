"""Best-first search and both algorithms of the iToT poster: by hand, against brute force, and what always holds."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import dice
from trees import grow, root, word

from tot import Node, Scripted, State, Thought, generator, run, user, value
from tot.lm.base import Sample
from tot.parse import Read
from tot.search import best_first, itot_astar, itot_dstar
from tot.state import Observation
from tot.testing import check_search
from tot.tools import actor, ran
from tot.trace import tool_bill

#               r                     thought  V_T  V          a capital letter is an answer, and costs nothing
#      a        b        c            a 1 0.5    b 2 0.75    c 1 0.125
#    d   E      F                     d 1 0.5    E 0 0.25    F 0 0.5
TREE = {"r": "a b c", "ra": "d E", "rb": "F"}
VALUES = {"ra": 0.5, "rb": 0.75, "rc": 0.125, "rad": 0.5, "raE": 0.25, "rbF": 0.5}
COSTS = {"a": 1.0, "b": 2.0, "c": 1.0, "d": 1.0}


def tool_cost(state):
    return COSTS.get(state.last.text, 0.0) if state.last else 0.0


def world(tree=TREE, values=VALUES, down=()):
    """Answers everything: children, values and tools. A value may depend on whether the tool has run ("ra!")."""

    def answer(request, i):
        kind, _, asked = request.messages[0].content.partition(" ")
        if kind == "tool":
            return Sample("out of order", "error") if asked in down else Sample(f"saw {asked}")
        if kind == "grow":
            return tree.get(asked, "")
        return str(values.get(asked, values.get(asked.rstrip("!"), 0)))

    return Scripted(answer, "world")


def judge():
    def prompt(state):
        seen = "!" if state.last and state.last.observation else ""
        return user(f"judge {word(state)}{seen}")

    return value(prompt, lambda text: Read(float(text)), n=1)


def acting(cost=tool_cost):
    return actor(lambda s: None if s.terminal else user(f"tool {word(s)}"), cost)


def astar(**knobs):
    knobs = {"tool_cost": tool_cost, "depth": 4, "rounds": 20, "weight": 2, **knobs}
    return itot_astar(root(), grow(), acting(), judge(), **knobs)


def dstar(**knobs):
    knobs = {"tool_cost": tool_cost, "failure_cost": 4, "depth": 4, "rounds": 20, "weight": 2, **knobs}
    return itot_dstar(root(), grow(), acting(), judge(), **knobs)


def story(result):
    """A trace in short, without the asks: kinds, ids, and f where an event is about the open list."""
    short = []
    for event in result.trace.events:
        if event["kind"] not in ("asked", "expanded", "evaluated"):
            ids = " ".join(n["id"] + (f"={n['f']:g}" if "f" in n else "") for n in event["nodes"])
            short.append(f"{event['kind']} {ids}".strip())
    return short


def test_itot_astar_by_hand():
    result = run(astar(), world())
    assert story(result) == [
        "taken 0=0",
        "acted 0.0 0.1 0.2",
        "opened 0.0=0 0.1=0.5 0.2=0.75",  # 1 - 2 * 0.5, 2 - 2 * 0.75, 1 - 2 * 0.125
        "best 0.0=0",
        "taken 0.0=0",
        "acted 0.0.0",
        "opened 0.0.0=1 0.0.1=0.5",  # (1 + 1) - 2 * 0.5, (1 + 0) - 2 * 0.25
        "best 0.0.1=0.5",  # an answer is the best so far
        "taken 0.1=0.5",  # of equals the first that was generated
        "opened 0.1.0=1",  # 2 - 2 * 0.5
        "best 0.0.1=0.5",
        "taken 0.0.1=0.5",
        "best 0.0.1=0.5",
    ]
    assert (result.stopped, result.answers) == ("done", ["raE"])
    assert result.trace.result["tools"] == {"calls": 4, "failed": 0, "total": 5.0, "path": 1.0}
    assert [result.trace.nodes()[i].get("g") for i in ("0", "0.0", "0.0.0", "0.0.1", "0.1.0")] == [0, 1, 2, 1, 2]
    assert [e["role"] for e in result.trace.events if e["kind"] == "asked"][:3] == ["generator", "tool", "evaluator"]


def test_best_first_by_hand_does_not_look_at_costs():
    def step(nodes):
        children = yield from grow()(nodes)
        yield from acting()(children)
        return children

    result = run(best_first(root(), step, judge(), depth=4, rounds=20), world())
    assert story(result) == [
        "taken 0",
        "acted 0.0 0.1 0.2",
        "best 0.1",
        "taken 0.1",
        "best 0.1.0",
        "taken 0.0",
        "acted 0.0.0",
        "best 0.1.0",
        "taken 0.1.0",
        "best 0.1.0",
    ]
    assert result.answers == ["rbF"] and result.trace.result["tools"] == {
        "calls": 4,
        "failed": 0,
        "total": 5.0,
        "path": 2.0,
    }


def test_itot_dstar_by_hand():
    """The tool of d fails. Its parent a is charged half of that, so the answer E below a falls behind F."""
    result = run(dstar(), world(down=["rad"]))
    assert story(result)[5:] == [
        "acted 0.0.0",
        "opened 0.0.0=5 0.0.1=0.5",  # 1 + 1 + 4 - 2 * 0.5
        "propagated 0.0=2 0.0.0=7 0.0.1=2.5",  # a is charged 2, and so is all that is below it
        "best 0.0.1=2.5",
        "taken 0.1=0.5",
        "opened 0.1.0=1",
        "best 0.1.0=1",
        "taken 0.2=0.75",
        "opened",  # c leads nowhere
        "best 0.1.0=1",
        "taken 0.1.0=1",
        "best 0.1.0=1",
    ]
    assert result.answers == ["rbF"]
    [propagated] = [e for e in result.trace.events if e["kind"] == "propagated"]
    assert (propagated["failed"], propagated["charged"]) == (["0.0.0"], {"0.0": 2.0})
    assert result.trace.result["tools"] == {"calls": 4, "failed": 1, "total": 5.0, "path": 2.0}  # no charge in it
    assert run(dstar(propagate="none"), world(down=["rad"])).answers == ["raE"]
    assert run(dstar(propagate="parent"), world(down=["rad"])).trace.events == result.trace.events  # a's parent is root
    assert run(dstar(), world(down=["ra"])).trace.nodes()["0.1"]["g"] == 2  # below the root nobody is charged


def test_lazy_tools_by_hand():
    """a looks best until its tool has run; then it goes back, and b is taken. c and d are never paid for."""
    values = {**VALUES, "ra!": 0.0, "rb!": 0.75, "rbF": 0.75}
    result = run(astar(lazy=True), world(values=values))
    assert story(result) == [
        "taken 0=0",
        "opened 0.0=0 0.1=0.5 0.2=0.75",  # judged by the action, at the cost that its tool will have
        "best 0.0=0",
        "acted 0.0=0",
        "opened 0.0=1",
        "acted 0.1=0.5",
        "opened 0.1=0.5",
        "taken 0.1=0.5",
        "opened 0.1.0=0.5",
        "best 0.1.0=0.5",
        "taken 0.1.0=0.5",
        "best 0.1.0=0.5",
    ]
    assert result.trace.result["tools"] == {"calls": 2, "failed": 0, "total": 3.0, "path": 2.0}
    eager = run(astar(), world(values=values))
    assert eager.answers == result.answers == ["rbF"] and eager.trace.result["tools"]["total"] > 3


def test_lazy_failures_are_charged_when_they_are_discovered():
    result = run(dstar(lazy=True), world({"r": "a b", "ra": "d E", "rb": "F"}, {**VALUES, "rad": 1}, down=["rad"]))
    assert story(result)[6:11] == [
        "opened 0.0.0=0 0.0.1=0.5",
        "best 0.0.1=0.5",
        "acted 0.0.0=0",
        "opened 0.0.0=4",  # 1 + 1 + 4 - 2 * 1
        "propagated 0.0=2 0.0.0=6 0.0.1=2.5",
    ]


@pytest.mark.parametrize(
    "search", [astar, dstar, lambda **knobs: best_first(root(), grow(), judge(), depth=4, **knobs)]
)
def test_with_too_few_rounds_the_output_is_the_best_so_far(search):
    full = run(search(rounds=20), world())
    assert full.stopped == "done"
    taken = sum(event["kind"] == "taken" for event in full.trace.events)
    for rounds in range(taken + 2):
        result = run(search(rounds=rounds), world())
        events = result.trace.events
        if rounds >= taken:
            assert result.stopped == "done" and events == full.trace.events
            continue
        assert result.stopped == "unfinished" and result.trace.result["stopped"] == "unfinished" and not result.error
        assert (events[-1]["kind"], events[-1]["why"]) == ("unfinished", f"{rounds} rounds are used up")
        assert events[:-1] == full.trace.events[: len(events) - 1]
        if rounds:
            assert [n.id for n in result.best] == [n["id"] for n in events[-1]["nodes"]] and len(result.best) == 1
        if rounds > 1:
            assert result.answers  # by then there is an answer, taken or not


def test_nothing_left_is_the_end_and_no_answer():
    for search in (astar(), dstar(), best_first(root(), grow(), judge(), depth=4, rounds=20)):
        result = run(search, world({"r": "a"}))
        assert (result.stopped, result.answers) == ("done", [])
        nothing = run(search, world({}))
        assert nothing.stopped == "done"


def test_depth_is_a_limit_on_thoughts():
    chain = {"r" + "a" * i: "a" for i in range(9)} | {"raaa": "A"}
    for depth in (1, 2, 3, 4, 5):
        for search in (astar, dstar):
            result = run(search(depth=depth), world(chain))
            deepest = max(node["id"].count(".") for node in result.trace.nodes().values())
            assert deepest == min(depth, 4) and result.answers == (["raaaA"] if depth > 3 else [])
            opened = [n["id"].count(".") for e in result.trace.events if e["kind"] == "opened" for n in e["nodes"]]
            assert max(opened) == (4 if depth > 3 else depth - 1) if depth > 1 else opened == []


@pytest.mark.parametrize("knobs", [{"weight": -1}, {"weight": inf}, {"weight": float("nan")}])
def test_knobs_that_make_no_sense(knobs):
    with pytest.raises(ValueError, match="weight must be a finite number of at least 0"):
        astar(**knobs)
    for bad in (knobs, {"failure_cost": -1}, {"discount": 1.5}, {"discount": -1}, {"propagate": "everybody"}):
        with pytest.raises(ValueError):
            dstar(**bad)


def kids(x, path, depth=4):
    """Names of the children of a path: up to three; one that ends in a capital is an answer."""
    if len(path) >= depth or path[-1:].isupper():
        return ""
    count = 3 if not path else int(dice(x, path) * 4)
    return " ".join("ABC"[i] if dice("end", x, path, i) < 0.3 else "abc"[i] for i in range(count))


def cost_in(x):
    def cost(state):
        path = word(state)[len(x) :]
        return 0.0 if not path or path[-1].isupper() else int(dice("cost", x, path) * 8) / 4

    return cost


def jungle(x, rate=0.3):
    """A world that is a function of x: its values are eighths, so that sums are exact."""

    def answer(request, i):
        kind, _, asked = request.messages[0].content.partition(" ")
        path = asked.rstrip("!")[len(x) :]
        if kind == "tool":
            return Sample("", "error") if dice("down", x, path) < rate else Sample(f"saw {path}")
        return kids(x, path) if kind == "grow" else str(int(dice("worth", x, path) * 8) / 8)

    return Scripted(answer, "jungle")


def search_in(x, kind=itot_dstar, **knobs):
    cost = cost_in(x)
    knobs = {"tool_cost": cost, "depth": 4, "rounds": 99, "weight": 4, **knobs}
    if kind is itot_dstar:
        knobs.setdefault("failure_cost", 2)
    return kind(Node(State(x)), grow(), acting(cost), judge(), **knobs)


def taken(result):
    return [n["id"] for e in result.trace.events if e["kind"] == "taken" for n in e["nodes"]]


TREES = st.builds("t{}-".format, st.integers(0, 10**6))


@pytest.mark.slow
@given(TREES)
def test_without_a_value_the_answer_is_a_cheapest_one(x):
    """Weight 0 is uniform-cost search: brute force over the whole tree agrees."""

    def answers(path="", g=0.0):
        for name in kids(x, path).split():
            below = g + cost_in(x)(State(x).then(Thought(path + name)))
            if name.isupper():
                yield below
            yield from answers(path + name, below)

    result = run(search_in(x, itot_astar, weight=0), jungle(x))
    assert result.stopped == "done"
    found = min(answers(), default=None)
    assert (result.best[0].g if result.answers else None) == found
    if result.answers:
        assert result.trace.result.get("tools", {"path": 0})["path"] == found


@pytest.mark.slow
@given(TREES, st.sampled_from(["path", "parent", "none"]))
def test_what_the_forms_have_in_common(x, rule):
    """No failures, or failures that cost nothing: D* Lite is A*. Costs of nothing: A* is best-first."""
    plain = run(search_in(x, itot_astar), jungle(x, 0))
    assert run(search_in(x, propagate=rule), jungle(x, 0)).trace.events == plain.trace.events
    failing = run(search_in(x, itot_astar), jungle(x))
    assert run(search_in(x, propagate=rule, failure_cost=0), jungle(x)).trace.events == failing.trace.events
    free = run(search_in(x, itot_astar, tool_cost=lambda s: 0), jungle(x))
    first = run(best_first(Node(State(x)), grow(), judge(), depth=4, rounds=99), jungle(x))
    assert taken(free) == taken(first) and [n.id for n in free.best] == [n.id for n in first.best]


@given(TREES, st.sampled_from(["path", "parent", "none"]), st.sampled_from([0.25, 0.5, 1.0]), st.booleans())
def test_g_is_what_the_way_cost_and_was_charged(x, rule, discount, lazy):
    """An oracle adds up, from the failures alone, what each state has to bear; and the open list is in order."""
    result = run(search_in(x, propagate=rule, discount=discount, lazy=lazy), jungle(x))
    nodes = {node.id: node for best in result.visited for node in best.path}
    failed = [n for n in nodes.values() if n.state.last and (seen := n.state.last.observation) and seen.failed]

    def charged(node):
        """By failures strictly below it; the root is spared."""
        gaps = [f.depth - node.depth for f in failed if f.id.startswith(node.id + ".")] if node.depth else []
        return sum(2 * discount**gap for gap in gaps if rule == "path" or (rule == "parent" and gap == 1))

    for node in nodes.values():
        way = [n for n in node.path if n.depth]
        own = sum(cost_in(x)(n.state) + 2 * (n in failed) + charged(n) for n in way)
        assert node.g == own and node.f == own - 4 * (node.value or 0) * bool(node.depth)
    now, open_ = {}, {"0"}
    for event in result.trace.events:
        now |= {n["id"]: n["f"] for n in event["nodes"] if "f" in n}
        if event["kind"] == "opened":
            open_ |= {n["id"] for n in event["nodes"]}
        if event["kind"] == "taken":
            [node] = event["nodes"]
            assert now[node["id"]] == min(now[i] for i in open_)
            open_.remove(node["id"])
    spent = sum(cost_in(x)(n.state) for n in nodes.values() if ran(n))
    assert tool_bill(result.trace).get("total", 0) == spent
    assert len(taken(result)) == len(set(taken(result)))  # nothing is expanded twice


@given(TREES)
def test_lazy_tools_take_the_same_way_for_less(x):
    """Where an observation changes no value and nothing fails, being lazy saves and changes nothing else."""
    eager, lazy = (run(search_in(x, itot_astar, lazy=lazy), jungle(x, 0)) for lazy in (False, True))
    assert taken(eager) == taken(lazy) and [n.id for n in eager.best] == [n.id for n in lazy.best]
    bills = [result.trace.result.get("tools", {"total": 0, "path": 0}) for result in (eager, lazy)]
    assert bills[1]["total"] <= bills[0]["total"] and bills[1]["path"] == bills[0]["path"]


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("kind", [itot_astar, itot_dstar])
def test_they_conform(kind, lazy):
    for x in ("t1-", "t7-"):
        check_search(lambda x=x: search_in(x, kind, lazy=lazy), jungle(x), budgets=20)


def test_best_first_conforms():
    check_search(lambda: best_first(Node(State("t1-")), grow(), judge(), depth=4, rounds=99), jungle("t1-"), budgets=20)


def test_observations_reach_the_prompts_of_later_thoughts():
    seen = []

    def prompt(state):
        seen.append([t.observation.text for t in state.thoughts])
        return user(f"grow {word(state)}")

    step = generator(prompt, lambda s, text: [Read(Thought(t, final=t.isupper())) for t in text.split()])
    run(itot_astar(root(), step, acting(), judge(), tool_cost=tool_cost, depth=4, rounds=2), world())
    assert seen == [[], ["saw ra"]]
    assert Observation("saw ra", 1.0) == Observation("saw ra", 1.0, "")
