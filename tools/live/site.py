"""The folder that ``make live`` serves: the built book, a button on each chapter, the runtime and the package."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

from live.lab import offer
from live.later import FILES
from tools.live.jupyter import NAME, ROOT, VERSION, add_jupyter, fetch_wheels, read_wheels
from tools.live.packages import FOLDER, SetUpError, fetch, program
from tools.written import template

PLACE = "_static/live"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PARTS = ("worker.js", "button.js", "live.css", "lab.css")  # of live/, as they are
BUNDLES = {"page.js": "page.js", "lab_page.js": "lab.js"}  # of live/, each with all that it imports
IN_BOOK = (  # what pages read, as patterns below the root
    "tot/**/*", "treebook/**/*", "studies/results/**/*.json",
    "live/*.py", "live/recorded.json", "notebooks/cassettes/*.jsonl",
)  # fmt: skip
FACTS = re.compile(r'<p class="tot-facts-line">.*?</p>', re.DOTALL)
OFFER = (
    '<p class="tot-live-offer pst-js-only d-print-none"><button type="button">Run this page</button>'
    "<span>in your browser: nothing is installed, nothing is sent</span></p>"
)
IN_JUPYTER = ' · <a href="{up}jupyter/lab/index.html?path=notebooks/{name}.ipynb">in JupyterLab</a>'
LAB = Path(__file__).with_name("lab.html.jinja")
ARTICLE = re.compile(r'(<article class="bd-article"[^>]*>).*?(</article>)', re.DOTALL)
CONTENTS = re.compile(r'<nav class="bd-links[^>]*>')
RUN_IT = re.compile(r'(<p><a class="[^"]*" href=")#run-it("><span>).*?(</span></a></p>)')
TRY = "lab.html#task=game24&amp;problem=4+9+10+13&amp;method=tot-bfs&amp;model=pocket"  # as live/lab_link.js writes it
LOST = "<h1>There is no such page</h1><p>The book may have moved it: look into the contents, or search.</p>"
DATE = (2020, 1, 1, 0, 0, 0)  # of everything in the zip: two builds of one commit are identical


def add_button(page: str, up: str, notebook: str = "") -> str:
    """A page's HTML with the button and its two files; all else stays as it is. ``up``: from the page to the top.

    ``notebook``: the name under which JupyterLab in the browser has the page, if that was built.
    """
    place = f"{up}{PLACE}"
    offer = OFFER.replace("</p>", IN_JUPYTER.format(up=up, name=notebook) + "</p>") if notebook else OFFER
    style = f'<link rel="stylesheet" href="{place}/live.css" />'
    script = f'<script defer src="{place}/button.js"></script>'
    page = FACTS.sub(lambda found: found[0] + offer, page, count=1)
    return page.replace("</head>", f"{style}</head>", 1).replace("</body>", f"{script}</body>", 1)


def add_ways(page: str, up: str, downloads: Iterable[Path] = ()) -> str:
    """A page's HTML with the lab and files in its contents; on the first page, with a button for the lab, too."""
    ways = [("lab.html", "The lab"), *((file.name, f"The book as {file.suffix[1:].upper()}") for file in downloads)]
    entries = "".join(
        f'<li class="toctree-l1"><a class="reference internal" href="{up}{to}">{name}</a></li>' for to, name in ways
    )
    entries = f'<ul class="nav bd-sidenav tot-live-contents">{entries}</ul>'
    page = CONTENTS.sub(lambda contents: contents[0] + entries, page, count=1)
    return RUN_IT.sub(lambda run: f"{run[1]}{up}{TRY}{run[2]}Try it now{run[3]}{run[0]}", page, count=1)


def framed(frame: str, inside: str, title: str) -> str:
    """A page in the frame of another one at the top of the book. Raises SetUpError where there is no frame."""
    page, found = ARTICLE.subn(lambda article: f"{article[1]}{inside}{article[2]}", frame, count=1)
    if not found:
        raise SetUpError("the book's index has no article to put a page into: look at ARTICLE in tools/live/site.py")
    return re.sub(r"<title>.*?</title>", f"<title>{title} · Thinking in Trees</title>", page, count=1)


def lab_page(frame: str, jupyter: bool = False) -> str:
    """The lab's page."""
    page = framed(frame, template(LAB).render(jupyter=jupyter), "The lab")
    page = page.replace(
        '<li class="toctree-l1"><a class="reference internal" href="lab.html">',
        '<li class="toctree-l1 current active"><a class="current reference internal" href="lab.html">',
    )
    script = f'<script type="module" src="{PLACE}/lab.js"></script>'
    return page.replace("</body>", f"{script}</body>", 1)


