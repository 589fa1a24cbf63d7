"""Subtrees, shares and particles: worked examples, the rules written anew, and trees that the budget covers."""

from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, floor, log
from random import Random

import pytest
from trees import asked, grow, judge, model, root, word
from word_steps import Letters

import tot
from tot import Scripted, run
from tot.events import Best
from tot.search.resampling import dvts, log_odds, particles, rebase, shares, softmax, systematic

TREE = {"r": "a b a c d", "ra": "e f", "rb": "e", "rc": "f g", "rae": "X", "raf": "Y Z", "rbe": "X", "rcf": "Y"}
TREE |= {"rcg": "Z", "rd": ""}
VALUES = {"ra": 0.9, "rb": 0.3, "rc": 0.8, "rd": 0.6, "rae": 0.2, "raf": 0.5, "rbe": 0.9, "rcf": 0.6, "rcg": 0.7}
VALUES |= {"raeX": 0.9, "rafY": 0.4, "rafZ": 0.8, "rbeX": 0.3, "rcfY": 0.95, "rcgZ": 0.6}
BEST = "rcfY"  # of all answers


def play(search, tree=TREE, values=VALUES, depth=3, **limits):
    """The words that each "best" event keeps, with their notes; the result; what the model was asked."""
    lm, kept = model(tree, values), []

    def watched():
        part, sent = search(root(), grow(), judge(), depth=depth, **limits), None
        while True:
            try:
                item = part.send(sent)
            except StopIteration:
                return
            if isinstance(item, Best):
                kept.append({word(node.state): node.note.split(" ")[0] for node in item.nodes})
            sent = yield item

    return kept, run(watched(), lm), asked(lm)


# ---------------------------------------------------------------- subtrees


def test_each_subtree_keeps_its_best_where_one_beam_keeps_the_best_of_all():
    values = {"ra": 0.3, "rb": 0.9, "rc": 0.6, "rd": 0.8}
    tree = {"r": "a b c d"}
    [kept], *_ = play(dvts, tree, values, depth=1, subtrees=2)
    assert [*kept] == ["rb", "rc"]  # .3 and .6 are in one subtree, .9 and .8 in the other
    [beam], *_ = play(dvts, tree, values, depth=1, subtrees=1, breadth=2)
    assert [*beam] == ["rb", "rd"]


def test_subtrees_by_hand():
    """Equal thoughts are one: a and c go to the first subtree, b and d to the second."""
    kept, result, questions = play(dvts, subtrees=2)
    assert [[*each] for each in kept] == [["ra", "rd"], ["raf"], ["rafZ"]]
    assert result.answers == ["rafZ"] and result.ledger.rounds == 6
    assert questions == [
        *("grow r", "judge ra", "judge rb", "judge rc", "judge rd", "grow ra", "grow rd", "judge rae", "judge raf"),
        *("grow raf", "judge rafY", "judge rafZ"),
    ]
    kept, result, _ = play(dvts, subtrees=4)
    assert [[*each] for each in kept][1:] == [["rbe", "rcg", "raf"], ["rafZ", "rcgZ", "rbeX"]]


def test_subtrees_that_are_wide_enough_find_the_best_answer_of_all():
    _, result, _ = play(dvts, subtrees=3, breadth=9)
    assert result.best[0].state.answer == BEST and len(result.answers) == 6


# ---------------------------------------------------------------- shares


def test_the_width_is_shared_out_by_softmax_and_nothing_is_left_over():
    assert shares([0.9, 0.7, 0.4, 0.1], 8, 0.2) == [6, 2, 0, 0]  # rounded they would be 5, 2, 0, 0
    assert shares([0.9, 0.7, 0.4, 0.1], 8, 1.0) == [3, 3, 2, 0]
    assert shares([0.1, 0.4, 0.9, 0.7], 8, 1.0) == [0, 2, 3, 3] and shares([], 8, 1.0) == []
    assert shares([0.5, 0.5, 0.5], 3, 0.01) == [1, 1, 1] and shares([1.0, 0.0], 5, 0.01) == [5, 0]
    luck = Random(1)
    for _ in range(200):
        rewards, width = [round(luck.random(), 2) for _ in range(luck.randint(1, 9))], luck.randint(1, 30)
        given = shares(rewards, width, heat := luck.choice([0.05, 0.2, 1, 50]))
        left, rest = width, sorted(range(len(rewards)), key=lambda i: (-rewards[i], i))
        while rest:  # the rule, written anew
            i, *behind = rest
            part = left / sum(exp((rewards[j] - rewards[i]) / heat) for j in rest)
            assert given[i] == ceil(round(part, 9)), (rewards, width, heat)
            left, rest = left - given[i], behind
        assert left == 0


