"""One claim of *Planning with MCTS* decided: its table 1 on the two sets where the mean gain is largest.

    python -m studies.claim --model NAME --base-url URL --out FOLDER    # once for each model; the same command goes on
    python -m studies.claim --report FOLDER                             # writes studies/results/claim.json

The paper: search over plans gives Qwen2.5-Instruct 0.5B and 1.5B 26 to 49 points more than one plan, carried out, on
MultiArith and SingleEq. Here: *Coder* models of these sizes, and problems of our own in the style of the two sets, made
by ``studies/problems/arithmetic.py`` from ``SEED``; none is one of the book's or of the public sets. Prompts are in the
paper's style, replies of at most ``ROOM`` tokens. Chains that vote have the book's short prompts, and beside the claim
the search and the one plan are played with those, too: a small model may not follow long ones.

A pilot of ``PILOT`` problems a set, which are never played again, fixes how many problems are played and how many
chains vote: ``design`` is that rule.

The 1.5B's searches are not finished: what was recorded of it lies in ``studies/results/claim``. Unpacked (``xz -dk``)
into a folder, it is what the first command goes on from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil, sqrt
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any

import tot
from studies import papers
from studies.figures import Figures, against, compared, each, holm, mean, share, write
from studies.live import sha256
from studies.options import options
from studies.problems.arithmetic import STORIES, arithmetic
from tot.experiments import grid, read_results, run_experiment
from tot.experiments.results import Line, failed
from tot.jsonlines import read_lines
from tot.methods.base import PAPER
from tot.stats import Groups, sign_flips
from tot.tasks.base import Problem

RESULTS = Path("studies/results/claim.json")
SETS = {"multiarith": "MultiArith", "singleeq": "SingleEq"}  # the first one has the tokens first
SEED = 47
PILOT, LEAST, MOST = 20, 60, 300  # problems of a set: of the pilot; of the main run
TOKENS = {"0.5B": 3_000_000, "1.5B": 2_000_000}  # that a model of this size may write in all
ROOM = 400  # tokens of a reply: only a model that repeats itself is cut
PLANS = 5  # independent plans, carried out: their mean is the paper's baseline, one plan
CHAINS, VOTES = 10, 25  # chains in the paper's style; short ones that vote: in the pilot as many as chains, at most
SHARE = 1 / 3  # of the claimed difference: what n has to show
TESTS = 4  # two sets and two models
LEVEL, POWER = 0.05 / TESTS, 0.9  # Bonferroni's bound on Holm's correction
REACH = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(POWER)  # standard errors
CAREFUL = 1.18  # the upper 80% limit of a standard deviation that 20 problems showed as 1
FLAT = 0.3  # the least standard deviation that is believed: twenty problems may agree by luck
AT_ONCE, TRIES = 400, 3
FAILED = 0.02  # of the runs, at most: such a problem is one that was not solved

ARMS = {
    ("mcts-plan", PAPER): "tree",
    ("plan-and-solve", PAPER): "plan",
    ("zero-shot-cot", PAPER): "chain",
    ("mcts-plan", ""): "short tree",
    ("plan-and-solve", ""): "short plan",
    ("zero-shot-cot", ""): "vote",
}
Columns = dict[str, list[float]]  # what is known of each problem, in their order


def runs(votes: int) -> list[tuple[str, Mapping[str, Any]]]:
    """Method and knobs of all that is run on each problem, searches first: their rounds wait for each other."""
    styles: tuple[Mapping[str, Any], ...] = ({"style": PAPER}, {})
    return [
        *(("mcts-plan", {**style, "rollouts": 10}) for style in styles),  # table 1's 90.14 is table 2's at ten rollouts
        *(("plan-and-solve", {**style, "first": i}) for style in styles for i in range(PLANS)),
        *(("zero-shot-cot", {**style, "k": k}) for style, k in zip(styles, (CHAINS, votes), strict=True)),
    ]


def problems(task: str) -> tuple[list[Problem], list[Problem]]:
    """The pilot's problems, and those of the main run; no question of the book's is among them."""
    known = {problem.x for problem in tot.task(task).problems("book")}
    made = enumerate(arithmetic(task, PILOT + MOST + len(known), SEED))
    found = [Problem(f"{task}-{i}", x, gold) for i, (x, gold) in made if x not in known][: PILOT + MOST]
    return found[:PILOT], found[PILOT:]


# ---------------------------------------------------------------- playing


def play(todo: Mapping[str, tuple[Sequence[Problem], int]], lm: tot.LM, file: Path) -> dict[str, Columns]:
    """Everything on these problems of each set, with so many votes, all at once; what is in ``file`` is not run again.

    Raises SystemExit if runs failed again and again; all others are kept.
    """
    jobs = [
        job
        for i in range(len(runs(1)))
        for name, (chosen, votes) in todo.items()
        for job in grid(tot.task(name), [runs(votes)[i]], map(replace, chosen))  # copies: method by method, as told
    ]
    for _ in range(TRIES):
        lines = run_experiment(jobs, lm, out=file, at_once=AT_ONCE, patience=AT_ONCE)
        done = sum(not failed(line) for line in lines)
        if done == len(jobs):
            break
    if len(lines) < len(jobs) or done < (1 - FAILED) * len(jobs):
        raise SystemExit(f"{done} of {len(jobs)} runs are done and kept, others failed: the same command goes on")
    return {name: columns(lines, chosen) for name, (chosen, _) in todo.items()}


def columns(lines: Iterable[Line], chosen: Sequence[Problem]) -> Columns:
    """How well each arm solved each problem, from 0 to 1, and its bill; of the arms that have all their runs, for those
    which end first are no random choice.
    """
    place = {problem.id: i for i, problem in enumerate(chosen)}
    of: dict[str, list[Line]] = {arm: [] for arm in ARMS.values()}
    for line in lines:
        if line["problem"] in place:
            of[ARMS[line["method"], line["params"]["style"]]].append(line)
    found: Columns = {}
    for (method, _), arm in ARMS.items():
        repeats = PLANS if method == "plan-and-solve" else 1
        if not chosen or len(of[arm]) < repeats * len(chosen):
            continue
        rows = [Counter[str]() for _ in chosen]
        for line in of[arm]:
            row, used, right = rows[place[line["problem"]]], line["usage"], not failed(line)
            row[arm] += right * line["chosen"] / repeats
            if method == "zero-shot-cot":  # each of its chains, beside their vote
                row[f"{arm}, one"] += right * sum(line["corrects"]) / line["params"]["k"]
            row[f"{arm}, written"] += used["completion_tokens"]
            row[f"{arm}, read"] += used["prompt_tokens"]
            row[f"{arm}, samples"] += used["samples"]
            row[f"{arm}, unread"] += line["unread"]
            row[f"{arm}, cut"] += line["cut"]
            row[f"{arm}, failed"] += not right
        found |= {name: [round(row[name], 6) for row in rows] for name in rows[0]}
    return found


def design(pilot: Mapping[str, Columns], claimed: Mapping[str, float], tokens: int) -> dict[str, Figures]:
    """How many problems of each set are played, and how many chains vote on each: fixed by the pilot and this rule.

    n shows a third of the claimed difference with the power told, if the differences spread at most as in the pilot,
    read carefully; a vote writes as much as a search, in the mean, or has ``VOTES`` chains. If the ``tokens`` do not
    reach, the second set loses.
    """
    left = tokens - sum(sum(found[f"{arm}, written"]) for found in pilot.values() for arm in ARMS.values())
    plan: dict[str, Figures] = {}
    for name, found in pilot.items():
        gaps = [a - b for a, b in zip(found["tree"], found["plan"], strict=True)]
        spread = max(FLAT, CAREFUL * stdev(gaps))
        wanted = ceil((REACH * spread / (SHARE * claimed[name] / 100)) ** 2)
        spent = {arm: fmean(found[f"{arm}, written"]) for arm in ARMS.values()}
        chain = spent["vote"] / CHAINS
        votes = max(1, min(VOTES, round(spent["tree"] / chain)))
        each = sum(spent.values()) + (votes - CHAINS) * chain
        n = max(0, min(max(wanted, LEAST), MOST, int(left / each)))
        left -= n * each
        plan[name] = {"spread": round(spread, 4), "wanted": wanted, "tokens of a problem": round(each)}
        plan[name] |= {"n": n, "votes": votes}
    return plan


def size(model: str) -> str:
    """The size that a model's name tells, as in ...-0.5B-...; raises SystemExit if it is none of the claim's."""
    for found in TOKENS:
        if f"-{found}-".lower() in model.lower():
            return found
    raise SystemExit(f"the name {model} tells none of these sizes: {', '.join(TOKENS)}")


def claimed(model: str) -> dict[str, float]:
    """The paper's differences for each set, in points, for its model of that size."""
    search, plan = papers.MCTS_PLAN[size(model)], papers.COT_PLAN[size(model)]
    places = {name: papers.SETS.index(title) for name, title in SETS.items()}
    return {name: round(search[i] - plan[i], 2) for name, i in places.items()}


