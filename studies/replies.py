"""What do the readers make of replies as models really write them? The set in ``tests/replies``, no model asked.

    python -m studies.replies [--sets open,second] [--others] [--out studies/results/replies.json] [--page FILE.md]

The right readings were decided before, by others who had not seen the readers (``tests/replies/README.md``). Each reply
goes the way of a server's: ``read_completion`` takes the thinking off, then the task's reader reads the rest. Tasks
that read otherwise in their paper's style are counted in both styles. A reply is read right, refused though it can be
read (a list of steps or words of which some are missed counts here), read wrong, or read though a careful person would
say nothing; the last two are silent errors: a table of results is then wrong, and says nothing.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from studies.figures import Figures, read, share, write
from studies.options import options
from studies.writing_judge import read_score
from tot.lm.completion import read_completion
from tot.parse import arithmetic, no_answer, number
from tot.state import State
from tot.tasks.answers import normal_answer, read_letter, read_number, read_short, read_yes_no
from tot.tasks.ballots import choice
from tot.tasks.crosswords import Crosswords
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import without_noise
from tot.tasks.game24_style import VERDICTS
from tot.tasks.hotpotqa import HotpotQA
from tot.tasks.zero_shot import GSM8K
from tot.tools.actions import TOOLS, plain
from treebook.forms import structured

REPLIES, RESULTS = Path("tests/replies"), Path("studies/results/replies.json")
SETS = {  # name -> where it is; each was read once ("at first") before anything was mended after it
    "open": REPLIES,
    "second": REPLIES / "more/second.jsonl",
    "sealed": REPLIES / "sealed.jsonl.gz",
    "fresh": REPLIES / "more/fresh.jsonl",
    "third": REPLIES / "more/third.jsonl",
    "fourth": REPLIES / "more/fourth.jsonl",
    "fifth": REPLIES / "more/fifth.jsonl",
    "sixth": REPLIES / "more/sixth.jsonl",
    "seventh": REPLIES / "more/seventh.jsonl",
    "eighth": REPLIES / "more/eighth.jsonl",
    "ninth": REPLIES / "more/ninth.jsonl",
    "tenth": REPLIES / "more/tenth.jsonl",
    "eleventh": REPLIES / "more/eleventh.jsonl",
    "twelfth": REPLIES / "more/twelfth.jsonl",
}
WHOLE = "eighth"  # the last set that has all kinds
MARKS = ("<!-- replies: begin -->", "<!-- replies: end -->")
STYLES = ("own", "paper")
RIGHT, REFUSAL, REFUSED, WRONG, NOTHING, UNREADABLE = OUTCOMES = (
    "right",
    "right refusal",
    "refused though readable",
    "wrong",
    "read where nothing should be",
    "no reader",
)
CHOICES = 5  # of a ballot that does not say how many

Item = dict[str, Any]  # a line of the set: kind, asked, reply, right, why


class NoReader(Exception):
    """There is nothing in the package, or beside it, that reads replies of this kind (or calls of such tools)."""


def items_of(place: Path) -> list[Item]:
    """All replies in a file, which may be packed, or in the files of a folder; a kind after the other."""
    if place.suffix == ".gz":
        lines = gzip.decompress(place.read_bytes()).decode("utf-8").splitlines()
    else:
        files = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
        lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return sorted(map(json.loads, lines), key=lambda item: str(item["kind"]))


# ---------------------------------------------------------------- what is read, and what is right, in the same form


def heard(item: Item, style: str) -> Any:
    """What the readers of a ``style`` make of a reply: None for nothing. Raises NoReader."""
    choice = {"message": {"content": item["reply"]}, "finish_reason": "stop"}
    sample = read_completion(json.dumps({"choices": [choice]})).samples[0]
    read = _read(item, sample.text, style)
    return None if no_answer(sample) else read


def _read(item: Item, text: str, style: str) -> Any:
    kind, asked = item["kind"], item["asked"]
    game, questions, crosswords, hotpotqa = (
        task.in_paper_style() if style == "paper" else task for task in (Game24(), GSM8K(), Crosswords(), HotpotQA())
    )
    if kind == "form":
        game, questions, kind = structured(game), structured(questions), f"form, {asked['form']}"
        if kind == "form, score":  # the set does not say which of the two scales was asked for: its right score does
            kind = "judge_score" if item["right"] is not None and float(item["right"]) <= 1 else "score_1_10"
    match kind:
        case "number":
            return number(read_number(text, asked["bare"]).value or "")
        case "letter":
            choices = dict(zip("ABCDEFGHIJ", asked["choices"], strict=False))
            return read_letter(text, True, choices).value
        case "yes_no":
            return read_yes_no(text, asked["bare"]).value
        case "short":
            answer = read_short(text, bare=True).value
            return None if answer is None else normal_answer(answer)
        case "passage":
            vote = choice(text, asked["passages"]).value
            return None if vote is None else vote + 1
        case "ballot" | "form, ballot":
            vote = questions.read_ballot(text, asked.get("choices", CHOICES)).value
            return None if vote is None else vote + 1
        case "verdict" | "form, verdict":
            return game.read_value(text).value
        case "judge_score":
            judged = questions.read_assessment(text).value
            return judged and judged.score
        case "score_1_10":
            return read_score(text).value
        case "step24" | "form, steps":
            steps = [read.value.data for read in game.read_proposals(State(_numbers(item)), text) if read.value]
            return [*dict.fromkeys((step.a, step.op, step.b, step.result) for step in steps if step)] or None
        case "answer24":
            thought = game.read_io(State(asked["numbers"]), text)[0].value
            return _calculated(without_noise(thought.answer)) if thought and thought.answer else None
        case "word":
            words = [read.value for read in crosswords.read_proposals(State(asked["clues"]), text) if read.value]
            return [*dict.fromkeys(word.text for word in words)] or None
        case "board":
            board = crosswords.read_io(State(""), text)[0].value
            return None if not board or not board.answer or "_" in board.answer else board.answer
        case "plan":
            plan = questions.read_plan(State("a question"), text)[0].value
            return plan and " ".join(plan.text.split())
        case "action":
            if set(asked.get("tools", ())) - {tool.lower() for tool in TOOLS}:
                raise NoReader("tools that the package does not have")
            thought = hotpotqa.read_act(State("a question"), text)[0].value
            return thought and (thought.data.tool.lower(), plain(thought.data.argument))
    raise NoReader(kind)


def meant(item: Item) -> Any:
    """The right reading: None for nothing."""
    kind, right = item["kind"], item["right"]
    if right is None or right == []:
        return None
    match {"verdict": "verdict", "steps": "step24"}.get(item["asked"].get("form"), kind):
        case "number":
            return Fraction(right)
        case "short":
            return normal_answer(right)
        case "verdict":
            return VERDICTS[right]
        case "judge_score" | "score_1_10":
            return float(right)
        case "step24":
            return [*dict.fromkeys(map(_step, right))]
        case "answer24":
            if (value := _calculated(right)) is None:
                raise ValueError(f"no expression: {right}")
            return value
        case "word":
            return [*dict.fromkeys(f"{place}. {word.lower()}" for place, word in right)]
        case "board":
            return " ".join(right)
        case "plan":
            return " ".join(right.split())
        case "action":
            return right["tool"], plain(right["argument"])
    return right


def _step(text: str) -> tuple[Fraction, str, Fraction, Fraction]:
    """A right step, "10 - 4 = 6". Raises ValueError for any other text."""
    a, op, b, _, result = text.split()
    return Fraction(a.strip("()")), op, Fraction(b.strip("()")), Fraction(result)


def _numbers(item: Item) -> str:
    """The numbers that there are. A form of steps does not tell them: then those that its right steps need."""
    need = Counter[Fraction]()
    for a, _, b, _ in map(_step, item["right"] or ()):
        need |= Counter((a, b))
    return item["asked"].get("numbers") or " ".join(map(str, need.elements())) or "1 2 3 4"


def _calculated(expression: str) -> tuple[Fraction, list[int]] | None:
    """Value and sorted numbers; None for what is no expression.

    A sign in front of a number is read: that the checker of the Game of 24 refuses it is not asked here.
    """
    value = arithmetic(re.sub(r"(^|\()\s*-", r"\1 0 -", expression)).value
    return value and (value[0], sorted(filter(None, value[1])))


# ---------------------------------------------------------------- the outcome, and the study


def outcome(item: Item, style: str) -> str:
    """One of ``OUTCOMES``."""
    right = meant(item)
    try:
        read = heard(item, style)
    except NoReader:
        return UNREADABLE
    if right is None:
        return REFUSAL if read is None else NOTHING
    if read is None or (isinstance(right, list) and read != right and set(read) < set(right)):
        return REFUSED
    return RIGHT if read == right else WRONG


def figures(outcomes: Sequence[str]) -> Figures:
    """Counts, and the shares of right readings and of silent errors, of the replies that have a reader."""
    counts = {name: outcomes.count(name) for name in OUTCOMES if name in outcomes}
    read = [each for each in outcomes if each != UNREADABLE]
    if not read:
        return {"n": 0, "counts": counts}
    silent = [each in (WRONG, NOTHING) for each in read]
    rates = {"read right": share(each in (RIGHT, REFUSAL) for each in read), "silently wrong": share(silent)}
    return {"n": len(read), "counts": counts} | rates


def study(place: Path) -> Figures:
    """By style and kind: ``figures``, and the numbers (from 1, in their kind) of the replies not read right."""
    styles: Figures = {}
    items = items_of(place)
    for style in STYLES:
        kinds: Figures = {}
        found = [(item["kind"], outcome(item, style)) for item in items]
        for kind, group in groupby(found, key=lambda pair: pair[0]):
            outcomes = [each for _, each in group]
            fails = {
                name: [i for i, each in enumerate(outcomes, 1) if each == name]
                for name in (REFUSED, WRONG, NOTHING)
                if name in outcomes
            }
            kinds[kind] = figures(outcomes) | {"fails": fails}
        styles[style] = {"all": figures([each for _, each in found]), "kinds": kinds}
    return {"replies": len(items), "styles": styles}


# ---------------------------------------------------------------- others' rules on the same number replies


def last_number(text: str) -> Fraction | None:
    """The rule of lm-evaluation-harness for GSM8K, in its flexible form: the last number, whatever stands around it."""
    found = re.findall(r"-?[$0-9.,]{2,}|-?[0-9]+", text)
    return number(found[-1].replace("$", "").replace(",", "").rstrip(".")) if found else None


def by_math_verify(text: str) -> Fraction | None:
    """What math-verify parses. Raises ImportError where it is not installed."""
    from math_verify import parse

    for said in parse(text):
        try:
            return Fraction(str(said))
        except ValueError:
            continue
    return None


def others(items: Sequence[Item], rules: Sequence[tuple[str, Callable[[str], Fraction | None]]]) -> Figures:
    """The same figures for other programs' rules, on the replies that give a number."""
    asked = [item for item in items if item["kind"] == "number"]

    def ended(item: Item, read: Fraction | None) -> str:
        right = meant(item)
        if right is None:
            return REFUSAL if read is None else NOTHING
        return REFUSED if read is None else RIGHT if read == right else WRONG

    ours = figures([outcome(item, "own") for item in asked])
    return {"ours": ours} | {
        name: figures([ended(item, rule(item["reply"])) for item in asked]) for name, rule in rules
    }


