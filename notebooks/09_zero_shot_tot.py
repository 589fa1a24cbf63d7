# %% [markdown]
# # Zero-shot Tree of Thoughts
#
# A tree of thoughts answers yes-or-no questions. It writes five solutions for each, and somebody who knows the answer
# finds a right one among the five for 80% of the questions. Is that a good number? A coin will tell.

# %% tags=["set-up"]
# Imports, the recorded model, and the methods on all problems
from collections import Counter
from itertools import combinations, product
from statistics import fmean

import numpy as np

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
N, K = 40, 5  # problems of each kind; samples of each prompt
lm = tot.Cassette("cassettes/09.jsonl")
names = {"word problems": "gsm8k", "yes or no": "strategyqa"}
tasks = {name: tot.task(key) for name, key in names.items()}
problems = {name: tasks[name].problems("book")[:N] for name in tasks}


def solve(method, **knobs):
    found, knobs = {}, {"lm": lm, **knobs}
    for name, task in tasks.items():
        every = problems[name]
        found[name] = [
            tot.solve(task, p, method, **knobs) for p in every
        ]
    return found


io, cot = solve("io", k=K), solve("cot", k=K)
voted, trees = solve("cot-sc", k=K), solve("tot-vote")

# %% tags=["remove-input"]
show.concepts.commitment()

# %% [markdown]
# **Figure.** Two ways to ask more than once. In the tree all five solutions hang on the strategy that won a vote. The
# chains know nothing of each other, and a count needs no voter.
#
# Every tree so far was made for one puzzle: somebody wrote examples, a format for steps, a value prompt. In appendix
# B.1 of the paper the authors try one for *any* question {cite}`yao2023tree`. Sample five strategies and vote for the
# best, then sample five solutions that follow it and vote again. There are no examples (hence *zero-shot*), and a new
# kind of question needs one line. We build this tree. Then a coin writes the answer key, a coin chooses
# in the voter's place, and finally we leave out the strategies.
#
# In a hurry? Read about [the answer key](#the-stopped-clock) and [what to use](#what-should-i-use).
#
# ## Learning objectives
#
# After this chapter you can
#
# - write zero-shot ToT in three short functions, for any task that can ask for an answer and read one;
# - see through a rate that only looks like knowledge, whether a chain, a vote or a tree has it;
# - take a vote apart: lots, the vote, the count, and gold picks;
# - compare methods on the same problems and at equal tokens.
#
# ## One tree for any question
#
# The paper used GSM8K {cite}`cobbe2021training`, school problems with a number as the answer, and StrategyQA
# {cite}`geva2021strategyqa`, yes-or-no questions that need facts and a step of thought. We may not print those data
# sets, so the book has problems of its own in the same two forms. Here is one of each, with the tree's prompts.

# %% tags=["set-up"]
# A problem of each kind, and the four prompts of the tree
task, other = tasks["word problems"], problems["yes or no"][4]
root = tot.State(problems["word problems"][4].x)
planned = root.then(tot.Thought("(a strategy)"))
solved = planned.then(tot.Thought("(a solution)"))
turns = [("yes or no", other.x), ("word problem", root.x)]
for name, request in (
    ("strategy", task.step(root)),
    ("ballot", task.ballot([planned, planned])),
    ("solution", task.step(planned)),
    ("ballot again", task.ballot([solved, solved])),
):
    prompt = request.messages[-1].content.split("\n", 1)[1]
    turns.append((name, prompt.strip()))
show.transcript(turns)

# %% [markdown]
# Strategies are *sampled*, not proposed in one list as the equations of [chapter 6](06_tot_bfs_game24.ipynb) were,
# because a strategy is a whole sentence and five samples differ by themselves. They are compared rather than valued,
# because "is this strategy good?" is hard to answer alone. Both levels work alike, which makes the program short:


# %%
def sample(task, state):
    """Up to five different thoughts; what cannot be read is none."""
    [reply] = lm([task.step(state).samples(0, K)])
    reads = [r for t in reply.texts for r in task.read_step(state, t)]
    once = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in once]


