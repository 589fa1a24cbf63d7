"""How far the building of the pages is: a line for every so many pages read and written, though Sphinx is told -q."""

import os
from typing import Any

LINES = 5  # of each phase


class Progress:
    """``told`` is connected to an event that comes once for each page."""

    def __init__(self, what: str) -> None:
        self.what, self.done, self.pages, self.process = what, 0, 0, os.getpid()

    def begin(self, pages: int) -> None:
        self.done, self.pages = 0, pages

    def told(self, *_: Any) -> None:
        if os.getpid() != self.process:  # one of those that read beside this one, which counts what they bring
            return
        self.done += 1
        if self.done * LINES // max(self.pages, 1) > (self.done - 1) * LINES // max(self.pages, 1):
            print(f"{self.what} {self.done} of {self.pages} pages", flush=True)


def setup(app: Any) -> dict[str, bool]:
    reading, writing = Progress("read"), Progress("written")
    app.connect("env-before-read-docs", lambda app, env, pages: reading.begin(len(pages)))
    app.connect("source-read", reading.told)
    app.connect("env-merge-info", lambda app, env, pages, other: [reading.told() for _ in pages])  # with -j
    app.connect("env-updated", lambda app, env: writing.begin(len(env.found_docs)))
    app.connect("doctree-resolved", writing.told)
    return {"parallel_read_safe": True}
