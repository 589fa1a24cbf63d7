"""The benchmarks' own server and player: what is timed is a real search, and every promise can fail."""

import subprocess
import time
from functools import partial

import pytest

import tot
from benchmarks import __main__ as command
from benchmarks import bfs, mcts, strategies, wire
from benchmarks.beside import Beside, beside, loop, processor, spent, start
from benchmarks.plain_http import Plain, body, rounds_of
from benchmarks.player import play
from benchmarks.report import Row, at_least, at_most, seconds, table
from benchmarks.server import running
from tot.lm.openai import OpenAI


@pytest.mark.parametrize(
    "prompt, said",
    [
        ("Input: 4 4 6\nAnswer: 4 * (10 - 4) = 24\nInput: 4 6\nWhich steps can come next?\n", "4 * 6 = 24 (left: 24)"),
        ("Numbers: 4 6", "4 * 6 = 24 (left: 24)"),
        (
            "Input: 4 9 10 13\nSteps:13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n",
            "Answer: ",
        ),
        ("Numbers: 4 9 10 13\nAnswer: (13 - 9) * (10 - 4)", "sure"),
        ("Input: 4 9 10 13\nAnswer: (13 - 9) * 10 - 4 = 24\nJudge:", "impossible"),
    ],
)
def test_the_player_reads_prompts_of_every_client(prompt, said):
    assert said in play([{"role": "user", "content": prompt}], None, 0)


def test_the_clients_that_are_compared_ask_the_same():
    requests = wire.questions()[:5]
    with running() as server, OpenAI("player", base_url=server.url(0)) as lm, Plain(server.url(0)) as plain:
        assert len(lm(requests)) == 5 == server.stats()["calls"]
        plain([[[body(request) for request in requests]]])
        stats = server.stats()
        assert stats["calls"] == 5 and stats["seconds"] >= 0


@pytest.mark.parametrize("compose, rounds", [(True, 5), (False, 7)])
def test_a_search_against_the_server(compose, rounds):
    with running() as server, OpenAI("player", base_url=server.url(0, jitter=True)) as lm:
        solution = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, compose=compose)
        assert solution.correct and solution.result.ledger.rounds == rounds
        assert server.stats()["calls"] == solution.result.ledger.total_paid.calls
        assert server.stats()["calls"] == 0


def test_the_search_of_the_mcts_benchmark_goes_deep_and_repeats_itself():
    one, two = mcts.search(1, rollouts=200), mcts.search(1, rollouts=200)
    assert one.visits == 200 and mcts.deepest(one) > 3 and one.mean == two.mean != mcts.search(2, rollouts=200).mean


@pytest.mark.parametrize("name", strategies.SEARCHES)
def test_the_steps_that_are_timed_are_those_of_a_growing_tree(name):
    one = strategies.Steps(name, 160)
    assert one.at == sorted(one.at) and one.passed(50) > one.passed(0) > 0 and one.seconds(50) > 0


def test_the_plain_client_asks_what_the_search_asks():
    one = partial(bfs.search, "4 9 10 13", compose=False)
    asked = rounds_of(one)
    with running() as server, OpenAI("player", base_url=server.url(0)) as lm, Plain(server.url(0)) as plain:
        assert one(lm=lm).result.ledger.rounds == len(asked)
        calls = server.stats()["calls"]
        assert calls == sum(map(len, asked)) > len(asked)
        plain([asked, asked])
        assert server.stats()["calls"] == 2 * calls
        plain([[asked[0]]])
        assert server.stats()["calls"] == len(asked[0])


def test_two_pieces_of_work_are_measured_in_turn_and_the_least_of_each_is_compared():
    now, done = 0.0, []

    def work(name, *takes):
        left = iter(takes)

        def do():
            nonlocal now
            now += next(left)
            done.append(name)

        return do

    found = beside(work("a", 99, 6, 5, 7), work("b", 99, 2, 4, 3), times=3, clock=lambda: now)
    assert "".join(done) == "abababab" and (found.ours, found.plain, found.ratio) == (5, 2, 2.5)
    found = beside(work("a", 6), work("b", 2), times=1, clock=lambda: now, warm=False)
    assert found.ratio == 3 and found.wall < 6  # by the clock of the test, no time passed on the wall


def test_the_clock_counts_work_here_and_in_processes_that_ended_but_no_waiting():
    waiting, _ = spent(partial(time.sleep, 0.3))
    here, wall = spent(partial(loop, 200_000))
    there, _ = spent(partial(start, "sum(range(10**7))"))
    if processor() != time.perf_counter():
        assert waiting < 0.2 and here > 0 and there > spent(start)[0]
    assert wall > 0 and loop(10) == 10
    with pytest.raises(subprocess.CalledProcessError):
        start("1 / 0")


def test_rows():
    assert [row.ok for row in (at_most("", 2, 2), at_most("", 3, 2), at_least("", 2, 2), at_least("", 1, 2))] == [
        "yes",
        "NO",
    ] * 2
    assert (Row("", None, "at most 1").ok, Row("", 1.0).ok) == ("skipped", "")
    speed = at_most("speed", 1.2345, 1.3, note="why", figure="57 ms")
    lines = list(table([speed, Row("rounds", 12_345.6)]))
    assert [cell.strip() for cell in lines[2].split("|")] == ["speed", "1.23", "at most 1.3", "yes", "57 ms"]
    assert lines[3].strip() == "why" and "12,346" in lines[4]
    told = {
        "what": "speed",
        "measured": "1.23",
        "promised": "at most 1.3",
        "ok": "yes",
        "figure": "57 ms",
        "note": "why",
    }
    assert speed.to_dict() == told and Row("", None).to_dict()["measured"] == "-"
    assert [seconds(each) for each in (0.0567, 1.8712, 183.2)] == ["56.7 ms", "1.87 s", "183 s"]


@pytest.mark.parametrize(("ratio", "status"), [(1.9, 0), (2.1, 1)])
def test_the_command_fails_for_a_broken_ratio_alone(ratio, status, monkeypatch, tmp_path, capsys):
    """However long it took: seconds are for information."""
    took = Beside(ratio * 3600, 3600, ratio * 3600)

    class Slow:
        def measure(server):
            yield at_most("work / plain work", took.ratio, 2, figure=seconds(took.wall))
            yield Row("not here", None, "at most 2")
            yield Row("for information", 10**9)

    monkeypatch.setattr(command, "MEASUREMENTS", {"slow": Slow})
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["benchmarks"])
    assert command.main() == status
    assert ("NO" in capsys.readouterr().out) == bool(status)
    assert (tmp_path / "results.json").exists()
    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "quick"])
    with pytest.raises(SystemExit):
        command.main()
    assert "choose some of slow" in capsys.readouterr().err
