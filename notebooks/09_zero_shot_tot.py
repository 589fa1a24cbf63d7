# %% [markdown]
# # Zero-shot Tree of Thoughts
#
# Every tree so far was made for one puzzle: somebody wrote examples, a format for steps, a value prompt. Can one tree
# serve *any* question? In appendix B.1 of the paper the authors try it {cite}`yao2023tree`. Sample five strategies and
# vote for the best; sample five solutions that follow it and vote again. There are no examples (hence *zero-shot*), and
# a new kind of question costs one line. We build this tree, run it on word problems and on yes-or-no questions, and ask
# what the appendix leaves open: **which part of the tree earns its tokens?**

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.commitment()

# %% [markdown]
# **Figure.** Two ways to ask more than once. In the tree all five solutions hang on the strategy that won a vote. The
# chains know nothing of each other, and where their answers meet, a count needs no voter.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - write zero-shot ToT in three short functions, for any task that can ask for an answer and read one;
# - compare methods on the same problems and at equal tokens, and say what a sample of this size can show;
# - take a vote apart: any one, the vote, the count, and gold picks;
# - see through a rate that only looks like knowledge, whether a chain, a vote or a tree has it.
#
# Everything below replays what a small real model answered once.

# %% tags=["set-up"]
from collections import Counter
from itertools import combinations
from statistics import fmean

import tot
from tot import stats

N = 40  # problems of each task
K = 5  # samples of each prompt, ballots of each vote
lm = tot.Cassette("cassettes/09.jsonl")
names = {"word problems": "gsm8k", "yes or no": "strategyqa"}
tasks = {name: tot.task(key) for name, key in names.items()}
problems = {name: tasks[name].problems("book")[:N] for name in tasks}
dates = sorted({one["date"] for one in lm.tape.sessions.values()})
print(f"{lm.name}, recorded {dates[0]} to {dates[-1]}")
print(f"{N} problems of each task, {K} samples of each prompt")

# %% [markdown]
# ## One tree for any question
#
# The paper used GSM8K {cite}`cobbe2021training`, school problems with a number as the answer, and StrategyQA
# {cite}`geva2021strategyqa`, yes-or-no questions that need facts and a step of thought. We may not print those data
# sets, so the book has problems of its own in the same two forms.

# %%
for name in tasks:
    p = problems[name][4]
    print(show.wrapped(f"{name}: {p.x} [{p.gold}]", indent=""))

# %% [markdown]
# In brackets stands the right answer. Only somebody who knows it can check a reply: the check is *gold*, in the words
# of [chapter 3](03_io_and_verifiers.ipynb), and no method may use it.
#
# What a method needs from such a task is its **answer format**: how to ask for an answer, how to read one, and when two
# are the same. A reply in which no answer can be read is **unread**. It counts as wrong, and it is counted; left out, it
# would let a method raise its rate by mumbling when in doubt.
#
# Here are the prompts of the tree, without the question above them: for a strategy, for a solution, for a ballot.


# %%
def show_prompt(request):
    _, rest = request.messages[-1].content.split("\n", 1)
    print(show.wrapped(rest, indent=""), "-" * 40, sep="\n")


task, root = tasks["word problems"], tot.State("a question")
planned = root.then(tot.Thought("(a strategy)"))
for request in (task.step(root), task.step(planned)):
    show_prompt(request)
show_prompt(task.ballot([planned, planned]))

# %% [markdown]
# Strategies are *sampled*, not proposed in one list as the equations of [chapter 6](06_tot_bfs_game24.ipynb) were: a
# strategy is a whole sentence, so five samples differ by themselves. And they are compared rather than valued, because
# "is this strategy good?" is hard to answer alone. Both levels of the tree work alike, which makes the program short:


# %%
def sample(task, state):
    """Up to five different thoughts; what cannot be read is none."""
    [reply] = lm([task.step(state).samples(0, K)])
    reads = [r for t in reply.texts for r in task.read_step(state, t)]
    once = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in once]


