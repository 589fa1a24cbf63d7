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
# # What does it cost?
#
# "Our search solves eight of ten, the baseline solves one." That is half of an experiment. The other half is what each of the two was allowed to spend. The [first part](16_when_search_pays.ipynb) said
# when search pays; this one does the sums.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - read a bill: tokens read, tokens written, rounds, and who spent them;
# - name a search's rival at equal cost, with a free check, with none, and with one that costs something;
# - turn tokens into dollars and into waiting, and show where the order of two methods turns;
# - name four ways in which comparisons of methods go wrong.

# %% tags=["set-up"]
# Imports, and the recorded runs: nothing is asked of a model now
import json
from functools import partial
from itertools import accumulate
from math import comb
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean

from IPython.display import display

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import (
    compared,
    interval,
    load,
    search_of,
)

setup()
results = Path("../studies/results")


def play(task, split, part, cassette, method, **knobs):
    """A method on some problems of a task, replayed."""
    lm = tot.Cassette(f"cassettes/{cassette}.jsonl")
    problems = tot.task(task).problems(split)[part]
    return [
        tot.solve(task, p, method, lm=lm, **knobs) for p in problems
    ]


# %% tags=["set-up"]
# Five methods on the ten puzzles of chapter 6
game = partial(play, "game24", "starter", slice(0, None, 4))
tree = partial(game, "06", "tot-bfs", style="lean")
games = {
    "IO, ten answers": game("03", "io", k=10),
    "CoT, a vote of five": game("04", "cot-sc", k=5),
    "IO, four rewrites": game("04", "io-refine-checked", k=4),
    "ToT b=1": tree(breadth=1),
    "ToT b=5": tree(breadth=5),
}
lm = games["ToT b=5"][0].trace.head["lm"]
print(f"{lm}, {len(games['ToT b=5'])} puzzles")

# %% [markdown]
# ## What is on the bill
#
# Each bar below is one run on the same puzzle, and its parts are what it spent, in order: tall for the generator, low for
# the evaluator. A hollow triangle marks a new favourite of the search, a full one the answer that it returned.
#
# ### Predict: how much longer is the longest bar?
#
# Ten direct answers, a vote of five chains, a search with one state in its beam, a search with five. A bar is as long as
# the tokens that were read and written.

# %%
side = {name: runs[4] for name, runs in games.items()}
del side["IO, four rewrites"]
bill = show.bill(side)
lengths = [read + written for read, written, _ in bill.lines.values()]
show.Predict(
    "How many times as long as the shortest bar is the longest?",
    round(max(lengths) / min(lengths)),
    low=1,
    high=50,
    shows=show.Bill(bill.lines),
)

# %% tags=["predict", "plot"] mystnb={"image": {"alt": "A lane of tokens for each of four runs. The two without a tree end before 1,000 tokens, with wrong answers; the search with one state ends at 3,157 and the one with five at 6,854, both right. Most of both is the evaluator's."}}
show.compare(side)

# %% [markdown]
# **Figure.** One puzzle, four runs: the two without a tree are wrong, the two trees right. (Of 10 11 11 12; the vote adds a 1.) All tokens together differ by a factor of sixteen, those written by six.
#
# ### Three coins
#
# A bill has three numbers, each in another coin.
#
# - **Tokens written** come one after the other. They are slow and dear.
# - **Tokens read** are cheaper, by a factor that differs between providers. A prompt is read once for all its samples, if the server takes `n` samples in
#   a request.
# - **Rounds** are what you wait for: a round is everything that can be asked at the same time. The wide search takes no more of them than the
#   narrow one.
#
# Here are four methods of the book, in the means of ten puzzles.

# %% tags=["set-up"]
# The bill of four methods
some = {name: games[name] for name in games if name != "ToT b=1"}
show.bill(some, caption="means of 10 puzzles")

# %% [markdown]
# **Figure.** Light: read. Dark: written. A stroke below is a round. (*by role* says who spent it.)
#
# Of the 1,751 tokens that the search writes, the *judge* writes 1,375, or 79%: three verdicts on every candidate. The search also reads five times as much as it writes, because each of its many small questions brings instructions and examples along. So "at equal tokens" must say which tokens.
# Below, equal tokens are equal tokens *written*; where reading would change the verdict, the text says so.
#
# ## Who checks? A program, for nothing
#
# Where a check is free, the rival of any search is the best of as many samples as its tokens buy. We turn to the pocket model and the hundred puzzles of [part
# one](16_when_search_pays.ipynb), with a hundred chains of each. Counting the right ones gives the best of $k$ for every $k$, without bias.


