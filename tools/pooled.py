"""Every comparison of book/tables.md in one picture of two panels: ours, the paper's, and what our n could show.

``python -m tools.tables`` writes it beside the page. It has what studies/results/tables.json compares, and what the
studies ``heart`` and ``claim`` compare and no table of a paper has (``more``).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from studies.plans_pay.power import POWER, found
from studies.tables.cells import UNITS, verdict
from treebook.figures.looks import INK
from treebook.figures.plain_svg import plain_svg
from treebook.figures.plot_style import GRID, SPACE, TEXT_SMALL
from treebook.figures.plots import GREY, SETTINGS, legend_below, new_figure, percent
from treebook.figures.scatter import AHEAD, BEHIND

Tables = Mapping[str, Any]  # section -> what it compares
STUDIES = Path(__file__).resolve().parent.parent / "studies" / "results"
PANELS = {"recorded": "Recorded models", "pocket": "Pocket and SIMULATED players"}
SECTIONS = {  # paper -> sections of tables.json
    "Tree of Thoughts": ("game24", "weaker", "coherence", "crosswords", "questions"),
    "Interactive Tree of Thoughts": ("hotpotqa", "tool costs"),
    "Planning with MCTS": ("planning", "rollouts", "one judge", "roles"),
}
FIRST = {
    "game24": "24: ",
    "weaker": "24: ",
    "coherence": "writing: ",
    "crosswords": "crosswords: ",
    "one judge": "judge: ",
}
LOOKS = {  # verdict -> marker, fill, edge
    "agrees": ("o", AHEAD, AHEAD),
    "the other way round": ("s", BEHIND, BEHIND),
    "clear here": ("^", INK[0], INK[0]),
    "cannot tell": ("o", SPACE[0], GREY),
}
CHANGED = 0.3  # share of problems that only one of two methods solves, unless the difference itself makes it larger
THEIRS = ("D", "none", INK[0])
WIDTH, LINE, SMALL = 3.7, 0.19, 7.6  # inches: a phone's column, a row; points: its text


class Row(NamedTuple):
    """One comparison. Differences are shares: of the problems, of the score's range, of the rival's cost."""

    panel: str
    paper: str
    label: str
    ours: Sequence[float]
    theirs: float | None
    least: float | None  # what n can show; None where answers are not right or wrong
    verdict: str
    counted: bool  # among those that book/tables.md counts


@cache
def least(n: int) -> float:
    """The smallest true difference that McNemar's exact test finds four times in five on n problems, if ``CHANGED`` of
    them change sides, or as many as the difference makes necessary.
    """
    return next(g for g in (i / 100 for i in range(1, 101)) if found(n, max(g, CHANGED), g, 0.05) >= POWER)


def more() -> dict[str, list[dict[str, Any]]]:
    """What ``heart`` and ``claim`` compare and no table has, in the form of tables.json: section -> differences."""
    heart, claim = (json.loads((STUDIES / f"{name}.json").read_text("utf-8")) for name in ("heart", "claim"))
    both, small = heart["sets"]["both"], next(iter(claim["models"].values()))["sets"]["multiarith"]
    rivals = {"chain, one": "one chain", "chain": "a vote of ten chains"}
    rivals |= {"short plan": "CoT Plan, short prompts", "vote, one": "one chain, short prompts"}

    def one(what: str, column: str, n: int, test: Mapping[str, Any]) -> dict[str, Any]:
        said = verdict(0, test["difference"][0], test.get("Holm", test["p"]) < 0.05)
        cell = {"difference": test["difference"], "n": n, "verdict": said}
        return {"what": what, "there": None, "unit": "points", "here": {column: cell}}

    played = []
    for tests in ("tree minus", "tree, end checked, minus"):
        for name, test in both[tests].items():
            what = f"{tests} {name.removeprefix('tree, ')}".replace(", minus", " minus")
            what = what.replace(" k ", f" {both['k']} ").replace("steps and end", "both")
            if name not in ("one chain", "vote of k chains"):  # they are in table 2
                played.append(one(what, "recorded model", both["n"], test))
    what = "MultiArith, MCTS Plan minus"
    claims = [one(f"{what} {rivals[key]}", "Coder 0.5B", small["n"], small["gains"][key]) for key in rivals]
    return {"game24": played, "planning": claims}


def rows(tables: Tables, others: Tables) -> Iterator[Row]:
    """All comparisons in the order of the page; ``others`` (see ``more``) are the last ones of their paper."""
    cost = tables["tool costs"]["rows"]["ToT best first"]
    tabled = {name: part.get("differences", ()) for name, part in tables.items()}
    for paper, sections in SECTIONS.items():
        every = [(tabled, name, one) for name in sections for one in tabled[name]]
        every += [(others, name, one) for name in sections for one in others.get(name, ())]
        for source, name, one in every:
            there, points = one["there"], one["unit"] == "points"
            for column, cell in one["here"].items():
                scale, reach = UNITS.get(one["unit"]) or (1, cost[column]["mean"][0])
                who = re.sub(r"(pocket|recorded) models?(, )?|our questions|Coder |\d+ puzzles(, )?", "", column)
                who = who.replace("a copy that practised it judges the end", "a copy judges")
                yield Row(
                    "pocket" if "pocket" in column or column == "SIMULATED" else "recorded",
                    paper,
                    FIRST.get(name, "")
                    + ", ".join(
                        filter(None, (one["what"].replace("minus", "−").replace(" model", ""), who, f"n={cell['n']}"))
                    ),
                    [x / reach for x in cell["difference"]],
                    None if there is None else round(there / scale / reach, 6),
                    least(cell["n"]) if points else None,
                    cell["verdict"],
                    source is tabled and column != "SIMULATED" and (there is not None or "claim" in one),
                )


def power(every: Sequence[Row]) -> Counter[str]:
    """How many of the counted comparisons have an n that could find a difference of the paper's size ("able"), or not
    ("weak"), in all, by panel and by verdict.
    """
    counts = Counter[str]()
    for row in every:
        if row.counted:
            able = row.theirs is not None and row.least is not None and abs(row.theirs) >= row.least
            side = "able" if able else "weak"
            counts.update((side, f"{side} {row.panel}", f"{side} {row.verdict}"))
    return counts


def drawing(panel: str, every: Sequence[Row]) -> str:
    """A panel as SVG text, the same on every machine."""
    import matplotlib as mpl

    shown = [row for row in every if row.panel == panel]
    with mpl.rc_context(dict(SETTINGS) | {"lines.markersize": 4.5, "lines.linewidth": 1.3}):
        figure = new_figure(WIDTH, 1.1 + LINE * (len(shown) + 1.2 * len({row.paper for row in shown})))
        axes, at, paper = figure.add_subplot(), 0.0, ""

        def mark(x: Sequence[float], y: Sequence[float], look: tuple[str, str, str], label: str | None = None) -> None:
            marker, fill, edge = look
            axes.plot(x, y, marker, color=edge, markerfacecolor=fill, label=label)

        for row in shown:
            if row.paper != paper:
                paper, at = row.paper, at + 1.2
                axes.text(-1, at - 0.15, paper, fontsize=TEXT_SMALL, fontweight="bold", va="center", in_layout=False)
            at += 1
            middle, low, high = row.ours
            axes.text(-1, at - 0.22, row.label, fontsize=SMALL, va="center", in_layout=False)
            axes.barh(at, 2 * (row.least or 0), left=-(row.least or 0), height=1, color=GRID[0], alpha=0.5, zorder=0)
            axes.plot([low, high], [at + 0.25] * 2, color=LOOKS[row.verdict][2])
            mark([middle], [at + 0.25], LOOKS[row.verdict])
            if row.theirs is not None:
                mark([row.theirs], [at + 0.25], THEIRS)
        for name in dict.fromkeys(row.verdict for row in shown):
            mark([], [], LOOKS[name], name)
        mark([], [], THEIRS, "the paper's own")
        axes.barh([0], [0], color=GRID[0], alpha=0.5, label="too small for n")
        axes.axvline(0, color=GRID[0], linewidth=1, zorder=0.5)
        axes.set(ylim=(at + 0.7, 0.6), xlim=(-1, 1), xticks=[-1, -0.5, 0, 0.5, 1], yticks=[])
        axes.set_xlabel("difference, and its 95% interval", fontsize=TEXT_SMALL)
        axes.set_title(PANELS[panel], fontweight="bold")
        axes.spines[["left", "top", "right"]].set_visible(False)
        percent(axes, "x")
        legend_below(figure, 2)
        return plain_svg(figure) + "\n"
