"""The pocket model's transformer: one forward pass in plain numpy, and the file format of its weights.

Decoder-only and pre-norm (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3),
with three simplifications: no biases, RMSNorm instead of LayerNorm (Zhang and Sennrich 2019, equation 4), and squared
ReLU instead of GELU (So et al. 2021, "Primer", section 2). Positions are learned; the output matrix is the embedding.

Shapes in the comments: T tokens, D width, H heads, V vocabulary size, C context length.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tot.lm.base import LMError

Array = NDArray[Any]  # float32, which numpy's type stubs do not preserve through operations
EPSILON = np.float32(1e-5)  # of RMSNorm, as in training
DTYPES = {"F16": "<f2", "F32": "<f4"}  # safetensors name -> numpy name


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: ``norm1``, ``norm2`` [D]; ``qkv`` [D, 3D]; ``out`` [D, D]; ``up`` [D, 4D]; ``down`` [4D, D]."""

    norm1: Array
    qkv: Array
    out: Array
    norm2: Array
    up: Array
    down: Array


@dataclass(frozen=True, eq=False)
class Weights:
    """The learned parameters: ``embed`` [V, D], ``position`` [C, D], the layers, ``norm`` [D]; all float32.

    ``metadata`` is the file's metadata; ``sha256`` is the file's SHA-256 (64 hex digits).
    """

    embed: Array
    position: Array
    layers: tuple[Layer, ...]
    norm: Array
    heads: int
    metadata: Mapping[str, str]
    sha256: str

    @property
    def context(self) -> int:
        """C: the most tokens of prompt and reply together."""
        return len(self.position)


def forward(weights: Weights, tokens: Sequence[int]) -> Array:
    """Logits [T, V]: row i scores every word of the vocabulary as the
    successor of ``tokens[: i + 1]``.

    The whole model, with nothing left out but speed: each call computes
    all positions again. ``engine`` remembers keys and values instead,
    and is tested against this. Raises ValueError for no tokens, or more
    than the context holds.
    """
    T, D, H = len(tokens), weights.embed.shape[1], weights.heads
    most = weights.context
    if not 1 <= T <= most:
        raise ValueError(f"forward takes 1 to {most} tokens, not {T}")
    # a token does not see later ones
    future = np.triu(np.full((T, T), -np.inf, np.float32), k=1)
    # what stands here, and where: [T, D]
    x = weights.embed[list(tokens)] + weights.position[:T]
    for layer in weights.layers:
        qkv = rms_norm(x, layer.norm1) @ layer.qkv  # [T, 3D]
        # queries, keys and values, each [H, T, D / H]
        q, k, v = qkv.reshape(T, 3, H, D // H).transpose(1, 2, 0, 3)
        # [H, T, T]: how much each token attends to each
        scores = q @ k.swapaxes(1, 2) / math.sqrt(D // H) + future
        # [H, T, D / H]: it gathers from those it attends to
        mixed = softmax(scores) @ v
        x = x + mixed.swapaxes(0, 1).reshape(T, D) @ layer.out
        hidden = relu_squared(rms_norm(x, layer.norm2) @ layer.up)
        x = x + hidden @ layer.down
    return rms_norm(x, weights.norm) @ weights.embed.T


def rms_norm(x: Array, gain: Array) -> Array:
    """x [..., D] scaled to root mean square 1, times the learned gain [D]."""
    size = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + EPSILON)
    normed: Array = x / size * gain
    return normed


def softmax(scores: Array) -> Array:
    """Softmax over the last axis. Minus infinity becomes exactly 0."""
    shares: Array = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def relu_squared(x: Array) -> Array:
    """max(x, 0)², element by element; the shape of ``x``."""
    positive = np.maximum(x, 0)
    return positive * positive


# -------------------------------------------------------------------- the file


def load(path: str | Path) -> Weights:
    """Read the weights from a safetensors file (float16 or float32; see ``read``).

    Raises LMError if the file is missing, damaged, or not a pocket model's.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise LMError(f"cannot read the pocket model's weights at {path}: {error.strerror or error}") from error
    try:
        tensors, metadata = read(data)
        depth = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
        layers = [Layer(**{f.name: tensors[f"layers.{i}.{f.name}"] for f in fields(Layer)}) for i in range(depth)]
        embed, position, norm = tensors["embed"], tensors["position"], tensors["norm"]
        weights = Weights(
            embed, position, tuple(layers), norm, int(metadata["heads"]), metadata, hashlib.sha256(data).hexdigest()
        )
        _check(weights)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise LMError(f"{path} does not hold a pocket model's weights ({why}): restore the file") from error
    return weights


def _check(weights: Weights) -> None:
    """Raises ValueError if shapes do not match, or a number is not finite (float16 overflows above 65,504)."""
    D = weights.embed.shape[-1]
    if weights.heads < 1 or D % weights.heads:
        raise ValueError(f"a width of {D} cannot be shared by {weights.heads} heads")
    shapes = {"norm1": (D,), "qkv": (D, 3 * D), "out": (D, D), "norm2": (D,), "up": (D, 4 * D), "down": (4 * D, D)}
    found = [(getattr(layer, name), shape) for layer in weights.layers for name, shape in shapes.items()]
    found += [(weights.embed, (-1, D)), (weights.position, (-1, D)), (weights.norm, (D,))]
    for tensor, shape in found:
        if len(tensor.shape) != len(shape) or any(w not in (-1, h) for h, w in zip(tensor.shape, shape, strict=True)):
            raise ValueError(f"a tensor has shape {tensor.shape}, not {shape}")
        if not np.isfinite(tensor).all():
            raise ValueError("not all numbers are finite")


def read(data: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    """The tensors (as float32) and the metadata in the bytes of a safetensors file.

    The format: 8 bytes with the header's length; the header, JSON with type, shape and offsets of each tensor; the
    numbers, one tensor after the other. Raises ValueError, KeyError, TypeError, AttributeError or RecursionError if the
    bytes have another format.
    """
    end = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:end])
    metadata = header.pop("__metadata__", {})
    tensors, place = {}, 0
    for name, about in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        first, last = about["data_offsets"]
        if first != place or last < first:
            raise ValueError(f"the numbers of {name} do not follow those before them")
        place = last
        numbers = np.frombuffer(data[end + first : end + last], DTYPES[about["dtype"]])
        tensors[name] = numbers.reshape(about["shape"]).astype(np.float32)
    if more := len(data) - end - place:
        raise ValueError(f"there are {more} bytes more")
    return tensors, metadata
