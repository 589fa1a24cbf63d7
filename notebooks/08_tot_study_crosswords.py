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
# An evaluator that says "impossible" too easily throws good boards away. One that never says it leaves the search to
# wander below its first mistake. How often may it be wrong before a search is better off without it? The recorded model of
# the [last chapter](08_tot_dfs_crosswords.ipynb) cannot tell us: its proposer and its evaluator are each as good as they are. Here
# both have dials.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.strictness()

# %% [markdown]
# **Figure.** Two ways to err: a branch too few, and a branch too many.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - explain why depth-first search without pruning gets stuck, although it may go back;
# - say how good an evaluator must be before a search should listen to it;
# - read an ablation table critically, asking what *else* the ablation changed;
# - choose an output rule, and a number of steps, from measured curves.
#
# **SIMULATED.** No language model answers anything on this page. The numbers say how a *search* answers to better and worse
# parts. They are no evidence about any model, and none of them shares a table with a model's.

# %% tags=["set-up"]
import json
from pathlib import Path

import tot
from tot import stats
from treebook.studies.crosswords_simulated import SimulatedSolver

task = tot.task("crosswords")
puzzles = task.problems("easy")
path = Path("../studies/results/crosswords_simulated.json")
study = json.loads(path.read_text())
searches, seeds = study["puzzles"], study["seeds"]
n = searches * seeds
print(f"{searches} puzzles, {seeds} seeds, {n} searches a row")

# %% [markdown]
# ## A solver with dials
#
# A small program answers in place of the model. It reads the very same prompts, so the same readers and the same search
# run. It looks the answers up, on purpose; then it forgets, errs and insists as often as its dials say.

# %% tags=["set-up"]
# The dials and where they stand
SAYS = {
    "know": "it knows the word of a clue",
    "overconfident": "it is as sure of a guess as of what it knows",
    "stubborn": "it names a word it knows against the letters",
    "false_impossible": "it says impossible though the word fits",
    "false_fits": "it misses that the word does not fit",
}
show.table(
    {"dial": dial, "how likely": text, "at": study["reference"][dial]}
    for dial, text in SAYS.items()
)

# %% [markdown]
# The last column is the **reference** position of each dial, chosen before the study was run and fitted to nobody's numbers. Here are the
# first twelve states of one search with it:

# %%
simulated = SimulatedSolver(seed=0, **study["reference"])
run = tot.solve(task, puzzles[3], lm=simulated, steps=12)
show.board_strip(run)

# %% [markdown]
# **Figure.** A simulated search goes down, is stopped by a verdict, and tries something else. Simulated.
#
# Think of a wind tunnel for the search. What it cannot imitate is how mistakes hang together: a real proposer and a real evaluator
# fail on the *same* clues, and here they fail independently. The study (`make study-crosswords`) plays all 20 puzzles of the
# book with five seeds, and moves one dial at a time. Five seeds of one puzzle are not five puzzles, so the intervals of the study
# are bootstraps over the 20 puzzles; other intervals on this page name their kind.
#
# ## Table 3 of the paper, simulated
#
# Four methods: direct answers (IO), ToT, ToT without pruning, and ToT without backtracking, which may write over letters. A game
# is **shown** if the board that the search hands in is right. It is **reached** if any state that it visited was the right board;
# only somebody with the solution could pick that one.
#
# ### Predict: the order of four methods
#
# The proposer knows six of ten words at sight; the evaluator says "impossible" wrongly once in ten. Rank the four by right
# words. Which of the three searches reaches many more games than it shows?


# %% tags=["set-up", "predict"]
# The table of the study
def rate(figures, name):
    """An interval of the study: a bootstrap over its puzzles."""
    return stats.Interval(*figures[name], study["puzzles"])


SEARCHES = {"ToT": "ToT", "- prune": "no pruning"}
SEARCHES["- backtrack"] = "no backtracking"
table = []
for method, name in ({"IO": "IO"} | SEARCHES).items():
    rules = study["table"][method]["rules"]
    shown, best = rules[next(iter(rules))], rules["best state"]
    row = {x: rate(shown, x) for x in ("letters", "words")}
    row |= {"games shown": rate(shown, "games")}
    row |= {"games reached": rate(best, "games")}
    table.append({"method": name, **row})
