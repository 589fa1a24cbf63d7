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
# A chain of thought decides what to do and does it in the same breath. *Planning with MCTS* {cite}`anonymous2024planning`
# takes the two apart. First a **plan** is written: a few instructions, no calculation. Judges look at it before anything
# is carried out, it is rewritten in view of their words, and the tree of rewritten plans is searched with the algorithm
# of [chapter 13](13_mcts_from_scratch.ipynb). Only the best plan is carried out.
#
# The idea has a promise and a price. The promise: a bad plan is found while it is still cheap to change, and by a person,
# too. The price: many questions before the first answer. This chapter builds the method, reads what a small real model
# does with it, and asks whether it is worth its price **at equal tokens**. [Part two](14_planning_study.ipynb) looks for
# the reasons.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write the prompts of a planner, two judges and an executor, and say who sees what;
# - build Monte Carlo tree search over plans from the four phases of chapter 13, and read its tree;
# - compare it with chains of thought, with one plan, and with as many plans side by side, at the same cost;
# - stop before the execution, look at the plan, change it, and have it carried out;
# - name four ways in which a search over plans fails.
#
# Everything replays what a small model said once.

# %% tags=["set-up"]
# Imports, the recorded model and the problems
from collections import Counter
from math import inf, log, sqrt
from statistics import fmean
from textwrap import fill

import matplotlib.pyplot as plt
from IPython.display import display

import tot
from tot import show, stats
from tot.lab import Stepper
from tot.nbsetup import setup

setup()
lm = tot.Cassette("cassettes/14.jsonl")
chains = tot.Cassette("cassettes/09.jsonl")  # chapter 9 asked the same
N = {"gsm8k": 40, "svamp": 40}  # how many problems of each kind
kinds = {
    kind: tot.task(kind).problems("book")[:n] for kind, n in N.items()
}
dates = sorted({s["date"] for s in lm.tape.sessions.values()})
print(f"{lm.name}, recorded {', '.join(dates)}")

# %% [markdown]
# The paper's models are Qwen2.5-Instruct, Llama 3.1 and Gemma 2. Ours is a *Coder* model of the first family, small, in
# four bits. What follows is about this model on problems of our own, made by program in the style of two of the paper's
# eight sets: `gsm8k`, with two to four steps of arithmetic, and `svamp`, with one step and a number that is not needed.
# So no rate here can be compared with the paper's; at most the sign of a difference can.
#
# **In the paper** plans are free text (figure 4 shows six sentences), judges explain themselves, solutions take the room they
# need, and the output is the plan of the highest mean reward. Our prompts are shorter, for a small model. With your own,
# `tot solve gsm8k "..." --method mcts-plan --style paper --lm openai:MODEL` runs the paper's form.
#
# ## Plan first
#
# In symbols, the paper splits the probability of a solution $Y$ of the problem $X$ by the plan $\pi$:
#
# $$P(Y \mid X) = \sum_\pi P(Y \mid X, \pi)\, P(\pi \mid X)$$
#
# (Equation 2 of the paper has the same term on both sides, [P9](../book/errata.md#p9-a-term-on-both-sides); this is what its text describes.) A chain of thought draws one
# $\pi$ and one $Y$ together. If we can tell good plans from bad ones, we can do better than to draw.
#
# Here is the planner's question, and its first reply:

# %%
math = tot.task("gsm8k")
problem = kinds["gsm8k"][0]
start = tot.State(problem.x)


def ask(request, n=1):
    [reply] = lm([request.samples(0, n)])
    return reply.texts


def wrapped(text, indent=""):
    lines = text.splitlines()
    return "\n".join(fill(indent + line, 72) for line in lines)


[text] = ask(math.plan(start, ""))
print(wrapped(math.plan(start, "").messages[-1].content))
print(f"\n--- reply:\n{text}")

# %% [markdown]
# The executor sees the question and the plan, and nothing else. This much is **Plan-and-Solve** {cite}`wang2023plan`, in
# two requests instead of one.

