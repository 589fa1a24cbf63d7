"""The book's reference, book/reference/*.rst, written from the packages themselves.

    python -m tools.reference

``book/conf.py`` does it before every build, so the pages are neither committed nor ever out of date. What they say
comes from docstrings and comments, from the parser of the command line, from the declarations of the knobs, and from
the JSON schemas in book/schemas/. Which chapter builds a name is read from where the book says it.

A public name without a docstring and a knob without a sentence raise ``Missing``, and the build fails.
"""

from pathlib import Path

from tot.moved import table as moved

from .command_line import command_line_page
from .formats import formats_page
from .knobs import knobs_page
from .markup import code, page
from .names import Missing, defined_as, shown
from .package import contents, room_page
from .prompts import prompts_page
from .signatures import signature

__all__ = ["Missing", "defined_as", "pages", "signature", "write"]

FOLDER = Path(__file__).resolve().parents[2] / "book" / "reference"


def pages() -> dict[str, str]:
    """File name without its ending -> text. Raises Missing."""
    rooms = shown()
    found = {"package": contents(rooms)} | {room: room_page(room, modules) for room, modules in rooms.items()}
    own = {"command_line": command_line_page, "knobs": knobs_page, "prompts": prompts_page, "formats": formats_page}
    own["moved"] = moved_page
    return found | {name: make() for name, make in own.items()}


def moved_page() -> str:
    """Where names went, by the table of ``tot.moved``."""
    told = {old: new.replace(" and ", ", ").split(", ") for old, new in moved().items()}
    said = ((code(old), ", ".join(code(word) if "." in word else word for word in new)) for old, new in told.items())
    return page("moved", rows=list(said))


def write(folder: Path = FOLDER) -> None:
    """Bring the folder up to date. Pages that stay the same are not touched, so Sphinx does not read them again."""
    made = pages()
    folder.mkdir(exist_ok=True)
    for name, text in made.items():
        file = folder / f"{name}.rst"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.glob("*.rst"):
        if file.stem not in made:
            file.unlink()
