"""Adaptive branching against integrals, an implementation of its own kind, and trying everything."""

from collections import defaultdict
from itertools import count
from math import exp, log, sqrt
from random import Random
from statistics import fmean

import pytest
from toys import dice

from tot import Thought, run
from tot.events import Evaluated, Expanded
from tot.search.adaptive import Beta, Gaussian, ab_mcts
from tot.search.monte_carlo import highest
from tot.state import Node, State


def after(posterior, *rewards):
    for reward in rewards:
        posterior.add(reward)
    return posterior


def test_the_example_worked_out_by_hand():
    assert vars(after(Gaussian(), 0.8)) == pytest.approx({"mean": 0.4, "kappa": 2, "nu": 2, "variance": 0.21})
    both = {"mean": 1.4 / 3, "kappa": 3, "nu": 3, "variance": 0.4466666 / 3}
    assert vars(after(Gaussian(), 0.8, 0.6)) == pytest.approx(both)
    assert vars(after(Beta(), 0.8, 0.6)) == pytest.approx({"a": 1.9, "b": 1.1})


def density_of_a_normal_mean(rewards):
    """The mean's posterior on a grid: prior times likelihood, added up over the variance."""
    means = [i / 50 - 3 for i in range(301)]
    found = dict.fromkeys(means, 0.0)
    for i in range(140):
        v = exp(-8 + i * 0.1)  # equal steps of ln v: the density in v is multiplied by v
        prior_v = -0.5 * log(v) - 0.1 / (2 * v)  # scaled inverse chi-squared: nu = 1, tau2 = 0.1; times v
        for mu in means:
            fits = sum((r - mu) ** 2 for r in rewards) + mu**2  # the prior of the mean: one reward of 0
            found[mu] += exp(prior_v - 0.5 * (len(rewards) + 1) * log(v) - fits / (2 * v))
    return found


def density_of_a_share(rewards):
    """Each reward r is r of a success and 1 - r of a failure; Jeffreys' prior is half of each."""
    a, b = 0.5 + sum(rewards), 0.5 + len(rewards) - sum(rewards)
    return {p: p ** (a - 1) * (1 - p) ** (b - 1) for p in ((i + 0.5) / 2000 for i in range(2000))}


@pytest.mark.parametrize(("posterior", "density"), [(Gaussian, density_of_a_normal_mean), (Beta, density_of_a_share)])
@pytest.mark.parametrize("rewards", [(0.8, 0.6), (0.0, 1.0, 0.7, 0.7, 0.9)])
def test_draws_are_as_frequent_as_integration_says(posterior, density, rewards):
    luck, known = Random(1), after(posterior(), *rewards)
    draws = [known.draw(luck) for _ in range(4000)]
    found = density(rewards)
    whole = sum(found.values())
    for limit in (0.2, 0.4, 0.5, 0.7, 0.9):
        below = sum(d for at, d in found.items() if at <= limit) / whole
        assert sum(draw <= limit for draw in draws) / 4000 == pytest.approx(below, abs=0.035)
    if posterior is Gaussian:
        assert known.mean == pytest.approx(sum(at * d for at, d in found.items()) / whole, abs=0.01)


def says(seed, model, path, j):
    """Reply ``j`` of a model about a path: some of the letters, none from the fourth on and below depth 3."""
    return "".join(c for c in "abcd" if j < 3 and len(path) < 3 and dice(seed, model, path, j, c) < 0.45)


def worth(seed, path):
    return round(dice(seed, "worth", path), 3)


def final(seed, path):
    return dice(seed, "final", path) < 0.2


def path_of(node):
    return "".join(z.text for z in node.state.thoughts)


def toy(seed, models):
    """The generators and the evaluator of a toy tree. They ask nobody."""
    drawn = defaultdict(count)

    def generator(model):
        def generate(nodes):
            new = []
            for node in nodes:
                path = path_of(node)
                known = {child.state.last.text for child in node.children}
                letters = [c for c in says(seed, model, path, next(drawn[path, model])) if c not in known]
                new += node.grow(Thought(c, final=final(seed, path + c)) for c in letters)
            yield Expanded(new, nodes)
            return new

        return generate

    def evaluate(nodes):
        for node in nodes:
            node.value = worth(seed, path_of(node))
        yield Evaluated(nodes)

    return {model: generator(model) for model in models}, evaluate


