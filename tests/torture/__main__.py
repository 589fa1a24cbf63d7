"""The long form: ``python -m tests.torture --seconds 600``, or ``make torture``. Ctrl-C prints the counts so far."""

import argparse
import contextlib
import os
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

from tests.torture.tally import KEY, Tally, Torture

SUBJECTS = ("readers", "growing", "views", "damage", "recordings", "kills")


def subject(name: str) -> Torture:
    once: Torture = import_module(f"tests.torture.{name}").once
    return once


def torture(name: str, seed: int, tally: Tally) -> None:
    """One subject with one seed, in an empty folder and without the user's keys."""
    tally.where = f"python -m tests.torture --only {name} --seed {seed} --times 1"
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="torture", ignore_cleanup_errors=True) as folder:
        try:
            os.chdir(folder)
            subject(name)(Random(f"{name} {seed}"), tally)
        except Exception as error:  # the torture itself ended: something was not there that a turn needs
            tally.fault(repr(error))
        finally:
            os.chdir(before)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0, help="the first one; each turn takes the next (default: 0)")
    parser.add_argument("--only", choices=SUBJECTS, action="append")
    parser.add_argument("--times", type=int, default=1_000_000, help="turns, at most")
    options = parser.parse_args()
    os.environ |= {"OPENAI_API_KEY": KEY}
    os.environ.pop("OPENAI_BASE_URL", None)
    os.environ.pop("TOT_DATA_DIR", None)
    tally, end, told = Tally(), time.monotonic() + options.seconds, 0
    with contextlib.suppress(KeyboardInterrupt):
        for seed in range(options.seed, options.seed + options.times):
            for name in options.only or SUBJECTS:
                if time.monotonic() < end:
                    torture(name, seed, tally)
                    for what in tally.faults[told:]:
                        print(f"FAULT  {what}", flush=True)
                    told = len(tally.faults)
            if time.monotonic() >= end:
                break
    for what, often in sorted(tally.counts.items()):
        print(f"{often:>12,}  {what}")
    print(f"{len(tally.faults):>12,}  faults")
    return bool(tally.faults)


if __name__ == "__main__":
    raise SystemExit(main())
