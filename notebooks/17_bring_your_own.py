# %% [markdown]
# # Bring your own task
#
# You have a problem of your own and an afternoon. What must a search know about it? And once it runs, how can you tell
# whether the model is thinking, or your program is doing the work? This chapter builds a task from an empty cell to
# a tree, and answers the second question before a single token is paid for.
#
# Everything here runs offline. The replies were **written by hand or thrown with dice**, and each place says so: no real model
# has planned these days. ([Part two](17_bring_your_own_model.ipynb) sets a recorded model beside dice, on the Game of 24.)
#
# ## Learning objectives
#
# After this chapter you can
#
# - turn a problem of yours into a task, and say which members each kind of search asks of it;
# - check it with `tot.testing` and by playing the model yourself, before you spend a token;
# - say how much of a search's success is your program's, with dice in the place of the model;
# - tell a model that cannot think from a reader that cannot read.

# %% tags=["set-up"]
# Imports
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from random import Random

import matplotlib.pyplot as plt

import tot
from tot import stats
from tot.parse import Read, bad, last_word, shorten
from tot.testing import check_task
from treebook import show
from treebook.nbsetup import setup

setup()

# %% [markdown]
# ## First a small one: talks and wishes
#
# Talks want rooms and hours, and the wishes are plain English. It is solved in small steps, and a program can tell whether a whole solution
# is right. For such a task `tot.Stepwise` asks for little: what the model is told and the problems, how a step is read, and what is wrong with a
# solution. Every method of the book that fits follows from it.


# %% tags=["set-up"]
# What the model is told, and two problems
class Wishes(tot.Stepwise):
    """Give every talk a room and an hour; keep all wishes."""

    name, steps = "talks", 6
    rules = (
        "Each talk gets one room and one hour, a room holds one talk "
        "at a time, and every wish is to be kept. A step places one "
        "talk, written like this: Ada: hall, 10"
    )
    inputs = (
        "Talks: Ada, Ben, Cho, Dov. Rooms: hall, loft. Hours: 10, 11. "
        "Ben needs the hall. Ada is before Cho. Ben is not with Dov.",
        "Talks: Ada, Ben, Cho, Dov, Eve. Rooms: hall, loft. "
        "Hours: 10, 11, 12. Eve needs the loft. Cho is before Ada. "
        "Dov is before Cho. Ada is not with Ben.",
    )


# %%
def listed(x, what):
    return re.search(f"{what}: (.*?)[.]", x)[1].split(", ")


class Placed(Wishes):
    def read(self, x, done, line):  # None: there is no step in it
        step = re.fullmatch(r"(\w+): (\w+), (\d+)", line)
        known = (listed(x, k) for k in ("Talks", "Rooms", "Hours"))
        if not step or any(
            word not in words
            for word, words in zip(step.groups(), known, strict=True)
        ):
            return None
        talk, place = line.split(": ")
        if any(talk in other or place in other for other in done):
            raise ValueError("the talk or the place is taken")
        return line

    def whole(self, x, done):
        return len(done) == len(listed(x, "Talks"))


# %%
class Talks(Placed):
    def wrong(self, x, done):  # "": nothing
        at = {}
        for step in done:
            talk, room, hour = re.split("[:,] ", step)
            at[talk] = room, hour
        wishes = r"(\w+) (needs the|is before|is not with) (\w+)"
        for a, wish, b in re.findall(wishes, x):
            other = at[b][1] if b in at else ""
            kept = {
                "needs the": at[a][0] == b,
                "is before": at[a][1] < other,
                "is not with": at[a][1] != other,
            }
            if not kept[wish]:
                return f"{a} {wish} {b}: not kept"
        return ""


talks = Talks()
check_task(talks)

# %% [markdown]
# `check_task` was silent: the rules of a task are kept. Before a model costs anything, **dice** sit in its place. They read talks, rooms and hours in the
# prompt, and throw. Two problems, each method twenty times:


# %% tags=["set-up"]
# Dice that throw steps and verdicts
def throw_talks(request, i):
    asked = request.messages[-1].content
    x, luck = asked.split("\n\n")[0], Random(f"{asked} {i}")
    if "impossible" in asked:
        return luck.choice(["sure", "likely", "impossible"])
    names, kinds = listed(x, "Talks"), ("Rooms", "Hours")
    luck.shuffle(names)
    places = (
        ", ".join(luck.choice(listed(x, k)) for k in kinds)
        for _ in names
    )
    thrown = zip(names, places, strict=True)
    return "\n".join(["Answer:", *map(": ".join, thrown)])


