"""Blind comparison by people, shown: a page that works without a kernel."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from tot.show.escaping import clean, escape

from ..blind import Pair, by_marks
from .page import HTML
from .styles import style_of

QUESTION = "Which passage is more coherent?"


class Blind:
    """Pairs of passages side by side, unnamed and in random order, for people to judge (``treebook.blind``).

    Each reader's judgements are kept in the browser as they come, so that a page that was closed goes on, and *Save
    judgements* makes a file of them to hand in. ``question``: what is asked of each pair.

    Raises ValueError without pairs, and as ``treebook.blind.by_marks`` does.
    """

    def __init__(self, pairs: Sequence[Pair], *, question: str = QUESTION) -> None:
        if not pairs:
            raise ValueError("pass at least one pair of passages: treebook.blind.pairs_of makes them")
        by_marks(pairs)
        self.pairs, self.question = list(pairs), clean(question)
        self.texts = {mark: clean(text) for p in self.pairs for mark, text in zip(p.marks, p.texts, strict=True)}

    def save(self, path: str | Path) -> None:
        """Write the page as a file that opens in any browser, offline. Raises OSError where that is not possible."""
        HTML(self._repr_html_(), self.question).save(path)

    def _repr_html_(self) -> str:
        """The passages stand in the order of their marks, which says nothing about who wrote them."""
        marks = sorted(sorted(pair.marks) for pair in self.pairs)
        data = {"pairs": marks, "passages": sorted(self.texts.items())}
        about = marks if self.question == QUESTION else [self.question, marks]
        data["key"] = f"blind {hashlib.sha256(json.dumps(about).encode()).hexdigest()[:12]}"
        packed = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")  # nothing in it ends the element
        script = files(__package__).joinpath("blind.js").read_text(encoding="utf-8")
        return (
            '<div class="tot-blind tex2jax_ignore mathjax_ignore" role="group" data-lm-suppress-shortcuts="true">\n'
            f'<style>{style_of("blind")}</style>\n<p class="tot-question">{escape(self.question)}</p>\n'
            f'<script type="application/json">{packed}</script>\n'
            '<div class="tot-blind-place" aria-live="polite">'
            f"<p>Here are {len(self.pairs)} pairs to judge, on a page that runs its script.</p></div>\n"
            f'<script>(() => {{ "use strict";\n{script}}})();</script>\n</div>'
        )

    def __repr__(self) -> str:
        return f"{self.question}\n  ({len(self.pairs)} pairs of passages, to be judged without names)"
