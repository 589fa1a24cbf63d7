"""A results file as a table, as rows, as CSV: the same numbers as `tot run` and ``summarise``."""

import csv
import io

import pytest
from games import EASY, GAME, by_rule, half

import tot
from tot import show
from tot.cli import main
from tot.experiments import grid, run_experiment, summarise
from tot.show.report import as_csv
from tot.stats import paired


@pytest.fixture
def out(tmp_path):
    jobs = grid(GAME, ["io", ("cot", {"k": 2})], EASY[:9])
    run_experiment(jobs, by_rule(half), out=tmp_path / "results.jsonl")
    return tmp_path / "results.jsonl"


def test_a_results_file_shows_itself_and_gives_rows(out, capsys):
    found = tot.results(out)
    summary = summarise(found.lines)
    assert str(found) == str(show.results_table(summary)) and str(found).splitlines()[0] in found._repr_html_()
    assert [row["method"] for row in found.rows()] == ["io", "cot"]
    for plain, row in zip(found.rows(), summary, strict=True):
        assert (plain["correct"], plain["correct low"], plain["calls"]) == (
            row.correct.rate,
            row.correct.low,
            row.calls,
        )
        assert all(value is None or isinstance(value, str | int | float) for value in plain.values())
    assert main(["report", str(out)]) == 0 and capsys.readouterr().out.strip() == str(found)
    assert main(["report", str(out), "--csv"]) == 0
    [first, second] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert first["method"] == "io" and float(second["correct"]) == summary[1].correct.rate


def test_no_name_in_a_foreign_file_is_a_formula_in_a_spreadsheet():
    rows = [{"method": name, "p": -0.5} for name in ("=1+1", "-cmd|x", "@a", "-3.5", "a=b\x1b")]
    told = csv.DictReader(io.StringIO(as_csv(rows)))
    assert [row["method"] for row in told] == ["'=1+1", "'-cmd|x", "'@a", "-3.5", "a=b\\u001b"]


def test_two_methods_are_compared(out, capsys):
    assert main(["compare", str(out), "io", "cot"]) == 0
    assert capsys.readouterr().out.strip() == str(tot.results(out).compare("io", "cot"))
    assert main(["compare", str(out), "cot", "io", "--csv"]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["first"], row["second"], row["n"]) == ("cot", "io", "9")
    assert main(["compare", str(out), "cot", "tot-bfs"]) == 2 and "name one of 'io', 'cot'" in capsys.readouterr().err
    (empty := out.with_name("empty.jsonl")).touch()
    for file in (empty, out.with_name("none.jsonl")):
        assert main(["report", str(file)]) == 2 and file.name in capsys.readouterr().err


def test_where_interval_and_p_disagree_it_says_which_to_believe():
    doubtful, clear, nothing = ([True] * n + [False] * (10 - n) for n in (5, 8, 0))
    assert paired(doubtful, nothing).p > 0.05 and paired(doubtful, nothing).difference.low > 0
    assert "believe p" in str(paired(doubtful, nothing))
    assert "believe" not in str(paired(clear, nothing)) + str(paired(nothing, nothing))


@pytest.mark.parametrize("what", [7, "rows", {"method": "io"}, [1], [{"a": 1}, 2]])
def test_what_a_table_cannot_show_says_what_to_call(what, out):
    for odd in (what, summarise(tot.results(out).lines), tot.results(out)):
        with pytest.raises(TypeError, match=r"call tot.results\(FILE\) .*show.results_table .*show.text"):
            show.table(odd)
