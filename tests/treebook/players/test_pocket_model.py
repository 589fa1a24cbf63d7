"""The pocket model's inference: against PyTorch and an uncached pass; each sample alone and in company."""

import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys
import threading
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.game24 import EARLY
from tot.lm.base import LMError, Message, Request, Usage, user
from tot.state import State
from tot.tasks.game24 import Game24
from tot.testing import check_lm
from treebook.players import FILE, Pocket, engine
from treebook.players.model import forward, load, read
from treebook.players.template import REFUSAL, prompt_tokens
from treebook.players.tokens import AGAIN, END, VOCABULARY, decode

HERE = Path(__file__).parent

GAME, WORDS = Game24(), len(VOCABULARY)
SMALL = {"width": 32, "layers": 2, "heads": 4, "context": 128}
FULL = {"width": 128, "layers": 4, "heads": 4}  # the real one's size


def tensors(width, layers, vocabulary=WORDS, context=256, seed=0, **_):
    """Random weights of a size at which every part matters."""
    rng = np.random.default_rng(seed)

    def matrix(*shape):
        return rng.standard_normal(shape) / math.sqrt(shape[0])

    made = {"embed": rng.standard_normal((vocabulary, width)) * 0.3, "position": matrix(context, width) * 5}
    for i in range(layers):
        made |= {
            f"layers.{i}.norm1": 1 + 0.2 * rng.standard_normal(width),
            f"layers.{i}.qkv": matrix(width, 3 * width) * 2,
            f"layers.{i}.out": matrix(width, width),
            f"layers.{i}.norm2": 1 + 0.2 * rng.standard_normal(width),
            f"layers.{i}.up": matrix(width, 4 * width),
            f"layers.{i}.down": matrix(4 * width, width),
        }
    return made | {"norm": 1 + 0.2 * rng.standard_normal(width)}


def as_file(arrays, metadata, dtype="F16"):
    """The bytes of a safetensors file."""
    header, parts, place = {"__metadata__": metadata}, [], 0
    for name, array in arrays.items():
        part = array.astype({"F16": "<f2", "F32": "<f4"}[dtype]).tobytes()
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [place, place + len(part)]}
        place += len(part)
        parts.append(part)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def saved(path, size, **more):
    path.write_bytes(as_file(tensors(**size, **more), {"heads": str(size["heads"])}))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="module")
def small(folder):
    return saved(folder / "small.safetensors", SMALL)


@pytest.fixture(scope="module")
def full(folder):
    return saved(folder / "full.safetensors", FULL)


@pytest.fixture
def lm(small):
    return Pocket(weights=small)


@pytest.mark.parametrize("dtype", ["F16", "F32"])
def test_weights_are_read_as_they_were_written(tmp_path, dtype):
    made = tensors(**SMALL)
    path = tmp_path / "weights.safetensors"
    path.write_bytes(as_file(made, {"heads": "4", "name": "pocket-9"}, dtype))
    found, metadata = read(path.read_bytes())
    assert metadata["name"] == "pocket-9" and found.keys() == made.keys()
    for name, array in found.items():
        assert array.dtype == np.float32 and np.allclose(array, made[name], rtol=1e-3, atol=1e-4), name
    weights = load(path)
    assert (len(weights.layers), weights.heads, weights.context) == (2, 4, 128)
    assert np.array_equal(weights.layers[1].up, found["layers.1.up"])
    assert weights.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def without(name):
    return {k: v for k, v in tensors(**SMALL).items() if k != name}


def with_offsets(change):
    """A file whose header says something else about where its numbers are."""
    data = as_file(tensors(**SMALL), {"heads": "4"})
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    change(header)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[end:]


def overlapping(header):
    header |= {f"copy {i}": header["embed"] for i in range(600)}


def negative(header):
    first, last = header["norm"]["data_offsets"]
    header["norm"]["data_offsets"] = [first - last, 0]


