"""What a method is: a recipe that declares its knobs and builds a search, and what else the table says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from ..ask import Search
from ..tasks.base import Searchable, Task
from .answers import Choose, most_agreed


@dataclass(frozen=True)
class Knob:
    """A knob of a method: what flags, fields, menus and the reference say of it.

    ``kind``: "int", "float", "bool", "str", or "text" for a text that need not be given (its default is None).
    ``least``, ``most``: bounds of a number, None for none. ``choices``: all values of a text, () where any will do.
    ``doc``: one sentence.
    """

    name: str
    kind: str
    default: Any
    doc: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> None:
        """Raises ValueError, saying what to give instead, for a value of another kind or out of bounds."""
        if self.kind in ("int", "float"):
            number = isinstance(value, Integral if self.kind == "int" else Real) and not isinstance(value, bool)
            low, high = (-inf if self.least is None else self.least), (inf if self.most is None else self.most)
            if not (number and isfinite(value) and low <= value <= high):
                raise ValueError(f"{self.name} is {self.range}, not {value!r}")
        elif self.kind == "bool":
            if not isinstance(value, bool):
                raise ValueError(f"{self.name} is True or False, not {value!r}")
        elif not (isinstance(value, str) or (value is None and self.kind == "text")):
            raise ValueError(f"{self.name} is a text, not {value!r}")
        elif self.choices and value not in self.choices:
            raise ValueError(f"{self.name} is one of {', '.join(self.choices)}, not {value!r}")

    @property
    def range(self) -> str:
        """ "a whole number of at least 1", "a number from 0 to 1"; "" for texts and switches."""
        if self.kind not in ("int", "float"):
            return ""
        what = "a whole number" if self.kind == "int" else "a number"
        if self.least is None:
            return what if self.most is None else f"{what} of at most {self.most:g}"
        return (
            f"{what} of at least {self.least:g}"
            if self.most is None
            else f"{what} from {self.least:g} to {self.most:g}"
        )


def knob(
    default: Any, doc: str, *, least: float | None = None, most: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Declares a knob as a field of a ``Recipe``; its name and kind are those of the field."""
    return field(default=default, metadata={"doc": doc, "least": least, "most": most, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings of a method, and how it searches with them. A subclass declares its knobs as fields.

    Raises ValueError for a value of another kind or out of bounds.
    """

    first: int = knob(
        0, "The index of the first sample of each request; another one gives an independent trial.", least=0
    )

    def __post_init__(self) -> None:
        for each in self.knobs():
            each.check(getattr(self, each.name))

    def search(self, task: Any, x: str) -> Search:
        """A fresh search for the problem ``x`` of ``task``."""
        raise NotImplementedError

    def idle(self) -> set[str]:
        """The roles that are not asked with these settings."""
        return set()

    @classmethod
    def knobs(cls) -> list[Knob]:
        """All knobs, the recipe's own first, then those that it shares with others."""
        named: dict[str, Field[Any]] = {each.name: each for each in fields(cls)}
        nearest_first = [name for kind in cls.__mro__ for name in named if name in vars(kind)]
        return [_knob(named[name]) for name in dict.fromkeys(nearest_first)]


def _knob(each: Field[Any]) -> Knob:
    kind = "text" if "None" in str(each.type) else str(each.type)
    return Knob(each.name, kind, each.default, **each.metadata)


@dataclass(frozen=True)
class Method:
    """A named recipe. ``needs`` is the kind of task it works on.

    ``gold`` is "" for an honest method; "chooses" if the verifier picks the answer; "stops" if it ends the search.
    ``independent``: its outputs are independent samples of one prompt, as the estimator of best-of-k wants them.
    ``roles``: who it may ask; each may be another model.
    """

    name: str
    summary: str
    recipe: type[Recipe]
    needs: type = Task
    choose: Choose = most_agreed
    gold: str = ""
    independent: bool = False
    roles: tuple[str, ...] = ("generator", "evaluator")

    @property
    def defaults(self) -> dict[str, Any]:
        """The knobs and their default values."""
        return {each.name: each.default for each in self.recipe.knobs()}

    def knobs(self, task: Task | None = None) -> list[Knob]:
        """The knobs. ``task`` says which styles its prompts have."""
        found = self.recipe.knobs()
        styles = task.styles if isinstance(task, Searchable) else ()
        return [
            Knob(k.name, k.kind, k.default, k.doc, choices=("", *styles)) if k.name == "style" and styles else k
            for k in found
        ]

    def asks(self, params: Mapping[str, Any]) -> set[str]:
        """The roles that are asked with these knobs. Raises ValueError as ``search`` does."""
        return set(self.roles) - self._settings(params).idle()

    def search(self, task: Task, x: str, **params: Any) -> Search:
        """A fresh search. Raises ValueError for a task that the method cannot work on, and for a knob that it does not
        have or that has no such value.
        """
        if not isinstance(task, self.needs):
            raise ValueError(
                f"the task {task.name} does not provide what {self.name} needs ({self.needs.__name__}): try io or cot"
            )
        return self._settings(params).search(task, x)

    def _settings(self, params: Mapping[str, Any]) -> Recipe:
        for name in params:
            if name not in self.defaults:
                raise ValueError(f"{self.name} has no knob {name!r}: it has {', '.join(self.defaults)}")
        return self.recipe(**params)
