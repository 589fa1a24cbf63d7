"""Drawings of ideas: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each says in words (``about``) what it shows. What has no data is an SVG file beside this one, without colours (``kit``
brings them), and a function of its name returns it: ``anybody``, ``asking``, ``ballots``, ``board``, ``bridge``,
``cassette``, ``checked``, ``commitment``, ``injection``, ``inside``, ``leaks``, ``lessons``, ``methods``, ``orders``,
``pencil``, ``questions``, ``reliabilities``, ``roles``, ``seats``, ``strictness``, ``tokens``, ``transformer``,
``ucb_step``, ``undo``, ``wilson``. What is drawn from data has a module.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from xml.etree import ElementTree

from ..drawing import SVG, with_phone
from ..kit import drawn
from ..maps import side_by_side
from ..page import HTML
from .repairing import dstar_turns as dstar_turns
from .role_changes import casts as casts
from .turning import turned as turned


def __getattr__(name: str) -> Callable[[], SVG | HTML]:
    if not files(__package__).joinpath(f"{name}.svg").is_file():
        raise AttributeError(f"there is no drawing {name!r} in {__name__}")
    return partial(_shown, name)


@cache
def panels(file: str) -> dict[str, SVG]:
    """The drawings in ``FILE.svg`` by name (or title); "down" is the first for a phone, and says the same.
    In "contents" is a picture of 120 x 80 pixels for each chapter, by the name of its notebook; they decorate words
    that say the same.
    """
    root = ElementTree.fromstring(files(__package__).joinpath(f"{file}.svg").read_text(encoding="utf-8"))
    for phone in root.findall("svg[@name='down']"):
        phone.attrib = {**root[0].attrib, **phone.attrib}
    return {one.get("name", one.get("title", "")): drawn(one) for one in root.iter("svg")}


def _shown(file: str) -> SVG | HTML:
    first, *more = panels(file).values()
    if "down" in panels(file):
        return with_phone(first, panels(file)["down"])
    return side_by_side([first, *more]) if more else first
