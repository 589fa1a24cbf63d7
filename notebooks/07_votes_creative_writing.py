# %% [markdown]
# # Votes: Creative Writing
#
# In the Game of 24 a program can say who is right. For most of what people write there is no such program. Which of
# two stories is better? Which plan is worth following? A tree of thoughts {cite}`yao2023tree` can be searched there
# all the same: show the choices side by side to the model, ask which is best, ask several times, and count. This
# chapter builds such a **vote** and watches it at work. Then it asks an awkward question: how do we know that the
# voters know anything?
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - say when to *sample* thoughts and when to *propose* them, when to *vote* and when to *value*;
# - write a ballot, and a reader of ballots that survives what models really reply;
# - build the recipe plan, vote, write, vote, and read its tree;
# - test voters and judges for **order bias** with recorded replies alone;
# - keep apart what a program can check (a constraint) and what it cannot (coherence), and say how many inputs a
#   comparison would need.

# %% tags=["set-up"]
import re
import sys
from collections import Counter
from itertools import product, zip_longest
from math import fsum, prod
from random import Random
from statistics import NormalDist, fmean, stdev
from textwrap import shorten

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.parse import choice
from tot.tasks.writing import ends_with, paragraphs
from tot.tasks.writing_judge import comparison, ratings

sys.path.insert(0, "..")  # studies/ says which passages were judged
from studies import writing_judged as study
from studies.plans import PLANS

setup()
task = tot.task("writing")
inputs = task.problems("book")[0:40:5]  # every fifth of forty
lm = tot.Cassette("cassettes/07.jsonl")
dates = {one["date"]: None for one in lm.tape.sessions.values()}
source = f"{lm.name}, {', '.join(dates)}; n = {len(inputs)} inputs"
print(source, inputs[0].x, sep="\n\n")

# %% [markdown]
# ## The problem: no right answer
#
# The input is four sentences that have nothing to do with each other. The output is a passage of four paragraphs. The
# first paragraph ends with the first sentence, the second with the second, and so on. And the passage should be
# *coherent*: it should hang together.
#
# So a passage can be looked at in two ways. Whether it keeps the **constraint**, a program can tell. Whether it is
# **coherent**, no program can. There is no gold passage to compare with.
#
# ### Predict: what is the laziest passage that keeps the constraint?

# %% tags=["predict"]
given = inputs[0].x.split("\n")
lazy = {  # passages written by us
    "the bare sentences": "\n\n".join(given),
    "backwards": "\n\n".join(given[::-1]),
    "in one block": " ".join(given),
}
for name, text in lazy.items():
    score = task.verify(inputs[0], text)
    verdict = "kept" if score.correct else "broken"
    print(f"{name}: {verdict}, {score.why}")

# %% [markdown]
# The four bare sentences pass. A check that a lazy writer can satisfy is still useful, because failing it is a plain
# fault. But it does not measure quality. Keep the lazy passage in mind: we shall meet it again.
#
# ## Sample, do not propose
#
# The thought here is a **plan**: a line for each paragraph. The prompt asks for *one* plan, not for a list of five. For
# the Game of 24 we asked for several steps in one reply: equations are short and few, and independent samples would
# often repeat each other. The paper's advice: where thoughts are *rich*, such as a
# paragraph, draw independent samples; where they are *poor*, such as a word or an equation, propose them together, so
# that they differ.
#
# Here are the prompt and five samples. Read them as an editor. Which plan would you follow?


# %%
def sample(request, n=5):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


asked = [task.step(tot.State(p.x)) for p in inputs]
drawn = [sample(request) for request in asked]
print(show.wrapped(asked[0].messages[-1].content, indent=""))
for i, text in enumerate(drawn[0], 1):
    print(f"\n--- sample {i}\n{show.wrapped(text)}")

# %% [markdown]
# Sample 1 is one story, and forgets three of the four sentences. Sample 5 remembers all four, and is four stories.
# That is the tension of this task, and a good evaluator would weigh it.
#
# ### Predict: of five samples, how many are different?
#
# Guess for the plans, and for the first equation of five chains in the Game of 24. Then a second guess: how many of the
# forty replies are no plan at all?


# %% tags=["predict"]
def different(groups):
    return fmean(len(set(group)) for group in groups)


game, game_lm = tot.task("game24"), tot.Cassette("cassettes/04.jsonl")
puzzles = [tot.State(p.x) for p in game.problems("starter")]
replies = game_lm([game.cot(state).samples(0, 5) for state in puzzles])
steps = [[t.split(" (")[0] for t in reply.texts] for reply in replies]
print(f"different plans: {different(drawn):.2f} of 5")
print(f"different equations: {different(steps):.2f} of 5\n")
for i, mine in enumerate(drawn, 1):
    for text in (t for t in mine if "\n" not in t.strip()):
        print(show.wrapped(f"input {i}, a single line: {text}"))

