"""Colours: one for each state of a thought in the whole book. (Those of methods are ``treebook``'s.)

Each view brings its own background and its own ink, so that it is legible on any page.

Views are light. They turn dark only where the page says that it is dark: ``data-theme="dark"`` (this book's theme) or
JupyterLab's own mark. The preference of the reader's system says nothing about the page, so it is ignored. Colours of
statuses differ in lightness as well as in hue, and no status is shown by colour alone.
"""

from dataclasses import dataclass

# Pixels: how wide a picture is: one of two panels, a page's text, the text and its margin (book/_static/css/type.css).
PANEL, TEXT_WIDTH, WIDE = 334.0, 680.0, 1000.0

DARK = ':is([data-theme="dark"],[data-jp-theme-light="false"])'
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',Arial,sans-serif"


@dataclass(frozen=True)
class Look:
    """Ink, outline and fill of one kind of node, each as (light, dark); ``dash`` and ``width`` of the outline in
    pixels.
    """

    ink: tuple[str, str]
    line: tuple[str, str]
    fill: tuple[str, str]
    dash: str = ""
    width: float = 1.2


GROUND = ("#ffffff", "#14181d")
BORDER = ("#d5dae0", "#39424d")
INK = ("#1b1f24", "#e8ecf0")
FAINT = ("#59636e", "#a3adb8")
BAR = ("#8fb3dd", "#4d7fb8")
BONUS = ("#f2b25c", "#b87a24")  # beside BAR: the part of a bound that stands for few visits
EDGE = ("#a6afb8", "#57616c")
CHOSEN = ("#0b57c4", "#79b8ff")

LOOKS: dict[str, Look] = {
    "root": Look(INK, ("#59636e", "#a3adb8"), ("#eef1f4", "#262d35"), width=1.6),
    "kept": Look(INK, ("#59636e", "#a3adb8"), ("#f7f9fb", "#1d232a")),
    "dropped": Look(FAINT, ("#8b949e", "#6e7985"), GROUND, dash="4 3", width=1.0),
    "valued": Look(FAINT, ("#8b949e", "#6e7985"), GROUND, dash="1.5 2.5", width=1.0),
    "new": Look(FAINT, ("#8b949e", "#6e7985"), GROUND, dash="1.5 2.5", width=1.0),
    "pruned": Look(("#97180f", "#ffa198"), ("#b8342a", "#e5635a"), ("#fff4f2", "#2b1614"), dash="7 2 1.5 2"),
    "failed": Look(("#97180f", "#ffa198"), ("#b8342a", "#e5635a"), ("#fff4f2", "#2b1614"), dash="2 2", width=1.6),
    "more": Look(FAINT, ("#ffffff", "#14181d"), GROUND, width=0.0),
    "chosen": Look(INK, CHOSEN, ("#e8f1fd", "#14263d"), width=3.0),
    "correct": Look(("#0d5222", "#7ee29a"), ("#187a37", "#3fb95f"), ("#e3f7e8", "#0f2a18"), width=1.6),
    "wrong": Look(("#8a1409", "#ffa198"), ("#b8342a", "#e5635a"), ("#fdecea", "#331614"), width=1.6),
}

# Roles that were asked, in order of their appearance in a picture; bars of them differ in hatch or height as well.
PARTS = (BAR, ("#d98e4a", "#b8702c"), ("#5aa585", "#3f8668"), ("#b58fc0", "#8d6699"), ("#8b949e", "#6e7985"))