def by_search(seed, kind, rollouts, leaves, models, depth=3):
    generators, evaluate = toy(seed, models)
    top = Node(State("x"))
    how = {"rollouts": rollouts, "leaves": leaves, "depth": depth, "posterior": kind}
    how["luck"] = Random(seed)
    result = run(ab_mcts(top, generators, evaluate, **how, choose=highest(lambda node: node.value)), {})
    paths = {node: "".join(words(result.trace.nodes(), node)) for node in result.trace.nodes()}
    picked = [[paths[n["id"]] for n in e["nodes"]] for e in result.trace.events if e["kind"] == "selected"]
    judged = [paths[n["id"]] for e in result.trace.events if e["kind"] == "evaluated" for n in e["nodes"]]
    return picked, judged, result


def words(nodes, id):
    return [*words(nodes, nodes[id]["parent"]), nodes[id]["thought"]] if "." in id else []


class Slow:
    """AB-MCTS-A from its equations, by lists of rewards that are added up anew for each draw."""

    def __init__(self, seed, kind, rollouts, leaves, models, depth):
        self.seed, self.kind, self.models, self.depth, self.luck = seed, kind, models, depth, Random(seed)
        self.gen, self.cont, self.child, self.model = (defaultdict(list) for _ in range(4))
        self.made, self.waits, self.replies, self.over = {}, defaultdict(list), defaultdict(int), set()
        self.picked, self.judged, self.proposed = [], [], []
        while rollouts > 0 and self.alive(""):
            now = [self.pick() for _ in range(min(leaves, rollouts))]
            self.picked.append([*dict.fromkeys(p for p, _ in now)])
            self.together(now)
            rollouts -= leaves

    def draw(self, rewards):
        n, a = len(rewards), fmean(rewards) if rewards else 0.0
        if self.kind is Beta:
            return round(self.luck.betavariate(0.5 + n * a, 0.5 + n - n * a), 9)
        kappa, nu = 1 + n, 1 + n
        spread = sum((r - a) ** 2 for r in rewards)
        tau2 = (1 * 0.1 + spread + n * 1 * (0 - a) ** 2 / kappa) / nu
        s2 = nu * tau2 / self.luck.gammavariate(nu / 2, 2)
        return round(self.luck.normalvariate((1 * 0 + n * a) / kappa, sqrt(s2 / kappa)), 9)

    def able(self, p):
        return [m for m in self.models if self.waits[p, m] or (p, m) not in self.over]

    def alive(self, p):
        ends = p and final(self.seed, p)
        return not ends and len(p) < self.depth and bool(self.able(p) or self.inner(p))

    def inner(self, p):
        return [q for q in self.children(p) if q in self.made and self.alive(q)]

    def children(self, p):  # in the order in which they were proposed
        return [q for q in self.proposed if q[:-1] == p and len(q) == len(p) + 1]

    def pick(self):
        p = ""
        while old := self.inner(p):
            if self.able(p):
                new = self.draw(self.gen[p])
                if new >= self.draw(self.cont[p]):
                    break
            draws = [self.draw(self.child[q]) for q in old]
            p = old[draws.index(max(draws))]
        able = self.able(p)
        if len(able) == 1:
            return p, able[0]
        draws = [self.draw(self.model[m]) for m in able]
        return p, able[draws.index(max(draws))]

    def together(self, now):
        for m in self.models:
            for p in dict.fromkeys(p for p, who in now if who == m):
                for _ in range(now.count((p, m)) - len(self.waits[p, m])):
                    letters = says(self.seed, m, p, self.replies[p, m])
                    self.replies[p, m] += 1
                    new = [p + c for c in letters if p + c not in self.proposed]
                    self.waits[p, m] += new
                    self.proposed += new
                if not self.waits[p, m]:
                    self.over.add((p, m))
        new = [(self.waits[p, m].pop(0), m) for p, m in now if self.waits[p, m]]
        self.made |= dict(new)
        self.judged += [x for x, _ in new]
        for x, m in new:
            r = worth(self.seed, x)
            self.gen[x[:-1]].append(r), self.child[x].append(r), self.model[m].append(r)
            u = x[:-1]
            while u:
                self.child[u].append(r)
                u = u[:-1]
                self.cont[u].append(r)


