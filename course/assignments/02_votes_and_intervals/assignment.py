# %% [markdown]
# # 2. Votes and intervals
#
# Ask a model the same sum five times, and take the answer that comes up most often. That is self-consistency, CoT-SC,
# and on some problems it turns a poor reasoner into a fair one. "Seven of ten right, before it was five": is that the
# vote, or is it luck? This assignment builds the vote, and then the two tools that keep you from fooling yourself.
#
# **Before you start**: chapters 2 to 4. **Time**: about a week. **100 points**: 80 by tests, 20 for your words.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | when are two answers the same? | 15 |
# | 2 | the vote | 15 |
# | 3 | an interval for a rate | 20 |
# | 4 | an interval for problems with several samples | 20 |
# | 5 | does an interval keep its promise? | 10 |
# | 6 | did the vote help? | 20 |

# %% given="set-up"
import re
from fractions import Fraction
from itertools import product
from math import comb, fsum, isclose, sqrt
from random import Random
from statistics import NormalDist, fmean

from tot import stats

# %% [markdown]
# ## Task 1: when are two answers the same? (15 points)
#
# A vote needs a normal form. Write `normal(reply)`: the **last** number in the reply, as a `Fraction`, or None if there
# is no number. A number is digits, perhaps with a minus right in front of them, perhaps with commas between groups of
# three digits, and perhaps with a point and further digits. So `$1,200.50.` is 1200.5, and `-3` is minus three.


# %% solution="normal"
def normal(reply):
    """The last number of a reply, exactly; None if there is none."""
    ### BEGIN SOLUTION
    number = r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
    found = re.findall(number, reply)
    if not found:
        return None
    return Fraction(found[-1].replace(",", ""))
    ### END SOLUTION


# %% test="1" points=7
assert normal("So she pays $1,200.50.") == Fraction(2401, 2)
assert normal("First 7, then 7 - 3 = 4. The answer is 4") == 4
assert normal("I cannot tell.") is None

# %% hidden="1 odd numbers" points=8
# Hidden: equal numbers in other clothes, signs, and texts that are no numbers.
assert normal("4.0") == normal("4.") == normal("answer: 04") == 4
assert normal("it is -3") == -3 and normal("1,234,567") == 1234567
assert normal("-12,345.50") == Fraction(-24691, 2), "all clothes at once"
assert normal("The answer is 4.\nGood luck!") == 4, "wherever it stands"
assert normal("9007199254740993") == 2**53 + 1, "exactly"
assert normal("0.1") + normal("0.2") == normal("0.3")
assert normal("0.12345678") == Fraction(12345678, 10**8) and isinstance(normal("0.5"), Fraction)
assert normal("1234") == normal("it is 1234.0") == 1234, "commas are a perhaps"
assert normal("7 - 3") == 3, "this minus is not right in front"
assert normal("the pair 3,4") == 4, "commas stand between groups of three digits, or between numbers"
assert normal("") is None and normal("...") is None and normal("-") is None and normal("well, no") is None

# %% [markdown]
# ## Task 2: the vote (15 points)
#
# Write `vote(answers)`: the answer that was given most often. None means that a reply held no answer: it has no vote.
# Of answers with equally many votes the one that was **given first** wins. Without any vote the result is None.
# `answers` stays as it is.


# %% solution="vote"
def vote(answers):
    """The most frequent answer; the first of equals; None without votes."""
    ### BEGIN SOLUTION
    given = [answer for answer in answers if answer is not None]
    votes = {}
    for answer in given:
        votes[answer] = votes.get(answer, 0) + 1
    if not votes:
        return None
    return max(votes, key=votes.get)
    ### END SOLUTION


# %% test="2" points=7
assert vote([3, 5, 5, 4]) == 5
assert vote([]) is None

# %% hidden="2 ties and silence" points=8
# Hidden: ties, replies without an answer.
assert vote([None, None, None, 2]) == 2 and vote([None]) is None
assert vote([9, 1, 1, 9, 4]) == 9 and vote([1, 9, 9, 1]) == 1 and vote([4, 2]) == 4
assert vote([0, 0, 7]) == 0
given = [2, None, 3]
assert vote(given) == 2 and given == [2, None, 3]

# %% [markdown]
# ## Task 3: an interval for a rate (20 points)
#
# Ten problems, none solved. The formula in many textbooks, $\hat p \pm z \sqrt{\hat p (1 - \hat p) / n}$, says that the
# rate is 0, give or take nothing. Wilson's interval does better. It holds every rate $p$ that is not too far from what
# was seen, with the spread that $p$ itself would have:
#
# $$ |\hat p - p| \le z \sqrt{p (1 - p) / n} $$
#
# Solve that for $p$ (square both sides; the ends are the roots of a quadratic), and write `interval(successes, n,
# level=0.95)`, which returns the pair (low, high). `NormalDist().inv_cdf` gives $z$. (`stats.wilson`
# is taken away when you are graded; use it to compare.)


