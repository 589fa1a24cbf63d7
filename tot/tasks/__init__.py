"""The tasks by name. One module each; see ``tot.task.Task`` for what a task provides."""

from ..task import Task
from .game24 import Game24

TASKS: dict[str, type[Task]] = {Game24.name: Game24}


def task(name: str) -> Task:
    """Raises ValueError naming the tasks that exist."""
    if name not in TASKS:
        raise ValueError(f"there is no task {name!r}: choose one of {', '.join(TASKS)}")
    return TASKS[name]()