def record(lm: tot.LM, folder: Path, weights: str = "") -> None:
    """The pilot, the rule, the main run; each sample and each finished run is on disk at once."""
    claims, began = claimed(lm.name), time.monotonic()
    files = {what: folder / f"{lm.name}.{what}" for what in ("samples.jsonl", "lines.jsonl", "design.json")}
    folder.mkdir(parents=True, exist_ok=True)
    tape = tot.Cassette(files["samples.jsonl"], lm, weights=weights)
    try:
        pilot = play({name: (problems(name)[0], CHAINS) for name in SETS}, tape, files["lines.jsonl"])
        plan = design(pilot, claims, TOKENS[size(lm.name)])
        write(plan, files["design.json"])
        print(f"{time.monotonic() - began:.0f} s  {plan}", flush=True)
        main = {name: (problems(name)[1][: found["n"]], found["votes"]) for name, found in plan.items() if found["n"]}
        play(main, tape, files["lines.jsonl"])
    finally:
        tape.close()
    print(f"{time.monotonic() - began:.0f} s  done: {files['samples.jsonl']}", flush=True)


# ---------------------------------------------------------------- what the recordings show


def report(folder: Path) -> Figures:
    """The figures of all models that were recorded into ``folder``, from the finished runs."""
    found: Figures = {"seed": SEED, "models": {}}
    for file in sorted(folder.glob("*.lines.jsonl")):
        name = file.name.removesuffix(".lines.jsonl")
        lines, claims, tape = read_results(file), claimed(name), folder / f"{name}.samples.jsonl"
        parts: dict[str, dict[str, Sequence[Problem]]] = {"pilot": {task: problems(task)[0] for task in SETS}}
        pilot = {task: columns(lines, chosen) for task, chosen in parts["pilot"].items()}
        plan = design(pilot, claims, TOKENS[size(name)])
        parts["sets"] = {task: problems(task)[1][: of["n"]] for task, of in plan.items() if of["n"]}
        about: Figures = {"sessions": [line for _, line in read_lines(tape) if line["type"] == "session"]}
        about |= {"sha256": {path.name: sha256(path) for path in (tape, file)}, "design": plan}
        about["tokens written"] = sum(line["usage"]["completion_tokens"] for line in lines)
        for part, chosen in parts.items():
            about[part] = {task: shown(columns(lines, of), of, claims[task] / 100) for task, of in chosen.items()}
        found["models"][name] = about
    gains = [
        of["gains"]["plan"] for about in found["models"].values() for of in about["sets"].values() if "gains" in of
    ]
    for name in ("p", "p of theirs"):  # among the tests that were planned, if not all were finished
        missing = [1.0] * (TESTS - len(gains))
        for gain, p in zip(gains, holm([*(gain[name] for gain in gains), *missing]), strict=False):
            gain[f"{name}, Holm"] = p
    return found


