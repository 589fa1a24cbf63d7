"""Write book/tables.md: the papers' tables beside ours.

    python tools/tables.py [--check] [--results FOLDER]

The papers' numbers are those of studies/papers.py, ours those of studies/results/tables.json, which
``python -m studies.tables`` computes (`make tables` does both). Here are the words, and the reasons for blanks.

Tables that ``python -m studies.paper_table`` has filled with other models stand in columns of their own. FOLDER is
where it keeps them: their figures are copied to studies/results/models, which the page is written from. Delete a file
there, and its column is gone.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from studies import papers  # noqa: E402
from studies.paper_table.filling import Summary, in_words, rows_of  # noqa: E402
from studies.paper_table.plans import PLANS  # noqa: E402

PAGE = ROOT / "book" / "tables.md"
RESULTS = ROOT / "studies" / "results" / "tables.json"
MODELS_OF_READERS = ROOT / "studies" / "results" / "models"

Cell = Mapping[str, Any]
Column = Mapping[str, Cell]  # row -> cell

HEAD = """# The papers' tables beside ours

Every table of the three papers, and every figure that they put a number on, beside what this book has for it. Other
models, other problems, other prompts: no column can be compared with another one. So **compare rows**: does the order
of the methods come out the same? That is what the list below each table says, row minus row, there and here, ours
always on the same problems:

- *agrees*: ours has the sign of theirs, and it is no matter of luck (p < 0.05 in an exact sign flip test over problems,
  which is McNemar's where each answer is right or wrong; a 95% interval of few problems is too narrow to decide);
- *the other way round*: as clear, with the other sign;
- *cannot tell*: our problems are too few for this difference. It is no sign that there is none.
- *clear here*: ours is no matter of luck, and the paper has nothing to compare it with.

{verdicts} With so many tests, one or two can be clear by luck.

Our models: the **recorded model** is {model}, a small model for code; the **pocket model** was
trained for this book and knows one game ([its card](pocket_card.md)); a **simulated** solver is no language model, and
its numbers have tables of their own. Behind a rate stands its 95% interval: 64% [54, 73]. Where a cell differs from its
column in n or in k, it says so: then the problems are not the same ones, and only the list compares them. A letter
stands for a blank, and the reason is below the table.

The page is written by `tools/tables.py`. The papers' numbers are in `studies/papers.py`, with the table or section of
each (our copies have no page numbers). Ours are replayed or read from results files by `studies/tables`, never typed;
a row counts when a whole plan of `studies/plans.py` replays. After a new recording `make tables` does it again.
"""


def say(text: str) -> str:
    """A paragraph of the source as one line."""
    return " ".join(text.split())


WHY = {  # name of a reason -> the words
    "recording": "Not recorded yet: a row counts when all problems of a plan replay.",
    "drawn": "Drawn in the paper's figure, without a number.",
    "not there": "The paper does not have this row.",
    "too slow": "The poster has no number: this method was too slow for its authors to complete.",
    "no spread": "The paper gives no such number for this model.",
    "hundred": "Too dear: a hundred samples of each puzzle. Table 2 has the best of fewer.",
    "two puzzles": """Too dear: {trees} puzzles were recorded, {ablations} for the ablations, with fewer steps.
        [Chapter 8](../notebooks/08_tot_dfs_crosswords.ipynb) reads them as worked examples; for a rate they are too
        few.""",
    "no chains": "Not built: the simulated solver fills in words, and writes no chains.",
    "public": "Too dear: a tree asks many times as much as a chain, and of these questions each was asked once.",
    "unfinished": "Not run: only the search was tried with the unfinished model.",
    "one game": "The pocket model knows one game and no other task.",
    "easy only": "Too dear: the searches were recorded on the easy questions.",
    "no failures": "Too dear: this method was not recorded with failing tools.",
    "only large": "The paper gives this row for its two larger models.",
    "floor": "Floor: in a pilot this model solved next to nothing of the kind. Such a row would compare nothing.",
    "ceiling": "Ceiling: in a pilot of three problems nearly everything was solved. There is little to gain.",
    "dear": "Too dear: another kind of problem costs as much as each of the two that are recorded.",
    "other plans": "Not recorded: on some problems it would carry out another plan than with {rollouts} rollouts.",
    "depth": """The same trees as depth 5: with {rollouts} rollouts no plan can be revised more often.""",
    "two models": "Not recorded yet: it takes two models side by side.",
    "same row": "The same row: 72B in all roles.",
    "other model": "Not run with this model.",
}


@dataclass
class Table:
    """Some rows; the papers' columns and ours, each under its head."""

    first: str
    rows: Mapping[str, str]  # key -> what the reader sees
    columns: dict[str, dict[str, Cell]]


@dataclass
class Part:
    """One table or figure of a paper."""

    paper: str
    covers: tuple[str, ...]  # of papers.PLACES
    title: str
    there: str
    here: str
    tables: list[Table]
    why: str
    differences: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)  # for the reasons


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


