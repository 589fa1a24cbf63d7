"""Results lines and what can be said about them: rates with intervals, costs, comparisons.

Two results lines are about the same thing if their ``identity`` is the same: task, problem (its name and a digest of
its question), method, knobs, model with its settings, and budget. The last line with an identity counts, so a problem
that was tried again, or whose gold was mended, counts once. Lines of older versions know a problem by its name alone.

Two rules about errors hold everywhere. A problem on which a call failed is a problem that was not solved: it counts in
n, all its scores are 0 whatever had been found before the failure, and its costs count. But a problem to which a server
gave no answer says nothing about a method: it is left out of n and of all else, until it is asked again. Tables show
how many there were of both.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from ..jsonlines import FileTrouble, in_json, read_lines
from ..lm.settings import described
from ..methods import METHODS
from ..stats import Interval, Paired, bootstrap, paired, wilson
from ..ties import mean

Line = Mapping[str, Any]  # a results line

IDENTITY = ("task", "problem", "method", "params", "lm", "settings", "budget", "x")
ALIKE = ("gold", "made_with", "task_code", "gone")
NEEDED = {*IDENTITY[:5], "correct", "first", "any", "corrects", "stopped", "unread", "usage"}


def identity(line: Line) -> str:
    """What a results line is about, as text: equal for two lines about the same thing.

    A line that was written before its method had some knob is about that knob's default.
    """
    settled = _settled(line)
    return canonical([settled.get(name) for name in IDENTITY])


def canonical(value: Any) -> str:
    """JSON that does not depend on how a value is written: 1.0 is 1, and sets and mappings have no order."""
    whole = lambda text: int(number) if (number := float(text)).is_integer() else number  # noqa: E731
    return json.dumps(json.loads(json.dumps(value, default=in_json), parse_float=whole), sort_keys=True)


def _settled(line: Line) -> Line:
    known, params = METHODS.get(line.get("method", "")), line.get("params")
    return {**line, "params": known.settled(params)} if known and isinstance(params, Mapping) else line


def read_results(path: str | Path) -> list[Line]:
    """The lines of a results file; of several with the same identity, the last. Without those of questions that are no
    longer where they came from.

    Raises FileTrouble for a file that cannot be read or holds something else.
    """
    return [line for line in every_line(path).values() if not line.get("gone")]


def every_line(path: str | Path) -> dict[str, Line]:
    """Identity -> line, also of questions that are "gone"."""
    lines: dict[str, Line] = {}
    for number, line in read_lines(path):
        if not (line.keys() >= NEEDED and _sound(line)):
            raise FileTrouble(f"{path}, line {number} is not a results line: did `tot run --out` write this file?")
        if "x" in line:
            lines.pop(identity({**line, "x": None}), None)  # which an older version left unfinished
        old = lines.get(identity(line))
        if line.get("moved"):  # its result is that of another row now
            lines.pop(identity(line), None)
        elif not (old and failed(line) and not failed(old) and all(old.get(of) == line.get(of) for of in ALIKE)):
            lines[identity(line)] = line  # no failure takes the place of a result, as where two files become one
    return lines


_KINDS: dict[str, type] = {
    **dict.fromkeys(("task", "problem", "method", "lm", "stopped", "error", "x", "gold", "source"), str),
    **dict.fromkeys(("made_with", "edition", "task_code", "read_with"), str),
    **dict.fromkeys(("correct", "first", "any", "unanswered", "gone", "moved"), bool),
    **dict.fromkeys(("params", "usage", "budget", "tools", "parts", "oracle", "paid", "lost", "over"), dict),
    **dict.fromkeys(("corrects", "all_parts"), list),
    **dict.fromkeys(("unread", "cut", "still_thinking"), int),
}


def _sound(line: Line) -> bool:
    """Whether what tables are made of is of the right kind: a file may be edited by hand, or damaged."""
    kinds = all(isinstance(line[name], kind) for name, kind in _KINDS.items() if name in line)
    chosen = {name: line[name] for name in ("params", "budget") if name in line}
    if not kinds or not _finite({**line, **dict.fromkeys(chosen)}) or not _finite(chosen, most=sys.float_info.max):
        return False
    if len(line.get("all_parts") or line["corrects"]) != len(line["corrects"]):
        return False
    if not isinstance(line["params"].get("k", 0), int):
        return False
    oracle, roles = line.get("oracle", {"correct": False, "parts": {}}), line["usage"].get("by_role", {})
    told = [*line["corrects"], oracle.get("correct")]
    if not isinstance(roles, dict) or not all(isinstance(one, bool) for one in told):
        return False
    sums = [{name: n for name, n in line["usage"].items() if name != "by_role"}, *roles.values(), oracle.get("parts")]
    sums += [*(line.get(name, {}) for name in ("budget", "tools", "paid", "over", "parts")), *line.get("all_parts", ())]
    return all(isinstance(one, dict) and all(map(_number, one.values())) for one in sums)


def _finite(value: Any, depth: int = 0, most: float = 1e300) -> bool:
    """Whether every number in it is one that a table can add up (``most`` is another limit)."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    fits = depth < 99 and (not _number(value) or abs(value) <= most)
    return fits and all(_finite(one, depth + 1, most) for one in inner)


