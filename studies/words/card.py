"""Write the worded pocket model's card and its loss curve from what a training and its measurement left.

python -m studies.words.card                              the published model's card, book/pocket_words_card.md
python -m studies.words.card --publish _build/words       that run (trained and measured) becomes the published model
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from studies.figures import read
from studies.pocket.card import draw, parameters, rate, steps, table
from studies.words import judging
from studies.words.data import AFTER, AGAIN, BEFORE, CONTEXT
from studies.words.problems import N
from treebook.players.model import load
from treebook.players.worded import FILES
from treebook.players.worded.vocabulary import VOCABULARY

HERE = Path("studies/words")
CARD, CURVE = Path("book/pocket_words_card.md"), Path("book/_static/pocket_words_loss.svg")
MEASURED, LOGS = Path("studies/results/words.json"), (HERE / "training.jsonl", HERE / "training_again.jsonl")
LEFT = {  # in a run's folder -> where it is published
    "again/weights.safetensors": FILES["large"],
    "early.safetensors": FILES["small"],
    "log.jsonl": LOGS[0],
    "again/log.jsonl": LOGS[1],
    "measured.json": MEASURED,
}
AIM_SPEED, AIM_SIZE = 5_000, 4.0  # tokens a second, MB
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
ALT = (
    "The training loss of both rounds. It falls steeply over the first tenth and slowly after that, with a step where"
    " judgements and where the second round begin."
)

Line = dict[str, Any]


def publish(run: Path) -> None:
    """Copy a run's weights, logs and measurement over the published ones."""
    for name, to in LEFT.items():
        shutil.copy(run / name, to)


def logs() -> list[list[Line]]:
    """The lines of both rounds."""
    return [steps(file.read_text(encoding="utf-8")) for file in LOGS]


def card() -> str:
    """The text of the card. Raises ValueError if other weights were measured."""
    measured = read(MEASURED)
    weights = {size: load(file) for size, file in FILES.items()}
    for size, found in weights.items():
        if measured[size]["weights"] != found.sha256:
            raise ValueError(f"{MEASURED} is not of {FILES[size]}: run python -m studies.words.measure again")
    large, (one, two) = weights["large"], logs()
    mix = table(
        ["kind of sequence", "before there are judgements", "rest of the first round", "second round"],
        [[k, *(f"{of.get(k, 0):.0%}" for of in (BEFORE, AFTER, AGAIN))] for k in AGAIN],
    )
    return (
        (HERE / "card.md")
        .read_text(encoding="utf-8")
        .format(
            parameters=parameters(large),
            large=large,
            layers=len(large.layers),
            vocabulary=len(VOCABULARY),
            sha256={size: found.sha256[:16] for size, found in weights.items()},
            early=int(weights["small"].metadata["tokens"]) / 1e6,
            megabytes=sum(file.stat().st_size for file in FILES.values()) / 1e6,
            mix=mix,
            judging=judging,
            n=N,
            shared=table(["shared with 30,000 draws of training problems", ""], overlaps(measured["overlap"])),
            million=[lines[-1]["tokens"] / 1e6 for lines in (one, two)],
            batch=json.loads(large.metadata["settings"])["batch"],
            context=CONTEXT,
            minutes=(one[-1]["seconds"] + two[-1]["seconds"]) / 60,
            alt=ALT,
            measured_on=measured["large"]["n"],
            date=measured["date"],
            mixed=[measured[size]["logic: problems with both"] for size in FILES],
            rates=table(["", "large", "small"], [[n, *(rate(measured[s][n]) for s in FILES)] for n in ROWS]),
            aim_speed=AIM_SPEED,
            aim_size=AIM_SIZE,
            speed=measured["large"]["tokens a second"],
            tried=(HERE / "TRIED.md").read_text(encoding="utf-8").strip(),
        )
    )


def overlaps(found: dict[str, float]) -> list[list[str]]:
    return [[what, f"{share:.1%}"] for what, share in found.items()]


def curve() -> list[Line]:
    """Both rounds in a row."""
    one, two = logs()
    return [*one, *({**line, "tokens": line["tokens"] + one[-1]["tokens"]} for line in two)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--publish", type=Path, help="a folder of `make pocket-words`: make it the published model")
    a = parser.parse_args()
    if a.publish:
        publish(a.publish)
        print(f"published {a.publish}. {HERE / 'TRIED.md'} is of the weights before: read it again.")
    CARD.write_text(card(), encoding="utf-8")
    draw(curve(), CURVE)
    print(f"wrote {CARD} and {CURVE}")


if __name__ == "__main__":
    main()
