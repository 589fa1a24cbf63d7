"""Bring the catalogues of ``book/locale`` up to date with the English book, and say what is stale or missing.

    python tools/translations.py                                    # all catalogues that there are
    python tools/translations.py notebooks/02_a_distribution        # and begin one for this page

1. ``sphinx -b gettext`` writes the messages of all pages to ``_build/gettext``; Babel adds ``sphinx.pot``: the words
   that ``tools/pages``, the templates and scripts put around the pages, and the titles of ``_toc.yml``.
2. Babel brings the catalogues up to date. A message whose English has changed is marked *fuzzy*, with the old English
   above it: the book shows it in English until somebody has looked at it and has removed the mark.
3. A line for each catalogue says how many messages are translated, stale (fuzzy) and missing.

``book/locale/README.md`` is for translators.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "book" / "locale"
BUILT = ROOT / "_build" / "gettext"
AROUND = "sphinx"  # the catalogue of what is around the pages: Sphinx looks for the words of templates there
# what tools/pages calls, and what templates and scripts do
HEADER: dict = {"project": "Thinking in Trees", "version": "", "charset": "utf-8", "fuzzy": False}
HEADER |= dict.fromkeys(("last_translator", "language_team"), "The Thinking in Trees authors")
HEADER |= {"msgid_bugs_address": "", "header_comment": "# See book/locale/README.md."}
THEME = ("Color mode", "System Settings")  # of the theme, which has no Chinese for them
KEYWORDS = {"translated": None, "_": None, "gettext": None}
PLACES = (
    ("tools/pages", [("**.py", "python")]),
    ("book", [("_templates/**.html", "jinja2"), ("_static/**.jinja", "jinja2")]),
)


def languages() -> list[str]:
    return sorted(path.name for path in LOCALES.glob("*/") if (path / "LC_MESSAGES").is_dir())


def pages_of(toc: dict) -> Iterator[tuple[str, str]]:
    """(caption or title, "") of what ``_toc.yml`` names, and ("", page) of a page whose heading is its name."""
    for part in toc["parts"]:
        yield part["caption"], ""
        for chapter in part["chapters"]:
            for page in (chapter, *chapter.get("sections", ())):
                yield (page["title"], "") if "title" in page else ("", page["file"])


def heading(page: str) -> str:
    """The first message of a page's catalogue, which is its heading; "" where it is the name of a module."""
    messages = [message.id for message in read(BUILT / f"{page}.pot") if message.id]
    return "" if messages[0].startswith("tot.") else str(messages[0])


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def around() -> Catalog:
    """The messages of ``sphinx.pot``."""
    catalog = Catalog(**HEADER)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    for title, page in pages_of(toc):
        if name := title or heading(page):
            catalog.add(name, auto_comments=["navigation"])
    for message in THEME:
        catalog.add(message, auto_comments=["theme"])
    for folder, methods in PLACES:
        found = extract_from_dir(ROOT / folder, methods, keywords=KEYWORDS, directory_filter=lambda _: True)
        for file, _, message, _, _ in sorted(found, key=lambda one: (one[0], one[1])):
            catalog.add(message, auto_comments=[f"{folder}/{file}"])
    return catalog


def extract() -> None:
    # -E: the captions are seen while a page is read (tools/pages/translation.py), so every page must be
    sphinx = [sys.executable, "-m", "sphinx", "-E", "-q", "-b", "gettext", "-d", "_build/doctrees-gettext"]
    subprocess.run([*sphinx, "-c", "book", ".", str(BUILT)], cwd=ROOT, check=True)
    with (BUILT / f"{AROUND}.pot").open("wb") as file:
        write_po(file, around(), width=-1, no_location=True)


def wanted(language: str, new: Iterable[str]) -> list[str]:
    """The catalogues of a language, and those to be begun."""
    folder = LOCALES / language / "LC_MESSAGES"
    there = [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.po")]
    return sorted({AROUND, *there, *new})


def update(language: str, domains: Iterable[str]) -> None:
    """Bring catalogues in step with their templates; begin those that are not there yet."""
    for domain in domains:
        template, path = BUILT / f"{domain}.pot", LOCALES / language / "LC_MESSAGES" / f"{domain}.po"
        if not template.exists():
            sys.exit(f"No page of the book is called {domain}: name it as _toc.yml does (notebooks/02_a_distribution).")
        catalog = read(path) if path.exists() else Catalog(language, **HEADER)
        before = [message.id for message in catalog]
        catalog.update(read(template))
        if path.exists() and before == [message.id for message in catalog]:
            continue  # not only for a new date
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog, width=-1, include_previous=True)


def report(language: str) -> int:
    """Print a line for each catalogue; how many messages are stale or missing."""
    folder = LOCALES / language / "LC_MESSAGES"
    left = 0
    print(f"\n{language}:  translated  stale  missing")
    for path in sorted(folder.rglob("*.po")):
        messages = [message for message in read(path) if message.id]
        stale = sum(message.fuzzy for message in messages)
        missing = sum(not message.string for message in messages)
        left += stale + missing
        name = path.relative_to(folder).with_suffix("").as_posix()
        print(f"  {len(messages) - stale - missing:>12} {stale:>6} {missing:>8}  {name}")
    return left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", help="pages to begin a catalogue for, as _toc.yml names them")
    parser.add_argument("--language", help="a language to begin, such as de_DE (default: those in book/locale)")
    told = parser.parse_args()
    print("Reading the book's messages (a minute) ...", flush=True)
    extract()
    for language in [told.language] if told.language else languages():
        update(language, wanted(language, told.pages))
        if left := report(language):
            print(f"\n{left} messages are shown in English: those with `#, fuzzy` or an empty `msgstr`.")


if __name__ == "__main__":
    main()
