"""Starting the book elsewhere: the one setting, the links on the pages, the cell that fetches the book, binder/ and
.devcontainer/. What needs package indexes is tried by `make test-launch`."""

import json
import os
import re
import subprocess
import sys
import tomllib
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import ROOT
from packaging.specifiers import SpecifierSet
from sphinx.errors import ConfigError

from tools import readme
from tools.pages import launch
from tools.pages.launch import Launch

FILE = ROOT / "book" / "launch.toml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HERE = "https://github.com/you/thinking-in-trees"
CHAPTER = "notebooks/01_reading_and_replaying"
EVERYWHERE = Launch(HERE, "main", "gh-pages", "https://mybinder.org", "https://hub.example.edu")


def written(tmp_path, text):
    path = tmp_path / "launch.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "typed", [HERE, f"{HERE}.git", f" {HERE}/ ", HERE.replace("https://github", "https://www.GitHub")]
)
def test_the_environment_wins_and_addresses_are_made_plain(tmp_path, typed):
    path = written(tmp_path, 'repository = "https://gitlab.com/a/b"\nbranch = "main"\n')
    assert launch.read(path, {}).repository == "https://gitlab.com/a/b"
    assert launch.read(path, {launch.VARIABLE: typed}).repository == HERE
    assert set(tomllib.loads(FILE.read_text())) == set(launch.SETTINGS) == set(Launch._fields)


NO_REPOSITORY = (
    "github.com/you/trees", "git@github.com:you/trees.git", "http://github.com/you/trees", "https://github.com/you",
    f"{HERE}/tree/main", "https://gitlab.com/a/b/-/tree/main", f'{HERE}"onload="x', f"{HERE}?tab=readme", "https://x",
)  # fmt: skip


@pytest.mark.parametrize(
    "text, typed, said",
    [
        *(("", typed, f"{launch.VARIABLE}: repository is {typed!r} and should be like") for typed in NO_REPOSITORY),
        ("repositry = 'x'", "", "launch.toml knows no 'repositry': it takes repository, branch"),
        ("branch = 3", "", "launch.toml: branch is 3 and should be like 'main'"),
        ("branch = ''", "", "launch.toml: branch is '' and should be like 'main'"),
        ("jupyterhub = 'hub.example.edu'", "", "should be like 'https://hub.example.edu', or empty"),
        ("branch = main", "", "launch.toml is not TOML"),
    ],
)
def test_a_wrong_setting_is_told_in_one_sentence(tmp_path, text, typed, said):
    with pytest.raises(ConfigError, match=re.escape(said)) as refused:
        launch.read(written(tmp_path, text), {launch.VARIABLE: typed})
    assert "\n" not in str(refused.value)


def test_links_say_to_each_service_what_it_needs():
    found = launch.links(EVERYWHERE._replace(branch="term/2"), f"{CHAPTER}.ipynb")
    assert list(found) == ["Binder", "Colab", "Codespaces", "JupyterHub"]
    binder, hub = urlsplit(found["Binder"]), urlsplit(found["JupyterHub"])
    assert (binder.netloc, binder.path) == ("mybinder.org", "/v2/gh/you/thinking-in-trees/term%2F2")
    assert parse_qs(binder.query) == {"labpath": [f"{CHAPTER}.ipynb"]}
    place = f"github/you/thinking-in-trees/blob/gh-pages/{CHAPTER}.ipynb"
    assert found["Colab"] == f"https://colab.research.google.com/{place}"
    assert found["Codespaces"] == "https://codespaces.new/you/thinking-in-trees/tree/term/2"
    assert (hub.netloc, hub.path) == ("hub.example.edu", "/hub/user-redirect/git-pull")
    opened = f"lab/tree/thinking-in-trees/{CHAPTER}.ipynb"
    assert parse_qs(hub.query) == {"repo": [HERE], "branch": ["term/2"], "urlpath": [opened]}
    first = json.loads(launch.travelling('{"cells": []}', EVERYWHERE))["cells"][0]
    assert HERE in "".join(first["source"]) and first["metadata"]["jupyter"]["source_hidden"]


