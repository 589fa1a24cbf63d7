"""From the results lines of a run to what stands in a row, and to what is printed and stored of a table.

Cells are those of ``studies/tables``: plain data, with n and a 95% interval.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, count
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.figures import as_json, mean, of_samples, read
from studies.game24 import chain_fails_at
from studies.tables.cells import Cell, rate, share
from studies.writing_judge import Comparison, Rating
from tot.experiments.results import Line, dollars, failed, samples, solved
from tot.lm.base import TOOL

from .plans import PLANS, Number, Plan, Row, Run


@dataclass(frozen=True)
class Filled:
    """What a run has given: its lines, and for passages what the judge said. ``texts``: each line's samples."""

    lines: Sequence[Line]
    problems: Sequence[tot.Problem]
    texts: Sequence[Sequence[str]] = ()
    ratings: Sequence[Sequence[Rating]] = ()  # of each line's passages
    comparison: Comparison | None = None


def _share(lines: Sequence[Line], score: str = "correct") -> Cell:
    return share([solved(line, score) for line in lines])


def _samples(lines: Sequence[Line]) -> Cell:
    return rate(of_samples([[float(right) for right in samples(line) or [solved(line)]] for line in lines]), len(lines))


def _states(lines: Sequence[Line]) -> float:
    """Visited for a problem that was answered: valued ones; of samples each is one, as in the paper."""
    return fmean([line["params"].get("k") or line["usage"]["nodes"] for line in lines if not failed(line)] or [0.0])


def _parts(lines: Sequence[Line], scores: Callable[[Line], Sequence[Mapping[str, Any]]]) -> Cell:
    """Letters, words and games, over problems with their samples; a problem that failed has none of them."""
    found: dict[str, list[list[float]]] = {}
    for line in lines:
        mine = scores(line)
        for part in ("letters", "words", "games"):
            values = [float(one["correct"] if part == "games" else one["parts"][part]) for one in mine]
            found.setdefault(part, []).append([0.0] * len(values) if failed(line) else values)
    return {"parts": {part: of_samples(groups) for part, groups in found.items()}, "n": len(lines)}


def _own(line: Line) -> Sequence[Mapping[str, Any]]:
    """Of the samples where they are independent, else of the answer."""
    if samples(line) and line["all_parts"]:
        pairs = zip(line["corrects"], line["all_parts"], strict=True)
        return [{"correct": correct, "parts": parts} for correct, parts in pairs]
    return [line]


def _cost(lines: Sequence[Line]) -> Cell:
    """Tokens written and read for a problem that was answered (a refused one costs nothing), and dollars if there were
    prices.
    """
    lines = [line for line in lines if not failed(line)]
    if not lines:
        return {"blank": "recording"}

    def spent(name: str) -> float:
        return fmean(line["usage"][name] for line in lines)

    cell: Cell = {"tokens": [round(spent(what), 1) for what in ("completion_tokens", "prompt_tokens")], "n": len(lines)}
    return cell | ({"dollars": round(dollars(lines), 4)} if dollars(lines) else {})


def _lost(run: Filled) -> Cell:
    """Chains lost at their first step: it is illegal, or 24 is out of reach after it. The puzzles are the clusters."""
    pairs = zip(run.problems, run.texts, strict=True)
    shares = [[float(chain_fails_at(p.x, _steps(text)) == 1) for text in texts] or [1.0] for p, texts in pairs]
    return rate(of_samples(shares), len(shares))


def _steps(text: str) -> str:
    """The lines of a chain that are equations, without numbering: a strong model writes words around them."""
    lines = (re.sub(r"^\W*(?:step\W*)?\d+[.:)]\s+", "", line, flags=re.IGNORECASE) for line in text.splitlines())
    lines = (re.sub(r"\((?:remaining|numbers left|→ left):?", "(left:", line, flags=re.IGNORECASE) for line in lines)
    steps = [line for line in lines if "=" in line and not line.lower().startswith("answer")]
    told = [i for i, line in enumerate(steps) if "left" in line]
    return "\n".join(steps[told[0] if told else 0 :])  # what is said before them ("think of 4 * 6 = 24") is no step


