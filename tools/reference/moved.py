"""The page that says where names went: the table of ``tot.moved``."""

from tot.moved import table as moved

from .markup import code, table, title

INTRODUCTION = """In November 2026 the package ``tot`` became two: ``tot`` is what searches and their models need, and
``treebook`` has the book's figures, lab, pocket models and cluster; ``pip install thinking-in-trees`` brings both. An
import of an old name fails with a sentence that says where it is now; everything else kept its place.
"""


def moved_page() -> str:
    rows = [
        (code(old), ", ".join(code(word) if "." in word else word for word in new.replace(" and ", ", ").split(", ")))
        for old, new in moved().items()
    ]
    return "\n".join([title("Names that moved"), INTRODUCTION, table(("was", "is"), rows)])
