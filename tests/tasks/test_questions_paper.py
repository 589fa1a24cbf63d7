"""The paper's style of question tasks: what long replies hold is found, and nothing is cut off or lost on the way."""

import pytest
from fuzz import fuzz
from hypothesis import given
from hypothesis import strategies as st
from tables import pairs
from wordy_plans import DETAIL, OPENINGS, plan, verbose

from tot import State, Thought, solve, task
from tot.parse import bad
from tot.tasks import TASKS
from tot.tasks.base import ROOM
from tot.tasks.questions_paper import read_free_plan, second
from tot.tasks.zero_shot import ZeroShot

FUZZ = fuzz()
NAMES = [name for name in TASKS if issubclass(TASKS[name], ZeroShot)]
ENDS = {"strategyqa": ("**The answer is {}.**", "So, to conclude: the answer is **{}**.")}
ENDS["hotpotqa"] = ENDS["questions"] = ("**The answer is {}.**", "**Answer:** {}")
USUAL_ENDS = ("**The answer is {}.**", "Therefore:\n\n**The answer is: {}**", "The final answer is $\\boxed{{{}}}$.")


def test_the_prompts_leave_room_and_show_what_they_should():
    each, state = task("gsm8k").in_paper_style(), State("How many?")
    below = state.then(Thought("1. Count.\n\n2. Say it."))
    first, better = each.plan(state, ""), each.plan(below, "logic 0.5: nothing\nis counted")
    judged, done = each.assess(below, "logic"), each.execute(below)
    for request in (first, better, judged, done, each.io(state), each.cot(state), each.execute(state)):
        assert request.max_tokens == ROOM and "Question: How many?" in request.messages[0].content
        assert "ten words" not in request.messages[0].content and "60 words" not in request.messages[0].content
    for request in (better, judged, done):
        assert "Plan:\n1. Count.\n\n2. Say it.\n\n" in request.messages[0].content
    assert "logic 0.5: nothing\nis counted" in better.messages[0].content
    assert each.assess(below, "feasibility") != judged and "step by step" in each.execute(state).messages[0].content


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "method", ["io", "cot", "cot-sc", "zero-shot-cot", "plan-and-solve", "judged-plans", "mcts-plan"]
)
def test_nothing_is_cut_off_and_nothing_lost(name, method):
    """Without the style the same model is cut off: the test could fail."""
    problem = task(name).problems(next(iter(task(name).splits())))[3]
    for end in ENDS.get(name, USUAL_ENDS):
        lm = verbose(end.format(problem.gold))
        solution = solve(name, problem, method, lm=lm, style="paper")
        unread = [u for e in solution.trace.events for u in e.get("unread", ())]
        assert solution.correct and (solution.result.cut, unread) == (0, []), (end, unread)
        assert {request.max_tokens for request in lm.requests} == {ROOM}
        assert not any("more characters]" in m.content for r in lm.requests for m in r.messages)
    usual = solve(name, problem, method, lm=verbose(f"The answer is {problem.gold}."))
    assert usual.result.cut > 0


def test_plans_and_reasons_arrive_whole():
    lm = verbose("The answer is 7.")
    solution = solve("gsm8k", "How many?", "mcts-plan", lm=lm, style="paper", rollouts=4)
    prompts = [request.messages[0].content for request in lm.requests]
    plans = [node["thought"] for node in solution.trace.nodes().values() if "visits" in node]
    assert len(plans) == 1 + 4 and all(f"Plan:\n{p}\n\n" in "".join(prompts) for p in plans)
    assert all(p.startswith("1. **Define the task:**") and p.count(DETAIL.strip()) == 6 for p in plans)
    revised = [prompt for prompt in prompts if "Write a better plan" in prompt]
    assert revised and all(prompt.count("Missing: remark") == 2 for prompt in revised)  # at the end of both reasons
    assert all(prompt.count("nothing that follows can repair it") == 4 * (6 + 2 * 2) for prompt in revised)
    chosen = solution.result.best[0].parent.state.last.text
    assert prompts[-1].startswith(f"Question: How many?\n\nPlan:\n{chosen}\n\nCarry out the plan")


PLANS = """
1. Add.⏎2. Say it. -> 1. Add.⏎2. Say it. | Plan: add the apples. -> add the apples. | **My revised plan:** Add. -> Add.
Plan:⏎* Add⏎* Say it -> * Add⏎* Say it | To find it, we can follow these steps:⏎**Step 1:** Add. -> **Step 1:** Add.
## Improved plan for the apples⏎⏎---⏎⏎- Add:⏎  - all -> - Add:⏎  - all
Sure! Here is the plan:⏎⏎### Plan⏎⏎First add, then say it. -> First add, then say it.
### Step 1: Make a plan:⏎Add. -> ### Step 1: Make a plan:⏎Add.
To add the apples, go through the steps: first one. -> To add the apples, go through the steps: first one.
A plan in prose. It ends with a colon: here. -> A plan in prose. It ends with a colon: here.
"""


@pytest.mark.parametrize(("text", "kept"), pairs(PLANS))
def test_a_plan_is_kept_without_what_comes_before_it(text, kept):
    assert read_free_plan(text).value == Thought(kept)


