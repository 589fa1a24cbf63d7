"""An EPUB of the whole built book, and a PDF of three pages of it, which is skipped without a browser."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from on_paper import CUT, bare, printed
from test_editions import check_epub, opened

from tools.editions import epub, pdf, volume

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = ("notebooks/study_tools", "notebooks/gallery_monte_carlo", "book/bibliography")  # wide tables; explorers; links


@pytest.fixture(scope="module")
def book(html):
    return volume.read(html, only=PAGES)


@pytest.fixture(scope="module")
def document(book):
    return pdf.document(book, volume.about(), "a4")


@pytest.fixture(scope="module")
def file(book, tmp_path_factory, chromium):
    """The PDF. ``chromium`` skips where there is no browser; it runs one, so the PDF is made in another process."""
    out = tmp_path_factory.mktemp("pdf") / "book.pdf"
    command = [sys.executable, "-m", "tools.editions", "pdf", str(book.html), str(out), "--only", *PAGES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "Printing" in done.stderr, done.stderr
    return out


@pytest.fixture(scope="module")
def reader(file):
    pypdf = pytest.importorskip("pypdf")
    return pypdf.PdfReader(file)


@pytest.fixture(scope="module")
def sheets(reader):
    return [sheet.extract_text() for sheet in reader.pages]


def test_the_words_of_a_page_are_on_the_paper_and_the_sheets_numbered(sheets, book):
    text = bare("".join(sheets))
    lines = list(printed(ROOT / f"{PAGES[0]}.ipynb"))
    assert len(lines) > 50 and [line for line in lines if bare(line[1]) not in text] == []
    bare_sheets = [n for n, sheet in enumerate(sheets, 1) if str(n) not in sheet.split()]
    assert bare_sheets[0] == 1 and len(bare_sheets) == 1 + len(book.parts), "the cover and the titles of parts"


def test_the_outline_and_the_contents_lead_to_the_pages(reader, sheets):
    def flat(items, level=0):
        for item in items:
            yield from flat(item, level + 1) if isinstance(item, list) else [(level, item)]

    found = {item.title: (level, reader.get_destination_page_number(item)) for level, item in flat(reader.outline)}
    assert found["Studies"][0] == found["Appendices"][0] == 0 and found["Bibliography"][0] == 1
    number = found["Bibliography"][1]
    assert "Bibliography" in sheets[number] and found["Appendices"][1] < number
    contents = sheets[found["Contents"][1]].split()
    assert contents[contents.index("Bibliography") + 1] == str(number + 1)


def test_it_is_tagged_and_pictures_have_words(reader):
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and root["/Lang"] == "en"
    words, headings, stack = [], 0, [root["/StructTreeRoot"]]
    while stack:
        node = stack.pop().get_object()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            headings += str(node.get("/S")) in ("/H1", "/H2")
            words += [str(node["/Alt"])] if "/Alt" in node else []
            stack += [node["/K"]] if "/K" in node else []
    assert headings > 6 and any(alt.startswith("Search tree.") for alt in words)


def test_nothing_is_cut_at_the_side_and_no_letter_lost_in_silence(document, chromium, tmp_path):
    file = tmp_path / "book.html"
    file.write_text(document[0], encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 642, "height": 1000})
    tab.emulate_media(media="print")
    tab.goto(file.as_uri())
    tab.evaluate(Path(pdf.__file__).with_name("pdf.js").read_text())
    assert tab.evaluate(CUT) == []
    assert len(tab.query_selector_all("table")) > 3
    tab.set_content("<p>é → ∈ a\u00a0b\u2003c \U000f1234</p>")
    letters = tab.evaluate(Path(pdf.__file__).with_name("pdf.js").read_text())
    assert letters == "\U000f1234", "what no font can draw is told"
    tab.close()


def test_an_epub_of_all_pages(html, tmp_path):
    book, about = volume.read(html), volume.about()
    _, pages = check_epub(opened(epub.packed(book, about, epub.make_items(book, about)), tmp_path))
    gallery = pages["book/gallery_monte_carlo.xhtml"]
    trees = [e for e in gallery.iter("{http://www.w3.org/2000/svg}svg") if "tot-svg" in e.get("class", "")]
    assert len(trees) >= 3 and all(e.get("aria-label").startswith("Search tree.") for e in trees)
    assert not re.search("var\\(--", "".join(str(e.attrib) for page in pages.values() for e in page.iter()))
