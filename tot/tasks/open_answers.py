"""The answer to an open question: read whole, and right if it has the words of the right answer, or is its number.

What HotpotQA leaves out of a comparison (all punctuation, articles anywhere, what stands in brackets) may be the whole
difference here: -5 and 5, ``C`` and ``C++``, vitamin A and vitamins. So nothing is cut out of an answer, and all signs
count that are not punctuation of words.
"""

import re

from ..parse import MAX_REPLY, TYPED, Read, bad, number
from ..reply import Piece, ended, marked, pattern, said_in, taken_back, unwrapped
from .answers import MAX_SHORT, read_number, right_number, same_number
from .numbers import number_in

MAX_WORDS = 12
_WRAPPED = re.compile(
    r"""^(\*{1,3}|_{1,2}|[`"'$])(?=\S)(.+)(?<=\S)\1$|^[“„«「](.+)[”“»」]$|^\\[(\[]\s*(.+?)\s*\\[)\]]$"""
)
# a sentence ends, and something else follows; "Dr. Strangelove" is one answer
_BREAK = re.compile(r"(?:[^\W\d_]{4}|\d|[)\"])[.!?][*_]*\s+\S|[。！？].")
_SAYS = re.compile(r"(?i)\s(?:is|was|are|were|has|had|because|since|which)\s")


def read_open(reply: str, bare: bool = False) -> Read[str]:
    """The answer of a reply: the rest of the line behind its last "the answer is" or "Answer:", whole, without
    emphasis, quotes and a full stop around it. With ``bare``, a reply of one line without such a mark is an answer.

    Refused are several answers, one that is taken back, sentences, and what says that there is none.
    """
    text = ended(reply)
    named = said_in(text, "answer_members")  # in JSON
    marks = [piece for piece in marked(text) if piece.by == "mark"] if named is None else []
    lines = [line for line in text.splitlines() if re.search(r"\w", line) and not line.lstrip().startswith("```")]
    if named is None and not marks and not (bare and len(lines) == 1):
        several = bare and len(lines) > 1
        return bad("several lines that may be the answer" if several else "no answer named", reply)
    if marks and taken_back(text[marks[-1].at + len(marks[-1].said) :]):
        return bad("the answer is taken back", reply)
    said = [_undressed(_boxed(text, piece)) for piece in marks]
    if len({*map(same_open, said[-2:])}) > 1 and "\n" not in text[marks[-2].at : marks[-1].at]:
        return bad("several answers on a line", reply)
    answer = named if named is not None else said[-1] if said else _undressed(lines[0])
    if not re.search(r"\w", answer) or pattern("short_none").match(answer):
        return bad("no answer named", reply)
    sentence = _BREAK.search(answer) or (not marks and named is None and _SAYS.search(answer))
    if len(answer) > MAX_SHORT or len(answer.split()) > MAX_WORDS or sentence:
        return bad("not a short answer", reply)
    return Read(answer, text=answer)


def _boxed(text: str, piece: Piece) -> str:
    """What a piece says, up to the bracket that its mark opens: "\\boxed{5}.", "Finish[Oslo]"."""
    opened = text[: piece.at].rstrip()[-1:]
    return piece.said.rpartition("}" if opened == "{" else "]")[0] if opened in "{[" and opened else piece.said


def _undressed(text: str) -> str:
    text = unwrapped(text[:MAX_REPLY]).strip().lstrip(":： ")
    for _ in range(4):
        text = re.sub(r"(?<=[^\s.])(?<!\.[A-Za-z])[.。]$", "", text.strip())
        text = text.strip("*").strip() if text.count("**") % 2 else text  # bold that began before the mark
        wrapped = _WRAPPED.match(text)
        text = next(filter(None, wrapped.groups()[1:])) if wrapped else text
    return " ".join(text.split())


_TYPED = TYPED | str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_WORD = re.compile(r"""["']*((?:[^\W\d_]\.)+[^\W\d_]?|[^\W\d_]+(?:['-][^\W\d_]+)*)["'.,;:!?]*""")


def same_open(answer: str) -> str:
    """Its number; or its words in small letters, without the punctuation of words, "the", and "a" or "an" before them.
    """
    value, unit = _amount(answer)
    if value and (not unit or unit in _MONEY.values()):
        return f"{same_number(value)} {unit}".strip()
    first, *words = " ".join(map(_plain, answer.translate(_TYPED).casefold().split())).split() or [answer]
    words = words if words and (first == "the" or (first in ("a", "an") and len(words[0]) > 1)) else [first, *words]
    return " ".join(word for word in words if word != "the" or len(words) == 1)


def _plain(token: str) -> str:
    """A word without its punctuation: "u.s.," is us, "spider-man" spider man. A sign of anything else is its own."""
    word = _WORD.fullmatch(token)
    if word is None or len(word[1]) == 1:
        return token.strip('",;')  # n!, f', c++, -x
    return re.sub(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})", " ", re.sub("[.']", "", word[1]))


_MONEY = {"$": "dollar", "€": "euro", "£": "pound"}
_AMOUNT = re.compile(
    r"(?:(?i:about|around|approximately)\s)?([$€£]?)(-?\.?\d[\d.,/]*)(%|°[CF]?|[$€£]|\s?[^\W\d_]{2,})?"
)
# words behind a number that make it another one
_SCALES = "bn dozen hundred thousand million billion trillion score gross pair half halves third quarter percent bc bce"
_SCALES += " ad ce st nd rd th am pm squared cubed"


def _amount(text: str) -> tuple[str, str]:
    """The number and unit of "$1,200", "1,200 dollars", "5.0 km", 25% or twelve; "" and "" of another text."""
    text = text.translate(_TYPED).strip()
    if re.fullmatch(r"[A-Za-z]{3,}(?:-[a-z]+)?", text) and (spelled := read_number(text, bare=True).value):
        return spelled, ""
    found = _AMOUNT.fullmatch(text)
    if not found or (found[1] and found[3]) or (read := number_in(found[2]).value) is None or number(read) is None:
        return "", ""
    unit = _MONEY.get(found[1] or found[3] or "", (found[3] or "").strip().casefold())
    unit = unit.removesuffix("s") if len(unit) > 3 else unit
    return ("", "") if unit in _SCALES.split() else (read, unit)


def right_open(answer: str, gold: str) -> bool:
    """Is it right in another form? "No, it was not." for no; a number with a unit where the gold answer has none, or
    without its currency; what a gold number of two decimals rounds, and what a gold per cent is as a share.
    """
    if gold.casefold() in ("yes", "no"):
        other = re.search(r"\b(?:yes|no)\b", answer[len(gold) :], re.IGNORECASE)
        return not other and re.match(rf"{gold}(?:[,;:.]\s|\s?[–—])", answer, re.IGNORECASE) is not None
    (said, unit), (value, wanted) = _amount(answer), _amount(gold)
    if not said or not value or (unit != wanted and (wanted not in ("", "%", *_MONEY.values()) or (unit and wanted))):
        return False
    rounds = f"{value}%" if wanted == "%" != unit else value
    return same_number(said) == same_number(value) or right_number(said, rounds)
