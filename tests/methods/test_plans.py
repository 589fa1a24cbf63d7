"""Planning first: the tree over plans by hand, who is asked what, and planners and judges that misbehave."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planners import LUCK, LUCKY, PLANS, SCORES, X, team
from trees import picture

from tot import METHODS, Budget, Sample, Scripted, solve
from tot.parse import Judgement, Read
from tot.tasks.zero_shot import GSM8K
from tot.testing import check_task


def asked(lm):
    """What was asked, in short."""
    short = []
    for request in lm.requests:
        text = request.messages[0].content
        plan = text.partition("Plan:\n")[2].partition("\n\n")[0]
        words = {"Write a plan": "plan", "Write a better": "revise", "agree": "logic", "each step": "feasibility"}
        short.append(f"{next((s for word, s in words.items() if word in text), 'execute')} {plan}".strip())
    return short


def texts(nodes):
    return [node.state.last.text for node in nodes]


def chosen(solution):
    """The plan that was carried out."""
    return solution.result.best[0].parent.state.last.text


def test_the_whole_method_by_hand():
    lm = team()
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=4, revisions=2)
    assert [line for line in picture(solution.trace) if not line.startswith(("selected", "introduced"))] == [
        *("asked 0", "expanded 0.0"),
        *("asked 0.0", "evaluated 0.0=0.5", "backed_up 0.0=0.5", "best 0.0=0.5"),
        *("asked 0.0=0.5", "expanded 0.0.0 0.0.1", "asked 0.0.0", "evaluated 0.0.0=0.6"),
        *("backed_up 0.0.0=0.6 0.0=0.5", "best 0.0.0=0.6"),
        *("asked 0.0.1", "evaluated 0.0.1=0.4", "backed_up 0.0.1=0.4 0.0=0.5"),
        *("asked 0.0.0=0.6", "expanded 0.0.0.0 0.0.0.1", "asked 0.0.0.0", "evaluated 0.0.0.0=0.9"),
        *("backed_up 0.0.0.0=0.9 0.0.0=0.6 0.0=0.5", "best 0.0.0.0=0.9"),
        *("asked 0.0.0.0=0.9", "expanded 0.0.0.0.0", "best 0.0.0.0.0"),
    ]
    assert asked(lm) == [
        *("plan", "logic A", "feasibility A", "revise A", "logic B", "feasibility B", "logic C", "feasibility C"),
        *("revise B", "logic D", "feasibility D", "execute D"),
    ]
    assert (solution.answer, solution.result.ledger.rounds, solution.result.unread) == ("7", 8, 0)
    nodes = solution.trace.nodes()
    assert [(nodes[id]["visits"], pytest.approx(nodes[id]["mean"])) for id in ("0.0", "0.0.0", "0.0.0.0")] == [
        (4, 0.6),
        (2, 0.75),
        (1, 0.9),
    ]
    assert "visits" not in nodes["0"] and nodes["0.0.0.0.0"]["answer"] == "7"


def test_the_judges_words_go_to_the_reviser_and_into_the_trace():
    lm = team()
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=4, revisions=2)
    revise = [r for r in lm.requests if "better plan" in r.messages[0].content]
    assert "logic 0.5: sound A\nfeasibility 0.5: doable A" in revise[0].messages[0].content
    assert "logic 0.6: sound B" in revise[1].messages[0].content and "sound A" not in revise[1].messages[0].content
    assert [(r.n, r.first) for r in revise] == [(2, 0), (2, 0)]
    assert solution.trace.nodes()["0.0.1"]["note"] == "logic 0.4: sound C\nfeasibility 0.4: doable C"
    scores = [s for e in solution.trace.events if e["kind"] == "evaluated" for s in e["scores"]]
    assert scores[0] == {"node": "0.0", "judge": "logic", "score": 0.5, "why": "sound A"} and len(scores) == 8


def test_each_role_is_a_model_of_its_own():
    lms = {role: team() for role in ("planner", "judge", "executor")}
    solution = solve("gsm8k", X, "mcts-plan", lm=lms, rollouts=4, revisions=2)
    assert {role: asked(lm) for role, lm in lms.items()} == {
        "planner": ["plan", "revise A", "revise B"],
        "judge": [f"{judge} {plan}" for plan in "ABCD" for judge in ("logic", "feasibility")],
        "executor": ["execute D"],
    }
    bills = solution.result.ledger.asked
    assert {role: (bill.calls, bill.samples) for role, bill in bills.items()} == {
        "planner": (3, 5),
        "judge": (8, 8),
        "executor": (1, 1),
    }
    assert solution.to_dict()["lm"] == "planner=team, judge=team, executor=team"
    for name in ("zero-shot-cot", "plan-and-solve", "judged-plans", "mcts-plan"):
        solution = solve("gsm8k", X, name, lm=lms)
        assert set(solution.result.ledger.asked) == set(METHODS[name].roles) and solution.answer == "7"


def test_a_budget_that_ends_the_planning_leaves_the_best_plan_so_far():
    solution = solve("gsm8k", X, "mcts-plan", lm=team(), revisions=2, budget=Budget(calls=6))
    assert solution.result.stopped == "calls" and texts(solution.result.best) == ["B"] and solution.answer is None


# By UCB1, as in tests/test_mcts.py: 6 rollouts judge A, B, C, D, F, G. F was seen once; G is its sister.
STATS = {"A": (6, 3.5 / 6), "B": (2, 1.3 / 2), "C": (3, 1.7 / 3), "D": (1, 0.6), "F": (1, 1.0), "G": (1, 0.1)}


@pytest.mark.parametrize(
    ("final", "plan"),
    [
        ("reward", "F"),  # one judgement, the highest: luck may have a part in it
        ("mean", "B"),  # two visits are needed
        ("visits", "C"),
    ],
)
def test_the_final_plan(final, plan):
    knobs = {"rollouts": 6, "revisions": 2, "final": final}
    solution = solve("gsm8k", X, "mcts-plan", lm=team(LUCKY, LUCK, {plan: 42}), **knobs)
    seen = {n["thought"]: (n["visits"], n["mean"]) for n in solution.trace.nodes().values() if "visits" in n}
    assert seen == {name: (visits, pytest.approx(mean)) for name, (visits, mean) in STATS.items()}
    assert chosen(solution) == plan and solution.answer == "42"


def test_the_papers_style_by_hand():
    """Four rollouts, each with a new plan: B, C, D, F. Rewards change sign at each step up, and a single visit may win.

    C is visited after D: B has lost -0.9 for it, so its UCB1 is -0.15 + sqrt(2 ln 4 / 2) = 1.03, that of C 2.07.
    """
    lm = team()
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=4, revisions=2, style="paper")
    seen = {n["thought"]: (n["visits"], n["mean"]) for n in solution.trace.nodes().values() if "visits" in n}
    by_hand = {
        "A": (5, (0.5 - 0.6 - 0.4 + 0.9 + 0.1) / 5),
        "B": (2, (0.6 - 0.9) / 2),
        "C": (2, (0.4 - 0.1) / 2),
        "D": (1, 0.9),
        "F": (1, 0.1),
    }
    assert seen == {plan: (visits, pytest.approx(mean)) for plan, (visits, mean) in by_hand.items()}
    assert chosen(solution) == "D" and solution.result.ledger.nodes == 1 + 4


def test_in_the_papers_style_one_visit_may_win_and_the_first_judgement_is_no_rollout():
    """With averages: the winner's curse, from which two visits would have kept the plan "B"."""
    knobs = {"rollouts": 5, "revisions": 2, "style": "paper", "zero_sum": False}
    lucky = solve("gsm8k", X, "mcts-plan", lm=team(LUCKY, LUCK), **knobs)
    assert lucky.result.ledger.nodes == 6 and chosen(lucky) == "F"
    one = solve("gsm8k", X, "mcts-plan", lm=team(), rollouts=1, revisions=2, style="paper")
    assert texts(one.result.visited) == ["A", "B"]  # the paper's single rollout: one revision


