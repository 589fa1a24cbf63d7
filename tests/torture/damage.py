"""Damaged files: bits flipped, ends cut, lines joined, values swapped for what JSON allows and nobody expects.

Every reader of a file must find it sound and read what is right, or refuse it in one sentence.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from traces import TRACES, player

import tot
from tests.treebook.players.test_pocket_model import SMALL, as_file, tensors
from tot import Cassette, LMError, Scripted, Trace
from tot.experiments import run_experiment
from tot.jsonlines import FileTrouble
from tot.lm.opening import open as open_lm
from tot.lm.tape import Tape
from tot.solution import Job
from tot.tasks import task
from tot.tasks.datasets import DATASETS, load
from tot.tasks.selection import pick
from treebook.players.model import load as load_weights

from .tally import Tally
from .texts import text
from .views import NEED_MORE, of_a_trace

DEEP = "@@deep@@"
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**400, -(10**400), 2**63, 0.5, -0.0, 1e308, float("nan"), float("inf"),
    -float("inf"), "", "a", "\ud800", "\x1b[31m", "9" * 400, [], {}, [[]], {"a": {}}, DEEP,
)  # fmt: skip
PROBLEMS = {
    "gsm8k": '{"question": "How many?", "answer": "One. #### 1"}\n{"question": "And?", "answer": "#### 1,000"}\n',
    "svamp": '[{"Body": "There are 2.", "Question": "How many?", "Answer": 2.0}]',
    "strategyqa": '{"examples": [{"input": "Is it?", "target_scores": {"Yes": 1, "No": 0}}]}',
    "commonsenseqa": '{"question": {"stem": "Where?", "choices": [{"label": "A", "text": "x"}]}, "answerKey": "A"}\n',
    "hotpotqa": '[{"question": "Who?", "answer": "x", "context": [["T", ["One.", "Two."]]]}]',
}
OWN = 'question,answer\n"How many, in all?",1\nAnd now?,"so\n#### 1,000"\n'


def once(rng: Random, tally: Tally, each: int = 5) -> None:
    whole = _files()
    for _ in range(each):
        for use in (_cassette, _results, _trace, _prices, _problems, _own_problems, _weights):
            use(whole, rng, tally)


def _files() -> dict[str, bytes]:
    """A sound cassette, the results of its run, and a price table."""
    jobs = [
        Job(task("game24"), task("game24").problem("4 9 10 13"), tot.method(name), {}) for name in ("io", "tot-bfs")
    ]
    with Cassette("c.jsonl", Scripted(player)) as lm:
        run_experiment(jobs, lm, out="r.jsonl", progress=False)
    prices = json.dumps({"fake": {"input": 1.0, "output": 2.0}, "other": {"input": 0, "output": 0}})
    weights = as_file(tensors(**SMALL), {"heads": str(SMALL["heads"])})
    return {"c": Path("c.jsonl").read_bytes(), "r": Path("r.jsonl").read_bytes(), "p": prices.encode(), "w": weights}


def damaged(data: bytes, rng: Random) -> tuple[str, bytes]:
    """What was done to it, and the damaged file."""
    kind = rng.choice([*HARM])
    return kind, HARM[kind](data, rng)


def _flip(data: bytes, rng: Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _hole(data: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 200) :]


def _lines(change: Callable[[list[bytes], int, Random], None]) -> Callable[[bytes, Random], bytes]:
    def harm(data: bytes, rng: Random) -> bytes:
        lines = data.splitlines(keepends=True)
        change(lines, rng.randrange(len(lines)), rng)
        return b"".join(lines)

    return harm


def _swap(lines: list[bytes], i: int, rng: Random) -> None:
    j = rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _value(lines: list[bytes], i: int, rng: Random) -> None:
    """One value, or one name, of one line (of the whole file, if that is one document)."""
    if not lines[i].endswith(b"}\n") or not lines[i].startswith(b"{"):  # not JSON Lines
        lines[:] = [b"".join(lines)]
        i = 0
    whole = json.loads(lines[i])
    inner, holders = [whole], list[Any]()
    while inner:
        one = inner.pop()
        holders += [one] if isinstance(one, dict | list) and one else []
        inner += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
    holder = rng.choice(holders)
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    if rng.random() < 0.25:
        del holder[key]
    elif rng.random() < 0.2 and isinstance(holder, dict):
        holder[text(rng)[:40]] = holder.pop(key)
    else:
        holder[key] = text(rng) if rng.random() < 0.2 else rng.choice(VALUES)
    deep = rng.choice((50, 900, 100_000))
    lines[i] = json.dumps(whole).replace(f'"{DEEP}"', "[" * deep + "]" * deep).encode() + b"\n"


HARM: dict[str, Callable[[bytes, Random], bytes]] = {
    "flipped": _flip,
    "cut": lambda data, rng: data[: rng.randrange(len(data))],
    "with a hole": _hole,
    "with a text in it": lambda data, rng: (
        (at := rng.randrange(len(data))) * b"" + data[:at] + text(rng).encode("utf-8", "surrogatepass") + data[at:]
    ),
    "joined": lambda data, rng: data.replace(b"\n", b"", rng.randrange(1, 4)),
    "with empty lines": lambda data, rng: data.replace(b"\n", b"\n\n"),
    "with carriage returns": lambda data, rng: data.replace(b"\n", rng.choice((b"\r", b"\r\n"))),
    "in UTF-16": lambda data, rng: data.decode().encode("utf-16"),
    "with a line twice": _lines(lambda lines, i, rng: lines.insert(rng.randrange(len(lines)), lines[i])),
    "without a line": _lines(lambda lines, i, rng: lines.pop(i) and None),
    "with lines swapped": _lines(_swap),
    **{f"with another value ({i})": _lines(_value) for i in range(12)},  # the richest source
}


def _write(tally: Tally, name: str, data: bytes, rng: Random) -> str:
    kind, found = damaged(data, rng)
    tally.counts["damaged files"] += 1
    Path(name).write_bytes(found)
    return f"{name} {kind}"


def _cassette(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    about = _write(tally, "bad.jsonl", whole["c"], rng)
    status, said = tally.command("cassette check bad.jsonl")
    if status == 0:
        tally.counts["damaged cassettes that are sound"] += 1
        right = Tape("c.jsonl").samples
        for place, sample in Tape("bad.jsonl").samples.items():
            same = place in right and right[place].sample == sample.sample
            tally.need(same, f"{about}: check says {said!r}, but sample {place} is not what was recorded: {sample}")
    tally.command(f'solve game24 "4 9 10 13" --method {rng.choice(("io", "tot-bfs"))} --cassette bad.jsonl')


def _results(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    about = _write(tally, "bad.jsonl", whole["r"], rng)
    before = Path("bad.jsonl").read_bytes()
    tally.command('run game24 --method io,tot-bfs --problems "4 9 10 13" --cassette c.jsonl --out bad.jsonl')
    torn = Path("bad.jsonl.torn")
    after = Path("bad.jsonl").read_bytes() + (torn.read_bytes() if torn.exists() else b"")
    torn.unlink(missing_ok=True)
    for line in before.split(b"\n"):
        tally.need(line in after, f"{about}: tot run has lost {line[:200]!r}")


def _trace(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    TRACES[rng.choice(list(TRACES))]().save("good.json")
    about = _write(tally, "bad.json", Path("good.json").read_bytes(), rng)
    for form in ("text", "svg", "html"):
        tally.command(f"show bad.json --format {form}")
    try:
        trace = Trace.load("bad.json")
    except ValueError:
        return
    for name, view in of_a_trace().items():
        tally.counts["views of damaged traces"] += 1
        with tally.allowing(f"show.{name} of {about}", ValueError):
            view(trace, **NEED_MORE.get(name, lambda trace: {})(trace))


def _prices(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    about = _write(tally, "bad.json", whole["p"], rng)
    with tally.allowing(about, LMError, FileTrouble, ValueError):
        price = open_lm("openai:fake", base_url="http://127.0.0.1:9/v1", prices="bad.json").price
        tally.need(all(0 <= one < float("inf") for one in price), f"{about}: the price is {price}")


def _problems(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    name = rng.choice(list(PROBLEMS))
    about = _write(tally, DATASETS[name].files[0], PROBLEMS[name].encode(), rng)
    os.environ["TOT_DATA_DIR"] = "."
    with tally.allowing(about, ValueError):
        tally.need(bool(load(name)), f"{about}: no problems, and no word about it")
    del os.environ["TOT_DATA_DIR"]


def _own_problems(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    name, about = "own.jsonl", _write(tally, "own.jsonl", PROBLEMS["gsm8k"].encode(), rng)
    if rng.random() < 0.5:
        name, kind = "own.csv", rng.choice(("flipped", "cut", "with a hole"))
        about = f"{name} {kind}"
        Path(name).write_bytes(HARM[kind](OWN.encode(), rng))
    with tally.allowing(about, ValueError):
        tally.need(bool(pick(task("gsm8k"), name)), f"{about}: no problems, and no word about it")


def _weights(whole: dict[str, bytes], rng: Random, tally: Tally) -> None:
    """The numbers, or their header, which says how many there are and where."""
    data, kind = whole["w"], rng.choice(("flipped", "cut", "with a hole", "with another header"))
    if kind in HARM:
        data = HARM[kind](data, rng)
    else:
        end = 8 + int.from_bytes(data[:8], "little")
        lines = [data[8:end] + b"\n"]
        _value(lines, 0, rng)
        data = len(lines[0]).to_bytes(8, "little") + lines[0] + data[end:]
    tally.counts["damaged weights"] += 1
    Path("bad.safetensors").write_bytes(data)
    with tally.allowing(f"weights {kind}", LMError):
        load_weights("bad.safetensors")
