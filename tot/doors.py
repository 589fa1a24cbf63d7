"""Doors: what other distributions bring to ``tot``, found by name as entry points (manual: *Doors*).

A distribution lists in its ``pyproject.toml`` what it has for a group: ``[project.entry-points."tot.tasks"]`` and below
it ``errands = "my_errands:Errands"``. Installed distributions are searched when a name is asked for that is not one of
tot's own, and for listings; a module is imported when its name is looked up, or to list what it has.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
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
    "tot.corpora": "a function without arguments, which returns a tot.tools.Corpus",
}
SLOW = 1.0  # seconds that loading an entry may take before a warning names it


def names(group: str) -> list[str]:
    """The names of the group's entries, in alphabetical order. Nothing is loaded."""
    return sorted({entry.name for entry in _entries(group)})


def load(group: str, name: str, fits: Fits = lambda _, thing: callable(thing)) -> Any:
    """What the entry of that name stands for. Warns if loading takes long.

    Raises KeyError if there is no such entry; ValueError (see ``fault``) if two distributions have one of that name, if
    it cannot be loaded, and if it is not what the group is for.
    """
    entries = _entries(group, name)
    if not entries:
        raise KeyError(name)
    if len(entries) > 1:
        raise ValueError(fault(group, name, "is there more than once"))
    began = time.monotonic()
    try:
        thing = entries[0].load()
        suits = fits(name, thing)
    except (Exception, SystemExit) as error:
        raise ValueError(fault(group, name, "cannot be loaded", error)) from error
    if (took := time.monotonic() - began) > SLOW:
        warnings.warn(fault(group, name, f"took {took:.1f} seconds to load"), stacklevel=2)
    if not suits:
        raise ValueError(fault(group, name, f"is not {GROUPS[group]}"))
    return thing


def load_all(
    group: str, own: Container[str] = (), fits: Fits = lambda _, thing: callable(thing)
) -> tuple[dict[str, Any], dict[str, str]]:
    """All entries of the group: (name -> what it stands for, name -> a sentence on why it is not used).

    ``own``: the names that tot has itself, which no entry may take.
    """
    loaded, refused = dict[str, Any](), dict[str, str]()
    for name in names(group):
        try:
            if name in own:
                raise ValueError(fault(group, name, "has a name that is tot's own"))
            loaded[name] = load(group, name, fits)
        except ValueError as error:
            refused[name] = str(error)
    return loaded, refused


def fault(group: str, name: str, what: str, error: BaseException | None = None) -> str:
    """One sentence: which entry of which distribution, what is wrong with it, and what to do."""
    bringers = " and ".join(entry.dist.name if entry.dist else "?" for entry in _entries(group, name))
    why = f" ({' '.join(f'{type(error).__name__}: {error}'.split())})" if error else ""
    return f"the entry {name!r} of {group} in {bringers} {what}{why}: update or uninstall {bringers}"


class Registry(Mapping[str, T]):
    """Name -> tot's own things, then those of a group's entries: each is loaded when it is looked up.

    ``places``: the names of tot's own, in the order of listings. ``own`` loads one of them, or of ``unlisted``: names
    that can be looked up and are in no listing. Iterating gives the names that are listed; ``refused`` has the entries
    that cannot be used.
    """

    def __init__(
        self,
        group: str,
        places: Mapping[str, str],
        own: Callable[[str], T],
        fits: Fits,
        unlisted: Iterable[str] = (),
    ) -> None:
        self._group = group
        self._places = places
        self._own = own
        self._fits = fits
        self._taken = {*places, *unlisted}

    def __getitem__(self, name: str) -> T:
        if name in self._taken:
            return self._own(name)
        thing: T = load(self._group, name, self._fits)
        return thing

    def __contains__(self, name: object) -> bool:
        return name in self._taken or name in names(self._group)

    def __iter__(self) -> Iterator[str]:
        yield from self._places
        yield from load_all(self._group, self._taken, self._fits)[0]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def refused(self) -> dict[str, str]:
        """Name -> a sentence on why what an entry brings under this name cannot be used."""
        return load_all(self._group, self._taken, self._fits)[1]


def _entries(group: str, name: str = "") -> list[EntryPoint]:
    """Those of the group; with a ``name``, those of that name."""
    return [entry for entry in _installed(tuple(sys.path)) if entry.group == group and name in ("", entry.name)]


@cache
def _installed(_path: tuple[str, ...]) -> list[EntryPoint]:
    """The entries of all distributions; ``_path`` is ``sys.path``, so that a changed one is searched anew.

    Of several distributions of one name the first that was installed counts. importlib.metadata would take the first on
    the path, and in a clone that is the ``*.egg-info`` which an earlier build left there: it has no METADATA.
    """
    from importlib.metadata import distributions

    found: list[EntryPoint] = []
    for name, one in {one.name: one for one in distributions() if _ours(one)}.items():
        same = [*distributions(name=name), one]
        found += _ours(next((each for each in same if each.read_text("METADATA")), one))
    return found


def _ours(distribution: Distribution) -> list[EntryPoint]:
    if "[tot." not in (distribution.read_text("entry_points.txt") or ""):  # quicker than to read them all
        return []
    found = [entry for entry in distribution.entry_points if entry.group in GROUPS]
    own = distribution.name == "thinking-in-trees"  # of which somebody may have deleted treebook
    return [entry for entry in found if not own or _is_there(entry.module.partition(".")[0])]


def _is_there(package: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except ImportError:
        return False
