"""Generators and evaluators: what they ask, what they make of the replies, what they count as unread."""

from dataclasses import replace

import pytest
from driving import drive
from trees import asked, grow, judge, model, read_letters, root, word

from tot import Scripted, State, Thought, agreement, constant, generator, user, vote
from tot.lm.base import Reply, Sample
from tot.parse import Read
from tot.tasks.ballots import choice


def test_all_nodes_are_asked_about_in_one_round():
    lm = model({"r": "a b", "ra": "c", "rb": "d C"}, {})
    top = root()
    nodes, [ask], [event] = drive(grow()([top]), lm)
    assert (ask.role, ask.nodes, ask.about) == ("generator", [top], None) and nodes == top.children == event.nodes
    more, [ask], [event] = drive(grow(role="planner")(nodes), lm)
    assert ask.role == "planner" and [r.messages[0].content for r in ask.requests] == ["grow ra", "grow rb"]
    assert [(n.id, word(n.state)) for n in more] == [("0.0.0", "rac"), ("0.1.0", "rbd"), ("0.1.1", "rbC")]
    assert [n.parent.id for n in more] == ["0.0", "0.1", "0.1"] and more[2].terminal and more[2].state.answer == "rbC"
    assert event.kind == "expanded" and event.nodes == more and event.data == {"of": ["0.0", "0.1"], "unread": []}


def test_k_samples_from_the_first_index_on():
    lm = model({"r": ["a", "b", "a c", "d"]}, {})
    nodes, [ask], _ = drive(grow(k=3, first=1)([root()]), lm)
    assert ask.requests == [user("grow r", temperature=0, n=3, first=1)]
    assert [n.state.last.text for n in nodes] == ["b", "a", "c", "d"]
    with pytest.raises(ValueError, match="n >= 1"):
        drive(grow(k=0)([root()]), lm)


def test_equal_thoughts_are_one_child_unless_each_sample_counts():
    lm = model({"r": ["a b", "b a", "a"]}, {})
    assert [n.state.last.text for n in drive(grow(k=3)([root()]), lm)[0]] == ["a", "b"]
    nodes, _, _ = drive(grow(k=3, distinct=False)([root()]), lm)
    assert [n.state.last.text for n in nodes] == ["a", "b", "b", "a", "a"]
    assert [n.id for n in nodes] == ["0.0", "0.1", "0.2", "0.3", "0.4"]


def test_a_refusal_is_not_read_as_an_answer():
    said = {"r": ["a", "b c"]}
    plain = model(said, {})

    def lm(requests):  # the second sample refuses, in words that the reader would take for two thoughts
        replies = plain(requests)
        return [Reply((r.samples[0], replace(r.samples[1], finish="refusal"))) for r in replies]

    nodes, _, [event] = drive(grow(k=2)([root()]), lm)
    assert [n.state.last.text for n in nodes] == ["a"]
    assert event.data["unread"] == [{"node": "0", "why": "the model refuses", "text": "b c"}]
    nodes, _, [event] = drive(grow(k=2, distinct=False)([root()]), lm)  # a rate of two samples stays one
    assert [(n.state.answer, n.terminal) for n in nodes] == [(None, False), (None, True)]
    assert [unread["why"] for unread in event.data["unread"]] == ["the model refuses"]


def test_thoughts_that_differ_in_more_than_text_and_confidence_are_two():
    thoughts = Thought("a", prior=0.5), Thought("a", prior=0.9), Thought("a", final=True)
    read = lambda state, text: map(Read, thoughts)  # noqa: E731
    nodes, _, _ = drive(generator(lambda s: user("x"), read)([root()]), Scripted([""]))
    assert len(nodes) == 2


def test_what_cannot_be_read_is_listed_with_its_node():
    lm = model({"ra": "? c", "rb": "?"}, {})
    nodes = root().grow([Thought("a"), Thought("b")])
    children, _, [event] = drive(grow()(nodes), lm)
    assert [n.id for n in children] == ["0.0.0"]
    assert event.data["unread"] == [{"node": n, "why": "no letter", "text": "?"} for n in ("0.0", "0.1")]
    nodes = root().grow([Thought("a"), Thought("b")])
    children, _, [again] = drive(grow(distinct=False)(nodes), lm)  # a rate of samples counts it
    assert [(n.state.last.text, n.terminal) for n in children] == [("c", False), ("?", True)]
    assert again.data["unread"] == event.data["unread"]


def test_a_reader_may_give_a_thought_for_what_it_cannot_read():
    read = lambda state, text: [Read(Thought(text, final=True), "no answer in it", text)]  # noqa: E731
    [child], _, [event] = drive(generator(lambda s: user("x"), read)([root()]), Scripted(["hm"]))
    assert child.terminal and child.state.answer is None and len(event.data["unread"]) == 1


def test_thoughts_without_a_model():
    """None asks; a list, also an empty one, does not."""
    local = {"ra": [Thought("x"), Thought("x"), Thought("y")], "rb": None, "rc": []}
    nodes = root().grow([Thought("a"), Thought("b"), Thought("c")])
    lm = model({"rb": "z"}, {})
    children, [ask], _ = drive(grow(local=lambda s: local[word(s)])(nodes), lm)
    assert [n.id for n in ask.nodes] == ["0.1"] and asked(lm) == ["grow rb"]
    assert [(n.id, n.state.last.text) for n in children] == [("0.0.0", "x"), ("0.0.1", "y"), ("0.1.0", "z")]


