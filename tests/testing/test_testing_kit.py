"""The conformance kits pass what is right (all our models, tasks, searches) and catch what is wrong."""

import random
import time
from dataclasses import replace

import pytest
from fake_server import FakeServer, answering
from toys import children_of, make_dfs, make_mcts, oracle, prompts, worth

from tot.ask import Ask
from tot.budget import Budget
from tot.evaluate import constant, vote
from tot.events import Best, Event
from tot.generate import generator
from tot.lm.base import LMError, Reply, Request, Usage, user
from tot.lm.cassette import Cassette
from tot.lm.openai import OpenAI
from tot.lm.scripted import Scripted
from tot.methods import METHODS
from tot.parse import Read, bad
from tot.runner import Run, run
from tot.search.breadth_first import bfs
from tot.state import Node, State, Thought
from tot.tasks import TASKS, task
from tot.tasks.base import Problem, Score
from tot.testing import Shuffled, check_lm, check_search, check_task

REQUESTS = [user("a", n=2), user("b", temperature=0), user("a", n=1, first=4, max_tokens=9)]


def words(request, i):
    return f"{request.messages[0].content} {request.max_tokens} {i}"


# Models


def test_scripted_shuffled_and_cassettes_conform(tmp_path):
    check_lm(Scripted(words), REQUESTS)
    check_lm(Shuffled(Scripted(words)), REQUESTS)
    with Cassette(tmp_path / "c.jsonl", Scripted(words)) as recorder:
        check_lm(recorder, REQUESTS)
    check_lm(Cassette(tmp_path / "c.jsonl"), REQUESTS)


def test_the_openai_model_conforms(monkeypatch):
    with FakeServer(answering(lambda messages, i: f"{messages[-1]['content']} {i}")) as server:
        check_lm(OpenAI("fake", base_url=server.url), REQUESTS, deterministic=False)


def broken(change):
    """A Scripted with its replies spoilt by ``change(requests, replies, on_reply)``."""

    class Broken(Scripted):
        def __call__(self, requests, on_reply=None):
            return change(requests, super().__call__(requests, None), on_reply)

    return Broken(words)


def told(requests, replies, on_reply):
    for request, reply in zip(requests, replies, strict=True):
        if on_reply:
            on_reply(request, reply)
    return replies


def altered(**changes):
    def change(requests, replies, on_reply):
        fields = {name: make(replies) for name, make in changes.items()} if replies else {}
        return told(requests, [replace(reply, **fields) for reply in replies], on_reply)

    return change


def fickle():
    count = iter(range(9999))
    return Scripted(lambda request, i: str(next(count)))


def forgetful(requests, replies, on_reply):
    return told(requests[:1], replies[:1], on_reply) and replies


def twice(requests, replies, on_reply):
    return told(requests, told(requests, replies, on_reply), on_reply)


@pytest.mark.parametrize(
    ("lm", "why"),
    [
        (broken(lambda q, r, on: told(q, r, on)[::-1]), "samples for|on_reply"),
        (broken(lambda q, r, on: told(q, r, on)[:-1]), "replies for 3 requests|empty list"),
        (broken(lambda q, r, on: tuple(told(q, r, on))), "empty list"),
        (broken(forgetful), "on_reply once for every sample"),
        (broken(twice), "on_reply once for every sample"),
        (broken(lambda q, r, on: told(q, [Reply(x.samples[:1]) for x in r], on)), "gave 1 samples"),
        (broken(altered(asked=lambda r: Usage(1, -1))), "negative number in asked"),
        (broken(altered(paid=lambda r: Usage(dollars=-0.1))), "negative number in paid"),
        (broken(altered(asked=lambda r: Usage(0, 1))), "asked is 1 call"),
        (broken(altered(seconds=lambda r: -1.0)), "negative time"),
        (broken(lambda q, r, on: q.reverse() or told(q[::-1], r, on) if q else []), "changed the list"),
        (Scripted(words, ""), "needs a name"),
        (Scripted([f"line {i}" for i in range(9999)]), "same samples"),
        (fickle(), "same samples"),
    ],
)
def test_broken_models_are_caught(lm, why):
    with pytest.raises(AssertionError, match=why):
        check_lm(lm, list(REQUESTS))


def test_a_model_that_knows_no_index_is_caught():
    class Relative(Scripted):
        def __call__(self, requests, on_reply=None):
            replies = super().__call__([r.samples(0, r.n) for r in requests])
            return told(requests, replies, on_reply)

    with pytest.raises(AssertionError, match="by index"):
        check_lm(Relative(words), REQUESTS)


def test_a_model_that_threads_confuse_is_caught():
    class Confused(Scripted):
        def __call__(self, requests, on_reply=None):
            self.now = requests
            time.sleep(0.002)
            return told(requests, super().__call__(self.now), on_reply)

    with pytest.raises(AssertionError, match="several threads"):
        check_lm(Confused(words), REQUESTS)


# Tasks


@pytest.mark.parametrize("name", TASKS)
def test_our_tasks_conform(name):
    check_task(task(name), texts=["4 + 9 = 13 (left: 10 13 13)", "Answer: (13 - 9) * (10 - 4)", "sure", "likely"])


