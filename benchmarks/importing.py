"""``import tot``: no third-party module, and how much longer a start with it takes than a bare one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from .beside import beside, start
from .report import Row, at_most, seconds
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
        found = beside(partial(start, "import tot", **env), partial(start, **env), TIMES)
    figure = f"{seconds(found.ours - found.plain)} more than {seconds(found.plain)}"
    yield at_most("a start with import tot / a bare start of Python", found.ratio, 5, figure=figure)