def test_a_node_may_be_expanded_again():
    top = root()
    lm = model({"r": ["a", "b"]}, {})
    drive(grow()([top]), lm)
    drive(grow(first=1)([top]), lm)
    assert [(n.id, n.state.last.text) for n in top.children] == [("0.0", "a"), ("0.1", "b")]


def children(*letters):
    return root().grow([Thought(letter) for letter in letters])


def test_a_value_is_the_sum_of_its_verdicts_and_what_cannot_be_read_adds_nothing():
    nodes = children("a", "b")
    lm = model({}, {"ra": ["1", "2.5", "?"], "rb": ["?", "?", "?"]})
    result, [ask], [event] = drive(judge(n=3)(nodes), lm)
    assert result is None and ask.role == "evaluator" and ask.nodes == nodes and {r.n for r in ask.requests} == {3}
    assert [n.value for n in nodes] == [3.5, 0.0] and event.nodes == nodes and event.kind == "evaluated"
    assert [u["node"] for u in event.data["unread"]] == ["0.0", "0.1", "0.1", "0.1"]
    assert event.data["unread"][0] == {"node": "0.0", "why": "no number", "text": "?"}


def test_values_are_kept_per_state_and_asked_once():
    """Equal states, in one round or in a later one, are one question about the first node that has it."""
    tree = root()
    first = tree.grow([Thought("a"), Thought("b"), Thought("a")])
    lm, evaluate = model({}, {"ra": 4, "rb": 5}), judge(first=2)
    _, [ask], _ = drive(evaluate(first), lm)
    assert [n.id for n in ask.nodes] == ["0.0", "0.1"] and [r.first for r in ask.requests] == [2, 2]
    later = tree.grow([Thought("b"), Thought("c")])
    _, [ask], [event] = drive(evaluate(later), lm)
    assert [n.id for n in ask.nodes] == ["0.4"] and event.nodes == later
    assert [n.value for n in (*first, *later)] == [4, 5, 4, 5, 0]
    assert asked(lm) == ["judge ra", "judge rb", "judge rc"]
    assert [r.messages[0].content for r in drive(judge()(first), lm)[1][0].requests] == ["judge ra", "judge rb"]  # anew


def test_a_local_verdict_counts_n_times_and_asks_nothing():
    nodes = children("a", "b", "c")
    local = {"ra": 20.0, "rb": None, "rc": 0.0}
    _, [ask], _ = drive(judge(n=3, local=lambda s: local[word(s)])(nodes), model({}, {"rb": 1}))
    assert [n.id for n in ask.nodes] == ["0.1"] and [n.value for n in nodes] == [60.0, 3.0, 0.0]


def test_nothing_to_judge_is_no_question():
    _, [ask], [event] = drive(judge()([]), Scripted([]))
    assert ask.requests == [] and event.nodes == []


def ballot(states):
    return user("vote " + " ".join(map(word, states)))


def test_a_vote_is_one_question_across_all_states_in_their_order():
    nodes = children("a", "b", "c")
    votes = ["The best choice is 2", "choice 1", "choice 2", "choice 4", "I abstain"]
    _, [ask], [event] = drive(vote(ballot, choice, n=5, first=10)(nodes), Scripted(votes))
    assert ask.requests == [user("vote ra rb rc", n=5, first=10)] and ask.about == [None] and ask.nodes == nodes
    assert [n.value for n in nodes] == [1.0, 2.0, 0.0]
    assert [(u["node"], u["why"]) for u in event.data["unread"]] == [(None, "choice 4 of 3"), (None, "no choice named")]
    _, [ask], _ = drive(vote(ballot, choice)([]), Scripted([]))
    assert ask.requests == [] and ask.about == []


def attempts(*answers):
    return root().grow([Thought(str(i), answer=answer, final=True) for i, answer in enumerate(answers)])


def test_agreement_counts_equal_answers_and_none_is_no_answer():
    nodes = attempts("A", "b", None, "a ", "c", None, "a")
    _, asks, [event] = drive(agreement(lambda answer: answer.strip().lower())(nodes), Scripted([]))
    assert asks == [] and [n.value for n in nodes] == [3.0, 1.0, 0.0, 3.0, 1.0, 0.0, 3.0] and event.kind == "evaluated"


def test_no_opinion_is_one_for_each():
    nodes = attempts("a", None)
    _, asks, [event] = drive(constant(nodes), Scripted([]))
    assert asks == [] and [n.value for n in nodes] == [1.0, 1.0] and event.nodes == nodes


def test_a_state_is_the_input_and_the_thoughts_so_far():
    state = State("x").then(Thought("a")).then(Thought("b", answer="7", final=True))
    assert [t.text for t in state.thoughts] == ["a", "b"] and state.last.text == "b"
    assert state.answer == "7" and state.terminal and state == State("x", state.thoughts) and hash(state)
    assert State("x").last is None and State("x").answer is None and not State("x").terminal


def test_a_node_knows_its_place():
    top = root()
    [a, b] = top.grow([Thought("a"), Thought("b")])
    [c] = b.grow([Thought("c")])
    assert [n.id for n in c.path] == ["0.1.0", "0.1", "0"] and [n.depth for n in (top, a, c)] == [0, 1, 2]
    assert c.mean is None
    c.visits, c.total = 4, 3.0
    assert c.mean == 0.75 and a != b and len({a, b, c}) == 3


def test_a_reply_gives_its_texts():
    assert Reply((Sample("a"), Sample("b"))).texts == ("a", "b")
    assert list(read_letters(State("r"), "? a"))[1].value == Thought("a")
