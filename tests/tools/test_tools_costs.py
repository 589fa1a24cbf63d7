"""What a call is charged, and which calls fail on purpose."""

import pytest
from small_corpus import step

from tot import State, Thought
from tot.tools import Action, Costs, Failures


def test_costs():
    costs = Costs.parse("Search=1,Lookup=0.5")
    at = {tool: State("x", (step(Action(tool, "y")),)) for tool in ("Search", "Lookup", "Finish")}
    assert [costs(state) for state in at.values()] == [1, 0.5, 0]
    assert costs(State("x")) == costs(State("x", (Thought("no action"),))) == 0
    assert Costs.parse("2")(at["Lookup"]) == 2 and Costs.parse("")(at["Search"]) == 0
    assert Costs.parse("search=3")(at["Search"]) == 3
    for text in ("Search=-1", "inf", "Finish=1", "much"):
        with pytest.raises(ValueError, match="write a number of at least 0"):
            Costs.parse(text)


def test_the_dial_is_seeded_by_tool_and_entity_and_monotone():
    names = [f"page {i}" for i in range(2000)]

    def struck(text, tool="Search", attempt=0):
        dial = Failures.parse(text)
        return {name for name in names if dial.strikes(tool, name, attempt)}

    low, high = struck("0.2"), struck("0.4")
    assert low < high and 330 < len(low) < 470 and 700 < len(high) < 900
    assert struck("0.2") == low != struck("0.2,seed=1") and struck("0.2", "Lookup") != low != struck("0.2", attempt=1)
    fixed = struck("0.2,permanent")
    assert fixed == struck("0.2,permanent", attempt=5) == low  # the first attempt of a transient dial is the same draw
    assert struck("") == struck("0") == struck("Lookup=1") == set() and struck("1") == set(names)
    assert Failures.parse("Search=0.3, permanent, seed=7") == Failures((("Search", 0.3), ("Lookup", 0.0)), True, 7)
    assert Failures.parse("0.2").strikes("Search", "Oslo ", 3) == Failures.parse("0.2").strikes("Search", "oslo", 3)


@pytest.mark.parametrize(
    "text", ["x", "1.1", "-0.1", "nan", "Find=0.2", "Search=", "seed=x", "0.1,seed=-1", "Finish=1"]
)
def test_a_dial_that_cannot_be_read_says_what_to_write(text):
    with pytest.raises(ValueError, match="write"):
        Failures.parse(text)
