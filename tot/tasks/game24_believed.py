"""A step of the Game of 24 as a model states it: read, and believed without a check.

The authors' code believes every line of a proposal and takes what it says is left for the next prompt. We believe a
line that has the form of a step, and look at it more closely only to measure how often that is wrong
(``legal_steps``).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..parse import Read, bad, number, plain_operators
from ..reply import WIDE, one_of
from .game24_rules import MAX_LINE, Numbers, Step, read_step


@dataclass(frozen=True)
class Believed:
    """A step that nobody checked: ``text`` is the line, ``shown`` the numbers left as the model wrote them.

    ``left`` has the same numbers as fractions, sorted: a rounded decimal stays rounded.
    """

    text: str
    shown: str
    left: Numbers

    def __str__(self) -> str:
        return self.text


NUMBER = r"-?\d{1,12}(?:\.\d{1,20}|/\d{1,12})?(?![\d/]|\.\d)"
_OPERAND = rf"(?:{NUMBER}|\( ?{NUMBER} ?\))"
EQUATION = re.compile(  # on text whose runs of white space are single spaces
    rf"(?<![\d.)+*/=-])(?<![)\d+*/=-] )({_OPERAND}) ?([-+*/]) ?({_OPERAND}) ?= ?({_OPERAND})", re.ASCII
)
_OPERATION = re.compile(r"\d\)? ?[-+*/%^] ?\(?[-\d]", re.ASCII)  # the least that makes a line look like a step
_LIST = rf"{NUMBER}(?:(?: ?[,;] ?(?:and )?| and | ){NUMBER}){{0,9}}"
LEFT = re.compile(  # "(left: 4 4 10)", "numbers remaining are 4, 4 and 10", "which leaves [4, 4, 10]"
    r"\b(?:left|remaining|remains?|leaves|leaving)\b(?:(?: with)?(?: the)? numbers?\b)?(?: are\b)?[ :=>({\[-]{0,6}"
    rf"(?<![-\d])({_LIST})",
    re.ASCII | re.IGNORECASE,
)
_ARROW = re.compile(rf"[ .,;)]{{0,3}}(?:[-=]>|[→⇒|])[ ({{\[]{{0,3}}({_LIST})", re.ASCII)  # right after an equation
_LABEL = re.compile(
    r"^[\s>#*•·–—-]*(?<![-–—])(?:\(?(?:(?:step|option|move|proposal) ?)?(?:\d{1,2}|[a-z])[.):]\)?[*_]* +)?",
    re.IGNORECASE,
)
_MARKUP = (  # LaTeX and Markdown around a step, and the signs of a rounded number
    (re.compile(r"\\[dt]?frac ?\{ ?(-?\d{1,12}) ?\} ?\{ ?(\d{1,12}) ?\}"), r"(\1/\2)"),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])"), "*"),
    (re.compile(r"\\div(?![A-Za-z])"), "/"),
    (re.compile(r"\\(?:approx|simeq)(?![A-Za-z])|[≈≃≅]"), "="),
    (re.compile(r"\\(?:to|rightarrow|implies)(?![A-Za-z])"), "->"),
    (re.compile(r"\\(?:text|mathrm|mathbf|boxed) ?\{([^{}]{0,200})\}"), r"\1"),
    (re.compile(r"\\(?:left|right) ?(?=[()\[\]])|\\[()\[\],;!]|\\q?quad|[$`]|\*\*|__|&"), " "),
    (re.compile(r"(?<=\d)(?:\.\.\.+|…)"), ""),
    (re.compile(r"(?:~|\b(?:approximately|approx\.?|about) ?) ?(?=-?\d)", re.IGNORECASE), ""),
)


_SIGNS = WIDE | str.maketrans("﹣﹢✕✖➕➖➗", "-+**+-/")
_FORMS = (  # on single spaces: "(7/7) = 1", "(10 - 4) = 6", "6 : 6 = 1", "10 - 4 | 6 |", "12 = 8 + 4", "6 - 4 (=2)"
    (re.compile(r"(^|: ?)\( ?(\d{1,9})/(\d{1,9}) ?\) ?=", re.ASCII), r"\1\2 / \3 ="),
    (re.compile(rf"(?<![-+*/\d)(])(?<![-+*/\d)(] )\( ?({NUMBER} ?[-+*/] ?{NUMBER}) ?\) ?=(?!=)", re.ASCII), r"\1 ="),
    (re.compile(rf"(?<![\w.)])(?<!step )({NUMBER}) ?: ?({NUMBER}) ?=", re.ASCII | re.IGNORECASE), r"\1 / \2 ="),
    (re.compile(rf"({NUMBER} ?[-+*/] ?{NUMBER}) ?\| ?({NUMBER}) ?(?=\||$)", re.ASCII), r"\1 = \2 "),
    (re.compile(rf"^({NUMBER}) ?= ?({NUMBER} ?[-+*/] ?{NUMBER})(?! ?[-+*/=\d])", re.ASCII), r"\2 = \1"),
    (re.compile(rf"(?<=\d) ?\( ?= ?({NUMBER}) ?\)", re.ASCII), r" = \1"),
    (re.compile(r"= ?(\d{1,9} \d{1,9}/\d{1,9})(?![\d/])", re.ASCII), r"= (\1)"),
)


@cache
def _spelled() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Words for the signs between two numbers, and for what is left."""
    signs = {"plus": "+", "less": "-", "times": "*", "over": "/", "equal": "="}
    between = r"(?<=[\d)])\s?{}\s?(?=[\d(-])"
    left = rf"(?<![^\W\d_]){one_of('left')}(?![^\W\d_])"
    return (
        *((re.compile(between.format(one_of(name)), re.IGNORECASE), f" {sign} ") for name, sign in signs.items()),
        (re.compile(left, re.IGNORECASE), "left"),
        (re.compile(rf"(?<=\d)\s?{one_of('listing')}\s?(?=\d[\d./]{{0,12}}\s?(?:$|[),.;、\]|]))", re.IGNORECASE), ", "),
    )


