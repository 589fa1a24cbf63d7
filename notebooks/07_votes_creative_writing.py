# %% [markdown]
# # Votes: Creative Writing
#
# Five drafts lie on the table, and there is no answer key. Which one is best? In the Game of 24 a program could say who
# is right. For stories, plans and letters there is no such program. A tree of thoughts {cite}`yao2023tree` can be
# searched there all the same. Show the drafts to the model side by side, ask five times which is best, and count.
# This chapter builds that **vote**, and then asks the question that every election raises. Did the voters read the ballot paper?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.ballots()

# %% [markdown]
# **Figure.** Three drafts, five votes, and the same ballot paper turned over. Both voters elect B the first time, so one paper
# does not show who has read.
#
# <aside class="margin">Who plays: a recorded model of 1.5 billion parameters writes and votes, because its ballots can be asked for again
# in another order. Of GPT-4 there is only what the paper's authors published.</aside>
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what a thought is where nothing can be checked, and when to *sample* thoughts rather than *propose* them;
# - build the recipe plan, vote, write, vote, with a reader of **ballots** that does not guess, and count its rounds;
# - find out whether voters read or go by position in the list (**order bias**);
# - say what a voter has to be before voting helps, and what is known of GPT-4's votes.
#
# (In a hurry? *A vote from scratch*, *Do the voters read?* and *What must a voter be?* need nothing else.)

# %% tags=["set-up"]
# imports, the inputs and the recording
import re
from collections import Counter
from itertools import product
from math import fsum, prod
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from treebook.studies.results import Compared, load

task = tot.task("writing")
inputs = task.problems("book")[0:40:5]  # every fifth of forty
lm = tot.Cassette("cassettes/07.jsonl")

# %% [markdown]
# ## The problem: no right answer
#
# The input is four sentences that have nothing to do with each other. The output is a passage of four paragraphs; the
# first ends with the first sentence, the second with the second, and so on. It should be **coherent**, too: one story.

# %%
print(inputs[0].x)

# %% [markdown]
# A program can say whether a passage keeps this *constraint*, and it needs nothing but the input: a free check, in the
# words of [chapter 3](03_io_and_verifiers.ipynb#free-or-gold). No program can say whether a passage is coherent.
#
# ### Predict: the laziest passage that passes
#
# Here are three passages that tell no story. One of them keeps the constraint.

# %% tags=["set-up"]
given = inputs[0].x.split("\n")
lazy = {
    "the four sentences in one block": " ".join(given),
    "the four sentences, a paragraph each": "\n\n".join(given),
    "the same, last sentence first": "\n\n".join(given[::-1]),
}
checks = {name: task.verify(inputs[0], x) for name, x in lazy.items()}
show.Predict(
    "Which one passes?",
    next(name for name, x in checks.items() if x.correct),
    choices=list(lazy),
    shows=show.table(
        {"passage": name, "why": x.why} for name, x in checks.items()
    ),
)

# %% [markdown]
# A check that can be satisfied without writing anything is still worth having, but it does not measure what we want.
#
# ## Thoughts: first a plan, then a passage
#
# A thought must be small enough that the model can come up with several different ones, and big enough that somebody can say
# whether it is promising. The paper takes a **plan**, one line for each paragraph. So the tree has two levels: plans, and
# the passages that follow them.
#
# For the Game of 24 one reply *proposed* a list of equations. Here we *sample*: the prompt asks for one plan, and we draw
# five replies. That is the paper's advice. Propose where a thought is short and simple, like an equation, because independent
# samples would repeat each other. Sample where thoughts are *rich*. Here all five plans of each input are different.


# %%
def sample(request, n=5):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


ask = task.step(tot.State(inputs[0].x))
turns = [("prompt", "[…] " + ask.messages[-1].content[-128:].strip())]
turns += [(f"sample {i + 1}", sample(ask)[i]) for i in (0, 4)]
show.transcript(turns)

