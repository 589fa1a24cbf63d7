"""The explorer in a real browser: what it draws is the trace, with keys, in the dark, on a phone, on paper, offline.

Needs Chromium or Chrome on the PATH, or in TOT_BROWSER, or as ``playwright install chromium`` puts it; else skipped.
"""

import json
import re
from itertools import product

import pytest
from traces import THOUGHT, TRACES, data_of, filled, hostile, large, moments, replay, solved, thoughtful

from tot.show.escaping import block
from tot.show.tree import MINOR, fold
from treebook import show
from treebook.explorer.data import view
from treebook.figures.layout import tidy
from treebook.figures.looks import GROUND
from treebook.figures.marks import THICK
from treebook.figures.names import names

pytestmark = pytest.mark.slow  # a browser does not care which Python drives it
PHONE = {"width": 390, "height": 800}
STATE = "document.querySelector('.tot-explorer').totExplorer"


@pytest.fixture
def visit(chromium, tmp_path):
    """``visit(page)`` opens it. At the end of the test: no error, nothing on the console, no request but for files."""
    opened, trouble = [], []

    def visit(page, body=None, **settings):
        file = tmp_path / f"{len(opened)}.html"
        page.save(file)
        if body:
            file.write_text(body(str(page)), encoding="utf-8")
        tab = chromium.new_page(**{"viewport": {"width": 1000, "height": 900}, "reduced_motion": "reduce", **settings})
        opened.append(tab)
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda request: request.url.startswith("file:") or trouble.append(request.url))
        tab.set_default_timeout(60_000)  # a hang, not a slow machine
        tab.goto(file.as_uri())
        tab.wait_for_function("() => !!document.querySelector('.tot-explorer')?.totExplorer?.story")
        return tab

    yield visit
    for tab in opened:
        tab.close()
    assert trouble == []


def words(tab, selector=".tot-x-said"):
    return tab.locator(selector).first.inner_text()


def keys(tab):
    """The nodes in the tree, as drawn."""
    return [element.get_attribute("data-key") for element in tab.locator('[role="treeitem"]').all()]


# ------------------------------------------------------------------------------------------------ what it draws


@pytest.mark.parametrize(("rows", "shown"), [(1, 1), (5, 5), (40, 9)])
def test_a_problem_of_several_lines_is_shown_whole_or_cut_at_a_line(visit, rows, shown):
    problem = "\n".join(f"line {n} of the problem" for n in range(1, rows + 1))
    trace = solved().trace
    trace.events[0]["nodes"][0]["thought"] = problem
    tab = visit(show.explorer(trace))
    box = tab.locator(".tot-x-question .tot-x-thought")
    seen, there, text = box.evaluate("box => [box.clientHeight, box.scrollHeight, box.innerText]")
    assert (seen, text) == (21 * shown, problem) and there == 21 * rows


KNOWN = f"""() => {{
  const {{ story }} = {STATE};
  const steps = [...story.steps.keys()];
  return {{
    states: steps.map((k) => story.nodes.map((_, i) => story.at(i, k))),
    paths: steps.map((k) => [...story.path(k)].sort((a, b) => a - b)),
    open: steps.map((k) => story.open(k).map(([i]) => i)),
    names: story.names, parents: story.nodes.map((node) => node.parent), steps: story.steps,
  }};
}}"""
NEXT = {"dfs": "evaluated", "crosswords": "evaluated", "best-first": "taken", "itot-dstar": "taken"}


def set_(state):
    return {key: value for key, value in (state or {}).items() if value is not None}


def boxes(tab, step, folded):
    """What is drawn at a step, or would be if it were in sight: key -> x, y (its middle), w, h, children, folded."""
    tab.evaluate(f"{STATE}.tree.few = {1 if folded else 'Infinity'}; {STATE}.go({step})")
    return tab.evaluate(f"Object.fromEntries({STATE}.tree.now.boxes)")


