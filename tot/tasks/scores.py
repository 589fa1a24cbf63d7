"""What score a judge gives: after the word for it in seven languages, with a scale, or alone. A range is no score."""

import re
from fractions import Fraction
from functools import cache

from ..parse import LONG_REPLY, MAX_REPLY, Judgement, Read, bad, shorten
from ..reply import data_in, ended, member, one_of, taken_back, unwrapped
from .numbers import tidy

_TO = r"(?:-|–|to\b|or\b|or perhaps\b|bis\b|oder\b|à\b|至|到|或)"
_POINTS = (  # a number that is not part of another number or of a range such as "0 to 1"
    rf"(?P<points>-?(?:\d{{1,9}}(?:[.,]\d{{1,9}})?|\.\d{{1,9}}))(?![A-Za-z]|[.,:]?\d|\s?{_TO}\s?\.?\d)"
    r"(?:\s?(?P<percent>%)|\s?(?:/|out of|of|von|sur|de|из)\s?(?P<most>\d{1,9}(?:\.\d{1,9})?)"
    r"|(?P<unit>分|点|\spoints?\b|\spunkt\w*))?"
)
_BEFORE = r"[^\w\n]{0,3}?(?:\([^()\n]{0,60}\))?[^\w\n]{0,6}?"


@cache
def _scores() -> dict[str, re.Pattern[str]]:
    be = r"(?:(?:is|of|as|ist|est|es|为|是|は|это)(?:\b|(?=\d))[^\w\n]{0,4}?)?"
    about = r"(?:(?:as|at|with|a|an|about|around|of|is|passage|plan|solid|strong|full|rough)\b[^\w\n]{0,4}){0,3}"
    talked = (  # "the score for this plan would therefore be about 0.8", "I score it at 0.8"
        r"(?:(?:for|of)\s(?:[a-z]{1,12}\s){1,4}?(?=is|would)"
        r"|(?:is|of|as|at|it|would|be|a|an|about|around|therefore|now|only|still|ist|est|es|为|是|は)(?:\b|(?=\d))"
        r"[^\w\n]{0,4}?){0,4}"
    )
    end = r"(?![ ]?(?:%[ ])?(?:paragraph|sentence|step|line|transition|word|number|year)s?\b)"
    mark = rf"(?<![A-Za-z]){one_of('score')}(?![a-zà-ÿа-я]|\sof\s\d\s?=){_BEFORE}"
    return {
        "marked": re.compile(mark + be + _POINTS + end, re.I),
        "talked": re.compile(mark + talked + _POINTS + end, re.I),
        "granted": re.compile(rf"(?<!\w){one_of('grants')}(?!\w)[^\w\n]{{0,4}}{about}{_POINTS}{end}", re.I),
        "scaled": re.compile(rf"(?<![\w.,/(]){_POINTS}", re.I),
        "alone": re.compile(
            rf"[\s*_#>`\"'(\[]*{_POINTS}[\s*_`\"')\].!]*|\W{{0,3}}(?P<first>0[.,]\d{{1,3}})\s?[-–—:,](?=\s)", re.I
        ),
    }


_LABEL = re.compile(r"^[^\w\n]{0,6}(?:reason|why|feedback)\b(?=[^\w\n]{0,3}:)", re.IGNORECASE)
_HEADING = re.compile(r"^([^\w\n]{0,8}(?:[a-z]{1,12} ){0,2}score[^\w\n]{0,8})\n\s*", re.IGNORECASE | re.MULTILINE)
_CORRECTED = re.compile(  # "0.5, no, rather 0.6", "it is not a 10, but certainly a 9"
    r"[,;.–—-]?\s(?:no|wait|or rather|actually|better|sorry|make that|but)\b[^\d\n]{0,24}?"
    r"(?P<points>\d{1,3}(?:[.,]\d{1,3})?)(?![\d/]|\.\d)",
    re.I,
)
_SPELLED = {
    word: str(n)
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}
_SPELLED_IS = re.compile(rf"(\b(?:score|rating)\s?(?:is|of|:)\s)({'|'.join(_SPELLED)})\b", re.IGNORECASE)
_SPELLED_ALONE = re.compile(rf"\A\W*({'|'.join(_SPELLED)})\W*\Z", re.IGNORECASE)
_SPELLED_OF = re.compile(rf"\b({'|'.join(_SPELLED)})\s(out\sof|of|points?)(?:\s(ten))?\b", re.IGNORECASE)