def test_the_initial_plan_is_eligible_and_wins_a_tie():
    same = dict.fromkeys(SCORES, 0.5)
    for final in ("reward", "mean"):
        assert chosen(solve("gsm8k", X, "mcts-plan", lm=team(scores=same), revisions=2, final=final)) == "A"


def test_enough_ends_the_search():
    lm = team()
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, revisions=2, enough=0.6)
    assert chosen(solution) == "B" and asked(lm)[-2:] == ["feasibility B", "execute B"]


def test_weights_leave_a_judge_out():
    said = {"A": ("0.2", "0.8"), "B": ("0.9", "0.1")}
    for weights, reward in [({"logic": 0.0}, 0.8), ({"feasibility": 0.0}, 0.2), ({"logic": 3.0}, 0.35)]:
        lm = team(scores=said)
        solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=1, **weights)
        assert solution.trace.nodes()["0.0"]["value"] == pytest.approx(reward)
        assert len([a for a in asked(lm) if a.split()[0] in ("logic", "feasibility")]) == 2 - (0.0 in weights.values())


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"logic": 0.0, "feasibility": 0.0}, "logic, feasibility, one of them above 0"),
        ({"logic": float("nan")}, "logic must be a number of at least 0"),
        ({"logic": 1e308, "feasibility": 1e308}, "weights must be finite"),
        ({"enough": 1.1}, "enough must be a number from 0 to 1, not 1.1"),
    ],
)
def test_knobs_that_make_no_sense(knobs, says):
    """Nothing is asked before they are refused."""
    lm = team()
    with pytest.raises(ValueError, match=says):
        solve("gsm8k", X, "mcts-plan", lm=lm, **knobs)
    assert not lm.requests


