"""The Game-of-24 study of the Tree of Thoughts paper (section 4.1), whole and live, on the pocket model.

    python -m studies.game24 [--puzzles 100] [--out studies/results/game24_pocket.json]

Nothing is recorded: the same weights and seed give the same samples again. What comes out is
figures: rates with intervals, costs, where samples fail and why. The solver looks at finished runs only. Where the
authors' ranked list is at hand (TOT_DATA_DIR), those of the paper's own puzzles that were held out are played, too.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies import game24_help
from studies.pocket.data import held_out
from tot.experiments.progress import Progress
from tot.lm.roles import LMs, Roles
from tot.runner import run_many
from tot.solution import Job, Solution
from tot.state import Node
from tot.stats import Interval, bootstrap, pass_at_k, wilson
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24, left, numbers_of
from tot.tasks.game24_rules import Numbers, moves, read_step, solvable
from treebook.players import Pocket

RESULTS = Path("studies/results/game24_pocket.json")
EARLY = Path("studies/pocket/early.safetensors")
KS = (1, 2, 5, 10, 20, 50, 100)
MORE = ((1, 2), (1, 3), (1, 5), (5, 2), (5, 3), (5, 5))  # breadth, propose replies for each state
BREADTHS = (1, 2, 3, 4, 5)
GAME = Game24()

Figures = dict[str, Any]


def solve_all(jobs: Sequence[Job], lms: LMs, *, show: bool = True) -> list[Solution]:
    """All jobs at once, in one merged batch; solutions in the jobs' order. ``show``: a progress line. Raises LMError if
    a model fails.
    """
    models = Roles.of(lms)
    runs = [job.start(models) for job in jobs]
    job_of = dict(zip(map(id, runs), jobs, strict=True))
    solutions: dict[int, Solution] = {}
    calls = tokens = 0
    bar = Progress(len(jobs), show=show)
    try:
        for run in run_many(runs, at_once=len(runs)):
            if run.error:
                raise tot.LMError(run.error)
            solution = solutions[id(run)] = job_of[id(run)].finish(run)
            calls, tokens = calls + run.ledger.total.calls, tokens + run.ledger.total.tokens
            bar.finished({"correct": solution.chosen})
            bar.update(calls, tokens)
    finally:
        bar.close()
    return [solutions[id(run)] for run in runs]


def job(problem: Problem, method: str, **params: Any) -> Job:
    return Job(GAME, problem, tot.method(method), params)


# ---------------------------------------------------------------- rates


def interval(rate: Interval) -> list[float]:
    return [round(x, 4) for x in (rate.rate, rate.low, rate.high)]


def of_samples(solutions: Iterable[Solution]) -> list[float]:
    """Mean success of single samples; the puzzles are the clusters."""
    return interval(bootstrap([[float(score.correct) for score in s.scores] for s in solutions]))


def of_answers(solutions: Sequence[Solution], score: str = "chosen") -> list[float]:
    return interval(wilson(sum(getattr(s, score) for s in solutions), len(solutions)))


def hits(solutions: Iterable[Solution]) -> list[int]:
    """For each puzzle, how many of its samples are right."""
    return [sum(score.correct for score in s.scores) for s in solutions]


def best_of(solutions: Sequence[Solution], k: int) -> list[float]:
    """The unbiased estimate for the best of k samples, the check picking."""
    return interval(bootstrap([(pass_at_k(len(s.scores), sum(x.correct for x in s.scores), k),) for s in solutions]))


def cost(solutions: Sequence[Solution], share: float = 1.0) -> dict[str, float]:
    """Means per puzzle. ``share``: 1/k for one of k samples."""
    bills = [s.result.ledger for s in solutions]
    return {
        "generated tokens": round(fmean(b.total.completion_tokens for b in bills) * share, 1),
        "prompt tokens": round(fmean(b.total.prompt_tokens for b in bills), 1),
        "states visited": round(fmean(b.nodes for b in bills) * share, 2),
        "rounds": round(fmean(b.rounds for b in bills), 2),
    }


# ---------------------------------------------------------------- where and why


def chain_fails_at(x: str, text: str) -> int:
    """The first step of a chain (1 to 3) that is illegal or gives 24 away; 4: only the answer is wrong; 0: none."""
    numbers = numbers_of(x)
    for step, line in zip((1, 2, 3), [*text.splitlines(), "", "", ""], strict=False):
        read = read_step(line, numbers)
        if read.value is None or not solvable(read.value.left):
            return step
        numbers = read.value.left
    problem = GAME.problem(x)
    answers = [thought.value.answer for thought in GAME.read_cot(tot.State(x), text) if thought.value]
    return 0 if answers and GAME.verify(problem, answers[-1]).correct else 4


def tree(solution: Solution) -> list[Node]:
    """All nodes, the root first."""
    nodes = [list(solution.result.best[0].path)[-1]]
    for node in nodes:
        nodes += node.children
    return nodes


def refused_lines(solution: Solution) -> list[tuple[str, str]]:
    """(id of the parent, text) of every proposed line that was no legal step."""
    grown = (event for event in solution.trace.events if event["kind"] == "expanded")
    return [(unread["node"], unread["text"]) for event in grown for unread in event["unread"]]


def tree_fails_at(solution: Solution) -> tuple[int, str]:
    """(step, cause) at which a tree search lost 24; (0, "") if it came through.

    Causes: "not proposed": no proposed line kept 24 in reach; "slip": one was meant to, with a mistake in its result or
    its numbers left; "judged impossible": all living states got the lowest value and fell out of the beam; "not kept":
    a living state was valued higher, and fell out all the same.
    """
    beams = [{node["id"] for node in event["nodes"]} for event in solution.trace.events if event["kind"] == "best"]
    nodes = tree(solution)
    frontier = {nodes[0].id}
    for step, beam in zip((1, 2, 3), [*beams, set(), set(), set()], strict=False):
        parents = [node for node in nodes if node.id in frontier]
        living = [child for parent in parents for child in parent.children if solvable(left(child.state))]
        if not living:
            numbers = {parent.id: left(parent.state) for parent in parents}
            lines = ((numbers[at], line) for at, line in refused_lines(solution) if at in numbers)
            return step, "slip" if any(meant_well(*line) for line in lines) else "not proposed"
        if not any(node.id in beam for node in living):
            worst = all((node.value or 0.0) < 1.0 for node in living)
            return step, "judged impossible" if worst else "not kept"
        frontier = beam
    return 0, ""


def meant_well(numbers: Numbers, line: str) -> bool:
    """Would a refused line have kept 24 in reach, had what it says after the = been right?"""
    return any(line.startswith(f"{step.a} {step.op} {step.b} =") and solvable(step.left) for step in moves(numbers))


def legality(solutions: Iterable[Solution], sizes: Sequence[int] = (4, 3, 2)) -> list[float] | None:
    """Share of proposed lines that are legal steps; ``sizes``: how many numbers were left, None if nothing was asked.

    Each request counts once; the requests are the clusters.
    """
    seen: dict[Numbers, list[float]] = {}
    for solution in solutions:
        wrong = Counter(at for at, _ in refused_lines(solution))
        for node in tree(solution):
            lines = [1.0] * len(node.children) + [0.0] * wrong[node.id]
            if lines and len(left(node.state)) in sizes:
                seen[left(node.state)] = lines
    return interval(bootstrap(list(seen.values()))) if seen else None


def verdicts(solutions: Iterable[Solution]) -> Figures:
    """How the evaluator judged living and dead states: share with at least one "sure", by numbers left."""
    judged: dict[Numbers, float] = {}
    for solution in solutions:
        valued = [n for n in tree(solution) if n.depth and n.value is not None and len(left(n.state)) > 1]
        judged |= {left(n.state): n.value for n in valued if n.value is not None}
    table: Figures = {}
    for size in (3, 2):
        for name, alive in (("can reach 24", True), ("cannot", False)):
            values = [v for state, v in judged.items() if len(state) == size and solvable(state) == alive]
            sure = interval(wilson(sum(v >= 20 for v in values), len(values))) if values else None
            table[f"{size} numbers, {name}"] = {"n": len(values), "some sure": sure}
    return table


# ---------------------------------------------------------------- the study


def study(problems: Sequence[Problem], lm: tot.LM, early: tot.LM | None = None) -> Figures:
    """All figures of the study on these puzzles. ``early``: an unfinished model for the roles of table 5's swap."""
    kinds: dict[str, list[Job]] = {
        "io": [job(p, "io", k=100) for p in problems],
        "cot": [job(p, "cot", k=100) for p in problems],
        "cot-sc": [job(p, "cot-sc", k=100) for p in problems],
        "io-refine-checked": [job(p, "io-refine-checked", k=10) for p in problems],
        **{f"tot b={b}": [job(p, "tot-bfs", breadth=b) for p in problems] for b in BREADTHS},
        **{f"tot b={b} p={n}": [job(p, "tot-bfs", breadth=b, proposals=n) for p in problems] for b, n in MORE},
        "tot b=5, the model writes the answer": [job(p, "tot-bfs", breadth=5, compose=False) for p in problems],
    }
    flat = solve_all([j for jobs in kinds.values() for j in jobs], lm)
    runs = {name: flat[i * len(problems) : (i + 1) * len(problems)] for i, name in enumerate(kinds)}
    io, cot, trees = runs["io"], runs["cot"], {b: runs[f"tot b={b}"] for b in BREADTHS}
    rows: Figures = {
        "IO": {"rate": of_samples(io), **cost(io, 0.01)},
        "CoT": {"rate": of_samples(cot), **cost(cot, 0.01)},
        "CoT-SC (k=100)": {"rate": of_answers(runs["cot-sc"]), **cost(runs["cot-sc"])},
        "IO + Refine (k=10, checked)": {
            "rate": of_answers(runs["io-refine-checked"]),
            **cost(runs["io-refine-checked"]),
        },
        "IO, best of 100 (checked)": {"rate": best_of(io, 100), **cost(io)},
        "CoT, best of 100 (checked)": {"rate": best_of(cot, 100), **cost(cot)},
        **{f"ToT b={b}": {"rate": of_answers(trees[b]), **cost(trees[b])} for b in BREADTHS},
        "ToT b=5, any of 5 (checked)": {"rate": of_answers(trees[5], "any"), **cost(trees[5])},
        "ToT b=5, first of 5": {"rate": of_answers(trees[5], "first"), **cost(trees[5])},
        **{
            f"ToT b={b}, {n} propose replies": {
                "rate": of_answers(runs[f"tot b={b} p={n}"]),
                **cost(runs[f"tot b={b} p={n}"]),
            }
            for b, n in MORE
        },
        "ToT b=5, the model writes the answer": {
            "rate": of_answers(runs["tot b=5, the model writes the answer"]),
            **cost(runs["tot b=5, the model writes the answer"]),
        },
    }
    best = {
        name: [{"k": k, "rate": best_of(s, k), **cost(s, k / 100)} for k in KS]
        for name, s in (("IO, best of k", io), ("CoT, best of k", cot))
    }
    fails = {
        "CoT": dict(Counter(chain_fails_at(s.problem, text) for s in cot for text in texts(s))),
        **{f"ToT b={b}": dict(Counter(tree_fails_at(s)[0] for s in trees[b])) for b in (1, 5)},
    }
    lost = {"ToT b=1": trees[1], "ToT b=5": trees[5], "ToT b=5, 3 propose replies": runs["tot b=5 p=3"]}
    found = {name: sorted(Counter(map(tree_fails_at, solutions)).items()) for name, solutions in lost.items()}
    causes = {name: {f"step {at}: {why}": n for (at, why), n in counts if at} for name, counts in found.items()}
    answered = {name: solutions for name, solutions in runs.items() if name not in ("io", "cot")}
    figures: Figures = {
        "rows": rows,
        "puzzles": [p.x for p in problems],
        "right of 100": {"IO": hits(io), "CoT": hits(cot)},
        "solved": {name: [int(s.chosen) for s in solutions] for name, solutions in answered.items()},
        "best of k": best,
        "fails at step": fails,
        "causes": causes,
        "legal lines": legality(trees[5]),
        "legal lines by numbers left": {str(size): legality(trees[5], [size]) for size in (4, 3, 2)},
        "verdicts": verdicts(trees[5]),
    }
    if early is not None:
        teams = swap(problems, lm, early, trees[5])
        figures["swap"] = {name: of_answers(solutions) for name, solutions in teams.items()}
        figures["solved"] |= {name: [int(s.chosen) for s in solutions] for name, solutions in teams.items()}
    return figures


