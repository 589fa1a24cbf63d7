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
# # Search over plans
#
# Before you do something costly you make a plan, show it to somebody, and change it. Can a language model work like
# that: plan, be judged, revise, and only then calculate? And does it pay, compared with simply trying five times and
# taking a vote?
#
# *Planning with MCTS* {cite}`anonymous2024planning` says yes. A **plan**, a few instructions without any calculation, is
# written first. Judges look at it before anything is done, it is rewritten in view of their words, and
# the tree of rewritten plans is searched with the algorithm of [chapter 13](13_mcts_from_scratch.ipynb). Only the best
# plan is carried out. The promise is that a bad plan is found while it is still cheap to change. The price is a long
# conversation before the first answer.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - say what planner, judges and executor write, and who sees what;
# - build a Monte Carlo tree search over plans from the four phases of chapter 13;
# - compare it with votes and with plans side by side, in what it writes and reads;
# - stop before the execution, have a person change the plan, and go on from there.

# %% tags=["set-up"]
# Imports, the recorded model and the problems
from collections import Counter
from math import inf, log, sqrt
from statistics import fmean
from textwrap import fill

from IPython.display import display

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/14.jsonl")
chains = tot.Cassette("cassettes/09.jsonl")  # chapter 9 asked the same
N = {"gsm8k": 40, "svamp": 40}  # how many problems of each kind
kinds = {
    kind: tot.task(kind).problems("book")[:n] for kind, n in N.items()
}


# %% tags=["set-up"]
# What asks the recorded model, and what wraps its words
def ask(request, n=1):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


def wrapped(text, indent=""):
    lines = text.splitlines()
    return "\n".join(fill(indent + line, 72) for line in lines)


def solve(kind, problem, method, model=lm, **knobs):
    done = tot.solve(kind, problem, method, lm=model, **knobs)
    assert not done.error, done.error
    return done


# %% [markdown]
# The paper's models are Qwen2.5-Instruct, Llama 3.1 and Gemma 2; ours is a small *Coder* of the first family, in four
# bits. The eighty problems are our own, made by a program in the style of two of the paper's eight sets: `gsm8k` needs two to
# four steps of arithmetic, `svamp` one step and has a number that is not needed. So compare signs with the paper, not
# rates.
#
# ## Plan first
#
# Here is what the planner is asked, and its first reply:

# %%
gsm8k = tot.task("gsm8k")
problem = kinds["gsm8k"][0]
start = tot.State(problem.x)
request = gsm8k.plan(start, "")
[text] = ask(request)
print(wrapped(request.messages[-1].content))
print(f"\n--- reply:\n{text}")

# %% [markdown]
# The executor is given the question and the plan. This much, without judges and without a search, is
# **Plan-and-Solve** {cite}`wang2023plan`, in two requests instead of one.

# %%
[read] = gsm8k.read_plan(start, text)
first = start.then(read.value)
[solution] = ask(gsm8k.execute(first))
[answer] = gsm8k.read_executed(first, solution)
print(solution)
print("--- verdict:", gsm8k.verify(problem, answer.value.answer).why)

# %% [markdown]
# > **In the paper.** For a problem $X$, a plan $\pi$ and a solution $Y$, the text describes the sum
# > $P(Y \mid X) = \sum_\pi P(Y \mid X, \pi)\, P(\pi \mid X)$: a chain of thought draws one plan and one solution
# > together. The search does not compute this sum: it looks for one plan of high reward and draws one solution from it,
# > in the hope of doing better than the average. (The sum is our reading. The printed equation 2 has one and the same factor on both
# > sides, [P9](../book/errata.md#p9-a-term-on-both-sides) of the errata.)
#
# ## Three roles
#
# Monte Carlo tree search needs a reward for each node. Playing a plan to its end would mean carrying it out, which is
# what we want to avoid, so the paper's *simulation* is an opinion. Two **judges** look at the plan. One asks whether it
# is logical, the other whether it is feasible; each replies with a score from 0 to 1 and a few words. The **reward** of
# the plan is the mean of the two scores.

