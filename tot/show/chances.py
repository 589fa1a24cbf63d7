"""Verdicts as probabilities, in words: what each label had in a reply, and how much of the probability is missing."""

from collections.abc import Mapping
from typing import Any

from ..ties import mean
from ..trace import Trace
from .escaping import count, line, real


def chances(request: Mapping[str, Any], sample: Mapping[str, Any]) -> str:
    """ "sure 97 %, impossible 3 %, something else 0.3 %", of a sample in a trace; "" if it has no chances."""
    labels = (request.get("params") or {}).get("labels") or ()
    parts = [f"{line(label)} {_percent(p)}" for label, p in zip(labels, sample.get("chances") or (), strict=False)]
    if labels:
        parts.append(f"something else {_percent(sample.get('missing'))}")
    return ", ".join(parts)


def missing(trace: Trace) -> str:
    """How likely the model was to say something else than a verdict, over all replies whose verdicts were read as
    probabilities: "0.4 % on average over 46 replies, 12 % at most". "" if there are none.
    """
    found = [real(entry.get("missing")) or 0.0 for event in trace.events for entry in event.get("missing") or ()]
    if not found:
        return ""
    replies = count(len(found), "reply", "replies")
    return f"{_percent(mean(found))} on average over {replies}, {_percent(max(found))} at most"


def _percent(share: Any) -> str:
    return f"{100 * (real(share) or 0.0):.3g} %"
