"""Maps of winners: every tile in its place, in its winner's colour and with its label; doubt is no colour."""

import pytest
from matplotlib.colors import to_hex
from test_plot_style import contrast

from treebook.figures.looks import INK
from treebook.figures.plot_style import PALETTE, dark_of, pale
from treebook.figures.tiles import winners

WHO = {("p", 0, "a"): "bfs", ("p", 1, "a"): "dfs", ("p", 0, "b"): None, ("q$", 0, "a"): "dfs", ("q$", 1, "b"): "bfs"}
WHO |= {(panel, 0, "a"): "dfs" for panel in ("r", "s")}
ROWS = [{"panel": p, "x": x, "y": y, "winner": who, "label": f"{p}{x}{y}\nover"} for (p, x, y), who in WHO.items()]
AXES = {"x": "x", "y": "y", "panel": "panel", "xlabel": "across", "ylabel": "down"}


def test_tiles_stand_where_their_settings_say():
    figure = winners(ROWS, names=("dfs", "bfs", "idle"), **AXES)
    panels = {ax.get_title(loc="left").replace("\\", ""): ax for ax in figure.axes if ax.axison}
    assert [*panels] == ["p", "q$", "r", "s"]
    for name, ax in panels.items():
        middles = [(p.get_x() + p.get_width() / 2, p.get_y() + p.get_height() / 2) for p in ax.patches]
        labels = {text.get_position(): text.get_text().replace("\\", "") for text in ax.texts}
        there = {(x, "ab".index(y)): who for (panel, x, y), who in WHO.items() if panel == name}
        assert [tuple(map(round, middle)) for middle in middles] == [*there] == [*labels]
        for patch, ((i, j), who) in zip(ax.patches, there.items(), strict=True):
            assert labels[i, j] == f"{name}{i}{'ab'[j]}\nover"
            assert patch.get_fill() == (who is not None)
            if who:
                assert to_hex(patch.get_facecolor()) == pale(PALETTE[("dfs", "bfs").index(who)][0])
    assert figure.axes[3] is panels["s"], "three panels in a row"
    assert [text.get_text() for text in figure.legends[0].texts] == ["dfs", "bfs", "idle", "cannot tell"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_labels_are_legible_on_every_colour(theme):
    colours = [pale(light) if theme == 0 else dark_of(pale(light)) for light, _ in PALETTE]
    assert len(set(colours)) == len(colours) and min(contrast(INK[theme], c) for c in colours) >= 4.5


def test_a_tile_has_one_row():
    for rows, why in (([*ROWS, ROWS[0]], "one row at most"), ([], "at least one row")):
        with pytest.raises(ValueError, match=why):
            winners(rows, **AXES)
