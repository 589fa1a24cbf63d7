"""Mini Crosswords in the paper's style: the readers of long replies. The prompts are in ``crosswords.toml``."""

import re
from dataclasses import dataclass, field, replace

from ..parse import LONG_REPLY, Read, bad, last_word, shorten
from ..state import State, Thought
from . import crosswords_style as own
from .crosswords_board import BLANK, EMPTY, SIZE, SLOTS, fits, word_at
from .crosswords_state import board_of, remaining, thought_of
from .crosswords_style import CONFIDENCE, VERDICTS
from .style import style_of

# ---------------------------------------------------------------- reading rows

_ROWS_BELOW = re.compile(r"^[^\w\n]*(?:[a-z' ]{0,40}\b)?(?:rows|grid|board|output)\b[\w ]{0,20}[^\w\n]*$", re.I | re.M)


def read_long_rows(text: str) -> list[Read[Thought]]:
    """The last five lines that look like rows, cut to five letters or padded with blanks."""
    return [_attempt(text, text)]


def read_long_chain(text: str) -> list[Read[Thought]]:
    """The rows below "Rows:"; if that line is missing, as in our own style."""
    marks = [*_ROWS_BELOW.finditer(text[-LONG_REPLY:])]
    return [_attempt(text, text[-LONG_REPLY:][marks[-1].end() :])] if marks else own.read_chain(text)


def _attempt(text: str, part: str) -> Read[Thought]:
    """The board in ``part`` of the reply ``text``, with rows of any length cut or padded to five letters."""
    rows = own.five_rows(list(map(_row, own.lines_of(part[-LONG_REPLY:]))))
    odd = sum(len(row) not in (0, SIZE) for row in rows)
    read = own.attempt(text, [row and row[:SIZE].ljust(SIZE, BLANK) for row in rows])
    return replace(read, why=read.why or (f"{odd} rows cut or padded to five letters" if odd else ""))


def _row(line: str) -> str:
    """The letters on a line that may be a row, in small letters: one word, or letters with spaces between; else ""."""
    pieces = re.split(r"[\s|,.*`'\"-]+", own.NUMBERED.sub("", line[:120]).strip(" |*`'\".,-\t"))
    spaced = sum(len(piece) == 1 for piece in pieces) >= len(pieces) - 1  # in "C O F F_" one piece has two
    return "".join(pieces).lower() if spaced and re.fullmatch(r"[A-Za-z_]{1,20}", "".join(pieces)) else ""


# ---------------------------------------------------------------- reading proposals

_LEVEL = rf"(?P<level>{'|'.join(CONFIDENCE)})\b"
_WORD = r"(?P<word>[^\W\d_](?:[ ·-][^\W\d_]){2,9}(?![^\W\d_])|[^\W\d_]{1,40}(?:['’-][^\W\d_]{1,40}){0,3})"
_BETWEEN = r"[*_`\"'”’]{0,4}\s{0,3}(?:\([^()\n]{0,30}?\b|[\[|:,;=–—-][^\w\n]{0,4}(?:confidence\W{0,3})?)"
_NAME = r"(?:^\W*(?:\d{1,2}[.)]\W*)?|[;,|/]\s{0,2})(?P<slot>[hv]\s?[1-5])(?!\w)"
_PIECE = re.compile(rf"{_NAME}|(?<!\w){_WORD}{_BETWEEN}{_LEVEL}", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*•–(]|\d{1,2}[.)]|\s\s)")


@dataclass
class _Entry:
    """What a reply says about one clue: ``line`` names it, and ``said`` are its words with their confidences."""

    name: str
    line: str
    said: list[tuple[str, str, str]] = field(default_factory=list)  # word, confidence, the piece of text


def _entries(text: str) -> list[_Entry]:
    """The clues that a reply names, in order. Words belong to the last clue named on their line; on the items of a list
    below a clue's own line, to that clue. All other text, such as a preamble, names nothing.
    """
    entries: list[_Entry] = []
    named = False  # does what follows belong to the last of them?
    for line in (line[:600] for line in text.splitlines() if line.strip()):
        found = [*_PIECE.finditer(line)]
        begins = bool(found) and not re.search(r"\w", line[: found[0].start()])
        named = named and (begins or bool(_ITEM.match(line)))
        end = 0
        for match in found:
            preceded = re.search(r"[^\W\d_][\s*_`\"'“‘]*$", line[end : match.start()])  # "wide awake" is not one word
            end = match.end()
            if match["slot"]:
                entries.append(_Entry(re.sub(r"\s", "", match["slot"]).lower(), line))
                named = True
            elif named:
                word = "" if preceded else re.sub(r"[ ·-](?=[^\W\d_](?:[ ·-]|$))", "", match["word"])
                entries[-1].said.append((word.lower(), match["level"].lower(), match[0]))
    return entries


def read_free_words(state: State, text: str, *, overwrite: bool) -> list[Read[Thought]]:
    """The words that a reply proposes. A word that already stands for its clue is left out: it says nothing new."""
    board, open_ = board_of(state), remaining(state)
    letters = {name: word_at(EMPTY if overwrite else board, slot) for slot, name in enumerate(SLOTS)}
    stands = {name: word_at(board, slot) for slot, name in enumerate(SLOTS) if slot not in open_}
    reads: list[Read[Thought]] = []
    nothing = True
    for entry in _entries(text[:LONG_REPLY]):
        for word, level, piece in entry.said:
            nothing, said = False, f"{entry.name}. {piece}"
            if word == stands.get(entry.name):
                continue
            if not re.fullmatch(r"[a-z]{5}", word):
                reads.append(bad("not one word of five letters a to z", said))
            elif not fits(word, letters[entry.name]):
                reads.append(bad(f"does not fit {letters[entry.name]}", said))
            else:
                thought = thought_of(state, SLOTS.index(entry.name), word, CONFIDENCE[level])
                reads.append(Read(thought, text=shorten(said)))
        if not entry.said and BLANK * 2 not in entry.line.replace(" ", ""):  # no proposal: perhaps without confidence
            read = own.read_line(state, entry.line[:120], letters)
            nothing = nothing and not read.value
            if read.value is None:
                reads.append(bad(read.why, entry.line))
            elif read.value.data.word != stands.get(entry.name):
                reads.append(read)
    return reads or ([bad("no proposal in the reply", text)] if nothing else [])


# ---------------------------------------------------------------- reading verdicts

_HEDGED = re.compile(r"(?:\bnot|n['’]t)\s(?:\w{1,12}\s)?(?:sure|impossible|likely)\b")


def read_last_verdict(text: str) -> Read[float]:
    """The verdict on the last line; if there is none, the last in the text. "Not sure" and the like are maybe."""
    said = _HEDGED.sub("maybe", text[-LONG_REPLY:].lower())
    last = next((line for line in reversed(said.splitlines()) if re.search(r"[a-z]", line)), "")
    alone = re.sub(r"[^a-z]+", " ", last).split()
    word = Read(alone[-1], text=alone[-1]) if alone and alone[-1] in VERDICTS else last_word(said, VERDICTS)
    return Read(VERDICTS[word.value or "maybe"], word.why, word.text)


PAPER = style_of(
    "crosswords",
    "paper",
    {"io": read_long_rows, "cot": read_long_chain, "words": read_free_words, "value": read_last_verdict},
    {"steps": len(SLOTS) - 1, "filled judged": True, "full board read": False},
)
