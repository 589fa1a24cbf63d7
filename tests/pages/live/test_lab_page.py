"""The lab's page in a real browser: recorded, pocket and own models, stop, links, keyboard, a phone."""

import pytest
from fake_server import Answer, FakeServer

from benchmarks.live_pages import press, wait_for_end
from tests.pages.live.test_page_answers import KEY, STORED, pocket_serves
from tools.live.site import lab_page
from tot import solve
from treebook.players import Pocket

FRAME = """<html><head><meta name="viewport" content="width=device-width"><title>Index</title></head>
<body><article class="bd-article"></article></body></html>"""
ENDED = """() => { const view = document.querySelector(".tot-lab-view");
  const said = view.querySelector(".tot-lab-bar [role=status]").textContent;
  return !view.querySelector(".tot-lab-run").disabled && (/Done|Stopped|Ended/.test(said)
    || !view.querySelector(".tot-lab-message").hidden); }"""
FORM = """() => [...document.querySelectorAll(".tot-lab-form :is(input, select, textarea)")]
  .filter(each => each.getAttribute("aria-label") !== "start from a recorded run")
  .map(each => ["checkbox", "radio"].includes(each.type) ? each.checked : each.value)"""


@pytest.fixture
def lab(site, runtime, tab):
    """``lab(link)`` opens the page, with the settings of that link."""
    (runtime / "lab.html").write_text(lab_page(FRAME), "utf-8")

    def visit(link=""):
        tab.goto("about:blank")
        tab.goto(f"{site.url}/lab.html{link}")
        tab.locator(".tot-lab-run").wait_for()
        return tab

    yield visit
    assert tab.trouble == [] and all(
        url.startswith((site.url, "blob:", "about:")) for url in tab.asked if url not in tab.allowed
    )


@pytest.fixture(autouse=True)
def nothing_else_is_allowed(tab):
    tab.allowed = []


def run(tab):
    tab.locator(".tot-lab-run").click()
    tab.wait_for_function(ENDED)
    return tab.inner_text(".tot-lab-bar [role=status]"), tab.inner_text(".tot-lab-message")


def knob(tab, name):
    return tab.locator(f'[data-knob="{name}"]')


def test_a_puzzle_of_ones_own_by_keyboard_alone(lab):
    tab = lab()

    def to(selector):
        for _ in range(60):
            if tab.evaluate("(selector) => !!document.activeElement.matches?.(selector)", selector):
                return
            tab.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    to("textarea")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("3 5 7 11")
    to('[data-knob="breadth"]')
    assert "breadth" in tab.evaluate("document.activeElement.closest('label').textContent")
    assert len(tab.inner_text(f"#{tab.evaluate('document.activeElement.getAttribute(`aria-describedby`)')}")) > 20
    tab.keyboard.press("Control+a")
    tab.keyboard.type("3")
    to(".tot-lab-run")
    tab.keyboard.press("Enter")
    tab.wait_for_function(ENDED)
    whole = solve("game24", "3 5 7 11", "tot-bfs", lm=Pocket(), breadth=3)
    assert f"{whole.result.ledger.total.calls} calls" in tab.inner_text(".tot-explorer")
    assert "problem=3+5+7+11" in tab.url and "knob.breadth=3" in tab.url
    to(".tot-explorer [role=treeitem]")  # the tree, too
    before = tab.locator(".tot-x-said").first.inner_text()
    tab.keyboard.press("ArrowLeft")
    assert tab.locator(".tot-x-said").first.inner_text() != before


def test_a_link_holds_the_settings_and_nothing_else(lab):
    tab = lab()
    tab.get_by_label("task", exact=True).select_option("hotpotqa")
    tab.get_by_label("from", exact=True).select_option("easy")
    tab.get_by_label("number", exact=True).fill("4")
    tab.get_by_label("method", exact=True).select_option("itot-astar")
    for name, value in (("k", "3"), ("rounds", "8"), ("weight", "2.5")):
        knob(tab, name).fill(value)
    knob(tab, "lazy").check()
    tab.get_by_label("budget", exact=True).fill("seconds=60,calls=40")
    tab.get_by_label("a model of your own").check()
    tab.get_by_label("address", exact=True).fill("http://127.0.0.1:9/v1")
    tab.get_by_label("key, if it needs one").fill(KEY)
    knob(tab, "weight").press("Tab")
    link, form = tab.evaluate("location.hash"), tab.evaluate(FORM)
    assert KEY not in link and "127.0.0.1" not in link and "knob.weight=2.5" in link
    assert KEY not in tab.evaluate(STORED)
    lab(link)
    assert tab.evaluate(FORM) == [value if value not in (KEY, "http://127.0.0.1:9/v1") else "" for value in form]
    assert tab.inner_text(".tot-lab-message") == ""
    tab.get_by_label("number", exact=True).fill("5")
    tab.get_by_label("number", exact=True).press("Tab")
    assert tab.evaluate("location.hash") == link.replace("number=4", "number=5")


