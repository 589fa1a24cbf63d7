"""The cells of the results file as rows for ``show.winners``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SHORT = {"best-first": "best", "next price": "next", "eager A*": "eager", "plan once": "once", "D* Lite": "D*"}


def tiles(figures: Mapping[str, Any], part: str, panel: str, *, together: bool = False) -> Iterator[dict[str, Any]]:
    """The cells of one part, failures one by one or ``together``; where nothing fails the two are one.

    ``panel``: what stands above the panel of some prices, such as "trees, {}". A label is the winner and how many times
    as much the second pays, or else those who are left.
    """
    for cell in figures["cells"]:
        if cell["part"] == part and (cell["together"] == together or not cell["rate"]):
            left = [SHORT.get(who, who) for who in cell["left"]]
            label = "all" if len(left) == len(cell["agents"]) else "\n".join(left)
            if cell["winner"]:
                label = f"{left[0]}\n×{cell['ahead'][0]:.2f}"
            yield cell | {"panel": panel.format(cell["prices"]), "label": label, "rate": f"{cell['rate']:.0%}"}
