"""Creative Writing on 100 inputs: the logged votes through our ``vote``, and a program that checks the constraint."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

import tot
from studies import papers
from studies.authors.figures import Cell, Figures, counts, per_problem, pooled, share
from studies.authors.files import Log
from studies.authors.replay import Logged, tokens
from tot.parse import Read
from tot.runner import Result
from tot.state import Node, State, Thought
from tot.stats import sign_flips
from tot.tasks.base import Problem
from tot.tasks.writing import Writing

TASK = Writing()
BALLOTS = 5
VOTE = "vote"


def passage_of(text: str) -> str:
    """What a reply has below "Passage:"; all of it where there is no such line."""
    return text.rpartition("Passage:")[2].strip()


# ---------------------------------------------------------------- votes


def ballots(votes: Sequence[float]) -> list[str]:
    """Replies that cast the logged votes; a ballot that the authors could not read is an empty one."""
    cast = [f"The best choice is {i}" for i, n in enumerate(votes, 1) for _ in range(round(n))]
    return cast + [""] * (BALLOTS - len(cast))


def every_reply(state: State, text: str) -> list[Read[Thought]]:
    """The authors' rule: each reply is a thought as it stands."""
    return [Read(Thought(text), text=text)]


def replay(entry: dict[str, list[dict[str, list[str]]]], *, ours: bool) -> tuple[Result, list[int]]:
    """Plan, vote, write, vote: our ``bfs`` and ``vote`` on one input's log; and the places that the votes chose.

    ``ours``: plans and passages are read as our task reads them, otherwise taken as they stand.
    """
    replies: dict[str, list[str]] = {}
    place: list[dict[str, int]] = []
    for step in entry["steps"]:
        [parent] = step["ys"]
        texts = [text.removeprefix(parent) for text in step["new_ys"]]
        depth = str(step["step"])
        replies[f"write {depth}"] = texts
        replies[f"{VOTE} {int(depth) + 1}"] = ballots([float(v) for v in step["values"]])
        place.append({})
        for i, text in enumerate(texts):
            thoughts = read_ours(int(depth), text) if ours else every_reply(State(""), text)
            for read in thoughts:
                if read.value is not None:
                    place[-1].setdefault(read.value.text, i)

    def prompt(state: State) -> tot.Request:
        return tot.user(f"write {len(state.thoughts)}")

    def ballot(states: Sequence[State]) -> tot.Request:
        return tot.user(f"{VOTE} {len(states[0].thoughts)}")

    def read(state: State, text: str) -> list[Read[Thought]]:
        return read_ours(len(state.thoughts), text) if ours else every_reply(state, text)

    generate = tot.generator(prompt, read, k=5)
    search = tot.search.bfs(
        Node(State("")), generate, tot.vote(ballot, TASK.read_ballot, n=BALLOTS), depth=2, breadth=1
    )
    result = tot.run(search, Logged(replies))
    chosen = [place[i].get(thought.text, -1) for i, thought in enumerate(result.best[0].state.thoughts)]
    return result, chosen


def read_ours(depth: int, text: str) -> list[Read[Thought]]:
    """A plan, and below it a passage, as our task reads them."""
    state = State("", (Thought("a plan"),) if depth else ())
    return TASK.read_step(state, text)


def selection(log: Log) -> Figures:
    rows: Figures = {}
    cut = unread = 0
    for name, ours in (("replies as they stand", False), ("replies read as our task reads them", True)):
        same = whole = 0
        for entry in log:
            _, chosen = replay(entry, ours=ours)
            theirs = [step["new_ys"].index(step["select_new_ys"][0]) for step in entry["steps"]]
            same += sum(a == b for a, b in zip(chosen, theirs, strict=True))
            whole += chosen == theirs
        rows[name] = {
            "votes": share(same, 2 * len(log), "votes"),
            "whole searches": share(whole, len(log), "inputs"),
        }
    for entry in log:
        for step in entry["steps"]:
            [parent] = step["ys"]
            for text in step["new_ys"]:
                [read] = read_ours(step["step"], text.removeprefix(parent))
                unread += not read.ok
                cut += bool(read.value and "more characters]" in read.value.text)
    return {
        "how": "five logged replies and five ballots for each of the two choices of an input, through our vote and bfs",
        **rows,
        "thoughts that our reader refuses": unread,
        "thoughts that our reader shortens": cut,
    }


