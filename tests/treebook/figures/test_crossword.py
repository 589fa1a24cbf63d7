"""Boards of a crossword: every letter where it belongs, in the picture and in words."""

import re
from xml.etree import ElementTree

import pytest
from traces import BAD, EDGES, HOSTILE, filled
from traces import node as snapshot

import tot
from tot.trace import Trace
from treebook.figures.crossword import CELL, board_strip
from treebook.show import picture
from treebook.studies.crosswords_simulated import SimulatedSolver

SVG = "{http://www.w3.org/2000/svg}"


def cells(drawn: str) -> list[list[tuple[str, str]]]:
    """Of each board its cells, row by row: the letter and the look."""
    found: dict[tuple[float, float], tuple[str, str]] = {}
    for group in ElementTree.fromstring(drawn).iter(f"{SVG}g"):
        look = group.get("class", "").rpartition("tot-n-")[2]
        for rect in group.findall(f"{SVG}g/{SVG}rect"):
            found[float(rect.get("y", "")) + 9.1, float(rect.get("x", "")) + 9.1] = "", look
        for letter in group.findall(f"{SVG}g/{SVG}text"):
            found[float(letter.get("y", "")) - 3.5, float(letter.get("x", ""))] = letter.text or "", look
    corners = [(y, x) for y, x in sorted(found) if (y - CELL, x) not in found and (y, x - CELL) not in found]
    return [[found[y + CELL * i, x + CELL * j] for i in range(5) for j in range(5)] for y, x in corners]


def test_boards_are_drawn_cell_by_cell() -> None:
    s = filled()
    seen = picture(s)
    drawn = cells(board_strip(s))
    assert len(drawn) == len(s.result.visited) == 30
    for node, found in zip(s.result.visited, drawn, strict=True):
        letters, rows = [letter or "_" for letter, _ in found], str(node.state.answer).replace(" ", "")
        assert "".join(letters) == rows
        above = str(node.parent.state.answer or "_" * 25).replace(" ", "") if node.parent else ""
        new = [i for i, (_, look) in enumerate(found) if look == "chosen"]
        assert new == [i for i, letter in enumerate(rows) if letter not in ("_", above[i])]
        item = seen.items[node.id]
        out = re.findall(r"(?:^|; )([hv][1-5])\. ", item.why) if item.status == "pruned" else []
        there = {i for name in out for i in range(25) if (i // 5 if name[0] == "h" else i % 5) == int(name[1]) - 1}
        assert {i for i, (_, look) in enumerate(found) if look == "pruned"} == there - {*new}


def test_boards_side_by_side_say_what_became_of_each() -> None:
    s = filled()
    whole = board_strip(s)
    names = [n.state.last.text for n in s.result.visited]
    for i, (name, node) in enumerate(zip(names, s.result.visited, strict=True), 1):
        assert f"{i}: {name}: {node.state.answer}" in whole.about
    said = [t.text or "" for t in ElementTree.fromstring(whole).iter("{http://www.w3.org/2000/svg}text")]
    assert [t for t in said if " · " in t] == [f"{i} · {name}" for i, name in enumerate(names, 1)]
    pruned = [i for i, n in enumerate(s.result.visited, 1) if picture(s).items[n.id].status == "pruned"]
    assert pruned and sum(t.startswith("✕") for t in said) == len(pruned)
    some = board_strip(s, [2, pruned[0]], {2: "as we wished"})
    assert "as we wished" in some and "✕" in some and "1: " not in some.about.partition(": ")[2]
    assert "written over" not in whole.about  # a filled letter never changes
    phone = ElementTree.fromstring(whole.down)
    assert float(phone.get("width", 0)) < 365 and board_strip(s, [1, 2]).down == ""  # three boards in a row
    down = [t.text or "" for t in phone.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(down) == sorted(said), "a phone shows all boards"
    greedy = tot.solve("crosswords", "mini-09", lm=SimulatedSolver(stubborn=1.0), backtrack=False)
    found = board_strip(greedy)
    assert "written over" in found.about and "tot-n-wrong" in found
    with pytest.raises(ValueError, match="there was no visit 31: this search has 30"):
        board_strip(s, [31])


@pytest.mark.parametrize("name", EDGES)
def test_a_trace_without_boards_has_none(name: str) -> None:
    with pytest.raises(ValueError, match="no boards"):
        board_strip(EDGES[name])


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_clues_and_letters_stay_text(bad: str) -> None:
    grids = [f"{bad[:5]:_<5} " + "<&>_'", "ÄÖ 海辺", "ab cd", "\u202e_ __"]
    kids = [snapshot(f"0.{i}", thought=bad, answer=grid, prior=bad) for i, grid in enumerate(grids)]
    judged = [{"id": kid["id"], "value": bad, "note": f"h1. {bad}; v2. {bad}"} for kid in kids]
    events = [
        {"kind": "expanded", "of": ["0"], "nodes": [snapshot("0", thought=bad), *kids]},
        {"kind": "evaluated", "nodes": judged},
        {"kind": "pruned", "nodes": [{"id": "0.0"}, {"id": "0.2"}], "why": f"h1. {bad}; v2. {bad}"},
    ]
    trace = Trace({"problem": f"h1. {bad}\nv2. {bad}", "task": bad}, events, {})
    for drawn in (board_strip(trace), board_strip(trace, notes={1: bad})):
        ElementTree.fromstring(drawn)
        assert not BAD.search(drawn) and "<script" not in drawn and "<img" not in drawn and len(drawn) < 60_000
