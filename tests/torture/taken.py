"""Files that are deleted, replaced, cut or moved while ``tot run`` writes them: told, and nothing paid is lost.

The server says the same for the same request, so that what is left at the end can be compared with a quiet run.
"""

import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from fake_server import FakeServer, answering

from tot.lm.checking import check
from tot.lm.tape import Tape

from .kills import RUN, _results, player
from .tally import Tally

IN_FLIGHT = 16  # more calls than two problems at a time ever have open here


def _replaced(path: Path) -> None:
    Path("other").write_bytes(b'{"somebody": "else"}\n')
    os.replace("other", path)


def _moved(path: Path) -> None:
    os.rename(path.parent, f"{path.parent}.gone")
    path.parent.mkdir()


HARMS: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "replaced": _replaced,
    "emptied": lambda path: os.truncate(path, 0),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "written by another": lambda path: path.open("a").write("{}\n"),
    "in a folder that was moved": _moved,
}


def once(rng: Random, tally: Tally, times: int = 3) -> None:
    for folder in ("whole", "taken"):
        Path(folder).mkdir()
    with FakeServer(answering(player, delay=0.02)) as server:

        def run(folder: str) -> tuple[int, int]:
            """The exit status, and how many requests it took."""
            before = len(server.requests)
            files = f"--out {folder}/r.jsonl --cassette {folder}/c.jsonl"
            status, _ = tally.command(" ".join([*RUN, f"--lm openai:fake --base-url {server.url} --at-once 2", files]))
            return status, len(server.requests) - before

        _, whole = run("whole")
        for _ in range(times):
            shutil.rmtree("taken")
            Path("taken").mkdir()
            harm, path = rng.choice([*HARMS]), Path("taken", rng.choice(("c.jsonl", "r.jsonl")))
            enough = rng.uniform(1, Path("whole", path.name).stat().st_size * 0.9)
            adversary = threading.Thread(target=_harm, args=(HARMS[harm], path, enough))
            adversary.start()
            status, asked = run("taken")
            adversary.join()
            about = f"{path} {harm}"
            tally.counts[f"files taken away: {harm}"] += 1
            tally.need(status == 1, f"{about}: the run ends with {status}")
            kept = list(Path("taken").glob("*.saved"))
            tally.need(path.with_name(f"{path.name}.saved") in kept, f"{about}: beside it lie {kept}")
            for each in Path().glob("taken.gone/*"):
                os.replace(each, Path("taken", each.name))
            shutil.rmtree("taken.gone", ignore_errors=True)
            for each in kept:
                os.replace(each, each.with_suffix(""))
            status, more = run("taken")
            tally.counts["requests asked again after files were taken"] += asked + more - whole
            tally.need(status == 0 and asked + more <= whole + IN_FLIGHT, f"{about}: {asked} + {more} of {whole}")
            left, right = Tape("taken/c.jsonl").samples, Tape("whole/c.jsonl").samples
            tally.need(left == right and check("taken/c.jsonl") == [], f"{about}: the recording is another one")
            tally.need(_results("taken") == _results("whole"), f"{about}: the results are others")


def _harm(harm: Callable[[Path], object], path: Path, enough: float) -> None:
    end = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size > enough) and time.monotonic() < end:
        time.sleep(0.001)
    harm(path)
