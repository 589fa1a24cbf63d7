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
# An evaluator that says "impossible" too easily throws good boards away. One that never says it lets the search wander about below its
# first mistake. How often may it be wrong before a search does better without it? The recorded model of the [last
# chapter](08_tot_dfs_crosswords.ipynb) cannot answer that, because we cannot make its proposer or its evaluator any better or worse. Here
# both have dials.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.strictness()

# %% [markdown]
# **Figure.** Two ways to err: one branch too few, and one too many.
#
# <aside class="margin">Who plays: a simulated solver, on all of this page. The numbers say how a <em>search</em> responds to better
# and worse parts. They are no evidence about any model.</aside>
#
# In a hurry? Read [how wrong the evaluator may be](#how-wrong-may-the-evaluator-be). It needs nothing else on this page.
#
# ## Learning objectives
#
# After this chapter you can
#
# - explain why depth-first search without pruning gets stuck, although nothing stops it from going back;
# - say how good an evaluator must be before a search should listen to it;
# - read an ablation table critically, and ask what *else* the ablation changed;
# - choose an output rule, and a number of steps, from measured curves.
#
# ## A solver with dials
#
# A small program answers in place of the model. It reads the very same prompts, so the same readers and the same search run. It
# looks the answers up, on purpose, and then it forgets, errs and insists as often as its dials say.

# %% tags=["set-up"]
# The study, and where its dials stand
from functools import partial

import tot
from tot import stats
from treebook.studies.crosswords_simulated import SimulatedSolver
from treebook.studies.results import load

task = tot.task("crosswords")
puzzles = task.problems("easy")
study = load("../studies/results/crosswords_simulated.json")
SAYS = {
    "know": "it knows the word of a clue",
    "overconfident": "it is as sure of a guess as of what it knows",
    "stubborn": "it names a word it knows against the letters",
    "false_impossible": "it says impossible though the word fits",
    "false_fits": "it misses that the word does not fit",
}
at = study["reference"]
show.table(
    {"dial": dial, "how likely": text, "at": at[dial]}
    for dial, text in SAYS.items()
)

# %% [markdown]
# The last column is the **reference** position of each dial. It was chosen before the study was run and fitted to nobody's
# numbers. Here are the first twelve states of one search with it:

# %%
simulated = SimulatedSolver(seed=0, **study["reference"])
run = tot.solve(task, puzzles[3], lm=simulated, steps=12)
show.board_strip(run)

# %% [markdown]
# **Figure.** A simulated search goes down, is stopped by a verdict, and tries something else.
#
# One thing the solver cannot imitate is that mistakes go together. A real proposer and a real evaluator fail on the *same* clues, and
# here they fail independently. So compare the rows of a table and the shapes of the curves with each other, and do not compare a number
# on this page with a model's.
#
# ## Why the search without pruning is stuck
#
# No rule keeps it from going back as far as its first word. Count how many different *first* words a search tries in a hundred steps, on
# eight puzzles:

# %% tags=["set-up"]
# First words tried in a hundred steps
rows = []
for name, prune in (("ToT", True), ("no pruning", False)):
    row = {"first words tried": name}
    for p in puzzles:
        run = tot.solve(task, p, lm=simulated, prune=prune)
        tried = {node.id.split(".")[1] for node in run.result.visited}
        row[p.id.removeprefix("mini-")] = len(tried)
    rows.append(row)
show.table(rows, caption="one simulated search a puzzle, seed 0")

# %% [markdown]
# **Table.** Without pruning, none of eight searches gets beyond its first word in a hundred steps. (At most three words are
# tried at a state. On puzzles 03, 05 and 07 the search with pruning, too, spends its steps below the first word.)
#
# Depth-first search undoes its *last* decision first. Without pruning it tries one variant after another of the last words. A hundred
# steps later the first word still stands, right or wrong. Pruning makes backtracking reach far
# back: it cuts off whole subtrees, so five of the eight searches return to the first word while there are steps left.
#
# From here on the numbers are those of the study (`make study-crosswords`), which plays all 20 puzzles of the book with five seeds, a
# hundred searches for each setting, and moves one dial at a time. Five seeds of one puzzle are not five puzzles, so the study's intervals
# are bootstraps over the 20 puzzles. The study has the key, so it can count the states whose letters are all right:

