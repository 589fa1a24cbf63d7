"""Record what a chapter replays, with any OpenAI-compatible server. Resumable: run the same command again.

    python studies/record.py --chapter 06 --model MODEL [--base-url URL] [--weights FILE] [--cassette FILE]

Each sample is written as it arrives. A chapter's cassette holds one model: if it was recorded with another one, or with
other options, the old recording is moved aside first (03.jsonl becomes 03.OLD-MODEL.jsonl), and comes back when its
model and options do. Chapters share cassettes: record 02, 03, 04 and 06 with the same model, 09 and 14 with one, then
run ``make notebooks``.

Chapter 15 needs a second, smaller model at the same time (``--small-model NAME --small-base-url URL``). What it says
goes into 15.jsonl; the other one's replies go to those of chapter 14. Where both servers share a few cores, give each
its own threads (``llama-server -t 1`` twice on two cores): with all cores each they wait for each other.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `python studies/record.py` looks for modules in studies/ only

import tot  # noqa: E402
from studies import writing_judged  # noqa: E402
from studies.live import add_model, check_model, model  # noqa: E402
from studies.plans import PLANS, REQUESTS, Plan  # noqa: E402
from studies.trials import solve_all  # noqa: E402
from tot.experiments.unmeasured import why_nothing  # noqa: E402
from tot.jsonlines import Appender, FileTrouble  # noqa: E402
from tot.lm.roles import LMs  # noqa: E402
from tot.lm.tape import Tape  # noqa: E402
from tot.show.escaping import visible  # noqa: E402
from tot.solution import Solution  # noqa: E402

FOLDER = ROOT / "notebooks" / "cassettes"
AFTER = {"07": writing_judged.record}  # what looks at the recorded runs of all plans


def record(plans: Sequence[Plan], cassette: tot.Cassette, small: tot.Cassette | None = None) -> list[Solution]:
    """Run the plans through the cassette, all at once, with a progress line. Raises LMError if a model fails.

    ``small`` plays the roles that the plans give to the small model: the same roles in all of them.
    """
    lms: LMs = {"default": cassette, **dict.fromkeys(plans[0].small, small)} if small and plans else cassette
    return solve_all([job for plan in plans for job in plan.jobs()], lms, show=True)


def make_room(path: Path, live: tot.LM) -> Path | None:
    """A chapter replays one model, asked in one way: a recording of another model, or with other settings, is moved
    aside, not deleted, and one of this model that was moved aside before comes back. Returns what was moved aside.
    Raises FileTrouble while another run records it.
    """

    def fits(other: Path) -> bool:
        with suppress(FileTrouble):  # what somebody keeps beside it need not be a recording
            return dict(live.settings) in Tape(other).settings(live.name)
        return False

    tape = Tape(path)
    if tape.models and fits(path):
        return None
    others = filter(fits, sorted(path.parent.glob(f"{path.stem}.*.jsonl")))
    back = max(others, key=lambda one: one.stat().st_size, default=None)  # the other one may be a part
    if tape.models or back:
        Appender(path).close()  # what is being recorded stays where it is
    aside = None
    if tape.models:
        name = f"{path.stem}.{re.sub(r'[^A-Za-z0-9._-]+', '-', tape.models[0])}"  # names of models may hold slashes
        aside = next(p for i in range(1000) if not (p := path.with_name(f"{name}{f'.{i}' * (i > 0)}.jsonl")).exists())
        path.rename(aside)
        which = tape.models[0] if live.name not in tape.models else f"{live.name} with other options"
        print(f"{path.name} holds {which}: moved to {aside.name}")
    if back:
        back.replace(path)
        print(f"{back.name} holds {live.name} with these options: moved to {path.name}, to go on with it")
    return aside


def _put_back(aside: Path, path: Path) -> None:
    if not (path.exists() and Tape(path).samples):
        aside.replace(path)
        print(f"nothing was recorded: {aside.name} is {path.name} again")


def _cassette(a: argparse.Namespace, path: Path, move: bool, tapes: ExitStack) -> tot.Cassette:
    live, weights = model(a)
    if move and (aside := make_room(path, live)):
        tapes.callback(_put_back, aside, path)
    made = tot.Cassette(path, live, weights=weights, settings={"server": a.server} if a.server else {})
    return tapes.enter_context(made)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chapter", required=True, choices=sorted({*PLANS, *REQUESTS}))
    add_model(parser)
    parser.add_argument("--server", default="", help="server and version, for the record")
    parser.add_argument("--cassette", type=Path)
    parser.add_argument("--only", help="numbers of the chapter's plans to record, such as 0,2")
    parser.add_argument("--small-model", help="for chapter 15: a smaller model")
    parser.add_argument("--small-base-url")
    parser.add_argument("--small-weights", type=Path)
    parser.add_argument("--small-cassette", type=Path)
    parser.add_argument("--together", action="store_true", help="all plans at once: a busier server")
    a = parser.parse_args()
    plans = PLANS.get(a.chapter, [])
    if a.only:
        try:
            plans = [plans[int(i)] for i in a.only.split(",")]
        except (ValueError, IndexError):
            parser.error(f"--only takes numbers of plans, and chapter {a.chapter} has {len(plans)}: write --only 0")
    if bool(a.small_model) != any(plan.small for plan in plans):
        parser.error("chapter 15 needs a --small-model, and no other chapter has one")
    check_model(parser, a)
    small_one = argparse.Namespace(
        **{**vars(a), "model": a.small_model, "base_url": a.small_base_url or a.base_url, "weights": a.small_weights}
    )
    path = a.cassette or FOLDER / f"{'14' if a.small_model else a.chapter}.jsonl"
    started = time.monotonic()
    try:
        with ExitStack() as tapes:
            cassette = _cassette(a, path, not a.cassette, tapes)
            small = None
            if a.small_model:
                check_model(parser, small_one)
                tape = a.small_cassette or FOLDER / f"{a.chapter}.jsonl"
                small = _cassette(small_one, tape, not a.small_cassette, tapes)
            cassette(REQUESTS.get(a.chapter, []))
            together = [list(same) for _, same in groupby(plans, key=lambda plan: plan.small)]
            for group in together if a.together else [[plan] for plan in plans]:
                lines = [solution.to_dict() for solution in record(group, cassette, small)]
                if lines and not any(line["any"] for line in lines) and (why := why_nothing(lines)):
                    print(f"{', '.join(map(str, group))}: {why}", file=sys.stderr, flush=True)
                print(f"{time.monotonic() - started:6.0f} s  recorded: {', '.join(map(str, group))}", flush=True)
            if a.chapter in AFTER and not a.only:
                for line in AFTER[a.chapter](cassette):
                    print(f"{time.monotonic() - started:6.0f} s  {line}", flush=True)
                if not a.cassette:  # else the chapter would show this model's passages and another's scores
                    writing_judged.keep(cassette)
    except (tot.LMError, FileTrouble) as error:
        print(visible(str(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"stopped; {path} holds every sample that arrived: run the same command again to go on", file=sys.stderr)
        return 130
    print(f"recorded {path}")
    return 0


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    sys.exit(main())
