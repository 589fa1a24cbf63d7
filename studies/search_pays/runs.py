"""The whole map: which cells there are, and worker processes that play them. Every finished line is on disk at once."""

from __future__ import annotations

import multiprocessing as mp
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.search_pays import measure
from studies.search_pays.play import GAME, Cell, chains, play
from studies.search_pays.players import ALL_STEPS, COIN, ORACLE, RANDOM_STEPS, checkpoints, programs
from tot.jsonlines import Appender
from tot.lm.base import LM
from treebook.players import Pocket

UNFINISHED = ("8M", "12M", "16M", "24M", "32M")  # tokens of training; the sixth player is the finished model
FINAL = "final"
Line = dict[str, Any]
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


def players_of(line: Mapping[str, Any]) -> list[str]:
    if "cell" in line:
        return [line["cell"]["generator"], line["cell"]["judge"]]
    return [line.get("chains") or line["player"]]


def jobs(names: Sequence[str]) -> dict[str, Job]:
    """Everything that is to do, under the keys of its lines."""
    found: dict[str, Job] = {cell.key: cell for cell in cells(names)}
    return found | {f"chains {name}": name for name in names} | {f"player {name}": ("measure", name) for name in names}


def groups(todo: Mapping[str, Job]) -> list[list[Job]]:
    """Jobs that share samples stand together, so that one worker plays them and asks for each sample once."""
    found: dict[object, list[Job]] = {}
    for job in todo.values():
        found.setdefault((job.generator, job.judge) if isinstance(job, Cell) else job, []).append(job)
    return list(found.values())


def work(todo: Any, done: Any, files: Mapping[str, Path | None], puzzles: int) -> None:
    """A worker process: takes jobs until there is None, gives back lines."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's: it ends, and its workers with it
    players: dict[str, LM] = {**programs(), **checkpoints(dict(files))}
    problems = GAME.problems("hard")[:puzzles]
    states = measure.pool(problems)
    while (group := todo.get()) is not None:
        for job in group:
            if isinstance(job, Cell):
                done.put(play(job, players, problems))
            elif isinstance(job, str):
                done.put(chains(job, players[job], problems))
            else:
                lm = players[job[1]]
                halves = {"generating": measure.generating(lm, states), "judging": measure.judging(lm, states)}
                done.put({"player": job[1], **halves})


def run_all(todo: Mapping[str, Job], out: Path, files: Mapping[str, Path | None], puzzles: int, workers: int) -> None:
    """Play ``todo``; each line is written as soon as it is there, with the weights that it was played by."""
    weights = {name: Pocket(weights=path).weights[:12] for name, path in files.items()}
    context = mp.get_context("spawn")
    queue, done = context.Queue(), context.Queue()
    for group in groups(todo):
        queue.put(group)
    for _ in range(workers):
        queue.put(None)
    pool = [context.Process(target=work, args=(queue, done, files, puzzles), daemon=True) for _ in range(workers)]
    for process in pool:
        process.start()
    started = time.monotonic()
    with Appender(out) as file:
        for i in range(1, len(todo) + 1):
            while done.empty():
                if not all(process.is_alive() or process.exitcode == 0 for process in pool):
                    raise SystemExit("a worker failed: see its message above; run again to go on")
                time.sleep(0.2)
            line = done.get()
            line["weights"] = {name: weights[name] for name in players_of(line) if name in weights}
            file.write(line)
            spent = time.monotonic() - started
            print(
                f"{i}/{len(todo)}  {key(line)}  ({spent:.0f} s, about {spent / i * (len(todo) - i):.0f} s left)",
                flush=True,
            )
