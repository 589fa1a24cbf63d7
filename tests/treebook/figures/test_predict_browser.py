"""A prediction in a real browser: hidden until asked, compared with the guess. Skipped without a browser."""

import pytest

from treebook.figures.predict import Predict

pytestmark = pytest.mark.slow


@pytest.fixture
def tab(chromium, tmp_path, request):
    options = getattr(request, "param", {})
    context = chromium.new_context(**options)
    page = tmp_path / "predict.html"
    number = Predict("How many?", 3, low=0, high=10, unit="steps", shows="Three live.")
    share = Predict("What share?", 0.305, low=0, high=1)
    choice = Predict("Which?", "ToT", choices=["IO", "ToT"])
    again = Predict("And here?", "IO", choices=["IO", "ToT"])
    body = "".join(one._repr_html_() for one in (number, share, choice, again))
    page.write_text(f"<!doctype html><meta charset=utf-8>{body}", encoding="utf-8")
    tab, trouble = context.new_page(), []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(page.as_uri())
    yield tab
    assert trouble == []
    context.close()


def guess(box, value):
    box.locator("input[type=range]").evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }", value
    )


def reveal(box):
    box.locator("summary").click()
    box.locator("input:disabled").first.wait_for()
    return box.locator(".tot-said")


@pytest.mark.parametrize("value, said", [(5, "You said 5 steps: 2 steps too high."), (3, "You said 3 steps: right.")])
def test_a_number_is_hidden_until_asked_and_compared(tab, value, said):
    box = tab.locator(".tot-predict").nth(0)
    assert not box.locator(".tot-answer").is_visible() and not box.locator(".tot-shows").is_visible()
    guess(box, value)
    assert box.locator("output").inner_text() == f"{value} steps"
    heard = reveal(box)
    assert heard.inner_text() == said and box.locator(".tot-answer b").inner_text() == "3 steps"
    assert box.locator(".tot-shows").is_visible() and box.locator("output").is_visible()
    assert box.locator("input").is_disabled()


def test_no_guess_no_comparison(tab):
    box = tab.locator(".tot-predict").nth(0)
    assert reveal(box).inner_text() == "" and box.locator(".tot-answer").inner_text().strip() == "3 steps"


@pytest.mark.parametrize("touch", ["click", "key"])
def test_the_resting_place_is_a_guess_once_it_was_touched(tab, touch):
    box = tab.locator(".tot-predict").nth(0)
    slider = box.locator("input")
    assert box.locator("output").inner_text() == "your guess?"
    slider.press("Tab")  # passing by is no guess
    assert box.locator("output").inner_text() == "your guess?"
    if touch == "click":
        slider.click(position={"x": 3, "y": 8})
    else:
        slider.press("Home")
    assert box.locator("output").inner_text() == "0 steps"
    assert reveal(box).inner_text() == "You said 0 steps: 3 steps too low."


@pytest.mark.parametrize("value, said", [(0.3, "as near as the slider goes"), (0.1, "You said 0.1: 0.205 too low.")])
def test_a_share_between_two_steps(tab, value, said):
    box = tab.locator(".tot-predict").nth(1)
    guess(box, value)
    assert said in reveal(box).inner_text()


def test_choices_and_two_questions_in_one_page(tab):
    first, second = tab.locator(".tot-predict").nth(2), tab.locator(".tot-predict").nth(3)
    first.get_by_label("ToT").check()
    second.get_by_label("ToT").check()
    assert first.get_by_label("ToT").is_checked(), "the buttons of one question are not those of the other"
    assert reveal(first).inner_text() == "You said “ToT”: right."
    assert reveal(second).inner_text() == "You said “ToT”." and second.locator("b").inner_text() == "IO"


@pytest.mark.parametrize("tab", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_there_is_a_question_and_a_fold(tab):
    box = tab.locator(".tot-predict").nth(0)
    assert not box.locator("form").is_visible() and not box.locator(".tot-answer").is_visible()
    box.locator("summary").click()
    assert box.locator(".tot-answer").is_visible()


def test_on_paper_the_answer_is_there_and_the_slider_is_not(tab):
    tab.emulate_media(media="print")
    box = tab.locator(".tot-predict").nth(0)
    assert box.locator(".tot-answer").is_visible() and box.locator(".tot-shows").is_visible()
    assert not box.locator("form").is_visible() and not box.locator("summary").is_visible()
