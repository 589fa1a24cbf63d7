"""``treebook/players/pocket.js`` without Pyodide: in Node or in a browser's web worker, asked from here.

For tests and measurements. In the book's pages Python runs beside it: ``treebook.players.browser``.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from treebook.players import FILE
from treebook.players.engine import NumpyEngine
from treebook.players.jobs import Done, Sampling, at_end

SCRIPT = Path(__file__).parents[1] / "treebook/players/pocket.js"
ALL = """
    const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const plain = (key, value) => ArrayBuffer.isView(value) ? Array.from(value) : value;
    const called = (code, given) =>
      JSON.stringify(new Function("bytes", ...Object.keys(given), code)(bytes, ...Object.values(given)), plain);
"""
IN_WORKER = """([script, code, given]) => new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
    worker.onerror = (error) => { worker.terminate(); reject(error.message); };
    worker.postMessage([code, given]);
})"""
Run = Callable[..., Any]  # run(code, name=plain data ...): what the code returns; it knows pocketModel and bytes()


def in_node(node: str) -> Run:
    """Runs code in a new process of this Node each time. Raises RuntimeError with what it said, if it fails."""

    def run(code: str, **given: Any) -> Any:
        script = f"{SCRIPT.read_text(encoding='utf-8')}{ALL}"
        script += f"process.stdout.write(called({json.dumps(code)}, {json.dumps(given)}));"
        done = subprocess.run([node, "-"], input=script, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    return run


def in_worker(page: Any) -> Run:
    """Runs code in a new web worker of this page (playwright's) each time."""

    def run(code: str, **given: Any) -> Any:
        script = f"{SCRIPT.read_text(encoding='utf-8')}{ALL}onmessage = (e) => postMessage(called(...e.data));"
        return json.loads(page.evaluate(IN_WORKER, [script, code, given]))

    return run


def encoded(path: str | Path) -> str:
    """A file as text that JavaScript's ``bytes`` makes bytes again."""
    return base64.b64encode(Path(path).read_bytes()).decode()


class JavaScriptEngine:
    """An engine for ``Pocket(engine=...)``: all jobs are run there, and then all samples come back at once.

    Raises ValueError for a job with stop strings: nobody there can ask Python. ``seconds``: how long the last call took
    there, without the loading.
    """

    def __init__(self, run: Run, path: str | Path = FILE, simd: bool = True) -> None:
        about = NumpyEngine(path)
        self.sha256, self.metadata, self.context = about.sha256, about.metadata, about.context
        self.settings: dict[str, Any] = {"javascript": "elsewhere"}
        self.run, self.file, self.simd, self.seconds = run, encoded(path), simd, 0.0

    def generate(self, jobs: Sequence[Sampling]) -> Iterator[list[Done]]:
        if any(job.ended is not at_end for job in jobs):
            raise ValueError("stop strings are not known there")
        found = self.run(
            """const model = pocketModel.load(bytes(file), { simd });
            const began = performance.now();
            return [[...model.generate(jobs)], (performance.now() - began) / 1000];""",
            file=self.file,
            simd=self.simd,
            jobs=[plain(job) for job in jobs],
        )
        steps, self.seconds = found
        for step in steps:
            yield [Done(**done) for done in step]

    def log_probabilities(self, prompts: Sequence[Sequence[int]]) -> list[list[float]]:
        code = "const model = pocketModel.load(bytes(file)); return prompts.map((p) => model.logProbabilities(p));"
        logs: list[list[float]] = self.run(code, file=self.file, prompts=[[*prompt] for prompt in prompts])
        return logs


def plain(job: Sampling, **more: Any) -> dict[str, Any]:
    """A job as JavaScript reads it."""
    keys = [hex(job.key(i)) for i in job.samples]
    numbers = {"limit": job.limit, "temperature": job.temperature, "topP": job.top_p, "logprobs": job.logprobs}
    return {"prompt": [*job.prompt], "first": job.samples.start, "keys": keys} | numbers | more