def vote(task, options):
    """The option with most ballots; of equals the first."""
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


# %% tags=["checked"]
def solve(name, method, **knobs):
    every = problems[name]
    found = [
        tot.solve(tasks[name], p, method, lm=lm, **knobs) for p in every
    ]
    errors = [s.error for s in found if s.error]
    assert not errors, errors[0]
    return found


trees = {name: solve(name, "tot-vote") for name in tasks}
for name, task in tasks.items():
    for p, s in zip(problems[name], trees[name], strict=True):
        assert my_tot(task, p.x) == s.result.best[0].state
    print(f"{name}: the same path through all {len(trees[name])} trees")

# %% [markdown]
# Nothing in it knows about numbers, or about yes and no. Here is a tree in which the voters did not all agree about the
# solutions:


# %%
def tallies(s):
    """The ballots of each choice: for strategies, then solutions."""
    votes = [e for e in s.trace.events if e["kind"] == "evaluated"]
    return [[int(node["value"]) for node in e["nodes"]] for e in votes]


right = [s for s in trees["word problems"] if s.correct]
shown = next(s for s in right if max(tallies(s)[-1]) < K)
show.svg(shown.trace, lines=2, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** Five strategies, a vote, five solutions of the winner, another vote. The number of a thought is its number
# of ballots. ("gsm8k" is the package's name for the form; the problem is our own.)
#
# ## The experiment
#
# - **IO** answers in one line. **CoT** thinks step by step, in at most sixty words, and ends with the same line. We draw
#   five samples of each, and report the rate of a single one.
# - **CoT-SC** takes the most frequent answer of the same five chains.
# - **ToT** is the tree.
#
# ### Predict: which of them is right most often?
#
# On the word problems, say. Then guess: if two methods differ on some of the forty problems, and one of them wins all
# of these, how many must it be before you would call it better?

# %% tags=["set-up"]
# How often each method is right, and what it writes
io = {name: solve(name, "io", k=K) for name in tasks}
cot = {name: solve(name, "cot", k=K) for name in tasks}
voted = {name: solve(name, "cot-sc", k=K) for name in tasks}


def mean_rate(solutions):
    every = [[float(x.correct) for x in s.scores] for s in solutions]
    return stats.bootstrap(every)


def chosen_rate(solutions):
    hits = sum(s.chosen for s in solutions)
    return stats.wilson(hits, len(solutions))


def cost(solutions, samples=1):
    bills = [s.result.ledger.total for s in solutions]
    unread = sum(s.result.unread for s in solutions)
    asked = sum(bill.samples for bill in bills)
    written = fmean(bill.completion_tokens for bill in bills) / samples
    read = fmean(bill.prompt_tokens for bill in bills)
    return {
        "unread": f"{unread} of {asked}",
        "tokens": written,
        "read": read,
    }


def tenths(found):
    return f"{found.rate:.1%} [{found.low:.0%}, {found.high:.0%}]"


rows, rated = [], {}
for name in tasks:
    methods = {
        "IO, one": (mean_rate, io, K),
        "CoT, one": (mean_rate, cot, K),
        f"CoT-SC of {K}": (chosen_rate, voted, 1),
        "ToT": (chosen_rate, trees, 1),
    }
    for method, (rate, group, samples) in methods.items():
        rated[name, method] = rate(group[name])
        row = {"task": name, "method": method}
        row["right"] = tenths(rated[name, method])
        spent = cost(group[name], samples)
        row |= {"unread": spent["unread"]}
        rows.append(row | {"tokens written": round(spent["tokens"])})
chosen = [m for n, m in rated if n == "word problems"]

# %%
show.Predict(
    "Which is right most often on word problems?",
    max(chosen, key=lambda m: rated["word problems", m].rate),
    choices=chosen,
    shows=show.table(rows),
)

# %% [markdown]
# On word problems a direct answer is almost never right, and a chain often is. For the Game of 24 chains did not help,
# because one early step decided and nothing showed which. Here each step is easy, and the question itself says what
# comes next, so room to write is worth a lot.
#
# The count over five chains is ahead. Part of what it gains is not the wisdom of the many but a spare wheel: a fifth of
# the chains on word problems break off without an answer, and a count forgives a chain that is lost. The tree lies
# between the single chain and the count.
#
# Does it beat the chain, and lose to the count? Intervals side by side compare badly; all methods met the same
# problems, so take the difference on each of them. One more care is needed. The word problems were made from twelve
# templates, and problems of one template resemble each other. Forty of them are not forty independent draws, so the
# test takes each *template* for one draw.


# %%
def p_value(name, a, b):
    """Sign flip test over problems; of word problems, templates."""
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    if name == "word problems":  # problem i is of template i mod 12
        gaps = [fmean(gaps[i::12]) for i in range(12)]
    return stats.sign_flips(gaps)


# %%
for name in tasks:
    tree, count = (
        [s.chosen for s in group[name]] for group in (trees, voted)
    )
    chain = [fmean(x.correct for x in s.scores) for s in cot[name]]
    alone = stats.paired(tree, count)
    gain = fmean(tree) - fmean(chain)
    print(f"{name}: ToT - one chain {gain:+.1%},", end=" ")
    print(f"p = {p_value(name, tree, chain):.2g}")
    print(f"  solved by ToT alone {alone.only_a},", end=" ")
    print(f"by CoT-SC alone {alone.only_b};", end=" ")
    print(f"p = {p_value(name, tree, count):.2g}")
    print(f"  if each problem is a draw: {alone.p:.2f}")
least = next(n for n in range(1, N) if stats.mcnemar(n, 0) < 0.05)
print(f"p < 0.05 takes {least} problems won and none lost")

# %% [markdown]
# Against one chain the tree shows no gain that we could tell from chance, on either task. Against the count of word
# problems, one to eight looks like a defeat, and is one if each problem is an independent draw; over templates we cannot
# tell it from chance. What the table does show is that the tree has no lead over five chains and a count. (And your guess? Six problems, if all go one way.)
#
# ## At equal tokens
#
# The tree is dearer than a chain. What else could its tokens have bought? More chains, and a count of their answers.
# To see what fewer than five chains would do, we take every subset of the five, let it choose, and average.
#
# ### Predict: how many chains does one tree cost?
#
# The tree writes five strategies, five solutions, each as long as a chain may be, and ten short ballots.


# %%
def majority(task, answers):
    """The most frequent answer, of equals the first; or None."""
    forms = [task.same(a) for a in answers if a is not None]
    return max(forms, key=forms.count) if forms else None


def counted(name, k):
    """Success of the count of k chains, over all subsets of five."""
    task, each = tasks[name], []
    for p, s in zip(problems[name], cot[name], strict=True):
        said = [majority(task, c) for c in combinations(s.answers, k)]
        each.append([task.verify(p, one).correct for one in said])
    return stats.bootstrap(each)


# %% tags=["set-up"]
# What the tree writes in each of its four rounds
def written(s):
    asked = [e for e in s.trace.events if e["kind"] == "asked"]
    each = [e["requests"][0]["samples"] for e in asked]
    tokens = [sum(one["tokens"] for one in said) for said in each]
    return tokens + [0] * (4 - len(tokens))


# %% mystnb={"image": {"alt": "Success against generated tokens per problem, for both tasks. CoT-SC with one, three and five chains is a line that runs to the right; ToT is a single point further right than all of them, and not above the last."}} tags=["plot", "predict"]
points = []
for name in tasks:
    chain, whole = cost(cot[name], K), cost(trees[name])
    one, tokens = chain["tokens"], whole["tokens"]
    for k in (1, 3, 5):
        point = {"method": f"{name}, CoT-SC", "label": f"k={k}"}
        points.append(
            point | {"tokens": k * one, "rate": counted(name, k)}
        )
    point = {"method": f"{name}, ToT", "label": "", "tokens": tokens}
    points.append(point | {"rate": chosen_rate(trees[name])})
    read_too = (tokens + whole["read"] - chain["read"]) / one
    rounds = [
        fmean(r) for r in zip(*map(written, trees[name]), strict=True)
    ]
    print(f"{name}: a tree writes as much as {tokens / one:.1f} chains")
    print(f"  strategies {rounds[0]:.0f} tokens,", end=" ")
    print(f"solutions {rounds[2]:.0f},", end=" ")
    print(f"ballots {rounds[1] + rounds[3]:.0f}")
    print(
        f"  if reading cost as much as writing: {read_too:.1f} chains"
    )
what = "generated tokens per problem"
figure = show.plots.success_by_cost(points, xlabel=what)
for text in figure.axes[0].texts:
    if text.get_text() == "word problems, ToT":  # off the bars
        text.xyann = (text.xyann[0] - 4, text.xyann[1] + 4)
figure

# %% [markdown]
# **Figure.** The tree stands to the right of five chains and not above them, on both tasks.
#
# A fair comparison gives both sides the same tokens. The opponent of this tree is therefore not one chain but
# self-consistency with six to eight, or more: a tree's prompts carry strategies and choices, and reading them is paid
# for, too, though mostly at a lower price than writing.
#
# Where do the tokens go? On word problems a tree writes 514 in its five solutions, less than five chains do, 245 in
# its strategies and 81 in ballots. The tree has two
# halves, and we take them apart from behind: first the vote on solutions, then the strategies.
#
# ## Does the vote earn its tokens?
#
# The tree ends with five solutions and a vote. There are several ways to choose among the *same* five:
#
# - **any one**: draw at random, so the share of right ones among the five;
# - **any one read**: draw among those with an answer that can be read; only these stand on the ballot;
# - **the vote**: what ToT does;
# - **the count**: the most frequent answer, as in self-consistency, with no model call at all;
# - **gold picks**: somebody who knows the answer takes a right one if there is one. A bound that nobody reaches in
#   earnest.
#
# A vote that is not above "any one read" cannot tell right from wrong. A vote that is not above the count was paid for
# nothing.
#
# ### Predict: where does the vote stand on word problems?


# %% tags=["set-up"]
# The ways to choose among the five solutions of a tree
def five(name, s):
    """The answers of the five solutions; None where none is read."""
    asked = [e for e in s.trace.events if e["kind"] == "asked"]
    texts = [one["text"] for one in asked[2]["requests"][0]["samples"]]
    return [tasks[name].form.read(text, False).value for text in texts]


def picks(name, golds=None):
    """How often each way is right, problem by problem."""
    task = tasks[name]
    ways = ("any one", "any one read", "vote", "count", "gold picks")
    found = {way: [] for way in ways}
    for i, (p, s) in enumerate(
        zip(problems[name], trees[name], strict=True)
    ):
        gold = golds[i] if golds else task.same(p.gold)
        said = [
            None if a is None else task.same(a) for a in five(name, s)
        ]
        mine = None if s.answer is None else task.same(s.answer)
        hits = [answer == gold for answer in said]
        found["any one"].append(fmean(hits))
        read = [answer == gold for answer in said if answer is not None]
        found["any one read"].append(fmean(read or [False]))
        found["vote"].append(float(mine == gold))
        found["count"].append(float(majority(task, said) == gold))
        found["gold picks"].append(float(any(hits)))
    return found


def difference(name, a, b):
    gain = fmean(a) - fmean(b)
    return f"{gain:+.1%}, p = {p_value(name, a, b):.2g}"


ways = {name: picks(name) for name in tasks}

# %% mystnb={"image": {"alt": "Word problems: how often five ways of choosing among the same five solutions are right: any one 53.5 per cent, any one read 57.5, the vote 67.5, the count 65, gold picks 72.5."}} tags=["plot", "predict"]
w = ways["word problems"]
for a, b in (
    ("vote", "any one read"),
    ("count", "any one read"),
    ("vote", "count"),
):
    said = difference("word problems", w[a], w[b])
    both = f"{a} {fmean(w[a]):.1%} - {b} {fmean(w[b]):.1%}"
    print(f"{both}: {said}")
split = [i for i, rate in enumerate(w["any one read"]) if 0 < rate < 1]
won = sum(w["vote"][i] for i in split)
lots = fmean(w["any one read"][i] for i in split) * len(split)
print(f"right and wrong on one ballot: {len(split)} trees;")
print(f"  the vote is right in {won:.0f}, lots in {lots:.1f}")
bars = [
    {"method": way, "rate": stats.bootstrap([[x] for x in each])}
    for way, each in w.items()
]
what = "word problems: right, of the same five solutions"
figure = show.plots.rates(bars, xlabel=what)
figure.set_figheight(2)
figure

# %% [markdown]
# **Figure.** The vote and the count are both above a random pick, and close to the bound.
#
# Four points of the vote's gain are not its own: solutions without an answer count in "any one", and stand on no ballot.
# The other ten are. This voter picks right solutions more often than lots would, in a few tokens, and not because it is
# free of the habit of chapter 7: [these very ballots](study_zero_shot.ipynb) have a favourite place, the fourth. But
# samples of one prompt have no order, so the right solution is as likely to stand there as anywhere; a habit adds
# noise, and what is left looks like reading.
#
# Counting does about as well, and it asks nobody. It only uses that mistakes scatter and right answers meet. Where
# answers *can* meet, a vote competes with a count that is free; for stories and plans there is nothing to count, and a
# vote is all you have.
#
# ## Do the strategies earn theirs?
#
# If the winning strategy is a good one, a solution that follows it should be right more often than a plain chain, which
# starts without one. Compare one with one, with no vote and no count; then ask how often at least one of five is right.


# %% tags=["set-up"]
# Solutions that follow a strategy beside chains that follow none
rows = []
for name in tasks:
    hits = [[x.correct for x in s.scores] for s in cot[name]]
    free = {
        "any one": [fmean(mine) for mine in hits],
        "gold picks": [float(any(mine)) for mine in hits],
    }
    labels = {
        "any one": "one",
        "gold picks": "some of five (gold picks)",
    }
    for way, label in labels.items():
        with_one, without = ways[name][way], free[way]
        row = {"task": name, "right": label}
        row["with a strategy"] = f"{fmean(with_one):.1%}"
        row["without"] = f"{fmean(without):.1%}"
        row["difference"] = difference(name, with_one, without)
        rows.append(row)
show.table(rows, highlight=1)

# %% [markdown]
# **Table.** No difference that we can tell from chance. On word problems five solutions that share one hold a right
# one less often than five free chains do.
#
# The marked row is a suspicion worth having. With breadth 1 the tree commits itself before it knows, and then samples
# five times from the same commitment; a bad strategy spoils all five at once. What it gives up is **diversity**, and a
# count, a vote, even gold can only choose from what is there. Self-consistency commits itself to nothing until the end.
#
# So which part of this tree earns its tokens? On word problems the last vote picks better than lots, and a count does
# about as well for nothing; the strategies show no gain. Neither half does, as far as we can see.
#
# ### And with 300 problems?
#
# Forty problems leave most rows open. The [worded pocket model](../book/pocket_words_card.md) comes with this book, answers live, and has 300 problems of
# its own small world that it never met. The same tree and its rivals:

# %% tags=["set-up"]
# The same tree and its rivals on the pocket model
from treebook.studies.results import (
    chance as p_of,
    difference as gap_of,
    interval,
    load,
)

study = load("../studies/results/plans_pay.json")
zero, n, rows = study["zero-shot"], study["n"], []
for row in zero["rows"]:
    line = {"method": row["method"]}
    line |= {"right": interval(row["solved"], n)}
    line |= {"tokens": round(row["written"])}
    line |= {"ToT minus it": "", "p": ""}
    if "the tree" in row:
        line["ToT minus it"] = gap_of(row["the tree"])
        line["p"] = p_of(row["the tree"])
    rows.append(line)
show.table(rows, caption=f"pocket model, {n} held-out problems")

# %% tags=["set-up"]
# Each half of the tree against what is free
rows = []
for question, row in zero["against"].items():
    line = {"question": question, "difference": gap_of(row)}
    rows.append(line | {"p": p_of(row)})
show.table(rows)

# %% [markdown]
# **Table.** The tree cannot be told from a chain, nor from a count at its own price (twelve chains). Unlike above, its vote is no better than any one solution. Five that share a strategy seem to hold a right one less often, as above; of four questions, 0.02 is a hint.
#
# Change the number of the story, or of the ballots; the model answers at once:

# %%
from treebook.players.worded import worded

story = tot.task("gsm8k").problems("pocket")[2]
knobs = {"votes": 5}
live = tot.solve("gsm8k", story, "tot-vote", lm=worded(), **knobs)
print(show.wrapped(story.x, indent=""))
print(f"{live.answer}: {live.score.why}")

# %% [markdown]
# ## The stopped clock
#
# Now the yes-or-no questions. The right answer is yes for half of them, so whoever always says yes is right half of the
# time and knows nothing, as a stopped clock is right twice a day. That is the **base rate**. A tree has more ways than a
# clock to look clever: it has five solutions, and gold finds a right one among them for four fifths of the questions. Is
# that room to win?
#
# ### Predict: what would a coin give?
#
# Leave every reply as it is, and let a *coin* decide afterwards which answer of each question is the right one. Nobody
# can know what the coin will say. How often is a right answer among the tree's five?


# %% tags=["set-up"]
# Each method's score with the real answers, and with a coin's
name, task = "yes or no", tasks["yes or no"]
golds = [task.same(p.gold) for p in problems[name]]


def chosen_picks(group, gold):
    said = [s.answer and task.same(s.answer) for s in group[name]]
    return [float(a == g) for a, g in zip(said, gold, strict=True)]


def any_picks(group, gold):
    return [
        fmean(a is not None and task.same(a) == g for a in s.answers)
        for s, g in zip(group[name], gold, strict=True)
    ]


def tree_picks(way):
    return lambda gold: picks(name, gold)[way]


scored = {
    "IO, one": lambda gold: any_picks(io, gold),
    "CoT, one": lambda gold: any_picks(cot, gold),
    "CoT-SC of 5": lambda gold: chosen_picks(voted, gold),
    "ToT": lambda gold: chosen_picks(trees, gold),
    "ToT, the count": tree_picks("count"),
    "ToT, gold picks": tree_picks("gold picks"),
}
rows = []
for method, score in scored.items():
    real, yes, no = (score(g) for g in (golds, ["yes"] * N, ["no"] * N))
    coin = [(a + b) / 2 for a, b in zip(yes, no, strict=True)]
    gaps = [a - b for a, b in zip(real, coin, strict=True)]
    row = {"method": method, "right": f"{fmean(real):.1%}"}
    row["by a coin"] = f"{fmean(coin):.1%}"
    row["p"] = round(stats.sign_flips(gaps), 2)
    for gold in ("yes", "no"):
        here = [a for a, g in zip(yes, golds, strict=True) if g == gold]
        row[f"yes where {gold}"] = f"{fmean(here):.0%}"
    if method == "ToT, gold picks":
        row |= {"yes where yes": None, "yes where no": None}
    rows.append(row)

# %%
show.Predict(
    "How often would gold find a right answer among the five?",
    round(float(rows[-1]["by a coin"].rstrip("%"))),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, highlight=-1),
)

