# %% [markdown]
# # Zero-shot Tree of Thoughts
#
# The trees of the earlier chapters were made for one puzzle each. Somebody wrote examples, a step format, a value
# prompt. Can one tree serve *any* question? In appendix B.1 the authors try: sample five strategies, vote for the
# best; sample five solutions that follow it, vote again {cite}`yao2023tree`. There are no examples (hence
# *zero-shot*), and a new task costs one line, the format of its answer. We build it, run it on word problems and on
# yes-or-no questions, and then ask the question that the appendix leaves open: **which part of the tree earns its
# tokens?**
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - turn a kind of question into a task: say how to answer, and read the answer out of a reply;
# - write zero-shot ToT in a dozen lines, and show that it agrees with the package;
# - compare methods on the same problems and at equal tokens, and say what a sample of this size can show;
# - take a vote apart: against a random pick, against counting, against an oracle, and for its taste for places in a
#   list;
# - see through a rate that is only a base rate.
#
# Everything below replays what a small real model answered once. [Chapter 5](05_how_a_search_asks.ipynb) explained
# the parts of a search, and [chapter 4](04_chain_of_thought.ipynb) self-consistency and paired comparison.

# %% tags=["set-up"]
import json
import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()
N = 40  # problems of each task
K = 5  # samples of each prompt, ballots of each vote
lm = tot.Cassette("cassettes/09.jsonl")
names = {"word problems": "gsm8k", "yes or no": "strategyqa"}
tasks = {name: tot.task(key) for name, key in names.items()}
problems = {name: tasks[name].problems("book")[:N] for name in tasks}
dates = {one["date"]: None for one in lm.tape.sessions.values()}
source = f"{lm.name}, recorded {', '.join(dates)}"
print(source)

# %% [markdown]
# ## A task is a prompt and a reader
#
# The paper used GSM8K {cite}`cobbe2021training`, school problems with a number as the answer, and StrategyQA
# {cite}`geva2021strategyqa`, yes-or-no questions that need facts and a step of thought. We may not print those data
# sets here. So the book has problems of its own in the same two forms.
#
# What does a method need to know about such a task? How to **ask** for an answer, how to **read** one, and how to
# **compare** two. Here is the direct prompt, written by hand. The only part that depends on the task is the format.


# %%
def ask_directly(question, form):
    how = f"Reply with one line only: {form}."
    return tot.user(f"Question: {question}\n\n{how}", max_tokens=30)


for name, task in tasks.items():
    p = problems[name][4]
    request = ask_directly(p.x, task.form.ask)
    assert request == task.io(tot.State(p.x))
    [reply] = lm([request.samples(0, 3)])
    print(show.wrapped(f"{name}: {p.x} [{p.gold}]", indent=""))
    print(*map(repr, reply.texts), sep="\n", end="\n\n")

# %% [markdown]
# Reading looks like the easy part. Two readers for numbers: the first takes the last number of the reply, a rule
# that you will find in many evaluation scripts. The second takes the number behind the last "answer is". For yes or
# no there is less to misread.

# %%
NUMBER = r"-?[\d,]*\.?\d+(?:/\d+)?"


def last_number(reply):
    found = re.findall(NUMBER, reply)
    return found[-1].replace(",", "") if found else None


def my_number(reply, bare=False):
    """``bare``: a reply with one number and no "answer is" will do."""
    *before, said = re.split("answer is", reply, flags=re.IGNORECASE)
    found = re.findall(NUMBER, said)
    if not found or not (before or (bare and len(found) == 1)):
        return None
    return found[0].replace(",", "")


def my_verdict(reply, bare=False):
    found = re.findall(r"answer is\W*(yes|no)\b", reply, re.IGNORECASE)
    if bare and not found:
        found = re.findall(r"\A\W*(yes|no)\b", reply, re.IGNORECASE)
    return found[-1].lower() if found else None


# %% [markdown]
# ### Predict: which replies do they misread?
#
# These replies are made up, to be nasty. Decide for each what a fair reader should say, *none* included. The last
# column is the package's reader.

# %%
replies = """7 * 6 = 42. The answer is 42 (see step 3).
The answer is $1,250.50 in total.
The answer is **42** km.
The answer is 3/4 of a litre.
The answer is 2 1/2 hours.
The answer is 6 * 7 = 42.
The answer is 3 or 4.
So there are 42 apples.
The answer is forty-two.""".splitlines()

# %% tags=["set-up", "predict"]
# What three readers make of these replies
theirs = tasks["word problems"].form.read
rows = []
for text in replies:
    package = theirs(text, False).value
    row = {"reply": text, "last number": last_number(text)}
    row |= {"ours": my_number(text), "package": package}
    rows.append({name: str(said) for name, said in row.items()})
