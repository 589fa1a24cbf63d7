# %% [markdown]
# # Study: the Game of 24, as in the paper
#
# Side studies to [chapter 6](06_tot_bfs_game24.ipynb): each a question, one sentence of result, and its table or figure. They
# repeat section 4.1 and appendix B.2 of the Tree of Thoughts paper {cite}`yao2023tree` on the book's pocket model
# ([its card](../book/pocket_card.md)), and look into a few things that the chapter passes by. All of it was run live; `make
# study-game24` does it again in a few minutes.
#
# Three things to keep in mind. The puzzles are the ranks 901 to 1000 of *our* list, the paper's of theirs. The
# pocket model was trained on this game; GPT-4 was not. And here all puzzles draw samples of the same numbers, so that equal
# states have equal replies in all of them; in chapter 6 every puzzle draws its own. That is why the tree with five states
# kept has 64% here and 61% there, and without a program's help 22% and 15%: two draws of one model, which no test can tell apart.

# %% tags=["remove-input"]
import json
from collections import Counter
from pathlib import Path
from statistics import fmean

import matplotlib as mpl

import tot
from tot import stats
from tot.tasks.game24 import left
from treebook import show
from treebook.lab import Lab
from treebook.nbsetup import setup
from treebook.players import Pocket
from treebook.studies.results import area

setup()
mpl.rcParams["figure.dpi"] = 100  # a small file, with its figures
game = tot.task("game24")


def results(name):
    return json.loads(Path(f"../studies/results/{name}").read_text())


def percent(rate):
    estimate, low, high = (100 * r for r in rate)
    return f"{estimate:.0f}% [{low:.0f}, {high:.0f}]"


study = results("game24_pocket.json")
solved, N = study["solved"], study["n"]
print(f"{study['lm']}, {N} hard puzzles, {study['date']}")

# %% [markdown]
# ## What does each row of the paper's table give?
#
# **A tree multiplies the success of single samples for the pocket model as it did for GPT-4; unlike GPT-4, the
# pocket model does still better as the best of many chains, and gains at most a little from
# breadth.**

# %% tags=["remove-input"]
paper = {  # our row: GPT-4, GPT-3.5
    "IO": ("7.3%", "6%"),
    "CoT": ("4.0%", "3%"),
    "CoT-SC (k=100)": ("9.0%", None),
    "IO + Refine (k=10, checked)": ("27%", None),
    "IO, best of 100 (checked)": ("33%", None),
    "CoT, best of 100 (checked)": ("49%", None),
    "ToT b=1": ("45%", None),
    "ToT b=5": ("74%", "19%"),
}
rows = []
for name, (gpt4, gpt35) in paper.items():
    row = study["rows"][name]
    rows.append({"method": name})
    rows[-1]["pocket model"] = percent(row["rate"])
    rows[-1]["tokens written"] = round(row["generated tokens"])
    rows[-1] |= {"GPT-4": gpt4, "GPT-3.5": gpt35}
show.table(rows, highlight=-1)

# %% [markdown]
# **Table.** The pocket model's rows, n = 100, beside tables 2 and 5 of the paper. *Checked*: the free check picks, or stops.
#
# GPT-4 gained nothing from a chain; the pocket model was trained on chains that end well. Refining, which lifts GPT-4 to
# 27%, does little here: ten tries in one conversation solve fewer than the best of ten
# independent answers do (figure 3 (a), below). A hundredth of the
# training text was a refused answer with a better one after it.
#
# ## Does breadth help, or do more replies?
#
# **More replies to the propose prompt help; what breadth adds, if anything, is too little to be seen on a hundred puzzles.**

# %% tags=["remove-input"]
rows = []
for b in (1, 2, 3, 4, 5):
    rows.append({"states kept": b})
    for n in (1, 2, 3, 5):
        name = f"ToT b={b}" + (
            f", {n} propose replies" if n > 1 else ""
        )
        head = "one reply" if n == 1 else f"{n} replies"
        row = study["rows"].get(name)
        rows[-1][head] = percent(row["rate"]) if row else None
show.table(rows)

# %% [markdown]
# **Table.** Solved, by states kept and by propose replies for each state; n = 100.

