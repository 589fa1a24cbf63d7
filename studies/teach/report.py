"""All legs of the rounds in one file, which chapter 18 reads. Nothing is left out, whichever way it went.

python -m studies.teach.report [--out FOLDER] [--results studies/results/teach.json]
"""

from __future__ import annotations

import argparse
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

from studies.teach.rounds import ARMS, RATE, TOKENS, Leg, legs, novice
from tot.lm.pocket import Pocket

RESULTS = Path("studies/results/teach.json")
Figures = dict[str, Any]


def figures(out: Path) -> Figures:
    """Every finished leg, with its search and its measures; the ways themselves are left out. Raises FileNotFoundError
    without the novice's measures.
    """
    found = [leg for leg in legs() if (leg.folder(out) / "measured.json").exists()]
    return {
        "date": str(date.today()),
        "weights": {"novice": Pocket(weights=novice(out)).weights[:12]},
        "training": {"tokens a round": TOKENS, "rate": RATE},
        "arms": {name: vars(arm) for name, arm in ARMS.items()},
        "novice": read(novice(out).parent / "measured.json"),
        "legs": [line(leg, out) for leg in found],
        "missing": len(legs()) - len(found),
    }


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


def read(file: Path) -> Figures:
    return dict(json.loads(file.read_text("utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("_build/teach"), help="where the rounds were played")
    parser.add_argument("--results", type=Path, default=RESULTS)
    a = parser.parse_args()
    found = figures(a.out)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", json.dumps(found, indent=1))
    a.results.write_text(text + "\n", encoding="utf-8")
    print(f"wrote {a.results}: {len(found['legs'])} legs, {found['missing']} still to play")


if __name__ == "__main__":
    main()
