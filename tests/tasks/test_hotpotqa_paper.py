"""HotpotQA in the papers' style: six examples, thoughts and reasons of any length, and the whole tree as memory."""

import re

import pytest
from wordy_plans import DETAIL, SCORES, verbose

from tot import METHODS, State, Thought, solve
from tot.state import Observation
from tot.tasks.base import ROOM, ToolUsing
from tot.tasks.hotpotqa import HotpotQA
from tot.tools import Action, read_action

SAX = "In which town was the inventor of the saxophone born?"
WAY = ("Search[Saxophone]", "Search[Adolphe Sax]", "Finish[Dinant]")
ACTING = [name for name, method in METHODS.items() if method.needs is ToolUsing]
STYLED = HotpotQA().in_paper_style()


STEPS = STYLED.style.prompts["act"].system.partition("six examples.\n\n")[2].split("\n\n")


def content(request):
    return "\n".join(message.content for message in request.messages)


def test_there_are_six_examples_with_and_without_steps():
    state = State("Which?")
    assert len(STEPS) == 6 and content(STYLED.act(state, ())).count("Question: ") == 7
    direct, chain = STYLED.few_shot(state), STYLED.cot(state)
    assert len(STYLED.execute(state).messages) == 1, "zero-shot-cot stays without examples"
    for request in (direct, chain):
        assert [m.role for m in request.messages] == ["system", *["user", "assistant"] * 6, "user"]
        assert request.messages[-1].content == "Question: Which?" and request.max_tokens == ROOM and not request.stop
        assert "Action:" not in content(request) and "Observation:" not in content(request)
    answers = [m.content for m in direct.messages if m.role == "assistant"]
    assert answers == ["Finland", "the Congo", "yes", "Oslo", "Johanna Spyri", "Mediterranean Sea"]
    for message, answer in zip(chain.messages[2::2], answers, strict=True):
        [read] = STYLED.read_cot(state, message.content)
        assert read.value.answer == answer and len(message.content.splitlines()) == 2


def test_every_example_is_a_path_that_the_readers_read():
    for example in STEPS:
        steps = re.split(r"\nObservation: .*\n", example.partition("\n")[2])
        actions = [STYLED.read_act(State("x"), step)[0].value for step in steps]
        assert [thought.final for thought in actions] == [False] * (len(steps) - 1) + [True] and len(steps) >= 3
        for thought, step in zip(actions, steps, strict=True):
            assert f"Thought: {thought.text}" == step


def test_prompts_show_path_and_memory():
    step = Thought("Who?\nAction: Search[Sax]", Action("Search", "Sax"), observation=Observation("He was."))
    state = State("Which?", (step,))
    act = STYLED.act(state, ["Thought: a", "  Thought: b"])
    assert act.messages[0].content == STYLED.style.prompts["act"].system and act.stop == ("\nObservation",)
    shown = "Observation: He was.\n\nFrom earlier attempts:\n- Thought: a\n  - Thought: b\n\nNow"
    assert shown in act.messages[1].content
    done = state.then(Thought("Action: Finish[x]", answer="x", final=True))
    right, going = STYLED.prospect(done), STYLED.prospect(state)
    assert "this answer is right" in content(right) and "this answer is right" not in content(going)
    last = STYLED.conclude(done)
    assert "Observation: He was.\n\nWhat is the answer" in content(last) and "Finish" not in content(last)
    assert {r.max_tokens for r in (act, right, going, last, STYLED.reflect(state))} == {ROOM}


@pytest.mark.parametrize("end", SCORES)
def test_the_score_at_the_end_of_a_discussion(end):
    read = STYLED.read_prospect(f"## Discussion\n\n{DETAIL * 12}\n\nA score of 1 would need more.\n\n{end}")
    assert read.ok and read.value.score in (0.7, 0.8, 0.85, 0.9) and len(read.value.reason) > 4000


@pytest.mark.parametrize(
    "form",
    [
        "Thought: {why}\nAction: {act}",
        "**Thought 3:** {why}\n\n**Action 3:** `{act}`",
        "### Thought\n{why}\n\n### Action\n{act}",
        "{why}\n\nAction: **{act}**\n\nObservation: It says Finish[nonsense].",
        "Thought: Should I Search[something else]? {why}\nAction: {act}",
        "**Thought:** {why}\n**Action:**\n```\n{act}\n```",
    ],
)
def test_a_long_thought_and_its_action(form):
    why = DETAIL * 20 + "That is all."
    [read] = STYLED.read_act(State("x"), form.format(why=why, act="Search[Adolphe Sax]"))
    assert read.ok and read.value.data == Action("Search", "Adolphe Sax")
    assert " ".join(why.split()) in read.value.text and "more characters" not in read.value.text
    assert len(read_action(form.format(why=why, act="Search[x]")[-3000:])[0].value.text) < 500, "the usual length"


@pytest.mark.parametrize("name", [*ACTING, "few-shot"])
def test_nothing_is_cut_off_and_nothing_lost(name):
    """Without the style the same model is cut off: the test could fail."""
    lm = verbose("**Answer:** Dinant", WAY)
    solution = solve("hotpotqa", SAX, name, lm=lm, style="paper")
    unread = [u for e in solution.trace.events for u in e.get("unread", ())]
    assert solution.answer == "Dinant" and (solution.result.cut, unread) == (0, [])
    assert {request.max_tokens for request in lm.requests} == {ROOM}
    assert not any("more characters]" in content(request) for request in lm.requests)
    paths = [r.messages[-1].content.split("\n\n")[0] for r in lm.requests]
    assert name == "few-shot" or max(path.count("\nAction: ") for path in paths) >= 2
    whole = [path.count("So far thought") == path.count("\nAction: ") for path in paths]
    assert name == "retrieve-read" or all(whole), "thoughts arrive whole"
    assert solve("hotpotqa", SAX, name, lm=verbose("Answer: Dinant", WAY)).result.cut > 0


@pytest.mark.parametrize("name", ["itot-astar", "itot-dstar"])
def test_a_prompt_with_the_tree_shows_every_step_exactly_once(name):
    """Wherever it is expanded: what it has seen of the tree by then, once each, and nothing of the answer but what it
    has read."""
    lm = verbose("", ("Search[Saxophone]", "Search[Piano]", "Search[Telephone]", "Search[Radium]"))
    solution = solve("hotpotqa", SAX, name, lm=lm, style="paper", rounds=7, depth=3)
    assert solution.params["memory"] == "tree"
    asked = [event for event in solution.trace.events if event["kind"] in ("asked", "expanded")]
    seen, branched = [], 0
    for event in asked:
        if event["kind"] == "expanded":
            seen += [node["thought"].partition("\nAction: ")[0][-30:] for node in event["nodes"]]
        elif event["role"] == "generator":
            prompts = [request["messages"][-1]["content"] for request in event["requests"]]
            assert all(prompt.count(thought) == 1 for prompt in prompts for thought in seen)
            assert all(prompt.count("Observation: ") == len(seen) for prompt in prompts)
            branched += any("of this path)" in prompt for prompt in prompts)
            assert not any("Dinant" in prompt for prompt in prompts), "nobody has read the gold answer"
    assert len(seen) > 15 and branched, "the tree has branches, and paths that they leave"
