"""Answers of question tasks: how to ask for one, how to read it from a reply, and when two are the same.

There are five formats: a number, yes or no, the letter of a choice, one word, and a short answer in a few words. Short
answers are compared as in HotpotQA: by their normal form (``normal_answer``), exact match and F1.

An answer comes after a mark: "the answer is", "Answer:", "答案是" (there is a Chinese translation of the paper), "####"
(GSM8K) or "\\boxed". The last mark counts. A reply without one is read only if the prompt asked for the answer alone.
"""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ..parse import MAX_REPLY, Read, bad, number


@dataclass(frozen=True)
class Format:
    """What an answer looks like.

    ``ask`` completes "Then write the line ...". ``read(reply, bare)`` finds the answer; with ``bare``, also in a reply
    that is an answer without a mark. ``same(answer)`` is its normal form: equal forms are the same answer.
    """

    ask: str
    read: Callable[[str, bool], Read[str]]
    same: Callable[[str], str]


_LIKELY = (
    r"(?:(?:(?:most|very|quite|more)\s)?(?:likely|probably)|almost\scertainly|presumably|possibly|perhaps|maybe|apparently"
    r"|(?:most\s)?(?:certainly|definitely)|clearly|surely|obviously|in\sall\slikelihood)"
)
_A_CHOICE = r"[\s*_]{1,4}(?:option\s)?(?:[(\[][A-Z][)\]]|(?:yes|no)\b(?!\s\w)|(?-i:[A-HJ-Z])(?![\w'’]|\s[a-z]))"
_IS = (
    rf"(?:\W{{0,4}}\b(?:is|was|equals|would(?:\s{_LIKELY})?\sbe)\b"
    rf"|\s(?:should|must|seems\sto|appears\sto)(?:\s{_LIKELY})?\sbe(?={_A_CHOICE})"  # not "should be rounded up"
    r"|[*_\s]{0,4}[:=])"
)
_ENGLISH = rf"\banswer\b(?: to [^.:\n]{{1,80}}?)?(?:,?\s{_LIKELY}\b,?)?{_IS}"
_MARK = re.compile(rf"(?:{_ENGLISH}|答案\s?(?:应该)?[是为:=]?|\#\#\#\#|\\boxed\{{)", re.IGNORECASE)
_OPINION = (
    r"(?:I\s(?:think|believe|guess|suppose|assume)|(?:I\swould|I['’]d)\s(?:say|guess|think|go\swith|pick|choose)"
    r"|my\s(?:best\s)?guess\sis|in\smy\s(?:opinion|view))(?:\sthat\b)?(?:\s(?:it|that)(?:\sis|['’]s)\b)?"
)
# possessive at its end: the copula 是 is not the answer 是
_LIKELY_CHINESE = r"(?:(?:最|很|极)?有?可能|大概率?|应该|或许|也许|我认为|我觉得|我想)(?:会)?是?+"
_HEDGE = rf"(?:\b(?:{_LIKELY}|{_OPINION})(?:\s(?:to\s)?be)?\b|{_LIKELY_CHINESE})"
# only what leaves the answer as it is: never "not" or "unlikely"
_HEDGES = rf"(?:[^\w\n]{{0,6}}{_HEDGE}){{1,3}}[)\],:*]{{0,3}}"


def _tidy(text: str) -> str:
    """The end of a reply with full-width forms, LaTeX and Unicode signs replaced; "2½" becomes "2 1/2"."""
    text = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text[-MAX_REPLY:])
    text = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("−", "-").replace("{,}", ",")
    text = text.replace("\\times", "×").replace("\\cdot", "·")
    return re.sub(r"\\[dt]?frac\s?\{(\d{1,12})\}\s?\{(\d{1,12})\}", r" \1/\2", text)


# before full-width forms are made plain, which would read 4² as 42; "m²" is a unit and stays
_POWER = re.compile(r"(?<=[\d)])\s?(?=[⁰¹²³⁴-⁹⁻])")


def _line(text: str) -> str:
    """The first line that is not empty or mere markup."""
    return next((line for line in text.splitlines() if line.strip(" *_`:")), "")


# ---------------------------------------------------------------- numbers

