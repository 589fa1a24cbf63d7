# %% [markdown]
# # Tree of Thoughts, breadth first
#
# A chain of thought cannot take anything back. [Chapter 4](04_chain_of_thought.ipynb) ended with one: asked to make 24 from
# 3, 4, 4 and 6, our small model lost the 6 at its second step and never noticed. A **tree of thoughts**
# {cite}`yao2023tree` looks up at every step. It writes several possible next steps, asks how promising each one is,
# keeps the best few, and goes on from those.

# %% tags=["set-up"]
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, fsum
from operator import add, mul, sub, truediv
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import moves, solvable
from treebook import show
from treebook.figures.plot_style import SOLVED, WRONG
from treebook.nbsetup import setup
from treebook.studies import results
from treebook.studies.results import interval, load, search_of

setup()

# %%
game = tot.task("game24")
lm = tot.Cassette("cassettes/06.jsonl")
solution = tot.solve(
    game, "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=5
)
show.explorer(solution, play=True)

# %% [markdown]
# **Figure.** The same model on the same puzzle, searched as a tree. It plays once; open a thought to see what was asked
# about it.
#
# <aside class="margin">Who plays: a recorded model of 1.5 billion parameters here and in the race over 120 puzzles. From <em>A second
# player</em> on also the pocket model of this book, which is small enough for hundreds of searches.</aside>
#
# The tree won a game that the chain lost. It had a program at its side, and it sent 32 requests where the chain sent one.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a tree search of your own: two prompts, and some fifty lines that need no package;
# - compare a tree with chains at equal cost: who writes, who judges, who checks?
# - take a search apart with controls, and say what its steps and its verdicts are worth;
# - find out which half of a failing search is the weak one, before you change a setting.
#
# So does a tree of thoughts beat prompting *at the same price*? And if it does, is it the model's steps that win, its
# verdicts, or the program around them?
#
# (In a hurry? You need only [chapter 1](01_reading_and_replaying.ipynb) to follow *Algorithm 1*, *Does the tree beat
# prompting?* and *A real model*. The rest asks why.)
#
# ## Algorithm 1
#
# A **thought** is one equation. The **generator** is one request for a list of next steps. The **evaluator** asks three
# times whether the numbers left can make 24, and adds up: *sure* is worth 20, *likely* 1, *impossible* 0.001. Breadth-first
# search lets them take turns.

# %% tags=["plot"]
told = {
    2: "Propose. One request for next steps: four are legal.",
    4: "Judge. Three verdicts on each: can its numbers make 24?",
    10: "Keep. Of the next level only five stay.",
    14: "One number is left. A program sees whether it is 24.",
}
show.slowly(solution, told)

# %% tags=["plot"]
show.legend()

# %% [markdown]
# **Figure.** One search, slowly: scroll. (Nothing is *pruned* here. “Impossible” is a low value, and five states go on all the
# same; [chapter 8](08_tot_dfs_crosswords.ipynb) prunes.)
#
# ### Two prompts
#
# Now build it yourself, from nothing. Everything that the model is ever told is in two texts. Each shows a few examples and ends
# with the numbers in question. The first asks for next steps (equations only: the program works out which numbers are
# left).

# %%
PROPOSE = """\
Combine two of the numbers with + - * or /. List up to eight \
possible next steps.

Numbers: 3 5 9 12
3 + 5 = 8
12 - 9 = 3
3 * 9 = 27
12 / 3 = 4
9 - 5 = 4
12 + 9 = 21
5 - 3 = 2
12 - 5 = 7

Numbers: 2 6 7
2 * 6 = 12
7 - 2 = 5
6 / 2 = 3
6 + 7 = 13
7 - 6 = 1

Numbers: 4 6
4 * 6 = 24
4 + 6 = 10
6 - 4 = 2

Numbers: """

# %% [markdown]
# The second asks for a verdict.

# %%
VALUE = """\
Can the numbers make 24 with + - * /, each used once? Try in one \
line: end with sure, likely or impossible.

10 14
10 + 14 = 24. sure

11 12
11 + 12 = 23, 12 - 11 = 1, 11 * 12 = 132. impossible

4 4 10
4 * 4 = 16, 16 + 10 = 26; (10 - 4) * 4 = 24. sure

1 3 3
at most (1 + 3) * 3 = 12, too small. impossible

10 10 11
10 + 10 + 11 = 31, (11 - 10) * 10 = 10. impossible

5 7 8
5 + 7 + 8 = 20, (8 - 5) * 7 = 21, close to 24. likely

"""

