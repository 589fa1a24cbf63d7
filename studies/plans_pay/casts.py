"""What is played: every line of the study, fixed before the first run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

ROLES = ("planner", "judge", "executor")
ALONE = ("io", "cot", "tot-vote")  # methods of chapter 9: one model in all roles
TREE: Mapping[str, Any] = {"rollouts": 6, "revisions": 2}  # the tree of chapters 14 and 15
SIX: Mapping[str, Any] = {"plans": 6, "executed": 6}
CHAINS = 40  # for each problem and executor; a vote takes the first k of them
COIN, ORACLE = "coin", "oracle"
SIMULATED = (0.6, 0.7, 0.8, 0.9)  # accuracies of the simulated judges between the two


def simulated(accuracy: float) -> str:
    return f"simulated {accuracy:.2f}"


PROGRAMS = (COIN, *map(simulated, SIMULATED), ORACLE)


@dataclass(frozen=True)
class Cast:
    """A method and who plays its roles: "L" the large checkpoint, "S" the small one, "-" nobody, or a judge's name."""

    method: str
    planner: str = "-"
    judge: str = "-"
    executor: str = "L"
    knobs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        knobs = " ".join(f"{name}={value}" for name, value in sorted(self.knobs.items()))
        return f"{self.method} {self.planner}|{self.judge}|{self.executor} {knobs}".rstrip()

    @property
    def seats(self) -> dict[str, str]:
        """Role -> player, of the roles that somebody plays."""
        if self.method in ALONE:
            return {"default": self.executor}
        return {role: who for role in ROLES if (who := getattr(self, role)) != "-"}


def tree(planner: str = "L", judge: str = "L", executor: str = "L", **more: Any) -> Cast:
    return Cast("mcts-plan", planner, judge, executor, {**TREE, **more})


def side_by_side(judge: str, **more: Any) -> Cast:
    """Six plans of the large planner, judged, and all carried out: chapter 14's measure of a judge."""
    return Cast("judged-plans", "L", judge, "L", {**SIX, **more})


def chains(executor: str) -> Cast:
    return Cast("zero-shot-cot", executor=executor, knobs={"k": CHAINS})


def zero_shot(method: str, **knobs: Any) -> Cast:
    """A method of chapter 9."""
    return Cast(method, knobs=knobs)


def one_plan(planner: str, executor: str) -> Cast:
    return Cast("plan-and-solve", planner, executor=executor)


def casts(checkpoints: Sequence[str]) -> list[Cast]:
    """Every line, the most needed first. ``checkpoints``: further judges than "L" and "S", from the weakest."""
    judges = ["L", *PROGRAMS, *checkpoints, "S"]
    eight = [tree(*who) for who in product("LS", repeat=3)]
    found = [tree(), *(chains(e) for e in "LS"), *(one_plan(p, e) for p in "LS" for e in "LS"), side_by_side("L")]
    found += [make(judge) for judge in judges for make in (side_by_side, lambda name: tree(judge=name))]
    found += [zero_shot("tot-vote"), zero_shot("cot", k=CHAINS), zero_shot("io", k=5)]
    found += eight
    found += [tree(**{other: 0}) for other in ("feasibility", "logic")]  # each judge alone, as in table 3
    return list({cast.key: cast for cast in found}.values())
