"""Ours beside the tables and figures of the Tree of Thoughts paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import tot
from studies import figures, papers, writing_judged
from studies.figures import numbers, of_samples, read
from studies.game24 import best_of, chain_fails_at, cost, texts, tree_fails_at
from studies.game24_help import NONE
from studies.live import named
from studies.passages import KINDS
from studies.writing_judge import comparison, ratings
from tot.solution import Solution
from tot.stats import pass_at_k, wilson
from treebook.studies.results import search_of

from .cells import (
    Cell,
    Section,
    Values,
    answer,
    best,
    blank,
    chosen,
    difference,
    each,
    mean,
    rate,
    share,
    single,
    tokens,
    verdict,
)
from .recordings import Recordings

RESULTS = Path(__file__).resolve().parents[1] / "results"


def pocket() -> figures.Figures:
    return read(RESULTS / "game24_pocket.json")


def unaided(file: str, breadth: int) -> Values:
    """The finished player's tree where no program helps, by the results of ``studies.search_pays`` or its ``alone``."""
    study = read(RESULTS / file)
    tree = search_of(study.get("hard", study), "final", "final", breadth=breadth, help=False)
    problems = tot.task("game24").problems("hard")
    return {problem.x: float(right) for problem, right in zip(problems, tree["solved"], strict=True)}


def pocket_values(study: Mapping[str, Any]) -> dict[str, Values]:
    """Row of table 2 -> puzzle -> rate."""

    def rates(values: Sequence[float]) -> Values:
        return dict(zip(study["puzzles"], values, strict=True))

    hits = study["right of 100"]
    return {
        **{name: rates([n / 100 for n in hits[name]]) for name in ("IO", "CoT")},
        **{f"{name}, best of 100": rates([pass_at_k(100, n, 100) for n in hits[name]]) for name in ("IO", "CoT")},
        "CoT-SC (k=100)": rates(study["solved"]["cot-sc"]),
        "IO + Refine (k=10)": rates(study["solved"]["io-refine-checked"]),
        **{f"ToT b={b}": rates(study["solved"][f"tot b={b}"]) for b in (1, 5)},
        "ToT b=1, no help": rates(study["help"]["one state kept"]),
        "ToT b=5, no help": rates(study["help"]["rows"][NONE]["solved"]),
        **{f"ToT b={b}, {PRACTISED}": unaided("alone.json", b) for b in (1, 5)},
        "ToT b=5, no help, any of five": rates(study["help"]["reached"]),
    }


PRACTISED = "no help, a copy that practised it judges the end"
# a tree's answers counted in four ways -> what stands behind the name of a row, for b = 5 and b = 1
WAYS = {
    "helped": ("", ""),
    "no help": (", no help", ", no help"),
    PRACTISED: (f", {PRACTISED}", f", {PRACTISED}"),
    "no help, any of five": (", no help, any of five", ", no help"),
}
LONG = "recorded model, 120 puzzles"
LONG_ROWS = {  # row of table 2 -> outcome in studies/heart.py
    "IO": "one answer",
    "CoT": "one chain",
    "CoT-SC (k=100)": "vote of 100 chains",
    "ToT b=5": "tree, end checked",
    "ToT b=5, nobody checks the end": "tree",
    "CoT, best of 100": "best of 100 chains",
}
POCKET_ROWS = {  # row of table 2 -> its name in the study
    "IO + Refine (k=10)": "IO + Refine (k=10, checked)",
    "IO, best of 100": "IO, best of 100 (checked)",
    "CoT, best of 100": "CoT, best of 100 (checked)",
}


