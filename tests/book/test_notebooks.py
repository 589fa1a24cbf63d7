"""Cheap checks of the stored notebooks. No kernel is started here: nbval executes them and compares the outputs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest

from tools.refresh import refresh
from tools.run import WORDS
from tools.stored import cited, for_viewers, papers, read, uncited

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)


def cells(nb):
    return [(c.cell_type, c.source.rstrip(), tuple(c.metadata.get("tags", ())), alt(c)) for c in nb.cells]


def alt(cell):
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt")


@each
def test_text_pair_is_in_step(path):
    # not `jupytext --sync`: a clone has arbitrary times, and the newer file wins silently
    text = jupytext.read(path.with_suffix(".py"))
    assert cells(read(path)) == cells(text), f"edit {path.stem}.py and run: make notebooks ONLY={path.stem}"


@each
def test_outside_of_the_book_there_are_images_and_links_and_inside_what_they_were_made_from(path):
    """Whoever does not trust a notebook takes drawings out of its outputs and leaves their words."""
    stored = nbformat.read(path, 4)
    in_book = read(path)
    assert for_viewers(in_book) == stored
    pages = [o.get("data", {}) for cell in stored.cells for o in cell.get("outputs", [])]
    assert not any("<svg" in data.get("text/html", "") or "image/svg+xml" in data for data in pages)
    assert "{cite" not in "".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")
    for tag in re.findall(r"<img[^>]*>", "".join(data.get("text/html", "") for data in pages)):
        assert re.search(r' alt="[^"]*\w', tag), tag[:200]


def test_a_citation_reads_well_and_comes_back():
    two, dstar = "{cite}`hart1968formal,newell1972human`", "{cite:t}`stentz1994optimal`"
    text = f"A tree {{cite}}`yao2023tree` (see 2023), two {two}, and {dstar}."
    tree, star = "[Yao et al. 2023](https://arxiv.org/abs/2305.10601)", "https://doi.org/10.1109/TSSC.1968.300136"
    dstar = "[Stentz (1994)](https://doi.org/10.1109/ROBOT.1994.351061)"
    elsewhere = f"A tree ({tree}) (see 2023), two ([Hart et al. 1968]({star}); Newell and Simon 1972), and {dstar}."
    assert cited(text) == elsewhere and uncited(elsewhere) == text
    assert len({*papers().values()}) == len(papers())


@each
def test_a_chapter_needs_what_is_installed_and_results_that_lie_beside_it(path):
    text = path.with_suffix(".py").read_text(encoding="utf-8")
    assert "sys.path" not in text and not re.search(r"^\s*(?:from|import) (?:studies|tools|tests)\b", text, re.M)


def test_every_notebook_has_both_halves_and_every_chapter_a_number():
    assert {p.stem for p in NOTEBOOKS} == {p.stem for p in FOLDER.glob("*.py")}
    # what has no number is an appendix or a study, and stands with the appendices (see tools/lint_chapters.py)
    numberless = [p.name for p in NOTEBOOKS if not re.fullmatch(r"\d\d_\w+\.ipynb", p.name)]
    assert [name for name in numberless if not re.fullmatch(r"(gallery|forward_pass|study_)\w*\.ipynb", name)] == []


@each
def test_notebook_was_executed_in_order_and_is_clean(path):
    assert path.read_bytes().isascii(), "jupyter execute reads it in the system's own charset: run make notebooks"
    nb = nbformat.read(path, 4)
    nbformat.validate(nb)
    code = [c for c in nb.cells if c.cell_type == "code" and c.source.strip()]
    # nbval passes without comparing anything when outputs and counts are both stripped
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert "execution" not in cell.metadata, "timings: run make notebooks"
        assert not cell.source.rstrip().endswith(";"), "nbval runs without history, so ';' hides nothing"
        for output in cell.outputs:
            assert output.output_type != "error" or "raises-exception" in cell.metadata.get("tags", ())
    explorers = json.dumps(nb).count("data-tot-once")  # each brings its script, which the page keeps once
    assert path.stat().st_size < 520_000 + 30_000 * explorers  # a drawn guess has its axes twice, a tree its phone


@pytest.mark.slow
def test_a_notebook_in_which_somebody_has_worked_is_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tools.refresh.CHANGED", tmp_path / "changed")
    (source := tmp_path / "98_small.py").write_text("# %% [markdown]\n# Small.\n\n# %%\n1 + 1\n")
    target = refresh(source)
    source.write_text(source.read_text() + "\n# %%\n2 + 2\n")
    refresh(source)
    assert not (tmp_path / "changed").exists() and capsys.readouterr().out == ""
    for number in range(2):
        mine = nbformat.read(target, 4)
        mine.cells.append(nbformat.v4.new_markdown_cell(f"My notes {number}"))
        nbformat.write(mine, target)
        refresh(source)
        assert "is kept as" in capsys.readouterr().out and "My notes" not in target.read_text()
    assert sorted(path.name for path in (tmp_path / "changed").iterdir()) == ["98_small-1.ipynb", "98_small.ipynb"]


def test_refresh_is_repeatable_and_a_changed_output_is_noticed(tmp_path):
    source = tmp_path / "99_small.py"
    source.write_text(
        '# %%\nfrom treebook.nbsetup import setup\nsetup()\n\n# %% mystnb={"image": {"alt": "a line"}}\n'
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('drawn')\n\n"
        '# %% tags=["hide-cell"]\n1 + 1\n'
    )
    (tmp_path / "jupytext.toml").write_text((FOLDER / "jupytext.toml").read_text())
    stored = [refresh(source).read_bytes() for _ in range(2)]
    assert stored[0] == stored[1]
    setup, figure, solution = nbformat.reads(stored[0].decode(), 4).cells
    assert setup.outputs == []
    assert [list(o.get("data", {"stdout": 0})) for o in figure.outputs] == [["text/html", "text/plain"], ["stdout"]]
    assert re.search(r'<img [^>]*alt="Plot: [^>]* src="data:image/svg', figure.outputs[0].data["text/html"])
    assert alt(figure) == "a line"
    assert solution.metadata.jupyter.source_hidden and solution.outputs[0].data["text/plain"] == "2"

    notebook = source.with_suffix(".ipynb")
    notebook.write_bytes(stored[0].replace(b'"2"', b'"3"'))
    options = WORDS["NBVAL"].split()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(notebook)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "1 failed, 2 passed" in done.stdout, done.stdout
