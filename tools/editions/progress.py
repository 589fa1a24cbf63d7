"""What is being done, on the terminal, while it takes its time; and files that are there whole or not at all."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EVERY = 5.0  # seconds between two signs of life


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is done and, every few seconds, that it goes on."""
    began, done = time.monotonic(), threading.Event()

    def beat() -> None:
        while not done.wait(EVERY):
            print(f"  {what}: {time.monotonic() - began:.0f} s so far", file=sys.stderr, flush=True)

    print(f"{what} ...", file=sys.stderr, flush=True)
    clock = threading.Thread(target=beat, daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()


def write_whole(path: Path, content: bytes) -> None:
    """Write the file under another name, then give it its own: a run that is stopped leaves no half file there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    other = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        other.write_bytes(content)
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)