rows, blind = [], tot.Scripted(throw_talks, name="dice")
for name in ("cot-sc", "tot-bfs", "tot-mcts"):
    runs = [
        tot.solve(talks, one, name, lm=blind, first=100 * i)
        for one in talks.problems("own")
        for i in range(20)
    ]
    kept = stats.wilson(sum(run.correct for run in runs), len(runs))
    rows.append({"dice in": name, "all wishes kept": kept})
show.table(rows)

# %% [markdown]
# **Table.** A vote of ten, breadth-first and Monte Carlo search, with dice for a model. Chance keeps all wishes seldom, in a tree now and then, and
# never in a vote: what a model of yours gets done beyond that is its own work. Save the classes in `my_talks.py`, and `tot run my_talks.py:Talks --method
# cot-sc,tot-bfs,tot-mcts --problems own --lm openai:your-model --out results.jsonl` makes this table with it; `tot report results.jsonl` shows it again. ([The same task in
# one piece](../book/manual/own_task.md), in fifty lines.)
#
# The rest of the chapter takes a task member by member, as you need it where that form is too narrow.
#
# ## A day of errands
#
# Six errands, each with a duration and with hours in which it must be begun and ended. You do one after the other, and you may wait at
# a door. In which order do you get all of them done?
#
# It is a good task for a search: a step is small (what next?), a program can check it (does it fit?), and a choice that looks good now can
# make another errand impossible later. First the rules, with no model in sight. All times are minutes after midnight.


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


# %%
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
# A problem is a **text**: the model reads it, and it goes into traces and results. So a day is written as text and read back. Our days
# come from a program, as many as we like. It lays six errands one after the other and opens hours around them, so every day
# can be done; we keep those on which at most 12 of the 720 orders work.

# %% tags=["set-up"]
# Days as text, and back
TIME = r"(\d{1,2}):(\d{2})"
LINE = rf"([a-z][a-z ]{{0,20}}) (\d{{1,3}}) min, {TIME} to {TIME}"


def clock(time):
    return f"{time // 60}:{time % 60:02}"


def write(errand):
    hours = f"{clock(errand.opens)} to {clock(errand.closes)}"
    return f"{errand.name} {errand.minutes} min, {hours}"


def write_day(start, errands):
    return f"from {clock(start)}: {'; '.join(map(write, errands))}"


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
    return write_day(9 * 60, sorted(errands, key=write))


def good_orders(x):
    now, errands = read_day(x)
    orders = permutations([errand.name for errand in errands])
    return [
        order for order in orders if not trouble(now, errands, order)
    ]


DAYS = [x for x in map(day, range(45)) if len(good_orders(x)) <= 12]
DAYS = DAYS[:20]
number = sum(len(good_orders(x)) for x in DAYS)
print(f"{len(DAYS)} days;", end=" ")
print(f"{number / 720 / len(DAYS):.1%} of all orders work")

# %% mystnb={"image": {"alt": "Six errands of a day as light bars, from opening to closing, and inside each a dark bar where it is done in one order that works: barber, dentist, bank, baker, library, pharmacy, one after the other without overlap."}} tags=["plot"]
now, jobs = read_day(DAYS[0])
order = good_orders(DAYS[0])[0]
jobs = sorted(jobs, key=lambda job: order.index(job.name))
figure, axis = plt.subplots(figsize=(6.4, 2.6))
for place, job in enumerate(jobs):
    hours = job.closes - job.opens
    axis.barh(place, hours, left=job.opens, color="#CFE0F1")
    now = after(now, job)
    start = now - job.minutes
    axis.barh(place, job.minutes, 0.45, start, color="#0072B2")
axis.set_yticks(range(6), [f"{j.name}, {j.minutes} min" for j in jobs])
axis.set_xticks(range(540, 760, 30), map(clock, range(540, 760, 30)))
axis.invert_yaxis()
plt.show()

# %% [markdown]
# **Figure.** The first day, and one of its few orders that work: light, when it is open; dark, when it is done.
#
# ### Predict: how far does a rule of thumb get?
#
# Many people simply do next whatever closes first. On how many of the twenty days does that work? (And whatever is done soonest?)


