"""PDF and EPUB, their pieces: what becomes of an article, of a link, of an explorer; and an EPUB of a small book."""

import re
import xml.etree.ElementTree as ET
import zipfile
from datetime import UTC, datetime

import pytest
import traces
from bs4 import BeautifulSoup

from tools.editions import __main__ as command
from tools.editions import epub, links, pdf, volume
from tools.editions.still import still, styles
from treebook import show

ABOUT = volume.About(("A & B",), "1.0", "2026 A & B", datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC), "", ("trees",))
FOLDS = """<article class="bd-article"><section id="top"><h1>1 One<a class="headerlink" href="#top">#</a></h1>
<p class="tot-facts-line"><span>20 minutes</span><span><button class="tot-print d-print-none">Print</button></span></p>
<details class="tot-mark tot-code"><summary title="Code: imports">Code</summary><div class="cell_input">
<pre>import x</pre></div></details>
<div class="tot-predicted"><h3>Predict: is it?</h3>
<div class="tot-predict"><form class="tot-guess"><label><input type="radio"/> <span>yes</span></label>
<label><input type="radio"/> <span>no</span></label></form>
<div class="tot-scroll"><svg aria-label="axes"><defs><path id="p1"/></defs><g class="tot-data">
<text>DATA</text></g><text>axis</text></svg></div>
<details class="tot-reveal" ontoggle="f()"><summary>Reveal</summary><p>yes</p></details>
<p class="tot-first">Guess first</p></div>
<details class="tot-discussed"><summary>Reveal</summary><p>Since it is.</p></details></div>
<div class="tot-frames"><p class="tot-slider"><input type="range"/></p>
<div class="tot-frame" data-label="start"><style>.late{color:red}</style>early</div>
<div class="tot-frame tot-printed" data-label="end" hidden="">late</div></div>
<div class="sd-tab-set"><input type="radio"/><label class="sd-tab-label" for="t1">Python</label>
<div class="sd-tab-content">py</div>
<input type="radio"/><label class="sd-tab-label" for="t2">Shell</label><div class="sd-tab-content">sh</div></div>
<p><strong>What to notice.</strong></p><p>A <strong>tree</strong>.<span class="tot-tip" id="tip">a tip</span></p>
<script>alert(1)</script><p onclick="f()" tabindex="0">text</p>
<img alt="starts" hidden src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" onload="f()"/>
<section class="tot-exercise" id="exercise-1"><h3>Exercise 1: why?</h3><p>Why?</p>
<details><summary>Hint</summary><p>Think.</p></details>
<section class="tot-solved" id="solution-1"><h4>Solution 1</h4>
<details class="tot-fold tot-solution"><summary>Show solution</summary><pre>42</pre></details></section></section>
<section id="reading"><h2>Further reading</h2></section></section></article>"""
SVG = "{http://www.w3.org/2000/svg}"


def soup(html):
    made = BeautifulSoup(html, "html.parser")
    volume.cased(made)
    return made.find()


def test_an_article_needs_no_click():
    article = still(soup(FOLDS))
    assert not article.find_all(["script", "form", "button", "input", "details", "summary"])
    assert not [name for e in article.find_all(True) for name in e.attrs if name.startswith("on") or name == "tabindex"]
    assert "#" not in article.h1.get_text() and "a tip" not in article.get_text() and "Reveal" not in article.get_text()
    small = article.find(class_="small")
    assert small.pre.get_text() == "import x" and small.p.get_text() == "Code: imports"
    shown = {
        name: article.find(class_=name).get_text(" ", strip=True) for name in ("tot-predict", "tot-frames", "tabs")
    }
    assert ".late{" in styles([article]), "of both frames, which the page has once"
    assert shown == {"tot-predict": "yes · no axis", "tot-frames": "end late", "tabs": "Python py Shell sh"}
    assert [p.get_text() for p in article.find_all(class_="run-in")] == ["What to notice."]