def vote(task, options):
    """The option with most ballots; on a tie the first."""
    [reply] = lm([task.ballot(options).samples(0, K)])
    k = len(options)
    ballots = [task.read_ballot(text, k).value for text in reply.texts]
    return max(range(k), key=ballots.count)


# %%
def my_tot(task, x):
    state = tot.State(x)
    for _ in ("strategy", "solution"):
        if options := sample(task, state):
            state = options[vote(task, options)]
    return state


# %% [markdown]
# What a task must bring is its **answer format**: how to ask for an answer, how to read one, and when two are the same.
# The reader of yes and no looks for whole words, so the "no" in "I do not know" counts for nothing. A reply in which no
# answer can be read is **unread**. It counts as wrong, and it is counted; otherwise a method could raise its rate by
# mumbling when in doubt. And only somebody who knows the answer can check one: the check is *gold* ([chapter
# 3](03_io_and_verifiers.ipynb)), and no method may use it.


# %% tags=["set-up"]
# A tree whose voters did not all agree
def tallies(s):
    """The ballots of each choice: for strategies, then solutions."""
    votes = [e for e in s.trace.events if e["kind"] == "evaluated"]
    return [[int(node["value"]) for node in e["nodes"]] for e in votes]


right = [s for s in trees["word problems"] if s.correct]
shown = next(s for s in right if max(tallies(s)[-1]) < K)
show.svg(shown.trace, lines=2, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** Five strategies, a vote, five solutions of the winner, another vote. The fuller the three circles of a
# thought, the more ballots it got. ("gsm8k" is the package's name for the form; the problem is our own.)
#
# ## The stopped clock
#
# The right answer is yes for half of our yes-or-no questions. So a model that always says yes is right half of the time
# and knows nothing, as a stopped clock is right twice a day. That is the **base rate**. A tree has more ways than a
# clock to look clever: it has five solutions, and gold finds a right one among them for 80% of the questions.
#
# To see what such a number is worth, leave every reply as it is, and let a *coin* decide afterwards which answer of
# each question is the right one. Nobody can know what the coin will say, so whatever a method scores then is not
# knowledge. (The tree's rivals are those of chapters 3 and 4: a direct answer, IO; a chain of at most sixty words, CoT;
# and CoT-SC, the most frequent answer of five chains. For the first two we report the rate of a single answer, averaged over five.)


# %%
def share(answers, gold):
    return fmean(answer == gold for answer in answers)


def some(answers, gold):
    return float(gold in answers)


def by_coin(how, every):
    """The score that is expected if a fair coin says what is right."""
    return fmean((how(a, "yes") + how(a, "no")) / 2 for a in every)


# %% tags=["set-up"]
# The answers of each method, question by question
def forms(name, answers):
    return [a and tasks[name].same(a) for a in answers]


def five(name, s):
    """The answers of a tree's five solutions; None: not read."""
    asked = [e for e in s.trace.events if e["kind"] == "asked"]
    texts = [one["text"] for one in asked[2]["requests"][0]["samples"]]
    read = tasks[name].form.read
    return forms(name, [read(text, False).value for text in texts])


def matched(how, every, golds):
    return [how(a, g) for a, g in zip(every, golds, strict=True)]


name = "yes or no"
golds = forms(name, [p.gold for p in problems[name]])
ends = [five(name, s) for s in trees[name]]
methods = {
    "IO, one": [forms(name, s.answers) for s in io[name]],
    "CoT, one": [forms(name, s.answers) for s in cot[name]],
    "CoT-SC of 5": [forms(name, [s.answer]) for s in voted[name]],
    "ToT": [forms(name, [s.answer]) for s in trees[name]],
    "ToT, gold picks": ends,
}
rows = []
for method, every in methods.items():
    how = some if every is ends else share
    real = matched(how, every, golds)
    coins = [by_coin(how, [a]) for a in every]
    row = {"method": method, "right": f"{fmean(real):.1%}"}
    row["by a coin"] = f"{fmean(coins):.1%}"
    row["p"] = round(stats.sign_flips(np.subtract(real, coins)), 2)
    for gold in ("yes", "no") if how is share else ():
        mine = [
            a for a, g in zip(every, golds, strict=True) if g == gold
        ]
        says = fmean(share(a, "yes") for a in mine)
        row[f"yes where {gold}"] = f"{says:.0%}"
    rows.append(row)

# %% [markdown]
# ### Predict: what would a coin give?
#
# Every reply stays; only the answer key is tossed.

# %%
show.Predict(
    "How often would gold find a right answer among the tree's five?",
    round(100 * by_coin(some, ends)),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, highlight=-1),
)

