"""The other question tasks of *Planning with MCTS*, table 1 (AddSub, MultiArith, SVAMP, SingleEq, CommonsenseQA, Last
Letters, Object Tracking) and its running example, counting letters. Each is an answer format and its problems.

Their prompts are those of ``zero_shot``, in ``questions.toml``.
"""

from typing import ClassVar

from .answers import LETTER, NUMBER, WORD
from .base import Problem
from .bundled import questions_of
from .datasets import DATASETS, load
from .style import Sources
from .zero_shot import ZeroShot


def _sources(name: str, about: str, parts: Sources | None = None) -> Sources:
    """The problems that come with the package, ``parts`` of them, and those of the public file if there is one."""
    file: Sources = {}
    if public := DATASETS.get(name):
        file = {"file": (f"{public.about}, {public.files[0]} in TOT_DATA_DIR", lambda: load(name))}
    return {"book": (about, lambda: questions_of(name)), **(parts or {}), **file}


ARITHMETIC = "60 problems of this style made by studies/problems/arithmetic.py"


class AddSub(ZeroShot):
    """Word problems of sums and differences; the answer is a number."""

    name = "addsub"
    summary = "word problems of sums and differences (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _sources(name, ARITHMETIC)


class MultiArith(ZeroShot):
    """Word problems of two or three steps; the answer is a number."""

    name = "multiarith"
    summary = "word problems of two or three steps (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _sources(name, ARITHMETIC)


class SVAMP(ZeroShot):
    """Short word problems with numbers that are not needed; the answer is a number."""

    name = "svamp"
    summary = "short word problems with numbers that are not needed (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _sources(name, ARITHMETIC)


class SingleEq(ZeroShot):
    """Word problems of one equation; the answer is a number."""

    name = "singleeq"
    summary = "word problems of one equation (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _sources(name, ARITHMETIC)


class CommonsenseQA(ZeroShot):
    """Everyday questions with five choices; the answer is the letter of a choice."""

    name = "commonsenseqa"
    summary = "everyday questions with five choices (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = _sources(name, "40 questions written for the book; each letter is right eight times")


class LastLetters(ZeroShot):
    """Join the last letters of names; the answer is a word."""

    name = "last_letters"
    summary = "join the last letters of names (Planning with MCTS, table 1)"
    form = WORD
    sources: ClassVar[Sources] = _sources(
        name, "60 questions made by studies/problems/puzzles.py: two names, then three, then four"
    )


def _tracking(people: int) -> list[Problem]:
    return [problem for problem in questions_of("object_tracking") if problem.id.startswith(f"book-{people}-")]


class ObjectTracking(ZeroShot):
    """Who has what after some swaps; the answer is the letter of a choice."""

    name = "object_tracking"
    summary = "who has what after some swaps (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = _sources(
        name,
        "120 stories made by studies/problems/puzzles.py",
        {
            "three": ("the 40 of them with three objects", lambda: _tracking(3)),
            "five": ("the 40 with five objects", lambda: _tracking(5)),
            "seven": ("the 40 with seven objects", lambda: _tracking(7)),
        },
    )


class CountLetters(ZeroShot):
    """How often a letter occurs in a word; the answer is a number."""

    name = "count_letters"
    summary = "how often a letter occurs in a word (Planning with MCTS, figure 2 and appendix A)"
    form = NUMBER
    sources: ClassVar[Sources] = _sources(name, "60 words with a letter to count, made by studies/problems/puzzles.py")