# %% tags=["set-up"]
# The pocket model's searches and chains, from the study of part one
study = load(results / "search_pays.json")
PLAYER, N = study["players"]["final"], study["n"]
counts, CHAIN = PLAYER["right of 100"], PLAYER["tokens of a chain"]


def search(breadth, replies, helped=True, cells=study):
    """The finished pocket model in both roles."""
    how = {"breadth": breadth, "proposals": replies, "help": helped}
    return search_of(cells, "final", "final", **how)


def each(found):
    return [int(x) for x in found["solved"]]


SEARCHES = {
    "b=1, 1 list": search(1, 1),
    "b=5, 1 list": search(5, 1),
    "b=1, 3 lists": search(1, 3),
    "b=1, 5 lists": search(1, 5),
}
print(f"the finished pocket model, {N} puzzles, {study['date']}")


# %%
def best_of(k, n=100):
    """For each puzzle: the chance that one of k chains is right."""
    return [1 - comb(n - c, k) / comb(n, k) for c in counts]


# %% [markdown]
# ### Predict: at the same number of tokens written, who wins?
#
# Four searches: a narrow and a wide beam, then the narrow one with three and five lists of proposals (part one's *replies*) a state. Each
# stands against as many chains as its tokens buy, of which the check picks a right one if there is one.

# %%
points = []
for k in (5, 10, 20, 50, 100):
    place = {"method": "CoT, best of k", "label": f"k={k}"}
    place["rate"] = interval(PLAYER["best of k"][str(k)], N)
    points.append(place | {"written": k * CHAIN})
leads = {}
for label, found in SEARCHES.items():
    beam, lists = label.split(", ")
    place = {"method": f"ToT {beam}", "label": lists}
    place["rate"] = interval(found["rate"], N)
    points.append(place | {"written": found["tokens"]["written"]})
    leads[label] = found["gain"]["best of k, checked"]["written"]
show.Predict(
    "How many of the four are clearly ahead of their chains?",
    sum(low > 0 for _, low, _ in leads.values()),
    low=0,
    high=4,
    figure=show.plots.success_by_cost(
        points, x="written", xlabel="tokens written per puzzle"
    ),
    alt="Searches with one list lie well below the best of k; "
    "with three and five they meet it.",
)

# %% tags=["plot", "predict"]
# Each search against the chains that its tokens buy
missed = (1 - fmean(best_of(k)) for k in range(100))
one_by_one = [0, *accumulate(missed)]  # chains drawn, of up to k
LEAD, rows = "{:+.0%} [{:+.0%}, {:+.0%}]", []
for label, found in SEARCHES.items():
    k = found["chains for it"]["written"]
    row = {"search": label, "written": found["tokens"]["written"]}
    row["solved"] = f"{found['rate'][0]:.0%}"
    row |= {"chains for that": k}
    row["one by one"] = round(CHAIN * one_by_one[k])
    rows.append(row | {"search ahead": LEAD.format(*leads[label])})
pairs = stats.paired(each(search(1, 3)), each(search(5, 1)))
display(show.results({"3 lists against 5 states": pairs}))
show.table(rows)

# %% [markdown]
# **Figure.** Many checked chains beat a plain search at its own price. Searches that ask for several lists of proposals
# solve about as much as their chains, even the dearest of them.
#
# If you check one chain after the other, you stop at the first right one. The column *one by one* gives the mean tokens
# written that way, fewer than any search writes.
#
# Five states write more than three lists, and of 29 puzzles that only one of the two solved, the lists solved all. For this model keeping five states
# is **dominated**: another search costs less and does more, so no budget makes it the right choice. (The recorded model's best tree [keeps
# five](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles). Counting what is read as well changes no verdict.)
#
# ## Who checks? Nobody
#
# Now the best of $k$ is not on offer, and the rival is the vote. In the first two of five contests the pocket model plays 24 *alone*, with one state kept and
# with one list of proposals or three: no program refuses its steps, judges its answers or writes them down. (It is the copy that [practised to judge the
# end](16_when_search_pays.ipynb#when-nobody-can-check).) The vote gets as many chains as the search's tokens buy. In the others the recorded model solves word problems (sums),
# with a tree of votes and with a tree of plans, and answers questions with yes or no, with a tree of votes.

