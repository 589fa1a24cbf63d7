"""What ``Pocket`` gives to an engine and gets back. An engine does the arithmetic: ``engine`` has numpy's.

Nothing here needs numpy, so that ``Pocket`` runs where there is none (``browser``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .tokens import END


@dataclass(frozen=True)
class Sampling:
    """A prompt, and how to sample replies to it.

    ``limit``: most tokens per sample; prompt and limit together fit the context. ``key(i)``: the key, from 0 to
    2**128 - 1, from which the random numbers of sample i are derived. ``ended(tokens)``: True if this reply is
    complete. ``logprobs``: whether to tell how likely each sample was (``Done.logprob``).
    """

    prompt: Sequence[int]
    samples: range
    limit: int
    temperature: float
    top_p: float
    key: Callable[[int], int]
    ended: Callable[[Sequence[int]], bool]
    logprobs: bool = False


@dataclass(frozen=True)
class Done:
    """Sample ``index`` of job number ``job``: its tokens, and whether it is complete (or was cut off).

    ``logprob``: if the job has ``logprobs``, the natural logarithm of the probability of these tokens at temperature 1.
    """

    job: int
    index: int
    tokens: list[int]
    ended: bool
    logprob: float = 0.0


def at_end(tokens: Sequence[int]) -> bool:
    """Is the end token the last one? The ``ended`` of a job without stop strings."""
    return tokens[-1] == END


class Vocabulary(Protocol):
    """What a model's tokens mean: a module such as ``tokens``. Its token ``END`` is 0."""

    def encode(self, text: str) -> list[int]:
        """Raises ValueError for a text that no tokens stand for."""
        ...

    def decode(self, tokens: Iterable[int]) -> str:
        """The text up to the first END."""
        ...


class Engine(Protocol):
    """A model's weights, and the arithmetic that samples from them.

    Another engine for ``Pocket(engine=...)`` draws the same samples, up to rounding, if it takes its numbers from
    Philox with the sample's key (``engine.uniforms``) and its tokens as ``engine.probabilities`` and ``engine.inverse``
    do.

    ``sha256``: of the file of weights, 64 hex digits. ``metadata``: of the file. ``context``: the most tokens of prompt
    and reply together. ``settings``: plain data about the arithmetic, for recordings.
    """

    sha256: str
    metadata: Mapping[str, str]
    context: int
    settings: Mapping[str, Any]

    def generate(self, jobs: Sequence[Sampling]) -> Iterator[list[Done]]:
        """Draw all samples of all jobs; after each step, one token for each in progress, yield the finished ones."""
        ...

    def log_probabilities(self, prompts: Sequence[Sequence[int]]) -> list[list[float]]:
        """For each prompt the logarithms [V] of the probabilities, at temperature 1, of the token that follows it."""
        ...
