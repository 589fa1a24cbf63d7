"""Write the worded pocket model's card and its loss curve from what a training and its measurement left.

python -m studies.words.card                              the published model's card, book/pocket_words_card.md
python -m studies.words.card --publish _build/words       that run (trained and measured) becomes the published model
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studies.figures import read
from studies.options import options
from studies.pocket.card import draw, parameters, rate, steps, table
from studies.words import judging
from studies.words.data import AFTER, AGAIN, BEFORE, CONTEXT
from studies.words.problems import N
from tools.written import template
from treebook.players.model import Weights, load
from treebook.players.worded import FILES
from treebook.players.worded.vocabulary import VOCABULARY

HERE = Path("studies/words")
CARD, CURVE = Path("book/pocket_words_card.md"), Path("book/_static/pocket_words_loss.svg")
MEASURED, LOGS = Path("studies/results/words.json"), (HERE / "training.jsonl", HERE / "training_again.jsonl")
PLAYERS = {"large": "again/weights.safetensors", "small": "early.safetensors"}
LEFT = {  # in a run's folder -> where it is published
    **{name: FILES[size] for size, name in PLAYERS.items()},
    "log.jsonl": LOGS[0],
    "again/log.jsonl": LOGS[1],
    "measured.json": MEASURED,
}
ROWS = (
    "chain",
    "vote of chains",
    "plan carried out",
    "plan is right",
    "any plan of six is right",
    "right plans carried out right",
    "logic: right plan ahead",
    "feasibility: right plan ahead",
    "readable chains",
    "plans that can be carried out",
)
Line = dict[str, Any]


def measured_of(measured: Path, files: Mapping[str, Path]) -> tuple[Line, dict[str, Weights]]:
    """The measurement, and the weights that it is of. Raises ValueError if other weights were measured."""
    found, weights = read(measured), {size: load(file) for size, file in files.items()}
    for size, one in weights.items():
        if found[size]["weights"] != one.sha256:
            raise ValueError(f"{measured} is not of {files[size]}: run python -m studies.words.measure again")
    return found, weights


def publish(run: Path) -> None:
    """Copy a run's weights, logs and measurement over the published ones. Raises OSError or ValueError before anything
    is copied, if something is missing or does not belong together.
    """
    measured_of(run / "measured.json", {size: run / name for size, name in PLAYERS.items()})
    for name in LEFT:
        (run / name).stat()
    for name, to in LEFT.items():
        shutil.copy(run / name, to)


def logs() -> list[list[Line]]:
    """The lines of both rounds."""
    return [steps(file.read_text(encoding="utf-8")) for file in LOGS]


def card() -> str:
    """The text of the card. Raises ValueError if other weights were measured."""
    measured, weights = measured_of(MEASURED, FILES)
    one, two = logs()
    shares = [[kind, *(f"{of.get(kind, 0):.0%}" for of in (BEFORE, AFTER, AGAIN))] for kind in AGAIN]
    made = {
        "weights": weights,
        "parameters": parameters(weights["large"]),
        "vocabulary": len(VOCABULARY),
        "megabytes": sum(file.stat().st_size for file in FILES.values()) / 1e6,
        "mix": shares,
        "judging": judging,
        "n": N,
        "logs": (one[-1], two[-1]),
        "settings": json.loads(weights["large"].metadata["settings"]),
        "context": CONTEXT,
        "measured": measured,
        "rates": [[name, *(rate(measured[size][name]) for size in FILES)] for name in ROWS],
        "tried": (HERE / "TRIED.md").read_text(encoding="utf-8").strip(),
    }
    return template(HERE / "card.md.jinja").render(made, table=table) + "\n"


def curve() -> list[Line]:
    """Both rounds in a row."""
    one, two = logs()
    return [*one, *({**line, "tokens": line["tokens"] + one[-1]["tokens"]} for line in two)]


def main() -> None:
    a = options(__doc__, publish=(Path, "a folder of `make pocket-words`: make it the published model"))
    if a.publish:
        publish(a.publish)
        print(f"published {a.publish}. {HERE / 'TRIED.md'} is of the weights before: read it again.")
    CARD.write_text(card(), encoding="utf-8")
    draw(curve(), CURVE)
    print(f"wrote {CARD} and {CURVE}")


if __name__ == "__main__":
    main()
