"""How a ``Solution`` shows itself in a notebook: by an entry of ``tot.views`` (see ``tot.doors``), or plainly."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

from . import doors

if TYPE_CHECKING:
    from .solution import Solution

GROUP = "tot.views"
CHOICE = "TOT_VIEW"  # the environment variable that names a view: an entry, or plain
WIDTH, LINES = 160, 500  # of the plain view: characters of a thought, and thoughts


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
    return f"{plain(solution)}\n<p>This is the plain view: {_line(why)}</p>"


def plain(solution: Solution) -> str:
    """The tree as indented text in HTML: a line for each thought with its value; those on the chosen way are bold."""
    nodes, best = solution.trace.nodes(), solution.trace.best
    chosen, at = set[str](), best[0] if best else None
    while at in nodes and at not in chosen:
        chosen.add(at)
        at = nodes[at].get("parent")
    children: dict[str | None, list[str]] = {}
    for id, node in nodes.items():
        children.setdefault(node.get("parent"), []).append(id)
    lines = [_line(f"{solution.task}, {solution.method}: {solution.answer} ({solution.verdict})")]
    waiting = [(id, 0) for id in reversed(children.get(None, []))]
    while waiting and len(lines) <= LINES:
        id, depth = waiting.pop()
        waiting += [(child, depth + 1) for child in reversed(children.get(id, []))]
        value = f" [{nodes[id]['value']:.3g}]" if isinstance(nodes[id].get("value"), float | int) else ""
        text = "  " * depth + _line(f"{str(nodes[id].get('thought', ''))[:WIDTH]}{value}")
        lines.append(f"<b>{text}</b>" if id in chosen else text)
    if waiting:
        lines.append(f"and more: a line for the first {LINES} of {len(nodes)} thoughts")
    return "<pre>" + "\n".join(lines) + "</pre>"


def _line(text: str) -> str:
    """Untrusted text as one line of HTML, without control and direction marks."""
    return escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split())))
