"""A search against a real model: recorded, replayed without the server, and the same through the command line.

The model is far too weak to solve anything; what must hold is that its replies, whatever they are, end in a trace.
"""

import json
import subprocess
import sys

import pytest

import tot
from tot.lm.checking import check
from tot.lm.openai import OpenAI


def solve(lm):
    return tot.solve("game24", "1 2 3 4", "tot-bfs", lm=lm, breadth=2, values=1, style="three-shot")


@pytest.fixture(scope="module")
def recorded(local_lm, tmp_path_factory):
    """The cassette of a live ToT-BFS run, and what came out of it."""
    path = tmp_path_factory.mktemp("live") / "search.jsonl"
    live = OpenAI(local_lm.model, base_url=local_lm.base_url, max_concurrency=4)
    with live, tot.Cassette(path, live, weights=local_lm.weights) as cassette:
        return path, solve(cassette)


def test_a_search_ends_with_a_trace_and_a_bill(recorded):
    _, solution = recorded
    assert not solution.error and solution.result.stopped == "done"
    usage = solution.to_dict()["usage"]
    assert 1 <= usage["rounds"] <= 6 and usage["completion_tokens"] > 0 and usage["prompt_tokens"] > 0
    assert solution.result.ledger.total_paid.tokens > 0
    asked = [event for event in solution.trace.events if event["kind"] == "asked"]
    assert len(asked) == usage["rounds"] and asked[0]["role"] == "generator"
    assert all(request["samples"] for event in asked for request in event["requests"])


def test_the_recording_is_sound_and_replays_exactly_without_the_server(recorded):
    path, solution = recorded
    assert check(path) == []
    again = solve(tot.Cassette(path))
    assert again.trace.to_json() == solution.trace.to_json() and again.to_dict() == solution.to_dict()
    assert again.result.ledger.total_paid.tokens == 0
    session = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert session["server"] == "llamacpp" and len(session["weights_sha256"]) == 64
    assert "/" not in session["model"] and "127.0.0.1" not in path.read_text(encoding="utf-8")


def test_the_command_line_records_and_replays(local_lm, tmp_path):
    command = [sys.executable, "-m", "tot", "solve", "game24", "1 2 3 4", "--method", "io", "--k", "2", "--json"]
    command += ["--cassette", str(tmp_path / "io.jsonl")]

    def run(*more):
        done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1) and not done.stderr  # solved, or not
        return json.loads(done.stdout)

    live = run("--lm", f"openai:{local_lm.model}", "--base-url", local_lm.base_url)
    assert live["lm"] == local_lm.model and len(live["answers"]) == 2 and live["usage"]["completion_tokens"] > 0
    assert run() == live
