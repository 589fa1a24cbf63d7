"""``python -m tools.live``: build the folder of pages that run, and serve it. ``make live`` builds the book first."""

import argparse
import http.server
import sys
from functools import partial
from pathlib import Path

from tools.live.jupyter import fetch_wheels, read_wheels
from tools.live.packages import SetUpError, fetch
from tools.live.site import ROOT, build


def serve(folder: Path, port: int) -> None:
    """What ``python -m http.server`` does, without a line for each file; until Ctrl-C."""
    handler = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"Open http://127.0.0.1:{server.server_port}/book/index.html  (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.live", description=__doc__)
    parser.add_argument("--book", type=Path, default=Path("_build/html"), help="the built book")
    parser.add_argument("--out", type=Path, default=Path("_build/live"), help="what is written and served")
    parser.add_argument("--cache", type=Path, default=Path("_build/live-cache"), help="where downloads are kept")
    parser.add_argument("--jupyter", action="store_true", help="with JupyterLab and all notebooks")
    parser.add_argument("--download", type=Path, action="append", default=[], help="a file that every page offers")
    parser.add_argument("--port", type=int, default=8000, help="0: any free one")
    parser.add_argument("--fetch", action="store_true", help="only fetch the runtime")
    parser.add_argument("--no-serve", action="store_true", help="only build")
    options = parser.parse_args()
    try:
        if options.fetch:
            fetch(options.cache.resolve())
            if options.jupyter:
                fetch_wheels(read_wheels(ROOT / "live" / "pins.toml"), options.cache.resolve())
            return 0
        pages = build(options.book, options.out, options.cache.resolve(), options.jupyter, options.download)
        print(f"{pages} pages can run: {options.out}", flush=True)
        if not options.no_serve:
            serve(options.out, options.port)
    except SetUpError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"make live could not go on: {error}; another PORT=... may be free", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
