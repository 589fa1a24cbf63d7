"""What chapters read out of the results."""

from tot.stats import Interval
from treebook.studies.results import area, load, rows, tiles


def test_lists_of_a_table_are_intervals_of_the_study():
    study = {"n": 7, "tables": {"t": [{"name": "a", "rate": [0.5, 0.25, 0.75], "k": 3}]}}
    assert rows(study, "t") == [{"name": "a", "rate": Interval(0.5, 0.25, 0.75, 7), "k": 3}]


def test_an_area_above_one_is_never_reached():
    assert area(0.95, 0.934, 2.0) == "0.95 [0.93, never]"


def test_tiles_say_who_wins_or_who_is_left():
    agents = {"best-first": {}, "A*": {}, "D*": {}}
    cell = {"part": "trees", "prices": "equal", "rate": 0.1, "error": 1.0, "agents": agents, "ahead": [1.25, 1.1, 1.5]}
    cells = [
        cell | {"together": True, "winner": "best-first", "left": ["best-first"]},
        cell | {"together": False, "winner": None, "left": ["D*", "best-first"]},
        cell | {"together": False, "rate": 0.0, "winner": None, "left": ["A*", "D*", "best-first"]},
        cell | {"together": True, "part": "walkers", "winner": None, "left": ["D*"]},
    ]
    for together, labels in ((True, ["best\n×1.25", "all"]), (False, ["D*\nbest", "all"])):
        rows = list(tiles({"cells": cells}, "trees", "{} prices", together=together))
        assert [row["label"] for row in rows] == labels and [row["rate"] for row in rows] == ["10%", "0%"]
        assert {row["panel"] for row in rows} == {"equal prices"}
    figures = load("studies/results/tools_pay.json")
    for part in ("searchers", "walkers", "trees"):
        shown = [row for together in (True, False) for row in tiles(figures, part, "{}", together=together)]
        calm = sum(cell["part"] == part and not cell["rate"] for cell in figures["cells"])
        assert len(shown) == sum(cell["part"] == part for cell in figures["cells"]) + calm  # calm cells stand in both
