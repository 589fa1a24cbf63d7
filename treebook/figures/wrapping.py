"""Text that somebody wrote, broken into lines that fit a page."""

import textwrap

from tot.show.escaping import clean

COLUMNS = 72  # what a code cell and its output show on a laptop without scrolling


def wrapped(text: object, indent: str = "  ") -> str:
    """``text``, cleaned and without empty lines around it, for ``print``: a line of more than 72 characters is broken
    at spaces; only a word that is longer stands alone beyond it.

    What is left of a broken line begins with ``indent``, after the blanks that the line itself began with: lists stay
    lists.
    """
    lines = []
    for line in clean(text).strip("\n").rstrip().splitlines():
        margin = line[: len(line) - len(line.lstrip())] + indent
        lines.append(
            textwrap.fill(line, COLUMNS, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
        )
    return "\n".join(lines)
