"""What a thought is called where readers meet it: by its own words, and not by an id such as "0.0.1".

The explorer's script makes the same short line of a thought (``Story.label``); a test holds one against the other.
"""

from collections import Counter
from typing import Any

from tot.show.escaping import line
from tot.show.tree import Picture, Traced, picture, refusing_damage

MOST, PART = 60, 28  # characters of a name, and of each part of one that is a way, at most
LEVELS = 3  # of a way: of a longer one, the first and the last are given
PROBLEM = "the problem"


@refusing_damage
def names(source: Traced | Picture, most: int = MOST) -> dict[str, str]:
    """Id -> name, for every node of a search; no two are the same.

    A node's name is its thought (of a thought that ends in an action, the action), cut after ``most`` characters. Where
    several have the same, it is the way to the node, "4 * 4 = 16 › 16 - 2 = 14", and each part of it is cut; and if
    that does not help, numbers tell them apart.
    """
    seen = source if isinstance(source, Picture) else picture(source)
    short = {id: label(item.thought, most) for id, item in seen.items.items()}
    often = Counter(text for id, text in short.items() if id != seen.root)
    found: dict[str, str] = {seen.root: PROBLEM}
    taken = Counter([PROBLEM])
    for id in seen.items:
        if id == seen.root:
            continue
        name = short[id]
        if often[name] > 1 or name == PROBLEM:
            way = [id]
            while (above := seen.items[way[-1]].parent) is not None and above != seen.root:
                way.append(above)
            parts = [shortened(short[one]) for one in (way if len(way) <= LEVELS else (way[0], way[-1]))]
            name = (" › " if len(way) <= LEVELS else " › … › ").join(reversed(parts))
        taken[name] += 1
        found[id] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return found


def label(thought: Any, most: int = MOST) -> str:
    """A thought as one short line; only its action, if it ends in one. At most ``most`` characters."""
    text = str(thought)
    return shortened(line(text.rpartition("Action: ")[2]) or line(text) or "(empty)", most)


def shortened(text: str, most: int = PART) -> str:
    """At most ``most`` characters of a text."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
