"""The rules of the Game of 24: legal steps, an exhaustive solver, a verifier, and a measure of difficulty.

All arithmetic is exact, and no language model is involved. The solver made the bundled list of puzzles.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..parse import Read, arithmetic, bad, number, plain_operators
from .base import Score

TARGET = Fraction(24)
Numbers = tuple[Fraction, ...]  # the numbers that are left, sorted


@dataclass(frozen=True)
class Step:
    """One equation: ``left_operand op right_operand = result``, and the numbers that are ``left`` after it."""

    a: Fraction
    op: str
    b: Fraction
    result: Fraction
    left: Numbers

    def __str__(self) -> str:
        return f"{self.a} {self.op} {self.b} = {self.result} (left: {show_numbers(self.left)})"


def show_numbers(numbers: Sequence[Fraction]) -> str:
    """``(8/3, 4)`` -> "8/3 4"."""
    return " ".join(map(str, numbers))


def apply(a: Fraction, op: str, b: Fraction) -> Fraction | None:
    """``a op b`` exactly; None for a division by zero."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case _:
            return a / b if b else None


def without(numbers: Numbers, *used: Fraction) -> Numbers | None:
    """``numbers`` without ``used``, each taken out once; None if they are not all there."""
    rest = list(numbers)
    for u in used:
        if u not in rest:
            return None
        rest.remove(u)
    return tuple(rest)


@cache
def moves(numbers: Numbers) -> tuple[Step, ...]:
    """Every legal step from ``numbers``, once, in a fixed order. a + b and b + a are the same step; so for a * b."""
    steps: dict[tuple[str, Fraction, Fraction], Step] = {}
    for i, a in enumerate(numbers):
        for j, b in enumerate(numbers):
            if i == j:
                continue
            rest = tuple(n for k, n in enumerate(numbers) if k not in (i, j))
            for op in "+-*/":
                if op in "+*" and a > b:
                    continue
                result = apply(a, op, b)
                if result is not None:
                    steps.setdefault((op, a, b), Step(a, op, b, result, tuple(sorted((*rest, result)))))
    return tuple(steps.values())


@cache
def solvable(numbers: Numbers) -> bool:
    """Can the numbers be combined to 24? An exhaustive search; ``numbers`` are sorted."""
    if len(numbers) == 1:
        return numbers[0] == TARGET
    return any(solvable(step.left) for step in moves(numbers))


@cache
def luck(numbers: Numbers) -> Fraction:
    """The exact probability that a player who draws each step uniformly from ``moves`` ends at 24.

    This is how the package measures difficulty: the smaller, the harder.
    """
    if len(numbers) == 1:
        return Fraction(int(numbers[0] == TARGET))
    steps = moves(numbers)
    return sum((luck(step.left) for step in steps), Fraction(0)) / len(steps)


_PLAIN = r"-?\d{1,12}(?:\.\d{1,12}|/\d{1,12})?"
_MIXED = r"(?P<sign>-?)(?P<whole>\d{1,12}) (?P<top>\d{1,12})/(?P<bottom>\d{1,12})"
_IN_BRACKETS = rf"\( ?(?:{re.sub(r'[?]P<[a-z]+>', '?:', _MIXED)}|{_PLAIN}) ?\)"  # (-1), (5/3), (1 2/3)
_NUMBER = rf"(?:{_PLAIN}|{_IN_BRACKETS})"
_REMARK = r" ?[(\[](?! ?left)[^()\[\]]{1,200}[)\]]"
_COMMENT = r"[ ,;:.*#>，。；：-]{1,4}[^\W\d_][^()\[\]=]{0,200}"
_STEP = re.compile(  # on text whose runs of white space are single spaces: no two repetitions can share a run
    r"(?:^|[^\s\d.+\-*/=]) ?"  # not the tail of a longer equation or number
    rf"({_PLAIN}|(?<![\w)])(?<!\) ){_IN_BRACKETS}) ?([+\-*/]) ?({_NUMBER}) ?= ?({_NUMBER}(?: ?= ?{_NUMBER}){{0,2}})"
    rf"((?:{_REMARK}){{0,2}})"
    rf"(?: ?[(\[]? ?left ?:? ?([-\d ,./()]*?) ?(?:[)\]]({_COMMENT})?)?)?"
    rf"((?:{_REMARK}){{0,2}}) ?[.;]? ?$",
    re.ASCII | re.IGNORECASE,
)
MAX_LINE = 300  # characters of a proposed step
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|(?:step\s*)?\d{1,2}[.):]\s+)?", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![^\s:])\*\*(?=[^\s*])((?:[^*]|\*(?!\*)){1,300}?)(?<=[^\s*])\*\*(?=[\s.,;:)]|$)")
_LATEX = (
    (re.compile(r"\\[dt]?frac ?\{(-?\d{1,12})\} ?\{(\d{1,12})\}"), r"(\1/\2)"),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])"), " * "),
    (re.compile(r"\\div(?![A-Za-z])"), " / "),
    (re.compile(r"\\(?:left|right) ?(?=[()])"), ""),
    (re.compile(r"\\[()\[\],;!]|[$`]"), " "),
)


def _plain_text(text: str) -> str:
    """``text`` with ASCII operators, single spaces, and without the marks of LaTeX and of emphasis around it."""
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    return " ".join(_EMPHASIS.sub(r"\1", plain_operators(text)).split())


def _says_nothing(remark: str) -> bool:
    """Is a remark on a step in words alone? Then the step can be checked without it; numbers left cannot be in it."""
    unchecked = any(sign.isnumeric() or sign in "+*^=≈~<>" for sign in remark)
    return not unchecked and not re.search(r"left|remain|leav|剩|余", remark, re.IGNORECASE)


