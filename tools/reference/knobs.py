"""The page of the methods, from what they declare of their knobs."""

import tot

from .chapters import rows_of_method
from .markup import code, links, plain, table, title
from .names import Missing
from .package import papers

INTRODUCTION = """Every method of ``tot.METHODS``, and what can be set. A knob is a keyword of ``tot.solve`` (``breadth=5``) and an
option of ``tot solve`` and ``tot run`` (``--breadth 5``; an underscore becomes a hyphen; a yes-or-no knob has a form
with ``--no-`` as well).
"""
GOLD = {"chooses": "it chooses the answer: an upper bound", "stops": "it ends the search"}


def knobs_page() -> str:
    """Raises Missing for a knob without a sentence."""
    parts = [title("The methods and their knobs"), INTRODUCTION]
    if bad := [f"{m.name}: {knob.name}" for m in tot.METHODS.values() for knob in m.knobs() if not knob.doc.strip()]:
        raise Missing(f"write a sentence for the knob {', '.join(bad)}")
    for method in tot.METHODS.values():
        parts += [f".. _method-{method.name}:\n", title(method.name, "-"), f"{plain(method.summary)}.\n"]
        facts = [f":Recipe: :py:class:`{method.recipe.__module__}.{method.recipe.__name__}`"]
        facts += [f":Gold answer: {GOLD[method.gold]}"] if method.gold else []
        facts += [f":Tasks: {', '.join(code(name) for name in tot.TASKS if isinstance(tot.task(name), method.needs))}"]
        facts += [f":Roles: {', '.join(method.roles)}"]
        facts += [f":In the papers: {paper}" for paper in papers(rows_of_method(method.name))]
        chapters = list(dict.fromkeys(place for row in rows_of_method(method.name) for place in row.places))
        facts += [f":Built in: {links(chapters)}"] if chapters else []
        rows = [
            (code(knob.name), knob.kind, code(repr(knob.default)), plain(knob.range), ", ".join(map(code, knob.choices)), plain(knob.doc))
            for knob in method.knobs()
        ]
        parts += ["\n".join(facts) + "\n", table(("knob", "type", "default", "values", "choices", "what it does"), rows, (14, 10, 12, 12, 14, 38))]
    return "\n".join(parts)
