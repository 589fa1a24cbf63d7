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
# # Who should plan?
#
# In [chapter 14](14_planning_with_mcts.ipynb) one model played three roles. It planned, it judged its own plans, and it
# carried one of them out. Nothing says that it must be one model. The search asks many questions and the execution asks
# one. So *Planning with MCTS* {cite}`anonymous2024planning` proposes: let a **small** model search and a **large** one
# carry out. Its section 3.4 reports large gains.
#
# Large gains over what? That is the question of this chapter. It is about controls more than about models.
#
# ## Learning objectives
#
# After this chapter you can
#
# - give each role its own model, from Python and on the command line, and read a bill for each of them;
# - add up the work of models of different size in one unit;
# - name the controls that a table of mixes needs, and say what follows without them: nothing;
# - separate what the planner, the judge and the executor contribute, with all rows of a table at once;
# - say how large an effect must be to show on twenty problems;
# - compute when a small planner pays for itself, and when a search over plans does.

# %% tags=["set-up"]
# Imports, the recorded models and the problems
from collections import Counter
from math import fsum
from statistics import fmean
from textwrap import fill

import matplotlib.pyplot as plt

import tot
from tot import show, stats
from tot.nbsetup import setup

setup()
large = tot.Cassette("cassettes/14.jsonl")
small = tot.Cassette("cassettes/15.jsonl")
chains = tot.Cassette("cassettes/09.jsonl")  # the large model's chains
N = 20
problems = tot.task("gsm8k").problems("book")[:N]
for word, lm in (("large", large), ("small", small)):
    dates = sorted({s["date"] for s in lm.tape.sessions.values()})
    print(f"{word}: {lm.name}")
    print(
        "   recorded", " to ".join(dict.fromkeys((dates[0], dates[-1])))
    )

# %% [markdown]
# "Large" is a word for one end of a pair. Our large model is as big as the paper's *small* one. The paper's large one
# has nearly fifty times as many weights as that; ours has three times as many as our small one. So no rate here can be
# compared with the paper's; at most the sign of a difference can. What carries over is how to compare. The sizes below
# are the numbers of weights that the makers give, in billions.

# %%
WEIGHTS = {"large": 1.54, "small": 0.49}
WORDS = {"S": "small", "L": "large", "-": "nobody"}
SIZE = {large.name: "large", small.name: "small"}

# %% [markdown]
# ## A model for each role
#
# A search yields its questions with the **role** that should answer them. Who that is, it does not know. So a mix needs no
# new search. It needs somebody who carries each question to the right desk. (All prompts are our short ones. With the paper's
# form, `tot solve gsm8k "..." --method mcts-plan --style paper --planner-lm openai:SMALL --lm openai:LARGE` mixes your own.)


# %%
def drive(search, desks):
    """Ask each role's model. The last output; tokens by model."""
    tokens, replies, best = Counter(), None, []
    while True:
        try:
            item = search.send(replies)
        except StopIteration:
            return best, tokens
        replies = None
        if isinstance(item, tot.Ask):
            desk = desks[item.role]
            replies = desk(item.requests)
            for reply in replies:
                tokens[SIZE[desk.name]] += reply.asked.completion_tokens
        elif item.kind == "best":
            best = item.nodes


# %% [markdown]
# The package does the same with a mapping from roles to models. `default` plays every role that is not named. On the
# command line the roles are flags:
#
# ```sh
# tot solve gsm8k "..." --method mcts-plan --lm openai:LARGE --planner-lm openai:SMALL --judge-lm openai:SMALL
# ```

# %%
TREE = {"rollouts": 6, "revisions": 2}
ROLES = ("planner", "judge", "executor")


def solve(problem, method, little=(), source=large, **knobs):
    """``little``: the roles that the small model plays."""
    lms = {"default": source} | dict.fromkeys(little, small)
    done = tot.solve("gsm8k", problem, method, lm=lms, **knobs)
    assert not done.error, done.error
    return done


# %% tags=["checked"]
little = ("planner", "judge")
desks = dict.fromkeys(little, small) | {"executor": large}
task, method = tot.task("gsm8k"), tot.method("mcts-plan")
for problem in problems[:5]:
    best, tokens = drive(method.search(task, problem.x, **TREE), desks)
    theirs = solve(problem, "mcts-plan", little, **TREE)
    assert best[0].state == theirs.result.best[0].state
    paid = Counter()
    for role, bill in theirs.result.ledger.asked.items():
        size = "small" if role in little else "large"
        paid[size] += bill.completion_tokens
    assert paid == tokens
print("the same solutions and the same bills; the last one:")
print(dict(tokens))

