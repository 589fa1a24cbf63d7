"""Levin tree search: the model's own probabilities as the policy."""

from collections.abc import Callable, Hashable
from heapq import heappop, heappush
from itertools import count
from math import exp, inf, log

from tot.ask import Generate, Search
from tot.events import Best, Opened, Pruned, Taken, Unfinished
from tot.state import Node, State
from tot.ties import level

from .likely import likelihood

MOST = 700.0  # the logarithm of the largest cost that is shown


def levin(
    root: Node,
    generate: Generate,
    *,
    depth: int,
    expansions: int,
    same: Callable[[State], Hashable] | None = None,
) -> Search:
    """Levin tree search (LevinTS) of Orseau, Lelis, Lattimore and Weber 2018: expand the state of lowest d / π.

    d(n) is the number of thoughts in a state and π(n) the product of each one's ``prior``, which ``generate`` sets (see
    ``policy_generator``); ``node.value`` is log π(n) and ``node.f`` the cost d(n) / π(n). Neither likelihood alone
    (it would follow one likely way for ever) nor depth alone decides.

    The bound: a state g is taken off the open list after at most d(g) / π(g) expansions, and so the best answer in the
    tree after the least of these numbers. It holds wherever the priors of a node's children add up to at most 1, for
    the tree that ``generate`` grows: what it does not propose is not found.

    ``same`` maps a state to what decides all that can follow but for ``depth``: the question that the model would be
    asked, say. A state is cut if one that is the same, has no more thoughts and is at least as likely was expanded:
    whatever lies below it was reachable before, for no higher cost, so that the bound stands. None: no state is like
    another.

    Differences from the paper: the actions are thoughts, sampled, and the policy leaves out the probability of those
    that were not; d counts thoughts and not nodes, so the goal itself, which is taken and not expanded, is not counted;
    states of ``depth`` thoughts are not expanded; whether an answer is the goal is asked outside (``until`` of
    ``tot.run``), and an answer that is not is left behind.

    The output is the last answer taken; at the limit of ``expansions``, if there was none, the open state of lowest
    cost, and an "unfinished" event is yielded. PHS (Orseau and Lelis 2021), which adds a heuristic, is not built.
    """
    evaluate, left, answered = likelihood, expansions, False
    expanded: dict[Hashable, list[tuple[float, int]]] = {}  # what was expanded -> log π and the number of thoughts
    root.value, root.f = 0.0, 0.0
    order = count()  # of generation: it decides between equal costs
    frontier = [(-inf, next(order), root)]
    while frontier:
        _, _, s = heappop(frontier)  # s <- argmin d(s) / π(s)
        likely, kind = level(s.value), same(s.state) if same else s.id
        if not s.terminal and any(p >= likely and d <= s.depth for p, d in expanded.get(kind, ())):  # a state cut
            s.note = "the same question was expanded before, on a way at least as likely"
            yield Pruned(s)
            continue
        if not s.terminal and left <= 0:
            if not answered:
                yield Best([s])
            yield Unfinished([s], f"{expansions} expansions are used up")
            return
        yield Taken(s)
        if s.terminal:
            answered = True
            yield Best([s])
            continue
        left -= 1
        expanded.setdefault(kind, []).append((likely, s.depth))
        children = yield from generate([s])
        yield from evaluate(children)
        new = [child for child in children if child.terminal or child.depth < depth]
        for child in new:
            cost = log(child.depth) - (child.value or 0.0)  # log (d / π): small probabilities stay apart
            child.f = exp(min(cost, MOST))
            heappush(frontier, (level(cost), next(order), child))
        yield Opened(new)
