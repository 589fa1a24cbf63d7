"""The recipes by name: generator + evaluator + search + answer rule.

``METHODS`` is a constant table; ``Method.search`` builds a fresh search for one problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import getdoc, getmodule, signature
from math import inf
from typing import Any

from ..ask import Asking, Evaluate, Search
from ..evaluate import agreement, constant, value, vote
from ..generate import Local, Prompt, ReadThoughts, generator, ranked
from ..parse import Read
from ..search.breadth_first import bfs
from ..search.depth_first import dfs
from ..state import Node, State, Thought
from ..tasks.base import (
    FewShot,
    Overwritable,
    Plannable,
    Refinable,
    Rewritable,
    Searchable,
    SelfRefining,
    Task,
    ToolUsing,
    Votable,
)
from .acting import astar, dstar, lats, react, react_best_first, react_dfs
from .answers import Choose, first_correct, most_agreed
from .planning import best_of_k_plans, mcts_plan, plan_and_solve, zero_shot_cot


def io(task: Task, x: str, *, k: int = 1, first: int = 0) -> Search:
    """IO prompting: ``k`` independent answers to the direct prompt, in order. A tree of depth one."""
    return _samples(x, task.io, task.read_io, constant, k, first)


def few_shot(task: FewShot, x: str, *, k: int = 1, first: int = 0) -> Search:
    """IO prompting with examples: ``k`` independent answers (Brown et al. 2020)."""
    return _samples(x, task.few_shot, task.read_io, constant, k, first)


def cot(task: Task, x: str, *, k: int = 1, first: int = 0) -> Search:
    """Chain of thought (Wei et al. 2022): ``k`` independent chains."""
    return _samples(x, task.cot, task.read_cot, constant, k, first)


def cot_sc(task: Task, x: str, *, k: int = 10, first: int = 0) -> Search:
    """Self-consistency (Wang et al. 2022): ``k`` chains; the most frequent answer wins."""
    return _samples(x, task.cot, task.read_cot, agreement(task.same), k, first)


def _samples(x: str, prompt: Prompt, read: ReadThoughts, evaluate: Evaluate, k: int, first: int) -> Search:
    """``k`` independent samples of one prompt: a tree of depth one. Samples that agree stay apart: each is a vote."""
    generate = generator(prompt, read, k=k, first=first, distinct=False)
    return bfs(Node(State(x)), generate, evaluate, depth=1, breadth=max(1, k))  # the request refuses k < 1


def refine(task: Refinable, x: str, *, k: int = 10, first: int = 0) -> Search:
    """IO + Refine: one attempt, rewritten up to ``k`` times with all earlier attempts in view. A chain, not a tree."""
    return bfs(Node(State(x)), generator(task.refine, task.read_refined, first=first), constant, depth=k + 1, breadth=1)


def tot_bfs(
    task: Searchable,
    x: str,
    *,
    breadth: int = 5,
    values: int = 3,
    proposals: int = 1,
    style: str = "",
    compose: bool = True,
    trim: bool = False,
    first: int = 0,
) -> Search:
    """ToT-BFS (Algorithm 1): propose, value, keep the best ``breadth`` states, step by step.

    ``values``: verdicts sampled for each state. ``proposals``: propose replies for each state (the paper has 1).
    ``style``: which of the task's propose prompts ("" is its first). ``compose``: write the answer down by program from
    the steps; False asks the model for it, as the paper does. ``trim``: drop states that every verdict calls impossible
    (appendix B.3).
    """
    style = _style(task, style)
    propose = generator(
        lambda state: task.propose(state, style),
        task.read_proposals,
        k=proposals,
        first=first,
        local=task.compose if compose else None,
    )
    evaluate = value(task.value, task.read_value, n=values, first=first, local=task.judge)
    threshold = _impossible(task, values) if trim else None
    return bfs(Node(State(x)), propose, evaluate, depth=task.steps, breadth=breadth, threshold=threshold)


def tot_dfs(
    task: Searchable,
    x: str,
    *,
    proposals: int = 5,
    k: int = 3,
    values: int = 1,
    steps: int = 100,
    prune: bool = True,
    backtrack: bool = True,
    output_pruned: bool = True,
    early_stop: bool = False,
    style: str = "",
    first: int = 0,
) -> Search:
    """ToT-DFS (Algorithm 2, section 4.3): ranked proposals, one branch to its end, then back.

    ``proposals``: propose replies for each state; their confidences add up to one ranked list, of which the first ``k``
    are candidates (the paper gives no number; the authors' code has 3, and takes 8 replies where the paper says 5).
    ``values``: verdicts sampled for each question about a state. ``steps``: nodes visited at most. ``output_pruned``,
    ``early_stop``: see ``dfs``.

    The ablations of table 3: ``prune=False`` asks for no verdicts. ``backtrack=False`` takes the best candidate alone,
    up to ``GREEDY_STEPS`` times, and may overwrite if the task knows how to; nothing is judged, there is no way back.
    """
    style = _style(task, style)
    local: Local | None = task.compose
    read, depth = task.read_proposals, task.steps
    if not backtrack:
        prune, k = False, 1
        if isinstance(task, Overwritable):
            read, local, depth = task.read_overwrites, None, GREEDY_STEPS
    propose = generator(
        lambda state: task.propose(state, style), read, k=proposals, first=first, local=local, gather=ranked(k)
    )
    judge = value(task.value, task.read_value, n=values, first=first, local=task.judge, worst=task.worst)
    return dfs(
        Node(State(x)),
        propose,
        judge if prune else constant,
        depth=depth,
        threshold=_impossible(task, values) if prune else -inf,
        steps=steps,
        output_pruned=output_pruned,
        early_stop=early_stop,
    )


GREEDY_STEPS = 20  # section 4.3, "- backtrack"


def _style(task: Searchable, style: str) -> str:
    style = style or task.styles[0]
    if style not in task.styles:
        raise ValueError(f"{task.name} has no propose style {style!r}: choose one of {', '.join(task.styles)}")
    return style


def _impossible(task: Searchable, values: int) -> float:
    """The value of a state that every verdict calls impossible. Sums of floats: allow for rounding."""
    return values * task.worst * (1 + 1e-9)


def io_refine(task: SelfRefining, x: str, *, k: int = 5, first: int = 0) -> Search:
    """IO + Refine without gold (section 4.2): one answer, rewritten until the model is content, at most ``k`` times."""
    return refine(task, x, k=k, first=first)


def tot_vote(task: Votable, x: str, *, k: int = 5, votes: int = 5, breadth: int = 1, first: int = 0) -> Search:
    """ToT-BFS with sampled thoughts and votes (section 4.2, and zero-shot in appendix B.1).

    ``k`` plans, ``votes`` ballots, ``k`` answers that follow the best plan, ``votes`` ballots: four rounds. ``breadth``
    is the number of plans that are followed. Ours: equal thoughts are one choice, and what cannot be read is none.
    """
    sample = generator(task.step, task.read_step, k=k, first=first)
    ballots = vote(task.ballot, task.read_ballot, n=votes, first=first)
    return bfs(Node(State(x)), sample, ballots, depth=task.steps, breadth=breadth)


def tot_vote_refine(
    task: Rewritable, x: str, *, k: int = 5, votes: int = 5, refinements: int = 5, first: int = 0
) -> Search:
    """ToT + Refine (section 4.2): the output of ``tot_vote`` with its ``k`` and ``votes``, rewritten until the model is
    content.

    Refining is a third kind of generator: a thought comes from rewriting the one before it. At most ``refinements``
    times, in rounds of their own.
    """
    sample = generator(task.step, _open(task.read_step), k=k, first=first)
    rewrite = generator(task.refine, task.read_refined, first=first)
    ballots = vote(task.ballot, task.read_ballot, n=votes, first=first)

    def generate(nodes: Sequence[Node]) -> Asking[list[Node]]:
        return (sample if nodes[0].depth < task.steps else rewrite)(nodes)

    def evaluate(nodes: Sequence[Node]) -> Asking[None]:
        return (ballots if nodes and nodes[0].depth <= task.steps else constant)(nodes)

    return bfs(Node(State(x)), generate, evaluate, depth=task.steps + refinements, breadth=1)


def _open(read: ReadThoughts) -> ReadThoughts:
    """The same thoughts, but none is final: something comes after them."""

    def reader(state: State, text: str) -> list[Read[Thought]]:
        return [replace(r, value=r.value and replace(r.value, final=False)) for r in read(state, text)]

    return reader


@dataclass(frozen=True)
class Knob:
    """A knob of a method, as its parameter list and docstrings have it: for flags, fields and menus.

    ``default``: its kind is the knob's kind; None is a text that need not be given.
    ``least``: the smallest value of a whole number, None for other kinds. ``choices``: all values there are, () where
    more will do. ``doc``: the sentences that speak of it.
    """

    name: str
    default: Any
    least: int | None = None
    choices: tuple[str, ...] = ()
    doc: str = ""


@dataclass(frozen=True)
class Method:
    """A named recipe. ``needs`` is the kind of task it works on.

    ``gold`` is "" for an honest method; "chooses" if the verifier picks the answer; "stops" if it ends the search.
    ``independent``: its outputs are independent samples of one prompt, as the estimator of best-of-k wants them.
    ``roles``: who it may ask; each may be another model.
    """

    name: str
    summary: str
    build: Callable[..., Search]
    needs: type = Task
    choose: Choose = most_agreed
    gold: str = ""
    independent: bool = False
    roles: tuple[str, ...] = ("generator", "evaluator")

    @property
    def defaults(self) -> dict[str, Any]:
        """The knobs and their default values."""
        return {p.name: p.default for p in signature(self.build).parameters.values() if p.kind is p.KEYWORD_ONLY}

    def asks(self, params: Mapping[str, Any]) -> set[str]:
        """The roles that are asked with these knobs: a plan that is given is not asked for, nor the solution of one
        that is not carried out.
        """
        idle = {"executor"} if params.get("plan_only") else set()
        return set(self.roles) - idle - ({"planner"} if params.get("plan") is not None else set())

    def knobs(self, task: Task | None = None) -> list[Knob]:
        """The knobs with what a user should know of each; ``task`` says which styles there are."""
        found = []
        for name, default in self.defaults.items():
            whole = isinstance(default, int) and not isinstance(default, bool)
            styles = tuple(getattr(task, "styles", ())) if name == "style" else ()
            found.append(Knob(name, default, min(default, 1) if whole else None, styles, self._doc(name)))
        return found

    def _doc(self, knob: str) -> str:
        """The sentences that begin with the knob, in the recipe's docstring or its module's; else those that mention it
        there; else those of the recipes beside it, or of the generator.
        """
        own, module = self.build, getmodule(self.build)
        near = [other.build for other in METHODS.values() if getmodule(other.build) is module]
        begins, mentions = rf"(``\w+``, )*``{knob}``", rf".*``{knob}\b"
        looks: list[tuple[str, object]] = [(begins, own), (begins, module), (mentions, own)]
        looks += [(pattern, source) for pattern in (begins, mentions) for source in (*near, generator, module)]
        for pattern, source in looks:
            text = " ".join((getdoc(source) or "").split())
            parts = re.split(r"(?<=[.;:])\s+(?=[A-Z`])", text)  # "; ``k``" begins a new one, "; the" does not
            if said := [part for part in parts if re.match(pattern, part)]:
                return " ".join(said).replace("``", "").rstrip(";:")
        return ""

    def search(self, task: Task, x: str, **params: Any) -> Search:
        """A fresh search. Raises ValueError for a task or a knob that the method does not know."""
        if not isinstance(task, self.needs):
            raise ValueError(
                f"the task {task.name} does not provide what {self.name} needs ({self.needs.__name__}): try io or cot"
            )
        for name in params:
            if name not in self.defaults:
                raise ValueError(f"{self.name} has no knob {name!r}: it has {', '.join(self.defaults)}")
        return self.build(task, x, **params)


PLANNING = ("planner", "judge", "executor")

METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method("io", "k answers to the direct prompt", io, independent=True),
        Method("cot", "k chains of thought", cot, independent=True),
        Method("cot-sc", "k chains of thought, the most frequent answer wins", cot_sc, independent=True),
        Method("few-shot", "k direct answers to a prompt with examples", few_shot, FewShot, independent=True),
        Method(
            "io-best-of-k-gold",
            "k direct answers, the verifier picks: an upper bound",
            io,
            choose=first_correct,
            gold="chooses",
            independent=True,
        ),
        Method(
            "cot-best-of-k-gold",
            "k chains, the verifier picks: an upper bound",
            cot,
            choose=first_correct,
            gold="chooses",
            independent=True,
        ),
        Method(
            "io-refine-gold", "rewrite until the verifier is content, at most k times", refine, Refinable, gold="stops"
        ),
        Method("io-refine", "rewrite until the model itself is content, at most k times", io_refine, SelfRefining),
        Method("tot-bfs", "Tree of Thoughts, breadth-first", tot_bfs, Searchable),
        Method("tot-dfs", "Tree of Thoughts, depth-first: prunes and backtracks", tot_dfs, Searchable),
        Method("tot-vote", "Tree of Thoughts: sample plans, vote, sample answers, vote", tot_vote, Votable),
        Method("tot-vote-refine", "tot-vote, then rewrite its output", tot_vote_refine, Rewritable),
        Method(
            "zero-shot-cot",
            "k chains of thought, with no word about a plan",
            zero_shot_cot,
            Plannable,
            independent=True,
            roles=("executor",),
        ),
        Method(
            "plan-and-solve", "one plan, then carry it out", plan_and_solve, Plannable, roles=("planner", "executor")
        ),
        Method(
            "best-of-k-plans", "k plans, judged; carry the best one out", best_of_k_plans, Plannable, roles=PLANNING
        ),
        Method(
            "mcts-plan", "Monte Carlo tree search over plans, then carry one out", mcts_plan, Plannable, roles=PLANNING
        ),
        Method("react", "ReAct: one chain of thoughts, actions and observations", react, ToolUsing),
        Method("react-dfs", "depth-first search over ReAct steps", react_dfs, ToolUsing),
        Method("react-best-first", "best-first search over ReAct steps", react_best_first, ToolUsing),
        Method("itot-astar", "informed Tree of Thoughts: value against the cost of tools", astar, ToolUsing),
        Method("itot-dstar", "itot-astar, and failed tools make their way dearer", dstar, ToolUsing),
        Method("lats", "Language Agent Tree Search, without gold: UCT over ReAct steps", lats, ToolUsing),
    )
}


def usual(task: Task) -> Method:
    """The method for a task when none is named: its ``usual``, if it has that; else the first Tree of Thoughts that it
    can serve, else chain of thought.
    """
    trees = (m.name for m in METHODS.values() if m.name.startswith("tot-") and isinstance(task, m.needs))
    return METHODS[getattr(task, "usual", "") or next(trees, "cot")]


def method(name: str) -> Method:
    """Raises ValueError naming the methods that exist."""
    if name not in METHODS:
        raise ValueError(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
