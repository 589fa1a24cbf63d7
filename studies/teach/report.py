"""All legs of the rounds in one file, which chapter 18 reads. Nothing is left out, whichever way it went.

python -m studies.teach.report [--out FOLDER] [--results FILE] [--publish]
"""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

from studies.figures import Figures, read, write
from studies.options import options
from studies.teach.rounds import ARMS, MADE_WITH, MORE, RATE, TOKENS, Leg, legs, novice
from treebook.players import Pocket

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "teach.json"
PUPIL = Leg(ARMS["tree"].rounds, 0, "tree")  # whose weights are published beside the novice's


def figures(out: Path) -> Figures:
    """Every finished leg, with its search and its measures; the ways themselves are left out. Raises FileNotFoundError
    without the novice's measures.
    """
    found = [leg for leg in legs() if (leg.folder(out) / "measured.json").exists()]
    made = read(out / MADE_WITH) if (out / MADE_WITH).exists() else {}
    return {
        "date": str(date.today()),
        "weights": {name: Pocket(weights=file).weights[:12] for name, file in players(out).items()},
        "training": {"tokens a round": made.get("tokens", TOKENS), "rate": RATE},
        "arms": {name: vars(arm) for name, arm in ARMS.items()},
        "novice": read(novice(out).with_name("measured.json")),
        "legs": [line(leg, out) for leg in found],
        "more trainings": more(out),
        "missing": len(legs()) - len(found),
    }


def more(out: Path) -> list[Figures]:
    """What is finished of further trainings of the two teachers' pupils: for the claim about teachers, and no other."""
    found = [leg for leg in legs(("tree", "chains"), MORE) if (leg.folder(out) / "measured.json").exists()]
    return [line(leg, out) for leg in found]


def players(out: Path) -> dict[str, Path]:
    """The weights that chapter 18 plays with, as far as they are there."""
    files = {"novice": novice(out), "pupil": PUPIL.folder(out) / "weights.safetensors"}
    return {name: file for name, file in files.items() if file.exists()}


def line(leg: Leg, out: Path) -> Figures:
    folder = leg.folder(out)
    searched = read(folder / "harvest.json") if (folder / "harvest.json").exists() else None
    return {
        "arm": leg.arm,
        "seed": leg.seed,
        "round": leg.round,
        "search": searched,
        "measured": read(folder / "measured.json"),
    }


def main() -> None:
    publish = (False, "put the novice and the pupil beside this program, too")
    a = options(__doc__, out=(Path("_build/teach"), "where the rounds were played"), results=RESULTS, publish=publish)
    if not (novice(a.out).parent / "measured.json").exists():
        raise SystemExit(f"{a.out} has no measured novice: play the rounds first (make teach does)")
    if a.publish and "pupil" not in players(a.out):
        raise SystemExit(f"{a.out} has no pupil yet: play the rounds to their end first (make teach does)")
    found = figures(a.out)
    print(f"{len(found['legs'])} legs, {found['missing']} still to play")
    write(found, a.results)
    if a.publish:
        for name, file in players(a.out).items():
            shutil.copyfile(file, HERE / f"{name}.safetensors")
            print(f"wrote {HERE / name}.safetensors")
    print(NEXT.format(out=a.out) if a.results != RESULTS else AFTERWARDS)


NEXT = "To have chapter 18 show these: python -m studies.teach.report --out {out} --publish"
AFTERWARDS = """Next, where the weights are new, record what the chapter replays, and then build it:
  rm notebooks/cassettes/18_*.jsonl
  python studies/record.py --chapter 18_novice --model pocket --weights studies/teach/novice.safetensors
  python studies/record.py --chapter 18_pupil --model pocket --weights studies/teach/pupil.safetensors
  make notebooks ONLY=18_"""

if __name__ == "__main__":
    main()
