"""``python -m studies.paper_table``: see the package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import tot
from tot import show
from tot.experiments.results import failed, groups
from tot.experiments.unmeasured import not_alike, only_thought, unmeasured
from tot.jsonlines import FileTrouble
from tot.lm.opening import spellings
from tot.lm.settings import arguments
from tot.show.escaping import visible

from . import __doc__ as about
from .filling import Summary, cells_of, in_words, printed, rows_of
from .forecast import Amount
from .plans import PLANS, Plan, plan_named
from .session import Models, Session, folder_for
from .spending import Spent


class Wrong(Exception):
    """Wrong usage, exit status 2."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Wrong(f"{message} (see --help)")


def parser() -> argparse.ArgumentParser:
    made = _Parser(
        prog="python -m studies.paper_table",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("table", nargs="?", help="such as tot-table2; without one, the tables are listed")
    made.add_argument("--lm", help=spellings().replace("%", "%%"))
    made.add_argument("--small-lm", metavar="LM", help="the weaker of two models, for tot-table5 and mcts-table4")
    made.add_argument("--judge-lm", metavar="LM", help="who scores passages in tot-figure5 (default: --lm)")
    for who in ("", "small-", "judge-"):
        made.add_argument(f"--{who}base-url", metavar="URL", help=argparse.SUPPRESS if who else "URL of the server")
    of_all = "a setting of all models, as of `tot --lm-option`: think_tokens=8000, profile=thinking (may be repeated)"
    made.add_argument("--lm-option", action="append", default=[], metavar="K=V", help=of_all)
    made.add_argument("--timeout", type=float, default=300.0, metavar="S", help="seconds for a reply (default: 300)")
    made.add_argument("--max-concurrency", type=int, default=32, metavar="N", help="HTTP calls at once (default: 32)")
    made.add_argument("--prices", metavar="FILE", help="a JSON table of prices in dollars per million tokens")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="keeps everything (default: paper-tables/MODEL)")
    made.add_argument("--n", type=int, metavar="N", help="only the first N problems of each run")
    made.add_argument("--only", default="", metavar="WORDS", help="only rows with these whole words, such as GSM8K")
    made.add_argument("--own-problems", action="store_true", help="the book's own problems instead of the paper's")
    made.add_argument("--own-prompts", action="store_true", help="our short prompts instead of the paper's style")
    made.add_argument("--dry-run", action="store_true", help="say what it will take, and ask for nothing")
    made.add_argument("--pilot", type=int, metavar="N", help="ask for the first N problems of each run, for a forecast")
    made.add_argument("--yes", action="store_true", help="ask for all of it")
    made.add_argument("--budget-dollars", type=float, metavar="X", help="stop before the folder has cost more than X")
    made.add_argument("--at-once", type=int, default=64, metavar="N", help="problems at once (default: 64)")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done or nothing asked, 1 stopped or failed, 2 wrong use, 130 after Ctrl-C."""
    try:
        options = parser().parse_args(argv)
        return work(options) if options.table else listed()
    except Wrong as error:
        return said(error, 2)
    except (Spent, FileTrouble, tot.LMError) as error:
        return said(error, 1)
    except KeyboardInterrupt:
        return said("interrupted before anything was asked", 130)


def said(message: object, status: int) -> int:
    print("paper_table: " + visible(" ".join(str(message).split())), file=sys.stderr, flush=True)
    return status


def listed() -> int:
    rows = [
        {"name": name, "paper": plan.paper, "table": plan.table, "runs": len(plan.runs), "two models": any_small(plan)}
        for name, plan in PLANS.items()
    ]
    print(show.table(rows))
    return 0


def any_small(plan: Plan) -> str:
    return "yes" if any(run.small for run in plan.runs) else "no"


def work(options: argparse.Namespace) -> int:
    session = None
    try:
        plan = plan_named(options.table)
        if not options.lm:
            raise ValueError("no model: add --lm openai:MODEL")
        for name, least in (("n", 1), ("pilot", 1), ("at_once", 1), ("max_concurrency", 1)):
            if (number := getattr(options, name)) is not None and number < least:
                raise ValueError(f"--{name.replace('_', '-')} is at least {least}")
        if options.budget_dollars is not None and not (options.prices and options.budget_dollars > 0):
            raise ValueError("--budget-dollars is a number above 0, and needs --prices FILE")
        folder = options.out or folder_for(options.lm.partition(":")[2] or options.lm)
        folder.mkdir(parents=True, exist_ok=True)
        models = Models(specs(options), folder, options.budget_dollars)
    except (ValueError, OSError, FileTrouble, tot.LMError) as error:
        raise Wrong(str(error)) from error
    with models:
        try:
            style = "" if options.own_prompts else "paper"
            own, most, at_once = options.own_problems, options.n, options.at_once
            session = Session(plan, models, folder, own, style, most, at_once, options.only)
        except ValueError as error:
            raise Wrong(str(error)) from error
        return through(session, options)


def specs(options: argparse.Namespace) -> dict[str, tuple[str, dict[str, Any]]]:
    """Who -> what ``tot.lm.open`` takes."""
    common = {name: getattr(options, name) for name in ("timeout", "max_concurrency", "prices")}
    common |= arguments(options.lm_option)
    named = {
        "large": (options.lm, options.base_url),
        "small": (options.small_lm, options.small_base_url or options.base_url),
        "judge": (options.judge_lm, options.judge_base_url or options.base_url),
    }
    each = [lm for lm, _ in {*named.values()} if lm]
    if several := [lm for lm in each if each.count(lm) > 1]:
        raise Wrong(f"{several[0]} is at two addresses, and results know models by name: give one another name")
    return {who: (lm, {**common, "base_url": url}) for who, (lm, url) in named.items() if lm}


def through(session: Session, options: argparse.Namespace) -> int:
    """Say what it takes, ask for it if that is wished, show what came of it."""
    plan, models = session.plan, session.models
    print(f"{plan.paper}, {plan.table}: {', '.join(f'{who} {name}' for who, name in models.names.items())}")
    print(f"everything is kept in {session.folder}")
    for sentence, runs in missing(session).items():
        print(f"left out: {', '.join(runs)}: {sentence}")
    if not session.parts:
        raise Wrong("nothing of this table can be run: see what is missing above")
    if left(session):
        expectation(session)
    else:
        print("all results are there: nothing is asked")
    if options.dry_run:
        return 0
    try:
        if session.left() and options.pilot:
            session.ask(options.pilot)
            print(f"\nafter {options.pilot} problems of each run:")
            expectation(session)
        if not wished(session, options):
            print("nothing more is asked: add --yes to go on")
            return filled(session, whole=False)
        lines = session.ask()
        return filled(session, whole=True, errors=[line["error"] for line in lines if failed(line)])
    except KeyboardInterrupt:
        return stopped(session, "interrupted", 130)
    except Spent as limit:
        purse = models.purse
        why = f"${purse.spent:.2f} of ${purse.limit or 0.0:.2f} are spent; {limit}: raise --budget-dollars"
        return 0 if purse.shut else stopped(session, why, 1)


def stopped(session: Session, why: str, status: int) -> int:
    done = len({key for part in session.parts for key in part.keys}) - session.left()
    rest = f"{session.left()} problems are left: the same command goes on with them"
    return said(f"{why}; {done} results and all replies so far are kept in {session.folder}, {rest}", status)


def missing(session: Session) -> dict[str, list[str]]:
    """Sentence -> the rows that cannot be filled because of it."""
    found: dict[str, list[str]] = {}
    for run, sentence in session.why.items():
        found.setdefault(sentence, []).extend(row.name for row in run.rows)
    return found


def left(session: Session) -> bool:
    """Whether something would be asked, of the judge, too."""
    purse = session.models.purse
    purse.shut = True
    try:
        return bool(session.left()) or not session.filled()
    except Spent:
        return True
    finally:
        purse.shut = False


def wished(session: Session, options: argparse.Namespace) -> bool:
    """Whether to go on: nothing would be asked, of the judge neither, or it may be. Else the purse is shut."""
    purse = session.models.purse
    purse.shut = not options.yes
    with suppress(Spent):
        if options.yes or (not session.left() and session.filled()):
            return True
    with suppress(EOFError):  # Ctrl-D is no yes
        purse.shut = not (sys.stdin.isatty() and input("Ask for all of it? [y/N] ").strip().lower() in ("y", "yes"))
    return not purse.shut


# ---------------------------------------------------------------- what is printed


def expectation(session: Session) -> None:
    """The forecast, run by run, and what of it will be paid."""
    parts = session.forecast()
    amounts = [amount for *_, amount in parts if amount]
    rows: list[dict[str, Any]] = [{"run": part.label, "problems": n, "left": left} for part, n, left, _ in parts]
    if len(amounts) < len(parts):
        print(show.table([*rows, {"run": "all", "problems": "", "left": session.left()}]))
        print("what it takes is said after a pilot of at least two problems of each run: add --pilot 2")
        return
    runs, judging = sum(amounts, Amount()), session.judging()
    whole, paid = runs + judging, session.paid(runs)
    rows = [row | figures(amount) for row, amount in zip(rows, amounts, strict=True)]
    rows += [{"run": "scores and pairs", "problems": "", "left": "", **figures(judging)}] if judging.calls else []
    print(show.table([*rows, {"run": "all", "problems": "", "left": session.left(), **figures(whole)}]))
    purse, pay = session.models.purse, paid + judging
    (low, high), share = pay.band, paid.tokens / runs.tokens if runs.tokens else 1.0
    priced = any(cassette.live and any(cassette.live.price) for cassette in session.models.cassettes.values())
    print(
        f"expected: {pay.calls:,.0f} calls and {count(pay.tokens)} tokens ({count(low)} to {count(high)})"
        + (f", ${pay.dollars:,.2f} (${pay.dollars * pay.low:,.2f} to ${pay.dollars * pay.high:,.2f})" if priced else "")
        + (f"; {1 - share:.0%} of what is asked is another run's, too, and paid once" if share < 0.995 else "")
    )
    if not priced:
        print("no dollars without --prices FILE: {model: {input: ..., output: ...}}, per million tokens")
    elif purse.spent:
        print(f"paid so far: ${purse.spent:,.2f}")


def figures(amount: Amount) -> dict[str, str]:
    low, high = amount.band
    return {
        "calls": f"{amount.calls:,.0f}",
        "tokens read": count(amount.read),
        "written": count(amount.written),
        "together": f"{count(low)} to {count(high)}",
        "dollars": f"{amount.dollars:,.2f}",
    }


def count(tokens: float) -> str:
    """1,234 -> "1.2k"."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if tokens >= size:
            return f"{tokens / size:.1f}{unit}"
    return f"{tokens:.0f}"