# %% tags=["remove-input"]
for a, b in (("tot b=5", "tot b=1"), ("tot b=1 p=3", "tot b=1")):
    pairs = list(zip(solved[a], solved[b], strict=True))
    wins = sum(x > y for x, y in pairs)
    losses = sum(x < y for x, y in pairs)
    p = stats.mcnemar(wins, losses)
    print(f"{a:12} against {b}: {wins} to {losses}, p = {p:.2g}")

# %% [markdown]
# ## What does figure 3 (a) look like here?
#
# **Against states visited, the best of many chains stands above every tree with one reply for each state.**


# %% tags=["remove-input"] mystnb={"image": {"alt": "Success against states visited. The best of k samples rises steadily up to k = 100 for both IO and CoT, CoT well above IO. The points of Tree of Thoughts with one, three and five states kept form a flat row, above the curve of IO up to b = 4 and below that of CoT. Three points with one state kept and more replies rise steeply."}}
def point(name, label, row):
    return {"method": name, "label": label, **study["rows"][row]}


points = [point("tree", f"b={b}", f"ToT b={b}") for b in (1, 3, 5)]
more = "tree, b=1, n replies"
for n in (2, 3, 5):
    points.append(
        point(more, f"n={n}", f"ToT b=1, {n} propose replies")
    )
for name, curve in study["best of k"].items():
    for p in curve:
        points.append({"method": name, "label": f"k={p['k']}", **p})
for p in points:
    p["rate"] = stats.Interval(*p["rate"], N)
axis = "states visited"
show.plots.success_by_cost(points, x=axis, xlabel=f"{axis} per puzzle")

# %% [markdown]
# **Figure.** As in the paper's figure 3 (a), a sample of IO or CoT counts as one state. It is no unit of cost: a direct answer has a dozen
# tokens, a state of the tree pays for its share of a list and for three verdicts. Chapter 6 counts tokens.
#
# ## At which step are samples lost?
#
# **Four of five chains are lost at their first step, and so are more than four of five of the tree searches that fail.**

# %% tags=["remove-input"] mystnb={"image": {"alt": "Stacked bars. Four of five chains of thought are lost at step 1. Of the tree searches about a third are lost at step 1, few later, and about two thirds are solved."}}
steps = dict(zip("123", ("step 1", "step 2", "step 3"), strict=True))
steps |= {"4": "answer", "0": "solved"}
parts = [
    {"method": method, "step": steps[step], "count": n}
    for method, counts in study["fails at step"].items()
    for step, n in counts.items()
]
axis = "share of samples (CoT) or searches (ToT)"
show.plots.failures(parts, order=list(steps.values()), xlabel=axis)

# %% [markdown]
# **Figure.** Figure 3 (b) of the paper on the pocket model: a hundred chains for each puzzle, and two searches.
#
# ## Why do searches fail, and how good is the judge?
#
# **No proposed line kept 24 in reach, mostly at the first step; the judge misses few living states and praises few dead
# ones.**

# %% tags=["remove-input"]
rows = []
for cause in sorted(
    {c for each in study["causes"].values() for c in each}
):
    rows.append({"lost at": cause})
    for method, causes in study["causes"].items():
        rows[-1][method.removeprefix("ToT ")] = causes.get(cause, 0)
show.table(rows)

# %% [markdown]
# **Table.** Failed searches of a hundred. *Not proposed*: no line kept 24 in reach. *Judged impossible*: one did, and all
# its verdicts were *impossible*. *Not kept*: others were valued higher.

# %% tags=["remove-input"]
rows = [
    {"states": group, "n": row["n"]}
    | {"at least one sure of three": percent(row["some sure"])}
    for group, row in study["verdicts"].items()
]
show.table(rows)

# %% [markdown]
# **Table.** Verdicts on the states of these searches, by what a solver says.

# %% [markdown]
# ## Which role matters more?
#
# **A weak generator ruins the search whatever the judge; whether a weak judge costs a good generator anything, a hundred
# puzzles cannot quite tell.** *Early* is the pocket model at an early point of its training.