show.table(table, caption=f"simulated: {n} runs a row")

# %% [markdown]
# (A run of IO is ten answers: *shown* is their mean, and a game is *reached* if one of the ten is right.) The paper's numbers
# have a table of their own: GPT-4, twenty games. They are a model's and ours are not, so only the *pattern* can be compared.

# %% tags=["set-up"]
# The paper's table 3: letters and words in per cent, games of 20
PAPER = {"IO": (38.7, 14, 0, None), "ToT": (78, 60, 4, 7)}
PAPER["- prune"] = (65.4, 41.5, 1, 4)
PAPER["- backtrack"] = (54.6, 20, 1, None)
rows = []
for method, (letters, words, games, reached) in PAPER.items():
    row = {"GPT-4, in the paper": method, "letters": f"{letters:g}%"}
    row |= {"words": f"{words:g}%"}
    row |= {"games shown": stats.wilson(games, 20)}
    seen = "" if reached is None else stats.wilson(reached, 20)
    row["GPT-4, in the paper"] = SEARCHES.get(method, method)
    rows.append(row | {"games reached": seen})
show.table(rows, caption="intervals: Wilson, 20 games")

# %% [markdown]
# Twenty games are few, as those intervals say. A simulation can draw more, and compare run by run: the same puzzle, the same
# seed, two searches.

# %% tags=["set-up"]
# ToT minus each ablation, run by run
WHO = ("first", "second")
rows = []


def signed(gap):
    mean, low, high = (f"{round(100 * x):+d}" for x in gap)
    return f"{mean} [{low}, {high}]"


for other in ("- prune", "- backtrack"):
    gap = study[f"ToT against {other}"]
    row = {"ToT minus": SEARCHES[other]}
    row |= {"words": signed(gap["words"])}
    row |= {"games shown": signed(gap["games"])}
    alone = [gap[f"games reached by the {x} alone"] for x in WHO]
    row["reached by ToT alone"], row["by the other alone"] = alone
    row["by both"] = gap["games reached by both"]
    rows.append(row | {"p of reached": f"{stats.mcnemar(*alone):.2f}"})
show.table(rows, caption="simulated: points; games of 100")

# %% [markdown]
# **Table.** Pruning is worth 31 more games *shown*. Whether it reaches more games, too, this cannot tell. Simulated.
#
# The first row counts two things. Without pruning the search *shows* far fewer games, 18 instead of 49, and yet it
# *reaches* 39: the 31 that both reach, and eight that the pruned search never saw. Against those stand 18 that only ToT
# reached, and 18 to 8 is not yet a clear win (and that p even treats five seeds of one puzzle as five puzzles). So what pruning surely
# does is to help a search hand in what it has found. The paper's four games reached and one shown point the same way, and are too
# few to tell.
#
# ToT beats direct answers by far, as with GPT-4. One finding is reversed: here the search without backtracking has *more* words than
# ToT, where the paper has it far behind. We come back to it.
#
# ## Why the search without pruning is stuck
#
# It may go back whenever it likes. So why is it so much worse? Below are eight puzzles, live. Beside the right words stands how many
# different *first* words a search has tried in a hundred steps.

# %% tags=["set-up"]
# First words tried in a hundred steps
lines = []
for p in puzzles:
    line = {"puzzle": p.id}
    for name, prune in (("ToT", True), ("no pruning", False)):
        run = tot.solve(task, p, lm=simulated, prune=prune)
        firsts = {node.id.split(".")[1] for node in run.result.visited}
        line[f"{name}: words"] = round(10 * run.score.parts["words"])
        line[f"{name}: tried"] = len(firsts)
    lines.append(line)
show.table(lines, caption="simulated, seed 0: words of 10")