# %% [markdown]
# Its first example is `10 14`, and searches do meet these numbers: half of the wins that [chapter
# 5](05_how_a_search_asks.ipynb#the-win-and-its-price) counted went through them. Examples should not be states of the game that you
# measure. In a prompt of your own, show numbers that no two steps can leave, such as `29 53`.
#
# ### Fifty lines
#
# A line of a reply becomes a step only if it is legal. This is the reader of [chapter 4](04_chain_of_thought.ipynb#a-strict-teacher),
# without its reasons and without the `(left: ...)` of a chain. It wants the form of the examples. If your model numbers its lines or writes
# `×`, you may take such marks off before you read: that is form. To correct a number would be to play for the model.

# %%
N = r"(-?\d{1,12}(?:\.\d{1,12}|/[1-9]\d{0,11})?)"  # 7, 2.5, -3 or 8/3
LINE = re.compile(rf"{N} ([-+*/]) {N} = {N}")
SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}


def take(numbers, line):
    """The numbers after a step, or None if it is not legal."""
    if not (found := LINE.fullmatch(line.strip())):
        return None
    a, b, result = (Fraction(found[i]) for i in (1, 3, 4))
    sign, rest = found[2], Counter(numbers)
    if Counter([a, b]) - rest or (sign == "/" and b == 0):
        return None
    if SIGNS[sign](a, b) != result:
        return None
    return tuple(sorted([*(rest - Counter([a, b])).elements(), result]))


# %% [markdown]
# The generator lists legal steps, each with the numbers that it leaves. Here `ask` is any function that hands a prompt to a
# model and returns a *new* reply each time, ended at its first empty line. Because of `@cache` an equal question is asked only
# once, also by a second `solve` with the same `ask`.


# %%
@cache
def propose(numbers, ask):
    """The legal steps among the model's, and what each leaves."""
    reply = ask(PROPOSE + " ".join(map(str, numbers)))
    lines = dict.fromkeys(line.strip() for line in reply.splitlines())
    steps = [(line, take(numbers, line)) for line in lines]
    return [(line, left) for line, left in steps if left]


# %% [markdown]
# The evaluator adds up three verdicts. A reply without one of the three words at its end counts for nothing.

# %%
WORTH = {"sure": 20, "likely": 1, "impossible": 0.001}


@cache
def value(numbers, ask):
    """Three verdicts, added up. A single number is 24 or it is not."""
    if len(numbers) == 1:
        return 60 if numbers[0] == 24 else 0.003
    prompt = VALUE + " ".join(map(str, numbers))
    ends = [ask(prompt).split()[-1:] for _ in range(3)]
    words = [word.strip(".*").lower() for end in ends for word in end]
    return fsum(WORTH.get(word, 0) for word in words)


# %% [markdown]
# The search keeps a *frontier* of at most $b$ states. Each step replaces it by the best of all its children; it asks for
# verdicts while it sorts. The comments are the paper's names.


# %%
def solve(x, ask, b=5, steps=3):
    """The b best states in the end, each with its steps and numbers."""
    frontier = [([], tuple(sorted(map(Fraction, x.split()))))]  # S_0
    for _ in range(steps):
        candidates = []  # S'_t
        for path, numbers in frontier:
            for line, left in propose(numbers, ask):
                candidates.append(([*path, line], left))
        candidates.sort(key=lambda s: value(s[1], ask), reverse=True)
        frontier = candidates[:b]  # S_t
    return frontier


# %% tags=["set-up"]
# The recording as a function from a prompt to a reply
asked = Counter()


def ask(prompt):
    """The recorded model's next reply. Each block is a turn."""
    rules, *blocks = prompt.split("\n\n")
    said = [tot.Message("system", rules)]
    for block in blocks:
        question, _, reply = block.partition("\n")
        said += [tot.Message("user", question)]
        said += [tot.Message("assistant", reply)] if reply else []
    most = 90 if prompt.startswith(PROPOSE) else 48
    how = {"temperature": 0.7, "max_tokens": most}
    request = tot.Request(tuple(said), **how, first=asked[prompt])
    asked[prompt] += 1
    return lm([request])[0].texts[0]


# %% [markdown]
# A path is not yet an answer. Replace each number by the expression that made it; if two are equal, take either.