# %% [markdown]
# A score that a coin gives just as well holds no knowledge, and here every row is such a score, as far as forty
# questions can tell. The last two columns show why. Someone who knows says yes where it is yes and not where it is no.
# IO says it nearly always, and the tree four times in five, whatever is right.
#
# And gold picks? With two possible answers, five samples that disagree at all contain the right one. Five coin flips
# would contain it in $1 - (1/2)^5$ of the cases, 97 times in a hundred. On such questions this bound measures how much
# the samples *differ*, and nothing that a better choice could win.
#
# Why does search add nothing here? Whether a spider and an octopus have sixteen limbs between them takes two facts. The
# model has them or it does not, and no number of attempts writes down a fact that it does not have. A wrong fact reads as well
# as a right one, to the voter, too. And mistakes cannot scatter among two answers, so a count has nothing to work with.
# Search pays where steps can be combined in many ways and somebody can see that a combination has failed.
#
# ## A coin in the voter's place
#
# Word problems are another matter: there are many wrong answers, and the model can do some of them. The tree's last
# step is a vote among five solutions. Let others choose from the *same* five:
#
# - **lots**: draw at random among the solutions that have an answer, as only these stand on the ballot;
# - **the vote**: what ToT does;
# - **the count**: the most frequent answer, as in self-consistency, with no call at all;
# - **gold picks**: somebody who knows the answer takes a right one if there is one.
#
# A vote that is not above lots sees no difference between right and wrong. A vote that is not above the count was paid
# for nothing.
#
# ### Predict: who chooses best?
#
# All four choose among the same five solutions.


# %% tags=["set-up"]
# The ways to choose among the five solutions of a tree
def majority(said):
    """The most frequent answer, on a tie the first; or None."""
    read = [answer for answer in said if answer is not None]
    return max(read, key=read.count) if read else None


def picked(said, mine, gold):
    """How often each way is right."""
    read = [answer for answer in said if answer is not None]
    return {
        "any one": share(said, gold),
        "lots": share(read or [None], gold),
        "vote": share([mine], gold),
        "count": share([majority(said)], gold),
        "gold picks": some(said, gold),
    }


name = "word problems"
keys = forms(name, [p.gold for p in problems[name]])
sets = [five(name, s) for s in trees[name]]
mine = forms(name, [s.answer for s in trees[name]])
every = [picked(*each) for each in zip(sets, mine, keys, strict=True)]
ways = {way: [row[way] for row in every] for way in every[0]}

# %%
choosers = ("lots", "vote", "count", "gold picks")
rates = {w: stats.bootstrap([[x] for x in ways[w]]) for w in choosers}
bars = [{"method": way, "rate": rates[way]} for way in choosers]
show.Predict(
    "In which order are they right, the best first?",
    sorted(choosers, key=lambda way: -rates[way].rate),
    choices=sorted(choosers),
    figure=show.plots.rates(
        bars, xlabel="right, of the same solutions"
    ),
    alt="The vote and the count lie above lots, close to gold.",
)

# %% [markdown]
# **Figure.** The vote and the count, one problem of forty apart, are both above lots and close to the bound.
#
# This voter seems to pick right solutions more often than lots would. It still has
# the habit of chapter 7: [these very ballots](study_zero_shot.ipynb) have a favourite place, the fourth. But samples of
# one prompt have no order, so the right solution is as likely to stand there as anywhere, and the habit only adds
# noise.
#
# Counting is right on one problem fewer, too little to rank the two, and it asks nobody. It uses that mistakes scatter and right answers meet. Where
# answers *can* meet, a vote competes with a count that is free. For stories and plans there is nothing to count, and a
# vote is all you have.
#
# ## No strategy at all
#
# If the winning strategy is a good one, a solution that follows it should be right more often than a plain chain, which
# starts without one. The chains are recorded, five for each problem. So every part of the tree has its rival now, and
# one table can hold them all.