class Game24:
    """The recorded runs of the Game of 24, from chapters 3, 4 and 6."""

    def __init__(self, book: Recordings) -> None:
        self.source = book.source("03", "04", "06")
        self.k = {}
        runs: dict[str, list[Solution]] = {}
        for name, chapter in (("io", "03"), ("cot", "04")):
            for k in (100, 10, 5):  # the most samples that replay
                if found := book.whole(chapter, name, params={"k": k}):
                    runs[name], self.k[name] = found, k
                    break
        self.io, self.cot = runs.get("io", []), runs.get("cot", [])
        self.voted = book.again(self.cot, "04", "cot-sc", k=self.k.get("cot", 1))
        self.refine = book.whole("04", "io-refine-checked", params={"k": 4})
        lean = {b: {"style": "lean", "breadth": b} for b in papers.BREADTHS}
        self.tree = {b: book.whole("06", "tot-bfs", params=knobs) for b, knobs in lean.items()}

    def values(self) -> dict[str, Values]:
        return {
            "IO": each(self.io),
            "CoT": each(self.cot),
            "CoT-SC (k=100)": chosen(self.voted),
            "IO + Refine (k=10)": chosen(self.refine),
            "IO, best of 100": best(self.io, self.k.get("io", 1)),
            "CoT, best of 100": best(self.cot, self.k.get("cot", 1)),
            **{f"ToT b={b}": chosen(self.tree[b]) for b in (1, 5)},
        }

    def rows(self) -> dict[str, Cell]:
        def top(name: str, solutions: list[Solution]) -> Cell:
            k = self.k.get(name, 1)
            return rate(best_of(solutions, k), len(solutions), note=f"best of {k}") if solutions else blank("recording")

        return {
            "IO": single(self.io),
            "CoT": single(self.cot),
            "CoT-SC (k=100)": answer(self.voted, note=f"k={self.k.get('cot')}"),
            "ToT b=1": answer(self.tree[1]),
            "ToT b=5": answer(self.tree[5]),
            "IO + Refine (k=10)": answer(self.refine, note="k=4"),
            "IO, best of 100": top("io", self.io),
            "CoT, best of 100": top("cot", self.cot),
        }


def tasks(book: Recordings) -> Section:
    """Table 1: how many thoughts a finished run has here, and on how many problems."""
    n = [pocket()["n"], len(tot.task("game24").problems("starter"))]
    writing, words = book.whole("07", "tot-vote"), book.whole("08", "io")
    depth = {  # the longest chain of thoughts that a tree search returned
        "Game of 24": max(
            (len(s.result.best[0].state.thoughts) for s in Game24(book).tree[5] if s.result.best), default=0
        ),
        "Creative Writing": max((len(s.result.best[0].state.thoughts) for s in writing if s.result.best), default=0),
        "Mini Crosswords": len(tot.task("crosswords").problems("easy")[0].x.splitlines()),
    }
    tested = {
        "Game of 24": f"{n[0]} and {n[1]}",
        "Creative Writing": str(len(writing)),
        "Mini Crosswords": str(len(words)),
    }
    return {
        "rows": {name: {"steps": {"text": str(depth[name])}, "problems": {"text": tested[name]}} for name in tested}
    }


