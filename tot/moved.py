"""Where names went: an import of an old one fails with a sentence that says where it is now.

``moved.json`` has what moved in November 2026, when the book's figures, lab and pocket models became a package of their
own: old name -> new name, of modules with all that is in them and of single names. The reference shows it as a page.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path


def table() -> dict[str, str]:
    """Old name -> new name."""
    import json

    moved: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return moved


def refusal(name: str) -> ModuleNotFoundError | None:
    """The error that says where a name is now, None if it has not moved."""
    for old, new in table().items():
        if name == old or name.startswith(f"{old}."):
            return ModuleNotFoundError(f"{name} is now {new}{name.removeprefix(old)}: import it from there", name=name)
    return None


def absent(module: str) -> Callable[[str], object]:
    """The ``__getattr__`` of a module from which names have moved."""

    def refuse(name: str) -> object:
        raise refusal(f"{module}.{name}") or AttributeError(f"module {module!r} has no attribute {name!r}")

    return refuse


class Finder:
    """Asked by ``import`` when nobody has found a module. Raises ModuleNotFoundError for one that has moved."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """None: it finds nothing, it only knows where things went."""
        if name.startswith("tot.") and (error := refusal(name)):
            raise error
        return None


def explain() -> None:
    """From now on imports of old names are explained."""
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)
