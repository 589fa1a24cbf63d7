"""The command line of studies: a trial never writes over the book's figures."""

from pathlib import Path

import pytest

from studies.options import options

OURS = Path("studies/results/x.json")


def call(*given, **of):
    return options("About.", [*given], **{"puzzles": 100, "trials": (4, "how often"), "out": OURS, **of})


def test_other_figures_than_the_books_are_told_where_to(capsys, tmp_path):
    assert call().puzzles == 100 == call("--puzzles", "100").puzzles
    for given in (["--puzzles", "4"], ["--trials", "2"]):
        with pytest.raises(SystemExit):
            call(*given)
        assert "--out FILE" in capsys.readouterr().err
        assert call(*given, "--out", str(tmp_path / "x.json")).out == tmp_path / "x.json"
    assert call("--puzzles", "4", puzzles=(int, "fewer: a trial, which writes no figures")).puzzles == 4
    assert call("--puzzles", "4", out=tmp_path).puzzles == 4
