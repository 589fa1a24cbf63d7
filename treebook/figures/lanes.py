"""Several runs on one problem, one lane below the other, on a common axis of tokens.

``read_lanes`` reads the traces; ``compare`` draws them with matplotlib, which is imported then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tot.show.escaping import line, number
from tot.show.tree import Traced, picture, refusing_damage, trace_of

from .bills import spent
from .looks import CHOSEN, FAINT, INK, LOOKS, PARTS
from .plot_style import SPACE, TEXT, TEXT_SMALL
from .plots import label_of, legend_below, new_figure, tidy_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colour and height of a bar both show who was asked, so that it is legible in print. They repeat for further roles.
HEIGHTS = (0.3, 0.19, 0.1)
INKS = {"right": LOOKS["correct"].ink[0], "wrong": LOOKS["wrong"].ink[0], "": FAINT[0]}  # by verdict


@dataclass(frozen=True)
class Milestone:
    """The best changed after ``at`` tokens; its new ``value``. ``chosen``: it is what the run returned in the end."""

    at: int
    value: Any = None
    chosen: bool = False


@dataclass
class Lane:
    """One run: the tokens of whom it asked, in order; when its best changed; how it ended."""

    name: str
    parts: list[tuple[str, int]] = field(default_factory=list)
    milestones: list[Milestone] = field(default_factory=list)
    stopped: str = ""
    answer: str = ""
    verdict: str = ""

    @property
    def total(self) -> int:
        """All that was spent so far."""
        return sum(tokens for _, tokens in self.parts)

    @property
    def outcome(self) -> str:
        """How it ended, in words."""
        facts = [f"{self.verdict}: {self.answer}" if self.verdict else self.answer or "no answer"]
        facts.append(f"{number(self.total)} tokens")
        facts += [f"stopped: {self.stopped}"] if self.stopped not in ("", "done", "until") else []
        return " · ".join(facts)


def read_lanes(runs: Mapping[str, Traced]) -> list[Lane]:
    """One lane for each run. Raises ValueError for runs on different problems."""
    heads = [trace_of(run).head for run in runs.values()]
    problems = {(str(head.get("task", "")), str(head.get("problem", ""))) for head in heads}
    if len(problems) > 1:
        raise ValueError(f"these runs are on {len(problems)} problems: compare runs on one")
    return [_read(name, run) for name, run in runs.items()]


def _read(name: str, run: Traced) -> Lane:
    trace, seen = trace_of(run), picture(run)
    lane = Lane(line(name), stopped=line(trace.result.get("stopped", "")))
    by_round: dict[int, list[tuple[str, int]]] = {}
    for row in spent(trace):
        by_round.setdefault(row["round"], []).append((row["role"], row["prompt_tokens"] + row["completion_tokens"]))
    end = next((item for item in seen.items.values() if item.end), None)
    values: dict[str, Any] = {}
    last: tuple[str, Any] = ("", None)
    for event in trace.events:
        values |= {str(node.get("id")): node["value"] for node in event.get("nodes", ()) if "value" in node}
        if event.get("kind") == "asked":
            lane.parts += by_round.pop(event.get("round", 0), [])
        elif event.get("kind") == "best" and event.get("nodes"):
            ids = [str(node.get("id")) for node in event["nodes"]]
            here = end is not None and end.id in ids and not any(one.chosen for one in lane.milestones)
            id = end.id if end and here else ids[0]
            if here or (id, values.get(id)) != last:
                last = id, values.get(id)
                if lane.milestones and lane.milestones[-1].at == lane.total and not lane.milestones[-1].chosen:
                    lane.milestones.pop()  # nothing was spent between the two
                lane.milestones.append(Milestone(lane.total, values.get(id), here))
    if end and trace.result.get("answer") is not None:
        lane.answer = line(trace.result["answer"])
        lane.verdict = {True: "right", False: "wrong"}.get(trace.result.get("correct", ""), "")
    return lane


@refusing_damage
def compare(runs: Mapping[str, Traced]) -> Figure:
    """Runs on one problem, one below the other: the tokens (read and written) that each spent and on whom, when its
    best changed (a triangle with the value), when it had what it returned (a filled triangle), and how it ended.

    ``runs``: name -> trace, solution or result. Raises ValueError for runs on different problems.
    """
    lanes = read_lanes(runs)
    roles = list(dict.fromkeys(role for lane in lanes for role, tokens in lane.parts if tokens))
    most = max((lane.total for lane in lanes), default=0) or 1
    figure = new_figure(7.6, 0.8 + 0.75 * max(len(lanes), 1))
    ax = figure.add_subplot()
    for low, lane in enumerate(lanes, 1):  # the foot of its bars
        ax.text(0, low - 0.62, label_of(lane.name), fontweight="bold", fontsize=TEXT)
        ax.text(most, low - 0.62, label_of(lane.outcome, 60), color=INKS[lane.verdict], fontsize=TEXT_SMALL, ha="right")
        x = 0
        for role, tokens in lane.parts:
            if tokens:
                i = roles.index(role)
                colour, high = PARTS[i % len(PARTS)][0], HEIGHTS[i % len(HEIGHTS)]
                ax.bar(x, -high, tokens, low, align="edge", color=colour, edgecolor=SPACE[0], linewidth=0.8)
            x += tokens
        ax.plot([x, x], [low, low - 0.4], color=INK[0], linewidth=1.2)
        wide, free = 0.045 * most, 0.0  # of a value beside its triangle; where the next may begin
        following = [*(one.at for one in lane.milestones), most + wide][1:]
        for change, after in zip(lane.milestones, following, strict=False):
            fill = CHOSEN[0] if change.chosen else SPACE[0]
            ax.plot(change.at, low - 0.4, "v", markersize=7, markerfacecolor=fill, markeredgecolor=CHOSEN[0])
            side = 1 if change.at + 1.4 * wide <= after else -1 if change.at - wide >= free else 0
            free = change.at + wide * (side > 0)
            if change.value is not None and side:
                ax.annotate(
                    number(change.value), (change.at, low - 0.4), (6 * side, 0), textcoords="offset points",
                    ha="left" if side > 0 else "right", va="center", fontsize=TEXT_SMALL, color=FAINT[0],
                )  # fmt: skip
    for i, role in enumerate(roles):
        ax.bar(0, 0, color=PARTS[i % len(PARTS)][0], label=label_of(role))
    for fill, word in ((SPACE[0], "new best, with its value"), (CHOSEN[0], "what it returned")):
        ax.plot([], [], "v", markerfacecolor=fill, markeredgecolor=CHOSEN[0], label=word)
    ax.set(xlim=(-0.01 * most, 1.01 * most), ylim=(max(len(lanes), 1) + 0.1, 0.1), xlabel="tokens", yticks=[])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.spines["left"].set_visible(False)
    tidy_up(ax, "x")
    legend_below(figure, 4)
    return figure
