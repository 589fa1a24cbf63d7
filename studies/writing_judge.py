"""How coherent are passages? A measurement after a run, not part of any search (Tree of Thoughts, section 4.2).

``rate`` asks for scores from 1 to 10, five samples each, as the paper does; ``compare`` asks which of two passages is
more coherent, in both orders. Both ask as a search does, in the role "judge": run them with ``tot.run``, so that they
are recorded, counted and bounded like everything else, and read the outcome from the trace::

    result = tot.run(rate(passages), lm)
    for rating in ratings(result.trace.events): ...

Humans compared the paper's pairs. A model's verdict depends on which passage comes first, so ``flips`` is part of every
outcome. Replies are one line without reasons, like ballots (``plan_vote``): a small model decides first and justifies
afterwards. With ``at_length`` the judge reasons before it decides, as the paper's does.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any

from tot.ask import Ask, Search
from tot.events import Event
from tot.lm.base import Reply, Request, user
from tot.parse import Read, bad, read_sample
from tot.reply import data_in, member, to_its_end, unwrapped
from tot.state import Node, State, Thought
from tot.tasks.base import ROOM
from tot.tasks.numbers import tidy
from tot.tasks.scores import points_in
from tot.ties import mean

ROLE = "judge"


# ---------------------------------------------------------------- scores from 1 to 10


@dataclass(frozen=True)
class Rating:
    """The scores of one passage, from 1 (worst) to 10; ``unread`` counts the replies without one."""

    scores: tuple[float, ...]
    unread: int = 0

    @property
    def mean(self) -> float | None:
        """The arithmetic mean of the scores; None without scores."""
        return mean(self.scores) if self.scores else None

    @property
    def spread(self) -> float | None:
        """The standard deviation of the sample (n - 1); None for fewer than two scores."""
        return stdev(self.scores) if len(self.scores) > 1 else None


def rate(passages: Sequence[str], *, n: int = 5, first: int = 0, at_length: bool = False) -> Search:
    """Score each passage by itself, with ``n`` samples of one prompt, all in one round.

    The samples begin at the index ``first``. A passage's value is its mean score.
    """
    nodes = _nodes(passages)
    requests = [rating_prompt(passage, at_length).samples(first, n) for passage in passages]
    replies: list[Reply] = yield Ask(ROLE, nodes, requests)
    unread: list[dict[str, Any]] = []
    scores: list[list[float]] = []
    for node, reply in zip(nodes, replies, strict=True):
        reads = [read_sample(sample, read_score) for sample in reply.samples]
        scores.append([read.value for read in reads if read.value is not None])
        unread += [{"node": node.id, "why": read.why, "text": read.text} for read in reads if not read.ok]
        node.value = mean(scores[-1]) if scores[-1] else None
    yield Event("evaluated", nodes, {"scores": scores, "unread": unread})


def ratings(events: Sequence[Mapping[str, Any]]) -> list[Rating]:
    """The ratings in a trace of ``rate``, in the order of its passages. Empty if the run ended before them."""
    event = _outcome(events, "scores")
    missing = [[u["node"] for u in event["unread"]].count(node["id"]) for node in event["nodes"]]
    return [Rating(tuple(scores), n) for scores, n in zip(event["scores"], missing, strict=True)]


def rating_prompt(passage: str, at_length: bool = False) -> Request:
    """The question for the score of one passage."""
    how = 'How coherent is it, from 1 to 10? Reply with one line only: "The score is" and a number.'
    if at_length:
        how = (
            "How coherent is this passage? Discuss how its paragraphs hang together and where a reader would stumble."
            ' Then write the last line "The score is" and a number from 1 (not at all coherent) to 10.'
        )
    return user(f"Passage:\n{passage}\n\n{how}", max_tokens=ROOM if at_length else 10)


def read_score(text: str) -> Read[float]:
    """The score in a reply: "The score is 7", "Score: **7.5**", "8/10", "4 of 5", or a number that is the whole reply.

    A score that is not from 1 to 10 is refused.
    """
    return to_its_end(text.replace("½", ".5"), _score, "score_said")


def _score(text: str) -> Read[float]:
    data = data_in(text)
    said = member(data, "score_members")
    plain = unwrapped(tidy(text).replace("\\boxed{", "score: ")).strip()
    read = points_in(plain if said is None and data != {} else f"Score: {said}", last=True)
    if read.value is None:
        return bad(read.why, text)
    points, scaled, _ = read.value
    score = float(points * 10 if scaled else points)
    return Read(score, text=read.text) if 1 <= score <= 10 else bad(f"score {score:g} of 10", text)


# ---------------------------------------------------------------- pairs


@dataclass(frozen=True)
class Comparison:
    """Outcomes of many pairs: ``wins`` of the first passage, its ``losses``, and ``ties``.

    Each pair is judged in both orders. Where the verdicts differ, the order decided and not the passages: the pair
    counts as a tie, and in ``flips``. A pair with a verdict that cannot be read counts as ``unread`` only.
    ``shown_first`` counts the verdicts for the passage that was shown first, ``shown_second`` those for the other.
    """

    wins: int = 0
    losses: int = 0
    ties: int = 0
    flips: int = 0
    unread: int = 0
    shown_first: int = 0
    shown_second: int = 0


def compare(pairs: Sequence[tuple[str, str]], *, first: int = 0, at_length: bool = False) -> Search:
    """Which passage of each pair is more coherent? Two requests for each pair, one for each order, all in one round.

    The temperature is 0, so that a difference between the two orders is due to the order. The samples have the index
    ``first``.
    """
    nodes = _nodes([passage for pair in pairs for passage in pair])
    orders = [shown for one, other in pairs for shown in ((one, other), (other, one))]
    requests = [comparison_prompt(*shown, at_length).samples(first, 1) for shown in orders]
    replies: list[Reply] = yield Ask(ROLE, nodes, requests, about=[None] * len(requests))
    reads = [read_sample(reply.samples[0], read_verdict) for reply in replies]
    unread = [{"node": None, "why": read.why, "text": read.text} for read in reads if not read.ok]
    verdicts = [[there.value, back.value] for there, back in zip(reads[::2], reads[1::2], strict=True)]
    yield Event("evaluated", nodes, {"verdicts": verdicts, "unread": unread})


def comparison(events: Sequence[Mapping[str, Any]]) -> Comparison:
    """The outcome in a trace of ``compare``; all zero if the run ended before it."""
    count: Counter[str] = Counter()
    for there, back in _outcome(events, "verdicts")["verdicts"]:
        if there is None or back is None:
            count["unread"] += 1
            continue
        count["shown_first"] += (there == 1) + (back == 1)
        count["shown_second"] += (there == 2) + (back == 2)
        agreed = there == (0, 2, 1)[back]
        count[("ties", "wins", "losses")[there] if agreed else "ties"] += 1
        count["flips"] += not agreed
    return Comparison(**count)


def comparison_prompt(one: str, two: str, at_length: bool = False) -> Request:
    """The question which of two passages is more coherent."""
    way = "Discuss each of them first. Then write the last line" if at_length else "Reply with one line only:"
    how = (
        f'Which passage is more coherent? {way} "The more coherent passage is" and its number,'
        ' or "Both are equally coherent".'
    )
    shown = f"Passage 1:\n{one}\n\nPassage 2:\n{two}\n\n{how}"
    return user(shown, temperature=0.0, max_tokens=ROOM if at_length else 12)


_VERDICT = re.compile(
    r"more coherent passage\W{0,4}is\W{0,8}(?:\w+ly\W{1,4})?(?:boxed\W)?(?:(?:the|its) )?(?:passage\W{0,4})?"
    r"(?:(?:number|no)\W{1,4})?([12](?!\d)|(?:one|two|first|second)(?= (?:passage|one)\b|\W{0,4}\Z|[.,;*]|\s*\n))"
    r"|passage\W{0,4}([12])\W{0,4}is\W{0,4}(?:the )?more coherent"
    r"|(?<!not )((?:equally|similarly) coherent)"
    r"|\A[\s*]*(?:passage\W{0,4})?([12])[\s*.]*\Z",
    re.IGNORECASE,
)


_ONE = re.compile(r"\b(?:[12]|first|second|former|latter|prefer\w*)\b", re.IGNORECASE)


def read_verdict(text: str) -> Read[int]:
    """The last verdict in a reply, or a number alone: 1 or 2 for the passage shown first or second, 0 for a tie.

    Behind a tie nothing may speak of one of the two: a discussion may find them equally coherent in one respect.
    """
    text = text[-2000:]
    every = [*_VERDICT.finditer(text)]
    found = every if not (every and every[-1][3] and _ONE.search(text, every[-1].end())) else []
    found = found or [one for one in every if not one[3]]
    if not found:
        return bad("no verdict in the reply", text)
    said = (found[-1][1] or found[-1][2] or found[-1][4] or "0").lower()
    return Read({"one": 1, "first": 1, "two": 2, "second": 2}.get(said) or int(said), text=found[-1][0])


# ---------------------------------------------------------------- both


def _nodes(passages: Sequence[str]) -> list[Node]:
    return Node(State("coherence")).grow([Thought(passage, None, passage, final=True) for passage in passages])


def _outcome(events: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    nothing: dict[str, Any] = {name: [], "nodes": [], "unread": []}
    return next((event for event in events if name in event), nothing)
