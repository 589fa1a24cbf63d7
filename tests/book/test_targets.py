"""``python -m tools.run`` and make give Python the same words, whatever the folder, the system and the encoding."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT

from tools import run

TARGETS = """
[say]
says = "print the words"
words = { OUT = "_build" }
run = [
  "ONE=1 say.py {OUT}/x [--seed {SEED}] [--flag {FLAG?}] [--plain {FLAG!}] [{ARGS}]",
  ["twice", "run again OUT={OUT}"],
]
always = ["say.py done"]

[again]
says = "fail"
needs = { OUT = "folder" }
run = ["say.py {OUT} *.toml", "-c 'raise SystemExit(3)'", "say.py never"]

[both]
says = "one beside the other"
run = ["say.py first", "say.py last"]
beside = "again"

[clean]
says = "remove"

[wait]
says = "go on after Ctrl-C"
run = ["say.py wait"]
"""
SAY = """
import json, os, signal, sys, time
signal.signal(signal.SIGTERM, signal.default_int_handler)
print(json.dumps([*sys.argv[1:], os.environ.get("ONE"), os.environ.get("OPENAI_API_KEY")]), flush=True)
if sys.argv[1:] == ["wait"]:
    try:
        time.sleep(20)
    except KeyboardInterrupt:
        time.sleep(0.5)
        print("saved")
"""
ODD = "Bäume & Äste (1)"  # a folder as people have them


@pytest.fixture
def project(tmp_path):
    """A project with three targets, in a folder with spaces, umlauts and brackets."""
    place = tmp_path / ODD
    (place / "tools").mkdir(parents=True)
    (place / "book" / "locale" / "zh_CN").mkdir(parents=True)
    shutil.copyfile(ROOT / "tools" / "run.py", place / "tools" / "run.py")
    shutil.copyfile(ROOT / "Makefile", place / "Makefile")
    (place / "tools" / "targets.toml").write_text(TARGETS.replace("\n", "\r\n"), "utf-8", newline="")
    (place / "say.py").write_text(SAY, "utf-8")
    (place / "my.toml").touch()
    return place


def told(project, *command):
    env = os.environ | {"OPENAI_API_KEY": "secret", "PYTHONIOENCODING": "cp1252", "PHASES": ""}
    done = subprocess.run(command, cwd=project, env=env, capture_output=True)
    return done.returncode, done.stdout.decode("cp1252"), done.stderr.decode("cp1252")


MAKE = pytest.param(
    ["make", f"PYTHON={sys.executable}"], marks=pytest.mark.skipif(not shutil.which("make"), reason="no make")
)


@pytest.mark.parametrize("how", [[sys.executable, "-m", "tools.run"], MAKE], ids=["python", "make"])
def test_every_word_arrives_as_it_was_typed(project, how):
    words = ["OUT=C:\\neue Bäume\\x 'a' (1)", "SEED=3", "ARGS=--pilot 3 --no", "VENV="]
    status, said, wrong = told(project, *how, "say", *words)
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("[")]
    out = words[0].partition("=")[2]
    assert rows[0] == [f"{out}/x", "--seed", "3", "--plain", "--pilot", "3", "--no", "1", None], wrong
    assert rows[1] == [out, "my.toml", None, None]  # a star is a file, and no key is there
    assert rows[2] == ["done", None, None] and len(rows) == 3  # nothing after what failed, but what is always run
    assert status in (2, 3) and re.search(r"=== twice: \d s, failed", said)


@pytest.mark.parametrize(
    "typed, advice",
    [
        (["sya"], "make help"),
        (["say", "SEDE=1"], "SEDE"),
        (["again", "OUT=a", "SEED=1"], "takes OUT"),  # which another target takes
        (["again"], "OUT=folder"),
        (["say", "LANGUAGE=xx"], "zh_CN"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(project, typed, advice):
    status, said, wrong = told(project, sys.executable, "-m", "tools.run", *typed)
    assert status == 2 and advice in wrong and wrong.count("\n") == 1 and not said


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("end", [lambda pid: os.killpg(pid, signal.SIGINT), lambda pid: os.kill(pid, signal.SIGTERM)])
def test_who_ends_it_ends_what_runs_and_nothing_is_cut_short(project, end):
    command = [sys.executable, "-m", "tools.run", "wait", "VENV="]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        process.stdout.readline()
        time.sleep(0.2)
        end(process.pid)
        assert process.communicate(timeout=20)[0] == "saved\n" and process.returncode == 0


def test_every_target_names_what_there_is():
    for name, about in run.TARGETS.items():
        assert about["says"]
        for line in (*about.get("run", ()), *about.get("always", ())):
            words = run.WORDS | about.get("words", {}) | about.get("needs", {})
            # what is made of pages is made of those in the language that was said
            assert not re.search(r"_build/(html|thinking-in-trees)(?!\{IN\})", str(line)), name
            first, *rest = run.command(line[1] if isinstance(line, list) else line, words | {"IN": ""})
            if first == "run":
                assert rest[0] in run.TARGETS, name
            elif first.endswith(".py"):
                assert (ROOT / first).exists(), name
            elif "-m" in (first, *rest[:1]):
                module = ROOT.joinpath(*rest[rest.index("-m") + 1 if "-m" in rest[:1] else 0].split("."))
                mine = module.parts[len(ROOT.parts)] in ("tools", "studies", "course", "tests", "benchmarks")
                assert not mine or module.is_dir() or module.with_suffix(".py").exists(), name


def test_clean_keeps_what_cost_hours_or_money(project):
    built = ["html/index.html", "thinking-in-trees.pdf", "live/x", "course/students/01.zip"]
    cost = ["class/io.jsonl", "slides/06.ipynb", "course/graded/03_bfs/points.csv", "scalar/weights", "fresh.jsonl"]
    cost += ["live.jsonl", "live-class.jsonl", "html.jsonl", "course/graders/03_bfs/marks.csv"]
    sources = [ROOT / "tools" / "targets.toml", *(ROOT / "studies").rglob("*.py")]
    named = {one for file in sources for one in re.findall(r"_build/([\w/.-]+\w)", file.read_text("utf-8"))}
    anew = ("html", "live", "thinking-in-trees", "doctrees", "course")
    cost += sorted(one if "." in one else f"{one}/it" for one in named if not one.startswith(anew))
    for name in built + cost:
        (project / "_build" / name).parent.mkdir(parents=True, exist_ok=True)
        (project / "_build" / name).touch()
    status, said, _ = told(project, sys.executable, "-m", "tools.run", "clean")
    left = {
        path.relative_to(project / "_build").as_posix() for path in (project / "_build").rglob("*") if path.is_file()
    }
    assert status == 0 and left == set(cost) and "Kept" in said and "words" in said
