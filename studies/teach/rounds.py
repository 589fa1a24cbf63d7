"""Rounds of expert iteration: search the training puzzles, learn from what was found, measure; for every arm and seed.

A leg is one round of one arm with one seed. What it makes lies in a folder of its own, each file complete or absent, so
that a run that was stopped goes on: ``ways.json`` (all ways found so far), ``harvest.json`` (this round's search),
``weights.safetensors``, ``measured.json``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from studies.figures import as_before, read, write
from studies.options import options
from studies.teach.measures import measured
from studies.teach.pupil import HEADS, pupil_shard, read_ways, write_ways
from studies.teach.searching import TEACHERS, Harvest, training_puzzles
from studies.trials import GAME, Spread, processes
from tot.lm.base import LM
from treebook.players import Pocket

TOKENS, RATE = 2.5e6, 1e-3  # of a round's training
MADE_WITH = "made_with.json"
SAMPLES = 100_000  # each round draws samples of its own: seed s, round r from number 100,000 (100 s + r) on


@dataclass(frozen=True)
class Arm:
    """``teacher``: who searches (of ``TEACHERS``; "" for nobody); ``heads``: what is learned from the ways."""

    teacher: str
    heads: Sequence[str] = HEADS
    seeds: int = 1
    rounds: int = 2


ARMS: dict[str, Arm] = {
    "tree": Arm("tree", seeds=3, rounds=3),
    "chains": Arm("chains", seeds=3, rounds=3),  # STaR without a tree, at the tokens that the tree wrote
    "rules again": Arm("", (), rounds=3),  # as much training, nothing found: the control for training alone
    "steps only": Arm("tree", ("steps",)),
    "value only": Arm("tree", ("value",)),
    "chain only": Arm("tree", ("chain",)),
    "unchecked": Arm("unchecked"),
}


MORE = (3, 4)  # seeds of further trainings of the tree's and the chains' pupils


@dataclass(frozen=True, order=True)
class Leg:
    round: int  # first, so that legs sort by it
    seed: int
    arm: str

    def folder(self, out: Path) -> Path:
        return out / f"{self.arm.replace(' ', '-')}-{self.seed}" / f"round-{self.round}"

    @property
    def before(self) -> Leg | None:
        return Leg(self.round - 1, self.seed, self.arm) if self.round > 1 else None

    @property
    def needs(self) -> list[Leg]:
        """The legs that must be finished: the round before, and for the chains the tree whose tokens they may write."""
        tree = [Leg(self.round, self.seed, "tree")] if ARMS[self.arm].teacher == "chains" else []
        return [*([self.before] if self.before else []), *tree]


def legs(names: Sequence[str] = tuple(ARMS), seeds: Sequence[int] | None = None) -> list[Leg]:
    """All legs of these arms, early rounds first; of other ``seeds`` than the arms' own. Raises ValueError for an
    unknown arm.
    """
    if unknown := set(names) - set(ARMS):
        raise ValueError(f"no arm {sorted(unknown)[0]!r}: choose from {', '.join(ARMS)}")
    found = [
        Leg(r, s, name)
        for name in names
        for s in (range(ARMS[name].seeds) if seeds is None else seeds)
        for r in range(1, ARMS[name].rounds + 1)
    ]
    return sorted(found, key=lambda leg: (leg.seed, leg.round, list(ARMS).index(leg.arm)))


def novice(out: Path) -> Path:
    return out / "novice" / "weights.safetensors"


def play(
    leg: Leg, out: Path, puzzles: int | None = None, tokens: float = TOKENS, device: str = "cpu", spread: int = 1
) -> None:
    """One leg, or what is missing of it. ``puzzles``: only so many to search and to measure on, for a trial.
    ``spread``: processes that draw samples and make shards, which are the same for any number of them.
    """
    folder, arm = leg.folder(out), ARMS[leg.arm]
    folder.mkdir(parents=True, exist_ok=True)
    start = leg.before.folder(out) / "weights.safetensors" if leg.before else novice(out)
    if arm.teacher and not (folder / "harvest.json").exists():
        with Spread(start, spread) as lm:
            harvest(leg, lm, out, puzzles)
    weights = folder / "weights.safetensors"
    if not weights.exists():
        learn(leg, start, folder, tokens, device, spread)
    if not (folder / "measured.json").exists():
        with Spread(weights, spread) as lm:
            write(measured(lm, GAME.problems("hard")[:puzzles]), folder / "measured.json")


def harvest(leg: Leg, lm: LM, out: Path, puzzles: int | None) -> Harvest:
    """Search, and put what was found with what earlier rounds found."""
    folder, started = leg.folder(out), time.monotonic()
    budget = 0
    if ARMS[leg.arm].teacher == "chains":
        tree = Leg(leg.round, leg.seed, "tree").folder(out)
        budget = read(tree / "harvest.json")["tokens"]
    first = SAMPLES * (100 * (leg.seed + 1) + leg.round)
    found = TEACHERS[ARMS[leg.arm].teacher](lm, training_puzzles()[:: 1 if puzzles is None else 20], first, budget)
    known = read_ways(leg.before.folder(out) / "ways.json") if leg.before else {}
    for x, ways in known.items():
        for way in ways:
            found.add(x, way)
    write_ways(found.ways, folder / "ways.json")
    seconds = round(time.monotonic() - started, 1)
    whole = {"puzzles known": len(found.ways), "ways known": sum(map(len, found.ways.values()))}
    figures = {"tokens": found.tokens, "solved": found.solved, "wrong reasons": found.wrong_reasons}
    write({**figures, **whole, "seconds": seconds}, folder / "harvest.json")
    return found


def learn(leg: Leg, start: Path, folder: Path, tokens: float, device: str, spread: int) -> None:
    """One round's training, from ``start``; it leaves the last weights as weights.safetensors."""
    from studies.training import again  # torch is needed for this only

    ways = folder / "ways.json"
    shard = partial(pupil_shard, ways=ways if ways.exists() else None, heads=tuple(ARMS[leg.arm].heads))
    seed = 100 * leg.seed + leg.round
    again(
        start,
        folder / "weights.safetensors",
        shard,
        tokens=tokens,
        rate=RATE,
        seed=seed,
        threads=1,
        device=device,
        makers=spread,
    )


