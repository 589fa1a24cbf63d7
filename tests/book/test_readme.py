"""README.md and the page on installing: what they say runs and prints what they say; parts from data are up to date."""

import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tools import readme
from tools.run import TARGETS
from tot import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = (ROOT / "book" / "manual" / "install.md").read_text(encoding="utf-8")
OFFLINE = re.findall(r"<!-- offline -->\n```(\w+)\n(.*?)```\n(?:\n```text\n(.*?)```)?", README, flags=re.S)
COMMANDS = [line[2:] for kind, text, _ in OFFLINE if kind == "console" for line in text.splitlines()]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder with the recordings in it, so that what the commands write does not end up in the repository."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "notebooks" / "cassettes", folder / "notebooks" / "cassettes")
    return folder


def run(arguments, folder):
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_prints_what_the_readme_says(clone):
    ((code, printed),) = [(text, printed) for kind, text, printed in OFFLINE if kind == "python"]
    assert run(["-c", code], clone) == printed != ""


def test_the_offline_commands_run(clone):
    assert len(COMMANDS) >= 5
    for command in COMMANDS:  # in order: the second shows what the first has saved
        run(["-m", "tot", *shlex.split(command)[1:]], clone)
    assert (clone / "tree.html").stat().st_size > 1000
    assert len((clone / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 10


def test_commands_that_need_a_model_are_well_formed():
    asking = [line[2:] for line in README.splitlines() if line.startswith("$ tot ") and "openai:" in line]
    assert len(asking) == 3
    for command in asking:
        words = shlex.split(command)[1:]
        _, unknown = cli._parser(words).parse_known_args(words)
        assert not unknown


def test_parts_from_data_are_up_to_date():
    stale = [path.name for path, text in readme.files().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"{stale}: run python -m tools.readme"


def test_the_tree_is_a_picture_within_the_first_screen():
    head = README.splitlines()[:12]
    assert any(line.startswith("![A search tree") and line.endswith("(book/_static/tree.svg)") for line in head)
    svg = ET.parse(ROOT / "book" / "_static" / "tree.svg").getroot()
    assert svg.tag.endswith("svg") and svg.get("role") == "img"
    grounds = [e.get("fill") for e in svg.iter() if e.tag.endswith("rect")]
    assert grounds, "a ground of its own makes it readable on light and dark pages"


def test_the_targets_that_are_named_are_there():
    for target in re.findall(r"\b(?:make|tools\.run) ([a-z][a-z0-9-]*)", README + INSTALL):
        assert target in TARGETS


def test_links_lead_somewhere():
    targets = [t for t in re.findall(r"\]\(([^)]+)\)", README) if not t.startswith("http")]
    missing = [target for target in targets if not (ROOT / target).exists()]
    named = re.findall(r"`(\w+(?:/|\.py))`", README.partition("## More")[2])
    places = [ROOT, ROOT / "tot", ROOT / "treebook", ROOT / "notebooks", ROOT / "studies"]
    missing += [name for name in named if not any((place / name).exists() for place in places)]
    assert named and not missing
