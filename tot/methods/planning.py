"""Recipes that plan first and then have the plan carried out: *Planning with MCTS*, and what it is compared with.

A plan is a thought, and its revision is the next one: a state's newest thought is its plan. Three roles, each of which
may be a model of its own: "planner" writes and revises plans, "judge" scores them, "executor" carries the chosen one
out. With ``plan_only`` the output is the plan, for a person to look at; ``plan_and_solve`` takes a plan to carry out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from numbers import Integral

from ..ask import Asking, Best, Evaluate, Event, Generate, Search
from ..evaluate import constant, judges
from ..generate import ReadThoughts, generator
from ..parse import Read, bad
from ..search.breadth_first import bfs
from ..search.monte_carlo import SQRT2, Choose, check_knobs, highest, mcts, most_visited
from ..state import Node, State, Thought
from ..tasks.base import Plannable


def zero_shot_cot(task: Plannable, x: str, *, k: int = 1, first: int = 0) -> Search:
    """Zero-shot chain of thought (Kojima et al. 2022): the executor alone thinks step by step, ``k`` times."""
    return bfs(Node(State(x)), executor(task, k, first), constant, depth=1, breadth=max(1, k))


def plan_and_solve(
    task: Plannable, x: str, *, plan: str | None = None, plan_only: bool = False, k: int = 1, first: int = 0
) -> Search:
    """Plan-and-Solve (Wang et al. 2023): one plan, carried out ``k`` times.

    Theirs is a single prompt for plan and solution; here they are two, as in *Planning with MCTS*, so that two models
    can share the work. ``plan``: one that a person wrote or reviewed; then no planner is asked.

    Raises ValueError for a plan that is empty, and k < 1.
    """
    _at_least_one(k=k)
    write = planner(task, 1, first)
    if plan is not None:
        if not plan.strip():
            raise ValueError("the plan is empty: write one, or leave it out, and the planner is asked for one")
        write = generator(lambda state: task.plan(state, ""), task.read_plan, local=lambda state: [Thought(plan)])
    return _carried_out(bfs(Node(State(x)), write, constant, depth=1, breadth=1), task, plan_only, k, first)


def best_of_k_plans(
    task: Plannable,
    x: str,
    *,
    plans: int = 10,
    logic: float = 1.0,
    feasibility: float = 1.0,
    values: int = 1,
    executed: int = 1,
    plan_only: bool = False,
    k: int = 1,
    first: int = 0,
) -> Search:
    """Best of ``plans`` independent plans by the reward of ``mcts_plan``: the same judges without a tree. Three rounds.

    Choose ``plans`` so that it spends as many tokens as the tree search that it is compared with (see the ledger).
    ``executed``: how many of them are carried out, ``k`` times each, best first; of their answers the most frequent
    wins. With all of them, one run shows whether a better reward means a better answer. A plan that repeats an earlier
    one is refused, and counted like an unreadable one.

    Raises ValueError for knobs that make no sense.
    """
    _at_least_one(plans=plans, values=values, executed=executed, k=k)
    judge = _panel(task, logic, feasibility, values, first)
    ranked = bfs(Node(State(x)), planner(task, plans, first), judge, depth=1, breadth=plans)
    return _carried_out(ranked, task, plan_only, k, first, executed)


def mcts_plan(
    task: Plannable,
    x: str,
    *,
    rollouts: int = 10,
    revisions: int = 3,
    depth: int = 5,
    exploration: float = SQRT2,
    leaves: int = 1,
    logic: float = 1.0,
    feasibility: float = 1.0,
    values: int = 1,
    final: str = "reward",
    least: int = 2,
    enough: float = 0.0,
    zero_sum: bool = False,
    plan_only: bool = False,
    k: int = 1,
    first: int = 0,
) -> Search:
    """Monte Carlo tree search over plans (*Planning with MCTS*, section 2.2): rewrite the most promising plan with the
    judges' words in view, score what comes out, and in the end carry the best one out ``k`` times.

    ``rollouts``: plans that are judged, the initial one among them. ``revisions`` are sampled of each plan that is
    expanded, ``depth`` is how often a plan may be revised, ``leaves`` rollouts share their rounds. The reward of a plan
    is the mean of the judges' scores, weighted by ``logic`` and ``feasibility`` (0: not asked), each the mean of
    ``values`` samples. ``enough``: a plan with this reward ends the search (0: never). ``exploration`` is the C of
    UCB1. ``zero_sum``: see ``mcts``.

    ``final`` says which plan is carried out: the one with the best "reward" of its own; the best "mean" over its visits
    (the paper's rule), if it has ``least`` visits, because a plan that was seen once wins by luck; or by "visits", down
    from the initial plan as long as the most visited revision has ``least``. Of equals the earlier, less revised plan.

    A revision that says what a plan in the tree says already is refused, and counted like an unreadable one. If there
    is no initial plan, there is no output. The paper gives neither C, nor weights, threshold, depth and rollouts of its
    main results: the defaults are ours.

    Raises ValueError for knobs that make no sense.
    """
    rules: dict[str, Choose] = {
        "reward": highest(lambda node: node.value),
        "mean": highest(lambda node: node.mean if node.visits >= least else None),
        "visits": partial(most_visited, least=least),
    }
    if final not in rules:
        raise ValueError(f"the final plan is chosen by one of {', '.join(rules)}, not by {final!r}")
    if not 0 <= enough <= 1:
        raise ValueError(f"enough, the reward that ends the search, is from 0 (never) to 1, not {enough}")
    _at_least_one(rollouts=rollouts, revisions=revisions, leaves=leaves, values=values, least=least, k=k)
    check_knobs(rollouts=rollouts, depth=depth, exploration=exploration, leaves=leaves, enough=enough)
    panel = _panel(task, logic, feasibility, values, first)
    said: dict[State, str] = {}  # what the judges said of a plan, for its revisions
    read = _news(task.read_plan)

    def judge(nodes: Sequence[Node]) -> Asking[None]:
        yield from panel(nodes)
        said.update((node.state, node.note) for node in nodes)

    def write(samples: int) -> Generate:
        prompt = lambda state: task.plan(state, said.get(state, ""))  # noqa: E731
        return generator(prompt, read, k=samples, first=first, role="planner")

    def search() -> Search:
        plans = yield from write(1)([Node(State(x))])
        if plans:
            yield from mcts(
                plans[0],
                write(revisions),
                judge,
                rollouts=rollouts,
                depth=depth,
                exploration=exploration,
                leaves=leaves,
                zero_sum=zero_sum,
                enough=enough or inf,
                choose=rules[final],
            )

    return _carried_out(search(), task, plan_only, k, first)


# ---------------------------------------------------------------- the parts


def planner(task: Plannable, k: int = 1, first: int = 0) -> Generate:
    """``k`` independent plans for a question, without those that say the same. One for each run."""
    return generator(lambda state: task.plan(state, ""), _news(task.read_plan), k=k, first=first, role="planner")


def executor(task: Plannable, k: int = 1, first: int = 0) -> Generate:
    """``k`` solutions that follow a state's plan; for a state without one, chains of thought."""
    return generator(task.execute, task.read_executed, k=k, first=first, distinct=False, role="executor")


def _at_least_one(**knobs: int) -> None:
    """Raises ValueError for a knob that is no whole number from 1 up: before anything is asked, not in the middle."""
    for name, number in knobs.items():
        if not (isinstance(number, Integral) and number >= 1):
            raise ValueError(f"{name} is a whole number of at least 1, not {number}")


def _panel(task: Plannable, logic: float, feasibility: float, values: int, first: int) -> Evaluate:
    weights = {"logic": logic, "feasibility": feasibility}
    return judges(
        {name: partial(task.assess, judge=name) for name in weights},
        task.read_assessment,
        weights=weights,
        n=values,
        first=first,
    )


def _news(read: ReadThoughts) -> ReadThoughts:
    """``read`` without the plans that it gave before, up to case, spaces and punctuation. One for each run."""
    known: set[str] = set()

    def reader(state: State, text: str) -> Iterator[Read[Thought]]:
        for item in read(state, text):
            plan = " ".join(re.findall(r"\w+", item.value.text.lower())) if item.value else ""
            if item.ok and plan in known:
                yield bad("the same plan again", text)
            else:
                known.add(plan)
                yield item

    return reader


def _carried_out(search: Search, task: Plannable, plan_only: bool, k: int, first: int, top: int = 1) -> Search:
    """``search``, and then the execution of the ``top`` plans that it ranks first."""
    best = yield from output(search)
    if best and not plan_only:
        yield Best((yield from executor(task, k, first)(best[:top])))


def output(search: Search) -> Asking[list[Node]]:
    """Run ``search`` as a part of another one: everything that it yields is passed on. Returns its last ``Best``."""
    best: list[Node] = []
    try:
        item = next(search)
        while True:
            if isinstance(item, Event) and item.kind == "best":
                best = item.nodes
            item = search.send((yield item))
    except StopIteration:
        return best
