"""Write book/authors_logs.md and its figures: what GPT-4 did, read with our instruments.

    python -m tools.authors

All numbers are those of studies/results/authors.json, which ``python -m studies.authors --data FOLDER`` computes where
the published logs are. The words are in ``authors.md.jinja``; here are the drawings, and how a number is written.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from tools.written import page_of
from tot.stats import Interval
from treebook.figures.plain_svg import plain_svg
from treebook.figures.plots import GREY, SETTINGS, failures, success_by_cost

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "authors_logs.md"
RESULTS = ROOT / "studies" / "results" / "authors.json"
STATIC = ROOT / "book" / "_static"

Found = Mapping[str, Any]


# ---------------------------------------------------------------- numbers as words


def pct(cell: Found, digits: int | None = None) -> str:
    """A rate with its interval in per cent: 63% [56, 70]; small ones with a decimal."""
    rate, low, high = cell["rate"]
    digits = digits if digits is not None else 1 if rate < 0.1 and high - low < 0.1 else 0
    if rate >= 0.995 > low and digits == 0 and rate < 1:
        digits = 1
    return bounds([100 * x for x in cell["rate"]], f".{digits}f", "%")


def bounds(values: Sequence[float], form: str, unit: str = "") -> str:
    """A number with its interval, each in the same ``form``."""
    middle, low, high = (format(x, form) for x in values)
    return f"{middle}{unit} [{low}, {high}]"


def mean(cell: Found, digits: int = 1) -> str:
    return bounds(cell["mean"], f".{digits}f")


def auc(cell: Found) -> str:
    return bounds(cell["auc"], ".2f")


def of(cell: Found) -> str:
    """ "400 of 400", with commas from a thousand on."""
    return f"{cell['count']:,} of {cell['n']:,}"


def points(cell: Found) -> str:
    return bounds([100 * x for x in cell["difference"]], "+.0f", " points")


def likely(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def ruled_out(part: Found, which: str) -> Found:
    """The cell of the "living" or "dead" states that were; its name goes on with how."""
    return next(cell for key, cell in part.items() if key.startswith(f"{which} states ruled out"))


def between(part: Found, which: str) -> float:
    """The share of the states that are neither called sure nor ruled out."""
    sure = part[f"{which} states called sure at least once"]
    rest: float = 1 - sure["rate"][0] - ruled_out(part, which)["rate"][0]
    return rest


def moved(places: Mapping[str, Found]) -> float:
    """The share of the ballots above a fifth, over all places."""
    return fsum(max(0.0, cell["rate"][0] - 0.2) for cell in places.values())


def other_slips(kinds: Mapping[str, int]) -> int:
    """Lines that are neither exact nor rounded, and not wrong in the numbers left either."""
    named = ("legal", "exact in another form", "rounded", "wrong numbers left")
    return sum(n for kind, n in kinds.items() if kind not in named)


def shown(run: Found) -> Found:
    """In how many games the first deepest state is the solution."""
    cell = run["success"]["first deepest state"]["games"]
    return {"count": round(cell["rate"][0] * cell["n"]), "n": cell["n"]}


# ---------------------------------------------------------------- figures


def interval_of(cell: Found) -> Interval:
    return Interval(*cell["rate"], cell["n"])


def draw_beam(found: Found) -> Any:
    beam, rows = found["game24 reach"]["beam"], []
    for step, name in enumerate(("after the first step", "after the second", "after the third"), 1):
        cells = [(key, cell) for key, cell in beam[f"step {step}"].items() if key.startswith("b=")]
        rows += [{"method": name, "b": int(key[2:]), "rate": interval_of(cell)} for key, cell in cells]
    figure = success_by_cost(rows, x="b", xlabel="states kept (b)", ylabel="puzzles with 24 in reach")
    [axes] = figure.axes
    axes.axvline(5, color=GREY, linestyle=":", linewidth=1)
    axes.annotate("the paper's b", (5, 0.515), xytext=(5.2, 0.515), color=GREY, fontsize=9)
    axes.set(ylim=(0.5, 1), xticks=sorted({row["b"] for row in rows}))
    return figure


def draw_verdicts(found: Found) -> Any:
    sure, between, out = "sure at least once", "likely, never sure", "impossible, or nothing readable"
    rows = []
    for size in ("three", "two"):
        part = found["game24 reach"]["verdicts"][f"{size} numbers left"]
        for which, where in (("living", "in reach"), ("dead", "out of reach")):
            yes, no = part[f"{which} states called sure at least once"], ruled_out(part, which)
            counts = {sure: yes["count"], between: yes["n"] - yes["count"] - no["count"], out: no["count"]}
            name = f"{size} numbers, 24 {where}"
            rows += [{"method": name, "step": said, "count": n} for said, n in counts.items()]
    return failures(rows, order=(sure, between, out), xlabel="states")


def draw_votes(found: Found) -> Any:
    rows = [
        {"method": what, "place": place, "rate": interval_of(cell)}
        for what in ("plans", "passages")
        for place, cell in enumerate(found["writing"]["votes"][what]["share of the ballots, by place"].values(), 1)
    ]
    words = {"xlabel": "place of the choice in the prompt", "ylabel": "share of the ballots"}
    figure = success_by_cost(rows, x="place", top=0.5, **words)
    [axes] = figure.axes
    axes.axhline(0.2, color=GREY, linestyle="--", linewidth=1)
    axes.annotate("if places did not matter", (5.5, 0.205), ha="right", color=GREY, fontsize=9)
    axes.set(xticks=range(1, 6), xlim=(0.5, 5.5))
    return figure


DRAWINGS: dict[str, Callable[[Found], Any]] = {
    "authors_beam.svg": draw_beam,
    "authors_verdicts.svg": draw_verdicts,
    "authors_votes.svg": draw_votes,
}


def drawing(name: str, found: Found) -> str:
    """A figure as SVG text, the same on every machine."""
    import matplotlib as mpl

    with mpl.rc_context(dict(SETTINGS)):
        return plain_svg(DRAWINGS[name](found)) + "\n"


def page(found: Found) -> str:
    """book/authors_logs.md of what studies/authors computed."""
    say = (pct, bounds, mean, auc, of, points, likely, ruled_out, between, moved, other_slips, shown)
    named = {"percent": lambda cell: f"{cell['rate'][0]:.0%}"}
    text = page_of("authors.md.jinja", f=found, **{each.__name__: each for each in say}, **named)
    rows = r"(?m)^\|.*$"  # of tables, where no interval is broken at its comma
    return re.sub(rows, lambda row: re.sub(r"(?<=\d), (?=[-+\d.]+\])", ",\N{NO-BREAK SPACE}", row[0]), text)


if __name__ == "__main__":
    results = json.loads(RESULTS.read_text("utf-8"))
    PAGE.write_text(page(results), encoding="utf-8")
    for each in DRAWINGS:
        (STATIC / each).write_text(drawing(each, results), encoding="utf-8")
