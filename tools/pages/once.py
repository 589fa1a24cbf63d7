"""Style and script that several outputs of a page have in common are kept once, where they first stand.

In a notebook each output carries its own, because it may be shown alone. On a page the second copy of a style sheet
changes nothing; a script may be left out as well if it says so with ``data-tot-once``: that of the first output serves
those below it.
"""

import re
from typing import Any

# A script without a mark may mean to run again, and a script's data is never a copy of anything.
COMMON = re.compile(r"<style\b[^>]*>.*?</style>|<script\b[^>]*\bdata-tot-once\b[^>]*>.*?</script>", re.DOTALL)


def once(body: str) -> str:
    """The page's body without second copies."""
    seen: set[str] = set()

    def keep(found: re.Match[str]) -> str:
        if found[0] in seen:
            return ""
        seen.add(found[0])
        return found[0]

    return COMMON.sub(keep, body)


def lighten(app, page, template, context, doctree):
    if context.get("body"):
        context["body"] = once(context["body"])


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", lighten)
    return {"parallel_read_safe": True}
