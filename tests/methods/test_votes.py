"""Votes that stop when they are decided, against numeric integration and one vote at a time; and their weights."""

from itertools import product
from math import log
from random import Random

import pytest
from tiny_task import Tiny
from word_steps import Letters

import tot
from tot import Scripted
from tot.experiments.results import samples
from tot.lm.base import Sample
from tot.lm.cassette import Cassette
from tot.methods.votes import decided, enough


def surely(a, b, points=4000):
    """P(p > 1/2) for Beta(a + 1, b + 1), by Simpson's rule."""

    def area(low, high):
        width = (high - low) / points
        at = [(low + i * width) ** a * (1 - low - i * width) ** b for i in range(points + 1)]
        return width / 3 * (at[0] + 4 * sum(at[1:-1:2]) + 2 * sum(at[2:-1:2]) + at[-1])

    upper = area(0.5, 1)
    return upper / (upper + area(0, 0.5))


def test_a_vote_is_decided_by_the_tail_of_a_beta_distribution():
    for a, b in product(range(14), range(14)):
        tail = surely(a, b)
        for stop in (0.6, 0.9, 0.95, 0.99):
            assert decided(a, b, stop) == (tail >= stop), (a, b, stop)
    assert [next(a for a in range(99) if decided(a, b, 0.95)) for b in range(6)] == [4, 6, 8, 9, 11, 12]
    # P = 15/16 exactly, at which the one decides and a hair above it does not; never with certainty
    assert decided(3, 0, 0.9375) and not decided(3, 0, 0.9375001) and not decided(400, 0, 1.0)


def one_by_one(texts, stop, most):
    """How many of the texts are looked at, one after the other, by the rule above."""
    counts = {}
    for n, text in enumerate(texts[:most], 1):
        counts[text] = counts.get(text, 0) + (text != "?")
        a, b, *_ = [*sorted(counts.values(), reverse=True), 0, 0]
        if a and surely(a, b, 200) >= stop:
            return n
    return min(most, len(texts))


class Said(Tiny):
    """An answer is what the model says; "?" is none."""

    def read_cot(self, state, text):
        [read] = super().read_io(state, text)
        return [read] if text != "?" else [tot.parse.Read(tot.Thought(text, final=True), "no answer")]


@pytest.mark.parametrize("seed", range(12))
def test_rounds_look_at_the_samples_of_one_vote_after_the_other(seed):
    luck = Random(seed)
    texts = luck.choices("aab?" if seed % 2 else "aaabc", k=40)
    most, stop = luck.choice([1, 7, 40]), luck.choice([0.8, 0.95])
    lm = Scripted(lambda request, i: texts[i])
    solution = tot.solve(Said(), "x", "cot-sc", lm=lm, stop=stop, k=most)
    assert len(solution.answers) == one_by_one(texts, stop, most)
    asked = [i for request in lm.requests for i in request.indices]
    assert asked == [*range(len(solution.answers))]  # each once, in order
    assert len(lm.requests) <= 1 + len(asked) // 2
    votes = [text for text in texts[: len(asked)] if text != "?"]
    assert solution.answer == max(dict.fromkeys(votes), key=votes.count, default=None)


@pytest.mark.parametrize("method", ["io", "cot", "cot-sc"])
def test_an_answer_that_the_limit_of_tokens_cut_is_unread(method):
    for text, finish, answer in (
        ("The answer is 12", "length", None),
        ("The answer is 12", "stop", "12"),
        ("50 * 25 = 1.250\nThe answer is 1.250", "length", None),
        ("17 / 8 = 2,125\nThe answer is 2,125", "length", None),
        ("The answer is 12", "content_filter", None),
        ("The answer is 12.\n\nNote that the num", "length", "12"),
    ):
        lm = Scripted([Sample(text, finish, 9)])
        solution = tot.solve("gsm8k", "How many?", method, lm=lm, **({"k": 1} if method == "cot-sc" else {}))
        assert solution.answer == answer
    cut = Scripted([Sample("The answer is 12", "length", 9)])
    letter = Scripted([Sample("(C)", "length", 3)])
    assert tot.solve("commonsenseqa", tot.task("commonsenseqa").problems("book")[0].x, "io", lm=letter).answer == "C"
    assert "cut off in its answer, at 9 tokens" in str(tot.solve("gsm8k", "How many?", "io", lm=cut).trace.events)


