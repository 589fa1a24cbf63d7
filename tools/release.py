"""``python -m tools.run release [TAG=v1.0.0 REPOSITORY=https://...]``: wheel and sdist in ``dist/``, tried before use.

They are built from the last commit. What only a release knows is filled in then: the addresses of ``project.urls``,
and whole links in the README, which an index shows outside of the repository. Nothing is published here.
"""

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from io import BytesIO
from pathlib import Path

from tools.pages.launch import FILE, Launch, read
from tools.run import ROOT, python_of

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)")
PUZZLE = ["-m", "tot", "solve", "game24", "4 9 10 13"]  # the small model comes along


def with_addresses(project: str, repository: str, tag: str, book: str) -> str:
    """The text of ``pyproject.toml`` with ``project.urls``; as it is where no repository is known."""
    known = {"Documentation": book, "Source": repository, "Issues": f"{repository}/issues"}
    known["Changelog"] = f"{repository}/blob/{tag}/CHANGELOG.md"
    rows = [f'{name} = "{address}"' for name, address in known.items() if address]
    return "\n".join([project.rstrip(), "", "[project.urls]", *rows, ""]) if repository else project


def with_whole_links(readme: str, repository: str, tag: str) -> str:
    """The README with links into the repository at that tag; pictures as files, all else as pages."""
    place = {"!": f"{repository}/raw/{tag}", "": f"{repository}/blob/{tag}"}
    return LINK.sub(lambda m: f"{m[1]}{m[2]}({place[m[1]]}/{m[3]})", readme) if repository else readme


def build(where: Launch, tag: str, book: str, target: Path) -> list[Path]:
    """A wheel and an sdist of the last commit. Raises CalledProcessError."""
    commit = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(commit)) as archive:
        archive.extractall(folder, filter="data")
        project, readme = Path(folder, "pyproject.toml"), Path(folder, "README.md")
        project.write_text(with_addresses(project.read_text("utf-8"), where.repository, tag, book), "utf-8")
        readme.write_text(with_whole_links(readme.read_text("utf-8"), where.repository, tag), "utf-8")
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", target, folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sorted(target.iterdir())


def tried(file: Path, version: str) -> None:
    """Installs a file into an empty environment and solves a puzzle there. Raises CalledProcessError, or exits."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = python_of(folder)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", file], check=True)
        found = subprocess.run(
            [python, "-m", "tot", "--version"], cwd=folder, check=True, capture_output=True, text=True
        )
        if found.stdout.split()[-1] != version:
            sys.exit(f"{file.name} says that it is {found.stdout}")
        subprocess.run([python, *PUZZLE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(f"{file.name}: installed and tried", flush=True)


def main(tag: str = "") -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if tag and tag != f"v{version}":
        sys.exit(f"The tag {tag} is not of this version: write v{version}, or change version in pyproject.toml first")
    target = ROOT / "dist"
    target.mkdir(exist_ok=True)
    if left := list(target.iterdir()):
        sys.exit(f"dist/ has {left[0].name} of before: empty it first")
    where = read(ROOT / "book" / FILE, os.environ)
    for file in build(where, tag or f"v{version}", os.environ.get("TOT_BOOK_URL", ""), target):
        tried(file, version)


if __name__ == "__main__":
    main(*sys.argv[1:])
