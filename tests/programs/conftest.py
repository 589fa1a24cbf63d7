"""A model behind, and `tot serve` before it in a process of its own. The programs that ask know nothing of either."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_server import Answer, FakeServer, completion

ROOT = Path(__file__).parents[2]
ADDED = {"name": "add", "arguments": '{"a": 2, "b": 3}'}
CITY = '{"name": "Paris", "people": 2}'


class Model:
    """Says something else each time; adds with a tool, if it has one; fills in the form that it is given."""

    def __init__(self):
        self.said, self.slow = 0, 0.0

    def __call__(self, body):
        time.sleep(self.slow)
        self.said += 1
        tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Answer(completion([f"it is {last['content']}, says {self.said}"]))
        if body.get("response_format", {}).get("type") == "json_schema":
            return Answer(completion([CITY]))
        if form := tools - {"add"}:
            return self.calling({"name": form.pop(), "arguments": CITY})
        return self.calling(ADDED) if "add" in tools else Answer(completion([f"saying number {self.said}"]))

    def calling(self, function):
        whole = completion([None])
        call = {"id": f"call_{self.said}", "type": "function", "function": function}
        whole["choices"][0]["message"] |= {"tool_calls": [call]}
        whole["choices"][0]["finish_reason"] = "tool_calls"
        return Answer(whole)


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def behind(model):
    with FakeServer(model, models=[{"id": "fake", "owned_by": "tests"}]) as server:
        yield server


@pytest.fixture
def start(tmp_path, behind):
    """Starts `tot serve`, recording or replaying: (its base URL, a function that kills it)."""
    running = []

    def start(*, record):
        flags = ["--lm", "openai:fake", "--base-url", behind.url] if record else []
        command = [sys.executable, "-m", "tot", "serve", "--port", "0", "--cassette", str(tmp_path / "c.jsonl"), *flags]
        environment = {**os.environ, "OPENAI_API_KEY": "sk-of-the-server-77", "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        running.append(process)

        def kill():
            process.kill()  # as kill -9
            process.wait()

        return process.stdout.readline().split()[0], kill

    yield start
    for process in running:
        process.kill()
        process.wait()


@pytest.fixture
def both(start, behind, tmp_path):
    """What a program gives that is recorded, killed, and replayed without the server behind: twice the same."""

    def both(program):
        url, kill = start(record=True)
        recorded = program(url)
        kill()
        behind.close()
        asked = len(behind.requests)
        url, _ = start(record=False)
        assert program(url) == recorded and len(behind.requests) == asked
        lines = [json.loads(line) for line in (tmp_path / "c.jsonl").read_text().splitlines()]
        assert "sk-of-the-server-77" not in str(lines) and "client-key" not in str(lines)
        return recorded

    return both
