"""Chances of labels from the pocket model's own network, and recorded."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from tot import Cassette, user
from tot.jsonlines import FileTrouble
from tot.state import State
from tot.tasks.game24 import Game24
from treebook.players import engine
from treebook.players.model import forward
from treebook.players.template import prompt_tokens
from treebook.players.tokens import PIECE, encode

VERDICTS = user("4 4 10?", labels=("sure", "likely", "impossible"))


GAME = Game24()
STATES = [State(x) for x in ("4 4 10", "1 3 3", "10 14", "5 7 8", "4 9 10 13", "3 8/3 9")]


def weighed(state, **more):
    return replace(GAME.value(state), labels=tuple(GAME.verdicts), **{"temperature": 0.0, **more})


def softly(logits):
    p = np.exp(logits.astype(float) - logits.max())
    return p / p.sum()


def test_chances_are_products_of_the_models_own_probabilities(pocket):
    """Against the uncached network, at the token where the verdict stands."""
    for request, reply in zip(requests := [*map(weighed, STATES)], pocket(requests), strict=True):
        [sample] = reply.samples
        before = [*prompt_tokens(request), *encode(sample.text.rpartition(". ")[0])]
        p = softly(forward(pocket.model, before)[-1])
        mass = [p[PIECE[f". {label}"]] for label in request.labels]
        assert sample.chances == pytest.approx([m / sum(mass) for m in mass], abs=2e-5)
        assert sample.missing == pytest.approx(1 - sum(mass), abs=2e-5)
        assert request.labels[int(np.argmax(sample.chances))] == sample.text.rpartition(" ")[2]


def test_replies_of_several_tokens_have_products_over_their_tokens(pocket):
    prompt = prompt_tokens(GAME.value(STATES[0]))
    replies = [encode(text) for text in ("10 - 4 = 6", "10 - 4", "4 * 4 = 16, 16", "10 + 4 = 14. sure")]
    for reply, log in zip(replies, pocket.log_chances(prompt, replies), strict=True):
        rows = forward(pocket.model, [*prompt, *reply])[len(prompt) - 1 : -1]
        exact = math.fsum(math.log(softly(row)[token]) for row, token in zip(rows, reply, strict=True))
        assert log == pytest.approx(exact, abs=2e-3)


def test_chances_are_the_frequencies_of_many_samples(pocket):
    """Two tokens drawn 4,000 times at temperature 1: how often each reply came, within five standard errors."""
    n, prompt = 4000, prompt_tokens(GAME.value(STATES[3]))
    replies = [encode(text) for text in ("7 - ", "8 - ", "5 + ", "7 + ", "8 * ", "5 * ")]
    drawn = []
    job = engine.Sampling(prompt, range(n), 2, 1.0, 1.0, lambda i: 10_000 + i, lambda _: False)
    for step in engine.generate(pocket.model, [job]):
        drawn += [done.tokens for done in step]
    for reply, log in zip(replies, pocket.log_chances(prompt, replies), strict=True):
        p = math.exp(log)
        assert abs(drawn.count(reply) - n * p) < 5 * math.sqrt(n * p * (1 - p)) + 1
    assert sum(map(math.exp, pocket.log_chances(prompt, replies))) > 0.5


def test_chances_do_not_depend_on_company_or_temperature_of_the_place(pocket):
    alone = [pocket([weighed(state)])[0] for state in STATES]
    assert [r.samples for r in pocket([*map(weighed, STATES)])] == [r.samples for r in alone]
    plain = [pocket([replace(weighed(state), labels=())])[0] for state in STATES]
    assert [r.texts for r in plain] == [r.texts for r in alone] and [r.asked for r in plain] == [r.asked for r in alone]
    assert not any(sample.weighed for reply in plain for sample in reply.samples)
    [reply] = pocket([weighed(STATES[0], max_tokens=2, n=2, temperature=1.0)])
    assert [(s.chances, s.missing) for s in reply.samples] == [((), 1.0)] * 2, "cut before its verdict"


def test_chances_are_recorded_and_replayed_exactly(tmp_path, pocket):
    path = tmp_path / "verdicts.jsonl"
    requests = [weighed(STATES[0]), weighed(STATES[1], max_tokens=2), replace(weighed(STATES[0]), labels=())]
    with Cassette(path, pocket) as cassette:
        live = cassette(requests)
    assert (
        [r.samples for r in Cassette(path)(requests)]
        == [r.samples for r in live]
        == [r.samples for r in pocket(requests)]
    )
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    samples = [line for line in lines if line["type"] == "sample"]
    held = [sorted({"chances", "missing"} & line.keys()) for line in samples]
    assert sorted(held) == [[], ["chances", "missing"], ["missing"]]


@pytest.mark.parametrize(
    "change",
    [{"chances": [0.5]}, {"chances": [1, 2, -2]}, {"missing": "much"}, {"chances": [True, 0, 0]}, {"missing": 2}],
)
def test_a_recording_with_broken_chances_is_no_recording(tmp_path, pocket, change):
    path = tmp_path / "verdicts.jsonl"
    with Cassette(path, pocket) as cassette:
        cassette([weighed(STATES[0])])
    *rest, sample = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*rest, json.dumps(json.loads(sample) | change)]) + "\n", encoding="utf-8")
    with pytest.raises(FileTrouble, match="chances must be numbers from 0 to 1"):
        Cassette(path)