def _exact(text: str) -> Fraction | None:
    """A number as a step may write it: "-1", "(5/3)", "(1 2/3)"; None for any other text."""
    text = text.strip()
    if text[:1] + text[-1:] == "()":
        text = text[1:-1].strip()
    if mixed := re.fullmatch(_MIXED, text, re.ASCII):
        part = number(f"{mixed['top']}/{mixed['bottom']}")
        return None if part is None else (-1 if mixed["sign"] else 1) * (int(mixed["whole"]) + part)
    return number(text)


def read_step(line: str, numbers: Numbers) -> Read[Step]:
    """One proposed step, checked exactly against the ``numbers`` that are there.

    A step is legal if both operands are there, the arithmetic is right, and the numbers left (if stated) are right.
    Numbers may stand in brackets, "6 - (-1) = 7", "9 / (5/3) = 27/5", also mixed ones, "9 / (1 2/3)"; the result may be
    written twice, "= 54/10 = 27/5". Words in brackets after it, such as "(if fractions are allowed)", and words after
    "(left: ...)" are ignored, unless they have numbers or speak of what is left. A rounded result is wrong arithmetic;
    the authors' code keeps every line.
    """
    text = _plain_text(line[: MAX_LINE + 1])
    found = _STEP.search(_BULLET.sub("", text, count=1)) if len(line) <= MAX_LINE else None
    if not found:
        return bad("not a step", line)
    raw_a, op, raw_b, raw_results, remarks, raw_left, comment, more = found.groups()
    if not all(map(_says_nothing, (remarks, comment or "", more))):
        return bad("not a step", line)
    a, b = _exact(raw_a), _exact(raw_b)
    results = [_exact(result) for result in raw_results.split("=")]
    result = results[0]
    if a is None or b is None or result is None:
        return bad("not a step", line)
    rest = without(numbers, a, b)
    if rest is None:
        return bad("operand is not there", line)
    right = apply(a, op, b)
    if right is None or any(result != right for result in results):
        return bad("wrong arithmetic", line)
    left = tuple(sorted((*rest, right)))
    if raw_left is not None:
        stated = [_exact(n) for n in re.findall(r"\([^()]*\)|[^\s,()]+|[()]", raw_left)]
        if Counter(stated) != Counter(left):
            return bad("wrong numbers left", line)
    return Read(Step(a, op, b, right, left), text=text)


def expression(numbers: Numbers, steps: Sequence[Step]) -> str:
    """The steps as one expression over the original ``numbers``: "(13 - 9) * (10 - 4)"."""
    parts: list[tuple[Fraction, str]] = [(n, str(n)) for n in numbers]
    for step in steps:
        a = next(p for p in parts if p[0] == step.a)
        parts.remove(a)
        b = next(p for p in parts if p[0] == step.b)
        parts.remove(b)
        parts.append((step.result, f"({a[1]} {step.op} {b[1]})"))
    text = parts[-1][1]
    return text[1:-1] if text.startswith("(") else text


def strip_answer(answer: str) -> str:
    """The expression in an answer, with ASCII operators and without "Answer:" and a trailing "= 24"."""
    text = plain_operators(answer[:1000]).strip().strip("`*$ ")
    text = re.sub(r"^\s*answer\s*:?\s*", "", text, flags=re.IGNORECASE)
    return re.sub(r"\s*=\s*24\s*\.?\s*$", "", text).strip("`*$ .")


_CALCULATION = re.compile(r"[\d+\-*/() ]*[\d)]", re.ASCII)
_NOISE = re.compile(  # what may follow an expression without being a part of it
    r" ?(?:$|[=→⇒]|[.;]? ?$"
    r"|[.;](?= |$) ?+(?!(?:or|and|plus|minus|times|divided|over|mod|to|squared|cubed|if|else)\b)"
    r"|[,:]? ?(?<![\d)])(?:equals|is|makes|gives|which|that|this|it|because|since|so|as|uses|using|with|we)\b"
    r"|\((?!(?:or|and|plus|minus|times|divided|over|mod|to|squared|cubed|if|else)\b)[^\W\d_])",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed ?\{([^{}]{1,200})\}")


def without_noise(answer: str) -> str:
    """The expression in an answer without what is written after it: a claimed result, right or wrong, or a remark.

    In the authors' code, too, what stands before the first "=" counts. An expression that goes on in a form that
    cannot be read ("... * x", "... ** 2", "... or ...") stays whole, and is no expression.
    """
    text = _plain_text(strip_answer(answer))
    boxed = _BOXED.search(text)
    if boxed and not _CALCULATION.match(text):
        text = boxed[1].strip()
    found = _CALCULATION.match(text)
    return found[0] if found and _NOISE.match(text, found.end()) else text


def verify(numbers: Sequence[int], answer: str | None) -> Score:
    """Is ``answer`` an expression that uses each number exactly once and equals 24? Exact; never raises.

    Accepts Unicode and LaTeX operators. The expression counts, not the result that is claimed after it, nor a remark.
    Refuses powers, names, calls and anything else but whole numbers, + - * / and brackets. There is no partial credit:
    as in the paper, an equation is valid or counts as nothing.
    """
    if answer is None:
        return Score(False, "no answer")
    if len(answer) > 1000:
        return Score(False, "the answer is far too long")
    read = arithmetic(without_noise(answer))
    if read.value is None:
        return Score(False, read.why)
    result, used = read.value
    if Counter(used) != Counter(numbers):
        return Score(False, "does not use each number exactly once")
    if result != TARGET:
        return Score(False, f"equals {result}, not 24")
    return Score(True, "uses each number once and equals 24")
