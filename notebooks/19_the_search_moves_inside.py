# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The search moves inside
#
# In every chapter so far a *program* has searched. It kept the tree, asked the model for a step here and a verdict there, and decided where to
# go on. The models that people talk about today do it the other way round: one question, one long reply, and in that reply tries, doubts,
# dead ends, "wait", another try. Nobody outside keeps a tree. What is going on in there, and is it search?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.inside()

# %% [markdown]
# **Figure.** Two places where a search can happen.
#
# A large model cannot be opened on your desk. A small one can. In this chapter the pocket model learns to write a whole search of ours
# in one go, a **stream of search** {cite}`gandhi2024stream`. Here is one of its replies.

# %% tags=["set-up"]
# Imports, and the results of `make stream`
import json
from math import fsum
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot.stats import wilson
from treebook.players.streaming import searching, stream
from treebook.studies.learned import Streams
from treebook.studies.results import compared, least_shown, rate
from treebook.studies.streams import read_stream, retold

study = Streams("../studies/results/stream.json")
game = tot.task("game24")
DEPTH, BEST = "depth-first", "best-first"
print(f"{study.puzzles} held-out puzzles, {study.figures['date']}")

# %%
stream_model = tot.Cassette("cassettes/19_stream.jsonl")
weights = "../studies/stream/stream.safetensors"  # for exercise 3
live = stream(weights)
x = "2 6 10 13"
[reply] = stream_model([searching(x).samples(0, 4)])
text = reply.texts[2]
print(text)

# %% [markdown]
# (We chose it, of four, for being short.) It tries three first steps and calls each state *impossible*. The fourth looks *sure*, so it turns there (`Numbers: 2 3 6`),
# tries two steps below it, turns once more, finds 24, and writes the answer. No program was in the loop: this is a single reply of about a hundred
# tokens, and the puzzle is one that it never practised on. A strict reader can make a tree of it, since every line is checked against the rules.

# %%
stream = read_stream(x, text)
print(len(stream.steps), "steps,", len(stream.unread), "unread lines")
tree = tot.run(retold(stream), stream_model)
show.explorer(tree, details=False)

# %% [markdown]
# **Figure.** The reply above as the tree that it tells. Play it: the order is that of the lines.
#
# ## Learning objectives
#
# After this chapter you can
#
# - turn the trace of a search into text that a model can learn from, and read a reply as a tree again;
# - compare a stream with chains and trees at equal generated tokens;
# - test whether a model follows a strategy, or only writes what looks like one;
# - say what a reasoning model is from outside, and when a tree around it may help.
#
# ## A search as text
#
# What should the model practise? Not solutions alone: with these it would learn to guess. It practises *searches*, those of this package. The teacher is
# plain depth-first search (`tot.search.dfs`, [chapter 8](08_tot_dfs_crosswords.ipynb)): its steps are those that the pocket model proposes, then all other legal ones,
# and its values are the pocket model's own verdicts, right or wrong. No solver takes part here, though one helped to train the pocket model. Each step is one line with the verdict on the state that it leads to. When the search goes on from another state than
# the line before, one more line says so (`studies/stream/text.py`). A second teacher is best-first search: it tries five steps at once and
# turns to the state that looks best, wherever that is.
#
# From these, training rows are made: searches of all puzzles that are not held out, half by each teacher, solvable or not. A search longer than
# 384 tokens is cut off there. The model starts from the weights of the pocket model and has room for 512 tokens.

# %% tags=["plot"] mystnb={"image": {"alt": "Training loss against tokens: it falls from above 3 to about 0.4 after four million tokens, and then slowly to 0.19 at 28 million."}}
training = study.figures["training"]
tokens, losses = zip(*training["loss"], strict=True)
plt.figure(figsize=(5, 2.4))
plt.plot([n / 1e6 for n in tokens], losses)
plt.gca().set(xlabel="million tokens", ylabel="loss", ylim=(0, 2))
plt.show()

# %% [markdown]
# **Figure.** Twenty-eight million tokens of searches, in under an hour on two cores; one seed.
#
# ## What can be shown?
#
# Everything below is measured on a hundred hard puzzles, sixteen streams each, beside forty chains of the pocket model and three shapes of its tree, as in
# [chapter 16](16_when_search_pays.ipynb). All are held out. Which difference can such numbers show? That hangs on how much the puzzles vary, not on who wins:

