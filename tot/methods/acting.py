"""Recipes that reason and act: ReAct, tree searches over its steps, informed Tree of Thoughts, and LATS.

A step is a thought, an action and what a tool observed (Yao et al. 2022, ReAct). All recipes here take the same steps,
prompts, tools and evaluator, and differ in the order in which they look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..ask import Act, Ask, Asking, Evaluate, Search, relay
from ..evaluate import constant, judges
from ..events import Best, Event, Kept, Reflected
from ..generate import generator
from ..lm.base import Reply
from ..parse import read_sample, shorten
from ..search.breadth_first import bfs
from ..search.depth_first import dfs
from ..search.informed import PROPAGATE, ToolCost, best_first, itot_astar, itot_dstar
from ..search.monte_carlo import mcts
from ..state import Node, State, Thought
from ..tasks.base import ToolUsing
from ..ties import level
from .base import Recipe, knob

COSTS = "Search=1,Lookup=0.5"  # ours: the poster gives none
RECALLED = 5  # failures, or lessons, that a prompt is shown


@dataclass(frozen=True, kw_only=True)
class _Stepwise(Recipe):
    """What all recipes share that take steps with tools."""

    depth: int = knob(7, "How many steps a way may have (the poster's L).", least=1)
    corpus: str = knob("", "Where the tools look; empty means that the task knows.")
    costs: str = knob(COSTS, "What a call of each tool costs (V_T), whether or not it fails.")
    failures: str = knob("", "How often calls fail on purpose, such as 0.3 or Search=0.3,permanent,seed=7.")

    def parts(self, task: ToolUsing, x: str, memory: Memory | None = None) -> Parts:
        """Raises ValueError for a corpus, costs or failures that cannot be read."""
        return Parts(task, x, self, memory or (lambda node: ()))

    @property
    def thoughts_sampled(self) -> int:
        return 1


@dataclass(frozen=True, kw_only=True)
class _Branching(_Stepwise):
    """What the tree searches share."""

    k: int = knob(3, "How many thoughts are sampled for each state; those with equal actions count once.", least=1)
    values: int = knob(1, "How many verdicts are sampled for each state.", least=1)

    @property
    def thoughts_sampled(self) -> int:
        return self.k


class ReAct(_Stepwise):
    """ReAct (Yao et al. 2022): one chain of steps. What cannot be read ends it; there is no way back."""

    def search(self, task: ToolUsing, x: str) -> Search:
        parts = self.parts(task, x)
        return bfs(Node(State(x)), parts.with_tools, constant, depth=self.depth, breadth=1)


@dataclass(frozen=True, kw_only=True)
class ReActDepthFirst(_Branching):
    """Depth-first search over steps, the iToT poster's baseline "ToT DFS": up to the first answer that is not pruned.

    A child's tool runs when its turn comes; after ``depth`` steps without an answer the search goes back. The poster
    gives neither ``threshold`` nor ``steps``.
    """

    threshold: float = knob(0.2, "States of at most this value are pruned.")
    steps: int = knob(30, "How many states may be visited in all.", least=1)

    def search(self, task: ToolUsing, x: str) -> Search:
        parts = self.parts(task, x)
        judge = parts.value(self.values)

        def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
            return parts.thoughts([node for node in nodes if node.depth < self.depth])

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            yield from parts.act(nodes)
            yield from judge(nodes)

        def answers_first(event: Event) -> Iterable[Event]:
            """The output is the answer that the search ends with: a deeper state without an answer counts for less."""
            return [Best(event.nodes)] if isinstance(event, Kept) and _is_answer(event) else []

        search = dfs(
            Node(State(x)),
            generate,
            evaluate,
            depth=self.depth + 1,
            threshold=self.threshold,
            steps=self.steps,
            early_stop=True,
        )
        return relay(search, answers_first)


@dataclass(frozen=True, kw_only=True)
class ReActBestFirst(_Branching):
    """Best-first search over steps, the iToT poster's baseline "ToT Best First Search"."""

    rounds: int = knob(15, "How many states may be expanded in all (the poster's R).", least=1)

    def search(self, task: ToolUsing, x: str) -> Search:
        parts = self.parts(task, x)
        return best_first(
            Node(State(x)), parts.with_tools, parts.value(self.values), depth=self.depth, rounds=self.rounds
        )


@dataclass(frozen=True, kw_only=True)
class _Informed(_Branching):
    """What both algorithms of the poster share. Its Memory holds the expanded tree; ours the newest ``RECALLED``
    failures of it.
    """

    rounds: int = knob(15, "How many states may be expanded in all (the poster's R).", least=1)
    weight: float = knob(
        5.0,
        "What a sure answer is worth in the unit of the costs: at 5, a call at 1 must raise the value by 0.2.",
        least=0,
    )
    lazy: bool = knob(False, "Whether a tool runs only when its state is the best one, not as soon as it is proposed.")
    memory: bool = knob(False, "Whether prompts also show what failed in other branches.")

    def informed_parts(self, task: ToolUsing, x: str) -> Parts:
        return self.parts(task, x, _failed_elsewhere if self.memory else None)


class ITotAStar(_Informed):
    """iToT-A*: Algorithm 1 of the poster (see ``itot_astar``)."""

    def search(self, task: ToolUsing, x: str) -> Search:
        parts = self.informed_parts(task, x)
        return itot_astar(
            Node(State(x)),
            parts.thoughts,
            parts.act,
            parts.value(self.values),
            tool_cost=parts.cost,
            depth=self.depth,
            rounds=self.rounds,
            weight=self.weight,
            lazy=self.lazy,
        )