def test_a_chapter_shows_its_links_only_when_there_is_an_address():
    assert launch.line(Launch(), f"{CHAPTER}.ipynb") == "" == readme.elsewhere(Launch())
    shown = launch.line(EVERYWHERE, f"{CHAPTER}.ipynb")
    found = re.findall(r'<a href="([^"]+)" aria-label="Open in (\w+)">\2</a>', shown)
    links = launch.links(EVERYWHERE, f"{CHAPTER}.ipynb")
    assert {name: unescape(address) for address, name in found} == links
    assert re.findall(r"\[(\w+)\]\((.*?)\)", readme.elsewhere(EVERYWHERE)) == list(links.items())


@pytest.fixture
def fork(tmp_path):
    """A repository with just enough in it to be fetched."""
    place = tmp_path / "fork"
    (place / "notebooks" / "cassettes").mkdir(parents=True)
    (place / "notebooks" / "cassettes" / "01.jsonl").write_text("recorded\n")
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    for command in (["init", "-q", "-b", "term"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=place, env=os.environ | who, check=True)
    return place


# Asks the same question as the cell's `find_spec`, and answers as Colab would, without an index to install from.
BARE = """
import importlib.util, subprocess, sys, types
run, find, installed = subprocess.run, importlib.util.find_spec, []
importlib.util.find_spec = lambda name: types.SimpleNamespace() if installed else None
def spy(command, **how):
    if command[0] == "git":
        return run(command, **how)
    print("pip", *command[2:])
    installed.append(command)
subprocess.run = spy
"""
TWICE = "exec(compile(code, 'cell', 'exec')); exec(compile(code, 'cell', 'exec'))"


def in_a_kernel(folder, code, *lines):
    found = "from pathlib import Path; print(Path('cassettes/01.jsonl').read_text())"
    program = "\n".join([f"code = {code!r}", *lines, found])
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)


def test_the_cell_fetches_the_book_installs_it_once_and_goes_there(tmp_path, fork):
    (alone := tmp_path / "alone").mkdir()
    code = launch.cell(fork.as_uri(), "term")
    done = in_a_kernel(alone, code, BARE, TWICE)
    assert done.returncode == 0 and done.stdout.endswith("recorded\n\n"), done.stderr
    assert done.stdout.count("pip install --quiet ./thinking-in-trees[chapters]") == 1
    again = in_a_kernel(alone, code, TWICE)  # a new kernel, where `tot` can be found and the clone is there
    assert again.returncode == 0 and again.stdout.startswith("Ready") and again.stdout.count("Ready") == 1


def test_binder_installs_what_the_chapters_import_in_locked_versions():
    lines = [x for x in (ROOT / "binder" / "requirements.txt").read_text().splitlines() if not x.startswith("#")]
    assert lines == ["-c ../requirements.lock", "-e .[chapters]"]  # pip reads -c beside the file, and -e from the root
    assert (ROOT / "binder" / lines[0].removeprefix("-c ")).resolve() == ROOT / "requirements.lock"
    python = re.fullmatch(r"python-(3\.\d+)\n", (ROOT / "binder" / "runtime.txt").read_text())[1]
    assert SpecifierSet(PROJECT["requires-python"]).contains(f"{python}.0")
    assert set(PROJECT["optional-dependencies"]["chapters"]) < set(PROJECT["optional-dependencies"]["notebooks"])
    assert os.access(ROOT / "binder" / "postBuild", os.X_OK)
    (command,) = [x for x in (ROOT / "binder" / "postBuild").read_text().splitlines() if x.startswith("tot ")]
    words = re.findall(r'"[^"]*"|\S+', command)[1:]
    subprocess.run([sys.executable, "-m", "tot", *[w.strip('"') for w in words]], cwd=ROOT, check=True)
