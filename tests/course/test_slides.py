"""Slides: each outline matches its chapter, and what would make a bad deck is refused with a sentence."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

pytest.importorskip("sphinx_revealjs", reason="the slides need the extra `course`: pip install -e '.[course]'")

import course.build
from course.slides.build import build, main
from course.slides.chapter import NOTEBOOKS
from course.slides.deck import export
from course.slides.notebook import assemble
from course.slides.outline import FOLDER, LEAST, MOST, OutlineError, outlines, read

ALL = outlines()
every = pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
SIX = FOLDER / "06_tot_bfs_game24.toml"


@every
def test_an_outline_names_pieces_that_its_chapter_has(path):
    outline = read(path)  # raises with the line of whatever is gone
    assert LEAST <= len(outline.slides) + 1 <= MOST
    assert 40 <= outline.all_minutes <= 80, f"{outline.all_minutes} minutes"


@every
def test_the_notebook_has_the_chapters_code_in_order_and_notes_on_every_slide(path):
    outline = read(path)
    notebook = assemble(outline)
    nbformat.validate(notebook)
    kinds = [cell.metadata.slideshow.slide_type for cell in notebook.cells]
    assert kinds.count("slide") == kinds.count("notes") == len(outline.slides) + 1
    chapter = [cell.source for cell in outline.chapter.cells if cell.cell_type == "code"]
    code = [cell.source for cell in notebook.cells[1:] if cell.cell_type == "code"]
    once = [source for before, source in zip(["", *code], code, strict=False) if source != before]
    assert once == chapter[: len(once)], "some cell is missing, or in another place"


def test_every_chapter_has_a_deck():
    numbers = {path.stem[:2] for path in NOTEBOOKS.glob("[0-9][0-9]_*.py")}
    assert numbers == {path.stem[:2] for path in ALL}


def changed(folder: Path, old: str, new: str, count: int = 1) -> Path:
    """The outline of chapter 6 with another text in it."""
    text = SIX.read_text(encoding="utf-8")
    assert old in text
    target = folder / SIX.name
    target.write_text(text.replace(old, new, count), encoding="utf-8")
    return target


QUOTE = "The first step often decides the game, and a chain writes only one."
ASK = '{ask = "Predict: how many first steps keep 24 in reach?"}'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (QUOTE, "One late step decides the game.", "no paragraph says “One late step decides the game.”: copy"),
        (QUOTE, "The first step often decides the game", "is only a part of a sentence: quote all of it"),
        (QUOTE, "decides the game, and a chain writes only one.", "is only a part of a sentence"),
        (
            "def propose(numbers, ask):",
            "def suggest(numbers, ask):",
            "there is no cell with “def suggest(numbers, ask):”",
        ),
        ("def propose(numbers, ask):", "lm", "cells with “lm”: name code that stands in one cell only"),
        (ASK, '{quote = "Four numbers allow up to 36 different first steps."}', "gives away the answer"),
        ("Predict: who wins?", "Predict: who loses?", "there is no heading “Predict: who loses?”"),
        ("exercise = 1", "exercise = 9", "there is no exercise 9"),
        ('{list = "Summary"}', '{list = "Summary", only = [9]}', "so there is none numbered 9"),
        ('{list = "Summary"}', '{list = "Algorithm 1"}', "there is no list below “Algorithm 1”"),
        ('{list = "Summary"}', '{quote = "If prompts count as well, chains may catch up."}', "the last slide shows"),
        ('[{figure = "names = {BLIND"}]', '[{figure = "names = {BLIND", output = 2}]', "has 1 outputs"),
        ("{exercise = 1}", '{table = "Which half does the work?"}', "there is no exercise to do together"),
        ("columns = true", "colums = true", "the key colums means nothing here"),
        ("{exercise = 1}", "{exercises = 1}", "a piece has one of the keys"),
        ("minutes = 7", "minutes = 70", "it has no minutes between 0 and 15"),
        ("If nobody has one, give the hint.", "The tree solves 58.3% of them.", "its notes say 58.3%"),
        (
            '{code = "def propose(numbers, ask):"}',
            '{figure = "show.plots.failures("}',
            "gives away the answer to “Predict: which half",
        ),
        (
            'show = [{figure = "names = {BLIND"}]',
            'show = [{code = "def propose(numbers, ask):"}]',
            "keep the chapter's order",
        ),
        ("[[slide]]", "[[slide", "line"),
    ],
)
def test_what_does_not_match_is_refused_with_its_line(tmp_path, old, new, says):
    with pytest.raises(OutlineError) as caught:
        read(changed(tmp_path, old, new))
    assert says in str(caught.value)
    assert re.search(r"line \d+|06_tot_bfs_game24.toml: ", str(caught.value))


@pytest.fixture(scope="module")
def page():
    return export(assemble(read(SIX)))


def test_a_deck_is_one_file_that_asks_nobody_for_anything(page):
    without_programs = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//|url\(["']?(?:https?:)?//|@import""", without_programs)
    assert not re.findall(r"<(?:script|link|iframe|img)\b[^>]*\s(?:src|href)=(?![\"']?data:)", without_programs)
    assert page.count("<section") == len(read(SIX).slides) + 1
    assert "FORMULA" not in page and "LETTERS-OF" not in page


