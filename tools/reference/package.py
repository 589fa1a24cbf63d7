"""The pages of the package: one for each room, and the first one with what ``import tot`` gives."""

from collections.abc import Mapping, Sequence
from importlib import import_module

import tot
import treebook.show

from .chapters import Row, places, rows_of
from .markup import facts, first_sentence, from_markdown, indented, links, page, plain, sentence, title
from .names import Public, where


def contents(rooms: Mapping[str, Mapping[str, Sequence[Public]]]) -> str:
    """The first page."""
    told = {room: import_module(next(iter(modules))).__doc__ or "" for room, modules in rooms.items()}
    listed = [
        (f":doc:`{_title(room, rooms[room])} <{room}>`", plain(first_sentence(doc))) for room, doc in told.items()
    ]
    front = []
    for name in sorted(tot.__all__, key=str.lower):
        each = where()[id(getattr(tot, name))]
        role = {"function": "func", "class": "class", "exception": "exc", "data": "data"}[each.kind]
        front.append((f":py:{role}:`{name} <{each.dotted}>`", plain(first_sentence(each.doc))))
    return page("package", rooms=listed, front=front)


def _title(room: str, modules: Mapping[str, Sequence[Public]]) -> str:
    return {"core": "The core", "book": "The book's package"}.get(room) or next(iter(modules))


def room_page(room: str, modules: Mapping[str, Sequence[Public]]) -> str:
    """The page of a room: its modules, and in each what is public, in the order of the source."""
    parts = [title(_title(room, modules))]
    for number, (module, found) in enumerate(modules.items()):
        if found or number == 0:
            heading = [title(module, "-")] if number or room in ("core", "book") else []
            parts += [*heading, f".. automodule:: {module}\n", *map(entry, found)]
    return "\n".join(parts)


def entry(public: Public) -> str:
    """One name: what autodoc makes of it, then where to import it from, its paper and its chapters."""
    about = []
    package = ".".join(public.module.split(".")[:2])
    if public.name in tot.__all__ and getattr(tot, public.name) is public.found:
        about.append(f"``from tot import {public.name}``")
    elif package != public.module and public.name in getattr(import_module(package), "__all__", ()):
        about.append(f"``from {package} import {public.name}``")
    elif getattr(treebook.show, public.name, None) is public.found:
        about.append(f"``from treebook.show import {public.name}``")
    about += in_papers(rows_of(public.found)) if public.identified else []
    how, chapters = places(public.found) if public.identified else ("", [])
    about += [f"{how} {links(chapters)}"] if chapters else []
    if public.kind == "data":
        value = f"   :value: {public.value}" if len(public.value) <= 90 else ""
        head, body = f".. py:data:: {public.name}\n{value}".rstrip(), [sentence(public.doc)]
    else:
        members = "   :members:" if isinstance(public.found, type) else ""
        head, body = f".. auto{public.kind}:: {public.dotted}\n{members}".rstrip(), []
    body += [facts(about)] if about else []
    return "\n\n".join([head, *map(indented, body)]) + "\n"


def in_papers(found: Sequence[Row]) -> list[str]:
    """Where the papers have it, as one text; none for what the papers do not have."""
    said = [from_markdown(f"{row.section}: {row.what}") for row in found if row.section != "Beyond the paper"]
    return [f":doc:`paper </book/paper_to_code>`: {'; '.join(dict.fromkeys(said))}"] if said else []
