"""ToT-BFS against trees and values worked out by hand."""

from fractions import Fraction

import pytest
from trees import asked, grow, judge, model, picture, root

from tot import Budget, Scripted, bfs, constant, run, solve
from tot.tasks.game24 import Game24
from tot.tasks.game24_rules import moves

TREE = {"r": "a b c", "rb": "d e", "rc": "d e", "rbd": "X y", "rcd": "Z"}
VALUES = {"ra": 1, "rb": 3, "rc": 2, "rbd": 5, "rbe": 0, "rcd": 5, "rce": 4, "rbdX": 7, "rbdy": 7, "rcdZ": 9}


def search(tree=TREE, values=VALUES, *, evaluate=None, budget=None, until=None, **knobs):
    lm = model(tree, values)
    knobs = {"depth": 3, "breadth": 2, **knobs}
    return run(bfs(root(), grow(), evaluate or judge(), **knobs), lm, budget=budget, until=until), lm


def test_a_generator_of_ones_own_may_give_an_iterator():
    def iterating(nodes):
        return iter((yield from grow()(nodes)))

    lm = model(TREE, VALUES)
    found = run(bfs(root(), iterating, judge(), depth=3, breadth=2), lm)
    assert picture(found.trace) == picture(search()[0].trace)


def test_the_whole_search_by_hand():
    result, lm = search()
    assert picture(result.trace) == [
        "asked 0",
        "expanded 0.0 0.1 0.2",
        "asked 0.0 0.1 0.2",
        "evaluated 0.0=1 0.1=3 0.2=2",
        "best 0.1=3 0.2=2",
        "asked 0.1=3 0.2=2",
        "expanded 0.1.0 0.1.1 0.2.0 0.2.1",
        "asked 0.1.0 0.1.1 0.2.0 0.2.1",
        "evaluated 0.1.0=5 0.1.1=0 0.2.0=5 0.2.1=4",
        "best 0.1.0=5 0.2.0=5",  # a tie keeps the order of generation
        "asked 0.1.0=5 0.2.0=5",
        "expanded 0.1.0.0 0.1.0.1 0.2.0.0",
        "asked 0.1.0.0 0.1.0.1 0.2.0.0",
        "evaluated 0.1.0.0=7 0.1.0.1=7 0.2.0.0=9",
        "best 0.2.0.0=9 0.1.0.0=7",
    ]
    assert asked(lm)[:4] == ["grow r", "judge ra", "judge rb", "judge rc"]
    assert (result.stopped, result.answers, result.ledger.rounds, result.ledger.nodes) == (
        "done",
        ["rcdZ", "rbdX"],
        6,
        10,
    )
    assert result.ledger.total.calls == len(lm.requests) == 15
    assert result.trace.best == [node.id for node in result.best] == ["0.2.0.0", "0.1.0.0"]


@pytest.mark.parametrize(
    ("breadth", "kept"),
    [
        (1, [["0.1"], ["0.1.0"], ["0.1.0.0"]]),
        (3, [["0.1", "0.2", "0.0"], ["0.1.0", "0.2.0", "0.2.1"], ["0.2.0.0", "0.1.0.0", "0.1.0.1"]]),
    ],
)
def test_the_beam_has_its_breadth(breadth, kept):
    result, _ = search(breadth=breadth)
    assert [[n["id"] for n in e["nodes"]] for e in result.trace.events if e["kind"] == "best"] == kept


def test_a_finished_answer_waits_in_the_beam_and_is_not_judged_again():
    tree = {"r": "A b", "rb": "c", "rbc": "D"}
    result, lm = search(tree, {"rA": 5, "rb": 4, "rbc": 6, "rbcD": 1})
    assert [p for p in picture(result.trace) if p.startswith("best")] == [
        "best 0.0=5 0.1=4",
        "best 0.1.0=6 0.0=5",
        "best 0.0=5 0.1.0.0=1",
    ]
    assert result.answers == ["rA", "rbcD"] and asked(lm).count("judge rA") == 1 and "grow rA" not in asked(lm)


def test_a_waiting_answer_is_pushed_out_by_better_states():
    result, _ = search({"r": "A b", "rb": "c d"}, {"rA": 5, "rb": 6, "rbc": 7, "rbd": 8}, depth=2)
    assert [n.id for n in result.best] == ["0.1.1", "0.1.0"]