@pytest.mark.parametrize("kind", [Gaussian, Beta])
@pytest.mark.parametrize("models", [("m",), ("m", "n", "o")])
@pytest.mark.parametrize("leaves", [1, 3])
def test_it_chooses_what_the_equations_choose_by_the_same_draws(kind, models, leaves):
    for seed in range(6):
        slow = Slow(seed, kind, 60, leaves, models, 3)
        picked, judged, _ = by_search(seed, kind, 60, leaves, models)
        assert picked == slow.picked and judged == slow.judged, seed


def test_when_nothing_is_left_all_was_judged_once_and_the_best_is_the_output():
    for seed in range(10):
        _, judged, result = by_search(seed, Gaussian, 9999, 1, ("m",))
        every = [""]
        for path in every:
            if not (path and final(seed, path)):
                every += dict.fromkeys(path + c for j in range(4) for c in replies_until_none(seed, path, j))
        assert sorted(judged) == sorted(set(every) - {""}) and len(judged) < 999 and result.stopped == "done"
        if judged:
            assert result.best[0].value == max(worth(seed, path) for path in judged)


def replies_until_none(seed, path, j):
    """The letters of reply j, if each reply before it brought something new."""
    known = ""
    for i in range(j + 1):
        new = [c for c in says(seed, "m", path, i) if c not in known]
        if not new:
            return []
        known += "".join(new)
    return new


def test_a_models_rewards_decide_how_often_it_is_asked():
    """Two models, one of which writes what is worth three times as much; below the root there is nothing."""

    def generator(model):
        def generate(nodes):
            new = [child for node in nodes for child in node.grow([Thought(f"{model}{len(node.children)}")])]
            yield Expanded(new, nodes)
            return new

        return generate

    def evaluate(nodes):
        for node in nodes:
            node.value = 0.9 if node.state.last.text.startswith("good") else 0.3
        yield Evaluated(nodes)

    for kind in (Gaussian, Beta):
        top = Node(State("x"))
        generators = {"bad": generator("bad"), "good": generator("good")}
        how = {"rollouts": 100, "depth": 1, "posterior": kind, "luck": Random(0)}
        run(ab_mcts(top, generators, evaluate, **how), {})
        wrote = [child.state.last.text.startswith("good") for child in top.children]
        assert len(wrote) == 100 and sum(wrote) > 70 and not all(wrote)


def test_the_same_luck_is_the_same_on_every_python():
    """Only the generator's own numbers are promised to stay: draws are made of them by the library's rules."""
    luck = Random("4 9 10 13")
    drawn = [after(kind(), 0.8, 0.6).draw(luck) for kind in (Gaussian, Beta, Gaussian, Beta)]
    assert drawn == [0.083248766, 0.667946946, 0.360863975, 0.318193929]


def test_a_rollout_draws_no_more_than_it_passes():
    """Two draws at each node of the way, and one for each of its children: the cost does not grow with the tree."""

    class Counted(Gaussian):
        draws = 0

        def draw(self, luck):
            Counted.draws += 1
            return super().draw(luck)

    generators, evaluate = toy(3, ("m",))
    top, seen = Node(State("x")), 0
    for event in ab_mcts(top, generators, evaluate, rollouts=60, depth=3, posterior=Counted, luck=Random(3)):
        if event.kind == "selected":
            [node] = event.nodes
            passed = list(node.path)
            assert Counted.draws - seen <= sum(2 + len(each.children) for each in passed)
            seen = Counted.draws
    assert seen > 40
