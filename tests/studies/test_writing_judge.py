"""Judging passages: scores and pairs by hand, readers on any text; it runs, is recorded and billed like a search."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.writing_judge import (
    Comparison,
    Rating,
    compare,
    comparison,
    comparison_prompt,
    rate,
    ratings,
    read_score,
    read_verdict,
)
from tot import Scripted, run
from tot.tasks.base import ROOM
from tot.testing import check_search


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Flows well.\nThe score is 7", 7),
        ("The score is **7.5**.", 7.5),
        ("Score: 10", 10),
        ("I rate it 8/10.", 8),
        ("4 paragraphs, 2 jumps. The score is 6", 6),
        ("The score is 3. No: the score is 4.", 4),
        (" **7.5**.\n", 7.5),
        ("Coherence: 8\nStyle: 6\nThe score is 7", 7),
        ("The score is 6, since a score of 10 would need a plot.", 6),
    ],
)
def test_scores(text, score):
    assert read_score(text).value == score


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no score in the reply"),
        ("7 paragraphs", "no score in the reply"),
        ("-7", "score -7 of 10"),
        ("The score is N", "no score in the reply"),
        ("8/100", "score 0.8 of 10"),
        ("The score is 0", "score 0 of 10"),
        ("The score is 11", "score 11 of 10"),
    ],
)
def test_no_score_and_why(text, why):
    assert (read_score(text).value, read_score(text).why) == (None, why)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The more coherent passage is 1", 1),
        ("Passage 1 jumps.\nThe more coherent passage is **2**.", 2),
        ("The more coherent passage is passage 2, as passage 1 jumps.", 2),
        ("Passage 2 is more coherent.", 2),
        ("passage 1 is the more coherent one", 1),
        ("Both are equally coherent", 0),
        ("They are not equally coherent: the more coherent passage is 1.", 1),
        ("The more coherent passage is 1. No, both are equally coherent.", 0),
        ("Both are equally coherent in tone.\nThe more coherent passage is clearly Passage 2.", 2),
        ("They are equally coherent.\n\nThank you.", 0),
        ("Both are equally coherent. Neither is better.", 0),
        ("The passages are equally coherent.\nConfidence: high", 0),
        ("Both are equally coherent in tone.\nStill, I prefer the second.", None),  # no tie in silence
        ("The more coherent passage is number 2.", 2),
        ("The more coherent passage is the first", 1),
        (r"The more coherent passage is \boxed{1}", 1),
        ('The more coherent passage is "The second moon rose"', None),
        ("2", 2),
        ("Passage 1.", 1),
        ("**2**", 2),
        ("", None),
        ("2 of them", None),
        ("The more coherent passage is 3", None),
        ("The more coherent passage is 12", None),
        ("not equally coherent", None),
    ],
)
def test_verdicts(text, verdict):
    assert read_verdict(text).value == verdict and read_verdict(text).ok == (verdict is not None)


SCORES = {"good": ["The score is 8", "8/10", "Score: 9", "The score is 7", "The score is 8"], "bad": ["2/10"] * 5}
SCORES |= {"odd": ["The score is 5", "?", "The score is 55", "hm", ""], "mute": ["?"] * 5}


def scorer(request, i):
    passage = request.messages[0].content.split("\n")[1]
    return SCORES[passage][i % 5]


def test_ratings_by_hand():
    lm = Scripted(scorer)
    result = run(rate(["good", "odd", "mute", "bad"]), lm)
    good, odd, mute, bad = ratings(result.trace.events)
    assert good == Rating((8, 8, 9, 7, 8)) and good.mean == 8 and good.spread == pytest.approx(0.5**0.5)
    assert odd == Rating((5,), 4) and odd.mean == 5 and odd.spread is None
    assert mute == Rating((), 5) and mute.mean is None and mute.spread is None
    assert bad.mean == 2 and bad.spread == 0
    assert result.unread == 9 and result.ledger.rounds == 1 and list(result.ledger.asked) == ["judge"]
    assert [node.get("value") for node in result.trace.events[-1]["nodes"]] == [8, 5, None, 2]
    assert [(r.n, r.first, r.temperature, r.max_tokens) for r in lm.requests] == [(5, 0, 0.7, 10)] * 4


PREFERS = {"better": 3, "same": 2, "as good": 2, "worse": 1}


def fair(request, i):
    _, one, _, _, two, *_ = request.messages[0].content.split("\n")
    gap = PREFERS[one] - PREFERS[two]
    return "Both are equally coherent" if gap == 0 else f"The more coherent passage is {1 if gap > 0 else 2}"


def test_a_judge_without_bias():
    lm = Scripted(fair)
    pairs = [("better", "worse"), ("same", "better"), ("same", "as good"), ("better", "same")]
    result = run(compare(pairs), lm)
    outcome = comparison(result.trace.events)
    assert outcome == Comparison(wins=2, losses=1, ties=1, flips=0, shown_first=3, shown_second=3)
    assert result.ledger.rounds == 1 and list(result.ledger.asked) == ["judge"]
    assert lm.requests[:2] == [comparison_prompt("better", "worse"), comparison_prompt("worse", "better")]
    assert len(lm.requests) == 6  # the last pair asks what the second asked
    assert {r.temperature for r in lm.requests} == {0.0}


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        (["The more coherent passage is 1"] * 2, Comparison(ties=1, flips=1, shown_first=2)),
        ([f"more coherent passage is {i}" for i in (1, 2)], Comparison(wins=1, shown_first=1, shown_second=1)),
        ([f"more coherent passage is {i}" for i in (2, 1)], Comparison(losses=1, shown_first=1, shown_second=1)),
        (["equally coherent"] * 2, Comparison(ties=1)),
        (["equally coherent", "more coherent passage is 1"], Comparison(ties=1, flips=1, shown_first=1)),
        (["more coherent passage is 1", ""], Comparison(unread=1)),
    ],
)
def test_one_pair_in_both_orders(says, outcome):
    result = run(compare([("a", "b")]), Scripted(says))
    assert comparison(result.trace.events) == outcome and result.unread == outcome.unread


@given(st.lists(st.tuples(st.sampled_from("12=?"), st.sampled_from("12=?")), max_size=8))
def test_the_counts_add_up_and_changing_sides_changes_wins_and_losses(said):
    words = {"1": "more coherent passage is 1", "2": "more coherent passage is 2", "=": "equally coherent", "?": ""}
    pairs = [(f"a{i}", f"b{i}") for i in range(len(said))]
    one = comparison(run(compare(pairs), Scripted([words[v] for pair in said for v in pair])).trace.events)
    assert one.wins + one.losses + one.ties + one.unread == len(said) and one.flips <= one.ties
    turned = Scripted([words[v] for pair in said for v in reversed(pair)])
    other = comparison(run(compare([(b, a) for a, b in pairs]), turned).trace.events)
    assert asdict(other) == {**asdict(one), "wins": one.losses, "losses": one.wins}


def test_judging_keeps_to_the_rules_of_a_search():
    check_search(lambda: rate(["good", "odd"]), Scripted(scorer))
    check_search(lambda: compare([("better", "worse"), ("same", "as good")]), Scripted(fair))


def test_a_judge_who_reasons_at_length_is_given_room_and_read_to_the_end():
    def talks(request, i):
        said = request.messages[0].content
        if "Passage 2" in said:
            first = said.index("better") < said.index("worse")
            return f"Passage 1 is lively. Passage 2 isn't.\n\n**The more coherent passage is {1 if first else 2}.**"
        return "The second paragraph earns a score of 3.\n\n" + "It holds together. " * 60 + "\n\nThe score is **8**."

    lm = Scripted(talks)
    scored = run(rate(["good"], at_length=True), lm)
    paired = run(compare([("better", "worse")], at_length=True), lm)
    assert [rating.scores for rating in ratings(scored.trace.events)] == [(8.0,) * 5]
    assert comparison(paired.trace.events) == Comparison(wins=1, shown_first=1, shown_second=1)
    assert all(request.max_tokens == ROOM for request in lm.requests) and not (scored.unread or paired.unread)
