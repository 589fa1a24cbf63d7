"""``tot.lm.open``: a model from a string, as used by the command line, the lab and the studies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .base import LM
from .cassette import Cassette
from .settings import NAMES, Adjusted, Settings, described
from .tape import Tape

SPELLINGS = (
    "pocket: the small models included with tot, which know game24 and the problems of gsm8k's split pocket (pocket:7"
    " draws other samples; pocket-words: the one for gsm8k alone; pocket-words-small: a weaker one); openai:MODEL: a"
    " model of an OpenAI-compatible server; cassette:FILE: replay a recording; replay:MODEL: replay only the replies of"
    " that model in the file given with --cassette"
)
POCKETS = ("pocket", "pocket-words", "pocket-words-small")
HOW = "give a live model, such as openai:MODEL, in addition to the cassette"


def open(spec: str = "", *, cassette: str | Path | None = None, how: str = HOW, **server: Any) -> LM:
    """The model that ``spec`` names; with ``cassette``, recorded replies are replayed and missing ones are recorded.

    ``spec``: a name in POCKETS, "pocket:SEED", "openai:MODEL", "cassette:FILE", or, read-only, "replay:MODEL" (that
    model's replies in the cassette) or "" (the replies in the cassette). ``how``: how to record missing replies, for
    error messages. ``server``: further arguments of ``tot.lm.openai.OpenAI``, such as base_url, timeout, prices, and
    the settings of the model (temperature, options, think_tokens, profile, keep_thinking). The pocket model takes of
    these only the temperature and top_p. In a replay, settings choose among those that were recorded.

    Close the result if it is a ``Cassette``. Raises ValueError for a spec that cannot be read, FileTrouble for a file
    that is not a cassette, LMError for an unreadable URL or price table.
    """
    kind, _, name = spec.partition(":")
    chosen = {name: value for name, value in server.items() if name in NAMES}
    settings = Settings.of(**chosen) if chosen.keys() - {"keep_thinking"} else None
    if kind == "cassette" and name and cassette is None:
        return _replay(name, None, settings, how)
    if not spec or (kind == "replay" and name):
        if cassette is None:
            raise ValueError(f"{spec or 'a replay'} needs a recording: give a cassette")
        return _replay(cassette, name or None, settings, how)
    if kind in POCKETS and re.fullmatch(r"\d{0,9}", name):
        live = _pocket(kind, int(name or 0), settings or Settings())
    elif kind == "openai" and name:
        from .openai import OpenAI

        live = OpenAI(name, **server)
    else:
        raise ValueError(f"cannot read {spec!r}: write pocket, or openai:MODEL, for example openai:gpt-4o")
    live.opened = spec, server
    return live if cassette is None else Cassette(cassette, live, how=how)


def _replay(cassette: str | Path, model: str | None, settings: Settings | None, how: str) -> Cassette:
    known = Tape(cassette).models if Path(cassette).exists() else []
    if model is None and len(known) > 1:
        raise ValueError(
            f"{cassette} holds {len(known)} models: choose replay:{known[0]}, or another of {', '.join(known)}"
        )
    if model and known and model not in known:
        raise ValueError(f"{cassette} holds no replies of {model!r}: choose one of {', '.join(known)}")
    return Cassette(cassette, model=model, asked_with=settings, how=how)


def _pocket(kind: str, seed: int, settings: Settings) -> LM:
    from treebook.players.routing import opened

    plain = settings.to_dict()
    if unknown := {name: value for name, value in plain.items() if name not in ("temperature", "top_p")}:
        raise ValueError(f"the pocket model has no {described(unknown)}: it takes a temperature and top_p only")
    live = opened(kind, seed)
    return Adjusted(live, settings) if plain else live