show.table(rows, caption="Made-up replies and three readers.")

# %% [markdown]
# No reader is right about everything, and "no answer" is an honest result. "3 or 4" is one: who reads a 3 there
# gives the model a choice that it did not make. A reply that cannot be read is **not right**, and it is
# **counted**. If it were left out, a method could raise its rate by mumbling when in doubt.
#
# But some strictness would be silly. Where nothing but the answer was asked for, a *bare* reply such as `42` is fine.
# Below a chain of thought it is not: which of its numbers would be the answer?
#
# Do our short readers agree with the package's on what the model really said? We let them read every direct answer
# and every chain of thought that was recorded.


# %% tags=["set-up"]
# Direct answers and chains of thought, replayed
def solve(name, method, **knobs):
    every = problems[name]
    found = [
        tot.solve(tasks[name], p, method, lm=lm, **knobs) for p in every
    ]
    errors = [s.error for s in found if s.error]
    assert not errors, errors[0]
    return found


io = {name: solve(name, "io", k=K) for name in tasks}
cot = {name: solve(name, "cot", k=K) for name in tasks}
outputs = {
    (name, bare): [node for s in group[name] for node in s.result.best]
    for group, bare in ((io, True), (cot, False))
    for name in tasks
}

# %% tags=["checked"]
readers = {"word problems": my_number, "yes or no": my_verdict}
for (name, bare), every in outputs.items():
    same, differ = tasks[name].same, []
    for node in every:
        text, theirs = node.state.last.text, str(node.state.answer)
        mine = str(readers[name](text, bare))
        if same(mine) != same(theirs):
            differ.append(f"{mine} or {theirs}: {text[-44:]!r}")
    alike = len(every) - len(differ)
    what = "direct answers" if bare else "chains"
    print(f"{name}, {what}: {alike} of {len(every)} read alike")
    print(*(f"  {line}\n" for line in differ[:4]), sep="", end="")

# %% [markdown]
# ## Two baselines
#
# **IO** answers in one line. **CoT** thinks step by step first, in at most sixty words, and ends with the same
# line. (The paper's CoT prompt asks for a strategy and then for the answer; ours is shorter.)
#
# ### Predict: what does always "yes" score?
#
# Half of our yes-or-no questions have the answer yes. So somebody who always says yes is right half of the time,
# and knows nothing. Before you believe a rate on such a task, ask how often the model says yes *where the answer is
# no*.


# %% tags=["set-up", "predict"]
# How often the model says yes, where it is and where it is not
def said_yes(solutions, gold, said):
    pairs = zip(solutions, problems["yes or no"], strict=True)
    every = [s.result.best for s, p in pairs if p.gold == gold]
    return stats.bootstrap(
        [[said(n) == "yes" for n in m] for m in every]
    )


def opening(node):
    """The answer; of an unread reply its first word."""
    text = node.state.last.text
    first = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
    return node.state.answer or (first and first[1].lower())


answer, rows = (lambda node: node.state.answer), []
kinds = {"IO": (io, answer), "CoT": (cot, answer)}
kinds["CoT, first words"] = (cot, opening)
for label, (group, said) in kinds.items():
    every = group["yes or no"]
    yes, no = (said_yes(every, gold, said) for gold in ("yes", "no"))
    half = sum(((x.high - x.low) / 2) ** 2 for x in (yes, no)) ** 0.5
    gap = f"{yes.rate - no.rate:+.0%} ± {half:.0%}"
    row = {"says yes": label, "where it is yes": yes}
    rows.append(row | {"where it is no": no, "difference": gap})
show.table(rows, caption="A stopped clock has a difference of 0.")

# %% [markdown]
# The direct answers are a stopped clock: the model says yes to nearly everything, whatever is asked. Its rate of
# about a half is the **base rate** and nothing else; on a set with two thirds yes the same clock would score two
# thirds. The difference of the two shares can: it is zero for every clock, fast or slow, and one for somebody who
# knows. The chains seem to have a little of it, but its interval reaches below zero. (Of the half-widths of two
# intervals the squares add.) And look at what was not read: more than half of the unread chains do begin with Yes or
# No, and leave out the line that was asked for. If these counted, the difference would be gone, as the last row
# shows. So the chains stand *below* the clock in a table further down, for a reason of form.
#
# ## Zero-shot ToT from scratch
#
# A tree of depth two. Both steps are the same: **sample** five thoughts of one prompt, let five **ballots** compare
# them, go on with the winner. Thoughts are *sampled*, not proposed in one list as in [chapter
# 6](06_tot_bfs_game24.ipynb): a strategy is a whole sentence, so five samples differ by themselves. They are not
# valued one by one but *compared*, because "is this strategy good?" is hard to answer alone. Here are the prompts
# of a chain of thought, of a strategy, of a solution, and of a ballot, without the question above them.