HOSTILE = (
    "#task=__proto__&method=constructor&model=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&problem=%3Cimg+src%3Dx+onerror%3Dalert(2)%3E"
    "&knob.breadth=-5&knob.style=paper'%22&knob.values=1e99&split=toString&number=1e9&base_url=http%3A%2F%2Fevil.example&key=stolen"
    "&budget=calls%3D1%3Cb%3E&%3Cscript%3E=1&settings="
)


def test_a_hostile_link_is_refused_in_words_and_runs_nothing(lab):
    dialogs = []
    tab = lab()
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    lab(HOSTILE)
    message = tab.inner_text(".tot-lab-message")
    assert "The link names what this lab does not have" in message and "task" in message and "<" not in message
    assert tab.get_by_label("The problem").input_value() == "<img src=x onerror=alert(2)>"  # text, which is no puzzle
    assert knob(tab, "breadth").input_value() == "5" and tab.get_by_label("task", exact=True).input_value() == "game24"
    tab.get_by_label("a model of your own").check()
    assert (
        tab.get_by_label("address", exact=True).input_value() == ""
        and tab.get_by_label("key, if it needs one").input_value() == ""
    )
    assert not [url for url in tab.asked if url.endswith((".wasm", "worker.js"))]  # Python was not even started
    tab.get_by_label("the pocket model").check()
    message = run(tab)[1]
    assert "four whole numbers" in message and tab.locator(".tot-lab-view img").count() == 0
    assert dialogs == []


def test_a_model_of_ones_own_answers(lab, site):
    tab = lab()
    tab.get_by_label("a model of your own").check()
    message = run(tab)[1]
    assert "base URL" in message
    tab.get_by_label("address", exact=True).fill("127.0.0.1:1")  # half an address, which another model does not need
    tab.get_by_label("the pocket model").check()
    assert run(tab)[0].startswith("Done")
    tab.get_by_label("a model of your own").check()
    with FakeServer(pocket_serves, models=[{"id": "mine"}], origins=site.url) as server:
        tab.allowed = [f"{server.url}/models", f"{server.url}/chat/completions"]
        tab.get_by_label("address", exact=True).fill(server.url)
        tab.get_by_label("key, if it needs one").fill(KEY)
        tab.get_by_role("button", name="Try it").click()
        tab.get_by_text("Its models: mine").wait_for()
        knob(tab, "breadth").fill("1")
        assert run(tab) == ("Done.", "") and "tot-bfs · mine" in tab.inner_text(".tot-explorer")
        assert len(server.requests) > 2 and {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"}
        with FakeServer(pocket_serves, origins="*") as other:  # a browser follows the first redirect, unasked
            server.behave = lambda body: Answer({}, 307, {"Location": f"{other.url}/chat/completions"})
            tab.allowed.append(f"{other.url}/chat/completions")
            knob(tab, "breadth").fill("2")
            tab.locator(".tot-lab-run").click()
            tab.get_by_text(f"if you trust {other.url}").first.wait_for()
            assert len(other.requests) == 1
    assert KEY not in tab.evaluate(STORED) and KEY not in tab.content()


def test_a_lab_of_a_chapter_searches_in_the_chapters_python(site, tab):
    model = "Scripted('7 - 3 = 4 (left: 2 4 10)')"
    show = f"from treebook.lab import Lab\nfrom tot import Scripted\nLab({{'parrot': {model}}}, problem='2 3 7 10')"
    tab.goto(site.write("panel", [("x = 1", ""), (show, ""), ("print(x)", "1\n")]))
    press(tab)
    wait_for_end(tab)
    assert tab.locator(".tot-lab-who").all_inner_texts() == ["parrot"] and tab.evaluate("location.hash") == ""
    assert run(tab)[0] == "Done." and "tot-bfs · scripted" in tab.inner_text(".tot-explorer")
    tab.get_by_role("button", name="Run cell 3").click()  # cells and labs take turns
    wait_for_end(tab)
    assert run(tab)[0] == "Done."
