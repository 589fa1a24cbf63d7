"""Multi-hop questions, answered with tools: HotpotQA (Yang et al. 2018), and questions on a small encyclopedia.

The bundled questions are about the bundled encyclopedia; both were written for the book. A question of the official
file has ten paragraphs of its own: two hold the answer, the others distract. Any other question can be looked up in
either, or in a corpus that an entry of ``tot.corpora`` brings, such as Wikipedia. Answers are compared as HotpotQA
does: see ``answers.normal_answer``. The prompts are in ``hotpotqa.toml``: ``OWN`` for small models, with two examples
where ReAct has six; ``PAPER`` has the papers' design.
"""

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, ClassVar

from .. import doors
from ..lm.base import Request
from ..parse import LONG_REPLY, MAX_REPLY, TYPED, Judgement, Read, bad, shorten
from ..state import State, Thought
from ..tools import FINISH, Corpus, Offline, Page, Tools, read_action, sentences
from ..tools.actions import MAX_THOUGHT
from .answers import SHORT, f1
from .base import Problem, Score, ToolUsing
from .bundled import records_of
from .datasets import Paragraph, hotpotqa_paragraphs, is_there, load
from .questions_paper import PAPER as QUESTIONS_PAPER
from .scores import chance
from .style import Sources, style_of
from .zero_shot import OWN as QUESTIONS_OWN
from .zero_shot import ZeroShot

ENCYCLOPEDIA, PARAGRAPHS = "encyclopedia", "paragraphs"
GROUP = "tot.corpora"

_SHORT, _LONG = {"thought": MAX_THOUGHT, "lesson": 200}, {"thought": LONG_REPLY, "lesson": MAX_REPLY}
OWN = style_of("hotpotqa", "own", {**QUESTIONS_OWN.readers, "chance": chance}, _SHORT, QUESTIONS_OWN)
_READERS = {**QUESTIONS_PAPER.readers, "chance": QUESTIONS_PAPER.readers["score"]}
PAPER = style_of("hotpotqa", "paper", _READERS, _LONG, QUESTIONS_PAPER)

QUESTIONS, ARTICLES = "encyclopedia_questions.jsonl", "encyclopedia.jsonl"  # files beside this module


def _bundled(easy: bool | None = None) -> list[Problem]:
    questions = records_of(QUESTIONS)
    return [Problem(q["id"], q["question"], q["answer"]) for q in questions if easy is None or q["easy"] == easy]


class Library(Tools):
    """The tools, and the corpora that they have loaded. Copies of a task share it; a pickled one loads its own."""

    def __init__(self, given: Mapping[str, Corpus], timeout: float, official: bool = False) -> None:
        super().__init__(self.corpus, timeout=timeout)
        self._given, self._official = (given, timeout), official
        self._loaded = dict(given)
        self._own: dict[str, str] = {}  # question of the official file -> the digest of its paragraphs
        self._paragraphs: dict[str, tuple[Paragraph, ...]] = {}  # by their digests
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self._given, self.official)

    @property
    def official(self) -> bool:
        """Whether the official file is here, or was where this was pickled: then its questions are known."""
        return self._official or is_there("hotpotqa")

    @property
    def names(self) -> list[str]:
        """The corpora that there are."""
        return list(dict.fromkeys([ENCYCLOPEDIA, PARAGRAPHS, *self._given[0], *doors.names(GROUP)]))

    def own(self) -> dict[str, str]:
        """Question of the official file -> the digest of its (first) paragraphs there: by that a call asks for what it
        is answered from, whichever part of the file there is. Raises ValueError if that is missing or malformed.
        """
        if not self._own:
            found: dict[str, str] = {}
            for problem, paragraphs in zip(load("hotpotqa"), hotpotqa_paragraphs(), strict=True):
                digest = sha256(json.dumps(paragraphs).encode()).hexdigest()[:12]
                self._paragraphs.setdefault(digest, paragraphs)
                found.setdefault(problem.x, digest)
            self._own = found
        return self._own

    def corpus(self, name: str) -> Corpus:
        """The corpus that a ``Call`` names. Raises ValueError if there is none."""
        kind, _, digest = name.partition(" ")
        with self._lock:
            if name == ENCYCLOPEDIA and name not in self._loaded:
                self._loaded[name] = Offline(Page(a["title"], sentences(a["text"])) for a in records_of(ARTICLES))
            if name not in self._loaded and name in doors.names(GROUP):
                self._loaded[name] = doors.load(GROUP, name)()
            if name in self._loaded:
                return self._loaded[name]
            if kind == PARAGRAPHS and self.own() and digest in self._paragraphs:  # quick to make, so not kept
                return Offline(Page(title, parts) for title, parts in self._paragraphs[digest])
        raise ValueError(f"there is no corpus {name!r}: choose one of {', '.join(self.names)}")


