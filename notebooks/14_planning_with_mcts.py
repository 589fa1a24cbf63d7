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
# that: plan, be judged, revise, and only then calculate?

# %% tags=["set-up"]
# Imports, the recorded model and the problems
from collections import Counter
from math import inf, log, sqrt
from statistics import fmean

import tot
from tot import stats
from treebook import show
from treebook.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/14.jsonl")
chains = tot.Cassette("cassettes/09.jsonl")  # the chains of gsm8k
ALL = [
    (kind, p)
    for kind in ("gsm8k", "svamp")
    for p in tot.task(kind).problems("book")[:40]
]
TREE = {"rollouts": 6, "revisions": 2}


def ask(request, n=1):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


def solve(kind, problem, method, **knobs):
    shared = (kind, method) == ("gsm8k", "zero-shot-cot")
    knobs["lm"] = chains if shared else lm
    return tot.solve(kind, problem, method, **knobs)


def on_all(method, **knobs):
    return [solve(*pair, method, **knobs) for pair in ALL]


# %% tags=["remove-input"]
show.concepts.roles()

# %% [markdown]
# **Figure.** Three roles and a check. Only the planner is shown what the judges said, and only the verifier the right
# answer.
#
# *Planning with MCTS* {cite}`anonymous2024planning` says yes. A **plan**, a few instructions without any calculation,
# is written first. Judges look at it before anything is done, it is rewritten in view of their words, and the tree of
# rewritten plans is searched with the algorithm of [chapter 13](13_mcts_from_scratch.ipynb). Only the best plan is
# carried out. So a bad plan may be found while it is still cheap to change. The price is a long conversation before the
# first answer. Does it pay, compared with simply trying several times?
#
# One small recorded model plays all the roles here. The eighty problems are our own, made by a program in the style of
# two of the paper's eight sets: `gsm8k` takes two to four steps of arithmetic; `svamp` takes one step, and often has a
# number that is not needed. The paper's models are Qwen2.5-Instruct, Llama 3.1 and Gemma 2, so compare signs with the
# paper, not rates.
#
# In a hurry? Read about [one plan](#one-plan-judged-and-rewritten) and [what it is worth](#is-it-worth-its-price).
#
# ## Learning objectives
#
# After this chapter you can
#
# - say what planner, judges and executor are asked, and who sees what;
# - build a Monte Carlo tree search over plans from the four phases of chapter 13;
# - compare it with votes and with plans side by side, in what it writes and reads;
# - stop before the execution, read or replace the plan, and go on from there.
#
# ## One plan, judged and rewritten
#
# Here is the whole idea on one problem, in the method's own prompts. Every prompt begins with the question, and from
# the second on with the plan too; we show only the last lines. (The planner's second prompt also has both judges'
# words, below "Judges say:".)

# %% tags=["set-up"]
# Five prompts and their replies
svamp = tot.task("svamp")
[problem] = [p for _, p in ALL[40:] if p.id == "book-13"]
marbles = solve("svamp", problem, "mcts-plan", **TREE)
asked = [e for e in marbles.trace.events if e["kind"] == "asked"]
turns = [("question", problem.x)]
for role, event, request, sample in (
    ("planner", 0, 0, 0),
    ("logic judge", 1, 0, 0),
    ("feasibility judge", 1, 1, 0),
    ("planner again", 2, 0, 1),
    ("executor", -1, 0, 0),
):
    made = asked[event]["requests"][request]
    prompt = made["messages"][-1]["content"].split("\n\n")[-1]
    turns.append(("prompt", prompt))
    turns.append((role, made["samples"][sample]["text"]))
show.transcript(turns)

# %% [markdown]
# The first plan says "subtract", although its own first step says "sum". Each judge gives a score from 0 to 1 and a few
# words, which are cut off after thirty tokens. The **reward** of a plan is the mean of the two scores, here 0.85. A
# reply without a readable score is counted and left out; no score is guessed. Then the planner rewrites its plan, the
# new one says "add", and carried out it leads to 65, which is right. And the first plan?

# %% tags=["set-up"]
# The first plan, carried out
alone = solve("svamp", problem, "plan-and-solve")
said = alone.result.best[0].state.last.text
turns = [("executor, first plan", said), ("verifier", alone.score.why)]
show.transcript(turns, wrong=["Hiro had 160 marbles at first."])

