"""A progress line for long runs: in a terminal or a notebook, and nowhere else."""

from __future__ import annotations

import sys
import time
from typing import Any

EVERY = 0.1  # seconds between updates


class Progress:
    """How far a run is: problems done, share solved so far, calls, tokens, time left. Use it from one thread.

    ``total`` problems, of which ``skipped`` were done before. Where stderr is no terminal and this is no notebook,
    nothing is written. ``close`` removes the line.
    """

    def __init__(self, total: int, *, skipped: int = 0, show: bool = True) -> None:
        self.total, self.skipped = total, skipped
        self.done = self.judged = self.correct = 0
        self._started, self._last, self._width = time.monotonic(), 0.0, 0
        self._write = _writer() if show else None

    def finished(self, line: dict[str, Any]) -> None:
        """One more problem ended with this results line. Failed calls are no wrong answers."""
        self.done += 1
        if "error" not in line:
            self.judged += 1
            self.correct += line["correct"]

    def update(self, calls: int, tokens: int) -> None:
        """Show the line again, with what was used so far; at most every ``EVERY`` seconds."""
        if self._write and time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            text = self.text(calls, tokens, self._last - self._started)
            self._write(text.ljust(self._width))
            self._width = len(text)

    def text(self, calls: int, tokens: int, seconds: float) -> str:
        """The line, ``seconds`` after the start."""
        done = self.skipped + self.done
        parts = [f"{done}/{self.total} problems"]
        if self.judged:
            parts.append(f"{self.correct / self.judged:.0%} solved")
        if failed := self.done - self.judged:
            parts.append(f"{failed} failed")
        parts.append(f"{calls} calls, {tokens} tokens")
        if self.done and done < self.total:
            parts.append(f"about {_clock(seconds / self.done * (self.total - done))} left")
        return ", ".join(parts)

    def close(self) -> None:
        """Remove the line."""
        if self._write and self._width:
            self._write(" " * self._width)
            self._write("")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes}:{rest:02} min"


def _writer() -> Any:
    """A function that replaces the line shown so far; None where nobody looks."""
    try:
        if sys.stderr.isatty():
            return _to_terminal
    except (AttributeError, ValueError):  # no stderr (pythonw), or a closed one
        return None
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import display

        handle = display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call,unused-ignore]
        return lambda text: handle.update({"text/plain": text.rstrip()}, raw=True)
    return None


def _to_terminal(text: str) -> None:
    sys.stderr.write("\r" + text)
    sys.stderr.flush()
