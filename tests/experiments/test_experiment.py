"""Experiments: what a results file survives, what resuming repeats (nothing), and what the tables say."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tot.budget import Budget
from tot.experiments.progress import Progress
from tot.experiments.results import groups
from tot.experiments.running import best_of_k, compare, grid, read_results, run_experiment, summarise, table
from tot.jsonlines import Appender, FileTrouble
from tot.lm.base import LMError
from tot.lm.scripted import Scripted
from tot.stats import bootstrap, mcnemar, pass_at_k, wilson
from tot.tasks import task
from tot.tasks.game24_rules import Fraction, expression, moves, solvable

GAME = task("game24")
EASY = GAME.problems("easy")


def puzzle(request):
    """The puzzle that a request is about: the last line with "Numbers:" of its last message."""
    return request.messages[-1].content.removeprefix("Numbers: ")


def by_rule(rule):
    """An LM for IO that is right where ``rule(problem, sample index)`` says so."""

    def solution(numbers, steps=()):
        if len(numbers) == 1:
            return steps if numbers[0] == 24 else None
        return next((s for m in moves(numbers) if solvable(m.left) and (s := solution(m.left, (*steps, m)))), None)

    def answer(request, i):
        x = puzzle(request)
        if not rule(x, i):
            return "Answer: 1 + 1"
        numbers = tuple(sorted(map(Fraction, x.split())))
        return f"Answer: {expression(numbers, solution(numbers))}"

    return Scripted(answer)


def half(x, i):
    return sum(map(int, x.split())) % 2 == 0


@pytest.fixture
def out(tmp_path):
    return tmp_path / "results.jsonl"


def raw(out):
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_every_problem_gets_one_line_with_what_a_line_must_hold(out):
    jobs = grid(GAME, ["io", ("cot", {"k": 2})], EASY[:5])
    lines = run_experiment(jobs, by_rule(half), out=out)
    assert [(line["method"], line["problem"]) for line in lines] == [(j.method.name, j.problem.id) for j in jobs]
    assert sorted(map(json.dumps, raw(out))) == sorted(map(json.dumps, lines))
    for line in lines:
        assert line.keys() >= {"task", "problem", "method", "lm", "correct", "first", "any", "chosen", "usage"}
        assert line["correct"] == half(line["problem"], 0) and line["usage"]["calls"] == 1


def test_a_second_run_asks_nothing_and_changes_nothing(out):
    jobs = grid(GAME, ["io"], EASY[:6])
    first = run_experiment(jobs, by_rule(half), out=out)
    before = out.read_bytes()
    assert run_experiment(jobs, Scripted([]), out=out) == first
    assert out.read_bytes() == before


def test_another_knob_model_or_budget_is_another_line(out):
    run = [
        (grid(GAME, ["io"], EASY[:2]), Scripted(lambda r, i: "1"), None),
        (grid(GAME, [("io", {"k": 2})], EASY[:2]), Scripted(lambda r, i: "1"), None),
        (grid(GAME, ["io"], EASY[:2]), Scripted(lambda r, i: "1", "other"), None),
        (grid(GAME, ["io"], EASY[:2]), Scripted(lambda r, i: "1"), Budget(calls=9)),
        (grid(GAME, ["io"], EASY[:2]), Scripted([]), Budget(calls=9.0)),  # the same budget: nothing to ask
    ]
    for jobs, lm, budget in run:
        assert len(run_experiment(jobs, lm, out=out, budget=budget)) == 2
    assert len(raw(out)) == 8 and len(read_results(out)) == 8
    labels = [row.label for row in summarise(read_results(out))]
    assert labels == [
        "io k=1 no budget with other",
        "io k=1 no budget with scripted",
        "io k=1 calls=9 with scripted",
        "io k=2 no budget with scripted",
    ]


def test_several_models_one_after_the_other_and_roles(out):
    ask = Scripted(lambda r, i: "1"), {"default": Scripted(lambda r, i: "1", "a"), "evaluator": Scripted([], "b")}
    lines = run_experiment(grid(GAME, ["io"], EASY[:2]), ask, out=out)
    assert [line["lm"] for line in lines] == ["scripted"] * 2 + ["default=a, evaluator=b"] * 2


def test_a_job_named_twice_runs_once(out):
    lm = by_rule(half)
    lines = run_experiment(grid(GAME, ["io", "io"], EASY[:3]), lm, out=out)
    assert len(lines) == len(raw(out)) == len(lm.requests) == 3


def failing(bad, answer="Answer: 1 + 1", name="scripted"):
    def reply(request, i):
        if puzzle(request) in bad:
            raise LMError("no server answers")
        return answer

    return Scripted(reply, name)


def test_errors_are_kept_apart_and_tried_again(out):
    jobs = grid(GAME, ["io"], EASY[:4])
    bad = {EASY[1].x}
    lines = run_experiment(jobs, failing(bad), out=out)
    assert [line.get("error", "") for line in lines] == ["", "no server answers", "", ""]
    [row] = summarise(lines)
    assert (row.n, row.errors, row.correct) == (3, 1, wilson(0, 3))
    assert "errors" in str(table([row]))
    again = failing(set())
    lines = run_experiment(jobs, again, out=out)
    assert [puzzle(r) for r in again.requests] == [EASY[1].x]
    assert not any("error" in line for line in lines) and len(raw(out)) == 5 and len(read_results(out)) == 4
    [row] = summarise(read_results(out))
    assert (row.n, row.errors) == (4, 0) and "errors" not in str(table([row]))


def test_only_errors_give_no_rate(out):
    lines = run_experiment(grid(GAME, ["io"], EASY[:2]), failing({p.x for p in EASY}), out=out)
    [row] = summarise(lines)
    assert (row.n, row.errors, row.correct, row.mean) == (0, 2, None, None) and " - " in str(table([row]))


def test_a_model_out_of_reach_ends_the_run_early(out):
    lm, other = failing({p.x for p in EASY}, name="gone"), by_rule(half)
    lines = run_experiment(grid(GAME, ["io"], EASY), [lm, other], out=out, at_once=2, patience=4)
    assert len(lines) == 4 and len(lm.requests) <= 6 and not other.requests
    assert len(run_experiment(grid(GAME, ["io"], EASY), by_rule(half), out=out)) == 100
    with pytest.raises(ValueError, match="the same name"):
        run_experiment([], [other, by_rule(half)], out=out)


def test_a_torn_line_is_cut_off_and_its_problem_run_again(out):
    jobs = grid(GAME, ["io"], EASY[:5])
    run_experiment(jobs, by_rule(half), out=out)
    whole = out.read_bytes()
    for cut in (2, 7, 200):
        out.write_bytes(whole[:-cut])
        lm = by_rule(half)
        assert len(run_experiment(jobs, lm, out=out)) == 5 and len(lm.requests) == 1
        assert len(raw(out)) == 5


def test_two_runs_cannot_write_one_file(out):
    with Appender(out), pytest.raises(FileTrouble, match="being written by another run"):
        run_experiment(grid(GAME, ["io"], EASY[:1]), Scripted([]), out=out)


@pytest.mark.parametrize("text", ['{"type": "session"}\n', "hello\n", "[1]\n"])
def test_a_foreign_file_is_refused_and_left_alone(out, text):
    out.write_text(text, encoding="utf-8")
    with pytest.raises(FileTrouble, match="line 1"):
        run_experiment(grid(GAME, ["io"], EASY[:1]), Scripted([]), out=out)
    assert out.read_text(encoding="utf-8") == text


def test_the_file_can_be_used_again_after_a_failure(out):
    jobs = grid(GAME, ["io"], EASY[:3])

    def broken(request, i):
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        run_experiment(jobs, Scripted(broken), out=out)
    assert len(run_experiment(jobs, by_rule(half), out=out)) == 3


def test_wrong_names_fail_before_anything_runs():
    for methods, why in [(["tot"], "no method"), ([("io", {"breadth": 2})], "no knob")]:
        with pytest.raises(ValueError, match=why):
            grid(GAME, methods, EASY[:1])


SLOW = """
import sys, time
sys.path[:0] = [{root!r}, {tests!r}]
from test_experiment import EASY, GAME, by_rule, half
from tot.experiments import grid, run_experiment
lm = by_rule(half)
lm.delay = {delay}
print("go", flush=True)
run_experiment(grid(GAME, ["io", "cot"], EASY[:40]), lm, out={out!r}, at_once=4)
"""


def started(out, delay):
    root = Path(__file__).parents[2]
    code = SLOW.format(root=str(root), tests=str(root / "tests" / "experiments"), out=str(out), delay=delay)
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    program.stdout.readline()
    return program


def lines_in(out):
    return out.read_bytes().count(b"\n") if out.exists() else 0


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_loses_and_repeats_nothing(out, how):
    jobs = grid(GAME, ["io", "cot"], EASY[:40])
    for _ in range(2):
        before, program = lines_in(out), started(out, 0.02)
        while lines_in(out) < before + 10:
            time.sleep(0.005)
        program.send_signal(how)
        program.communicate(timeout=20)
        assert before + 10 <= lines_in(out) < 80, "it was to be stopped in the middle"
    kept = read_results(out)
    lm = by_rule(half)
    lines = run_experiment(jobs, lm, out=out)
    assert len(lines) == 80 and len(lm.requests) == 80 - len(kept)
    assert set(Counter(json.dumps(line["problem"] + line["method"]) for line in raw(out)).values()) == {1}
    assert all(line in lines for line in kept)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_is_prompt_while_all_calls_hang(out):
    program = started(out, 600)
    time.sleep(1.0)
    begin = time.monotonic()
    program.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in program.communicate(timeout=20)[1]
    assert time.monotonic() - begin < 5


# What the tables say


def lines_for(tmp_path, rule, methods, n=12):
    return run_experiment(grid(GAME, methods, EASY[:n]), by_rule(rule), out=tmp_path / "table.jsonl")


def test_rates_costs_and_intervals(tmp_path):
    lines = lines_for(tmp_path, half, ["io"])
    [row] = summarise(lines)
    right = sum(half(p.x, 0) for p in EASY[:12])
    assert 0 < right < 12
    assert row.correct == wilson(right, 12) and row.first == row.any == right / 12 and row.mean is None
    assert (row.calls, row.rounds, row.unread, row.errors, row.stopped) == (1, 1, 0, 0, 0)
    assert row.tokens == sum(u["prompt_tokens"] + u["completion_tokens"] for u in (x["usage"] for x in lines)) / 12


def test_the_mean_over_samples_is_bootstrapped_over_problems(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: half(x, 0) and i < 4, [("io", {"k": 10})])
    [row] = summarise(lines)
    share = sum(half(p.x, 0) for p in EASY[:12]) / 12
    assert row.mean == bootstrap([[1.0] * 4 + [0.0] * 6 if half(p.x, 0) else [0.0] * 10 for p in sorted_by_name(12)])
    assert abs(row.mean.rate - 0.4 * share) < 1e-9 and row.any == share
    assert row.correct.rate == 0  # six equal wrong answers outvote four right ones


def sorted_by_name(n):
    return sorted(EASY[:n], key=lambda p: p.id)


def test_unread_samples_count_as_wrong_samples(tmp_path):
    lines = lines_for(tmp_path, half, [("io", {"k": 4})], n=1)
    lines[0] |= {"corrects": [True], "unread": 3}
    [row] = summarise(lines)
    assert row.mean.rate == 0.25 and row.unread == 3
    assert best_of_k(lines, [2])["io"][2].rate == pass_at_k(4, 1, 2)


def test_best_of_k_is_the_unbiased_estimator_over_problems(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: i < sum(map(int, x.split())) % 4, [("io", {"k": 6})])
    curve = best_of_k(lines, [1, 3, 6])["io"]
    counts = [sum(map(int, p.x.split())) % 4 for p in sorted_by_name(12)]
    assert curve[3] == bootstrap([[pass_at_k(6, c, 3)] for c in counts])
    assert curve[1].rate <= curve[3].rate <= curve[6].rate and curve[6].rate == sum(c > 0 for c in counts) / 12
    with pytest.raises(ValueError, match="no method here has 7 independent samples"):
        best_of_k(lines, [7])
    with pytest.raises(ValueError, match="k=0"):
        best_of_k(lines, [0])


def test_outputs_that_are_no_independent_samples_have_no_best_of_k(out):
    lm = Scripted(lambda r, i: "4 + 9 = 13 (left: 10 13 13)")
    lines = run_experiment(grid(GAME, ["tot-bfs"], [GAME.problem("4 9 10 13")]), lm, out=out)
    assert best_of_k(lines, []) == {} and summarise(lines)[0].mean is None
    with pytest.raises(ValueError, match="no method here has 1 "):
        best_of_k(lines, [1])


def test_no_number_depends_on_the_order_of_the_lines(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: half(x, i) and i % 3, [("io", {"k": 5}), ("io", {"k": 12}), "cot"])
    assert summarise(lines) == summarise(reversed(lines)) and list(groups(lines)) == ["io k=5", "io k=12", "cot"]
    curves = best_of_k(lines, [1, 2])
    assert curves == best_of_k(lines[::-1], [1, 2]) and [len(c) for c in curves.values()] == [2, 2, 1]


def test_compare_pairs_the_common_problems(tmp_path):
    io = lines_for(tmp_path, half, ["io"])
    cot = run_experiment(grid(GAME, ["cot"], EASY[4:16]), by_rule(lambda x, i: True), out=tmp_path / "cot.jsonl")
    cot[-5] |= {"error": "no server"}  # problem 11
    result = compare([*io, *cot], "cot", "io")
    better = sum(not half(p.x, 0) for p in EASY[4:11])
    assert (result.n, result.only_a, result.only_b, result.p) == (7, better, 0, mcnemar(better, 0))
    for a, b, why in [("tot-bfs", "io", "fits 0"), ("io", "cot", "no problem in common")]:
        with pytest.raises(ValueError, match=why):
            compare([*io, *cot[8:]] if b == "cot" else io, a, b)


def test_an_ambiguous_name_is_refused_with_the_labels(tmp_path):
    lines = lines_for(tmp_path, half, ["io", ("io", {"k": 2})])
    with pytest.raises(ValueError, match="'io k=1', 'io k=2'"):
        compare(lines, "io", "io k=2")
    assert compare(lines, "io k=1", "io k=2").difference.rate == 0


def test_a_table_as_text_markdown_and_html(tmp_path):
    [row] = summarise(lines_for(tmp_path, half, ["io"], n=4))
    shown = table([row, row])
    head, *body = str(shown).splitlines()
    assert head.split() == ["method", "lm", "n", "correct", "first", "any", "calls", "rounds", "nodes", "tokens"]
    assert len(body) == 2 and body[0].startswith("io      scripted  4  ") and str(row.correct) in body[0]
    assert repr(shown) == str(shown)
    assert shown._repr_markdown_().splitlines()[1] == "| " + " | ".join(["---"] * 10) + " |"
    assert "<td>&lt;b&gt;|</td>" in table([replace(row, label="<b>|")])._repr_html_()
    assert "\\|" in table([replace(row, label="<b>|")])._repr_markdown_()
    assert "task" in str(table([row, replace(row, task="x")])) and str(table([])).startswith("method")


def test_failed_problems_are_in_no_curve(tmp_path):
    lines = lines_for(tmp_path, half, [("io", {"k": 3})])
    curve = best_of_k(lines[1:], [2])
    lines[0]["error"] = "no server"
    assert best_of_k(lines, [2]) == curve and curve["io"][2].n == 11


def test_a_limit_counts_as_stopped_and_success_does_not(tmp_path):
    jobs = grid(GAME, ["io", ("io-refine-gold", {"k": 3})], EASY[:12])
    wrong = Scripted(lambda r, i: "Answer: 1 + 1")
    lines = run_experiment(jobs, wrong, out=tmp_path / "a.jsonl", budget=Budget(calls=2))
    assert [row.stopped for row in summarise(lines)] == [0, 12] and "stopped" in str(table(summarise(lines)))
    lines = run_experiment(jobs, by_rule(lambda x, i: True), out=tmp_path / "b.jsonl")
    assert {line["stopped"] for line in lines} == {"done", "until"}
    assert [row.stopped for row in summarise(lines)] == [0, 0] and "stopped" not in str(table(summarise(lines)))


# The progress line


class Terminal:
    def __init__(self, tty=True):
        self.text, self.tty = "", tty

    def isatty(self):
        return self.tty

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_is_shown_in_a_terminal_and_removed_at_the_end(out, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:8]), failing({EASY[0].x}, "1 + 1"), out=out, at_once=1)
    steps = [step.strip() for step in screen.text.split("\r")]
    assert any(s.startswith("4/8 problems, 0% solved, 1 failed, 4 calls, ") and s.endswith("left") for s in steps)
    assert steps[-1] == "" and "\n" not in screen.text


@pytest.mark.parametrize("show", [True, False])
def test_no_terminal_no_progress(out, monkeypatch, show):
    screen = Terminal(tty=not show)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tot.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:3]), by_rule(half), out=out, progress=show)
    assert screen.text == ""


def test_progress_in_a_notebook_replaces_one_output_and_empties_it(out, monkeypatch):
    shown = []
    handle = SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
    display = SimpleNamespace(display=lambda data, raw, display_id: handle)
    shell = SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(sys, "stderr", Terminal(tty=False))
    monkeypatch.setattr("tot.progress.EVERY", 0.0)
    run_experiment(grid(GAME, ["io"], EASY[:3]), by_rule(half), out=out)
    assert shown[-1] == "" and any(text.startswith("2/3 problems") for text in shown)


def test_progress_in_words():
    bar = Progress(10, skipped=4, show=False)
    assert bar.text(0, 0, 0.0) == "4/10 problems, 0 calls, 0 tokens"
    bar.finished({"correct": True})
    bar.finished({"correct": False})
    assert bar.text(3, 50, 60.0) == "6/10 problems, 50% solved, 3 calls, 50 tokens, about 2:00 min left"
    assert bar.text(3, 50, 6000.0).endswith("about 3 h 20 min left")
