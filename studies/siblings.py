"""Siblings graded in one call: the Game of 24's verdicts on states one by one, and on all siblings together. Resumable.

    python -m studies.siblings --model MODEL --cassette FILE [--base-url URL] [--weights FILE] [--families 20]

Fixed before anything was asked: of each puzzle of `hard`, six of its legal first steps to whole numbers are a family of
siblings (three numbers are left): three from which 24 can still be made, if there are so many, the others not, drawn
and put in order by the puzzle's id. Six steps below one that can are another family (two are left). Each state is
graded once alone, and once with its siblings, by the task's own prompt and its own reader. A verdict agrees with the
oracle if it says sure or likely of a state that can, and impossible of another; what is unread agrees with nothing.
Intervals and test draw families anew, since siblings share a reply.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import tot
from studies.figures import Figures, compared, mean, write
from studies.live import add_model, check_model, model
from tot.methods.siblings import listed, read_listed
from tot.state import Node, State, Thought
from tot.tasks.game24 import Game24, left, shown_left
from tot.tasks.game24_rules import moves, solvable

RESULTS = Path("studies/results/siblings.json")
GAME, SIBLINGS = Game24(), 6
WAYS = "one by one", "in one call"


def families(n: int) -> list[list[State]]:
    """The first ``n`` families, in the order of the puzzles."""
    found = []
    for problem in GAME.problems("hard")[: (n + 1) // 2]:
        draw, parent = random.Random(problem.id), Node(State(problem.x))
        for _ in range(2):
            whole = {step.left: step for step in moves(left(parent.state)) if step.result.denominator == 1}
            steps = draw.sample([*whole.values()], len(whole))  # of equal states one: they would be one question
            can = [step for step in steps if solvable(step.left)][: SIBLINGS // 2]
            chosen = [*can, *(step for step in steps if not solvable(step.left))][:SIBLINGS]
            nodes = parent.grow(Thought(str(step), step) for step in draw.sample(chosen, len(chosen)))
            found.append([node.state for node in nodes])
            parent = next(node for node in nodes if node.state.last and node.state.last.data is can[0])
    return found[:n]


def graded(family: Sequence[State], lm: tot.LM) -> Figures:
    """A line: what is left, what the oracle says, and for each way the verdicts (None: unread) and the tokens."""
    alone = [GAME.value(state) for state in family]
    replies, [together] = lm(alone), lm([listed(alone)])
    heard = read_listed(together.samples[0], len(family), GAME.read_value)
    verdicts = {
        WAYS[0]: [GAME.read_value(reply.samples[0].text).value for reply in replies],
        WAYS[1]: [read.value for read in heard],
    }
    usage = {WAYS[0]: [reply.asked for reply in replies], WAYS[1]: [together.asked]}
    return {
        "left": [shown_left(state) for state in family],
        "solvable": [int(solvable(left(state))) for state in family],
        "verdicts": verdicts,
        "read": {way: sum(one.prompt_tokens for one in bills) for way, bills in usage.items()},
        "written": {way: sum(one.completion_tokens for one in bills) for way, bills in usage.items()},
    }


def agree(line: Figures, way: str) -> list[float]:
    """For each state of a line: does its verdict agree with the oracle?"""
    pairs = zip(line["verdicts"][way], line["solvable"], strict=True)
    return [float(verdict is not None and (verdict > GAME.worst) == bool(can)) for verdict, can in pairs]


def figures(lines: Sequence[Figures]) -> Figures:
    """Agreement, unread verdicts and tokens a state for each way, and the difference with its test."""
    states = sum(len(line["left"]) for line in lines)
    rows = {
        way: {
            "agreement": mean([agree(line, way) for line in lines]),
            "unread": sum(line["verdicts"][way].count(None) for line in lines),
            "read a state": round(sum(line["read"][way] for line in lines) / states, 1),
            "written a state": round(sum(line["written"][way] for line in lines) / states, 1),
        }
        for way in WAYS
    }
    shares = [[sum(agree(line, way)) / len(line["left"]) for line in lines] for way in reversed(WAYS)]
    counts = {"families": len(lines), "states": states, "solvable": sum(sum(line["solvable"]) for line in lines)}
    return counts | rows | {"in one call minus one by one, by family": compared(*shares)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_model(parser)
    parser.add_argument("--cassette", type=Path, required=True)
    parser.add_argument("--families", type=int, default=20)
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    check_model(parser, a)
    live, weights = model(a)
    with tot.Cassette(a.cassette, live, weights=weights) as lm:
        lines = [graded(family, lm) for family in families(a.families)]
        dates = sorted({session["date"] for session in lm.tape.sessions.values()})
        about = {"model": lm.name, "weights_sha256": weights, "dates": dates}
    write({**about, **figures(lines), "lines": lines}, a.out)
    return 0


if __name__ == "__main__":
    tot.starting.end_as_by_ctrl_c()
    sys.exit(main())
