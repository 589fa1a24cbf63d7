"""The page of the methods, from what they declare of their knobs."""

import tot
from tot.methods import Knob, Method
from tot.methods.base import COMMON

from .chapters import rows_of, rows_of_method
from .markup import code, facts, links, plain, table, title
from .names import Missing
from .package import in_papers

INTRODUCTION = """Every method of ``tot.METHODS``, and what can be set. A knob is a keyword of ``tot.solve``
(``breadth=5``) and an option of ``tot solve`` and ``tot run`` (``--breadth 5``). In an option an underscore becomes a
hyphen, and ``--no-`` before the name switches off a knob that is True or False.
"""
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
    every = [".. _knobs-of-all:\n", title("The knobs of every method", "-"), listed(common)]
    return "\n".join([title("The methods and their knobs"), INTRODUCTION, *every, *map(entry, tot.METHODS.values())])


def listed(knobs: list[Knob]) -> str:
    rows = [(code(knob.name), knob.kind, default(knob), values(knob), plain(knob.doc)) for knob in knobs]
    return table(("knob", "type", "default", "values", "what it does"), rows)


def entry(method: Method) -> str:
    """One method: what it is, and a table of its knobs."""
    recipe = f":py:class:`{method.recipe.__name__} <{method.recipe.__module__}.{method.recipe.__name__}>`"
    rows = [*rows_of(method.recipe), *rows_of_method(method.name)]
    chapters = list(dict.fromkeys(place for row in rows for place in row.places))
    about = [
        f"recipe {recipe}",
        f"asks {', '.join(method.roles)}",
        *([CHECK] if method.check else []),
        *in_papers(rows),
    ]
    about += [f"built in {links(chapters)}"] if chapters else []
    works_on = [code(name) for name, kind in TASKS.items() if not method.missing(kind)]
    return "\n".join(
        [
            f".. _method-{method.name}:\n",
            title(method.name, "-"),
            f"{plain(method.summary)}.\n",
            facts(about),
            facts([f"works on {', '.join(works_on)}"]),
            listed([knob for knob in method.knobs() if knob.name not in COMMON]),
        ]
    )


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
