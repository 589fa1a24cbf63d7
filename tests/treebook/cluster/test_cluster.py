"""Sweeps on a Dask cluster: the results of one process, whatever dies; and no secret that travels.

Most tests have their workers in threads of this process, which start in a moment; the slow ones have real processes.
"""

import _thread
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import fake_server as fake
import pytest
from fake_server import Answer, FakeServer, answering
from games import GAME, half
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("distributed", reason='needs Dask: pip install "dask[distributed]"')

pytest.importorskip("cryptography", reason="needs cryptography")

import dask
from distributed import Client, KilledWorker, LocalCluster, Security, SpecCluster

from tot.budget import Budget
from tot.experiments import grid, read_results, run_experiment
from tot.jsonlines import FileTrouble
from tot.lm.base import LMError, Reply, Sample, Usage, user
from tot.lm.cassette import Cassette
from tot.lm.checking import check
from tot.lm.opening import open as open_lm
from tot.lm.roles import Roles
from tot.lm.scripted import Scripted
from tot.lm.tape import Tape
from tot.tasks import task
from tot.tasks.hotpotqa import HotpotQA
from tot.tasks.open_questions import OpenQuestions
from tot.tools import Offline, Page
from tot.tools.mcp import Servers
from treebook.cluster import client as on_cluster
from treebook.cluster import local as on_local
from treebook.cluster.exchange import Exchange
from treebook.cluster.worker import Model, Shared

PUZZLES = GAME.problems("hard")[:6]
KEY = "sk-a-secret-of-the-tests-0123456789"
SOLE = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}


@contextmanager
def threads(**more):
    """A client of two workers in this process."""
    local = LocalCluster(**{**SOLE, "silence_logs": logging.CRITICAL, **more})
    try:
        with on_cluster.Cluster(local) as client:
            yield client
    finally:
        with suppress(TimeoutError):
            local.close(timeout=2)  # a scheduler that a test has closed does not answer


@pytest.fixture
def client():
    with threads() as client:
        yield client


@pytest.fixture
def certified():
    """Certificates for a scheduler elsewhere, which this process has in its configuration, as ``clusters.md`` says."""
    security = Security.temporary()
    names = {"ca-file": security.tls_ca_file, "client.key": security.tls_client_key}
    names["client.cert"] = security.tls_client_cert
    with dask.config.set({f"distributed.comm.tls.{name}": value for name, value in names.items()}):
        yield {"protocol": "tls", "security": security}


def player(messages, i):
    """Proposes two steps for any numbers, and judges by how they look: every run of a search is the same."""
    numbers = messages[-1]["content"].removeprefix("Numbers: ").split()
    if "impossible" in messages[0]["content"]:
        return "sure" if half(" ".join(numbers), i) else "likely"
    if "List up to" in messages[0]["content"] and len(numbers) > 1 and all(n.isdigit() for n in numbers):
        a, b, *rest = sorted(numbers, key=int)
        left = [" ".join([*rest, str(n)]) for n in (int(a) + int(b), int(a) * int(b))]
        return f"{a} + {b} = {int(a) + int(b)} (left: {left[0]})\n{a} * {b} = {int(a) * int(b)} (left: {left[1]})"
    return "Answer: 1 + 1"


def restless():
    """A server that never says the same again: each of its verdicts and steps depends on how often it was asked."""
    asked, lock = Counter(), threading.Lock()

    def say(messages, i):
        with lock:
            asked["all"] += 1
            seen = asked["all"]
        time.sleep(0.02)
        text = player(messages, i)
        if text in ("sure", "likely"):
            return f"{('sure', 'likely', 'impossible')[seen % 3]} said for the {seen}th time\n{text}"
        return "\n".join(text.splitlines()[:: 1 if seen % 2 else -1])

    return say