# ---------------------------------------------------------------- told


def told(found: Figures) -> str:
    """The table that is printed."""
    lines = [f"{found['replies']} replies; of those that have a reader: read right, refused though readable, silent"]
    for style, part in found["styles"].items():
        for kind, row in {**part["kinds"], "all": part["all"]}.items():
            if not row["n"]:
                lines.append(f"{style:6}{kind:14}no reader")
                continue
            (right, *ends), silent = row["read right"], row["silently wrong"]
            lines.append(
                f"{style:6}{kind:14}{row['n']:4} {right:6.1%} [{ends[0]:.0%}, {ends[1]:.0%}]"
                f" {row['counts'].get(REFUSED, 0):4} refused, silently wrong {silent[0]:6.1%}"
            )
    return "\n".join(lines)


def tables(stored: Figures) -> str:
    """The tables of the manual's page, in Markdown: the sets, the kinds of the last one, other programs' rules."""

    def cell(row: Figures) -> str:
        if not row.get("n"):
            return "– | – | –"
        silent = row["counts"].get(WRONG, 0) + row["counts"].get(NOTHING, 0)
        return f"{row['n']} | {row['read right'][0]:.0%} | {silent}"

    def rates(row: Figures) -> str:
        (right, *ends), silent = row["read right"], row["silently wrong"]
        return f"{row['n']} | {right:.1%} ({ends[0]:.1%} to {ends[1]:.1%}) | {silent[0]:.1%}"

    header = "n | read right | silently wrong |"
    lines = [f"| all kinds, read for the first time | {header}", "| --- | --: | --: | --: |"]
    lines += [f"| *{name}* | {rates(row)} |" for name, row in stored["at first"].items()]
    lines += ["", f"| kind, *{WHOLE}* set, for the first time | {header}", "| --- | --: | --: | --: |"]
    lines += [f"| {kind} | {cell(row)} |" for kind, row in stored["at first"][WHOLE]["kinds"].items()]
    lines += ["", "| of the number replies | n | read right | refused though readable | silently wrong |"]
    lines.append("| --- | --: | --: | --: | --: |")
    for name, row in stored["others"].items():
        right, ends = row["read right"][0], row["read right"][1:]
        refused, silent = row["counts"].get(REFUSED, 0), row["silently wrong"][0]
        lines.append(
            f"| {name} | {row['n']} | {right:.0%} ({ends[0]:.0%} to {ends[1]:.0%}) | {refused} | {silent:.0%} |"
        )
    return "\n".join(lines)


