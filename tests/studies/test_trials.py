"""The harness: what is finished is on disk and is not played again, and numbers are what they say."""

import json
import os
import subprocess
import sys
from functools import partial
from math import erfc, inf, log, sqrt
from pathlib import Path
from random import Random
from threading import Barrier
from time import sleep

import pytest

import tot
from studies.figures import against, as_before, as_json, compared, gap, holm, of_samples, read, share, write
from studies.paper_table.session import judged
from studies.trials import GAME, OWN, play, trials
from tot.lm.tape import Tape
from tot.solution import Job
from tot.stats import bootstrap, mcnemar, wilson

ROOT = Path(__file__).parents[2]
PUZZLES = GAME.problems("hard")[:2]


def squared(i, count=None):
    if count is not None:
        with count.open("a") as file:
            file.write(f"{i}\n")
    return {"i": i, "square": i * i}


def at(line):
    return line["i"]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_study_goes_on_after_a_kill(tmp_path, workers):
    file, count = tmp_path / "lines.jsonl", tmp_path / "count"
    todo, one = {i: i for i in range(7)}, partial(squared, count=count)
    whole = trials(todo, one, file, at, same={"n": 3}, together=lambda i: i % 2, workers=workers)
    assert list(whole) == list(todo) and whole[3] == {"i": 3, "square": 9, "n": 3}
    written = file.read_text().splitlines()
    file.write_text("\n".join(written[:4]) + "\n" + written[4][:9])  # killed while it wrote the fifth
    assert trials(todo, one, file, at, same={"n": 3}, workers=workers) == whole
    assert len(count.read_text().split()) == 7 + 3


def test_lines_that_other_code_played_are_told(tmp_path, capsys):
    todo = {i: i for i in range(3)}
    whole = trials(todo, squared, file := tmp_path / "lines.jsonl", at)
    assert trials(todo, squared, file, at) == whole and "other code" not in capsys.readouterr().out
    code = json.loads(file.read_text().splitlines()[0])["code"]
    file.write_text(file.read_text().replace(code, "older", 2))
    trials(todo, squared, file, at)
    assert "2 of the lines were played by other code: remove" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_workers_end_with_the_process_that_started_them(tmp_path):
    lines = ["import os, time", "from studies.trials import processes", "if __name__ == '__main__':"]
    lines += ["    with processes(2) as workers:", "        slow = [workers.submit(time.sleep, 60) for _ in range(2)]"]
    lines += ["        time.sleep(2)", "        os.kill(os.getpid(), 9)"]
    (tmp_path / "killed.py").write_text("\n".join(lines))
    command, env = [sys.executable, str(tmp_path / "killed.py")], {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, env=env, capture_output=True, timeout=30)  # its pipes end with the last who writes to them


def test_what_a_trial_left_is_no_part_of_the_whole_study(tmp_path):
    whole = {"puzzles": None, "tokens": 2.5e6}
    for _ in range(2):
        as_before(whole, tmp_path / "made_with.json")
    with pytest.raises(SystemExit, match="was begun with .*None.* not .*5"):
        as_before(whole | {"puzzles": 5}, tmp_path / "made_with.json")
    as_before(whole, tmp_path / "made_with.json")


def test_equal_requests_of_different_puzzles_get_samples_of_their_own():
    lm = tot.Scripted(lambda request, index: f"{index}")
    runs = play([PUZZLES[0], PUZZLES[0]], "cot", lm, k=2, shift=100)
    assert {request.first for request in lm.requests} == {100, OWN + 100} and len(runs) == 2


@pytest.mark.parametrize("judging", [False, True])
def test_when_one_call_is_refused_the_others_in_flight_are_recorded_and_nothing_more_is_asked(judging, tmp_path):
    begun, asked = Barrier(4), []

    class Slow(tot.LM):
        name = "slow"

        def __call__(self, requests, on_reply=None):
            asked.append(requests)
            begun.wait(10)
            if "1 2 3 4" in str(requests):
                raise tot.LMError("flagged")
            sleep(0.3)
            return tot.Scripted("an odd step", name="slow")(requests, on_reply)

    problems = [GAME.problem(f"{i} 2 3 4") for i in (1, 5, 6, 7)]
    with tot.Cassette(tmp_path / "c.jsonl", Slow()) as lm:
        if judging:
            with pytest.warns(UserWarning, match="1 of 4 judgements are missing: flagged"):
                results = judged([Job(GAME, p, tot.method("io"), {}).search() for p in problems], lm)
            assert [bool(result.best) for result in results] == [False, True, True, True]
        else:
            with pytest.raises(tot.LMError, match="flagged"):
                play(problems, "tot-bfs", lm)
    assert len(asked) == 4 and len(Tape(tmp_path / "c.jsonl").samples) == 3


