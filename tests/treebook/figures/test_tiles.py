"""Maps of winners: every tile in its place, in its winner's colour and with its label; doubt is no colour."""

from xml.etree import ElementTree

import pytest
from test_plot_style import contrast

from treebook.figures.looks import INK
from treebook.figures.plot_style import PALETTE
from treebook.figures.tiles import TILE, colour_of, winners

AT = "{http://www.w3.org/2000/svg}"
WHO = {("p", 0, "a"): "bfs", ("p", 1, "a"): "dfs", ("p", 0, "b"): None, ("q<", 0, "a"): "dfs", ("q<", 1, "b"): "bfs"}
WHO |= {(panel, 0, "a"): "dfs" for panel in ("r", "s")}
ROWS = [{"panel": p, "x": x, "y": y, "winner": who, "label": f"{p}{x}{y}\nover"} for (p, x, y), who in WHO.items()]
AXES = {"x": "x", "y": "y", "panel": "panel", "xlabel": "across", "ylabel": "down"}


def tiles(root):
    """label -> (class, corner, dash) of the tile that it is written in."""
    found = {}
    groups = [(group, box) for group in root.iter(f"{AT}g") for box in group.iter(f"{AT}rect")]
    for group, box in groups:
        if float(box.get("width")) != TILE[0] - 2:
            continue  # the legend
        x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        said = [
            text.text
            for text in root.iter(f"{AT}text")
            if x < float(text.get("x")) < x + width and y < float(text.get("y")) < y + height
        ]
        found[" ".join(said)] = (group.get("class"), (x, y), group.get("stroke-dasharray"))
    return found


def test_tiles_stand_where_their_settings_say():
    picture = winners(ROWS, names=("dfs", "bfs", "idle"), **AXES)
    root = ElementTree.fromstring(picture)
    there = tiles(root)
    assert len(there) == len(WHO)
    corners = {p: there[f"{p}0a over"][1] for p in ("p", "q<", "r", "s")}
    for (p, x, y), who in WHO.items():
        css, at, dash = there[f"{p}{x}{y} over"]
        assert css == {"dfs": "tot-win0", "bfs": "tot-win1", None: "tot-doubt"}[who] and bool(dash) == (who is None)
        assert at == (corners[p][0] + TILE[0] * x, corners[p][1] + TILE[1] * "ab".index(y))
    assert corners["p"][0] < corners["q<"][0] < corners["r"][0] and corners["s"][0] == corners["p"][0]
    assert corners["p"][1] == corners["q<"][1] == corners["r"][1] < corners["s"][1], "three panels in a row"
    size = [float(part) for part in root.get("viewBox").split()]
    assert all(0 < x < size[2] - TILE[0] and 0 < y < size[3] - TILE[1] for _, (x, y), _ in there.values())
    said = [text.text for text in root.iter(f"{AT}text")]
    assert [text for text in said if text in ("dfs", "bfs", "idle")] == ["dfs", "bfs", "idle"]
    assert "cannot tell" in said and "p: bfs 1, dfs 1, cannot tell 1. q<: dfs 1, bfs 1." in picture.about
    assert all(colour_of(i, 0) in picture for i in (0, 1))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_labels_are_legible_on_every_colour(theme):
    colours = [colour_of(i, theme) for i in range(len(PALETTE))]
    assert len(set(colours)) == len(colours) and min(contrast(INK[theme], c) for c in colours) >= 4.5


def test_a_tile_has_one_row():
    for rows, why in (([*ROWS, ROWS[0]], "one row at most"), ([], "at least one row")):
        with pytest.raises(ValueError, match=why):
            winners(rows, **AXES)
