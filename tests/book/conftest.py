"""The built book."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def html(tmp_path_factory):
    """The pages, with warnings as errors. TOT_BOOK names a folder of pages that are built already, to save a minute."""
    if built := os.environ.get("TOT_BOOK"):
        return Path(built)
    out = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "sphinx", "-j", "2", "-W", "--keep-going", "-n", "-q", "-E", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(out / "doctrees"), "-c", "book", ".", str(out / "html")],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out / "html"
