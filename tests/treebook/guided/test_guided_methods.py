"""The two methods on the Game of 24 and on crosswords: what they need, what they find, what is recorded."""

import random
from dataclasses import replace
from itertools import product
from math import log

import pytest
from one_way_to_24 import X, tree_player

import tot
from tot import METHODS, Budget, Cassette, Sample, Scripted, Thought, Trace, bfs, run, solve
from tot.events import Expanded
from tot.jsonlines import FileTrouble
from tot.lm.checking import check
from tot.state import Node, State
from tot.testing import check_search
from treebook.guided.likely import likelihood

GUIDED = ("levin", "likely-beam")


def tree(seed, branching=3, depth=4):
    """path -> the probabilities of what follows; some ways end early."""
    dice, tree = random.Random(seed), {}
    for d in range(depth):
        for path in product(range(branching), repeat=d):
            weights = [dice.random() + 0.05 for _ in range(branching)]
            tree[path] = [(w / sum(weights) * 0.95, d + 1 == depth or dice.random() < 0.2) for w in weights]
    return tree


def growing(tree):
    def generate(nodes):
        children = []
        for node in nodes:
            after = tree[tuple(int(z.text) for z in node.state.thoughts)]
            children += node.grow(Thought(str(i), final=end, prior=p) for i, (p, end) in enumerate(after))
        yield Expanded(children, nodes)
        return children

    return generate


def ways(tree, path=(), logs=()):
    """Every whole way, with the logarithms of its probabilities."""
    for i, (p, end) in enumerate(tree[path]):
        if end:
            yield (*path, i), (*logs, log(p))
        else:
            yield from ways(tree, (*path, i), (*logs, log(p)))


@pytest.mark.parametrize("seed", range(20))
def test_a_beam_that_drops_nothing_finds_the_likeliest_way(seed):
    grown = tree(seed)

    def best(breadth):
        result = run(bfs(Node(State("x")), growing(grown), likelihood, depth=4, breadth=breadth), Scripted([]))
        [*nodes] = result.best
        return tuple(int(z.text) for z in nodes[0].state.thoughts), nodes[0].value

    worth = {path: sum(logs) for path, logs in ways(grown)}
    path, value = best(10**6)
    assert path == max(worth, key=worth.get) and value == pytest.approx(max(worth.values()))
    narrow = best(1)[0]
    greedy = ()
    while greedy not in worth:
        greedy += (max(range(3), key=lambda i: grown[greedy][i][0]),)
    assert narrow == greedy  # one state kept: always the likeliest next thought


def test_they_find_the_way_and_ask_no_evaluator(pocket):
    for name in GUIDED:
        solution = solve("game24", X, name, lm=pocket)
        assert solution.correct and not solution.error
        assert {event["role"] for event in solution.trace.events if event["kind"] == "asked"} == {"generator"}
        assert METHODS[name].asks({}) == {"generator"}
    assert solve("game24", X, "levin", lm=pocket).result.stopped == "until"


def test_a_state_that_was_reached_before_is_not_asked_about_again(pocket):
    one = solve("game24", "1 1 1 1", "levin", lm=pocket, expansions=30)  # no solution: everything is looked at
    asked = [request["messages"] for e in one.trace.events if e["kind"] == "asked" for request in e["requests"]]
    assert len(asked) == len({str(messages) for messages in asked})
    assert any(event["kind"] == "pruned" for event in one.trace.events)
    assert one.answer is not None and not one.correct


def test_they_keep_the_rules_and_any_budget(pocket):
    knobs = {"levin": {"expansions": 10**6, "k": 2}, "likely-beam": {"breadth": 2, "k": 3}}
    game = tot.task("game24")
    for name in GUIDED:
        check_search(lambda name=name: METHODS[name].search(game, X, **knobs[name]), pocket, copies=2, budgets=8)
    for tokens in (700, 2000):
        used = solve("game24", "6 7 9 11", "levin", lm=pocket, budget=Budget(tokens=tokens)).result
        assert used.stopped == "tokens" and used.ledger.total.tokens <= tokens and not used.over


def test_a_recording_replays_with_its_probabilities(pocket, tmp_path):
    path = tmp_path / "cassette.jsonl"
    with Cassette(path, pocket) as recorder:
        recorded = [solve("game24", X, name, lm=recorder) for name in GUIDED]
    again = [solve("game24", X, name, lm=Cassette(path)) for name in GUIDED]
    assert [one.trace.to_json() for one in again] == [one.trace.to_json() for one in recorded]
    assert '"logprob": -' in path.read_text() and check(path) == []
    again[0].trace.save(tmp_path / "trace.json")
    assert Trace.load(tmp_path / "trace.json") == again[0].trace


def test_a_recording_without_probabilities_says_what_to_do(tmp_path):
    path = tmp_path / "cassette.jsonl"
    with Cassette(path, Scripted(tree_player)) as recorder:
        told = solve("game24", X, "levin", lm=recorder)
    again = solve("game24", X, "levin", lm=Cassette(path))
    for one in (told, again):
        assert one.error.startswith("scripted does not tell how likely its replies were: choose the pocket model")
    path.write_text(path.read_text().replace('"text"', '"logprob": 0.5, "text"'))
    with pytest.raises(FileTrouble, match="a logprob must be a number of at most 0"):
        Cassette(path)


def test_a_reply_of_many_lines_is_its_first_line():
    """A server that ignores stop strings: the line counts, with the probability that it told."""
    sample = Sample("13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 6 9 13)", logprob=-1.0)
    one = solve("game24", X, "likely-beam", lm=Scripted(lambda r, i: replace(sample)), breadth=1)
    assert len(one.trace.nodes()) == 2


WAYS = {"S": {"A": 0.9, "B": 0.1}, "A": {"B": 0.9}, "B": {"C": 0.9}, "C": {"G": 0.9}, "G": {}}


class Walk(tot.Stepwise):
    """Walk from S to G in three steps; the likelier way to B is the longer one."""

    name, rules, inputs, steps = "walk", "Walk to G. A step is a town.", ["S to G"], 3
    read = staticmethod(lambda x, done, line: line if line in WAYS[(*"S", *done)[-1]] else None)
    whole = staticmethod(lambda x, done: done[-1:] == ("G",))
    wrong = staticmethod(lambda x, done: "" if done[-1:] == ("G",) else "not at G")
    shown = staticmethod(lambda x, done: f"at {(*'S', *done)[-1]}")


def test_a_question_that_does_not_tell_how_many_steps_are_left_cuts_no_shorter_way():
    def walked(request, i):
        ways = [*WAYS[request.messages[-1].content.partition("at ")[2][0]].items()]
        town, likely = ways[i % len(ways)]
        return Sample(town, logprob=log(likely))

    assert solve(Walk(), "S to G", "levin", lm=Scripted(walked)).answer == "B\nC\nG"
