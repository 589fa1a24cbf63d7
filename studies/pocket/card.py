"""Write the pocket model's card and its loss curve from what a training and its study left.

python -m studies.pocket.card                              the published model's card, book/pocket_card.md
python -m studies.pocket.card --run _build/pocket          that run's card, beside its weights; nothing else changes
python -m studies.pocket.card --publish _build/pocket      that run becomes the published model
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies.figures import read
from studies.options import options
from studies.pocket import data
from studies.pocket.data import LARGEST, MIX, held_out, puzzles, wide
from tools.written import template
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
    settings, rows, causes = json.loads(weights.metadata["settings"]), study["rows"], study["causes"]["ToT b=5"]
    points = [lines[min(len(lines) - 1, len(lines) * i // 8)] for i in range(9)]
    more = {n: rows[f"ToT b=5, {n} propose replies"]["rate"] for n in (2, 3, 5)}
    by_size = study["legal lines by numbers left"].items()
    made = {
        "published": published,
        "parameters": parameters(weights),
        "size": files.weights.stat().st_size / 1e6,
        "weights": weights,
        "layers": len(weights.layers),
        "vocabulary": len(VOCABULARY),
        "origin": origin(weights, added),
        "mix": table(["kind of sequence", "share"], [[name, f"{share:.0%}"] for name, share in MIX.items()]),
        "data": data,
        "overlap": overlap(settings["seed"]),
        "last": lines[-1],
        "settings": settings,
        "curve": files.curve.relative_to(files.card.parent).as_posix(),
        "losses": [[f"{p['tokens'] / 1e6:.1f}", str(p["step"]), str(p["loss"])] for p in points],
        "rates": [[name, rate(row["rate"]), f"{row['generated tokens']:,.0f}"] for name, row in rows.items()],
        "aims": {"solved": (AIM, rows["ToT b=5"]["rate"]), "legal": (LEGAL, study["legal lines"])},
        "more": more,
        "enough": [n for n, found in more.items() if found[0] >= AIM],
        "causes": [[cause, str(n)] for cause, n in sorted(causes.items(), key=lambda c: -c[1])],
        "lost": sum(causes.values()),
        "legal": [
            [size, rate(found), f"{MIX[f'steps {size}'] + MIX[f'lean {size}']:.0%}"] for size, found in by_size if found
        ],
        "tried": (HERE / "TRIED.md").read_text(encoding="utf-8").strip(),
        "again": again(study, read(AGAIN)) if published and AGAIN.exists() else None,
    }
    return template(HERE / "card.md.jinja").render(made, study=study, rate=rate, table=table) + "\n"


def again(study: Line, second: Line) -> Line:
    """Does a training from nothing, by the same command, land where the published weights are?"""
    compared = []
    for name, row in study["rows"].items():
        other, (_, low, high) = second["rows"][name]["rate"], row["rate"]
        compared.append([name, rate(row["rate"]), rate(other), "yes" if low <= other[0] <= high else "no"])
    ps = [paired(solved, second["solved"][name]).p for name, solved in study["solved"].items()]
    return {"study": second, "rows": compared, "inside": sum(row[-1] == "yes" for row in compared), "ps": ps}


def publish(run: Files) -> None:
    """Copy a run's weights, log, early checkpoint and study over the published ones."""
    for name in ("weights", "log", "early", "study"):
        shutil.copy(getattr(run, name), getattr(PUBLISHED, name))


def main() -> None:
    run, publish = "a folder of `make pocket`: write its card there", "such a folder: make it the published model"
    a = options(__doc__, run=(Path, run), publish=(Path, publish))
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
