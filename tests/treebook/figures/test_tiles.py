"""Maps of winners: every tile in its place, in its winner's colour and with its label; doubt is no colour."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from test_plot_style import contrast

from tot.show.style import INK
from treebook.figures.plot_style import METHODS, PALETTE, method_looks
from treebook.figures.tiles import TILE, colour_of, winners

AT = "{http://www.w3.org/2000/svg}"
WHO = {("p", 0, "a"): "bfs", ("p", 1, "a"): "dfs", ("p", 0, "b"): None, ("q<", 0, "a"): "dfs", ("q<", 1, "b"): "bfs"}
ROWS = [{"panel": p, "x": x, "y": y, "winner": who, "label": f"{p}{x}{y}\nover"} for (p, x, y), who in WHO.items()]


def drawn(**options):
    picture = winners(ROWS, x="x", y="y", panel="panel", **options)
    return picture, ElementTree.fromstring(picture)


def tiles(root):
    """label -> (class, corner) of the tile that it is written in."""
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


@pytest.mark.parametrize("columns", [1, 3])
def test_tiles_stand_where_their_settings_say(columns):
    picture, root = drawn(names=("dfs", "bfs", "idle"), columns=columns)
    there = tiles(root)
    assert len(there) == len(WHO)
    for (p, x, y), who in WHO.items():
        css, at, dash = there[f"{p}{x}{y} over"]
        assert css == {"dfs": "tot-win0", "bfs": "tot-win1", None: "tot-doubt"}[who] and bool(dash) == (who is None)
        first = there["p0a over"][1]
        if p == "p":
            assert at == (first[0] + TILE[0] * x, first[1] + TILE[1] * "ab".index(y))
        else:
            other = there["q<0a over"][1]
            assert at == (other[0] + TILE[0] * x, other[1] + TILE[1] * "ab".index(y))
            assert (other[0] > first[0], other[1] > first[1]) == (columns > 1, columns == 1)
    size = [float(part) for part in root.get("viewBox").split()]
    corners = [at for _, at, _ in there.values()]
    assert all(0 < x < size[2] - TILE[0] and 0 < y < size[3] - TILE[1] for x, y in corners)
    said = [text.text for text in root.iter(f"{AT}text")]
    assert [text for text in said if text in ("dfs", "bfs", "idle", "cannot tell")] == [
        "dfs",
        "bfs",
        "idle",
        "cannot tell",
    ]
    assert "p: bfs 1, dfs 1, cannot tell 1. q<: dfs 1, bfs 1." in picture.about
    assert picture == drawn(names=("dfs", "bfs", "idle"), columns=columns)[0]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_labels_are_legible_on_every_colour(theme):
    colours = [colour_of(look, theme) for look in METHODS.values()]
    assert len(set(colours)) == len(colours) and min(contrast(INK[theme], c) for c in colours) >= 4.5
    picture, _ = drawn()
    assert colour_of(method_looks(["dfs", "bfs"])["bfs"], theme) in picture


def test_a_tile_has_one_row():
    with pytest.raises(ValueError, match="one row at most"):
        winners([*ROWS, ROWS[0]], x="x", y="y", panel="panel")
    with pytest.raises(ValueError, match="at least one row"):
        winners([], x="x", y="y", panel="panel")


def test_players_set_apart_take_the_palette_in_their_order():
    own, _ = drawn(names=("best-first", "A*", "bfs", "dfs"))
    picture, _ = drawn(names=("best-first", "A*", "bfs", "dfs"), apart=True)
    looks = [replace(METHODS["control"], colour=pair) for pair in PALETTE[2:4]]
    assert all(colour_of(look, 0) in picture and colour_of(look, 0) not in own for look in looks)
