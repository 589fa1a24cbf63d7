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

# %%
import json
import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from statistics import fmean
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()
N = 40  # problems of each task
K = 5  # samples of each prompt, ballots of each vote
lm = tot.Cassette("cassettes/09.jsonl")
tasks = {"word problems": tot.task("gsm8k"), "yes or no": tot.task("strategyqa")}
problems = {name: task.problems("book")[:N] for name, task in tasks.items()}
dates = dict.fromkeys(session["date"] for session in lm.tape.sessions.values())
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
    problem = problems[name][4]
    request = ask_directly(problem.x, task.form.ask)
    assert request == task.io(tot.State(problem.x))
    [reply] = lm([request.samples(0, 3)])
    print(fill(f"{name}: {problem.x} [{problem.gold}]", 76))
    print(*(repr(text) for text in reply.texts), sep="\n", end="\n\n")

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
replies = [
    "7 * 6 = 42. The answer is 42 (see step 3).",
    "The answer is $1,250.50 in total.",
    "The answer is **42** km.",
    "The answer is 3/4 of a litre.",
    "The answer is 2 1/2 hours.",
    "The answer is 6 * 7 = 42.",
    "The answer is 3 or 4.",
    "So there are 42 apples.",
    "The answer is forty-two.",
]
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


# %%
def solve(name, method, **knobs):
    task, every = tasks[name], problems[name]
    found = [tot.solve(task, p, method, lm=lm, **knobs) for p in every]
    assert not (missing := [s.error for s in found if s.error]), missing[0]
    return found


io = {name: solve(name, "io", k=K) for name in tasks}
cot = {name: solve(name, "cot", k=K) for name in tasks}
nodes = {
    (name, bare): [node for s in group[name] for node in s.result.best]
    for group, bare in ((io, True), (cot, False))
    for name in tasks
}

# %%
readers = {"word problems": my_number, "yes or no": my_verdict}
for (name, bare), every in nodes.items():
    differ = []
    for node in every:
        text, theirs = node.state.last.text, str(node.state.answer)
        mine = str(readers[name](text, bare))
        if tasks[name].same(mine) != tasks[name].same(theirs):
            differ.append(f"{mine} or {theirs}: {text[-50:]!r}")
    alike = len(every) - len(differ)
    what = "direct answers" if bare else "chains"
    print(f"{name}, {what}: {alike} of {len(every)} read alike", *differ[:4], sep="\n  ")

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


# %%
def said_yes(solutions, gold, said):
    pairs = zip(solutions, problems["yes or no"], strict=True)
    every = [s.result.best for s, p in pairs if p.gold == gold]
    return stats.bootstrap([[said(node) == "yes" for node in nodes] for nodes in every])


def opening(node):
    """The answer; of an unread reply its first word."""
    first = re.match(r"\W*(yes|no)\b", node.state.last.text, re.IGNORECASE)
    return node.state.answer or (first and first[1].lower())


rows = (("IO", io, lambda node: node.state.answer), ("CoT", cot, lambda node: node.state.answer))
for label, group, said in (*rows, ("CoT, first words", cot, opening)):
    yes, no = (said_yes(group["yes or no"], gold, said) for gold in ("yes", "no"))
    half = sum(((x.high - x.low) / 2) ** 2 for x in (yes, no)) ** 0.5
    print(f"{label} says yes where it is yes: {yes}, where it is no: {no}")
    print(f"    the difference, 0 for a stopped clock: {yes.rate - no.rate:+.0%} ± {half:.0%}")
unread = [n for s in cot["yes or no"] for n in s.result.best if n.state.answer is None]
print(f"{len(unread)} chains unread, {sum(map(bool, map(opening, unread)))} begin with yes or no")

# %% [markdown]
# The direct answers are a stopped clock: the model says yes to nearly everything, whatever is asked. Its rate of about
# a half is the **base rate** and nothing else; on a set with two thirds yes the same clock would score two thirds. A
# plain rate cannot show that. The difference of the two shares can: it is zero for every clock, fast or slow, and one
# for somebody who knows. The chains seem to have a little of it, but its interval reaches below zero. (Of the
# half-widths of two intervals the squares add.) And look at what was not read: more than half of the unread
# chains do begin with Yes or No, and leave out the line that was asked for. If these counted, the difference would be
# gone, as the last lines show. So the chains stand *below* the clock in the table further down, and for a reason of
# form.
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
    for line in request.messages[-1].content.splitlines()[1:]:
        print(fill(line, 76))
    print("-" * 40)


