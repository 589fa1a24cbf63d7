"""Monte Carlo search over steps against a tree worked out by hand, its rule written anew, and trying everything."""

from itertools import permutations
from math import inf, log, sqrt
from random import Random

import pytest
from word_steps import Letters

import tot
from tot import Scripted
from tot.methods.tree_of_thoughts import reward

X = "c a b"
PLAIN = {"values": 1, "leaves": 1}


class Valued(Letters):
    """Letters whose verdicts are given: steps so far -> one of the words. The last step is judged by the check."""

    def __init__(self, words, barren=()):
        self.words, self.barren = words, barren

    def lm(self):
        def say(request, i):
            x, so_far, asked = request.messages[-1].content.split("\n\n")
            done = "" if "nothing" in so_far else so_far.removeprefix("So far:\n").replace("\n", "")
            if "sure" in asked:
                return self.words.get(done, "impossible")
            return "none" if done in self.barren else "\n".join(x.split())

        return Scripted(say)


def tree(solution):
    """Steps so far -> (visits, sum of rewards)."""
    nodes, found = solution.trace.nodes(), {}
    for node in nodes.values():
        path, at = "", node["id"]
        while "." in at:
            path, at = nodes[at]["thought"] + path, at.rpartition(".")[0]
        if node.get("visits"):
            found[path] = (node["visits"], node["visits"] * node["mean"])
    return found


def test_sums_of_verdicts_become_rewards_that_keep_their_order():
    def of(*verdicts):
        return reward(sum(verdicts), len(verdicts), 0.001, 20.0)

    sure, likely, never = 20.0, 1.0, 0.001
    sums = [(never,) * 3, (likely, never, never), (likely,) * 3, (sure, never, never), (sure,) * 3]
    assert [of(*each) for each in sums] == pytest.approx([0, 0.587, 0.698, 0.889, 1], abs=1e-3)
    assert reward(1.5, 3, 0.0, 1.0) == 0.5 and reward(0.0, 3, 0.0, 1.0) == 0
    assert reward(0.0, 3, 0.001, 20.0) == 0 and of(sure) == 1 and of(likely) == pytest.approx(0.698, abs=1e-3)


def test_the_whole_search_by_hand():
    """C = 0.5; c is likely, a impossible, b sure; below b, a is likely and c impossible. L = ln 1000 / ln 20000."""
    task = Valued({"c": "likely", "b": "sure", "ba": "likely"})
    L = log(1000) / log(20000)
    for rollouts, visited in [
        (3, {"": (3, 1 + L), "c": (1, L), "a": (1, 0), "b": (1, 1)}),
        # b 1 + .52 against c .70 + .52: b is expanded, and its first child, c, is visited
        (4, {"": (4, 1 + L), "c": (1, L), "a": (1, 0), "b": (2, 1), "bc": (1, 0)}),
        # c .70 + .59 against b .5 + .42
        (5, {"": (5, 1 + L), "c": (2, L), "a": (1, 0), "b": (2, 1), "bc": (1, 0), "ca": (1, 0)}),
        # c .35 + .45, a .63, b .5 + .45: and below b, a was never visited
        (6, {"": (6, 1 + 2 * L), "c": (2, L), "a": (1, 0), "b": (3, 1 + L), "bc": (1, 0), "ba": (1, L), "ca": (1, 0)}),
    ]:
        found = tree(tot.solve(task, X, "tot-mcts", lm=task.lm(), rollouts=rollouts, exploration=0.5, **PLAIN))
        assert found == {path: (n, pytest.approx(total)) for path, (n, total) in visited.items()}, rollouts


