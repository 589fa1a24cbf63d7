"""Stepping through a search with one slider: pictures made beforehand, shown one at a time by a line of script."""

from __future__ import annotations

from collections.abc import Sequence

from .plan import plan
from .style import BORDER, DARK, FONT, GROUND, INK
from .svg import draw
from .tree import Traced, picture
from .words import clean, count, escape

# Shows frame number `this.value` of the box that the slider is in, and says its label.
SCRIPT = (
    "const b=this.closest('.tot-frames');b.querySelectorAll('.tot-frame').forEach((f,i)=>{f.hidden=i!=this.value;"
    "if(!f.hidden){const t=f.getAttribute('data-label');b.querySelector('output').textContent=t;"
    "this.setAttribute('aria-valuetext',t)}})"
)


class Frames:
    """HTML frames with one slider. ``labels`` say what each shows. Without script the last frame is shown."""

    def __init__(self, frames: Sequence[str], labels: Sequence[str], name: str = "Step through the search") -> None:
        if not frames or len(frames) != len(labels):
            raise ValueError(f"pass at least one frame and a label for each, not {len(frames)} and {len(labels)}")
        self.frames, self.labels, self.name = list(frames), [clean(label) for label in labels], clean(name)

    def _repr_html_(self) -> str:
        last = len(self.frames) - 1
        label, name = escape(self.labels[last]), escape(self.name)
        slider = (
            f'<input type="range" min="0" max="{last}" step="1" value="{last}" autocomplete="off" aria-label="{name}" '
            f'aria-valuetext="{label}" oninput="{escape(SCRIPT)}"/>'
        )
        parts = [f'<div class="tot-frames" role="group" aria-label="{name}">', f"<style>{_style()}</style>"]
        if last:
            parts.append(f'<p class="tot-slider"><span>{name}</span> {slider} <output>{label}</output></p>')
        for i, (frame, text) in enumerate(zip(self.frames, self.labels, strict=True)):
            hidden = "" if i == last else ' hidden=""'
            attributes = f'class="tot-frame tot-scroll" data-label="{escape(text)}" tabindex="0"{hidden}'
            parts.append(f"<div {attributes}>{frame}</div>")
        return "\n".join([*parts, "</div>"])

    def __repr__(self) -> str:
        return f"<Frames: {count(len(self.frames), 'frame')}, {self.labels[0]!r} to {self.labels[-1]!r}>"


def frames(
    trace: Traced,
    *,
    every: Sequence[str] = ("best",),
    max_dropped: int | None = 2,
    max_children: int | None = 12,
    lines: int = 2,
    chars: int = 20,
) -> Frames:
    """The search at its start, after each event of the kinds in ``every``, and at its end. Nodes stay where they are.

    Kinds: "expanded", "evaluated", "best", "kept", "pruned", "backed_up", "acted", "taken", "propagated" (see
    ``tot.trace``).
    """
    whole = picture(trace)
    planned = plan(whole, max_dropped=max_dropped, max_children=max_children, lines=lines, chars=chars, title=True)
    events = whole.trace.events
    pictures, labels = [str(draw(picture(trace, 0), planned))] if events else [], ["start"] if events else []
    turns: dict[str, int] = {}
    for i, event in enumerate(events, 1):
        kind = str(event.get("kind"))
        turns[kind] = turns.get(kind, 0) + 1
        if kind in every:
            about = count(len(event.get("nodes", ())), "thought")
            pictures.append(str(draw(picture(trace, i) if i < len(events) else whole, planned)))
            labels.append(f"{kind.replace('_', ' ')} {turns[kind]} ({about})")
    if not labels or events[-1].get("kind") not in every:
        pictures.append(str(draw(whole, planned)))
        labels.append("end")
    return Frames(pictures, labels)


def _style() -> str:
    slider = ".tot-frames .tot-slider"
    return (
        f"{slider}{{font:14px/1.5 {FONT};background:{GROUND[0]};color:{INK[0]};border:1px solid {BORDER[0]};"
        f"border-radius:6px;padding:.4em 1em;margin:0 0 .4em;display:flex;gap:.8em;flex-wrap:wrap;align-items:center}}"
        f"{slider} input{{flex:1 1 12em;max-width:24em}}"
        f"{slider} :is(span,output){{color:inherit;font-variant-numeric:tabular-nums}}"
        ".tot-frames .tot-frame[hidden]{display:none}.tot-frames .tot-frame{overflow-x:auto;max-width:100%}"
        f"{DARK} {slider}{{background:{GROUND[1]};color:{INK[1]};border-color:{BORDER[1]}}}"
    )
