"""Append-only JSON Lines files that survive a killed process: one writer at a time; an incomplete last line is cut.

What is cut off is kept beside the file, as FILE.torn: a file that was never ours loses nothing either. Of a file that
is deleted, replaced or changed while it is written, all that it should hold is kept as FILE.saved.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import IO, Any, NoReturn

LEAST, FULL = 100_000, "the disk is full"  # bytes that are free on one that is not
AT_ONCE = 64  # calls that may be under way


class FileTrouble(Exception):
    """A file cannot be used. The message says what to do next."""


def dumps(data: Any, **layout: Any) -> str:
    """JSON that any program reads: of an evaluator's numbers, infinite ones become the largest float, NaN null; a set
    is a sorted list, and what else JSON has no form for a text.
    """
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False, default=in_json, **layout)
    except ValueError:
        most = sys.float_info.max
        plain = json.loads(
            json.dumps(data, default=in_json), parse_constant={"Infinity": most, "-Infinity": -most, "NaN": None}.get
        )
        return json.dumps(plain, ensure_ascii=False, **layout)


def written(value: Any) -> str:
    """As ``repr``, but the same in every process: sets in order, functions and classes by their names, objects without
    their place in memory.
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{written(key)}: {written(one)}' for key, one in value.items())}}}"
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(written, value)))}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    return getattr(value, "__qualname__", None) or re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def in_json(value: Any) -> Any:
    """For what JSON has no form for: of a set a sorted list, of an array (whose text leaves out its middle) a list, of
    all else its text, without the place in memory.
    """
    if isinstance(value, Set):
        return sorted(value, key=written)
    if callable(listed := getattr(value, "tolist", None)):
        return listed()
    return re.sub(" at 0x[0-9a-fA-F]+", "", str(value))


def read_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line. Empty lines and an incomplete last one, left by a killed writer, are skipped.

    Raises FileTrouble if the file cannot be read, or if a line is not a JSON object, with its line number.
    """
    _refuse_pipes(Path(path))
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FileTrouble(f"cannot read {path}: {error.strerror or error}") from error
    *lines, tail = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")  # some editors add a byte order mark
    if _record(tail) is not None:  # complete except for its newline
        lines.append(tail)
    for i, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if (record := _record(line)) is None:
            raise FileTrouble(
                f"{path}, line {i} is not a JSON object: the file is damaged there; restore it or delete that line"
            )
        yield i, record


def _refuse_pipes(path: Path) -> None:
    """Raises FileTrouble for a pipe, which would wait for ever, and all else that is there and not a file."""
    if path.exists() and not path.is_file():
        raise FileTrouble(f"{path} is not a file: choose another one")


def _record(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line, None if there is none. (A proper prefix of an object is never an object.)"""
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


