"""The recipes of the Tree of Thoughts paper: a generator, an evaluator and a search for each of its tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, log
from typing import Any, ClassVar

from ..ask import Asking, Evaluate, Generate, Search, relay
from ..evaluate import constant, value, vote
from ..events import Best, Event
from ..generate import Prompt, best_that_fits, generator, ranked
from ..lm.base import Request
from ..parse import Read
from ..search.breadth_first import bfs
from ..search.depth_first import dfs
from ..search.monte_carlo import highest, mcts, most_visited
from ..state import Node, State, Thought
from ..tasks.base import Searchable, Task, Votable
from ..ties import level, mean
from .base import PAPER, Method, Recipe, knob

GREEDY_STEPS = 20  # section 4.3, "- backtrack"
SURE = 20.0  # the paper's highest verdict, for tasks that do not list theirs


@dataclass(kw_only=True, eq=False, repr=False)
class _Evaluated(Recipe):
    """Shared by all methods here: how verdicts are got."""

    verdicts: str = knob(
        "samples",
        "How the evaluator's verdicts are got: samples draws them; logprobs reads from the likeliest reply how probable"
        " each verdict was, and that one reply stands for all samples.",
        choices=("samples", "logprobs"),
    )


@dataclass(kw_only=True, eq=False, repr=False)
class _Valued(_Evaluated):
    """Shared by the two searches that propose and value thoughts."""

    checked: bool = knob(
        True,
        "Whether a program refuses illegal thoughts and values the states that it can tell; if not, every thought is"
        " believed and the model values all states.",
        paper=False,
    )

    @classmethod
    def styles(cls, task: Task) -> tuple[str, ...]:
        return (*(task.styles if isinstance(task, Searchable) else ()), *super().styles(task))

    def helped(self, task: Searchable) -> Searchable:
        """``task`` with or without a program's help. Raises ValueError for a task that has no such help."""
        if self.checked:
            return task
        if hasattr(task, "unchecked"):
            return task.unchecked()  # type: ignore[no-any-return]
        if self.style != PAPER:  # where there may be nothing to leave out: its default for this knob changes nothing
            raise ValueError(f"no program checks the thoughts of {task.name}: leave out checked")
        return task

    def judge(self, task: Searchable, values: int, *, notes: bool = False) -> tuple[Evaluate, float]:
        """The evaluator, and the highest value of a state that it calls impossible; with ``notes`` it says by what.

        As probabilities, the expected verdict is hardly ever the worst: then the line is half way to the next one.
        Raises ValueError for a task whose verdicts are not known.
        """
        labels, worst = None, task.worst
        if self.verdicts == "logprobs":
            if not hasattr(task, "verdicts"):
                raise ValueError(f"{task.name} does not say by which words a verdict is known: leave out --verdicts")
            labels = task.verdicts
            worst = mean(sorted({*labels.values()})[:2])
        how: dict[str, Any] = {"local": task.judge, "worst": worst if notes else None, "labels": labels}
        return value(task.value, task.read_value, n=values, first=self.first, **how), values * worst

    def proposals_prompt(self, task: Searchable) -> Prompt:
        """The prompt for next thoughts, in the chosen style if it is one of the task's propose styles."""
        return partial(task.propose, style=self.style if self.style in task.styles else task.styles[0])


@dataclass(kw_only=True, eq=False, repr=False)
class _Proposed(_Valued):
    """Shared by the two searches that grow all proposals for a thought."""

    values: int = knob(3, "How many times the evaluator is sampled for each state.", least=1)
    proposals: int = knob(1, "How many replies proposing next thoughts are sampled for each state (paper: 1).", least=1)
    compose: bool = knob(
        True,
        "Whether code assembles the answer from the steps; if not, the model writes it, as in the paper.",
        paper=False,
    )

    def proposer(self, task: Searchable) -> Generate:
        """G of the search: all thoughts that are proposed for a state."""
        local = task.compose if self.compose else None
        prompt = self.proposals_prompt(task)
        return generator(prompt, task.read_proposals, k=self.proposals, first=self.first, local=local)