# %% tags=["set-up"]
# States with no wrong letter, among those entered and those pruned
SEARCHES = {"ToT": "ToT", "- prune": "no pruning"}
SEARCHES["- backtrack"] = "no backtracking"
parts = ("ToT", "entered"), ("ToT", "pruned"), ("- prune", "entered")
rows = []
for method, what in parts:
    sound, wrong = study["table"][method][what]
    row = {"search": SEARCHES[method], "states": what}
    share = f"{sound / (sound + wrong):.0%}"
    rows.append(row | {"all letters right": share})
show.table(rows)

# %% [markdown]
# **Table.** A third of what the evaluator cut off was right. In return, nearly everything that was *entered* was right, while the search
# that never prunes spends most of its steps below a wrong letter.
#
# ### Predict: what a hundred steps buy
#
# Each search may look at a hundred states.


# %% tags=["set-up"]
# An interval of the study, and a difference, as it is printed
def rate(figures, name):
    return stats.Interval(*figures[name], study["puzzles"])


def signed(gap):
    mean, low, high = (f"{round(100 * x):+d}" for x in gap)
    return f"{mean} [{low}, {high}]"


def curves(points, x, xlabel):
    titles = {"xlabel": xlabel, "ylabel": "words right (simulated)"}
    return show.plots.success_by_cost(points, x=x, **titles)


# %%
points = [
    {"method": name, "steps": int(steps), "rate": rate(found, "words")}
    for method, name in [*SEARCHES.items()][:2]
    for steps, found in study["table"][method]["after"].items()
]
show.Predict(
    "Without pruning, how many steps find as many words as a hundred?",
    "10",
    choices=["5", "10", "20", "50"],
    figure=curves(points, "steps", "steps"),
    alt="ToT starts lowest, passes the search without pruning soon "
    "after 10 steps and is flat after 50. Without pruning the curve is "
    "flat after 10.",
)

# %% [markdown]
# **Figure.** Without pruning ten steps are as good as a hundred; with pruning the search still gains words up to step fifty.
#
# After five steps the search that never prunes is even ahead of ToT, since nothing has stopped it yet. But its first descent decides
# everything:
# by the tenth step its board is as full as it gets.
#
# ## Table 3 of the paper, simulated
#
# A game is **shown** if the board that the search hands in is right. It is **reached** if any state that it visited was the right
# board; only somebody with the solution could pick that one.
#
# ### Predict: four methods
#
# The four are direct answers (IO), ToT, ToT without pruning, and ToT without backtracking, which judges nothing and may write over
# letters.
# IO answers ten times: *shown* is the mean, and *reached* means that at least one of the ten is right. The proposer knows six
# of ten words at sight; the evaluator says "impossible" wrongly once in ten.

# %%
table, methods = [], {"IO": "IO"} | SEARCHES
for method, name in methods.items():
    rules = study["table"][method]["rules"]
    shown, best = rules[next(iter(rules))], rules["best state"]
    row = {x: rate(shown, x) for x in ("letters", "words")}
    row |= {"games shown": rate(shown, "games")}
    row |= {"games reached": rate(best, "games")}
    table.append({"method": name, **row})
which, note = "games reached by the {} alone", "ToT minus"
for method in ("- prune", "- backtrack"):
    gap = study[f"ToT against {method}"]
    one, two = (gap[which.format(x)] for x in ("first", "second"))
    note += f" {SEARCHES[method]}: words {signed(gap['words'])}, games "
    note += f"shown {signed(gap['games'])}, reached by one alone {one} "
    note += f"and {two}, p = {stats.mcnemar(one, two):.2f};"
show.Predict(
    "What is their order by right words, most first?",
    ["no backtracking", "ToT", "no pruning", "IO"],
    choices=[*methods.values()],
    shows=show.table(table, caption=note[:-1]),
)

# %% [markdown]
# ToT beats direct answers by far, as with GPT-4. With pruning, 31 more games in a hundred are *shown*. But the search without it
# *reaches* 39 and shows only 18, so what pruning certainly does is help a search hand in what it has found. Whether it also reaches more
# games is open: in 18 searches only ToT did, in 8 only the search without pruning, for which McNemar's test gives p = 0.08; against the
# search without backtracking it is 18 to 7, p = 0.04. Such a p treats five seeds of one puzzle as five puzzles, and it is one of several
# comparisons on this page, among which a small p is sometimes to be expected. The paper's GPT-4 reached four games of 20 without pruning
# and showed one; with it, seven and four. Three were lost either way, so its numbers do not say that pruning helps to hand in.
#
# One finding is reversed. Here the search without backtracking has *more* words than ToT. The paper's GPT-4 has 60% of the words with
# ToT, 41.5% without pruning and 20% without backtracking, and of 20 games it shows 4, 1 and 1 ([the table](../book/tables.md)).
#
# ## How wrong may the evaluator be?
#
# Turn one dial, the rate at which a possible clue is called impossible: a **false alarm**. A search without pruning
# never asks, so the dial does not move it.
#
# ### Predict: where does pruning begin to hurt?
#
# At some rate the search is no better off than with no evaluator at all.


