"""Verdicts as probabilities: their expectation is the limit of samples, and who cannot give them says so."""

from bisect import bisect
from itertools import accumulate
from random import Random

import pytest
from driving import drive

from tot import METHODS, Scripted, Thought, Trace, solve, user, value, vote
from tot.lm.base import Sample
from tot.parse import Read, bad, last_word
from tot.show.limits import missing
from tot.state import Node, State
from tot.tasks.ballots import choice
from tot.tasks.game24 import Game24

WORTH = {"sure": 20.0, "likely": 1.0, "impossible": 0.001}
N = 4000


def read_verdict(text):
    word = last_word(text, WORTH)
    return Read(WORTH[word.value]) if word.value else bad(word.why, text)


def distribution(text):
    """Chances of three outcomes that belong to a prompt."""
    dice = Random(text)
    parts = [dice.random() for _ in range(3)]
    return [part / sum(parts) for part in parts]


def say(outcomes, reply="{}", missing=0.125):
    """A model with a distribution over outcomes for each prompt: with labels it tells it, else it draws from it.

    Sample i of N is drawn at the point (i + 1/2) / N of the distribution, so N samples have it exactly, up to 1/N.
    """

    def answer(request, i):
        p = distribution(request.messages[0].content)
        if request.labels:
            assert request.labels == tuple(outcomes) and (request.n, request.temperature) == (1, 0.0)
            best = outcomes[p.index(max(p))]
            return Sample(reply.format(best), chances=tuple(p), missing=missing)
        return reply.format(outcomes[bisect(list(accumulate(p)), (i + 0.5) / N)])

    return Scripted(answer)


def nodes(n=5):
    return Node(State("x")).grow(Thought(f"t{i}") for i in range(n))


def prompt(state):
    return user(f"judge {state.last.text}")


def test_the_expectation_is_the_limit_of_samples():
    lm, these, those = say([*WORTH]), nodes(), nodes()
    _, [ask], [event] = drive(value(prompt, read_verdict, n=3, labels=WORTH)(these), lm)
    drive(value(prompt, read_verdict, n=N)(those), lm)
    for one, many in zip(these, those, strict=True):
        assert one.value / 3 == pytest.approx(many.value / N, abs=20 * 3 / N)
    assert [request.n for request in ask.requests] == [1] * 5 and len({node.value for node in these}) == 5
    assert event.data == {"unread": [], "missing": [{"node": node.id, "missing": 0.125} for node in these]}


def test_a_vote_is_shared_out_by_the_chances():
    lm, these, those = say(["1", "2", "3"], "The best choice is {}."), nodes(3), nodes(3)
    ballot = lambda states: user(" ".join(state.last.text for state in states))  # noqa: E731
    _, [ask], [event] = drive(vote(ballot, choice, n=5, labels=True)(these), lm)
    drive(vote(ballot, choice, n=N)(those), lm)
    assert sum(node.value for node in these) == pytest.approx(5) and len(ask.requests) == 1
    for one, many in zip(these, those, strict=True):
        assert one.value / 5 == pytest.approx(many.value / N, abs=3 / N)
    assert event.data["missing"] == [{"node": None, "missing": 0.125}]


def test_without_labels_events_are_as_they_were():
    [event] = drive(value(prompt, read_verdict)(nodes(1)), say([*WORTH]))[2]
    assert event.data == {"unread": []}
    [event] = drive(vote(lambda states: user("vote"), choice)(nodes(3)), Scripted(lambda r, i: "1"))[2]
    assert event.data == {"unread": []}


def test_where_the_reader_finds_another_verdict_its_own_counts_alone():
    """ "2 or 3" names two, "not sure" is none: the last label of a text may not be what its reader finds."""
    odd = Sample("I am sure that it is likely, not impossible", chances=(0.1, 0.1, 0.8))
    [node] = nodes(1)
    drive(value(prompt, lambda text: Read(1.0), n=3, labels=WORTH)([node]), Scripted([odd]))
    assert node.value == 3.0
    three = nodes(3)
    said = Sample("The best choice is 2 or 3", chances=(0.2, 0.3, 0.5))
    [event] = drive(vote(lambda states: user("vote"), choice, labels=True)(three), Scripted([said]))[2]
    assert [node.value for node in three] == [0, 0, 0] and event.data["unread"][0]["why"] == "several choices named"


