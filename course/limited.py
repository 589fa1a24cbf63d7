"""Run nbgrader with the system's limits: ``python -m course.limited SECONDS autograde ...``.

A process of its own sets them, so that they hold for the kernel that it starts and not for the grader. Windows has
none of them.
"""

import contextlib
import runpy
import sys

MEMORY, FILE = 4 << 30, 1 << 30  # bytes: of each process, and of each file that one writes


def limit(seconds: int) -> None:
    """Limit memory, the size of files and time on the processor, where the system can."""
    try:
        import resource
    except ImportError:
        return
    wanted = {resource.RLIMIT_AS: MEMORY, resource.RLIMIT_FSIZE: FILE, resource.RLIMIT_CPU: seconds}
    for what, most in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    limit(int(sys.argv[1]))
    sys.argv = ["nbgrader", *sys.argv[2:]]
    runpy.run_module("nbgrader", run_name="__main__")
