"""Chances of labels: where they stand, and what they are from a server's tokens."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tot import Scripted, user
from tot.lm.base import Sample
from tot.lm.chances import label_in, normalised, read_places, weigh

VERDICTS = user("4 4 10?", labels=("sure", "likely", "impossible"))
CHOICE = user("Which?", labels=tuple(str(i) for i in range(1, 13)))


@pytest.mark.parametrize(
    "text, found",
    [
        ("sure", (0, 0)),
        ("It is not likely: IMPOSSIBLE.", (2, 18)),
        ("impossible? likely", (1, 12)),
        ("surely unlikely", None),
        ("\u017fure", (0, 0)),  # a long s, which is an s if upper and lower case are the same
        ("", None),
    ],
)
def test_the_last_whole_word_counts(text, found):
    assert label_in(VERDICTS, text) == found


def test_the_longest_label_that_stands_there_counts():
    longer = user("?", labels=("sure", "sure enough", "not sure"))
    assert label_in(longer, "Sure enough!") == (1, 0) and label_in(longer, "I am not sure") == (2, 5)
    assert label_in(longer, "sure, not enough") == (0, 0)


def test_a_number_is_a_label_only_by_itself():
    assert label_in(CHOICE, "The best choice is 12.") == (11, 19)
    assert label_in(CHOICE, "choice 1, as 112 and 1.5 and 0.2 are none") == (0, 7)
    assert label_in(user("no labels"), "sure") is None


def test_labels_are_part_of_what_is_asked_and_only_if_there_are_any():
    assert VERDICTS.params["labels"] == ["sure", "likely", "impossible"] and "labels" not in user("x").params
    assert VERDICTS.key("m") != user("4 4 10?").key("m")


def places(*tokens):
    """("im", {"im": .4, "s": .6}), ... as places; a token alone is certain."""
    return [(t, {t: 1.0}) if isinstance(t, str) else t for t in tokens]


def test_what_each_label_would_have_had_in_place_of_the_one_that_was_said():
    said = places("10 - 4 = 6", ".", (" sure", {" sure": 0.6, " imp": 0.25, " Sure": 0.05, " the": 0.06, " lik": 0.04}))
    chances, missing = weigh(VERDICTS, "10 - 4 = 6. sure", said)
    assert chances == pytest.approx((0.65 / 0.94, 0.04 / 0.94, 0.25 / 0.94), abs=1e-6)
    assert missing == pytest.approx(0.06)


def test_a_label_of_several_tokens_is_weighed_at_its_first():
    said = places("It is", (" imp", {" imp": 0.5, " s": 0.3, " sometimes": 0.2}), "ossible", ".")
    assert weigh(VERDICTS, "It is impossible.", said) == (pytest.approx((0.375, 0.0, 0.625)), pytest.approx(0.2))


def test_tokens_that_begin_several_labels():
    """ "1" begins 1, 10, 11 and 12. It was said: the next token tells. "s" was not: nobody knows, so equal parts."""
    first = ("1", {"1": 0.8, "2": 0.2})
    said = places("is ", first, ("0", {"0": 0.5, ".": 0.3, "1": 0.15, "x": 0.05}))
    chances, missing = weigh(CHOICE, "is 10", said)
    assert chances[:3] == pytest.approx((0.24 / 0.96, 0.2 / 0.96, 0.0), abs=1e-6)
    assert chances[9:] == pytest.approx((0.4 / 0.96, 0.12 / 0.96, 0.0), abs=1e-6) and missing == pytest.approx(0.04)
    chances, _ = weigh(CHOICE, "is 2", places("is ", ("2", {"2": 0.2, "1": 0.8})))
    assert chances[0] == chances[9] == chances[10] == chances[11] == pytest.approx(0.2)
    chances, missing = weigh(CHOICE, "1", places(("1", {"1": 0.6, "2": 0.4})))  # it ended there: it said 1, not 12
    assert chances[:2] == (0.6, 0.4) and missing == 0 and not any(chances[2:])
    chances, _ = weigh(CHOICE, "1\n", places(("1", {"1": 0.6, "2": 0.4}), ("\n", {"\n": 0.75, "2": 0.25})))
    assert chances[0] == 0.45 and chances[11] == 0.15


def test_no_label_or_another_text_than_the_tokens_is_no_distribution():
    assert weigh(VERDICTS, "who knows", places("who knows")) == ((), 1.0)
    assert weigh(VERDICTS, "sure", places("likely")) == ((), 1.0)
    assert weigh(VERDICTS, "sure", []) == ((), 1.0)
    assert weigh(VERDICTS, "sure", [("sure", {"no": 1.0})]) == ((), 1.0)


def test_thinking_before_the_text_does_not_move_the_place():
    said = places("<think>", "sure", "</think>", ("likely", {"likely": 0.9, "sure": 0.1}))
    assert weigh(VERDICTS, "likely", said)[0] == pytest.approx((0.1, 0.9, 0.0))


def test_labels_without_common_beginnings_have_the_chances_that_an_enumeration_gives():
    """A model over pieces of words, every continuation written out: sums over whole texts, label by label."""
    dice = np.random.default_rng(3)
    for _ in range(50):
        first = dict(zip(("su", "sure", "li", "im", "no"), dice.dirichlet(np.ones(5)).tolist(), strict=True))
        ends = {"su": "sure", "sure": "sure", "li": "likely", "im": "impossible", "no": "no"}  # how each goes on
        exact = {label: sum(p for token, p in first.items() if ends[token] == label) for label in VERDICTS.labels}
        whole = sum(exact.values())
        token = max(("su", "sure", "li", "im"), key=first.get)
        chances, missing = weigh(VERDICTS, ends[token], [(token, first), *places(ends[token][len(token) :])])
        assert chances == pytest.approx([exact[label] / whole for label in VERDICTS.labels], abs=1e-6)
        assert missing == pytest.approx(1 - whole, abs=1e-6)


tokens = st.text("1250 .sure likyimpob\n", max_size=6)
listed = st.lists(st.tuples(tokens, st.dictionaries(tokens, st.floats(0, 1), max_size=6)), max_size=6)


@given(listed, st.sampled_from([VERDICTS, CHOICE]))
def test_any_tokens_give_chances_or_none(listed, request_):
    text = "".join(token for token, _ in listed)
    chances, missing = weigh(request_, text, listed)
    assert len(chances) in (0, len(request_.labels)) and 0 <= missing <= 1
    assert all(0 <= p <= 1 for p in chances) and (not chances or abs(sum(chances) - 1) < 1e-4)
    assert bool(chances) or missing == 1
    assert all(round(p, 6) == p for p in (*chances, missing))  # the same digits on every machine


def entry(token, logprob, top):
    return {"token": token, "logprob": logprob, "top_logprobs": [{"token": t, "logprob": x} for t, x in top]}


def test_places_are_read_as_servers_write_them():
    [(token, top)] = read_places([entry("sure", -0.1, [("sure", -0.1), ("im", -9999.0), ("x", 0.0000001)])])
    assert token == "sure" and top == {"sure": math.exp(-0.1), "im": 0.0, "x": 1.0}
    for wrong in (None, [{}], [entry(None, 0, [])], [entry("x", 0, [("x", math.nan)])], [{"token": "x"}], 7, ["x"]):
        with pytest.raises((ValueError, TypeError, KeyError)):
            read_places(wrong)


def test_shares_add_up_and_what_is_missing_is_told():
    assert normalised([0.2, 0.2]) == ((0.5, 0.5), 0.6) and normalised([0.0, 0.0]) == ((), 1.0)
    assert normalised([0.7, 0.7])[1] == 0.0


def test_a_player_may_bring_chances_of_its_own():
    lm = Scripted([Sample("sure", chances=(0.5, 0.25, 0.25), missing=0.1)])
    assert lm([VERDICTS])[0].samples[0].weighed
