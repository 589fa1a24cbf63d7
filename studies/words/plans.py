"""Plans of the world's problems: what to compute, as a tree of operations, as steps in words, and as a chain of sums.

A step names an operation and what it works on, but no result. One with two quantities begins anew; one with a single
quantity goes on with the last result; "both" and "the second" mean the last two results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Operator = Literal["+", "-", "*", "/"]
LARGEST = 99  # of all numbers and results


@dataclass(frozen=True)
class Quantity:
    """A number of the problem, and of what."""

    number: int
    noun: str

    def __str__(self) -> str:
        return f"{self.number} {self.noun}"


@dataclass(frozen=True)
class Sum:
    """An operation on two quantities or results."""

    op: Operator
    a: Quantity | Sum
    b: Quantity | Sum


Amount = Quantity | Sum

# operator -> the step's words, where a and b are quantities or results
STARTS = {
    "+": "Add {a} and {b}.",
    "-": "Subtract {b} from {a}.",
    "*": "Multiply {a} by {b}.",
    "/": "Divide {a} by {b}.",
}
GOES_ON = {"+": "Add {b}.", "-": "Subtract {b}.", "*": "Multiply by {b}.", "/": "Divide by {b}."}
TURNED = {"+": "Add {b}.", "-": "Subtract this from {b}.", "*": "Multiply by {b}."}  # the quantity is on the left
JOINS = {"+": "Add both results.", "-": "Subtract the second result from the first.", "*": "Multiply both results."}
_QUANTITY = r"(\d+) ([a-z]+)"
READING = {
    kind: [
        (op, re.compile(re.escape(words).replace(r"\{a\}", _QUANTITY).replace(r"\{b\}", _QUANTITY)))
        for op, words in table.items()
    ]
    for kind, table in (("start", STARTS), ("on", GOES_ON), ("turned", {"-": TURNED["-"]}), ("join", JOINS))
}


def operations(amount: Amount) -> Iterator[Sum]:
    """The operations in the order in which they are carried out."""
    if isinstance(amount, Sum):
        yield from operations(amount.a)
        yield from operations(amount.b)
        yield amount


def value(amount: Amount) -> int:
    """Raises ValueError where a result is no whole number from 1 to LARGEST."""
    if isinstance(amount, Quantity):
        return amount.number
    return result(amount.op, value(amount.a), value(amount.b))


def result(op: str, a: int, b: int) -> int:
    """Raises ValueError where the result is no whole number from 1 to LARGEST."""
    if op == "/" and (b == 0 or a % b):
        raise ValueError(f"{a} / {b} is not whole")
    found = {"+": a + b, "-": a - b, "*": a * b, "/": a // b if b else 0}[op]
    if not 1 <= found <= LARGEST:
        raise ValueError(f"{a} {op} {b} = {found} is not from 1 to {LARGEST}")
    return found


def steps(amount: Sum) -> list[str]:
    """The steps of a plan, in words. Raises ValueError for a division by a result, which has no words."""
    return [_step(one) for one in operations(amount)]


def _step(one: Sum) -> str:
    a, b = isinstance(one.a, Sum), isinstance(one.b, Sum)
    if b and one.op == "/":
        raise ValueError("no step divides by a result")
    if a and b:
        return JOINS[one.op]
    if a:
        return GOES_ON[one.op].format(b=one.b)
    return TURNED[one.op].format(b=one.a) if b else STARTS[one.op].format(a=one.a, b=one.b)


def carried_out(lines: Sequence[str]) -> list[tuple[int, str, int, int]]:
    """What steps come to: (a, operator, b, result) of each. The oracle of an executor.

    Raises ValueError for a step that cannot be read or carried out, and where results are left over.
    """
    stack: list[int] = []
    done = []
    for line in lines:
        a, op, b = _operands(line, stack)
        stack.append(result(op, a, b))
        done.append((a, op, b, stack[-1]))
    if len(stack) != 1:
        raise ValueError(f"{len(stack)} results are left, not one")
    return done


def _operands(line: str, stack: list[int]) -> tuple[int, str, int]:
    for kind, table in READING.items():
        for op, words in table:
            found = words.fullmatch(line)
            if not found:
                continue
            needed = {"start": 0, "on": 1, "turned": 1, "join": 2}[kind]
            if len(stack) < needed:
                raise ValueError(f"{line!r} needs {needed} earlier results")
            numbers = [int(found[i]) for i in range(1, (found.re.groups or 0) + 1, 2)]
            if kind == "start":
                return (numbers[1], op, numbers[0]) if op == "-" else (numbers[0], op, numbers[1])
            if kind == "join":
                second = stack.pop()
                return stack.pop(), op, second
            last = stack.pop()
            return (numbers[0], op, last) if kind == "turned" else (last, op, numbers[0])
    raise ValueError(f"{line!r} is not a step of a plan")


# ---------------------------------------------------------------- as text


def as_plan(lines: Sequence[str]) -> str:
    return "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))


def read_plan(text: str) -> list[str]:
    """The steps of a plan's text, without their numbers."""
    return [re.sub(r"^\d\. ", "", line) for line in text.splitlines() if line]


def as_strategy(lines: Sequence[str]) -> str:
    """The same steps as one sentence, for the task's prompt that asks for one or two."""
    return ", then ".join(line[:-1] if i == 0 else line[0].lower() + line[1:-1] for i, line in enumerate(lines)) + "."


def read_strategy(text: str) -> list[str]:
    return [part[:1].upper() + part[1:] + "." for part in text.removesuffix(".").split(", then ")]


def as_formula(lines: Sequence[str]) -> str:
    """The steps in short, without words: "6 * 4, - 5", where "both -" joins the last two results, and "20 -" subtracts
    the last one from 20. A step that cannot be read is left out.
    """
    return ", ".join(filter(None, map(_short, lines)))


def _short(line: str) -> str:
    for kind, table in READING.items():
        for op, words in table:
            if found := words.fullmatch(line):
                numbers = found.groups()[::2]
                if kind == "start":
                    a, b = reversed(numbers) if op == "-" else numbers
                    return f"{a} {op} {b}"
                return {"on": f"{op} %s", "turned": f"%s {op}", "join": f"both {op}"}[kind] % numbers
    return ""


def as_chain(sums: Sequence[tuple[int, str, int, int]]) -> str:
    lines = [f"{a} {op} {b} = {c}" for a, op, b, c in sums]
    return "\n".join([*lines, f"The answer is {sums[-1][3]}."])
