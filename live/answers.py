"""Who answers what no recording has, once a reader has changed a page: the pocket model, the reader's own, nobody.

Recorded replies always come first. What somebody else answered is remembered as long as Python runs, so that a cell
gives the same again. Nobody answers for a tool. Nothing here needs a browser.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tot.lm.base import LM, TOOL, Miss, OnReply, Reply, Request, request_key
from tot.lm.cassette import Cassette
from tot.runner import Run
from tot.solution import Job, Solution
from tot.tools import Tools
from tot.tools.mcp import Servers
from treebook.players import Pocket
from treebook.players.routing import Pockets
from treebook.players.template import Refusal

NO_KEY = "none"  # stands for a key where there is none
TOOLS = (Servers.name, Tools.name)  # what is recorded of these no language model may continue


class Answers:
    """Answers in the place of read-only cassettes.

    Without a ``model``, a cassette says what is recorded (``tot.lm.base.Miss``), as it does everywhere else. Since the
    last ``choose``: ``given``, how many samples the model gave; ``missed``, how often nobody answered.
    """

    def __init__(self) -> None:
        self.model: LM | None = None
        self.given = self.missed = 0
        # the model of a recording, the key (of no model's) and the index of a sample that it lacked: who gave it
        self._given_by: dict[tuple[str, str, int], str] = {}
        self._chosen: dict[str, LM] = {}  # by choice, because a model remembers its connection and its prices

    def choose(self, choice: str) -> None:
        """``choice``, as JSON: null for nobody, {"who": "pocket"}, or {"who": "own", "url", "name", "key"}."""
        self.given = self.missed = 0
        wanted = json.loads(choice)
        if wanted and choice not in self._chosen:
            # a cell that runs again makes a new cassette, which knows nothing of what the last one paid for
            own = wanted["who"] == "own"
            self._chosen[choice] = Cassette(None, own_model(**wanted)) if own else Pockets()
        if wanted and wanted["who"] == "own":  # a cell's own ``OpenAI(name)`` finds the server, too
            os.environ |= {"OPENAI_BASE_URL": wanted["url"], "OPENAI_API_KEY": wanted.get("key") or NO_KEY}
        self.model = self._chosen.get(choice)

    def can(self, request: Request) -> bool:
        """Whether the model may be asked this. The pocket models were trained on the prompts of one task each."""
        try:
            return not isinstance(self.model, Pocket) or bool(self.model.template(request))
        except Refusal:
            return False

    def install(self) -> None:
        """From now on every ``Cassette`` without a live model of its own asks here before it gives up, and a solution
        names all who answered.
        """
        replay: Callable[..., list[Reply]] = Cassette.__call__
        finish: Callable[..., Solution] = Job.finish

        def call(tape: Cassette, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
            try:
                return replay(tape, requests, on_reply)
            except Miss:
                if self.model and tape.name in TOOLS:
                    raise Miss(
                        f"a tool is called with what {tape.path.name} does not have, and no language model may answer"
                        " for it: ask for what is recorded, or use the tools themselves outside this page"
                    ) from None
                if self.model is None or not all(self.can(each) for each, _, _ in unrecorded(tape, requests)):
                    self.missed += 1
                    raise
            missing = {(tape.name, each.key(""), i): place for each, i, place in unrecorded(tape, requests)}
            tape.live = self.model
            try:
                return replay(tape, requests, on_reply)
            finally:
                tape.live = None
                given = [sample for sample, place in missing.items() if place in tape.tape.samples]
                self._given_by |= dict.fromkeys(given, self.model.name)
                self.given += len(given)

        def theirs(name: str) -> property:  # of the model that answers, as of one that a cassette records

            def value(tape: Cassette) -> bool:
                if tape.live is None and (self.model or name == "unpriced"):  # what is recorded costs nothing here
                    return bool(self.model and getattr(self.model, name))
                return bool(tape.__dict__.get(name))

            return property(value, lambda tape, value: tape.__dict__.__setitem__(name, value))

        def finished(job: Job, run: Run) -> Solution:
            solution = finish(job, run)
            solution.lm = solution.trace.head["lm"] = self.who(solution)
            return solution

        Job.finish = finished
        Cassette.__call__ = call
        Cassette.batched, Cassette.unpriced = theirs("batched"), theirs("unpriced")

    def who(self, solution: Solution) -> str:
        """Who gave the replies of a solution: the model of its recording alone, or all, with how many each gave."""
        gave: Counter[str] = Counter()
        roles = dict(one.split("=", 1) for one in solution.lm.split(", ") if "=" in one)
        for event in solution.trace.events:
            name = roles.get(event.get("role", ""), roles.get("default", solution.lm))
            for asked in event.get("requests", ()) if event.get("role") != TOOL else ():
                key = request_key("", [[m["role"], m["content"]] for m in asked["messages"]], asked["params"])
                places = ((name, key, asked["first"] + i) for i in range(len(asked["samples"])))
                gave.update(self._given_by.get(place, solution.lm) for place in places)
        if set(gave) <= {solution.lm}:
            return solution.lm
        return gave.popitem()[0] if len(gave) == 1 else ", ".join(f"{name} ({n} replies)" for name, n in gave.items())


def unrecorded(tape: Cassette, requests: Sequence[Request]) -> list[tuple[Request, int, tuple[str, int]]]:
    """The samples that the cassette lacks: the request and the index of each, and its place on the tape."""
    places = ((each, i, (tape.applied(each).key(tape.name), i)) for each in requests for i in each.indices)
    return [sample for sample in places if sample[2] not in tape.tape.samples]


def own_model(url: str, name: str, key: str = "", **_: Any) -> LM:
    """The model that a reader named; it alone has the key. Raises ValueError for what is missing."""
    from tot.lm.openai import OpenAI

    if not url.startswith(("http://", "https://")) or not name:
        raise ValueError(
            "a model of your own needs its server's base URL, such as http://127.0.0.1:11434/v1, and a name"
        )
    return OpenAI(name, base_url=url, api_key=key or NO_KEY)