_INTEGER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:['’]\d{3})+|\d+)"
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "万": 4, "亿": 8, "万亿": 12}
_SCALES |= {"k": 3, "m": 6, "b": 9}  # behind money only: elsewhere 5k is a race, and 5m a length
_NUMBER = re.compile(
    rf"(?<![\w.,/^])(?P<sign>-\s?)?(?:(?P<cash>[$€£¥])\s?(?P<inner>-)?)?"
    rf"(?:(?P<alone>10)(?=\s?\^)|(?P<whole>{_INTEGER}(?:\.\d+)?|\.\d+))"
    r"(?:\s?/\s?(?P<den>\d+)|\s(?P<top>\d+)\s?/\s?(?P<bottom>\d+))?"
    r"(?:(?:e|(?(alone)\s?|\s?[x×*·]\s?10\s?)\^\s?\{?)(?P<power>[-+]?\d{1,3})(?!\d|\.\d)\}?)?"
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion)(?![a-z])|\s?(?P<wan>万亿|[万亿])"
    r"|(?(cash)(?P<short>[kmb])(?![a-z\d])|(?!)))?+"
    r"(?![\d/:^]|[.,'’]\d|_\d|e[-+]?\d|\s\d{3}(?!\d)|\s?\*\*\s?\d|(?(scale)\s\d|(?!)))",
    re.ASCII | re.IGNORECASE,
)
_EQUATION = re.compile(r"[\s*_$]*(?:[a-z]|[-\d\s.,/+*×x÷^()$€£¥]{1,80})\s?=", re.ASCII | re.IGNORECASE)
_ANOTHER = re.compile(r"[,;、]?\s?(?:\(?or|to|and|[-–+*×x÷]|或|至|到)?\s?[$€£¥]?\d")
_DENIED = re.compile(
    r"[\W_]*(?:\b(?:not|never)\s(?:(?:quite|exactly|just|simply)\s)?|(?:并)?不是\s?)(?=[-$€£¥]{0,2}\d)"
)
_INSTEAD = re.compile(r"[^\w\n]{0,3}(?:(?:but(?:\srather)?|rather|instead|it\sis)[^\w\n]{1,2}|而?是\s?)", re.IGNORECASE)
_HALF = re.compile(r"(?<=\d)\sand\s(?:a|one)[\s-]half\b", re.IGNORECASE)


def read_number(reply: str, bare: bool = False) -> Read[str]:
    """The number that a reply gives as its answer, as "1234.50", "-3" or "3/4": ``tot.parse.number`` reads these.

    Commas, currency and what follows (units, full stops) are dropped; in "x = 5 + 3 = 8" the 8 counts; "2 1/2" becomes
    "5/2", "1.5 million", "1.5e6" and "1.5 x 10^6" become "1500000"; of "not 3 but 4" the 4 counts. Refused are "3 or 4"
    and "3, 4", "6 * 7", "4^2", a time (12:30), and a number with odd commas. With ``bare``, the only number on the last
    line is enough.
    """
    text = _tidy(_POWER.sub("^", reply[-MAX_REPLY:]))
    marks = [*_MARK.finditer(text)]
    if not marks and not bare:
        return bad("no answer named", reply)
    said = _line(text[marks[-1].end() :]) if marks else _line("\n".join(reversed(text.splitlines())))
    said = _HALF.sub(" 1/2", said[:300])
    while equation := _EQUATION.match(said):
        said = said[equation.end() :]
    if denied := _DENIED.match(said):
        no = _NUMBER.match(said, denied.end())
        instead = _INSTEAD.match(said, no.end()) if no else None
        if not instead:
            return bad("only a number that is not the answer", reply)
        said = said[instead.end() :]
    digit, found = re.search(r"\d", said, re.ASCII), _NUMBER.search(said)
    if not digit:
        return bad("no number in the answer", reply)
    if not found or found.start() > digit.start():
        return bad("not a number", reply)
    if _ANOTHER.match(said, found.end()) or (not marks and re.search(r"\d", said[found.end() :])):
        return bad("several numbers in the answer", reply)
    answer = _plain(found)
    return Read(answer, text=found[0].strip()) if number(answer) is not None else bad("not a number", reply)


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


def same_number(answer: str) -> str:
    """The value to six places, so that 1/3 equals 0.333333333; a text without a number stays as it is."""
    value = number(read_number(answer, bare=True).value or "")
    return " ".join(answer.split()) if value is None else str(round(value, 6))


# ---------------------------------------------------------------- yes or no

_YES = ("yes", "true", "是", "是的", "对", "对的")
_WORD = r"(?P<word>yes|no|true|false|不是|不对|是的|对的|是|否|对|错)(?!\w)"
_CHINESE = r"答案\s?(?:应该)?[是为:=]?+"  # possessive: the copula 是 is not the answer 是
_ENDS = r"(?=[^\w\n]*$|\s?[^\w\s]|\s(?:because|since|as|given|but|and|or)\b)"  # not "probably no one"
_VERDICT = rf"(?P<hedge>{_HEDGES})?\W{{0,8}}{_WORD}(?(hedge){_ENDS})"
_SAID = re.compile(
    rf"(?:{_ENGLISH}|{_CHINESE}|\#\#\#\#|\\boxed\{{(?:\\text\{{)?){_VERDICT}", re.IGNORECASE | re.MULTILINE
)
_FIRST = re.compile(_VERDICT, re.IGNORECASE)
_OR_ELSE = re.compile(rf"\W{{0,6}}(?:or|and|but|/|,|或者?|还是|和)(?:{_HEDGES})?\W{{0,6}}{_WORD}{_ENDS}", re.IGNORECASE)


