"""Ctrl-C while the program ``tot`` starts or ends: one line and status 130, as at any other time, and no traceback.
And other signals that end it.

Python raises KeyboardInterrupt wherever it happens to be, which for the first tenths of a second is an import. So the
package's first import looks whether it is loaded for the program, and for nothing else: who uses it as a library, in a
notebook or a script, keeps the usual KeyboardInterrupt.
"""

import contextlib
import os
import signal
import sys
from types import FrameType


def watch() -> None:
    """From now on, Ctrl-C ends the process at once. For moments in which nothing can be lost."""
    with contextlib.suppress(ValueError):  # not in the main thread: then Ctrl-C does not come here either
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)


def over() -> None:
    """From now on, Ctrl-C is KeyboardInterrupt again, for those who know what to keep."""
    kind = signal.getsignal(signal.SIGINT)
    if kind is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if kind in (_leave, signal.SIG_IGN):  # which a script has what it starts in the background ignore
        end_as_by_ctrl_c()


def end_as_by_ctrl_c() -> None:
    """From now on, a program that is told to end (``kill``, a batch system, a terminal that is gone) ends as by Ctrl-C:
    calls in flight come home and are kept. Once: whoever ends it often tells it twice.
    """

    heard = list[int]()

    def ends(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) > 1:  # while the first one is dealt with
            return
        for kind in told:
            signal.signal(kind, signal.SIG_IGN)
        raise KeyboardInterrupt

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    told = [kind for kind in kinds if signal.getsignal(kind) is signal.SIG_DFL]  # not where nohup has it ignored
    for kind in told:
        signal.signal(kind, ends)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    with contextlib.suppress(OSError):
        os.write(2, b"tot: interrupted\n")
    os._exit(130)


def is_the_program() -> bool:
    """Whether Python runs the command ``tot``, or ``-m tot`` (while that is looked for, argv[0] is "-m")."""
    first = os.path.basename((sys.argv or [""])[0])
    module = [*sys.orig_argv, ""][sys.orig_argv.index("-m") + 1] if "-m" in sys.orig_argv else ""
    return module == "tot" if first == "-m" else first.removesuffix(".exe") == "tot"


if is_the_program():
    watch()
