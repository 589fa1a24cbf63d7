"""Colours are legible in both themes, and no status is told by colour alone."""

from itertools import combinations
from math import dist

import pytest

from treebook.figures.looks import FAINT, GROUND, INK, LOOKS, PARTS
from treebook.figures.plot_style import (
    GREY,
    METHODS,
    NEUTRALS,
    PALETTE,
    SOLVED,
    SPACE,
    WRONG,
    dark_of,
    method_looks,
    method_of,
    pale,
)

# What the book draws in one picture: within a set everybody can tell the colours apart.
TOGETHER = (
    ("io", "cot", "cot-sc", "refine", "tot-bfs", "gold", "control"),
    ("io", "cot", "cot-sc", "tot-dfs", "gold", "control"),
    ("cot", "cot-sc", "refine", "tot-bfs", "mcts", "gold"),
    ("tot-bfs", "tot-dfs", "best-first", "itot-astar", "itot-dstar", "mcts", "control"),
    ("io", "cot", "tot-bfs", "best-first", "itot-astar", "itot-dstar"),
    ("io", "cot", "tot-bfs", "tot-dfs", "mcts", "control"),
)


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


# -------------------------------------------------------------------- methods

# What a dichromat sees of linear RGB: the matrices of severity 1.0 in Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour, eye):
    """CIELAB of a colour as this eye sees it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [min(max(c, 0.0), 1.0) for c in times(EYES[eye], linear)]
    scaled = [c / w for c, w in zip(times(TO_XYZ, seen), WHITE, strict=True)]
    x, y, z = (c ** (1 / 3) if c > 216 / 24389 else (24389 / 27 * c + 16) / 116 for c in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(a, b, theme):
    """The least distance in CIELAB between two colours over all kinds of eyes."""
    return min(dist(lab(a[theme], eye), lab(b[theme], eye)) for eye in EYES)


def test_distances_of_colours_are_those_of_the_textbooks():
    assert lab("#ff0000", "all cones") == pytest.approx((53.24, 80.09, 67.20), abs=0.02)
    assert apart(("#d7191c", ""), ("#1a9641", ""), 0) < 35


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_methods_can_be_told_apart_by_everybody(theme):
    together = {pair for group in TOGETHER for pair in combinations(group, 2)}
    assert {name for group in TOGETHER for name in group} == set(METHODS)
    near = {(a, b): apart(METHODS[a].colour, METHODS[b].colour, theme) for a, b in combinations(METHODS, 2)}
    assert min(near[pair] if pair in near else near[pair[::-1]] for pair in together) >= 17
    assert min(near.values()) >= 9
    assert len({(look.marker) for look in METHODS.values() if not look.hollow}) == len(METHODS) - 1
    assert len({look.dash for look in METHODS.values()}) == len(METHODS)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_marks_stand_out_from_the_ground(theme):
    colours = [look.colour for look in METHODS.values()] + [SOLVED, WRONG, GREY, *PALETTE, *NEUTRALS]
    low = [c for c in colours if contrast(c[theme], GROUND[theme]) < 3]
    assert not low


@pytest.mark.parametrize(
    ("label", "method"),
    [
        ("ToT b=5", "tot-bfs"), ("ToT-BFS, chosen", "tot-bfs"), ("tree", "tot-bfs"), ("tot-dfs", "tot-dfs"),
        ("CoT, one sample", "cot"), ("one chain", "cot"), ("text, CoT-SC", "cot-sc"), ("vote of k", "cot-sc"),
        ("IO, best of k", "io"), ("best-of-gold", "io"), ("io-best-of-k-gold", "io"),
        ("refine k=3", "refine"),
        ("tree of six rollouts", "mcts"),
        ("A*", "itot-astar"), ("eager A*", "itot-astar"), ("dstar", "itot-dstar"), ("itot-astar", "itot-astar"),
        ("Levin tree search", "best-first"), ("likely beam, b=5", "tot-bfs"),
        ("a right answer is in the beam (gold picks)", "gold"), ("random player", "control"), ("step 2", ""),
        ("prediction", ""), ("ratio", ""), ("totals", ""),
    ],
)  # fmt: skip
def test_a_label_finds_its_method(label, method):
    assert method_of(label) == method
    assert method_of(label) == method_looks([label])[label].method == method


def test_every_search_and_every_chain_of_the_package_has_a_colour():
    from tot.methods import METHODS as RUN

    missing = {name for name in RUN if not method_of(name)}
    assert missing <= {"plan-and-solve", "judged-plans", "retrieve-read", "react"}  # for comparison: neutral


def test_series_of_one_plot_differ_and_keep_their_colours():
    looks = method_looks(["ToT b=1", "ToT b=5", "CoT", "CoT, gold picks", "greedy", "replan"])
    assert looks["ToT b=1"].colour == looks["ToT b=5"].colour == METHODS["tot-bfs"].colour
    assert looks["ToT b=1"].marker != looks["ToT b=5"].marker and looks["ToT b=1"].dash != looks["ToT b=5"].dash
    assert looks["CoT, gold picks"].hollow and not looks["CoT"].hollow
    assert {looks["greedy"].colour, looks["replan"].colour} <= set(NEUTRALS)
    assert len({(look.colour, look.dash) for look in looks.values()}) == len(looks)
    assert method_looks(["a", "b"])["b"].colour == PALETTE[1]
    assert method_looks([]) == {}


def test_a_dark_picture_is_as_legible_as_a_light_one():
    for light, dark in (SPACE, INK, SOLVED, METHODS["cot"].colour):
        assert dark_of(light) == dark_of(light.upper()) == dark
    assert contrast(dark_of("#000000"), GROUND[1]) > 12 and contrast(dark_of("#fefefe"), GROUND[1]) < 1.1
    assert contrast(dark_of("#808080"), GROUND[1]) > 3  # matplotlib's grey
    assert contrast(dark_of("#08306b"), GROUND[1]) > 3 and dark_of("#e6550d") == "#e6550d"
    assert contrast(dark_of("#b9d6f2"), INK[1]) > 4.5  # a fill on which something is written
    assert dark_of(pale(PARTS[0][0])) == pale(PARTS[0][1], GROUND[1])
