"""Append-only files of JSON lines that survive a kill: whole lines, one writer at a time, a torn last line cut off."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


class FileTrouble(Exception):
    """A file cannot be used. The message is one sentence that says what to do next."""


def read_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line. A torn last line (half of an object: a killed writer) is skipped.

    Raises FileTrouble for a line that is not a JSON object, naming the line.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FileTrouble(f"cannot read {path}: {error.strerror or error}") from error
    *lines, tail = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")  # a mark that some editors put at the front
    if _record(tail) is not None:  # only its newline is missing
        lines.append(tail)
    for i, line in enumerate(lines, 1):
        if (record := _record(line)) is None:
            raise FileTrouble(
                f"{path}, line {i} is not a JSON object: the file is damaged there; restore it or delete that line"
            )
        yield i, record


def _record(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line, None if there is none. (No part of an object is an object: a torn line is None.)"""
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


class Appender:
    """The one writer of a JSON-lines file. Open it with ``with``, or ``close`` it.

    Opening changes nothing in the file; a torn last line is cut off by the first write, so that whoever opens it can
    look first whether it is theirs.

    Raises FileTrouble if another process (or this one) is writing the file already, if the file cannot be opened for
    writing or does not end like JSON lines, or if a write fails (a full disk: the partial line is taken back).
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.exists() and not self.path.is_file():
            raise FileTrouble(f"{path} is not a file: choose another one")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self.path.open("ab+", buffering=0)
        except OSError as error:
            raise FileTrouble(f"cannot write {path}: {error.strerror or error}; choose another file") from error
        try:
            _lock(self._file)
        except OSError as error:
            self._file.close()
            raise FileTrouble(f"{path} is being written by another run: wait for it, or choose another file") from error
        try:
            self._torn, self._glue = self._look_at_the_end()
        except FileTrouble:
            self.close()
            raise

    def write(self, *records: dict[str, Any]) -> None:
        """Append the records, each as one line, in a single write."""
        text = "".join(json.dumps(r, ensure_ascii=False, separators=(", ", ": ")) + "\n" for r in records)
        data = self._glue + text.encode("utf-8", "backslashreplace")  # a lone surrogate cannot be stored as UTF-8
        end = self._file.seek(0, os.SEEK_END) if self._torn is None else self._torn
        try:
            if self._torn is not None:
                self._file.truncate(end)
            written = self._file.write(data)
            if written != len(data):
                raise OSError(None, "the disk is full")
        except OSError as error:
            with contextlib.suppress(OSError):  # if that fails too, the next writer cuts the torn line
                self._file.truncate(end)
            raise FileTrouble(
                f"cannot write {self.path}: {error.strerror or error}; free some space and run the same command again"
            ) from error
        self._torn, self._glue = None, b""

    def close(self) -> None:
        """Close the file; another writer may have it then."""
        self._file.close()  # releases the lock

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _look_at_the_end(self) -> tuple[int | None, bytes]:
        """Where a torn last line begins (None: there is none), and the newline that a whole last line lacks.

        Raises FileTrouble if the file ends in something that this class never wrote.
        """
        self._file.seek(0)
        data = self._file.read()
        start = data.rfind(b"\n") + 1
        if start == len(data):
            return None, b""
        if _record(data[start:]) is not None:
            return None, b"\n"
        if not data.startswith(b"{", start):
            raise FileTrouble(f"{self.path} is not a file of JSON lines, or damaged at its end: choose another file")
        return start, b""


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process until it is closed, also by a kill. Raises OSError if somebody else has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        file.seek(1 << 40)  # lock a byte far behind the data, so that readers are not disturbed
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