task, root = tasks["word problems"], tot.State("a question")
planned = root.then(tot.Thought("(a strategy)"))
for request in (task.cot(root), task.step(root), task.step(planned)):
    show_prompt(request)
show_prompt(task.ballot([planned, planned]))


# %%
def sample(task, state):
    """Up to five different thoughts; what cannot be read is none."""
    [reply] = lm([task.step(state).samples(0, K)])
    reads = [read for text in reply.texts for read in task.read_step(state, text)]
    return [state.then(t) for t in dict.fromkeys(read.value for read in reads if read.ok)]


def vote(task, options):
    """The option with most ballots; of equals the first."""
    [reply] = lm([task.ballot(options).samples(0, K)])
    ballots = [task.read_ballot(text, len(options)).value for text in reply.texts]
    return max(range(len(options)), key=ballots.count)


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

# %%
trees = {name: solve(name, "tot-vote") for name in tasks}
for name, task in tasks.items():
    for p, s in zip(problems[name], trees[name], strict=True):
        assert my_tot(task, p.x) == s.result.best[0].state
    print(f"{name}: the same path through all {len(trees[name])} trees")

# %% [markdown]
# ## Reading a tree
#
# We pick a tree in which the voters did not all agree about the solutions. Here it is as text, with the solution
# that won, and as a picture. The value of a thought is its number of ballots.


# %%
def tallies(s):
    """The ballots of each choice, in their order: for strategies, then solutions."""
    votes = [event for event in s.trace.events if event["kind"] == "evaluated"]
    return [[int(node["value"]) for node in event["nodes"]] for event in votes]


split = [s for s in trees["word problems"] if s.correct and max(tallies(s)[-1]) < K]
shown = (split or trees["word problems"])[0]
print(show.text(shown.trace, width=80), end="\n\n")
print(shown.result.best[0].state.last.text)
show.svg(shown.trace, lines=2, chars=26, max_dropped=None)

# %% [markdown]
# ### Predict: where do the tokens go?
#
# A tree has four rounds, and each waits for the one before. Guess before you run: which round generates most tokens?


# %%
def texts(s):
    asked = [event for event in s.trace.events if event["kind"] == "asked"]
    return [event["requests"][0]["samples"] for event in asked]


PARTS = ("strategies", "ballots on them", "solutions", "ballots on them")
for name in tasks:
    for i, part in enumerate(PARTS):
        said = [sample for s in trees[name] for part in texts(s)[i : i + 1] for sample in part]
        cut = stats.wilson(sum(sample["finish"] == "length" for sample in said), len(said))
        tokens = sum(sample["tokens"] for sample in said) / len(trees[name])
        print(f"{name}, {part:16} {tokens:4.0f} tokens per tree; cut off: {cut}")

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


# %%
def mean_rate(solutions):
    return stats.bootstrap([[float(x.correct) for x in s.scores] for s in solutions])


def chosen_rate(solutions):
    return stats.wilson(sum(s.chosen for s in solutions), len(solutions))


def cost(solutions, samples=1):
    bills = [s.result.ledger.total for s in solutions]
    unread = sum(s.result.unread for s in solutions)
    return {
        "unread replies": f"{unread} of {sum(b.samples for b in bills)}",
        "generated tokens": fmean(b.completion_tokens for b in bills) / samples,
        "prompt tokens": fmean(b.prompt_tokens for b in bills),
        "rounds": fmean(s.result.ledger.rounds for s in solutions),
    }


