"""Recorded replies as a model: replay, and recording of what is missing.

A cassette has these lines beside those of ``tot.lm.tape``: ``request``, a body, and ``reply``, one sample of it. What
they hold is in book/schemas/cassette.schema.json.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..jsonlines import Appender
from ..lm.checking import difference
from ..lm.completion import billed
from ..lm.tape import Line, Place, Tape, line_sum
from ..show.escaping import line as one_line
from .asked import Asked, Refused

if TYPE_CHECKING:
    from .upstream import Behind


class Recordings(Tape):
    """Answers from the file at ``path``. What is missing is asked of the server ``behind`` and written: then this is
    the file's only writer, and locks it. ``model``: for requests that name none. ``how``: how to record.

    ``bodies``: key -> a request; ``replies``: (key, index) -> the line of a sample; ``missed``: the first message of
    something missing. Raises FileTrouble if the file is no cassette, is damaged, or is written by another program.
    """

    def __init__(self, path: str | Path, behind: Behind | None = None, *, model: str = "", how: str = "") -> None:
        self.path, self.behind, self.how = Path(path), behind, how
        self.bodies: dict[str, dict[str, Any]] = {}
        self.replies: dict[Place, Line] = {}
        self.missed, self.model = "", model
        self._coming: dict[Place, asyncio.Task[None]] = {}
        self._writer = Appender(path) if behind else None  # locks the file: it must not change while it is read
        super().__init__(path)
        if len(self.offered) == 1:
            [self.model] = self.offered

    def add(self, line: Line) -> None:
        """As ``Tape`` does; and these lines, too."""
        match line:
            case {"type": "request", "key": key, "body": {"model": str(), "messages": [_, *_]}}:
                self.bodies[key] = line["body"]
            case {"type": "reply", "key": key, "index": int(index), "of": int(of), "choice": {"message": {}}} if (
                key in self.bodies and index >= 0 and of >= 1 and isinstance(line["usage"], dict)
            ):
                self.replies[key, index] = line
            case {"type": "request" | "reply"}:
                raise ValueError("nothing that `tot serve` writes")
            case _:
                super().add(line)

    @property
    def offered(self) -> list[str]:
        """The models that can be asked for: ``model``, if there is one, and those that were."""
        return [*dict.fromkeys(filter(None, (self.model, *(body["model"] for body in self.bodies.values()))))]

    async def answer(self, asked: Asked, numbers: Sequence[int], key: str) -> dict[str, Any]:
        """A completion of these samples, recorded now if they were not; ``key``: the client's. Raises Refused."""
        places = [(asked.key, number) for number in numbers]
        while missing := [place for place in places if place not in self.replies]:
            if not self.behind:
                raise await self._missed(asked, missing[0][1])
            if mine := [place for place in missing if place not in self._coming]:
                task = asyncio.create_task(self._record(self.behind, asked, mine, key))
                task.add_done_callback(lambda done: done.cancelled() or done.exception())  # the client may have left
                self._coming |= dict.fromkeys(mine, task)
            for task in {self._coming[place] for place in missing}:
                await asyncio.shield(task)
        return _completion([self.replies[place] for place in places])

    def close(self) -> None:
        """Close the file, so that another writer can open it."""
        if self._writer:
            self._writer.close()

    def __str__(self) -> str:
        """Each request by its last message, and its replies."""
        told = {key: [f"{body['model']}: {_said(body['messages'][-1])}"] for key, body in self.bodies.items()}
        for (key, index), line in self.replies.items():
            told[key].append(f"  {index}: {_said(line['choice']['message'])}")
        return "\n".join(line for some in told.values() for line in some)

    async def _record(self, behind: Behind, asked: Asked, places: list[Place], key: str) -> None:
        try:
            whole = await behind.complete(asked, len(places), key)
            choices, usage, _ = (whole.pop(name, None) for name in ("choices", "usage", "object"))
            about: Line = {"usage": usage if isinstance(usage, dict) else {}, "of": len(choices), "answer": whole}
            about["date"] = time.strftime("%Y-%m-%d")
            made: list[Line] = []
            if asked.key not in self.bodies:
                made.append({"type": "request", "key": asked.key, "body": asked.same})
            for (_, index), choice in zip(places, choices, strict=False):
                same = {name: value for name, value in choice.items() if name != "index"}
                made.append({"type": "reply", "key": asked.key, "index": index, "choice": same, **about})
            clean = (behind.scrubbed(line, key) for line in made)
            made = [line | {"sum": line_sum(line)} for line in clean]
            if self._writer:
                self._writer.write(*made)
            for line in made:
                self.add(line)
        finally:
            for place in places:
                del self._coming[place]

    async def _missed(self, asked: Asked, number: int) -> Refused:
        if number and asked.key in self.bodies:
            why = f"it is recorded, but not for the {number + 1}th time (POST /reset begins to count anew)"
        else:
            some = map(_lines, islice([*self.bodies.values()], 10_000))  # a second or two, if they are long
            why = await asyncio.to_thread(difference, _lines(asked.same), some)
        message = f"this request is not recorded in {self.path.name}: {why}; to record, {self.how}"
        self.missed = self.missed or message
        return Refused(422, message, "not_recorded")


def _completion(samples: Sequence[Line]) -> dict[str, Any]:
    """The completion whose choices are these samples; of those of one call, just what its server answered."""
    choices = [{"index": place, **sample["choice"]} for place, sample in enumerate(samples)]
    usage, prompt = dict(samples[0]["usage"]), billed(samples[0], "prompt_tokens")
    written = round(sum(billed(sample, "completion_tokens") / sample["of"] for sample in samples))
    if written != billed(samples[0], "completion_tokens"):
        usage |= {"completion_tokens": written, "total_tokens": prompt + written}
    return {**samples[0]["answer"], "object": "chat.completion", "choices": choices, "usage": usage}


def _lines(body: Mapping[str, Any]) -> list[str]:
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",\n", ": "))
    return text.replace("\\n", "\n").split("\n")


def _said(message: Any) -> str:
    text = message.get("content") if isinstance(message, dict) else ""
    return one_line(text or message)
