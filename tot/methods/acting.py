"""Recipes that reason and act: ReAct, tree searches over ReAct steps, informed Tree of Thoughts, and LATS.

A step is a thought, an action and an observation (Yao et al. 2022, ReAct). All recipes here use the same kind of
steps, prompts, tools and evaluator; they differ in the order in which states are expanded and evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..ask import Act, Ask, Asking, Evaluate, Search, relay
from ..evaluate import agreement, constant, judges
from ..events import BackedUp, Best, Event, Reflected
from ..generate import generator
from ..lm.base import Reply
from ..parse import read_sample
from ..search.breadth_first import bfs
from ..search.depth_first import dfs
from ..search.informed import ToolCost, best_first, itot_astar
from ..search.monte_carlo import mcts
from ..search.replanning import PROPAGATE, itot_dstar
from ..state import Node, State, Thought
from ..tasks.base import ToolUsing
from ..ties import level
from .base import Method, Recipe, knob
from .tree_of_thoughts import ending


class _Ours(str):
    """Prices that nobody gave: they are no others' whose tools have the same names."""


COSTS = _Ours("Search=1,Lookup=0.5")  # our choice: the poster gives no costs
RECALLED = 5  # how many lessons a prompt shows


@dataclass(kw_only=True, eq=False, repr=False)
class _WithTools(Recipe):
    """Shared by all recipes that use tools."""

    corpus: str = knob("", "The documents that the tools search; empty means the task's default corpus.")
    costs: str = knob(COSTS, "What a call of each tool costs (V_T), whether or not it fails.")
    failures: str = knob(
        "", "The rate of simulated tool failures, such as 0.3 or Search=0.3,permanent,seed=7; empty means none."
    )


@dataclass(kw_only=True, eq=False, repr=False)
class RetrieveRead(_WithTools):
    """Retrieve, then read: ``k`` answers to one prompt that shows the articles found by the question's first 20 words.

    The baseline of every search with tools (Chen et al. 2017 read Wikipedia this way). No call waits for what another
    one found: there is one round of tools and one of the model. An article is charged as one Search.
    """

    k: int = knob(1, "How many independent answers are sampled; the most frequent answer wins.", least=1)
    articles: int = knob(5, "How many articles are read, best first by the words of the question.", least=1, most=5)

    def search(self, task: ToolUsing, x: str) -> Search:
        from ..tools import SEARCH, Call, Costs, Failures, retrieve  # here, to keep `tot` quick

        Failures.parse(self.failures)
        where, cost = task.corpus(x, self.corpus), Costs.parse(self.costs)  # type: ignore[attr-defined]
        calls = [Call(SEARCH, x, where, failures=self.failures, rank=i + 1) for i in range(self.articles)]
        read = generator(task.conclude, task.read_io, k=self.k, first=self.first, distinct=False)

        def retrieve_then_read() -> Search:
            shown = yield from retrieve(Node(State(x)), calls, cost)
            yield from bfs(shown, read, agreement(task.same), depth=1, breadth=self.k)

        return retrieve_then_read()


@dataclass(kw_only=True, eq=False, repr=False)
class _Stepwise(_WithTools):
    """Shared by all recipes that take steps with tools."""

    depth: int = knob(7, "How many steps a path may have (the poster's L).", least=1)
    answer: str = knob(
        "finish",
        "Whose answer counts: finish takes the one in the brackets of Finish; asked lets the search end as it does, and"
        " then asks once for the answer alone, in view of the observations and thoughts on the path.",
        choices=("finish", "asked"),
    )

    def search(self, task: ToolUsing, x: str) -> Search:
        root = Node(State(x))
        steps = self.steps_of(task, root)
        return steps if self.answer == "finish" else self.asked(task, steps, root)

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        """The search over steps."""
        raise NotImplementedError

    def asked(self, task: ToolUsing, steps: Search, root: Node) -> Search:
        """The search, and then the question for the answer below the first of its outputs, or the root without one."""
        conclude = generator(task.conclude, task.read_io, first=self.first, distinct=False)
        best = yield from relay(steps)
        yield Best((yield from conclude(best[:1] or [root])))