# %%
def by_rule(x, key):
    (now, left), done = read_day(x), []
    while left:
        chosen = min(left, key=lambda errand: key(now, errand))
        left = [errand for errand in left if errand != chosen]
        now = after(now, chosen) or now
        done.append(chosen.name)
    return not trouble(*read_day(x), done)


def closing(now, errand):
    return errand.closes, errand.name


def soonest(now, errand):
    return after(now, errand) or 9999, errand.name


works = {
    rule.__name__: sum(by_rule(x, rule) for x in DAYS)
    for rule in (closing, soonest)
}
show.Predict(
    "On how many days does the next to close work?",
    works["closing"],
    low=0,
    high=20,
    shows=f"what closes first: {works['closing']} of 20 days; "
    f"what is done soonest: {works['soonest']}",
)

# %% [markdown]
# Rules of thumb solve some of the days and leave the others. So there is something to search for.
#
# ## What a task has to say
#
# A task is any object with the right members. Some are always needed, and every further kind of search asks for its own.
#
# | Kind of search | The members it adds |
# |:---|:---|
# | any answer (`io`, `cot`, `cot-sc`) | two texts, `name` and `summary`; the problems: `splits`, `problems`, `problem`; a verifier: `verify`, with `same` for votes; two prompts, `io` and `cot`; their readers, `read_io` and `read_cot` |
# | a free check (`best-of`) | `check` |
# | a tree of small steps (`tot-bfs`, `tot-dfs`) | a generator: `propose`, `read_proposals`; an evaluator: `value`, `read_value`; what a program may say in their place: `compose`, `judge`; three constants: `steps`, `styles`, `worst` |
# | a vote between long thoughts (`tot-vote`) | `step`, `read_step`; `ballot`, `read_ballot`; `steps` |
# | plans (`plan-and-solve`, `judged-plans`, `mcts-plan`) | a planner: `plan`, `read_plan`; judges: `assess`, `read_assessment`; an executor: `execute`, `read_executed` (exercise 4) |
#
# **Table.** What each kind of search asks of a task, on top of the first row.
#
# Here we need the first three kinds. `tot solve my_errands.py:Errands ...` finds such a class by its file. [Your own task](../book/manual/own_task.md) in
# the manual says what each member takes and gives. We write one class in instalments, each a subclass of the last; what is plain is
# folded.


# %% tags=["set-up"]
# Problems: named lists, and what a user may type
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
# **The verifier** decides what is right, so it trusts nobody: an answer is any text at all, or None. Ours needs the
# problem only, so it is a *free* check, and a method may use it. (A check that needs the true answer is *gold*:
# [chapter 3](03_io_and_verifiers.ipynb).)


# %%
class Verified(Problems):
    def check(self, x, answer):
        if answer is None:
            return tot.Score(False, "no answer")
        why = trouble(*read_day(x), self.same(answer).split(", "))
        return tot.Score(not why, why)

    def verify(self, problem, answer):
        return self.check(problem.x, answer)

    def same(self, answer):  # the normal form, for votes
        names = re.split(r",|;|->|→", answer.lower()[:400])
        return ", ".join(name.strip(" .\n") for name in names)


# %% [markdown]
# **A prompt** asks for *one line in a fixed form* and caps the tokens: both save most of the trouble that readers have. **A reader**
# never raises, whatever a model said. It gives `Read(value)`, or a reason why not, or both, since an attempt without an answer is still an
# attempt.

# %% tags=["set-up"]
# The direct prompt and the chain of thought
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
# **For a tree**, answer the four questions of [chapter 5](05_how_a_search_asks.ipynb). A *thought* is one errand, with the time when it is
# done. The *generator* proposes: name up to three that could be next. The *evaluator* values: can the others still be done? The
# *search* is any that `tot` has.
#
# The program keeps the books, what time it is and what is left. That is arithmetic, and a model should not be paid for it. So a line of
# a proposal needs only the name, and the program refuses what does not fit.


# %% tags=["set-up"]
# The books: what time it is, and what is left
def now_left(state):
    now, errands = read_day(state.x)
    done = [t.data for t in state.thoughts if not t.final]
    names = {name for name, _ in done}
    left = [errand for errand in errands if errand.name not in names]
    return (done[-1][1] if done else now), left