# %% [markdown]
# **Table.** Without pruning, none of eight searches gets beyond its first word in a hundred steps. Simulated.
#
# Depth-first search undoes its *last* decision first. Without pruning it walks down until nothing fits any more, and then tries variants
# of the last words. A hundred steps later the first word still stands, right or wrong. Pruning makes backtracking reach far back: it cuts off
# whole subtrees, and so the search is up at the first word again while there are steps left. With the key in hand we can count how sound the states were:

# %% tags=["set-up"]
# States with no wrong letter, among those entered and those pruned
rows = []
for method, name in SEARCHES.items():
    here = study["table"][method]
    row = {"search": name, "states a run": round(here["visited"])}
    for what in ("entered", "pruned"):
        sound, wrong = here[what]
        some = f"{sound / (sound + wrong):.0%}" if sound + wrong else ""
        row[f"{what}: all letters right"] = some
    rows.append(row)
show.table(rows, caption="simulated")

# %% [markdown]
# About a third of what the evaluator cut off was right. That is a heavy price, and still a good bargain: nearly everything that was
# *entered* was right, while the search that never prunes spends most of its steps below a wrong letter.
#
# ### Predict: how much do a hundred steps buy?
#
# Sketch the share of right words against the number of steps, for the three searches. Where does each curve go flat?

# %% mystnb={"image": {"alt": "SIMULATED. Words right against steps. Tree of Thoughts starts lowest at five steps, passes the search without pruning soon after ten and is flat after fifty. Without pruning the curve is flat after ten steps, without backtracking it rises little after ten, is flat after twenty, and highest."}} tags=["plot", "predict"]
points = []
for method, name in SEARCHES.items():
    for steps, found in study["table"][method]["after"].items():
        point = {"method": name, "steps": int(steps)}
        points.append(point | {"rate": rate(found, "words")})
titles = {"xlabel": "steps", "ylabel": "words right (simulated)"}
show.plots.success_by_cost(points, x="steps", **titles)

# %% [markdown]
# **Figure.** Without pruning ten steps are as good as a hundred; with pruning the search gains up to fifty. Simulated.
#
# After five steps the search that never prunes is even ahead, since nobody has stopped it yet. But its first descent decides
# everything: by the tenth step its board is as full as it gets. The search that overwrites is nearly done after ten, for another reason: its
# board is full, and nothing is left to propose.
#
# ## How wrong may the evaluator be?
#
# ### Predict: where does pruning begin to hurt?
#
# Turn one dial, the rate at which a possible clue is called impossible: a **false alarm**. At which rate is the search better off
# with no evaluator at all? One in twenty? One in five? One in two?


# %% tags=["set-up"]
# A curve for each method, against one dial of the simulation
def draw(dial, xlabel):
    points = []
    for method, name in SEARCHES.items():
        for at, point in study["dials"][dial].items():
            found = rate(point[method]["first deepest"], "words")
            row = {"method": name, "at": float(at), "rate": found}
            points.append(row)
    titles = {"xlabel": xlabel, "ylabel": "words right (simulated)"}
    return show.plots.success_by_cost(points, x="at", **titles)


# %% mystnb={"image": {"alt": "SIMULATED. Words right against the rate of false impossible verdicts. Tree of Thoughts falls from four fifths at zero to a quarter at one half. The two searches that do not prune are flat lines; it crosses that of the search without pruning at about one fifth."}} tags=["plot", "predict"]
draw("false_impossible", "false alarms: share of possible clues")

# %% [markdown]
# **Figure.** Pruning stops paying near one false alarm in five questions. Simulated.
#
# The two flat lines belong to searches that never ask. Run by run, ToT minus its twin without pruning:

# %% tags=["set-up"]
# The difference at each position of the dial
rows = []
for at, point in study["dials"]["false_impossible"].items():
    row = {"false alarms": f"{float(at):.0%}"}
    words = signed(point["ToT against - prune"]["words"])
    row["ToT minus no pruning, words"] = words
    sound = point["sound states of ToT"]
    cut = sound["pruned"] / sum(sound.values())
    rows.append(row | {"right boards that are cut off": f"{cut:.0%}"})
