"""A task of one's own is named by its place, and nothing is installed."""

import sys

import pytest

from tot.cli import main
from tot.tasks import task

TALKS = """
from dataclasses import dataclass
from tot.tasks.questions import AddSub
import tot
import beside

@dataclass
class Point:
    x: int = 0

class Sums(AddSub):
    name = "sums"

class Nothing:
    name = "nothing"

class Begun(tot.Stepwise):
    steps = 2

class Crooked(Begun):
    name, rules, inputs = "crooked", "Walk.", "a text in place of a list"

    def steps(self, x):
        return 2

    def read(self, x, done, line):
        return line

    def wrong(self, x, done):
        return ""

class Unquoted(Crooked):
    inputs, steps = [1, 2], 2

class Needing(AddSub):
    def __init__(self, what):
        pass

made = Sums()
made.name = beside.NAME
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside.py").write_text("NAME = 'made'")
    (tmp_path / "random.py").write_text(TALKS)  # called like a module of Python's
    (tmp_path / "my_own_talks.py").write_text(TALKS)
    (tmp_path / "faulty.py").write_text("\n\n1 / 0")
    (tmp_path / "unclear.py").write_text("\ndef f(:")
    yield tmp_path
    for name in ("beside", "my_own_talks", "own_random", "own_faulty"):
        sys.modules.pop(name, None)


def test_a_class_or_an_object_in_a_file_or_a_module(place, capsys):
    from random import Random

    assert task("random.py:Sums").name == "sums" and task("random.py:made").name == "made"
    assert task(f"{place}/random.py:Sums").name == task("my_own_talks:Sums").name == "sums"
    assert sys.modules["random"].Random is Random
    assert main(["tasks", "random.py:Sums"]) == 0 and "zero-shot-cot" in capsys.readouterr().out
    (place / "random.py").write_text(TALKS.replace('"sums"', '"later"'))
    assert task("random.py:Sums").name == "later"  # the file as it is now


@pytest.mark.treebook
def test_the_command_line_takes_the_usual_method_of_an_own_task(place, capsys):
    words = ["--lm", "pocket:1", "random.py:Sums", "What is 1 + 1?"]
    assert main(["solve", *words, "--k", "2", "--json"]) == 1  # the pocket model does not know such problems
    assert '"method": "tot-vote"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("none.py:Talks", "there is no file none.py: .* such as my_talks.py:Talks"),
        ("no_such_module:Talks", "no_such_module cannot be imported"),
        ("random.py:Sum", "has no 'Sum': write random.py: and one of Sums, Begun, Crooked, Unquoted, Needing, made"),
        ("random.py:Nothing", "lacks summary, splits, .*tot.tasks"),
        ("random.py:Begun", r"Begun lacks name, rules, inputs, read, wrong: help\(tot.Stepwise\)"),
        ("random.py:Crooked", "^Crooked lacks inputs, steps: "),
        ("random.py:Unquoted", r"^Unquoted.inputs holds 1, not a text"),
        ("random.py:Needing", "without arguments .*what"),
        ("faulty.py:Talks", "line 3, ZeroDivisionError"),
        ("unclear.py:Talks", "line 2, SyntaxError"),
        ("random.py", "there is no task .* by its file and class, such as my_talks.py:Talks"),
        ("sums", "there is no task .* by its file and class, such as my_talks.py:Talks"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_with_the_way(place, spec, says):
    with pytest.raises(ValueError, match=says) as told:
        task(spec)
    assert "\n" not in str(told.value)
