"""The heart of the book on a real model: chains, votes and trees of a recorded 1.5B on the Game of 24 (chapter 6).

    python -m studies.heart --model Qwen2.5-Coder-1.5B-Instruct-Q4_K_M --base-url URL --concurrency 300 [--weights FILE]
    python -m studies.heart --report        # from the recordings alone; writes studies/results/heart.json

The first command plays the pilot, lets ``chosen`` pick the tree's breadth and replies, then plays the 40 puzzles of the
split starter and 80 more. It writes each sample as it arrives into three cassettes in ``--out`` (pilot, starter, fresh)
and goes on where it stopped. Packed cassettes (.jsonl.xz) are read, too: studies/results/heart has those of 2026-11-26,
from our own server, the GGUF file's weights in bfloat16 and the default samplers of llama.cpp (top-k 40, top-p 0.95,
min-p 0.05). The pilot chose five states and three replies.

Fixed before anything was played
--------------------------------
- *Players.* One model, the package's own prompts in the style lean; but the judge's prompt loses its example ``10 14``,
  which gave wins away, and shows two single numbers: without them the model met none and gave no verdict on "24"
  (``PROMPTS``). The default prompt stays as it is elsewhere.
- *Help.* A program refuses illegal steps, counts what is left and writes the answer down from the steps. Nobody checks
  the end: the model judges single numbers and answers, as in the paper. The rivals get the same help in the row "steps
  checked": of each chain a program reads the three steps, and its answer is what they make.
- *Controls.* Random verdicts in the judge's place, over the same samples of proposals (mean of four draws).
  Each tree once more with a program that judges single numbers: that asks nothing new.
- *Price.* Votes have as many chains as the tree's mean of written tokens buys, at most a hundred.
- *Puzzles.* ``puzzles``: a written seed draws 30 for the pilot and 80 fresh ones from ranks 1 to 400 of all solvable
  ones, whose every tenth is starter. Examples of prompts are left out. Samples of a puzzle are its own (its rank says
  which), so puzzles can be drawn anew.
- *Pilot.* ``chosen``: of six settings the one that solves most of the pilot's puzzles; of equals the cheapest.
- *Questions.* Four: is the tree ahead of one chain, of the vote, of the vote with checked steps, of random verdicts?
  Paired and exact, Holm over the four. First on starter, then on fresh ones alone, then on both together.
- *Power.* If three puzzles of ten change sides, 40 pairs find a true difference of 25 points four times in five (20 if
  two of ten do); as one of four questions 28. 80 pairs: 18 and 21; 120 pairs: 15 and 17 (``power``).

Thought of afterwards: the best of k chains by the answers that they wrote, each checked by a program. They are stronger
than the best by steps, so chapter 6 holds the tree to them.

What it is for: chapter 6, after "Where nobody checks" (a real model beside the pocket model: the rows of "both", a
table of the four questions, the controls); ``book/tables.md``, table 2, column of the recorded model; chapter 16's
three measurements (``measured``: how wide their intervals are at 20, 40 and 120 puzzles).
"""

from __future__ import annotations

import argparse
import lzma
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import tot
from studies.figures import Figures, compared, each, holm, mean, of_samples, write
from studies.game24 import lost_at, texts
from studies.game24_help import ResultsJudgedByModel, answers_judged, nodes_of, single_numbers
from studies.live import add_model, check_model, model
from studies.plans_pay.power import least_gap
from studies.search_pays.measure import geometric, mean_auc
from studies.search_pays.others import offers, sides
from studies.search_pays.rivals import Pool
from studies.trials import GAME, OWN, Program, answers, solved, written
from tot.lm.base import OnReply, Reply, Request
from tot.lm.roles import LMs
from tot.parse import Read, bad, last_word
from tot.runner import run_many
from tot.solution import Job, Solution
from tot.tasks.base import Problem
from tot.tasks.game24 import EXAMPLES, Game24, left, numbers_of
from tot.tasks.game24_rules import Step, expression, read_step, solvable
from tot.tasks.game24_style import VERDICTS as WORTH

