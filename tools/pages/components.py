"""The components of a chapter: each is an extension of its own, here they are put together with their style.

CONTRIBUTING.md ("Writing a chapter") says what an author writes for each.
"""

from typing import Any

PARTS = ("captions", "folding", "notes", "exercises", "columns")


def setup(app: Any) -> dict[str, bool]:
    for name in PARTS:
        app.setup_extension(f"tools.pages.{name}")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
