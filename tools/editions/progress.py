"""What is being done, on the terminal; and files that are there whole or not at all."""

import os
import sys
from pathlib import Path


def say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write the file under another name, then give it its own: a run that is stopped leaves no half file there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    other = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        other.write_bytes(content)
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)
