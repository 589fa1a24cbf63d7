"""The explorer of a search that still runs: a page, and then what it has to be told as the search goes on."""

from typing import Any

from tot.show.escaping import clean
from tot.show.page import HTML
from tot.show.tree import Traced, picture, refusing_damage, summary

from .data import view
from .page import GROWING, LIMITS, SMALL, _frame, _json, _packed, _text, _within

HEIGHT = 420  # of the tree's window, at most, in CSS pixels
SIZE = 1_000_000  # bytes of the data at the end, about


def growing(trace: Traced) -> HTML:
    """The explorer of what has happened so far. Its element has ``totExplorer.grow(data)``, for ``grown``.

    Raises ValueError for a trace without nodes.
    """
    data = grown(trace)
    before, after = _frame(picture(trace), GROWING)
    return HTML(f'{before}<script type="application/json">{_json(data)}</script>\n{after}', data["start"]["about"])


@refusing_damage
def grown(trace: Traced, *, ended: bool = False) -> dict[str, Any]:
    """The search so far as the data of its page. Until it has ``ended`` there is no last step that says so.

    ``text``: the tree as text. The rest is as in ``view``, packed as in any explorer's page.
    """
    seen = picture(trace)
    if ended:
        data, notice = _within(trace, SIZE)
    else:
        plain, notice = view(trace, limit=LIMITS[1]), ""
        plain["steps"].pop()
        plain["best"].pop(len(plain["steps"]), None)
        data = _packed(plain)
    start = {"folded": len(seen.items) > SMALL, "height": HEIGHT, "about": clean(summary(seen)), "ended": ended}
    start["step"] = len(data["steps"]) - 2  # below the columns
    return {"start": start, **data, "notice": notice, "text": clean(_text(seen))}
