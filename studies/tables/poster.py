"""Ours beside the iToT poster's table, and beside what it claims without a figure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from studies import papers
from studies.plans import FAILING, PLANS, TREE
from tot.solution import Solution
from tot.tools import Failures

from .cells import Cell, Section, Values, answer, chosen, difference, mean
from .recordings import Recordings

METHODS = {  # row of the poster -> method, knobs
    "Base LM": ("io", {}),
    "Base LM (few-shot)": ("few-shot", {}),
    "Base LM (CoT)": ("cot", {}),
    "ToT DFS": ("react-dfs", {"k": 3, "depth": 5, "steps": 16}),
    "ToT best first": ("react-best-first", TREE),
    "iToT A*": ("itot-astar", TREE),
    "iToT D* Lite": ("itot-dstar", TREE),
    "LATS": ("lats", {"k": 3, "depth": 5, "rollouts": 3}),
    "one ReAct chain": ("react", {"depth": 6}),
    "retrieve, then read": ("retrieve-read", {}),
}


def with_tools(book: Recordings, split: str, **more: Any) -> dict[str, list[Solution]]:
    return {
        row: book.whole("12", method, split=split, params={**params, **more})
        for row, (method, params) in METHODS.items()
    }


def hotpotqa(book: Recordings) -> Section:
    easy, hard = with_tools(book, "easy"), with_tools(book, "hard")
    plans = [plan for plan in PLANS["12"] if "answer" not in plan.params]  # the brackets, as on the poster
    searches = {p.method for p in plans if p.split == "easy"} - {p.method for p in plans if p.split == "hard"}
    rows = {
        row: {
            "easy": answer(easy[row]),
            "other": answer(hard[row], why="easy only" if METHODS[row][0] in searches else "recording"),
        }
        for row in METHODS
    }
    paper = papers.HOTPOTQA
    differences = []
    for a, b in (
        ("Base LM (CoT)", "Base LM"),
        ("ToT DFS", "Base LM (CoT)"),
        ("ToT best first", "ToT DFS"),
        ("iToT A*", "ToT best first"),
        ("iToT A*", "Base LM (CoT)"),
    ):
        high, low = paper[a], paper[b]
        assert high is not None and low is not None
        here = {"easy": (chosen(easy[a]), chosen(easy[b])), "other": (chosen(hard[a]), chosen(hard[b]))}
        differences.append(difference(f"{a} minus {b}", round(100 * (high - low), 1), here))
    return {"rows": rows, "differences": differences, "source": book.source("12")}


def tool_costs(book: Recordings) -> Section:
    """What the poster claims without a figure: lower costs, and robustness when tools fail."""
    plain, failing = with_tools(book, "easy"), with_tools(book, "easy", failures=FAILING)
    asked = {(plan.method, str(plan.params.get("failures", ""))) for plan in PLANS["12"]}

    def spent(solutions: Sequence[Solution], name: str) -> Values:
        return {s.problem: float(s.trace.result.get("tools", {}).get(name, 0)) for s in solutions}

    rows = {}
    for row, (method, _) in METHODS.items():
        if method in ("io", "few-shot", "cot"):
            continue
        cells: dict[str, Cell] = {}
        for column, runs, failures in (("no failures", plain[row], ""), ("with failures", failing[row], FAILING)):
            why = "recording" if (method, failures) in asked else "no failures"
            total = mean(spent(runs, "total"), why)
            path = fmean(spent(runs, "path").values()) if runs else 0.0
            right = sum(s.correct for s in runs)
            cells[column] = total | {"path": round(path, 2), "right": right} if runs else total
        rows[row] = cells
    pairs = (("iToT A*", "ToT best first"), ("iToT D* Lite", "ToT best first"))
    differences = [
        difference(
            f"{a} minus {b}, tools in all",
            None,
            {
                "no failures": (spent(plain[a], "total"), spent(plain[b], "total")),
                "with failures": (spent(failing[a], "total"), spent(failing[b], "total")),
            },
            unit="units of cost",
            claim=-1,
        )
        for a, b in pairs
    ]
    return {
        "rows": rows,
        "differences": differences,
        "source": book.source("12"),
        "failing": dict(Failures.parse(FAILING).rates),
    }
