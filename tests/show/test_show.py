"""Views of a trace: what they say, that they say it safely, and that they say it the same way every time."""

import os
import random
import re
import subprocess
import sys
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tot
from tot.show import Frames, board, boards, cost_table, frames, html, picture, svg, table, text, words
from tot.show.layout import tidy
from tot.show.table import cost_rows
from tot.stats import wilson
from tot.tasks.crosswords_simulated import SimulatedSolver
from tot.tasks.game24_rules import moves, solvable
from tot.trace import Trace

GOLDEN = Path(__file__).parent / "golden"
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
HOSTILE = [
    "<script>alert('x')</script>",
    '"><img src=x onerror="alert(1)">',
    "]]> --> </svg></title></style></details></div>",
    "\x1b[31mred\x1b[0m \x00\x07\x08 bell",
    "right\u202eto\u2066left\u2069 \u200f",
    "lone \ud800 surrogate \ufffe \uffff",
    "two\nlines\r\nand\ttabs \u2028 more",
    "x" * 1_000_000,
    "海辺を歩く " * 40,
    "",
    "   ",
    "&lt;b&gt; &amp; $x^2$ `code` | pipe \\",
]


def player(request: tot.Request, index: int) -> str:
    """Proposes legal moves (and one that is not), and knows which numbers reach 24."""
    system, last = request.messages[0].content, request.messages[-1].content
    if "List up to eight" in system:
        steps = moves(tuple(sorted(map(Fraction, last.split(": ")[1].split()))))
        ranked = sorted(steps, key=lambda step: not solvable(step.left))
        return "\n".join(map(str, [*ranked[:3], *ranked[-5:]])) + "\n13 + 13 = 27"
    if system.startswith("Can the numbers"):
        return "sure" if solvable(tuple(sorted(map(Fraction, last.split())))) else "impossible"
    return "Answer: (13 - 9) * (10 - 4)" if index % 3 == 0 else "Answer: 4 * 9 - 13"


def solved(method: str = "tot-bfs", **params: object) -> tot.Solution:
    return tot.solve("game24", "4 9 10 13", method, lm=tot.Scripted(player), **params)


def node(id: str, **more: object) -> dict[str, object]:
    parent = id.rpartition(".")[0] or None
    return {"id": id, "parent": parent, "thought": f"thought {id}", **more}


def trip() -> Trace:
    """A small depth-first search: one branch pruned, one child that was never valued, an answer that is wrong."""
    events = [
        {
            "kind": "expanded",
            "of": ["0"],
            "nodes": [node("0", thought="plan a trip"), node("0.0"), node("0.1"), node("0.2")],
        },
        {"kind": "evaluated", "nodes": [{"id": f"0.{i}", "value": value} for i, value in enumerate((7.5, 4.0, 1.0))]},
        {"kind": "pruned", "nodes": [{"id": "0.1"}], "why": "no night train in November"},
        {"kind": "expanded", "of": ["0.0"], "nodes": [node("0.0.0", answer="museum", final=True), node("0.0.1")]},
        {"kind": "best", "nodes": [{"id": "0.0.0"}]},
    ]
    result = {"stopped": "done", "answer": "museum", "correct": False, "scores": [{"correct": False, "why": ""}]}
    return Trace({"task": "trip", "problem": "plan a trip", "method": "tot-dfs"}, events, result)


