"""Run nbgrader with the system's limits: ``python -m course.limited SECONDS autograde ...``.

It runs in a process of its own, so that the limits hold for the kernel that it starts and not for the grader. What is
left running when it is done, or when ``SECONDS`` are over (status ``OVER``), is ended. Windows has none of the limits;
only on Linux a process is found that has left its parents.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MEMORY, FILE = 4 << 30, 1 << 30  # bytes: of each process, and of each file that one writes
OVER = 124
ADOPT = 36  # PR_SET_CHILD_SUBREAPER: a process whose parent has ended becomes our child


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


def below() -> list[int]:
    """The processes that descend from this one; none where there is no /proc."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state != "Z":
                parents.setdefault(int(parent), []).append(int(stat.parent.name))
    found = [os.getpid()]
    for pid in found:
        found += parents.get(pid, ())
    return found[1:]


def end_what_is_left() -> int:
    """End all descendants. Returns how many there were that would not have ended by themselves in a moment."""
    for _ in range(20):
        if not below():
            return 0
        time.sleep(0.05)
    ended = set[int]()
    while left := below():
        ended.update(left)
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return len(ended)


def main() -> int:
    """The command line. Returns nbgrader's exit status, or ``OVER``."""
    seconds = int(sys.argv[1])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(OVER))
    limited = None if os.name == "nt" else lambda: limit(seconds)
    process = subprocess.Popen([sys.executable, "-m", "nbgrader", *sys.argv[2:]], preexec_fn=limited)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return OVER
    finally:
        if process.poll() is None:
            process.kill()
        if ended := end_what_is_left():
            print(f"ENDED {ended}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
