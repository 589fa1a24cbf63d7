"""The recipes over ReAct steps: on a small corpus and a scripted model whose every word is known."""

from collections import Counter

import pytest
from toys import dice

import tot
from tot import METHODS, Scripted, State, Thought, method, run, task, user
from tot.parse import Judgement, Read, bad
from tot.tasks.base import ToolUsing
from tot.tasks.game24 import Game24
from tot.tasks.open_questions import OpenQuestions
from tot.testing import NASTY
from tot.tools import Offline, Page, Tools, read_action

PAGES = [Page(name, (f"{name} leads on.", f"In {name} there is gold.")) for name in "ABCDEFGH"]
LIBRARY = Offline(PAGES)


class Maze(Game24):
    """A task with tools whose prompts are one line: the actions so far, and what was seen."""

    name = "maze"
    tools = Tools(lambda name: LIBRARY)

    def corpus(self, x, name):
        if name:
            raise ValueError("there is one corpus")
        return "library"

    def path(self, state):
        return " ".join(str(t.data) + ("!" if t.observation and t.observation.failed else "") for t in state.thoughts)

    def act(self, state, memory):
        return user(f"act: {self.path(state)}" + "".join(f"\nmemory: {line}" for line in memory))

    def read_act(self, state, text):
        return read_action(text)

    def conclude(self, state):
        seen = "".join(f"\nseen: {t.observation.text}" for t in state.thoughts if t.observation)
        return user(f"conclude: {self.path(state)}{seen}")

    def read_io(self, state, text):
        return [Read(Thought(text, answer=text, final=True)) if text else bad("no answer", text)]

    def prospect(self, state):
        return user(f"worth: {self.path(state)}")

    def read_prospect(self, text):
        return Read(Judgement(float(text))) if text.replace(".", "", 1).isdigit() else bad("no number", text)

    def reflect(self, state):
        return user(f"reflect: {self.path(state)}")

    def read_lesson(self, text):
        return Read(text) if text else bad("no lesson", text)


def says(acts, worth=None, lessons="be better", answers=("asked",)):
    """A model: ``acts`` maps a path to its samples, ``worth`` a path to its value (0.5 if it is not there)."""

    def answer(request, i):
        kind, _, path = request.messages[0].content.partition("\n")[0].partition(": ")
        if kind == "act":
            options = acts.get(path, ["nothing"])
            return options[i % len(options)]
        if kind == "conclude":
            return answers[i % len(answers)]
        return str((worth or {}).get(path, 0.5)) if kind == "worth" else lessons

    return Scripted(answer)


def solved(name, lm, x="x", **knobs):
    """The result, with the best nodes; the maze has no gold."""
    search = method(name).search(Maze(), x, **knobs)
    return run(search, {"default": lm, "tool": Maze.tools})


def prompts(lm, kind):
    return [r.messages[0].content for r in lm.requests if r.messages[0].content.startswith(kind)]


S = {letter: f"Search[{letter}]" for letter in "ABCDEFGHZ"}


def test_which_tasks_have_which_methods():
    hotpot, maze = task("hotpotqa"), Maze()
    assert isinstance(hotpot, ToolUsing) and isinstance(maze, ToolUsing) and not isinstance(Game24(), ToolUsing)
    assert [method("few-shot").missing(each) for each in (hotpot, maze, Game24())] == ["", "few_shot", "few_shot"]
    names = [m.name for m in METHODS.values() if m.needs is ToolUsing]
    assert names == ["retrieve-read", "react", "react-dfs", "react-best-first", "itot-astar", "itot-dstar", "lats"]
    assert tot.methods.usual(hotpot).name == "itot-astar"
    with pytest.raises(ValueError, match="does not provide what react needs"):
        method("react").search(Game24(), "4 9 10 13")


