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
# # Gallery, part four: One puzzle, six strategies
#
# Make 24 of 2, 3, 7 and 10. The beam of [part one](gallery.ipynb), five states wide, does not find a way: none of the steps that the
# [pocket model](../book/pocket_card.md) lists first leads to one. Here are six other strategies with the same model and the same judge, as they come.
# [Part one](gallery.ipynb) says how to look at an exhibit, and what not to conclude from one.

# %% tags=["remove-input"]
import tot
from treebook import show
from treebook.figures.captions import (
    called,
    contents,
    notice,
    quote,
    when,
)
from treebook.nbsetup import setup

setup()

# %% [markdown]
# ## What is here
#
# One trace of each; tokens are those of its prompts and replies.

# %% tags=["remove-input"]
lm = tot.Cassette("cassettes/06_pocket.jsonl")
puzzle = tot.task("game24").problem("2 3 7 10")
KNOBS = {"tot-bfs": {"breadth": 5}, "ab-mcts": {"rollouts": 30}}
ASKS = {
    "tot-bfs": "a list of steps, and verdicts",
    "restarts": "the same, tree after tree",
    "dvts": "single steps, and verdicts",
    "rebase": "the same",
    "particles": "the same",
    "puct": "single steps, how likely they are, and verdicts",
    "ab-mcts": "a list of steps, and verdicts",
}
runs = {
    name: tot.solve(
        "game24", puzzle, name, lm=lm, **KNOBS.get(name, {})
    )
    for name in ASKS
}
assert not any(run.error for run in runs.values())
contents([(asks, lm, runs[name]) for name, asks in ASKS.items()])


# %% tags=["remove-input"]
def output(run):
    """The answer, as the model and its steps made it, and the verifier's word on it."""
    return f"The output is {quote(run.answer or 'none')} ({run.score.why})."


def tops(run):
    """The thoughts that the search kept at each step, with their notes, step by step."""
    return [e["nodes"] for e in run.trace.events if e["kind"] == "best"]


def known(run):
    return show.picture(run).items


# %% [markdown]
# ## Subtrees that do not compete
#
# **`dvts`** {cite}`beeching2024scaling` samples single steps, deals the first ones out to four subtrees, and in each keeps only the best. File
# `tot/search/resampling.py`.

# %% tags=["remove-input"]
run = runs["dvts"]
first = [node["id"] for node in tops(run)[0]]
found, others = first[0], first[1:]
items = known(run)
show.explorer(run, step=when(run, "best", found), node=found)

# %% tags=["remove-input"]
notice(
    f"Four first steps are kept. The judge likes one of them: {called(run, found)}, with {items[found].value:g}. The other "
    f"three have {items[others[0]].value:g}, the least there is, and go on all the same: each is the best of its subtree.",
    "That costs three quarters of the replies, and is meant to: where the judge is wrong about the first step, another subtree lives.",
    output(run),
)

# %% [markdown]
# ## Shares by verdict
#
# **`rebase`** {cite}`wu2024inference` shares sixteen samples at each step among the states, by their verdicts. File
# `tot/search/resampling.py`.

# %% tags=["remove-input"]
run = runs["rebase"]
items, after = known(run), tops(run)
shares = {node["id"]: node["note"].split()[0] for node in after[0]}
least = min(shares, key=lambda id: int(shares[id]))
show.explorer(run, step=when(run, "best", found), node=found)

# %% tags=["remove-input"]
notice(
    f"After the first step {called(run, found)} has {shares[found]} of sixteen samples, and {called(run, least)} has "
    f"{shares[least]}: shares are rounded up, the best first, so that somebody gets what is over.",
    f"After the second step {called(run, after[1][0]['id'])} has all sixteen. It was judged sure three times.",
    output(run),
)

# %% [markdown]
# ## Drawn, not chosen
#
# **`particles`** {cite}`puri2025probabilistic` is a particle filter: sixteen particles take a step each, and are then drawn anew, by the odds that their
# verdicts come to. File `tot/search/resampling.py`.

# %% tags=["remove-input"]
run = runs["particles"]
items = known(run)
tried = [id for id in items if id.count(".") == 1]
show.explorer(run, step=when(run, "best", found), node=found)

# %% tags=["remove-input"]
notice(
    f"The sixteen particles took {len(tried)} different first steps. After the draw all are at {called(run, found)}: one sure "
    "verdict of three is a reward with odds of 8 to 1, and none is one of 1 to ten million, so that little is left to chance. The knob `evenness` leaves it more.",
    output(run),
)

# %% [markdown]
# ## Begin again
#
# **`restarts`** grows narrow trees one after the other, each with samples of its own, until the free check is content. File
# `tot/methods/restarts.py`.

# %% tags=["remove-input"]
run = runs["restarts"]
ends = [
    nodes[0]["id"]
    for nodes in tops(run)
    if known(run)[nodes[0]["id"]].thought.startswith("Answer")
]
again = next(
    id
    for id in known(run)
    if id.count(".") == 1 and ends[-1].startswith(id + ".")
)
show.explorer(run, step=when(run, "best", ends[0]), node=ends[0])

# %% tags=["remove-input"]
notice(
    f"The first tree ends at {called(run, ends[0])}, which is wrong, and whose steps were all called impossible: the beam had "
    "nothing better to keep.",
    f"Tree {len(ends)} asks for the same list again, and in another sample stands {called(run, again)}.",
    output(run),
)

# %% [markdown]
# ## The model's own odds
#
# **`puct`** {cite}`wan2024alphazero` is Monte Carlo tree search that begins with what the model finds likely, and lets verdicts overrule it. File
# `treebook/guided/puct.py`.

# %% tags=["remove-input"]
run = runs["puct"]
items = known(run)
end = next(node for node in items.values() if node.end)
start = items[end.id[: len("0.0")]]
show.explorer(run, step=when(run, "best", end.id), node=start.id)

# %% tags=["remove-input"]
notice(
    f"The way to the output begins with {called(run, start.id)}, which the judge had called impossible ({start.value:g}). The "
    "search came back all the same, as it does to a step that few visits were spent on, and below it found what made it worth "
    f"{start.visits} visits.",
    f"{sum(node.value is None for node in items.values())} of {len(items)} thoughts were never judged.",
    output(run),
)

# %% [markdown]
# ## New or old?
#
# **`ab-mcts`** {cite}`inoue2025wider` draws at every state whether to ask for a new thought or to go on with an old one. File
# `tot/search/adaptive.py`.

# %% tags=["remove-input"]
run = runs["ab-mcts"]
items = known(run)
wide = [id for id in items if id.count(".") == 1]
deepest = max(items, key=lambda id: id.count("."))
sure = [id for id in wide if items[id].value == 60]
show.explorer(run)

# %% tags=["remove-input"]
notice(
    f"Thirty rollouts grow {len(wide)} first steps, and nowhere more than {deepest.count('.')} steps: how wide to be is learned from "
    "verdicts, and almost all of these are the same.",
    f"{called(run, *sure)} were called sure three times. Before the search goes far below them, the rollouts are used up.",
    output(run),
)
