"""A trace as a picture, as a page and as plain text; tables of many results.

Everything here reads plain data (``tot.trace``, results lines) and returns text that is the same on every machine.
Model output is untrusted: it is escaped, cleaned of control and direction marks, and shortened wherever it is shown.
A name is loaded when it is asked for: who prints a tree loads no table. ``treebook.show`` has these names, too, and
the book's figures.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..moved import refusal

if TYPE_CHECKING:
    from .drawing import SVG, svg
    from .page import HTML, html
    from .tables import Table, results_table, table
    from .terminal import text
    from .tree import Item, Picture, picture

PLACES = {  # module: what it draws
    "drawing": "SVG svg",
    "page": "HTML html",
    "tables": "Table results_table table",
    "terminal": "text",
    "tree": "Item Picture picture",
}
_HOME = {name: place for place, names in PLACES.items() for name in names.split()}

__all__ = ["HTML", "SVG", "Item", "Picture", "Table"]
__all__ += ["html", "picture", "results_table", "svg", "table", "text"]


if not TYPE_CHECKING:  # for a type checker a wrong name stays an error

    def __getattr__(name: str) -> Any:
        if error := refusal(f"{__name__}.{name}"):
            raise error
        if name not in _HOME:
            raise AttributeError(f"tot.show draws no {name!r}: it has {', '.join(__all__)}")
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
