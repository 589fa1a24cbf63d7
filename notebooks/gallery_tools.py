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
# # Gallery, part two: Trees with tools
#
# In these searches a thought ends in an action, and a tool answers: `Search` opens a page of the book's small
# encyclopedia, `Lookup` finds a word on it, `Finish` answers. [Part one](gallery.ipynb) says how to look at an exhibit, and
# what not to conclude from one. The first four have the same question and the same model. The first is a chain, with
# nothing to choose. The next three draw up to three steps and score them. They share most of their samples, and differ
# in one thing: **whose turn is it?** The last exhibit is the iToT poster's own question, with thoughts that we wrote.

# %% tags=["remove-input"]
import tot
from tot.tasks.base import Problem
from tot.tasks.hotpotqa import HotpotQA
from tot.tools.corpus import Page, sentences
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
lm = tot.Cassette("cassettes/12.jsonl")
task = tot.task("hotpotqa")
saturn, sax = (task.problems("easy")[n] for n in (18, 0))


# %% tags=["remove-input"]
def replay(problem, method, **knobs):
    run = tot.solve(task, problem, method, lm=lm, **knobs)
    assert not run.error, run.error
    return run


def action(node):
    """The call that a thought ends in."""
    return node.thought.rpartition("Action: ")[2]


def bill(run):
    total = run.result.ledger.total
    return f"{total.calls} requests, {total.tokens:,} tokens"


# %% [markdown]
# ## What is here
#
# One trace of each; tokens are those of its prompts and replies.

# %% tags=["remove-input"]
TREE = {"k": 3, "depth": 5, "rounds": 8}
BROKEN = "Search=0.3,Lookup=0.3,seed=1"
chain = replay(saturn, "react", depth=6)
deep = replay(saturn, "react-dfs", k=3, depth=5, steps=16)
greedy = replay(saturn, "react-best-first", **TREE)
priced = replay(saturn, "itot-astar", **TREE)
broken = replay(sax, "itot-dstar", **TREE, failures=BROKEN)

# %% tags=["remove-input"]
contents(
    [
        ("one step at a time", lm, chain),
        ("steps, and a score for each", lm, deep),
        ("the same", lm, greedy),
        ("the same; calls cost something", lm, priced),
        ("the same; calls fail on purpose", lm, broken),
    ]
)

# %% [markdown]
# ## The same call, again and again
#
# **The problem:** which gas makes up most of the air of Saturn's largest moon? ReAct {cite}`yao2023react` writes one chain of steps. It is in
# [chapter 10](10_tools_costs_failures.ipynb), file `tot/methods/acting.py`.

# %% tags=["remove-input"]
path = [
    node for id, node in show.picture(chain).items.items() if id != "0"
]
calls = [action(node) for node in path]
failed = [node for node in path if node.failed]
offered = [node for node in path if "Titan (moon)" in node.observation]

# %% tags=["remove-input"]
show.explorer(
    chain, step=when(chain, "acted", path[1].id), node=path[1].id
)

# %% tags=["remove-input"]
notice(
    f"{len(failed)} of {len(path)} calls fail. {calls.count(calls[0])} of them are `{calls[0]}`, word for word.",
    f"{len(offered)} times the tool says "
    f"{quote(offered[0].observation, 120)} The way out is on the "
    "table. The model does not take it.",
    "A chain has nothing beside it. What its own failures suggest "
    f"next is all that it has, and the limit of {len(path)} steps "
    "ends it without an answer.",
)

# %% [markdown]
# ## The better idea waits to the end
#
# **The problem:** the same question. Depth first: one idea is followed as far as it goes, then its neighbour. The method is in
# [chapter 11](11_best_first_itot_astar.ipynb), file `tot/search/depth_first.py`.

# %% tags=["remove-input"]
known = show.picture(deep).items
firsts = [node for node in known.values() if node.parent == "0"]
better = next(n for n in firsts if action(n) == "Search[Titan]")
visited = [n for n in known.values() if n.depth and n.value is not None]
calls = [node for node in visited if node.cost is not None]
pruned = [node for node in visited if node.status == "pruned"]
moon = next(node for node in pruned if "is Titan" in node.thought)
end = next(node for node in known.values() if node.end)
assert better.value is None and not better.children

# %% tags=["remove-input"]
here = when(deep, "pruned", moon.id)
show.explorer(deep, step=here, node=moon.id)

# %% tags=["remove-input"]
notice(
    f"{quote(better.thought, 120)} is there from step "
    f"{when(deep, 'expanded', better.id)} on. Look for it in the list "
    "of waiting candidates: its turn never comes.",
    f"Of {len(calls)} calls, "
    f"{sum(bool(node.failed) for node in calls)} fail. Below a bad "
    "first step everything is bad, and depth first stays there.",
    f"At step {here} {called(deep, moon.id)} names the right moon, "
    f"and is pruned: its score is {moon.value:g}. Then "
    f"{called(deep, end.id)}, a guess from no page at all, gets "
    f"{end.value:g} and is the answer: {deep.score.why}.",
)