def votes(log: Log) -> Figures:
    table: Figures = {}
    for depth, what in enumerate(("plans", "passages")):
        cast = [[round(v) for v in entry["steps"][depth]["values"]] for entry in log]
        first = [sorted(group, reverse=True) for group in cast]
        table[what] = {
            "ballots": BALLOTS * len(cast),
            "unreadable": BALLOTS * len(cast) - sum(map(sum, cast)),
            "unanimous": share(sum(group[0] == BALLOTS for group in first), len(first), "choices"),
            "a majority (3 or more of 5)": share(sum(group[0] >= 3 for group in first), len(first), "choices"),
            "a tie for the most votes, which the first one wins": share(
                sum(group[0] == group[1] for group in first), len(first), "choices"
            ),
            "votes of the winner": counts(group[0] for group in first),
            "place of the winner": counts(group.index(max(group)) + 1 for group in cast),
            "share of the ballots, by place": {
                f"choice {i + 1}": per_problem([(group[i] / sum(group),) for group in cast if sum(group)], "inputs")
                for i in range(BALLOTS)
            },
        }
    how = (
        "logged votes of five ballots for each choice; the candidates are five samples of one prompt, so their places"
        " mean nothing, and a place that wins more often is a habit of the voter"
    )
    return {"how": how, **table}


# ---------------------------------------------------------------- the constraint


def endings(problem: Problem, texts: Sequence[str]) -> tuple[list[float], list[float], list[float]]:
    """For each passage: is the constraint kept, are there four paragraphs, which share of the endings is there?"""
    scores = [TASK.verify(problem, passage_of(text)) for text in texts]
    return (
        [float(score.correct) for score in scores],
        [score.parts["paragraphs"] for score in scores],
        [score.parts["endings"] for score in scores],
    )


def constraint(problems: Sequence[Problem], texts: Sequence[Sequence[str]]) -> Figures:
    found = [endings(problem, group) for problem, group in zip(problems, texts, strict=True)]
    return {
        "kept": per_problem([one[0] for one in found], "inputs"),
        "four paragraphs": per_problem([one[1] for one in found], "inputs"),
        "endings in place": per_problem([one[2] for one in found], "inputs"),
    }


def difference(problems: Sequence[Problem], a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> Cell:
    """How much more often the constraint is kept in ``a`` than in ``b``, input by input."""
    kept = [
        fmean(endings(problem, one)[0]) - fmean(endings(problem, other)[0])
        for problem, one, other in zip(problems, a, b, strict=True)
    ]
    return {**per_problem([(gap,) for gap in kept], "inputs", "difference"), "p": round(sign_flips(kept), 4)}


def scores(log: Log) -> Figures:
    """The coherence that GPT-4 gave its own passages, five times each, as logged."""
    groups = [[fmean(info["rs"]) for info in entry["infos"] if info["rs"]] for entry in log]
    spread = [pstdev(info["rs"]) for entry in log for info in entry["infos"] if len(info["rs"]) > 1]
    found: Cell = per_problem(groups, "inputs", "mean")
    return {"score, 1 to 10": found, "standard deviation of the five scores, mean": round(fmean(spread), 2)}


def length(texts: Sequence[Sequence[str]], limit: int | None) -> Figures:
    """Our count of tokens is a little too low for prose, so what passes the limit by it is at least so many."""
    groups = [[float(tokens(text)) for text in group] for group in texts]
    return {
        "tokens, mean, at least": per_problem(groups, "inputs", "mean"),
        "limit": limit,
        "more tokens than our limit, at least": pooled(
            [[float(n > (limit or 0)) for n in group] for group in groups], "replies", "inputs"
        ),
    }


def study(io_log: Log, cot_log: Log, tree_log: Log, problems: Sequence[Problem]) -> Figures:
    io, cot = ([[str(y) for y in entry["ys"]] for entry in log] for log in (io_log, cot_log))
    tree = [[str(y) for y in entry["ys"]] for entry in tree_log]
    proposed = [[str(y) for y in entry["steps"][1]["new_ys"]] for entry in tree_log]
    plans = [[str(y) for y in entry["steps"][0]["new_ys"]] for entry in tree_log]
    state, planned = State("a\nb\nc\nd"), State("a\nb\nc\nd", (Thought("a plan"),))
    return {
        "selections": selection(tree_log),
        "votes": votes(tree_log),
        "constraint": {
            "how": "each paragraph ends in its sentence; case, quotes and what follows the last letter do not count",
            "paper": "most of the time",
            "IO": constraint(problems, io),
            "CoT": constraint(problems, cot),
            "ToT": constraint(problems, tree),
            "all five passages of ToT": constraint(problems, proposed),
            "IO minus CoT": difference(problems, io, cot),
            "ToT minus CoT": difference(problems, tree, cot),
            "chosen minus all five": difference(problems, tree, proposed),
        },
        "coherence, by GPT-4": {
            "paper": {name: papers.COHERENCE[name][0] for name in ("IO", "CoT")} | {"spread": papers.SPREAD},
            "IO": scores(io_log),
            "CoT": scores(cot_log),
        },
        "length": {
            "IO": length(io, TASK.io(state).max_tokens),
            "CoT": length(cot, TASK.cot(state).max_tokens),
            "a plan": length(plans, TASK.step(state).max_tokens),
            "a passage": length([[passage_of(y) for y in group] for group in proposed], TASK.step(planned).max_tokens),
        },
    }
