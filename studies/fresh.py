"""The headline tables of chapters 6, 16, 18 and 19 once more, on a hundred puzzles by which nothing was chosen.

    python -m studies.fresh [--out studies/results/fresh.json]     # goes on where it stopped

Puzzles: ``studies.held_out.fresh``. Players: those that the book ships (the pocket model, chapter 16's checkpoints, the
novice, the pupil, the stream model). Each is asked as in its chapter's own study, so the two can be compared; puzzles
differ in difficulty, so the chain rates of both stand beside them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from studies.figures import Figures, write
from studies.held_out import fresh
from studies.options import options
from studies.search_pays.play import Cell, chains, play
from studies.search_pays.players import COIN, RANDOM_STEPS, checkpoints, programs
from studies.search_pays.report import CASSETTE, cell, worth
from studies.search_pays.rivals import Pool, characters_per_token
from studies.search_pays.runs import FINAL, UNFINISHED, weights_of
from studies.stream.measures import TREES
from studies.stream.measures import measured as streamed
from studies.stream.recording import STREAM, stream_model
from studies.stream.searches import STRATEGIES
from studies.teach.measures import shaped, solving
from studies.trials import Line, trials
from tot.lm.base import LM
from treebook.players import Pocket
from treebook.studies.results import search_of

LINES = Path("_build/fresh.jsonl")
RESULTS = Path("studies/results/fresh.json")
PLAYERS = (*UNFINISHED, FINAL)
SHAPED = ((1, 1), (5, 1), (1, 3))  # states kept, propose replies: the trees of chapter 6
TAUGHT, TAUGHT_IN = ("novice", "pupil"), Path(__file__).parent / "teach"
KEPT = ("tokens", "right", "finished", "changed verdicts")  # of the stream's measures
Job = Cell | tuple[str, str]


def jobs() -> dict[str, Job]:
    """Under the keys of their lines; the quick ones first."""
    cells = [Cell(RANDOM_STEPS, COIN, breadth=b, proposals=p) for b, p in SHAPED]
    cells += [Cell(FINAL, FINAL, breadth=b, proposals=p, help=h) for h in (True, False) for b, p in SHAPED]
    cells += [Cell(FINAL, "12M", proposals=3), *(Cell(name, FINAL, proposals=3) for name in UNFINISHED)]
    cells += [Cell(name, name, proposals=3, help=False) for name in ("24M", "32M")]
    found: dict[str, Job] = {cell.key: cell for cell in cells}
    others = [*(("chains", name) for name in PLAYERS), *(("taught", name) for name in TAUGHT), ("stream", "stream")]
    return found | {" ".join(job): job for job in others}


def key(line: Line) -> str:
    if "cell" in line:
        return Cell(**line["cell"]).key
    [kind] = {"chains", "taught", "stream"} & line.keys()
    return f"{kind} {line[kind]}"


@cache
def players() -> dict[str, LM]:
    return {**programs(), **checkpoints(weights_of(PLAYERS, None))}


def play_one(job: Job) -> Line:
    """Raises LMError if a player fails."""
    problems = fresh()
    if isinstance(job, Cell):
        return play(job, players(), problems)
    kind, name = job
    if kind == "chains":
        return chains(name, players()[name], problems)
    if kind == "stream":
        return {"stream": name, "played": streamed(stream_model(), problems, sure={})}
    lm = Pocket(weights=TAUGHT_IN / f"{name}.safetensors", name=name)
    return {"taught": name, "played": solving(lm, problems) | shaped(lm, problems)}


def weights() -> dict[str, str]:
    """Of every player, the first twelve signs of their hash."""
    files = {**weights_of(PLAYERS, None), **{name: TAUGHT_IN / f"{name}.safetensors" for name in TAUGHT}}
    files["stream"] = STREAM
    return {name: Pocket(weights=file).weights[:12] for name, file in files.items()}


def figures(lines: Sequence[Line], made_by: Mapping[str, str]) -> Figures:
    """What the chapters read: as in their own results files, without what is not about success."""
    rate = characters_per_token(CASSETTE)
    pools = {line["chains"]: Pool(line, rate) for line in lines if "chains" in line}
    cells = [cell(line, pools, rate) for line in lines if "cell" in line]
    [streams] = [line["played"] for line in lines if "stream" in line]
    own, trees = pools[FINAL], {}
    for name, (b, p) in TREES.items():
        tree = search_of({"cells": cells}, FINAL, FINAL, breadth=b, proposals=p)
        trees[name] = {"solved": [int(x) for x in tree["solved"]], "tokens": tree["tokens"]["written"]}
    return {
        "n": len(fresh()),
        "split": "studies.held_out.fresh",
        "date": time.strftime("%Y-%m-%d"),
        "weights": made_by,
        "players": {name: worth(pool) for name, pool in pools.items()},
        "cells": cells,
        "taught": {line["taught"]: line["played"] for line in lines if "taught" in line},
        "measured": {"stream": {how: {name: streams[how][name] for name in KEPT} for how in STRATEGIES}},
        "pocket": {"chains": {"k": own.n, "right": own.right, "tokens": round(own.written, 1)}, "trees": trees},
    }


def main() -> None:
    a = options(__doc__, lines=(LINES, "where finished plays go"), out=RESULTS)
    about = {"weights": weights(), "n": len(fresh())}
    lines = trials(jobs(), play_one, a.lines, key, same=about)
    write(figures(list(lines.values()), about["weights"]), a.out)


if __name__ == "__main__":
    main()
