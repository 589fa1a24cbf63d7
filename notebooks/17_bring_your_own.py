# %% [markdown]
# # Bring your own task and model
#
# Every chapter so far used a task and a model that came with the book. Yours did not. This chapter builds a task, from an empty cell to
# a tree that you can explore: one that you might care about on a Saturday morning. [Part two](17_bring_your_own_model.ipynb) does the
# same with a model, serves it, and records a chapter with it.
#
# Everything here runs offline. The replies were **written by hand or thrown with dice**, and each place says so. They show how the
# parts fit. They measure nothing about language models.
#
# ## Learning objectives
#
# After this chapter you can
#
# - turn a problem of yours into a task: problems, prompts, readers, a verifier;
# - check it with `tot.testing` before you spend a token;
# - play the model yourself, and find out whether prompts, readers and search fit together;
# - say how much of a search's success is your program's, with dice in the place of the model;
# - tell a model that cannot think from a reader that cannot read.

# %% tags=["set-up"]
# Imports
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from textwrap import fill
import tot
from tot import show, stats
from tot.lab import Lab
from tot.nbsetup import setup
from tot.parse import Read, bad, last_word, shorten
from tot.testing import check_task

setup()

# %% [markdown]
# ## A day of errands
#
# Six errands, each with a duration and with hours in which it must be begun and ended. You do one after the other, and you may wait at
# a door. In which order do you get all of them done?
#
# It is a good task for a search: a step is small (what next?), a program can check it (does it fit?), and a choice that looks good now can
# make another errand impossible later. First the rules, with no model in sight. All times are minutes after midnight.


# %%
def clock(time):
    return f"{time // 60}:{time % 60:02}"


@dataclass(frozen=True)
class Errand:
    name: str
    minutes: int
    opens: int
    closes: int

    def __str__(self):
        hours = f"{clock(self.opens)} to {clock(self.closes)}"
        return f"{self.name} {self.minutes} min, {hours}"


# %%
def after(now, errand):
    """When it is done, if it is next; None: too late."""
    end = max(now, errand.opens) + errand.minutes
    return end if end <= errand.closes else None


def trouble(now, errands, names):
    """Why this order does not work; an empty text: it does."""
    left = {errand.name: errand for errand in errands}
    for name in names:
        if name not in left:
            return f"{name[:30]!r} is not on the list, or twice"
        if (now := after(now, left.pop(name))) is None:
            return f"{name} is not done in time"
    return f"left out: {', '.join(left)}" if left else ""


# %% [markdown]
# A problem is a **text**: the model reads it, and it goes into traces and results. So we write days as text and read them back.

# %%
TIME = r"(\d{1,2}):(\d{2})"
LINE = rf"([a-z][a-z ]{{0,20}}) (\d{{1,3}}) min, {TIME} to {TIME}"


def write_day(start, errands):
    return f"from {clock(start)}: {'; '.join(map(str, errands))}"


def read_day(x):  # the start is None if there is none
    start, errands = re.match(rf"from {TIME}: ", x), []
    for name, *numbers in re.findall(LINE, x):
        length, h1, m1, h2, m2 = map(int, numbers)
        errands.append(Errand(name, length, 60 * h1 + m1, 60 * h2 + m2))
    return start and 60 * int(start[1]) + int(start[2]), errands


# %% [markdown]
# Days come from a program, so that there are as many as we like. It lays six errands one after the other and opens the hours
# around them: every day can be done. Its luck is a hash, the same on every machine.

# %% tags=["set-up"]
# Shops, and luck that is the same on every machine
SHOPS = "bank, baker, dentist, barber, library, pharmacy, post office"
SHOPS = [*SHOPS.split(", "), "cobbler", "tailor", "market"]


def luck(*what):
    digest = hashlib.sha256(repr(what).encode()).digest()
    return int.from_bytes(digest[:6], "big")


def shuffled(items, *what):
    return sorted(items, key=lambda item: luck(item, *what))


