"""Recipes that reason and act: ReAct, tree searches over its steps, informed Tree of Thoughts, and LATS.

A step is a thought, an action and what a tool observed (Yao et al. 2022, ReAct). All recipes here take the same steps,
prompts, tools and evaluator, and differ in the order in which they look at them.

The knobs that they share: ``depth``, at most so many steps (L); ``k``, thoughts sampled for each state, of which those
with different actions are kept; ``values``, verdicts sampled for each state; ``corpus``, where the tools look ("": the
task knows); ``costs``, V_T by tool; ``failures``, calls that fail on purpose (see ``tot.tools.Failures``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..ask import Act, Ask, Asking, Best, Evaluate, Event, Search
from ..evaluate import constant, judges
from ..generate import generator
from ..lm.base import Reply
from ..parse import read_sample, shorten
from ..search.best_first import best_first
from ..search.breadth_first import bfs
from ..search.depth_first import dfs
from ..search.informed import ToolCost, itot_astar, itot_dstar
from ..search.monte_carlo import mcts
from ..state import Node, State, Thought
from ..tasks.base import ToolUsing

COSTS = "Search=1,Lookup=0.5"  # ours: the poster gives none
RECALLED = 5  # failures, or lessons, that a prompt is shown


def react(
    task: ToolUsing, x: str, *, depth: int = 7, corpus: str = "", costs: str = COSTS, failures: str = "", first: int = 0
) -> Search:
    """ReAct (Yao et al. 2022): one chain of steps. What cannot be read ends it; there is no way back."""
    steps = Steps(task, x, 1, first, corpus, costs, failures)
    return bfs(Node(State(x)), steps.with_tools, constant, depth=depth, breadth=1)


def react_dfs(
    task: ToolUsing,
    x: str,
    *,
    k: int = 3,
    values: int = 1,
    depth: int = 7,
    threshold: float = 0.2,
    steps: int = 30,
    corpus: str = "",
    costs: str = COSTS,
    failures: str = "",
    first: int = 0,
) -> Search:
    """Depth-first search over steps, the iToT poster's baseline "ToT DFS": up to the first answer that is not pruned.

    A child's tool runs when its turn comes. States of value at most ``threshold`` are pruned, and at most ``steps``
    states visited; after ``depth`` steps without an answer it goes back. The poster gives neither.
    """
    parts = Steps(task, x, k, first, corpus, costs, failures)
    judge = parts.value(values)

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        return parts.thoughts([node for node in nodes if node.depth < depth])

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        yield from parts.act(nodes)
        yield from judge(nodes)

    search = dfs(Node(State(x)), generate, evaluate, depth=depth + 1, threshold=threshold, steps=steps, early_stop=True)
    return _first_answer(search)


def react_best_first(
    task: ToolUsing,
    x: str,
    *,
    k: int = 3,
    values: int = 1,
    depth: int = 7,
    rounds: int = 15,
    corpus: str = "",
    costs: str = COSTS,
    failures: str = "",
    first: int = 0,
) -> Search:
    """Best-first search over steps, the iToT poster's baseline "ToT Best First Search". ``rounds`` is R."""
    steps = Steps(task, x, k, first, corpus, costs, failures)
    return best_first(Node(State(x)), steps.with_tools, steps.value(values), depth=depth, rounds=rounds)


def astar(
    task: ToolUsing,
    x: str,
    *,
    k: int = 3,
    values: int = 1,
    depth: int = 7,
    rounds: int = 15,
    weight: float = 5.0,
    lazy: bool = False,
    memory: bool = False,
    corpus: str = "",
    costs: str = COSTS,
    failures: str = "",
    first: int = 0,
) -> Search:
    """iToT-A*: Algorithm 1 of the poster (see ``itot_astar``). ``rounds`` is R.

    ``weight``: what a sure answer is worth, in the unit of ``costs``; with 5, one more Search has to raise the value by
    0.2 to pay off. ``lazy``: tools run when a state is taken up. ``memory``: prompts also show what failed in other
    branches (the poster's Memory holds the expanded tree; ours the newest ``RECALLED`` failures of it).
    """
    steps = Steps(task, x, k, first, corpus, costs, failures, _failed_elsewhere if memory else _nothing)
    return itot_astar(
        Node(State(x)),
        steps.thoughts,
        steps.act,
        steps.value(values),
        tool_cost=steps.cost,
        depth=depth,
        rounds=rounds,
        weight=weight,
        lazy=lazy,
    )