def samples_of(path):
    """The content of a cassette that does not depend on who asked first."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    own = ("call", "latency_ms", "session", "sum")  # the sum is over the others, too
    return sorted(json.dumps({k: v for k, v in line.items() if k not in own}) for line in lines if "text" in line)


def left_of(client):
    """What a sweep has left behind at the scheduler and the workers."""
    left = client.run_on_scheduler(
        lambda dask_scheduler: [*dask_scheduler.plugins, *dask_scheduler.handlers, *dask_scheduler.worker_plugins]
    )
    left += [name for names in client.run(lambda dask_worker: list(dask_worker.plugins)).values() for name in names]
    return [name for name in left if name.startswith("tot-")]


def results_of(path):
    return sorted(path.read_text(encoding="utf-8").splitlines())


# ---------------------------------------------------------------- the same as in one process


@pytest.mark.parametrize("budget", [None, Budget(calls=9)], ids=["none", "calls"])
def test_the_results_and_the_recordings_are_those_of_one_process(tmp_path, client, budget):
    jobs = grid(GAME, ["io", ("cot", {"k": 3}), ("tot-bfs", {"breadth": 2})], PUZZLES)
    with FakeServer(answering(player)) as server:
        found = {}
        for where in ("here", "there"):
            tape, out = tmp_path / f"{where}.tape", tmp_path / where
            how = {"base_url": server.url, "temperature": None, "options": {"reasoning_effort": "low"}}
            with open_lm("openai:fake", cassette=tape, **how) as lm:
                lines = run_experiment(jobs, lm, out=out, budget=budget, cluster=client if where == "there" else None)
            assert server.requests[-1]["reasoning_effort"] == "low" and lines[0]["settings"]
            found[where] = lines, results_of(out), samples_of(tape)
            assert check(tape) == []
    assert found["here"] == found["there"] and not left_of(client)
    assert [line["problem"] for line in lines] == [job.problem.id for job in jobs]
    assert not any("error" in line for line in lines)
    assert any(line["stopped"] == "calls" for line in lines) == (budget == Budget(calls=9))


@pytest.mark.parametrize("budget", [None, Budget(dollars=0.01)], ids=["none", "dollars"])
def test_prices_and_who_answered_are_those_of_the_recording(tmp_path, client, budget):
    """Of a part no price is known, of another a higher one than now; and the last jobs ask nothing new."""
    jobs = grid(GAME, [("cot", {"k": 2}), ("tot-bfs", {"breadth": 2}), ("tot-bfs", {"breadth": 1})], PUZZLES[:4])
    dear, cheap = ({"fake": {"input": price, "output": price}} for price in (100.0, 1.0))
    say = answering(player)
    found = []
    with FakeServer(lambda body: Answer(say(body).payload | {"model": "fake-2024"})) as server:
        for where in (None, client):
            tape = tmp_path / f"{len(found)}.tape"
            how = {"cassette": tape, "base_url": server.url}
            with open_lm("openai:fake", **how) as lm:
                run_experiment(jobs[:1], lm, out=tmp_path / f"{len(found)}.first")
            with open_lm("openai:fake", prices=dear, **how) as lm:
                run_experiment(jobs[1:5], lm, out=tmp_path / f"{len(found)}.second")
            with open_lm("openai:fake", prices=cheap, **how) as lm:
                found.append(run_experiment(jobs, lm, out=tmp_path / f"{len(found)}", budget=budget, cluster=where))
    assert found[0] == found[1] and {line["served"] for line in found[0]} == {"fake-2024"}
    assert any(line["stopped"] == "dollars" for line in found[0]) == bool(budget)


def test_who_answered_is_known_to_a_worker_that_has_asked_nothing():
    desk = SimpleNamespace(trade=Exchange("sweep", "client", {}).trade, about=lambda *of: {})
    model = Model(0, "openai:fake", {}, True, (0.0, 0.0), (0.0, 0.0))
    say = answering(player)
    with FakeServer(lambda body: Answer(say(body).payload | {"model": "fake-2024"})) as server:
        for _ in range(2):
            lm = Shared(open_lm("openai:fake", base_url=server.url), desk, model)
            lm([user("1 2 3")])
            assert lm.served == "fake-2024"
        assert len(server.requests) == 1


def test_roles_have_models_and_cassettes_of_their_own_and_some_have_none(tmp_path, client):
    jobs = grid(GAME, [("tot-bfs", {"breadth": 2})], PUZZLES[:3])
    with FakeServer(answering(player)) as server:
        found = []
        for where in (None, client):
            tape = tmp_path / f"{len(found)}.tape"
            with open_lm("openai:judge", cassette=tape, base_url=server.url) as judge:
                lms = {"default": open_lm("openai:fake", base_url=server.url), "evaluator": judge}
                lines = run_experiment(jobs, lms, out=tmp_path / f"{len(found)}", cluster=where)
            found.append((lines, samples_of(tape)))
    assert found[0] == found[1] and {line["lm"] for line in lines} == {"default=fake, evaluator=judge"}


def test_the_first_text_of_a_sample_counts_for_every_worker(tmp_path, client):
    """The jobs share most of their requests, and two workers ask at the same moment for what never comes twice."""
    jobs = grid(GAME, [("tot-bfs", {"breadth": b}) for b in (1, 2, 3)], PUZZLES[:4])
    tape, out = tmp_path / "tape", tmp_path / "out"
    with (
        FakeServer(answering(restless())) as server,
        open_lm("openai:fake", cassette=tape, base_url=server.url) as lm,
    ):
        lines = run_experiment(jobs, lm, out=out, cluster=client, at_once=6)
    assert check(tape) == []
    places = [(line["key"], line["index"]) for line in map(json.loads, tape.open(encoding="utf-8")) if "text" in line]
    assert len(places) == len(set(places))
    assert run_experiment(jobs, Cassette(tape), out=tmp_path / "again") == lines  # a replay finds the same trees


@pytest.mark.slow
def test_the_pocket_model_is_opened_by_the_workers(tmp_path, client):
    jobs = grid(GAME, [("tot-bfs", {"breadth": 1})], GAME.problems("easy")[:2])
    here = run_experiment(jobs, open_lm("pocket:7"), out=tmp_path / "here")
    assert run_experiment(jobs, open_lm("pocket:7"), out=tmp_path / "there", cluster=client) == here


def test_tools_and_their_recording(tmp_path, client):
    """The task holds locks, so it travels by its name; its tools run at the workers, and are recorded here."""
    wiki = task("hotpotqa")
    jobs = grid(wiki, ["react"], wiki.problems("book")[:3])

    def looks_up(messages, i):
        return "Finish[it]" if "Observation" in messages[-1]["content"] else "Thought: look\nAction: Search[Oak]"

    with FakeServer(answering(looks_up)) as server:
        found = []
        for where in (None, client):
            tape = tmp_path / f"{len(found)}.tools"
            with Cassette(tape, wiki.tools) as tools:
                lms = {"default": open_lm("openai:fake", base_url=server.url), "tool": tools}
                found.append(run_experiment(jobs, lms, out=tmp_path / f"{len(found)}", cluster=where))
            found.append(samples_of(tape))
    assert found[:2] == found[2:] and found[1] and found[0][0]["tools"]["total"] > 0


@asynccontextmanager
async def shop(command):
    """A client of an MCP server that is not there, with one tool."""

    async def list_tools(cursor):
        one = {"name": "find", "description": "Find.", "input_schema": {}}
        return SimpleNamespace(
            tools=[SimpleNamespace(**one, annotations=SimpleNamespace(read_only_hint=True))], next_cursor=None
        )

    async def call_tool(tool, given):
        said = SimpleNamespace(type="text", text=f"in {command}")
        return SimpleNamespace(content=[said], is_error=False, structured_content=None)

    yield SimpleNamespace(server_info=SimpleNamespace(name="shop"), list_tools=list_tools, call_tool=call_tool)


def test_servers_of_tools_are_started_by_the_workers_and_recorded_here(tmp_path, client):
    problems = task("questions").problems("shop")[:3]

    def asks(messages, i):
        seen = "in Turku" in messages[-1]["content"].partition("Write the next")[0]
        return "Action: Finish[Turku]" if seen else 'Action: find {"what": "lamp"}'

    with FakeServer(answering(asks)) as server:
        found = []
        for where in (None, client):
            tape = tmp_path / f"{len(found)}.tools"
            with Servers(["Turku"], connect=shop) as live, Cassette(tape, live) as tools:
                jobs = grid(OpenQuestions(tools), ["react"], problems)
                lms = {"default": open_lm("openai:fake", base_url=server.url), "tool": tools}
                found.append(run_experiment(jobs, lms, out=tmp_path / f"{len(found)}", cluster=where))
            found.append(samples_of(tape))
        with Cassette(tape) as tools:
            assert "find" in OpenQuestions(tools).known
    assert found[:2] == found[2:] and [line["answers"] for line in found[0]] == [["Turku"]] * 3


def test_a_second_run_asks_nothing_and_a_wider_one_only_for_what_is_new(tmp_path, client):
    tape, out = tmp_path / "tape", tmp_path / "out"
    few, more = (grid(GAME, [("cot", {"k": 2})], PUZZLES[:n]) for n in (2, 4))
    with FakeServer(answering(player)) as server:
        for jobs, asked in ((few, 2), (few, 2), (more, 4)):
            with open_lm("openai:fake", cassette=tape, base_url=server.url) as lm:
                run_experiment(jobs, lm, out=out, cluster=client)
            assert len(server.requests) == asked
        out.unlink()
        with open_lm("openai:fake", cassette=tape, base_url=server.url) as lm:  # what is recorded is known there
            assert len(run_experiment(more, lm, out=out, cluster=client)) == len(server.requests) == 4


# ---------------------------------------------------------------- what goes wrong


def test_a_failed_call_is_a_line_with_an_error_and_many_in_a_row_end_the_run(tmp_path, client):
    jobs = grid(GAME, ["io"], GAME.problems("easy")[:30])
    with FakeServer(fake.always(fake.error(401, "wrong key"))) as server:
        lm = open_lm("openai:fake", base_url=server.url)
        lines = run_experiment(jobs, lm, out=tmp_path / "out", cluster=client, at_once=1, patience=3)
    assert 3 <= len(lines) < 30 and all("key" in line["error"] for line in lines)
    with FakeServer(answering(player)) as server:
        lm = open_lm("openai:fake", base_url=server.url)
        lines = run_experiment(jobs, lm, out=tmp_path / "out", cluster=client)
    assert len(lines) == 30 and not any("error" in line for line in lines)


def test_a_bug_in_a_task_is_a_line_with_an_error(tmp_path, client):
    class Broken(type(GAME)):
        def read_io(self, state, text):
            raise ZeroDivisionError("a bug")

    with FakeServer(answering(player)) as server:
        lm = open_lm("openai:fake", base_url=server.url)
        lines = run_experiment(grid(Broken(), ["io"], PUZZLES[:2]), lm, out=tmp_path / "out", cluster=client)
    assert [line["error"].partition(" (")[0] for line in lines] == ["ZeroDivisionError: a bug"] * 2


class Own(Exception):
    def __init__(self, one, another):  # no exception that pickle could make again
        super().__init__(f"{one} {another}")


class Buggy(type(GAME)):
    """A slip in one's own code, at the first problem, while the others are in flight."""

    def verify(self, problem, answer):
        if problem.id == PUZZLES[0].id and answer is not None:
            time.sleep(0.2)
            raise {"own": Own("a", "bug"), "file": FileNotFoundError("a bug")}[self.slip]
        return super().verify(problem, answer)


