"""Translations of the book: what the catalogues must keep of the English, and what a page in Chinese looks like."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from babel.messages.pofile import read_po
from conftest import ROOT

LOCALES = ROOT / "book/locale"
CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/**/*.po"))
FIRST_PIECE = {"book/index", "book/glossary", "notebooks/01_reading_and_replaying", "sphinx"}
# The English glossary has the paper's Chinese words for these: the name of a limit, a list of verdicts, a phrase.
OTHERWISE = {"to sample thoughts", "verdict", "depth", "lesson"}
BUTTON = "Start with chapter 1 ·"  # gettext has a button's text up to its role: the translation has the role as well
KEPT = {
    "roles": re.compile(r"\{[a-z:]+\}`[^`]*`"),
    "code": re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)"),  # once the roles are taken out
    "links": re.compile(r"\]\(([^)\s]*)\)"),
    "formulas": re.compile(r"\$[^$]+\$"),
}


def messages(path):
    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id]


def kept(text):
    """What a translation must leave as it is: how often each piece of code, role, link and formula occurs."""
    bare = KEPT["roles"].sub("", text)
    places = {name: text if name == "roles" else bare for name in KEPT}
    return {name: Counter(match[0] for match in KEPT[name].finditer(place)) for name, place in places.items()}


def targets(text):
    return Counter(KEPT["links"].findall(text))


def lost(english, translated):
    """What of a message did not come through its translation, in words."""
    told = [name for name in ("code", "roles", "formulas") if kept(english)[name] != kept(translated)[name]]
    if targets(english) != targets(translated):
        told.append("links")
    if re.match(r"\*\*[^*]+\.\*\*", english) and not re.match(r"\*\*[^*]+[。：]\*\* ", translated):
        told.append("the bold words at its beginning")
    parts = translated.split("**")  # every second one is bold
    if any(
        re.search(r"[。：！？）.:!?)]$", bold) and re.match(r"\w", after)
        for bold, after in zip(parts[1::2], parts[2::2], strict=True)
    ):
        told.append("a blank after bold words that end in a full stop: they would not become bold")
    if english.count("**") != translated.count("**"):
        told.append("bold words")
    return told


PAGES = [path for path in CATALOGUES if path.stem != "sphinx"]  # that one has words of programs and no Markdown


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.relative_to(LOCALES)}")
def test_a_translation_keeps_links_code_roles_and_formulas(path):
    told = {message.id: lost(message.id, message.string) for message in messages(path) if message.id != BUTTON}
    assert not {english: found for english, found in told.items() if found}


@pytest.mark.parametrize("path", sorted(LOCALES.glob("*/LC_MESSAGES/sphinx.po")), ids=lambda path: path.parts[-3])
def test_the_words_around_the_pages_keep_their_places_for_values(path):
    for message in messages(path):
        for places in (r"(?<!\$)\{(\w+)\}", r"%\(\w+\)s", r"</?\w+", r"\$\{(?:hits\.length|pages|MOST)\}"):
            assert set(re.findall(places, message.id)) == set(re.findall(places, message.string)), message.id
        assert ('"' in message.string) <= ('"' in message.id), "it would end a string of a script"
        assert "`" not in message.string and "\n" not in message.string


def test_the_first_piece_is_whole_and_nothing_in_it_is_stale():
    folder = LOCALES / "zh_CN/LC_MESSAGES"
    assert {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.po")} >= FIRST_PIECE
    for page in FIRST_PIECE:
        for message in messages(folder / f"{page}.po"):
            assert message.string and not message.fuzzy, f"{page}: {message.id[:60]}"


def test_terms_of_the_glossary_are_in_both_languages_and_the_same_as_in_the_english_one():
    source = (ROOT / "book/glossary.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^(\S.*)\n  [\s\S]*?中文: ([^\n]+)", source, re.M))
    terms = {m.id: m.string for m in messages(LOCALES / "zh_CN/LC_MESSAGES/book/glossary.po") if m.id in named}
    assert len(terms) > 130
    for english, chinese in terms.items():
        assert english in chinese, english
        own = chinese.partition("（")[0]
        first = re.split(r"[,;(/]", named[english])[0].strip()
        assert first in own or own in named[english] or english in OTHERWISE, (english, own, named[english])


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    """Some pages in Chinese, as a book of their own: links to others lead nowhere, all else must be right."""
    out = tmp_path_factory.mktemp("chinese")
    toc = ["format: jb-book", "root: book/index", "parts:", "  - caption: From one prompt to a tree", "    chapters:"]
    toc += ["      - {file: notebooks/01_reading_and_replaying, title: 1 Reading and replaying}"]
    toc += ["      - {file: notebooks/05_how_a_search_asks, title: 5 How a search asks}", "      - file: book/glossary"]
    toc += ["      - file: book/bibliography", "      - file: book/manual/todays_models"]
    (out / "_toc.yml").write_text("\n".join(toc), encoding="utf-8")
    missing = "myst.xref_missing,ref.doc,ref.term,ref.ref"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html", "-D", "language=zh_CN"]
    command += ["-D", f"external_toc_path={out / '_toc.yml'}", "-D", f"suppress_warnings={missing}"]
    built = [*command, "-d", str(out / "doctrees"), "-c", "book", ".", str(out / "html-zh_CN")]
    done = subprocess.run(built, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out / "html-zh_CN"


def words(page):
    """What a reader sees of a page beside code, outputs and pictures."""
    text = re.sub(r"<(script|style|svg|pre|code)\b.*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


@pytest.mark.slow
def test_a_page_in_chinese(chinese):
    page = chinese / "notebooks/01_reading_and_replaying.html"
    text, read = page.read_text(encoding="utf-8"), words(page)
    assert '<html lang="zh-CN"' in text and "<title>1 读树与重放 · 用树思考</title>" in text
    assert all(
        said in read for said in ("图 1.2：", "表 1.1：", "查看解答", "小提示", "下载笔记本", "代码、程序的输出")
    )
    assert text.count('<div class="tot-predicted">') == 5 and text.count('class="tot-exercise"') == 4
    assert text.count('class="tot-note tot-note-') == 2 and 'id="figure-1-2"' in text
    assert "一段连贯的文字，是通向解答的一个步骤。" in read  # the glossary's sentence, at the first 思维
    assert "_static/chinese.css" in text and "今天的模型" in read  # the heading of that page, in the list of pages


@pytest.mark.slow
def test_a_page_without_a_translation_says_so_and_is_marked_as_english(chinese):
    page = (chinese / "notebooks/05_how_a_search_asks.html").read_text(encoding="utf-8")
    assert "本页还没有中文译文" in page and '<div lang="en">' in page and "建立在第" in page
    assert "本页还没有中文译文" not in (chinese / "book/index.html").read_text(encoding="utf-8")
    glossary = (chinese / "book/glossary.html").read_text(encoding="utf-8")
    assert 'id="term-thought"' in glossary and "思维（thought）" in glossary


@pytest.mark.slow
def test_the_search_speaks_chinese(chinese):
    script = (chinese / "_static/search.js").read_text(encoding="utf-8")
    assert "在 ${pages} 页中找到 ${hits.length} 节" in script and "{%" not in script and "{{" not in script
    assert "估值可信吗" in (chinese / "_static/search_sections.js").read_text(encoding="utf-8")
