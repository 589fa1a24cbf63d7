"""Levin tree search against brute force: its order, its bound, its cuts."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tot import Scripted, State, Thought, run
from tot.events import Expanded
from tot.state import Node
from treebook.guided.levin import levin

NOBODY = Scripted([])  # these trees need no model
CLOSE = 1 + Fraction(1, 10**7)  # costs that agree to nine decimals of their logarithm count as equal

ANSWERS = ("goal", "wrong")
# A tree is a list of (probability of the branch, subtree); () is a leaf without an answer, the words are answers.
LEAVES = st.sampled_from(["goal", "wrong", "wrong", ()])


def branches(subtrees):
    """One to four branches whose probabilities, multiples of 1/32, add up to at most 1."""

    def shared(drawn):
        whole = sum(weight for weight, _ in drawn)
        return [(Fraction(weight, max(32, whole)), subtree) for weight, subtree in drawn]

    return st.lists(st.tuples(st.integers(1, 20), subtrees), min_size=1, max_size=4).map(shared)


TREES = branches(st.recursive(LEAVES, branches, max_leaves=40))


def growing(tree, below=None):
    """``generate`` for a tree; ``below(path)`` names what the node's subtree is (for states that are the same)."""

    def subtree(state):
        at = tree
        for thought in state.thoughts:
            at = at[int(thought.text)][1]
        return at

    def generate(nodes):
        children = []
        for node in nodes:
            at = subtree(node.state)
            thoughts = []
            for i, (p, under) in enumerate(at):
                answer = under if isinstance(under, str) else None
                thoughts.append(Thought(str(i), answer=answer, final=answer is not None, prior=float(p)))
            children += node.grow(thoughts)
        yield Expanded(children, nodes)
        return children

    return generate


def everything(tree, d=0, pi=Fraction(1), path=()):
    """Brute force: (thoughts, probability, path, what it is) of every node."""
    yield d, pi, path, tree
    if not isinstance(tree, str):
        for i, (p, under) in enumerate(tree):
            yield from everything(under, d + 1, pi * p, (*path, str(i)))


def is_goal(nodes):
    return any(node.state.answer == "goal" for node in nodes)


def found(tree, *, until=is_goal, **how):
    search = levin(Node(State("x")), growing(tree), **{"depth": 99, "expansions": 10**6} | how)
    return run(search, NOBODY, until=until)


def path_of(node):
    return tuple(thought.text for thought in node.state.thoughts)


def expansions(result):
    return sum(event["kind"] == "expanded" for event in result.trace.events)


@given(TREES)
@settings(max_examples=300, deadline=None)
def test_a_goal_is_found_within_its_depth_divided_by_its_probability(tree):
    goals = [Fraction(d) / pi for d, pi, _, what in everything(tree) if what == "goal"]
    result = found(tree)
    if goals:
        assert result.stopped == "until" and expansions(result) <= min(goals) * CLOSE
        d, pi = next((d, pi) for d, pi, path, _ in everything(tree) if path == path_of(result.best[0]))
        assert Fraction(d) / pi <= min(goals) * CLOSE  # and it is the cheapest one
    else:
        assert result.stopped == "done"


@given(TREES)
@settings(max_examples=200, deadline=None)
def test_states_are_taken_in_the_order_of_depth_divided_by_probability(tree):
    result = found(tree, until=None)
    cost = {path: Fraction(d) / pi for d, pi, path, _ in everything(tree)}
    nodes = result.trace.nodes()

    def path(id):
        above = []
        while nodes[id]["parent"] is not None:
            above.append(nodes[id]["thought"])
            id = nodes[id]["parent"]
        return tuple(reversed(above))

    taken = [path(e["nodes"][0]["id"]) for e in result.trace.events if e["kind"] == "taken"]
    assert sorted(taken) == sorted(cost)  # every state, once
    assert all(cost[one] <= cost[other] * CLOSE for one, other in pairwise(taken))
    for id, node in nodes.items():
        assert node["f"] == pytest.approx(float(cost[path(id)]))


def test_the_bound_is_reached():
    """A chain of certain steps: three expansions for a goal of three thoughts; not one more, not one less."""
    tree = [(Fraction(1), [(Fraction(1), [(Fraction(1), "goal")])])]
    assert expansions(found(tree)) == 3
    assert [expansions(found(tree, expansions=limit)) for limit in range(5)] == [0, 1, 2, 3, 3]