# %% [markdown]
# The model asks for sentences that stand right above its reply. No reader can see that such a reply is no plan: it has
# words, so it is a thought. It becomes one of the choices, and dropping it is the work of the evaluator.
#
# ## A vote from scratch
#
# A value prompt looks at one state alone: is this good? For a plan that is hard to say in a number. It is easier to
# **compare**: here are five, which is best? That is a vote. Its prompt shows all choices at once, with numbers.


# %%
def choices_below(state):
    """The different thoughts among five samples, each as a state."""
    texts = sample(task.step(state))
    reads = [r for text in texts for r in task.read_step(state, text)]
    once = dict.fromkeys(read.value for read in reads if read.ok)
    return [state.then(thought) for thought in once]


options = choices_below(tot.State(inputs[0].x))
ballot = task.ballot(options)
print(show.wrapped("... " + ballot.messages[-1].content[-344:]))
print("\nReplies:", *sample(ballot), sep="\n   ")

# %% [markdown]
# The paper's prompt asks for an analysis first, then for the conclusion. In a pilot, this model mostly named its choice
# in the first line and praised it afterwards. Such praise cannot have informed the choice. So we ask for the choice alone.
#
# > **In the paper.** `tot solve writing "FOUR SENTENCES" --method tot-vote --style paper --lm openai:NAME` asks for the
# > analysis, draws plan and passage from the prompt of CoT, shows both on the second ballot, and leaves room for long replies.
#
# Even one line needs a careful reader. The easy way is to take the first number. Here are that way and a better one,
# on nasty ballots with ten choices.

# %%
NAMED = (
    r"choice\W*(?:is\W+)?(?:choice\W+)?(\d+)"
    r"(?!\d|\W+(?:and|or)\W+(?:choice\W+)?\d)"
)


def read_ballot(text, k):
    """The choice of k, from 0, that a ballot names; or None."""
    text, alone = text.lower(), r"^\W*(\d+)\W*$"
    for pattern in ("best " + NAMED, NAMED, alone):
        if found := re.findall(pattern, text):
            number = int(found[-1])
            return number - 1 if 1 <= number <= k else None
    return None


# %%
def first_number(text, k):
    found = re.search(r"\d+", text)
    return int(found[0]) - 1 if found else None


NASTY = """The best choice is 2.
The best choice is **Choice 10**
3
Choice 4 is dull. Choice 7 is neat. The best choice is 7.
The best choice is 2, as choice 1 is dull.
All 4 paragraphs are fine. The best choice is 5
The best choice is 1 and 2
The best choice is 11
I like all 3 of them.""".splitlines()
readers = {
    "first number": first_number,
    "ours": read_ballot,
    "package": lambda text, k: choice(text, k).value,
}
rows = [{"ballot": text} for text in NASTY]
for row in rows:
    for name, read in readers.items():
        vote = read(row["ballot"], 10)
        row[name] = None if vote is None else vote + 1
assert all(row["ours"] == row["package"] for row in rows)
show.table(rows, caption="A dash: the ballot counts for nobody.")

# %% [markdown]
# A ballot that cannot be read is not repaired and not guessed. It counts for nobody, and it is listed. A reader that
# turns rubbish into votes for choice 1 would be a bias of our own making.
#
# Counting is the easy part. The paper writes $V(p_\theta, S)(s) = \mathbb{1}[s = s^*]$: a ballot gives 1 to the state
# that it names and 0 to the others. Added up over five ballots, the **value** of a state is its number of votes. The
# package has this as `tot.vote`.


# %%
def count(states):
    """The votes of each state; unread ballots count for nobody."""
    said = sample(task.ballot(states))
    votes = Counter(read_ballot(text, len(states)) for text in said)
    return [votes[i] for i in range(len(states))]


def package_count(states):
    root = tot.Node(tot.State(states[0].x))
    nodes = root.grow(state.last for state in states)
    tot.run(tot.vote(task.ballot, task.read_ballot, n=5)(nodes), lm)
    return [node.value for node in nodes]


assert count(options) == package_count(options)
print("votes:", count(options))

# %% [markdown]
# ## Plan, vote, write, vote
#
# The whole method is breadth-first search with breadth 1 and two steps. Sample five plans, vote, keep the best. Sample
# five passages that follow it, vote, keep the best. It takes four rounds, whatever the number of samples.


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


def votes_on(depth):
    return [[node.value for node in level(t, depth)] for t in trees]


trees = [tot.solve(task, p, "tot-vote", lm=lm) for p in inputs]
elections = {"plans": votes_on(1), "passages": votes_on(2)}
tallies = zip(*elections.values(), strict=True)
for problem, tree, tally in zip(inputs, trees, tallies, strict=True):
    assert my_tot(problem.x) == (tree.answer, list(tally))
print(f"the same votes and the same passage on all {len(trees)} inputs")
unread = sum(tree.result.unread for tree in trees)
print(f"{unread} of {2 * 5 * len(trees)} ballots could not be read")

# %% [markdown]
# ## Reading the tree
#
# One input: the passage that won, then the tree. The numbers are votes; the thick path is what the search returns.
# "Wrong" says that the passage breaks the constraint; nobody told the search.

