"""Every strategy on one board (chapter 20): success against tokens, rounds and seconds, by who checks.

    python -m studies.board            # goes on where it stopped; writes studies/results/board.json
    python -m studies.board --quick    # a tenth of the problems, into _build/board/quick.json

Fixed before anything was played
--------------------------------
- *Worlds.* "24": the Game of 24 with the pocket model in every role, on the 200 sealed puzzles of
  ``studies.held_out.board``; "24, weak": the same with a checkpoint from the middle of its training (``WEIGHTS``), of
  which chapter 16 knows that one chain in fifty is right. "words": worded sums with the worded pocket model, on 150
  new held-out problems. "1.5B":
  chains of the Game of 24 that a real model wrote (``studies.heart``, 80 fresh puzzles), drawn again: a strategy that
  only resamples chains needs nothing else.
- *Checks.* "free": a program refuses illegal steps and checks the end for nothing. "judge": steps are checked, but
  the model itself says whether the end is right, as it judges all else. "nobody": nothing but the samples.
- *Budgets.* Tokens written and read, for one problem: ``BUDGETS``. A strategy plays at each with the setting which
  solved most of the pilot's problems (``PILOT`` others) among those that spent no more on average (``ROOM``); of
  equals the cheapest. A search that can be stopped at any time is stopped at the budget (``STOPS``).
- *Samples* are shared: who asks the same question of the same problem gets the same replies, so pairs differ by what
  the strategies do with them.
- *Seconds.* Of a model that takes ``DELAYS`` seconds for any reply and answers all that is asked at once together:
  rounds x delay.
- *Questions.* In each world, kind of check and budget: each strategy against the plain one (``PLAIN``), paired by
  problem, exact (McNemar), Holm over the whole board. Power: ``power``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies import heart, held_out
from studies.figures import Figures, compared, each, holm, share, write
from studies.game24_help import ResultsJudgedByModel
from studies.options import options
from studies.plans_pay.power import least_gap
from studies.search_pays.runs import FINAL, weights_of
from studies.trials import GAME, OWN, Line, Remembering, solve_all, solved, trials
from studies.words.problems import N, held_out_problems
from studies.words.world import Story
from tot.lm.base import LM
from tot.solution import Job
from tot.tasks.base import Problem, Task
from treebook.players import Pocket
from treebook.players.worded import worded

LINES, RESULTS = Path("_build/board/lines.jsonl"), Path("studies/results/board.json")
QUICK = Path("_build/board/quick.json")
PILOT, WORDED, SEED = 40, 150, 52  # problems of a pilot, of the worded world; the seed of the latter
SPARE = 60  # of them some were told before
DELAYS = (0.05, 2.0)
CHANGED = (0.1, 0.2, 0.3)
WEIGHTS = {"24": FINAL, "24, weak": "24M"}
BUDGETS: Mapping[str, tuple[int, int, int]] = {
    **dict.fromkeys(WEIGHTS, (300, 1000, 3000)),
    "words": (150, 400, 1100),
    "1.5B": (1000, 2500, 6000),
}
ROOM = 1.05  # so much of a budget may be spent on average
PLAIN = {"free": "best-of", "judge": "judged-best-of", "nobody": "cot-sc"}
STOPS = {"restarts", "tot-mcts", "puct", "ab-mcts", "tot-dfs", "levin", "io-refine-checked"}
Knobs = Mapping[str, Any]
Contenders = Mapping[str, tuple[str, list[Knobs]]]


def widths(name: str, *values: int, **more: Any) -> list[Knobs]:
    return [{name: value, **more} for value in values]


CHAINS = (2, 4, 7, 15, 22, 45, 66)


def trees(**more: Any) -> list[Knobs]:
    """Replies that propose, and verdicts, for each state."""
    return [{"proposals": p, "values": v, **more} for p, v in ((1, 1), (1, 3), (3, 1), (3, 3))]


VOTES: Contenders = {
    "one chain": ("cot", [{"k": 1}]),
    "cot-sc": ("cot-sc", widths("k", *CHAINS)),
    "cot-sc --stop": ("cot-sc", widths("k", *CHAINS, stop=0.95)),
}
SURE: Contenders = {"cot-sc --weights model": ("cot-sc", widths("k", *CHAINS, weights="model"))}
SEARCHES: Contenders = {
    "tot-bfs": ("tot-bfs", [knobs for b in (1, 3, 5) for knobs in trees(breadth=b)]),
    "tot-dfs": ("tot-dfs", trees()),
    "tot-mcts": ("tot-mcts", trees()),
    "puct": ("puct", widths("proposals", 4, 8, 16, values=1)),
    "ab-mcts": ("ab-mcts", trees()),
    "dvts": ("dvts", [{"subtrees": n, "samples": m, "values": v} for n in (2, 4) for m in (2, 4, 8) for v in (1, 3)]),
    "particles": ("particles", [{"particles": n, "values": v} for n in (4, 8, 16, 32) for v in (1, 3)]),
    "rebase": ("rebase", [{"width": n, "values": v} for n in (4, 8, 16, 32) for v in (1, 3)]),
}
PICKED: Contenders = {"judged-best-of": ("judged-best-of", widths("k", *CHAINS, prompt="cot"))}
JUDGED: Contenders = {**PICKED, "cot-sc --weights judge": ("cot-sc", widths("k", *CHAINS, weights="judge"))}
DUELS: Contenders = {"tournament": ("tournament", widths("k", *CHAINS[:4]))}  # the pocket model of 24 knows no pairs
CHECKED: Contenders = {
    "best-of": ("best-of", widths("k", *CHAINS, prompt="cot")),
    **SEARCHES,
    "restarts": ("restarts", trees(trees=100)),
}
# world and check -> strategy -> method, and the settings that the pilot chooses from
BOARD: Mapping[tuple[str, str], Contenders] = {
    **{(world, "free"): CHECKED for world in WEIGHTS},
    **{(world, "judge"): {**SEARCHES, **JUDGED} for world in WEIGHTS},
    **{(world, "nobody"): {**VOTES, **SURE} for world in (*WEIGHTS, "words")},
    ("1.5B", "nobody"): VOTES,
    ("words", "judge"): {"mcts-plan": ("mcts-plan", widths("rollouts", 1, 2, 6, 12, revisions=2)), **PICKED, **DUELS},
}


@dataclass(frozen=True)
class Cell:
    """One strategy with one setting, stopped at a budget or never, on the problems of the ``stage``: pilot, board."""

    stage: str
    world: str
    check: str
    strategy: str
    setting: int
    budget: int = 0

    @property
    def method(self) -> str:
        return BOARD[self.world, self.check][self.strategy][0]

    @property
    def knobs(self) -> Knobs:
        return BOARD[self.world, self.check][self.strategy][1][self.setting]


# ---------------------------------------------------------------- worlds


@cache
def player(world: str, stage: str = "board") -> LM:
    if world == "1.5B":
        return heart.recording(heart.FOLDER, "fresh" if stage == "board" else "starter")
    if world == "words":
        return Remembering(worded())
    return Remembering(Pocket(weights=weights_of([WEIGHTS[world]], None)[WEIGHTS[world]], name=WEIGHTS[world]))


def task(world: str, check: str) -> Task:
    if world == "words":
        return tot.task("gsm8k")
    if world == "1.5B":
        return heart.UNAIDED
    return GAME if check == "free" else ResultsJudgedByModel()


@cache
def problems(world: str, stage: str) -> list[Problem]:
    """Those of the pilot are others than those of the board."""
    if world in WEIGHTS:
        return held_out.board() if stage == "board" else held_out.fresh()[:PILOT]
    if world == "1.5B":
        sets = heart.puzzles()
        return sets["fresh"] if stage == "board" else sets["starter"]
    some = stories()[PILOT:] if stage == "board" else stories()[:PILOT]
    return [Problem(f"board-{i}", story.question, str(story.answer)) for i, story in enumerate(some, 1)]


@cache
def stories() -> list[Story]:
    """Worded problems, held out and new: first those of the pilot."""
    seen = {story.question for story in held_out_problems(N)}
    new = held_out_problems(PILOT + WORDED + SPARE, SEED)
    return [story for story in new if story.question not in seen][: PILOT + WORDED]


# ---------------------------------------------------------------- plays


def played(cell: Cell, only: int | None = None) -> Line:
    """The cell's line; ``only``: so many of its problems. Raises LMError if a player fails."""
    budget = tot.Budget(tokens=cell.budget, soft=True) if cell.budget else None
    some = problems(cell.world, cell.stage)[:only]
    # a recording has its samples under other numbers
    first = [GAME.problems("all").index(p) for p in some] if cell.world == "1.5B" else range(len(some))
    how, where = tot.method(cell.method), task(cell.world, cell.check)
    jobs = [Job(where, p, how, {"first": OWN * i, **cell.knobs}) for p, i in zip(some, first, strict=True)]
    runs = solve_all(jobs, player(cell.world, cell.stage), budget=budget)
    bills = [run.result.ledger for run in runs]
    spent = {"tokens": [bill.total.tokens for bill in bills], "rounds": [bill.rounds for bill in bills]}
    return {"cell": [*vars(cell).values()], "knobs": dict(cell.knobs), "solved": solved(runs), **spent}


