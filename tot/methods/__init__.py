"""The methods by name: recipe (generator, evaluator, search), answer rule, and the kind of task each one needs."""

from importlib import import_module

from ..doors import Registry
from ..tasks.base import Task
from .base import Knob, Method, Recipe, knob

__all__ = ["METHODS", "Knob", "Method", "Recipe", "knob", "method", "usual"]

PLACES = {  # name -> the module whose HERE has it, in the order of listings
    name: module
    for module, names in (
        (".prompting", "io cot cot-sc few-shot io-best-of-k cot-best-of-k io-best-of-k-gold cot-best-of-k-gold"),
        (".prompting", "io-refine-checked io-refine"),
        (".tree_of_thoughts", "tot-bfs tot-dfs"),
        (".guided", "likely-beam levin"),
        (".tree_of_thoughts", "tot-vote tot-vote-refine"),
        (".planning", "zero-shot-cot plan-and-solve judged-plans mcts-plan"),
        (".acting", "retrieve-read react react-dfs react-best-first itot-astar itot-dstar lats"),
    )
    for name in names.split()
}


def _own(name: str) -> Method:
    found: tuple[Method, ...] = import_module(PLACES[name], __name__).HERE
    return next(each for each in found if each.name == name)


def _fits(name: str, thing: object) -> bool:
    return isinstance(thing, Method) and thing.name == name


# The methods by name, those that gold makes an upper bound among them; a module is imported when one of its methods is
# looked up, so that ``import tot`` stays quick.
METHODS = Registry("tot.methods", PLACES, _own, _fits)


def usual(task: Task) -> Method:
    """The default method for a task: its ``usual`` if it has one, else the first Tree of Thoughts that it supports,
    else chain of thought.
    """
    if name := getattr(task, "usual", ""):
        return method(name)
    trees = (METHODS[name] for name in PLACES if name.startswith("tot-"))
    return next((tree for tree in trees if not tree.missing(task)), None) or METHODS["cot"]


def method(name: str) -> Method:
    """The method of that name. Raises ValueError, listing all methods, if there is none."""
    if name not in METHODS:
        raise ValueError(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
