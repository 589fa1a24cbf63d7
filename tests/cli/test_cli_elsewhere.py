"""As on another system: no fork and no POSIX module, an encoding that is not UTF-8, folders as people have them."""

import os
import subprocess
import sys

import pytest

# What Windows does not have; it has msvcrt, whose lock ends with the file, too.
LIKE_WINDOWS = """
import fcntl, os, sys, types
flock, how = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda file, mode, n: flock(file, how), LK_NBLCK=2)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "getuid", "geteuid", "setsid"):
    delattr(os, name)
"""
STRICT = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")  # what does not name its encoding fails


@pytest.fixture
def tot_there(tmp_path):
    """Runs a line of ``tot`` there and returns what it printed; the console is cp1252."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(LIKE_WINDOWS, encoding="utf-8")
    place = tmp_path / "Bäume & Äste (1)"
    place.mkdir()
    env = os.environ | {"PYTHONPATH": str(tmp_path / "site"), "PYTHONIOENCODING": "cp1252"}

    def there(*words):
        command = [sys.executable, *STRICT, "-m", "tot", *words]
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    there.place = place
    return there


@pytest.mark.treebook
def test_recordings_traces_and_results_are_written_and_read_there(tot_there):
    solve = ["solve", "game24", "4 9 10 13", "--cassette", "Aufnahme 1.jsonl", "--trace", "bäume.json"]
    solved = tot_there(*solve, "--lm", "pocket")
    assert "= 13" in solved and b"\r" not in (tot_there.place / "Aufnahme 1.jsonl").read_bytes()
    assert "paid now: 0 tokens" in tot_there(*solve)
    tot_there("show", "bäume.json", "--format", "html", "--out", "b 1.html")
    assert "charset" in (tot_there.place / "b 1.html").read_text("utf-8")


@pytest.mark.treebook
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # Excel begins a file with a mark
def test_questions_come_from_any_spreadsheet(tot_there, ends, encoding):
    table = ends.join(["question,answer", "Mia hat 6 Bälle und kauft 2. Wie viele?,8", ""])
    (tot_there.place / "fragen.csv").write_text(table, encoding=encoding, newline="")
    how = ["gsm8k", "--problems", "fragen.csv", "--columns", "question,answer", "--method", "io", "--lm", "pocket"]
    tot_there("run", *how, "--out", "ergebnis.jsonl")
    assert "io" in tot_there("report", "ergebnis.jsonl")
