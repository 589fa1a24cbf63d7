"""``python -m tools.editions pdf|epub HTML FILE``: the built pages in HTML as one file."""

import argparse
import sys
from pathlib import Path

from tools.editions import pdf, volume


def main(arguments: list[str] | None = None) -> int:
    reader = argparse.ArgumentParser(prog="python -m tools.editions", description=__doc__)
    reader.add_argument("kind", choices=["pdf", "epub"])
    reader.add_argument("html", type=Path, help="folder of the built pages, such as _build/html")
    reader.add_argument("file", type=Path)
    reader.add_argument("--all", action="store_true", help="with the generated reference of the package")
    reader.add_argument("--only", nargs="+", default=[], metavar="PAGE", help="such as notebooks/06_tot_bfs_game24")
    reader.add_argument("--paper", choices=sorted(pdf.PAPERS), default="a4")
    asked = reader.parse_args(arguments)
    try:
        if asked.kind == "pdf":
            pdf.browser_path()
        book = volume.read(asked.html, asked.all, tuple(asked.only))
        if asked.kind == "pdf":
            count, let_go = pdf.make(book, volume.about(), asked.file, asked.paper)
            size = f"{count} pages"
        else:
            from tools.editions import epub

            count, let_go = epub.make(book, volume.about(), asked.file)
            size = f"{count} chapters"
    except (volume.NoBook, pdf.NoBrowser) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped: {asked.file} was not written.", file=sys.stderr)
        return 130
    print(f"{asked.file}: {size}, {asked.file.stat().st_size / 1e6:.1f} MB; {len(set(let_go))} pages it does not have were linked to")
    return 0


if __name__ == "__main__":
    sys.exit(main())
