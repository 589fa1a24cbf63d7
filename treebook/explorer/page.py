"""One interactive page for any search: step through its events, open its nodes, see which nodes were open when.

The page is one piece of HTML with its own style, script and data, as a notebook stores it. So the same stored output
works in JupyterLab, VS Code and Colab, and on a page with neither kernel nor network. A widget would not: it needs a
widget manager, which static pages and Colab load from the network, and its state is stored apart from the output, under
random ids; and nothing here has to return to a kernel. Where no script runs (JupyterLab runs none in a notebook that it
does not trust), and on paper, the page shows the finished tree as ``show.svg`` draws it; one that is too large for
that, and one that still grows, as text.

``explorer*.js`` is plain JavaScript without a framework. It draws only the nodes in sight, so that trees of thousands
of nodes scroll smoothly. What models said reaches it as JSON and is shown as text only, never as HTML. The marks
``data-tot-once`` say that a page with several explorers needs this style and this script only once: those of the book
are kept once (``tools/pages/weight.py``), those of a notebook are in each output, which may be shown alone.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from tot.jsonlines import dumps
from tot.show.escaping import clean, escape
from tot.show.terminal import text
from tot.show.tree import Picture, Traced, picture, refusing_damage

from ..figures.drawing import draw, summary
from ..figures.layout import lay_out
from ..figures.looks import BORDER, CHOSEN, DARK, EDGE, FAINT, FONT, GROUND, INK, LOOKS
from ..figures.page import HTML
from .data import FIELDS, view

SCRIPTS = [*(f"explorer_{part}.js" for part in ("basics", "story", "layout", "tree", "panel")), "explorer.js"]
GROWING = "explorer_growing.js"  # only in a page that is told more: ``growing``
LENGTHS = (4000, 800, 160)  # characters of one text: the first limit with which the page is small enough
DRAWN = 60_000  # characters of the tree as a picture: a larger one is text
ROWS, COLUMNS = 150, 88  # of the tree as text


@refusing_damage
def explorer(
    trace: Traced,
    *,
    size: int | None = 1_000_000,
    folded: bool | None = None,
    height: int = 600,
    step: int | str | None = None,
    node: str | None = None,
    details: bool = True,
    play: bool = False,
) -> HTML:
    """The search as a page to step through: a tree, what changes at each step, and what the models were asked.

    A notebook shows it as the last line of a cell; ``.save("tree.html")`` writes a document for a browser. It opens
    with the problem and a *Play* button, and the tree grows with the search.

    ``size``: in bytes, about how large the page may be; None: no limit. Where it would be larger, prompts, replies and
    thoughts are cut; if that is not enough, prompts and replies are left out; a notice says so. ``folded``: at first,
    branches that came to nothing are folded, once the search has gone on (None: where the tree would not fit).
    ``height``: of the tree's window, at most, in CSS pixels. ``step``: the step at which it opens, by its index in the
    steps of ``view``, from the end if negative; "end" is the finished tree. ``node``: id of the thought whose details
    are shown; if ``step`` is None, it opens at the end, where every thought is there. ``details``: False leaves only
    the tree, with a line about the step below it. ``play``: it plays by itself, once, when it comes into view, and
    pauses below the pointer; readers who want no motion see the finished tree.

    Raises ValueError for a height below 100, and for a step or a node that the search does not have.
    """
    if height < 100:
        raise ValueError(f"height is at least 100 pixels, not {height}")
    seen = picture(trace)
    if node is not None and node not in seen.items:
        raise ValueError(f"no node {node!r} in this search: its nodes are {', '.join(list(seen.items)[:9])} ...")
    about = clean(summary(seen))
    last = 1 + sum(event.get("kind") != "introduced" for event in seen.trace.events)  # see ``view``
    start: dict[str, Any] = {"folded": folded, "height": height, "about": about}
    start["step"] = _step(step, last, last if node is not None else 0)
    start |= {} if node is None else {"node": list(seen.items).index(node)}
    start |= {} if details else {"bare": True}
    start |= {"play": True} if play else {}
    layout = lay_out(seen, max_dropped=2, max_children=12, lines=2, chars=20, title=True)
    still = draw(seen, layout, tips=False)  # paper has none
    before, after = _frame(still if len(still) <= DRAWN else _pre(seen), css=" wide" if details else "")
    room = None if size is None else size - len((before + after + _json({"start": start})).encode())
    data, notice = _within(trace, room) if details else (_packed(view(trace, limit=LENGTHS[-1], prompts=False)), "")
    carried = f'<script type="application/json">{_json({"start": start, **data, "notice": notice})}</script>\n'
    return HTML(before + carried + after, about)


def slowly(trace: Traced, told: Mapping[int | str, str], *, height: int = 600) -> HTML:
    """One search beside paragraphs: the tree stays where it is, and each paragraph that the reader scrolls to brings it
    to its step. ``told``: step -> paragraph, in order; for steps and ``height`` see ``explorer``. Without script, on
    paper too, it is the finished tree with the paragraphs.
    """
    film = explorer(trace, details=False, height=height)
    last = json.loads(film.rpartition('<script type="application/json">')[2].partition("</script>")[0])["steps"]
    steps = [(_step(step, len(last) - 2, 0), text) for step, text in told.items()]
    paragraphs = "".join(f'<p data-step="{step}">{escape(text)}</p>' for step, text in steps)
    return HTML(f'<div class="tot-slowly wide">{film}<div>{paragraphs}</div></div>', film.about)


def growing(trace: Traced) -> HTML:
    """The explorer of what has happened so far. Its element has ``totExplorer.grow(data)``, for ``grown``.

    Raises ValueError for a trace without nodes.
    """
    data = grown(trace)
    before, after = _frame(_pre(picture(trace)), GROWING)
    return HTML(f'{before}<script type="application/json">{_json(data)}</script>\n{after}', data["start"]["about"])


@refusing_damage
def grown(trace: Traced, *, ended: bool = False) -> dict[str, Any]:
    """The search so far as the data of its page. Until it has ``ended`` there is no last step that says so.

    ``text``: the tree as text. The rest is as in ``view``, packed as in any explorer's page.
    """
    seen = picture(trace)
    if ended:
        data, notice = _within(trace, 1_000_000)
    else:
        plain, notice = view(trace, limit=LENGTHS[1]), ""
        plain["steps"].pop()
        plain["best"].pop(len(plain["steps"]), None)
        data = _packed(plain)
    start = {"height": 600, "about": clean(summary(seen)), "ended": ended}
    start["step"] = len(data["steps"]) - 2  # below the columns
    return {"start": start, **data, "notice": notice, "text": clean(_text(seen))}


def _step(step: int | str | None, last: int, usual: int) -> int:
    """The index of the step that is meant."""
    if step is None:
        return usual
    if step == "end":
        return last
    if isinstance(step, str) or not -last - 1 <= step <= last:
        raise ValueError(f'step is from 0 to {last} in this search, or "end", not {step!r}')
    return step % (last + 1)


def _within(trace: Traced, room: int | None) -> tuple[dict[str, Any], str]:
    """The data of the search, with texts as long as ``room`` bytes allow; and a notice of what was cut."""
    for limit in LENGTHS:
        data = _packed(view(trace, limit=limit))
        if room is None or len(_json(data).encode()) <= room:
            cut = f"Texts are cut after {limit} characters, to keep this view small."
            return data, "" if limit == LENGTHS[0] else cut
    cut = f"Prompts and replies are left out, and thoughts cut after {limit} characters, to keep this view small."
    return _packed(view(trace, limit=limit, prompts=False)), cut


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


def _frame(still: str, *more: str, css: str = "") -> tuple[str, str]:
    """The page before the data (style, the ``still`` tree) and after it (the script, with ``more`` of its files)."""
    own = files(__package__)
    style = _colours() + own.joinpath("explorer.css").read_text(encoding="utf-8")
    script = _dense("\n".join(own.joinpath(name).read_text(encoding="utf-8") for name in [*SCRIPTS, *more]))
    # the classes tell MathJax to leave dollar signs alone, the attribute tells JupyterLab to leave keys alone
    before = (
        f'<div class="tot-explorer{css} tex2jax_ignore mathjax_ignore" data-lm-suppress-shortcuts="true">\n'
        f'<style data-tot-once="">{style}</style>\n'
        f'<div class="tot-x-still">{still}</div>\n'
    )
    return before, f'<script data-tot-once="">(() => {{ "use strict"; {script} }})();</script>\n</div>'


def _pre(seen: Picture) -> str:
    return f"<pre>{escape(clean(_text(seen)))}</pre>"


def _text(seen: Picture) -> str:
    rows = text(seen.trace, width=COLUMNS, max_dropped=2).split("\n")
    more = len(rows) - ROWS
    return "\n".join(rows[:ROWS] + ([f"... and {more} more lines"] if more > 1 else rows[ROWS:]))


def _dense(script: str) -> str:
    """The script in one line, without its comments: notebooks store pages line by line, and each explorer has a copy.

    This is safe with a script whose statements all end with a semicolon or a brace, as those of ours do.
    """
    lines = (re.sub(r"(^|\s)// .*", "", line).strip() for line in script.splitlines())
    return " ".join(line for line in lines if line)


def _json(data: dict[str, Any]) -> str:
    """JSON for the inside of a script element: it holds no "<", which could end the element or begin a comment."""
    return dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _colours() -> str:
    """The colours of all views, as CSS variables; light, and dark where the page says so, but not on paper."""

    def rules(i: int, at: str) -> str:
        names = {"ground": GROUND, "border": BORDER, "ink": INK, "faint": FAINT, "edge": EDGE}
        names |= {"chosen": CHOSEN, "panel": LOOKS["kept"].fill}
        own = "".join(f"--{name}:{pair[i]};" for name, pair in names.items())
        found = [f"{at}.tot-explorer{{color-scheme:{('light', 'dark')[i]};{own}}}"]
        for name, look in LOOKS.items():
            own = f"--ink:{look.ink[i]};--line:{look.line[i]};--fill:{look.fill[i]}"
            found.append(f"{at}.tot-explorer .tot-x-{name}{{{own}}}")
        return "".join(found)

    return f".tot-explorer{{font-family:{FONT}}}{rules(0, '')}@media screen{{{rules(1, DARK + ' ')}}}"