# %% tags=["set-up"]
# The contests: the runs, both rates, the search's lead, p
sums = partial(play, "gsm8k", "book", slice(0, 40))
yesno = partial(play, "strategyqa", "book", slice(0, 40))
runs = {
    "sums: vote": sums("09", "cot-sc", k=5),
    "sums: voted": sums("09", "tot-vote"),
    "sums: planned": sums("14", "mcts-plan", rollouts=6, revisions=2),
    "yes/no: vote": yesno("09", "cot-sc", k=5),
    "yes/no: voted": yesno("09", "tot-vote"),
}
# the copy that practised to judge the end; nobody helps
own = load(results / "alone.json")["hard"]
contests, bars = [], []


def contest_of(name, lead, p, *rates):
    p = f"{p:.2g}" if p > 0.001 else "< 0.001"
    row = {"contest": name, "search ahead": f"{lead:+.0%}", "p": p}
    contests.append(row)
    for kind, rate in zip(("ToT", "CoT-SC"), rates, strict=True):
        bars.append({"method": f"{name}, {kind}", "rate": rate})


for name, replies in (("24: one list", 1), ("24: 3 lists", 3)):
    found = search(1, replies, False, own)
    lead = interval(found["gain"]["vote"]["written"], N)
    z = 3.92 * lead.rate / (lead.high - lead.low)
    rates = found["rate"], found["rivals"]["vote"]
    p = 2 * NormalDist().cdf(-z)
    contest_of(name, lead, p, *(interval(x, N) for x in rates))
for name in ("sums: voted", "sums: planned", "yes/no: voted"):
    rival = runs[name.split()[0] + " vote"]
    a, b = ([s.chosen for s in each] for each in (runs[name], rival))
    rates = (stats.wilson(sum(x), len(x)) for x in (a, b))
    test = stats.paired(a, b)
    contest_of(name, test.difference, test.p, *rates)

# %% mystnb={"image": {"alt": "Five pairs of rates with intervals, a search above a vote. In the game of 24, alone: 55 against 37 percent with one list, 88 against 42 with three. On word problems two searches reach 68 percent and the vote 85. On yes-or-no questions both are at 50 percent, as a coin is."}} tags=["plot"]
canvas = show.plots.new_figure(5.2, 4.4).add_subplot()
show.plots.rates(bars, ax=canvas)

# %% [markdown]
# **Figure.** A search (ToT) beats the vote (CoT-SC) in the game, where single steps can be judged; in the other contests no search is ahead. (n = 100, then 40. On yes/no a coin
# has 50%, and neither method shows that it knows more.)

# %% tags=["set-up"]
# The tests, and the bills of the recorded model
display(show.table(contests))
show.Bill(show.bill(runs).lines)  # means of 40 problems

# %% [markdown]
# **Figure.** Leads with 95% intervals, and what the recorded model spent on a problem. (p: exact and in pairs for the last three; for the first two from
# the interval.)
#
# Of five tests each may claim a fifth of 0.05, or 0.01. By that measure both leads in 24 count, and nothing else does; the vote's leads on word problems
# are hints. There the search writes more and reads at least ten times as much, and still is not ahead: the trees of chapters [9](09_zero_shot_tot.ipynb) and
# [14](14_planning_with_mcts.ipynb) judge whole plans and whole solutions, with no small step that could be judged by itself. (Where chains are hardly ever right, [a tree of plans does lead](#what-is-a-solved-problem-worth).)
#
# What, then, is a program's help worth? That depends on who judges the end. With one list and one state kept, the helped search solves 57% of the puzzles. Alone, a
# model that has practised to judge the end solves 55%, and no difference shows (2 puzzles to none). The published model, which refuses to judge a last number,
# solves 34% alone (23 to none, p < 0.001).
#
# ## Who checks? Somebody who is paid
#
# Most checks are neither free nor impossible: a model that reads the answer writes some tokens, a unit test takes a
# minute, a person ten. Then the check goes on the bill, once for every chain. The fair rival is the search *alone*, since a program that knows a 24 is a check, too. With three lists it
# solves 88%. What does it take to get as far with chains?

