"""Judges: how a score is read, and what a panel makes of several."""

from functools import partial
from math import nan

import pytest
from driving import drive
from fuzz import fuzz, texts
from hypothesis import given
from hypothesis import strategies as st
from tables import bars, refused
from trees import root, word

from tot import Sample, Scripted, Thought, judges, run, task, user, value, vote
from tot.parse import Judgement, Read, read_judged
from tot.tasks.ballots import choice
from tot.tasks.scores import score

pytestmark = pytest.mark.filterwarnings("error")
FUZZ = fuzz()


@pytest.mark.parametrize(
    ("text", "points", "reason"),
    [
        ("Score: 0.8\nStep 2 is vague.", 0.8, "Step 2 is vague"),
        ("Step 2 contradicts step 1.\nScore: 0.2", 0.2, "Step 2 contradicts step 1"),
        ("0.8\nStep 2 is vague.", 0.8, "Step 2 is vague"),
        ("Step 2 is vague.\n**0.8**\n", 0.8, "Step 2 is vague"),
        ("**Score:** 0.75 because it is fine", 0.75, "because it is fine"),
        ("Score: 8/10. Good.", 0.8, "Good"),
        ("Score: 8 out of 10", 0.8, ""),
        ("The score is 80% here", 0.8, "The here"),
        ("Score (0-1): 0.9", 0.9, ""),
        ("Score: 0.8/1.0", 0.8, ""),
        ("score = 1.0", 1.0, ""),
        ("Score: .5", 0.5, ""),
        ("Score: 0,8", 0.8, ""),
        ("Score: [0.8]", 0.8, ""),
        ("Score: 0", 0.0, ""),
        ('{"score": 0.4, "reason": "no total"}', 0.4, "no total"),
        ("Score: 0.4\nReason: no total", 0.4, "no total"),
        ("Score: 0.8.\nThe score would be 1 with units.", 0.8, "The score would be 1 with units"),
        ("Score: 0.8\nso the score is 0.8", 0.8, "so the"),
        ("1. Read\n2. Solve\n0.6", 0.6, "1. Read 2. Solve"),
        ("评分：0.8\n很好", 0.8, "很好"),
        ("Score: 0.7, but step 1 is unclear.", 0.7, "but step 1 is unclear"),
        ("Score: 0.5. No step 1 needed.", 0.5, "No step 1 needed"),
        ("Score: 0.8 Step 3 is vague.", 0.8, "Step 3 is vague"),
        ("Score: 1 Step 1 is fine", 1.0, "Step 1 is fine"),
        ("Score: 0.5, no, rather 0.6", 0.6, ""),
        ("Score: 0.6\nBetter: 1. Count first.", 0.6, "Better: 1. Count first"),
        ("Score: 0.9, but step 2 divides by zero, so I lower it to 0.2.", 0.2, "but step 2 divides by zero, so"),
        ("Score: 0.8. Units would raise it to 1.0.", 0.8, "Units would raise it to 1.0"),
        ("Score: 0.8, sorry, I meant 0.7", 0.7, ""),
        ("Score: 0.9. I have to reduce it to 0.6.", 0.6, ""),
        ("Score: 0.9. It errs, which lowers it to 0.5.", 0.5, "It errs"),
        ("Score: 0.7. But the 1 in step 2 is odd.", 0.7, "But the 1 in step 2 is odd"),
    ],
)
def test_scores(text, points, reason):
    read = score(text)
    assert read.ok and read.value == Judgement(points, reason)


NO_SCORES = """
no score in the reply <- great! | Score: nan | Score: high | Score: 0 to 1
no score in the reply <- Score: 0-1 | Score: 0.8.5 | 1. Read the question.⏎2. Add 3 and 4.
a score of 8, which is not from 0 to 1 <- Score: 8
a score of -0.5, which is not from 0 to 1 <- Score: -0.5
a score of 1.1, which is not from 0 to 1 <- Score: 11/10
a score of 1, which is not from 0 to 1 <- Score: 1/0
a score of 7, which is not from 0 to 1 <- Puntuación de 1 a 10: 7
several scores in the reply <- 0.3⏎fine⏎0.9 | Score: 0.5⏎Score: 0.7
"""


@pytest.mark.parametrize(("text", "why"), [*refused(NO_SCORES), ("", "no score in the reply")])
def test_no_score_and_why(text, why):
    read = score(text)
    assert (read.value, read.why) == (None, why)


PIECES = [*"0123456789./%-, \n:()*\ud800", *bars(f"Score|score: |score is | out of |1.0|0.|评分|{'9' * 20}")]
TEXT = texts(PIECES)


