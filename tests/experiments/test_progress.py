"""The progress line: what it says, and that it is there only where somebody looks."""

import sys
import time
from types import SimpleNamespace

import pytest
from games import EASY, GAME, by_rule, failing, half

from tot.experiments import grid, run_experiment
from tot.experiments.progress import Progress
from tot.lm.base import Reply, Usage
from tot.runner import Run


class Terminal:
    def __init__(self, tty=True):
        self.text, self.tty = "", tty

    def isatty(self):
        return self.tty

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_is_shown_in_a_terminal_and_removed_at_the_end(tmp_path, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.experiments.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:8]), failing({EASY[0].x}, "1 + 1"), out=tmp_path / "r.jsonl", at_once=1)
    steps = [step.strip() for step in screen.text.split("\r")]
    assert any(s.startswith("4/8 problems, 0% solved, 1 failed, 4 calls, ") and s.endswith("left") for s in steps)
    assert steps[-1] == "" and "\n" not in screen.text


@pytest.mark.parametrize("show", [True, False])
def test_no_terminal_no_progress(tmp_path, monkeypatch, show):
    screen = Terminal(tty=not show)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.experiments.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:3]), by_rule(half), out=tmp_path / "r.jsonl", progress=show)
    assert screen.text == ""


def test_a_log_gets_a_line_now_and_then_while_a_call_is_going_on(tmp_path, monkeypatch):
    screen, answers = Terminal(tty=False), by_rule(half)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.experiments.progress.IN_A_LOG", 0.3)

    def slow(requests, on_reply=None):
        time.sleep(1.0)
        return answers(requests)

    slow.name = "slow"
    run_experiment(grid(GAME, ["io"], EASY[:1]), slow, out=tmp_path / "r.jsonl")
    first, *_ = screen.text.splitlines()
    assert first.startswith("0/1 problems") and "\r" not in screen.text


def test_a_log_that_nobody_reads_any_more_ends_no_run(tmp_path, monkeypatch):
    tried, screen = [], Terminal(tty=False)

    def write(text):
        tried.append(text)
        raise BrokenPipeError

    screen.write = write
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.experiments.progress.IN_A_LOG", 0.0)
    assert len(run_experiment(grid(GAME, ["io"], EASY[:8]), by_rule(half), out=tmp_path / "r.jsonl")) == 8
    assert len(tried) == 1


def test_progress_in_a_notebook_replaces_one_output_and_empties_it(tmp_path, monkeypatch):
    shown = []
    handle = SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
    display = SimpleNamespace(display=lambda data, raw, display_id: handle)
    shell = SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(sys, "stderr", Terminal(tty=False))
    monkeypatch.setattr("tot.experiments.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:3]), by_rule(half), out=tmp_path / "r.jsonl")
    assert shown[-1] == "" and any(text.startswith("2/3 problems") for text in shown)


def test_progress_in_words():
    bar = Progress(10, skipped=4, show=False)
    bill = {"usage": {"calls": 2, "prompt_tokens": 5, "completion_tokens": 20}}
    assert bar.text(0.0) == "4/10 problems, 0 calls, 0 tokens"
    bar.finished({"correct": True} | bill)
    one = Run(iter(()), by_rule(half))
    one.ledger.charged = Usage(calls=1, prompt_tokens=3)
    one.arrived(None, Reply((), asked=Usage(completion_tokens=7)))  # of a round that is not over
    bar.running[one] = "in progress"
    assert bar.text(5.0).startswith("5/10 problems, 100% solved, 3 calls, 35 tokens (7 a second), ")
    bar.running.clear()
    bar.finished({"correct": False} | bill)
    assert bar.text(10.0) == "6/10 problems, 50% solved, 4 calls, 50 tokens (5 a second), about 0:20 min left"
    assert bar.text(6000.0).endswith("about 3 h 20 min left")
    bar.finished({"correct": True, "error": "no server"} | bill)
    bar.finished({"correct": True} | bill)
    assert bar.text(60.0).startswith("8/10 problems, 50% solved, 1 failed, 8 calls"), "failed is not solved"
    bar.finished({"correct": False, "error": "no server", "unanswered": True} | bill)
    assert bar.text(60.0).startswith("9/10 problems, 50% solved, 1 failed, 1 not answered, "), "nobody knows"
