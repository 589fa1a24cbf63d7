"""Creative Writing in the paper's style (section 4.2), in our words, for strong models and long replies.

The CoT prompt asks for a plan and then the passage. ToT samples 5 plans from it, stopped before the passage, votes,
samples 5 passages from the same prompt with the best plan in it, votes with the plans in view, and may refine.
Ballots analyse each choice before they conclude. The temperature is 1.0, as in the authors' runs.

Still different from the paper: equal plans or passages are one choice, with all their votes; the program looks whether
each paragraph ends in its sentence (``verify``), which the paper does not; and of a reply that says more than the
passage ("Sure! Here is ...", a title, a closing remark) only the passage is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..lm.base import Request, user
from ..parse import LONG_REPLY, Read, bad
from ..state import State, Thought
from .base import ROOM
from .plan_vote import label, read_long_plan, stop_at, two_part_prompt, vote_at_length
from .writing import Writing, ends_with

PARTS = ("Plan", "Passage")
TEMPERATURE = 1.0


class PaperWriting(Writing):
    """Creative Writing as in the paper: plans sampled from the CoT prompt, passages from the same prompt with the plan,
    ballots that analyse each choice and show the plan beside the passage, and room for long replies.
    """

    # ---------------------------------------------------------------- IO, CoT, refine

    def io(self, state: State) -> Request:
        return user(_asked(state), temperature=TEMPERATURE, max_tokens=ROOM)

    def cot(self, state: State) -> Request:
        return _both(State(state.x))

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [_read_passage(state, text, final=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        """The passage below its label. A reply without the label is an attempt without a passage."""
        if label(PARTS[1]).search(text[:LONG_REPLY]):
            return [_read_passage(state, text, final=True)]
        return [Read(Thought(text[:LONG_REPLY].strip(), final=True), "no passage below the plan", text[:200])]

    def refine(self, state: State) -> Request:
        """The question whether the last passage is perfectly coherent, and for a better one if not."""
        if state.answer is None:
            return self.io(state)
        how = (
            f"Read the passage below. If it is already {self.done}, say that it is {self.done}. If it is not, write a"
            ' refined passage below the line "Refined passage:".'
        )
        return user(f"{_asked(state)}\n\n{how}\n\nPassage:\n{state.answer}", temperature=TEMPERATURE, max_tokens=ROOM)

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """A better passage, which may be refined further; or the last one again, as a final thought."""
        if state.answer is not None and _content(text, self.done):
            return [Read(Thought(self.done, None, state.answer, final=True))]
        return [_read_passage(state, text, final=False)]

    # ---------------------------------------------------------------- plan, vote, write, vote

    def step(self, state: State) -> Request:
        """The prompt of CoT, up to the passage; below a plan, for the passage."""
        return _both(state) if state.last else replace(_both(state), stop=stop_at(PARTS[1]))

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        return [read_long_plan(text, PARTS) if state.last is None else _read_passage(state, text, final=True)]

    def ballot(self, states: Sequence[State]) -> Request:
        """All choices with all that was written so far."""
        return vote_at_length(_asked(states[0]), states, PARTS, TEMPERATURE)


def _asked(state: State) -> str:
    sentences = "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(state.x.split("\n"), 1))
    return (
        "Write a coherent passage of four short paragraphs. The last sentences of the four paragraphs are these, word"
        f" for word and in this order:\n{sentences}"
    )


def _both(state: State) -> Request:
    return two_part_prompt(_asked(state), PARTS, ("your plan for it", "your passage"), state, TEMPERATURE)


# ---------------------------------------------------------------- readers

_RULE = re.compile(r"\W{0,3}(?:[-*_=~]\s?){3,}\W*")
_POLITE = re.compile(r"\W*(?:sure|certainly|of course|absolutely|okay|here(?:['’]s| is)|below is)\b", re.IGNORECASE)
_TITLE = re.compile(r"\s*(?:#{1,6}\s[^\n]{1,100}|(\*\*|__)[^\n]{1,100}\1|title:[^\n]{1,100})\s*", re.IGNORECASE)
_REMARK = re.compile(
    r"[\W_]*(?:note|explanation|word count|changes|let me know|i hope|i have|i['’]ve|feel free|would you"
    r"|(?:this|the|in this) (?:refined |revised |new )?(?:passage|version|story))\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?P<before>[^.!?\n]{0,80})\bperfectly coherent\b(?P<after>[^.!?\n]{0,80})", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|\w+n['’]t|never|less|make|making|become|if|whether|almost|nearly|more)\b", re.IGNORECASE)


def _read_passage(state: State, text: str, *, final: bool) -> Read[Thought]:
    """The passage in a long reply: below the last label, without a title and without what is said around it.

    Nothing is left out that ends in one of the given sentences.
    """
    said = text[:LONG_REPLY].strip()
    pieces = label(PARTS[1]).split(said)
    below = next((piece for piece in reversed(pieces[1:] or pieces) if re.search(r"\w", piece)), "")
    blocks = [block.strip() for block in re.split(r"\n[^\S\n]*\n", below) if block.strip()]
    sentences = state.x.split("\n")

    def around(block: str, what: bool) -> bool:
        return len(blocks) > 1 and what and not any(ends_with(block, sentence) for sentence in sentences)

    while blocks and around(blocks[0], _introduces(blocks[0])):
        del blocks[0]
    while blocks and around(blocks[-1], bool(_RULE.fullmatch(blocks[-1]) or _REMARK.match(blocks[-1]))):
        del blocks[-1]
    passage = "\n\n".join(block for block in blocks if not _RULE.fullmatch(block))
    first, _, rest = passage.partition("\n")
    if rest and _introduces(first) and not any(ends_with(first, sentence) for sentence in sentences):
        passage = rest.strip()
    if not re.search(r"\w", passage):
        return bad("no passage in the reply", text)
    return Read(Thought(passage, None, passage, final))


def _introduces(block: str) -> bool:
    """Is it a line before the passage: "Here is the passage:", a title, a rule?"""
    if "\n" in block or len(block) > 200:
        return False
    polite = _POLITE.match(block) and re.search(r"[:!]\W*$|\b(?:passage|version|story|paragraphs)\b", block)
    return bool(polite or block.endswith(":") or _TITLE.fullmatch(block) or _RULE.fullmatch(block))


def _content(text: str, done: str) -> bool:
    """Does the reply call the passage ``done``, in a sentence without a "not", and offer no other passage?"""
    if label(PARTS[1]).search(text[:LONG_REPLY]):
        return False
    called = [*_CALLED.finditer(text[:LONG_REPLY])]
    return (
        bool(called)
        and done in text.lower()
        and not any(_NOT.search(match["before"]) or match["after"].rstrip("*_ ").endswith(":") for match in called[:1])
    )