def _number(value: Any) -> bool:
    return isinstance(value, int | float)


# -------------------------------------------------------------------- one line


def failed(line: Line) -> bool:
    """Whether a call failed, so that the problem could not be finished."""
    return "error" in line or line.get("stopped") == "error"


def answered(lines: Iterable[Line]) -> list[Line]:
    """The lines that count in n: all but those of problems that a server did not answer, or whose answer is unknown."""
    return [line for line in lines if not (line.get("unanswered") or line.get("unchecked"))]


def solved(line: Line, score: str = "correct") -> bool:
    """Whether the problem was solved; not if it failed. ``score``: "correct" (the chosen answer), "first" or "any"."""
    return bool(line.get(score)) and not failed(line)


def samples(line: Line) -> list[bool] | None:
    """Which of a line's k independent samples are right; None for methods that do not draw independent samples, for
    those that stopped drawing because of what they had drawn, and for more than a million.

    A reply that could not be read is a sample that is not right, and so are all samples of a problem that failed.
    """
    recipe, params = METHODS.get(line.get("method", "")), line.get("params") or {}
    k = params.get("k")
    if recipe is None or not recipe.independent or not k or k > 1e6 or params.get("stop"):
        return None
    corrects = [] if failed(line) else line.get("corrects", [])
    return [*corrects, *[False] * (k - len(corrects))]


# -------------------------------------------------------------------- one row for each method


def _figure(digits: int, of: Callable[[Sequence[Line]], float]) -> Any:
    """A field of ``Row``: the number ``of`` some lines, which tables show with so many digits."""
    return field(metadata={"digits": digits, "of": of})


def _mean(digits: int, part: str, *names: str) -> Any:
    """A field of ``Row``: the mean over lines of the sum of these numbers in a part of each."""
    return _figure(digits, lambda lines: mean(sum((x.get(part) or {}).get(name, 0) for name in names) for x in lines))


def _sum(of_line: Callable[[Line], int]) -> Any:
    """A field of ``Row``: what all lines have together."""
    return _figure(0, lambda lines: sum(map(of_line, lines)))


def dollars(lines: Sequence[Line], bill: str = "usage") -> float:
    """The mean over the lines of those that were made with prices; 0 if none were. One without has tokens only.
    ``bill`` "paid": what was paid, where a line says that.
    """
    used = [line.get(bill) or line.get("usage") or {} for line in lines]
    told = [each for each in used if each.get("dollars") or not each.get("completion_tokens")]
    return mean(each.get("dollars", 0) for each in told) if any(each.get("dollars") for each in told) else 0.0


def _paid(lines: Sequence[Line]) -> float:
    calls = (line.get("paid") or line.get("usage") or {} for line in lines)
    return mean(bill.get("calls", 0) for bill in calls) if any("paid" in line for line in lines) else 0.0


