"""``make live`` without its browser: pins, checksums, and pages that stay what they were."""

import json
import re
import subprocess
import zipfile
from importlib.metadata import distribution, distributions

import pytest

from tools.live import packages as fetching
from tools.live.packages import SetUpError, fetch
from tools.live.site import OFFER, PLACE, ROOT, add_button, build, files_of_the_book, pack

PAGE = '<html><head></head><body><p class="tot-facts-line"><span>5 minutes</span></p><p>Text.</p></body></html>'


def test_a_page_with_a_button_is_the_same_page_without_it():
    with_button = add_button(PAGE, "../")
    style = f'<link rel="stylesheet" href="../{PLACE}/live.css" />'
    added = (OFFER, style, f'<script defer src="../{PLACE}/button.js"></script>')
    assert all(with_button.count(part) == 1 for part in added)
    for part in added:
        with_button = with_button.replace(part, "")
    assert with_button == PAGE


def test_pins_have_a_version_and_a_checksum_and_none_is_missing():
    wanted = json.loads(fetching.LOCK.with_name("package.json").read_text("utf-8"))["dependencies"]
    pins = json.loads(fetching.LOCK.read_text("utf-8"))["packages"]
    assert pins.pop("")["dependencies"] == wanted and len(pins) > len(wanted)
    assert all(pin["integrity"].startswith("sha512-") and "resolved" not in pin for pin in pins.values())
    assert wanted == {name: pins[f"{fetching.FOLDER}/{name}"]["version"] for name in wanted}  # and no range of versions
    imported = set()
    for script in (ROOT / "live").glob("*.js"):
        imported |= set(re.findall(r'^import .* from "([^."][^"]*)";$', script.read_text("utf-8"), re.M))
    assert imported and imported <= {*wanted}


def test_what_npm_refuses_is_not_there_and_what_it_brought_is_not_fetched_again(tmp_path, monkeypatch):
    status = 1

    def npm(command, cwd, **_):
        fetching.Path(cwd, fetching.FOLDER, "pyodide").mkdir(parents=True)
        assert fetching.Path(cwd, "package.json").exists() and "ci" in command
        return subprocess.CompletedProcess(command, status, "", "npm error code EINTEGRITY")

    monkeypatch.setattr(fetching, "program", lambda name: name)
    monkeypatch.setattr(fetching.subprocess, "run", npm)
    with pytest.raises(SetUpError, match="EINTEGRITY"):
        fetch(tmp_path)
    assert list(tmp_path.iterdir()) == []
    status = 0
    fetch(tmp_path)
    assert fetching.are_there(tmp_path) and (tmp_path / fetching.FOLDER / "pyodide").is_dir()
    status = 1
    fetch(tmp_path)  # asks nobody
    (tmp_path / fetching.LOCK.name).write_text("{}")  # of another version
    with pytest.raises(SetUpError):
        fetch(tmp_path)


def test_the_zip_has_what_chapters_read():
    names = {file.relative_to(ROOT).as_posix() for file in files_of_the_book()}
    read = {"tot/__init__.py", "treebook/players/weights.safetensors", "notebooks/cassettes/06.jsonl"}
    read |= {"live/runner.py", "live/answers.py", "live/network.py", "studies/results/authors.json"}
    assert read <= names
    assert not any("__pycache__" in name or name.endswith(".pyc") for name in names)


def test_python_finds_the_doors_of_the_zip(tmp_path):
    pack([ROOT / "tot" / "doors.py"], tmp_path / "book.zip")
    with zipfile.ZipFile(tmp_path / "book.zip") as book:
        book.extractall(tmp_path / "book")
    [found] = distributions(path=[str(tmp_path / "book")])
    entries = {(entry.group, entry.name, entry.value) for entry in found.entry_points}
    own = distribution("thinking-in-trees").entry_points
    assert entries == {(e.group, e.name, e.value) for e in own if e.group.startswith("tot.")} and entries


def test_a_folder_that_holds_something_else_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.live.site.fetch", lambda cache: pytest.fail("it went on"))
    book, own = tmp_path / "html", tmp_path / "own"
    (book / "notebooks").mkdir(parents=True)
    own.mkdir()
    (own / "thesis.txt").write_text("mine")
    with pytest.raises(SetUpError, match="something else"):
        build(book, own, tmp_path / "cache")
    assert (own / "thesis.txt").read_text() == "mine"
