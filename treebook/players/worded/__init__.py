"""The worded pocket model: plans, judgements, executions and votes for worded arithmetic (``studies/words``).

It has the Game-of-24 model's architecture, and a vocabulary and weights of its own.
"""

from pathlib import Path

from .. import Pocket
from . import vocabulary
from .template import REFUSAL, prompt_tokens

__all__ = ["worded"]

FILES = {size: Path(__file__).with_name(f"{size}.safetensors") for size in ("large", "small")}


def worded(size: str = "large", *, seed: int = 0, weights: str | Path | None = None, name: str | None = None) -> Pocket:
    """The worded model as an LM. ``size``: "large", or "small", the same model before its training was over.

    ``weights``: another file, an unfinished checkpoint for example; ``size`` then does not matter. ``name``: see
    ``Pocket``. Raises ValueError for another size, LMError for an unreadable file.
    """
    if size not in FILES:
        raise ValueError(f"the worded model is large or small, not {size!r}")
    name = name or ("pocket-words" if size == "large" else "pocket-words-small") + f":{seed}" * bool(seed)
    return Pocket(seed, weights or FILES[size], name, template=prompt_tokens, vocabulary=vocabulary, refusal=REFUSAL)