# %%
deep = study.within("stream", DEPTH, 512)
wide = study.within("stream", BEST, 512)
narrow, narrow_tokens = study.tree("b = 1, one reply")
four = study.chains(4)
pairs = {"two kinds of stream": (deep, wide)}
pairs |= {"a stream and four chains": (deep, four)}
pairs |= {"a stream and a tree": (deep, narrow)}
for name, two in pairs.items():
    print(f"{name}: {100 * least_shown(*two):.0f} points")

# %% [markdown]
# Differences of that size are found four times in five. A smaller one that does not show is no evidence of equality.
#
# ### Predict: one stream, or as many chains as its tokens buy?
#
# A chain of the pocket model writes 44 tokens and is right 17 times in a hundred. A depth-first stream writes about 200 on these puzzles. For that
# you may have four chains, and a program picks a right one if there is one. How often is *one stream* right, which nobody checks and which
# stops where it believes that it has 24?

# %% tags=["set-up"]
# One stream beside what its tokens buy
def practised(k, puzzles="chains"):
    """One of k chains is right, the mean of both trainings."""
    both = study.control(k, puzzles)
    return [fmean(two) for two in zip(*both, strict=True)]


each, rows = study.chain_tokens, []
control = study.figures["control"]
more = fmean(one["chains"]["tokens"] for one in control)
for name, picks, shares, cost in [
    ("one chain", "-", study.chains(1), each),
    ("four chains", "a program", four, 4 * each),
    ("one chain, more practice", "-", practised(1), more),
    ("four, more practice", "a program", practised(4), 4 * more),
    ("stream, depth-first", "-", deep, study.tokens("stream", DEPTH)),
    ("stream, best-first", "-", wide, study.tokens("stream", BEST)),
    ("tree b = 1, one reply", "its values", narrow, narrow_tokens),
    ("b = 1, three", "its values", *study.tree("b = 1, three replies")),
    ("b = 5, one", "its values", *study.tree("b = 5, one reply")),
]:
    i = rate(shares)
    row = {"method": name, "who picks": picks, "tokens": f"{cost:,.0f}"}
    row["solved"] = f"{i.rate:.0%} [{i.low:.0%}, {i.high:.0%}]"
    row["stream minus it"] = ""
    if shares is not deep:
        row["stream minus it"] = str(compared(deep, shares))
    rows.append(row)
note = "n = 100 puzzles, 95%; differences in points"
table = show.table(rows, caption=note, highlight=4)
ask = "One depth-first stream: how often right?"
how = {"low": 0, "high": 100, "unit": "%"}
show.Predict(ask, round(100 * rate(deep).rate), shows=table, **how)

# %% [markdown]
# **Table.** One stream beside chains and trees of the model that it came from. *More practice*: that model after 28 million further tokens of chains, the mean of
# two trainings.
#
# On a hundred fresh puzzles (`studies/held_out.py`) the stream is ahead of four chains, too, by 8 points.

# %% tags=["checked"]
# One stream minus the others, on fresh puzzles
fresh, rows = Streams("../studies/results/fresh.json"), []


def others(of):
    puzzles = "fresh" if of is fresh else "chains"
    found = {"one chain": of.chains(1), "four chains": of.chains(4)}
    found["four, more practice"] = practised(4, puzzles)
    found["stream, best-first"] = of.within("stream", BEST, 512)
    for tree in study.figures["pocket"]["trees"]:
        found[f"tree {tree}"] = of.tree(tree)[0]
    return found


again = fresh.within("stream", DEPTH, 512)
pairs = zip(others(study).items(), others(fresh).values(), strict=True)
for (name, so_far), later in pairs:
    rows.append({"one stream minus": name})
    rows[-1]["so far"] = str(compared(deep, so_far))
    rows[-1]["on fresh puzzles"] = str(compared(again, later))
both = [f"{rate(shares).rate:.0%}" for shares in (deep, again)]
ones = [f"{rate(of.chains(1)).rate:.0%}" for of in (study, fresh)]
note = "one stream {} and {}, one chain {} and {}; points, n = 100 each"
show.table(rows, caption=note.format(*both, *ones))

