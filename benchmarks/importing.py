"""``import tot``: no third-party module, and how much it adds to starting Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from statistics import median

from .report import Row, at_most, under
from .server import Served

TIMES = 15
FOREIGN = """
import sys
before = set(sys.modules)
import tot
new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"tot"} - set(sys.stdlib_module_names)
print(*sorted(new))
"""


def measure(server: Served) -> Iterator[Row]:
    foreign = subprocess.run([sys.executable, "-c", FOREIGN], capture_output=True, text=True, check=True).stdout.split()
    yield at_most("import tot: third-party modules loaded", len(foreign), 0, note=", ".join(foreign))
    with tempfile.TemporaryDirectory() as folder:  # compiled files in both cases, whatever this shell's settings are
        env = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        plain, tots = [], []
        for _ in range(TIMES + 1):  # alternating, so that a slow spell meets both; the first pair only compiles
            plain.append(seconds("pass", env))
            tots.append(seconds("import tot", env))
    added = (median(tots[1:]) - median(plain[1:])) * 1000
    yield under("import tot: added to starting Python", added, 60, "ms", f"median of {TIMES} alternating starts")


def seconds(code: str, env: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    return time.perf_counter() - began
