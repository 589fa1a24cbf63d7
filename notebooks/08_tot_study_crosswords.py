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
# # Turning the dials: a simulated study of pruning
#
# The recorded model of the [last chapter](08_tot_dfs_crosswords.ipynb) has one proposer and one evaluator, each as good as it is.
# So it cannot answer the question behind table 3 of the paper {cite}`yao2023tree`: *when* do pruning and backtracking pay? For that,
# both parts must be made better and worse, one at a time. This chapter does it with a **simulation**.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - read an ablation table critically: with intervals, with an oracle beside each row, and asking what *else* the ablation
#   changed;
# - say how good an evaluator must be before a search should listen to it;
# - explain why depth-first search without pruning is stuck, although it may go back;
# - choose an output rule, and a number of steps, from measured curves.
#
# **No language model answers anything in this chapter.** Every table and figure says SIMULATED. Nothing here is evidence about
# a model, and no number here may stand beside a recorded one.

# %% tags=["set-up"]
import json
from pathlib import Path

import tot
from tot import show, stats
from tot.nbsetup import setup
from tot.tasks.crosswords_simulated import SimulatedSolver

setup()
task = tot.task("crosswords")
puzzles = task.problems("easy")
path = Path("../studies/results/crosswords_simulated.json")
study = json.loads(path.read_text())
searches, seeds = study["puzzles"], study["seeds"]
n = searches * seeds
print(show.wrapped(f"SIMULATED: {study['SIMULATED']}"))
print(f"{searches} puzzles, {seeds} seeds, {n} searches a row")

# %% [markdown]
# ## A proposer and an evaluator with dials
#
# A small program answers in place of the model. It reads the very same prompts, so the same readers and the same search run. It looks
# the answers up in the book, on purpose. Then it forgets, errs and insists as often as its dials say:
#
# - `know`: how likely it knows the word of a clue;
# - `overconfident`: how likely it is as sure of a word where it only guesses;
# - `stubborn`: how likely it names a word that it knows *against* the letters on the board;
# - `false_impossible`: how likely it says "impossible" although the true word fits;
# - `false_fits`: how likely it does not say so although the true word does not fit.
#
# Think of a wind tunnel for the search. A real model's mistakes are of other kinds: its proposer and its evaluator, for
# example, fail on the *same* clues, and here they are independent.

# %%
for dial, at in study["reference"].items():
    print(f"{dial:17} {at:g}")
simulated = SimulatedSolver(seed=0, **study["reference"])
run = tot.solve(task, puzzles[3], lm=simulated, steps=12)
print()
for node in run.result.visited:
    word = "  " * (node.depth - 1) + node.state.last.text
    out = f"{node.note[:2]} impossible" if node.note else ""
    print(f"{word:20} {node.state.answer}  {out}")

# %% [markdown]
# Those are the dials' **reference** positions, chosen before the study was run and not fitted to anybody's numbers; and
# the first twelve states of one simulated search. The whole study is `studies/crosswords_simulated.py`: all 20 puzzles of the
# book, five seeds, one dial moved at a time. `make study-crosswords` repeats it in minutes.
#
# ## Table 3, SIMULATED
#
# ### Predict: the order of four methods
#
# The proposer knows six of ten words at sight; the evaluator says "impossible" wrongly once in ten. Rank by words: direct answers
# (IO), ToT, ToT without pruning, ToT without backtracking. Which of them will gain most from an oracle that picks the best state?


# %% tags=["predict"]
def rate(figures, name):
    """An interval of the study: a bootstrap over its puzzles."""
    return stats.Interval(*figures[name], study["puzzles"])


table = []
for method, row in study["table"].items():
    for rule in (next(iter(row["rules"])), "best state"):
        rates = {
            x: rate(row["rules"][rule], x) for x in row["rules"][rule]
        }
        oracle = " + best state" if rule == "best state" else ""
        table.append({"SIMULATED": method + oracle, **rates})
title = f"SIMULATED, no language model: {n} searches a row"
show.table(table, caption=title)

# %% [markdown]
# **Table.** The search that may overwrite has most letters and words, ToT most whole games. Simulated.
#
# (CoT is left out: this solver answers both prompts from the same words.) And the paper's own table 3: GPT-4, twenty
# games. These numbers are the paper's. Only the *pattern* can be compared.