def test_retrieve_read_reads_everything_at_once_and_votes():
    """All pages of the library have the word gold, and ties go by title."""
    lm = says({}, answers=("other", "it", "it"))
    result = solved("retrieve-read", lm, "gold", articles=2, k=3)
    assert prompts(lm, "conclude") == [
        "conclude: Search[gold] Search[gold]"
        "\nseen: A: A leads on. In A there is gold.\nseen: B: B leads on. In B there is gold."
    ]
    assert result.answers == ["it", "it", "other"] and [n.value for n in result.best] == [2, 2, 1]
    assert result.ledger.rounds == 2 and lm.requests[0].n == 3 and result.best[0].id == "0.0.0.1"
    assert result.trace.result["tools"] == {"calls": 2, "failed": 0, "total": 2.0, "path": 2.0}
    assert solved("retrieve-read", lm, "gold", costs="Search=3").trace.result["tools"]["path"] == 15
    assert solved("retrieve-read", lm, "gold", first=1).answers == ["it"]


def test_what_cannot_be_retrieved_is_paid_for_and_the_answer_is_asked_all_the_same():
    lm = says({}, answers=("a guess",))
    result = solved("retrieve-read", lm, "leads B", articles=1)
    assert "seen: B: B leads on." in prompts(lm, "conclude")[0]  # a rare word counts more than a common one
    nothing = solved("retrieve-read", lm, "qwertz", articles=3)
    assert nothing.trace.result["tools"] == {"calls": 3, "failed": 3, "total": 3.0, "path": 3.0}
    assert result.answers == nothing.answers == ["a guess"]
    broken = solved("retrieve-read", lm, "gold", failures="1")
    assert broken.trace.result["tools"]["failed"] == 5 and "out of order" in prompts(lm, "conclude")[-1]
    for knobs, why in ({"articles": 6}, "from 1 to 5"), ({"costs": "Read=1"}, "cannot read 'Read=1'"):
        with pytest.raises(ValueError, match=why):
            method("retrieve-read").search(Maze(), "gold", **knobs)


@pytest.mark.parametrize("name", ["react", "react-dfs", "react-best-first", "itot-astar", "itot-dstar", "lats"])
def test_asking_for_the_answer_changes_nothing_but_the_end(name):
    """The search is the same, event by event; then comes one request, about the first of its outputs, or the root."""
    for seed in range(12):

        def model(request, i, seed=seed):
            text = request.messages[0].content
            return f"said {text[10:]}" if text.startswith("conclude: ") else wild(request, (seed, i))

        lm, again = Scripted(model), Scripted(model)
        plain, asked = solved(name, lm, depth=3), solved(name, again, depth=3, answer="asked")
        assert asked.trace.events[: len(plain.trace.events)] == plain.trace.events
        assert plain.stopped == asked.stopped
        last = [e["kind"] for e in asked.trace.events[len(plain.trace.events) :]]
        assert last == ["asked", "expanded", "best"] and len(again.requests) == len(lm.requests) + 1
        [node] = asked.best
        assert node.parent.state == (plain.best[0].state if plain.best else State("x")) and node.terminal
        assert asked.answers == [f"said {prompts(again, 'conclude')[0][10:]}"]
        assert plain.trace.result.get("tools") == asked.trace.result.get("tools")


@pytest.mark.parametrize("name", ["react", "react-dfs", "react-best-first", "itot-astar", "itot-dstar", "lats"])
def test_the_answer_is_asked_for_where_no_step_was_read_or_none_is_left(name):
    assert solved(name, says({"": ["what"]}), answer="asked").answers == ["asked"]
    if name == "react-dfs":
        assert solved(name, says({"": [S["A"]]}, {S["A"]: 0.1}), answer="asked").answers == ["asked"]


def test_a_task_of_ones_own_names_its_calls_alone():
    class Mine(OpenQuestions):
        known = property()

        def calls(self, costs, failures):
            assert costs == ""
            return (lambda state: None), (lambda state: 1.0)

        def act(self, state, memory):
            return user("next?")

        def read_act(self, state, text):
            return read_action(text)

    assert tot.solve(Mine(), "Who?", "react", lm=Scripted(lambda request, i: "Action: Finish[Ada]")).answer == "Ada"


