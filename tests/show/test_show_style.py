"""Colours are legible in both themes, and no status is told by colour alone."""

import pytest

from tot.show.style import FAINT, GROUND, INK, LOOKS


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted(map(luminance, (a, b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_ink_stands_out_from_what_it_is_written_on(theme):
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    pairs = [(INK, GROUND), (FAINT, GROUND), *((look.ink, look.fill) for look in LOOKS.values())]
    assert min(contrast(ink[theme], below[theme]) for ink, below in pairs) >= 4.5


def test_statuses_differ_in_their_outlines():
    outlines = {name: (look.dash, look.width) for name, look in LOOKS.items()}
    told = ("kept", "dropped", "valued", "pruned", "failed", "chosen")
    assert len({outlines[name] for name in told}) == len(told)
