"""Random graphs, and an oracle that shares no code with the searches."""

from itertools import pairwise
from math import inf


def distances(graph, goals):
    """The oracle: what each vertex costs to the nearest goal, by relaxation over all edges (Bellman, Ford)."""
    vertices = {*graph, *(v for edges in graph.values() for v in edges), *goals}
    d = {v: 0 if v in goals else inf for v in vertices}
    for _ in vertices:
        for u, edges in graph.items():
            d[u] = min([d[u], *(c + d[v] for v, c in edges.items())])
    return d


def random_graph(dice, least=0):
    """A few vertices, and edges with whole costs, dearer to far vertices, so that ways of many steps are cheap."""
    n, thick = dice.randint(3, 9), dice.choice((0.2, 0.4, 0.7))
    return {
        u: {v: dice.randint(least, 5) * abs(u - v) for v in range(n) if v != u and dice.random() < thick}
        for u in range(n)
    }


def cost_of(graph, path):
    return sum(graph[u][v] for u, v in pairwise(path.vertices))


def estimate(dice, graph):
    """h(a, b): the distance in the first graph, or 0. Edges only become dearer, so it stays consistent."""
    if dice.random() < 0.2:
        return lambda a, b: 0
    table = {b: distances(graph, {b}) for b in graph}
    return lambda a, b: min(table[b][a], 999)
