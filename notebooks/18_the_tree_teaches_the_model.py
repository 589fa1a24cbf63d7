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
# # The tree teaches the model
#
# Every search in this book has forgotten what it found. It answered one question, and the next search began with nothing. What if the model
# *learned* from its searches? Today's reasoning models were trained much like that. They attempt problems, a program checks the
# attempts, and training makes the attempts that passed likelier {cite}`guo2025deepseek`.
#
# Here a small model knows the rules of the Game of 24 and nothing else. No solver and no worked solution comes near it. A tree search
# finds ways to 24 with this model, a program checks them by the rules, and the model is trained on the ways that passed. Then the better model
# searches again.

# %% tags=["set-up"]
# Imports, and the results of the rounds
from math import fsum
from statistics import fmean

import tot
from tot import stats
from tot.tasks.game24 import numbers_of, steps_of
from tot.tasks.game24_rules import read_step
from treebook import show
from treebook.nbsetup import setup
from treebook.players import Pocket
from treebook.players.forms import chain as chain_line
from treebook.players.forms import proposals, verdict
from treebook.studies.learned import Rounds
from treebook.studies.results import interval, load, rate

setup()
study = Rounds("../studies/results/teach.json")


def small_model(name):
    """Its recording; and live, with its weights, for other runs."""
    recorded = tot.Cassette(f"cassettes/18_{name}.jsonl")
    weights = f"../studies/teach/{name}.safetensors"
    return {"lm": recorded, "live": Pocket(weights=weights, name=name)}


# %% tags=["plot"]
show.concepts.lessons()

# %% [markdown]
# **Figure.** One round. The model learns only from ways that passed the check.
#
# <aside class="margin">Who plays: a network of 0.9 million parameters, trained from nothing for this chapter. It is the <em>novice</em>
# before the first round and a <em>pupil</em> afterwards. It is small enough to be trained again and again, which the controls need.</aside>
#
# First see what three rounds do. The same search plays with the model before them, the **novice**, and after them, its **pupil**.

# %%
game = tot.task("game24")
novice, pupil = small_model("novice"), small_model("pupil")
x = "2 6 10 13"
for player in (novice, pupil):
    tree = tot.solve(game, x, "tot-bfs", **player, breadth=5)
    name = player["lm"].name
    print(name, "solves it" if tree.any else "finds nothing")
show.explorer(tree)

# %% [markdown]
# **Figure.** The pupil's search. (We chose a puzzle that shows the difference; neither player ever practised it. Its five *rounds* are batches of calls.)
#
# Two questions are left. Can the pupil throw the tree away and just write the answer down? And was the *tree* needed to teach it, or would
# plain attempts have done? In a hurry? Read [one round, by hand](#one-round-by-hand) and [was the tree needed](#was-the-tree-needed).
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a round of expert iteration, and say what a found way teaches a generator, an evaluator and a chain;
# - compare a taught model with its teacher, and with a model that learned without a tree at equal tokens;
# - take the loop apart: which half learns, what the check is for, when it stops;
# - work out how many problems you must have before training pays.
#
# ## One round, by hand
#
# The loop is called **expert iteration** {cite}`anthony2017thinking`, and AlphaZero {cite}`silver2018general` is its best-known
# relative. A model with a search plays better than the model alone. So the model is trained to imitate the search, and the next search uses the better model.
#
# Our novice practised 45 million tokens of rules: legal steps in no order of merit, verdicts that report what two random tries came to,
# and chains that use up the numbers at random. It plays by the rules and has no idea where to go:

# %%
ask = game.cot(tot.State(x)).samples(first=0, n=2)
[reply] = novice["lm"]([ask])
print(reply.texts[1])

# %% [markdown]
# A round searches 962 puzzles, all of our list except 400 that nobody trains on. We take four, and search them as the study does: the beam keeps five states and asks twice for proposals from each.
# The check is the free one of [chapter 3](03_io_and_verifiers.ipynb): every step legal, and 24 at the end.