# %%
def written(x, path):
    """The steps of a path as one expression."""
    terms = [(Fraction(number), number) for number in x.split()]

    def used(number):
        worths = [worth for worth, _ in terms]
        return terms.pop(worths.index(Fraction(number)))[1]

    for line in path:
        a, sign, b, _, result = line.split()
        made = f"({used(a)} {sign} {used(b)})"
        terms.append((Fraction(result), made))
    return terms[-1][1]


# %%
for path, numbers in solve("3 4 4 6", ask)[:3]:
    mine = written("3 4 4 6", path)
    right = game.verify(game.problem("3 4 4 6"), mine).correct
    print(f"{value(numbers, ask):6.3f}", mine, right)

# %% [markdown]
# The first line is a win, as the verifier of [chapter 3](03_io_and_verifiers.ipynb) agrees. Of states with equal values the one written
# first goes on, because Python's sort keeps their order. You hand in the first one, even if it is wrong. If no state has a
# legal step, the list is empty and there is no answer.
#
# This program is yours: [download it](../book/tot24.py). The file has ten more lines, with which it asks any server that speaks
# OpenAI's protocol: `python tot24.py "4 9 10 13" YOUR-MODEL`.

# %% [markdown]
# > **In the paper.** There the model does everything. Here a program helps in four ways: it keeps the numbers that are left,
# > refuses illegal steps, judges whether the last number is 24, and writes the answer.
#
# ## Does the tree beat prompting?
#
# One game proves nothing. And before a race is run, ask of every contender: who writes, who judges, who checks?
#
# | | writes | judges | refuses | picks |
# |:--|:--|:--|:--|:--|
# | one chain | model | – | – | – |
# | vote of $k$ chains | model | – | – | the vote |
# | best of $k$ chains | model | – | – | program |
# | the same, steps checked | model | – | program | program |
# | tree, end checked | model | model | program | program |
# | tree, end unchecked | model | model | program | model |
# | tree alone | model | model | – | model |
# | blind scaffold | dice | dice | program | program |
#
# **Table.** Who writes the steps, judges them on the way, refuses illegal ones, and picks the answer in the end. The fewer columns two rows
# differ in, the more a race between them explains.
#
# A program can check an end for *free* here, since it needs only the four numbers. So the best of $k$ is a real method
# and no oracle ([chapter 3](03_io_and_verifiers.ipynb#free-or-gold)). The vote is self-consistency ([chapter
# 4](04_chain_of_thought.ipynb)). The **blind scaffold** is a control, the search and its program without a model: eight random
# legal steps, and random words for verdicts.
#
# A fair race is run at one price. We count the tokens that a model *writes*, and $k$ is the number of chains that the tree's
# tokens would buy.
#
# ## A real model, 120 puzzles
#
# The model of the opening played 40 starter puzzles and 80 others, all from the easier ranks, 1 to 400 of our list. Its tree keeps
# five states and pools three replies to each propose prompt. A program refuses illegal steps and writes the answer, but only
# the model looks at the *end*. So its judge's prompt shows `24 is 24. sure` and `18 is not 24. impossible`, in place of `10 14`.
# (The settings were the best of six on thirty other puzzles. Rivals and tests were written down beforehand, in
# `studies/heart.py`.)
#
# ### Predict: the tree or the chains?
#
# The rival is the best of as many chains as the tree's tokens buy, and a program checks *their* ends.


# %% tags=["set-up"]
# The recorded model's contenders
real = load("../studies/results/heart.json")
heart = real["sets"]["both"]
HELPED = "best of k chains, end checked"
CONTENDERS = (
    "one chain",
    "vote of k chains",
    HELPED,
    "vote of k chains, steps checked",
    "best of k chains, steps and end checked",
    "tree",
    "tree, end checked",
)
lines = {c: interval(heart["rates"][c], 120) for c in CONTENDERS}
beside = heart["tree minus, beside"][HELPED]
gap = interval(beside["difference"], 120)
found = results.Compared(gap, beside["p"])
lines[f"tree minus {HELPED}"] = found

# %%
show.Predict(
    "Which solves more of the 120 puzzles?",
    "the tree" if gap.rate > 0 else "the chains",
    choices=["the tree", "the chains", "both alike"],
    shows=show.results(lines),
)