def test_states_share_the_next_children_by_hand():
    """Width 4, evenly: a .9, c .8, d .6 and b .3 get 2, 1, 1 and 0; the first child of c is f."""
    kept, result, questions = play(rebase, reward=float, width=4, temperature=1.0)
    assert shares([0.9, 0.3, 0.8, 0.6], 4, 1.0) == [2, 0, 1, 1]
    assert kept[0] == {"ra": "2", "rc": "1", "rd": "1"}
    assert shares([0.2, 0.5, 0.6], 4, 1.0) == [0, 2, 2] and kept[1] == {"rcf": "2", "raf": "2"}
    assert [*kept[2]] == ["rcfY", "rafZ", "rafY"] and result.answers == ["rcfY", "rafZ", "rafY"]
    assert "judge rcg" not in questions and "grow rb" not in questions and result.ledger.rounds == 6


def test_finished_states_lower_the_width():
    tree = {"r": "X a b", "ra": "Y Z c", "rb": "Y"}
    values = {"rX": 0.9, "ra": 0.8, "rb": 0.1, "raY": 0.5, "raZ": 0.4, "rbY": 1.0}
    kept, result, _ = play(rebase, tree, values, reward=float, width=3, temperature=0.05)
    assert kept[0] == {"rX": "", "ra": "2"}  # one of three is finished, and b gets nothing
    assert result.answers == ["rX", "raY", "raZ"]


@pytest.mark.parametrize("merge", [True, False])
def test_states_that_share_enough_find_the_best_answer_of_all(merge):
    tree = TREE if merge else {**TREE, "r": "a b c d"}
    _, result, questions = play(rebase, tree, reward=float, width=99, temperature=9.0)
    assert result.best[0].state.answer == BEST and len(result.answers) == 6
    assert questions.count("judge ra") == 1


# ---------------------------------------------------------------- particles


def test_particles_weigh_their_odds():
    def weights(heat):
        odds = softmax([log_odds(p) / heat for p in (0.9, 0.5, 0.2)])
        return [each / sum(odds) for each in odds]

    assert weights(1.0) == pytest.approx([0.878, 0.098, 0.024], abs=5e-4)
    assert weights(2.0) == pytest.approx([0.667, 0.222, 0.111], abs=5e-4)
    assert systematic(weights(1.0), 3, 0.3) == [3, 0, 0]  # points .1 .433 .767
    assert log_odds(1.0) == pytest.approx(-log_odds(0.0)) == pytest.approx(log(1e7)) and log_odds(0.5) == 0


def test_systematic_draws_are_points_on_the_cumulative_shares_and_fair():
    luck = Random(2)
    for _ in range(16):
        parts = [luck.randint(0, 9) for _ in range(luck.randint(1, 6))] + [1]
        count, grid = luck.randint(1, 12), 90
        seen = [0] * len(parts)
        for step in range(grid):
            u = Fraction(2 * step + 1, 2 * grid)
            drawn, ends = systematic([float(each) for each in parts], count, float(u)), [0]
            for part in parts:
                ends.append(ends[-1] + Fraction(part, sum(parts)))
            points = [(u + i) / count for i in range(count)]
            by_hand = [sum(low <= at < high for at in points) for low, high in pairwise(ends)]
            assert drawn == by_hand and sum(drawn) == count
            seen = [a + b for a, b in zip(seen, drawn, strict=True)]
        for part, times in zip(parts, seen, strict=True):
            share = Fraction(count * part, sum(parts))
            assert abs(Fraction(times, grid) - share) <= Fraction(1, grid) * 2
            assert floor(share) * grid <= times <= ceil(share) * grid


def by_the_rule(count, heat, seed):
    """The particle filter on TREE, written anew: which words are drawn how often at each step."""
    luck, cloud, steps = Random(seed), {"r": count}, []

    def pick(weights, n):
        u, whole, below, drawn = luck.random(), sum(weights), 0.0, []  # a draw also where there is nothing to choose
        for weight in weights:
            drawn.append(sum(below <= (u + i) / n < below + weight / whole for i in range(n)))
            below += weight / whole
        return drawn

    for _ in range(3):
        moved = {}
        for at, n in cloud.items():
            thoughts = [*dict.fromkeys(TREE[at].split())]
            drawn = pick([1] * len(thoughts), n)
            moved |= {at + z: m for z, m in zip(thoughts, drawn, strict=True) if m}
        odds = [n * (VALUES[at] / (1 - VALUES[at])) ** (1 / heat) for at, n in moved.items()]
        drawn = pick(odds, count)
        cloud = {at: n for at, n in zip(moved, drawn, strict=True) if n}
        steps.append({at: str(n) for at, n in cloud.items()})
    return steps