SAID = """
```markdown⏎1. Add.⏎``` -> 1. Add. | <plan>⏎1. Add.⏎</plan> -> 1. Add. | Strategy 1: add. -> add.
Revised Plan: 1. Add. -> 1. Add.
Great question!⏎⏎1. Add. -> 1. Add. | 計画：⏎1. Add. -> 1. Add.
¡Claro! Aquí tienes el plan:⏎1. Add.⏎⏎¿Quieres que siga? -> 1. Add.
Thank you for the comments. I have added a step.⏎⏎1. Add. -> 1. Add.
Of course. First add, then say it. -> First add, then say it.
Old plan:⏎1. Take away.⏎⏎Improved plan:⏎1. Add. -> 1. Add. | ---⏎**Plan**⏎---⏎1. Add.⏎--- -> 1. Add.
1. Add.⏎⏎The answer is 12. -> 1. Add. | 1. Add.⏎⏎Carrying it out:⏎1. 3 + 4 = 7 -> 1. Add.
1. Add.⏎⏎**Why this works:** it does. -> 1. Add.
1. Add.⏎⏎Let me know if I should go on! -> 1. Add. | {"plan": ["Add.", "Say it."]} -> Add.⏎Say it.
I'm sorry, but I can't help with that. -> None | Es tut mir leid, das geht nicht. -> None
The plan is already perfect. -> None
Let me think. It is about money, so -> None | Could you tell me the question? -> None | 抱歉，我无法制定计划。 -> None
"""


@pytest.mark.parametrize(("reply", "kept"), pairs(SAID))
def test_plans_as_models_write_them_in_either_style(reply, kept):
    for each in (task("gsm8k"), task("gsm8k").in_paper_style()):
        [read] = each.read_plan(State("How many?"), reply)
        assert (read.value and read.value.text) == (kept and kept.replace("⏎", "\n"))


@pytest.mark.parametrize(
    "plan",
    [
        "1. Find the eggs.\n   - Calculation: laid minus eaten.\n2. Find the money.",
        "Step 1: Find the rest.\nCalculation: laid - eaten\nStep 2: Multiply.",
        "1. Add up what is used.\n   The result is taken away.\n\nNote: both uses count.\n\n2. Take it away.",
        "- Find the price.\n- The result is the sum of both.\n- Say it.",
    ],
)
def test_a_plan_ends_behind_the_last_item_of_its_list(plan):
    for each in (task("gsm8k"), task("gsm8k").in_paper_style()):
        for behind in ("", "\n\nLet me carry it out:\n1. 3 + 4 = 7\n2. 7 * 2 = 14", "\n\nNote: this is short."):
            assert each.read_plan(State("How many?"), plan + behind)[0].value == Thought(plan)


def test_our_own_style_keeps_what_recorded_chapters_have_behind_a_plan():
    reply = "1. Add.\n\nThis plan is clear."
    assert task("gsm8k").read_plan(State("How many?"), reply)[0].value == Thought(reply)
    assert task("gsm8k").in_paper_style().read_plan(State("How many?"), reply)[0].value == Thought("1. Add.")


@pytest.mark.parametrize("text", ["", "Plan:", "### Plan\n\n---\n", "  \n\n", "**Plan:**\n..."])
def test_no_plan(text):
    read = read_free_plan(text)
    assert read.value is None and read.why == "no plan in the reply"


LINES = st.lists(st.text("abc de.:*#", min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=8)


@FUZZ
@given(LINES, st.sampled_from(["", *OPENINGS, "Plan:\n", "## Plan for it\n"]))
def test_numbered_steps_survive_any_opening(lines, opening):
    steps = "\n".join(f"{i}. {line.strip()}" for i, line in enumerate(lines, 1))
    assert read_free_plan(opening + steps).value == Thought(steps)
    assert read_free_plan(opening + plan(3)).value == Thought(plan(3))


def test_a_reply_that_is_no_attempt_at_all_stays_none():
    assert second(bad("nothing in it"), "x") == bad("nothing in it")


WORKED = """
Janet has 16 - 3 - 4 = 9 eggs left.⏎9 * $2 = $18⏎⏎Therefore, Janet makes $18 every day. -> None
Eggs laid: 16⏎Eggs left: 9⏎Income: 9 * 2 = 18 dollars. -> None
1. Eggs: 16⏎2. Left: 9⏎⏎So she makes **$18** a day. -> 18
She has 9 eggs left.⏎So it is 9 * 2.⏎The answer is 18. -> 18 | 18 -> 18 | She makes $18 every day. -> 18
She makes $18 every day.⏎⏎Explanation: 16 - 7 = 9, and 9 * 2 = 18. -> 18
She makes $18 every day.⏎⏎Explanation:⏎She sells 9 eggs. -> 18
She makes $18.⏎⏎Let me know if that helps! -> 18
"""


@pytest.mark.parametrize(("worked", "answer"), pairs(WORKED))
def test_the_first_line_of_a_worked_answer_is_none(worked, answer):
    """The heading that the prompt asks for is no mark of it, whatever its form."""
    gsm = task("gsm8k").in_paper_style()
    for heading in ("Answer:", "**Answer:**", "### Answer"):
        [read] = gsm.read_cot(State("How many?"), f"Strategy:\nCount.\n\n{heading}\n{worked}")
        assert read.value.answer == (None if answer == "None" else answer), heading
