"""Write book/matrix.md: every method on every task, where it was recorded, and why it is not there.

    python -m tools.matrix

Everything but the reasons (``matrix.md.jinja``) is looked up: what a task provides, what a method needs, what
studies/plans.py records.
"""

from pathlib import Path

import tot
from studies.plans import PLANS
from tools.written import page_of
from tot.tasks import TASKS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "matrix.md"
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
    replayed, columns = recorded(), dict[tuple[tuple[tuple[str, ...], str], ...], list[str]]()
    for name in TASKS:
        needs = [(method.name, method.missing(TASKS[name]())) for method in METHODS]
        column = [(tuple(replayed.get((method, name), ())), missing) for method, missing in needs]
        columns.setdefault(tuple(column), []).append(f"`{name}`")  # tasks that are alike share a column
    rows = list(zip([method.name for method in METHODS], zip(*columns, strict=True), strict=True))
    used = {missing for column in columns for _, missing in column}
    return page_of("matrix.md.jinja", columns=columns, rows=rows, used=used, zip=zip)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
