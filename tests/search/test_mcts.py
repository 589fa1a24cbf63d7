"""Monte Carlo tree search against trees worked out by hand and another implementation."""

import json
from functools import partial
from math import inf, log, nan, sqrt
from random import Random

import pytest
from growth import ends
from hypothesis import given
from hypothesis import strategies as st
from toys import children_of, make_mcts, oracle, prompts, worth
from trees import asked, grow, judge, model, picture, root

import tot
from tot import Budget, Event, Scripted, State, Thought, generator, mcts, run, value
from tot.search.monte_carlo import SQRT2, back_up, highest, most_visited, ucb1
from tot.state import Node
from tot.testing import check_search
from tot.ties import level

#            r .5
#      a .6        b .4
#   c .9  d .2     e .3
#   f .7
TREE = {"r": "a b", "ra": "c d", "rb": "e", "rac": "f"}
VALUES = {"r": 0.5, "ra": 0.6, "rb": 0.4, "rac": 0.9, "rad": 0.2, "rbe": 0.3, "racf": 0.7}


def search(tree=TREE, values=VALUES, *, top=None, budget=None, evaluate=None, **knobs):
    lm = model(tree, values)
    knobs = {"depth": 3, "rollouts": 8, **knobs}
    return run(mcts(top or root(), grow(), evaluate or judge(), **knobs), lm, budget=budget), lm


def free(children, reward):
    """generate and evaluate that ask nobody: names of the children of a path of names, and what the path is worth."""

    def path(node):
        return tuple(thought.text for thought in node.state.thoughts)

    def generate(nodes):
        new = [child for node in nodes for child in node.grow(map(Thought, children(path(node))))]
        yield Event("expanded", new, {"of": [node.id for node in nodes], "unread": []})
        return new

    def evaluate(nodes):
        for node in nodes:
            node.value = reward(path(node))
        yield Event("evaluated", list(nodes), {"unread": []})

    return generate, evaluate


def tree_of(result):
    """Every node of the trace: word -> (visits, sum of rewards)."""
    nodes = result.trace.nodes()
    return {n["id"]: (n.get("visits", 0), n.get("visits", 0) * (n.get("mean") or 0.0)) for n in nodes.values()}


def test_the_whole_search_by_hand():
    """C = sqrt(2). UCB1 of a and b before rollouts 4 to 8, to three digits, is in the comments."""
    result, lm = search()
    assert picture(result.trace) == [
        *("selected 0", "asked 0", "evaluated 0=0.5", "backed_up 0=0.5", "best 0=0.5"),
        *("selected 0=0.5", "asked 0=0.5", "expanded 0.0 0.1", "asked 0.0", "evaluated 0.0=0.6"),
        *("backed_up 0.0=0.6 0=0.5", "best 0.0=0.6"),
        *("selected 0.1", "asked 0.1", "evaluated 0.1=0.4", "backed_up 0.1=0.4 0=0.5"),
        # a 2.08, b 1.88: a was judged, so it is expanded
        *("selected 0.0=0.6", "asked 0.0=0.6", "expanded 0.0.0 0.0.1", "asked 0.0.0", "evaluated 0.0.0=0.9"),
        *("backed_up 0.0.0=0.9 0.0=0.6 0=0.5", "best 0.0.0=0.9"),
        # a 1.93, b 2.07: less visited, and b has only one child
        *("selected 0.1=0.4", "asked 0.1=0.4", "expanded 0.1.0", "asked 0.1.0", "evaluated 0.1.0=0.3"),
        "backed_up 0.1.0=0.3 0.1=0.4 0=0.5",
        # a 2.02, b 1.62; below a, d was never visited
        *("selected 0.0.1", "asked 0.0.1", "evaluated 0.0.1=0.2", "backed_up 0.0.1=0.2 0.0=0.6 0=0.5"),
        # a 1.66, b 1.69; e has no children: its reward counts once more, and nobody is asked about it
        *("selected 0.1.0=0.3", "asked 0.1.0=0.3", "expanded", "backed_up 0.1.0=0.3 0.1=0.4 0=0.5"),
        # a 1.71, b 1.47; c 2.38, d 1.68
        *("selected 0.0.0=0.9", "asked 0.0.0=0.9", "expanded 0.0.0.0", "asked 0.0.0.0", "evaluated 0.0.0.0=0.7"),
        *("backed_up 0.0.0.0=0.7 0.0.0=0.9 0.0=0.6 0=0.5", "best 0.0.0.0=0.7"),
    ]
    assert asked(lm)[:5] == ["judge r", "grow r", "judge ra", "judge rb", "grow ra"]
    assert tree_of(result) == {
        id: (visits, pytest.approx(total))
        for id, visits, total in [
            ("0", 8, 0.5 + 0.6 + 0.4 + 0.9 + 0.3 + 0.2 + 0.3 + 0.7),
            ("0.0", 4, 0.6 + 0.9 + 0.2 + 0.7),
            ("0.1", 3, 0.4 + 0.3 + 0.3),
            ("0.0.0", 2, 0.9 + 0.7),
            ("0.0.1", 1, 0.2),
            ("0.1.0", 2, 0.3 + 0.3),
            ("0.0.0.0", 1, 0.7),
        ]
    }
    assert (result.stopped, result.ledger.nodes, result.ledger.rounds, result.unread) == ("done", 7, 12, 0)


