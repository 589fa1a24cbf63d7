"""The worded pocket model: plans, judgements, executions and votes for worded arithmetic (``studies/words``).

It has the Game-of-24 model's architecture, and a vocabulary and weights of its own.
"""

from __future__ import annotations

from pathlib import Path

from studies.words import vocabulary
from studies.words.template import REFUSAL, prompt_tokens
from tot.lm.pocket import Pocket

# where the weights will be, once a training is published
FILES = {name: Path(__file__).with_name(f"{name}.safetensors") for name in ("words", "words_small")}


def worded(size: str = "large", *, seed: int = 0, weights: str | Path | None = None, name: str | None = None) -> Pocket:
    """The worded model as an LM. ``size``: "large", or "small", the same model after an early part of its training.

    ``weights``: another file, an unfinished checkpoint for example; ``size`` then does not matter. ``name``: see
    ``Pocket``. Raises ValueError for another size, LMError for an unreadable file.
    """
    if size not in ("large", "small"):
        raise ValueError(f"the worded model is large or small, not {size!r}")
    own = FILES["words" if size == "large" else "words_small"]
    default = "pocket-words" if size == "large" else "pocket-words-small"
    return Pocket(seed, weights or own, name or default, template=prompt_tokens, vocabulary=vocabulary, refusal=REFUSAL)
