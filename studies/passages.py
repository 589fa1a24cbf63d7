"""Chapter 7: its methods, which passages a judge sees, and in which pairs (``studies/writing_judged.py`` asks).

A pass over the recorded runs gives each input's passages by kind (``passages``); ``judgings`` makes the searches that
rate them and compare them; ``turned`` asks the trees' ballots once more, with the choices in reverse order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tot
from studies.writing_judge import compare, rate
from tot.ask import Search
from tot.solution import Solution
from tot.tasks.writing import Writing

Runs = Mapping[str, Sequence[Solution]]  # name of the method -> a solution for each input

METHODS: Mapping[str, dict[str, Any]] = {  # and their knobs, cheapest and most needed first
    "tot-vote": {},
    "io": {"k": 2},
    "cot": {"k": 2},
    "io-refine": {},
    "tot-vote-refine": {},
}
KINDS = ("IO", "CoT", "ToT", "ToT, no vote", "IO + refine", "ToT + refine", "bare sentences")
PAIRS = (("ToT", "CoT"), ("ToT", "IO"), ("IO + refine", "IO"), ("ToT + refine", "ToT"), ("ToT", "bare sentences"))


@dataclass(frozen=True)
class Judging:
    """One search of ``rate`` (``of`` is a kind) or ``compare`` (``of`` is a pair of kinds), and the inputs it is about.

    ``places[i]`` is the place, among the inputs, of the i-th passage or pair. An input without a passage of the kind is
    left out, and so is one whose pair is the same passage twice: there is nothing to ask.
    """

    of: str | tuple[str, str]
    places: list[int]
    search: Search


def passages(done: Runs) -> list[dict[str, str | None]]:
    """For each input its passage of each of ``KINDS``.

    Of IO's and CoT's samples it is the first that holds a passage. "ToT, no vote" is the first passage of the tree that
    no ballot named, if there is one. "bare sentences" is nobody's: the input itself, a sentence in each paragraph. It
    shows what the judge thinks of a passage that hangs together by nothing.
    """
    rows = zip(done["io"], done["cot"], done["tot-vote"], done["io-refine"], done["tot-vote-refine"], strict=True)
    return [
        {
            "IO": next(filter(None, io.answers), None),
            "CoT": next(filter(None, cot.answers), None),
            "ToT": tree.answer,
            "ToT, no vote": _without_a_vote(tree),
            "IO + refine": refined.answer,
            "ToT + refine": tree_refined.answer,
            "bare sentences": "\n\n".join(io.trace.head["problem"].split("\n")),
        }
        for io, cot, tree, refined, tree_refined in rows
    ]


def _without_a_vote(tree: Solution) -> str | None:
    answers = (node.state.answer for node in tree.result.visited if node.value == 0)
    return next((answer for answer in answers if answer not in (None, tree.answer)), None)


def judgings(found: Sequence[Mapping[str, str | None]]) -> Iterator[Judging]:
    """The searches: a rating of each kind (five samples a passage), then the pairs (in both orders)."""
    for kind in KINDS:
        one = [(i, passage) for i, mine in enumerate(found) if (passage := mine[kind]) is not None]
        yield Judging(kind, [i for i, _ in one], rate([passage for _, passage in one]))
    for a, b in PAIRS:
        two = [(i, (x, y)) for i, mine in enumerate(found) if (x := mine[a]) and (y := mine[b]) and x != y]
        yield Judging((a, b), [i for i, _ in two], compare([pair for _, pair in two]))


def turned(trees: Sequence[Solution]) -> list[tot.Request]:
    """The ballots of each tree, plans then passages, with their choices in reverse order: five samples each."""
    task = Writing()
    levels = [[n.state for n in tree.result.visited if n.depth == depth] for tree in trees for depth in (1, 2)]
    return [task.ballot(states[::-1]).samples(0, 5) for states in levels if states]
