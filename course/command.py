"""What the commands say that write into a folder, also when they cannot."""

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path


def say(text: str) -> None:
    """Prints a line at once. A reader that has exited (``make grade ... | head``) ends no work: the files count."""
    try:
        print(text, flush=True)
    except UnicodeEncodeError:  # a student's name, in an encoding without its letters
        say(ascii(text))
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def status_of(work: Callable[[], None], out: Path, what: str) -> int:
    """Does the work, and returns the command's exit status; what went wrong is a sentence on the standard error.

    ``out``: the folder that it writes to; ``what`` it makes there. Each that is finished stays after Ctrl-C.
    """
    try:
        work()
    except RuntimeError as error:
        trouble = str(error)
    except OSError as error:
        trouble = f"cannot write to {out}: {error.strerror or error}; choose another folder with --out"
    except KeyboardInterrupt:
        print(f"Stopped. The {what} that are finished stay; the same command makes the others.", file=sys.stderr)
        return 130
    else:
        return 0
    print(trouble, file=sys.stderr)
    return 2
