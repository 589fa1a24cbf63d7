"""Pictures of a search behind one slider: all are drawn beforehand, and a line of script shows one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from .drawing import draw
from .escaping import clean, count, escape
from .layout import lay_out
from .style import BORDER, DARK, FONT, GROUND, INK
from .tree import Traced, picture

PHASES = {
    "selected": "selection",
    "expanded": "expansion",
    "evaluated": "simulation",
    "backed_up": "backpropagation",
}
# Shows the frame with the slider's number in the box of the slider, and its label beside it.
SCRIPT = (
    "const b=this.closest('.tot-frames');b.querySelectorAll('.tot-frame').forEach((f,i)=>{f.hidden=i!=this.value;"
    "if(!f.hidden){const t=f.getAttribute('data-label');b.querySelector('output').textContent=t;"
    "this.setAttribute('aria-valuetext',t)}})"
)


class Frames:
    """HTML frames behind one slider. Where no script runs, the last frame is shown.

    ``labels``: what each frame shows. ``name``: of the slider. Raises ValueError without frames, and for another number
    of labels than of frames.
    """

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

    Kinds of events are listed in ``tot.trace``: "expanded", "evaluated", "best" and so on. For the other parameters see
    ``svg``.
    """
    whole = picture(trace)
    layout = lay_out(whole, max_dropped=max_dropped, max_children=max_children, lines=lines, chars=chars, title=True)
    events = whole.trace.events
    pictures, labels = [str(draw(picture(trace, 0), layout))] if events else [], ["start"] if events else []
    turns: dict[str, int] = {}
    for i, event in enumerate(events, 1):
        kind = str(event.get("kind"))
        turns[kind] = turns.get(kind, 0) + 1
        if kind in every:
            about = count(len(event.get("nodes", ())), "thought")
            pictures.append(str(draw(picture(trace, i) if i < len(events) else whole, layout)))
            labels.append(f"{kind.replace('_', ' ')} {turns[kind]} ({about})")
    if not labels or events[-1].get("kind") not in every:
        pictures.append(str(draw(whole, layout)))
        labels.append("end")
    return Frames(pictures, labels)


def phases(trace: Traced, rollouts: int | None = None, *, lines: int = 3, chars: int = 28) -> Frames:
    """The four phases of each rollout behind one slider. Nodes stay where they are.

    ``rollouts``: only the first so many (None: all). Several leaves of one round are selected, expanded, judged and
    backed up together. ``lines`` and ``chars``: room for a thought, see ``svg``.

    Raises ValueError for a trace without a Monte Carlo search.
    """
    whole = picture(trace)
    layout = lay_out(whole, max_dropped=None, max_children=12, lines=lines, chars=chars, title=False)
    pictures, labels, done = [], [], 0
    for i, event in enumerate(whole.trace.events, 1):
        kind = event["kind"]
        if kind == "selected":
            if rollouts is not None and done >= rollouts:
                break
            done += len(event["nodes"])
        if kind in PHASES and done:
            nodes = ", ".join(str(node["id"]) for node in event["nodes"])
            pictures.append(str(draw(picture(trace, i), layout, title=False)))
            labels.append(f"rollout {done}, {PHASES[kind]}: {nodes or 'nothing new'}")
    if not pictures:
        raise ValueError("no Monte Carlo search in this trace: pass the trace of a run with mcts-plan, or with mcts")
    return Frames(pictures, labels, name="Four phases")


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