# %%
PAPER = """
                  letters  words  games
IO                   38.7     14      0
CoT                  40.6   15.6      1
ToT                    78     60     20
ToT + best state     82.4   67.5     35
- prune              65.4   41.5      5
- backtrack          54.6     20      5
"""
print("percent:", PAPER.rstrip())
found = {"ToT": 4, "- prune": 1, "found without pruning": 4}
for name, games in found.items():
    print(f"{name}: {games} of 20 games, {stats.wilson(games, 20)}")

# %% [markdown]
# Twenty games are few, as those intervals say. In the simulation we can draw more, and compare run by run: the same puzzle,
# the same seed, two searches.

# %%
alone = [f"{who} alone" for who in ("the first", "the second")]
for other in ("- prune", "- backtrack"):
    gap = study[f"ToT against {other}"]
    print(f"SIMULATED ToT minus {other}, in points")
    for part in ("letters", "words", "games"):
        points = [f"{100 * x:+.0f}" for x in gap[part]]
        print(f"   {part:7} {points[0]} [{points[1]}, {points[2]}]")
    for who in (*alone, "both"):
        count = gap[f"games reached by {who}"]
        print(f"   {count:2} of {n} games reached by {who}")

# %% [markdown]
# The simulation repeats three findings of the paper, and turns one around.
#
# - **ToT beats direct answers by far**, as with GPT-4.
# - **Pruning pays** on all three measures, although the evaluator is often wrong.
# - **Without pruning the search finds more than it shows.** Its best states hold about twice as many whole games as its outputs.
#   In the paper: four found, one shown. And some of them the pruned search never reached: it had thrown them away.
# - **"- backtrack" is not the worst row.** It has *more* letters and words than ToT and fewer games, from far fewer
#   states. In the paper it is far behind.
#
# The last point deserves a second look. The ablation takes one thing away, the way back, and it *adds* one: permission to
# overwrite. If the proposer insists on a word that it knows, against wrong letters on the board, then overwriting is a repair. How
# often does it insist? That is the dial `stubborn`. We turn it below.
#
# ## Why the search without pruning is stuck
#
# It may go back whenever it likes. So why is it so much worse? Here are eight puzzles, live. Beside the words that are right
# stands how many different **first words** the search has *tried* in a hundred steps.

# %%
lines = []
for p in puzzles:
    line = {"SIMULATED": p.id}
    for name, prune in (("ToT", True), ("- prune", False)):
        run = tot.solve(task, p, lm=simulated, prune=prune)
        firsts = {node.id.split(".")[1] for node in run.result.visited}
        line[f"{name}: words"] = round(10 * run.score.parts["words"])
        line[f"{name}: tried"] = len(firsts)
    lines.append(line)
show.table(lines, caption="SIMULATED, seed 0. Words of 10")

# %% [markdown]
# Depth-first search undoes its *last* decision first. Without pruning it walks down until nothing more fits, and then
# tries variants of the last words. A hundred steps later the wrong first word still stands. The search has a way back and never gets
# to use it where it counts.
#
# Pruning is what makes backtracking *reach back*: it cuts off whole subtrees, so that the search is up at the first
# word again while there are steps left. The study counted what was entered and what was pruned, with the key in hand:

# %%
for method in ("ToT", "- prune", "- backtrack"):
    row = study["table"][method]
    print(f"SIMULATED {method}: {row['visited']:.0f} states a run")
    for what in ("entered", "pruned"):
        sound, wrong = row[what]
        if seen := sound + wrong:
            share = sound / seen
            print(f"   {what}: {seen}, all letters right: {share:.0%}")

# %% [markdown]
# About a third of what the evaluator cut off was right. That is a heavy price, and still a good bargain: nearly all that was *entered* was
# right, while the search that never prunes spends most of its steps below a wrong letter.
#
# ### Predict: how much do a hundred steps buy?
#
# Sketch the share of right words against the number of steps, for the three searches. Where does each curve become flat?