@FUZZ
@given(TEXT)
def test_any_text_gives_a_score_from_0_to_1_or_a_reason_why_not(text):
    read = score(text)
    assert read.ok == (read.value is not None) and len(read.text) < 300
    if read.value:
        assert 0 <= read.value.score <= 1 and len(read.value.reason) < 400


@FUZZ
@given(st.integers(0, 100), st.sampled_from(["Score: {}", "{}", "**Score: {}**", "Clear.\n{}", "Score: {}\nClear."]))
def test_a_score_is_read_back(hundredths, form):
    assert score(form.format(hundredths / 100)).value.score == hundredths / 100
    assert score(f"Score: {hundredths}%").value.score == hundredths / 100
    if hundredths > 1:
        assert not score(f"Score: {hundredths}").ok


PANEL = {
    "logic": lambda state: user(f"logic {word(state)}"),
    "feasibility": lambda state: user(f"feasible {word(state)}"),
}


def panel(replies, **more):
    """A panel, and the model behind it: question -> reply, or a reply for each sample."""

    def says(request, i):
        reply = replies.get(request.messages[0].content, "great!")
        return reply[i] if isinstance(reply, list) else reply

    return judges(PANEL, score, **more), Scripted(says)


def children(*letters):
    return root().grow([Thought(letter) for letter in letters])


def test_all_judges_are_asked_about_all_plans_in_one_round():
    nodes = children("a", "b")
    replies = {
        "logic ra": "Score: 1\nSound.",
        "feasible ra": "0.5\nHard.",
        "logic rb": "0",
        "feasible rb": "Score: 20%",
    }
    evaluate, lm = panel(replies, first=4)
    _, [ask], [event] = drive(evaluate(nodes), lm)
    assert (ask.role, ask.nodes, ask.about) == ("judge", nodes, [0, 0, 1, 1])
    assert [r.messages[0].content for r in ask.requests] == ["logic ra", "feasible ra", "logic rb", "feasible rb"]
    assert {(r.n, r.first) for r in ask.requests} == {(1, 4)}
    assert [n.value for n in nodes] == [0.75, 0.1]
    assert nodes[0].note == "logic 1: Sound\nfeasibility 0.5: Hard"
    assert event.data["unread"] == [] and event.data["scores"] == [
        {"node": "0.0", "judge": "logic", "score": 1.0, "why": "Sound"},
        {"node": "0.0", "judge": "feasibility", "score": 0.5, "why": "Hard"},
        {"node": "0.1", "judge": "logic", "score": 0.0, "why": ""},
        {"node": "0.1", "judge": "feasibility", "score": 0.2, "why": ""},
    ]


def test_weights_and_samples():
    replies = {"logic ra": ["1", "0.5", "?"], "feasible ra": ["0", "0.1\nNo.", "0.2\nNo."]}
    [node] = children("a")
    evaluate, lm = panel(replies, weights={"logic": 3, "feasibility": 1}, n=3)
    _, _, [event] = drive(evaluate([node]), lm)
    assert node.value == pytest.approx((3 * 0.75 + 1 * 0.1) / 4) and len(event.data["scores"]) == 5
    assert [(u["node"], u["judge"], u["why"]) for u in event.data["unread"]] == [
        ("0.0", "logic", "no score in the reply")
    ]
    assert node.note.endswith("feasibility 0.1: No")


def test_a_judge_without_a_weight_is_not_asked():
    for weights in ({"logic": 0, "feasibility": 2.0}, {"feasibility": 1}):
        [node] = children("a")
        evaluate, lm = panel({"feasible ra": "0.5"}, weights=weights)
        drive(evaluate([node]), lm)
        assert node.value == 0.5 and [r.messages[0].content for r in lm.requests] == ["feasible ra"]


@pytest.mark.parametrize(
    "weights",
    [
        *({"logic": 0, "feasibility": 0}, {}, {"logic": -1, "feasibility": 2}, {"logic": nan}),
        *({"logic": float("inf")}, {"taste": 1}, {"logic": 1e308, "feasibility": 1e308}),
    ],
)
def test_weights_that_make_no_sense(weights):
    with pytest.raises(ValueError, match="finite numbers of at least 0 for logic, feasibility, one of them above 0"):
        panel({}, weights=weights)


def test_what_cannot_be_read_is_counted_and_not_guessed():
    nodes = children("a", "b")
    evaluate, lm = panel({"logic ra": "0.4"})  # all others say "great!"
    result = run(evaluate(nodes), lm)
    assert [n.value for n in nodes] == [0.4, None] and result.unread == 3 and result.ledger.rounds == 1
    assert "value" not in result.trace.nodes()["0.1"] and set(result.ledger.asked) == {"judge"}