# %%
[read] = math.read_plan(start, text)
first = start.then(read.value)
[solution] = ask(math.execute(first))
question = math.execute(first).messages[-1].content
print(wrapped(question.partition("\n\n")[2]))
print("\n--- reply:\n" + solution)
[answer] = math.read_executed(first, solution)
print("\n--- verdict:", math.verify(problem, answer.value.answer).why)

# %% [markdown]
# ## Two judges
#
# The paper has no playouts. Its *simulation* is an opinion: a **logical consistency** judge and a **feasibility** judge
# look at the plan, and each gives a score from 0 to 1 with a reason. The **reward** is their mean. A reply without a
# readable score is counted and left out. We do not guess.

# %%
JUDGES = ("logic", "feasibility")
question = math.assess(first, "logic").messages[-1].content
print(fill(question.rpartition("\n\n")[2], 72))
for judge in JUDGES:
    [text] = ask(math.assess(first, judge))
    score = math.read_assessment(text)
    print(wrapped(f"\n--- {judge}: {text}"))
    print(f"    read as {score.value.score if score.ok else score.why}")

# %% [markdown]
# Then the plan is rewritten. The planner sees the question, its plan, and the judges' words. That is **expansion**: two
# revisions of one plan are its two children. What did the rewriting do?


# %%
def judged(state):
    """A plan's reward (None if no score can be read); the words."""
    said, scores = [], []
    for name in JUDGES:
        score = math.read_assessment(
            *ask(math.assess(state, name))
        ).value
        if score:
            scores.append(score.score)
            words = f"{name} {score.score:.2g}: {score.reason}"
            said.append(words.rstrip(": "))
    return fmean(scores) if scores else None, "\n".join(said)


reward, words = judged(first)
[text, _] = ask(math.plan(first, words), n=2)
[read] = math.read_plan(first, text)
plans = (first.last.text, read.value.text)
show.plan_diff(*plans, title="one revision", feedback=words)

# %% [markdown]
# **Figure.** The revision says the same in other words.
#
# Read it as an editor would. We saw above that the first plan leads to the right answer. The judges gave it half marks
# and found fault with it all the same. What can a reviser do with such words?
#
# (The prompt asks for ten words of criticism. The model goes on, and is cut off. In a pilot, asking "what is wrong with the
# plan" made it find faults in every plan; asking what to "change" made it talk about money.)

# %% tags=["remove-input"]
show.concepts.roles()

# %% [markdown]
# **Figure.** Only the planner sees what the judges said, and nobody but the verifier sees the gold answer.
#
# ## Tree search over plans, from scratch
#
# A node of the tree is a state whose newest thought is a plan. Its depth is the number of revisions. `write` asks for
# plans below a state, and refuses one that says what a plan in the tree says already: a copy would cost its judges' fees
# and bring nothing.


# %%
class Tree:
    def __init__(self, x):
        self.seen, self.kids = set(), {}
        self.reward, self.words = {}, {}
        self.visits, self.total = Counter(), Counter()
        [self.root] = self.write(tot.State(x), 1)

    def write(self, state, n):
        new, words = [], self.words.get(state, "")
        for text in ask(math.plan(state, words), n):
            [read] = math.read_plan(state, text)
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


# %% [markdown]
# The four phases, as in chapter 13. Only *simulation* has changed: it asks the judges. A plan that gets no readable score
# at all loses its place in the tree.

# %%
SQRT2, TREE = sqrt(2), {"rollouts": 6, "revisions": 2}


def ucb1(tree, plan):
    n, above = tree.visits[plan], tree.visits[line(plan)[1]]
    if not n:
        return inf
    return tree.total[plan] / n + SQRT2 * sqrt(log(above) / n)


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
        tree.kids[line(plan)[1]].remove(plan)
        return
    for above in line(plan):  # 4. backpropagation
        tree.visits[above] += 1
        tree.total[above] += tree.reward[plan]


# %% [markdown]
# The package's method is `mcts-plan`. Do both judge the same plans in the same order, with the same rewards, visits and
# totals?


# %% tags=["checked"]
def solve(kind, problem, method, model=lm, **knobs):
    done = tot.solve(kind, problem, method, lm=model, **knobs)
    assert not done.error, done.error
    return done


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
# The output is the plan with the best reward of its own, of equals the less revised one. Here is a whole tree of six
# rollouts. A box shows mean reward × visits; its bar is the plan's own reward. The thick path leads to the plan that was
# carried out.

