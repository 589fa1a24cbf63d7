# %% [markdown]
# # Bring your own task
#
# You have a problem of your own and an afternoon. What must a search know about it? And once it runs, how can you tell
# whether the model is thinking, or your program is doing the work? This chapter builds one task, from an empty cell to
# a tree, and answers the second question before a single token is paid for.
#
# The task is a day of six errands. Each has a duration, and opening hours within which it must be begun and ended. You do one after
# the other, and you may wait at a door. In what order can you get them all done? All times are minutes after
# midnight, and one rule decides everything:

# %% tags=["set-up"]
# Imports
import hashlib
import re
from dataclasses import dataclass
from itertools import chain, permutations
from random import Random
from statistics import fmean

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.testing import check_task
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import compared

setup()


# %%
@dataclass(frozen=True)
class Errand:
    name: str
    minutes: int
    opens: int
    closes: int


def after(now, errand):
    """When it is done, if it is next; None: too late."""
    end = max(now, errand.opens) + errand.minutes
    return end if end <= errand.closes else None


# %% tags=["set-up"]
# The verifier of whole orders
def trouble(now, errands, names):
    """Why this order does not work; an empty text: it does."""
    left = {errand.name: errand for errand in errands}
    for name in names:
        if name not in left:
            return f"{name[:30]!r} is not on the list, or twice"
        if (now := after(now, left.pop(name))) is None:
            return f"{name} is not done in time"
    return f"left out: {', '.join(left)}" if left else ""


# %% tags=["set-up"]
# Days as text, and back
TIME = r"(\d{1,2}):(\d{2})"
LINE = rf"([a-z][a-z ]{{0,20}}) (\d{{1,3}}) min, {TIME} to {TIME}"


def clock(time):
    return f"{time // 60}:{time % 60:02}"


def write(errand):
    hours = f"{clock(errand.opens)} to {clock(errand.closes)}"
    return f"{errand.name} {errand.minutes} min, {hours}"


def read_day(x):  # the start is None if there is none
    start, errands = re.match(rf"from {TIME}: ", x), []
    for name, *numbers in re.findall(LINE, x):
        length, h1, m1, h2, m2 = map(int, numbers)
        errands.append(Errand(name, length, 60 * h1 + m1, 60 * h2 + m2))
    return start and 60 * int(start[1]) + int(start[2]), errands


# %% tags=["set-up"]
# Twenty days, with luck that is the same on every machine
SHOPS = "bank, baker, dentist, barber, library, pharmacy, post office"
SHOPS = [*SHOPS.split(", "), "cobbler", "tailor", "market"]


def luck(*what):
    digest = hashlib.sha256(repr(what).encode()).digest()
    return int.from_bytes(digest[:6], "big")


def shuffled(items, *what):
    return sorted(items, key=lambda item: luck(item, *what))