# %% tags=["set-up"]
# Each part of the tree against what stands in its place
def p_value(gaps):
    """Sign flip test; problem i is of template i mod 12: one draw."""
    return stats.sign_flips([fmean(gaps[i::12]) for i in range(12)])


name = "word problems"
said = [forms(name, s.answers) for s in cot[name]]
chain, any_chain = (matched(how, said, keys) for how in (share, some))
count = [s.chosen for s in voted[name]]
asked = {
    "with a strategy − without: one": (ways["any one"], chain),
    "with − without: some of five": (ways["gold picks"], any_chain),
    "the whole tree − one chain": (ways["vote"], chain),
    "the whole tree − count of five chains": (ways["vote"], count),
    "the vote − lots": (ways["vote"], ways["lots"]),
    "the count − lots": (ways["count"], ways["lots"]),
    "the vote − the count": (ways["vote"], ways["count"]),
}
alone = stats.paired([s.chosen for s in trees[name]], count)
assert (alone.only_a, alone.only_b, round(alone.p, 2)) == (1, 8, 0.04)
rows = []
for what, (a, b) in asked.items():
    gaps = np.subtract(a, b)
    row = {"word problems": what, "the one": f"{fmean(a):.1%}"}
    row |= {"the other": f"{fmean(b):.1%}"}
    row["difference"] = f"{fmean(gaps):+.1%}"
    rows.append(row | {"p": f"{p_value(gaps):.2g}"})
show.table(rows, highlight=1)

# %% [markdown]
# **Table.** Each part of the tree against its rival. The word problems were made from twelve templates, and problems of
# one template resemble each other, so the test treats each *template* as one draw.
#
# Seven questions are asked here, so by Holm's correction ([the card](../book/comparisons.md)) even the smallest $p$ would have to be
# below 0.05 / 7 = 0.007. None is. That the vote and the count are better than lots is a hint. That the
# tree loses to a count of chains is another: it solved one problem alone and the count eight, and if each problem were
# a draw of its own, $p$ would be 0.04.
#
# The marked line is a suspicion worth having. With breadth 1 the tree commits itself before it knows, and then samples
# five times from the same commitment, so a bad strategy spoils all five at once. What it gives up is **diversity**, and
# a count, a vote, even gold can only choose from what is there. Self-consistency commits itself to nothing until the
# end.
#
# Forty problems leave much open, so we asked the [worded pocket model](../book/pocket_words_card.md), too, on 300
# problems that it never met. Its vote is no better than lots, -1% [-3, +1], and its tree no better than a count for the
# same tokens, -3% [-9, +2]. Five solutions that share a strategy seem to hold a right one less often there as well ([the
# tables](study_zero_shot.ipynb#and-with-300-problems)).
#
# ### Predict: what does one tree cost?
#
# The tree writes five strategies, five solutions, each as long as a chain may be, and ten short ballots.


# %% tags=["set-up"]
# What methods write; the count of fewer chains, over all subsets
def counted(name, k):
    """Success of the count of k chains, over all subsets of five."""
    golds = forms(name, [p.gold for p in problems[name]])
    each = []
    for gold, s in zip(golds, cot[name], strict=True):
        subsets = combinations(forms(name, s.answers), k)
        each.append([majority(c) == gold for c in subsets])
    return stats.bootstrap(each)


# %%
points, more, cost = [], [], {}
for name in tasks:
    bills = show.bill({"chains": cot[name], "tree": trees[name]}).lines
    (read, wrote, _), (tree_read, tokens, _) = bills.values()
    one = wrote / K
    for k in (1, 3, 5):
        point = {"method": f"{name}, CoT-SC", "label": f"k={k}"}
        point |= {"tokens": k * one, "rate": counted(name, k)}
        points.append(point)
    hits = sum(s.chosen for s in trees[name])
    point = {"method": f"{name}, ToT", "tokens": tokens}
    points.append(point | {"rate": stats.wilson(hits, N)})
    cost[name], both = tokens / one, (tokens + tree_read - read) / one
    more.append(
        f"{name} {cost[name]:.1f}, and with what is read {both:.1f}"
    )