def _paid_dollars(lines: Sequence[Line]) -> float:
    paid = dollars(lines, "paid")
    return paid if paid > dollars(lines) + 1e-6 else 0.0


@dataclass(frozen=True)
class Row:
    """One method (with its knobs, model and budget) on ``n`` problems: rates, means over problems, and counts."""

    label: str
    task: str
    lm: str
    n: int
    correct: Interval  # rate of chosen answers that are right, with Wilson's interval
    mean: Interval | None  # of several independent samples of each problem, a bootstrap over problems; else None
    first: float  # rate at which the first output is right
    any: float  # rate at which some output is right: an oracle
    settings: str  # of the model, in words
    unanswered: int = field(metadata={"digits": 0})  # problems that are not in ``n``: see ``answered``
    calls: float = _mean(1, "usage", "calls")  # means of what was asked: a replay costs the same
    rounds: float = _mean(1, "usage", "rounds")
    nodes: float = _mean(1, "usage", "nodes")  # states that were evaluated
    tokens: float = _mean(0, "usage", "prompt_tokens", "completion_tokens")
    thinking: float = _mean(0, "usage", "thinking_tokens")  # tokens that were thought with; they are in ``tokens``
    cached: float = _mean(0, "usage", "cached_tokens")  # prompt tokens from the provider's cache; in ``tokens``, too
    dollars: float = _figure(6, lambda lines: dollars(lines))  # over those that were made with prices, if some were
    path: float = _mean(6, "tools", "path")  # what tools cost on the path to the answer
    spent: float = _mean(6, "tools", "total")  # what tools cost in all
    unread: int = _sum(lambda line: line.get("unread", 0))  # replies that no parser could read
    cut: int = _sum(lambda line: line.get("cut", 0))  # replies at their limit of tokens; ``max_tokens`` lifts it
    still_thinking: int = _sum(lambda line: line.get("still_thinking", 0))  # replies that ended before an answer
    errors: int = _sum(lambda line: failed(line))  # problems on which a call failed
    stopped: int = _sum(lambda line: line.get("stopped", "done") not in ("done", "until", "error"))  # at a limit
    over: int = _sum(lambda line: "over" in line)  # problems that exceeded a limit of the budget
    paid: float = _figure(1, _paid)  # mean of the provider's calls, 0 if there were never more than ``calls``
    paid_dollars: float = _figure(6, _paid_dollars)  # as ``dollars``, of what was paid; 0 if that was not more


def aggregate(label: str, lines: Sequence[Line]) -> Row:
    """The row of these lines, which are about different problems. What a line does not say is 0, "" or False.

    Raises ValueError without lines that were answered.
    """
    right, head, unanswered = rate(lines), lines[0], sum(bool(line.get("unanswered")) for line in lines)
    lines = answered(lines)
    drawn = [[float(right) for right in samples(line) or ()] for line in lines]
    return Row(
        label,
        task=head.get("task", ""),
        lm=head.get("lm", ""),
        n=len(lines),
        correct=right,
        mean=bootstrap(drawn) if all(len(group) > 1 for group in drawn) else None,
        first=rate(lines, "first").rate,
        any=rate(lines, "any").rate,
        settings=_settings(head),
        unanswered=unanswered,
        **{one.name: one.metadata["of"](lines) for one in fields(Row) if "of" in one.metadata},
    )


def _settings(line: Line) -> str:
    return described(held) if isinstance(held := line.get("settings"), Mapping) else ""


def _model(line: Line) -> str:
    """The model with its settings: "gpt-5 (temperature=none)"."""
    settings = _settings(line)
    return f"{line.get('lm', '')} ({settings})" if settings else str(line.get("lm", ""))


def rate(lines: Sequence[Line], score: str = "correct") -> Interval:
    """The share of these lines that are solved by ``score`` (see ``solved``), with Wilson's interval at 95 %.

    Raises ValueError without lines that were answered.
    """
    lines = answered(lines)
    return wilson(sum(solved(line, score) for line in lines), len(lines))


