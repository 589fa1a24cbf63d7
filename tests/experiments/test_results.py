"""What results lines say: rates, costs, comparisons; and that a failed problem is one that is not solved."""

import json

import pytest
from games import EASY, GAME, by_rule, half, lines_for, puzzle

from tot import Cassette, results
from tot.budget import Budget
from tot.cli import main
from tot.experiments import compare, grid, measures, read_results, run_experiment, summarise
from tot.experiments.results import groups
from tot.experiments.unmeasured import unanswered
from tot.jsonlines import FileTrouble
from tot.lm.base import Unanswered
from tot.lm.scripted import Scripted
from tot.show import results_table
from tot.show.report import Results
from tot.stats import bootstrap, mcnemar, wilson
from tot.tasks.base import Score


def sorted_by_name(n):
    return sorted(EASY[:n], key=lambda p: p.id)


def test_rates_costs_and_intervals(tmp_path):
    lines = lines_for(tmp_path, half, ["io"])
    [row] = summarise(lines)
    right = sum(half(p.x, 0) for p in EASY[:12])
    assert 0 < right < 12
    assert row.correct == wilson(right, 12) and row.first == row.any == right / 12 and row.mean is None
    assert (row.calls, row.rounds, row.unread, row.errors, row.stopped) == (1, 1, 0, 0, 0)
    assert row.tokens == sum(u["prompt_tokens"] + u["completion_tokens"] for u in (x["usage"] for x in lines)) / 12


def test_dollars_are_those_of_problems_that_had_prices(tmp_path):
    """A table of prices that comes later says nothing of what was there before, and makes nothing cheaper."""
    lines = lines_for(tmp_path, half, ["io"])
    for line in lines[9:]:
        line["usage"]["dollars"] = 0.04
    assert summarise(lines)[0].dollars == 0.04 and summarise(lines[:9])[0].dollars == 0


def test_dollars_that_were_paid_are_told_where_they_are_more(tmp_path):
    """A server that gives one sample a call is paid for each prompt."""
    lines = lines_for(tmp_path, half, ["io"])
    for line in lines:
        line["usage"]["dollars"] = 0.15
    lines[0]["paid"] = {"calls": 1, "dollars": 0.1500001}
    assert "paid dollars" not in str(results_table(summarise(lines)))
    lines[0]["paid"] = {"calls": 5, "dollars": 0.55 + 11 * 0.4}
    [row] = summarise(lines)
    assert (row.dollars, round(row.paid_dollars, 6)) == (0.15, 0.55) and row.paid > row.calls
    assert str(results_table([row])).split()[:20].count("dollars") == 2


def test_the_mean_over_samples_is_bootstrapped_over_problems(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: half(x, 0) and i < 4, [("io", {"k": 10})])
    [row] = summarise(lines)
    share = sum(half(p.x, 0) for p in EASY[:12]) / 12
    assert row.mean == bootstrap([[1.0] * 4 + [0.0] * 6 if half(p.x, 0) else [0.0] * 10 for p in sorted_by_name(12)])
    assert abs(row.mean.rate - 0.4 * share) < 1e-9 and row.any == share
    assert row.correct.rate == 0  # six equal wrong answers outvote four right ones


def test_unread_samples_count_as_wrong_samples(tmp_path):
    lines = lines_for(tmp_path, half, [("io", {"k": 4})], n=1)
    lines[0] |= {"corrects": [True], "unread": 3}
    [row] = summarise(lines)
    assert row.mean.rate == 0.25 and row.unread == 3


def test_a_failure_takes_the_place_of_no_result_where_two_files_become_one(tmp_path):
    lines = lines_for(tmp_path, half, ["io"], n=4)
    wrong = {"error": "the server broke", "stopped": "error", "correct": False, "corrects": []}
    files = {"a": [lines[0] | wrong, *lines[1:]], "b": [*lines[:2], *(line | wrong for line in lines[2:])]}
    for order in ("ab", "ba"):
        both = tmp_path / f"{order}.jsonl"
        both.write_text("".join(json.dumps(line) + "\n" for name in order for line in files[name]))
        assert sorted(map(str, read_results(both))) == sorted(map(str, lines))
    both.write_text("".join(json.dumps(line) + "\n" for line in [*lines, lines[0] | wrong | {"made_with": "new code"}]))
    assert [row.errors for row in summarise(read_results(both))] == [1]


