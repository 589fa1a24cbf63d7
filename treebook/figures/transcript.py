"""What was asked and what came back, set as a dialogue: the role in the margin, the model's mistake marked in place."""

import re
from collections.abc import Iterable, Sequence

from tot.show.escaping import clean, escape

from .page import as_written
from .styles import style_of
from .wrapping import wrapped

CUT = "[…]"


class Transcript:
    """Turns of a dialogue; see ``transcript``."""

    def __init__(self, turns: list[tuple[str, str]], wrong: Sequence[str]) -> None:
        self.turns, self.wrong = turns, list(wrong)
        self._marks = re.compile(
            "|".join(re.escape(escape(w)) for w in sorted(wrong, key=len, reverse=True)) or r"(?!)"
        )

    def __repr__(self) -> str:
        lines = "\n".join(wrapped(f"{role}: {text}") for role, text in self.turns)
        return "\n".join([lines, *(f"wrong: {passage}" for passage in self.wrong)])

    def _repr_html_(self) -> str:
        parts = [f'<div class="tot-transcript"><style>{style_of("transcript")}</style>']
        for role, text in self.turns:
            said = self._marks.sub(lambda found: f"<mark>{found[0]}</mark>", escape(text))
            said = said.replace(CUT, f'<small title="cut here">{CUT}</small>')
            parts.append(f"<div><b>{escape(role)}</b><p>{said}</p></div>")
        return as_written("\n".join([*parts, "</div>"]))


def transcript(turns: Iterable[tuple[str, object]], *, wrong: Sequence[str] = (), most: int = 0) -> Transcript:
    """A dialogue of (role, text). ``wrong``: passages that are marked as mistakes. ``most``: characters of a text; what
    is longer loses its middle, and "[…]" stands there (0: all of it). Raises ValueError if no text has a passage.
    """
    said = []
    for role, text in turns:
        words = clean(text).strip()
        if most and len(words) > most:
            words = f"{words[: most // 2].rstrip()} {CUT} {words[-(most // 2) :].lstrip()}"
        said.append((clean(role), words))
    for passage in wrong:
        if not passage or not any(passage in text for _, text in said):
            raise ValueError(f"no turn says {passage!r}")
    return Transcript(said, wrong)
