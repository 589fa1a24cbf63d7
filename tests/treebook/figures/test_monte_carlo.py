"""The four phases of Monte Carlo search: each step marks its own node, with the numbers of pencil and paper."""

import re
from math import log, sqrt
from xml.etree import ElementTree

import planners
import pytest

import tot
from tot.parse import Read
from tot.trace import Trace
from treebook.figures.rollout_moments import moments, weighings
from treebook.figures.rollout_phases import phases

STEPS = {"": "ab", "a": "cd", "b": "ef"}
WORTH = {"": 0.5, "a": 0.7, "b": 0.4, "ac": 0.5, "ad": 0.3, "be": 0.9, "bf": 0.2}


def searched(steps=STEPS, worth=WORTH, **knobs):
    """A search over words, with rewards from a table."""

    def answer(request, sample):
        kind, word = request.messages[0].content.split(" ")
        return " ".join(word + step for step in steps.get(word, "")) if kind == "steps" else str(worth[word])

    def ask(kind):
        return lambda state: tot.user(f"{kind} {state.last.text if state.last else ''}")

    generate = tot.generator(ask("steps"), lambda state, text: [Read(tot.Thought(word)) for word in text.split()])
    evaluate = tot.value(ask("worth"), lambda text: Read(float(text)), n=1)
    root = tot.Node(tot.State("root"))
    return tot.run(tot.mcts(root, generate, evaluate, **({"depth": 2} | knobs)), tot.Scripted(answer))


def read(frame):
    """Of a frame: the node ids that are marked, and node name -> all that is written in its box."""
    root = ElementTree.fromstring(f"<div>{frame}</div>")
    groups = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("data-node")]
    marked = [g.get("data-node") for g in groups if "tot-now" in g.get("class").split()]
    texts = [["".join(t.itertext()) for t in g.iter("{http://www.w3.org/2000/svg}text")] for g in groups]
    return marked, {lines[0]: lines[1:] for lines in texts}


def test_the_four_phases_of_each_rollout():
    run = tot.solve("gsm8k", planners.X, "mcts-plan", lm=planners.team(), rollouts=4, revisions=2)
    found = phases(run, 3)
    assert found.labels == [
        "Rollout 1, selection: the root",
        "Rollout 1, simulation: the root",
        "Rollout 1, backpropagation: the root",
        "Rollout 2, selection: the root",
        "Rollout 2, expansion: B, C",
        "Rollout 2, simulation: B",
        "Rollout 2, backpropagation: B, the root",
        "Rollout 3, selection: C",
        "Rollout 3, simulation: C",
        "Rollout 3, backpropagation: C, the root",
    ]
    every = phases(run)
    assert every.labels[-1].startswith("Rollout 4, backpropagation"), "what carries the plan out is no rollout"
    assert len(set(every.frames)) == len(every.frames)
    other = tot.solve("gsm8k", planners.X, "plan-and-solve", lm=planners.team())
    for trace, why in (
        (Trace(), "no Monte Carlo"),
        (other, "no Monte Carlo"),
        (searched(rollouts=9, leaves=3), "leaves=1"),
    ):
        with pytest.raises(ValueError, match=why):
            phases(trace)


@pytest.mark.parametrize("knobs", [{}, {"exploration": 0}, {"zero_sum": True}])
def test_each_frame_marks_the_nodes_of_its_event(knobs):
    trace = searched(rollouts=12, **knobs).trace
    kinds = ("selected", "expanded", "evaluated", "backed_up")
    events = [event for event in trace.events if event["kind"] in kinds]
    frames = phases(trace).frames
    assert len(frames) == len(events) > 12
    for frame, event in zip(frames, events, strict=True):
        assert sorted(read(frame)[0]) == sorted(node["id"] for node in event["nodes"])


def test_the_fifth_rollout_is_that_of_pencil_and_paper():
    found = phases(searched(rollouts=9), 5)
    at = {label: read(frame)[1] for label, frame in zip(found.labels, found.frames, strict=True)}
    a, b = sqrt(2) * sqrt(log(4) / 2), sqrt(2) * sqrt(log(4) / 1)
    selection = at["Rollout 5, selection: b"]
    assert selection["a"] == ["N 2 · Q 0.60", f"0.60 + {a:.2f} = {0.6 + a:.2f}"]
    assert selection["b"] == ["N 1 · Q 0.40", f"0.40 + {b:.2f} = {0.4 + b:.2f} ✓", "selected"]
    assert at["Rollout 5, expansion: be, bf"]["be"] == ["no visit yet", "new"]
    assert "reward 0.90" in at["Rollout 5, simulation: be"]["be"]
    backup = at["Rollout 5, backpropagation: be, b, the root"]
    assert backup["be"] == ["N 0→1 · Q 0.90", "own reward 0.90", "+0.90"]
    assert backup["b"] == ["N 1→2 · Q 0.40→0.65", "own reward 0.40", "+0.90"]
    assert backup["root"] == ["N 4→5 · Q 0.53→0.60", "own reward 0.50", "+0.90"]  # 2.1 / 4, then 3.0 / 5
    assert (
        "At the root, b has the highest bound: 2.07 against 1.78."
        in found.frames[found.labels.index("Rollout 5, selection: b")]
    )