# %% mystnb={"image": {"alt": "Tokens per puzzle to solve 88 percent, against the price of one check in tokens. The search alone is a flat line at 2,608. Chains checked one by one start far below it and cross it where a check costs about three chains. Chains checked all at once start at it."}} tags=["plot"]
alone3 = search(1, 3, False, own)
bill = alone3["tokens"]["written"]


def needed(rate):
    """The fewest checked chains that solve as much, and how many
    of them are drawn one by one."""
    k = next(k for k in range(1, 101) if fmean(best_of(k)) >= rate)
    return k, one_by_one[k]


k, drawn = needed(alone3["rate"][0])
canvas = show.plots.new_figure(5.2, 3).add_subplot()
canvas.set(xlim=(0, 300), ylim=(0, 7000))
spent = {"the tree alone": [(c, bill) for c in (0, 150, 300)]}
for name, n in {"one by one": drawn, f"all {k} at once": k}.items():
    prices = (0, bill / n - CHAIN, min(300, 7000 / n - CHAIN))
    spent[f"chains, {name}"] = [(c, n * (CHAIN + c)) for c in prices]
show.plots.lines(canvas, spent, marker="")
canvas.set_xlabel("what one check costs, in tokens written")
canvas.set_ylabel("tokens per puzzle")
canvas.get_figure()

# %% [markdown]
# **Figure.** Chains checked one by one stay the better buy until a check costs about three times as much as a chain. Checked all at once, for lack of time,
# they are the better buy only if a check costs next to nothing. The better the search, the less a check may cost. Had ours solved 80%,
# the lower end of its interval, a check might cost five chains, one by one; for the published model's search, with its 60% and its own bill, ten (by `needed`). (No
# hundred chains solve 93%, the upper end.)
#
# ## Dollars: prices are inputs
#
# Tokens are facts of a run. Dollars need a price list, on which a token *read* may cost as much as a token written, a tenth of it, or nothing.
# Can the price turn an order? In the paper {cite}`yao2023tree` it can. Its table 7 has GPT-4's tokens for the best of a hundred chains, which solved 49% of
# the puzzles, and for the search, which solved 74%. (For the search's prompt we take the tokens that its dollars imply: [E4](../book/errata.md#e4-the-prompt-tokens-of-tot).)

# %% tags=["plot"] mystnb={"image": {"alt": "Dollars per puzzle for GPT-4 at the prices of 2023, against the price of reading as a share of the price of writing. The line of the best of 100 chains is nearly flat, from 40 to 47 cents. The line of the search rises from 33 to 74 cents and crosses it at a share of about one tenth."}}
errata = load(results / "errata.json")["E4"]
table7 = errata["rows"]
chains = table7["Game of 24, CoT, best of 100"]
written = table7["Game of 24, ToT"]["generated k"]
paper = {  # thousands of tokens read and written for one puzzle
    "best of 100 chains": (chains["prompt k"], chains["generated k"]),
    "ToT b=5": (errata["ours"]["implied prompt k"], written),
}
canvas = show.plots.new_figure(7, 2.8).add_subplot()
canvas.set(xlim=(0, 0.5), ylim=(0, 0.8), ylabel="dollars per puzzle")
canvas.set_xlabel(
    "price of reading, as a share of the price of writing"
)
dollars = {
    name: [(p, 60 * (r * p + w) / 1000) for p in (0, 0.5)]
    for name, (r, w) in paper.items()
}
show.plots.lines(canvas, dollars, marker="")
canvas.get_figure()

# %% [markdown]
# **Figure.** At the prices of 2023, one half, the search was the dearer of the two. Where reading costs less than a tenth
# of writing it solves more *and* costs less.
#
# Who charges a tenth? Perhaps a server that has read the prompt before. It keeps what it computed for the *beginning* of a prompt (the
# [key-value cache](forward_pass.ipynb)), and a request that begins alike is cheap {cite}`zheng2024sglang`. Our wide search has sent
# 79% of what it reads in an earlier round ([a study](study_costs.ipynb#what-does-a-cache-save)). So begin a prompt with what stays the same.
#
# ## Waiting
#
# If you wait for an answer, tokens are not what you count. If a server writes all samples of a round side by side, a round takes as long
# as its longest reply, and the sum of those is the run's **critical path**.

