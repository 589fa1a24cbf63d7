"""How a ``Solution`` shows itself in a notebook: by an entry of ``tot.views`` (see ``tot.doors``), or plainly."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import doors

if TYPE_CHECKING:
    from .solution import Solution

GROUP = "tot.views"
CHOICE = "TOT_VIEW"  # the environment variable that names a view: an entry, or plain


def shown(solution: Solution) -> str:
    """HTML from the view that ``TOT_VIEW`` names, else from ``treebook`` if that is there, else from ``plain``.

    Where a view is missing or fails, from ``plain``, with a sentence that says why.
    """
    known = doors.names(GROUP)
    name = os.environ.get(CHOICE) or ("treebook" if "treebook" in known else "plain")
    if name == "plain":
        return plain(solution)
    if name not in known:
        why = f"there is no view {name!r}: set {CHOICE} to one of {', '.join(['plain', *known])}"
        return _instead(solution, why)
    try:
        view = doors.load(GROUP, name)
    except ValueError as error:
        return _instead(solution, str(error))
    try:
        page = view(solution)
        if not isinstance(page, str):
            raise TypeError(f"it returned {page!r:.40} in place of text")
    except Exception as error:
        return _instead(solution, doors.fault(GROUP, name, "failed", error))
    return page


def _instead(solution: Solution, why: str) -> str:
    from .show.escaping import escape, line

    return f"{plain(solution)}\n<p>This is the plain view: {escape(line(why))}</p>"


def plain(solution: Solution) -> str:
    """The tree as a picture, of which nothing opens: ``tot.show.svg``."""
    from .show.drawing import svg

    return svg(solution)._repr_html_()
