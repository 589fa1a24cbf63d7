"""What a reply in the Game of 24 proposes: its steps, and its answer, in whatever form and language a model writes.

The signs of other scripts, LaTeX and words ("10 minus 4 equals 6") become those of ``game24_rules``. The words are
data, in ``tot/replies.toml``. What a reply itself rejects is left out; the rules decide whether a step is legal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest

from ..parse import Read, arithmetic, bad, number
from ..reply import data_in, denied, ended, pattern, put_right, records, rewritten, said_in, word
from ..state import Thought
from .game24_believed import plain_line, read_believed
from .game24_rules import MAX_LINE, Numbers, apply, read_step, strip_answer

MAX_TEXT = 4 * MAX_LINE  # characters of a line with several steps
_REMARK = re.compile(r"\((?! ?left)[^()\n]{0,200}=[^()\n]{0,200}\)")
_CROSS = re.compile(r"[✗✘❌🚫]")


# ---------------------------------------------------------------- steps


def lines_of(text: str) -> list[str]:
    """The lines of a reply that may be steps, one step on each: not empty ones, nor headings, nor what stands below a
    heading such as "To avoid:". Of a JSON object or list, its texts.
    """
    text = ended(text)
    lines = _texts(text) if re.search(r"[{\[]\s*[{\"]", text) else []
    kept, avoided = list[str](), False
    for line in lines or re.sub(r"~~[^~\n]{1,200}~~", "", text).splitlines():
        if pattern("step_heading").match(line) and not pattern("step_equation").search(line.strip(" *_")):
            avoided = bool(word("avoided|withdrawn").search(line))
        elif re.search(r"\w", line) and not avoided:
            kept += _pieces(line)
    return kept


def _texts(text: str) -> list[str]:
    """The texts in JSON that may be steps, also "10 - 4" and its result as two members; of JSON that is cut off, those
    that are complete.
    """
    texts = list[str]()
    for _, given in records(data_in(text)):
        said = [str(value) for value in given.values()]
        parts = 3 if len(said) > 3 and said[1] in "+-*/×÷" else 1
        whole = "" in given or any("=" in each for each in said)
        texts += said if whole else [f"{' '.join(said[:parts])} = {''.join(said[parts : parts + 1])}"]
    lines = [line for each in texts or text.split('"')[:-1] for line in re.split(r"[;\n]", each)]
    return [line for line in lines if re.search(r"\d\D+\d", line)]


def _pieces(line: str) -> list[str]:
    """The steps on a line, each with what is said of it; a line without several is one piece.

    Of "a, then b" only the first is a next step, and of "a, no, b" the second; "a and b" stays whole, and is not read.
    """
    text = _REMARK.sub("", plain_line(line)) if len(line) <= MAX_TEXT else ""
    found = [*pattern("step_equation").finditer(text)]
    pieces, begin, results = list[str](), 0, set[str]()
    for one, after in pairwise(found):
        between = text[one.end() : after.start()]
        *_, cut = [0, *(mark.end() for mark in re.finditer(r"[.;!?,)\]|/。；，、](?![\d.])|—|- ", between))]
        link, cut = between[cut:].strip(" *_:>"), one.end() + cut
        results.add(one[4].strip("() "))
        if word("taken_back").search(between):
            begin = one.end()
            continue
        if word("listing").match(link):
            return [line]
        pieces.append(text[begin:cut])
        begin = cut
        uses = {part.strip("() ") for part in after.group(1, 3)} & results
        if word("then").match(link) or (uses and not pattern("step_left").search(between)):
            return pieces
    return [*pieces, text[begin:]] if len(found) > 1 else [line]


def lines_with_equations(text: str) -> list[str]:
    """Those of the lines that have an equation; the rest is conversation."""
    return [line for line in lines_of(text) if re.search(r"\d[^\d\n]{0,40}(?:=|\(left)", plain_line(line[:MAX_TEXT]))]


def read_line(line: str, there: str, numbers: Numbers) -> Read[Thought]:
    """A step in any of its forms, checked exactly against the ``numbers`` left, which prompts show as ``there``."""
    text = _REMARK.sub("", plain_line(line[:MAX_LINE]))
    for form in (line, _with_result(line), re.sub(r"\(left[^()]*$", "", plain_line(line[:MAX_LINE])), ""):
        step = read_step(form or str(read_believed(line, there).value), numbers)
        if step.why not in ("not a step", "wrong numbers left"):
            break
    found = [*pattern("step_equation").finditer(text)]
    if step.value and len(found) > 1:
        return bad("several steps on a line", line)
    before, after = (text[: found[0].start()], text[found[0].end() :]) if found else ("", text)
    if step.value and (word("avoided").search(before) or word("withdrawn").search(after) or _CROSS.search(text)):
        return bad("the reply rejects this step", line)
    return Read(Thought(str(step.value), step.value), text=line) if step.value else bad(step.why, line)


def _with_result(line: str) -> str:
    """The line in plain signs; "6 + 9 (left: 10 11 15)" with its result."""
    text = pattern("step_arrow_for_equals").sub(r"\1 = \2", plain_line(line[:MAX_LINE]))
    said = pattern("step_without_result").search(text)
    a, b = (number(said[1]), number(said[3])) if said else (None, None)
    result = None if said is None or a is None or b is None else apply(a, said[2], b)
    return text if said is None or result is None else f"{said[1]} {said[2]} {said[3]} = {result} {text[said.end() :]}"


# ---------------------------------------------------------------- an answer


@dataclass(frozen=True)
class _Calculation:
    """An expression in a line, its ``worth`` (value and numbers), and whether the reply says that it does not do."""

    text: str
    worth: tuple[Fraction, tuple[int, ...]]
    rejected: bool


def worth(text: str) -> tuple[Fraction, tuple[int, ...]] | None:
    """Value and sorted numbers of an expression, also with a sign in front of a number; None for anything else."""
    read = arithmetic(re.sub(r"(^|\() ?-", r"\g<1>0-", text)).value
    return read and (read[0], tuple(sorted(filter(None, read[1]))))


def _calculations(line: str) -> list[_Calculation]:
    found = list[_Calculation]()
    spans = [*pattern("calculation").finditer(line)]
    for one, after in zip_longest(spans, spans[1:]):
        text = one[0].strip()
        if (more := text.count(")") - text.count("(")) > 0:
            text = re.sub(rf"(?: ?\)){{{more}}}$", "", text)
        if more < 0 and line.count(")", one.end()) >= -more:  # "(so 6 * 4 = 24)"
            text = re.sub(rf"^(-? ?)(?:\( ?){{{-more}}}", r"\1", text)
        no = denied(line, one.start()) or pattern("calculation_goes_on").match(line, one.end())
        value = None if no else worth(text)
        times = re.search(r"(?<![\d./])(\d{1,3}) \Z", line[: one.start()]) if text.startswith("(") else None
        product = worth(f"{times[1]} * {text}") if times and value else None
        if times and product and len(product[1]) == 4:  # "4 (10 + 9 - 13)"
            text, value = f"{times[1]} * {text}", product
        behind = line[one.end() : after.start() if after else len(line)]
        makes, failed = pattern("calculation_makes").match(behind), word("failed|withdrawn").search(behind)
        rejected = (makes and makes[1] != "24") or failed or _CROSS.search(behind)
        found += [_Calculation(text, value, bool(rejected))] if value else []
    return found


def _only(found: Sequence[_Calculation]) -> str | None:
    return found[0].text if len({one.worth for one in found}) == 1 else None


def answer_in(text: str, numbers: Sequence[int], *, bare: bool = True) -> str | None:
    """The expression that a reply gives as its answer over ``numbers``; None if it gives none, or cannot choose.

    It stands behind the last mark ("Answer:", "One solution is", in a box or tags) of those with all numbers, or it is
    the only one that has them and of which the reply does not say that it misses; with ``bare``, also the only one of
    three or more.
    """
    named = said_in(text, "expressions")
    said = re.sub(r"\b(?:earlier|previous|first|old) answer\b[^\n.]*", "", put_right(ended(text)))
    said = re.sub(r"\bnot\s[^\n]{0,60}?\bbut\s", "", said)
    said = rewritten(f"Answer: {named}" if named else said, "expression")
    lines = [rewritten(plain_line(line), "expression_signs").strip() for line in said.splitlines()]
    if any(line.startswith(lines[-1]) for line in lines[:-1]):  # a loop that was cut off
        lines.pop()
    if lines and word("withdraws").search(lines[-1]):
        return None
    wanted = tuple(sorted(numbers))
    marked = [(i, mark.end()) for i, line in enumerate(lines) for mark in pattern("solution_mark").finditer(line)]
    last, steps = list[_Calculation](), False
    for i, at in reversed(marked[-50:]):  # more are no answer, and each may look at a long line
        said = next((line for line in (lines[i][at:], *lines[i + 1 : i + 5]) if re.search(r"\w", line)), "")
        said = re.sub(r"^\W*\d{1,2}[.):] (?=[(\d])", "", said).strip(" :*_")
        found, begins = _calculations(said), pattern("calculation_begins").match(said)
        if begins and not (found and said.find(found[0].text) <= begins.end()):
            return strip_answer(said)  # that it cannot be read is for the rules to say
        whole = [one for one in found if one.worth[1] == wanted]
        kept = [one for one in whole if not one.rejected]
        if kept or (not last and word("none").search(said)):
            return _only(kept or whole or found)
        if found and not last:
            last, steps = whole or found, not whole and any(map(_calculations, lines[i + 1 :]))
    if last:  # "Result: 6 * 4 = 24", and no answer before it
        return None if steps else _only(last)
    found = [one for line in lines for one in _calculations(line)]
    whole = [one for one in found if one.worth[1] == wanted]
    rest = whole or [one for one in found if bare and len(one.worth[1]) > 2]
    gives_up = any(map(word("none").search, lines))
    return _only([one for one in whole if not one.rejected]) or (None if gives_up else _only(rest))
