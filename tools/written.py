"""Texts that are written from data: the words in a template of Jinja beside the program, the numbers from it."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template


@cache
def template(file: Path, html: bool = False) -> Template:
    """The template in a file. ``html``: what is filled in is text, and is escaped."""
    options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined, "autoescape": html}
    return Environment(loader=FileSystemLoader(file.parent), **options).get_template(file.name)


def page_of(name: str, **data: Any) -> str:
    """A page of the book, in Markdown; a paragraph of the template becomes one line."""
    blocks = re.split(r"\n{2,}", template(Path(__file__).with_name(name)).render(data).strip())
    return "\n\n".join(map(_block, blocks)) + "\n"


def _block(text: str) -> str:
    if text.startswith(("|", "    ")):
        return text
    return re.sub(r"\n +", " ", text) if text.startswith("- ") else " ".join(text.split())