@pytest.mark.parametrize("slip", ["own", "file", "no model"])
def test_what_is_in_flight_when_one_problem_slips_or_the_model_seems_gone_is_kept(tmp_path, client, slip):
    buggy = Buggy()
    buggy.slip = slip
    slow = answering(player, delay=1)
    first = fake.always(fake.error(401, "wrong key")) if slip == "no model" else answering(player)
    behave = fake.when(lambda body: PUZZLES[0].x in str(body["messages"]), first, slow)
    with FakeServer(behave) as server, open_lm("openai:fake", cassette=tmp_path / "t", base_url=server.url) as lm:
        jobs = grid(GAME if slip == "no model" else buggy, ["io"], GAME.problems("hard")[:30])
        run = lambda: run_experiment(jobs, lm, out=tmp_path / "out", cluster=client, at_once=4, patience=1)  # noqa: E731
        run()
        asked, kept = len(server.requests), read_results(tmp_path / "out")
        assert asked < 30 and len(kept) == asked  # all that was paid, and nothing new begins
        assert [line["problem"] for line in kept if "error" in line] == [PUZZLES[0].id]
        assert len(lm.tape.samples) == asked - (slip == "no model")


def test_a_job_that_kills_its_workers_becomes_a_line_with_an_error():
    class Dead:
        status, key = "error", "job"

        def exception(self):
            return KilledWorker("job", None, 3)

    dead = Dead()
    assert dict(on_cluster._deaths([dead], [Dead(), dead], [])) == {1: None}
    line = on_cluster._failed(grid(GAME, ["io"], PUZZLES[:1])[0], Roles.of(Scripted([], "fake")))
    assert line["stopped"] == "error" and "died" in line["error"] and not line["correct"]


