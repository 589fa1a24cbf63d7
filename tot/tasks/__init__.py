"""The tasks by name. ``tot.tasks.base`` says what a task provides."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from .base import Task

PLACES = {
    "game24": "game24.Game24",
    "crosswords": "crosswords.Crosswords",
    "writing": "writing.Writing",
    "hotpotqa": "hotpotqa.HotpotQA",
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


class _Tasks(Mapping[str, type[Task]]):
    """Name -> class. A module is imported when its task is looked up, so that ``import tot`` stays quick."""

    def __getitem__(self, name: str) -> type[Task]:
        module, _, kind = PLACES[name].partition(".")
        found: type[Task] = getattr(import_module(f".{module}", __name__), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(PLACES)

    def __len__(self) -> int:
        return len(PLACES)


TASKS = _Tasks()  # the tasks by name: "game24" -> the class Game24


def task(name: str) -> Task:
    """The task of that name. Raises ValueError naming the tasks that exist."""
    if name not in PLACES:
        raise ValueError(f"there is no task {name!r}: choose one of {', '.join(PLACES)}")
    return TASKS[name]()
