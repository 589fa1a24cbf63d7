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
# # Every strategy on one board
#
# You have a model and a budget of tokens for each problem. Which strategy should you use? There are votes, beams,
# particle filters, Monte Carlo searches, tournaments and restarts, and each paper compares its own with one or two
# others. Here they meet on one board, with the same problems, samples and bill.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.board()

# %% [markdown]
# **Figure.** The same tokens for every strategy, and three answers to the question of who checks.
#
# <aside class="margin">Who plays: pocket models, which are small enough to play every strategy on hundreds of problems. A recorded model of
# 1.5 billion parameters plays where chains are enough.</aside>
#
# In a hurry? Set [the dials](#tokens-are-not-time) and read the [summary](#summary).
#
# ## Learning objectives
#
# After this chapter you can
#
# - choose a strategy by who checks, how good one chain is, your tokens and your patience;
# - read a frontier of success against tokens, and say which gaps on it are real;
# - find the file of each strategy, and say when it won here and when it did not;
# - say what a board of two toy worlds cannot tell you.

# %% tags=["set-up"]
# Imports, and the results of `make board`
from itertools import product

import tot
from tot.stats import wilson
from treebook.players import Pocket
from treebook.studies.results import difference, interval, load

board = load("../studies/results/board.json")
ROWS = []
for row in board["rows"]:
    rate = interval(row["solved"], row["n"])
    ROWS.append(row | {"rate": rate, "tokens": row["tokens"][0]})


def rows_of(world, check, budget=None):
    return [
        row
        for row in ROWS
        if (row["world"], row["check"]) == (world, check)
        and budget in (None, row["budget"])
    ]


print(f"{len(ROWS)} rows, {board['tests']} comparisons,", board["date"])

# %% [markdown]
# ## The players and the rules
#
# Two small models play the [Game of 24](06_tot_bfs_game24.ipynb): the finished pocket model, here called **strong**, and a
# checkpoint from the middle of its training, called **weak**. A third model solves worded sums. For the strategies that need
# only chains there are also recorded ones of a real model, Qwen2.5-Coder-1.5B-Instruct, on the Game of 24.

# %% tags=["set-up"]
# The four players
NAMES = {"24": "24, strong", "24, weak": "24, weak"}
NAMES |= {"words": "worded sums", "1.5B": "24, recorded 1.5B"}
rows = []
for world, budgets in board["budgets"].items():
    some = rows_of(world, "nobody", budgets[0])
    [one] = (r["rate"] for r in some if r["strategy"] == "one chain")
    row = {"player": NAMES[world], "one chain is right": one}
    tokens = ", ".join(f"{n:,}" for n in budgets)
    rows.append(row | {"budgets, tokens": tokens})
show.table(rows, caption="95%; tokens read and written, per problem")