@dataclass(kw_only=True, eq=False, repr=False)
class _Branching(_Stepwise):
    """Shared by the tree searches."""

    k: int = knob(3, "How many next steps are sampled for each state; those with equal actions are merged.", least=1)
    values: int = knob(1, "How many times the evaluator is sampled for each state; the mean counts.", least=1)


class ReAct(_Stepwise):
    """ReAct (Yao et al. 2022): one chain of steps without backtracking. A step that cannot be parsed ends it."""

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        parts = Parts(task, root.state.x, self)
        return bfs(root, parts.with_tools, constant, depth=self.depth, breadth=1)


@dataclass(kw_only=True, eq=False, repr=False)
class ReActDepthFirst(_Branching):
    """Depth-first search over steps, the iToT poster's baseline "ToT DFS". It ends at the first answer not pruned.

    A child's tool runs just before the child is evaluated; after ``depth`` steps without an answer the search
    backtracks. The poster gives values for neither ``threshold`` nor ``steps``.
    """

    threshold: float = knob(0.2, "States of at most this value are pruned.")
    steps: int = knob(30, "How many states may be visited in total.", least=1)

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        parts = Parts(task, root.state.x, self)

        def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
            return parts.thoughts([node for node in nodes if node.depth < self.depth])

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            yield from parts.act(nodes)
            yield from parts.judge(nodes)

        limits: dict[str, Any] = {"depth": self.depth + 1, "threshold": self.threshold, "steps": self.steps}
        return dfs(root, generate, evaluate, **limits, early_stop=True)


@dataclass(kw_only=True, eq=False, repr=False)
class ReActBestFirst(_Branching):
    """Best-first search over steps, the iToT poster's baseline "ToT Best First Search"."""

    rounds: int = knob(15, "How many states may be expanded in total (the poster's R).", least=1)

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        parts = Parts(task, root.state.x, self)
        return best_first(root, parts.with_tools, parts.judge, depth=self.depth, rounds=self.rounds)


@dataclass(kw_only=True, eq=False, repr=False)
class _Informed(_Branching):
    """Shared by the poster's two algorithms.

    The poster's Memory (figure 1) is "the tree of expanded nodes", given as context: the knob ``memory``, "tree" in the
    paper's style. We show all steps whose tools have run, open ones too, and only to the generator; the poster does not
    say more. By default ours is "path", for small models. The tree is never cut: in the runs recorded for chapter 12
    (20 easy questions, k = 3, at most 8 rounds, one-line thoughts) it would add 263 tokens to the mean prompt of 646,
    at most 1,022.
    """

    rounds: int = knob(15, "How many states may be expanded in total (the poster's R).", least=1)
    weight: float = knob(
        5.0,
        "What a certain answer is worth, in units of cost: at 5, a call that costs 1 must raise the value by 0.2.",
        least=0,
    )
    lazy: bool = knob(
        False, "Whether a proposed tool call waits until its state is the best open one, instead of running at once."
    )
    memory: str = knob(
        "path",
        "What prompts show of the search: the path to the state, or the whole tree so far.",
        choices=("path", "tree"),
        paper="tree",
    )

    def informed(self, search: Callable[..., Search], task: ToolUsing, root: Node, **more: Any) -> Search:
        """``search`` with the settings that both algorithms have; ``more``: its own."""
        parts = Parts(task, root.state.x, self, _rest_of_the_tree if self.memory == "tree" else lambda node: ())
        more |= {name: getattr(self, name) for name in ("depth", "rounds", "weight", "lazy")}
        return search(root, parts.thoughts, parts.act, parts.judge, tool_cost=parts.cost, **more)


class ITotAStar(_Informed):
    """iToT-A*: Algorithm 1 of the poster (see ``itot_astar``)."""

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        return self.informed(itot_astar, task, root)


@dataclass(kw_only=True, eq=False, repr=False)
class ITotDStar(_Informed):
    """iToT-D* Lite: Algorithm 2 of the poster (see ``itot_dstar``)."""

    failure_cost: float = knob(
        1.0, "What a failed tool call costs in addition to its normal cost (delta_T), in units of cost.", least=0
    )
    propagate: str = knob(
        "path", "Which earlier states a failure is charged to: all on its path, its parent, or none.", choices=PROPAGATE
    )
    discount: float = knob(
        0.5, "The factor by which a failure's charge shrinks with each step back toward the root.", least=0, most=1
    )

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        charges = {name: getattr(self, name) for name in ("failure_cost", "propagate", "discount")}
        return self.informed(itot_dstar, task, root, **charges)


