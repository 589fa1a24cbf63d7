"""Where the nodes go: tidy trees, and what is folded."""

import random
from itertools import pairwise

import pytest
from traces import HOSTILE, boxes, node

from tot.show.escaping import em, line
from tot.show.tree import picture
from tot.trace import Trace
from treebook.figures.layout import COLUMN_GAP, MARGIN, NEAREST, WIDE, lay_out, tidy, wrap
from treebook.show import svg, text


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


def test_a_tree_that_is_too_wide_gets_narrower_and_its_boxes_stay_apart() -> None:
    def chain(length: int) -> Trace:
        ids = ["0" + ".0" * i for i in range(length)]
        nodes = [node(id, thought="four words of nothing") for id in ids]
        return Trace({}, [{"kind": "expanded", "of": [ids[0]], "nodes": nodes}])

    def columns(length: int) -> list[tuple[float, float]]:
        found = lay_out(picture(chain(length)), max_dropped=2, max_children=12, lines=2, chars=20, title=False)
        assert found.size[0] == pytest.approx(max(found.x[d] + found.width[d] for d in found.x) + MARGIN)
        return [(found.x[depth], found.x[depth] + found.width[depth]) for depth in sorted(found.x)]

    for length in (3, 8, 12):
        gaps = [b[0] - a[1] for a, b in pairwise(columns(length))]
        assert min(gaps) == pytest.approx(max(gaps))
        assert (gaps[0] == pytest.approx(COLUMN_GAP)) == (length == 3)
        assert gaps[0] >= NEAREST - 1e-9
    assert columns(8)[-1][1] + MARGIN <= WIDE + 1e-6


@pytest.mark.parametrize("width", [3, 5.5, 8, 11.2, 30])
def test_wrapping_fits_and_loses_nothing_silently(width: float) -> None:
    for sample in [*HOSTILE, "13 - 9 = 4 (left: 4 4 10)", "Answer: (4 - 10) * (9 - 13)", "one"]:
        label = line(sample)
        for lines in (1, 2, 3):
            wrapped = wrap(label, width, lines)
            assert len(wrapped) <= lines and all(em(one) <= width + 1e-9 for one in wrapped)
            assert " ".join(wrapped) == label or any(one.endswith("…") for one in wrapped)
    assert wrap("13 - 9 = 4 (left: 4 4 10)", 11.2, 2) == ["13 - 9 = 4", "(left: 4 4 10)"]
    assert wrap("Answer: (4 - 10) * (9 - 13)", 11.2, 2) == ["Answer: (4 - 10)", "* (9 - 13)"]