# %%
tree = trees[-1]
print(f"The passage that won:\n\n{tree.answer}")
show.svg(tree, lines=4, chars=26, max_dropped=None)

# %% [markdown]
# **Figure.** The plan that won is no plan, and the passage that won is no passage.
#
# The plan is one of the replies of a single line. One ballot more than the others had was enough. The passage,
# written "by this plan", says how it would write one. With breadth 1 there is no way back.
#
# ### Predict: do the voters agree with each other?
#
# Five ballots are five samples of one prompt. If the model had a clear opinion, they would all name the same choice. If
# it had none, they would fall like dice. But dice pile up a little, too. How high is the highest pile of five blind
# votes over five choices, on average? Guess, then compare.


# %% tags=["predict"]
def expected_pile(weights, ballots):
    """Mean height of the highest pile if votes fall by weight."""
    throws = list(product(range(len(weights)), repeat=ballots))
    chances = [prod(weights[i] for i in throw) for throw in throws]
    piles = [max(Counter(throw).values()) for throw in throws]
    weighted = zip(chances, piles, strict=True)
    return sum(c * pile for c, pile in weighted) / sum(chances)


def blind(pile):
    return expected_pile([1] * len(pile), int(sum(pile)))


for what, piles in elections.items():
    cast = ["".join(f"{votes:.0f}" for votes in pile) for pile in piles]
    high = [max(pile) for pile in piles]
    none = [blind(pile) for pile in piles]
    more = stats.bootstrap(
        [[h - b] for h, b in zip(high, none, strict=True)]
    )
    ties = sum(pile.count(max(pile)) > 1 for pile in piles)
    print(f"{what}:", *cast)
    print(f"   highest pile {fmean(high):.2f}; blind {fmean(none):.2f}")
    low_high = f"[{more.low:+.2f}, {more.high:+.2f}]"
    print(f"   difference {more.rate:+.2f} {low_high}, n = {more.n}")
    print(f"   tied at the top: {ties} of {len(piles)} elections")

# %% [markdown]
# On plans the highest pile stands above that of dice, though with so few inputs the interval still touches zero. But
# voters can agree for a bad reason. Look at the votes on plans once more. In which column do the large numbers stand?
# And a tie is decided by order, too: the first of equals wins.
#
# ## Order bias
#
# Do voters prefer a choice because of *where* it stands? The method itself hands us a clean experiment. The five plans
# are independent samples of one prompt. Nothing makes the first better than the third. So if votes follow content, then
# over many inputs every place should get the same number of votes. (Where equal texts are merged, a frequent text moves
# forward a little. Among the plans no two are equal.)
#
# How uneven is uneven? Ballots of one election are not independent: they look at the same five texts, and if one text
# is good, several ballots will name it. A chi-square table would be too sure of itself. A **permutation test** is not.
# Keep the piles of each election as they are, shuffle only which place they belong to, and see how often chance alone
# is as uneven as what we saw.
#
# ### Predict: which place gets the most votes?


# %%
def by_place(piles):
    return [fsum(votes) for votes in zip_longest(*piles, fillvalue=0)]


def even(piles):
    """Votes by place if the choices of each election shared alike."""
    return by_place([[fmean(pile)] * len(pile) for pile in piles])


def unevenness(piles):
    both = zip(by_place(piles), even(piles), strict=True)
    return fsum((got - fair) ** 2 / fair for got, fair in both)


def p_value(piles, shuffles=2000):
    rng, seen = Random(0), unevenness(piles)
    again = (
        unevenness([rng.sample(pile, len(pile)) for pile in piles])
        for _ in range(shuffles)
    )
    return fmean(one >= seen - 1e-9 for one in again)


# %% tags=["predict"]
for what, piles in elections.items():
    votes = by_place(piles)
    pile = expected_pile(votes, 5)
    print(
        f"{what}: {votes[0]:.0f} of {sum(votes):.0f} votes for place 1"
    )
    print(f"   chance alone is as uneven: p = {p_value(piles):.4f}")
    print(f"   highest pile if the place alone decides: {pile:.2f}")

# %% mystnb={"image": {"alt": "Votes by place on the ballot, plans beside passages, with the height that even votes would have. On plans the first place stands far above the even line and the last one far below it."}} tags=["plot", "predict"]
fig, ax = plt.subplots(figsize=(6, 3))
for i, (what, piles) in enumerate(elections.items()):
    got, fair = by_place(piles), even(piles)
    at = [place + 0.4 * i + 0.8 for place in range(len(got))]
    colour, hatch = show.plots.COLOURS[i], "///" * i
    look = {"color": colour, "hatch": hatch, "alpha": 0.6}
    ax.bar(at, got, 0.36, label=what, **look)
    ax.plot(at, fair, "k_", ms=16, label="if even" if i else None)
