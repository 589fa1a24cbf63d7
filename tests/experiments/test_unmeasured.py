"""Which rates of 0% are explained: only those that say nothing about the method."""

import pytest

from tot import Budget, Sample, Scripted, solve, task
from tot.experiments import grid, run_experiment
from tot.experiments.unmeasured import only_thought, unmeasured
from tot.show.terminal import outcome

GAME = task("game24")
X = "4 9 10 13"
RIGHT = "Answer: (10 - 4) * (13 - 9)"


def lines(tmp_path, says, *methods, budget=None):
    """Results of two problems; ``says``: the sample for a request."""
    jobs = grid(GAME, methods or ["io"], [GAME.problem(x) for x in (X, "1 2 3 4")])
    return run_experiment(jobs, Scripted(lambda request, i: says(request)), out=tmp_path / "r.jsonl", budget=budget)


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (Sample("Let me see. 4 * 9", "length", 40), "both replies ended at the limit of tokens"),
        (Sample("", "thinking", 40, "hm", 40), "still thinking, at 40 tokens on average"),
        (Sample("I would rather not", "stop", 4), "nothing could be read in both replies"),
    ],
)
def test_replies_of_which_nothing_could_come(tmp_path, sample, words):
    done = lines(tmp_path, lambda request: sample)
    assert words in unmeasured(done)["io"]
    assert bool(only_thought(done)) == (sample.finish == "thinking")


def test_a_wrong_answer_is_a_measurement(tmp_path):
    assert unmeasured(lines(tmp_path, lambda request: "Answer: 4 + 9 + 10 + 13")) == {}


def test_one_answer_among_replies_that_were_cut_is_a_measurement(tmp_path):
    def says(request):
        return RIGHT if X in request.messages[-1].content else Sample("Let me see", "length", 40)

    done = lines(tmp_path, says)
    assert [line["correct"] for line in done] == [True, False] and unmeasured(done) == {}


def test_each_method_is_judged_by_itself(tmp_path):
    def says(request):
        return "no steps" if "next steps" in str(request.messages).lower() else "Answer: 1 + 2"

    assert list(unmeasured(lines(tmp_path, says, "io", "tot-bfs"))) == ["tot-bfs"]


def test_each_model_is_judged_by_itself(tmp_path):
    good = lines(tmp_path, lambda request: RIGHT)
    (tmp_path / "r.jsonl").unlink()
    mute = [{**line, "lm": "mute"} for line in lines(tmp_path, lambda request: "I would rather not")]
    assert list(unmeasured([*good, *mute])) == ["io with mute"]


def test_a_budget_that_ended_every_problem(tmp_path):
    done = lines(tmp_path, lambda request: RIGHT, budget=Budget(tokens=5))
    (why,) = unmeasured(done).values()
    assert why.startswith("the budget of tokens ended both problems before there was an answer, and the next round")


def test_a_search_that_asked_nothing_says_so(tmp_path):
    done = lines(tmp_path, lambda request: "4 + 9 = 13 (left: 10 13 13)", ("tot-dfs", {"steps": 0}), "io")
    assert "steps" in unmeasured(done)["tot-dfs"] and "asked" in unmeasured(done)["tot-dfs"]
    assert "asked" in outcome(solve(GAME, X, "tot-dfs", lm=Scripted([]), steps=0))
