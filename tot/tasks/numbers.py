"""Reads the number that an answer gives: signs, separators, fractions, powers, scales, words; of several, which.

Where a sentence names several quantities, the one that it calls the result counts ("5 dozen, so 60"), or the only one
that is no circumstance ("after 5 days it holds 35 litres"). A compound ("5 hours and 30 minutes") is no number.
"""

import re
import unicodedata
from fractions import Fraction
from functools import cache

from ..parse import MAX_REPLY, Read, bad, number
from ..reply import one_of, words

_INTEGER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:['’]\d{3})+|\d+)"
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "万": 4, "亿": 8, "万亿": 12}
_SCALES |= {"k": 3, "m": 6, "b": 9}  # behind money only: elsewhere 5k is a race, and 5m a length
_SCALES |= {"тыс": 3, "mille": 3, "mil": 3, "tausend": 3, "millionen": 6, "millions": 6, "millones": 6}
_NUMBER = re.compile(
    rf"(?<![\w.,/^])(?P<sign>-)?(?:(?P<cash>[$€£¥])\s?(?P<inner>-)?)?"
    rf"(?:(?P<alone>10)(?=\s?\^)|(?P<whole>{_INTEGER}(?:\.\d+)?|\.\d+))"
    r"(?:\s?/\s?(?P<den>\d+)|\s(?P<top>\d+)\s?/\s?(?P<bottom>\d+))?"
    r"(?:(?:e|(?(alone)\s?|\s?[x×*·]\s?10\s?)\^\s?\{?)(?P<power>[-+]?\d{1,3})(?!\d|\.\d)\}?)?"
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|mille|mil|tausend|millionen|millions|millones|тыс)(?!\w)"
    r"|\s?(?P<wan>万亿|[万亿])"
    r"|(?(cash)(?P<short>[kmb])(?![a-z\d])|(?!)))?+"
    r"(?![\d/:^]|[.,'’]\d|_\d|e[-+]?\d|\s\d{3}(?!\d)|\s?\*\*\s?\d|(?(scale)\s\d|(?!)))",
    re.ASCII | re.IGNORECASE,
)
_MATHS = r"[\s*_$]*(?:[a-z]|[-\d\s.,/+*×x÷^()$€£¥·]{1,80})\s?[=≈]"
_EQUATION = re.compile(_MATHS, re.ASCII | re.IGNORECASE)
_OPERATOR = re.compile(
    r"\s?(?:[*×x÷+](?=[\s$]?\d)|[-–]\s?\d|%?\s?(?:of|more|less|fewer|times|greater|older|younger)\b)", re.I
)
_ANOTHER = re.compile(
    r"[,;、]?\s?(?:\(?or|to|and|[-–+*×x÷]|或|至|到|oder|bis|ou|à|o|или|y)?\s?[$€£¥]?\d", re.IGNORECASE
)
# "5 hours and 30 minutes", "7 apples and 3 oranges", "12 for Ann and 6 for Bob", "2 hours 30 minutes"
_COMPOUND = re.compile(
    r"\s?[^\W\d]+(?:\s[^\W\d]+){0,3}(?:,?\s(?:and|or|und|oder|et|ou|y|и|или)\s|,\s|\s?[和と]\s?|\s)[$€£¥]?\d(?!\w*\s?=)"
)
_CLOCK = re.compile(r"\s?(?:a\.?\s?m\b|p\.?\s?m\b|o['’]clock|uhr\b)", re.IGNORECASE)
_DASH = re.compile(r"(?<![\d\w)%°])[‐-―−﹣－](?=[$€£¥]?\d)")
_HALF = re.compile(r"(?<=\d)\sand\s(?:a|one)[\s-]half\b", re.IGNORECASE)
# before full-width forms are made plain, which would read 4² as 42; "m²" is a unit and stays
_POWER = re.compile(r"(?<=[\d)])\s?(?=[⁰¹²³⁴-⁹⁻])")
_THIN = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
_GERMAN = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+),(\d{1,2})(?!\d)")
_WORD = re.compile(r"\W{0,6}([a-z]+(?:[\s-](?:and\s)?[a-z]+){0,7})", re.IGNORECASE)


