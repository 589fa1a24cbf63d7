"""The book is made from notebooks as they were before they were stored for other viewers (``tools.stored``)."""

from typing import Any

import nbformat

from tools.stored import as_in_book


def read(app: Any, page: str, source: list[str]) -> None:
    if str(app.env.doc2path(page)).endswith(".ipynb"):
        source[0] = nbformat.writes(as_in_book(nbformat.reads(source[0], 4)))


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", read)
    return {"parallel_read_safe": True}
