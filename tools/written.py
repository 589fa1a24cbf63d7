"""Pages of the book that are written from data: words in a template of Jinja beside the program, numbers from it."""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def page_of(template: str, **data: Any) -> str:
    """The page; a paragraph of the template becomes one line."""
    make = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    blocks = re.split(r"\n{2,}", make.get_template(template).render(data).strip())
    return "\n\n".join(map(_block, blocks)) + "\n"


def _block(text: str) -> str:
    if text.startswith(("|", "    ")):
        return text
    return re.sub(r"\n +", " ", text) if text.startswith("- ") else " ".join(text.split())
