"""A judge trained on rollouts: its labels on a model whose ways are known, its head against counting, its replies."""

import json
from dataclasses import replace

import numpy as np
import pytest

import tot
from studies.figures import read
from studies.shepherd import RESULTS, TRIES, Judge, asked, labelled, learned
from tot import Problem, Scripted
from treebook.players import Pocket

X = "4 5 6 10"
STEPS = {
    "4 5 6 10": ["10 - 4 = 6 (left: 5 6 6)"],
    "5 6 6": ["5 * 6 = 30 (left: 6 30)", "5 + 6 = 11 (left: 6 11)", "nonsense", "5 * 6 = 30 (left: 6 30)"],
    "6 30": ["30 - 6 = 24 (left: 24)", "6 + 30 = 36 (left: 36)"],
    "6 11": ["6 + 11 = 17 (left: 17)"],
}


def walker():
    """Sample i of the next steps is one of those above, in turn."""

    def say(request, i):
        steps = STEPS[request.messages[-1].content.removeprefix("Numbers: ")]
        return steps[i % len(steps)]

    return Scripted(say)


def test_a_state_is_worth_how_often_sampled_ways_reach_24_and_labels_go_on_where_they_stopped(tmp_path):
    file = tmp_path / "labels.jsonl"
    [found] = labelled(walker(), [Problem(X, X)], file)
    half = TRIES // 2  # at 6 30 every other step misses; of four steps from 5 6 6 two lead there
    assert dict(map(tuple, found)) == {"5 6 6": half // 2, "6 30": half, "6 11": 0}
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:20])  # killed while it wrote the next
    [again] = labelled(Scripted([]), [Problem(X, X)], file)  # nobody is asked
    assert again == json.loads(json.dumps(found))
    other = Scripted([])
    other.weights = "other"
    with pytest.raises(SystemExit, match="other weights"):
        [*labelled(other, [Problem(X, X)], file)]


def test_a_head_learns_the_share_that_was_right():
    """Two kinds of states, seen by one number each: their logits are those of the counts, but for the ridge."""
    features = np.repeat(np.eye(2), 200, axis=0)
    head = learned(features, [4] * 200 + [12] * 200)
    assert 1 / (1 + np.exp(-head)) == pytest.approx([4 / TRIES, 12 / TRIES], abs=0.01)
    assert learned(features[:1], [TRIES])[0] < 2  # one state is no certainty


@pytest.mark.treebook
def test_it_plays_the_evaluator_and_tells_its_chances():
    pocket = Pocket()
    judge = Judge(pocket, np.append(np.zeros(2 * len(pocket.model.embed)), np.log(3)))  # 3 to 1 for every state
    [reply] = judge([asked("5 6 6").samples(0, 400)])
    [own] = pocket([replace(asked("5 6 6"), temperature=0.0)])
    assert reply.asked.completion_tokens == 400 + own.asked.completion_tokens
    assert {*reply.texts} == {"sure", "impossible"} and 270 < reply.texts.count("sure") < 330
    assert judge([asked("5 6 6").samples(7, 5)])[0].texts == reply.texts[7:12]
    labels = replace(asked("5 6 6"), labels=("sure", "likely", "impossible"))
    assert judge([labels])[0].samples[0].chances == pytest.approx((0.75, 0, 0.25))
    lms = {"default": pocket, "evaluator": judge}
    for how in ("samples", "logprobs"):
        solution = tot.solve("game24", X, "dvts", lm=lms, subtrees=2, samples=2, verdicts=how)
        assert solution.answers and not solution.error


def test_the_results_say_what_more_labels_are_worth():
    found = read(RESULTS)
    heads = [found["heads"][n] for n in sorted(found["heads"], key=int)]
    assert 0 < found["solvable"] < found["states"] and len(heads) == 5
    assert all(0 <= share <= 1 for share in [*heads, found["labels"], found["asked"]])
    assert heads[-1] > heads[0] > 0.5 and found["labels"] > 0.9
