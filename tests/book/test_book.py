"""Read the built pages as somebody offline, or with a screen reader, would."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """Collects what a page loads, and the pictures that have no alternative text."""

    def __init__(self, path):
        super().__init__()
        self.loads, self.mute, self.pictures = [], [], 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video") or (tag == "link" and a.get("rel") != "canonical"):
            self.loads.append(a.get("src") or a.get("href") or "")
        if tag == "img" or (tag == "svg" and a.get("role") == "img"):
            self.pictures += 1
        if tag == "img" and not (a.get("alt") or "").strip():
            self.mute.append(a.get("src"))


@pytest.fixture(scope="session")
def pages(html):
    found = {p.relative_to(html).as_posix(): Page(p) for p in html.rglob("*.html") if "_static" not in p.parts}
    assert "book/index.html" in found
    return found


def test_nothing_is_loaded_from_the_network(html, pages):
    remote = {name: [u for u in page.loads if re.match(r"(https?:)?//", u)] for name, page in pages.items()}
    assert not any(remote.values()), remote
    styles = [p.read_text(encoding="utf-8") for p in html.rglob("*.css")]
    assert styles and not any(re.search(r"(@import\s+|url\()[\"']?(https?:)?//", s) for s in styles)


def test_every_picture_has_alt_text(pages):
    assert {name: page.mute for name, page in pages.items() if page.mute} == {}


def test_every_document_is_in_the_table_of_contents():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    sections = [section for chapter in chapters for section in chapter.get("sections", ())]
    listed = {toc["root"], *(document["file"] for document in (*chapters, *sections))}
    folders = ("book", "book/manual", "book/teaching")
    documents = [*(p for folder in folders for p in ROOT.glob(f"{folder}/*.md")), *ROOT.glob("notebooks/*.ipynb")]
    made = {name for name in listed if name.startswith("book/reference/")}  # test_reference.py looks at these
    assert listed - made == {p.relative_to(ROOT).with_suffix("").as_posix() for p in documents}


def test_names_in_the_text_lead_to_the_reference(html):
    chapter = (html / "notebooks" / "05_how_a_search_asks.html").read_text(encoding="utf-8")
    text = chapter.partition("<article")[2].partition("</article>")[0]
    assert text.count('href="../book/reference/core.html#tot.runner.run"') == 1  # the first of several
    index = (html / "book" / "paper_to_code.html").read_text(encoding="utf-8")
    assert 'href="reference/knobs.html#method-tot-dfs"' in index
    assert 'href="reference/command_line.html#command-solve"' in index


def test_links_into_the_reference_arrive(html):
    found = 0
    for page in html.rglob("*.html"):
        for target in re.findall(r'href="([^":]*reference/\w+\.html)#([\w.-]+)"', page.read_text(encoding="utf-8")):
            where = (page.parent / target[0]).resolve()
            assert f'id="{target[1]}"' in read(where), (page.name, target)
            found += 1
    assert found > 500


@cache
def read(path):
    return path.read_text(encoding="utf-8")