# %%
four = [game.problems("all")[i] for i in (1, 417, 846, 1360)]
knobs = {"breadth": 5, "proposals": 2}
ways, tokens = {}, 0
for problem in four:
    tree = tot.solve(game, problem, "tot-bfs", **novice, **knobs)
    tokens += tree.result.ledger.total.completion_tokens
    for node in tree.result.best:
        answer = node.state.answer
        if answer and game.verify(problem, answer).correct:
            ways.setdefault(problem.x, []).append(steps_of(node.state))
print(tokens, "tokens;", {x: len(found) for x, found in ways.items()})

# %% [markdown]
# Two of the four are solved, one of them in four ways. A way is three steps. It becomes a line of practice for each thing that the model has to write:


# %%
def lessons(x, way):
    numbers = numbers_of(x)
    yield chain_line(numbers, numbers, way)  # the whole way
    for i, step in enumerate(way):
        yield proposals(numbers, [step])  # a good next step
        yield verdict(numbers, [way[i:]], "sure")  # a good state
        numbers = step.left


[way] = ways["6 9 12 12"]
for kind, question, reply in lessons("6 9 12 12", way):
    print(kind, question)
    print("   ", reply.replace("\n", "\n    "))

# %% [markdown]
# In the study a reply of proposals names eight legal steps, one on a found way drawn twelve times as often as another. Half of the
# verdicts still come from random tries, because a judge must also see bad states. The current model trains on 2.5 million such tokens, made from
# the ways of all rounds so far, and the next round begins with it.
#
# ## What three rounds do
#
# We measure on a hundred hard puzzles of those 400, with forty chains for each. *Best of 40* means that one of these is right
# and the check finds it. The *tree* is a **narrow** one, as [chapter 16](16_when_search_pays.ipynb) recommends: it keeps one
# state and asks three times for proposals from it. The **teacher's** tree, which searches for lessons, keeps five states and writes three quarters more. Three trainings, with different seeds, start from the same novice.
#
# ### Predict: what does one round do to a single chain?
#
# Of a thousand chains of the novice, one is right. Now it learns once, from the ways that its tree found.

# %% tags=["set-up"]
# The pupil of the tree after each round
rows, names = [], {"IO": "at once", "CoT": "one chain"}
names |= {"CoT-SC": "vote of 40", "best of 40": "best of 40"}
names["narrow ToT"] = "tree"
for after in range(4):
    rows.append({"rounds": after})
    for method, name in names.items():
        i = study.rate("tree", after, method)
        form = ".1%" if method in ("IO", "CoT") else ".0%"
        told = f"{i.rate:{form}}"
        if method not in ("IO", "CoT-SC"):
            told += f" [{i.low:{form}}, {i.high:{form}}]"
        rows[-1][name] = told.replace("%", "")
note = "per cent, 95% intervals; n = 100 puzzles, three seeds"
show.Predict(
    "How often is one chain right after that round?",
    round(100 * study.rate("tree", 1, "CoT").rate, 1),
    low=0,
    high=20,
    step=0.1,
    unit="%",
    shows=show.table(rows, caption=note),
)

# %% [markdown]
# **Table.** After one round forty chains solve about as much as the tree.
#
# After three rounds one chain is right thirty times as often as at the start, and still wrong 96 times in a hundred.
#
# ## Does the chain catch up with the tree that taught it?
#
# One chain alone does not. But it writes forty tokens, where the novice's teaching tree (five states) writes five thousand and solves 20%. In a fair race
# chains may write as much as the tree, and their ends are checked as the tree's is. (A program also refuses the tree's illegal steps, as in chapter 16.)


