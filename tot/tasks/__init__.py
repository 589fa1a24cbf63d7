"""The tasks by name. ``tot.tasks.base`` says what a task provides."""

from importlib import import_module

from ..doors import Registry
from .base import Task

PLACES = {
    "game24": "game24.Game24",
    "crosswords": "crosswords.Crosswords",
    "writing": "writing.Writing",
    "hotpotqa": "hotpotqa.HotpotQA",
    "questions": "open_questions.OpenQuestions",
    "gsm8k": "zero_shot.GSM8K",
    "strategyqa": "zero_shot.StrategyQA",
    "addsub": "questions.AddSub",
    "multiarith": "questions.MultiArith",
    "svamp": "questions.SVAMP",
    "singleeq": "questions.SingleEq",
    "commonsenseqa": "questions.CommonsenseQA",
    "last_letters": "questions.LastLetters",
    "object_tracking": "questions.ObjectTracking",
    "count_letters": "questions.CountLetters",
}


def _own(name: str) -> type[Task]:
    module, _, kind = PLACES[name].partition(".")
    found: type[Task] = getattr(import_module(f".{module}", __name__), kind)
    return found


def _fits(name: str, thing: object) -> bool:
    # built once to try: one that raises is told of as one that cannot be loaded
    return isinstance(thing, type) and getattr(thing, "name", "") == name and thing() is not None


# The tasks by name: "game24" -> the class Game24; a module is imported when its task is looked up, so that
# ``import tot`` stays quick.
TASKS = Registry("tot.tasks", PLACES, _own, _fits)


def task(name: str) -> Task:
    """The task of that name, or one's own at a place such as "my_talks.py:Talks" or "my_module:Talks" (``tasks.own``).

    Raises ValueError saying which tasks there are, or what is wrong with an entry or at that place.
    """
    if name in TASKS:
        return TASKS[name]()
    found: Task = import_module(".own", __name__).own(name, TASKS)
    return found