def game24(book: Recordings) -> Section:
    study, ours = pocket(), Game24(book)
    rows: dict[str, dict[str, Cell]] = {}
    recorded = ours.rows()
    for name in papers.GAME24:
        row = study["rows"][POCKET_ROWS.get(name, name)]
        rows[name] = {"pocket model": rate(row["rate"], study["n"]), "recorded model": recorded[name]}
    theirs = study["held-out puzzles of the authors' 901 to 1000"]
    own = {name: {"pocket model": rate(theirs[name], theirs["n"])} for name in ("IO", "CoT", "ToT b=1", "ToT b=5")}
    small, real = pocket_values(study), ours.values()
    heart = read(RESULTS / "heart.json")
    both = heart["sets"]["both"]
    same = heart["model"] == [ours.source["model"]]  # else another's numbers would stand under its name
    names = LONG_ROWS if same else {}
    long = {row: dict(zip(both["puzzles"], both["outcomes"][name], strict=True)) for row, name in names.items()}
    pairs = [
        ("CoT", "IO"),
        ("ToT b=5", "CoT"),
        ("ToT b=5", "CoT-SC (k=100)"),
        ("ToT b=5", "ToT b=1"),
        ("ToT b=5", "CoT, best of 100"),
        ("CoT, best of 100", "IO, best of 100"),
        ("IO + Refine (k=10)", "IO"),
    ]

    def pocket_pairs(a: str, b: str) -> dict[str, tuple[Values, Values]]:
        if a != "ToT b=5":
            return {"pocket model": (small[a], small[b])}
        return {
            f"pocket model, {way}": (small[a + wide], small[b + narrow * (b == "ToT b=1")])
            for way, (wide, narrow) in WAYS.items()
        }

    def long_pairs(a: str, b: str) -> dict[str, tuple[Values, Values]]:
        ways = {"": "", ", nobody checks the end": ", end unchecked"}
        return {LONG + ways[way]: (long[a + way], long[b]) for way in ways if a + way in long and b in long}

    differences = [
        difference(
            f"{a} minus {b}",
            round(papers.GAME24[a] - papers.GAME24[b], 1),
            pocket_pairs(a, b)
            | ({"recorded model": (real[a], real[b])} if "100" not in a + b else {})  # ours: best of 5 and of 10
            | long_pairs(a, b),
        )
        for a, b in pairs
    ]
    source = {"pocket model": {"n": study["n"], "date": study["date"]}, "recorded model": ours.source}
    source["its practised copy"] = {"date": read(RESULTS / "alone.json")["date"]}
    source[LONG] = {"n": both["n"], "dates": heart["date"]}
    there = {row: rate(both["rates"][name], both["n"]) for row, name in names.items()}
    again = {row: {LONG: there.get(row, blank("recording"))} for row in LONG_ROWS}
    log = read(RESULTS / "authors.json")["game24 tree"]["success"]
    in_log = ("composed by program", "chosen without gold", None, "any of five (checked)")
    tree = {
        way: {
            "GPT-4's log": rate(log[name]["rate"], log[name]["n"]) if name else blank("judges the end"),
            "pocket model": share(list(small[f"ToT b=5{wide}"].values())),
        }
        for (way, (wide, _)), name in zip(WAYS.items(), in_log, strict=True)
    }
    return {
        "rows": rows,
        "the paper's own": own,
        "help": tree,
        "again": again,
        "no help, on the copy's samples": share(list(unaided("search_pays.json", 5).values())),
        "differences": differences,
        "source": source,
    }


def visited(book: Recordings) -> Section:
    """Figure 3 (a): states visited and success, by breadth."""
    study, ours = pocket(), Game24(book)
    rows = {}
    for b in papers.BREADTHS:
        row, runs = study["rows"][f"ToT b={b}"], ours.tree[b]
        rows[f"ToT b={b}"] = {
            "pocket model": rate(row["rate"], study["n"], states=row["states visited"]),
            "recorded model": answer(runs, states=cost(runs)["states visited"] if runs else 0),
        }
    for name in ("IO", "CoT"):
        row = study["rows"][f"{name}, best of 100 (checked)"]
        rows[f"{name}, best of 100"] = {
            "pocket model": rate(row["rate"], study["n"], states=row["states visited"]),
            "recorded model": blank("hundred"),
        }
    return {"rows": rows}


def lost(book: Recordings) -> Section:
    """Figure 3 (b): the share of chains, and of searches, that are lost at their first step."""
    study, ours = pocket(), Game24(book)
    fails = study["fails at step"]
    lost_first = {name: fails[name]["1"] / sum(fails[name].values()) for name in ("CoT", "ToT b=5")}
    first = [tree_fails_at(s)[0] == 1 for s in ours.tree[5]]
    chains = {s.problem: [float(chain_fails_at(problem_of(s), text) == 1) for text in texts(s)] for s in ours.cot}
    return {
        "rows": {
            "CoT, lost at step 1": {
                "pocket model": {"share": round(lost_first["CoT"], 4), "of": f"{sum(fails['CoT'].values()):,} chains"},
                "recorded model": rate(figures.mean(list(chains.values())), len(chains))
                if chains
                else blank("recording"),
            },
            "ToT b=5, lost at step 1": {
                "pocket model": rate(numbers(wilson(fails["ToT b=5"]["1"], study["n"])), study["n"]),
                "recorded model": share(first),
            },
        }
    }


