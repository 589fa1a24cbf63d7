"""Results lines and what can be said about them: rates with intervals, costs, comparisons, best of k.

What a line is about (``identity``) is its task, problem, method, knobs, model and budget; the last line of an identity
counts. A line with an "error" is a call that failed, not an answer that was wrong: it is left out of n and of every
rate, and counted in a column of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from ..jsonlines import FileTrouble, read_lines
from ..methods import METHODS
from ..stats import Interval, Paired, bootstrap, paired, pass_at_k, wilson

Line = dict[str, Any]

IDENTITY = ("task", "problem", "method", "params", "lm", "budget")
NEEDED = {*IDENTITY[:-1], "correct", "first", "any", "corrects", "stopped", "unread", "usage"}


def identity(line: Line) -> str:
    """What a results line is about, as canonical text."""
    return json.dumps([line.get(name) for name in IDENTITY], sort_keys=True)


def read_results(path: str | Path) -> list[Line]:
    """The lines of a results file; of several about the same thing, the last. Raises FileTrouble if it is none."""
    lines: dict[str, Line] = {}
    for number, line in read_lines(path):
        if not line.keys() >= NEEDED:
            raise FileTrouble(f"{path}, line {number} is not a results line: did `tot run --out` write this file?")
        lines[identity(line)] = line
    return list(lines.values())


# -------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Row:
    """One method (with its knobs, model and budget) over ``n`` problems that were answered.

    ``correct``: the rate of chosen answers that are right, with Wilson's interval; None if n is 0. ``mean``: the mean
    rate over several samples of each problem, with a bootstrap interval over problems; None for a single sample and for
    methods whose outputs are not independent samples. ``first`` and ``any`` (an oracle): rates. ``calls`` ...
    ``dollars``: means over problems, as asked (a replay costs the same). ``path`` and ``spent``: what tools cost on the
    way to the answer, and in all; means. ``unread``: replies that no parser could read, in all. ``errors``: problems
    where a call failed: not in n, and in no rate. ``stopped``: problems that ended at a limit of the budget.
    """

    label: str
    task: str
    lm: str
    n: int
    correct: Interval | None
    mean: Interval | None
    first: float
    any: float
    calls: float
    rounds: float
    nodes: float
    tokens: float
    dollars: float
    path: float
    spent: float
    unread: int
    errors: int
    stopped: int


def samples(line: Line) -> list[bool] | None:
    """Which of a line's k independent samples were right; None for methods whose outputs are something else.

    A reply that could not be read is a sample that was not right.
    """
    recipe, k = METHODS.get(line["method"]), line["params"].get("k")
    if recipe is None or not recipe.independent or not k:
        return None
    return [*line["corrects"], *[False] * (k - len(line["corrects"]))]


def groups(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Lines by method, under labels that tell them apart ("tot-bfs breadth=1", "tot-bfs breadth=5").

    Order is that of ``METHODS``, and within a group that of the problems' names: how the file was filled has no
    influence on any number.
    """
    found: dict[str, list[Line]] = {}
    for line in sorted(lines, key=_order):
        found.setdefault(identity({**line, "problem": None}), []).append(line)
    heads = [group[0] for group in found.values()]
    return {_label(head, heads): group for head, group in zip(heads, found.values(), strict=True)}


def _order(line: Line) -> tuple[Any, ...]:
    known = list(METHODS)
    place = known.index(line["method"]) if line["method"] in known else len(known)
    return line["task"], place, line["method"], _spelled(line), line["lm"], line["problem"]


def _spelled(line: Line) -> list[tuple[str, bool, float, str]]:
    """The knobs and limits as something that sorts: breadth 5 before breadth 10."""
    knobs = [*line["params"].items(), *(line.get("budget") or {}).items()]
    return [(k, isinstance(v, str), float(v) if isinstance(v, int | float) else 0.0, str(v)) for k, v in knobs]


