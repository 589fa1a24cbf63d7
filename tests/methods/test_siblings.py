"""Siblings graded in one call: what is asked, what is read, and that it is the same search as with a call for each."""

import re

import pytest
from driving import drive

import tot
from tot import Message, Request, Sample, Scripted, State, Thought
from tot.methods.siblings import graded_together, read_listed
from tot.parse import Read, bad
from tot.state import Node
from tot.tasks.game24_style import read_verdict

WORTH = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}


def prompt(state):
    shown = (
        ("system", "Grade."),
        ("user", "a"),
        ("assistant", "yes. sure"),
        ("user", "b"),
        ("assistant", "no. likely"),
    )
    return Request((*(Message(*one) for one in shown), Message("user", state.last.text)), max_tokens=10)


def read(text):
    word = re.search("sure|likely|impossible", text)
    return Read(WORTH[word[0]]) if word else bad("no verdict", text)


def graded(reply, *groups, **more):
    """Nodes whose thoughts are the words of each group, graded by one reply; the nodes and the ask."""
    root, nodes = Node(State("x")), []
    for parent, group in zip(root.grow([Thought(group) for group in groups]), groups, strict=True):
        nodes += parent.grow([Thought(word) for word in group.split()])
    _, [ask], [event] = drive(graded_together(prompt, read, **{"n": 1, **more})(nodes), Scripted(reply))
    return nodes, ask, event.data["unread"]


def test_one_request_lists_siblings_after_the_examples_in_the_same_form():
    nodes, ask, unread = graded(lambda r, i: "1. sure\n2. impossible\n3. likely", "p q r", "s")
    many, one = ask.requests
    assert [m.content for m in many.messages] == [
        "Grade.",
        "1. a\n2. b",
        "1. yes. sure\n2. no. likely",
        "1. p\n2. q\n3. r",
    ]
    assert many.max_tokens == 30 and one == prompt(State("x").then(Thought("s")))
    assert [node.value for node in nodes] == [20, 0.001, 1, 20] and not unread and ask.nodes == nodes
    assert ask.about == [[0, 1, 2], [3]], "each call under the thoughts that it grades"


@pytest.mark.parametrize(
    ("reply", "values"),
    [
        ("2. sure\n1. likely", (1, 20)),
        ("**1.** sure\n(2) fine\nin the end likely", (20, 1)),
        ("1) 7 - 1.5 = 5.5, sure\n2) likely", (20, 1)),
        ("1. sure", (20, None)),
        ("1. sure\n1. likely\n2. likely", (None, 1)),
        ("State 1. likely. State 2. sure", (1, 20)),
        ("1. likely\n2. sure\n\nAgain:\n1. likely\n2. sure", (1, 20)),
        ("1. hm\n2. likely\n3. sure\n12. sure", (None, 1)),
        ("sure, likely", (None, None)),
        ("1. leaves 1 and 2. sure\n2. leaves 1 and 3. likely", (20, 1)),
        ("1. 4 * 6 = 24. sure 2. too small. impossible", (None, None)),
        ("", (None, None)),
    ],
)
def test_each_verdict_belongs_to_its_number_and_what_is_unclear_is_unread(reply, values):
    nodes, _, unread = graded(lambda r, i: reply, "p q")
    assert tuple(node.value or None for node in nodes) == values
    assert [one["node"] for one in unread] == [node.id for node in nodes if not node.value]


@pytest.mark.parametrize(
    "last", ["sure\n\nSo the first may be likely.", "It is likely at first.\n\nBut 4 * 6 = 24.\nsure", "4 * 6: sure"]
)
def test_what_stands_below_the_last_verdict_is_no_verdict(last):
    reads = read_listed(Sample(f"1. likely\n2. {last}"), 2, read_verdict)
    assert [one.value for one in reads] == [1.0, 20.0]


def test_samples_add_up_equal_states_are_listed_once_and_what_is_known_is_not_asked():
    replies = ["1. sure\n2. likely", "1. sure\n2. sure"]
    known = {"k": 0.5}
    nodes, ask, _ = graded(lambda r, i: replies[i - 3], "p k q p", n=2, first=3, local=lambda s: known.get(s.last.text))
    assert [node.value for node in nodes] == [40, 1.0, 21, 40] and ask.requests[0].messages[-1].content == "1. p\n2. q"


def judged(text):
    """The rules' verdict on numbers that are left."""
    from fractions import Fraction

    from tot.tasks.game24_rules import solvable

    return "sure" if solvable(tuple(map(Fraction, text.split()))) else "impossible"


def test_the_search_is_the_same_in_fewer_calls_and_a_recording_without_the_knob_replays(tmp_path):
    def says(request, i):
        text = request.messages[-1].content
        if request.messages[0].content.startswith("Can the"):
            if listed := re.findall(r"(?m)^(\d+)\. (.*)$", text):
                return "\n".join(f"{number}. {judged(left)}" for number, left in listed)
            return judged(text)
        numbers = text.partition(": ")[2].split()
        return "\n".join(f"{a} {sign} {b} = {eval(a + sign + b)}" for a in numbers for b in numbers for sign in "+-*")

    with tot.Cassette(tmp_path / "c.jsonl", Scripted(says, name="s")) as lm:
        each = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, style="lean")
        one = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, style="lean", siblings=True)
    replayed = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=tot.Cassette(tmp_path / "c.jsonl"), style="lean")
    assert each.correct and one.answers == each.answers and replayed.to_dict() == each.to_dict()
    values = [{node["id"]: node.get("value") for node in each.trace.nodes().values()} for each in (each, one)]
    assert values[0] == values[1]
    assert one.result.ledger.total.calls < each.result.ledger.total.calls / 2


def test_what_does_not_go_with_it_is_said_in_a_sentence():
    for task, problem, more, word in (
        ("game24", "4 9 10 13", {"verdicts": "logprobs"}, "verdicts"),
        ("crosswords", tot.task("crosswords").problems("book")[0].x, {}, "several times"),
    ):
        with pytest.raises(ValueError, match=word):
            tot.solve(task, problem, "tot-bfs", lm=Scripted(["x"]), siblings=True, **more)


@pytest.mark.treebook
def test_a_form_with_one_verdict_is_refused():
    from treebook import forms

    with pytest.raises(ValueError, match="a form with one verdict: leave out siblings"):
        tot.solve(forms.game24, "4 9 10 13", "tot-bfs", lm=tot.Scripted([]), siblings=True)
