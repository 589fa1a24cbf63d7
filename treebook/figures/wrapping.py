"""Text that somebody wrote, broken into lines that fit a page."""

import textwrap

from tot.show.escaping import clean

COLUMNS = 72  # what a code cell and its output show on a laptop without scrolling


def wrapped(text: object, columns: int = COLUMNS, indent: str = "  ") -> str:
    """``text``, cleaned and without empty lines around it, for ``print``: each line is broken at spaces where it is too
    long.

    ``columns``: the most characters of a line; only a word that is longer stands alone beyond it. What is left of a
    broken line begins with ``indent``, after the blanks that the line itself began with, so that lists stay lists.
    """
    return "\n".join(_broken(one, columns, indent) for one in clean(text).strip("\n").rstrip().splitlines())


def _broken(line: str, columns: int, indent: str) -> str:
    margin = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=margin + indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
