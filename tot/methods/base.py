"""``Method``, a named entry in the table of methods, and ``Recipe``, which declares the knobs and builds the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, ClassVar

from ..ask import Ask, Search, relay
from ..state import Node
from ..tasks.base import FreeCheck, Problem, Task
from .answers import most_agreed

PAPER = "paper"  # the style of prompts that the papers have, where a task has it


@dataclass(frozen=True)
class Knob:
    """The description of a knob (a parameter of a method), used for flags, the lab and the reference.

    ``kind``: "int", "float", "bool", "str", or "text" for optional text (its default is None). ``least``, ``most``:
    inclusive bounds of a number, None for no bound. ``choices``: the allowed strings, () if any is allowed. ``paper``:
    the default in the paper's style, None if it is the same. ``doc``: one sentence.
    """

    name: str
    kind: str
    default: Any
    doc: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    paper: Any = None

    def check(self, value: Any) -> None:
        """Raises ValueError for a value of the wrong kind or out of bounds; the message says what is expected."""
        fits, wanted = not self.choices or value in self.choices, self.range
        if self.kind in ("int", "float"):
            number = isinstance(value, Integral if self.kind == "int" else Real) and not isinstance(value, bool)
            low, high = (-inf if self.least is None else self.least), (inf if self.most is None else self.most)
            fits = number and isfinite(value) and low <= value <= high
        elif self.kind == "bool":
            fits, wanted = isinstance(value, bool), "True or False"
        elif not (isinstance(value, str) or (value is None and self.kind == "text")):
            fits, wanted = False, "a string"
        if not fits:
            raise ValueError(f"{self.name} must be {wanted}, not {value!r}")

    @property
    def range(self) -> str:
        """The allowed values in words: "a whole number of at least 1", "one of a, b"; "" for booleans and free text."""
        if self.kind not in ("int", "float"):
            return f"one of {', '.join(self.choices)}" if self.choices else ""
        what = "a whole number" if self.kind == "int" else "a number"
        if self.least is not None and self.most is not None:
            return f"{what} from {self.least:g} to {self.most:g}"
        low = "" if self.least is None else f" of at least {self.least:g}"
        return what + low + ("" if self.most is None else f" of at most {self.most:g}")


def knob(default: Any, doc: str, **more: Any) -> Any:
    """Declares a knob as a field of a ``Recipe``: name and type are the field's, ``more`` are fields of ``Knob``."""
    return field(default=default, metadata={"doc": doc, **more})


@dataclass(kw_only=True, eq=False, repr=False)  # what is not generated for twenty classes makes `import tot` quicker
class Recipe:
    """The settings of a method, and the search it builds from them. A subclass declares its knobs as fields.

    ``former``: knobs that are gone, and the values with which the recipe does what it does; ``former_paper``: such
    values in the paper's style. Raises ValueError for a value of the wrong kind or out of bounds.
    """

    former: ClassVar[dict[str, Any]] = {"structured": False}
    former_paper: ClassVar[dict[str, Any]] = {}
    first: int = knob(
        0,
        "Index of the first sample drawn for each prompt; for an independent trial take one that is larger by as many"
        " as one prompt has samples, or more (0, 100, 200).",
        least=0,
    )
    style: str = knob(
        "",
        "The style of the prompts; empty means the task's own, paper the paper's design in our words, which also"
        " changes the defaults of other knobs to the paper's.",
    )
    max_tokens: int = knob(
        0,
        "Lets each reply have so many tokens where its prompt allows fewer (--lm-option max_tokens=N shortens as well);"
        " 0 means as many as the prompts say.",
        least=0,
    )

    def __post_init__(self) -> None:
        for each in self.knobs():
            each.check(getattr(self, each.name))

    def search(self, task: Any, x: str) -> Search:
        """A fresh search for the problem ``x`` of ``task``."""
        raise NotImplementedError

    def choose(self, task: Any, problem: Problem, best: Sequence[Node]) -> Node | None:
        """The output whose answer is given, None without one: without gold, unless ``gold`` says so."""
        return most_agreed(task, best)

    @property
    def gold(self) -> bool:
        """Whether the true answer picks: what is reached is an upper bound, which nobody could reach in earnest."""
        return False

    @property
    def needs_check(self) -> bool:
        """Whether the task's free check is needed, which sees no gold."""
        return False

    @classmethod
    def styles(cls, task: Task) -> tuple[str, ...]:
        """The styles that the prompts of ``task`` can have for this recipe, besides the default."""
        return (PAPER,) if hasattr(task, "in_paper_style") else ()

    def idle(self) -> set[str]:
        """The roles that are not used with these settings."""
        return set()

    @classmethod
    def knobs(cls) -> list[Knob]:
        """All knobs, the recipe's own first, then inherited ones."""
        named: dict[str, Field[Any]] = {each.name: each for each in fields(cls)}
        nearest_first = [name for kind in cls.__mro__ for name in named if name in vars(kind)]
        return [_knob(named[name]) for name in dict.fromkeys(nearest_first)]


