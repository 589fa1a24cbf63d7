"""The kit for searches passes our own and catches what is wrong."""

import random

import pytest
from telling import Telling
from toys import children_of, make_dfs, make_mcts, oracle, prompts, worth

from tot.ask import Ask
from tot.budget import Budget
from tot.evaluate import constant, vote
from tot.events import Best, Event
from tot.generate import generator
from tot.lm.base import LMError, Request, user
from tot.lm.scripted import Scripted
from tot.methods import METHODS
from tot.parse import Read
from tot.runner import Run, run
from tot.search.breadth_first import bfs
from tot.state import Node, State, Thought
from tot.tasks import task
from tot.testing import Shuffled, check_search


def words(request, i):
    return f"{request.messages[0].content} {request.max_tokens} {i}"


def fickle():
    count = iter(range(9999))
    return Scripted(lambda request, i: str(next(count)))


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if not m.missing(task("game24"))])
def test_our_methods_conform(name):
    game = task("game24")

    def player(request, i):
        """Legal and illegal steps, verdicts and answers, as a function of the request and the index."""
        dice = random.Random(f"{request.key('player')} {i}")
        last = request.messages[-1].content
        if "impossible" in request.messages[0].content:
            return dice.choice(["sure", "likely", "impossible", "hm"])
        numbers = last.removeprefix("Numbers: ").split("\n")[0].split()
        a, b = dice.sample(numbers, 2) if len(numbers) > 1 else [*numbers, "1"]
        steps = [f"{a} + {b} = {int(a) + int(b)}"] if a.isdigit() and b.isdigit() else []
        return "\n".join([*steps, f"{a} + {b} = 0", f"Answer: {a} * {b} * 2"])

    settings = {"k": 3} if "k" in METHODS[name].defaults else {"breadth": 2}
    settings |= {"expansions": 1000} if "expansions" in METHODS[name].defaults else {}
    full = check_search(lambda: METHODS[name].search(game, "1 2 3 4", **settings), Telling(Scripted(player)), copies=2)
    assert full.ledger.total.calls > 0 and full.best


def paths(x, threshold, depth, path=""):
    """Brute force: every path that a search with pruning can reach, in preorder."""
    yield path
    if len(path) < depth:
        for child in children_of(x, path):
            if worth(x, child) > threshold:
                yield from paths(x, threshold, depth, child)


@pytest.mark.parametrize("x", [f"tree{i}" for i in range(12)])
def test_dfs_finds_the_first_state_of_maximal_depth(x):
    result = run(make_dfs(x)(), oracle())
    reachable = list(paths(x, 0.3, 4))
    first = max(reachable, key=len)  # max keeps the first of equals
    assert [node.state.last.text for node in result.best] == ([first] if first else [])
    nodes = result.trace.nodes().values()
    assert {n["thought"] for n in nodes if "note" not in n} == {x, *reachable} - {""}
    assert all("is at most 0.3" in n["note"] for n in nodes if n.get("value", 1) <= 0.3)


def test_dfs_conforms_and_a_budget_of_nodes_is_the_papers_step_limit():
    full = check_search(make_dfs("tree5"), oracle())
    assert full.ledger.nodes > 5 and full.ledger.rounds == full.ledger.total.calls  # one question after the other
    part = run(make_dfs("tree5")(), oracle(), budget=Budget(nodes=5))
    assert part.stopped == "nodes" and part.ledger.nodes == 5
    assert part.trace.events == full.trace.events[: len(part.trace.events)]


def three(x, path):
    return [f"{path}{i}" for i in range(3)] if len(path) < 3 else []


def peaked(best):
    """What a path is worth: the mean over the 27 leaves below it, where one leaf is worth 1 and the others less."""

    def leaf(x, path):
        return 1.0 if path == best else 0.4 * worth(x, path)

    def mean(x, path):
        below = [mean(x, child) for child in three(x, path)]
        return sum(below) / 3 if below else leaf(x, path)

    return mean