# %% tags=["set-up", "predict"]
# A curve for each method, against one dial of the simulation
def turned(dial, xlabel):
    points = [
        {
            "method": name,
            "at": float(at),
            "rate": rate(point[method]["first deepest"], "words"),
        }
        for method, name in SEARCHES.items()
        for at, point in study["dials"][dial].items()
    ]
    return curves(points, "at", xlabel)


# %%
rows = []
for at, point in study["dials"]["false_impossible"].items():
    row = {"false alarms": f"{float(at):.0%}"}
    words = signed(point["ToT against - prune"]["words"])
    row["ToT minus no pruning, words"] = words
    sound = point["sound states of ToT"]
    cut = sound["pruned"] / sum(sound.values())
    rows.append(row | {"right boards that are cut off": f"{cut:.0%}"})
often = ("twenty", "ten", "five", "two")
show.Predict(
    "At what rate of false alarms is no gain from pruning left?",
    "one question in five",
    choices=[f"one question in {n}" for n in often],
    figure=turned("false_impossible", "false alarms"),
    alt="ToT falls from four fifths at no false alarms to a quarter at "
    "one half. It crosses the flat line of the search without pruning "
    "at about one fifth.",
    shows=show.table(rows, caption="differences in points; shares"),
)

# %% [markdown]
# **Figure.** Pruning stops paying near one false alarm in five questions.
#
# The last column says why: a board is judged by several clues,
# and *each* of them can kill it. So 20% false alarms about clues cut off 38% of the boards that have only right letters (a share of the
# right boards, not of the pruned), and a solution needs several such boards in a row. (Towards 50% the share grows slowly: the search
# then
# stays among boards of one to four words, and with one word no clue has the two letters to be judged.) Before you let an evaluator
# prune, measure
# its
# false alarms on boards whose solution you know, as the last chapter did, and find them on this axis. The simulation does not promise
# what pruning does to a real model.
#
# ## What else did the ablation change?
#
# Back to the search without backtracking. The ablation takes one thing away, the way back, and *adds* another: permission to
# overwrite. How often a
# proposer insists on a word that it knows, against the letters on the board, is the dial `stubborn`.
#
# ### Predict: what stubbornness does
#
# The dial goes from 0, where the proposer obeys the letters, to 1, where it names every word that it knows. Look at the search that may
# overwrite.

# %%
gaps = study["dials"]["stubborn"]["1"]["minus the first setting"]
told = (f"{SEARCHES[m]} {signed(gaps[m]['words'])}" for m in SEARCHES)
show.Predict(
    "By how many points does its share of right words change?",
    round(100 * gaps["- backtrack"]["words"][0]),
    low=-60,
    high=60,
    figure=turned("stubborn", "share of known words insisted on"),
    alt="ToT stays level, and no pruning rises a little. The "
    "one without backtracking rises from the level of no pruning past "
    "ToT to nine words in ten.",
    shows=f"From 0 to 1, points of words: {', '.join(told)}.",
)

# %% [markdown]
# **Figure.** The search that may overwrite gains from stubbornness: it rises from the level of no pruning past ToT.
#
# At zero, where nothing useful is overwritten, it scores as the search without pruning does: neither judges, and their first descents are
# the same. Where wrong letters stand, overwriting them with a right word is a repair. So the row is two methods in one. With a proposer
# that obeys the letters it is a search without a way back. With one that insists, it is *local repair*: fill in, look again, correct,
# until the board is full and nothing is left to propose. **What a table calls "without X" is X removed and whatever takes its place.**
#
# The simulation makes this too easy, because it insists only on words that are *right*. A real proposer also insists on wrong ones, as
# the last chapter's did with ARENA and APENA, and in the paper overwriting did harm. (The authors' code overwrites only if no word fits.
# In the study that rule scores fewer words than plain overwriting, by 3 points [1, 7].)
#
# ## Which state should be handed in?
#
# The same searches, read with other **output rules**. A proposed word has a confidence; the
# *surest* state is the one whose words have the highest in sum.

