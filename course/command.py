"""What the commands say that write into a folder, also when they cannot."""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from itertools import count
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


def put(out: Path, files: Mapping[str, bytes], sums: Path, advice: Mapping[str, str] | None = None) -> None:
    """Writes the files, by their names in ``out``, each whole or not at all; ``sums`` says what was written there.

    One that somebody has changed since is kept beside the new one, and told, with the ``advice`` for its name.
    """
    lines = sums.read_text("utf-8", "replace").splitlines() if sums.exists() else []
    known = dict(line.split(" ", 1)[::-1] for line in lines if " " in line)  # one may be cut
    for name, data in files.items():
        path, digest = out / name, hashlib.sha256(data).hexdigest()
        mode = path.stat().st_mode if path.exists() else None
        now = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else digest
        if now not in (digest, known.get(name)):
            beside = (path.with_stem(f"{path.stem}.changed{f'-{i}' * bool(i)}") for i in count())
            path.rename(kept := next(one for one in beside if not one.exists()))
            how = (advice or {}).get(name, "")
            say(f"{path} was changed since it was written, and is kept as {kept.name}{how and '; '}{how}")
        unfinished = path.with_name(f"{name}.partial")
        unfinished.write_bytes(data)
        if mode is not None:
            unfinished.chmod(mode)  # marks that others may not read
        unfinished.replace(path)
        known[name] = digest
    sums.write_text("".join(f"{digest} {name}\n" for name, digest in known.items()), encoding="utf-8")


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