def _label(line: Line, all_lines: Sequence[Line]) -> str:
    """The method, and of task, knobs, budget and model what tells it from the others."""
    same = [other for other in all_lines if other["method"] == line["method"]]
    words = [line["method"]]
    if len({other["task"] for other in all_lines}) > 1:
        words.append(f"on {line['task']}")
    for part in ("params", "budget"):
        for name, value in (line.get(part) or {}).items():
            if any((other.get(part) or {}).get(name) != value for other in same):
                words.append(f"{name}={value:g}" if part == "budget" else f"{name}={value}")
    if not line.get("budget") and any(other.get("budget") for other in same):
        words.append("no budget")
    if len({other["lm"] for other in all_lines}) > 1:
        words.append(f"with {line['lm']}")
    return " ".join(words)


def summarise(lines: Iterable[Line]) -> list[Row]:
    """One row for each method in the lines. Problems that ended in an error are counted, and in no other number."""
    return [_row(label, group) for label, group in groups(lines).items()]


def _row(label: str, lines: Sequence[Line]) -> Row:
    judged = [line for line in lines if "error" not in line]
    n = len(judged)

    def average(value: Callable[[Line], float]) -> float:
        return fmean(map(value, judged)) if judged else 0.0

    sampled = [[float(x) for x in samples(line) or ()] for line in judged]
    return Row(
        label,
        lines[0]["task"],
        lines[0]["lm"],
        n,
        correct=wilson(sum(line["correct"] for line in judged), n) if judged else None,
        mean=bootstrap(sampled) if any(len(group) > 1 for group in sampled) else None,
        first=average(lambda line: line["first"]),
        any=average(lambda line: line["any"]),
        calls=average(lambda line: line["usage"]["calls"]),
        rounds=average(lambda line: line["usage"]["rounds"]),
        nodes=average(lambda line: line["usage"]["nodes"]),
        tokens=average(lambda line: line["usage"]["prompt_tokens"] + line["usage"]["completion_tokens"]),
        dollars=average(lambda line: line["usage"]["dollars"]),
        path=average(lambda line: line.get("tools", {}).get("path", 0.0)),
        spent=average(lambda line: line.get("tools", {}).get("total", 0.0)),
        unread=sum(line["unread"] for line in judged),
        errors=len(lines) - n,
        stopped=sum(line["stopped"] not in ("done", "until") for line in judged),
    )


def compare(lines: Iterable[Line], a: str, b: str) -> Paired:
    """Method ``a`` against method ``b``, by label or name, on the problems that both answered without an error.

    Raises ValueError, naming the labels, if a name fits none or several; and if they share no problem.
    """
    found = groups(lines)
    left, right = (
        {line["problem"]: line["correct"] for line in _named(found, name) if "error" not in line} for name in (a, b)
    )
    common = sorted(left.keys() & right.keys())
    if not common:
        raise ValueError(f"{a} and {b} have no problem in common: run both on the same problems")
    return paired([left[problem] for problem in common], [right[problem] for problem in common])


def _named(found: Mapping[str, list[Line]], name: str) -> list[Line]:
    fits = [name] if name in found else [label for label, group in found.items() if group[0]["method"] == name]
    if len(fits) != 1:
        raise ValueError(f"{name!r} fits {len(fits)} of the methods here: name one of {', '.join(map(repr, found))}")
    return found[fits[0]]


def best_of_k(lines: Iterable[Line], ks: Iterable[int]) -> dict[str, dict[int, Interval]]:
    """label -> k -> chance that the best of k samples is right, over problems, with a bootstrap interval.

    The unbiased estimator (``stats.pass_at_k``) on the samples of each problem; an oracle picks, so this is an upper
    bound. Methods whose outputs are not independent samples are left out, and so is a k beyond a method's samples.
    Raises ValueError for a k that no method reaches.
    """
    ks, curves = list(ks), {}
    for label, group in groups(lines).items():
        drawn = [right for line in group if "error" not in line and (right := samples(line))]
        most = min(map(len, drawn), default=0)
        if curve := {k: bootstrap([(pass_at_k(len(d), sum(d), k),) for d in drawn]) for k in ks if k <= most}:
            curves[label] = curve
    if missing := [k for k in ks if not any(k in curve for curve in curves.values())]:
        raise ValueError(f"no method here has {missing[0]} independent samples of each problem: take more, or lower k")
    return curves


