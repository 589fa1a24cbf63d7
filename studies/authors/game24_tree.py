"""Tree of Thoughts on the Game of 24: the logged search through our ``bfs``, and what became of it.

The authors keep every line that GPT-4 proposes, unchecked; our task refuses lines that are no legal step. Both rules
are run, each on GPT-4's own replies and verdicts, as far as the log goes: it has no reply for a state that the authors'
search dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import tot
from studies import papers
from studies.authors.figures import Figures, against, counts, per_problem, pooled, share
from studies.authors.files import Log
from studies.authors.game24_log import (
    KINDS,
    LEGAL,
    OTHER_FORM,
    Candidate,
    Puzzle,
    after,
    form,
    look_at,
    meant_well,
    read_log,
    shown_numbers,
)
from studies.authors.replay import SAMPLES, Logged, tokens, verdicts
from tot.ask import Search
from tot.methods.answers import most_agreed
from tot.parse import Read
from tot.runner import Result
from tot.search.breadth_first import best
from tot.state import Node, State, Thought
from tot.tasks.game24 import Game24, left, numbers_of
from tot.tasks.game24_rules import TARGET

GAME = Game24()
BREADTH = 5
STEPS = (1, 2, 3)
Replies = dict[str, list[str]]


def key(kind: str, state: State) -> str:
    """What a request about a state says, so that the log can be asked for just this one."""
    return "\n".join([kind, *(thought.text for thought in state.thoughts)])


def asking(kind: str) -> Callable[[State], tot.Request]:
    return lambda state: tot.user(key(kind, state))


def answer_in(x: str, line: str) -> str | None:
    """The expression of a line that is an answer, by the task's own reader; None for any other line."""
    if "answer" not in line.lower():
        return None
    return next((r.value.answer for r in GAME.read_io(State(x), line) if r.value), None)


# ---------------------------------------------------------------- the two rules


def every_line(state: State, text: str) -> list[Read[Thought]]:
    """The authors' rule: each line of the reply is a thought, whatever it says."""
    return [Read(Thought(line, answer=answer_in(state.x, line)), text=line) for line in text.split("\n")]


def unchecked(puzzle: Puzzle, breadth: int) -> tuple[Search, Logged]:
    """The search by the authors' rule, and a model that answers what it asks."""
    replies: Replies = {}
    for round_ in puzzle.rounds:
        for parent, lines in round_.replies().items():
            replies["\n".join(["propose", *parent])] = ["\n".join(lines)]
        for one in round_.proposed:
            if one.value is not None:
                replies["\n".join(["value", *one.path])] = verdicts(one.value)
    generate = tot.generator(asking("propose"), every_line)
    evaluate = tot.value(asking("value"), GAME.read_value, n=SAMPLES)
    return tot.search.bfs(Node(State(puzzle.x)), generate, evaluate, depth=4, breadth=breadth), Logged(replies)


def checked(puzzle: Puzzle, breadth: int) -> tuple[Search, Logged]:
    """The search by our rule: the task's readers check each line, a lone number is judged, the answer composed."""
    replies: Replies = {}
    states: dict[tuple[str, ...], State | None] = {(): State(puzzle.x)}
    for round_ in puzzle.rounds[:3]:
        for parent, lines in round_.replies().items():
            if (state := states.get(parent)) is not None:
                replies.setdefault(key("propose", state), ["\n".join(lines)])
        for one in round_.proposed:
            if (state := states.get(one.parent)) is None or len(left(state)) == 1:
                continue
            step = next((r.value for r in GAME.read_proposals(state, one.line) if r.value), None)
            states[one.path] = child = state.then(step) if step else None
            if child and one.value is not None:
                replies.setdefault(key("value", child), verdicts(one.value))
    generate = tot.generator(asking("propose"), GAME.read_proposals, local=GAME.compose)
    evaluate = tot.value(asking("value"), GAME.read_value, n=SAMPLES, local=GAME.judge)
    return tot.search.bfs(Node(State(puzzle.x)), generate, evaluate, depth=4, breadth=breadth), Logged(replies)


Rule = Callable[[Puzzle, int], tuple[Search, Logged]]


