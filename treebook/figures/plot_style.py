"""The looks of plots: a colour, marker and dash for each method, text sizes, and what a colour is on a dark page.

The eye knows a method by its colour from one chapter to the next: ``method_looks`` finds the looks from what a plot
calls its series. Chains are warm, trees are cool.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import cycle

from .looks import BORDER, CHOSEN, EDGE, FAINT, GROUND, INK, LOOKS, PARTS

SOLVED, WRONG = LOOKS["correct"].line, LOOKS["wrong"].line
GREY = ("#6b7480", "#8b949f")  # what only stands behind: dominated points, references
GRID = ("#d5dae0", "#333c46")
# Where a run was lost, step by step: from dark to pale, so that their order shows. What is solved has SOLVED.
STEPS = (("#3d4650", "#c3ccd5"), ("#6f7a86", "#8b96a2"), ("#a7b0ba", "#59646f"), ("#d3d9df", "#363f48"))
SPACE = ("#ffffff", "#14181d")  # behind a plot

TEXT, TEXT_SMALL = 10.0, 9.0  # of plots, in points: axes and titles; labels, ticks and legends


# -------------------------------------------------------------------- methods


@dataclass(frozen=True)
class MethodLook:
    """How a method is drawn. ``colour``: (light, dark). ``marker``: matplotlib's letter. ``dash``: lengths in units of
    the line's width, "" for a solid line. ``hollow``: the marker is not filled: the gold answer picks.
    """

    method: str
    colour: tuple[str, str]
    marker: str
    dash: str = ""
    hollow: bool = False

    @property
    def linestyle(self) -> str | tuple[int, tuple[float, ...]]:
        """The dash as matplotlib wants it."""
        return (0, tuple(map(float, self.dash.split()))) if self.dash else "solid"


_TABLE = tomllib.loads(files(__package__).joinpath("methods.toml").read_text(encoding="utf-8"))["method"]
METHODS: dict[str, MethodLook] = {
    row["name"]: MethodLook(row["name"], tuple(row["colour"]), row["marker"], row.get("dash", ""), "hollow" in row)
    for row in _TABLE
}
WORDS: dict[str, str] = {row["name"]: row["words"] for row in _TABLE}  # what a label says of a method, as a pattern
# Names that are no method's: colours of Okabe and Ito, two of them darker, where the plot has no method at all; beside
# methods, neutral ones, which belong to nobody.
PALETTE = (
    ("#0072b2", "#4aa5dc"), ("#d55e00", "#e8853a"), ("#009e73", "#25b98c"), ("#cc79a7", "#dc98bd"),
    ("#2b8fd0", "#8fcbf0"), ("#b57b00", "#e0ad3a"), ("#000000", "#e8ecf0"),
)  # fmt: skip
NEUTRALS = (INK, ("#59636e", "#a3adb8"), ("#87807a", "#c9c0b6"), ("#6e6259", "#8f857c"))
HATCHES = ("", "///", "...", "\\\\\\", "xx", "--", "oo")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("", "5 2", "1 1.5", "5 1.5 1 1.5", "8 2", "2.5 1.5", "3.5 1 1 1")


def method_of(name: str) -> str:
    """The method that a label means, such as "tot-bfs" for "ToT b=5" and "cot" for "CoT, one sample"; "" if none."""
    lower = name.lower()
    return next((method for method, word in WORDS.items() if re.search(word, lower)), "")


def method_looks(names: Iterable[str]) -> dict[str, MethodLook]:
    """A look for each series of one plot.

    A method has its own; several series of one method share its colour and differ in marker and dash. Where the gold
    answer picks, markers are hollow. Names of no method are neutral, or of the palette if no name is a method's.
    """
    known = {name: method_of(name) for name in dict.fromkeys(names)}
    theirs = {METHODS[method].marker for method in known.values() if method}
    free_marks = [marker for marker in MARKERS if marker not in theirs] or MARKERS
    strangers = zip(cycle(NEUTRALS if any(known.values()) else PALETTE), cycle(free_marks), cycle(DASHES), strict=False)
    looks: dict[str, MethodLook] = {}
    used: set[tuple[str, str]] = set()
    for name, method in known.items():
        if method:
            look = METHODS[method]
            look = replace(look, hollow=look.hollow or bool(re.search(WORDS["gold"], name.lower())))
        else:
            look = MethodLook("", *next(strangers))
        if (look.colour[0], look.dash) in used:  # a second series of one method
            others = zip(MARKERS[1:], DASHES[1:], strict=True)
            free = ((m, d) for m, d in others if (look.colour[0], d) not in used and m != look.marker)
            marker, dash = next(free, (look.marker, look.dash))
            look = replace(look, marker=marker, dash=dash)
        used.add((look.colour[0], look.dash))
        looks[name] = look
    return looks


def row_looks(names: Iterable[str]) -> dict[str, MethodLook]:
    """A look for each row of a plot: a method's own; names of no method, which stand at their rows, share one."""
    known = {name: method_of(name) for name in names}
    stranger = MethodLook("", NEUTRALS[1] if any(known.values()) else PALETTE[0], "o")
    return {name: method_looks([name])[name] if method else stranger for name, method in known.items()}


def step_looks(steps: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """(fill, ink on it, hatch) of each step at which runs end: solved and wrong have the book's colours, all others
    follow from dark to pale.
    """
    looks = {"solved": (SOLVED[0], SPACE[0], ""), "wrong": (WRONG[0], SPACE[0], "")}
    for i, step in enumerate(step for step in steps if step not in looks):
        turn, place = divmod(i, len(STEPS))
        looks[step] = STEPS[place][0], (SPACE if place < 2 else INK)[0], HATCHES[turn % len(HATCHES)]
    return {step: looks[step] for step in steps}


# -------------------------------------------------------------------- light to dark


def pale(colour: str, ground: str = "#ffffff") -> str:
    """The colour mixed with the ground, so that a hatch of the full colour is visible on it."""
    return mixed(colour, ground, 0.35)


def mixed(colour: str, ground: str, share: float) -> str:
    """So much of the colour, the rest of the ground."""
    parts = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


@cache
def _pairs() -> dict[str, str]:
    """Light -> dark for all colours of plots; and for the pale shades of those that fill bars."""
    pairs = [SPACE, INK, FAINT, GREY, GRID, BORDER, EDGE, CHOSEN, SOLVED, WRONG, *PALETTE, *STEPS, *PARTS]
    pairs += [*NEUTRALS, *(look.colour for look in METHODS.values())]
    pairs += [pair for look in LOOKS.values() for pair in (look.ink, look.line, look.fill)]
    pairs += [(pale(light), pale(dark, GROUND[1])) for light, dark in pairs]
    return dict(reversed(pairs))  # of two with one light colour the first counts


def dark_of(colour: str) -> str:
    """What a light picture's colour (such as "#0072b2") is in a dark one.

    A colour of this module has its partner. Of others, greys and pale fills are turned round, from ink to ground;
    strong colours stay, a little lighter where they would not stand out from the ground.
    """
    known = _pairs().get(colour.lower())
    if known:
        return known
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    light = (max(parts) + min(parts)) / 510
    if max(parts) - min(parts) < 24:
        return mixed(INK[1], GROUND[1], 1 - light)
    if light > 0.72:
        return mixed(colour, GROUND[1], 0.3)
    return mixed(colour, "#ffffff", 0.6) if light < 0.4 else colour
