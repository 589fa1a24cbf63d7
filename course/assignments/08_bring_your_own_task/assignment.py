# %% [markdown]
# # 8. Bring your own task
#
# Which problem would *you* like a search to solve? Packing a suitcase, seating quarrelsome guests, repairing a broken
# regular expression, planning a week of meals: choose something that you know better than we do. The question to answer
# at the end is an uncomfortable one: is the search thinking, or does your program do the work?
#
# This is a project. You choose the task; the tests only look whether it keeps the rules, and a person reads the rest.
# Chapter 17 shows the whole way for a day of errands, and the manual's page "Your own task" lists every member. Please
# take another task than the errands, the Game of 24, or one of your classmates'.
#
# **Before you start**: chapters 3, 5, 6, 16 and 17. **Time**: two weeks. **100 points**: 70 by tests, 30 by a person.
#
# | task | | points |
# |:--|:--|--:|
# | 1 | a task that keeps the rules | 25 |
# | 2 | a verifier that cannot be talked round | 20 |
# | 3 | dice | 15 + 5 |
# | 4 | an experiment with a control | 10 + 15 |
# | 5 | one page of words | 10 |
#
# (The second number, and all of task 5, is given by a person.)

# %% given="set-up"
import re
from collections import Counter
from itertools import combinations
from random import Random

import tot
from tot import stats
from tot.parse import Read, bad, last_word, shorten
from tot.testing import NASTY, check_lm, check_task

# %% [markdown]
# ## Task 1: a task that keeps the rules (25 points)
#
# Write the class `MyTask`, with a split called `"problems"` of **twenty or more** problems, the members for `io`, `cot`
# and `tot-bfs`, and a free check `check(x, answer)` if your task allows one. Then `task = MyTask()`.
#
# `check_task` must be silent. Before you believe it, break your task once and see it complain.
#
# A `tot.Stepwise`, as in chapter 17, is a task as well. It calls its split `own`; these two methods give it the name that
# the tests ask for:
#
# ```python
# def splits(self):
#     return {"problems": "what they are"}
#
# def problems(self, split):
#     if split not in ("problems", "own"):
#         raise ValueError(f"no split {split!r}: choose problems")
#     return super().problems("own")
# ```

# %% solution="task"
### BEGIN SOLUTION
VERDICTS = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}


def read_cards(x):
    """The cards, and the sum that is wanted."""
    found = re.fullmatch(
        r"take from ([0-9]{1,2}(?: [0-9]{1,2}){1,9}): sum ([0-9]{1,3})",
        x.strip(),
    )
    if not found:
        raise ValueError("write cards and a sum like 'take from 3 8 12: sum 11'")
    return [int(n) for n in found[1].split()], int(found[2])


def made(number):
    rng = Random(number)
    cards = [rng.randint(2, 40) for _ in range(8)]
    return f"take from {' '.join(map(str, cards))}: sum {sum(rng.sample(cards, 4))}"