# %% [markdown]
# ## What the paper's table lacks
#
# Here is table 4 for GSM8K: planner 1.5B, and the other roles 1.5B or 72B. The last row has 72B in all of them.

# %% tags=["set-up"]
# The paper's table 4
PAPER = [
    ("1.5B", "1.5B", "1.5B", 64.29),
    ("1.5B", "1.5B", "72B", 86.96),
    ("1.5B", "72B", "1.5B", 81.35),
    ("1.5B", "72B", "72B", 92.80),
    ("72B", "72B", "72B", 94.62),
]
names = ("planner", "evaluator", "executor", "GSM8K, %")
rows = [dict(zip(names, row, strict=True)) for row in PAPER]
show.table(rows, caption="the paper, table 4")

# %% [markdown]
# ### Predict: which rows are missing?
#
# The text concludes that "using a small model for planning and a large model for execution significantly improved
# problem-solving performance across all datasets". Which two measurements would you need
# before you believe that the small planner had a part in it?

# %% tags=["set-up"]
# The two rows that the table lacks
lacking = "the large executor without a planner, and with its own plan"
choices = ["more problems, and a second small planner", lacking]
choices.append("a larger judge, and a larger planner")
why = "A chain of thought of the large model, and a plan that the "
why += "large model writes for itself."
question = "Which two rows are missing?"
show.Predict(question, lacking, choices=choices, shows=why)

# %% [markdown]
# Between the first two rows the executor was exchanged for one with nearly fifty times as many weights. If 72B
# alone gets more than the second row, the small planner did harm, and the table would look as it looks. (The gain that
# the text quotes belongs to another row than the one it describes: [P3 of the errata](../book/errata.md).)
#
# ## Our table, with its controls
#
# Fourteen **casts** were given the same twenty problems. Six of them are trees, grown as in chapter 14. The other eight are the controls,
# and have no tree: a **chain** of thought and the **vote** of five chains, where nobody plans, and **one plan**, written by
# the large or by the small model. Three letters name a cast: planner, judge, executor. S is the small model, L the large
# one, and a dash nobody.

# %%
MIXES = {
    "chain": ("zero-shot-cot", {"k": 5}),  # measured by five
    "vote": ("zero-shot-cot", {"k": 5}),
    "one plan": ("plan-and-solve", {}),
    "tree": ("mcts-plan", TREE),
}
CAST = [(kind, "--" + e) for kind in ("chain", "vote") for e in "SL"]
CAST += [("one plan", p + "-" + e) for e in "SL" for p in "SL"]
CAST += [("tree", who) for who in ("SSS", "SSL", "SLS")]
CAST += [("tree", who) for who in ("SLL", "LLS", "LLL")]


# %% tags=["set-up"]
# All runs of each cast, in the order of the problems, and their rates
def cast(kind, who):
    seats = zip(ROLES, who, strict=True)
    little = tuple(role for role, size in seats if size == "S")
    method, knobs = MIXES[kind]
    source = chains if who == "--L" else large
    return [solve(p, method, little, source, **knobs) for p in problems]


def right(key):
    """For each problem 1 or 0; for a chain the share of five."""
    if key[0] != "chain":
        return [float(run.chosen) for run in runs[key]]
    every = [
        [score.correct for score in run.scores] for run in runs[key]
    ]
    return [fmean(of_five) for of_five in every]


def rate(key):
    shares = right(key)
    if key[0] == "chain":
        return stats.bootstrap([[share] for share in shares])
    return stats.wilson(round(sum(shares)), len(shares))


runs = {key: cast(*key) for key in CAST}

# %% [markdown]
# ### Predict: the order of the casts
#
# Which of the fourteen casts solves most? Which does least work? Where are `SSL` and `SLL`, the two forms of the paper's
# proposal: a small planner, a small or a large judge, a large executor?
#
# Twenty problems are few enough to show everything. A column is a problem. A dot is a right answer; for a chain the
# number says how many of five were right.


# %% tags=["predict"]
def marks(key):
    if key[0] == "chain":
        return [str(round(5 * share)) for share in right(key)]
    return ["●" if share else "·" for share in right(key)]


for key in CAST:
    print(f"{key[0]:9}{key[1]:5}{' '.join(marks(key))}")

# %% [markdown]
# What did it cost? Tokens of two models do not add up. **Work** does. A model of $n$ weights spends about $2n$ operations
# on each token that it reads or writes. So one unit serves for all: $10^{12}$ operations. (A server that keeps prompts in
# memory reads some of them only once. We count all, for everybody.)


