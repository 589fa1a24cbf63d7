"""What each chapter's cassette holds: the runs to record, cheapest and most needed first.

A plan is a list of (method, problems of which split, knobs). (The papers' own settings, for a capable model, are in
``studies/paper_table/plans.py``.) Beams are not nested, so each breadth is a run of its own;
most of their samples are shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import tot
from studies.passages import METHODS
from tot.tasks.game24 import Game24


@dataclass(frozen=True)
class Plan:
    """One group of runs: a method with its knobs on some problems of a task's split.

    ``small``: the roles that a second, smaller model plays (chapter 15).
    """

    method: str
    split: str
    part: tuple[int, int | None, int] = (0, None, 1)  # start, stop, step
    params: dict[str, Any] = field(default_factory=dict)
    task: str = "game24"
    small: tuple[str, ...] = ()

    def jobs(self) -> list[tot.Job]:
        task = tot.task(self.task)
        method = tot.method(self.method)
        return [tot.Job(task, problem, method, self.params) for problem in task.problems(self.split)[slice(*self.part)]]


# Chapter 2 asks a model directly, with no method around it.
PICK = tot.user("Pick a whole number from 1 to 13. Reply with the number only.", max_tokens=4)
MAKE_24 = Game24().io(tot.State("4 6 8 8"))
REQUESTS: dict[str, list[tot.Request]] = {
    "02": [replace(PICK, temperature=t, n=5 if t == 0 else 100) for t in (0.0, 0.7, 1.5)]
    + [replace(MAKE_24, temperature=t, n=5 if t == 0 else 20) for t in (0.0, 0.7, 1.5)]
}

TEN = (0, None, 4)  # ten of the forty starter puzzles, evenly spread


def lean(breadth: int, part: tuple[int, int | None, int] = TEN, **more: Any) -> Plan:
    return Plan("tot-bfs", "starter", part, {"style": "lean", "breadth": breadth, **more})


def pocket(breadth: int, **more: Any) -> Plan:
    """One puzzle of the hard ones: it needs a second propose reply."""
    return Plan("tot-bfs", "hard", (11, 12, 1), {"breadth": breadth, **more})


FOUR = (1, 417, 846, 1360)  # every 320th of the puzzles that chapter 18 trains on
HELD_OUT = 16  # of the hard puzzles: 2 6 10 13, which the pupil's search solves and the novice's does not


def taught(breadth: int) -> list[Plan]:
    """The search of a round of chapter 18, on four puzzles."""
    return [Plan("tot-bfs", "all", (i, i + 1, 1), {"breadth": breadth, "proposals": 2}) for i in FOUR]


def tested(puzzle: int) -> list[Plan]:
    """Chains, and the search of its measurements, on one of the puzzles that chapter 18 never trains on."""
    one = (puzzle, puzzle + 1, 1)
    return [Plan("tot-bfs", "hard", one, {"breadth": 5}), Plan("cot", "hard", one, {"k": 40})]


def writing(method: str, **params: Any) -> Plan:
    """Eight of the forty inputs, ordinary and odd."""
    return Plan(method, "book", (0, None, 5), params, "writing")


def crosswords(method: str, part: tuple[int, int | None, int], **params: Any) -> Plan:
    return Plan(method, "easy", part, params, "crosswords")


def zero_shot(method: str, part: tuple[int, int | None, int], **params: Any) -> list[Plan]:
    """Word problems, and questions with yes or no as the answer."""
    return [Plan(method, "book", part, params, task) for task in ("gsm8k", "strategyqa")]


def zero_shots(part: tuple[int, int | None, int]) -> list[Plan]:
    """All that chapter 9 compares, on a part of the problems: each part is whole before the next begins."""
    io, cot = zero_shot("io", part, k=5), zero_shot("cot", part, k=5)
    tree = zero_shot("tot-vote", part)
    return [*io, cot[0], tree[0], cot[1], tree[1]]


# The iToT poster gives neither k nor L nor R: these are small, for a model that a laptop records.
TREE: dict[str, Any] = {"k": 3, "depth": 5, "rounds": 8}
FAILING = "Search=0.3,Lookup=0.3,seed=1"


def tools(method: str, split: str, part: tuple[int, int | None, int], **params: Any) -> Plan:
    """Questions on the bundled encyclopedia."""
    return Plan(method, split, part, params, "hotpotqa")


def linear(method: str, **params: Any) -> list[Plan]:
    """Forty questions: the twenty easy ones, and half of the others."""
    return [tools(method, "easy", (0, None, 1), **params), tools(method, "hard", (0, None, 2), **params)]


def trees(part: tuple[int, int | None, int]) -> list[Plan]:
    """All searches over steps, on some of the easy questions. They share most of their samples."""
    informed = "react-best-first", "itot-astar", "itot-dstar"
    return [
        *(tools(name, "easy", part, **TREE) for name in informed),
        tools("react-dfs", "easy", part, k=3, depth=5, steps=16),
        *(tools(name, "easy", part, **TREE, failures=FAILING) for name in informed),
        tools("lats", "easy", part, k=3, depth=5, rollouts=3),
        tools("itot-astar", "easy", part, **TREE, lazy=True),
    ]


def asked(part: tuple[int, int | None, int]) -> list[Plan]:
    """The searches on easy questions again, with the answer asked for at the end: only that request is new."""
    last: dict[str, Any] = {"answer": "asked"}
    return [
        *(tools(name, "easy", part, **TREE, **last) for name in ("react-best-first", "itot-astar", "itot-dstar")),
        tools("react-dfs", "easy", part, k=3, depth=5, steps=16, **last),
        tools("lats", "easy", part, k=3, depth=5, rollouts=3, **last),
        tools("itot-astar", "easy", part, **TREE, **last, lazy=True),
    ]


SIX: dict[str, Any] = {"rollouts": 6, "revisions": 2}
PILOT = ("addsub", "multiarith", "singleeq", "commonsenseqa", "last_letters", "object_tracking")
TENS = [(i, i + 10, 1) for i in (0, 10, 20, 30)]


def tree(task: str, part: tuple[int, int | None, int], *, small: tuple[str, ...] = (), **more: Any) -> Plan:
    """The tree over plans of chapters 14 and 15."""
    return Plan("mcts-plan", "book", part, {**SIX, **more}, task, small)


def planning(task: str, part: tuple[int, int | None, int]) -> list[Plan]:
    """Six plans side by side, all of them carried out; a tree of six; what it would have carried out by other rules.

    Plan-and-Solve is among them: its plan is the first. Zero-shot CoT of gsm8k is in chapter 9's recording. Shorter and
    flatter trees ask mostly what the tree of six asks; a tree of six has no plan that was revised more than five times.
    """
    cot = [Plan("zero-shot-cot", "book", part, {"k": 5}, task)] if task != "gsm8k" else []
    side = Plan("judged-plans", "book", part, {"plans": 6, "executed": 6}, task)
    rules: list[dict[str, Any]] = [{"final": "mean"}, {"final": "visits"}, *({"rollouts": n} for n in (2, 3, 4, 5))]
    rules += ({"depth": n} for n in (1, 2, 3, 4))
    return [*cot, tree(task, part), side, *(tree(task, part, **rule) for rule in rules)]


def example(task: str, place: int) -> list[Plan]:
    """One problem, for reading: a chain, a plan carried out, and a tree."""
    one = (place, place + 1, 1)
    return [*(Plan(name, "book", one, {}, task) for name in ("zero-shot-cot", "plan-and-solve")), tree(task, one)]


def roles(part: tuple[int, int | None, int]) -> list[Plan]:
    """Who plans, who judges, who executes: the small model in these roles, the one of chapter 14 in the others.

    All large is in chapter 14. The last five are what table 4 of the paper lacks.
    """
    alone: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("plan-and-solve", ("planner",)),
        ("plan-and-solve", ("executor",)),
        ("plan-and-solve", ("planner", "executor")),
    )
    return [
        tree("gsm8k", part, small=("planner", "judge")),
        tree("gsm8k", part, small=("planner",)),
        tree("gsm8k", part, small=("planner", "executor")),
        tree("gsm8k", part, small=("planner", "judge", "executor")),
        *(Plan(name, "book", part, {}, "gsm8k", small) for name, small in alone),
        tree("gsm8k", part, small=("executor",)),
        Plan("zero-shot-cot", "book", part, {"k": 5}, "gsm8k", ("executor",)),
    ]


PLANS: dict[str, list[Plan]] = {
    "03": [Plan("io", "starter", params={"k": 10})],
    "04": [
        Plan("cot", "starter", params={"k": 5}),
        Plan("io-refine-checked", "starter", TEN, {"k": 4}),
        Plan("cot", "starter", params={"k": 10}),
    ],
    "06": [
        *(lean(b) for b in (5, 1, 3, 2, 4)),
        Plan("tot-bfs", "starter", TEN, {"style": "one-shot", "breadth": 1}),
        *(lean(b, (2, None, 4)) for b in (5, 1, 2, 3, 4)),
        lean(5, compose=False),
        *(lean(b, (1, None, 4)) for b in (5, 1, 2, 3, 4)),
        *(lean(b, (3, None, 4)) for b in (5, 1, 2, 3, 4)),
    ],
    "06_pocket": [
        *(pocket(1), pocket(5), pocket(1, proposals=2), pocket(5, proposals=2)),
        Plan("tot-mcts", "starter", (1, 2, 1), {"rollouts": 40}),  # the gallery's, like those below
        *(Plan(name, "hard", (11, 12, 1), {}) for name in ("dvts", "rebase", "particles", "restarts", "puct")),
        Plan("ab-mcts", "hard", (11, 12, 1), {"rollouts": 30}),
    ],
    "07": [writing(method, **knobs) for method, knobs in METHODS.items()],
    "08": [
        crosswords("io", (0, None, 1), k=5),
        crosswords("cot", (0, None, 1), k=5),
        crosswords("tot-dfs", (0, 2, 1), steps=20),
        crosswords("tot-dfs", (0, 1, 1), prune=False, steps=20),
        crosswords("tot-dfs", (0, 1, 1), backtrack=False),
    ],
    "09": [*zero_shots((0, 20, 1)), *zero_shots((20, 40, 1))],
    "12": [
        *linear("io"),
        *linear("few-shot"),
        *linear("cot"),
        *linear("react", depth=6),
        *trees((0, None, 2)),
        tools("react", "easy", (0, None, 1), depth=6, failures=FAILING),
        *trees((1, None, 2)),
        *linear("retrieve-read", k=5),
        *linear("react", depth=6, answer="asked"),
        *asked((0, None, 1)),
        *linear("retrieve-read"),  # the first of the five answers above
        tools("react-best-first", "hard", (0, None, 4), **TREE, answer="asked"),
    ],
    "14": [
        *(plan for task in ("gsm8k", "svamp") for ten in TENS for plan in planning(task, ten)),
        *(plan for place in (59, 0) for plan in example("count_letters", place)),
        *(plan for task in ("commonsenseqa", "last_letters", "object_tracking") for plan in example(task, 5)),
        *(tree("gsm8k", TENS[0], rollouts=n) for n in (20, 10, 7)),
        *(Plan(name, "book", (0, 3, 1), {}, task) for task in PILOT for name in ("zero-shot-cot", "plan-and-solve")),
        *(tree("gsm8k", ten, **{other: 0}) for ten in TENS for other in ("feasibility", "logic")),  # each judge alone
    ],
    "15": [*roles(TENS[0]), *roles(TENS[1])],
    "18_novice": [*taught(5), *taught(1), *tested(HELD_OUT)],
    "18_pupil": tested(HELD_OUT),
    "19_pocket": [  # one hard puzzle: the right answer is in the beam, and is not the likeliest one
        Plan("likely-beam", "hard", (9, 10, 1), {"breadth": 3}),
        Plan("levin", "hard", (9, 10, 1), {"expansions": 30}),
    ],
}
