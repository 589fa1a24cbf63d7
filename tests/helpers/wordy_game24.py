"""A scripted player that answers the paper's prompts for the Game of 24 as a large chat model does: at length.

It opens with courtesies, lists more than eight steps in many notations, rounds quotients and says so, tries out ways
for a dozen lines before its verdict, and has a last word after its answer. It plays well: it knows a solver.
"""

import re
from fractions import Fraction

from tot import Sample
from tot.tasks.game24_rules import apply, expression, moves, read_step, solvable, verify

PROPOSED = 12
OPENING = (
    "Certainly! Let us look at this position together. In each move we choose two of the numbers, combine them with one"
    " of the four operations, and put the result in their place, so that one number fewer is left.\n\n"
    "Some moves are more promising than others: a factor of 24, such as 2, 3, 4, 6, 8 or 12, is a good thing to have,"
    " and so is a pair whose sum or difference is near 24. Here are the possible next steps:\n\n"
)
CLOSING = "\n\nOf these I would look at the products first. Let me know if you would like me to go on with one of them!"
SHAPES = (  # of a line: {left} is written with spaces, {commas} with commas
    "{i}. {a} {op} {b} = {r} (left: {left})",
    "{i}. **{a} {op} {b} = {r}** (left: {commas})",
    "- {a} {op} {b} = {r} (left: {left}) (a promising move, since it keeps things small)",
    "{i}) ${a} {tex} {b} = {r}$ (left: {left}) — worth a try",
    "* `{a} {op} {b} = {r}` (left: {left}).",
    "Step {i}: \\( {a} {tex} {b} = {r} \\), which leaves the numbers {commas}",
    "{i}. {a} {nice} {b} = {r} (remaining: {left})",
    "| {a} {op} {b} = {r} | {commas} |",
)
TEX = {"+": "+", "-": "-", "*": "\\times", "/": "\\div"}
NICE = {"+": "+", "-": "−", "*": "×", "/": "÷"}


def rounded(number):
    """As people write it: 7, -2, 1.67."""
    return str(number) if number.denominator == 1 else f"{float(number):.2f}"


def proposals(numbers):
    """The steps that the player lists from these numbers, each with the numbers it says are left, good ones first."""
    steps = sorted(moves(tuple(sorted(numbers))), key=lambda step: not solvable(step.left))
    return [(step, [rounded(n) for n in step.left]) for step in steps[:PROPOSED]]


def verbose_player(request, i):
    """The reply, cut off at the request's limit (four characters a token), with finish "length" if it was."""
    text = OPENING.partition("\n")[0] + "\n\n" + _reply(request.messages[0].content, request.messages[-1].content)
    most = 4 * request.max_tokens if request.max_tokens else len(text)
    return Sample(text[:most], "stop" if len(text) <= most else "length", min(len(text), most) // 4 + 1)


def _reply(system, asked):
    numbers = [Fraction(n) for n in re.findall(r"-?\d+(?:\.\d+|/\d+)?", asked.splitlines()[0])]
    if "next steps" in system:
        return OPENING + "\n".join(_lines(numbers)) + CLOSING
    if "\nAnswer:" in asked:
        answer = asked.splitlines()[1].removeprefix("Answer: ")
        return _considered("sure" if verify([int(n) for n in numbers], answer).correct else "impossible")
    if asked.startswith("Numbers:"):
        return _answer(numbers, asked.splitlines()[2:])
    return _considered(_verdict(tuple(sorted(numbers))), _tries(numbers))


def _lines(numbers):
    for i, (step, left) in enumerate(proposals(numbers), 1):
        a, b, r = map(rounded, (step.a, step.b, step.result))
        shape = SHAPES[i % len(SHAPES)].replace(" = ", " ≈ " if step.result.denominator > 1 and i % 2 else " = ")
        remark = " (not a whole number)" if step.result.denominator > 1 and i % 3 == 0 else ""
        words = {"op": step.op, "tex": TEX[step.op], "nice": NICE[step.op], "left": " ".join(left)}
        yield shape.format(i=i, a=a, b=b, r=r, commas=", ".join(left), **words) + remark


def _verdict(numbers):
    return "sure" if solvable(numbers) else "likely" if len(numbers) == 3 and max(numbers) <= 13 else "impossible"


def _tries(numbers):
    """Fifteen lines of lookahead."""
    a, b = numbers[0], numbers[-1]
    for i, op in zip(range(15), "+-*/" * 4, strict=False):
        result = apply(a + i // 4, op, b)
        yield f"{i + 1}. What about {a} {op} {b}? That would be likely to lead to {result}, I am not sure yet."


def _considered(verdict, tries=("The calculation first, then the numbers used.",)):
    return "\n".join(tries) + f"\n\nAll things considered, my verdict is:\n\n**{verdict.capitalize()}**"


def _answer(numbers, lines):
    """The answer from the steps so far, or from a solution of its own; long words about it first and last."""
    left, steps = tuple(sorted(numbers)), []
    for line in lines:
        read = read_step(line, left)
        if read.value is None:
            return "These steps do not fit together exactly, as a result was rounded.\nAnswer: none"
        steps, left = [*steps, read.value], read.value.left
    while len(left) > 1:
        steps.append(next((s for s in moves(left) if solvable(s.left)), moves(left)[0]))
        left = steps[-1].left
    done = "\n".join(map(str, steps))
    answer = expression(tuple(sorted(numbers)), steps)
    return f"{done}\n\nPutting these together, with brackets where needed:\n\nAnswer: {answer} = 24"