@dataclass(kw_only=True, eq=False, repr=False)
class BreadthFirst(_Proposed):
    """ToT-BFS (Algorithm 1): at each step propose thoughts, value the new states, and keep the best.

    By default a program helps, where a task has one: it refuses illegal thoughts, values what it can tell (``checked``)
    and writes the answer (``compose``). The paper's search has no such help: ``style="paper"``, or both of them False.
    """

    breadth: int = knob(5, "How many states are kept at each step (the paper's b).", least=1)
    trim: bool = knob(False, "Whether to drop states that the evaluator calls impossible every time (appendix B.3).")
    siblings: bool = knob(False, "Whether one call grades all states below a parent, not each state its own.")

    def search(self, task: Searchable, x: str) -> Search:
        return self.below(Node(State(x)), task)

    def judge(self, task: Searchable, values: int, *, notes: bool = False) -> tuple[Evaluate, float]:
        if not self.siblings:
            return super().judge(task, values, notes=notes)
        if self.verdicts == "logprobs":
            raise ValueError("a reply with several verdicts has no probability of one: leave out verdicts or siblings")
        from .siblings import graded_together  # most searches have no use for it

        asked: Any = task.value  # one question about each state: see ``below``
        return graded_together(
            asked, task.read_value, n=values, first=self.first, local=task.judge
        ), values * task.worst

    def below(self, root: Node, task: Searchable) -> Search:
        """The search from ``root``, which may have children of another search."""
        task = self.helped(task)
        asked = task.value(root.state) if self.siblings else None
        if self.siblings and not isinstance(asked, Request):
            raise ValueError(f"{task.name} asks about each state several times: leave out siblings")
        if isinstance(asked, Request) and asked.schema:
            raise ValueError(f"{task.name} asks for a form with one verdict: leave out siblings")
        evaluate, impossible = self.judge(task, self.values)
        limits: dict[str, Any] = {"depth": task.steps, "threshold": impossible if self.trim else None}
        return bfs(root, self.proposer(task), evaluate, breadth=self.breadth, **limits)


def rewards(task: Searchable, n: int) -> Callable[[float], float]:
    """``reward`` on the scale of a task's verdicts, of which ``n`` are added up. Raises ValueError for verdicts that do
    not rise from 0 or more.
    """
    best = max(getattr(task, "verdicts", {"sure": SURE}).values())
    if not 0 <= task.worst < best:
        raise ValueError(f"{task.name} has verdicts from {task.worst} to {best}: they need to rise from 0 or more")
    return partial(reward, n=n, worst=task.worst, best=best)


def reward(verdicts: float, n: int, worst: float, best: float) -> float:
    """The sum of ``n`` verdicts, each from ``worst`` to ``best``, as a reward from 0 to 1: its place on a scale of
    ratios, ln(sum / (n worst)) / ln(best / worst).

    Verdicts of 20, 1 and 0.001 mean ratios. As shares of the best, three times "likely" would be 0.05, which the C of
    UCB1 drowns; this keeps the order of the sums: sure 1, likely 0.70, impossible 0, two impossible and a likely 0.59.
    Where the worst is 0 there are no ratios, and the share of the best is meant.
    """
    one = max(verdicts / n, worst)
    return min(1.0, log(one / worst) / log(best / worst) if worst > 0 else one / best)


@dataclass(kw_only=True, eq=False, repr=False)
class Rewarded(_Proposed):
    """Shared by the searches that add up rewards: the task's own verdicts by ``reward``, no gold and no playouts.

    A thought from which no step leads on is worth nothing. The output is the finished thought of the highest verdict of
    its own, since a mean also rewards siblings, or else the most visited path; the search ends when none could be
    higher.
    """

    rollouts: int = knob(75, "How many rollouts the search may run; each judges at most one new thought.", least=1)
    leaves: int = knob(5, "How many rollouts run together, and share their rounds.", least=1)

    def grown(self, root: Node, task: Searchable, evaluate: Evaluate, **limits: Any) -> Search:
        """The search itself, from ``root``, of which no value is known; ``limits`` are parameters of ``mcts``."""
        raise NotImplementedError

    def search(self, task: Searchable, x: str) -> Search:
        task = self.helped(task)
        worth = rewards(task, self.values)
        judge, _ = self.judge(task, self.values)

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            for node in nodes:
                if node.depth >= task.steps and not node.terminal:
                    node.value, node.note = 0.0, DEAD_END
            if open_ := [node for node in nodes if node.value is None]:
                yield from judge(open_)

        def over(event: Event) -> tuple[Event, ...] | None:
            ended = [node for node in event.nodes if isinstance(event, Best) and node.terminal]
            return None if any(level(worth(node.value or 0.0)) >= 1 for node in ended) else ()

        top = highest(finished)

        def output(root: Node, changed: Sequence[Node]) -> Node:
            best = top(root, changed)
            return best if best.terminal else most_visited(root)

        limits: dict[str, Any] = {"rollouts": self.rollouts, "leaves": self.leaves, "depth": task.steps}
        limits |= {"choose": output, "worth": worth}
        return relay(self.grown(Node(State(x)), task, evaluate, **limits), over)


