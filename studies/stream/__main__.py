"""Chapter 19's stream model, from the pocket model to the results file: verdicts, training, rounds, measures.

    python -m studies.stream [--out FOLDER] [--results FILE] [--puzzles N] [--publish]

(``studies.stream.judging``, ``train`` and ``chains`` come before; ``make stream`` runs all of them.) Resumable: what
was made is kept.
"""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import Any

from studies.figures import Figures, as_before, read, write
from studies.options import options
from studies.pocket.card import steps
from studies.stream.chains import control
from studies.stream.data import CONTEXT, LONGEST
from studies.stream.improving import ARMS, EACH, RATE, TOKENS, place, play
from studies.stream.judging import SAMPLES, Known, read_known
from studies.stream.measures import compared, measured, practised
from studies.stream.recording import STREAM, stream_model
from studies.trials import GAME
from treebook.players import Pocket

RESULTS = Path(__file__).resolve().parent.parent / "results" / "stream.json"


def models(out: Path) -> dict[str, Path]:
    """Every player by its name, those that are there."""
    rounds = {f"{arm} {n}": place(out, arm, n) for arm, most in ARMS.items() for n in range(1, most + 1)}
    found = {"stream": place(out, "", 0)} | rounds
    return {name: folder for name, folder in found.items() if (folder / "weights.safetensors").exists()}


def figures(out: Path, known: Known) -> Figures:
    log = steps((place(out, "", 0) / "log.jsonl").read_text("utf-8"))
    found = models(out)
    return {
        "date": str(date.today()),
        "weights": {name: stream_model(f / "weights.safetensors").weights[:12] for name, f in found.items()},
        "training": {
            "tokens": log[-1]["tokens"],
            "seconds": round(log[-1]["seconds"]),
            "loss": [[line["tokens"], line["loss"]] for line in log[:: max(1, len(log) // 40)]],
            "longest": LONGEST,
            "context": CONTEXT,
            "verdicts": SAMPLES,
            "round": {"tokens": TOKENS, "rate": RATE, "streams": EACH},
        },
        "pocket": read(out / "compared.json"),
        "control": control(out),
        "practised": practised(known),
        "harvests": {name: read(f / "harvest.json") for name, f in found.items() if (f / "harvest.json").exists()},
        "measured": {name: read(f / "measured.json") for name, f in found.items() if (f / "measured.json").exists()},
    }


def main() -> None:
    few, publish = (int, "only so many: a trial"), (False, "put the model beside this program, too")
    a = options(__doc__, out=Path("_build/stream"), results=RESULTS, puzzles=few, publish=publish)
    if not (place(a.out, "", 0) / "weights.safetensors").exists():
        raise SystemExit(f"{a.out} has no trained stream model: make stream does all of it, or studies.stream.train")
    lms = {"pocket": Pocket(), "stream": stream_model(place(a.out, "", 0) / "weights.safetensors")}
    made = {name: lm.weights[:12] for name, lm in lms.items()} | {"puzzles": a.puzzles}
    as_before(made, a.out / "made_with.json")
    problems, known = GAME.problems("hard")[: a.puzzles], read_known(a.out)
    try:
        if not (a.out / "compared.json").exists():
            write(compared(lms["pocket"], problems), a.out / "compared.json")
        measure(a.out, problems, known.sure)
        for arm, rounds in ARMS.items():
            for number in range(1, rounds + 1):
                play(arm, number, a.out, known, a.puzzles)
                measure(a.out, problems, known.sure)
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was made is kept: the same command goes on") from None
    if a.puzzles is None or a.results != RESULTS:  # a trial is none of the book's figures
        write(figures(a.out, known), a.results)
    if a.publish:
        shutil.copyfile(place(a.out, "", 0) / "weights.safetensors", STREAM)
        print(f"wrote {STREAM.name} beside this program")


def measure(out: Path, problems: Any, sure: Any) -> None:
    for name, folder in models(out).items():
        if not (folder / "measured.json").exists():
            print(f"measuring {name}", flush=True)
            write(measured(stream_model(folder / "weights.safetensors"), problems, sure), folder / "measured.json")


if __name__ == "__main__":
    main()