def test_a_cluster_that_is_lost_is_said_and_what_was_done_is_kept(tmp_path):
    jobs, out = grid(GAME, ["io"], GAME.problems("easy")[:40]), tmp_path / "out"
    with FakeServer(answering(player, delay=0.1)) as server, threads(protocol="tcp") as client:
        lm = open_lm("openai:fake", base_url=server.url)

        def pull_the_plug():
            while not out.exists() or not out.read_bytes():
                time.sleep(0.02)
            client.cluster.sync(client.cluster.scheduler.close)

        threading.Thread(target=pull_the_plug, daemon=True).start()
        with pytest.raises(LMError, match="was lost: run the same command again"):
            run_experiment(jobs, lm, out=out, cluster=client, at_once=1)
        assert 0 < len(read_results(out)) < 40
        assert len(run_experiment(jobs, lm, out=out)) == 40


@pytest.mark.skipif(os.name == "nt", reason="Windows does not let go of an open file")
def test_what_workers_heard_is_saved_beside_a_recording_that_is_gone(tmp_path, client):
    tape, kept = tmp_path / "tape", tmp_path / "tape.saved"
    jobs = grid(GAME, [("io", {"k": 3})], GAME.problems("easy")[:40])
    with FakeServer(answering(player, delay=0.05)) as server:

        def pull_the_rug():
            until(some(tape, 20))
            tape.unlink()

        threading.Thread(target=pull_the_rug, daemon=True).start()
        with (
            pytest.raises(FileTrouble, match="tape.saved"),
            open_lm("openai:fake", cassette=tape, base_url=server.url) as lm,
        ):
            run_experiment(jobs, lm, out=tmp_path / "out", cluster=client, at_once=4)
        assert check(kept) == [] and len(server.requests) - len(Tape(kept).requests) <= 8, "only calls in flight"