def test_the_brackets_do_not_count_where_the_answer_is_asked_for():
    acts = {"": [S["A"]], S["A"]: ["Finish[wrong]"]}
    lm = says(acts, answers=("right",))
    assert solved("react", lm).answers == ["wrong"] and not prompts(lm, "conclude")
    assert solved("react", lm, answer="asked").answers == ["right"]
    assert solved("react", lm, depth=1).answers == [] and solved("react", lm, depth=1, answer="asked").answers == [
        "right"
    ]
    silent = solved("react", says(acts, answers=("",)), answer="asked")
    assert silent.unread == 1 and silent.answers == []
    with pytest.raises(ValueError, match="answer must be one of finish, asked"):
        solved("react", lm, answer="brackets")


def test_react_is_one_chain():
    lm = says({"": [S["A"]], S["A"]: ["Lookup[gold]"], f"{S['A']} Lookup[gold]": ["Finish[it]"]})
    result = solved("react", lm)
    assert result.answers == ["it"] and [n.id for n in result.best[0].path] == ["0.0.0.0", "0.0.0", "0.0", "0"]
    assert result.trace.result["tools"] == {"calls": 2, "failed": 0, "total": 1.5, "path": 1.5}
    assert result.ledger.rounds == 5 and {r.n for r in lm.requests} == {1} and not prompts(lm, "worth")
    assert solved("react", lm, depth=2).answers == [] and solved("react", lm, depth=2).stopped == "done"
    assert solved("react", says({}), first=3).unread == 1
    assert solved("react", lm, costs="Lookup=7").trace.result["tools"]["total"] == 7


def test_a_failed_call_may_be_tried_again():
    """Transient failures are drawn anew for each attempt: the model repeats its search until it works."""
    seed = next(
        s for s in range(99) if [tot.tools.Failures.parse(f"0.5,seed={s}").strikes("Search", "A", i) for i in (0, 1, 2)]
        == [True, True, False]
    )  # fmt: skip
    acts = {"": [S["A"]], f"{S['A']}!": [S["A"]], f"{S['A']}! {S['A']}!": [S["A"]]}
    acts[f"{S['A']}! {S['A']}! {S['A']}"] = ["Finish[it]"]
    result = solved("react", says(acts), failures=f"0.5,seed={seed}")
    assert result.answers == ["it"] and result.trace.result["tools"] == {
        "calls": 3,
        "failed": 2,
        "total": 3.0,
        "path": 3.0,
    }
    stuck = solved("react", says(acts), failures=f"0.5,permanent,seed={seed}")
    assert stuck.answers == [] and stuck.trace.result["tools"]["failed"] == 3


def test_of_equal_actions_the_first_is_kept():
    samples = [f"Thought: one\nAction: {S['A']}", f"Thought: two\nAction: {S['A'].lower()}", "Search[ a ]", S["B"]]
    result = solved("itot-astar", says({"": samples}), k=4, rounds=1)
    expanded = next(e for e in result.trace.events if e["kind"] == "expanded")
    assert [n["thought"] for n in expanded["nodes"]] == ["one\nAction: Search[A]", "Action: Search[B]"]
    assert result.trace.result["tools"]["calls"] == 2 and result.stopped == "unfinished"


def test_values_are_means_and_what_is_no_number_is_none():
    lm = Scripted(lambda r, i: S["A"] if r.messages[0].content.startswith("act") else ["0.25", "0.75", "good!"][i])
    result = solved("itot-astar", lm, values=3, rounds=1)
    assert result.trace.nodes()["0.0"]["value"] == 0.5 and result.unread == 1
    praise = Scripted(lambda r, i: S["A"] if r.messages[0].content.startswith("act") else "good!")
    nothing = solved("itot-astar", praise, rounds=1)
    node = nothing.trace.nodes()["0.0"]
    assert "value" not in node and node["f"] == node["g"] == 1 and nothing.unread == 1


