"""Files that a page fetches when a cell reads them, and not before: weights that one chapter each has a use for."""

from __future__ import annotations

from pathlib import Path

FILES = ("studies/teach/novice.safetensors", "studies/teach/pupil.safetensors", "studies/stream/stream.safetensors")


def lend(book: str | Path, address: str) -> None:
    """``FILES`` below ``book``, as if they were there. ``address``: of the folder that has them, with a slash."""
    from pyodide_js import FS

    for name in FILES:
        place = Path(book, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        FS.createLazyFile(str(place.parent), place.name, address + name, True, False)
