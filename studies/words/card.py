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

from studies.pocket.card import draw, rate, steps, table
from studies.words.data import AFTER, AGAIN, BEFORE, CONTEXT
from studies.words.judging import AGAIN_PROBLEMS, FROM, PROBLEMS
from studies.words.problems import N
from treebook.players.model import Weights, load
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
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    weights = {size: load(file) for size, file in FILES.items()}
    for size, found in weights.items():
        if measured[size]["weights"] != found.sha256:
            raise ValueError(f"{MEASURED} is not of {FILES[size]}: run python -m studies.words.measure again")
    large, (one, two) = weights["large"], logs()
    megabytes = sum(file.stat().st_size for file in FILES.values()) / 1e6
    mix = table(
        ["kind of sequence", "before there are judgements", "rest of the first round", "second round"],
        [[k, *(f"{of.get(k, 0):.0%}" for of in (BEFORE, AFTER, AGAIN))] for k in AGAIN],
    )
    rates = table(["", "large", "small"], [[n, *(rate(measured[s][n]) for s in FILES)] for n in ROWS])
    shared = table(["shared with 30,000 draws of training problems", ""], overlaps(measured["overlap"]))
    small, of_large, of_small = weights["small"], measured["large"], measured["small"]
    minutes = (one[-1]["seconds"] + two[-1]["seconds"]) / 60
    batch = json.loads(large.metadata["settings"])["batch"]
    mixed = "logic: problems with both"
    return f"""# The worded pocket model's card

A language model of {parameters(large):,} parameters for word problems of a small world: people who get, lose and share
things. It answers, plans, revises plans, judges them, carries them out and votes, in the prompts of the task `gsm8k`.
It is the live player of chapters 9, 14 and 15. This page is written by `make pocket-card`; do not edit it by hand.

- **Architecture**: that of the [first pocket model](pocket_card.md): width {large.embed.shape[1]},
  {len(large.layers)} layers, {large.heads} heads, context {large.context} tokens. Its vocabulary has
  {len(VOCABULARY)} whole words and numbers.
- **Two checkpoints**: large (SHA-256 `{large.sha256[:16]}...`), and small (`{small.sha256[:16]}...`), the same
  network after {int(small.metadata["tokens"]) / 1e6:.0f} million tokens; {megabytes:.1f} MB together.
- **Use**: `tot solve gsm8k "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have
  now?" --lm pocket`, `--lm pocket-words-small`, or `treebook.players.worded.worded()`. What its vocabulary cannot
  spell is politely refused.
- **Licence**: MIT, like the code. The problems are generated (`studies/words/world.py`).

## Data

A story has one or two people, an opening for each, up to three events, sometimes a line that does not matter, and a
question; it takes two to four operations. Every sequence is a prompt as the package writes it and the reply of a
careful player. A plan to be carried out is often a wrong one, since an executor does as it is told.

{mix}

**The judges' signal.** The unfinished model writes plans for {PROBLEMS:,} training problems after
{FROM:.0%} of the first round, and the finished one for {AGAIN_PROBLEMS:,} before the second. It carries each
out twice; the score that a judge learns is how often the answer was right. Both judges learn the same. In the second
round they work the problem out before they score, as "6 * 4, - 5"; that line is the training problem's own solution. A
vote learns the plan that came out right most often.

**Held out**: one template in six (which kinds of lines there are, in which order), and one list of numbers in six. The
{N} problems of the split `pocket` have both a held-out template and held-out numbers; training problems have neither.

{shared}

So whole problems are new, and what they are made of is not.

## Training

`make pocket-words`: {one[-1]["tokens"] / 1e6:.0f} million tokens, then {two[-1]["tokens"] / 1e6:.0f} million, in
batches of about {batch:,} tokens with contexts of up to {CONTEXT}; Muon for the matrices, AdamW for the rest, one seed;
{minutes:.0f} minutes on two cores that were also in other use, and about ten minutes for trying plans out.

```{{image}} _static/pocket_words_loss.svg
:alt: {ALT}
```

## Evaluation

On the {of_large["n"]} problems of the split `pocket`, six chains and six plans of each; 95% intervals;
{measured["date"]}. "Plan carried out" is the mean of six. "Plan is right" takes the plan's own result, without slips;
"right plan ahead" is how often a judge
scores a right plan of a problem above a wrong one (ties count half; a coin has 50%), on {of_large[mixed]} problems with
both for the large model, {of_small[mixed]} for the small one.

{rates}

Aimed at: {AIM_SPEED:,} tokens a second in a batch, {AIM_SIZE:.0f} MB for both files. Got:
{of_large["tokens a second"]:,.0f} on one core, and {megabytes:.1f} MB.

{(HERE / "TRIED.md").read_text(encoding="utf-8").strip()}

The decision for a second round rested on new draws of training problems, and so did everything else that was chosen.
The {N} problems had been measured once by then, with the first round's model, whose judges were coins there, too; so
they are not entirely untouched.
"""


def parameters(weights: Weights) -> int:
    sizes = [weights.embed.size, weights.position.size, weights.norm.size]
    return sum(sizes + [getattr(layer, name).size for layer in weights.layers for name in layer.__dataclass_fields__])


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
