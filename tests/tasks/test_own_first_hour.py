"""The page on own tasks, followed to the letter: a stepwise task of nobody's, in a table of three methods."""

import json
import re
import sys
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import tot
from tot.cli import main
from tot.experiments import grid, run_experiment
from tot.testing import check_task

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "manual" / "own_task.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Your own task")[2]
TASK, EXPERIMENT, *_ = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def talks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    (tmp_path / "my_talks.py").write_text(TASK)
    yield tot.task("my_talks.py:Talks")
    for name in ("my_talks", "own_my_talks", "own_my_coins"):
        sys.modules.pop(name, None)


def words(x, what):
    return re.search(f"{what}: (.*?)[.]", x)[1].split(", ")


def dice(prompt):
    """Throws steps and verdicts; what it says of one prompt is always the same."""
    luck, x = Random(prompt), prompt.split("\n\n")[1]
    if "impossible" in prompt:
        return luck.choice(["sure", "likely", "impossible"])
    thrown = [
        f"{talk}: {luck.choice(words(x, 'Rooms'))}, {luck.choice(words(x, 'Hours'))}" for talk in words(x, "Talks")
    ]
    luck.shuffle(thrown)
    return "Answer:\n" * ("Answer" in prompt) + "\n".join(thrown)


def test_about_sixty_lines_lead_to_a_table_of_three_methods(talks, capsys, monkeypatch):
    assert len(TASK.splitlines()) <= 50 and len((TASK + EXPERIMENT).splitlines()) <= 60
    script = EXPERIMENT.replace('"openai:your-model"', "dice")
    exec(script, {"dice": dice})
    table = capsys.readouterr().out
    rows = tot.results("results.jsonl").rows()
    assert [(row["method"], row["n"], row["errors"]) for row in rows] == [
        ("cot-sc", 3, 0), ("tot-bfs", 3, 0), ("tot-mcts", 3, 0)
    ]  # fmt: skip
    assert all(row["method"] in table for row in rows) and rows[1]["nodes"] > 10
    assert main(["report", "results.jsonl"]) == 0 and capsys.readouterr().out == table
    assert main(["compare", "results.jsonl", "tot-mcts", "cot-sc"]) == 0
    monkeypatch.setattr(sys.modules["my_talks"].Talks, "inputs", [problem.x for problem in talks.problems("own")][1:])
    with pytest.warns(UserWarning, match="questions that own no longer has: 3"):
        exec(script, {"dice": dice})
    assert {row["n"] for row in tot.results("results.jsonl").rows()} == {2}


@pytest.mark.parametrize(
    "method", ["io", "cot", "cot-sc", "best-of", "tot-bfs", "tot-dfs", "tot-mcts", "tot-vote", "restarts"]
)
def test_every_method_of_the_page_runs_with_a_function_for_a_model(talks, method):
    for problem in talks.problems("own"):
        solution = tot.solve(talks, problem, method, lm=dice)
        assert not solution.error and solution.result.stopped in ("done", "unfinished")


def test_the_readmes_task_is_that_of_the_help_and_leads_to_a_table(talks, capsys):
    shown = re.search(r"```python\n(.*?)```", README, re.S)[1]
    assert shown.strip() in dedent(tot.Stepwise.__doc__.partition("\n")[2]).replace("\n    ", "\n")
    Path("my_coins.py").write_text(shown, encoding="utf-8")
    coins = tot.task("my_coins.py:Coins")
    check_task(coins)
    for x, *answers in [("36 with 4", "20 10 5 1"), ("17 with 3", "10 5 2"), ("48 with 5", "20 20 5 2 1")]:
        (problem,) = [problem for problem in coins.problems("own") if x in problem.x]
        assert all(coins.check(problem.x, answer.replace(" ", "\n")).correct for answer in answers)
        assert not coins.check(problem.x, "20\n20\n5").correct and not coins.check(problem.x, "1\n" * 5).correct

    def player(prompt):
        coins = Random(prompt).choices(["1", "2", "5", "10", "20"], k=5)
        return "sure" if "impossible" in prompt else "Answer:\n" + "\n".join(coins)

    jobs = grid(coins, ["cot-sc", "tot-bfs", "tot-mcts"], coins.problems("own"))
    run_experiment(jobs, player, out="results.jsonl")
    told = re.findall(r"^\$ tot ((?:report|compare) .*)$", README, re.M)
    assert [main(command.split()) for command in told] == [0, 0]
    table = capsys.readouterr().out
    assert all(row["n"] == 3 and row["method"] in table for row in tot.results("results.jsonl").rows())


@pytest.mark.treebook
@pytest.mark.parametrize("inputs", ["inputs = [", "inputs: list[str] = [", "inputs = LISTED"])  # as linters ask for
def test_results_of_a_task_that_was_changed_are_told_and_asked_anew(talks, capsys, inputs):
    """A changed prompt, reader or problem, but no comment and no further problem."""

    def run(before, after, *more):
        task = TASK.replace(before, after)
        if "LISTED" in inputs:  # above the class
            listed = re.search(r"    inputs = (\[.*?\n    \])\n", task, re.S)
            task = task.replace(listed[0], f"    {inputs}\n").replace(
                "class Talks", f"LISTED = {listed[1]}\nclass Talks"
            )
        task = task.replace("inputs = [", inputs)
        Path("my_talks.py").write_text(task, encoding="utf-8")
        line = "run my_talks.py:Talks --method cot --problems own --lm pocket --out results.jsonl"
        assert main([*line.split(), *more]) == 0
        told = re.search(r"changed since (\d+) results .*--again", capsys.readouterr().err)
        lines = map(json.loads, Path("results.jsonl").read_text(encoding="utf-8").splitlines())
        moves = dict.fromkeys(("problem", "gone", "moved"))
        asked = {json.dumps(line | moves, sort_keys=True) for line in lines}
        return int(told[1]) if told else 0, len(asked)

    assert run("", "") == (0, 3)
    assert run("    steps = 6", "    # more than enough\n    steps = 6") == (0, 3)
    one, last = '"Talks: Ada. Rooms: hall. Hours: 10."', 'Dov needs the hall.",'
    assert run(last, f"{last}\n        {one}") == (0, 4)
    assert run("    inputs = [", f"    inputs = [\n        {one},") == (0, 4)  # another place is no other question
    assert run("is to be kept", "must be kept") == (3, 4)
    assert run('before": hour <', 'before": hour <=') == (3, 4)
    assert run('before": hour <', 'before": hour <=', "--again") == (0, 7)
    assert run('before": hour <', 'before": hour <=') == (0, 7)


@pytest.mark.treebook
def test_methods_that_were_judged_by_different_code_of_a_task_are_not_compared_without_a_word(talks, capsys):
    def run(task, *methods, again=()):
        Path("my_talks.py").write_text(task, encoding="utf-8")
        line = "run my_talks.py:Talks --problems own --lm pocket --out results.jsonl --method"
        assert main([*line.split(), ",".join(methods), *again]) == 0
        return capsys.readouterr().out

    def told():
        both = [["report", "results.jsonl"], ["compare", "results.jsonl", "cot", "io"]]
        return [main(words) == 0 and "code was not the same" in "".join(capsys.readouterr()) for words in both]

    assert "not the same" not in run(TASK, "io", "cot") and told() == [False, False]
    mended = TASK.replace('before": hour <', 'before": hour <=')
    assert mended != TASK
    run(mended, "io", again=["--again"])
    assert told() == [True, True]
    run(mended, "cot", again=["--again"])
    assert told() == [False, False]
