"""Statistics against the literature, against brute force, and as properties."""

from itertools import combinations, product
from math import comb, isclose
from random import Random
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tot.stats import Interval, bootstrap, mcnemar, paired, pass_at_k, sign_flips, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_in_the_literature(successes, n, low, high):
    interval = wilson(successes, n)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert interval.rate == successes / n and interval.n == n


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_holds_the_rate_and_stays_a_proportion(counts, level):
    interval = wilson(*counts, level)
    assert 0 <= interval.low <= interval.rate <= interval.high <= 1
    mirror = wilson(counts[1] - counts[0], counts[1], level)
    assert isclose(interval.low, 1 - mirror.high, abs_tol=1e-12)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_bounds_are_where_the_score_test_just_rejects(counts, level):
    """The definition: p such that |rate - p| = z sqrt(p (1 - p) / n)."""
    interval, z = wilson(*counts, level), NormalDist().inv_cdf((1 + level) / 2)
    for p in (interval.low, interval.high):
        assert isclose((interval.rate - p) ** 2, z**2 * p * (1 - p) / interval.n, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("statistic", "says", "bad"),
    [
        (wilson, "successes", [(0, 0), (-1, 5), (6, 5)]),
        (pass_at_k, "pass@k needs", [(5, 2, 6), (5, 6, 1), (5, 2, 0), (5, -1, 2)]),
        (bootstrap, "at least one group", [([],), ([()],), ([(1.0,), ()],)]),
        (mcnemar, "negative", [(-1, 2)]),
        (paired, "same problems", [([True], [])]),
    ],
)
def test_what_cannot_be_counted_is_refused(statistic, says, bad):
    for arguments in bad:
        with pytest.raises(ValueError, match=says):
            statistic(*arguments)


@given(st.data())
def test_pass_at_k_is_what_enumeration_counts(data):
    n = data.draw(st.integers(1, 9))
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert isclose(pass_at_k(n, c, k), sum(map(any, draws)) / len(draws))


def test_pass_at_k_at_its_ends_and_at_size():
    assert pass_at_k(10, 3, 1) == 0.3 and pass_at_k(10, 0, 10) == 0.0 and pass_at_k(10, 1, 10) == 1.0
    product = 1.0
    for i in range(10_000 - 50 + 1, 10_001):  # the product form of Chen et al.
        product *= 1 - 100 / i
    assert isclose(pass_at_k(10_000, 50, 100), 1 - product)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_sum_over_the_binomial(b, c):
    n = b + c
    as_extreme = sum(comb(n, i) for i in range(n + 1) if abs(2 * i - n) >= abs(b - c)) / 2**n
    assert isclose(mcnemar(b, c), as_extreme) and mcnemar(b, c) == mcnemar(c, b)


def test_mcnemar_by_hand():
    assert mcnemar(0, 0) == 1.0 and mcnemar(5, 0) == 2 / 32 and mcnemar(1, 8) == 20 / 512


def test_bootstrap_draws_problems_not_samples():
    """Ten samples that all agree within a problem are worth one: the interval must not shrink."""
    one = [(float(i % 2),) for i in range(40)]
    ten = [group * 10 for group in one]
    pooled = [(x,) for group in ten for x in group]
    width = [b.high - b.low for b in map(bootstrap, (one, ten, pooled))]
    assert width[0] == width[1] > 2 * width[2]
    assert abs(width[0] - 2 * 1.96 * 0.5 / 40**0.5) < 0.06  # what theory says


def test_bootstrap_weighs_problems_alike_and_repeats_itself():
    groups = [(1.0,), (0.0,) * 9]
    assert bootstrap(groups).rate == 0.5 and bootstrap(groups).n == 2
    groups = [(i / 7, 0.5) for i in range(8)]
    assert bootstrap(groups) == bootstrap(groups) == bootstrap(groups, rng=Random(0))
    assert bootstrap(groups) != bootstrap(groups, rng=Random(1))


