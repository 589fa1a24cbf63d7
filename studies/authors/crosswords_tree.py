"""Depth-first Tree of Thoughts on 20 crosswords, with and without pruning: the logged visits through our ``dfs``.

The log has each state that was visited, with what GPT-4 said of its clues, and not the candidates that were never
tried. So our search gets the visited words as candidates, in their order, and the logged verdicts, and must then visit
the same states in the same order, with its own pruning, its own step limit and its own output rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import tot
from studies import papers
from studies.authors.crosswords_samples import PARTS, TASK, measures, table
from studies.authors.figures import Figures, against, per_problem, pooled, share
from studies.authors.replay import Logged
from tot.generate import ReadThoughts
from tot.parse import Read
from tot.runner import Result
from tot.state import Node, State, Thought
from tot.stats import sign_flips
from tot.tasks.base import Problem
from tot.tasks.crosswords_board import BLANK, SLOTS, read_board, show
from tot.tasks.crosswords_state import Entry, board_of
from tot.tasks.crosswords_style import VERDICTS

VISITS = 100  # section 4.3: the limit of the search
DEEPEST = 10
Visits = Sequence[Mapping[str, Any]]  # of one game: the states in the order of the visits
Actions = tuple[str, ...]
WORDS = ("sure", "maybe", "impossible")


def path_of(visit: Mapping[str, Any]) -> Actions:
    return tuple(visit["actions"])


def path(state: State) -> Actions:
    return tuple(thought.text for thought in state.thoughts)


def key(kind: str, state: State) -> str:
    return "\n".join([kind, *path(state)])


def asks(state: State) -> list[tot.Request]:
    """One question for each word of verdict: the log counts the clues of each."""
    return [tot.user(f"{key('value', state)}\n{word}") for word in WORDS]


def any_word(state: State, text: str) -> list[Read[Thought]]:
    """The authors' rule: also a word that is on the board already is a step. Ours: its clue is not open any more."""
    thoughts = []
    for line in text.splitlines():
        name, word = line.split(" (")[0].split(". ")
        thoughts.append(Thought(f"{name}. {word}", Entry(SLOTS.index(name), word), prior=1.0))
    return [Read(thought, text=thought.text) for thought in thoughts]


def replay(visits: Visits, problem: Problem, *, prune: bool, read: ReadThoughts) -> Result:
    """Our ``dfs`` with a reader of proposals, the log answering."""
    tried: dict[Actions, list[str]] = {}
    replies: dict[str, list[str]] = {}
    for visit in visits:
        actions = path_of(visit)
        tried.setdefault(actions[:-1], []).append(actions[-1])
        tried.setdefault(actions, [])
        for word in WORDS:  # a clue of which nobody said this is one that nobody asked about
            replies["\n".join(["value", *actions, word])] = [word if visit["count"][word] else "sure"]
    for actions, words in tried.items():
        replies["\n".join(["propose", *actions])] = ["\n".join(f"{word} (certain)" for word in words)]
    generate = tot.generator(
        lambda state: tot.user(key("propose", state)), read, gather=tot.ranked(max(1, len(visits)))
    )
    evaluate = tot.value(asks, TASK.read_value, n=1, worst=TASK.worst)
    search = tot.search.dfs(
        Node(State(problem.x)),
        generate,
        evaluate,
        depth=DEEPEST,
        threshold=VERDICTS["impossible"] if prune else -inf,
        steps=VISITS,
        output_pruned=True,
    )
    return tot.run(search, Logged(replies))


def board(visit: Mapping[str, Any], problem: Problem) -> str:
    """The board of a visited state."""
    thoughts = (read.value for read in any_word(State(problem.x), "\n".join(path_of(visit))))
    return board_of(State(problem.x, tuple(thought for thought in thoughts if thought)))


def scored(visits: Visits, problem: Problem) -> list[list[float]]:
    """Letters, words and game of each visited state."""
    return [measures(TASK.verify(problem, show(board(visit, problem)))) for visit in visits]


def right_so_far(letters: str, problem: Problem) -> bool:
    """Is every letter on the board the one of the solution?"""
    gold = read_board(problem.gold or "") or ""
    return all(a in (BLANK, b) for a, b in zip(letters, gold, strict=True))


# ---------------------------------------------------------------- what is measured


