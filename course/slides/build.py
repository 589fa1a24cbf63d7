"""``make slides``: for each outline a deck (HTML) and a notebook that runs, in ``_build/slides``.

python -m course.slides.build [06 ...] [--out _build/slides]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from tools.stored import for_viewers

from ..command import put, say, status_of
from .chapter import ROOT
from .outline import outlines, read

OUT = ROOT / "_build" / "slides"


def build(path: Path, out: Path) -> Path:
    """The deck of one outline, and its notebook beside it; one that was changed is kept. Raises OutlineError."""
    from .deck import export  # two seconds of imports
    from .notebook import assemble

    notebook = assemble(read(path))
    nbformat.validate(notebook)
    out.mkdir(parents=True, exist_ok=True)
    deck = out / f"{path.stem}.html"
    texts = {deck.name: export(notebook), f"{path.stem}.ipynb": nbformat.writes(for_viewers(notebook)) + "\n"}
    put(out, {name: text.encode("utf-8") for name, text in texts.items()}, out / ".written.txt")
    return deck


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m course.slides.build", description="A deck for each outline.")
    parser.add_argument("which", nargs="*", help="numbers of chapters, such as 06 (default: all)")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(arguments)
    paths = list[Path]()

    def work() -> None:
        paths.extend(path for which in args.which or [""] for path in outlines(which))
        for path in paths:
            say(f"{path.stem} ...")
            build(path, args.out.resolve())

    if status := status_of(work, args.out, "decks"):
        return status
    say(f"{len(paths)} deck{'s' if len(paths) > 1 else ''} (.html to show, .ipynb to run live in JupyterLab):")
    say(f"Open {args.out.resolve()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
