"""Which runs fill each table of the papers: task, problems, method and knobs of each run, and the rows that it fills.

Settings are the papers' where they are given (a comment says where they are not), in the paper's style of prompts,
which settles what is not named here. Runs that several rows or tables share are asked once. ``PLANS`` has them by name;
the numbers beside them are those of ``studies/papers.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import tot
from studies import papers
from tot.experiments import grid
from tot.methods.base import PAPER
from tot.tasks.base import Problem

Number = float | tuple[float, ...] | None
PLANNERS = ("planner", "judge", "executor")


@dataclass(frozen=True)
class Place:
    """A cell of book/tables.md: the first head of its table, its row, and whose column it is.

    ``column``: "large", "small" or "both" for the models that it is about; other words stand before the model's name.
    ``part``: of the page, if it is not that of the plan.
    """

    table: str
    row: str
    column: str = "large"
    part: str = ""


@dataclass(frozen=True)
class Row:
    """One row: what of a run's results it shows (see ``filling.MEASURES``), and the paper's numbers by their column.

    ``places``: where the page has it; nowhere: in a table of its own, below the others of its part.
    """

    name: str
    measure: str
    there: Mapping[str, Number] = field(default_factory=dict)
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, eq=False)
class Run:
    """A method on a split of a task. ``most``: the paper's n, None for the whole split. ``own``: the book's own split
    for those who do not have the paper's. ``small``: the roles that the smaller of two models plays.
    """

    task: str
    split: str
    own: str
    method: str
    knobs: Mapping[str, Any]
    rows: tuple[Row, ...]
    most: int | None = None
    small: tuple[str, ...] = ()

    def problems(self, own: bool = False, most: int | None = None) -> list[Problem]:
        """The first problems of the split. Raises ValueError, which names the file, where the data are missing."""
        return tot.task(self.task).problems(self.own if own else self.split)[: most or self.most]

    def jobs(self, problems: list[Problem], style: str = PAPER) -> list[tot.Job]:
        """Raises ValueError where the method or its knobs do not fit the task."""
        knobs = {"style": style, **self.knobs} if style else self.knobs
        return grid(tot.task(self.task), [(self.method, knobs)], problems)


@dataclass(frozen=True)
class Plan:
    """A table or figure of a paper. ``part``: its part of book/tables.md. ``scored``: a model judges passages."""

    paper: str
    table: str
    part: str
    runs: tuple[Run, ...]
    scored: bool = False


# ---------------------------------------------------------------- Tree of Thoughts

TOT, POSTER, PLANNING = papers.PLACES


def game24(method: str, knobs: Mapping[str, Any], *rows: Row, small: tuple[str, ...] = ()) -> Run:
    """Section 4.1: ranks 901 to 1,000 of the authors' list."""
    return Run("game24", "authors-hard", "hard", method, knobs, rows, 100, small)


def of_gpt4(table: Mapping[str, Number], name: str, measure: str, place: Place | None = None) -> Row:
    return Row(name, measure, {"GPT-4": table[name]}, (place or Place("method", name),))


def tot_table2() -> Plan:
    """A hundred samples are one run: their mean, their vote and the best of them are three rows."""

    def row(name: str, measure: str) -> Row:
        return of_gpt4(papers.GAME24, name, measure)

    more = [Row(f"ToT b=5, {what}", measure) for what, measure in (("any of the 5", "any"), ("the first", "first"))]
    runs = (
        game24("io", {"k": 100}, row("IO", "samples"), row("IO, best of 100", "any")),
        game24(
            "cot", {"k": 100}, row("CoT", "samples"), row("CoT-SC (k=100)", "answer"), row("CoT, best of 100", "any")
        ),
        game24("tot-bfs", {"breadth": 1}, row("ToT b=1", "answer")),
        game24("tot-bfs", {"breadth": 5}, row("ToT b=5", "answer"), *more),
        game24("io-refine-checked", {"k": 10}, row("IO + Refine (k=10)", "answer")),
    )
    return Plan(TOT, "Table 2", "game24", runs)