# %%
trees = [solve("gsm8k", p, "mcts-plan", **TREE) for p in kinds["gsm8k"]]
deep = [run for run in trees if run.result.best[0].depth > 2]
shown = next((run for run in deep if run.correct), trees[0])
show.svg(shown.trace, lines=4, chars=18)

# %% [markdown]
# **Figure.** A tree of six rollouts. The first plan has a reward of 0.5, and the one that was carried out has 1.
#
# What became of the first plan on the way to the chosen one:

# %%
ends = shown.result.best[0].path
plans = [node for node in ends if "." in node.id and node.visits]
for node in reversed(plans[:-1]):
    display(show.revision(shown, node.id))

# %% [markdown]
# And phase by phase, for the first four rollouts. (`show.html(shown)` opens every prompt and reply.)

# %%
Stepper(show.phases(shown, 4))

# %% [markdown]
# **Figure.** The four phases of the first four rollouts.
#
# ### Predict: where do the tokens go?
#
# Three roles: planner, judge, executor. Which of them generates most? And which of them *reads* most?

# %% tags=["predict"]
rows = []
for role in ("planner", "judge", "executor"):
    bills = [run.result.ledger.asked[role] for run in trees]
    row = {"role": role, "requests": fmean(b.calls for b in bills)}
    row["generated"] = round(fmean(b.completion_tokens for b in bills))
    row["prompts"] = round(fmean(b.prompt_tokens for b in bills))
    rows.append(row)
show.table(rows, caption="mcts-plan: tokens per problem, gsm8k")

# %% [markdown]
# **Table.** Planner and judges generate seven times as much as the executor.
#
# Everything but the last row is spent before the work begins. So what else could one buy for it?
#
# ## The comparison
#
# - **one chain**: zero-shot chain of thought {cite}`kojima2022large`; and the **vote of five chains**
#   {cite}`wang2023selfconsistency`, from [chapter 4](04_chain_of_thought.ipynb);
# - **one plan**, carried out: Plan-and-Solve;
# - **best of six plans**: six independent plans, the same judges, no tree. The paper does not have this row, and it is
#   the fair one: if revising in a tree is worth something, the tree must beat it;
# - **six plans, vote**: all six are carried out, and the answers vote, of equals the first that was written. No judge has a
#   say;
# - **tree of six rollouts**: `mcts-plan`. It judges *up to* six plans: revisions that repeat one are refused.
#
# ### Predict: the ranking, and the price
#
# Write down the order that you expect by success, and the order by generated tokens.

# %%
WAYS = {
    "chains": ("zero-shot-cot", {"k": 5}),
    "one plan": ("plan-and-solve", {}),
    "best of six plans": ("judged-plans", {"plans": 6}),
    "six plans, vote": ("judged-plans", {"plans": 6, "executed": 6}),
    "tree of six rollouts": ("mcts-plan", TREE),
}
runs = {}
for kind, problems in kinds.items():
    for way, (method, knobs) in WAYS.items():
        source = chains if (kind, way) == ("gsm8k", "chains") else lm
        run = [
            solve(kind, p, method, source, **knobs) for p in problems
        ]
        runs[kind, way] = run

# %% [markdown]
# One answer for each problem gets Wilson's interval; several answers of each problem get a bootstrap over problems. The
# vote over six plans needs no judges, so theirs are left out of its bill. The rows "one chain" and "one plan" are means
# over all five chains and all six plans.


# %% tags=["set-up"]
# The bill of a method, and the success of single answers
def bill(solutions, roles=("planner", "judge", "executor")):
    """Generated tokens per problem."""
    used = 0
    for solution in solutions:
        asked = solution.result.ledger.asked
        used += sum(
            asked[r].completion_tokens for r in roles if r in asked
        )
    return round(used / len(solutions))


def singles(solutions):
    every = [[float(x.correct) for x in s.scores] for s in solutions]
    return stats.bootstrap([answers or [0.0] for answers in every])