def pilots() -> Iterator[Cell]:
    for (world, check), contenders in BOARD.items():
        for strategy, (method, settings) in contenders.items():
            for budget in BUDGETS[world] if method in STOPS else (0,):
                for setting in range(len(settings)):
                    yield Cell("pilot", world, check, strategy, setting, budget)


def chosen(lines: Mapping[Cell, Line]) -> dict[tuple[str, str, int, str], Cell]:
    """World, check, budget, strategy -> the cell of the board that the pilot's lines choose. A strategy that never fits
    a budget is left out there.
    """
    found = {}
    for (world, check), contenders in BOARD.items():
        for budget in BUDGETS[world]:
            for strategy in contenders:
                fit = [
                    (sum(line["solved"]), -fmean(line["tokens"]), cell)
                    for cell, line in lines.items()
                    if (cell.world, cell.check, cell.strategy) == (world, check, strategy)
                    and cell.budget in (0, budget)
                    and fmean(line["tokens"]) <= ROOM * budget
                ]
                if fit:
                    *_, best = max(fit, key=lambda one: one[:2])
                    found[world, check, budget, strategy] = replace(best, stage="board")
    return found


# ---------------------------------------------------------------- the report


def row(cell: Cell, line: Line) -> Figures:
    rounds = fmean(line["rounds"])
    return {
        "strategy": cell.strategy,
        "method": cell.method,
        "knobs": dict(cell.knobs),
        "n": len(line["solved"]),
        "solved": share(line["solved"]),
        "tokens": each(line["tokens"]),
        "rounds": round(rounds, 2),
        "seconds": {str(delay): round(rounds * delay, 2) for delay in DELAYS},
    }


