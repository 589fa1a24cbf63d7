"""Question tasks in the style of *Planning with MCTS* (section 2.2, figures 3 and 4), for models that write at length.

The paper prints no prompts, so the words are ours. Its design: a plan is free text, a sequence of instructions in
natural language (figure 4 has six of a sentence or two); each judge explains its score, and the next revision sees
the whole explanation; the solution is as long as the plan needs. ``ROOM`` is twice what the ToT authors allow.

What stays ours: one prompt, not two, for a chain of thought and its answer (Kojima et al. 2022 ask for the answer in
a second prompt); a plan or revision that repeats one of the tree is dropped; what counts as feasible and logical.

Zero-shot Tree of Thoughts in the paper's style (appendix B.1), in our words: questions for strong models.

One prompt asks for a strategy and then the answer. ToT samples 5 strategies from it, votes, samples 5 answers below the
best strategy, votes. Replies and ballots are as long as the model likes; a ballot analyses each choice first, and the
second one shows the strategy, too. An answer in which the reader finds none stays a choice.

Still different from the paper: equal strategies or answers are one choice, with all their votes; a ballot for a choice
that does not exist is counted as unread."""

import re
from dataclasses import replace

from ..parse import LONG_REPLY, Judgement, Read, bad, score, shorten
from ..state import Thought
from .plan_vote import read_long_plan, second_part, two_part_prompts
from .style import Prompt, Style

# ---------------------------------------------------------------- prompts

PARTS = ("Strategy", "Answer")
WHAT = ("how you are going to answer the question", "your answer, worked out; it ends with the line {ask}")
PLAN = (
    "the instructions to follow, in their order, in plain language. Use as many steps and words as the question needs."
    " Write only the plan: do not carry it out, and do not state an answer."
)
BETTER = f"Write a better plan that takes account of what they say: {PLAN}"
JUDGES = {
    "logic": "You judge the logical consistency of this plan. Look for steps that contradict each other or the"
    " question, for a wrong order, and for what is missing between one step and the next.",
    "feasibility": "You judge the feasibility of this plan. Consider whether each step could be carried out"
    " with what is known by then, and whether the last one would give the answer.",
}
SCORE = (
    "Do not carry the plan out. Explain your judgement, and say what should be changed. After that, write the line"
    ' "Score: N", where N is a number from 0 (useless) to 1 (nothing to improve).'
)
LAST_LINE = "At the end, write the line {ask}."


def _asking(how: str, plan: bool = True) -> Prompt:
    """``how``: what is asked about the question, below the ``plan`` if there is one."""
    return Prompt("Question: {x}\n\n" + ("Plan:\n{last}\n\n" if plan else "") + how)


# ---------------------------------------------------------------- readers

_RULE = re.compile(r"\s*(?:[-*_=]{3,}\s*)?\n")  # an empty line, or a line across the page
_LABEL = re.compile(
    r"[\s#*_>]*(?:(?:my|the|a|new|revised|improved|better|final) ){0,3}plan[*_ ]*:[*_]*[ \t]*", re.IGNORECASE
)
_OPENING = re.compile(  # "Sure! Here is a better plan:", "### Plan for the apples", "We can follow these steps:"
    r"(?!\s*[-*•]\s|\W{0,8}(?:\d|step\s?\d))"
    r"(?:[\s>]*#[^\n]*|[^\n]{0,200}\b(?:plan|steps|instructions|approach|sure|certainly|here)\b[^\n]{0,200}:[ *_]*)\n",
    re.IGNORECASE,
)


def read_free_plan(text: str) -> Read[Thought]:
    """A plan as a model writes it, without what comes before it: a greeting, a heading, the word "Plan:".

    The rest is kept as it is, prose, lists and markup alike, up to ``LONG_REPLY`` characters.
    """
    plan, at = text.strip(), 0
    for _ in range(6):  # greeting, line, heading, label: in whatever order
        opening = _RULE.match(plan, at) or _LABEL.match(plan, at) or _OPENING.match(plan, at)
        if not opening:
            break
        at = opening.end()
    plan = plan[at:].strip()
    return Read(Thought(shorten(plan, LONG_REPLY))) if re.search(r"\w", plan) else bad("no plan in the reply", text)


def whole(solution: Read[Thought], text: str) -> Read[Thought]:
    """The final thought with the whole reply. Without an answer it is an attempt, too."""
    return _saying(solution, text[:LONG_REPLY].strip())


def second(solution: Read[Thought], text: str) -> Read[Thought]:
    """The final thought with the answer below its strategy."""
    return _saying(solution, second_part(text, PARTS))


def _saying(solution: Read[Thought], said: str) -> Read[Thought]:
    return replace(solution, value=replace(solution.value, text=said)) if solution.value else solution


def read_strategy(text: str) -> Read[Thought]:
    """The strategy of a reply, whole."""
    return read_long_plan(text, PARTS)


def last_score(text: str) -> Read[Judgement]:
    """The score at the end of a discussion."""
    return score(text, last=True)


# ---------------------------------------------------------------- the style

PAPER = Style(
    {
        "io": Prompt("Answer the question with {ask}.\n\nQuestion: {x}"),
        **two_part_prompts("Answer the question.\n\nQuestion: {x}", PARTS, WHAT, temperature=0.7),  # section 4
        "plan": _asking(f"Write a plan for finding the answer: {PLAN}", plan=False),
        "plan, again": _asking(BETTER),
        "plan, better": _asking(f"What the judges say about this plan:\n{{feedback}}\n\n{BETTER}"),
        **{f"assess, {judge}": _asking(f"{how} {SCORE}") for judge, how in JUDGES.items()},
        "execute": _asking(f"Let's think step by step. {LAST_LINE}", plan=False),
        "execute, with a plan": _asking(
            f"Carry out the plan step by step, and show the work of each step. {LAST_LINE}"
        ),
    },
    {"attempt": whole, "strategy": read_strategy, "solution": second, "plan": read_free_plan, "score": last_score},
    parts=PARTS,
    name="paper",
    about=str(__doc__),
)