def test_replies_are_handed_on_as_they_arrive_and_an_interrupted_run_has_them_all(tmp_path, client):
    tape, asked, early = tmp_path / "tape", Counter(), []

    def say(messages, i):
        asked["all"] += 1
        if asked["all"] % 60 == 0:  # again, if the first is lost, as in a callback of the garbage collector
            early.append(tape.exists() and len(samples_of(tape)))
            _thread.interrupt_main()
        return player(messages, i)

    with (
        FakeServer(answering(say, delay=0.1)) as server,
        open_lm("openai:fake", cassette=tape, base_url=server.url, native_n=False, max_concurrency=4) as lm,
        pytest.raises(KeyboardInterrupt),
    ):
        run_experiment(grid(GAME, [("io", {"k": 1000})], PUZZLES[:1]), lm, out=tmp_path / "out", cluster=client)
    assert early[0] > 4, "a worker that is killed in its first round has handed on what it heard"
    assert len(samples_of(tape)) >= asked["all"] - 8, "only the calls in flight are lost"


def test_results_that_nobody_had_read_when_the_run_was_interrupted_are_kept(tmp_path, client, monkeypatch):
    """Without a recording they would be paid for again."""
    out, jobs = tmp_path / "out", grid(GAME, [("io", {})], GAME.problems("easy")[:6])

    def deaf(client, sweep, since):
        _, workers = news(client, sweep, since)
        if server.requests and len(news(client, sweep, since)[0]) >= 6:
            raise KeyboardInterrupt
        return [], workers

    news = on_cluster._news
    monkeypatch.setattr(on_cluster, "_news", deaf)
    with FakeServer(answering(player)) as server, pytest.raises(KeyboardInterrupt):
        run_experiment(jobs, open_lm("openai:fake", base_url=server.url), out=out, cluster=client)
    assert len(read_results(out)) == 6


@pytest.mark.parametrize(
    "lm, why",
    [
        (lambda: Scripted(lambda r, i: "1"), "cannot make scripted themselves"),
        (lambda: open_lm("openai:x", api_key=KEY), "a key does not travel"),
        (lambda: open_lm("openai:x", base_url=f"https://me:{KEY}@example.org/v1"), "the base URL holds a secret"),
        (lambda: open_lm("openai:x", base_url=f"https://example.org/v1?key={KEY}"), "the base URL holds a secret"),
        (lambda: Cassette(Path(__file__).parents[3] / "notebooks/cassettes/06.jsonl"), "is a replay"),
    ],
)
def test_what_cannot_travel_is_refused_with_a_word(lm, why):
    with pytest.raises(ValueError, match=why) as refused:
        on_cluster.packed(lm())
    assert KEY not in str(refused.value)


def test_a_task_that_cannot_travel_is_refused_though_there_is_one_of_its_name():
    with pytest.raises(ValueError, match="hotpotqa cannot be sent to workers"):
        on_cluster._named(HotpotQA(corpora={"mine": Offline([Page("Norway", ("It is a cheese.",))])}))


def test_tools_that_write_are_refused_on_a_cluster_where_each_job_would_write_anew(tmp_path, client):
    model, out = open_lm("openai:fake", base_url="http://127.0.0.1:1/v1"), tmp_path / "out"
    with Servers(["Turku"], connect=shop) as tools, pytest.raises(ValueError, match=r"write anew \(find\)"):
        the_task = OpenQuestions(tools, ["find"])
        run_experiment(grid(the_task, ["react"], the_task.problems("shop")[:2]), model, out=out, cluster=client)
    assert not out.exists() or not out.read_text()


def test_prices_travel_as_numbers_and_not_as_a_file(tmp_path):
    table = {"fake": {"input": 1.0, "output": 2.0}}
    (tmp_path / "prices.json").write_text(json.dumps(table))
    packed = on_cluster.packed(open_lm("openai:fake", prices=tmp_path / "prices.json"))
    assert packed["default"].settings["prices"] == table


