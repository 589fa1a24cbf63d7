"""The server itself, through the official SDK: what our own LM is tested against must be what we think it is."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import openai
import pytest

from tools import local_lm as server


@pytest.fixture(scope="session")
def client(local_lm):
    with openai.OpenAI(base_url=local_lm.base_url, api_key="unused", max_retries=0, timeout=60) as client:
        yield client


def ask(client, model, **settings):
    messages = [{"role": "user", "content": "Name a colour."}]
    return client.chat.completions.create(model=model, messages=messages, max_tokens=8, **settings)


def test_the_weights_are_the_expected_ones(client, local_lm):
    assert local_lm.weights == server.SHA256
    assert [m.id for m in client.models.list()] == [local_lm.model]


def test_it_answers_and_counts_tokens(client, local_lm):
    reply = ask(client, local_lm.model)
    assert reply.choices[0].message.content.strip()
    assert reply.choices[0].finish_reason in ("stop", "length")
    assert 1 <= reply.usage.completion_tokens <= 8 and reply.usage.prompt_tokens > 5


def test_several_samples_come_in_one_request(client, local_lm):
    reply = ask(client, local_lm.model, n=3, temperature=1.0)
    assert [c.index for c in reply.choices] == [0, 1, 2]


def test_a_seed_repeats_an_answer_and_temperature_varies_it(client, local_lm):
    def answer(seed):
        return ask(client, local_lm.model, seed=seed, temperature=1.5).choices[0].message.content

    assert answer(1) == answer(1)
    assert len({answer(seed) for seed in range(2, 7)}) > 1


def test_a_server_ends_with_its_context_and_with_its_parent():
    with server.running() as served:
        health = served.base_url.removesuffix("/v1") + "/health"
        assert urllib.request.urlopen(health, timeout=5).status == 200
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(health, timeout=5)

    script = "from tools.local_lm import *\nwith running() as s: print(s.base_url, flush=True); time.sleep(600)"
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    health = parent.stdout.readline().strip().removesuffix("/v1") + "/health"
    assert urllib.request.urlopen(health, timeout=5).status == 200
    os.kill(parent.pid, signal.SIGKILL)  # no clean-up of its own
    parent.wait()
    with pytest.raises(urllib.error.URLError):
        for _ in range(40):
            urllib.request.urlopen(health, timeout=5)
            time.sleep(0.25)


@pytest.mark.parametrize("case", ["port in use", "not a model"])
def test_a_server_that_cannot_start_says_so(case, local_lm, tmp_path):
    port, model = local_lm.base_url.split(":")[-1].removesuffix("/v1"), server.fetch()
    if case == "not a model":
        port, model = "0", tmp_path / "x.gguf"
        model.write_text("no weights")
    command = [sys.executable, server.__file__, "--port", port, "--model", str(model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "llama.cpp could not start" in done.stderr and "Traceback" not in done.stderr
