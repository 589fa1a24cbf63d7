"""environment.yml cannot be solved here (that needs conda): check what can be checked offline."""

import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import run

ROOT = Path(__file__).parents[2]
PROJECT, TOOLS = (tomllib.loads((ROOT / "pyproject.toml").read_text())[part] for part in ("project", "tool"))
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
PIP = [line for d in ENVIRONMENT["dependencies"] if isinstance(d, dict) for line in d["pip"]]
EXTRAS = ["lm", "notebooks", "test", "book", "course"]
LATER = ["local-lm", "pocket-training", "release"]  # installed by `make local-lm`, `make pocket`, `make release` only
DOORS = ["mcp", "inspect"]  # by `make test-doors`, in an environment of its own
WITHIN = ["cluster", "chapters"]  # part of another extra here (test, notebooks), by itself for users
LOCK = dict(line.split("==") for line in (ROOT / "requirements.lock").read_text().split())


def test_conda_and_make_install_the_same_extras():
    assert PIP == ["-c requirements.lock", f"-e .[{','.join(EXTRAS)}]"]
    assert run.EXTRAS.split(",") == EXTRAS
    assert set(PROJECT["optional-dependencies"]) == {*EXTRAS, *LATER, *DOORS, *WITHIN}


@pytest.mark.parametrize("package", ["tot", "treebook"])
def test_what_is_no_python_is_in_the_wheel(package):
    patterns = TOOLS["setuptools"]["package-data"][package]
    every = [path for path in (ROOT / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    others = [path.name for path in every if path.suffix != ".py"]
    assert "py.typed" in others and len(others) > 5
    assert not [name for name in others if not any(fnmatch(name, one.rpartition("/")[2]) for one in patterns)]
    assert f"{package}*" in TOOLS["setuptools"]["packages"]["find"]["include"] and package in TOOLS["mypy"]["files"]


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_a_changed_project_file_is_installed_again(tmp_path):
    """Entry points are read from what is installed."""
    (tmp_path / "bin").mkdir()
    for name in ("bin/python", ".installed"):
        (tmp_path / name).touch()
    ask = ["make", "-q", f"VENV={tmp_path}", f"{tmp_path}/.installed"]  # 0: nothing to do, 1: there is
    assert subprocess.run(ask, cwd=ROOT).returncode == 0
    assert subprocess.run([*ask, "-W", "pyproject.toml"], cwd=ROOT).returncode == 1


@pytest.mark.parametrize("venv", ["", "..", "notes"])
@pytest.mark.parametrize("do", [lambda venv: run.lock({"VENV": venv}), run.install])
def test_no_folder_but_an_environment_is_removed(tmp_path, monkeypatch, venv, do):
    """`make lock VENV=` took the whole repository away, VENV=.. all that stands beside it."""
    mine = tmp_path / "repository" / "notes" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("hours of work")
    monkeypatch.setattr(run, "ROOT", tmp_path / "repository")
    monkeypatch.setattr(run, "LOCK", tmp_path / "lock")
    failed = lambda *_, **__: subprocess.CompletedProcess([], 1, "")  # noqa: E731
    monkeypatch.setattr(run.subprocess, "run", failed)
    if venv or do is not run.install:  # "" is the Python that runs this, which is there
        with pytest.raises(run.Wrong, match="is no environment"):
            do(venv)
    assert mine.read_text() == "hours of work"


def test_the_lock_names_a_fitting_version_of_each_requirement():
    locked = {canonicalize_name(name): pin for name, pin in LOCK.items()}
    apart = ["pocket-training", *DOORS]
    extras = [lines for name, lines in PROJECT["optional-dependencies"].items() if name not in apart]
    for line in {*PROJECT["dependencies"], *chain.from_iterable(extras)}:
        requirement = Requirement(line)
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)], prereleases=True), line