# %% [markdown]
# Equal are the tokens *written*. But the stream model has also practised on 28 million tokens more, so the rows with more practice give the chains as many: the same
# optimiser, the same schedule, ways to 24 that a solver found. A single chain gains 7 points from it. Four checked chains gain nothing that shows, because they now resemble each other
# more (of forty, a right one is there for 69 puzzles in a hundred, and was for 86). So practice explains little of the lead: it is 16 points over four chains and 14 over four with more practice; on fresh puzzles 8 and 7, and the 7 may be chance (p = 0.07). (They practised a solver's ways, the stream its teachers' searches; that difference was not tested.)
# From the cheapest tree we cannot tell it (+3 [−6, +13], fresh −6 [−14, +2]), and it writes less than a fifth of its tokens. The tree with five states cannot be told from it here, but is 10 points ahead on fresh puzzles (p = 0.017).
#
# Every p here is over puzzles, for *one* training of the stream. A claim about streams would be over trainings, as in [chapter 18](18_the_tree_teaches_the_model.ipynb).
#
# How much is solved by the time that so many tokens have been written?

# %% tags=["plot"] mystnb={"image": {"alt": "Solved puzzles against tokens written, on a logarithmic axis. The curve of checked chains rises from 17 per cent at 44 tokens to 88 at 1,800. The depth-first stream starts near zero at 45 tokens, meets the chains near 90, and lies above them from there on, at 60 per cent against 47 near 200 tokens and 90 against 76 near 800; the best-first stream stays below the chains. Points: the tree with one reply at 57 per cent and 1,100 tokens, with three replies at 90 per cent and 2,400 tokens, with five states at 61 per cent and 2,660 tokens."}}
def curve(strategy, name="stream"):
    """Solved against tokens: one stream, cut off later and later;
    then several.
    """
    for budget in (45, 60, 80, 100, 130, 170, 220, 300, 400, 512):
        cost = study.tokens(name, strategy, budget)
        yield cost, study.within(name, strategy, budget)
    for k in (2, 3, 4, 6, 8):
        cost = k * study.tokens(name, strategy)
        yield cost, study.within(name, strategy, 512, k)


def line(points, label, colour):
    at, rates = [], []
    for budget, shares in points:
        at, rates = [*at, budget], [*rates, rate(shares)]
    plt.plot(at, [i.rate for i in rates], color=colour, label=label)
    low, high = zip(*((i.low, i.high) for i in rates), strict=True)
    plt.fill_between(at, low, high, color=colour, alpha=0.15, lw=0)


plt.figure(figsize=(5.6, 3.6))
ks = (1, 2, 3, 5, 8, 12, 20, 40)
many = [(k * each, study.chains(k)) for k in ks]
line(many, "chains, checked", "C1")
line(curve(DEPTH), "streams, depth-first", "C0")
line(curve(BEST), "streams, best-first", "C2")
for strategy, colour in ((DEPTH, "C0"), (BEST, "C2")):
    whole = rate(study.within("stream", strategy, 512)).rate
    at = study.tokens("stream", strategy)
    plt.plot(at, whole, "o", color=colour)
for name in study.figures["pocket"]["trees"]:
    shares, cost = study.tree(name)
    i = rate(shares)
    bars = [[i.rate - i.low], [i.high - i.rate]]
    look = {"color": "C3", "marker": "D", "capsize": 2}
    plt.errorbar(cost, i.rate, bars, **look)
    short = name.replace("one reply", "1")
    short = short.replace("three replies", "3")
    plt.text(1.09 * cost, i.rate - 0.02, short, fontsize=8)
plt.plot([], [], "D", color="C3", label="trees")
plt.gca().set(
    xscale="log", xlabel="tokens written for a puzzle", ylabel="solved"
)
plt.xlim(35, 6000)
plt.gca().xaxis.set_major_formatter("{x:,.0f}")
plt.gca().yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
plt.legend(loc="upper left")
plt.show()

# %% [markdown]
# **Figure.** Success against generated tokens, n = 100 puzzles, bands and bars 95%. Up to its dot, a curve is one stream, cut off after a limit that grows; beyond, it is
# several streams of which a program picks, as it does for the chains (those without more practice, here and below). Tokens are averages. Trees: states kept, replies asked.
#
# With few tokens the chains are ahead: a stream has hardly begun. At about ninety tokens they are level, and from there on the stream leads. Why is a stream so much
# cheaper than a tree that knows the same things? Look at what a tree pays for. A verdict of the pocket model writes a try or two before it says
# its word, and the tree asks for three of them. The stream says the word alone. And the tree judges everything that was proposed, while the
# stream turns to the first state that it does not call impossible.
#
# But is the word alone worth anything?

