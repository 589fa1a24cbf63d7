"""Every view on traces whose texts are payloads: no tag of theirs may stand in a page, and no terminal may be steered.

Views are found by looking: whatever ``treebook.show`` offers that takes a trace, or rows of a table.
"""

import inspect
import io
import json
import re
import warnings
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

from traces import TRACES

from tot.trace import Trace
from treebook import show

from .tally import STEERING, Tally
from .texts import PAYLOADS, TAG, text

NOT_VIEWS = {"picture", "view"}  # data for other views
PAGES = ("_repr_html_", "_repr_svg_", "_repr_markdown_", "markdown", "page", "svg")
NEED_MORE = {  # what to pass beside the trace
    "board": lambda trace: {"id": next(reversed(trace.nodes()), "")},
    "slowly": lambda trace: {"told": {1: "the first step"}},
}


@cache
def of_a_trace() -> dict[str, Callable[..., Any]]:
    """The views that take one trace, by name."""
    found = {}
    for name in show.__all__:
        view = getattr(show, name)
        if inspect.isfunction(view) and name not in NOT_VIEWS:
            first = next(iter(inspect.signature(view).parameters.values()), None)
            if first and str(first.annotation) in ("Traced", "Source"):
                found[name] = view
    return found


def once(rng: Random, tally: Tally) -> None:
    trace = payload(TRACES[rng.choice(list(TRACES))](), rng)
    for name, view in of_a_trace().items():
        looked(name, lambda view=view, name=name: view(trace, **NEED_MORE.get(name, lambda trace: {})(trace)), tally)
    for name in ("compare", "tool_trees"):
        looked(name, lambda name=name: getattr(show, name)({spoiled(rng): trace, "b": trace}), tally)
    rows = [{spoiled(rng): spoiled(rng), "method": spoiled(rng), "n": 1, "correct": True} for _ in range(3)]
    looked("table", lambda: show.table(rows, caption=spoiled(rng)), tally)
    looked("plan_diff", lambda: show.plan_diff(spoiled(rng), spoiled(rng), title=spoiled(rng)), tally)
    looked("wrapped", lambda: show.wrapped(spoiled(rng)), tally)
    said = [(spoiled(rng), spoiled(rng)) for _ in range(2)]
    looked("transcript", lambda: show.transcript(said, wrong=[said[0][1]]), tally)


def looked(name: str, view: Callable[[], Any], tally: Tally) -> None:
    """Make a view, and look at all the forms that it has."""
    tally.counts["views"] += 1
    with warnings.catch_warnings(), tally.allowing(f"show.{name}", ValueError):
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a machine without fonts for these letters
        made = view()
        for form, said in forms(made).items():
            tally.counts["payload views"] += 1
            if form in PAGES:
                tally.need(TAG not in said and not Tags.of(said), f"show.{name} {form} lets a tag through")
            if form == "_repr_html_":
                tally.need(not Formulas.of(said), f"show.{name}: JupyterLab makes a formula of what was said")
            found = STEERING.search(said)
            tally.need(not found, f"show.{name} {form} holds the control character {found and found[0]!r}")


def forms(made: Any) -> dict[str, str]:
    """All that a notebook, a browser or a terminal may be given of a view; those in ``PAGES`` are read as HTML."""
    if isinstance(made, str):
        return {"text": made}
    if hasattr(made, "savefig"):
        drawn = io.StringIO()
        made.savefig(drawn, format="svg")
        return {"svg": drawn.getvalue()}
    names = () if isinstance(made, list) else (*PAGES, "__str__")
    found = {name: getattr(made, name)() for name in names if hasattr(made, name)}
    return found | ({"page": str(made)} if isinstance(made, show.HTML | show.SVG) else {})


class Tags(HTMLParser):
    """Looks for elements and attributes that only a payload has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [name for name in (tag, *(name for name, _ in attributes)) if "x-tot" in name]

    @classmethod
    def of(cls, page: str) -> list[str]:
        reader = cls()
        reader.feed(page)
        return reader.found


class Formulas(Tags):
    """Looks for what JupyterLab's MathJax would set: in the text between two tags, and not where a class forbids it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = "mathjax_ignore" in str(dict(attributes).get("class")).split() or tag in (
            "script",
            "style",
            "pre",
            "code",
        )
        if tag not in ("br", "img", "input", "meta"):
            self.open.append((tag, told or (bool(self.open) and self.open[-1][1])))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.found += re.findall(r"\$[^$]+\$|\\[(\[$\\]|\\begin", data)


def spoiled(rng: Random) -> str:
    return rng.choice(PAYLOADS) + (text(rng) if rng.random() < 0.3 else "")


def payload(trace: Trace, rng: Random) -> Trace:
    """The trace with payloads for most of its texts; ids, kinds and parents stay."""
    kept = {"id", "parent", "kind", "about", "of", "node", "ways", "charged", "role"}

    def change(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: value[name] if name in kept else change(value[name], name) for name in value}
        if isinstance(value, list):
            return [change(one, key) for one in value]
        return spoiled(rng) if isinstance(value, str) and rng.random() < 0.8 else value

    plain = json.loads(json.dumps({"head": trace.head, "events": trace.events, "result": trace.result}))
    return Trace(**change(plain))
