"""The judge that is optimised (chapter 20; Gao et al. 2023 ask it): where does picking harder begin to hurt?

    python -m studies.picking          # goes on where it stopped; writes studies/results/picking.json

Fixed before anything was played
--------------------------------
- The pocket model draws, on the sealed puzzles of the board. Nobody checks a step: what a line says is left is
  believed, and a judge sees nothing else, as in the paper. A way is worth the least of its verdicts, as in
  Math-Shepherd; one that does not end at 24 is worth nothing. The verifier is asked when all is over.
- Trained judges: checkpoints of one training of the pocket model, and the head that rollouts trained. Simulated ones:
  a solver that says of the numbers told whether they reach 24 (an oracle, but it believes them, too), whose word is
  turned round for a share of the states; and the verifier's own word on the whole chain (an oracle) with noise that
  stays with the chain: normal, or with the heavy tails of Cauchy's.
- Best of n: of the same ``CHAINS`` chains for all judges; the success of each n is its mean over all choices of n.
  ``dvts``: n samples at each step, of which each subtree gets ``SAMPLES``.
- Questions: for each judge, is picking from ``MANY`` better or worse than from ``FEW``? Paired by puzzle, Holm over
  all. Power, as if every puzzle were played once: ``power`` in the results.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from math import comb, pi, tan
from pathlib import Path
from random import Random
from statistics import fmean

from studies import held_out
from studies.board import CHANGED
from studies.figures import Figures, compared, each, holm, mean, share, write
from studies.options import options
from studies.plans_pay.power import least_gap
from studies.search_pays.players import about_numbers
from studies.search_pays.runs import FINAL, weights_of
from studies.shepherd import asked, judged, trained
from studies.trials import GAME, Line, Remembering, play, trials
from tot.lm.base import LM, Request
from tot.lm.chances import likeliest, weighed
from tot.state import State
from tot.tasks.game24 import VERDICTS, Game24, left, shown_left, steps_of
from tot.tasks.game24_rules import TARGET, solvable
from treebook.players import Pocket

LINES, RESULTS = Path("_build/picking/lines.jsonl"), Path("studies/results/picking.json")
CHAINS, SAMPLES = 64, 4
NS = (1, 2, 4, 8, 16, 32, 64)
FEW, MANY = 4, 64
SHEPHERD = "rollouts"
TRAINED = ("8M", "16M", "32M", FINAL, SHEPHERD)
SOLVERS = {f"solver, {share:.0%} turned": share for share in (0.3, 0.1, 0.0)}
NOISES = [(kind, size) for kind in ("normal", "heavy") for size in (2.0, 1.0, 0.5)]
SEARCHED = ("8M", "16M", FINAL, *SOLVERS)
DRAWS = 20  # of the noise
Job = tuple[str, str, int]  # what is played: chains, verdicts, dvts; the judge; n


class Told(Game24):
    """Steps are believed, and a way is judged by the least verdict on the numbers that it says are left."""

    checked = False

    def value(self, state: State) -> list[Request]:
        return [asked(numbers) for numbers in told(state)]

    def judge(self, state: State) -> float | None:
        missed = len(left(state)) == 1 and left(state)[0] != TARGET
        return VERDICTS["impossible"] if missed else None


def told(state: State) -> list[str]:
    """What the steps of a state say is left, a last number left out."""
    some = [step.shown for step in steps_of(state)]
    return [numbers for numbers in some if " " in numbers]


def way(x: str, chain: str) -> list[str] | None:
    """What a chain says is left after its steps; None if it does not come to 24 by three of them."""
    state = State(x)
    for line in chain.splitlines()[:3]:
        if (read := Told().read_line(state, line)).value is None:
            return None
        state = state.then(read.value)
    return told(state) if shown_left(state) == str(TARGET) and len(told(state)) == 2 else None


# ---------------------------------------------------------------- plays


@cache
def judge(name: str) -> LM:
    if name == SHEPHERD:
        return trained(Pocket())
    if name in TRAINED:
        return Remembering(Pocket(weights=weights_of([name], None)[name], name=name))
    say = lambda some, dice: ("impossible", "sure")[solvable(some) != (dice.random() < SOLVERS[name])]  # noqa: E731
    return about_numbers(name, say)


@cache
def pocket() -> LM:
    return Remembering(Pocket())


def played(job: Job, chains: Line | None) -> Line:
    what, name, n = job
    puzzles = held_out.board()
    if what == "chains":
        runs = play(puzzles, "cot", pocket(), k=CHAINS)
        texts = [[node.state.last.text if node.state.last else "" for node in run.result.best] for run in runs]
        right = [[int(score.correct) for score in run.scores] for run in runs]
        return {"job": job, "chains": texts, "right": right}
    if what == "dvts":
        lms = {"generator": pocket(), "evaluator": judge(name)}
        verdicts = {"verdicts": "logprobs"} if name in TRAINED else {}  # a program tells no chances
        how = {"subtrees": n // SAMPLES, "samples": SAMPLES, "values": 1, **verdicts}
        runs = play(puzzles, "dvts", lms, task=Told(), **how)
        best = [(run.result.best[0].value or 0.0) if run.result.best else 0.0 for run in runs]
        return {
            "job": job,
            "solved": [int(run.first) for run in runs],
            "believed": [b / VERDICTS["sure"] for b in best],
        }
    ways = (way(p.x, text) for p, texts in zip(puzzles, (chains or {})["chains"], strict=True) for text in texts)
    numbers = sorted({told for one in ways for told in one or ()})
    requests = [likeliest(asked(told), GAME.verdicts).samples(0, 1) for told in numbers]
    said = {}
    for told, request, reply in zip(numbers, requests, judge(name)(requests), strict=True):
        pairs = weighed(request, reply.samples[0], GAME.read_value(reply.texts[0]).value, [*GAME.verdicts.values()])
        said[told] = sum(value * weight for value, weight in pairs) / VERDICTS["sure"]
    return {"job": job, "verdicts": said}


def jobs() -> Iterator[Job]:
    yield from (("verdicts", name, 0) for name in (*TRAINED, *SOLVERS))
    yield from (("dvts", name, n) for n in NS if n >= SAMPLES for name in SEARCHED)


# ---------------------------------------------------------------- the report


def picked(scores: Sequence[float], worth: Sequence[float], n: int) -> float:
    """What the best of n is worth, on average over all choices of n of these samples and the order of equal ones."""
    found, below, pairs = 0.0, 0, sorted(zip(scores, worth, strict=True))
    for _, same in groupby(pairs, key=lambda pair: pair[0]):
        some = [worth for _, worth in same]
        found += (comb(below + len(some), n) - comb(below, n)) * fmean(some)
        below += len(some)
    return found / comb(below, n)


def noisy(kind: str, size: float, chain: str, right: int, draw: int) -> float:
    dice = Random(f"{kind} {draw} {chain}")
    return right + size * (dice.gauss(0, 1) if kind == "normal" else tan(pi * (dice.random() - 0.5)))


def curve(name: str, picking: str, by_n: Mapping[int, Sequence[float]], believed: Sequence[float]) -> Figures:
    """``by_n``: how often each puzzle is solved. ``believed``: what the judge says of the picked.
    The test is exact for shares in hundredths.
    """
    kind = "trained" if name in TRAINED else "simulated"
    gap = compared(*([round(share, 2) for share in by_n[n]] for n in (MANY, FEW)))
    solved = [each(shares) for shares in by_n.values()]
    found = {"judge": name, "kind": kind, "picking": picking, "n": [*by_n], "solved": solved, "gap": gap}
    return found | {"believed": [round(share, 4) for share in believed]}


def best_of(name: str, scores: Sequence[Sequence[Sequence[float]]], right: Sequence[Sequence[int]]) -> Figures:
    """``scores``: for each draw, puzzle and chain."""
    by_n = {n: [fmean(picked(draw[i], hits, n) for draw in scores) for i, hits in enumerate(right)] for n in NS}
    mixed = [i for i, hits in enumerate(right) if 0 < sum(hits) < len(hits)]
    auc = mean([[judged(draw[i], [*map(bool, right[i])]) for draw in scores] for i in mixed])
    tells = all(0 <= score <= 1 for some in scores[0] for score in some)
    believed = [fmean(picked(some, some, n) for some in scores[0]) for n in NS] if tells else []
    return {**curve(name, "best of n", by_n, believed), "AUC": auc}


def figures(lines: Mapping[Job, Line], chains: Line) -> list[Figures]:
    """A row for each judge and way of picking."""
    puzzles = [p.x for p in held_out.board()]
    ways = [[way(x, text) for text in texts] for x, texts in zip(puzzles, chains["chains"], strict=True)]
    right, rows = chains["right"], []
    for (what, name, n), line in lines.items():
        if what == "verdicts":
            said = line["verdicts"]
            scores = [[min(map(said.__getitem__, one), default=0.0) if one else 0.0 for one in some] for some in ways]
            rows.append(best_of(name, [scores], right))
        elif n == MANY:
            by_n = {m: lines[what, name, m] for m in NS if m >= SAMPLES}
            believed = [fmean(line["believed"]) for line in by_n.values()]
            rows.append(curve(name, "dvts", {m: line["solved"] for m, line in by_n.items()}, believed))
    for shape, size in NOISES:
        scores = [
            [
                [noisy(shape, size, text, hit, draw) for text, hit in zip(texts, hits, strict=True)]
                for texts, hits in zip(chains["chains"], right, strict=True)
            ]
            for draw in range(DRAWS)
        ]
        rows.append(best_of(f"verifier, {shape} noise of {size:g}", scores, right))
    for row, p in zip(rows, holm([row["gap"]["p"] for row in rows]), strict=True):
        row["Holm"] = p
    return rows


def main() -> None:
    a = options(__doc__, lines=LINES, out=RESULTS)
    same = {"weights": {name: judge(name).weights[:12] for name in TRAINED if name != SHEPHERD}}

    def kept(todo: Iterable[Job], chains: Line | None = None) -> dict[Job, Line]:
        return trials({job: job for job in todo}, lambda job: played(job, chains), a.lines, key, same=same)

    (chains,) = kept([("chains", "", CHAINS)]).values()
    rows = figures(kept(jobs(), chains), chains)
    n = len(chains["right"])
    power = {f"{c:.0%} change sides": [least_gap(n, c, 0.05 / m) for m in (1, len(rows))] for c in CHANGED}
    found = {"date": time.strftime("%Y-%m-%d"), **same, "n": n, "tests": len(rows), "power": power}
    found |= {"one chain": mean(chains["right"]), "any of all": share(map(max, chains["right"])), "rows": rows}
    write(found, a.out)


def key(line: Line) -> Job:
    what, name, n = line["job"]
    return what, name, n


if __name__ == "__main__":
    main()
