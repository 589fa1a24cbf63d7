"""The pocket model in Chromium: ``pocket.js`` in a web worker beside numpy here, on the same work and in the same run.

Speed is wall time, in turn, the least that each took. Then the same samples are drawn by both, in every format that the
model was trained on, and those that differ are counted: rounding may move a token across the edge between two.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import tot
from tot.lm.base import Message, Reply, Request
from tot.state import State, Thought
from tot.stats import wilson
from tot.tasks.game24 import Game24
from treebook.players import FILE, Pocket
from treebook.players.tokens import AGAIN

from . import pocket
from .javascript import JavaScriptEngine, Run, encoded, in_worker
from .pages import SKIPPED, chromium
from .pocket import FLYING, ONE_THREAD, PROMPT, REPLY
from .report import Row, at_most, number, seconds
from .server import Served

PUZZLES, SAMPLES = 40, 10  # of each format of each puzzle
TURNS = 3
# the same prompts, lengths and keys as pocket.generate; each function knows whether it is warm
GENERATE = """
    const model = pocketModel.load(bytes(file));
    const ended = () => false, temperature = 0.7, topP = 1, first = 0;
    const keys = Array.from({ length: samples }, (_, i) => BigInt(i));
    const jobs = [{ prompt: Array.from({ length: prompt }, (_, i) => 1 + i % 200), limit: reply, ended, temperature,
      topP, first, keys }];
    let tokens = 0, took = Infinity, longest = 0;
    for (let turn = 0; turn <= warm; turn++) {
      tokens = 0;
      const began = performance.now();
      let last = began;
      for (const step of model.generate(jobs)) {
        for (const done of step) tokens += done.tokens.length;
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }
      took = Math.min(took, (performance.now() - began) / 1000);
    }
    return { tokens, took, longest, simd: model.simd };
"""


def measure(server: Served) -> Iterator[Row]:
    command = [sys.executable, "-m", "benchmarks.browser"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | ONE_THREAD)
    found = json.loads(done.stdout)
    for name, words, most in (("many", f"{FLYING} samples at once", 5), ("alone", "one sample alone", 3)):
        what = f"pocket model in Chromium, {words} / numpy"
        if not found:
            yield Row(what, None, f"at most {most}", note=SKIPPED)
            continue
        one = found[name]
        figure = f"{number(one['tokens'] / one['there'])} tokens/s; numpy {number(one['tokens'] / one['here'])}"
        note = f"wall time, the best of {TURNS}; the longest step there, after which it can be stopped: "
        note += seconds(one["longest"] / 1000)
        yield at_most(what, one["there"] / one["here"], most, note=note, figure=figure)
    if not found:
        yield Row("pocket model in Chromium, samples that differ", None, "at most 0.005", note=SKIPPED)
        return
    differ, of = found["differ"], found["of"]
    interval = wilson(differ, of)
    note = f"{differ} of {of:,} in {found['formats']} formats, 95% interval {interval.low:.2%} to {interval.high:.2%}"
    yield at_most("pocket model in Chromium, share of samples that differ from numpy's", differ / of, 0.005, note=note)


def formats(puzzle: str, n: int) -> list[Request]:
    """A request for n samples in every format that the model was trained on, about a puzzle like "4 9 10 13"."""
    game, start, later = Game24(), State(puzzle), State(" ".join(puzzle.split()[:3]))
    attempt = "({}+{}) * ({}-{})".format(*puzzle.split()).replace("+", " + ").replace("-", " - ")
    answered = start.then(Thought(f"Answer: {attempt}", None, attempt, final=True))
    again = (Message("assistant", f"Answer: {attempt}"), Message("user", AGAIN)) * 3
    asked = [game.io(start), game.cot(start), game.value(later), game.value(answered)]
    asked += [game.propose(state, style) for state in (start, later) for style in ("one-shot", "lean")]
    asked.append(Request((*game.io(start).messages, *again), max_tokens=40))
    return [replace(request, n=n, stop=()) for request in asked]


def differing(one: Sequence[Reply], other: Sequence[Reply]) -> tuple[int, int]:
    """How many samples differ, of how many. Raises ValueError if one was refused, which would prove nothing."""
    pairs = [pair for a, b in zip(one, other, strict=True) for pair in zip(a.samples, b.samples, strict=True)]
    if any(a.finish == "refusal" for a, _ in pairs):
        raise ValueError("a prompt was refused: the formats are no longer the model's")
    return sum(a != b for a, b in pairs), len(pairs)


def side_by_side(run: Run, samples: int, warm: int) -> dict[str, float]:
    """Seconds for the same tokens, there and here."""
    there, here, tokens, longest = [], [], set(), 0.0
    file = encoded(FILE)
    for turn in range(TURNS + 1):
        one = run(GENERATE, file=file, samples=samples, prompt=PROMPT, reply=REPLY, warm=warm)
        began = time.perf_counter()
        tokens |= {one["tokens"], pocket.generate(samples, PROMPT, REPLY)}
        if turn:  # the first one warms up
            there.append(one["took"])
            here.append(time.perf_counter() - began)
            longest = max(longest, one["longest"])
    [count] = tokens  # both made as many
    return {"tokens": count, "there": min(there), "here": min(here), "longest": longest}


def main() -> None:
    found: dict[str, Any] = {}
    with chromium() as browser:
        if browser:
            run = in_worker(browser.new_page())
            found = {"many": side_by_side(run, FLYING, 1), "alone": side_by_side(run, 1, 20)}
            puzzles = [problem.x for problem in tot.task("game24").problems("hard")[:PUZZLES]]
            asked = [request for puzzle in puzzles for request in formats(puzzle, SAMPLES)]
            differ, of = differing(Pocket(engine=JavaScriptEngine(run))(asked), Pocket()(asked))
            found |= {"differ": differ, "of": of, "formats": len(asked) // PUZZLES}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