ax.set(xlabel="place of the choice on the ballot", ylabel="votes")
ax.set(xticks=range(1, 6))
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# **Figure.** Votes for plans fall from the first place on the ballot to the last, although the order of the plans
# means nothing. The dashes show where even votes would stand.
#
# Of the votes on plans half name the first choice, and hardly any the last. Chance alone is very rarely so uneven.
# And voters who look at nothing *but* the place, with these favourites, would pile up about as high as ours: their
# agreement is no sign that they read the plans. The passages are an election of their own.
#
# There is a sharper way, which costs a second round of ballots: show *the same* choices in **reverse order**. Whatever
# the texts are worth, each of them now stands once early and once late (but for the middle one of five). Add both, and
# what content is worth cancels. What is left is order.


# %%
def early(pile):
    """Votes before the middle place, minus votes behind it."""
    half = len(pile) // 2
    return sum(pile[:half]) - sum(pile[len(pile) - half :])


pairs = zip(*elections.values(), strict=True)
levels = [pile for pair in pairs for pile in pair]
back = []  # votes by place on the turned ballots
asked = study.turned(trees)
for pile, reply in zip(levels, lm(asked), strict=True):
    said = Counter(read_ballot(text, len(pile)) for text in reply.texts)
    back.append([said[place] for place in range(len(pile))])


# %%
def same_winner(there, again):
    place = len(again) - 1 - again.index(max(again))
    return there.index(max(there)) == place


both_orders = list(zip(levels, back, strict=True))
leans = [early(there) + early(again) for there, again in both_orders]
cast = [sum(there) + sum(again) for there, again in both_orders]
two = range(0, len(leans), 2)  # elections of one input
lean = [[sum(leans[i : i + 2]) / sum(cast[i : i + 2])] for i in two]
print(f"share of early minus late places: {stats.bootstrap(lean)}")
print("votes by place on turned ballots:", *map(int, by_place(back)))
same = sum(same_winner(there, again) for there, again in both_orders)
chance = fmean(1 / len(pile) for pile in levels)
print(f"the same winner in both orders: {same} of {len(both_orders)}")
print(f"blind voters would keep: {chance:.0%}")

# %% [markdown]
# The first line is the test: a share above zero is a pull towards the beginning that no text can explain. The last
# two lines need more care. Winners change with the luck of five ballots as well, so it mixes noise and bias. But
# hardly any winner survives the turn, fewer than blind voters would keep: whoever follows the place *must* change the
# text.
#
# In the paper's human study the order of passages was flipped at random; of its ballots it does not say so. The cure
# is the same: another order for each ballot. Exercise 4 shows why more ballots are none.
#
# ## The constraint, checked by program
#
# Now the methods side by side. **IO** writes a passage at once. **CoT** writes a short plan and the passage in one
# reply. **ToT** is our tree. **Refine** shows the model its last passage and asks for a better one, unless it is
# "perfectly coherent" already. The paper calls this a third kind of generator, beside sampling and proposing: new
# thoughts come from rewriting old ones.
#
# ### Predict: how often does the model keep the constraint?
#
# GPT-4 kept it "most of the time", the paper says; its published logs, counted, have [68% of IO, 54% of CoT, 51% of
# ToT](../book/authors_logs.md). Our bootstrap is over inputs. Because of the lazy passage above, we also count the words
# that a passage adds.

# %% tags=["set-up"]
# The runs of each method, and the passages that they wrote
knobs = {plan.method: plan.params for plan in PLANS["07"]}
runs = {
    name: [tot.solve(task, p, name, lm=lm, **more) for p in inputs]
    for name, more in knobs.items()  # such as k = 2 samples of IO
}
second = [level(tree, 2) for tree in trees]
texts = {
    "IO": [s.answers for s in runs["io"]],
    "CoT": [s.answers for s in runs["cot"]],
    "ToT, all": [
        [node.state.answer for node in all_] for all_ in second
    ],
    "ToT, winner": [[tree.answer] for tree in trees],
    "IO + refine": [[s.answer] for s in runs["io-refine"]],
    "ToT + refine": [[s.answer] for s in runs["tot-vote-refine"]],
}


# %% tags=["set-up"]
# Rates with intervals over inputs, and the words that a passage adds
def rate(groups):
    """Bootstrap over inputs; Wilson's interval where all agree."""
    values = {value for group in groups for value in group}
    if len(values) == 1:
        successes = int(values.pop()) * len(groups)
        return stats.wilson(successes, len(groups))
    return stats.bootstrap(groups)


def share(name, look):
    """How often ``look`` is true of a method's passages."""
    both = zip(inputs, texts[name], strict=True)
    return rate([[float(look(p, t)) for t in mine] for p, mine in both])


def own_words(text, x):
    given, words = (
        re.findall(r"[a-z']+", t.lower()) for t in (x, text)
    )
    return sum(word not in given for word in words)


# %% tags=["set-up", "predict"]
# How often each method's passages keep the constraint
def kept(p, text):
    return task.verify(p, text).correct


def kept_with_words(p, text):
    return kept(p, text) and own_words(text, p.x) >= 20


def four_paragraphs(p, text):
    return task.verify(p, text).parts["paragraphs"]


