"""PUCT against numbers worked out by hand, its rule written down again, and the model that it needs."""

from functools import partial
from math import log, sqrt
from random import Random

import pytest
from one_way_to_24 import X, tree_player
from telling import Telling

import tot
from tot import METHODS, Budget, Cassette, Scripted, Thought, mcts, run
from tot.events import Evaluated, Expanded
from tot.state import Node, State
from tot.testing import check_search
from treebook.guided.puct import puct


def node(value=0.5, priors=(0.49, 0.2972, 0.1802)):
    """A node that was judged once, with children that were not, or less often."""
    top = Node(State("x"), visits=1, total=value)
    return top, top.grow(Thought(str(i), prior=prior) for i, prior in enumerate(priors))


def test_the_example_worked_out_by_hand():
    """Mean log-probabilities -0.2, -0.7 and -1.2 as shares: .5065 .3072 .1863. The root is worth .5."""
    top, children = node()
    shares = [each.state.last.prior / 0.9674 for each in children]
    assert shares == pytest.approx([0.5065, 0.3072, 0.1863], abs=1e-4)
    assert [*puct(top, children, 1.25, {}).values()] == pytest.approx([1.133, 0.884, 0.733], abs=1e-3)
    for each in (top, children[0]):  # the first child is visited, and returns .2
        each.visits, each.total = each.visits + 1, each.total + 0.2
    assert [*puct(top, children, 1.25, {}).values()] == pytest.approx([0.648, 0.893, 0.679], abs=1e-3)


def test_a_visit_in_progress_counts_as_a_visit_and_not_as_a_reward():
    top, children = node()
    waiting = {top: 2, children[0]: 2}
    c = 1.25 + log((1 + 3 + 19652) / 19652)
    first, second, _ = puct(top, children, 1.25, waiting).values()
    assert first == pytest.approx(0.5 + c * 0.5065 * sqrt(3) / 3, abs=1e-4)
    assert second == pytest.approx(0.5 + c * 0.3072 * sqrt(3), abs=1e-4)


def test_children_without_a_prior_are_not_told_apart_by_it():
    top, children = node(priors=(None, None))
    assert [*puct(top, children, 1.25, {}).values()] == [0.5, 0.5]


def a_tree(seed):
    """path -> (prior, reward): every node down to depth 3 has up to three children."""
    dice = Random(seed)
    paths, tree = [()], {(): (None, dice.random())}
    for path in paths:
        if len(path) < 3:
            for i in range(dice.randrange(4)):
                tree[(*path, i)] = (dice.random() / 4, dice.random())
                paths.append((*path, i))
    return tree


def by_search(tree, rollouts, c):
    def path(each):
        return tuple(int(z.text) for z in each.state.thoughts)

    def generate(nodes):
        new = []
        for each in nodes:
            below = [p for p in tree if p and p[:-1] == path(each)]
            new += each.grow(Thought(str(p[-1]), prior=tree[p][0]) for p in below)
        yield Expanded(new, nodes)
        return new

    def evaluate(nodes):
        for each in nodes:
            each.value = tree[path(each)][1]
        yield Evaluated(nodes)

    top = Node(State("x"))
    run(mcts(top, generate, evaluate, rollouts=rollouts, depth=3, exploration=c, compare=puct), {})
    found = [top]
    for each in found:
        found += each.children
    return {path(each): (each.visits, pytest.approx(each.total)) for each in found if each.visits}


def by_the_rule(tree, rollouts, c):
    """Written down again from the papers' formula, without the package: dictionaries by path."""
    visits, sums, grown = {}, {}, set()
    for _ in range(rollouts):
        way = [()]
        while True:
            at = way[-1]
            children = [p for p in tree if p and p[:-1] == at]
            if at not in grown:
                if at not in visits or not children:
                    break
                grown.add(at)
            elif not children:
                break
            whole = sum(tree[p][0] for p in children)
            growing = log((1 + visits[at] + 19652) / 19652) + c
            scores = {}
            for p in children:
                q = sums[p] / visits[p] if p in visits else sums[at] / visits[at]
                scores[p] = round(q + growing * tree[p][0] / whole * sqrt(visits[at]) / (1 + visits.get(p, 0)), 9)
            way.append(max(scores, key=scores.__getitem__))
            if way[-1] not in visits:
                break
        for p in way:
            visits[p] = visits.get(p, 0) + 1
            sums[p] = sums.get(p, 0.0) + tree[way[-1]][1]
    return {p: (visits[p], pytest.approx(sums[p])) for p in visits}


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_rule_written_down_again(seed):
    tree, c = a_tree(seed), (0.0, 0.5, 1.25, 3.0)[seed % 4]
    for rollouts in (1, 7, 60):
        assert by_search(tree, rollouts, c) == by_the_rule(tree, rollouts, c)


def test_it_plays_the_game_of_24_and_replays(pocket, tmp_path):
    path = tmp_path / "cassette.jsonl"
    with Cassette(path, pocket) as recorder:
        solution = tot.solve("game24", X, "puct", lm=recorder)
    assert solution.correct and not solution.error
    again = tot.solve("game24", X, "puct", lm=Cassette(path))
    assert again.trace.to_json() == solution.trace.to_json()
    nodes = solution.trace.nodes()
    assert nodes["0"]["value"] > 0 and all(0 < n["prior"] <= 1 for n in nodes.values() if n["id"] != "0")
    small = tot.solve("game24", "6 7 9 11", "puct", lm=pocket, budget=Budget(tokens=500)).result
    assert small.stopped == "tokens" and small.ledger.total.tokens <= 500 and not small.over


def test_it_keeps_the_rules_of_a_search():
    for task in ("game24", "crosswords"):
        says = (
            tree_player if task == "game24" else lambda request, i: ["h1. arena (certain)", "v1. apple (sure)"][i % 2]
        )
        one = tot.task(task)
        search = partial(METHODS["puct"].search, one, one.problems(next(iter(one.splits())))[0].x)
        check_search(
            lambda search=search: search(rollouts=9, proposals=2), Telling(Scripted(says)), copies=2, budgets=8
        )


def test_who_cannot_tell_probabilities_is_refused_in_a_sentence():
    told = tot.solve("game24", X, "puct", lm=Scripted(tree_player))
    assert told.error.startswith("scripted does not tell how likely its replies were")
    with pytest.raises(ValueError, match="gsm8k does not provide what puct needs"):
        tot.solve("gsm8k", "1 + 1?", "puct", lm=Scripted([]))
    with pytest.raises(ValueError, match="puct on game24 has no style 'paper'"):
        tot.solve("game24", X, "puct", lm=Scripted([]), style="paper")