def test_outputs_that_are_no_independent_samples_have_no_mean(tmp_path):
    lm = Scripted(lambda r, i: "4 + 9 = 13 (left: 10 13 13)")
    lines = run_experiment(grid(GAME, ["tot-bfs"], [GAME.problem("4 9 10 13")]), lm, out=tmp_path / "r.jsonl")
    assert summarise(lines)[0].mean is None


def test_no_number_depends_on_the_order_of_the_lines(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: half(x, i) and i % 3, [("io", {"k": 5}), ("io", {"k": 12}), "cot"])
    assert summarise(lines) == summarise(reversed(lines)) and list(groups(lines)) == ["io k=5", "io k=12", "cot"]


def test_compare_pairs_the_common_problems(tmp_path):
    io = lines_for(tmp_path, half, ["io"])
    cot = run_experiment(grid(GAME, ["cot"], EASY[4:16]), by_rule(lambda x, i: True), out=tmp_path / "cot.jsonl")
    cot[-6] |= {"error": "no server"}  # problem 10: not solved, and one that io solves
    result = compare([*io, *cot], "cot", "io")
    better = sum(not half(p.x, 0) for p in EASY[4:12])
    assert (result.n, result.only_a, result.only_b, result.p) == (8, better, 1, mcnemar(better, 1))
    for a, b, why in [("tot-bfs", "io", "fits 0"), ("io", "cot", "no problem in common")]:
        with pytest.raises(ValueError, match=why):
            compare([*io, *cot[8:]] if b == "cot" else io, a, b)


def test_of_two_versions_of_a_file_the_answer_counts_and_editions_stay_apart(tmp_path):
    line = {**lines_for(tmp_path, half, ["io"])[0], "x": "12345678", "source": "a.csv", "edition": "11111111"}
    copy = {**line, "source": "b.csv", "problem": "b-1", "gold": "4.0, not 4"}
    for lines in ([{**line, "error": "away"}, copy], [line, {**copy, "error": "away"}]):
        assert [(row.n, row.errors) for row in summarise(lines)] == [(1, 0)]
    assert [row.n for row in summarise([line, {**copy, "edition": "22222222"}])] == [1, 1]
    right, wrong = {**line, "correct": True}, {**copy, "correct": False}
    wrong["source"], wrong["problem"] = "0.csv", "0-1"  # which comes before, but was made later
    assert [summarise(both)[0].correct.rate for both in ([right, wrong], [wrong, right])] == [0, 1]


def test_a_question_that_is_twice_in_a_file_is_compared_with_the_same_one(tmp_path):
    lines = lines_for(tmp_path, half, ["io", "cot"])
    for line in lines:
        line["x"] = "the same for all"
    io, cot = ([line for line in lines if line["method"] == name] for name in ("io", "cot"))
    for n, line in enumerate(cot):
        line["correct"] = io[n]["correct"]
    cot[0]["unanswered"] = 1
    result = compare(lines, "io", "cot")
    assert (result.n, result.only_a, result.only_b) == (11, 0, 0)


def test_a_comparison_with_a_method_of_which_nothing_came_is_warned_of(tmp_path):
    lines = lines_for(tmp_path, half, ["io"])
    run_experiment(grid(GAME, ["cot"], EASY[:12]), Scripted(lambda r, i: "?"), out=tmp_path / "nothing.jsonl")
    with pytest.warns(UserWarning, match="cot: 0% says nothing here"):
        Results([*lines, *read_results(tmp_path / "nothing.jsonl")]).compare("io", "cot")


def test_several_models_behind_one_name_are_told_of(tmp_path):
    lines = lines_for(tmp_path, half, ["io", "cot"])
    for line in lines:
        line["served"] = "m-2026-01" if line["method"] == "io" else "m-2026-06"
    assert "was answered by m-2026-01 and m-2026-06" in str(Results(lines))
    assert "answered by" not in str(Results(lines[:12]))


def test_a_comparison_says_what_failed_since_it_counts_as_not_solved(tmp_path):
    lines = lines_for(tmp_path, half, ["io", "cot"])
    for line in [one for one in lines if one["method"] == "cot"][:3]:
        line |= {"error": "refused"}
    with pytest.warns(UserWarning, match="^cot: 3 of 12 failed"):
        Results(lines).compare("io", "cot")