class MyTask:
    name = "cards"
    summary = "which of the cards add up to the sum?"
    steps, styles, worst = 9, ("list",), VERDICTS["impossible"]

    def splits(self):
        return {"problems": "thirty sums of four cards out of eight"}

    def problems(self, split):
        if split != "problems":
            raise ValueError(f"no split {shorten(split)!r}: choose problems")
        return [tot.Problem(f"cards-{i}", made(i)) for i in range(30)]

    def problem(self, text):
        read_cards(text[:200])
        return tot.Problem(text.strip(), text.strip())

    def check(self, x, answer):
        if answer is None:
            return tot.Score(False, "no answer")
        cards, wanted = read_cards(x)
        if not re.fullmatch(r"[0-9]{1,3}(?: [0-9]{1,3}){0,9}", self.same(answer)):
            return tot.Score(False, "not a list of cards")
        numbers = [int(n) for n in self.same(answer).split()]
        if Counter(numbers) - Counter(cards):
            return tot.Score(False, "a card that is not there")
        return tot.Score(sum(numbers) == wanted, f"comes to {sum(numbers)}")

    def verify(self, problem, answer):
        return self.check(problem.x, answer)

    def same(self, answer):
        return " ".join(sorted(answer[:200].replace(",", " ").split()))

    def io(self, state):
        return tot.user(
            f"{state.x}\nReply with one line: Cards: and the cards to take.",
            max_tokens=40,
        )

    def cot(self, state):
        return tot.user(
            f"{state.x}\nAdd up step by step. End with the line Cards: ...",
            max_tokens=200,
        )

    def read_io(self, state, text):
        text = shorten(text, 4000)
        found = re.findall(r"cards:(.*)", text, re.IGNORECASE)
        if not found:
            return [
                Read(
                    tot.Thought(text, final=True),
                    "no cards in it",
                    shorten(text),
                )
            ]
        return [Read(tot.Thought(text, answer=found[-1].strip(), final=True))]

    read_cot = read_io

    def rest(self, state):
        """The cards left, and what is still to be taken."""
        (cards, wanted), taken = (
            read_cards(state.x),
            [t.data for t in state.thoughts if not t.final],
        )
        return list((Counter(cards) - Counter(taken)).elements()), wanted - sum(taken)

    def propose(self, state, style):
        cards, wanted = self.rest(state)
        return tot.user(
            f"Left: {' '.join(map(str, cards))}. Still wanted: {wanted}. Name up to three cards, a line each."
        )

    def read_proposals(self, state, text):
        (cards, wanted), reads = self.rest(state), []
        for line in [*filter(str.strip, text[:500].splitlines())][:6]:
            found = re.fullmatch(r"\s*([0-9]{1,3})\s*", line)
            if not found or int(found[1]) not in cards:
                reads.append(bad("not a card that is left", line))
            elif int(found[1]) > wanted:
                reads.append(bad("too much", line))
            else:
                reads.append(Read(tot.Thought(f"take {int(found[1])}", int(found[1]))))
        return reads or [bad("empty", text)]

    def value(self, state):
        cards, wanted = self.rest(state)
        ask = f"Left: {' '.join(map(str, cards))}. Can some of them make {wanted}? End with sure, likely or impossible."
        return tot.user(ask, max_tokens=40)

    def read_value(self, text):
        word = last_word(text, VERDICTS)
        return Read(VERDICTS[word.value], text=word.text) if word.ok else word

    def compose(self, state):
        if self.rest(state)[1]:
            return None
        answer = " ".join(str(t.data) for t in state.thoughts)
        return [tot.Thought(f"Cards: {answer}", answer=answer, final=True)]

    def judge(self, state):
        cards, wanted = self.rest(state)
        return self.worst if wanted and min(cards, default=999) > wanted else None


task = MyTask()
### END SOLUTION

# %% test="1" points=10
check_task(task)

# %% hidden="1 more" points=15
# Hidden: twenty problems, the same in every call, each readable from its own text; replies of your dice and worse.
some = task.problems("problems")
assert len(some) >= 20 and len({p.x for p in some}) >= 20, "twenty different problems"
assert [p.x for p in some] == [p.x for p in MyTask().problems("problems")]
replies = [
    *NASTY,
    "1",
    "1\n2\n3",
    "sure",
    "impossible",
    "yes, likely",
    "-1",
    "1.5",
    "१",
    *(p.x for p in some[:3]),
]
check_task(task, texts=replies, problems=6)
for method in ("io", "cot", "tot-bfs"):
    assert not tot.solve(task, some[0], method, lm=tot.Scripted(lambda r, i: "hm")).error, method

# %% [markdown]
# ## Task 2: a verifier that cannot be talked round (20 points)
#
# Write `right_answer(problem)`, which returns an answer that is right, for each of your problems. (You may search by brute
# force, or remember how the problem was made. No method may use it.) The tests ask your verifier about these answers, and
# about many that it has to turn down: nothing, texts that are no answer, the problem itself, answers to other problems,
# answers that lack their last word, and all your answers in one text ("this or that"), the right one first, last or in
# between. A few of these may be right by chance: one in five of the answers to other problems and of those without their
# last word, and one in two of the last kind. (So no answer may end in a word that could as well be left out.)