# %% [markdown]
# **Table.** Qwen2.5-Coder-1.5B, 2026-11-26: rates with 95% intervals, and the difference that was asked about. Here *k* is sixty, and *steps checked*
# means that illegal ones are refused. The *tree* has its end unchecked. (The lead is 28 points on the [starter puzzles](study_game24.ipynb#the-recorded-model-without-that-example) and 31 on
# the others.)
#
# **For the same number of written tokens this model's tree wins clearly**, by 30 points even over sixty chains with a check
# that it does not have. Two chains in three contain an illegal step, and a chain cannot take it back. The tree lists
# several steps: a good one is among them 97 times in a hundred, and a program refuses the illegal ones. But refusing illegal steps does not by
# itself explain the lead. Sixty chains with their illegal steps refused do no better: their best even loses nine points, because some chains end
# right after an illegal step. A check of the end would add six points to the tree. With the judge's prompt above, which shows no single
# number, it solves 59%.
#
# If you count what is *read* as well, the tree costs as much as three hundred chains, since it sends its prompts again and again. We
# drew a hundred: their vote solves 7% and their best 63%, and more chains would solve more. At that price chains may do as well, if you
# can check them.
#
# ## A second player
#
# Is that true of other models? Here is one that is small enough to be asked for hundreds of searches. The **pocket model** comes with this
# book. It has fewer than a million parameters and learnt only this game, from a solver's texts ([card](../book/pocket_card.md)). Its hundred
# puzzles are ranks 901 to 1000 of our list. It has never seen them, though it has met many of the smaller states below them. (The
# paper's hundred have the same ranks on another list.)
#
# Call a state *alive* if 24 can still be reached from it.
#
# ### Predict: how many first steps keep 24 in reach?
#
# Four numbers allow up to 36 different first steps. What counts is the mean over the hundred puzzles.


# %%
steps = [moves(numbers_of(p.x)) for p in game.problems("hard")]
counts = [(len(s), sum(solvable(m.left) for m in s)) for s in steps]
eight = fmean(comb(n - a, 8) / comb(n, 8) for n, a in counts)
show.Predict(
    "What share of the first steps is alive?",
    round(100 * fmean(a / n for n, a in counts)),
    low=0,
    high=100,
    unit="%",
    shows=f"Of eight drawn blindly, one or more in {1 - eight:.0%}.",
)

# %% [markdown]
# The first step often decides the game, and a chain writes only one. Among eight different ones there usually is a living one.
# Then somebody has to say *which*.
#
# ### Predict: who wins?
#
# The tree keeps one state, and its end is checked. The others get what its tokens buy.

# %% tags=["set-up"]
# The results of two studies that played the same searches
halves = load("../studies/results/game24_halves.json")
pays = load("../studies/results/search_pays.json")
own = load("../studies/results/alone.json")["hard"]
N, PLAYER = halves["n"], pays["players"]["final"]
BLIND, ALL = "program: random legal steps", "program: all legal steps"
COIN, ORACLE = "random verdicts", "perfect judge (oracle)"
MODEL = "the pocket model"
KEYS = "steps", "verdicts", "breadth", "replies"
CELLS = {tuple(c[key] for key in KEYS): c for c in halves["cells"]}
TREES = {"one kept": (1, 1), "five kept": (5, 1)}
TREES["three replies"] = 1, 3


def solved(*cell):
    return sum(map(int, CELLS[cell]["solved"]))


def contest(study, tree, helped=True):
    how = dict(zip(("breadth", "proposals"), TREES[tree], strict=True))
    return search_of(study, "final", "final", help=helped, **how)


# %%
def point(method, label, rate, tokens):
    point = {"method": method, "label": label, "tokens": tokens}
    return point | {"rate": interval(rate, N)}


price = PLAYER["tokens of a chain"]
points = [
    point(f"{name} chains", f"k={k}", PLAYER[name][k], int(k) * price)
    for name in ("best of k", "vote of k")
    for k in ("1", "3", "10", "30", "100")
]
for name, key in TREES.items():
    cell = CELLS[MODEL, MODEL, *key]
    cost = cell["tokens written"]
    points.append(point(f"tree, {name}", "", cell["rate"], cost))
bought = contest(pays, "one kept")["rivals"]
one = {
    "one chain": PLAYER["one chain"],
    "blind scaffold": CELLS[BLIND, COIN, 1, 1]["rate"],
    "tree": CELLS[MODEL, MODEL, 1, 1]["rate"],
    "vote of k chains": bought["vote"],
    "best of k chains": bought["best of k, checked"],
}
show.Predict(
    "In which order do the five solve puzzles, the best first?",
    sorted(one, key=one.get, reverse=True),
    choices=sorted(one),
    figure=show.plots.success_by_cost(
        points, xlabel="tokens written for a puzzle", log=True
    ),
    alt="Trees with one reply lie between the vote and the best of k; "
    "the one with three touches the best of k.",
)