# %% [markdown]
# A score that a coin gives just as well holds no knowledge, and here every row is such a score, as far as forty
# questions can tell: the direct answers, the chains and their count, the tree and even its bound. The last two columns
# show why. Someone who knows says yes where it is yes and not where it is no; IO says it nearly always, and the tree four
# times in five, whatever is right.
#
# And gold picks? With two possible answers, five samples that disagree at all contain the right one. Five coin flips
# would contain it 97 times in a hundred. On such questions the bound measures how much the samples *differ*, and nothing
# that a better choice could win.
#
# Why does search add nothing here? Whether a spider and an octopus have sixteen limbs between them takes two facts. The
# model has them or it has not, and no number of attempts writes down a fact that it has not. No intermediate state looks
# lost, as it does once 24 is out of reach: a wrong fact reads as well as a right one, to the voter, too. And
# mistakes cannot scatter among two answers, so the count has nothing to work with. Search pays where steps can be
# combined in many ways and somebody can see that a combination has failed.
#
# ## What the paper reports
#
# Table 4 of the paper: GPT-4, a hundred questions of each data set.

# %% tags=["set-up"]
rows = [
    {"data": "GSM8K", "IO": 51, "CoT": 86, "ToT": 90},
    {"data": "StrategyQA", "IO": 73, "CoT": 82, "ToT": 83},
]
for row in rows:
    won = row["ToT"] - row["CoT"]
    row |= {m: stats.wilson(row[m], 100) for m in ("IO", "CoT", "ToT")}
    row["won"], row["p"] = won, round(stats.mcnemar(won, 0), 2)
    row["needed"] = 100 * least // won