at = "generated tokens per problem"
show.Predict(
    "On word problems, how many chains cost as much as one tree?",
    round(cost["word problems"], 1),
    low=1,
    high=20,
    step=0.1,
    figure=show.plots.success_by_cost(points, xlabel=at),
    alt="On both tasks the tree stands to the right of five chains.",
    shows="Chains for a tree: " + "; ".join(more),
)

# %% [markdown]
# **Figure.** The tree stands to the right of five chains and not above them, on both tasks.
#
# A fair comparison gives both sides the same tokens. So the opponent of this tree is not one chain but self-consistency
# with six to eight, or more if reading is paid for.

# %% tags=["predict"]
name = "word problems"
show.bill(
    {"five chains": voted[name], "a tree": trees[name]},
    caption="word problems",
)

# %% [markdown]
# **Figure.** What you wait for differs, too: chains take one round, and the tree's four steps four, since none can
# begin before the one above it is done.
#
# ## What the paper reports
#
# Table 4 of the paper has GPT-4, with a hundred questions of each set. Here a coin is tossed for each question on which
# two methods differ.

# %% tags=["set-up"]
least = next(n for n in range(1, N) if stats.mcnemar(n, 0) < 0.05)
rows = [
    {"data": "GSM8K", "IO": 51, "CoT": 86, "ToT": 90},
    {"data": "StrategyQA", "IO": 73, "CoT": 82, "ToT": 83},
]
for row in rows:
    won = row["ToT"] - row["CoT"]
    row["IO"] = f"{row['IO']}%"
    row |= {m: stats.wilson(row[m], 100) for m in ("CoT", "ToT")}
    row |= {"won": won, "p": round(stats.mcnemar(won, 0), 2)}
    row["needed"] = 100 * least // won
show.table(rows)

