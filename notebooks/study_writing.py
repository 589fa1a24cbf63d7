# %% [markdown]
# # Studies: voters, judges and passages
#
# What [chapter 7](07_votes_creative_writing.ipynb) has no room for: eight questions about the same recording, each with
# its answer and its table. Eight inputs, one small model as writer, voter and judge. So these studies can show gross
# faults of a voter or a judge, and they cannot rank methods.

# %% tags=["set-up"]
import re
from collections import Counter
from itertools import product, zip_longest
from math import fsum
from random import Random
from statistics import NormalDist, fmean, median, stdev
from textwrap import shorten

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import load

setup()
task = tot.task("writing")
inputs = task.problems("book")[0:40:5]
lm = tot.Cassette("cassettes/07.jsonl")
knobs = {"io": {"k": 2}, "cot": {"k": 2}, "tot-vote": {}}
knobs |= {"io-refine": {}, "tot-vote-refine": {}}
runs = {
    name: [tot.solve(task, p, name, lm=lm, **more) for p in inputs]
    for name, more in knobs.items()
}
trees = runs["tot-vote"]


def level(tree, depth):
    return [node for node in tree.result.visited if node.depth == depth]


def rate(groups):
    """Bootstrap over inputs; Wilson's interval where all agree."""
    values = {value for group in groups for value in group}
    if len(values) == 1:
        successes = int(values.pop()) * len(groups)
        return stats.wilson(successes, len(groups))
    return stats.bootstrap(groups)


# %% [markdown]
# ## Is the first place ahead by chance?
#
# Samples of one prompt have no order, so the places of the votes may be shuffled within each election without changing
# anything but luck. A **permutation test** does that 2,000 times and counts how often the votes fall as unevenly as they
# did. One order is enough for it: nothing has to be asked again.

# %% tags=["set-up"]
elections = {
    what: [[int(n.value) for n in level(t, depth)] for t in trees]
    for what, depth in (("plans", 1), ("passages", 2))
}


def by_place(piles):
    return [sum(place) for place in zip_longest(*piles, fillvalue=0)]


def unevenness(piles):
    """Squared distance from even votes, as in a chi-squared test."""
    even = [[sum(pile) / len(pile)] * len(pile) for pile in piles]
    both = zip(by_place(piles), by_place(even), strict=True)
    return fsum((got - fair) ** 2 / fair for got, fair in both)


def p_value(piles, shuffles=2000):
    rng, seen = Random(0), unevenness(piles)
    again = (
        unevenness([rng.sample(pile, len(pile)) for pile in piles])
        for _ in range(shuffles)
    )
    return fmean(one >= seen - 1e-9 for one in again)


show.table(
    {"votes on": what, "by place": " ".join(map(str, by_place(piles)))}
    | {"p": round(p_value(piles), 3), "elections": len(piles)}
    for what, piles in elections.items()
)

# %% [markdown]
# **Table.** On plans chance is very rarely so uneven. On passages, where some elections have four choices, this test
# cannot tell; with the turned lists of chapter 7, which hold every text against itself, the pull shows.
#
# ## Does the winner survive when the list is turned over?

# %% tags=["set-up"]
listed = [level(tree, depth) for tree in trees for depth in (1, 2)]
same, chances = 0, [1.0]  # chances[i]: blind voters keep i winners


def places(ballots, k):
    """Chance of each place to win if ballots fall blindly."""
    won = Counter()
    for throw in product(range(k), repeat=ballots):
        votes = [throw.count(place) for place in range(k)]
        won[votes.index(max(votes))] += 1
    return [won[place] / k**ballots for place in range(k)]


for nodes in listed:
    k, pile = len(nodes), [int(node.value) for node in nodes]
    turned = task.ballot([node.state for node in nodes[::-1]])
    [reply] = lm([turned.samples(0, 5)])
    said = Counter(task.read_ballot(x, k).value for x in reply.texts)
    votes = [said[place] for place in range(k)]
    same += pile.index(max(pile)) == k - 1 - votes.index(max(votes))
    once, again = places(sum(pile), k), places(sum(votes), k)
    pairs = zip(once, reversed(again), strict=True)
    keep = fsum(a * b for a, b in pairs)
    chances = [
        (chances[i] if i < len(chances) else 0) * (1 - keep)
        + (chances[i - 1] * keep if i else 0)
        for i in range(len(chances) + 1)
    ]
blind = fsum(i * chance for i, chance in enumerate(chances))
print(f"winners that survive: {same} of {len(listed)}")
print(f"blind voters keep {blind:.1f} on average;", end=" ")
print(f"{same} or fewer with P = {fsum(chances[: same + 1]):.2f}")

# %% [markdown]
# **Hardly any winner survives, and blind voters would keep few as well: whether ours keep fewer, sixteen elections cannot
# tell.** Ties go to the first of equals, for blind voters, too.
#
# ## How often is the constraint kept, and what breaks it?

