"""The methods by name: recipe (generator, evaluator, search), answer rule, and the kind of task each one needs."""

from __future__ import annotations

from ..tasks.base import (
    CheckRefinable,
    CheckSearchable,
    FewShot,
    FreeCheck,
    Plannable,
    Recommending,
    Rewritable,
    Searchable,
    SelfRefining,
    Task,
    ToolUsing,
    Votable,
)
from .acting import ITotAStar, ITotDStar, Lats, ReAct, ReActBestFirst, ReActDepthFirst, RetrieveRead
from .answers import first_checked, first_correct
from .base import Knob, Method, Recipe, knob
from .guided import LevinTreeSearch, LikelyBeam
from .planning import JudgedPlans, MctsPlan, PlanAndSolve, ZeroShotCoT
from .prompting import ChainOfThought, DirectPrompt, FewShotPrompt, Refine, SelfConsistency, SelfRefine
from .tree_of_thoughts import BreadthFirst, DepthFirst, PlanVote, PlanVoteRefine

__all__ = ["METHODS", "Knob", "Method", "Recipe", "knob", "method", "usual"]

PLANNING = ("planner", "judge", "executor")

METHODS: dict[str, Method] = {  # the methods by name, those that gold makes an upper bound among them
    m.name: m
    for m in (
        Method("io", "k answers to the direct prompt", DirectPrompt, independent=True),
        Method("cot", "k chains of thought", ChainOfThought, independent=True),
        Method("cot-sc", "k chains of thought, the most frequent answer wins", SelfConsistency, independent=True),
        Method("few-shot", "k direct answers to a prompt with examples", FewShotPrompt, FewShot, independent=True),
        Method(
            "io-best-of-k",
            "k direct answers, the task's free check picks",
            DirectPrompt,
            FreeCheck,
            choose=first_checked,
            check="chooses",
            independent=True,
        ),
        Method(
            "cot-best-of-k",
            "k chains, the task's free check picks",
            ChainOfThought,
            FreeCheck,
            choose=first_checked,
            check="chooses",
            independent=True,
        ),
        Method(
            "io-best-of-k-gold",
            "k direct answers, gold picks: an upper bound",
            DirectPrompt,
            choose=first_correct,
            gold=True,
            independent=True,
        ),
        Method(
            "cot-best-of-k-gold",
            "k chains, gold picks: an upper bound",
            ChainOfThought,
            choose=first_correct,
            gold=True,
            independent=True,
        ),
        Method(
            "io-refine-checked",
            "rewrite until the task's free check is content, at most k times",
            Refine,
            CheckRefinable,
            check="stops",
        ),
        Method("io-refine", "rewrite until the model is satisfied, at most k times", SelfRefine, SelfRefining),
        Method("tot-bfs", "Tree of Thoughts, breadth-first", BreadthFirst, Searchable),
        Method("tot-dfs", "Tree of Thoughts, depth-first: prunes and backtracks", DepthFirst, Searchable),
        Method("likely-beam", "beam search by the model's own log-probabilities", LikelyBeam, Searchable),
        Method(
            "levin",
            "Levin tree search: by depth and the model's own probabilities, until the task's free check is content",
            LevinTreeSearch,
            CheckSearchable,
            check="stops",
        ),
        Method("tot-vote", "Tree of Thoughts: sample plans, vote, sample answers, vote", PlanVote, Votable),
        Method("tot-vote-refine", "tot-vote, then rewrite its output", PlanVoteRefine, Rewritable),
        Method(
            "zero-shot-cot",
            "k chains of thought, without a plan",
            ZeroShotCoT,
            Plannable,
            independent=True,
            roles=("executor",),
        ),
        Method("plan-and-solve", "write a plan and follow it", PlanAndSolve, Plannable, roles=("planner", "executor")),
        Method(
            "judged-plans",
            "write k plans side by side, follow the judge's pick",
            JudgedPlans,
            Plannable,
            roles=PLANNING,
        ),
        Method("mcts-plan", "Monte Carlo tree search over plans; follow the best", MctsPlan, Plannable, roles=PLANNING),
        Method("retrieve-read", "read what one search with the question finds, and answer", RetrieveRead, ToolUsing),
        Method("react", "ReAct: one chain of thoughts, actions and observations", ReAct, ToolUsing),
        Method("react-dfs", "depth-first search over ReAct steps", ReActDepthFirst, ToolUsing),
        Method("react-best-first", "best-first search over ReAct steps", ReActBestFirst, ToolUsing),
        Method("itot-astar", "informed Tree of Thoughts: weighs value against the cost of tools", ITotAStar, ToolUsing),
        Method("itot-dstar", "itot-astar, with failed tool calls charged to earlier states", ITotDStar, ToolUsing),
        Method("lats", "Language Agent Tree Search, without gold: UCT over ReAct steps", Lats, ToolUsing),
    )
}


def usual(task: Task) -> Method:
    """The default method for a task: its ``usual`` if it has one, else the first Tree of Thoughts that it supports,
    else chain of thought.
    """
    trees = (m.name for m in METHODS.values() if m.name.startswith("tot-") and isinstance(task, m.needs))
    return METHODS[task.usual if isinstance(task, Recommending) else next(trees, "cot")]


def method(name: str) -> Method:
    """The method of that name. Raises ValueError, listing all methods, if there is none."""
    if name not in METHODS:
        raise ValueError(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
