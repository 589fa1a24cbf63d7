"""Maps: each road once, the way thick, what is down crossed out; and D* Lite on a map, turn by turn."""

from math import inf
from xml.etree import ElementTree

import pytest

from treebook.figures import concepts
from treebook.figures.maps import road_map, side_by_side
from treebook.graph import DStarLite, astar
from treebook.show import HTML

PLACE = {page: (x, 0) for x, page in enumerate("ABCDEFH")} | {"G": (5, 1)}
ROADS = {page: {} for page in PLACE}
for one, two in zip("ABCDE", "BCDEF", strict=True):
    ROADS[one][two] = ROADS[two][one] = 1
ROADS["F"] |= {"G": 1, "H": 1}
ROADS["H"]["G"] = 4
ROADS["B"]["G"] = 5.5


def lines(svg, css):
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path")
    return [path for path in found if path.get("class") == css]


def words(svg):
    return ["".join(t.itertext()) for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_each_road_is_drawn_once_and_the_way_thick():
    way = astar(ROADS, "A", {"G"}).vertices
    made = road_map(PLACE, ROADS, path=way, start="A", goal="G", texts={u: u for u in PLACE}, prices=True)
    thick = [p for p in lines(made, "tot-s-chosen") if p.get("stroke-width") == "4"]
    thin = [p for p in lines(made, "tot-s-edge") if p.get("stroke-width") == "1.4"]
    assert (len(thick), len(thin)) == (len(way) - 1, 9 - len(way) + 1)
    assert sorted(words(made)) == sorted([*PLACE, *["1"] * 7, "4", "5.5"])
    assert f"The way: {', '.join(way)}." in made.about


def test_a_road_that_is_down_is_crossed_out():
    made = road_map(PLACE, ROADS, down=[("F", "G")], texts={u: u for u in PLACE}, prices=True)
    assert "down" in words(made) and "Down: F to G." in made.about
    assert any(p.get("stroke-dasharray") for p in lines(made, "tot-s-wrong"))


def test_nothing_leaves_the_picture():
    made = road_map(
        PLACE, ROADS, texts={u: u for u in PLACE}, remarks={u: ["key 12, 10.5"] * 3 for u in PLACE}, title="x"
    )
    root = ElementTree.fromstring(made)
    width, height = map(float, root.get("viewBox").split()[2:])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(text.get("x")) < width and 8 < float(text.get("y")) < height - 3


def test_pages_without_a_place_are_refused():
    with pytest.raises(ValueError, match="needs a place"):
        road_map({"A": (0, 0)}, {"A": {"B": 1}})
    with pytest.raises(ValueError, match="a map needs a page"):
        road_map({}, {})


def test_maps_stand_side_by_side_and_a_page_takes_the_room_that_is_left():
    picture, page = road_map(PLACE, ROADS, title="<first>"), HTML("<p>a page</p>", "a page")
    row = side_by_side([picture, picture, page])
    assert row.count("<svg") == 2 and "flex-wrap" in row and "<first>" not in row
    assert row.count(f"flex:0 1 {round(picture.width)}px") == 2 and row.count("flex:1 1 420px") == 1
    assert row.about.endswith("a page")


def test_the_turns_are_those_of_the_package():
    frames = concepts.dstar_turns(PLACE, ROADS, "A", "G", ("F", "G"))
    planner = DStarLite(ROADS, "A", "G", lambda a, b: sum(abs(m - n) for m, n in zip(PLACE[a], PLACE[b], strict=True)))
    planner.plan()
    first = len(planner.expanded)
    for page in "BCDEF":
        planner.move(page)
    planner.change({("F", "G"): inf})
    cost = planner.plan()
    taken = [label.split(" is taken")[0][-1] for label in frames.labels if "is taken" in label]
    assert taken == planner.expanded[first:] and frames.labels[-1] == f"the new plan costs {cost:g}"
    assert len(lines(frames.frames[0].split(">", 1)[1].rsplit("</div>", 1)[0], "tot-s-chosen")) >= 6
    with pytest.raises(ValueError, match="does not use the call"):
        concepts.dstar_turns(PLACE, ROADS, "A", "G", ("B", "G"))
