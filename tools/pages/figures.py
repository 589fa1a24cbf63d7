"""Pictures in the pages: what a reader who cannot see them is told."""

import html
import re
from pathlib import Path
from typing import Any

from docutils import nodes


def alt_from_svg(app, doctree, docname):
    """A cell's SVG becomes <img src=...>, whose inside screen readers do not see: its <title> becomes the alt text."""
    for image in doctree.findall(nodes.image):
        uri = image["uri"]
        if uri.endswith(".svg") and not image.get("alt"):
            file = Path(uri) if Path(uri).is_absolute() else Path(app.srcdir, uri)
            title = re.search(r"<title[^>]*>\s*([^<]+?)\s*</title>", file.read_text(encoding="utf-8"))
            if title:
                image["alt"] = html.unescape(title.group(1))


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-resolved", alt_from_svg)
    return {"parallel_read_safe": True}