def hostile() -> Trace:
    """Every text of the trace is hostile, and some numbers are not numbers."""
    kids = [node(f"0.{i}", thought=bad, answer=bad, prior=bad) for i, bad in enumerate(HOSTILE)]
    values = [float("nan"), float("inf"), -1e308, "ten", None, True, 3, 0.1, 1e20, -2, 0, 7]
    judged = [
        {"id": kid["id"], "value": value, "note": kid["thought"]} for kid, value in zip(kids, values, strict=True)
    ]
    asked = [
        {
            "about": kid["id"],
            "messages": [{"role": bad, "content": bad}, {"role": "user", "content": bad}],
            "samples": [{"text": bad, "finish": bad, "tokens": 1}],
            "first": 0,
        }
        for kid, bad in zip(kids, HOSTILE, strict=True)
    ]
    unread = [{"node": kid["id"], "why": bad, "text": bad} for kid, bad in zip(kids, HOSTILE, strict=True)]
    events = [
        {"kind": "expanded", "of": ["0"], "nodes": [node("0", thought=HOSTILE[0]), *kids], "unread": unread},
        {"kind": "asked", "role": HOSTILE[1], "round": 1, "requests": asked, "nodes": judged},
        {"kind": "evaluated", "nodes": judged, "unread": [{"node": None, "why": HOSTILE[3], "text": HOSTILE[7]}]},
        {"kind": "pruned", "nodes": [{"id": "0.1"}], "why": HOSTILE[2]},
        {"kind": "best", "nodes": [{"id": "0.0"}, {"id": "0.5"}]},
    ]
    head = dict(zip(("task", "problem", "method", "lm"), HOSTILE, strict=False))
    scores = [{"correct": True, "why": ""}, {"correct": False, "why": ""}]
    return Trace(head, events, {"stopped": HOSTILE[1], "error": HOSTILE[3], "answer": HOSTILE[0], "scores": scores})


def large(n: int = 5000) -> Trace:
    """A tree of n nodes, every tenth of them kept."""
    rng = random.Random(0)
    ids = ["0"]
    born = [node("0")]
    sizes = {"0": 0}
    while len(ids) < n:
        parent = rng.choice(ids[-400:])
        id = f"{parent}.{sizes[parent]}"
        sizes[parent] += 1
        sizes[id] = 0
        ids.append(id)
        born.append({"id": id, "parent": parent, "thought": f"a thought of some length, number {len(ids)}"})
    values = [{"id": id, "value": rng.random()} for id in ids]
    return Trace(
        {"problem": "a large one"},
        [
            {"kind": "expanded", "of": ids[:1], "nodes": born},
            {"kind": "evaluated", "nodes": values},
            {"kind": "best", "nodes": values[::10]},
        ],
    )


def chain(n: int) -> Trace:
    ids = [".".join(["0"] * (i + 1)) for i in range(n)]
    born = [{"id": str(i), "parent": str(i - 1) if i else None, "thought": f"step {i}"} for i in range(n)]
    return Trace(
        {}, [{"kind": "expanded", "of": [], "nodes": born}, {"kind": "best", "nodes": [{"id": str(len(ids) - 1)}]}]
    )


EDGES = {
    "empty": Trace(),
    "root": Trace({"problem": "1 2 3 4"}, [{"kind": "best", "nodes": [node("0")]}]),
    "error": Trace(
        {"task": "game24", "problem": "1 2 3 4"}, [], {"stopped": "error", "error": "No key: set OPENAI_API_KEY."}
    ),
    "orphan": Trace({}, [{"kind": "evaluated", "nodes": [node("0"), {"id": "7.7", "parent": "7", "thought": "lost"}]}]),
    "trip": trip(),
    "hostile": hostile(),
    "chain": chain(1500),
}


def every_view(trace: Trace) -> dict[str, str]:
    return {
        "svg": str(svg(trace)),
        "svg box": svg(trace)._repr_html_(),
        "svg whole": str(svg(trace, max_dropped=None, max_children=None, title=False)),
        "html": str(html(trace)),
        "html short": str(html(trace, prompts=False)),
        "frames": frames(trace, every=("expanded", "evaluated", "pruned", "best"))._repr_html_(),
    }


# ------------------------------------------------------------------------------------------------ what became of a node


def test_a_beam_keeps_some_and_drops_the_rest() -> None:
    s = solved(breadth=2)
    seen = picture(s)
    kept = {snapshot["id"] for event in s.trace.events if event["kind"] == "best" for snapshot in event["nodes"]}
    assert {item.id for item in seen.items.values() if item.status == "kept"} == kept
    dropped = {item.id for item in seen.items.values() if item.status == "dropped"}
    assert dropped and dropped.isdisjoint(kept)
    assert len(dropped) + len(kept) + 1 == len(seen.items) == len(s.trace.nodes())