def test_zero_sum_changes_the_sign_at_each_step():
    leaf = root().grow([Thought("a")])[0].grow([Thought("b")])[0]
    leaf.value = 0.5
    top = leaf.parent.parent
    assert back_up([leaf], top, zero_sum=True) == [leaf, leaf.parent, top]
    assert [n.total for n in leaf.path] == [0.5, -0.5, 0.5] and [n.visits for n in leaf.path] == [1, 1, 1]
    assert back_up([leaf, leaf.parent], leaf.parent) == [leaf, leaf.parent] and top.visits == 1
    assert (leaf.visits, leaf.parent.visits, leaf.parent.total) == (2, 3, 0.0)


@pytest.mark.parametrize("rollouts", range(1, 9))
def test_fewer_rollouts_are_a_prefix(rollouts):
    full, _ = search()
    part, lm = search(rollouts=rollouts)
    assert part.trace.events == full.trace.events[: len(part.trace.events)]
    assert part.trace.nodes()["0"]["visits"] == rollouts and part.ledger.nodes <= rollouts
    if rollouts == 1:
        assert asked(lm) == ["judge r"] and [n.id for n in part.best] == ["0"]


@pytest.mark.parametrize(("depth", "deepest"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_depth_is_counted_from_the_root_of_the_search(depth, deepest):
    for top in (root(), root("").grow([Thought("r")])[0]):
        above = top.depth
        result, _ = search(depth=depth, rollouts=30, top=top)
        assert max(n["id"].count(".") for n in result.trace.nodes().values()) - above == deepest
        assert top.visits == 30 and (top.parent is None or top.parent.visits == 0)


def test_a_node_is_expanded_once_and_judged_once():
    result, lm = search(rollouts=200)
    words = asked(lm)
    assert "grow racf" not in words  # as deep as it may be
    assert len(words) == len(set(words)) and {w for w in words if w.startswith("judge")} == {
        f"judge {word}" for word in VALUES
    }
    assert result.ledger.total.calls == 7 + 6 and result.trace.nodes()["0"]["visits"] == 200


def test_a_final_thought_ends_its_branch():
    result, lm = search({"r": "A b"}, {"rA": 1.0, "rb": 0.1}, rollouts=20)
    assert "grow rA" not in asked(lm) and result.answers == ["rA"] and result.trace.nodes()["0.0"]["visits"] > 10


def test_a_good_enough_reward_ends_the_search_with_its_node():
    result, _ = search(enough=0.9)
    assert [n.id for n in result.best] == ["0.0.0"] and result.trace.nodes()["0"]["visits"] == 4
    assert search(enough=0.5)[0].ledger.total.calls == 1  # the root already
    by_visits, _ = search(enough=0.9, choose=partial(most_visited, least=2))
    assert [n.id for n in by_visits.best] == ["0.0.0"]
    assert search(enough=0.91)[0].trace.events == search()[0].trace.events


@pytest.mark.parametrize(
    ("knob", "values", "says"),
    [
        ("rollouts", [0, -3, nan], "rollouts and leaves must be at least 1"),
        ("leaves", [0, nan], "rollouts and leaves must be at least 1"),
        ("depth", [-1, nan], "depth, .*, must be at least 0, not"),
        ("exploration", [-0.1, nan, inf], "exploration, .*, must be a finite number of at least 0, not"),
        ("enough", [nan], "enough, .*, must be a number, not nan"),
    ],
)
def test_knobs_that_make_no_sense_are_refused_before_anything_is_asked(knob, values, says):
    for odd in values:
        lm = model(TREE, VALUES)
        with pytest.raises(ValueError, match=says):
            run(mcts(root(), grow(), judge(), **{"rollouts": 8, "depth": 3, knob: odd}), lm)
        assert not lm.requests


@pytest.mark.parametrize("leaves", [1, 3])
def test_it_conforms(leaves):
    def make():
        return mcts(root(), grow(), judge(), rollouts=8, depth=3, leaves=leaves)

    full = check_search(make, model(TREE, VALUES))
    assert full.trace.nodes()["0"]["visits"] == 8


def test_leaves_that_share_a_round_differ():
    """Of three rollouts, two find a leaf of their own below the root: the third is left for the next round."""
    result, _ = search(leaves=3)
    rounds = [[n["id"] for n in e["nodes"]] for e in result.trace.events if e["kind"] == "evaluated"]
    assert rounds[:3] == [["0"], ["0.0", "0.1"], ["0.0.0", "0.1.0", "0.0.1"]]
    visits = [
        n["visits"] for e in result.trace.events if e["kind"] == "backed_up" for n in e["nodes"] if n["id"] == "0"
    ]
    assert visits[:3] == [1, 3, 6] and visits[-1] == 8


def test_a_deadline_keeps_the_best_so_far():
    result, _ = search(budget=Budget(nodes=3))
    assert result.stopped == "nodes" and [n.id for n in result.best] == ["0.0"]


@pytest.mark.parametrize("names", ["", "ab"])  # a tree that is used up at once, and one that grows
@pytest.mark.parametrize("leaves", [1, 3])
def test_a_deadline_ends_rollouts_that_ask_for_nothing(names, leaves):
    def free_search(rollouts=10**9):
        return mcts(root(), *free(lambda path: names, lambda path: 0.5), rollouts=rollouts, depth=99, leaves=leaves)

    with ends():  # all these rollouts would take days
        result = run(free_search(), {}, budget=Budget(seconds=0.1))
    assert result.stopped == "seconds" and 0.1 <= result.ledger.seconds and result.best
    assert result.trace.events[-1]["kind"] == "selected"  # before a rollout, so that none is lost
    assert [e["kind"] for e in run(free_search(), {}, budget=Budget(seconds=0)).trace.events] == ["selected"]
    assert run(free_search(9), {}, budget=Budget(seconds=60)).stopped == "done"


@pytest.mark.parametrize("leaves", [1, 2, 3, 5])
def test_a_selection_says_which_bounds_led_to_each_of_its_leaves(leaves):
    """Followed from the root, always to the highest bound, the ways end at the leaves, in their order."""
    rewards = Random(leaves)
    parts = free(lambda path: "abc", lambda path: rewards.random())
    result = run(mcts(root(), *parts, rollouts=30, depth=4, leaves=leaves), {})
    selected = [event for event in result.trace.events if event["kind"] == "selected"]
    several = 0
    for event in selected:
        ends = []
        for way in event["ways"]:
            at = "0"
            for choice in way:
                assert choice["of"] == at
                bounds = {child: inf if bound is None else bound for child, bound in choice["ucb1"].items()}
                at = max(bounds, key=lambda child: level(bounds[child]))
            ends.append(at)
        assert list(dict.fromkeys(ends)) == [node["id"] for node in event["nodes"]]
        several += len(set(ends)) > 1
    assert len(selected) > 5 and bool(several) == (leaves > 1)


def test_a_generator_that_gives_nothing():
    result, lm = search({}, VALUES)
    assert asked(lm) == ["judge r", "grow r"] and [n.id for n in result.best] == ["0"]
    assert result.trace.nodes()["0"] == {**result.trace.nodes()["0"], "visits": 8, "mean": 0.5}


@pytest.mark.parametrize("odd", [nan, inf, -inf, None])
def test_a_reward_that_is_no_number_is_counted_and_never_averaged(odd):
    rewards = {**VALUES, "ra": odd}

    def evaluate(nodes):
        for node in nodes:
            node.value = rewards["r" + "".join(t.text for t in node.state.thoughts)]
        yield Event("evaluated", [], {"unread": []})

    result, lm = search(evaluate=evaluate)
    nodes = result.trace.nodes()
    assert "grow ra" not in asked(lm) and "visits" not in nodes["0.0"] and nodes["0.0"]["note"] == "no reward"
    assert [e["nodes"][0]["id"] for e in result.trace.events if e["kind"] == "pruned"] == ["0.0"]
    assert result.unread == (odd is not None) and 0.3 < nodes["0"]["mean"] < 0.5
    assert nodes["0"]["visits"] == 7  # the rollout that met it is spent
    assert [n.id for n in result.best] == ["0.1.0"]
    json.loads(result.trace.to_json(), parse_constant=pytest.fail)  # no NaN in it


def test_a_root_without_a_reward_is_searched_all_the_same():
    def evaluate(nodes):
        for node in nodes:
            node.value = None if node.id == "0" else 0.5
        yield Event("evaluated", list(nodes), {"unread": []})

    result, _ = search(evaluate=evaluate)
    assert result.trace.nodes()["0"]["visits"] == 7 and result.best[0].depth > 0
    assert not [e for e in result.trace.events if e["kind"] == "pruned"]

    def mute(nodes):
        yield Event("evaluated", list(nodes), {"unread": []})

    result, lm = search(evaluate=mute)
    assert [n.id for n in result.best] == ["0"] and asked(lm) == ["grow r"]


def test_ucb1_is_equation_3():
    top = root()
    one, two, three = top.grow(map(Thought, "abc"))
    top.visits, (one.visits, one.total), (two.visits, two.total) = 7, (4, 2.0), (3, 2.4)
    assert ucb1(one) == pytest.approx(0.5 + sqrt(2) * sqrt(log(7) / 4)) and ucb1(three) == inf
    assert ucb1(two, 0.0) == pytest.approx(0.8) and ucb1(two, 1.0) == pytest.approx(0.8 + sqrt(log(7) / 3))
    under_way = {top: 2, two: 1, three: 1}  # a visit that is under way has no reward yet
    assert ucb1(two, 1.0, under_way) == pytest.approx(0.8 + sqrt(log(9) / 4))
    assert ucb1(three, 1.0, under_way) == pytest.approx(sqrt(log(9)))
    assert ucb1(one, 1.0, under_way) == pytest.approx(0.5 + sqrt(log(9) / 4))


def reference(x, rollouts, depth, exploration, zero_sum):
    """The same search as a recursion over paths, with nothing in common but equation 3. path -> [visits, total]."""
    stats, kids = {"": [0, 0.0]}, {}

    def bound(path, parent):
        visits, total = stats[path]
        return inf if not visits else total / visits + exploration * sqrt(log(stats[parent][0]) / visits)

    def rollout(path):
        if stats[path][0] == 0:
            reward = worth(x, path)
        else:
            if path not in kids:
                kids[path] = children_of(x, path) if len(path) < depth else []
                stats.update({kid: [0, 0.0] for kid in kids[path]})
            if kids[path]:
                below = rollout(max(kids[path], key=lambda kid: bound(kid, path)))
                reward = -below if zero_sum else below
            else:
                reward = worth(x, path)
        stats[path][0] += 1
        stats[path][1] += reward
        return reward

    for _ in range(rollouts):
        rollout("")
    return stats


TREES = st.builds("tree{}".format, st.integers(0, 10**6))


@given(TREES, st.integers(1, 60), st.integers(0, 4), st.sampled_from([0.0, 0.3, SQRT2, 5.0]), st.booleans())
def test_against_another_implementation(x, rollouts, depth, exploration, zero_sum):
    knobs = {"rollouts": rollouts, "depth": depth, "exploration": exploration, "zero_sum": zero_sum}
    top = Node(State(x))
    run(mcts(top, *prompts(x), **knobs), oracle())
    found = {n.state.last.text if n.depth else "": (n.visits, n.total) for n in walk(top)}
    expected = reference(x, rollouts, depth, exploration, zero_sum)
    assert found == {path: (visits, pytest.approx(total)) for path, (visits, total) in expected.items()}


def walk(top):
    todo = [top]
    while todo:
        node = todo.pop()
        yield node
        todo += node.children


@given(TREES, st.integers(1, 40), st.integers(1, 8), st.integers(0, 4))
def test_the_books_balance_however_many_leaves_share_a_round(x, rollouts, leaves, depth):
    top = Node(State(x))
    result = run(make_mcts(x, top, rollouts=rollouts, leaves=leaves, depth=depth)(), oracle())
    assert top.visits == rollouts and result.ledger.nodes == len({n.id for n in result.visited})
    for node in walk(top):
        own = node.visits - sum(child.visits for child in node.children)
        assert own >= (1 if node.visits else 0) and node.depth <= depth
        assert node.total == pytest.approx(own * (node.value or 0.0) + sum(child.total for child in node.children))
    batches = [e["nodes"] for e in result.trace.events if e["kind"] == "evaluated"]
    assert all(len(batch) <= leaves for batch in batches)
    one = run(make_mcts(x, rollouts=rollouts, leaves=1, depth=depth)(), oracle())
    assert result.ledger.rounds <= one.ledger.rounds


@given(TREES, st.integers(1, 40), st.integers(0, 4), st.integers(1, 3), st.integers(1, 4))
def test_the_output_is_what_the_rule_says(x, rollouts, depth, leaves, least):
    def mean(node):
        return node.mean if node.visits >= least else None

    rules = {"value": lambda n: n.value, "mean": mean}
    for key in rules.values():
        top = Node(State(x))
        choose = highest(key)
        result = run(make_mcts(x, top, rollouts=rollouts, depth=depth, leaves=leaves, choose=choose)(), oracle())
        eligible = [key(n) for n in walk(top) if key(n) is not None]
        assert key(result.best[0]) == max(eligible) if eligible else result.best == [top]
    top = Node(State(x))
    choose = partial(most_visited, least=least)
    run(make_mcts(x, top, rollouts=rollouts, depth=depth, choose=choose)(), oracle())
    node = top
    while node.children and max(n.visits for n in node.children) >= least:
        node = next(n for n in node.children if n.visits == max(m.visits for m in node.children))
    assert choose(top) is node


def test_of_equals_the_first_is_the_output():
    same = dict.fromkeys(VALUES, 0.5)
    assert [n.id for n in search(values=same, choose=highest(lambda n: n.value))[0].best] == ["0"]
    values = {**same, "rad": 0.6, "racf": 0.6}
    result, _ = search(values=values, rollouts=30, choose=highest(lambda n: n.value))
    assert [n.id for n in result.best] == ["0.0.0.0"]  # depth first, in the order of children


def test_thoughts_of_the_game_of_24():
    """Proposals expand, the sum of 3 verdicts, as a share of the most that it can be, is the reward."""
    from one_way_to_24 import RIGHT, X, tree_player

    game = tot.task("game24")
    propose = generator(lambda s: game.propose(s, "one-shot"), game.read_proposals, local=game.compose)
    verdicts = value(game.value, game.read_value, n=3, local=game.judge)

    def evaluate(nodes):
        yield from verdicts(nodes)
        for node in nodes:
            node.value /= 60

    search = mcts(Node(State(X)), propose, evaluate, rollouts=60, depth=4, exploration=0.5)
    result = run(search, Scripted(tree_player))
    assert [answer.replace(" ", "") for answer in result.answers] == [RIGHT.replace(" ", "")]