# %% tags=["remove-input"]
show.concepts.roles()

# %% [markdown]
# **Figure.** Only the planner is shown what the judges said, and only the verifier the gold answer. (What a planner
# copies into its plan the others read, too: exercise 2.)

# %% [markdown]
# A reply without a readable score is counted and left out; no score is guessed.


# %%
def judged(state):
    """A plan's reward (None if no score can be read); the words."""
    said, scores = [], []
    for name in ("logic", "feasibility"):
        [text] = ask(gsm8k.assess(state, name))
        if score := gsm8k.read_assessment(text).value:
            scores.append(score.score)
            words = f"{name} {score.score:.2g}: {score.reason}"
            said.append(words.rstrip(": "))
    return fmean(scores) if scores else None, "\n".join(said)


# %% [markdown]
# Then the plan goes back to the planner, with the judges' words, and is rewritten. Two such **revisions** of one plan are
# its two children in the tree.

# %%
reward, words = judged(first)
[text, _] = ask(gsm8k.plan(first, words), n=2)
[read] = gsm8k.read_plan(first, text)
plans = (first.last.text, read.value.text)
show.plan_diff(*plans, title="one revision", feedback=words)

# %% [markdown]
# **Figure.** The judges give half marks to a plan that leads to the right answer; the revision says the same again.
#
# ## The tree, from scratch
#
# A node is a state whose newest thought is a plan, and the states above it are what it was rewritten from. `write` asks
# for plans, and refuses one that says what another plan of the tree says already: a copy would cost its judges' fees and
# bring nothing.


# %%
class Tree:
    def __init__(self, x):
        self.seen, self.kids = set(), {}
        self.reward, self.words = {}, {}
        self.visits, self.total = Counter(), Counter()
        [self.root] = self.write(tot.State(x), 1)

    def write(self, state, n):
        new, words = [], self.words.get(state, "")
        for text in ask(gsm8k.plan(state, words), n):
            [read] = gsm8k.read_plan(state, text)
            plan = read.value.text if read.ok else ""
            bare = "".join(c for c in plan.lower() if c.isalnum())
            if read.ok and bare not in self.seen:
                new.append(state.then(read.value))
            self.seen.add(bare)
        return new


# %%
def line(state):
    """The states from a plan up to the first one."""
    plans = range(len(state.thoughts), 0, -1)
    return [tot.State(state.x, state.thoughts[:n]) for n in plans]


def ucb1(tree, plan):
    n, above = tree.visits[plan], tree.visits[line(plan)[1]]
    if not n:
        return inf
    return tree.total[plan] / n + sqrt(2) * sqrt(log(above) / n)


# %% [markdown]
# The four phases are those of chapter 13, and only *simulation* has changed. A plan without any readable score loses
# its place in the tree.


# %%
def rollout(tree):
    plan = tree.root
    while kids := tree.kids.get(plan):  # 1. selection
        plan = max(kids, key=lambda kid: round(ucb1(tree, kid), 9))
    if plan in tree.reward and plan not in tree.kids:  # 2. expansion
        tree.kids[plan] = tree.write(plan, 2)
        plan = (tree.kids[plan] or [plan])[0]
    if plan not in tree.reward:  # 3. simulation
        tree.reward[plan], tree.words[plan] = judged(plan)
    if tree.reward[plan] is None:
        if plan != tree.root:
            tree.kids[line(plan)[1]].remove(plan)
        return
    for above in line(plan):  # 4. backpropagation
        tree.visits[above] += 1
        tree.total[above] += tree.reward[plan]


# %% [markdown]
# On equal means UCB1 takes the plan with fewer visits, and of these the one that was written first. A plan may be revised five times in succession (the package's knob `depth`); six rollouts cannot go
# deeper, since each adds one level at most.
#
# > **In the paper.** When a leaf is reached, "a new node is added". Word for word that gives a chain instead of a tree: a plan with
# > one revision is no leaf any more and never gets a second one, so there is nothing to select
# > ([P6](../book/errata.md#p6-one-new-node) of the errata). We write two revisions at once.

