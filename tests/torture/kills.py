"""``tot run`` killed at random moments and started again: the same results as without kills, and no sample lost.

The server says the same for the same request, so that a run that was killed can be compared with one that was not.
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from fake_server import FakeServer, answering

import tot
from tot.lm.checking import check
from tot.lm.tape import Tape

from .tally import KEY, Tally

ROOT = Path(tot.__file__).parents[1]
RUN = ("run", "game24", "--method", "io,tot-bfs", "--breadth", "2", "--problems", "starter[:8]", "--k", "3")
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)


def player(messages: Any, i: int) -> str:
    """Anything that Game of 24 might read, chosen by the request."""
    asked = repr(messages)
    rng = random.Random(hashlib.sha256(asked.encode()).hexdigest())
    numbers = messages[-1]["content"].removeprefix("Numbers: ").split()
    if "List up to" in messages[0]["content"] and len(numbers) > 1 and all(map(str.isdigit, numbers)):
        rest = " ".join(sorted([*numbers[2:], str(int(numbers[0]) + int(numbers[1]))], key=int))
        return f"{numbers[0]} + {numbers[1]} = {int(numbers[0]) + int(numbers[1])} (left: {rest})\nnonsense"
    return rng.choice(["sure", "likely", "impossible", f"Answer: {' + '.join(numbers[:4])}", "Answer: (13 - 9) * 6"])


def once(rng: Random, tally: Tally, kills: int = 3) -> None:
    with FakeServer(answering(player, delay=0.03)) as server:
        line = [*RUN, "--lm", "openai:fake", "--base-url", server.url, "--at-once", "2"]
        _finish(_program(line, "whole"), tally)
        asked = len(server.requests)
        server.requests.clear()
        for _ in range(kills):
            process = _program(line, "killed")
            _wait(process, rng)
            which = rng.choice(SIGNALS)
            process.send_signal(which)
            _finish(process, tally, which)
        _finish(_program(line, "killed"), tally)
        tally.counts["requests asked again after a kill"] += max(0, len(server.requests) - asked)
    whole, killed = (Tape(Path(name, "c.jsonl")) for name in ("whole", "killed"))
    lost = whole.samples.keys() - killed.samples.keys()
    changed = [place for place in whole.samples if place not in lost and whole.samples[place] != killed.samples[place]]
    lines = [json.loads(one) for one in Path("killed", "c.jsonl").read_text("utf-8").splitlines()]
    places = [(one["key"], one["index"]) for one in lines if one["type"] == "sample"]
    tally.counts["samples recorded over kills"] += len(places)
    tally.counts["samples lost by a kill"] += len(lost)
    tally.counts["samples changed by a kill"] += len(changed)
    tally.counts["samples there twice after a kill"] += len(places) - len(set(places))
    tally.need(not lost and not changed, f"lost {lost}, changed {changed}")
    tally.need(len(places) == len(set(places)) == len(killed.samples), "a sample is there twice")
    tally.need(check("killed/c.jsonl") == [], check("killed/c.jsonl"))
    tally.need(_results("whole") == _results("killed"), "the results are not those of a run without kills")


def _wait(process: subprocess.Popen[str], rng: Random) -> None:
    """For a moment; mostly until the recording has grown to some random size."""
    if rng.random() < 0.25:
        time.sleep(rng.uniform(0.1, 1.0))
        return
    whole, mine = Path("whole", "c.jsonl").stat().st_size, Path("killed", "c.jsonl")
    enough = rng.uniform(mine.stat().st_size if mine.exists() else 0, whole)
    while process.poll() is None and not (mine.exists() and mine.stat().st_size > enough):
        time.sleep(0.002)


def _program(line: list[str], folder: str) -> subprocess.Popen[str]:
    Path(folder).mkdir(exist_ok=True)
    line = [sys.executable, "-m", "tot", *line, "--out", "r.jsonl", "--cassette", "c.jsonl"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": KEY}
    return subprocess.Popen(line, cwd=folder, env=environment, text=True, encoding="utf-8", **pipes)


def _finish(process: subprocess.Popen[str], tally: Tally, killed: signal.Signals | None = None) -> None:
    out, err = process.communicate(timeout=120)
    tally.counts["runs"] += 1
    tally.clean(out + err, "tot run")
    if killed is None:
        tally.need(process.returncode == 0, f"tot run ends with {process.returncode}: {err}")
        return
    tally.counts[f"kills by {killed.name}"] += process.returncode != 0
    tally.counts["kills that came too late"] += process.returncode == 0
    if killed == signal.SIGINT and process.returncode:
        quiet = "Traceback" not in err or "/tot/" not in err  # Python itself may not have come to our first line
        tally.need(quiet, f"Ctrl-C ends with {process.returncode}: {err}")


def _results(folder: str) -> dict[str, Any]:
    """What the results say, by what they are about; a replay says it of the same samples."""
    lines = [json.loads(line) for line in Path(folder, "r.jsonl").read_text("utf-8").splitlines()]
    return {json.dumps([line["problem"], line["method"], line["params"]]): line for line in lines}
