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
# # Gallery: trees of thoughts
#
# A page to look at. Each exhibit is one real search: what a small model said once, replayed from the recordings of the
# chapters. Nothing is asked of a model now. This first part has the searches of the Tree of Thoughts paper
# {cite}`yao2023tree`, and two without a judge. [Part two](gallery_tools.ipynb) has trees with tools, and [part three](gallery_monte_carlo.ipynb)
# has Monte Carlo trees; [part four](gallery_strategies.ipynb) has six strategies on one puzzle.
#
# **How to look.** Every view opens at the step that its text is about. *Play* goes on from there; the other buttons, the slider and the
# arrow keys go step by step. Choose a thought to see what was asked about it and what came back, word for word. The finished tree is
# there as text, too. The code that found the places and counted is in the notebook of this page.
#
# **What not to conclude.** We picked runs that show something, and most of them fail. One trace proves nothing about
# a method. The rates, with their intervals, are in the chapters.

# %% tags=["remove-input"]
from collections import Counter
from fractions import Fraction

import tot
from tot.tasks.game24 import left
from tot.tasks.game24_rules import moves, solvable
from treebook import show
from treebook.figures.captions import (
    called,
    contents,
    notice,
    quote,
    steps,
    when,
)
from treebook.nbsetup import setup

setup()


# %% tags=["remove-input"]
def replies(run, role, about):
    """Replies about a thought (None: about several), in order."""
    found = []
    for event in run.trace.events:
        if event["kind"] == "asked" and event["role"] == role:
            for request in event["requests"]:
                if request.get("about") == about:
                    found += [s["text"] for s in request["samples"]]
    return found


# %% tags=["remove-input"]
def replay(name, task, problem, method, **knobs):
    """The recording, and a run that it answers."""
    lm = tot.Cassette(f"cassettes/{name}.jsonl")
    run = tot.solve(task, problem, method, lm=lm, **knobs)
    assert not run.error, run.error
    return lm, run


# %% [markdown]
# ## What is here
#
# One trace of each; tokens are those of its prompts and replies.

# %% tags=["remove-input"]
tasks = ("game24", "crosswords", "writing")
game, crosswords, writing = map(tot.task, tasks)
four, hard = game.problems("starter")[0], game.problems("hard")[11]
van = tot.task("gsm8k").problems("book")[6]
story = writing.problems("book")[25]
grid = crosswords.problems("easy")[0]

cot_lm, chains = replay("04", game, four, "cot", k=5)
bfs_lm, beam = replay(
    "06", game, four, "tot-bfs", style="lean", breadth=5
)
pocket_lm, pocket = replay(
    "06_pocket", game, hard, "tot-bfs", breadth=1, proposals=2
)
vote_lm, votes = replay("07", writing, story, "tot-vote")
dfs_lm, cross = replay("08", crosswords, grid, "tot-dfs", steps=20)
zero_lm, zero = replay("09", "gsm8k", van, "tot-vote")
nine = game.problems("hard")[9]
likely_lm, likely = replay(
    "19_pocket", game, nine, "likely-beam", breadth=3
)
levin_lm, levin = replay(
    "19_pocket", game, nine, "levin", expansions=30
)

# %% tags=["remove-input"]
contents(
    [
        ("whole solutions", cot_lm, chains),
        ("steps, and a verdict on each state", bfs_lm, beam),
        ("the same, of the pocket model", pocket_lm, pocket),
        ("plans, votes, passages, votes", vote_lm, votes),
        ("words, and a verdict on each clue", dfs_lm, cross),
        ("strategies, votes, solutions, votes", zero_lm, zero),
        ("steps, and how likely each was", likely_lm, likely),
        ("the same, until a free check agrees", levin_lm, levin),
    ]
)

# %% [markdown]
# ## Five chains, and no way back
#
# **The problem:** make 24 from 4, 4, 4 and 6, each once. Five chains of thought try. This is what a tree is compared with.
# The method is in [chapter 4](04_chain_of_thought.ipynb), file `tot/methods/`.

# %% tags=["remove-input"]
numbers = tuple(sorted(Fraction(n) for n in four.x.split()))
good = [move for move in moves(numbers) if solvable(move.left)]
living = {str(move).split(" =")[0] for move in good}
tried = list(show.picture(chains).items.values())[1:]
firsts = [node.thought.split(" =")[0] for node in tried]
usual, often = Counter(firsts).most_common(1)[0]
near = next(node for node in tried if "(left: 4 6)" in node.thought)
bill = chains.result.ledger.total