# %% mystnb={"image": {"alt": "SIMULATED. Words right against steps. Tree of Thoughts starts lowest at five steps, passes the search without pruning at twenty and is flat after fifty. Without pruning the curve is flat after ten steps, without backtracking it rises little after ten, is flat after twenty, and highest."}} tags=["plot", "predict"]
points = []
for method in ("ToT", "- prune", "- backtrack"):
    for steps, found in study["table"][method]["after"].items():
        point = {"method": method, "steps": int(steps)}
        points.append(point | {"rate": rate(found, "words")})
titles = {"xlabel": "steps (SIMULATED)", "ylabel": "words right"}
show.plots.success_by_cost(points, x="steps", **titles)

# %% [markdown]
# **Figure.** Without pruning ten steps are as good as a hundred; with pruning the search pays up to fifty. Simulated.
#
# Without pruning the first descent decides. By the tenth step the board is as full as it gets, and the other ninety
# change nothing. (After *five* steps that search is even ahead: nobody has stopped it yet.) With pruning the later steps still pay, up to
# about fifty. The overwriting search is nearly done after ten, for another reason: its board is full, and nothing is
# left to propose.
#
# ## Turning the evaluator's dial
#
# ### Predict: where does pruning begin to hurt?
#
# An evaluator that says "impossible" of a possible clue throws a good state away. A state has several open clues, and
# one such verdict is enough. At which rate of false "impossible" is the search better off with no evaluator at all? One in
# twenty? One in five? One in two?


# %% tags=["set-up"]
# A curve for each method, against one dial of the simulation
def draw(dial, methods, part="words"):
    points = []
    for method in methods:
        for at, point in study["dials"][dial].items():
            found = rate(point[method]["first deepest"], part)
            row = {"method": method, dial: float(at), "rate": found}
            points.append(row)
    titles = {
        "xlabel": f"{dial} (SIMULATED)",
        "ylabel": f"{part} right",
    }
    return show.plots.success_by_cost(points, x=dial, **titles)


THREE = ("ToT", "- prune", "- backtrack")

# %% mystnb={"image": {"alt": "SIMULATED. Words right against the rate of false impossible verdicts. Tree of Thoughts falls from four fifths at zero to a quarter at one half. The two searches that do not prune are flat lines; it crosses that of the search without pruning at about one fifth."}} tags=["plot", "predict"]
draw("false_impossible", THREE)

# %% [markdown]
# **Figure.** Pruning stops to pay near one false alarm in five questions. Simulated.
#
# The searches that do not prune are flat: they never ask. ToT is far above its unpruned twin while false alarms are
# rare, and **below** it when they are not. One in five sounds like a lot; but a state has several open clues, and
# each of them can kill it.
#
# So before you prune, measure your evaluator, as the last chapter did with the key in hand, and find it on this axis. A simulation
# cannot promise what pruning will do to a real model. It says where to expect trouble.
#
# ## Turning the proposer's dials
#
# First its knowledge, from almost none to all. Where does a search add most to what the proposer knows?

# %% mystnb={"image": {"alt": "SIMULATED. Words right against the chance that the proposer knows a word. All four methods rise. Tree of Thoughts and the search without pruning begin and end together and are furthest apart in the middle. Direct answers stay lowest."}} tags=["plot"]
draw("know", (*THREE, "IO"))

# %% [markdown]
# **Figure.** A search adds most to a proposer that knows about half of the words. Simulated.
#
# The gap between ToT and its unpruned twin is small at both ends and wide in the middle. Who knows nothing cannot be
# helped by search, and who knows everything needs no help. Direct answers stay far below even with full knowledge:
# this proposer names a word only seven times in ten, and a single try has no second chance.
#
# ### Predict: what does stubbornness do?
#
# A stubborn proposer names a word that it knows although it does not fit the letters on the board. A search that may not
# overwrite refuses it. "- backtrack" writes it over the old letters.

# %% mystnb={"image": {"alt": "SIMULATED. Words right against stubbornness. The two searches that may not overwrite hardly change. The one without backtracking begins level with the search without pruning at zero and rises steeply, past Tree of Thoughts, to nine words in ten."}} tags=["plot", "predict"]
draw("stubborn", THREE)

