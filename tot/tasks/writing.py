"""Creative Writing (Tree of Thoughts, section 4.2): four paragraphs that end in four given sentences.

The tree: sample plans, vote, sample passages that follow the best plan, vote. Refining is a third kind of generator: it
sees only the last passage, and stops when the model calls it perfectly coherent. There is no gold passage: ``verify``
checks the constraint by program, and coherence is measured after a run (``studies/writing_judge.py``).

The prompts are in ``writing.toml``. ``OWN`` is the style for small models; the paper's form has its readers in
``writing_paper``. Ours asks for less: a plan of four lines from a prompt of its own, short passages, and one line for a
ballot, on the passage alone.
"""

import re
from functools import partial
from typing import ClassVar

from ..lm.base import Request
from ..parse import MAX_REPLY, Read, bad
from ..state import State, Thought
from .base import MAX_PROBLEM, FreeCheck, Problem, Refinable, Score, Votable
from .bundled import text_of
from .datasets import SENTENCES, load, split_sentences, tidy
from .plan_vote import Voted, labelled
from .style import Sources, style_of
from .writing_paper import PAPER, content
from .writing_passages import alone, ends_with, paragraphs, plain, read_chain, read_passage

MAX_PASSAGE = 5 * MAX_REPLY  # characters of an answer that is verified
LONGEST_REMARK = 300  # characters of a line that has none of the sentences: it is no passage

OWN = style_of(
    "writing",
    "own",
    {"passage": read_passage, "chain": read_chain, "plan": labelled, "content": partial(content, whole=True)},
)


def _bundled() -> list[Problem]:
    inputs = [tidy(block) for block in text_of("writing_inputs.txt").split("\n\n") if not block.startswith("#")]
    return [Problem(f"book-{i}", x) for i, x in enumerate(inputs, 1)]


class Writing(Voted, Votable, Refinable, FreeCheck):
    """The task. A problem's ``x`` is four lines, one sentence each. ``steps`` is 2: a plan, then a passage."""

    name = "writing"
    summary = "Creative Writing: four paragraphs that end in four given sentences (Tree of Thoughts, section 4.2)"
    done = "perfectly coherent"
    style = OWN
    paper = PAPER
    sources: ClassVar[Sources] = {
        "book": ("40 inputs written for the book, ordinary and odd", _bundled),
        "authors": (
            "inputs of the paper's authors, data_100_random_text.txt in TOT_DATA_DIR",
            lambda: load("creative_writing"),
        ),
    }

    # ---------------------------------------------------------------- problems

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
        sentences, found = x.split("\n"), paragraphs(alone(answer, x))
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
        return plain(answer)

    # ---------------------------------------------------------------- prompts and readers

    def fields(self, state: State) -> dict[str, str]:
        sentences = "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(state.x.split("\n"), 1))
        return {**super().fields(state), "sentences": sentences, "done": self.done}

    def read_io(self, state: State, text: str) -> list[Read[Thought]]:
        return [self.style.readers["passage"](text, state.x, final=True)]

    def read_cot(self, state: State, text: str) -> list[Read[Thought]]:
        return [self.style.readers["chain"](text, state.x)]

    def refine(self, state: State) -> Request:
        """The question whether the last passage is perfectly coherent, and for a better one if not.

        Before there is a passage: the direct prompt.
        """
        return self.io(state) if state.answer is None else self.ask("refine", state, passage=state.answer)

    def read_refined(self, state: State, text: str) -> list[Read[Thought]]:
        """A better passage, which may be refined further; or the last one again, as a final thought."""
        sentences = state.x.split("\n")
        kept = [block for block in paragraphs(text) if any(ends_with(block, sentence) for sentence in sentences)]
        another = len(kept) > 2 and plain(state.answer or "") not in plain(text)
        alone = text.partition(kept[0])[0] if another else text
        for block in kept if not another else ():  # the last passage, said again
            alone = alone.replace(block, "")
        called = not another or re.fullmatch(rf"\W*(?:(?:it|the passage) is )?{self.done}\W*", alone, re.IGNORECASE)
        if state.answer is not None and called and self.style.readers["content"](alone, self.done):
            return [Read(Thought(self.done, None, state.answer, final=True))]
        line = plain(text) if len(text) < LONGEST_REMARK else ""
        # two words are a passage, as recordings have it
        remark = len(line.split()) > 2 and not any(plain(sentence) in line for sentence in sentences)
        if remark and state.answer is not None:
            return [bad("a remark, and no passage", text)]
        return [self.style.readers["passage"](text, state.x, final=False)]

    def read_step(self, state: State, text: str) -> list[Read[Thought]]:
        if state.last is None:
            return [self.style.readers["plan"](text)]
        return [self.style.readers["passage"](text, state.x, final=True)]