# %% tags=["set-up"]
# Rounds, tokens written, and the critical path
rows, bills = [], show.bill(games).lines
for name, (_, written, rounds) in bills.items():
    spent = [row for run in games[name] for row in show.spent(run)]
    path = sum(row["longest"] for row in spent) / len(games[name])
    row = {"method": name, "rounds": rounds, "written": round(written)}
    rows.append(row | {"critical path": round(path)})
show.table(rows, highlight=-1)

# %% [markdown]
# **Table.** The wide search writes more than twice what the narrow one does, and takes
# about a fifth longer: its extra tokens stand beside the others.
#
# Rewriting is the opposite: its path is all of its 81 tokens. How far samples run side by side depends on your server (exercise 3).
#
# ### A larger model instead?
#
# Suppose that a larger model solved with *one* chain what the small one solves with a search. How much dearer may its tokens be
# before the search is the better buy? The **break-even price** is the ratio of the bills. If reading costs half of writing, the wide search costs as much as 8,503/2 + 1,751 = 6,003 written
# tokens, and one chain as much as 479/2 + 370/5 = 314: the larger model's tokens may cost **nineteen times** as much, if its chain is as long as the small one's. (Where reading
# costs a tenth, it is 21.)
#
# But *is there* such a model? In the paper's table 5 one chain of GPT-4 solves 4%, and GPT-3.5 with a tree 19%, so no price helps. Where the larger model simply *knows* the answer, any search is wasted. Measure three numbers before you build: the large model alone, the small one alone, the
# small one with many samples.
#
# ## What is a solved problem worth?
#
# In the game, one chain of the pocket model was right in a sixth of cases. Products live higher up. So does the same model on easier puzzles, and so does the worded pocket model
# ([chapter 14's study](14_planning_study.ipynb)) on its sums, where the tree is one of plans and nobody checks.

# %% mystnb={"image": {"alt": "Two panels: solved, at equal tokens, against how often one chain is right. Left, the game with a checked end: tree and best of k lie together at 100 percent from a quarter on; below, the best of k is above the tree; the vote climbs from 6 to 97 percent. Right, sums that nobody checks: the tree lies above the vote while chains are right in up to a tenth, the two cross near a half, and at nine tenths the vote is ahead; the best of k, if somebody checked, is far above both."}} tags=["plot"]
products = load(results / "products.json")["cells"]
METHODS = {"ToT": "tree", "CoT, best of k": "best of k"}
METHODS["CoT-SC"] = "vote of k"
WORLDS = {
    "final": "24, the end checked",
    "words": "sums, nobody checks",
}
figure = show.plots.new_figure(6.4, 3)
panels = figure.subplots(1, 2, sharey=True)
for panel, (player, title) in zip(panels, WORLDS.items(), strict=True):
    mine = [cell for cell in products if cell["player"] == player]
    panel.set(title=title, xlabel="one chain is right", ylim=(0, 1.02))
    solved = {
        name: [(cell["one chain"][0], cell[key][0]) for cell in mine]
        for name, key in METHODS.items()
    }
    show.plots.lines(panel, solved)
panels[0].set_ylabel("solved, at equal tokens")
figure

# %% [markdown]
# **Figure.** With a free check, chains drawn until one passes solve as much as the tree or more, and cost less. Without one, the tree of plans is clearly
# ahead of the vote where chains are right in up to a tenth of cases, and clearly behind at 92%; between, no difference shows. (The best of *k* of the sums would need a check. 32 to 100 problems a bin,
# chosen by thirty chains; sixty others give its rates. [Table, and what a bin favours](study_when_search_pays.ipynb#where-chains-are-often-right).)
#
# A lead is no reason yet, since the tree costs more. It pays if the problems that it solves beyond its rival are worth what it costs beyond it. In the game, where a check is free, no tree is ahead, so none pays (though at 3% the interval begins at 205 chains). For sums that chains hardly ever solve it pays once a solved one is worth 126 chains
# [83, 227] (right in 2%) or 107 chains [62, 254] (10%): about half a cent where a million tokens cost two dollars (a chain has some 24).
#
# ## Four ways to fool yourself
#
# **1. The best of k read as accuracy, and 2. an unfair rival.** Five numbers for one model and the same hundred puzzles:

# %% tags=["set-up"]
# Five readings, and the last two puzzle by puzzle
older = load(results / "game24_pocket.json")
loop = older["rows"]["IO + Refine (k=10, checked)"]
readings = {
    "one chain": PLAYER["one chain"],
    "vote of 100 chains": PLAYER["vote of k"]["100"],
    "best of 100 chains": PLAYER["best of k"]["100"],
    "IO, a loop of ten rewrites": loop["rate"],
    "IO, best of 10": older["best of k"]["IO, best of k"][3]["rate"],
}
lines = {name: interval(x, N) for name, x in readings.items()}
counted = older["right of 100"]["IO"]
tens = [stats.pass_at_k(100, c, 10) for c in counted]
loops = older["solved"]["io-refine-checked"]
lines["IO, best of 10 against the loop"] = compared(tens, loops)
show.results(lines)

# %% [markdown]
# The first three are readings of one pool of ten thousand chains: if you ask once, if you pay a hundredfold for a vote, and if you pay a hundredfold and have
# a check. The fourth is a loop that stops when the check is content ([chapter 6's study](study_game24.ipynb)). It has asked the check ten times, so one answer is no fair
# rival. The best of ten is, and against it the loop loses.
#
# **3. Unequal budgets.** Report tokens read, tokens written and rounds, and let the reader bring the prices. A run that hits
# its limit has failed; without such runs a mean reports the survivors.
#
# **4. The winner's curse.** Somebody tries ten prompts on forty puzzles and reports the best. How much of its lead is luck?
# Take ten "variants" that are certainly equal: the *same* chain of thought, each variant given a different one of the hundred samples.
#
# ### Predict: ten equal variants
#
# A single chain is right in 16% of cases, and so is each variant. The winner was chosen on forty puzzles; the other sixty
# tell what it is worth.


# %%
def contest(variants, rng):
    """The winner's rate on forty puzzles, and on the other sixty."""
    order = rng.sample(range(100), 100)
    pools = [[1] * c + [0] * (100 - c) for c in counts]
    right = [rng.sample(pool, variants) for pool in pools]
    here, there = order[:40], order[40:]
    first = [sum(right[i][v] for i in here) for v in range(variants)]
    best = first.index(max(first))
    return max(first) / 40, fmean(right[i][best] for i in there)


rng, rows, won = Random(0), [], {}
for n in (1, 3, 10, 30):
    trials = [contest(n, rng) for _ in range(400)]
    won[n], later = map(fmean, zip(*trials, strict=True))
    row = {"equal variants": n, "the best": f"{won[n]:.0%}"}
    rows.append(row | {"later": f"{later:.0%}"})
show.Predict(
    "What does the best of ten solve of its forty puzzles?",
    round(100 * won[10]),
    low=0,
    high=50,
    unit="%",
    shows=show.table(rows),
)

# %% [markdown]
# The winner of ten looks half as good again as it is, and nothing was done to it but being chosen
# {cite}`smith2006optimizer`. So choose on one set and report on another, count everything that was tried, and name the two methods of a test *before* the run.
#
# > **Where it breaks.** Three small models, two of them trained for just these tasks; ten to a hundred problems in a comparison, which show large differences only. The bills
# > are exact. Which method wins at equal cost holds for these players.
#
# ## Summary
#
# - A bill has three coins: tokens read, tokens written, rounds. Most of a tree's goes to its judge, and it reads several times what it writes.
# - A free check: the rival is the best of as many samples as the search's tokens buy, and here it is ahead or level.
# - No check: the rival is the vote. A pocket model that practised to judge the end is ahead of it.
# - A paid check belongs on the bill, once per chain. The better the search, the less it may cost.
# - Where chains are right in 3 to 69% of cases no tree paid beside a free check. Unchecked, one did where they are right in a tenth or less, if a solved problem was worth 110 to 130 chains.
# - Dollars need a price list and waiting needs a server. Either can turn an order.
#
# ## Exercises
#
# ### Exercise 1: what may a check cost?
#
# Somebody gives the search its program for nothing (`SEARCHES`), and asks a price for checking chains. For one, three and
# five lists: how many checked chains solve as much? And what may one check cost, in tokens, before the search is cheaper?
#
# <details><summary>Hint</summary>
#
# The smallest `k` with `fmean(best_of(k))` at least the search's rate. Then `n * (chain + check)` equals its tokens,
# where `n` is `k` or `one_by_one[k]`.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for name in ("b=1, 1 list", "b=1, 3 lists"):
    found = SEARCHES[name]
    for n in needed(found["rate"][0]):  # all at once, then one by one
        price = found["tokens"]["written"] / n - CHAIN
        print(f"{name}: {n:.1f} chains, level at {price:.0f} tokens")