# ---------------------------------------------------------------- secrets


@contextmanager
def tapped(address):
    """Another address for a scheduler, and all bytes that went through it, in both directions."""
    host, port = address.removeprefix("tcp://").split(":")
    heard, listening = [], socket.create_server(("127.0.0.1", 0))

    def pump(source, sink):
        with source, sink:
            try:
                while data := source.recv(1 << 16):
                    heard.append(data)
                    sink.sendall(data)
            except OSError:
                pass

    def serve():
        while True:
            try:
                left = listening.accept()[0]
            except OSError:
                return
            right = socket.create_connection((host, int(port)))
            for pair in ((left, right), (right, left)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    with listening:
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}", heard


def test_the_key_is_in_nothing_that_travels_and_in_no_log(tmp_path, monkeypatch, caplog):
    """The server wants the key, and says it in its refusals."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)

    def behave(body):
        if "8 8 3 3" in str(body) or "1 2 4 7" in str(body):
            return fake.error(401, f"Incorrect API key provided: {KEY}")
        return answering(player)(body)

    jobs = grid(GAME, ["io"], [*PUZZLES[:2], GAME.problem("1 2 4 7")])
    with FakeServer(behave) as server, LocalCluster(**SOLE, protocol="tcp", silence_logs=False) as local:
        with (
            tapped(local.scheduler_address) as (address, heard),
            on_cluster.Cluster(address) as client,
            open_lm("openai:fake", cassette=tmp_path / "tape", base_url=server.url) as lm,
        ):
            lines = run_experiment(jobs, lm, out=tmp_path / "out", cluster=client)
        assert any(KEY in value for sent in server.headers for value in sent.values()), "the workers have the key"
    assert len([line for line in lines if "error" in line]) == 1
    everything = b"".join(heard)
    assert b"Answer: 1 + 1" in everything and PUZZLES[0].x.encode() in everything, "the tap hears jobs and samples"
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (KEY, KEY[:20], KEY[-20:]):
        assert secret.encode() not in everything + files and secret not in caplog.text


# ---------------------------------------------------------------- the exchange, and what is written


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.binary(min_size=1, max_size=2), max_size=3), max_size=6))
def test_at_the_exchange_the_first_wins_and_everybody_sees_it(offers):
    exchange, first = Exchange("sweep", "client", {"a": b"from the start"}), {"a": b"from the start"}
    exchange.scheduler = SimpleNamespace(workers={})
    for i, offered in enumerate(offers):
        first = {**offered, **first}
        assert exchange.trade(offered=offered, entries=[b"%d" % i]) == {place: first[place] for place in offered}
        assert exchange.trade(wanted="abc") == first
        assert exchange.news(i) == ([b"%d" % i], 0)


def test_a_cassette_writes_down_what_was_fetched_elsewhere_once(tmp_path):
    path, request = tmp_path / "tape", user("Pick a colour.", n=3)
    bill = Usage(1, 3, 5, 6)

    def reply(*texts):
        return Reply(tuple(Sample(text, completion_tokens=2) for text in texts), bill, bill, 0.25)

    with Cassette(path, Scripted([], "fake")) as tape:
        tape.record(request.samples(1, 1), reply("red"), {"server": "there"})
        tape.record(request, reply("blue", "green", "grey"), {"server": "there"})
        assert tape([request])[0].texts == ("blue", "red", "grey")
    assert check(path) == []
    [session] = Tape(path).sessions.values()
    assert session["server"] == "there" and len(Tape(path).samples) == 3


def test_a_cassette_without_a_file_remembers():
    lm = Scripted(lambda r, i: f"{i}", "fake")
    tape = Cassette(None, lm)
    assert tape([user("x", n=2)])[0].texts == ("0", "1") == tape([user("x", n=2)])[0].texts
    assert len(lm.requests) == 1 and tape([user("x", n=2)])[0].paid == Usage()
    with pytest.raises(Exception, match="there is no cassette"):
        Cassette(None)


# ---------------------------------------------------------------- the command line

RUN = "run game24 --method io --problems hard[:4] --out out"


def sentence(text):
    assert text.startswith("tot: ") and text.count("\n") == 1 and len(text) < 300
    return text


def test_the_command_line_runs_on_the_cluster_that_it_is_told(tot_, server, certified):
    with threads(**certified) as client:
        status, out, err = tot_(f"{RUN} LIVE --dask {client.scheduler.address}")
    assert (status, err) == (0, "") and "io" in out
    assert len(server.requests) == len(read_results("out")) == 4


@pytest.mark.parametrize(
    "flags, why",
    [
        ("LIVE --dask here", "cannot read 'here': write auto"),
        ("LIVE --dask auto --allow-writes order", "on a cluster each problem would write anew"),
        ("LIVE --dask 0", "cannot start 0 processes: write auto, or a number from 1 to 256"),
        ("LIVE --dask 100000", "cannot start 100000 processes"),
        ("LIVE --dask tls://127.0.0.1:1", "no Dask scheduler answers at tls://127.0.0.1:1: start one"),
        ("LIVE --dask tcp://127.0.0.1:1", "start it with certificates, and name them here as book/manual/clusters.md"),
        ("--lm replay:fake --cassette tape --dask auto", "fake is a replay: run it without a cluster"),
        (f"--lm openai:fake --base-url http://a:{KEY}@b/v1 --dask auto", "set OPENAI_BASE_URL where the workers start"),
    ],
)
def test_what_is_refused_before_anything_starts(tot_, server, monkeypatch, certified, flags, why):
    monkeypatch.setattr(on_cluster, "CONNECT", 0.5)
    with Cassette("tape", Scripted(lambda r, i: "1", "fake")) as tape:
        tape([user("x")])
    status, out, err = tot_(f"{RUN} {flags}")
    assert (status, out) == (2, "") and why in sentence(err) and KEY not in err and not server.requests


@pytest.mark.parametrize("missing", ["distributed", "cryptography"])
def test_without_dask_one_sentence(tot_, monkeypatch, missing):
    for name in [
        name for name in sys.modules if name.startswith(("treebook.cluster.client", "treebook.cluster.local"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    status, _, err = tot_(f"{RUN} LIVE --dask auto")
    assert status == 2 and 'pip install "dask[distributed]" cryptography' in sentence(err)


def test_a_scheduler_that_knows_no_certificates_is_refused(tot_, server):
    """Whoever reaches it could run code here; so could whoever reaches a TLS port of somebody else's."""
    with threads(protocol="tcp") as client:
        status, _, err = tot_(f"{RUN} LIVE --dask {client.scheduler.address}")
    assert status == 2 and "clusters.md" in sentence(err) and not server.requests
    status, _, err = tot_(f"{RUN} LIVE --dask tls://127.0.0.1:1")  # and no certificate is configured
    assert status == 2 and "clusters.md" in sentence(err)


