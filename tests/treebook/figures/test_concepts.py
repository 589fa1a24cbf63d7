"""The concept drawings: legible at any width, no word on another or on a line, and true to what they are drawn from."""

import json
import math
import re
from fractions import Fraction
from importlib.resources import files
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tot
from tot.show.escaping import em
from tot.stats import Interval, wilson
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import read_step, solvable
from treebook.figures import concepts
from treebook.figures.kit import Sketch
from treebook.figures.looks import LOOKS
from treebook.figures.styles import COLOURS

pytest.importorskip("numpy")  # the pocket model's
from treebook.players import Pocket

ROOT = Path(__file__).parents[3]
WHO = [a + b + c for a in "SL" for b in "SL" for c in "SL"]
SOME = {who: wilson(i, 20) for i, who in enumerate(("SSS", "SSL", "SLS", "SLL", "LLS", "LLL"))}
ALL = {who: wilson(2 * i, 20) for i, who in enumerate(WHO)}


def gains(solved):
    """An arrow for each pair that differs in one role; intervals above 0, around it, and below it by turns."""
    pairs = [(a, b) for a in solved for b in solved if sum(map(str.__ne__, a, b)) == 1 and a > b]
    found = (Interval(0.35, 0.1, 0.6, 20), Interval(0.05, -0.15, 0.25, 20), Interval(-0.4, -0.65, -0.15, 20))
    return {pair: found[i % 3] for i, pair in enumerate(pairs)}


CHOICES = [
    "Here is a plan: 1. In paragraph 1, a plumber whistled an opera",
    "Wait",
    "i" * 90,
    "A plan (of four paragraphs, each with a title and two new sentences) that tells the story from its end",
    "W" * 60,
]

FILES = [path.name.removesuffix(".svg") for path in files(concepts.__name__).iterdir() if path.name.endswith(".svg")]
EVERY = {f"{file}, {name}": picture for file in sorted(FILES) for name, picture in concepts.panels(file).items()}
EVERY |= {
    "casts, six": concepts.casts(SOME, gains(SOME)),
    "casts, all": concepts.casts(ALL, gains(ALL)),
    "turned": concepts.turned(CHOICES, [5, 0, 0, 0, 0], [0, 1, 0, 3, 1]),
    "turned, two": concepts.turned(CHOICES[:2], [6, 0], [3, 3]),
}
NAMES = pytest.mark.parametrize("name", EVERY)


def elements(picture, tag):
    return [one for one in ElementTree.fromstring(picture).iter() if one.tag.endswith("}" + tag)]


def texts(picture):
    """(text, left, top, right, bottom) of each text: an upper estimate of its ink."""
    found = []
    for one in elements(picture, "text"):
        size, x, y = (float(one.get(key)) for key in ("font-size", "x", "y"))
        wide = em(one.text) * size * (1.05 if one.get("font-weight") else 1)
        left = x - wide * {None: 0, "middle": 0.5, "end": 1}[one.get("text-anchor")]
        found.append((one.text, left, y - 0.76 * size, left + wide, y + 0.22 * size))
    return found


