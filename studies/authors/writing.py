"""Creative Writing on 100 inputs: the logged votes through our ``vote``, and a program that checks the constraint."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import tot
from studies import papers
from studies.authors.figures import Cell, Figures, counts, per_problem, pooled, share
from studies.authors.files import Log
from studies.authors.replay import Logged, tokens
from tot.parse import Read
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


def replay(entry: dict[str, list[dict[str, list[str]]]]) -> list[int]:
    """Plan, vote, write, vote: the places that the logged votes choose in our ``bfs`` and ``vote`` on one input."""
    replies: dict[str, list[str]] = {}
    for step in entry["steps"]:
        [parent] = step["ys"]
        replies[f"write {step['step']}"] = [text.removeprefix(parent) for text in step["new_ys"]]
        replies[f"{VOTE} {step['step'] + 1}"] = ballots([float(v) for v in step["values"]])
    generate = tot.generator(lambda state: tot.user(f"write {len(state.thoughts)}"), every_reply, k=5)
    vote = tot.vote(lambda states: tot.user(f"{VOTE} {len(states[0].thoughts)}"), TASK.read_ballot, n=BALLOTS)
    result = tot.run(tot.search.bfs(Node(State("")), generate, vote, depth=2, breadth=1), Logged(replies))
    chosen = enumerate(result.best[0].state.thoughts)
    return [replies[f"write {depth}"].index(thought.text) for depth, thought in chosen]


def selection(log: Log) -> Figures:
    same = 0
    for entry in log:
        theirs = [step["new_ys"].index(step["select_new_ys"][0]) for step in entry["steps"]]
        same += sum(a == b for a, b in zip(replay(entry), theirs, strict=True))
    return {
        "how": "five logged replies and five ballots for each of the two choices of an input, through our vote and bfs",
        "replies as they stand": {"votes": share(same, 2 * len(log), "votes")},
    }


def votes(log: Log) -> Figures:
    table: Figures = {}
    for depth, what in enumerate(("plans", "passages")):
        cast = [[round(v) for v in entry["steps"][depth]["values"]] for entry in log]
        table[what] = {
            "ballots": BALLOTS * len(cast),
            "unreadable": BALLOTS * len(cast) - sum(map(sum, cast)),
            "unanimous": share(sum(BALLOTS in group for group in cast), len(cast), "choices"),
            "votes of the winner": counts(max(group) for group in cast),
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


def endings(problem: Problem, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """For each passage: is the constraint kept, and which share of the endings is there?"""
    scores = [TASK.verify(problem, passage_of(text)) for text in texts]
    return [float(score.correct) for score in scores], [score.parts["endings"] for score in scores]


def constraint(problems: Sequence[Problem], texts: Sequence[Sequence[str]]) -> Figures:
    found = [endings(problem, group) for problem, group in zip(problems, texts, strict=True)]
    return {
        "kept": per_problem([one[0] for one in found], "inputs"),
        "endings in place": per_problem([one[1] for one in found], "inputs"),
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
    return {"score, 1 to 10": per_problem(groups, "inputs", "mean")}


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
            "paper": {name: papers.COHERENCE[name][0] for name in ("IO", "CoT")},
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