def tot_figure3() -> Plan:
    def breadth(b: int, rate: float | None) -> Run:
        return game24("tot-bfs", {"breadth": b}, of_gpt4({f"ToT b={b}": rate}, f"ToT b={b}", "answer and states"))

    def best(name: str, method: str, *more: Row) -> Run:
        return game24(method, {"k": 100}, of_gpt4(papers.GAME24, name, "any and states"), *more)

    lost = "CoT, lost at step 1"
    runs = (
        *(breadth(b, rate) for b, rate in papers.BREADTHS.items()),
        best("IO, best of 100", "io"),
        best("CoT, best of 100", "cot", of_gpt4(papers.LOST_AT, lost, lost, Place("share of", lost, part="lost"))),
    )
    return Plan(TOT, "Figure 3", "visited", runs)


def tot_table3() -> Plan:
    """Section 4.3. The paper samples the chains ten times and gives a search a hundred steps."""

    def row(name: str, measure: str) -> Row:
        return of_gpt4(papers.CROSSWORDS, name, measure)

    def run(method: str, knobs: Mapping[str, Any], *rows: Row) -> Run:
        return Run("crosswords", "authors-test", "book", method, knobs, rows, 20)

    games = {"GPT-4": 100 * papers.NOT_PRUNED["found"] / papers.NOT_PRUNED["games"]}
    runs = (
        run("io", {"k": 10}, row("IO", "parts")),
        run("cot", {"k": 10}, row("CoT", "parts")),
        run("tot-dfs", {"steps": 100}, row("ToT", "parts"), row("+best state", "parts of the best state")),
        run(
            "tot-dfs",
            {"steps": 100, "prune": False},
            row("-prune", "parts"),
            Row("-prune, best state", "games of the best state", games),
        ),
        run("tot-dfs", {"backtrack": False}, row("-backtrack", "parts")),
    )
    return Plan(TOT, "Table 3", "crosswords", runs)


def tot_table4() -> Plan:
    """Appendix B.1 takes a hundred questions of each set and does not say which: here the first ones."""
    methods = {"IO": "io", "CoT": "cot", "ToT": "tot-vote"}
    sets = {"GSM8K": ("gsm8k", "test"), "StrategyQA": ("strategyqa", "file")}
    runs = []
    for name, (task, split) in sets.items():
        for row, method in methods.items():
            label = f"{name}, {row}"
            filled = of_gpt4({label: papers.ZERO_SHOT_TOT[name][row]}, label, "answer", Place("set, method", label))
            runs.append(Run(task, split, "book", method, {}, (filled,), 100))
    return Plan(TOT, "Table 4", "questions", tuple(runs))


def tot_table5() -> Plan:
    """Appendix B.2: the stronger model in all roles, the weaker one in all, and each as the judge of the other."""
    runs = []
    for who, model, all_roles in (("large", "GPT-4", ()), ("small", "GPT-3.5", ("generator", "evaluator"))):
        for name, method, knobs, measure in (
            ("IO", "io", {"k": 100}, "samples"),
            ("CoT", "cot", {"k": 100}, "samples"),
            ("ToT", "tot-bfs", {"breadth": 5}, "answer"),
        ):
            filled = Row(
                f"{name}, {'stronger' if who == 'large' else 'weaker'} model",
                measure,
                {model: papers.WEAKER[model][name]},
                (Place("method", name, who),),
            )
            runs.append(game24(method, knobs, filled, small=all_roles))
    who_is = {"strong": "GPT-4", "weak": "GPT-3.5"}
    for a in who_is:
        for b in who_is:
            name = f"{a} generates, {b} judges"
            there = {"GPT-4 and GPT-3.5": papers.SWAP[who_is[a], who_is[b]]}
            roles = {"generator": a, "evaluator": b}
            small = tuple(role for role, one in roles.items() if one == "weak")
            row = Row(name, "answer", there, (Place("who does what", name, "both"),))
            runs.append(game24("tot-bfs", {"breadth": 5}, row, small=small))
    return Plan(TOT, "Table 5", "weaker", tuple(runs))


def writing(method: str, knobs: Mapping[str, Any], *rows: Row) -> Run:
    return Run("writing", "authors", "book", method, knobs, rows, 100)


