"""The explorer in a real browser: what it draws is the trace, with keys, in the dark, on a phone, on paper, offline.

Needs Chromium or Chrome on the PATH, or in TOT_BROWSER, or as ``playwright install chromium`` puts it; else skipped.
"""

import json
import re

import pytest
from traces import TRACES, data_of, filled, hostile, ids, large, moments, replay

from tot import show
from tot.show import view
from tot.show.escaping import block
from tot.show.style import GROUND

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
        tab = chromium.new_page(**{"viewport": {"width": 1000, "height": 900}, **settings})
        opened.append(tab)
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda request: request.url.startswith("file:") or trouble.append(request.url))
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


@pytest.mark.parametrize("name", ["bfs", "dfs", "best-first", "mcts", "itot-dstar", "vote", "crosswords", "hostile"])
def test_the_page_knows_at_every_step_what_the_trace_says(visit, name):
    trace = TRACES[name]()
    told = view(trace)
    tab = visit(show.explorer(trace, folded=False))
    known = tab.evaluate(
        f"{STATE}.story.steps.map((_, k) => {STATE}.story.nodes.map((_, i) => {STATE}.story.at(i, k)))"
    )
    for nodes, states in zip(replay(told), json.loads(json.dumps(known)), strict=True):
        for i, state in enumerate(states):
            there = nodes.get(i)
            assert (state is None) is (there is None)
            assert state is None or {k: v for k, v in there.items() if v is not None} == {
                k: v for k, v in state.items() if v is not None
            }
    assert tab.evaluate(f"{STATE}.story.nodes.map(n => n.id)") == ids(told)
    paths = tab.evaluate(f"{STATE}.story.steps.map((_, k) => [...{STATE}.story.path(k)].sort((a, b) => a - b))")
    for upto, path in zip(list(moments(trace))[:-1], paths, strict=False):
        items = list(show.picture(trace, upto).items.values())
        if upto < len(trace.events):
            assert path == [i for i, item in enumerate(items) if item.chosen]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("dfs", "evaluated"), ("crosswords", "evaluated"), ("best-first", "taken"), ("itot-dstar", "taken")],
)
def test_the_first_of_the_list_is_the_next_one(visit, name, kind):
    tab = visit(show.explorer(TRACES[name]()))
    steps = tab.evaluate(
        f"{STATE}.story.steps.map((step, k) => [step, k && {STATE}.story.open(k - 1).map(([i]) => i)])"
    )
    turns = [(step["nodes"], open_) for step, open_ in steps if step["kind"] == kind]
    assert len(turns) > 2 and all(open_[:1] == nodes for nodes, open_ in turns)


def test_stepping_draws_the_nodes_that_are_there(visit):
    trace = TRACES["bfs"]()
    tab = visit(show.explorer(trace))
    assert words(tab).startswith("Step 11 of 11. Finished: 0.1.0 “F”")
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
    assert [row.inner_text() for row in tab.locator(".tot-x-open li").all()] == ["b value 5", "a value 3"]
    assert words(tab, ".tot-x-said + .tot-x-quiet").startswith("So far: 4 requests in 2 rounds, ")
    back.click()
    assert tab.locator('[data-key="3"]').get_attribute("class").split()[1] == "tot-x-valued"
    tab.locator("input[type=range]").fill("2")
    assert keys(tab) == ["0", "1", "2", "3"] and tab.locator("input[type=range]").get_attribute("aria-valuetext")


def test_a_click_shows_thought_prompt_reply_and_what_was_read(visit):
    trace = TRACES["itot-dstar"]()
    tab = visit(show.explorer(trace))
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
    assert words(tab, ".tot-x-panel .tot-x-head").startswith("Thought 0.")
    tab.get_by_label("To the start").click()
    assert "not there yet" in panel.inner_text()