# %%
voted = {name: solve(name, "cot-sc", k=K) for name in tasks}
rows = []
for name in tasks:
    for method, rate, group, samples in (
        ("IO, one sample", mean_rate(io[name]), io[name], K),
        ("CoT, one sample", mean_rate(cot[name]), cot[name], K),
        (f"CoT-SC of {K}", chosen_rate(voted[name]), voted[name], 1),
        ("ToT", chosen_rate(trees[name]), trees[name], 1),
    ):
        rows.append({"task": name, "method": method, "right": rate, **cost(group, samples)})
show.table(rows, caption=f"{source}; n = {N} for each task, costs per problem")

# %% [markdown]
# An *unread* reply is one without an answer (of a chain or a solution) or without a choice (of a ballot).
#
# One thing needs no test. On word problems a direct answer is almost never right, and a chain often is. In [chapter
# 4](04_chain_of_thought.ipynb) chains did not help: one early step decided, and nothing showed which. Here each
# step is easy, and the question itself says what comes next. Then room to write is worth a lot.
#
# Look at the unread chains, too. Asked for at most sixty words, a chain may write on until the token limit cuts it off,
# or it stops without its answer line. One chain alone is then lost. A count over five forgives it, as long as
# the others finish. So part of what self-consistency gains over a single chain is not the wisdom of the many, but a
# spare wheel.
#
# Whether the tree adds anything is a closer call, and this table is the wrong place to look for it.
#
# ## On the same problems
#
# Intervals side by side compare badly. All methods met the same problems, so take the difference problem by problem
# and draw problems anew, as in chapter 4. For IO and CoT a problem's score is the mean of its five samples.


# %%
def score(solutions, chosen):
    if chosen:
        return [float(s.chosen) for s in solutions]
    return [fmean(x.correct for x in s.scores) for s in solutions]


def difference(a, b):
    return stats.bootstrap([[x - y] for x, y in zip(a, b, strict=True)])


def verdict(gain):
    word = "more" if gain.low > 0 else "less" if gain.high < 0 else "cannot tell"
    return f"{gain.rate:+.0%} [{gain.low:+.0%}, {gain.high:+.0%}] {word}"


pairs = []
for name in tasks:
    tree = score(trees[name], True)
    others = {"IO": (io, False), "CoT": (cot, False), "CoT-SC": (voted, True)}
    for other, (group, chosen) in others.items():
        gain = difference(tree, score(group[name], chosen))
        pairs.append({"pair": f"{name}: ToT - {other}", "gain": gain})

# %% mystnb={"image": {"alt": "How much more often ToT is right than IO, CoT and CoT-SC, for both tasks, as points with intervals; a vertical line marks no difference."}}
for pair in pairs:
    print(f"{pair['pair']:28} {verdict(pair['gain'])}")
for name in tasks:
    test = stats.paired(*([s.chosen for s in group[name]] for group in (trees, voted)))
    print(fill(f"{name}, ToT against CoT-SC: {test}", 76))
figure = show.plots.rates(pairs, y="gain", name="pair", xlabel="ToT's gain in success")
figure.axes[0].set(xlim=(-0.6, 1), xticks=(-0.5, 0, 0.5, 1))
figure.set_figheight(2.8)
figure.axes[0].axvline(0, color="black", linewidth=0.8)
figure

# %% [markdown]
# "Cannot tell" means what it says: not that two methods are equal, but that this many problems do not show a
# difference. Three differences leave out zero. On word problems the tree beats direct answers by far, and is right less
# often than a plain count over five chains. On yes-or-no questions it beats a single chain; but chains leave many
# questions unanswered. McNemar's test, in the last lines, looks only at the problems that one of the two solved alone:
# on word problems the count wins nearly all. Two warnings. We looked at six differences, and the more one looks, the
# more one finds: beyond doubt is only the first. And the word problems come from a dozen templates and resemble each
# other, so these intervals are clearly too narrow (exercise 4).
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
    """The most frequent answer; of equals the first. None if there is none."""
    forms = [task.same(a) for a in answers if a is not None]
    return max(forms, key=forms.count) if forms else None


def counted(name, k):
    """Success of the vote of k chains, over all subsets of the five."""
    task, each = tasks[name], []
    for p, s in zip(problems[name], cot[name], strict=True):
        subsets = combinations(s.answers, k)
        each.append([task.verify(p, majority(task, some)).correct for some in subsets])
    return stats.bootstrap(each)