def texts(solution: Solution) -> list[str]:
    """The raw replies of a sampling method, in order."""
    asked = (event["requests"] for event in solution.trace.events if event["kind"] == "asked")
    return [sample["text"] for requests in asked for request in requests for sample in request["samples"]]


def swap(
    problems: Sequence[Problem], final: tot.LM, early: tot.LM, both_final: Sequence[Solution]
) -> dict[str, Sequence[Solution]]:
    """Appendix B.2 in miniature: each of two models as generator and as evaluator, ToT with b = 5."""
    jobs = [job(p, "tot-bfs", breadth=5) for p in problems]
    mixes = {
        "early generates, early evaluates": {"generator": early, "evaluator": early},
        "early generates, final evaluates": {"generator": early, "evaluator": final},
        "final generates, early evaluates": {"generator": final, "evaluator": early},
    }
    teams: dict[str, Sequence[Solution]] = {name: solve_all(jobs, lms) for name, lms in mixes.items()}
    return {**teams, "final generates, final evaluates": both_final}


def on_the_authors_list(lm: tot.LM) -> Figures | None:
    """Rates on those of the paper's own hundred puzzles that the pocket model never saw; None without the file."""
    held = set(held_out())
    try:
        problems = [problem for problem in GAME.problems("authors-hard") if problem.x in held]
    except ValueError:
        return None
    jobs = {"ToT b=1": {"breadth": 1}, "ToT b=5": {"breadth": 5}}
    flat = solve_all([job(p, "tot-bfs", **knobs) for knobs in jobs.values() for p in problems], lm)
    samples = solve_all([job(p, method, k=100) for method in ("io", "cot") for p in problems], lm)
    n = len(problems)
    rates = {"IO": of_samples(samples[:n]), "CoT": of_samples(samples[n:])}
    return {"n": n, **rates, "ToT b=1": of_answers(flat[:n]), "ToT b=5": of_answers(flat[n:])}