# %% [markdown]
# ## The answer is there, and the search goes on
#
# **The problem:** the same question. Best first: the state with the best score is next, wherever it is. The search is in
# [chapter 11](11_best_first_itot_astar.ipynb), file `tot/search/informed.py`.

# %% tags=["remove-input"]
known = show.picture(greedy).items
answer = next(node for node in known.values() if node.end)
found = when(greedy, "evaluated", answer.id)
turns = [
    ids[0] for kind, ids in steps(greedy)[found:] if kind == "taken"
]
values = ", ".join(f"{known[id].value:g}" for id in turns)
asked = [s.get("requests", 0) for s in show.view(greedy)["steps"]]

# %% tags=["remove-input"]
show.explorer(greedy, step=found, node=answer.id)

# %% tags=["remove-input"]
notice(
    f"{called(greedy, answer.id)} is right, and it is there at step "
    f"{found}, after {sum(asked[: found + 1])} requests. But the "
    f"judge gives it {answer.value:g}.",
    f"Go on from there. The search takes {len(turns)} other states, "
    f"with the values {values}. None of them answers anything.",
    f"At {sum(asked)} requests the rounds are used up, and the best "
    f"answer so far is the output: {greedy.verdict}. A high score "
    "does not say how much work is left.",
)

# %% [markdown]
# ## A price for every call
#
# **The problem:** the same question. iToT-A\* takes the state with the lowest $f$: what its calls have cost, less what it
# is worth. The search is in [chapter 11](11_best_first_itot_astar.ipynb), file `tot/search/informed.py`.

# %% tags=["remove-input"]
known = show.picture(priced).items
answer = next(node for node in known.values() if node.end)
taken = when(priced, "taken", answer.id)
rival = min(
    (n for n in known.values() if n.status == "valued"),
    key=lambda n: n.f,
)
assert (
    not rival.children and show.picture(greedy).items[rival.id].children
)

# %% tags=["remove-input"]
show.explorer(priced, step=taken - 1)

# %% tags=["remove-input"]
notice(
    f"Before step {taken}, compare two states on the open list. "
    f"{called(priced, rival.id)} has value {rival.value:g}, and its "
    f"way cost g = {rival.g:g}: f = {rival.f:g}. "
    f"{called(priced, answer.id)}, the answer, has value "
    f"{answer.value:g} and g = {answer.g:g}: f = {answer.f:g}, which "
    "is lower. It is taken, and that is the end.",
    f"Best first took {called(greedy, rival.id)} and what is below "
    f"it. The same states, another order: {bill(priced)} here, "
    f"{bill(greedy)} there.",
    "The prices decide. Were all calls free, the order would be that of best first.",
)

# %% [markdown]
# ## When the tool is out of order
#
# **The problem:** in which town was the inventor of the saxophone born? iToT-D\*; three of ten calls, drawn by a seed, fail on purpose.
# The search is in [chapter 12](12_itot_dstar.ipynb), file `tot/search/replanning.py`.

# %% tags=["remove-input"]
known = show.picture(broken).items
seen = {id: node.observation or "" for id, node in known.items()}
down = [known[id] for id in seen if "out of order" in seen[id]]
page = next(known[id] for id in seen if "Dinant" in seen[id])
charge = when(broken, "propagated")
events = broken.trace.events
told = next(e for e in events if e["kind"] == "propagated")
shares = told["charged"].items()
charged = ", ".join(
    f"{called(broken, id)} {share:g}" for id, share in shares
)
end = next(node for node in known.values() if node.end)
runs = [
    replay(sax, f"itot-{name}", **TREE) for name in ("astar", "dstar")
]
sound, other = [(run.answer, run.verdict) for run in runs]
assert f"{down[0].id}." in runs[0].result.best[0].id

# %% tags=["remove-input"]
show.explorer(broken, step=charge, node=page.id)

# %% tags=["remove-input"]
notice(
    "The tool was out of order at "
    f"{called(broken, *(node.id for node in down))}. At step {charge} "
    f"the failures are charged to their way: {charged}. Everything "
    "below gets dearer.",
    f"But {called(broken, page.id)} had the page: "
    f"{quote(page.observation, 100)} Its way was right. The failures "
    "say nothing against it.",
    f"So {called(broken, end.id)} has the lowest f of all that is "
    f"open. Its value is {end.value:g}, and it is the output: "
    f"{broken.score.why}.",
    f"With sound tools iToT-A* answers {quote(sound[0])}, on a way "
    f"through {called(broken, down[0].id)}, which was down here. "
    f"iToT-D* answers {quote(other[0])} even then: a call that finds "
    "nothing is charged like one that breaks.",
)

# %% [markdown]
# ## The poster's own question
#
# **The problem:** beside which actress did the man play in *Gigantic* who had won a Golden Globe as best actor in *Roseanne*? The iToT poster
# follows iToT-D\* Lite on it (its figure 2). Its model and pages are not public, so this trace is **authored**: the thoughts, the
# verdicts and the four short pages are ours. The tools, the search and what it counts are real. A Search that finds no page
# has failed, as on the poster.