# %% tags=["remove-input"]
theirs = {"early early": "19%", "early final": "31%"}
theirs |= {"final early": "64%", "final final": "74%"}
rows = []
for name, rate in study["swap"].items():
    generator, _, judge, _ = name.replace(",", "").split()
    rows.append({"generator": generator, "judge": judge})
    rows[-1]["solved, b=5"] = percent(rate)
    rows[-1]["in the paper"] = theirs[f"{generator} {judge}"]
show.table(rows)

# %% [markdown]
# **Table.** Appendix B.2, where GPT-4 is the strong and GPT-3.5 the weak model. Here as there generation is the bottleneck.

# %% tags=["remove-input"]
both = solved["final generates, final evaluates"]
for one in ("early generates, final", "final generates, early"):
    pairs = list(zip(both, solved[f"{one} evaluates"], strict=True))
    wins = sum(x > y for x, y in pairs)
    losses = sum(x < y for x, y in pairs)
    p = stats.mcnemar(wins, losses)
    print(f"final in both against {one} evaluates:")
    print(f"    {wins} to {losses}, p = {p:.2g}")

# %% [markdown]
# ## What is the program's help worth?
#
# **Two thirds of the success, and none of that comes from refusing illegal steps: what is lost without help is the choice
# among five answers.** A program keeps the numbers that are left, refuses illegal steps, judges single numbers and answers, and writes the answer down from the
# steps. The paper's search has none of these.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Success of six searches. With all of the program's help, and where illegal steps are believed, 64%; where the model writes the answer, 33%; where the model judges the results, and in both rows without checks, about 20%. Hollow markers at about 60% in all rows: a right answer is in the beam."}}
help_ = study["help"]["rows"]
rows, any_of = [], {}
for name, row in help_.items():
    rate = stats.Interval(*row["chosen"], N)
    rows.append({"method": name, "rate": rate})
    any_of[name] = row["any of the beam"][0]
show.plots.rates(
    rows, references={"a right answer is among the five": any_of}
)

# %% [markdown]
# **Figure.** Without help a right answer is among the five nearly as often (hollow), and chosen far less often.

# %% tags=["remove-input"]
full, *others = help_
rows = []
for name in others:
    pairs = zip(
        help_[full]["solved"], help_[name]["solved"], strict=True
    )
    pairs = list(pairs)
    wins = sum(x > y for x, y in pairs)
    losses = sum(x < y for x, y in pairs)
    rows.append({"all help against": name, "won": wins, "lost": losses})
    rows[-1]["p"] = f"{stats.mcnemar(wins, losses):.2g}"
show.table(rows)

# %% [markdown]
# **Table.** The same puzzles in pairs.
#
# Why is the choice lost? Asked about a single number, the pocket model refuses, for a program always judged these in its
# training: none gets a value, 24 included. Asked about a finished answer, it calls wrong ones *sure* nearly as often as right
# ones. So this ablation says what help is worth to a model that grew up with it ([chapter 16](16_when_search_pays.ipynb#when-nobody-can-check) plays with a copy that practised to judge
# the end). GPT-4 had none, and chose better:

# %% tags=["remove-input"]
judged = study["help"]["answers judged"]["written by the model"]
gpt4 = results("authors.json")["game24 tree"]["success"]
rows = []
for kind, row in judged.items():
    rows.append({"what": f"pocket: some sure on {kind} answers"})
    rows[-1]["share"] = f"{percent(row['some sure'])} of {row['n']}"
for kind in ("any of five (checked)", "chosen without gold"):
    words = kind.replace(" (checked)", " is right")
    rows.append({"what": f"GPT-4: {words}"})
    rows[-1]["share"] = percent(gpt4[kind]["rate"])
show.table(rows)

# %% [markdown]
# **Table.** The pocket model's verdicts on answers that it wrote, and GPT-4's searches in [the authors'
# log](../book/authors_logs.md), a later run than the paper's: 69 puzzles where the paper has 74.
#
# For the recorded model of the book's other chapters, the same knob (`compose=False`: the model writes the answer and judges it):

