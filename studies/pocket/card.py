"""Write the pocket model's card and its loss curve from what a training and its study left.

python -m studies.pocket.card                              the published model's card, book/pocket_card.md
python -m studies.pocket.card --run _build/pocket          that run's card, beside its weights; nothing else changes
python -m studies.pocket.card --publish _build/pocket      that run becomes the published model
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies.figures import read
from studies.pocket import data
from studies.pocket.data import LARGEST, MIX, held_out, puzzles, wide
from tot.stats import paired
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import Numbers, moves
from treebook.figures.plain_svg import plain_svg
from treebook.figures.plots import COLOURS, SETTINGS, new_figure, tidy_up
from treebook.players.model import Weights, load
from treebook.players.tokens import VOCABULARY

HERE, BOOK = Path("studies/pocket"), Path("book")
AGAIN = Path("studies/results/game24_pocket_again.json")  # the study of a second training, beside the published one
AIM, LEGAL = 0.74, 0.95  # GPT-4 in the paper with b = 5; legal among the proposed lines

Line = dict[str, Any]


@dataclass(frozen=True)
class Files:
    """What a training and its study leave, and the card and the loss curve that are made of it."""

    weights: Path
    log: Path
    early: Path
    study: Path
    card: Path
    curve: Path


PUBLISHED = Files(
    Path("treebook/players/weights.safetensors"),
    HERE / "training.jsonl",
    HERE / "early.safetensors",
    Path("studies/results/game24_pocket.json"),
    BOOK / "pocket_card.md",
    BOOK / "_static/pocket_loss.svg",
)


def of_run(folder: Path) -> Files:
    """Where ``make pocket`` leaves them."""
    names = ("weights.safetensors", "log.jsonl", "early.safetensors", "game24.json", "card.md", "loss.svg")
    return Files(*(folder / name for name in names))


def below(roots: list[Numbers]) -> dict[int, set[Numbers]]:
    """All states with three and with two numbers that legal steps reach from these puzzles."""
    three = {step.left for root in roots for step in moves(root)}
    return {3: three, 2: {step.left for state in three for step in moves(state)}}


def small(state: Numbers) -> bool:
    """Could the state be drawn by ``Maker.anywhere``?"""
    whole = all(n.denominator == 1 and 1 <= n <= LARGEST for n in state)
    return whole and all(n <= 13 for n in sorted(state)[:-1])


def overlap(seed: int) -> str:
    """Held-out puzzles share their smaller states with others, and with the smaller game: how many of them?"""
    held, trained = below([numbers_of(x) for x in held_out()]), below(puzzles() + wide(seed))
    parts = []
    for size in (3, 2):
        shared = sum(state in trained[size] or small(state) for state in held[size])
        parts.append(f"{shared:,} of {len(held[size]):,} states with {size} numbers ({shared / len(held[size]):.0%})")
    return " and ".join(parts)


def draw(lines: list[Line], curve: Path) -> None:
    """The loss over the tokens seen, smoothed over five log lines."""
    import matplotlib as mpl

    with mpl.rc_context(dict(SETTINGS)):
        figure = new_figure(6.4, 3)
        axes = figure.add_subplot()
        smooth = [sum(line["loss"] for line in lines[i : i + 5]) / 5 for i in range(len(lines) - 4)]
        axes.plot([line["tokens"] / 1e6 for line in lines[4:]], smooth, color=COLOURS[0])
        axes.set(xlabel="million tokens seen", ylabel="loss (nats a token)", ylim=(0, min(2.0, max(smooth))))
        tidy_up(axes, "y")
        curve.write_text(plain_svg(figure) + "\n", encoding="utf-8")


def rate(numbers: list[float]) -> str:
    estimate, low, high = (f"{100 * x:.1f}" for x in numbers)
    return f"{estimate}% [{low}, {high}]"


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def steps(log: str) -> list[Line]:
    """The lines of a training's log. What a resumed training did a second time counts once."""
    lines = [json.loads(line) for line in log.splitlines()]
    return [line for i, line in enumerate(lines) if all(line["step"] < after["step"] for after in lines[i + 1 :])]


def origin(weights: Weights, added: str) -> str:
    """Which commit trained the weights, if they say so; else which one ``added`` them."""
    if commit := weights.metadata.get("commit"):
        return f"trained by commit `{commit}`"
    return f"added by commit `{added}` (they do not say which commit trained them; later ones do)"


def parameters(weights: Weights) -> int:
    sizes = [weights.embed.size, weights.position.size, weights.norm.size]
    return sum(sizes + [getattr(layer, name).size for layer in weights.layers for name in layer.__dataclass_fields__])