# %%
def show_prompt(request):
    """What follows the question."""
    _, rest = request.messages[-1].content.split("\n", 1)
    print(show.wrapped(rest, indent=""), "-" * 40, sep="\n")


task, root = tasks["word problems"], tot.State("a question")
planned = root.then(tot.Thought("(a strategy)"))
for request in (task.cot(root), task.step(root), task.step(planned)):
    show_prompt(request)
show_prompt(task.ballot([planned, planned]))


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


def my_tot(task, x):
    state = tot.State(x)
    for _ in ("strategy", "solution"):
        if options := sample(task, state):
            state = options[vote(task, options)]
    return state


# %% [markdown]
# That is all. Nothing in it knows about numbers, or about yes and no. The package has the same method as
# `tot-vote`: its breadth-first search of chapter 6 with another generator, another evaluator, and breadth 1. Do the
# two agree?

# %% tags=["checked"]
trees = {name: solve(name, "tot-vote") for name in tasks}
for name, task in tasks.items():
    for p, s in zip(problems[name], trees[name], strict=True):
        assert my_tot(task, p.x) == s.result.best[0].state
    print(f"{name}: the same path through all {len(trees[name])} trees")

# %% [markdown]
# ## Reading a tree
#
# We pick a tree in which the voters did not all agree about the solutions. Here are the solution that won and the
# tree. The value of a thought is its number of ballots.


# %%
def tallies(s):
    """The ballots of each choice: for strategies, then solutions."""
    votes = [e for e in s.trace.events if e["kind"] == "evaluated"]
    return [[int(node["value"]) for node in e["nodes"]] for e in votes]


