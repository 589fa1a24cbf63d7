"""Write book/tables.md: the papers' tables beside ours.

    python -m tools.tables [--results FOLDER]

The papers' numbers are those of studies/papers.py, ours those of studies/results/tables.json, which
``python -m studies.tables`` computes (`make tables` does both). The words are in ``tables.md.jinja``; here are the
tables of each part.

Tables that ``python -m studies.paper_table`` has filled with other models stand in columns of their own. FOLDER is
where it keeps them: their figures are copied to studies/results/models, which the page is written from. Delete a file
there, and its column is gone.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from studies import papers
from studies.figures import holm
from studies.paper_table.filling import Summary, in_words, rows_of
from studies.paper_table.plans import PLANS
from studies.tables.tree_of_thoughts import PILOT
from tools import pooled
from tools.written import page_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "tables.md"
RESULTS = ROOT / "studies" / "results" / "tables.json"
MODELS_OF_READERS = ROOT / "studies" / "results" / "models"

Cell = Mapping[str, Any]
Column = Mapping[str, Cell]  # row -> cell
Section = Mapping[str, Any]  # of what studies/tables computed


def say(text: str) -> str:
    """A paragraph of the source as one line."""
    return " ".join(text.split())


@dataclass
class Table:
    """Some rows; the papers' columns and ours, each under its head."""

    first: str
    rows: Mapping[str, str]  # key -> what the reader sees
    columns: dict[str, dict[str, Cell]]


# ---------------------------------------------------------------- one cell, one table


def blank(why: str) -> Cell:
    return {"blank": why}


def theirs(values: Mapping[str, float | None], form: str = "{:g}%", why: str = "drawn") -> Column:
    """A column of the paper, as printed."""
    return {row: blank(why) if value is None else {"text": form.format(value)} for row, value in values.items()}


def ours(rows: Mapping[str, Mapping[str, Cell]], column: str) -> Column:
    return {row: cells[column] for row, cells in rows.items() if column in cells}


def interval(found: list[float], scale: float = 100) -> str:
    """In percent without decimals, but small rates with one, and other measures with two."""
    digits = 2 if scale == 1 else 1 if found[0] < 0.1 and found[2] - found[1] < 0.05 else 0
    rate, low, high = (f"{scale * x:.{digits}f}" for x in found)
    return f"{rate}{'%' if scale == 100 else ''} [{low}, {high}]"


def parts(cell: Cell) -> dict[str, Cell]:
    """What a cell holds, each under its name; {} for a blank, and one nameless part for a cell that is not stacked."""
    rest = {key: value for key, value in cell.items() if key in ("n", "note")}
    if "blank" in cell:
        return {}
    if "parts" in cell:
        return {
            name: {"text" if isinstance(found, str) else "rate": found} | rest for name, found in cell["parts"].items()
        }
    if "tokens" in cell:
        found = {name: {"text": f"{n:,.0f}"} for name, n in zip(("written", "read"), cell["tokens"], strict=True)}
        found |= {"dollars": {"text": f"${cell['dollars']:.2f}"}} if "dollars" in cell else {}
        return found | {"written": found["written"] | rest}
    found = {"": cell}
    if "path" in cell:
        found["on the path"] = {"text": f"{cell['path']:.1f}"}
        found["right"] = {"text": f"{cell['right']} of {cell['n']}"}
    if "states" in cell:
        found["states"] = {"text": f"{cell['states']:.0f}"}
    return found


def unstacked(columns: Mapping[str, Column]) -> Iterator[tuple[str, Column]]:
    """A column for each part of the cells."""
    for head, column in columns.items():
        cells = {row: parts(cell) for row, cell in column.items()}
        for name in dict.fromkeys(name for found in cells.values() for name in found) or [""]:
            named = {row: found.get(name, blank("no spread")) if found else column[row] for row, found in cells.items()}
            yield f"{head}, {name}" if name else head, named