def measures(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """What a task measures beyond right and wrong (crosswords: words, letters), by method: rows for ``show.table``.

    "solved" and each measure are of the method's own answer, or the mean over its samples where they are independent.
    "best ..." is of the best state that the search visited, or the best sample: an oracle with the gold picks it.
    Intervals are bootstraps over problems; Wilson's for "solved" where there is one answer for each problem. Methods on
    tasks that measure nothing more, and errors, are left out.
    """
    rows = []
    for label, group in groups(lines).items():
        judged = [line for line in group if "oracle" in line and "error" not in line]
        if judged:
            drawn = [_drawn(line) for line in judged]
            best = [[_all_parts(line["oracle"]["correct"], line["oracle"]["parts"])] for line in judged]
            row: dict[str, Any] = {"method": label, "n": len(judged)}
            row |= {name: _interval(name, drawn) for name in drawn[0][0]}
            rows.append({**row, **{f"best {name}": _interval(name, best) for name in drawn[0][0]}})
    return rows


def _interval(name: str, drawn: Sequence[Sequence[Mapping[str, float]]]) -> Interval:
    """A measure over problems with their samples."""
    groups = [[sample[name] for sample in samples] for samples in drawn]
    if name == "solved" and all(len(group) == 1 for group in groups):
        return wilson(int(sum(group[0] for group in groups)), len(groups))
    return bootstrap(groups)


def _drawn(line: Line) -> list[dict[str, float]]:
    """The measures of each independent sample; of other methods those of the answer that was chosen."""
    if samples(line) and line["all_parts"]:
        return [_all_parts(*pair) for pair in zip(line["corrects"], line["all_parts"], strict=True)]
    return [_all_parts(line["correct"], line["parts"])]


def _all_parts(correct: bool, parts: Mapping[str, float]) -> dict[str, float]:
    return {"solved": float(correct), **parts}


class Table:
    """Rows as plain text (``str``), and as HTML and Markdown in a notebook. Columns of nothing but 0 hide."""

    HIDE = ("mean", "dollars", "path", "spent", "unread", "errors", "stopped")
    WORDS = ("method", "task", "lm")  # flush left

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        cells = {f.name: [_cell(f.name, getattr(row, f.name)) for row in self.rows] for f in fields(Row)}
        cells = {"method": cells.pop("label"), **cells}
        if len(set(cells["task"])) <= 1:
            del cells["task"]
        for name in self.HIDE:
            if not any(getattr(row, name) for row in self.rows):
                del cells[name]
        self.columns = cells

    def _lines(self) -> list[list[str]]:
        return [list(self.columns), *map(list, zip(*self.columns.values(), strict=True))]

    def __str__(self) -> str:
        width = [max(map(len, column)) for column in zip(*self._lines(), strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(w) if name in self.WORDS else cell.rjust(w)
                for name, cell, w in zip(self.columns, line, width, strict=True)
            ).rstrip()
            for line in self._lines()
        )

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        head, *body = [[cell.replace("|", "\\|") for cell in line] for line in self._lines()]
        return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *body])

    def _repr_html_(self) -> str:
        head, *body = self._lines()
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in body)
        return f"<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name in ("first", "any"):
        return f"{value:.0%}"
    if name == "dollars":
        return f"{value:.4f}"
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    return str(value)


def table(rows: Iterable[Row]) -> Table:
    """``print(table(summarise(lines)))``."""
    return Table(rows)
