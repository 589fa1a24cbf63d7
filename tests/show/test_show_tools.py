"""Views of searches with tools: failures, observations, costs, propagation, the open list."""

import re

import pytest

from tot import Scripted, Trace, show, solve
from tot.testing import NASTY

Q = "In which town was the inventor of the saxophone born?"


def sleuth(request, i):
    text = request.messages[-1].content
    if "with a score" in text:
        return "Score: 0.5"
    if "Adolphe Sax]" in text:
        return ["Action: Finish[Dinant]", "Action: Search[Nowhere at all]"][i % 2]
    return ["Thought: He?\nAction: Search[Adolphe Sax]", "Action: Search[Sax]", "Action: Search[Saxophone]"][i % 3]


@pytest.fixture(scope="module")
def trace():
    return solve("hotpotqa", Q, "itot-dstar", lm=Scripted(sleuth), rounds=4).trace


def test_the_table_of_tool_calls(trace):
    shown = str(show.tool_calls(trace))
    lines = shown.splitlines()
    assert lines[0].split() == ["round", "node", "action", "observation", "cost", "failed"]
    assert re.search(r"2 +0\.0 +Search\[Adolphe Sax\] +Adolphe Sax was", lines[2])
    assert re.search(r"2 +0\.1 +Search\[Sax\] +Could not find Sax\..* 1 +not found$", lines[3])
    bill = trace.result["tools"]
    assert len(lines) == 2 + bill["calls"] + 1 and lines[-1].startswith(f"{bill['total']:g} in all, 1 on the path")
    assert "no rows" not in str(show.tool_calls(Trace())) and "<th" in show.tool_calls(trace)._repr_html_()


def test_the_open_list_over_time(trace):
    lines = str(show.open_list(trace)).splitlines()
    taken = [event["nodes"][0]["id"] for event in trace.events if event["kind"] == "taken"]
    assert [line.split()[0] for line in lines[2:]] == taken and taken[:2] == ["0", "0.0"]
    assert re.search(r"^0\.0 +-1\.5 +2 +0\.2 \(-1\.5\), 0\.1 \(-0\.5\)$", lines[3])
    assert "more" in str(show.open_list(trace, most=0)) and len(str(show.open_list(Trace())).splitlines()) <= 2


def test_failures_stand_out_and_say_why(trace):
    text, page, picture = show.text(trace), show.html(trace), show.svg(trace)
    node = trace.nodes()["0.0"]
    g, f = f"{node['g']:g}", f"{node['f']:g}"
    assert g == "1.5" and "tool failed" in text and f"value 0.5, g {g}, f {f}" in text
    assert "tot-k-failed" in page and "failed: not found" in page and "observation (cost 1)" in page
    assert "tot-n-failed" in picture and ">tool failed<" in picture and f"f {f}, g {g}, V 0.5" in picture


def test_what_is_open_is_undecided_until_it_is_taken(trace):
    first = next(i for i, event in enumerate(trace.events) if event["kind"] == "best")
    items = show.picture(trace, first + 1).items
    assert [items[id].status for id in ("0.0", "0.1", "0.2")] == ["kept", "valued", "valued"]
    items = show.picture(trace).items
    assert items["0.0"].status == "kept" and items["0.1"].status == "valued" and items["0.1"].look == "failed"


def test_propagation_is_a_step(trace):
    frames = show.frames(trace, every=("taken", "propagated"))
    assert any(label.startswith("propagated 1") for label in frames.labels)


@pytest.mark.parametrize("text", [*NASTY[:13], "<script>alert(1)</script>\x1b[2J"])
def test_hostile_observations_are_shown_escaped(text):
    class Liar:
        name, batched = "liar", False

        def __call__(self, requests, on_reply=None):
            return Scripted(lambda r, i: text)(requests, on_reply)

    lms = {"default": Scripted(sleuth), "tool": Liar()}
    solution = solve("hotpotqa", Q, "itot-dstar", lm=lms, rounds=3)
    assert solution.answer == "Dinant"  # whatever the tools say
    for view in (show.html(solution), show.svg(solution), show.text(solution), show.tool_calls(solution)._repr_html_()):
        assert "<script" not in view and "\x1b" not in view and "\x00" not in view and len(view) < 300_000
        view.encode("utf-8")