def test_depth_first_goes_back_and_ends_with_the_first_answer():
    acts = {
        "": [S["A"], S["B"]],
        S["A"]: [S["C"]],
        f"{S['A']} {S['C']}": [S["D"]],
        S["B"]: ["Finish[it]", "Finish[other]"],
    }
    lm = says(acts, {f"{S['A']} {S['C']} {S['D']}": 0.1})
    result = solved("react-dfs", lm, k=2)
    assert result.answers == ["it"] and result.best[0].id == "0.1.0"  # although 0.0.0 is as deep, and came before
    assert [e["nodes"][0]["id"] for e in result.trace.events if e["kind"] == "pruned"] == ["0.0.0.0"]
    assert "worth: " + S["B"] + " Finish[other]" not in prompts(lm, "worth")
    assert result.trace.result["tools"] == {"calls": 4, "failed": 0, "total": 4.0, "path": 1.0}
    shallow = solved("react-dfs", lm, k=2, depth=1)
    assert shallow.answers == [] and "act: " + S["A"] not in prompts(says(acts), "act") and shallow.stopped == "done"
    assert solved("react-dfs", lm, k=2, threshold=0.05).answers == ["it"]
    assert solved("react-dfs", lm, k=2, steps=3).answers == []


def test_depth_first_runs_a_tool_when_its_turn_comes():
    result = solved("react-dfs", says({"": [S["A"], S["B"], S["C"]], S["A"]: ["Finish[it]"]}))
    assert result.answers == ["it"] and result.trace.result["tools"]["calls"] == 1


WAYS = {
    "": [S["Z"], S["A"], S["B"]],
    S["A"]: [S["C"], "Finish[dear]"],
    S["B"]: ["Finish[cheap]"],
    f"{S['Z']}!": [S["D"]],
}


def test_weight_is_what_a_sure_answer_is_worth():
    worth = {S["A"]: 0.9, S["B"]: 0.5, f"{S['A']} Finish[dear]": 0.9, f"{S['B']} Finish[cheap]": 0.6}
    costs = "Search=1"
    free = solved("itot-astar", says(WAYS, worth), weight=0, costs=costs)
    assert free.answers == ["dear"]  # all answers cost the same: the first that was generated
    assert solved("itot-astar", says(WAYS, worth), weight=5).answers == ["dear"]
    lower = {**worth, f"{S['A']} Finish[dear]": 0.1}
    assert solved("itot-astar", says(WAYS, lower), weight=5).answers == ["cheap"]


def test_failures_fall_back_in_the_dstar_form():
    first = next(e for e in solved("itot-dstar", says(WAYS), failure_cost=3).trace.events if e["kind"] == "opened")
    assert [n["f"] for n in first["nodes"]] == [1 + 3 - 2.5, 1 - 2.5, 1 - 2.5]  # Z cannot be found
    first = next(e for e in solved("itot-astar", says(WAYS)).trace.events if e["kind"] == "opened")
    assert [n["f"] for n in first["nodes"]] == [-1.5, -1.5, -1.5]


