"""Real MCP servers: the manual's, an odd one, and two that others wrote. `make test-doors`."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_server import FakeServer, answering

import tot
from tot import Cassette, LMError, Scripted
from tot.tasks.open_questions import OpenQuestions
from tot.tools.mcp import LIST, Servers

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "manual" / "mcp.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
ODD = f"{sys.executable} {Path(__file__).with_name('odd_server.py')}"


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop.py").write_text(re.findall(r"```python\n(.*?)```", PAGE, re.S)[0])
    return f"{sys.executable} {tmp_path / 'shop.py'}"


def asked(server, tool, **given):
    return tot.user(json.dumps({"server": server, "tool": tool, "arguments": given}), temperature=None)


def said(servers, tool, server="odd", **given):
    [sample] = servers([asked(server, tool, **given)])[0].samples
    return sample.finish, sample.text


def told(messages, i=0):
    """A model that solves the manual's question in three steps."""
    text = messages[-1]["content"] if isinstance(messages[-1], dict) else messages[-1].content
    if "score in percent" in text:
        return "80%"
    if "Observation" not in text:
        return ['Thought: Look.\nAction: find {"words": "floor lamp"}', "Action: bought(customer='Tomas')"][i % 2]
    if "stock" not in text.partition("Write the next step")[0]:
        return 'Action: stock {"product": "floor lamp"}'
    return "Thought: 3 is more than 1.\nAction: Finish[Turku]"


def command_line(*words, without=""):
    """The program `tot` in a process of its own, in which a package can be missing."""
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({without.split()}))\nfrom tot.cli import main; sys.exit(main())"
    )
    environment = {**os.environ, "OPENAI_API_KEY": "sk-77", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], env=environment, capture_output=True, text=True
    )


def test_the_manuals_command_is_recorded_and_replayed_without_server_model_and_package(shop, tmp_path):
    solve = shlex.split(re.search(r"\$ tot (solve questions .*?) --lm", PAGE)[1])
    solve[solve.index("--mcp") + 1] = shop
    cassette = ["--cassette", tmp_path / "lamps.jsonl", "--json"]
    with FakeServer(answering(told), models=[{"id": "fake", "owned_by": "tests"}]) as model:
        live = command_line(*solve, *cassette, "--lm", "openai:fake", "--base-url", model.url)
    assert live.returncode == 0, live.stderr
    solution = json.loads(live.stdout)
    assert solution["answer"] == "Turku" and solution["tools"]["path"] == 6 and "unread" in solution
    again = shlex.split(re.findall(r"\$ tot (solve questions .*?) --cassette", PAGE)[-1])
    replayed = command_line(*again, *cassette, without="mcp openai")
    assert replayed.returncode == 0 and json.loads(replayed.stdout) == {
        k: v for k, v in solution.items() if k != "paid"
    }
    recorded = (tmp_path / "lamps.tools.jsonl").read_text()
    assert str(tmp_path) not in recorded and "sk-77" not in recorded and '\\"server\\": \\"shop\\"' in recorded
    missing = command_line(*solve, "--lm", "openai:fake", "--base-url", "http://127.0.0.1:9/v1", without="mcp")
    assert missing.returncode == 2 and "thinking-in-trees[mcp]" in missing.stderr


def test_what_chapter_10_has_recorded_the_server_says_today(shop):
    """The same tools; and for each call what the recording has, but where it says that nobody picked up."""
    tape = Cassette(ROOT / "notebooks" / "cassettes" / "10_shop.tools.jsonl")
    with Servers([shop]) as servers:
        assert servers([LIST])[0].texts == tape([LIST])[0].texts
        heard = [
            (tape.tape.messages[tape.tape.requests[key][1][0]][1], one) for (key, _), one in tape.tape.samples.items()
        ]
        made = [
            (call, one.sample) for call, one in heard if '"list"' not in call and "line is busy" not in one.sample.text
        ]
        for call, sample in made:
            assert servers([tot.user(call, temperature=None)])[0].samples[0] == sample
    assert len(made) > 40
    with Servers([f"{shop} busy"]) as servers:
        assert [said(servers, "stock", "shop", product="tea pot")[0] for _ in range(2)] == ["error", "stop"]


def test_the_manuals_python_and_its_bundled_questions(shop, capsys):
    [code] = [each for each in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "with Servers" in each]
    steps = iter(['Action: bought {"customer": "Tomas"}', 'Action: find["floor lamp"]', "Action: Finish[Lindqvist]"])
    lm = Scripted(lambda request, index: next(steps), name="s")
    exec(code.replace("python shop.py", shop), {"lm": lm})
    assert capsys.readouterr().out == "Lindqvist {'calls': 2, 'failed': 0, 'total': 2.0, 'path': 2.0}\n"