def filled(session: Session, *, whole: bool, errors: Sequence[str] = ()) -> int:
    """Print our rows beside the paper's; store them if they are all there."""
    found = session.filled()
    cells, rows = cells_of(session.plan, found), rows_of(session.plan)
    if cells:
        ours = session.models.names["large"]
        table = [
            {"row": name, "the paper": in_words(rows[name].there), "n": cell.get("n", ""), ours: printed(cell)}
            for name, cell in cells.items()
        ]
        print()
        print(show.table(table, ["row", "the paper", ours, "n"]))
    known = session.lines(failures=True)
    lines = [known[key] for part in session.parts for key in part.keys if key in known]
    mixed = not_alike(lines)
    print(*(f"{label}: {why}" for label, why in unmeasured(lines).items()), *mixed, sep="\n")
    if errors:
        counted = "they count as not solved" if session.complete() else "the table is not stored before they are there"
        said(f"{len(errors)} problems failed, {counted}: {errors[-1]}; run the same command again to retry them", 1)
    if not whole or not session.complete():
        return int(bool(errors))
    if any(map(only_thought, groups(lines).values())):
        return said("not stored, since replies that ended in thinking are no figure: --lm-option think_tokens=8000", 1)
    if mixed:
        return said("not stored, since results of one table are to be of one model: take another --out", 1)
    labels = [[*groups(known[key] for key in part.keys)] for part in session.parts]
    if several := [label for of_part in labels if len(of_part) > 1 for label in of_part]:
        return said(f"not stored, since prompts changed between results: {'; '.join(several)}; take another --out", 1)
    if unscored := [name for name, cell in cells.items() if rows[name].measure == "score" and "blank" in cell]:
        return said(f"not stored: no score of the judge could be read for {', '.join(unscored)}", 1)
    recorded = session.models.recorded()
    marks = ["own problems"] * session.own + ["own prompts"] * (not session.style)
    why = {row: sentence for sentence, names in missing(session).items() for row in names}
    name = next(name for name, plan in PLANS.items() if plan is session.plan)
    summary = Summary(name, session.models.names, recorded.dates, marks, cells, why)
    path = summary.place(session.folder, summary.plan)
    with suppress(ValueError):  # it may have been cut: all of it is made from the results
        summary = summary.beside(Summary.load(path))
    summary.save(path)
    if older := [row for row, cell in cells.items() if summary.cells[row] != cell]:
        print(f"\nof more problems there, and left as they were: {', '.join(older)} (delete the file for those of now)")
    print(f"\nfigures: {path} (make tables RESULTS={session.folder} puts them beside the paper's)")
    return int(bool(errors))


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    sys.exit(main())