def files_of_the_book(root: Path = ROOT) -> list[Path]:
    """The package, the studies that chapters import, their results, and the cassettes."""
    found = {file for pattern in IN_BOOK for file in root.glob(pattern)}
    return sorted(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def pack(files: Iterable[Path], target: Path, root: Path = ROOT) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(root).as_posix(), DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
        for name, text in metadata(root).items():
            archive.writestr(zipfile.ZipInfo(f"{NAME}-{VERSION}.dist-info/{name}", DATE), text)


def metadata(root: Path = ROOT) -> dict[str, str]:
    """What is in the dist-info of an installed package: tot finds its own entry points there (tot/doors.py)."""
    groups = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    lines = []
    for group, named in ((group, named) for group, named in groups.items() if group.startswith("tot.")):
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in named.items())]
    about = f"Metadata-Version: 2.1\nName: {NAME.replace('_', '-')}\nVersion: {VERSION}\n"
    return {"METADATA": about, "entry_points.txt": "\n".join(lines) + "\n"}


def run_node(script: Path | str, *arguments: str, **environment: str) -> None:
    command = [program("node"), str(script), *arguments]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if 0 < len(line) < 300]  # node quotes whole minified files
        raise SetUpError(f"{Path(script).name} failed; it said: {' | '.join(said[-4:])}")


def add_runtime(place: Path, cache: Path) -> None:
    """Everything below ``_static/live``."""
    packages = cache.resolve() / FOLDER
    place.mkdir(parents=True)
    for name in PARTS:
        shutil.copyfile(ROOT / "live" / name, place / name)
    (place / "licences").mkdir()  # whoever hosts the folder hands these packages on
    for licence in packages.rglob("LICENSE*"):
        name = "-".join(licence.parent.relative_to(packages).parts)
        shutil.copyfile(licence, place / "licences" / f"{name}.txt")
    (place / "pyodide").mkdir()
    for name in CORE:
        shutil.copyfile(packages / "pyodide" / name, place / "pyodide" / name)
    for source, bundle in BUNDLES.items():
        run_node(
            packages / "esbuild-wasm" / "bin" / "esbuild", str(ROOT / "live" / source),
            "--bundle", "--minify", "--format=esm", "--legal-comments=inline", "--log-level=error",
            f"--outfile={place / bundle}",
            NODE_PATH=str(packages),
        )  # fmt: skip
    for name in FILES:
        (place / "later" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place / "later" / name)
    (place / "lab.json").write_text(json.dumps(offer()), "utf-8")
    book, state = place / "book.zip", place / "python.snapshot.gz"
    pack(files_of_the_book(), book)
    run_node(ROOT / "live" / "snapshot.mjs", str(place / "pyodide"), str(book), str(state))
    settings = {
        "bytes": book.stat().st_size + state.stat().st_size,
        "version": hashlib.sha256(book.read_bytes() + state.read_bytes()).hexdigest()[:16],
    }
    (place / "settings.json").write_text(json.dumps(settings), "utf-8")


def build(book: Path, out: Path, cache: Path, jupyter: bool = False, downloads: Iterable[Path] = ()) -> int:
    """Writes the folder anew, and puts it in the old one's place once it is whole. Returns how many pages run.

    ``jupyter``: with JupyterLab and all notebooks.
    ``downloads``: files that every page offers. Where TOT_BOOK_URL says the address: with a page for lost readers.
    Raises SetUpError for a book that is not built, a folder of something else, or a runtime that cannot be had.
    """
    if not (book / "notebooks").is_dir():
        raise SetUpError(f"there is no built book in {book}: run make live, which builds it")
    if out.is_dir() and any(out.iterdir()) and not (out / PLACE).is_dir():
        raise SetUpError(f"{out} holds something else, which would be lost: name another folder")
    fetch(cache)
    wheels = read_wheels(ROOT / "live" / "pins.toml") if jupyter else []
    fetch_wheels(wheels, cache)
    fresh = out.with_name(f"{out.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(book, fresh, ignore=shutil.ignore_patterns(".buildinfo"))
    pages = [page for page in sorted((fresh / "notebooks").glob("*.html")) if page.with_suffix(".ipynb").exists()]
    for page in pages:
        page.write_text(add_button(page.read_text("utf-8"), "../", page.stem if jupyter else ""), "utf-8")
    for page in fresh.rglob("*.html"):
        up = "../" * (len(page.relative_to(fresh).parts) - 1)
        page.write_text(add_ways(page.read_text("utf-8"), up, downloads), "utf-8")
    for file in downloads:
        shutil.copyfile(file, fresh / file.name)
    frame = (fresh / "genindex.html").read_text("utf-8")
    (fresh / "lab.html").write_text(lab_page(frame, jupyter), "utf-8")
    if address := os.environ.get("TOT_BOOK_URL"):  # it is shown at any depth
        lost = framed(frame, LOST, "No such page").replace("<head>", f'<head><base href="{address.rstrip("/")}/"/>', 1)
        (fresh / "404.html").write_text(lost, "utf-8")
    add_runtime(fresh / PLACE, cache)
    if jupyter:
        add_jupyter(fresh / "jupyter", fresh / PLACE, wheels, cache, ROOT)
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)
    return len(pages)
