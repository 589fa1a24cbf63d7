"""The stream model made to think longer, or cut: budget forcing (Muennighoff et al. 2025, "s1").

    python -m studies.stream.forcing [--results FILE] [--puzzles N]

s1 writes "Wait" where a model would end its thinking, and where the budget is used up it ends the thinking itself. The
stream model knows no "Wait": where it has written its answer, that line is taken away and the beginning of a turn is
written, "Numbers: ", so that it has to go on from a state of its choice. Where it is cut, "Answer: " is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from studies.figures import Figures, write
from studies.options import options
from studies.stream.recording import stream_model
from studies.trials import GAME
from tot.ask import Ask, Search
from tot.events import Best, Expanded
from tot.lm.base import LM, Reply
from tot.runner import Run, run_many
from tot.state import Node, State, Thought
from tot.tasks.base import Problem
from treebook.players.streaming import searching
from treebook.studies.streams import read_stream

RESULTS = Path(__file__).resolve().parent.parent / "results" / "forced.json"
WAIT, ANSWER = "Numbers: ", "Answer: "
SHORT = 24  # tokens of a forced answer
CAPS, WAITS = (40, 80, 160, 320, 640), (0, 1, 2, 4, 6)


def forced_stream(x: str, strategy: str = "depth-first", *, cap: int, waits: int = 0, first: int = 0) -> Search:
    """A stream of at most ``cap`` tokens, which is made to go on ``waits`` times where it would end.

    The cap is that of the whole stream: what was written before a wait is subtracted. Each answer is a thought below
    the one before it, and the last one is the output. A forced answer has ``SHORT`` tokens more.
    """
    node, begun, used = Node(State(x)), "", 0
    for _ in range(waits + 1):
        asked = searching(x, strategy, begun=begun, max_tokens=cap - used)
        replies: list[Reply] = yield Ask("generator", [node], [asked.samples(first, 1)])
        [sample] = replies[0].samples
        text, used = begun + sample.text, used + sample.completion_tokens
        cut = sample.finish == "length"
        if cut:
            begun = text[: text.rfind("\n") + 1] + ANSWER
            asked = searching(x, strategy, begun=begun, max_tokens=SHORT)
            replies = yield Ask("generator", [node], [asked.samples(first, 1)])
            text = begun + replies[0].samples[0].text
        answer = read_stream(x, text, strategy).answer
        new = node.grow([Thought(text, answer=answer)])
        yield Expanded(new, [node])
        yield Best(new)
        node, begun = new[0], f"{text.rpartition(chr(10) + ANSWER)[0] or text}\n{WAIT}"
        if cut or used >= cap:
            return


def played(lm: LM, problems: Sequence[Problem], *, cap: int, waits: int) -> Figures:
    """For each puzzle whether the output is right, whether any answer on the way was, and how many tokens it took."""
    runs = {Run(forced_stream(p.x, cap=cap, waits=waits), lm): p for p in problems}
    done = {runs[run].id: run.result() for run in run_many(runs)}
    found: Figures = {"right": [], "any": [], "tokens": []}
    for problem in problems:
        result = done[problem.id]
        answers = [node.state.answer for node in reversed([*result.best[0].path]) if node.depth]
        rights = [GAME.verify(problem, answer).correct for answer in answers]
        found["right"].append(int(rights[-1]))
        found["any"].append(int(any(rights)))
        found["tokens"].append(result.ledger.total.completion_tokens)
    return found


def figures(lm: LM, problems: Sequence[Problem]) -> Figures:
    longest = CAPS[-1]
    cuts = {str(cap): played(lm, problems, cap=cap, waits=0) for cap in CAPS}
    waits = {str(n): played(lm, problems, cap=longest, waits=n) if n else cuts[str(longest)] for n in WAITS}
    return {"date": str(date.today()), "model": lm.name, "weights": lm.weights[:12], "puzzles": len(problems),
            "cap": longest, "cut": cuts, "wait": waits}  # fmt: skip


def main() -> None:
    a = options(__doc__, results=RESULTS, puzzles=(int, "only so many"))
    write(figures(stream_model(), GAME.problems("hard")[: a.puzzles]), a.results)


if __name__ == "__main__":
    main()
