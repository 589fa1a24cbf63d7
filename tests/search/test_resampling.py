"""Subtrees, shares and particles: worked examples, the rules written anew, and trees that the budget covers."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, floor, log
from random import Random

import pytest
from trees import asked, judge, read_letters, root, word
from word_steps import Letters

import tot
from tot import Ask, Scripted, run, user
from tot.events import Best, Expanded
from tot.search.resampling import dvts, log_odds, particles, rebase, shares, softmax, systematic

TREE = {"r": "a b a c d", "ra": "e f", "rb": "e", "rc": "f g", "rae": "X", "raf": "Y Z", "rbe": "X", "rcf": "Y"}
TREE |= {"rcg": "Z", "rd": ""}
VALUES = {"ra": 0.9, "rb": 0.3, "rc": 0.8, "rd": 0.6, "rae": 0.2, "raf": 0.5, "rbe": 0.9, "rcf": 0.6, "rcg": 0.7}
VALUES |= {"raeX": 0.9, "rafY": 0.4, "rafZ": 0.8, "rbeX": 0.3, "rcfY": 0.95, "rcgZ": 0.6}


def sampled(tree, values):
    """A model whose sample i of "grow WORD" is one of the letters, in turn."""

    def answer(request, i):
        kind, _, at = request.messages[0].content.partition(" ")
        letters = tree.get(at, "").split()
        return str(values.get(at, 0)) if kind == "judge" else letters[i % len(letters)] if letters else ""

    return Scripted(answer)


def draw(shares):
    requests = [user(f"grow {word(s.state)}", temperature=0).samples(0, n) for s, n in shares.items()]
    replies = yield Ask("generator", [*shares], requests)
    new = {}
    for s, reply in zip(shares, replies, strict=True):
        times = Counter(z.value for text in reply.texts for z in read_letters(s.state, text))
        new |= dict(zip(s.grow(times), times.values(), strict=True))
    yield Expanded([*new], [*shares])
    return new


def play(search, tree=TREE, values=VALUES, depth=3, **limits):
    """The words that each "best" event keeps, with their notes; the result; what the model was asked."""
    lm, kept = sampled(tree, values), []

    def watched():
        part, sent = search(root(), draw, judge(), depth=depth, **limits), None
        while True:
            try:
                item = part.send(sent)
            except StopIteration:
                return
            if isinstance(item, Best):
                kept.append({word(node.state): node.note.split(" ")[0] for node in item.nodes})
            sent = yield item

    return kept, run(watched(), lm), asked(lm)


def letters(tree, at, n):
    """The distinct letters of the first ``n`` samples, and how many there are of each."""
    every = tree.get(at, "").split()
    return Counter(every[i % len(every)] for i in range(n if every else 0))


def some_tree(seed):
    """A tree of three letters in depth, with values from 0 to 1, none of them twice."""
    luck = Random(seed)
    worth = luck.sample(range(1, 1000), 400)
    tree, values = {"r": " ".join(luck.choices("abcd", k=6))}, {}
    for _ in range(3):
        for at in [above + z for above in [*tree] for z in tree[above].split()]:
            if at not in values:
                values[at] = worth.pop() / 1000
                names = "XYZ" if len(at) == 3 else "efg"
                tree[at] = " ".join(luck.choices(names, k=luck.randint(0, 4))) if len(at) < 4 else ""
    return tree, values


def test_each_subtree_keeps_its_best_where_one_beam_keeps_the_best_of_all():
    [kept], *_ = play(dvts, {"r": "a b c d"}, {"ra": 0.3, "rb": 0.9, "rc": 0.6, "rd": 0.8}, 1, subtrees=2, samples=2)
    assert [*kept] == ["rb", "rc"]  # .3 and .6 are in one subtree, .9 and .8 in the other


def test_subtrees_by_hand():
    """Of a b a c equal ones are one: a and c go to the first subtree, b to the second."""
    kept, result, questions = play(dvts, subtrees=2, samples=2)
    assert [[*each] for each in kept] == [["ra", "rb"], ["rbe", "raf"], ["rafZ", "rbeX"]]
    assert result.answers == ["rafZ", "rbeX"] and result.ledger.rounds == 6
    assert questions == [
        *("grow r", "judge ra", "judge rb", "judge rc", "grow ra", "grow rb", "judge rae", "judge raf", "judge rbe"),
        *("grow raf", "grow rbe", "judge rafY", "judge rafZ", "judge rbeX"),
    ]
    kept, *_ = play(dvts, subtrees=4, samples=2)  # from d no step leads on
    assert [[*each] for each in kept][1:] == [["rbe", "rcg", "raf"], ["rafZ", "rcgZ", "rbeX"]]


@pytest.mark.parametrize("seed", range(10))
def test_subtrees_are_greedy_searches_of_their_own(seed):
    tree, values = some_tree(seed)
    subtrees, samples = 1 + seed % 4, 1 + seed % 3
    first = ["r" + z for z in letters(tree, "r", subtrees * samples)]
    ends = []
    for i in range(subtrees):
        at = max(first[i::subtrees], key=values.get, default="")
        while at and not at[-1].isupper():
            at = max((at + z for z in letters(tree, at, samples)), key=values.get, default="")
        ends += [at] * bool(at)
    kept, result, _ = play(dvts, tree, values, subtrees=subtrees, samples=samples)
    assert sorted(result.answers) == sorted(ends) or not ends
    assert all(len(each) <= subtrees for each in kept)


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


def test_states_share_the_next_samples_by_hand():
    """Width 4, evenly: of a b a c, a .9, c .8 and b .3 get 2, 2 and 0."""
    kept, result, questions = play(rebase, reward=float, width=4, temperature=1.0)
    assert shares([0.9, 0.3, 0.8], 4, 1.0) == [2, 0, 2] and kept[0] == {"ra": "2", "rc": "2"}
    assert shares([0.2, 0.5, 0.6, 0.7], 4, 1.0) == [0, 1, 1, 2] and kept[1] == {"rcg": "2", "rcf": "1", "raf": "1"}
    assert result.answers == ["rcfY", "rcgZ", "rafY"] and result.ledger.rounds == 6
    assert "judge rafZ" not in questions and "grow rb" not in questions


def test_finished_states_lower_the_width():
    tree = {"r": "X a b", "ra": "Y Z c", "rb": "Y"}
    values = {"rX": 0.9, "ra": 0.8, "rb": 0.1, "raY": 0.5, "raZ": 0.4, "rbY": 1.0}
    kept, result, _ = play(rebase, tree, values, reward=float, width=3, temperature=0.05)
    assert kept[0] == {"rX": "", "ra": "2"}  # one of three is finished, and b gets nothing
    assert result.answers == ["rX", "raY", "raZ"]


@pytest.mark.parametrize("seed", range(6))
def test_states_that_share_enough_find_what_trying_everything_finds(seed):
    tree, values = some_tree(seed)
    ends = [at for at in values if at[-1].isupper()]
    _, result, questions = play(rebase, tree, values, reward=float, width=999, temperature=9.0)
    found = max(ends, key=values.get, default=None)
    assert next(iter(result.answers), None) == found and sorted(result.answers) == sorted(ends)
    assert len(questions) == len({*questions})
    _, result, _ = play(particles, tree, values, odds=lambda p: log_odds(p) / 50, count=999, luck=Random(seed))
    assert next(iter(result.answers), None) == found and sorted(result.answers) == sorted(ends)


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


def by_the_rule(tree, values, count, heat, seed):
    """The particle filter written anew: how many particles are drawn to each word, step by step."""
    luck, cloud, steps = Random(seed), {"r": count}, []
    while any(not at[-1].isupper() for at in cloud):
        moved = {at: n for at, n in cloud.items() if at[-1].isupper()}
        for at, n in cloud.items():
            if not at[-1].isupper():
                moved |= {at + z: times for z, times in letters(tree, at, n).items()}
        if not moved:
            break
        odds = [n * (values[at] / (1 - values[at])) ** (1 / heat) for at, n in moved.items()]
        u, below, cloud = luck.random(), 0.0, {}
        for at, weight in zip(moved, odds, strict=True):
            if drawn := sum(below <= (u + i) / count < below + weight / sum(odds) for i in range(count)):
                cloud[at] = drawn
            below += weight / sum(odds)
        steps.append({at: str(n) for at, n in cloud.items()})
    return steps


@pytest.mark.parametrize("seed", range(12))
def test_particles_are_drawn_by_the_rule_written_anew(seed):
    tree, values = (TREE, VALUES) if seed < 3 else some_tree(seed)
    count, heat = 3 + seed, (1.0, 2.0, 0.5)[seed % 3]
    kept, result, questions = play(
        particles, tree, values, odds=lambda p: log_odds(p) / heat, count=count, luck=Random(seed)
    )
    assert kept == by_the_rule(tree, values, count, heat, seed)
    assert len(questions) == len({*questions})  # particles in one state are asked about once
    assert result.best[0].value == max(values[at] for at in kept[-1])


def test_finished_particles_are_drawn_again_and_those_without_a_step_are_lost():
    tree, values = {"r": "X a", "ra": "b", "rab": "Y"}, {"rX": 0.5, "ra": 0.5, "rab": 0.5, "rabY": 0.9}
    kept, *_ = play(particles, tree, values, odds=log_odds, count=10, luck=Random(3))
    assert kept == [{"rX": "5", "ra": "5"}, {"rX": "5", "rab": "5"}, {"rabY": "9", "rX": "1"}]
    kept, result, _ = play(particles, {"r": "a"}, {"ra": 0.5}, odds=log_odds, count=4, luck=Random(3))
    assert kept == [{"ra": "4"}] and not result.answers and result.stopped == "done"


NAMES = ("dvts", "rebase", "particles")


def say(request, i):
    """Letters for which every order is proposed, and the right beginnings are called sure."""
    x, so_far, asked = request.messages[-1].content.split("\n\n")
    done = "" if "nothing" in so_far else so_far.removeprefix("So far:\n").replace("\n", "")
    if "sure" in asked:
        return "sure" if "abcd".startswith(done) else "likely" if done < "c" else "impossible"
    letters = x.split()
    return "\n".join(letters[i % len(letters) :] + letters)


@pytest.mark.parametrize("name", NAMES)
def test_a_task_of_ones_own_is_solved_and_another_trial_draws_other_samples(name):
    lm = Scripted(say)
    solution = tot.solve(Letters(), "d b a c", name, lm=lm, first=7)
    assert solution.correct and {request.first for request in lm.requests} == {7}
    assert solution.result.ledger.rounds == 7  # twice a step, but the check judges whole solutions
    with pytest.raises(ValueError, match=f"gsm8k does not provide what {name} needs"):
        tot.solve("gsm8k", "1 + 1?", name, lm=lm)


@pytest.mark.parametrize("name", ["rebase", "particles"])
def test_states_with_the_same_prompt_share_its_samples(name):
    """Their shares differ: a sample of both was paid twice."""

    class Counted(Letters):
        def shown(self, x, done):
            return f"{len(done)} letters"

    lm = Scripted(lambda request, i: "sure" if "sure" in request.messages[-1].content else "cab"[i % 3])
    tot.solve(Counted(), "c a b", name, lm=lm)
    samples = Counter((one.key(""), i) for one in lm.requests for i in one.indices)
    assert max(samples.values()) == 1 < len(lm.requests)


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
