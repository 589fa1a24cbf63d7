"""How likely a reply was, or each of a request's labels: where one stands in it, and what the others had there.

A server tells, at each token of its reply, how likely it was, and the likeliest tokens (OpenAI and vLLM: at most 20).
The pocket model computes the probabilities itself.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import exp, isfinite, isnan
from typing import Any, TypeVar

from ..ties import total
from .base import LMError, Request, Sample

T = TypeVar("T")
LIKELIEST = 20  # tokens listed at each place: the most that OpenAI and vLLM allow
Choice = Mapping[str, Any]  # of a chat completion
Place = tuple[str, Mapping[str, float]]  # the token that was said, and the probabilities of the likeliest ones


def label_in(request: Request, text: str) -> tuple[int, int] | None:
    """Which of the request's labels is the last whole word of them in ``text``, and where it begins; None: none is.

    Upper and lower case are the same; "1" is neither in "12" nor in "1.5".
    """
    places = sorted(range(len(request.labels)), key=lambda i: len(request.labels[i]), reverse=True)  # longest first
    words = "|".join(f"({re.escape(request.labels[i])})" for i in places) or "(?!)"
    found = [*re.finditer(rf"(?<!\w)(?<!\d[.,])(?:{words})(?!\w|[.,]\d)", text, re.IGNORECASE)]
    return (places[(found[-1].lastindex or 1) - 1], found[-1].start()) if found else None


def likeliest(request: Request, labels: Iterable[str]) -> Request:
    """The request for the likeliest reply (temperature 0), with the chances of the labels."""
    return replace(request, temperature=0.0, labels=tuple(labels))


def weighed(request: Request, sample: Sample, own: T | None, values: Sequence[T]) -> list[tuple[T, float]]:
    """What a sample says, as (value, weight): the value of each label with its chance; without chances, the sample's
    ``own``, as its reader finds it, with weight 1. None counts nothing.

    Where the reader finds another value than that of the last label in the text ("not sure"), ``own`` counts alone.
    """
    said = label_in(request, sample.text) if sample.chances else None
    if own is None or said is None or values[said[0]] != own:
        return [] if own is None else [(own, 1.0)]
    return [*zip(values, sample.chances, strict=True)]


def measured(request: Request, choices: Sequence[Choice], samples: Sequence[Sample]) -> list[Sample]:
    """The samples that were read from these choices, with the ``chances`` of the request's labels, or if it has none
    with their ``logprob``. A reply that is empty or a refusal says none of the labels.

    Raises LMError if the server lists no probabilities; ValueError, TypeError or KeyError for a form of its own.
    """
    what, instead = "its reply", "choose another model, or another method"
    if request.labels:
        what, instead = "its verdict", "leave out --verdicts logprobs"
    if any(each.thinking_tokens or each.thinking or each.unfinished for each in samples):
        raise LMError(f"a model that thinks does not tell how likely {what} was: {instead}")
    told = [
        (each, [] if each.refused else (choice.get("logprobs") or {}).get("content") or [])
        for each, choice in zip(samples, choices, strict=True)
    ]
    if any(each.text and not each.refused and not content for each, content in told) or (
        request.labels and not all(said.get("top_logprobs") for _, content in told for said in content)
    ):
        raise LMError(f"the server does not tell how likely its tokens were: {instead}")
    if not request.labels:
        return [each if each.refused else replace(each, logprob=_logprob(each.text, content)) for each, content in told]
    odds = [(each, weigh(request, each.text, read_places(content))) for each, content in told]
    return [replace(each, chances=chances, missing=missing) for each, (chances, missing) in odds]


def _logprob(text: str, content: Any) -> float:
    """That of the tokens that make the text, without what came after it, such as what a stop string cut off."""
    ends = [*accumulate(len(said["token"]) for said in content)]
    start = "".join(said["token"] for said in content).find(text)
    over = start + len(text) if start >= 0 else ends[-1]  # not found: tokens are no plain text, and all count
    needed = [said for said, end in zip(content, [0, *ends], strict=False) if end < over]
    logs = [min(float(said["logprob"]), 0.0) for said in needed]
    if not all(map(isfinite, logs)):
        raise ValueError("a token has no probability")
    return round(total(logs), 6)


def read_places(content: Any) -> list[Place]:
    """A choice's ``logprobs.content`` as places. Raises ValueError, TypeError or KeyError if it has another form."""
    places: list[Place] = []
    for said in content:
        top = {entry["token"]: min(float(entry["logprob"]), 0.0) for entry in said["top_logprobs"][:LIKELIEST]}
        if any(map(isnan, top.values())) or not all(isinstance(token, str) for token in (said["token"], *top)):
            raise ValueError("a token is not text, or has no probability")
        places.append((said["token"], {token: exp(logprob) for token, logprob in top.items()}))
    return places


def weigh(request: Request, text: str, places: Sequence[Place]) -> tuple[tuple[float, ...], float]:
    """``chances`` and ``missing`` of a sample (see ``Sample``), in the place of the last label in ``text``.

    A label of several tokens gets what the tokens have with which it begins: "imp" is for "impossible". Where a token
    begins several labels (1 and 10), the reply itself is followed to its next token, or to its end, with which it said
    the label that stands there; for a token that was not said there is no next one, and each of these labels gets an
    equal part.
    """
    joined = "".join(token for token, _ in places)
    start = joined.find(text)
    joined = joined[: start + len(text)] if start >= 0 else joined  # without what was cut off at a stop string
    found, same = label_in(request, joined), label_in(request, text)
    if found is None or same is None or found[0] != same[0]:
        return (), 1.0
    ends = accumulate(len(token) for token, _ in places)
    at = next(i for i, end in enumerate(ends) if end > found[1])  # the token with which the label begins
    labels, mass = [label.lower() for label in request.labels], [0.0] * len(request.labels)
    before, likely = "", 1.0
    for said, top in places[at:]:
        on = 0.0
        for token, chance in top.items():
            fitting = _begun(before + token, labels)
            if token == said and len(fitting) > 1:
                on = chance
                continue
            for i in fitting:
                mass[i] += likely * chance / len(fitting)
        before, likely = before + said, likely * on
        if not likely:
            break
    mass[found[0]] += likely  # the reply ended there
    return normalised(mass)


def normalised(mass: Sequence[float]) -> tuple[tuple[float, ...], float]:
    """The masses as shares of their sum, and what is missing from 1. Six digits, the same on every machine."""
    whole = total(mass)
    shares = tuple(round(each / whole, 6) for each in mass) if whole > 0 else ()
    return shares, round(max(0.0, 1.0 - whole), 6)


def _begun(text: str, labels: Sequence[str]) -> list[int]:
    """Which labels a text has begun to say, or has said; none for a text without letters and digits."""
    said = re.sub(r"^[\W_Ġ]+", "", text).lower()
    over = [bool(re.match(rf"{re.escape(label)}(?!\w)", said)) for label in labels]
    return [i for i, label in enumerate(labels) if said and (label.startswith(said) or over[i])]
