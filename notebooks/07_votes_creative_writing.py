# %% [markdown]
# # Votes: Creative Writing
#
# Five drafts lie on the table, and there is no answer key. Which one is best? In the Game of 24 a program could say who
# is right. For stories, plans and letters there is no such program. A tree of thoughts {cite}`yao2023tree` can be
# searched there all the same: show the drafts to the model side by side, ask which is best, ask five times, and count.
# This chapter builds that **vote**, and then asks what one should ask of any election. Did the voters read the ballot
# paper, or did they tick the first box?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.ballots()

# %% [markdown]
# **Figure.** Three drafts, five votes, and the same ballot paper turned over. Both voters elect B the first time, and one paper
# alone does not tell who has read.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - say what a thought is where nothing can be checked, and when to *sample* thoughts rather than *propose* them;
# - build the recipe plan, vote, write, vote, with a reader of **ballots** that does not guess;
# - find out with recorded ballots whether voters read or go by position in the list (**order bias**);
# - say what a voter has to be before voting helps, and what is known of GPT-4's votes.

# %% tags=["set-up"]
import json
import re
from collections import Counter
from itertools import product
from math import exp, fsum, prod
from pathlib import Path
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt
from IPython.display import display

import tot
from tot import stats
from treebook.studies.results import Compared, compared, load

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
# Whether a passage keeps the *constraint*, a program can tell, and it needs nothing but the input: a free check, in the
# words of [chapter 3](03_io_and_verifiers.ipynb). Whether a passage is coherent, no program can tell.
#
# ### Predict: what is the laziest passage that passes?
#
# Three passages that tell nothing at all, written by us. One of them keeps the constraint.

# %% tags=["set-up"]
given = inputs[0].x.split("\n")
lazy = {
    "the four sentences in one block": " ".join(given),
    "the four sentences, a paragraph each": "\n\n".join(given),
    "the same, last sentence first": "\n\n".join(given[::-1]),
}
checks = {name: task.verify(inputs[0], x) for name, x in lazy.items()}

# %%
show.Predict(
    "Which one passes?",
    next(name for name, score in checks.items() if score.correct),
    choices=list(lazy),
    shows=show.table(
        {"passage": name, "passes": score.correct, "why": score.why}
        for name, score in checks.items()
    ),
)

# %% [markdown]
# A check that can be satisfied without writing anything is still worth having, but it does not measure what we want.
#
# ## Thoughts: first a plan, then a passage
#
# What could an intermediate thought be here? It must be small enough that the model can come up with several different
# ones, and big enough that somebody can say whether it is promising. The paper takes a **plan**: one line for each
# paragraph. So the tree has two levels, plans and the passages that follow them.
#
# For the Game of 24 one reply *proposed* a list of equations. Here we *sample*: the prompt asks for one plan, and we draw
# five replies. That is the paper's advice: propose where thoughts are *poor*, such as an equation, because independent
# samples would repeat each other; sample where they are *rich*. Here all five plans of each input are different.


# %%
def sample(request, n=5):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


ask = task.step(tot.State(inputs[0].x))
turns = [("prompt", "[…] " + ask.messages[-1].content[-128:].strip())]
turns += [(f"sample {i + 1}", sample(ask)[i]) for i in (0, 4)]
show.transcript(turns)

# %% tags=["checked"]
# All five plans of each input are different
plans = [sample(task.step(tot.State(p.x))) for p in inputs]
print("different plans of five:", *(len(set(five)) for five in plans))

# %% [markdown]
# Sample 1 is one story and forgets three of the four sentences. Sample 5 remembers all four and is four stories.
#
# ## A vote from scratch
#
# A value prompt looks at one state alone and asks how good it is. For a plan that is hard to put into a number. It is
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
# best choice is 1 and 2"? Whoever takes the first number reads a 4 and a 1. Ours reads a 5, and nothing: a ballot that
# names no single choice counts for nobody, since guessing would bring a bias of our own making (exercise 1).
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
        state = options[votes.index(max(votes))]  # the first of equals
        tally.append(votes)
    return state.answer, tally


# %% tags=["checked"]
def level(tree, depth):
    """The nodes of one level of a recorded tree, in order."""
    return [node for node in tree.result.visited if node.depth == depth]


def votes_on(tree, depth):
    return [int(node.value) for node in level(tree, depth)]


