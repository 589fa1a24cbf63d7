"""What a reply in the Game of 24 proposes: its steps, and its answer, in whatever form and language a model writes.

The signs of other scripts, LaTeX and words ("10 minus 4 equals 6") become those of ``game24_rules``. The words are
data, in ``tot/replies.toml``. What a reply itself rejects is left out; the rules decide whether a step is legal.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, zip_longest

from ..parse import Read, arithmetic, bad, number
from ..reply import data_in, ended, member, one_of, put_right
from ..state import Thought
from .game24_believed import EQUATION, LEFT, NUMBER, plain_line, read_believed
from .game24_rules import MAX_LINE, Numbers, Step, apply, expression, read_step, strip_answer

MAX_TEXT = 4 * MAX_LINE  # characters of a line with several steps
_HEADING = re.compile(r"\s*(?:#|\W{0,4}\w.*[:：]\W{0,3}$|\*\*[^*]{1,80}\*\*\s*$)")
_REMARK = re.compile(r"\((?! ?left)[^()\n]{0,200}=[^()\n]{0,200}\)")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_CROSS = re.compile(r"[✗✘❌🚫]")


@cache
def _words(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_]){one_of(*names)}(?![a-zà-ÿа-я])", re.IGNORECASE)


# ---------------------------------------------------------------- steps


def lines_of(text: str) -> list[str]:
    """The lines of a reply that may be steps, one step on each: not empty ones, nor headings, nor what stands below a
    heading such as "To avoid:". Of a JSON object or list, its texts.
    """
    lines = [*_texts(data_in(text))] if re.search(r"[{\[]\s*[{\"]", text) else []
    kept, avoided = list[str](), False
    for line in lines or _STRUCK.sub("", ended(text)).splitlines():
        if _HEADING.match(line) and not EQUATION.search(line):
            avoided = bool(_words("avoided", "withdrawn").search(line))
        elif re.search(r"\w", line) and not avoided:
            kept += _pieces(line)
    return kept


def _texts(data: object) -> Iterator[str]:
    """The texts in JSON that may be steps, also "10 - 4" and its result as two members."""
    lists = [value for value in data.values() if isinstance(value, list)] if isinstance(data, dict) else []
    if isinstance(data, str) and re.search(r"\d\D+\d", data):
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from _texts(item)
    elif isinstance(data, dict) and any(isinstance(item, str | dict) for items in lists for item in items):
        yield from _texts([item for items in lists for item in items])
    elif isinstance(data, dict):
        said = [str(value) for value in data.values() if isinstance(value, str | int | float)]
        parts = 3 if len(said) > 3 and said[1] in "+-*/×÷" else 1
        yield from (
            said
            if any("=" in text for text in said)
            else [f"{' '.join(said[:parts])} = {''.join(said[parts : parts + 1])}"]
        )


def _pieces(line: str) -> list[str]:
    """The steps on a line, each with what is said of it; a line without several is one piece.

    Of "a, then b" only the first is a next step, and of "a, no, b" the second; "a and b" stays whole, and is not read.
    """
    text = _REMARK.sub("", plain_line(line)) if len(line) <= MAX_TEXT else ""
    found = [*EQUATION.finditer(text)]
    if len(found) < 2:
        return [line]
    pieces, begin, used = list[str](), 0, set[str]()
    for one, after in pairwise(found):
        between = text[one.end() : after.start()]
        *_, cut = [0, *(mark.end() for mark in re.finditer(r"[.;!?,)\]|/。；，、](?![\d.])|—|- ", between))]
        link = between[cut:].strip(" *_:>")
        used.add(one[4].strip("() "))
        if _words("taken_back").search(between):
            begin = one.end()
        elif re.match(r"(?:and|und|et|y|и)\b", link) and "," not in between[max(cut - 2, 0) : cut]:
            return [line]
        elif _words("then").match(link):
            return [*pieces, text[begin : one.end() + cut]]
        elif {part.strip("() ") for part in after.group(1, 3)} & used and not LEFT.search(between):
            return [*pieces, text[begin : one.end()]]
        else:
            pieces.append(text[begin : one.end() + cut])
            begin = one.end() + cut
    return [*pieces, text[begin:]]


def lines_with_equations(text: str) -> list[str]:
    """Those of the lines that have an equation; the rest is conversation."""
    return [line for line in lines_of(text) if _ANY.search(plain_line(line[:MAX_TEXT]))]


_ANY = re.compile(r"\d[^\d\n]{0,40}(?:=|\(left)")
_ARROW = re.compile(rf"({NUMBER} ?[-+*/] ?{NUMBER}) ?(?:[-=]>|[→⇒]) ?({NUMBER})(?! ?,? ?\d)", re.ASCII)
_WITHOUT_RESULT = re.compile(rf"({NUMBER}) ?([-+*/]) ?({NUMBER}) ?(?=[(\[,;:]* ?left)", re.ASCII)


def read_line(line: str, there: str, numbers: Numbers) -> Read[Thought]:
    """A step in any of its forms, checked exactly against the ``numbers`` left, which prompts show as ``there``."""
    for form in (str, _with_result, _cut_off, lambda said: read_believed(said, there).value):
        step = read_step(str(form(line)), numbers)
        if step.why not in ("not a step", "wrong numbers left"):
            break
    text = _REMARK.sub("", plain_line(line[:MAX_LINE]))
    if step.value and len(EQUATION.findall(text)) > 1:
        return bad("several steps on a line", line)
    if step.value and _rejected(text):
        return bad("the reply rejects this step", line)
    return Read(Thought(str(step.value), step.value), text=line) if step.value else bad(step.why, line)


def _with_result(line: str) -> str:
    """The line in plain signs; "6 + 9 (left: 10 11 15)" with its result."""

    def whole(said: re.Match[str]) -> str:
        a, b = number(said[1]), number(said[3])
        result = None if a is None or b is None else apply(a, said[2], b)
        return said[0] if result is None else f"{said[1]} {said[2]} {said[3]} = {result} "

    return _WITHOUT_RESULT.sub(whole, _ARROW.sub(r"\1 = \2", plain_line(line[:MAX_LINE])), count=1)


def _cut_off(line: str) -> str:
    """The line without numbers left whose bracket is not closed."""
    return re.sub(r"\(left[^()]*$", "", plain_line(line[:MAX_LINE]))


def _rejected(text: str) -> bool:
    """Does a line reject its step, before it ("I would not do") or after it ("✗", "not allowed")?"""
    found = EQUATION.search(text)
    before, after = (text[: found.start()], text[found.end() :]) if found else ("", text)
    return bool(_words("avoided").search(before) or _words("withdrawn").search(after) or _CROSS.search(text))


# ---------------------------------------------------------------- an answer

_OPEN, _CLOSE = r"(?:\( ?){0,9}", r"(?: ?\)){0,9}"
_CALCULATION = re.compile(
    rf"(?<![\w.)])-? ?{_OPEN}\d{{1,9}}{_CLOSE}(?: ?[-+*/] ?{_OPEN}-?\d{{1,9}}{_CLOSE}){{1,40}}", re.ASCII
)
_GOES_ON = re.compile(  # in a form that is not read, or with another answer
    r" ?(?:[\^²³⁴!%]|[+*/] ?(?:\S|$)|- ?(?:$|\w\b|[\d(])|\.\d|,\d|\d|\( ?\d+ ?\)"
    r"|(?:mod|squared|cubed|plus|minus|times)\b)|\w"
)
_LEADS = re.compile(r" ?=[ =]*[-+*/() \d]*?(-?\d+(?:\.\d+)?)(?![\d.]*[ ]?[-+*/=(\d])")  # what a chain of "=" ends in
_PRODUCT = re.compile(r"(?<=\))(?=[\d(])|(?<=\d)(?=\()")
_NOT = re.compile(r"(?:\bnot|\bnicht|\bpas|\bno|\bне|不是) ?\Z", re.IGNORECASE)
_ITEM = re.compile(r"^ ?(?:[-*•] |\(?\d{1,2}[.)] )")
_FRACTION = re.compile(r"\\[dt]?frac ?\{([^{}]{1,90})\} ?\{([^{}]{1,90})\}")
_BEGINS = re.compile(r"\W*?(?=-?[( ]*\d+(?:\.\d+)?[) ]*[-+*/])")
_BOX = re.compile(r"\\(?:boxed|fbox) ?\{")


@cache
def _mark() -> re.Pattern[str]:
    named = rf"(?<![^\W\d_]){one_of('solutions')}(?: \([^()]{{0,60}}\))?"
    return re.compile(rf"{named}(?:[ *_]{{0,4}}[:：]| ?{one_of('are')}(?![^\W\d_])[ :]?| ?(?=[(\d]))", re.IGNORECASE)


@dataclass(frozen=True)
class _Calculation:
    """An expression in a line: where it begins, what it is ``worth`` (value and numbers), and what stands around it."""

    at: int
    text: str
    before: str
    worth: tuple[Fraction, tuple[int, ...]]
    after: str

    @property
    def rejected(self) -> bool:
        """Does the reply say that it does not make 24?"""
        claimed, failed = _LEADS.match(self.after), _words("failed", "withdrawn").search(self.after)
        return bool((claimed and claimed[1] != "24") or failed or _CROSS.search(self.after))


def worth(text: str) -> tuple[Fraction, tuple[int, ...]] | None:
    """Value and sorted numbers of an expression, also with a sign in front of a number; None for anything else."""
    read = arithmetic(re.sub(r"(^|\() ?-", r"\g<1>0-", text)).value
    return read and (read[0], tuple(sorted(filter(None, read[1]))))


def _calculations(line: str) -> list[_Calculation]:
    found = list[_Calculation]()
    spans = [*_CALCULATION.finditer(line)]
    for one, after in zip_longest(spans, spans[1:]):
        text = one[0].strip()
        if (more := text.count(")") - text.count("(")) > 0:
            text = re.sub(rf"(?: ?\)){{{more}}}$", "", text)
        if more < 0 and line.count(")", one.end()) >= -more:  # "(so 6 * 4 = 24)"
            text = re.sub(rf"^(-? ?)(?:\( ?){{{-more}}}", r"\1", text)
        value = None if _GOES_ON.match(line, one.end()) else worth(text)
        if value:
            behind = line[one.end() : after.start() if after else len(line)]
            found.append(_Calculation(one.start(), text, line[: one.start()][-20:], value, behind))
    return found


def _plain(text: str) -> list[str]:
    """The lines of a reply in plain signs; what is in a box is marked as the answer."""
    lines = list[str]()
    for line in text.splitlines():
        for _ in range(4):
            line = _FRACTION.sub(r"((\1)/(\2))", line)
        line = _ITEM.sub("", plain_line(_BOX.sub(" Answer: ", line)))
        line = re.sub(r"[{}\[\]]", lambda bracket: "()"[bracket[0] == "]"] if bracket[0] in "[]" else " ", line)
        lines.append(_PRODUCT.sub(" * ", " ".join(line.split())))
    return lines


def _composed(text: str, numbers: Sequence[int]) -> str | None:
    """The answer that is given as steps, one after the other, as one expression; None for any other text."""
    equations, left, steps = EQUATION.findall(text), tuple(map(Fraction, numbers)), list[Step]()
    for equation in equations if len(equations) == len(left) - 1 else ():
        step = read_step("{} {} {} = {}".format(*equation), left).value
        if not step:
            return None
        steps.append(step)
        left = step.left
    return expression(tuple(map(Fraction, numbers)), steps) if steps else None


def answer_in(text: str, numbers: Sequence[int], *, bare: bool = True) -> str | None:
    """The expression that a reply gives as its answer over ``numbers``; None if it gives none, or cannot choose.

    It stands behind the last mark ("Answer:", "One solution is", in a box or tags), or it is the only one that has all
    numbers and of which the reply does not say that it misses; with ``bare``, also the only one of three or more.
    """
    named = member(data_in(text), "expressions") if re.match(r"[^\w\n]*(?:json\s*)?\{", text) else None
    said = re.sub(r"\b(?:earlier|previous|first|old) answer\b[^\n.]*", "", put_right(ended(text)))
    said = re.sub(r"\bnot\s[^\n]{0,60}?\bbut\s", "", said)
    lines = _plain(f"Answer: {named}" if isinstance(named, str) else said)
    if any(line.startswith(lines[-1]) for line in lines[:-1]):  # a loop that was cut off
        lines.pop()
    if lines and _words("withdraws").search(lines[-1]):
        return None
    wanted = tuple(sorted(numbers))
    marked = [(i, mark.end()) for i, line in enumerate(lines) for mark in _mark().finditer(line)]
    for i, at in reversed(marked):
        said = next((line for line in (lines[i][at:], *lines[i + 1 : i + 5]) if re.search(r"\w", line)), "")
        said = re.sub(r"^\W*\d{1,2}[.):] (?=[(\d])", "", said)
        found, begins = _calculations(said), _BEGINS.match(said)
        if begins and not (found and found[0].at <= begins.end()):
            return strip_answer(said)
        if composed := _composed("\n".join([lines[i][at:], *lines[i + 1 :]]), wanted):
            return composed
        if found:
            whole = [one for one in found if one.worth[1] == wanted]
            whole = [one for one in whole if not one.rejected] or whole
            several = len({one.worth for one in whole}) > 1 or (not whole and len(found) > 1)
            return None if several else (whole or found)[0].text
        if _words("none").search(said):
            return None
    found = [one for line in lines for one in _calculations(line) if not _NOT.search(one.before)]
    whole = [one for one in found if one.worth[1] == wanted]
    gives_up = any(map(_words("none").search, lines))
    rest = [] if gives_up else whole or [one for one in found if bare and len(one.worth[1]) > 2]
    for chosen in ([one for one in whole if not one.rejected], rest):
        if len({one.worth for one in chosen}) == 1:
            return chosen[0].text
    return None