@pytest.mark.parametrize("seed", range(12))
def test_particles_are_drawn_by_the_rule_written_anew(seed):
    count, heat = 3 + seed, (1.0, 2.0, 0.5)[seed % 3]
    kept, result, questions = play(particles, odds=lambda p: log_odds(p) / heat, count=count, luck=Random(seed))
    assert kept == by_the_rule(count, heat, seed)
    assert len(questions) == len({*questions})  # particles in one state are asked about once
    assert result.best[0].value == max(VALUES[at] for at in kept[-1])


def test_enough_particles_find_the_best_answer_of_all_and_finished_ones_are_drawn_again():
    _, result, _ = play(particles, odds=lambda p: log_odds(p) / 50, count=400, luck=Random(0))
    assert result.best[0].state.answer == BEST and len(result.answers) == 6
    tree, values = {"r": "X a", "ra": "b", "rab": "Y"}, {"rX": 0.5, "ra": 0.5, "rab": 0.5, "rabY": 0.9}
    kept, *_ = play(particles, tree, values, odds=log_odds, count=10, luck=Random(3))
    assert kept == [{"rX": "5", "ra": "5"}, {"rX": "5", "rab": "5"}, {"rabY": "9", "rX": "1"}]
    kept, result, _ = play(particles, {"r": "a"}, {"ra": 1}, odds=log_odds, count=4, luck=Random(3))
    assert kept == [{"ra": "4"}] and not result.answers and result.stopped == "done"  # no step leads on


# ---------------------------------------------------------------- the methods

NAMES = ("dvts", "rebase", "particles")


def say(request, i):
    """Letters for which every order is proposed, and the right beginnings are called sure."""
    x, so_far, asked = request.messages[-1].content.split("\n\n")
    done = "" if "nothing" in so_far else so_far.removeprefix("So far:\n").replace("\n", "")
    if "sure" in asked:
        return "sure" if "abcd".startswith(done) else "likely" if done < "c" else "impossible"
    return "\n".join(x.split())


@pytest.mark.parametrize("name", NAMES)
def test_a_task_of_ones_own_is_solved_and_another_trial_draws_other_samples(name):
    lm = Scripted(say)
    solution = tot.solve(Letters(), "d b a c", name, lm=lm, first=7)
    assert solution.correct and {request.first for request in lm.requests} == {7}
    assert solution.result.ledger.rounds == 7  # twice a step, but the check judges whole solutions
    with pytest.raises(ValueError, match=f"gsm8k does not provide what {name} needs"):
        tot.solve("gsm8k", "1 + 1?", name, lm=lm)


@pytest.mark.parametrize("name", ["rebase", "particles"])
def test_verdicts_are_brought_to_0_to_1_by_the_rule_of_tot_mcts_or_refused(name):
    """Of three verdicts added up: sure 1, likely .698; as shares of the best, likely would be .05."""

    class Flat(Letters):
        worst = 20.0

    with pytest.raises(ValueError, match="need to rise"):
        tot.solve(Flat(), "c a b", name, lm=Scripted(say))
    knobs = {"evenness": 0.5, **({"width": 12} if name == "rebase" else {"particles": 400})}
    solution = tot.solve(Letters(), "c a b", name, lm=Scripted(say), **knobs)
    first = next(e for e in solution.trace.events if e["kind"] == "best")
    notes = {solution.trace.nodes()[node["id"]]["thought"]: int(node["note"].split()[0]) for node in first["nodes"]}
    if name == "rebase":  # a sure, b likely, c impossible
        assert [notes.get(at, 0) for at in "cab"] == shares([0, 1, log(1000) / log(20000)], 12, 0.5)
    else:
        assert notes == {"a": 400}  # odds of 1e7 against 2.3, squared


@pytest.mark.treebook
@pytest.mark.parametrize("name", NAMES)
def test_it_plays_the_game_of_24(name):
    solution = tot.solve("game24", "4 9 10 13", name, lm="pocket", values=1)
    assert solution.answers and not solution.error and solution.result.ledger.rounds == 5
