"""The Game-of-24 study of the Tree of Thoughts paper (section 4.1), whole and live, on the pocket model.

    python -m studies.game24 [--puzzles 100] [--out studies/results/game24_pocket.json]

Nothing is recorded: the same weights and seed give the same samples again. What comes out is
figures: rates with intervals, costs, where samples fail and why. The solver looks at finished runs only. Where the
authors' ranked list is at hand (TOT_DATA_DIR), those of the paper's own puzzles that were held out are played, too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

import tot
from studies import figures, game24_help
from studies.figures import Figures, mean, share, write
from studies.game24_help import nodes_of
from studies.options import options
from studies.pocket.data import held_out
from studies.trials import GAME, side_by_side, solve_all, solved
from tot.solution import Job, Solution
from tot.stats import pass_at_k
from tot.tasks.base import Problem
from tot.tasks.game24 import left, numbers_of
from tot.tasks.game24_rules import Numbers, moves, read_step, solvable
from treebook.players import Pocket

RESULTS = Path("studies/results/game24_pocket.json")
EARLY = Path("studies/pocket/early.safetensors")
KS = (1, 2, 5, 10, 20, 50, 100)
MORE = ((1, 2), (1, 3), (1, 5), (5, 2), (5, 3), (5, 5))  # breadth, propose replies for each state
BREADTHS = (1, 2, 3, 4, 5)


# ---------------------------------------------------------------- rates


def of_samples(solutions: Iterable[Solution]) -> list[float]:
    """Mean success of single samples; the puzzles are the clusters."""
    return mean([[float(score.correct) for score in s.scores] for s in solutions])


def of_answers(solutions: Iterable[Solution], score: str = "chosen") -> list[float]:
    return share(getattr(s, score) for s in solutions)


def right(solutions: Iterable[Solution]) -> list[int]:
    """For each puzzle, how many of its samples are right."""
    return [sum(score.correct for score in s.scores) for s in solutions]


def best_of(solutions: Sequence[Solution], k: int) -> list[float]:
    """The unbiased estimate for the best of k samples, the check picking."""
    hits = zip(solutions, right(solutions), strict=True)
    return figures.of_samples([[pass_at_k(len(s.scores), found, k)] for s, found in hits])


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
    nodes = nodes_of(solution)
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


def lost_at(solutions: Iterable[Solution]) -> dict[str, int]:
    """How many of the searches failed at which step, and why."""
    found = Counter(map(tree_fails_at, solutions))
    return {f"step {at}: {why}": n for (at, why), n in sorted(found.items()) if at}


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
        for node in nodes_of(solution):
            lines = [1.0] * len(node.children) + [0.0] * wrong[node.id]
            if lines and len(left(node.state)) in sizes:
                seen[left(node.state)] = lines
    return mean(list(seen.values())) if seen else None


def verdicts(solutions: Iterable[Solution]) -> Figures:
    """How the evaluator judged living and dead states: share with at least one "sure", by numbers left."""
    judged: dict[Numbers, float] = {}
    for solution in solutions:
        valued = [n for n in nodes_of(solution) if n.depth and n.value is not None and len(left(n.state)) > 1]
        judged |= {left(n.state): n.value for n in valued if n.value is not None}
    table: Figures = {}
    for size in (3, 2):
        for name, alive in (("can reach 24", True), ("cannot", False)):
            values = [v for state, v in judged.items() if len(state) == size and solvable(state) == alive]
            sure = share(v >= 20 for v in values) if values else None
            table[f"{size} numbers, {name}"] = {"n": len(values), "some sure": sure}
    return table


# ---------------------------------------------------------------- the study


def study(problems: Sequence[Problem], lm: tot.LM, early: tot.LM | None = None) -> Figures:
    """All figures of the study on these puzzles. ``early``: an unfinished model for the roles of table 5's swap."""
    kinds: dict[str, tuple[str, Figures]] = {
        "io": ("io", {"k": 100}),
        "cot": ("cot", {"k": 100}),
        "cot-sc": ("cot-sc", {"k": 100}),
        "io-refine-checked": ("io-refine-checked", {"k": 10}),
        **{f"tot b={b}": ("tot-bfs", {"breadth": b}) for b in BREADTHS},
        **{f"tot b={b} p={n}": ("tot-bfs", {"breadth": b, "proposals": n}) for b, n in MORE},
        "tot b=5, the model writes the answer": ("tot-bfs", {"breadth": 5, "compose": False}),
    }
    runs = side_by_side({name: jobs(problems, *kind) for name, kind in kinds.items()}, lm)
    io, cot, trees = runs["io"], runs["cot"], {b: runs[f"tot b={b}"] for b in BREADTHS}

    def row(kind: str, rate: Callable[[Sequence[Solution]], list[float]] = of_answers, part: float = 1.0) -> Figures:
        return {"rate": rate(runs[kind]), **cost(runs[kind], part)}

    rows: Figures = {
        "IO": row("io", of_samples, 0.01),
        "CoT": row("cot", of_samples, 0.01),
        "CoT-SC (k=100)": row("cot-sc"),
        "IO + Refine (k=10, checked)": row("io-refine-checked"),
        "IO, best of 100 (checked)": row("io", lambda s: best_of(s, 100)),
        "CoT, best of 100 (checked)": row("cot", lambda s: best_of(s, 100)),
        **{f"ToT b={b}": row(f"tot b={b}") for b in BREADTHS},
        "ToT b=5, any of 5 (checked)": row("tot b=5", lambda s: of_answers(s, "any")),
        "ToT b=5, first of 5": row("tot b=5", lambda s: of_answers(s, "first")),
        **{f"ToT b={b}, {n} propose replies": row(f"tot b={b} p={n}") for b, n in MORE},
        "ToT b=5, the model writes the answer": row("tot b=5, the model writes the answer"),
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
    figures: Figures = {
        "rows": rows,
        "puzzles": [p.x for p in problems],
        "right of 100": {"IO": right(io), "CoT": right(cot)},
        "solved": {name: solved(runs[name]) for name in runs if name not in ("io", "cot")},
        "best of k": best,
        "fails at step": fails,
        "causes": {name: lost_at(solutions) for name, solutions in lost.items()},
        "legal lines": legality(trees[5]),
        "legal lines by numbers left": {str(size): legality(trees[5], [size]) for size in (4, 3, 2)},
        "verdicts": verdicts(trees[5]),
    }
    if early is not None:
        teams = swap(problems, lm, early) | {"final generates, final evaluates": trees[5]}
        figures["swap"] = {name: of_answers(solutions) for name, solutions in teams.items()}
        figures["solved"] |= {name: solved(solutions) for name, solutions in teams.items()}
    return figures


def jobs(problems: Sequence[Problem], method: str, knobs: Figures) -> list[Job]:
    return [Job(GAME, p, tot.method(method), knobs) for p in problems]


def texts(solution: Solution) -> list[str]:
    """The raw replies of a sampling method, in order."""
    return [sample["text"] for sample in solution.trace.samples()]


def swap(problems: Sequence[Problem], final: tot.LM, early: tot.LM) -> dict[str, list[Solution]]:
    """Appendix B.2 in miniature: each of two models as generator and as evaluator, ToT with b = 5."""
    searches = jobs(problems, "tot-bfs", {"breadth": 5})
    mixes = {
        "early generates, early evaluates": {"generator": early, "evaluator": early},
        "early generates, final evaluates": {"generator": early, "evaluator": final},
        "final generates, early evaluates": {"generator": final, "evaluator": early},
    }
    return {name: solve_all(searches, lms, show=True) for name, lms in mixes.items()}


def on_the_authors_list(lm: tot.LM) -> Figures | None:
    """Rates on those of the paper's own hundred puzzles that the pocket model never saw; None without the file."""
    held = set(held_out())
    try:
        problems = [problem for problem in GAME.problems("authors-hard") if problem.x in held]
    except ValueError:
        return None
    trees = side_by_side({f"ToT b={b}": jobs(problems, "tot-bfs", {"breadth": b}) for b in (1, 5)}, lm)
    samples = side_by_side({name: jobs(problems, name.lower(), {"k": 100}) for name in ("IO", "CoT")}, lm)
    rates = {name: of_samples(runs) for name, runs in samples.items()}
    return {"n": len(problems), **rates, **{name: of_answers(runs) for name, runs in trees.items()}}


def main() -> None:
    weights, early = (Path, "other weights than the package's"), (EARLY, "the weaker model of table 5's swap, if any")
    a = options(__doc__, puzzles=100, out=RESULTS, weights=weights, early=early, seed=0)
    started = time.monotonic()
    lm = Pocket(seed=a.seed, weights=a.weights)
    problems = GAME.problems("hard")[: a.puzzles]
    weak = Pocket(seed=a.seed, weights=a.early, name="pocket-early") if a.early.exists() else None
    made_by = {"lm": lm.name, "weights": lm.weights, "seed": lm.seed, "date": time.strftime("%Y-%m-%d")}
    figures = {"n": len(problems), **made_by, **study(problems, lm, weak)}
    if a.puzzles == 100 and (held_out_rates := on_the_authors_list(lm)):
        figures["held-out puzzles of the authors' 901 to 1000"] = held_out_rates
    figures["help"] = game24_help.figures(side_by_side(game24_help.jobs(problems), lm))
    figures["seconds"] = round(time.monotonic() - started, 1)
    write(figures, a.out)


if __name__ == "__main__":
    main()