def summarise(lines: Iterable[Line]) -> list[Row]:
    """One row for each method with answers, in the order of ``groups``. ``show.results_table`` prints them."""
    return [aggregate(label, group) for label, group in groups(lines).items() if answered(group)]


def groups(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Lines by method, under labels that tell the methods apart ("tot-bfs breadth=1", "tot-bfs breadth=5").

    Methods are in the order of ``METHODS``, and the lines of each in that of the problems' names: the order in which a
    file was filled changes no number. Lines of one method that were made with other prompts or code are not pooled: the
    label has their "edition". Those that do not know theirs (older ones; of one's own tasks those without "task_code",
    when the edition was another thing) are of any. Of a question that several files hold, the lines of one count.
    """
    found, recipes = dict[str, list[Line]](), [each.recipe for each in METHODS.values()]
    settled = [*map(_settled, lines)]
    when = {id(line): i for i, line in enumerate(settled)}
    for line in sorted(settled, key=lambda line: _order(line, recipes)):
        found.setdefault(identity({**line, "problem": None, "x": None}), []).append(line)
    found = {about: _once(group, when) for about, group in found.items()}
    heads, labelled = [group[0] for group in found.values()], dict[str, list[Line]]()
    for head, group in zip(heads, found.values(), strict=True):
        own = any("task_code" in line for line in group)
        editions = [line.get("edition", "") if "task_code" in line or not own else "" for line in group]
        label, several = _label(head, heads), len({*editions} - {""}) > 1
        for line, edition in zip(group, editions, strict=True):
            which = f" (edition {edition or 'unknown'})" if several else ""
            labelled.setdefault(label + which, []).append(line)
    return labelled


def _once(lines: Sequence[Line], when: Mapping[int, int]) -> list[Line]:
    """The lines without those of a question that another of its files has answered as often, of equal ones later:
    versions of one file, of which one may have mended the known answer.
    """
    held: dict[Any, dict[str, list[Line]]] = {}
    for line in lines:
        question = (line["x"], line.get("edition")) if "x" in line else line["problem"]
        held.setdefault(question, {}).setdefault(line.get("source", ""), []).append(line)

    def worth(some: Sequence[Line]) -> tuple[int, int, int]:
        return sum(not failed(one) for one in answered(some)), len(some), max(when[id(one)] for one in some)

    most = [max(files.values(), key=worth) for files in held.values()]
    kept = {id(line) for some in most for line in some}
    return [line for line in lines if id(line) in kept]


def _order(line: Line, recipes: Sequence[type]) -> tuple[Any, ...]:
    known = METHODS.get(line["method"])
    place = recipes.index(known.recipe) if known else len(recipes)  # an older name stands where its method does
    knobs = [*line["params"].items(), *(line.get("budget") or {}).items()]  # numbers as numbers: 5 before 10
    sortable = [(k, isinstance(v, str), float(v) if isinstance(v, int | float) else 0.0, str(v)) for k, v in knobs]
    return line["task"], place, line["method"], sortable, _model(line), line["problem"], line.get("x", "")


def _label(line: Line, all_lines: Sequence[Line]) -> str:
    """The method; and of its task, knobs, budget and model those that tell it from the others."""
    same = [other for other in all_lines if other["method"] == line["method"]]
    words = [line["method"]]
    if len({other["task"] for other in all_lines}) > 1:
        words.append(f"on {line['task']}")
    said = _said_by_the_style(line, same)
    for part in ("params", "budget"):
        for name, value in (line.get(part) or {}).items():
            if name not in said and value != "" and any((other.get(part) or {}).get(name) != value for other in same):
                words.append(f"{name}={value:.12g}" if part == "budget" else f"{name}={value}")
    if not line.get("budget") and any(other.get("budget") for other in same):
        words.append("no budget")
    if len(set(map(_model, all_lines))) > 1:
        words.append(f"with {_model(line)}")
    return " ".join(words)


def _said_by_the_style(line: Line, others: Sequence[Line]) -> set[str]:
    """The knobs whose values follow from the style, where lines of several styles are told apart by it."""
    known, style = METHODS.get(line["method"]), line["params"].get("style", "")
    if known is None or all(other["params"].get("style", "") == style for other in others):
        return set()
    implied = known.settled({"style": style})
    depend = {knob.name for knob in known.knobs() if knob.paper is not None}
    return {name for name, value in line["params"].items() if name in depend and value == implied[name]}


# -------------------------------------------------------------------- other questions


def compare(lines: Iterable[Line], a: str, b: str) -> Paired:
    """Method ``a`` against method ``b``, by label or name, on the problems that both were given and answered.

    Raises ValueError, naming the labels, if a name fits none of them or several; and if the two share no problem.
    """
    found = groups(lines)
    sides = [_named(found, name) for name in (a, b)]
    told = all("x" in line for side in sides for line in side)
    left, right = (_by_question(side, "x" if told else "problem") for side in sides)
    common = sorted(left.keys() & right.keys())
    if not common:
        raise ValueError(f"{a} and {b} have no problem in common: run both on the same problems")
    return paired([left[problem] for problem in common], [right[problem] for problem in common])


def _by_question(lines: Sequence[Line], told_by: str) -> dict[tuple[str, int], bool]:
    """Whether each answered one was solved, by question and how often it has come: its name may change with a row of a
    file.
    """
    seen, found = Counter[str](), dict[tuple[str, int], bool]()
    for line in lines:
        seen[line[told_by]] += 1
        if answered([line]):
            found[line[told_by], seen[line[told_by]]] = solved(line)
    return found


def _named(found: Mapping[str, list[Line]], name: str) -> list[Line]:
    fits = [name] if name in found else [label for label, group in found.items() if group[0]["method"] == name]
    if len(fits) != 1:
        raise ValueError(f"{name!r} fits {len(fits)} of the methods here: name one of {', '.join(map(repr, found))}")
    return found[fits[0]]


def measures(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """What a task measures beyond right and wrong (crosswords: words, letters), by method: rows for ``show.table``.

    "solved" and each measure are of the method's own answer, or the mean over its samples where they are independent.
    "best ..." is of the best state that the search visited, or the best sample; it is an oracle, picked by the gold
    answer. Intervals are bootstraps over problems; Wilson's for "solved" where each problem has one answer. Problems
    whose task measures nothing more are left out.
    """
    rows = []
    for label, group in groups(lines).items():
        judged = answered(group)
        if any("oracle" in line for line in judged):
            own, best = [_own(line) for line in judged], [[_parts(line, line.get("oracle", line))] for line in judged]
            names = dict.fromkeys(name for samples in own for parts in samples for name in parts)
            row: dict[str, Any] = {"method": label, "n": len(judged)}
            row |= {name: _interval(name, own) for name in names}
            rows.append({**row, **{f"best {name}": _interval(name, best) for name in names}})
    return rows


def _own(line: Line) -> list[dict[str, float]]:
    """The measures of each independent sample; for other methods those of the answer that was chosen."""
    if (drawn := samples(line)) and line["corrects"]:
        pairs = zip(drawn, chain(line.get("all_parts") or (), repeat({})), strict=False)
        return [_parts(line, {"correct": correct, "parts": parts}) for correct, parts in pairs]
    return [_parts(line, line)]


def _parts(line: Line, score: Line) -> dict[str, float]:
    """The rate "solved" and the measures of one score of a line; all are 0 if the problem failed."""
    own = {"solved": float(score["correct"])}
    parts = own | score.get("parts", {}) | own  # in this order, whatever a part is called
    return dict.fromkeys(parts, 0.0) if failed(line) else parts


def _interval(name: str, drawn: Sequence[Sequence[Mapping[str, float]]]) -> Interval:
    """A measure over problems with their samples."""
    groups = [[sample.get(name, 0.0) for sample in samples] for samples in drawn]  # without an answer: 0
    if name == "solved" and all(len(group) == 1 for group in groups):
        return wilson(int(sum(group[0] for group in groups)), len(groups))
    return bootstrap(groups)