def filled(page: str, stored: Figures) -> str:
    """The page with the tables of ``stored`` between its two marks."""
    before, rest = page.split(MARKS[0])
    return f"{before}{MARKS[0]}\n{tables(stored)}\n{MARKS[1]}{rest.split(MARKS[1])[1]}"


def main(arguments: Sequence[str] | None = None) -> None:
    given = options(
        __doc__,
        arguments,
        sets=(",".join(SETS), "which, with commas between them"),
        folder=(Path, "only the replies in this folder or file; nothing is written"),
        others=(False, "other programs' rules, too (needs math-verify)"),
        out=RESULTS,
        page=(Path, "a page whose tables are to be written"),
    )
    if given.folder:
        print(told(study(given.folder)))
        return
    sets = {name: study(SETS[name]) for name in given.sets.split(",") if SETS[name].exists()}
    print(*(f"{name}: {told(found)}" for name, found in sets.items()), sep="\n\n")
    stored: Figures = read(given.out) if given.out.exists() else {}
    if given.others:
        items = items_of(SETS[WHOLE])
        rules = [("math-verify 0.9.0", by_math_verify), ("the last number (lm-evaluation-harness)", last_number)]
        stored["others"] = others(items, rules)
    stored |= {"date": time.strftime("%Y-%m-%d"), "sets": sets}
    write(stored, given.out)
    if given.page:
        given.page.write_text(filled(given.page.read_text("utf-8"), stored), "utf-8")


if __name__ == "__main__":
    main()