RESULTS = Path("studies/results/heart.json")
FOLDER = Path("studies/results/heart")
USUAL = Game24.style
VALUE = USUAL.prompts["value"]
GIVEN_AWAY = "10 14"
SINGLE = (("24", "24 is 24. sure"), ("18", "18 is not 24. impossible"))
SHOWN = (*SINGLE, *(example for example in VALUE.shown if example[0] != GIVEN_AWAY))
PROMPTS = replace(USUAL, prompts={**USUAL.prompts, "value": replace(VALUE, shown=SHOWN)})
VERDICTS = ("sure", "likely", "impossible")
CHAINS, ANSWERS, DRAWS = 100, 20, 4  # four: shares of draws are then exact in the sign flips
SETTINGS = tuple((breadth, replies) for breadth in (1, 3, 5) for replies in (1, 3))
KS = (1, 2, 3, 5, 10, 20, 30, 50, 100)
QUESTIONS = ("one chain", "vote of k chains", "vote of k chains, steps checked", "tree, random verdicts")
CHANGED = (0.2, 0.3, 0.4)  # shares of puzzles that only one of two contenders solves
SEED = 47


def as_recorded(text: str) -> Read[float]:
    """The last verdict, as the readers of the recording had it: today's also read "cannot make 24" (46 of 48,728)."""
    word = last_word(text, WORTH)
    return Read(WORTH[word.value], text=word.text) if word.value else bad(word.why, text)


def game(kind: type[Game24] = ResultsJudgedByModel, style: Any = PROMPTS) -> Game24:
    """The task with a prompt set; ``kind`` says who judges the end: by default the model."""
    made = kind()
    made.style = replace(style, readers={**style.readers, "value": as_recorded})
    return made


UNAIDED = game()


def puzzles() -> dict[str, list[Problem]]:
    """The puzzles of the pilot and of both sets. They share none."""
    starter = GAME.problems("starter")
    taken = {*(p.x for p in starter), *(x for x, _, _ in EXAMPLES)}
    drawn = Random(SEED).sample([p for p in GAME.problems("all")[:400] if p.x not in taken], 110)
    return {"pilot": drawn[:30], "starter": starter, "fresh": drawn[30:]}


# ---------------------------------------------------------------- what is played


def judge(name: str, say: Callable[[str, Random], str]) -> Program:
    """A judge without a model. It always says the same about a state."""

    def verdicts(request: Request) -> list[str]:
        asked = request.messages[-1].content
        return [say(asked, Random(f"{name} {asked} {i}")) for i in request.indices]

    return Program(name, lambda requests: list(map(verdicts, requests)))


@dataclass(frozen=True)
class Arm:
    """One contender: a method with its knobs on a task. ``judge`` plays the evaluator; None: the model does."""

    method: str
    knobs: Mapping[str, Any]
    task: Game24
    judge: Program | None = None


def tree(breadth: int, replies: int, task: Game24 = UNAIDED, judge: Program | None = None) -> Arm:
    return Arm("tot-bfs", {"style": "lean", "breadth": breadth, "proposals": replies}, task, judge)


def pilots() -> dict[str, Arm]:
    return {f"b={b}, replies={r}": tree(b, r) for b, r in SETTINGS}


def contenders(breadth: int, replies: int) -> dict[str, Arm]:
    """All that is played on the sets, by name. What ends in "end checked" asks the model nothing that others do not,
    but for the perfect judge, an oracle.
    """
    at, ended = (breadth, replies), game(Game24)
    arms = {"io": Arm("io", {"k": ANSWERS}, UNAIDED), "chain": Arm("cot", {"k": CHAINS}, UNAIDED)}
    arms |= {
        "tree": tree(*at),
        "tree, end checked": tree(*at, ended),
        "tree, usual prompts": tree(*at, game(style=USUAL)),
    }
    for draw in range(DRAWS):
        coin = judge(f"random verdicts {draw}", lambda asked, dice: dice.choice(VERDICTS))
        arms[f"tree, random verdicts {draw}"] = tree(*at, judge=coin)
        arms[f"tree, random verdicts, end checked {draw}"] = tree(*at, ended, coin)
    oracle = judge("perfect judge", lambda asked, dice: "sure" if solvable(numbers_of(asked)) else "impossible")
    return {**arms, "tree, perfect judge, end checked": tree(*at, ended, oracle)}