# %% [markdown]
# **Figure.** Only the search that may overwrite answers to stubbornness: it rises from the level of no pruning past
# ToT. Simulated.
#
# At zero nothing is overwritten to any use, and "- backtrack" scores what "- prune" scores, to a hair. No wonder: the first
# descent of both is the same, and its end is the first deepest state. With every step of stubbornness it rises, and soon it is
# above ToT. So "- backtrack" is two methods in one. With a proposer that obeys the letters on the board, it is a search
# without a way back. With one that insists, it is *local repair*: fill in, look again, correct.
#
# One thing the simulation makes too easy: it insists only on words that are *right*. In the paper "- backtrack" has 20 % of
# the words, far below "- prune", too. So there overwriting did harm: a real proposer also insists on wrong words. The last chapter
# had one that wrote the same two words over each other until its steps were used up. The dial shows what the ablation *can* be.
#
# When may it overwrite? The paper does not say, so ours always follows the best word. The authors' code is more careful:
# it takes the best word that *fits*, and only if none fits the last one of the list (`greedy="fits"`). Does the rule matter?

# %%
RULE = "- backtrack, the authors' rule"
rows = {"- backtrack": study["table"]["- backtrack"], RULE: study[RULE]}
for name, row in rows.items():
    print(f"SIMULATED {name}")
    for rule in ("first deepest", "best state"):
        print(f"   {rule}: words {rate(row['rules'][rule], 'words')}")
gap = study[f"- backtrack against {RULE}"]["words"]
gap = [f"{100 * x:+.1f}" for x in gap]
print(f"SIMULATED difference: {gap[0]} [{gap[1]}, {gap[2]}] points")

# %% [markdown]
# A little, and to the careful rule's cost: it repairs less. The order of the rows in our table stays as it is. (Their code
# also stops as soon as the board equals the solution. A search must not know the solution, so ours goes on until ten
# words stand, or for twenty steps. Here that loses nothing: no board was better than the last.)
#
# What a table calls "without X" is X removed *and* whatever takes its place.
#
# ## Which state should be the output?
#
# The same simulated searches, read with other output rules. Nothing was searched again.

# %%
table = []
for rule, found in study["table"]["ToT"]["rules"].items():
    row = {"SIMULATED: output": rule}
    row |= {"ToT, words": rate(found, "words")}
    other = study["table"]["- prune"]["rules"][rule]
    row |= {f"- prune, {x}": rate(other, x) for x in ("words", "games")}
    table.append(row)
show.table(table, caption="SIMULATED. best state: an oracle, no rule")

# %% [markdown]
# **Table.** For the search that does not prune, the surest of the deepest states gains more than anything short of an
# oracle. Simulated.
#
# For ToT the rule hardly matters: its evaluator has done the choosing already. Counting the pruned states is a little
# better with the first deepest state and a little worse with most letters; these searches can settle neither. For the
# search *without* pruning the rule is worth a lot. Among
# the deepest states, take the one whose words had the highest **confidences in sum**: it finds nearly all the whole games that the
# oracle finds, and nothing was asked for it. The paper says that its output rule is "readily improved". Here is one way, in a simulation.
#
# ## Summary
#
# - An ablation removes a part, and often adds something too. Ask what *else* changed before you read the number.
# - Pruning makes backtracking reach back. Without it, depth-first search spends its steps below its first mistakes.
# - One "impossible" kills a state, so false alarms cost more than blindness. Measure the evaluator before you let it prune.
# - Search helps most in the middle: with a proposer that knows something and not everything.
# - Report the oracle beside the output. The gap says whether to improve the search or the output rule.
# - A simulation tells how a search answers to better and worse parts. It tells nothing about any model.
#
# ## Exercises
#
# ### Exercise 1: an evaluator that never says no
#
# Turn the simulated evaluator so that it never says "impossible": `false_impossible=0`, `false_fits=1`. Which row of
# the simulated table must the search now be equal to? Check it on one puzzle, state by state.
#
# <details><summary>Hint</summary>
#
# Compare `[node.state.answer for node in run.result.visited]` with the same of a run with `prune=False`.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
dials = {"know": 0.6, "false_impossible": 0, "false_fits": 1}
silent = SimulatedSolver(seed=1, **dials)
both = [
    tot.solve(task, puzzles[3], lm=silent),
    tot.solve(task, puzzles[3], lm=silent, prune=False),
]
visits = [x.result.visited for x in both]
mine, theirs = ([node.state.answer for node in v] for v in visits)
print(f"the same {len(mine)} states: {mine == theirs}")
bills = [x.result.ledger.asked for x in both]
spent = [bill.get("evaluator", tot.Usage()).calls for bill in bills]
print(f"questions to the evaluator: {spent[0]} against {spent[1]}")
# "- prune" is ToT with an evaluator that says nothing, and free of
# charge. Pruning can only be as good as its "impossible".

