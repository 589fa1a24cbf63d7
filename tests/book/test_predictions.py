"""Predictions and folds on the built pages of the chapters that are finished: a closed box keeps its answer."""

import re
from copy import copy

import pytest
from bs4 import BeautifulSoup

FINISHED = ("01_reading_and_replaying", "02_a_distribution", "03_io_and_verifiers", "04_chain_of_thought")
FINISHED += ("05_how_a_search_asks", "12_itot_dstar", "12_itot_study")
FINISHED += ("06_tot_bfs_game24", "13_mcts_from_scratch", "16_what_does_it_cost")
FINISHED += ("16_when_search_pays",)
FINISHED += ("17_bring_your_own", "17_bring_your_own_model")
FINISHED += ("14_planning_with_mcts", "14_planning_study", "09_zero_shot_tot")
FINISHED += ("18_the_tree_teaches_the_model",)
FINISHED += ("08_tot_dfs_crosswords", "08_tot_study_crosswords")
FINISHED += ("11_best_first_itot_astar",)
FINISHED += ("19_the_search_moves_inside",)
FINISHED += ("10_tools_costs_failures",)
FINISHED += ("07_votes_creative_writing",)
FINISHED += ("20_every_strategy_on_one_board",)
FOLDS = 8  # lines a page on which something can be opened
SHOWN = "svg, table, img, pre, .tot-explorer, .tot-dials, .tot-bill, .tot-results, .tot-diff, .tot-transcript"
REACH = 60  # words in sight after a box, in which the eye would meet the answer


def words(text):
    return " ".join(re.findall(r"[^\W_]+(?:[.,][^\W_]+)*|[−+-]?\d[\d.,]*%?", text)).casefold()


@pytest.fixture(scope="module", params=FINISHED)
def article(request, html):
    """The article, and within it what is in sight while every fold is closed."""
    text = (html / "notebooks" / f"{request.param}.html").read_text(encoding="utf-8")
    text = re.sub(r"<(style|script)\b.*?</\1>", "", re.search(r"<article.*</article>", text, re.S)[0], flags=re.S)
    return BeautifulSoup(text, "html.parser")


def in_sight(article):
    """A copy without what is closed, and without tips; tables and drawings are kept."""
    seen = copy(article)
    for hidden in seen.select("details > :not(summary), .tot-tip, .tot-data, .tot-first, details.tot-discussed"):
        if not hidden.decomposed:
            hidden.decompose()
    return seen


@pytest.fixture(scope="module")
def shown(article):
    return in_sight(article)


def test_every_box_asks_one_question_and_takes_a_guess(article, shown):
    boxes = article.select(".tot-predicted")
    assert boxes
    for box, seen in zip(boxes, shown.select(".tot-predicted"), strict=True):
        title = box.find(["h2", "h3"]).get_text()
        assert len(box.select(".tot-predict")) == 1 and len(box.select("summary.tot-alone")) == 0, title
        asked = [p.get_text() for p in seen.find_all(["p", "li"])]
        assert sum(text.count("?") for text in asked) == 1, (title, asked)
        assert box.select(".tot-predict :is(input, form button, [role=slider])"), title


def test_nothing_in_sight_after_a_box_has_its_answer(article, shown):
    """A number with a unit or of two digits, or the choice by its name; an order, its first two one after the other."""
    for box, seen in zip(article.select(".tot-predicted"), shown.select(".tot-predicted"), strict=True):
        answer = box.select_one(".tot-answer b").get_text()
        kind = box.select_one(".tot-predict")["data-kind"]
        after = " ".join(node.get_text(" ") for node in (*seen.next_siblings, *seen.parent.next_siblings))
        told = words(" ".join(after.split()[:REACH]))
        if kind == "order":
            hits = [told.find(words(name)) for name in answer.split(", ")]
            assert -1 in hits or hits != sorted(hits), (answer, told)
        elif kind != "drawn" and len(words(answer)) > 1:
            assert f" {words(answer)} " not in f" {told} ", (answer, told)


def test_no_caption_stands_under_something_hidden(shown):
    for figure in shown.select("figure"):
        assert not figure.figcaption or figure.select(SHOWN), figure.get_text()[:80]


def test_few_lines_open_something(article):
    """Hint, solution and discussion of an exercise share one; marks, Reveal and what folds on a phone have none."""
    lines = set()
    for fold in article.select("details:not(.tot-mark, .tot-reveal, .tot-discussed, .tot-long)"):
        if not fold.find_parent("details") and not fold.find_parent(class_="cell_output"):  # a figure's own detail
            lines.add(id(fold.find_parent("section", class_="tot-exercise") or fold))
    assert len(lines) <= FOLDS
    assert not article.select("details.tot-set-up, details.tot-plot")
