"""The book's views together: what may run in them, the same in every process, and what they need."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import planners
import pytest
from traces import BAD, EDGES, Q, sleuth

import tot
from tot.testing import NASTY
from treebook import show
from treebook.figures.slider import KEYS, SCRIPT, STEP

ROOT = Path(__file__).parents[3]
OURS = {SCRIPT, KEYS, STEP.replace("{way}", "Down"), STEP.replace("{way}", "Up")}  # what may run in a view


@pytest.mark.slow
@pytest.mark.parametrize("name", EDGES)
def test_frames_are_valid_xml_without_anything_invisible(name: str) -> None:
    markup = show.frames(EDGES[name], every=("expanded", "evaluated", "pruned", "best"))._repr_html_()
    assert not BAD.search(markup)
    root = ElementTree.fromstring(markup)
    assert not {element.tag.rpartition("}")[2] for element in root.iter()} & {"script", "img", "iframe", "a"}
    for element in root.iter():
        assert {value for key, value in element.attrib.items() if key.startswith("on")} <= OURS


PRINT = """
import sys; sys.path[:0] = ["tests/helpers"]
import traces as t; from treebook.show import boards, explorer, frames
for trace in (t.solved().trace, t.trip()):
    print(explorer(trace), frames(trace)._repr_html_())
print(boards(t.filled())._repr_html_())
"""


def test_output_is_the_same_in_every_process() -> None:
    seen = set()
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
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
    with pytest.raises(AttributeError, match="draws no 'tree': it has"):
        _ = show.tree


def test_a_moment_of_monte_carlo_search_is_labelled_by_what_happened() -> None:
    lm = planners.team(planners.LUCKY, planners.LUCK)
    solution = tot.solve("gsm8k", planners.X, "mcts-plan", lm=lm, rollouts=6, revisions=2)
    steps = show.frames(solution, every=("selected", "expanded", "evaluated", "backed_up"))
    assert [label.split()[0] for label in steps.labels[2:6]] == ["selected", "evaluated", "backed", "selected"]


@pytest.mark.parametrize("text", [*NASTY[:13], "<script>alert(1)</script>\x1b[2J"])
def test_hostile_observations_are_escaped_in_the_table_of_calls(text):
    class Liar:
        name, batched = "liar", False

        def __call__(self, requests, on_reply=None):
            return tot.Scripted(lambda r, i: text)(requests, on_reply)

    lms = {"default": tot.Scripted(sleuth), "tool": Liar()}
    view = show.tool_calls(tot.solve("hotpotqa", Q, "itot-dstar", lm=lms, rounds=3))._repr_html_()
    assert "<script" not in view and "\x1b" not in view and "\x00" not in view