# %% [markdown]
# The executor believes whatever the plan says, even a made-up 160. This shorter way, one plan and its execution, is
# **Plan-and-Solve** {cite}`wang2023plan` in two requests.
#
# > **In the paper.** For a problem $X$, a plan $\pi$ and a solution $Y$, the text describes the sum $P(Y \mid X) =
# > \sum_\pi P(Y \mid X, \pi)\, P(\pi \mid X)$: a chain of thought draws one plan and one solution together. The search
# > does not compute this sum. It looks for one plan of high reward and draws one solution from it. (The sum is our
# > reading; the printed equation 2 has the same factor on both sides, [P9](../book/errata.md#p9-a-term-on-both-sides)
# > of the errata.)
#
# ## The tree, from scratch
#
# Monte Carlo tree search needs a reward for each node. Playing a plan to its end would mean carrying it out, which is
# what we want to avoid. So the *simulation* of a plan is an opinion: that of the two **judges**.


# %%
def judged(state):
    """A plan's reward (None if no score can be read); the words."""
    said, scores = [], []
    for name in ("logic", "feasibility"):
        [text] = ask(svamp.assess(state, name))
        if score := svamp.read_assessment(text).value:
            scores.append(score.score)
            words = f"{name} {score.score:.2g}: {score.reason}"
            said.append(words.rstrip(": "))
    return fmean(scores) if scores else None, "\n".join(said)


# %% [markdown]
# A node is a state whose newest thought is a plan, and the states above it are what it was rewritten from. Two
# **revisions** of a plan are its two children. `write` asks for plans and refuses copies of those already in the tree,
# since judging a copy costs as much and brings nothing.


# %%
class Tree:
    def __init__(self, x):
        self.seen, self.kids = set(), {}
        self.reward, self.words = {}, {}
        self.visits, self.total = Counter(), Counter()
        [self.root] = self.write(tot.State(x), 1)

    def write(self, state, n):
        new, words = [], self.words.get(state, "")
        for text in ask(svamp.plan(state, words), n):
            [read] = svamp.read_plan(state, text)
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
# The four phases are those of chapter 13. Any plan but the first loses its place in the tree if it has no readable
# score.


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
# Of two plans with the same UCB1, the one written first goes first. The paper adds one new node at a leaf; taken
# literally, that gives a chain instead of a tree ([P6](../book/errata.md#p6-one-new-node) of the errata), so we write
# two revisions at once.
#
# The package calls the method `mcts-plan` and carries out the plan whose own reward is best. Here are the marbles
# again, with six rollouts. $N$ counts the rollouts that went through a plan, and $Q$ is the mean of their rewards.

# %%
show.explorer(marbles, step="end")

# %% [markdown]
# **Figure.** The first plan has a reward of 0.85, and a revision of it has 1 and is carried out. Press *Play*, or open
# a plan for its own reward and its judges' words.
#
# The winner and the revision below it say the same thing. One has full marks from both judges; the other, with a few words
# changed, has 0 for feasibility. Now look at the order: after four rollouts the search had seen both revisions of the
# first plan. Which did it work on next?

# %% tags=["set-up"]
# UCB1 of the two revisions before the fifth rollout
tree = Tree(problem.x)
for _ in range(4):
    rollout(tree)
rows = []
for name, plan in zip("ab", tree.kids[tree.root], strict=True):
    n = tree.visits[plan]
    row = {"revision": name, "reward": tree.reward[plan], "N": n}
    row["Q"] = f"{tree.total[plan] / n:.3f}"
    rows.append(row | {"UCB1": f"{ucb1(tree, plan):.2f}"})
show.table(rows, highlight=0)

# %% [markdown]
# **Table.** The fifth rollout goes to revision *a*. A poor revision below *b* has pulled its mean down; but had that
# one got full marks, too, *b* would have 1 + 1.18 = 2.18, and *a* would still be next.
#
# With $C = \sqrt 2$, one visit fewer outweighs such a difference in rewards. Chapter 13 warned of such a $C$, and of
# handing in [the best reward that was seen](13_mcts_from_scratch.ipynb#the-winner-s-curse). We do both all the same:
# they are the package's defaults, and the paper names no $C$. We [come back to them](#is-it-the-settings) when we know
# what the tree is worth.
#
# ### Predict: where do the tokens go?
#
# Planner, judges and executor all write. Think of what each of them is asked, and how often.

# %%
runs = {
    "vote of five chains": on_all("zero-shot-cot", k=5),
    "one plan": on_all("plan-and-solve"),
    "judges' pick of six": on_all("judged-plans", plans=6),
    "vote of six plans": on_all("judged-plans", plans=6, executed=6),
    "tree": on_all("mcts-plan", **TREE),
}
wrote = Counter()
for run in runs["tree"]:
    for role, bill in run.result.ledger.asked.items():
        wrote[role] += bill.completion_tokens
