"""The built pages as one file. ``python -m tools.editions browser`` says whether there is one to print with."""

import argparse
import sys
from pathlib import Path

from tools.editions import browser, epub, pdf, volume


def main(arguments: list[str] | None = None) -> int:
    reader = argparse.ArgumentParser(prog="python -m tools.editions", description=__doc__)
    kinds = reader.add_subparsers(dest="kind", required=True)
    for kind in ("pdf", "epub"):
        one = kinds.add_parser(kind)
        one.add_argument("html", type=Path, help="folder of the built pages, such as _build/html")
        one.add_argument("file", type=Path)
        one.add_argument("--all", action="store_true", help="with the generated reference of the package")
        one.add_argument("--only", nargs="+", default=[], metavar="PAGE", help="such as notebooks/06_tot_bfs_game24")
        if kind == "pdf":
            one.add_argument("--paper", choices=list(pdf.PAPERS), default="a4")
    kinds.add_parser("browser")
    asked = reader.parse_args(arguments)
    try:
        if asked.kind == "browser":
            with browser.tab():
                return 0
        book = volume.read(asked.html, asked.all, tuple(asked.only))
        about = volume.about()
        if asked.kind == "pdf":
            count = pdf.make(book, about, asked.file, asked.paper)
        else:
            count = epub.make(book, about, asked.file)
    except (volume.NoBook, browser.NoBrowser) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"cannot write {asked.file}: {error.strerror or error}; choose another file or disk", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped: {asked.file} was not written." if asked.kind != "browser" else "", file=sys.stderr)
        return 130
    print(f"{asked.file}: {count} pages, {asked.file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
