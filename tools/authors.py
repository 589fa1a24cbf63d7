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
from treebook.figures.plain_svg import plain_svg
from treebook.figures.plot_style import HATCHES, MARKERS
from treebook.figures.plots import COLOURS, GREY, SETTINGS, new_figure, percent, tidy_up

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


def bars_of(cells: Sequence[Found]) -> tuple[list[float], list[list[float]]]:
    """Heights, and how far the intervals reach down and up."""
    rates = [cell["rate"] for cell in cells]
    return [r[0] for r in rates], [[r[0] - r[1] for r in rates], [r[2] - r[0] for r in rates]]


def draw_beam(found: Found) -> Any:
    figure = new_figure(6.4, 3.3)
    axes = figure.add_subplot()
    beam = found["game24 reach"]["beam"]
    widths = sorted(int(name.removeprefix("b=")) for name in beam["step 1"] if name.startswith("b="))
    names = ("after the first step", "after the second", "after the third")
    for step, (name, colour, marker) in enumerate(zip(names, COLOURS, MARKERS, strict=False), 1):
        cells = [beam[f"step {step}"][f"b={b}"] for b in widths]
        rates, reach = bars_of(cells)
        axes.plot(widths, rates, color=colour, marker=marker, markersize=5, label=name)
        if step == 1:
            low = [r - down for r, down in zip(rates, reach[0], strict=True)]
            high = [r + up for r, up in zip(rates, reach[1], strict=True)]
            axes.fill_between(widths, low, high, color=colour, alpha=0.13, linewidth=0)
    axes.axvline(5, color=GREY, linestyle=":", linewidth=1)
    axes.annotate("the paper's b", (5, 0.515), xytext=(5.2, 0.515), color=GREY, fontsize=9)
    axes.set(xlabel="states kept (b)", ylabel="puzzles with 24 in reach", ylim=(0.5, 1), xticks=widths)
    percent(axes)
    tidy_up(axes, "y")
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def draw_verdicts(found: Found) -> Any:
    figure = new_figure(6.4, 2.9)
    axes = figure.add_subplot()
    verdicts = found["game24 reach"]["verdicts"]
    shades = ("#009E73", "#dfe3e8", "#D55E00")  # sure, in between, ruled out
    hatches = ("", "", "///")
    labels = ("sure at least once", "likely, never sure", "impossible, or nothing readable")
    rows: list[tuple[str, list[float]]] = []
    for size in ("three", "two"):
        part = verdicts[f"{size} numbers left"]
        living, dead = part["auc"]["living"], part["auc"]["dead"]
        for name, n, sure, out in (
            ("24 in reach", living, "living states called sure at least once", "living states ruled out"),
            ("out of reach", dead, "dead states called sure at least once", "dead states ruled out"),
        ):
            ruled = next(cell["rate"][0] for key, cell in part.items() if key.startswith(out))
            yes = part[sure]["rate"][0]
            rows.append((f"{size} numbers,\n{name} (n = {n})", [yes, 1 - yes - ruled, ruled]))
    for y, (_, shares) in enumerate(reversed(rows)):
        start = 0.0
        for share, shade, hatch, label in zip(shares, shades, hatches, labels, strict=True):
            axes.barh(
                y, share, 0.62, left=start, color=shade, hatch=hatch, edgecolor="white", label=label if y == 0 else None
            )
            if share > 0.05:
                axes.text(
                    start + share / 2,
                    y,
                    f"{share:.0%}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="#1b1f24",
                    bbox={"facecolor": "white", "alpha": 0.75, "pad": 1.2, "linewidth": 0},
                )
            start += share
    axes.set_yticks(range(len(rows)), [name for name, _ in reversed(rows)], fontsize=9)
    axes.set(xlim=(0, 1))
    percent(axes, "x")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    return figure


def draw_votes(found: Found) -> Any:
    figure = new_figure(6.4, 3.0)
    axes = figure.add_subplot()
    votes = found["writing"]["votes"]
    for shift, (what, colour, hatch) in zip(
        (-0.2, 0.2), (("plans", COLOURS[0], ""), ("passages", COLOURS[5], HATCHES[1])), strict=True
    ):
        cells = list(votes[what]["share of the ballots, by place"].values())
        rates, reach = bars_of(cells)
        at = [i + shift for i in range(1, len(cells) + 1)]
        axes.bar(at, rates, 0.38, color=colour, hatch=hatch, edgecolor="white", label=f"votes on {what}")
        axes.errorbar(at, rates, yerr=reach, fmt="none", ecolor="#1b1f24", elinewidth=1, capsize=2)
    axes.axhline(0.2, color=GREY, linestyle="--", linewidth=1, label="if places did not matter")
    axes.set(
        xlabel="place of the choice in the prompt", ylabel="share of the ballots", ylim=(0, 0.5), xticks=range(1, 6)
    )
    percent(axes)
    tidy_up(axes, "y")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False, fontsize=9)
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
