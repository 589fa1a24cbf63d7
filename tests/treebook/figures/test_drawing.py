"""The picture of a tree: legible without colour, without eyes, and with nothing outside its frame."""

import re
from xml.etree import ElementTree

import planners
import pytest
from traces import EDGES, boxes, filled, solved, trip

import tot
from tot.show.tree import fold
from tot.trace import Trace
from treebook.figures.marks import THICK, costs, thickness
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
    assert (
        answer.count("<circle") == 3
        and len(set(re.findall(r'(?:<text [^>]*fill|<g [^>]*color)="(#\w+)"', answer))) == 1
    )


def test_what_a_pruned_clue_was_is_named() -> None:
    s = filled()
    for item in picture(s).items.values():
        if item.status == "pruned":
            assert f"✕ pruned: {item.why[:2]}." in svg(s)


def marks(drawn: str) -> list[str]:
    """The marks of each box, in the order of the boxes, read off the picture."""
    found = []
    for box in re.findall(r'<g class="tot-node.*?</title>(.*?)</g>(?=\n)', drawn, re.S):
        kinds = re.findall(r'<circle[^>]*?(fill="\w+")?/>(<path)?|(<path d="M[^"]*h4"/>)', box)
        found.append("".join("–" if no else "◐" if half else "●" if fill else "○" for fill, half, no in kinds))
    return found


def test_marks_are_the_verdicts_of_the_replies() -> None:
    """Read from the replies, which the drawing does not look at."""
    solution = solved()
    kinds, said = {"sure": "●", "likely": "◐", "impossible": "○"}, {}
    for event in solution.trace.events:
        for request in event.get("requests", ()) if event.get("role") == "evaluator" else ():
            words = [sample["text"].split()[-1].strip(".") for sample in request["samples"]]
            said[request["about"]] = "".join(sorted((kinds[word] for word in words), key="●◐○".index))
    items = picture(solution).items
    drawn = dict(zip((i for i in lay_out_order(solution)), marks(str(svg(solution, max_dropped=None))), strict=True))
    assert said and all(drawn[id] == each for id, each in said.items())
    assert {drawn[id] for id, item in items.items() if item.answer} <= {"●●●", "○○○"}, "what a program judged"


def lay_out_order(source: object) -> list[str]:
    return [*fold(picture(source), None, 12)]


def test_other_scores_fill_three_marks_by_their_share() -> None:
    lm = planners.team(planners.LUCKY, planners.LUCK)
    solution = tot.solve("gsm8k", planners.X, "mcts-plan", lm=lm, rollouts=12, revisions=2)
    items = [picture(solution).items[id] for id in lay_out_order(solution)]
    drawn = marks(str(svg(solution, max_dropped=None)))
    most = max(item.worth or 0 for item in picture(solution).items.values())
    halves = [2 * each.count("●") + each.count("◐") for each in drawn]
    assert halves == [round(6 * (item.worth or 0) / most) for item in items] and len({*halves}) > 2


def test_an_edge_is_as_thick_as_what_its_box_cost() -> None:
    solution = solved()
    tokens, root = costs(solution.trace), picture(solution).root
    usage = solution.trace.result["usage"]
    assert sum(tokens.values()) == pytest.approx(usage["prompt_tokens"] + usage["completion_tokens"])
    wanted = {thickness(n, max(n for id, n in tokens.items() if id != root)) for id, n in tokens.items() if id != root}
    widths = {
        float(width) for width in re.findall(r'<path d="M[^"]*C[^"]*" stroke-width="([\d.]+)"', str(svg(solution)))
    }
    assert {THICK[place] for place in wanted} <= widths and len(widths) > 1
