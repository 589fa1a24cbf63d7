"""Creative Writing (Tree of Thoughts, section 4.2): four paragraphs that end in four given sentences.

The tree: sample plans, vote, sample passages that follow the best plan, vote. Refining is a third kind of generator: it
sees only the last passage, and stops when the model calls it perfectly coherent. There is no gold passage: ``verify``
checks the constraint by program, and coherence is measured after a run (``writing_judge``). The temperature is 1.0, as
in the authors' runs. The prompts are our own; those of one problem share a prefix. They ask for less than the paper's:
a plan of four lines from a prompt of its own, short passages, and one line for a ballot, on the passage alone. The
paper's own form is in ``writing_paper``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from ..lm.base import Request, user
from ..parse import MAX_REPLY, Read, bad, choice, shorten
from ..state import State, Thought
from .base import MAX_PROBLEM, PaperStyled, Problem, Rewritable, Score, Task
from .bundled import text_of
from .datasets import SENTENCES, load, split_sentences, tidy
from .forms import Form, ballot
from .plan_vote import read_plan, vote_on

RULES = (
    "Write a coherent passage of four short paragraphs that tell one story, with an empty line between them."
    " Paragraph 1 has two new sentences and then sentence 1, word for word; paragraph 2 has two new sentences and then"
    " sentence 2; and so on."
)
ONLY = "Reply with the passage only."
MAX_PASSAGE = 5 * MAX_REPLY  # characters of an answer that is verified
PLAN = (
    "Do not write the passage yet. Write a plan: one short line for each paragraph, in your own words, that says what"
    " happens in it."
)


class Writing(Rewritable, PaperStyled):
    """The task. A problem's ``x`` is four lines, one sentence each. ``steps`` is 2: a plan, then a passage."""

    name = "writing"
    summary = "four paragraphs that end in four given sentences (Tree of Thoughts, section 4.2)"
    steps = 2
    done = "perfectly coherent"

    # ---------------------------------------------------------------- problems

    def splits(self) -> dict[str, str]:
        return {
            "book": "40 inputs written for the book, ordinary and odd",
            "authors": "inputs of the paper's authors, data_100_random_text.txt in TOT_DATA_DIR",
        }

    def problems(self, split: str) -> list[Problem]:
        """The problems of a split. Raises ValueError for an unknown one, or a file that is missing or malformed."""
        if split == "book":
            return _bundled()
        if split == "authors":
            return load("creative_writing")
        raise ValueError(f"writing has no split {split!r}: choose one of {', '.join(self.splits())}")

    def problem(self, text: str) -> Problem:
        """Four sentences, each on its own line or one after the other. Raises ValueError unless there are four."""
        found = [] if len(text) > MAX_PROBLEM else tidy(text).split("\n")
        if len(found) == 1:
            found = split_sentences(found[0])
        if len(found) != SENTENCES or not all(re.search(r"\w", sentence) for sentence in found):
            raise ValueError(
                "a writing problem is four sentences, each ending in . ! or ? (or on a line of its own),"
                f" and at most {MAX_PROBLEM} characters, not {text[:60]!r}"
            )
        x = "\n".join(found)
        return next((problem for problem in _bundled() if problem.x == x), Problem(x, x))

    def check(self, x: str, answer: str | None) -> Score:
        """Are there four paragraphs, each ending with its sentence, in order? This says nothing about coherence.

        Typographic signs, case and anything after the last letter do not count. ``parts``: "paragraphs" is 1 if there
        are four; "endings" is the share of sentences that end their paragraph.
        """
        if answer is None:
            return Score(False, "no passage", {"paragraphs": 0.0, "endings": 0.0})
        if len(answer) > MAX_PASSAGE:
            return Score(False, "the passage is far too long", {"paragraphs": 0.0, "endings": 0.0})
        sentences, found = x.split("\n"), paragraphs(answer)
        ends = [i < len(found) and ends_with(found[i], sentence) for i, sentence in enumerate(sentences)]
        parts = {"paragraphs": float(len(found) == len(sentences)), "endings": sum(ends) / len(sentences)}
        if len(found) != len(sentences):
            plural = "" if len(found) == 1 else "s"
            return Score(False, f"{len(found)} paragraph{plural}, not {len(sentences)}", parts)
        if not all(ends):
            return Score(False, f"paragraph {ends.index(False) + 1} does not end with its sentence", parts)
        return Score(True, "four paragraphs, each ending with its sentence", parts)

    def verify(self, problem: Problem, answer: str | None) -> Score:
        """The verdict of ``check``: there is no gold passage."""
        return self.check(problem.x, answer)

    def same(self, answer: str) -> str:
        """The passage without what does not count in ``check``: case, white space, typographic signs."""
        return _plain(answer)

    # ---------------------------------------------------------------- IO, CoT, refine

    def io(self, state: State) -> Request:
        return _request(state, ONLY, max_tokens=220)

    def cot(self, state: State) -> Request:
        how = 'First write "Plan:" and one short line for each paragraph, then "Passage:" and the passage.'
        return _request(state, how, max_tokens=280)

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [read_passage(text, final=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        passage = read_passage(text, final=True, labelled=True)
        attempt = passage.value or Thought(shorten(text.strip(), MAX_REPLY), final=True)
        return [Read(attempt, passage.why, passage.text)]

    def refine(self, state: State) -> Request:
        """The question whether the last passage is perfectly coherent, and for a better one if not.

        Before there is a passage: the direct prompt.
        """
        if state.answer is None:
            return self.io(state)
        how = f"If this passage is {self.done}, reply only: {self.done}. If not, reply only with a better passage."
        return _request(state, f"Passage:\n{state.answer}\n\n{how}", max_tokens=220)

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """A better passage, which may be refined further; or the last one again, as a final thought."""
        if state.answer is not None and _content(text, self.done):
            return [Read(Thought(self.done, None, state.answer, final=True))]
        return [read_passage(text, final=False)]

    # ---------------------------------------------------------------- plan, vote, write, vote

    def step(self, state: State) -> Request:
        """The prompt for a plan; below a plan, for a passage that follows it."""
        if state.last is None:
            return _request(state, PLAN, max_tokens=90)
        return _request(state, f"Plan:\n{state.last.text}\n\nWrite the passage by this plan. {ONLY}", max_tokens=220)

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        return [read_plan(text, "plan") if state.last is None else read_passage(text, final=True)]

    def ballot(self, states: Sequence[State]) -> Request:
        which = "is the best plan for it" if len(states[0].thoughts) == 1 else "is the most coherent passage"
        return _request(states[0], vote_on(states, which), max_tokens=12)

    def read_ballot(self, text: str, options: int) -> Read[int]:
        return choice(text, options)

    def forms(self) -> Mapping[str, Form]:
        """A form for ballots."""
        return {"ballot": ballot()}

    # ---------------------------------------------------------------- the paper's style

    def in_paper_style(self) -> Task:
        from .writing_paper import PaperWriting  # here, because it is a subclass

        return PaperWriting()


def _request(state: State, how: str, *, max_tokens: int) -> Request:
    sentences = "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(state.x.split("\n"), 1))
    return user(f"Sentences:\n{sentences}\n\n{RULES}\n\n{how}", temperature=1.0, max_tokens=max_tokens)


# ---------------------------------------------------------------- readers, and the check of the constraint

_LABEL = re.compile(r"^[\s*#]*passage[\s*]*:[\s*]*", re.IGNORECASE | re.MULTILINE)
_LEAD_IN = re.compile(r"[^\n]{0,120}:\s*\n\s*")  # "Here is the passage:"


def read_passage(text: str, *, final: bool, labelled: bool = False) -> Read[Thought]:
    """The passage in a reply, without label or lead-in; with ``labelled``, only what follows "Passage:"."""
    *_, passage = parts = _LABEL.split(text[:MAX_REPLY].strip(), maxsplit=1)
    if labelled and len(parts) == 1:
        return bad("no passage below the plan", text)
    passage = _LEAD_IN.sub("", passage.strip(), count=1) if _LEAD_IN.match(passage.strip()) else passage.strip()
    if not re.search(r"\w", passage):
        return bad("no passage in the reply", text)
    return Read(Thought(passage, None, passage, final))


def _content(text: str, done: str) -> bool:
    """Does the reply begin by calling the passage ``done``? "Not perfectly coherent" does not."""
    said = rf"\W*(?:yes\W+)?(?:(?:the|this) passage is |it is |it's )?{done}\b"
    return bool(re.match(said, " ".join(text[:200].split()), re.IGNORECASE))


def paragraphs(passage: str) -> list[str]:
    """The paragraphs of a passage: blocks between empty lines, or its lines if there are none.

    Headings ("Paragraph 2:", "**3.**") do not count.
    """
    blocks = re.split(r"\n[^\S\n]*\n", passage.strip())
    blocks = blocks if len(blocks) > 1 else passage.splitlines()
    texts = ["\n".join(line for line in block.splitlines() if not _heading(line)) for block in blocks]
    return [text for text in texts if text]


def _heading(line: str) -> bool:
    words = re.sub(r"[\W_]+", " ", line).strip().lower()
    return bool(re.fullmatch(r"(paragraph)?[ \d]{0,3}", words))


def ends_with(paragraph: str, sentence: str) -> bool:
    """Are the last words of ``paragraph`` those of ``sentence``? Closing quotes and full stops are ignored."""
    text, end = _plain(paragraph), _plain(sentence)
    return bool(end) and text.endswith(end) and not text.removesuffix(end)[-1:].isalnum()


_QUOTES = str.maketrans("‘’`“”„«»", "'''" + 5 * '"')


def _plain(text: str) -> str:
    """The text with plain quotes, single spaces and small letters, up to its last letter or digit."""
    text = " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold().split())
    end = len(text)
    while end and not text[end - 1].isalnum():
        end -= 1
    return text[:end]


def _bundled() -> list[Problem]:
    inputs = [tidy(block) for block in text_of("writing_inputs.txt").split("\n\n") if not block.startswith("#")]
    return [Problem(f"book-{i}", x) for i, x in enumerate(inputs, 1)]