# %% tags=["checked"]
# the package's tree has the same plans, rewards, visits and totals
TREE = {"rollouts": 6, "revisions": 2}
for problem in kinds["gsm8k"]:
    tree = Tree(problem.x)
    for _ in range(6):
        rollout(tree)
    nodes = solve("gsm8k", problem, "mcts-plan", **TREE).result.visited
    assert tree.reward == {x.state: x.value for x in nodes}
    for mine, x in zip(tree.reward, nodes, strict=True):
        counts = tree.visits[mine], tree.total[mine]
        assert (mine, *counts) == (x.state, x.visits, x.total)
print(f"the same trees on all {len(kinds['gsm8k'])} problems")

# %% [markdown]
# The package calls this method `mcts-plan`. It carries out the plan with the best reward of its own, and of equals the one
# that was revised less often. Here is a whole search of six rollouts; a number counts those that went through a plan.

# %% tags=["set-up"]
# All trees of gsm8k, and one whose output is a revision
trees = [solve("gsm8k", p, "mcts-plan", **TREE) for p in kinds["gsm8k"]]
plans = [run.result.best[0].parent for run in trees]
revised = [plan.depth > 1 for plan in plans]  # the first one has 1
shown = next(
    run
    for run, new in zip(trees, revised, strict=True)
    if new and run.correct
)
show.explorer(shown, step="end")

# %% [markdown]
# **Figure.** The first plan has a reward of 0.5, and a revision of it has 1 and is carried out. Press *Play*; open a plan to read
# what its judges said.
#
# ### Predict: where do the tokens go?
#
# Planner, judges, executor: of all tokens that are *written*, what share goes into the solution itself?

# %%
rows = []
for role in ("planner", "judge", "executor"):
    bills = [run.result.ledger.asked[role] for run in trees]
    row = {"role": role, "requests": fmean(b.calls for b in bills)}
    row["written"] = round(fmean(b.completion_tokens for b in bills))
    row["read"] = round(fmean(b.prompt_tokens for b in bills))
    rows.append(row)
note = f"tokens per problem, mean of {len(trees)} trees (gsm8k)"
show.Predict(
    "What share is the executor's?",
    round(100 * rows[-1]["written"] / sum(r["written"] for r in rows)),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, caption=note),
)

# %% [markdown]
# All the rest is spent before the work begins.
#
# ## Is it worth its price?
#
# The paper compares its search with one chain and one plan, and finds large gains for small models ([new problems](../book/tables.md)
# exclude three). But a dozen requests should be compared with other ways to use them. On the same eighty:
#
# - **one chain** of thought, zero-shot {cite}`kojima2022large`, and the **vote of five chains**
#   {cite}`wang2023selfconsistency`;
# - **one plan**, carried out: the tree's own first plan, before anybody judged it (in [the papers' tables](../book/tables.md) the mean of six);
# - the **judges' pick of six**: six independent plans, the same judges, no tree. The paper does not have this row.
#   If revising in a tree is worth something, the tree must beat it;
# - the **vote of six plans**: all six are carried out, and their answers vote. No judge has a say;
# - the **tree** of six rollouts. It judges up to six plans.

# %% tags=["set-up"]
# All runs: each way on each problem
SIX = {"plans": 6}
WAYS = {
    "vote of five chains": ("zero-shot-cot", {"k": 5}),
    "one plan": ("plan-and-solve", {}),
    "judges' pick of six": ("judged-plans", SIX),
    "vote of six plans": ("judged-plans", SIX | {"executed": 6}),
    "tree": ("mcts-plan", TREE),
}
ALL = [(kind, p) for kind, problems in kinds.items() for p in problems]
runs = {}
for way, (method, knobs) in WAYS.items():
    runs[way] = []
    for kind, p in ALL:
        recorded = way == "vote of five chains" and kind == "gsm8k"
        source = chains if recorded else lm
        runs[way].append(solve(kind, p, method, source, **knobs))


