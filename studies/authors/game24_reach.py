"""A solver beside GPT-4: how often its steps keep 24 in reach, and how well its verdicts tell living from dead.

These figures give GPT-4 its place beside other models: one proposes well or not, one judges well or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from studies.authors.figures import Cell, Figures, auc, per_problem, pooled, share
from studies.authors.game24_log import Puzzle, after, look_at, shown_numbers
from studies.authors.game24_tree import GAME, STEPS, answer_in
from studies.authors.replay import verdicts
from tot.search.breadth_first import best
from tot.state import Node, State
from tot.tasks.game24 import VERDICTS
from tot.tasks.game24_rules import Numbers, moves, solvable

BREADTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15)


# ---------------------------------------------------------------- proposals


def by_chance(numbers: Numbers, lines: int) -> tuple[float, float]:
    """(share of legal moves that keep 24 in reach; chance that one of ``lines`` different ones does)."""
    every = moves(numbers)
    living = sum(solvable(step.left) for step in every)
    k = min(lines, len(every))
    return living / len(every), 1 - comb(len(every) - living, k) / comb(len(every), k)


def steps(puzzles: Sequence[Puzzle]) -> Figures:
    """From states in which 24 can be reached by exact steps: what GPT-4 proposes, and what chance would."""
    table: Figures = {}
    for step in STEPS:
        line: list[list[float]] = []
        some: list[list[float]] = []
        chance_line: list[list[float]] = []
        chance_some: list[list[float]] = []
        for puzzle in puzzles:
            groups: list[list[float]] = [[], [], [], []]
            for parent, lines in puzzle.rounds[step - 1].replies().items():
                numbers = after(puzzle.x, parent)
                if numbers is None or len(numbers) == 1 or not solvable(numbers):
                    continue
                ends = [look_at(text, numbers).left for text in lines]
                kept = [float(end is not None and solvable(end)) for end in ends]
                luck = by_chance(numbers, len(set(lines)))
                groups[0] += kept
                groups[1].append(max(kept))
                groups[2].append(luck[0])
                groups[3].append(luck[1])
            for column, group in zip((line, some, chance_line, chance_some), groups, strict=True):
                column.append(group)
        table[f"step {step}"] = {
            "a line does, mean of puzzles": per_problem(line, "puzzles"),
            "at least one line of a reply does": pooled(some, "replies"),
            "a legal move drawn at random does": per_problem(chance_line, "puzzles"),
            "one of as many moves drawn at random does": per_problem(chance_some, "puzzles"),
        }
    how = (
        "replies about states from which 24 can be reached by exact steps; an illegal line keeps nothing; random moves:"
        " drawn without replacement from all legal ones, as many as the reply has different lines"
    )
    return {"how": how, **table}


# ---------------------------------------------------------------- verdicts


def numbers_in(text: str) -> Numbers | None:
    try:
        return tuple(sorted(map(Fraction, text.split())))
    except (ValueError, ZeroDivisionError):
        return None


Verdict = tuple[float, bool]  # the logged value, and the truth


def judged(puzzles: Iterable[Puzzle], step: int, known: set[str]) -> dict[int, list[Verdict]]:
    """By the rank of the puzzle: each set of numbers that GPT-4 was asked about, once, and whether it can make 24.

    Only states that came by exact steps. ``known``: questions that were asked before (the authors' code has a cache);
    new ones are added.
    """
    found: dict[int, list[Verdict]] = {}
    for puzzle in puzzles:
        mine = found.setdefault(puzzle.rank, [])
        for one in puzzle.rounds[step - 1].proposed:
            question = shown_numbers(puzzle.x, one.path)
            if one.value is None or question in known or one.left is None or numbers_in(question) != one.left:
                continue
            known.add(question)
            mine.append((one.value, solvable(one.left)))
    return found


def answers(puzzles: Iterable[Puzzle]) -> dict[int, list[Verdict]]:
    """The same for the answers that GPT-4 wrote: its verdict on each, and whether it is right."""
    found: dict[int, list[Verdict]] = {}
    for puzzle in puzzles:
        problem = GAME.problem(puzzle.x)
        for one in puzzle.rounds[3].proposed:
            answer = answer_in(puzzle.x, one.line)
            if one.value is not None and answer is not None:
                right = GAME.verify(problem, answer).correct
                found.setdefault(puzzle.rank, []).append((one.value, right))
    return found


def rates(found: Mapping[int, Sequence[Verdict]]) -> Figures:
    words = {rank: [(verdicts(value), alive) for value, alive in group] for rank, group in found.items()}

    def cell(what: str, of: bool | None, test: Any) -> Cell:
        groups = [[float(test(w)) for w, alive in group if of is None or alive is of] for group in words.values()]
        return pooled(groups, what)

    def unlike(w: list[str]) -> bool:
        return len(set(w)) > 1

    return {
        "auc": auc(found),
        "living states ruled out (no sure and no likely)": cell(
            "living states", True, lambda w: not {"sure", "likely"} & set(w)
        ),
        "living states called sure at least once": cell("living states", True, lambda w: "sure" in w),
        "dead states called sure at least once": cell("dead states", False, lambda w: "sure" in w),
        "dead states ruled out": cell("dead states", False, lambda w: not {"sure", "likely"} & set(w)),
        "the three verdicts differ": cell("states", None, unlike),
    }


def trust(puzzles: Sequence[Puzzle]) -> Figures:
    known: set[str] = set()
    table: Figures = {}
    for step, name in ((1, "three numbers left"), (2, "two numbers left")):
        table[name] = rates(judged(puzzles, step, known))
    table["answers"] = rates(answers(puzzles))
    return {
        "how": "each question once; truth by an exhaustive solver; the value is the sum of three verdicts"
        f" ({', '.join(f'{word} {VERDICTS[word]:g}' for word in ('sure', 'likely', 'impossible'))})",
        **table,
    }


# ---------------------------------------------------------------- beams


def beam(puzzles: Sequence[Puzzle]) -> Figures:
    """Of what was proposed at each step, how often the best b by GPT-4's values hold a state that can reach 24."""
    table: Figures = {}
    for step in STEPS:
        ranked: list[list[bool]] = []
        for puzzle in puzzles:
            pool = puzzle.rounds[step - 1].proposed
            nodes = [Node(State(str(i)), value=one.score) for i, one in enumerate(pool)]
            ranked.append([pool[int(node.state.x)].alive for node in best(nodes, len(nodes))])
        n = len(ranked)
        table[f"step {step}"] = {
            **{f"b={b}": share(sum(any(alive[:b]) for alive in ranked), n, "puzzles") for b in BREADTHS},
            "all that was proposed": share(sum(map(any, ranked)), n, "puzzles"),
        }
    how = (
        "the states that the authors' search with b = 5 had proposed, sorted by the logged values, the first b kept:"
        " from the second step on, a wider beam would also have had proposals of states that b = 5 dropped"
    )
    return {"how": how, **table}


def study(puzzles: Sequence[Puzzle]) -> Figures:
    return {"steps": steps(puzzles), "verdicts": trust(puzzles), "beam": beam(puzzles)}
