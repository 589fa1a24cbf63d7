"""Live Wikipedia as a corpus, through its public API (``--corpus wikipedia``). No test and no chapter needs it."""

import json
import re
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache, partial
from typing import Any

from tot.tools import Page, ToolError, sentences
from tot.tools.corpus import SIMILAR

API = "https://en.wikipedia.org/w/api.php"
AGENT = "thinking-in-trees/0.1 (a textbook on search with language models; Python urllib)"
MAX_BYTES = 4_000_000  # of one answer; the longest articles are far shorter
MAX_PAGES = 500  # kept in memory


@dataclass(eq=False)
class Wikipedia:
    """The pages of a MediaWiki server with the extension TextExtracts. Each call is one HTTP request; it is redirected.

    A disambiguation page does not count as a page: its links are the similar titles, and none of them is fetched.
    ``timeout`` is in seconds, for each wait on the network. ``agent``: Wikipedia asks callers for their name and a
    contact, so give yours for more than a few questions. ``MAX_PAGES`` pages are kept in memory.
    """

    url: str = API
    _: KW_ONLY
    timeout: float = 10.0
    agent: str = AGENT

    def __post_init__(self) -> None:
        self._known = lru_cache(MAX_PAGES)(self._fetch)  # title -> its page, or similar titles

    def __reduce__(self) -> tuple[Any, ...]:  # a pickled one has pages of its own
        return partial(type(self), timeout=self.timeout, agent=self.agent), (self.url,)

    def page(self, title: str) -> Page | None:
        """The page of that title, or None. Raises ToolError if the server cannot be reached or answers nonsense."""
        return self._known(title)[0]

    def similar(self, title: str) -> list[str]:
        """The links of a disambiguation page; otherwise what the server's own search finds by the first 20 words."""
        if meant := self._known(title)[1]:
            return meant
        # a search of more than 300 characters is refused
        wanted = re.sub(r"(?s)\A(\W*(?:\w+\W+){0,19}\w*).*", r"\1", title)[:300]
        found = self._get(list="search", srsearch=wanted, srlimit=str(SIMILAR), srprop="")
        return _titles(found.get("search"))

    def _fetch(self, title: str) -> tuple[Page | None, list[str]]:
        wanted = re.sub(r"[#<>\[\]{}|_\s]+", " ", title).strip()  # no title has these; a bar would ask for two pages
        if not wanted:
            return None, []
        shape = {"redirects": "1", "explaintext": "1", "exsectionformat": "plain"}
        meant = {"ppprop": "disambiguation", "plnamespace": "0", "pllimit": str(4 * SIMILAR)}
        found = self._get(prop="extracts|pageprops|links", titles=wanted, **shape, **meant)
        pages = found.get("pages")
        page = pages[0] if isinstance(pages, list) and pages and isinstance(pages[0], dict) else {}
        if "disambiguation" in str(page.get("pageprops")):
            return None, _titles(page.get("links"))
        text = page.get("extract")
        if not isinstance(text, str) or not text.strip():
            return None, []
        return Page(str(page.get("title", title)), sentences(text)), []

    def _get(self, **params: str) -> dict[str, Any]:
        """The "query" part of the server's answer."""
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.parse import urlencode
        from urllib.request import Request, urlopen

        query = urlencode({"action": "query", "format": "json", "formatversion": "2", **params}, errors="replace")
        request = Request(f"{self.url}?{query}", headers={"User-Agent": self.agent})
        try:
            with urlopen(request, timeout=self.timeout) as answer:
                body = answer.read(MAX_BYTES + 1)
        except HTTPError as error:
            error.close()
            raise ToolError(f"the server answered with status {error.code}.") from None
        except (OSError, HTTPException) as error:
            late = isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)
            raise ToolError("the server did not answer in time." if late else "the server cannot be reached.") from None
        if len(body) > MAX_BYTES:
            raise ToolError("the answer is far too long.")
        try:
            said = json.loads(body)
            found = said["query"]
            if isinstance(found, dict):
                return found
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise ToolError("the server's answer is not what was asked for.")


def _titles(entries: Any) -> list[str]:
    """The titles in a list from the server, at most ``SIMILAR``; anything else in it is skipped."""
    if not isinstance(entries, list):
        return []
    return [e["title"] for e in entries if isinstance(e, dict) and isinstance(e.get("title"), str)][:SIMILAR]