def _scores(run: Filled) -> Cell:
    groups = [[r.mean for r in ratings if r.mean is not None] for ratings in run.ratings]
    known = [group for group in groups if group]
    return {"mean": mean(known), "n": len(known)} if known else {"blank": "recording"}


def _spread(run: Filled) -> Cell:
    spreads = [r.spread for ratings in run.ratings for r in ratings if r.spread is not None]
    return {"text": f"{fmean(spreads):.2f}"} if spreads else {"blank": "recording"}


def _pairs(run: Filled) -> Cell:
    o = run.comparison
    unread = f", {o.unread} unread" if o and o.unread else ""
    return {"text": f"{o.wins} / {o.losses} / {o.ties}{unread}"} if o else {"blank": "recording"}


MANY = 0.05  # of the replies: where more had no answer to give, the cell says so
LOST = "CoT, lost at step 1"
MEASURES: dict[str, Callable[[Filled], Cell]] = {
    "answer": lambda run: _share(run.lines),
    "first": lambda run: _share(run.lines, "first"),
    "any": lambda run: _share(run.lines, "any"),
    "samples": lambda run: _samples(run.lines),
    "answer and states": lambda run: {**_share(run.lines), "states": _states(run.lines)},
    "any and states": lambda run: {**_share(run.lines, "any"), "states": _states(run.lines)},
    "parts": lambda run: _parts(run.lines, _own),
    "parts of the best state": lambda run: _parts(run.lines, lambda line: [line["oracle"]]),
    "games of the best state": lambda run: share(
        [line["oracle"]["correct"] and not failed(line) for line in run.lines]
    ),
    "cost": lambda run: _cost(run.lines),
    LOST: _lost,
    "score": _scores,
    "spread": _spread,
    "pairs": _pairs,
}


# ---------------------------------------------------------------- what is printed


def printed(cell: Cell) -> str:
    """A cell of ours on one line."""
    return ", ".join(filter(None, [_figures(cell), cell.get("note", "")]))


def _figures(cell: Cell) -> str:
    if "rate" in cell:
        states = f", {cell['states']:.0f} states" if "states" in cell else ""
        return _interval(cell["rate"]) + states
    if "mean" in cell:
        return _interval(cell["mean"], 1, 2, "")
    if "parts" in cell:
        return ", ".join(f"{part} {_interval(found)}" for part, found in cell["parts"].items())
    if "tokens" in cell:
        written, read = cell["tokens"]
        dollars = f", ${cell['dollars']:.2f}" if "dollars" in cell else ""
        return f"{written:,.0f} / {read:,.0f}{dollars}"
    return str(cell.get("text", "-"))


def _interval(found: Sequence[float], scale: float = 100, digits: int = 1, unit: str = "%") -> str:
    middle, low, high = (f"{scale * x:.{digits}f}" for x in found)
    return f"{middle}{unit} [{low}, {high}]"


def in_words(there: Mapping[str, Number]) -> str:
    """The paper's numbers on one line: one alone, or each with its model."""
    said = {model: _number(number) for model, number in there.items() if number is not None}
    if len(said) <= 1:
        return next(iter(said.values()), "-")
    return ", ".join(f"{model} {number}" for model, number in said.items())


def _number(number: Number) -> str:
    return " / ".join(f"{x:g}" for x in number) if isinstance(number, tuple) else f"{number:g}"


# ---------------------------------------------------------------- what is stored