@pytest.mark.parametrize("name", ["plan-and-solve", "judged-plans", "mcts-plan"])
@pytest.mark.parametrize("reply", ["", "  \n", "Plan:", "..."])
def test_a_planner_that_returns_nothing(name, reply):
    lm = team({"": [reply] * 10})
    solution = solve("gsm8k", X, name, lm=lm)
    assert solution.answer is None and solution.answers == [] and solution.result.stopped == "done"
    assert solution.result.unread == (10 if name == "judged-plans" else 1) and asked(lm) == ["plan"]


def test_a_planner_that_revises_nothing():
    lm = team({"": ["A"]})
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, revisions=3)
    assert chosen(solution) == "A" and solution.result.unread == 3
    assert asked(lm) == ["plan", "logic A", "feasibility A", "revise A", "execute A"]


def test_a_loop_of_identical_plans():
    loop = {"": ["A plan."], "A plan.": ["a  PLAN", "B", "B."], "B": ["A plan", "B", "C"], "C": ["B"] * 3}
    lm = team(loop, {"A plan.": 0.5, "B": 0.6, "C": 0.7})
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=50)
    assert texts(solution.result.visited) == ["A plan.", "B", "C"] and chosen(solution) == "C"
    whys = [u["why"] for e in solution.trace.events for u in e.get("unread", ())]
    assert whys == ["the same plan again"] * 7 and solution.result.unread == 7
    assert solution.result.ledger.total.calls == 1 + 3 * 2 + 3 + 1  # and 50 rollouts ask for no more


@pytest.mark.parametrize(
    ("plan", "better"),
    [
        ("Add 5 + 3.", "Add 5 - 3."),
        ("n = a-b", "n = a+b"),
        ("x < 5", "x > 5"),
        ("5 - -3", "5 - 3"),
        ("Take 5% off", "Take 5 off"),
    ],
)
def test_a_revision_that_mends_a_sign_is_another_plan(plan, better):
    lm = team({"": [plan], plan: [better]}, {plan: 0.1, better: 0.9})
    assert chosen(solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=2, revisions=1)) == better