def test_an_ambiguous_name_is_refused_with_the_labels(tmp_path):
    lines = lines_for(tmp_path, half, ["io", ("io", {"k": 2})])
    with pytest.raises(ValueError, match="'io k=1', 'io k=2'"):
        compare(lines, "io", "io k=2")
    assert compare(lines, "io k=1", "io k=2").difference.rate == 0


FAILED = {"error": "no server", "stopped": "error"}


def test_an_error_is_a_problem_that_was_not_solved_whatever_had_been_found(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: True, ["io"], n=4)
    whole = summarise(lines)[0].tokens
    lines[0] |= FAILED
    [row] = summarise(lines)
    assert (row.n, row.errors, row.stopped) == (4, 1, 0) and row.correct == wilson(3, 4)
    assert row.first == row.any == 0.75 and row.tokens == whole > 0, "what was asked counts"
    [only] = summarise(lines[:1])
    assert (only.n, only.errors, only.correct) == (1, 1, wilson(0, 1))


def test_samples_of_a_failed_problem_are_not_right(tmp_path):
    lines = lines_for(tmp_path, lambda x, i: i < 2, [("io", {"k": 3})])
    last = max(lines, key=lambda line: line["problem"])
    last |= FAILED
    [row] = summarise(lines)
    assert row.mean == bootstrap([*[(1.0, 1.0, 0.0)] * 11, (0.0,) * 3])


def test_a_failed_problem_measures_nothing():
    def line(problem, letters, **more):
        score = {"correct": letters == 1, "parts": {"letters": letters}}
        head = {"task": "crosswords", "problem": problem, "method": "tot-dfs", "params": {}, "lm": "m"}
        return {**head, **score, "all_parts": [score["parts"]], "oracle": score, "stopped": "done", **more}

    [row] = measures([line("a", 1.0), line("b", 0.5), line("c", 1.0, **FAILED), line("d", 0.5, **FAILED)])
    assert (row["n"], row["solved"], row["best solved"].rate) == (4, wilson(1, 4), 0.25)
    assert row["letters"].rate == row["best letters"].rate == 0.375


@pytest.mark.parametrize("k", [1, 2])
def test_where_a_verifier_measures_nothing_without_an_answer_that_is_zero(tmp_path, k):
    class Near(type(GAME)):
        def verify(self, problem, answer):
            score = super().verify(problem, answer)
            return Score(score.correct, score.why, {"near": 1.0} if score.correct else {})

    jobs, lm = grid(Near(), [("io", {"k": k})], EASY[:4]), by_rule(lambda x, i: i == 0 and x == EASY[0].x)
    lines = run_experiment(jobs, lm, out=tmp_path / "near.jsonl")
    [row] = measures(lines)
    assert row["n"] == len(lines) and row["near"].rate == row["solved"].rate == 1 / len(lines) / k


def test_what_the_command_line_says_of_a_file_with_a_failed_problem(tmp_path, capsys):
    """The cassette lacks one puzzle, so one problem of each method fails."""
    tape, out = tmp_path / "c.jsonl", tmp_path / "r.jsonl"
    with Cassette(tape, by_rule(half)) as lm:
        run_experiment(grid(GAME, ["io", "cot"], EASY[:5]), lm, out=tmp_path / "first.jsonl")
    line = ["run", "game24", "--method", "io,cot", "--problems", "easy[:6]", "--cassette", str(tape), "--out", str(out)]
    assert main(line) == 1
    shown = results_table(summarise(read_results(out)))
    assert capsys.readouterr().out == f"{shown}\n" and len(shown.cells) == 2
    for cells in shown.cells:
        told = dict(zip(shown.columns, cells, strict=True))
        right = sum(half(p.x, 0) for p in EASY[:5])
        assert (told["n"], told["errors"], told["correct"]) == ("6", "1", str(wilson(right, 6)))


