"""One interactive page for any search: step through its events, open its nodes, see which nodes were open when.

The page is one piece of HTML with its own style, script and data, as a notebook stores it. So the same stored output
works in JupyterLab, VS Code and Colab, and on a page with neither kernel nor network. A widget would not: it needs a
widget manager, which static pages and Colab load from the network, and its state is stored apart from the output, under
random ids; and nothing here has to return to a kernel. Where no script runs (JupyterLab runs none in a notebook that it
does not trust), the page shows the tree as text.

``explorer.js`` is plain JavaScript without a framework. It draws only the nodes in sight, so that trees of thousands of
nodes scroll smoothly. What models said reaches it as JSON and is shown as text only, never as HTML.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from .escaping import clean, escape
from .explorer_data import FIELDS, view
from .layout import MINOR, fold, tidy
from .page import HTML
from .style import BAR, BORDER, CHOSEN, DARK, EDGE, FAINT, FONT, GROUND, INK, LOOKS
from .terminal import text
from .tree import Item, Picture, Traced, picture, summary

WIDTH, COLUMN = 150, 180  # of a node, and from one level to the next; all lengths here are in CSS pixels
TALL, LOW = 46, 24  # heights: of nodes with a row for status and numbers; of stubs, and leaves that came to nothing
LIMITS = (4000, 800, 160)  # characters of one text: the first limit with which the page is small enough
SMALL = 60  # trees of up to so many nodes are shown whole at first
ROWS = 150  # lines of the tree as text


def explorer(
    trace: Traced,
    *,
    size: int | None = 1_000_000,
    folded: bool | None = None,
    height: int = 420,
    step: int | None = None,
    node: str | None = None,
) -> HTML:
    """The search as a page to step through: a tree, what changes at each step, and what the models were asked.

    A notebook shows it as the last line of a cell; ``.save("tree.html")`` writes a document for a browser.

    ``size``: in bytes, about how large the page may be; None: no limit. Where it would be larger, prompts, replies and
    thoughts are cut; if that is not enough, prompts and replies are left out; a notice says so. ``folded``: at first,
    branches that came to nothing are folded (None: in trees of more than 60 nodes). ``height``: of the tree's window,
    in CSS pixels. ``step``: the step at which it opens, by its index in the steps of ``view`` (None: the last one).
    ``node``: id of the thought whose details are shown.

    Raises ValueError for a height below 100, and for a step or a node that the search does not have.
    """
    if height < 100:
        raise ValueError(f"height is at least 100 pixels, not {height}")
    seen = picture(trace)
    if node is not None and node not in seen.items:
        raise ValueError(f"no node {node!r} in this search: its nodes are {', '.join(list(seen.items)[:9])} ...")
    layouts = {
        "folded": _layout(seen, fold(seen, 1, 12, (*MINOR, "pruned"))),
        "whole": _layout(seen, fold(seen, None, None)),
    }
    small = len(seen.items) <= SMALL or layouts["folded"]["stubs"] == []
    about = clean(summary(seen))
    start: dict[str, Any] = {"folded": not small if folded is None else folded, "height": height, "about": about}
    start |= {} if step is None else {"step": step}
    start |= {} if node is None else {"node": list(seen.items).index(node)}
    look = {"width": WIDTH, "column": COLUMN, "tall": TALL, "low": LOW}
    fixed = {"layouts": layouts, "look": look, "start": start}
    frame = _frame(seen)
    room = None if size is None else size - len("".join(frame).encode()) - len(_json(fixed).encode())
    data, notice = _within(trace, room)
    last = len(data["steps"]) - 2  # the first row names the columns
    if step is not None and not 0 <= step <= last:
        raise ValueError(f"step is from 0 to {last} in this search, not {step}")
    before, after = frame
    carried = f'<script type="application/json">{_json({**fixed, **data, "notice": notice})}</script>\n'
    return HTML(before + carried + after, about)


def _within(trace: Traced, room: int | None) -> tuple[dict[str, Any], str]:
    """The data of the search, with texts as long as ``room`` bytes allow; and a notice of what was cut."""
    for limit in LIMITS:
        data = _packed(view(trace, limit=limit))
        if room is None or len(_json(data).encode()) <= room:
            cut = limit < LIMITS[0]
            return data, f"Texts are cut after {limit} characters, to keep this view small." if cut else ""
    data = _packed(view(trace, limit=LIMITS[-1], prompts=False))
    notice = (
        f"Prompts and replies are left out, and thoughts cut after {LIMITS[-1]} characters, to keep this view small."
    )
    return data, notice


def _packed(data: dict[str, Any]) -> dict[str, Any]:
    """The same in fewer bytes: tables as lists of rows below their columns, without unset ends; kinds and fields as
    numbers.
    """
    kinds, fields = list(dict.fromkeys(step["kind"] for step in data["steps"])), list(FIELDS)
    steps = [
        step
        | {"kind": kinds.index(step["kind"])}
        | {"set": [[fields.index(field), *more] for field, *more in step["set"]]}
        for step in data["steps"]
    ]
    packed: dict[str, Any] = {}
    for name, rows in (("nodes", data["nodes"]), ("steps", steps), ("requests", data["requests"])):
        columns = list(dict.fromkeys(key for row in rows for key in row))
        packed[name] = [columns]
        for row in rows:
            cells = [row.get(key) for key in columns]
            while cells and cells[-1] is None:
                cells.pop()
            packed[name].append(cells)
    return data | packed | {"kinds": kinds, "fields": fields}


def _layout(seen: Picture, items: dict[str, Item]) -> dict[str, Any]:
    """Where the nodes are: ``y`` and ``tall`` by number (y -1: folded); ``stubs`` as [parent, y, folded nodes];
    ``size`` as [depth, height].

    Levels are columns. Positions are those of the finished tree, so nothing moves from step to step.
    """
    tall = {id: bool(item.children) or item.chosen or item.status not in (*MINOR, "more") for id, item in items.items()}

    def gap(a: str, b: str) -> float:
        return 4.0 if items[a].parent == items[b].parent else 10.0

    size = {id: float(TALL if tall[id] else LOW) for id in items}
    y = tidy(seen.root, {id: item.children for id, item in items.items()}, size.__getitem__, gap)
    numbers = {id: i for i, id in enumerate(seen.items)}
    stubs = [
        [numbers[item.parent], round(y[id]), [numbers[one] for one in item.folded]]
        for id, item in items.items()
        if item.status == "more" and item.parent is not None
    ]
    return {
        "y": [round(y[id]) if id in y else -1 for id in seen.items],
        "tall": "".join("1" if tall.get(id) else "0" for id in seen.items),
        "stubs": stubs,
        "size": [max(item.depth for item in items.values()), round(max(y[id] + size[id] / 2 for id in items))],
    }


def _frame(seen: Picture) -> tuple[str, str]:
    """The page before the data (style, and the tree as text) and after it (the script)."""
    own = files(__package__)
    style = _colours() + own.joinpath("explorer.css").read_text(encoding="utf-8")
    script = _dense(own.joinpath("explorer.js").read_text(encoding="utf-8"))
    # the classes tell MathJax to leave dollar signs alone, the attribute tells JupyterLab to leave keys alone
    before = (
        '<div class="tot-explorer tex2jax_ignore mathjax_ignore" data-lm-suppress-shortcuts="true">\n'
        f"<style>{style}</style>\n"
        '<details class="tot-x-text" open=""><summary>The finished tree as text</summary>'
        f"<pre>{escape(clean(_text(seen)))}</pre></details>\n"
    )
    return before, f"<script>{script}</script>\n</div>"


def _text(seen: Picture) -> str:
    rows = text(seen.trace, max_dropped=2).split("\n")
    more = len(rows) - ROWS
    return "\n".join(rows[:ROWS] + ([f"... and {more} more lines"] if more > 1 else rows[ROWS:]))


def _dense(script: str) -> str:
    """The script in one line, without its comments: notebooks store pages line by line, and each explorer has a copy.

    This is safe with a script whose statements all end with a semicolon or a brace, as those of ours do.
    """
    lines = (re.sub(r"// .*", "", line).strip() for line in script.splitlines())
    return " ".join(line for line in lines if line)


def _json(data: dict[str, Any]) -> str:
    """JSON for the inside of a script element: it holds no "<", which could end the element or begin a comment."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _colours() -> str:
    """The colours of all views, as CSS variables; light, and dark where the page says so, but not on paper."""

    def rules(i: int, at: str) -> str:
        names = {"ground": GROUND, "border": BORDER, "ink": INK, "faint": FAINT, "bar": BAR, "edge": EDGE}
        names |= {"chosen": CHOSEN, "panel": LOOKS["kept"].fill}
        own = "".join(f"--{name}:{pair[i]};" for name, pair in names.items())
        found = [f"{at}.tot-explorer{{color-scheme:{('light', 'dark')[i]};{own}}}"]
        for name, look in LOOKS.items():
            own = f"--ink:{look.ink[i]};--line:{look.line[i]};--fill:{look.fill[i]}"
            found.append(f"{at}.tot-explorer .tot-x-{name}{{{own}}}")
        return "".join(found)

    return f".tot-explorer{{font-family:{FONT}}}{rules(0, '')}@media screen{{{rules(1, DARK + ' ')}}}"
