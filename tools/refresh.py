"""Build notebooks from their text pairs and execute them, leaving no noise in the files.

    python tools/refresh.py notebooks/*.py

NN_name.py is the source. NN_name.ipynb is written anew: the same cells, the outputs of a fresh kernel, no timings, and
cell ids that depend on place and text only, so that running twice gives the same bytes.
"""

import argparse
import hashlib
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient


def refresh(source: Path, timeout: int = 120) -> Path:
    nb = jupytext.read(source)
    nb.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    for number, cell in enumerate(nb.cells):
        cell.id = f"c{number:02d}-{hashlib.sha1(cell.source.encode()).hexdigest()[:6]}"
        tags = cell.metadata.get("tags", [])  # the book folds by tag, JupyterLab by this
        if "hide-cell" in tags:
            cell.metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
        elif "remove-input" in tags:
            cell.metadata["jupyter"] = {"source_hidden": True}
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
    nb.metadata = {"kernelspec": nb.metadata["kernelspec"], "language_info": {"name": "python"}}
    nb.nbformat, nb.nbformat_minor = 4, 5
    nbformat.validate(nb)
    target = source.with_suffix(".ipynb")
    nbformat.write(nb, target)
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="+", type=Path)
    parser.add_argument("--timeout", type=int, default=120, help="seconds a cell may take")
    args = parser.parse_args()
    for source in args.source:
        if source.suffix != ".py" or not source.exists():
            parser.error(f"{source} is not the text half of a chapter: name notebooks/NN_name.py files")
        target = refresh(source, args.timeout)
        print(f"executed {target} ({target.stat().st_size / 1024:.0f} kB)")


if __name__ == "__main__":
    main()