def test_dials_show_where_they_stand():
    dials = show.Dials({"who": [("a program", 1), ("nobody", 0)]}, lambda who: {"row": who}, start={"who": "nobody"})
    marked = still(soup(f"<article>{dials._repr_html_()}</article>")).find_all("mark")
    assert [mark.get_text() for mark in marked] == ["nobody"]


def test_solutions_stand_at_the_end_and_are_linked_both_ways():
    article = still(soup(FOLDS))
    headings = [h.get_text() for h in article.find_all(re.compile("^h[1-4]$"))]
    asked, *rest = headings[1:]
    assert rest == ["Exercise 1: why?", "Further reading", "Answers", asked, "Solutions", "Exercise 1"]
    exercise, solution = article.find(id="exercise-1"), article.find(id="solution-1")
    assert exercise.find("a", href="#solution-1") and "42" not in exercise.text
    assert solution.find("a", href="#exercise-1") and "42" in solution.text


def test_an_explorer_becomes_the_picture_of_its_search():
    box = still(soup(f"<article>{show.explorer(traces.solved())._repr_html_()}</article>"))
    drawn = box.find("div", class_="tot-scroll").find("svg")
    words = [text.get_text() for text in soup(str(show.svg(traces.solved()))).find_all("text")]
    assert [text.get_text() for text in drawn.find_all("text")] == words and not box.find(class_="tot-explorer")


def test_a_drawing_keeps_its_words_and_the_style_that_it_brings():
    axes = [show.Axis(name, name, 0, 1) for name in ("one chain", "judge")]
    drawn = show.GainMap([show.Layer([])], *axes, ("gains", "loses"), [show.Mark("Qwen", 0.2, 0.6)])
    article = still(soup(f"<article>{drawn.svg()}</article>"))
    assert "judge" in article.get_text() and "Qwen" in article.get_text()
    assert ".tot-field{fill:" in epub.light(styles([article]))


def test_answers_stand_at_the_end_with_their_figure_and_what_discusses_them():
    article = still(soup(FOLDS))
    answers = article.find(id="answers").extract()
    assert [word in answers.get_text() for word in ("Predict: is it?", "yes", "DATA", "Since it is.")] == [True] * 4
    assert "DATA" not in article.get_text() and "Since" not in article.get_text() and "axis" in article.get_text()
    assert not article.find(id="p1") and answers.find(id="p1"), "an id is there once"


def test_what_a_model_said_stays_text():
    box = soup(f"<article>{show.explorer(traces.hostile())._repr_html_()}</article>")
    drawn = still(box)
    assert not drawn.find_all(["script", "img", "iframe"]) and "alert" in drawn.get_text()


def test_links_between_pages_stay_inside():
    one, two = volume.Page("notebooks/01_one", "1 One"), volume.Page("book/manual/two", "Two")
    left = soup(
        '<article><h2 id="a">A</h2><a href="#a">1</a><a href="../book/manual/two.html#b">2</a><a href="#gone">3</a>'
        '<a href="../book/reference/core.html#tot.bfs">4</a><a href="https://x.org/">5</a><a href="01_one.ipynb">6</a>'
        "</article>"
    )
    right = soup('<article><p id="b">B</p><a href="../../notebooks/01_one.html">7</a></article>')
    links.resolve({one: left, two: right}, lambda _, to, at: f"#{to.key}--{at}" if at else f"#{to.key}", "")
    found = {a.get_text(): a["href"] for a in left.find_all("a") + right.find_all("a")}
    assert found == {
        "1": "#01_one--a", "2": "#manual-two--b", "3": "#01_one", "5": "https://x.org/", "7": "#01_one",
    }  # fmt: skip
    assert [span.get_text() for span in left.find_all("span")] == ["4", "6"]  # not in this edition: words
    out = soup('<article><a href="../book/reference/core.html#tot.bfs">x</a></article>')
    links.resolve({one: out}, lambda *_: "", "https://x.org/book")
    assert out.a["href"] == "https://x.org/book/book/reference/core.html#tot.bfs"