class Sums:
    """The least that a task can be: add two numbers."""

    name, summary = "sums", "add two numbers"

    def splits(self):
        return {"all": "nine sums", "absent": "needs a file"}

    def problems(self, split):
        if split != "all":
            raise ValueError("choose all, or get a file for absent")
        return [Problem(f"s{i}", f"{i} + 1234", str(i + 1234)) for i in range(9)]

    def problem(self, text):
        if len(text) > 50 or "+" not in text:
            raise ValueError("write a sum")
        return Problem(text, text)

    def verify(self, problem, answer):
        return Score(answer is not None and answer == problem.gold, "", {"length": 1.0})

    def same(self, answer):
        return answer.strip()

    def io(self, state):
        return user(f"What is {state.x}?")

    def cot(self, state):
        return user(f"What is {state.x}? Think. For example 1 + 1 = 2.")

    def read_io(self, state, text):
        return [Read(Thought(text[:9], answer=text[:9], final=True))] if text else [bad("empty", text)]

    read_cot = read_io


def test_the_least_task_conforms():
    check_task(Sums())


def raises(self, *args):
    raise KeyError("oops")


def slow(self, state, text):
    time.sleep(0.02)
    return [bad("slow")]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": ""}, "a name and a summary"),
        ({"verify": None}, "lacks something"),
        ({"splits": lambda self: {}}, "at least one split"),
        ({"problems": lambda self, split: [Problem("a", "1 + 1")] * 2}, "more than once"),
        ({"problems": lambda self, split: [Problem("a", "1 + 1")]}, "unknown split should raise"),
        ({"problems": lambda self, split: [Problem(str(random.random()), "1 + 1")]}, "not the same when asked"),
        ({"problem": lambda self, text: Problem("x", text.upper() + "+")}, "read back its own x"),
        ({"problem": raises}, "should raise ValueError, not KeyError"),
        ({"io": lambda self, s: user(f"{s.x} {random.random()}")}, "not the same when built again"),
        ({"io": lambda self, s: user(f"{s.x} = {int(s.x.split()[0]) + 1234}")}, "holds the gold answer '1235'"),
        ({"read_io": lambda self, s, t: [Read(Thought(t.encode().decode("ascii")))]}, "read_io raised"),
        ({"read_cot": lambda self, s, t: []}, "says nothing"),
        ({"read_io": lambda self, s, t: [Read(None, "why", t)]}, "characters of garbage"),
        ({"read_io": lambda self, s, t: [Read(t)]}, "wrong type, str"),
        ({"read_io": lambda self, s, t: [Read(None)]}, "a reason why not"),
        ({"read_io": lambda self, s, t: ["x"]}, "should be a Read"),
        ({"verify": lambda self, p, a: Score(not a)}, "calls '' correct"),
        ({"verify": lambda self, p, a: Score(a is None)}, "no answer at all"),
        ({"verify": lambda self, p, a: Score(False, "", {"share": 3})}, "between 0 and 1"),
        ({"verify": lambda self, p, a: Score(a == int(a))}, "verify raised ValueError"),
        ({"same": lambda self, a: a + str(random.random())}, "always the same"),
        ({"read_io": slow}, r"took 0\.\d s"),
    ],
)
def test_broken_tasks_are_caught(changes, why, monkeypatch):
    if slow in changes.values():
        monkeypatch.setattr("tot.testing.task.SLOW", 0.01)
    with pytest.raises(AssertionError, match=why):
        check_task(type("Broken", (Sums,), changes)())


class VotedSums(Sums):
    """The same task with a plan and a vote."""

    steps = 2

    def step(self, state):
        return user(f"{len(state.thoughts)} of {state.x}")

    def read_step(self, state, text):
        return [Read(Thought(text[:9]))]

    def ballot(self, states):
        return user(" or ".join(state.last.text for state in states))

    def read_ballot(self, text, options):
        return Read(len(text) % options)


def test_a_task_with_votes_conforms():
    check_task(VotedSums())


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"steps": 0}, "steps must be at least 1"),
        ({"step": lambda self, state: "1"}, "the prompt 'step' is not a Request"),
        ({"ballot": lambda self, states: user(states[0].last.text)}, "all choices in their order"),
        (
            {"ballot": lambda self, states: user(" ".join(s.last.text for s in states[::-1]))},
            "all choices in their order",
        ),
        (
            {"ballot": lambda self, states: user(f"{states[0].last.text} {random.random()}")},
            "not the same when built again",
        ),
        ({"read_ballot": lambda self, text, options: Read(len(text) % 9)}, "is none of the 3 options"),
        ({"read_ballot": lambda self, text, options: Read("1")}, "wrong type, str"),
        ({"read_ballot": lambda self, text, options: Read(int(text))}, "read_ballot raised"),
        ({"read_step": lambda self, state, text: []}, "read_step of '' says nothing"),
        (
            {"read_step": lambda self, state, text: [Read(Thought(text))] if not state.thoughts else []},
            "read_step, later",
        ),
    ],
)
def test_broken_votes_are_caught(changes, why):
    with pytest.raises(AssertionError, match=why):
        check_task(type("Broken", (VotedSums,), changes)())


# Searches


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if isinstance(task("game24"), m.needs)])
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
    full = check_search(lambda: METHODS[name].search(game, "1 2 3 4", **settings), Scripted(player), copies=2)
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
    ask = Run(grow([Node(State("t"))])).feed()
    assert isinstance(ask.requests[0], Request)