def read_yes_no(reply: str, bare: bool = False) -> Read[str]:
    """The "yes" or "no" that a reply gives as its answer; true, false, 是 and 否 are read, too.

    Hedges before it count for nothing: "probably yes" is yes. "Probably not" and "unlikely" are neither yes nor no. A
    line that gives both ("yes or no", an echo of the prompt) is refused. With ``bare``, the first word of the reply or
    of its last line is enough.
    """
    text = _tidy(reply)
    lines = [line for line in text.splitlines() if line.strip()]
    found = [*_SAID.finditer(text)]
    if found:
        last = text.rfind("\n", 0, found[-1].start()) + 1
        found = [match for match in found if match.start() >= last]
    elif bare and not _MARK.search(text):
        found = [m for line in (lines[:1], lines[-1:]) for m in map(_FIRST.match, line) if m][:1]
    found += [other for match in found if (other := _OR_ELSE.match(match.string, match.end("word")))]
    words = [match["word"].lower() for match in found]
    verdicts = {word in _YES for word in words}
    if len(verdicts) != 1:
        return bad("both yes and no in the answer" if verdicts else "no yes or no in the answer", reply)
    return Read("yes" if verdicts.pop() else "no", text=words[-1])


# ---------------------------------------------------------------- the letter of a choice