def test_a_refusal_is_no_verdict_whatever_it_says():
    """Else a judge who will not say "score: 1" would have said it."""

    def refuse(text):
        return Scripted(lambda r, i: Sample(text, "refusal"))

    reads_all = value(lambda state: user(word(state)), lambda text: Read(1.0), n=2)
    chosen = vote(lambda states: user("which?"), choice, n=2)
    for evaluate, text, worth in [(panel({})[0], "Score: 1", None), (reads_all, "1", 0.0), (chosen, "choice 1", 0.0)]:
        nodes = children(*("ab" if evaluate is chosen else "a"))
        _, _, [event] = drive(evaluate(nodes), refuse(text))
        assert nodes[0].value == worth
        assert [(u["why"], u["text"]) for u in event.data["unread"]] == [("the model refuses", text)] * 2


REASONING = "10 + 13 = 23, which makes it impossible so far. But 13 - 10 = 3, and"
VERDICT = task("game24").read_value
BALLOT = partial(choice, options=3)


@pytest.mark.parametrize(
    ("read", "text", "heard"),
    [
        (VERDICT, REASONING, None),
        (VERDICT, "At first glance I would call this one impossible, as 14 is too far away. Let me", None),
        (VERDICT, f"{REASONING} 3 * 8 = 24\nsure\n1 3 9\n1 + 3 = 4,", 20.0),
        (VERDICT, "10 + 14 = 24\nVerdict: sure.\nThis is because", 20.0),
        (VERDICT, "10 / 14 = 0.71... impossible", 0.001),
        (VERDICT, "impossible\n\n10 and 13 are", 0.001),
        (score, "Score: 0.7\nThe second step should", 0.7),
        (score, "Score: 0", None),
        (score, "Of the steps, the first is worth 0.9 on its own, I would say, while the", None),
        (BALLOT, "The best choice is 2, because choice 1", 1),
        (BALLOT, "Sure, the best choice is 2. It", 1),
        (BALLOT, "The best choice is 2", 1),
        (score, "Score: 0.", None),
        (BALLOT, "Let us look at each of them in its turn, one by one: choice 3 looks", None),
    ],
)
def test_of_a_reply_that_is_cut_off_only_a_plain_judgement_counts(read, text, heard):
    """What a judge says while it reasons is no judgement yet; what it ends with, or begins with, is one."""
    plain = getattr(read(text).value, "score", read(text).value)
    for finish, right in (("stop", plain), ("length", heard), ("content_filter", heard)):
        found = read_judged(Sample(text, finish), read)
        got = getattr(found.value, "score", found.value)
        assert got == right or (finish == "stop" and plain is None), (finish, found)
        assert found.ok or finish == "stop" or "cut off" in found.why or plain is None


def test_a_judge_that_is_cut_off_is_told_how_to_be_heard():
    lm = Scripted([Sample(REASONING, "length", completion_tokens=24)] * 2)
    node = root("10 13")
    _, _, [event] = drive(value(lambda state: user(state.x), VERDICT, n=2)([node]), lm)
    assert node.value == 0.0
    assert len(event.data["unread"]) == 2 and all("max_tokens" in one["why"] for one in event.data["unread"])


def test_no_ballot_is_paid_for_a_choice_that_is_alone():
    evaluate = vote(lambda states: user("which?"), choice, n=2)
    _, asks, [event] = drive(evaluate(children("a")), Scripted(lambda r, i: "1"))
    assert not asks and event.data["unread"] == []


def test_a_reader_that_gives_no_score_is_not_believed():
    for odd in (nan, -0.1, 1.1):
        [node] = children("a")
        evaluate = judges(PANEL, lambda text, odd=odd: Read(Judgement(odd)))
        _, _, [event] = drive(evaluate([node]), Scripted(lambda r, i: ""))
        assert node.value is None and [u["why"] for u in event.data["unread"]] == ["not a score from 0 to 1"] * 2


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2), st.floats(0, 9), st.floats(0.001, 9))
def test_the_reward_lies_between_the_scores(points, one, two):
    [node] = children("a")
    points = [round(p, 6) for p in points]
    replies = {"logic ra": f"Score: {points[0]:.6f}", "feasible ra": f"Score: {points[1]:.6f}"}
    evaluate, lm = panel(replies, weights={"logic": one, "feasibility": two})
    drive(evaluate([node]), lm)
    assert min(points) - 1e-9 <= node.value <= min(1, max(points) + 1e-9)
