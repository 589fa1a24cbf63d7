"""The rough model of chains, votes and trees, against brute force."""

from itertools import product
from math import isclose, sqrt
from random import Random
from statistics import NormalDist, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treebook.studies.odds import best_of, tree, vote

rates = st.floats(0.02, 0.98)


def test_best_of_alike_problems_is_the_textbook_formula():
    assert isclose(best_of(7, 0.2), 1 - 0.8**7)
    assert best_of(50, 0.0) == 0.0 and best_of(1, 1.0) == 1.0


def test_best_of_with_spread_is_the_mean_over_beta_distributed_problems():
    right, spread = 0.3, 0.2
    both = 1 / spread - 1
    dice = Random(1)
    drawn = [1 - (1 - dice.betavariate(right * both, (1 - right) * both)) ** 6 for _ in range(40_000)]
    assert abs(best_of(6, right, spread) - fmean(drawn)) < 0.008


@given(rates, rates, st.integers(2, 60))
def test_spread_makes_more_chains_worth_less(right, spread, k):
    assert right - 1e-9 <= best_of(k, right, spread) <= best_of(k, right) + 1e-9
    assert isclose(best_of(k, right, 1.0), right)


def by_enumeration(k, right, rival):
    """All ways in which k chains can end: right, the rival answer, something else that no other chain says."""
    chance = {"right": right, "rival": (1 - right) * rival, "else": (1 - right) * (1 - rival)}
    total = 0.0
    for way in product(chance, repeat=k):
        p = 1.0
        for end in way:
            p *= chance[end]
        a, b = way.count("right"), way.count("rival")
        total += p * (1 / k if a == 1 and b < 2 else (a > b) + (a == b > 0) / 2)  # each answer once: one of k equals
    return total


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("rival", [0.0, 0.3, 1.0])
def test_vote_counts_what_an_enumeration_counts(k, rival):
    assert isclose(vote(k, 0.35, rival=rival), by_enumeration(k, 0.35, rival), abs_tol=1e-12)


def simulated(steps, candidates, reach, auc, breadth, runs=6000):
    """The same search, played with dice."""
    alive = 1 - (1 - reach) ** (1 / candidates)
    dice, apart = Random(0), sqrt(2) * NormalDist().inv_cdf(auc)
    won = 0
    for _ in range(runs):
        beam = [True]
        for step in range(steps):
            children = [lives and dice.random() < alive for lives in beam for _ in range(candidates)]
            ranked = sorted(((dice.gauss(apart * lives, 1), lives) for lives in children), reverse=True)
            if step == steps - 1:
                won += any(children)
            beam = [lives for _, lives in ranked[:breadth]]
    return won / runs


@pytest.mark.parametrize("breadth", [1, 4])
@pytest.mark.parametrize("auc", [0.4, 0.5, 0.75, 0.95])
def test_tree_agrees_with_a_search_played_with_dice(auc, breadth):
    seen = simulated(3, 5, 0.8, auc, breadth)
    assert abs(tree(3, 5, 0.8, auc, breadth=breadth) - seen) < 4 * sqrt(0.25 / 6000)


@pytest.mark.parametrize("reach", [1e-4, 0.05, 0.6, 0.95])
@pytest.mark.parametrize("spread", [1e-4, 0.05, 0.2, 0.3])
def test_tree_with_spread_is_the_mean_over_beta_distributed_problems(reach, spread):
    both = 1 / spread - 1
    third = [(reach * both + i) / (both + i) for i in range(3)]  # of a beta distribution: the mean of rate ** 3
    assert abs(tree(3, 6, reach, 1.0, spread=spread) - third[0] * third[1] * third[2]) < 0.004


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: best_of(0, 0.5),
        lambda: best_of(3, 1.5),
        lambda: best_of(3, 0.5, -0.1),
        lambda: vote(3, 0.5, rival=2),
        lambda: tree(0, 5, 0.5, 0.9),
        lambda: tree(3, 5, 0.5, 1.1),
        lambda: tree(3, 5, 0.5, 0.9, breadth=0),
        lambda: tree(3, 5, 0.5, 0.9, spread=0.4),
    ],
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="not"):
        wrong()