word = [s for s in trees["word problems"] if s.correct]
shown = next(s for s in word if max(tallies(s)[-1]) < K)
print(shown.result.best[0].state.last.text)
show.svg(shown.trace, lines=2, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** Five strategies, a vote, five solutions of the winner, another vote.
#
# ### Predict: where do the tokens go?
#
# A tree has four rounds, and each waits for the one before. Guess before you run: which round generates most tokens?


# %% tags=["set-up", "predict"]
# What the trees generate in each round, and what is cut off
def texts(s):
    asked = [e for e in s.trace.events if e["kind"] == "asked"]
    return [event["requests"][0]["samples"] for event in asked]


parts = ("strategies", "ballots on them", "solutions", "their ballots")
rows = []
for name in tasks:
    for i, part in enumerate(parts):
        rounds = [
            said for s in trees[name] for said in texts(s)[i : i + 1]
        ]
        said = [one for samples in rounds for one in samples]
        cut = sum(one["finish"] == "length" for one in said)
        tokens = sum(one["tokens"] for one in said) / len(trees[name])
        row = {"task": name, "round": part, "tokens": round(tokens)}
        rows.append(row | {"cut off": stats.wilson(cut, len(said))})
show.table(rows, caption="Tokens that a tree generates.")

# %% [markdown]
# A ballot is cheap to write, but its prompt holds all five choices, and the next table counts prompts, too. A reply
# that is *cut off* has hit the limit of its prompt. A solution that is cut off before its last line has no answer.
#
# The paper's ballots analyse each choice before they decide. Ours name a number and nothing else. In a pilot, this
# model mostly named its choice first and justified it afterwards, whatever it was asked. Then the analysis
# decides nothing, and costs a lot.
#
# > **In the paper.** `tot solve gsm8k "A QUESTION" --method tot-vote --style paper --lm openai:NAME` asks as appendix B.1
# > does: one prompt for a strategy and an answer, ballots that analyse each choice and show both parts, room for long
# > replies. A solution without an answer stays a choice there; our own prompts leave it out.
#
# ## The experiment
#
# - **IO** and **CoT**: five samples each, and the rate of a single one;
# - **CoT-SC**: the most frequent answer of the same five chains (chapter 4);
# - **ToT**: the answer of the tree.
#
# ### Predict: in which order do they come out?
#
# Write down an order for each task. Then a guess at how far apart two methods must be before so few problems can
# tell them apart.


# %% tags=["set-up", "predict"]
# How often each method is right, and what it costs
def mean_rate(solutions):
    every = [[float(x.correct) for x in s.scores] for s in solutions]
    return stats.bootstrap(every)


def chosen_rate(solutions):
    return stats.wilson(
        sum(s.chosen for s in solutions), len(solutions)
    )


def cost(solutions, samples=1):
    ledgers = [s.result.ledger for s in solutions]
    unread = sum(s.result.unread for s in solutions)
    asked = sum(ledger.total.samples for ledger in ledgers)
    written = fmean(
        ledger.total.completion_tokens for ledger in ledgers
    )
    read = fmean(ledger.total.prompt_tokens for ledger in ledgers)
    return {
        "unread": f"{unread} of {asked}",
        "generated": round(written / samples, 1),
        "prompt": read,
        "rounds": round(fmean(ledger.rounds for ledger in ledgers), 1),
    }


voted = {name: solve(name, "cot-sc", k=K) for name in tasks}
rows = []
for name in tasks:
    methods = {
        "IO, one": (mean_rate, io, K),
        "CoT, one": (mean_rate, cot, K),
        f"CoT-SC of {K}": (chosen_rate, voted, 1),
        "ToT": (chosen_rate, trees, 1),
    }
    for method, (rate, group, samples) in methods.items():
        row = {
            "task": name,
            "method": method,
            "right": rate(group[name]),
        }
        rows.append(row | cost(group[name], samples))
show.table(rows, caption=f"n = {N} for each task, tokens per problem")

# %% [markdown]
# **Table.** Five chains and a count are right most often on both tasks.
#
# An *unread* reply has no answer (a chain or a solution) or no choice (a ballot).
#
# On word problems a direct answer is almost never right, and a chain often is. In [chapter
# 4](04_chain_of_thought.ipynb) chains did not help: one early step decided, and nothing showed which. Here each step
# is easy, and the question itself says what comes next. Then room to write is worth a lot.
#
# Look at the unread chains, too. Asked for at most sixty words, a chain may write on until the token limit cuts it off,
# or it stops without its answer line. One chain alone is then lost. A count over five forgives it, as long as
# the others finish. So part of what self-consistency gains over a single chain is not the wisdom of the many, but a
# spare wheel.
#
# Whether the tree adds anything, this table cannot say.
#
# ## On the same problems
#
# Intervals side by side compare badly. All methods met the same problems, so take the difference problem by problem
# and draw problems anew, as in chapter 4. For IO and CoT a problem's score is the mean of its five samples.


# %% tags=["set-up"]
# Differences between methods, problem by problem
def score(solutions, chosen):
    if chosen:
        return [float(s.chosen) for s in solutions]
    return [fmean(x.correct for x in s.scores) for s in solutions]


def difference(a, b):
    return stats.bootstrap([[x - y] for x, y in zip(a, b, strict=True)])


def verdict(gain):
    word = "more" if gain.low > 0 else "cannot tell"
    word = "less" if gain.high < 0 else word
    return (
        f"{gain.rate:+.0%} [{gain.low:+.0%}, {gain.high:+.0%}] {word}"
    )


pairs, others = [], (("IO", io), ("CoT", cot), ("CoT-SC", voted))
for name in tasks:
    for other, group in others:
        rival = score(group[name], group is voted)
        gain = difference(score(trees[name], True), rival)
        pairs.append({"pair": f"{name}: ToT - {other}", "gain": gain})
    won = [[s.chosen for s in group[name]] for group in (trees, voted)]
    print(
        show.wrapped(
            f"{name}, ToT against CoT-SC: {stats.paired(*won)}"
        )
    )

# %% mystnb={"image": {"alt": "How much more often ToT is right than IO, CoT and CoT-SC, for both tasks, as points with intervals; a vertical line marks no difference."}} tags=["plot"]
figure = show.plots.rates(
    pairs, y="gain", name="pair", xlabel="ToT's gain in success"
)
figure.axes[0].set(xlim=(-0.6, 1), xticks=(-0.5, 0, 0.5, 1))
figure.set_figheight(2.8)
figure.axes[0].axvline(0, color="black", linewidth=0.8)
figure

# %% [markdown]
# **Figure.** The tree is surely better than direct answers on word problems, and surely worse than five chains and a
# count.
#
# Where an interval holds zero, this many problems do not show a difference, which does not make the methods equal. On
# yes-or-no questions the tree beats a single chain; but chains leave many questions unanswered. McNemar's test,
# printed above the picture, looks only at the problems that one of the two solved alone: on word problems the count
# wins nearly all. Two warnings. We looked at six differences, and the more one looks, the more one finds: beyond
# doubt is only the first. And the word problems come from a dozen templates and resemble each other, so these
# intervals are clearly too narrow (exercise 4).
#
# ## At equal tokens
#
# A tree is dearer than a chain. What else could its tokens have bought? More chains, and a count of their answers.
# We can compute that count for fewer than five chains, too: take every subset of the five, let it choose, and
# average.
#
# ### Predict: how many chains does one tree cost?
#
# The tree samples five strategies and five solutions, and each solution may be as long as a chain.


# %%
def majority(task, answers):
    """The most frequent answer, of equals the first; or None."""
    forms = [task.same(a) for a in answers if a is not None]
    return max(forms, key=forms.count) if forms else None


def counted(name, k):
    """Success of the vote of k chains, over all subsets of the five."""
    task, each = tasks[name], []
    for p, s in zip(problems[name], cot[name], strict=True):
        said = [majority(task, c) for c in combinations(s.answers, k)]
        each.append([task.verify(p, one).correct for one in said])
    return stats.bootstrap(each)


# %% mystnb={"image": {"alt": "Success against generated tokens per problem, for both tasks. CoT-SC with one, three and five chains is a line that runs to the right; ToT is a single point further right than all of them, and not above the last."}} tags=["plot", "predict"]
points = []
for name in tasks:
    chain, tree = cost(cot[name], K), cost(trees[name])
    one, tokens = chain["generated"], tree["generated"]
    for k in (1, 3, 5):
        point = {"method": f"{name}, CoT-SC", "label": f"k={k}"}
        points.append(
            point | {"tokens": k * one, "rate": counted(name, k)}
        )
    point = {"method": f"{name}, ToT", "label": "ToT", "tokens": tokens}
    points.append(point | {"rate": chosen_rate(trees[name])})
    read_too = tokens + tree["prompt"] - chain["prompt"]
    print(
        f"{name}: a tree writes as much as {tokens / one:.1f} chains;"
    )
    print("  if prompt tokens cost the same,", end=" ")
    print(f"it pays for {read_too / one:.1f} chains")
what = "generated tokens per problem"
show.plots.success_by_cost(points, xlabel=what)

# %% [markdown]
# **Figure.** The tree stands to the right of five chains and not above them, on both tasks.
#
# The five solutions alone cost less than five chains: with a strategy in hand the model is briefer. But strategies
# and ballots come on top, and the whole tree costs more than six. So the fair opponent of the tree is not one chain.
# It is self-consistency with *at least* five, and a tree's point that lies right of the last chain's and not above it
# was bought too dear.
#
# Where does the tree lose it? It has two halves, and we take them apart from behind: first the vote on solutions, then
# the strategies.
#
# ## Where it breaks: does the vote help?
#
# The tree ends with five solutions of one prompt and a vote among them. Four ways to choose among the *same* five:
#
# - **any one**: draw at random; the share of right ones among the five;
# - **the vote**: what ToT does;
# - **the count**: the most frequent answer, as self-consistency does, with no model call at all;
# - **the oracle**: somebody who knows the truth picks; an upper bound, no method.
#
# (Two solutions of the same text are one choice on the ballot paper, and still two in the count.)
#
# ### Predict: where is the vote between "any one" and "the oracle"?


# %% tags=["set-up"]
# Four ways to choose among the five solutions of a tree
def five(name, s):
    """The answers of the five solutions; None where none is read."""
    read = tasks[name].form.read
    return [read(sample["text"], False).value for sample in texts(s)[2]]


def picks(name):
    """How often each way of choosing is right, problem by problem."""
    task = tasks[name]
    found = {"any one": [], "vote": [], "count": [], "oracle": []}
    for p, s in zip(problems[name], trees[name], strict=True):
        answers = five(name, s)
        right = [task.verify(p, answer).correct for answer in answers]
        count = task.verify(p, majority(task, answers))
        found["any one"].append(fmean(right))
        found["vote"].append(float(s.chosen))
        found["count"].append(float(count.correct))
        found["oracle"].append(float(any(right)))
    return found


ways = {name: picks(name) for name in tasks}

# %% tags=["predict"]
orders = (("vote", "any one"), ("count", "any one"), ("vote", "count"))
for name in tasks:
    w = ways[name]
    mixed = sum(0 < share < 1 for share in w["any one"])
    failed, lost = N - sum(w["vote"]), sum(w["oracle"]) - sum(w["vote"])
    print(
        f"{name}: on {mixed} of {N} some of the five are right, not all"
    )
    print(f"  ToT failed on {failed:.0f};", end=" ")
    print(f"on {lost:.0f} of these a right solution was there")
    for a, b in orders:
        print(f"  {a} - {b}: {verdict(difference(w[a], w[b]))}")

# %% mystnb={"image": {"alt": "For both tasks, how often four ways of choosing among the same five solutions are right: any one, the vote, the count, and on the right the oracle."}} tags=["plot", "predict"]
bars = [
    {
        "method": f"{name}: {way}",
        "rate": stats.bootstrap([[x] for x in each]),
    }
    for name in tasks
    for way, each in ways[name].items()
]
what = "right, of the same five solutions"
figure = show.plots.rates(bars, xlabel=what)
figure.set_figheight(3)
figure

# %% [markdown]
# **Figure.** On word problems vote and count come close to the oracle; on yes-or-no questions neither does.
#
# Read it like this. The room for *any* way of choosing is between "any one" and "the oracle", and only the mixed
# problems make it. If the vote is not above "any one", the model cannot tell its own right solutions from its wrong
# ones. If it is not above the count, then the last round of the tree was paid for nothing: counting needs no model
# at all.
#
# On word problems the vote is above "any one": it seldom misses a right solution that is there. So this voter is no
# fool, even in the few tokens of a ballot. (Part of the gain is not its own: solutions without an answer count in
# "any one", and are on no ballot.) But the count, which asks nobody, does about as well. It only uses that mistakes
# scatter and right answers meet. (It needs answers that *can* meet: a number, a word. For stories or plans there is
# nothing to count, and a vote is all you have.) On yes-or-no questions there is more to win, and neither way of
# choosing wins much of it.
#
# So the vote is not where the tree lost to self-consistency. Look at the oracle instead: on a quarter of the word
# problems none of the five solutions is right.
#
# First one of the problems that the tree lost although a right solution was there. What do the ballots follow?


# %%
def lost_first(pair):
    p, s = pair
    verify = tasks[name].verify
    right = [verify(p, a).correct for a in five(name, s)]
    return s.chosen, not any(right)


name = "word problems"
p, s = min(
    zip(problems[name], trees[name], strict=True), key=lost_first
)
print(show.wrapped(f"{p.x} [{p.gold}]", indent=""), end="\n\n")
print("answers:", *five(name, s), "| ballots:", *tallies(s)[-1])
print("\nthe winner wrote:")
print(show.wrapped(s.result.best[0].state.last.text))

# %% [markdown]
# ## Do strategies matter?
#
# Now the first half of the tree. If the winning strategy is a good one, then a solution that follows it should be
# right more often than a plain chain of thought, which starts without one. Compare *one* with *one*: no vote, no
# count. Then compare *five* with *five*: how often is at least one of them right?


# %% tags=["set-up"]
# Solutions that follow a strategy beside chains that follow none
def one_of_five(each):
    return [float(any(right)) for right in each]


rows = []
for name in tasks:
    chains = [[x.correct for x in s.scores] for s in cot[name]]
    free = {
        "any one": score(cot[name], False),
        "oracle": one_of_five(chains),
    }
    labels = {"any one": "one solution", "oracle": "best of five"}
    for way, label in labels.items():
        with_one, without = ways[name][way], free[way]
        row = {"task": name, "right": label}
        row["with a strategy"] = f"{fmean(with_one):.0%}"
        row["without"] = f"{fmean(without):.0%}"
        row["difference"] = verdict(difference(with_one, without))
        rows.append(row)
show.table(rows)

# %% [markdown]
# **Table.** A strategy does not make one solution better, and costs the best of five something on word problems.
#
# A strategy that this model wrote and preferred beforehand buys nothing that we can see. And on word problems, among
# five free chains there is nearly always a right one. Among five solutions that follow *one* strategy there is less
# often one. (It is one question of four, and the other kind does not show it.)
#
# That may be what the tree paid for its first vote: **diversity**. A count, a vote, even an oracle can only choose from
# what is there. With breadth 1 a tree commits itself early, and then samples five times from the same commitment.
# Self-consistency commits itself to nothing until the end.
#
# ## Do voters read, or do they take the first?
#
# The five strategies are five samples of one prompt. Nothing makes the first one better than the fifth: shuffle
# them, and they are just as likely. So **a fair voter gives every place a fifth of the ballots**, whatever the
# strategies are. If some place gets more, that is not taste. It is *position bias*, which is known of far larger
# judges, too {cite}`zheng2023judging`.
#
# ### Predict: which place is the favourite?


# %% tags=["predict"]
def places(name, stage):
    """Shares of the ballots by place, of trees with five choices."""
    every = [tallies(s) for s in trees[name]]
    every = [tally[stage] for tally in every if len(tally) > stage]
    every = [tally for tally in every if len(tally) == K and sum(tally)]
    return [[votes / sum(tally) for votes in tally] for tally in every]


for name, stage in product(tasks, (0, 1)):
    shares = places(name, stage)
    what = ("strategies", "solutions")[stage]
    first = stats.bootstrap([[share[0]] for share in shares])
    print(f"{name}, {what}, {len(shares)} trees: first choice {first}")

# %% mystnb={"image": {"alt": "The share of the ballots for choice 1 to choice 5, as a line for strategies and for solutions of both tasks, and the level of a fair voter. All lines are highest at choice 3 or 4; all begin below the fair level."}} tags=["plot", "predict"]
fig, ax = plt.subplots(figsize=(6, 3))
series = list(product(tasks, (0, 1)))
for (name, stage), marker in zip(
    series, show.plots.MARKERS, strict=False
):
    shares = places(name, stage)
    means = [fmean(share[i] for share in shares) for i in range(K)]
    label = f"{name}: {('strategies', 'solutions')[stage]}"
    ax.plot(range(1, K + 1), means, marker + "-", label=label)
look = {"color": "black", "linewidth": 0.8, "linestyle": "--"}
ax.axhline(1 / K, label="a fair voter", **look)
ax.set(xlabel="place of the choice", ylabel="share of the ballots")
ax.set(xticks=range(1, K + 1))
ax.legend(frameon=False, fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** The voters' favourites are in the middle: places three and four, or three alone (solutions of yes-or-no
# questions, twelve trees).
#
# Which place is avoided differs from line to line: for the solutions of word problems the last and the second, for
# strategies on yes-or-no questions the first. In [chapter 7](07_votes_creative_writing.ipynb) the same model, asked
# in nearly the same words, took the first. So a place bias is no constant that one could measure once and subtract.
# It is a habit of a model *with a prompt*.
#
# Note what a favourite place does, and what it does not do. Among samples of one prompt a voter who always takes the
# fourth does no harm: it is as good as any. But it is no voter either. It draws one thought at random, and the tokens of
# the ballots are spent on nothing. With a listed order that *means* something, such as "best first", the same habit
# could look like excellent taste, or like none.
#
# Two cures are known: show the choices to every voter in another order, and count the choice, not its place; or
# compare pairs in both orders. Both make ballots different from each other, so five of them become five prompts.
#
# ## What the paper reports
#
# Table 4 of the paper: GPT-4, a hundred questions of each data set.

# %%
least = next(b for b in range(1, 99) if stats.mcnemar(b, 0) < 0.05)
rows = [
    {"data": "GSM8K", "IO": 51, "CoT": 86, "ToT": 90},
    {"data": "StrategyQA", "IO": 73, "CoT": 82, "ToT": 83},
]
for row in rows:
    won = row["ToT"] - row["CoT"]
    row |= {m: stats.wilson(row[m], 100) for m in ("IO", "CoT", "ToT")}
    row["won"], row["p"] = won, round(stats.mcnemar(won, 0), 2)
    row["needed"] = 100 * least // won
print(f"p < 0.05 needs {least} won and none lost")
show.table(rows, caption="Won: by ToT over CoT, if it lost none.")

# %% [markdown]
# The step from IO to CoT on GSM8K is plain. The step from CoT to ToT is not: which problems were won and lost is
# not given, and even in the kindest case, where ToT lost none, a coin would often do as well. The paper itself
# calls these gains slight, and suggests smaller models for such tasks. We followed that suggestion. Our problems are
# easier and our model far smaller, so its rates cannot be compared with ours. The [errata](../book/errata.md)
# list this as C1.
#
# ## The real questions
#
# The questions of the public data sets cannot be printed here. Figures can: the same model with the same IO and CoT
# prompts, one sample each, on the first forty questions of a sample of each set. `studies/benchmark_samples.py`
# measures them, and any other method: point it at your own copy of the files and at your own model.

# %% tags=["set-up"]
# The public questions, as studies/benchmark_samples.py measured them
file = Path("../studies/results/benchmark_samples.json")
found = json.loads(file.read_text(encoding="utf-8"))
rows = []
for name, method in product(("gsm8k", "strategyqa"), ("io", "cot")):
    m = found[name][method]
    row = {"task": name, "method": method}
    row["right"] = stats.wilson(m["correct"], m["n"])
    row |= {key: m[key] for key in ("n", "unread", "tokens")}
    rows.append(row | {"date": m["dates"][-1]})
show.table(rows, caption=m["model"])

# %% [markdown]
# The pattern is that of our own problems. Chains help with numbers, though less than on ours. On yes-or-no questions
# the direct answers sit at the base rate, and the chains' rate is lower. Look at the unread ones: a third or more,
# which, like those on our own questions, may have left out the line that was asked for. So the rate of the chains is a
# rate of *this prompt and this reader*, and too low for what the model could do.
#
# ## Summary
#
# - A question task is an answer format and a reader. What cannot be read counts as wrong, and is counted.
# - Zero-shot ToT is a dozen lines on top of that: sample, vote, sample, vote.
# - Its fair opponent is self-consistency at equal tokens, not one chain.
# - A vote on answers that can meet competes with a count, which is free. Report both, with "any one" below them and
#   the oracle above.
# - Samples that follow one commitment may fail together. A tree of breadth 1 commits itself before it knows.
# - Samples of one prompt have no order. So the places of the winners show whether voters read, with no gold at all.
# - On two-way questions look at both kinds of mistake, or a base rate will pass for knowledge.
# - Differences of a few points need hundreds of problems, in the paper's table as in ours.
#
# ## Exercises
#
# ### Exercise 1: a reader for dates
#
# Write `read_date(reply)` for a task whose answer is a day. It should read "The answer is 3 March 2024", "The
# answer is March 3, 2024." and "The answer is 2024-03-03" as the same text `2024-03-03`. What should it do with
# "The answer is 03/04/2024", and with 31 February?
#
# <details><summary>Hint</summary>
#
# `datetime.datetime.strptime(text, "%d %B %Y")` raises ValueError if the text has another form or there is no such
# day. Try several forms in turn. A date that two countries read differently is no answer.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
from datetime import datetime

DATE = re.compile(
    r"[\s:*]*(\d{1,2} [A-Z][a-z]+ \d{4}"
    r"|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{4}-\d\d-\d\d)(?!\w)"
)


def read_date(reply):
    """ISO form of the day behind the last "answer is"; or None."""
    _, said, rest = reply.rpartition("answer is")
    found = DATE.match(rest) if said else None
    for form in ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d") if found else ():
        try:
            return datetime.strptime(found[1], form).date().isoformat()
        except ValueError:
            pass
    return None


tried = "3 March 2024", "March 3, 2024.", "2024-03-03"
for text in (*tried, "03/04/2024", "31 February 2024"):
    print(f"{text:18} {read_date(f'The answer is {text}')}")
both = "On 1 May 2020 it rained. The answer is 2 May 2020."
assert read_date(both) == "2020-05-02"

# %% [markdown]
# ### Exercise 2: a new task in ten lines
#
# Make a task "today is ..., which day of the week is it in ... days?", as a subclass of `ZeroShot` with the answer
# format `WORD`. Then run `tot-vote` on it. You have no recording of it, so let a scripted voice answer (a
# **demonstration**: no model is measured), or your own model.
#
# <details><summary>Hint</summary>
#
# Look at the class `StrategyQA` in `tot/tasks/zero_shot.py`: a task says `name`, `summary`, `form` and `sources`.
# `numbered` makes problems of (question, answer) pairs. A scripted model is `tot.Scripted(function, name=...)`; the
# function gets the request and the index of the sample.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
from calendar import day_name
from typing import ClassVar

from tot.tasks.answers import WORD
from tot.tasks.zero_shot import ZeroShot, numbered
from tot.testing import check_task

DAYS = list(day_name)  # Monday first


class Weekdays(ZeroShot):
    name, summary = "weekdays", "which day is it in n days?"
    form = WORD
    sources: ClassVar = {
        "book": ("seven", lambda: numbered(map(question, range(7))))
    }


def question(i):
    days = 5 * i + 9
    ask = f"Which day of the week is it in {days} days?"
    return f"Today is {DAYS[i]}. {ask}", DAYS[(i + days) % 7].lower()


def voice(request, index):
    """Right in three samples of five, else a day late; choice 2."""
    said = request.messages[-1].content
    if "Which choice" in said:
        return "The best choice is 2"
    if "Do not answer" in said:
        return f"Plan {index}."
    day, days = re.search(
        r"(\w+)\. Which .* in (\d+) days", said
    ).groups()
    late = DAYS.index(day) + int(days) + index % 2
    return f"The answer is {DAYS[late % 7]}."


weekdays = Weekdays()
scripted = tot.Scripted(voice, name="scripted voice")
nasty = ["The answer is Monday.", "The best choice is 2", "Monday?"]
check_task(weekdays, texts=nasty)
for p in weekdays.problems("book")[:3]:
    print(p.x)
    for method in ("tot-vote", "cot-sc"):
        s = tot.solve(weekdays, p, method, lm=scripted, k=5)
        print(f"  {method}: scripted {s.answer}, correct: {s.correct}")

# %% [markdown]
# ### Exercise 3: when vote and count disagree
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
# #### Solution 3

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
# mistake. So a good voter beats the count exactly there, and a bad one loses where the count was safe. Few problems
# decide between them: those of this list.
#
# </details>
#
# ### Exercise 4: many problems, twelve templates
#
# The word problems were made by program: twelve templates in turn, with other names and numbers. Problems of one
# template resemble each other, so they are not as many independent draws as there are problems. Draw *templates*
# anew instead of problems. What happens to the intervals of ToT and of its gain over CoT? Which of the two
# intervals would you publish?
#
# <details><summary>Hint</summary>
#
# Problem i is of template i modulo 12. `stats.bootstrap` takes groups: put the scores of one template into one
# group.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
name = "word problems"
tree, chain = score(trees[name], True), score(cot[name], False)
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
# ## Further reading
#
# - The paper {cite}`yao2023tree`, appendix B.1 and table 4.
# - {cite}`kojima2022large`: chains of thought without examples. {cite}`wang2023selfconsistency`: self-consistency.
# - {cite}`cobbe2021training` and {cite}`geva2021strategyqa`: the data sets. `tot.tasks.datasets` reads their files.
# - {cite}`zheng2023judging`: models as judges, and their position bias.