def by_the_rule(task, x, rollouts, c):
    """UCT written down again, without the package: dictionaries by path."""
    letters, visits, sums, children = x.split(), {"": 0}, {"": 0.0}, {}
    worth = {"sure": 1.0, "likely": log(1000) / log(20000), "impossible": 0.0}

    def value(path):
        if len(path) == len(letters):
            return 1.0 if list(path) == sorted(path) else 0.0
        return 0.0 if path in children and not children[path] else worth[task.words.get(path, "impossible")]

    def descend(path, way):
        while children.get(path):
            above = path
            bounds = {
                child: round(sums[child] / visits[child] + c * sqrt(log(visits[above]) / visits[child]), 9)
                if visits.get(child)
                else inf
                for child in children[above]
            }
            path = max(bounds, key=bounds.__getitem__)
            way.append(path)
        return path

    for _ in range(rollouts):
        way = [""]
        leaf = descend("", way)
        if (leaf == "" or visits.get(leaf)) and leaf not in children and len(leaf) < len(letters):
            children[leaf] = [leaf + one for one in letters if one not in leaf] if leaf not in task.barren else []
            leaf = descend(leaf, way)
        for path in way:
            visits[path] = visits.get(path, 0) + 1
            sums[path] = sums.get(path, 0.0) + value(leaf)
        if len(leaf) == len(letters) and value(leaf) == 1.0:
            break
    return {path: (visits[path], pytest.approx(sums[path])) for path in visits}


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_rule_written_down_again(seed):
    luck = Random(seed)
    x = "d a c b" if seed % 2 else X
    paths = ["".join(p) for n in range(1, len(x.split())) for p in permutations(x.split(), n)]
    task = Valued(
        {p: luck.choice(["sure", "likely", "impossible"]) for p in paths}, {p for p in paths if not luck.randrange(6)}
    )
    rollouts, c = luck.randrange(1, 60), luck.choice([0.0, 0.25, 1.4])
    solution = tot.solve(task, x, "tot-mcts", lm=task.lm(), rollouts=rollouts, exploration=c, **PLAIN)
    assert tree(solution) == by_the_rule(task, x, rollouts, c)


@pytest.mark.parametrize("leaves", [1, 4])
def test_with_enough_rollouts_it_finds_what_trying_everything_finds_and_ends_there(leaves):
    for seed in range(5):
        luck = Random(seed)
        paths = ["".join(p) for n in (1, 2, 3) for p in permutations("dacb", n)]
        task = Valued({p: luck.choice(["likely", "impossible"]) for p in paths})
        solution = tot.solve(
            task, "d a c b", "tot-mcts", lm=task.lm(), rollouts=400, leaves=leaves, exploration=1.4, values=1
        )
        assert solution.answer == "a\nb\nc\nd" and solution.correct
        assert solution.trace.nodes()["0"]["visits"] < 400


def test_rollouts_that_run_together_share_two_rounds():
    task = Valued(dict.fromkeys(("".join(p) for n in (1, 2, 3) for p in permutations("dacb", n)), "likely"))
    for leaves in (1, 5):
        result = tot.solve(task, "d a c b", "tot-mcts", lm=task.lm(), rollouts=30, leaves=leaves, values=1).result
        assert result.ledger.rounds <= 2 * 30 / leaves and result.ledger.nodes > 20


def test_without_a_finished_thought_there_is_no_answer_and_a_task_without_steps_is_refused():
    task = Valued({})
    solution = tot.solve(task, X, "tot-mcts", lm=task.lm(), rollouts=2, **PLAIN)
    assert solution.answer is None and not solution.error
    with pytest.raises(ValueError, match="gsm8k does not provide what tot-mcts needs"):
        tot.solve("gsm8k", "1 + 1?", "tot-mcts", lm=Scripted([]))

    class Flat(Letters):
        worst = 20.0

    with pytest.raises(ValueError, match="need to rise"):
        tot.solve(Flat(), X, "tot-mcts", lm=Scripted([]))


@pytest.mark.treebook
def test_it_plays_the_game_of_24():
    game = tot.task("game24")
    solved = [tot.solve(game, one, "tot-mcts", lm="pocket") for one in game.problems("starter")[:4]]
    assert sum(each.correct for each in solved) >= 2 and not any(each.error for each in solved)