# %% [markdown]
# **Table.** The players and their budgets. "Often right" means 28% in this chapter ([chapter 16](16_when_search_pays.ipynb)'s puzzles: 16%), and "hardly ever right" 1%; the board has nothing
# in between. A strategy may spend less than its budget. Some spend up to 8% more on average, the tournament 15%: a search
# ends its last round, and the pilot, on other problems, allowed 5%.
#
# Who checks the answer? With a **free check**, a program tells right from wrong for nothing. With the **judge**, the model
# itself must say so, and every verdict costs tokens; a program still refuses illegal steps. If **nobody** checks, there are only
# the samples. (A search over steps pays for the model's verdicts on steps in the first two cases.)
#
# A pilot on 40 other problems set each strategy's knobs for each budget. Then the board was played once, on problems held
# back for it. In each case one strategy is the *plain* one, `best-of`, `judged-best-of` or `cot-sc`, and all others are
# compared with it, problem by problem. "Ahead" and "behind" mean p < 0.05 after **Holm's correction**. The board has 117 tests,
# and if nothing differed, about six of them would still fall below 0.05 by chance. So the smallest p must stay below 0.05 / 117, the next below
# 0.05 / 116, and so on until one fails ([more](../book/comparisons.md)).
#
# ### A card for each strategy
#
# The first six draw *chains*, whole solutions; the last one searches over plans, and the others over steps.
#
# - **`best-of`** draws k chains at once, and the free check picks. (`tot/methods/prompting.py`)
# - **`judged-best-of`** lets the model's verdict pick. (`tot/methods/prompting.py`)
# - **`tournament`** lets the model compare answers in pairs (sums only; the other models were never taught to). (`treebook/tournament.py`)
# - **`cot-sc`** takes the most frequent answer of k chains {cite}`wang2023selfconsistency`. (`tot/methods/votes.py`)
# - **`cot-sc --stop`** draws in rounds until the vote is decided {cite}`aggarwal2023sample`, which saves tokens if chains agree early. (`tot/methods/votes.py`)
# - **`cot-sc --weights`** weighs each vote by the model's own probability (DeepConf {cite}`fu2025deep` does so more finely) or by a judge. (`tot/methods/votes.py`)
# - **`tot-bfs`** keeps the best few states after each step {cite}`yao2023tree`. (`tot/search/breadth_first.py`)
# - **`tot-dfs`** goes down the best branch, cuts every state without a good verdict, and turns back. (`tot/search/depth_first.py`)
# - **`tot-mcts`** is UCT over steps, rewarded by verdicts. (`tot/search/monte_carlo.py`)
# - **`puct`** starts with what the model finds likely {cite}`wan2024alphazero`. (`treebook/guided/puct.py`)
# - **`ab-mcts`** draws at each state whether to write a new child or follow an old one {cite}`inoue2025wider`. It spreads its looks thinly ([exercise 3](#exercise-3-where-do-the-verdicts-go)). (`tot/search/adaptive.py`)
# - **`dvts`** searches greedily in several subtrees {cite}`beeching2024scaling`. (`tot/search/resampling.py`)
# - **`particles`** redraws its states in proportion to their verdicts {cite}`puri2025probabilistic`. A wrong verdict makes a state rarer but not impossible. (`tot/search/resampling.py`)
# - **`rebase`** shares a fixed number of samples among states by their verdicts {cite}`wu2024inference`. It computes the shares that `particles` draws at random. (`tot/search/resampling.py`)
# - **`restarts`** grows one narrow tree after another until one passes the free check. (`tot/methods/restarts.py`)
# - **`mcts-plan`** searches over plans ([chapter 14](14_planning_with_mcts.ipynb); sums only). (`tot/methods/planning.py`)
#
# ## With a free check
#
# A free check and 3,000 tokens, which buy 66 chains. Do you spend them on chains, or on a search over steps?
#
# ### Predict: chains or steps?
#
# One chain of the strong player is right on 28% of the puzzles, and one of the weak player on 1%.

# %% tags=["set-up"]
# Both players at 3,000 tokens, and which of the choices is true
PLAYERS = {"strong": "24", "weak": "24, weak"}
rates = {
    name: {r["strategy"]: r["rate"] for r in rows_of(at, "free", 3000)}
    for name, at in PLAYERS.items()
}
both = [
    {"strategy": one} | {name: rates[name][one] for name in PLAYERS}
    for one in rates["weak"]
]
both.sort(key=lambda row: -row["weak"].rate)
KINDS, WINNERS = ("chains", "a search"), "{} for strong, {} for weak"
best = [max(r, key=lambda one: r[one].rate) for r in rates.values()]
won = [KINDS[name != "best-of"] for name in best]


# %%
def panels(check):
    worlds = PLAYERS.values()
    return {NAMES[world]: rows_of(world, check) for world in worlds}


show.Predict(
    "What wins for the strong player, and what for the weak one?",
    WINNERS.format(*won),
    choices=[WINNERS.format(*two) for two in product(KINDS, KINDS)],
    figure=show.frontier(panels("free"), plain="best-of", slack=1.05),
    alt="Strong player: best-of leads at every budget, from 78% at "
    "about 300 tokens to 98% at 3,000. Weak player: all are near 10% "
    "at 300 tokens; then particles, puct and rebase rise to 76%, 71% "
    "and 77%, while best-of ends at 47% and ab-mcts at 12%.",
    shows=show.table(
        both, highlight=lambda pair: pair["strategy"] == "best-of"
    ),
)

