"""Parsers for model output. Each returns what it read or why it could not; none raises, and none evaluates text."""

import ast
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from .lm.base import Sample

T = TypeVar("T")
REFUSED = "the model refuses"
MAX_REPLY = 4000  # characters of a reply that readers look at: its beginning, or its end where an answer stands there
LONG_REPLY = 20_000  # the same for replies of natural length, of which plans, reasons and thoughts are kept whole


@dataclass(frozen=True)
class Read(Generic[T]):
    """What a reader made of a text: a ``value``, or the reason ``why`` there is none; ``text`` is the piece it read.

    Both are set where an attempt counts although something is wrong with it, such as a chain without an answer.
    """

    value: T | None
    why: str = ""
    text: str = ""

    @property
    def ok(self) -> bool:
        """True when nothing was wrong with the text."""
        return not self.why


def bad(why: str, text: str = "") -> Read[T]:
    """A failed read. ``text`` is shortened, so that long replies do not bloat the trace."""
    return Read(None, why, shorten(text))


def no_answer(sample: Sample) -> str:
    """Why no parser may see a sample: the model refused to answer, or it was still thinking. "" if it answered."""
    if sample.finish == "stopped thinking":
        return (
            "still thinking when a stop string ended it: set the option stop to none (it is then applied on this side)"
        )
    if sample.unfinished:
        return f"still thinking at {sample.completion_tokens} tokens: give it more with think_tokens"
    return REFUSED if sample.refused else ""


def read_sample(sample: Sample, read: Callable[[str], Read[T]]) -> Read[T]:
    """``read(sample.text)``; a failed read if the model did not answer (see ``no_answer``), whatever its text."""
    why = no_answer(sample)
    return bad(why, sample.text) if why else read(sample.text)


def shorten(text: str, limit: int = 200) -> str:
    """The first ``limit`` characters, followed by a note of how many were dropped, if any."""
    return text if len(text) <= limit else f"{text[:limit]}... [{len(text) - limit} more characters]"


_SIGNS = str.maketrans("×·∗⋅÷∕⁄−–—＋（）＝", "****///---+()=")


def plain_operators(text: str) -> str:
    """``text`` with Unicode operators and brackets (× ÷ − ...) replaced by their ASCII forms."""
    return text.translate(_SIGNS)


_PARSING = threading.Lock()  # in Python 3.11 two threads that parse at once can raise SystemError
MAX_EXPRESSION = 200  # characters; a genuine expression over four numbers is far shorter


def arithmetic(text: str) -> Read[tuple[Fraction, list[int]]]:
    """The exact value of an expression over whole numbers with + - * / and brackets, and its integers in order.

    The text is parsed with ``ast`` and never executed. Everything else is rejected with a reason: names, calls,
    attributes, powers, floor division, decimals, signs in front of a number, division by zero, overlong text.
    """
    text = plain_operators(text).strip()
    if not text:
        return bad("empty")
    if len(text) > MAX_EXPRESSION:
        return bad(f"longer than {MAX_EXPRESSION} characters", text)
    if not re.fullmatch(r"[\d+\-*/()\s]+", text, re.ASCII):
        return bad("uses more than whole numbers, + - * / and brackets", text)
    try:
        with _PARSING:
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return bad("not an arithmetic expression", text)
    operands: list[int] = []
    try:
        return Read((_value(tree, operands), operands), text=text)
    except (_Refused, RecursionError) as refusal:
        return bad(str(refusal) or "nested too deeply", text)


class _Refused(Exception):
    pass


def _value(node: ast.AST, operands: list[int]) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        operands.append(node.value)
        return Fraction(node.value)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, operands), _value(node.right, operands)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                if right == 0:
                    raise _Refused("divides by zero")
                return left / right
    raise _Refused("uses more than whole numbers, + - * / and brackets")


def number(text: str) -> Fraction | None:
    """A whole number, decimal or fraction ("7", "-2.5", "3/4") as an exact Fraction; None for any other text."""
    if len(text) > 40 or not re.fullmatch(r"\s*-?\d+(\.\d+|/\d+)?\s*", text, re.ASCII):
        return None
    try:
        return Fraction(text.strip())
    except ZeroDivisionError:
        return None


def last_word(text: str, words: Iterable[str]) -> Read[str]:
    """The one of ``words`` (lower case) that appears last in ``text`` as a whole word. Used to read verdicts."""
    pattern = r"(?<![a-z])(" + "|".join(map(re.escape, words)) + r")(?![a-z])"
    found = re.findall(pattern, text[-2000:].lower())
    return Read(found[-1], text=found[-1]) if found else bad("no verdict in the reply", text)


_SAID = r"is|was|would be|number|no|option|choice|plan|strategy|passage|solution|answer|boxed|是|为"
_BALLOT = (  # matches "choice is", a line break and a number; does not match "each choice:" above a numbered list
    rf"(?:choice|选择)(?:[^\w\n]{{0,6}}|\W{{0,6}}(?:(?:{_SAID})\W{{0,6}}){{1,3}})(\d{{1,4}})(?!\d)"
)
_ANOTHER = re.compile(r"[^\w.\n]{0,4}(?:and|or|/|&|和|或)[^\w\n]{0,4}(?:choice|选择)?[^\w\n]{0,4}\d")


