"""A map of gains, and the decision to explore that is built on it."""

import json
import re
from html import unescape

import pytest

from tot.stats import Interval
from treebook.figures.centrefold import Case, Centrefold, Player
from treebook.figures.dials import Dials
from treebook.figures.gain_map import Axis, GainMap, Layer, Mark

ROWS = [
    {"a": 0.2, "b": 0.6, "gain": Interval(0.3, 0.1, 0.5, 100)},
    {"a": 0.5, "b": 0.7, "gain": Interval(-0.2, -0.3, -0.1, 100)},
    {"a": 0.9, "b": 0.9, "gain": Interval(0.01, -0.1, 0.12, 100)},
]
BORDER = {"x": [0.2, 0.9], "y": [0.7, 2.0], "low": [0.6, 0.9], "high": [0.8, 3.0]}
AXES = Axis("a", "chains <right>", 0, 1), Axis("b", "judge", 0.5, 1)
NAMES = "tree & co", "chains"


def test_sign_certainty_and_size_of_a_gain_are_seen():
    svg = GainMap([Layer(ROWS, BORDER)], *AXES, NAMES, [Mark("an<other>", 0.4, 0.75)]).svg()
    [(x, y, r)] = re.findall(r'"tot-gains" cx="([\d.]+)%" cy="([\d.]+)%" r="([\d.]+)"', svg)
    assert (float(x), float(y)) == (20, 80)
    [(x, y, width)] = re.findall(r'"tot-loses" x="([\d.]+)%" y="([\d.]+)%" width="([\d.]+)"', svg)
    assert (float(x), float(y)) == (50, 60) and 2 * float(r) > float(width)
    [small] = re.findall(r'"tot-open" cx="90.0%" cy="[\d.]+%" r="([\d.]+)"', svg)
    assert float(small) < float(width) / 2
    assert "an&lt;other&gt;" in svg and "chains &lt;right&gt;" in svg and "<other>" not in svg
    tested = [row | {"p": p} for row, p in zip(ROWS, (0.05, 0.001, 0.2), strict=True)]
    drawn = GainMap([Layer(tested)], *AXES, NAMES).svg()
    assert (drawn.count('"tot-open"'), drawn.count('"tot-loses"'), drawn.count('="tot-border"')) == (2, 1, 0)


def test_what_is_beyond_an_axis_is_at_its_end_and_logarithms_are_even():
    axis = Axis("a", "", 0.001, 0.1, log=True, percent=True)
    assert [axis.at(x) for x in (0, 0.001, 0.01, 0.1, 7)] == [0, 0, 50, 100, 100]
    assert [*axis.ticks().values()] == ["0.1%", "1%", "10%"] and len(AXES[1].ticks()) == 6
    with pytest.raises(ValueError, match="layer"):
        GainMap([], *AXES, NAMES)


DIALS = Dials(
    {"a": [("10%", 0.1), ("50%", 0.5), ("90%", 0.9)], "b": [("0.6", 0.6), ("0.9", 0.9)], "who": [("a", 0), ("b", 1)]},
    {"chance": (["a"], float)},
    start={"b": "0.9"},
)
RATE = Interval(0.7, 0.6, 0.8, 50)
CASES = {
    "search": Case("above <it>", "Search.", "why & so", {"tree <i>": RATE}, "src", ("more", "#x")),
    "not": Case("below", "Do not."),
}
PLAYER = Player("GPT <4>", {"a": 0.45, "b": 0.8, "who": 1}, Case("GPT <4>", "It won."))


def fold(players=(PLAYER,)):
    plane = GainMap([Layer(ROWS, BORDER), Layer(ROWS[:1])], *AXES, NAMES)
    decide = ["b", "a"], lambda b, a: "search" if b > a else "not"
    return Centrefold(plane, DIALS, CASES, decide=decide, layer=(["who"], int), players=players)


def test_each_state_has_its_case():
    for i, a in enumerate((0.1, 0.5, 0.9)):
        for j, b in enumerate((0.6, 0.9)):
            assert fold().at(i, j, 0) == ("search" if b > a else "not")


