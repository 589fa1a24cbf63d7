"""Write the parts of README.md and of the page on speed that come from data.

    python -m tools.readme

Draws book/_static/tree.svg from the recording of chapter 6, describes it, links to the services that can start the book
if book/launch.toml names a repository, and copies the speed measurements of benchmarks/results.json (if there are any)
into book/manual/speed.md. ``tests/book/test_readme.py`` fails when this was
forgotten.
"""

from __future__ import annotations

import json
from pathlib import Path

import tot
from tools.pages import launch
from treebook import show

ROOT = Path(__file__).resolve().parent.parent
PUZZLE, BREADTH = "2 4 4 10", 3
MEASURED = ROOT / "benchmarks" / "results.json"


def solve() -> tot.Solution:
    lm = tot.Cassette(ROOT / "notebooks" / "cassettes" / "06.jsonl", how="make record CHAPTER=06 MODEL=...")
    return tot.solve("game24", PUZZLE, "tot-bfs", lm=lm, style="lean", breadth=BREADTH)


def alt(solution: tot.Solution) -> str:
    """What a reader who cannot see the picture should know."""
    path = [item.thought for item in show.picture(solution).path()[1:-1]]
    steps = ", then ".join(thought.partition(" (left")[0] for thought in path)
    nodes, outcome = len(solution.trace.nodes()) - 1, "correct" if solution.correct else "wrong"
    return (
        f"A search tree for the puzzle {solution.problem}: {nodes} thoughts in four levels, each with its value; most"
        f" are not kept. The chosen path is {steps}; its answer, {solution.answer}, is {outcome}."
    )


def picture(solution: tot.Solution) -> str:
    ledger = solution.result.ledger
    return (
        f"![{alt(solution)}](book/_static/tree.svg)\n\n"
        f"*A real tree, drawn from the record of the run. A small model ({solution.lm}) proposed the steps and judged\n"
        f"them; a program checked the arithmetic. It was asked {ledger.total.calls} times, in {ledger.rounds} rounds.*"
    )


def elsewhere(where: launch.Launch) -> str:
    """Chapter 1 on every service that can start it; nothing while there is no repository to start from."""
    found = launch.links(where, "notebooks/01_reading_and_replaying.ipynb")
    named = [f"[{name}]({address})" for name, address in found.items()]
    return f"Nothing to install: open chapter 1 in {', '.join(named)}." if named else ""


def speed() -> str:
    if not MEASURED.exists():
        return "*Not measured yet.*"
    results = json.loads(MEASURED.read_text(encoding="utf-8"))
    rows = [
        {
            "what": row["what"],
            "measured": row["measured"].replace("-", "–"),
            "promised": row["promised"] or "–",
            "kept": row["ok"] or "–",
            "that day, for information": row.get("figure", ""),
        }
        for row in results["rows"]
    ]
    busy = " while the machine was busy" if results["load_per_core"] > 1.5 else ""
    caption = f"Measured on {results['date']} with Python {results['python']} on {results['cores']} cores{busy}."
    return show.table(rows, caption=caption).markdown()


def between(text: str, name: str, part: str) -> str:
    """``text`` with what stands between the two marks called ``name`` replaced by ``part``."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    head, _, rest = text.partition(begin)
    _, mark, tail = rest.partition(end)
    if not mark:
        raise ValueError(f"the marks {begin.strip()} and {end.strip()} are not there")
    return head + begin + part + "\n" + end + tail


def files() -> dict[Path, str]:
    """Every file that this program is responsible for, as it should be."""
    solution = solve()
    where = launch.read(ROOT / "book" / "launch.toml", {})
    readme, measured = ROOT / "README.md", ROOT / "book" / "manual" / "speed.md"
    return {
        ROOT / "book" / "_static" / "tree.svg": show.svg(solution, max_dropped=1) + "\n",
        readme: between(
            between(readme.read_text(encoding="utf-8"), "tree", picture(solution)), "launch", elsewhere(where)
        ),
        measured: between(measured.read_text(encoding="utf-8"), "benchmarks", speed()),
    }


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
