"""What a torture has done, as counts, and what it has found, as sentences."""

import contextlib
import io
import re
import shlex
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tot.cli import main

KEY = "sk-torture-0123456789abcdef0123456789"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass
class Tally:
    """``counts``: how often what was done. ``faults``: what should not have happened; ``where`` repeats it."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    where: str = ""

    def fault(self, what: object) -> None:
        self.faults.append(f"{self.where}: {str(what)[:600]}")

    def need(self, holds: bool, what: object) -> None:
        if not holds:
            self.fault(what)

    def sentence(self, said: str, about: str) -> None:
        """What a person is told must be one line, after remarks about a server, and without a traceback, a key, or
        characters that steer a terminal.
        """
        *remarks, last = said.splitlines() or [""]
        one = last.startswith("tot: ") and all(line.startswith("the server at ") for line in remarks)
        self.need(one, f"{about} told this: {said!r}")
        self.clean(said, about)

    def clean(self, said: str, about: str) -> None:
        self.need(KEY not in said and KEY[:20] not in said, f"{about} shows the key: {said!r}")
        self.need(not STEERING.search(said), f"{about} steers the terminal: {said!r}")

    @contextlib.contextmanager
    def allowing(self, about: Any, *kinds: type[Exception]) -> Iterator[None]:
        """Errors of these kinds are the answer to bad input, if they say something; any other is a fault."""
        try:
            yield
        except kinds as error:
            self.counts["refused in a sentence"] += 1
            self.need(len(str(error)) > 9, f"{about} is refused without a word")
        except Exception as error:
            self.fault(f"{about}: {error!r}")

    def command(self, line: str) -> tuple[int, str]:
        """Run a command line in this process. Returns its status and what it printed."""
        out, err = io.StringIO(), io.StringIO()
        self.counts["commands"] += 1
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main(shlex.split(line))
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            self.fault(f"tot {line}: {error!r} in {at.filename}, line {at.lineno}")
            return 99, ""
        self.clean(out.getvalue(), line)
        if status and not (status == 1 and out.getvalue() and not err.getvalue()):
            self.sentence(err.getvalue(), f"tot {line}")
        return status, out.getvalue()


Torture = Callable[[Random, Tally], None]