def test_memory_of_the_whole_tree_by_hand():
    """Root: Z (fails), A, B; below A: C and an answer. Then B is expanded and sees all; own steps are only numbers."""
    worth = {S["A"]: 0.9, S["B"]: 0.8, f"{S['A']} {S['C']}": 0.1, f"{S['A']} Finish[dear]": 0.1}
    ways = {**WAYS, S["B"]: [S["D"]], f"{S['B']} {S['D']}": ["Thought: so\nAction: Finish[cheap]"]}
    worth |= {f"{S['B']} {S['D']}": 0.99, f"{S['B']} {S['D']} Finish[cheap]": 1}
    for name in ("itot-astar", "itot-dstar"):
        lm = says(ways, worth)
        result = solved(name, lm, memory="tree", weight=50)
        assert result.answers == ["cheap"]
        first, second, third, fourth = (prompt.split("\nmemory: ") for prompt in prompts(lm, "act"))
        z, a, b = (
            "Action: Search[Z] Observation: Could not find Z.",
            "Action: Search[A] Observation: A leads on. In A there is gold.",
            "Action: Search[B] Observation: B leads on. In B there is gold.",
        )
        assert first == ["act: "] and second == [f"act: {S['A']}", z, b]
        below = ["  Action: Search[C] Observation: C leads on. In C there is gold.", "  Action: Finish[dear]"]
        assert third == [f"act: {S['B']}", z, a, *below]
        assert fourth == [f"act: {S['B']} {S['D']}", z, a, *below]
    lm = says({**WAYS, f"{S['A']} {S['C']}": ["Finish[c]"]}, {S["A"]: 0.9, f"{S['A']} {S['C']}": 1})
    solved("itot-astar", lm, memory="tree", weight=50, rounds=3)
    assert prompts(lm, "act")[2].split("\nmemory: ")[1:] == [z, "(step 1 of this path)", "  Action: Finish[dear]", b]


def test_the_tree_of_lazy_tools_has_steps_without_observations():
    lm = says(WAYS, {S["A"]: 0.9})
    solved("itot-astar", lm, memory="tree", lazy=True, rounds=3)
    assert "\nmemory: Action: Search[B]\n" in prompts(lm, "act")[1] + "\n"


def test_memory_is_path_only_where_nothing_is_said_and_the_tree_in_the_papers_style():
    for name in ("itot-astar", "itot-dstar"):
        settled = method(name).settled
        assert settled({})["memory"] == "path" and settled({"style": "paper"})["memory"] == "tree"
    with pytest.raises(ValueError, match="memory must be one of path, tree, not 'all'"):
        solved("itot-astar", says(WAYS), memory="all")


def test_lazy_tools_are_paid_for_when_a_state_is_taken_up():
    worth = {S["B"]: 0.9, f"{S['B']} Finish[cheap]": 1}
    bills = [
        solved(name, says(WAYS, worth), lazy=lazy).trace.result["tools"]
        for name in ("itot-astar", "itot-dstar")
        for lazy in (False, True)
    ]
    assert [bill["total"] for bill in bills] == [3, 1, 3, 1] and {bill["path"] for bill in bills} == {1}


def test_a_value_that_was_taken_back_is_shown_no_longer():
    """With lazy tools a state is judged twice; here nobody can read what is said the second time."""
    said = iter(["0.9", "0.1", "well"])
    lm = says(WAYS)
    judge = Scripted(lambda request, i: next(said, "0.5"))
    search = method("itot-astar").search(Maze(), "x", lazy=True, k=2, rounds=2)
    result = run(search, {"default": lm, "evaluator": judge, "tool": Maze.tools})
    values = [n["value"] for e in result.trace.events for n in e["nodes"] if n["id"] == "0.0" and "value" in n]
    assert values[0] == 0.9 and values[-1] is None
    node = result.trace.nodes()["0.0"]
    assert node["value"] is None and node["f"] == node["g"] == 1


