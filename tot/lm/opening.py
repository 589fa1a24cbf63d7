"""What may stand for a model: a text such as "pocket" or "openai:MODEL" (``open``), or a function from text to text."""

from contextlib import suppress
from pathlib import Path
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from .. import doors
from ..moved import absent
from .base import LM, as_lm
from .cassette import Cassette
from .settings import NAMES, Settings
from .tape import Tape

GROUP = "tot.models"
OWN = {  # the words that are read here, with what each means
    "openai": "openai:MODEL: a model of an OpenAI-compatible server",
    "cassette": "cassette:FILE: replay a recording",
    "replay": "replay:MODEL: replay only the replies of that model in the file given with --cassette",
}
HOW = "give a live model, such as openai:MODEL, in addition to the cassette"


def open(spec: str = "", *, cassette: str | Path | None = None, how: str = HOW, **server: Any) -> LM:
    """The model that ``spec`` names; with ``cassette``, recorded replies are replayed and missing ones are recorded.

    ``spec``: "openai:MODEL", "cassette:FILE", "NAME" or "NAME:REST" of an entry of ``tot.models`` (such as "pocket"
    and "pocket:SEED"; see ``tot.doors``), or, read-only, "replay:MODEL" (that model's replies in the cassette) or ""
    (the replies in the cassette). ``how``: how to record missing replies, for error messages. ``server``: further
    arguments of ``tot.lm.openai.OpenAI``, such as base_url, timeout, prices, and the settings of the model
    (temperature, options, think_tokens, profile, keep_thinking); an entry gets them, too. In a replay, settings choose
    among those that were recorded.

    Close the result if it is a ``Cassette``. Raises ValueError for a spec that cannot be read and for an entry that
    cannot be loaded, FileTrouble for a file that is not a cassette, LMError for an unreadable URL or price table.
    """
    kind, _, name = spec.partition(":")
    chosen = {name: value for name, value in server.items() if name in NAMES}
    settings = Settings.of(**chosen) if chosen.keys() - {"keep_thinking"} else None
    prices, keep = server.get("prices"), server.get("keep_thinking", True)
    if kind == "cassette" and name and cassette is None:
        return _replay(name, None, settings, how, prices, keep)
    if not spec or (kind == "replay" and name):
        if cassette is None:
            raise ValueError(f"{spec or 'a replay'} needs a recording: give a cassette")
        return _replay(cassette, name or None, settings, how, prices, keep)
    brought = doors.names(GROUP) if kind not in OWN else []
    if kind == "openai" and name:
        from .openai import OpenAI

        live: LM = OpenAI(name, **server)
    elif kind in brought:
        live = as_lm(doors.load(GROUP, kind)(name, **server))
        if name and not f"/{live.name}".replace(":", "/").endswith(f"/{name}".replace(":", "/")):
            with suppress(AttributeError):  # a name that cannot be set
                live.name = f"{live.name}:{name}"  # another text is another model, for recordings and results
    else:
        others = f", or one of {', '.join(brought)}" if brought else ""
        raise ValueError(f"cannot read {spec!r}: write openai:MODEL, for example openai:gpt-4o{others}")
    live.opened = spec, server
    return live if cassette is None else Cassette(cassette, live, how=how, keep_thinking=keep)


def _replay(
    cassette: str | Path, model: str | None, settings: Settings | None, how: str, prices: Any, keep: bool
) -> Cassette:
    known = Tape(cassette).models if Path(cassette).exists() else []
    if model is None and len(known) > 1:
        raise ValueError(
            f"{cassette} holds {len(known)} models: choose replay:{known[0]}, or another of {', '.join(known)}"
        )
    if model and known and model not in known:
        raise ValueError(f"{cassette} holds no replies of {model!r}: choose one of {', '.join(known)}")
    return Cassette(cassette, model=model, asked_with=settings, how=how, prices=prices, keep_thinking=keep)


def spellings() -> str:
    """What ``spec`` may be, for help texts: of an entry the first paragraph of its docstring, which loads it."""
    made, refused = doors.load_all(GROUP, OWN)
    told = {name: " ".join((each.__doc__ or "").split("\n\n")[0].split()) for name, each in made.items()}
    return "; ".join([*(f"{name}: {about}".rstrip(": .") for name, about in (told | refused).items()), *OWN.values()])


def model(lm: Any) -> LM:
    """The model that a text names (see ``tot.lm.open``), or a function is. Raises TypeError for anything else."""
    if isinstance(lm, str):
        return open(lm)
    if isinstance(lm, FunctionType | MethodType):
        from .functions import Plain

        return Plain(lm)
    raise TypeError(
        f"{lm!r} is not a language model: pass a text such as 'pocket' or 'openai:MODEL', a function from text to text,"
        " an instance of tot.LM, or a callable with a name that takes a list of requests; for several models, pass a"
        " dictionary from roles to models"
    )


if not TYPE_CHECKING:  # a name that moved
    __getattr__ = absent(__name__)
