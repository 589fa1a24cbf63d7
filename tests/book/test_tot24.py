"""The reader's own program stands alone, plays as the package does on the same replies, and is the one of chapter 6."""

import ast
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import pytest

import tot
from tot.tasks.game24 import left, numbers_of
from tot.tasks.game24_rules import moves

ROOT = Path(__file__).parents[2]
FILE = ROOT / "book" / "tot24.py"
ENDS = (". sure", ", so likely.", ": impossible", ". I would rather not say", "", " **Sure**.", ". unsure")


@pytest.fixture
def program():
    spec = spec_from_file_location("tot24", FILE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reply(numbers, ends, index):
    """A reply that somebody could write: to a list of numbers some steps and slips, or else a verdict on them."""
    if ends is None:
        steps = [str(step).partition(" (")[0] for step in moves(numbers_of(numbers))]
        slips = ["1 + 1 = 3", "7 * 7 = 49", "2 / 0 = 1", "1/0 + 2 = 3", f"{steps[0]} = 5", "Numbers: 1 2", ""]
        return "\n".join([*steps[:: len(numbers) % 3 + 2], *slips, steps[0]])
    return f"{numbers} = 24{ends[(sum(map(ord, numbers)) + 3 * index) % len(ends)]}"


@pytest.mark.parametrize("puzzle", ["4 9 10 13", "1 1 1 8", "3 3 8 8", "2 4 4 10"])
@pytest.mark.parametrize("b", [1, 5])
def test_it_keeps_the_states_that_the_package_keeps(program, puzzle, b):
    asked = {}

    def ask(prompt):
        index = asked[prompt] = asked.get(prompt, -1) + 1
        numbers = prompt.splitlines()[-1].removeprefix("Numbers: ")
        return reply(numbers, None if prompt.startswith(program.PROPOSE) else ENDS, index)

    def scripted(request, index):
        numbers = request.messages[-1].content
        listed = numbers.startswith("Numbers: ")
        return reply(numbers.removeprefix("Numbers: "), None if listed else ENDS, index)

    how = {"lm": tot.Scripted(scripted), "style": "lean", "breadth": b}
    theirs = tot.solve("game24", puzzle, "tot-bfs", **how)
    mine = program.solve(puzzle, ask, b)
    assert [numbers for _, numbers in mine] == [left(node.state) for node in theirs.result.best]
    assert len(asked) == theirs.result.ledger.total.calls and all(len(path) == 3 for path, _ in mine)
    task = tot.task("game24")
    for path, numbers in mine:
        written = program.written(puzzle, path)
        assert task.verify(task.problem(puzzle), written).correct == (numbers == (24,)), written


def test_as_a_script_it_asks_the_client_and_prints_the_ways(monkeypatch, capsys, program):
    """With the client's names, and a reply that is cut where the prompt's next example would begin."""

    def create(*, model, messages, stop, **_):
        assert model == "some-model" and stop == ["\n\n"]
        [said] = messages
        numbers = said["content"].splitlines()[-1].removeprefix("Numbers: ")
        text = reply(numbers, None if said["content"].startswith(program.PROPOSE) else ENDS, 0)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text or None))])

    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    monkeypatch.setitem(sys.modules, "openai", SimpleNamespace(OpenAI=lambda: client))
    monkeypatch.setattr(sys, "argv", [str(FILE), "4 9 10 13", "some-model"])
    run_path(str(FILE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and all(line.count(" = ") == 3 and " -> " in line for line in lines)


def test_it_needs_nothing_of_ours_and_is_shown_whole_in_the_chapter():
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    imported = {name.name for n in ast.walk(tree) if isinstance(n, ast.Import) for name in n.names}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported - {"openai"} <= sys.stdlib_module_names
    chapter = (ROOT / "notebooks" / "06_tot_bfs_game24.py").read_text(encoding="utf-8")
    lines = FILE.read_text(encoding="utf-8").split("\n\n\nif __name__")[0].splitlines()
    shown = [line for line in lines[lines.index('PROPOSE = """\\') :] if line.strip()]
    assert [line for line in shown if line not in chapter.splitlines()] == []
    code = re.sub(r'(?m)^[A-Z]+ = """\\$.*?"""$', "", "\n".join(shown), flags=re.S)
    assert 45 <= len(code.splitlines()) <= 60  # "fifty lines"
