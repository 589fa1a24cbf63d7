"""Write book/matrix.md: every method on every task, where it was recorded, and why it is not there.

    python -m tools.matrix

Everything but the reasons is looked up: what a task provides, what a method needs, what studies/plans.py records.
"""

from pathlib import Path
from string import ascii_lowercase

import tot
from studies.plans import PLANS
from tot.tasks import TASKS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "matrix.md"
HEAD = """# Every method on every task

A number is a chapter whose recording has the method on the task (others replay it, too); *yes*: `tot solve TASK "..."
--method METHOD` works, and this edition has no recording of it; a letter: it cannot be done, for the reason below the
table. This page is written by `tools/matrix.py` from the package itself.
"""
WHY = {  # what a method needs (``Method.missing``) -> why a task does not have it
    "few_shot": (
        "The direct prompt of the puzzles has its examples already, and the papers ask the other tasks without any."
    ),
    "FreeCheck": "Only the true answer could say whether an answer is right: no check is free here.",
    "Refinable": "Something must say that an answer is not good enough yet; here only the true answer could.",
    "done": (
        "The model is asked whether its text is good as it is. That is meant for texts; answers are right or wrong."
    ),
    "Searchable": (
        "Thoughts here are long and few: they are sampled and voted on, or they are calls of tools, not proposed in"
        " lists and valued one by one."
    ),
    "Votable": "Thoughts here are small: they are proposed in lists and valued, or they are calls of tools.",
    "refine": "It needs a vote and a text that can be rewritten.",
    "Plannable": (
        "The planning paper has question tasks only. A plan in words says little about a puzzle whose steps can be"
        " checked one by one; for a passage, the vote on plans does what the judges do."
    ),
    "ToolUsing": "All that is needed stands in the problem: there is nothing to look up.",
}
# Replay what was drawn there, if that is several samples of each problem.
SAME_SAMPLES = {
    "cot-sc": ("cot",),
    "best-of": ("io", "cot"),
    "best-of-gold": ("io", "cot"),
    "zero-shot-cot": ("cot",),
    "plan-and-solve": ("judged-plans",),
}
METHODS = [
    tot.method(name) for each in tot.METHODS for name in (["best-of", "best-of-gold"] if each == "best-of" else [each])
]


def recorded() -> dict[tuple[str, str], list[str]]:
    """(method, task) -> the chapters that replay it, such as ["3", "4"]."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, plans in PLANS.items():
        parts = [part.read_text(encoding="utf-8") for part in (ROOT / "notebooks").glob(f"{name[:2]}_*.py")]
        replays = [part for part in parts if f"cassettes/{name}.jsonl" in part]
        for plan in plans:
            if not any(f'"{plan.task}"' in part for part in replays):  # a plan may wait for its recording
                continue
            number = str(int(name[:2]))
            several = max(plan.params.get("k", 1), plan.params.get("plans", 1)) > 1
            same = [method for method, drawn in SAME_SAMPLES.items() if plan.method in drawn and several]
            for method in (plan.method, *same):
                chapters = found.setdefault((method, plan.task), [])
                if number not in chapters:
                    chapters.append(number)
    return found


def page() -> str:
    letters = {needed: letter for letter, needed in zip(ascii_lowercase, WHY, strict=False)}
    replayed, columns, used = recorded(), dict[tuple[str, ...], list[str]](), set()
    for name in TASKS:
        column = []
        for method in METHODS:
            if not (missing := method.missing(TASKS[name]())):
                chapters = replayed.get((method.name, name), ["yes"])
                column.append(", ".join(chapters))
            else:
                used.add(missing)
                column.append(f"*{letters[missing]}*")
        columns.setdefault(tuple(column), []).append(f"`{name}`")  # tasks that are alike share a column
    heads = ["method", *("<br>".join(names) for names in columns.values())]
    rows = [
        heads,
        ["---"] * len(heads),
        *([f"`{m.name}`", *cells] for m, *cells in zip(METHODS, *columns, strict=True)),
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    reasons = "\n".join(f"- *{letters[needed]}*: {WHY[needed]}" for needed in WHY if needed in used)
    return f"{HEAD}\n{table}\n\n{reasons}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