@pytest.mark.parametrize("folded", [False, True])
def test_it_opens_where_the_page_wants(visit, folded):
    trace = filled(60).trace
    pruned = next(id for id, item in show.picture(trace).items.items() if item.status == "pruned")
    tab = visit(show.explorer(trace, step=9, node=pruned, folded=folded, height=200))
    assert words(tab).startswith("Step 9 of ") and tab.get_by_label("Step", exact=True).input_value() == "9"
    assert words(tab, ".tot-x-panel .tot-x-head") == f"Thought {pruned}"
    tab.get_by_label("To the end (End)").click()
    assert "pruned: " in tab.locator(".tot-x-panel dl").inner_text()
    assert tab.evaluate("scrollY") == 0, "the page did not move"


def test_it_stops_at_decisions_and_plays(visit):
    tab = visit(show.explorer(TRACES["dfs"]()))
    tab.clock.install()
    stop = tab.get_by_label("Stop at")
    assert "pruned (1)" in stop.inner_text()
    stop.select_option("pruned")
    tab.get_by_label("To the start").click()
    tab.get_by_label("Step forward").click()
    assert "Pruned: 0.2 “c”, value 1 (value 1 is at most 1)." in words(tab)
    stop.select_option("")
    tab.get_by_label("To the start").click()
    play = tab.locator("button", has_text="Play")
    play.click()
    tab.clock.run_for(2000)
    assert words(tab).startswith("Step 2 of") and words(tab, ".tot-x-buttons button:nth-child(3)") == "Pause"
    tab.locator("button", has_text="Pause").click()
    tab.clock.run_for(5000)
    assert words(tab).startswith("Step 2 of")
    play.click()
    tab.clock.run_for(60_000)
    assert "Finished" in words(tab) and words(tab, ".tot-x-buttons button:nth-child(3)") == "Play"


def test_keys_step_and_walk_and_open(visit):
    tab = visit(show.explorer(TRACES["bfs"]()))
    item = '[role="treeitem"]'
    assert tab.locator(f'{item}[tabindex="0"]').count() == 1, "one stop for the tab key"
    tab.locator("input[type=checkbox], .tot-x-app select").last.focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.dataset.key") == "0"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.dataset.key") == "5"
    tab.keyboard.press("Enter")
    assert words(tab, ".tot-x-panel .tot-x-head") == "Thought 0.0.0"
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
    assert words(tab, ".tot-x-buttons button:nth-child(3)") == "Pause"
    tab.keyboard.press(" ")
    assert words(tab, ".tot-x-buttons button:nth-child(3)") == "Play"
    assert tab.evaluate("scrollY") == 0, "the page did not move"


def test_branches_fold_with_the_reason(visit):
    trace = filled(60).trace
    tab = visit(show.explorer(trace, folded=True, height=600))
    stubs = tab.locator(".tot-x-more")
    pruned = {item.id: item for item in show.picture(trace).items.values() if item.status == "pruned"}
    assert stubs.count() and any("pruned" in text for text in stubs.all_inner_texts())
    stubs.filter(has_text="pruned").first.click()
    listed = tab.locator(".tot-x-panel li").all_inner_texts()
    assert len(listed) > 1 and all(any(item.why[:30] in text for item in pruned.values()) for text in listed)
    tab.locator(".tot-x-panel li button").first.click()
    assert "pruned: " in tab.locator(".tot-x-panel dl").inner_text()
    tab.get_by_label("fold what came to nothing").uncheck()
    assert stubs.count() == 0
    tab.get_by_label("Zoom").select_option("0")
    assert len(keys(tab)) == len(show.picture(trace).items)


def test_shades_and_lengths_follow_a_measure(visit):
    trace = TRACES["mcts"]()
    tab = visit(show.explorer(trace))
    shade = tab.get_by_label("Shade by")
    assert shade.input_value() == "visits"
    items = list(show.picture(trace).items.values())
    most = max(item.visits or 0 for item in items)
    for i, item in enumerate(items):
        width = tab.locator(f'[data-key="{i}"] .tot-x-bar').evaluate("bar => bar.style.width")
        assert abs(float(width.rstrip("%")) - 100 * (item.visits or 0) / most) < 0.1
    shade.select_option("")
    assert tab.locator('[data-key="0"] .tot-x-bar').evaluate("bar => bar.style.width") in ("0", "0px")