def test_states_beyond_the_depth_are_not_expanded_and_the_limit_is_told():
    tree = [(Fraction(1, 2), [(Fraction(1, 2), "goal")]), (Fraction(1, 4), [(Fraction(1), ())])]
    assert found(tree, depth=1).stopped == "done" and not is_goal(found(tree, depth=1).best)
    limited = found(tree, expansions=1)
    assert limited.stopped == "unfinished" and path_of(limited.best[0]) == ("0",)  # the cheapest open one
    assert limited.trace.events[-1]["why"] == "1 expansions are used up"
    nothing = found(tree, expansions=0)
    assert nothing.stopped == "unfinished" and expansions(nothing) == 0
    wrong = found([(Fraction(1, 2), "wrong"), (Fraction(1, 4), [(Fraction(1), "goal")])], expansions=1)
    assert wrong.answers == ["wrong"] and wrong.stopped == "unfinished"


# -------------------------------------------------------------------- states that are the same


@st.composite
def graphs(draw):
    """A layered graph: state -> its (probability, next state); the last layers are answers. Ways differ in length."""
    layers = draw(st.integers(2, 4))
    wide = [draw(st.integers(1, 3)) for _ in range(layers)]
    names = [[f"{layer}{i}" for i in range(n)] for layer, n in enumerate(wide)]
    later = lambda layer: [name for row in names[layer + 1 :] for name in row] + ["goal", "wrong"]  # noqa: E731
    graph = {}
    for layer, row in enumerate(names):
        for name in row:
            after = draw(st.lists(st.sampled_from(later(layer)), min_size=1, max_size=4, unique=True))
            weights = [draw(st.integers(1, 20)) for _ in after]
            whole = max(24, sum(weights))
            graph[name] = [(Fraction(weight, whole), then) for weight, then in zip(weights, after, strict=True)]
    return graph, names[0][0]


def place(start):
    return lambda state: state.thoughts[-1].text if state.thoughts else start


def walking(graph, start):
    def generate(nodes):
        children = []
        for node in nodes:
            after = graph[place(start)(node.state)]
            thoughts = (
                Thought(then, answer=then if then in ANSWERS else None, final=then in ANSWERS, prior=float(p))
                for p, then in after
            )
            children += node.grow(thoughts)
        yield Expanded(children, nodes)
        return children

    return generate


def goals_in(graph, at, d=0, pi=Fraction(1)):
    if at == "goal":
        yield Fraction(d) / pi
    elif at != "wrong":
        for p, then in graph[at]:
            yield from goals_in(graph, then, d + 1, pi * p)


@given(graphs())
@settings(max_examples=300, deadline=None)
def test_cuts_keep_the_bound_and_the_goal_and_save_expansions(given):
    graph, start = given

    def result(same):
        search = levin(Node(State("x")), walking(graph, start), depth=99, expansions=10**6, same=same)
        return run(search, NOBODY, until=is_goal)

    with_cuts, without = result(place(start)), result(None)
    goals = [*goals_in(graph, start)]
    assert with_cuts.stopped == without.stopped == ("until" if goals else "done")
    assert expansions(with_cuts) <= expansions(without)
    if goals:
        assert expansions(without) <= min(goals) * CLOSE
        assert with_cuts.best[0].f == pytest.approx(float(min(goals)))  # the cheapest goal is never cut


def test_a_likelier_way_to_the_same_state_is_expanded_again():
    """The short way comes first, but is rare; the long one is likelier, and so what lies below is cheaper by it."""
    half, rare = Fraction(1, 2), Fraction(3, 10)
    graph = {"a": [(rare, "c"), (half, "b")], "b": [(Fraction(1), "c")], "c": [(Fraction(1, 100), "goal")]}
    same = place("a")
    long_way = levin(Node(State("x")), walking(graph, "a"), depth=99, expansions=99, same=same)
    result = run(long_way, NOBODY, until=is_goal)
    assert [node.text for node in result.best[0].state.thoughts] == ["b", "c", "goal"]
    ways = [event["of"] for event in result.trace.events if event["kind"] == "expanded"]
    assert ways == [["0"], ["0.1"], ["0.0"], ["0.1.0"]] and is_goal(result.best)
    assert not any(event["kind"] == "pruned" for event in result.trace.events)
    graph["a"] = [(half, "c"), (rare, "b")]
    result = run(levin(Node(State("x")), walking(graph, "a"), depth=99, expansions=99, same=same), NOBODY)
    [pruned] = [event for event in result.trace.events if event["kind"] == "pruned"]
    assert pruned["why"] == "the same question was expanded before, on a way at least as likely"