# %% [markdown]
# Sample 1 is one story and forgets three of the four sentences. Sample 5 remembers all four and is four stories.
#
# ## A vote from scratch
#
# A value prompt looks at one state alone and asks how good it is. That is hard to say of a plan. It is
# easier to compare, so the prompt of a vote shows all choices, numbered, and asks which is best. Each reply is a
# **ballot**.


# %%
def choices_below(state):
    """The different thoughts among five samples, each as a state."""
    texts = sample(task.step(state))
    reads = [r for text in texts for r in task.read_step(state, text)]
    once = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in once]


options = choices_below(tot.State(inputs[0].x))
ballot = task.ballot(options)
turns = [("prompt", "[…] " + ballot.messages[-1].content[-100:])]
show.transcript([*turns, *(("ballot", t) for t in sample(ballot))])

# %% [markdown]
# (The paper's ballot analyses every choice first. Our small model only praised what it had named, so we ask for the
# number alone.)
#
# Even one line needs a careful reader. What do you make of "All 4 paragraphs are fine. The best choice is 5", or of "The
# best choice is 1 and 2"? A reader that takes the first number reads a 4 and a 1. Ours reads a 5 in the first and nothing in the second:
# a ballot that
# names no single choice counts for nobody, since guessing would introduce a bias of our own (exercise 1).
#
# The rest is counting. A ballot gives 1 to the state that it names and 0 to the others, in the paper's notation
# $V(p_\theta, S)(s) = \mathbb{1}[s = s^*]$, and the value of a state is its number of ballots.


# %%
def count(states):
    """The votes of each state; unread ballots count for nobody."""
    k = len(states)
    said = [task.read_ballot(x, k) for x in sample(task.ballot(states))]
    votes = Counter(read.value for read in said if read.ok)
    return [votes[place] for place in range(k)]


print("votes:", count(options))

# %% [markdown]
# Here nobody has a **majority**, which is more than half of the ballots, three of five. The winner needs only a
# **plurality**: no other choice has more. Two plans have two ballots each, and in a tie the choice listed first
# wins.
#
# ## Plan, vote, write, vote
#
# The whole method is breadth-first search with breadth 1 and two steps. Sample five plans, vote, keep the winner. Sample
# five passages that follow it, vote, return the winner.


# %%
def my_tot(x):
    state, tally = tot.State(x), []
    for _ in ("plan", "passage"):
        options = choices_below(state)
        votes = count(options)
        state = options[votes.index(max(votes))]  # a tie: the first
        tally.append(votes)
    return state.answer, tally


# %% tags=["checked"]
def level(tree, depth):
    """The nodes of one level of a recorded tree, in order."""
    return [node for node in tree.result.visited if node.depth == depth]


trees = [tot.solve(task, p, "tot-vote", lm=lm) for p in inputs]
for p, tree in zip(inputs, trees, strict=True):
    both = [[n.value for n in level(tree, depth)] for depth in (1, 2)]
    assert my_tot(p.x) == (tree.answer, both), p.id
print("the package's trees are the same")

# %% [markdown]
# What does it cost? A **round** is one wait: replies that do not need each other are asked for together, so five samples
# of one prompt are one round. The votes need the plans, the passages need the winner, and the last votes need the passages.
# That makes four rounds of five replies.

# %% tags=["plot"]
# Mean costs of an input
def plain(method, k):
    return [tot.solve(task, p, method, lm=lm, k=k) for p in inputs]


runs = {"IO": plain("io", 1), "CoT": plain("cot", 1), "ToT": trees}
show.table(show.mean_costs(runs))

# %% [markdown]
# **Table.** Means of eight inputs. The tree waits four times, where a direct answer (IO) or a chain (CoT: plan and passage in one reply)
# waits once. It writes
# about ten times the tokens of a direct answer; the paper says around five.
#
# ## Reading the tree
#
# Here is the sixth input. The marks in a box show its share of the five ballots, as a share of three marks, rounded to halves: three for
# five ballots, one for two, half a mark for one.