def card(files: Files, added: str = "") -> str:
    """The text of the card. Raises ValueError if the study is of other weights."""
    weights, study = load(files.weights), read(files.study)
    if study.get("weights") != weights.sha256:
        raise ValueError(f"{files.study} is not a study of {files.weights}: run the study again")
    lines, published = steps(files.log.read_text(encoding="utf-8")), files == PUBLISHED
    settings = json.loads(weights.metadata["settings"])
    last, size = lines[-1], files.weights.stat().st_size / 1e6
    mix = table(["kind of sequence", "share"], [[name, f"{share:.0%}"] for name, share in MIX.items()])
    points = [lines[min(len(lines) - 1, len(lines) * i // 8)] for i in range(9)]
    losses = table(
        ["million tokens", "step", "loss"],
        [[f"{p['tokens'] / 1e6:.1f}", str(p["step"]), str(p["loss"])] for p in points],
    )
    rates = table(
        ["method", "success", "generated tokens a puzzle"],
        [[name, rate(row["rate"]), f"{row['generated tokens']:,.0f}"] for name, row in study["rows"].items()],
    )
    place, chapter, more, minutes = "This is the card of one training, written by `make pocket`.", "", "", ""
    if published:
        place = """It comes with the package, and is what a
changed knob in this book runs on. This page is written by `make pocket-card`; do not edit it by hand."""
        chapter = "; see\n  [Inside the model](../notebooks/forward_pass.ipynb)"
        minutes = " on two cores that were also in other use"
        more = (HERE / "TRIED.md").read_text(encoding="utf-8").strip() + "\n\n"
        if AGAIN.exists():
            second = again(study, read(AGAIN))
            more += f"## Trained a second time\n\n{second}\n\n"
    return (
        (HERE / "card.md")
        .read_text(encoding="utf-8")
        .format(
            parameters=parameters(weights),
            size=size,
            place=place,
            weights=weights,
            layers=len(weights.layers),
            vocabulary=len(VOCABULARY),
            chapter=chapter,
            sha256=weights.sha256[:16],
            origin=origin(weights, added),
            mix=mix,
            data=data,
            overlap=overlap(settings["seed"]),
            million=last["tokens"] / 1e6,
            last=last,
            settings=settings,
            spent=last["seconds"] / 60,
            minutes=minutes,
            curve=files.curve.relative_to(files.card.parent).as_posix(),
            losses=losses,
            study=study,
            rates=rates,
            aims=aims(study),
            more=more,
            limits=limits(study),
        )
    )


def again(study: Line, second: Line) -> str:
    """Does a training from nothing, by the same command, land where the published weights are?"""
    rows, inside = [], 0
    for name, row in study["rows"].items():
        other = second["rows"][name]["rate"]
        _, low, high = row["rate"]
        inside += (fits := low <= other[0] <= high)
        rows.append([name, rate(row["rate"]), rate(other), "yes" if fits else "no"])
    compared = table(["method", "published", "second training", "within the published interval"], rows)
    tests = [paired(solved, second["solved"][name]).p for name, solved in study["solved"].items()]
    return f"""`make pocket` was run again from nothing, with today's data throughout (the published weights saw an
earlier mix in their first third). The second model proposes {rate(second["legal lines"])} legal lines. On the same
{second["n"]} puzzles ({second["date"]}), {inside} of {len(rows)} rates lie within the intervals above. Puzzle
by puzzle, the smallest p of {len(tests)} exact tests is {min(tests):.2f}:

{compared}"""


def aims(study: Line) -> str:
    """What was aimed at, what came out, and what it takes to get there."""
    one, legal, rows = study["rows"]["ToT b=5"]["rate"], study["legal lines"], study["rows"]
    more = {n: rows[f"ToT b=5, {n} propose replies"]["rate"] for n in (2, 3, 5)}
    enough = [n for n, found in more.items() if found[0] >= AIM]
    met = f"from {enough[0]} on the first aim is met" if enough else "the first aim is missed there, too"
    verdict = "met" if one[0] >= AIM else "missed", "met" if legal[0] >= LEGAL else "missed"
    others = ", ".join(f"{rate(found)} (with {n})" for n, found in more.items())
    return f"""Aimed at: ToT with b = 5 solves {AIM:.0%} (the paper's GPT-4), and {LEGAL:.0%} of the lines that
it proposes are legal steps.

Got, with one propose reply for each state, as in the paper: {rate(one)} solved ({verdict[0]}),
{rate(legal)} legal ({verdict[1]}). With more propose replies for each state it solves
{others}: {met}."""


def limits(study: Line) -> str:
    """Why searches fail, from the study's own figures."""
    causes = study["causes"]["ToT b=5"]
    table_ = table(
        ["lost at", "searches"], [[cause, str(n)] for cause, n in sorted(causes.items(), key=lambda c: -c[1])]
    )
    legal = table(
        ["numbers left", "legal lines", "share of the training data"],
        [
            [size, rate(found), f"{MIX[f'steps {size}'] + MIX[f'lean {size}']:.0%}"]
            for size, found in study["legal lines by numbers left"].items()
            if found
        ],
    )
    asked = study["rows"]["ToT b=5, the model writes the answer"]["rate"]
    return f"""ToT with b = 5 and one propose reply lost {sum(causes.values())} of {study["n"]} puzzles:

{table_}

Legal among the proposed lines, by how many numbers were left (each request counts once):

{legal}

Writing three steps down as one expression is weak ({MIX["answer"]:.0%} of the training data): where the model writes
the answer, it solves {rate(asked)}."""


def publish(run: Files) -> None:
    """Copy a run's weights, log, early checkpoint and study over the published ones."""
    for name in ("weights", "log", "early", "study"):
        shutil.copy(getattr(run, name), getattr(PUBLISHED, name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--run", type=Path, help="a folder of `make pocket`: write its card there")
    which.add_argument("--publish", type=Path, help="a folder of `make pocket`: make it the published model")
    a = parser.parse_args()
    files = of_run(a.run) if a.run else PUBLISHED
    if a.publish:
        card(of_run(a.publish))  # nothing is copied that does not belong together
        publish(of_run(a.publish))
        print(f"published {a.publish}. {HERE / 'TRIED.md'} and {AGAIN} are of the weights before: read them again.")
    command = ["git", "log", "-1", "--format=%h", "--", str(files.weights)]
    added = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    files.card.write_text(card(files, added), encoding="utf-8")
    draw(steps(files.log.read_text(encoding="utf-8")), files.curve)
    print(f"wrote {files.card} and {files.curve}")


if __name__ == "__main__":
    main()
