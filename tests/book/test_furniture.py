"""What stands around a chapter's text: numbers, facts, the way on, and what other programs are told."""

import json
import os
import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from conftest import ROOT
from sphinx_external_toc.parsing import parse_toc_yaml

from tools.live import site
from tools.pages import launch
from tools.pages.furniture import Label, label

NEEDS = yaml.safe_load((ROOT / "book/chapters.yml").read_text())
TITLES = {name: item.title for name, item in parse_toc_yaml(ROOT / "_toc.yml").items() if item.title}
CHAPTERS = {name.removeprefix("notebooks/"): title for name, title in TITLES.items() if re.match(r"\d", title)}


def read(html, name):
    return (html / f"notebooks/{name}.html").read_text(encoding="utf-8")


def plain(markup):
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())


def test_every_chapter_says_what_it_needs_and_needs_only_what_comes_before():
    order = list(CHAPTERS)
    assert list(NEEDS) == order
    for name, needed in NEEDS.items():
        assert all(order.index(other) < order.index(name) for other in needed), name


@pytest.mark.parametrize(
    "title, number, rest",
    [
        ("6 Breadth first: Game of 24", "6", "Breadth first: Game of 24"),
        ("6, part two: The paper's study", "6, part two", "The paper's study"),
        ("Gallery, part two: Trees with tools", "", "Gallery, part two: Trees with tools"),
        ("14，第二部分：奖励说得准吗？", "14，第二部分", "奖励说得准吗？"),
    ],
)
def test_numbers_are_read_from_the_titles_and_written_as_they_were(title, number, rest):
    env = SimpleNamespace(config=SimpleNamespace(external_site_map={"p": SimpleNamespace(title=title)}), titles={})
    assert label(env, "p") == Label(number, rest) and str(label(env, "p")) == title and label(env, "other") is None


def test_titles_headings_and_the_way_on_carry_the_number_once(html):
    order = list(CHAPTERS)
    for place, (name, title) in enumerate(CHAPTERS.items()):
        page, number = read(html, name), re.match(r"\d+", title)[0]
        assert plain(re.search(r"<title>(.*?)</title>", page)[1]) == f"{title} · Thinking in Trees"
        heading = re.search(r"<article.*?<h1>(.*?)</h1>", page, re.S)[1]
        assert heading.startswith(f'<span class="tot-number">{number}'), heading
        assert len(re.findall(rf"\b{number}\b", plain(heading))) == 1 and plain(heading).count("part two") <= 1
        if place + 1 < len(order):
            way = re.search(r'<a class="right-next".*?prev-next-title">(.*?)</p>', page, re.S)[1]
            assert plain(way).replace(":", "") == CHAPTERS[order[place + 1]].replace(":", "")


def test_the_facts_lead_to_chapters_and_to_the_notebook(html):
    where = launch.read(ROOT / "book" / "launch.toml", os.environ)  # a fork has set it
    for name, needed in NEEDS.items():
        facts = re.search(r'<p class="tot-facts-line">(.*?)</p>', read(html, name), re.S)[1]
        assert re.search(r"\d+ minutes", plain(facts))
        assert re.findall(r'<a href="(.*?)\.html">', facts) == needed
        assert f'href="{name}.ipynb" download' in facts
        shipped = json.loads((html / f"notebooks/{name}.ipynb").read_text(encoding="utf-8"))
        stored = (ROOT / f"notebooks/{name}.ipynb").read_text(encoding="utf-8")
        assert shipped == json.loads(launch.travelling(stored, where))
        nbformat.validate(nbformat.from_dict(shipped))


def test_pages_that_run_find_their_places_in_the_pages_of_the_book(html):
    first = site.add_ways((html / "book/index.html").read_text(encoding="utf-8"), "../", [Path("_build/book.pdf")])
    assert first.count('href="../lab.html') == 2 and 'href="#run-it"' in first and 'href="../book.pdf"' in first
    assert first.index("Try it now") < first.index("Run it")
    page = site.add_ways(site.add_button(read(html, "01_reading_and_replaying"), "../"), "../")
    assert page.count('href="../lab.html"') == 1 and "Run this page" in page and "live/button.js" in page
    lost = site.framed(page, site.LOST, "No such page")
    assert "no such page" in lost and "<title>No such page" in lost and "Game of 24</h1>" not in lost
    assert len(lost) < len(page) / 2


def test_every_document_is_described_and_only_an_address_gives_absolute_links(html):
    told = {}
    for page in [*html.glob("notebooks/*.html"), *html.glob("book/*.html")]:
        text = page.read_text(encoding="utf-8")
        found = re.findall(r'<meta name="description" content="(.*?)"', text)
        assert len(found) == 1 and 'property="og:title"' in text, page.name
        assert 'href="../_static/favicon.svg"' in text
        assert "og:image" not in text and "og:url" not in text  # relative ones would be of no use
        told[page.name] = found[0]
    notebooks = [told[f"{name}.html"] for name in CHAPTERS]
    assert all(len(t) > 60 for t in notebooks) and len(set(notebooks)) == len(notebooks)
