"""The command line of a study: its options, told by their defaults."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

SIZES = {"puzzles", "trials", "graphs", "worlds", "seeds", "sets"}  # with fewer it is a trial


def options(about: str | None, given: Sequence[str] | None = None, **of: Any) -> argparse.Namespace:
    """What the command line gives; ``given``: in its place. ``about``: the study's text, for --help.

    ``of``: for each option its default, or (default, help). A type in the default's place: None, unless one is given;
    False: a switch. Ends the program, with the reason, for a command line that does not fit.
    """
    sys.excepthook = shortly
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, one in of.items():
        default, told = one if isinstance(one, tuple) else (one, None)
        flag = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(flag, action="store_true", help=told)
        elif isinstance(default, type):
            parser.add_argument(flag, type=default, help=told)
        else:
            parser.add_argument(flag, type=type(default), default=default, help=told)
    found = parser.parse_args(given)
    kept = next((name for name in ("out", "results") if "results" in getattr(of.get(name), "parts", ())), "")
    for name in SIZES & of.keys() if kept and getattr(found, kept) == of[kept] else ():
        default, told = one if isinstance(one := of[name], tuple) else (one, "")
        if getattr(found, name) != (None if isinstance(default, type) else default) and "a trial" not in told:
            parser.error(f"with --{name} the figures are others than the book's: say where to, with --{kept} FILE")
    return found


def shortly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ctrl-C is no fault of the study's: it is told in a line, not by where it struck."""
    if kind is KeyboardInterrupt:
        print("stopped; what was written is kept", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)
