"""The lab's half in Python: what it offers, and one search at a time, in pieces, so that the page can draw and stop it.

``tools/live`` writes what the lab's own page offers into ``lab.json``, so the page is there before Python is. A page of
the book that ends a cell with a ``treebook.lab.Lab`` gets a lab for that one.
"""

import asyncio
import json
import time
from functools import cache
from pathlib import Path

from live.answers import own_model
from tot import Cassette
from tot.jsonlines import FileTrouble
from tot.lm.base import LMError
from tot.trace import Trace
from treebook.explorer.page import growing, grown
from treebook.lab import Lab, Session, form, parts

RECORDED, POCKET, OWN = "recorded", "pocket", "own"  # the models of the lab's own page
OWN_PAGE = Lab(dict.fromkeys((RECORDED, POCKET, OWN)), problem="4 9 10 13", budget="seconds=120")
BEAT = 0.2  # seconds between two pictures of the tree, at least
WATCHED = 12  # rounds of a replay, which takes no time, that one may watch: a beat each


@cache
def recordings():
    """What replays without a model, recording by recording: ``tools/live/recorded.py`` tried it."""
    return json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))


def offer():
    """What the lab's own page offers: see ``treebook.lab.form.offer``; and ``recordings``."""
    offered = form.offer(OWN_PAGE)
    return {**offered, "form": {**offered["form"], "model": POCKET}, "recordings": recordings()}


class Labs:
    """The labs of one page; number 0 is the lab's own page. ``send``: takes a message for the page."""

    def __init__(self, send):
        self.send, self.labs, self.session = send, [OWN_PAGE], None

    def add(self, lab):
        """The number of a lab of this page, for ``offer`` and ``search``."""
        self.labs.append(lab)
        return len(self.labs) - 1

    def offer(self, number):
        return json.dumps(form.offer(self.labs[number]))

    def stop(self):
        """End the search that runs, if any, at its next piece."""
        if self.session:
            self.session.stop()

    async def search(self, text):
        """Run what the page asks for, JSON: ``lab`` (its number), ``form``, and for a model of the reader's ``own``.

        Sends, as often as there is something new: ``meter`` (HTML), ``tree`` (an explorer, as HTML) and then ``grow``
        (what it has to be told), and at the end ``outcome`` and ``code`` (HTML), ``message`` (a sentence; "" if all is
        well), ``missed`` (the reply was not recorded) and ``stopped``.
        """
        asked = json.loads(text)
        try:
            await self._search(self.labs[asked["lab"]], asked["form"], asked.get("own") or {})
        except (ValueError, LMError, FileTrouble) as error:
            self._tell(message=str(error))
        except Exception as error:
            self._tell(message=f"{type(error).__name__}: {error}")
        finally:
            self.session = None

    async def _search(self, lab, plain, own):
        tried = []
        for lms in models(lab, plain, own):
            choice = form.choice(lab, plain, lms)
            self.session = session = Session(choice.job(), choice.models(), budget=choice.limits())
            tried.append((session, choice))
            await self._play(session, choice)
            if not session.missed:
                break
        else:  # what is told and drawn is the one that came furthest
            session, choice = max(tried, key=lambda one: len(one[0].solution.trace.events))
        solution, missed = session.solution, ""
        self._tell(meter=parts.meter(session.meter, session.run.budget))
        if solution.trace.events:
            if session is not self.session:
                self._tell(tree=str(growing(solution.trace)))
            self._tell(grow=grown(solution.trace, ended=True))
        if session.missed:
            missed = f"This was not recorded. {listed(plain)}" if lab is OWN_PAGE else solution.error
        self._tell(
            outcome="" if missed else parts.outcome(solution),
            code=parts.code(choice.code()),
            message=missed,
            missed=session.missed,
            stopped=solution.result.stopped,
        )

    async def _play(self, session, choice):
        """Steps through the search, and draws it as far as it is."""
        head = {"task": choice.task.name, "problem": choice.job().problem.x, "method": choice.method}
        events, replayed = session.run.recorder.events, isinstance(choice.lms, Cassette) and not choice.lms.live
        shown, rounds, due = 0, 0, 0.0

        def draw():
            nonlocal shown
            if len(events) > shown:
                trace = Trace(head, list(events))
                self._tell(**({"grow": grown(trace)} if shown else {"tree": str(growing(trace))}))
                shown = len(events)

        for meter in session:
            began = time.monotonic()
            watched = replayed and meter.rounds > rounds and rounds < WATCHED
            if began >= due or watched:
                self._tell(meter=parts.meter(meter, session.run.budget))
                draw()
                due = time.monotonic() + max(BEAT, 3 * (time.monotonic() - began))
            rounds = meter.rounds
            await asyncio.sleep(BEAT if watched else 0)  # now the page is heard
        if not shown:
            draw()

    def _tell(self, **news):
        self.send({"output_type": "lab", **news})


def models(lab, plain, own):
    """The models to try, one after the other, until one has every reply."""
    name = plain.get("model", "")
    if lab is not OWN_PAGE:
        offered = lab.all_models()
        if name not in offered:
            raise ValueError(f"there is no model {name!r} here: choose one of {', '.join(offered)}")
        return [offered[name]]
    if name == RECORDED:
        files = _files(plain)
        if not files:
            raise ValueError(f"{listed(plain)} Choose another model, or start from a recorded run.")
        return (_cassette(file) for file in files)
    if name == POCKET:
        return [_pocket()]
    if name == OWN:
        return [_own(*(str(own.get(key, "")).strip() for key in ("url", "name", "key")))]
    raise ValueError("choose who answers: the recording, the pocket model or a model of your own")


def _files(plain):
    """The cassettes that may have these runs, the likeliest first."""
    alike = [row for row in recordings() if (row["task"], row["method"]) == (plain.get("task"), plain.get("method"))]
    alike.sort(key=lambda row: row["knobs"] != {k: v for k, v in plain.get("knobs", {}).items() if k in row["knobs"]})
    return list(dict.fromkeys(row["chapter"] for row in alike))


def listed(plain):
    """One sentence: what is recorded for this task and method."""
    task, method = plain.get("task"), plain.get("method")
    alike = [row for row in recordings() if (row["task"], row["method"]) == (task, method)]
    if not alike:
        return f"The book has no recording of {method} on {task}."
    knobs = dict.fromkeys(", ".join(f"{k} {v}" for k, v in row["knobs"].items()) or "no knob turned" for row in alike)
    problems = {(row["split"], number) for row in alike for number in row["numbers"]}
    count = "one problem" if len(problems) == 1 else f"{len(problems)} problems"
    some = list(knobs)[:6]
    more = f"; and {len(knobs) - len(some)} more" if len(knobs) > len(some) else ""
    return f"Recorded of {method} on {task}, with {count}: {'; '.join(some)}{more}."


@cache
def _cassette(chapter):
    return Cassette(f"cassettes/{chapter}.jsonl", how="choose another model")


@cache
def _own(url, name, key):
    """Remembers what was paid: the same search again costs nothing."""
    return Cassette(None, own_model(url=url, name=name, key=key))


@cache
def _pocket():
    from treebook.players.routing import Pockets

    return Pockets()
