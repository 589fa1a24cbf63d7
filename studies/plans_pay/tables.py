"""The tables that chapters 9, 14 and 15 read, made of the lines. An interval is [rate, low, high]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any

from studies.figures import Figures as Row
from studies.figures import compared, each
from studies.plans_pay.casts import (
    CHAINS,
    COIN,
    ORACLE,
    PROGRAMS,
    Cast,
    chains,
    one_plan,
    side_by_side,
    tree,
    zero_shot,
)
from studies.plans_pay.curve import crossed
from studies.plans_pay.measures import JUDGED, accuracy, affordable, chosen, one_chain, some_of, spent, vote

WAYS = ("any one", "any one read", "the count", "gold picks")  # as ``play.solutions`` lists them


class Lines:
    """The finished lines by their casts, and what their searches would have bought in chains."""

    def __init__(self, lines: Sequence[Mapping[str, Any]]) -> None:
        self.known = {line["cast"]: line for line in lines}

    def __getitem__(self, cast: Cast) -> Mapping[str, Any]:
        return self.known[cast.key]

    def solved(self, cast: Cast) -> list[float]:
        return [float(x) for x in self[cast]["solved"]]

    def billed(self, cast: Cast, what: str = "written") -> list[float]:
        """Tokens of each problem. A judge that is a program writes none: its search is billed for its judging what the
        large checkpoint's judging costs in the same search.
        """
        if cast.judge not in PROGRAMS:
            return spent(self[cast], what)
        like = tree(cast.planner, "L", cast.executor, **cast.knobs) if cast.method == "mcts-plan" else side_by_side("L")
        own = spent(self[cast], what, ("planner", "executor"))
        return [a + b for a, b in zip(own, spent(self[like], what, ("judge",)), strict=True)]

    def rival(self, cast: Cast, executor: str = "", read: bool = False) -> tuple[int, list[float]]:
        """(k, per problem whether it is right): the vote of as many chains as the cast's tokens buy. ``executor``:
        whose chains, by default the cast's. ``read``: tokens that are read count as well.
        """
        own = chains(executor or cast.executor)
        tokens = fmean(self.billed(cast)) + (fmean(self.billed(cast, "read")) if read else 0.0)
        k = affordable(tokens, self[own], read)
        return k, vote(self[own], k)


def figures(lines: Sequence[Mapping[str, Any]], checkpoints: Sequence[str]) -> Row:
    """All tables. ``checkpoints``: the judges between the small and the large one."""
    known = Lines(lines)
    return {
        "zero-shot": zero_shots(known),
        "table 1": table_1(known),
        "table 3": table_3(known),
        "table 4": table_4(known),
        "judges": judges(known, ["L", *checkpoints, "S", *PROGRAMS]),
        "curve": curve(known),
        "plans": of_plans(known),
    }


def against(tree_right: Sequence[float], ways: Mapping[str, tuple[Sequence[float], float]]) -> list[Row]:
    """Each way (per problem whether it is right, tokens written for one), with the tree's difference from it."""
    return [
        {"method": name, "solved": each(right), "written": round(tokens, 1), "the tree": compared(tree_right, right)}
        for name, (right, tokens) in ways.items()
    ]


def zero_shots(f: Lines) -> Row:
    """Chapter 9's table, and each half of its tree against what is free."""
    whole, own, io = f[zero_shot("tot-vote")], f[zero_shot("cot", k=CHAINS)], f[zero_shot("io", k=5)]
    tree_right = f.solved(zero_shot("tot-vote"))
    k = affordable(fmean(spent(whole)), own)
    chain = fmean(spent(own)) / len(own["answers"][0])
    ways: dict[str, tuple[Sequence[float], float]] = {
        "IO, one": (one_chain(io), fmean(spent(io)) / 5),
        "one chain": (one_chain(own), chain),
        "vote of 5": (vote(own, 5), 5 * chain),
        f"vote of {k}": (vote(own, k), k * chain),
    }
    itself: Row = {"method": "ToT", "solved": each(tree_right), "written": round(fmean(spent(whole)), 1)}
    by = dict(zip(WAYS, zip(*whole["ways"], strict=True), strict=True))
    halves = {
        "the vote - any one read": compared(tree_right, by["any one read"]),
        "the vote - the count": compared(tree_right, by["the count"]),
        "with a strategy - without": compared(by["any one"], one_chain(own)),
        "some of five, with a strategy - without": compared(by["gold picks"], some_of(own, 5)),
    }
    return {"rows": [itself, *against(tree_right, ways)], "against": halves}


def table_1(f: Lines) -> Row:
    """The paper's table 1 and what it lacks: each way, its cost, and the tree's difference with its test."""
    whole, six, own = tree(), f[side_by_side("L")], f[chains("L")]
    k, voted = f.rival(whole)
    by = {role: fmean(spent(six, "written", [role])) for role in ("planner", "judge", "executor")}
    chain = fmean(spent(own)) / len(own["answers"][0])
    ways: dict[str, tuple[Sequence[float], float]] = {
        "one chain": (one_chain(own), chain),
        "vote of chains": (voted, k * chain),
        "one plan": (f.solved(one_plan("L", "L")), fmean(spent(f[one_plan("L", "L")]))),
        "judges' pick of six": (chosen(six), by["planner"] + by["executor"] / 6 + by["judge"]),
        "vote of six plans": (six["voted"], by["planner"] + by["executor"]),
    }
    rows = against(f.solved(whole), ways)
    rows[0]["chains"], rows[1]["chains"] = 1, k
    itself: Row = {"method": "tree", "solved": each(f.solved(whole)), "written": round(fmean(f.billed(whole)), 1)}
    return {"n": len(voted), "rows": [*rows, itself]}