show.table(rows, caption="simulated: points; shares")

# %% [markdown]
# An evaluator with one false alarm in five does not sound hopeless, and yet pruning by it gains nothing that these runs can show.
# The last column says why: a board is judged by several clues, and *each* of them can kill it. So 20% false alarms about clues
# cut off 38% of the boards that have only right letters, and a solution needs several such boards in a row. Before you let an
# evaluator prune, measure its false alarms, as the last chapter did, and find them on this axis. A simulation cannot promise what pruning does to a real model; it says where to expect trouble.
#
# ## What else did the ablation change?
#
# Back to the search without backtracking. The ablation takes one thing away, the way back, and *adds* another: permission to overwrite. If a proposer
# insists on a word that it knows, against wrong letters on the board, then writing over them is a repair. How often it insists is
# the dial `stubborn`.
#
# ### Predict: what does stubbornness do?
#
# Which of the three searches will answer to that dial, and in which direction?

# %% mystnb={"image": {"alt": "SIMULATED. Words right against stubbornness. The two searches that may not overwrite hardly change. The one without backtracking begins level with the search without pruning at zero and rises steeply, past Tree of Thoughts, to nine words in ten."}} tags=["plot", "predict"]
gaps = study["dials"]["stubborn"]["1"]["minus the first setting"]
for method, name in SEARCHES.items():
    gap = signed(gaps[method]["words"])
    print(f"from 0 to 1, {name:15} {gap} points")
draw("stubborn", "share of known words insisted on")

# %% [markdown]
# **Figure.** The search that may overwrite answers to stubbornness: it rises from the level of no pruning past
# ToT. Simulated.
#
# The search without pruning gains a little, too. At zero, where nothing useful is overwritten, these two have the same score: their
# first descents are the same, and the end of the descent is the first deepest state. So the row is two methods in one. With a proposer that obeys
# the letters it is a search without a way back; with one that insists, it is *local repair*: fill in, look again, correct. **What a
# table calls "without X" is X removed and whatever takes its place.**
#
# The simulation makes this too easy, because it insists only on words that are *right*. A real proposer also insists on wrong ones, as the last chapter's
# did with ARENA and APENA, and in the paper overwriting did harm. (The authors' code overwrites more carefully than ours; whether it
# would still be ahead of ToT, this simulation cannot tell.)

# %% tags=["checked"]
# the authors' rule: take the best word that fits; only if none
# fits, write the last of the list over what stands
RULE = "- backtrack, the authors' rule"
plain = study["table"]["- backtrack"]
rows = {"no backtracking": plain, "the authors' rule": study[RULE]}
for name, row in rows.items():
    found = rate(row["rules"]["first deepest"], "words")
    print(f"simulated, {name}: words {found}")
for name in ("- backtrack", "ToT"):
    gap = signed(study[f"{name} against {RULE}"]["words"])
    print(f"{SEARCHES[name]} minus the authors' rule: {gap} points")

# %% [markdown]
# ## Which state should be handed in?
#
# The same simulated searches, read with other **output rules**; nothing was searched again. ("Not pruned": only states that were entered count.)

# %% tags=["set-up"]
# One row for each output rule
table = []
for rule, found in study["table"]["ToT"]["rules"].items():
    name = "best state (gold picks)" if rule == "best state" else rule
    row = {"output": name, "ToT, words": rate(found, "words")}
    other = study["table"]["- prune"]["rules"][rule]
    for part in ("words", "games"):
        row[f"no pruning, {part}"] = rate(other, part)
    table.append(row)
show.table(
    table,
    caption="simulated",
    highlight=lambda row: row["output"] == "surest of the deepest",
)

# %% [markdown]
# **Table.** Without pruning, the surest of the deepest states is worth nearly as much as a pick with the solution.
# Simulated.

# %% tags=["set-up"]
# The surest of the deepest against two other rules, run by run
rows = []
for method, found in study["surest of the deepest minus"].items():
    for rule, gap in found.items():
        row = {"search": SEARCHES[method], "surest minus": rule}
        row |= {part: signed(gap[part]) for part in ("words", "games")}
        rows.append(row)