@dataclass(frozen=True, kw_only=True)
class ITotDStar(_Informed):
    """iToT-D* Lite: Algorithm 2 of the poster (see ``itot_dstar``)."""

    failure_cost: float = knob(
        1.0, "What a failed call costs beyond its price, in the unit of the costs (delta_T).", least=0
    )
    propagate: str = knob(
        "path", "Which earlier states a failure is charged to: all on its path, its parent, or none.", choices=PROPAGATE
    )
    discount: float = knob(0.5, "The share of a failure's charge that each step back passes on.", least=0, most=1)

    def search(self, task: ToolUsing, x: str) -> Search:
        parts = self.informed_parts(task, x)
        return itot_dstar(
            Node(State(x)),
            parts.thoughts,
            parts.act,
            parts.value(self.values),
            tool_cost=parts.cost,
            failure_cost=self.failure_cost,
            depth=self.depth,
            rounds=self.rounds,
            weight=self.weight,
            lazy=self.lazy,
            propagate=self.propagate,
            discount=self.discount,
        )


@dataclass(frozen=True, kw_only=True)
class Lats(_Branching):
    """Language Agent Tree Search (Zhou et al. 2023), section 4: UCT over steps, with simulations and reflections.

    A rollout selects a leaf by UCB1, expands it into ``k`` steps, and goes on from one of them, by the best value at
    each step, to an answer or to the depth limit. That answer's value is the reward that is backed up. If it is below
    ``enough``, the model says what went wrong, and the newest lessons stand in all later prompts. The output is the
    answer of highest value; one of at least ``enough`` ends the search, and so do ``rollouts``.

    Differences: LATS takes its reward from the environment, which knows the gold answer; here the evaluator's value is
    the reward, and no gold is in the search. Its value is half self-consistency, here the evaluator's score alone. What
    a simulation generates stays in the tree, and a way that ends without an answer earns 0.
    """

    rollouts: int = knob(8, "How many rollouts the search may take.", least=1)
    exploration: float = knob(
        1.0, "C of UCB1: the larger, the more the search tries states that it has seldom visited.", least=0
    )
    enough: float = knob(0.9, "An answer of at least this value ends the search.")
    reflections: bool = knob(True, "Whether the model says what went wrong on a way, for all later prompts.")

    def search(self, task: ToolUsing, x: str) -> Search:
        lessons: list[str] = []
        parts = self.parts(task, x, lambda node: lessons[-RECALLED:])
        judge = parts.value(self.values)

        def evaluate(leaves: Sequence[Node]) -> Asking[None]:
            yield from parts.act(leaves)
            yield from judge([leaf for leaf in leaves if leaf.depth])
            for leaf in leaves:
                end = leaf
                while not end.terminal and end.depth < self.depth and (steps := (yield from parts.with_tools([end]))):
                    yield from judge(steps)
                    end = max(steps, key=lambda n: level(n.value))
                leaf.value = (end.value or 0.0) if end.terminal else 0.0
                if self.reflections and not (end.terminal and level(end.value) >= level(self.enough)):
                    yield from reflect(end)

        def reflect(end: Node) -> Asking[None]:
            replies: list[Reply] = yield Ask("generator", [end], [task.reflect(end.state).samples(self.first, 1)])
            lesson = read_sample(replies[0].samples[0], task.read_lesson)
            if lesson.ok and lesson.value:
                lessons.append(lesson.value)
            unread = [] if lesson.ok else [{"node": end.id, "why": lesson.why, "text": lesson.text}]
            yield Reflected(end, lesson.value, unread)

        def best_answer(root: Node, changed: Sequence[Node]) -> Node:
            answers = (node for node in _tree(root) if node.terminal)
            return max(answers, key=lambda node: level(node.value), default=root)

        def stop_at_a_good_answer(event: Event) -> Iterable[Event] | None:
            good = isinstance(event, Best) and _is_answer(event) and level(event.nodes[0].value) >= level(self.enough)
            return None if good else []

        search = mcts(
            Node(State(x)),
            parts.thoughts,
            evaluate,
            rollouts=self.rollouts,
            depth=self.depth,
            exploration=self.exploration,
            choose=best_answer,
        )
        return relay(search, stop_at_a_good_answer)


# ---------------------------------------------------------------- the parts

Memory = Callable[[Node], Sequence[str]]  # the lines that a prompt shows beside the path


class Parts:
    """The parts of all recipes here, for one problem: thoughts, the tools and their cost, and values.

    Raises ValueError for knobs that cannot be read.
    """

    def __init__(self, task: ToolUsing, x: str, knobs: _Stepwise, memory: Memory) -> None:
        from ..tools import Costs, Failures, actor, next_call  # here: they are a sixth of what `import tot` would cost

        Failures.parse(knobs.failures)
        where = task.corpus(x, knobs.corpus)
        self.task, self.k, self.first, self.memory = task, knobs.thoughts_sampled, knobs.first, memory
        self.cost: ToolCost = Costs.parse(knobs.costs)  # V_T
        self.act: Act = actor(lambda state: next_call(state, where, knobs.failures), self.cost)

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
    from ..tools import Action  # here, as above

    seen: dict[object, Thought] = {}
    for thought in thoughts:
        seen.setdefault(thought.data.same if isinstance(thought.data, Action) else thought, thought)
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


def _is_answer(event: Event) -> bool:
    return bool(event.nodes) and event.nodes[0].terminal
