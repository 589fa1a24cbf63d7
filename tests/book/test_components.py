"""The components of a chapter, in a small project: what an author writes, and what the page makes of it."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.pages.glossary_hover import spellings
from tools.refresh import read, relabel
from treebook.figures.predict import Predict

ROOT = Path(__file__).parents[2]
CONF = """
extensions = ["sphinx_external_toc", "myst_nb", "tools.pages.components", "tools.pages.glossary_hover"]
nb_execution_mode = "off"
myst_heading_anchors = 3
html_theme = "basic"
"""
TOC = """
format: jb-book
root: book/index
parts:
  - caption: Part
    chapters:
      - file: notebooks/06_tree
        sections:
          - file: notebooks/06_study
      - file: book/glossary
      - file: book/errata
"""
GLOSSARY = """# Glossary

```{glossary}
thought
  One step towards a solution.

  Paper: z

Tree of Thoughts (ToT)
  A search over thoughts.
```
"""
ERRATA = "# Errata\n\n## In the paper\n\n### E4: the tokens of ToT\n\nThere.\n"


def code(source, *outputs, tags=()):
    return new_code_cell(source, execution_count=1, outputs=list(outputs), metadata={"tags": list(tags)})


def text(words):
    return new_output("stream", text=words + "\n")


def drawn(html):
    return new_output("display_data", data={"text/html": html, "text/plain": "<SVG>"})


CHAPTER = [
    new_markdown_cell("# A tree"),
    code("FIRST_OF_ALL", tags=["set-up"]),
    new_markdown_cell("A **thought** is one, a second **Thought** is one, too, in a **tree of thoughts**."),
    code("import tot\n\ndef propose(x):\n    return SECRET_SETUP", text("set up"), tags=["set-up"]),
    new_markdown_cell("## Part\n\n### Predict: how many?\n\nGuess."),
    code("x = 3"),
    code("len(x)", text("THE ANSWER"), tags=["predict"]),
    new_markdown_cell("What is more:"),
    code("def more(): ...", tags=["set-up"]),
    code("y", text("AND MORE OF IT"), tags=["plot", "predict"]),
    new_markdown_cell("Words on it.\n\nLATER, in words."),
    code("print(1)", text("IN  COLUMNS\na   1\nbb  22\nc   3")),
    code("print(2)", text("NOT in columns\n   but\n   further\n   in")),
    new_markdown_cell("After it, see [the figure](#figure-6-1).\n\n### Predict: and now?\n\nGuess again."),
    code("PREDICTING", drawn(Predict("How many?", 1, low=0, high=2)._repr_html_())),
    new_markdown_cell("Text of the answer.\n\nThis leads to a drawing."),
    code("ONE_OF_TWO", tags=["set-up"]),
    code("TWO_OF_TWO", tags=["set-up"]),
    code("DRAWING", text("numbers"), drawn("<svg>TREE</svg>"), tags=["plot"]),
    new_markdown_cell("**Figure.** It *grows*.\n\nText after it."),
    code("TABLE", drawn("<table>ROWS</table>")),
    new_markdown_cell("**Table.** Four rows.\n\n**Figure.** Of nothing: text stands above it."),
    code("# the beams agree\nassert True", text("same"), tags=["checked"]),
    new_markdown_cell(
        "> **In practice.** Ask.\n\n> **Where it breaks.** Here.\n\n> **In the paper.** See [E4](../book/errata.md#e4-"
        "the-tokens-of-tot).\n\n> A plain quote.\n\n## Exercises\n\n### Exercise 1: more\n\nDo.\n\n"
        "<details><summary>Hint</summary>\n\nx\n\n</details>"
    ),
    new_markdown_cell("#### Solution 1"),
    code("SOLUTION", text("42"), tags=["hide-cell"]),
    new_markdown_cell("## Further reading\n\nNo more."),
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    root = tmp_path_factory.mktemp("small")
    for name, words in {"index": "# Index\n", "glossary": GLOSSARY, "errata": ERRATA}.items():
        (root / "book").mkdir(exist_ok=True)
        (root / "book" / f"{name}.md").write_text(words)
    (root / "conf.py").write_text(CONF)
    (root / "_toc.yml").write_text(TOC)
    (root / "notebooks").mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    study = [new_markdown_cell("# A study"), code("x", drawn("<svg>PLOT</svg>")), new_markdown_cell("**Figure.** So.")]
    for name, cells in (("06_tree", CHAPTER), ("06_study", study)):
        nbformat.write(new_notebook(cells=cells, metadata=kernel), root / "notebooks" / f"{name}.ipynb")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-n", "-b", "html", str(root), str(root / "html")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {p.stem: p.read_text(encoding="utf-8") for p in (root / "html").rglob("*.html")}


@pytest.fixture(scope="module")
def page(pages):
    return pages["06_tree"].partition("<h1>")[2]


def fold(page, kind, with_=""):
    """What is inside the first fold of this class, or inside the one that has some text in it."""
    page = page[page.rindex("<details", 0, page.index(with_)) :] if with_ else page
    found = re.search(rf'<details class="[^"]*{kind}[^"]*"[^>]*>(.*?)</details>', page, re.S)
    assert found, kind
    return found[1]


def test_folds_by_tag(page):
    setup = fold(page, "tot-code")
    assert "SECRET_SETUP" in setup and "set up" not in setup  # what it prints stays open
    drawing = fold(page, "tot-code", "DRAWING")
    assert "DRAWING" in drawing and "TREE" not in drawing
    checked = fold(page, "tot-checked")
    assert "assert" in checked and "same" in checked and 'title="Checked: the beams agree"' in checked
    solution = fold(page, "tot-solution")
    assert "SOLUTION" in solution and "42" in solution
    assert "Show code cell" not in page


def test_what_a_page_imports_first_stands_at_its_end_and_neighbouring_set_ups_are_one(page):
    imports = fold(page.partition("Further reading")[2], "tot-imports")
    assert "FIRST_OF_ALL" in imports and page.count("FIRST_OF_ALL") == 1
    assert (
        page.count('class="tot-mark tot-code"') == 6
    )  # three set-ups, of which one is two cells; two plots; a prediction
    together = fold(page, "tot-code", "ONE_OF_TWO")
    assert "ONE_OF_TWO" in together and "TWO_OF_TWO" in together


def test_all_that_follows_the_guess_opens_with_the_answer(page):
    box, after = page.partition('<div class="tot-predicted">')[2].split("LATER", 1)
    assert box.lstrip().startswith("<h3>Predict: how many?") and "THE ANSWER" in fold(box, "tot-alone")
    answer = fold(box, "tot-alone")
    assert "What is more" in answer and "AND MORE OF IT" in box and "Reveal" in box
    second = after.partition('<div class="tot-predicted">')[2]
    asking, rest = second.split('<details class="tot-discussed"', 1)
    assert "PREDICTING" in fold(asking, "tot-code") and 'type="range"' in asking
    told, later = rest.split("</details>", 1)
    assert "Text of the answer" in told and "leads to a drawing" not in told and "leads to a drawing" in later
    assert page.count('class="tot-predicted"') == 2


def test_captions_are_numbered_and_stand_in_the_figure(page, pages):
    figure = re.search(r'<figure id="figure-6-1".*?</figure>', page, re.S)[0]
    assert "TREE" in figure and "numbers" not in figure
    assert "<figcaption><strong>Figure 6.1.</strong> It <em>grows</em>.</figcaption>" in figure
    table = re.search(r'<figure id="table-6-1".*?</figure>', page, re.S)[0]
    assert "ROWS" in table and "Table 6.1." in table
    assert 'href="#figure-6-1"' in page
    assert "<strong>Figure.</strong> Of nothing" in page  # no output above it: it stays as it was written
    assert "Figure 6b.1." in pages["06_study"]


def test_text_in_columns_is_marked(page):
    marked = re.findall(r'<div class="output stream[^"]*tot-columns[^"]*">(.*?)</pre>', page, re.S)
    assert len(marked) == 1 and "IN  COLUMNS" in marked[0]


def test_notes(page):
    for kind in ("practice", "breaks", "paper"):
        assert len(re.findall(f'<aside class="tot-note tot-note-{kind}( margin)?" role="note">', page)) == 1
    assert page.count("<blockquote>") == 1


def test_an_exercise_is_one_section_with_its_solution(page):
    card = page.partition('<section class="tot-exercise"')[2].partition("Further reading")[0]
    assert "Hint" in card and '<section class="tot-solved"' in card and "SOLUTION" in card
    assert page.count('"tot-exercise"') == page.count('"tot-solved"') == 1


def test_terms_carry_the_sentence_of_the_glossary_once(page):
    tips = re.findall(r'<span class="tot-tip margin-caption" role="tooltip" id="(tip-\d)">(.*?)</span>', page)
    assert [re.sub("<b>.*?</b> ", "", tip).partition(" <a")[0] for _, tip in tips] == [
        "One step towards a solution.", "A search over thoughts.",
    ]  # fmt: skip
    assert '<a href="../book/glossary.html#term-thought">Glossary</a>' in tips[0][1]
    assert page.count('tabindex="0"><strong>') == 2
    assert {name for name, _ in tips} == set(re.findall(r'aria-describedby="(.*?)"', page))


def test_terms_are_found_by_either_of_their_names():
    assert spellings("Tree of Thoughts (ToT)") == ["tree of thoughts", "tree of thoughts", "tot"]
    assert {"eager tools", "lazy tools"} < {*spellings("eager tools, lazy tools")}
    assert "sample thoughts" in spellings("to sample thoughts")


SOURCE = """# %% tags=["set-up"]
import math

