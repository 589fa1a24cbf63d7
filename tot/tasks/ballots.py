"""What a ballot votes for: one of several choices, counted from 1, in the words of seven languages.

A choice that is denied, only compared ("better than choice 1") or one of several that nobody picks is no vote.
"""

import re
from functools import cache

from ..parse import Read, bad
from ..reply import data_in, ended, member, one_of, put_right, taken_back, unwrapped, words
from .numbers import tidy

_AND_OTHER = re.compile(
    r"[^\w.\n]{0,4}(?:and|or|/|&|和|或|und|oder|et|ou|y|o|и|или|と)[^\w\n]{0,4}(?:choice|选择)?[^\w\n]{0,4}\d", re.I
)
_ALONE = re.compile(r"\A\W*(?<!-)([0-9]{1,4})\W*\Z")
_CITED = re.compile(r"\[(?P<number>\d{1,2})\]")
_RANKED = re.compile(
    r"(?:\A|[:\n]\s*)\W{0,3}(?:choice\s)?(\d{1,2})(?:\s*[>»≻]\s*(?:choice\s)?\d{1,2}){1,9}", re.IGNORECASE
)
_TICKED = re.compile(r"(\d{1,3})\W{0,3}(?:☑|✓|✔|✅|\[x\])", re.IGNORECASE)
_SAID_YES = re.compile(r"(?m)^\W{0,4}(\d{1,3})\b[^\n\d]{0,40}[|:]\W{0,3}(?:yes|ja|oui|sí|да|是)\b", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s?\{\W{0,3}(?:\\text\{)?\W{0,3}(?:choice\s)?(\d{1,3})\W*\}", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"(?:can(?:not|['’]t)|unable to|hard to|impossible to) (?:decide|choose|pick|say)|undecided", re.IGNORECASE
)


@cache
def _ballots() -> dict[str, re.Pattern[str]]:
    option, best, chosen, the = (one_of(name) for name in ("option", "best", "chosen", "the"))
    ordinal = rf"(?P<ordinal>last|latter|{one_of('ordinals')})(?:\s{option})?"
    spelled = "(?P<spelled>one(?=\\W*$)|two|three|four|five|six|seven|eight|nine|ten)"
    named = rf"(?:it\s(?:is|must be|should be)\s)?(?:{the}\W{{0,3}})?(?:{option}\W{{0,6}})?(?:n[or]\.?\W{{0,3}})?"
    number = (
        rf"{named}[^\w\n-]{{0,6}}(?:(?P<number>\d{{1,4}})(?!\d|[.,]\d|\s?(?:/|of)\s?\d)"
        rf"|{ordinal}(?!\w|\sof\s(?:these|them))|{spelled}\b(?!\s\w))"
    )
    be = rf"(?:\W{{0,6}}(?:{one_of('is')}\W{{0,6}}){{1,3}}|[^\w\n.]{{0,6}}|\W{{0,4}}[:：]\W{{0,6}})"
    surely = r"(?:clearly|definitely|by far|slightly|also|best|directly)"
    ordinals = rf"(?P<ordinal>last|latter|{one_of('ordinals')})"
    alone = rf"\W{{0,4}}\n\W{{0,4}}(?=(?:{option}\s)?\d{{1,3}}\W*\Z)"  # on the last line, below its label
    return {
        # "the best choice is therefore 2", "the most promising: 3", "most coherent passage is 1"
        "best": re.compile(rf"(?<!\w)(?<!worst\sto\s)(?:the\s)?{best}\s?(?:{option})?s?{be}{number}", re.I),
        # "choice 3 is better than choice 1", "the second choice is the best", "choice 1 is not as good as choice 2"
        "is best": re.compile(
            rf"(?:(?<!\w){option}\W{{0,4}}(?P<number>\d{{1,4}})|(?:the\s)?{ordinals}\s(?:{option})?)(?:['’]s \w+)?\s?"
            rf"(?:{one_of('is_strictly')}\s?{surely}?\s?(?:(?:{the}\s)?{best}|more\s\w+)"
            rf"|(?:{surely}\s)?{one_of('answers')}(?!\w))",
            re.I,
        ),
        "worse": re.compile(rf"{one_of('worse')}\s(?:{option}\W{{0,4}})?(?P<number>\d{{1,4}})", re.I),
        "chosen": re.compile(rf"(?<![A-Za-z]){chosen}(?:[^\w\n]{{0,4}}|{alone})(?:for\s)?{number}", re.I),
        # "### Answer" above a number, "the passage that answers the question is 4"
        "headed": re.compile(r"(?m)^\W*(?:final\s)?(?:answer|vote|choice)\W*\n\W*(?P<number>\d{1,3})\W*$", re.I),
        "ordinal": re.compile(rf"(?:(?<!\w){the}\s|(?=[第\d])){ordinals}(?:\s|の|个)?{option}", re.I),
        "any": re.compile(
            rf"(?<!\w){option}(?:[^\w\n]{{0,6}}|\W{{0,6}}(?:(?:is|was|number|no|option|choice|是|为)\W{{0,6}}){{1,3}})(?:(?P<number>\d{{1,4}})(?!\d)|{spelled}\b)",
            re.I,
        ),
    }


_ASKED_NOT = re.compile(
    r"(?:\bnot|\balthough|\bthough|\bwhile|\bwhereas|n['’]t|\bneither|\bnor|\bif|\bwhether|\bthan)\s(?:\w{1,12}\s){0,2}\Z",
    re.I,
)


def choice(text: str, options: int) -> Read[int]:
    """A ballot: the 0-based index of the option that a reply votes for, out of ``options``.

    Reads the number after the last "best choice" ("The best choice is **2**, as choice 1 is dull."), else what the
    reply says that it chooses, prefers or ranks first ("I choose 3", "choice 3 is better than choice 1", "4 > 2 > 1"),
    else the only choice that it names ("choice 10"), else a number that is the whole reply. A ballot for more than one
    option is a failed read. Languages: those of ``replies.toml``.
    """
    text = tidy(ended(text)).strip()
    data = member(data_in(text), "choice_members") if "{" in text else None
    if data is not None:
        text = f"choice {data}" if re.fullmatch(r"\d{1,4}", str(data)) else str(data)
    text = re.sub(r"第\s?(\d{1,2})\s?(?:个|段|篇|項|条|文)|(\d{1,2})\s?番目?", r" option \1\2 ", text)
    plain = unwrapped(text.replace("☑", "✓").replace("✅", "✓") if _TICKED.search(text) else text)
    plain = put_right(plain) if re.search(r"\d", put_right(plain)) else plain
    picked = _picked(plain, text, options)
    if picked is None:
        return bad("no choice named", text)
    number, end = picked
    if _AND_OTHER.match(plain, end):
        return bad("several choices named", text)
    if taken_back(plain[end:]):
        return bad("the choice is taken back", text)
    return Read(number - 1, text=str(number)) if 1 <= number <= options else bad(f"choice {number} of {options}", text)


def _picked(plain: str, text: str, options: int) -> tuple[int, int] | None:
    """(number, end of it in the text) of the choice that a ballot names."""
    patterns = _ballots()
    for marks in (_BOXED, _TICKED, _SAID_YES):
        if len(ticked := set(marks.findall(text))) == 1:
            return int(ticked.pop()), len(plain)
    if ranked := _RANKED.search(plain):
        return int(ranked[1]), len(plain)
    for name in ("best", "chosen", "is best", "worse", "headed"):
        found = [
            one
            for one in patterns[name].finditer(plain)
            if not (name == "is best" and _ASKED_NOT.search(plain[max(one.start() - 30, 0) : one.start()]))
        ]
        if name == "is best" and len({_number(one, options) for one in found}) > 1 and "than" not in plain:
            return None
        if name == "best" and len(found) > 2 and len({_number(one, options) for one in found[-3:]}) > 1:
            return None  # it goes round
        if found:
            return _number(found[-1], options), found[-1].end()
        if name == "best" and _UNDECIDED.search(plain):
            return None
    named = [one for one in patterns["any"].finditer(plain) if not _dismissed(plain, one)]
    named = named or [one for one in patterns["ordinal"].finditer(plain) if not _dismissed(plain, one)]
    named = named or [*_CITED.finditer(plain)]
    if len({_number(found, options) for found in named}) == 1:
        return _number(named[-1], options), named[-1].end()
    alone = _ALONE.search(plain)
    return (int(alone[1]), len(plain)) if alone and not named else None


def _dismissed(text: str, found: re.Match[str]) -> bool:
    """Is a choice named only to be ruled out? ("not choice 1", "choice 2 does not say")"""
    before, after = text[max(found.start() - 30, 0) : found.start()], text[found.end() : found.end() + 30]
    return bool(
        _ASKED_NOT.search(before)
        or re.match(r"(?:['’]s \w+)?,?\s(?:does|did|do|is|was|has|can)(?:n['’]t|\snot?)\b", after, re.I)
    )


def _number(found: re.Match[str], options: int) -> int:
    groups = found.groupdict()
    if groups.get("number"):
        return int(found["number"])
    if groups.get("ordinal"):
        if found["ordinal"].lower() in ("last", "latter"):
            return options
        return next(i for i, each in enumerate(words()["ordinals"], 1) if re.fullmatch(each, found["ordinal"], re.I))
    return int(words()["number_words"][found["spelled"].lower()])