@dataclass(kw_only=True, eq=False, repr=False)
class Lats(_Branching):
    """Language Agent Tree Search (Zhou et al. 2023), section 4: UCT over steps, with simulations and reflections.

    A rollout selects a leaf by UCB1, expands it into ``k`` steps, and continues from one of them, always taking the
    step of highest value, to an answer or the depth limit. The answer's value is the reward that is backed up. If it
    is below ``enough``, the model explains what went wrong, and later prompts show the newest lessons. The output is
    the answer of highest value. The search ends with an answer of at least ``enough``, or after ``rollouts`` rollouts.

    Differences: LATS takes its reward from the environment, which knows the gold answer; here the reward is the
    evaluator's value, and the search does not use gold. LATS values states half by self-consistency, here only by the
    evaluator's score. Steps generated in a simulation stay in the tree, and a path without an answer gets the reward 0.
    """

    rollouts: int = knob(8, "How many rollouts the search may run.", least=1)
    exploration: float = knob(
        1.0, "The constant C of UCB1: a larger value makes the search prefer states it has rarely visited.", least=0
    )
    enough: float = knob(0.9, "The search ends as soon as an answer has at least this value.")
    reflections: bool = knob(
        True, "Whether the model explains what went wrong on a poor path, as a lesson shown in later prompts."
    )

    def steps_of(self, task: ToolUsing, root: Node) -> Search:
        lessons, poor, output = list[str](), list[Node](), list[Node]()
        judged = set[Node]()  # also those of which no verdict was read: the same sample would be asked for again
        parts = Parts(task, root.state.x, self, lambda node: lessons[-RECALLED:])

        def generate(leaves: Sequence[Node]) -> Asking[list[Node]]:
            yield from learn()
            return (yield from ending(parts.thoughts)(leaves))

        def evaluate(leaves: Sequence[Node]) -> Asking[None]:
            yield from learn()
            yield from parts.act(leaves)
            yield from parts.judge([leaf for leaf in leaves if leaf.depth and leaf not in judged])
            for leaf in leaves:
                end = leaf
                while not end.terminal and end.depth < self.depth and (steps := (yield from parts.with_tools([end]))):
                    yield from parts.judge(steps)
                    judged.update(steps)
                    end = max(steps, key=lambda n: level(n.value))
                leaf.value = (end.value or 0.0) if end.terminal else 0.0
                for one in end.parent.children if end.parent else ():
                    if not one.terminal and (one is end or one.depth >= self.depth):
                        one.value = 0.0  # when a later rollout comes to it
                if self.reflections and not (end.terminal and level(end.value) >= level(self.enough)):
                    poor.append(end)

        def learn() -> Asking[None]:
            while poor:  # once its answer is the output: that is not lost where the budget has no room for the lesson
                end = poor.pop(0)
                replies: list[Reply] = yield Ask("generator", [end], [task.reflect(end.state).samples(self.first, 1)])
                lesson = read_sample(replies[0].samples[0], task.read_lesson)
                if lesson.ok and lesson.value:
                    lessons.append(lesson.value)
                unread = [] if lesson.ok else [{"node": end.id, "why": lesson.why, "text": lesson.text}]
                yield Reflected(end, lesson.value, unread)

        def best_answer(root: Node, changed: Sequence[Node] = ()) -> Node:
            tree = [root]
            for node in tree:
                tree += node.children
            answers = (node for node in tree if node.terminal)
            return max(answers, key=lambda node: level(node.value), default=root)

        def stop_at_a_good_answer(event: Event) -> Iterable[Event] | None:
            output[:] = event.nodes if isinstance(event, Best) else output
            if output and isinstance(event, Best | BackedUp):  # it may have been the output before it was judged
                best = best_answer(root)
                if best is output[0] and best.terminal and level(best.value) >= level(self.enough):
                    return None
            return []

        def search() -> Search:
            limits: dict[str, Any] = {name: getattr(self, name) for name in ("rollouts", "depth", "exploration")}
            yield from relay(mcts(root, generate, evaluate, **limits, choose=best_answer), stop_at_a_good_answer)
            yield from learn()

        return search()


