"""Trees of tool calls: every call once, at the same place in every panel, counted as in the bill."""

import re
from xml.etree import ElementTree

import pytest
from traces import sleuthed

from treebook.figures.call_trees import STEP, tool_trees

AT = "{http://www.w3.org/2000/svg}"


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)]


def lines(root):
    """class -> the (x, y, x, y) of its lines; and where crosses and dots are."""
    found, crosses = {}, []
    for path in root.iter(f"{AT}path"):
        kind = path.get("class") if path.get("stroke-width") != "2.6" else "way"
        for piece in re.findall(r"M[^M]+", path.get("d")):
            if "l" in piece:
                x, y = numbers(piece)[:2]
                crosses.append((round(x + 2.5, 1), round(y + 2.5, 1)))
            else:
                found.setdefault(kind, []).append(tuple(numbers(piece)))
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{AT}circle")]
    return found, crosses, dots


def test_every_call_is_drawn_once():
    run = sleuthed(rounds=4)
    acted = [node for event in run.trace.events if event["kind"] == "acted" for node in event["nodes"]]
    failed = sum("failed" in node for node in acted)
    assert 0 < failed < len(acted)
    picture = tool_trees({"x<y": run})
    found, crosses, dots = lines(ElementTree.fromstring(picture))
    ends = [line[2:] for each in found.values() for line in each]
    assert len(set(ends)) == len(ends) == len(acted) and sorted(ends) == sorted(crosses + dots)
    assert len(found["tot-fail"]) == len(crosses) == failed
    assert all(round(x2 - x, 1) == STEP for each in found.values() for x, _, x2, _ in each)
    bill = run.trace.result["tools"]
    assert f"x<y: {bill['calls']} calls, {bill['failed']} failed; {bill['total']:g} spent" in picture.about
    output = run.trace.best[0]
    on_the_way = [node for node in acted if f"{output}.".startswith(f"{node['id']}.")]
    assert run.result.stopped == "done" and len(found["way"]) == len(on_the_way) > 0


def test_the_same_node_is_at_the_same_place_in_every_panel():
    few, many = sleuthed(rounds=2), sleuthed(rounds=4)
    both = tool_trees({"few": few, "many": many})
    for picture, moved in ((both, 0), (both.down, 1)):  # beside each other, on a phone one below the other
        panels = ElementTree.fromstring(picture).findall(f"{AT}g[@transform]")
        left, right = ({*crosses, *dots} for _, crosses, dots in map(lines, panels))
        assert left and left < right  # the shorter run is the beginning of the longer one
        places = [numbers(panel.get("transform")) for panel in panels]
        assert places[0] == [0, 0] and places[1][moved] > 0 == places[1][1 - moved]
    assert "few: " in both.about and "no answer." in both.about and "answered." in both.about


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="at least one run"):
        tool_trees({})
    assert "0 calls, 0 failed; 0 spent" in tool_trees({"no tools": sleuthed("io")}).about