# %% tags=["plot"] mystnb={"image": {"alt": "Solved puzzles against tokens per puzzle, on a logarithmic axis. Three rising curves for checked chains: the novice's stays near zero and ends at 4 percent; those after one and three rounds end at 37 and 56 percent near 1,700 tokens. Three points for trees near 2,900 tokens: the novice's, at 15 percent, lies far above its curve; the other two lie about where the curves of the same round end."}}
def best_of(arm, after, k):
    """For each puzzle, how often k chains hold a right one."""
    seeds = study.seeds(arm, after) if after else [0]
    players = [study.measured(arm, s, after)["CoT"] for s in seeds]
    each = zip(*(player["right"] for player in players), strict=True)
    return [fmean(stats.pass_at_k(40, c, k) for c in cs) for cs in each]


rows = []
for after, name in ((0, "novice"), (1, "1 round"), (3, "3 rounds")):
    each = study.mean("tree", after, "CoT", "tokens") / 40
    for k in (1, 2, 5, 12, 40):
        point = {"tokens": k * each}
        point["rate"] = rate(best_of("tree", after, k))
        rows.append(point | {"method": f"chains, {name}"})
    place = "tree", after, "narrow ToT"
    point = {"tokens": study.mean(*place, "tokens")}
    point |= {"rate": study.rate(*place), "method": f"tree, {name}"}
    rows.append(point)
show.plots.success_by_cost(rows, log=True, top=0.7)

# %% [markdown]
# **Figure.** Checked chains, from one to forty, and the tree of the same player. For the novice the tree is far above the chains.
# After one round it has no lead left.

# %% tags=["set-up"]
# The judge, and the border of chapter 16
borders = load("../studies/results/search_pays.json")["borders"]
border = borders["one chain, 3, best of k, checked, written"]
rows = []
for after in range(4):
    one = study.rate("tree", after, "CoT").rate
    near = [abs(known - one) for known in border["generator"]]
    needed = border["AUC"][near.index(min(near))]
    judge = study.mean("tree", after, "judging", "axis")
    row = {"rounds": after, "the judge has": f"{judge:.2f}"}
    row["it needs, by chapter 16"] = f"{needed:.2f}"
    places = [("tree", after, m) for m in ("narrow ToT", "best of 40")]
    row["tree minus chains, points"] = str(study.compared(*places))
    rows.append(row)