def test_ids_are_unique_and_what_refers_to_them_follows():
    made = soup(
        '<article><svg viewBox="0 0 1 1"><clipPath id="c"></clipPath><use href="#c"></use><g clip-path="url(#c)"></g>'
        '<path style="fill: url( \'#c\' )"></path></svg><label for="c"></label></article>'
    )
    links.prefix_ids(made, "p")
    assert str(made.find("clipPath")["id"]) == made.label["for"] == "p--c" and made.use["href"] == "#p--c"
    assert made.g["clip-path"] == "url(#p--c)" and made.path["style"] == "fill: url(#p--c)"
    assert made.svg["viewBox"] == "0 0 1 1"


@pytest.fixture
def built(tmp_path):
    """Pages as the theme writes them: two parts, one of them generated."""
    pages = {
        "book/index": '<p><a href="../notebooks/01_one.html#top">one</a></p><img src="../_images/a.png" alt="a dot"/>',
        "notebooks/01_one": FOLDS + show.explorer(traces.trip())._repr_html_(),
        "notebooks/01_two": '<p>No <br> end, &nbsp; an entity, \x0b <a href="../book/reference/core.html">core</a></p>',
        "book/reference/core": "<p>every name</p>",
    }
    link = '<li class="toctree-l{}"><a class="reference internal" href="{}.html">{}</a>'
    one = link.format(1, "../notebooks/01_one", "1 One")
    two = link.format(2, "../notebooks/01_two", "1, part two: Two")
    core = link.format(1, "reference/core", "core")
    nav = '<summary><span class="caption-text">Chapters & more</span></summary>'
    nav += f"<ul>{one}<details><summary></summary><ul>{two}</li></ul></details></li></ul>"
    nav += f'<summary><span class="caption-text">Reference</span></summary><ul>{core}</li></ul>'
    for name, body in pages.items():
        title = "" if "<h1" in body else "<h1>Trees</h1>" if name == volume.FIRST else f"<h1>{name}</h1>"
        html = f'<html lang="en"><head></head><body><nav class="bd-links">{nav}</nav><article class="bd-article">'
        file = tmp_path / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"{html}{title}{body}</article></body></html>".replace("book/index</h1>", "Trees</h1>"), "utf-8"
        )
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "a.png").write_bytes(b"\x89PNG")
    return tmp_path


def test_the_order_of_the_pages_is_read_from_them(built):
    book = volume.read(built)
    assert (book.title, book.language, book.left_out) == ("Trees", "en", ["Reference"])
    assert [(p.name, p.depth) for p in book.pages] == [
        ("book/index", 0), ("notebooks/01_one", 0), ("notebooks/01_two", 1),
    ]  # fmt: skip
    assert volume.read(built, everything=True).pages[-1].name == "book/reference/core"
    assert [p.name for p in volume.read(built, only=("notebooks/01_two",)).pages] == ["book/index", "notebooks/01_two"]


@pytest.mark.parametrize(
    ("target", "only", "said"), [("a.epub", "nowhere", "nowhere"), ("", "notebooks/01_one", "cannot write")]
)
def test_what_cannot_be_made_or_written_is_one_sentence(built, tmp_path, capsys, target, only, said):
    assert command.main(["epub", str(built), str(tmp_path / target), "--only", only]) == 1
    assert said in capsys.readouterr().err.splitlines()[-1]


def opened(content, tmp_path):
    file = tmp_path / "book.epub"
    file.write_bytes(content)
    return zipfile.ZipFile(file)