Runs = dict[str, list[Solution]]  # name of an arm -> the solutions, in the puzzles' order


def play(problems: Sequence[Problem], arms: Mapping[str, Arm], lm: tot.LM, *, tries: int = 1) -> Runs:
    """Every arm on every puzzle, all at once. A run that failed is tried again; replies that were recorded stay.

    Raises LMError if some fail in each of ``tries``.
    """
    rank = {p.x: i for i, p in enumerate(GAME.problems("all"))}
    jobs = {
        (name, p.x): Job(arm.task, p, tot.method(arm.method), {"first": OWN * rank[p.x], **arm.knobs})
        for name, arm in arms.items()
        for p in problems
    }
    found: dict[tuple[str, str], Solution] = {}
    error = ""
    for _ in range(tries):
        runs = {job.start(_lms(lm, arms[at[0]])): at for at, job in jobs.items() if at not in found}
        for run in run_many(runs, at_once=len(runs)):
            at, error = runs[run], run.error or error
            if not run.error:
                found[at] = jobs[at].finish(run)
        if len(found) == len(jobs):
            return {name: [found[name, p.x] for p in problems] for name in arms}
        print(f"{len(jobs) - len(found)} runs failed: {error}", file=sys.stderr, flush=True)
    raise tot.LMError(f"some runs failed: {error}")


def _lms(lm: tot.LM, arm: Arm) -> LMs:
    return {"default": lm, "evaluator": arm.judge or Uncut(lm)}


class Uncut(tot.LM):
    """The model, whose replies have all ended: as the readers of the recording had it, a verdict in one that the limit
    of tokens cut counted, too (3 of 41,703 that today's do not read).
    """

    batched = True

    def __init__(self, lm: tot.LM) -> None:
        self.lm, self.name, self.weights = lm, lm.name, lm.weights

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        return [
            replace(reply, samples=tuple(replace(one, finish="stop") if one.cut else one for one in reply.samples))
            for reply in self.lm(requests, on_reply)
        ]


# ---------------------------------------------------------------- the pilot's rule


def settings_of(runs: Runs) -> list[Figures]:
    """What each setting of the pilot solved, and what it cost."""
    rows = []
    for (breadth, replies), solutions in zip(SETTINGS, runs.values(), strict=True):
        row: Figures = {"breadth": breadth, "replies": replies, "solved": "".join(map(str, solved(solutions)))}
        rows.append(row | {"tokens written": round(fmean(written(solutions)))})
    return rows


def chosen(rows: Sequence[Figures]) -> tuple[int, int]:
    """(breadth, replies) of the setting that solved most of the pilot's puzzles; of equals the one that wrote least."""
    best = max(rows, key=lambda row: (row["solved"].count("1"), -row["tokens written"]))
    return best["breadth"], best["replies"]


def record(live: tot.LM, weights: str, out: Path, sets: Mapping[str, Sequence[Problem]]) -> None:
    """Pilot, rule, and both sets, each into a cassette of its own in ``out``. Raises LMError, FileTrouble."""
    started, arms = time.monotonic(), pilots()
    for name, problems in sets.items():
        with tot.Cassette(out / f"{name}.jsonl", live, weights=weights) as cassette:
            runs = play(problems, arms, cassette, tries=5)
        if name == "pilot":
            breadth, replies = chosen(settings_of(runs))
            arms = contenders(breadth, replies)
            print(f"the pilot chose b={breadth}, replies={replies}")
        print(f"{time.monotonic() - started:4.0f} s  {name}: {len(problems)} puzzles recorded", flush=True)


# ---------------------------------------------------------------- the report


def recording(folder: Path, name: str) -> tot.Cassette:
    """A set's cassette for replay, packed or not."""
    plain = folder / f"{name}.jsonl"
    packed = plain.with_name(f"{plain.name}.xz")
    if plain.exists() or not packed.exists():
        return tot.Cassette(plain)
    with TemporaryDirectory() as room:
        unpacked = Path(room) / plain.name
        unpacked.write_bytes(lzma.decompress(packed.read_bytes()))
        return tot.Cassette(unpacked)