def test_the_chosen_path_leads_to_the_answer() -> None:
    s = solved()
    path = picture(s).path()
    assert (
        path[0].id == "0"
        and len(path) == 5
        and path[-1].answer == s.answer
        and path[-1].end
        and path[-1].verdict == "correct"
    )
    assert [b.parent for b in path[1:]] == [a.id for a in path[:-1]]


def test_the_method_may_choose_another_than_the_first_of_the_best() -> None:
    trace = trip()
    trace.events[-1]["nodes"] = [{"id": "0.2"}, {"id": "0.0.0"}]
    trace.result["scores"] = [{"correct": True}, {"correct": False}]
    assert [item.id for item in picture(trace).path()] == ["0", "0.0", "0.0.0"]
    del trace.result["answer"]
    seen = picture(trace)
    assert [item.id for item in seen.path()] == ["0", "0.2"] and seen.mark == "best"
    assert seen.items["0.2"].verdict == "", "no answer, no verdict"


def test_states_of_a_small_search() -> None:
    seen = picture(trip())
    assert {id: item.status for id, item in seen.items.items()} == {
        "0": "root", "0.0": "kept", "0.1": "pruned", "0.2": "dropped", "0.0.0": "kept", "0.0.1": "new",
    }  # fmt: skip
    assert seen.items["0.1"].word == "pruned: no night train in November"
    assert seen.items["0.0.0"].verdict == "wrong"


def test_an_earlier_moment_knows_nothing_of_later_ones() -> None:
    trace = trip()
    assert [item.id for item in picture(trace, 0).walk()] == ["0"]
    early = picture(trace, 2)
    assert {item.status for item in early.items.values() if item.depth} == {"valued"}
    assert not early.path() and early.mark == "best so far"
    for upto in range(len(trace.events) + 1):
        cut = Trace(trace.head, trace.events[:upto])
        again = picture(cut)
        if upto < len(trace.events):
            assert {k: v.status for k, v in picture(trace, upto).items.items()} == {
                k: v.status for k, v in again.items.items()
            }


def test_a_node_that_is_expanded_after_all_was_kept() -> None:
    trace = trip()
    trace.events.append({"kind": "expanded", "of": ["0.2"], "nodes": [node("0.2.0")]})
    assert picture(trace).items["0.2"].status == "kept"


def filled(steps: int = 30) -> tot.Solution:
    """A depth-first search, by a simulation that errs: nodes are kept, pruned, and never visited."""
    return tot.solve("crosswords", "mini-09", lm=SimulatedSolver(know=0.6), steps=steps)


def test_a_depth_first_search_keeps_what_it_did_not_prune() -> None:
    """Also the leaves that are not the deepest: a dead end, or the last one that it could visit."""
    for steps in range(1, 30):
        s = filled(steps)
        kinds = {k: {n["id"] for e in s.trace.events if e["kind"] == k for n in e["nodes"]} for k in ("kept", "pruned")}
        found = {id: item.status for id, item in picture(s).items.items() if item.depth}
        assert {id for id, status in found.items() if status == "kept"} == kinds["kept"]
        assert {id for id, status in found.items() if status == "pruned"} == kinds["pruned"]
        assert set(found.values()) <= {"kept", "pruned", "new"}
    assert kinds["kept"] and kinds["pruned"] and "not kept" not in text(s) + svg(s) + html(s)


def test_monte_carlo_search_keeps_what_it_visited() -> None:
    """A plan tree: visits, means and the judges' words; no plan is called dropped because another is better."""
    from test_plans import LUCK, LUCKY, X, team

    solution = tot.solve("gsm8k", X, "mcts-plan", lm=team(LUCKY, LUCK), rollouts=6, revisions=2)
    status = {item.thought: item.status for item in picture(solution).items.values()}
    assert {status[plan] for plan in "ABCDFG"} == {"kept"} and status["E"] == "new"
    shown = text(solution)
    assert "value 0.6, mean 0.5667 of 3 visits  kept" in shown and "not kept" not in shown and "← chosen" in shown
    assert "logic 0.7: sound B" in str(html(solution))
    steps = frames(solution, every=("selected", "expanded", "evaluated", "backed_up"))
    assert [label.split()[0] for label in steps.labels[2:6]] == ["selected", "evaluated", "backed", "selected"]


