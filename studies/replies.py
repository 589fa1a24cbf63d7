"""What do the readers make of replies as models really write them? The set in ``tests/replies``, no model asked.

    python -m studies.replies [--folder tests/replies] [--out studies/results/replies.json]

The right readings were decided before, by people who had not seen the readers (``tests/replies/README.md``). Each reply
goes the way of a server's: ``read_completion`` takes the thinking off, then the task's reader reads the rest. Tasks
that read otherwise in their paper's style are counted in both styles. A reply is read right, refused though it can be
read (a list of steps or words of which some are missed counts here), read wrong, or read though a careful person would
say nothing; the last two are silent errors: a table of results is then wrong, and says nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from studies.figures import Figures, share, write
from studies.writing_judge import read_score
from tot.lm.completion import read_completion
from tot.parse import arithmetic, no_answer, number
from tot.state import State
from tot.tasks.answers import normal_answer, read_letter, read_number, read_short, read_yes_no
from tot.tasks.crosswords import Crosswords
from tot.tasks.forms import structured
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import without_noise
from tot.tasks.game24_style import VERDICTS
from tot.tasks.hotpotqa import HotpotQA
from tot.tasks.zero_shot import GSM8K
from tot.tools.actions import plain

REPLIES, RESULTS = Path("tests/replies"), Path("studies/results/replies.json")
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
    """There is nothing in the package, or beside it, that reads replies of this kind."""


def items_of(folder: Path) -> list[Item]:
    """All replies in the files of a folder, a kind after the other."""
    lines = (line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines())
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
    match kind:
        case "number":
            return number(read_number(text, asked["bare"]).value or "")
        case "letter":
            return read_letter(text, bare=True).value
        case "yes_no":
            return read_yes_no(text, asked["bare"]).value
        case "short":
            answer = read_short(text, bare=True).value
            return None if answer is None else normal_answer(answer)
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


def study(folder: Path = REPLIES) -> Figures:
    """By style and kind: ``figures``, and the numbers (from 1, in their file) of the replies not read right."""
    styles: Figures = {}
    items = items_of(folder)
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=REPLIES, help="files of replies, KIND.jsonl")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(arguments)
    found = study(given.folder)
    print(told(found))
    write({"date": time.strftime("%Y-%m-%d")} | found, given.out)


if __name__ == "__main__":
    main()
