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
# # Gallery, part three: Monte Carlo trees
#
# Monte Carlo tree search goes down the tree again and again, and each time pays a reward to everything on its way.
# [Chapter 13](13_mcts_from_scratch.ipynb) builds it. Here it searches over steps with tools (LATS {cite}`zhou2024language`) and over plans
# {cite}`anonymous2024planning`.
# [Part one](gallery.ipynb) says how to look at an exhibit, and what not to conclude from one.

# %% tags=["remove-input"]
import tot
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
def replay(lm, task, problem, method, **knobs):
    run = tot.solve(task, problem, method, lm=lm, **knobs)
    assert not run.error, run.error
    return run


def action(node):
    """The call that a thought ends in."""
    return node.thought.rpartition("Action: ")[2]


# %% [markdown]
# ## What is here
#
# One trace of each; tokens are those of its prompts and replies.

# %% tags=["remove-input"]
easy, ada = (
    tot.task("hotpotqa").problems("easy"),
    tot.task("gsm8k").problems("book")[8],
)
tools, planner = (
    tot.Cassette(f"cassettes/{name}.jsonl") for name in ("12", "14")
)
LATS = {"k": 3, "depth": 5, "rollouts": 3}
air = replay(tools, "hotpotqa", easy[18], "lats", **LATS)
nobel = replay(tools, "hotpotqa", easy[14], "lats", **LATS)
plans = replay(
    planner, "gsm8k", ada, "mcts-plan", rollouts=6, revisions=2
)
pocket = tot.Cassette("cassettes/06_pocket.jsonl")
puzzle = tot.task("game24").problem("6 6 12 12")
sixes = replay(pocket, "game24", puzzle, "tot-mcts", rollouts=40)
contents(
    [
        ("steps, and a verdict on each state", pocket, sixes),
        ("steps, scores, lessons", tools, air),
        ("the same", tools, nobel),
        ("plans, two opinions each", planner, plans),
    ]
)

# %% [markdown]
# ## A verdict is a reward
#
# **The problem:** make 24 of 6, 6, 12 and 12. The steps are those of [chapter 6](06_tot_bfs_game24.ipynb), and so are the verdicts; but no
# step is thrown away. Each rollout goes down to one new thought, and its verdict, brought to 0 to 1, is the reward of
# all above it (method `tot-mcts`, file `tot/search/monte_carlo.py`).

# %% tags=["remove-input"]
known = show.picture(sixes).items
nodes = known.values()
end = next(node for node in nodes if node.end)
first = known["0.0"]
kept = known[end.id[:3]]
asked = [e for e in sixes.trace.events if e["kind"] == "expanded"]
unjudged = [node for node in nodes if node.value is None]

# %% tags=["remove-input"]
show.explorer(
    sixes, step=when(sixes, "expanded", kept.id), node=kept.id
)

# %% tags=["remove-input"]
notice(
    f"The first step to be judged is {called(sixes, first.id)}: its "
    f"three verdicts are sure ({first.value:g}). The way that ends in "
    f"24 begins with {called(sixes, kept.id)}, which was judged less "
    f"highly ({kept.value:g}): a beam of one would not have gone there.",
    f"{len(unjudged)} proposals were never judged: a rollout pays for "
    "one new thought, and the rollouts were used up on others.",
    f"The output is {quote(end.thought)} ({sixes.score.why}).",
)

# %% [markdown]
# ## The better score wins
#
# **The problem:** which gas makes up most of the air of Saturn's largest moon? LATS goes down to an answer; the
# answer's score is the reward, and a low one is followed by a lesson. It has [studies of its
# own](study_lats.ipynb), files `tot/methods/acting.py` and `tot/search/monte_carlo.py`.

# %% tags=["remove-input"]
known = show.picture(air).items
nodes = known.values()
right = next(n for n in nodes if action(n) == "Finish[nitrogen]")
end = next(node for node in known.values() if node.end)
lessons = [
    e["lesson"] for e in air.trace.events if e["kind"] == "reflected"
]
first, last = when(air, "reflected"), when(air, "best", end.id)
above = known[end.parent]

