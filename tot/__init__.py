"""Thinking in Trees: deliberate problem solving with language models.

``solve`` runs one method on one problem. Searches (``tot.search``) yield requests; ``run`` sends them to models
(``tot.lm``) and records a trace (``tot.trace``), from which everything is displayed. The core needs only Python's
standard library.
"""

from . import moved as _moved
from . import starting as starting  # first: it watches for Ctrl-C while the rest is imported
from .ask import Ask
from .budget import Budget, Ledger
from .evaluate import agreement, constant, judges, value, vote
from .events import Best, Event, Kept, Pruned
from .generate import generator, ranked
from .lm.base import LM, LMError, Message, Miss, Reply, Request, Sample, Usage, user
from .lm.cassette import Cassette
from .lm.scripted import Scripted
from .methods import METHODS, Method, method
from .runner import Result, Run, run, run_many, steps
from .solution import Job, Solution, solve
from .state import Node, Observation, State, Thought
from .tasks import TASKS, task
from .tasks.base import Problem, Score, Task
from .trace import Trace

_moved.explain()

TYPE_CHECKING = False
if TYPE_CHECKING:
    __version__: str
    from .awaited import asolve, asteps
    from .lm.openai import OpenAI as OpenAI
    from .search import best_first, bfs, dfs, itot_astar, itot_dstar, mcts
    from .show.report import results as results
    from .tasks.stepwise import Stepwise as Stepwise
else:  # for a type checker a wrong name stays an error
    _SEARCHES = ("best_first", "bfs", "dfs", "itot_astar", "itot_dstar", "mcts")
    _LATE = dict.fromkeys(_SEARCHES, "search") | {"asolve": "awaited", "asteps": "awaited"}  # name -> its module
    _LATE |= {"OpenAI": "lm.openai", "Stepwise": "tasks.stepwise", "results": "show.report"}

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version("thinking-in-trees")  # pyproject.toml says it, once
        if name == "search" or name in _LATE:
            from importlib import import_module

            module = import_module(f".{_LATE.get(name, name)}", __name__)
            return module if name == "search" else getattr(module, name)
        raise _moved.refusal(f"tot.{name}") or AttributeError(f"module 'tot' has no attribute {name!r}")


__all__ = [
    "LM", "METHODS", "TASKS", "Ask", "Best", "Budget", "Cassette", "Event", "Job", "Kept", "LMError", "Ledger",
    "Message", "Method", "Miss", "Node", "Observation", "Problem", "Pruned", "Reply", "Request", "Result", "Run",
    "Sample", "Score", "Scripted", "Solution", "State", "Task", "Thought", "Trace", "Usage", "agreement", "asolve",
    "asteps", "best_first", "bfs", "constant", "dfs", "generator", "itot_astar", "itot_dstar", "judges", "mcts",
    "method", "ranked", "run", "run_many", "solve", "steps", "task", "user", "value", "vote",
]  # fmt: skip
