"""Game of 24 in the paper's style: its prompts, long replies, and a large model's way of talking, cut off nowhere."""

import re

import pytest
from tables import pairs
from wordy_game24 import PROPOSED, proposals, rounded, verbose_player

from tot import Scripted, solve
from tot.lm.base import user
from tot.state import State, Thought
from tot.tasks.base import ROOM
from tot.tasks.game24 import Game24, left, numbers_of
from tot.tasks.game24_believed import Believed
from tot.tasks.game24_rules import Step, moves

PAPER = Game24().in_paper_style()
BARE = PAPER.unchecked()
X = "4 9 10 13"
ROOT = State(X)


def after(task, *lines):
    state = ROOT
    for line in lines:
        state = state.then(task.read_proposals(state, line)[0].value)
    return state


STEPS = ("13 - 9 = 4 (left: 4 4 10)", "10 - 4 = 6 (left: 4 6)", "4 * 6 = 24 (left: 24)")


def root(solution):
    return list(solution.result.best[0].path)[-1]


def prompts(task):
    done = after(task, *STEPS)
    answered = done.then(Thought("Answer: 1", None, "1", final=True))
    asked = {"io": task.io(ROOT), "cot": task.cot(ROOT), "value": task.value(ROOT), "judge": task.value(answered)}
    return asked | {"propose": task.propose(ROOT, "one-shot"), "answer": task.propose(done, "one-shot")}


@pytest.mark.parametrize("task", [PAPER, BARE])
def test_the_design_is_the_papers(task):
    asked = prompts(task)
    assert all(request.max_tokens == ROOM >= 1000 and request.temperature == 0.7 for request in asked.values())
    shots = {name: [m.role for m in request.messages].count("assistant") for name, request in asked.items()}
    assert shots == {"io": 5, "cot": 5, "propose": 1, "answer": 5, "value": 8, "judge": 6}
    last = {name: request.messages[-1].content for name, request in asked.items()}
    assert last["propose"] == last["io"] == last["cot"] == f"Numbers: {X}" and last["value"] == X
    assert last["answer"] == last["cot"] + "\nSteps:\n" + "\n".join(STEPS), "the CoT prompt continued"
    assert asked["answer"].messages[:-1] == asked["cot"].messages[:-1]
    assert not re.search(r"up to|at most|eight", asked["propose"].messages[0].content), "no cap"
    assert "one line" not in asked["value"].messages[0].content, "as much lookahead as the model likes"


VERDICTS = f"""
sure -> 20.0 | We can: 4 * 6 = 24.⏎⏎**Sure** -> 20.0 | I am not sure about 10 - 4.⏎likely -> 1.0
At first it is not impossible. But all ways miss.⏎Verdict: impossible. -> 0.001 | {"so much text " * 400}⏎likely -> 1.0
So it's impossible? No: 4 * 6 = 24. sure⏎(I was not sure at first.) -> 20.0 | I am not sure. -> None
It is not impossible -> None | surely 24 -> None
"""


@pytest.mark.parametrize(("reply", "value"), pairs(VERDICTS))
def test_the_verdict_at_the_end_of_a_long_look_ahead(reply, value):
    assert PAPER.read_value(reply).value == BARE.read_value(reply).value == (value and float(value))


ANSWER = "(13 - 9) * (10 - 4)"


@pytest.mark.parametrize("before", ["", "Let us see what can be done with these numbers.\n" * 300])
def test_the_answer_at_the_end_of_a_long_reply(before):
    reply = f"{before}Answer: {ANSWER} = 24"
    done = after(BARE, *STEPS)
    for [read] in (BARE.read_io(ROOT, reply), BARE.read_cot(ROOT, reply), BARE.read_proposals(done, reply)):
        assert read.ok and read.value.answer == ANSWER and read.value.final
    assert BARE.read_refined(ROOT, reply)[0].value.answer == ANSWER