def test_a_server_over_streamable_http_and_one_over_stdio_at_once(shop):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*shlex.split(ODD), str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as there:
                if not there.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.1)
        with Servers([f"http://127.0.0.1:{port}/mcp", shop]) as servers:
            assert {"echo", "stock"} <= {*OpenQuestions(servers).known} and "order" not in OpenQuestions(servers).known
            assert said(servers, "echo", text="a", times=3) == ("stop", "aaa")
            assert said(servers, "stock", "shop", product="tea pot") == ("stop", "Ghent, 3 left; Porto, 5 left")
            for tool, given in (("die", {}), ("echo", {"text": "a"})):  # both read: no answer is a failed call's
                with pytest.raises(LMError, match="server 1 does not start"):  # it is not ours to start
                    said(servers, tool, **given)
    finally:
        process.kill()
        process.wait()


def test_every_way_to_fail_is_a_failed_call_and_one_new_start():
    with Servers([ODD], timeout=10) as servers:
        assert said(servers, "echo", text="a", times=3) == ("stop", "aaa")
        assert said(servers, "key") == ("stop", "none")
        assert said(servers, "noise")[0] in ("stop", "error") and said(servers, "echo", text="b") == ("stop", "b")
        for tool, given, finish, word in (
            ("echo", {"text": "x" * 1000, "times": 1000}, "error", "1000000"),
            ("echo", {"txt": "x"}, "error", "text"),
            ("echo", {"text": "half an emoji: \ud83d"}, "error", "surrogates"),
            ("echo", {"text": "\ud83d"}, "error", "surrogates"),
            ("refuse", {}, "error", "refuse"),
            ("picture", {}, "error", "image"),
            ("nothing", {}, "error", "nothing"),
            ("die", {}, "error", "die failed"),
            ("echo", {"text": "new"}, "stop", "new"),
            ("hang", {}, "timeout", "10 seconds"),
            ("die", {}, "error", "die failed"),
        ):
            how, text = said(servers, tool, **given)
            assert how == finish and word in text and len(text) < 5000, (tool, how, text)
        with pytest.raises(LMError, match="ended twice without an answer: run again"):
            said(servers, "echo", text="gone")


def test_planning_goes_on_after_a_server_died():
    def plan(request, i):
        text = request.messages[-1].content
        if "score in percent" in text:
            return "60%"
        if "Observation: well" in text:
            return "Action: Finish[well]"
        return "Action: die {}" if "Observation" not in text else 'Action: echo {"text": "well"}'

    with Servers([ODD]) as servers:
        task = OpenQuestions(servers)
        solution = tot.solve(task, "Is it well?", "itot-dstar", lm=Scripted(plan), k=2)
    assert solution.answer == "well" and solution.trace.result["tools"]["failed"] >= 1 and not solution.error


def test_servers_that_others_wrote(tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(tmp_path)]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "The first stone"], check=True)
    commands = [f"{BIN}/mcp-server-git --repository {tmp_path}", f"{BIN}/mcp-server-time --local-timezone UTC"]

    def step(request, i):
        text = request.messages[-1].content
        if "first stone" not in text:
            return f"Action: git_log {json.dumps({'repo_path': str(tmp_path), 'max_count': 1})}"
        if "Asia/Tokyo" not in text:
            given = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
            return f"Action: convert_time {json.dumps(given)}"
        return "Action: Finish[The first stone, 21:00]" if "21:00" in text else "Action: Finish[no]"

    path = tmp_path / "t.jsonl"
    with Servers(commands) as servers, Cassette(path, servers) as tape:
        task = OpenQuestions(tape)
        assert not {"git_commit", "git_reset"} & {*task.known} and {"git_log", "convert_time"} <= {*task.known}
        assert "git_commit" in OpenQuestions(servers, ["git_commit"]).known
        live = tot.solve(task, "What, and when?", "react", lm=Scripted(step, name="s"))
        assert said(servers, "git_log", "mcp-git", repo_path="/")[0] == "error"
    assert live.answer == "The first stone, 21:00"
    again = tot.solve(OpenQuestions(Cassette(path)), "What, and when?", "react", lm=Scripted(step, name="s"))
    assert again.trace.events == live.trace.events


@pytest.mark.parametrize(
    "command, word",
    [
        ("no-such-program-77", "no such file"),
        (f"{sys.executable} -c pass", "closed"),
        ("http://127.0.0.1:9/mcp", "connection"),
    ],
)
def test_a_server_that_cannot_be_had_is_one_sentence(command, word):
    with pytest.raises(LMError, match=f"(?i)does not start.*{word}") as caught:
        Servers([command])([LIST])
    assert "\n" not in str(caught.value)
