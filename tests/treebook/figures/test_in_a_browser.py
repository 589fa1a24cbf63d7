"""Predictions, dials and the phases of Monte Carlo search in a real browser, on one page. Skipped without a browser."""

from itertools import product

import pytest
from test_monte_carlo import read, searched

from treebook.figures.dials import Dials
from treebook.figures.plots import new_figure
from treebook.figures.predict import Predict
from treebook.figures.rollout_phases import phases

pytestmark = pytest.mark.slow

RESET = "<style>[hidden]{display:none!important}</style>"  # as the book's theme has it
HEAD = f"<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>{RESET}"
DIALS = Dials(
    {"first": [("a", 0.1), ("b", 0.2), ("c", 0.3), ("d", 0.3)], "second": [("low", 1), ("high", 3)]},
    lambda x, n: {"plain": x, "times": x * n},
    start={"first": "b"},
)
PHASES = phases(searched(rollouts=8), 8, sums_first=True)


def plot():
    figure = new_figure(3.2, 2.4)
    figure.add_subplot(xlim=(0, 10), ylim=(0, 1)).plot([1, 9], [0.2, 0.8])
    return figure


PREDICT = (
    Predict("How many?", 3, low=0, high=10, unit="steps", shows="Three live."),
    Predict("What share?", 0.305, low=0, high=1),
    Predict("Which?", "ToT", choices=["IO", "ToT"]),
    Predict("And here?", "IO", choices=["IO", "ToT"]),
    Predict("In which order?", ["c", "a", "b"], choices=["a", "b", "c"]),
    Predict("Where is the line?", [0.2, 0.8], figure=plot(), at={"at 1": 1, "at 9": 9}, unit="%"),
)
SET = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "page.html"
    path.write_text(HEAD + "".join(one._repr_html_() for one in (*PREDICT, DIALS, PHASES)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def opened(chromium, page):
    """The page, opened once."""
    tab, trouble = chromium.new_page(viewport={"width": 390, "height": 844}), []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(page)
    yield tab
    assert trouble == []
    tab.close()


@pytest.fixture
def tab(opened):
    """The page as it is when it was just opened."""
    opened.reload()
    return opened


def reveal(box):
    box.locator("summary").click()
    box.locator("form :disabled").first.wait_for()
    return box.locator(".tot-said")


@pytest.mark.parametrize("value, said", [(5, "You said 5 steps: 2 steps too high."), (3, "You said 3 steps: right.")])
def test_a_number_is_hidden_until_asked_and_compared(tab, value, said):
    box = tab.locator(".tot-predict").nth(0)
    assert not box.locator(".tot-answer").is_visible() and not box.locator(".tot-shows").is_visible()
    box.locator("input").evaluate(SET, value)
    assert box.locator("output").inner_text() == f"{value} steps"
    heard = reveal(box)
    assert heard.inner_text() == said and box.locator(".tot-answer b").inner_text() == "3 steps"
    assert box.locator(".tot-shows").is_visible() and box.locator("output").is_visible()
    assert box.locator("input").is_disabled()


def test_without_a_guess_it_asks_for_one_first(tab):
    box = tab.locator(".tot-predict").nth(0)
    box.locator("summary").click()
    assert not box.locator(".tot-answer").is_visible() and box.locator(".tot-first").is_visible()
    box.get_by_role("button", name="show it anyway").click()
    box.locator("input:disabled").first.wait_for()
    assert box.locator(".tot-said").inner_text() == "" and box.locator(".tot-answer b").inner_text() == "3 steps"
    box.locator("summary").click()  # and back: it can be guessed after all
    box.locator("input:enabled").first.wait_for()
    assert not box.locator(".tot-answer").is_visible()


def test_guess_and_truth_stand_on_one_scale(tab):
    box = tab.locator(".tot-predict").nth(0)
    box.locator("input").evaluate(SET, 8)
    reveal(box)
    place = "e => { const r = e.getBoundingClientRect(); return r.left + r.width / 2 }"
    line = box.locator(".tot-scale > span").bounding_box()
    at = [(mark.evaluate(place) - line["x"]) / line["width"] for mark in box.locator(".tot-scale b").all()]
    assert at == pytest.approx([0.3, 0.8], abs=0.01)


def test_an_order_is_pressed(tab):
    box = tab.locator(".tot-predict").nth(4)
    for name in ("a", "b", "b", "c"):  # the second press takes b back
        box.locator("form").get_by_role("button", name=name).click()
    assert box.locator("form button").all_inner_texts() == ["1 a", "3 b", "2 c"]
    box.locator("summary").click()
    box.locator("form button:disabled").first.wait_for()
    assert box.locator(".tot-order li").all_inner_texts() == ["c you: 2", "a you: 1", "b you: 3"]
    assert box.locator(".tot-said").inner_text() == "1 of 3 are where you put them."


def test_a_guess_is_drawn_by_click_and_by_key_and_stands_beside_the_data(tab):
    box = tab.locator(".tot-predict").nth(5)
    low, high = (box.get_by_role("slider", name=name) for name in ("at 1", "at 9"))
    drawn = "e => getComputedStyle(e.querySelector('.tot-data')).visibility"
    assert box.evaluate(drawn) == "hidden"
    box.locator("svg").scroll_into_view_if_needed()
    circle, plot = high.locator("circle").bounding_box(), box.locator("svg").bounding_box()
    tab.mouse.click(circle["x"], plot["y"] + plot["height"] / 2)
    assert low.get_attribute("aria-valuenow") is None and 0.3 < float(high.get_attribute("aria-valuenow")) < 0.7
    low.press("End")
    low.press("ArrowDown")
    assert low.get_attribute("aria-valuetext") == "98 %"
    for _ in range(2):
        box.locator("summary").press("Enter")
    assert box.evaluate(drawn) == "hidden", "opened, and closed again"
    box.locator("summary").press("Enter")
    assert box.evaluate(drawn) == "visible" and "points off, on average" in box.locator(".tot-said").inner_text()
    assert box.locator(".tot-guessed").get_attribute("points").count(",") == 2
    low.press("Home")
    assert low.get_attribute("aria-valuetext") == "98 %", "while the answer is open nothing moves"


@pytest.mark.parametrize("touch", ["click", "key"])
def test_the_resting_place_is_a_guess_once_it_was_touched(tab, touch):
    box = tab.locator(".tot-predict").nth(0)
    slider = box.locator("input")
    slider.press("Tab")  # passing by is no guess
    assert box.locator("output").inner_text() == "your guess?"
    slider.click(position={"x": 3, "y": 8}) if touch == "click" else slider.press("Home")
    assert box.locator("output").inner_text() == "0 steps"
    assert reveal(box).inner_text() == "You said 0 steps: 3 steps too low."


@pytest.mark.parametrize("value, said", [(0.3, "as near as the slider goes"), (0.1, "You said 0.1: 0.205 too low.")])
def test_a_share_between_two_steps(tab, value, said):
    box = tab.locator(".tot-predict").nth(1)
    box.locator("input").evaluate(SET, value)
    assert said in reveal(box).inner_text()


def test_choices_and_two_questions_in_one_page(tab):
    first, second = tab.locator(".tot-predict").nth(2), tab.locator(".tot-predict").nth(3)
    first.get_by_label("ToT").check()
    second.get_by_label("ToT").check()
    assert first.get_by_label("ToT").is_checked(), "the buttons of one question are not those of the other"
    assert reveal(first).inner_text() == "You said “ToT”: right."
    assert reveal(second).inner_text() == "You said “ToT”." and second.locator("b").inner_text() == "IO"


def test_each_combination_of_dials_shows_its_own_bars(tab):
    box = tab.locator(".tot-dials")
    for places in product(range(4), range(2)):
        box.get_by_role("slider", name="first").evaluate(SET, places[0])
        box.get_by_role("radio", name=("low", "high")[places[1]]).check(force=True)
        shown = [int(text.removesuffix("%")) for text in box.locator(".tot-bar b").all_inner_texts()]
        assert shown == list(DIALS.at(*places).values())
        assert box.locator("output").all_inner_texts() == ["abcd"[places[0]]]


def test_the_marked_node_is_in_view_at_every_step_on_a_phone(tab):
    """Before a choice its children are, too; and the buttons and keys turn the frames."""
    box = tab.locator(".tot-frames")
    inside = """f => [...f.querySelectorAll('.tot-node')].map(e => { const r = e.querySelector('.tot-box')
        ?.getBoundingClientRect(); return [e.dataset.node, r ? (Math.min(r.right, innerWidth) - Math.max(r.left, 0))
        / r.width : 0] })"""
    sizes = "f => Math.min(...[...f.querySelectorAll('text')].map(t => t.getBoundingClientRect().height))"
    for label, frame in zip(PHASES.labels, PHASES.frames, strict=True):
        shown = box.locator(".tot-frame:visible")
        assert shown.count() == 1 and shown.get_attribute("data-label") == label
        assert box.locator("output").inner_text() == label
        share, marked = dict(shown.evaluate(inside)), read(frame)[0]
        seen = [share[id] > 0 for id in marked]
        assert all(seen) or ("backpropagation" in label and any(seen))
        if "sums at" in label:
            assert all(share[id] > 0.8 for id in (marked[0], f"{marked[0]}.0", f"{marked[0]}.1")), label
        assert shown.evaluate(sizes) >= 10 and tab.evaluate("document.documentElement.scrollWidth") <= 390
        box.get_by_role("button", name="Next").click()
    box.get_by_role("button", name="Next").press("ArrowLeft")
    assert box.locator(".tot-frame:visible").get_attribute("data-label") == PHASES.labels[-2]
    box.locator("input").press("Home")
    assert box.locator(".tot-frame:visible").get_attribute("data-label") == PHASES.labels[0]


def test_on_paper_there_are_answers_and_the_last_rollout_and_no_sliders(tab):
    tab.emulate_media(media="print")
    box = tab.locator(".tot-predict").nth(0)
    assert box.locator(".tot-answer").is_visible() and box.locator(".tot-shows").is_visible()
    assert not box.locator("form").is_visible() and not box.locator("summary").is_visible()
    printed = [e.get_attribute("data-label") for e in tab.locator(".tot-frame:visible").all()]
    tab.emulate_media(media="screen")
    assert [label.split(":")[0] for label in printed] == ["Rollout 8, selection", "Rollout 8, backpropagation"]


def test_without_a_script_all_is_open_and_there_is_the_last_frame(chromium, page):
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(page)
    box = tab.locator(".tot-predict").nth(0)
    assert not box.locator("form").is_visible() and not box.locator("summary").is_visible()
    assert box.locator(".tot-answer").is_visible()
    shown = tab.locator(".tot-frame:visible")
    assert shown.count() == 1 and shown.get_attribute("data-label") == PHASES.labels[-1]
    assert tab.locator(".tot-slider:visible").count() == 0
    context.close()