# %% tags=["set-up"]
# A day: six errands one after the other, and hours around them
def day(number):
    now, errands = 9 * 60, []
    for i, name in enumerate(shuffled(SHOPS, number)[:6]):
        before, behind = (15 * (luck(number, i, s) % 7) for s in "ab")
        opens = max(9 * 60, now // 15 * 15 - before)
        minutes = 15 + 5 * (luck(number, i) % 8)
        now = max(now, opens) + minutes
        closes = -(-now // 15) * 15 + behind
        errands.append(Errand(name, minutes, opens, closes))
    return write_day(9 * 60, sorted(errands, key=str))


# %% [markdown]
# Some days are easy: many orders work. We keep those on which at most 12 of the 720 orders do.


# %%
def good_orders(x):
    now, errands = read_day(x)
    orders = permutations([errand.name for errand in errands])
    return sum(not trouble(now, errands, order) for order in orders)


DAYS = [x for x in map(day, range(45)) if good_orders(x) <= 12][:20]
share = sum(map(good_orders, DAYS)) / (720 * len(DAYS))
print(f"{len(DAYS)} days; of all orders {share:.1%} work. The first:")
print(DAYS[0].replace(": ", ":\n   ", 1).replace("; ", "\n   "))

# %% [markdown]
# ### Predict: how far does a rule of thumb get?
#
# "Next what closes first" is how many people plan. On how many of the twenty days does it work? And "next what is done soonest"?


# %%
def by_rule(x, key):
    (now, left), done = read_day(x), []
    while left:
        chosen = min(left, key=lambda errand: key(now, errand))
        left = [errand for errand in left if errand != chosen]
        now = after(now, chosen) or now
        done.append(chosen.name)
    return not trouble(*read_day(x), done)


# %% tags=["predict"]
def closing(now, errand):
    return errand.closes, errand.name


def soonest(now, errand):
    return after(now, errand) or 9999, errand.name


for rule in (closing, soonest):
    works = sum(by_rule(x, rule) for x in DAYS)
    print(f"{rule.__name__}: {works} of {len(DAYS)} days")

# %% [markdown]
# Rules of thumb solve some of the days and leave the others. So there is something to search for.
#
# ## The task
#
# A task is an object with the members that `tot.tasks.base` lists. The least that any method needs:
#
# | member | what it gives |
# |---|---|
# | `name`, `summary` | two texts |
# | `splits`, `problems` | named lists of problems, in a fixed order |
# | `problem(text)` | what a user typed, or ValueError with what to write instead |
# | `verify`, `same` | the verdict on an answer; its normal form, for votes |
# | `io`, `cot` | two prompts |
# | `read_io`, `read_cot` | what a reply says, as a thought; or why it cannot be read |
#
# We write one class in instalments, each a subclass of the last. First the problems.


# %%
class Problems:
    name = "errands"
    summary = "in which order are all errands done in time?"

    def splits(self):
        return {"days": "twenty days on which few orders work"}

    def problems(self, split):
        if split != "days":
            raise ValueError(f"no split {split!r}: choose days")
        return [tot.Problem(f"day-{i}", x) for i, x in enumerate(DAYS)]

    def problem(self, text):
        start, errands = read_day(text[:1000])
        names = {errand.name for errand in errands}
        if start is None or not 1 <= len(errands) == len(names) <= 9:
            raise ValueError(f"write a day like {DAYS[0]!r}")
        x = write_day(start, errands)
        return tot.Problem(x, x)


# %% [markdown]
# Then the verifier. It is the one place that decides what is right, so it trusts nobody: an answer is any text at all, or None.


# %%
class Verified(Problems):
    def verify(self, problem, answer):
        if answer is None:
            return tot.Score(False, "no answer")
        names = self.same(answer).split(", ")
        why = trouble(*read_day(problem.x), names)
        return tot.Score(not why, why)

    def same(self, answer):
        names = re.split(r",|;|->|→", answer.lower()[:400])
        return ", ".join(name.strip(" .\n") for name in names)


# %% [markdown]
# The direct prompt and the chain of thought. Ask for **one line in a fixed form**, and cap the tokens: both save most of the trouble that
# readers have.

# %%
RULES = "Each errand takes some minutes and must be begun and ended "
RULES += "within its hours. They are done one after the other; "
RULES += "you may wait."
FORM = "the line 'Plan:' with the names in order, separated by commas."


class Direct(Verified):
    def io(self, state):
        ask = f"{RULES}\n{state.x}\nReply with {FORM}"
        return tot.user(ask, max_tokens=60)

    def cot(self, state):
        think = f"Say when each begins and ends. Then write {FORM}"
        return tot.user(f"{RULES}\n{state.x}\n{think}", max_tokens=250)


# %% [markdown]
# A reader never raises, whatever a model said. It gives `Read(value)`, or a reason why not, or both: an attempt without an answer is still an
# attempt, and counts as one.


# %%
class Readable(Direct):
    def read_io(self, state, text):
        text = shorten(text, 4000)
        plans = re.findall(r"plan:(.*)", text, re.IGNORECASE)
        if not plans:
            attempt = tot.Thought(text, final=True)
            return [Read(attempt, "no plan in it", shorten(text))]
        answer = plans[-1].strip()
        return [Read(tot.Thought(text, answer=answer, final=True))]

    read_cot = read_io


# %% [markdown]
# With these members all sampling methods work: `io`, `cot`, `cot-sc` and the rest of chapters 3 and 4. For a tree, answer the four
# questions of [chapter 5](05_how_a_search_asks.ipynb). A **thought** is one errand, with its time. The **generator** proposes: name up to three
# that could be next. The **evaluator** values: can the others still be done? The **search** is any that `tot` has, because the class
# provides what `Searchable` lists.
#
# The program keeps the books: what time it is, and what is left. That is arithmetic, and a model should not be paid for it.


# %%
def now_left(state):
    now, errands = read_day(state.x)
    done = [t.data for t in state.thoughts if not t.final]
    names = {name for name, _ in done}
    left = [errand for errand in errands if errand.name not in names]
    return (done[-1][1] if done else now), left


def situation(state):
    now, left = now_left(state)
    lines = [f"It is {clock(now)}. Still to do:", *map(str, left)]
    return "\n".join(lines)


# %%
def read_step(state, line):  # one line of a proposal
    now, left = now_left(state)
    named = [errand for errand in left if errand.name in line.lower()]
    if not named:
        return bad("none of the errands left", line)
    if len(named) > 1:
        return bad("several errands", line)
    end = after(now, named[0])
    if end is None:
        return bad("too late for it", line)
    text = f"{named[0].name}, done at {clock(end)}"
    return Read(tot.Thought(text, (named[0].name, end)), text=line)


# %%
class Proposing(Readable):
    steps = 10  # at most nine errands, and the answer
    styles = ("list",)

    def propose(self, state, style):
        ask = "Which could be next? Name up to three, one on each line."
        ask = f"{RULES}\n{situation(state)}\n{ask}"
        return tot.user(ask, max_tokens=40)

    def read_proposals(self, state, text):
        lines = filter(str.strip, text[:2000].splitlines())
        reads = [read_step(state, line) for line in [*lines][:8]]
        return reads or [bad("empty", text)]


# %% [markdown]
# Two members may answer in place of a model. `compose` writes the answer down when nothing is left; `judge` gives a verdict where a program
# can tell. None means: ask.

# %%
VERDICTS = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}


class Valued(Proposing):
    worst = VERDICTS["impossible"]

    def value(self, state):
        ask = "Can all be done in time? "
        ask += "End with sure, likely or impossible."
        ask = f"{RULES}\n{situation(state)}\n{ask}"
        return tot.user(ask, max_tokens=60)

    def read_value(self, text):
        word = last_word(text, VERDICTS)
        if not word.ok:
            return word
        return Read(VERDICTS[word.value], text=word.text)


# %%
class Errands(Valued):
    def compose(self, state):
        names = ", ".join(thought.data[0] for thought in state.thoughts)
        answer = tot.Thought(f"Plan: {names}", answer=names, final=True)
        return None if now_left(state)[1] else [answer]

    def judge(self, state):
        return None if now_left(state)[1] else VERDICTS["sure"]


errands = Errands()

# %% [markdown]
# ## Check it before you pay for it
#
# `check_task` holds a task to the contract: prompts that do not change, no gold in them, readers that survive a megabyte of brackets, a verifier that
# calls no nonsense correct, refusals in one sentence. Add replies that matter for your task. It is silent when all is well. To see that it
# can fail, we break the task in a way that happens easily: a verifier that is content if nothing comes too late.

# %%
texts = ["Plan: bank, bank", "1. bank\n2. bank or baker"]
check_task(errands, texts=texts)


class Content(Errands):
    def verify(self, problem, answer):
        score = super().verify(problem, answer)
        return tot.Score("in time" not in score.why, score.why)


try:
    check_task(Content())
except AssertionError as found:
    print(found)

# %% [markdown]
# ## A first run, with replies written by hand
#
# Before a model, a script: you play the model, and see whether prompts, readers and search fit together. This is a small day, and these ten
# replies are ours: proposals, verdicts on what came of them, proposals again. In one place the script names the baker again, who is done
# already. Watch what becomes of it.

# %%
morning = "from 9:00: baker 20 min, 9:00 to 12:00; "
morning += "bank 30 min, 9:00 to 10:00; dentist 40 min, 9:30 to 10:40"
script = [
    "bank\nbaker",  # proposals from the start
    "Then the baker, all fits. sure",
    "The bank will be tight. likely",
    "dentist\nbaker",  # after the bank
    "baker\nbank\ndentist",  # after the baker
    "Only the baker is left. sure",
    "The dentist fits. likely",
    "It is past ten, no bank. impossible",
    "baker",
    "dentist",
]
lm = tot.Scripted(script, name="written by hand")
knobs = {"lm": lm, "breadth": 2, "values": 1}
first = tot.solve(errands, morning, "tot-bfs", **knobs)
print(f"{first.answer}: {first.verdict}; unread: {first.result.unread}")

# %%
show.svg(first)

# %% [markdown]
# **Figure.** Two orders work; the beam of two found both.
#
# The line that named the baker again was refused and counted; it made no child. Bank and baker in either order lead to the same question, so it was
# asked once. And nobody had to write the answer: when nothing is left, `compose` does.
#
# **With a real model** nothing changes but the argument `lm`. Pilot on three problems, read every reply, look at `unread`, then mend the
# prompt. Only then record. (Part two is about the model, and about what this costs.)
#
# ```python
# from tot.lm.openai import OpenAI
#
# live = OpenAI("your-model", base_url="http://127.0.0.1:8080/v1")
# with tot.Cassette("errands.jsonl", live) as lm:  # each reply is kept as it arrives
#     for problem in errands.problems("days")[:3]:
#         limit = tot.Budget(calls=150)
#         solution = tot.solve(errands, problem, "tot-bfs", lm=lm, budget=limit)
#         print(solution.answer, solution.verdict, solution.result.unread)
# ```
#
# ## Dice: what can the program do alone?
#
# The most useful model that you can write for a new task is **dice**. They read the names in the prompt, and throw. They show what search
# and program achieve *with no understanding at all*, so they are the bar that a real model has to clear. `tot.Scripted` makes a model of any
# function from a request and a sample index to a text.


# %%
def throw(request, i):
    asked = request.messages[-1].content
    names = [name for name, *_ in re.findall(LINE, asked)]
    names = shuffled(names, asked, i)
    if "impossible" in asked:
        return shuffled(VERDICTS, asked, i)[0]
    if "up to three" in asked:
        return "\n".join(names[:3])
    return f"Plan: {', '.join(names)}"


dice = tot.Scripted(throw, name="dice")


# %% tags=["set-up"]
# One row of a race: days done, and words said
def race(task, lm, method, **knobs):
    solved, words = [], 0
    for one in task.problems("days"):
        trials = []
        for trial in range(5):
            others = {"lm": lm, "first": 100 * trial, **knobs}
            trials.append(tot.solve(task, one, method, **others))
        solved.append([trial.correct for trial in trials])
        totals = [trial.result.ledger.total for trial in trials]
        words += sum(total.completion_tokens for total in totals)
    shown = ", ".join(
        f"{name}={value}" for name, value in knobs.items()
    )
    row = {
        "task": type(task).__name__,
        "method": method,
        "knobs": shown,
    }
    row["done"] = stats.bootstrap(solved)
    return row | {"words": f"{words / (5 * len(solved)):.0f}"}


# %% [markdown]
# ### Predict: can dice plan a day?
#
# One throw of all six errands is right less than once in a hundred. Now let the dice *propose* and *judge* in a tree, with breadth 1 and with breadth 5.
# The program refuses what does not fit. How many of the twenty days?

# %% tags=["predict"]
rows = [race(errands, dice, "io", k=1)]
for b in (1, 5):
    rows.append(race(errands, dice, "tot-bfs", breadth=b, values=1))
rows.append(race(errands, dice, "io-best-of-k-gold", k=100))
note = "Dice. Twenty days, five times each; words a day."
show.table(rows, caption=note)

# %% [markdown]
# **Table.** Dice in a tree plan about a quarter of the days.
#
# Read this as a warning. With dice for a proposer and dice for a judge, a beam of five plans about a quarter of the days; a single throw plans next to
# none. There is no insight anywhere in it. The program refuses what does not fit, and a beam is several tries. If your model in the tree does no better
# than dice in the tree, your program is doing the work.
#
# (A hundred throws do better still, for ten times the words, if the verifier picks. In this task anybody can check a plan, so that is no cheat. Where
# a verifier needs a gold answer, it is.)
#
# The check of a step comes late: it refuses an errand that no longer fits, and the mistake was made before that. But a program can look ahead. If *any*
# errand that is left could not even be done next, the state is hopeless.


# %%
class Watchful(Errands):
    def judge(self, state):
        now, left = now_left(state)
        if any(after(now, errand) is None for errand in left):
            return self.worst
        return super().judge(state)


watchful, ahead = Watchful(), []
check_task(watchful)
for b in (1, 5):
    ahead.append(race(watchful, dice, "tot-bfs", breadth=b, values=1))
note = "The same dice, with a look ahead."
show.table([*rows[1:3], *ahead], caption=note)

# %% [markdown]
# The same dice do many more days, for fewer words. It is the first thing to look for in a task of your own: **what can a program see?** It is free, it is
# never tired, and it moves the bar for every model.
#
# ## Where it fails
#
# A search whose replies cannot be read looks just like a search with a bad model. So everything unread is counted, with the reason. The
# dice cannot misspell a name. What else is refused?

# %%
reasons, children = Counter(), 0
for one in errands.problems("days"):
    knobs = {"lm": dice, "breadth": 3, "values": 1}
    run = tot.solve(errands, one, "tot-bfs", **knobs)
    for event in run.trace.events:
        if event["kind"] == "expanded":
            children += len(event["nodes"])
            reasons.update(entry["why"] for entry in event["unread"])
print(f"{children} children; refused: {dict(reasons)}")

# %% [markdown]
# Two very different things stand behind such counts. "None of the errands left", "no plan in it", "empty": the model does not keep the form. Mend the
# prompt: an example, fewer words, a cap. "Too late for it": the reply was read and is wrong. That is a result. Report it; never mend
# a reader until it likes the answer.
#
# And a limit of the whole approach: this task suits a tree because a program can check a step. If yours has no such check, thoughts are long
# texts, and a vote (chapters 7 and 9) fits better: provide what `Votable` lists, and `tot-vote` works.
#
# ## The lab, with a task of your own
#
# In Jupyter the next cell is a panel around all of this: choose the task, the method, the model, turn the method's own knobs, set a budget,
# press *Run*, watch the bill, press *Stop* if you have seen enough, step through the tree, save its trace, copy the code. Pass it what is yours,
# under the names that it has in your notebook. In the static page it is a slider over four searches by the dice.

# %% tags=["nbval-ignore-output"]
settings = [{"method": "io", "k": 5}]
settings += [{"breadth": b} for b in (1, 3, 5)]
tasks = {"watchful": watchful, "errands": errands}
more = {"knobs": {"values": 1}, "problem": DAYS[6]}
Lab({"dice": dice}, tasks, settings=settings, recorded=dice, **more)

# %% [markdown]
# **Figure.** Four searches by the dice, step by step; in Jupyter, the whole panel.
#
# ## Summary
#
# - A task is problems, prompts, readers and a verifier. For a tree: proposals, verdicts, and what a program can say in their place.
# - Let the program keep the books, and let the model choose.
# - `check_task` costs nothing. Run it first, and break something once to see it fail.
# - Play the model by hand before you pay one.
# - Dice are the baseline for every search with checks in it.
# - Unread and wrong are two different counts.
#
# ## Exercises
#
# ### Exercise 1: do reader and verifier agree?
#
# The reader of steps refuses what does not fit, and the verifier judges whole orders. They are two pieces of code with one meaning. Check them
# against each other: for the first day, grow *all* orders step by step with `read_step`, and compare with the orders that `trouble` accepts.
#
# <details><summary>Hint</summary>
#
# Start with `[tot.State(x)]` and replace each state six times by its successors: `read_step(state, name)` for each name, if it is `ok`.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
x = DAYS[0]
now, jobs = read_day(x)
states = [tot.State(x)]
for _ in jobs:
    tries = [(s, job.name) for s in states for job in now_left(s)[1]]
    reads = [(s, read_step(s, name)) for s, name in tries]
    states = [s.then(read.value) for s, read in reads if read.ok]
grown = {
    tuple(thought.data[0] for thought in s.thoughts) for s in states
}
orders = permutations([job.name for job in jobs])
accepted = {order for order in orders if not trouble(now, jobs, order)}
assert grown == accepted
print(f"{len(grown)} orders either way")

# %% [markdown]
# ### Exercise 2: at equal words
#
# The look ahead solved more days *and* was cheaper. Compare it with throwing again and again at the same price: take the words a day of
# `Watchful` with breadth 5, see how many direct throws they buy, and estimate how many days the best of so many would solve. Use 200 throws a
# day and `stats.pass_at_k`.
#
# <details><summary>Hint</summary>
#
# A throw has about as many words as the row `io`, k=1, says. `solution.scores` of an `io` run with `k=200` says which throws are right.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
k = int(ahead[1]["words"]) // int(rows[0]["words"])
estimates = []
for one in errands.problems("days"):
    throws = tot.solve(errands, one, "io", lm=dice, k=200).scores
    right = sum(score.correct for score in throws)
    estimates.append([stats.pass_at_k(200, right, k)])
best = stats.bootstrap(estimates)
print(f"best of {k} throws, for the same words: {best}")
print(f"the tree with a look ahead:            {ahead[1]['done']}")

# %% [markdown]
# ### Exercise 3: a proposer with a rule
#
# Write `clerk`, a model that throws as the dice do, but proposes what closes first. Its verdicts stay dice. Predict first: does its tree, with breadth
# 3, beat the rule on its own? With and without the look ahead?
#
# <details><summary>Hint</summary>
#
# `read_day(asked)[1]` gives the errands of any text. Only the branch for "up to three" changes.
#
# </details>

# %% [markdown]
# #### Solution 3


# %% tags=["hide-cell"]
def decide(request, i):
    asked = request.messages[-1].content
    if "up to three" not in asked:
        return throw(request, i)
    jobs = sorted(read_day(asked)[1], key=lambda job: closing(0, job))
    return "\n".join(job.name for job in jobs[:3])


clerk = tot.Scripted(decide, name="clerk")
alone = stats.wilson(sum(by_rule(x, closing) for x in DAYS), len(DAYS))
print(f"the rule alone: {alone}")
for task in (errands, watchful):
    row = race(task, clerk, "tot-bfs", breadth=3, values=1)
    print(f"the rule in the tree, {row['task']}: {row['done']}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A good proposer under a judge that talks nonsense is *worse* than the proposer alone: the beam throws the good order away. With a free check of
# the hopeless states it is the other way round: the search finds out where the rule is wrong. A tree search needs both of its halves.
#
# </details>
#
# ### Exercise 4: break the contract
#
# Break the task in three ways that happen in real life, and read what `check_task` says: a prompt that shows the time of day (your clock, not the
# problem's); a `read_value` that raises on a reply without a verdict; a `problem` that takes any text.
#
# <details><summary>Hint</summary>
#
# One small subclass of `Errands` for each. A counter can play the clock: `next(ticks)` with `ticks = itertools.count()`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
from itertools import count

ticks = count()


class Clocked(Errands):
    def io(self, state):
        return tot.user(f"Tick {next(ticks)}. {state.x}")


class Raising(Errands):
    def read_value(self, text):
        return Read(VERDICTS[text.split()[-1]])


class Greedy(Errands):
    def problem(self, text):
        return tot.Problem("typed", text.upper())


for broken in (Clocked(), Raising(), Greedy()):
    try:
        check_task(broken)
    except AssertionError as found:
        print(fill(f"{type(broken).__name__}: {found}", 70))

# %% [markdown]
# ## Further reading
#
# - `tot.tasks.base`: the contract, with every member explained. A task of your own need not live in the package.
# - The paper {cite}`yao2023tree`, section 3: the four questions that a new task has to answer.
# - [Every method on every task](../book/matrix.md): which methods a task can serve, and why not.