@pytest.mark.parametrize("name", [*TRACES, "large"])
def test_at_every_step_it_is_the_trace_and_its_boxes_are_where_python_puts_them(visit, name):
    trace = large(800) if name == "large" else filled(60).trace if name == "crosswords" else TRACES[name]()
    told, seen = view(trace), show.picture(trace)
    tab = visit(show.explorer(trace, folded=False, height=100_000))  # where there is room, nothing is folded in need
    known = tab.evaluate(KNOWN)
    for nodes, states in zip(replay(told), json.loads(json.dumps(known["states"])), strict=True):
        assert [i for i, state in enumerate(states) if state is not None] == sorted(nodes)
        assert all(set_(state) == set_(nodes.get(i)) for i, state in enumerate(states))
    assert known["names"] == list(names(trace).values())
    for upto, path in zip(list(moments(trace))[:-1], known["paths"], strict=False):
        if upto < len(trace.events):
            assert path == [i for i, item in enumerate(show.picture(trace, upto).items.values()) if item.chosen]
    for before, step in zip(known["open"], known["steps"][1:], strict=False):  # the first of the list is the next one
        assert step["kind"] != NEXT.get(name) or before[:1] == step["nodes"]

    def gap(a, b):
        above = [box["parent"] if "folded" in box else known["parents"][box["i"]] for box in (drawn[a], drawn[b])]
        return 5.0 if above[0] == above[1] else 9.0

    last = len(known["steps"]) - 1
    for step, folded in product(sorted({1, 2, last // 3, last // 2, last}), (False, True)):
        drawn = boxes(tab, step, folded)
        heights = {key: box["h"] for key, box in drawn.items()}
        wanted = tidy("0", {key: box["children"] for key, box in drawn.items()}, heights.__getitem__, gap)
        assert {key: box["y"] for key, box in drawn.items()} == pytest.approx(wanted, abs=1e-6)
        assert all(box["x"] > drawn["0"]["x"] for key, box in drawn.items() if key != "0")
    numbers, changed = {id: i for i, id in enumerate(seen.items)}, set(known["steps"][last]["changed"])
    items = fold(seen, 1, 12, (*MINOR, "pruned"))
    hidden = {f"{numbers[one.parent]}+": {numbers[id] for id in one.folded} for one in items.values() if one.folded}
    hidden = {key: those - changed for key, those in hidden.items()}  # what a step changes is shown while it does
    found = {key: set(box["folded"]) for key, box in drawn.items() if "folded" in box}
    assert found == {key: those for key, those in hidden.items() if len(those) > 1}
    assert found or name not in ("large", "crosswords", "game24")


def test_stepping_draws_the_nodes_that_are_there(visit):
    trace = TRACES["bfs"]()
    tab = visit(show.explorer(trace, step="end"))
    assert words(tab).startswith("Step 11 of 11. Finished: “F”")
    assert keys(tab) == ["0", "1", "5", "6", "2", "4", "3"], "in the order of the tree"
    tab.get_by_label("To the start").click()
    assert keys(tab) == ["0"] and words(tab) == "Step 0 of 11. The problem, before anything was asked."
    forward, back = tab.get_by_label("Step forward"), tab.get_by_label("Step back")
    forward.click()
    assert words(tab) == "Step 1 of 11. Asked the generator: 1 request about the problem."
    forward.click()
    assert words(tab) == "Step 2 of 11. New thoughts: 3 thoughts." and keys(tab) == ["0", "1", "2", "3"]
    assert tab.locator(".tot-x-now").count() == 3
    for _ in range(3):
        forward.click()
    assert [tab.locator(f'[data-key="{i}"]').get_attribute("class").split()[1] for i in (1, 2, 3)] == [
        "tot-x-kept",
        "tot-x-chosen",
        "tot-x-dropped",
    ]
    label = tab.locator('[data-key="2"]').get_attribute("aria-label")
    assert label == "b, value 5, kept, on the path of the best so far, in this step"
    assert words(tab, ".tot-x-open .tot-x-head") == "Beam, best first: 2"
    assert [row.inner_text().split() for row in tab.locator(".tot-x-open li").all()] == [
        ["b", "value", "5"],
        ["a", "value", "3"],
    ]
    assert words(tab, ".tot-x-bill").startswith("So far: 4 requests in 2 rounds, ")
    back.click()
    assert tab.locator('[data-key="3"]').get_attribute("class").split()[1] == "tot-x-valued"
    tab.locator("input[type=range]").fill("2")
    assert keys(tab) == ["0", "1", "2", "3"] and tab.locator("input[type=range]").get_attribute("aria-valuetext")


def test_a_click_shows_thought_prompt_reply_and_what_was_read(visit):
    trace = TRACES["itot-dstar"]()
    tab = visit(show.explorer(trace, step="end"))
    nodes = trace.nodes()
    failed = next(id for id, node in nodes.items() if node.get("failed"))
    key = list(nodes).index(failed)
    tab.locator(f'[data-key="{key}"]').click()
    panel = tab.locator(".tot-x-panel")
    assert panel.locator("pre").first.text_content() == nodes[failed]["thought"]
    facts = panel.locator("dl").inner_text()
    assert nodes[failed]["failed"] in facts and nodes[failed]["observation"] in facts and "tool cost" in facts
    for details in panel.locator("details.tot-x-io").all():
        details.locator("summary").first.click()
    tab.wait_for_function("[...document.querySelectorAll('.tot-x-io')].every(d => d.querySelector('pre'))")
    shown = [pre.text_content() for pre in panel.locator(".tot-x-io pre").all()]
    parent = nodes[failed]["parent"]
    for event in trace.events:
        for request in event["requests"] if event["kind"] == "asked" else ():
            if request["about"] == failed or (request["about"] == parent and event["role"] == "generator"):
                assert {block(m["content"]) for m in request["messages"]} <= set(shown)
                assert {block(s["text"]) or "(empty)" for s in request["samples"]} <= set(shown)
    assert "It came from this: generator" in panel.inner_text() and "prompt tokens" in panel.inner_text()
    tab.locator(".tot-x-io .tot-x-link").first.click()  # to a thought that was read from the same reply
    assert words(tab, ".tot-x-panel .tot-x-head").startswith("Search["), "its name is what it does"
    tab.get_by_label("To the start").click()
    assert "not there yet" in panel.inner_text()


@pytest.mark.parametrize("folded", [False, True])
def test_it_opens_where_the_page_wants(visit, folded):
    trace = filled(60).trace
    pruned = next(id for id, item in show.picture(trace).items.items() if item.status == "pruned")
    tab = visit(show.explorer(trace, step=9, node=pruned, folded=folded, height=200))
    assert words(tab).startswith("Step 9 of ") and tab.get_by_label("Step", exact=True).input_value() == "9"
    item = show.picture(trace).items[pruned]
    assert words(tab, ".tot-x-panel .tot-x-head").endswith(item.thought)
    tab.get_by_label("To the end (End)").click()
    assert "pruned: " in tab.locator(".tot-x-panel dl").inner_text()
    assert tab.evaluate("scrollY") == 0, "the page did not move"


def test_it_stops_at_decisions_and_plays(visit):
    tab = visit(show.explorer(TRACES["dfs"]()))
    tab.clock.install()
    tab.locator(".tot-x-options summary").click()
    stop = tab.get_by_label("Stop at")
    assert "pruned (1)" in stop.inner_text()
    stop.select_option("pruned")
    tab.get_by_label("To the start").click()
    tab.get_by_label("Step forward").click()
    assert "Pruned: “c”, value 1 (value 1 is at most 1)." in words(tab)
    stop.select_option("")
    tab.get_by_label("To the start").click()
    play = tab.locator(".tot-x-play")
    tab.locator(".tot-x-begin").click()
    tab.clock.run_for(2000)
    assert words(tab).startswith("Step 2 of") and "Pause" in words(tab, ".tot-x-play")
    assert not tab.locator(".tot-x-begin").is_visible()
    play.click()
    tab.clock.run_for(5000)
    assert words(tab).startswith("Step 2 of")
    play.click()
    tab.clock.run_for(60_000)
    assert "Finished" in words(tab) and "Again" in words(tab, ".tot-x-play")
    play.click()
    assert words(tab).startswith("Step 0 of")
    tab.get_by_label("To the end (End)").click()
    tab.clock.run_for(5000)
    assert "Finished" in words(tab), "a reader's own step ends the play"


def test_keys_step_and_walk_and_open(visit):
    tab = visit(show.explorer(TRACES["bfs"](), step="end"))
    item = '[role="treeitem"]'
    assert tab.locator(f'{item}[tabindex="0"]').count() == 1, "one stop for the tab key"
    tab.locator("input[type=range]").focus()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")  # the pane is a stop of its own in some browsers
    if tab.evaluate("!document.activeElement.dataset.key"):
        tab.keyboard.press("Shift+Tab")
    assert tab.evaluate("document.activeElement.dataset.key") == "0"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.dataset.key") == "5"
    tab.keyboard.press("Enter")
    assert words(tab, ".tot-x-panel .tot-x-head") == "a › D"
    assert tab.evaluate("document.activeElement.className") == "tot-x-panel"
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.dataset.key") == "5"
    tab.keyboard.press("ArrowLeft")
    assert words(tab).startswith("Step 10 ")
    tab.keyboard.press("Home")
    assert words(tab).startswith("Step 0 ") and tab.evaluate("document.activeElement.dataset.key") == "0"
    tab.evaluate("addEventListener('keydown', event => { window.heard = (window.heard || '') + event.key })")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("x")
    assert tab.evaluate("heard") == "x", "keys that it uses do not reach the page around"
    assert words(tab).startswith("Step 1 ") and tab.evaluate("document.activeElement.dataset.key") == "0"
    tab.keyboard.press("End")
    assert words(tab).startswith("Step 11 ")
    tab.keyboard.press("Home")
    tab.keyboard.press(" ")
    assert "Pause" in words(tab, ".tot-x-play")
    tab.keyboard.press(" ")
    assert "Play" in words(tab, ".tot-x-play")
    assert tab.evaluate("scrollY") == 0, "the page did not move"


def test_branches_fold_with_the_reason(visit):
    trace = filled(60).trace
    tab = visit(show.explorer(trace, folded=True, height=600, step="end"))
    stubs = tab.locator(".tot-x-more")
    assert stubs.count() and any("pruned" in text for text in stubs.all_inner_texts())
    before, there = tab.evaluate("document.body.scrollHeight"), set(keys(tab))
    stub = stubs.filter(has_text="pruned").first
    stub.click()
    opened = set(keys(tab)) - there
    items = list(show.picture(trace).items.values())
    assert len(opened) > 1 and all(items[int(key)].status == "pruned" for key in opened)
    assert tab.evaluate("document.activeElement.dataset.key") in opened
    tab.locator(f'[data-key="{sorted(opened)[0]}"]').click()
    assert "pruned: " in tab.locator(".tot-x-panel dl").inner_text()
    assert tab.evaluate("document.body.scrollHeight") == before, "nothing below moved"
    tab.locator(".tot-x-options summary").click()
    tab.get_by_label("fold what came to nothing").uncheck()
    assert stubs.count() == 0
    tab.get_by_label("View").select_option("map")
    assert len(keys(tab)) == len(show.picture(trace).items)
    pane = tab.locator(".tot-x-pane")
    assert pane.evaluate("pane => pane.scrollHeight <= pane.clientHeight && pane.scrollWidth <= pane.clientWidth")


def test_marks_are_the_verdicts_and_edges_the_cost(visit):
    trace = solved().trace
    tab = visit(show.explorer(trace, step="end", folded=False, height=5000))
    numbers = {id: i for i, id in enumerate(show.picture(trace).items)}
    kinds = {"sure": "full", "likely": "half", "impossible": "empty"}
    for event in trace.events:
        for request in event.get("requests", ()) if event.get("role") == "evaluator" else ():
            words = [sample["text"].split()[-1].strip(".") for sample in request["samples"]]
            box = tab.locator(f'[data-key="{numbers[request["about"]]}"] .tot-x-marks i')
            drawn = [mark.get_attribute("class").removeprefix("tot-x-") for mark in box.all()]
            assert sorted(drawn) == sorted(kinds[word] for word in words)
    used = tab.evaluate("""[...document.querySelectorAll(".tot-x-canvas path")]
      .filter((path) => path.getAttribute("d")).map((path) => +path.getAttribute("stroke-width"))""")
    assert len({*used}) > 1 and {*used} <= {*THICK}


# ------------------------------------------------------------------------------------------------ where things are

SEARCHES = {"bfs": TRACES["game24"], "dfs": lambda: filled(40).trace, "tools": TRACES["itot-astar"]}
SIZES = {"laptop": {"width": 1280, "height": 900}, "tablet": {"width": 768, "height": 1000}, "phone": PHONE}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SEARCHES)
def test_it_fits_and_what_a_step_is_about_is_in_view(visit, name, size):
    trace = SEARCHES[name]()
    tab = visit(show.explorer(trace), viewport=SIZES[size])
    pane = tab.locator(".tot-x-pane")
    width, heights = SIZES[size]["width"], [pane.bounding_box()["height"]]
    steps = tab.evaluate(f"{STATE}.story.steps.map(step => step.nodes)")
    for k, nodes in enumerate(steps):
        if k:
            tab.keyboard.press("ArrowRight") if k > 1 else tab.get_by_label("Step forward").click()
        now = tab.evaluate(AT_A_STEP, str(nodes[0] if nodes else 0))
        main, frame = now["main"], now["frame"]
        assert now["said"].startswith(f"Step {k} of")
        assert frame["y"] >= 0 and main, (k, "the node is drawn")
        for edge, side in (("x", "width"), ("y", "height")):
            assert main[edge] >= frame[edge] - 0.5, (k, edge)
            assert main[edge] + main[side] <= frame[edge] + frame[side] + 0.5, (k, edge)
        assert now["fits"] or size not in ("laptop", "phone"), (k, "fits its width")
        assert now["width"] <= width and now["smallest"] >= 11, k
        assert not re.search(r"\b0(\.\d+){2,}\b", now["told"]), (k, "nobody reads an id")
        heights.append(frame["height"])
        assert not now["cut"], (k, "labels wrap")
    assert len({*heights}) == 1, "nothing moves on the way"
    if (name, size) in (("bfs", "laptop"), ("tools", "laptop"), ("bfs", "tablet")):
        assert now["whole"], "the finished tree is all in sight"
    tab.locator(".tot-x-options summary").click()
    folding = tab.get_by_label("fold what came to nothing")
    if folding.count():
        folding.set_checked(not folding.is_checked())
    for look in ("map", "outline", "tree"):
        tab.get_by_label("View").select_option(look)
        frame, main = pane.bounding_box(), tab.locator(f'[data-key="{steps[-1][0]}"]').bounding_box()
        assert main["x"] >= frame["x"] and main["x"] + main["width"] <= frame["x"] + frame["width"], look
        assert main["y"] >= frame["y"] and main["y"] + main["height"] <= frame["y"] + frame["height"], look
        assert tab.evaluate(SMALLEST) >= 11, look


# The smallest size at which a text of the explorer is shown, in CSS pixels.
SMALLEST = """Math.min(...[...document.querySelectorAll(".tot-explorer *")]
  .filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""


# What is seen at a step, asked for at once: a question to the browser takes longer than its answer.
AT_A_STEP = f"""key => {{
  const box = e => e?.checkVisibility() ? e.getBoundingClientRect().toJSON() : null;
  const pane = document.querySelector(".tot-x-pane");
  return {{
    said: document.querySelector(".tot-x-said").innerText,
    main: box(document.querySelector(`[data-key="${{key}}"]`)),
    frame: box(pane),
    fits: pane.scrollWidth <= pane.clientWidth,
    width: document.documentElement.scrollWidth,
    smallest: {SMALLEST},
    told: document.querySelector(".tot-explorer").innerText
      + [...document.querySelectorAll(".tot-explorer [title]")].map(e => e.title),
    whole: pane.scrollHeight <= pane.clientHeight && pane.scrollWidth <= pane.clientWidth,
    cut: [...document.querySelectorAll('[role="treeitem"] .tot-x-thought')]
      .filter((e) => e.textContent.length < 40) // of a longer one there are four lines
      .filter((e) => e.getBoundingClientRect().bottom > e.parentNode.getBoundingClientRect().bottom + 1
        || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent),
  }};
}}"""


def test_boxes_move_to_their_places_and_new_ones_come_out_of_their_parents(visit):
    tab = visit(show.explorer(TRACES["bfs"](), step=5), reduced_motion="no-preference")
    tab.clock.install(time=0)
    tab.clock.pause_at(1000)
    place = "key => new DOMMatrix(document.querySelector(`[data-key='${key}']`).style.transform).m41"
    before = tab.evaluate(place, "2")
    began = tab.evaluate(f"() => {{ {STATE}.go(7); return ['2', '4'].map({place}); }}")
    assert began == [before, before], "it starts where it was, and a new one at its parent"
    tab.clock.run_for(100)
    between = tab.evaluate(place, "4")
    tab.clock.run_for(1000)
    assert before < between < tab.evaluate(place, "4")
    assert tab.evaluate(f"{STATE}.tree.moving") is None
    tab.emulate_media(reduced_motion="reduce")
    tab.evaluate(f"{STATE}.go(2)")
    assert tab.evaluate(f"{STATE}.tree.moving") is None


def test_on_a_phone_the_tree_and_the_details_are_two_views(visit):
    tab = visit(show.explorer(solved(breadth=2).trace, step="end"), viewport=PHONE)
    pane, side = tab.locator(".tot-x-pane"), tab.locator(".tot-x-side")
    assert pane.is_visible() and not side.is_visible()
    tree, details = tab.locator(".tot-x-tab").all()
    details.click()
    assert side.is_visible() and not pane.is_visible() and side.bounding_box()["width"] > 330
    assert details.get_attribute("aria-pressed") == "true"
    tab.get_by_label("To the start").click()
    tab.get_by_label("To the end").click()
    tree.click()
    tab.wait_for_function("document.querySelector('.tot-x-pane').clientWidth > 330")
    answer = f"{STATE}.story.steps[{STATE}.story.last].nodes[0]"
    tab.wait_for_function(f"""() => {{
      const place = (selector) => document.querySelector(selector)?.getBoundingClientRect();
      const [box, pane] = [place("[data-key='" + {answer} + "']"), place(".tot-x-pane")];
      return box && box.top >= pane.top && box.bottom <= pane.bottom;
    }}""")
    tab.locator('[data-key="1"]').click()
    assert side.is_visible(), "a thought was chosen"
    targets = "button, summary, select, label, input[type=range], [role=treeitem]"
    for tab_ in (tree, details):
        tab_.click()
        tab.locator(".tot-x-options").evaluate("options => { options.open = true }")
        for target in tab.locator(targets).all():
            if target.is_visible():
                assert target.bounding_box()["height"] >= 39.5, target.evaluate("e => e.outerHTML")


def test_it_plays_by_itself_once_it_is_in_view_and_waits_below_the_pointer(visit):
    page = show.explorer(TRACES["bfs"](), details=False, play=True)

    def far_down(page):
        return f'<!DOCTYPE html><html lang="en"><body><div style="height:3000px">above</div>{page}</body></html>'

    tab = visit(page, far_down, reduced_motion="no-preference")
    step = f"{STATE}.step"
    tab.wait_for_timeout(900)
    assert tab.evaluate(f"{step} === {STATE}.first"), "nobody sees it yet"
    assert tab.locator(".tot-x-side, select, input").count() == 0
    tab.locator(".tot-explorer").scroll_into_view_if_needed()
    tab.wait_for_function(f"{step} > {STATE}.first")
    assert "Pause" in words(tab, ".tot-x-play")
    tab.locator(".tot-x-pane").hover()
    held = tab.evaluate(step)
    tab.wait_for_timeout(2500)
    assert tab.evaluate(step) == held
    tab.mouse.move(1, 1)
    tab.wait_for_function(f"{step} > {held}")
    tab.evaluate(f"{STATE}.go({STATE}.story.last - 1)")
    tab.wait_for_function(f"{step} === {STATE}.story.last")
    tab.locator(".tot-x-pane").hover()
    tab.mouse.move(1, 1)
    tab.wait_for_timeout(600)
    assert tab.evaluate(step) == tab.evaluate(f"{STATE}.story.last"), "once"
    assert 6 < tab.evaluate(f"{STATE}.pace() * {STATE}.beats / 1000") <= 8, "seconds, the whole film"
    calm = visit(page, far_down)
    assert calm.evaluate(step) == calm.evaluate(f"{STATE}.story.last"), "who wants no motion sees the end"


def test_a_film_begins_with_the_first_thoughts_and_ends_with_all_of_it_in_its_frame(visit):
    tab = visit(show.explorer(solved(breadth=2).trace, details=False))
    assert len(keys(tab)) > 1, "no empty frame"
    tab.evaluate(f"{STATE}.go({STATE}.story.last)")
    now = tab.evaluate(AT_A_STEP, "0")
    assert now["whole"] and not now["cut"]


def test_paragraphs_bring_one_search_to_their_steps(visit):
    trace = solved(breadth=2).trace
    told = {2: "Propose <b>", 4: "judge", "end": "and end"}

    def page(made):
        room = '<p style="height:1500px"></p>'
        return f'<!DOCTYPE html><html lang="en"><body>{room}{made}{room}</body></html>'

    tab = visit(show.slowly(trace, told), page, viewport={"width": 1100, "height": 900})
    words_ = tab.locator("[data-step]")
    assert words_.all_inner_texts() == list(told.values())
    high = tab.evaluate("document.body.scrollHeight")
    for i in (0, 1, 2, 1):
        words_.nth(i).evaluate("p => p.scrollIntoView({block: 'center'})")
        step = int(words_.nth(i).get_attribute("data-step"))
        tab.wait_for_function(f"{STATE}.step === {step}")
        box = tab.locator(".tot-x-pane").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900, "the tree stays where it is"
    assert tab.evaluate("document.body.scrollHeight") == high
    with pytest.raises(ValueError, match="step is from 0"):
        show.slowly(trace, {999: "never"})


# ------------------------------------------------------------------------------------------------ where it is shown


def test_thinking_is_folded_above_its_reply(visit):
    tab = visit(show.explorer(thoughtful(), step="end", node="0"))
    panel = tab.locator(".tot-x-panel")
    panel.locator("details.tot-x-io > summary").first.click()
    folded = panel.locator("details.tot-x-io details", has_text="thinking before reply")
    folded.nth(1).wait_for(state="attached")  # what is opened is drawn a moment later
    assert folded.count() == 2 and not folded.first.locator("pre").is_visible()
    folded.first.locator("summary").click()
    assert folded.first.locator("pre").inner_text() == THOUGHT[0] and tab.locator("img").count() == 0
    after = folded.first.evaluate("element => element.nextElementSibling.textContent")
    assert after.startswith("reply 0: 9 tokens")


def test_text_of_strangers_is_text(visit):
    tab = visit(show.explorer(hostile(), step="end"))
    assert words(tab, ".tot-x-title").startswith("<script>alert('x')</script>")
    tab.locator('[data-key="1"]').click()
    for details in tab.locator("details.tot-x-io").all():
        details.locator("summary").first.click()
    assert tab.locator(".tot-x-panel pre").first.text_content() == "<script>alert('x')</script>"
    assert tab.locator("script").count() == 2 and tab.locator("img, iframe, .tot-x-app script").count() == 0


@pytest.mark.parametrize("mark", ['data-theme="dark"', 'data-jp-theme-light="false"'])
def test_dark_where_the_page_is_dark(visit, mark):
    def body(page):
        return f'<!DOCTYPE html><html lang="en" {mark}><body>{page}</body></html>'

    page = show.explorer(TRACES["itot-dstar"](), step="end")
    colour = "getComputedStyle(document.querySelector('.tot-explorer')).backgroundColor"
    rgb = ["rgb({}, {}, {})".format(*(int(ground[i : i + 2], 16) for i in (1, 3, 5))) for ground in GROUND]
    assert visit(page).evaluate(colour) == rgb[0]
    for other in ("crosswords", "game24"):
        assert contrast(visit(show.explorer(TRACES[other](), step="end"))) >= 4.5
    tab = visit(page, body)
    assert tab.evaluate(colour) == rgb[1]
    assert contrast(tab) >= 4.5
    tab.emulate_media(media="print")
    assert tab.evaluate(colour) == rgb[0], "paper is white"


def contrast(tab):
    """The least contrast between a text of the explorer and the ground that it stands on, as WCAG 2 counts it."""
    return tab.evaluate("""() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgb = (colour) => {
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      const known = {};
      const light = (colour) => (known[colour] ??=
        rgb(colour).reduce((sum, c, i) => sum + linear(c / 255) * [0.2126, 0.7152, 0.0722][i], 0));
      let least = 21;
      for (const element of document.querySelectorAll(".tot-x-app *")) {
        if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
        let ground = element;
        while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
        const [a, b] = [light(getComputedStyle(element).color), light(getComputedStyle(ground).backgroundColor)];
        least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
      }
      return least;
    }""")


@pytest.mark.parametrize("name", ["crosswords", "itot-dstar", "hostile"])
def test_a_phone_scrolls_the_tree_and_never_the_page_sideways(visit, name):
    tab = visit(show.explorer(TRACES[name](), step="end"), viewport=PHONE)
    tab.locator('[data-key="0"]').click()
    for details in tab.locator("details").all():
        details.locator("summary").first.click()
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in tab.locator(".tot-x-buttons button").all():
        place = button.bounding_box()
        assert place["x"] >= 0 and place["x"] + place["width"] <= PHONE["width"] and place["height"] >= 40
    assert tab.evaluate("document.querySelector('.tot-x-panel').getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize("name", ["bfs", "large"])
def test_paper_has_the_finished_tree_drawn_or_as_text_where_it_is_too_large(visit, name):
    trace = large(3000) if name == "large" else TRACES[name]()
    tab = visit(show.explorer(trace), viewport={"width": 720, "height": 900})
    still = tab.locator(".tot-x-still")
    assert not still.is_visible() and keys(tab) == ["0"]
    tab.emulate_media(media="print")
    assert (
        still.locator("pre" if name == "large" else "svg").is_visible() and not tab.locator(".tot-x-app").is_visible()
    )
    assert name == "large" or all(item.thought in still.text_content() for item in show.picture(trace).path())
    assert tab.evaluate("document.documentElement.scrollWidth") <= 720
    assert tab.pdf().startswith(b"%PDF")


# How JupyterLab and VS Code run the scripts of an output: they set innerHTML, and then make each script again. The
# first puts it in its place, the other at the end of the output, from where it is taken away once it has run.
JUPYTERLAB = """for (const old of [...host.getElementsByTagName("script")]) {
  const script = document.createElement("script");
  for (const { name, value } of old.attributes) script.setAttribute(name, value);
  script.textContent = old.textContent; old.parentNode.replaceChild(script, old); } document.body.append(host);"""
VSCODE = """document.body.append(host); for (const old of [...host.getElementsByTagName("script")]) {
  const script = document.createElement("script"); script.text = old.innerText;
  const type = old.getAttribute("type"); if (type) script.setAttribute("type", type);
  host.appendChild(script).parentNode.removeChild(script); }"""


@pytest.mark.parametrize("how", [JUPYTERLAB, VSCODE], ids=["jupyterlab", "vscode"])
def test_it_starts_where_an_application_inserts_it(visit, how):
    def body(page):
        stored = json.dumps([page, page]).replace("<", "\\u003c")
        return f"""<!DOCTYPE html><html lang="en"><body><script>for (const output of {stored}) {{
          const host = document.createElement("div"); host.innerHTML = output; {how} }}</script></body></html>"""

    tab = visit(show.explorer(TRACES["bfs"]()), body)
    assert tab.locator(".tot-x-app").count() == 2
    tab.get_by_label("To the end").last.click()
    said = [element.inner_text()[:7] for element in tab.locator(".tot-x-said").all()]
    assert said == ["Step 0 ", "Step 11"], "two on one page, each for itself"


def test_without_script_the_tree_is_there_drawn(chromium, tmp_path):
    file = tmp_path / "page.html"
    show.explorer(TRACES["bfs"]()).save(file)
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(file.as_uri())
    assert tab.locator(".tot-x-still svg").is_visible() and "not kept" in tab.locator("svg").text_content()
    context.close()


def test_a_step_in_a_tree_of_three_thousand_nodes_draws_what_is_in_sight(visit):
    """What is drawn at a step does not grow with the tree, so that a step is quick in a large one, too."""
    page = show.explorer(large(3000), folded=False)
    assert len(data_of(page)["nodes"]) == 3001
    tab = visit(page, reduced_motion="no-preference")
    drawn = tab.evaluate(f"""() => {{
      const explorer = {STATE}, drawn = [], pane = explorer.tree.pane;
      for (let n = 0; n < 40; n++) {{
        if (n % 2) explorer.go(explorer.story.last - (n % 4 === 1));
        else pane.scrollBy(60, 500), explorer.tree.draw();
        drawn.push(document.querySelectorAll('[role="treeitem"]').length);
      }}
      return drawn;
    }}""")
    assert len(drawn) == 40 and 10 < max(drawn) < 600, "only what is in sight"
