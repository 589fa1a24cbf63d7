"""Ours beside the tables and the example of *Planning with MCTS*."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import tot
from studies import claim, papers
from studies.figures import read
from studies.plans import SIX
from tot.solution import Solution

from .cells import Cell, Section, answer, blank, chosen, difference, each, share, single
from .recordings import Recordings


class Plans:
    """The recorded runs over plans of one task: trees, six plans side by side, and chains on the same problems.

    ``only``: the ids of some problems; all that were recorded if there are none.
    """

    def __init__(self, book: Recordings, task: str, only: Collection[str] = ()) -> None:
        trees = book.whole("14", "mcts-plan", task=task, params=SIX)
        self.tree = [s for s in trees if not only or s.problem in only]
        self.side = book.whole("14", "judged-plans", task=task, params={"plans": 6, "executed": 6})
        known = {s.problem for s in self.tree}
        self.side = [s for s in self.side if s.problem in known]
        if task == "gsm8k":
            self.chains = book.again(self.tree, "09", "zero-shot-cot", k=5)
        else:
            self.chains = book.whole("14", "zero-shot-cot", task=task, params={"k": 5})


def planning(book: Recordings) -> Section:
    """Table 1: word problems, in the style of two of its sets."""
    rows: dict[str, dict[str, Cell]] = {}
    kinds = {"GSM8K": "gsm8k", "SVAMP": "svamp"}
    ours = {name: Plans(book, task) for name, task in kinds.items()}
    gsm = ours["GSM8K"]
    rows = {
        "zero-shot CoT": {"recorded model": single(gsm.chains)},
        "CoT Plan": {"recorded model": single(gsm.side)},
        "MCTS Plan": {"recorded model": answer(gsm.tree)},
    }
    reasons = dict.fromkeys(("Last Letters", "Object Tracking"), "floor") | {"CommonsenseQA": "dear"}
    reasons |= dict.fromkeys(("AddSub", "MultiArith", "SingleEq"), "ceiling")
    sets: dict[str, dict[str, Cell]] = {}
    for name in papers.SETS:
        if name in kinds:
            plan, tree = single(ours[name].side, why="dear"), answer(ours[name].tree, why="dear")
        else:
            plan = tree = blank(reasons[name])
        sets[name] = {"CoT Plan": plan, "MCTS Plan": tree}
    differences = []
    for name, runs in ours.items():
        place = papers.SETS.index(name)
        others = {
            "zero-shot CoT (7B there)": (papers.MCTS_PLAN["7B"], papers.ZERO_SHOT["7B"], each(runs.chains)),
            "CoT Plan (1.5B there)": (papers.MCTS_PLAN["1.5B"], papers.COT_PLAN["1.5B"], each(runs.side)),
        }
        for other, (search, plain, values) in others.items():
            there = round(search[place] - plain[place], 1)
            pair = {"recorded model": (chosen(runs.tree), values)}
            differences.append(difference(f"{name}, MCTS Plan minus {other}", there, pair))
    found_by_size = read(claim.RESULTS)["models"]
    decided, more = claimed(found_by_size)
    source = {"recorded model": book.source("14")}
    found = {"rows": rows, "sets": sets, "decided": decided, "differences": [*differences, *more], "source": source}
    return {**found, "rollouts": SIX["rollouts"], "claim": {model: summed(of) for model, of in found_by_size.items()}}


ARMS = {
    "one plan, paper's prompt": "plan",
    "search, paper's prompt": "tree",
    "one chain, paper's prompt": "chain, one",
    "one chain, short prompt": "vote, one",
    f"vote of {claim.VOTES} chains, short prompt": "vote",
}


def summed(about: Mapping[str, Any]) -> dict[str, Any]:
    """What ``studies/claim.py`` found with one model, without its single problems."""
    parts = {
        part: {task: {name: x for name, x in of.items() if name != "problems"} for task, of in about[part].items()}
        for part in ("pilot", "sets")
    }
    return {"date": about["sessions"][0]["date"], "design": about["design"], **parts}


def claimed(models: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, dict[str, Cell]], list[Cell]]:
    """What ``studies/claim.py`` found where table 1 has its largest gains: rows by set and model; and the differences,
    where the search was finished.
    """
    rows: dict[str, dict[str, Cell]] = {}
    differences: list[Cell] = []
    for model, about in models.items():
        size = claim.size(model)
        for task, of in about["sets"].items():
            rates, right = of["rates"], of["problems"]
            place = papers.SETS.index(claim.SETS[task])
            printed = {"one plan": papers.COT_PLAN, "search": papers.MCTS_PLAN}
            row: dict[str, Cell] = {f"{x}, there": {"text": f"{y[size][place]:.2f}%"} for x, y in printed.items()}
            for arm, name in ARMS.items():
                row[f"{arm}, here"] = {"rate": rates[name]} if name in rates else blank("unfinished runs")
            rows[f"{claim.SETS[task]}, {size}, n={of['n']} here"] = row
            if "gains" not in of:
                continue
            title, ours = f"{claim.SETS[task]}, MCTS Plan minus", f"Coder {size}"
            there = claim.claimed(model)[task]
            for other, name, figure in ((f"CoT Plan ({size} there)", "plan", there), ("a vote", "vote", None)):
                pair = dict(enumerate(right["tree"])), dict(enumerate(right[name]))
                differences.append(difference(f"{title} {other}", figure, {ours: pair}))
    return rows, differences


def rollouts(book: Recordings) -> Section:
    """Table 2: shorter and flatter searches, where the plan that they choose was carried out for every problem."""
    six = Plans(book, "gsm8k").tree
    rows: dict[str, dict[str, Cell]] = {}
    depths: dict[str, dict[str, Cell]] = {}
    found: dict[int, list[Solution]] = {}
    flat: dict[int, list[Solution]] = {}
    for n in sorted({*papers.ROLLOUTS, SIX["rollouts"]}):
        if n > SIX["rollouts"]:  # recorded for the first problems only
            runs = book.whole("14", "mcts-plan", task="gsm8k", params={**SIX, "rollouts": n})
        else:
            runs = six if n == SIX["rollouts"] else book.again(six, "14", "mcts-plan", **{**SIX, "rollouts": n})
        found[n] = runs
        rows[str(n)] = {"recorded model": answer(runs, why="other plans")}
    for n in papers.DEPTHS:
        if n >= SIX["rollouts"]:
            depths[str(n)] = {"recorded model": blank("depth")}
            continue
        flat[n] = book.again(six, "14", "mcts-plan", **{**SIX, "depth": n})
        depths[str(n)] = {"recorded model": answer(flat[n], why="other plans")}
    differences = []
    for model, (depth, rollout) in papers.DEPTH_AND_ROLLOUTS.items():
        longer, deeper = zip(papers.ROLLOUTS, rollout, strict=True), zip(papers.DEPTHS, depth, strict=True)
        for what, there, runs in (("rollouts", dict(longer), found), ("depth", dict(deeper), flat)):
            pair = {"recorded model": (chosen(runs[5]), chosen(runs[1]))}
            title = f"{what} 5 minus {what} 1 ({model} there)"
            differences.append(difference(title, round(there[5] - there[1], 2), pair))
    searched_on = {s.problem for s in found[max(found)]}
    return {
        "rows": rows,
        "depths": depths,
        "differences": differences,
        "rollouts": SIX["rollouts"],
        "six, where more were made": answer([s for s in six if s.problem in searched_on]),
    }


def one_judge(book: Recordings) -> Section:
    """Table 3: trees that one judge steers, and what each judge would have picked of six plans side by side."""
    gsm = Plans(book, "gsm8k")
    alone: dict[str, list[Solution]] = {}
    for name, other in (("feasibility", "logic"), ("logical consistency", "feasibility")):
        alone[name] = book.whole("14", "mcts-plan", task="gsm8k", params={**SIX, other: 0})
    steered = {s.problem for s in alone["feasibility"]} & {s.problem for s in alone["logical consistency"]}
    found = {name: [s for s in runs if s.problem in steered] for name, runs in alone.items()}
    found["combined"] = [s for s in gsm.tree if s.problem in steered]
    rows = {name: {"recorded model": answer(runs)} for name, runs in found.items()}
    there = {name: row[papers.SETS.index("GSM8K")] for name, row in papers.ONE_JUDGE.items()}
    differences = [
        difference(
            f"combined minus {name} alone",
            round(there["combined"] - there[name], 1),
            {"recorded model": (chosen(found["combined"]), chosen(found[name]))},
        )
        for name in alone
    ]
    right: dict[str, list[bool]] = {}
    for name, judge in (("feasibility", "feasibility"), ("logical consistency", "logic")):
        right[name] = [picked_by(s, judge) for s in gsm.side]
    right["combined"] = [s.first for s in gsm.side]
    side = {name: {"recorded model": share(picks)} for name, picks in right.items()}
    side["chance"] = {"recorded model": single(gsm.side)}
    return {"rows": rows, "side": side, "differences": differences, "plans": 6, "rollouts": SIX["rollouts"]}


def picked_by(run: Solution, judge: str) -> bool:
    """Is the plan right to which this judge gave the best score? The first one of equals."""
    [event] = [event for event in run.trace.events if event["kind"] == "evaluated"]
    score = {s["node"]: s["score"] for s in event["scores"] if s["judge"] == judge}
    pairs = [(node.parent.id, right) for node, right in zip(run.result.best, run.scores, strict=True) if node.parent]
    return max(sorted(pairs, key=lambda pair: pair[0]), key=lambda pair: score.get(pair[0], -1.0))[1].correct


def roles(book: Recordings) -> Section:
    """Table 4: a large model's roles given to a small one (chapter 15); all rows on the problems that the mixes had."""
    named = {"S": "small", "L": "large"}
    mixed = {s.problem for s in book.whole("15", "mcts-plan", small=("planner",))}
    gsm = Plans(book, "gsm8k", only=mixed)
    rows: dict[str, dict[str, Cell]] = {}
    found: dict[str, list[Solution]] = {}
    for mix in ("SSS", "SSL", "SLS", "SLL", "LLL"):
        small = tuple(role for role, who in zip(("planner", "judge", "executor"), mix, strict=True) if who == "S")
        found[mix] = book.whole("15", "mcts-plan", small=small) if small else gsm.tree
        rows[", ".join(named[who] for who in mix)] = {"recorded models": answer(found[mix], why="two models")}
    control: dict[str, dict[str, Cell]] = {
        "one plan: large, large": {"recorded models": answer(book.again(gsm.tree, "14", "plan-and-solve"))},
        "one chain: large": {"recorded models": single(gsm.chains)},
    }
    mixes: tuple[tuple[str, ...], ...] = (("planner",), ("executor",), ("planner", "executor"))
    for small in mixes:
        who = ["small" if role in small else "large" for role in ("planner", "executor")]
        runs = book.whole("15", "plan-and-solve", small=small)
        control[f"one plan: {', '.join(who)}"] = {"recorded models": answer(runs, why="two models")}
    runs = book.whole("15", "zero-shot-cot", small=("executor",))
    control["one chain: small"] = {"recorded models": single(runs, why="two models")}
    place = papers.SETS.index("GSM8K")
    there = {mix: papers.ROLES[trio][place] for mix, trio in zip(rows, SIZES, strict=True)}
    values = {name: chosen(runs) for name, runs in zip(rows, found.values(), strict=True)}
    differences = [
        difference(
            f"({a}) minus (small, small, small)",
            round(there[a] - there["small, small, small"], 1),
            {"recorded models": (values[a], values["small, small, small"])},
        )
        for a in ("small, small, large", "small, large, large")
    ]
    differences += [  # the control that the paper lacks
        difference(
            f"({a}) minus a vote of five chains of the large model",
            None,
            {"recorded models": (values[a], chosen(gsm.chains))},
        )
        for a in ("small, small, large", "small, large, large")
    ]
    return {
        "rows": rows,
        "control": control,
        "differences": differences,
        "source": {"large": book.source("14"), "small": book.source("15")},
    }


SIZES = (
    ("1.5B", "1.5B", "1.5B"),
    ("1.5B", "1.5B", "72B"),
    ("1.5B", "72B", "1.5B"),
    ("1.5B", "72B", "72B"),
    ("72B", "72B", "72B"),
)


def long_word(book: Recordings) -> Section:
    """Figures 3 and 4: r's in one long word."""
    methods = {"one chain": "zero-shot-cot", "one plan, carried out": "plan-and-solve", "tree over plans": "mcts-plan"}
    rows: dict[str, dict[str, Cell]] = {}
    gold = ""
    task = tot.task("count_letters")
    for row, method in methods.items():
        runs = [s for s in book.whole("14", method, task="count_letters") if "pneumono" in s.trace.head["problem"]]
        gold = next((p.gold or "" for s in runs for p in task.problems("book") if p.id == s.problem), gold)
        rows[row] = {"recorded model": {"text": runs[0].answer or "no answer"} if runs else blank("recording")}
    return {"rows": rows, "gold": gold}