def test_a_bill_is_open_at_its_roles(tmp_path):
    """Nobody unfolds it on a slide; and what was folded is no reason to make the letters small."""
    deck = build(outlines("01")[0], tmp_path).read_text(encoding="utf-8")
    assert re.findall("<details([^>]*)><summary>by role", deck) == [' open=""'] * 2


def test_an_answer_is_open_and_a_question_does_not_hold_it(page):
    slides = re.findall(r"<section.*?</section>", page, flags=re.DOTALL)
    [asked, answered] = [s for s in slides if "What share of the first steps is alive?" in s]
    assert 'type="range"' in asked and "tot-reveal" not in re.sub(r"<style.*?</style>", "", asked, flags=re.DOTALL)
    assert 'type="range"' not in answered and "drawn blindly" in answered and "<details" not in answered


def test_what_a_model_said_stays_words_in_a_deck():
    hostile = "</section><script>alert(1)</script> FORMULA7777X <img src=x onerror=alert(1)> {{ 7 * 7 }}"
    notebook = assemble(read(outlines("03")[0]))
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = hostile
        cell.metadata["mystnb"] = {"image": {"alt": '" onload="alert(1)'}}
    made = export(notebook)
    assert "FORMULA7777X" in made and "{{ 7 * 7 }}" in made
    assert "<script>alert" not in made and "<img src=x" not in made
    assert not BeautifulSoup(made, "html.parser").find_all(onload=True)


def test_building_says_what_it_made_and_a_wrong_number_what_there_is(tmp_path, capsys, page):
    assert main(["06", "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"{SIX.stem}.html").read_text(encoding="utf-8") == page, "two builds differ"
    assert {path.name for path in tmp_path.glob("[!.]*")} == {f"{SIX.stem}.html", f"{SIX.stem}.ipynb"}
    assert str(tmp_path) in (said := capsys.readouterr().out) and "changed" not in said
    assert main(["77", "--out", str(tmp_path)]) == 2
    assert "There is no outline that begins with “77”; there are 01" in capsys.readouterr().err


def test_what_a_teacher_changed_in_a_deck_is_kept_beside_the_new_one(tmp_path, capsys):
    for said in ("mine", "mine again"):
        build(SIX, tmp_path)
        (tmp_path / f"{SIX.stem}.ipynb").write_text(said, encoding="utf-8")
    build(SIX, tmp_path)
    build(SIX, tmp_path)
    assert sorted(path.read_text("utf-8") for path in tmp_path.glob("*.changed*")) == ["mine", "mine again"]
    assert nbformat.read(tmp_path / f"{SIX.stem}.ipynb", 4).cells
    assert capsys.readouterr().out.count("was changed since it was written") == 2


@pytest.mark.parametrize(("build", "which"), [(course.build.main, "01"), (main, "06")])
def test_a_folder_that_cannot_be_is_a_sentence(tmp_path, capsys, build, which):
    (tmp_path / "file").touch()
    assert build([which, "--out", str(tmp_path / "file" / "below")]) == 2
    assert "cannot write to" in capsys.readouterr().err