# %% [markdown]
# **Figure.** The tree is far above the vote, and below the best of k until it gets three replies for each state. With one
# state kept, with five, and with three replies its tokens buy 24, 59 and 53 chains. (The blind scaffold, not drawn, solves 0, 8 and 1 of a hundred.)
#
# Three replies to each prompt cost about as much as five kept states, and they solve 90 puzzles where those solve 61.
#
# ### In pairs
#
# All of them played the same puzzles. How many more in a hundred does the tree solve?

# %% tags=["plot"] mystnb={"image": {"alt": "Differences with intervals for one kept, five kept, three replies. Minus the vote of k: +21, +19, +50. Minus the best of k: -22, -28, and +2 with an interval that holds zero. The tree alone minus the vote: +18, -1 with an interval that holds zero, +46."}}
RACES = {
    "the vote": (pays, True, "vote"),
    "the best of k": (pays, True, "best of k, checked"),
    "the vote, tree alone": (own, False, "vote"),
}
races = {race: {} for race in RACES}
for race, (study, helped, rival) in RACES.items():
    for name in TREES:
        lead = contest(study, name, helped)["gain"][rival]
        races[race][name] = interval(lead["written"], N)
show.plots.differences(races)

# %% [markdown]
# **Figure.** The tree minus its rivals, with 95% intervals ([which comparison when](../book/comparisons.md)). *Alone*: without
# a program's help.
#
# **If a program checks its end, this tree beats the vote of as many chains as its tokens buy**, in all three settings. **It does
# not beat the best of as many chains**: with one reply for each state it loses clearly, and with three the comparison is
# inconclusive.
#
# But was that fair to the vote? A program told the tree whether its last number is 24, and nobody told the vote anything. If you
# have that check, use it on chains as well, and the rival is the best of k. If you do not have it, take it from the tree, too, and
# the rival is the vote. So the tree also played *alone*. (This model does not say whether a last number is 24, because in its training a
# program always did. So a copy that practised it is asked, about last numbers only.)
#
# **Alone, the trees that keep one state are still ahead of the vote.** They solve 55 and 88 puzzles, and 57 and 90 with a program's help. With
# five kept, the tree falls from 61 to 41, since the model chooses badly among its five answers ([study](study_game24.ipynb)), and the comparison
# with the vote is inconclusive. Where one state is kept, help is worth so little only because the copy was trained in its place: without that
# copy the trees solve 34, 15 and 60 alone ([chapter 16](16_when_search_pays.ipynb#when-nobody-can-check)). (The [page of all
# tables](../book/tables.md) gives 61 and 64 for the first two trees with help, from another draw.)
#
# A hundred [fresh puzzles](../book/tables.md) say the same, with one exception: there five kept are ahead of the vote without help, too. And counting prompts
# changes none of the nine comparisons for this model: the first tree then buys 29 chains in place of 24.
#
# What follows, for this model? If answers can be checked for free, draw chains and check them: no tree in this race did
# clearly better at its price. If they cannot be checked, a tree that keeps one state pays, provided that its model judges well to the end. For
# the recorded model the tree paid even against the check: its chains are right once in fifty times, the pocket model's once in
# six. [Chapter 16](16_when_search_pays.ipynb) draws the whole map.
#
# ## Which half does the work?
#
# A tree search has two halves, steps and verdicts, and a program around both. Take each half away in turn and let
# somebody else play it. These are **controls**, not methods:
#
# | | worst | ours | best |
# |---|---|---|---|
# | steps | eight random legal ones | the pocket model's | all legal ones, listed by a program |
# | verdicts | random words | the pocket model's | a solver's (an *oracle*, for measuring only) |
#
# The oracle knows what a search is there to find out. With one at hand nobody needs a search, so its row shows how much a better judge could
# win. It is not a method.
#
# ### Predict: what if the verdicts are random?
#
# With five states kept and its end checked, the pocket model in both halves solves 61 of a hundred. Now its verdicts are replaced by random
# words.

