"""Breaking what a model wrote into lines for a page."""

from hypothesis import given
from hypothesis import strategies as st

from treebook import show


def test_a_long_line_goes_on_below_its_own_margin():
    text = "  - one two three four\nshort"
    assert show.wrapped(text, 14) == "  - one two\n    three four\nshort"
    assert show.wrapped("one two three", 7, indent="") == "one two\nthree"


def test_lines_that_fit_and_empty_lines_stay():
    text = "a line of 1,000 $5-bills\n\n   42"
    assert show.wrapped(text) == text


def test_hidden_characters_do_not_reach_the_page():
    assert show.wrapped("right\u202eleft\x1b[31m") == "rightleft[31m"


@given(st.text(alphabet="ab -\n", max_size=300), st.integers(8, 90))
def test_no_line_is_too_long_and_no_word_is_lost(text, columns):
    got = show.wrapped(text, columns, indent=" ")
    assert got.split() == text.split()
    for line in got.splitlines():
        assert len(line) <= columns or len(line.split()) == 1
