"""Evaluations with Inspect: its mock model, its command line, and the recorded server. `make test-doors`."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pyarrow
import pytest
from fake_server import answering
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    ContentImage,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)  # fmt: skip
from inspect_ai.scorer import choice, match
from inspect_ai.solver import generate, system_message
from pyarrow import parquet

import tot
from tot.inspecting import Inspected, _counted, tot_search, tot_task
from tot.tasks.selection import pick

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "manual" / "inspect.md").read_text(encoding="utf-8")
CAPITALS = {"Norway": "Oslo", "Peru": "Lima"}


def says(text, index=0):
    """Knows two capitals, and what 6 times 7 is; votes for the first choice."""
    if "choice" in text.lower():
        return "The best choice is 1."
    known = next((town for country, town in CAPITALS.items() if country in text), "42")
    return f"That is known. The answer is {known}."


def mock(answer=says):
    def one(messages, tools, tool_choice, config):
        made = ModelOutput.from_content("mockllm", answer(messages[-1].text))
        made.usage = ModelUsage(input_tokens=10, output_tokens=4, total_tokens=14)
        return made

    return get_model("mockllm/model", custom_outputs=one)


@pytest.fixture
def model():
    return answering(lambda messages, i: says(messages[-1]["content"]))


def logged(task, lm, folder, **more):
    [log] = eval(task, model=lm, display="none", log_dir=str(folder), **more)
    return log


def accuracy(log):
    assert log.status == "success", log.error
    return log.results.scores[0].metrics["accuracy"].value


@pytest.fixture
def capitals():
    names = {}
    exec(re.findall(r"```python\n(.*?)```", PAGE, re.S)[0], names)
    return names["capitals"]


def test_the_manuals_task_its_log_shows_tree_and_bill(capitals, tmp_path):
    log = logged(capitals(), mock(), tmp_path)
    assert accuracy(log) == 1
    log = read_eval_log(log.location, resolve_attachments=True)
    for sample in log.samples:
        [shown] = [event.data for event in sample.events if event.event == "info"]
        assert "← chosen" in shown and re.search(r"cost: \d+ calls", shown)
        line = sample.metadata["tot"]
        calls = [event for event in sample.events if event.event == "model"]
        assert line["answer"] == sample.output.completion == sample.target == sample.messages[-1].text
        assert line["paid"]["calls"] == len(calls) == line["usage"]["samples"]
        assert line["paid"]["prompt_tokens"] == 10 * len(calls)


def test_knobs_budget_choices_and_other_scorers(tmp_path):
    one = [Sample(input="6 * 7?", target="42", metadata={"x": 7.25})]  # as data of one's own may have
    log = logged(
        Task(dataset=one, solver=tot_search("cot-sc", task="gsm8k", k=4), scorer=match(numeric=True)), mock(), tmp_path
    )
    assert accuracy(log) == 1 and log.samples[0].metadata["tot"]["usage"]["samples"] == 4
    log = logged(Task(dataset=one, solver=tot_search("cot-sc", budget="calls=0"), scorer=match()), mock(), tmp_path)
    assert accuracy(log) == 0 and log.samples[0].metadata["tot"]["stopped"] == "calls"


def test_each_call_is_told_when_it_ends_for_it_is_paid_whatever_becomes_of_the_others():
    told = []

    async def asked():
        lm = Inspected(mock())
        await asyncio.to_thread(lm, [tot.user("6 * 7?", n=3)], lambda part, reply: told.append((part, reply)))

    asyncio.run(asked())
    assert [[*part.indices] for part, _ in told] == [[0], [1], [2]] and {reply.paid.calls for _, reply in told} == {1}


def test_a_long_passage_is_asked_and_a_budget_that_ends_all_before_an_answer_is_a_warning(tmp_path):
    passage = Sample(input="x" * 5000 + " 6 * 7?", target="42")
    log = logged(Task(dataset=[passage], solver=tot_search("cot"), scorer=match()), mock(), tmp_path)
    assert accuracy(log) == 1
    log = logged(Task(dataset=[passage], solver=tot_search("cot", budget="tokens=9"), scorer=match()), mock(), tmp_path)
    [warned] = [event.message.message for event in log.samples[0].events if event.event == "logger"]
    assert "the budget of tokens ended" in warned and accuracy(log) == 0


def test_more_choices_than_letters_are_refused(tmp_path):
    many = Sample(input="Which?", choices=[f"thing {i}" for i in range(27)], target="A")
    log = logged(Task(dataset=[many], solver=tot_search("cot"), scorer=choice()), mock(), tmp_path)
    assert log.status == "error" and "26, not 27" in log.error.message


@pytest.mark.parametrize("room", [0, 8000])
@pytest.mark.parametrize("thought", ["", "<think>The answer is 41."])
def test_a_model_that_thinks_gets_the_room_that_inspect_was_told_or_a_warning(tmp_path, room, thought):
    seen = []

    def one(messages, tools, tool_choice, config):
        seen.append((config.max_tokens, config.temperature))
        cut = config.max_tokens < 1500
        made = ModelOutput.from_content("mockllm", thought if cut else "The answer is 42.")
        made.usage = ModelUsage(input_tokens=10, output_tokens=4, total_tokens=14)
        made.choices[0].stop_reason = "max_tokens" if cut else "stop"
        return made

    task = Task(dataset=[Sample(input="6 * 7?", target="42")], solver=tot_search("cot"), scorer=match())
    more = {"max_tokens": room, "temperature": 0.1} if room else {}
    log = logged(task, get_model("mockllm/model", custom_outputs=one), tmp_path, **more)
    warned = [event.message.message for event in log.samples[0].events if event.event == "logger"]
    assert accuracy(log) == (room > 0) and bool(warned) == (not room)
    assert seen == [(8000, 0.1)] if room else "--max-tokens" in warned[0]


@pytest.mark.parametrize("task", ["", "commonsenseqa", "questions"])
@pytest.mark.parametrize("says", ["The answer is (B).", "The answer is Lima.", "Answer: (B) Lima", "The answer is b"])
def test_the_choice_that_an_answer_names_is_marked(tmp_path, task, says):
    letters = [Sample(input="Which is in Peru?", choices=["Oslo", "Lima"], target="B")]
    solver = tot_search("cot", task=task)
    lm = mock(lambda text: says if "(B) Lima" in text else "A")
    assert accuracy(logged(Task(dataset=letters, solver=solver, scorer=choice()), lm, tmp_path)) == 1


@pytest.mark.parametrize(
    ("asked", "before"),
    [
        ([ChatMessageSystem(content="Answer in Norwegian."), ChatMessageUser(content="6 * 7?")], []),
        ([ChatMessageUser(content=[ContentText(text="6 * 7?"), ContentImage(image="data:image/png;base64,AA==")])], []),
        ("6 * 7?", [system_message("Answer in Norwegian.")]),
    ],
)
def test_a_sample_that_is_more_than_a_question_is_refused_before_anything_is_asked(tmp_path, asked, before):
    calls = []
    lm = mock(lambda text: calls.append(text) or "42")
    log = logged(Task(dataset=[Sample(input=asked)], solver=[*before, tot_search("io")], scorer=match()), lm, tmp_path)
    assert log.status == "error" and "a question alone" in log.error.message and not calls


def test_each_sample_is_a_call_of_the_budget_and_dollars_are_refused(tmp_path):
    def run(budget):
        solver = tot_search("cot-sc", task="gsm8k", budget=budget, k=40)
        return logged(Task(dataset=[Sample(input="6 * 7?")], solver=solver, scorer=match()), mock(), tmp_path)

    for budget in ("calls=5", "calls=39"):
        [sample] = run(budget).samples
        assert sample.metadata["tot"]["stopped"] == "calls" and not sample.metadata["tot"].get("over")
        assert not [event for event in sample.events if event.event == "model"]
    assert run("calls=40").samples[0].metadata["tot"]["stopped"] == "done"
    assert "needs a price for mockllm" in run("dollars=1").error.message


def test_samples_of_a_prompt_are_not_one_reply_of_inspects_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    numbers = count()
    lm = mock(lambda text: f"The answer is {next(numbers)}.")
    task = Task(dataset=[Sample(input="6 * 7?")], solver=tot_search("cot-sc", task="gsm8k", k=3), scorer=match())
    for _ in range(2):
        assert len(set(logged(task, lm, tmp_path, cache=True).samples[0].metadata["tot"]["answers"])) == 3


def test_tokens_of_a_cache_and_those_that_nobody_counts_are_on_the_bill(tmp_path):
    used = {"input_tokens_cache_read": 70, "input_tokens_cache_write": 20, "input_tokens": 10, "output_tokens": 4}

    def one(messages, tools, tool_choice, config):
        made = ModelOutput.from_content("mockllm", "The answer is 42.")
        made.usage = ModelUsage(total_tokens=104, **used)
        return made

    lm = get_model("mockllm/model", custom_outputs=one)
    solver = tot_search("cot-sc", task="gsm8k", k=3)
    log = logged(Task(dataset=[Sample(input="6 * 7?", target="42")], solver=solver, scorer=match()), lm, tmp_path)
    paid = log.samples[0].metadata["tot"]["paid"]
    assert (paid["prompt_tokens"], paid["cached_tokens"], paid["completion_tokens"]) == (300, 210, 12)
    uncounted = SimpleNamespace(usage=None, completion="The answer is 42.")
    assert _counted(tot.user("6 * 7?"), uncounted) == (10, 0, 9)


def test_what_there_is_not_is_one_sentence_and_a_failing_model_the_samples_error(tmp_path):
    with pytest.raises(ValueError, match="no task 'chess'"):
        tot_search("io", task="chess")
    task = Task(dataset=[Sample(input="x?")], solver=tot_search("no-method"))
    assert "no method 'no-method'" in logged(task, mock(), tmp_path).error.message

    def broken(text):
        raise RuntimeError("out of order")

    log = logged(Task(dataset=[Sample(input="x?")], solver=tot_search("io")), mock(broken), tmp_path)
    assert log.status == "error" and "out of order" in log.error.message


def test_inspects_own_limits_hold(tmp_path):
    task = Task(dataset=[Sample(input="x?", target="42")], solver=tot_search("tot-vote", k=3), scorer=match())
    log = logged(task, mock(), tmp_path, token_limit=50)
    assert log.status == "success" and log.samples[0].limit.type == "token"
    assert len([event for event in log.samples[0].events if event.event == "model"]) < 12


def test_a_sample_that_is_out_of_time_asks_no_more(tmp_path):
    asked = []

    async def slow(messages, tools, tool_choice, config):
        asked.append(messages)
        await asyncio.sleep(1.5)
        return ModelOutput.from_content("mockllm", "The answer is 42.")

    task = Task(dataset=[Sample(input="x?", target="42")], solver=tot_search("tot-vote", k=3), scorer=match())
    log = logged(task, get_model("mockllm/model", custom_outputs=slow), tmp_path, time_limit=1)
    assert log.samples[0].limit.type == "time" and len(asked) == 3
    deadline = time.monotonic() + 5
    while any(thread.name == "tot-lm" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_our_tasks_with_our_searches_and_with_their_solvers(tmp_path):
    def plays(text):
        return "Answer: (13 - 9) * (10 - 4) = 24" if "4 9 10 13" in text else "Answer: 1 + 1 + 1 + 1 = 24"

    log = logged(tot_task("game24", "4 9 10 13"), mock(plays), tmp_path, solver=tot_search("io"))
    assert accuracy(log) == 1
    for solver in (None, generate()):
        task = tot_task("game24", "4 9 10 13", method="io")
        log = logged(task, mock(plays), tmp_path, **({"solver": solver} if solver else {}))
        assert accuracy(log) == 1 and ("tot" in log.samples[0].metadata) == (solver is None)
    log = logged(tot_task("game24", "hard[:3]", method="io", budget="calls=5"), mock(plays), tmp_path)
    assert accuracy(log) == 0 and "each number" in log.samples[0].scores["verified"].explanation


def test_a_log_is_scored_again_on_the_command_line(tmp_path):
    log = logged(tot_task("game24", "4 9 10 13", method="io"), mock(lambda text: "(13 - 9) * (10 - 4)"), tmp_path)
    command = [sys.executable, "-m", "inspect_ai", "score", log.location, "--action", "append", "--overwrite"]
    ran = subprocess.run([*command, "--display", "plain"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    scores = read_eval_log(log.location).samples[0].scores
    assert len(scores) == 2 and {score.value for score in scores.values()} == {"C"}


@pytest.mark.parametrize("solver", [None, generate()])
@pytest.mark.parametrize(
    "said", ["<think>The answer is 42. Now I write", "The answer is 42", "<think>41?</think>The answer is 42."]
)
def test_what_was_only_thought_or_is_cut_off_is_no_answer_of_any_solver(tmp_path, solver, said):
    def one(messages, tools, tool_choice, config):
        made = ModelOutput.from_content("mockllm", said)
        made.usage = ModelUsage(input_tokens=10, output_tokens=4, total_tokens=14)
        made.choices[0].stop_reason = "stop" if "</think>" in said else "max_tokens"
        return made

    own = {"solver": solver} if solver else {}
    lm = get_model("mockllm/model", custom_outputs=one)
    log = logged(tot_task("gsm8k", "book[:1]", method="io"), lm, tmp_path, **own)
    assert log.samples[0].scores["verified"].answer == ("42" if "</think>" in said else None)


@pytest.mark.parametrize("solver", [None, generate()])
def test_a_refused_prompt_is_no_reply(tmp_path, solver):
    def one(messages, tools, tool_choice, config):
        words = "This model's maximum context length is 8192 tokens."  # as Inspect's providers hand it on
        made = ModelOutput.from_content("mockllm", words, stop_reason="model_length")
        made.usage = ModelUsage()
        return made

    own = {"solver": solver} if solver else {}
    lm = get_model("mockllm/model", custom_outputs=one)
    log = logged(tot_task("gsm8k", "book[:1]", method="io"), lm, tmp_path, **own)
    if solver:
        assert log.samples[0].scores["verified"].answer is None
    else:
        assert log.status == "error" and "8192 tokens" in log.error.message


def test_a_call_that_ends_in_a_timeout_is_the_samples_error(tmp_path, monkeypatch):
    async def late(*_, **__):
        raise TimeoutError("too slow")

    lm = mock()
    monkeypatch.setattr(lm.api, "generate", late)
    log = logged(tot_task("gsm8k", "book[:1]", method="io"), lm, tmp_path)
    assert log.status == "error" and "too slow" in log.error.message


def test_an_evaluation_is_recorded_and_replayed_by_the_server(both, capitals, tmp_path):
    def program(url):
        log = logged(
            capitals(), get_model("openai/fake", base_url=url, api_key="client-key", responses_api=False), tmp_path
        )
        return accuracy(log), [sample.metadata["tot"]["answers"] for sample in log.samples]

    assert both(program)[0] == 1


def test_inspects_command_line_finds_task_and_solver(start, tmp_path):
    rows = {"frage": ["Capital of Norway, in letters: how much is 6 * 7?", "6 * 7?"], "antwort": ["42", "42"]}
    parquet.write_table(pyarrow.table(rows), tmp_path / "mine.parquet")
    url, _ = start(record=True)
    command = [f"{Path(sys.executable).parent}/inspect", "eval", "tot/tot_task", "-T", "name=gsm8k", "-T"]
    command += [f"problems={tmp_path}/mine.parquet", "-T", "columns=frage,antwort", "--model", "openai/fake"]
    command += ["--model-base-url", url, "-M", "responses_api=false", "--display", "plain", "--log-dir"]
    command.append(str(tmp_path / "logs"))
    shutil.copytree(
        ROOT / "tot", tmp_path / "site-packages" / "tot"
    )  # of an editable one Inspect does not see the name
    environment = {**os.environ, "OPENAI_API_KEY": "client-key", "PYTHONPATH": str(tmp_path / "site-packages")}
    for more in (
        ["-T", "method=cot"],
        ["--solver", "tot/tot_search", "-S", "method=cot-sc", "-S", "task=gsm8k", "-S", "k=2"],
    ):
        done = subprocess.run([*command, *more], env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    logs = [read_eval_log(str(path)) for path in sorted((tmp_path / "logs").iterdir())]
    assert [accuracy(log) for log in logs] == [0.5, 0.5]
    assert [log.samples[1].metadata["tot"]["usage"]["samples"] for log in logs] == [1, 2]


def test_problems_in_parquet(tmp_path):
    path = tmp_path / "mine.parquet"
    parquet.write_table(
        pyarrow.table({"question": ["1 + 1?", "2 + 2?"], "answer": ["2", "so it is 4"], "more": [1, 2]}), path
    )
    assert [(one.id, one.x, one.gold) for one in pick(tot.task("gsm8k"), str(path))] == [
        ("mine-1", "1 + 1?", "2"),
        ("mine-2", "2 + 2?", "4"),
    ]
    assert len(pick(tot.task("gsm8k"), f"{path}[1:]")) == 1
    with pytest.raises(ValueError, match="columns"):
        pick(tot.task("gsm8k"), str(path), "frage,antwort")
    short = pyarrow.array([33.3, 1234.56], pyarrow.float32())  # with all of Python's bits: 33.29999923706055
    parquet.write_table(pyarrow.table({"question": ["a", "b"], "answer": short}), path)
    assert [one.gold for one in pick(tot.task("gsm8k"), str(path))] == ["33.3", "1234.56"]
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match="mine.parquet"):
        pick(tot.task("gsm8k"), str(path))