def chosen(kind, way):
    found = right(kind, way)
    return stats.wilson(sum(found), len(found))


# %% tags=["set-up"]
# The vote: the most frequent answer, of equals the first
def vote(task, answers):
    answers = [a for a in answers if a is not None]
    forms = [task.same(a) for a in answers]
    votes = [forms.count(form) for form in forms]
    return answers[votes.index(max(votes))] if votes else None


def right(kind, way):
    """Was the output right, for each problem?"""
    if way != "six plans, vote":
        return [s.chosen for s in runs[kind, way]]
    task, found = tot.task(kind), []
    for problem, s in zip(kinds[kind], runs[kind, way], strict=True):
        written = [n.id for n in s.result.best]  # no judge breaks a tie
        ends = sorted(zip(written, s.answers, strict=True))
        answer = vote(task, [a for _, a in ends])
        found.append(task.verify(problem, answer).correct)
    return found


# %% tags=["predict", "set-up"]
# The table of the six methods, for each kind of problem
def compared(kind):
    done = {way: runs[kind, way] for way in WAYS}
    five, six = done["chains"], done["six plans, vote"]
    no_judge = bill(six, ("planner", "executor"))
    vote_of_five = chosen(kind, "chains")
    voted = chosen(kind, "six plans, vote")
    table = [("one chain", singles(five), bill(five) // 5, 1)]
    table += [("vote of five chains", vote_of_five, bill(five), 1)]
    table += [("one plan", singles(six), bill(done["one plan"]), 2)]
    table += [("six plans, vote", voted, no_judge, 2)]
    for way in ("best of six plans", "tree of six rollouts"):
        rounds = fmean(s.result.ledger.rounds for s in done[way])
        row = (
            way,
            chosen(kind, way),
            bill(done[way]),
            round(rounds, 1),
        )
        table.append(row)
    names = ("method", "solved", "generated tokens", "rounds")
    return [dict(zip(names, row, strict=True)) for row in table]


for kind, problems in kinds.items():
    note = f"{kind}, {len(problems)} problems"
    display(show.table(compared(kind), caption=note))

# %% mystnb={"image": {"alt": "Success against generated tokens per problem, one panel for each kind of problem, six methods with 95 percent intervals. One chain and one plan are on the left, the vote of chains, six plans and the tree further right."}} tags=["plot", "predict"]
size = {"figsize": (8.6, 3.6), "layout": "constrained"}
figure, axes = plt.subplots(1, len(kinds), sharey=True, **size)
show_points = show.plots.success_by_cost
for ax, kind in zip(axes, kinds, strict=True):
    points = [{**row, "label": ""} for row in compared(kind)]
    show_points(points, x="generated tokens", y="solved", ax=ax)
    ax.set_title(f"{kind}, n = {len(kinds[kind])}", fontsize=10)
    ax.label_outer()
axes[0].get_legend().remove()  # the other panel's says the same
plt.show()

# %% [markdown]
# **Figure.** For about the tokens of the tree, votes of chains and of plans solve more.
#
# Overlapping intervals do not settle whether two methods differ: they had the same problems. Pairs do.


# %% tags=["predict", "set-up"]
# The tree against each other method, problem by problem
def won(way, of):
    return [ok for kind in of for ok in right(kind, way)]


def said(pair):
    d = pair.difference
    verdict = "ahead" if d.rate > 0 else "behind"
    verdict = "cannot tell" if pair.p > 0.05 else verdict
    alone = f"{pair.only_a} to {pair.only_b}, p = {pair.p:.2g}"
    gap = f"{d.rate:+.0%} [{d.low:+.0%}, {d.high:+.0%}]"
    return f"{gap}, {alone}: {verdict}"


OURS = "tree of six rollouts"
for of in (*([kind] for kind in kinds), list(kinds)):
    ours = won(OURS, of)
    print(f"{' and '.join(of)}, {len(ours)} problems; tree minus")
    for other in WAYS:
        if other != OURS:
            pair = stats.paired(ours, won(other, of))
            print(f"  {other:17} {said(pair)}")

# %% [markdown]
# "chains" is the vote of five, and "one plan" here is the tree's own first plan, carried out as it was. "3 to 10" says:
# three problems were solved by the tree alone, ten by the other method alone. "Cannot tell" is a result, too: these
# problems do not show a difference. It does not say that there is none. (And they are made from a few patterns, so some
# differ in names and numbers only. The intervals are a little too narrow.)
#
# So **at equal tokens, is the tree worth it?** Not here. It writes more than five chains and about as much as six
# plans, it takes by far the most rounds, and on all problems together it solves less than either vote. (The last four
# lines add up the eight above. Four questions at once: then each may claim a quarter of 0.05 only. The vote of chains
# passes even so, the vote of plans just does not.) Against the best of six plans, which the same judges chose side by
# side, these problems show no difference: the tree adds nothing that shows. Nor do the judges. In the tables the best
# of six is about as good as one plan, a little better on one kind and a little worse on the other. Votes are what
# helps.
#
# Look at the line "one plan" once more. All the judging and rewriting changed nothing in sum: on `gsm8k` it won four
# problems and lost one, on `svamp` it won two and lost five. How can a search do harm? Here is a case:

# %%
pairs = zip(runs["svamp", "one plan"], runs["svamp", OURS], strict=True)
worse = [run for one, run in pairs if one.chosen and not run.chosen][2]
print(wrapped(worse.trace.head["problem"]))
first, last = worse.result.visited[0], worse.result.best[0]
for name, node in (("first plan", first), ("carried out", last.parent)):
    print(f"\n{name}: reward {node.value:.2f}")
    print(wrapped(node.state.last.text))
    print(wrapped(node.note, "   "))
print(f"\nthe executor:\n{last.state.last.text}")

# %% [markdown]
# The first plan is right and short. A judge misses information that is there, so the planner puts in what the question
# does not ask for. The words about the last plan are no kinder, but its scores are full marks, and the search goes where
# the scores are. [Part two](14_planning_study.ipynb) asks whether they mean anything.
#
# ## A person looks at the plan
#
# The authors name human review of plans as a safeguard. A search optimises whatever its judges reward, and it may find a
# way around a refusal that a direct question would have met (their section on ethics). But nothing has happened yet when
# the search ends. A plan is text, short, and made to be read. So stop there:
#
# ```sh
# tot solve gsm8k "..." --method mcts-plan --plan-only
# tot solve gsm8k "..." --method plan-and-solve --plan @plan.txt
# ```
#
# The first line searches and carries nothing out: it prints the plan, its reward, and each judge's score and words. The
# second one carries out the plan in the file, as it is or changed by you, and asks no planner. (`@-` reads it from
# standard input. Between double quotes a shell would turn "$100" into "00". An empty plan is refused, so a forgotten
# file never sends a plan that nobody has read.) In Python they are the knobs `plan_only=True` and `plan=`. Here is a
# problem on which the tree's plan led to a wrong answer and another plan did not. (We picked it with gold in hand. A
# reviewer has the text.)

# %%
trees, votes = runs["gsm8k", OURS], runs["gsm8k", "six plans, vote"]
pairs = enumerate(zip(trees, votes, strict=True))
wrong = [i for i, (a, b) in pairs if not a.correct and b.any]
place = wrong[0]
problem = kinds["gsm8k"][place]
found = solve("gsm8k", problem, "mcts-plan", plan_only=True, **TREE)
print(wrapped(problem.x))
plans = sorted(found.result.visited, key=lambda n: -(n.value or 0))
for i, node in enumerate(plans[:3]):
    mark = ", CHOSEN" if node is found.result.best[0] else ""
    print(f"\nplan {i + 1}: reward {node.value or 0:.2f}{mark}")
    print(wrapped(node.state.last.text))
    print(wrapped(node.note, "   "))

# %% [markdown]
# Everything that a reviewer needs is in the trace: these plans and those that were thrown away, each judge's words, the
# order in which it happened. (Read what the judge of logic says of the second plan here, and which score it gives.) Now the
# reviewer takes another plan:

# %%
six = runs["gsm8k", "six plans, vote"][place]
ends = zip(six.result.best, six.scores, strict=True)
good = next(node for node, score in ends if score.correct)
better = good.parent.state.last.text
display(show.plan_diff(found.result.best[0].state.last.text, better))
reviewed = solve("gsm8k", problem, "plan-and-solve", plan=better)
print(reviewed.result.best[0].state.last.text)
print("verdict:", reviewed.score.why)
print("asked:", ", ".join(reviewed.result.ledger.asked))

# %% [markdown]
# ## Where it fails: the paper's own example
#
# How many r's are in "pneumonoultramicroscopicsilicovolcanoconiosis"? A program counts. A language model sees tokens, not
# letters. The paper's figure 4 has a plan (it speaks of another word, "strawberry") and a walk through the letters that
# ends with the right number. Follow it:

# %%
word = "pneumonoultramicroscopicsilicovolcanoconiosis"
walk = "pneumonoultramicrosiiicovo"  # figure 4; some i look like j
pairs = enumerate(zip(word, walk, strict=False))
same = next(i for i, (a, b) in pairs if a != b)
print(f"{word.count('r')} r's, {len(word)} letters")
print(f"the walk has {len(walk)}, and leaves the word after {same}:")
print(f"{walk[same:]} for {word[same:]}")

# %%
count = tot.task("count_letters")
problem = next(p for p in count.problems("book") if word in p.x)
for method in ("zero-shot-cot", "plan-and-solve", "mcts-plan"):
    knobs = TREE if method == "mcts-plan" else {}
    run = solve("count_letters", problem, method, **knobs)
    print(f"{method:14} {run.score.why}")
last = run.result.best[0]
print("\nplan:\n" + last.parent.state.last.text)
print("\ncarried out:\n" + last.state.last.text)

# %% [markdown]
# A right number at the end of a wrong walk is luck. So is ours, which is right and shows no counting at all. One word is an
# anecdote anyway. But look at the paper's plan. "Go through the letters one by one" is logical and feasible. No judge of
# plans can see that *this executor* cannot carry it out. That is the first of four ways in which the method fails:
#
# 1. **A good plan that the executor cannot follow.** Judges look at plans, not at executors.
# 2. **Judges without an opinion.** Where rewards are equal, UCB1 has nothing to go on but the order of the children.
# 3. **Revisions that change nothing** but words, or a good plan for the worse.
# 4. **Errors that no plan prevents.** A slip of arithmetic is in the execution.
#
# How often do the second and the third happen here?

# %% tags=["set-up"]
# What became of the plans, in all trees
done = [run for kind in kinds for run in runs[kind, OURS]]
events = [event for run in done for event in run.trace.events]
entries = [e for event in events for e in event.get("unread", ())]
whys = Counter(entry["why"].partition(",")[0] for entry in entries)
for why, n in whys.most_common():
    print(f"{n:4} refused or not read: {why}")
rewards = [[node.value for node in run.result.visited] for run in done]
print(
    f"{sum(map(len, rewards))} plans were judged in {len(done)} trees"
)
grown = [found for found in rewards if len(found) > 1]
flat = sum(len(set(found)) == 1 for found in grown)
print(f"only one plan: {len(done) - len(grown)} trees")
print(f"more, with equal rewards: {flat} of {len(grown)} trees")
firsts = [run for kind in kinds for run in runs[kind, "one plan"]]
depths = [run.result.best[0].parent.depth for run in done]
known = zip(depths, firsts, done, strict=True)
pairs = [(a.chosen, b.chosen) for depth, a, b in known if depth > 1]
before, after = map(sum, zip(*pairs, strict=True))
print(f"the first plan was carried out: {len(done) - len(pairs)} trees")
print(f"a revision was: {len(pairs)} trees, {after} of them solved;")
print(f"their first plans, carried out, solve {before}")

# %% [markdown]
# Revisions that repeat a plan of the tree were refused; that is why a tree of six rollouts holds fewer than six judged
# plans in the mean. Some trees never grew: every revision was a copy, so there was one plan and nothing to choose.
# Where there were two or more, the judges nearly always made *some* difference between them. In two of five trees the
# first plan was carried out after all: there, the whole search changed nothing but the bill. In the others it won
# exactly as many problems as it lost.
#
# ## Summary
#
# - A plan is a thought that can be judged, rewritten, and read by a person before anything is done. `--plan-only` stops
#   there, and `--plan` goes on from there.
# - The four phases are those of chapter 13. Simulation is an opinion: two judges, one reward from 0 to 1, and words that
#   the next revision sees.
# - Compare at equal tokens. A tree over plans competes with votes and with as many plans side by side; all of them need
#   fewer rounds. Here both votes solved more, on either kind of problem. The best of six plans by the same judges
#   solved as much as the tree.
# - A perfect plan is no use to an executor who cannot follow it, and judges of plans cannot see that.
#
# ## Exercises
#
# ### Exercise 1: how many chains for the price of a tree?
#
# Compute the success of a vote over the first 1, 2, 3, 4 and 5 chains, and their generated tokens, over all problems.
# Where is the tree? (It costs about as much as six chains. Five were recorded.)
#
# <details><summary>Hint</summary>
#
# `runs[kind, "chains"]` holds runs of five chains: `run.answers` in their order. `tot.task(kind).same(answer)` is the
# normal form of an answer, and `tot.task(kind).verify(problem, answer)` judges it.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
for k in (1, 2, 3, 4, 5):
    found, tokens = [], []
    for kind, problems in kinds.items():
        task = tot.task(kind)
        for problem, run in zip(
            problems, runs[kind, "chains"], strict=True
        ):
            found.append(
                task.verify(
                    problem, vote(task, run.answers[:k])
                ).correct
            )
            tokens.append(
                run.result.ledger.total.completion_tokens * k / 5
            )
    rate = stats.wilson(sum(found), len(found))
    print(f"{k} chains: {rate}, {fmean(tokens):.0f} tokens")
tree = stats.wilson(sum(run.chosen for run in done), len(done))
print(f"the tree: {tree}, {bill(done)} tokens")

# %% [markdown]
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
for run in done:
    for event in run.trace.events:
        for request in event.get("requests", ()):
            seen[event["role"]].append(
                request["messages"][-1]["content"]
            )
for role, prompts in seen.items():
    told = sum("Judges say:" in text for text in prompts)
    print(f"{role}: {len(prompts)} prompts, {told} with judges' words")
for kind in kinds:
    for problem, run in zip(
        kinds[kind], runs[kind, "tree of six rollouts"], strict=True
    ):
        plan = run.result.best[0].parent.state.last.text
        [last] = [
            e for e in run.trace.events if e.get("role") == "executor"
        ]
        prompt = last["requests"][0]["messages"][-1]["content"]
        assert (
            plan in prompt
            and str(problem.gold) not in prompt.splitlines()
        )

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
# ### Exercise 4: how many problems would it take?
#
# Suppose that a tree solves 65 % and five chains solve 60 %. How many problems does each method need, so that the
# difference is found four times out of five?
#
# <details><summary>Hint</summary>
#
# For two independent rates, $n = (1.96 + 0.84)^2 \, (a (1 - a) + b (1 - b)) / (a - b)^2$. Pairs need fewer, if both
# methods solve mostly the same problems.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
def needed(a, b, both=1.96 + 0.8416):
    """Problems for each method: 5 % level, 80 % power."""
    return both**2 * (a * (1 - a) + b * (1 - b)) / (a - b) ** 2


for a, b in ((0.65, 0.60), (0.70, 0.60), (0.80, 0.60)):
    print(f"{a:.0%} against {b:.0%}: about {needed(a, b):,.0f} each")
print("here:", {kind: len(found) for kind, found in kinds.items()})

# %% [markdown]
# ## Further reading
#
# - The paper {cite}`anonymous2024planning`. What we found in its tables is in [the errata](../book/errata.md), P1 to P9.
# - {cite}`wang2023plan` for Plan-and-Solve, {cite}`kojima2022large` for zero-shot chains, {cite}`wang2023selfconsistency`
#   for votes.
# - [Part two](14_planning_study.ipynb): does the reward know, and what do rollouts, rules and backups do?
# - [Chapter 15](15_who_should_plan.ipynb): two models in the three roles, and when a search over plans is worth it.