def test_intervals_are_those_of_the_package():
    found = wilson(3, 4)
    assert share([1, True, 1.0, 0]) == pytest.approx([found.rate, found.low, found.high], abs=1e-4)
    assert of_samples([[1.0, 1.0], [1.0]]) == share([1, 1]) and of_samples([[0.0]]) == share([0])
    assert of_samples([[1.0], [0.0], [1.0]]) == share([1, 0, 1])  # one yes or no for each problem
    mixed = bootstrap([[0.0, 1.0], [1.0]])
    assert of_samples([[0.0, 1.0], [1.0]]) == pytest.approx([mixed.rate, mixed.low, mixed.high], abs=1e-4)


def test_differences_are_tested_by_pairs():
    a, b = [1.0] * 9 + [0.0] * 3, [0.0] * 8 + [1.0] * 2 + [0.0] * 2
    told = compared(a, b)
    assert told["alone"] == [8, 1] and told["p"] == mcnemar(8, 1)
    assert told["difference"] == gap(a, b) and gap(a, b)[0] == pytest.approx(7 / 12, abs=1e-4)
    halves = compared([0.5, 0.5, 0.5], [0.0, 0.0, 0.0])
    assert "alone" not in halves and halves["p"] == 0.25
    assert holm([0.04, 0.01, 0.03, 0.5]) == pytest.approx([0.09, 0.04, 0.09, 0.5]) and holm([0.6, 0.9]) == [1.0, 1.0]


def test_a_results_file_is_read_as_it_was_written(tmp_path):
    found = {"a": [1, 2.5, None], "b": {"c": [[1], []], "d": "x [  ] ü", "e": ["two  spaces ", "[ 1 ]", "a\u2028b"]}}
    write(found, tmp_path / "new" / "r.json")
    assert read(tmp_path / "new" / "r.json") == found and '"a": [1, 2.5, null],' in as_json(found)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["r.json"]


def tango(won, lost, n, claimed):
    """z of Tango's test, with the likeliest chances that differ by the claim found by trying them all."""

    def likely(q):
        chances = (q + claimed, q, 1 - 2 * q - claimed)
        counted = zip((won, lost, n - won - lost), chances, strict=True)
        return sum(k * log(p) if p > 0 else -inf * (k > 0) for k, p in counted if k)

    steps = 20_000
    low, high = max(0.0, -claimed), (1 - claimed) / 2
    q = max((low + (high - low) * i / steps for i in range(steps + 1)), key=likely)
    return (won - lost - n * claimed) / sqrt(n * (2 * q + claimed - claimed**2))


@pytest.mark.parametrize(
    ("won", "lost", "n", "claimed"),
    [(3, 0, 10, 0.29), (0, 0, 40, 0.1), (9, 7, 40, 0.42), (2, 5, 40, -0.03), (10, 0, 10, 0.5), (0, 6, 20, 0.3)],
)
def test_a_claimed_size_of_counts_is_tested_as_tango_does(won, lost, n, claimed):
    gaps = [1.0] * won + [-1.0] * lost + [0.0] * (n - won - lost)
    assert against(gaps, claimed) == pytest.approx(erfc(abs(tango(won, lost, n, claimed)) / sqrt(2)), abs=1e-4)
    assert against([-9 * gap for gap in gaps], -9 * claimed, 9.0) == pytest.approx(against(gaps, claimed))


@pytest.mark.parametrize(
    "likely",
    [{0: 0.95, 1: 0.05}, {0: 0.75, 1: 0.2, -1: 0.05}, {-0.1: 0.7, 0.9: 0.3}, {0: 0.4, 0.2: 0.3, 0.4: 0.2, -0.6: 0.1}],
    ids=str,
)
def test_a_true_size_is_seldom_refused(likely):
    dice, truth = Random(5), sum(value * p for value, p in likely.items())
    draws = [dice.choices([*likely], [*likely.values()], k=25) for _ in range(400)]
    assert sum(against(gaps, truth) < 0.05 for gaps in draws) <= 0.08 * len(draws)
    assert all(against([truth] * n, truth) == 1 for n in (1, 40))
