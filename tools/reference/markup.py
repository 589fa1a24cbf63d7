"""reStructuredText: the pieces that the pages of the reference are made of."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.written import template

from .chapters import Place


def title(text: str, mark: str = "=") -> str:
    return f"{text}\n{mark * len(text)}\n"


def indented(text: str, by: int = 3) -> str:
    return "\n".join(f"{' ' * by}{line}".rstrip() for line in text.splitlines())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A list table whose cells may hold markup; empty cells are allowed. It scrolls in its own box on a phone."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: tot-reference", ""]
    for row in (head, *rows):
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}".rstrip() for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def facts(about: Sequence[str]) -> str:
    """What there is to say beside a docstring, as one paragraph in small type."""
    return f".. rst-class:: tot-facts\n\n{' · '.join(about)}\n"


def code(text: str) -> str:
    return f"``{text}``" if text else ""


def plain(text: str) -> str:
    """Text of a help string or a comment, in which `x`, ``x`` and --flags are code and nothing else is markup."""
    parts = re.split(r"(``[^`]+``|`[^`]+`|(?<!\S)--[\w-]+)", " ".join(text.split()))
    return "".join(code(part.strip("`")) if part[:1] in ("`", "-") else escaped(part) for part in parts)


def escaped(text: str) -> str:
    return re.sub(r"([\\*_|])", r"\\\1", text)


def from_markdown(text: str) -> str:
    """A cell of book/paper_to_code.md: math and code stay what they are, of a link only its words remain."""
    text = re.sub(r" ?\(\[[^\]]+\]\([^)]+\)\)", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    parts = re.split(r"(\$[^$]+\$|`[^`]+`)", text)
    return "".join(
        f":math:`{part[1:-1]}`\\ " if part.startswith("$") else code(part.strip("`")) if part.startswith("`") else part
        for part in parts
    ).strip()


def sentence(text: str) -> str:
    """A comment or a help text as a sentence; a name at its beginning stays as it is."""
    first = text.split(maxsplit=1)[0] if text else ""
    text = text[:1].upper() + text[1:] if len(first) > 1 and first.strip(",").isalpha() else text
    return plain(text) + ("" if text.endswith((".", ":", "?")) else ".")


def links(chapters: Iterable[Place]) -> str:
    """ "chapters 3; 6, part two", each a link."""
    listed = [f":doc:`{place.label} </notebooks/{place.notebook}>`" for place in chapters]
    return f"chapter{'s' if len(listed) > 1 else ''} {'; '.join(listed)}"


def first_sentence(text: str) -> str:
    """The first sentence of a docstring or a comment."""
    return re.split(r"(?<=\.)\s(?=[A-Z`])", " ".join(text.split("\n\n")[0].split()))[0].rstrip(":")


def page(name: str, **data: Any) -> str:
    """A page of the reference by its template, which has these pieces, too."""
    pieces = {each.__name__: each for each in (title, indented, table, facts, plain, sentence)}
    return template(Path(__file__).with_name(f"{name}.rst.jinja")).render(pieces | data)