# %%
for who in ("judge", "verdicts"):
    for life in ("3 living", "3 dead"):
        no, maybe, yes = study.streams("stream", DEPTH)[who][life]
        n = no + maybe + yes
        name = "stream" if who == "verdicts" else "pocket"
        share = wilson(no, n)
        print(f"{name} {life}: impossible {share}, n = {n}")

# %% [markdown]
# Of the states with three numbers from which 24 can still be reached (*living*), the stream gives up a quarter where its teacher, asked three times with working, gave up a tenth. It calls nearly all dead ones impossible. So it judges without working, and not badly. By heart? It may well be: most of these states lie below training puzzles too (where they do not, the teacher was not asked, hence its smaller n).
#
# ## Strategy, or the look of one?
#
# A text can *look* like a search without being one. Take a stream apart, line by line; give the tree so far, with the
# stream's own verdicts, to the package's own depth-first search, and ask where it would try its next step. Did the stream go there? A stream that went to any of its states at random would be right now and
# then, so that stands beside it.
#
# ### Predict: which move has it not learned?
#
# The search may ask to *stay* (another step from the same state), to go *down* (a first step from the state just made), or to *back up* (to an older state).

# %% tags=["set-up"]
# Where each strategy wants the next step, and where it was written
names = {"stay": "stay here", "down": "go down", "back": "back up"}
rows = []
for strategy in (DEPTH, BEST):
    often = study.figures["practised"][strategy]
    for move, name in names.items():
        i, chance = study.moves("stream", strategy, move)
        row = {"strategy": strategy, "it should": name}
        row |= {"it did": str(i), "n": i.n}
        row["at random"] = f"{chance:.0%}"
        share = often[move] / fsum(often.values())
        rows.append(row | {"of its practice": f"{share:.1%}"})
note = "legal steps of four streams a puzzle; 95% over steps"
table = show.table(rows, caption=note, highlight=2)
how = {"choices": list(names.values()), "shows": table}
show.Predict("Depth-first: which?", "back up", **how)

# %% [markdown]
# **Table.** Where the next legal step was written. *Of its practice*: how often the training's searches ask for it (the rest are first steps).
#
# Two of the moves are all but perfect. The third, depth-first, is done less often than by chance: when everything below a state has been tried, the stream goes on somewhere else. (Lines that
# try a step twice, or use a number that is not there, are not even counted.) Rarity may be part of it, for its teacher hardly ever had to back up. But best-first goes *down* as rarely, and does it nine times
# in ten. Going down follows a word just written; backing up means finding an old state again. Which of the two it is, we have not tested.
#
# ### Predict: does it read its own verdicts?
#
# We stop a stream behind a line that says *impossible*, write *sure* in its place, and let the model go on; elsewhere
# we turn a *sure* or *likely* into *impossible*. If verdicts are decoration, it goes on as before. To *obey* is to turn to the first, and not to the second, in the very next line.

# %% tags=["predict"]
asked = study.streams("stream", DEPTH)["changed verdicts"]
for change in ("to sure", "to impossible"):
    obeyed, n = asked[change]
    print(f"changed {change}: obeyed {wilson(obeyed, n)}, n = {n}")
there, n = asked["as they were"]
print(f"unchanged: it turned to {there} of these {n} states")

# %% [markdown]
# Unchanged, it turns to 95 of these 173 states, as many as it had not called impossible. What it has written is what it acts on. The verdicts are its value function, and the text is its memory: this is the evaluator and the
# search of [chapter 6](06_tot_bfs_game24.ipynb), in one reply.
#
# **Longer than it has practised.** No search in training was longer than 384 tokens, and the model has room for 512. Does it use the rest?
# How many legal steps does it write beyond token 384?

# %%
for strategy in (DEPTH, BEST):
    found = study.streams("stream", strategy)
    beyond = fsum(n for _, n, _ in found["moves"]["beyond"].values())
    cut = 1 - fmean(map(fmean, found["finished"]))
    print(f"{strategy}: {beyond:.0f} beyond; {cut:.0%} ran out of room")