# %% mystnb={"image": {"alt": "Success against generated tokens per problem, for both tasks. CoT-SC with one, three and five chains is a line that runs to the right; ToT is a single point further right than all of them, and not above the last."}}
points = []
for name in tasks:
    chain, tree = cost(cot[name], K), cost(trees[name])
    one, tokens = chain["generated tokens"], tree["generated tokens"]
    for k in (1, 3, 5):
        point = {"method": f"{name}, CoT-SC", "label": f"k={k}"}
        points.append(point | {"tokens": k * one, "rate": counted(name, k)})
    point = {"method": f"{name}, ToT", "label": "ToT", "tokens": tokens}
    points.append(point | {"rate": chosen_rate(trees[name])})
    read_too = tokens + tree["prompt tokens"] - chain["prompt tokens"]
    print(f"{name}: one tree generates as much as {tokens / one:.1f} chains;")
    print(f"  if prompt tokens cost the same, it pays for {read_too / one:.1f} chains")
for p in points:
    print(f"  {p['method']:22} {p['label']:4} {p['tokens']:4.0f} tokens  {p['rate']}")
show.plots.success_by_cost(points, xlabel="generated tokens per problem")

# %% [markdown]
# The five solutions alone cost less than five chains: with a strategy in hand the model is briefer. But strategies and
# ballots come on top, and the whole tree costs more than six. So the fair opponent of the tree is not one chain. It is
# self-consistency with *at least* five, and every point of a tree that lies right of the last chain's point and not
# above it was bought too dear. Here that is so on both tasks.
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


# %%
def picks(name):
    """How often each way of choosing is right, problem by problem."""
    task, ways = tasks[name], {"any one": [], "vote": [], "count": [], "oracle": []}
    for p, s in zip(problems[name], trees[name], strict=True):
        right = [task.verify(p, answer).correct for answer in five(name, s)]
        ways["any one"].append(fmean(right))
        ways["vote"].append(float(s.chosen))
        count = task.verify(p, majority(task, five(name, s)))
        ways["count"].append(float(count.correct))
        ways["oracle"].append(float(any(right)))
    return ways


# %% mystnb={"image": {"alt": "For both tasks, how often four ways of choosing among the same five solutions are right: any one, the vote, the count, and on the right the oracle."}}
def five(name, s):
    """The answers of the five solutions; None where none can be read."""
    return [tasks[name].form.read(sample["text"], False).value for sample in texts(s)[2]]


ways = {name: picks(name) for name in tasks}
bars = []
for name in tasks:
    for way, each in ways[name].items():
        bars.append({"method": f"{name}: {way}", "rate": stats.bootstrap([[x] for x in each])})
        print(f"{bars[-1]['method']:24} {bars[-1]['rate']}")
figure = show.plots.rates(bars, xlabel="right, of the same five solutions")
figure.set_figheight(3)
figure

# %%
for name in tasks:
    w = ways[name]
    mixed = sum(0 < share < 1 for share in w["any one"])
    lost = sum(w["oracle"]) - sum(w["vote"])
    print(f"{name}: on {mixed} of {N} problems some of the five are right and some are not")
    print(f"  ToT failed on {N - sum(w['vote']):.0f}; on {lost:.0f} of these a right solution was there")
    for a, b in (("vote", "any one"), ("count", "any one"), ("vote", "count")):
        print(f"  {a} - {b}: {verdict(difference(w[a], w[b]))}")

# %% [markdown]
# Read it like this. The room for *any* way of choosing is between "any one" and "the oracle", and only the mixed
# problems make it. If the vote is not above "any one", the model cannot tell its own right solutions from its wrong
# ones. If it is not above the count, then the last round of the tree was paid for nothing: counting needs no model
# at all.
#
# On word problems the vote is above "any one", and close to the oracle: it seldom misses a right solution that is
# there. So this voter is no fool, even in the few tokens of a ballot. (Part of the gain is not its own: solutions
# without an answer count in "any one", and are on no ballot.) But the count, which asks nobody, does about as well. It
# only uses that mistakes scatter and right answers meet. (It needs answers that *can* meet: a number, a word.
# For stories or plans there is nothing to count, and a vote is all you have.) On yes-or-no questions there is more to
# win, and neither way of choosing wins much of it.
#
# So the vote is not where the tree lost to self-consistency. Look at the oracle instead: on a quarter of the word
# problems none of the five solutions is right.
#
# First one of the problems that the tree lost although a right solution was there. What do the ballots follow?