def play(puzzle: Puzzle, rule: Rule, breadth: int = BREADTH) -> Result:
    search, lm = rule(puzzle, breadth)
    return tot.run(search, lm)


# ---------------------------------------------------------------- do we select what the authors selected?


def texts(nodes: Sequence[Node]) -> list[tuple[str, ...]]:
    return [tuple(thought.text for thought in node.state.thoughts) for node in nodes]


def beams(result: Result, puzzle: Puzzle) -> list[list[tuple[str, ...]]]:
    """The states that a finished search kept after each step, read off its trace."""
    node_of = {node.id: node for node in result.visited}
    kept = ([node["id"] for node in event["nodes"]] for event in result.trace.events if event["kind"] == "best")
    return [texts([node_of[id] for id in ids]) for ids in kept]


def selection(puzzles: Sequence[Puzzle]) -> Figures:
    steps: list[bool] = []
    whole: list[bool] = []
    odd: list[dict[str, Any]] = []
    for puzzle in puzzles:
        for round_ in puzzle.rounds:
            nodes = [Node(State(puzzle.x, tuple(map(Thought, one.path))), value=one.score) for one in round_.proposed]
            steps.append(texts(best(nodes, BREADTH)) == round_.kept)
        pairs = zip(beams(play(puzzle, unchecked), puzzle), puzzle.rounds, strict=True)
        for step, (ours, round_) in enumerate(pairs, 1):
            kept = round_.kept
            whole.append(ours == kept)
            if ours != kept:
                odd.append({"rank": puzzle.rank, "step": step, "a duplicate": len(set(kept)) < len(kept) != len(ours)})
    return {
        "how": "the logged lines and verdicts answer our bfs; b = 5; a step agrees if kept states and their order do",
        "best": share(sum(steps), len(steps), "steps"),
        "bfs": share(sum(whole), len(whole), "steps"),
        "not the same": odd,
    }


# ---------------------------------------------------------------- success


def outcome(puzzle: Puzzle, result: Result) -> dict[str, Any]:
    """What the last states of a search are worth: each, the first, any of them, and the one chosen without gold."""
    problem = GAME.problem(puzzle.x)
    right = [GAME.verify(problem, node.state.answer).correct for node in result.best]
    chosen = most_agreed(GAME, result.best)
    return {
        "each": right,
        "first": bool(right and right[0]),
        "any": any(right),
        "chosen": bool(chosen and GAME.verify(problem, chosen.state.answer).correct),
    }


def composed(puzzle: Puzzle) -> bool:
    """Did a state that was kept after the third step reach 24 by exact steps, so that a program can write it down?"""
    return any(after(puzzle.x, path) == (TARGET,) for path in puzzle.rounds[2].kept)


def success(puzzles: Sequence[Puzzle]) -> Figures:
    found = [outcome(puzzle, play(puzzle, unchecked)) for puzzle in puzzles]
    n, by_program = len(found), list(map(composed, puzzles))
    wrong = sum(
        GAME.verify(GAME.problem(p.x), answer_in(p.x, path[-1])).correct != right
        for p in puzzles
        for path, right in zip(p.rounds[-1].kept, p.right, strict=True)
    )
    each = [right for puzzle in puzzles for right in puzzle.right]
    anyone = [one["any"] for one in found]
    return {
        "how": "our verifier on the last beam of the authors' search; chosen: the highest value, then most frequent",
        "paper": papers.GAME24["ToT b=5"],
        "first of five": share(sum(one["first"] for one in found), n, "puzzles"),
        "any of five (checked)": share(sum(anyone), n, "puzzles"),
        "chosen without gold": share(sum(one["chosen"] for one in found), n, "puzzles"),
        "mean of the five": per_problem([list(map(float, one["each"])) for one in found], "puzzles"),
        "composed by program": share(sum(by_program), n, "puzzles"),
        "program against GPT-4's own answers": against(by_program, anyone, "puzzles"),
        "right answers below a path with an illegal step": {
            "count": sum(
                right and after(p.x, path[:3]) is None
                for p in puzzles
                for path, right in zip(p.rounds[-1].kept, p.right, strict=True)
            ),
            "n": sum(map(sum, (p.right for p in puzzles))),
            "of": "right answers",
        },
        "scorers disagree": {"count": wrong, "n": len(each), "of": "last states"},
    }