# %% tags=["plot"]
math.pi

# %% tags=["predict"]
math.e

# %% tags=["checked"]
assert True

# %%
1
"""


def test_jupyterlab_folds_the_same_cells_and_tags_need_no_run(tmp_path):
    source = tmp_path / "99_small.py"
    (tmp_path / "jupytext.toml").write_text((ROOT / "notebooks" / "jupytext.toml").read_text())
    source.write_text(SOURCE.replace(' tags=["plot"]', ""))
    nb = read(source)
    for number, cell in enumerate(nb.cells, 1):
        cell.execution_count, cell.outputs = number, [new_output("stream", text=f"{number}\n")]
    nbformat.write(nb, source.with_suffix(".ipynb"))

    source.write_text(SOURCE)
    cells = nbformat.read(relabel(source), 4).cells
    assert [cell.metadata.get("jupyter", {}) for cell in cells] == [
        {"source_hidden": True}, {"source_hidden": True}, {"outputs_hidden": True},
        {"source_hidden": True, "outputs_hidden": True}, {},
    ]  # fmt: skip
    assert [cell.outputs[0].text for cell in cells] == [f"{n}\n" for n in range(1, 6)]

    source.write_text(SOURCE.replace("math.e\n", "math.tau\n"))
    with pytest.raises(ValueError, match="code has changed"):
        relabel(source)