# %% solution="answers"
def right_answer(problem):
    """A right answer, as text."""
    ### BEGIN SOLUTION
    cards, wanted = read_cards(problem.x)
    for size in range(1, len(cards) + 1):
        for some in combinations(cards, size):
            if sum(some) == wanted:
                return " ".join(map(str, some))
    return None
    ### END SOLUTION


# %% test="2" points=8
for problem in task.problems("problems"):
    assert task.verify(problem, right_answer(problem)).correct, problem.id

# %% hidden="2 others" points=12
# Hidden: answers to other problems, answers without their last word, all in one, the problem itself, nothing.
# (Texts that meet a limit of Python are left to task 1, whose tests show them.)
odd = [text for text in NASTY if len(text) < 4000]
problems = task.problems("problems")
answers = [right_answer(p) for p in problems]
assert any(task.verify(p, answer).correct for p, answer in zip(problems, answers)), "no right answer is accepted"
accepted = total = 0
for i, problem in enumerate(problems):
    for text in (None, "", " ", "None", "the right answer", problem.x, *odd):
        assert not task.verify(problem, text).correct, repr(text)[:60]
    for other in answers:
        if task.same(other) != task.same(answers[i]):
            accepted += task.verify(problem, other).correct
            total += 1
assert total and accepted <= 0.2 * total, f"{accepted} of {total} answers to other problems are accepted"
short = [" ".join(words[:-1]) for words in map(str.split, answers) if len(words) > 1]
if short:  # answers of one word have nothing to leave out
    kept = [p for p, answer in zip(problems, answers) if len(answer.split()) > 1]
    accepted = sum(task.verify(p, text).correct for p, text in zip(kept, short))
    assert accepted <= 0.2 * len(short), f"{accepted} of {len(short)} answers without their last word are accepted"
for between, turn in (("\n", None), (", ", None), (" or ", None), (" or ", 0), (" or ", 1)):
    orders = [answers if turn is None else answers[i + turn :] + answers[: i + turn] for i in range(len(answers))]
    accepted = sum(task.verify(p, between.join(each)).correct for p, each in zip(problems, orders))
    assert accepted <= 0.5 * len(problems), f"{accepted} of {len(problems)} times all answers in one text are accepted"

# %% [markdown]
# ## Task 3: dice (15 points by tests, 5 by hand)
#
# Write `dice`, a `tot.Scripted` model that answers every prompt of your task in the right **form** and without any
# sense: of its answers to `io` and `cot`, and of its verdicts (`value`), nine in ten or more can be read. Its reply may
# depend on nothing but the request and the sample's number. Ten direct answers (`io`) to a problem should not all be the
# same, and the first should be right on at most half of your problems.
#
# By hand: say in a few lines how often dice are right with `io`, and in your tree, with intervals.

# %% solution="dice"
### BEGIN SOLUTION
LUCK = Random(0)


def throw(request, sample):
    asked = request.messages[-1].content
    rng = Random(f"{asked} {sample}")
    if "impossible" in asked:
        return rng.choice(list(VERDICTS))
    found = re.search(r"(?:take from|Left:) ([0-9 ]+)", asked)
    cards = found[1].split() if found else ["1"]
    if "a line each" in asked:
        return "\n".join(rng.sample(cards, min(3, len(cards))))
    return f"Cards: {' '.join(rng.sample(cards, min(4, len(cards))))}"


dice = tot.Scripted(throw, name="dice")
### END SOLUTION

# %% test="3" points=8
problems = task.problems("problems")
check_lm(dice, [task.io(tot.State(p.x)) for p in problems[:4]])
for way in ("io", "cot"):
    read = [tot.solve(task, p, way, lm=dice).answer is not None for p in problems]
    assert sum(read) >= 0.9 * len(read), f"the dice do not keep the form of {way}"