def problem_of(solution: Solution) -> str:
    x: str = solution.trace.head["problem"]
    return x


def coherence(book: Recordings) -> Section:
    """Figure 5 and table 6: the small model as the judge of its own passages."""
    lm = book.tape("07")
    scores: dict[str, Values] = {}
    spreads: list[float] = []
    pairs = ""
    try:
        judged = {one.of: (one, tot.run(one.search, lm)) for one in writing_judged.judged(lm)} if lm else {}
    except tot.LMError:
        judged = {}
    for kind in KINDS:
        if kind in judged and not judged[kind][1].error:
            one, result = judged[kind]
            found = ratings(result.trace.events)
            scores[kind] = {str(i): r.mean for i, r in zip(one.places, found, strict=True) if r.scores}
            spreads += [r.spread for r in found if len(r.scores) > 1]
    if ("ToT", "CoT") in judged and not judged["ToT", "CoT"][1].error:
        o = comparison(judged["ToT", "CoT"][1].trace.events)
        pairs = f"{o.wins} / {o.losses} / {o.ties}" + f", {o.unread} unread" * bool(o.unread)
    rows = {kind: {"recorded model": mean(scores.get(kind, {}))} for kind in KINDS}
    differences = [
        difference(
            f"{a} minus {b}",
            round(papers.COHERENCE[a][0] - papers.COHERENCE[b][0], 2),
            {"recorded model": (scores.get(a, {}), scores.get(b, {}))},
            unit="points of the score",
        )
        for a, b in (("CoT", "IO"), ("ToT", "CoT"), ("IO + refine", "IO"), ("ToT + refine", "ToT"))
    ]
    ours: Cell = {"text": pairs} if pairs else blank("recording")
    spread: Cell = {"text": f"{fmean(spreads):.2f}"} if spreads else blank("recording")
    return {
        "rows": rows,
        "more": {"spread": {"recorded model": spread}, "pairs": {"recorded model": ours}},
        "differences": differences,
        "source": book.source("07"),
    }


PILOT = "ToT, a pilot of two puzzles"


