"""A question with its answer behind Reveal, as text and as HTML. What the script does is in test_in_a_browser.py."""

import re

import pytest

from tot.stats import wilson
from treebook.figures.maps import road_map, side_by_side
from treebook.figures.plots import new_figure
from treebook.figures.predict import Predict
from treebook.show import table


def test_the_answer_stands_inside_the_fold_and_nowhere_before_it():
    html = Predict("How many?", 3.0, low=0, high=10, unit="steps", shows="Three of them are alive.")._repr_html_()
    before, _, inside = html.partition("<details")
    assert "3 steps" not in re.sub(r'data-\w+="[^"]*"', "", before) and "alive" not in before
    assert "<b>3 steps</b>" in inside and "<p>Three of them are alive.</p>" in inside


def test_the_slider_rests_at_its_lower_end_whatever_the_answer_is():
    for answer in (2, 9):
        html = Predict("Which is the first?", answer, low=2, high=9)._repr_html_()
        assert 'type="range" min="2" max="9" step="1" value="2"' in html


def test_a_choice_has_a_button_for_each():
    html = Predict("Which wins?", "ToT", choices=("IO", "CoT", "ToT"))._repr_html_()
    assert html.count('type="radio"') == 3 and 'data-answer="2"' in html and "<b>ToT</b>" in html
    assert "range" not in html.partition("</style>")[2]


def test_an_order_is_all_choices_in_their_true_order():
    html = Predict("In which order?", ["b", "a"], choices=["a", "b"])._repr_html_()
    assert html.count('<button type="button" value=') == 2 and 'data-answer="1,0"' in html
    with pytest.raises(ValueError, match="none of the choices"):
        Predict("?", ["a"], choices=["a", "b"])


def test_a_drawn_guess_has_a_mark_where_its_truth_would_be():
    """In the drawing's own lengths: the middle of the axis is the middle of the plot."""
    figure = new_figure(4, 3)
    ax = figure.add_subplot(xlim=(0, 10), ylim=(0, 1))
    ax.plot([5], [0.5], "o")
    html = Predict("Where?", [0.5], figure=figure, at={"five": 5}, alt="Half way.")._repr_html_()
    start, end, low, high = map(float, re.search(r'data-scale="(.*?)"', html)[1].split(","))
    x = float(re.search(r'<circle cx="([\d.]+)"', html)[1])
    drawn = re.search(r'<use href="#\w+" x="([\d.]+)" y="([\d.]+)"', html.partition('class="tot-data"')[2])
    assert (x, (start + end) / 2) == pytest.approx(tuple(map(float, drawn.groups())), abs=0.6) and (low, high) == (0, 1)
    assert "Half way" not in html.partition("<details")[0]
    with pytest.raises(ValueError, match="a number for each"):
        Predict("?", [1, 2], figure=new_figure(1, 1), at={"a": 1})


def test_a_rate_is_shown_with_its_interval():
    html = Predict("What share?", wilson(5, 10), low=0, high=1)._repr_html_()
    assert 'data-answer="0.5" data-step="0.01"' in html and "<b>50% [24%, 76%]</b>" in html


def test_as_text():
    predict = Predict("How far?", 3, low=0, high=10, unit="km", shows="Three.")
    assert repr(predict) == "How far?\n  (0 to 10 km)\nAnswer: 3 km\nThree."
    assert "(a / b)" in repr(Predict("?", "a", choices=["a", "b"]))


def test_what_users_pass_is_escaped():
    bad = '<img src=x onerror="alert(1)">'
    for one in (
        Predict(bad, bad, choices=[bad, "b"], shows=bad),
        Predict(bad, 1, low=0, high=2, unit=bad, shows=bad),
    ):
        assert "<img" not in one._repr_html_() and 'onerror="' not in one._repr_html_()


@pytest.mark.parametrize(
    "wrong, why",
    [
        (lambda: Predict("?", 1), "one way to guess"),
        (lambda: Predict("?", "a", choices=["a", "b"], low=0, high=1), "one way to guess"),
        (lambda: Predict("?", "a", choices=["a"]), "two or more"),
        (lambda: Predict("?", "a", choices=["a", "a"]), "two or more"),
        (lambda: Predict("?", "c", choices=["a", "b"]), "none of the choices"),
        (lambda: Predict("?", 1, low=0), "both ends"),
        (lambda: Predict("?", 1, low=2, high=2), "both ends"),
        (lambda: Predict("?", 3, low=0, high=2), "no number from 0 to 2"),
        (lambda: Predict("?", float("nan"), low=0, high=2), "no number"),
        (lambda: Predict("?", "1", low=0, high=2), "no number"),
        (lambda: Predict("?", 1, low=0, high=2, step=-1), "no slider"),
        (lambda: Predict("?", 1, low=0, high=2, step=1e-9), "no slider"),
    ],
)
def test_wrong_questions_are_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        wrong()


def test_what_is_shown_below_draws_itself_or_is_refused():
    """SVG and HTML are str, too."""
    rows, picture = table([{"method": "a", "n": 1}]), road_map({"A": (0, 0), "B": (1, 0)}, {"A": {"B": 1}})
    assert rows._repr_html_() in Predict("?", 1, low=0, high=2, shows=rows)._repr_html_()
    for shown in (picture, side_by_side([picture, picture])):
        made = Predict("?", 3, low=1, high=5, shows=shown)
        assert "<svg" in made._repr_html_() and "&lt;svg" not in made._repr_html_()
        assert "<svg" not in repr(made) and repr(shown) in repr(made)
    with pytest.raises(TypeError, match="_repr_html_"):
        Predict("?", 1, low=0, high=2, shows=3)