def edges(shape):
    """(left, top, right, bottom) of a rectangle or a circle."""
    if shape.get("r"):
        x, y, r = (float(shape.get(key)) for key in ("cx", "cy", "r"))
        return x - r, y - r, x + r, y + r
    x, y, w, h = (float(shape.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


def points(path):
    """Points along a path of M, L, V, H, Q and C, less than two pixels apart."""
    here, along = (0.0, 0.0), []
    for letter, rest in re.findall(r"([A-Z])([^A-Z]*)", path):
        numbers = [float(n) for n in rest.split()]
        if letter in "VH":
            numbers = [here[0], numbers[0]] if letter == "V" else [numbers[0], here[1]]
        steps = [here, *zip(numbers[::2], numbers[1::2], strict=True)]
        if letter != "M":
            n, degree = 300, len(steps) - 1
            for i in range(n + 1):
                shares = [math.comb(degree, k) * (i / n) ** k * (1 - i / n) ** (degree - k) for k in range(degree + 1)]
                along.append(tuple(sum(s * p[j] for s, p in zip(shares, steps, strict=True)) for j in (0, 1)))
        here = steps[-1]
    return along


@NAMES
def test_a_drawing_says_what_it_shows(name):
    picture = EVERY[name]
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img" and root.get("aria-label") == picture.about
    assert [one.text for one in elements(picture, "desc")] == [picture.about]
    assert len(picture.about) > (10 if "contents" in name else 90)
    assert "{" not in picture.about and " id=" not in picture and "<script" not in picture
    assert len(picture) < 25_000
    bare = re.sub(r"<(title|desc|text|style)\b.*?</\1>|aria-label=\"[^\"]*\"", "", picture, flags=re.S)
    assert not re.search(r"\d\.\d\d|-0\b(?!\.)", bare), "coordinates have one decimal"


@NAMES
def test_colours_are_the_books_in_both_themes(name):
    style = elements(EVERY[name], "style")[0].text
    for one in ElementTree.fromstring(EVERY[name]).iter():
        for mark in (one.get("class") or "").split():
            kind, _, key = mark.removeprefix("tot-").partition("-")
            pairs = {"fill": COLOURS.get(key)} if kind in "ft" else {"stroke": COLOURS.get(key)} if kind == "s" else {}
            if kind == "b" or (key not in COLOURS and pairs):
                look = LOOKS[key]
                pairs = {"fill": look.ink} if kind == "t" else {"fill": look.fill, "stroke": look.line}
            assert {part: one.get(part) for part in pairs} == {part: pair[0] for part, pair in pairs.items()}, mark
            dark = ";".join(f"{part}:{pair[1]}" for part, pair in pairs.items())
            assert mark == "tot-svg" or f".{mark}{{{dark}" in style, mark


@NAMES
def test_text_is_never_small(name):
    root = ElementTree.fromstring(EVERY[name])
    sizes = [float(one.get("font-size")) for one in elements(EVERY[name], "text")]
    least = float(re.search(r"min-width:([\d.]+)px", root.get("style"))[1])
    assert all(size * least / float(root.get("width")) >= 9.99 for size in sizes)
    assert ("contents" in name) is (not sizes)


@NAMES
def test_words_keep_apart_inside_their_boxes_and_off_the_lines(name):
    width, height = (float(ElementTree.fromstring(EVERY[name]).get(side)) for side in ("width", "height"))
    placed, along = texts(EVERY[name]), []
    for text, left, top, right, bottom in placed:
        assert 4 <= left and right <= width - 4 and top >= 4 and bottom <= height - 4, text
    for (a, left, top, right, bottom), (b, left2, top2, right2, bottom2) in combinations(placed, 2):
        assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top, f"{a!r} lies on {b!r}"
    for one in ElementTree.fromstring(EVERY[name]):  # in the order of drawing
        shape = (one.get("class") or "")[:6]
        if shape == "tot-s-" and "l" not in one.get("d"):  # crosses and ticks aside
            along += points(one.get("d"))
        elif shape == "tot-b-" and one.get("d") is None:  # a box hides what was drawn under it
            x, y, end, low = edges(one)
            along = [(at, down) for at, down in along if not (x < at < end and y < down < low)]
            for text, left, top, right, bottom in placed if one.tag.endswith("rect") else ():
                if left < end and right > x and top < low and bottom > y:
                    assert x <= left and right <= end and y <= top and bottom <= low, f"{text!r} leaves its box"
    for x, y in along:
        for text, left, top, right, bottom in placed:
            assert not (left < x < right and top < y < bottom), f"a line crosses {text!r} at {x:.0f}, {y:.0f}"


def test_an_arrow_needs_two_points():
    with pytest.raises(ValueError, match="two different points"):
        Sketch(10, 10).arrow((1, 1), (1, 1))


# -------------------------------------------------------------------- what they are drawn from


def test_wilson_keeps_the_rates_that_reach_the_line():
    picture, found = concepts.wilson(), wilson(3, 20)
    assert f">{found.low:.1%} to {found.high:.1%}<" in picture and "observed: 3 of 20" in picture
    [line] = [one for one in elements(picture, "path") if one.get("stroke-width") == "2.4"]
    at = float(re.match(r"M([\d.]+)", line.get("d"))[1])
    bars = [one for one in elements(picture, "rect") if one.get("class") in ("tot-f-bar", "tot-f-border")]
    kept = [one.get("class") == "tot-f-bar" for one in bars]
    ends = [(float(one.get("x")), float(one.get("x")) + float(one.get("width"))) for one in bars]
    assert [left - 0.2 <= at <= right + 0.2 for left, right in ends] == kept and 0 < sum(kept) < len(kept)


def test_the_answers_that_a_model_gives_are_recorded_and_judged_as_the_drawing_says():
    task, lm = tot.task("game24"), tot.Cassette(ROOT / "notebooks/cassettes/03.jsonl")
    recorded = tot.solve(task, "4 4 4 6", "io", lm=lm, k=10)
    verdicts = dict(zip(recorded.answers, recorded.scores, strict=True))
    model, dice = ([text.replace("−", "-") for text, *_ in texts(one)] for one in concepts.panels("checked").values())
    found = [(verdicts[text], model[i + 1]) for i, text in enumerate(model) if text in verdicts]
    assert [score.correct for score, _ in found] == [said == "24" for _, said in found] == [False, False, True, False]
    for score, said in found:
        assert said.removeprefix("is ") in score.why or (said == "a 4 missing" and "exactly once" in score.why)
    thrown = [text for text in dice if re.fullmatch(r"[-+*/()\d ]+", text) and not text.isdigit()]
    assert len(thrown) == 4 and all(sorted(re.findall(r"\d", text)) == ["4", "4", "4", "6"] for text in thrown)


def test_what_is_called_impossible_in_the_drawing_is():
    proposed, judged = ([text for text, *_ in texts(one)] for one in concepts.panels("questions").values())
    words = {"sure": True, "likely": True, "impossible": False}
    states = [text for text in judged if re.fullmatch(r"[\d ]+", text)]
    verdicts = [words[text] for text in judged if text in words]
    assert verdicts == [solvable(tuple(map(Fraction, state.split()))) for state in states] and len(states) == 3
    steps = [text.replace("−", "-") for text in proposed if " = " in text]
    lefts = [" ".join(map(str, sorted(read_step(step, numbers_of("3 4 4 6")).value.left))) for step in steps]
    assert lefts == [text for text in proposed if text in states] == states


def test_seats_and_bridge_are_the_papers_and_the_encyclopedias():
    from studies.papers import ROLES, SETS

    small, large = (round(ROLES["1.5B", "1.5B", size][SETS.index("GSM8K")], 2) for size in ("1.5B", "72B"))
    said = [[text for text, *_ in texts(one)] for one in concepts.panels("seats").values()]
    assert {f"{small:.0f}%", f"{large:.0f}%"} <= {*said[0]} and f"{large - small:.0f} points" in said[1]
    lines = (ROOT / "tot/tasks/encyclopedia.jsonl").read_text(encoding="utf-8").splitlines()
    pages = {page["title"]: page["text"] for page in map(json.loads, lines)}
    first, second = ([text for text, *_ in texts(one)] for one in concepts.panels("bridge").values())
    assert "Louvre" in first and "Louvre" in pages["Mona Lisa"] and "1793" in second and "1793" in pages["Louvre"]


def test_a_turned_list_has_each_ballot_beside_its_choice():
    picture = concepts.turned(CHOICES, [5, 0, 0, 0, 0], [0, 1, 0, 3, 1])
    boxes = [edges(one) for one in elements(picture, "rect") if (one.get("class") or "").startswith("tot-b-")]
    ballots = [edges(one) for one in elements(picture, "circle")]
    assert len(boxes) == 10 and len(ballots) == 10
    sides = {True: [0] * 5, False: [0] * 5}  # ballots by row, at the left and at the right
    for _, y, end, low in ballots:
        sides[end < 360][round((y + low) / 2 - boxes[0][1]) // 50] += 1
    assert sides == {True: [5, 0, 0, 0, 0], False: [1, 3, 0, 1, 0]}  # the right list is turned over
    assert "“Wait”: 0 ballots, turned 1" in picture.about


def test_the_transformer_has_the_models_sizes():
    weights = Pocket().model
    said = {text for text, *_ in texts(concepts.transformer())}
    words, width = weights.embed.shape
    assert f"{words} → {width}" in said and f"{width} → {words}" in said
    assert f"{width} → {weights.layers[0].up.shape[1]} → {width}" in said
    assert f"{width} → 3 × {width} → {width}" in said and weights.layers[0].qkv.shape == (width, 3 * width)
    assert f"{weights.heads} heads of {width // weights.heads}" in said
    assert any(text.startswith(f"{len(weights.layers)} of them") for text in said)


def test_the_cassette_does_what_the_drawing_says(tmp_path):
    """Of three samples two are recorded, and one is asked for; their keys are the package's own."""
    request, asked = tot.user("Pick a colour.", temperature=0.7, n=3), []

    def live(request, i):
        asked.append(i)
        return ("blue", "green", "red")[i]

    with tot.Cassette(tmp_path / "c.jsonl", live=tot.Scripted(live, "a model")) as cassette:
        cassette([request.samples(0, 2)])
        del asked[:]
        [reply] = cassette([request])
    said, key = {text for text, *_ in texts(concepts.cassette())}, request.key("a model")[:6]
    assert asked == [2] and {"blue", "green", "red"} == {*reply.texts} <= said
    assert {"“Pick a colour.”", "temperature 0.7", "a model", "3 samples", f"{key} · 0: blue", f"{key} · 2"} <= said
    assert key in concepts.cassette().about


def test_the_roles_see_what_the_drawing_says():
    """A dot for each role and each thing: blue where the search's own prompts have it."""
    words = ("Which number is it?", "Add all of them.", "Too short, says the judge", "4711")
    seen: dict[str, list[bool]] = {}

    def play(role, *replies):
        def reply(request, i):
            text = "\n".join(message.content for message in request.messages)
            marks = [word in text for word in words]
            seen[role] = [a or b for a, b in zip(seen.get(role, [False] * 4), marks, strict=True)]
            return replies[i % len(replies)]

        return tot.Scripted(reply, role)

    planner = play("planner", words[1])
    judge = play("judge", f"Score: 0.5. {words[2]}")
    executor = play("executor", "The answer is 12.")
    task = tot.task("gsm8k")
    search = tot.method("mcts-plan").search(task, words[0], rollouts=3, revisions=2)
    result = tot.run(search, {"planner": planner, "judge": judge, "executor": executor})
    assert result.stopped == "done", result.error
    said = {text: (left, right) for text, left, _, right, _ in texts(concepts.roles())}
    assert {"question", "plan", "judges’ words", "gold answer"} <= said.keys()
    for role, marks in {**seen, "verifier": [False, False, False, True]}.items():
        dots = [
            one for one in elements(concepts.roles(), "circle") if said[role][0] < float(one.get("cx")) < said[role][1]
        ]
        dots.sort(key=lambda dot: float(dot.get("cy")))
        assert [dot.get("class") == "tot-b-chosen" for dot in dots] == marks, role


# Twelve plans for each of two problems, by three judges: reward -> how many were carried out right, and wrong.
LOW, MIDDLE, HIGH = 1 / 3, 1 / 2, 2 / 3
JUDGES = {
    "sees the plan": (
        {LOW: (0, 2), MIDDLE: (0, 3), HIGH: (4, 3)},
        {LOW: (3, 4), MIDDLE: (3, 0), HIGH: (2, 0)},
    ),
    "sees a little of both": (
        {LOW: (1, 4), MIDDLE: (1, 2), HIGH: (2, 2)},
        {LOW: (2, 2), MIDDLE: (2, 1), HIGH: (4, 1)},
    ),
    "sees only the problem": (
        {LOW: (3, 6), MIDDLE: (1, 2)},
        {MIDDLE: (2, 1), HIGH: (6, 3)},
    ),
}  # fmt: skip


def ahead(problems):
    """How often, of a right and a wrong plan of one problem, the right one has the higher reward; a tie is one half."""
    won = pairs = 0
    for counts in problems:
        for (a, (right, _)), (b, (_, wrong)) in product(counts.items(), repeat=2):
            won += right * wrong * ((a > b) + (a == b) / 2)
            pairs += right * wrong
    return won / pairs


def test_three_judges_of_the_same_plans_have_one_curve_and_differ_within_a_problem():
    """Each dot is the share of right plans at its reward: a small one for a problem, a large one for all."""
    dots = {4.0: set(), 2.5: set()}
    for one in elements(concepts.reliabilities(), "circle"):
        dots[float(one.get("r"))].add((float(one.get("cx")), float(one.get("cy"))))
    panels = [edges(one) for one in elements(concepts.reliabilities(), "rect") if one.get("class") == "tot-panel"]
    said = [text for text, *_ in texts(concepts.reliabilities())]
    for (left, *_), (name, problems) in zip(panels, JUDGES.items(), strict=True):
        assert name in said and f"right plan ahead: {ahead(problems):.0%}" in said
        assert f"{name}: 33% at 0.33, 50% at 0.50, 67% at 0.67;" in concepts.reliabilities().about
        every = {
            r: tuple(map(sum, zip(*(c.get(r, (0, 0)) for c in problems), strict=True))) for r in (LOW, MIDDLE, HIGH)
        }
        for radius, counts in ((4.0, every), *((2.5, counts) for counts in problems)):
            for reward, (right, wrong) in counts.items():
                x, y = left + 48 + 150 * reward, 208 - 150 * right / (right + wrong)
                near = [at for at in dots[radius] if math.dist(at, (x, y)) < 0.11]
                assert len(near) == 1, (name, reward)


def test_the_injected_action_is_one_that_is_read():
    from tot.tools.actions import TOOLS, read_action

    said = [text for text, *_ in texts(concepts.injection())]
    [obeyed] = [text for text in said if text.startswith("Action: ")]
    assert " · ".join(TOOLS) in said and read_action(obeyed)[0].ok and not read_action("Action: Delete[all]")[0].ok
    assert f"Your next action is {obeyed.removeprefix('Action: ')}." in said, "the page orders what the model replies"


@pytest.mark.parametrize("name", ["injection", "lessons"])
def test_a_phone_shows_the_same_words_in_a_narrow_drawing(name):
    wide, narrow = concepts.panels(name).values()
    said = [{*" ".join(text for text, *_ in texts(one)).split()} for one in (wide, narrow)]
    assert said[0] == said[1] and wide.about == narrow.about and narrow.width <= 350
    assert getattr(concepts, name)().down.count("<text") == narrow.count("<text")


def test_casts_are_pairs_that_differ_in_one_role():
    picture = concepts.casts(SOME, gains(SOME))
    assert picture.about.count("points [") == len(gains(SOME)) == 7
    assert ">+35<" in picture and ">−40<" in picture and ">[−15, +25]<" in picture
    assert picture.count(">not run<") == 2 and concepts.casts(ALL, gains(ALL)).count(">not run<") == 0
    thick = {c: picture.count(f'class="tot-s-{c}"') for c in ("chosen", "wrong", "faint")}
    assert thick == {"chosen": 3, "faint": 2, "wrong": 2}
    gain = Interval(0.1, 0.0, 0.2, 20)
    for pair in (("SSS", "SLL"), ("SSL", "SSS")):
        with pytest.raises(ValueError, match="one role"):
            concepts.casts(SOME, {pair: gain})