# Files that are no model's, and what is said of them.
BROKEN = [
    (b"", "does not hold"),
    (b"<html>not weights</html>" * 9, "does not hold"),
    ((30).to_bytes(8, "little") + b"<html>not weights</html>" * 9, "does not hold"),
    (as_file({}, {}), "does not hold"),
    (as_file(tensors(**SMALL), {"heads": "4"})[:-100], "does not hold"),
    (as_file(without("layers.1.up"), {"heads": "4"}), "layers.1.up"),
    (as_file(without("norm"), {"heads": "4"}), "norm"),
    (as_file(tensors(**SMALL), {}), "heads"),
    (as_file(tensors(**SMALL), {"heads": "5"}), "32 cannot be shared by 5"),
    (as_file(tensors(**SMALL) | {"layers.0.out": np.ones((32, 31))}, {"heads": "4"}), "(32, 31), not"),
    (as_file(tensors(**SMALL) | {"norm": np.full(32, np.inf)}, {"heads": "4"}), "finite"),
    ((200_000).to_bytes(8, "little") + b"[" * 200_000, "JSON"),
    (with_offsets(overlapping), "do not follow"),
    (with_offsets(negative), "do not follow"),
    (with_offsets(lambda header: header.pop("embed")), "do not follow"),
    (as_file(tensors(**SMALL), {"heads": "4"}) + bytes(64), "64 bytes more"),
]


ENDLESS = as_file(tensors(**SMALL), {"heads": np.inf}), "infinity"  # which JSON does not have, but Python reads


@pytest.mark.parametrize(("data", "said"), [*BROKEN, ENDLESS])
def test_other_files_are_refused_in_one_sentence(tmp_path, data, said):
    path = tmp_path / "weights.safetensors"
    path.write_bytes(data)
    with pytest.raises(LMError, match=re.escape(said)):
        load(path)


def close(logits, want):
    """Equal but for float32, whose sums depend on the order of their terms, and so on the processor.

    At these sizes two right ways to compute logits differ by up to 8e-6 of the largest one (and both by about as much
    from what float64 gives). A wrong mask, position or scale shows in the first two digits.
    """
    return logits.shape == want.shape and np.abs(logits - want).max() <= 3e-5 * np.abs(want).max()


@pytest.mark.parametrize("count", [0, 129])
def test_forward_refuses_what_does_not_fit(small, count):
    with pytest.raises(ValueError, match=f"1 to 128 tokens, not {count}"):
        forward(load(small), [1] * count)