def tot_figure5() -> Plan:
    """Section 4.2 and table 6 (the same with a weaker model): passages, judged from 1 to 10 by a model, five times
    each. The pairs were judged by people there, and are by the model here.
    """
    methods = {
        "IO": ("io", {"k": 10}),
        "CoT": ("cot", {"k": 10}),
        "ToT": ("tot-vote", {}),
        "IO + refine": ("io-refine", {}),
        "ToT + refine": ("tot-vote-refine", {}),
    }
    runs = []
    for name, (method, knobs) in methods.items():
        there = dict(zip(("GPT-4", "GPT-3.5"), papers.COHERENCE[name], strict=True))
        rows = [Row(name, "score", there, (Place("passage", name),))]
        if name == "ToT":
            people = {"people, GPT-4's passages": tuple(papers.READERS.values())}
            rows.append(Row("ToT against CoT", "pairs", people, (Place("passage", "pairs"),)))
            spread = {"GPT-4": papers.SPREAD}
            rows.append(
                Row("standard deviation of a passage's scores", "spread", spread, (Place("passage", "spread"),))
            )
        runs.append(writing(method, knobs, *rows))
    return Plan(TOT, "Figure 5", "coherence", tuple(runs), scored=True)


def cost(name: str) -> Row:
    return Row(name, "cost", {"GPT-4": papers.COSTS[name]}, (Place("task, method", name),))


def tot_table7() -> Plan:
    """Appendix B.3: what runs of table 2 cost."""
    kinds = {"IO, best of 100": ("io", {"k": 100}), "CoT, best of 100": ("cot", {"k": 100})}
    kinds["ToT"] = ("tot-bfs", {"breadth": 5})
    runs = (game24(method, knobs, cost(f"Game of 24, {name}")) for name, (method, knobs) in kinds.items())
    return Plan(TOT, "Table 7", "bills", tuple(runs))


def tot_table8() -> Plan:
    """Appendix B.3: one passage, not ten."""
    kinds = {"IO": "io", "CoT": "cot", "ToT": "tot-vote"}
    runs = (writing(method, {}, cost(f"Creative Writing, {name}")) for name, method in kinds.items())
    return Plan(TOT, "Table 8", "bills", tuple(runs))


# ---------------------------------------------------------------- the iToT poster


def itot_table1() -> Plan:
    """The poster gives no n and none of k, L and R: a hundred questions of the dev set, and our defaults."""
    methods = {
        "Base LM": "io",
        "Base LM (few-shot)": "few-shot",
        "Base LM (CoT)": "cot",
        "ToT DFS": "react-dfs",
        "ToT best first": "react-best-first",
        "iToT A*": "itot-astar",
        "iToT D* Lite": "itot-dstar",
        "LATS": "lats",
    }
    runs = []
    for name, method in methods.items():
        there = papers.HOTPOTQA[name]
        row = Row(name, "answer", {"the poster": None if there is None else 100 * there}, (Place("method", name),))
        runs.append(Run("hotpotqa", "dev", "book", method, {}, (row,), 100))
    return Plan(POSTER, "Table 1", "hotpotqa", tuple(runs))


# ---------------------------------------------------------------- Planning with MCTS

TASKS = {  # set -> task and split; all of its problems, as n is not given
    "AddSub": ("addsub", "file"),
    "CommonsenseQA": ("commonsenseqa", "file"),
    "GSM8K": ("gsm8k", "test"),
    "Last Letters": ("last_letters", "file"),
    "MultiArith": ("multiarith", "file"),
    "Object Tracking": ("object_tracking", "file"),
    "SingleEq": ("singleeq", "file"),
    "SVAMP": ("svamp", "file"),
}
MAIN = {"rollouts": 10}  # table 1's 90.14 is table 2's at ten rollouts; the main depth is not given


def on_set(name: str, method: str, knobs: Mapping[str, Any], *rows: Row, small: tuple[str, ...] = ()) -> Run:
    task, split = TASKS[name]
    return Run(task, split, "book", method, knobs, rows, None, small)