# %% tags=["predict", "set-up"]
# What the casts spent, and the table
def spent(key):
    """Generated tokens of each model and all work, per problem."""
    samples = 5 if key[0] == "chain" else 1  # five share a prompt
    who = dict(zip(ROLES, key[1], strict=True))
    each = {"small": 0.0, "large": 0.0, "work": 0.0}
    for run in runs[key]:
        for role, bill in run.result.ledger.asked.items():
            size = WORDS[who[role]]
            tokens = bill.completion_tokens / samples
            each[size] += tokens
            read = bill.prompt_tokens
            each["work"] += 2e-3 * WEIGHTS[size] * (read + tokens)
    return {name: total / N for name, total in each.items()}


rows = []
for key in CAST:
    ends = [
        end.state.answer for r in runs[key] for end in r.result.best
    ]
    row = {"cast": " ".join(key), "solved": rate(key)}
    row["no answer"] = f"{ends.count(None) / len(ends):.0%}"
    bill = spent(key)
    row |= {f"{s} tokens": round(bill[s]) for s in ("small", "large")}
    rows.append(row | {"work": round(bill["work"], 2)})
show.table(rows, caption=f"{N} problems, 95% intervals; per problem")

# %% mystnb={"image": {"alt": "Two panels, one line for each of the fourteen casts. Left: the share of solved problems with its interval. Right: a bar of generated tokens per problem, the small model's part and the large model's part side by side in two colours. Trees have bars several times as long as chains and single plans."}} tags=["plot", "predict"]
size = {"figsize": (6.8, 6.2), "width_ratios": (3, 2)}
figure, (left, bars) = plt.subplots(1, 2, **size)
points = [row | {"rate": row["solved"]} for row in rows]
show.plots.rates(points, name="cast", ax=left)
start, places = [0] * len(rows), [-i for i in range(len(rows))]
for size, colour in (("small", "C0"), ("large", "C1")):
    tokens = [row[f"{size} tokens"] for row in rows]
    look = {"color": colour, "height": 0.55, "label": f"{size} model"}
    bars.barh(places, tokens, left=start, **look)
    start = [a + b for a, b in zip(start, tokens, strict=True)]
bars.set(yticks=[], ylim=left.get_ylim(), xlabel="generated tokens")
bars.legend(fontsize=8, loc="upper right", frameon=False)
plt.show()


# %% [markdown]
# **Figure.** One chain of the large model is above every mixed tree, and the vote of five is above all.
#
# First read only the rows that the paper has: `SSS`, `SSL`, `SLS`, `SLL` and `LLL`. From all small to the mixes with a
# large executor success goes up many times over, and the best of these mixes gets two thirds of the way to the large
# model in all roles. That is the paper's story in outline. (In detail it is not: there a large judge helps, and here
# `SLL` stands below `SSL`.)
#
# Now read the rows that the paper lacks. One chain of the large model, with no planner at all, has a higher rate than
# every mixed tree, and about the rate of the tree that is all large, for less than a tenth of its work. Then take the
# tree away and keep the small planner: `S-L`, one small plan, has a higher rate than the trees that the paper proposes.
# Nothing in the paper's rows could have told us. (Which of these
# differences are more than luck, we ask below.)
#
# And mind the **floor**. With a small executor nearly nothing is solved, whoever plans: where all casts fail, none can be
# better. Is that the model's floor, or ours? Most of the small model's chains name no answer, because they are cut off:
# our limit of 180 tokens was made for the large model.
#
# ### Predict: more room
#
# The knob `max_tokens` gives every reply at least that much room. With 400 tokens for 180, how many of its twenty
# problems does the vote of five *small* chains solve? And the vote of five large ones?


# %% tags=["predict", "set-up"]
# Chains and votes with room for 180 and for 400 tokens
def more_room(size, room):
    little = ("executor",) if size == "small" else ()
    source = small if size == "small" else chains
    knobs = {"k": 5, "max_tokens": room}
    method, found = "zero-shot-cot", []
    for p in problems:
        found.append(solve(p, method, little, source, **knobs))
    every = [[float(s.correct) for s in run.scores] for run in found]
    one = stats.bootstrap(every)
    won = [run.chosen for run in found]
    cut = sum(run.result.cut for run in found) / (5 * N)
    print(f"{size}, {room or 180} tokens: {cut:.0%} cut")
    print(f"   a chain {one}, a vote {stats.wilson(sum(won), N)}")
    return won


for size in ("small", "large"):
    before, after = more_room(size, 0), more_room(size, 400)
    change = stats.paired(after, before)
    won, lost = change.only_a, change.only_b
    print(
        f"   the vote gains {won} problems and loses {lost}:", end=" "
    )
    print(f"p = {change.p:.3f}")