# ------------------------------------------------------------------------------------------------ where it is shown


def test_text_of_strangers_is_text(visit):
    tab = visit(show.explorer(hostile()))
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

    page = show.explorer(TRACES["itot-dstar"]())
    colour = "getComputedStyle(document.querySelector('.tot-explorer')).backgroundColor"
    rgb = ["rgb({}, {}, {})".format(*(int(ground[i : i + 2], 16) for i in (1, 3, 5))) for ground in GROUND]
    assert visit(page).evaluate(colour) == rgb[0]
    tab = visit(page, body)
    assert tab.evaluate(colour) == rgb[1]
    assert contrast(tab) >= 4.5
    tab.emulate_media(media="print")
    assert tab.evaluate(colour) == rgb[0], "paper is white"


def test_light_text_is_legible_too(visit):
    for name in ("itot-dstar", "crosswords", "game24"):
        assert contrast(visit(show.explorer(TRACES[name]()))) >= 4.5


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
    tab = visit(show.explorer(TRACES[name]()), viewport=PHONE)
    tab.locator('[data-key="1"]').click()
    for details in tab.locator("details").all():
        details.locator("summary").first.click()
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in tab.locator(".tot-x-buttons button").all():
        place = button.bounding_box()
        assert place["x"] >= 0 and place["x"] + place["width"] <= PHONE["width"] and place["height"] >= 28
    assert tab.evaluate("document.querySelector('.tot-x-panel').getBoundingClientRect().top < innerHeight")


def test_paper_has_the_whole_tree_and_the_text(visit):
    trace = filled(60).trace
    tab = visit(show.explorer(trace, folded=False), viewport={"width": 720, "height": 900})
    before = len(keys(tab))
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(keys(tab)) == len(show.picture(trace).items) > before
    assert tab.evaluate("document.documentElement.scrollWidth") <= 720
    assert tab.locator(".tot-x-text pre").is_visible() and not tab.get_by_label("Step forward").is_visible()
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.emulate_media(media="screen")
    assert len(keys(tab)) == before and not tab.locator(".tot-x-text pre").is_visible()
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
    tab.get_by_label("To the start").first.click()
    said = [element.inner_text()[:7] for element in tab.locator(".tot-x-said").all()]
    assert said == ["Step 0 ", "Step 11"], "two on one page, each for itself"


def test_without_script_the_tree_is_there_as_text(chromium, tmp_path):
    file = tmp_path / "page.html"
    show.explorer(TRACES["bfs"]()).save(file)
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(file.as_uri())
    assert tab.locator(".tot-x-text pre").is_visible() and "value 5" in tab.locator("pre").inner_text()
    context.close()


@pytest.mark.slow
def test_five_thousand_nodes_are_smooth(visit):
    page = show.explorer(large(5000))
    assert len(data_of(page)["nodes"]) == 5001
    tab = visit(page)
    times = tab.evaluate(f"""() => {{
      const explorer = {STATE}, times = [], pane = explorer.tree.pane;
      for (let n = 0; n < 40; n++) {{
        const began = performance.now();
        if (n % 2) explorer.go(explorer.story.last - (n % 4 === 1));
        else pane.scrollBy(60, 500);
        explorer.tree.draw(); pane.getBoundingClientRect(); times.push(performance.now() - began);
      }}
      return times.sort((a, b) => a - b);
    }}""")
    assert times[20] < 250, times  # some 10 ms on a quiet machine
    assert 10 < len(keys(tab)) < 600, "only what is in sight"


def test_a_notice_says_what_was_cut(visit):
    tab = visit(show.explorer(TRACES["crosswords"](), size=1))
    assert re.search("Prompts and replies are left out", tab.locator(".tot-x-app").inner_text())
    assert words(tab, ".tot-x-said + .tot-x-quiet").startswith("So far: ")