trees = [tot.solve(task, p, "tot-vote", lm=lm) for p in inputs]
for p, tree in zip(inputs, trees, strict=True):
    both = [votes_on(tree, 1), votes_on(tree, 2)]
    assert my_tot(p.x) == (tree.answer, both), p.id
print(f"tot-vote: same votes, same passage on {len(trees)} inputs")
unread = sum(tree.result.unread for tree in trees)
print(f"{unread} of {2 * 5 * len(trees)} ballots could not be read")

# %% [markdown]
# ## Reading the tree
#
# Here is the sixth input. Under each thought stands the number of its ballots.

# %%
tree = trees[5]
show.svg(tree, lines=4, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** Five ballots of five for the first plan, and a winning passage that starts like a story. "Wrong": it breaks
# the constraint, being a single paragraph. Nobody told the search.
#
# One of the plans that got nothing is no plan: the model asks for sentences that stand right above its reply. Five
# voters and one opinion: this looks like a vote that works.
#
# ## Do the voters read?
#
# ### Predict: turn the list over
#
# We show the same five plans once more, in reverse order: the first becomes the fifth. If voters
# read, the unanimous winner should keep most of its ballots.


# %% tags=["set-up"]
def by_place(texts, k):
    """Ballots by place, for the places on the paper that was shown."""
    votes = Counter(task.read_ballot(text, k).value for text in texts)
    return [votes[place] for place in range(k)]


def shares(elections):
    """The share of all ballots that each place got."""
    votes = [sum(column) for column in zip(*elections, strict=True)]
    return [one / sum(votes) for one in votes]


elections = [level(tree, depth) for tree in trees for depth in (1, 2)]
there = [[int(node.value) for node in nodes] for nodes in elections]
again = []  # the same elections on turned papers
for nodes in elections:
    turned_paper = task.ballot([node.state for node in nodes[::-1]])
    again.append(by_place(sample(turned_paper), len(nodes)))
plan_texts = [node.state.last.text for node in level(tree, 1)]
first, turned = there[10], again[10][::-1]  # by plan, as listed first

# %%
show.Predict(
    "How many of its five ballots does plan 1 keep?",
    turned[0],
    low=0,
    high=5,
    shows=show.concepts.turned(plan_texts, first, turned),
)

# %% [markdown]
# Look for the ballots of plan 1 when it has moved down. Five voters agreed the first time, and none stayed with the
# plan. Whatever they agreed on, it was not the text.
#
# We have sixteen elections, for plans and passages of eight inputs, each in both orders. Whatever the
# texts are worth, each stood once early and once late (but for the middle one of five). Add the ballots of both orders,
# and only order is left. (`there` has the ballots of the sixteen elections by place, plans and
# passages in turn; `again`, those on the turned papers.)


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
# A voter without a favourite place would lean to either side alike. So the **sign flip test** asks in how many of the
# 2⁸ ways to sign the eight leans their sum is as far from 0: only where all are early or all late, 2 of 256. This voter
# prefers early places on all eight inputs, and no text can be the reason.
#
# Is there anything besides? Take one ballot of each order at random. How often do the two name the same *plan*? Somebody
# with a clear opinion would do so always, and somebody who draws lots one time in five. Whoever goes by the place names
# *different* plans, because the place that attracts the ballots holds another plan the second time. (`shares` has each
# place's part of all ballots.)


# %%
def meet(one, other):
    """How often two ballots, one of each list, name one text."""
    pairs = zip(one, reversed(other), strict=True)
    return sum(a * b for a, b in pairs) / sum(one) / sum(other)


listed, over = there[::2], again[::2]  # the eight elections of plans
pairs = zip(listed, over, strict=True)
found = stats.bootstrap([[meet(a, b)] for a, b in pairs])
place_alone = meet(shares(listed), shares(over))
alone = f"by place alone {place_alone:.0%}, by lot 20%"
show.results({f"two ballots name the same plan; {alone}": found})

# %% tags=["set-up"]
# If a share r of the ballots were read, with one opinion, how often
# would two meet? Both read; one reads, the other's place hits; neither.
for r in (i / 100 for i in range(101)):
    met = r * r + 2 * r * (1 - r) / 5 + (1 - r) ** 2 * place_alone
    if met > found.high:
        break
print(f"{r:.0%} of ballots read, or more: outside the interval")

# %% [markdown]
# The first two figures agree to the nearest percentage point: this voter behaves like one who never reads. How much
# reading could hide there? Suppose that a share $r$ of the ballots is read and names *one* plan, and the others go by
# place. Two meet if both are read, if one is and the other's place happens to hold that plan, or by place alone:
# $r^2 + 2r(1-r)/5 + (1-r)^2 \cdot 12\%$. With a quarter of the ballots read, this leaves the interval.
#
# What does one bad election do? For the last input the winning plan asks for permission to plan. Here are its last
# words, and those of the passage "written by this plan":

# %%
for thought in trees[-1].result.best[0].state.thoughts:
    print(show.wrapped(f"... {thought.text[-92:]}"), end="\n\n")

# %% [markdown]
# With breadth 1 there is no way back.
#
# ## Does GPT-4 read?
#
# The paper's authors published GPT-4's ballots for a hundred inputs, and [we counted them](../book/authors_logs.md). A
# fair voter would give each place a fifth of them. We test that with each election as *one* draw, since its five
# ballots go together.


# %% tags=["set-up"]
logs = json.loads(
    Path("../studies/results/authors.json").read_text("utf-8")
)["writing"]["votes"]


def logged_shares(what):
    by = logs[what]["share of the ballots, by place"]
    return [by[f"choice {i}"]["rate"][0] for i in range(1, 6)]


small = {"plans": shares(listed + over)}
five = [v for i in range(1, 16, 2) for v in (there[i], again[i])]
full = [votes for votes in five if len(votes) == 5]
small[f"passages, {len(full) // 2} inputs"] = shares(full)
large = {what: logged_shares(what) for what in ("plans", "passages")}
for what, rates in large.items():
    x = 100 * fsum((rate - 0.2) ** 2 / 0.2 for rate in rates)
    p = exp(-x / 2) * (1 + x / 2)  # four degrees of freedom
    print(f"GPT-4, {what}: chi-squared {x:.1f}, p = {p:.2g}")

# %% tags=["plot"] mystnb={"image": {"alt": "Two panels: the share of the ballots by place on the paper, 1 to 5. Our model: plans fall from 46 per cent at place 1 to 3 per cent at place 5, passages fall too. GPT-4: plans rise from 9 per cent at place 1 to 31 per cent at place 5; passages have a peak of 40 per cent at place 2. A dashed line at 20 per cent is a voter without a favourite."}}
fig, panels = plt.subplots(1, 2, figsize=(7, 3), sharey=True)
titles = ("our model, 8 inputs", "GPT-4, 100 inputs")
for ax, voter, title in zip(
    panels, (small, large), titles, strict=True
):
    for i, (what, rates) in enumerate(voter.items()):
        look = {"color": show.plots.COLOURS[i], "label": what}
        look["marker"] = show.plots.MARKERS[i]
        ax.plot(range(1, 6), [100 * rate for rate in rates], **look)
    ax.axhline(20, color="black", linewidth=0.8, linestyle="--")
    ax.set(xlabel="place on the ballot paper", title=title)
    ax.set(xticks=range(1, 6), ylim=(0, 55))
    ax.legend(frameon=False, fontsize=8)
panels[0].set_ylabel("share of the ballots, %")
plt.show()

# %% [markdown]
# **Figure.** Every voter has a favourite place: the first for our model, the last for GPT-4's plans, the second for its
# passages. A fair voter would stay near the dashed line, since samples of one prompt have no order. (Four of our
# elections of passages had four choices only, and are left out.)
#
# Now look at the *pile*: how many ballots the winner gets. Votes that only follow favourite places pile up a little, and
# we can work out how much. Where piles are higher, something else is at work.
#
# ### Predict: how high is GPT-4's pile?
#
# Five voters who take places with GPT-4's own favourites on plans would give their winner 2.4 ballots of five, on
# average. How many did GPT-4's winners get?


# %% tags=["set-up"]
def expected_pile(weights, ballots=5):
    """Mean votes of the winner if ballots fall by place alone."""
    throws = product(range(len(weights)), repeat=ballots)
    return fsum(
        prod(weights[i] for i in throw) * max(Counter(throw).values())
        for throw in throws
    )


def logged_pile(what):
    won = logs[what]["votes of the winner"]
    return sum(int(votes) * n for votes, n in won.items()) / 100


def pile_row(voter, pile, unanimous, weights, n):
    row = {"voter": voter, "n": n, "winner's ballots": round(pile, 2)}
    row["by place alone"] = round(expected_pile(weights), 2)
    row["unanimous"] = f"{unanimous:.0%}"
    alone = fsum(weight**5 for weight in weights)
    return row | {"unanimous by place alone": f"{alone:.1%}"}


top = [max(votes) for votes in listed]
mine = fmean(top), fmean(votes == 5 for votes in top)
rows = [pile_row("our model, plans", *mine, shares(listed), len(top))]
for what in ("plans", "passages"):
    found = logged_pile(what), logs[what]["unanimous"]["rate"][0]
    rows.append(pile_row(f"GPT-4, {what}", *found, large[what], 100))

# %%
show.Predict(
    "How many ballots did the winner get?",
    round(logged_pile("plans"), 2),
    low=1,
    high=5,
    step=0.1,
    shows=show.table(rows),
)

# %% [markdown]
# Our model's pile is what its favourite places explain. On plans GPT-4's winners have over a ballot more than that, and
# 33 of its hundred elections were unanimous, where places alone would make fewer than one so.
# Something else makes its ballots agree, most likely something in the texts. But nobody turned GPT-4's lists over, and
# a favourite place that changes from input to input would look the same. Nor is agreement taste: all five might love
# the longest plan.
#
# ## What must a voter be?
#
# Suppose that some ballots are *read*, and then name the best of five texts; the others go to a place, with our model's
# favourites. How often does the best text win, wherever it stands? And what if we shuffle, so that every ballot paper
# has another order, and a favourite place helps nobody in particular?

# %%
HABIT = shares(listed + over)


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
fig, ax = plt.subplots(figsize=(6.4, 3.4))
for i, (shuffled, n) in enumerate(product((False, True), (5, 25))):
    rates = [100 * best_wins(r, n, shuffled) for r in reading]
    order = "shuffled" if shuffled else "one order"
    look = {"color": show.plots.COLOURS[i // 2], "marker": "os"[i % 2]}
    look |= {"ms": 4, "linestyle": "-" if shuffled else "--"}
    label = f"{n} ballots, {order}"
    ax.plot([100 * r for r in reading], rates, label=label, **look)
ax.set(
    xlabel="ballots that are read, %", ylabel="the best text wins, %"
)
ax.set(ylim=(0, 103), title="simulated voters")
ax.legend(frameon=False, fontsize=8, loc="lower right")
plt.show()

# %% [markdown]
# **Figure.** Simulated: with shuffled papers the best text wins more often, and many ballots make up for little reading.
#
# More ballots remove chance. They do not remove a habit: in one order, a voter who reads one ballot in ten only becomes
# surer of its favourite place, and the best text gains nothing. Shuffle the papers, and the habit turns into noise,
# which counting removes. So a voter need not be good. It has to read now and then, name the best text more often than
# any other when it does, and meet the choices in another order each time.
#
# Ours may be such a voter on another task: in [chapter 9](09_zero_shot_tot.ipynb) the same model votes on
# worked solutions of word problems. It has a favourite place there, too, and still picks a right one more often than a
# random draw from the same ballot does.
#
# ## What came of it
#
# Does the tree write better passages? GPT-4's columns are our count of its logs, and the paper's scores, which GPT-4
# itself gave, from 1 to 10.

# %% tags=["set-up"]
# What each method writes, and how often it keeps the constraint
knobs = {"io": {"k": 2}, "cot": {"k": 2}, "tot-vote": {}}
runs = {
    name: [tot.solve(task, p, name, lm=lm, **more) for p in inputs]
    for name, more in knobs.items()  # io: k = 2 samples
}


def own_words(p, text):
    """How many words of a passage are not in its four sentences."""
    given = re.findall(r"[a-z']+", p.x.lower())
    said = re.findall(r"[a-z']+", (text or "").lower())
    return sum(word not in given for word in said)


kept_logs = json.loads(
    Path("../studies/results/authors.json").read_text("utf-8")
)["writing"]["constraint"]
scores = {"IO": 6.19, "CoT": 6.93, "ToT": 7.56}
rows = []
for name, method in (("IO", "io"), ("CoT", "cot"), ("ToT", "tot-vote")):
    done = runs[method]
    samples = [[float(x.correct) for x in s.scores] for s in done]
    kept = sum(sum(one) for one in samples)
    own = sum(
        x.correct and own_words(p, answer) >= 20
        for p, s in zip(inputs, done, strict=True)
        for x, answer in zip(s.scores, s.answers, strict=True)
    )
    bills = [s.result.ledger.total for s in done]
    n = sum(map(len, samples))
    written = sum(bill.completion_tokens for bill in bills) / n
    row = {"method": name, "tokens written": round(written)}
    row["constraint kept"] = f"{kept:.0f} of {n}"
    row["with 20 own words"] = f"{own} of {n}"
    rate = kept_logs[name]["kept"]["rate"][0]
    row |= {"GPT-4: kept": f"{rate:.0%}", "GPT-4: score": scores[name]}
    rows.append(row)
won = [fmean(x.correct for x in s.scores) for s in runs["tot-vote"]]
every = [
    fmean(task.verify(p, n.state.answer).correct for n in level(s, 2))
    for p, s in zip(inputs, trees, strict=True)
]
kept = {"kept, our winners minus all": compared(won, every)}
for pair in ("chosen minus all five", "IO minus CoT", "ToT minus CoT"):
    gap = stats.Interval(*kept_logs[pair]["difference"], 100)
    kept[f"GPT-4, kept, {pair}"] = Compared(gap, kept_logs[pair]["p"])
display(show.results(kept))
readers = stats.mcnemar(41, 21)
print("people, pairs of passages: ToT 41, CoT 21, alike 38")
print(f"exact sign test of the 62 decided pairs: p = {readers:.3f}")
show.table(rows)

# %% [markdown]
# **Table.** In the paper the tree writes the more coherent passages. For us it writes twelve times the tokens of a
# direct answer (the paper says around five), and eight inputs can neither show nor exclude a gain. GPT-4: a hundred
# inputs, ten passages each of IO and CoT, one of ToT.
#
# GPT-4's tree scores highest, and [readers](../book/errata.md#c3-the-human-study) (some of the authors, who did not know which was which) liked its passages
# better than those of CoT. That is evidence for the tree as a whole. The paper does not compare the passage that the vote
# chose with one drawn at random from the same five, so how much of the gain is the vote's is not known.
#
# GPT-4 keeps the constraint less often when it plans first (CoT), by [our count of the logs](../book/authors_logs.md), and
# the tree does not win that back. Does the vote favour passages that keep it? No sign of that: for our model and for
# GPT-4 the winners keep it less often than all passages on the ballots do, and either difference may be chance.
#
# No passage of ours that keeps it has twenty words of its own. The lazy passage is back: what passes is the four
# sentences, and next to nothing else.
#
# ### Predict: what does a judge like best?
#
# To compare passages, the paper lets a model score them. So did we, with the same small model as judge, five scores a
# passage. Some passages had been *refined*: the model saw its last one and was asked for a better one, or for the words
# "perfectly coherent". What got the highest marks?

# %% tags=["set-up", "predict"]
# The judge's scores: the highest, and the lazy passages
judged = load("../studies/results/writing_judged.json")["scores"]
rows, marks = {}, {}
for kind, passages in judged.items():
    marks[kind] = [fmean(passage["scores"]) for passage in passages]
    for passage, score in zip(passages, marks[kind], strict=True):
        row = {"text": passage["text"], "score": score}
        rows[passage["input"], row["text"]] = row  # equal: one text
trees_, lazy_ = marks["ToT"], marks["bare sentences"]
p = stats.sign_flips(a - b for a, b in zip(trees_, lazy_, strict=True))
print(f"the tree's passages {fmean(trees_):.1f}, the lazy", end=" ")
print(f"ones {fmean(lazy_):.1f}; p = {p:.2f} over {len(lazy_)} inputs")
show.table(sorted(rows.values(), key=lambda row: -row["score"])[:3])

# %% [markdown]
# The third in the table is the story from the tree above. Is this judge not blind, then? One passage shows nothing: over
# eight inputs it scores the tree's passages above the lazy ones, and that may be chance. Above the story, with full
# marks five times of five, stand two words, misspelt. The model wrote them in place of a better passage, our program did not
# recognise them, and the judge believed them. A judge reads text that somebody else wrote, and text can talk to it.
# Whoever searches for what a judge likes will find such words, by accident or on purpose. So look at what gets the
# highest score before you believe the scores, and show the judge something bad. [A study](study_writing.ipynb) has more:
# controls, pairs in both orders, and how many inputs a fair comparison would need.
#
# > **Where it breaks.** The generator: some plans are none, and no vote can choose what is not there. The voter: it goes
# > by the place. Breadth 1: one bad election loses the rest. The judge: it has the voter's habits, and believes praise.
#
# ## Summary
#
# - Where nothing can be checked, a thought is something that a reader could compare, such as a plan. Rich thoughts are
#   sampled; each ballot names one; the value of a state is its ballots.
# - Samples of one prompt have no order. If places get unequal shares of the ballots, turn the list over.
# - Our small model votes like somebody who never reads. GPT-4 has favourite places, too, but its ballots agree far more
#   than one list of favourites explains.
# - A weak voter suffices if it reads now and then and every ballot paper is shuffled. In one order, where little is
#   read, more ballots only make the habit certain.
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


for text in NASTY:
    assert read_ballot(text, 5) == task.read_ballot(text, 5).value
ballots = [x for tree in trees for x in sample(task.ballot(
    [node.state for node in level(tree, 1)]))]  # fmt: skip
same = [
    read_ballot(x, 5) == task.read_ballot(x, 5).value for x in ballots
]
print(f"the same reading of {sum(same)} of {len(same)} real ballots")

# %% [markdown]
# ### Exercise 2: count both orders
#
# Add the ballots of a list and of the turned list, text by text, and elect again. How many of the sixteen winners
# change against the first order alone, and how many would change if all ballots were lots? Has the order bias gone?
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


def drawn(k, weights, rng):
    votes = Counter(rng.choices(range(k), weights[:k], k=5))
    return [votes[place] for place in range(k)]


changed = sum(map(changes, there, again))
print(f"{changed} of {len(there)} winners change")
rng, trials = Random(7), 2000
for who, weights in (("by lot", [1] * 5), ("by place", HABIT)):
    blind = [
        sum(
            changes(drawn(k, weights, rng), drawn(k, weights, rng))
            for k in map(len, there)
        )
        for _ in range(trials)
    ]
    as_many = fmean(count >= changed for count in blind)
    print(
        f"{who}: {fmean(blind):.1f}; {changed} or more: {as_many:.0%}"
    )

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Two orders cancel what early places gain over late ones. They do not make places equal: whoever always takes the first
# gives five ballots to the first text and five to the last, and none to those between. A new order for each ballot
# treats all places alike, and costs nothing but the shared prefix of the prompts. Voters who never read would see about
# seven winners change, so ten is what they might show, too: the first count was hardly this voter's opinion of the
# texts.
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


def by_program(p, tree):
    def key(node):
        return endings(p, node.state.answer), node.value

    return max(level(tree, 2), key=key).state.answer


pairs = list(zip(inputs, trees, strict=True))
chosen = {
    "votes": [(p, tree.answer) for p, tree in pairs],
    "program": [(p, by_program(p, tree)) for p, tree in pairs],
}
for name, mine in chosen.items():
    held = stats.bootstrap([[endings(p, text)] for p, text in mine])
    print(f"chosen by {name}: endings in place {held}")
    print("   own words:", *(own_words(p, text) for p, text in mine))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The program finds endings that the votes leave lying, and asks nobody. But it also finds the lazy passage: whoever
# selects by a check selects for whatever passes it. A rule in two parts would be better: drop what breaks the constraint
# *or* only copies, and let votes decide among the rest.
#
# </details>
#
# ### Exercise 4: twins split the vote
#
# One name on each ballot is **plurality** voting, and it has a known weakness. Seven voters rank three plans. A and B
# are nearly the same, and four voters like both better than C. Find rankings in which C wins the plurality,
# although A beats both others in direct comparison (the **Condorcet winner**). Does it help to merge equal thoughts?
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
# Merging equal thoughts helps against exact twins only. Plans that say the same in other words stay two choices and
# share the ballots of those who like them. Comparing all pairs repairs that, at the price of a question, in two orders,
# for each pair.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`: section 4.2, figures 4 and 5.
# - {cite}`zheng2023judging`: models as judges, and their taste for places.
# - {cite}`madaan2023selfrefine`: refining with one's own feedback. In the paper it gains more than the tree does
#   ([C5](../book/errata.md#c5-refining-is-strong): 6.19 to 7.67 for direct answers).
