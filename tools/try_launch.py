"""Try here what Colab and Binder do elsewhere: install the book in an empty place, and run chapters to their end.

    python -m tools.try_launch [colab binder] [--chapters 01 06]        (or: make test-launch)

Both fetch the last commit of this repository's present branch, not what is uncommitted, and packages from the index.
*colab*: an environment with a kernel and an older matplotlib, a folder with nothing but the notebook that the book
hands out, run from its first cell. *binder*: a clone, ``binder/requirements.txt``, ``binder/postBuild``, and the stored
notebook. Every output must be the stored one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.pages import launch

ROOT = Path(__file__).resolve().parent.parent
KERNEL = ["ipykernel", "nbclient"]
VOLATILE = ("image/png", "application/vnd.jupyter.widget-view+json")


def environment(folder: Path, *packages: str) -> dict[str, str]:
    """A fresh virtual environment with these packages; what a process needs so that it runs in it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", *packages], check=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OPENAI_", "JUPYTER_"))}
    return kept | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(folder)}


def execute(notebook: Path, environ: dict[str, str]) -> NotebookNode:
    """Run a notebook in its folder by that environment's kernel."""
    subprocess.run(
        ["jupyter-execute", "--inplace", "--NbClientApp.log_level=ERROR", "--timeout=600", str(notebook)],
        env=environ,
        check=True,
    )
    return nbformat.read(notebook, 4)


def outputs(cell: NotebookNode) -> list[object]:
    """What a cell shows, without what differs between two runs; text in one piece."""
    shown: list[object] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            if shown and isinstance(shown[-1], list) and shown[-1][0] == output.name:
                shown[-1][1] += output.text
            else:
                shown.append([output.name, output.text])
        else:
            shown.append({kind: data for kind, data in output.get("data", {}).items() if kind not in VOLATILE})
    return shown


def compare(stored: NotebookNode, ran: list[NotebookNode]) -> int:
    """How many cells show something else than the stored ones."""
    return sum(outputs(before) != outputs(after) for before, after in zip(stored.cells, ran, strict=True))


def colab(repository: str, branch: str, chapters: list[Path], place: Path) -> int:
    environ = environment(place / "environment", *KERNEL, "matplotlib==3.10.*")
    different = 0
    for chapter in chapters:
        folder = place / chapter.stem
        folder.mkdir()
        where = launch.Launch(repository, branch)
        copy = folder / chapter.name
        copy.write_text(launch.travelling(chapter.read_text(encoding="utf-8"), where), encoding="utf-8")
        different += told("colab", chapter, execute(copy, environ).cells[1:])
    return different


def binder(repository: str, branch: str, chapters: list[Path], place: Path) -> int:
    clone = place / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", "--branch", branch, repository, str(clone)], check=True)
    environ = environment(place / "environment", *KERNEL, "jupyterlab")
    subprocess.run(["pip", "install", "--quiet", "-r", "binder/requirements.txt"], cwd=clone, env=environ, check=True)
    subprocess.run(["binder/postBuild"], cwd=clone, env=environ, check=True)
    return sum(told("binder", c, execute(clone / "notebooks" / c.name, environ).cells) for c in chapters)


def told(service: str, chapter: Path, cells: list[NotebookNode]) -> int:
    different = compare(nbformat.read(chapter, 4), cells)
    count = sum(cell.cell_type == "code" for cell in cells)
    print(f"{service}: {chapter.stem} ran to its end, {count - different} of {count} cells as stored", flush=True)
    return different


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("services", nargs="*", default=["colab", "binder"], help="colab, binder, or both")
    parser.add_argument("--chapters", nargs="+", default=["01", "06"], help="how their files begin")
    args = parser.parse_args()
    services = {"colab": colab, "binder": binder}
    if unknown := set(args.services) - set(services):
        parser.error(f"{', '.join(sorted(unknown))} cannot be tried here: name colab or binder")
    chapters = []
    for begin in args.chapters:
        found = sorted((ROOT / "notebooks").glob(f"{begin}*.ipynb"))
        if not found:
            parser.error(f"no file in notebooks/ begins with {begin}")
        chapters += found
    shown = subprocess.run(["git", "branch", "--show-current"], cwd=ROOT, capture_output=True, text=True, check=True)
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in args.services:
            place = Path(folder, name)
            place.mkdir()
            different += services[name](ROOT.as_uri(), shown.stdout.strip(), chapters, place)
    sys.exit(f"{different} cells show something else than the stored ones" if different else 0)


if __name__ == "__main__":
    main()