# %%
tree = trees[5]
show.svg(tree, lines=4, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** Five ballots of five for the first plan, and a winning passage that starts like a story. "Wrong": it breaks
# the constraint, being a single paragraph. Nobody told the search.
#
# One of the plans that got nothing is no plan: the model asks for sentences that stand right above its reply.
#
# ## Do the voters read?
#
# ### Predict: turn the list over
#
# We show the same five plans once more, in reverse order, so that the first becomes the fifth. If voters
# read, the unanimous winner should keep most of its ballots.


# %% tags=["set-up"]
# The same elections on turned papers
elections = [level(tree, depth) for tree in trees for depth in (1, 2)]
there = [[int(node.value) for node in nodes] for nodes in elections]
again = [count([n.state for n in nodes[::-1]]) for nodes in elections]
plan_texts = [node.state.last.text for node in elections[10]]
first, turned = there[10], again[10][::-1]  # by plan, as listed first
show.Predict(
    "How many of its five ballots does plan 1 lose?",
    first[0] - turned[0],
    low=0,
    high=5,
    shows=show.concepts.turned(plan_texts, first, turned),
)

# %% [markdown]
# Five voters agreed on plan 1 while it was the first of the list, and none stayed with it when it was the last. Whatever they agreed on
# here, it was not the text.
#
# ### Sixteen elections
#
# One election may be an accident. We have sixteen, for plans and passages of eight inputs, each in both orders. Every
# text stood once early and once late (but for the middle one of five). So if we add the ballots of both orders, the
# quality of the texts cancels out, and only the order is left. (Both lists are made in the folded code above: `there` has the ballots by
# place, plans and passages in turn, and `again` those on the turned papers, of which 2 in 80 could not be read.)


# %%
def early(votes):
    """Ballots before the middle place, minus ballots behind it."""
    half = len(votes) // 2
    return sum(votes[:half]) - sum(votes[len(votes) - half :])


papers = [there[i : i + 2] + again[i : i + 2] for i in range(0, 16, 2)]
lean = [  # for each input: its plans and passages, both orders
    sum(map(early, four)) / sum(map(sum, four)) for four in papers
]
pull = stats.bootstrap([[one] for one in lean])
tested = Compared(pull, stats.sign_flips(lean))
show.results({"early minus late, share of the ballots": tested})

# %% [markdown]
# A voter without a favourite place would lean neither way. This one prefers early places on all eight inputs, by 96 ballots to 36 in
# all. (Of the 2⁸ ways to
# give the eight leans a sign, only two lie as far from 0, all early and all late: p is 2 of 256.)
#
# Does anything other than position affect its votes? Pair each ballot of one order with each of the other. A voter with a clear opinion
# names the same plan
# both times, and one that votes at random does so one time in five. One that goes by the place does so *less* often, because the
# favourite
# place holds another plan the second time.

# %% tags=["set-up"]
# How often two ballots, one of each order, name the same plan
listed, over = there[::2], again[::2]  # the eight elections of plans


def meet(one, other):
    pairs = zip(one, reversed(other), strict=True)
    return sum(a * b for a, b in pairs) / sum(one) / sum(other)


def shares(elections):
    votes = [sum(column) for column in zip(*elections, strict=True)]
    return [one / sum(votes) for one in votes]


HABIT = shares(listed + over)
met = [[x] for x in map(meet, listed, over)]
alone = meet(shares(listed), shares(over))
twice = f"the same plan twice (place alone: {alone:.0%}, lots: 20%)"
show.results({twice: stats.bootstrap(met)})

# %% [markdown]
# The votes agree as often as places alone would make them, so this voter need not have read anything. If half of the ballots were read,
# with one opinion, then in a quarter of the pairs (½ × ½) both would be read, and agree. The interval of what we saw, 6% to 20%, excludes
# that. It does not exclude that one ballot in five is read: then 4% of the pairs agree because both are read, and so do a fifth of the
# 32% with one read and 12% of the other 64%, about 18% in all.
#
# And one bad election is enough. For the last input the winning plan asks for permission to plan, and the passage "written by this plan"
# ends with "Please wait." With breadth 1 there is no way back.
#
# ## Does GPT-4 read?
#
# The paper's authors published GPT-4's ballots for a hundred inputs, and [we counted them](../book/authors_logs.md). Samples of one
# prompt have no order, so a voter without a favourite would give each place a fifth of its ballots.

# %% tags=["plot"] mystnb={"image": {"alt": "Two panels: the share of the ballots by place on the paper, 1 to 5. Our model: plans fall from 46 per cent at place 1 to 3 per cent at place 5. GPT-4: plans rise from 9 per cent at place 1 to 31 per cent at place 5; passages have a peak of 40 per cent at place 2. A dashed line at 20 per cent is a voter without a favourite."}}
authors = load("../studies/results/authors.json")["writing"]
logs, places, large = authors["votes"], range(1, 6), {}
for what in ("plans", "passages"):
    by = logs[what]["share of the ballots, by place"]
    large[what] = [by[f"choice {i}"]["rate"][0] for i in places]
voters = {"our model, 8 inputs": {"plans": HABIT}}
voters["GPT-4, 100 inputs"] = large
fig, panels = plt.subplots(1, 2, figsize=(7, 2.8), sharey=True)
for ax, (title, voter) in zip(panels, voters.items(), strict=True):
    for what, rates in voter.items():
        look = {"plans": "o-", "passages": "s-"}[what]
        ax.plot(places, rates, look, label=what)
    ax.axhline(0.2, color="black", linestyle="--")
    ax.set(title=title, xlabel="place on the ballot paper", ylim=0)
    ax.legend()
panels[0].set(ylabel="ballots")
show.plots.percent(ax)
plt.show()

# %% [markdown]
# **Figure.** Both voters have favourite places. Among plans our model prefers the first and GPT-4 the last; among passages GPT-4 prefers
# the second. The dashed line is a voter without one. (With eight inputs we cannot tell [which place leads among
# passages](study_writing.ipynb#is-the-first-place-ahead-by-chance).)
#
# With GPT-4 the plan in the last place gets 31% [25, 39] of the ballots and the one in the first 9% [5, 13], so the favourites are not
# chance. Now call the
# number of ballots that a winner gets its *pile*. Votes that only follow favourite places make piles, too, and we can work out how high.
#
# ### Predict: how high GPT-4's pile is
#
# Five voters who take places with GPT-4's own favourites on plans would give their winner 2.4 ballots of five, on
# average.


# %% tags=["set-up"]
# Piles as they are, and as places alone would make them
def expected_pile(weights):
    """Mean ballots of the winner, of five, by place alone."""
    return fsum(
        max(Counter(throw).values()) * prod(weights[i] for i in throw)
        for throw in product(range(5), repeat=5)
    )


rows = []
for what, rates in large.items():
    won = logs[what]["votes of the winner"].items()
    piles = Counter({int(votes): times for votes, times in won})
    alone = piles.total() * fsum(rate**5 for rate in rates)
    row = {"GPT-4": what, "pile": round(fmean(piles.elements()), 2)}
    row["by place alone"] = round(expected_pile(rates), 2)
    row["unanimous"] = f"{piles[5]}, by place alone {alone:.1f}"
    rows.append(row)
show.Predict(
    "How many ballots did GPT-4's winners get, on average?",
    rows[0]["pile"],
    low=1,
    high=5,
    step=0.1,
    shows=show.table(rows),
)

# %% [markdown]
# On plans GPT-4's winners have over a ballot more than places alone would give them, and 33 of its hundred elections were unanimous,
# where places alone would make fewer than one so.
#
# Something else makes its ballots agree, most likely something in the texts. But nobody turned GPT-4's lists over, and
# a favourite place that changes from input to input would look the same. Nor is agreement taste: all five might love
# the longest plan.
#
# ## What must a voter be?
#
# Suppose that some ballots are *read*. These name the best of five texts. The others go to a place, by our model's shares
# for plans in the last figure (`HABIT`). How often does the best text win? And what if we shuffle, so that every ballot paper
# has another order, and a favourite place helps no text in particular?


# %%
def best_wins(reads, ballots, shuffled, trials=3000):
    """A simulation: no model is asked."""
    rng, won = Random(7), 0
    for _ in range(trials):
        best, votes = rng.randrange(5), [0] * 5
        for _ in range(ballots):
            by_habit = rng.choices(range(5), HABIT)[0]
            if shuffled:
                by_habit = rng.randrange(5)  # any text may stand there
            votes[best if rng.random() < reads else by_habit] += 1
        won += votes.index(max(votes)) == best
    return won / trials


# %% tags=["plot"] mystnb={"image": {"alt": "Simulated: how often the best of five texts wins, against the share of ballots that are read, for 5 and 25 ballots, in one order and shuffled. All begin at 20 per cent. With a quarter of the ballots read, the best wins 89 per cent with 25 shuffled ballots and 55 with 5; in one order, 59 and 47. In one order 25 ballots are no better than 5 where only a tenth are read, and pull ahead from there."}}
reading = [i / 20 for i in range(17)]
fig, ax = plt.subplots()
for n in (5, 25):
    for shuffled, order in enumerate(("one order", "shuffled")):
        rates = [best_wins(r, n, shuffled) for r in reading]
        look = ("o" if n == 5 else "s") + ("-" if shuffled else "--")
        ax.plot(reading, rates, look, label=f"{n} ballots, {order}")
ax.set(xlabel="ballots that are read", ylabel="the best text wins")
for axis in "xy":
    show.plots.percent(ax, axis)
ax.legend(loc="lower right")
plt.show()

# %% [markdown]
# **Figure.** Simulated: with shuffled papers the best text wins more often, and many ballots make up for little reading.
#
# More ballots remove chance. They do not remove a habit: in one order, a voter who reads one ballot in ten only becomes
# surer of its favourite place, and the best text gains nothing from the extra ballots. Shuffle the papers, and the habit turns into
# noise,
# which counting removes. So a voter need not be good. It has to read now and then, name the best text more often than
# any other when it does, and meet the choices in another order each time.
#
# Ours may be such a voter on word problems: in [chapter 9](09_zero_shot_tot.ipynb) it has a favourite place, too, and still picks a
# right solution more often than a random draw from the ballot does.
#
# ## What came of it
#
# Does the tree write better passages? GPT-4's columns are our count of its logs, and the paper's scores for coherence, which GPT-4
# itself gave, from 1 to 10.


# %% tags=["set-up"]
# How often each method keeps the constraint
def own_words(p, text):
    """How many words of a passage are not in its four sentences."""
    given = re.findall(r"[a-z']+", p.x.lower())
    said = re.findall(r"[a-z']+", (text or "").lower())
    return sum(word not in given for word in said)


done = {"IO": plain("io", 2), "CoT": plain("cot", 2), "ToT": trees}
scores = {"IO": 6.19, "CoT": 6.93, "ToT": 7.56}  # the paper's figure 5
rows = []
for name, runs in done.items():
    kept = [
        own_words(p, text)
        for p, run in zip(inputs, runs, strict=True)
        for x, text in zip(run.scores, run.answers, strict=True)
        if x.correct
    ]
    n = sum(len(run.answers) for run in runs)
    row = {"method": name, "kept": f"{len(kept)} of {n}"}
    row["with 20 own words"] = sum(own >= 20 for own in kept)
    rate = authors["constraint"][name]["kept"]["rate"][0]
    row |= {"GPT-4: kept": f"{rate:.0%}", "GPT-4: score": scores[name]}
    rows.append(row)
note = f"readers, 41 pairs to 21: p = {stats.mcnemar(41, 21):.3f}"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** How often the constraint is kept, and GPT-4's scores for coherence. Eight inputs of ours can neither show nor exclude a gain.
# GPT-4: a hundred inputs, ten passages each of IO and CoT, one of ToT.
#
# Of these three GPT-4's tree scores highest, and [readers](../book/errata.md#c3-the-human-study) (some of the authors, who did not know
# which was
# which) preferred its passage to the chain's in 41 of a hundred pairs, the chain's in 21, and found 38 similar. So 41 is a plurality,
# not a majority. Of the 62 decided pairs it is two in three, and only these 62 enter the p of 0.015: how rarely coins would lean as far.
# This is evidence for the tree as a whole. The paper does not compare the
# passage that the vote chose with one drawn at random from the same five, so how much of the gain is due to the vote is unknown.
#
# GPT-4 keeps the constraint less often when it plans first (CoT), by [our count of the logs](../book/authors_logs.md), and the tree does
# not make up for it. Its votes do not favour passages that keep it: the winners keep it no more often than all
# passages on the ballots do.
#
# No passage of ours that keeps it has twenty words of its own. The lazy passage is back: what passes is the four
# sentences, and next to nothing else.
#
# ### Predict: what a judge likes best
#
# To compare passages, the paper lets a model score them. So did we, with the same small model as judge and five scores a
# passage. Some passages had been *refined*: the model saw its last one and was asked for a better one.

# %% tags=["set-up"]
# The judge's highest scores
judged = load("../studies/results/writing_judged.json")["scores"]
scored = set()
for passages in judged.values():
    scored |= {(fmean(x["scores"]), x["text"]) for x in passages}
best = sorted(scored, reverse=True)[:3]
STORY, WORDS = "the story of the tree above", "two words of praise"
show.Predict(
    "What got the highest marks?",
    WORDS if len(best[0][1].split()) == 2 else STORY,
    choices=[STORY, "a refined story", "the four sentences", WORDS],
    shows=show.table({"text": text, "score": x} for x, text in best),
)

# %% [markdown]
# Two words, misspelt, got full marks five times out of five. (Five scores of one passage show how steady the judge is; they are not five
# passages.) The prompt for refining lets the model answer "perfectly coherent" where nothing is left to improve. It misspelt that, our
# program took the words for the better passage, and the judge believed them. Third is the story from the tree above.
#
# ### What a text says to its judge
#
# A judge reads text that somebody else wrote, and text can talk to it. A search for what the judge likes will find such words, by
# accident
# or on purpose. So look at what gets the highest score before you believe the scores, and show the judge something bad. [A
# study](study_writing.ipynb) has more: controls, pairs in both orders, and how many inputs a fair comparison would need.
#
# > **Where it breaks.** The generator: some of the plans are not plans, and no vote can choose what is not there. The voter: it goes
# > by the place. Breadth 1: one bad election loses the rest. The judge: it believes praise.
#
# ## Summary
#
# - Where nothing can be checked, a thought is something that a reader could compare, such as a plan. Rich thoughts are
#   sampled; each ballot names one; the value of a state is its ballots, and a plurality wins.
# - Samples of one prompt have no order. If places get unequal shares of the ballots, turn the list over.
# - Our small model votes as if it read few ballots or none. GPT-4 has favourite places, too, but its ballots agree far more
#   than one list of favourites explains.
# - A weak voter suffices if it reads now and then and every ballot paper is shuffled. In one order, where little is
#   read, more ballots only make it more certain that the habit wins.
# - Attack your check with the laziest text, and your judge with the emptiest. They measure what gets past them.
#
# ## Exercises
#
# ### Exercise 1: a reader of ballots
#
# Write `read_ballot(text, k)`: the number of the choice, from 0, that a ballot with `k` choices names, or None. It
# should agree with `task.read_ballot` on these nasty ballots, with five choices:
#
# <details><summary>Hint</summary>
#
# Look for the *last* "best choice is (number)"; if there is none, for a reply that is nothing but a number. A number
# that is followed by "and 2" is no choice.
#
# </details>

# %%
NASTY = """The best choice is **Choice 4**
All 4 paragraphs are fine. The best choice is 5
Choice 4 is dull. Choice 2 is neat. The best choice is 2.
The best choice is 1 and 2
The best choice is 11
3
I like all 3 of them.""".splitlines()

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
NAMED = (
    r"best choice\W*(?:is\W+)?(?:choice\W+)?(\d+)"
    r"(?!\d|\W+(?:and|or)\W+(?:choice\W+)?\d)"
)


def read_ballot(text, k):
    for pattern in (NAMED, r"^\W*(\d+)\W*$"):
        if found := re.findall(pattern, text.lower()):
            number = int(found[-1])
            return number - 1 if 1 <= number <= k else None
    return None


theirs = [task.read_ballot(text, 5).value for text in NASTY]
mine = [read_ballot(text, 5) for text in NASTY]
print(mine, "the same" if mine == theirs else theirs)

# %% [markdown]
# ### Exercise 2: count both orders
#
# Add the ballots of a list and of the turned list, text by text, and elect again. How many of the sixteen winners
# change against the first order alone? Has the order bias gone?
#
# <details><summary>Hint</summary>
#
# Place `i` of a turned paper holds the text of place `k - 1 - i`: use `reversed`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def changes(one, other):
    both = [a + b for a, b in zip(one, reversed(other), strict=True)]
    return both.index(max(both)) != one.index(max(one))


changed = sum(map(changes, there, again))
print(f"{changed} of {len(there)} winners change")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Two orders do not make places equal: a voter that always takes the first gives five ballots to the first text and five to the last,
# and none to those between. A new order for each ballot treats all alike.
#
# </details>
#
# ### Exercise 3: let the program choose
#
# The constraint needs no gold. Among the passages of each tree, choose one that keeps the most sentences in their
# places (`task.verify(...).parts["endings"]`), and let votes only break ties. Does the share of endings rise? Then count
# the words of its own that the chosen passage has (`own_words`).
#
# <details><summary>Hint</summary>
#
# `max(level(tree, 2), key=...)` with the pair (endings, votes) as the key.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def endings(p, text):
    return task.verify(p, text).parts["endings"]


def pick(p, tree):
    texts = {n.state.answer: n.value for n in level(tree, 2)}
    return max(texts, key=lambda text: (endings(p, text), texts[text]))


for texts in ([t.answer for t in trees], [*map(pick, inputs, trees)]):
    held = fmean(map(endings, inputs, texts))
    print(f"{held:.0%} of the endings in place; own words:", end=" ")
    print(*map(own_words, inputs, texts))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The program finds endings that the votes overlook, and the lazy passage with them. Better: drop what breaks the constraint *or* only
# copies, and let votes decide among the rest.
#
# </details>
#
# ### Exercise 4: twins split the vote
#
# A plurality has a known weakness. Seven voters rank three plans. A and B are nearly the same, and four voters, a majority, like both
# better than C. Find rankings in which C wins the plurality, although A beats both others in direct comparison (the
# **Condorcet winner**). Does it help to merge equal thoughts?
#
# <details><summary>Hint</summary>
#
# Let the four split two and two, and let the other three put C first.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
rankings = ["ABC", "ABC", "BAC", "BAC", "CAB", "CAB", "CAB"]
print("plurality:", dict(Counter(ranking[0] for ranking in rankings)))
for one, other in ("AB", "AC", "BC"):
    wins = sum(r.index(one) < r.index(other) for r in rankings)
    print(f"{one} against {other}: {wins} to {len(rankings) - wins}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Merging equal thoughts helps against exact twins only. Plans that say the same in other words still share the ballots of those who
# like them. Comparing all pairs repairs that, at the price of a question, in two orders, for each pair.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`: section 4.2, figures 4 and 5.
# - {cite}`zheng2023judging`: models as judges, and their taste for places.
# - {cite}`madaan2023selfrefine`: refining with one's own feedback. In the paper it gains more than the tree does
#   ([C5](../book/errata.md#c5-refining-is-strong): 6.19 to 7.67 for direct answers).