# %% solution="interval"
def interval(successes, n, level=0.95):
    """Wilson's (low, high) for a rate."""
    ### BEGIN SOLUTION
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (successes + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * sqrt(successes * (n - successes) / n + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)
    ### END SOLUTION


# %% test="3" points=8
low, high = interval(7, 10)
assert isclose(low, 0.39677814, abs_tol=1e-6) and isclose(high, 0.89220887, abs_tol=1e-6)

# %% hidden="3 the ends" points=12
# Hidden: 0 of 10 and 10 of 10, other levels, every count up to 40.
def gone(*_, **__):
    raise NameError("the package's own is taken away here, under every name")


rates = [(k, n, level) for n in (1, 10, 40) for k in range(n + 1) for level in (0.5, 0.95, 0.99)]
package, stats.wilson.__code__ = stats.wilson.__code__, gone.__code__  # yours has to do without it
try:
    low, high = interval(0, 10)
    full = interval(10, 10)
    found = [interval(*rate) for rate in rates]
finally:
    stats.wilson.__code__ = package
assert isclose(low, 0, abs_tol=1e-9) and isclose(high, 0.27753279, abs_tol=1e-6), "0 of 10 needs a width"
assert isclose(full[1], 1)
for (k, n, level), (low, high) in zip(rates, found, strict=True):
    z = NormalDist().inv_cdf((1 + level) / 2)
    for end in (low, high):
        if 1e-6 < end < 1 - 1e-6:  # the defining equation, with equality
            assert isclose(abs(k / n - end), z * sqrt(end * (1 - end) / n), rel_tol=1e-6)
    assert -1e-9 <= low <= k / n + 1e-9  # the last bits of a root may lie outside of 0 and 1
    assert k / n - 1e-9 <= high <= 1 + 1e-9
    assert (k == 0 or low > 1e-6) and (k == n or high < 1 - 1e-6), "both ends of a rate between 0 and 1 are inside"

# %% [markdown]
# ## Task 4: problems with several samples (20 points)
#
# Ten chains for each of eight problems are not eighty independent tries: an easy problem is right ten times. So draw
# **problems** anew, with all their samples. Write `bootstrap(groups, resamples=1000, seed=0)`, where `groups` holds a
# list of 0s and 1s for each problem:
#
# - `rng = Random(seed)`; each resample is `rng.choices(groups, k=len(groups))`;
# - its statistic is the mean over its groups of each group's mean, by `fmean`;
# - sort the statistics; with `tail = int(0.025 * resamples)` the interval goes from number `tail` to number
#   `resamples - 1 - tail`, counted from 0. Return (low, high).
#
# `groups` stays as it is. (`stats.bootstrap` is taken away when you are graded, as `stats.wilson` is.)


# %% solution="bootstrap"
def bootstrap(groups, resamples=1000, seed=0):
    """(low, high): 95% percentile interval, drawing whole problems."""
    ### BEGIN SOLUTION
    rng, found = Random(seed), []
    for _ in range(resamples):
        drawn = rng.choices(groups, k=len(groups))
        found.append(fmean(fmean(group) for group in drawn))
    found.sort()
    tail = int(0.025 * resamples)
    return found[tail], found[resamples - 1 - tail]
    ### END SOLUTION


# %% test="4" points=8
certain = [[1, 1, 1], [1, 1]]
assert bootstrap(certain) == (1, 1)
low, high = bootstrap([[1] * 10, [0] * 10])
assert low <= 0.5 <= high
groups = [[1, 0], [0, 0, 1], [1]]
bootstrap(groups)
assert groups == [[1, 0], [0, 0, 1], [1]], "the groups were changed"

# %% hidden="4 problems, not samples" points=12
# Hidden: against the package, with groups of unequal size.
rng = Random(3)
for n in (2, 5, 12):
    groups = [[int(rng.random() < rate) for _ in range(rng.randint(1, 9))] for rate in (rng.random() for _ in range(n))]
    theirs = stats.bootstrap(groups, resamples=500, rng=Random(11))
    package, stats.bootstrap.__code__ = stats.bootstrap.__code__, (lambda *_, **__: 1 / 0).__code__  # yours does without
    try:
        mine = bootstrap(groups, resamples=500, seed=11)
    finally:
        stats.bootstrap.__code__ = package
    assert isclose(mine[0], theirs.low, abs_tol=1e-9) and isclose(mine[1], theirs.high, abs_tol=1e-9)
    for knobs, tail in (({}, 25), ({"resamples": 300}, 7), ({"resamples": 9, "seed": 4}, 0)):
        rng, means = Random(knobs.get("seed", 0)), []
        for _ in range(knobs.get("resamples", 1000)):
            means.append(fmean(map(fmean, rng.choices(groups, k=n))))
        ends = sorted(means)[tail], sorted(means)[-1 - tail]
        assert all(map(isclose, bootstrap(groups, **knobs), ends)), knobs
low, high = bootstrap([[1] * 10, [0] * 10])
assert (low, high) == (0, 1), "two problems that always go the same way say very little"

# %% [markdown]
# ## Task 5: does an interval keep its promise? (10 points)
#
# "95%" is a promise about repetitions: of many such experiments, 95% should have the true rate inside. For n tries that
# can be computed exactly, since there are only n + 1 outcomes. Write `coverage(make, p, n)`: the probability that
# `make(k, n)`, a pair (low, high), holds the true rate `p` (ends included), when k is the number of successes.


# %% solution="coverage"
def coverage(make, p, n):
    """The exact probability that the interval holds p."""
    ### BEGIN SOLUTION
    total = []
    for k in range(n + 1):
        low, high = make(k, n)
        if low <= p <= high:
            total.append(comb(n, k) * p**k * (1 - p) ** (n - k))
    return fsum(total)
    ### END SOLUTION


# %% test="5" points=4
assert isclose(coverage(lambda k, n: (0, 1), 0.3, 10), 1) and coverage(lambda k, n: (2, 3), 0.3, 10) == 0

# %% hidden="5 promises" points=6
# Hidden: small n, by hand, and the promise of the textbook formula.
assert isclose(coverage(lambda k, n: (k / n, k / n), 0.5, 2), 0.5)


def textbook(k, n):
    reach = 1.96 * sqrt(k / n * (1 - k / n) / n)
    return k / n - reach, k / n + reach


for p in (0.05, 0.4):  # every sequence of five tries
    sure = 0.0
    for tries in product((0, 1), repeat=5):
        low, high = textbook(sum(tries), 5)
        sure += (low <= p <= high) * p ** sum(tries) * (1 - p) ** (5 - sum(tries))
    assert isclose(coverage(textbook, p, 5), sure)
assert coverage(textbook, 0.05, 10) < 0.5

# %% [markdown]
# Wald's interval, as the textbook formula is called, breaks its promise badly near 0. Try it with your function before
# you go on: ten tries and a true rate of 5%.

# %% [markdown]
# ## Task 6: did the vote help? (20 points, graded by a person)
#
# Below are forty sums, and nine replies to each by three **simulated** solvers (programs of ours: nothing here is a
# language model). For each solver, compare one chain with the vote of three and of nine. In at most 200 words: for which
# solver does the vote help, for which does it harm, and why? Use your own functions: rates with n and an interval (which
# of your two intervals belongs to which number?), and `stats.paired` or `stats.sign_flips` for a claim of a difference.


# %% given="solvers"
def simulated(kind, problem, i):
    """A reply of a simulated solver; the right answer is 10 * problem + 7."""
    right, rng = 10 * problem + 7, Random(f"{kind} {problem} {i}")
    hard = Random(f"how hard is {problem}").random()
    if rng.random() < 0.1:
        return "I ran out of room before"
    if kind == "scattered" and rng.random() < 0.55:
        return f"The answer is {right + rng.randint(1, 500)}."
    if kind == "same slip" and rng.random() < 0.6:
        return f"The answer is {right + 100:,}."
    if kind == "hard or easy" and rng.random() < (0.95 if hard < 0.5 else 0.05):
        return f"The answer is {right - 1}"
    return rng.choice(["The answer is {:,}", "= {}.0", "{} + 0 = {}"]).format(right, right)


SOLVERS = ("scattered", "same slip", "hard or easy")
replies = {kind: [[simulated(kind, p, i) for i in range(9)] for p in range(40)] for kind in SOLVERS}

# %% solution="measure"
### BEGIN SOLUTION
for kind, problems in replies.items():
    answers = [[normal(reply) for reply in nine] for nine in problems]
    single = [[int(a == 10 * p + 7) for a in nine] for p, nine in enumerate(answers)]
    print(
        kind,
        "one chain:",
        round(fmean(map(fmean, single)), 3),
        bootstrap(single),
    )
    for k in (3, 9):
        won = [vote(nine[:k]) == 10 * p + 7 for p, nine in enumerate(answers)]
        gaps = [int(w) - fmean(s) for w, s in zip(won, single, strict=True)]
        print(
            "  vote of",
            k,
            sum(won) / 40,
            interval(sum(won), 40),
            "p =",
            round(stats.sign_flips(gaps), 4),
        )
### END SOLUTION

# %% [markdown] written="6" points=20
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
