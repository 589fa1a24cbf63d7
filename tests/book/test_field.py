"""book/field.md: its table and its text are about the same works, which are in the bibliography."""

import re
from itertools import zip_longest
from pathlib import Path

BOOK = Path(__file__).parents[2] / "book"
PAGE = (BOOK / "field.md").read_text(encoding="utf-8")
ENTRY = r"(?ms)^@\w+\{(\w+),$.*?\byear = \{(\d+)\}.*?^\}$"
YEARS = dict(re.findall(ENTRY, (BOOK / "references.bib").read_text(encoding="utf-8")))
BESIDE = {"anthony2017thinking"}  # named beside another work, without a row of its own


def test_the_table_has_the_works_of_the_text_in_its_order():
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("| ")][1:]
    text: list[tuple[str, str]] = []
    for title, part in re.findall(r"(?ms)^## (.+?)\n(.*?)(?=^## |\Z)", PAGE):
        keys = dict.fromkeys(re.findall(r"\{cite\}`(\w+)`", part))
        text += [(f"**{title}**", ""), *((key, YEARS[key]) for key in keys if key not in BESIDE)]
    for (name, *marks), (key, year) in zip_longest(rows, text):
        if year:
            assert name.endswith(f", {year}") and set(marks) - {""} <= {"●", "○"} and any(marks), (name, key)
        else:
            assert name == key and not any(marks)