class Appender:
    """The only writer of a JSON Lines file, which it locks. Use it in a ``with`` statement, or ``close`` it.

    Opening does not change the file, so that a caller can check its contents first; an incomplete last line is cut off
    by the first write, and appended to FILE.torn.

    Raises FileTrouble if another writer has the file open (in this process or another), if the file cannot be opened
    for writing or does not end like JSON Lines, or if a write fails (a full disk); a partly written line is removed,
    and what could not be written is ``owed``: it comes first in the next write, or as the file is closed; if not even
    then, it is saved in the folder for temporary files.
    Raises it, too, if it finds the file gone or changed by others as it writes or closes; ``saved`` has all of it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._place = self.path.absolute()  # a program may go to another folder
        self.saved: Path | None = None
        self.owed = b""
        self.written, self._process, self._longest = 0, os.getpid(), 0
        _refuse_pipes(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self.path.open("ab+", buffering=0)
        except OSError as error:
            raise FileTrouble(f"cannot write {path}: {error.strerror or error}; choose another file") from error
        try:
            _lock(self._file)
        except OSError as error:
            self._file.close()
            raise FileTrouble(
                f"{path} is being written by another run: wait for it, or choose another file. (If a cell of this"
                " notebook opened it before, close() that one first, or restart the kernel.)"
            ) from error
        self._file.seek(0)
        data = self._file.read()
        whole, newline, tail = data.rpartition(b"\n")
        self._content, self._sizes = [whole + newline], {len(data)}  # what it should hold, and how large it may be
        self._torn, self._glue = tail, b""
        if _record(tail) is not None:  # complete but for its newline
            self._content, self._torn, self._glue = [data], b"", b"\n"
        elif tail.strip(b"\0") and (not tail.startswith(b"{") or b"\r" in tail):  # JSON has no bare carriage return
            self._file.close()
            raise FileTrouble(f"{path} is not a JSON Lines file, or its end is damaged: choose another file")

    @property
    def behind(self) -> bool:
        """Whether the file lacks something, since the last write failed or it was taken away."""
        return bool(self.owed or self.saved)

    def refuse_unwritable(self) -> None:
        """Before anything is paid that is to be written: writes what is owed. Raises FileTrouble as ``write`` does, and
        on a full disk.
        """
        self._refuse_others()
        if self.behind:
            self.write()
        with contextlib.suppress(OSError):  # of a folder that is gone: see write
            # which is left for what is paid by then
            if shutil.disk_usage(self._place.parent).free < max(LEAST, AT_ONCE * self._longest):
                raise FileTrouble(f"cannot write {self.path}: {FULL}; free some space and run the same again")

    def _refuse_others(self) -> None:
        """Raises FileTrouble if it was closed, and in a process that got the file from another: both would write."""
        if self._file.closed:
            raise FileTrouble(f"{self.path} was closed: open it again where more is to be written to it")
        if os.getpid() != self._process:
            raise FileTrouble(
                f"{self.path} was opened before this process was forked from another: open a file of its own in each"
                " process, or use threads"
            )

    def write(self, *records: dict[str, Any]) -> None:
        """Append the records, each as one line, in a single write, after which ``written`` is one more; also if they
        are owed, or saved beside the file. After Ctrl-C in the middle the file holds all of them, and ``written``
        counts them, or none.
        """
        self._refuse_others()
        text = "".join(dumps(record) + "\n" for record in records)
        new = text.encode("utf-8", "backslashreplace")  # UTF-8 has no lone surrogates
        data, self._longest = (self.owed or self._glue) + new, max(self._longest, len(new))
        if self.saved or not self._is_ours():
            self._content.append(data)
            self.owed, self.written = b"", self.written + 1
            self._save_beside()
        end = self._file.seek(0, os.SEEK_END) - len(self._torn)
        self._sizes |= {end, end + len(data)}  # Ctrl-C may come before or after each step
        pieces, written = len(self._content), self.written
        try:
            if self._torn:
                with Path(f"{self._place}.torn").open("ab") as kept:
                    kept.write(self._torn + b"\n")
                self._file.truncate(end)
                self._torn = b""
            if self._file.write(data) != len(data):
                raise OSError(None, FULL)
            self._content.append(data)
            self._glue, self.owed, self._sizes, self.written = b"", b"", {end + len(data)}, written + 1
        except BaseException as error:
            if self.written > written:
                raise
            self._sizes = {end, end + len(self._torn)}
            del self._content[pieces:]
            with contextlib.suppress(OSError):  # if that fails too, the next writer cuts the incomplete line
                if self._file.seek(0, os.SEEK_END) <= end:
                    self._torn = b""  # which is cut off
                self._file.truncate(end + len(self._torn))
            if not isinstance(error, OSError):
                raise
            self.owed, self.written = data, written + 1
            raise FileTrouble(
                f"cannot write {self.path}: {error.strerror or error}; free some space and run the same command again"
            ) from error

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            ours = os.getpid() == self._process  # not of one that was forked, where the file may grow further
            if ours and len(self._content) > 1 and not self._is_ours():  # something was written, and not yet saved
                self._content.append(self.owed)
                self._save_beside()
            if ours and self.owed:
                try:
                    self.write()
                except FileTrouble:  # that was told
                    if self.owed:  # and is not beside it
                        self._save_elsewhere()
        finally:
            self._content.clear()
            self.owed = b""
            self._file.close()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _is_ours(self) -> bool:
        """Whether what the path leads to is as long as what was written here. (Not every file system keeps inodes.)"""
        try:
            return self._place.stat().st_size in self._sizes
        except OSError:
            return False

    def _save_elsewhere(self) -> None:
        """What is owed goes to the folder for temporary files, which may be on another disk; a warning says so."""
        lines, where = self.owed.count(b"\n"), "lost"
        what = f"{lines} line{'s' * (lines > 1)} that {self.path} lacks"
        with contextlib.suppress(OSError):
            number, name = tempfile.mkstemp(".jsonl", f"{self.path.stem}-")
            with open(number, "wb") as kept:
                kept.write(self.owed)
            where = f"kept in {name}: append that to it before the next run"
        warnings.warn(f"{what}: {where}", stacklevel=3)

    def _save_beside(self) -> NoReturn:
        trouble = f"{self.path} was deleted, replaced or changed by another program while it was written"
        try:
            if self.saved is None:
                names = (Path(f"{self._place}.saved{number or ''}") for number in itertools.count())
                self.saved = next(name for name in names if not name.exists())
                self._place.parent.mkdir(parents=True, exist_ok=True)
            with self.saved.open("ab", buffering=0) as kept:
                data, end = b"".join(self._content), kept.seek(0, os.SEEK_END)
                if kept.write(data) != len(data):
                    kept.truncate(end)
                    raise OSError(None, FULL)
        except OSError as error:
            raise FileTrouble(f"{trouble}, and what it should hold cannot be saved: {error.strerror}") from error
        self._content.clear()
        raise FileTrouble(f"{trouble}: put {self.saved}, which has all of it, there and run the same command again")


def _lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed or the process ends. Raises OSError if another writer holds the lock."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        file.seek(1 << 40)  # lock a byte far beyond the data, so that readers are not blocked
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
