"""The pocket model, in a process of its own: generating, loading, memory, and the size of its file.

Tokens a second are compared with the bare matrix products of the same model: what a token must cost on this machine.
Everything on one thread: more would only wait for each other, and how many there are differs from machine to machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from .beside import beside, start
from .report import Row, at_most, number, seconds
from .server import Served

FILE = Path("treebook/players/weights.safetensors")
FLYING, PROMPT, REPLY = 256, 60, 80  # samples at once; tokens: contexts grow from 60 to 140
LONG = 187  # tokens of a refine prompt with some ten attempts
PUZZLES = 20
LOADING = "import numpy, tot; from treebook.players import Pocket; Pocket()"
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "VECLIB")}


def measure(server: Served) -> Iterator[Row]:
    if not FILE.exists():
        yield Row("the pocket model", None, note=f"there is no {FILE}")
        return
    command = [sys.executable, "-m", "benchmarks.pocket"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | ONE_THREAD)
    found = json.loads(done.stdout)
    for name, words, most in (
        ("many", f"{FLYING} samples at once", 6),
        ("alone", "one sample alone", 14),
        ("search", f"ToT-BFS b=5, {PUZZLES} puzzles at once", 6),
    ):
        one = found[name]
        figure = f"{number(one['tokens'] / one['wall'])} tokens/s"
        yield at_most(f"pocket model, {words} / bare matrix products", one["ratio"], most, figure=figure)
    env = os.environ | ONE_THREAD
    found_load = beside(partial(start, LOADING, **env), partial(start, "import numpy, tot", **env), 9)
    figure = f"{seconds(found_load.ours - found_load.plain)} more"
    what = "a start with the pocket model / one with numpy and tot"
    yield at_most(what, found_load.ratio, 2, figure=figure)
    memory = found["memory"]
    note = f"peak of the process; {FLYING} samples that fill the context, {FLYING} different prompts of {LONG} tokens"
    what = "pocket model: memory"
    yield at_most(what, memory, 300, "MB", note=note) if memory else Row(what, None, "at most 300", unit="MB")
    yield at_most("pocket model: file", FILE.stat().st_size / 1e6, 6, "MB")


def generate(samples: int, prompt: int, reply: int, prompts: int = 1) -> int:
    """Generate ``samples`` samples of each of ``prompts`` prompts, each of ``reply`` tokens: how many tokens."""
    from treebook.players import FILE as weights
    from treebook.players import engine
    from treebook.players.model import load

    def job(number: int) -> engine.Sampling:
        tokens = [1 + (number + i) % 200 for i in range(prompt)]
        return engine.Sampling(tokens, range(samples), reply, 0.7, 1.0, key=lambda i: i, ended=lambda tokens: False)

    model = load(weights)
    return sum(len(done.tokens) for step in engine.generate(model, [*map(job, range(prompts))]) for done in step)


def products(weights: Any, samples: int, tokens: int) -> None:
    """The products of the model's matrices with ``samples`` hidden states, once for each of ``tokens`` tokens."""
    import numpy as np

    wide = weights.embed.shape[1]
    x, grown = np.ones((samples, wide), np.float32), np.ones((samples, 4 * wide), np.float32)
    for _ in range(tokens):
        for layer in weights.layers:
            x @ layer.qkv, x @ layer.out, x @ layer.up, grown @ layer.down
        x @ weights.embed.T


def search() -> int:
    """Whole searches of several puzzles at once: how many tokens they were answered with."""
    import tot
    from treebook.players import Pocket

    task = tot.task("game24")
    pocket = Pocket()
    jobs = [tot.Job(task, p, tot.method("tot-bfs"), {}).start(pocket) for p in task.problems("hard")[:PUZZLES]]
    return sum(run.ledger.total.completion_tokens for run in tot.run_many(jobs))


def peak() -> float | None:
    """Most memory that this process ever had, in MB; None where Python cannot tell (Windows)."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, getrusage counts what the parent had when it started this process
        return next(int(line.split()[1]) * 1024 / 1e6 for line in status.open("rb") if line.startswith(b"VmHWM"))
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def main() -> None:
    from treebook.players import FILE as weights
    from treebook.players.model import load

    generate(FLYING, PROMPT, 256 - PROMPT)
    generate(1, LONG, 40, prompts=FLYING)
    memory = peak()  # before what is only there to compare with
    model, found = load(weights), {}
    for name, work, samples in (
        ("many", partial(generate, FLYING, PROMPT, REPLY), FLYING),
        ("alone", partial(generate, 1, PROMPT, REPLY), 1),
        ("search", search, FLYING),
    ):
        tokens = work()
        plain = partial(products, model, samples, tokens // samples)
        one = beside(work, plain, times=3 if samples > 1 else 9)
        found[name] = {"tokens": tokens, "ratio": one.ratio, "wall": one.wall}
    print(json.dumps(found | {"memory": memory}))


if __name__ == "__main__":
    main()