# %% tags=["set-up"]
# One row for each output rule
table, found = [], study["table"]
ours, theirs = (found[x]["rules"] for x in ("ToT", "- prune"))
RULES = ["first deepest", "last deepest", "surest of the deepest"]
for rule in (*RULES, "best state"):
    row = {"output": rule.replace("best state", "gold picks")}
    row["ToT, words"] = rate(ours[rule], "words")
    for part in ("words", "games"):
        row[f"no pruning, {part}"] = rate(theirs[rule], part)
    table.append(row)
gaps = study["surest of the deepest minus"]["- prune"]
told = (f"{rule} {signed(gap['games'])}" for rule, gap in gaps.items())
note = f"no pruning, games, surest minus: {', '.join(told)}"
show.table(table, caption=note, highlight=2)

# %% [markdown]
# **Table.** Without pruning, the surest of the deepest states is nearly as good as a pick made with the solution in hand.
#
# For ToT the rule hardly matters, since its evaluator has done the choosing. The search *without* pruning shows 17 more games of a
# hundred with the surest of the deepest than with the first, and it needs no further question.
#
# ## Summary
#
# - Depth-first search undoes its last decision first. Without pruning it would come back to its first one, but not
#   within a hundred steps.
# - A state is asked about several clues and one "impossible" is enough: in the simulation, with its other dials at their reference
#   settings, one false alarm in five takes the whole gain from pruning.
# - *Shown* and *reached* are two measures. Their gap says whether to work on the search or on the output rule.
# - An output rule asks the model nothing. Where nobody prunes, show the surest of the deepest boards rather than the first.
# - Before you believe an ablation, ask what the search does in place of the missing part.
#
# ## Exercises
#
# ### Exercise 1: an evaluator that never says no
#
# Turn the simulated evaluator so that it never says "impossible": `false_impossible=0`, `false_fits=1`. Which row of
# the table must the search now match? Check it on one puzzle, state by state.
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
solve = partial(tot.solve, task, puzzles[3], lm=silent)
both = [solve(prune=prune).result.visited for prune in (True, False)]
mine, theirs = ([node.state.answer for node in seen] for seen in both)
print(f"the same {len(mine)} states: {mine == theirs}")
# No pruning is ToT with an evaluator that says nothing, free of charge.

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
    for n in (1, 3):
        solve = partial(tot.solve, task, lm=player, values=n)
        words = [[solve(p).score.parts["words"]] for p in puzzles]
        print(f"{dial}, asked {n}x: words {stats.bootstrap(words)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Three false verdicts in a row have probability $0.3^3$, about 3%. But a clue that *is* impossible must now be recognised three times, so
# more bad states get through; eight puzzles are too few to show what that costs in words. And it rests on independence. A model that
# does not
# know the word "agend" says "impossible" three times out of three (footnote 2 of the paper). Asking again cures noise, and does nothing
# against ignorance.
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
    found = study["dials"][dial]["0.5"]["ToT"]["first deepest"]
    print(f"{dial} at 0.5: words {rate(found, 'words')}")
# With an error of e per question and k clues to judge, a good state
# survives with (1 - e)^k. A bad state usually contradicts several
# clues, and it is enough that one of them is noticed.

# %% [markdown]
# ### Exercise 4: the price of overconfidence
#
# An overconfident proposer is as sure of its guesses as of what it knows, so its ranked list is worth less. Which of the three
# searches should suffer most from that? Predict, then read the dial `overconfident` from the study.
#
# <details><summary>Hint</summary>
#
# `turned("overconfident", "overconfidence")` draws it; to print only, use `study["dials"]["overconfident"]`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
print("words:", ", ".join(SEARCHES.values()))
for at, point in study["dials"]["overconfident"].items():
    found = (point[m]["first deepest"] for m in SEARCHES)
    print(f"{at:>3}:", *(rate(x, "words") for x in found))
    gap = signed(point["ToT against - prune"]["words"])
    print("     ToT minus no pruning:", gap)
# No pruning suffers most, 55 points; ToT loses 35, no backtracking 20.
# No pruning keeps its first words, so it needs a list that can be
# trusted. At 0 it has one, and no gain from pruning is left to see.

# %% [markdown]
# ## Further reading
#
# - Table 3 and its ablations: section 4.3 of {cite}`yao2023tree`; its numbers are checked in [C6](../book/errata.md#c6-crosswords).
# - A search for the case that a judge errs *early*, where depth-first search is at its worst: limited discrepancy
#   search {cite}`harvey1995limited`.
# - How purpose-built crossword programs search: {cite}`ginsberg2011drfill`; {cite}`wallace2022automated`, which
#   ends with a local search that repairs the filled board.
