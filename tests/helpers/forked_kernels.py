"""A plugin of pytest: kernels of a replay are forks of one process, which has loaded what every notebook imports.

A kernel works 0.8 s before its first cell, nearly all of it for imports that are the same in each notebook. Where there
is no fork (Windows), or libraries of the system do not like it (macOS), kernels start as they always do.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from importlib import import_module

LOADED = ("ipykernel.kernelapp", "ipykernel.ipkernel", "matplotlib.pyplot", "matplotlib_inline.backend_inline")
LOADED += ("tot", "treebook.show", "treebook.nbsetup")


class Kernel:
    """A fork of another process, shown to jupyter_client as ``subprocess.Popen`` shows a child."""

    stdin = stdout = stderr = returncode = None

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        with suppress(ProcessLookupError):
            os.kill(self.pid, 0)
            return None
        self.returncode = 0
        return 0

    def wait(self):
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number):
        os.kill(self.pid, number)


@cache
def loaded():
    """The process that forks; it ends with this one."""
    environ = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    return subprocess.Popen(
        [sys.executable, __file__], env=environ, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def launch(command, cwd=None, env=None, **_):
    """What jupyter_client calls to start a kernel."""
    how = {"arguments": command[command.index("-f") :], "cwd": cwd or os.getcwd(), "env": dict(env or os.environ)}
    print(json.dumps(how), file=loaded().stdin, flush=True)
    return Kernel(int(loaded().stdout.readline()))


def pytest_configure():
    if sys.platform == "linux":
        import_module("jupyter_client.provisioning.local_provisioner").launch_kernel = launch


def pytest_unconfigure():
    if loaded.cache_info().currsize:
        with loaded():  # waits for its end
            pass


def become(arguments, cwd, env):
    """A kernel, in a group of its own, as jupyter_client expects it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.write(1, f"{os.getpid()}\n".encode())
    for stream in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env | {"JPY_PARENT_PID": str(os.getppid())})
    sys.argv = ["ipykernel_launcher", *arguments]
    sys.modules["ipykernel.kernelapp"].launch_new_instance(arguments)


def reap(*_):
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def serve():
    del sys.path[0]  # this folder; a kernel looks into its own
    for name in LOADED:
        with suppress(ImportError):  # the notebook will tell
            import_module(name)
    signal.signal(signal.SIGCHLD, reap)
    while line := sys.stdin.readline():
        if not os.fork():
            become(**json.loads(line))
            os._exit(0)
    os._exit(0)  # at once: there is nothing to tidy up


if __name__ == "__main__":
    serve()