# %%
names = {BLIND: "random", MODEL: "the model's", ALL: "all legal"}
kinds = {COIN: "random", MODEL: "the model's", ORACLE: "oracle"}
figure, ax = plt.subplots(figsize=(6.4, 3.2))
for i, (steps, name) in enumerate(names.items()):
    places = [x + 0.28 * i for x in range(3)]
    heights = [solved(steps, kind, 5, 1) for kind in kinds]
    bars = ax.bar(places, heights, 0.26, label=name)
    ax.bar_label(bars)
ax.set_xticks([x + 0.28 for x in range(3)], kinds.values())
ax.set(xlabel="verdicts", ylabel="solved of a hundred", ylim=(0, 112))
ax.legend(title="steps")
show.Predict(
    "How many of a hundred does it solve then?",
    solved(MODEL, COIN, 5, 1),
    low=0,
    high=100,
    figure=figure,
    alt="Random verdicts: 8, 5 and 7, from random to all legal steps; "
    "the model's: 42, 61 and 100; the oracle's: 44, 61 and 100.",
)

# %% [markdown]
# **Figure.** Which half does the work. Five states kept. From random verdicts to the model's is a huge step; an oracle's
# verdicts add two puzzles at most. Better steps count, but only with verdicts that are worth something.
#
# **The verdicts do most of it.** With random verdicts, the model's steps are worth no more than random steps (5 and 8), as far
# as a hundred puzzles can show; and an oracle in the judge's place changes not one result. **The steps do the rest, and they are what
# limits the search.** If a program lists all legal steps, the model's verdicts solve every puzzle.
#
# The recorded model needs its verdicts as much. Random ones leave its tree 3% of the 120 puzzles instead of 80%. Part of that loss is that
# they also choose the answer; if a program does that, 39% are left, and the model's own verdicts add 47 points.
#
# If a program can list all steps, why ask a model for them? Because each step costs three verdicts:

# %%
for steps in (MODEL, ALL):
    cell = CELLS[steps, MODEL, 5, 1]
    print(f"{steps:24} {cell['tokens written']:5,} tokens a puzzle")

# %% [markdown]
# The second search solves all hundred puzzles, but its tokens would also buy about 136 chains. We drew a hundred, so we cannot say which
# of the two is better. And few problems have such a list. (Nor do there have to be three verdicts: [one reply with its
# probabilities](study_game24.ipynb) solves about as many puzzles for half the tokens.)
#
# Whenever you read that a tree search lifted a model from nearly nothing to a lot, ask for the two cheap controls, the
# blind scaffold and random verdicts, and ask who checked the end.
#
# ## Generator or evaluator: which is the weak one?
#
# Most failed searches lost 24 at some step, for one of two reasons. Either no living step was **proposed**, which is the
# generator's fault; or one was proposed and **thrown away**, which is the evaluator's. Afterwards a solver can say which.
# (A search that reaches 24 can still hand in another answer. That is lost at the end, and a check of the end mends it.)
#
# ### Predict: which half fails?
#
# Take the *recorded* model on its ten puzzles of [chapter 5](05_how_a_search_asks.ipynb#the-win-and-its-price), with one state kept.

# %% tags=["set-up"]
# At which step, and why, the searches of both models lost 24
GONE, NEVER = "living step thrown away", "no living step proposed"
played, fails, causes = halves["recorded model"], [], {}
for b in (1, 5):
    lost = {
        "recorded": (played["n"], played["lost at"][f"b={b}"]),
        "pocket": (N, CELLS[MODEL, MODEL, b, 1]["lost at"]),
    }
    for model, (n, why) in lost.items():
        missing = ("not proposed", "slip")
        never = sum(why[w] for w in why if w.endswith(missing))
        ends = {GONE: sum(why.values()) - never, NEVER: never}
        ends["solved"] = n - sum(ends.values())
        causes[model, b], name = ends, f"{model} model, {b} kept"
        for step, count in ends.items():
            row = {"method": name, "step": step, "count": count}
            fails.append(row)
weak = causes["recorded", 1]

# %%
show.Predict(
    "Which half lost most of the recorded model's failed searches?",
    "the evaluator" if weak[GONE] > weak[NEVER] else "the generator",
    choices=["the generator", "the evaluator", "both alike"],
    figure=show.plots.failures(fails, xlabel="share of searches"),
    alt="Thrown away most: the recorded model's. Pocket: not proposed.",
)

# %% [markdown]
# **Figure.** Two models, two ways to fail. With one state kept, the recorded model mostly throws living steps away; the pocket
# model never wrote them.
#
# Six failures are few. But the 120 puzzles point the same way: of the 24 that the recorded model's tree lost there, the judge threw 14
# away, 7 ended with a wrong answer although 24 had been reached, and 3 were short of steps. Part of the difference is the puzzles: the recorded model's are
# easier, with far more living first steps, so a list seldom misses them all.
#
# ### The recorded judge at work
#
# Here it is on first steps.