@dataclass(kw_only=True, eq=False, repr=False)
class MonteCarlo(Rewarded):
    """Monte Carlo tree search over steps: UCT (Kocsis and Szepesvari 2006), with the task's own verdicts as reward.

    A thought that is reached again is expanded, once, into all thoughts that are proposed. The root is not judged. C is
    small: sqrt(2), which suits rewards that are chance, would spend the rollouts on thoughts that are called
    impossible.
    """

    exploration: float = knob(
        0.1, "The constant C of UCB1: a larger value makes the search prefer thoughts it has rarely visited.", least=0
    )

    def grown(self, root: Node, task: Searchable, evaluate: Evaluate, **limits: Any) -> Search:
        root.value = 0.0
        return mcts(root, ending(self.proposer(task)), evaluate, exploration=self.exploration, **limits)


DEAD_END = "no step leads on"


def ending(propose: Generate) -> Generate:
    """``propose``; and a node for which it has nothing gets the value 0."""

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        children = yield from propose(nodes)
        for node in nodes:
            if not node.children:
                node.value, node.note = 0.0, DEAD_END
        return children

    return generate


def finished(node: Node) -> float:
    """What the verdicts on a finished thought come to; less than anything for others."""
    return level(node.value) if node.terminal else -inf


@dataclass(kw_only=True, eq=False, repr=False)
class DepthFirst(_Valued):
    """ToT-DFS (Algorithm 2, section 4.3): ranked proposals, followed depth first with pruning and backtracking.

    The proposals of several replies are merged into one list, ranked by the sum of their confidences; the first ``k``
    are the candidates. (The paper gives no k; the authors' code has 3, and samples 8 replies where the paper says 5.)

    The output is the deepest whole answer that is not pruned; without one the deepest state visited, which may be a
    pruned one, as in the authors' logs.

    The ablations of table 3: ``prune=False`` evaluates nothing. ``backtrack=False`` follows only the best candidate,
    for up to ``GREEDY_STEPS`` steps, without evaluation; if the task supports it, thoughts may overwrite earlier ones.

    When they may, the paper leaves open, and ``greedy`` has two rules. "best" takes the paper at its word: always the
    most promising candidate. "fits" is the authors' code: the best candidate after which nothing stands overwritten;
    if there is none, the last of the list. Their code also stops when the board equals the solution, and only then or
    after 20 steps. A search must not see the solution, so both rules stop when nothing is left to fill in.
    """

    former: ClassVar = {**Recipe.former, "output_pruned": True}
    proposals: int = knob(5, "How many replies proposing next thoughts are sampled for each state.", least=1)
    k: int = knob(3, "How many of the ranked proposals are tried from each state.", least=1)
    values: int = knob(1, "How many times the evaluator is sampled for each question about a state.", least=1)
    steps: int = knob(100, "How many states may be visited in total.", least=0)
    prune: bool = knob(True, "Whether to go no further from states that the evaluator calls impossible.")
    backtrack: bool = knob(
        True, "Whether the search may backtrack; if not, it only follows the best proposal and evaluates nothing."
    )
    greedy: str = knob(
        "best",
        "Which proposal is followed where the search may not backtrack but overwrite: the best, or the best that fits"
        " (overwrites nothing), else the last.",
        choices=("best", "fits"),
        paper="fits",
    )
    early_stop: bool = knob(False, "Whether the search ends at the first complete state that is not pruned.")

    def search(self, task: Searchable, x: str) -> Search:
        task = self.helped(task)
        depth = task.steps
        parts: dict[str, Any] = {"read": task.read_proposals, "local": task.compose, "gather": ranked(self.k)}
        if not self.backtrack:
            parts["gather"] = ranked(1)
            if hasattr(task, "read_overwrites") and hasattr(task, "fits"):
                depth = GREEDY_STEPS
                gather = best_that_fits(task.fits) if self.greedy == "fits" else ranked(1)
                parts = {"read": task.read_overwrites, "gather": gather}
        propose = generator(self.proposals_prompt(task), **parts, k=self.proposals, first=self.first)
        judge, threshold = self.judge(task, self.values, notes=True)
        if not (self.prune and self.backtrack):
            judge, threshold = constant, -inf
        limits: dict[str, Any] = {"depth": depth, "threshold": threshold, "steps": self.steps}
        return dfs(Node(State(x)), propose, judge, **limits, output_pruned=True, early_stop=self.early_stop)


