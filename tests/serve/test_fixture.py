"""Another project's tests: recorded once, replayed with neither key nor network."""

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

TESTS = """
import json, os, urllib.request
import pytest

def ask(text):
    key = os.environ["OPENAI_API_KEY"]
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + key}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]

@pytest.mark.parametrize("word", ["a", "a?", "b/"])
def test_one(tot_cassette, word):
    assert [ask("same") + ask(word), ask("same")][1].startswith("reply")
    assert tot_cassette.path.is_file() and tot_cassette.url == os.environ["OPENAI_BASE_URL"]

def test_two(tot_cassette):
    try:
        ask(os.environ.get("WORD", "two"))
    except Exception:
        pass  # a program that hides its errors

class TestIt:
    test_two = staticmethod(test_two)
"""


OTHERS = """
def post(path, **body):
    url = os.environ["OPENAI_BASE_URL"] + path
    try:
        urllib.request.urlopen(urllib.request.Request(url, json.dumps({"model": "m", **body}).encode()))
    except OSError:
        pass

def test_path(tot_cassette):
    post("/responses", input="hi")

def test_body(tot_cassette):
    post("/chat/completions", n=200, messages=[{"role": "user", "content": "hi"}])
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)

    def run(*flags, **environment):
        known = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "PYTEST"))}
        known["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a pytest with all plugins takes its time
        plugins = ("no:cacheprovider", "xdist", "treebook.serve.fixture")
        command = [sys.executable, "-m", "pytest", "-q", *(f"-p{each}" for each in plugins), "tests", *flags]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=known | environment)
        return done.returncode, done.stdout + done.stderr

    return run


def test_tests_of_another_project_record_once_and_replay(project, behind, tmp_path):
    key = "sk-very-secret-key-42"
    status, out = project("--tot-record", OPENAI_BASE_URL=behind.url, OPENAI_API_KEY=key)
    assert status == 0, out
    files = sorted(file.name for file in (tmp_path / "tests" / "cassettes" / "test_it").iterdir())
    assert [re.sub("-......[.]", ".", file) for file in files] == [
        "TestIt_test_two.jsonl", "test_one_a_.jsonl", "test_one_a_.jsonl", "test_one_b_.jsonl", "test_two.jsonl"
    ]  # fmt: skip
    assert not any(key in file.read_text() for file in tmp_path.rglob("*.jsonl"))
    asked = len(behind.requests)
    assert {headers["authorization"] for headers in behind.headers} == {f"Bearer {key}"}
    behind.close()
    status, out = project("-n", "2", http_proxy="http://127.0.0.1:1", no_proxy="example.org")  # which ends nothing here
    assert status == 0 and "5 passed" in out, out
    status, out = project("--tot-record", "-k", "TestIt")
    assert status == 1 and "OPENAI_API_KEY" in out and "openai.py" not in out
    (tmp_path / "tests" / "cassettes" / "test_it" / files[0]).unlink()
    status, out = project("-k", "two", WORD="other")
    assert status == 1 and "2 failed" in out and "other" in out and "--tot-record" in out
    assert "empty" in out and len(behind.requests) == asked == 11


def test_a_miss_at_the_end_of_another_fixture_which_asks_by_name_is_an_error(project, tmp_path):
    end = "@pytest.fixture\ndef late(request):\n    request.getfixturevalue('tot_cassette')\n    yield\n    test_two(0)"
    (tmp_path / "tests" / "test_it.py").write_text(f"{TESTS}\n{end}\ndef test_late(late):\n    pass\n")
    status, out = project("-k", "late")
    assert status == 1 and "1 error" in out and "--tot-record" in out


def test_a_test_that_asks_nothing_is_told(project, tmp_path):
    """A client that a module makes when it is imported asks the real server, in every run."""
    asks = "def test_asks(tot_cassette):\n    test_two(0)\ndef test_no(tot_cassette):\n    pass\n"
    (tmp_path / "tests" / "test_it.py").write_text(f"{TESTS}\n{asks}")
    status, out = project("-k", "no")
    assert status == 0 and "nothing was asked of tot_cassette" in out
    assert "nothing was asked" not in project("-k", "asks")[1]


@pytest.mark.parametrize("record", [[], ["--tot-record"]])
def test_a_request_that_cannot_be_recorded_fails_the_test_though_its_error_is_hidden(project, behind, tmp_path, record):
    (tmp_path / "tests" / "test_it.py").write_text(TESTS + OTHERS)
    status, out = project("-k", "path or body", *record, OPENAI_BASE_URL=behind.url, OPENAI_API_KEY="k")
    assert status == 1 and "2 failed" in out and "nothing was asked" not in out, out
    assert "there is no POST /v1/responses here" in out and "n must be a whole number" in out


def test_what_ends_the_run_ends_it_though_a_request_was_missing(project, tmp_path):
    more = "def test_end(tot_cassette):\n    test_two(0)\n    pytest.exit('enough')\n"
    more += "def test_last():\n    assert False\n"
    (tmp_path / "tests" / "test_it.py").write_text(f"{TESTS}\n{more}")
    _, out = project("-k", "test_end or test_last")
    assert "enough" in out and "failed" not in out


def test_pytest_finds_the_fixture_by_itself():
    [found] = entry_points(group="pytest11", name="tot_cassette")
    assert found.load().tot_cassette