def situation(state):
    now, left = now_left(state)
    lines = [f"It is {clock(now)}. Still to do:", *map(write, left)]
    return "\n".join(lines)


# %%
def named(line, errands):
    """The errands that a line names, in whole words."""
    found, line = [], line.lower()
    for errand in sorted(errands, key=lambda e: -len(e.name)):
        line, times = re.subn(rf"\b{errand.name}\b", "", line)
        found += [errand] if times else []
    return found


def read_step(state, line):
    now, left = now_left(state)
    found = named(line, left)
    if len(found) != 1:
        why = "several errands" if found else "none of the errands left"
        return bad(why, line)
    end = after(now, found[0])
    if end is None:
        return bad("too late for it", line)
    text = f"{found[0].name}, done at {clock(end)}"
    return Read(tot.Thought(text, (found[0].name, end)), text=line)


# %% tags=["checked"]
# names inside names are told apart
post = [
    Errand(n, 10, 540, 900)
    for n in ("bar", "barber", "post", "post office")
]
for line in ("the barber", "bar", "1. Post office", "post, now"):
    print(f"{line!r}: {[errand.name for errand in named(line, post)]}")
assert [
    len(named(line, post)) for line in ("barber", "a post office")
] == [1, 1]

# %% [markdown]
# (Whole words, and the longest name first: with a plain `name in line`, "barber" would name the bar as well.)

# %% tags=["set-up"]
# Propose and value: two prompts, two readers
VERDICTS = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}


class Proposing(Readable):
    steps = 10  # at most nine errands, and the answer
    styles = ("list",)
    worst = VERDICTS["impossible"]

    def propose(self, state, style):
        ask = "Which could be next? Name up to three, one on each line."
        ask = f"{RULES}\n{situation(state)}\n{ask}"
        return tot.user(ask, max_tokens=40)

    def read_proposals(self, state, text):
        lines = filter(str.strip, text[:2000].splitlines())
        reads = [read_step(state, line) for line in [*lines][:8]]
        return reads or [bad("empty", text)]

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


# %% [markdown]
# Two last members may answer in place of a model: `compose` writes the answer down when nothing is left, and `judge` gives a verdict where a
# program can tell. None means: ask.


# %%
class Errands(Proposing):
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
# `check_task` holds a task to the contract: prompts that do not change and do not hold the true answer, readers that survive a megabyte of brackets, a verifier that
# calls no nonsense correct, refusals in one sentence. A run would show none of this: with a verifier that calls an empty answer correct, the rates only look better. The check is silent when all is well. To see that it
# can fail, we break the task in a way that happens easily: a check that is content if nothing comes too late.

# %%
check_task(errands, texts=["Plan: bank, bank", "1. bank\n2. baker"])


class Content(Errands):
    def check(self, x, answer):
        score = super().check(x, answer)
        return tot.Score("in time" not in score.why, score.why)


try:
    check_task(Content())
except AssertionError as found:
    print(found)

# %% [markdown]
# The second test is to play the model yourself. This is a small day, and these ten replies are ours: proposals, verdicts on what came
# of them, proposals again. In one place the script names the baker again, which is done already. Watch what becomes of it.

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

# %%
lm = tot.Scripted(script, name="written by hand")
knobs = {"lm": lm, "breadth": 2, "values": 1}
first = tot.solve(errands, morning, "tot-bfs", **knobs)
print(*map(", ".join, good_orders(morning)), sep="\n")
show.svg(first)

# %% [markdown]
# **Figure.** Three orders work, as the lines above list them, and a beam of two found two: it dropped one that works. The line that
# named the baker again was refused and counted; it made no child.
#
# Bank and baker in either order lead to the same question, so it was asked once, and both got the value 1. The beam had room for one of
# them, and cut the other ("bank, done a..."). And nobody had to write the answer: `compose` did.
#
# > **In practice.** With a real model nothing changes but the argument `lm`. Pilot on three problems, read every reply, look at
# > `solution.result.unread`, mend the prompt. Only then record.
#
# ## Dice: what can the program do alone?
#
# The most useful model that you can write for a new task is **dice**. They read the names in the prompt, and throw. They show what search
# and program achieve with no understanding at all, so they are the bar that a real model has to clear. `tot.Scripted` makes a model of any
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
# A race: twenty days, five times each
def race(task, lm, method, **knobs):
    """For each day which of five runs got it done; and words a run."""
    solved, words = [], 0
    for one in task.problems("days"):
        runs = [
            tot.solve(task, one, method, lm=lm, first=100 * i, **knobs)
            for i in range(5)
        ]
        solved.append([run.correct for run in runs])
        for run in runs:
            words += run.result.ledger.total.completion_tokens
    return solved, words / (5 * len(solved))


