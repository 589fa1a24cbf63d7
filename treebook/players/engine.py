"""Fast batched sampling from the pocket model, where a sample does not depend on what else is in the batch.

Speed comes from three standard techniques of inference servers: keys and values of earlier tokens are cached, the
samples of one prompt share its *prefill*, and a finished sample is replaced by the next one (*continuous batching*).

Float32 sums depend on their order, which a matrix library chooses by the shapes of the matrices. To make a sample
independent of the rest of the batch:

- Products with weights are computed in tiles of exactly TILE rows. (That a row's result does not depend on its place in
  the tile is not guaranteed; a test checks it.)
- Attention of a token at position p reads the cache up to the next multiple of BUCKET after p, one sample at a time.
- Random numbers are derived from the sample, not from the order in which samples are drawn.

TILE is small so that OpenBLAS uses one thread: on a busy machine its threads wait for each other for hundreds of
milliseconds, and on an idle machine four rows at a time take little longer than all at once.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jobs import Done, Sampling
from .model import Array, Weights, load, relu_squared, rms_norm, softmax

TILE = 4  # rows in every product with weights
BUCKET = 32  # attention lengths are multiples of this
ROWS = 256  # samples in flight, at most
MEMORY = 200_000_000  # most bytes for the cache: with long samples it has fewer rows
AHEAD = 1024  # most prompt tokens computed together (unless a single prompt has more)
JOINING = 2048  # approximate limit on new prompt tokens per step: until placed, they are stored outside the cache


class NumpyEngine:
    """An ``Engine``: the model in a safetensors file, computed with numpy. ``weights``: the arrays (``model.Weights``).

    Raises LMError for an unreadable file.
    """

    def __init__(self, path: str | Path) -> None:
        self.weights = load(path)
        self.sha256, self.metadata, self.context = self.weights.sha256, self.weights.metadata, self.weights.context
        self.settings: Mapping[str, Any] = {"numpy": np.__version__}

    def generate(self, jobs: Sequence[Sampling]) -> Iterator[list[Done]]:
        """See ``Engine``: the samples have the same bits in any batch."""
        return generate(self.weights, jobs)

    def log_probabilities(self, prompts: Sequence[Sequence[int]]) -> list[list[float]]:
        """See ``Engine``: all prompts in one batch."""
        logs: list[list[float]] = log_softmax(next_logits(self.weights, prompts)).tolist()
        return logs


@dataclass(eq=False)
class _Row:
    """A sample in progress. ``logits`` [V] are for its next token; ``position`` is that of its newest token, which is
    not yet in the cache.

    ``slot`` is its row in the cache, -1 before it has one; until then ``prompt`` holds the prompt's keys and values
    [2, layers, H, T, D / H], shared by the samples of a prompt.
    """

    number: int
    job: Sampling
    index: int
    prompt: Array | None
    logits: Array
    uniforms: Sequence[float]
    position: int
    tokens: list[int] = field(default_factory=list)
    slot: int = -1
    logprob: float = 0.0  # of ``tokens``, if the job wants it


def generate(weights: Weights, jobs: Sequence[Sampling]) -> Iterator[list[Done]]:
    """Draw all samples of all jobs; after each step, one token for each sample in progress, yield the finished ones."""
    queue = _queue(weights, jobs)
    waiting = sum(len(job.samples) for job in jobs)
    cache = _Cache(weights, max((len(job.prompt) + job.limit for job in jobs), default=0), waiting)
    rows: list[_Row] = []
    while rows or waiting:
        new = 0
        while waiting and len(rows) < cache.rows and new < JOINING:
            row = next(queue)
            if not rows or rows[-1].number != row.number:
                new += len(row.job.prompt)
            rows.append(row)
            waiting -= 1
        done: list[Done] = []
        going: list[_Row] = []
        for row, token in zip(rows, _draw(rows), strict=True):
            row.tokens.append(token)
            row.position += 1
            ended = row.job.ended(row.tokens)
            if ended or len(row.tokens) == row.job.limit:
                done.append(Done(row.number, row.index, row.tokens, ended, row.logprob))
            else:
                going.append(row)
        yield done
        rows = cache.arrange(going)
        if rows:
            _step(weights, cache, rows)


def _queue(weights: Weights, jobs: Sequence[Sampling]) -> Iterator[_Row]:
    """Every sample of every job, in order. Prompts are computed shortly before their first sample is needed."""
    at = 0
    while at < len(jobs):
        size, end = 0, at
        while end < len(jobs) and (size := size + len(jobs[end].prompt)) <= AHEAD:
            end += 1
        some = jobs[at : max(end, at + 1)]
        prefilled = zip(some, _prefills(weights, [job.prompt for job in some]), strict=True)
        for number, (job, (prompt, logits)) in enumerate(prefilled, at):
            for i in job.samples:
                yield _Row(number, job, i, prompt, logits, uniforms(job.key(i), job.limit), len(job.prompt) - 1)
        at += len(some)


# -------------------------------------------------------------------- one token for every sample in progress


class _Cache:
    """Keys and values [2, layers, rows, H, C, D / H] of all samples in progress, longest first.

    Samples of the same attention length are thus adjacent, and one matrix product reads their cache without copying.
    """

    def __init__(self, weights: Weights, longest: int, samples: int) -> None:
        D, H = weights.embed.shape[1], weights.heads
        length = _ceil(longest, BUCKET)
        row = 2 * len(weights.layers) * D * length * 4  # bytes
        self.rows = max(1, min(ROWS, samples, MEMORY // max(1, row)))
        # zeros, because masked entries are still multiplied by 0, and 0 times uninitialised memory may be NaN
        self.kv = np.zeros((2, len(weights.layers), self.rows, H, length, D // H), np.float32)

    def arrange(self, rows: Iterable[_Row]) -> list[_Row]:
        """Give every row a slot, moving as few as possible. Returns them in the order of their slots."""
        groups: dict[int, list[_Row]] = {}
        for row in rows:
            groups.setdefault(row.position // BUCKET, []).append(row)
        moves: dict[int, int] = {}  # from slot to slot
        new: list[_Row] = []
        order: list[_Row] = []
        for group in (groups[bucket] for bucket in sorted(groups, reverse=True)):
            first, end = len(order), len(order) + len(group)
            placed: dict[int, _Row] = {row.slot: row for row in group if first <= row.slot < end}
            free = (slot for slot in range(first, end) if slot not in placed)
            for row in group:
                if not first <= row.slot < end:
                    placed[slot := next(free)] = row
                    if row.slot < 0:
                        new.append(row)
                    else:
                        moves[row.slot] = slot
            order += [placed[slot] for slot in range(first, end)]
        self._move(moves, {row.slot: row.position for row in order})
        for slot, row in enumerate(order):
            row.slot = slot
        for row in new:
            assert row.prompt is not None
            self.kv[:, :, row.slot, :, : row.prompt.shape[3]] = row.prompt
            row.prompt = None
        return order

    def _move(self, moves: dict[int, int], used: dict[int, int]) -> None:
        """Copy the first ``used[slot]`` positions of each slot to its new slot, each before it is overwritten."""
        while moves:
            path = [*moves.popitem()]
            while path[-1] in moves:  # the target slot has to be moved first
                path.append(moves.pop(path[-1]))
            first = self.kv[:, :, path[0], :, : used[path[0]]].copy()  # in a cycle it is overwritten first
            for here, there in reversed([*pairwise(path)][1:]):
                self.kv[:, :, there, :, : used[here]] = self.kv[:, :, here, :, : used[here]]
            self.kv[:, :, path[1], :, : used[path[0]]] = first


def _step(weights: Weights, cache: _Cache, rows: Sequence[_Row]) -> None:
    """Feed each row's newest token to the model: store its keys and values in the cache and set ``row.logits``."""
    D, H, n = weights.embed.shape[1], weights.heads, len(rows)
    slots, positions = np.arange(n), np.array([row.position for row in rows])
    x = _tiles(weights.embed[[row.tokens[-1] for row in rows]] + weights.position[positions])
    mixed = np.zeros(x.shape, np.float32)
    heads = mixed.reshape(-1, H, 1, D // H)  # a view of the same memory
    later = np.arange(BUCKET) > positions[:, None, None, None] % BUCKET  # later positions in the last BUCKET
    future = np.where(later, np.float32(-np.inf), np.float32(0))
    buckets = positions // BUCKET
    ends = np.flatnonzero(np.diff(buckets, append=-1)) + 1
    regions = [(a, b, (buckets[a] + 1) * BUCKET) for a, b in pairwise([0, *ends])]  # slots, and attention length
    for layer, keys, values in zip(weights.layers, *cache.kv, strict=True):
        q, k, v = (rms_norm(x, layer.norm1) @ layer.qkv).reshape(-1, 3, H, D // H).transpose(1, 0, 2, 3)
        keys[slots, :, positions], values[slots, :, positions] = k[:n], v[:n]
        q = q[:, :, None] / math.sqrt(D // H)
        for a, b, length in regions:
            scores = q[a:b] @ keys[a:b, :, :length].swapaxes(2, 3)
            scores[..., -BUCKET:] += future[a:b]
            heads[a:b] = softmax(scores) @ values[a:b, :, :length]
        x = x + mixed @ layer.out
        x = x + relu_squared(rms_norm(x, layer.norm2) @ layer.up) @ layer.down
    for row, logits in zip(rows, _head(weights, x), strict=False):
        row.logits = logits


def _head(weights: Weights, x: Array) -> Array:
    """Tiles of hidden states -> logits [rows, V]."""
    logits: Array = rms_norm(x, weights.norm) @ weights.embed.T
    return logits.reshape(-1, len(weights.embed))


def _tiles(x: Array) -> Array:
    """[n, D] -> [ceil(n / TILE), TILE, D], padded with zeros."""
    n, D = x.shape
    tiles = np.zeros((_ceil(n, TILE), D), np.float32)
    tiles[:n] = x
    return tiles.reshape(-1, TILE, D)


def _ceil(n: int, multiple: int) -> int:
    return -(-n // multiple) * multiple


# -------------------------------------------------------------------- all tokens of some prompts


def _prefills(weights: Weights, prompts: Sequence[Sequence[int]]) -> list[tuple[Array, Array]]:
    """Keys and values of each prompt (see ``_Row``), and the logits [V] of the first token.

    Prompts are computed together where they fill the same number of tiles.
    """
    found: dict[int, tuple[Array, Array]] = {}
    sizes = [_ceil(len(prompt), TILE) for prompt in prompts]
    for size in dict.fromkeys(sizes):
        where = [i for i, s in enumerate(sizes) if s == size]
        found |= zip(where, _prefill(weights, [prompts[i] for i in where], size), strict=True)
    return [found[i] for i in range(len(prompts))]


def next_logits(weights: Weights, prompts: Sequence[Sequence[int]]) -> Array:
    """The logits [n, V] of the token that follows each of n prompts; each fits the context."""
    return np.stack([logits for _, logits in _prefills(weights, prompts)])


def _prefill(weights: Weights, prompts: Sequence[Sequence[int]], S: int) -> list[tuple[Array, Array]]:
    """Prefill prompts of up to S tokens (a multiple of TILE): TILE queries at a time, against their prompt's keys."""
    B, D, H = len(prompts), weights.embed.shape[1], weights.heads
    tokens = np.zeros((B, S), np.intp)
    for i, prompt in enumerate(prompts):
        tokens[i, : len(prompt)] = prompt
    future = np.triu(np.full((S, S), -np.inf, np.float32), k=1).reshape(-1, TILE, S)
    x = (weights.embed[tokens] + weights.position[:S]).reshape(-1, TILE, D)
    kv = np.empty((2, len(weights.layers), B, H, S, D // H), np.float32)
    for layer, keys, values in zip(weights.layers, *kv, strict=True):
        qkv = (rms_norm(x, layer.norm1) @ layer.qkv).reshape(B, S, 3, H, D // H)
        q, keys[:], values[:] = qkv.transpose(2, 0, 3, 1, 4)  # each [B, H, S, D / H]
        q = q.reshape(B, H, -1, TILE, D // H) / math.sqrt(D // H)
        scores = q @ keys[:, :, None].swapaxes(3, 4) + future  # [B, H, S / TILE, TILE, S]
        mixed = softmax(scores) @ values[:, :, None]
        x = x + mixed.reshape(B, H, S, D // H).swapaxes(1, 2).reshape(-1, TILE, D) @ layer.out
        x = x + relu_squared(rms_norm(x, layer.norm2) @ layer.up) @ layer.down
    last = x.reshape(B, S, D)[np.arange(B), [len(prompt) - 1 for prompt in prompts]]
    logits = _head(weights, _tiles(last))
    return [(kv[:, :, i, :, : len(p)].copy(), logits[i]) for i, p in enumerate(prompts)]


# -------------------------------------------------------------------- the next token


def _draw(rows: Sequence[_Row]) -> list[int]:
    """The next token of each row: inverse transform sampling with the row's own random number."""
    logits = np.stack([row.logits for row in rows]).astype(np.float64)
    tokens = logits.argmax(axis=1)  # for temperature 0; ties go to the first token
    warm = np.array([row.job.temperature > 0 for row in rows])
    if warm.any():
        hot = [row for row, w in zip(rows, warm, strict=True) if w]
        p = probabilities(logits[warm], [r.job.temperature for r in hot], [r.job.top_p for r in hot])
        tokens[warm] = inverse(p, [row.uniforms[len(row.tokens)] for row in hot])
    if weighed := [i for i, row in enumerate(rows) if row.job.logprobs]:
        for i, logs in zip(weighed, log_softmax(logits[weighed]), strict=True):
            rows[i].logprob += float(logs[tokens[i]])
    picked: list[int] = tokens.tolist()
    return picked


def log_softmax(logits: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """The logarithms of the probabilities [n, V], at temperature 1, from logits [n, V]."""
    shifted: NDArray[np.float64] = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    logs: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs


def probabilities(
    logits: NDArray[np.float64], temperature: Sequence[float], top_p: Sequence[float]
) -> NDArray[np.float64]:
    """Unnormalised probabilities [n, V] from logits [n, V] and a temperature > 0 for each row.

    ``top_p`` < 1 keeps the smallest set of most probable tokens whose probabilities sum to at least ``top_p`` (nucleus
    sampling, Holtzman et al. 2020, section 3.1); equally probable ones in the order of the vocabulary.
    """
    with np.errstate(over="ignore"):  # with a temperature close to 0, all but the best may become -inf, as they should
        scaled = (logits - logits.max(axis=1, keepdims=True)) / np.array(temperature)[:, None]
    weights: NDArray[np.float64] = np.exp(scaled)
    for p, share in zip(weights, top_p, strict=True):
        if share < 1:
            order = np.argsort(-p, kind="stable")
            sums = np.cumsum(p[order])
            p[order[1:][sums[:-1] >= share * sums[-1]]] = 0
    return weights


def inverse(p: NDArray[np.float64], u: Sequence[float]) -> NDArray[np.intp]:
    """For each row, the first token at which the running sum of p [n, V] exceeds u times its total; 0 <= u < 1."""
    sums = np.cumsum(p, axis=1)
    picked: NDArray[np.intp] = (sums <= np.array(u)[:, None] * sums[:, -1:]).sum(axis=1)
    return picked


def uniforms(key: int, n: int) -> list[float]:
    """n numbers in [0, 1), multiples of 2**-52, from the counter-based generator Philox with this 128-bit key.

    (Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3".) numpy guarantees a stable stream.
    """
    raw = np.random.Philox(key=key).random_raw(n)
    numbers: list[float] = ((raw >> np.uint64(12)) * 2.0**-52).tolist()
    return numbers
