"""Blind comparison by people, shown: a page that works without a kernel, and with one a widget that writes the file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from tot.jsonlines import Appender, FileTrouble
from tot.show.escaping import clean, escape

from ..blind import Judgement, Pair, by_marks, judgements, order
from .page import HTML
from .styles import style_of

QUESTION = "Which passage is more coherent?"


class Blind:
    """Pairs of passages side by side, unnamed and in random order, for people to judge (``treebook.blind``).

    Without a kernel it is a page: each reader's judgements are kept in the browser as they come, so that a page that
    was closed goes on, and *Save judgements* makes a file of them to hand in. ``file``: with a kernel and ipywidgets it
    is a widget that appends each judgement to this file at once; a reader who comes back under the same name goes on.
    ``question``: what is asked of each pair.

    Raises ValueError without pairs, and as ``treebook.blind.by_marks`` does.
    """

    def __init__(self, pairs: Sequence[Pair], file: str | Path | None = None, *, question: str = QUESTION) -> None:
        if not pairs:
            raise ValueError("pass at least one pair of passages: treebook.blind.pairs_of makes them")
        by_marks(pairs)
        self.pairs, self.question = list(pairs), clean(question)
        self.file = Path(file) if file else None
        self.texts = {mark: clean(text) for p in self.pairs for mark, text in zip(p.marks, p.texts, strict=True)}

    def save(self, path: str | Path) -> None:
        """Write the page as a file that opens in any browser, offline. Raises OSError where that is not possible."""
        HTML(self._repr_html_(), self.question).save(path)

    def widget(self) -> Any:
        """The widget (its ``box``), which needs ``file``. Raises ValueError without it."""
        return Judging(self).box

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The page, and with a file and ipywidgets the widget; a front end shows the best it can."""
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            import ipywidgets  # noqa: F401
        except ImportError:
            return still
        live: dict[str, Any] = self.widget()._repr_mimebundle_() if self.file else {}
        return {**live, **still}

    def _repr_html_(self) -> str:
        """The passages stand in the order of their marks, which says nothing about who wrote them."""
        marks = sorted(sorted(pair.marks) for pair in self.pairs)
        data = {"pairs": marks, "passages": sorted(self.texts.items())}
        data["key"] = f"blind {hashlib.sha256(json.dumps(marks).encode()).hexdigest()[:12]}"
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


class Judging:
    """One reader's widget: ``box`` is what to display. ``name``, ``begin``; ``passages``, ``says`` (A, alike, B) and
    ``message`` are the widgets in it.
    """

    def __init__(self, blind: Blind) -> None:
        import ipywidgets as w

        if blind.file is None:
            raise ValueError("name the file for the judgements: Blind(pairs, 'judgements.jsonl')")
        self._blind, self._file = blind, blind.file
        self._left: list[tuple[str, str]] = []
        self.name = w.Text(placeholder="a name that only you know")
        self.begin = w.Button(description="Begin", button_style="primary")
        self.passages = [w.HTML(layout=w.Layout(width="49%")) for _ in "AB"]
        self.says = [w.Button(description=label) for label in ("A", "Both are alike", "B")]
        self.message = w.HTML()
        self.begin.on_click(lambda button: self._begin())
        for place, button in zip((0, None, 1), self.says, strict=True):
            button.on_click(lambda button, place=place: self._say(place))
        rows = w.HBox([self.name, self.begin]), w.HBox(self.passages), w.HBox(self.says)
        self.box = w.VBox([w.HTML(f"<b>{escape(blind.question)}</b>"), *rows, self.message])
        self._show("")

    def _begin(self) -> None:
        reader = self.name.value.strip()
        if not reader:
            return self._show("Enter a name first: it keeps your judgements together.")
        try:
            said = judgements(self._file) if self._file.exists() else []
        except FileTrouble as error:
            return self._show(str(error))
        mine = {frozenset(one.shown) for one in said if one.reader == reader}
        self._left = [two for two in order(self._blind.pairs, reader) if frozenset(two) not in mine]
        self.name.disabled = self.begin.disabled = True
        self._show("")

    def _say(self, place: int | None) -> None:
        shown = self._left[0]
        try:
            with Appender(self._file) as out:
                out.write(Judgement(self.name.value.strip(), shown, "" if place is None else shown[place]).line())
        except FileTrouble as error:  # another reader writes just now, or the disk is full: the same button again
            return self._show(str(error))
        self._left.pop(0)
        self._show("")

    def _show(self, trouble: str) -> None:
        begun = bool(self.begin.disabled)
        for i, one in enumerate(self.passages):
            text = self._blind.texts[self._left[0][i]] if self._left else ""
            one.value = f"<b>{'AB'[i]}</b><div style='white-space:pre-wrap'>{escape(text)}</div>" if text else ""
        for button in self.says:
            button.disabled = not self._left
        done = len(self._blind.pairs) - len(self._left)
        said = f"{done} of {len(self._blind.pairs)} pairs judged, in {self._file}" if begun else ""
        self.message.value = escape(trouble or (said if self._left else f"{said}. Thank you." * begun))