def run_all(out: Path, todo: Sequence[Leg], workers: int, **how: Any) -> None:
    """These legs, several at a time, each as soon as what it needs is there. ``how``: as in ``play``."""
    todo = [leg for leg in todo if not (leg.folder(out) / "measured.json").exists()]
    total, started = len(todo), time.monotonic()
    waiting: dict[Future[None], Leg] = {}
    with processes(workers) as pool:
        while todo or waiting:
            for leg in [leg for leg in todo if ready(leg, out)][: workers - len(waiting)]:
                todo.remove(leg)
                waiting[pool.submit(partial(play, **how), leg, out)] = leg
            if not waiting:
                raise SystemExit(
                    f"{todo[0]} waits for {[n for n in todo[0].needs if not ready(n, out)]}: name that arm, too"
                )
            for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                leg = waiting.pop(done)
                done.result()
                spent, left = time.monotonic() - started, len(todo) + len(waiting)
                about = spent / (total - left) * left
                name = f"{leg.arm}, seed {leg.seed}, round {leg.round}"
                print(f"{total - left}/{total}  {name}  ({spent:.0f} s, about {about:.0f} s left)", flush=True)


def ready(leg: Leg, out: Path) -> bool:
    return all((need.folder(out) / "measured.json").exists() for need in leg.needs)


def main() -> None:
    a = options(
        __doc__,
        out=(Path("_build/teach"), "the novice is in its folder novice/"),
        arms=(",".join(ARMS), f"of: {', '.join(ARMS)}"),
        seeds=("", "other trainings than the arms' own: 3,4"),
        workers=(2, "legs at a time, each a process"),
        spread=(1, "processes of a leg that draw its samples"),
        device=("cpu", "of the trainings: cuda"),
        puzzles=(int, "search a twentieth, and measure on so many: a trial"),
        tokens=(TOKENS, "of each round's training"),
    )
    if not novice(a.out).exists():
        raise SystemExit(f"no {novice(a.out)}: train the novice first (make teach does)")
    lm = Pocket(weights=novice(a.out))
    as_before({"novice": lm.weights[:12], "puzzles": a.puzzles, "tokens": a.tokens}, a.out / MADE_WITH)
    try:
        if not (a.out / "novice" / "measured.json").exists():
            found = measured(lm, GAME.problems("hard")[: a.puzzles])
            write(found, a.out / "novice" / "measured.json")
        how = {"puzzles": a.puzzles, "tokens": a.tokens, "device": a.device, "spread": a.spread}
        seeds = [int(seed) for seed in a.seeds.split(",")] if a.seeds else None
        run_all(a.out, legs(a.arms.split(","), seeds), a.workers, **how)
    except KeyboardInterrupt:
        raise SystemExit("stopped; every finished step is kept: the same command goes on") from None


if __name__ == "__main__":
    main()
