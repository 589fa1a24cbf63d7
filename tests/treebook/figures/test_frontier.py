"""Panels of strategies: what stands on the frontier is named, and nothing stands there that is beaten for its price."""

import pytest

from tot.stats import wilson
from treebook.figures.frontier import frontier


def row(strategy, tokens, hits):
    return {"strategy": strategy, "tokens": tokens, "rate": wilson(hits, 20)}


def named(figure, at=0):
    figure.canvas.draw()
    return {text.get_text(): text.get_fontweight() for text in figure.axes[at].texts}


ROWS = [row("plain", 100, 8), row("plain", 1000, 10), row("cheap", 98, 3), row("dear", 990, 15), row("lost", 900, 5)]


def test_the_frontier_and_the_plain_one_are_named_in_bold_and_a_point_that_is_beaten_for_nearly_its_price_is_not():
    figure = frontier({"one": ROWS, "two": ROWS[:3]}, plain="plain", slack=1.05)
    bold = {name for name, weight in named(figure).items() if weight == "bold"}
    assert bold == {"plain", "dear"} and [ax.get_title(loc="left") for ax in figure.axes] == ["one", "two"]
    strict = frontier({"one": ROWS}, plain="plain")
    assert named(strict)["cheap"] == "bold" and "lost" not in named(strict)


def test_no_panels_are_refused():
    with pytest.raises(ValueError, match="panel"):
        frontier({}, plain="plain")