# %% [markdown]
# None. Where a search was cut off in training, a new question began, and there the model begins a new question as well. It has learned the *length* of a search.
#
# ## It learns from its own streams
#
# That is the next step of the paper, too. One round, as in [chapter 18](18_the_tree_teaches_the_model.ipynb): eight streams for each of the 962 training puzzles that have a solution,
# four by each strategy; keep those that end in a right answer and have no line that does not hold; train on these. The control trains on
# as many tokens of the teachers' searches.

# %% tags=["set-up"]
# After one round, and after more of the same
rows = []
kinds = {"stream": "before", "own 1": "own streams"}
kinds |= {"more 1": "more of the same"}
for name, label in kinds.items():
    for strategy in (DEPTH, BEST):
        i = rate(study.within(name, strategy, 512))
        solved = f"{i.rate:.0%} [{i.low:.0%}, {i.high:.0%}]"
        row = {"trained on": label, "strategy": strategy}
        row |= {"solved": solved}
        cost = study.tokens(name, strategy)
        back, _ = study.moves(name, strategy, "back")
        row["backs up"] = f"{back.rate:.0%}, n = {back.n:,}"
        rows.append(row | {"tokens": f"{cost:.0f}"})
for strategy in (DEPTH, BEST):
    kept = study.figures["harvests"]["own 1"][strategy]
    right, all_ = kept["different"], kept["streams"]
    print(f"{strategy}: {right:,} of {all_:,} streams kept")
    own = study.within("own 1", strategy, 512)
    more = study.within("more 1", strategy, 512)
    print(f"    own minus more: {compared(own, more)}")
    old = study.within("stream", strategy, 512)
    print(f"    more minus before: {compared(more, old)}")
    print(f"    shown: {100 * least_shown(own, more):.0f} points")
show.table(rows, caption="n = 100 puzzles, 95%; one seed")

# %% [markdown]
# **Table.** Own streams help the best-first searcher. Practising the teachers' searches for as long adds nothing that shows.
#
# The difference from the control is clear for best-first and a hint for depth-first (p = 0.03, one of two tests). The model
# kept those of its own that were right, which are short, and became shorter. Backing up it did not learn. Selection can
# only spread what is there.
#
# ## A reasoning model, from outside
#
# A **reasoning model** is a model that was trained to write such a stream before its answer, and what it
# writes there is called *thinking*. Here is what can be said from outside.
#
# - **How it is made.** DeepSeek-R1-Zero was rewarded for right final answers, checked by rules, and for a form, and for nothing else; its replies grew from hundreds to
#   thousands of tokens by themselves, and trying another way appeared without being programmed {cite}`guo2025deepseek`. Ours imitated a search; that one found its own.
# - **Thinking is paid for.** Its tokens are billed as output, often they are not shown, and they have a budget. [Models that think](../book/manual/todays_models.md) says how this package sets one:
#   `--think-tokens 4000`. In *s1* a budget was enforced by cutting the thinking off, or by writing "Wait" when it wanted to end {cite}`muennighoff2025s1`. Lengthening helped a little, then no more.
# - **Budgets have a shape.** Here is ours.

# %% tags=["plot"] mystnb={"image": {"alt": "Two histograms of the tokens that depth-first streams write. Right streams: a peak near 80 tokens, hardly any above 300. Wrong ones: spread out, with a tall bar at the end of the context near 500."}}
found = study.streams("stream", DEPTH)
both = {1: [], 0: []}
for right, tokens in zip(found["right"], found["tokens"], strict=True):
    for r, n in zip(right, tokens, strict=True):
        both[r].append(n)
plt.figure(figsize=(5.2, 2.6))
plt.hist(
    [both[1], both[0]],
    bins=range(0, 540, 30),
    label=["right", "wrong"],
    color=["C0", "C1"],
)
plt.gca().set(xlabel="tokens of a stream", ylabel="streams")
plt.legend()
plt.show()
print(f"tokens, right {fmean(both[1]):.0f}, wrong {fmean(both[0]):.0f}")

# %% [markdown]
# **Figure.** Depth-first streams on the hundred puzzles. Right ones are short. (Those that ran out of room can only be wrong.)
#
# So a limit costs little, and two short streams beat a long one ([exercise 2](#exercise-2-cut-it-short)). Large models spend many tokens and several solutions on what is easy {cite}`chen2024overthinking`, and on hard
# problems, jumping from thought to thought goes with wrong answers {cite}`wang2025underthinking`.
#
# - **Why a tree around it changes little, or much.** What can a tree add to a model that already searches? We can try with ours. The simplest tree is one level of several streams, and something that picks.

