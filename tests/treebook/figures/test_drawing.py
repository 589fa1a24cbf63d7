"""The picture of a tree: legible without colour, without eyes, and with nothing outside its frame."""

import re
from xml.etree import ElementTree

import planners
import pytest
from traces import EDGES, boxes, filled, solved, trip

import tot
from tot.trace import Trace
from treebook.show import picture, svg


@pytest.mark.parametrize("name", ["trip", "hostile", "orphan"])
def test_boxes_do_not_overlap_and_stay_inside(name: str) -> None:
    picture_ = str(svg(EDGES[name], max_dropped=None))
    root = ElementTree.fromstring(picture_)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    placed = boxes(picture_)
    assert len(placed) == len(picture(EDGES[name]).items)
    for i, (x, y, w, h) in enumerate(placed):
        assert x >= 0 and y >= 0 and x + w <= width and y + h <= height
        for x2, y2, w2, h2 in placed[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_status_is_said_by_words_and_lines_not_colour_alone() -> None:
    drawn = str(svg(trip()))
    for word in ("✕ pruned: no", "✗ wrong", ">kept<", ">not kept<", ">not valued<", ">chosen<"):
        assert word in drawn
    trace = solved(breadth=2).trace
    drawn = str(svg(Trace(trace.head, trace.events[:5]))) + str(svg(trip()))
    styles = dict(
        re.findall(r'tot-n-(\w+)(?: tot-chosen)?"><title>[^<]*</title><rect[^>]*stroke-width="([^"]*"[^>]*)/>', drawn)
    )
    assert len({styles[kind] for kind in ("chosen", "kept", "dropped", "new", "pruned")}) == 5, "each has its own line"
    grey = re.sub(r"#[0-9a-f]{6}", "#808080", drawn)
    assert "stroke-dasharray" in grey and 'stroke-width="3"' in grey


def test_svg_has_a_text_alternative() -> None:
    root = ElementTree.fromstring(svg(solved()))
    label = root.get("aria-label", "")
    assert root.get("role") == "img"
    for part in ("game24", "4 9 10 13", "4 levels", "not kept", "Chosen: ", "correct"):
        assert part in label
    assert root.find("{http://www.w3.org/2000/svg}desc") is not None
    assert "<script" not in svg(solved()) and " id=" not in svg(solved())


def test_coordinates_have_one_decimal() -> None:
    drawn = re.sub(r"<(title|desc|text|style)\b.*?</\1>|aria-label=\"[^\"]*\"", "", str(svg(solved())), flags=re.S)
    assert re.search(r"\d\.\d\b", drawn) and not re.search(r"\d\.\d\d|-0\b(?!\.)", drawn)


def test_what_is_said_of_a_judged_answer_has_the_colour_of_the_answer() -> None:
    trace = trip()
    trace.events.insert(4, {"kind": "evaluated", "nodes": [{"id": "0.0.0", "value": 2.5}]})
    [answer] = re.findall(r'<g class="tot-node tot-n-wrong[^>]*>.*?</g>', str(svg(trace)), re.S)
    assert ">value 2.5<" in answer and len(set(re.findall(r'<text [^>]*fill="(#\w+)"', answer))) == 1


def test_what_a_pruned_clue_was_is_named() -> None:
    s = filled()
    for item in picture(s).items.values():
        if item.status == "pruned":
            assert f"✕ pruned: {item.why[:2]}." in svg(s)


def test_bars_of_a_tree_with_visits_show_the_mean_that_is_written() -> None:
    """On all levels a pixel is worth the same."""
    lm = planners.team(planners.LUCKY, planners.LUCK)
    solution = tot.solve("gsm8k", planners.X, "mcts-plan", lm=lm, rollouts=12, revisions=2)
    drawn = svg(solution, max_dropped=None)
    units = []
    for box in re.findall(r'<g class="tot-node.*?</g>', drawn, re.S):
        mean, bar = re.search(r">N \d+ · Q ([\d.]+)<", box), re.search(r'class="tot-bar"[^>]* width="([\d.]+)"', box)
        if mean and bar:
            units.append(float(bar[1]) / float(mean[1]))
    assert len(units) > 3 and max(units) - min(units) < 0.01 * max(units)
    assert len({item.depth for item in picture(solution).items.values() if item.visits}) > 2
    assert "mean" in drawn.about and "visits" in drawn.about
