"""Build notebooks from their text pairs and execute them, leaving no noise in the files.

    python -m tools.refresh notebooks/*.py
    python -m tools.refresh --metadata-only notebooks/*.py      # tags, alt text and Markdown; no cell is executed

NN_name.py is the source. NN_name.ipynb is written anew: the same cells, the outputs of a fresh kernel, no timings, and
cell ids that depend on place and text only, so that running twice gives the same bytes. One in which somebody has
worked is kept in ``_build/changed``.
"""

import argparse
import hashlib
from itertools import count
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tools.stored import as_in_book, for_viewers

CHANGED = Path(__file__).parents[1] / "_build" / "changed"
# What JupyterLab folds, for each tag by which the book folds (tools/pages/folding.py).
SOURCE, OUTPUTS = {"source_hidden": True}, {"outputs_hidden": True}
FOLDED = {
    "hide-cell": SOURCE | OUTPUTS,
    "checked": SOURCE | OUTPUTS,
    "remove-input": SOURCE,
    "set-up": SOURCE,
    "plot": SOURCE,
    "predict": OUTPUTS,
}


def read(source: Path) -> NotebookNode:
    """The cells of the text half, each with its id and with what JupyterLab folds of it."""
    nb = jupytext.read(source)
    nb.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    for number, cell in enumerate(nb.cells):
        cell.id = _id(number, cell)
        hidden = {key: True for tag in cell.metadata.get("tags", []) for key in FOLDED.get(tag, {})}
        if hidden:
            cell.metadata["jupyter"] = hidden
    return nb


def relabel(source: Path) -> Path:
    """Text and metadata of the source, with the outputs that are stored. Raises ValueError if code has changed."""
    nb, stored = read(source), nbformat.read(source.with_suffix(".ipynb"), 4)
    old, new = ([c for c in book.cells if c.cell_type == "code"] for book in (stored, nb))
    if [c.source.rstrip() for c in old] != [c.source.rstrip() for c in new]:
        raise ValueError(f"{source}: code has changed, so its outputs may have: refresh it without --metadata-only")
    for before, cell in zip(old, new, strict=True):
        cell.outputs, cell.execution_count = before.outputs, before.execution_count
    return write(nb, source)


def refresh(source: Path, timeout: int = 120) -> Path:
    nb = read(source)
    NotebookClient(
        nb,
        timeout=timeout,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # else one print may be stored in pieces, and the book puts a line end between them
        store_widget_state=True,  # nbclient 0.11 crashes on interact() without it; the state is dropped below
        resources={"metadata": {"path": str(source.parent)}},
    ).execute()
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            output.pop("transient", None)
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)  # has a random id
    return write(nb, source)


def write(nb: NotebookNode, source: Path) -> Path:
    nb.metadata = {"kernelspec": nb.metadata["kernelspec"], "language_info": {"name": "python"}}
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb = for_viewers(nb)
    nbformat.validate(nb)
    target = source.with_suffix(".ipynb")
    if target.exists() and worked_in(target):
        beside = (CHANGED / f"{target.stem}{f'-{i}' * bool(i)}.ipynb" for i in count())
        CHANGED.mkdir(parents=True, exist_ok=True)
        target.rename(kept := next(path for path in beside if not path.exists()))
        print(f"{target} was changed since it was written, and is kept as {kept}")
    nbformat.write(nb, target, ensure_ascii=True)  # so that no program can read it in another charset
    return target


def worked_in(path: Path) -> bool:
    """Whether a stored notebook has cells that were not written here, by their ids."""
    try:
        cells = as_in_book(nbformat.read(path, 4)).cells
    except Exception:  # as an editor may leave it
        return True
    return any(cell.get("id") != _id(number, cell) for number, cell in enumerate(cells))


def _id(number: int, cell: NotebookNode) -> str:
    return f"c{number:02d}-{hashlib.sha1(cell.source.encode()).hexdigest()[:6]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="+", type=Path)
    parser.add_argument("--timeout", type=int, default=120, help="seconds a cell may take")
    parser.add_argument("--metadata-only", action="store_true", help="keep the outputs: text and tags changed, no code")
    args = parser.parse_args()
    for source in args.source:
        if source.suffix != ".py" or not source.exists():
            parser.error(f"{source} is not the text half of a chapter: name notebooks/NN_name.py files")
        if args.metadata_only:
            try:
                target = relabel(source)
            except ValueError as error:
                parser.error(str(error))
        else:
            target = refresh(source, args.timeout)
        print(f"{'relabelled' if args.metadata_only else 'executed'} {target} ({target.stat().st_size / 1024:.0f} kB)")


if __name__ == "__main__":
    main()
