"""A number from 1 to 10, or a word, as the value of a state (Tree of Thoughts, section 3): Game of 24, pocket model.

    python -m studies.pocket.scalar && python -m studies.scalar     # goes on; writes results/scalar.json

Fixed before anything was played
--------------------------------
- *Players.* The published pocket model proposes. It refuses to give a number, so a copy of it that practised to do so
  judges (``studies.pocket.scalar``), by one of two questions: in words (sure, likely, impossible: 20, 1 and 0.001 as in
  the authors' code), or by a number from 1 to 10. Beside them: the same words at 10, 5 and 1, which tells the scale
  from the question; and the published model's words, which tell what the practice did.
- *Equal n.* Three samples of each state, their values added up; the same proposals, puzzles and sample numbers.
- *Searches.* One state kept with three replies a state, and five states with one: two questions, Holm over both.
- *Puzzles.* The hundred of `hard` and the hundred fresh ones of ``studies.held_out``: 200 pairs, exact tests.
- *Power.* ``power``: what 200 pairs show four times in five.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.figures import Figures, compared, holm, mean, share, write
from studies.held_out import fresh
from studies.options import options
from studies.plans_pay.power import least_gap
from studies.pocket.scalar import InWords, Rated, template
from studies.search_pays.measure import mean_auc, pool, sides_of, values_of
from studies.trials import GAME, Line, Remembering, play, solved, trials, written
from tot.lm.base import LM
from tot.tasks.game24 import Game24
from treebook.players import Pocket

WEIGHTS, LINES, RESULTS = Path("_build/scalar"), Path("_build/scalar/lines.jsonl"), Path("studies/results/scalar.json")
NUMBERS, WORDS = "a number from 1 to 10", "words: 20, 1, 0.001"
SHAPES = {"1 state kept, 3 replies": (1, 3), "5 states kept, 1 reply": (5, 1)}
JUDGES: Mapping[str, tuple[Game24, str]] = {  # how a state is valued: the task that asks, and who is asked
    NUMBERS: (Rated(), "practised"),
    WORDS: (GAME, "practised"),
    "the same words: 10, 5, 1": (InWords(), "practised"),
    "words, the published model": (GAME, "published"),
}
CHANGED = (0.1, 0.2, 0.3)  # shares of puzzles that only one of two searches solves


def power(n: int) -> Figures:
    """The smallest true difference that n pairs find four times in five: alone, and as one of two questions."""
    return {f"{c:.0%} change sides": [least_gap(n, c, alpha) for alpha in (0.05, 0.05 / len(SHAPES))] for c in CHANGED}


def searched(job: tuple[str, str], players: Mapping[str, LM]) -> Line:
    """A line: the search of one judge and one shape on all puzzles. Raises LMError if a player fails."""
    judge, shape = job
    (task, who), (breadth, replies) = JUDGES[judge], SHAPES[shape]
    lms = {"generator": players["published"], "evaluator": players[who]}
    runs = play([*GAME.problems("hard"), *fresh()], "tot-bfs", lms, task=task, breadth=breadth, proposals=replies)
    counts = {"unread": sum(run.result.unread for run in runs), "written": written(runs)}
    return {"judge": judge, "shape": shape, "solved": "".join(map(str, solved(runs))), **counts}


def gap(groups: Any) -> float:
    """Of pairs of ``judged``: how much more the AUC of the first is."""
    return mean_auc([a for a, _ in groups]) - mean_auc([b for _, b in groups])


def figures(lines: Sequence[Line], auc: Mapping[str, Any]) -> Figures:
    """Rates, tokens, the two questions and what stands beside them."""
    outcome = {(line["judge"], line["shape"]): [int(x) for x in line["solved"]] for line in lines}
    rows = [
        {
            **{key: line[key] for key in ("judge", "shape", "solved", "unread")},
            "rate": share(outcome[line["judge"], line["shape"]]),
            "tokens written": round(sum(line["written"]) / len(line["written"])),
        }
        for line in lines
    ]
    tests = {
        shape: {other: compared(outcome[NUMBERS, shape], outcome[other, shape]) for other in JUDGES if other != NUMBERS}
        for shape in SHAPES
    }
    corrected = holm([test[WORDS]["p"] for test in tests.values()])
    return {
        "rows": rows,
        "numbers minus": tests,
        "Holm": dict(zip(tests, corrected, strict=True)),
        "AUC": {name: mean(sides, mean_auc, 400) for name, sides in auc.items()},
        "AUC, numbers minus": {
            name: mean(list(zip(auc[NUMBERS], sides, strict=True)), gap, 400)
            for name, sides in auc.items()
            if name != NUMBERS
        },
    }


def main() -> None:
    a = options(__doc__, weights=(WEIGHTS, "the folder of the practised copy"), lines=LINES, out=RESULTS)
    copy = Pocket(weights=a.weights / "weights.safetensors", name="pocket-rating", template=template)
    players = {name: Remembering(lm) for name, lm in (("published", Pocket()), ("practised", copy))}
    about = {"weights": {name: lm.weights[:12] for name, lm in players.items()}, "n": 2 * len(fresh())}
    shows = power(about["n"])
    print(shows, flush=True)
    todo = {(judge, shape): (judge, shape) for shape in SHAPES for judge in JUDGES}
    lines = trials(
        todo, lambda job: searched(job, players), a.lines, lambda line: (line["judge"], line["shape"]), same=about
    )
    states = pool(GAME.problems("hard"))
    auc = {
        name: sides_of(
            {size: {a: values_of(players[who], states[size][a], task) for a in (True, False)} for size in (3, 2)}
        )
        for name, (task, who) in JUDGES.items()
    }
    practice = {key: int(copy.engine.metadata[key]) for key in ("tokens", "seed")}
    made = {"date": time.strftime("%Y-%m-%d"), **about, "practice": practice, "power": shows}
    write({**made, **figures([*lines.values()], auc)}, a.out)


if __name__ == "__main__":
    main()