def day(number):
    now, errands = 9 * 60, []
    for i, name in enumerate(shuffled(SHOPS, number)[:6]):
        before, behind = (15 * (luck(number, i, s) % 7) for s in "ab")
        opens = max(9 * 60, now // 15 * 15 - before)
        minutes = 15 + 5 * (luck(number, i) % 8)
        now = max(now, opens) + minutes
        closes = -(-now // 15) * 15 + behind
        errands.append(Errand(name, minutes, opens, closes))
    return "from 9:00: " + "; ".join(sorted(map(write, errands)))


def good_orders(x):
    now, errands = read_day(x)
    orders = permutations(errand.name for errand in errands)
    return [o for o in orders if not trouble(now, errands, o)]


few = (x for x in map(day, range(45)) if len(good_orders(x)) <= 12)
DAYS = [*few][:20]

# %% mystnb={"image": {"alt": "Six errands of a day as light bars, from opening to closing, and inside each a dark bar where it is done in one order that works: barber, dentist, bank, baker, library, pharmacy, one after the other without overlap."}} tags=["plot"]
(now, jobs), order = read_day(DAYS[0]), good_orders(DAYS[0])[0]
figure, axis = plt.subplots(figsize=(6.4, 2.6))
for job in sorted(jobs, key=lambda job: order.index(job.name)):
    now, name = after(now, job), f"{job.name}, {job.minutes} min"
    hours = job.closes - job.opens
    axis.barh(name, hours, left=job.opens, color="#CFE0F1")
    start = now - job.minutes
    axis.barh(name, job.minutes, 0.45, start, color="#0072B2")
times = range(540, 760, 30)
axis.set_xticks(times, map(clock, times))
axis.invert_yaxis()
plt.show()

# %% [markdown]
# **Figure.** The first of our days, and one of its few orders that work: light, when it is open; dark, when it is done.
#
# Every reply in this chapter was written by hand or drawn at random; no language model planned any of these days.
# ([Part two](17_bring_your_own_model.ipynb) sets a recorded model beside dice, on the Game of 24.) In a hurry? Read
# about [the dice](#dice-what-can-the-program-do-alone) and [the pilot](#the-pilot-three-problems), and come back when
# you have a task to write.
#
# ## Learning objectives
#
# After this chapter you can
#
# - turn a problem of yours into a task, and choose a search that fits it;
# - check it with `tot.testing` and by playing the model yourself, before you spend a token;
# - say how much of a search's success is your program's, with dice in the place of the model;
# - run a pilot on three problems, and decide what to do when it solves none of them.
#
# ## A day of errands
#
# This is a good task for a search. A step is small (what next?), a program can check it (does it fit?), and a choice that
# looks good now can make another errand impossible later.
#
# A problem is a **text**, because the model reads it. Our days come from a
# program. It lays six errands one after the other and opens hours around them, so every day can be done. We keep twenty
# days on which at most 12 of the 720 orders work.

# %%
print(*DAYS[0].split("; "), sep=";\n")
share = fmean(len(good_orders(x)) / 720 for x in DAYS)
print(f"On {len(DAYS)} days {share:.1%} of all orders work.")

# %% [markdown]
# ### Predict: how far does a rule of thumb get?
#
# Many people simply do next whatever closes first. That takes no model and no search.


# %%
def closing(errand):
    return errand.closes, errand.name


def by_rule(x):
    now, left = read_day(x)
    names = [errand.name for errand in sorted(left, key=closing)]
    return not trouble(now, left, names)


works = sum(map(by_rule, DAYS))
show.Predict(
    "On how many of the twenty days does it get everything done?",
    works,
    low=0,
    high=20,
)

# %% [markdown]
# The rule solves some of the days and fails on the others. So there is something to search for. Look for such a rule
# before you build anything.
#
# ## The task in one class
#
# A search must know which problems there are, how to put one to a model, how to read a line of a reply, when a
# solution is complete, and what is wrong with it. If your task is solved in small steps, `tot.Stepwise` asks for just these,
# and nearly every method of the book then works on it.
#
# **The program keeps the books.** What time it is and what is left is arithmetic, and you should not pay a model for
# arithmetic. Its job is to choose.


# %%
RULES = "Each errand takes some minutes and must be begun and ended "
RULES += "within its hours. They are done one after the other; "
RULES += "you may wait."


def books(x, done):
    """What time it is after these errands, and what is left."""
    now, errands = read_day(x)
    left = {errand.name: errand for errand in errands}
    for name in done:
        if name in left:
            now = after(now, left.pop(name)) or now
    return now, [*left.values()]


# %%
class Steps(tot.Stepwise):
    """In which order are all errands done in time?"""

    name, rules, inputs, steps = "errands", RULES, DAYS, 6

    def read(self, x, done, line):  # None: there is no step in it
        now, left = books(x, done)
        words = line.lower()
        named = [e for e in left if re.search(rf"\b{e.name}\b", words)]
        if len(named) != 1:
            return None
        if after(now, named[0]) is None:
            raise ValueError("too late for it")
        return named[0].name

    def whole(self, x, done):
        return not books(x, done)[1]

    def wrong(self, x, done):  # "": nothing
        return trouble(*read_day(x), done)


# %% [markdown]
# `x` is the text of the problem and `done` the steps so far; `steps` is the most that a solution may have. `trouble` (in the code above the figure) goes through an order and says what is wrong with it.
#
# **The verifier** decides what is right, so it trusts nobody: an answer may be any text, or none. A run calls `verify`,
# which calls `check`; that reads the answer again, line by line, and calls `wrong`. Ours needs only the problem, so it is a
# *free* check, and a method may use it. A true answer, if yours needs one, is the problem's `gold`, which only `verify` may
# see ([chapter 3](03_io_and_verifiers.ipynb)).
#
# ### A reader, worked out
#
# A model was asked for one errand on each line. It is five past eleven, after the library, and this is the reply, which we wrote.
# What should a program make of each line?

# %% tags=["set-up"]
# Five lines of a reply, and what is made of them
reply = """1. The baker, while it is still open
bank
the barber or the dentist
I would rest first.
library"""
late = tot.State(DAYS[0]).then(tot.Thought("library"))
show.table(
    {
        "the line": read.text,
        "is read as": read.value and read.value.text,
        "or why not": read.why,
    }
    for read in Steps().read_proposals(late, reply)
)

# %% [markdown]
# **Table.** One line of five is a step. The bank has closed; two names are not a choice; the library is done already.
#
# A reader never guesses. It looks for whole words, and where a line names two errands it takes neither. There are two ways
# to say no. **None**: the line names no step. **ValueError**: it names a step that may not be taken, and an answer with
# such a line is wrong. A tree refuses lines of both kinds and counts them, with their reasons, in `unread`.
#
# ### Prompts of its own
#
# `tot.Stepwise` has prompts (`print(tot.Stepwise.verdict)` shows one), and any member that you write replaces
# the usual one. We write our own: a whole day fits on one line, and a model that is told the time and what is left does
# not have to read how the day began.


# %%
class Errands(Steps):
    def io(self, state):
        form = "the line 'Plan:' with the names in order,"
        form += " separated by commas."
        ask = f"{RULES}\n{state.x}\nReply with {form}"
        return tot.user(ask, max_tokens=60)

    def read_io(self, state, text):
        return super().read_io(state, text.replace(",", "\n"))

    def ask(self, state, question, most):
        now, left = books(state.x, [t.text for t in state.thoughts])
        lines = [RULES, f"It is {clock(now)}. Still to do:"]
        lines += [*map(write, left), question]
        return tot.user("\n".join(lines), max_tokens=most)

    def propose(self, state, style):  # there is one style
        ask = "Which could be next? Name up to three, one on each line."
        return self.ask(state, ask, 40)

    def value(self, state):
        ask = "Can all be done in time? "
        ask += "End with sure, likely or impossible."
        return self.ask(state, ask, 60)


errands = Errands()

# %% [markdown]
# Each prompt asks for *a fixed form* and caps the tokens, which saves readers most of their trouble. Now three of the four questions of [chapter 5](05_how_a_search_asks.ipynb) have their answers. A *thought* is one errand. The *generator*
# *proposes* up to three in one reply, so they differ; where steps are long texts, *sample* instead, and ask several times
# for one. The *evaluator* says whether the others can still be done. The *search* comes next.
#
# ### What a task must not hold
#
# - **The true answer**, in any prompt, reader, check or verdict.
# - **States of your problems as examples.** In [chapter 5](05_how_a_search_asks.ipynb) the judge's prompt called one pair of
#   numbers *sure*, and half of the wins went through that pair.
# - **Luck or a clock.** A prompt that shuffles its list is another request each time: no recording finds it again.
# - **Repairs.** A reader that turns a wrong step into the right one is doing the model's work.
# - **The search or the model.** Breadth, samples, models and keys are arguments of a run, so one task serves them all.
#
# ## Which search?
#
# | What you have | Take | Because |
# |:---|:---|:---|
# | a program that checks whole answers, and single tries that are right now and then | `best-of` | of many tries one is likely to be right, and nobody has to judge |
# | no check, and answers short enough to be equal | `cot-sc`, a vote | wrong answers scatter, and the right one only has to be the most frequent |
# | small steps, some of which a program refuses | `tot-bfs` | states of one level can be compared, and few rounds mean little waiting |
# | many small steps, and dead ends that can be recognised | `tot-dfs` | it soon has a complete solution, and it can take steps back |
# | a judge whose numbers are rough | `tot-mcts` | it comes back to states that it first thought poor ([chapter 13](13_mcts_from_scratch.ipynb)) |
# | steps that are long texts | `tot-vote` | long texts are easier to compare than to value ([chapter 7](07_votes_creative_writing.ipynb)) |
# | a plan to approve before it is carried out | `mcts-plan` | you can stop it or change it; where answers can be counted, a vote did better ([chapter 14](14_planning_with_mcts.ipynb)) |
#
# **Table.** From the task to a method. [Chapter 16](16_when_search_pays.ipynb) asks whether a tree is worth its price.
#
# The errands have small steps, and a program refuses some, so we search breadth first. `tot.Stepwise` serves all of these
# but plans; for other tasks [the manual](../book/manual/own_task.md) lists the members that each method needs.
#
# ## Check it before you pay for it
#
# `check_task` tests what every task must keep to: prompts stay the same and do not hold the true answer, readers
# survive a megabyte of brackets, and the verifier does not call nonsense correct. A run would show none of this: with a verifier
# that calls an empty answer correct, the rates only look better. The test is silent when all is well. To see it
# fail, we make an easy mistake: a `check` that accepts every answer in which nothing comes too late.

# %%
check_task(errands, texts=["Plan: bank, bank", "1. bank\n2. baker"])


class Careless(Errands):
    def check(self, x, answer):
        score = super().check(x, answer)
        return tot.Score("in time" not in score.why, score.why)


try:
    check_task(Careless())
except AssertionError as found:
    print(found)

# %% [markdown]
# The second test is to play the model yourself. This is a small day, and these ten replies are ours: proposals, verdicts on
# what came of them, proposals again. In one place the script names the baker again, which is done already.

# %%
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

# %%
morning = "from 9:00: baker 20 min, 9:00 to 12:00; "
morning += "bank 30 min, 9:00 to 10:00; dentist 40 min, 9:30 to 10:40"
lm = tot.Scripted(script, name="written by hand")
knobs = {"lm": lm, "breadth": 2, "values": 1}
first = tot.solve(errands, morning, "tot-bfs", **knobs)
print(*map(", ".join, good_orders(morning)), sep="\n")
show.svg(first)

# %% [markdown]
# **Figure.** Three orders work, as listed above; a beam of two found two. More dots are filled where the value is higher: *sure*
# counts 20, *likely* 1, *impossible* 0.001, and a complete order gets 20 from the check.
#
# The line that named the baker again was refused, and made no child. Bank and baker in either order lead to the same question, so it was
# asked once, and *likely* gave both the value 1. The beam had room for one and cut the other, which also works.
#
# ## Dice: what can the program do alone?
#
# The most useful model that you can write for a new task is **dice**. They read the names in the prompt, and throw for an order. They show
# what search and program achieve with no understanding at all, so they are the bar that a real model has to clear.
# `tot.Scripted` makes a model of such a function.


# %%
VERDICTS = "sure", "likely", "impossible"


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
# A race: twenty days, five times each
def race(task, method, lm=dice, **knobs):
    """Five runs of each day: from sample 0, 100, 200 ... on."""
    how = [{"lm": lm, "first": i} | knobs for i in range(0, 500, 100)]
    own = task.problems("own")
    return [[tot.solve(task, x, method, **k) for k in how] for x in own]


def won(runs):
    return [[run.correct for run in day] for day in runs]


def row(name, runs):
    read, words, _ = show.bill({name: chain(*runs)}).lines[name]
    row = {"method": name, "days done": stats.bootstrap(won(runs))}
    return row | {"words": f"{words:.0f}", "read": f"{read:.0f}"}


# %% [markdown]
# ### Predict: can dice plan a day?
#
# A single throw of all six errands is right less than once in a hundred. Now let the dice *propose* and *judge* in a tree that
# keeps five states and asks for one verdict on each. Each of the twenty days is searched five times, with new throws.
# (For dice, a word counts as a token.)

# %%
tree = {"breadth": 5, "values": 1}
plain = race(errands, "tot-bfs", **tree)
throws = race(errands, "best-of", k=9)
runs = {"one direct throw": race(errands, "io", k=1)}
runs |= {"best of 9 throws": throws, "a tree, breadth 5": plain}
show.Predict(
    "In how many of the hundred searches are all errands done?",
    round(100 * stats.bootstrap(won(plain)).rate),
    low=0,
    high=100,
    shows=show.table([row(*r) for r in runs.items()], highlight=2),
)


# %% tags=["predict", "plot"]
# The tree against nine throws, day by day
def against(a, b):
    return compared(*(list(map(fmean, won(runs))) for runs in (a, b)))


show.results({"the tree against nine throws": against(plain, throws)})

# %% [markdown]
# There is no insight anywhere in that tree. The program refuses what does not fit, and a beam is
# several tries. The best of nine blind throws writes about as many words, and does worse, by more than chance. (The tree
# reads far more, because each of its small questions repeats the rules.) **If your model in the tree does no better than
# dice in the tree, your program is doing the work.**
#
# ### What can a program see?
#
# The check of a step comes late: when it refuses an errand that no longer fits, the mistake was made before. But a program
# can look ahead. If *any* errand that is left could not even be done next, the state is hopeless. A search calls `judge` first. Only if that returns None, as it
# usually does for an unfinished order, does the model get the prompt of `value`. (`self.worst` is the value of *impossible*.)


# %%
class Watchful(Errands):
    def judge(self, state):
        names = [thought.text for thought in state.thoughts]
        now, left = books(state.x, names)
        if any(after(now, errand) is None for errand in left):
            return self.worst
        return super().judge(state)


watchful = Watchful()
check_task(watchful)

# %% tags=["set-up"]
# The same dice with a lookahead and without
ahead = race(watchful, "tot-bfs", **tree)
show.table([row("the tree", plain), row("with a lookahead", ahead)])

# %% tags=["remove-input"]
show.results({"what the lookahead adds": against(ahead, plain)})

# %% [markdown]
# With a lookahead of a few lines the same dice complete many more days, in fewer words, since nobody has to ask
# about a hopeless state.
#
# In a task of your own, look first for what a program can see. It costs no tokens, and it raises the bar that a model has to clear. Keep the other bar in mind, too: the rule of thumb got 15 of the 20 days done without any search. Dice are
# poor proposers, and exercise 3 gives the tree a better one.
#
# ## The pilot: three problems
#
# With a real model nothing changes but the argument `lm`. Take three problems first, and work through this list.
#
# 1. **Set the three aside.** You will mend prompts on them, so they do not count later.
# 2. **Write down the bars**: the rule of thumb, and dice in the same search.
# 3. **Limit and record**: `budget=tot.Budget(calls=150)` for each problem, and a cassette around the model, so that nothing is
#    paid for twice ([part two](17_bring_your_own_model.ipynb)).
# 4. **Read every reply.** There may be a hundred, and nothing teaches you more.
# 5. **Count how samples end.** Those that end with "length" were cut off: raise the cap, or ask for less.
# 6. **Count the refused lines** by reason: `solution.result.unread`. Is the form broken, or are the steps wrong?
#    [Where it fails](#where-it-fails) says what to do.
# 7. **Follow a right solution through the tree.** Was each of its steps proposed? Was it kept?
# 8. **Multiply the bill** by problems, methods and repeats.
# 9. **Decide in writing**: which comparison, how many problems, and when you would stop. Only then record.
#
# ### None of three
#
# How bad is it if the pilot solves none?

# %% tags=["set-up"]
# How often chance does that
rows = []
for n in (3, 11):
    rows.append({"right": f"0 of {n}"})
    rows[-1]["its rate may be"] = stats.wilson(0, n)
    for rate in (0.24, 0.5):
        chance = 100 * (1 - rate) ** n
        rows[-1][f"at a rate of {rate:.0%}"] = f"{chance:.2g}%"
show.table(rows)

# %% [markdown]
# **Table.** How often a model would do that if it solved 24% of such problems, as dice do in our tree, or half of them.
#
# Dice would solve none of three in 44% of pilots. The result speaks only against a rate above 56%. So do not judge
# the model by it. Ask what the replies show.
#
# | What you find | What to do |
# |:---|:---|
# | lines that do not keep the form | mend the prompt: an example, fewer words; the same three again |
# | a right step was never proposed | mend the generator: more proposals, a smaller step, an example, a larger model |
# | it was proposed, and dropped | mend the evaluator: a lookahead, more verdicts, more breadth |
# | the budget ended before the search | easier problems, or a smaller tree |
# | nothing of the kind | try eleven new problems, and stop if it solves none: that happens to a model as good as our dice in only 5% of pilots |
#
# **Table.** What to do after none of three. After three of three, see whether the rule of thumb also solves them, and take
# harder problems, or there will be nothing to compare.
#
# ### How many problems?
#
# Say that dice solve 24% and that you hope for 44%. How often would a study see
# that difference? We let chance run a thousand studies and count those whose paired test
# ([chapter 4](04_chain_of_thought.ipynb)) comes out below 0.05. That share is the study's **power**.


# %%
def power(n, ours, theirs=0.24, studies=1000):
    rng, seen = Random(n), 0
    for _ in range(studies):
        a = [rng.random() < ours for _ in range(n)]
        b = [rng.random() < theirs for _ in range(n)]
        wins = sum(x > y for x, y in zip(a, b, strict=True))
        losses = sum(x < y for x, y in zip(a, b, strict=True))
        seen += stats.mcnemar(wins, losses) < 0.05
    return seen / studies


# %% tags=["set-up"]
# The power of four sizes
rows = []
for n in (20, 50, 100, 200):
    found = {
        f"{r:.0%}": f"{power(n, r):.0%}" for r in (0.34, 0.44, 0.64)
    }
    rows.append({"problems": n} | found)
show.table(rows, highlight=2)

# %% [markdown]
# **Table.** How often so many problems, tried once each, show that a model which solves 34%, 44% or 64% is better than 24%.
#
# With twenty problems, only a very large difference has a fair chance to show. For 20 points a hundred will do; for 10 points
# even two hundred are few. (Our lookahead was clear on twenty days, each run five times on both
# sides.) If a study could not have seen a difference, it says nothing when it sees none.
#
# ## Where it fails
#
# A search whose replies cannot be read looks just like a search with a bad model. That is why the trace keeps every refused
# line with its reason. There are two very different kinds. "No step in the line", "empty": mostly the model did not keep the form. Mend the prompt. "Too late for it": the line was understood, and the step is
# wrong. That is a result: report it, and do not change the reader until it accepts the answer. Read the lines, too: an errand
# that is done already also counts as "no step", and is the model's mistake.
#
# > **Where it breaks.** This task suits a tree because a program can check a step. If yours has no such check and its
# > thoughts are long texts, a vote (chapters 7 and 9) fits better.
#
# ## Summary
#
# In order:
#
# 1. Try a rule of thumb. If it solves everything, you are done.
# 2. Write the task. It holds no true answers, no luck, and nothing of the search, and the program keeps the books.
# 3. Run `check_task`, and break something once to see it fail. Then play the model yourself.
# 4. Measure your program with dice, and look for a lookahead, which raises that bar at no cost.
# 5. Run three problems and read every reply. A broken form asks for a better prompt; a wrong step is a
#    finding.
# 6. Choose the comparison and its size, write down when you would stop, and only then record.
#
# ## Exercises
#
# ### Exercise 1: do reader and verifier agree?
#
# The reader of steps refuses what does not fit, and `trouble` judges complete orders. Check them against each other: for the first
# day, grow *all* orders step by step with `errands.read`, and compare with the orders that `trouble` accepts.
#
# <details><summary>Hint</summary>
#
# Start with `[()]` and replace each tuple of names six times by its successors. `read` raises ValueError for a name that comes too late.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
from contextlib import suppress


def next_names(x, names):
    for job in books(x, names)[1]:
        with suppress(ValueError):
            yield errands.read(x, names, job.name)


x, grown = DAYS[0], [()]
for _ in range(6):
    grown = [(*ns, name) for ns in grown for name in next_names(x, ns)]
assert {*grown} == {*good_orders(x)}
print(f"{len(grown)} orders either way")

# %% [markdown]
# ### Exercise 2: at equal words
#
# The lookahead solved more days *and* was cheaper. On what share of the days would direct throws succeed for the same 58 words? A
# throw takes 8. Use 200 throws a day and `stats.pass_at_k`.
#
# <details><summary>Hint</summary>
#
# `solution.scores` of an `io` run with `k=200` says which throws are right.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
k = 58 // 8
estimates = []
for one in errands.problems("own"):
    scores = tot.solve(errands, one, "io", lm=dice, k=200).scores
    right = sum(score.correct for score in scores)
    estimates.append([stats.pass_at_k(200, right, k)])
print(f"best of {k} throws: {stats.bootstrap(estimates)}")
print(f"the lookahead:   {stats.bootstrap(won(ahead))}")

# %% [markdown]
# ### Exercise 3: a proposer with a rule
#
# Write `clerk`, a model that throws as the dice do, but proposes what closes first. Its verdicts stay dice. Predict first: does its
# tree, with breadth 5, beat the rule on its own? With and without the lookahead?
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
    jobs = sorted(read_day(asked)[1], key=closing)
    return "\n".join(job.name for job in jobs[:3])


clerk = tot.Scripted(decide, name="clerk")
alone = stats.wilson(works, len(DAYS))
print(f"the rule alone: {alone}")
for task in (errands, watchful):
    runs = race(task, "tot-bfs", clerk, **tree)
    rate, name = stats.bootstrap(won(runs)), type(task).__name__
    print(f"the rule in the tree, {name}: {rate}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A good proposer under a judge that talks nonsense solves *fewer* days than the proposer alone, because the beam throws the good order away. With
# a free check of the hopeless states it solves more: the search finds out where the rule is wrong. So a tree search needs both halves.
#
# </details>
#
# ### Exercise 4: a study of your own
#
# The rule of thumb gets 75% of the days done, and you hope for 90% from a model in the tree. Predict how many days, tried once each,
# show the difference with a power of 80%. Then find the number with `power`. What if the model gets only 80% done?
#
# <details><summary>Hint</summary>
#
# `power(n, 0.9, theirs=0.75)`, for growing `n`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
for hoped, n, more in ((0.9, 50, 10), (0.8, 1000, 50)):
    while power(n, hoped, theirs=0.75) < 0.8:
        n += more
    print(f"75% against {hoped:.0%}: about {n} days")
# If both find the same days hard, fewer will do.

# %% [markdown]
# ## Further reading
#
# - [Your own task](../book/manual/own_task.md), in the manual: a second task, every member, the command line, the panel.
# - The paper {cite}`yao2023tree`, section 3: the four questions that a new task has to answer.
# - [Every method on every task](../book/matrix.md): which methods a task can serve, and why not.
