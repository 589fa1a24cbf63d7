"""Where tools look: pages with a title and sentences; and an offline corpus on SQLite's full-text search (FTS5)."""

import re
import threading
import unicodedata
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Page:
    """A page of a corpus: its title, and its text sentence by sentence."""

    title: str
    sentences: tuple[str, ...]


class Corpus(Protocol):
    """A source of pages. Either method may be called from any thread, and may raise ToolError: the call has failed."""

    def page(self, title: str) -> Page | None:
        """The page of that title; None if there is none, or if the title could mean several pages."""
        ...

    def similar(self, title: str) -> list[str]:
        """Titles that may have been meant, best first, at most ``SIMILAR`` of them."""
        ...


class ToolError(Exception):
    """A tool could not do its work. The message is one sentence for the caller; a model reads it."""


SIMILAR = 5  # titles that a failed Search suggests
_END = re.compile(r"""(?<=[.!?…])(["'”’)\]]*)\s+(?=["'“‘(\[]*[A-Z0-9À-ÖØ-Þ])""")
_SHORT = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Col|Sgt|Rev|Lt|No|vs|ca|approx))\.$")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text. Initials ("J. S. Bach") and a few abbreviations do not end a sentence."""
    found: list[list[str]] = []  # the parts of each sentence, joined once: initials cost no more than other text
    for part in _END.sub(r"\1\n", " ".join(text.split())).split("\n"):
        if found and _SHORT.search(found[-1][-1]):
            found[-1].append(part)
        elif part:
            found.append([part])
    return tuple(map(" ".join, found))


def key(title: str) -> str:
    """The form in which titles are compared: case, accents, punctuation and a leading "the" do not count."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", title.casefold()) if not unicodedata.combining(c))
    words = re.findall(r"\w+", bare)
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def base(title: str) -> str:
    """The title without the brackets that tell it from others: "Mercury (planet)" -> "Mercury"."""
    bare = title.rstrip()
    start = bare.rfind("(")
    return bare[:start].rstrip() if bare.endswith(")") and start >= 0 and ")" not in bare[start:-1] else title


class Offline:
    """An offline corpus: pages in an SQLite database in memory, with a full-text index for similar titles.

    The database is freed with the last reference. Raises ValueError for two pages with the same title.
    """

    def __init__(self, pages: Iterable[Page]) -> None:
        import sqlite3

        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._db.close)
        rows = [(p.title, key(p.title), key(base(p.title)), "\n".join(p.sentences)) for p in pages]
        try:
            with self._db as db:
                db.execute("CREATE TABLE pages (title TEXT PRIMARY KEY, key TEXT, base TEXT, text TEXT)")
                db.execute("CREATE VIRTUAL TABLE words USING fts5 (title, text, tokenize = 'porter unicode61')")
                db.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)
                db.executemany("INSERT INTO words VALUES (?, ?)", [(title, text) for title, _, _, text in rows])
        except sqlite3.IntegrityError:
            self._db.close()
            raise ValueError("two pages of a corpus have the same title") from None

    def page(self, title: str) -> Page | None:
        """The page of that title, or the only page whose title is that followed by brackets."""
        for column, wanted in (("title", title), ("key", key(title)), ("base", key(title))):
            if found := self._rows(f"SELECT title, text FROM pages WHERE {column} = ?", wanted):
                return Page(found[0][0], tuple(found[0][1].split("\n"))) if len(found) == 1 else None
        return None

    def similar(self, title: str) -> list[str]:
        """Titles that are this one followed by brackets; then pages with the same words, in the title first (BM25)."""
        found = [row[0] for row in self._rows("SELECT title FROM pages WHERE base = ? ORDER BY title", key(title))]
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", title)[:20])
        if words:
            ranked = "SELECT title FROM words WHERE words MATCH ? ORDER BY bm25(words, 10, 1), title LIMIT ?"
            found += [row[0] for row in self._rows(ranked, words, SIMILAR)]
        return list(dict.fromkeys(found))[:SIMILAR]

    def _rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        # SQLite takes no lone surrogates, which a model may write
        plain = [v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for v in values]
        with self._lock:
            return self._db.execute(query, plain).fetchall()