def test_no_label_in_the_reply_is_unread_and_everything_is_missing():
    [node] = nodes(1)
    [event] = drive(value(prompt, read_verdict, labels=WORTH)([node]), Scripted([Sample("dunno", missing=1.0)]))[2]
    assert node.value == 0 and [u["why"] for u in event.data["unread"]] == ["no verdict in the reply"]
    assert event.data["missing"] == [{"node": node.id, "missing": 1.0}]


def test_one_request_for_each_state_and_parts_are_the_lowest():
    lm, [node] = say([*WORTH]), nodes(1)
    asked = [user("a"), user("b"), user("a")]
    drive(value(lambda state: asked, read_verdict, n=2, worst=0.5, labels=WORTH)([node]), lm)
    expected = {text: 2 * sum(w * p for w, p in zip(WORTH.values(), distribution(text), strict=True)) for text in "ab"}
    assert len(lm.requests) == 2 and node.value == pytest.approx(min(expected.values())) and node.note == ""


def test_a_search_by_probabilities(pocket, tmp_path):
    from treebook.explorer.data import chances

    by_chances = solve("game24", "4 9 10 13", "tot-bfs", lm=pocket, verdicts="logprobs")
    by_samples = solve("game24", "4 9 10 13", "tot-bfs", lm=pocket)
    assert by_chances.correct and not by_chances.error
    assert by_chances.result.ledger.total.samples < by_samples.result.ledger.total.samples
    by_chances.trace.save(tmp_path / "trace.json")
    trace = Trace.load(tmp_path / "trace.json")
    assert trace == by_chances.trace
    asked = next(e for e in trace.events if e["kind"] == "asked" and e["role"] == "evaluator")["requests"][0]
    told = chances(asked, asked["samples"][0])
    assert told.startswith("sure ") and ", impossible " in told and ", something else " in told
    assert "on average over" in missing(trace) and missing(by_samples.trace) == ""
    assert chances({}, {"text": "x"}) == ""


def test_pruning_needs_a_line_where_no_expectation_is_the_worst():
    """Half way to the next verdict: a state of which impossible is all but certain is dropped, a likely one is not."""

    def player(p):
        def says(request, i):
            if request.labels:
                return Sample("impossible", chances=(0.0, 1 - p, p))
            return "13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 6 9 13)"

        return Scripted(says)

    knobs = {"verdicts": "logprobs", "trim": True}
    assert solve("game24", "4 9 10 13", "tot-bfs", lm=player(0.7), **knobs).result.ledger.rounds == 2
    assert solve("game24", "4 9 10 13", "tot-bfs", lm=player(0.3), **knobs).result.ledger.rounds > 2


@pytest.mark.parametrize("name", ["tot-bfs", "tot-dfs"])
def test_a_model_without_probabilities_refuses_in_one_sentence(name):
    lm = Scripted(lambda r, i: "13 - 9 = 4 (left: 4 4 10)\n sure")
    solution = solve("game24", "4 9 10 13", name, lm=lm, verdicts="logprobs")
    assert solution.error == "scripted does not tell how likely a verdict was: leave out --verdicts logprobs"


class Wordless:
    """A game of 24 that does not say by which words its verdicts are known, and whose ballots are no numbers."""

    name = "wordless"

    def __init__(self):
        prompts = ["propose", "read_proposals", "compose", "value", "read_value", "judge"]
        for each in ["steps", "styles", "worst", *prompts]:
            setattr(self, each, getattr(Game24(), each))
        self.step = self.read_step = self.ballot = Game24().io
        self.read_ballot = lambda text, options: bad("no letter")


def test_a_task_or_a_method_that_cannot_says_so():
    asked = METHODS["tot-bfs"].recipe(verdicts="logprobs")
    with pytest.raises(
        ValueError, match="wordless does not say by which words a verdict is known: leave out --verdicts"
    ):
        asked.search(Wordless(), "4 9 10 13")
    asked = METHODS["tot-vote"].recipe(verdicts="logprobs")
    with pytest.raises(ValueError, match="a ballot of wordless is not known by its number: leave out --verdicts"):
        asked.search(Wordless(), "4 9 10 13")
    with pytest.raises(ValueError, match="mcts-plan has no knob 'verdicts'"):
        solve("gsm8k", "How many?", "mcts-plan", lm=Scripted([]), verdicts="logprobs")
    with pytest.raises(ValueError, match="verdicts must be one of samples, logprobs, not 'logits'"):
        solve("game24", "4 9 10 13", "tot-bfs", lm=Scripted([]), verdicts="logits")
