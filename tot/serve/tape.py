"""The lines of ``tot serve`` in a cassette. Others in the file are those of ``tot.lm.tape``, and stay as they are.

``request``
    the body of a chat completion, written once: key (its hash), body (``Asked.same``)
``reply``
    one sample: key, index, choice (all of it as the server gave it), usage (of its call, which gave ``of`` choices),
    answer (the other members of the server's answer: id, model, created ...), date

Both end with sum (``tot.lm.tape.line_sum``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..jsonlines import Appender, FileTrouble, read_lines
from ..lm.tape import Line, Place, Tape, line_sum
from ..show.escaping import line as one_line
from .asked import Asked


class Replies:
    """The recorded replies of a file, in memory; with ``writes`` also its only writer, which locks it.

    ``requests``: key -> the body that is recorded; ``samples``: (key, index) -> the line of the reply. Raises
    FileTrouble if the file is no cassette, is damaged, or is being written by another program.
    """

    def __init__(self, path: str | Path, *, writes: bool = False) -> None:
        self.path = Path(path)
        self.requests: dict[str, dict[str, Any]] = {}
        self.samples: dict[Place, Line] = {}
        self._writer = Appender(path) if writes else None  # locks the file: it must not change while it is read
        Tape(path)
        for number, line in read_lines(path) if self.path.exists() else ():
            try:
                self._add(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                why = f"it has no {error}" if isinstance(error, KeyError) else error
                raise FileTrouble(f"{path}, line {number} is not as `tot serve` writes it ({why})") from error

    def _add(self, line: Line) -> None:
        if line["type"] == "request":
            model, messages = line["body"]["model"], line["body"]["messages"]
            if not (isinstance(model, str) and isinstance(messages, list) and messages):
                raise ValueError("the model must be a text, and messages a list of some")
            self.requests[line["key"]] = line["body"]
        elif line["type"] == "reply":
            objects = (line["choice"]["message"], line["usage"], line["answer"], self.requests[line["key"]])
            if not (all(isinstance(each, dict) for each in objects) and line["index"] >= 0 and line["of"] >= 1):
                raise ValueError("message, usage and answer must be objects, index and of numbers")
            self.samples[line["key"], line["index"]] = line

    def write(self, asked: Asked, indices: Sequence[int], whole: Mapping[str, Any], hide: Callable[[str], str]) -> None:
        """Record the choices of a completion under these indices, in one write. ``hide`` takes secrets out of the
        request's text, should a client have put them there. Raises FileTrouble.
        """
        answer = {name: value for name, value in whole.items() if name not in ("choices", "usage", "object")}
        lines, usage = list[Line](), whole.get("usage")
        if asked.key not in self.requests:
            body = json.loads(hide(json.dumps(asked.same, ensure_ascii=False)))
            lines.append({"type": "request", "key": asked.key, "body": body})
        for index, choice in zip(indices, whole["choices"], strict=False):
            line: Line = {"type": "reply", "key": asked.key, "index": index}
            line["choice"] = {name: value for name, value in choice.items() if name != "index"}
            line |= {"usage": usage if isinstance(usage, dict) else {}, "of": len(whole["choices"]), "answer": answer}
            lines.append(line | {"date": time.strftime("%Y-%m-%d")})
        lines = [line | {"sum": line_sum(line)} for line in lines]
        if self._writer:
            self._writer.write(*lines)
        for line in lines:
            self._add(json.loads(json.dumps(line)))  # exactly what a later replay will read

    @property
    def models(self) -> list[str]:
        """The models that were asked for, in order."""
        return list(dict.fromkeys(body["model"] for body in self.requests.values()))

    def close(self) -> None:
        """Close the file, so that another writer can open it."""
        if self._writer:
            self._writer.close()


def told(path: str | Path) -> str:
    """What a file has recorded, as text: each request by its last message, and its replies; "" if it has none."""
    try:
        replies = Replies(path)
    except FileTrouble:
        return ""
    lines = {}
    for key, body in replies.requests.items():
        lines[key] = [f"{body['model']}: {one_line(body['messages'][-1])}"]
    for (key, index), line in replies.samples.items():
        lines[key].append(f"  {index}: {one_line(line['choice']['message'])}")
    return "\n".join(line for each in lines.values() for line in each)
