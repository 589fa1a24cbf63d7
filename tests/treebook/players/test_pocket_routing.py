"""Both pocket models behind one name: each gets its own prompts, and others are refused."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

import tot
from tot.jsonlines import FileTrouble
from tot.state import State
from treebook.players import Pocket
from treebook.players.routing import BOTH, Pockets
from treebook.players.worded import FILES, worded

GAME = tot.task("game24").io(State("4 9 10 13"))
MIA = "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"
CHAIN = tot.task("gsm8k").cot(State(MIA))


def test_each_gets_its_own_prompts_with_the_samples_that_it_gives_alone():
    seen = []
    asked = [GAME.samples(0, 2), CHAIN.samples(0, 2), tot.user("Hello")]
    replies = Pockets(3)(asked, lambda request, reply: seen.append(request.key("")))
    assert replies[0].samples == Pocket(3)(asked[:1])[0].samples
    assert replies[1].samples == worded(seed=3)(asked[1:2])[0].samples
    assert (replies[2].samples[0].finish, replies[2].samples[0].text) == ("refusal", BOTH)
    assert len(seen) == 5
    assert Pockets().describe().items() > Pocket().describe().items()


def test_a_recording_names_both_files_and_other_weights_of_the_worded_model_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "c.jsonl"
    with tot.Cassette(path, Pockets()) as lm:
        lm([CHAIN])
    session = json.loads(path.read_text().partition("\n")[0])
    of = {size: sha256(file.read_bytes()).hexdigest() for size, file in FILES.items()}
    assert (session["weights_sha256"], session["worded_weights_sha256"]) == (Pocket().weights, of["large"])
    tot.Cassette(path, Pockets()).close()
    monkeypatch.setitem(FILES, "large", FILES["small"])
    with pytest.raises(FileTrouble, match="other weights of pocket"):
        tot.Cassette(path, Pockets())


def test_another_seed_is_another_model():
    assert (worded().name, worded(seed=7).name, worded("small", seed=7).name) == (
        "pocket-words", "pocket-words:7", "pocket-words-small:7"
    )  # fmt: skip


def test_what_the_worded_model_cannot_read_is_named():
    [reply] = Pockets()([tot.task("gsm8k").cot(State("Natalia sold 5 plums."))])
    assert reply.samples[0].finish == "refusal"
    assert "'Natalia'" in reply.samples[0].text and BOTH in reply.samples[0].text


@pytest.mark.parametrize("spec", ["pocket", "pocket:7", "pocket-words-small", "pocket-words-small:7"])
def test_the_spellings_solve_a_problem_of_the_worded_world(spec):
    found = tot.solve("gsm8k", MIA, "cot-sc", lm=tot.lm.open(spec), k=5)
    assert found.answer == "19"


def test_a_call_in_progress_can_be_cancelled():
    lm = Pockets()

    def stop(request, reply):
        lm.cancel()

    with pytest.raises(tot.LMError, match="was cancelled"):
        lm([tot.task("gsm8k").cot(State(p.x)).samples(0, 40) for p in tot.task("gsm8k").problems("pocket")[:4]], stop)


@pytest.mark.parametrize("lm", [Pockets, lambda: tot.Cassette(None, Pockets())], ids=["alone", "recorded"])
def test_samples_of_one_request_are_one_call_also_when_they_are_recorded(lm):
    found = tot.solve("game24", "4 9 10 13", "io", k=5, lm=lm(), budget=tot.Budget(calls=1))
    ledger = found.result.ledger
    assert ledger.total == ledger.total_paid and (ledger.total.calls, ledger.total.samples) == (1, 5)
    assert not found.result.over
