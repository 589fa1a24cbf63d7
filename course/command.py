"""What the commands say that write into a folder, when they cannot."""

import sys
from collections.abc import Callable
from pathlib import Path


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