def test_a_clear_vote_takes_one_round_and_a_recording_of_all_samples_replays(tmp_path):
    lm = Scripted(lambda request, i: "a" if i < 9 else "b")
    with Cassette(tmp_path / "votes.jsonl", lm) as recorded:
        whole = tot.solve(Said(), "x", "cot-sc", lm=recorded, k=40)
    stopped = tot.solve(Said(), "x", "cot-sc", lm=Cassette(tmp_path / "votes.jsonl"), k=40, stop=0.95)
    assert (whole.answer, len(whole.answers), stopped.answer, len(stopped.answers)) == ("b", 40, "a", 4)
    assert stopped.result.ledger.rounds == 1 and [node.value for node in stopped.result.best] == [4.0] * 4
    later = tot.solve(Said(), "x", "cot-sc", lm=lm, k=40, stop=0.95, first=9)
    assert later.answer == "b" and lm.requests[-1].first == 9 and len(later.answers) == 4
    assert enough(0, 0, 0.95, 40) == 4 and enough(4, 3, 0.95, 2) == 2


def test_votes_weigh_what_the_model_thought_of_each_token():
    chances = {"a": 0.4, "b": 0.9, "c": 0.2}

    def say(request, i):
        assert request.logprobs
        text = "aabcc?"[i]
        return Sample(text, completion_tokens=3, logprob=3 * log(chances.get(text, 0.99)))

    solution = tot.solve(Said(), "x", "cot-sc", lm=Scripted(say), k=6, weights="model")
    equal = tot.solve(Said(), "x", "cot-sc", lm=Scripted(lambda request, i: "aabcc?"[i]), k=6)
    assert (solution.answer, equal.answer) == ("b", "a")
    values = {node.state.last.text: node.value for node in solution.result.best}
    assert values == pytest.approx({"a": 0.8, "b": 0.9, "c": 0.4, "?": 0})
    silent = tot.solve(Said(), "x", "cot-sc", lm=Scripted(lambda request, i: "a"), weights="model")
    assert silent.result.stopped == "error" and "log-probabilities" in silent.error


class Judged(Letters):
    """Letters whose whole solutions the model judges."""

    def judge(self, state):
        return None


def test_votes_weigh_what_the_judge_says_and_only_a_task_with_verdicts_has_one():
    """Twice "likely", a reward of .70, is more than once "sure", 1; twice "impossible" is nothing."""
    chains = ["a\nb\nc", "b\na\nc", "c\na\nb", "b\na\nc", "c\na\nb"]
    verdict = {"a b c": "sure", "b a c": "likely", "c a b": "impossible"}

    def say(request, i):
        *_, text, asked = request.messages[-1].content.split("\n\n")
        if "sure" not in asked:
            return "Answer:\n" + chains[i]
        return verdict[" ".join(text.split("\n")[-3:])]

    solution = tot.solve(Judged(), "c a b", "cot-sc", lm=Scripted(say), k=5, weights="judge")
    assert [round(node.value, 3) for node in solution.result.best] == [1.395, 1.395, 1, 0, 0]
    assert solution.answer == "b\na\nc" and solution.result.ledger.to_dict()["by_role"]["evaluator"]["samples"] == 3
    with pytest.raises(ValueError, match="tiny has no verdicts"):
        tot.solve(Tiny(), "x", "cot-sc", lm=Scripted([]), weights="judge")


@pytest.mark.treebook
def test_the_pocket_models_vote_until_it_is_decided_and_weigh_votes():
    for name, lm, split in (("game24", "pocket", "starter"), ("gsm8k", "pocket-words", "pocket")):
        problem = tot.task(name).problems(split)[2]
        stopped = tot.solve(name, problem, "cot-sc", lm=lm, k=8, stop=0.95)
        assert 4 <= len(stopped.answers) <= 8 and not stopped.error
        weighed = tot.solve(name, problem, "cot-sc", lm=lm, k=2, weights="model")
        assert not weighed.error and all(0 < node.value < 2 for node in weighed.result.best if node.state.answer)


def test_a_vote_that_stops_by_itself_is_no_sample_to_estimate_the_best_of_k_from():
    problem = tot.Problem("x", "x", 1)
    line = tot.solve(Said(), problem, "cot-sc", lm=Scripted(lambda request, i: "1"), k=9).to_dict()
    assert samples(line) == [True] * 9 and samples({**line, "params": {**line["params"], "stop": 0.95}}) is None