looks = (kept, kept_with_words, four_paragraphs)
heads = ("kept", "kept, 20 own words", "four paragraphs")
rows = [{"method": name, "passages": 0} for name in texts]
for row in rows:
    row["passages"] = sum(map(len, texts[row["method"]]))
    for head, look in zip(heads, looks, strict=True):
        row[head] = share(row["method"], look)
show.table(rows, caption=f"The constraint. {source}, 95% intervals")

# %% tags=["set-up", "predict"]
# Why passages fail, and how many words of their own they have
for name in ("IO", "CoT", "ToT, all"):
    both = zip(inputs, texts[name], strict=True)
    pairs = [(p, text) for p, mine in both for text in mine]
    whys = [task.verify(p, text).why for p, text in pairs]
    why = Counter(
        re.sub(r"\d+ par", "k par", reason) for reason in whys
    )
    own = sorted(own_words(text or "", p.x) for p, text in pairs)
    print(f"{name}: own words, median {own[len(own) // 2]}")
    for reason, n in why.most_common(4):
        print(f"    {n:3} x {reason}")


# %% mystnb={"image": {"alt": "Share of paragraphs that end with their sentence, for paragraphs 1 to 4 and for IO, CoT and all passages of Tree of Thoughts, with wide intervals."}} tags=["plot", "predict"]
def ending(i):
    def look(p, text):
        found = paragraphs(text or "")
        wanted = p.x.split("\n")
        return i < len(found) and ends_with(found[i], wanted[i])

    return look


fig, ax = plt.subplots(figsize=(6, 3))
for j, name in enumerate(("IO", "CoT", "ToT, all")):
    rates = [share(name, ending(i)) for i in range(4)]
    below = [r.rate - r.low for r in rates]
    above = [r.high - r.rate for r in rates]
    at = [i + 1 + 0.2 * (j - 1) for i in range(4)]
    look = {"color": show.plots.COLOURS[j], "capsize": 3}
    look |= {"fmt": show.plots.MARKERS[j], "label": name}
    ax.errorbar(
        at, [r.rate for r in rates], yerr=[below, above], **look
    )
ax.set(xlabel="paragraph", ylabel="ends with its sentence")
ax.set(xticks=range(1, 5), ylim=(-0.05, 1.05))
ax.legend(frameon=False, fontsize=8)
plt.show()

# %% [markdown]
# **Figure.** Only CoT's plan in the same reply helps to keep endings, and with so few inputs even that is unsure.
#
# Compare the first two columns of the table. What keeps the constraint here is the lazy passage from the beginning:
# the four sentences, one on each line, and nothing else, or next to nothing. (Our check takes lines for paragraphs
# where there are no empty lines, so it is a mild one.) Passages that do tell something break it. They have headings, an
# introduction, too many paragraphs, or the given sentence where each paragraph *begins*: "The potatoes were small
# that year, and so were the lies. Emily had been working all week to fix her broken bicycle".
#
# So here the constraint measures copying rather than writing. A check is only as good as the laziest text that passes
# it. And the tree? No winner keeps the constraint, though some of the passages on the ballots did. Eight inputs are no
# proof of harm, and no sign of help.
#
# ## Coherence: a judge with a scale
#
# The paper lets GPT-4 score each passage from 1 to 10, five times, and takes the mean. We do the same with the only
# judge that we have: the small model that wrote the passages. It sees one passage of each kind for each input. Two
# kinds are there to test the *judge*. One is a passage of the tree that **no ballot named**: if votes and scores
# measure the same thing, it should score below the winner. The other is the **bare sentences**, which hang together
# by nothing.
#
# ### Predict: how far below the others are the bare sentences?

# %% tags=["set-up", "predict"]
# The judge's scores, replayed, beside those of the paper
judgings = study.judgings(study.passages(runs))
judged = {one.of: (one, tot.run(one.search, lm)) for one in judgings}
gpt4 = (6.19, 6.93, 7.56, None, 7.67, 7.91, None)
gpt35 = (4.47, 5.16, 6.62, None, None, None, None)
means, rows = {}, []
for kind, of_4, of_35 in zip(study.KINDS, gpt4, gpt35, strict=True):
    one, result = judged[kind]
    scored = ratings(result.trace.events)
    both = zip(one.places, scored, strict=True)
    means[kind] = {i: r.mean for i, r in both if r.scores}
    mean = stats.bootstrap([[m] for m in means[kind].values()])
    spread = fmean(r.spread for r in scored if len(r.scores) > 1)
    row = {"passage": kind, "n": mean.n, "mean": round(mean.rate, 2)}
    row |= {"95%": f"{mean.low:.2f} to {mean.high:.2f}"}
    row |= {"spread": round(spread, 2), "unread": result.unread}
    rows.append(row | {"GPT-4": of_4, "GPT-3.5": of_35})
show.table(
    rows,
    caption="Scores from 1 to 10; of GPT-4 and GPT-3.5 in the paper."
    " Spread: standard deviation of the five, averaged.",
)