def check_epub(archive):
    """What every EPUB must be: the rules of the format that a reader would stumble over."""
    first = archive.infolist()[0]
    assert (first.filename, first.compress_type, archive.read("mimetype")) == (
        "mimetype", zipfile.ZIP_STORED, b"application/epub+zip",
    )  # fmt: skip
    package = ET.fromstring(archive.read("book/package.opf"))
    opf = "{http://www.idpf.org/2007/opf}"
    items = {item.get("id"): item for item in package.iter(f"{opf}item")}
    named = {f"book/{item.get('href')}" for item in items.values()}
    assert {*archive.namelist()} == named | {"mimetype", "META-INF/container.xml", "book/package.opf"}
    assert [ref for ref in package.iter(f"{opf}itemref") if ref.get("idref") not in items] == []
    pages = {name: ET.fromstring(archive.read(name)) for name in named if name.endswith(".xhtml")}
    ids = {name: [e.get("id") for e in page.iter() if e.get("id")] for name, page in pages.items()}
    for name, page in pages.items():
        assert len(ids[name]) == len({*ids[name]}), f"{name}: an id twice"
        within = {inner for svg in page.iter(f"{SVG}svg") for inner in svg.iter(f"{SVG}svg") if inner is not svg}
        for element in page.iter():
            kind = element.tag.rpartition("}")[2]
            assert kind not in ("script", "form", "input", "button", "iframe", "details", "style"), f"{name}: {kind}"
            assert not [a for a in element.attrib if a.startswith("on")]
            assert kind != "img" or element.get("alt"), f"{name}: a picture without words"
            assert kind != "svg" or element in within or element.get("aria-label") or element.get("aria-hidden"), name
            for attribute in ("href", "src", "{http://www.w3.org/1999/xlink}href"):
                target = element.get(attribute, "")
                if kind == "a" and re.match(r"https?:|mailto:", target):
                    continue
                file, _, place = target.partition("#")
                file = f"book/{file}" if file else name
                assert file in named, f"{name}: {target}"
                assert not place or place in ids[file], f"{name}: {target}"
    return package, pages


def test_an_epub_of_a_small_book(built, tmp_path):
    book = volume.read(built)
    content = epub.packed(book, ABOUT, epub.make_items(book, ABOUT))
    assert content == epub.packed(volume.read(built), ABOUT, epub.make_items(volume.read(built), ABOUT))
    package, pages = check_epub(opened(content, tmp_path))
    told = {e.tag.rpartition("}")[2]: e.text for e in package.iter()}
    assert (told["title"], told["creator"], told["language"], told["date"]) == ("Trees", "A & B", "en", "2026-02-03")
    other = volume.read(built, only=("notebooks/01_two",))
    items = epub.make_items(book, ABOUT)
    shelf = [
        re.findall(b"urn:uuid:.*(?=<)", epub.package(one, ABOUT, items))[0].decode() for one in (book, other, book)
    ]
    assert told["identifier"] == shelf[0] == shelf[2] != shelf[1], "one book does not push another from the shelf"
    nav = " ".join("".join(pages["book/nav.xhtml"].itertext()).split())
    assert "Chapters & more 1 One 1, part two: Two" in nav and "Reference" not in nav
    one = pages["book/01_one.xhtml"]
    drawn = [e.get("viewBox") is not None for e in one.iter(f"{SVG}svg") if e.get("aria-label") != "axes"]
    assert drawn == [True], "the explorer is its tree"
    assert "Left out: “Reference”" in "".join(pages["book/imprint.xhtml"].itertext())


def test_the_printed_document_has_all_pages_and_each_heading(built):
    (built / "_static").mkdir()
    html, headings = pdf.document(volume.read(built), ABOUT, "letter")
    whole = BeautifulSoup(html, "html.parser")
    told = [(h.level, h.title) for h in headings]
    assert told == [
        (0, "About this edition"), (0, "Contents"), (0, "Trees"), (0, "Chapters & more"), (1, "1 One"),
        (2, "Further reading"), (2, "Answers"), (2, "Solutions"), (2, "notebooks/01_two"),
    ]  # fmt: skip
    assert [h.get_text() for h in whole.find_all(["h1", "h2"])] == [title for _, title in told]
    ids = [e["id"] for e in whole.find_all(id=True)]
    assert len(ids) == len({*ids}) and {a["href"][1:] for a in whole.find_all("a", href=re.compile("^#"))} <= {*ids}
    assert "size: Letter" in html and '@top-right { content: "1 One"; }' in html