# ---------------------------------------------------------------- the components of the recipes

Memory = Callable[[Node], Sequence[str]]  # lines to show in a node's prompt in addition to its path


class Parts:
    """The components that all recipes here share, for one problem: thoughts, tools and their costs, and values.

    Raises ValueError for a corpus, costs or failures that cannot be read.
    """

    def __init__(self, task: ToolUsing, x: str, knobs: _Stepwise, memory: Memory = lambda node: ()) -> None:
        from ..tools import Costs, Failures, actor, next_call  # here, to keep `tot` quick

        self.cost: ToolCost  # V_T
        if hasattr(task, "corpus"):
            Failures.parse(knobs.failures)
            where, self.cost = task.corpus(x, knobs.corpus), Costs.parse(knobs.costs)
            self.act: Act = actor(lambda state: next_call(state, where, knobs.failures), self.cost)
        else:
            known = {name.lower() for name in getattr(task, "known", ())}  # a task need not name its tools
            given = not isinstance(knobs.costs, _Ours) and {"search", "lookup"} <= known  # a form gives each default
            priced = knobs.costs if given or knobs.costs != COSTS else ""
            call, self.cost = task.calls(priced, knobs.failures)  # type: ignore[attr-defined]
            self.act = actor(call, self.cost)
        self.task, self.first, self.memory = task, knobs.first, memory
        self.k, n = (knobs.k, knobs.values) if isinstance(knobs, _Branching) else (1, 1)
        panel = {"prospect": task.prospect}  # V, from 0 to 1: the mean of n verdicts, None if none could be parsed
        self.judge: Evaluate = judges(panel, task.read_prospect, n=n, first=knobs.first, role="evaluator")

    def thoughts(self, nodes: Sequence[Node]) -> Asking[list[Node]]:
        """``k`` samples of the next thought and action, keeping the first of each distinct action. No tool runs."""
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
        """``thoughts``, after which the tools of the new nodes are run."""
        children = yield from self.thoughts(nodes)
        yield from self.act(children)
        return children


def _distinct_actions(state: State, thoughts: Sequence[Thought]) -> Iterable[Thought]:
    """The first thought for each distinct action, and all thoughts without an action."""
    from ..tools import Action  # here, as above

    seen: dict[object, Thought] = {}
    for thought in thoughts:
        seen.setdefault(thought.data.same if isinstance(thought.data, Action) else thought, thought)
    return seen.values()


def _rest_of_the_tree(node: Node) -> Sequence[str]:
    """The whole tree, a line for each step, indented by depth. Of the steps on the node's own path, which its prompt
    shows anyway, those that others branch from are named by their number.
    """
    *_, root = node.path
    here = set(node.path)

    def below(parent: Node) -> Iterator[str]:
        for step in parent.children:
            indent, more = "  " * (step.depth - root.depth - 1), list(below(step))
            if step not in here:
                thought = step.state.thoughts[-1]
                text = " ".join(thought.text.split())
                seen = f" Observation: {thought.observation.text}" if thought.observation else ""
                yield f"{indent}{'' if text.startswith('Action:') else 'Thought: '}{text}{seen}"
            elif more:
                yield f"{indent}(step {step.depth - root.depth} of this path)"
            yield from more

    return list(below(root))


HERE = (
    Method(
        "retrieve-read",
        "read what one search with the question finds, and answer",
        RetrieveRead,
        ToolUsing,
        members=("corpus",),
    ),
    Method("react", "ReAct: one chain of thoughts, actions and observations", ReAct, ToolUsing),
    Method("react-dfs", "depth-first search over ReAct steps", ReActDepthFirst, ToolUsing),
    Method("react-best-first", "best-first search over ReAct steps", ReActBestFirst, ToolUsing),
    Method("itot-astar", "informed Tree of Thoughts: weighs value against the cost of tools", ITotAStar, ToolUsing),
    Method("itot-dstar", "itot-astar, with failed tool calls charged to earlier states", ITotDStar, ToolUsing),
    Method("lats", "Language Agent Tree Search, without gold: UCT over ReAct steps", Lats, ToolUsing),
)