# %% [markdown]
# **Table.** The bare sentences come last; the intervals of the other kinds overlap.
#
# So this judge sees something. But five scores of one and the same passage lie about two points apart: the judge
# contradicts itself by as much as the methods differ. (A small spread would be no proof of quality: a judge that
# always says 8 has a spread of 0.) And one thing is odd: refining scores best of all. We shall look at what it wrote.
#
# The paper's columns are of other passages and another judge, with n = 100: to look at, not to compare.
#
# ## Coherence: pairs, in both orders
#
# In the paper, people compared pairs. Our judge does so at temperature 0. Every pair is asked about twice, once in each
# order. If the verdict follows the passages, it turns with the order. If it follows the *place*, it does not; then the
# pair is a **tie** and one of the **flips**. Where refining changed nothing there is no pair.

# %% tags=["set-up"]
# Verdicts on pairs of passages, each pair in both orders
rows, flips = [], {}
for pair in study.PAIRS:
    one, result = judged[pair]
    o = comparison(result.trace.events)
    row = {"pair": " against ".join(pair), "n": len(one.places)}
    row |= {"wins": o.wins, "losses": o.losses, "ties": o.ties}
    row |= {"flips": o.flips, "first": o.shown_first}
    rows.append(row | {"second": o.shown_second, "unread": o.unread})
    verdicts = result.trace.events[-1]["verdicts"]
    for place, (there, again) in zip(one.places, verdicts, strict=True):
        if there is not None and again is not None:
            flipped = float(there != (0, 2, 1)[again])
            flips.setdefault(place, []).append(flipped)
asked = sum(map(len, flips.values()))
print(f"verdicts that flip: {rate(list(flips.values()))}")
print(f"   of {asked} pairs, n = {len(flips)} inputs")
print("the paper's readers, ToT against CoT:")
print("   41 wins, 21 losses, 38 ties")
show.table(rows, caption="First, second: the passage it named.")

# %% [markdown]
# Where it can be read, this judge names the passage that it is shown first, even the four bare sentences. At
# temperature 0 there is no luck to blame. Had we asked in one order only, with the tree's passage first, the tree would
# have won all comparisons that could be read. A random order, as for the paper's readers, turns such a bias into noise.
# Both orders show it.
#
# ### Predict: how many inputs would it take?
#
# Suppose that the judge were good and the truth were as in the paper: ToT scores 0.63 above CoT. How many inputs give
# an 80% chance to see it at the 5% level? That depends on how much the difference varies from input to input. And how
# many pairs, if readers decide as the paper's did?

# %%
z_test = NormalDist().inv_cdf(0.975)  # 5%, two sides


def inputs_needed(difference, spread, power=0.8):
    """Paired comparison of means."""
    z = z_test + NormalDist().inv_cdf(power)
    return (z * spread / difference) ** 2


def pairs_needed(wins, losses, ties, power=0.8):
    """Sign test of the decided pairs."""
    p, decided = wins / (wins + losses), wins + losses
    spread = (p * (1 - p)) ** 0.5
    z = z_test / 2 + NormalDist().inv_cdf(power) * spread
    return (z / (p - 0.5)) ** 2 * (decided + ties) / decided


# %% tags=["predict"]
for other in ("bare sentences", "ToT, no vote", "CoT"):
    shared = sorted(means["ToT"].keys() & means[other].keys())
    gaps = [means["ToT"][i] - means[other][i] for i in shared]
    gap = stats.bootstrap([[g] for g in gaps])
    low_high = f"[{gap.low:+.2f}, {gap.high:+.2f}]"
    print(f"ToT minus {other}: {gap.rate:+.2f} {low_high}, n = {gap.n}")
for size in (0.63, 0.2):
    needed = inputs_needed(size, stdev(gaps))
    print(f"inputs to see a difference of {size}: {needed:.0f}")
print(f"pairs, as the paper's: {pairs_needed(41, 21, 38):.0f}")
need = next(k for k in range(4, 9) if stats.mcnemar(k, 8 - k) < 0.05)
print(f"wins that eight decided pairs need for p < 0.05: {need}")

# %% [markdown]
# With eight decided pairs a method must win all of them, and we have not one. The paper's hundred pairs were about
# what its own effect needs. Our scores vary so much that the same difference would need some twenty times our inputs.
#
# One line is worth a second look: the winner scores above the passage that no ballot named. Perhaps votes are not only
# order. But we looked at three intervals, and one that barely clears zero is a hint to test, not a result.
#
# ## Refine: a third generator
#
# What does the model do with its own passage? A line for each input: the words of each version, and the share of
# endings that the first and the last version keep. Then what the judge gave to the shortest.


# %% tags=["set-up"]
# Versions of each refined passage; the end of a chain that got short
def endings(p, text):
    return task.verify(p, text).parts["endings"]


