"""The whole map: which cells there are, and worker processes that play them. Every finished line is on disk at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from studies.search_pays.measure import Pool, generating, judging, pool
from studies.search_pays.others import own
from studies.search_pays.packing import SHIPPED, unpack
from studies.search_pays.play import Cell, chains, play
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, checkpoints, programs
from studies.trials import GAME, Line, trials
from tot.lm.base import LM
from tot.tasks.base import Problem
from treebook.players import Pocket

UNFINISHED = ("8M", "12M", "16M", "24M", "32M")  # tokens of training; the sixth player is the finished model
FINAL = "final"
LINES = Path("_build/search_pays/lines.jsonl")
Job = Cell | str | tuple[str, str]  # a cell; the chains of a generator; ("measure", player)


def cells(names: Sequence[str]) -> list[Cell]:
    """Every generator with every judge, and what stands beside them: programs, wide searches, searches without help."""
    found = [Cell(g, j, proposals=p) for g in names for j in (*names, COIN, ORACLE) for p in (1, 3)]
    found += [Cell(ALL_STEPS, j) for j in (*names, COIN, ORACLE)]
    for one in names:
        found += [Cell(one, one, breadth=5), Cell(one, one, proposals=5)]
        found += [Cell(one, one, breadth=b, help=False) for b in (1, 5)]
        found += [Cell(one, one, proposals=3, help=False)]
        found += [Cell(one, judge, proposals=3, believed=True) for judge in dict.fromkeys((one, names[-1]))]
    if FINAL in names:
        halves = [(RANDOM_STEPS, COIN), (FINAL, COIN), (ALL_STEPS, FINAL), (FINAL, ORACLE), (ALL_STEPS, ORACLE)]
        found += [Cell(RANDOM_STEPS, COIN), *(Cell(g, j, breadth=5) for g, j in halves)]
    return found


def key(line: Mapping[str, Any]) -> str:
    """What a finished line is about."""
    if "cell" in line:
        return Cell(**line["cell"]).key
    return f"chains {line['chains']}" if "chains" in line else f"player {line['player']}"


def jobs(names: Sequence[str]) -> dict[str, Job]:
    """Everything that is to do, under the keys of its lines."""
    found: dict[str, Job] = {cell.key: cell for cell in cells(names)}
    return found | {f"chains {name}": name for name in names} | {f"player {name}": ("measure", name) for name in names}


def shared(job: Job) -> object:
    """Jobs that share samples are one worker's, which asks for each sample once."""
    return (job.generator, job.judge) if isinstance(job, Cell) else job


@cache
def seated(files: tuple[tuple[str, Path | None], ...], puzzles: int) -> tuple[dict[str, LM], list[Problem], Pool]:
    """What a worker process keeps: the players with their samples, the puzzles, and the states below them."""
    problems = GAME.problems("hard")[:puzzles]
    return {**programs(), **checkpoints(dict(files))}, problems, pool(problems)


def weights_of(names: Sequence[str], folder: Path | None) -> dict[str, Path | None]:
    """The weights of each player: those shipped, or those in ``folder``; None for the package's own model."""
    files: dict[str, Path | None] = dict.fromkeys(names)
    for name in names:
        if name == FINAL:
            continue
        if folder is None:
            files[name] = unpack(SHIPPED / f"after_{name}.npz", LINES.parent / f"after_{name}.safetensors")
        elif (trained := folder / f"after_{name}.safetensors").exists():
            files[name] = trained
        else:
            wanted = ",".join(f"{n.removesuffix('M')}e6" for n in UNFINISHED)
            raise SystemExit(f"no {trained}: train the players first (make pocket KEEP={wanted} OUT={folder})")
    return files


def play_one(job: Job, files: tuple[tuple[str, Path | None], ...], puzzles: int) -> Line:
    players, problems, states = seated(files, puzzles)
    if isinstance(job, Cell):
        return play(job, players, problems)
    if isinstance(job, str):
        return chains(job, players[job], problems)
    lm = players[job[1]]
    found = {"generating": generating(lm, states), "judging": judging(lm, states), "own states": own(lm, problems)}
    return {"player": job[1], **found}


def played(
    todo: Mapping[str, Job], file: Path, files: Mapping[str, Path | None], puzzles: int, workers: int
) -> list[Line]:
    """The lines of all jobs, with the weights that they were played by."""
    weights = {name: Pocket(weights=path).weights[:12] for name, path in files.items()}
    one = partial(play_one, files=tuple(files.items()), puzzles=puzzles)
    about = {"weights": weights, "n": puzzles}
    return list(trials(todo, one, file, key, same=about, together=shared, workers=workers).values())