# %% [markdown]
# The floor is mostly ours. With room, a small chain is right in 27% instead of 2%, and the vote of five small chains
# solves nine problems instead of one: about as many as `SSL`, the paper's proposal, in which the large model carries
# out the plan (and which more room might help, too). Of the large model's chains a quarter were cut off. With room one of them solves a little more and its vote a
# little less, and twenty problems cannot tell either from luck.
#
# All casts were recorded under the old limit. So read the rows with a small executor as what they are: a small model
# that is cut off. With a plan it got to an answer more often, probably because a plan makes the work shorter. How far it lies
# behind the large one, the rest of this page overstates. `tot run` counts such replies in a column, *cut*.
#
# ## What a small planner writes
#
# Before we compare, let us read. The planner is asked for two to four short steps, and *not to carry them out*. Here are
# the first plans of both models for two problems.


# %%
def wrapped(text):
    return "\n".join(fill(line, 72) for line in text.splitlines())


for place in (0, 5):
    print(wrapped(problems[place].x))
    for who in ("SLL", "LLL"):
        node = runs["tree", who][place].result.visited[0]
        print(f"\n{WORDS[who[0]]} planner:")
        print(wrapped(node.state.last.text))
    print()

# %% [markdown]
# ### Predict: how often?
#
# How many of the small model's plans are cut off, at the limit of eighty tokens? How many of each model's plans hold an
# equals sign, because the planner has begun to calculate?


# %% tags=["predict"]
def written_by(who):
    """All replies of a planner in its trees."""
    events = [e for run in runs["tree", who] for e in run.trace.events]
    asked = [e for e in events if e.get("role") == "planner"]
    requests = [r for event in asked for r in event["requests"]]
    return [sample for r in requests for sample in r["samples"]]


for who in ("SLL", "LLL"):
    found = written_by(who)
    tokens = fmean(sample["tokens"] for sample in found)
    cut = fmean(sample["finish"] == "length" for sample in found)
    busy = fmean("=" in sample["text"] for sample in found)
    size = f"{len(found)} plans of {tokens:.0f} tokens"
    print(f"{WORDS[who[0]]} planner: {size},")
    print(f"   {cut:.0%} cut off, {busy:.0%} with an equals sign")

# %% [markdown]
# Mostly the small model does not plan. It *solves*, in the form of a plan, with its own errors, until its tokens run out.
# That is the very thing that a plan was to prevent. And its words go to an executor who has been told to carry them out.
# What does a large executor do with a wrong calculation in front of it? Let us look at problems that it mostly solves
# alone and fails with the small model's plan, and at those where it is the other way round.

# %% tags=["set-up"]
# Problems on which the small plan changes the outcome
misled, helped, rows_ = [], [], []
for i, problem in enumerate(problems):
    alone, led = right(("chain", "--L"))[i], runs["one plan", "S-L"][i]
    if (alone >= 0.6) != led.correct:
        (helped if led.correct else misled).append(led)
        lost = runs["chain", "--L"][i].answers.count(None)
        row = {"problem": problem.id, "alone": f"{alone:.0%}"}
        row["without an answer"] = f"{lost} of 5"
        rows_.append(row | {"with the small plan": led.score.why})
for led in (*misled[:2], *helped[:1]):
    node = led.result.best[0]
    print("\nplan:\n" + wrapped(node.parent.state.last.text))
    print("\ncarried out:\n" + wrapped(node.state.last.text))
show.table(rows_)

# %% [markdown]
# In the first two cases it obeys. It copies the wrong lines, the division of a price by a number of things included. In the
# second the plan forgets the apples for the cake, and so does the executor. Alone it solves both problems, in five chains
# out of five. "Carry out the plan" outweighs the question that stands above it.
#
# In the third case the small model's arithmetic is right, as far as it goes. The executor copies it and goes on. Alone
# it gets there, too, if it gets to the end: most of its chains were cut off before they named an answer, and the others
# are right. In four of the five problems of this kind most chains were cut off. A plan makes the work *shorter*, and
# more of it fits into the limit of tokens. That is a gain of form, and not the one that a planner is hired for.
#
# Now look at the numbers of the problems. The first ten were recorded first, and this section was written about them: three
# cases of harm and one of help, a story about obedience. The next ten hold no case of harm and four of help. Both were
# luck, as far as anyone can tell. Keep it in mind for the rest of the page.
#
# ## One thing at a time
#
# Fourteen rows invite stories. Pairs answer questions: two casts that differ in **one** thing, problem by problem. An
# *effect* changes one role and keeps the others; it says what that role is worth in this company. A *control* takes a role
# away; it says whether the role was needed. The paper's table has effects only.
#
# How sure can twenty pairs make us? If two casts are equally good, each problem's difference could as well have had the
# other sign. So flip the signs in all possible ways and see how often the sum comes out as large as the real one. (The
# ways are a million, but few sums are different: count those.) This **sign flip test** is exact; where every answer is
# right or wrong, it is McNemar's test.