def test_lats_by_hand():
    """Two ways. The first simulation ends in an answer worth 0.3, and teaches; the second finds one worth 0.95."""
    acts = {
        "": [S["A"], S["B"]],
        S["A"]: ["Finish[bad]", S["C"]],
        S["B"]: [S["D"], "Finish[poor]"],
        f"{S['B']} {S['D']}": ["Finish[good]"],
    }
    worth = {
        S["A"]: 0.7,
        S["B"]: 0.6,
        f"{S['A']} Finish[bad]": 0.3,
        f"{S['A']} {S['C']}": 0.2,
        f"{S['B']} {S['D']}": 0.8,
        f"{S['B']} Finish[poor]": 0.1,
        f"{S['B']} {S['D']} Finish[good]": 0.95,
    }
    lm = says(acts, worth, lessons="look at B")
    result = solved("lats", lm, k=2)
    assert result.answers == ["good"] and result.best[0].value == 0.95 and result.stopped == "done"
    kinds = [e["kind"] for e in result.trace.events]
    assert kinds.count("selected") < 8 and kinds[-1] == "best"  # it ended early: 0.95 is enough
    lessons = [e for e in result.trace.events if e["kind"] == "reflected"]
    assert lessons[0]["lesson"] == "look at B" and lessons[0]["nodes"][0]["id"] == "0.0.0"
    asked = prompts(lm, "act")
    assert asked[0] == "act: " and asked[1] == f"act: {S['A']}" and "memory: look at B" in asked[-1]
    backed = [e for e in result.trace.events if e["kind"] == "backed_up"]
    assert {n["id"]: n["mean"] for n in backed[0]["nodes"]} == {"0": 0.3}
    quiet = says(acts, worth)
    solved("lats", quiet, k=2, reflections=False)
    assert not prompts(quiet, "reflect") and "memory" not in "".join(prompts(quiet, "act"))


def test_lats_without_an_answer_gives_none_and_says_what_it_learnt():
    lm = says({"": [S["A"]], S["A"]: [S["B"]], f"{S['A']} {S['B']}": [S["C"]]}, lessons="")
    result = solved("lats", lm, depth=2, rollouts=3)
    assert max(id.count(".") for id in result.trace.nodes()) == 2  # no simulation goes deeper
    assert result.answers == [] and result.stopped == "done" and result.unread >= 1
    assert all(n.value == 0 for n in result.best)


def test_lats_keeps_to_its_rollouts():
    lm = says({"": [S["A"], S["B"], S["C"]], S["A"]: ["Finish[a]"], S["B"]: ["Finish[b]"], S["C"]: ["Finish[c]"]})
    for rollouts in (1, 2, 5):
        result = solved("lats", lm, rollouts=rollouts)
        assert sum(e["kind"] == "backed_up" for e in result.trace.events) == rollouts
        assert result.best[0].state.answer == "a" and result.best[0].value == 0.5


def wild(request, i):
    """A model that is a function of what it is asked: any action, sometimes none."""
    text = request.messages[0].content
    if text.startswith("worth"):
        return str(int(dice("worth", text) * 8) / 8) if dice("read", text) > 0.1 else "good!"
    if text.startswith("reflect"):
        return f"lesson {int(dice(text) * 9)}"
    pick = int(dice(text, i) * 10)
    return (
        "hm" if pick == 9 else f"Finish[{pick}]" if pick > 6 else f"{'Search' if pick else 'Lookup'}[{'ABCZgdl'[pick]}]"
    )


@pytest.mark.parametrize("text", NASTY[:13])
@pytest.mark.parametrize("name", ["react", "itot-dstar", "lats"])
def test_nothing_that_a_model_says_breaks_a_recipe(name, text):
    result = solved(name, Scripted(lambda r, i: text), **({"rollouts": 2} if name == "lats" else {}))
    assert result.answers == [] and result.unread >= 1 and result.stopped in ("done", "unfinished")


def test_children_of_a_thought_without_an_action_do_not_crash_the_tools():
    from tot.methods.acting import _distinct_actions

    same = [Thought("a"), Thought("b"), Thought("a")]
    assert list(_distinct_actions(State("x"), same)) == [Thought("a"), Thought("b")]
    assert tot.tools.next_call(State("x", (Thought("a"),)), "library") is None


def test_lats_comes_to_an_end_without_an_answer_with_the_reward_0():
    def path(*steps):
        return " ".join(step if "[" in step else f"Search[{step}]" for step in steps)

    acts = {"": [path("A"), path("B")], path("A"): [path("C"), path("D")], path("B"): [path("G"), path("H")]}
    acts |= {path("A", one): [path("E"), path("F")] for one in "CD"}
    acts |= {path("B", "G"): [path("A")], path("B", "H"): ["Finish[good]"]}
    worth = {path("A"): 0.9, path("B"): 0.1, path("B", "G"): 0.3, path("B", "H"): 0.2, path("B", "G", "A"): 0.1}
    worth |= {path("A", one): 0.9 for one in "CD"} | {path("A", one, two): 0.9 for one in "CD" for two in "EF"}
    worth[path("B", "H", "Finish[good]")] = 0.95
    assert solved("lats", says(acts, worth), k=2, depth=3, rollouts=6).answers == ["good"]