def test_conversation_around_a_list_is_no_failed_step():
    reply = f"Sure! Here are the steps for {X}:\n\n{STEPS[0]}\n13 - 9 = 5\n\nThat is it. I hope 2 or 3 of them help!"
    assert [r.why for r in BARE.read_proposals(ROOT, reply)] == ["", ""]
    assert [r.why for r in PAPER.read_proposals(ROOT, reply)] == ["", "wrong arithmetic"]
    assert [r.why for r in BARE.read_proposals(ROOT, "I cannot.")] == ["empty reply"]


@pytest.mark.parametrize("head", ["", f"Numbers: {X}\nPossible next steps:\n"])
def test_a_small_model_goes_on_with_an_example_of_its_own(head):
    reply = f"{head}{STEPS[0]}\n\n**Numbers: 1 2 3 4**\nPossible next steps:\n1 + 2 = 3 (left: 3 3 4)"
    assert [r.value.text for r in BARE.read_proposals(ROOT, reply)] == [STEPS[0]]


def test_checked_or_not():
    reply = "10 / 9 ≈ 1.11 (left: 1.11 4 13)\n1. **13 × 4 = 52** (left: 9, 10, 52)\n6 * 4 = 24 (left: 24)"
    assert [r.why for r in PAPER.read_proposals(ROOT, reply)] == ["wrong arithmetic", "", "operand is not there"]
    assert [type(r.value and r.value.data) for r in PAPER.read_proposals(ROOT, reply)] == [type(None), Step, type(None)]
    assert [type(r.value.data) for r in BARE.read_proposals(ROOT, reply)] == [Believed] * 3
    assert PAPER.judge(after(PAPER, *STEPS)) == 20.0 and BARE.judge(after(BARE, *STEPS)) is None
    assert BARE.value(after(BARE, *STEPS)).messages[-1].content == "24", "a lone number is asked about"


TWO = "13 - 9 = 4, 10 - 4 = 6"
SAID = rf"""
|13 - 9 = 4|4 4 10|⏎|10 - 4 = 6|6 9 13| -> {TWO} | (13 - 9) = 4, left: 4, 4 and 10⏎6 = 10 - 4 -> {TWO}
１３－９＝４（残り：４ ４ １０）⏎１０－４＝６ -> {TWO} | {{"steps": ["13 - 9 = 4", "10 - 4 = 6",]}} -> {TWO}
13 - 9 (left: 4 4 10)⏎10 minus 4 ergibt 6 (übrig: 6, 9 und 13) -> {TWO} | 13 : 9 = 13/9 -> 13 / 9 = 13/9
\boxed{{13 - 9 = 4}}⏎\(10 - 4 = 6\) \quad (\text{{left: }} 6, 9, 13) -> {TWO} | 10 / 4 = 2 1/2 -> 10 / 4 = 5/2
```json⏎[{{"operation": "13 - 9", "result": 4}}, {{"operation": "10 - 4", "result": 6}}]⏎``` -> {TWO}
9 + 4 = 13; 10 - 4 = 6 -> 9 + 4 = 13, 10 - 4 = 6 | We get 13 - 9 = 4, leaving 4, 4 and 10. Or: 10 - 4 = 6 -> {TWO}
13 - 9 = 4 (left: 4 4 10), then 10 - 4 = 6 -> 13 - 9 = 4 | 10 + 4 = 14 (left: 9 13 14) and 13 - 9 = 4 -> None
10 - 4 = 5 — wait, no, 10 - 4 = 6 (left: 6 9 13) -> 10 - 4 = 6 | 13 - 9 = 4 ✓⏎9 * 13 = 117 ✗⏎10 - 4 = 6 ✓ -> {TWO}
I would not do 13 * 10 = 130.⏎13 - 9 = 4⏎~~4 * 9 = 36~~⏎10 - 4 = 6 (left: 6 9 1 -> {TWO}
13 - 9 = 4⏎10 - 4 = 6⏎Steps to avoid:⏎9 * 13 = 117 -> {TWO} | (13 - 9) * (10 - 4) = 24 -> None
13 - 9 = 4⏎10 - 4 = 6⏎⏎Numbers: 1 2 3 4⏎4 + 9 = 13 -> {TWO} | I cannot do that. -> None
"""


