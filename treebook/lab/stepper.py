"""``Stepper``: a sequence of pictures with a slider and a play button."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from ..figures.slider import Frames


@dataclass(frozen=True)
class Stepper:
    """Step through a search by precomputed pictures, such as ``show.boards(solution)``.

    With a kernel it is a panel with a slider and a play button, starting at the first picture. In a static page it is
    shown like the frames themselves.
    """

    frames: Frames

    def widget(self) -> Any:
        """The panel, as an ipywidgets box: play, slider, label, picture."""
        import ipywidgets as w

        last = len(self.frames.frames) - 1
        play = w.Play(value=0, max=last, interval=1200)
        at = w.IntSlider(value=0, max=last, description="step", readout=False)
        label, picture = w.HTML(), w.HTML()

        def turn(change: Any = None) -> None:
            label.value = f"<b>{escape(self.frames.labels[at.value])}</b>"
            style = f"<style>{self.frames.style}</style>" if self.frames.style else ""
            picture.value = f'{style}<div style="overflow-x:auto">{self.frames.frames[at.value]}</div>'

        w.link((play, "value"), (at, "value"))
        at.observe(turn, names="value")
        turn()
        return w.VBox([w.HBox([play, at, label]), picture])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The panel if widgets are available, else the frames."""
        return live_or_still(self.widget, {"text/plain": repr(self), "text/html": self.frames._repr_html_()})

    def __repr__(self) -> str:
        return f"<Stepper: {self.frames!r}>"


def live_or_still(widget: Callable[[], Any], still: dict[str, Any]) -> dict[str, Any]:
    """A MIME bundle with ``still`` and, if ipywidgets is installed, the widget; a front end shows the best it can."""
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return still
    live: dict[str, Any] = widget()._repr_mimebundle_()
    return {**live, **still}
