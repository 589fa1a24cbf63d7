"""Style sheets and scripts of figures: CSS and JavaScript beside this file, the CSS in the colours of the whole book.

In ``NAME.css`` stand ``$ink`` for a light page's colour of that name and ``$ink-dark`` for a dark one's, ``$kept-fill``
for a part of a look of ``looks``, ``$font``, and ``$dark`` before what holds on dark pages only.
"""

import re
from functools import cache
from importlib.resources import files

from tot.show.escaping import escape

from . import looks
from .plot_style import PALETTE

# What lines and texts are drawn in, as (light, dark). Beside these every key of ``looks.LOOKS`` names a box.
COLOURS: dict[str, tuple[str, str]] = {
    "ink": looks.INK,
    "faint": looks.FAINT,
    "edge": looks.EDGE,
    "border": looks.BORDER,
    "chosen": looks.CHOSEN,
    "bar": looks.BAR,
    "bonus": looks.BONUS,
    "ground": looks.GROUND,
    "right": looks.LOOKS["correct"].ink,
    "wrong": looks.LOOKS["wrong"].ink,
    "now": ("#b45309", "#f0a848"),  # the way of what is under way
    "tint": ("#fff3df", "#35260f"),  # the box where it is
    "ahead": PALETTE[0],  # a difference that is clear, and the other way round
    "behind": PALETTE[1],
}


@cache
def style_of(name: str) -> str:
    """The rules of ``NAME.css``, in one line."""
    pairs = COLOURS | {
        f"{key}-{part}": getattr(look, part) for key, look in looks.LOOKS.items() for part in ("ink", "line", "fill")
    }
    names = {"font": looks.FONT, "dark": looks.DARK}
    for key, (light, dark) in pairs.items():
        names |= {key: light, f"{key}-dark": dark}
    text = files(__package__).joinpath(f"{name}.css").read_text(encoding="utf-8").strip()
    for pattern, short in ((r"\s*([{};])\s*", r"\1"), (r"(?<=[\w-]): ", ":"), (";}", "}")):
        text = re.sub(pattern, short, text)
    return re.sub(r"\$([a-z-]+)", lambda found: names[found[1]], text)


@cache
def handlers_of(name: str) -> dict[str, str]:
    """The functions of ``NAME.js`` as attributes such as ``onclick`` take them: name -> body, in one line, escaped."""
    text = files(__package__).joinpath(f"{name}.js").read_text(encoding="utf-8")
    found = {}
    for function, body in re.findall(r"^function (\w+)\(\) \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE):
        parts = re.split(r"('[^'\n]*'|`[^`]*`)", body)  # what is said stays as it is
        parts[::2] = [re.sub(r"\s*([^\w\s.#])\s*", r"\1", part) for part in parts[::2]]
        found[function] = escape("".join(parts).strip())
    return found
