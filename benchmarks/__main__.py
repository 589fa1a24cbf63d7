"""Measure every promise about speed: ``make bench``, or ``python -m benchmarks --only replay,importing``.

Prints a table, writes benchmarks/results.json, and exits with 1 if a promise is broken. A promise is a ratio to plain
work that is timed beside it, in turn, in the same run (``beside``), or a count that no machine changes. Models answer
from a server of our own. Seconds and tokens a second of this machine are shown for information.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from . import (
    authors,
    bfs,
    browser,
    chapters,
    cluster,
    drawing,
    importing,
    many,
    mcts,
    pages,
    pocket,
    replay,
    strategies,
    wire,
)
from .report import Row, table
from .server import Served, running

MEASUREMENTS = {
    "importing": importing,
    "replay": replay,
    "wire": wire,
    "bfs": bfs,
    "mcts": mcts,
    "strategies": strategies,
    "drawing": drawing,
    "pocket": pocket,
    "browser": browser,
    "many": many,
    "cluster": cluster,
    "authors": authors,
    "chapters": chapters,
    "pages": pages,
}
RESULTS = Path(__file__).with_name("results.json")


def measure(names: list[str], server: Served, rows: list[Row]) -> Iterator[Row]:
    """Each row as it is measured; ``rows`` keeps them."""
    for name in names:
        for row in MEASUREMENTS[name].measure(server):
            rows.append(row)
            yield row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help=f"some of {','.join(MEASUREMENTS)}; then results.json is left alone")
    only = parser.parse_args().only
    names = only.split(",") if only else list(MEASUREMENTS)
    if unknown := [name for name in names if name not in MEASUREMENTS]:
        parser.error(f"there is no measurement {unknown[0]!r}: choose some of {','.join(MEASUREMENTS)}")
    rows: list[Row] = []
    with running() as server:
        for line in table(measure(names, server, rows)):
            print(line, flush=True)
    cores, load = os.cpu_count() or 1, os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > cores + 1:
        print(f"This machine was busy ({load:.0f} processes wanted its {cores} cores): its own figures can be better.")
    if not only:
        head = {"date": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "cores": cores}
        results = {**head, "load_per_core": round(load / cores, 1), "rows": [row.to_dict() for row in rows]}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return int(any(row.ok == "NO" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