def test_what_a_pruned_clue_was_is_named() -> None:
    s = filled()
    pruned = [item for item in picture(s).items.values() if item.status == "pruned"]
    for item in pruned:
        [name, _, clue] = item.why.split(":")[0].partition(". ")
        assert f"{name}. {clue}" in s.trace.head["problem"]
        assert f"✕ pruned: {name}." in svg(s) and f"pruned: {item.why[:9]}" in text(s, width=200)
        assert words.escape(item.why[:60]) in html(s)


# ------------------------------------------------------------------------------------------------ layout


def random_tree(seed: int, n: int) -> tuple[dict[str, list[str]], dict[str, float]]:
    rng = random.Random(seed)
    children: dict[str, list[str]] = {"0": []}
    for i in range(1, n):
        parent = rng.choice(list(children)[-rng.randint(1, 12) :])
        children[parent].append(str(i))
        children[str(i)] = []
    return children, {id: rng.choice((20.0, 35.0, 50.0)) for id in children}


@pytest.mark.parametrize("seed", range(30))
def test_layout_is_tidy(seed: int) -> None:
    children, size = random_tree(seed, 120)
    place = tidy("0", children, size.__getitem__, lambda a, b: 5.0)
    level = ["0"]
    while level:
        for a, b in pairwise(level):
            assert place[b] - place[a] >= (size[a] + size[b]) / 2 + 5 - 1e-6, (
                "nodes of a level overlap or changed places"
            )
        level = [child for id in level for child in children[id]]
    for id, kids in children.items():
        if kids:
            assert place[id] == pytest.approx((place[kids[0]] + place[kids[-1]]) / 2)
    assert min(place[id] - size[id] / 2 for id in children) == pytest.approx(0)


def test_layout_uses_the_room() -> None:
    """The known answer for a tree of Reingold and Tilford's kind: siblings move apart only as far as they must."""
    children = {"r": ["a", "b", "c"], "a": ["a1", "a2"], "c": ["c1", "c2", "c3"]}
    place = tidy("r", children, lambda id: 1.0, lambda a, b: 0.0)
    assert place == {
        "a1": 0.5, "a2": 1.5, "a": 1.0, "c1": 2.5, "c2": 3.5, "c3": 4.5, "c": 3.5, "b": 2.25, "r": 2.25,
    }  # fmt: skip


def boxes(picture_: str) -> list[tuple[float, float, float, float]]:
    root = ElementTree.fromstring(picture_)
    found = []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        rect = group.find("{http://www.w3.org/2000/svg}rect")
        if rect is not None and group.find("{http://www.w3.org/2000/svg}title") is not None:
            found.append(tuple(float(rect.get(key, "0")) for key in ("x", "y", "width", "height")))
    return found


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


# ------------------------------------------------------------------------------------------------ safety


@pytest.mark.parametrize("name", EDGES)
def test_views_are_valid_xml_without_anything_invisible(name: str) -> None:
    for view, markup in every_view(EDGES[name]).items():
        root = ElementTree.fromstring(markup)
        assert not BAD.search(markup), view
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert not tags & {"script", "img", "iframe", "a", "foreignObject"}, view
        for element in root.iter():
            handlers = [key for key in element.attrib if key.startswith("on")]
            assert not handlers or (element.tag == "input" and handlers == ["oninput"])
    plain = text(EDGES[name])
    assert not BAD.search(plain.replace("\n", ""))


def test_a_megabyte_is_cut_with_a_notice() -> None:
    trace = hostile()
    assert len(text(trace)) < 10_000
    assert len(svg(trace)) < 100_000
    assert len(html(trace)) < 250_000
    assert "996,000 more characters" in html(trace)
    assert "998,500 more characters" in svg(trace, max_dropped=None)


def test_hostile_text_is_still_there_to_read() -> None:
    titles = [
        element.text or ""
        for element in ElementTree.fromstring(svg(hostile(), max_dropped=None)).iter()
        if element.tag.endswith("title")
    ]
    assert any("<script>alert('x')</script>" in title for title in titles)
    assert any("[31mred[0m" in title for title in titles)