def narrow_beam(puzzles: Sequence[Puzzle]) -> Figures:
    """Both rules with b = 1. A search that keeps a state which GPT-4 was never asked about has no end here."""
    table: Figures = {}
    for name, rule in (("every line kept, the authors' rule", unchecked), ("checked lines only, our rule", checked)):
        played = [(puzzle, play(puzzle, rule, 1)) for puzzle in puzzles]
        ended = [outcome(puzzle, result) for puzzle, result in played if not result.error]
        solved = sum(one["any"] for one in ended)
        counted = {"solved (checked)": solved, "not solved": len(ended) - solved}
        table[name] = {"b=1": {**counted, "leaves the log": len(played) - len(ended), "n": len(played)}}
    how = "our bfs on GPT-4's replies; 'leaves the log': a state is kept that the authors' search had dropped"
    return {"how": how, **table}


# ---------------------------------------------------------------- what GPT-4 wrote


def shown(x: str, parent: Sequence[str]) -> Any:
    """The numbers that the prompt showed, exactly as they were written; None where that is no list of numbers."""
    try:
        return numbers_of(shown_numbers(x, tuple(parent)))
    except (ValueError, ZeroDivisionError):
        return None


def legality(puzzles: Sequence[Puzzle]) -> Figures:
    lines: Figures = {}
    forms: Counter[str] = Counter()
    for step in STEPS:
        kinds: list[list[str]] = []
        for puzzle in puzzles:
            found = []
            for one in puzzle.rounds[step - 1].proposed:
                numbers = shown(puzzle.x, one.parent)
                line = look_at(one.line, numbers) if numbers else None
                found.append(line.kind if line else "no step")
                if line and line.kind == OTHER_FORM:
                    forms[form(one.line)] += 1
            kinds.append(found)
        exact = [[float(kind in (LEGAL, OTHER_FORM)) for kind in group] for group in kinds]
        all_ = Counter(kind for group in kinds for kind in group)
        lines[f"step {step}"] = {
            "exact": pooled(exact, "proposed lines"),
            "kinds": {kind: all_[kind] for kind in KINDS},
        }
    kept: Figures = {}
    for step in STEPS:
        legal = [[float(after(p.x, path) is None) for path in p.rounds[step - 1].kept] for p in puzzles]
        reader = [[float(not readable(p.x, path)) for path in p.rounds[step - 1].kept] for p in puzzles]
        kept[f"step {step}"] = {
            "illegal": pooled(legal, "states kept"),
            "refused by our reader": pooled(reader, "states kept"),
        }
    return {
        "how": "exact arithmetic; a state is illegal if a line of it is no exact step from the numbers that are there;"
        " kinds of lines: against the numbers that the prompt showed",
        "lines": lines,
        "beam": kept,
        "exact lines that our reader refuses": {"count": sum(forms.values()), "forms": dict(forms.most_common())},
    }


def readable(x: str, path: Sequence[str]) -> bool:
    """Does our task's reader take every line of a state?"""
    state = State(x)
    for line in path:
        if len(left(state)) == 1:
            return False
        step = next((r.value for r in GAME.read_proposals(state, line) if r.value), None)
        if step is None:
            return False
        state = state.then(step)
    return True


def proposals(puzzles: Sequence[Puzzle]) -> Figures:
    """How many lines a reply has, and how long it is: our prompt asks for up to eight, in 180 tokens."""
    cap = GAME.propose(State("1 1 1 1"), "one-shot").max_tokens or 0
    table: Figures = {}
    for step in STEPS:
        replies = [list(p.rounds[step - 1].replies().values()) for p in puzzles]
        sizes = [[float(len(lines)) for lines in group] for group in replies]
        long = [[float(tokens("\n".join(lines)) > cap) for lines in group] for group in replies]
        table[f"step {step}"] = {
            "lines in a reply": per_problem(sizes, "puzzles", "mean"),
            "more than eight": pooled([[float(n > 8) for n in group] for group in sizes], "replies"),
            "more tokens than our limit": pooled(long, "replies"),
        }
    return {
        "how": "tokens: pieces of the text, exact for equations by the bills of the IO and CoT logs",
        "limit": cap,
        **table,
    }