show.Predict(
    "What share of all written tokens is in the solution itself?",
    round(100 * wrote["executor"] / wrote.total()),
    low=0,
    high=100,
    unit="%",
    shows=show.ledger(runs["tree"], caption="80 trees, means"),
)

# %% [markdown]
# Everything else is written before the work begins, and a judge reads six tokens for each that it writes. On average a tree judges 4.3
# plans (8.65 calls, two a plan): a rollout that gets only copies judges nothing new.
#
# ## Is it worth its price?
#
# The paper compares its search with one chain and with one plan. A dozen requests can be spent in other ways, too, so
# we put six methods on the same eighty problems:
#
# - **one chain** of thought, zero-shot {cite}`kojima2022large`, and the **vote of five chains**
#   {cite}`wang2023selfconsistency`;
# - **one plan**, carried out: the tree's own first plan, before anybody judged it;
# - the **judges' pick of six**: six independent plans, the same judges, no tree. The paper does not try this. If
#   revising in a tree is worth something, the tree must beat it;
# - the **vote of six plans**: all six are carried out, and their answers vote. No judge has a say;
# - the **tree** of six rollouts.


# %% tags=["set-up"]
# Was the output right, problem by problem? What was the bill?
def by_vote(kind, problem, run):
    """In the order of writing, so that no judge breaks a tie."""
    task = tot.task(kind)
    ends = zip(run.result.best, run.answers, strict=True)
    ends = sorted(ends, key=lambda end: end[0].id)
    forms = [task.same(answer) for _, answer in ends if answer]
    most = max(forms, key=forms.count, default=None)
    return task.verify(problem, most).correct


right = {w: [run.chosen for run in done] for w, done in runs.items()}
five, six = "vote of five chains", "vote of six plans"
costs = show.bill(runs).lines
votes = zip(ALL, runs[six], strict=True)
right[six] = [by_vote(*pair, run) for pair, run in votes]
right["one chain"] = [
    fmean(score.correct for score in run.scores) for run in runs[five]
]
read, wrote, rounds = costs[five]
costs = {"one chain": (read, wrote / 5, rounds)} | costs
# of the vote of six plans nobody judges: two roles, a round less
parts = [
    run.result.ledger.asked[role]
    for run in runs[six]
    for role in ("planner", "executor")
]
read = 2 * fmean(part.prompt_tokens for part in parts)
wrote = 2 * fmean(part.completion_tokens for part in parts)
costs[six] = read, wrote, costs[six][2] - 1


def rate(way):
    found = right[way]
    if way == "one chain":  # a share of five, so no count
        return stats.bootstrap([[share] for share in found])
    return stats.wilson(sum(found), len(found))


# %% [markdown]
# ### Predict: who solves most?
#
# Before you guess, think of what each method does with a mistake.

# %%
points = [
    {"method": way, "tokens written": wrote, "solved": rate(way)}
    for way, (_, wrote, _) in costs.items()
]
show.Predict(
    "Which of the six solves most of the eighty problems?",
    max(costs, key=lambda way: rate(way).rate),
    choices=[*costs],
    figure=show.plots.success_by_cost(
        points, x="tokens written", y="solved"
    ),
    alt="Both votes lie above the tree and write about as much. One "
    "plan lies level with the tree and writes a sixth.",
    shows=show.Bill(costs),
)

# %% [markdown]
# **Figure.** Success and bill of the six. The tree reads more than twenty times as much as the chains, and needs three
# times as many rounds as any other method.
#
# All six met the same problems, so count those that only one of two methods solved ([chapter
# 4](04_chain_of_thought.ipynb)).

# %% tags=["predict"]
# The tree against four others, problem by problem
pairs = {
    f"tree against {way}": stats.paired(right["tree"], right[way])
    for way in [*runs][:-1]
}
show.results(pairs)

