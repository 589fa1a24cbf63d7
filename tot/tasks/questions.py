"""The other tasks of *Planning with MCTS*, table 1: AddSub, MultiArith, SVAMP, SingleEq, CommonsenseQA, Last Letters,
Object Tracking; and counting letters, its running example. Each is an answer format and its problems: see ``ZeroShot``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from .answers import LETTER, NUMBER, WORD
from .base import Problem
from .datasets import DATASETS, list_choices, load
from .zero_shot import Sources, ZeroShot, bundled, numbered


def _file(name: str) -> tuple[str, Callable[[], list[Problem]]]:
    dataset = DATASETS[name]
    return f"{dataset.about}, {dataset.files[0]} in TOT_DATA_DIR", lambda: load(name)


def _arithmetic(name: str) -> Sources:
    def made() -> list[Problem]:
        from .arithmetic import arithmetic  # here and below: what makes problems is no part of `import tot`

        return numbered(arithmetic(name))

    return {"book": ("60 problems of this style made by tot/tasks/arithmetic.py", made), "file": _file(name)}


class AddSub(ZeroShot):
    name = "addsub"
    summary = "word problems of sums and differences (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic("addsub")


class MultiArith(ZeroShot):
    name = "multiarith"
    summary = "word problems of two or three steps (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic("multiarith")


class SVAMP(ZeroShot):
    name = "svamp"
    summary = "short word problems with numbers that are not needed (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic("svamp")


class SingleEq(ZeroShot):
    name = "singleeq"
    summary = "word problems of one equation (Planning with MCTS, table 1)"
    form = NUMBER
    sources: ClassVar[Sources] = _arithmetic("singleeq")


def _commonsense() -> list[Problem]:
    return numbered(
        (f"{question}\n{list_choices(zip('ABCDE', options, strict=True))}", gold)
        for gold, question, *options in bundled("commonsense_questions.txt")
    )


class CommonsenseQA(ZeroShot):
    name = "commonsenseqa"
    summary = "everyday questions with five choices (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = {
        "book": ("40 questions written for the book; each letter is right eight times", _commonsense),
        "file": _file("commonsenseqa"),
    }


def _last_letters() -> list[Problem]:
    from .puzzles import last_letters

    return numbered(last_letters())


class LastLetters(ZeroShot):
    name = "last_letters"
    summary = "join the last letters of names (Planning with MCTS, table 1)"
    form = WORD
    sources: ClassVar[Sources] = {
        "book": ("60 questions made by tot/tasks/puzzles.py: two names, then three, then four", _last_letters),
        "file": _file("last_letters"),
    }


def _tracking(*numbers: int) -> list[Problem]:
    from .puzzles import object_tracking

    return [problem for n in numbers for problem in numbered(object_tracking(n), f"book-{n}")]


class ObjectTracking(ZeroShot):
    name = "object_tracking"
    summary = "who has what after some swaps (Planning with MCTS, table 1)"
    form = LETTER
    sources: ClassVar[Sources] = {
        "book": ("120 stories made by tot/tasks/puzzles.py", lambda: _tracking(3, 5, 7)),
        "three": ("the 40 of them with three objects", lambda: _tracking(3)),
        "five": ("the 40 with five objects", lambda: _tracking(5)),
        "seven": ("the 40 with seven objects", lambda: _tracking(7)),
        "file": _file("object_tracking"),
    }


def _count_letters() -> list[Problem]:
    from .puzzles import count_letters

    return numbered(count_letters())


class CountLetters(ZeroShot):
    name = "count_letters"
    summary = "how often a letter occurs in a word (Planning with MCTS, figure 2 and appendix A)"
    form = NUMBER
    sources: ClassVar[Sources] = {
        "book": ("60 words with a letter to count, from tot/tasks/puzzles.py", _count_letters)
    }


QUESTIONS = (AddSub, MultiArith, SVAMP, SingleEq, CommonsenseQA, LastLetters, ObjectTracking, CountLetters)