def verdict_length(puzzles: Sequence[Puzzle]) -> Figures:
    """The verdicts' words are not in the log, but their bill is: what is left of it after the proposals."""
    known: set[str] = set()
    groups: list[tuple[float, float]] = []
    for puzzle in puzzles:
        written, asked = 0, 0
        for round_ in puzzle.rounds:
            written += sum(tokens("\n".join(lines)) for lines in round_.replies().values())
            for one in round_.proposed:
                has_numbers = "left: " in one.line
                question = shown_numbers(puzzle.x, one.path) if has_numbers else f"{puzzle.x}: {one.line.lower()}"
                if one.value is not None and question not in known:
                    known.add(question)
                    asked += SAMPLES
        if asked:
            groups.append((float(puzzle.bill - written), float(asked)))
    means = per_problem([(spent / asked,) for spent, asked in groups], "puzzles", "mean")
    limit = GAME.value(State("1 1 1 1")).max_tokens
    return {
        "how": "the bill of a puzzle less the tokens of its proposals, by the number of verdicts that were asked for"
        " (three for each question that had not been asked before); the words of the verdicts are not in the log, so"
        " how many of them pass our limit is unknown",
        "tokens of a verdict, mean of a puzzle": means,
        "puzzles whose mean is above our limit": share(
            sum(spent / asked > (limit or 0) for spent, asked in groups), len(groups), "puzzles"
        ),
        "limit": limit,
        "verdicts": int(sum(asked for _, asked in groups)),
        "tokens": int(sum(spent for spent, _ in groups)),
    }


def bill(log: Log) -> Figures:
    """What the authors were charged for a puzzle, in the mean: thousands of tokens, dollars."""
    last, n = log[-1]["usage_so_far"], len(log)
    return {
        "how": "the log's own count after its last puzzle, by the number of puzzles",
        "generated k": round(last["completion_tokens"] / n / 1000, 1),
        "prompt k": round(last["prompt_tokens"] / n / 1000, 1),
        "dollars": round(last["cost"] / n, 2),
        "n": n,
    }


# ---------------------------------------------------------------- where it fails


def fails_at(puzzle: Puzzle) -> tuple[int, str]:
    """(step, cause) at which the search lost 24 by the rules; (4, ...) where only the answer failed; (0, "") if solved.

    The causes are those of chapter 6, part two: "not proposed", "slip" (a line was meant to, with a mistake in it),
    "judged impossible" (all living states got the lowest values and fell out), "not kept".
    """
    if any(puzzle.right):
        return 0, ""
    for step in STEPS:
        round_ = puzzle.rounds[step - 1]
        living = [one for one in round_.proposed if one.alive]
        if not living:
            return step, "slip" if any(map(slipped, round_.proposed)) else "not proposed"
        if not any(one.path in round_.kept for one in living):
            return step, "judged impossible" if all(one.score < 1.0 for one in living) else "not kept"
    return 4, "no right answer"


def slipped(one: Candidate) -> bool:
    numbers = after(one.x, one.parent)
    return numbers is not None and look_at(one.line, numbers).left is None and meant_well(numbers, one.line)


def failures(puzzles: Sequence[Puzzle]) -> Figures:
    found = [fails_at(puzzle) for puzzle in puzzles]
    n = len(found)
    return {
        "how": "an exhaustive solver looks whether a kept state can still reach 24 by exact steps",
        "by step": {f"step {step}": share(sum(at == step for at, _ in found), n, "puzzles") for step in (*STEPS, 4)},
        "solved": share(sum(at == 0 for at, _ in found), n, "puzzles"),
        "causes": counts(f"step {at}: {why}" for at, why in found if at),
    }


def study(log: Log) -> Figures:
    puzzles = read_log(log)
    return {
        "bill": bill(log),
        "selections": selection(puzzles),
        "success": success(puzzles),
        "other beams": narrow_beam(puzzles),
        "legality": legality(puzzles),
        "proposals": proposals(puzzles),
        "verdicts' length": verdict_length(puzzles),
        "fails": failures(puzzles),
    }
