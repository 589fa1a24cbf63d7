"""D* Lite repairs a plan: the map before the news, when a call is down, after each turn, and with the new plan."""

from collections.abc import Mapping
from math import inf

from tot.show.escaping import number

from ...graph import DStarLite
from ..kit import Point
from ..maps import V, road_map
from ..slider import Frames


def dstar_turns(
    place: Mapping[V, Point], roads: Mapping[V, Mapping[V, float]], start: V, goal: V, down: tuple[V, V]
) -> Frames:
    """The package's D* Lite on a map, turn by turn: it plans at ``start`` and walks until the call ``down`` fails.

    Below each page stand what it believes (g), what it sees one call ahead (rhs) and, while it waits in the queue, its
    key. ``place`` and ``roads``: see ``show.road_map``; h is the distance in blocks, which must never be too high.

    Raises ValueError if the plan does not use the call ``down``, or if there is no plan.
    """

    def blocks(a: V, b: V) -> float:
        return sum(abs(m - n) for m, n in zip(place[a], place[b], strict=True))

    planner = DStarLite(roads, start, goal, blocks)
    planner.plan()
    pages: list[str] = []
    labels: list[str] = []

    def take(label: str, broken: bool = True, taken: V | None = None) -> None:
        waiting = planner.waiting()
        said = {u: [f"g {_cost(planner.g[u])}", f"rhs {_cost(planner.rhs[u])}"] for u in place}
        for u, key in waiting.items():
            said[u].append(f"key {', '.join(map(_cost, key))}")
        picture = road_map(
            place, roads, path=_way(planner) if planner.settled() else (), looked=[] if taken is None else [taken],
            start=planner.at, goal=goal, down=[down] if broken else [], texts={u: str(u) for u in place},
            remarks=said, marked=waiting, prices=True, title=label, width=690.0,
        )  # fmt: skip
        pages.append(picture._repr_html_())
        labels.append(label)

    take(f"the plan made at {start}", broken=False)
    while (planner.at, to := planner.follow()) != down:
        if to is None or to == goal:
            raise ValueError(f"the plan from {start} to {goal} does not use the call from {down[0]} to {down[1]}")
        planner.move(to)
    planner.change({down: inf})
    take(f"at {down[0]}: the call to {down[1]} is down")
    while not planner.settled():
        old = dict(planner.g)
        u = planner.turn()
        was, now = old.get(u, inf), planner.g[u]
        news = "good news, believed" if now < was else "bad news, nothing is believed" if now > was else "waits again"
        take(f"turn {len(pages) - 1}: {u} is taken, {news}", taken=u)
    take(f"the new plan costs {_cost(planner.rhs[planner.at])}")
    return Frames(pages, labels, "Step through the repair", printed=[0, 1, len(pages) - 1])


def _cost(cost: float) -> str:
    return "∞" if cost == inf else number(cost)


def _way(planner: DStarLite[V]) -> list[V]:
    """The way that the agent would walk now."""
    way, at = [planner.at], planner.at
    while at != planner.goal and planner.g[at] < inf:
        ways = {v: c + planner.g[v] for v, c in planner.cost[at].items()}
        at = min(ways, key=ways.__getitem__)
        way.append(at)
    return way