def outputs(log: Sequence[Visits], games: Sequence[Problem], paper: Mapping[str, Sequence[float]]) -> Figures:
    """Which of the visited states is shown as the answer, and what that is worth."""
    every = [scored(visits, problem) for visits, problem in zip(log, games, strict=True)]
    depth = [[len(path_of(visit)) for visit in visits] for visits in log]
    first = [[found[at.index(max(at))]] for found, at in zip(every, depth, strict=True)]
    best = [[max(found, key=lambda one: one[1])] for found in every]  # by words, the first of equals: table 3's row
    last = [[found[-1]] for found in every]
    solved = [any(one[2] for one in found) for found in every]
    return {
        "paper": {name: dict(zip(PARTS, row, strict=True)) for name, row in paper.items()},
        "first deepest state": table(first),
        "last state": table(last),
        "best state (gold picks)": table(best),
        "games of which some visited state is the solution": share(sum(solved), len(solved), "games"),
    }


def agreement(log: Sequence[Visits], games: Sequence[Problem], *, prune: bool) -> Figures:
    """How many of the visited states our search visits at the same turn, and our scorer scores alike."""
    states = same = scores = 0
    for visits, problem in zip(log, games, strict=True):
        result = replay(visits, problem, prune=prune, read=any_word)
        ours, theirs = [path(node.state) for node in result.visited], list(map(path_of, visits))
        states += len(theirs)
        same += sum(a == b for a, b in zip(ours, theirs, strict=False))
        scores += sum(
            abs(a[0] - visit["info"]["r_letter"]) < 1e-9 and abs(a[1] - visit["info"]["r_word"]) < 1e-9
            for a, visit in zip(scored(visits, problem), visits, strict=True)
        )
    return {
        "states": share(same, states, "visited states"),
        "scorers agree": {"count": scores, "n": states, "of": "visited states"},
    }


def without_a_wrong_letter(log: Sequence[Visits], games: Sequence[Problem]) -> list[float]:
    """For each game, the words of the deepest board without a wrong letter."""
    pairs = zip(log, games, strict=True)
    return [max((float(len(path_of(v))) for v in vs if right_so_far(board(v, p), p)), default=0.0) for vs, p in pairs]


def pruning(log: Sequence[Visits], games: Sequence[Problem]) -> Figures:
    """Was it right to cut? A state can be judged by its board: has it a wrong letter or not."""
    wrong_kept: list[list[float]] = []
    right_cut: list[list[float]] = []
    at: list[list[float]] = []
    lost = 0
    for visits, problem in zip(log, games, strict=True):
        marks = [(visit["count"]["impossible"] > 0, right_so_far(board(visit, problem), problem)) for visit in visits]
        at.append([float(cut) for cut, _ in marks])
        right_cut.append([float(cut) for cut, right in marks if right])
        wrong_kept.append([float(not cut) for cut, right in marks if not right])
        lost += any(cut and right for cut, right in marks)
    return {
        "how": "a state is cut if GPT-4 calls one clue impossible; a board is right so far if no letter on it is wrong",
        "states cut": pooled(at, "visited states", "games"),
        "of the states that are right so far, cut": pooled(right_cut, "states without a wrong letter", "games"),
        "of the states with a wrong letter, not cut": pooled(wrong_kept, "states with a wrong letter", "games"),
        "games in which a right state was cut": share(lost, len(games), "games"),
    }


def study(pruned: Sequence[Visits], free: Sequence[Visits], games: Sequence[Problem]) -> Figures:
    rows: dict[str, Mapping[str, Sequence[float]]] = {
        "with pruning": {"ToT": papers.CROSSWORDS["ToT"], "+best state": papers.CROSSWORDS["+best state"]},
        "without pruning": {"-prune": papers.CROSSWORDS["-prune"]},
    }
    found: Figures = {
        "how": "the visited words are the candidates, in their order, the logged verdicts prune; our dfs, 100 visits"
    }
    deepest, solved = [], []
    for name, log in (("with pruning", pruned), ("without pruning", free)):
        deepest.append(without_a_wrong_letter(log, games))
        pairs = zip(log, games, strict=True)
        solved.append([any(one[2] for one in scored(visits, problem)) for visits, problem in pairs])
        found[name] = {
            "selections": agreement(log, games, prune=log is pruned),
            "success": outputs(log, games, rows[name]),
            "progress": {
                "deepest without a wrong letter": per_problem([[words] for words in deepest[-1]], "games", "mean")
            },
        }
    found["with pruning"]["verdicts"] = pruning(pruned, games)
    found["some state solved, with pruning against without"] = against(solved[0], solved[1], "games")
    gaps = [a - b for a, b in zip(*deepest, strict=True)]
    found["deepest without a wrong letter, with pruning minus without"] = {
        **per_problem([(gap,) for gap in gaps], "games", "difference"),
        "p": round(sign_flips(gaps), 4),
    }
    return found