# %% tags=["plot"] mystnb={"image": {"alt": "One row for each of the ten puzzles, with its proposed first steps from the judge's favourite on the left to the least valued. Rings are alive, crosses dead. In the first column five of ten are alive; every row has at least one ring among its first five, but 2 6 8 8 has it in fifth place."}}
puzzles, first = game.problems("starter")[0::4], {}
for problem in puzzles:
    steps = propose(numbers_of(problem.x), ask)
    after = [numbers for _, numbers in steps]
    after.sort(key=lambda numbers: value(numbers, ask), reverse=True)
    first[problem.x] = [solvable(numbers) for numbers in after]
figure, ax = plt.subplots(figsize=(6.4, 3.4))
for y, alive in enumerate(first.values()):
    for x, living in enumerate(alive, 1):
        mark, (color, _) = ("o", SOLVED) if living else ("x", WRONG)
        ax.plot(x, -y, mark, color=color, mfc="none", ms=9, mew=2.2)
ax.axvline(1.5, color="0.6", ls=":")
ax.axvline(5.5, color="0.6", ls="--")
ax.set_yticks([-y for y in range(len(first))], first)
ax.set(xlabel="place in the judge's order")
plt.show()

# %% [markdown]
# **Figure.** What breadth insures against. Each row is a puzzle, each mark a proposed first step: rings are alive,
# crosses dead. With one state kept, a search lives or dies with the first column; with five, almost nothing is thrown away.

# %% tags=["set-up"]
# The two judges: a living state valued above a dead one
judges, aucs = {}, real["measured"][-1]
for when, size in (("first", "3"), ("second", "2")):
    after = f"judge, after the {when} step"
    auc = interval(aucs[f"AUC, {size} numbers"], heart["n"])
    judges[f"recorded {after}"] = auc
    auc = interval(PLAYER["judging"][size]["AUC"], N)
    judges[f"pocket {after}"] = auc
show.results(judges)

# %% [markdown]
# **Table.** How often the two judges value a living state above a dead one; a coin would do so in 50%. (This is called the judge's *AUC*. On
# these 120 puzzles the recorded judge has the prompt of their race.)
#
# After the first step the recorded judge is little better than a coin. After the second step it is good. On most puzzles the model proposes at most five steps, so a beam of five keeps nearly
# all of them, and the decision is put off until the second step, where this judge is better. The pocket model's judge is good from the start. What it lacks is
# living steps, and more replies bring them.
#
# > **In practice.** Look for the weak half before you change a setting. If steps are missing, ask for more of them. If living steps
# > are thrown away, keep more, or judge better.
#
# More replies brought the pocket model from 57 to 90 puzzles, and breadth brought the recorded model from four of ten to eight (chapter
# 5: too few to be sure). Breadth did nothing that shows for the pocket model: 57 and 61. It can even harm. **A wider beam can lose**: a state that the narrow
# search went on from is still there, but states from other branches, valued higher and wrong, can push its children out.
# Exercise 1 builds such a case.
#
# > **Where it breaks.** A tree needs steps that can be judged before the end. If you cannot judge a half-finished answer, your
# > verdicts are no better than random words, and with random words the pocket model's search fell from 61 puzzles to 5.
#
# > **In the paper.** GPT-4, another hundred puzzles, no such help: IO 7.3%, CoT 4.0%, ToT b=1 45%, b=5 74%; the best of a
# > hundred chains 49%. There, as with our recorded model, the tree with five kept was far ahead of sampling. By swapping GPT-4 and GPT-3.5 in the two roles the authors found that
# > generation was the bottleneck, as it is for our pocket model. [The study](study_game24.ipynb) sets its rows beside theirs.
#
# ## Summary
#
# - Algorithm 1 is short: the children of all kept states are judged, and the best few are kept. It takes two prompts and some fifty
#   lines of program.
# - The recorded model's tree, its end unchecked, solves 80% of 120 puzzles, one of its chains 2%, the best of sixty with a check 50%.
#   If prompts count as well, chains may catch up.
# - The pocket model's tree beats the vote of as many chains as its tokens buy, but not the best of them, which needs the same free check.
# - Verdicts do most of the work: random ones ruin either model's search. Steps are what limits the pocket model's.
# - How a search fails depends on the model and on the puzzles. Breadth can save what a judge would throw away, more replies what was never
#   proposed.
#
# ## Exercises
#
# ### Exercise 1: a wider beam that loses
#
# Invent the values of a small tree of two steps, on which a beam of one finds the goal and a beam of two misses it. Then play
# it, with two dictionaries in place of `propose` and `value`.
#
# <details><summary>Hint</summary>
#
# The goal stands below the favourite. The second state's children need only *look* good.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
children = {"start": "AB", "A": ["goal"], "B": ["B1", "B2"]}
worth = {"A": 5, "B": 4, "goal": 6, "B1": 9, "B2": 8}
for breadth in (1, 2):
    frontier = ["start"]
    for _ in range(2):
        new = [child for state in frontier for child in children[state]]
        frontier = sorted(new, key=worth.get, reverse=True)[:breadth]
    print(f"b={breadth}: {', '.join(frontier)}")
