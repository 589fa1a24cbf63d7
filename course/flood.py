"""An extension of IPython for the kernels that grade: what one cell prints and shows is cut after ``MOST`` characters,
each part of the error that it raises after ``SAID``, no cell changes the code of the next one, or computes for longer
than it may, and tests and students do not get at each other's names (``scope.py``).

Otherwise what a cell prints for ever waits in queues when its time is over, and nbgrader gives up the whole notebook;
and a transformer that a student adds would take the tests away.
"""

import json
import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from .scope import ROLES, SECONDS, Scope

MOST = 10_000_000
EACH = 1000  # characters that a message counts beside its own: ten thousand of them are as much as a queue takes
SAID = 10_000  # a message may hold all that a search has in its queue, and goes out several times
AGAIN = 0.01  # seconds of the processor
OUTPUTS = {"stream", "display_data", "update_display_data", "execute_result", "clear_output"}  # others tell its state


def _over(_: int, frame: Any) -> None:
    """Until the cell has ended, which may catch it: in a loop it is not always where it does."""
    while frame and f"ipykernel_{os.getpid()}" not in frame.f_code.co_filename:  # where the kernel says cells are
        frame = frame.f_back
    if frame:
        raise KeyboardInterrupt


def may_compute(seconds: float) -> None:
    """From now on, for so many seconds of the processor, however busy the machine is; then KeyboardInterrupt is raised,
    again and again. 0: for ever. Windows cannot tell, and has the limit of ``grade.py`` alone.
    """
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _over)
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN if seconds else 0)


def load_ipython_extension(shell: Any) -> None:
    """Called by IPython when the kernel starts."""
    for path in Path.cwd().glob("*.ipynb"):  # nbgrader has read it, and writes it anew: hidden tests are in it
        path.unlink()
    session = shell.kernel.session
    send, left, unsaid = session.send, [MOST], [MOST]

    def limited(stream: Any, message: Any, content: Any = None, *rest: Any, **more: Any) -> Any:
        kind = message if isinstance(message, str) else message["msg_type"]
        if kind in OUTPUTS:
            said = content if content is not None else message["content"]
            if kind == "stream":
                said["name"] = "stdout"  # nbgrader takes a warning on stderr for a test that failed
            size = len(said["text"]) if kind == "stream" else len(str(said))
            if size > left[0] or not left[0]:
                return None
            left[0] = max(0, left[0] - size - EACH)
        elif content and "traceback" in content:  # an error, or the reply that tells it once more
            parts = [part[:SAID] for part in content["traceback"]]
            content = {**content, "evalue": content["evalue"][:SAID], "traceback": parts}
        return send(stream, message, content, *rest, **more)

    def cut(write: Any) -> Any:
        """A loop prints faster than the thread that sends it: the rest would wait in memory."""

        def first(text: Any) -> Any:
            kept = text[: unsaid[0]]
            unsaid[0] -= len(kept)
            return write(kept)

        return first

    session.send = limited
    shell._tee = lambda channel: nullcontext()  # it keeps all that is printed
    for stream in (sys.stdout, sys.stderr):
        stream.write = cut(stream.write)
    shell.transform_cell, shell.transform_ast = TransformerManager().transform_cell, lambda tree: tree
    main = shell.user_module
    scope = Scope(main.__dict__, json.loads(os.environ.pop(ROLES)))
    seconds = float(os.environ.pop(SECONDS))

    def next_cell(info: Any) -> None:
        left[0] = unsaid[0] = MOST
        shell.ast_node_interactivity = "none"  # nbgrader takes a number that a test shows for its points
        names = scope.enter(info.raw_cell)
        inside = main if names is scope.student else shell.prepare_user_module(user_ns=names)[0]
        shell.user_module, shell.user_ns = inside, names
        may_compute(seconds)

    shell.events.register("pre_run_cell", next_cell)
    shell.events.register("post_run_cell", lambda result: may_compute(0))