def crosswords(book: Recordings) -> Section:
    """Table 3: chains of the recorded model. The simulated solver has a table of its own."""
    sampled = {name: book.whole("08", name) for name in ("io", "cot")}
    rows: dict[str, dict[str, Cell]] = {}
    values: dict[str, Values] = {}
    for row, name in (("IO", "io"), ("CoT", "cot")):
        runs = sampled[name]
        if runs:
            words = {
                part: of_samples([[score.parts[part] for score in s.scores] for s in runs])
                for part in ("letters", "words")
            }
            rows[row] = {"recorded model": {"parts": {**words, "games": single(runs)["rate"]}, "n": len(runs)}}
        else:
            rows[row] = {"recorded model": blank("recording")}
        values[row] = {s.problem: fmean(score.parts["words"] for score in s.scores) for s in runs}
    if pilot := book.whole("08", "tot-dfs", params={"steps": 20}):
        parts = {part: of_samples([[s.score.parts[part]] for s in pilot]) for part in ("letters", "words")}
        games = of_samples([[float(s.correct)] for s in pilot])
        rows[PILOT] = {"recorded model": {"parts": {**parts, "games": games}, "n": len(pilot)}}
    rows |= {name: {"recorded model": blank("two puzzles")} for name in papers.CROSSWORDS if name not in rows}
    study = read(RESULTS / "crosswords_simulated.json")
    table, plain = study["table"], "first deepest"
    rules = {
        "IO": table["IO"]["rules"]["mean of samples"],
        "ToT": table["ToT"]["rules"][plain],
        "+best state": table["ToT"]["rules"]["best state"],
        "-prune": table["- prune"]["rules"][plain],
        "-prune, best state": table["- prune"]["rules"]["best state"],
        "-backtrack": table["- backtrack"]["rules"][plain],
    }
    simulated: dict[str, dict[str, Cell]] = {
        name: {"SIMULATED": {"parts": parts, "n": study["puzzles"]}} for name, parts in rules.items()
    }
    simulated["CoT"] = {"SIMULATED": blank("no chains")}
    against = {}
    for other in ("- prune", "- backtrack"):
        found = study[f"ToT against {other}"]["words"]
        there = papers.CROSSWORDS["ToT"][1] - papers.CROSSWORDS[other.replace(" ", "")][1]
        judged = verdict(there, found[0], clear=found[1] > 0 or found[2] < 0)
        against[other] = {
            "what": f"ToT minus {other.replace(' ', '')}, words",
            "there": there,
            "unit": "points",
            "here": {"SIMULATED": {"difference": found, "n": study["puzzles"], "verdict": judged}},
        }
    gap = papers.CROSSWORDS["CoT"][1] - papers.CROSSWORDS["IO"][1]
    return {
        "rows": rows,
        "SIMULATED": simulated,
        "differences": [
            difference("CoT minus IO, words", round(gap, 1), {"recorded model": (values["CoT"], values["IO"])}),
            *against.values(),
        ],
        "source": {
            "recorded model": book.source("08"),
            "SIMULATED": {"puzzles": study["puzzles"], "seeds": study["seeds"]},
        },
        "samples": sampled["io"][0].params["k"] if sampled["io"] else 0,
        "new without pruning": study["ToT against - prune"]["games reached by the second alone"],
        "runs": table["ToT"]["runs"],
        "trees": len(book.whole("08", "tot-dfs", params={"steps": 20})),
        "ablations": len(book.whole("08", "tot-dfs", params={"steps": 20, "prune": False})),
    }


def questions(book: Recordings) -> Section:
    """Table 4: our own questions, and samples of the public ones as figures."""
    source, rows, differences = book.source("09"), {}, []
    tape = book.tape("09")
    public = {  # of this model alone: they stand beside its answers
        task: {method: one for method, one in every.items() if not tape or one["model"] == named(tape)}
        for task, every in read(RESULTS / "benchmark_samples.json").items()
    }
    for name, task in (("GSM8K", "gsm8k"), ("StrategyQA", "strategyqa")):
        io, cot = (book.whole("09", method, task=task) for method in ("io", "cot"))
        tree = book.whole("09", "tot-vote", task=task)
        own = {"IO": single(io), "CoT": single(cot), "ToT": answer(tree)}
        values = {"IO": each(io), "CoT": each(cot), "ToT": chosen(tree)}
        for row, method in (("IO", "io"), ("CoT", "cot"), ("ToT", "tot-vote")):
            theirs = public.get(task, {}).get(method)
            there = rate(numbers(wilson(theirs["correct"], theirs["n"])), theirs["n"]) if theirs else blank("public")
            rows[f"{name}, {row}"] = {"our questions": own[row], "public sample": there}
        paper = papers.ZERO_SHOT_TOT[name]
        differences += [
            difference(f"{name}: {a} minus {b}", paper[a] - paper[b], {"our questions": (values[a], values[b])})
            for a, b in (("CoT", "IO"), ("ToT", "CoT"))
        ]
    dates = sorted({date for methods in public.values() for m in methods.values() for date in m["dates"]})
    sources = {"our questions": source, "public sample": {"dates": dates}}
    return {"rows": rows, "differences": differences, "source": sources}


