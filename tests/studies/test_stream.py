"""Streams of search: the text of a search, its strict reader, the strategy's oracle, the training rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from math import comb
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tot
import tot.tasks.game24_rules as rules
from studies.pocket.data import held_out
from studies.stream.data import lessons
from studies.stream.judging import Known
from studies.stream.measures import inside, is_right, read
from studies.stream.recording import stream_model
from studies.stream.searches import STRATEGIES, blind, searched
from studies.stream.strategy import choices
from studies.stream.text import verdict_of, written
from tot.lm.base import LM, OnReply, Reply, Request, Sample, Usage
from tot.state import Node, State
from tot.stats import sign_flips
from tot.tasks.base import Problem
from tot.tasks.game24 import Game24, left, numbers_of
from tot.tasks.game24_rules import Numbers, Step, moves, show_numbers
from treebook.players.streaming import HOW, prompt, searching, stream_tokens
from treebook.players.template import Refusal
from treebook.players.tokens import decode, encode
from treebook.studies.learned import Streams
from treebook.studies.results import compared, least_shown, rate
from treebook.studies.streams import read_stream, retold

GAME = Game24()
WORDS = ("sure", "likely", "impossible")
X = "4 5 6 10"
TEXT = """6 - 4 = 2 (left: 2 5 10). impossible
10 - 4 = 6 (left: 5 6 6). sure
Numbers: 5 6 6
5 + 6 = 11 (left: 6 11). impossible
5 * 6 = 30 (left: 6 30). likely
Numbers: 6 30
6 + 30 = 36 (left: 36)
30 - 6 = 24 (left: 24)
Answer: 5 * (10 - 4) - 6"""


def moody(seed: int, hope: float):
    """A judge with moods, who says the same of the same numbers."""

    def judge(numbers: Numbers) -> str:
        rng = Random(f"{seed} {numbers}")
        return rng.choice(WORDS[:2]) if rng.random() < hope else "impossible"

    return judge


def lines_of(strategy: str, x: str, seed: int, hope: float = 0.15) -> list[str]:
    choose = blind(Random(seed), STRATEGIES[strategy].proposals)
    return list(islice(written(searched(strategy, x, choose, moody(seed, hope))), 150))


puzzles = st.lists(st.integers(1, 13), min_size=4, max_size=4).map(lambda n: " ".join(map(str, sorted(n))))


def test_a_stream_is_read_as_the_tree_that_it_tells():
    stream = read_stream(X, TEXT)
    assert not stream.unread and stream.answer == "5 * (10 - 4) - 6"
    first, second = stream.root.children
    assert (first.value, second.value) == (0.001, 20.0)
    assert [show_numbers(left(n.state)) for n in second.children] == ["6 11", "6 30"]
    assert [verdict_of(n) for n in second.children[1].children] == ["impossible", "sure"]
    assert is_right(Problem(X, X), stream)


@settings(max_examples=15)
@given(st.sampled_from(sorted(STRATEGIES)), puzzles, st.integers(0, 10**6), st.sampled_from([0.02, 0.15, 0.6]))
def test_what_is_written_is_read_again_and_follows_its_strategy(strategy, x, seed, hope):
    lines = lines_of(strategy, x, seed, hope)
    stream = read_stream(x, "\n".join(lines), strategy)
    assert [line.text for line in stream.lines] == lines
    assert not stream.unread
    assert all(choice.right for choice in choices(stream, strategy))
    if stream.answer is not None:
        assert GAME.check(x, stream.answer).correct
    assert decode(encode("\n".join(lines))) == "\n".join(lines)


@settings(max_examples=30)
@given(puzzles, st.integers(0, 10**6))
def test_the_written_lines_are_the_searchs_own_order(x, seed):
    # the oracle: a depth-first search over all legal steps, written for this test alone
    judge, choose, lines = moody(seed, 0.3), blind(Random(seed), 36), []

    def visit(node: Node) -> bool:
        for step in choose(node):
            end = len(step.left) == 1
            word = ("sure" if step.left == (24,) else "impossible") if end else judge(step.left)
            lines.append(str(step) if end else f"{step}. {word}")
            if end and word == "sure":
                return True
            if not end and word != "impossible" and visit(Node(State(show_numbers(step.left)))):
                return True
        return False

    visit(Node(State(x)))
    got = written(searched("depth-first", x, blind(Random(seed), 36), judge))
    steps = [line for line in got if not line.startswith(("Numbers", "Answer"))]
    assert steps == lines


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("6 - 4 = 3 (left: 3 5 10). sure", "wrong arithmetic"),
        ("6 - 4 = 2 (left: 2 5 11). sure", "numbers left"),
        ("7 - 4 = 3 (left: 3 5 10). sure", "operand is not there"),
        ("6 - 4 = 2 (left: 2 5 10)", "no verdict"),
        ("10 - 4 = 6 (left: 5 6 6). maybe", "not a line of a search"),
        ("Numbers: 2 5 10", "no such state"),
        ("Numbers: 2 5 1/0", "not numbers"),
        ("I give up", "not a line of a search"),
        ("", "not a line of a search"),
    ],
)
def test_what_does_not_hold_is_kept_as_unread(line, why):
    [read_line] = read_stream(X, line).lines
    assert read_line.kind == "unread" and why in read_line.why


def test_a_step_twice_a_verdict_too_many_and_a_step_from_nowhere_are_unread():
    twice = read_stream(X, "6 - 4 = 2 (left: 2 5 10). sure\n6 - 4 = 2 (left: 2 5 10). sure")
    assert [line.why for line in twice.lines] == ["", "the same step again"]
    over = "\n".join([*TEXT.split("\n")[:6], "6 + 30 = 36 (left: 36). impossible"])
    assert read_stream(X, over).lines[-1].why == "a verdict too many"
    lost = read_stream(
        X, "Numbers: 1 2 3\n6 - 4 = 2 (left: 2 5 10). sure\nNumbers: 4 5 6 10\n5 + 6 = 11 (left: 4 10 11). sure"
    )
    assert [line.why for line in lost.lines] == ["no such state", "below a state that is not there", "", ""]


def test_of_a_text_that_was_cut_off_the_last_line_does_not_count():
    whole, cut = read_stream(X, TEXT[:-3]), read_stream(X, TEXT[:-3], whole=False)
    assert whole.answer == "5 * (10 - 4) " and cut.answer is None
    assert len(cut.lines) == len(whole.lines) - 1
    sample = Sample(TEXT[:-3], "length", 60)
    assert read(Problem(X, X), sample, "depth-first").answer is None


class Moods(dict):
    """Verdicts on any state, made up: whoever asks the solver for them is found out."""

    def __missing__(self, numbers: Numbers) -> int:
        return Random(str(numbers)).choice([0, 0, 0, 0, 0, 1, 3])


class Lists(dict):
    """Two lists of proposals for any state, made up; the second is empty."""

    def __missing__(self, numbers: Numbers) -> list[list[Step]]:
        return [Random(str(numbers)).sample(moves(numbers), min(3, len(moves(numbers)))), []]


MADE_UP = Known(Moods(), Lists())


def test_no_held_out_puzzle_and_no_solver_reaches_the_rows(monkeypatch):
    def solver(*_):
        raise AssertionError("a solver was asked")

    for name in ("solvable", "luck"):
        monkeypatch.setattr(rules, name, solver)
    monkeypatch.setattr("studies.pocket.data.solvable", solver)
    out = {" ".join(sorted(x.split(), key=int)) for x in held_out()}
    for tokens in islice(lessons(MADE_UP, Random(1)), 100):
        text = decode(tokens[1:]).split("<reply>")[0]
        assert " ".join(sorted(text.removeprefix("Numbers: ").split(), key=int)) not in out


@pytest.mark.parametrize("strategy", sorted(HOW))
def test_the_template_reads_what_the_question_asks(strategy):
    tokens = stream_tokens(searching(X, strategy, begun="Numbers: 5 6 6\n"))
    assert tokens == [*prompt(X, strategy), *encode("Numbers: 5 6 6\n")]
    assert decode(tokens[1:]) == "Numbers: 4 5 6 10<reply>Numbers: 5 6 6\n"


def test_other_prompts_are_refused_and_other_strategies_named():
    with pytest.raises(Refusal):
        stream_tokens(GAME.cot(State(X)))
    [reply] = stream_model()([GAME.cot(State(X))])
    assert reply.samples[0].finish == "refusal" and "stream model" in reply.texts[0]
    with pytest.raises(Refusal, match="cannot read the question"):
        stream_tokens(searching("4 5 6", "depth-first"))
    with pytest.raises(Refusal, match="cannot read 'I'"):
        stream_tokens(searching(X, begun="I think"))
    with pytest.raises(ValueError, match="depth-first or best-first, not 'wide'"):
        searching(X, "wide")


class Says(LM):
    """Always the same text."""

    name = "says"

    def __init__(self, text: str, finish: str = "stop") -> None:
        self.text, self.finish, self.asked = text, finish, list[Request]()

    def __call__(self, requests: Sequence[Request], on_reply: OnReply | None = None) -> list[Reply]:
        self.asked += requests
        bill = Usage(1, 1, 9, 99)
        sample = Sample(self.text, self.finish, 99)
        return [Reply((sample,) * r.n, bill, bill, 0.0) for r in requests]


def test_what_is_inside_is_counted():
    found = inside([read_stream(X, TEXT + "\nmore")], "depth-first", {numbers_of("5 6 6"): 1})
    assert found["lines"] == {"step": 6, "turn": 2, "answer": 1}
    assert found["moves"]["within"] == {
        "first": [1, 1, 1.0],
        "stay": [3, 3, 0.95],  # 1/2 + 1/4 + 1/5: so many states were there
        "down": [2, 2, 0.533333],  # 1/3 + 1/5
        "back": [0, 0, 0.0],
    }
    assert found["moves"]["beyond"]["stay"] == [0, 0, 0.0]
    assert found["verdicts"]["3 living"] == [0, 0, 1] and found["judge"]["3 living"] == [0, 1, 0]


def test_the_shipped_weights_are_those_of_the_recording_and_of_the_results():
    study, weights = Streams("studies/results/stream.json"), stream_model().weights
    [session] = tot.Cassette("notebooks/cassettes/19_stream.jsonl").tape.sessions.values()
    assert weights == session["weights_sha256"] and weights.startswith(study.figures["weights"]["stream"])


def test_chapter_19s_control_practised_chains_as_long_and_its_four_chains_stay_behind_the_stream():
    figures = json.loads(Path("studies/results/stream.json").read_text(encoding="utf-8"))
    right = figures["measured"]["stream"]["depth-first"]["right"]
    assert {run["seed"] for run in figures["control"]} == {0, 1}
    gaps = []
    for run in figures["control"]:
        assert abs(run["tokens"] / figures["training"]["tokens"] - 1) < 0.01
        k, chains = run["chains"]["k"], run["chains"]["right"]
        four = [1 - comb(k - c, 4) / comb(k, 4) for c in chains]
        one, before = (fmean(counts) / k for counts in (chains, figures["pocket"]["chains"]["right"]))
        assert 0.05 < one - before < 0.09
        gaps.append([fmean(some) - share for some, share in zip(right, four, strict=True)])
    assert round(fmean(map(fmean, gaps)), 2) == 0.14
    study, again = (Streams(f"studies/results/{name}.json") for name in ("stream", "fresh"))
    four = [fmean(two) for two in zip(*study.control(4, "fresh"), strict=True)]
    assert 0.05 < compared(again.within("stream", "depth-first", 512), four).p < 0.1  # there it is only a hint
    assert sign_flips([round(fmean(two), 2) for two in zip(*gaps, strict=True)]) < 0.001
    ours, there = study.within("stream", "depth-first", 512), again.within("stream", "depth-first", 512)
    tree = again.tree("b = 5, one reply")[0]
    told = [str(compared(there, rival)) for rival in (again.chains(4), four, tree)]
    assert told == ["+8 [+3, +13], p = 0.004", "+7 [−0, +14], p = 0.074", "−10 [−18, −1], p = 0.017"]
    forty = map(fmean, zip(*study.control(40), strict=True))
    assert (round(fmean(study.chains(40)), 2), round(fmean(forty), 2)) == (0.86, 0.69)
    rivals = study.chains(4), study.tree("b = 1, one reply")[0]
    assert [round(100 * least_shown(ours, rival)) for rival in rivals] == [9, 14]
    several = [(k, round(k * study.tokens("stream", "depth-first") / study.chain_tokens)) for k in (2, 4, 8)]
    both = [(study.within("stream", "depth-first", 512, k), study.chains(n)) for k, n in several]
    assert [[round(100 * fmean(one)) for one in two] for two in both] == [[78, 63], [90, 76], [95, 84]]
    found = study.streams("stream", "depth-first")
    shares = [found[who][f"3 {life}"][0] / sum(found[who][f"3 {life}"])
              for who in ("verdicts", "judge") for life in ("living", "dead")]  # fmt: skip
    assert shares == pytest.approx([0.25, 0.98, 0.10, 0.99], abs=0.006)


def test_streams_are_counted_within_a_budget_and_chains_and_trees_beside_them(tmp_path):
    streams = {
        "right": [[1, 0], [1, 1]],
        "tokens": [[50, 200], [50, 150]],
        "moves": {"within": {"back": [1, 4, 2.0], "down": [0, 0, 0.0]}},
    }
    pocket = {"chains": {"k": 4, "right": [1, 4], "tokens": 40.0}, "trees": {"narrow": {"solved": [0, 1], "tokens": 9}}}
    control = [{"chains": {"k": 4, "right": [4, 0], "tokens": 40.0}}]
    file = tmp_path / "stream.json"
    file.write_text(
        json.dumps({"pocket": pocket, "control": control, "measured": {"stream": {"depth-first": streams}}})
    )
    study = Streams(file)
    assert study.within("stream", "depth-first", 100) == [0.5, 0.5]
    assert study.within("stream", "depth-first", 200, 2) == [1.0, 1.0]
    assert study.within("stream", "depth-first", 50) == [0.5, 0.5]  # with its last token, it has it
    assert study.within("stream", "depth-first", 49, 2) == [0.0, 0.0]
    assert study.tokens("stream", "depth-first") == 112.5
    assert study.tokens("stream", "depth-first", 100) == 75
    assert study.control(2) == [[1.0, 0.0]]
    assert study.chains(2) == [0.5, 1.0] and study.tree("narrow") == ([0.0, 1.0], 9.0)
    back, chance = study.moves("stream", "depth-first", "back")
    assert (back.rate, back.n, chance) == (0.25, 4, 0.5)
    assert study.moves("stream", "depth-first", "down") == (None, 0.0)
    assert rate([0.0, 1.0]).rate == rate([0.5, 0.5]).rate == 0.5


def test_a_difference_and_what_could_be_shown():
    a, b = [1.0] * 8, [0.0] * 8
    assert compared(a, b).gain.rate == 1 and compared(a, b).p == pytest.approx(2 / 2**8)
    # gaps 1, 0, 1, 0: a variance of 1/3, of four puzzles
    assert least_shown([1.0, 0.5, 1.0, 0.5], [0.0, 0.5, 0.0, 0.5]) == pytest.approx(2.8 * (1 / 12) ** 0.5)


def test_a_stream_is_retold_as_a_search_that_asks_its_question_only():
    stream = read_stream(X, TEXT)
    result = tot.run(retold(stream), Says("never asked"))
    assert result.best[0].state.last.text == "30 - 6 = 24 (left: 24)"
    assert result.trace.result["answers"] == [stream.answer] and result.trace.result["usage"]["calls"] == 0
    told = [event for event in result.trace.events if event["kind"] in ("expanded", "evaluated")]
    assert ["value" in event["nodes"][0] for event in told] == 6 * [False, True]
    billed = tot.run(retold(stream, searching(X).samples(0, 1)), Says(TEXT)).trace.result
    assert billed["usage"]["calls"] == 1 and billed["answers"] == [stream.answer]
    lines = TEXT.split("\n")
    late = read_stream(X, "\n".join([*lines[:6], lines[7], lines[6], lines[8]]))  # it goes on after 24
    assert tot.run(retold(late), Says("never asked")).best[0].state.last.text == lines[7]
    nothing = tot.run(retold(read_stream(X, "I give up")), Says("never asked"))
    assert nothing.best[0].depth == 0
