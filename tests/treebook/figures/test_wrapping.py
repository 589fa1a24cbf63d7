"""Breaking what a model wrote into lines for a page."""

from hypothesis import given
from hypothesis import strategies as st

from treebook import show
from treebook.figures.wrapping import COLUMNS


def test_a_long_line_goes_on_below_its_own_margin():
    words = "a word of a list that is far too long for one line of a page, as it often is, goes on"
    first, second, third = show.wrapped(f"  - {words}\nshort").split("\n")
    assert first.startswith("  - a word") and second.startswith("    ") and second.strip() and third == "short"
    assert not show.wrapped(words, indent="").split("\n")[1].startswith(" ")


def test_lines_that_fit_and_empty_lines_stay_and_hidden_characters_do_not():
    text = "a line of 1,000 $5-bills\n\n   42"
    assert show.wrapped(text) == text
    assert show.wrapped("right\u202eleft\x1b[31m") == "rightleft[31m"


@given(st.text(alphabet="ab -\n", max_size=600))
def test_no_line_is_too_long_and_no_word_is_lost(text):
    got = show.wrapped(text, indent=" ")
    assert got.split() == text.split()
    for line in got.splitlines():
        assert len(line) <= COLUMNS or len(line.split()) == 1