# %% tags=["set-up"]
texts = {
    "IO": [s.answers for s in runs["io"]],
    "CoT": [s.answers for s in runs["cot"]],
    "ToT, all": [[n.state.answer for n in level(t, 2)] for t in trees],
    "ToT, winner": [[t.answer] for t in trees],
    "IO + refine": [[s.answer] for s in runs["io-refine"]],
    "ToT + refine": [[s.answer] for s in runs["tot-vote-refine"]],
}


def own_words(p, text):
    given = re.findall(r"[a-z']+", p.x.lower())
    said = re.findall(r"[a-z']+", (text or "").lower())
    return sum(word not in given for word in said)


rows = []
for name, found in texts.items():
    both = [
        [(task.verify(p, x), own_words(p, x)) for x in mine]
        for p, mine in zip(inputs, found, strict=True)
    ]
    every = [pair for mine in both for pair in mine]
    row = {"method": name, "passages": len(every)}
    row["kept"] = rate([[float(s.correct) for s, _ in m] for m in both])
    rich = [[float(s.correct and n >= 20) for s, n in m] for m in both]
    row["kept, 20 own words"] = rate(rich)
    parts = [[s.parts["paragraphs"] for s, _ in m] for m in both]
    row["four paragraphs"] = rate(parts)
    row["own words, median"] = median(n for _, n in every)
    rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** Most passages fail by the number of paragraphs, and those that pass are the lazy one: the four sentences and
# next to nothing else. Intervals are over eight inputs.
#
# Passages that do tell something have headings, an introduction, or the given sentence where each paragraph *begins*.
# (Our check takes lines for paragraphs where there are no empty lines, so it is a mild one.)
#
# ## Does the judge see anything?
#
# The small model scores a passage of each kind from 1 to 10, five times. Two kinds are controls: a passage that no
# ballot named, and the bare sentences, which hang together by nothing. The paper's scores are of other passages and by
# another judge: to look at, not to compare.

# %% tags=["set-up"]
judged = load("../studies/results/writing_judged.json")
gpt4 = (6.19, 6.93, 7.56, None, 7.67, 7.91, None)
gpt35 = (4.47, 5.16, 6.62, None, None, None, None)
means, rows = {}, []
every = zip(judged["scores"].items(), gpt4, gpt35, strict=True)
for (kind, found), of_4, of_35 in every:
    scores = {one["input"]: one["scores"] for one in found}
    means[kind] = {i: fmean(five) for i, five in scores.items()}
    mean = stats.bootstrap([[m] for m in means[kind].values()])
    spread = fmean(map(stdev, scores.values()))
    row = {"passage": kind, "n": mean.n, "mean": round(mean.rate, 2)}
    row |= {"95%": f"{mean.low:.2f} to {mean.high:.2f}"}
    row |= {"spread": round(spread, 2)}
    rows.append(row | {"GPT-4": of_4, "GPT-3.5": of_35})
show.table(rows)

# %% [markdown]
# **Table.** The bare sentences come last. Between IO, CoT and ToT the means differ by 0.6, and all intervals overlap but
# one pair: bare sentences, and ToT refined. Spread: the standard deviation of the five scores of one text, averaged.
#
# The judge contradicts itself by about two points on one and the same passage, which is more than the five methods
# differ by. Refining scores best, for the reason that chapter 7 shows.
#
# ## Does it prefer a passage, or a place?
#
# The same judge, at temperature 0, names the better one of two passages; each pair is shown in both orders. A verdict
# that does not turn with the order is about the place: it *flips* the winner, and the pair is a tie.

# %% tags=["set-up"]
rows, flips = [], {}
for pair, found in judged["pairs"].items():
    row = {"pair": pair, "n": len(found["verdicts"])}
    row |= {name: found[name] for name in ("wins", "losses", "flips")}
    row |= {"first": found["shown_first"]}
    rows.append(row | {"second": found["shown_second"]})
    for place, there, again in found["verdicts"]:
        if there is not None and again is not None:
            flipped = float(there != (0, 2, 1)[again])
            flips.setdefault(place, []).append(flipped)
asked = sum(map(len, flips.values()))
print(f"flips: {rate(list(flips.values()))} of {asked} pairs,", end=" ")
print(f"over {len(flips)} inputs")
show.table(rows)

# %% [markdown]
# **Table.** In every pair that could be read it names the passage that it is shown first, even the four bare sentences.
# "First" and "second" count the passages it named.
#
# Asked in one order only, with the tree's passage first, the tree would have won every comparison that could be read.
# A random order, as the paper's readers had, turns such a bias into noise; both orders show it.

# %% [markdown]
# ## What would people say?
#
# The paper's readers compared pairs without knowing who wrote what (figure 5b). Nobody has compared ours. Here they are,
# side by side, in an order that is drawn anew for each reader: judge them, save the file, and count it. (With a class:
# [a page for teachers](../book/teaching/blind_comparison.md).)