show.table(rows)

# %% [markdown]
# **Table.** Won: by ToT over CoT, if it lost none. Needed: so many questions, at that rate, for six won and p < 0.05.
#
# The step from IO to CoT on GSM8K is plain. The step from CoT to ToT is not: even where ToT lost no question that CoT
# had right, a fair coin, tossed for each question that differs, would be as one-sided one time in eight on GSM8K, and
# always on StrategyQA ([C1](../book/errata.md#c1-two-small-gains) of the errata). The paper itself calls the gains
# slight, and suggests smaller models for such tasks.
#
# > **Where it breaks.** A tree of breadth 1 loses with its first vote what it cannot get back. On answers that can meet,
# > it pays for ballots that a count makes needless. On facts, there is nothing to search.
#
# ## Summary
#
# - One tree can serve any question whose answer can be asked for and read: sample, vote, sample, vote.
# - Compare it with self-consistency at equal tokens: six to eight chains by what it writes. It had no lead over five.
# - Put the ways of choosing side by side on the same samples: any one with an answer, the vote, the count, gold picks.
#   Our vote beat a random pick on word problems; so did the count, which is free.
# - Samples that follow one commitment can all fail with it. And problems made from one template are one draw.
# - Let a coin decide what is right, and see what a method scores then. On two-way questions even gold picks of five are
#   nearly all coin.
#
# ## Exercises
#
# ### Exercise 1: the spare wheel
#
# How much does self-consistency gain on word problems because it forgives chains without an answer? Compare three rates:
# one chain; one chain among those that have an answer; the count of five.
#
# <details><summary>Hint</summary>
#
# `s.answers` has None where a chain has no answer, and `s.scores` says which of them are right.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
name = "word problems"
chains = [
    (answer, score.correct)
    for s in cot[name]
    for answer, score in zip(s.answers, s.scores, strict=True)
]
read = [right for answer, right in chains if answer is not None]
print(f"one chain: {fmean(right for _, right in chains):.0%}")
print(f"one chain with an answer: {fmean(read):.0%}")
print(f"the count of five: {fmean(s.chosen for s in voted[name]):.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# About half of the way from one chain to the count is the spare wheel, and the other half that right answers meet more
# often than wrong ones. A prompt that makes more chains end with their answer would win the first half for one chain.
#
# </details>
#
# ### Exercise 2: when vote and count disagree
#
# List the problems on which the voted solution and the most frequent answer of the same five differ. How often is
# the vote right there, how often the count, how often neither? Look at one: what did the voters prefer?
#
# <details><summary>Hint</summary>
#
# `five(name, s)` are the answers, `majority` counts them, `tallies(s)[1]` are the ballots of the solutions (those
# with an answer, without repeats).
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for name, task in tasks.items():
    who, last = Counter(), ""
    for p, s in zip(problems[name], trees[name], strict=True):
        said = five(name, s)
        count = majority(task, said)
        if count is not None and count != task.same(s.answer):
            right = task.verify(p, count).correct
            wins = "count right" if right else "both wrong"
            who["vote right" if s.chosen else wins] += 1
            last = f"{p.id}: answers {said}, ballots {tallies(s)[1]}"
            last += f", gold {p.gold}"
    print(f"{name}: they differ on {who.total()} problems")
    print(f"  {dict(sorted(who.items()))}")
    print(show.wrapped(f"  such as {last}" if who else ""))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Count and vote are two judges of the same five texts. The count looks at the last lines only, and believes what is
# said often. The vote can look at everything, also at a single solution that is right where the others share a
# mistake. So a good voter beats the count exactly there, and a bad one loses where the count was safe. (In the example
# of book-32 four ballots go to choice 4, the voters' favourite place, and it is wrong.) Few problems decide between
# them: those of this list.
#
# </details>
#
# ### Exercise 3: many problems, twelve templates
#
# The word problems were made by program: twelve templates in turn, with other names and numbers. The chapter tests over
# templates. Do the same for intervals: bootstrap templates instead of problems. What happens to the intervals of ToT and
# of its gain over a single chain? Which of the two would you publish?
#
# <details><summary>Hint</summary>
#
# Problem i is of template i modulo 12. `stats.bootstrap` takes groups: put the scores of one template into one
# group.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
name = "word problems"
tree = [float(s.chosen) for s in trees[name]]
chain = [fmean(x.correct for x in s.scores) for s in cot[name]]
gains = [a - b for a, b in zip(tree, chain, strict=True)]
for label, values in (("ToT", tree), ("ToT - CoT", gains)):
    alone = [[value] for value in values]
    grouped = [values[i::12] for i in range(12)]
    print(f"{label:9} over problems:  {stats.bootstrap(alone)}")
    print(f"{'':9} over templates: {stats.bootstrap(grouped)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# They grow by a third and more. Publish the interval over templates: a new set of problems would bring new templates,
# too. With a dozen groups it is rough. The rates themselves may differ a little, since every template now weighs the
# same. The same care is due for questions from one article, or tests from one program.
#
# </details>
#
# ### Exercise 4: what guessing scores
#
# A model that knows nothing says yes with probability q. Of the questions a share r has the answer yes. How often are
# one guess, the majority of five guesses, and gold picks of five guesses right? Fill in q = 0.5 and 0.9 with r = 1/2 and
# 2/3. Which of the three would you be glad to publish?
#
# <details><summary>Hint</summary>
#
# Gold fails where all five guesses are the wrong answer: that is (1 - q)⁵ where it is yes, and q⁵ where it is no.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
from math import comb


def guessing(q, r):
    most = sum(
        comb(5, i) * q**i * (1 - q) ** (5 - i) for i in (3, 4, 5)
    )
    one = r * q + (1 - r) * (1 - q)
    count = r * most + (1 - r) * (1 - most)
    return one, count, 1 - r * (1 - q) ** 5 - (1 - r) * q**5


for q in (0.5, 0.9):
    for r in (1 / 2, 2 / 3):
        said = [f"{x:.0%}" for x in guessing(q, r)]
        print(f"q = {q}, r = {r:.2f}: one, count, gold", *said)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Guesses that are all alike cannot be helped by gold, and guesses that differ are helped a lot, without any knowledge
# in either. And with two thirds yes, a count of guesses that lean to yes comes close to two thirds. So state the base
# rate beside every such score, or better: what a coin would give, as above.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`, appendix B.1 and table 4; its differences and ours are in
#   [one picture](../book/tables.md#all-comparisons-in-one-picture).
# - {cite}`kojima2022large`: chains of thought without examples. {cite}`wang2023selfconsistency`: self-consistency.
# - {cite}`cobbe2021training` and {cite}`geva2021strategyqa`: the data sets. `tot.tasks.datasets` reads their files.