def test_cleaning() -> None:
    assert words.clean("a\r\nb\rc\u2028d\x1b\u202e\ud800") == "a\nb\nc\nd"
    assert words.clean("नमस्ते می\u200cخواهم 👩\u200d🚀") == "नमस्ते می\u200cخواهم 👩\u200d🚀"
    assert words.line(" a\n\tb  c ") == "a b c"
    assert [words.number(n) for n in (60.0, 0.003, 12345, 20.002, float("nan"), 1234.5, True, "x" * 99)] == [
        "60", "0.003", "12,345", "20", "nan", "1,234", "True", "x" * 20,
    ]  # fmt: skip


@pytest.mark.parametrize("width", [3, 5.5, 8, 11.2, 30])
def test_wrapping_fits_and_loses_nothing_silently(width: float) -> None:
    for sample in [*HOSTILE, "13 - 9 = 4 (left: 4 4 10)", "Answer: (4 - 10) * (9 - 13)", "one"]:
        label = words.line(sample)
        for lines in (1, 2, 3):
            wrapped = words.wrap(label, width, lines)
            assert len(wrapped) <= lines and all(words.em(one) <= width + 1e-9 for one in wrapped)
            assert " ".join(wrapped) == label or any(one.endswith("…") for one in wrapped)
    assert words.wrap("13 - 9 = 4 (left: 4 4 10)", 11.2, 2) == ["13 - 9 = 4", "(left: 4 4 10)"]
    assert words.wrap("Answer: (4 - 10) * (9 - 13)", 11.2, 2) == ["Answer: (4 - 10)", "* (9 - 13)"]


# ------------------------------------------------------------------------------------------------ what the views say


def test_status_is_said_by_words_and_lines_not_colour_alone() -> None:
    drawn = str(svg(trip()))
    for word in ("✕ pruned: no", "✗ wrong", ">kept<", ">not kept<", ">not valued<", ">chosen<"):
        assert word in drawn
    drawn = str(svg(solved(breadth=2), upto=5)) + str(svg(trip()))
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


def test_folding() -> None:
    kids = [node(f"0.{i}", thought=f"child {i}") for i in range(40)]
    values = [{"id": f"0.{i}", "value": float(i)} for i in range(40)]
    best = [{"id": "0.39"}, {"id": "0.3"}]
    trace = Trace(
        {},
        [
            {"kind": "expanded", "of": ["0"], "nodes": [node("0"), *kids]},
            {"kind": "evaluated", "nodes": values},
            {"kind": "best", "nodes": best},
        ],
    )
    folded = str(svg(trace, max_dropped=2))
    assert "+36 not kept" in folded and len(boxes(folded)) == 1 + 2 + 2
    assert ">child 38<" in folded and ">child 37<" in folded and ">child 3<" in folded and ">child 36<" not in folded
    assert len(boxes(str(svg(trace, max_dropped=None)))) == 41
    assert "+" not in text(trace) and text(trace).count("child") == 40
    assert "+38 not kept" in text(trace, max_dropped=0)
    assert len(boxes(str(svg(trace, max_dropped=37)))) == 41, "one node is drawn rather than folded"
    trace.events[-1]["nodes"] = [{"id": f"0.{i}"} for i in range(39, -1, -1)]
    crowded = str(svg(trace, max_children=5))
    assert "+35 kept" in crowded and ">child 39<" in crowded, "the chosen one is never folded"


def test_text_tree() -> None:
    plain = text(trip())
    assert plain.splitlines() == [
        "trip · plan a trip",
        "tot-dfs",
        "answer: museum · wrong",
        "plan a trip",
        "├─ thought 0.0       value 7.5  kept  ← path",
        "│  ├─ thought 0.0.0  answer museum  kept  wrong  ← chosen",
        "│  └─ thought 0.0.1  not valued",
        "├─ thought 0.1       value 4  pruned: no night train in November",
        "└─ thought 0.2       value 1  not kept",
    ]
    assert text(trip(), ascii=True).isascii() is False, "the caption keeps its dots"
    assert not set("├└│←") & set(text(trip(), ascii=True))