def tidy(text: str) -> str:
    """The end of a reply with full-width forms, LaTeX and Unicode signs replaced; "2½" becomes "2 1/2"."""
    text = _POWER.sub("^", text[-MAX_REPLY:])
    text = _DASH.sub("-", _THIN.sub("'", text))
    text = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)
    text = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("−", "-").replace("{,}", ",")
    text = text.replace("\\times", "×").replace("\\cdot", "·").replace("\\,", " ")
    text = re.sub(r"\\[dt]?frac\s?(\d)\s?(\d)(?!\d)", r" \1/\2", text)
    return re.sub(r"\\[dt]?frac\s?\{(\d{1,12})\}\s?\{(\d{1,12})\}", r" \1/\2", text)


def numbers_in(text: str) -> int:
    """How many numbers a tidy text has."""
    return sum(1 for _ in _NUMBER.finditer(_HALF.sub(" 1/2", text)))


def european(text: str) -> str:
    """Numbers as German, French, Spanish and Russian write them in our own form: "1.850,50" and "12 000" and "12,5"."""
    text = re.sub(r"(?<=\d)[ ](?=\d{3}(?!\d))", "'", text)
    text = re.sub(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])", lambda whole: whole[0].replace(".", ""), text)
    return re.sub(r"(?<=\d),(?=\d)", ".", text)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        "denied": re.compile(
            rf"[\W_]*(?<!\w){one_of('not')}\s?(?:(?:quite|exactly|just|simply|einfach)\s)?(?=[-$€£¥]{{0,2}}\d)", re.I
        ),
        "instead": re.compile(
            r"[^\w\n]{0,3}(?:(?:but(?:\srather)?|rather|instead|it\sis|it['’]s|sondern|mais|sino|а|но)[^\w\n]{1,2}|而?是\s?)",
            re.I,
        ),
        "minus": re.compile(rf"(?<!\w)(?<!\d\s){one_of('minus')}\s?(?=[$€£¥]?\d)", re.I),
        "below": re.compile(rf"(-?)(\d[\d.,]*)((?:\s?°?\s?[a-z°]{{1,9}})?\s{one_of('below')})", re.I),
        "tail": re.compile(
            rf"\.\s|[!?。]|[;；](?!\s?\d)|:\s(?!\d)|\s?\((?!or\b|oder\b)|,?\s(?:{one_of('because')}|if)(?!\w)|,?(?:因为|なぜなら)",
            re.I,
        ),
        "so": re.compile(rf"(?<!\w){one_of('so')}(?!\w)[^\w\n$€£¥-]*(?:(?:that|is|are|it['’]s|it is)\s)?", re.I),
        "around": re.compile(rf"(?<!\w){one_of('around')}\s[$€£¥]?$", re.I),
    }


def number_in(said: str) -> Read[str]:
    """The number that ``said`` gives, a tidy text on one line, as "1234.50", "-3" or "3/4"."""
    patterns = _patterns()
    said = _GERMAN.sub(lambda found: found[1].replace(".", "") + "." + found[2], _HALF.sub(" 1/2", said[:300]))
    said = re.sub(r"\d+\s?\w?(?:あたり|当たり|につき)", "", said)
    said = re.sub(r"(\d),(\d{1,2})(?=\s?(?:€|EUR\b|euros?\b))", r"\1.\2", said, flags=re.IGNORECASE)
    said = patterns["below"].sub(r"-\2\3", patterns["minus"].sub("-", said))
    if re.match(r"\W*[a-z]\s?[-+*/×]\s?\d|.*\b(?:between|zwischen|entre)\b|.*между", said, re.IGNORECASE):
        return bad("an expression or a range and no number", said)
    if denied := patterns["denied"].match(said):
        no = _NUMBER.match(said, denied.end())
        said = re.sub(r"\s?\([^()]{0,60}\)", "", said)  # "not 16 (these are the girls) but 12"
        instead = patterns["instead"].match(said, no.end()) if no else None
        if not instead:
            return bad("only a number that is not the answer", said)
        said = said[instead.end() :]
    while equation := _EQUATION.match(said):
        said = said[equation.end() :]
        said = re.sub(r"^(\s*)-\s(?=\d)", r"\1-", said)
    first = re.search(r"\d", said, re.ASCII)
    if not first:
        return _spelled(said)
    if re.match(r"[<>≥≤]", said[max(first.start() - 2, 0) :].lstrip("$ ")) or re.search(
        r"[<>≥≤]\s?[$€£¥]?$", said[: first.start()]
    ):
        return bad("a bound and no number", said)
    clause = _clause(said, first.start())
    found = [*_NUMBER.finditer(clause)]
    if not found or (found[0].start() > first.start() and said[first.start()] not in clause[: found[0].start()]):
        return bad("not a number", said)
    return _one_of_them(clause, found)