# %%
for k in (1, 2, 4, 8):
    streams = rate(study.within("stream", DEPTH, 512, k))
    cost = k * study.tokens("stream", DEPTH)
    chains = rate(study.chains(min(40, round(cost / each))))
    print(f"{k}: {cost:5,.0f} tokens, {streams}; chains {chains}")

# %% [markdown]
# Independent streams would solve 84, 97 and 99.9%. Ours fail together more than that, and still every doubling helps. So: **with a good outside check, search around such a model still adds.** Whether its own judgement would add anything we did not measure. o1's maker reports 74% for one sample, 83% for
# a vote of 64, and 93% when a trained scorer picks among a thousand, on AIME 2024 {cite}`openai2024o1`. A comparison at equal tokens of a tree and plain votes around such a model we did not find.
#
# In **Snell et al.** {cite}`snell2024scaling`, beam search against a trained judge beats sampling where the budget is small or the question
# hard; with large budgets on easy questions it only finds what fools the judge, and the hardest questions hardly move. And the makers of DeepSeek-R1 report that *training*
# with step judges and with Monte Carlo search failed: steps in free text are hard to delimit, judges get gamed, and a value for half-written text is hard to learn {cite}`guo2025deepseek`.
#
# > **In the paper.** Gandhi et al. train a transformer of about 257 million parameters (our count, from their settings) from nothing on 500,000 streams of twelve symbolic strategies for Countdown. Streams were 25% more accurate than a model that learned right ways alone, and after learning from
# > its own streams it solved 36% of problems that had been unsolved (abstract; the body of the paper we could not get). {cite}`qin2025backtrack` compare at equal compute: on Countdown, sampling direct answers beats
# > streams; on Sudoku, streams win. Ours win on a game like Countdown, with a teacher whose verdicts they could learn by heart.
#
# ## Searches that the probabilities guide
#
# There is a way between the two: the program keeps the tree, and the model is asked for no verdict at all, because what it *thinks* stands in its probabilities. **Levin tree search** {cite}`orseau2018single` opens the state with the least depth divided
# by probability, and has a bound: the likelier the model finds the answer's way, the sooner it is found. **Likely beam** keeps the likeliest states at each level. Both are in `tot/likely`.

# %% tags=["set-up"]
# From the results of `make study-likely`: four trials each
with open("../studies/results/likely.json") as file:
    likely = json.load(file)
rows = []
show_these = ["CoT", "likely beam, b=5", "likely beam, b=20"]
show_these += ["Levin, 10 expansions", "Levin, 30 expansions"]
show_these += ["Levin, 100 expansions", "ToT, b=5", "40 chains"]
for name in show_these:
    trials = likely["trials"][name]
    columns = zip(*(t["checked"] for t in trials), strict=True)
    i = rate([fmean(map(int, column)) for column in columns])
    spent = fmean(n for t in trials for n in t["tokens written"])
    solved = f"{i.rate:.0%} [{i.low:.0%}, {i.high:.0%}]"
    rows.append({"method": name, "tokens": f"{spent:,.0f}"})
    rows[-1]["a right one is found"] = solved