@pytest.mark.parametrize("width", [40, 72, 100, 200])
def test_text_fits_the_terminal(width: int) -> None:
    for s in (solved().trace, chain(300), large(300)):
        too_wide = [one for one in text(s, width=width).splitlines() if words.cells(one) > width]
        assert not too_wide


def test_html_shows_what_was_asked_and_replied() -> None:
    page = str(html(solved()))
    root = ElementTree.fromstring(page)
    assert "13 + 13 = 27" in page and "operand is not there" in page
    assert page.count("List up to eight possible next steps") == 1, "shared instructions are shown once"
    assert page.count("<details") == page.count("</details>") > 40
    opened = [element for element in root.iter("details") if element.get("open") is not None]
    assert len(opened) == 5, "the chosen path is open"
    meters = list(root.iter("meter"))
    assert meters and all(
        float(m.get("min", "")) <= float(m.get("value", "")) <= float(m.get("max", "")) for m in meters
    )
    assert "List up to eight" not in html(solved(), prompts=False)


def test_html_places_a_vote_and_unread_ballots() -> None:
    request = {
        "about": None,
        "messages": [{"role": "user", "content": "which is best?"}],
        "samples": [{"text": "the second"}],
    }
    trace = trip()
    nodes = [{"id": f"0.{i}"} for i in range(3)]
    trace.events.insert(1, {"kind": "asked", "role": "evaluator", "round": 2, "requests": [request], "nodes": nodes})
    trace.events[2]["unread"] = [{"node": None, "why": "no number", "text": "the second"}]
    page = html(trace)
    assert "evaluator asked across 3 thoughts, round 2: 1 reply" in page
    assert "no number" in page
    ElementTree.fromstring(page)


def test_a_failed_run_says_why() -> None:
    views = [svg(EDGES["error"]), html(EDGES["error"]), text(EDGES["error"])]
    assert all("set OPENAI_API_KEY" in view for view in views)

    def broken(request: tot.Request, index: int) -> str:
        raise tot.LMError("The server is down: start it.")

    s = tot.solve("game24", "4 9 10 13", lm=tot.Scripted(broken))
    assert all("The server is down" in view and "stopped: error" in view for view in (svg(s), html(s), text(s)))


# ------------------------------------------------------------------------------------------------ frames


def test_frames_grow_in_place() -> None:
    s = solved(breadth=2)
    made = frames(s)
    assert made.labels == ["start", *(f"best {i} (2 thoughts)" for i in (1, 2, 3, 4))]
    places = [set(boxes(frame)) for frame in made.frames]
    for before, after in pairwise(places):
        assert before < after, "a node moved, or nothing happened"
    assert made.frames[-1] == svg(s)
    first = next(i for i, event in enumerate(s.trace.events, 1) if event["kind"] == "best")
    assert made.frames[1] == svg(s, upto=first)


def test_frames_have_one_labelled_slider_and_show_the_last_without_script() -> None:
    root = ElementTree.fromstring(frames(solved())._repr_html_())
    slider = [*root.iter("input")]
    assert len(slider) == 1 and slider[0].get("aria-label") and slider[0].get("max") == "4" == slider[0].get("value")
    shown = [e for e in root.iter("div") if "tot-frame" in e.get("class", "").split() and e.get("hidden") is None]
    assert [e.get("data-label") for e in shown] == ["best 4 (5 thoughts)"]


def test_frames_refuse_a_wrong_number_of_labels() -> None:
    with pytest.raises(ValueError, match="a label for each, not 2 and 1"):
        Frames(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="at least one frame"):
        Frames([], [])
    assert "<input" not in Frames(["<p/>"], ["only"])._repr_html_()


# ------------------------------------------------------------------------------------------------ boards


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


