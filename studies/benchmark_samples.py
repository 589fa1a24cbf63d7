"""Figures on samples of the public benchmarks: what a model gets right, never the questions themselves. Resumable.

    TOT_DATA_DIR=FOLDER python -m studies.benchmark_samples --keep FOLDER --model MODEL [--base-url URL] \\
        [--tasks gsm8k,strategyqa] [--methods io,cot,tot-vote] [--knobs '{"rollouts": 6}'] [--n 40]

Replies and results lines quote the questions: they stay in the folder of ``--keep``, outside the project. Only the
figures go to studies/results/benchmark_samples.json: task -> method -> correct, n, Wilson's interval, replies that
could not be read, errors, tokens for each problem, model, dates; for hotpotqa also F1, and of methods with tools what
these cost on the path and in all. What the file says about other tasks and methods is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tot
from studies.figures import each, numbers, read, write
from studies.live import add_model, check_model, model, named
from tot.experiments import grid, run_experiment
from tot.experiments.results import Line, aggregate, failed, groups, samples, solved
from tot.experiments.unmeasured import unanswered
from tot.jsonlines import FileTrouble
from tot.show.escaping import visible

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "studies" / "results" / "benchmark_samples.json"
SPLITS = {"gsm8k": "test", "strategyqa": "file", "hotpotqa": "dev"}
SPLITS |= dict.fromkeys(("addsub", "multiarith", "singleeq", "svamp"), "file")
SPLITS |= dict.fromkeys(("commonsenseqa", "last_letters", "object_tracking"), "file")


def figures(lines: Iterable[Line], lm: str, dates: Iterable[str]) -> dict[str, dict[str, Any]]:
    """method -> its figures over the lines of one task. A problem that ended in an error is one that was not solved.

    Raises ValueError where results of one method were asked in two ways, as before and after a change of its prompts.
    """
    found = {}
    for label, group in groups(lines).items():
        if group[0]["method"] in found:
            raise ValueError(f"results in two editions, of which {label} is one: take another folder for --keep")
        row = aggregate(label, group)
        drawn = [sample for line in group for sample in samples(line) or [solved(line)]]
        found[group[0]["method"]] = {
            "params": group[0]["params"],
            "n": row.n,
            "correct": sum(map(solved, group)),
            "interval": numbers(row.correct)[1:],
            "errors": row.errors,
            "samples": len(drawn),
            "right_samples": sum(drawn),
            "unread": row.unread,
            "tokens": round(row.tokens, 1),
            "model": lm,
            "dates": sorted(set(dates)),
        }
        measured: dict[str, list[float]] = {}  # one number for each problem
        for line in group:
            bill = {f"tool {name}": line["tools"][name] for name in ("path", "total")} if "tools" in line else {}
            parts = {name: 0.0 if failed(line) else value for name, value in line.get("parts", {}).items()}
            for name, value in (parts | bill).items():
                measured.setdefault(name, []).append(value)
        found[group[0]["method"]] |= {
            name: each([*values, *[0.0] * (len(group) - len(values))]) for name, values in measured.items()
        }
    return found


def recipes(names: Iterable[str], knobs: Mapping[str, Any]) -> list[tuple[tot.Method, dict[str, Any]]]:
    """Each method with those of the knobs that it has. Raises ValueError for a knob that none of them has."""
    methods = [tot.method(name) for name in names]
    if unknown := knobs.keys() - {knob for method in methods for knob in method.defaults}:
        raise ValueError(f"none of {', '.join(m.name for m in methods)} has a knob {', '.join(sorted(unknown))}")
    return [(m, {name: value for name, value in knobs.items() if name in m.defaults}) for m in methods]


def _knobs(text: str) -> dict[str, Any]:
    try:
        knobs = json.loads(text)
    except ValueError:
        knobs = None
    if not isinstance(knobs, dict):
        raise argparse.ArgumentTypeError(f"needs a JSON object such as '{{\"rollouts\": 6}}', not {text!r}")
    return knobs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, required=True, help="a folder outside the project for replies and lines")
    add_model(parser)
    parser.add_argument("--tasks", default="gsm8k,strategyqa")
    parser.add_argument("--methods", default="io,cot,tot-vote")
    parser.add_argument("--knobs", type=_knobs, default={}, help="a JSON object, for those methods that have the knob")
    parser.add_argument("--n", type=int, default=40, help="the first so many problems of each file")
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    check_model(parser, a)
    if a.keep.resolve().is_relative_to(ROOT):
        parser.error("--keep is a folder outside the project: what it holds quotes the benchmarks")
    if unknown := set(a.tasks.split(",")) - SPLITS.keys():
        parser.error(f"no benchmark sample for {', '.join(sorted(unknown))}: choose of {', '.join(SPLITS)}")
    if a.out.is_file():
        read(a.out)  # that it cannot be is known before anything is asked
    try:
        live, weights = model(a)
        methods = recipes(a.methods.split(","), a.knobs)
        for name in a.tasks.split(","):
            task = tot.task(name)
            jobs = grid(task, methods, task.problems(SPLITS[name])[: a.n])
            with tot.Cassette(a.keep / f"{name}.jsonl", live, weights=weights) as cassette:
                lines = run_experiment(jobs, cassette, out=a.keep / f"{name}.results.jsonl")
                left = f"{len(jobs) - len(lines)} of {len(jobs)} are left: run the same command again."
                if lacking := unanswered(lines) + [left] * (len(lines) < len(jobs)):  # or they would pass for all
                    raise ValueError(f"{name}: {' '.join(lacking)} Its figures are not written before that.")
                mine = [one for one in cassette.tape.sessions.values() if one["model"] == cassette.name]
                dates = [str(session["date"]) for session in mine]
            found = figures(lines, named(live), dates)
            known = read(a.out) if a.out.is_file() else {}  # of now: another command may have written it meanwhile
            known.setdefault(name, {}).update(found)
            write(known, a.out)
            print(name, json.dumps(known[name], indent=1))
    except (tot.LMError, FileTrouble, ValueError) as error:
        print(visible(str(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"stopped; {a.keep} holds every sample that arrived: run the same command again", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    sys.exit(main())