@dataclass(frozen=True)
class Summary:
    """A filled table, as the page reads it: figures only, no text of a problem or a model.

    ``models``: "large", "small" and "judge" -> their names. ``cells``: row -> its cell. ``why``: row without one -> a
    sentence. ``marks``: what differs from the paper's setting, such as "own problems".
    """

    plan: str
    models: Mapping[str, str]
    dates: Sequence[str]
    marks: Sequence[str]
    cells: Mapping[str, Cell]
    why: Mapping[str, str]

    def beside(self, earlier: Summary) -> Summary:
        """With the rows of an earlier one that this one does not have, or has of fewer problems, if it is about the
        same models and problems. Where a cell does not say how many it is of, it is as the others.
        """
        if earlier.about != self.about:
            return self
        rows = rows_of(PLANS[self.plan])
        shared = self.cells.keys() & earlier.cells.keys()
        ns = {row: [each.cells[row].get("n", 0) for each in (self, earlier)] for row in shared}
        fewer = {row for row, (now, then) in ns.items() if now < then}
        older = fewer | {row for row, found in ns.items() if fewer and not any(found)}
        both = {**earlier.cells, **{row: cell for row, cell in self.cells.items() if row not in older}}
        cells = {row: both[row] for row in rows if row in both}
        why = {row: why for row, why in {**earlier.why, **self.why}.items() if row not in cells}
        return replace(self, cells=cells, why=why)

    @property
    def about(self) -> tuple[str, Mapping[str, str], Sequence[str]]:
        return self.plan, self.models, self.marks

    @property
    def title(self) -> str:
        """For a file's name: plan, models, and what differs from the paper's setting. Others may have the same."""
        whole = "-".join([*self.models.values(), *self.marks])
        short = whole if len(whole) < 150 else f"{whole[:140]}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
        return f"{self.plan}.{re.sub(r'[^A-Za-z0-9._-]+', '-', short)}"

    def place(self, folder: Path, *names: str) -> Path:
        """Where it belongs: the first of ``names``, of its title, and of that with a number, that has not a summary of
        other models, problems or prompts.
        """
        titles = (f"{self.title}{f'-{i}' * (i > 1)}" for i in count(1))
        for path in (folder / f"{name}.json" for name in chain(names, titles)):
            try:
                if Summary.load(path).about == self.about:
                    break
            except ValueError:  # there is none, or it was cut
                break
        return path

    def save(self, path: Path) -> None:
        """The file is whole or what it was, whenever the program is stopped."""
        path.with_suffix(".new").write_text(as_json(asdict(self)), encoding="utf-8")
        path.with_suffix(".new").replace(path)

    @classmethod
    def load(cls, path: Path) -> Summary:
        """Raises ValueError for a file that is no summary."""
        try:
            return cls(**read(path))
        except (TypeError, ValueError, OSError) as error:
            raise ValueError(f"{path} is no summary of studies.paper_table: {error}") from error


def cells_of(plan: Plan, filled: Mapping[Run, Filled]) -> dict[str, Cell]:
    """Row -> cell, of the runs that have lines, in the plan's order; with a note where many replies were no answer."""
    return {
        row.name: MEASURES[row.measure](filled[run]) | _lacking(filled[run].lines)
        for run in plan.runs
        if run in filled and filled[run].lines
        for row in run.rows
    }


def _lacking(lines: Sequence[Line]) -> dict[str, str]:
    """A note where many replies were still thinking, or, where each is an answer, were cut off at their limit."""
    bills = [bill for line in lines for role, bill in line["usage"].get("by_role", {}).items() if role != TOOL]
    replies = sum(bill["samples"] for bill in bills)
    told = {"still thinking": "still_thinking"}
    told |= {"cut at the limit": "cut"} if tot.method(lines[0]["method"]).independent else {}
    counts = {words: sum(line.get(name, 0) for line in lines) for words, name in told.items()}
    note = ", ".join(f"{n} of {replies} replies {words}" for words, n in counts.items() if n > MANY * replies)
    return {"note": note} if note else {}


def rows_of(plan: Plan) -> dict[str, Row]:
    return {row.name: row for run in plan.runs for row in run.rows}