# %%
def flips(gaps):
    """Exact two-sided p: all choices of signs, counted by their sum."""
    ways = Counter({0.0: 1})
    for gap in gaps:
        before, ways = ways, Counter()
        for total, n in before.items():
            for signed in (total + gap, total - gap):
                ways[round(signed, 9)] += n
    real = abs(fsum(gaps)) - 1e-6  # sums were rounded
    extreme = (n for total, n in ways.items() if abs(total) >= real)
    return sum(extreme) / 2 ** len(gaps)


# %% [markdown]
# ### Predict: how large must an effect be?
#
# Suppose that one cast solves $k$ problems that the other does not, and never the other way round. From which $k$ on is
# $p$ below 0.05? And if ten questions are asked of the same twenty problems, so that each may claim a tenth of that?

# %% tags=["predict"]
for k in range(4, 11):
    p = flips([1.0] * k)
    assert p == stats.mcnemar(k, 0) == stats.sign_flips([1.0] * k)
    stars = "*" * ((p < 0.05) + (p < 0.05 / 10))
    print(f"{k} of {N}: p = {p:.4f}", stars)

# %% [markdown]
# Six problems of twenty, then: thirty points, and nothing in the other direction. For one of ten questions, nine
# problems. Effects of a few points are out of reach for a single pair of our rows.

# %% tags=["plot"]
trees = {who: (kind, who) for kind, who in CAST if kind == "tree"}
gains = {}
for one in trees:
    for i in range(3):
        other = one[:i] + "L" + one[i + 1 :]
        if one[i] == "S" and other in trees:
            after, before = right(trees[other]), right(trees[one])
            gaps = zip(after, before, strict=True)
            gain = [[a - b] for a, b in gaps]
            gains[one, other] = stats.bootstrap(gain)
assert sum(each.low > 0 for each in gains.values()) == 2  # see below
solved = {who: rate(key) for who, key in trees.items()}
show.concepts.casts(solved, gains)

# %% [markdown]
# **Figure.** The six trees as corners of a cube; an arrow puts the large model into one role. Of seven arrows two are
# clear of zero, and both change the executor.
#
# But a role changes hands in several pairs of rows. The planner does in four of them: one plan with either executor, and a
# tree with either. Average each problem's difference over all such pairs, and some of the luck averages out. (Statisticians
# call this a **factorial design**; it is why fourteen casts are worth more than fourteen rows.) The same goes for a tree
# and its first plan, for a tree and a vote of the same executor's chains, and for a plan and a chain.


# %%
def smaller(role):
    """Pairs of casts: the large model in this role, the small one."""
    i, pairs = ROLES.index(role), []
    for kind, who in CAST:
        other = kind, who[:i] + "S" + who[i + 1 :]
        counts = kind != "vote"  # a vote has the replies of its chains
        if who[i] == "L" and other in runs and counts:
            pairs.append(((kind, who), other))
    return pairs


# %% tags=["set-up"]
# Six questions, and the pairs of casts that answer each of them
def against(kind, others):
    whos = [who for group, who in CAST if group == kind]
    return [((kind, who), others(who)) for who in whos]


QUESTIONS = {f"large {role} for small": smaller(role) for role in ROLES}
FIRST = against("tree", lambda w: ("one plan", f"{w[0]}-{w[2]}"))
QUESTIONS["tree for its first plan"] = FIRST
VOTE = against("tree", lambda w: ("vote", f"--{w[2]}"))
QUESTIONS["tree for a vote of chains"] = VOTE
CHAIN = against("one plan", lambda w: ("chain", f"--{w[2]}"))
QUESTIONS["one plan for a chain"] = CHAIN


def effect(pairs):
    """One minus the other, per problem the mean over the pairs."""
    both = [zip(right(a), right(b), strict=True) for a, b in pairs]
    gaps = [[x - y for x, y in couples] for couples in both]
    gaps = [fmean(of_problem) for of_problem in zip(*gaps, strict=True)]
    d, p = stats.bootstrap([[gap] for gap in gaps]), flips(gaps)
    assert abs(p - stats.sign_flips(gaps)) < 1e-9
    clear = "better" if d.rate > 0 else "worse"
    row = {"difference": f"{d.rate:+.0%} [{d.low:+.0%}, {d.high:+.0%}]"}
    row["p"] = "< 0.001" if p < 0.001 else f"{p:.3f}"
    return row | {"verdict": clear if p <= 0.05 else "cannot tell"}


