"""A cassette's tape: its lines, read into memory. It lies below the cassettes that play it and the checks of files.

A cassette is a JSON Lines file that can be read and diffed. It has three kinds of line:

``session``
    who answered: schema, id, model, weights' SHA-256, server and version, date, settings; the price, if known; the
    settings of the model, if it has any (``model_settings``, see ``tot.lm.settings``); whether it is a ``function``
``message``
    one chat message, written once: id, role, content
``sample``
    one text: key, model, messages (ids), params, index, text, finish, prompt_tokens, completion_tokens, call,
    latency_ms, session; and where there are any, thinking, thinking_tokens, cached_tokens, chances, missing, logprob;
    and sum (``line_sum``, by which ``tot.lm.checking`` finds edited lines; older recordings have none)
"""

import json
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from ..jsonlines import FileTrouble, read_lines
from .base import Price, Sample, canonical, price_of, request_key
from .settings import Settings

SCHEMA = 1
Line = dict[str, Any]  # a line of a cassette
Place = tuple[str, int]  # a sample: key of the request, index


@dataclass(frozen=True, slots=True)
class Recorded:
    """What replay needs of a sample line: the ``sample`` itself, and what else its bill is made of."""

    sample: Sample
    prompt_tokens: int
    cached_tokens: int
    price: Price


class Tape:
    """The content of a cassette file, in memory; without a file it is empty. Raises FileTrouble if the file is damaged
    or not a cassette.
    """

    def __init__(self, path: str | Path | None) -> None:
        self.sessions: dict[str, Line] = {}
        self.prices: dict[str, Price] = {}  # by session
        self.messages: dict[str, tuple[str, str]] = {}
        self.samples: dict[Place, Recorded] = {}
        self._older: set[Place] = set()  # of them, those whose line has a key of an older version
        self.requests: dict[str, tuple[str, tuple[str, ...], Line]] = {}  # key -> model, message ids, params
        if path is not None and Path(path).exists():
            for number, line in read_lines(path):
                try:
                    self.add(line)
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    why = f"it has no {error}" if isinstance(error, KeyError) else error
                    raise FileTrouble(
                        f"{path}, line {number} is not a cassette line ({why}): is this file a cassette?"
                    ) from error

    def add(self, line: Line) -> None:
        """Add one line. Raises KeyError, TypeError or ValueError if it is malformed."""
        match line["type"]:
            case "session":
                if line["schema"] != SCHEMA:
                    raise ValueError(f"schema {line['schema']}, this version reads {SCHEMA}")
                if not isinstance(line["model"], str):
                    raise ValueError("the model must be a string")
                if self.sessions.setdefault(line["id"], line) != line:
                    raise ValueError(f"session {line['id']} is there twice: were two files joined? Keep them apart")
                self.prices[line["id"]] = (0.0, 0.0)
                Settings.of(options=line.get("model_settings"))
                if price := line.get("dollars_per_million_tokens"):
                    self.prices[line["id"]] = price_of(price)
            case "message":
                self.messages[line["id"]] = (line["role"], line["content"])
            case "sample":
                if missing := [m for m in line["messages"] if m not in self.messages]:
                    raise ValueError(f"message {missing[0]} is not in the file before it")
                if line["session"] not in self.sessions:
                    raise ValueError(f"session {line['session']} is not in the file before it")
                key, params = self._told_apart(line)
                self.requests.setdefault(key, (line["model"], tuple(line["messages"]), params))
                place, text, finish = line["index"], line["text"], line["finish"]
                thinking, logprob = line.get("thinking", ""), line.get("logprob")
                read, written = line["prompt_tokens"], line["completion_tokens"]
                thought, cached = line.get("thinking_tokens", 0), line.get("cached_tokens", 0)
                whole = all(type(n) is int and n >= 0 for n in (place, read, written, thought, cached))
                if not (whole and isinstance(text, str) and isinstance(finish, str) and isinstance(thinking, str)):
                    raise ValueError("text and finish must be strings, index and tokens whole numbers from 0")
                chances, missing = tuple(line.get("chances", ())), line.get("missing", 0.0)
                labels = self.requests[key][2].get("labels", ())
                if len(chances) not in (0, len(labels)) or not all(
                    type(p) in (int, float) and 0 <= p <= 1 for p in (*chances, missing)
                ):
                    raise ValueError("chances must be numbers from 0 to 1, one for each label")
                if logprob is not None and not (type(logprob) in (int, float) and -inf < logprob <= 0):
                    raise ValueError("a logprob must be a number of at most 0")
                sample = Sample(text, finish, written, thinking, thought, chances, missing, logprob)
                known, older = self.samples.get((key, place)), key != line["key"]
                if known and known.sample != sample:
                    twice = f"sample {place} of request {key} is there twice, with different texts or ends"
                    if older == ((key, place) in self._older):
                        raise ValueError(twice)
                    if older:  # what an older version took for two requests: the one in today's form counts
                        return
                (self._older.add if older else self._older.discard)((key, place))
                self.samples[key, place] = Recorded(sample, read, cached, self.prices[line["session"]])
            case other if other not in ("request", "reply", "refusal"):  # of `tot serve`: see tot.serve.recordings
                raise ValueError(f"unknown type {other!r}")

    def _told_apart(self, line: Line) -> tuple[str, Line]:
        """Key and parameters of a sample. Older versions did not tell by them that stop strings were not sent, and told
        1 from 1.0 in options.
        """
        key, params = line["key"], line["params"]
        settings, options = self.sessions[line["session"]].get("model_settings") or {}, params.get("options", {})
        now = canonical(written) if ".0" in (written := json.dumps(options)) else options
        if "stop" in settings and "stop" in params and "stop" not in options:
            now = {**now, "stop": None}
        if now is not options:
            messages = [list(self.messages[one]) for one in line["messages"]]
            if key == request_key(line["model"], messages, params):
                params = {**params, "options": now}
                key = request_key(line["model"], messages, params)
        return key, params

    @property
    def models(self) -> list[str]:
        """The names of the models that were recorded, in order."""
        return list(dict.fromkeys(session["model"] for session in self.sessions.values()))

    def settings(self, model: str) -> list[dict[str, Any]]:
        """The different settings with which a model was recorded, in order; {} stands for none."""
        found: list[dict[str, Any]] = []
        for session in self.sessions.values():
            plain = session.get("model_settings") or {}
            if session["model"] == model and plain not in found:
                found.append(plain)
        return found


def line_sum(line: Line) -> str:
    """The first 8 hex digits of the SHA-256 of a line in canonical JSON, without the member "sum"."""
    import hashlib

    plain = json.dumps({name: value for name, value in line.items() if name != "sum"}, sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:8]