def test_pytorch_agrees(tmp_path):
    """The network that was trained and the numpy model are one function, through the file that training writes."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from studies.pocket.network import Network, save

    network = Network(WORDS, width=128, layers=4, heads=4, context=256)
    with torch.no_grad():
        for parameter, made in zip(network.parameters(), _like(network), strict=True):
            parameter.copy_(torch.from_numpy(made))  # a new network's `out` and `down` are zero: they would hide faults
    save(network, tmp_path / "weights.safetensors")
    weights = load(tmp_path / "weights.safetensors")
    tokens = np.random.default_rng(0).integers(0, WORDS, 256).tolist()
    with torch.no_grad():
        theirs = network(torch.tensor([tokens]))[0].numpy()
    assert close(forward(weights, tokens), theirs)
    [(done, logits)] = sampled(weights, [engine_job(tokens[:100], limit=150)])
    with torch.no_grad():
        theirs = network(torch.tensor([tokens[:100] + done.tokens]))[0].numpy()
    assert close(logits, theirs[99:-1])


def test_numpy_agrees_with_what_pytorch_said_of_the_shipped_weights():
    """The same without PyTorch: ``python -m studies.pocket.golden`` wrote the file. Run it after a training."""
    model = load(FILE)
    with np.load(Path(__file__).parent / "golden" / "pocket_logits.npz") as kept:
        assert str(kept["weights"]) == model.sha256, "other weights are shipped now: python -m studies.pocket.golden"
        for i in range(3):
            tokens, logits = kept[f"tokens {i}"].tolist(), kept[f"logits {i}"]
            assert logits.shape[0] >= 15 and np.ptp(logits) > 10
            assert close(forward(model, tokens)[-len(logits) :], logits)
    assert 200 < len(tokens) < model.context


@pytest.mark.parametrize("optimiser", ["adamw", "muon"])
def test_an_interrupted_training_ends_with_the_same_bytes(tmp_path, monkeypatch, optimiser):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from studies import training as train

    def shard(seed, number):
        rng = random.Random(f"{seed} {number}")
        return [(tuple(rng.randrange(WORDS) for _ in range(rng.randint(4, 9))), 2) for _ in range(40)]

    def options(folder, makers=1):
        sizes = {"width": 8, "layers": 1, "heads": 2, "context": 16, "batch": 64}
        usual = vars(train.arguments(None, tmp_path / folder, 1500).parse_args([]))
        return Namespace(**usual | sizes | {"early": 500, "rate": 1e-2, "seed": 3, "threads": 1, "makers": makers})

    monkeypatch.setattr(train.torch, "set_flush_denormal", lambda on: None)  # it would last
    monkeypatch.setattr(train, "ProcessPoolExecutor", ThreadPoolExecutor)  # another process would not know this shard
    monkeypatch.setattr(train, "CHECK_EVERY", 0.0)
    run = partial(train.train, make_shard=shard, optimiser_for=train.Muon if optimiser == "muon" else train.adamw)
    run(options("whole"))
    calls, rate = [], train.rate

    def interrupted(done, highest):
        calls.append(done)
        if len(calls) in (9, 40):  # in the first shard, and in a later one
            raise KeyboardInterrupt
        return rate(done, highest)

    monkeypatch.setattr(train, "rate", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(options("parts"))
    run(options("parts", makers=3), until=1000)  # a pause is no end, and more makers make the same shards
    run(options("parts"))
    for name in ("weights", "early"):
        one, other = ((tmp_path / folder / f"{name}.safetensors").read_bytes() for folder in ("whole", "parts"))
        assert one == other
    about = read(one)[1]
    assert about["seed"] == "3" and about["commit"] and json.loads(about["settings"])["width"] == 8
    with pytest.raises(SystemExit, match="OUT="):
        train.train(Namespace(**vars(options("parts")) | {"seed": 4}), shard)


def _like(network):
    """Random numbers for each parameter, exact in half precision."""
    rng = np.random.default_rng(1)
    for _, parameter in network.named_parameters():
        scale = 1 / math.sqrt(parameter.shape[0]) if parameter.dim() == 2 else 0.2
        made = rng.standard_normal(tuple(parameter.shape)) * scale + (parameter.dim() == 1)
        yield made.astype(np.float16).astype(np.float32)


def test_the_shipped_weights_are_small_and_half_precision():
    data = FILE.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    assert {about["dtype"] for name, about in header.items() if name != "__metadata__"} == {"F16"}
    assert len(data) < 6e6 and EARLY.stat().st_size < 6e6
    assert load(EARLY).embed.shape == load(FILE).embed.shape


def engine_job(prompt, samples=range(1), limit=40, temperature=1.0, top_p=1.0, ended=lambda tokens: False, salt=0):
    return engine.Sampling(prompt, samples, limit, temperature, top_p, lambda i: 1000 * salt + i, ended)


@contextmanager
def spied_on():
    """(job, index) -> the logits [V] that each token of this sample was drawn from."""
    seen, draw = {}, engine._draw

    def spy(rows):
        for row in rows:
            seen.setdefault((row.number, row.index), []).append(row.logits.copy())
        return draw(rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_draw", spy)
        yield seen


def sampled(weights, jobs):
    """Every sample (in order of job and index) with the logits [tokens, V] that each of its tokens was drawn from."""
    with spied_on() as seen:
        done = [d for step in engine.generate(weights, jobs) for d in step]
    done.sort(key=lambda d: (d.job, d.index))
    return [(d, np.stack(seen[d.job, d.index])) for d in done]


def prompts(rng, lengths):
    return [rng.integers(0, WORDS, n).tolist() for n in lengths]


@pytest.mark.parametrize("size", [FULL | {"width": 160}, {"width": 24, "layers": 1, "heads": 2}])
def test_the_cache_gives_the_logits_of_an_uncached_pass(tmp_path, size):
    weights = load(saved(tmp_path / "weights.safetensors", size))
    lengths = [1, 4, 5, 31, 32, 33, 64, 100, 200, 255]
    jobs = [engine_job(p, limit=min(40, 256 - len(p))) for p in prompts(np.random.default_rng(0), lengths)]
    for (done, logits), job in zip(sampled(weights, jobs), jobs, strict=True):
        assert len(done.tokens) == job.limit and not done.ended
        want = forward(weights, [*job.prompt, *done.tokens])
        assert close(logits, want[len(job.prompt) - 1 : -1])


@pytest.mark.slow
def test_a_sample_is_the_same_bit_for_bit_alone_and_in_any_company(full):
    weights, rng = load(full), np.random.default_rng(1)
    lengths = [1, 7, 30, 31, 32, 60, 90, 7, 7, 7]
    jobs = [
        engine_job(p, range(4), limit=20 + 5 * i, temperature=0.7, salt=i, ended=lambda tokens: tokens[-1] < 4)
        for i, p in enumerate(prompts(rng, lengths))
    ]
    full_house = jobs + [
        engine_job(p, range(9), limit=int(rng.integers(1, 60)), salt=50 + i)
        for i, p in enumerate(prompts(rng, rng.integers(1, 80, 24)))
    ]
    assert sum(len(job.samples) for job in full_house) == 256
    company = sampled(weights, full_house)
    backwards = sampled(weights, full_house[::-1])
    known = {(d.job, d.index): (d.tokens, logits) for d, logits in company}
    again = {(len(full_house) - 1 - d.job, d.index): (d.tokens, logits) for d, logits in backwards}
    for i, job in enumerate(jobs):
        for index in job.samples:
            [(done, logits)] = sampled(weights, [replace(job, samples=range(index, index + 1))])
            for tokens, theirs in (known[i, index], again[i, index]):
                assert tokens == done.tokens and np.array_equal(theirs, logits)
    assert len({tuple(tokens) for tokens, _ in known.values()}) > 200  # samples do differ


def test_a_finished_place_is_taken_at_once_and_never_more_are_in_flight(small, monkeypatch):
    monkeypatch.setattr(engine, "ROWS", 8)
    flying, draw = [], engine._draw
    monkeypatch.setattr(engine, "_draw", lambda rows: flying.append(len(rows)) or draw(rows))
    rng = np.random.default_rng(3)
    jobs = [engine_job([5, 6], range(3), limit=int(n), salt=i) for i, n in enumerate(rng.integers(1, 20, 30))]
    done = [d for step in engine.generate(load(small), jobs) for d in step]
    assert len(done) == 90 and all(n == 8 for n in flying[: -max(20, 8)])
    assert sum(flying) == sum(3 * job.limit for job in jobs)  # no step is spent on a sample that is over


def test_samples_of_one_prompt_share_its_prefill(small, monkeypatch):
    computed, prefill = [], engine._prefill
    monkeypatch.setattr(engine, "_prefill", lambda w, some, size: computed.extend(some) or prefill(w, some, size))
    jobs = [engine_job([i, 7, 8], range(100), limit=3, salt=i) for i in range(20)]
    assert sum(len(step) for step in engine.generate(load(small), jobs)) == 2000
    assert len(computed) == 20


finite = st.floats(-30, 30, width=32)


@given(st.lists(finite, min_size=1, max_size=12), st.floats(0.05, 5), st.floats(0, 1))
def test_top_p_keeps_the_smallest_set_that_reaches_it(scores, temperature, top_p):
    shares = [math.exp((s - max(scores)) / temperature) for s in scores]
    got = engine.probabilities(np.array([scores], np.float64), [temperature], [top_p])[0].tolist()
    kept = sorted((p for p in got if p > 0), reverse=True)
    assert np.allclose(kept, sorted(shares, reverse=True)[: len(kept)])
    assert all(math.isclose(p, share, rel_tol=1e-9) for p, share in zip(got, shares, strict=True) if p > 0)
    assert sum(kept) >= top_p * sum(shares) * (1 - 1e-9)
    assert sum(kept[:-1]) <= top_p * sum(shares) * (1 + 1e-9)  # without the last one it is not reached


def test_top_p_that_is_reached_exactly_adds_no_further_token():
    logits = np.log(np.array([[1.0, 2.0, 1.0]]))
    for top_p, kept in ((0.0, [1]), (0.5, [1]), (0.51, [0, 1]), (0.75, [0, 1]), (0.76, [0, 1, 2]), (1.0, [0, 1, 2])):
        assert np.flatnonzero(engine.probabilities(logits, [1.0], [top_p])[0]).tolist() == kept


@given(st.lists(st.floats(0, 1), max_size=12).flatmap(lambda p: st.permutations([*p, 1.0])), st.integers(0, 2**52 - 1))
def test_the_drawn_token_is_the_one_at_which_the_sum_passes_u(p, numerator):
    u = numerator * 2.0**-52
    [got] = engine.inverse(np.array([p]), [u])
    total = 0.0
    for want, share in enumerate(p):  # noqa: B007
        total += share
        if total > u * np.cumsum(p)[-1]:
            break
    assert got == want and p[got] > 0


def test_uniform_numbers():
    many = engine.uniforms(7, 100_000)
    assert all(0 <= u <= 1 - 2.0**-52 and u * 2**52 == int(u * 2**52) for u in many)
    assert abs(np.mean(many) - 0.5) < 5 / math.sqrt(12 * len(many))
    assert engine.uniforms(7, 10) == many[:10] and engine.uniforms(8, 10) != many[:10]
    # pinned: another numpy must not change what a seed gives
    assert [int(u * 2**52) for u in engine.uniforms(2**127 + 1, 2)] == [1988800062510424, 565388777923091]


VALUE, STEPS, COT, IO = (
    GAME.value(State("4 4 10")),
    GAME.propose(State("4 9 10 13"), "one-shot"),
    GAME.cot(State("4 9 10 13")),
    GAME.io(State("2 3 5 12")),
)
REFUSED = user("Write a poem about trees", n=2)


def refined(attempt, times=1):
    """The IO prompt with refused attempts: the only prompt that can be long."""
    turns = (Message("assistant", attempt), Message("user", AGAIN)) * times
    return Request((*IO.messages, *turns), max_tokens=40)


def slowly(lm, request, index, computed):
    """(text, finish, tokens) of one sample, by a loop: drawn from the logits that the engine ``computed`` for it.

    Those are compared with the uncached model's, up to rounding: a token that is drawn at the very edge between two
    may be another one on another processor.
    """
    prompt = prompt_tokens(request)
    limit = min(request.max_tokens or 1000, lm.model.context - len(prompt))
    temperature = 1.0 if request.temperature is None else request.temperature
    digest = hashlib.sha256(f"{lm.seed} {request.key('pocket')} {index}".encode()).digest()
    key = int.from_bytes(digest[:16], "big")
    tokens = []
    for u, row in zip(engine.uniforms(key, limit), computed, strict=False):
        logits = row.astype(float)
        if temperature == 0:
            tokens.append(int(logits.argmax()))
        else:
            p = np.exp((logits - logits.max()) / temperature)
            tokens.append(int(np.searchsorted(np.cumsum(p), u * np.cumsum(p)[-1], side="right")))
        text, finish = decode(tokens), "length"
        if tokens[-1] == END:
            finish = "stop"
        elif found := [text.index(word) for word in request.stop if word and word in text]:
            text, finish = text[: min(found)], "stop"
        if finish == "stop":
            break
    assert len(computed) == len(tokens)
    assert close(np.stack(computed), forward(lm.model, [*prompt, *tokens])[len(prompt) - 1 : -1])
    return text, finish, len(tokens)


def test_it_keeps_to_what_a_language_model_promises(lm):
    check_lm(
        lm, [replace(VALUE, n=2), STEPS, replace(COT, temperature=0), REFUSED, replace(IO, first=5, stop=(" + ",))]
    )
    assert lm.name == "pocket" and lm.batched is True
    assert list(engine.generate(lm.model, [])) == [], "nothing to do"


@pytest.mark.parametrize(
    "request_",
    [
        VALUE,
        STEPS,
        replace(COT, temperature=0),
        replace(COT, temperature=None, max_tokens=None),
        replace(IO, max_tokens=1),
        replace(STEPS, stop=("4", " + ", "no such text"), n=4),
        replace(VALUE, stop=("1", ""), temperature=1.5),
        refined("(3 + 5) * (12 / 4)", 4),
    ],
)
def test_replies_are_those_of_the_slow_way(lm, request_):
    request = replace(request_, n=3, first=3)
    with spied_on() as computed:
        [reply] = lm([request])
    assert [(s.text, s.finish, s.completion_tokens) for s in reply.samples] == [
        slowly(lm, request, i, computed[0, i]) for i in range(3, 6)
    ]
    assert reply.asked == reply.paid and reply.asked.dollars == 0
    assert reply.asked.prompt_tokens == len(prompt_tokens(request))


def test_the_seed_is_part_of_a_sample_and_the_name_is_not(tmp_path, small, lm):
    texts = lm([replace(STEPS, n=3)])[0].texts
    early = Pocket(weights=small, name="pocket-early")
    assert early([replace(STEPS, n=3)])[0].texts == texts and early.name == "pocket-early"
    assert Pocket(seed=1, weights=small)([replace(STEPS, n=3)])[0].texts != texts
    assert len(set(texts)) == 3
    path = tmp_path / "weights.safetensors"
    path.write_bytes(as_file(tensors(**SMALL), {"heads": "4", "name": "pocket-1"}))
    one = Pocket(weights=path)
    assert one.name == "pocket-1" and len(one.weights) == 64 and one.weights != lm.weights
    assert one.weights[:8] in repr(one) and one.describe()["settings"]["seed"] == 0


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (Message("user", ""),),
        (Message("user", "Write a poem about trees."),),
        (Message("user", "🌳" * 50),),
        (Message("user", "4 " * 50_000),),
        (*VALUE.messages[:-1], Message("user", "x" * 100_000)),
        (*VALUE.messages[:-1], Message("user", " ".join(map(str, range(1, 41))))),
        (*VALUE.messages[:-1], Message("user", "🌳")),
        (*VALUE.messages[:-1], Message("user", "\ud800")),
        (Message("system", "You are helpful."), Message("user", "4 4 10")),
    ],
)
def test_a_prompt_outside_its_world_is_refused_politely(lm, messages):
    heard = []
    [reply, fine] = lm([Request(messages, n=3), VALUE], lambda request, reply: heard.append(reply))
    assert {s.finish for s in reply.samples} == {"refusal"} and reply.asked.tokens == 0
    assert all(REFUSAL in text and len(text) < 600 for text in reply.texts)
    assert len(heard) == 4 and fine.samples[0].completion_tokens > 0


def test_a_reply_is_cut_at_the_end_of_the_context_and_a_longer_prompt_is_refused(lm):
    attempt = "1 + 2 + 3 + 4"
    times = next(n for n in range(99) if len(prompt_tokens(refined(attempt, n + 1))) >= 128)
    request = refined(attempt, times)
    room = 128 - len(prompt_tokens(request))
    assert 0 < room < 40
    samples = lm([replace(request, n=30)])[0].samples
    assert max(s.completion_tokens for s in samples) == room
    assert {s.finish for s in samples if s.completion_tokens < room} <= {"stop"}
    assert "length" in {s.finish for s in samples}
    long = refined(attempt, times=20)
    [reply] = lm([long])
    assert reply.samples[0].finish == "refusal" and REFUSAL in reply.texts[0]
    assert f"{len(prompt_tokens(long))} tokens" in reply.texts[0] and "128" in reply.texts[0]


@pytest.mark.parametrize(
    "params",
    [{"temperature": -0.1}, {"temperature": math.nan}, {"temperature": math.inf}, {"top_p": 1.5}, {"max_tokens": 0}],
)
def test_parameters_out_of_range(lm, params):
    with pytest.raises(LMError, match="temperature of at least 0, top_p from 0 to 1 and max_tokens of at least 1"):
        lm([VALUE, replace(VALUE, **params)])
    assert lm([VALUE])[0].samples


@pytest.mark.parametrize("params", [{"temperature": 1e-300}, {"temperature": 5e-324}, {"top_p": 0.0}])
def test_a_temperature_close_to_0_and_top_p_0_are_greedy(lm, params):
    assert lm([replace(STEPS, **params)])[0].texts == lm([replace(STEPS, temperature=0)])[0].texts


def test_replies_arrive_one_by_one(lm, monkeypatch):
    """Each sample is handed over when it is complete, while others are still being generated."""
    steps, draw, heard = [], engine._draw, {}
    monkeypatch.setattr(engine, "_draw", lambda rows: steps.append(1) or draw(rows))
    request = replace(STEPS, n=40)
    [reply] = lm([request], lambda part, one: heard.setdefault(part.first, (part, one, len(steps))))
    assert sorted(heard) == list(range(40))
    assert sum((one.paid for _, one, _ in heard.values()), Usage()) == reply.paid == reply.asked
    for index, (part, one, when) in heard.items():
        assert part == request.samples(index, 1) and one.samples == (reply.samples[index],)
        assert when == one.samples[0].completion_tokens and one.seconds <= reply.seconds


def test_a_callback_that_fails_leaves_the_model_usable(lm):
    def fail(request, reply):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lm([STEPS, VALUE], fail)
    asker = threading.Thread(target=lm, args=([VALUE],), daemon=True)
    asker.start()
    asker.join(60)
    assert not asker.is_alive()


def test_cancel_gives_up_a_call_in_another_thread(lm):
    began, outcome = threading.Event(), []

    def ask():
        try:
            lm([replace(STEPS, n=100_000, max_tokens=None)], lambda request, reply: began.set())
        except LMError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert began.wait(60)
    lm.cancel()
    thread.join(60)
    assert not thread.is_alive() and "cancelled" in outcome[0]
    assert lm([VALUE])[0].samples


@pytest.mark.slow
def test_the_same_bits_with_any_number_of_threads_of_the_matrix_library(full):
    """In processes of their own: the number of BLAS threads is fixed when numpy is imported."""
    code = (
        "import hashlib, sys\n"
        "import test_pocket_model as t\n"
        "lm = t.Pocket(weights=sys.argv[1])\n"
        "texts = [r.texts for r in lm([r.samples(0, 6) for r in (t.STEPS, t.VALUE, t.COT)])]\n"
        "print(hashlib.sha256(repr(texts).encode()).hexdigest())\n"
    )
    said = set()
    for threads in ("1", "2", "5"):
        env = os.environ | {f"{name}_NUM_THREADS": threads for name in ("OPENBLAS", "OMP", "MKL", "VECLIB")}
        env["PYTHONPATH"] = os.pathsep.join(map(str, (HERE, HERE.parents[1] / "helpers", HERE.parents[2])))
        done = subprocess.run([sys.executable, "-c", code, str(full)], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.add(done.stdout)
    assert len(said) == 1