# In the Game of 24 this can happen only before the last step, which a
# program values.

# %% [markdown]
# ### Exercise 2: equal states, twice in the beam
#
# Two paths can lead to the same numbers: `4 + 9` then `10 - 6`, or the other way round. Both then take a place in the
# beam. How many places of the recorded beams after step 2 are taken by such twins? Would you merge them?
#
# <details><summary>Hint</summary>
#
# `solve(x, ask, steps=2)` returns the beam after step 2.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
twins = 0
for problem in puzzles:
    beam = solve(problem.x, ask, steps=2)
    twins += len(beam) - len({left for _, left in beam})
print(f"{twins} places in ten beams are taken by a twin")
# Merging gives their places to others: a state's future depends on its
# numbers only. But the tree becomes a graph. The paper does not merge.

# %% [markdown]
# ### Exercise 3: what can ten puzzles show?
#
# Suppose that on ten puzzles a tree loses none that its rival wins. How many must it win that the rival loses before the exact test has
# p < 0.05? Then look at chapter 5, where the recorded model's tree beat one chain by 8 to 0 and the best of ten answers by 6 to 1.
#
# <details><summary>Hint</summary>
#
# `stats.mcnemar(wins, losses)` is the p of the test. Try losses of 0 and 1.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
for wins, losses in ((5, 0), (6, 0), (8, 0), (6, 1), (9, 1)):
    p = stats.mcnemar(wins, losses)
    print(f"{wins} to {losses}: p = {p:.3f}")
# Six to none is the least. 8 to 0 passes, 6 to 1 does not: ten puzzles
# show only large effects.

# %% [markdown]
# ### Exercise 4: equal cost for the recorded model
#
# On its ten puzzles the recorded model's tree, with five states kept, wrote many more tokens than ten direct answers. Suppose
# that direct answers are independent, with the rate that chapter 3 measured for each puzzle. How many could you buy for the
# tree's tokens, and how many puzzles would the best of them solve?
#
# <details><summary>Hint</summary>
#
# With rate r, at least one of k is right with probability 1 - (1 - r)^k. The ten answers are in `cassettes/03.jsonl`: solve with
# method `io` and `k=10`.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
io_lm = tot.Cassette("cassettes/03.jsonl")
io = [tot.solve(game, p, "io", lm=io_lm, k=10) for p in puzzles]
how = {"lm": lm, "breadth": 5, "style": "lean"}
trees = [tot.solve(game, p, "tot-bfs", **how) for p in puzzles]
bills = show.mean_costs({"io": io, "trees": trees})
ten, tree = (bill["tokens written"] for bill in bills)
k = int(10 * tree / ten)
each = [fmean(score.correct for score in s.scores) for s in io]
bought = fmean(1 - (1 - rate) ** k for rate in each)
print(f"the best of {k} would solve about {bought:.0%}")
# A lower bound: a puzzle never right in ten answers counts as 0.

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`yao2023tree`: section 3 (the framework), 4.1 (this game) and B.3 (cost).
# - [The study of the Game of 24](study_game24.ipynb): every row of the paper's table, the program's help taken away, the roles
#   swapped; and a lab for puzzles of your own.
# - {cite}`chen2021evaluating` for the unbiased estimate of the best of k.
# - The [paper-to-code index](../book/paper_to_code.md), [our rates beside the paper's](../book/tables.md#all-comparisons-in-one-picture),
#   and the [errata](../book/errata.md), where the paper contradicts itself.
