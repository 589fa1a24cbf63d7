"""Drawings of searches: their orders and bounds are those of the package."""

import re
from math import log, sqrt

from treebook.figures import concepts
from treebook.figures.concepts.judging import ANSWER, TREE, visits


def test_each_search_judges_a_node_once_and_after_its_parent():
    for name, judged in visits().items():
        assert (len(set(judged)) == len(judged) and judged[-1] == ANSWER) or name.startswith("BFS")
        assert all(word[:-1] in ["", *judged[: judged.index(word)]] for word in judged), name
        assert ("" in judged) == name.startswith("MCTS"), "only MCTS asks what the root is worth"


def test_the_orders_are_what_their_names_promise():
    found = {name.split(",")[0]: judged for name, judged in visits().items()}
    assert [len(word) for word in found["BFS"]] == sorted(len(word) for word in found["BFS"])
    first = found["DFS"]
    assert found["MCTS"][0] == ""
    assert first[:3] == ["a", "aa", "aaa"] and first.index("b") > first.index("ab")
    assert all(found["DFS"].index(w) > found["DFS"].index(w[:-1]) for w in first if len(w) > 1)
    assert found["best-first"].index("aba") < found["best-first"].index("ba"), "stuck below a"
    assert found["A*"].index("ba") < len(found["A*"]) < len(found["best-first"])
    assert found["MCTS"].index("ba") < found["MCTS"].index("ab"), "b is looked into before a is finished"


def test_the_numbers_in_the_drawing_are_the_orders():
    row = concepts.orders()
    for panel, judged in zip(row.split("<svg")[1:], visits().values(), strict=True):
        numbers = [int(n) for n in re.findall(r'font-size="11"[^>]*>(\d+)</text>', panel)]
        assert sorted(numbers) == list(range(1, len(judged) + 1))
        by_tree = [judged.index(word) + 1 for word in TREE if word in judged]
        assert numbers == by_tree
        values = [float(n) for n in re.findall(r'font-size="10"[^>]*>([\d.]+)</text>', panel)]
        assert values == [*TREE.values()]


def test_one_step_of_ucb1():
    made = concepts.ucb_step({"a": (6, 0.55), "b": (4, 0.6), "c": (2, 0.4)})
    for n, q in ((6, 0.55), (4, 0.6), (2, 0.4)):
        bonus = sqrt(2) * sqrt(log(12) / n)
        assert f"{q:.2f} + {bonus:.2f} = {q + bonus:.2f}" in made
    assert "goes to c" in made.about
    assert "goes to b" in concepts.ucb_step({"a": (6, 0.55), "b": (4, 0.6), "c": (2, 0.4)}, exploration=0.1).about
