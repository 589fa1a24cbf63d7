"""The other question tasks of *Planning with MCTS*, table 1 (AddSub, MultiArith, SVAMP, SingleEq, CommonsenseQA, Last
Letters, Object Tracking) and its running example, counting letters. Each is an answer format and its problems.

Their prompts are those of ``zero_shot.py``, with plans of two to four short steps, for small models; those of
``questions_paper.py`` have the paper's design.
"""

from typing import ClassVar

from .answers import LETTER, NUMBER, WORD
from .base import Problem
from .bundled import questions_of, rows_of
from .datasets import DATASETS, list_choices, load
from .style import Sources
from .zero_shot import ZeroShot, numbered


def _file(name: str) -> Sources:
    dataset = DATASETS[name]
    return {"file": (f"{dataset.about}, {dataset.files[0]} in TOT_DATA_DIR", lambda: load(name))}


def _book(name: str, about: str) -> Sources:
    """The problems that a study made, which come with the package."""
    return {"book": (about, lambda: questions_of(name))}


def _arithmetic(name: str) -> Sources:
    return {**_book(name, "60 problems of this style made by studies/problems/arithmetic.py"), **_file(name)}


class AddSub(ZeroShot):
    """Word problems of sums and differences; the answer is a number."""

    name = "addsub"
    summary = "word problems of sums and differences (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic(name)


class MultiArith(ZeroShot):
    """Word problems of two or three steps; the answer is a number."""

    name = "multiarith"
    summary = "word problems of two or three steps (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic(name)


class SVAMP(ZeroShot):
    """Short word problems with numbers that are not needed; the answer is a number."""

    name = "svamp"
    summary = "short word problems with numbers that are not needed (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic(name)


class SingleEq(ZeroShot):
    """Word problems of one equation; the answer is a number."""

    name = "singleeq"
    summary = "word problems of one equation (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic(name)


def _commonsense() -> list[Problem]:
    return numbered(
        (f"{question}\n{list_choices(zip('ABCDE', options, strict=True))}", gold)
        for gold, question, *options in rows_of("commonsense_questions.txt")
    )


class CommonsenseQA(ZeroShot):
    """Everyday questions with five choices; the answer is the letter of a choice."""

    name = "commonsenseqa"
    summary = "everyday questions with five choices (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = {
        "book": ("40 questions written for the book; each letter is right eight times", _commonsense),
        **_file("commonsenseqa"),
    }


class LastLetters(ZeroShot):
    """Join the last letters of names; the answer is a word."""

    name = "last_letters"
    summary = "join the last letters of names (Planning with MCTS, table 1)"
    form = WORD
    sources: ClassVar[Sources] = {
        **_book("last_letters", "60 questions made by studies/problems/puzzles.py: two names, then three, then four"),
        **_file("last_letters"),
    }


def _tracking(people: int) -> list[Problem]:
    return [problem for problem in questions_of("object_tracking") if problem.id.startswith(f"book-{people}-")]


class ObjectTracking(ZeroShot):
    """Who has what after some swaps; the answer is the letter of a choice."""

    name = "object_tracking"
    summary = "who has what after some swaps (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = {
        **_book("object_tracking", "120 stories made by studies/problems/puzzles.py"),
        "three": ("the 40 of them with three objects", lambda: _tracking(3)),
        "five": ("the 40 with five objects", lambda: _tracking(5)),
        "seven": ("the 40 with seven objects", lambda: _tracking(7)),
        **_file("object_tracking"),
    }


class CountLetters(ZeroShot):
    """How often a letter occurs in a word; the answer is a number."""

    name = "count_letters"
    summary = "how often a letter occurs in a word (Planning with MCTS, figure 2 and appendix A)"
    form = NUMBER
    sources: ClassVar[Sources] = _book(name, "60 words with a letter to count, made by studies/problems/puzzles.py")