def test_a_limit_counts_as_stopped_and_success_does_not(tmp_path):
    jobs = grid(GAME, ["io", ("io-refine-checked", {"k": 3})], EASY[:12])
    wrong = Scripted(lambda r, i: "Answer: 1 + 1")
    lines = run_experiment(jobs, wrong, out=tmp_path / "a.jsonl", budget=Budget(calls=2))
    assert [row.stopped for row in summarise(lines)] == [0, 12] and "stopped" in results_table(summarise(lines)).columns
    lines = run_experiment(jobs, by_rule(lambda x, i: True), out=tmp_path / "b.jsonl")
    assert {line["stopped"] for line in lines} == {"done", "until"}
    assert [row.stopped for row in summarise(lines)] == [0, 0] and "stopped" not in results_table(
        summarise(lines)
    ).columns


def test_a_problem_without_an_answer_is_left_out_of_everything_until_it_is_asked_again(tmp_path):
    out, jobs = tmp_path / "r.jsonl", grid(GAME, ["io", "cot"], EASY[:6])
    silent, asked = {p.x for p in EASY[:4]}, []

    def answer(request, i):
        asked.append(puzzle(request))
        if puzzle(request) in silent:
            raise Unanswered("the server did not answer")
        return "Answer: 1 + 1"

    lines = run_experiment(jobs, Scripted(answer), out=out)
    solving = [{**line, "correct": True} for line in lines]  # whatever had been found
    for some in (lines, solving):
        assert [(row.n, row.unanswered, row.errors) for row in summarise(some)] == [(2, 4, 0)] * 2
    assert summarise(lines)[0].correct == wilson(0, 2) and compare(lines, "io", "cot").n == 2
    assert "unanswered" in results_table(summarise(lines)).columns
    assert unanswered(lines) == [f"{m}: 4 of 6 not answered: run the same command again." for m in ("io", "cot")]
    assert summarise(line for line in lines if line["problem"] == EASY[0].id) == [], "no rate is made of nothing"
    silent.clear()
    asked.clear()
    assert [(row.n, row.unanswered) for row in summarise(run_experiment(jobs, Scripted(answer), out=out))] == [
        (6, 0)
    ] * 2
    assert sorted(asked) == sorted(2 * [p.x for p in EASY[:4]])


@pytest.mark.parametrize(
    "named, budget",
    [(("tot-dfs", {"k": 10**8, "steps": 3}), ""), (("tot-mcts", {"rollouts": 1, "exploration": 1e300}), "")]
    + [(("io", {}), "tokens=1e305")],
)
def test_numbers_that_a_user_chose_may_be_large(tmp_path, named, budget):
    lines = run_experiment(
        grid(GAME, [named], EASY[:1]), by_rule(half), out=tmp_path / "r.jsonl", budget=Budget.parse(budget)
    )
    assert read_results(tmp_path / "r.jsonl") == lines and results(tmp_path / "r.jsonl").rows()[0]["n"] == 1


def test_more_samples_than_can_be_drawn_have_no_mean(tmp_path):
    lines = lines_for(tmp_path, half, [("io", {"k": 2})])
    assert summarise({**line, "params": {**line["params"], "k": 10**9}} for line in lines)[0].mean is None


def test_numpys_numbers_are_pythons(tmp_path):
    numpy, asked, told = pytest.importorskip("numpy"), [], []
    knobs = {"cot-sc": ("k", 2), "tot-bfs": ("breadth", 1), "tot-mcts": ("exploration", 0.5)}
    lm = Scripted(lambda request, i: asked.append(request) or "Answer: 1 + 1")
    for one in (numpy.int64, numpy.float32), (int, float):
        named = [(name, {knob: one[isinstance(n, float)](n)}) for name, (knob, n) in knobs.items()]
        run_experiment(grid(GAME, named, EASY[:2]), lm, out=tmp_path / "r.jsonl", progress=False)
        told.append((len(asked), [(row["method"], row["n"]) for row in results(tmp_path / "r.jsonl").rows()]))
    assert told[0] == told[1] and [n for _, n in told[0][1]] == [2, 2, 2]


@pytest.mark.parametrize("k", ["many", [1], None])
def test_a_line_whose_number_of_samples_is_none_is_refused(tmp_path, k):
    lines = lines_for(tmp_path, half, ["io"], n=1)
    file = tmp_path / "edited.jsonl"
    file.write_text(json.dumps(lines[0] | {"params": lines[0]["params"] | {"k": k}}) + "\n")
    with pytest.raises(FileTrouble, match="line 1 is not a results line"):
        results(file).rows()