@pytest.mark.parametrize(("reply", "steps"), pairs(SAID))
def test_steps_as_models_write_them_in_either_style(reply, steps):
    for task in (Game24(), PAPER):
        read = [str(read.value.data).partition(" (")[0] for read in task.read_proposals(ROOT, reply) if read.value]
        assert ", ".join(read) == (steps or "")


@pytest.mark.parametrize("x", [X, "1 5 5 5", "3 3 8 8", "2 3 5 12"])
def test_nothing_of_a_verbose_model_is_cut_and_nothing_is_lost(x):
    """Every proposal becomes a state with the numbers that were stated; every verdict and every answer is read."""
    lm = Scripted(verbose_player)
    solution = solve("game24", x, "tot-bfs", lm=lm, style="paper")
    assert solution.result.cut == 0
    assert solution.params["checked"] is False and solution.params["compose"] is False
    unread = [u for e in solution.trace.events for u in e.get("unread", [])]
    assert {u["why"] for u in unread} <= {"no expression in the reply"}, "only steps that were rounded have no answer"
    grown = 0
    nodes = [root(solution)]
    for node in nodes:
        nodes += node.children
        if node.children and len(left(node.state)) > 1 and not node.terminal:
            grown += 1
            listed = proposals(left(node.state))
            assert [[*c.state.last.data.shown.split()] for c in node.children] == [said for _, said in listed]
            said = [child.state.last.text for child in node.children]
            assert all(f"= {rounded(step.result)} (" in text for text, (step, _) in zip(said, listed, strict=True))
    assert grown == 11 and min(PROPOSED, len(moves(numbers_of(x)))) == len(root(solution).children) > 8
    assert any("." in node.state.last.data.shown for node in nodes[1:] if isinstance(node.state.last.data, Believed))
    assert all(request.max_tokens == ROOM for request in lm.requests)
    lengths = [len(verbose_player(request, 0).text) for request in lm.requests]
    assert max(lengths) > 1500, "they are long replies"
    assert solution.correct == (x != "3 3 8 8"), "8 / (3 - 8 / 3) is lost where quotients are rounded"
    lone = [r for r in lm.requests if re.fullmatch(r"-?[\d./]+", r.messages[-1].content)]
    assert lone, "the model judges single numbers"


@pytest.mark.parametrize("method", ["io", "cot", "cot-sc", "io-refine-checked", "tot-dfs"])
def test_the_other_methods_in_the_papers_style(method):
    knobs = {"k": 3} if method == "cot-sc" else {}
    solution = solve("game24", X, method, lm=Scripted(verbose_player), style="paper", **knobs)
    assert solution.correct and not solution.result.cut


def test_with_checks_the_paper_style_refuses_what_is_rounded():
    solution = solve("game24", "3 3 8 8", "tot-bfs", lm=Scripted(verbose_player), style="paper", checked=True)
    whys = {u["why"] for e in solution.trace.events for u in e.get("unread", [])}
    assert "wrong arithmetic" in whys
    nodes = [root(solution)]
    for node in nodes:
        nodes += node.children
    assert all(isinstance(n.state.last.data, Step) for n in nodes[1:] if not n.terminal)
    assert solution.result.cut == 0


def test_in_the_usual_style_the_same_model_is_cut_off_and_that_is_counted():
    solution = solve("game24", X, "io", lm=Scripted(verbose_player))
    assert solution.result.cut == 1


def test_the_pocket_model_refuses_every_prompt_of_the_paper_and_says_what_to_do(pocket):
    for name, request in prompts(BARE).items():
        [sample] = pocket([request])[0].samples
        assert sample.refused and "leave out --style paper" in sample.text, name
    assert "style" not in pocket([user("Write a poem.")])[0].texts[0]
