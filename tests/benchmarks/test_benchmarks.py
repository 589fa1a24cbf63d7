"""The benchmarks' own server and player: what is timed is a real search, and every promise can fail."""

import subprocess
import time
from functools import partial

import pytest

import tot
from benchmarks import __main__ as command
from benchmarks import bfs, strategies, wire
from benchmarks.beside import Beside, beside, loop, processor, spent, start
from benchmarks.plain_http import Plain, body, rounds_of
from benchmarks.report import Row, at_most, seconds
from benchmarks.server import running
from tot.lm.openai import OpenAI


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
