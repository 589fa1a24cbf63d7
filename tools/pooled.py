"""Every comparison of book/tables.md in one forest plot: ours, the paper's, and what our n could show.

``python -m tools.tables`` writes it into the page. It has what studies/results/tables.json compares, and what the
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
from tot.show.escaping import escape
from treebook.figures.evidence import Evidence, minus

Tables = Mapping[str, Any]  # section -> what it compares
STUDIES = Path(__file__).resolve().parent.parent / "studies" / "results"
PANELS = {"recorded": "Recorded models", "pocket": "Pocket and SIMULATED players"}
SECTIONS = {  # paper -> sections of tables.json, each with the chapter that is about it
    "Tree of Thoughts": {
        "game24": ("6", "06_tot_bfs_game24"),
        "weaker": ("16", "16_when_search_pays"),
        "coherence": ("7", "07_votes_creative_writing"),
        "crosswords": ("8", "08_tot_dfs_crosswords"),
        "questions": ("9", "09_zero_shot_tot"),
    },
    "Informed Tree of Thoughts": {"hotpotqa": ("12b", "12_itot_study"), "tool costs": ("12b", "12_itot_study")},
    "Planning with MCTS": {
        "planning": ("14", "14_planning_with_mcts"),
        "rollouts": ("14b", "14_planning_study"),
        "one judge": ("14b", "14_planning_study"),
        "roles": ("15", "15_who_should_plan"),
    },
}
FIRST = {
    "game24": "24: ",
    "weaker": "24: ",
    "coherence": "writing: ",
    "crosswords": "crosswords: ",
    "one judge": "judge: ",
}
CHANGED = 0.3  # share of problems that only one of two methods solves, unless the difference itself makes it larger


class Row(NamedTuple):
    """One comparison. Differences are shares: of the problems, of the score's range, of the rival's cost."""

    panel: str
    paper: str
    label: str
    place: str  # of its line on the page
    chapter: tuple[str, str]  # number, notebook
    n: int
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
                    + ", ".join(filter(None, (one["what"].replace("minus", "−").replace(" model", ""), who))),
                    anchor(name, one["what"]),
                    sections[name],
                    cell["n"],
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


def anchor(section: str, what: str) -> str:
    """The name of a comparison's line on the page."""
    return re.sub(r"\W+", "-", f"{section} {what}".lower()).strip("-")


def forest(every: Sequence[Row]) -> str:
    """The plot as a table: a row for each comparison, with its glyph on one scale, from -100 to 100%."""
    names = ("comparison", "chapter", "", "here", "95%", "there", "n", "verdict")
    lines = ['<table class="wide tot-forest">']
    lines.append(f"<thead><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr></thead>")
    groups = dict.fromkeys((panel, row.paper) for panel in PANELS for row in every if row.panel == panel)
    for panel, paper in groups:
        lines.append(f'<tbody><tr><th colspan="8" scope="rowgroup">{PANELS[panel]}: {paper}</th></tr>')
        lines += [_line(row) for row in every if (row.panel, row.paper) == (panel, paper)]
        lines.append("</tbody>")
    return "\n".join([*lines, "</table>"])


def said(row: Row) -> str:
    """The label as HTML in a page of Markdown."""
    return escape(row.label).replace("*", "&#42;")


def _line(row: Row) -> str:
    (ours, low, high), (number, chapter) = (100 * x for x in row.ours), row.chapter
    theirs = None if row.theirs is None else 100 * row.theirs
    glyph = Evidence(ours, low, high, "%", gain=True).glyph(100, theirs, row.verdict)
    here, there, least_, most = (minus(f"{x:+.0f}") if round(x) else "0" for x in (ours, theirs or 0, low, high))
    cells = [
        f'<td><a href="#{row.place}">{said(row)}</a></td>',
        f'<td><a href="../notebooks/{chapter}.html">{number}</a></td>',
        f'<td class="tot-glyph" style="--n:{100 * (row.least or 0):.0f}%">{glyph}</td>',
        f"<td>{here}</td><td>[{least_}, {most}]</td><td>{'–' if theirs is None else there}</td>",
        f"<td>{row.n}</td><td>{row.verdict}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"
