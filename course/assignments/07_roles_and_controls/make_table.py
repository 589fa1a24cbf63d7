"""The table of task 6, and the truth behind it: ``python course/assignments/07_roles_and_controls/make_table.py``.

For graders only. Solved with probability 0.3, more or less by how easy the problem is; a larger executor adds 0.35, a
larger judge 0.04, and a small planner costs 0.08 against a large one, or against nobody.
"""

from itertools import product
from pathlib import Path
from random import Random

ALONE = ("--S", "--L", "S-L", "L-L")


def table(problems: int = 60) -> str:
    """A line for each cast: its name, and for each problem 1 or 0."""
    casts = ["".join(cast) for cast in product("SL", repeat=3)] + ["-LL", "-SL", *ALONE]
    rows = dict.fromkeys(casts, "")
    for problem in range(problems):
        easy = Random(f"easy {problem}").uniform(-0.3, 0.3)
        for cast in rows:
            chance = 0.3 + easy + 0.35 * (cast[2] == "L") + 0.04 * (cast[1] == "L") - 0.08 * (cast[0] == "S")
            rows[cast] += str(int(Random(f"{problem} {cast}").random() < chance))
    return "".join(f"{cast},{solved}\n" for cast, solved in rows.items())


if __name__ == "__main__":
    (Path(__file__).parent / "table.csv").write_text(table(), encoding="utf-8")