@pytest.mark.parametrize("name", EDGES)
def test_a_trace_without_boards_has_none(name: str) -> None:
    trace = EDGES[name]
    with pytest.raises(ValueError, match=r"no boards|states no board|there is no node"):
        boards(trace)
    with pytest.raises(ValueError, match=r"states no board|there is no node"):
        board(trace, "0.1")
    with pytest.raises(ValueError, match="there is no node '0.9.9'"):
        board(filled(), "0.9.9")


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_clues_and_letters_stay_text(bad: str) -> None:
    grids = [f"{bad[:5]:_<5} " + "<&>_'", "ÄÖ 海辺", "ab cd", "\u202e_ __"]
    kids = [node(f"0.{i}", thought=bad, answer=grid, prior=bad) for i, grid in enumerate(grids)]
    judged = [{"id": kid["id"], "value": bad, "note": f"h1. {bad}; v2. {bad}"} for kid in kids]
    events = [
        {"kind": "expanded", "of": ["0"], "nodes": [node("0", thought=bad), *kids]},
        {"kind": "evaluated", "nodes": judged},
        {"kind": "pruned", "nodes": [{"id": "0.0"}, {"id": "0.2"}], "why": f"h1. {bad}; v2. {bad}"},
    ]
    made = boards(Trace({"problem": f"h1. {bad}\nv2. {bad}", "task": bad}, events, {}))
    for frame in (*made.frames, made._repr_html_()):
        ElementTree.fromstring(frame)
        assert not BAD.search(frame) and "<script" not in frame and "<img" not in frame and len(frame) < 60_000


# ------------------------------------------------------------------------------------------------ tables