# %% [markdown]
# The tree is behind the vote of chains, and perhaps behind the vote of plans. Its own first plan solves just as many
# problems, and the judges' pick of six one fewer; true differences of nine points either way would fit. The pick uses the judges' scores alone, while the tree also sends their words back to the planner. We
# found no sign that the words, or the tree, add anything for this small model in six rollouts. (With a 1.5B model the
# paper's tree gains 29 points over one plan on GSM8K, and 38 on SVAMP; on our problems such gains are
# [excluded](../book/tables.md#table-1-search-over-plans).)
#
# Each of the four comparisons could raise a false alarm. To keep the chance of even one at one in twenty, each $p$ must be
# below 0.05 / 4 = 0.0125, the **Bonferroni correction**. The vote of chains passes with 0.006. The vote of plans, with
# 0.023, is a strong hint.
#
# ### Is it the settings?
#
# Would the tree look better with the output of chapter 13? From the same eighty trees we can take another plan:

# %% tags=["set-up"]
# Other outputs of the same trees
outputs = {"best reward of its own (ours)": rate("tree")}
names = {"visits": "most visited (chapter 13)"}
names |= {"mean": "best mean (the paper)"}
for rule, name in names.items():
    done = on_all("mcts-plan", final=rule, **TREE)
    outputs[name] = stats.wilson(sum(r.chosen for r in done), len(done))
show.results(outputs)

# %% [markdown]
# It would not: picked by visits, the output solves one problem fewer, and picked by the mean five. With six rollouts there is little to
# count: in the marbles' tree no revision has more than three visits.
#
# A smaller $C$ is harder to try, since another search asks about plans that were never recorded. But we can say what $C
# = \sqrt 2$ does. After four rollouts, of two revisions the one with the higher reward has two visits, the other one. The other is
# next, unless its mean is by then lower by more than $\sqrt 2 (\sqrt{\ln 4} - \sqrt{\ln 4 / 2}) = 0.49$, and [few
# pairs](study_plans.ipynb) are so far apart. So the search selects very little. A small $C$ would trust the rewards
# more, which helps only if a plan with a higher reward is a better plan. [Part two](14_planning_study.ipynb) asks just
# this.
#
# ### What should I use?
#
# If you can carry out several attempts and count the answers that agree, do that: both votes wrote about as much as this tree,
# read less than half, and solved more. A plan that is judged first is for work that can be done only once, or that a
# person has to approve.
#
# ## How can a search do harm?
#
# The tree won six problems by revising, the marbles among them, and lost six that its first plan had right. One of
# those:

# %% tags=["set-up"]
# A problem that the first plan solves and the tree does not
bus = runs["tree"][46]
turns = [("question", bus.trace.head["problem"])]
first, last = bus.result.visited[0], bus.result.best[0]
for name, node in (("first plan", first), ("carried out", last.parent)):
    turns.append((name, node.state.last.text))
    turns.append((f"judges: {node.value:.2f}", node.note))
turns.append(("executor", last.state.last.text.splitlines()[-1]))
show.transcript(turns, wrong=["The answer is 17."])

# %% [markdown]
# The first plan is short and right. One judge finds information missing that is there, so the planner puts in what the
# question does not ask for. The judges' words about the last plan are no kinder, but its scores are full marks, and the
# search goes where the scores are.
#
# ## A person looks at the plan
#
# When the search ends nothing has happened yet, and a plan is made to be read. The authors name this as a safeguard: a
# search optimises whatever its judges reward, and might bring out what the model would refuse if asked directly. So
# stop, read, and go on from the plan you want. Look for two things: steps that break off or lead nowhere, and anything
# the question does not say or ask for.
#
# ```sh
# tot solve gsm8k "..." --method mcts-plan --plan-only
# tot solve gsm8k "..." --method plan-and-solve --plan @plan.txt
# ```
#
# The first line searches and prints the plan with its judgements; the second carries out the plan in the file and asks
# no planner. Here the tree failed, and we put in a shorter plan, one of the six that the model wrote for the vote. (We
# picked it knowing the answer; a reviewer has only the text.)

# %% tags=["set-up"]
# A problem that the tree fails, and a plan that leads to the answer
kind, train = ALL[4]
plan = runs["tree"][4].result.best[0].parent.state.last.text
better = runs[six][4].result.best[0].parent.state.last.text
reviewed = solve(kind, train, "plan-and-solve", plan=better)
assert reviewed.correct and not runs["tree"][4].correct
show.plan_diff(plan, better, title=train.x)