# %% tags=["remove-input"]
show.explorer(chains, node=near.id)

# %% tags=["remove-input"]
notice(
    f"Each thought is a whole solution. {often} of the {len(firsts)} "
    f"begin with `{usual}`. After "
    f"{sum(first in living for first in firsts)} of the {len(firsts)} "
    "first steps 24 can still be reached, says a solver. None of the "
    "chains gets there.",
    f"Read the one that is open: {quote(near.thought, 120)}. Two "
    "lines leave 4 and 6, whose product is 24. The chain adds them. "
    "There is no second try.",
    "The search sees whole solutions only. It can ask again and "
    f"count: {bill.calls} request, {bill.completion_tokens} generated "
    "tokens.",
)

# %% [markdown]
# ## The right step, judged impossible
#
# **The problem:** the same numbers. Now each step is a thought; after each step the best five states are kept.
# The search is in [chapter 6](06_tot_bfs_game24.ipynb), file `tot/search/breadth_first.py`.


# %% tags=["remove-input"]
def grown(run):
    """All nodes of a run, with their states."""
    found = [list(run.result.best[0].path)[-1]]
    for node in found:
        found += node.children
    return found


known = show.picture(beam).items
second = [n for n in grown(beam) if n.depth == 2]
alive = [n.id for n in second if solvable(left(n.state))]
lost = next(known[id] for id in alive if known[id].status == "dropped")
kept = next(known[id] for id in alive if known[id].status == "kept")

# %% tags=["remove-input"]
said = map(quote, replies(beam, "evaluator", lost.id))
said = ", ".join(said)
[proposals] = replies(beam, "generator", kept.id)
divided = next(line for line in proposals.split("\n") if "/" in line)
second = [
    k for k, (kind, _) in enumerate(steps(beam)) if kind == "best"
][1]
places = steps(beam)[second][1]
below = ", ".join(quote(known[id].thought) for id in kept.children)

# %% tags=["remove-input"]
show.explorer(beam, step=second, node=lost.id)

# %% tags=["remove-input"]
notice(
    f"Look at {quote(lost.thought)}. One multiplication is missing. "
    f"Asked three times, the evaluator said {said}. Value "
    f"{lost.value:.3f}: not kept.",
    f"At step {second}, {sum(id in alive for id in places)} of the "
    f"{len(places)} states in the beam can still reach 24: "
    f"{quote(kept.thought)}. Its children are {below}. One more line, "
    f"{quote(divided, 16)}, was refused; it divides the wrong way "
    "round.",
    "So this tree fails in both ways. The evaluator threw one living "
    "state away, and the generator did not go on from the other.",
)

# %% [markdown]
# ## A beam of one, if the judge knows
#
# **The problem:** 24 from 2, 3, 7 and 10, one of the hard puzzles. The book's own pocket model, which was trained on
# this game, proposes twice and values each state. One state is kept. Also in [chapter 6](06_tot_bfs_game24.ipynb), file
# `tot/search/breadth_first.py`.

# %% tags=["remove-input"]
options = [n for n in grown(pocket) if n.depth == 1]
alive = [n for n in options if solvable(left(n.state))]
liked = [n for n in options if n.value >= 20]
fooled = [n for n in liked if n not in alive]
assert set(alive) < set(liked)
_, less = replay(
    "06_pocket", game, hard, "tot-bfs", breadth=1, proposals=1
)
fewer = [n for n in grown(less) if n.depth == 1]
assert not any(solvable(left(n.state)) for n in fewer)

# %% tags=["remove-input"]
valued = when(pocket, "evaluated")
show.explorer(pocket, step=valued)

# %% tags=["remove-input"]
notice(
    f"At step {valued} there are {len(options)} first steps. "
    f"{len(alive)} of them keep 24 in reach, and the evaluator gives "
    "each of these 20 or more. So much it also gives to "
    f"{', '.join(quote(n.state.last.text) for n in fooled)}, and that "
    "is its only mistake here.",
    "So one place in the beam is enough. Step on, and look how "
    f"little is open at a time. The answer is {quote(pocket.answer)}, "
    f"{pocket.verdict}.",
    "With one reply of proposals instead of two, the same search had "
    f"{len(fewer)} first steps, and none of them kept 24 in reach. "
    f"Its answer {less.score.why}. The best judge cannot keep what "
    "nobody proposed.",
)

# %% [markdown]
# ## Five votes for the first on the list
#
# **The problem:** a passage of four paragraphs, each ending with a given sentence. Plans, votes, passages, votes. The
# search is in [chapter 7](07_votes_creative_writing.ipynb), file `tot/search/breadth_first.py`.