def shown(found: Columns, chosen: Sequence[Problem], claim: float) -> Figures:
    """One set: how often each arm was right and what it costs; what a search could gain at most on one plan, and what
    it gains. ``claim``: the paper's gain.
    """
    counts = ("tree", "short tree", "chain", "vote")
    right = {name: values for name, values in found.items() if ", " not in name or name.endswith(", one")}
    rates = {name: (share if name in counts else each)(values) for name, values in right.items()}
    left = [1 - value for value in found["plan"]]
    per = {name: round(fmean(values), 4) for name, values in found.items() if name not in right}
    shows: Figures = {"n": len(chosen), "claimed": round(claim, 4), "rates": rates}
    shows["room"] = {"rate": each(left), "p of theirs": against(left, claim)}
    if "tree" in found and "short tree" in found:
        tree, plan = found["tree"], found["plan"]
        gaps = [a - b for a, b in zip(tree, plan, strict=True)]
        gains = {name: compared(tree, values) for name, values in right.items() if name not in ("tree", "short tree")}
        gains["plan"]["p of theirs"] = against(gaps, claim)
        stories = len(STORIES[chosen[0].id.partition("-")[0]])
        of: dict[int, list[float]] = {}
        for problem, gap in zip(chosen, gaps, strict=True):
            of.setdefault(int(problem.id.partition("-")[2]) % stories, []).append(gap)
        shows |= {"gains": gains, "short prompts": compared(found["short tree"], found["short plan"])}
        shows["found"] = round(REACH * stdev(gaps) / sqrt(len(gaps)), 4)  # by that n, with the power told
        shows["of the failures"] = mean([*zip(tree, plan, strict=True)], mended)
        shows["by story"] = {f"story {i + 1}": [round(fmean(x), 4), len(x)] for i, x in sorted(of.items())}
        shows["p over stories"] = sign_flips(map(fmean, of.values()))  # would other stories show it?
    return shows | {"of a problem": per, "problems": right}


def mended(pairs: Groups) -> float:
    """The share of one plan's failures that the search mends: what is left to gain is no limit to it."""
    lost = 1 - fmean(plan for _, plan in pairs)
    return fmean(tree - plan for tree, plan in pairs) / lost if lost else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(
        __doc__,
        arguments,
        model=(str, "its name, as the server knows it; it says the size, as in ...-0.5B-..."),
        base_url=str,
        weights=(Path, "the model file: its SHA-256 goes into the recording"),
        out=(Path, "the folder of the recordings"),
        report=(Path, "a folder: what the recordings in it show"),
    )
    if a.report:
        write(report(a.report), RESULTS)
    elif a.model and a.out:
        short = {"max_tokens": ROOM}
        lm = tot.OpenAI(a.model, base_url=a.base_url, max_concurrency=AT_ONCE, timeout=600, options=short)
        record(lm, a.out, sha256(a.weights) if a.weights else "")
    else:
        raise SystemExit("give --model and --out, or --report")


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    main()
