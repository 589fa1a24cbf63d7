"""The tables that chapters 9, 14 and 15 read, made of the lines. An interval is [rate, low, high]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any

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
from studies.plans_pay.measures import (
    JUDGED,
    REWARD,
    accuracies,
    accuracy,
    affordable,
    best,
    chance,
    chosen,
    compared,
    one_chain,
    rate,
    some_of,
    spent,
    vote,
)

Row = dict[str, Any]
CHAIN, VOTE, PLAN, PICK, PLANS, TREE = (
    "one chain",
    "vote of chains",
    "one plan",
    "judges' pick of six",
    "vote of six plans",
    "tree",
)


WAYS = ("any one", "any one read", "the count", "gold picks")  # as ``play.solutions`` lists them


class Lines:
    """The finished lines by their casts, and what their searches would have bought in chains."""

    def __init__(self, lines: Sequence[Mapping[str, Any]]) -> None:
        self.known = {line["cast"]: line for line in lines}

    def __getitem__(self, cast: Cast) -> Mapping[str, Any]:
        return self.known[cast.key]

    def __contains__(self, cast: Cast) -> bool:
        return cast.key in self.known

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


def figures(lines: Sequence[Mapping[str, Any]], checkpoints: Sequence[str]) -> dict[str, Any]:
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
        "rollouts": rollouts(known),
    }


def zero_shots(f: Lines) -> Row:
    """Chapter 9's table and its ways to choose among a tree's five solutions, each with the tree's difference."""
    whole, own, io = f[zero_shot("tot-vote")], f[zero_shot("cot", k=CHAINS)], f[zero_shot("io", k=5)]
    tree_right = [float(x) for x in whole["solved"]]
    k = affordable(fmean(spent(whole)), own)
    chain = fmean(spent(own)) / len(own["answers"][0])
    ways = {
        "IO, one": (one_chain(io), fmean(spent(io)) / 5),
        CHAIN: (one_chain(own), chain),
        "vote of 5": (vote(own, 5), 5 * chain),
        f"vote of {k}": (vote(own, k), k * chain),
    }
    rows: list[Row] = [{"method": "ToT", "solved": rate(tree_right), "written": round(fmean(spent(whole)), 1)}]
    for name, (right, tokens) in ways.items():
        row: Row = {"method": name, "solved": rate(right), "written": round(tokens, 1)}
        rows.append(row | {"the tree": compared(tree_right, right)})
    chosen_by = dict(zip(WAYS, zip(*whole["ways"], strict=True), strict=True))
    chosen_by["the vote"] = tuple(tree_right)
    picks = {name: rate(right) for name, right in chosen_by.items()}
    against = {
        "the vote - any one read": compared(chosen_by["the vote"], chosen_by["any one read"]),
        "the vote - the count": compared(chosen_by["the vote"], chosen_by["the count"]),
        "with a strategy - without": compared(chosen_by["any one"], one_chain(own)),
        "some of five, with a strategy - without": compared(chosen_by["gold picks"], some_of(own, 5)),
    }
    return {"rows": rows, "picks": picks, "against": against, "vote of": k, "unread": whole["unread"]}


def table_1(f: Lines) -> Row:
    """The paper's table 1 and what it lacks: each way, its cost, and the tree's difference with its test."""
    whole, six = tree(), f[side_by_side("L")]
    k, voted = f.rival(whole)
    both, read_too = f.rival(whole, read=True)
    n = len(voted)
    alone = {role: spent(six, "written", [role]) for role in ("planner", "judge", "executor")}
    six_executed = [a + b for a, b in zip(alone["planner"], alone["executor"], strict=True)]
    one_executed = [a + b / 6 + j for a, b, j in zip(alone["planner"], alone["executor"], alone["judge"], strict=True)]
    every = spent(f[chains("L")])
    drawn = len(f[chains("L")]["answers"][0])
    chain = [x / drawn for x in every]
    ways = {
        CHAIN: (one_chain(f[chains("L")]), chain, 1),
        VOTE: (voted, [k * x for x in chain], k),
        PLAN: (f.solved(one_plan("L", "L")), spent(f[one_plan("L", "L")]), None),
        PICK: (chosen(six), one_executed, None),
        PLANS: ([float(x) for x in six["voted"]], six_executed, None),
        TREE: (f.solved(whole), f.billed(whole), None),
    }
    rows = []
    for name, (right, tokens, chains_of) in ways.items():
        row: Row = {"method": name, "solved": rate(right), "written": round(fmean(tokens), 1)}
        row |= {"chains": chains_of} if chains_of else {}
        rows.append(row | ({"the tree": compared(f.solved(whole), right)} if name != TREE else {}))
    more = {"chains": both, "solved": rate(read_too), "the tree": compared(f.solved(whole), read_too)}
    first = {"solved": rate(vote(f[chains("L")], 5)), "the tree": compared(f.solved(whole), vote(f[chains("L")], 5))}
    return {"n": n, "rows": rows, "vote, reading counted": more, "vote of five": first}