def dstar(
    task: ToolUsing,
    x: str,
    *,
    k: int = 3,
    values: int = 1,
    depth: int = 7,
    rounds: int = 15,
    weight: float = 5.0,
    failure_cost: float = 1.0,
    propagate: str = "path",
    discount: float = 0.5,
    lazy: bool = False,
    memory: bool = False,
    corpus: str = "",
    costs: str = COSTS,
    failures: str = "",
    first: int = 0,
) -> Search:
    """iToT-D* Lite: Algorithm 2 of the poster (see ``itot_dstar``). ``failure_cost`` is delta_T; the rest as above.

    ``propagate`` and ``discount``: which other states a failure is charged to, and how much of it (``propagate_from``).
    """
    steps = Steps(task, x, k, first, corpus, costs, failures, _failed_elsewhere if memory else _nothing)
    return itot_dstar(
        Node(State(x)),
        steps.thoughts,
        steps.act,
        steps.value(values),
        tool_cost=steps.cost,
        failure_cost=failure_cost,
        depth=depth,
        rounds=rounds,
        weight=weight,
        lazy=lazy,
        propagate=propagate,
        discount=discount,
    )


def lats(
    task: ToolUsing,
    x: str,
    *,
    k: int = 3,
    values: int = 1,
    depth: int = 7,
    rollouts: int = 8,
    exploration: float = 1.0,
    enough: float = 0.9,
    reflections: bool = True,
    corpus: str = "",
    costs: str = COSTS,
    failures: str = "",
    first: int = 0,
) -> Search:
    """Language Agent Tree Search (Zhou et al. 2023), section 4: UCT over steps, with simulations and reflections.

    A rollout selects a leaf by UCB1, expands it into ``k`` steps, and goes on from one of them, by the best value at
    each step, to an answer or to the depth limit. That answer's value is the reward that is backed up. If it is below
    ``enough``, the model says what went wrong, and the newest lessons stand in all later prompts. The output is the
    answer of highest value; one of at least ``enough`` ends the search, and so do ``rollouts``. ``exploration`` is the
    C of UCB1. ``reflections=False``: no lessons.

    Differences: LATS takes its reward from the environment, which knows the gold answer; here the evaluator's value is
    the reward, and no gold is in the search. Its value is half self-consistency, here the evaluator's score alone. What
    a simulation generates stays in the tree, and a way that ends without an answer earns 0.
    """
    lessons: list[str] = []
    steps = Steps(task, x, k, first, corpus, costs, failures, lambda node: lessons[-RECALLED:])
    judge = steps.value(values)

    def evaluate(leaves: Sequence[Node]) -> Asking[None]:
        yield from steps.act(leaves)
        yield from judge([leaf for leaf in leaves if leaf.depth])
        for leaf in leaves:
            end = leaf
            while not end.terminal and end.depth < depth and (children := (yield from steps.with_tools([end]))):
                yield from judge(children)
                end = max(children, key=lambda n: n.value or 0.0)
            leaf.value = (end.value or 0.0) if end.terminal else 0.0
            if reflections and (not end.terminal or (end.value or 0.0) < enough):
                yield from reflect(end)

    def reflect(end: Node) -> Asking[None]:
        request = task.reflect(end.state).samples(first, 1)
        replies: list[Reply] = yield Ask("generator", [end], [request])
        lesson = read_sample(replies[0].samples[0], task.read_lesson)
        if lesson.ok and lesson.value:
            lessons.append(lesson.value)
        unread = [] if lesson.ok else [{"node": end.id, "why": lesson.why, "text": lesson.text}]
        yield Event("reflected", [end], {"lesson": lesson.value, "unread": unread})

    search = mcts(
        Node(State(x)),
        steps.thoughts,
        evaluate,
        rollouts=rollouts,
        depth=depth,
        exploration=exploration,
        choose=lambda root, changed: max(
            (node for node in _tree(root) if node.terminal), key=lambda node: node.value or 0.0, default=root
        ),
    )
    return _until(search, enough)