# %% [markdown]
# **Figure.** The strategies named in blue are the ones that nothing beats at their cost, which is not yet a lead (`tot-dfs`). The dark line is the plain strategy
# (n = 200, 95%; costs within 5% count as equal).
#
# The strong player needs no search: its checked chains lead at each budget. At 3,000 tokens four strategies come close,
# `restarts` for half the tokens, since it stops at the first success.
#
# With the weak player nothing is ahead of the chains at 300 tokens. From 1,000 on, the searches that keep good steps are
# ahead: `particles`, `rebase`, `tot-bfs`, `dvts`, `puct`; at 3,000 also `restarts`. A chain needs three good steps in a row, and the weak player
# writes such a chain once in a hundred tries. A search can try each step several times.

# %% [markdown]
# ## With the model's own judge

# %% tags=["plot"] mystnb={"image": {"alt": "Two panels, success against tokens. Strong player: judged-best-of stays at 32 per cent; tot-bfs and puct climb to 65 and 71. Weak player: puct is highest, at 26 per cent, then particles and tot-bfs; judged-best-of stays near 1."}}
show.frontier(
    panels("judge"),
    plain="judged-best-of",
    slack=1.05,
    height=2.7,
)

# %% [markdown]
# **Figure.** If the model must judge the answers, `tot-bfs` and `puct` gain, and more chains gain nothing (n = 200; 95%).
#
# Why does the judged best of 22 chains (the pilot's choice for 3,000 tokens) solve no more than its best of two, the strong player's choice for less? This judge has practised *steps*, and hardly knows a finished answer when it
# sees one ([exercise 2](#exercise-2-does-the-judge-know-an-answer)). So it picks among ends blindly, while a search has used its verdicts on steps before. With the strong
# player `puct` and `tot-bfs` lead. With the weak one `tot-bfs` leads at 1,000 tokens, and at 3,000 `puct` and `particles` are as good.
# `tot-dfs` solves nothing: this judge says nothing about a last number alone, so every end is cut.
#
# On the worded sums the judge's pick, `tournament` and `mcts-plan` solve between 54% and 57% (n = 150), so take the cheapest, the pick (of two chains).
#
# ## When nobody checks

# %% tags=["plot"] mystnb={"image": {"alt": "Two panels, success against tokens. Strong player: a vote rises from 30 to 50 per cent at 675 tokens; weights by the model's probability reach 54 at 182 tokens and stay there. Weak player: all below 9 per cent."}}
show.frontier(
    panels("nobody"),
    plain="cot-sc",
    slack=1.05,
    height=2.4,
)

# %% [markdown]
# **Figure.** If nobody checks, weights by the model's own probability help the strong player's vote at the smallest budget (n = 200, 95%).
#
# Four chains of the strong player, weighted by how likely the model was to write them, solve 54% for 182 tokens. At 300 tokens that is ahead of
# the plain vote, for which the pilot had chosen two chains (four would have fit). A vote of two solves 30%. At the larger budgets no lead is shown: fifteen plain chains
# solve 50% for 675 tokens, and 45 weighted chains no more than four.
#
# On the worded sums weights may help (57 to 59% against 50%, n = 150, not significant after the correction), and the recorded model's votes
# solve 1% to 5% (n = 80). The stopping rule saved no tokens with the pocket models.
#
# ## When picking harder hurts
#
# With some judges the true success rises at first with the chains to pick from, and then falls {cite}`gao2023scaling`.
#
# Above, `judged-best-of` asked about a finished answer. Here the judge is asked about the numbers left after each line of a chain, and the least of
# these verdicts counts. No program checks the lines. *Trained* judges are checkpoints of the pocket model, after 8 million tokens of training and more. *Simulated*
# ones are oracles: the verifier's word with noise added.

# %% tags=["set-up"]
# Best of n by five judges
picking = load("../studies/results/picking.json")
JUDGES = {
    "8M": "trained, 8M",
    "16M": "trained, 16M",
    "final": "trained, finished",
    "verifier, normal noise of 1": "simulated oracle, normal noise",
    "verifier, heavy noise of 0.5": "simulated oracle, heavy noise",
}
curves = {r["judge"]: r for r in picking["rows"][::-1]}
points = []
for judge, name in JUDGES.items():
    row = curves[judge]
    for n, solved in zip(row["n"], row["solved"], strict=True):
        rate = interval(solved, picking["n"])
        points.append({"method": name, "n": n, "rate": rate})

