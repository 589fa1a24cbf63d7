"""Doors: what other distributions bring to ``tot``, found by name as entry points (manual: *Doors*).

A distribution lists in its ``pyproject.toml`` what it has for a group: ``[project.entry-points."tot.tasks"]`` and below
it ``errands = "my_errands:Errands"``. Installed distributions are searched when a name is asked for that is not one of
tot's own, and for listings; a module is imported when its name is looked up, or to list what it has.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

T = TypeVar("T")
Fits = Callable[[str, Any], bool]  # whether what was loaded may have that name

GROUPS = {  # group -> what its entries stand for
    "tot.models": "a function of the text after the name and of the options of tot.lm.open, which returns a model",
    "tot.tasks": "a class of tasks, like tot.Task, that has the entry's name",
    "tot.methods": "a tot.Method that has the entry's name",
    "tot.commands": "a function of the commands of tot, an argparse object, to which it adds",
    "tot.views": "a function of a tot.Solution, which returns HTML",
}
SLOW = 1.0  # seconds that loading an entry may take before a warning names it


def names(group: str) -> list[str]:
    """The names of the group's entries, in alphabetical order. Nothing is loaded."""
    return sorted({entry.name for entry in _entries(group)})


def load(group: str, name: str, fits: Fits = lambda _, thing: callable(thing)) -> Any:
    """What the entry of that name stands for. Warns if loading takes long.

    Raises KeyError if there is no such entry; ValueError, whose sentence names the distribution, if two have that name,
    if the entry cannot be loaded, and if it is not what the group is for.
    """
    found = [entry for entry in _entries(group) if entry.name == name]
    if not found:
        raise KeyError(name)
    said, remedy = _said(*found), f"update or uninstall {_bringer(found[0])}"
    if len(found) > 1:
        raise ValueError(f"{said} is there twice: uninstall one of them")
    began = time.monotonic()
    try:
        thing = found[0].load()
    except (Exception, SystemExit) as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"{said} cannot be loaded ({what}): {remedy}") from error
    if (took := time.monotonic() - began) > SLOW:
        warnings.warn(f"{said} took {took:.1f} seconds to load: it should import later what is heavy", stacklevel=2)
    if not fits(name, thing):
        raise ValueError(f"{said} is not {GROUPS[group]}: {remedy}")
    return thing


def load_all(
    group: str, own: Container[str] = (), fits: Fits = lambda _, thing: callable(thing)
) -> tuple[dict[str, Any], dict[str, str]]:
    """All entries of the group: (name -> what it stands for, name -> a sentence on why it cannot be used).

    ``own``: the names that tot has itself, which no entry may take.
    """
    loaded, refused = dict[str, Any](), dict[str, str]()
    for name in names(group):
        if name in own:
            said = _said(*(entry for entry in _entries(group) if entry.name == name))
            refused[name] = f"{said} has a name of tot's own and is not used: it needs another name"
            continue
        try:
            loaded[name] = load(group, name, fits)
        except ValueError as error:
            refused[name] = str(error)
    return loaded, refused


class Registry(Mapping[str, T]):
    """Name -> tot's own things, then those of a group's entries: each is loaded when it is looked up.

    ``places``: the names of tot's own, in the order of listings, with what ``own`` needs to load one. Iterating gives
    the names that can be looked up; ``refused`` has the others.
    """

    def __init__(self, group: str, places: Mapping[str, str], own: Callable[[str], T], fits: Fits) -> None:
        self._group, self._places, self._own, self._fits = group, places, own, fits

    def __getitem__(self, name: str) -> T:
        if name in self._places:
            return self._own(name)
        thing: T = load(self._group, name, self._fits)
        return thing

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in names(self._group)

    def __iter__(self) -> Iterator[str]:
        yield from self._places
        yield from load_all(self._group, self._places, self._fits)[0]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def refused(self) -> dict[str, str]:
        """Name -> a sentence on why what an entry brings under this name cannot be used."""
        return load_all(self._group, self._places, self._fits)[1]


def _entries(group: str) -> list[EntryPoint]:
    return [entry for entry in _installed(tuple(sys.path)) if entry.group == group]


@cache
def _installed(_path: tuple[str, ...]) -> list[EntryPoint]:
    """The entries of all distributions; ``_path`` is ``sys.path``, so that a changed one is searched anew.

    Of several distributions of one name the first that was installed counts. importlib.metadata would take the first on
    the path, and in a clone that is the ``*.egg-info`` which an earlier build left there: it has no METADATA.
    """
    from importlib.metadata import distributions

    found: list[EntryPoint] = []
    for name in dict.fromkeys(one.name for one in distributions() if _ours(one)):
        same = list(distributions(name=name))
        found += _ours(next((one for one in same if one.read_text("METADATA")), same[0]))
    return found


def _ours(distribution: Distribution) -> list[EntryPoint]:
    if "[tot." not in (distribution.read_text("entry_points.txt") or ""):  # quicker than to read them all
        return []
    return [entry for entry in distribution.entry_points if entry.group in GROUPS]


def _bringer(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "?"


def _said(*entries: EntryPoint) -> str:
    bringers = " and ".join(map(_bringer, entries))
    return f"the entry {entries[0].name!r} of {entries[0].group}, from {bringers},"
