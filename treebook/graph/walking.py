"""An agent on a graph of tool routes: it follows a plan of tool calls, and discovers on the way which of them fail."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Generic

from .a_star import Graph, V
from .dstar_lite import DStarLite

Works = Callable[[V, V], bool]  # whether this edge can be walked


@dataclass
class Walk(Generic[V]):
    """What happened: ``route`` (the vertices in order), ``failed`` (edges found broken, in order), ``arrived``.

    ``spent`` is the cost of all calls, including those that failed. ``calls`` counts them; each waits for the one
    before it, so this is also the number of rounds. ``expanded`` counts the vertices that planning expanded.
    """

    route: list[V]
    failed: list[tuple[V, V]] = field(default_factory=list)
    arrived: bool = False
    spent: float = 0
    calls: int = 0
    expanded: int = 0


def walk(
    graph: Graph[V], start: V, goal: V, h: Callable[[V, V], float], works: Works[V], *, calls: float = inf
) -> Walk[V]:
    """Main of figure 3 of Koenig and Likhachev 2002, for tool calls.

    A vertex is a page that the agent has open, an edge is a tool call that opens another page, and ``graph`` is the map
    that the agent starts with. It tries the next call of its plan and pays the edge's cost whether or not
    ``works(u, v)``. A call that fails leaves the agent where it is and breaks the edge for good; the plan is repaired.
    The agent gives up where no path is left, or after ``calls`` calls. This is the published algorithm, except that a
    change is discovered by trying an edge, not by looking at it.

    Raises ValueError for an edge that does not cost more than 0.
    """
    planner = DStarLite(graph, start, goal, h)
    planner.plan()
    done = Walk([start])
    while planner.at != goal and done.calls < calls:  # while s_start != s_goal
        to = planner.follow()
        if to is None:  # "if g(s_start) = inf then there is no known path"
            break
        at = planner.at
        done.spent += planner.cost[at][to]
        done.calls += 1
        if works(at, to):
            planner.move(to)
            done.route.append(to)
        else:
            planner.change({(at, to): inf})
            planner.plan()
            done.failed.append((at, to))
    done.arrived = planner.at == goal
    done.expanded = len(planner.expanded)
    return done