# %% tags=["plot"] mystnb={"image": {"alt": "Success of the best of n, for n from 1 to 64, all from 27 per cent. The finished judge rises to 91 per cent, the 16M one to 59; the 8M one is flat from 16 on, at 45 to 48. Simulated normal noise levels off at 49 per cent. Simulated heavy noise rises to 42 per cent at 8 and falls to 20 at 64."}}
labels = {"xlabel": "n, chains that the judge picks from", "log": True}
picture = show.plots.success_by_cost(points, x="n", **labels)
picture.axes[0].set_xticks(row["n"], row["n"])
picture

# %% [markdown]
# **Figure.** Three judges order right and wrong chains about equally well (AUC 0.72 to 0.76: 16M and both simulated ones; 8M has 0.66, the finished one 0.95), and picking from more has three outcomes (n = 200, 95%).
#
# AUC is how often a right chain gets a higher verdict than a wrong one. It judges the average pair, whereas the best of n depends on the highest verdicts.
# With the better trained judges picking from more does no harm up to 64, where 16M solves 59%. The weakest is flat from 16 on, at 45% to 48%, while it believes in 91% of its picks.
# With normal noise success levels off at 49%. With heavy-tailed noise it falls to 20%, less than the 27% of one chain (the mean over 64; the 28% above is one draw): among many chains there is nearly always a wrong one with a wild verdict {cite}`kwa2024catastrophic`.
#
# In `dvts` the judge picks at each step, and success still rises at 64 samples a step, with the weakest judge from 22% at four to 69%. (From 4 to 64 only heavy-tailed noise falls; here and in `dvts` each change is clear: Holm p < 0.05, 20 tests.) So let the success on some checked problems, not the judge's verdicts, tell you where to stop.
#
# ## Tokens are not time
#
# Suppose that your server answers all requests of a round in two seconds. Then chains with a free check take two seconds, however
# many. A search must wait for one step's verdicts before the next.
# With the weak player and 3,000 tokens, the five rounds of `tot-bfs` or `rebase` take ten seconds, and the thirteen of `puct` 26.
#
# Who leads in fourteen seconds, or seven rounds (`tot-bfs` needs them if the model judges, too)? And with no limit?

# %% tags=["set-up"]
# Who leads, by check, player, tokens and patience
def leading(world, check, budget, limit):
    some = rows_of(world, check, budget)
    some = [row for row in some if row["seconds"]["2.0"] <= limit]
    best = max(some, key=lambda row: row["rate"].rate)
    star = " *" * (best.get("Holm", 1) < 0.05)
    return f"{best['strategy']} {best['rate'].rate:.0%}{star}"


PATIENCE = {"in 14 s": 14, "in any time": 1e9}
rows = []
for check in ("free", "judge"):  # where nobody checks: always weights
    for world in ("24", "24, weak"):
        for budget in board["budgets"][world]:
            row = {"check": check, "player": NAMES[world][4:]}
            row["tokens"] = f"{budget:,}"
            for words, limit in PATIENCE.items():
                row[words] = leading(world, check, budget, limit)
            rows.append(row)
note = "2 s a reply, n = 200; *: ahead of the plain one, Holm p < 0.05"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The leader within a budget. Without a star it is the plain strategy, or not clearly ahead of it.
#
# Set the dials to the case nearest yours. A bar is what the strategy solved at the largest budget that fits; "n/a": it does not fit, or was not played.

# %% tags=["hide-input", "set-up"]
# The dials: every strategy, from who checks, tokens and time
def fitting(world, check, tokens, delay, limit):
    game = [row for row in ROWS if row["world"] in PLAYERS.values()]
    shares = dict.fromkeys(row["strategy"] for row in game)
    for row in rows_of(world, check):  # the larger budget comes later
        waits = row["rounds"] * delay
        if row["budget"] <= tokens and waits <= limit:
            shares[row["strategy"]] = row["rate"].rate
    return shares