# %% tags=["remove-input"]
lm = tot.Cassette("cassettes/06.jsonl")
puzzles = game.problems("starter")[0::4]
how = {"lm": lm, "style": "lean", "breadth": 5}
trees = [tot.solve(game, p, "tot-bfs", **how) for p in puzzles]
told = [
    tot.solve(game, p, "tot-bfs", compose=False, **how) for p in puzzles
]
pairs = [(a.chosen, b.chosen) for a, b in zip(trees, told, strict=True)]
wins, losses = (
    sum(a > b for a, b in pairs),
    sum(a < b for a, b in pairs),
)
print(f"program writes: {sum(a for a, _ in pairs)} of {len(pairs)}")
print(f"model writes:   {sum(b for _, b in pairs)} of {len(pairs)}")
print(f"{wins} to {losses}, p = {stats.mcnemar(wins, losses):.2g}")

# %% [markdown]
# ## Can a small model keep its own books?
#
# **Hardly: with a prompt like the paper's, which makes the model write the numbers that are left, most lines of the recorded model are illegal,
# and most of these have a right equation and a wrong list.**

# %% tags=["remove-input"]
rows, roots = [], [tot.State(p.x) for p in puzzles]
for style in ("lean", "one-shot"):
    replies = lm([game.propose(state, style) for state in roots])
    reads = [
        (read.ok, read.why)
        for state, reply in zip(roots, replies, strict=True)
        for read in game.read_proposals(state, reply.texts[0])
    ]
    legal = sum(ok for ok, _ in reads)
    why = Counter(why for ok, why in reads if not ok)
    rows.append({"prompt": style, "lines": len(reads)})
    rows[-1]["legal"] = stats.wilson(legal, len(reads))
    wrong = why["wrong numbers left"]
    rows[-1]["only the list wrong"] = wrong
    fixed = stats.wilson(legal + wrong, len(reads))
    rows[-1]["legal, lists put right"] = fixed
show.table(rows)

# %% [markdown]
# **Table.** First steps of ten puzzles. In the *lean* prompt the program keeps the books; it also has three examples, the paper's has
# one. Lines of one reply are not independent, so the intervals are a little too narrow.
#
# ## What did the judge's prompt give away?
#
# **Half of the recorded model's wins go through 10 and 14, the first example of its prompt (and of the authors').**

# %% tags=["remove-input"]
through = Counter()
for run in trees:
    way = [left(node.state) for node in run.result.best[0].path]
    if run.correct:
        through["10 and 14" if (10, 14) in way else "others"] += 1
for way, n in sorted(through.items()):
    print(f"solved through {way}: {n}")

# %% [markdown]
# ## Is the best of k lucky on a few puzzles, or on all?
#
# **Puzzles differ so much that the best of a hundred direct answers solves far fewer than if all had the mean
# rate.**

# %% tags=["remove-input"]
rows = []
for name, right in study["right of 100"].items():
    rate = fmean(right) / 100
    rows.append({"method": name, "mean rate": f"{rate:.1%}"})
    rows[-1]["never right"] = right.count(0)
    rows[-1]["right ten times or more"] = sum(c >= 10 for c in right)
    rows[-1]["best of 100"] = f"{sum(c > 0 for c in right) / N:.0%}"
    rows[-1]["if all were alike"] = f"{1 - (1 - rate) ** 100:.0%}"
show.table(rows)

# %% [markdown]
# **Table.** A hundred samples for each of a hundred puzzles.
#
# ## Three sampled verdicts, or one reply's probabilities?
#
# **One reply with its probabilities judges less well than three samples, at a third of their tokens, and no better than the word that it
# ends with. Even so, the search solves as many puzzles with half the tokens, as far as four trials can tell.**
#
# If a model tells how likely its words were, one reply can weigh all verdicts at once ([`verdicts="logprobs"`](../book/manual/verdicts.md)).
# First the judge alone. The *AUC* says how often it values a living state (24 can still be reached) above a dead one: 50% for a coin. The *missing
# mass* is the probability, at the place of the verdict, of everything that is not a verdict. The two gaps are differences of AUCs.

# %% tags=["remove-input"]
told = results("verdicts.json")
judges = told["judging"]["judges"]
counts = told["judging"]["living and dead states"].values()
print(f"{sum(map(sum, counts)):,} states, {told['date']}")
print("AUC of the likeliest reply, its probabilities:")
for name in ("gap to its words", "gap to three samples"):
    gap = judges["the likeliest reply, its probabilities"][name]
    print("  {}: {:+.3f} [{:+.3f}, {:+.3f}]".format(name, *gap))

