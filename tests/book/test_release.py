"""What a release needs: one version, a changelog that can be read, forms and workflows that their schemas accept."""

import json
import re
import subprocess
import sys
import tomllib

import yaml
from conftest import ROOT

import tot
from tot.moved import table

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_version_stands_in_one_place_and_is_read_from_there():
    version = PROJECT["project"]["version"]
    assert tot.__version__ == version  # if not: make .venv/.installed
    printed = subprocess.run([sys.executable, "-m", "tot", "--version"], capture_output=True, text=True)
    assert printed.stdout.split() == ["tot", version]
    for name in ("CITATION.cff", ".zenodo.json"):  # whoever archives a release takes the tag's
        assert "version" not in yaml.safe_load((ROOT / name).read_text("utf-8"))
    stated = [f for f in (*ROOT.glob("tot/*.py"), *ROOT.glob("treebook/*.py")) if version in f.read_text("utf-8")]
    assert not stated


def test_nothing_is_claimed_that_is_not_known():
    """Addresses are filled in by the release; a classifier names a Python only if the tests ran on it."""
    assert "urls" not in PROJECT["project"]
    named = re.findall(r":: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))
    assert named == ["3.11", "3.12", "3.13"] and PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert json.loads((ROOT / ".zenodo.json").read_text("utf-8"))["license"] == PROJECT["project"]["license"]


def test_the_newest_section_of_the_changelog_is_read_at_one_sitting():
    newest = re.split(r"(?m)^## ", CHANGES)[1]
    said, _, moved = newest.partition("\n### Where names went")
    assert newest.split()[0] in (PROJECT["project"]["version"], "Unreleased") and len(said.split()) < 400
    rows = re.findall(r"\| `([\w.]+)`(?:, `([\w.]+)`)?.* \| `([\w.]+)` \|", moved)
    assert len(rows) > 10
    for *olds, new in rows:
        assert {table()[old] for old in olds if old and "NAME" not in old} <= {new}, olds