@dataclass(kw_only=True, eq=False, repr=False)
class _Voted(_Evaluated):
    """Shared by the two methods that sample thoughts and vote on them."""

    k: int = knob(5, "How many plans are sampled, and how many answers are then sampled for the best plan.", least=1)
    votes: int = knob(5, "How many votes are sampled to choose the best plan, and again for the best answer.", least=1)

    def ballots(self, task: Votable) -> Evaluate:
        """The vote. Raises ValueError for a task whose ballots cannot be had in the way that is wanted."""
        as_labels = self.verdicts == "logprobs"
        first = task.read_ballot("1", 2).value
        if as_labels and first != 0:
            raise ValueError(f"a ballot of {task.name} is not known by its number: leave out --verdicts")
        return vote(task.ballot, task.read_ballot, n=self.votes, first=self.first, labels=as_labels)


@dataclass(kw_only=True, eq=False, repr=False)
class PlanVote(_Voted):
    """ToT-BFS with sampled thoughts and votes (section 4.2, and zero-shot in appendix B.1): four rounds.

    ``k`` plans, ``votes`` ballots, ``k`` answers that follow the best plan, ``votes`` ballots. Unlike the paper, we
    merge equal thoughts into one option and leave out thoughts that cannot be parsed.
    """

    breadth: int = knob(1, "How many of the best plans are followed.", least=1)

    def search(self, task: Votable, x: str) -> Search:
        sample = generator(task.step, task.read_step, k=self.k, first=self.first)
        return bfs(Node(State(x)), sample, self.ballots(task), depth=task.steps, breadth=self.breadth)


@dataclass(kw_only=True, eq=False, repr=False)
class PlanVoteRefine(_Voted):
    """ToT + Refine (section 4.2): the output of ``PlanVote``, rewritten until the model is satisfied.

    Refining is a third kind of thought generation: each thought is a rewrite of the previous one.
    """

    refinements: int = knob(5, "How many times the chosen answer may be rewritten.", least=0)

    def search(self, task: Any, x: str) -> Search:
        def read(state: State, text: str) -> list[Read[Thought]]:  # refinements follow, so that nothing is final yet
            return [replace(r, value=r.value and replace(r.value, final=False)) for r in task.read_step(state, text)]

        sample = generator(task.step, read, k=self.k, first=self.first)
        rewrite = generator(task.refine, task.read_refined, first=self.first)
        ballots = self.ballots(task)

        def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
            return (sample if nodes[0].depth < task.steps else rewrite)(nodes)

        def evaluate(nodes: Sequence[Node]) -> Asking[None]:
            return (ballots if nodes and nodes[0].depth <= task.steps else constant)(nodes)

        return bfs(Node(State(x)), generate, evaluate, depth=task.steps + self.refinements, breadth=1)


HERE = (
    Method("tot-bfs", "Tree of Thoughts, breadth-first", BreadthFirst, Searchable),
    Method("tot-dfs", "Tree of Thoughts, depth-first: prunes and backtracks", DepthFirst, Searchable),
    Method("tot-mcts", "Tree of Thoughts, Monte Carlo tree search over steps", MonteCarlo, Searchable),
    Method("tot-vote", "Tree of Thoughts: sample plans, vote, sample answers, vote", PlanVote, Votable),
    Method("tot-vote-refine", "tot-vote, then rewrite its output", PlanVoteRefine, Votable, members=("refine", "done")),
)
