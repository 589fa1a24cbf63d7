"""The pocket model, in a process of its own: tokens a second, time to load, memory, and the size of its file."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .report import Row, at_least, at_most, under
from .server import Served

FILE = Path("tot/lm/pocket/weights.safetensors")
FLYING, PROMPT, REPLY = 256, 60, 80  # samples at once; tokens: contexts grow from 60 to 140
LONG = 187  # tokens of a refine prompt with some ten attempts
PUZZLES = 20


def measure(server: Served) -> Iterator[Row]:
    if not FILE.exists():
        yield Row("the pocket model", None, note=f"there is no {FILE}")
        return
    done = subprocess.run([sys.executable, "-m", "benchmarks.pocket"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    note = f"{FLYING} samples in flight, contexts of {PROMPT} to {PROMPT + REPLY} tokens; best of three"
    yield at_least("pocket model: generates", found["rate"], 5_000, "tokens/s", note)
    note = f"{PUZZLES} hard puzzles at once, {found['tokens']:,} tokens generated, searching and reading included"
    yield Row("pocket model: generates in ToT-BFS b=5", found["search"], unit="tokens/s", note=note)
    yield Row("pocket model: generates for one sample alone", found["alone"], unit="tokens/s")
    load, imports = found["load"]
    note = f"best of three fresh processes; importing numpy and tot before it takes {imports:.2g} s"
    yield under("pocket model: loads", load, 0.3, "s", note)
    memory = found["memory"]
    note = f"peak of the process; {FLYING} samples that fill the context, {FLYING} different prompts of {LONG} tokens"
    what = "pocket model: memory"
    yield under(what, memory, 300, "MB", note) if memory else Row(what, None, "under 300", unit="MB")
    yield at_most("pocket model: file", FILE.stat().st_size / 1e6, 6, "MB")


def rate(samples: int, prompt: int, reply: int, prompts: int = 1) -> float:
    """Tokens a second for ``samples`` samples of each of ``prompts`` prompts, each of exactly ``reply`` tokens."""
    from tot.lm.pocket import FILE as weights
    from tot.lm.pocket import engine
    from tot.lm.pocket.model import load

    def job(number: int) -> engine.Job:
        tokens = [1 + (number + i) % 200 for i in range(prompt)]
        uniforms = partial(engine.uniforms, n=reply)
        return engine.Job(tokens, range(samples), reply, 0.7, 1.0, uniforms, ended=lambda tokens: False)

    model = load(weights)
    began = time.perf_counter()
    made = sum(len(done.tokens) for step in engine.generate(model, [*map(job, range(prompts))]) for done in step)
    return made / (time.perf_counter() - began)


def search() -> tuple[float, int]:
    """Tokens a second of whole searches, and how many tokens."""
    import tot
    from tot.lm.pocket import Pocket

    task = tot.task("game24")
    jobs = [tot.Job(task, p, tot.method("tot-bfs"), {}).start() for p in task.problems("hard")[:PUZZLES]]
    began = time.perf_counter()
    tokens = sum(run.ledger.total.completion_tokens for run in tot.run_many(jobs, Pocket()))
    return tokens / (time.perf_counter() - began), tokens


def loading() -> list[float]:
    """Seconds from the imports until the model is there, and those that the imports take."""
    code = (
        "import time; began = time.perf_counter()\n"
        "import numpy, tot; imported = time.perf_counter()\n"
        "from tot.lm.pocket import Pocket; Pocket()\n"
        "print(time.perf_counter() - imported, imported - began)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(seconds) for seconds in done.stdout.split()]


def peak() -> float | None:
    """Most memory that this process ever had, in MB; None where Python cannot tell (Windows)."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def main() -> None:
    best = max(rate(FLYING, PROMPT, REPLY) for _ in range(3))
    alone = max(rate(1, PROMPT, REPLY) for _ in range(3))
    rate(FLYING, PROMPT, 256 - PROMPT)  # for the peak of memory, as the next one
    rate(1, LONG, 40, prompts=FLYING)
    searching, tokens = search()
    found = {"rate": best, "alone": alone, "search": searching, "tokens": tokens, "memory": peak()}
    print(json.dumps(found | {"load": min(loading() for _ in range(3))}))


if __name__ == "__main__":
    main()
