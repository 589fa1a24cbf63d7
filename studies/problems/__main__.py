"""``python -m studies.problems``"""

from __future__ import annotations

from . import MADE, file, lines

for task, make in MADE.items():
    problems = make()
    file(task).write_text(lines(problems), encoding="utf-8")
    print(f"wrote {len(problems)} problems to {file(task).name}")