kinds = {"io-refine": ("IO", 0), "tot-vote-refine": ("ToT", 1)}
rows = []
for method, (kind, start) in kinds.items():
    for i, p in enumerate(inputs):
        thoughts = runs[method][i].result.best[0].state.thoughts[start:]
        path = [t.answer for t in thoughts if t.text != task.done]
        words = [len(text.split()) for text in path]
        ends = [endings(p, text) for text in (path[0], path[-1])]
        row = {"refined": kind, "input": i + 1}
        row |= {"words": " > ".join(map(str, words))}
        row |= {"endings": f"{ends[0]:.0%} > {ends[1]:.0%}"}
        if words[-1] < 10:
            row["last version"] = shorten(path[-1], 34)
            row["score"] = means[f"{kind} + refine"][i]
        rows.append(row)
show.table(rows, caption="What refining does, input by input.")

# %% [markdown]
# Asked to improve its passage or to say "perfectly coherent", the model nearly always says so at once: of good and bad
# passages, and of one that only asks for the input. The few new versions are no passages at all. Most are the phrase
# itself, misspelt; our reader knows the exact words only, so it took them for a passage. And here is the secret of the
# best rows above. The judge gives these two words **full marks**, five times of five.
#
# They *say* that they are coherent. A judge reads text that somebody else wrote, and text can talk to it. Whoever
# optimises against a judge will find such words, by accident or not. Look at what gets the highest score before you
# believe the score.
#
# Nothing here compares a new version with the old one either: the last version is the output. The paper's GPT-4 gained
# more from refining (6.19 to 7.67) than from the tree (7.56), so the idea is strong where the writer is a good critic
# of its own text. A tree could hold both: let the old and the new version stand on one ballot.
#
# ## What it costs
#
# One output for each input. "Kept" is the constraint. The paper's table 8 gives the tree "around 5x" of the tokens
# that IO and CoT write.

# %% tags=["set-up"]
# Quality and cost of one output
names = ("IO", "CoT", "ToT", "IO + refine", "ToT + refine")
methods = ("io", "cot", "tot-vote", "io-refine", "tot-vote-refine")
rows = []
for name, method in zip(names, methods, strict=True):
    more = {"k": 1} if method in ("io", "cot") else knobs[method]
    one = [tot.solve(task, p, method, lm=lm, **more) for p in inputs]
    [row] = show.tables.cost_rows(one)
    bills = [s.result.ledger.total for s in one]
    written = fmean(bill.completion_tokens for bill in bills)
    row |= {"method": name, "written": round(written)}
    row |= {"x IO": round(written / (rows or [row])[0]["written"], 1)}
    rows.append(row | {"judge": round(fmean(means[name].values()), 2)})
heads = {"method": "method", "n": "n", "rate": "kept"}
more = ("calls", "rounds", "tokens", "written", "x IO", "judge")
show.table(
    rows,
    heads | {name: name for name in more},
    caption="Means for each input; tokens read and written.",
)

# %% [markdown]
# **Table.** The tree writes nearly ten times what IO writes, and keeps the constraint no more often.
#
# The tree writes five plans and five passages where IO writes one passage, and reads all of them again, on the
# ballots. The ballots themselves cost almost nothing to write. Rounds are few, since all samples of a level go out
# together. Refining is a chain, one round for each version.
#
# ## Where it fails
#
# - **The generator.** Some plans are none, and many passages are the given sentences and little else. An evaluator can
#   choose only among what is there.
# - **The evaluator.** It prefers places. It can even choose the reply that asks for the input. A tree is no better
#   than its voters.
# - **Breadth 1.** One bad election, and everything below it is lost.
# - **The judge.** It is the same small model, with the same habits. In pairs it takes the first; and it believes a text
#   that praises itself. Before you trust a judge, show it something bad.
#
# None of this says that votes do not work. It says what to look at before believing that they do: the order, a control
# that must lose, and n.
#
# ## Summary
#
# - Rich thoughts are sampled, poor ones proposed. Where states are hard to score alone, compare them: a vote gives each
#   state the number of ballots that name it.
# - A ballot is text. Read it strictly, count what cannot be read, and test the reader on nasty cases.
# - Samples are exchangeable, so votes by place are a free test of order bias; permute places within elections, or turn
#   the order and add both. Agreement of voters is not knowledge.
# - A constraint that a program checks is worth checking, and worth attacking: what is the laziest text that passes?
# - A judge needs controls and both orders, and what it reads can talk to it. Eight inputs can show gross faults; they
#   cannot rank methods.
# - The input is the unit: bootstrap inputs, not ballots, scores or samples.
#
# ## Exercises
#
# ### Exercise 1: let the program choose
#
# The constraint is part of the input, so checking it needs no gold. Choose, among the passages of each tree, one that
# keeps the most endings, and let votes only break ties. Does the share of endings rise? What does it cost? And look
# at what it picks: how many words of its own have these passages?
#
# <details><summary>Hint</summary>
#
# `max(level(tree, 2), key=...)` with the pair (endings, votes) as the key.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def picked_first(p, node):
    return endings(p, node.state.answer), node.value