# %% tags=["remove-input"]
rows = []
for name, row in judges.items():
    rows.append({"what is read": name})
    rows[-1]["tokens a state"] = row["tokens a state"]
    for size in (3, 2):
        auc = stats.Interval(*row[f"AUC, {size} numbers"], N)
        rows[-1][f"AUC, {size} numbers"] = auc
    if "probabilities" in name:
        rows[-1]["missing"] = f"{row['missing']:.2%}"
show.table(rows, highlight=4)

# %% [markdown]
# **Table.** The judges' AUC, by how many numbers are left in the states, and the missing mass. All judge the same states; intervals resample
# the hundred puzzles.
#
# This judge judges by trying things out. Asked for its verdict at once, it knows next to nothing, and the missing mass of 100% shows that it would
# never have given one there. Once it has tried, the verdict follows from what it wrote, and the little probability left on the other two is no second opinion: the
# same replies rank the states slightly better by their words alone. What helps is to take the likeliest reply in place of a drawn one. A
# model that judges without trying, and is in doubt, may have more to tell by its probabilities.

# %% tags=["remove-input"]
shows = told["shows"]
print(f"least gap that one trial shows: {shows['one trial']} puzzles")
print(f"and four trials, drawn afresh: {shows['all trials']:.1%}")

# %% tags=["remove-input"]
rows = []
for name, row in told["searches"].items():
    rows.append({"verdicts": name, "solved": percent(row["rate"])})
    gap = "{:+.1f} [{:+.1f}, {:+.1f}]".format(
        *(100 * g for g in row["gap"])
    )
    rows[-1]["points more"] = gap if len(rows) > 1 else ""
    rows[-1]["p"] = row["p"] if len(rows) > 1 else ""
    rows[-1]["tokens"] = row["tokens written"]
    rows[-1]["requests"] = row["requests"]
show.table(rows, highlight=2)

# %% [markdown]
# **Table.** ToT-BFS on the hundred puzzles, four trials each; a puzzle with its trials is one unit of the interval and of the **sign
# flip test**. Points and p compare with the first row. One sample loses two points. One reply with its
# probabilities loses nothing that shows, and a wider beam cannot spend all that it saves, since the trees run out of states. (The searches of a trial share their
# first steps, so even gaps smaller than those above, which are for fresh draws, can be told from chance.)

# %% [markdown]
# ## A number from 1 to 10, or a word?
#
# **Two hundred puzzles show no difference, though the number tells living states from dead ones a little better.** Section 3 of the paper lets a
# value prompt end in a number, such as 1 to 10, or in a word. The published model refuses to give one, so a copy of it practised both questions
# (3 million tokens, `studies/pocket/scalar.py`) and judges; the published model proposes. Three samples of each state in every row.

# %% tags=["remove-input"]
rated = results("scalar.json")
words, rows = [row["judge"] for row in rated["rows"]][1], []
for judge in dict.fromkeys(row["judge"] for row in rated["rows"]):
    row = {"a state's value": judge, "AUC": area(*rated["AUC"][judge])}
    for found in rated["rows"]:
        if found["judge"] == judge:
            row[found["shape"]] = percent(found["rate"])
    rows.append(row)
for shape, tests in rated["numbers minus"].items():
    (won, lost), p = tests[words]["alone"], rated["Holm"][shape]
    print(f"{shape}: numbers {won}, words {lost}, p = {p:.2g} (Holm)")
show.table(rows, caption=f"n = {rated['n']} puzzles, {rated['date']}")

# %% [markdown]
# **Table.** AUC: of the hundred puzzles' states (chapter 16's); the number's is ahead of the copy's words by 1.4 points [0.2, 2.7]. What 200 pairs can show,
# written down before: 7 points if one puzzle in ten changes sides. The scale does not matter here: at 10, 5 and 1 the same words solve the same
# puzzles, since this model was taught *sure* and *impossible*, and nothing between. Practice was on ratings of our making (10 where a try makes 24, else the less the
# farther it ends from it), so this is about a small trained judge; what a large model's gut number is worth, it cannot say.
#
# ## Siblings one by one, or in one call?
#
# **One call for six siblings reads a fifth of the tokens. Whether it judges worse, 120 states cannot tell, and either way it agrees no more than
# one that always says *impossible*.** A value prompt can list all states below a parent and ask for a verdict on each (`siblings=True`; off by default, as in the paper). The
# recorded model graded states of `hard` alone and among their siblings, once each (`studies/siblings.py`).

