"""What a revision changed in a plan: which steps it kept, dropped, added, or put in other words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from tot.show.escaping import block, escape, line

from .page import as_written
from .styles import style_of

Kind = Literal["kept", "changed", "dropped", "added"]
MARKS: dict[Kind, str] = {"kept": " ", "changed": "~", "dropped": "-", "added": "+"}
ALIKE = 0.5  # two steps that share at least this part of their words are one step, changed
MAX_STEPS = 40  # steps of a plan that are compared
_NUMBER = re.compile(r"^[\s*_#>]*(?:(?:step\s*)?\d{1,2}\s*[.):](?!\d)|[-•])\s*", re.IGNORECASE)
_INSIDE = re.compile(r"(?<=[.;:!?])\s+(?=(?:step\s*)?\d{1,2}[.):]\s+\S)", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """One step of either plan. ``words``: its pieces in reading order, each kept, dropped or added."""

    kind: Kind
    words: tuple[tuple[Kind, str], ...]


@dataclass(frozen=True)
class PlanDiff:
    """What became of each step, in the order of the revision. ``title`` and ``feedback`` are shown above, if given."""

    changes: tuple[Change, ...]
    title: str = ""
    feedback: str = ""

    def __str__(self) -> str:
        """For a terminal or a screen reader: "~ changed  Take [-all-] {+half+} of them."."""
        left, right = {"dropped": "[-", "added": "{+"}, {"dropped": "-]", "added": "+}"}
        rows = []
        for change in self.changes:
            whole = change.kind != "changed"  # then its kind is that of all its words
            pieces = (t if whole else left.get(kind, "") + t + right.get(kind, "") for kind, t in change.words)
            rows.append(f"{MARKS[change.kind]} {change.kind:7}  {' '.join(pieces)}")
        said = [f"  judges   {text}" for text in filter(None, self.feedback.split("\n"))]
        return "\n".join([*([self.title] if self.title else []), *said, *rows])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tags = {"dropped": "del", "added": "ins", "kept": "span"}
        name = escape(self.title or "A plan and its revision")
        parts = [f'<div class="tot-diff" role="group" aria-label="{name}"><style>{style_of("plan_changes")}</style>']
        parts += [f"<p><b><bdi>{escape(self.title)}</bdi></b></p>"] if self.title else []
        parts += [f"<p>judges: <bdi>{escape(text)}</bdi></p>" for text in filter(None, self.feedback.split("\n"))]
        parts.append("<ul>")
        for change in self.changes:
            pieces = " ".join(f"<{tags[k]}>{escape(text)}</{tags[k]}>" for k, text in change.words)
            parts.append(f'<li class="tot-{change.kind}"><b>{change.kind}</b> <bdi>{pieces}</bdi></li>')
        return as_written("\n".join([*parts, "</ul></div>"]))


def plan_diff(before: str, after: str, *, title: str = "", feedback: str = "") -> PlanDiff:
    """Compare two plans step by step, and changed steps word by word. Differences in the numbers of steps, in case, and
    in punctuation at the ends of words are ignored. Steps are aligned in order: one that moved is dropped in one place
    and added in another.

    The steps of a plan are its lines; if it has only one line, its numbered sentences. The first 40 are compared.
    """
    old, new = _steps(before), _steps(after)
    changes = [_change(a, b) for a, b in _aligned(old, new)]
    return PlanDiff(tuple(changes), line(title), block(feedback, 1000).strip())


# -------------------------------------------------------------------- how they are compared


def _steps(plan: str) -> list[str]:
    text = block(plan, 4000).strip()
    lines = text.split("\n") if "\n" in text else _INSIDE.split(text)
    bare = (_NUMBER.sub("", one).strip(" *") for one in lines)
    return [" ".join(step.split()) for step in bare if re.search(r"\w", step)][:MAX_STEPS]


def _words(step: str) -> list[str]:
    """The words that are compared: without case, and without punctuation at their ends."""
    return [word.strip(".,;:!?\"'()[]*_`").casefold() for word in step.split()[:200]]


def _alike(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of words that two steps have in common, from 0 to 1, in any order."""
    if a == b:
        return 1.0
    common = sum((Counter(a) & Counter(b)).values())
    return min(2 * common / (len(a) + len(b)), 0.99) if common else 0.0


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """Pairs of steps in order: those that are equal, and between these each step of the old plan with the next step of
    the new one that is alike, if there is one. A step without a partner stands alone.
    """
    left, right = [_words(step) for step in old], [_words(step) for step in new]
    same = SequenceMatcher(None, [*map(tuple, left)], [*map(tuple, right)], autojunk=False)
    for _, i, i2, j, j2 in same.get_opcodes():
        for a in range(i, i2):
            partner = next((b for b in range(j, j2) if _alike(left[a], right[b]) >= ALIKE), None)
            if partner is None:
                yield old[a], None
            else:
                yield from ((None, step) for step in new[j:partner])
                yield old[a], new[partner]
                j = partner + 1
        yield from ((None, step) for step in new[j:j2])


def _change(a: str | None, b: str | None) -> Change:
    if a is None or b is None:
        return Change("added", (("added", b or ""),)) if a is None else Change("dropped", (("dropped", a),))
    if _words(a) == _words(b):
        return Change("kept", (("kept", b),))
    old, new = a.split(), b.split()
    pieces: list[tuple[Kind, str]] = []
    for what, i, i2, j, j2 in SequenceMatcher(None, _words(a), _words(b), autojunk=False).get_opcodes():
        if what == "equal":
            pieces.append(("kept", " ".join(new[j:j2])))
        else:
            both: tuple[tuple[Kind, list[str]], ...] = (("dropped", old[i:i2]), ("added", new[j:j2]))
            pieces += [(kind, " ".join(some)) for kind, some in both if some]
    return Change("changed", tuple(pieces))