# %% tags=["set-up"]
# Was the output right, problem by problem? What was the bill?
def vote(task, answers):
    """The most frequent answer, of equals the first."""
    answers = [a for a in answers if a is not None]
    forms = [task.same(a) for a in answers]
    votes = [forms.count(form) for form in forms]
    return answers[votes.index(max(votes))] if votes else None


def by_vote(kind, problem, run):
    """In the order of writing, so that no judge breaks a tie."""
    ends = zip(run.result.best, run.answers, strict=True)
    ends = sorted(ends, key=lambda pair: pair[0].id)
    answer = vote(tot.task(kind), [a for _, a in ends])
    return tot.task(kind).verify(problem, answer).correct


right = {
    way: [run.chosen for run in done] for way, done in runs.items()
}
pairs = zip(ALL, runs["vote of six plans"], strict=True)
right["vote of six plans"] = [
    by_vote(*pair, run) for pair, run in pairs
]
five = [run.scores for run in runs["vote of five chains"]]
right["one chain"] = [fmean(x.correct for x in of) for of in five]


def solved(way, part=slice(None)):
    found = right[way][part]
    if way == "one chain":  # a share of five, so no count
        return stats.bootstrap([[share] for share in found])
    return stats.wilson(sum(found), len(found))


def spent(way):
    """Tokens and rounds per problem; a vote of plans has no judges."""
    name, n = ("vote of five chains", 5) if "chain" in way else (way, 1)
    roles = {"planner", "executor"}
    roles |= set() if way == "vote of six plans" else {"judge"}
    bills = [run.result.ledger for run in runs[name]]
    parts = [
        b for x in bills for role, b in x.asked.items() if role in roles
    ]
    wrote = sum(b.completion_tokens for b in parts) / len(bills)
    row = {"written": round(wrote / (n if way == "one chain" else 1))}
    row["read"] = round(
        sum(b.prompt_tokens for b in parts) / len(bills)
    )
    waits = (
        2
        if way == "vote of six plans"
        else fmean(x.rounds for x in bills)
    )
    return row | {"rounds": round(waits, 1)}


NAMES = ("one chain", *WAYS)

# %% [markdown]
# ### Predict: who solves most?
#
# (The table marks the tree.)

# %% tags=["predict"]
halves = {"gsm8k": slice(40), "svamp": slice(40, 80)}
rows = []
for way in NAMES:
    row = {"method": way} | {
        k: solved(way, at) for k, at in halves.items()
    }
    rows.append(row | spent(way))
note = "40 problems of each kind; tokens and rounds per problem"
show.Predict(
    "Which of the six solves most of the eighty problems?",
    max(NAMES, key=lambda way: solved(way).rate),
    choices=list(NAMES),
    shows=show.table(rows, caption=note, highlight=-1),
)

# %% tags=["plot", "predict"] mystnb={"image": {"alt": "Success on all eighty problems against written tokens per problem, with 95 percent intervals, for six methods. The two votes are on top. The tree writes about as much as the votes and lies as low as a single plan, which writes a sixth of that."}}
points = [
    {"method": row["method"], "tokens written": row["written"]}
    | {"solved": solved(row["method"])}
    for row in rows
]
show.plots.success_by_cost(points, x="tokens written", y="solved")

# %% [markdown]
# **Figure.** Both votes lie above the tree and write about as much; one plan lies level with it and writes a sixth.
#
# The tree reads more than twenty times as much as the chains, and needs three times as many rounds as any other.
#
# Whether two methods differ is not settled by overlapping intervals, since both had the same problems. Count those that
# one of them solved alone.

# %% tags=["set-up"]
# The tree against four others, problem by problem
rows = []
for way in NAMES[1:-1]:
    pair = stats.paired(right["tree"], right[way])
    d = pair.difference
    row = {"the tree against": way, "tree alone": pair.only_a}
    row |= {"the other alone": pair.only_b}
    row["tree minus it"] = (
        f"{d.rate:+.0%} [{d.low:+.0%}, {d.high:+.0%}]"
    )
    rows.append(row | {"p": f"{pair.p:.2g}"})