def test_a_cluster_without_workers_is_not_waited_for_without_end(tot_, monkeypatch, certified):
    monkeypatch.setattr(on_cluster, "ALONE", 0.5)
    with LocalCluster(**{**SOLE, "n_workers": 0}, **certified, silence_logs=logging.CRITICAL) as local:
        status, _, err = tot_(f"{RUN} LIVE --dask {local.scheduler_address}")
    assert status == 2 and f"has no worker: start some with `dask worker {local.scheduler_address}`" in sentence(err)


# ---------------------------------------------------------------- with real processes


def children(pid):
    """The worker processes of a driver."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(path.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"spawn_main" in path.joinpath("cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return sorted(found)


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "this hangs"
        time.sleep(0.05)
    return found


@contextmanager
def sweep(folder, url, *more):
    """`tot run --dask 2` on thirty puzzles, in a process group of its own."""
    words = "run game24 --method tot-bfs --breadth 2 --problems hard[:30] --lm openai:fake --out out --cassette tape"
    words += f" --base-url {url} --dask 2 --at-once 3"
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tot", *words.split(), *more]
    env = {**os.environ, "PYTHONPATH": str(root), "OPENAI_API_KEY": KEY}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, env=env, start_new_session=True, **pipes) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


STRANGER = """
import os, re, socket, ssl, sys, urllib.request
from distributed import Client, Security
from distributed.comm import connect
forged = Security.temporary()
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for port in map(int, sys.argv[1:]):
    for address, security in ((f"tcp://127.0.0.1:{port}", None), (f"tls://127.0.0.1:{port}", forged)):
        try:
            with Client(address, timeout=0.5, security=security) as client:
                print("IN", client.run(os.getuid), client.run_on_scheduler(os.getuid))
        except Exception as error:
            print("refused", type(error).__name__)
    for web in ("http", "https"):
        try:
            trust = ssl._create_unverified_context()
            page = urllib.request.urlopen(f"{web}://127.0.0.1:{port}/json/identity.json", timeout=1, context=trust)
            print("IN", page.read())
        except Exception as error:
            print("refused", type(error).__name__)
