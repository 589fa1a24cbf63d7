"""Where products live: votes, checked chains and trees where one chain is right in 0 to 90 of 100 cases, and what a
solved problem must be worth before the dearer one pays.

    python -m studies.products     # goes on where it stopped; writes studies/results/products.json

The map of chapter 16 has chains that are right in 0.04 to 16 %. The same players reach 90 % on easier problems.

Fixed before anything was played
--------------------------------
- *Players.* The Game of 24: the finished pocket model in both roles; one state kept, three replies; a program refuses
  illegal steps, checks the end and writes the answer. (The checkpoint 32M was planned, too; the hours did not reach.)
  Worded sums: the large worded model and the tree of plans of chapter 14 (six rollouts, two revisions); nobody checks.
- *Problems.* 700 solvable puzzles, drawn with a seed from all but the sealed board: most were trained on, a share that
  is told. 600 worded problems, whose templates and numbers are held out; those of earlier studies are left out.
- *Splits.* Each player's first 30 chains on a problem say in which of ``BINS`` it belongs, a hundred drawn with a seed
  from each. Rates come from 60 other chains, so nothing regresses. A bin with fewer than 20 problems is left out.
- *Price.* At equal written tokens: as many chains as the tree's mean buys, 60 at most. For the *value*: tokens written,
  and a tenth of those read (what a run's prompts begin with alike is read once). Chains stop at the first that passes.
- *Value.* ``turn``: the least worth of a solved problem, in tokens, from which on the tree pays more than any number of
  chains that costs less. Its interval is over problems drawn anew; ``never``: how many draws have none.
- *Tests.* Tree against checked chains (24) or the vote (words), paired by problem, exact sign flips, Holm over bins.
- *Power.* ``power``: what a hundred pairs show four times in five.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from studies import trials
from studies.figures import Figures, compared, each, holm, share, write
from studies.held_out import board
from studies.options import options
from studies.plans_pay.power import least_gap
from studies.plans_pay.world import TASK
from studies.pocket.data import held_out
from studies.search_pays.play import reading
from studies.search_pays.report import CASSETTE
from studies.search_pays.rivals import Pool, characters_per_token
from studies.search_pays.runs import FINAL, weights_of
from studies.trials import GAME, Line
from studies.words.problems import N, held_out_problems
from tot.lm.base import LM
from tot.solution import Solution
from tot.tasks.base import Problem, Task
from treebook.players import Pocket
from treebook.players.worded import worded

LINES, RESULTS = Path("_build/products/lines.jsonl"), Path("studies/results/products.json")
SEED, PUZZLES, WORDED = 4703, 700, 600
BINS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 1.01)
MOST, LEAST = 100, 20  # problems of a bin
FIRST, CHAINS = 30, 60  # chains that choose the bin, and those that count
KS = (1, 2, 3, 5, 8, 12, 20, 30, 45, 60)
READ = 0.1  # the price of a token that is read, in tokens written
CHANGED = (0.1, 0.2, 0.3)  # shares of problems that only one of two contenders solves
DRAWS = 400
WORDS = "words"
PLAYERS = (FINAL, WORDS)
HOW: Mapping[str, tuple[Task, str, str, Mapping[str, Any]]] = {  # task, how a chain is asked, the tree and its knobs
    FINAL: (GAME, "cot", "tot-bfs", {"breadth": 1, "proposals": 3}),
    WORDS: (TASK, "zero-shot-cot", "mcts-plan", {"rollouts": 6, "revisions": 2}),
}


@cache
def player(name: str) -> LM:
    return worded() if name == WORDS else Pocket(weights=weights_of([name], None)[name], name=name)


@cache
def problems(name: str) -> list[Problem]:
    """All problems of a player, before they are split."""
    if name == WORDS:
        seen = {story.question for story in held_out_problems(N)}
        new = [story for story in held_out_problems(WORDED, SEED) if story.question not in seen]
        return [Problem(f"product-{i}", s.question, str(s.answer)) for i, s in enumerate(new, 1)]
    sealed = {problem.x for problem in board()}
    return Random(SEED).sample([problem for problem in GAME.problems("all") if problem.x not in sealed], PUZZLES)


def split(rates: Sequence[float]) -> list[list[int]]:
    """The places of the problems of each bin."""
    found = []
    for low, high in pairwise(BINS):
        inside = [i for i, rate in enumerate(rates) if low <= rate < high]
        found.append(sorted(Random(f"{SEED} {low}").sample(inside, min(MOST, len(inside)))))
    return found


# ---------------------------------------------------------------- plays


def measured(name: str) -> Line:
    """How many of the first chains on each problem are right."""
    task, method, _, _ = HOW[name]
    runs = trials.play(problems(name), method, player(name), task=task, k=FIRST)
    return {"job": ["first", name], "right": [sum(score.correct for score in run.scores) for run in runs]}


def played(kind: str, name: str, chosen: Sequence[int]) -> Line:
    """The other chains, or the tree, on these problems. Raises LMError if a player fails."""
    task, chain, tree, knobs = HOW[name]
    some = [problems(name)[i] for i in chosen]
    if kind == "chains":
        runs = trials.play(some, chain, player(name), task=task, shift=FIRST, k=CHAINS)
        found = trials.answers(runs, task)
        found["lengths"] = [[sample["tokens"] for sample in run.trace.samples()] for run in runs]
    else:
        runs = trials.play(some, tree, player(name), task=task, **knobs)
        found = {"solved": trials.solved(runs)}
    bills = {"written": trials.written(runs), "new": [reading(run)[1] for run in runs], "path": list(map(path, runs))}
    return {"job": [kind, name], "problems": list(chosen), **found, **bills}


def path(run: Solution) -> int:
    """Tokens one after the other, if all replies of a round are written side by side."""
    rounds = [event["requests"] for event in run.trace.events if event["kind"] == "asked"]
    return sum(max((s["tokens"] for one in asked for s in one["samples"]), default=0) for asked in rounds)


# ---------------------------------------------------------------- what a solved problem must be worth

Offer = tuple[list[float], list[float]]  # for each problem: how often it is solved, what that costs in tokens


def offers(pool: Pool, read: Sequence[float], checked: bool) -> dict[int, Offer]:
    """What k chains are worth: drawn one by one until one passes, or else a vote of all."""
    found = {}
    for k in KS:
        drawn = [float(k)] * len(pool.right)
        if checked:
            misses = [pool.best(j) for j in range(1, k)]
            drawn = [1 + sum(1 - miss[i] for miss in misses) for i in range(len(pool.right))]
        solved = pool.best(k) if checked else pool.vote(k)
        found[k] = solved, [n * pool.written + READ * r for n, r in zip(drawn, read, strict=True)]
    return found


def turn(tree: Offer, rivals: Mapping[int, Offer], draw: Sequence[int] | None = None) -> float:
    """The least value of a solved problem, in tokens, from which on the tree is worth more than every rival that costs
    less; inf: one of them solves as much.
    """
    at = range(len(tree[0])) if draw is None else draw
    solved, cost = (fmean(part[i] for i in at) for part in tree)
    level = 0.0
    for rival in rivals.values():
        less, cheaper = solved - fmean(rival[0][i] for i in at), cost - fmean(rival[1][i] for i in at)
        if cheaper > 0:
            level = max(level, cheaper / less) if less > 0 else inf
    return level


def turned(tree: Offer, rivals: Mapping[int, Offer]) -> Figures:
    """The turn with its interval over problems, in tokens; None stands for never."""
    rng, every = Random(0), range(len(tree[0]))
    drawn = sorted(turn(tree, rivals, rng.choices(every, k=len(every))) for _ in range(DRAWS))
    tail = int(0.025 * DRAWS)
    ends = turn(tree, rivals), drawn[tail], drawn[DRAWS - 1 - tail]
    return {"tokens": [None if x == inf else round(x) for x in ends], "never": round(fmean(x == inf for x in drawn), 3)}


# ---------------------------------------------------------------- the report


def part(line: Line, at: Sequence[int]) -> Line:
    """The line of some of its problems."""
    return {
        key: [value[i] for i in at] if isinstance(value, list) and key != "job" else value
        for key, value in line.items()
    }


def cell(name: str, chains: Line, tree: Line, rate: float) -> Figures:
    """One bin: rates, costs, the tree against its rival at equal tokens, and the value from which it pays."""
    checked, n = name != WORDS, len(tree["solved"])
    pool, solved = Pool(chains, rate), list(map(float, tree["solved"]))
    k = pool.affordable("written", fmean(tree["written"]))
    best, vote = [round(x, 2) for x in pool.best(k)], [round(x, 2) for x in pool.vote(k)]
    read = [new / rate for new in chains["new"]]
    dear = solved, [w + READ * r / rate for w, r in zip(tree["written"], tree["new"], strict=True)]
    rivals = offers(pool, read, checked)
    longest = {str(j): round(fmean(max(lengths[:j]) for lengths in chains["lengths"])) for j in KS}
    out = set(held_out()) if checked else {p.x for p in problems(name)}
    return {
        "player": name,
        "n": n,
        "held out": round(fmean(problems(name)[i].x in out for i in tree["problems"]), 3),
        "one chain": each(pool.one()),
        "k": k,
        "tree": share(solved),
        "best of k": each(best),
        "vote of k": each(vote),
        "tree minus": {"best of k": compared(solved, best), "vote of k": compared(solved, vote)},
        "turn": turned(dear, rivals),
        "tokens of a chain": round(pool.written, 1),
        "bill of the tree": {"tokens": round(fmean(dear[1])), "path": round(fmean(tree["path"]))},
        "bills of chains": {str(j): round(fmean(cost), 1) for j, (_, cost) in rivals.items()},
        "paths of chains": longest,
        "best of": {str(j): round(fmean(pool.best(j)), 4) for j in KS},
        "vote of": {str(j): round(fmean(pool.vote(j)), 4) for j in KS},
    }


def figures(lines: Mapping[tuple[str, str], Line]) -> list[Figures]:
    """A cell for each player and bin that was played."""
    rate, cells = characters_per_token(CASSETTE), []
    for name in PLAYERS:
        if ("tree", name) not in lines:
            continue
        chains, tree = lines["chains", name], lines["tree", name]
        at = {problem: i for i, problem in enumerate(tree["problems"])}
        for low, places in zip(BINS, split([x / FIRST for x in lines["first", name]["right"]]), strict=False):
            if len(places) >= LEAST:
                here = [at[i] for i in places]
                cells.append({"from": low, **cell(name, part(chains, here), part(tree, here), rate)})
    rivals = ["vote of k" if one["player"] == WORDS else "best of k" for one in cells]
    ps = [one["tree minus"][rival]["p"] for one, rival in zip(cells, rivals, strict=True)]
    return [{**one, "rival": rival, "Holm": p} for one, rival, p in zip(cells, rivals, holm(ps), strict=True)]


def power() -> Figures:
    return {f"{changed:.0%} change sides": least_gap(MOST, changed, 0.05) for changed in CHANGED}


def main() -> None:
    a = options(__doc__, lines=(LINES, "where finished plays go"), out=RESULTS, only=("", "one player, and no results"))
    print(power(), flush=True)
    names, lines = [a.only] if a.only else PLAYERS, dict[tuple[str, str], Line]()
    for name in names:
        about = {"weights": {name: player(name).weights[:12]}}

        def kept(todo: Mapping[tuple[str, str], Sequence[int]], play: Any, about: Any = about) -> None:
            one = {job: (job, chosen) for job, chosen in todo.items()}
            lines.update(trials.trials(one, play, a.lines, lambda line: (line["job"][0], line["job"][1]), same=about))

        kept({("first", name): ()}, lambda job: measured(job[0][1]))
        bins = split([x / FIRST for x in lines["first", name]["right"]])
        chosen = sorted(i for some in bins if len(some) >= LEAST for i in some)
        kept({(kind, name): chosen for kind in ("tree", "chains")}, lambda job: played(*job[0], job[1]))
    if not a.only:
        weights = {name: player(name).weights[:12] for name in names}
        made = {"date": time.strftime("%Y-%m-%d"), "weights": weights, "power": power(), "bins": BINS[:-1]}
        write({**made, "read": READ, "cells": figures(lines)}, a.out)


if __name__ == "__main__":
    main()
