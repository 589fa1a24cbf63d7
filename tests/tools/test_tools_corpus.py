"""The offline corpus: titles that are nearly right, sentences, and an end that is not forgotten."""

import gc
import sqlite3
import time

import pytest
from growth import read_in_step
from small_corpus import CORPUS, PAGES

from tot.testing import NASTY
from tot.tools import Offline, Page, search, sentences
from tot.tools.corpus import base


@pytest.mark.parametrize("text", [*NASTY[1:], '" OR 1=1; DROP TABLE pages --', "NEAR(a b)", "*", "title:x", "a\x00b"])
def test_nothing_that_is_searched_for_can_break_the_corpus(text):
    for title in (text, text[:200]):
        assert CORPUS.page(title) is None and isinstance(CORPUS.similar(title), list)
        assert len(CORPUS.similar(title)) <= 5
    assert search(CORPUS, "Oslo")[1] == "stop"


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Mercury (planet)", "Mercury"),
        ("A (b) (c) ", "A (b)"),
        ("A (b", "A (b"),
        ("A b)", "A b)"),
        ("A (b))", "A (b))"),
    ],
)
def test_a_title_loses_only_the_brackets_at_its_end(title, bare):
    assert base(title) == bare


@pytest.mark.parametrize("piece", ["\t", "(", " (", "()", ")"])
def test_a_long_title_is_read_in_step_with_its_length(piece):
    read_in_step(base, piece * 20_000)


def test_two_pages_of_one_title_are_refused():
    with pytest.raises(ValueError, match="two pages"):
        Offline([PAGES[0], PAGES[0]])
    both = Offline([Page("Alps", ("a",)), Page("The Alps", ("b",))])
    assert both.page("The Alps").sentences == ("b",) and both.page("ALPS") is None  # which of them?


def test_the_database_is_freed_with_the_last_reference():
    forgotten = Offline(PAGES)
    database = forgotten._db
    assert forgotten.page("Oslo") == PAGES[0]
    del forgotten
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("J. S. Bach lived. He died.", ["J. S. Bach lived.", "He died."]),
        ("Dr. No met Mr. X. He left.", ["Dr. No met Mr. X. He left."]),  # "X." is an initial, for all it knows
        ('He said "No." Then 3 came.', ['He said "No."', "Then 3 came."]),
        ("It is 3.5 m high. Élan is a word.", ["It is 3.5 m high.", "Élan is a word."]),
        ("", []),
        ("a\n\nb. C", ["a b.", "C"]),
    ],
)
def test_sentences(text, parts):
    assert list(sentences(text)) == parts


@pytest.mark.slow
def test_a_page_of_initials_as_long_as_pages_may_be_is_read_in_one_go():
    begin = time.process_time()
    assert len(sentences("A. B. " * (4_000_000 // 6))) == 1
    assert time.process_time() - begin < 60  # it was copied anew for each initial: many minutes
