"""The rollouts of a Monte Carlo tree search, read from its trace: what each phase did, to which nodes.

All numbers are those of the trace. The upper confidence bounds are reported by the search itself (``ways`` of the event
"selected"); traces from before it did so have none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tot.show.escaping import real
from tot.show.tree import Picture, Traced, picture, refusing_damage
from tot.trace import PlainEvent

PHASES = {"selected": "selection", "expanded": "expansion", "evaluated": "simulation", "backed_up": "backpropagation"}
Way = tuple[tuple[str, Mapping[str, float | None]], ...]  # from the root down: node, and the bounds of its children


@dataclass(frozen=True)
class Moment:
    """One phase of rollout ``number``. ``root``: where the search begins. ``kinds``: the phases that this rollout has.

    ``before`` and ``after``: the tree at the end of the rollout before, and after the event. ``ends``: the node at
    which the rollout is by now. ``way``: of the selection, () where the search did not report it. ``goes_on``: what is
    judged. ``output``: the best node so far, if the search stopped after the rollout. ``decided``: of a selection that
    is not over, on how many levels of its way it is; see ``weighings``.
    """

    event: PlainEvent
    number: int
    root: str
    kinds: frozenset[str]
    before: Picture
    after: Picture
    ends: tuple[str, ...]
    way: Way
    goes_on: tuple[str, ...]
    output: str | None
    decided: int | None = None

    @property
    def kind(self) -> str:
        return str(self.event["kind"])

    @property
    def title(self) -> str:
        """Which rollout and which phase it is: "Rollout 5, selection"."""
        return f"Rollout {self.number}, {PHASES[self.kind]}"

    @property
    def marked(self) -> list[str]:
        """The nodes that the event is about; of a selection that is not over, where it is."""
        return _ids(self.event) if self.decided is None else [*self.ends]

    @property
    def bounds(self) -> dict[str, float | None]:
        """Child -> its UCB1, of all children that the rollout compared; None: not visited yet, which comes first."""
        if self.kind != "selected":
            return {}
        levels = None if self.decided is None else self.decided + 1
        return {id: bound for _, bounds in self.way[:levels] for id, bound in bounds.items()}

    @cached_property
    def decimals(self) -> int:
        """How many digits after the point rewards need: two where they are below ten, else one."""
        values = [real(n) or 0.0 for item in self.after.items.values() for n in (item.value, item.mean)]
        return 2 if max(map(abs, values), default=0.0) < 10 else 1

    def fixed(self, value: object) -> str:
        """A reward with so many digits after the point; "?" for what is none."""
        amount = real(value)
        return f"{amount + 0.0:.{self.decimals}f}" if amount is not None else "?"

    def passed(self) -> set[str]:
        """The nodes on the way of the rollout, from the root to where it is."""
        found: set[str] = set()
        for id in self.ends:
            at: str | None = id
            while at is not None and at not in found:
                found.add(at)
                at = self.after.items[at].parent
        return found


def weighings(moment: Moment) -> list[Moment]:
    """A selection before each of its choices: the bounds of the children are known, and none is taken yet."""
    way = moment.way if moment.kind == "selected" else ()
    return [replace(moment, decided=i, ends=(at,)) for i, (at, bounds) in enumerate(way) if len(bounds) > 1]


@refusing_damage
def moments(trace: Traced, rollouts: int | None = None) -> list[Moment]:
    """The phases of the first ``rollouts`` rollouts (None: of all), in order.

    Raises ValueError for a trace without a Monte Carlo search, and for one with several leaves in a round.
    """
    events = picture(trace).trace.events
    starts = [i for i, event in enumerate(events) if event["kind"] == "selected"]
    if not starts:
        raise ValueError("no Monte Carlo search in this trace: pass the trace of a run with mcts-plan, or with mcts")
    found: list[Moment] = []
    if any(len(events[i]["nodes"]) > 1 for i in starts):
        raise ValueError("this search judged several leaves in a round: run it with leaves=1")
    root, output = _ids(events[starts[0]])[0], None
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(events)], strict=True), 1):
        if rollouts is not None and number > rollouts:
            break
        part = _round(events[start:end])
        way = tuple((str(step["of"]), step["ucb1"]) for ways in part[0].get("ways") or () for step in ways)
        judged = tuple(id for e in part if e["kind"] == "evaluated" for id in _ids(e))
        output = next((_ids(e)[0] for e in reversed(part) if e["kind"] == "best"), output)
        before = picture(trace, start)
        kinds = frozenset(e["kind"] for e in part) & PHASES.keys()
        for i, event in enumerate(part, start):
            if event["kind"] not in PHASES:
                continue
            after = picture(trace, i + 1)
            ends = judged if event["kind"] == "evaluated" else tuple(_ids(part[0]))
            if event["kind"] == "backed_up":
                above = {after.items[id].parent for id in _ids(event)}
                ends = tuple(id for id in _ids(event) if id not in above)
            found.append(Moment(event, number, root, kinds, before, after, ends, way, judged, output))
    return found


def _round(events: Sequence[PlainEvent]) -> list[PlainEvent]:
    """The events of one rollout, its new output included: what follows the last round is no rollout any more."""
    last = next((i for i, event in enumerate(events) if event["kind"] == "backed_up"), len(events))
    return [*events[: last + 1], *(event for event in events[last + 1 : last + 2] if event["kind"] == "best")]


def _ids(event: PlainEvent) -> list[str]:
    return [str(node["id"]) for node in event["nodes"]]