picked = [
    max(level(tree, 2), key=lambda node: picked_first(p, node))
    for p, tree in zip(inputs, trees, strict=True)
]
rivals = {
    "votes": [tree.answer for tree in trees],
    "program": [node.state.answer for node in picked],
}
for name, chosen in rivals.items():
    both = list(zip(inputs, chosen, strict=True))
    kept_ends = stats.bootstrap([[endings(p, t)] for p, t in both])
    own = [own_words(text, p.x) for p, text in both]
    print(f"chosen by {name}: endings kept {kept_ends}")
    print("   own words", *own)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The program finds endings that votes leave aside, and asks nobody. But look at the words of its own: it tends to
# pick the lazy passage. Whoever selects by a check selects for whatever passes it. A rule with two parts would be
# better: drop what breaks the constraint *or* copies, then let votes decide among the rest.
#
# </details>
#
# ### Exercise 2: both orders
#
# Add the ballots of both orders and elect again. How many winners change against the first order alone? How many
# elections are tied at the top, before and after?
#
# <details><summary>Hint</summary>
#
# Place `i` of a turned ballot is place `k - 1 - i` of the first.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
changed, tied, tied_both = 0, 0, 0
for there, again in both_orders:
    turned = reversed(again)
    total = [a + b for a, b in zip(there, turned, strict=True)]
    changed += total.index(max(total)) != there.index(max(there))
    tied += there.count(max(there)) > 1
    tied_both += total.count(max(total)) > 1
print(f"{changed} of {len(both_orders)} winners change")
print(f"ties: {tied} before, {tied_both} after")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Both orders cancel what early places gain over late ones. They do not make places equal: who always takes the first
# now gives five ballots to the first text and five to the last. That winners change says that five ballots in one order
# were not enough to know the choice of this voter, let alone the best text.
#
# </details>
#
# ### Exercise 3: twins split the vote
#
# One name on each ballot is *plurality* voting, and it has a known weakness. Suppose that seven voters rank three
# plans. Plans A and B are nearly the same, and four voters like both better than C. Write down seven rankings in
# which C wins the plurality, but A beats both B and C in direct comparisons (A is then the **Condorcet winner**). The
# rankings are made up; no model is asked. Does the rule "equal thoughts are one choice" help?
#
# <details><summary>Hint</summary>
#
# Let the four split two and two, and let the other three put C first.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
rankings = ["ABC", "ABC", "BAC", "BAC", "CAB", "CAB", "CAB"]
print("plurality:", dict(Counter(ranking[0] for ranking in rankings)))
for one, other in ("AB", "AC", "BC"):
    wins = sum(r.index(one) < r.index(other) for r in rankings)
    print(f"{one} against {other}: {wins} to {len(rankings) - wins}")
print(
    "Borda count:",
    {c: sum(2 - r.index(c) for r in rankings) for c in "ABC"},
)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Merging equal thoughts helps against exact twins only. Plans that say the same in other words stay two choices, and
# share the votes of those who like them. Rankings (Condorcet, or points by rank, which is Borda's count) repair this.
# They ask more of each voter: a small model that can hardly name its favourite will not give a careful ranking.
# Comparing all pairs is the other way; it costs a question, in two orders, for each pair.
#
# </details>
#
# ### Exercise 4: do more ballots help?
#
# Suppose that a voter names the best of five choices with probability 0.3 and each other one with 0.175. How often
# does the best choice win with 1, 5, 15 and 45 ballots? Then give the voter a favourite *place* in its stead: the
# first place gets 0.3, wherever the best choice stands. What do more ballots do now? (A simulation; no model is
# asked.)
#
# <details><summary>Hint</summary>
#
# `rng.choices(range(5), weights, k=ballots)`; the first of equals wins. The best choice stands at a random place.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def best_wins(ballots, looks, rng, trials=2000):
    won = 0
    for _ in range(trials):
        best = rng.randrange(5)
        favourite = best if looks else 0
        weights = [0.3 if i == favourite else 0.175 for i in range(5)]
        cast = Counter(rng.choices(range(5), weights, k=ballots))
        won += max(range(5), key=lambda i: cast[i]) == best
    return won / trials


rng = Random(7)
print("ballots  voters look at the text  favour a place")
for n in (1, 5, 15, 45):
    text, place = best_wins(n, True, rng), best_wins(n, False, rng)
    print(f"{n:7}  {text:23.0%}  {place:14.0%}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# More ballots remove *noise*. They do not remove *bias*: they make it certain. With a favourite place the best choice
# wins as often as it happens to stand there. Only another order on every ballot helps, since then the bias is spread
# over all choices and becomes noise, which more ballots can remove.
#
# </details>
#
# ## Further reading
#
# - The paper {cite}`yao2023tree`: section 4.2, figures 4 and 5, and table 6 for GPT-3.5 on the same task.
# - {cite}`madaan2023selfrefine` for refining with one's own feedback.
# - The [errata](../book/errata.md) have the paper's human study computed again, and what its results on refining imply.
# - [Chapter 5](05_how_a_search_asks.ipynb) for votes and values as evaluators, [chapter 6](06_tot_bfs_game24.ipynb) for
#   the control that we asked for here again: how far do blind players come?