show.table(rows, caption=f"{len(ALL)} problems")

# %% [markdown]
# **Table.** (Differences in points.) The tree is behind the vote of chains, and perhaps behind that of plans; from its own first plan and from the
# judges' pick of six it cannot be told.
#
# Four questions are put to the same problems here, and each could raise a false alarm. If all four together are to do so at
# most once in twenty, each $p$ must be below 0.05 / 4 = 0.0125, which is the **Bonferroni correction**. The vote of
# chains passes with 0.006. The vote of plans, with 0.023, does not: it is a strong hint, and would be more if it had
# been our only question.
#
# So is the tree worth it **at equal tokens**? Not here: it writes about as much as either vote, reads far more, and is
# clearly behind one of them. What helps is to carry out several attempts and count.
#
# ## How can a search do harm?
#
# The tree won six problems by revising, and lost six that its first plan had right. One of these:

# %% tags=["set-up"]
# A problem that the first plan solves and the tree does not
lost = zip(right["one plan"][40:], runs["tree"][40:], strict=True)
worse = [run for ok, run in lost if ok and not run.chosen][2]
print(wrapped(worse.trace.head["problem"]))
first, last = worse.result.visited[0], worse.result.best[0]
for name, node in (("first plan", first), ("carried out", last.parent)):
    print(f"\n{name}, reward {node.value:.2f}")
    print(wrapped(node.state.last.text))
    print(wrapped(node.note, "   "))
print("\nthe executor:", last.state.last.text.splitlines()[-1])

# %% [markdown]
# The first plan is short and right. One judge misses information that is there, so the planner puts in what
# the question does not ask for. The words about the last plan are no kinder, but its scores are full
# marks, and the search goes where the scores are. [Part two](14_planning_study.ipynb)
# asks whether they mean anything.
#
# ## A person looks at the plan
#
# When the search ends nothing has happened yet, and a plan is made to be read. The authors name this as a
# safeguard: a search optimises whatever its judges reward, and might find its way around a refusal that a direct
# question would have met. So stop, read, and go on from the plan that you want:
#
# ```sh
# tot solve gsm8k "..." --method mcts-plan --plan-only
# tot solve gsm8k "..." --method plan-and-solve --plan @plan.txt
# ```
#
# The first line searches and prints the plan with its judgements; the second carries out the plan in the file and asks
# no planner. Here is a problem that the tree failed. (Picked with gold in hand; a reviewer has only the text.)

# %% tags=["set-up"]
# A problem that the tree fails, and a plan that leads to the answer
votes = runs["vote of six plans"]
pairs = enumerate(zip(runs["tree"], votes, strict=True))
place = next(i for i, (a, b) in pairs if not a.correct and b.any)
problem = kinds["gsm8k"][place]
ends = zip(votes[place].result.best, votes[place].scores, strict=True)
good = next(node for node, score in ends if score.correct)
better = good.parent.state.last.text
last = runs["tree"][place].result.best[0].state.last.text
ended = wrapped("\n".join(last.splitlines()[-2:]))

# %%
found = solve("gsm8k", problem, "mcts-plan", plan_only=True, **TREE)
plan = found.result.best[0]
print(wrapped(problem.x + "\n\n" + plan.state.last.text + "\n"))
print(f"reward {plan.value:.2f}\n\nthe executor, at last:\n{ended}")
print("--- verdict:", runs["tree"][place].score.why)

# %% [markdown]
# Full marks, for a plan that ends in the middle of a step. Its checks cost the executor the answer: it has 120 after step
# 4, and is cut off before it says so. The reviewer takes a plan that says the same in four lines:

# %%
display(show.plan_diff(plan.state.last.text, better))
reviewed = solve("gsm8k", problem, "plan-and-solve", plan=better)
print("verdict:", reviewed.score.why)
print("asked:", ", ".join(reviewed.result.ledger.asked))

# %% [markdown]
# ## Where it breaks
#
# Look at a plan with which nothing is wrong.