_DRESS = r"[\s*_:\"'`“”‘’$({\[]{0,8}"
_PICK = rf"{_DRESS}(?:\\text\{{)?(?:(?:choice|option|选项)\s?)?{_DRESS}(?P<letter>[A-Za-z])(?![A-Za-z0-9])"
_PICKED = re.compile(rf"(?P<hedge>{_HEDGES})?{_PICK}(?P<close>[)\]])?", re.IGNORECASE)
_LISTED = re.compile(
    rf"(?P<hedge>{_HEDGES})?{_PICK}(?:[)\].:]|[\s*_\"'`”’]*\.?$|(?(hedge)[*_\"'”’]{{0,3}}(?:[,;.]|\s(?:because|since|as)\b)|(?!)))",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\s+(?!because\b|since\b|as\b|is\b)[a-z]")
_LETTER = r"(?:[(\[]\s?[A-Z]\s?[)\]]|(?-i:[B-HJ-Z])(?![\w'’])|(?-i:A)(?=[^\w\n]*$|[.,;]))"
_ON = r"(?:(?!\b(?:because|since|as|not|nor|neither|than)\b)[^.;:!?\n]){0,60}?"
_OTHER = re.compile(
    r"[\s*_)\]]{0,4}(?:or|and|/|&|或|和)[\s*_(\[]{0,4}[A-Z](?![A-Za-z])"
    rf"|{_ON}(?:\b(?:or|but)\b|或者?|还是|,)(?:{_HEDGES})?[\s*_]{{0,4}}(?:(?:choice|option|选项)\s?)?[*_]{{0,2}}{_LETTER}",
    re.IGNORECASE,
)


def read_letter(reply: str, bare: bool = False) -> Read[str]:
    """The letter of the choice that a reply gives as its answer, as a capital: "B", "(b)", "B) a bird", "option B".

    Hedges before it count for nothing: "most likely (C)" is C, "not (C)" is no letter. "A" before a word is an article,
    a small letter must stand in brackets or alone, and "A or B" is refused. With ``bare``, a letter is enough that
    begins the first or last line as in a list, or is all of it.
    """
    text = _tidy(reply)
    marks = [*_MARK.finditer(text)]
    lines = [line for line in text.splitlines() if line.strip()]
    if marks:
        said = _line(text[marks[-1].end() :])[:300]
        found = _PICKED.match(said)
    else:
        ends = (lines[0][:300], lines[-1][:300]) if bare and lines else ()
        said, found = next(((line, match) for line in ends if (match := _LISTED.match(line))), ("", None))
    if not found:
        return bad("no letter in the answer" if marks else "no answer named", reply)
    if _OTHER.match(said, found.end("letter")):
        return bad("several letters in the answer", reply)
    letter, after = found["letter"], said[found.end("letter") :]
    word_follows = bool(_ARTICLE.match(after)) and "(" not in said[: found.start("letter")]
    if (letter.islower() or letter in "AI") and word_follows:  # "A bank", "I believe"
        return bad("no letter in the answer", reply)
    return Read(letter.upper(), text=found[0].strip())


# ---------------------------------------------------------------- a word

_SPELLED = re.compile(r"(?:[A-Za-z][\s,.\-+]{1,3}){1,39}[A-Za-z](?![A-Za-z])")
_QUOTED = re.compile(r"[\"'`“‘*]{1,3}([A-Za-z]{1,40})[.,]?[\"'`”’*]{1,3}")
_ONE = re.compile(r"(?:the (?:word|string|letters?) )?([A-Za-z]{1,40})(?![A-Za-z\d]|[ \-]+[A-Za-z\d])", re.IGNORECASE)


def read_word(reply: str, bare: bool = False) -> Read[str]:
    """The one word that a reply gives as its answer, in small letters: yajo, "Yajo", y-a-j-o and y a j o are the same.

    Several words are refused. With ``bare``, a last line that is only one word is enough.
    """
    text = _tidy(reply)
    marks = [*_MARK.finditer(text)]
    if not marks and not bare:
        return bad("no answer named", reply)
    said = _line(text[marks[-1].end() :]) if marks else _line("\n".join(reversed(text.splitlines())))
    said = re.sub(r"\\text\{", "", said[:300].rpartition("=")[2]).lstrip(" *_`:$({[\"'“‘")
    spelled, one, quoted = _SPELLED.match(said), _ONE.match(said), _QUOTED.search(said)
    if spelled:
        word = re.sub(r"[^A-Za-z]", "", spelled[0])
    elif word_found := one or quoted:
        word = word_found[1]
    else:
        return bad("not one word in the answer", reply)
    return Read(word.lower(), text=said)


# ---------------------------------------------------------------- a short answer, as in HotpotQA

MAX_SHORT = 200  # characters of a short answer
_NAMED = re.compile(
    r"\banswer\b(?:\s+to\s[^.:\n]{1,80}?)?(?:\s+(?:is|was)\b[\s*_]*:?|[\s*_]*:)|\bFinish(?=\[)", re.IGNORECASE
)
_AROUND = "*_`\"'“”[]: "
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = ("yes", "no", "noanswer")


def read_short(reply: str, bare: bool = False) -> Read[str]:
    """The short answer at the end of a reply: what follows the last "answer is" or "Answer:" on its line.

    Quotes, brackets, markup and the full stop around it are dropped. With ``bare``, the first line of a reply without
    such a mark is enough.
    """
    text = reply.strip()[-MAX_REPLY:]
    marks = [*_NAMED.finditer(text)]
    if not marks and not bare:
        return bad("no answer named", reply)
    said = text[marks[-1].end() :] if marks else text
    line = next((line for line in said.splitlines() if re.search(r"\w", line)), "")
    answer = " ".join(line.split()).lstrip(_AROUND).rstrip(_AROUND + ".")
    if not re.search(r"\w", answer):
        return bad("no answer named", reply)
    if len(answer) > MAX_SHORT:
        return bad("not a short answer", reply)
    return Read(answer, text=answer)


def normal_answer(answer: str) -> str:
    """An answer as SQuAD and HotpotQA compare it: small letters, no ASCII punctuation, no articles, single spaces."""
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, gold: str) -> bool:
    """EM of HotpotQA (Yang et al. 2018): equal after ``normal_answer``. Two answers without a word are equal."""
    return normal_answer(answer) == normal_answer(gold)


def f1(answer: str, gold: str) -> float:
    """F1 of HotpotQA's official evaluation: the harmonic mean of precision and recall over words, order ignored.

    Where one side is yes, no or noanswer, partial agreement counts as 0; so do answers that share no word.
    """
    said, right = normal_answer(answer), normal_answer(gold)
    if said != right and (said in _CLOSED or right in _CLOSED):
        return 0.0
    words, wanted = Counter(said.split()), Counter(right.split())
    common = (words & wanted).total()
    return 2 * common / (words.total() + wanted.total()) if common else 0.0


# ---------------------------------------------------------------- the formats


def _as_read(read: Callable[[str, bool], Read[str]], answer: str) -> str:
    """What ``read`` finds in an answer; a text in which it finds nothing, in lower case and with single spaces."""
    return read(answer, True).value or " ".join(answer.lower().split())


NUMBER = Format('"The answer is" and the number', read_number, same_number)
YES_NO = Format('"The answer is yes" or "The answer is no"', read_yes_no, partial(_as_read, read_yes_no))
LETTER = Format('"The answer is" and the letter of the choice', read_letter, partial(_as_read, read_letter))
WORD = Format('"The answer is" and the word', read_word, partial(_as_read, read_word))
SHORT = Format('"The answer is" and the answer in one to five words', read_short, normal_answer)
