"""The book's views together: the same in every process, what they need, and hostile observations."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from traces import Q, sleuth, solved

import tot
from tests.torture.views import Formulas
from tot.testing import NASTY
from treebook import show
from treebook.lab import Lab, parts

ROOT = Path(__file__).parents[3]

PRINT = """
import sys; sys.path[:0] = ["tests/helpers"]
import traces as t; from treebook.show import board_strip, explorer, text
for trace in (t.solved().trace, t.trip()):
    print(*t.every_view(trace).values(), text(trace), explorer(trace))
print(board_strip(t.filled()))
"""


def test_output_is_the_same_in_every_process() -> None:
    seen = set()
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run([sys.executable, "-c", PRINT], env=env, capture_output=True, cwd=ROOT, check=True)
        seen.add(run.stdout)
    assert len(seen) == 1 and len(seen.pop()) > 50_000


def test_a_missing_matplotlib_is_explained_and_what_draws_without_it_still_does() -> None:
    code = "import sys\nsys.modules['matplotlib'] = sys.modules['matplotlib.figure'] = None\n"
    code += "from treebook import show; show.wrapped('a'); print('numpy' in sys.modules)\nshow.plots.rates([])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout == "False\n" and run.returncode and "pip install matplotlib" in run.stderr


def test_every_name_is_there_and_a_wrong_one_is_told() -> None:
    assert all(getattr(show, name) is not None for name in [*show.__all__, "concepts"])
    with pytest.raises(AttributeError, match="'tree'"):
        _ = show.tree


@pytest.mark.parametrize("text", [*NASTY[:13], "<script>alert(1)</script>\x1b[2J"])
def test_hostile_observations_are_shown_escaped(text):
    class Liar:
        name, batched = "liar", False

        def __call__(self, requests, on_reply=None):
            return tot.Scripted(lambda r, i: text)(requests, on_reply)

    lms = {"default": tot.Scripted(sleuth), "tool": Liar()}
    solution = tot.solve("hotpotqa", Q, "itot-dstar", lm=lms, rounds=3)
    assert solution.answer == "Dinant"  # whatever the tools say
    for view in (show.svg, show.text, show.tool_calls):
        shown = view(solution)
        shown = shown if isinstance(shown, str) else shown._repr_html_()
        assert "<script" not in shown and "\x1b" not in shown and "\x00" not in shown and len(shown) < 300_000
        shown.encode("utf-8")


def test_dollars_of_others_are_no_formula_in_jupyterlab():
    said = r"9 at $4 each, 6 at $1 \(x\) \begin{align}q\end{align}"
    run = tot.solve(
        "gsm8k", "Of $4 and $6?", "cot", lm=tot.Scripted(lambda request, i: f"{said}\n{said}\nThe answer is 58")
    )
    drawn = show.svg(run)
    views = [drawn, show.side_by_side([drawn, drawn]), show.chain(run), show.explorer(run), show.bill({said: run})]
    views += [show.table([{said: said}], caption=said), show.transcript([(said, said)], wrong=["$4 each"])]
    views += [show.plan_diff(said, said, title=said, feedback=said), show.Frames([said, said], [said, said])]
    views += [show.Predict(said, said, choices=[said, "b"], shows=said), show.tool_calls(run.trace)]
    pages = [view._repr_html_() for view in views]
    pages += [parts.message(said), parts.outcome(run), parts.code(said), parts.describe([(said, said)])]
    pages.append(Lab(problem="Of $4 and $6?", task="gsm8k")._page())
    assert not [page for page in pages if Formulas.of(page)]
    plain = (show.svg(solved()), show.table([{"a": 1}]))
    assert Formulas.of(f"<p>{said}</p>") and not any("mathjax" in one._repr_html_() for one in plain)