def row(name, result):
    solved, words = result
    done = stats.bootstrap(solved)
    return {"dice in": name, "days done": done, "words": f"{words:.0f}"}


# %% [markdown]
# ### Predict: can dice plan a day?
#
# A single throw of all six errands is right less than once in a hundred. Now let the dice *propose* and *judge* in a tree of breadth 5.
# The program refuses what does not fit. On how many of a hundred days do they succeed?

# %%
tree = {"breadth": 5, "values": 1}
plain = race(errands, dice, "tot-bfs", **tree)
narrow = race(errands, dice, "tot-bfs", breadth=1, values=1)
throws = race(errands, dice, "best-of", k=9)
rows = [
    row("one direct throw", race(errands, dice, "io", k=1)),
    row("a tree, breadth 1", narrow),
    row("a tree, breadth 5", plain),
    row("best of 9 throws", throws),
]
show.Predict(
    "On how many of a hundred days does the tree succeed?",
    round(100 * stats.bootstrap(plain[0]).rate),
    low=0,
    high=100,
    shows=show.table(
        rows, highlight=lambda r: "breadth 5" in r["dice in"]
    ),
)


# %% tags=["set-up"]
# A paired test: day by day, and how often chance does as much
def by_chance(one, other):
    pairs = zip(one[0], other[0], strict=True)
    gaps = [(sum(a) - sum(b)) / 5 for a, b in pairs]
    return f"p = {stats.sign_flips(gaps):.4f}"


print("the tree against nine throws:", by_chance(plain, throws))

# %% [markdown]
# Read this as a warning. There is no insight anywhere in that tree. The program refuses what does not fit, and a beam is several tries. At about the
# same number of words, the best of nine blind throws does worse, by more than chance. **If your model in the tree does no
# better than dice in the tree, your program is doing the work.**
#
# ### What can a program see?
#
# The check of a step comes late: it refuses an errand that no longer fits, when the mistake was made before. But a program can look ahead. If *any*
# errand that is left could not even be done next, the state is hopeless.


# %%
class Watchful(Errands):
    def judge(self, state):
        now, left = now_left(state)
        if any(after(now, errand) is None for errand in left):
            return self.worst
        return super().judge(state)


watchful = Watchful()
check_task(watchful)
ahead = race(watchful, dice, "tot-bfs", **tree)
print("with a look ahead against without:", by_chance(ahead, plain))
show.table([row("the tree", plain), row("with a look ahead", ahead)])

# %% [markdown]
# **Table.** The same dice with a look ahead of three lines do more days, for fewer words.
#
# This is the first thing to look for in a task of your own. What a program can see costs nothing, never tires, and
# moves the bar for every model. And keep the other bar in mind: the rule of thumb did 15 of the 20 days without any search. Dice are poor
# proposers, and exercise 3 gives the tree a better one.
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
# prompt with an example, fewer words, a cap. "Too late for it": the reply was read, and is wrong. That is a result. Report it, and never mend
# a reader until it likes the answer.
#
# > **Where it breaks.** This task suits a tree because a program can check a step. If yours has no such check and its thoughts are long
# > texts, a vote (chapters 7 and 9) or a search over plans (chapter 14) fits better.
#
# ## Summary
#
# - Problems, prompts, readers and a verifier make a task; a tree also wants proposals and verdicts, and says where a program may answer instead.
# - Bookkeeping is the program's job. The model is there to choose.
# - Before paying: `check_task`, with something broken once to see it fail, and a script in which you are the model.
# - Dice in the model's place measure your program. A good look ahead raises that bar, and is free.
# - A reply that cannot be read asks for a better prompt; a reply that is read and wrong is a finding.
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
assert grown == set(good_orders(x))
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
# A throw has about as many words as the first row of the table says. `solution.scores` of an `io` run with `k=200` says which throws are
# right.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
k = round(ahead[1]) // int(rows[0]["words"])
estimates = []
for one in errands.problems("days"):
    scores = tot.solve(errands, one, "io", lm=dice, k=200).scores
    right = sum(score.correct for score in scores)
    estimates.append([stats.pass_at_k(200, right, k)])
