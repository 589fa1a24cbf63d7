"""The page on own tasks, followed to the letter: a stepwise task of nobody's, in a table of three methods."""

import re
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest

import tot
from tot.cli import main

PAGE = (Path(__file__).parents[2] / "book" / "manual" / "own_task.md").read_text(encoding="utf-8")
TASK, EXPERIMENT, *_ = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def talks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    (tmp_path / "my_talks.py").write_text(TASK)
    yield tot.task("my_talks.py:Talks")
    for name in ("my_talks", "own_my_talks"):
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


def test_fewer_than_sixty_lines_lead_to_a_table_of_three_methods(talks, capsys):
    assert len(TASK.splitlines()) <= 50 and len((TASK + EXPERIMENT).splitlines()) < 60
    exec(EXPERIMENT.replace('"openai:your-model"', "dice"), {"dice": dice})
    table = capsys.readouterr().out
    rows = tot.results("results.jsonl").rows()
    assert [(row["method"], row["n"], row["errors"]) for row in rows] == [
        ("cot-sc", 3, 0), ("tot-bfs", 3, 0), ("tot-mcts", 3, 0)
    ]  # fmt: skip
    assert all(row["method"] in table for row in rows) and rows[1]["nodes"] > 10
    assert main(["report", "results.jsonl"]) == 0 and capsys.readouterr().out == table
    assert main(["compare", "results.jsonl", "tot-mcts", "cot-sc"]) == 0


def test_its_verifier_is_right_about_every_schedule(talks):
    """Against the wishes read once more; each problem has a schedule, and few of all are one."""
    x = talks.problems("own")[0].x
    places = list(product(words(x, "Rooms"), words(x, "Hours")))
    right = 0
    for chosen in product(places, repeat=4):
        at = dict(zip(words(x, "Talks"), chosen, strict=True))
        good = len(set(chosen)) == 4 and at["Ben"][0] == "hall" and at["Ada"][1] < at["Cho"][1]
        good = good and at["Ben"][1] != at["Dov"][1]
        score = talks.check(x, "\n".join(f"{talk}: {room}, {hour}" for talk, (room, hour) in at.items()))
        assert score.correct == good, (at, score)
        right += good
    assert 0 < right < 10
    for problem, answer in [
        (1, "Dov: hall, 10\nCho: hall, 11\nAda: hall, 12\nEve: loft, 10\nBen: loft, 11"),
        (2, "Fay: lab, 10\nAda: lab, 11\nBen: loft, 11\nCho: loft, 10\nEve: hall, 11\nDov: hall, 10"),
    ]:
        assert talks.check(talks.problems("own")[problem].x, answer).correct


@pytest.mark.parametrize("method", ["io", "cot", "cot-sc", "best-of", "tot-bfs", "tot-dfs", "tot-mcts", "tot-vote"])
def test_every_method_of_the_page_runs_with_a_function_for_a_model(talks, method):
    for problem in talks.problems("own"):
        solution = tot.solve(talks, problem, method, lm=dice)
        assert not solution.error and solution.result.stopped in ("done", "unfinished")
