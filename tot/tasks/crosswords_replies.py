"""What a reply about a crossword proposes, words and boards, in whatever form and language a model writes.

A reply is cut at the names of its clues; what stands behind a name, with the items of a list below it, is about that
clue. The words for confidence and the like are data, in ``tot/replies.toml``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from ..parse import LONG_REPLY
from ..reply import WIDE, data_in, ended, one_of, struck, words
from .crosswords_board import SIZE, SLOTS

LINE = 600  # characters of a line that are read
_MARKS = re.compile(
    r"[*`~]+|(?<!\w)_(?=[A-Za-z]{5}_(?!\w))|(?<=[A-Za-z]{5})_(?!\w)|[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]"
)
_NAME = re.compile(
    r"(?<![A-Za-z\d])([hv])[\s_]?([1-5])(?![A-Za-z\d])(?!\W{1,3}(?:and|und|et|y|и|和|to|bis)\W{1,3}[hv][1-5])",
    re.IGNORECASE,
)
_ACROSS = re.compile(r"(?<![A-Za-z\d])([1-5])[ -]{1,2}(across|down)\b", re.IGNORECASE)
_SPACED = re.compile(r"(?<![^\W\d_])[^\W\d_](?:[ ·.-][^\W\d_]){2,9}(?![^\W\d_])")
_CAPITALS = re.compile(r"(?<![^\W_])[A-Z]{2,15}(?![^\W_])")
_ASIDE = re.compile(r"\"[^\"]{6,}\"|“[^”]{6,}”|\(\s?[\d.,]{1,5}\s?%?\s?\)")  # a clue, a number as confidence
_LABEL = re.compile(r"^\s*(?:[-•–#>|→]|\W*\d{1,2}[.)])\s*")
_ITEM = re.compile(r"\s*(?:[-•–(→]|\d{1,2}[.)]|\s\s|(?:answer|word)\s?:)", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """What a reply says about a clue: its ``name`` ("" if it names none), one ``word`` ("" if that is none), how sure
    it is (a name of ``[confidence]``, or ""), and the ``text`` in which it says so.
    """

    name: str
    word: str
    level: str
    text: str


@cache
def _level() -> re.Pattern[str]:
    """A confidence in brackets, behind a sign, or at the end."""
    names = "|".join(form for forms in words()["confidence"].values() for form in forms)
    level = rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])"
    ends = r"(?:\s?confidence)?(?=\s*(?:[|,;.:!\"]|$|-\s))"
    return re.compile(
        rf"[(\[]\s?(?:[^()\n]{{0,30}}?[^\w\n(])?{level}[^()\n]{{0,200}}[)\]]?"
        rf"|[|:,;=–—-]\s{{0,2}}(?:with\s)?(?:(?:very|fairly|my)\s)?(?:confidence\W{{0,3}})?{level}{ends}"
        rf"|\s{level}\W*$",
        re.IGNORECASE,
    )


def _sure(said: str) -> str:
    """The first name of ``[confidence]`` of which a text has a form; "" if it has none."""
    found = [(one.start(), name) for name in words()["confidence"] if (one := _group("confidence", name).search(said))]
    return min(found)[1] if found else ""


@cache
def _group(*path: str) -> re.Pattern[str]:
    lists: Any = words()
    for name in path:
        lists = lists[name]
    forms = "|".join(lists)
    return re.compile(rf"(?<![^\W\d_])(?:{forms})(?![^\W\d_])", re.IGNORECASE)


def plain(line: str) -> str:
    """A line without markup, full-width forms and small pictures."""
    line = re.sub(r"~~[^~]{1,80}~~", " ", line[:LINE].translate(WIDE))
    return _ACROSS.sub(lambda place: _way(place[2]) + place[1], _MARKS.sub("", line)).rstrip()


def proposals(text: str, clues: str) -> Iterator[Said]:
    """All that a reply says about clues, in its order. ``clues``: the text of those that were asked about; where it
    goes on with others it has ended.
    """
    text = text[:LONG_REPLY]
    data = data_in(text) if re.search(r"[{\[]\s*[{\[\"]", text) else None
    lines = [*_lines_of(data)] or struck(ended(text)).splitlines()
    asked = {line[:2]: line[4:].rpartition(":")[0] or line[4:] for line in clues.splitlines()}
    way, name, read, waits = "", "", False, list[Said]()
    for line in filter(str.strip, map(plain, lines)):
        if heading := _way(line):
            way, name = heading, ""
        names = [*_NAME.finditer(line)]
        if not names and way and (numbered := re.match(r"\W*([1-5])[.:)]\s", line)):
            line = f"{way}{line[numbered.start(1) :]}"
            names = [*_NAME.finditer(line)][:1]
        if read and "__" in line.replace(" ", "") and names and _other(line[names[0].end() :], clues):
            break
        if not names:
            said = [*_words(name, _LABEL.sub("", line), bare=False)] if name and _ITEM.match(line) else []
            name = name if said else ""
            if not name and not line.endswith(":"):
                said = [Said("", "", "", line)]
            waits = waits if not any(each.word for each in said) else []
            yield from said
            continue
        yield from waits
        waits = []
        begins = not re.search(r"\w", _LABEL.sub("", line[: names[0].start()]))
        for at, one in enumerate(names):
            name = one[1].lower() + one[2]
            end = names[at + 1].start() if at + 1 < len(names) else len(line)
            about = re.sub(re.escape(asked.get(name, "") or "\n"), " ", line[one.end() : end], flags=re.IGNORECASE)
            said = [*_words(name, about, bare=begins)]
            before = re.fullmatch(r"\W*([A-Za-z]{5})\W{1,4}(?:for\s)?", line[: one.start()])
            if before and not any(each.word for each in said):
                said = [Said(name, before[1].lower(), _sure(line[one.end() :]), line)]
            read = read or any(each.word for each in said)
            *done, last = said or [Said(name, "", "", line)]
            yield from done
            waits = [] if last.word else [last]  # the words may stand in a list below
            yield from [last] * bool(last.word)
    yield from waits


def _way(line: str) -> str:
    """ "h" for a heading of the clues across, "v" for those down; "" for any other line."""
    if len(line) > 40 or re.search(r"\d", line):
        return ""
    return "h" if _group("across").search(line) else "v" if _group("down").search(line) else ""


def _other(said: str, clues: str) -> bool:
    """Is it a clue with its blanks that was not asked about?"""
    clue = said.strip(" .:()").partition("_")[0].strip(" .:()").casefold()
    return len(clue) > 3 and clue not in clues.casefold()


def _words(name: str, said: str, *, bare: bool) -> Iterator[Said]:
    """The words that are said about a clue, each with the confidence behind it.

    ``bare``: the clue's name begins the line, so that a word alone is enough.
    """
    found, begin, kept = [*_level().finditer(said)], 0, list[Said]()
    for level in found:
        chunk, text = said[begin : level.start()], f"{name}. {said[begin : level.end()].strip(' .:')}"
        if begin and _group("taken_back").match(chunk.lstrip(" -–—,;.")):
            kept = []
        for word in _in_chunk(chunk) or [""] * bool(not begin or re.search(r"\w", chunk)):
            kept.append(Said(name, word, _sure(level[0]), text))
        begin = level.end()
    yield from kept
    if not found:
        for word in _in_chunk(said, bare=bare) or [""] * bool(re.search(r"[^\W_]", said)):
            yield Said(name, word, "", f"{name}. {said.strip(' .:')}")


def _in_chunk(chunk: str, *, bare: bool = True) -> list[str]:
    """The word, or several between which a reply leaves the choice; "" for what is not one word of letters."""
    chunk = _SPACED.sub(lambda letters: re.sub(r"[ ·.-]", "", letters[0]), _ASIDE.sub(" ", chunk))
    if capitals := [*_CAPITALS.finditer(chunk)]:
        links = [chunk[a.end() : b.start()] for a, b in pairwise(capitals)]
        if not all(re.fullmatch(r"[\s\"',、/|]{1,6}", _group("alternatives").sub("", link)) for link in links):
            so = _group("leads").search(links[-1])
            capitals = capitals[-1:] if so else []
        before = chunk[: capitals[0].start()] if capitals else ""
        if capitals and not _DENIED.search(before):
            return [word[0].lower() for word in capitals]
        return []
    last = re.split(r"[:|=]|\s[–—-]\s", chunk.strip(" .,;:|=–—-()[]\"'!?"))[-1]
    tail = [part for part in _group("leads").split(last) if re.search(r"\w", part)][-1:] or [last]
    pieces = [
        part for part in re.split(r"\s?[/,、]\s?", _group("alternatives").sub("/", tail[0])) if re.search(r"\w", part)
    ]
    read = [piece.strip(" .,;\"'“”‘’()[]!?").lower() for piece in pieces]
    if not (bare or tail != [last]) or not all(re.fullmatch(r"[^\W\d_]+", word) for word in read):
        return []
    return [] if any(_group("no_words").fullmatch(word) for word in read) else read


_DENIED = re.compile(r"(?:\bnot|n['’]t|\bcannot be|\bnicht|\bpas|\bno es|\bне|不是)\s*\"?\Z", re.IGNORECASE)


def _lines_of(data: Any, name: str = "") -> Iterator[str]:
    """JSON as lines, "h1. peril (high)". ``name``: of the clue that it is about, or only "h" or "v"."""
    if isinstance(data, dict):
        given = {str(key).strip().lower(): value for key, value in data.items()}
        name = next((str(value).lower() for value in given.values() if str(value).lower() in SLOTS), name)
        sure = next((f" ({value})" for key, value in given.items() if key in words()["confidence_members"]), "")
        for key, value in given.items():
            slot = next((each for each in (key, name + key) if each in SLOTS), _way(key) or name)
            if isinstance(value, dict | list):
                yield from _lines_of(value, slot)
            elif slot in SLOTS and (slot != name or key in words()["word_members"]):
                yield f"{slot}. {value}{sure}"
    elif isinstance(data, list) and data and str(data[0]).lower() in SLOTS:  # ["h1", "peril", "high"]
        yield f"{data[0]}. {' - '.join(map(str, data[1:]))}"
    elif isinstance(data, list):
        for item in data:
            yield from _lines_of(item, name)
    elif isinstance(data, str) and (name or _NAME.search(data)):
        yield f"{name}. {data}" if name else data


# ---------------------------------------------------------------- boards

_LATEX = re.compile(
    r"\\(?:text|mathrm|mathtt|texttt)\s?\{([^{}]{0,40})\}|\\(?:begin|end)\s?(?:\{[^{}]{0,20}\}){1,2}|\\hline"
)
_FRAME = re.compile(r"[\s|,.`'\"()\[\]{}<>&\\$\u2500-\u259f*-]+")
_NUMBERED = re.compile(  # the name of a row
    r"^\W*(?:(?:(?:row|line|zeile|reihe|ligne|fila|строка|第)\s?)?h?\s?[1-5]"
    r"(?:\s?[.:)]|[\s|]+(?=[A-Za-z_](?:\W|$))|行|(?=\s[A-Za-z_]{5}\s*$))|h[1-5]\b)",
    re.IGNORECASE,
)
_NEXT = r"[\s\"',;/|]{1,4}(?:(?:and|und|et|y|и|和|[2-5][.)])\s)?[\"'*]{0,3}"
_FIVE = re.compile(rf"(?<![^\W])[A-Z_]{{5}}(?:{_NEXT}[A-Z_]{{5}}){{4}}(?!\w|\W{{1,4}}[A-Z]{{5}}\b)")
_WORDS = re.compile(r"\s*[A-Za-z_]{5}(?:[ ,;/|]{1,3}[A-Za-z_]{5}){4}\s*")
ROWS = re.compile(
    r"^[^\w\n]*(?:[^\W\d_' ]{1,20}[ ']){0,5}?(?:rows|grid|board|output)\b[\w ]{0,20}[^\w\n]*$", re.I | re.M
)


@cache
def _columns() -> re.Pattern[str]:
    """A heading of the columns, and what is below it up to a heading of the rows."""
    return re.compile(
        rf"^[^\w\n]*(?:the\s)?{one_of('columns', 'down')}[^\w\n]*\n(?:(?![^\w\n]*(?:rows|across))[^\n]*\n)*",
        re.IGNORECASE | re.MULTILINE,
    )


def row_on(line: str) -> str:
    """The letters on a line that may be a row, in small letters: one word, or single letters; else ""."""
    line = re.sub(r"\s+[–—-]\s+h?[1-5]\W*$", "", _LATEX.sub(r" \1 ", plain(line[:LINE])))
    line = _NUMBERED.sub("", line)
    if ":" in line and re.search(r"\w", line.rpartition(":")[2]):
        line = line.rpartition(":")[2]
    pieces = [piece for piece in _FRAME.split(line) if piece]
    spaced = sum(len(piece) == 1 for piece in pieces) >= len(pieces) - 1  # in "C O F F_" one piece has two
    spaced = spaced or len("".join(pieces)) == SIZE  # "got up"
    return "".join(pieces).lower() if spaced and re.fullmatch(r"[A-Za-z_]{1,20}", "".join(pieces)) else ""


def rows_in(text: str) -> list[str]:
    """The five rows of a reply: those of the last board that is complete, else what is said of h1 to h5, else the five
    lines that look most like rows. The letters on each, or "".
    """
    # below a heading, five equal rows are no loop
    text = _columns().sub("\n", re.sub(r"\\\\|\]\s?,\s?\[", "\n", ended(f"Here:\n{text}")) + "\n")
    marks = [mark.end() for mark in ROWS.finditer(text)]
    boards = [_five(text[at:end]) for at, end in zip([0, *marks], [*marks, len(text)], strict=True)]
    if any(map(any, boards[1:])):  # the words before "Rows:" are not the rows
        boards = boards[1:]
    if whole := [board for board in boards if _full(board) == SIZE]:
        return whole[-1]
    said = {one.name: one.word for one in proposals(text, "") if len(one.word) == SIZE}
    across = [said.get(name, "") for name in SLOTS[:SIZE]]
    best = _five(text[marks[-1] :] if marks else text)
    if not marks and _full(across) > _full(best):
        return across
    five = [row for row in map(row_on, lines_of(text)) if len(row) == SIZE]
    return five if len(five) == SIZE else best


def _full(rows: Sequence[str]) -> int:
    """How many of the rows have five letters."""
    return sum(len(row) == SIZE for row in rows)


def _five(text: str) -> list[str]:
    """The five rows in sequence of which most have five letters, of equals the last; or five words on one line."""
    rows = [row_on(line) for line in lines_of(text)]
    good = [len(row) == SIZE for row in rows]
    starts = range(max(len(rows) - SIZE, 0), -1, -1)
    start = max(starts, key=lambda i: (sum(good[i : i + SIZE]), sum(map(bool, rows[i : i + SIZE]))))
    begin = next((i + 1 for i in range(start - 1, -1, -1) if not good[i]), 0)  # of the rows without a gap
    if all(good[start : start + SIZE]) and rows[begin : begin + SIZE] == rows[begin + SIZE :][:SIZE]:
        start = begin  # said again and again
    found = [*rows[start : start + SIZE], *[""] * SIZE][:SIZE]
    lists = [*_FIVE.findall(text), *filter(_WORDS.fullmatch, text.splitlines())]
    if lists and _full(found) < SIZE:
        return re.findall(r"(?<![^\W])[A-Za-z_]{5}(?!\w)", lists[-1].lower())
    return found


def lines_of(text: str) -> list[str]:
    """The lines that may say something: not empty ones, nor headings, nor lines across the page."""
    return [line for line in text.splitlines() if re.search(r"\w", line) and not line.rstrip().endswith(":")]