def choice(text: str, options: int) -> Read[int]:
    """A ballot: the 0-based index of the option that a reply votes for, out of ``options``.

    Reads the number after the last "best choice" ("The best choice is **2**, as choice 1 is dull.", "is choice 2"),
    else after the last "choice" ("choice 10", "选择是 3"), else a number that is the whole reply. Other numbers are
    ignored; a ballot for more than one option is a failed read.
    """
    text = text[-MAX_REPLY:].lower()
    found = [*re.finditer(r"(?:best |最佳|最好的)" + _BALLOT, text)] or [*re.finditer(_BALLOT, text)]
    found = found or [*re.finditer(r"\A\W*(?<!-)([0-9]{1,4})\W*\Z", text)]
    if not found:
        return bad("no choice named", text)
    picked = int(found[-1][1])
    if _ANOTHER.match(text, found[-1].end()):
        return bad("several choices named", text)
    return Read(picked - 1, text=found[-1][1]) if 1 <= picked <= options else bad(f"choice {picked} of {options}", text)


@dataclass(frozen=True)
class Judgement:
    """A judge's ``score`` for a state, from 0 (worst) to 1 (best), and the ``reason`` it gives."""

    score: float
    reason: str = ""


_POINTS = (  # a number that is not part of another number or of a range such as "0 to 1"
    r"(?P<points>-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(?![A-Za-z]|[.,:]?\d|\s?(?:-|–|to\b|bis\b|至|到)\s?\d)"
    r"(?:\s?(?P<percent>%)|\s?(?:/|out of)\s?(?P<most>\d{1,9}(?:\.\d{1,9})?))?"
)


def _marked(between: str) -> re.Pattern[str]:
    mark = r"(?:\bscore|评分|得分|分数)[^\w\n]{0,3}?(?:\([^()\n]{0,60}\))?[^\w\n]{0,6}?"
    return re.compile(mark + between + _POINTS, re.IGNORECASE)


_MARKED = _marked(r"(?:(?:is|of|as|为|是)\b[^\w\n]{0,4}?)?")  # "Score: 0.8", '"score": 0.8', "the score is **8/10**"
_TALKED = _marked(  # "the score for this plan would therefore be about 0.8", "I score it at 0.8"
    r"(?:(?:for|of)\s(?:[a-z]{1,12}\s){1,4}?(?=is|would)|(?:is|of|as|at|it|would|be|about|around|therefore|为|是)\b[^\w\n]{0,4}?){0,4}"
)
_LABEL = re.compile(r"^[^\w\n]{0,6}(?:reason|why|feedback)\b(?=[^\w\n]{0,3}:)", re.IGNORECASE)
_HEADING = re.compile(r"^([^\w\n]{0,8}(?:[a-z]{1,12} ){0,2}score[^\w\n]{0,8})\n\s*", re.IGNORECASE | re.MULTILINE)
_ALONE = re.compile(rf"[\s*_#>`\"'(\[]*{_POINTS}[\s*_`\"')\].]*")


def score(text: str, *, last: bool = False) -> Read[Judgement]:
    """A judge's score from 0 to 1, after the word "score" or alone on the first or last line; the rest is the reason.

    "8/10", "8 out of 10" and "80%" are 0.8. The read fails for a number outside 0 to 1 without a scale (8), for two
    different scores, for a range, and for words only. With ``last``, for judges who reason at length before they give
    their score: of several the last counts that stands in a form such as "Score: 0.8", and the reason is kept whole (up
    to ``LONG_REPLY`` characters).
    """
    text = _HEADING.sub(r"\1: ", text.strip()[-LONG_REPLY:]) if last else text.strip()[:MAX_REPLY]
    lines = text.splitlines()
    found = [*(_TALKED if last else _MARKED).finditer(text)]
    if not found:
        found = [match for line in dict.fromkeys((*lines[:1], *lines[-1:])) if (match := _ALONE.fullmatch(line))]
    if last:  # "Score: 0.7, as a score of 1 would need ..."
        found = ([match for match in found if re.search("[:：=]", match[0])] or found)[-1:]
    points = {_points(match) for match in found}
    if len(points) != 1:
        return bad("several scores in the reply" if points else "no score in the reply", text)
    value = points.pop()
    if value is None or not 0 <= value <= 1:
        return bad(f"a score of {found[0]['points']}, which is not from 0 to 1", text)
    reason = text
    for match in found:
        before, _, after = reason.rpartition(match[0]) if last else reason.partition(match[0])
        reason = f"{before}\n{after}"
    kept = (_LABEL.sub("", line).strip(' \t*_#>`|,;:.-{}[]()"') for line in reason.splitlines())
    why = shorten(" ".join(filter(None, kept)), LONG_REPLY if last else 300)
    return Read(Judgement(float(value), why), text=found[0][0].strip())


def _points(match: re.Match[str]) -> Fraction | None:
    """The matched score divided by its scale; None if the scale is 0."""
    most = Fraction(100) if match["percent"] else Fraction(match["most"] or 1)
    return Fraction(match["points"]) / most if most else None