def test_cost_table() -> None:
    lines = [solved().to_dict(), solved("io", k=1).to_dict(), {**solved("io", k=1).to_dict(), "chosen": False}]
    rows = cost_rows([solved(), *lines[1:]])
    assert [row["method"] for row in rows] == ["tot-bfs", "io"] and [row["n"] for row in rows] == [1, 2]
    assert rows[1]["rate"] == wilson(1, 2) and "errors" not in rows[0]
    usage = lines[0]["usage"]
    assert (
        rows[0]["tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] and rows[0]["calls"] == usage["calls"]
    )
    made = cost_table(lines)
    assert made.columns == ("method", "n", "rate", "calls", "rounds", "tokens")
    assert made.cells[1][2] == "50% [9%, 91%]"
    assert [len(one) for one in str(made).splitlines()] == [len(str(made).splitlines()[0])] * 4
    assert "errors" in cost_table([{**lines[0], "stopped": "error"}]).columns
    assert cost_table([]).cells == ()
    assert [row["lm"] for row in cost_rows(lines, by=("method", "lm"))] == ["scripted", "scripted"]


def test_tables_are_escaped_in_every_form() -> None:
    for bad in HOSTILE:
        made = table([{"name": bad, "n": 3, "ok": True, "none": None}], caption=bad)
        ElementTree.fromstring(made._repr_html_())
        assert not BAD.search(made._repr_html_() + str(made).replace("\n", "") + made.markdown().replace("\n", ""))
        assert "<script" not in made._repr_html_() and "<script" not in made.markdown().split("\n\n")[0]
        header, _, row = made.markdown().split("\n")[:3]
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(re.findall(r"\|", header)) == 5
    assert table([{"a": 1, "b": "x"}], {"b": "B"}).columns == ("B",)
    assert str(table([{"a": 12000, "b": None}])) == "     a  b\n------  -\n12,000  –"


# ------------------------------------------------------------------------------------------------ plots


def test_plots_draw_their_numbers() -> None:
    pytest.importorskip("matplotlib")
    from tot.show import plots

    rows = [
        {"method": m, "tokens": t, "rate": wilson(k, 40), "label": f"b={t // 100}"}
        for m, t, k in [("bfs", 300, 20), ("bfs", 100, 9), ("$dfs_1$", 200, 10)]
    ]
    drawn = plots.success_by_cost(rows)
    (first, *_), (second, *_) = (container.lines for container in drawn.axes[0].containers)
    assert list(first.get_xdata()) == [100, 300] and list(first.get_ydata()) == [9 / 40, 0.5]
    assert first.get_marker() != second.get_marker() and first.get_color() != second.get_color()

    named = plots.rates(rows[1:], references={"paper": {"bfs": 0.74, "unknown": 0.1}})
    assert [label.get_text() for label in named.axes[0].get_yticklabels()] == ["bfs  (n=40)", "\\$dfs_1\\$  (n=40)"]
    legend = [one.get_text() for one in named.legends[0].get_texts()]
    assert legend == ["measured, 95% interval", "paper"]

    failed = [{"method": "cot", "step": step, "count": n} for step, n in (("step 1", 30), ("step 2", 9), ("solved", 1))]
    bars = plots.failures(failed).axes[0]
    assert [container[0].get_width() for container in bars.containers] == [75, 22.5, 2.5]
    assert len({container[0].get_hatch() for container in bars.containers}) == 3
    assert [one.get_text() for one in bars.texts] == ["30", "9"]


def test_plots_take_an_axis_and_nothing_is_clipped() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from tot.show import plots

    figure = Figure()
    ax = figure.add_subplot()
    assert (
        plots.rates([{"method": "io", "rate": 0.1, "low": 0.05, "high": 0.2, "n": 9}], ax=ax) is figure
        and ax.containers
    )
    rows = [
        {"method": f"a long name of a method {i}", "rate": wilson(i, 8), "step": f"step {i}", "count": 3}
        for i in range(9)
    ]
    for made in (plots.rates(rows, references={"a paper": {rows[0]["method"]: 1.0}}), plots.failures(rows)):
        canvas = FigureCanvasAgg(made)
        canvas.draw()
        box = made.get_tightbbox(canvas.get_renderer())
        width, height = made.get_size_inches()
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01


# ------------------------------------------------------------------------------------------------ the same, and quick


def test_golden() -> None:
    """After a wanted change: TOT_GOLDEN=write pytest tests/test_show.py -k golden, and look at the picture."""
    made = {"trip.svg": f"{svg(trip())}\n", "trip.txt": f"{text(trip())}\n"}
    for name, content in made.items():
        if os.environ.get("TOT_GOLDEN") == "write":
            (GOLDEN / name).write_text(content, encoding="utf-8")
        assert (GOLDEN / name).read_text(encoding="utf-8") == content


PRINT = """
import tests.test_show as t
for trace in (t.solved().trace, t.trip()):
    print(*t.every_view(trace).values(), t.text(trace))
print(t.cost_table([t.solved()])._repr_html_(), t.boards(t.filled())._repr_html_())
"""


def test_output_is_the_same_in_every_process() -> None:
    seen = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run(
            [sys.executable, "-c", PRINT], env=env, capture_output=True, cwd=GOLDEN.parents[1], check=True
        )
        seen.add(run.stdout)
    assert len(seen) == 1 and len(seen.pop()) > 50_000


def test_coordinates_have_one_decimal() -> None:
    drawn = re.sub(r"<(title|desc|text|style)\b.*?</\1>|aria-label=\"[^\"]*\"", "", str(svg(solved())), flags=re.S)
    assert re.search(r"\d\.\d\b", drawn) and not re.search(r"\d\.\d\d|-0\b(?!\.)", drawn)


def test_show_needs_only_the_standard_library() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; import tot.show; tot.show.plots; print('numpy' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=GOLDEN.parents[1], check=True
    )
    assert run.stdout == "False\n"


def test_a_missing_matplotlib_is_explained() -> None:
    code = "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.figure'] = None\n"
    code += "import tot.show; tot.show.plots.rates([])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=GOLDEN.parents[1])
    assert run.returncode and "pip install matplotlib" in run.stderr


@pytest.mark.parametrize("view", [svg, html, text])
def test_five_thousand_nodes_are_quick(view: object) -> None:
    trace = large()
    start = time.process_time()
    made = view(trace)  # type: ignore[operator]
    assert time.process_time() - start < 2 and len(made) > 1000


def test_saved_files_open(tmp_path: Path) -> None:
    svg(solved()).save(tmp_path / "tree.svg")
    ElementTree.parse(tmp_path / "tree.svg")
    html(solved()).save(tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert len(repr(svg(solved()))) < 600 and repr(html(solved())).startswith("<HTML: Search tree.")