show.table(
    [{"question": q} | effect(pairs) for q, pairs in QUESTIONS.items()]
)

# %% [markdown]
# **Table.** The executor makes the difference; a tree does worse than its own first plan and than a vote of chains.
#
# The first three lines are effects of the paper's kind; the last three are controls: what is left if the tree, or the plan,
# is taken away. And these pairs decide about the proposal itself:

# %%
SSL, SLL = ("tree", "SSL"), ("tree", "SLL")
CONTROLS = {"a chain": ("chain", "--L"), "a vote": ("vote", "--L")}
rows_ = []
for mix in (SSL, SLL):
    for name, other in CONTROLS.items():
        row = {"mix": mix[1], "against, of the large model": name}
        rows_.append(row | effect([(mix, other)]))
show.table(rows_)

# %% [markdown]
# **Table.** Against a vote of the large model both forms of the proposal are worse; against one chain nobody can tell.
#
# Five of the ten lines say "cannot tell". The others agree with each other. The large executor does better than the
# small one, by far. In the mean over its six pairs, a tree does worse than a vote over chains of its own executor, which
# takes about as many generated tokens and less work. All of that comes from the large executor (with the small one,
# cut off as it is, everything is at the floor), and both forms of the proposal are cases of it. And in the mean a tree does worse than
# its own first plan: after all the judging and rewriting, less is right than before. Most of that comes from `SSL` and
# `SLL`. (Of the all-large tree chapter 14 has eighty problems, and there the two are even.) If ten questions are
# counted, the executor's line passes. The other four do not, with $p$ from 0.006 to 0.014. They are what to test next,
# on other problems.
#
# (Where an interval just touches zero and $p$ is above 0.05, believe $p$. A bootstrap knows only its twenty problems,
# and with so few it is a little too narrow.)
#
# So what does the small planner contribute? Nothing that shows, for good or ill: one small plan is about as good as a
# chain without a plan. Against one chain of the large model both forms of the proposal come out lower, though that may
# be luck. From `SSS` to `SSL` and `SLL` our rate goes up, as in the paper's rows: but only the executor's part of it is
# beyond doubt. This does not refute the paper, whose small model is as large as our large one and far from the floor.
# It shows that a table of that form cannot carry that conclusion.
#
# ## Does a plan shorten the work?
#
# There is one way in which a small planner could save something even if it improves no answer: if the large executor
# writes *less* when it has a plan.
#
# ### Predict: shorter or longer?
#
# An executor with a plan in front of it: does it write fewer tokens than one that thinks step by step?


# %% tags=["predict"]
def written(key):
    """Tokens of one execution, for each problem."""
    bills = [run.result.ledger.asked["executor"] for run in runs[key]]
    return [b.completion_tokens / b.samples for b in bills]


for e, p in ("LL", "LS", "SL", "SS"):
    plan = written(("one plan", f"{p}-{e}"))
    plain = written(("chain", f"--{e}"))
    gaps = [[x - y] for x, y in zip(plan, plain, strict=True)]
    d = stats.bootstrap(gaps)
    much = f"{d.rate:+.0f} [{d.low:+.0f}, {d.high:+.0f}] tokens"
    print(f"{WORDS[e]} executor, plan by {WORDS[p]}:")
    print(f"   {much} against {fmean(plain):.0f}")

# %% [markdown]
# Shorter, in all four rows. (And a small executor's chain would be longer if it were not cut off.) Now the arithmetic of
# the proposal. A small model's token costs $r$ times a large one's. The planning writes $t$ tokens before the execution,
# and the plan saves the executor $s$ tokens. In generated tokens alone, the plan pays if $s > r\,t$.

# %%
r = WEIGHTS["small"] / WEIGHTS["large"]
alone = fmean(written(("chain", "--L")))
for key in (("one plan", "S-L"), SSL):
    t, s = spent(key)["small"], alone - fmean(written(key))
    bound = f"r t = {r:.2f} * {t:.0f} = {r * t:.0f}"
    print(f"{' '.join(key)}: s = {s:.0f}, {bound}")
    print(f"   break-even at r = {s / t:.2f}")