def without_help(problems: Sequence[Problem], lm: tot.LM) -> Figures:
    """The ablation of the program's help; see ``studies.game24_help``."""
    kinds = game24_help.jobs(problems, tot.method("tot-bfs"))
    flat = solve_all([j for jobs in kinds.values() for j in jobs], lm)
    return game24_help.figures({name: flat[i * len(problems) :][: len(problems)] for i, name in enumerate(kinds)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=100, help="how many of the 100 hard puzzles")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--weights", type=Path, help="other weights than the package's")
    parser.add_argument("--early", type=Path, default=EARLY, help="the weaker model of table 5's swap; none: no swap")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only-help", action="store_true", help="only the ablation of the help, put into --out")
    a = parser.parse_args()
    started = time.monotonic()
    lm = Pocket(seed=a.seed, weights=a.weights)
    problems = GAME.problems("hard")[: a.puzzles]
    if a.only_help:
        known = json.loads(a.out.read_text(encoding="utf-8"))
        if (known["weights"], known["seed"], known["n"]) != (lm.weights, lm.seed, len(problems)):
            raise SystemExit(f"{a.out} is about other weights, another seed or other puzzles: run the whole study")
        seconds = known.pop("seconds")
        known |= {"help": without_help(problems, lm), "seconds": seconds}
        a.out.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        return
    early = Pocket(seed=a.seed, weights=a.early, name="pocket-early") if a.early.exists() else None
    figures = study(problems, lm, early)
    made_by = {"lm": lm.name, "weights": lm.weights, "seed": lm.seed, "date": time.strftime("%Y-%m-%d")}
    figures = {"n": len(problems), **made_by, **figures}
    held_out_rates = on_the_authors_list(lm) if a.puzzles == 100 else None
    if held_out_rates:
        figures["held-out puzzles of the authors' 901 to 1000"] = held_out_rates
    figures["help"] = without_help(problems, lm)
    figures["seconds"] = round(time.monotonic() - started, 1)
    a.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name, row in figures["rows"].items():
        rate, low, high = row["rate"]
        print(f"{name:38} {rate:6.1%} [{low:.1%}, {high:.1%}]  {row['generated tokens']:9.0f} tokens")
    print(f"{figures['seconds']:.0f} s; wrote {a.out}")


if __name__ == "__main__":
    main()
