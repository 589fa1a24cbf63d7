"""The kit for searches passes our own and catches what is wrong."""

import random

import pytest

from tot.ask import Ask
from tot.evaluate import constant, vote
from tot.events import Best, Event
from tot.generate import generator
from tot.lm.base import LMError, user
from tot.lm.scripted import Scripted
from tot.parse import Read
from tot.search.breadth_first import bfs
from tot.state import Node, State, Thought
from tot.testing import Shuffled, check_search


def words(request, i):
    return f"{request.messages[0].content} {request.max_tokens} {i}"


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
        count = iter(range(9999))
        check_search(walk(), Scripted(lambda request, i: str(next(count))))


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
