"""The book, built once for all tests of its pages, with warnings as errors."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def html(tmp_path_factory):
    """The folder with the built pages."""
    out = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-E", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(out / "doctrees"), "-c", "book", ".", str(out / "html")],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out / "html"
