"""The methods by name: recipe (generator, evaluator, search), answer rule, and the kind of task each one needs."""

from dataclasses import replace
from importlib import import_module
from typing import Any

from ..doors import Registry
from ..tasks.base import Task
from .base import Knob, Method, Recipe, knob

__all__ = ["METHODS", "Knob", "Method", "Recipe", "knob", "method", "usual"]

PLACES = {  # name -> the module whose HERE has it, in the order of listings
    name: module
    for module, names in (
        (".prompting", "io cot cot-sc few-shot best-of judged-best-of io-refine-checked io-refine"),
        (".tree_of_thoughts", "tot-bfs tot-dfs tot-mcts tot-vote tot-vote-refine"),
        (".restarts", "restarts"),
        (".adaptive", "ab-mcts"),
        (".resampled", "dvts rebase particles"),
        (".planning", "zero-shot-cot plan-and-solve judged-plans mcts-plan"),
        (".acting", "retrieve-read react react-dfs react-best-first itot-astar itot-dstar lats"),
    )
    for name in names.split()
}
OTHER_NAMES: dict[str, dict[str, Any]] = {  # of best-of, which are not listed -> the defaults that it has under them
    "best-of-gold": {"picks": "gold"},
    "io-best-of-k": {"k": 1, "prompt": "io", "picks": "check"},
    "cot-best-of-k": {"k": 1, "prompt": "cot", "picks": "check"},
    "io-best-of-k-gold": {"k": 1, "prompt": "io", "picks": "gold"},
    "cot-best-of-k-gold": {"k": 1, "prompt": "cot", "picks": "gold"},
}


def _own(name: str) -> Method:
    if name in OTHER_NAMES:
        return replace(_own("best-of"), name=name, preset=OTHER_NAMES[name])
    found: tuple[Method, ...] = import_module(PLACES[name], __name__).HERE
    return next(each for each in found if each.name == name)


# The methods by name; a module is imported when one of its methods is looked up, so that ``import tot`` stays quick.
METHODS = Registry(
    "tot.methods", PLACES, _own, lambda name, it: isinstance(it, Method) and it.name == name, OTHER_NAMES
)


def usual(task: Task) -> Method:
    """The default method for a task: its ``usual``, else the first Tree of Thoughts that it supports, else ``cot``."""
    if name := getattr(task, "usual", ""):
        return method(name)
    trees = (METHODS[name] for name in PLACES if name.startswith("tot-"))
    return next((tree for tree in trees if not tree.missing(task)), None) or METHODS["cot"]


def method(name: str) -> Method:
    """The method of that name. Raises ValueError, listing all methods, if there is none."""
    if name not in METHODS:
        raise ValueError(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
