"""How many replies of a real model cannot be read, as plain text and as JSON that the server enforces?

    python -m studies.structured --model NAME --base-url http://127.0.0.1:8101/v1 [--items 24] [--out FILE]

The same questions twice, each as its task asks it and as its form asks it: verdicts and next steps in the Game of 24,
ballots on plans and judges' scores of plans for the questions of the book. Beside them the same verdicts with their
probabilities: how much of the probability was on no verdict? What has been answered is kept in a cassette beside the
results, so a stopped run goes on where it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies.figures import Figures, numbers, write
from studies.options import options
from studies.search_pays.measure import pool
from studies.trials import GAME
from tot import stats
from tot.lm.base import LM, Request
from tot.lm.openai import OpenAI
from tot.parse import Read
from tot.show.escaping import visible
from tot.stats import wilson
from treebook.forms import structured

RESULTS = Path("studies/results/structured.json")
PLANS = 3  # on each ballot
ZERO_SHOT = tot.task("gsm8k")

Kind = list[tuple[Callable[[Any], Request], Callable[[Any, str], list[Read[Any]]]]]


def asked(lm: LM, requests: Sequence[Request], reads: Sequence[Callable[[str], list[Read[Any]]]]) -> Figures:
    """How many replies had nothing that could be read, why, how many were cut off, and the tokens written."""
    replies = lm(requests)
    whys: Counter[str] = Counter()
    for reply, read in zip(replies, reads, strict=True):
        found = read(reply.texts[0])
        if not any(each.ok for each in found):
            whys[found[0].why] += 1
    n, unread = len(requests), whys.total()
    return {
        "n": n,
        "unread": unread,
        "rate": numbers(wilson(unread, n)),
        "why": dict(whys.most_common()),
        "cut off": sum(reply.samples[0].finish == "length" for reply in replies),
        "tokens a reply": round(fmean(reply.samples[0].completion_tokens for reply in replies), 1),
    }


def both(
    lm: LM, plain: Any, ask: Callable[[Any, Any], Request], read: Callable[..., Any], about: Sequence[Any]
) -> Figures:
    """The same questions in plain text and as forms. ``ask(task, item)``; ``read(task, item, text)``."""
    figures = {}
    for name, task in (("plain", plain), ("structured", structured(plain))):
        requests = [ask(task, item) for item in about]
        reads = [lambda text, task=task, item=item: _list(read(task, item, text)) for item in about]
        figures[name] = asked(lm, requests, reads)
    return figures


def _list(found: Any) -> list[Read[Any]]:
    return list(found) if isinstance(found, list | tuple) else [found]


def study(lm: LM, items: int) -> Figures:
    """All kinds of replies, ``items`` of each (of ballots as many as there are questions, at most)."""
    states = pool(GAME.problems("hard"))
    some = [state for size in (3, 2) for alive in (True, False) for _, state in states[size][alive][::4][: items // 4]]
    roots = [tot.State(p.x) for p in GAME.problems("hard")[:: 100 // items][:items]]
    questions = [tot.State(p.x) for p in ZERO_SHOT.problems(next(iter(ZERO_SHOT.splits())))[:items]]
    written = lm([ZERO_SHOT.plan(question, "").samples(0, PLANS) for question in questions])
    planned = [
        [state.then(read.value) for text in reply.texts for read in ZERO_SHOT.read_plan(state, text) if read.value]
        for state, reply in zip(questions, written, strict=True)
    ]
    ballots = [plans for plans in planned if len(plans) > 1]
    plans = [some[0] for some in planned if some]
    found = {
        "verdicts": both(lm, GAME, lambda t, s: t.value(s), lambda t, s, text: t.read_value(text), some),
        "next steps": both(
            lm, GAME, lambda t, s: t.propose(s, "one-shot"), lambda t, s, text: t.read_proposals(s, text), roots
        ),
        "ballots": both(
            lm, ZERO_SHOT, lambda t, s: t.ballot(s), lambda t, s, text: t.read_ballot(text, len(s)), ballots
        ),
        "scores": both(
            lm, ZERO_SHOT, lambda t, s: t.assess(s, "logic"), lambda t, s, text: t.read_assessment(text), plans
        ),
    }
    labelled = [replace(GAME.value(state), temperature=0.0, labels=tuple(GAME.verdicts)) for state in some]
    missing = [reply.samples[0].missing for reply in lm(labelled)]
    odds = {"n": len(missing), "mean": round(fmean(missing), 4), "no verdict": sum(m == 1 for m in missing)}
    odds["mean where there is one"] = round(fmean([m for m in missing if m < 1] or [0.0]), 4)
    return {"replies": found, "missing mass": odds}


def as_table(found: Figures) -> str:
    """The unread replies as a table in Markdown, for the manual."""
    lines = ["| replies | n each | unread as plain text | unread as JSON |", "|---|---|---|---|"]
    for kind, figures in found["replies"].items():
        cells = [f"{row['unread']}: {stats.Interval(*row['rate'], row['n'])}" for row in figures.values()]
        lines.append(f"| {kind} | {figures['plain']['n']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    a = options(__doc__, arguments, model="", base_url=str, items=(24, "questions of each kind, from 4"), out=RESULTS)
    live = OpenAI(a.model, base_url=a.base_url, timeout=1800.0)
    try:
        with tot.Cassette(a.out.with_suffix(".cassette.jsonl"), live) as lm:
            found = {"model": lm.name, "date": time.strftime("%Y-%m-%d"), **study(lm, a.items)}
    except tot.LMError as error:
        raise SystemExit(f"structured: {visible(str(error))}") from None
    write(found, a.out)
    print(as_table(found))


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    main()