@pytest.mark.parametrize("best", ["000", "012", "121", "222"])
@pytest.mark.parametrize("leaves", [1, 4])
def test_mcts_converges_to_the_best_leaf(best, leaves):
    root, rollouts = Node(State("t")), 400
    reward = peaked(best)
    leaf_values = {"".join(map(str, (a, b, c))): 0.0 for a in range(3) for b in range(3) for c in range(3)}
    assert max(leaf_values, key=lambda path: reward("t", path)) == best  # brute force over all 27
    result = run(make_mcts("t", root, rollouts=rollouts, depth=3, leaves=leaves)(), oracle(three, reward))
    assert result.best[0].state.last.text == best
    assert root.visits == rollouts and max(root.children, key=lambda n: n.visits).state.last.text == best[0]
    todo = [root]
    while todo:  # the books balance: visits and rewards of a node are those of its own turns and of its children
        node = todo.pop()
        todo += node.children
        own = node.visits - sum(child.visits for child in node.children)
        assert own >= 1
        below = sum(child.total for child in node.children)
        assert node.total == pytest.approx((own * node.value if own else 0.0) + below)


@pytest.mark.parametrize("leaves", [1, 3])
def test_mcts_conforms(leaves):
    full = check_search(make_mcts("tree1", rollouts=12, depth=4, leaves=leaves), oracle())
    assert full.trace.nodes()["0"]["visits"] == 12
    assert (full.ledger.rounds < full.ledger.total.calls) == (leaves > 1)  # leaves share their rounds


def test_a_vote_conforms():
    def make():
        grow = generator(lambda s: user(f"plan {s.x}"), lambda s, text: [Read(Thought(text, final=True))], k=3)
        ballot = vote(lambda states: user(f"vote {len(states)}"), lambda text, n: Read(len(text) % n), n=5)
        return bfs(Node(State("x")), grow, ballot, depth=1, breadth=1)

    full = check_search(make, Scripted(lambda r, i: "y" * (i * i + 1)))
    assert full.ledger.rounds == 2


def test_a_search_that_asks_nothing_conforms():
    def make():
        local = [Thought("a", answer="1", final=True)]
        grow = generator(lambda s: user("never"), lambda s, t: [], local=lambda s: local)
        return bfs(Node(State("x")), grow, constant, depth=2, breadth=1)

    assert check_search(make, Scripted([])).answers == ["1"]


def walk(n=3, event=lambda i, node: Event("seen", [node]), request=lambda i: user(f"q{i}")):
    """A chain of questions."""

    def search():
        node = Node(State("x"))
        for i in range(n):
            [reply] = yield Ask("generator", [node], [request(i)])
            [node] = node.grow([Thought(reply.texts[0])])
            yield event(i, node)
        yield Best([node])

    return search


def tidies_up():
    node = Node(State("x"))
    try:
        yield Ask("generator", [node], [user("q")])
        yield Best([node])
    finally:
        node.note = "closed"


def keeps_going():
    node = Node(State("x"))
    try:
        yield Ask("generator", [node], [user("q")])
    finally:
        yield Best([node])


def live_data():
    seen = []

    def event(i, node):
        seen.append(i)
        return Event("seen", [node], {"so_far": seen})

    return walk(event=event)()


def shared():
    """Two searches of one kind share what they know."""
    known = {}

    def search():
        node = Node(State("x"))
        for i in range(3):
            if i not in known:
                [known[i]] = yield Ask("generator", [node], [user(f"q{i}")])
            yield Event("seen", [node])
        yield Best([node])

    return search


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (walk(event=lambda i, node: Event("seen", [node], {"dice": random.random()})), "does not repeat itself"),
        (walk(request=lambda i: user(f"q{random.random()}")), "does not repeat itself"),
        (shared(), "does not repeat itself"),
        (live_data, "no prefix"),
        (tidies_up, "changed its nodes when it was closed at question 1"),
        (keeps_going, "ignored GeneratorExit"),
    ],
)
def test_broken_searches_are_caught(make, why):
    with pytest.raises((AssertionError, RuntimeError), match=why):
        check_search(make, Scripted(words))


def test_a_model_that_changes_its_mind_fails_the_check():
    with pytest.raises(AssertionError, match="does not repeat itself"):
        check_search(walk(), fickle())


def test_a_model_that_fails_is_named():
    def fail(request, i):
        raise LMError("no server")

    with pytest.raises(AssertionError, match="not by error no server"):
        check_search(walk(), Scripted(fail))


def test_shuffled_keeps_replies_with_their_requests():
    lm = Shuffled(Scripted(words), seed=1)
    requests = [user(str(i)) for i in range(20)]
    assert [reply.texts[0] for reply in lm(requests)] == [f"{i} None 0" for i in range(20)]
    assert [r.messages[0].content for r in lm.lm.requests] != [str(i) for i in range(20)]


def test_prompts_are_requests():
    grow, _ = prompts("t")
    ask = Run(grow([Node(State("t"))]), {}).feed()
    assert isinstance(ask.requests[0], Request)