def figures(picked: Mapping[tuple[str, str, int, str], Cell], lines: Mapping[Cell, Line]) -> list[Figures]:
    """A row for each world, check, budget and strategy; the differences from the plain one are corrected for their
    number over the whole board.
    """
    rows, ps = [], []
    for (world, check, budget, strategy), cell in picked.items():
        one = {"world": world, "check": check, "budget": budget, **row(cell, lines[cell])}
        plain = picked.get((world, check, budget, PLAIN[check]))
        if plain and strategy != PLAIN[check]:
            one["minus plain"] = compared(lines[cell]["solved"], lines[plain]["solved"])
            ps.append(one)
        rows.append(one)
    for one, p in zip(ps, holm([one["minus plain"]["p"] for one in ps]), strict=True):
        one["Holm"] = p
    return rows


def power(tests: int) -> Figures:
    """The least true difference that is found four times in five, alone and as the strictest of ``tests``."""
    return {
        world: {
            f"{changed:.0%} change sides": [least_gap(n, changed, 0.05 / m) for m in (1, tests)] for changed in CHANGED
        }
        for world in BUDGETS
        for n in [len(problems(world, "board"))]
    }


def main() -> None:
    a = options(__doc__, lines=(LINES, "where finished plays go"), out=RESULTS, quick=(False, "a tenth, elsewhere"))
    names = {"weights": {world: player(world).weights[:12] for world in BUDGETS if world != "1.5B"}}

    def kept(cells: Iterable[Cell]) -> dict[Cell, Line]:
        file = a.lines.with_name("quick.jsonl") if a.quick else a.lines
        tenth = {cell: max(4, len(problems(cell.world, cell.stage)) // 10) if a.quick else None for cell in cells}
        some = sorted(tenth, key=lambda cell: (cell.world, cell.check))
        return trials({cell: cell for cell in some}, lambda cell: played(cell, tenth[cell]), file, key, same=names)

    picked = chosen(kept(pilots()))
    lines = kept(dict.fromkeys(picked.values()))
    rows = figures(picked, lines)
    tests = sum("Holm" in one for one in rows)
    made = {"date": time.strftime("%Y-%m-%d"), **names, "budgets": BUDGETS, "delays": DELAYS, "tests": tests}
    write({**made, "power": power(tests), "rows": rows}, QUICK if a.quick else a.out)


def key(line: Line) -> Cell:
    return Cell(*line["cell"])


if __name__ == "__main__":
    main()