# %% tags=["remove-input"]
show.explorer(air, step=last, node=end.id)

# %% tags=["remove-input"]
notice(
    f"The first rollout finds {called(air, right.id)}. It is right, "
    f"but scored {right.value:g}. So at step {first} the model is "
    "asked what went wrong, and finds something: "
    f"{quote(lessons[0], 110)}",
    f"The second rollout ends at {called(air, end.id)}. No page was "
    f"open: the tool said {quote(above.observation)} The score is "
    f"{end.value:g}, and the higher score is the output: "
    f"{air.score.why}.",
    "The authors of LATS let the task say what a rollout is worth, "
    "and the task knows the answer. Here the model's own score has "
    "to do: no gold is in the search.",
)

# %% [markdown]
# ## A lesson that spreads the mistake
#
# **The problem:** in which town did the man die who patented dynamite? LATS again ([its
# studies](study_lats.ipynb), files `tot/methods/acting.py` and `tot/search/monte_carlo.py`).

# %% tags=["remove-input"]
known = show.picture(nobel).items
name, nodes = "John Stephenson", known.values()
made_up = next(node for node in nodes if name in node.thought)
events = [e for e in nobel.trace.events if e["kind"] == "reflected"]
lessons = [event["lesson"] for event in events]
first = when(nobel, "reflected")
rest = [ids for kind, ids in steps(nobel)[first:] if kind == "expanded"]
later = [id for ids in rest for id in ids]
spread = [id for id in later if name in known[id].thought]
copied = next(id for id in spread if not id.startswith(made_up.id))
nowhere = [node for node in known.values() if node.failed]

# %% tags=["remove-input"]
show.explorer(nobel, step=when(nobel, "expanded", copied), node=copied)

# %% tags=["remove-input"]
notice(
    f"The thought that ends in {called(nobel, made_up.id)} invents a "
    f"man: {quote(made_up.thought, 110)} The encyclopedia does not "
    "know him. The first rollout follows him to its end.",
    f"At step {first} comes the lesson: {quote(lessons[0])} It stands "
    "in every later prompt for a step. So another branch speaks of "
    f"him, too: {called(nobel, copied)}. He is in {len(spread)} of "
    f"{len(later)} later thoughts.",
    f"All {len(nowhere)} calls fail, and there is no answer. A lesson "
    "is worth what the one who draws it knows.",
)

# %% [markdown]
# ## The right plan was never judged
#
# **The problem:** Ada earns a wage for eight hours a day and more for each hour after that; what does she earn in five days of nine hours? Plans
# are judged and rewritten; the best one is carried out. The search is in [chapter 14](14_planning_with_mcts.ipynb),
# file `tot/search/monte_carlo.py`.

# %% tags=["remove-input"]
known = show.picture(plans).items
nodes = known.values()
sound = next(n for n in nodes if "Multiply sum by 5" in n.thought)
judged = [node for node in nodes if node.value is not None]
best = next(node for node in judged if node.chosen)
solution = next(node for node in nodes if node.end)
others = [node.value for node in judged if node.id != best.id]
said = next(e["scores"] for e in plans.trace.events if e.get("scores"))
assert sound.value is None and best.value > max(others)

# %% tags=["remove-input"]
show.explorer(
    plans, step=when(plans, "expanded", sound.id), node=sound.id
)

# %% tags=["remove-input"]
notice(
    f"Read the plan that is open: {quote(sound.thought, 190)} That is "
    "right. It is written at step "
    f"{when(plans, 'expanded', sound.id)}, in the last of the "
    "rollouts. Its sibling is judged, and then the rollouts are used "
    "up.",
    f"The first plan has the best reward, {best.value:g}; "
    f"{len(others)} revisions got {min(others):g} to {max(others):g}. "
    "Its last step is "
    f"{quote(best.thought.rpartition(chr(10))[2], 110)} One judge: "
    f"{quote(said[0]['why'], 80)}",
    "Carried out, without that step and with a slip: "
    f"{quote(solution.thought, 330)} The verifier: {plans.score.why}.",
)