def mcts_table1() -> Plan:
    """ "CoT Plan" is one plan, carried out. The page shows GSM8K by model, and the means of the paper's models."""
    kinds: dict[str, tuple[str, Mapping[str, Any], Mapping[str, tuple[float, ...]]]] = {
        "zero-shot CoT": ("zero-shot-cot", {}, papers.ZERO_SHOT),
        "CoT Plan": ("plan-and-solve", {}, papers.COT_PLAN),
        "MCTS Plan": ("mcts-plan", MAIN, papers.MCTS_PLAN),
    }
    runs = []
    for i, name in enumerate(papers.SETS):
        for kind, (method, knobs, printed) in kinds.items():
            there = {model: rates[i] for model, rates in printed.items()}
            if kind in papers.MEANS:
                there["mean"] = papers.MEANS[kind][i]
            places = [Place("set", name, kind)] if kind in papers.MEANS else []
            places += [Place("GSM8K", kind)] if name == "GSM8K" else []
            runs.append(on_set(name, method, knobs, Row(f"{name}, {kind}", "answer", there, tuple(places))))
    return Plan(PLANNING, "Table 1", "planning", tuple(runs))


def mcts_table2() -> Plan:
    """On GSM8K. How many rollouts a depth had is not given, nor how deep the searches by rollouts were: ten rollouts,
    and our default depth. With ten rollouts no plan can be revised more than ten times.
    """
    runs = []
    for what, counts, i in (("depth", papers.DEPTHS, 0), ("rollouts", papers.ROLLOUTS, 1)):
        for j, n in enumerate(counts):
            there = {model: table[i][j] for model, table in papers.DEPTH_AND_ROLLOUTS.items()}
            row = Row(f"{what} {n}", "answer", there, (Place(what, str(n)),))
            runs.append(on_set("GSM8K", "mcts-plan", {**MAIN, what: n}, row))
    return Plan(PLANNING, "Table 2", "rollouts", tuple(runs))


def mcts_table3() -> Plan:
    alone = {"feasibility": {"logic": 0}, "logical consistency": {"feasibility": 0}, "combined": {}}
    runs = []
    for i, name in enumerate(papers.SETS):
        for judge, knobs in alone.items():
            places = (Place("the tree's judge", judge),) if name == "GSM8K" else ()
            row = Row(f"{name}, {judge}", "answer", {"7B": papers.ONE_JUDGE[judge][i]}, places)
            runs.append(on_set(name, "mcts-plan", {**MAIN, **knobs}, row))
    return Plan(PLANNING, "Table 3", "one judge", tuple(runs))


def mcts_table4() -> Plan:
    """Planner, judge and executor by the smaller or the larger of two models; the paper has two smaller ones."""
    mixes: dict[tuple[str, ...], dict[str, tuple[float, ...]]] = {}
    for trio, rates in papers.ROLES.items():
        small = tuple(role for role, size in zip(PLANNERS, trio, strict=True) if size != "72B")
        mixes.setdefault(small, {})["2b" if "2b" in trio else "1.5B" if small else "72B"] = rates
    runs = []
    for small, printed in mixes.items():
        cast = ", ".join("small" if role in small else "large" for role in PLANNERS)
        for i, name in enumerate(papers.SETS):
            there = {model: rates[i] for model, rates in printed.items()}
            places = (Place("planner, judge, executor", cast, "both"),) if name == "GSM8K" else ()
            runs.append(on_set(name, "mcts-plan", MAIN, Row(f"{name}: {cast}", "answer", there, places), small=small))
    return Plan(PLANNING, "Table 4", "roles", tuple(runs))


PLANS: dict[str, Plan] = {
    "tot-table2": tot_table2(),
    "tot-figure3": tot_figure3(),
    "tot-figure5": tot_figure5(),
    "tot-table3": tot_table3(),
    "tot-table4": tot_table4(),
    "tot-table5": tot_table5(),
    "tot-table7": tot_table7(),
    "tot-table8": tot_table8(),
    "itot-table1": itot_table1(),
    "mcts-table1": mcts_table1(),
    "mcts-table2": mcts_table2(),
    "mcts-table3": mcts_table3(),
    "mcts-table4": mcts_table4(),
}


def plan_named(name: str) -> Plan:
    """Raises ValueError, listing all plans, if there is none of that name."""
    if name not in PLANS:
        raise ValueError(f"there is no plan {name!r}: choose one of {', '.join(PLANS)}")
    return PLANS[name]