@pytest.mark.parametrize("again", ["- first, add.", "**First** add!", "first — add", "* First -- add"])
def test_marks_of_a_list_and_dashes_make_no_other_plan(again):
    lm = team({"": ["First, add."], "First, add.": [again]}, {"First, add.": 0.5})
    assert solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=2, revisions=1).result.unread == 1


def test_judges_who_say_great():
    lm = team(scores=dict.fromkeys(SCORES, ("great!", "I love it")))
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, revisions=2)
    assert chosen(solution) == "A" and solution.answer == "7"  # no reward speaks for another plan
    assert solution.result.unread == 3 * 2 and not any("value" in n for n in solution.trace.nodes().values())
    assert {n["thought"]: n.get("note") for n in solution.trace.nodes().values() if n["thought"] in "BC"} == {
        "B": "no reward",
        "C": "no reward",
    }


@pytest.mark.parametrize("reply", ["Score: nan", "NaN", "Score: inf", "Score: 1e400", "Score: 7"])
def test_a_reward_that_is_no_number_from_0_to_1(reply):
    lm = team(scores={**SCORES, "B": (reply, reply)})
    solution = solve("gsm8k", X, "mcts-plan", lm=lm, rollouts=4, revisions=2)
    nodes = solution.trace.nodes()
    assert "value" not in nodes["0.0.0"] and "revise B" not in asked(lm) and solution.result.unread == 2
    assert 0.3 < nodes["0.0"]["mean"] < 0.5 and chosen(solution) == "A"


def test_an_executor_that_gives_no_answer():
    lm = team()
    mute = Scripted(lambda r, i: "I would rather not." if "Carry out" in r.messages[0].content else lm([r])[0].texts[i])
    solution = solve("gsm8k", X, "mcts-plan", lm=mute, rollouts=1)
    assert solution.answer is None and solution.answers == [None] and solution.result.unread == 1


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), min_size=1, max_size=12))
def test_any_replies_at_all(replies):
    """Whatever a model says, the method ends, stays within its rollouts, and its rewards are from 0 to 1."""
    lm = Scripted(lambda r, i: replies[(len(r.messages[0].content) + i) % len(replies)])
    for name in ("plan-and-solve", "judged-plans", "mcts-plan"):
        solution = solve("gsm8k", X, name, lm=lm)
        assert solution.result.stopped == "done" and solution.result.ledger.nodes <= 11
        assert all(n.value is None or 0 <= n.value <= 1 for n in solution.result.visited)


def test_zero_shot_cot_is_the_executor_without_a_plan():
    lm = team(answers={"": 8})
    solution = solve("gsm8k", X, "zero-shot-cot", lm=lm, k=3)
    assert solution.answers == ["8"] * 3 and len(lm.requests) == 1 and lm.requests[0].n == 3
    text = lm.requests[0].messages[0].content
    assert "step by step" in text and "plan" not in text.lower() and "strategy" not in text.lower()


def test_plan_and_solve_is_two_calls():
    lm = team()
    solution = solve("gsm8k", X, "plan-and-solve", lm=lm, k=2, first=0)
    assert asked(lm) == ["plan", "execute A"] and solution.answers == ["7", "7"]
    assert solution.result.ledger.rounds == 2 and lm.requests[1].n == 2


def test_best_of_k_plans_takes_the_plan_with_the_highest_reward():
    lm = team({"": ["A", "C", "A", "D", "E", ""]}, answers={"D": 42})
    solution = solve("gsm8k", X, "judged-plans", lm=lm, plans=6)
    assert solution.answer == "42" and chosen(solution) == "D" and solution.result.unread == 2
    assert solution.result.ledger.rounds == 3 and asked(lm)[0] == "plan" and len(lm.requests) == 1 + 4 * 2 + 1
    assert lm.requests[0].n == 6


