"""What chapter 16 reads out of the results."""

from studies.search_pays.reading import area, load, rows
from tot.stats import Interval


def test_lists_of_a_table_are_intervals_of_the_study():
    study = {"n": 7, "tables": {"t": [{"name": "a", "rate": [0.5, 0.25, 0.75], "k": 3}]}}
    assert rows(study, "t") == [{"name": "a", "rate": Interval(0.5, 0.25, 0.75, 7), "k": 3}]


def test_an_area_above_one_is_never_reached():
    assert area(0.95, 0.934, 2.0) == "0.95 [0.93, never]"


def test_every_table_can_be_read():
    study = load()
    assert study["n"] == 100 and all(rows(study, name) for name in study["tables"])
