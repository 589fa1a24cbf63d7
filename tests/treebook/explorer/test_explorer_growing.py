"""An explorer that is told more while its search runs: at the end it is the explorer of the whole search."""

import json

import pytest
from traces import TRACES, data_of

from tot.show.tree import trace_of
from tot.trace import Trace
from treebook import show
from treebook.explorer.page import growing, grown

NAMES = ["bfs", "dfs", "best-first", "mcts", "itot-dstar", "vote", "hostile"]
STATE = "document.querySelector('.tot-explorer').totExplorer"
DRAWN = "[...document.querySelectorAll('[role=treeitem]')].map(e => [e.dataset.key, e.className, e.innerText])"


def moments(trace):
    """What the trace was after each of its events, from the first node on."""
    for n in range(1, len(trace.events) + 1):
        now = Trace(trace.head, trace.events[:n])
        if now.nodes():
            yield now


@pytest.mark.parametrize("name", NAMES)
def test_each_moment_is_a_beginning_of_the_whole(name):
    trace = trace_of(TRACES[name]())
    whole, end = data_of(show.explorer(trace)), json.loads(json.dumps(grown(trace, ended=True)))
    assert {key: end[key] for key in whole if key != "start"} == {key: whole[key] for key in whole if key != "start"}
    nodes = steps = 0
    for now in map(grown, moments(trace)):
        kinds = [now["kinds"][row[now["steps"][0].index("kind")]] for row in now["steps"][1:]]
        assert kinds[0] == "start" and "finished" not in kinds and len(kinds) - 1 == now["start"]["step"]
        assert len(now["nodes"]) >= nodes and len(kinds) >= steps and not now["start"]["ended"]
        nodes, steps = len(now["nodes"]), len(kinds)
    assert nodes == len(end["nodes"])


def test_other_explorers_do_not_carry_what_growing_takes():
    trace = TRACES["bfs"]()
    assert "prototype.grow" in growing(trace) and "prototype.grow" not in show.explorer(trace)


@pytest.fixture
def opened(chromium, tmp_path):
    trouble = []

    def visit(page, name="page", **settings):
        page.save(tmp_path / f"{name}.html")
        tab = chromium.new_page(reduced_motion="reduce", **({"viewport": {"width": 1000, "height": 900}} | settings))
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.set_default_timeout(60_000)  # a hang, not a slow machine
        tab.goto((tmp_path / f"{name}.html").as_uri())
        return tab

    yield visit
    assert trouble == []


@pytest.mark.slow  # a browser
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1000, 390])
def test_what_has_grown_is_drawn_as_what_was_there_at_once(opened, name, width):
    trace = trace_of(TRACES[name]())
    first, *others = moments(trace)
    tab = opened(growing(first), viewport={"width": width, "height": 900})
    for now in others:
        tab.evaluate(f"data => {STATE}.grow(data)", grown(now))
        assert tab.evaluate(f"{STATE}.step === {STATE}.story.last")  # one who watches sees the newest
    tab.evaluate(f"data => {STATE}.grow(data)", grown(trace, ended=True))
    folded = tab.evaluate(f"{STATE}.story.start.folded")
    whole = opened(show.explorer(trace, step="end", folded=folded), "whole", viewport={"width": width, "height": 900})
    assert tab.evaluate(DRAWN) == whole.evaluate(DRAWN)
    for selector in (".tot-x-title", ".tot-x-said", ".tot-x-bill", ".tot-x-open", ".tot-x-options"):
        assert tab.locator(selector).first.text_content() == whole.locator(selector).first.text_content(), selector


@pytest.mark.slow  # a browser
def test_a_reader_who_looks_at_something_is_not_moved(opened):
    trace = trace_of(TRACES["bfs"]())
    first, *others = moments(trace)
    tab = opened(growing(first))
    tab.evaluate(f"data => {STATE}.grow(data)", grown(others[2]))
    tab.get_by_label("Step back").click()
    said, step = tab.inner_text(".tot-x-said"), tab.evaluate(f"{STATE}.step")
    tab.locator('[data-key="1"]').focus()
    tab.keyboard.press("Enter")  # opens what was asked about it
    tab.locator('[data-key="1"]').focus()
    for now in others[3:]:
        tab.evaluate(f"data => {STATE}.grow(data)", grown(now))
    tab.evaluate(f"data => {STATE}.grow(data)", grown(trace, ended=True))
    assert tab.evaluate(f"{STATE}.step") == step and tab.evaluate("document.activeElement.dataset.key") == "1"
    assert tab.inner_text(".tot-x-said").split(". ", 1)[1] == said.split(". ", 1)[1]
    assert tab.locator(".tot-x-selected").get_attribute("data-key") == "1"
    assert tab.locator("input[type=range]").get_attribute("max") == str(tab.evaluate(f"{STATE}.story.last"))