def weaker(book: Recordings) -> Section:
    """Table 5 and the mixed pairs of appendix B.2: the pocket model, and an early checkpoint of it."""
    study = pocket()
    rows = {
        name: {"pocket model": rate(study["rows"][row]["rate"], study["n"]), "unfinished": blank("unfinished")}
        for name, row in (("IO", "IO"), ("CoT", "CoT"), ("ToT", "ToT b=5"))
    }
    teams = {
        (a, b): f"{x} generates, {y} evaluates"
        for a, x in (("strong", "final"), ("weak", "early"))
        for b, y in (("strong", "final"), ("weak", "early"))
    }
    mixed = {team: rate(study["swap"][name], study["n"]) for team, name in teams.items()}
    solved = {team: dict(zip(study["puzzles"], study["solved"][name], strict=True)) for team, name in teams.items()}
    rows["ToT"]["unfinished"] = mixed["weak", "weak"]
    swap = {f"{a} generates, {b} judges": {"pocket models": cell} for (a, b), cell in mixed.items()}
    differences = []
    for what, key, there in (
        ("a weaker evaluator costs", ("strong", "weak"), ("GPT-4", "GPT-3.5")),
        ("a weaker generator costs", ("weak", "strong"), ("GPT-3.5", "GPT-4")),
    ):
        lost = papers.SWAP["GPT-4", "GPT-4"] - papers.SWAP[there]
        here = {"pocket models": (solved["strong", "strong"], solved[key])}
        differences.append(difference(what, lost, here))
    return {"rows": rows, "swap": swap, "differences": differences, "source": {"date": study["date"]}}


def bills(book: Recordings) -> Section:
    """Tables 7 and 8: tokens written and read for one problem; how many times those of one chain."""
    study, ours = pocket(), Game24(book)
    rows: dict[str, dict[str, Cell]] = {}
    recorded = {"IO, best of 100": ("io", ours.io), "CoT, best of 100": ("cot", ours.cot), "ToT": ("", ours.tree[5])}
    for name, (kind, runs) in recorded.items():
        row = study["rows"].get(f"{name} (checked)", study["rows"]["ToT b=5"])
        cell = tokens(runs)
        if kind and runs:
            cell["note"] = f"best of {ours.k[kind]}"
        used = {"tokens": [row["generated tokens"], row["prompt tokens"]], "n": study["n"]}
        rows[f"Game of 24, {name}"] = {"pocket model": used, "recorded model": cell}
    io, cot = (book.again(book.whole("07", name), "07", name, k=1) for name in ("io", "cot"))
    for name, runs in (("IO", io), ("CoT", cot), ("ToT", book.whole("07", "tot-vote"))):
        rows[f"Creative Writing, {name}"] = {"pocket model": blank("one game"), "recorded model": tokens(runs)}
    chains = {s.problem: s for s in ours.cot}
    same = [chains[s.problem] for s in ours.tree[5] if s.problem in chains]  # one chain of the very puzzles
    one = cost(same, 1 / ours.k["cot"])["generated tokens"] if same else 0
    writing = rows["Creative Writing, ToT"]["recorded model"], rows["Creative Writing, CoT"]["recorded model"]
    times = {
        "pocket model, Game of 24": study["rows"]["ToT b=5"]["generated tokens"]
        / study["rows"]["CoT"]["generated tokens"]
    }
    if one:
        times["recorded model, Game of 24"] = rows["Game of 24, ToT"]["recorded model"]["tokens"][0] / one
    if all("tokens" in cell for cell in writing):
        times["recorded model, Creative Writing"] = writing[0]["tokens"][0] / writing[1]["tokens"][0]
    source = {
        "pocket model": {"n": study["n"], "date": study["date"]},
        "recorded model": book.source("03", "04", "06", "07"),
    }
    return {"rows": rows, "times": {name: round(x, 1) for name, x in times.items()}, "source": source}