# %% [markdown]
# **Table.** Won: by ToT over CoT, if it lost none, the best case, to which p belongs. Needed: so many questions, at that rate, for six won and p < 0.05.
#
# The step from IO to CoT on GSM8K is plain. The step from CoT to ToT is not: even where ToT lost no
# question that CoT had right, a coin would be at least as one-sided one time in eight on GSM8K, and always on StrategyQA
# ([C1](../book/errata.md#c1-two-small-gains) of the errata). The paper itself calls the gains slight, and suggests
# smaller models for such tasks.
#
# > **Where it breaks.** A tree of breadth 1 loses with its first vote what it cannot get back. On answers that can
# > meet, it pays for ballots that a count makes needless. On facts there is nothing to search.
#
# ## What should I use?
#
# | Your task | Take |
# |:---|:---|
# | answers that can be equal, many wrong ones, each step easy | several chains and a count |
# | answers that cannot be equal: stories, plans, programs | samples and a vote, and first try whether the voter beats lots |
# | steps that a program or a good judge can refuse | a tree made for the task, as in chapters [6](06_tot_bfs_game24.ipynb) and [8](08_tot_dfs_crosswords.ipynb) |
# | facts, yes or no | one answer of a model that knows them, or one that can look them up ([chapter 10](10_tools_costs_failures.ipynb)) |
#
# **Table.** We found no task in this chapter on which we would take the zero-shot tree. The count in the first row is shown to be
# cheaper, not better.
#
# Find out on problems of your own kind whose answers you know, from many templates, and on none that you used to write the prompts. Count how often each
# answer is the right one before you believe a rate.
#
# ## Summary
#
# - One tree can serve any question whose answer can be asked for and read: sample, vote, sample, vote.
# - Let a coin decide what is right, and see what a method scores then. On two-way questions even gold picks of five are
#   nearly all coin.
# - Put the ways of choosing side by side on the same samples: lots, the vote, the count, gold picks. Here the vote solved
#   one problem more than the count, which is free.
# - Samples that follow one commitment can all fail with it. And problems made from one template are one draw.
# - At equal tokens the rival of a tree is six to eight chains. It had no lead over five.
#
# ## Exercises
#
# ### Exercise 1: chains that break off
#
# A count forgives a chain that ends without an answer. How much of its gain on word problems is just that? Compare
# three rates: one chain; one chain among those that have an answer; the count of five.
#
# <details><summary>Hint</summary>
#
# `said` holds the answers of each problem's chains (None: not read), `keys` the right ones, `count` what the count got
# right.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
pairs = [
    (a, key) for a5, key in zip(said, keys, strict=True) for a in a5
]
read = [a == key for a, key in pairs if a is not None]
print(f"one chain: {fmean(a == key for a, key in pairs):.0%}")
print(f"one chain with an answer: {fmean(read):.0%}")
print(f"the count of five: {fmean(count):.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# About half: if one chain breaks off, four others can still answer.
#
# </details>
#
# ### Exercise 2: when vote and count disagree
#
# List the word problems on which the voted solution and the most frequent answer of the same five differ. How often is
# the vote right there, and how often the count? Look at one: what did the voters prefer?
#
# <details><summary>Hint</summary>
#
# `sets` has the five answers, `mine` the voted one, `tallies(s)[1]` the ballots.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
who = Counter()
for i, tree in enumerate(trees["word problems"]):
    top = majority(sets[i])
    if top not in (None, mine[i]):
        verdict = {mine[i]: "vote right", top: "count right"}
        who[verdict.get(keys[i], "both wrong")] += 1
        last = f"{sets[i]}, ballots {tallies(tree)[1]}, gold {keys[i]}"
print(dict(who), show.wrapped(last), sep="\n")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A voter sees more than last lines, so a good one beats the count exactly here, and a bad one loses where the count was
# safe. (In the example four ballots go to choice 4, the favourite place, and it is wrong.)
#
# </details>
#
# ### Exercise 3: many problems, twelve templates
#
# The chapter tests over templates. Do the same for intervals: bootstrap templates instead of problems. What happens to
# the intervals of ToT and of its gain over a single chain? Which of the two would you publish?
#
# <details><summary>Hint</summary>
#
# `stats.bootstrap` takes groups: put the scores of one template into one.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
tree = ways["vote"]
for label, values in (
    ("ToT", tree),
    ("gain", np.subtract(tree, chain)),
):
    alone = stats.bootstrap([[value] for value in values])
    grouped = stats.bootstrap([[*values[i::12]] for i in range(12)])
    print(f"{label} over problems {alone}, over templates {grouped}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# They grow by a third and more. Publish the interval over templates: new problems would bring new templates.
#
# </details>
#
# ### Exercise 4: what guessing scores
#
# A model that knows nothing says yes with probability q. Of the questions a share r has the answer yes. How often are
# one guess, the majority of five guesses, and gold picks of five guesses right? Fill in q = 0.5 and 0.9 with r = 1/2
# and 2/3. Which of the three would you be glad to publish?
#
# <details><summary>Hint</summary>
#
# Gold fails where all five guesses are the wrong answer: that is (1 - q)⁵ where it is yes, and q⁵ where it is no.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def guessing(q, r):
    most = q**5 + 5 * q**4 * (1 - q) + 10 * q**3 * (1 - q) ** 2
    one = r * q + (1 - r) * (1 - q)
    count = r * most + (1 - r) * (1 - most)
    return one, count, 1 - r * (1 - q) ** 5 - (1 - r) * q**5


for q, r in product((0.5, 0.9), (1 / 2, 2 / 3)):
    print(q, round(r, 2), *(f"{x:.0%}" for x in guessing(q, r)))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Gold cannot help guesses that are all alike; it helps those that differ a lot, without any knowledge in either.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`, appendix B.1 and table 4; its differences and ours are in
#   [one picture](../book/tables.md#all-comparisons-in-one-picture).
# - {cite}`kojima2022large`: chains of thought without examples. {cite}`wang2023selfconsistency`: self-consistency.
# - {cite}`cobbe2021training` and {cite}`geva2021strategyqa`: the data sets. `tot.tasks.datasets` reads their files.