CHANCE = {"often right": "24", "hardly ever right": "24, weak"}
WHO = {"a program, free": "free", "the model": "judge"}
BUDGETS = [(f"{n:,} tokens", n) for n in board["budgets"]["24"]]
dials = {
    "one chain is": [*CHANCE.items()],
    "who checks": [*WHO.items(), ("nobody", "nobody")],
    "budget": BUDGETS,
    "a reply takes": [(f"{s:g} s", s) for s in (0.05, 0.5, 2.0)],
    "I can wait": [(f"{s} s", s) for s in (1, 5, 14, 60)],
}
start = {"one chain is": "hardly ever right", "budget": "3,000 tokens"}
start |= {"a reply takes": "2 s", "I can wait": "14 s"}
show.Dials(dials, fitting, start=start, name="Which strategy?")

# %% [markdown]
# **Figure.** Game of 24, n = 200. With two seconds a reply, fourteen seconds are too few here for `puct`, `tot-mcts`, `ab-mcts` and `restarts` (and for `tot-dfs` beyond 300 tokens), and five seconds leave room for chains only.
#
# ## When did each of them win?
#
# Against the plain strategy of its case:

# %% tags=["set-up"]
# Ahead of the plain strategy of its kind, or behind
WHO = {"24": "strong", "24, weak": "weak"}
found = {}
for row in ROWS:
    if row.get("Holm", 1) < 0.05:
        one = found.setdefault(row["strategy"], ({}, {}))
        behind = row["minus plain"]["difference"][0] < 0
        who = WHO.get(row["world"], row["world"])
        one[behind][f"{row['check']} ({who})"] = True
rows = []
for name, sides in found.items():
    ahead, behind = (", ".join(side) or "never" for side in sides)
    row = {"strategy": name, "ahead at": ahead, "behind at": behind}
    rows.append(row)
show.table(rows, caption="Against the plain strategy, Holm p < 0.05")

# %% [markdown]
# **Table.** Where each strategy is ahead of the plain one at some budget, and where behind: who checks, and the player. Those not listed never were. Budgets are equal here, not bills: `tot-dfs` (weak) is behind at 3,000 tokens, of which it spent 600.
#
# > **Where it breaks.** The board has two toy worlds, tiny models, and one recorded model for votes only. Settings come from a pilot of 40 problems, so a strategy with many
# > knobs may be set badly. Another judge would change the middle picture. A true lead below
# > 10 to 17 points can go unseen under Holm's correction, and the leaders were not tested against each other. A real server slows down under load.
#
# For larger models, {cite}`chen2024tree` found that tree search needs a judge that is right in at least 90% of cases to gain much over re-ranking; with models as judges it was 10 to 20
# times slower and gained little.
#
# ## Summary
#
# - A free check and chains that are often right: draw chains. They take one round, and nothing was ahead of them.
# - A free check and chains that are hardly ever right: from 1,000 tokens on use `particles`, `rebase`, `puct`, `tot-bfs` or `dvts`. At 3,000 they solve 70 to 77%, and checked chains 47%.
# - Only the model judges: search over steps, if the model judges steps better than ends. Within 3,000 tokens the strong player solves 71% with `puct` and 65% with `tot-bfs`, and 32% with the judge's pick of chains.
# - Nobody checks: weight the votes by the model's own probability. For the strong player four such chains solve 54%, a plain vote of two 30% and one of fifteen 50%. Only the lead over two is shown to be real.
# - Picking from more did no harm with our better trained judges, and much with simulated heavy-tailed noise.
# - If time is short: with a free check chains take one round, searches 5 to 21. The judge's pick takes two.
#
# ## Exercises
#
# ### Exercise 1: twelve seconds
#
# Chains are hardly ever right, a program checks, you have 1,000 tokens, a reply takes two seconds, and the answer is due in twelve seconds. Which strategies fit, and which do you choose? And in nine seconds?
#
# <details><summary>Hint</summary>
#
# `fitting(world, check, tokens, delay, limit)` gives each strategy's rate, None for what does not fit.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for limit in (12, 9):
    found = fitting("24, weak", "free", 1000, 2.0, limit)
    order = sorted(found, key=lambda name: -(found[name] or 0))
    shown = [f"{n} {found[n]:.0%}" for n in order[:4] if found[n]]
    print(f"{limit} s:", ", ".join(shown))