# %% tags=["set-up"]
# A tree that failed with a good plan: read by hand, so picked by name
place = [problem.id for problem in kinds["svamp"]].index("book-17")
run, problem = runs["tree"][40 + place], kinds["svamp"][place]
last = run.result.best[0]
print(wrapped(problem.x))
print(f"\ncarried out, reward {last.parent.value:.2f}")
print(wrapped(last.parent.state.last.text))
print("\nthe executor:", last.state.last.text)
print("--- verdict:", run.score.why)

# %% [markdown]
# The judges give it full marks, and rightly. But the executor does not take the steps one by one, and 136 − 115 is not
# 11. No judge of plans can see that coming. It is the first of three failures.
#
# 1. **A good plan, badly carried out**: the executor cannot follow it, or slips in the arithmetic. Judges look at plans, not
#    at executors.
# 2. **Judges without an opinion.** Where all rewards are equal, the search takes turns, and the first plan wins.
# 3. **Revisions that change nothing** but words, or a good plan for the worse.
#
# [Part two](14_planning_study.ipynb) counts the second and the third.
#
# ## A player that answers live
#
# Change a knob above and the recording cannot answer: it holds only the replies that were asked for. The **worded pocket model**
# ([its card](../book/pocket_words_card.md)) has fewer than a million parameters, knows stories of its
# own small world, and answers at once:

# %%
from treebook.players.worded import worded

story = tot.task("gsm8k").problems("pocket")[2]
knobs = {"rollouts": 6, "revisions": 2, "feasibility": 1.0}
live = tot.solve("gsm8k", story, "mcts-plan", lm=worded(), **knobs)
plan = live.result.best[0].parent
print(wrapped(story.x))
print(plan.state.last.text)
print(f"reward {plan.value:.2f}\n{plan.note}")
print("--- verdict:", live.score.why)

# %% [markdown]
# Its judges first work the problem out, in short. [Part two](14_planning_study.ipynb) plays all six methods on 300 of its
# problems.
#
# ## Summary
#
# - A plan can be judged, rewritten, and read by a person before anything is done. `--plan-only` stops
#   there.
# - The search is that of chapter 13 with an opinion for a playout: a reward, and words for the next revision.
# - On eighty word problems the vote of five chains beat the tree by nineteen points for fewer tokens, and the
#   judges' pick of six plans could not be told from it, in a third of its rounds.
# - Count what is read as well as what is written: a tree of plans reads three tokens for each that it writes.
# - The best of plans is lost on an executor who slips.
#
# ## Exercises
#
# ### Exercise 1: how many chains for the price of a tree?
#
# Compute the success of a vote over the first 1, 2, 3, 4 and 5 chains, and the tokens they write, over all problems. How
# many chains do as well as the tree?
#
# <details><summary>Hint</summary>
#
# `runs["vote of five chains"]` holds runs of five chains: `run.answers` in their order. `vote(task, answers)` is in a
# folded cell, and `task.verify(problem, answer)` judges an answer.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
five, rates = runs["vote of five chains"], {}
for k in (1, 2, 3, 4, 5):
    found = []
    for (kind, problem), run in zip(ALL, five, strict=True):
        answer = vote(tot.task(kind), run.answers[:k])
        found.append(tot.task(kind).verify(problem, answer).correct)
    tokens = round(spent("vote of five chains")["written"] * k / 5)
    name = f"a vote of {k}, {tokens} tokens"
    rates[name] = stats.wilson(sum(found), len(found))
rates[f"the tree, {spent('tree')['written']} tokens"] = solved("tree")
show.results(rates)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# One: a single chain lies within luck of the tree, for a sixth of its tokens, and from two on the rate is above the
# tree's. (Only all five were tested against it.)
#
# </details>
#
# ### Exercise 2: who sees what?
#
# Check in the traces of all trees that the executor sees the chosen plan and no judge's words, and that its prompt does
# not hold the gold answer as a line of its own.
#
# <details><summary>Hint</summary>
#
# Events of kind "asked" have a "role" and "requests"; a request has "messages" with "content". Judges' words reach a
# planner below the line "Judges say:".
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
seen = {"planner": [], "judge": [], "executor": []}
for run in runs["tree"]:
    for event in run.trace.events:
        for request in event.get("requests", ()):
            seen[event["role"]].append(
                request["messages"][-1]["content"]
            )
