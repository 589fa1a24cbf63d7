"""What the streams are worth on the 100 hard puzzles, which no training row starts from, beside the chains and trees of
the pocket model; and what is in them: legal steps, verdicts, and whether a strategy is followed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from studies.figures import Figures
from studies.game24 import right
from studies.stream.data import LONGEST, lesson, trace
from studies.stream.judging import SAMPLES, Known
from studies.stream.searches import STRATEGIES, believing
from studies.stream.strategy import MOVES, choices
from studies.stream.text import verdict_of
from studies.teach.measures import tokens, tree
from studies.teach.searching import training_puzzles
from studies.trials import GAME, OWN, play
from tot.lm.base import LM, Sample
from tot.tasks.base import Problem
from tot.tasks.game24 import left
from tot.tasks.game24_rules import Numbers, solvable
from treebook.players.streaming import searching
from treebook.players.tokens import decode, encode
from treebook.studies.streams import Stream, read_stream

STREAMS, CHAINS = 16, 40  # of each puzzle
TREES = {"b = 1, one reply": (1, 1), "b = 1, three replies": (1, 3), "b = 5, one reply": (5, 1)}
WORDS = ("impossible", "likely", "sure")
_CONTROL = re.compile(r"<[a-z]+>")  # a control token where none should be, in an unread line


def compared(lm: LM, problems: Sequence[Problem]) -> Figures:
    """The pocket model as the earlier chapters ask it: chains, of which a program may check several, and trees."""
    return {
        "chains": chained(lm, problems),
        "trees": {name: tree(lm, problems, breadth=b, proposals=p) for name, (b, p) in TREES.items()},
    }


def chained(lm: LM, problems: Sequence[Problem]) -> Figures:
    """How many of ``CHAINS`` chains are right for each puzzle, and what one costs."""
    chains = play(problems, "cot-sc", lm, k=CHAINS)
    return {"k": CHAINS, "right": right(chains), "tokens": round(tokens(chains) / CHAINS, 1)}


def measured(lm: LM, problems: Sequence[Problem], sure: Mapping[Numbers, int]) -> Figures:
    """By strategy. ``sure``: the verdicts of the judge that the training rows had, to compare with."""
    found: Figures = {"puzzles": len(problems), "streams": STREAMS}
    for strategy in STRATEGIES:
        requests = [searching(p.x, strategy).samples(OWN * i, STREAMS) for i, p in enumerate(problems)]
        replies = [reply.samples for reply in lm(requests)]
        streams = [[read(p, s, strategy) for s in some] for p, some in zip(problems, replies, strict=True)]
        found[strategy] = {
            "tokens": [[s.completion_tokens for s in some] for some in replies],
            "right": [[int(is_right(p, s)) for s in some] for p, some in zip(problems, streams, strict=True)],
            "finished": [[int(s.finish == "stop") for s in some] for some in replies],
            **inside([s for some in streams for s in some[:4]], strategy, sure),
            "changed verdicts": changed(lm, strategy, [some[0] for some in streams]),
        }
    return found


def read(problem: Problem, sample: Sample, strategy: str) -> Stream:
    return read_stream(problem.x, sample.text, strategy, whole=sample.finish == "stop")


def is_right(problem: Problem, stream: Stream) -> bool:
    return stream.answer is not None and GAME.verify(problem, stream.answer).correct


def inside(streams: Sequence[Stream], strategy: str, sure: Mapping[Numbers, int]) -> Figures:
    """Counts over the lines of the streams.

    "lines": of each kind; "why": what was wrong with unread ones; "moves": for each move that the strategy asks for,
    within the length of the training's searches and beyond, [as asked, all, expected of a stream that goes to any of
    the states it has, each as likely]; "verdicts" and "judge": for states with so
    many numbers that can reach 24 ("living") or not ("dead"), how often each of WORDS was said, by the stream and by
    the judge on the same states, where it was asked.
    """
    lines: Counter[str] = Counter()
    why: Counter[str] = Counter()
    moves = {where: {move: [0, 0, 0.0] for move in MOVES} for where in ("within", "beyond")}
    verdicts, judge = ({f"{n} {life}": [0, 0, 0] for n in (3, 2) for life in ("living", "dead")} for _ in range(2))
    believed = believing(sure, SAMPLES)
    for stream in streams:
        ends, at = list[int](), 0
        for line in stream.lines:
            at += len(encode(_CONTROL.sub(" ", line.text))) + 1
            lines[line.kind] += 1
            why[line.why] += bool(line.why)
            if line.kind == "step" and line.node:
                ends.append(at)
                numbers = left(line.node.state)
                if len(numbers) > 1:
                    key = f"{len(numbers)} {'living' if solvable(numbers) else 'dead'}"
                    verdicts[key][WORDS.index(verdict_of(line.node))] += 1
                    if numbers in sure:
                        judge[key][WORDS.index(believed(numbers))] += 1
        for choice, end in zip(choices(stream, strategy), ends, strict=True):
            tally = moves["within" if end <= LONGEST else "beyond"][choice.move]
            tally[0] += choice.right
            tally[1] += 1
            tally[2] = round(tally[2] + 1 / choice.places, 6)
    return {"lines": dict(lines), "why": dict(+why), "moves": moves, "verdicts": verdicts, "judge": judge}


def practised(known: Known, n: int = 400) -> Figures:
    """How often each move is asked for in ``n`` searches such as those of the training rows, by strategy."""
    rng, found = Random("practised"), Figures()
    for strategy in STRATEGIES:
        counts = dict.fromkeys(MOVES, 0)
        for problem in rng.choices(training_puzzles(), k=n):
            text = decode(lesson(problem.x, strategy, trace(problem.x, strategy, known, rng)))
            stream = read_stream(problem.x, text.split("<reply>")[1], strategy, whole=False)
            for choice in choices(stream, strategy):
                counts[choice.move] += 1
        found[strategy] = counts
    return found


def changed(lm: LM, strategy: str, streams: Sequence[Stream]) -> Figures:
    """A verdict is changed in the middle of a stream, and the model goes on from there. Does it obey what it reads?

    "to sure": the first *impossible* of a state with three numbers becomes *sure*: how often the next line turns to
    that state. "to impossible": the first *sure* or *likely* one becomes *impossible*: how often it does not turn
    there. Each as [obeyed, asked]. "as they were": how often the next line turned there before the change, of the
    same places. For depth-first streams only; a best-first one looks at all its steps before it turns.
    """
    found = {"to sure": [0, 0], "to impossible": [0, 0], "as they were": [0, 0]}
    if strategy != "depth-first":
        return found
    asked, about = [], []
    for i, stream in enumerate(streams):
        for change, old, new in (("to sure", WORDS[:1], "sure"), ("to impossible", WORDS[1:], "impossible")):
            for at, line in enumerate(stream.lines[:-1]):
                if line.kind != "step" or not line.node or len(left(line.node.state)) != 3:
                    continue
                if verdict_of(line.node) in old:
                    before = [x.text for x in stream.lines[:at]] + [line.text.rsplit(". ", 1)[0] + f". {new}"]
                    begun = "\n".join(before) + "\n"
                    asked.append(
                        searching(stream.root.state.x, strategy, begun=begun, max_tokens=12).samples(OWN * i, 1)
                    )
                    about.append((change, line, stream.lines[at + 1]))
                    break
    for (change, line, after), reply in zip(about, lm(asked), strict=True):
        assert line.node
        there = "Numbers: " + " ".join(map(str, left(line.node.state)))
        turned = reply.texts[0].split("\n")[0] == there
        found[change][0] += turned if change == "to sure" else not turned
        found[change][1] += 1
        found["as they were"][0] += after.text == there
        found["as they were"][1] += 1
    return found
