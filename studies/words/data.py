"""Training sequences of the worded model: a prompt in the package's own words, and what a careful player replies.

No sequence is about a problem whose template or whose numbers are held out (``world.training``). Judgements and votes
are about plans that an unfinished model wrote and carried out itself (``judging``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from studies.pocket.forms import Example, Shard, drawn
from studies.words.judging import Judged
from studies.words.plans import (
    Amount,
    Quantity,
    Sum,
    as_chain,
    as_formula,
    as_plan,
    as_strategy,
    carried_out,
    operations,
    steps,
)
from studies.words.world import Story, numbers_in, tell, training
from treebook.players.worded.vocabulary import END, TOKEN, encode

# kind of sequence -> share of the training data, before there are judgements and after
BEFORE = {"cot": 0.2, "io": 0.05, "strategy": 0.1, "plan": 0.23, "follow": 0.1, "execute": 0.18, "revise": 0.14}
AFTER = {kind: 0.5 * share for kind, share in BEFORE.items()} | {
    "logic": 0.16,
    "feasibility": 0.16,
    "vote strategy": 0.1,
    "vote answer": 0.08,
}
AGAIN = {kind: 0.4 * share for kind, share in BEFORE.items()} | {
    "logic": 0.2,
    "feasibility": 0.2,
    "vote strategy": 0.12,
    "vote answer": 0.08,
}
SHARD = 20_000  # sequences made at a time
WRONG = 0.6  # how often a plan to carry out is a wrong one: an executor does as it is told
CONTEXT = 256  # tokens of a sequence, at most
FEEDBACK = 0.8  # how often a plan to revise comes with the judges' words


@dataclass
class Maker:
    """Draws sequences. ``judged``: training problems with plans of the model's own, and how they went. ``working``:
    judges work the problem out themselves before they give their score; else the score comes first.
    """

    rng: Random
    judged: Sequence[Judged] = ()
    working: bool = False
    mix: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.judged = [kept for one in self.judged if (kept := readable(one)).tried]
        self.mix = self.mix or (AGAIN if self.working else AFTER if self.judged else BEFORE)
        self.varied = [one for one in self.judged if len({tried.right > 0 for tried in one.tried}) == 2]

    def draw(self) -> Example:
        """The next sequence that fits into the context: ballots with solutions that ran on and on may not."""
        while len((found := self._draw()).tokens) > CONTEXT:
            pass
        return found

    def _draw(self) -> Example:
        [kind] = self.rng.choices([*self.mix], [*self.mix.values()])
        if kind in ("logic", "feasibility"):
            return self.judgement(kind)
        if kind.startswith("vote"):
            return self.vote(kind)
        story = self.story()
        lines = steps(story.amount)
        if kind == "cot":
            return example("<cot>", story.question, as_chain(carried_out(lines)))
        if kind == "io":
            return example("<io>", story.question, f"The answer is {story.answer}.")
        if kind == "plan":
            return example("<plan>", story.question, as_plan(lines))
        if kind == "strategy":
            return example("<strategy>", story.question, as_strategy(lines))
        if kind == "revise":
            return self.revision(story)
        if self.rng.random() < WRONG:
            lines = steps(spoilt(story, self.rng))
        text = as_plan(lines) if kind == "execute" else as_strategy(lines)
        return example(f"<{kind}>", story.question, as_chain(carried_out(lines)), text)

    def story(self) -> Story:
        """A problem that may be trained on."""
        while True:
            if training(story := tell(self.rng)):
                return story

    def revision(self, story: Story) -> Example:
        """A plan that may be wrong, what the judges say (if they are heard), and the right plan."""
        plan = as_plan(steps(spoilt(story, self.rng)))
        right = as_plan(steps(story.amount))
        question = story.question
        score, found = 0.0, [as_formula(steps(story.amount))]
        if self.judged and self.rng.random() < 0.5:  # a plan of the model's own
            one = self.rng.choice(self.varied or self.judged)
            tried = self.rng.choice(one.tried)
            question, plan, right, score = one.question, tried.plan, as_plan(one.steps), tried.rate
            found = [*filter(None, (as_formula(each) for each in (one.steps, *(other.steps for other in one.tried))))]
        if self.rng.random() >= FEEDBACK:
            return example("<revise>", question, right, plan)
        if not self.judged:  # scores mean nothing yet
            score = self.rng.randint(0, 10) / 10
        if self.working:  # as a search quotes it, and like the judges' own work not always right
            whys = [self.rng.choice(found) for _ in range(2)]
        else:
            whys = [reason(plan, right)] * 2
        said = [f"{judge} {score:.1f}: {why}" for judge, why in zip(("logic", "feasibility"), whys, strict=True)]
        if self.working and self.rng.random() < 0.2:  # only one of them was asked
            said = [self.rng.choice(said)]
        return example("<revise>", question, right, plan, "\n".join(said))

    def judgement(self, kind: str) -> Example:
        """How often the plan came out right, and why: of two plans one, if it can be, about a problem of both sorts."""
        one = self.rng.choice(self.varied if self.varied and self.rng.random() < 0.7 else self.judged)
        if not self.working:
            tried = self.rng.choice(one.tried)
            said = f"Score: {tried.rate:.1f}. {reason(tried.plan, as_plan(one.steps))}"
        else:
            wanted = self.rng.random() < 0.5  # as many right ones as wrong ones, where there are both
            tried = self.rng.choice([t for t in one.tried if (t.right > 0) == wanted] or one.tried)
            said = f"{as_formula(one.steps)}. Score: {tried.rate:.1f}"
        return example(f"<{kind}>", one.question, said, tried.plan)

    def vote(self, kind: str) -> Example:
        """Two to five choices; the best one is the plan that came out right most often, or an answer that was right."""
        one = self.rng.choice(self.varied or self.judged)
        k = self.rng.randint(2, 5)
        if kind == "vote strategy":
            some = self.rng.choices(one.tried, k=k)
            texts, marks = [as_strategy(tried.steps) for tried in some], [tried.rate for tried in some]
        else:
            solutions = [pair for tried in one.tried for pair in tried.solutions]
            chosen = self.rng.choices(solutions, k=k)
            texts, marks = [text for text, _ in chosen], [float(ok) for _, ok in chosen]
        best = self.rng.choice([i for i, mark in enumerate(marks, 1) if mark == max(marks)])
        return example(f"<{kind}>", one.question, f"The best choice is {best}.", *texts)


def example(kind: str, question: str, reply: str, *parts: str) -> Example:
    """As ``template.prompt_tokens`` makes a prompt."""
    mark = TOKEN["<choice>" if kind.startswith("<vote") else "<part>"]
    prompt = [TOKEN[kind], *encode(question)]
    for part in parts:
        prompt += [mark, *encode(part)]
    prompt.append(TOKEN["<reply>"])
    return Example((*prompt, *encode(reply), END), len(prompt))


def readable(one: Judged) -> Judged:
    """Without the plans and solutions that the vocabulary cannot spell again: an unfinished model breaks off, too."""
    tried = [replace(t, solutions=[pair for pair in t.solutions if can_encode(pair[0])]) for t in one.tried]
    return replace(
        one, tried=[t for t in tried if can_encode(t.plan) and t.solutions and can_encode(as_strategy(t.steps))]
    )


def can_encode(text: str) -> bool:
    """Do tokens stand for the whole text?"""
    try:
        return bool(encode(text))
    except ValueError:
        return False


def reason(plan: str, right: str) -> str:
    """What a judge of a training problem says: where the plan leaves the right one."""
    ours, theirs = plan.splitlines(), right.splitlines()
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if mine != other:
            return f"Step {i} is wrong."
    if len(ours) < len(theirs):
        return "A step is missing."
    return "A step is too much." if len(ours) > len(theirs) else "All steps are right."


# ---------------------------------------------------------------- wrong plans, before the model writes its own


def spoilt(story: Story, rng: Random) -> Sum:
    """The problem's computation with a fault or two: a wrong operation, a step left out, a number that does not belong.

    The right one, where no wrong one can be carried out with whole numbers in twenty tries.
    """
    for _ in range(20):
        amount: Amount = story.amount
        for _ in range(rng.choice((1, 1, 2))):
            amount = _fault(amount, story, rng)
        try:
            if isinstance(amount, Sum) and amount != story.amount and len([*operations(amount)]) <= 4:
                carried_out(steps(amount))
                return amount
        except ValueError:
            continue
    return story.amount


def _fault(amount: Amount, story: Story, rng: Random) -> Amount:
    """One fault at a random place."""
    if isinstance(amount, Quantity):
        return replace(amount, number=rng.choice(numbers_in(story.question)))
    if (below := rng.random()) < 0.5:
        side = "a" if below < 0.3 else "b"
        return replace(amount, **{side: _fault(getattr(amount, side), story, rng)})
    if rng.random() < 0.5:
        return replace(amount, op=rng.choice("+-*/"))
    return rng.choice((amount.a, amount.b))


def words_shard(seed: int, number: int, *, judged: Sequence[Judged] = (), working: bool = False) -> Shard:
    """The same sequences whenever it is called: a resumed training sees the same data."""
    return drawn(Maker(Random(f"words {seed} {number}"), judged, working), SHARD)