for role, prompts in seen.items():
    told = sum("Judges say:" in text for text in prompts)
    print(f"{role}: {len(prompts)} prompts, {told} with judges' words")
for (_, problem), run in zip(ALL, runs["tree"], strict=True):
    plan = run.result.best[0].parent.state.last.text
    [last] = [
        e for e in run.trace.events if e.get("role") == "executor"
    ]
    prompt = last["requests"][0]["messages"][-1]["content"]
    assert plan in prompt
    assert str(problem.gold) not in prompt.splitlines()

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A few prompts of judges hold judges' words all the same. The program did not put them there: the planner had copied
# the words that it was shown into its plan. Roles can be kept apart in a program; a model may repeat whatever it has
# read.
#
# </details>
#
# ### Exercise 3: a judge who loves everything
#
# What does the method do if all judges answer "great!"? And if all give 1? Predict, then try it with a scripted team on
# one problem. Which plan is carried out, and what is counted?
#
# <details><summary>Hint</summary>
#
# `tot.Scripted(says, name="team")`, where `says(request, i)` returns a reply. The judges' prompts contain "Score: N", the
# executor's "Carry out the plan". The planner's replies should differ, or they are refused as copies.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def team(verdict):
    def says(request, i):
        text = request.messages[-1].content
        if "Score: N" in text:
            return verdict
        if "Carry out" in text:
            return "The answer is 1."
        plan = f"Plan number {sum(map(ord, text))}, version {i}."
        return f"1. {plan}\n2. Do it."

    return tot.Scripted(says, name="scripted")


problem = kinds["gsm8k"][0]
for verdict in ("great!", "Score: 1"):
    knobs = {"lm": team(verdict), **TREE}
    run = tot.solve("gsm8k", problem, "mcts-plan", **knobs)
    plan = run.result.best[0].parent
    unread = [event.get("unread", ()) for event in run.trace.events]
    whys = Counter(entry["why"] for found in unread for entry in found)
    print(f"{verdict!r}: carried out {plan.id}, not read {dict(whys)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Scripted, so it says nothing about a model. Both times the first plan is carried out: no reward speaks for another one.
# In the first case the unread scores are counted, and a table of results shows them. In the second case every score was
# read, and nothing looks wrong. A judge who loves everything is the more dangerous one. Part two shows how to find it.
#
# </details>
#
# ### Exercise 4: one judge, live
#
# Give the feasibility judge of the live cell no weight. On ten problems of the split `pocket`, how often is another plan carried
# out?
#
# <details><summary>Hint</summary>
#
# `result.best[0].parent.state.last.text` is the plan.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
def carried_out(story, **knobs):
    run = tot.solve("gsm8k", story, "mcts-plan", lm=worded(), **knobs)
    return run.result.best[0].parent.state.last.text


ten = tot.task("gsm8k").problems("pocket")[:10]
pairs = [
    (carried_out(p, **TREE), carried_out(p, **TREE, feasibility=0))
    for p in ten
]
print(sum(a != b for a, b in pairs), "of 10 plans are others")

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`anonymous2024planning`. What we found in [its tables](../book/tables.md#all-comparisons-in-one-picture) is
#   in [the errata](../book/errata.md), P1 to P9.
# - {cite}`wang2023plan` for Plan-and-Solve, {cite}`kojima2022large` for zero-shot chains, {cite}`wang2023selfconsistency`
#   for votes.
# - [Part two](14_planning_study.ipynb): is a plan with a high reward a better plan? And [a study](study_plans.ipynb): more
#   rollouts, deeper trees, one judge, and the paper's long word.
# - [Chapter 15](15_who_should_plan.ipynb): two models in the three roles, and when a search over plans is worth it.
