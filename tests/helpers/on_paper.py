"""What a chapter says, to be looked for on paper; and what a browser would cut at the edge of the paper."""

import re
import unicodedata

from tools.stored import read

# What stands out at the right of the text, or is wider than its box and cut by it.
CUT = """() => [...document.querySelectorAll(".bd-article :is(pre, table, p, figure, summary)")].filter(e => {
  const box = e.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth)
}).map(e => e.tagName + ": " + e.textContent.trim().slice(0, 60))"""


def bare(text):
    """Without white space: lines wrap on paper. Ligatures are taken apart."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", re.sub(r"\x1b\[[\d;]*m", "", text)))


def printed(path):
    """(cell, line) of all code of a chapter that its page shows, and of all text that it printed."""
    for number, cell in enumerate(read(path).cells):
        tags = cell.metadata.get("tags", [])
        if cell.cell_type != "code":
            continue
        texts = [] if "remove-input" in tags else [cell.source]
        for output in [] if "remove-output" in tags else cell.outputs:
            data = output.get("data", {})
            only_text = not {"text/html", "image/png", "image/svg+xml", "text/markdown"} & data.keys()
            texts.append(output.get("text", data.get("text/plain", "") if only_text else ""))
        yield from ((number, line) for text in texts for line in text.splitlines() if line.strip())
