"""The policy: the priors of a state's children are how likely the model was to choose them."""

from dataclasses import replace
from math import exp, log

import pytest
from driving import drive
from hypothesis import given, settings
from hypothesis import strategies as st
from telling import Telling

from tot import LMError, Sample, Scripted, State, Thought, run, user
from tot.parse import Read, bad
from tot.state import Node
from tot.tasks.game24 import Game24
from treebook.guided.likely import LEAST, likelihood, policy_generator

X = "4 9 10 13"


def prompt(state):
    return user("next to " + " ".join(z.text for z in state.thoughts), max_tokens=200, top_p=0.5, temperature=0.2)


def read(state, line):
    """The same thought may be written in capitals; "?" is none."""
    return [Read(Thought(line.lower())) if line.isalpha() else bad("not a word", line)]


def says(*pairs):
    """A model that says pairs[i] = (text, its probability) as sample i."""
    return Scripted(lambda request, i: Sample(pairs[i][0], logprob=log(pairs[i][1])))


def grown(lm, k, **more):
    root = Node(State("x"))
    children, [ask], [event] = drive(policy_generator(prompt, read, k=k, **more)([root]), lm)
    return children, ask, event


def test_a_line_is_asked_for_as_the_model_is():
    _, ask, _ = grown(says(("a", 0.5)), 1, first=0)
    [request] = ask.requests
    assert (request.stop, request.temperature, request.top_p, request.max_tokens) == (("\n",), 1.0, None, 64)
    assert request.logprobs and request.key("m") != replace(request, logprobs=False).key("m")
    assert request.messages == prompt(State("x")).messages


def test_equal_lines_count_once_and_different_lines_of_a_thought_add_up():
    lm = says(("b", 0.25), ("a", 0.5), ("A", 0.125), ("a", 0.5), ("?", 0.05), ("b", 0.24))
    children, _, event = grown(lm, 6)
    assert [(node.state.last.text, node.state.last.prior) for node in children] == [("b", 0.25), ("a", 0.625)]
    assert [(one["why"], one["text"]) for one in event.data["unread"]] == [("not a word", "?")]


def test_known_thoughts_share_one_and_ask_nobody():
    children, ask, _ = grown(says(), 3, local=lambda state: [Thought("a", prior=7.0), Thought("b")])
    assert ask.requests == [] and [node.state.last.prior for node in children] == [0.5, 0.5]
    assert grown(says(), 3, local=lambda state: [])[0] == []


def test_refusals_are_unread_and_hopeless_lines_are_possible():
    lm = Scripted([Sample("no", "refusal"), Sample("a", logprob=-5000.0)])
    children, _, event = grown(lm, 2)
    assert [one["why"] for one in event.data["unread"]] == ["the model refuses"]
    [prior] = [node.state.last.prior for node in children]
    assert prior == pytest.approx(exp(LEAST), rel=1e-5) and prior > 0


@given(st.lists(st.tuples(st.sampled_from(["a", "A", "b", "bc", "c", "?", "1"]), st.floats(1e-9, 1)), max_size=12))
@settings(max_examples=200, deadline=None)
def test_priors_are_a_subdistribution_whatever_a_server_says(pairs):
    if pairs:
        children, _, _ = grown(says(*pairs), len(pairs))
        priors = [node.state.last.prior for node in children]
        assert all(0 < p <= 1 for p in priors) and sum(priors) <= 1 + 1e-5
        texts = [node.state.last.text for node in children]
        assert len(texts) == len({*texts}) and {*texts} == {t.lower() for t, _ in pairs if t.isalpha()}


def test_likelihood_is_the_sum_of_logarithms():
    node = Node(State("x"))
    for p in (0.5, 0.25, None):
        [node] = node.grow([Thought("z", prior=p)])
    root = list(node.path)[-1]
    drive(likelihood([node, root]), says())
    assert node.value == pytest.approx(log(0.125)) and root.value == 0


def test_the_pocket_model_means_what_it_says(pocket):
    """Its priors against the shares of many samples; and they do not depend on how many are drawn, or of what else."""
    task, n = Game24(), 2000
    ask = lambda state: task.propose(state, "lean")  # noqa: E731
    [many], _, _ = drive(keeping(policy_generator(ask, task.read_proposals, k=n))([Node(State(X))]), pocket)
    priors = {node.state.last.text: node.state.last.prior for node in many}
    assert sum(priors.values()) < 1 + 1e-5 and max(priors.values()) < 0.5
    request = replace(ask(State(X)), temperature=1.0, stop=("\n",), max_tokens=64)
    texts = [sample.text for sample in pocket([request.samples(0, n)])[0].samples]
    read = [str(item.value.text) for text in texts for item in task.read_proposals(State(X), text) if item.value]
    for thought, p in priors.items():
        assert read.count(thought) / n == pytest.approx(p, abs=4.5 * (p * (1 - p) / n) ** 0.5)
    [few], _, _ = drive(keeping(policy_generator(ask, task.read_proposals, k=5))([Node(State(X))]), pocket)
    assert all(priors[node.state.last.text] == pytest.approx(node.state.last.prior, abs=2e-3) for node in few)


def keeping(generate):
    """The generator's children, as a list in a list."""

    def asked(nodes):
        return [(yield from generate(nodes))]

    return asked


def test_who_cannot_tell_says_so():
    def search():
        yield from policy_generator(prompt, read, k=2)([Node(State("x"))])

    result = run(search(), Scripted(["a", "b"]))
    assert result.stopped == "error"
    assert result.error == (
        "scripted does not tell how likely its replies were: choose the pocket model, a server that gives"
        " log-probabilities, or another method"
    )
    assert not run(search(), Telling(Scripted(["a\nb", "b"]))).error
    assert isinstance(LMError(result.error), Exception)