# %% tags=["set-up"]
from treebook import blind

passages = {
    kind: {one["input"]: one["text"] for one in found}
    for kind, found in judged["scores"].items()
}
couples = blind.pairs_of(passages, "ToT", "CoT")
show.Blind(couples)

# %% [markdown]
# To see what such a file can show, here are readers who do not exist.

# %% tags=["set-up"]
kinds = {
    "read all, mostly like the tree's": {"reads": 1.0, "liking": 0.8},
    "read half": {"reads": 0.5, "liking": 0.8, "left": 0.8},
    "read nothing, take the left": {"reads": 0.0, "left": 0.8},
}
rows = []
for name, habit in kinds.items():
    said = blind.simulated(couples, 12, **habit)
    [tally] = blind.tallies(couples, said)
    row = tally.row()
    del row["pair"], row["readers"], row["pairs"]
    rows.append({"12 SIMULATED readers": name} | row)
for n in (len(couples), 23, 62):
    print(f"{n} decided pairs show", blind.least_lopsided(n))
show.table(rows, caption="SIMULATED: nobody has read these passages")

# %% [markdown]
# **Table.** Counts are for the tree, for neither, for the chain. Intervals and p are over pairs, since twelve readers of
# one pair are one pair's readers. Who does not read is found out by the left passage's share. Alpha
# {cite}`krippendorff2011computing`, agreement beyond chance, is near 0 in all rows: it rises where readers agree that some
# pairs go one way and others the other, and here everybody who reads has the same leaning on every pair. The paper's
# readers decided 62 pairs, 41 to 21: just past what such a test believes.
#
# ## How many inputs would a comparison need?
#
# Suppose that the judge were good and the truth were as in the paper: ToT scores 0.63 above CoT, or wins 41 pairs to 21.
# For an 80% chance to see it at the 5% level, and with differences that vary from input to input as ours do:

# %% tags=["set-up"]
z_test, z_power = (NormalDist().inv_cdf(p) for p in (0.975, 0.8))


def inputs_needed(difference, spread):
    """Paired comparison of means."""
    return ((z_test + z_power) * spread / difference) ** 2


def pairs_needed(wins, losses, ties):
    """Sign test of the decided pairs."""
    decided = wins + losses
    p = wins / decided
    z = z_test / 2 + z_power * (p * (1 - p)) ** 0.5
    return (z / (p - 0.5)) ** 2 * (decided + ties) / decided


for other in ("bare sentences", "ToT, no vote", "CoT"):
    shared = sorted(means["ToT"].keys() & means[other].keys())
    gaps = [means["ToT"][i] - means[other][i] for i in shared]
    gap, p = (
        stats.bootstrap([[g] for g in gaps]),
        stats.sign_flips(gaps),
    )
    print(f"ToT minus {other}: {gap.rate:+.2f}", end=" ")
    print(
        f"[{gap.low:+.2f}, {gap.high:+.2f}], n = {gap.n}, p = {p:.2f}"
    )
for size in (0.63, 0.2):
    needed = inputs_needed(size, stdev(gaps))
    print(f"inputs to see a difference of {size}: {needed:.0f}")
print(f"pairs, as the paper's: {pairs_needed(41, 21, 38):.0f}")

# %% [markdown]
# **The paper's hundred pairs were about what its own effect needs; our scores would need some twenty times our inputs.**
# The tree's winner scores above the passage that no ballot named, but with seven inputs the exact test cannot tell
# whether it does.
#
# ## What does refining do?

# %% tags=["set-up"]
kinds = {"io-refine": ("IO", 0), "tot-vote-refine": ("ToT", 1)}
rows = []
for method, (kind, start) in kinds.items():
    for i, solution in enumerate(runs[method]):
        thoughts = solution.result.best[0].state.thoughts[start:]
        path = [t.answer for t in thoughts if t.text != task.done]
        words = [len(text.split()) for text in path]
        if len(path) > 1 or words[-1] < 10:
            row = {"refined": kind, "input": i + 1}
            row |= {"words": " > ".join(map(str, words))}
            row["last version"] = shorten(path[-1], 34)
            rows.append(row | {"score": means[f"{kind} + refine"][i]})
print(
    f"{len(rows)} of {2 * len(inputs)} passages changed, or very short"
)
show.table(rows)

# %% [markdown]
# **Table.** Asked to improve its passage or to say "perfectly coherent", the model nearly always says so at once, of good
# and bad passages alike. The few new versions are no passages.
#
# Nothing compares a new version with the old one: the last version is the output. In the paper GPT-4 gains more from
# refining (6.19 to 7.67) than from the tree (7.56), so the idea is strong where the writer is a good critic of its own
# text. A tree could hold both, with the old and the new version on one ballot.