# %% [markdown]
# One small plan pays, in generated tokens; with prompts counted it does not (compare the work of `S-L` with that of the
# chain), and it solved about as many problems. The tree does not pay: its small model would have to be nearly five
# times cheaper still. So the mix has to earn its keep by better answers. It saves work against *the same search with
# the large model*
# (compare `SSL` and `LLL`). It does not save work against not searching. The paper's section 3.4 compares with the former.
#
# ## Whose judgement?
#
# A judge replies with "Score: N", N from 0 to 1, and a few words. A score that cannot be read is counted and left out, and
# a revision without any score loses its place in the tree. Do our judges keep the form?


# %% tags=["set-up"]
# The scores of a cast's judge that were read, and the replies that not
def verdicts(who):
    events = [e for run in runs["tree", who] for e in run.trace.events]
    judged = [event for event in events if event["kind"] == "evaluated"]
    scores = [score for event in judged for score in event["scores"]]
    unread = [entry for event in judged for entry in event["unread"]]
    return [score["score"] for score in scores], unread


for who in ("SSS", "SLS"):
    read, unread = verdicts(who)
    common = Counter(read).most_common(4)
    often = ", ".join(f"{score:g} ({n})" for score, n in common)
    trees = [run.result.visited for run in runs["tree", who]]
    plans = [node.value for tree in trees for node in tree]
    few = f"{len(read)} scores read, {len(unread)} not"
    print(f"{WORDS[who[1]]} judge: {few};", end=" ")
    print(f"{plans.count(None)} of {len(plans)} plans without any")
    print(f"   most frequent: {often}")
for entry in verdicts("SSS")[1][:6]:
    print(f"{entry['why']}:\n   {entry['text'][:60]!r}")

# %% [markdown]
# The small judge copies the N of the prompt, or marks out of ten. Where it can be read, it says 0 or 1. More than half of
# the plans that it saw stayed without any reward. So `SSS` and `SSL` are hardly searches: they are a first plan and what is
# left of a tree. (The prompt was written for the large model. Another one might mend the form; whether there is a judgement
# behind it is not known.) The large judge is read nearly always. What it says most often is 1, and in chapter 14 its order
# of plans was no better than a coin's.
#
# Who judges is a question of money, too. A judge reads a lot and writes little: its prompts hold the question and the plan,
# for every plan of the tree, twice. What is the share of each role in the work of a tree?

# %%
for who in ("SSL", "SLL", "LLL"):
    size = dict(zip(ROLES, who, strict=True))
    work = dict.fromkeys(ROLES, 0.0)
    for run in runs["tree", who]:
        for role, bill in run.result.ledger.asked.items():
            work[role] += WEIGHTS[WORDS[size[role]]] * bill.tokens
    total = fsum(work.values())
    shares = [f"{role} {w / total:.0%}" for role, w in work.items()]
    print(f"{who}: {', '.join(shares)}")

# %% [markdown]
# ## When is a search over plans worth it?
#
# This is the place to answer for both chapters. Here are all casts, success against work. The line is the **front**
# ([chapter 16](16_what_does_it_cost.ipynb) has more about it): it joins those that no other cast beats in both.

# %% mystnb={"image": {"alt": "Success with intervals against work per problem on a logarithmic axis, for fourteen casts. The efficient ones are joined by a line; the others are grey."}} tags=["plot"]
axes = {"x": "work", "y": "solved", "name": "cast", "log": True}
unit = "work per problem, $10^{12}$ operations"
show.pareto(rows, xlabel=unit, **axes)

# %% [markdown]
# **Figure.** The front holds chains, the vote and single plans. No tree is on it.
#
# One of them is a mix: `S-L`, a small planner and a large executor,
# the paper's proposal without its search.
#
# A search over plans pays if three things hold together.
#
# 1. **There is something to choose.** Of the plans for one problem some must lead to a right answer and some to a wrong
#    one. They did, as far as one execution of each plan can tell: in [chapter 14, part two](14_planning_study.ipynb),
#    six plans of the large model held both for most problems.
# 2. **The judges can tell.** They could not. Between a right and a wrong plan of one problem the large judge chose no better
#    than a coin.
# 3. **Nothing cheaper does the same.** Here something did. For fewer tokens than a tree writes, five chains voted, and
#    no method of chapter 14 solved more of its problems.
#
# So, at equal tokens: **we found no case**, on these problems and with these models. Eighty problems, twenty of them
# with mixes, do not prove that there is none. But each of the three can be measured before a tree is built, with a few
# plans that are all carried
# out. And one case is no matter of tokens: where carrying out is what costs (tools, people, things that cannot be
# undone), nobody can vote over executions, and a plan that somebody reads is worth its price without any search.
#
# ## Summary
#
# - Roles are desks. A search names the desk; a mapping says who sits there. The ledger bills each of them.
# - Read a model's replies before you read its row. Our small one writes solutions for plans and N for scores. As
#   executor it was cut off by our limit, as judge it is mostly unreadable; as planner it mostly solves the problem itself. A mix
#   in which a role is not played says little about the idea of mixing.
# - Work adds up across models, tokens do not: $2n$ operations for each token of a model with $n$ weights.
# - A mix of small and large needs controls: the large executor alone, and with its own plan. Without them a table of mixes
#   shows that large models are large. Ours tells the paper's story in the paper's rows, and another one with the controls.
# - Change one thing at a time, use all pairs of rows in which it changes, and count the questions. Twenty problems show
#   large effects only, and ten told another story than the next ten.
# - A small planner is cheaper than a large planner. With prompts counted, none of ours was cheaper than no planner (one
#   small plan was, in generated tokens alone). So it has to make the answers better, and ours cannot be seen to do
#   that.
#
# ## Exercises
#
# ### Exercise 1: other prices
#
# Work is one way to weigh tokens, a price list is another. Suppose that a generated token of the large model costs 1, one
# of the small model costs 0.05, and prompts are free. Which casts are on the **front** now?
#
# <details><summary>Hint</summary>
#
# `spent(key)` has "small" and "large"; `rate(key)` is the success. `show.front(rows, x=...)` keeps the efficient rows.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def price(key):
    return spent(key)["large"] + 0.05 * spent(key)["small"]


