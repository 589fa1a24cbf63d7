"""The four phases of Monte Carlo search: each step marks its own node, with the numbers of pencil and paper."""

import json
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
RESET = "<style>[hidden]{display:none!important}</style>"  # as the book's theme has it
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


def test_the_bounds_are_reported_by_the_search():
    trace = searched(rollouts=5).trace
    selected = [event for event in trace.events if event["kind"] == "selected"]
    assert [event["ways"] for event in selected[:3]] == [
        [[]],
        [[]],
        [[{"of": "0", "ucb1": {"0.0": pytest.approx(0.7 + sqrt(2) * sqrt(log(2))), "0.1": None}}]],
    ]
    assert json.loads(trace.to_json())["events"] == trace.events, "plain data, without infinite numbers"


def test_a_trace_that_does_not_report_bounds_is_drawn_without_them():
    new = searched(rollouts=6).trace
    old = Trace(new.head, [{k: v for k, v in event.items() if k != "ways"} for event in new.events], new.result)
    assert phases(old).labels == phases(new).labels
    assert any("✓" in frame for frame in phases(new).frames)
    assert not any("✓" in frame or "UCB1" in frame for frame in phases(old).frames)


def test_a_reward_that_is_known_goes_up_again():
    found = phases(searched(rollouts=30))
    again = [frame for frame in found.frames if "Nothing new can be judged here" in frame]
    assert again and "the known reward of be, 0.90, goes up again" in again[-1]


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


def test_a_phase_that_a_rollout_does_not_have_says_so():
    frames = dict(zip((found := phases(searched(rollouts=8))).labels, found.frames, strict=True))
    assert "2 Expansion (none)" in frames["Rollout 1, simulation: the root"]
    assert "3 Simulation (none)" in frames["Rollout 8, selection: ac"]
    assert "(none)" not in frames["Rollout 5, selection: b"] and "<button" not in found.frames[0]


def test_zero_sum_shows_the_changed_sign():
    backup = phases(searched(rollouts=5, zero_sum=True)).frames[-1]
    pills = {name: lines[-1] for name, lines in read(backup)[1].items() if lines[-1][:1] in "+-"}
    signs = [
        pills[name][0] for name in sorted(pills, key=lambda name: 0 if name == "root" else len(name), reverse=True)
    ]
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


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 720])
def test_in_a_browser_the_marked_node_is_in_view_at_every_step(chromium, tmp_path, width):
    found = phases(searched(rollouts=9), 6)
    page = tmp_path / "phases.html"
    head = "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>" + RESET
    page.write_text(head + found._repr_html_(), encoding="utf-8")
    tab, trouble = chromium.new_page(viewport={"width": width, "height": 700}), []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(page.as_uri())
    inside = """f => [...f.querySelectorAll('.tot-now')].map(e => { const r = e.getBoundingClientRect();
        return [e.dataset.node, r.right > 0 && r.left < innerWidth && r.right - r.left > 0] })"""
    sizes = "f => Math.min(...[...f.querySelectorAll('text')].map(t => t.getBoundingClientRect().height))"
    for label, frame in zip(found.labels, found.frames, strict=True):
        shown = tab.locator(".tot-frame:visible")
        assert shown.count() == 1 and shown.get_attribute("data-label") == label
        assert tab.locator("output").inner_text() == label
        nodes = dict(shown.evaluate(inside))
        assert sorted(nodes) == sorted(read(frame)[0])
        assert all(nodes.values()) or ("backpropagation" in label and any(nodes.values()))
        assert shown.evaluate(sizes) >= 10
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.get_by_role("button", name="Next").click()
    tab.get_by_role("button", name="Next").press("ArrowLeft")
    assert tab.locator(".tot-frame:visible").get_attribute("data-label") == found.labels[-2]
    tab.locator("input").press("Home")
    assert tab.locator(".tot-frame:visible").get_attribute("data-label") == found.labels[0]
    tab.emulate_media(media="print")
    printed = [e.get_attribute("data-label") for e in tab.locator(".tot-frame:visible").all()]
    assert [label.split(":")[0] for label in printed] == ["Rollout 6, selection", "Rollout 6, backpropagation"]
    assert trouble == []
    tab.close()


@pytest.mark.slow
def test_on_a_phone_the_children_that_are_compared_are_in_view(chromium, tmp_path):
    found = phases(searched(rollouts=8), 8, sums_first=True)
    page = tmp_path / "phases.html"
    head = "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>" + RESET
    page.write_text(head + found._repr_html_(), encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 390, "height": 844})
    tab.goto(page.as_uri())
    seen = """f => [...f.querySelectorAll('.tot-node')].map(e => { const r = e.querySelector('.tot-box')
        .getBoundingClientRect(); return [e.dataset.node, (Math.min(r.right, innerWidth) - Math.max(r.left, 0))
        / r.width] })"""
    asked = [i for i, label in enumerate(found.labels) if "sums at" in label]
    for i in asked:
        tab.locator("input").evaluate("(e, i) => { e.value = i; e.dispatchEvent(new Event('input')) }", i)
        share = dict(tab.locator(".tot-frame:visible").evaluate(seen))
        [at] = read(found.frames[i])[0]
        assert all(share[id] > 0.8 for id in (at, f"{at}.0", f"{at}.1")), found.labels[i]
    tab.close()


@pytest.mark.slow
def test_without_javascript_the_last_frame_is_shown(chromium, tmp_path):
    found = phases(searched(rollouts=4))
    page = tmp_path / "phases.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{RESET}{found._repr_html_()}", encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(page.as_uri())
    shown = tab.locator(".tot-frame:visible")
    assert shown.count() == 1 and shown.get_attribute("data-label") == found.labels[-1]
    assert tab.locator(".tot-slider:visible").count() == 0
    context.close()
