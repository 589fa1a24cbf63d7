"""Drawings of ideas: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each says in words (``about``) what it shows. What has no data is an SVG file beside this one, in the classes and
colours of ``treebook.figures.kit``, and a function of that name returns it: ``asking``, ``cassette``, ``injection``,
``lessons``, ``methods``, ``reliabilities``, ``roles``, ``tokens``, ``transformer``, ``ucb_step``,
``wilson``. What is drawn from data has a module.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from xml.etree import ElementTree

from ..drawing import SVG
from ..maps import side_by_side
from ..page import HTML
from .repairing import dstar_turns as dstar_turns
from .role_changes import casts as casts
from .turning import turned as turned

PARTS = ("prompt", "tree", "tools", "monte carlo", "practice", "appendices")  # of the book


def __getattr__(name: str) -> Callable[[], SVG]:
    if not files(__package__).joinpath(f"{name}.svg").is_file():
        raise AttributeError(f"there is no drawing {name!r} in {__name__}")
    return partial(_drawn, name)


@cache
def _drawn(name: str) -> SVG:
    """The picture in ``NAME.svg``."""
    text = files(__package__).joinpath(f"{name}.svg").read_text(encoding="utf-8").removesuffix("\n")
    head = ElementTree.fromstring(text)
    return SVG(text, head.get("aria-label", ""), float(head.get("width", 0)))


def orders() -> HTML:
    """The same scripted tree for ToT-BFS (b = 2), ToT-DFS, best-first search, iToT-A* and MCTS.

    The number in a node says when it was judged by the package's own search; a node without a number never was. The
    number beside it is what the judge says.
    """
    return side_by_side([_drawn(f"orders_{name}") for name in ("bfs", "dfs", "best_first", "a_star", "mcts")])


def thumbnails() -> dict[str, SVG]:
    """One picture of 120 x 80 pixels for each part of the book, by a short name: "prompt", "tree", "tools",
    "monte carlo", "practice", "appendices". They decorate a card that says the same in words.
    """
    return {part: _drawn(f"part_{part.replace(' ', '_')}") for part in PARTS}