priced = []
for key in CAST:
    row = {"cast": " ".join(key), "price": price(key)}
    priced.append(row | {"rate": rate(key)})
for row in show.front(priced, x="price"):
    print(f"{row['cast']:13} price {row['price']:6.1f}", end=", ")
    print(f"solved {row['rate']}")

# %% [markdown]
# ### Exercise 2: whose plan, whose hands?
#
# Does a *large* plan help a small executor more than it helps a large one? Compute the effect of the planner for each
# executor, and the difference of the two effects, problem by problem.
#
# <details><summary>Hint</summary>
#
# `QUESTIONS` has the four pairs that differ in the planner, two for each executor. `effect` takes a list of pairs. For
# the difference, average the gaps of one executor's pairs, subtract those of the other, and use `flips`.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
def planner_pairs(e):
    pairs = QUESTIONS["large planner for small"]
    return [(one, two) for one, two in pairs if one[1][2] == e]


def gaps(pairs):
    rows = [
        [x - y for x, y in zip(right(a), right(b), strict=True)]
        for a, b in pairs
    ]
    return [fmean(row) for row in zip(*rows, strict=True)]


for e in "SL":
    found = effect(planner_pairs(e))
    print(f"{WORDS[e]} executor: {found['difference']}", end=", ")
    print(f"p = {found['p']}, {found['verdict']}")
both = zip(
    gaps(planner_pairs("S")), gaps(planner_pairs("L")), strict=True
)
both = [little - big for little, big in both]
print(f"difference: {fmean(both):+.0%}, p = {flips(both):.3f}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# This difference of differences is called an **interaction**. It needs even more problems than an effect.
#
# </details>
#
# ### Exercise 3: nobody at the desk
#
# What happens if a role has no model? Start `mcts-plan` with a planner and nobody else, and read the error. What has been
# spent by then?
#
# <details><summary>Hint</summary>
#
# `tot.solve(..., lm={"planner": small})` does not raise: look at `error` and at the ledger.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
lonely = tot.solve(
    "gsm8k", problems[0], "mcts-plan", lm={"planner": small}, **TREE
)
print(fill(lonely.error, 70))
for role, bill in lonely.result.ledger.asked.items():
    print(role, bill.completion_tokens)

# %% [markdown]
# ### Exercise 4: the row that was described
#
# From table 4 as printed above: how many points does 72B as evaluator *and* executor gain over 1.5B alone on GSM8K? And 72B
# as executor only? Which of them can be due to planning?
#
# <details><summary>Hint</summary>
#
# Subtract. Then remember what is missing.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
score = {row[:3]: row[3] for row in PAPER}
alone = score["1.5B", "1.5B", "1.5B"]
for who in (
    ("1.5B", "1.5B", "72B"),
    ("1.5B", "72B", "72B"),
    ("72B", "72B", "72B"),
):
    print(who, f"{score[who] - alone:+.2f} points")
# How much of it is planning, nobody can say: there is no row in which
# 72B works without a plan.

# %% [markdown]
# ## Further reading
#
# - Section 3.4 and table 4 of {cite}`anonymous2024planning`.
# - {cite}`wang2023plan`: one model plans and solves in one prompt.
# - [Chapter 16](16_what_does_it_cost.ipynb) compares all methods of this book at equal budgets.