# ---------------------------------------------------------------- the parts


def _nothing(node: Node) -> Sequence[str]:
    return ()


class Steps:
    """The parts of all recipes here, for one problem: thoughts, the tools and their cost, and values.

    ``memory(node)`` gives the lines that a prompt shows beside the path. Raises ValueError for knobs that cannot be
    read.
    """

    def __init__(
        self,
        task: ToolUsing,
        x: str,
        k: int,
        first: int,
        corpus: str,
        costs: str,
        failures: str,
        memory: Callable[[Node], Sequence[str]] = _nothing,
    ) -> None:
        from ..tools import Costs, Failures, actor, next_call  # here: they are a sixth of what `import tot` would cost

        Failures.parse(failures)
        where = task.corpus(x, corpus)
        self.task, self.k, self.first, self.memory = task, k, first, memory
        self.cost: ToolCost = Costs.parse(costs)  # V_T
        self.act: Act = actor(lambda state: next_call(state, where, failures), self.cost)

    def thoughts(self, nodes: Sequence[Node]) -> Asking[list[Node]]:
        """``k`` samples of the next thought and action; of those with the same action the first. No tool runs."""
        recalled = {node.state: tuple(self.memory(node)) for node in nodes}
        sample = generator(
            lambda state: self.task.act(state, recalled[state]),
            self.task.read_act,
            k=self.k,
            first=self.first,
            gather=_distinct_actions,
        )
        return (yield from sample(nodes))

    def with_tools(self, nodes: Sequence[Node]) -> Asking[list[Node]]:
        """Whole steps: thoughts whose tools have run."""
        children = yield from self.thoughts(nodes)
        yield from self.act(children)
        return children

    def value(self, values: int) -> Evaluate:
        """V from 0 to 1: the mean of ``values`` verdicts; None if none could be read."""
        panel = {"prospect": self.task.prospect}
        return judges(panel, self.task.read_prospect, n=values, first=self.first, role="evaluator")


def _distinct_actions(thoughts: Sequence[Thought]) -> Iterable[Thought]:
    """Of thoughts with the same action the first; thoughts without one are all different."""
    seen: dict[object, Thought] = {}
    for thought in thoughts:
        seen.setdefault(getattr(thought.data, "same", thought), thought)
    return seen.values()


def _failed_elsewhere(node: Node) -> Sequence[str]:
    """What failed in other branches, the newest last, each once."""
    *_, root = node.path
    here, found = set(node.path), dict[str, None]()
    for other in _tree(root):
        last = other.state.last
        if other not in here and last and last.observation and last.observation.failed:
            line = shorten(f"{last.data}: {last.observation.text}", 160)
            found.pop(line, None)
            found[line] = None
    return list(found)[-RECALLED:]


def _tree(root: Node) -> list[Node]:
    """All nodes, level by level."""
    found = [root]
    for node in found:
        found += node.children
    return found


def _first_answer(search: Search) -> Search:
    """``search``, a depth-first one, whose output is the answer that it ends with, if there is one: a state that is
    deeper and states no answer does not count more.
    """
    return _watched(search, lambda event: [Best(event.nodes)] if event.kind == "kept" and _is_answer(event) else [])


def _until(search: Search, enough: float) -> Search:
    """``search`` up to an output that is an answer worth at least ``enough``."""

    def stop(event: Event) -> Iterable[Event] | None:
        good = event.kind == "best" and _is_answer(event) and (event.nodes[0].value or 0.0) >= enough
        return None if good else []

    return _watched(search, stop)


def _is_answer(event: Event) -> bool:
    return bool(event.nodes) and event.nodes[0].terminal


def _watched(search: Search, after: Callable[[Event], Iterable[Event] | None]) -> Search:
    """``search`` with more events after some of its own, up to one for which ``after`` gives None."""
    try:
        item = next(search)
        while True:
            reply = yield item
            if isinstance(item, Event):
                more = after(item)
                if more is None:
                    return
                yield from more
            item = search.send(reply)
    except StopIteration:
        return
    finally:
        search.close()