class Acting(ZeroShot, ToolUsing):
    """Questions that are answered with tools: the prompts, their readers, and how short answers are compared."""

    form = SHORT

    def verify(self, problem: Problem, answer: str | None) -> Score:
        """Exact match as officially defined, or as replies are read; typographic signs are as plain ones. ``parts``:
        "f1", the agreement of the words.
        """
        score = super().verify(problem, answer)
        if problem.gold is None:
            return score
        words = [str(text).translate(TYPED) for text in (answer or "", problem.gold)]
        return replace(score, parts={"f1": 1.0 if score.correct else f1(*words) if answer else 0.0})

    def fields(self, state: State) -> dict[str, str]:
        return {**super().fields(state), "known": path_so_far(state), "unanswered": without_brackets(state)}

    def act(self, state: State, memory: Sequence[str]) -> Request:
        return self.ask("act", state, memory=earlier(memory))

    def read_act(self, state: State, text: str) -> list[Read[Thought]]:
        return read_action(text, self.style.limits["thought"])

    def conclude(self, state: State) -> Request:
        return self.ask("conclude", state)

    def prospect(self, state: State) -> Request:
        return self.ask("prospect, of an answer" if state.terminal else "prospect", state)

    def read_prospect(self, text: str) -> Read[Judgement]:
        judged: Read[Judgement] = self.style.readers["chance"](text)
        return judged

    def reflect(self, state: State) -> Request:
        return self.ask("reflect", state)

    def read_lesson(self, text: str) -> Read[str]:
        """A lesson on one line."""
        line = " ".join(text[:MAX_REPLY].split())
        kept = shorten(line, self.style.limits["lesson"])
        return Read(kept) if re.search(r"\w", line) else bad("no lesson in the reply", text)


class HotpotQA(Acting):
    """The task. Its ``tools`` keep the corpora that they have loaded, so share one task between runs. ``corpora``: name
    -> a corpus of your own.
    """

    name = "hotpotqa"
    summary = "questions that need several articles, with tools to find them (the iToT poster, LATS)"
    usual = "itot-astar"
    style = OWN
    paper = PAPER
    sources: ClassVar[Sources] = {
        "book": ("60 questions on the bundled encyclopedia, written for the book", _bundled),
        "easy": ("the easier third of them", lambda: _bundled(True)),
        "hard": ("the other two thirds", lambda: _bundled(False)),
        "dev": (
            "the official dev set with distractors, hotpot_dev_distractor_v1.json in TOT_DATA_DIR",
            lambda: load("hotpotqa"),
        ),
    }

    def __init__(self, *, corpora: Mapping[str, Corpus] | None = None, timeout: float = 30.0) -> None:
        self.tools: Library = Library(corpora or {}, timeout)

    def corpus(self, x: str, name: str) -> str:
        """``name`` if it is given; for "", a question of the official file has its own paragraphs, any other the
        encyclopedia.

        Raises ValueError for an unknown name, and for "paragraphs" if the question has none.
        """
        if name and name not in self.tools.names:
            raise ValueError(f"there is no corpus {name!r}: choose one of {', '.join(self.tools.names)}")
        if name not in ("", PARAGRAPHS) or (not name and any(p.x == x for p in _bundled())):
            return name or ENCYCLOPEDIA
        try:
            if digest := self.tools.own().get(x):
                return f"{PARAGRAPHS} {digest}"
            if name:
                raise ValueError("only a question of the official file has paragraphs: choose another corpus")
        except ValueError:
            if name or self.tools.official:
                raise
        return ENCYCLOPEDIA

    def note(self, problem: Problem) -> str:
        """The articles that hold the facts for a bundled question; "" for any other."""
        found = (q for q in records_of(QUESTIONS) if q["question"] == problem.x)
        return next((f"the facts are in {', '.join(q['supporting'])}" for q in found), "")

    def few_shot(self, state: State) -> Request:
        """Questions with their answers, and then this one."""
        return self.ask("few_shot", state)


def earlier(memory: Sequence[str]) -> str:
    """What is known from elsewhere, as prompts show it: a list, or a tree where lines are indented; "" for nothing."""
    lines = "".join(f"\n{' ' * (len(line) - len(line.lstrip(' ')))}- {line.lstrip(' ')}" for line in memory)
    return f"\n\nFrom earlier attempts:{lines}" if lines else ""


def without_brackets(state: State) -> str:
    """The path so far without the action of Finish; of that step, the thought stays."""
    return path_so_far(state).partition(f"\nAction: {FINISH}[")[0]  # no observation has a second line


def path_so_far(state: State) -> str:
    """The question and the thoughts, actions and observations on the path, as prompts show them."""
    lines = [f"Question: {state.x}"]
    for thought in state.thoughts:
        lines.append(thought.text if thought.text.startswith("Action:") else f"Thought: {thought.text}")
        if thought.observation:
            lines.append(f"Observation: {thought.observation.text}")
    return "\n".join(lines)
