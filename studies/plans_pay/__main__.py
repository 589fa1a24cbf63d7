"""Play every cast, measure every judge; goes on where it stopped. See the package's own text.

    python -m studies.plans_pay [--problems 240] [--only tree] [--judges FOLDER]

Each finished cast is a line in _build/plans_pay/lines.jsonl. The judges between the small and the large checkpoint are
those that the training left in FOLDER.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.figures import write
from studies.options import options
from studies.plans_pay import power
from studies.plans_pay.casts import Cast, casts
from studies.plans_pay.judges import Ends, programs
from studies.plans_pay.measures import spent
from studies.plans_pay.play import play
from studies.plans_pay.recorded import recorded
from studies.plans_pay.tables import figures
from studies.plans_pay.world import TASK, checkpoints
from studies.trials import Line, trials
from studies.words.problems import N, problems
from tot.lm.base import LMError

LINES = Path("_build/plans_pay/lines.jsonl")
RESULTS = Path("studies/results/plans_pay.json")


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(
        __doc__,
        arguments,
        problems=(N, "how many of the held-out problems"),
        only=("", "play only casts whose key has this in it, and write no figures"),
        judges=(Path, "a folder with unfinished checkpoints: judges between S and L"),
        lines=(LINES, "where finished casts go"),
        out=RESULTS,
    )
    guest = recorded()
    shows = list(power.report(a.problems, guest["judges"]["both"]["spread"]))
    print(*shows, sep="\n", flush=True)
    try:
        found = checkpoints(a.judges)
    except LMError as error:
        raise SystemExit(f"{error}; make pocket-words trains the players, copy them there") from None
    weights = {name: lm.weights[:12] for name, lm in found.items()}
    chosen = problems()[: a.problems]
    players = found | programs(Ends(TASK, found["L"], chosen))
    between = [name for name in found if name not in ("L", "S")]

    def one(cast: Cast) -> Line:
        began = time.monotonic()
        return play(cast, players, TASK, chosen) | {"seconds": round(time.monotonic() - began, 1)}

    todo = {cast.key: cast for cast in casts(between) if a.only in cast.key}
    about = {"weights": weights, "n": len(chosen)}
    lines = [*trials(todo, one, a.lines, lambda line: str(line["cast"]), same=about).values()]
    if not a.only:
        spends = {
            "tokens written": round(sum(sum(spent(line)) for line in lines)),
            "seconds": round(sum(line["seconds"] for line in lines)),
        }
        made = {"date": time.strftime("%Y-%m-%d"), **about, **spends, "power": shows, "recorded": guest}
        write(rounded({**made, **figures(lines, between)}), a.out)


def rounded(found: Any) -> Any:
    """Numbers to six digits behind the point."""
    if isinstance(found, float):
        return round(found, 6)
    if isinstance(found, Mapping):
        return {key: rounded(value) for key, value in found.items()}
    return [rounded(value) for value in found] if isinstance(found, list | tuple) else found


if __name__ == "__main__":
    main()
