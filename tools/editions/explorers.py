"""An explorer's tree as a picture, drawn from the data that the explorer carries in its page."""

import json
from typing import Any

from bs4 import Tag

from tot.show.escaping import escape
from tot.show.tree import Item, Picture
from tot.trace import Trace
from treebook.figures.drawing import draw
from treebook.figures.layout import lay_out

FIELDS = {"status", "value", "visits", "mean", "g", "f", "why", "cost", "failed", "verdict"}


def drawing(explorer: Tag) -> str:
    """The finished tree, as ``treebook.show.svg`` draws it from the trace; with the explorer's own words about it."""
    script = explorer.find("script", type="application/json")
    assert isinstance(script, Tag), "an explorer without data"
    data = json.loads(script.string or "")
    seen = finished(data)
    made = draw(seen, lay_out(seen, max_dropped=2, max_children=12, lines=2, chars=20, title=True))
    return made.replace(escape(made.about), escape(data["start"]["about"]))


def finished(data: dict[str, Any]) -> Picture:
    """The picture at the last step of what ``treebook.show.explorer`` packs."""
    columns, *rows = data["nodes"]
    texts, items, names = data["texts"], {}, []
    for number, row in enumerate(rows):
        node = dict(zip(columns, row, strict=False))
        above = items[names[node["parent"]]] if node["parent"] >= 0 else None
        names.append(str(number))
        item = Item(str(number), above.id if above else None, texts[node["thought"]], above.depth + 1 if above else 0)
        item.answer, item.final, item.prior = node.get("answer"), bool(node.get("final")), node.get("prior")
        items[item.id] = item
        if above:
            above.children.append(item.id)
    columns, *rows = data["steps"]
    for row in rows:
        for field, value, *nodes in dict(zip(columns, row, strict=False)).get("set") or ():
            name = data["fields"][field]
            for number in nodes if name in FIELDS else ():
                setattr(items[str(number)], name, value)
    best = [str(number) for number in data["best"].get(str(len(rows) - 1), ())]
    at = best[0] if best else None
    if at is not None:
        items[at].end = True
    while at is not None:
        items[at].chosen = True
        at = items[at].parent
    what, how, outcome = data["caption"]
    told = Trace({"problem": what, "method": how, "lm": outcome})  # its caption is made of these, in this order
    return Picture(told, items, names[0], best, False, data["mark"])
