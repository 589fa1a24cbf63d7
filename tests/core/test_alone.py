"""Without the book's package the core's tests pass: nothing of it is needed by what stands below it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "search", "methods", "tasks", "tools", "lm", "experiments", "testing", "show", "cli", "doors")
GONE = """
from importlib.machinery import PathFinder

known = PathFinder.find_spec


@classmethod
def find_spec(cls, name, path=None, target=None):
    if name.partition(".")[0] == "treebook":
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return known(name, path, target)


PathFinder.find_spec = find_spec  # as if somebody had deleted it from site-packages; pytest's own finder asks here, too
"""


@pytest.mark.slow
def test_the_cores_tests_pass_where_treebook_is_deleted(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(GONE)
    env = os.environ | {"PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # one plugin is treebook's
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    wanted = [f"tests/{folder}" for folder in FOLDERS]
    done = subprocess.run([*command, "-m", "not slow", *wanted], capture_output=True, text=True, cwd=ROOT, env=env)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "treebook is not installed" in done.stdout  # why those are left out that borrow something of the book's
