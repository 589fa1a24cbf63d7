"""Boards of a crossword: every letter where it belongs, in the picture and in words."""

import re
from xml.etree import ElementTree

import pytest
from traces import BAD, EDGES, HOSTILE, filled
from traces import node as snapshot

import tot
from tot.trace import Trace
from treebook.figures.crossword import board, board_strip, boards
from treebook.show import picture
from treebook.studies.crosswords_simulated import SimulatedSolver


def cells(drawn: str) -> dict[tuple[float, float], tuple[str, str]]:
    """Where each cell of a drawn board is, its letter and its look."""
    found: dict[tuple[float, float], tuple[str, str]] = {}
    at = "{http://www.w3.org/2000/svg}"
    for group in ElementTree.fromstring(drawn).iter(f"{at}g"):
        look = group.get("class", "").rpartition("tot-n-")[2]
        for rect in group.findall(f"{at}g/{at}rect"):
            found[float(rect.get("x", "")) + 15.5, float(rect.get("y", "")) + 15.5] = "", look
        for letter in group.findall(f"{at}g/{at}text"):
            found[float(letter.get("x", "")), float(letter.get("y", "")) - 6] = letter.text or "", look
    return found


def test_a_board_is_drawn_cell_by_cell() -> None:
    s = filled()
    seen = picture(s)
    for node in s.result.visited:
        found = cells(board(s, node.id))
        assert len(found) == 25
        letters = [found[place][0] or "_" for place in sorted(found, key=lambda place: (place[1], place[0]))]
        rows = str(node.state.answer).split()
        assert "".join(letters) == "".join(rows)
        above = str(node.parent.state.answer or "_" * 25).replace(" ", "") if node.parent else ""
        looks = [found[place][1] for place in sorted(found, key=lambda place: (place[1], place[0]))]
        new = [i for i, look in enumerate(looks) if look == "chosen"]
        assert new == [i for i, letter in enumerate("".join(rows)) if letter not in ("_", above[i])]
        pruned = seen.items[node.id].status == "pruned"
        assert ("pruned" in looks) == pruned == ("✕ pruned by " in board(s, node.id))


def test_a_board_says_which_clues_ruled_it_out_and_what_it_shows_without_a_picture() -> None:
    s = filled()
    node = next(item for item in picture(s).items.values() if item.status == "pruned")
    names = re.findall(r"(?:^|; )([hv][1-5])\. ", node.why)
    root = ElementTree.fromstring(board(s, node.id))
    label = root.get("aria-label", "")
    assert names and f"pruned by {', '.join(names)}." in label and f"Rows: {node.answer}" in label
    assert root.get("role") == "img" and node.thought in label
    said = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {t[2:4] for t in said if t.startswith("✕ ") and not t.startswith("✕ pruned")} == set(names)
    clues = dict(one.split(". ", 1) for one in s.trace.head["problem"].split("\n"))
    for name, clue in clues.items():
        assert any(t.removeprefix("✕ ").rstrip("…") in f"{name} {clue}" and name in t for t in said)


def test_the_boards_of_a_search_are_stepped_through() -> None:
    s = filled()
    made = boards(s)
    assert len(made.frames) == len(s.result.visited) == 30 and len(made._repr_html_()) < 350_000
    status = {id: item.word.partition(":")[0] for id, item in picture(s).items.items()}
    assert made.labels == [
        f"step {i} of 30: {n.state.last.text}, {status[n.id]}" for i, n in enumerate(s.result.visited, 1)
    ]
    assert [cells(frame) for frame in made.frames] == [cells(board(s, n.id)) for n in s.result.visited]
    assert board(s) == board(s, s.result.best[0].id)
    greedy = tot.solve("crosswords", "mini-09", lm=SimulatedSolver(stubborn=1.0), backtrack=False)
    assert len(boards(greedy).frames) == greedy.result.ledger.nodes  # letters that were written over are new


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
    greedy = tot.solve("crosswords", "mini-09", lm=SimulatedSolver(stubborn=1.0), backtrack=False)
    found = board_strip(greedy)
    assert "written over" in found.about and "tot-n-wrong" in found
    with pytest.raises(ValueError, match="there was no visit 31: this search has 30"):
        board_strip(s, [31])


def test_an_output_with_gaps_is_called_unsolved_and_not_wrong() -> None:
    """All its letters may be right: the verdict is about the game."""
    drawn = board(filled())
    assert not filled().correct and "the output, not solved" in drawn and "· wrong" not in drawn


@pytest.mark.parametrize("name", EDGES)
def test_a_trace_without_boards_has_none(name: str) -> None:
    trace = EDGES[name]
    with pytest.raises(ValueError, match=r"no boards|states no board|there is no node"):
        boards(trace)
    with pytest.raises(ValueError, match="no boards"):
        board_strip(trace)
    with pytest.raises(ValueError, match=r"states no board|there is no node"):
        board(trace, "0.1")
    with pytest.raises(ValueError, match="there is no node '0.9.9'"):
        board(filled(), "0.9.9")


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
    made = boards(trace)
    for frame in (*made.frames, made._repr_html_(), board_strip(trace, notes={1: bad})):
        ElementTree.fromstring(frame)
        assert not BAD.search(frame) and "<script" not in frame and "<img" not in frame and len(frame) < 60_000