show.table(rows, caption="simulated: points")

# %% [markdown]
# For ToT the rule hardly matters, since its evaluator has done the choosing. For the search *without* pruning it matters a lot. Among the
# deepest states, take the one whose words had the highest confidences in sum: it shows 17 games more of a hundred than the first
# deepest, and asks nobody anything. The *last* deepest is nearly as good: surest has a few more words, and whether it has
# more games cannot be told. The paper says that its output rule is "readily improved"; in a simulation, this is one way.
#
# ## Summary
#
# - Depth-first search undoes its last decision first. Without pruning it would come back to its first one in the end, but not within
#   a hundred steps.
# - A state is asked about several clues and one "impossible" is enough: with one false alarm in five, no gain from pruning is left
#   to be seen.
# - *Shown* and *reached* are two measures. Their gap says whether to work on the search or on the output rule.
# - An output rule costs nothing. Where nobody prunes, the surest of the deepest boards is a better one to show than the first.
# - Before you believe an ablation, ask what the search does in place of the missing part.
#
# ## Exercises
#
# ### Exercise 1: an evaluator that never says no
#
# Turn the simulated evaluator so that it never says "impossible": `false_impossible=0`, `false_fits=1`. Which row of
# the table must the search now be equal to? Check it on one puzzle, state by state.
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
# No pruning is ToT with an evaluator that says nothing, and free of
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
    words = {}
    for values in (1, 3):
        runs = [
            tot.solve(task, p, lm=player, values=values)
            for p in puzzles
        ]
        words[values] = [run.score.parts["words"] for run in runs]
        found = stats.bootstrap([[share] for share in words[values]])
        print(f"{dial}, {values} verdicts: words {found}")
    gaps = [b - a for a, b in zip(*words.values(), strict=True)]
    found = stats.sign_flips(gaps)
    print(f"   sign flips, eight puzzles: p = {found:.2f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Three false verdicts in a row have probability $0.3^3$, about 3%: nearly all false alarms are gone. But a clue that *is*
# impossible must now be recognised three times, too, so more bad states get through; what that costs in words, eight puzzles
# cannot tell. And all this rests on independence. A model that does not know the word "agend" will say "impossible" three times out of three
# (footnote 2 of the paper). Asking again cures noise, and does nothing against ignorance.
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
        print(f"{dial:16} {float(at):4.2f}: words {found}")
# One false "impossible" kills a good state: with an error of e per
# question and k clues to judge it survives with (1 - e)^k. A bad
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
# `draw("overconfident", "overconfidence")` draws it; to print only, use `study["dials"]["overconfident"]`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
for method, name in SEARCHES.items():
    print(name)
    for at, point in study["dials"]["overconfident"].items():
        found = point[method]["first deepest"]
        words, games = rate(found, "words"), rate(found, "games")
        print(f"   {at:>3}: words {words}, games {games}")
print("ToT minus no pruning, words")
for at, point in study["dials"]["overconfident"].items():
    print(
        f"   {at:>3}: {signed(point['ToT against - prune']['words'])}"
    )
# All of them suffer. Look at 0, too: when confidence can be trusted, no
# gain from pruning is left to see, since the ranked list has put the
# right words first. A judge is needed because proposers are
# overconfident.

# %% [markdown]
# ## Further reading
#
# - Table 3 and its ablations: section 4.3 of {cite}`yao2023tree`; its numbers are checked in [C6](../book/errata.md#c6-crosswords).
# - A search for the case that a heuristic errs *early*, where depth-first search is at its worst: limited discrepancy
#   search {cite}`harvey1995limited`.
# - How programs search that are made for crosswords: {cite}`ginsberg2011drfill`; {cite}`wallace2022automated`, which
#   ends with a local search that repairs the filled board.
# - In the package: `treebook/studies/crosswords_simulated.py`, `studies/crosswords_simulated.py`.