# %% tags=["remove-input"]
known = show.picture(votes).items
ballots = replies(votes, "evaluator", None)
nodes = known.values()
empty = next(n for n in nodes if "ready to assist" in n.thought)
plan = known[steps(votes)[when(votes, "best")][1][0]]
passages = [known[id] for id in plan.children]
chosen = next(node for node in passages if node.chosen)
scores = [writing.verify(story, node.answer) for node in passages]
rules = Counter(score.why for score in scores)
again = "No one noticed the moon until it was nearly gone"

# %% tags=["remove-input"]
voted = when(votes, "voted")
show.explorer(votes, step=voted, node=empty.id)

# %% tags=["remove-input"]
notice(
    f"One thought is no plan: {quote(empty.thought)}. It stands in "
    "the list all the same.",
    f"At step {voted}, {plan.value:.0f} of {len(ballots[:5])} ballots "
    "are for the first of the list. That plan was cut off in its "
    f"second paragraph: it ends {quote('…' + plan.thought[-40:])}. Is "
    "it taste, or the place? Chapter 7 turns the list round.",
    f"Then the passage {called(votes, chosen.id)} wins with "
    f"{chosen.value:.0f} of {len(ballots[5:])}. It says “{again}” "
    f"{chosen.thought.count(again)} times. No passage keeps the "
    "rules; the program says: "
    f"{', '.join(f'{why} ({n})' for why, n in rules.items())}.",
)

# %% [markdown]
# ## A right word, pruned
#
# **The problem:** a crossword of five by five, word after word. A state is pruned if the model calls a clue that is left
# impossible; then the search goes back. It is in [chapter 8](08_tot_dfs_crosswords.ipynb), file `tot/search/depth_first.py`.

# %% tags=["remove-input"]
across = grid.gold.lower().split()
down = ["".join(letters) for letters in zip(*across, strict=True)]
gold = {f"h{i}. {word}" for i, word in enumerate(across, 1)}
gold |= {f"v{i}. {word}" for i, word in enumerate(down, 1)}
known = show.picture(cross).items
pruned = [node for node in known.values() if node.status == "pruned"]
wronged = []
for node in pruned:
    way = [id for id in known if f"{node.id}.".startswith(f"{id}.")]
    if gold.issuperset(known[id].thought for id in way[1:]):
        wronged.append(node)
word = next(p for p in wronged if p.chosen)
said = replies(cross, "evaluator", word.id)
said = [text for text in said if "impossible" in text]

# %% tags=["remove-input"]
here, back = when(cross, "pruned", word.id), when(cross, "kept", "0.1")
show.explorer(cross, step=here, node=word.id)

# %% tags=["remove-input"]
notice(
    f"At step {here}, {called(cross, word.id)} is pruned because of "
    f"{quote(word.why)}. The judge's words: "
    f"{' and '.join(quote(text) for text in said)}. The words that it "
    f"did not find are `{down[2]}` and `{down[3]}`. The word that it "
    "pruned is right.",
    f"{len(pruned)} states were pruned. In {len(wronged)} of them "
    "every word so far was right. One wrong verdict on one clue is "
    "enough to lose a good way.",
    f"At step {back} the search is back at the root, at another first "
    "word. It finds nothing deeper. The deepest state is the output, "
    f"though it was pruned: {quote(cross.answer)}, {cross.score.why}.",
)

# %% [markdown]
# ## The right strategy gets no vote
#
# **The problem:** a library van carries 223 books; 33 are lent and 8 come back; then half of the rest is lent. How many are on
# board? Strategies, votes, solutions, votes, without an example. The search is in
# [chapter 9](09_zero_shot_tot.ipynb), file `tot/search/breadth_first.py`.

# %% tags=["remove-input"]
known = show.picture(zero).items
ballots = replies(zero, "evaluator", None)
sound = next(n for n in known.values() if "33 + 8" in n.thought)
winner = known[steps(zero)[when(zero, "best")][1][0]]
answers = [known[id].answer for id in winner.children]
assert van.gold not in answers

# %% tags=["remove-input"]
voted = when(zero, "voted")
show.explorer(zero, step=voted, node=sound.id)

