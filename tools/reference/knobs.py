"""The page of the methods, from what they declare of their knobs."""

import tot
from tot.methods import Knob, Method
from tot.methods.base import COMMON

from .chapters import rows_of, rows_of_method
from .markup import code, links, page, plain, table
from .names import Missing
from .package import in_papers

CHECK = "the task's free check ends the search"
VALUES = {"bool": "True or False", "str": "any text", "text": "any text, or None"}


def knobs_page() -> str:
    """Raises Missing for a knob without a sentence."""
    unsaid = [
        f"{each.name}: {knob.name}" for each in tot.METHODS.values() for knob in each.knobs() if not knob.doc.strip()
    ]
    if unsaid:
        raise Missing(f"write a sentence for the knob {', '.join(unsaid)}")
    common = [knob for knob in tot.METHODS["io"].knobs() if knob.name in COMMON]
    return page(
        "knobs", common=common, methods=tot.METHODS.values(), listed=listed, about=about, works_on=works_on, own=own
    )


def listed(knobs: list[Knob]) -> str:
    rows = [(code(knob.name), knob.kind, default(knob), values(knob), plain(knob.doc)) for knob in knobs]
    return table(("knob", "type", "default", "values", "what it does"), rows)


def own(method: Method) -> list[Knob]:
    return [knob for knob in method.knobs() if knob.name not in COMMON]


def about(method: Method) -> list[str]:
    """Its recipe, whom it asks, where papers and chapters have it."""
    rows = [*rows_of(method.recipe), *rows_of_method(method.name)]
    chapters = list(dict.fromkeys(place for row in rows for place in row.places))
    said = [f"recipe :py:class:`{method.recipe.__name__} <{method.recipe.__module__}.{method.recipe.__name__}>`"]
    said += [f"asks {', '.join(method.roles)}", *([CHECK] if method.check else []), *in_papers(rows)]
    return said + ([f"built in {links(chapters)}"] if chapters else [])


def works_on(method: Method) -> list[str]:
    return [code(name) for name, task in TASKS.items() if not method.missing(task)]


TASKS = {name: tot.task(name) for name in tot.TASKS}


def default(knob: Knob) -> str:
    """The default, and that of the paper's style where it is another."""
    usual = code(repr(knob.default))
    return usual if knob.paper is None else f"{usual}; in the paper's style {code(repr(knob.paper))}"


def values(knob: Knob) -> str:
    """Which values it takes: its choices, its bounds, or those of its type."""
    if knob.choices:
        return ", ".join(code(choice or '""') for choice in knob.choices)
    if knob.kind in VALUES:
        return VALUES[knob.kind]
    low, high = (None if bound is None else f"{bound:g}" for bound in (knob.least, knob.most))
    if low is None:
        return "any" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"
