"""The first page: a live tree, a way in, and a picture for each chapter."""

import re

import pytest
import yaml
from conftest import ROOT


@pytest.fixture(scope="module")
def front(html):
    return (html / "book" / "index.html").read_text(encoding="utf-8")


def test_the_way_in_says_how_long_the_first_chapter_takes(front, html):
    chapter = (html / "notebooks" / "01_reading_and_replaying.html").read_text(encoding="utf-8")
    facts = re.search(r'class="tot-facts-line">.*?<span>(\d+ minutes)</span>', chapter, re.S)[1]
    button = re.search(r'<a class="[^"]*tot-go[^"]*" href="([^"]+)".*?</a>', front, flags=re.S)
    assert button[1].endswith("01_reading_and_replaying.html")
    assert " ".join(re.sub("<[^>]*>", "", button[0]).split()) == f"Start with chapter 1 · {facts}"


def test_the_contents_have_every_chapter_once_and_each_has_its_picture(front):
    every = list(yaml.safe_load((ROOT / "book/chapters.yml").read_text()))
    article = front[front.index("<article") : front.index("</article>")]
    chapters = re.findall(r'href="\.\./notebooks/(\d[^"]*)\.html', article)
    chapters.remove("01_reading_and_replaying")  # the way in
    assert chapters == every
    pictures = re.findall(r'<div>\s*(<svg.*?</svg>)\s*<dt>.*?href="\.\./notebooks/(\d[^"]*)\.html', article, re.S)
    assert [name for _, name in pictures] == every and len({*pictures}) == len({p for p, _ in pictures}) == len(every)
    assert all('role="img"' in picture and "aria-label=" in picture for picture, _ in pictures)


def test_the_tree_plays_once_in_view_and_ends_with_the_answer(html, chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((html / "book" / "index.html").as_uri())
    tree = page.locator(".tot-explorer")
    assert tree.count() == 1
    tree.get_by_text("24 (left: 24)").first.wait_for(timeout=60_000)  # it got there without a click
    assert not problems
    page.close()