# %% [markdown]
# ### Exercise 2: ask three times
#
# With `values=3` each question is asked three times, and a clue counts as impossible only if all three say so. Predict
# what that does to a simulated evaluator with `false_impossible=0.3`, and to one with `false_fits=0.5`. Run both on the
# eight easy puzzles.
#
# <details><summary>Hint</summary>
#
# `tot.solve(task, p, lm=..., values=3)`, and `run.score.parts["words"]`. The simulated verdicts of one question are
# independent of each other.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
for dial in ({"false_impossible": 0.3}, {"false_fits": 0.5}):
    player = SimulatedSolver(seed=0, **(study["reference"] | dial))
    for values in (1, 3):
        words = []
        for p in puzzles:
            run = tot.solve(task, p, lm=player, values=values)
            words.append([run.score.parts["words"]])
        found = stats.bootstrap(words)
        print(f"SIMULATED {dial}, {values} verdicts: words {found}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Three false verdicts in a row have probability $0.3^3$, about 3 %: nearly all false alarms are gone. But a clue that *is*
# impossible must now be recognised three times, too, so more bad states get through. Which side wins depends on the
# dials. And all this rests on independence. A model that does not know the word "agend" will say "impossible" three times out of three
# (footnote 2 of the paper). Asking again cures noise, not ignorance.
#
# </details>
#
# ### Exercise 3: which mistake is worse?
#
# From the study's file: at the same rate, does a false "impossible" or a false "it fits" cost more words? Explain the
# difference with the number of questions that a state is asked.
#
# <details><summary>Hint</summary>
#
# `study["dials"]["false_fits"]["0.5"]["ToT"]["first deepest"]["words"]` is an estimate with its interval.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
for dial in ("false_impossible", "false_fits"):
    for at, point in study["dials"][dial].items():
        found = rate(point["ToT"]["first deepest"], "words")
        print(f"SIMULATED {dial:16} {float(at):4.2f}: words {found}")
# One false "impossible" among, say, six questions kills a good state:
# with an error of e per question it survives with (1 - e)^6. A bad
# state usually contradicts several clues, and it is enough that one of
# them is noticed. So the rule "one impossible prunes" forgives
# blindness and does not forgive false alarms.

# %% [markdown]
# ### Exercise 4: the price of overconfidence
#
# An overconfident proposer is as sure of its guesses as of what it knows, so its ranked list is worth less. Which of the three
# searches should suffer most from that? Predict, then read the dial `overconfident` from the study.
#
# <details><summary>Hint</summary>
#
# `draw("overconfident", THREE)` draws it; to print only, use `study["dials"]["overconfident"]`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
for method in THREE:
    print(f"SIMULATED {method}")
    for at, point in study["dials"]["overconfident"].items():
        found = point[method]["first deepest"]
        words, games = rate(found, "words"), rate(found, "games")
        print(f"   {at:>3}: words {words}, games {games}")
# All of them suffer, and the two that do not ask an evaluator lose most
# games. Look at 0, too: when confidence can be trusted, pruning is no
# longer worth anything, since the ranked list has put the right words
# first. A judge is needed because proposers are overconfident.

# %% [markdown]
# ## Further reading
#
# - Table 3 and its ablations: section 4.3 of {cite}`yao2023tree`; our check of its numbers is [C6 of the errata](../book/errata.md).
# - A search for the case that a heuristic errs *early*, where depth-first search is at its worst: limited discrepancy
#   search {cite}`harvey1995limited`.
# - How programs search that are made for crosswords: {cite}`ginsberg2011drfill`; {cite}`wallace2022automated`, which
#   ends with a local search that repairs the filled board.
# - In the package: `tot/tasks/crosswords_simulated.py`, `studies/crosswords_simulated.py`.