def composed(x: str, text: str) -> str | None:
    """What the first three lines of a chain make, as one expression, if all are legal steps: a program checks the
    arithmetic, as in the tree, and does not look whether that is 24.
    """
    numbers, steps = numbers_of(x), list[Step]()
    for line in text.splitlines()[:3]:
        step = read_step(line, numbers).value
        if step is None:
            return None
        steps.append(step)
        numbers = step.left
    return expression(numbers_of(x), steps) if len(numbers) == 1 else None


def checked(chains: Solution) -> Solution:
    """Chains of which a program read the steps."""
    made = [composed(chains.problem, text) for text in texts(chains)]
    return replace(chains, answers=made, scores=[GAME.check(chains.problem, answer) for answer in made])


def pool(chains: Sequence[Solution]) -> Pool:
    """What k of the chains are worth, for each k."""
    read = [run.result.ledger.total.prompt_tokens for run in chains]
    return Pool(answers(chains, GAME) | {"written": written(chains), "new": read}, 1.0)


def of_draws(runs: Runs, name: str) -> list[float]:
    """For each puzzle the share of draws in which it was solved."""
    return [fmean(draws) for draws in zip(*(solved(runs[f"{name} {draw}"]) for draw in range(DRAWS)), strict=True)]


def bill(runs: Sequence[Solution]) -> Figures:
    """Means for a puzzle."""
    totals = [run.result.ledger.total for run in runs]
    return {
        "tokens written": round(fmean(t.completion_tokens for t in totals)),
        "prompt tokens": round(fmean(t.prompt_tokens for t in totals)),
        "rounds": round(fmean(run.result.ledger.rounds for run in runs), 2),
    }


def figures(runs: Runs) -> Figures:
    """All contenders on one set of puzzles: outcomes one by one, rates, the four questions, where trees fail."""
    trees, chains = runs["tree"], runs["chain"]
    read = list(map(checked, chains))
    said, made = pool(chains), pool(read)
    k = said.affordable("written", fmean(written(trees)))
    searches = [name for name in runs if name.startswith("tree") and not name[-1].isdigit()]
    outcomes: dict[str, list[float]] = {
        "one answer": [fmean(score.correct for score in run.scores) for run in runs["io"]],
        "one chain": said.one(),
        "one chain, steps checked": made.one(),
        "vote of k chains": said.vote(k),
        "vote of k chains, steps checked": made.vote(k),
        "best of k chains, end checked": [round(x, 2) for x in said.best(k)],  # few different sums of gaps
        "best of k chains, steps and end checked": [round(x, 2) for x in made.best(k)],
        f"vote of {CHAINS} chains": said.vote(CHAINS),
        f"best of {CHAINS} chains": said.best(CHAINS),
        **{name: list(map(float, solved(runs[name]))) for name in searches},
        **{name: of_draws(runs, name) for name in ("tree, random verdicts", "tree, random verdicts, end checked")},
    }
    tests = {name: compared(outcomes["tree"], outcomes[name]) for name in QUESTIONS}
    corrected = holm([test["p"] for test in tests.values()])
    bests = ("best of k chains, end checked", "best of k chains, steps and end checked")
    curves = {"vote": said.vote, "vote, steps checked": made.vote, "best, end checked": said.best}
    beside = (*bests, "tree, random verdicts, end checked")
    curves["best, steps and end checked"] = made.best
    kept = [run for run in trees if run.any and not run.chosen]
    return {
        "n": len(trees),
        "puzzles": [run.problem for run in trees],
        "k": k,
        "bills": {name: bill(some) for name, some in runs.items()},
        "rates": {name: of_samples([[x] for x in found]) for name, found in outcomes.items()},
        "tree minus": {name: test | {"Holm": p} for (name, test), p in zip(tests.items(), corrected, strict=True)},
        "tree minus, beside": {name: compared(outcomes["tree"], outcomes[name]) for name in bests},
        "tree, end checked, minus": {name: compared(outcomes["tree, end checked"], outcomes[name]) for name in beside},
        "usual prompts minus tree": compared(outcomes["tree, usual prompts"], outcomes["tree"]),
        "by k": {str(k): {name: each(worth(k)) for name, worth in curves.items()} for k in KS},
        "lost at": lost_at(trees) | {"the end: 24 was kept, another answer chosen": len(kept)},
        "single numbers": single_numbers(trees),
        "answers judged": answers_judged(trees),
        "chains of three legal steps": each(fmean(text is not None for text in run.answers) for run in read),
        "outcomes": {name: [round(x, 4) for x in found] for name, found in outcomes.items()},
    }


