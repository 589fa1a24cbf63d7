"""What is written on a ground can be read: 4.5 : 1 at least, computed from the style sheets, light and dark."""

import re
from pathlib import Path

import pydata_sphinx_theme
import pytest
from conftest import ROOT

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/styles/pydata-sphinx-theme.css"
SHEETS = [THEME, *sorted((ROOT / "book/_static/css").glob("*.css"))]


def colours(mode):
    """Name of a variable -> its colour on pages of that mode; a later sheet counts more, as in the pages."""
    blocks = rf':root *\{{[^}}]*\}}|html\[data-theme="?{mode}"?\] *\{{[^}}]*\}}'
    rules = "".join(block for sheet in SHEETS for block in re.findall(blocks, sheet.read_text(encoding="utf-8")))
    return dict(re.findall(r"--([\w-]+): *(#[0-9a-f]{3,6})\b", rules))


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_knows_black_white_and_the_grey_between():
    assert contrast("#000", "#fff") == pytest.approx(21) and contrast("#767676", "#ffffff") == pytest.approx(
        4.54, abs=0.01
    )


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_links_notes_and_quiet_words_can_be_read_on_every_ground(mode):
    found = colours(mode)
    grounds = {
        n: c
        for n, c in found.items()
        if n.endswith("-ground") or n in ("tot-card", "pst-color-surface", "pst-color-background")
    }
    inks = ("pst-color-link", "pst-color-text-base", "pst-color-text-muted")
    pairs = [(ink, ground) for ink in inks for ground in grounds]
    pairs += [
        (name.removesuffix("-ground"), name) for name in grounds if name.startswith("tot-") and name != "tot-card"
    ]
    faint = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in pairs}
    assert len(grounds) >= 7 and {pair: ratio for pair, ratio in faint.items() if ratio < 4.5} == {}