# %% [markdown]
# **Figure.** The searched plan has full marks and ends in the middle of a step. The executor
# was cut off before it could name an answer. With the shorter plan it names the 120 km.
#
# > **Where it breaks.** A good plan can be badly carried out. The executor slips in the arithmetic, or does not follow
# > it, and no judge of plans can see that coming. Judges may give no readable score, as in [exercise
# > 3](#exercise-3-a-judge-who-loves-everything). And a revision may change only the wording, or spoil a good plan.
#
# ## Summary
#
# - A plan can be judged, rewritten, and read by a person before anything is done. `--plan-only` stops there.
# - The search is that of chapter 13 with an opinion for a playout: a reward, and words for the next revision.
# - On eighty word problems the vote of five chains beat the tree by nineteen points for fewer tokens. The judges' pick
#   of six plans, in a third of its rounds, did as well as the tree, as far as eighty problems show.
# - Another output rule does not save the tree, and with $C = \sqrt 2$ its six rollouts hardly select.
# - Count what is read as well as what is written: a tree of plans reads three tokens for each that it writes.
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
# `on_all("zero-shot-cot", k=3)` lets three chains vote on every problem.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
for k in (1, 2, 3, 4, 5):
    found = fmean(run.chosen for run in on_all("zero-shot-cot", k=k))
    print(f"{k}: {found:.0%}, {costs[five][1] * k / 5:.0f} tokens")
print(f"tree: {rate('tree').rate:.0%}, {costs['tree'][1]:.0f} tokens")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# One, as far as eighty problems can show: the first chain is three points lower for a sixth of the tokens. From two on
# the rate is above the tree's.
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
# Events of kind "asked" have a "role" and "requests"; a request has "messages". Judges' words stand below the line
# "Judges say:".
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
told, prompts = Counter(), Counter()
for (_, p), run in zip(ALL, runs["tree"], strict=True):
    for event in run.trace.events:
        for request in event.get("requests", ()):
            prompt = request["messages"][-1]["content"]
            told[event["role"]] += "Judges say:" in prompt
            prompts[event["role"]] += 1
    # the executor was the last to be asked
    assert run.result.best[0].parent.state.last.text in prompt
    assert str(p.gold) not in prompt.splitlines()
for role, n in prompts.items():
    print(f"{role}: {n} prompts, {told[role]} with judges' words")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A few prompts of judges hold judges' words all the same: the planner had copied them into its plan. Roles can be kept
# apart in a program; a model may repeat whatever it has read.
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
# `tot.Scripted(says, name="team")`, where `says(request, i)` returns a reply. The judges' prompts contain "Score: N",
# the executor's "Carry out the plan". The planner's replies should differ, or they are refused as copies.
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
        return f"1. Plan {sum(map(ord, text))}, version {i}.\n2. Do it."

    return tot.Scripted(says, name="scripted")


for verdict in ("great!", "Score: 1"):
    how = {"lm": team(verdict), **TREE}
    result = tot.solve("svamp", problem, "mcts-plan", **how).result
    plan = result.best[0].parent
    print(f"{verdict!r}: carried out {plan.id}, unread {result.unread}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Both times the first plan, since no reward favours another. Unread scores are counted; where every judge says 1,
# nothing looks wrong, and that judge is the more dangerous one.
#
# </details>
#
# ### Exercise 4: how large may C be?
#
# Take the first two revisions of each tree, if both have a reward, and let these be their means, ignoring what lies
# below. With which of $C = \sqrt 2$, 0.5 and 0.2 does the fifth rollout go to the better one again in most pairs?
#
# <details><summary>Hint</summary>
#
# The two bonuses differ by $C (\sqrt{\ln 4} - \sqrt{\ln 4 / 2})$. Revisions of the first plan are the nodes of
# `run.result.visited` with `depth` 2.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
gaps = []
for run in runs["tree"]:
    r = [n.value for n in run.result.visited if n.depth == 2]
    if len(r) == 2 and None not in r:
        gaps.append(max(r) - min(r))
for c in (sqrt(2), 0.5, 0.2):
    edge = c * (sqrt(log(4)) - sqrt(log(4) / 2))
    share = fmean(gap > edge for gap in gaps)
    print(f"C = {c:.2g}: apart by more than {edge:.2f}: {share:.0%}")

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`anonymous2024planning`. What we found in [its
#   tables](../book/tables.md#all-comparisons-in-one-picture) is in [the errata](../book/errata.md), P1 to P9.
# - {cite}`wang2023plan` for Plan-and-Solve, {cite}`kojima2022large` for zero-shot chains,
#   {cite}`wang2023selfconsistency` for votes.
# - [Part two](14_planning_study.ipynb): is a plan with a high reward a better plan? And [a study](study_plans.ipynb):
#   more rollouts, deeper trees, one judge, and the paper's long word.
# - [Chapter 15](15_who_should_plan.ipynb): two models in the three roles, and when a search over plans is worth it.