def _clause(said: str, first: int) -> str:
    """The part of a sentence that gives the answer: up to a remark, and behind the last "so" or "=" with a number."""
    tail = next((end for end in _patterns()["tail"].finditer(said) if end.start() > first), None)
    clause = said[: tail.start()] if tail else said
    for result in reversed([*_patterns()["so"].finditer(clause)]):
        found = _NUMBER.search(clause, result.end())
        if found and not _OPERATOR.match(clause, found.end()) and re.search(r"\d", clause[: result.start()]):
            return clause[result.end() :]
    before, equals, after = clause.rpartition("=")
    return after if equals and _NUMBER.search(after) and re.search(r"\d[^=]*$", before) else clause


def _one_of_them(clause: str, found: list[re.Match[str]]) -> Read[str]:
    digit = re.search(r"\d", clause, re.ASCII)
    if digit and found[0].start() > digit.start():
        return bad("not a number", clause)
    begins = not re.search(r"[^\W\d_]{2}", clause[: found[0].start()])
    if begins:
        rest = clause[found[0].end() :]
        if _ANOTHER.match(rest) or _COMPOUND.match(rest) or _CLOCK.match(rest):
            return bad("several numbers in the answer", clause)
        answer = found[0]
    else:
        free = [one for one in found if not _patterns()["around"].search(clause[: one.start()])]
        if len(free) != 1 and len(found) != 1:
            return bad("several numbers in the answer", clause)
        answer = free[0] if len(free) == 1 else found[0]
        rest = clause[answer.end() :]
        if _ANOTHER.match(rest) or _CLOCK.match(rest):
            return bad("several numbers in the answer", clause)
    plain = _plain(answer)
    return Read(plain, text=answer[0].strip()) if number(plain) is not None else bad("not a number", clause)


def _plain(found: re.Match[str]) -> str:
    sign = "-" if found["sign"] or found["inner"] else ""
    whole = re.sub(r"[,'’]", "", found["whole"] or "1")
    whole = f"0{whole}" if whole.startswith(".") else whole
    if found["top"] and whole.isdigit() and len(found[0]) < 40:
        plain = f"{sign}{int(whole) * int(found['bottom']) + int(found['top'])}/{found['bottom']}"
    else:
        plain = sign + whole + (f"/{found['den']}" if found["den"] else "")
    scale = found["scale"] or found["wan"] or found["short"]
    power = int(found["power"] or 0) + (_SCALES[scale.lower()] if scale else 0)
    value = number(plain) if power else None
    if value is None:
        return plain
    return str(value * Fraction(10) ** power) if abs(power) < 40 else ""  # no answer has so many digits


def _spelled(said: str) -> Read[str]:
    """A number in English words that begins the answer, or is all of it: "twenty-nine", "one hundred and five"."""
    known = words()["number_words"]
    found = _WORD.match(said)
    total, part, used = 0, 0, list[str]()
    for word in re.split(r"[\s-]+", found[1].lower()) if found else ():
        if word == "and" and used:
            continue
        if word not in known:
            break
        used.append(word)
        value = known[word]
        if value == 100:
            part = max(part, 1) * 100
        elif value > 100:
            total, part = total + max(part, 1) * value, 0
        else:
            part += value
    alone = used == ["one"] and re.search(r"one\s+[a-z]", said, re.IGNORECASE)  # "one of them" is no number
    if not used or alone or len(used) > 6:
        return bad("no number in the answer", said)
    return Read(str(total + part), text=" ".join(used))