print(f"best of {k} throws: {stats.bootstrap(estimates)}")
print(f"the look ahead:  {stats.bootstrap(ahead[0])}")

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
alone = stats.wilson(works["closing"], len(DAYS))
print(f"the rule alone: {alone}")
for task in (errands, watchful):
    solved, _ = race(task, clerk, "tot-bfs", breadth=3, values=1)
    name = type(task).__name__
    print(f"the rule in the tree, {name}: {stats.bootstrap(solved)}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# A good proposer under a judge that talks nonsense is *worse* than the proposer alone: the beam throws the good order away. With a free check of
# the hopeless states it is the other way round: the search finds out where the rule is wrong. A tree search needs both of its halves.
#
# </details>
#
# ### Exercise 4: a search over plans
#
# Give the task the six members of a search over plans, and run `mcts-plan` on a day. Here a plan is an order of errands; let dice write and revise
# plans, let a *program* play both judges (the share of errands that the plan gets done before the first failure), and let the executor copy the
# plan. What can a revision by dice not do?
#
# <details><summary>Hint</summary>
#
# A state's newest thought is its plan: `state.thoughts[-1].text`. `read_assessment` gives `Read(Judgement(score, reason))`, with
# `Judgement` from `tot.parse`. Roles may have models of their own: `lm={"planner": dice, "judge": ..., "executor": ...}`.
#
# </details>

# %% [markdown]
# #### Solution 4


# %% tags=["hide-cell"]
from tot.parse import Judgement


class Planned(Errands):
    def plan(self, state, feedback):
        before = state.thoughts[-1].text if state.thoughts else ""
        ask = (
            f"{RULES}\n{state.x}\nYour last plan: {before or 'none'}. "
        )
        ask += f"The judges said: {feedback or 'nothing yet'}. "
        return tot.user(f"{ask}Write {FORM}", max_tokens=60)

    def read_plan(self, state, text):
        [read] = self.read_io(state, text)
        if not read.ok:
            return [bad("no plan in it", text)]
        return [Read(tot.Thought(f"Plan: {read.value.answer}"))]

    def assess(self, state, judge):
        plan = state.thoughts[-1].text
        ask = f"{state.x}\n{plan}\nFor {judge}: a score from 0 to 1."
        return tot.user(ask, max_tokens=20)

    def read_assessment(self, text):
        number = re.search(r"[01](\.\d+)?", text)
        if not number or float(number[0]) > 1:
            return bad("no score", text)
        return Read(Judgement(float(number[0]), shorten(text)))

    def execute(self, state):
        plan = state.thoughts[-1].text if state.thoughts else ""
        return tot.user(f"{state.x}\n{plan}\nNow do it.", max_tokens=60)

    read_executed = Errands.read_io


# %% tags=["hide-cell"]
def score(request, i):
    x, plan, _ = request.messages[-1].content.split("\n")
    (now, jobs), names = read_day(x), plan.lower()[6:].split(", ")
    done = 0
    for name in names:
        job = next(job for job in jobs if job.name == name)
        if (now := after(now, job)) is None:
            break
        done += 1
    return f"{done / len(jobs):.2f}: {done} done"


def copy(request, i):
    return request.messages[-1].content.split("\n")[1]


check_task(Planned())
roles = {
    "planner": dice,
    "judge": tot.Scripted(score, name="program"),
    "executor": tot.Scripted(copy, name="copy"),
}
won = []
for one in Planned().problems("days"):
    run = tot.solve(Planned(), one, "mcts-plan", lm=roles, rollouts=20)
    won.append(run.correct)
print(f"20 rollouts: {stats.wilson(sum(won), len(won))}")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Dice cannot read the judges' words, so a revision of a good plan is no better than a new throw: the tree only counts as so many draws, and the
# judge picks. Whether a model's revisions are better than fresh plans is the question of [chapter 14](14_planning_with_mcts.ipynb).
#
# </details>
#
# ## Further reading
#
# - [Your own task](../book/manual/own_task.md), in the manual: every member, the command line, the panel for Jupyter.
# - The paper {cite}`yao2023tree`, section 3: the four questions that a new task has to answer.
# - [Every method on every task](../book/matrix.md): which methods a task can serve, and why not.