def measured(runs: Runs) -> Figures:
    """The three measurements of chapter 16 on these puzzles, with intervals: one chain, reach, the judge's AUC. States
    are those that the trees met; AUC is the mean over states of three and two numbers. "candidates": different steps in
    the list of a state, the mean over states of four, three and two numbers.
    """
    said = [[float(score.correct) for score in run.scores] for run in runs["chain"]]
    reach: Any = [[offers(run, size) for size in (4, 3, 2)] for run in runs["tree"]]
    judged: Any = [[sides([run], size) for size in (3, 2)] for run in runs["tree"]]
    lists: dict[int, list[int]] = {4: [], 3: [], 2: []}
    for node in (node for run in runs["tree"] for node in nodes_of(run)):
        if node.children and len(left(node.state)) > 1:
            lists[len(left(node.state))].append(len(node.children))
    return {
        "n": len(said),
        "one chain": of_samples(said),
        "reach": mean(reach, geometric, 400),
        "candidates": round(fmean(map(fmean, lists.values())), 1),
        "AUC": mean(judged, mean_auc, 400),
        "AUC, 3 numbers": mean([one[:1] for one in judged], mean_auc, 400),
        "AUC, 2 numbers": mean([one[1:] for one in judged], mean_auc, 400),
    }


def power(ns: Sequence[int]) -> Figures:
    """The smallest true difference that n pairs show four times in five: alone, and as the first of four in Holm's
    order; None: none.
    """
    levels = {"alone": 0.05, "as one of four": 0.05 / len(QUESTIONS)}

    def gaps(n: int, changed: float) -> Figures:
        return {name: least_gap(n, changed, alpha) for name, alpha in levels.items()}

    return {str(n): {f"{changed:.0%} change sides": gaps(n, changed) for changed in CHANGED} for n in ns}


def report(folder: Path, sets: Mapping[str, Sequence[Problem]]) -> Figures:
    """Everything that the recordings in ``folder`` say. Raises LMError (a Miss) if they are not complete."""
    pilot = settings_of(play(sets["pilot"], pilots(), recording(folder, "pilot")))
    breadth, replies = chosen(pilot)
    arms, sessions = contenders(breadth, replies), list[Any]()
    runs: dict[str, Runs] = {}
    for name in ("starter", "fresh"):
        cassette = recording(folder, name)
        sessions += cassette.tape.sessions.values()
        runs[name] = play(sets[name], arms, cassette)
    runs["both"] = {arm: runs["starter"][arm] + runs["fresh"][arm] for arm in arms}
    twenty = {arm: some[:20] for arm, some in runs["starter"].items()}
    about = {key: sorted({s.get(key, "") for s in sessions}) for key in ("model", "weights_sha256", "date", "server")}
    return {
        **about,
        "power": power([len(some["tree"]) for some in runs.values()]),
        "pilot": {"puzzles": [p.x for p in sets["pilot"]], "settings": pilot, "breadth": breadth, "replies": replies},
        "sets": {name: figures(some) for name, some in runs.items()},
        "measured": [measured(some) for some in (twenty, runs["starter"], runs["both"])],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="no model: results from the recordings in --out")
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder of the recordings")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--few", type=int, help="for a dry run: so many puzzles of each set")
    if "--report" not in given:
        add_model(parser)
    a = parser.parse_args(given)
    sets = {name: some[: a.few] for name, some in puzzles().items()}
    try:
        if a.report:
            write(report(a.out, sets), a.results)
        else:
            check_model(parser, a)
            record(*model(a), a.out, sets)
    except (tot.LMError, tot.jsonlines.FileTrouble) as error:
        print(f"{error}\nthe same command goes on", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    sys.exit(main())