def test_the_search_ends_when_all_are_answers():
    result, lm = search({"r": "A B"}, {"rA": 1, "rB": 2}, depth=9)
    assert result.answers == ["rB", "rA"] and result.ledger.rounds == 2 and result.stopped == "done"
    assert asked(lm) == ["grow r", "judge rA", "judge rB"]


def test_depth_is_a_limit():
    for depth in (0, 1, 2):
        result, _ = search(depth=depth)
        assert max((n.depth for n in result.best), default=0) == depth and result.ledger.rounds == 2 * depth
    assert result.stopped == "done" and result.answers == []


def test_when_all_branches_die_the_last_beam_stays_the_output():
    result, _ = search({"r": "a b"}, {"ra": 1, "rb": 2}, depth=5)  # nothing grows from ra and rb
    assert picture(result.trace)[-3:] == ["asked 0.1=2 0.0=1", "expanded", "evaluated"]
    assert [n.id for n in result.best] == ["0.1", "0.0"] and result.stopped == "done" and result.ledger.rounds == 3
    nothing, _ = search({}, {})
    assert nothing.best == [] and nothing.stopped == "done" and nothing.trace.best == []


def test_an_answer_outlives_the_branches_that_die():
    result, _ = search({"r": "A b"}, {"rA": 1, "rb": 2})
    assert result.answers == ["rA"] and [n.id for n in result.best] == ["0.0"]


def test_threshold_drops_what_is_worth_no_more():
    result, lm = search(threshold=2)
    assert [n["id"] for n in next(e for e in result.trace.events if e["kind"] == "best")["nodes"]] == ["0.1"]
    assert "grow rc" not in asked(lm)
    dead, lm = search(threshold=3)
    assert dead.best == [] and dead.stopped == "done" and asked(lm) == ["grow r", "judge ra", "judge rb", "judge rc"]
    late, _ = search(threshold=5, values={**VALUES, "rb": 6, "rbd": 1})
    assert [n.id for n in late.best] == ["0.1"]  # the last beam that had states in it
    assert search(threshold=None, values={})[0].best  # none: also states worth nothing stay


def test_threshold_holds_for_waiting_answers_too():
    result, _ = search({"r": "A b", "rb": "C"}, {"rA": 2, "rb": 3, "rbC": 3}, threshold=2)
    assert result.answers == ["rbC"]


def test_no_opinion_keeps_the_order_of_generation():
    result, lm = search(evaluate=constant)
    assert [n.id for n in result.best] == ["0.1.0.0", "0.1.0.1"]
    assert asked(lm) == ["grow r", "grow ra", "grow rb", "grow rbd", "grow rbe"]


def player(request, i):
    """Plays by the rules: proposes legal steps, judges everything likely, and writes any answer."""
    system, last = request.messages[0].content, request.messages[-1].content
    if system.startswith("Combine"):
        numbers = tuple(sorted(map(Fraction, last.removeprefix("Numbers: ").split())))
        return "\n".join(map(str, moves(numbers)[:8]))
    return "likely" if "end with" in system else "Answer: 4 + 9 + 10 + 13"


@pytest.mark.parametrize(("compose", "rounds"), [(True, 6), (False, 8)])
def test_rounds_of_tot_bfs_on_game24(compose, rounds):
    for style in Game24().styles:
        for problem in Game24().problems("hard")[:3]:
            solution = solve("game24", problem, lm=Scripted(player), breadth=5, values=3, style=style, compose=compose)
            assert solution.result.stopped == "done" and solution.result.ledger.rounds <= rounds
            assert len(solution.answers) == 5 and None not in solution.answers
    # proposing three times, judging the states with three and with two numbers left, and then the answers
    assert solution.result.ledger.rounds == (5 if compose else 7)


def test_rounds_do_not_depend_on_the_breadth():
    for breadth in (1, 5, 20):
        solution = solve("game24", "4 9 10 13", lm=Scripted(player), breadth=breadth, compose=False)
        assert solution.result.ledger.rounds <= 8
    full = solve("game24", "4 9 10 13", lm=Scripted(player), budget=Budget(calls=1))
    assert full.result.ledger.rounds == 1


@pytest.mark.parametrize("breadth", [0, -1])
def test_a_beam_without_room_is_refused(breadth):
    with pytest.raises(ValueError, match="breadth must be a whole number of at least 1"):
        solve("game24", "4 9 10 13", lm=Scripted(["4 + 9 = 13"]), breadth=breadth)
    with pytest.raises(ValueError, match="breadth must be at least 1"):
        next(bfs(root(), constant, constant, depth=1, breadth=breadth))