def test_lats_ends_at_a_good_answer_that_was_the_output_before_it_was_judged():
    acts = {"": [S["A"], S["B"]], S["A"]: [S["C"]], f"{S['A']} {S['C']}": [S["D"]]}
    acts[S["B"]] = [S["E"], "Finish[good]"]  # the first is followed, and the second an answer by then
    worth = {S["A"]: 0.6, S["B"]: 0.5, f"{S['B']} Finish[good]": 0.95}
    result = solved("lats", says(acts, worth), k=2, depth=3, rollouts=30)
    assert result.answers == ["good"] and result.best[0].value == 0.95 and result.stopped == "done"
    assert sum(e["kind"] == "backed_up" for e in result.trace.events) < 30
    assert result.trace.events[-1]["kind"] == "backed_up" and result.trace.nodes()[result.best[0].id]["visits"] == 1


def test_lats_rewards_no_path_without_an_answer():
    """A dead end that was judged, and steps at the limit beside an answer."""

    def means(result):
        return {id: node["mean"] for id, node in result.trace.nodes().items() if "mean" in node and id.count(".") == 1}

    dead = says({"": [S["A"], S["B"]], S["A"]: [S["C"]], f"{S['A']} {S['C']}": [S["D"]]}, {S["A"]: 0.6})
    result = solved("lats", dead, k=2, depth=3, rollouts=6)
    assert means(result) == {"0.0": 0, "0.1": 0} and result.trace.nodes()["0.1"]["note"] == "no step leads on"
    beside = says({"": ["Finish[poor]", S["A"], S["B"]]}, {"Finish[poor]": 0.6, S["A"]: 0.35, S["B"]: 0.3})
    assert means(solved("lats", beside, depth=1, rollouts=8)) == {"0.0": 0.6, "0.1": 0, "0.2": 0}


def test_lats_keeps_an_answer_where_the_budget_has_no_room_for_the_lesson():
    lm = {"default": says({"": ["Finish[it]"]}, {"Finish[it]": 0.7}), "tool": Maze.tools}
    result = run(method("lats").search(Maze(), "x"), lm, budget=tot.Budget(calls=2))
    assert result.answers == ["it"] and result.stopped == "calls"
    kinds = [e["kind"] for e in run(method("lats").search(Maze(), "x", rollouts=1), lm).trace.events]
    assert kinds[-4:] == ["backed_up", "best", "asked", "reflected"]


def test_lats_asks_for_no_verdict_twice_that_was_not_read():
    lm = says({"": [S["A"], S["B"]], S["A"]: ["Finish[it]"]}, {S["A"]: 0.8, S["B"]: "no idea", "Finish[it]": 0.1})
    solved("lats", lm, depth=3, rollouts=6, k=2, reflections=False)
    worth = Counter(prompts(lm, "worth"))
    assert worth and max(worth.values()) == 1


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Thought: I know.\nFinal answer: 12", False),
        ("Action: Search: Copenh", False),
        ("Action: Finish[Oslo]", True),
        ("Action: Search[Oslo]\nObservation: Os", True),
    ],
)
def test_an_argument_that_the_limit_of_tokens_cut_is_none(text, whole):
    for finish, read in (("length", whole), ("stop", True)):
        said = Scripted(lambda request, i, finish=finish: tot.Sample(text, finish, 9))
        events = str(tot.solve("hotpotqa", "Where?", "react", lm=said, depth=1).trace.events)
        assert ("cut off in its action" in events) is not read
