"""A trace as data for pictures and as plain text; tables of many results.

Everything here reads plain data (``tot.trace``, results lines) and returns text that is the same on every machine.
Model output is untrusted: it is escaped, cleaned of control and direction marks, and shortened wherever it is shown.
A name is loaded when it is asked for: who prints a tree loads no table. ``treebook.show`` has these names, too, and
all that draws: pictures, pages, tables in HTML, the book's figures.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..moved import refusal

if TYPE_CHECKING:
    from .tables import Table, results_table, table
    from .terminal import text
    from .tree import Item, Picture, picture

__all__ = ["Item", "Picture", "Table", "picture", "results_table", "table", "text"]

PLACES = {  # module: what it draws
    "tot.show.tables": "Table results_table table",
    "tot.show.terminal": "text",
    "tot.show.tree": "Item Picture picture",
}


def loader(facade: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module that draws what is in ``places``."""
    homes = {name: place for place, names in places.items() for name in names.split()}

    def load(name: str) -> Any:
        if error := refusal(f"{facade}.{name}"):
            raise error
        if name not in homes:
            raise AttributeError(f"{facade} draws no {name!r}: it has {', '.join(sorted(homes))}")
        return getattr(import_module(homes[name]), name)

    return load


if not TYPE_CHECKING:  # for a type checker a wrong name stays an error
    __getattr__ = loader(__name__, PLACES)