asked = [task.value(tot.State(p.x)) for p in problems]
replies = dice([r for one in asked for r in ([one] if isinstance(one, tot.Request) else one)])
read = [task.read_value(text).ok for reply in replies for text in reply.texts]
assert sum(read) >= 0.9 * len(read), "the dice do not keep the form of verdicts"

# %% hidden="3 in form" points=7
# Hidden: replies differ between samples, can be read, and are no solver's.
problems = task.problems("problems")
runs = [tot.solve(task, p, "io", lm=dice, k=10) for p in problems]
assert all(len({task.same(a or "") for a in run.answers}) > 1 for run in runs), "ten samples are one"
read = [a is not None for run in runs for a in run.answers]
assert sum(read) >= 0.9 * len(read), "the dice do not keep the form"
assert sum(run.scores[0].correct for run in runs) <= 0.5 * len(runs), "too easy, or not dice"

# %% [markdown] written="3" points=5
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION

# %% [markdown]
# ## Task 4: an experiment with a control (10 points by tests, 15 by hand)
#
# Write `experiment(lm)`: it runs at least **two** ways on all your problems with this model, one of them a tree, and
# returns a dictionary from the name of each way to the list of its `tot.Solution`s, in the order of the problems. Then
# use it with your dice, and, if you have one, with a real model (leave its outputs in the notebook and keep the
# cassette: only the notebook is handed in).
#
# By hand: which way wins, at which cost (calls and tokens from the ledger), and would the program alone do as well? A
# control is a run without the thing that you praise.


# %% solution="experiment"
def experiment(lm):
    """Name of a way -> its solutions."""
    ### BEGIN SOLUTION
    ways = {
        "io": {"k": 1},
        "best-of": {"k": 9},
        "tot-bfs": {"breadth": 3, "values": 1},
    }
    problems = task.problems("problems")
    return {way: [tot.solve(task, p, way, lm=lm, **knobs) for p in problems] for way, knobs in ways.items()}
    ### END SOLUTION


# %% hidden="4" points=10
# Hidden: two ways or more, all problems, no errors, a tree among them, by the model that it is given: of each run's
# questions it has heard one or more (a control, such as verdicts of dice, may stand beside).
asked = set()
hear = lambda r, i: asked.add(r.messages[-1].content) or dice([r.samples(i, 1)])[0].texts[0]
other = tot.Scripted(hear, name="other")
found = experiment(other)
problems = task.problems("problems")
assert len(found) >= 2 and all(len(runs) == len(problems) for runs in found.values())
assert all(run.problem in (p.id, p.x) for runs in found.values() for run, p in zip(runs, problems))
assert not any(run.error for runs in found.values() for run in runs)
told = {str([(r.lm, r.answer, r.result.ledger.total.calls) for r in runs]) for runs in found.values()}  # all dice
assert len(told) > 1, "one way under two names"
heard = [
    runs
    for runs in found.values()
    if all(asked & {q["messages"][-1]["content"] for e in r.trace.events for q in e.get("requests", ())} for r in runs)
]
assert len(heard) >= 2, "another model than `lm` was asked"
deepest = max((len(list(n.path)) for runs in heard for run in runs for n in run.result.best), default=0)
assert deepest > 2, "no way with `lm` goes deeper than one step"

# %% solution="measure"
### BEGIN SOLUTION
for way, runs in experiment(dice).items():
    won = sum(run.correct for run in runs)
    tokens = sum(run.result.ledger.total.completion_tokens for run in runs) / len(runs)
    print(f"{way}: {stats.wilson(won, len(runs))}, {tokens:.0f} tokens written")
### END SOLUTION

# %% [markdown] written="4" points=15
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION

# %% [markdown]
# ## Task 5: one page of words (10 points, by hand)
#
# At most 400 words for somebody who has never heard of your task: what is a thought, and why not a larger or a smaller
# one? What does your program see without a model? What would you change with another week?

# %% [markdown] written="5" points=10
# ### BEGIN SOLUTION
# See rubric.md.
# ### END SOLUTION