# %% tags=["remove-input"]
PAGES = {
    "Roseanne": "Roseanne is an American comedy series about a family, "
    "first shown in 1988. Roseanne Barr and John Goodman play the "
    "parents. Goodman won a Golden Globe as best actor for it.",
    "John Goodman": "John Goodman is an American actor. He was born in "
    "St. Louis in 1952. He is known for Roseanne and for many films.",
    "Gigantic (film)": "Gigantic is an American film of 2008. Paul Dano "
    "plays a young man who wants to adopt a child. Zooey Deschanel "
    "plays the woman whom he meets, and John Goodman her father.",
    "Gigantic (song)": "Gigantic is a song of 1988 by the Pixies.",
}


class Shelf:
    """Four pages; a title that could mean two of them means none."""

    def page(self, title):
        text = PAGES.get(title)
        return Page(title, sentences(text)) if text else None

    def similar(self, title):
        return [name for name in PAGES if title in name]


# %% tags=["remove-input"]
SERIES, FILM = "Search[Roseanne]", "Search[Gigantic (film)]"
GLOBES, ACTOR = "Search[Golden Globe Awards]", "Search[John Goodman]"
END = "Finish[Zooey Deschanel]"
says = {
    "": [
        ("Who won it for Roseanne?", SERIES),
        ("Who plays in Gigantic?", "Search[Gigantic]"),
        ("Is it this film?", FILM),
    ],
    SERIES: [
        ("Goodman won. And what is he in?", ACTOR),
        ("When did he win?", GLOBES),
        ("For which year?", "Lookup[1993]"),
    ],
    FILM: [
        ("Goodman plays her father: it is she.", END),
        ("Is it the same Goodman?", ACTOR),
    ],
    ACTOR: [
        ("Does it name the film?", "Lookup[Gigantic]"),
        ("Then the film itself.", FILM),
    ],
}
worth = {SERIES: 0.8, FILM: 0.65, ACTOR: 0.9, END: 1.0}


# %% tags=["remove-input"]
def author(request, i):
    said = request.messages[-1].content
    known = [x for x in said.splitlines() if x.startswith("Action: ")]
    last = known[-1].removeprefix("Action: ") if known else ""
    if "Reply only with a score" in said:
        return str(worth.get(last, 0.3))
    thought, call = says[last][i % len(says[last])]
    return f"Thought: {thought}\nAction: {call}"


# %% tags=["remove-input"]
x = "Beside which actress did the man play in Gigantic who had won a "
x += "Golden Globe as best actor in Roseanne?"
asked = Problem("poster", x, "Zooey Deschanel")
shelf = HotpotQA(corpora={"shelf": Shelf()})
poster, plain = (
    tot.solve(
        shelf,
        asked,
        method,
        lm=tot.Scripted(author, name="authored"),
        corpus="shelf",
    )
    for method in ("itot-dstar", "itot-astar")
)
assert poster.chosen and plain.chosen
charge = when(poster, "propagated")
show.explorer(poster, step=charge)


# %% tags=["remove-input"]
def turns(run):
    """The calls whose states were taken up, in order."""
    items = show.picture(run).items
    taken = [ids[0] for kind, ids in steps(run) if kind == "taken"]
    return ", ".join(quote(action(items[id])) for id in taken[1:])


def figures(run, call):
    """V_g and V_f of a state, as the poster's figure has them."""
    items = show.picture(run).items.values()
    node = next(n for n in items if n.depth and action(n) == call)
    return f"V_g = {node.g:g} and V_f = {node.f:g}"


bills = [run.trace.result["tools"] for run in (poster, plain)]
down = [n for n in show.picture(poster).items.values() if n.failed]
notice(
    f"{quote(action(down[0]))} could mean a film or a song, so the tool "
    "finds no page. Two of the three calls below the series fail, too. "
    f"At step {charge} half of each failure is charged to the series, "
    "and everything below it gets dearer.",
    f"{quote(ACTOR)} below it has V = {worth[ACTOR]:g}. Charged, it has "
    f"{figures(poster, ACTOR)}; without the charge {figures(plain, ACTOR)}. "
    f"The film stands at {figures(poster, FILM)}, between the two.",
    f"So iToT-D* takes {turns(poster)}, and pays for "
    f"{bills[0]['calls']} calls. iToT-A*, with the same thoughts, takes "
    f"{turns(plain)}: {bills[1]['calls']} calls.",
    "An authored trace shows how the rule works. That the charge points the right way here is the author's doing.",
)

# %% [markdown]
# ## More
#
# LATS searches the same kind of tree by rollouts: [part three](gallery_monte_carlo.ipynb). Which order is best over many
# questions, five traces cannot say. [Chapter 12, part two](12_itot_study.ipynb) counts.