def test_a_planner_that_refuses_has_written_no_plan():
    words = "I cannot help with that."
    lm = Scripted(lambda r, i: Sample(words, "refusal"))
    for name in ("plan-and-solve", "judged-plans", "mcts-plan"):
        solution = solve("gsm8k", X, name, lm=lm)
        assert solution.answer is None and solution.result.ledger.rounds == 1 and solution.refused[0] == words
        whys = {u["why"] for e in solution.trace.events for u in e.get("unread", ())}
        assert whys == {"the model refuses"} and solution.result.unread == len(solution.refused)


def test_best_of_k_plans_carries_out_as_many_as_it_is_told():
    lm = team({"": ["A", "C", "D"]}, answers={"A": 7, "C": 7, "D": 42})
    solution = solve("gsm8k", X, "judged-plans", lm=lm, plans=3, executed=3)
    assert asked(lm)[-3:] == ["execute D", "execute A", "execute C"] and solution.result.ledger.rounds == 3
    assert solution.answers == ["42", "7", "7"] and solution.answer == "7"  # they vote


def test_the_first_plan_is_the_same_sample_in_every_method():
    """So recordings share it, and a tree search with one rollout carries out the plan of plan-and-solve."""
    first = [m.search(GSM8K(), X) for m in (METHODS["plan-and-solve"], METHODS["mcts-plan"])]
    one, two = (next(search).requests[0] for search in first)
    many = next(METHODS["judged-plans"].search(GSM8K(), X)).requests[0]
    assert one == two == many.samples(0, 1)
    alone, searched = team(), team()
    solve("gsm8k", X, "plan-and-solve", lm=alone)
    solve("gsm8k", X, "mcts-plan", lm=searched, rollouts=1)
    assert alone.requests[-1] == searched.requests[-1]


@pytest.mark.parametrize("name", ["plan-and-solve", "judged-plans", "mcts-plan"])
def test_plan_only_stops_before_the_execution(name):
    lms = {role: team({**PLANS, "": ["A", "D", "C"]}) for role in ("planner", "judge")}  # no executor is needed
    solution = solve("gsm8k", X, name, lm=lms, plan_only=True)
    assert solution.result.stopped == "done" and not solution.error and solution.answer is None
    plans = texts(solution.result.best)
    assert plans == {"plan-and-solve": ["A"], "judged-plans": ["D", "A", "C"], "mcts-plan": ["D"]}[name]


def test_a_reviewed_plan_is_carried_out_as_it_is():
    lm = team(answers={"Add the apples.": 7})
    solution = solve("gsm8k", X, "plan-and-solve", lm=lm, plan="Add the apples.")
    assert asked(lm) == ["execute Add the apples."] and chosen(solution) == "Add the apples." and solution.answer == "7"
    assert asked_for_a_plan(solve("gsm8k", X, "plan-and-solve", lm=team()))


@pytest.mark.parametrize("plan", ["", "  ", "\n\t"])
def test_an_empty_plan_is_refused(plan):
    """An unset variable in the shell: nobody has reviewed what the planner would write."""
    lm = team()
    with pytest.raises(ValueError, match="the plan is empty: write one, or leave it out to have the planner"):
        solve("gsm8k", X, "plan-and-solve", lm=lm, plan=plan)
    assert not lm.requests


def asked_for_a_plan(solution):
    return any(e["kind"] == "asked" and e["role"] == "planner" for e in solution.trace.events)


class Deaf(GSM8K):
    def plan(self, state, feedback):
        return super().plan(state, "")


class Gullible(GSM8K):
    def read_assessment(self, text):
        return Read(Judgement(float(len(text))))


@pytest.mark.parametrize(
    ("task", "says"),
    [(Deaf(), "'plan, better' should show a first plan and a judge's words"), (Gullible(), "is not from 0 to 1")],
)
def test_the_kit_looks_at_plans(task, says):
    with pytest.raises(AssertionError, match=says):
        check_task(task)