COMMON = tuple(each.name for each in fields(Recipe))  # the knobs of every method


def _knob(each: Field[Any]) -> Knob:
    kind = "text" if "None" in str(each.type) else getattr(each.type, "__name__", str(each.type))
    return Knob(each.name, kind, each.default, **each.metadata)


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


@dataclass(frozen=True)
class Method:
    """A named recipe, and what it needs.

    ``needs``: the kind of task that it works on (or any of several); ``members``: what else the task must have.
    ``check``: whether the task's free check ends the search, as soon as an answer passes. ``independent``: whether the
    outputs are independent samples of one prompt, which the estimator of best-of-k requires. ``roles``: the model roles
    that it may use; each can have a model of its own. ``preset``: defaults of this name in place of the recipe's.
    """

    name: str
    summary: str
    recipe: type[Recipe]
    needs: type | tuple[type, ...] = Task
    check: bool = False
    independent: bool = False
    roles: tuple[str, ...] = ("generator", "evaluator")
    members: tuple[str, ...] = ()
    preset: Mapping[str, Any] = field(default_factory=dict)

    def missing(self, task: Task, **params: Any) -> str:
        """What the task does not provide and this method needs, with these knobs: a protocol of ``tot.tasks.base``, or
        a member. "" if the method works on it.
        """
        if not isinstance(task, self.needs):
            return (self.needs if isinstance(self.needs, type) else self.needs[0]).__name__
        if (self.check or self.settings(params).needs_check) and not isinstance(task, FreeCheck):
            return FreeCheck.__name__
        return next((name for name in self.members if not hasattr(task, name)), "")

    def knobs(self, task: Task | None = None) -> list[Knob]:
        """The knobs; with a ``task``, the choices of the knob ``style`` are the styles that its prompts can have."""
        preset = self.preset
        found = [replace(k, default=preset[k.name]) if k.name in preset else k for k in self.recipe.knobs()]
        if task is None:
            return found
        styles = ("", *self.recipe.styles(task))
        return [replace(each, choices=styles) if each.name == "style" else each for each in found]

    @property
    def defaults(self) -> dict[str, Any]:
        """The knobs and their default values."""
        return {each.name: each.default for each in self.knobs()}

    def settled(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all knobs, where ``params`` are those that a user chose: the rest have their defaults, which in
        the paper's style are the paper's. What an old results file says of a knob that is gone is left out, if the
        method still does that. Numbers of other kinds (numpy's) become Python's.
        """
        paper = {k.name: k.paper for k in self.recipe.knobs() if k.paper is not None and params.get("style") == PAPER}
        former = self.recipe.former | (self.recipe.former_paper if params.get("style") == PAPER else {})
        given = {name: _plain(it) for name, it in params.items() if name not in former or it != former[name]}
        return {**self.defaults, **paper, **given}

    def settings(self, params: Mapping[str, Any]) -> Recipe:
        """The recipe with these knobs. Raises ValueError for an unknown knob or a wrong value."""
        known = self.defaults
        for name in params:
            if name not in known:
                raise ValueError(f"{self.name} has no knob {name!r}: it has {', '.join(known)}")
        for name, value in self.preset.items():  # a results file would say the one and mean the other
            if name != "k" and params.get(name, value) != value:
                raise ValueError(f"{self.name} means {name}={value}: take best-of for another {name}")
        return self.recipe(**self.settled(params))

    def called(self, params: Mapping[str, Any]) -> str:
        """The name under which a run with these knobs is recorded and shown: it says "gold" wherever gold picks."""
        return self.name if "gold" in self.name or not self.settings(params).gold else f"{self.name}-gold"

    def asks(self, params: Mapping[str, Any]) -> set[str]:
        """The roles that are used with these knobs. Raises ValueError for an unknown knob or a wrong value."""
        return set(self.roles) - self.settings(params).idle()

    def search(self, task: Task, x: str, **params: Any) -> Search:
        """A fresh search. Raises ValueError for a task that the method cannot work on, for an unknown knob, and for a
        wrong value.
        """
        settings = self.settings(params)
        if missing := self.missing(task, **params):
            others = "set picks to gold, which gives an upper bound" if settings.needs_check else "try io or cot"
            raise ValueError(f"the task {task.name} does not provide what {self.name} needs ({missing}): {others}")
        if settings.style and settings.style not in (known := self.recipe.styles(task)):
            there = f"choose one of {', '.join(known)}" if known else "leave it out"
            raise ValueError(f"{self.name} on {task.name} has no style {settings.style!r}: {there}")
        if settings.style == PAPER:
            task = task.in_paper_style()  # type: ignore[attr-defined]  # it has that style, so it has that member
        search, least = settings.search(task, x), settings.max_tokens

        def with_room(ask: Ask) -> Ask:
            room = [
                r if r.max_tokens is None else replace(r, max_tokens=max(r.max_tokens, least)) for r in ask.requests
            ]
            return replace(ask, requests=room)

        return relay(search, instead=with_room) if least else search
