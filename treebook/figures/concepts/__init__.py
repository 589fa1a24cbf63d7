"""Drawings of ideas: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each says in words (``about``) what it shows. What has no data is an SVG file beside this one, in the classes and
colours of ``treebook.figures.kit``; what is drawn from data has a module, which draws with it.
"""

from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from ..drawing import SVG
from ..maps import side_by_side
from ..page import HTML
from .repairing import dstar_turns as dstar_turns
from .role_changes import casts as casts
from .turning import turned as turned

PARTS = ("prompt", "tree", "tools", "monte carlo", "practice", "appendices")  # of the book


@cache
def _drawn(name: str) -> SVG:
    """The picture in ``NAME.svg``."""
    text = files(__package__).joinpath(f"{name}.svg").read_text(encoding="utf-8").removesuffix("\n")
    head = ElementTree.fromstring(text)
    return SVG(text, head.get("aria-label", ""), float(head.get("width", 0)))


def methods() -> SVG:
    """Five ways from a question to an answer, one panel each; small boxes are thoughts, blue leads to the answer."""
    return _drawn("methods")


def asking() -> SVG:
    """One round of a search as a sequence, time downwards: the search yields a question and is paused, the driver looks
    at the budget and carries the question to the model, and the replies go back into the search. A thick line: running.
    """
    return _drawn("asking")


def wilson() -> SVG:
    """How Wilson's interval for 3 of 20 comes about: a row is a possible true rate, its bar the observed rates within
    1.96 standard errors of it. Rows whose bar reaches the observed rate are kept: they are the interval.
    """
    return _drawn("wilson")


def orders() -> HTML:
    """The same scripted tree for ToT-BFS (b = 2), ToT-DFS, best-first search, iToT-A* and MCTS.

    The number in a node says when it was judged by the package's own search; a node without a number never was. The
    number beside it is what the judge says.
    """
    return side_by_side([_drawn(f"orders_{name}") for name in ("bfs", "dfs", "best_first", "a_star", "mcts")])


def ucb_step() -> SVG:
    """One step of UCB1: three levers as bars, mean and bonus one after the other; the longest is pulled next."""
    return _drawn("ucb_step")


def injection() -> SVG:
    """A page that a tool returned holds an order. No way leads from the page to the tools; one leads through the model,
    which may obey. What its reply may ask for, a reader limits to three actions.
    """
    return _drawn("injection")


def transformer() -> SVG:
    """One layer of the pocket model, with its real sizes. From tokens to scores of the next one: embedding, a layer
    with attention and MLP beside the residual stream, and the way back to words.
    """
    return _drawn("transformer")


def cassette() -> SVG:
    """A request for three samples meets a cassette that holds two of them: two replay, one is asked for or refused. The
    key is the package's own (``Request.key``), shortened to six digits.
    """
    return _drawn("cassette")


def reliabilities() -> SVG:
    """Three judges of the same plans: a thick curve over all of them, a thin one for each problem, and how often the
    right one of two plans of one problem has the higher reward.
    """
    return _drawn("reliabilities")


def roles() -> SVG:
    """What the roles of a search over plans write for each other, and what each of them sees: the question, the plan,
    the judges' words, the gold answer.
    """
    return _drawn("roles")


def lessons() -> SVG:
    """One round of expert iteration: the model plays both roles of a search, a program checks the ways found, and each
    way becomes lessons for the model's three kinds of reply.
    """
    return _drawn("lessons")


def thumbnails() -> dict[str, SVG]:
    """One picture of 120 x 80 pixels for each part of the book, by a short name: "prompt", "tree", "tools",
    "monte carlo", "practice", "appendices". They decorate a card that says the same in words.
    """
    return {part: _drawn(f"part_{part.replace(' ', '_')}") for part in PARTS}