def plain_line(line: str) -> str:
    """``line`` with ASCII digits and operators and single spaces, without markup, list marks and signs of rounding."""
    text = plain_operators(line.translate(_SIGNS))
    for pattern, plain in (*_MARKUP, *_spelled()):
        text = pattern.sub(plain, text)
    text = " ".join(text.replace("==", "=").split())
    text = " ".join(_LABEL.sub("", text, count=1).split()).strip("|_ ")
    for pattern, plain in _FORMS:
        text = pattern.sub(plain, text)
    return text


def read_believed(line: str, there: str) -> Read[Believed]:
    """A proposed step, believed as it is stated; a failed read for a line that has not the form of one.

    ``there``: the numbers before it, "4 9 10 13". What the line says is left counts, whatever its equation says. Where
    it says nothing, the program keeps count as far as it can: the operands are taken out of ``there``, and the stated
    result is put in, right or wrong. If an operand is not there, nobody knows what is left, and the line is not read.
    """
    text = plain_line(line) if len(line) <= MAX_LINE else ""
    form = _OPERATION.search(text)
    if not form:
        return bad("not a step", line)
    equation = EQUATION.search(text)
    end = equation.end() if equation else form.end()
    said = LEFT.search(text[end:]) or (_ARROW.match(text[end:]) if equation else None)
    words: list[str] | None = re.findall(NUMBER, said[1], re.ASCII) if said else []
    if equation:
        a, op, b, result = (part.strip("() ") for part in equation.groups())
        step, before = f"{a} {op} {b} = {result}", text[: equation.start()].strip()
        if not said and (before == "" or before.endswith(":")):  # not an equation in the middle of a sentence
            words = _without(there.split(), a, b)
            if words is None:
                return bad("operand is not there, and what is left is not stated", line)
            words = sorted([*words, result], key=_value)
    else:
        step = text[: end + said.start()].rstrip(" ,;:([|") if said else ""
    if not words or any(number(word) is None for word in words):
        return bad("not a step", line)
    shown = " ".join(words)
    return Read(Believed(f"{step} (left: {shown})", shown, tuple(sorted(map(_value, words)))), text=text)


def legal_steps(steps: Sequence[Believed | Step], numbers: Numbers) -> tuple[list[Step], str]:
    """Those of ``steps`` from ``numbers`` that come before the first illegal one, and what is wrong with that; else "".

    Exact: a rounded result is wrong arithmetic. The search does not ask this where steps are believed; a study may.
    """
    legal: list[Step] = []
    for each in steps:
        step = read_step(str(each), legal[-1].left if legal else numbers)
        if step.value is None:
            return legal, step.why
        legal.append(step.value)
    return legal, ""


def _value(word: str) -> Fraction:
    """The number that ``word`` writes; 0 for "5/0", which is none."""
    return number(word) or Fraction(0)


def _without(words: Sequence[str], *used: str) -> list[str] | None:
    """``words`` without one of equal value for each of ``used``; None if they are not all there."""
    rest = list(words)
    for each in used:
        same = next((word for word in rest if number(word) == number(each)), None)
        if same is None:
            return None
        rest.remove(same)
    return rest
