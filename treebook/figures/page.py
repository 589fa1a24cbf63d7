"""HTML that notebooks show, and that can be saved as a page."""

from __future__ import annotations

import re
from pathlib import Path

from tot.show.escaping import escape


class HTML(str):
    """HTML text that notebooks show as a page. ``about``: the page in words."""

    about: str

    def __new__(cls, text: str, about: str = "") -> HTML:
        self = super().__new__(cls, text)
        self.about = about
        return self

    def save(self, path: str | Path) -> None:
        """Write a whole document that opens in a browser. Raises OSError where that is not possible."""
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        head += f"<title>{escape(self.about[:200])}</title>"
        page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{self}\n</body></html>\n'
        Path(path).write_text(page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<HTML: {self.about}>"


def as_written(page: str) -> str:
    """HTML whose words stay as they are: in JupyterLab, "$4 each, of $10" would become a formula, and in a drawing
    nothing. Its first element tells MathJax so, where its text has what begins a formula.
    """
    text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    marked = re.search(r"[$\\]", text)
    return re.sub('class="[^"]*', r"\g<0> tex2jax_ignore mathjax_ignore", page, count=1) if marked else page
