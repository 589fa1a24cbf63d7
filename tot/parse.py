"""Parsers for model output. Each returns what it read or why it could not; none raises, and none evaluates text."""

import ast
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

from .lm.base import Sample
from .moved import absent

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


def read_judged(sample: Sample, read: Callable[[str], Read[T]]) -> Read[T]:
    """``read_sample`` for a verdict, a ballot or a score. In a reply that its limit of tokens ended, it has to stand in
    the first words, or be all that a line or a sentence says: what a judge says while it reasons is no judgement yet.
    """
    found = read_sample(sample, read)
    if not (found.ok and sample.cut):
        return found
    whole = re.sub(r"(?<![\d.,])(?:0|\d+[.,])\Z", "", sample.text.rstrip())  # it may have become 0.7
    whole = re.sub(r"(?<![\d.,])\d{1,3}\Z", "", whole) if hasattr(found.value, "score") else whole
    whole = re.sub(r"\A\W*(?:sure|okay|certainly|overall|so|thus|therefore),\s", "", whole, flags=re.IGNORECASE)
    begins = re.findall(r"\A\s*(?:\S*[^\s,;.!?]\s+){0,9}\S+(?!\S)", whole)  # its first clause
    parts = (*_SAID.split(whole), re.split(r"[,.;:!]\s", whole)[-1])
    short = [said for said in parts if 0 < len(said.split()) <= 5]  # words: a judgement and nothing else
    values = [read(said).value for said in [*begins, *short]]
    if getattr(found.value, "score", found.value) in [getattr(value, "score", value) for value in values]:
        return found
    why = f"cut off before its judgement, at {sample.completion_tokens} tokens: give it more with max_tokens"
    return replace(read(""), why=why, text=shorten(sample.text))


_SAID = re.compile(r"\n|(?<=[^\W\d][.!;:])\s|(?<=[。！；：])|(?<=\d[.!;])\s")


def shorten(text: str, limit: int = 200) -> str:
    """The first ``limit`` characters, followed by a note of how many were dropped, if any."""
    return text if len(text) <= limit else f"{text[:limit]}... [{len(text) - limit} more characters]"


TYPED = str.maketrans("’‘“”–—‐‑−", "''\"\"-----")  # typographic signs, as a keyboard has them
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
    """The one of ``words`` that appears last in ``text`` as a whole word, in small or large letters. Reads verdicts."""
    known = {word.lower(): word for word in sorted(words, key=len, reverse=True)}  # "not sure" before "sure"
    letter = "[a-zß-ӿ]"  # Chinese has no spaces
    found = re.findall(f"(?<!{letter})({'|'.join(map(re.escape, known))})(?!{letter})", text[-2000:].lower())
    return Read(known[found[-1]], text=known[found[-1]]) if found else bad("no verdict in the reply", text)


@dataclass(frozen=True)
class Judgement:
    """A judge's ``score`` for a state, from 0 (worst) to 1 (best), and the ``reason`` it gives."""

    score: float
    reason: str = ""


if not TYPE_CHECKING:  # names that moved
    __getattr__ = absent(__name__)
