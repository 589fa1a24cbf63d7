"""A results file's text: JSON that a person can read and git can compare."""

from __future__ import annotations

import json
import re
from typing import Any


def as_json(found: Any) -> str:
    """One line for each key, and lists of plain values on one line."""
    text = json.dumps(found, indent=1)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