# %% tags=["remove-input"]
sib = results("siblings.json")
rows = []
for way in ("one by one", "in one call"):
    row = sib[way]
    rows.append({"graded": way, "agrees": percent(row["agreement"])})
    for name in ("unread", "read a state", "written a state"):
        rows[-1][name] = row[name]
gap = sib["in one call minus one by one, by family"]
points = [round(100 * x) for x in gap["difference"]]
states, alive = sib["states"], sib["solvable"]
print("{:+} points [{:+}, {:+}], p = {:.2g}".format(*points, gap["p"]))
print(f"always impossible: {1 - alive / states:.0%} of {states}")
show.table(rows, caption=f"{sib['model']}, {sib['dates'][0]}")

# %% [markdown]
# **Table.** How often the verdict agrees with an exhaustive check, in 20 families of six; unread verdicts count as wrong; tokens for each
# state. Intervals and the sign flip test draw whole families, since siblings share a reply.
#
# ## And the paper's own puzzles?
#
# **On those 32 of the paper's hundred that the pocket model was not trained on, no difference from our hundred can be seen.**

# %% tags=["remove-input"]
theirs = study["held-out puzzles of the authors' 901 to 1000"]
rows = [
    {"method": name, "paper's puzzles": percent(theirs[name])}
    | {"our hundred": percent(study["rows"][name]["rate"])}
    for name in ("IO", "CoT", "ToT b=1", "ToT b=5")
]
show.table(rows)

# %% [markdown]
# **Table.** The pocket model on the paper's held-out puzzles (n = 32) and on ours (n = 100).
#
# ## The recorded model, without that example
#
# **Its tree needs no 10 and 14: with two single numbers as examples in their place it solves more of 120 puzzles.** (That is clear on the
# fresh ones; the forty starter puzzles alone, 8 to 4, cannot tell. [Chapter 6](06_tot_bfs_game24.ipynb#a-real-model-120-puzzles) tells what it is ahead of; five states kept, three replies.)

# %% tags=["remove-input"]
heart, rows = results("heart.json"), []
for name in heart["sets"]["both"]["rates"]:
    rows.append({"contender": name})
    for kind, n in (("starter", 40), ("fresh", 80)):
        rate = heart["sets"][kind]["rates"][name]
        rows[-1][f"{kind}, n = {n}"] = percent(rate)
both = heart["sets"]["both"]
test = both["usual prompts minus tree"]
gap, low, high = (100 * x for x in test["difference"])
print(f"usual prompts minus these: {gap:+.0f} [{low:.0f}, {high:.0f}],")
print(
    f"    {' to '.join(map(str, test['alone']))}, p = {test['p']:.1g}"
)
for why, count in both["lost at"].items():
    print(f"lost at {why}: {count}")
show.table(rows, highlight=lambda row: row["contender"] == "tree")

# %% [markdown]
# **Table.** Qwen2.5-Coder-1.5B, 2026-11-26; k is 61 and 60. Of its *answers*, those that the model itself judges, it calls right ones sure in four
# cases of five, and wrong ones in one of four: seven times 24 was among the five states, and another answer was chosen.
#
# ## Your turn: the lab
#
# In Jupyter the next cell is a panel: type a puzzle, choose a method, turn its knobs, and press *Run*. It searches live with
# the pocket model; *Stop* keeps the best so far. In the static page it is a slider over four recorded searches.

# %% tags=["nbval-ignore-output", "remove-input"]
tape = tot.Cassette("cassettes/06_pocket.jsonl")
pairs = [(b, n) for n in (1, 2) for b in (1, 5)]
settings = [{"breadth": b, "proposals": n} for b, n in pairs]
start = {"problem": study["puzzles"][11], "settings": settings}
Lab({"pocket": Pocket()}, recorded=tape, size=64_000, **start)

# %% [markdown]
# **Figure.** Four recorded searches of one puzzle, with one or five states kept and one or two propose replies.