def words(cell: Cell, usual: int | None) -> str:
    """What a cell shows; ``usual``: the n of its column."""
    if "rate" in cell:
        text = interval(cell["rate"])
    elif "mean" in cell:
        text = interval(cell["mean"], 1)
    else:
        text = f"{cell['share']:.0%} of {cell['of']}" if "share" in cell else cell["text"]
    small = [f"n={cell['n']}"] if usual and cell.get("n") not in (None, usual) and "path" not in cell else []
    return ", ".join([text, *small, *([cell["note"]] if "note" in cell else [])])


def shown(table: Table, letters: dict[str, str], why: Callable[[str], str]) -> str:
    usual, heads, columns = {}, [table.first], dict(unstacked(table.columns))
    for head, column in columns.items():
        counts = Counter(cell["n"] for cell in column.values() if "n" in cell)
        usual[head] = counts.most_common(1)[0][0] if counts else None
        heads.append(f"{head}<br>n={usual[head]}" if usual[head] else head)
    lines = [heads, ["---"] * len(heads)]
    for row, label in table.rows.items():
        cells = []
        for head, column in columns.items():
            cell = column.get(row, blank("not there"))
            if "blank" in cell:
                letter = letters.setdefault(cell["blank"], "abcdefgh"[len(letters)])
                reason = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", why(cell["blank"]))
                cells.append(f'<abbr title="{reason}">–</abbr><sup>{letter}</sup>')
            else:
                cells.append(words(cell, usual[head]))
        lines.append([label, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def signed(x: float, digits: int) -> str:
    """+4, -4, 0: a zero has no sign."""
    text = f"{x:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


def in_points(found: list[float], scale: float = 100, digits: int = 0) -> str:
    """A difference with its interval: +4 [-1, +9]."""
    middle, low, high = (signed(scale * x, digits) for x in found)
    return f"{middle} [{low}, {high}]"


def size(found: Mapping[str, Any]) -> str:
    """Does ours leave room for the paper's own difference? "" where it has no figure."""
    if "p of theirs" not in found:
        return ""
    return "excluded" if found["p of theirs"] < 0.05 else "fits"


def compared(section: str, one: Mapping[str, Any]) -> str:
    """``- row minus row: +70 points there; pocket model +48 [40, 56], n=100: agrees, theirs excluded.``"""
    points = one["unit"] == "points"
    if "claim" in one:
        there = f"claimed to be {'higher' if one['claim'] > 0 else 'lower'} there, without a figure"
    else:
        there = "not there" if one["there"] is None else f"{one['there']:+g} there"
    sides = []
    for name, found in one["here"].items():
        gap = in_points(found["difference"], *((100, 0) if points else (1, 2)))
        theirs = f", *theirs {size(found)}*" if size(found) else ""
        sides.append(f"{name} {gap}, n={found['n']}: *{found['verdict']}*{theirs}")
    place = f'<span id="{pooled.anchor(section, one["what"])}"></span>'  # the forest plot leads here
    return f"- {place}{one['what']}: {there}; {'; '.join(sides)}."


def printed(name: str, tables: Iterable[Table], s: Section, why: Mapping[str, str]) -> str:
    """Tables, the reasons for their blanks, and the differences between rows, as Markdown."""
    letters: dict[str, str] = {}

    def reason(name: str) -> str:
        return say(why[name].format(**s))

    blocks = [shown(table, letters, reason) for table in tables]
    if letters:
        blocks.append("\n".join(f"- <sup>{letter}</sup> {reason(name)}" for name, letter in letters.items()))
    known = [one for one in s.get("differences", ()) if one["here"]]
    if known:
        lines = "\n".join(compared(name, one) for one in known)
        both = "; *cannot tell* is about the sign, *theirs excluded* about the size, so both can hold"
        both = both if "*cannot tell*, *theirs excluded*" in lines else ""
        blocks += [f"Row minus row, in {known[0]['unit']}, before rounding{both}:", lines]
    return "\n\n".join(blocks)


def same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def dates(source: Mapping[str, Any]) -> str:
    return ", ".join(source["dates"])


# ---------------------------------------------------------------- the tables of each part

TWO = ("pocket model", "recorded model")
GSM8K = papers.SETS.index("GSM8K")


def two(s: Section) -> dict[str, Column]:
    """The columns of both models of ours."""
    return {name: ours(s["rows"], name) for name in TWO}


def tasks(s: Section) -> list[Table]:
    steps, tested = ({name: {"text": pair[i]} for name, pair in papers.TASKS.items()} for i in (0, 1))
    columns = {"steps there": steps, "steps here": ours(s["rows"], "steps")}
    columns |= {"problems there": tested, "problems here": ours(s["rows"], "problems")}
    return [Table("task", same(*papers.TASKS), columns)]


def game24(s: Section) -> list[Table]:
    mine = s["the paper's own"]
    own = {"GPT-4, all": theirs({row: papers.GAME24[row] for row in mine}), "pocket model": ours(mine, "pocket model")}
    columns = {"GPT-4": theirs(papers.GAME24), **two(s)}
    chosen = "no help, one is chosen"
    names = ("a program helps", chosen, f"{chosen}; a copy that practised it judges the end", "no help, any of five")
    ways = dict(zip(s["help"], names, strict=True))
    tree = {name: ours(s["help"], name) for name in ("GPT-4's log", "pocket model")}
    again = {"GPT-4": theirs({row: papers.GAME24.get(row) for row in s["again"]}, why="not there")}
    again["recorded model"] = ours(s["again"], "recorded model, 120 puzzles")
    return [
        Table("method", same(*papers.GAME24), columns),
        Table("ToT b=5 in four ways", ways, tree),
        Table("the paper's own puzzles", same(*mine), own),
        Table("nobody checks, or a program does", same(*s["again"]), again),
    ]


def visited(s: Section) -> list[Table]:
    rates = {f"ToT b={b}": rate for b, rate in papers.BREADTHS.items()} | papers.GAME24
    return [Table("method", same(*s["rows"]), {"GPT-4": theirs({row: rates[row] for row in s["rows"]}), **two(s)})]


def lost(s: Section) -> list[Table]:
    return [Table("share of", same(*papers.LOST_AT), {"GPT-4": theirs(papers.LOST_AT, "around {:g}%"), **two(s)})]


def coherence(s: Section) -> list[Table]:
    rows = {**s["rows"], **s["more"]}
    names = {"spread": "standard deviation of a passage's scores", "pairs": "ToT against CoT: wins / losses / ties"}
    four, three = ({row: pair[i] for row, pair in papers.COHERENCE.items()} for i in (0, 1))
    pairs = " / ".join(map(str, papers.READERS.values()))
    more: Column = {"spread": {"text": f"{papers.SPREAD:g}"}, "pairs": {"text": pairs}}
    columns = {
        "GPT-4": {**theirs(four, "{:g}"), **more},
        "GPT-3.5": {**theirs(three, "{:g}", "not there"), **dict.fromkeys(more, blank("no spread"))},
        "recorded model": ours(rows, "recorded model"),
    }
    return [Table("passage", {row: names.get(row, row) for row in rows}, columns)]


def crosswords(s: Section) -> list[Table]:
    def stacked(values: Iterable[float]) -> Cell:
        return {"parts": dict(zip(("letters", "words", "games"), map("{:g}%".format, values), strict=True))}

    rates = {row: stacked(values) for row, values in papers.CROSSWORDS.items()}
    no = papers.NOT_PRUNED
    more = {**rates, "-prune, best state": {"parts": {"games": f"{no['found'] / no['games']:.0%}"}}}
    simulated = {"GPT-4": more, "simulated solver": ours(s["SIMULATED"], "SIMULATED")}
    recorded = {"GPT-4": rates, "recorded model": ours(s["rows"], "recorded model")}
    names = [name for row in rates for name in ((row, PILOT) if row == "ToT" and PILOT in s["rows"] else (row,))]
    recorded["GPT-4"] = {**rates, PILOT: rates["ToT"]}
    return [Table("method", same(*names), recorded), Table("SIMULATED", same(*more), simulated)]


def questions(s: Section) -> list[Table]:
    rates = {f"{kind}, {row}": rate for kind, rows in papers.ZERO_SHOT_TOT.items() for row, rate in rows.items()}
    columns = {"GPT-4": theirs(rates), **{name: ours(s["rows"], name) for name in ("our questions", "public sample")}}
    return [Table("set, method", same(*rates), columns)]


def weaker(s: Section) -> list[Table]:
    columns = {name: theirs(rates) for name, rates in papers.WEAKER.items()}
    columns |= {"pocket model": ours(s["rows"], "pocket model"), "its early checkpoint": ours(s["rows"], "unfinished")}
    who = {"strong": "GPT-4", "weak": "GPT-3.5"}
    swap = {f"{a} generates, {b} judges": papers.SWAP[who[a], who[b]] for a in who for b in who}
    mixed = {"GPT-4 and GPT-3.5": theirs(swap), "pocket models": ours(s["swap"], "pocket models")}
    return [Table("method", same(*papers.WEAKER["GPT-4"]), columns), Table("who does what", same(*swap), mixed)]


def bills(s: Section) -> list[Table]:
    there: Column = {
        row: {"tokens": (1000 * out, 1000 * read), "dollars": price} for row, (out, read, price) in papers.COSTS.items()
    }
    return [Table("task, method", same(*papers.COSTS), {"GPT-4": there, **two(s)})]


def hotpotqa(s: Section) -> list[Table]:
    rates = {row: None if x is None else 100 * x for row, x in papers.HOTPOTQA.items()}
    columns = {"the poster": theirs(rates, "{:.0f}%", "too slow")}
    columns |= {f"{kind} questions": ours(s["rows"], kind) for kind in ("easy", "other")}
    return [Table("method", same(*s["rows"]), columns)]


def tool_costs(s: Section) -> list[Table]:
    columns = {name: ours(s["rows"], name) for name in ("no failures", "with failures")}
    return [Table("method", same(*s["rows"]), columns)]


def planning(s: Section) -> list[Table]:
    printed = {"zero-shot CoT": papers.ZERO_SHOT, "CoT Plan": papers.COT_PLAN, "MCTS Plan": papers.MCTS_PLAN}
    columns: dict[str, Column] = {}
    for model in papers.MCTS_PLAN:
        rates = {row: by_model[model][GSM8K] if model in by_model else None for row, by_model in printed.items()}
        columns[f"{'Llama ' if model == '8B' else ''}{model}"] = theirs(rates, "{:.2f}%", "only large")
    columns["recorded model"] = ours(s["rows"], "recorded model")
    sets = {
        f"{row}, there": theirs(dict(zip(papers.SETS, m, strict=True)), "{:.2f}%") for row, m in papers.MEANS.items()
    }
    sets |= {f"{row}, here": ours(s["sets"], row) for row in papers.MEANS}
    heads = next(iter(s["decided"].values()))
    last = Table("set, model", same(*s["decided"]), {head: ours(s["decided"], head) for head in heads})
    return [Table("GSM8K", same(*printed), columns), Table("set", same(*papers.SETS), sets), last]


def rollouts(s: Section) -> list[Table]:
    columns: dict[str, Column] = {}
    deep: dict[str, Column] = {}
    for model, head in (("8B", "Llama 8B"), ("7B", "Qwen 7B")):
        depth, rollout = papers.DEPTH_AND_ROLLOUTS[model]
        columns[head] = theirs({str(n): x for n, x in zip(papers.ROLLOUTS, rollout, strict=True)}, "{:.2f}%")
        deep[head] = theirs({str(n): x for n, x in zip(papers.DEPTHS, depth, strict=True)}, "{:.2f}%")
    columns["recorded model"] = ours(s["rows"], "recorded model")
    deep["recorded model"] = ours(s["depths"], "recorded model")
    return [Table("rollouts", same(*s["rows"]), columns), Table("depth", same(*s["depths"]), deep)]


def one_judge(s: Section) -> list[Table]:
    names = ("feasibility alone", "logical consistency alone", "both judges", "any of the plans")
    rates = {name: row[GSM8K] for name, row in papers.ONE_JUDGE.items()}
    means = {name: fmean(row) for name, row in papers.ONE_JUDGE.items()}
    columns = {"Qwen 7B, GSM8K": theirs(rates, "{:.1f}%"), "its eight sets (our mean)": theirs(means, "{:.1f}%")}
    columns["recorded model"] = ours(s["rows"], "recorded model")
    side = {"recorded model": ours(s["side"], "recorded model")}
    return [
        Table("the tree's judge", dict(zip(s["rows"], names, strict=False)), columns),
        Table("plans side by side, chosen by", dict(zip(s["side"], names, strict=True)), side),
    ]


def roles(s: Section) -> list[Table]:
    def sizes(small: str) -> Column:
        size, column = {"small": small, "large": "72B"}, dict[str, Cell]()
        for row in s["rows"]:
            trio = papers.ROLES[size[(names := row.split(", "))[0]], size[names[1]], size[names[2]]]
            again = small != "1.5B" and "small" not in names
            column[row] = blank("same row") if again else {"text": f"{trio[GSM8K]:.2f}%"}
        return column

    columns = {"Qwen 1.5B, 72B": sizes("1.5B"), "Gemma 2b, Qwen 72B": sizes("2b")}
    columns["recorded models"] = ours(s["rows"], "recorded models")
    control = {"recorded models": ours(s["control"], "recorded models")}
    return [
        Table("planner, judge, executor", same(*s["rows"]), columns),
        Table("no search: planner, executor", same(*s["control"]), control),
    ]


def long_word(s: Section) -> list[Table]:
    columns = {"the paper": {row: {"text": x} for row, x in papers.LONG_WORD.items()}}
    return [Table("way", same(*papers.LONG_WORD), columns | {"recorded model": ours(s["rows"], "recorded model")})]


PARTS: dict[str, Callable[[Section], list[Table]]] = {  # in the order of the page; named as in studies/tables
    "tasks": tasks,
    "game24": game24,
    "visited": visited,
    "lost": lost,
    "coherence": coherence,
    "crosswords": crosswords,
    "questions": questions,
    "weaker": weaker,
    "bills": bills,
    "hotpotqa": hotpotqa,
    "tool costs": tool_costs,
    "planning": planning,
    "rollouts": rollouts,
    "one judge": one_judge,
    "roles": roles,
    "long word": long_word,
}


def verdicts(found: Mapping[str, Section]) -> Counter[str]:
    """How many comparisons agree, or not, and have room for the paper's figure, or not; the simulation left out."""
    every = [one for section in found.values() for one in section.get("differences", ())]
    every = [one for one in every if one["there"] is not None or "claim" in one]
    ours = [here for one in every for name, here in one["here"].items() if name != "SIMULATED"]
    counts = Counter(word for here in ours for word in (here["verdict"], size(here) or "no figure"))
    excluded = holm([here["p of theirs"] for here in ours if size(here)])
    counts.update({"all": len(ours), "excluded of all": sum(p < 0.05 for p in excluded)})
    return counts


def nothing_clear(differences: Sequence[Mapping[str, Any]]) -> bool:
    return all(found["verdict"] == "cannot tell" for one in differences for found in one["here"].values())


# ---------------------------------------------------------------- columns of other models


def filled(folder: Path = MODELS_OF_READERS) -> list[Summary]:
    """The tables that are stored there. Raises ValueError for a file that is no summary."""
    return [Summary.load(path) for path in sorted(folder.glob("*.json"))]


def collect(folder: Path, into: Path = MODELS_OF_READERS) -> list[Path]:
    """Copy the figures of all tables that a folder of studies.paper_table holds; returns where they are now.

    Raises ValueError if it holds none.
    """
    found = [path for name in PLANS for path in sorted({*folder.glob(f"{name}.json"), *folder.glob(f"{name}.*.json")})]
    if not found:
        raise ValueError(f"{folder} holds no filled table: run python -m studies.paper_table TABLE --out {folder}")
    into.mkdir(parents=True, exist_ok=True)
    made = []
    for path in found:
        summary = Summary.load(path)
        made.append(summary.place(into))
        with suppress(ValueError):  # there is none yet
            summary = summary.beside(Summary.load(made[-1]))  # rows of more problems stay
        summary.save(made[-1])
    return made


def head(summary: Summary, column: str) -> str:
    """Whose column it is, with the date, and with what differs from the paper's setting."""
    names = {who: re.sub(r"[|<>`*\\\s]+", " ", name) for who, name in summary.models.items()}
    both = f"large: {names['large']}, small: {names.get('small', '-')}"
    name = {"large": names["large"], "small": names.get("small", "-"), "both": both}.get(column)
    judge = [f"judge: {names['judge']}"] if "judge" in names else []
    return "<br>".join([name or f"{column}, {names['large']}", *judge, *summary.dates[-1:], *summary.marks])


def with_models(name: str, tables: list[Table], summaries: Iterable[Summary]) -> list[Table]:
    """The part's tables with a column for each model that filled rows of them; rows without a place have their own."""
    more = list[Table]()
    for summary in summaries:
        plan, rows = PLANS[summary.plan], rows_of(PLANS[summary.plan])
        known = {row: cell for row, cell in summary.cells.items() if row in rows}
        for row, cell in known.items():
            for place in rows[row].places:
                for table in tables:
                    if (place.part or plan.part) == name and place.table == table.first and place.row in table.rows:
                        added = dict.fromkeys(table.rows, blank("other model"))
                        column = table.columns.setdefault(head(summary, place.column), added)
                        column[place.row] = cell
        alone = {row: cell for row, cell in known.items() if not rows[row].places} if plan.part == name else {}
        if alone:
            whose = "both" if "small" in summary.models else "large"
            paper: Column = {row: {"text": in_words(rows[row].there)} for row in alone}
            more.append(Table("row", same(*alone), {"the paper": paper, head(summary, whose): alone}))
    return tables + more


def page(
    found: Mapping[str, Section] | None = None,
    models: Sequence[Summary] | None = None,
    others: pooled.Tables | None = None,
) -> str:
    """book/tables.md of what studies/tables computed, what other models filled, and what else the picture compares
    (what is stored, unless given).
    """
    found, others = found or json.loads(RESULTS.read_text("utf-8")), others or pooled.more()
    models = filled() if models is None else models

    def tables(why: Mapping[str, str], name: str) -> str:
        return printed(name, with_models(name, PARTS[name](found[name]), models), found[name], why)

    say = {each.__name__: each for each in (tables, dates, interval, in_points, nothing_clear, fmean, compared)}
    every = [*pooled.rows(found, others)]
    said = verdicts(found) + pooled.power(every)
    text = page_of(
        "tables.md.jinja",
        found=found,
        papers=papers,
        GSM8K=GSM8K,
        said=said,
        others=bool(models),
        more=others,
        forest=pooled.forest(every),
        **say,
    )
    return re.sub(r"\b([AD])\*", r"\1\\*", text)  # A* and D* are no emphasis


def main() -> int:
    parser = argparse.ArgumentParser(description="Write book/tables.md: the papers' tables beside ours.")
    parser.add_argument("--results", type=Path, metavar="FOLDER", help="tables that studies.paper_table filled")
    options = parser.parse_args()
    try:
        if options.results:
            for path in collect(options.results):
                print(f"figures: {path.relative_to(ROOT)}")
        PAGE.write_text(page(), encoding="utf-8")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