# %%
def lost_first(pair):
    p, s = pair
    task = tasks["word problems"]
    right = [task.verify(p, a).correct for a in five("word problems", s)]
    return s.chosen, not any(right)


every = zip(problems["word problems"], trees["word problems"], strict=True)
p, s = min(every, key=lost_first)
print(fill(f"{p.x} [{p.gold}]", 76), end="\n\n")
print("answers:", *five("word problems", s), "| ballots:", *tallies(s)[-1])
print("the winner wrote:", s.result.best[0].state.last.text, sep="\n")

# %% [markdown]
# ## Do strategies matter?
#
# Now the first half of the tree. If the winning strategy is a good one, then a solution that follows it should be
# right more often than a plain chain of thought, which starts without one. Compare *one* with *one*: no vote, no
# count. Then compare *five* with *five*: how often is at least one of them right?


# %%
def one_of_five(each):
    return [float(any(right)) for right in each]


for name in tasks:
    chains = [[x.correct for x in s.scores] for s in cot[name]]
    pairs = {
        "right, one of them": (ways[name]["any one"], score(cot[name], False)),
        "right, at least one of five": (ways[name]["oracle"], one_of_five(chains)),
    }
    for label, (with_one, without) in pairs.items():
        print(f"{name}, {label}: {fmean(with_one):.0%} with a strategy, {fmean(without):.0%} without")
        print(f"   difference: {verdict(difference(with_one, without))}")

# %% [markdown]
# One solution is about as good as one chain: a strategy that this model wrote and preferred beforehand buys nothing
# that we can see. But look at the second pair, on word problems. Among five free chains there is nearly always a right
# one. Among five solutions that follow *one* strategy there is less often one. (It is one question of four, and the
# other kind does not show it.)
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


# %%
def places(name, stage):
    """Shares of the ballots by place, for trees with five different choices."""
    every = [tallies(s)[stage] for s in trees[name] if len(tallies(s)) > stage]
    return [[v / sum(t) for v in t] for t in every if len(t) == K and sum(t)]


# %% mystnb={"image": {"alt": "The share of the ballots for choice 1 to choice 5, as a line for strategies and for solutions of both tasks, and the level of a fair voter. All lines are highest at choice 3 or 4; all begin below the fair level."}}
fig, ax = plt.subplots(figsize=(6, 3))
for (name, stage), marker in zip(product(tasks, (0, 1)), show.plots.MARKERS, strict=False):
    what, shares = ("strategies", "solutions")[stage], places(name, stage)
    means = [fmean(s[i] for s in shares) for i in range(K)]
    first = stats.bootstrap([[s[0]] for s in shares])
    print(f"{name}, {what}, {len(shares)} trees:", *(f"{m:.0%}" for m in means))
    print(f"  the first choice gets {first}")
    ax.plot(range(1, K + 1), means, marker + "-", label=f"{name}: {what}")
ax.axhline(1 / K, color="black", linewidth=0.8, linestyle="--", label="a fair voter")
ax.set(xlabel="place of the choice", ylabel="share of the ballots", xticks=range(1, K + 1))
ax.legend(frameon=False, fontsize=8)
plt.show()

# %% [markdown]
# The favourites are in the middle, places three and four (on twelve trees, the last line, three only). Which place is
# avoided differs from line to line: for the solutions of word problems the last and the second, for strategies on
# yes-or-no questions the first. In [chapter 7](07_votes_creative_writing.ipynb) the same model, asked in nearly the
# same words, took the first. So a place bias is no constant that one could measure once and subtract. It is a habit of
# a model *with a prompt*.
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
table4 = {
    "GSM8K": {"IO": 51, "CoT": 86, "ToT": 90},
    "StrategyQA": {"IO": 73, "CoT": 82, "ToT": 83},
}
for name, rates in table4.items():
    for method, right in rates.items():
        print(f"{name} {method:3} {stats.wilson(right, 100)}")
    won = rates["ToT"] - rates["CoT"]
    p = stats.mcnemar(won, 0)
    print(f"  ToT - CoT: {won} of 100 problems more; if it lost none, p = {p:.2g}")
    print(f"  p < 0.05 needs {least} won and none lost: {100 * least // won} problems")

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

