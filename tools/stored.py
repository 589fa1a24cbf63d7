"""Notebooks as they are stored, so that they read well outside of the book, and as the book reads them.

In the stored half a citation is a link to the paper, and a picture is an image (``treebook.figures.stored``). In the
text half, and in what the book is made from, they are what they were: ``{cite}`` and a drawing.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
from nbformat import NotebookNode

from treebook.figures.stored import restored, stored

PAPERS = Path(__file__).parents[1] / "book" / "references.bib"


ROLE = re.compile(r"\{(cite|cite:t)\}`([\w,]+)`")
LINK = r"(?:\[[^\]]+\]\([^()\s]+\)|[^()\[\]\n;]+ \d{4})"  # of one paper
# "([A 2001](...); [B 2002](...))"
CITED = re.compile(rf"\(({LINK}(?:; {LINK})*)\)")


@cache
def papers() -> dict[tuple[str, str], str]:
    """How the papers read elsewhere, by ("cite", key): "[Yao et al. 2023](https://...)"; for "cite:t", in a sentence,
    the year is in brackets. Without an address there is no link.
    """
    from pybtex.database import parse_file

    found = {}
    for key, entry in parse_file(str(PAPERS)).entries.items():
        names = [" ".join(map(str, person.rich_last_names)) for person in entry.persons["author"]]
        who = " and ".join(names) if len(names) < 3 and names[-1] != "others" else f"{names[0]} et al."
        fields, year = entry.fields, entry.fields["year"]
        at = {"eprint": "https://arxiv.org/abs/", "doi": "https://doi.org/", "url": ""}
        address = next((start + quote(fields[name], safe=":/?=#&") for name, start in at.items() if name in fields), "")
        for role, text in (("cite", f"{who} {year}"), ("cite:t", f"{who} ({year})")):
            found[role, key] = f"[{text}]({address})" if address else text
    return found


def cited(text: str) -> str:
    """Text with links in the place of citations."""

    def one(found: re.Match[str]) -> str:
        links = "; ".join(papers()[found[1], key] for key in found[2].split(","))
        return f"({links})" if found[1] == "cite" else links

    return ROLE.sub(one, text)


def uncited(text: str) -> str:
    """The text that ``cited`` was given."""
    roles = {link: key for (role, key), link in papers().items() if role == "cite"}

    def one(found: re.Match[str]) -> str:
        links = found[1].split("; ")
        return f"{{cite}}`{','.join(roles[link] for link in links)}`" if {*links} <= {*roles} else found[0]

    for (role, key), link in papers().items():
        if role == "cite:t":
            text = text.replace(link, f"{{{role}}}`{key}`")
    return CITED.sub(one, text)


def for_viewers(notebook: NotebookNode) -> NotebookNode:
    """A copy with links and images in the place of citations and drawings."""
    return _changed(deepcopy(notebook), cited, stored)


def as_in_book(notebook: NotebookNode) -> NotebookNode:
    """The notebook as the book reads it; changed in place."""
    return _changed(notebook, uncited, restored)


def _changed(notebook: NotebookNode, text: Callable[[str], str], output: Callable[..., Any]) -> NotebookNode:
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = text(cell.source)
        for each in cell.get("outputs", []):
            if "data" in each:
                each.data = NotebookNode(output(each.data))
    return notebook


def read(path: Path) -> NotebookNode:
    """A stored notebook, as the book reads it."""
    return as_in_book(nbformat.read(path, 4))
