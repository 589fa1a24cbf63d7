"""Play every cast, measure every judge; goes on where it stopped. See the package's own text.

    python -m studies.plans_pay [--problems 240] [--only tree] [--judges FOLDER]

Each finished cast is a line in _build/plans_pay/lines.jsonl. The judges between the small and the large checkpoint are
those that the training left in FOLDER.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from studies.as_json import as_json
from studies.plans_pay import power
from studies.plans_pay.casts import Cast, casts
from studies.plans_pay.judges import Ends, programs
from studies.plans_pay.measures import spent
from studies.plans_pay.play import Line, play
from studies.plans_pay.recorded import recorded
from studies.plans_pay.tables import figures
from studies.plans_pay.world import TASK, checkpoints
from studies.words.problems import N, problems
from tot.jsonlines import Appender, read_lines
from tot.lm.base import LM, LMError
from tot.tasks.base import Problem

LINES = Path("_build/plans_pay/lines.jsonl")
RESULTS = Path("studies/results/plans_pay.json")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=N, help="how many of the held-out problems")
    parser.add_argument("--only", default="", help="play only casts whose key has this in it, and write no figures")
    parser.add_argument("--judges", type=Path, help="a folder with unfinished checkpoints: judges between S and L")
    parser.add_argument("--lines", type=Path, default=LINES, help="where finished casts go")
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args(arguments)
    guest = recorded()
    for said in power.report(a.problems, guest["judges"]["both"]["spread"]):
        print(said, flush=True)
    try:
        found = checkpoints(a.judges)
    except LMError as error:
        raise SystemExit(f"{error}; make pocket-words trains the players, copy them there") from None
    weights = {name: lm.weights[:12] for name, lm in found.items()}
    lines = [line for _, line in read_lines(a.lines)] if a.lines.exists() else []
    refuse_others(lines, weights, a.problems, a.lines)
    chosen = problems()[: a.problems]
    players = found | programs(Ends(TASK, found["L"], chosen))
    between = [name for name in found if name not in ("L", "S")]
    todo = [cast for cast in casts(between) if cast.key not in {line["cast"] for line in lines} and a.only in cast.key]
    print(f"{len(lines)} casts are there, {len(todo)} to play", flush=True)
    try:
        lines += run_all(todo, players, chosen, weights, a.lines)
    except KeyboardInterrupt:
        raise SystemExit("stopped; every finished cast is kept: the same command goes on") from None
    if not a.only:
        about = {"n": len(chosen), "date": time.strftime("%Y-%m-%d"), "weights": weights}
        about["tokens written"] = round(sum(sum(spent(line)) for line in lines))
        about["seconds"] = round(sum(line["seconds"] for line in lines))
        shows = list(power.report(len(chosen), guest["judges"]["both"]["spread"]))
        write({**about, "power": shows, "recorded": guest, **figures(lines, between)}, a.out)


def refuse_others(lines: Sequence[Line], weights: Mapping[str, str], n: int, file: Path) -> None:
    """Raises SystemExit if lines were played by other weights or on another number of problems."""
    for line in lines:
        if any(weights.get(name, sha) != sha for name, sha in line["weights"].items()):
            raise SystemExit(f"{file} was played by other weights: name another file (--lines) or remove it")
        if len(line["solved"]) != n:
            raise SystemExit(f"{file} has {len(line['solved'])} problems, not {n}: name another file (--lines)")


def run_all(
    todo: Sequence[Cast],
    players: Mapping[str, LM],
    chosen: Sequence[Problem],
    weights: Mapping[str, str],
    file: Path,
) -> list[Line]:
    """Play ``todo``; each line is written as soon as it is there."""
    lines, started = [], time.monotonic()
    with Appender(file) as out:
        for i, cast in enumerate(todo, 1):
            began = time.monotonic()
            line = play(cast, players, TASK, chosen)
            line["weights"] = {who: weights[who] for who in cast.seats.values() if who in weights}
            line["seconds"] = round(time.monotonic() - began, 1)
            out.write(line)
            lines.append(line)
            spent_so_far = time.monotonic() - started
            print(
                f"{i}/{len(todo)}  {cast.key}: {fmean(line['solved']):.0%} solved ({spent_so_far:.0f} s, about"
                f" {spent_so_far / i * (len(todo) - i):.0f} s left)",
                flush=True,
            )
    return lines


def write(found: dict[str, Any], out: Path) -> None:
    out.write_text(as_json(rounded(found)) + "\n", encoding="utf-8")
    print(f"wrote {out}")


def rounded(found: Any) -> Any:
    """Numbers to six digits behind the point."""
    if isinstance(found, float):
        return round(found, 6)
    if isinstance(found, Mapping):
        return {key: rounded(value) for key, value in found.items()}
    return [rounded(value) for value in found] if isinstance(found, list | tuple) else found


if __name__ == "__main__":
    main()
