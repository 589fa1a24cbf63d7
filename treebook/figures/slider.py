"""Pictures of a search behind one slider: all are drawn beforehand, and a line of script shows one at a time."""

from collections.abc import Sequence

from tot.show.escaping import clean, count, escape

from .page import as_written
from .styles import handlers_of, style_of


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
        does = handlers_of("slider")
        parts = [
            f'<div class="tot-frames" role="group" aria-label="{name}">',
            f"<style>{style_of('slider')}{self.style}</style>",
        ]
        if last:
            parts.append(
                f'<p class="tot-slider" onkeydown="{does["keyed"]}"><span>{name}</span> '
                f'<button type="button" aria-label="Previous" title="Previous" onclick="{does["back"]}">◀</button> '
                f'<input type="range" min="0" max="{last}" step="1" value="0" autocomplete="off" aria-label="{name}" '
                f'aria-valuetext="{label}" oninput="{does["moved"]}"/> '
                f'<button type="button" aria-label="Next" title="Next" onclick="{does["on"]}">▶</button> '
                f'<output aria-live="polite">{label}</output></p>'
            )
        for i, (frame, text) in enumerate(zip(self.frames, self.labels, strict=True)):
            kind = "tot-frame tot-scroll" + (" tot-printed" if i in self.printed else "")
            hidden = ' hidden=""' if i else ""
            parts.append(f'<div class="{kind}" data-label="{escape(text)}" tabindex="0"{hidden}>{frame}</div>')
        return as_written("\n".join([*parts, "</div>"]))

    def __repr__(self) -> str:
        return f"<Frames: {count(len(self.frames), 'frame')}, {self.labels[0]!r} to {self.labels[-1]!r}>"