i = rate(deep)
solved = f"{i.rate:.0%} [{i.low:.0%}, {i.high:.0%}]"
cost = f"{study.tokens('stream', DEPTH):,.0f}"
row = {"method": "stream, depth-first", "tokens": cost}
rows.append(row | {"a right one is found": solved})
note = "the pocket model, n = 100 puzzles, four trials, 95%"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** For its price, Levin search with 100 expansions does about as well as the verdicts of ToT; chains do better than both. (These are other runs than above: *ToT, b=5* is its tree of five states and one reply, *CoT* its one chain. A check picks, for all but the stream; in ToT it would change nothing.)
#
# > **Where it breaks.** One seed, one game of three steps, one model of 0.9 million parameters. The streams' teacher was the pocket model, which proposed and judged; *its* training had used a solver to know which steps are good. A stream keeps no books: it
# > repeats steps, now and then invents a number, and does not back up reliably. When it ends by itself, it is not always right ([exercise 1](#exercise-1-can-it-be-trusted)); a program that checks costs nothing here and is worth having.
#
# ## Where to go from here
#
# You have now seen every part twice: as a program, and as something learned. [The map of the field](../book/field.md) says, for twenty works around the three papers of this book, which of the four parts they add to, and where in this package they would
# go. Take one, and build it.
#
# ## Summary
#
# - A search can be written as text, learned from, and read again as a tree. It practised searches, not solutions alone.
# - At equal tokens one depth-first stream beats chains that a program checks, from about ninety tokens on. It is 16 points ahead of four, 8 on fresh puzzles; of four with as much practice 14, and 7 (p = 0.07). That is one training. It cannot be told from the cheapest tree, which writes five times as much; on fresh puzzles the tree of five states is 10 points ahead.
# - It acts on its own verdicts, in all 173 trials. It stays and goes down as its strategy asks. Depth-first, it does not back up, and it does not go on beyond the length that it was taught.
# - A round on its own right streams makes the best-first searcher better; more of its teachers' searches does not.
# - A reasoning model is such a stream, found by reward. A search around ours paid where an outside check picked.
#
# ## Exercises
#
# ### Exercise 1: can it be trusted?
#
# Of the depth-first streams that end by themselves, how many are right? Compare this with the share of all that are. What would you do with one that was cut off?
#
# <details><summary>Hint</summary>
#
# `study.streams("stream", DEPTH)` has "finished" and "right", [puzzle][stream].
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
found = study.streams("stream", DEPTH)
ends = [n for some in found["finished"] for n in some]
right = [n for some in found["right"] for n in some]
ended = [r for r, e in zip(right, ends, strict=True) if e]
print(f"of all {fmean(right):.0%} are right")
print(f"of the {len(ended)} that ended {fmean(ended):.0%}")
# Better, and no guarantee: an answer may rest on a wrong sum, or on a
# number that was not there. What was cut off has no answer: ask again.

# %% [markdown]
# ### Exercise 2: cut it short
#
# You have 400 tokens for a puzzle, and a check. Is it better to let a stream run, or to cut streams at 100 tokens and start four?
#
# <details><summary>Hint</summary>
#
# `study.within("stream", DEPTH, budget, k)`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
plans = {}
for k, budget in ((1, 400), (2, 200), (3, 133), (4, 100)):
    plans[k] = study.within("stream", DEPTH, budget, k)
    print(f"{k} of {budget}: {rate(plans[k])}")
print("two minus one:", compared(plans[2], plans[1]))
# Two: a stream of 200 tokens that has found nothing is mostly lost,
# and a new one begins with other steps. With a hundred tokens many
# good ones are cut off before their end, and the gain is gone.

# %% [markdown]
# ### Exercise 3: change a verdict yourself
#
# Take the stream at the beginning of the chapter. Turn the verdict of its first line into *sure* and let the model go on. Where does it go?
# (This runs live, with the weights that come with the book.)
#
# <details><summary>Hint</summary>
#
# `searching(x, begun=...)` lets the model go on from lines that you wrote; end them with a line break. Ask `live`.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
first = text.split("\n")[0]
begun = first.replace("impossible", "sure") + "\n"
[changed] = live([searching(x, begun=begun).samples(0, 1)])
print(begun + "\n".join(changed.texts[0].split("\n")[:3]))
# It turns to the state that we called sure.

# %% [markdown]
# ### Exercise 4: the other strategy
#
# Read a best-first stream of the same puzzle. How many states does it try before it turns to one, and does it turn to the best of these?
#
# <details><summary>Hint</summary>
#
# `searching(x, BEST)`, and `read_stream(x, text, BEST)` for the tree.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
[other] = stream_model([searching(x, BEST).samples(0, 4)])
told = read_stream(x, other.texts[0], BEST)
print("\n".join(line.text for line in told.lines[:9]))
# Five steps at once, and then the best-judged state; where two look
# the same, the first. Its price is plain: all five are judged, always.

# %% [markdown]
# ## Further reading
#
# - {cite}`gandhi2024stream`, where the name comes from; {cite}`lehnert2024beyond` taught a transformer to write what A* does.
# - {cite}`guo2025deepseek`, {cite}`muennighoff2025s1` and {cite}`snell2024scaling` on thinking longer; {cite}`qin2025backtrack` on when not to.
# - In the package: `studies/stream/`. `make stream` asks the pocket model, trains and measures again, in about four hours on two cores.