def test_a_trace_that_does_not_report_bounds_is_drawn_without_them():
    new = searched(rollouts=6).trace
    old = Trace(new.head, [{k: v for k, v in event.items() if k != "ways"} for event in new.events], new.result)
    assert phases(old).labels == phases(new).labels
    assert any("✓" in frame for frame in phases(new).frames)
    assert not any("✓" in frame or "UCB1" in frame for frame in phases(old).frames)


def test_the_sums_come_before_the_choice():
    """On each level that has a choice: its bounds, and nothing that tells which is taken."""
    trace = searched(rollouts=8).trace
    found = phases(trace, 8, sums_first=True)
    plain = phases(trace, 8)
    asked = [i for i, label in enumerate(found.labels) if "sums at" in label]
    assert [label for i, label in enumerate(found.labels) if i not in asked] == plain.labels
    assert [label for label in found.labels if label.startswith("Rollout 6, selection")] == [
        "Rollout 6, selection: sums at the root",
        "Rollout 6, selection: sums at b",
        "Rollout 6, selection: bf",
    ]
    for i in asked:
        marked, boxes = read(found.frames[i])
        open_ = [lines for name, lines in boxes.items() if any("UCB1" in x or " = " in x for x in lines)]
        ticked = [lines for lines in open_ if any("✓" in x for x in lines)]
        assert len(marked) == 1 and "Say it before you go on" in found.frames[i]
        above = marked[0].count(".")
        assert (len(open_), len(ticked)) == (2 * above + 2, above), found.labels[i]
    assert len(asked) == sum(len(event["ways"][0]) for event in trace.events if event["kind"] == "selected") == 9
    assert [m.decided for m in weighings(moments(trace)[0])] == []


def test_bars_of_all_steps_have_one_scale():
    """So that a bound of 1.88 is shorter than one of 2.07, whichever step it is on."""
    units = []
    for frame in phases(searched(rollouts=8), 8).frames:
        sums = re.findall(r">([\d.]+) \+ ([\d.]+) = [\d.]+( ✓)?<", frame)
        bars = re.findall(r'class="tot-(?:bar|bonus)" x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="4"', frame)
        amounts = [float(n) for mean, bonus, _ in sums for n in (mean, bonus)]
        units += [float(bar) / n for bar, n in zip(bars, amounts, strict=True)]
    assert len(units) > 20 and max(units) - min(units) < 0.03 * max(units)


def test_what_a_rollout_does_not_have_and_what_it_has_again_is_said():
    frames = dict(zip((found := phases(searched(rollouts=30))).labels, found.frames, strict=True))
    assert "2 Expansion (none)" in frames["Rollout 1, simulation: the root"]
    assert "3 Simulation (none)" in frames["Rollout 8, selection: ac"]
    assert "(none)" not in frames["Rollout 5, selection: b"] and "<button" not in found.frames[0]
    again = [frame for frame in found.frames if "Nothing new can be judged here" in frame]
    assert again and "the known reward of be, 0.90, goes up again" in again[-1]


def test_zero_sum_shows_the_changed_sign():
    backup = read(phases(searched(rollouts=5, zero_sum=True)).frames[-1])[1]
    pills = {name: lines[-1][0] for name, lines in backup.items() if lines[-1][:1] in "+-"}
    signs = [pills[name] for name in sorted(pills, key=lambda name: 0 if name == "root" else len(name), reverse=True)]
    assert signs in (["+", "-"], ["+", "-", "+"])


def test_untrusted_thoughts_are_escaped():
    bad = "<script>alert(1)</script>"
    trace = searched({"": ["x"]}, {"": 0.1, "x": 0.2}, rollouts=3).trace
    for event in trace.events:
        for node in event["nodes"]:
            if node.get("thought") == "x":
                node["thought"] = bad
    made = phases(trace)
    assert "<script" not in made._repr_html_() and "&lt;script&gt;" in made._repr_html_()
    assert moments(trace)[0].kind == "selected"
