"""The pocket model in a browser: ``pocket.js`` as the engine of ``Pocket``, for Python that runs in Pyodide.

Python and the JavaScript share a thread (a web worker, so that the page does not freeze). Each step of ``generate``,
one token for each sample in progress, takes some milliseconds and comes back to Python: that is where a call can be
interrupted or cancelled, and where finished samples are reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tot.lm.base import LMError

from .jobs import Done, Sampling, at_end

if TYPE_CHECKING:
    from .model import Weights

SCRIPT = Path(__file__).with_name("pocket.js")


class BrowserEngine:
    """An ``Engine``: the model in a safetensors file (half or single precision), computed by ``pocket.js``.

    Raises LMError outside a browser, and for an unreadable file.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            from pyodide.code import run_js
            from pyodide.ffi import JsException, create_proxy, to_js
        except ImportError as error:
            raise LMError("pocket.js runs in a browser only: elsewhere leave out engine=BrowserEngine(...)") from error
        self._path, self._to_js, self._proxy = path, to_js, create_proxy
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise LMError(f"cannot read the pocket model's weights at {path}: {error.strerror or error}") from error
        try:
            self._model = run_js(SCRIPT.read_text(encoding="utf-8")).load(to_js(data))
        except JsException as error:
            why = error.message
            raise LMError(f"{path} does not hold a pocket model's weights ({why}): restore the file") from error
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.metadata: Mapping[str, str] = self._model.metadata.to_py()
        self.context: int = self._model.context
        self.settings: Mapping[str, Any] = {"javascript": "simd" if self._model.simd else "plain"}

    @property
    def weights(self) -> Weights:
        """The arrays, where numpy is. Raises ImportError where it is not."""
        from .model import load

        return load(self._path)

    def generate(self, jobs: Sequence[Sampling]) -> Iterator[list[Done]]:
        """As numpy's engine, with the same samples (see ``pocket.js`` for what rounding may change)."""
        from js import Object

        ended = [None if job.ended is at_end else self._proxy(job.ended) for job in jobs]
        plain = [
            {
                "prompt": list(job.prompt),
                "first": job.samples.start,
                "keys": [hex(job.key(i)) for i in job.samples],
                "limit": job.limit,
                "temperature": job.temperature,
                "topP": job.top_p,
                "ended": function,
                "logprobs": job.logprobs,
            }
            for job, function in zip(jobs, ended, strict=True)
        ]
        steps = self._model.generate(self._to_js(plain, dict_converter=Object.fromEntries))
        try:
            for step in steps:
                yield [Done(one.job, one.index, one.tokens.to_py(), one.ended, one.logprob) for one in step]
        finally:  # also where a call was interrupted
            steps.close()
            for function in filter(None, ended):
                function.destroy()

    def log_probabilities(self, prompts: Sequence[Sequence[int]]) -> list[list[float]]:
        """See ``Engine``."""
        return [self._model.logProbabilities(self._to_js(list(prompt))).to_py().tolist() for prompt in prompts]