def table_3(f: Lines) -> Row:
    """Each judge alone: does it order the plans of one problem, and what is its tree worth?"""
    whole = f.solved(tree())
    steers = {"both": tree(), "logic": tree(feasibility=0), "feasibility": tree(logic=0)}
    rows = []
    for name, column in JUDGED.items():
        alone = f.solved(steers[name])
        row: Row = {"judge": name, **accuracy(f[side_by_side("L")], column), "tree": each(alone)}
        rows.append(row | ({"both judges' tree - it": compared(whole, alone)} if name != "both" else {}))
    return {"rows": rows}


def table_4(f: Lines) -> Row:
    """All eight casts and their controls, and the questions: every pair that differs in one thing, averaged."""
    eight = [tree(*who) for who in product("SL", repeat=3)]
    rows = []
    for cast in eight:
        k, voted = f.rival(cast)
        row: Row = {"cast": cast.planner + cast.judge + cast.executor, "solved": each(f.solved(cast))}
        row |= {"written": round(fmean(f.billed(cast)), 1), "chains": k, "vote": each(voted)}
        row["tree - vote"] = compared(f.solved(cast), voted)
        row["tree - first plan"] = compared(f.solved(cast), f.solved(one_plan(cast.planner, cast.executor)))
        rows.append(row)
    controls = []
    for p, e in product("SL", repeat=2):
        cast = one_plan(p, e)
        row = {"cast": f"{p}-{e}", "solved": each(f.solved(cast)), "written": round(fmean(spent(f[cast])), 1)}
        controls.append(row)
    for e in "SL":
        tokens = fmean(spent(f[chains(e)])) / len(f[chains(e)]["answers"][0])
        controls.append({"cast": f"--{e}", "solved": each(one_chain(f[chains(e)])), "written": round(tokens, 1)})
    for judge in (COIN, ORACLE):
        cast = tree(judge=judge)
        row = {"cast": f"L {judge} L", "solved": each(f.solved(cast)), "written": round(fmean(f.billed(cast)), 1)}
        controls.append(row)
    return {"rows": rows, "controls": controls, "questions": questions(f), "by role": by_role(f)}


def questions(f: Lines) -> Row:
    """What one thing changes, in the mean over all pairs of casts that differ in it alone; problem by problem."""
    eight = [tuple(who) for who in product("SL", repeat=3)]
    pairs: dict[str, list[tuple[list[float], list[float]]]] = {}
    for i, role in enumerate(("planner", "judge", "executor")):
        pairs[f"a larger {role}"] = [
            (f.solved(tree(*who[:i], "L", *who[i + 1 :])), f.solved(tree(*who))) for who in eight if who[i] == "S"
        ]
    trees = [tree(*who) for who in eight]
    pairs["tree instead of its first plan"] = [
        (f.solved(cast), f.solved(one_plan(cast.planner, cast.executor))) for cast in trees
    ]
    pairs["tree instead of a vote of chains"] = [(f.solved(cast), f.rival(cast)[1]) for cast in trees]
    return {name: {"pairs": len(found)} | mean_gap(found) for name, found in pairs.items()}


def by_role(f: Lines) -> list[Row]:
    """Each of the twelve pairs that differ in one role."""
    rows = []
    for i, role in enumerate(("planner", "judge", "executor")):
        for who in product("SL", repeat=3):
            if who[i] == "S":
                other = (*who[:i], "L", *who[i + 1 :])
                row = {"role": role, "from": "".join(who), "to": "".join(other)}
                rows.append(row | compared(f.solved(tree(*other)), f.solved(tree(*who))))
    return rows


def mean_gap(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Row:
    """Of pairs (after, before): per problem the mean over pairs, then as ``compared``."""
    after, before = ([fmean(each) for each in zip(*side, strict=True)] for side in zip(*pairs, strict=True))
    return compared(after, before)


def judges(f: Lines, names: Sequence[str]) -> list[Row]:
    """Every judge of the large planner's plans: its accuracy, and its tree against the vote with that tree's tokens."""
    rows = []
    for name in names:
        k, voted = f.rival(tree(judge=name))
        solved = f.solved(tree(judge=name))
        row: Row = {"judge": name, **accuracy(f[side_by_side(name)]), "tree": each(solved), "chains": k}
        rows.append(row | {"vote": each(voted), "gain": compared(solved, voted)})
    return rows


def curve(f: Lines) -> Row:
    """Where the programs' trees overtake the vote at equal tokens, written ones or all."""
    accurate = [accuracy(f[side_by_side(name)])["right plan ahead"][0] for name in PROGRAMS]
    searches = [f.solved(tree(judge=name)) for name in PROGRAMS]
    rivals = {"vote at equal tokens": f.rival(tree()), "vote, reading counted": f.rival(tree(), read=True)}
    return {name: {"tree": crossed(accurate, searches, right)} for name, (_, right) in rivals.items()}


def of_plans(f: Lines) -> Row:
    """What there is to choose from."""
    alike = [len({plan[-1] for plan in plans}) == 1 for plans in f[side_by_side("L")]["plans"]]
    return {"judged in a tree": round(fmean(f[tree()]["judged"]), 2), "all six alike": sum(alike)}
