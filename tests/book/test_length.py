"""Nobody reads a chapter that does not end: so many words stand in sight on each built page, and no more."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
IN_SIGHT = 2000, 4000  # words of text, code and output together


def words_in_sight(page):
    """Words of the page's text, open code and open output: what is folded, drawn or hidden from the eye is left out.

    The words that discuss the answer to a prediction are read, too.
    """
    article = re.search(r"<article.*</article>", page, re.S)[0]
    drawn = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)  # most of a page: not worth a parser's time
    body = BeautifulSoup(drawn.sub("", article), "html.parser")
    unseen = "details:not(.tot-discussed), .tot-discussed :is(.cell, figure), form, [hidden], .tot-tip"
    for element in body.select(unseen):
        if not element.decomposed:
            element.decompose()
    return len(re.findall(r"\S+", body.get_text(" ")))


def test_what_is_folded_does_not_count():
    hidden = "<details><p>three</p></details><svg><title>four</title></svg>"
    page = f"<article><p>one two</p>{hidden}<pre>f(x) = 1</pre></article>"
    assert words_in_sight(page) == 5


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_the_length_that_it_should_have(html, name):
    least, most = IN_SIGHT
    assert least <= words_in_sight((html / "notebooks" / f"{name}.html").read_text(encoding="utf-8")) <= most