show.table(rows, caption="AUC of the judge; n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** A tree pays where the judge has more than it needs. Ours leads only as a novice, although forty chains write just 60% of its tokens.
#
# So the search has moved into the chain. After one round, sixteen checked chains solve what took the teacher a whole tree, for
# an eighth of the tokens. [The map of chapter 16](16_when_search_pays.ipynb#the-map) says why: the better the chains, the better a judge has to be before a tree pays. (**AUC**: how often the judge puts a living state above a dead one.) Chains and judge improve at the same pace here, so
# the tree stays close to that border. (The map was drawn with other players.)
#
# A hundred fresh puzzles, of the other 300, are easier for both. The first seed's pupil keeps its lead over the novice there: 59% against 27% as a tree, 78% against 19% as the best of forty. So there, too, its chains do not need the tree.
#
# ## Was the tree needed?
#
# Here is the control that matters. **STaR** {cite}`zelikman2022star` learns from chains alone: it samples chains, keeps what the check lets pass, trains, and
# repeats. Our chain-taught players have the same novice, the same puzzles and the same training, and in each round their chains
# may write as many tokens as the tree wrote. (STaR proper also shows the model the right answer where
# it failed, and trains the original model anew each time. We do neither.) A second control, *rules again*, trains as long and learns from nothing that was found.
#
# ### Predict: who is ahead after three rounds?
#
# In the first round the novice's tree solved about half of the 962 puzzles, and its chains a third. Both sorts of pupils are then asked for single chains.

# %% mystnb={"image": {"alt": "Two panels of success against rounds, from zero to three. One chain: tree-taught and chain-taught players rise together to about 4 percent; the tree-taught are ahead after one round. Tree: both rise, the tree-taught to 52, the chain-taught to 44 percent. Players that practised the rules again stay at the bottom in both."}}
arms = {"tree": "taught by trees", "chains": "taught by chains"}
arms |= {"rules again": "rules again"}
figure = show.plots.new_figure(6.4, 2.6)
panels = figure.subplots(1, 2)
for panel, method, top in zip(
    panels, ("CoT", "narrow ToT"), (0.05, 0.6), strict=True
):
    panel.set(title=names[method], xlabel="rounds", ylim=(0, top))
    panel.set_xticks(range(4))
    show.plots.percent(panel)
    rates = {
        name: [(r, study.rate(arm, r, method).rate) for r in range(4)]
        for arm, name in arms.items()
    }
    show.plots.lines(panel, rates)
show.Predict(
    "Whose single chains are then right more often?",
    "no clear lead",
    choices=["those of trees", "those of chains", "no clear lead"],
    figure=figure,
    alt="One chain: the lines end together. Tree: trees' pupils lead.",
)

# %% [markdown]
# **Figure.** Both teachers lift their pupils far above the control that learned nothing new.
#
# After one round the trees' pupils write the better chains, by 0.7 points [0.3, 1.2] (p = 0.002). After two, the interval [−0.5, +0.7] lies narrowly
# around zero: there the teachers are equal within a point. Playing as narrow trees, the trees' pupils are 8 points [1, 15] ahead after two and after three rounds
# (p = 0.044 and 0.035). In all we compared six ways to play after each of three rounds (single chains, votes, checked chains, three shapes of tree). Five of the eighteen intervals lie clear of zero, where chance alone would
# give about one. [Corrected](../book/comparisons.md) for eighteen, the first lead alone is left (p = 0.03).
#
# These intervals are over puzzles, for *these* players. A claim about a way of teaching is over *trainings*, as each gives another player. So we made two more of each kind (by chains, for two rounds only). Over five
# trainings each, the trees' lead after one round has p = 0.016: enough for one question, not for the best of
# eighteen. After two rounds nothing is left of it. After three there is no clear lead: the pupils of chains are ahead, perhaps by chance (p = 0.054; five trainings against three).
#
# ### What each teacher found

# %% tags=["set-up"]
# What each teacher found
rows, before = [], 0
for r in (1, 2, 3):
    row = {"round": r}
    for arm in ("tree", "chains"):
        row[f"{arm}: solved"] = study.searched(arm, r, "solved")
        row[f"{arm}: ways"] = study.searched(arm, r, "ways known")
    row["wrong reasons"] = study.searched("chains", r, "wrong reasons")
    known = study.searched("tree", r, "puzzles known")
    row["new to the tree"], before = known - before, known
    rows.append({name: f"{x:,.0f}" for name, x in row.items()})
show.table(rows, caption="means of three seeds, equal tokens")

# %% [markdown]
# **Table.** The tree finds more only in the first round. *Solved*: of 962 puzzles, in this round. *Ways*: different ones, found in all rounds so
# far. *Wrong reasons*: right answers whose steps do not lead there ([below](#without-the-check)). *New*: puzzles that the tree solved for the first time.
#
# From the second round on, chains find more to teach than the tree. Once the player is better, a hundred cheap independent attempts solve more puzzles, in more ways, than one tree for the same tokens. A tree may be the better teacher only for a player that knows nothing.
#
# ## What is learned first, proposing or judging?
#
# A tree has two halves, and each found way teaches both. We trained three more players. In each, only one kind of line came from found
# ways, and all others stayed with the rules. They have one seed each, so only large differences count: with one seed a true lead of 16 points would be detected four times in five, with three seeds one of 11.
#
# ### Predict: one lesson only
#
# One of the three learned only next steps, one only verdicts, one only whole chains. All three then play as narrow trees.

# %% tags=["set-up"]
# The players that learned one kind of line
rows, arms = [], {"(the novice)": "tree", "nothing": "rules again"}
arms |= {"steps": "steps only", "verdicts": "value only"}
arms |= {"chains": "chain only", "all three": "tree"}
for i, (name, arm) in enumerate(arms.items()):
    player = study.measured(arm, 0, 2 if i else 0)
    row = {"learned": name}
    row["tree"] = interval(player["narrow ToT"]["rate"], 100)
    row["one chain"] = f"{player['CoT']['rate'][0]:.1%}"
    row["reach"] = f"{player['generating']['axis'][0]:.2f}"
    row["AUC"] = f"{player['judging']['axis'][0]:.2f}"
    rows.append(row)
note = "after two rounds, seed 0, n = 100 puzzles, 95%"
show.Predict(
    "Which lesson makes the best tree?",
    "verdicts",
    choices=["steps", "verdicts", "chains"],
    shows=show.table(rows, caption=note, highlight=3),
)

# %% [markdown]
# **Table.** The player that learned to judge shows most of the gain. The one that learned steps shows none.
#
# The last two columns say why. **Reach** is how often a reply about a state that can still be won holds a step that keeps it so. Reach rises
# little, while the judge's AUC jumps. And reach, too, rises most where *verdicts* were learned. A verdict of this model
# writes a way down before it says *sure*, so lessons in judging show good steps as well. (All three lessons against verdicts alone: [exercise 2](#exercise-2-one-seed-or-three).)
#
# ## Without the check
#
# What if nobody can check, and the model trusts the way that its own verdicts rank first? One more player learned like that, with the same
# tree and the same tokens. A program refused illegal steps, and nothing else.

# %% tags=["set-up"]
# The player whom nobody checked
rows = []
for r in (0, 1, 2):
    player = study.measured("unchecked", 0, r)
    row = {"rounds": r, "believed": "", "of these right": ""}
    if r:
        found = study.legs["unchecked", 0, r]["search"]
        believed = found["solved"] + found["wrong reasons"]
        row |= {"believed": believed, "of these right": found["solved"]}
    row["judge's AUC"] = f"{player['judging']['axis'][0]:.2f}"
    row["tree"] = interval(player["narrow ToT"]["rate"], 100)
    rows.append(row)
show.table(rows, caption="believed: ways; seed 0, n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** Without a check, one round destroys the player.
#
# Nine in a hundred of the ways that the novice ranked first, and so believed, were right. Training on all of them taught its judge that anything may be *sure*. After one round its
# verdicts are no better than a coin's, and the next search finds even fewer right ways.
#
# A check can also be too lenient. Here is the first of the pupil's chains whose answer is right.


# %%
def legal_end(text):
    numbers = numbers_of(x)
    for line in text.splitlines()[:3]:
        step = read_step(line, numbers).value
        if not step:
            return "no legal end"
        numbers = step.left
    return step.result


def right(text):
    thought = game.read_cot(tot.State(x), text)[0].value
    return thought and game.check(x, thought.answer).correct


[reply] = pupil["lm"]([game.cot(tot.State(x)).samples(0, 40)])
text = next(text for text in reply.texts if right(text))
print(text)
print("Its steps end at", legal_end(text))

# %% [markdown]
# It steps to 30 and then writes an expression that makes 24. Its answer is right **for a wrong reason**, and a check that looks at
# answers alone, like STaR's, would teach these steps. Our teachers keep a way only if its *steps* end at 24, and this turned away 189 to 496 right
# answers of the chains in a round. (In all other tables a chain is right if its answer is.)
#
# ## When does it stop, and why?
#
# Ask what the third round added to the pupils of trees, and how many different answers forty chains give.

# %%
for method in ("CoT", "narrow ToT", "teacher ToT"):
    places = [("tree", after, method) for after in (3, 2)]
    print(method, study.compared(*places))
for arm in ("tree", "chains"):
    varied = (study.mean(arm, r, "different ways") for r in (1, 2, 3))
    print(arm, *(f"{n:.0f}" for n in varied), "different answers")

# %% [markdown]
# The chain still improves (by chance as much as the lead above), and the two trees show no further gain. One cause can be read in the table of the two teachers: the tree runs out of new puzzles. The first round
# added about 484 of them, the third about 97, and about 135 of the 962 were never solved by this tree. (Not all are out of reach: chains solved 845 in the third round.) Variety may be another, as chains repeat themselves a little more with every round.
#
# ## What a round costs, and when it pays back
#
# A round has two bills: the tokens that the search writes, $S$, and those that training reads, $T$. A token of training costs about three
# times as much as one of writing, because the gradients go back through the network
# {cite}`kaplan2020scaling`. Let $c$ be the price of a *solved* puzzle: the tokens for a puzzle, divided by the rate. Training has paid after
# so many solved puzzles:
#
# $$N = \frac{\sum_{\text{rounds}} (S + 3T)}{c_{\text{novice}} - c_{\text{pupil}}}$$


# %%
T = study.figures["training"]["tokens a round"]
PUZZLES = range(study.puzzles)


def bill(arm, rounds):
    searched = [study.searched(arm, r, "tokens") for r in (1, 2, 3)]
    return fsum(S + 3 * T for S in searched[:rounds])


def price(place, tokens, puzzles):
    """Tokens for a solved puzzle."""
    outcomes = study.outcomes(place)
    return tokens / fmean(fmean(outcomes[i]) for i in puzzles)


def prices(arm, rounds, puzzles):
    trees, chains = ("tree", 0, "narrow ToT"), (arm, rounds, "CoT")
    novice = price(trees, study.mean(*trees, "tokens"), puzzles)
    best = (arm, rounds, "best of 40")
    return novice, price(best, study.mean(*chains, "tokens"), puzzles)


before, after = prices("tree", 1, PUZZLES)
print(f"{bill('tree', 1):,.0f} / ({before:,.0f} - {after:,.0f})")

# %% tags=["set-up"]
# Each round, with an interval from drawing the puzzles anew
rows = []
for r in (1, 2, 3):
    rows.append({"rounds": r})
    rows[-1]["bill so far"] = f"{bill('tree', r) / 1e6:.1f} M"
    for arm in ("tree", "chains"):

        def paid(drawn, arm=arm, r=r):
            before, after = prices(arm, r, [i for [i] in drawn])
            return bill(arm, r) / (before - after)

        n = stats.bootstrap([[i] for i in PUZZLES], paid, resamples=400)
        rows[-1][f"taught by {arm}: pays after"] = f"{n:,.0f}"
show.table(rows, caption="solved puzzles; n = 100 puzzles, 95%")

# %% [markdown]
# **Table.** A round pays after about eight hundred solved puzzles, and further rounds need more.
#
# By hand, for one round of the tree: the search writes 4.8 million tokens and training reads 2.5 million, so the bill is 12.3 million. Each
# puzzle that the pupil solves in the novice's place saves about 15,600 tokens, and 790 of them pay the bill.
#
# If you want a hundred answers, search. If you want ten thousand, train first. (The novice's own training is in no bill. The pupil draws forty chains even where the first is right; [exercise 3](#exercise-3-stop-at-the-first) does better.)
#
# > **In practice.** Look for the check first, and let it look at the steps. Run the control with plain chains at equal tokens: from the second
# > round on they taught the *chain* just as well here. Use a tree for the first round, or where chains hardly ever succeed. Count the *new* problems solved in each round. When they
# > dry up, stop or find harder ones.
#
# > **Where it breaks.** This is one game with an exact and free check, and one small network that began with
# > the rules. A model that has read the world begins elsewhere. The amount of training was never varied.
#
# ## Summary
#
# - In expert iteration a model searches, a program checks, and the model learns from what passed. A found way becomes practice for the generator, the evaluator and the chain.
# - Three rounds make one chain right thirty times as often, and it never reaches the tree that taught it. After one round, sixteen *checked* chains of the pupil solve as much, 20%, for an eighth of the tokens.
# - Chains at equal tokens teach the chain as well as the tree does from the second round on. For a player that knows nothing, a tree may be the better teacher (p = 0.016 over five trainings of each).
# - Of the lessons, the one in judging shows most of the gain. Without the check, one round destroyed the player. (One training of each.)
# - A round pays after about eight hundred solved puzzles [422, 1,378]. Gains shrink as new puzzles run out.
#
# ## Exercises
#
# ### Exercise 1: a thrifty teacher
#
# Let the teacher keep one state in place of five. What does it find on our four puzzles, and for how many tokens? Would you rather let it search more than twice as many puzzles like that?
#
# <details><summary>Hint</summary>
#
# Change `knobs` and run the cell of the round again.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
how = {**novice, "breadth": 1, "proposals": 2}
trees = [tot.solve(game, p, "tot-bfs", **how) for p in four]
bills = [tree.result.ledger.total.completion_tokens for tree in trees]
print(f"{sum(s.any for s in trees)} of 4, {sum(bills)} tokens")
# One against two, at 42% of the price: four puzzles are too few to say.

# %% [markdown]
# ### Exercise 2: one seed or three?
#
# After two rounds the player that learned all three lessons solves 47% as a tree, the one that learned verdicts 36%, with one
# seed each. Test the difference. The first has two more seeds. What is still missing?
#
# <details><summary>Hint</summary>
#
# `study.compared` uses the seeds that both places have.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
places = [(arm, 2, "narrow ToT") for arm in ("tree", "value only")]
print("seed 0:", study.compared(*places))
seeds = [study.measured("tree", s, 2)["narrow ToT"] for s in range(3)]
print("all lessons, by seed:", [player["rate"][0] for player in seeds])
# p = 0.07 is a hint. Train "verdicts" twice more.

# %% [markdown]
# ### Exercise 3: stop at the first
#
# With a check you can stop at the first chain that passes. What does a solved puzzle of the pupil cost then, with at most forty chains?
# When does a round pay?
#
# <details><summary>Hint</summary>
#
# If $c$ of forty chains are right and they come in random order, the first right one is at place $41/(c + 1)$ on average.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
tree = study.mean("tree", 0, "narrow ToT", "tokens")
before = tree / study.rate("tree", 0, "narrow ToT").rate
for r in (1, 2, 3):
    seeds = [study.measured("tree", s, r)["CoT"] for s in range(3)]
    counts = [c for player in seeds for c in player["right"]]
    drawn = fmean(41 / (c + 1) if c else 40 for c in counts)
    each = study.mean("tree", r, "CoT", "tokens") / 40
    after = drawn * each / fmean(c > 0 for c in counts)
    pays = bill("tree", r) / (before - after)
    print(f"{r}: {drawn:.0f} chains, {after:,.0f};", end=" ")
    print(f"pays after {pays:,.0f}")
# The unsolved puzzles cost most: forty chains each, for nothing.

# %% [markdown]
# ### Exercise 4: three pupils
#
# Let the pupils of all three seeds search, and count a puzzle that any of them solves.
# What would you compare that with before you recommend it?
#
# <details><summary>Hint</summary>
#
# `study.outcomes(("tree", 3, "narrow ToT"))` has three columns. Three searches cost three times as much.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
columns = study.outcomes(("tree", 3, "narrow ToT"))
one, any_ = fmean(map(fmean, columns)), fmean(max(c) for c in columns)
every = fmean(min(c) for c in columns)
print(f"one {one:.0%}, any of three {any_:.0%}, all {every:.0%}")
# Fair rivals cost three searches: one pupil's tree sampled three times,
# or its 120 checked chains.

# %% [markdown]
# ## Further reading
#
# - {cite}`anthony2017thinking` gave expert iteration its name, on the board game Hex; {cite}`silver2018general` is the same circle with
#   [Monte Carlo tree search](13_mcts_from_scratch.ipynb) and self-play.
# - {cite}`zelikman2022star`: learning from chains whose answers are right. {cite}`singh2024beyond`: the same at scale, with a
#   comparison of rounds. {cite}`guo2025deepseek`: large models, rewards from programs that check.
# - In the package: `studies/teach/`; `make teach` trains the novice and plays all rounds again, in about four hours on two cores. The novice's card is `studies/teach/CARD.md`.
