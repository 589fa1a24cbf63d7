"""The chapter template: every real chapter keeps it, and every rule of the lint bites."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import lint_chapters

CHAPTER = "99_another"


def code(source, *outputs, tags=(), alt=None):
    metadata = {"tags": list(tags)} | ({"mystnb": {"image": {"alt": alt}}} if alt else {})
    return new_code_cell(source, execution_count=1, outputs=list(outputs), metadata=metadata)


def shown(**data):
    return new_output("display_data", data={k.replace("_", "/").replace("svg", "svg+xml"): v for k, v in data.items()})


def good():
    """The smallest chapter that passes: cells 0 to 7, then three cells for each exercise, then further reading."""
    svg = '<svg role="img"><title>a tree</title></svg>'
    cells = [
        new_markdown_cell("# A chapter\n\n## Learning objectives\n\n"),
        code("x = 1"),
        new_markdown_cell("### Predict: what is x?"),
        code("x", shown(image_png="iVBOR", text_plain="<Figure>"), tags=["predict"], alt="a rising curve"),
        code("tree", shown(image_svg=svg)),
        code("tree", shown(text_html=f"<div>{svg}</div>")),
        new_markdown_cell("## Summary"),
        new_markdown_cell("## Exercises"),
    ]
    for n in range(1, 5):
        cells += [
            new_markdown_cell(f"### Exercise {n}\n\nDo it.\n\n<details><summary>Hint</summary>\n\nx\n\n</details>"),
            new_markdown_cell(f"#### Solution {n}"),
            code("\n".join(["y = 2"] * 30), tags=["hide-cell"]),
        ]
    return new_notebook(cells=[*cells, new_markdown_cell("## Further reading")])


def replace(index, old, new):
    def change(nb):
        assert old in nb.cells[index].source
        nb.cells[index].source = nb.cells[index].source.replace(old, new)

    return change


def put(index, cell):
    return lambda nb: nb.cells.insert(index, cell)


def swap_summary_and_objectives(nb):
    replace(0, "## Learning objectives", "## Summary")(nb)
    replace(6, "## Summary", "## Learning objectives")(nb)


BREACHES = {
    "no title": (replace(0, "# A chapter", "A chapter"), "first-level title"),
    "two titles": (put(2, new_markdown_cell("# Another")), "first-level title"),
    "title in code": (replace(0, "# A chapter", "```\n# A chapter\n```"), "first-level title"),
    "no objectives": (replace(0, "Learning objectives", "Aims"), "no heading '## Learning objectives'"),
    "no predict": (replace(2, "Predict", "Guess"), "no heading '## Predict'"),
    "no summary": (replace(6, "Summary", "End"), "no heading '## Summary'"),
    "no exercises": (replace(7, "Exercises", "Tasks"), "no heading '## Exercises'"),
    "no further reading": (replace(-1, "Further reading", "Links"), "no heading '## Further reading'"),
    "wrong order": (swap_summary_and_objectives, "in this order"),
    "three exercises": (lambda nb: nb.cells.__delitem__(slice(17, 20)), "4 or more"),
    "wrong number": (replace(17, "Exercise 4", "Exercise 5"), "4 or more"),
    "no hint": (replace(8, "Hint", "Help"), "exercise 1: no hint"),
    "no solution": (replace(12, "#### Solution 2", "#### Discussion"), "exercise 2: no code cell"),
    "solution misnumbered": (replace(12, "Solution 2", "Solution 3"), "exercise 2: its solution is headed"),
    "solution shown": (lambda nb: nb.cells[10].metadata.update(tags=[]), "exercise 1: every code cell"),
    "solution not run": (lambda nb: nb.cells[10].update(execution_count=None), "exercise 1: its solution was not"),
    "solution told": (replace(9, "Solution 1", "Solution 1\n\nIt is 42."), "exercise 1: text of the solution shows"),
    "png without alt": (put(1, code("x", shown(image_png="iVBOR"))), "cell 1: a figure without alt"),
    "svg without title": (put(1, code("x", shown(image_svg="<svg></svg>"))), "cell 1: an SVG without"),
    "html svg unlabelled": (put(1, code("x", shown(text_html='<svg role="img"></svg>'))), "cell 1: an SVG without"),
    "html img without alt": (put(1, code("x", shown(text_html='<img src="a.png">'))), "cell 1: an <img> without"),
    "markdown image": (put(1, new_markdown_cell("![](a.png)")), "cell 1: an image without"),
    "long cell": (put(1, code("\n".join(["x"] * 26))), "cell 1: 26 lines"),
    "long cells": (lambda nb: nb.cells.extend(code("\n".join(["x"] * 13)) for _ in range(4)), "4 of 8 code cells"),
    "many cells": (lambda nb: nb.cells.extend(code("x") for _ in range(60)), "77 cells"),
    "a percent sign first": (put(1, new_markdown_cell("It rose to 33\n% of all.")), "a line that starts with %"),
    "left over": (replace(1, "x = 1", "x = 1  # TO" + "DO: more"), "cell 1: TODO"),
    "path in source": (replace(1, "x = 1", "open('/home/me/x')"), "cell 1: a path"),
    "path in output": (put(1, code("x", new_output("stream", text="saved /Users/me/x\n"))), "cell 1: a path"),
    "windows path": (replace(1, "x = 1", r"open('C:\me\x')"), "cell 1: a path"),
}


@pytest.mark.parametrize("name", BREACHES)
def test_each_rule_bites(name):
    change, message = BREACHES[name]
    nb = good()
    assert lint_chapters.lint(nb, CHAPTER) == []
    change(nb)
    assert any(message in problem for problem in lint_chapters.lint(nb, CHAPTER)), lint_chapters.lint(nb, CHAPTER)
    chapter_only = any(part in message for part in ("no heading", "in this order", "exercise", "4 or more"))
    assert any(message in problem for problem in lint_chapters.lint(nb, "gallery")) is not chapter_only


@pytest.mark.parametrize(
    "harmless",
    [
        put(1, new_markdown_cell("See https://example.org/home/page and src/tmp/x.")),
        put(1, code("x", shown(image_svg="<svg></svg>"), alt="a tree")),
        put(1, code("x", shown(text_html='<svg aria-hidden="true"></svg><img src="a" alt="b">'))),
        put(10, new_markdown_cell("<details><summary>Discussion</summary>\n\nBecause.\n\n</details>")),
        put(9, code("# your turn\nx = ...")),
    ],
)
def test_no_rule_bites_too_early(harmless):
    nb = good()
    harmless(nb)
    assert lint_chapters.lint(nb, CHAPTER) == []


def predicting():
    """A chapter of the new design with one prediction and one picture."""
    return new_notebook(
        cells=[
            new_markdown_cell("### Predict: what is x?\n\nGuess."),
            code("x = 3"),
            code("x", new_output("execute_result", data={"text/plain": "3"}), tags=["predict"]),
            code("draw(x)", shown(image_png="iVBOR", text_plain="<a long line" + " " * 80 + ">"), tags=["plot"]),
            new_markdown_cell("**Figure.** It is three.\n\n## Next"),
        ]
    )


PREDICT = '<div class="tot-predict"></div>'
DESIGN_BREACHES = {
    "wide code": (put(1, code("x = " + "1" * 69)), "cell 1: 73 columns of code"),
    "wide print": (put(1, code("x = 1", new_output("stream", text="y\n" + "x" * 73))), "cell 1: 73 columns of output"),
    "wide result": (put(3, code("x", new_output("execute_result", data={"text/plain": "x" * 73}))), "of output"),
    "open answer": (lambda nb: nb.cells[2].metadata.update(tags=[]), "'Predict: what is x?': its answer stands open"),
    "no answer": (lambda nb: nb.cells.__delitem__(slice(2, 4)), "'Predict: what is x?': no cell with its answer"),
    "no answer at the end": (lambda nb: nb.cells.__delitem__(slice(2, 5)), "no cell with its answer"),
}


def design(nb, name=CHAPTER):
    """What is wrong beside the title and the sections, which the small notebook does not have."""
    others = re.compile("no heading|under '## Exercises'|the first cell|.*without alt text")
    return [problem for problem in lint_chapters.lint(nb, name) if not others.match(problem)]


@pytest.mark.parametrize("name", DESIGN_BREACHES)
def test_each_rule_of_the_design_bites(name):
    change, message = DESIGN_BREACHES[name]
    nb = predicting()
    assert design(nb) == []
    change(nb)
    assert any(message in problem for problem in design(nb)), design(nb)


def test_predictions_are_asked_of_chapters_alone():
    nb = predicting()
    nb.cells[2].metadata.update(tags=[])
    assert [len(design(nb, name)) for name in (CHAPTER, "gallery")] == [1, 0]


@pytest.mark.parametrize(
    "harmless",
    [
        lambda nb: nb.cells.__setitem__(2, code("Predict()", shown(text_html=PREDICT, text_plain="x" * 99))),
        put(3, code("y = 1", shown(image_png="iVBOR"), tags=["checked"])),
        put(3, code("y = " + "1" * 80, tags=["remove-input"])),
    ],
)
def test_no_rule_of_the_design_bites_too_early(harmless):
    nb = predicting()
    harmless(nb)
    assert design(nb) == []


@pytest.mark.parametrize(
    ("above", "answer", "given"),
    [
        ("Any is right: 20.0% [10%, 35%]", "20 %", True),
        ("After 20 puzzles", "20 %", False),  # a count is no share
        ("It wrote 1,113 tokens", "1113", True),
        ("The model of 2020, `f(20)`, [twenty](a20.md)", "20", False),
        ("**Figure.** It is only third of its column.", "3", True),
        ("**Figure.** It is the 30th.", "3", False),
        ("The third of its column.", "3", False),
        ("**Figure.** Three of them.\n\n## Another section", "3", False),
    ],
)
def test_an_answer_stands_nowhere_above_its_question(above, answer, given):
    nb = predicting()
    predicted = shown(text_html=PREDICT, text_plain=f"How many?\n  (0 to 99)\nAnswer: {answer}\nmore")
    nb.cells[2] = code("Predict()", predicted)
    nb.cells.insert(0, new_markdown_cell(f"# A chapter\n\n{above}"))
    found = [problem for problem in lint_chapters.lint(nb, "01_a_chapter") if "stands above it" in problem]
    assert bool(found) is given and not lint_chapters.check_given_away(nb, {answer.removesuffix(" %")})
    assert not any("stands above it" in problem for problem in lint_chapters.lint(nb, CHAPTER))