# In twelve seconds six rounds fit, and these four need five. They were
# not compared with each other. In nine seconds only chains fit.

# %% [markdown]
# ### Exercise 2: does the judge know an answer?
#
# Let the pocket model write and judge seven chains for each of twenty puzzles, with three verdicts for each answer. How often does it call a right answer *sure*, and how often a wrong one?
#
# <details><summary>Hint</summary>
#
# In `trace.events`, an event with the kind "asked" and the role "evaluator" has requests with their samples. Play `judged-best-of` on `game.unchecked()`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
game, pocket = tot.task("game24"), Pocket()
said = {True: [], False: []}
for problem in game.problems("hard")[:20]:
    how = {"lm": pocket, "k": 7, "prompt": "cot"}
    run = tot.solve(game.unchecked(), problem, "judged-best-of", **how)
    for event in run.trace.events:
        if event.get("role") == "evaluator":
            for asked in event["requests"]:
                shown = asked["messages"][-1]["content"]
                answer = shown.rpartition("Answer: ")[2]
                right = game.check(problem.x, answer).correct
                for sample in asked["samples"]:
                    said[right].append(sample["text"].endswith("sure"))
for right, sure in said.items():
    print(f"right {right}: sure {wilson(sum(sure), len(sure))}")
# It seldom says sure, and no more often for right answers.

# %% [markdown]
# ### Exercise 3: where do the verdicts go?
#
# Play `ab-mcts` and `puct` on ten puzzles, with 3,000 tokens each and the board's settings. How many third steps does each judge, and how many of these stand below a state that was called impossible?
#
# <details><summary>Hint</summary>
#
# The name of a node, such as `0.2.1`, has as many dots as steps, and begins with its parent's name. `trace.nodes()` has their values: 20 means *sure*, 0.001 *impossible*.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
limit = tot.Budget(tokens=3000, soft=True)
for name, proposals in {"ab-mcts": 1, "puct": 16}.items():
    how = {"lm": pocket, "budget": limit, "values": 1}
    how["proposals"], third, below = proposals, 0, 0
    for problem in game.problems("hard")[:10]:
        nodes = tot.solve(game, problem, name, **how).trace.nodes()
        for id, node in nodes.items():
            if id.count(".") == 3 and "value" in node:
                third += 1
                below += nodes[id.rpartition(".")[0]]["value"] < 0.01
    print(f"{name}: {third} third steps, {below} below impossible")
# ab-mcts knows a state by one verdict or a few, so it often goes on
# from one that was called impossible.

# %% [markdown]
# ### Exercise 4: what is not shown
#
# With a free check, the strong player and 3,000 tokens: which strategies are not shown to differ from `best-of`? How large must a difference be to be found four times in five, alone and as the strictest of all comparisons?
#
# <details><summary>Hint</summary>
#
# A row's "Holm", and `board["power"]["24"]`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
for row in rows_of("24", "free", 3000):
    if row.get("Holm", 0) >= 0.05:
        gap = difference(row["minus plain"])
        print(f"{row['strategy']:10} {gap}")
for changed, (alone, strictest) in board["power"]["24"].items():
    print(f"{changed}: {alone:.0%} alone, {strictest:.0%} of all")
# These intervals are not corrected for 117 tests: two leave out 0, and
# yet their Holm p is above 0.05. None of the four is shown to be equal
# to best-of: a lead below the last lines' numbers is easily missed.
# (Halves are rounded to even: 97.5 to 98, and 2.5 to 2.)

# %% [markdown]
# ## Further reading
#
# - {cite}`snell2024scaling` and {cite}`wu2024inference`: which strategy for which budget, on larger models.
# - [Gallery, part four](gallery_strategies.ipynb): six of these strategies on one puzzle. [The map of the field](../book/field.md) says what each adds.
# - `studies/board.py` and `studies/picking.py`; `make board` and `make picking` play it all again.
