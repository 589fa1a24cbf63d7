"""Recording a chapter from a real server: stopped by Ctrl-C midway and resumed, with nothing lost or repeated."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tot
from studies.plans import Plan
from studies.record import make_room
from tot.lm.checking import check

ROOT = Path(__file__).parents[2]
PLAN = Plan("io", "starter", (0, 10, 1), {"k": 3})
SAMPLES = 10 * 3
SCRIPT = f"""
from studies import plans, record
plans.PLANS["tiny"] = [plans.{PLAN!r}]
raise SystemExit(record.main())
"""


def start(local_lm, path):
    options = {"--chapter": "tiny", "--model": local_lm.model, "--base-url": local_lm.base_url, "--cassette": path}
    words = [str(word) for pair in options.items() for word in pair]
    command = [sys.executable, "-c", SCRIPT, *words, "--concurrency", "2", "--one-sample-a-call"]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def samples(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in map(json.loads, lines) if line["type"] == "sample"]


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
def test_a_recording_that_is_interrupted_goes_on_where_it_was(local_lm, tmp_path):
    path = tmp_path / "tiny.jsonl"
    with start(local_lm, path) as process:
        while process.poll() is None and (not path.exists() or path.read_bytes().count(b'"type": "sample"') < 5):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "run the same command again" in said and "Traceback" not in said
    before, half = path.read_bytes(), len(samples(path))
    assert 5 <= half < SAMPLES and before.endswith(b"\n")

    for _ in range(2):  # the second time there is nothing left to do
        with start(local_lm, path) as process:
            out, said = process.communicate(timeout=120)
        assert process.returncode == 0 and not said and f"recorded {path}" in out
        assert path.read_bytes().startswith(before)  # nothing lost
        places = [(sample["key"], sample["index"]) for sample in samples(path)]
        assert len(places) == len(set(places)) == SAMPLES  # nothing repeated
        before = path.read_bytes()
    assert check(path) == []

    runs = [job.start(tot.Cassette(path)) for job in PLAN.jobs()]  # and the whole plan replays without the server
    assert all(not run.error for run in tot.run_many(runs))


def test_another_model_moves_a_recording_aside_and_never_onto_an_older_one(tmp_path):
    path = tmp_path / "03.jsonl"
    for _ in range(2):
        with tot.Cassette(path, tot.Scripted(lambda request, i: "ok", name="org/big model")) as cassette:
            cassette([tot.user("hi")])
        make_room(path, tot.Scripted("ok", name="org/big model"))
        assert path.exists()
        make_room(path, tot.Scripted("ok", name="small"))
        assert not path.exists()
    assert {p.name for p in tmp_path.iterdir()} == {"03.org-big-model.jsonl", "03.org-big-model.1.jsonl"}