def points_in(text: str, *, last: bool) -> Read[tuple[Fraction, bool, list[str]]]:
    """The score that a reply gives, divided by its scale if it names one, whether it does, and the pieces that say so.

    After the word "score" in seven languages, after "I give it", with a scale ("8/10"), or alone on the first or last
    line. Of different ones none is read, unless they are a correction or, with ``last``, the last stands in a form
    such as "Score: 0.8".
    """
    text = _SPELLED_ALONE.sub(lambda said: _SPELLED[said[1].lower()], text.replace("½", ".5"))
    text = _SPELLED_IS.sub(lambda said: said[1] + _SPELLED[said[2].lower()], text)
    text = _SPELLED_OF.sub(
        lambda said: f"{_SPELLED[said[1].lower()]}/10" if said[3] else f"{_SPELLED[said[1].lower()]} {said[2]}", text
    )
    patterns, lines = _scores(), text.splitlines()
    found = (
        [*patterns["talked" if last else "marked"].finditer(text)]
        or [*patterns["talked"].finditer(text)]
        or [*patterns["granted"].finditer(text)]
    )
    if not found:
        found = [
            one
            for line in dict.fromkeys((*lines[:1], *lines[-1:]))
            if (one := patterns["alone"].fullmatch(line) or patterns["alone"].match(line))
            and (one["first"] or one.end() == len(line))
        ]
    if not found:  # "It reads smoothly. 10/10!"
        found = [
            one for one in patterns["scaled"].finditer(text) if one["most"] and not re.search(r"\w", text[one.end() :])
        ]
    if last and found:  # "Score: 0.7, as a score of 1 would need ..."
        found = ([one for one in found if re.search("[:：=]", one[0])] or found)[-1:]
    if len({_points(one) for one in found}) > 1:
        found = [one for one in found if re.search("[:：=]", one[0])] or found
    if (
        len(found) > 1
        and found[-1].end() >= len(text.rstrip(". "))
        and found[-1]["points"] != found[-2]["points"]
        and found[-2]["points"].startswith(found[-1]["points"])
    ):
        found.pop()  # of a loop that was cut off
    if any(re.search(r"\bbetween\b", one[0]) for one in found):
        return bad("a range and no score", text)
    pieces = [one[0] for one in found]
    values = [_points(one) for one in found]
    if found and taken_back(after := text[found[-1].end() :]):
        again = [*patterns["granted"].finditer(after)] or [*patterns["talked"].finditer(after)]
        if not again:
            return bad("the score is taken back", text)
        return Read(
            (_points(again[-1]) or Fraction(-1), _scaled(again[-1]), [*pieces, again[-1][0]]), text=again[-1][0]
        )
    if found and (corrected := _CORRECTED.match(text, found[-1].end())):
        return Read(
            (Fraction(corrected["points"].replace(",", ".")), False, [*pieces, corrected[0]]), text=corrected[0]
        )
    if len(set(values)) > 1 and taken_back(text[found[0].end() :]):
        values = values[-1:]
    if values == [None]:
        return bad(f"a score of {found[-1]['points']}, which is not from 0 to 1", text)
    if len(set(values)) != 1 or values[0] is None:
        return bad("several scores in the reply" if values else "no score in the reply", text)
    if re.match(r"\sfor\s\w+,?\s(?:and\s)?[.\d]|,\s[.\d]+\sfor\b|,(?:\s\w+){1,4}\san?\s\d", text[found[-1].end() :]):
        return bad("several scores in the reply", text)
    return Read((values[0], _scaled(found[-1]), pieces), text=found[-1][0].strip())


def _scaled(match: re.Match[str]) -> bool:
    return bool(match["percent"] or match["most"])


def _points(match: re.Match[str]) -> Fraction | None:
    """The matched score divided by its scale; None if the scale is 0."""
    most = Fraction(100) if match["percent"] else Fraction(match["most"] or 1)
    points = Fraction((match["points"] or match.groupdict().get("first") or "").replace(",", "."))
    return points / most if most else None


def score(text: str, *, last: bool = False) -> Read[Judgement]:
    """A judge's score from 0 to 1 (see ``points_in``); the rest is the reason.

    "8/10", "8 out of 10" and "80%" are 0.8. The read fails for a number outside 0 to 1 without a scale (8), for two
    different scores, for a range, and for words only. With ``last``, for judges who reason at length before they give
    their score: of several the last counts that stands in a form such as "Score: 0.8", and the reason is kept whole (up
    to ``LONG_REPLY`` characters).
    """
    text = ended(text)
    data = data_in(text) if "{" in text else None
    text = _HEADING.sub(r"\1: ", text.strip()[-LONG_REPLY:]) if last else text.strip()[:MAX_REPLY]
    if isinstance(data, dict) and (said := member(data, "score_members")) is not None:
        given = points_in(f"Score: {said}", last=last)
        reason = " ".join(str(value) for value in data.values() if isinstance(value, str) and value != said)
        pieces: list[str] = []
    else:
        given, reason = points_in(_tidied(text), last=last), text
        pieces = given.value[2] if given.value else []
        reason = text if all(piece in text for piece in pieces) else _tidied(text)
    if given.value is None:
        return bad(given.why, text)
    value = given.value[0]
    if not 0 <= value <= 1:
        said = re.search(r"-?\.?\d[\d.,]*", given.text)
        return bad(f"a score of {said[0] if said else value}, which is not from 0 to 1", text)
    for piece in pieces:
        before, found, after = reason.rpartition(piece) if last else reason.partition(piece)
        reason = f"{before}\n{after}" if found else reason
    kept = (_LABEL.sub("", line).strip(' \t*_#>`|,;:.-{}[]()"') for line in reason.splitlines())
    why = shorten(" ".join(filter(None, kept)), LONG_REPLY if last else 300)
    return Read(Judgement(float(value), why), text=given.text)


def _tidied(text: str) -> str:
    if text.isascii() and "\\" not in text:
        return text
    return unwrapped("\n".join(tidy(line) for line in text.splitlines()).replace("\\boxed{", "score: "))
