"""The tasks by name. One module each; see ``tot.task.Task`` for what a task provides."""

from ..task import Task
from .crosswords import Crosswords
from .game24 import Game24
from .hotpotqa import HotpotQA
from .questions import QUESTIONS
from .writing import Writing
from .zero_shot import GSM8K, StrategyQA

TASKS: dict[str, type[Task]] = {
    each.name: each for each in (Game24, Crosswords, Writing, HotpotQA, GSM8K, StrategyQA, *QUESTIONS)
}


def task(name: str) -> Task:
    """Raises ValueError naming the tasks that exist."""
    if name not in TASKS:
        raise ValueError(f"there is no task {name!r}: choose one of {', '.join(TASKS)}")
    return TASKS[name]()
