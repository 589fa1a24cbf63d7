"""When search over plans pays: the study's players and its arithmetic, by hand and by brute force."""

from itertools import product
from math import comb, isclose
from random import Random
from statistics import fmean

import pytest

import tot
from studies.plans_pay.casts import ORACLE, casts, chains, one_plan, side_by_side, tree
from studies.plans_pay.judges import Ends, programs, read, veiled
from studies.plans_pay.measures import accuracies, affordable, chosen, vote
from studies.plans_pay.play import play
from studies.plans_pay.power import found
from studies.plans_pay.tables import figures
from tot.stats import mcnemar

TASK = tot.task("gsm8k")
PROBLEMS = TASK.problems("book")[:4]
GOLD = {p.x: p.gold for p in PROBLEMS}


def team(request, i):
    """Plan i of a question says "well" or "badly" by turns; who follows a good plan is right; judges see through it."""
    text = request.messages[-1].content
    x = text.removeprefix("Question: ").split("\n\n", 1)[0]
    if "Score: N" in text:
        return "Score: 0.9" if "well" in text else "Score: 0.2"
    if "Carry out" in text:
        return f"The answer is {GOLD[x] if 'well' in text else 'minus 1 of 3: -1'}."
    if "a plan" in text or "better plan" in text:
        how = "well" if (i + len(x)) % 2 else "badly"
        return f"1. Begin {how}, way {i} of {len(text)}.\n2. Go on."
    if "a strategy" in text:
        return f"Think {'well' if i % 2 else 'badly'}, way {i}."
    if "best choice" in text:
        return f"The best choice is {1 + text.index('Choice 2') // len(text)}."  # the first
    if "Strategy: " in text:
        return f"The answer is {GOLD[x] if i in (1, 2) else 100 + i}." if i != 4 else "No idea."
    return f"The answer is {GOLD[x] if i % 3 else 7}."


@pytest.fixture(scope="module")
def players():
    lm = tot.Scripted(team, name="L")
    return {"L": lm, "S": lm, **programs(Ends(TASK, lm, PROBLEMS))}


@pytest.fixture(scope="module")
def lines(players):
    return [play(cast, players, TASK, PROBLEMS) for cast in casts([])]


def test_programs_judge_the_plan_they_are_shown(players):
    x, plan = PROBLEMS[0].x, "1. Begin well.\n\n2. Go on."
    state = tot.State(x).then(tot.Thought("an older plan")).then(tot.Thought(plan))
    asked = [TASK.assess(state, judge) for judge in ("logic", "feasibility")]
    assert [read(request) for request in asked] == [(x, plan)] * 2
    assert [reply.texts for reply in players[ORACLE](asked)] == [("Score: 1.0000",)] * 2
    wrong = TASK.assess(tot.State(x).then(tot.Thought("badly")), "logic")
    assert players[ORACLE]([wrong])[0].texts == ("Score: 0.0000",)
    with pytest.raises(ValueError, match="asks no judge"):
        players[ORACLE]([TASK.plan(tot.State(x), "")])


@pytest.mark.parametrize("wanted", [0.5, 0.7, 0.9])
def test_a_simulated_judge_is_as_accurate_as_it_says(wanted):
    rng = Random(0)
    pairs = [(veiled(True, wanted, rng.gauss(0, 1)), veiled(False, wanted, rng.gauss(0, 1))) for _ in range(20_000)]
    assert abs(fmean(good > bad for good, bad in pairs) - wanted) < 0.012
    assert all(0 <= score <= 1 for pair in pairs for score in pair)


def test_a_line_of_plans_has_every_score_and_every_end(players):
    line = play(side_by_side("L"), players, TASK, PROBLEMS[:1])
    [plans] = line["plans"]
    assert len(plans) == 6
    for reward, logic, feasibility, right in plans:
        assert reward == logic == feasibility == (0.9 if right else 0.2)
    assert accuracies(line) == {0: 1.0} and chosen(line) == [1.0]
    assert line["voted"] == [1] or plans[0][3] == 0.0  # three to three: the first plan's answer


def test_a_line_of_chains_numbers_its_answers(players):
    line = play(chains("L"), players, TASK, PROBLEMS[:1])
    assert line["answers"][0][:4] == [0, 1, 1, 0] and line["right"] == [[1]]
    assert vote(line, 1) == [0.0] and vote(line, 2) == [0.0] and vote(line, 3) == [1.0]
    assert affordable(4 * 9.9, line) == 9  # a chain has four words
    assert affordable(0.0, line) == 1 and affordable(1e6, line) == 40


def test_a_tree_tells_which_plan_it_carried_out(players):
    line = play(tree(), players, TASK, PROBLEMS)
    assert line["solved"] == [1] * 4 and line["reward"] == [0.9] * 4
    first = play(one_plan("L", "L"), players, TASK, PROBLEMS)["solved"]
    assert [revised == 0 for revised in line["revised"]] == [bool(x) for x in first]
    assert set(line["written"]) == {"planner", "judge", "executor"} and line["written"]["executor"] == [4] * 4


def brute(n, changed, gap, alpha):
    """Every count of problems that only the one, or only the other, solved."""
    more, less = (changed + gap) / 2, (changed - gap) / 2
    power = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = comb(n, b) * comb(n - b, c)
            if mcnemar(b, c) < alpha:
                power += ways * more**b * less**c * (1 - changed) ** (n - b - c)
    return power


@pytest.mark.parametrize("case", [(12, 0.5, 0.3, 0.05), (40, 0.4, 0.25, 0.05), (70, 0.3, 0.15, 0.01)])
def test_power_is_that_of_all_outcomes(case):
    assert isclose(found(*case), brute(*case), abs_tol=1e-6)


def test_all_tables_are_made_of_the_lines(lines):
    told = figures(lines, [])
    solved = {row["method"]: row["solved"][0] for row in told["table 1"]["rows"]}
    assert solved["tree"] == 1.0 and solved["judges' pick of six"] == 1.0
    assert solved["one chain"] == pytest.approx(26 / 40)  # i = 0, 3 ... 39 are wrong
    assert [row["cast"] for row in told["table 4"]["rows"]] == ["".join(who) for who in product("SL", repeat=3)]
    assert all(row["pairs"] == (8 if "instead" in name else 4) for name, row in told["table 4"]["questions"].items())
    assert told["table 4"]["questions"]["a larger judge"]["difference"][0] == 0.0  # S and L are one team here
    accurate = {row["judge"]: row["right plan ahead"][0] for row in told["judges"]}
    assert accurate[ORACLE] == accurate["L"] == 1.0
    assert told["plans"]["all six alike"] == 0
