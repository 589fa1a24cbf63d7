"""``make live JUPYTER=1``: JupyterLab in the browser (JupyterLite), with every notebook, recording and the package."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from tools.live.packages import SetUpError

ROOT = Path(__file__).parents[2]
NAME = "thinking_in_trees"  # of the wheel that the kernel loads
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
CONTENTS = "notebooks/*.ipynb"  # what the file browser shows
STARTUP = "from live import in_jupyter\n\nin_jupyter.begin(get_ipython())\n"
SETTINGS = Path(__file__).with_name("jupyter-lite.json")  # what JupyterLite reads when it starts


class Wheel(NamedTuple):
    """One pin. ``use``: "builds" the site, is an "extension" of it, or is loaded by its "kernel"."""

    file: str
    sha256: str
    use: str

    @property
    def requirement(self) -> str:
        name, version = self.file.split("-")[:2]
        return f"{name}=={version} --hash=sha256:{self.sha256}"


def read_wheels(file: Path) -> list[Wheel]:
    return [Wheel(pin["file"], pin["sha256"], pin["for"]) for pin in tomllib.loads(file.read_text("utf-8"))["wheel"]]


def fetch_wheels(wheels: list[Wheel], cache: Path) -> None:
    """Downloads what ``cache`` does not have, by pip, which compares the checksums. Raises SetUpError."""
    cache.mkdir(parents=True, exist_ok=True)
    missing = [wheel for wheel in wheels if not (cache / wheel.file).exists()]
    if not missing:
        return
    print(f"fetching {len(missing)} wheels, {missing[0].file} first ...", flush=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        pins = Path(folder, "pins.txt")
        pins.write_text("\n".join(wheel.requirement for wheel in missing), "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary=:all:"]
        command += ["--python-version=3.14", "-q", "--disable-pip-version-check", "-d", folder, "-r", str(pins)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if line.startswith("ERROR")), "pip said nothing")
            raise SetUpError(
                f"JupyterLite could not be fetched ({said}): connect to the Python Package Index, try again"
            )
        for wheel in missing:
            if not Path(folder, wheel.file).exists():
                raise SetUpError(f"pip brought no {wheel.file}: correct its entry in live/pins.toml")
            os.replace(Path(folder, wheel.file), cache / wheel.file)


def book_wheel(book: Path, target: Path) -> None:
    """The zip that pages read, as a wheel: the package with its metadata, the studies and the recordings.

    It has a script that IPython runs before the first cell. JupyterLite's own way to hand out files does not know JSON
    Lines (it reads whatever has "json" in its name as one value), so recordings come with the package.
    """
    info = f"{NAME}-{VERSION}.dist-info"
    extra = {
        f"{NAME}-{VERSION}.data/data/etc/ipython/startup/00-book.py": STARTUP,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: make live\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for entry in source.infolist():
            wheel.writestr(entry, source.read(entry))
        for name, text in extra.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, text)


def lock(core: dict[str, Any], files: Iterable[Path]) -> dict[str, Any]:
    """Pyodide's lock file for the wheels that are here and no others: a package that it names is looked for.

    Those of the index have other checksums than those that Pyodide built from the same sources.
    """
    entries = {}
    for file in files:
        package, version = file.name.split("-")[:2]
        name = re.sub("[-_.]+", "-", package).lower()
        usual = {"name": name, "version": version, "depends": [], "imports": [package], "install_dir": "site"}
        entry = usual | core["packages"].get(name, {"package_type": "package", "unvendored_tests": False})
        if entry["version"] != version:
            raise SetUpError(f"Pyodide's {name} is {entry['version']}, not {version}: correct it in live/pins.toml")
        entries[name] = entry | {"file_name": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    others = sorted(set(entries) - {NAME.replace("_", "-")})
    entries[NAME.replace("_", "-")] |= {"imports": ["tot", "treebook", "live"], "depends": others}
    return {"info": core["info"], "packages": entries}


def add_jupyter(out: Path, live: Path, wheels: list[Wheel], cache: Path, root: Path) -> None:
    """JupyterLite below ``out``; its kernel is the Pyodide in ``live``, which gets the wheels and a lock file for them.

    Raises SetUpError where JupyterLite cannot be built.
    """
    place = live / "pyodide"
    book_wheel(live / "book.zip", place / f"{NAME}-{VERSION}-py3-none-any.whl")
    for wheel in (each for each in wheels if each.use == "kernel"):
        shutil.copyfile(cache / wheel.file, place / wheel.file)
    file = place / "pyodide-lock.json"
    file.write_text(json.dumps(lock(json.loads(file.read_text("utf-8")), sorted(place.glob("*.whl")))), "utf-8")
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        source, tools = Path(folder, "source"), Path(folder, "tools")
        for each in sorted(root.glob(CONTENTS)):
            target = source / "files" / each.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                json.dumps(nbformat.read(each, 4)), "utf-8"
            )  # JupyterLite shows a list of lines with commas
        for wheel in (each for each in wheels if each.use == "builds"):
            with zipfile.ZipFile(cache / wheel.file) as archive:
                archive.extractall(tools)
        extensions = [cache / each.file for each in wheels if each.use == "extension" or "_kernel" in each.file]
        config = {
            "contents": ["files"], "output_dir": str(out.resolve()), "apps": ["lab"], "ignore_sys_prefix": True,
            "federated_extensions": [str(each) for each in extensions], "no_sourcemaps": True,
            "no_unused_shared_packages": True, "cache_dir": str(Path(folder, "cache")),
        }  # fmt: skip
        (source / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": config}), "utf-8")
        shutil.copyfile(SETTINGS, source / "jupyter-lite.json")
        done = subprocess.run(
            [sys.executable, "-m", "jupyterlite_core", "build"], cwd=source, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(tools)},
        )  # fmt: skip
        if done.returncode or not (out / "lab" / "index.html").exists():
            said = [line for line in done.stderr.splitlines() if line.strip()]
            raise SetUpError(f"JupyterLite was not built; it said: {' | '.join(said[-3:])}")