"""


def ports(pids):
    """The TCP ports of this machine on which these processes listen."""
    held = {os.readlink(fd) for pid in pids for fd in Path(f"/proc/{pid}/fd").iterdir() if os.path.lexists(fd)}
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    return sorted(int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in held)


PORTS = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks for ports in /proc")


@PORTS
def test_a_cluster_of_ours_serves_no_pages_and_knows_its_own(certified):
    before, shared = ports([os.getpid()]), {"host": "127.0.0.1", **certified}
    parts = {"scheduler": {"cls": on_local.UnseenScheduler, "options": shared}}
    parts["workers"] = {0: {"cls": on_local.UnseenWorker, "options": {**shared, "nthreads": 1}}}
    with SpecCluster(**parts, security=certified["security"], silence_logs=logging.CRITICAL) as cluster:
        assert len([port for port in ports([os.getpid()]) if port not in before]) == 2, "a scheduler and a worker"
        with Client(cluster) as client:
            assert client.submit(pow, 2, 5).result() == 32
        with pytest.raises(OSError):
            Client(cluster.scheduler_address, timeout=0.2, security=Security.temporary())


@pytest.mark.slow
@PORTS
def test_nobody_else_on_the_machine_can_talk_to_the_cluster(monkeypatch):
    """Every port of the scheduler, of a nanny, of a worker; as another account where these tests run as root."""
    before = ports([os.getpid()])
    with on_cluster.connect("1") as client:
        mine = children(os.getpid())
        found = [port for port in ports([os.getpid(), *mine]) if port not in before]
        assert len(found) == 3 and 8787 not in found, "a scheduler, a nanny, a worker, and no web page"
        asked = [sys.executable, "-c", STRANGER, *map(str, found)]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=120)
        [place] = client.run(lambda dask_worker: dask_worker.local_directory).values()
        assert Path(place).parents[1].stat().st_mode & 0o077 == 0, "what a worker writes is for its account alone"
        assert client.submit(pow, 2, 5).result() == 32, "we can"
    assert said.stdout.split("\n")[:-1] and "IN" not in said.stdout and said.stdout.count("refused") == 12, said


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_worker_that_dies_at_the_start_is_one_sentence(tmp_path):
    with FakeServer(answering(player)) as server, sweep(tmp_path, server.url) as run:
        for pid in until(lambda: children(run.pid)):
            os.kill(pid, signal.SIGKILL)
        said = run.communicate(timeout=60)[1]
        assert run.returncode and "could not be started" in sentence(said) and "same command again" in said


def some(path, n):
    return lambda: path.exists() and path.read_bytes().count(b"\n") >= n


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_whatever_is_killed_the_end_is_that_of_one_process(tmp_path):
    """kill -9 of a worker, Ctrl-C, kill -9 of the driver, and then to the end."""
    out, tape = tmp_path / "out", tmp_path / "tape"
    with FakeServer(answering(player, delay=0.3)) as server:
        with sweep(tmp_path, server.url) as run:
            until(some(out, 3))
            os.kill(children(run.pid)[0], signal.SIGKILL)
            until(some(out, 6))
            os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to the workers, too
            said = run.communicate(timeout=60)[1]
        assert run.returncode == 130
        said = re.sub(r"(?m)^.*resource_tracker.*\n( .*\n)?", "", said)  # Python's word on the worker that was killed
        assert said.startswith("tot: interrupted: ") and said.count("\n") == 1 and "are kept in tape" in said, said
        kept = len(read_results(out))
        assert kept >= 6 and check(tape) == []
        with sweep(tmp_path, server.url) as run:
            until(some(out, kept + 3))
            workers = children(run.pid)
            run.kill()
            run.wait()
            until(lambda: not any(Path(f"/proc/{pid}/fd").exists() for pid in workers))
        with sweep(tmp_path, server.url) as run:
            said = run.communicate(timeout=120)
        assert (run.returncode, said[1]) == (0, "")
        assert KEY not in said[0] + out.read_text(encoding="utf-8") + tape.read_text(encoding="utf-8")
        asked = len(server.requests)
        with open_lm("openai:fake", cassette=tmp_path / "alone", base_url=server.url) as lm:
            hard = GAME.problems("hard")
            jobs = grid(GAME, [("tot-bfs", {"breadth": 2})], hard[:30])
            lines = run_experiment(jobs, lm, out=tmp_path / "out alone", progress=False, source=("hard", hard))
    assert read_results(out) and {line["problem"]: line for line in read_results(out)} == {
        line["problem"]: line for line in lines
    }
    assert set(samples_of(tape)) == set(samples_of(tmp_path / "alone")) and check(tape) == []
    assert asked < 2 * (len(server.requests) - asked), "what was heard before a kill is not asked again"
