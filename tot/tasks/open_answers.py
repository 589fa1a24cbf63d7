"""When is a short answer to an open question right? In the words of the right answer, as in HotpotQA; or if the two are
the same number, amount, list or formula, written otherwise.
"""

import re

from ..parse import number
from ..reply import pattern
from .answers import ARRAY, formula, plainly, read_number, right_number, same_number, typed_answer
from .numbers import number_in


def same_short(answer: str) -> str:
    """``typed_answer`` of the plain forms (H₂O is H2O, x² is x^2); -5, 1.5, 5:30, C++, x > 5, a*b, -x, [0, 1] are not
    5, 15, 530, C, x < 5, a/b, x, (0, 1).
    """
    value, unit = _amount(answer)
    if value and unit in ("", *_UNITS.values()):  # "$5.00" and "5 dollars"; "$5" and "5" are the same
        return value if unit in ("", "dollar") else f"{value} {unit}"
    spelled = re.fullmatch(r"[A-Za-z]{3,}(?:-[a-z]+)?", answer) and read_number(answer, bare=True).value
    if spelled:  # "Twelve"
        return same_number(spelled)
    kept = pattern("short_kept").sub(lambda sign: chr(ord(sign[0].strip()) + 0xFEE0), plainly(answer))
    return formula(answer) or typed_answer(kept) or answer.casefold().strip()


def right_short(answer: str, gold: str) -> bool:
    """Is an answer in another form right? ("No, it was not." for no; "1, 2" for "1,2"; "1,200 dollars" for $1,200; "41
    euros", 41.0 or forty-one for 41; "der Rhein", "x = 5" or "red, green and blue" with less around.)
    """
    if gold.casefold() in ("yes", "no"):
        other = re.search(r"\b(?:yes|no)\b", answer[len(gold) :], re.IGNORECASE)
        return not other and re.match(rf"{gold}(?:[,;:]|\s\()", answer, re.IGNORECASE) is not None
    if re.search(r"[^\w\s.'\"!?]", gold) and _tight(answer) == _tight(gold):
        return True
    (said, unit), (value, wanted) = _amount(answer), _amount(gold)
    if value and said == value and (unit == wanted or (wanted == "dollar" and not unit)):
        return True
    counted = _COUNTS.match(answer) and not _SCALED.match(answer)
    if counted and (number(gold) is not None or gold.rstrip().endswith("%")):
        said = read_number(answer, bare=True).value or answer
        value = gold.rstrip(" %") if "%" in answer else gold  # 0.25% is no share
        return same_number(said) == same_number(gold) or right_number(said, value)
    mine, theirs = (_LISTED.fullmatch(one) for one in (answer, gold))
    if (mine is None) != (theirs is None):  # a list without its brackets
        return same_short(mine[1] if mine else answer) == same_short(theirs[1] if theirs else gold)
    answer = answer if "[" in gold or re.match(rf"{ARRAY}\[", answer) else re.sub(r"(?<=\w)\[\d+\]\Z", "", answer)
    answer = answer if _LED.match(gold) else _LED.sub("", answer)
    return _bare(answer, gold) == _bare(gold, answer)


def _tight(answer: str) -> str:
    return "".join(plainly(answer).lower().split())


_UNITS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_AMOUNT = re.compile(
    r"(?i:(?:about|around|approximately)\s)?([$€£¥]?)(-?\d[\d.,]*(?:\s(?:thousand|million|billion|trillion)\b)?)"
    r"\s?([^\W\d][^\d]*|[$€£¥°]?)"
)


def _amount(text: str) -> tuple[str, str]:
    """The number and the unit of "$1,200", "1,200 dollars" or "5.0 km"; "" of another text."""
    found = _AMOUNT.fullmatch(plainly(text).strip().rstrip("."))
    if not found or (found[1] and found[3]) or number_in(found[2]).value is None:
        return "", ""
    unit = _UNITS.get(found[1] or found[3], found[3])
    return same_number(found[2]), re.sub(r"(?<=\w\w)s\Z", "", same_short(unit))


_COUNTS = re.compile(  # a number begins it, or words that may spell one are all of it
    r"(?i:(?:in|about|around|approximately|minus|negative|there\sare|a\stotal\sof)\s|[=≈]\s)?[$€£¥]?-?\.?\d"
    r"|(?!(?:[Aa]|[Aa]n)\Z)[A-Za-z][a-z]*(?:[\s-][a-z]+)*\Z"
)
_SCALED = re.compile(  # more than a number and its unit
    r"\D{0,4}(?:\d{3}0s|\d[\d.,]*(?:[kj]|\s(?:dozen|BCE?|squared|cubed|score|gross|quarters?|millionths)))\b"
    r"|[-\d.,]+(?:‰|;|\s(?:(?:sin|cos|tan)\s[a-z]|or\s(?!so))\b)"
)
_LISTED = re.compile(r"\s*(?:\[(?=.*\])|\((?=.*\))|\{(?=.*\}))([^\[\](){}]*)[\])}]\s*")
_LED = re.compile(r"\A(?:1\.\s|(?:In|By)\s(?=[A-ZÀ-Ý]))")
_MARK = re.compile(r"\A[.#@*](?=[^\W\d_]{2})")  # "*NSYNC"
_ARTICLE = re.compile(r"\A\s*(?:l['’](?=\w)|(?:der|die|das|le|la|les|el|los|las|il)\s(?=[A-ZÀ-Ý]))")
_NAMED = re.compile(r"\A\s*[a-z]\s?=\s?(?=[^=]*\Z)")  # "x = 5"


def _bare(answer: str, other: str) -> str:
    """The normal form without what often stands around an answer and is not in the ``other``."""
    answer = answer if _MARK.match(other) else _MARK.sub("", answer)
    answer = answer if "=" in other else _NAMED.sub("", answer)
    return same_short(_ARTICLE.sub("", re.sub(r",?\s(?:and|&)\s|;\s", ", ", answer)))