def test_the_page_has_what_its_script_looks_up():
    html = fold()._repr_html_()
    table = json.loads(unescape(re.search(r'tot-centrefold[^>]*data-table="([^"]*)"', html)[1]))
    assert table["labels"] == [["10", "50", "90"], ["0.6", "0.9"], ["a", "b"]] and table["on"] == [[1, 0], [2]]
    assert (table["cases"], table["layers"]) == ("2a1b2a1b", "01") and table["players"] == [["gpt-4", 1, 1, 1]]
    assert table["axes"] == [[10, 50, 90], [20, 80]]
    assert 'id="at=gpt-4"' in html and 'href="#at=gpt-4"' in html and html.count("data-on") >= 2
    assert "tree &lt;i&gt;" in html and "above &lt;it&gt;" in html and "GPT &lt;4&gt;" in html and 'href="#x"' in html


def test_as_text_it_tells_all_cases_and_players():
    text = repr(fold())
    assert "above <it>: Search. why & so" in text and "70% [60%, 80%]" in text and "GPT <4>: It won." in text


# -------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{fold()._repr_html_()}", encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tab(chromium, page):
    tab, trouble = chromium.new_page(viewport={"width": 390, "height": 844}), []
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(page)
    yield tab
    assert trouble == []
    tab.close()


def seen(tab):
    """The cases and players that are in sight, the place of the dot, the map's layer, and the address."""
    shown = tab.locator("tr:visible th").all_inner_texts()
    dot = tab.locator(".tot-dot")
    layers = [layer.get_attribute("data-on") is not None for layer in tab.locator(".tot-layer").all()]
    return shown, (dot.get_attribute("x"), dot.get_attribute("y")), layers.index(True), tab.evaluate("location.hash")


@pytest.mark.slow
def test_dials_keys_clicks_and_links_move_the_dot_and_say_what_to_do(tab):
    assert seen(tab) == (["above <it>"], ("10%", "20%"), 0, "")
    tab.get_by_role("radio", name="90%").check(force=True)
    tab.keyboard.press("ArrowLeft")
    assert seen(tab) == (["above <it>"], ("50%", "20%"), 0, "#at=50,0.9,a")
    tab.get_by_role("radio", name="0.9", exact=True).focus()
    tab.keyboard.press("ArrowUp")
    assert seen(tab) == (["above <it>"], ("50%", "80%"), 0, "#at=50,0.6,a")
    field = tab.locator(".tot-field").bounding_box()
    tab.mouse.click(field["x"] + 0.88 * field["width"], field["y"] + 0.9 * field["height"])
    assert seen(tab) == (["below"], ("90%", "80%"), 0, "#at=90,0.6,a")
    tab.get_by_role("link", name="GPT <4>").press("Enter")
    assert seen(tab) == (["above <it>", "GPT <4>"], ("45.0%", "40.0%"), 1, "#at=gpt-4")
    assert tab.get_by_role("link", name="Link to this place").get_attribute("href") == "#at=gpt-4"
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize(
    "state, case, dot, layer",
    [
        ("#at=gpt-4", ["above <it>", "GPT <4>"], ("45.0%", "40.0%"), 1),
        ("#at=90,0.6,b", ["below"], ("90%", "80%"), 1),
        ("#at=nobody", ["above <it>"], ("10%", "20%"), 0),
        ("#other", ["above <it>"], ("10%", "20%"), 0),
    ],
)
def test_a_state_can_be_linked_from_outside_and_within_the_page(tab, page, state, case, dot, layer):
    tab.evaluate(f"location.hash = {state!r}")
    tab.wait_for_timeout(50)
    assert seen(tab)[:3] == (case, dot, layer)
    tab.goto("about:blank")
    tab.goto(page + state)
    assert seen(tab)[:3] == (case, dot, layer)
    tab.evaluate("document.body.innerHTML = document.body.innerHTML")  # as a page that runs puts its outputs anew
    tab.wait_for_timeout(50)
    assert seen(tab)[:3] == (case, dot, layer)
    tab.get_by_role("link", name="GPT <4>").click()
    assert seen(tab)[3] == "#at=gpt-4" and "GPT <4>" in seen(tab)[0]


@pytest.mark.slow
def test_on_paper_and_without_a_script_there_are_the_map_and_all_cases(chromium, tab, page):
    tab.emulate_media(media="print")
    context = chromium.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(page)
    for one in (tab, plain):
        assert one.locator("tr:visible").count() == 1 + len(CASES) + 1 and one.locator(".tot-gainmap").is_visible()
        assert not one.locator(".tot-dials").is_visible() and not one.locator(".tot-dot").is_visible()
    context.close()