# %% tags=["remove-input"]
notice(
    f"One strategy has it: {quote(sound.thought, 175)} It gets "
    f"{sound.value:.0f} of {len(ballots[:5])} votes at step {voted}.",
    f"Another one wins with {winner.value:.0f}: "
    f"{quote(winner.thought, 155)} It forgets the books that come "
    "back. Some of the solutions below it do think of them, and "
    "subtract them.",
    f"The solutions answer {', '.join(answers)}; right is {van.gold}. "
    "The second vote has only wrong ones to choose from. No vote "
    "helps when an earlier one has thrown the right idea away.",
)

# %% [markdown]
# ## The likeliest way is wrong
#
# **The problem:** 24 from 1, 5, 9 and 12. No judge is asked: the value of a state is the logarithm of how likely the pocket model
# was to write its steps, and the three likeliest states are kept. It is in the
# [manual](../book/manual/verdicts.md), file `tot/methods/guided.py`.

# %% tags=["remove-input"]
first, *_ = options = sorted(
    (node for node in grown(likely) if node.depth == 1),
    key=lambda node: -node.value,
)
rank = 1 + next(
    i for i, n in enumerate(options) if solvable(left(n.state))
)
way = options[rank - 1]

# %% tags=["remove-input"]
ends = show.picture(likely).items
outputs = [ends[node.id] for node in likely.result.best]
wrong = next(node for node in outputs if node.chosen)
right = next(node for node in outputs if node.verdict == "correct")
assert wrong.verdict == "wrong" and wrong.value > right.value

# %% tags=["remove-input"]
last = [
    k for k, (kind, _) in enumerate(steps(likely)) if kind == "best"
]
show.explorer(likely, step=last[-1], node=right.id)

# %% tags=["remove-input"]
notice(
    f"Of {len(options)} first steps, one keeps 24 in reach: "
    f"{quote(way.state.last.text)}. The model was likelier to write "
    f"{quote(first.state.last.text)}; of the {len(options)} the right "
    f"one is number {rank}. A place in a beam of three is enough.",
    f"At step {last[-1]}, {sum(n.verdict == 'wrong' for n in outputs)} "
    f"of the {len(outputs)} outputs are wrong. The "
    f"answer is {quote(wrong.answer)}, which "
    f"{likely.score.why}: its value is {wrong.value:.3f}. "
    f"The right one, {quote(right.answer)}, has {right.value:.3f}.",
    "A step is likely if the model often saw such steps in its "
    "training. Whether it leads to 24, nobody asked here.",
)

# %% [markdown]
# ## A little unlikely, and found all the same
#
# **The problem:** the same numbers, and the same probabilities. Levin tree search expands the state with the lowest
# depth divided by probability (`f` in the picture), and goes on until the game's free check accepts an answer. File
# `tot/search/levin.py`.

# %% tags=["remove-input"]
known = show.picture(levin).items
goal = known[levin.result.best[0].id]
refused = next(
    known[ids[0]] for kind, ids in steps(levin) if kind == "best"
)
kinds = Counter(kind for kind, _ in steps(levin))
cut = [node for node in known.values() if node.status == "pruned"]
assert not game.verify(nine, refused.answer).correct
assert kinds["expanded"] <= goal.f

# %% tags=["remove-input"]
here = when(levin, "best", refused.id)
show.explorer(levin, step=here, node=goal.id)

# %% tags=["remove-input"]
notice(
    f"At step {here} it takes {quote(refused.answer)}, the answer of "
    "the beam above. The check refuses it, and the search goes on "
    f"with what is open. At step {when(levin, 'best', goal.id)} it has "
    f"{quote(goal.answer)}, "
    f"{levin.verdict}.",
    f"That answer has f = {goal.f:.0f}: no more than {goal.f:.0f} "
    "expansions could be needed, whatever else the tree holds. It "
    f"took {kinds['expanded']}.",
    f"{len(cut)} states are pruned, such as "
    f"{called(levin, cut[0].id)}: the same numbers had been reached "
    "on a way at least as likely, so they are not asked about again.",
)

# %% [markdown]
# ## More
#
# [Part two](gallery_tools.ipynb): trees with tools. One question, asked by a chain, depth first, best first and by
# iToT-A\*; and iToT-D\* with broken tools. [Part three](gallery_monte_carlo.ipynb): LATS, and search over plans. [Part
# four](gallery_strategies.ipynb): six strategies on one puzzle.
#
# Some searches of the book need no model: A\* on a map, in chapters [11](11_best_first_itot_astar.ipynb) and
# [12](12_itot_dstar.ipynb), D\* Lite in chapter 12, and Monte Carlo tree search for noughts and crosses, in
# [a study](study_monte_carlo.ipynb). They ask nobody, so there is nothing to look into here. Their pictures are in these
# pages.
