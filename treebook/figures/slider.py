"""Pictures of a search behind one slider: all are drawn beforehand, and a line of script shows one at a time."""

from collections.abc import Sequence

from tot.show.drawing import draw
from tot.show.escaping import clean, count, escape
from tot.show.layout import lay_out
from tot.show.style import BORDER, DARK, FAINT, FONT, GROUND, INK
from tot.show.tree import Traced, picture, refusing_damage

# Shows the frame with the slider's number, its label beside the slider, and in the middle of its box what it marks.
SCRIPT = (
    "const b=this.closest('.tot-frames');b.querySelectorAll('.tot-frame').forEach((f,i)=>{f.hidden=i!=this.value;"
    "if(!f.hidden){const t=f.getAttribute('data-label');b.querySelector('output').textContent=t;"
    "this.setAttribute('aria-valuetext',t);const m=[...f.querySelectorAll('.tot-now')].map(e=>e."
    "getBoundingClientRect());if(m.length){const o=f.getBoundingClientRect();"
    "f.scrollLeft+=(Math.min(...m.map(r=>r.left))+Math.max(...m.map(r=>r.right))-o.left-o.right)/2}}})"
)
# One frame on, or back: moves the slider, which does the rest. The arrow keys do the same on the buttons as on it.
STEP = "const s=this.closest('.tot-slider').querySelector('input');s.step{way}();s.dispatchEvent(new Event('input'))"
KEYS = (
    "const w={ArrowLeft:0,ArrowRight:1}[event.key];if(w!==undefined&&event.target.tagName=='BUTTON'){"
    "event.preventDefault();this.querySelectorAll('button')[w].click()}"
)


class Frames:
    """HTML frames behind one slider, with a button to either side. It starts at the first frame.

    Where no script runs there is no slider, and the last frame is shown. On paper it is, too, or the frames ``printed``
    (by their places). ``labels``: what each frame shows. ``name``: of the slider. Elements of the
    class ``tot-now`` are scrolled into the middle of their frame. ``style``: CSS that all frames share.

    Raises ValueError without frames, and for another number of labels than of frames.
    """

    def __init__(
        self,
        frames: Sequence[str],
        labels: Sequence[str],
        name: str = "Step through the search",
        *,
        printed: Sequence[int] | None = None,
        style: str = "",
    ) -> None:
        self.style = style
        if not frames or len(frames) != len(labels):
            raise ValueError(f"pass at least one frame and a label for each, not {len(frames)} and {len(labels)}")
        self.frames, self.labels, self.name = list(frames), [clean(label) for label in labels], clean(name)
        self.printed = [len(frames) - 1] if printed is None else list(printed)

    def _repr_html_(self) -> str:
        last, label, name = len(self.frames) - 1, escape(self.labels[0]), escape(self.name)
        back, on = (escape(STEP.replace("{way}", way)) for way in ("Down", "Up"))
        parts = [f'<div class="tot-frames" role="group" aria-label="{name}">', f"<style>{_style()}{self.style}</style>"]
        if last:
            parts.append(
                f'<p class="tot-slider" onkeydown="{escape(KEYS)}"><span>{name}</span> '
                f'<button type="button" aria-label="Previous" title="Previous" onclick="{back}">◀</button> '
                f'<input type="range" min="0" max="{last}" step="1" value="0" autocomplete="off" aria-label="{name}" '
                f'aria-valuetext="{label}" oninput="{escape(SCRIPT)}"/> '
                f'<button type="button" aria-label="Next" title="Next" onclick="{on}">▶</button> '
                f'<output aria-live="polite">{label}</output></p>'
            )
        for i, (frame, text) in enumerate(zip(self.frames, self.labels, strict=True)):
            kind = "tot-frame tot-scroll" + (" tot-printed" if i in self.printed else "")
            hidden = ' hidden=""' if i else ""
            parts.append(f'<div class="{kind}" data-label="{escape(text)}" tabindex="0"{hidden}>{frame}</div>')
        return "\n".join([*parts, "</div>"])

    def __repr__(self) -> str:
        return f"<Frames: {count(len(self.frames), 'frame')}, {self.labels[0]!r} to {self.labels[-1]!r}>"


@refusing_damage
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


def _style() -> str:
    """Important is what a page's own rule for ``[hidden]`` must not overrule: those of frameworks are, too."""
    slider, frame = ".tot-frames .tot-slider", ".tot-frames .tot-frame"
    return (
        f"{slider}{{font:14px/1.5 {FONT};background:{GROUND[0]};color:{INK[0]};border:1px solid {BORDER[0]};"
        f"border-radius:6px;padding:.4em 1em;margin:0 0 .4em;display:flex;gap:.5em;flex-wrap:wrap;align-items:center}}"
        f"{slider} span{{margin-right:.4em}}{slider} input{{flex:1 1 9em;max-width:20em}}"
        f"{slider} button{{font:inherit;font-size:12px;line-height:1;color:inherit;background:none;cursor:pointer;"
        f"border:1px solid {FAINT[0]};border-radius:4px;min-width:2.6em;padding:.6em 0}}"
        f"{slider} output{{flex:1 1 15em;min-width:0;margin-left:.4em;white-space:nowrap;overflow:hidden;"
        "text-overflow:ellipsis}"
        f"{slider} :is(span,output){{color:inherit;font-variant-numeric:tabular-nums}}"
        f"{frame}[hidden]{{display:none}}{frame}{{overflow-x:auto;max-width:100%}}"
        f"{DARK} {slider}{{background:{GROUND[1]};color:{INK[1]};border-color:{BORDER[1]}}}"
        f"{DARK} {slider} button{{border-color:{FAINT[1]}}}"
        f"@media (scripting:none){{{slider},{frame}{{display:none}}{frame}:last-child{{display:block!important}}}}"
        f"@media print{{{slider},{frame}:not(.tot-printed){{display:none}}"
        f"{frame}.tot-printed{{display:block!important;break-inside:avoid;margin:0 0 .6em}}"
        f"{frame}.tot-printed::before{{content:attr(data-label);font:13px/1.6 {FONT}}}}}"
    )
