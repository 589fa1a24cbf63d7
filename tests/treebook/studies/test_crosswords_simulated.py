"""The simulated solver: labelled as one everywhere, the same in every process, and its dials do what they say."""

import subprocess
import sys

import pytest

from tot import State, solve, user
from tot.tasks.crosswords import Crosswords
from tot.tasks.crosswords_board import BLANK, SLOTS, fits
from tot.tasks.crosswords_state import puzzles
from tot.testing import check_lm
from treebook.show import svg, text
from treebook.studies.crosswords_simulated import HELP, NAMED, SimulatedSolver

TASK = Crosswords()
X = puzzles("mini")[0].problem.x
CASES = [
    (clue, word, "".join(letter if mask >> i & 1 else BLANK for i, letter in enumerate(shown)))
    for puzzle in puzzles("mini")
    for clue, word in zip(puzzle.clues, puzzle.words, strict=True)
    for shown in (word, puzzle.words[0])
    for mask in (3, 12, 22)
]  # 1,200 clues with two or three letters: those of the right word, or of another


def rate(hits):
    hits = list(hits)
    return sum(hits) / len(hits)


def test_it_conforms_to_what_a_model_is():
    state = State(X).then(TASK.read_proposals(State(X), "h1. arena (high)")[0].value)
    state = state.then(TASK.read_proposals(state, "h2. peril (high)")[0].value)
    requests = [TASK.io(state), TASK.cot(state), TASK.propose(state), *TASK.value(state), user("Hello")]
    check_lm(SimulatedSolver(), requests)


def test_it_is_labelled_wherever_it_is_shown():
    solution = solve("crosswords", "mini-01", lm=SimulatedSolver(), steps=4)
    assert solution.lm.startswith("SIMULATED know=0.7 ") and solution.to_dict()["lm"] == solution.lm
    assert solution.trace.head["lm"] == solution.lm
    for view in (text(solution), svg(solution)):
        assert "SIMULATED" in view
    assert (
        len({SimulatedSolver(**{dial: 0.25}).name for dial in ("know", "overconfident", "stubborn", "false_fits")}) == 4
    )


PRINT = """
import tot
from treebook.studies.crosswords_simulated import SimulatedSolver
print(tot.solve("crosswords", "mini-05", lm=SimulatedSolver(seed=3), steps=20).trace.to_json())
"""


def test_a_run_is_the_same_in_every_process_and_another_with_another_seed():
    runs = [
        subprocess.run([sys.executable, "-c", PRINT], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout and len(runs[0].stdout) > 10_000
    here = [solve("crosswords", "mini-05", lm=SimulatedSolver(seed=seed), steps=20).trace.events for seed in (3, 3, 4)]
    assert here[0] == here[1] != here[2]


@pytest.mark.parametrize("dial", ["know", "overconfident", "stubborn", "false_impossible", "false_fits"])
def test_a_dial_is_a_probability(dial):
    for value in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match=f"{dial} is a probability from 0 to 1, not {value}"):
            SimulatedSolver(**{dial: value})


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 1.0])
def test_the_evaluator_errs_as_often_as_its_dials_say(p):
    lm = SimulatedSolver(false_impossible=p, false_fits=1 - p)

    def impossible(clue, letters):
        return TASK.read_value(lm._judge(f"h1. {clue}: {' '.join(letters)}", 0)).value == 0

    right = [impossible(clue, letters) for clue, word, letters in CASES if fits(word, letters)]
    wrong = [impossible(clue, letters) for clue, word, letters in CASES if not fits(word, letters)]
    assert len(right) > 500 and len(wrong) > 400
    assert rate(right) == pytest.approx(p, abs=0.06) and rate(wrong) == pytest.approx(p, abs=0.06)
    if p in (0.0, 1.0):
        assert rate(right) == rate(wrong) == p


@pytest.mark.parametrize("know", [0.0, 0.3, 0.8, 1.0])
def test_the_proposer_knows_as_many_words_as_its_dial_says(know):
    lm = SimulatedSolver(know=know)

    def named(clue, word, letters):
        """Does it name the right word in any of eight replies?"""
        return any(lm._word(clue, letters, i)[0] == word for i in range(8))

    clues = {clue: word for clue, word, _ in CASES}
    sight = rate(named(clue, word, BLANK * 5) for clue, word in clues.items())
    helped = rate(named(clue, word, word[:HELP] + BLANK * (5 - HELP)) for clue, word in clues.items())
    assert sight == pytest.approx(know, abs=0.07) and helped == pytest.approx(1 - (1 - know) ** 2, abs=0.07)
    said = rate(bool(lm._word(clue, BLANK * 5, i)[0]) for clue in clues for i in range(5))
    assert said == pytest.approx(NAMED, abs=0.04)


def test_its_proposals_fit_the_letters_unless_it_is_stubborn():
    def refused(**dials):
        solution = solve("crosswords", "mini-09", lm=SimulatedSolver(**dials), prune=False)
        unread = [u["why"] for e in solution.trace.events for u in e.get("unread", ())]
        assert all(why.startswith("does not fit") or why == "empty reply" for why in unread)
        return sum(why.startswith("does not fit") for why in unread)

    assert refused() == 0 < refused(stubborn=1.0)


def test_confidence_tells_known_words_from_others_unless_it_is_overconfident():
    asked = TASK.propose(State(X)).messages[-1].content
    words = dict(zip(SLOTS, puzzles("mini")[0].words, strict=True))

    def said(**dials):
        replies = "\n".join(SimulatedSolver(know=0.5, **dials)._propose(asked, i) for i in range(20))
        pairs = {(line[:2], line[4:9], line[11:-1]) for line in replies.split("\n")}
        return {c for n, w, c in pairs if words[n] == w}, {c for n, w, c in pairs if words[n] != w}

    assert said(overconfident=0.0) == ({"certain", "high"}, {"medium", "low"})
    assert said(overconfident=1.0) == ({"certain", "high"}, {"certain", "high"})


def solved(**knobs):
    dials = {k: knobs.pop(k) for k in ("know", "overconfident", "false_impossible", "false_fits") if k in knobs}
    lm = SimulatedSolver(**{"overconfident": 1.0, **dials})
    return rate(solve("crosswords", problem, lm=lm, **knobs).correct for problem in TASK.problems("easy"))


@pytest.mark.slow
def test_pruning_pays_while_the_evaluator_is_right_and_costs_when_it_is_not():
    good, none = solved(know=0.8), solved(know=0.8, prune=False)
    assert good >= none + 0.5 and none > 0
    assert solved(know=0.8, false_impossible=0.3) < none
    assert solved(know=1.0) == solved(know=1.0, prune=False) == 1.0 and solved(know=0.0) == 0.0
    assert solved(know=0.8, false_impossible=0.0, false_fits=1.0) == none  # it never prunes
    assert solved(know=0.8, backtrack=False) < good