print(f"a hundred chains solve {fmean(best_of(100)):.1%}")
# Five lists solve more than that.

# %% [markdown]
# ### Exercise 2: how sure is "dominated"?
#
# The text holds five states against three lists. Now hold them against one state with one list, and three lists against
# five. Draw the hundred puzzles anew, with repetition, five hundred times: how often does the first of each pair solve
# more? `each(search(breadth, replies))` has a 0 or a 1 for each puzzle. What does the exact paired test say?
#
# <details><summary>Hint</summary>
#
# The same drawn puzzles for all methods. `stats.paired` takes two lists.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for first, second in (((5, 1), (1, 1)), ((1, 5), (1, 3))):
    a, b = each(search(*first)), each(search(*second))
    rng, more = Random(0), 0
    for _ in range(500):
        drawn = rng.choices(range(100), k=100)
        more += sum(a[i] - b[i] for i in drawn) > 0
    p = stats.paired(a, b).p
    print(f"more in {more / 500:.0%} of draws, p = {p:.2g}")
# Both win four and lose none: nearly all draws show that, and the
# exact test does not believe it.

# %% [markdown]
# ### Exercise 3: a small server
#
# The critical path supposes that a whole round is written at once. Suppose that the server writes at most `w` samples
# at a time. How long do the searches take, in tokens one after another, for `w` of 1, 4, 16 and 64?
#
# <details><summary>Hint</summary>
#
# In each round give every sample, longest first, to the line that is free first. Events of kind "asked" have the
# requests and their samples.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def waiting(run, w):
    total = 0
    for event in run.trace.events:
        asked = event.get("requests", [])
        once = {json.dumps(r["messages"]): r for r in asked}.values()
        replies = [s["tokens"] for r in once for s in r["samples"]]
        lines = [0] * w
        for length in sorted(replies, reverse=True):
            lines[lines.index(min(lines))] += length
        total += max(lines)
    return total


for label in ("CoT, a vote of five", "ToT b=1", "ToT b=5"):
    runs = games[label]
    waits = [[waiting(run, w) for run in runs] for w in (1, 4, 16, 64)]
    print(label, *(round(fmean(each)) for each in waits))
# With one line the wide search takes more than twice as long as the
# narrow one; with many they are close.

# %% [markdown]
# ### Exercise 4: a dear judge
#
# Let the evaluator be a model whose tokens cost ten times as much as the generator's. What is its share of the bill?
# And what if the generator is the dear one? Reading costs a quarter of writing.
#
# <details><summary>Hint</summary>
#
# `show.ledger(runs, prices={"generator": show.Prices(...), "evaluator": show.Prices(...)})`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
cheap, dear = show.Prices(0.25, 1.0), show.Prices(2.5, 10.0)
for judge, writer in ((cheap, cheap), (dear, cheap), (cheap, dear)):
    prices = {"generator": writer, "evaluator": judge}
    rows = show.ledger_rows(games["ToT b=5"], prices=prices)
    dollars = 1e6 * rows[-1]["dollars"]
    print(f"${dollars:,.0f}, {rows[1]['share']:.0%} to the judge")
# For a million puzzles. A dear judge multiplies the bill almost
# eightfold, a dear generator by about three.

# %% [markdown]
# ## Further reading
#
# - [Studies of cost](study_costs.ipynb): the bills of all methods of the book, budgets, caches, tools.
# - {cite}`kapoor2024agents` shows how leaderboards of agents change when cost is an axis, and why simple baselines
#   belong on them.
# - {cite}`brown2024monkeys` on repeated sampling with and without a verifier; {cite}`snell2024scaling` on when
#   computing longer at inference replaces a larger model.
# - The paper {cite}`yao2023tree`, appendix B.3, on cost; {cite}`chen2021evaluating` for the unbiased best of $k$.
# - In the package: `treebook/figures/bills.py`, `lanes.py`, `efficiency.py`; `tot/budget.py` (`Budget`, `Ledger`).