def table_3(f: Lines) -> Row:
    """Each judge alone: does it order the plans of one problem, what is its pick of six worth, and its tree?"""
    six, whole = f[side_by_side("L")], f.solved(tree())
    steers = {"both": tree(), "logic": tree(feasibility=0), "feasibility": tree(logic=0)}
    rows = []
    for name, column in JUDGED.items():
        row: Row = {"judge": name, **accuracy(six, column), "pick of six": rate(chosen(six, column))}
        row["pick - chance"] = compared(chosen(six, column), chance(six))
        row["tree"] = rate(f.solved(steers[name]))
        if name != "both":
            row["both judges' tree - it"] = compared(whole, f.solved(steers[name]))
        rows.append(row)
    pairs = {name: accuracies(six, column) for name, column in JUDGED.items()}
    both = sorted(set.intersection(*map(set, pairs.values())))
    gaps = {
        f"{a} - {b}": compared([pairs[a][i] for i in both], [pairs[b][i] for i in both])
        for a, b in (("both", "logic"), ("both", "feasibility"), ("feasibility", "logic"))
    }
    return {"rows": rows, "between judges": gaps, "chance": rate(chance(six)), "gold picks": rate(best(six))}


def table_4(f: Lines) -> Row:
    """All eight casts and their controls, and the questions: every pair that differs in one thing, averaged."""
    eight = [tree(*who) for who in product("SL", repeat=3)]
    rows = []
    for cast in eight:
        k, voted = f.rival(cast)
        row: Row = {"cast": cast.planner + cast.judge + cast.executor, "solved": rate(f.solved(cast))}
        row |= {"written": round(fmean(f.billed(cast)), 1), "chains": k, "vote": rate(voted)}
        row["tree - vote"] = compared(f.solved(cast), voted)
        row["tree - first plan"] = compared(f.solved(cast), f.solved(one_plan(cast.planner, cast.executor)))
        rows.append(row)
    controls = []
    for p, e in product("SL", repeat=2):
        cast = one_plan(p, e)
        row = {"cast": f"{p}-{e}", "solved": rate(f.solved(cast)), "written": round(fmean(spent(f[cast])), 1)}
        controls.append(row)
    for e in "SL":
        tokens = fmean(spent(f[chains(e)])) / len(f[chains(e)]["answers"][0])
        controls.append({"cast": f"--{e}", "solved": rate(one_chain(f[chains(e)])), "written": round(tokens, 1)})
    for judge in (COIN, ORACLE):
        cast = tree(judge=judge)
        row = {"cast": f"L {judge} L", "solved": rate(f.solved(cast)), "written": round(fmean(f.billed(cast)), 1)}
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
        whole, six = tree(judge=name), f[side_by_side(name)]
        k, voted = f.rival(whole)
        row: Row = {"judge": name, **accuracy(six, REWARD), "tree": rate(f.solved(whole)), "chains": k}
        row |= {"vote": rate(voted), "gain": compared(f.solved(whole), voted)}
        row["gain on its first plan"] = compared(f.solved(whole), f.solved(one_plan("L", "L")))
        row["pick of six"] = rate(chosen(six))
        row["tree - pick"] = compared(f.solved(whole), chosen(six))
        rows.append(row)
    return rows


def curve(f: Lines) -> Row:
    """Where the programs' trees overtake the vote at equal tokens, and their first plan."""
    accurate, found = [accuracy(f[side_by_side(name)])["right plan ahead"][0] for name in PROGRAMS], {}
    searches = [f.solved(tree(judge=name)) for name in PROGRAMS]
    picks = [chosen(f[side_by_side(name)]) for name in PROGRAMS]
    for rival, right in {
        "vote at equal tokens": f.rival(tree())[1],
        "vote, reading counted": f.rival(tree(), read=True)[1],
        "one plan": f.solved(one_plan("L", "L")),
        "one chain": one_chain(f[chains("L")]),
    }.items():
        found[rival] = {"tree": crossed(accurate, searches, right), "pick of six": crossed(accurate, picks, right)}
    return found


def of_plans(f: Lines) -> Row:
    """What there is to choose from: how plans differ, how often they are right, what became of them in the tree."""
    six, whole = f[side_by_side("L")], f[tree()]
    first = f.solved(one_plan("L", "L"))
    right = f.solved(tree())
    changed = [i for i, times in enumerate(whole["revised"]) if times]
    return {
        "different plans of six": round(fmean(len(plans) for plans in six["plans"]), 2),
        "judged in a tree": round(fmean(whole["judged"]), 2),
        "a revision is carried out": len(changed),
        "it is right": int(sum(right[i] for i in changed)),
        "the first plan would be": int(sum(first[i] for i in changed)),
        "all six alike": sum(len({plan[-1] for plan in plans}) == 1 for plans in six["plans"]),
        "gold picks of the oracle's tree": rate(f.solved(tree(judge=ORACLE))),
    }


def rollouts(f: Lines) -> list[Row]:
    """Longer searches with the large judge and with the oracle, against the vote with their tokens."""
    rows = []
    for judge in ("L", ORACLE):
        for n in (6, 12, 24):
            cast = tree(judge=judge, rollouts=n)
            if cast in f:
                k, voted = f.rival(cast)
                row: Row = {"judge": judge, "rollouts": n, "solved": rate(f.solved(cast)), "chains": k}
                row["judged"] = round(fmean(f[cast]["judged"]), 2)
                rows.append(row | {"vote": rate(voted), "gain": compared(f.solved(cast), voted)})
    return rows