def test_an_interval_is_written_in_any_form_of_its_numbers():
    interval = Interval(0.5, -0.25, 1234.0, 4)
    assert f"{interval}" == str(interval) == "50% [-25%, 123400%]"
    assert f"{interval:+,.1f}" == "+0.5 [-0.2, +1,234.0]"


def test_bootstrap_takes_another_statistic():
    interval = bootstrap([(1.0,), (2.0,), (9.0,)], lambda groups: max(map(max, groups)), resamples=200)
    assert interval == Interval(9.0, interval.low, 9.0, 3) and interval.low in (1.0, 2.0, 9.0)
    best = bootstrap([(1.0, 3.0), (2.0, 2.0)], lambda groups: fmean(map(max, groups)))
    assert best.rate == 2.5


@settings(max_examples=30)
@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=12))
def test_bootstrap_stays_between_the_extremes(groups):
    interval, means = bootstrap(groups, resamples=100), [fmean(group) for group in groups]
    assert min(means) - 1e-9 <= interval.low <= interval.high <= max(means) + 1e-9


def test_paired_counts_and_signs():
    a = [True] * 12 + [False] * 8
    b = [True] * 5 + [False] * 13 + [True] * 2
    result = paired(a, b)
    assert (result.n, result.only_a, result.only_b) == (20, 7, 2)
    assert result.p == mcnemar(7, 2) and isclose(result.difference.rate, 0.25)
    assert result.difference.low < 0.25 < result.difference.high
    back = paired(b, a)
    assert isclose(back.difference.rate, -0.25) and back.p == result.p
    assert "60% against 35% on 20 problems: difference +25%" in str(result)


def test_paired_is_narrower_than_unpaired_where_methods_agree():
    a = [i % 2 == 0 for i in range(40)]
    same = paired(a, a)
    assert same.difference == Interval(0.0, 0.0, 0.0, 40) and same.p == 1.0


def test_counts_of_numpy_do_not_overflow():
    numpy = pytest.importorskip("numpy")
    assert mcnemar(numpy.int64(45), numpy.int64(18)) == mcnemar(45, 18) > 0
    assert mcnemar(numpy.int64(80), numpy.int64(60)) == mcnemar(80, 60)


def test_p_of_many_gaps_that_share_no_sums_is_that_of_random_flips():
    luck = Random(3)
    gaps = [luck.uniform(-0.5, 0.56) for _ in range(60)]
    flips = [abs(sum(luck.choice((gap, -gap)) for gap in gaps)) for _ in range(4000)]
    exact = sum(flip >= abs(sum(gaps)) for flip in flips) / 4000
    assert sign_flips(gaps) == pytest.approx(exact, abs=0.03)


def test_flipping_signs_is_mcnemars_test_and_counts_every_way():
    for b, c in ((5, 0), (6, 0), (9, 1), (3, 3), (0, 0)):
        assert sign_flips([1.0] * b + [-1.0] * c + [0.0] * 4) == pytest.approx(mcnemar(b, c))
    gaps = [0.2, -0.4, 1 / 3, 0.6, 1.0, -1 / 6, 0.5]
    sums = [abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) for signs in product((1, -1), repeat=len(gaps))]
    assert sign_flips(gaps) == pytest.approx(sum(x > abs(sum(gaps)) - 1e-5 for x in sums) / len(sums))


def test_many_gaps_that_share_no_sums_are_counted_coarser_and_a_little_too_often():
    rng = Random(1)
    gaps = [rng.uniform(-0.4, 1) for _ in range(19)]
    sums = [0.0]
    for gap in gaps:
        sums = [end for found in sums for end in (found + gap, found - gap)]
    exact = sum(abs(found) >= abs(sum(gaps)) - 1e-9 for found in sums) / len(sums)
    assert exact <= sign_flips(gaps) <= 1.01 * exact + 1e-4
    assert sign_flips([rng.random() for _ in range(40)]) < 1e-9