# %%
file = Path("../studies/results/benchmark_samples.json")
found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
rows = []
for name in ("gsm8k", "strategyqa"):
    measured = found.get(name, {})
    for method, m in ((method, measured[method]) for method in ("io", "cot") if method in measured):
        right = stats.wilson(m["correct"], m["n"])
        costs = {key: m[key] for key in ("n", "unread", "tokens")}
        who = {"model": m["model"], "date": m["dates"][-1]}
        rows.append({"task": name, "method": method, "right": right, **costs, **who})
columns = ("task", "method", "right", "n", "unread", "tokens", "date")
show.table(rows, columns, caption=rows[0]["model"] if rows else "not measured yet")

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

DATE = r"(\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{4}-\d\d-\d\d)(?!\w)"


def read_date(reply):
    """ISO form of the day behind the last "answer is"; None if there is none."""
    parts = reply.split("answer is")
    found = re.match(rf"[\s:*]*{DATE}", parts[-1]) if len(parts) > 1 else None
    for form in ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(found[1], form).date().isoformat() if found else None
        except ValueError:
            pass
    return None


for text in ("3 March 2024", "March 3, 2024.", "2024-03-03", "03/04/2024", "31 February 2024"):
    print(f"{text:18} {read_date(f'The answer is {text}')}")
assert read_date("On 1 May 2020 it rained. The answer is 2 May 2020.") == "2020-05-02"

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
from typing import ClassVar

from tot.tasks.answers import WORD
from tot.tasks.zero_shot import ZeroShot, numbered
from tot.testing import check_task

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class Weekdays(ZeroShot):
    name, summary, form = "weekdays", "which day is it in n days?", WORD
    sources: ClassVar = {"book": ("seven", lambda: numbered(map(question, range(7))))}


def question(i):
    text = f"Today is {DAYS[i]}. Which day of the week is it in {5 * i + 9} days?"
    return text, DAYS[(i + 5 * i + 9) % 7].lower()


def voice(request, index):
    """Right in three samples of five, a day late in the others; always for choice 2."""
    said = request.messages[-1].content
    if "Which choice" in said or "Do not answer" in said:
        return "The best choice is 2" if "Which choice" in said else f"Plan {index}."
    day, days = re.search(r"(\w+)\. Which .* in (\d+) days", said).groups()
    return f"The answer is {DAYS[(DAYS.index(day) + int(days) + index % 2) % 7]}."


weekdays, scripted = Weekdays(), tot.Scripted(voice, name="scripted voice")
check_task(weekdays, texts=["The answer is Monday.", "The best choice is 2", "Monday?"])
for p in weekdays.problems("book")[:3]:
    for method in ("tot-vote", "cot-sc"):
        s = tot.solve(weekdays, p, method, lm=scripted, k=5)
        print(f"{method}: {p.x} scripted answer {s.answer}, correct: {s.correct}")

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
    who = Counter()
    for p, s in zip(problems[name], trees[name], strict=True):
        count = majority(task, five(name, s))
        if count is not None and count != task.same(s.answer):
            right = task.verify(p, count).correct
            who["vote right" if s.chosen else "count right" if right else "both wrong"] += 1
            last = f"{p.id}: answers {five(name, s)}, ballots {tallies(s)[1]}, gold {p.gold}"
    print(f"{name}: they differ on {who.total()} problems: {dict(sorted(who.items()))}")
    print(fill(f"  such as {last}" if who else "", 78))

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
    alone, grouped = [[v] for v in values], [values[i::12] for i in range(12)]
    print(f"{label:9} problems: {stats.bootstrap(alone)}  templates: {stats.bootstrap(grouped)}")

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