def words(cell: Cell, usual: int | None) -> str:
    """What a cell shows; ``usual``: the n of its column."""
    lines = []
    if "rate" in cell:
        lines = [interval(cell["rate"])]
    elif "mean" in cell:
        lines = [interval(cell["mean"], 1)]
    elif "share" in cell:
        lines = [f"{cell['share']:.0%} of {cell['of']}"]
    elif "parts" in cell:
        lines = [f"{part}: {interval(found)}" for part, found in cell["parts"].items()]
    elif "tokens" in cell:
        written, read = cell["tokens"]
        lines = [f"{written:,.0f} / {read:,.0f}"]
        lines += [f"${cell['dollars']:.2f}"] if "dollars" in cell else []
    else:
        lines = [cell["text"]]
    if "path" in cell:
        lines += [f"on the path {cell['path']:.1f}", f"right: {cell['right']} of {cell['n']}"]
    if "states" in cell:
        lines.append(f"{cell['states']:.0f} states")
    small = [f"n={cell['n']}"] if usual and cell.get("n") not in (None, usual) and "path" not in cell else []
    small += [cell["note"]] if "note" in cell else []
    return "<br>".join(lines) + "".join(f", {note}" for note in small)


def shown(table: Table, letters: dict[str, str]) -> str:
    usual, heads = {}, [table.first]
    for head, column in table.columns.items():
        counts = Counter(cell["n"] for cell in column.values() if "n" in cell)
        usual[head] = counts.most_common(1)[0][0] if counts else None
        heads.append(f"{head}<br>n={usual[head]}" if usual[head] else head)
    lines = [heads, ["---"] * len(heads)]
    for row, label in table.rows.items():
        cells = []
        for head, column in table.columns.items():
            cell = column.get(row, blank("not there"))
            if "blank" in cell:
                letter = letters.setdefault(cell["blank"], "abcdefgh"[len(letters)])
                cells.append(f"*{letter}*")
            else:
                cells.append(words(cell, usual[head]))
        lines.append([label, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def signed(x: float, digits: int) -> str:
    """+4, -4, 0: a zero has no sign."""
    text = f"{x:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


def compared(one: Mapping[str, Any]) -> str:
    """``- row minus row: +70 points there; pocket model +48 [40, 56], n=100: agrees.``"""
    points = one["unit"] == "points"
    if "claim" in one:
        there = f"claimed to be {'higher' if one['claim'] > 0 else 'lower'} there, without a figure"
    else:
        there = "not there" if one["there"] is None else f"{one['there']:+g} there"
    sides = []
    for name, found in one["here"].items():
        scale, digits = (100, 0) if points else (1, 2)
        middle, low, high = (signed(scale * x, digits) for x in found["difference"])
        sides.append(f"{name} {middle} [{low}, {high}], n={found['n']}: *{found['verdict']}*")
    return f"- {one['what']}: {there}; {'; '.join(sides)}."


def printed(part: Part) -> str:
    """The part as Markdown. Stars of A* and D* are no emphasis."""
    letters: dict[str, str] = {}
    blocks = [f"### {part.title}", f"*There:* {say(part.there)}<br>*Here:* {say(part.here)}"]
    blocks += [shown(table, letters) for table in part.tables]
    if letters:
        blocks.append(
            "\n".join(f"- *{letter}*: {say(WHY[why].format(**part.facts))}" for why, letter in letters.items())
        )
    known = [one for one in part.differences if one["here"]]
    if known:
        blocks.append(f"Row minus row, in {known[0]['unit']}:\n\n" + "\n".join(map(compared, known)))
    return re.sub(r"\b([AD])\*", r"\1\\*", "\n\n".join([*blocks, say(part.why)]))


def same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def dates(source: Mapping[str, Any]) -> str:
    return ", ".join(source["dates"])


# ---------------------------------------------------------------- Tree of Thoughts

TOT, POSTER, PLANNING = papers.PLACES
TWO = ("pocket model", "recorded model")


def tasks(s: dict[str, Any]) -> Part:
    steps, tested = ({name: {"text": pair[i]} for name, pair in papers.TASKS.items()} for i in (0, 1))
    columns = {"steps there": steps, "steps here": ours(s["rows"], "steps")}
    columns |= {"problems there": tested, "problems here": ours(s["rows"], "problems")}
    there = "the paper's problems, some of them from web sites (section 4)."
    here = "problems of our own, because theirs may not be printed here; of the Game of 24, for each of two models."
    why = """We count every thought of a finished run, the answer included, and all words of a crossword. The paper
        leaves the answer out ([E7](errata.md#e7-one-step-or-two))."""
    tables = [Table("task", same(*papers.TASKS), columns)]
    return Part(TOT, ("Table 1",), "Table 1: the three tasks", there, here, tables, why)


def game24(s: dict[str, Any]) -> Part:
    pocket, real = (s["source"][name] for name in TWO)
    columns = {"GPT-4": theirs(papers.GAME24), **{name: ours(s["rows"], name) for name in TWO}}
    mine = s["the paper's own"]
    own = {"GPT-4, all": theirs({row: papers.GAME24[row] for row in mine}), "pocket model": ours(mine, "pocket model")}
    there = "100 games, ranks 901 to 1,000 of a web site's list (section 4.1)."
    here = f"""the pocket model on the same ranks of our own list ({pocket["date"]}); the recorded model on our starter
        puzzles ({dates(real)}). Best of k is picked by a check, there and here. Second table: those of the paper's own
        hundred that the pocket model had not seen in its training."""
    why = f"""The pocket model was trained on chains that end well, so its CoT is no sign of what CoT does for others.
        A program writes our answers down from the three steps; where the pocket model has to do that itself, as GPT-4
        had, ToT b=5 falls to {interval(s["alone"])}. For the recorded model the program also keeps the numbers that
        are left, and its puzzles are easier. [The study of the Game of 24](../notebooks/study_game24.ipynb) looks into
        each row."""
    tables = [Table("method", same(*papers.GAME24), columns), Table("the paper's own puzzles", same(*mine), own)]
    return Part(TOT, ("Table 2",), "Table 2: Game of 24", there, here, tables, why, s["differences"])


def visited(s: dict[str, Any]) -> Part:
    rates = {f"ToT b={b}": rate for b, rate in papers.BREADTHS.items()} | papers.GAME24
    columns = {"GPT-4": theirs({row: rates[row] for row in s["rows"]}), **{name: ours(s["rows"], name) for name in TWO}}
    there = "the states are drawn, not printed (section 4.1)."
    here = "the runs of table 2, with the states that were visited for a puzzle."
    why = """In the paper breadth pays; what it does here stands below table 2. The pocket model's evaluator errs so
        seldom that a narrow beam loses little. A sample counts as one state, as in the paper; it has another price
        ([chapter 16](../notebooks/16_what_does_it_cost.ipynb))."""
    tables = [Table("method", same(*s["rows"]), columns)]
    return Part(TOT, ("Figure 3",), "Figure 3 (a): success and states visited", there, here, tables, why)


def lost(s: dict[str, Any]) -> Part:
    columns = {"GPT-4": theirs(papers.LOST_AT, "around {:g}%"), **{name: ours(s["rows"], name) for name in TWO}}
    why = """In all three columns most chains are lost after their first equation. The interval of the recorded chains
        is over puzzles; of the pocket model's chains only counts were kept."""
    tables = [Table("share of", same(*papers.LOST_AT), columns)]
    here = "the same runs; a solver looks whether 24 is still in reach."
    return Part(TOT, ("Figure 3",), "Figure 3 (b): lost at the first step", "section 4.1.", here, tables, why)


def coherence(s: dict[str, Any]) -> Part:
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
    there = """passages by GPT-4 and by GPT-3.5 for 100 inputs, scored by GPT-4 from 1 to 10, five times each (section
        4.2, appendix B.2); the pairs were compared by people."""
    here = f"""inputs of our own, written *and* judged by the recorded model ({dates(s["source"])}). It compares pairs
        in both orders; a verdict that follows the order is a tie."""
    why = """A score means nothing apart from its judge, and ours is a poor one: the spread says how much it
        contradicts itself, and the pairs that it goes by the order. The rows that the paper does not have test the
        judge. [A study](../notebooks/study_writing.ipynb) shows why nothing here ranks methods."""
    tables = [Table("passage", {row: names.get(row, row) for row in rows}, columns)]
    title = "Figure 5 and table 6: Creative Writing"
    return Part(TOT, ("Figure 5", "Table 6"), title, there, here, tables, why, s["differences"])


def crosswords(s: dict[str, Any]) -> Part:
    def stacked(values: tuple[float, ...]) -> Cell:
        parts = zip(("letters", "words", "games"), values, strict=True)
        return {"text": "<br>".join(f"{name}: {value:g}%" for name, value in parts)}

    rates = {row: stacked(values) for row, values in papers.CROSSWORDS.items()}
    no = papers.NOT_PRUNED
    rows = same(*papers.CROSSWORDS, "-prune, best state")
    more = {**rates, "-prune, best state": {"text": f"games: {no['found'] / no['games']:.0%}"}}
    source = s["source"]["SIMULATED"]
    there = "20 games (section 4.3)."
    here = f"""the recorded model on our easy puzzles ({dates(s["source"]["recorded model"])}), {s["samples"]} samples
        each, 10 there. Below, in a table of its own, the SIMULATED solver: {source["puzzles"]} puzzles,
        {source["seeds"]} seeds."""
    why = f"""The paper's puzzles are harder, and a small model sees tokens where this task is made of letters. The
        simulation has dials where a model has weaknesses: it says how a search behaves, and nothing about a model. In
        it, -backtrack is not the worst row: permission to overwrite repairs more than the way back ([chapter 8, part
        two](../notebooks/08_tot_study_crosswords.ipynb)). Without pruning GPT-4 found {no["found"]} of {no["games"]}
        games, {no["new"]} of them new; the simulated solver found {s["new without pruning"]} in its {s["runs"]} runs
        that ToT had not."""
    tables = [
        Table(
            "method", same(*papers.CROSSWORDS), {"GPT-4": rates, "recorded model": ours(s["rows"], "recorded model")}
        ),
        Table("SIMULATED", rows, {"GPT-4": more, "simulated solver": ours(s["SIMULATED"], "SIMULATED")}),
    ]
    return Part(TOT, ("Table 3",), "Table 3: Mini Crosswords", there, here, tables, why, s["differences"], s)


def questions(s: dict[str, Any]) -> Part:
    rates = {f"{kind}, {row}": rate for kind, rows in papers.ZERO_SHOT_TOT.items() for row, rate in rows.items()}
    columns = {"GPT-4": theirs(rates), **{name: ours(s["rows"], name) for name in ("our questions", "public sample")}}
    there = "100 questions of each set (appendix B.1)."
    here = f"""the recorded model on questions of our own in the two forms ({dates(s["source"]["our questions"])}), and
        on the first ones of a sample of the public sets ({dates(s["source"]["public sample"])}), of which we may print
        figures only."""
    why = """On yes-or-no questions many of our chains end without the line that was asked for, which puts CoT below a
        coin, and that is also what ToT gains on it. Half of our own questions have the answer yes. The paper's own two
        gains of ToT over CoT are within chance ([C1](errata.md#c1-two-small-gains))."""
    tables = [Table("set, method", same(*rates), columns)]
    title = "Table 4: zero-shot Tree of Thoughts"
    return Part(TOT, ("Table 4",), title, there, here, tables, why, s["differences"])


def weaker(s: dict[str, Any]) -> Part:
    columns = {name: theirs(rates) for name, rates in papers.WEAKER.items()}
    columns |= {"pocket model": ours(s["rows"], "pocket model"), "its early checkpoint": ours(s["rows"], "unfinished")}
    who = {"strong": "GPT-4", "weak": "GPT-3.5"}
    swap = {f"{a} generates, {b} judges": papers.SWAP[who[a], who[b]] for a in who for b in who}
    mixed = {"GPT-4 and GPT-3.5": theirs(swap), "pocket models": ours(s["swap"], "pocket models")}
    here = f"the pocket model and an early checkpoint of its training, the games of table 2 ({s['source']['date']})."
    why = """Two checkpoints of one training differ in how much they have learned, GPT-4 and GPT-3.5 in all.
        Generation is the bottleneck in both."""
    tables = [Table("method", same(*papers.WEAKER["GPT-4"]), columns), Table("who does what", same(*swap), mixed)]
    title = "Table 5 and the swap of appendix B.2: a weaker model"
    return Part(TOT, ("Table 5",), title, "the 100 games of table 2.", here, tables, why, s["differences"])


def bills(s: dict[str, Any]) -> Part:
    there = {
        row: {"text": f"{1000 * out:,.0f} / {1000 * read:,.0f}<br>${price:.2f}"}
        for row, (out, read, price) in papers.COSTS.items()
    }
    columns = {"GPT-4": there, **{name: ours(s["rows"], name) for name in TWO}}
    low, high = papers.TIMES_COT
    times = ", ".join(f"{x:.{int(x < 10)}f} ({name})" for name, x in s["times"].items())
    why = f"""A tree writes {low} to {high} times the tokens of a chain there (the paper's words); here {times}. Other
        tokenizers cut other tokens, our prompts are shorter, and best of k has another k. What is alike: a tree costs
        many chains, and it reads more than it writes where each question brings its examples along. (The 1,400 tokens
        that ToT reads in the paper are a slip for about 13,700: [E4](errata.md#e4-the-prompt-tokens-of-tot).) [Chapter
        16](../notebooks/16_what_does_it_cost.ipynb) turns tokens into dollars."""
    return Part(
        TOT,
        ("Table 7", "Table 8"),
        "Tables 7 and 8: tokens and dollars",
        "tokens written / read for one problem, and their price (appendix B.3).",
        "the runs of table 2 and of figure 5. No dollars: our models ran on our own machine, and nobody sent a bill.",
        [Table("task, method", same(*papers.COSTS), columns)],
        why,
    )


# ---------------------------------------------------------------- the iToT poster


def nothing_clear(differences: list[dict[str, Any]]) -> bool:
    return all(found["verdict"] == "cannot tell" for one in differences for found in one["here"].values())


def hotpotqa(s: dict[str, Any]) -> Part:
    rates = {row: None if x is None else 100 * x for row, x in papers.HOTPOTQA.items()}
    columns = {"the poster": theirs(rates, "{:.0f}%", "too slow")}
    columns |= {f"{kind} questions": ours(s["rows"], kind) for kind in ("easy", "other")}
    here = f"""the recorded model on our own questions about the bundled encyclopedia ({dates(s["source"])}); its
        searches on easy ones."""
    read = (
        "The poster's rows lie too close together here for their n: no order can be read out of them. There they are as"
        " close:"
    )
    why = f"""{read if nothing_clear(s["differences"]) else "The poster's rows are close together:"} to tell its best
        two apart takes thousands of questions ([I1](errata.md#i1-what-table-1-can-show)). Other questions, other
        prompts, and a model for code that asks its tools badly: one search with the question itself, five articles and
        one answer are ahead of all its searches. [Chapter 12, part two](../notebooks/12_itot_study.ipynb) reads the
        traces, and closes the leak in `Finish` from which these searches suffer. The single ReAct chain, LATS with a
        result, and the row that retrieves are ours."""
    tables = [Table("method", same(*s["rows"]), columns)]
    there = "HotpotQA; neither the model nor n is given."
    return Part(POSTER, ("Table 1",), "Table 1: exact match", there, here, tables, why, s["differences"])


def tool_costs(s: dict[str, Any]) -> Part:
    columns = {name: ours(s["rows"], name) for name in ("no failures", "with failures")}
    there = '"significant cost reductions" and "robust performance under tool failures", with no number.'
    failing = " and ".join(f"{rate:.0%} of {tool}" for tool, rate in s["failing"].items())
    here = f"""what the tools of a run cost in all, and on the path to its answer ({dates(s["source"])}). With
        failures, {failing} fail."""
    why = """Costs are in the units of [chapter 10](../notebooks/10_tools_costs_failures.ipynb), so only rows can be
        compared. The poster's "dynamic re-planning efficiency" is not defined; on route graphs, where failures can be
        switched on and off, a [study](../notebooks/study_tools_routes.ipynb) measures one."""
    tables = [Table("method", same(*s["rows"]), columns)]
    title = "Claimed without a figure: costs, and failing tools"
    return Part(POSTER, (), title, there, here, tables, why, s["differences"])


# ---------------------------------------------------------------- Planning with MCTS

GSM8K = papers.SETS.index("GSM8K")


def planning(s: dict[str, Any]) -> Part:
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
    there = """Qwen2.5-Instruct and Llama 3.1, n is not given (section 3.3). First GSM8K, then all sets as means of the
        four models."""
    here = f"""the recorded model on problems of our own in the style of the set
        ({dates(s["source"]["recorded model"])}), trees of {s["rollouts"]} rollouts. CoT Plan is our Plan-and-Solve, as
        the mean of {s["rollouts"]} plans."""
    plain = s["rows"]["CoT Plan"]["recorded model"]
    start = f" ({interval(plain['rate'])} against {papers.COT_PLAN['1.5B'][GSM8K]:.2f}%)" if "rate" in plain else ""
    why = f"""Our model is a sister of their 1.5B, made for code, in four bits, on other and easier problems: without a
        search it starts higher{start}, and there is less to gain. The headline of {papers.CLAIMED_GAIN:g}% over
        zero-shot CoT does not follow from their table ([P1](errata.md#p1-the-headline)). What the table lacks, as many
        plans side by side without a tree, is in [chapter 14](../notebooks/14_planning_with_mcts.ipynb)."""
    tables = [Table("GSM8K", same(*printed), columns), Table("set", same(*papers.SETS), sets)]
    return Part(PLANNING, ("Table 1",), "Table 1: search over plans", there, here, tables, why, s["differences"])


def rollouts(s: dict[str, Any]) -> Part:
    columns: dict[str, Column] = {}
    deep: dict[str, Column] = {}
    for model, head in (("8B", "Llama 8B"), ("7B", "Qwen 7B")):
        depth, rollout = papers.DEPTH_AND_ROLLOUTS[model]
        columns[head] = theirs({str(n): x for n, x in zip(papers.ROLLOUTS, rollout, strict=True)}, "{:.2f}%")
        deep[head] = theirs({str(n): x for n, x in zip(papers.DEPTHS, depth, strict=True)}, "{:.2f}%")
    columns["recorded model"] = ours(s["rows"], "recorded model")
    deep["recorded model"] = ours(s["depths"], "recorded model")
    here = """the trees of table 1, and flatter ones of as many rollouts; depth is how often a plan may be revised. A
        search with fewer rollouts is the beginning of the recorded one; it has a number where the plan that it would
        choose was carried out for every problem."""
    six = s["six, where more were made"]
    ten = f"""Of the {six["n"]} problems that were searched longer, {s["rollouts"]} rollouts solve
        {interval(six["rate"])}, too. """
    why = f"""{ten if "rate" in six else ""}In the paper's own table more rollouts do not help steadily, and every depth
        of 7B stays below plan-and-solve ([P4](errata.md#p4-deeper-and-longer)). One rollout is a plan that was judged
        and then carried out as it was. What a longer search does to the *rewards* is in [chapter 14, part
        two](../notebooks/14_planning_study.ipynb): they rise, whatever the answers do."""
    tables = [Table("rollouts", same(*s["rows"]), columns), Table("depth", same(*s["depths"]), deep)]
    there = "GSM8K, n is not given (section 3.3)."
    return Part(PLANNING, ("Table 2",), "Table 2: rollouts and depth", there, here, tables, why, s["differences"], s)


def one_judge(s: dict[str, Any]) -> Part:
    names = ("feasibility alone", "logical consistency alone", "both judges", "any of the plans")
    rates = {name: row[GSM8K] for name, row in papers.ONE_JUDGE.items()}
    means = {name: fmean(row) for name, row in papers.ONE_JUDGE.items()}
    columns = {"Qwen 7B, GSM8K": theirs(rates, "{:.1f}%"), "its eight sets (our mean)": theirs(means, "{:.1f}%")}
    columns["recorded model"] = ours(s["rows"], "recorded model")
    side = {"recorded model": ours(s["side"], "recorded model")}
    here = f"""trees of {s["rollouts"]} rollouts in which one judge gives the rewards and the words, or both do; below
        them, the pick of each judge among {s["plans"]} plans side by side, the same plans for all."""
    plan = papers.COT_PLAN["7B"]
    each = " and ".join(f"{means[name]:.1f}" for name in list(means)[:2])
    first = " and ".join(f"{rates[name]:.1f}" for name in list(rates)[:2])
    why = f"""With one judge a tree asks less. The last row is a pick without any judge. In the paper each judge alone
        is *below* plan-and-solve in the mean of the eight sets ({each} against {fmean(plan):.1f}), against its text
        ([P5](errata.md#p5-one-evaluator-alone)). On GSM8K alone each is a little above it ({first} against
        {plan[GSM8K]:.2f})."""
    there = "trees searched with one judge, or with both (section 3.3)."
    tables = [
        Table("the tree's judge", dict(zip(s["rows"], names, strict=False)), columns),
        Table("plans side by side, chosen by", dict(zip(s["side"], names, strict=True)), side),
    ]
    return Part(PLANNING, ("Table 3",), "Table 3: one judge, or both", there, here, tables, why, s["differences"])


def roles(s: dict[str, Any]) -> Part:
    def sizes(small: str) -> Column:
        size, column = {"small": small, "large": "72B"}, dict[str, Cell]()
        for row in s["rows"]:
            trio = papers.ROLES[size[(names := row.split(", "))[0]], size[names[1]], size[names[2]]]
            again = small != "1.5B" and "small" not in names
            column[row] = blank("same row") if again else {"text": f"{trio[GSM8K]:.2f}%"}
        return column

    columns = {"Qwen 1.5B, 72B": sizes("1.5B"), "Gemma 2b, Qwen 72B": sizes("2b")}
    columns["recorded models"] = ours(s["rows"], "recorded models")
    large, small = s["source"]["large"], s["source"]["small"]
    who = f"large is {large['model']} ({dates(large)})"
    who += f", small {small['model']} ({dates(small)})" if small["model"] else ""
    notebook = next(iter((ROOT / "notebooks").glob("15_*.ipynb")), None)
    chapter = f" [Chapter 15](../notebooks/{notebook.name}) shows the searches." if notebook else ""
    why = f"""Their large model has about fifty times the weights of their small one; ours are close in size. The
        second table is the control that theirs lacks, and so are the last two differences: what the models do without a
        search. The gain of 23.87 that
        the text names belongs to another row ([P3](errata.md#p3-a-gain-in-the-wrong-row)).{chapter}"""
    tables = [
        Table("planner, judge, executor", same(*s["rows"]), columns),
        Table(
            "no search: planner, executor",
            same(*s["control"]),
            {"recorded models": ours(s["control"], "recorded models")},
        ),
    ]
    there = "GSM8K, n is not given (section 3.4)."
    here = f"those problems of table 1's GSM8K that both models had; {who}."
    return Part(PLANNING, ("Table 4",), "Table 4: who plays which role", there, here, tables, why, s["differences"])


def long_word(s: dict[str, Any]) -> Part:
    columns = {"the paper": {row: {"text": x} for row, x in papers.LONG_WORD.items()}}
    columns["recorded model"] = ours(s["rows"], "recorded model")
    why = """An example, there and here: a right number can be luck, and a single word measures nothing. The paper's
        walk leaves the word on its way to the right answer ([P8](errata.md#p8-a-walk-that-loses-its-way))."""
    there, here = "one reply for each way (appendix A.1).", f"the same word. A program counts {s['gold']}."
    tables = [Table("way", same(*papers.LONG_WORD), columns)]
    return Part(PLANNING, ("Figures 2 to 4",), "Figures 2 to 4: r's in a long word", there, here, tables, why)


PARTS: dict[str, Callable[[dict[str, Any]], Part]] = {  # in the order of the page; named as in studies/tables
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
CITED = {TOT: " {cite}`yao2023tree`", POSTER: "", PLANNING: " {cite}`anonymous2024planning`"}
MODELS = {
    TOT: "*There* is GPT-4, unless a column says otherwise.",
    POSTER: "The poster names no model, no number of questions and no cost.",
    PLANNING: "Its models are Qwen2.5-Instruct, Llama 3.1 and Gemma 2.",
}


def verdicts(found: Mapping[str, dict[str, Any]]) -> str:
    """How many comparisons agree, and how many do not; the simulation left out."""
    every = [
        one
        for section in found.values()
        for one in section.get("differences", ())
        if one["there"] is not None or "claim" in one
    ]
    said = Counter(here["verdict"] for one in every for name, here in one["here"].items() if name != "SIMULATED")
    agree, other, open_ = (said[verdict] for verdict in ("agrees", "the other way round", "cannot tell"))
    return f"""Of {said.total()} comparisons (the simulation left out) **{agree} agree**, in **{other}** it is the
        other way round, and in **{open_}** we cannot tell."""


# ---------------------------------------------------------------- columns of other models

OTHERS = """Columns with the name of another model were filled with `python -m studies.paper_table`: the paper's prompts
in our words, on the paper's problems, unless the head says otherwise. The date is that of the last reply.
"""


def filled(folder: Path = MODELS_OF_READERS) -> list[Summary]:
    """The tables that are stored there. Raises ValueError for a file that is no summary."""
    return [Summary.load(path) for path in sorted(folder.glob("*.json"))]


def collect(folder: Path, into: Path = MODELS_OF_READERS) -> list[Path]:
    """Copy the figures of all tables that a folder of studies.paper_table holds; returns where they are now.

    Raises ValueError if it holds none.
    """
    found = [path for name in PLANS if (path := folder / f"{name}.json").exists()]
    if not found:
        raise ValueError(f"{folder} holds no filled table: run python -m studies.paper_table TABLE --out {folder}")
    into.mkdir(parents=True, exist_ok=True)
    made = []
    for path in found:
        summary = Summary.load(path)
        model = re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join([*summary.models.values(), *summary.marks]))
        summary.save(into / f"{path.stem}.{model}.json")
        made.append(into / f"{path.stem}.{model}.json")
    return made


def head(summary: Summary, column: str) -> str:
    """Whose column it is, with the date, and with what differs from the paper's setting."""
    names = {who: re.sub(r"[|<>`*\\\s]+", " ", name) for who, name in summary.models.items()}
    both = f"large: {names['large']}, small: {names.get('small', '-')}"
    name = {"large": names["large"], "small": names.get("small", "-"), "both": both}.get(column)
    return "<br>".join([name or f"{column}, {names['large']}", *summary.dates[-1:], *summary.marks])


def with_models(name: str, part: Part, summaries: Iterable[Summary]) -> Part:
    """The part with a column for each model that filled rows of it; rows without a place are in tables of their own."""
    tables, more = [replace(table, columns=dict(table.columns)) for table in part.tables], list[Table]()
    for summary in summaries:
        plan, rows = PLANS[summary.plan], rows_of(PLANS[summary.plan])
        known = {row: cell for row, cell in summary.cells.items() if row in rows}
        for row, cell in known.items():
            for place in rows[row].places:
                for table in tables:
                    if (place.part or plan.part) == name and place.table == table.first and place.row in table.rows:
                        column = table.columns.setdefault(head(summary, place.column), {})
                        column[place.row] = cell
        alone = {row: cell for row, cell in known.items() if not rows[row].places} if plan.part == name else {}
        if alone:
            paper: Column = {row: {"text": in_words(rows[row].there)} for row in alone}
            more.append(Table("row", same(*alone), {"the paper": paper, head(summary, "large"): alone}))
    for table, before in zip(tables, part.tables, strict=True):
        for added in table.columns.keys() - before.columns.keys():
            table.columns[added] = {row: table.columns[added].get(row, blank("other model")) for row in table.rows}
    return replace(part, tables=tables + more)


def page(found: Mapping[str, dict[str, Any]] | None = None, models: Sequence[Summary] | None = None) -> str:
    """book/tables.md of what studies/tables computed and of what other models filled (what is stored, unless given)."""
    found = found or json.loads(RESULTS.read_text("utf-8"))
    models = filled() if models is None else models
    blocks = [HEAD.format(verdicts=say(verdicts(found)), model=found["game24"]["source"]["recorded model"]["model"])]
    blocks += [OTHERS] if models else []
    paper = ""
    for name, make in PARTS.items():
        part = with_models(name, make(found[name]), models)
        if part.paper != paper:
            paper = part.paper
            source = f"The numbers are those of{CITED[paper]}. " if CITED[paper] else ""
            blocks.append(f"## {paper}\n\n{source}{MODELS[paper]}\n")
        blocks.append(printed(part) + "\n")
    return "\n".join(blocks)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write book/tables.md: the papers' tables beside ours.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    parser.add_argument("--results", type=Path, metavar="FOLDER", help="tables that studies.paper_table filled")
    options = parser.parse_args()
    try:
        if options.results:
            for path in collect(options.results):
                print(f"figures: {path.relative_to(ROOT)}")
        written = page()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if options.check:
        if PAGE.read_text("utf-8") != written:
            print(f"{PAGE.name} is stale: run make tables", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
